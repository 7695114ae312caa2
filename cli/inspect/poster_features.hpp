// The functionality list of the VkFFT poster (vkfft2022, section 3), line by line, as `seiche features` prints it.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace seiche::cli {

/// A test, by the names that its framework knows, and the file that it is in, from the root of the source.
struct Proof {
    const char *test, *file;
};

struct PosterLine {
    const char* line;                   ///< As the poster has it.
    const char* here;                   ///< What of it is here; what the plans below cannot say.
    std::vector<const char*> problems;  ///< Planned and emitted for each platform.
    std::vector<const char*> convolutions = {};
    std::vector<const char*> refused = {};  ///< Beyond the library; its reason is given.
    std::vector<Proof> proofs = {};
};

const std::vector<PosterLine>& poster_lines();

/// Asks `plan(platform, line)`, which throws Unsupported, for each of the `platforms`' titles, and `refusal(problem)`
/// for a mark that points to its reason.
struct PosterQuestions {
    std::vector<std::string> platforms;
    std::function<void(std::size_t platform, const PosterLine& line)> plan;
    std::function<std::string(const std::string& problem)> refusal;
};
std::string poster_table(const PosterQuestions& questions);

}  // namespace seiche::cli

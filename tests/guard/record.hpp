// The hashes of the corpus as a file: what is compared, how it is written, and what a difference is called.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/guard/choices.hpp"
#include "tests/guard/texts.hpp"

namespace seiche::guard {

struct Profile {
    std::string name;
    DeviceLimits limits;
};
/// The tool's own profiles and the files in profiles/, by name.
const std::vector<Profile>& profiles();

/// Problems below `wide` are planned for every profile and emitted in each one's dialects; those from there on for one
/// profile each, without text.
inline constexpr std::uint32_t wide = 2000, all = 15000;
inline bool is_wide(std::uint32_t number) { return number < wide; }

/// The profiles that a problem is planned for.
std::vector<const Profile*> profiles_of(std::uint32_t number);

/// One text that is compared.
struct Part {
    std::string name;  ///< "choices", "kernels", or a dialect's name.
    std::string text;
};
/// Of one problem on one profile; a dialect that this build cannot emit has no text.
std::vector<Part> parts_of(const Drawn& drawn, const Profile& profile);

/// What the file says of one problem.
struct Record {
    std::string total;                         ///< 12 digits over all.
    std::map<std::string, std::string> cells;  ///< By profile: 3 digits a part.
    bool is_whole = true;                      ///< Every part had a text.
};
Record record_of(std::uint32_t number);

/// E.g. "h200 (choices, kernels, ptx)"; empty: they agree.
std::string difference(std::uint32_t number, const Record& kept, const Record& now);

using Records = std::map<std::uint32_t, Record>;
/// Throws std::runtime_error that names the line.
Records read_records(const std::string& path);
void write_records(const std::string& path, const Records& records);

}  // namespace seiche::guard

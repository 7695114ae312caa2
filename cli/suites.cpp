// Named lists of problems to time.
#include "cli/suites.hpp"

#include <cstdint>

#include "cli/failure.hpp"

namespace seiche::cli {
namespace {

// Dense, out of place, as many transforms as fill 512 MiB: far beyond any cache.
std::string filling(const std::string& shape, std::uint64_t points, const std::string& precision) {
    constexpr std::uint64_t bytes = std::uint64_t{1} << 29;
    const std::uint64_t batch = bytes / (points * (precision == "f32" ? 8 : 16));
    return shape + " " + precision + " batch=" + std::to_string(batch == 0 ? 1 : batch);
}

std::vector<std::string> powers_of_two(const std::string& precision) {
    const unsigned last = precision == "f32" ? 26 : 25;
    std::vector<std::string> problems;
    for (unsigned log = 6; log <= last; ++log) {
        const std::uint64_t n = std::uint64_t{1} << log;
        problems.push_back(filling(std::to_string(n), n, precision));
    }
    return problems;
}

std::vector<std::string> other_shapes() {
    std::vector<std::string> problems;
    for (const std::uint64_t n : {100u, 1000u, 1536u, 3000u, 3125u, 6561u, 7776u, 100000u, 127u, 1009u, 4093u}) {
        problems.push_back(filling(std::to_string(n), n, "f32"));
    }
    problems.push_back(filling("256x256", 256 * 256, "f32"));
    problems.push_back(filling("1024x1024", 1024 * 1024, "f32"));
    problems.push_back(filling("4096x4096", 4096 * 4096, "f32"));
    problems.push_back(filling("256x256x256", 256 * 256 * 256, "f32"));
    problems.push_back(filling("1024x1024", 1024 * 1024, "f64"));
    return problems;
}

std::vector<std::string> together(std::vector<std::string> problems,
                                  const std::vector<std::vector<std::string>>& more) {
    for (const auto& list : more) problems.insert(problems.end(), list.begin(), list.end());
    return problems;
}

}  // namespace

const std::vector<Suite>& suites() {
    static const std::vector<Suite> all = {
        {"cpu",
         "many short transforms and a long one, for a CPU device",
         {"1024 f32 batch=4096", "4096 f32 batch=1024", "1048576 f32"}},
        {"h200", "512 MiB of each: powers of two to 2^26, other lengths, 2-D and 3-D",
         together(powers_of_two("f32"), {powers_of_two("f64"), other_shapes()})},
        {"h200-f32", "of h200 the powers of two in f32", powers_of_two("f32")},
        {"h200-f64", "of h200 the powers of two in f64", powers_of_two("f64")},
        {"h200-shapes", "of h200 the other lengths, 2-D and 3-D", other_shapes()},
    };
    return all;
}

std::string suite_names() {
    std::string names;
    for (const Suite& suite : suites()) names += (names.empty() ? "" : ", ") + suite.name;
    return names;
}

const Suite& find_suite(const std::string& name) {
    for (const Suite& suite : suites()) {
        if (suite.name == name) return suite;
    }
    throw UsageError("no suite '" + name + "', expected one of: " + suite_names());
}

}  // namespace seiche::cli

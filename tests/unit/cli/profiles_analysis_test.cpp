// Plans for the shipped device profiles, judged by the analyser: no race, nothing out of bounds, powers of two without
// bank conflicts and in whole sectors, and never more values alive than a thread has registers.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "cli/io/device_profile.hpp"
#include "seiche/inspect.hpp"
#include "seiche/problem.hpp"

namespace seiche::cli {
namespace {

std::vector<std::string> profile_files() {
    std::vector<std::string> files;
    for (const auto& file : std::filesystem::directory_iterator(SEICHE_PROFILES)) files.push_back(file.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

class Profiles : public testing::TestWithParam<std::string> {
protected:
    const DeviceLimits limits = io::read_device_profile(GetParam()).limits;

    /// The reports of a plan, after what holds for every one of them.
    std::vector<AnalysisReport> judged(const std::string& text) const {
        const Problem problem = parse_problem(text);
        const PlanReport plan = inspect(problem, limits);
        for (const KernelReport& kernel : plan.kernels) {
            EXPECT_LE(kernel.group_size, limits.max_group_size) << text;
            EXPECT_LE(kernel.shared_bytes, limits.shared_bytes) << text;
        }
        const std::vector<AnalysisReport> reports = analyse(problem, limits);
        for (const AnalysisReport& r : reports) {
            SCOPED_TRACE(text + ", " + r.kernel + (r.findings.empty() ? "" : ": " + r.findings.front()));
            EXPECT_EQ(r.out_of_bounds, 0u);
            EXPECT_EQ(r.uninitialised_reads, 0u);
            EXPECT_EQ(r.races, 0u);
            EXPECT_LE(r.registers_live, limits.registers_per_thread);
        }
        return reports;
    }
};

/// In one pass and in two.
TEST_P(Profiles, powers_of_two_have_no_conflict_and_whole_sectors) {
    for (const char* text : {"64 batch=64", "256 batch=16", "1024 batch=4", "4096", "32768"}) {
        for (const AnalysisReport& r : judged(text)) {
            EXPECT_EQ(r.shared_wavefronts, r.shared_wavefronts_ideal) << text;
            EXPECT_EQ(r.sectors, r.sectors_ideal) << text;
        }
    }
}

/// Small primes, Rader, Bluestein, real axes, cosines, two axes, halves.
TEST_P(Profiles, other_lengths_and_kinds_are_correct_and_fit_the_registers) {
    for (const char* text : {"1000 batch=2", "127 batch=4", "254 batch=2", "512 r2c batch=4", "100 dct2 batch=2",
                             "48x40", "256 f16 batch=16"})
        judged(text);
    if (limits.fp64)
        for (const char* text : {"256 f64 batch=8", "100 f64 r2c batch=2"}) judged(text);
}

INSTANTIATE_TEST_SUITE_P(shipped, Profiles, testing::ValuesIn(profile_files()), [](const auto& info) {
    std::string name = std::filesystem::path(info.param).stem().string();
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

}  // namespace
}  // namespace seiche::cli

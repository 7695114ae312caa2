// Values that no device and no problem can have are refused by name, before anything multiplies them.
#include "problem/bounds.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "problem/convolution.hpp"
#include "seiche/error.hpp"

namespace seiche::test {
namespace {

template <class Work>
std::string refusal(const Work& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return "taken";
}

std::string verdict_on_tuning(const std::function<void(Tuning&)>& change) {
    Tuning tuning;
    change(tuning);
    return refusal([&] { problem::check_tuning(tuning); });
}

std::string verdict_on_limits(const std::function<void(DeviceLimits&)>& change) {
    DeviceLimits limits;
    change(limits);
    return refusal([&] { problem::check_limits(limits); });
}

std::string verdict_on_size(const std::string& text) {
    return refusal([&] { problem::check_size(problem::normalise(parse_problem(text))); });
}

std::string verdict_on_convolution(const std::string& text) {
    return refusal([&] { problem::check_size(problem::normalise(parse_convolution(text))); });
}

TEST(Bounds, TuningsInRangeAreTaken) {
    EXPECT_EQ(verdict_on_tuning([](Tuning&) {}), "taken");
    EXPECT_EQ(verdict_on_tuning([](Tuning& t) {
                  t.radices = {64, 64, 64};
                  t.passes = {4294967295, 4294967295};
                  t.algorithm = Algorithm::bluestein;
                  t.padded_length = 1u << 30;
                  t.threads_per_transform = t.transforms_per_group = 256;
                  t.groups_per_cluster = 64;
                  t.buffer_bytes = 256;
                  t.twiddles = TwiddleMethod::recurrence;
              }),
              "taken");
}

TEST(Bounds, TuningsOutOfRangeAreRefusedByName) {
    const auto says = [](const std::string& expected, const std::function<void(Tuning&)>& change) {
        EXPECT_EQ(verdict_on_tuning(change), "InvalidProblem: " + expected);
    };
    says("tuning.threads_per_transform: expected at most 65536, got 2147483648",
         [](Tuning& t) { t.threads_per_transform = 2147483648; });
    says("tuning.transforms_per_group: expected at most 65536, got 65537",
         [](Tuning& t) { t.transforms_per_group = 65537; });
    says(
        "tuning.threads_per_transform and transforms_per_group: expected at most 65536 threads in a group, got 65536 "
        "x 65536",
        [](Tuning& t) { t.threads_per_transform = t.transforms_per_group = 65536; });
    says("tuning.groups_per_cluster: expected at most 64, got 65536", [](Tuning& t) { t.groups_per_cluster = 65536; });
    says("tuning.vector_lanes: expected at most 256, got 4294967295", [](Tuning& t) { t.vector_lanes = 4294967295; });
    says("tuning.padded_length: expected at most 1099511627776, got 9223372036854775808",
         [](Tuning& t) { t.padded_length = 1ull << 63; });
    says("tuning.buffer_bytes: expected at most 72057594037927936, got 9223372036854775808",
         [](Tuning& t) { t.buffer_bytes = 1ull << 63; });
    says("tuning.radices: expected from 1 to 4294967295, got 0", [](Tuning& t) { t.radices = {4, 0}; });
    says("tuning.radices: expected numbers whose product is below 2^64, got 65536x65536x65536x65536", [](Tuning& t) {
        t.radices = {65536, 65536, 65536, 65536};
    });
    says("tuning.radices: expected at most 64 numbers, got 65", [](Tuning& t) { t.radices.assign(65, 1); });
    says("tuning.passes: expected from 1 to 1099511627776, got 4398046511104",
         [](Tuning& t) { t.passes = {1ull << 42}; });
    says("tuning.passes: expected from 2 to 1099511627776, got 1", [](Tuning& t) { t.passes = {3256, 1}; });
    says("tuning.algorithm: expected at most 3, got 200", [](Tuning& t) { t.algorithm = static_cast<Algorithm>(200); });
    says("tuning.twiddles: expected at most 4, got 99", [](Tuning& t) { t.twiddles = static_cast<TwiddleMethod>(99); });
    says("tuning.recipe: expected a name of at most 200 characters, got 201",
         [](Tuning& t) { t.recipe = std::string(201, 'a'); });
}

TEST(Bounds, LimitsOutOfRangeAreRefusedByName) {
    EXPECT_EQ(verdict_on_limits([](DeviceLimits&) {}), "taken");
    const auto says = [](const std::string& expected, const std::function<void(DeviceLimits&)>& change) {
        EXPECT_EQ(verdict_on_limits(change), "InvalidProblem: limits of the device: " + expected);
    };
    says("subgroup_size: expected from 1 to 256, got 0", [](DeviceLimits& l) { l.subgroup_size = 0; });
    says("vector_bytes: expected from 4 to 4096, got 0", [](DeviceLimits& l) { l.vector_bytes = 0; });
    says("max_group_size: expected from 1 to 1048576, got 0", [](DeviceLimits& l) { l.max_group_size = 0; });
    says("shared_bytes: expected at most 1073741824, got 4294967295",
         [](DeviceLimits& l) { l.shared_bytes = 4294967295; });
    says("registers_per_thread: expected from 1 to 65536, got 0", [](DeviceLimits& l) { l.registers_per_thread = 0; });
    says("compute_units: expected from 1 to 1048576, got 0", [](DeviceLimits& l) { l.compute_units = 0; });
    says("max_cluster_size: expected at most 64, got 65", [](DeviceLimits& l) { l.max_cluster_size = 65; });
    says("sector_bytes: expected from 1 to 65536, got 0", [](DeviceLimits& l) { l.sector_bytes = 0; });
    says("shared_banks: expected from 1 to 65536, got 0", [](DeviceLimits& l) { l.shared_banks = 0; });
    says("vectors: expected at most 2, got 7", [](DeviceLimits& l) { l.vectors = static_cast<Vectors>(7); });
}

TEST(Bounds, ArraysBeyondAnyAddressAreUnsupported) {
    EXPECT_EQ(verdict_on_size("35184372088832"), "taken");
    EXPECT_EQ(verdict_on_size("35184372088833"),
              "Unsupported: input: expected at most 2^48 bytes, which the addresses of a device reach, got "
              "281474976710664");
    EXPECT_EQ(verdict_on_size("64 odist=34359738368 batch=2000"),
              "Unsupported: output: expected at most 2^48 bytes, which the addresses of a device reach, got "
              "549480935981568");
    EXPECT_EQ(verdict_on_convolution("1073741824x4096 * 3x3 same"), "taken");
    const std::string beyond =
        "Unsupported: signal, kernel, channels and batch: expected spectra of at most 2^48 bytes, which the addresses "
        "of a device reach, got more";
    EXPECT_EQ(verdict_on_convolution("1073741824x262144 * 3x3 same"), beyond);
    EXPECT_EQ(verdict_on_convolution("64 * 5 outputs=4294967295 batch=18446744073709551615"), beyond);
    EXPECT_EQ(verdict_on_convolution("64 * 5 inputs=4294967295 outputs=4294967295 channels=diagonal batch=99999"),
              beyond);
}

}  // namespace
}  // namespace seiche::test

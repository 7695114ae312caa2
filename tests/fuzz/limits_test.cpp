// Limits of devices, from damaged profiles and as a program may set them.
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/io/device_profile.hpp"
#include "seiche/inspect.hpp"
#include "seiche/wisdom.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/unit/cli/temporary.hpp"

namespace seiche::fuzz {
namespace {

constexpr unsigned problem_bits = 18;

const std::vector<std::string>& profile_texts() {
    static const std::vector<std::string> texts = [] {
        std::vector<std::string> all;
        for (const auto& file : std::filesystem::directory_iterator(SEICHE_PROFILES))
            all.push_back(cli::read_all(file.path().string()));
        std::sort(all.begin(), all.end());
        return all;
    }();
    return texts;
}

const std::vector<std::string> profile_words{"\"limits\":{",
                                             "\"vectors\":\"explicit-simd\",",
                                             "\"fp64\":false,",
                                             "\"max_group_size\":64,",
                                             "\"sector_bytes\":16,",
                                             "null",
                                             "[]",
                                             "-1"};

void plan_something(Case& input, const std::string& device, const DeviceLimits& limits) {
    Random& random = input.random;
    const std::string text = problem_text(random, problem_bits);
    const std::string tuning = random.once_in(3) ? tuning_text(random) : "";
    input.is("'" + text + "' with '" + tuning + "' for " + device);
    inspect(parse_problem(text), limits, parse_tuning(tuning));
}

TEST(Fuzz, DeviceProfiles) {
    const cli::TemporaryFolder folder;
    run("device profiles", {20000}, [&](Case& input) {
        Random& random = input.random;
        const std::string text = mutated_text(random.of(profile_texts()), random, profile_words, 64 * 1024);
        input.is(text);
        const DeviceLimits limits = cli::io::read_device_profile(folder.write("profile.json", text)).limits;
        plan_something(input, text, limits);
    });
}

/// Mostly what a device may have, at times what none has.
template <class Number>
void set(Number& number, Random& random, unsigned least_bits, unsigned most_bits, std::string& text) {
    if (random.once_in(3)) return;
    number = static_cast<Number>(random.once_in(30)   ? random.bits()
                                 : random.once_in(30) ? 0
                                                      : random.number(most_bits - least_bits) << least_bits);
    text += " " + std::to_string(number);
}

TEST(Fuzz, DeviceLimits) {
    run("device limits", {40000}, [&](Case& input) {
        Random& random = input.random;
        DeviceLimits limits = random.of(all_limits()).limits;
        std::string text = "limits";
        const auto field = [&](const char* name, auto& number, unsigned least_bits, unsigned most_bits) {
            text += std::string(" ") + name;
            set(number, random, least_bits, most_bits, text);
        };
        limits.vectors = static_cast<Vectors>(random.below(random.once_in(20) ? 300 : 3));
        text += " vectors " + std::to_string(static_cast<int>(limits.vectors));
        field("subgroup", limits.subgroup_size, 0, 7);
        field("vector", limits.vector_bytes, 2, 9);
        field("group", limits.max_group_size, 0, 13);
        field("shared", limits.shared_bytes, 6, 21);
        field("shared of unit", limits.shared_bytes_per_unit, 6, 21);
        field("registers", limits.registers_per_thread, 3, 11);
        field("units", limits.compute_units, 0, 12);
        field("cluster", limits.max_cluster_size, 0, 5);
        field("buffer", limits.max_buffer_bytes, 6, 40);
        field("addressed", limits.max_addressed_bytes, 6, 40);
        field("allocation", limits.max_allocation_bytes, 6, 40);
        field("memory", limits.memory_bytes, 16, 48);
        field("bandwidth", limits.memory_bytes_per_second, 20, 48);
        field("cache", limits.cache_bytes, 8, 40);
        field("cache of unit", limits.unit_cache_bytes, 0, 40);
        field("sector", limits.sector_bytes, 0, 9);
        field("banks", limits.shared_banks, 0, 8);
        for (bool* flag :
             {&limits.fp64, &limits.exact_fp64, &limits.fp16_storage, &limits.fp16_arithmetic, &limits.fast_fma,
              &limits.waits_for_groups, &limits.bounds_registers, &limits.fixed_subgroups, &limits.part_barriers})
            *flag = !random.once_in(3);
        plan_something(input, text, limits);
    });
}

}  // namespace
}  // namespace seiche::fuzz

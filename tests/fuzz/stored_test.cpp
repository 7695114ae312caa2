// What is kept between processes: wisdom, saved plans, packs, entries of the cache.
#include <gtest/gtest.h>

#include "exec/saved_plan.hpp"
#include "runtime/cache.hpp"
#include "runtime/pack.hpp"
#include "seiche/inspect.hpp"
#include "seiche/plan.hpp"
#include "seiche/wisdom.hpp"
#include "support/hash.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/unit/cli/temporary.hpp"

namespace seiche::fuzz {
namespace {

std::string text_of(const std::vector<std::byte>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<std::byte> bytes_of(const std::string& text) {
    const auto* begin = reinterpret_cast<const std::byte*>(text.data());
    return {begin, begin + text.size()};
}

const std::vector<std::string> wisdom_words{
    "device ", "version ", " | ", "untuned", " ms", "threads=", "batch=", "passes=8x8", "\n", "\r\n", "# "};

TEST(Fuzz, Wisdom) {
    const DeviceInfo device = Device::open("reference").info();
    run("wisdom", {40000}, [&](Case& input) {
        Random& random = input.random;
        Wisdom good;
        for (std::uint64_t entries = random.below(4); entries > 0; --entries) {
            WisdomEntry entry;
            entry.device = random.once_in(2) ? device.description : "a card";
            entry.version = "0.1.0";
            try {
                entry.problem = to_string(parse_problem(problem_text(random, 20)));
                entry.tuning = parse_tuning(tuning_text(random));
            } catch (const std::exception&) {
                continue;
            }
            entry.milliseconds = 0.25;
            entry.untuned_milliseconds = 1;
            good.set(entry);
        }
        if (Wisdom::parse(good.text()).text() != good.text()) input.fail("another text comes back");
        const std::string text = mutated_text(good.text(), random, wisdom_words, 4000);
        input.is(text);
        const Wisdom wisdom = Wisdom::parse(text);
        const Problem problem = parse_problem("64 batch=" + std::to_string(random.number(10)));
        wisdom.find(device, problem);
        if (Wisdom::parse(wisdom.text()).entries().size() != wisdom.entries().size()) input.fail("entries are lost");
    });
}

/// With a checksum that fits, as a forger would do it: 32 digits at the end.
std::string with_sum(std::string text) {
    constexpr std::size_t digits = 32;
    if (text.size() < digits) return text;
    text.resize(text.size() - digits);
    return text + support::Hasher().bytes(bytes_of(text)).hex();
}

TEST(Fuzz, SavedPlans) {
    const Device device = Device::open("reference");
    const std::string good[] = {text_of(Plan(device, parse_problem("12x8 r2c f32 batch=3")).save()),
                                text_of(Plan(device, parse_problem("64 c2c f64 in-place")).save())};
    run("saved plans", {40000}, [&](Case& input) {
        Random& random = input.random;
        const bool is_forged = random.once_in(2);
        const std::string text =
            is_forged ? with_sum(mutated(good[random.below(2)], random)) : mutated(good[random.below(2)], random);
        input.is(text);
        if (!is_forged) {
            Plan::load(device, bytes_of(text));
            return;
        }
        // What it asks for is planned, not built, since that may be large.
        const exec::SavedPlan saved = exec::read_saved_plan(bytes_of(text));
        inspect(saved.problem, random.of(all_limits()).limits, saved.options.tuning);
    });
}

TEST(Fuzz, Packs) {
    const cli::TemporaryFolder folder;
    const std::string first(32, '0'), second(32, 'f');
    const std::string good = text_of(runtime::pack_bytes(
        {{first, {std::byte{1}, std::byte{2}}}, {second, std::vector<std::byte>(300, std::byte{7})}}));
    run("packs", {20000}, [&](Case& input) {
        const std::string text = mutated(good, input.random);
        input.is(text);
        const runtime::Pack pack(folder.write("kernels.pack", text));
        for (const std::string& key : {first, second})
            if (const auto found = pack.find(key); found && found->size() != (key == first ? 2u : 300u))
                input.fail("a kernel of another length");
    });
}

TEST(Fuzz, CacheEntries) {
    const cli::TemporaryFolder folder;
    const std::string key(32, 'a');
    const std::vector<std::byte> kernel(200, std::byte{5});
    const std::string path = folder.file(key + ".kernel");
    const std::filesystem::path place = std::filesystem::path(path).parent_path();
    ASSERT_TRUE(runtime::write_entry(place, key, kernel));
    const std::string good = cli::read_all(path);
    run("cache entries", {20000}, [&](Case& input) {
        const std::string text = mutated(good, input.random);
        input.is(text);
        folder.write(key + ".kernel", text);
        if (const auto found = runtime::read_entry(place, key); found && *found != kernel)
            input.fail("another kernel comes back");
    });
}

}  // namespace
}  // namespace seiche::fuzz

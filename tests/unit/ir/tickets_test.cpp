// Groups of one launch that wait for each other in the order of their tickets: what the interpreter makes of them, and
// which races the analyser sees where something is left out.
#include <gtest/gtest.h>

#include "ir/analyse.hpp"
#include "seiche/error.hpp"
#include "small_kernels.hpp"

namespace seiche::ir::test {
namespace {

constexpr std::uint32_t threads = 8, parts = 6, levels = 7;

struct Care {
    bool takes_tickets = true, waits = true, signals = true;
};

/// Row l + 1 of `data` has for each part the numbers of row l, its own and those of the part behind it, added up. A
/// group makes one part of one row, by its ticket.
Kernel rows(const Care& care) {
    Builder b("rows");
    b.kernel().launch.group = {4, threads / 4, 1};
    const auto counters = both(b, "counters", Scalar::u32), data = both(b, "data", Scalar::u32);
    const Value ticket = care.takes_tickets ? b.take_ticket(counters, u64(b, parts)) : b.group_id();
    const Value level = ticket / parts, own = ticket % std::uint64_t{parts}, next = (own + 1_u) % std::uint64_t{parts};
    if (care.waits) {
        b.wait_until(counters, wide(own), level);
        b.wait_until(counters, wide(next), level);
    }
    const Value t = b.thread_id(1) * 4_u + b.thread_id(0), back = u32(b, threads - 1) - t;
    const auto place = [&](Value row, Value part, Value at) {
        return wide((row * std::uint64_t{parts} + part) * std::uint64_t{threads} + at);
    };
    const Value sum = b.global_load(data, place(level, own, back), Scalar::u32) +
                      b.global_load(data, place(level, next, t), Scalar::u32);
    b.global_store(data, place(level + 1_u, own, t), sum);
    if (care.signals) b.signal(counters, wide(own));
    Kernel kernel = b.finish();
    verify(kernel);
    return kernel;
}

struct Memory {
    std::vector<std::uint32_t> counters = std::vector<std::uint32_t>(parts + 1);
    std::vector<std::uint32_t> data = std::vector<std::uint32_t>((levels + 1) * parts * threads);
    Memory() {
        for (std::uint32_t k = 0; k < parts * threads; ++k) data[k] = 3 * k + 1;
    }
    Launch launch() { return launch_of({bound(counters), bound(data)}, levels * parts); }
};

TEST(tickets, give_the_rows_whatever_the_order_of_the_groups) {
    Memory want;
    for (std::uint32_t l = 0; l < levels; ++l)
        for (std::uint32_t p = 0; p < parts; ++p)
            for (std::uint32_t t = 0; t < threads; ++t)
                want.data[((l + 1) * parts + p) * threads + t] =
                    want.data[(l * parts + p) * threads + threads - 1 - t] +
                    want.data[(l * parts + (p + 1) % parts) * threads + t];
    const Kernel kernel = rows({});
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        Memory memory;
        InterpretOptions options;
        options.seed = seed;
        options.resident = seed % 2 == 1 ? 1 : 5;  // with tickets one group under way is enough
        interpret(kernel, memory.launch(), options);
        EXPECT_EQ(memory.data, want.data) << "seed " << seed;
        for (std::uint32_t p = 0; p < parts; ++p) EXPECT_EQ(memory.counters[p], levels);
        EXPECT_EQ(memory.counters[parts], levels * parts);
    }
}

TEST(tickets, are_what_keeps_few_groups_from_waiting_for_ever) {
    Memory memory;
    InterpretOptions options;
    options.resident = 1;
    try {
        interpret(rows({.takes_tickets = false}), memory.launch(), options);
        FAIL() << "by their ids the groups of this order wait for ever";
    } catch (const InternalError& error) {
        EXPECT_NE(std::string(error.what()).find("deadlock"), std::string::npos) << error.what();
    }
}

TEST(tickets, leave_no_race_and_what_is_left_out_does) {
    const auto run = [](const Care& care) {
        Memory memory;
        InterpretOptions options;
        options.resident = 4;
        return analyse(rows(care), memory.launch(), {}, options);
    };
    const Analysis sound = run({});
    EXPECT_EQ(sound.global_races + sound.shared_races + sound.uninitialised_reads + sound.out_of_bounds, 0u)
        << (sound.findings.empty() ? "" : sound.findings.front());
    EXPECT_EQ(sound.waits, 2u * levels * parts);
    EXPECT_EQ(sound.barriers, 2u * levels * parts) << "one for the ticket, one before the counter";
    EXPECT_GT(run({.waits = false}).global_races, 0u);
    EXPECT_GT(run({.waits = false, .signals = false}).global_races, 0u);
}

/// After a wait all threads of the group may read what other threads of the group wrote before it.
TEST(tickets, a_wait_is_a_barrier_of_its_group) {
    for (const bool waits : {true, false}) {
        Builder b("meet");
        b.kernel().launch.group = {threads, 1, 1};
        const auto counters = both(b, "counters", Scalar::u32), out = output(b, "out", Scalar::u32);
        const auto tile = b.shared_array("tile", Scalar::u32, threads);
        b.shared_store(tile, b.thread_id(), b.thread_id());
        if (waits) b.wait_until(counters, u64(b, 0), u32(b, 0));
        const Value got = b.shared_load(tile, u32(b, threads - 1) - b.thread_id(), Scalar::u32);
        b.global_store(out, wide(b.thread_id()), got);
        std::vector<std::uint32_t> counter(1), to(threads);
        EXPECT_EQ(analyse(b.finish(), launch_of({bound(counter), bound(to)})).shared_races > 0, !waits);
    }
}

}  // namespace
}  // namespace seiche::ir::test

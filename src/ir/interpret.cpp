// The interpreter's run loop and its schedule of groups over host threads.
#include "ir/interpret.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <thread>
#include <utility>

#include "ir/interpret_values.hpp"
#include "seiche/error.hpp"

namespace seiche::ir {

std::string step_name(const Step& s) { return std::string(op_name(s.instruction->op)) + " %" + std::to_string(s.id); }

std::string thread_name(const Frame& f, std::uint32_t thread) {
    return "thread " + std::to_string(thread) + " of group (" + std::to_string(f.group[0]) + ", " +
           std::to_string(f.group[1]) + ", " + std::to_string(f.group[2]) + ")";
}

void fail(const Frame& f, const Step& s, const std::string& what) {
    throw InternalError("kernel '" + f.program->kernel.name + "', " + step_name(s) + ": " + what);
}

void fail_bounds(const Frame& f, const Step& s, std::uint32_t thread, const std::string& what, std::uint64_t index,
                 std::uint64_t limit) {
    fail(f, s,
         thread_name(f, thread) + " reaches element " + std::to_string(index) + " of " + what +
             ", expected less than " + std::to_string(limit));
}

void check_launch(const Kernel& kernel, const Launch& launch) {
    const auto expect = [&kernel](bool ok, const std::string& what, std::uint64_t expected, std::uint64_t got) {
        if (ok) return;
        throw InternalError("kernel '" + kernel.name + "' launched with " + std::to_string(got) + " " + what +
                            ", expected " + std::to_string(expected));
    };
    const auto count = [&](const std::string& what, std::size_t expected, std::size_t got) {
        expect(expected == got, what, expected, got);
    };
    count("buffers", kernel.buffers.size(), launch.buffers.size());
    count("scalars", kernel.scalars.size(), launch.scalars.size());
    count("images", kernel.images.size(), launch.images.size());
    for (unsigned d = 0; d < 3; ++d) {
        expect(launch.groups[d] % kernel.launch.cluster[d] == 0,
               "groups along dimension " + std::to_string(d) + ", not whole clusters", kernel.launch.cluster[d],
               launch.groups[d]);
    }
}

namespace {

enum class Stop { finished, cluster_barrier, waiting };

/// 64-byte aligned bytes.
class Store {
public:
    explicit Store(std::uint64_t bytes) : data_(static_cast<std::byte*>(::operator new(bytes + 64, alignment))) {}
    ~Store() { ::operator delete(data_, alignment); }
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;
    std::byte* data() const { return data_; }

private:
    static constexpr std::align_val_t alignment{64};
    std::byte* data_;
};

void set_counter(Frame& f, const Step& s, std::uint32_t value) {
    std::fill_n(f.result<std::uint32_t>(s), s.threads, value);
}

void begin_loop(Frame& f, const Step& s) {
    LoopState& loop = f.loops[s.depth];
    loop = {*f.operand<std::uint32_t>(s, 0), *f.operand<std::uint32_t>(s, 1), *f.operand<std::uint32_t>(s, 2)};
    if (loop.counter >= loop.end) {
        f.pc = s.target;
        return;
    }
    if (loop.step == 0) fail(f, s, "has a step of 0");
    set_counter(f, s, loop.counter);
    ++f.pc;
}

void end_loop(Frame& f, const Step& s) {
    LoopState& loop = f.loops[s.depth];
    if (loop.end - loop.counter <= loop.step) {  // the next value would be the end or beyond, or wrap
        ++f.pc;
        return;
    }
    loop.counter += loop.step;
    set_counter(f, s, loop.counter);
    f.pc = s.target;
}

bool may_pass(Frame& f, const Step& s) {
    const Instruction& i = *s.instruction;
    const Window window = global_window(f, i.symbol);
    const std::uint64_t index = *f.operand<std::uint64_t>(s, 0), limit = window.limit(1);
    const Scalar scalar = f.program->kernel.buffers[i.symbol].element.scalar;
    if (index >= limit) fail_bounds(f, s, 0, "buffer '" + f.program->kernel.buffers[i.symbol].name + "'", index, limit);
    const std::byte* at = window.data + index * window.stride * scalar_bytes(scalar);
    if (scalar == Scalar::u64) return Memory<Scalar::u64>::get(at) >= *f.operand<std::uint64_t>(s, 1);
    return Memory<Scalar::u32>::get(at) >= *f.operand<std::uint32_t>(s, 1);
}

/// On a device other bytes than are waited for would be waited for without end.
void check_arrivals(Frame& f, const Step& s) {
    const std::uint64_t arrived = std::exchange(f.arrived, 0);
    if (arrived != s.instruction->immediate)
        fail(f, s,
             "waits for " + std::to_string(s.instruction->immediate) + " bytes, and " + std::to_string(arrived) +
                 " were stored by the groups of its cluster");
}

/// Runs a group until it is finished or cannot go on by itself.
Stop run(Frame& f) {
    const Step* steps = f.program->body.data();
    const std::uint32_t count = static_cast<std::uint32_t>(f.program->body.size());
    while (f.pc < count) {
        const Step& s = steps[f.pc];
        if (f.executed != nullptr) ++f.executed[f.pc];
        switch (s.flow) {
            case Flow::next:
                s.action(f, s);
                ++f.pc;
                break;
            case Flow::loop_begin: begin_loop(f, s); break;
            case Flow::loop_end: end_loop(f, s); break;
            case Flow::if_begin: f.pc = *f.operand<std::uint8_t>(s, 0) ? f.pc + 1 : s.target; break;
            case Flow::if_else: f.pc = s.target; break;
            case Flow::cluster_barrier:
                if (s.instruction->op == Op::cluster_ready && f.arrived != 0)
                    fail(f, s, std::to_string(f.arrived) + " bytes were stored here that nobody waited for");
                if (s.action != nullptr) s.action(f, s);
                ++f.pc;
                return Stop::cluster_barrier;
            case Flow::cluster_arrivals:  // first as a barrier, behind which all that comes has come
                if (!f.has_met) {
                    f.has_met = true;
                    return Stop::cluster_barrier;
                }
                f.has_met = false;
                check_arrivals(f, s);
                if (s.action != nullptr) s.action(f, s);
                ++f.pc;
                break;
            case Flow::wait_until:
                if (!may_pass(f, s)) return Stop::waiting;
                if (s.action != nullptr) s.action(f, s);
                ++f.pc;
                break;
        }
    }
    return Stop::finished;
}

std::array<std::uint32_t, 3> coordinates(std::uint64_t number, const std::array<std::uint32_t, 3>& extent) {
    return {static_cast<std::uint32_t>(number % extent[0]), static_cast<std::uint32_t>(number / extent[0] % extent[1]),
            static_cast<std::uint32_t>(number / extent[0] / extent[1])};
}

/// What is scheduled: the groups of one cluster, or a lone group. Made once, then used for one cluster after the other.
class Unit {
public:
    Unit(const Program& program, const Launch& launch, const InterpretOptions& options, const Observer& observer) {
        const std::uint64_t shared_at = program.register_bytes,
                            private_at = shared_at + (program.shared_bytes + 63) / 64 * 64;
        for (std::uint32_t rank = 0; rank < program.cluster_size; ++rank) {
            stores_.push_back(std::make_unique<Store>(private_at + program.private_bytes));
            frames_.push_back(std::make_unique<Frame>());
            pointers_.push_back(frames_.back().get());
        }
        for (std::uint32_t rank = 0; rank < program.cluster_size; ++rank) {
            Frame& f = *frames_[rank];
            f.program = &program;
            f.launch = &launch;
            f.cluster = pointers_.data();
            f.registers = stores_[rank]->data();
            f.shared = f.registers + shared_at;
            f.privates = f.registers + private_at;
            f.rank = rank;
            f.async_early = options.async_early;
            f.analyser = observer.analyser;
            f.executed = observer.executed;
            f.loops.resize(program.loop_depth);
            for (const Step& s : program.prologue) s.action(f, s);
        }
        stops_.resize(program.cluster_size);
    }

    /// The unit of this number begins.
    void begin(std::uint64_t number) {
        const Program& program = *frames_[0]->program;
        const auto& groups = frames_[0]->launch->groups;
        const auto& cluster = program.kernel.launch.cluster;
        const auto at = coordinates(number, {groups[0] / cluster[0], groups[1] / cluster[1], groups[2] / cluster[2]});
        for (std::uint32_t rank = 0; rank < frames_.size(); ++rank) {
            Frame& f = *frames_[rank];
            const auto inner = coordinates(rank, cluster);
            for (unsigned d = 0; d < 3; ++d) f.group[d] = at[d] * cluster[d] + inner[d];
            f.group_number =
                f.group[0] + std::uint64_t{groups[0]} * (f.group[1] + std::uint64_t{groups[1]} * f.group[2]);
            f.pc = 0;
            f.passed = {};
            f.batches = 0;
            f.arrived = 0;
            f.has_met = false;
            f.copies.clear();
            f.written_ones.clear();
            std::memset(f.shared, 0xff, program.shared_bytes);
            std::memset(f.privates, 0xff, program.private_bytes);
            if (program.hooks != nullptr) program.hooks->begin_group(f);
            stops_[rank] = Stop::cluster_barrier;
        }
        all_arrived_ = true;
    }

    /// Goes as far as it can. True if anything moved.
    bool advance() {
        bool moved = false;
        for (bool again = true; again;) {
            again = false;
            for (std::size_t rank = 0; rank < frames_.size(); ++rank) {
                if (stops_[rank] == Stop::finished || (stops_[rank] == Stop::cluster_barrier && !all_arrived_))
                    continue;
                Frame& f = *frames_[rank];
                const std::uint32_t before = f.pc;
                stops_[rank] = run(f);
                moved |= f.pc != before || stops_[rank] != Stop::waiting;
            }
            all_arrived_ = std::none_of(stops_.begin(), stops_.end(), [](Stop s) { return s == Stop::waiting; });
            const bool some_at_barrier = has(Stop::cluster_barrier);
            if (all_arrived_ && some_at_barrier && has(Stop::finished))
                throw_stuck("a cluster barrier that another group of its cluster has ended without");
            again = all_arrived_ && some_at_barrier;
        }
        return moved;
    }

    bool finished() const {
        return std::all_of(stops_.begin(), stops_.end(), [](Stop s) { return s == Stop::finished; });
    }

    [[noreturn]] void throw_stuck(const std::string& where) const {
        const auto stuck = std::find_if(stops_.begin(), stops_.end(), [](Stop s) { return s != Stop::finished; });
        const Frame& f = *frames_[static_cast<std::size_t>(stuck - stops_.begin())];
        const std::uint32_t at = *stuck == Stop::waiting ? f.pc : f.pc - 1;
        fail(f, f.program->body[at],
             "deadlock: group (" + std::to_string(f.group[0]) + ", " + std::to_string(f.group[1]) + ", " +
                 std::to_string(f.group[2]) + ") waits at " + where);
    }

    const std::vector<std::unique_ptr<Frame>>& frames() const { return frames_; }

private:
    bool has(Stop stop) const { return std::find(stops_.begin(), stops_.end(), stop) != stops_.end(); }

    std::vector<std::unique_ptr<Store>> stores_;
    std::vector<std::unique_ptr<Frame>> frames_;
    std::vector<Frame*> pointers_;
    std::vector<Stop> stops_;
    bool all_arrived_ = true;
};

std::uint64_t mixed(std::uint64_t& state) {
    std::uint64_t z = state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

/// The order of the units: a seeded shuffle.
std::vector<std::uint64_t> unit_order(std::uint64_t count, std::uint64_t seed) {
    std::vector<std::uint64_t> order(count);
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    for (std::uint64_t k = count; k > 1; --k) std::swap(order[k - 1], order[mixed(seed) % k]);
    return order;
}

std::uint64_t unit_count(const Program& program, const Launch& launch) {
    return std::uint64_t{launch.groups[0]} * launch.groups[1] * launch.groups[2] / program.cluster_size;
}

/// Units that wait for others: several under way at once, in turn, on one host thread.
void run_waiting(const Program& program, const Launch& launch, const InterpretOptions& options,
                 const Observer& observer) {
    const std::vector<std::uint64_t> order = unit_order(unit_count(program, launch), options.seed);
    const std::size_t most = program.kernel.launch.cooperative ? order.size() : std::max(1u, options.resident);
    std::vector<std::unique_ptr<Unit>> resident, spare;
    std::size_t next = 0;
    while (next < order.size() || !resident.empty()) {
        bool moved = false;
        while (next < order.size() && resident.size() < most) {
            if (spare.empty()) spare.push_back(std::make_unique<Unit>(program, launch, options, observer));
            resident.push_back(std::move(spare.back()));
            spare.pop_back();
            resident.back()->begin(order[next++]);
            moved = true;
            resident.back()->advance();
            if (resident.back()->finished()) {
                spare.push_back(std::move(resident.back()));
                resident.pop_back();
            }
        }
        for (auto& unit : resident) {
            moved |= unit->advance();
            if (unit->finished()) spare.push_back(std::move(unit));
        }
        std::erase(resident, nullptr);
        if (!moved) {
            resident.front()->throw_stuck("a wait_until that no group under way will satisfy (" +
                                          std::to_string(resident.size()) + " under way, " +
                                          std::to_string(order.size() - next) + " not begun)");
        }
    }
}

/// Units that need nobody: dealt out to host threads.
void run_independent(const Program& program, const Launch& launch, const InterpretOptions& options,
                     const Observer& observer) {
    const std::vector<std::uint64_t> order = unit_order(unit_count(program, launch), options.seed);
    std::atomic<std::size_t> next{0};
    std::exception_ptr error;
    std::mutex error_mutex;
    const auto work = [&] {
        try {
            Unit unit(program, launch, options, observer);
            for (std::size_t k = next++; k < order.size(); k = next++) {
                unit.begin(order[k]);
                unit.advance();
            }
        } catch (...) {
            next = order.size();
            const std::lock_guard lock(error_mutex);
            if (!error) error = std::current_exception();
        }
    };
    // A thread costs as much as about this many scalar operations.
    constexpr std::uint64_t worthwhile = 200000;
    const std::uint64_t operations = order.size() * program.cluster_size * program.body.size() * program.threads;
    const std::uint64_t wanted =
        options.threads != 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
    const std::uint64_t threads =
        observer.analyser != nullptr ? 1 : std::min({wanted, std::uint64_t{order.size()}, 1 + operations / worthwhile});
    std::vector<std::thread> helpers;
    for (std::uint64_t k = 1; k < threads; ++k) helpers.emplace_back(work);
    work();
    for (std::thread& helper : helpers) helper.join();
    if (error) std::rethrow_exception(error);
}

}  // namespace

void run_grid(const Program& program, const Launch& launch, const InterpretOptions& options, const Observer& observer) {
    check_launch(program.kernel, launch);
    if (unit_count(program, launch) == 0) return;
    if (program.waits)
        run_waiting(program, launch, options, observer);
    else
        run_independent(program, launch, options, observer);
}

void interpret(const Kernel& kernel, const Launch& launch, const InterpretOptions& options) {
    Interpreter(kernel, options.subgroup_size).run(launch, options);
}

Interpreter::Interpreter(const Kernel& kernel, unsigned subgroup_size)
    : program_(decode(kernel, {subgroup_size, nullptr})) {}

void Interpreter::run(const Launch& launch, const InterpretOptions& options) const {
    run_grid(*program_, launch, options, {});
}

}  // namespace seiche::ir

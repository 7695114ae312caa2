// What the parts of the interpreter share: a kernel decoded into steps, and the state of one group under way.
//
// A value of L lanes in a group of T threads is L * T scalars, lane after lane; one that is the same for all threads is
// L scalars. A step runs one instruction for all lanes and threads. Scalars are stored as interpret_values.hpp says.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "ir/interpret.hpp"
#include "ir/kernel.hpp"

#define SEICHE_INLINE inline __attribute__((always_inline))
// GCC spills 32-byte registers to a stack that 64-bit Windows aligns to 16 bytes only.
#if defined(__x86_64__) && !defined(_WIN32)
#define SEICHE_HAS_AVX2_VARIANTS 1
#define SEICHE_AVX2 __attribute__((target("avx2,fma")))
#endif

namespace seiche::ir {

struct Step;
struct Frame;
class Analyser;

using Action = void (*)(Frame&, const Step&);

/// What the run loop does with a step, beside its action.
enum class Flow : std::uint8_t {
    next,
    loop_begin,
    loop_end,
    if_begin,
    if_else,
    cluster_barrier,
    cluster_arrivals,
    wait_until
};

/// Where an operand's scalars are.
struct Operand {
    std::uint32_t offset = 0;  ///< Bytes into the registers.
    bool present = false;
    bool uniform = false;  ///< One scalar a lane instead of one a lane and thread.
    Type type;
};

struct Step {
    Action action = nullptr;
    Flow flow = Flow::next;
    std::uint32_t lanes = 1;
    std::uint32_t threads = 1;     ///< Of the result: 1 where it is uniform, else the group's size.
    std::uint32_t result = 0;      ///< Bytes into the registers.
    std::uint32_t target = 0;      ///< The step after the matching bracket.
    std::uint32_t depth = 0;       ///< Of a loop.
    std::uint32_t first_move = 0;  ///< Of an op that moves lanes: its part of Program::moves, one a lane of the result.
    ValueId id = no_value;
    std::array<Operand, 4> operands;
    const Instruction* instruction = nullptr;
};

/// The source of one lane of a compose, splat, extract or shuffle.
struct LaneMove {
    std::uint32_t offset = 0;
    bool uniform = false;
};

struct PrivateLayout {
    std::uint64_t offset = 0;
    std::uint32_t threads = 1;
};

/// One asynchronous copy that was issued and is not yet known to have landed.
struct PendingCopy {
    const Step* step = nullptr;
    std::uint32_t thread = 0;
    std::uint64_t batch = 0;
    std::byte* to = nullptr;
    const std::byte* from = nullptr;
    std::uint64_t bytes = 0;
    Frame* owner = nullptr;  ///< Whose shared memory it writes.
};

/// How the analyser takes part in a run. All members are set, or the pointer to this is null.
struct Hooks {
    /// The action for ops that the analyser runs itself; nullptr: the interpreter's.
    Action (*action)(const Instruction&) = nullptr;
    void (*begin_group)(Frame&) = nullptr;
    void (*issued)(Frame&, const PendingCopy&) = nullptr;
    void (*landed)(Frame&, const PendingCopy&) = nullptr;
};

struct DecodeOptions {
    std::uint32_t subgroup_size = 32;  ///< Where the kernel does not require one.
    const Hooks* hooks = nullptr;      ///< With hooks every value is kept for every thread.
};

/// A kernel ready to run. Immutable.
struct Program {
    Kernel kernel;
    std::vector<Step> prologue;  ///< What is the same in every group: run once per frame.
    std::vector<Step> body;
    std::vector<LaneMove> moves;
    std::vector<std::uint64_t> shared_offsets;
    std::vector<PrivateLayout> privates;
    std::uint64_t register_bytes = 0;
    std::uint64_t shared_bytes = 0;
    std::uint64_t private_bytes = 0;
    std::uint32_t threads = 1;
    std::uint32_t subgroup_size = 32;
    std::uint32_t cluster_size = 1;
    std::uint32_t loop_depth = 0;
    std::uint32_t mask_at = 0;  ///< With hooks: registers for a predicate that the analyser makes.
    bool waits = false;
    const Hooks* hooks = nullptr;
};

std::unique_ptr<const Program> decode(const Kernel& kernel, const DecodeOptions& options);

struct LoopState {
    std::uint32_t counter = 0, end = 0, step = 1;
};

/// How often the analyser's group has passed a barrier of each scope.
struct BarrierCount {
    std::uint32_t subgroup = 0, group = 0, cluster = 0;
    std::array<std::uint32_t, 3> part{};  ///< Of at least a half, a quarter, an eighth of the group.
};

struct Frame {
    const Program* program = nullptr;
    const Launch* launch = nullptr;
    Frame* const* cluster = nullptr;  ///< The frames of this group's cluster, by rank.
    std::byte* registers = nullptr;
    std::byte* shared = nullptr;
    std::byte* privates = nullptr;
    std::array<std::uint32_t, 3> group{0, 0, 0};
    std::uint64_t group_number = 0;
    std::uint32_t rank = 0;
    std::uint32_t pc = 0;
    bool async_early = true;
    std::vector<LoopState> loops;
    std::vector<PendingCopy> copies;
    std::uint64_t batches = 0;  ///< Committed so far.
    std::uint64_t arrived = 0;  ///< Bytes that the cluster's groups stored here and nobody waited for yet.
    bool has_met = false;       ///< All groups, where those are waited for.
    Analyser* analyser = nullptr;
    BarrierCount passed;
    std::uint64_t* executed = nullptr;  ///< Counts per step, for the analyser.
    /// Scalars of shared and private memory that look as what nothing has written, and were written (see
    /// interpret_written.hpp).
    std::unordered_set<const std::byte*> written_ones;

    template <class T>
    T* at(std::uint32_t offset) const {
        return reinterpret_cast<T*>(registers + offset);
    }
    template <class T>
    T* result(const Step& s) const {
        return at<T>(s.result);
    }
    template <class T>
    const T* operand(const Step& s, unsigned k) const {
        return at<T>(s.operands[k].offset);
    }
};

/// Who looks on; nobody by default.
struct Observer {
    Analyser* analyser = nullptr;
    std::uint64_t* executed = nullptr;
};

/// Throws InternalError unless the launch binds what the kernel has.
void check_launch(const Kernel& kernel, const Launch& launch);

/// Runs the grid with a decoded program.
void run_grid(const Program& program, const Launch& launch, const InterpretOptions& options, const Observer& observer);

/// A stretch of memory that accesses of one instruction stay within.
struct Window {
    std::byte* data = nullptr;
    std::uint64_t scalars = 0;  ///< How many scalars of the element's type it holds.
    unsigned stride = 1;        ///< Scalars that one step of the index moves by.
    /// The least index at which `lanes` scalars no longer fit; 0 if none does.
    std::uint64_t limit(unsigned lanes) const { return scalars < lanes ? 0 : (scalars - lanes) / stride + 1; }
};
Window global_window(const Frame& f, std::uint32_t buffer);
Window shared_window(const Frame& f, std::uint32_t array);

/// Throws: `what` names the memory.
[[noreturn]] void fail_bounds(const Frame& f, const Step& s, std::uint32_t thread, const std::string& what,
                              std::uint64_t index, std::uint64_t limit);
[[noreturn]] void fail(const Frame& f, const Step& s, const std::string& what);
/// "thread 3 of group (1, 0, 0)".
std::string thread_name(const Frame& f, std::uint32_t thread);
std::string step_name(const Step& s);

/// The subgroup that a thread is in ends here.
inline std::uint32_t subgroup_of(const Frame& f, std::uint32_t thread) { return thread / f.program->subgroup_size; }

// Which action runs an instruction. `uniform` has a bit for each operand that is uniform while the result is not.
Action arithmetic_action(const Step& s, unsigned uniform);
Action function_action(const Instruction& i);
Action convert_action(const Instruction& i, Type from);
Action memory_action(const Instruction& i, bool predicated);
Action group_action(const Instruction& i);
Action call_action(const Instruction& i);
Action move_action(Scalar scalar);
Action leaf_action(const Instruction& i);

}  // namespace seiche::ir

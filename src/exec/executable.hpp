// The contract of execution: a schedule and a backend become something that runs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "exec/loader.hpp"
#include "exec/saved_plan.hpp"
#include "planner/recipe.hpp"
#include "problem/problem.hpp"
#include "runtime/backend.hpp"
#include "seiche/inspect.hpp"
#include "seiche/plan.hpp"

namespace seiche::exec {

/// What is to be built. `mutate` is for tests only: it changes every kernel between generation and emission.
struct BuildRequest {
    Device device;
    Problem problem;
    problem::Canonical canonical;
    PlanOptions options;
    std::function<void(ir::Kernel&)> mutate;
};

/// What an execution gives a user's stage, in the program's order.
struct StageArguments {
    static constexpr std::size_t most = 16;
    std::array<runtime::BufferArgument, most> buffers;
    std::array<std::uint64_t, most> scalars{};
    std::uint64_t pointer = 0;  ///< Of a function.
};

/// One array: a buffer, or the parts that it lies in, which are borrowed.
struct ArrayArgument {
    runtime::BufferArgument whole;
    const BufferView* parts = nullptr;
    std::size_t part_count = 0;  ///< 0: it is whole.
    std::size_t in_first = 1;    ///< The parts that a kernel takes of the first of them, one after the other.
};

/// The arguments of one execution, already checked: buffers are there and large enough. In place: output is input.
struct Arguments {
    Direction direction = Direction::forward;  ///< Of the planned kinds.
    ArrayArgument input, output, workspace;
    ArrayArgument input_imaginary, output_imaginary;  ///< Of planar arrays.
    std::uint64_t batch = 1;
    StageArguments load, store;
    runtime::Image* input_image = nullptr;  ///< Null: the array is in buffers.
    runtime::Image* output_image = nullptr;
    runtime::Image* workspace_image = nullptr;
};

/// A compiled plan. Immutable; execute may be called from many threads on different queues.
class Executable {
public:
    /// Designs, generates, compiles in parallel, loads, and uploads the tables. Kernels of `saved` (of this request,
    /// but perhaps for another device) are taken instead of compiling where they fit; the report says how many, and why
    /// not.
    static std::shared_ptr<const Executable> build(const BuildRequest& request, const SavedPlan* saved = nullptr);

    /// All that `build` needs to do without compiling. Compiles again what is in no cache on disk.
    SavedPlan save() const;

    /// Enqueues every launch, in a direction for which the plan was built. Allocates nothing. Throws Unsupported when
    /// the batch needs more groups than a launch can have.
    void execute(runtime::Queue& queue, const Arguments& arguments) const;

    /// False where a stage replaces the input without reading it, or stores all results in its own buffers, and no pass
    /// needs the memory either. In place both are true.
    bool reads_input(Direction direction) const;
    bool writes_output(Direction direction) const;
    /// What the plan's directions need of the problem's buffers, in place of the one for both; 0 where none of them
    /// needs any, or the array is an image.
    std::uint64_t input_bytes(std::uint64_t batch) const;
    std::uint64_t output_bytes(std::uint64_t batch) const;

    /// Bytes of workspace for so many arrays; 0 where it is an image.
    std::uint64_t workspace_bytes(std::uint64_t batch) const;
    /// The image that a workspace is; of no format where there is none, or it lies in buffers.
    problem::ArrayImage workspace_image() const;
    /// Elements of that image for so many arrays.
    std::uint64_t workspace_image_elements(std::uint64_t batch) const { return most_a_elements() * batch; }
    /// The bytes of each buffer that the workspace may be given in; of one of them, 0 behind the last.
    std::vector<std::uint64_t> workspace_part_bytes(std::uint64_t batch) const;
    std::uint64_t workspace_part_bytes(std::uint64_t batch, std::size_t part) const;
    /// The bytes of each buffer that an array, or each half of a planar one, lies in.
    std::vector<std::uint64_t> array_part_bytes(bool input, std::uint64_t batch) const;
    /// Throws InvalidProblem for a batch whose arrays need more buffers than this direction's kernels take.
    void check_parts(Direction direction, std::uint64_t batch) const;

    /// Whether it was built for this direction of the planned kinds.
    bool has(Direction direction) const { return schedules_[static_cast<int>(direction)].is_built; }

    const Device& device() const { return request_.device; }
    const Problem& problem() const { return request_.problem; }
    const problem::Canonical& canonical() const { return request_.canonical; }
    const PlanOptions& options() const { return request_.options; }
    const PlanReport& report() const { return report_; }
    /// Device memory that the plan's constant tables take, each counted once.
    std::uint64_t table_bytes() const { return table_bytes_; }

private:
    struct LoadedSchedule {
        std::vector<LoadedStep> steps;
        std::uint64_t workspace_a_elements = 0, workspace_b_elements = 0;
        /// Arrays of a batch that go through all steps before the next ones do.
        std::uint64_t at_once = std::numeric_limits<std::uint64_t>::max();
        bool is_built = false;
    };
    friend class Builder;

    /// Where an array is that a kernel takes, and how many bytes are before its element 0.
    struct Located {
        ArrayArgument array;
        std::uint64_t byte_offset = 0;
    };
    std::uint64_t aligned_bytes(std::uint64_t elements_per_array, std::uint64_t batch) const;
    std::uint64_t buffer_limit() const;
    /// The buffers that one workspace may be given in. Where one direction takes its address and the other takes it in
    /// parts, the first buffer holds all that the former needs, and as many parts of the latter as fit.
    struct Pieces {
        std::uint64_t first = 0;   ///< Bytes of a buffer whose address is taken; 0: there is none.
        std::size_t in_first = 1;  ///< Parts that lie in the first buffer.
        std::uint64_t rest = 0;    ///< Bytes in buffers of no more than a binding reaches, behind it.
    };
    Pieces pieces_of(planner::Role workspace, std::uint64_t batch) const;
    /// The most of any direction.
    std::uint64_t most_a_elements() const;
    std::uint64_t most_b_elements() const;
    std::uint64_t array_bytes(planner::Role role, Direction direction, std::uint64_t batch) const;
    Located imaginary(planner::Role role, const Arguments& arguments) const;
    Located argument(planner::Role role, const Arguments& arguments) const;
    ArrayArgument workspace_a(const Arguments& arguments) const;
    ArrayArgument workspace_b(const Arguments& arguments) const;
    static runtime::Image* image(planner::Role role, const Arguments& arguments);
    std::uint64_t arrays_at_once(const LoadedSchedule& schedule, Direction direction) const;
    void run(runtime::Queue& queue, const LoadedSchedule& schedule, const Arguments& arguments) const;
    void launch(runtime::Queue& queue, const LoadedStep& step, const Arguments& arguments) const;

    BuildRequest request_;
    DeviceLimits limits_;          // what it was planned for
    LoadedSchedule schedules_[2];  // by Direction
    PlanReport report_;
    std::uint64_t table_bytes_ = 0;
};

}  // namespace seiche::exec

#include "seiche/distributed/plan.hpp"

#include <algorithm>
#include <utility>

#include "agreement.hpp"
#include "design.hpp"
#include "program.hpp"
#include "seiche/error.hpp"
#include "traffic.hpp"

namespace seiche::distributed {

struct DistributedPlan::Impl {
    std::shared_ptr<Communicator> communicator;
    Program program;
    std::optional<Direction> only;  ///< The plan's only direction.
};

namespace {

/// The problem but for what each rank has of its own.
std::string shared_text(Problem problem) {
    problem.input.batch_distance = problem.output.batch_distance = 0;
    return to_string(problem);
}

/// The only direction of the kind, or of the options.
std::optional<Direction> only_direction(Kind kind, Directions directions) {
    std::optional<Direction> only;
    if (kind == Kind::r2c || kind == Kind::hfft) only = Direction::forward;
    if (kind == Kind::c2r || kind == Kind::ihfft) only = Direction::inverse;
    if (directions == Directions::both) return only;
    const Direction asked = directions == Directions::forward ? Direction::forward : Direction::inverse;
    if (only && *only != asked)
        throw InvalidProblem("directions: expected the only one of " + std::string(to_string(kind)) +
                             ", got the other");
    return asked;
}

std::string in_one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ';');
    return text;
}

constexpr std::uint64_t most_pieces = 1024;

const char* word(Decomposition decomposition) {
    switch (decomposition) {
        case Decomposition::any: return "any";
        case Decomposition::slabs: return "slabs";
        case Decomposition::pencils: return "pencils";
    }
    return "";
}

const char* word(Directions directions) {
    switch (directions) {
        case Directions::both: return "both";
        case Directions::forward: return "forward";
        case Directions::inverse: return "inverse";
    }
    return "";
}

}  // namespace

DistributedPlan::DistributedPlan(const Device& device, const Problem& problem, const Boxes& boxes,
                                 std::shared_ptr<Communicator> communicator, const DistributedOptions& options) {
    if (!device) throw InvalidProblem("device: expected one that was opened, got none");
    if (!communicator) throw InvalidProblem("communicator: expected one, got none");
    agree(*communicator, {{"problem", shared_text(problem)},
                          {"input boxes", digest(boxes.input)},
                          {"output boxes", digest(boxes.output)},
                          {"directions", word(options.directions)},
                          {"decomposition", word(options.decomposition)},
                          {"pieces", options.pieces ? std::to_string(*options.pieces) : "none"},
                          {"fabric", options.fabric ? in_one_line(to_string(*options.fabric)) : "none"}});
    auto impl = std::make_shared<Impl>();
    Shape shape;
    Design steps;
    Arrays arrays;
    together(*communicator, [&] {
        if (options.pieces && (*options.pieces == 0 || *options.pieces > most_pieces))
            throw InvalidProblem("pieces: expected 1 to " + std::to_string(most_pieces) + ", got " +
                                 std::to_string(*options.pieces));
        shape = shape_of(problem);
        check_counts(boxes.input, *communicator, "boxes.input");
        check_counts(boxes.output, *communicator, "boxes.output");
        check_boxes(input_lengths(shape), boxes.input, "boxes.input");
        check_boxes(output_lengths(shape), boxes.output, "boxes.output");
        arrays.rank = static_cast<std::size_t>(communicator->rank());
        arrays.input = memory_of(boxes.input[arrays.rank], problem.input.batch_distance, shape.batch);
        arrays.output = memory_of(boxes.output[arrays.rank], problem.output.batch_distance, shape.batch);
        arrays.is_in_place = problem.placement == Placement::in_place;
        impl->only = only_direction(shape.kind, options.directions);
        if (impl->only)
            arrays.directions = *impl->only == Direction::forward ? Directions::forward : Directions::inverse;
        if (options.fabric) check_fabric(*options.fabric, boxes.input.size());
        steps = design(shape, boxes.input, boxes.output, options.decomposition,
                       options.fabric ? &*options.fabric : nullptr);
    });
    arrays.ways = choose_ways(*communicator, device, shape, steps, options);
    arrays.driver = communicator->marks(device);
    together(*communicator, [&] { impl->program = make_program(device, problem, shape, steps, arrays); });
    impl->communicator = std::move(communicator);
    impl_ = std::move(impl);
}

void DistributedPlan::execute(Queue& queue, const DistributedExecution& execution) const {
    if (impl_->only && execution.direction && *execution.direction != *impl_->only)
        throw InvalidProblem("direction: expected the plan's only one, got the other");
    DistributedExecution own = execution;
    if (impl_->only) own.direction = impl_->only;
    run(impl_->program, queue, *impl_->communicator, own);
}

std::uint64_t DistributedPlan::input_bytes() const { return impl_->program.input_bytes; }
std::uint64_t DistributedPlan::output_bytes() const { return impl_->program.output_bytes; }
std::uint64_t DistributedPlan::workspace_bytes() const { return impl_->program.workspace_bytes(); }
int DistributedPlan::exchanges() const { return impl_->program.exchanges; }
std::uint64_t DistributedPlan::bytes_sent() const { return impl_->program.bytes_sent; }
std::uint64_t DistributedPlan::bytes_copied() const { return impl_->program.bytes_copied; }
int DistributedPlan::copies() const { return impl_->program.copies; }
std::string DistributedPlan::describe() const { return impl_->program.text; }

}  // namespace seiche::distributed

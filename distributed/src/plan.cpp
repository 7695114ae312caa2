#include "seiche/distributed/plan.hpp"

#include <algorithm>
#include <utility>

#include "agreement.hpp"
#include "seiche/error.hpp"
#include "sequence.hpp"
#include "traffic.hpp"

namespace seiche::distributed {

struct DistributedPlan::Impl {
    std::shared_ptr<Communicator> communicator;
    /// Of the forward and the inverse transform: one, but where the order of the spectrum tells them apart.
    std::vector<Sequence> sequences;
    std::optional<Direction> only;  ///< The plan's only direction.
    std::optional<FourStep> pass;   ///< Where an axis of the spectrum is in pass order: how.
    std::size_t axes = 0;

    const Sequence& sequence(Direction direction) const {
        return sequences[direction == Direction::inverse ? sequences.size() - 1 : 0];
    }
    /// What a sum of its programs says.
    template <class Number, class Question>
    Number sum(const Question& question) const {
        Number all = 0;
        for (const Leg& leg : sequences.front().legs) all += question(leg.program);
        return all;
    }
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
        case Decomposition::four_step: return "four_step";
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
    std::vector<Route> routes;
    Directions directions = options.directions;
    together(*communicator, [&] {
        if (options.pieces && (*options.pieces == 0 || *options.pieces > most_pieces))
            throw InvalidProblem("pieces: expected 1 to " + std::to_string(most_pieces) + ", got " +
                                 std::to_string(*options.pieces));
        const Shape shape = shape_of(problem);
        check_counts(boxes.input, *communicator, "boxes.input");
        check_counts(boxes.output, *communicator, "boxes.output");
        check_boxes(input_lengths(shape), boxes.input, "boxes.input");
        check_boxes(output_lengths(shape), boxes.output, "boxes.output");
        impl->only = only_direction(shape.kind, options.directions);
        if (impl->only) directions = *impl->only == Direction::forward ? Directions::forward : Directions::inverse;
        if (options.fabric) check_fabric(*options.fabric, boxes.input.size());
        impl->axes = shape.lengths.size();
        const auto add = [&](Direction direction) {
            routes.push_back(find_route(problem, shape, boxes, options.decomposition,
                                        options.fabric ? &*options.fabric : nullptr, direction));
        };
        add(impl->only.value_or(Direction::forward));
        if (problem.spectrum_order == SpectrumOrder::natural) return;
        impl->pass = routes.front().four_step;
        if (impl->pass && !impl->only) add(Direction::inverse);
    });
    for (std::size_t i = 0; i < routes.size(); ++i) {
        const Directions own = routes.size() == 1 ? directions : i == 0 ? Directions::forward : Directions::inverse;
        impl->sequences.push_back(make_sequence(*communicator, device, routes[i], problem, boxes, own, options));
    }
    impl->communicator = std::move(communicator);
    impl_ = std::move(impl);
}

void DistributedPlan::execute(Queue& queue, const DistributedExecution& execution) const {
    if (impl_->only && execution.direction && *execution.direction != *impl_->only)
        throw InvalidProblem("direction: expected the plan's only one, got the other");
    DistributedExecution own = execution;
    if (impl_->only) own.direction = impl_->only;
    run(impl_->sequence(own.direction.value_or(Direction::forward)), queue, *impl_->communicator, own);
}

std::uint64_t DistributedPlan::input_bytes() const { return impl_->sequences.front().input_bytes; }
std::uint64_t DistributedPlan::output_bytes() const { return impl_->sequences.front().output_bytes; }
std::uint64_t DistributedPlan::workspace_bytes() const {
    std::uint64_t most = 0;
    for (const Sequence& one : impl_->sequences) most = std::max(most, one.workspace_bytes());
    return most;
}
int DistributedPlan::exchanges() const {
    return impl_->sum<int>([](const Program& program) { return program.exchanges; });
}
std::uint64_t DistributedPlan::bytes_sent() const {
    return impl_->sum<std::uint64_t>([](const Program& program) { return program.bytes_sent; });
}
std::uint64_t DistributedPlan::bytes_copied() const {
    return impl_->sum<std::uint64_t>([](const Program& program) { return program.bytes_copied; });
}
int DistributedPlan::copies() const {
    return impl_->sum<int>([](const Program& program) { return program.copies; });
}
std::string DistributedPlan::describe() const {
    std::string text;
    for (const Leg& leg : impl_->sequences.front().legs) text += leg.program.text;
    return text;
}

std::uint64_t DistributedPlan::spectrum_index(int axis, std::uint64_t position) const {
    const int axes = static_cast<int>(impl_->axes), own = axis < 0 ? axis + axes : axis;
    if (own < 0 || own >= axes)
        throw InvalidProblem("axis: expected one from " + std::to_string(-axes) + " to " + std::to_string(axes - 1) +
                             ", got " + std::to_string(axis));
    if (!impl_->pass || impl_->pass->axis != own) return position;
    const auto [unused, n1, n2] = *impl_->pass;
    if (position >= n1 * n2)
        throw InvalidProblem("position: expected less than " + std::to_string(n1 * n2) + ", got " +
                             std::to_string(position));
    return position / n2 + n1 * (position % n2);
}

}  // namespace seiche::distributed

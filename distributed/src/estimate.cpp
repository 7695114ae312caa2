// The cost model of transforms over several ranks: local passes, packing, and exchanges by level of the fabric.
#include "seiche/distributed/estimate.hpp"

#include <algorithm>
#include <utility>

#include "four_step.hpp"
#include "local_plans.hpp"
#include "pieces.hpp"
#include "sample.hpp"
#include "seiche/error.hpp"
#include "seiche/inspect.hpp"
#include "traffic.hpp"

namespace seiche::distributed {

namespace {

/// So many ranks stand for all.
constexpr std::size_t most_ranks_asked = 8;

std::size_t largest(const std::vector<Box>& boxes) {
    std::size_t found = 0;
    for (std::size_t rank = 1; rank < boxes.size(); ++rank)
        if (boxes[rank].count() > boxes[found].count()) found = rank;
    return found;
}

class Model {
public:
    Model(const Problem& problem, const Shape& shape, const Fabric& fabric, const DeviceLimits& limits,
          std::size_t ranks)
        : problem_(problem),
          shape_(shape),
          fabric_(fabric),
          limits_(limits),
          is_one_node_(ranks <= fabric.ranks_per_node) {}

    Estimate run(const Route& route, const Boxes& boxes) {
        add_route(route, boxes);
        return finish(route.design);
    }

    /// r2c or c2r by complex numbers, of which this is the model: what leads to their transform and away from it.
    Estimate run(const Halves& halves, const Boxes& boxes, bool is_forward) {
        const std::vector<Box>&reals = is_forward ? boxes.input : boxes.output,
              &bins = is_forward ? boxes.output : boxes.input;
        const auto combine = [&] {
            move(bins, halves.mirrored);
            pass("combine", 3 * bins[largest(bins)].count() * shape_.batch * shape_.real_bytes * 2);
        };
        if (is_forward && halves.moves_reals) move(reals, halves.reals, true);
        if (!is_forward) combine();
        add_route(halves.route, halves.boxes);
        if (is_forward) combine();
        if (!is_forward && halves.moves_reals) move(halves.reals, reals, true);
        return finish(halves.route.design);
    }

private:
    /// Before and after the design, arrays are moved to other boxes and back where the route has such.
    void add_route(const Route& route, const Boxes& boxes) {
        const Design& design = route.design;
        estimate_.lengths = route.problem.lengths;
        if (route.moves_input) move(boxes.input, route.whole.input);
        for (std::size_t i = 0; i < design.steps.size(); ++i) {
            if (i > 0) exchange(design.steps[i - 1], design.steps[i]);
            transform(design.steps[i]);
        }
        if (route.moves_output) move(route.whole.output, boxes.output);
    }

    Estimate finish(const Design& design) {
        for (const EstimatedStep& step : estimate_.steps) estimate_.seconds += step.seconds;
        estimate_.seconds_in_pieces = estimate_.seconds;
        if (is_one_node_ && design.steps.size() > 1) in_pieces(design);
        return std::move(estimate_);
    }

    std::uint64_t element(const Step& step) const {
        return shape_.batch * shape_.real_bytes * (step.writes_reals ? 1 : 2);
    }

    void add(EstimatedStep step) { estimate_.steps.push_back(std::move(step)); }

    void pass(std::string what, std::uint64_t bytes) {
        if (bytes == 0) return;
        EstimatedStep step;
        step.what = std::move(what);
        step.memory_bytes = bytes;
        step.seconds = static_cast<double>(bytes) / fabric_.memory_bytes_per_second;
        step.limit = "memory";
        add(std::move(step));
    }

    void transform(const Step& step) {
        const std::size_t rank = largest(step.before);
        moved_.push_back(0);
        if (step.axes.empty() || step.before[rank].empty()) return;
        std::string what = "transform axes ";
        for (std::size_t i = 0; i < step.axes.size(); ++i) what += (i == 0 ? "" : ",") + std::to_string(step.axes[i]);
        moved_.back() = inspect(local_problem(problem_, shape_, step, rank), limits_).moved_bytes;
        pass(std::move(what), moved_.back());
    }

    void exchange(const Step& before, const Step& after) {
        const std::vector<Box>&from = before.after, &to = after.before;
        const std::uint64_t bytes = element(before);
        EstimatedStep step;
        std::uint64_t kept = 0;
        for (const std::size_t rank : sample(from.size(), most_ranks_asked)) {
            const Traffic traffic = traffic_of(from, to, rank, bytes, fabric_.ranks_per_node);
            const ExchangeTime time = time_of(traffic, fabric_);
            kept = std::max(kept, traffic.kept);
            if (time.seconds < step.seconds || traffic.inside + traffic.between == 0) continue;
            step.inside_bytes = traffic.inside;
            step.between_bytes = traffic.between;
            step.messages = traffic.inside_messages + traffic.between_messages;
            step.seconds = time.seconds;
            step.message_seconds = time.message_seconds;
            step.limit = time.limit;
        }
        step.what = "exchange";
        // Inside a node rows are copied and nothing is packed; elsewhere messages are whole.
        ExchangePlan messages;
        const std::size_t rank = largest(from);
        if (!is_one_node_) messages = plan_exchange(from, to, rank, shape_.batch);
        // What is not transformed is copied into the messages, and out of them, but for rows that lie as the output.
        const bool packs = before.axes.empty() || (!is_one_node_ && !messages.send.is_one_array),
                   unpacks = after.axes.empty() ? !is_one_node_ || shape_.factors.has_value()
                                                : !is_one_node_ && !messages.receive.is_one_array;
        if (packs) pass("pack", 2 * from[rank].count() * bytes);
        add(std::move(step));
        pass("keep", 2 * kept);
        if (unpacks) pass("unpack", 2 * to[rank].count() * bytes);
    }

    void move(const std::vector<Box>& from, const std::vector<Box>& to, bool is_real = false) {
        Step before, after;
        before.after = from;
        after.before = to;
        before.writes_reals = is_real;
        exchange(before, after);
    }

    /// As DistributedPlan chooses them, at the speeds of this fabric.
    void in_pieces(const Design& design) {
        const Speeds speeds{fabric_.memory_bytes_per_second, fabric_.inside.bytes_per_second};
        std::uint64_t fewest = 0;
        std::vector<Load> loads;
        for (std::size_t i = 1; i < design.steps.size(); ++i) {
            const Step &before = design.steps[i - 1], &after = design.steps[i];
            Load load = load_of(before, after, largest(before.after), element(before));
            load.before = moved_[i - 1];
            load.after = moved_[i];
            const std::uint64_t count = best_pieces(load, speeds);
            fewest = fewest == 0 ? count : std::min(fewest, count);
            loads.push_back(load);
        }
        if (fewest <= 1) return;
        double saved = 0;
        for (const Load& load : loads) saved += time_in_pieces(load, 1, speeds) - time_in_pieces(load, fewest, speeds);
        estimate_.pieces = fewest;
        estimate_.seconds_in_pieces = estimate_.seconds - saved;
    }

    const Problem& problem_;
    const Shape& shape_;
    const Fabric& fabric_;
    const DeviceLimits& limits_;
    bool is_one_node_;
    std::vector<std::uint64_t> moved_;  ///< By each step's transforms, in bytes.
    Estimate estimate_;
};

}  // namespace

Estimate estimate(const Problem& problem, const Boxes& boxes, const Fabric& fabric, const DeviceLimits& limits,
                  const DistributedOptions& options) {
    const Shape shape = shape_of(problem);
    const std::size_t ranks = boxes.input.size();
    if (ranks == 0 || boxes.output.size() != ranks)
        throw InvalidProblem("boxes: expected one for each rank in input and output, got " + std::to_string(ranks) +
                             " and " + std::to_string(boxes.output.size()));
    check_boxes(input_lengths(shape), boxes.input, "boxes.input");
    check_boxes(output_lengths(shape), boxes.output, "boxes.output");
    check_fabric(fabric, ranks);
    const bool is_inverse = shape.kind == Kind::c2r || shape.kind == Kind::ihfft ||
                            (shape.kind == Kind::c2c && options.directions == Directions::inverse);
    const Route route = find_route(problem, shape, boxes, options.decomposition, &fabric,
                                   is_inverse ? Direction::inverse : Direction::forward);
    if (route.halves)
        return Model(route.halves->route.problem, route.halves->route.shape, fabric, limits, ranks)
            .run(*route.halves, boxes, !is_inverse);
    return Model(route.problem, route.shape, fabric, limits, ranks).run(route, boxes);
}

}  // namespace seiche::distributed

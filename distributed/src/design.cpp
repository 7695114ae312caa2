// The search for a design: from the input's boxes, by way of slabs and pencils, to the output's. A state is the way the
// array is cut and the set of axes that are left; each axis is transformed as soon as all ranks have it whole.
#include "design.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "regions.hpp"
#include "sample.hpp"
#include "seiche/error.hpp"
#include "traffic.hpp"

namespace seiche::distributed {

namespace {

using Set = std::uint64_t;  // of axes of the array, a bit each
using Regions = std::vector<Box>;

/// What a message and an exchange cost beside the bytes, as so many bytes more.
constexpr double message_price = 16 << 10, exchange_price = 64 << 10;
constexpr std::size_t most_sampled = 16, most_factorisations = 8;

Set bit(int axis) { return Set{1} << axis; }

bool is_halved_first(Kind kind) { return kind == Kind::r2c || kind == Kind::ihfft; }
bool is_halved_last(Kind kind) { return kind == Kind::c2r || kind == Kind::hfft; }

/// The factors p of ranks = p * q, those nearest to a square first.
std::vector<std::uint64_t> factors(std::uint64_t ranks) {
    std::vector<std::uint64_t> found;
    for (std::uint64_t p = 1; p <= ranks; ++p)
        if (ranks % p == 0) found.push_back(p);
    const bool is_prime = found.size() < 3;
    if (!is_prime) found = {found.begin() + 1, found.end() - 1};
    const auto skew = [&](std::uint64_t p) {
        return std::abs(std::log(static_cast<double>(p * p) / static_cast<double>(ranks)));
    };
    std::stable_sort(found.begin(), found.end(), [&](auto a, auto b) { return skew(a) < skew(b); });
    found.resize(std::min(found.size(), most_factorisations));
    return found;
}

/// On the fabric: the exchange, and one pass to pack or unpack.
double seconds_of(const Regions& from, const Regions& to, std::uint64_t element, const Fabric& fabric) {
    double most = 0;
    for (const std::size_t rank : sample(from.size(), most_sampled)) {
        const Traffic traffic = traffic_of(from, to, rank, element, fabric.ranks_per_node);
        const std::uint64_t bytes = traffic.kept + traffic.inside + traffic.between;
        most = std::max(
            most, time_of(traffic, fabric).seconds + 2 * static_cast<double>(bytes) / fabric.memory_bytes_per_second);
    }
    return most;
}

double cost_of(const Regions& from, const Regions& to, std::uint64_t element, const Fabric* fabric) {
    if (fabric != nullptr) return seconds_of(from, to, element, *fabric);
    double most = 0;
    for (const std::size_t rank : sample(from.size(), most_sampled)) {
        double own = 0;
        for (std::size_t other = 0; other < from.size(); ++other) {
            const std::uint64_t count = other == rank ? 0 : shared_elements(from[rank], to[other]);
            if (count != 0) own += static_cast<double>(count * element) + message_price;
        }
        most = std::max(most, own);
    }
    return most + exchange_price;
}

struct Choice {
    double cost = std::numeric_limits<double>::infinity();
    int next = -1;  ///< A way to cut the array; -1: the output's.
};

class Search {
public:
    Search(const Shape& shape, const Regions& input, const Regions& output, Decomposition decomposition,
           const Fabric* fabric)
        : shape_(shape), fabric_(fabric), output_(output) {
        for (const int axis : shape.axes) all_ |= bit(axis);
        for (const Box& box : input) input_.push_back({box.lower, box.upper});
        for (Box& box : output_) box.strides.clear();
        make_cuts(decomposition);
    }

    Design run() {
        const Set first = transformable(input_, all_);
        Design design;
        add(design, input_, first, all_);
        if (first == all_ && is_output(design.steps.back().after)) return design;
        Set left = all_ & ~first;
        for (int cut = -1;;) {
            const Choice choice = best(cut, design.steps.back().after, left);
            if (cut < 0) design.cost = choice.cost;
            if (std::isinf(choice.cost))
                throw Unsupported("decomposition: expected one that the problem allows; none has each axis whole");
            if (choice.next < 0) {
                add(design, *before_output(left), left, left);
                return design;
            }
            cut = choice.next;
            const Regions regions = regions_of(cut, left);
            const Set now = transformable(regions, left);
            add(design, regions, now, left);
            left &= ~now;
        }
    }

private:
    std::size_t ranks() const { return input_.size(); }
    bool has_halved(Set left) const { return shape_.halved >= 0 && (left & bit(shape_.halved)); }

    /// Whether the array consists of real numbers while these axes are left.
    bool is_real(Set left) const { return has_halved(left) ? reads_reals(shape_.kind) : writes_reals(shape_.kind); }

    std::vector<std::uint64_t> lengths(Set left) const {
        return has_halved(left) ? input_lengths(shape_) : output_lengths(shape_);
    }

    void make_cuts(Decomposition decomposition) {
        const std::size_t axes = shape_.lengths.size();
        const std::vector<std::uint64_t> none(axes, 1);
        // All on one rank: one axis alone is whole nowhere else. Of an axis that is two, one is whole when slabs are.
        if (!shape_.factors) cuts_.push_back(none);
        for (std::size_t a = 0; a < axes; ++a) {
            std::vector<std::uint64_t> parts = none;
            parts[a] = ranks();
            if (decomposition != Decomposition::pencils) cuts_.push_back(parts);
            if (decomposition == Decomposition::slabs) continue;
            for (std::size_t b = a + 1; b < axes; ++b)
                for (const std::uint64_t p : rows()) {
                    parts = none;
                    parts[a] = p;
                    parts[b] = ranks() / p;
                    cuts_.push_back(parts);
                }
        }
    }

    /// The first of two numbers of parts; on a fabric also those with a node's ranks as a row or a column.
    std::vector<std::uint64_t> rows() const {
        std::vector<std::uint64_t> found = factors(ranks());
        const std::uint64_t node = fabric_ == nullptr ? 1 : fabric_->ranks_per_node;
        if (node == 1 || node >= ranks() || ranks() % node != 0) return found;
        for (const std::uint64_t p : {ranks() / node, node})
            if (std::count(found.begin(), found.end(), p) == 0) found.push_back(p);
        return found;
    }

    Regions regions_of(int cut, Set left) const {
        Regions regions = grid(lengths(left), cuts_[static_cast<std::size_t>(cut)]);
        const std::vector<std::uint64_t> nothing(shape_.lengths.size(), 0);
        regions.resize(ranks(), Box{nothing, nothing});
        return regions;
    }

    bool is_whole(const Regions& regions, int axis, std::uint64_t length) const {
        const auto i = static_cast<std::size_t>(axis);
        return std::all_of(regions.begin(), regions.end(),
                           [&](const Box& box) { return box.empty() || box.extent(i) == length; });
    }

    /// The axes that can be transformed while the array is cut so. Complex axes of r2c come after the halved one, those
    /// of c2r before it.
    Set transformable(const Regions& regions, Set left) const {
        const std::vector<std::uint64_t> n = lengths(left);
        Set now = 0;
        for (const int axis : shape_.axes)
            if ((left & bit(axis)) && is_whole(regions, axis, n[static_cast<std::size_t>(axis)])) now |= bit(axis);
        if (shape_.factors && (left & bit(shape_.factors->first))) now &= ~bit(shape_.factors->second);
        if (!has_halved(left)) return now;
        const Set halved = bit(shape_.halved);
        if (is_halved_first(shape_.kind) && !(now & halved)) return 0;
        if (is_halved_last(shape_.kind) && now != left) return now & ~halved;
        return now;
    }

    /// The regions once the halved axis has another length.
    Regions resized(Regions regions, std::uint64_t from, std::uint64_t to) const {
        const auto axis = static_cast<std::size_t>(shape_.halved);
        for (Box& box : regions)
            if (box.extent(axis) == from) box.upper[axis] = box.lower[axis] + to;
        return regions;
    }

    Regions after(const Regions& regions, Set now, Set left) const {
        if (!has_halved(now)) return regions;
        const auto axis = static_cast<std::size_t>(shape_.halved);
        return resized(regions, lengths(left)[axis], lengths(left & ~now)[axis]);
    }

    /// What the last step reads to leave the output's boxes; nothing if they do not have the axes whole.
    std::optional<Regions> before_output(Set left) const {
        Regions regions = output_;
        if (has_halved(left)) {
            const auto axis = static_cast<std::size_t>(shape_.halved);
            const std::uint64_t last = output_lengths(shape_)[axis];
            if (!is_whole(output_, shape_.halved, last)) return {};
            regions = resized(std::move(regions), last, lengths(left)[axis]);
        }
        if (transformable(regions, left) != left) return {};
        return regions;
    }

    bool is_output(const Regions& regions) const {
        for (std::size_t rank = 0; rank < ranks(); ++rank)
            if (regions[rank] != output_[rank] && !(regions[rank].empty() && output_[rank].empty())) return false;
        return true;
    }

    double cost(const Regions& from, const Regions& to, Set left) const {
        return cost_of(from, to, shape_.batch * shape_.real_bytes * (is_real(left) ? 1 : 2), fabric_);
    }

    /// How to go on from regions that are cut so; `cut` and `left` tell the regions.
    Choice best(int cut, const Regions& regions, Set left) {
        if (const auto known = known_.find({cut, left}); known != known_.end()) return known->second;
        Choice choice;
        if (const auto last = before_output(left)) choice.cost = cost(regions, *last, left);
        for (int next = 0; next < static_cast<int>(cuts_.size()); ++next) {
            const Regions before = regions_of(next, left);
            const Set now = transformable(before, left);
            if (now == 0) continue;
            const double own = cost(regions, before, left);
            if (own >= choice.cost) continue;
            const double all = own + best(next, after(before, now, left), left & ~now).cost;
            if (all < choice.cost) choice = {all, next};
        }
        return known_[{cut, left}] = choice;
    }

    void add(Design& design, const Regions& regions, Set now, Set left) const {
        Step step;
        for (const int axis : shape_.axes)
            if (now & bit(axis)) step.axes.push_back(axis);
        step.reads_reals = is_real(left);
        step.writes_reals = is_real(left & ~now);
        step.before = regions;
        step.after = after(regions, now, left);
        step.twiddles = shape_.factors && (now & bit(shape_.factors->first)) != 0;
        design.steps.push_back(std::move(step));
    }

    const Shape& shape_;
    const Fabric* fabric_;
    Regions input_, output_;
    Set all_ = 0;
    std::vector<std::vector<std::uint64_t>> cuts_;  ///< Parts along each axis.
    std::map<std::pair<int, Set>, Choice> known_;
};

void refuse(bool is_set, const char* field) {
    if (is_set) throw Unsupported(std::string(field) + ": expected none in a transform over several ranks");
}

void check_layout(const Layout& layout, const std::string& name) {
    const auto refuse_field = [&](bool is_set, const char* field) { refuse(is_set, (name + "." + field).c_str()); };
    refuse_field(!layout.strides.empty(), "strides (those of the boxes hold)");
    refuse_field(layout.byte_offset != 0, "byte_offset");
    refuse_field(layout.planar, "planar");
    refuse_field(layout.part_bytes != 0, "part_bytes");
    refuse_field(layout.image != ImageFormat::none, "image");
    if (layout.batch_distance < 0)
        throw Unsupported(name + ".batch_distance: expected none below 0 in a transform over several ranks");
}

int axis_of(const Problem& problem, int axis, const char* field) {
    const int rank = static_cast<int>(problem.lengths.size());
    if (axis < -rank || axis >= rank)
        throw InvalidProblem(std::string(field) + ": expected an axis from " + std::to_string(-rank) + " to " +
                             std::to_string(rank - 1) + ", got " + std::to_string(axis));
    return axis < 0 ? axis + rank : axis;
}

std::vector<std::uint64_t> with_halved(const Shape& shape, bool is_halved) {
    std::vector<std::uint64_t> lengths = shape.lengths;
    if (is_halved && shape.halved >= 0) {
        std::uint64_t& n = lengths[static_cast<std::size_t>(shape.halved)];
        n = n / 2 + 1;
    }
    return lengths;
}

}  // namespace

bool reads_reals(Kind kind) { return is_real_to_real(kind) || is_halved_first(kind); }
bool writes_reals(Kind kind) { return is_real_to_real(kind) || is_halved_last(kind); }
std::vector<std::uint64_t> input_lengths(const Shape& shape) { return with_halved(shape, is_halved_last(shape.kind)); }
std::vector<std::uint64_t> output_lengths(const Shape& shape) {
    return with_halved(shape, is_halved_first(shape.kind));
}

Shape shape_of(const Problem& problem) {
    if (problem.lengths.empty()) throw InvalidProblem("lengths: expected at least one axis, got none");
    if (problem.lengths.size() > 64)
        throw Unsupported("lengths: expected at most 64 axes in a transform over several ranks, got " +
                          std::to_string(problem.lengths.size()));
    refuse(!problem.signal_zeros.empty(), "signal_zeros");
    refuse(!problem.spectrum_zeros.empty(), "spectrum_zeros");
    refuse(!problem.forward_load.empty() || !problem.forward_store.empty() || !problem.inverse_load.empty() ||
               !problem.inverse_store.empty(),
           "stages");
    check_layout(problem.input, "input");
    check_layout(problem.output, "output");
    Shape shape;
    shape.lengths = problem.lengths;
    shape.kind = problem.axis_kinds.empty() ? problem.kind : problem.axis_kinds.front();
    if (shape.kind != Kind::c2c) refuse(problem.spectrum_order != SpectrumOrder::natural, "spectrum_order but for c2c");
    shape.batch = problem.batch;
    shape.real_bytes = stored_bytes(problem.precision, problem.storage);
    for (const int axis : problem.axes) shape.axes.push_back(axis_of(problem, axis, "axes"));
    if (shape.axes.empty())
        for (int axis = 0; axis < static_cast<int>(problem.lengths.size()); ++axis) shape.axes.push_back(axis);
    for (std::size_t i = 0; i < shape.axes.size(); ++i) {
        if (std::count(shape.axes.begin(), shape.axes.end(), shape.axes[i]) > 1)
            throw InvalidProblem("axes: expected each once, got axis " + std::to_string(shape.axes[i]) + " twice");
        if (problem.lengths[static_cast<std::size_t>(shape.axes[i])] == 0)
            throw InvalidProblem("lengths: expected at least 1 along axis " + std::to_string(shape.axes[i]) +
                                 ", which is transformed, got 0");
    }
    if (is_halved_first(shape.kind) || is_halved_last(shape.kind)) {
        shape.halved = problem.halved_axis ? axis_of(problem, *problem.halved_axis, "halved_axis") : shape.axes.back();
        if (std::count(shape.axes.begin(), shape.axes.end(), shape.halved) == 0)
            throw InvalidProblem("halved_axis: expected one of the transformed axes, got " +
                                 std::to_string(shape.halved));
    } else if (problem.halved_axis) {
        throw InvalidProblem("halved_axis: expected none for " + std::string(to_string(shape.kind)));
    }
    return shape;
}

Design design(const Shape& shape, const std::vector<Box>& input, const std::vector<Box>& output,
              Decomposition decomposition, const Fabric* fabric) {
    return Search(shape, input, output, decomposition, fabric).run();
}

double exchange_cost(const Shape& shape, const std::vector<Box>& from, const std::vector<Box>& to,
                     const Fabric* fabric) {
    return cost_of(from, to, shape.batch * shape.real_bytes * (reads_reals(shape.kind) ? 1 : 2), fabric);
}

}  // namespace seiche::distributed

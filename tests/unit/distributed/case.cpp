#include "case.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include "seiche/double_double.hpp"
#include "seiche/half.hpp"

namespace seiche::distributed::test {

namespace {

bool is_halved_input(Kind kind) { return kind == Kind::c2r || kind == Kind::hfft; }
bool is_halved_output(Kind kind) { return kind == Kind::r2c || kind == Kind::ihfft; }
bool is_real_input(Kind kind) { return is_real_to_real(kind) || is_halved_output(kind); }
bool is_real_output(Kind kind) { return is_real_to_real(kind) || is_halved_input(kind); }

Kind kind_of(const Problem& problem) { return problem.axis_kinds.empty() ? problem.kind : problem.axis_kinds.front(); }

std::vector<std::uint64_t> lengths_of(const Problem& problem, bool is_halved) {
    std::vector<std::uint64_t> lengths = problem.lengths;
    if (is_halved) {
        std::uint64_t& n = lengths[static_cast<std::size_t>(problem.halved_axis.value())];
        n = n / 2 + 1;
    }
    return lengths;
}

/// Real numbers as the problem stores them.
class Stored {
public:
    explicit Stored(const Problem& problem)
        : precision_(problem.precision), storage_(problem.storage), bytes_(stored_bytes(precision_, storage_)) {}
    std::uint64_t bytes() const { return bytes_; }

    void put(std::vector<std::byte>& to, std::uint64_t index, double value) const {
        std::byte* const place = to.data() + index * bytes_;
        if (storage_ == Storage::f16) return write(place, to_f16(static_cast<float>(value)));
        if (bytes_ == 4) return write(place, static_cast<float>(value));
        if (bytes_ == 8) return write(place, value);
        write(place, DoubleDouble(value));
    }
    double get(const std::vector<std::byte>& from, std::uint64_t index) const {
        const std::byte* const place = from.data() + index * bytes_;
        if (storage_ == Storage::f16) return from_f16(read<std::uint16_t>(place));
        if (bytes_ == 4) return read<float>(place);
        if (bytes_ == 8) return read<double>(place);
        return static_cast<double>(read<DoubleDouble>(place));
    }
    /// The rounding of one operation, and of a result that is compared as a double.
    double unit() const { return storage_ == Storage::f16 ? 0x1p-11 : bytes_ == 4 ? 0x1p-24 : 0x1p-53; }

private:
    template <class T>
    static void write(std::byte* place, T value) {
        std::memcpy(place, &value, sizeof(value));
    }
    template <class T>
    static T read(const std::byte* place) {
        T value;
        std::memcpy(&value, place, sizeof(value));
        return value;
    }

    Precision precision_;
    Storage storage_;
    std::uint64_t bytes_;
};

/// The index in natural order of a position along an axis.
using Order = std::function<std::uint64_t(std::size_t, std::uint64_t)>;

/// Calls visit(element of the array, element of the box's memory) for each of the box and the batch.
template <class Visit>
void for_box(const Box& box, const std::vector<std::uint64_t>& lengths, std::uint64_t batch, const Order& order,
             const Visit& visit) {
    std::uint64_t array = 1, own = 1;
    std::vector<std::uint64_t> strides(lengths.size());
    for (std::size_t axis = lengths.size(), dense = 1; axis-- > 0; dense *= box.extent(axis)) strides[axis] = dense;
    for (std::size_t axis = 0; axis < lengths.size(); ++axis) {
        array *= lengths[axis];
        if (!box.strides.empty()) strides[axis] = static_cast<std::uint64_t>(box.strides[axis]);
        own = std::max(own, box.extent(axis) * strides[axis]);
    }
    if (box.strides.empty()) own = box.count();
    for (std::uint64_t b = 0; b < batch; ++b)
        for (std::uint64_t i = 0; i < box.count(); ++i) {
            std::uint64_t left = i, from = b * array, to = b * own, step = 1;
            for (std::size_t axis = lengths.size(); axis-- > 0;) {
                const std::uint64_t index = left % box.extent(axis);
                left /= box.extent(axis);
                from += order(axis, box.lower[axis] + index) * step;
                to += index * strides[axis];
                step *= lengths[axis];
            }
            visit(from, to);
        }
}

/// The numbers of the whole input, the same on all ranks.
std::vector<std::byte> whole_input(const Case& one, const Stored& stored) {
    Random random(one.seed * 3 + 1);
    const Kind kind = kind_of(one.problem);
    std::uint64_t numbers = one.problem.batch * (is_real_input(kind) ? 1 : 2);
    for (const std::uint64_t length : lengths_of(one.problem, is_halved_input(kind))) numbers *= length;
    std::vector<std::byte> data(numbers * stored.bytes());
    for (std::uint64_t i = 0; i < numbers; ++i) stored.put(data, i, random.number());
    return data;
}

/// The problem on one device: in natural order, perhaps in f64.
Problem problem_alone(const Case& one) {
    Problem problem = one.problem;
    problem.placement = Placement::out_of_place;
    problem.spectrum_order = SpectrumOrder::natural;
    if (one.is_against_double) {
        problem.precision = Precision::f64;
        problem.storage = Storage::same;
    }
    return problem;
}

std::vector<std::byte> whole_output(const Device& device, const Case& one, const std::vector<std::byte>& given) {
    const Problem problem = problem_alone(one);
    const Stored stored(one.problem), alone(problem);
    std::vector<std::byte> input(given.size() / stored.bytes() * alone.bytes());
    for (std::uint64_t i = 0; i < given.size() / stored.bytes(); ++i) alone.put(input, i, stored.get(given, i));
    const Plan plan(device, problem);
    Queue queue = device.create_queue();
    std::vector<std::byte> result(plan.output_bytes());
    if (result.empty()) return result;
    Execution execution;
    execution.direction = one.direction;
    execution.input = device.allocate(plan.input_bytes());
    execution.output = device.allocate(plan.output_bytes());
    if (plan.workspace_bytes() != 0) execution.workspace = device.allocate(plan.workspace_bytes());
    queue.upload(execution.input, input.data(), input.size());
    plan.execute(queue, execution);
    queue.download(result.data(), execution.output, result.size());
    return result;
}

/// Of the array that a plan reads or writes.
Order order_of(const DistributedPlan& plan, const Case& one, bool is_input) {
    const bool is_spectrum = is_input == (one.direction == Direction::inverse);
    if (one.problem.spectrum_order == SpectrumOrder::natural || !is_spectrum)
        return [](std::size_t, std::uint64_t position) { return position; };
    return [plan](std::size_t axis, std::uint64_t position) {
        return plan.spectrum_index(static_cast<int>(axis), position);
    };
}

/// This rank's box of the result.
std::vector<std::byte> run_ranks(const Device& device, const DistributedPlan& plan, const Case& one,
                                 const std::shared_ptr<Communicator>& communicator, const std::vector<std::byte>& whole,
                                 const Stored& stored) {
    const Kind kind = kind_of(one.problem);
    const auto rank = static_cast<std::size_t>(communicator->rank());
    const std::uint64_t numbers = is_real_input(kind) ? 1 : 2;
    const bool in_place = one.problem.placement == Placement::in_place;
    std::vector<std::byte> input(plan.input_bytes()), output(plan.output_bytes());
    for_box(one.boxes.input[rank], lengths_of(one.problem, is_halved_input(kind)), one.problem.batch,
            order_of(plan, one, true), [&](std::uint64_t from, std::uint64_t to) {
                std::memcpy(input.data() + to * numbers * stored.bytes(),
                            whole.data() + from * numbers * stored.bytes(), numbers * stored.bytes());
            });
    Queue queue = device.create_queue();
    const auto allocate = [&](std::uint64_t bytes) { return bytes == 0 ? Buffer() : device.allocate(bytes); };
    DistributedExecution execution;
    execution.direction = one.direction;
    execution.input = allocate(in_place ? std::max(input.size(), output.size()) : input.size());
    if (!in_place) execution.output = allocate(output.size());
    execution.workspace = allocate(plan.workspace_bytes());
    if (!input.empty()) queue.upload(execution.input, input.data(), input.size());
    plan.execute(queue, execution);
    if (!output.empty()) queue.download(output.data(), in_place ? execution.input : execution.output, output.size());
    queue.wait();
    if (!in_place && !input.empty()) {
        std::vector<std::byte> after(input.size());
        queue.download(after.data(), execution.input, after.size());
        if (after != input) throw InternalError("the input was written");
    }
    return output;
}

/// Strides of a box with its axes in another order, and gaps.
std::vector<std::int64_t> random_strides(Random& random, const Box& box) {
    std::vector<std::size_t> axes(box.lower.size());
    for (std::size_t i = 0; i < axes.size(); ++i) axes[i] = i;
    for (std::size_t i = axes.size(); i > 1; --i) std::swap(axes[i - 1], axes[random.below(i)]);
    std::vector<std::int64_t> strides(axes.size());
    std::uint64_t stride = 1 + random.below(2);
    for (const std::size_t axis : axes) {
        strides[axis] = static_cast<std::int64_t>(stride);
        stride = stride * std::max<std::uint64_t>(1, box.extent(axis)) + random.below(2);
    }
    return strides;
}

void choose_kind(Random& random, Problem& problem, Case& one) {
    const Kind real_kinds[] = {Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst1, Kind::dst2,
                               Kind::dst3, Kind::dst4, Kind::dht,  Kind::r2hc, Kind::hc2r};
    const Kind halved[] = {Kind::r2c, Kind::c2r, Kind::hfft, Kind::ihfft};
    switch (random.below(4)) {
        case 0: problem.kind = halved[random.below(2)]; break;
        case 1: problem.kind = halved[random.below(4)]; break;
        case 2: problem.kind = real_kinds[random.below(std::size(real_kinds))]; break;
        default: break;
    }
    if (is_halved_input(problem.kind) || is_halved_output(problem.kind))
        problem.halved_axis = problem.axes[random.below(problem.axes.size())];
    if (is_real_to_real(problem.kind)) {
        if (random.once_in(2)) {
            problem.axis_kinds.clear();
            for (std::size_t i = 0; i < problem.axes.size(); ++i)
                problem.axis_kinds.push_back(real_kinds[random.below(std::size(real_kinds))]);
        }
        problem.orthonormal = random.once_in(4);
        problem.orthogonalize = !problem.orthonormal && random.once_in(4);
    }
    if (problem.kind == Kind::c2c || is_real_to_real(problem.kind))
        one.direction = random.once_in(2) ? Direction::forward : Direction::inverse;
}

Scale random_scale(Random& random) {
    switch (random.below(5)) {
        case 0: return Scale::by_n();
        case 1: return Scale::by_sqrt_n();
        case 2: return Scale::factor(0.75);
        default: return Scale::none();
    }
}

std::vector<Box> boxes_of(Random& random, const std::vector<std::uint64_t>& lengths, int ranks) {
    const int axes = static_cast<int>(lengths.size());
    const int first = static_cast<int>(random.below(lengths.size()));
    if (random.once_in(3)) return slab(lengths, first, ranks);
    if (axes > 1 && ranks % 2 == 0 && random.once_in(2))
        return pencils(lengths, {first, (first + 1) % axes}, ranks / 2, 2);
    return random_boxes(random, lengths, ranks);
}

}  // namespace

std::uint64_t Random::bits() {
    state_ += 0x9e3779b97f4a7c15ull;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

std::string Case::text() const {
    std::string text = "seed " + std::to_string(seed) + ": " + to_string(problem);
    for (const auto* side : {&boxes.input, &boxes.output})
        for (const Box& box : *side) {
            text += (&box == side->data() ? (side == &boxes.input ? "\n  from " : "\n  to ") : ", ") + to_string(box);
            for (const std::int64_t stride : box.strides) text += " " + std::to_string(stride);
        }
    return text;
}

std::vector<Box> random_boxes(Random& random, const std::vector<std::uint64_t>& lengths, int ranks) {
    std::vector<Box> boxes{{std::vector<std::uint64_t>(lengths.size(), 0), lengths}};
    while (static_cast<int>(boxes.size()) < ranks) {
        const std::size_t i = random.below(boxes.size()), axis = random.below(lengths.size());
        Box& low = boxes[i];
        Box high = low;
        high.lower[axis] = low.upper[axis] = low.lower[axis] + random.below(low.extent(axis) + 1);
        boxes.push_back(std::move(high));
    }
    for (std::size_t i = boxes.size(); i > 1; --i) std::swap(boxes[i - 1], boxes[random.below(i)]);
    return boxes;
}

Case random_case(std::uint64_t seed, int ranks) {
    Random random(seed);
    Case one;
    one.seed = seed;
    Problem& problem = one.problem;
    const std::uint64_t most = 3000, axes = 1 + random.below(4),
                        numbers[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 32};
    for (std::uint64_t axis = 0, count = 1; axis < axes; ++axis) {
        std::uint64_t n = numbers[random.below(std::size(numbers))];
        if (count * n > most) n = 2;
        count *= n = std::max<std::uint64_t>(n, 2);  // dct1 takes no fewer
        problem.lengths.push_back(n);
    }
    for (int axis = 0; axis < static_cast<int>(axes); ++axis)
        if (random.below(4) != 0) problem.axes.push_back(axis);
    if (problem.axes.empty()) problem.axes.push_back(static_cast<int>(random.below(axes)));
    if (random.once_in(3)) std::reverse(problem.axes.begin(), problem.axes.end());
    problem.batch = random.once_in(3) ? 1 + random.below(3) : 1;
    choose_kind(random, problem, one);
    const Precision precisions[] = {Precision::f32, Precision::f32, Precision::f64, Precision::f64x2};
    problem.precision = precisions[random.below(4)];
    if (problem.precision == Precision::f32 && random.once_in(4)) problem.storage = Storage::f16;
    if (!problem.orthonormal) {
        problem.forward_scale = random_scale(random);
        problem.inverse_scale = random_scale(random);
    }
    const Kind kind = kind_of(problem);
    one.boxes.input = boxes_of(random, lengths_of(problem, is_halved_input(kind)), ranks);
    one.boxes.output = boxes_of(random, lengths_of(problem, is_halved_output(kind)), ranks);
    if (random.once_in(4)) problem.placement = Placement::in_place;
    if (random.once_in(3))
        for (auto* side : {&one.boxes.input, &one.boxes.output})
            for (Box& box : *side)
                if (random.once_in(2)) box.strides = random_strides(random, box);
    const Decomposition decompositions[] = {Decomposition::any, Decomposition::any, Decomposition::slabs,
                                            Decomposition::pencils};
    one.options.decomposition = decompositions[random.below(4)];
    return one;
}

Case random_line(std::uint64_t seed, int ranks) {
    Random random(seed * 5 + 2);
    Case one;
    one.seed = seed;
    Problem& problem = one.problem;
    const std::uint64_t longer[] = {4,  6,   9,   12,  16,  30,  35,  36,   49,   64,   77,  96,
                                    97, 120, 121, 128, 210, 243, 256, 1000, 1024, 1155, 2048},
                        n = longer[random.below(std::size(longer))];
    problem.lengths = {n};
    problem.axes = {0};
    if (random.once_in(3)) {
        const std::uint64_t other = 1 + random.below(3);
        const bool is_first = random.once_in(2);
        problem.lengths.insert(is_first ? problem.lengths.begin() : problem.lengths.end(), other);
        if (is_first) problem.axes = {1};
        if (random.once_in(2)) problem.axes = {0, 1};
    }
    problem.batch = random.once_in(3) ? 1 + random.below(3) : 1;
    const Precision precisions[] = {Precision::f32, Precision::f64};
    problem.precision = precisions[random.below(2)];
    if (problem.precision == Precision::f32 && random.once_in(6)) problem.storage = Storage::f16;
    one.is_against_double = problem.storage == Storage::same;
    one.direction = random.once_in(2) ? Direction::forward : Direction::inverse;
    problem.forward_scale = random_scale(random);
    problem.inverse_scale = random_scale(random);
    const bool is_real = problem.lengths.size() == 1 && problem.storage == Storage::same && random.once_in(3);
    if (is_real) {
        problem.kind = one.direction == Direction::forward ? Kind::r2c : Kind::c2r;
        problem.halved_axis = 0;
        one.direction.reset();
    } else if (random.once_in(3)) {
        problem.spectrum_order = SpectrumOrder::pass;
    }
    if (random.once_in(3)) problem.placement = Placement::in_place;
    const auto boxes = [&](bool is_halved) {
        const std::vector<std::uint64_t> lengths = is_real ? lengths_of(problem, is_halved) : problem.lengths;
        return random.once_in(2) ? slab(lengths, problem.axes.back(), ranks) : boxes_of(random, lengths, ranks);
    };
    one.boxes = {boxes(problem.kind == Kind::c2r), boxes(problem.kind == Kind::r2c)};
    if (random.once_in(4))
        for (auto* side : {&one.boxes.input, &one.boxes.output})
            for (Box& box : *side)
                if (random.once_in(2)) box.strides = random_strides(random, box);
    const bool is_product = is_real ? n % 2 == 0 && n > 6 : n != 97;
    if (is_product && !random.once_in(4)) one.options.decomposition = Decomposition::four_step;
    const Directions both[] = {Directions::both, Directions::both,
                               one.direction == Direction::forward ? Directions::forward : Directions::inverse};
    if (!is_real) one.options.directions = both[random.below(3)];
    return one;
}

std::string fault(const Device& device, const Case& one, const std::shared_ptr<Communicator>& communicator) {
    const Stored stored(one.problem);
    const Kind kind = kind_of(one.problem);
    const std::vector<std::byte> input = whole_input(one, stored);
    const std::vector<std::byte> expected = whole_output(device, one, input);
    const DistributedPlan plan(device, one.problem, one.boxes, communicator, one.options);
    const std::vector<std::byte> own = run_ranks(device, plan, one, communicator, input, stored);
    const std::uint64_t numbers = is_real_output(kind) ? 1 : 2;
    double error = 0, norm = 0;
    const auto rank = static_cast<std::size_t>(communicator->rank());
    const Stored alone(problem_alone(one));
    for (std::uint64_t i = 0; i < expected.size() / alone.bytes(); ++i)
        norm = std::max(norm, std::abs(alone.get(expected, i)));
    for_box(one.boxes.output[rank], lengths_of(one.problem, is_halved_output(kind)), one.problem.batch,
            order_of(plan, one, false), [&](std::uint64_t from, std::uint64_t to) {
                for (std::uint64_t part = 0; part < numbers; ++part) {
                    const double difference =
                        std::abs(alone.get(expected, from * numbers + part) - stored.get(own, to * numbers + part));
                    error = difference <= error ? error : difference;  // a NaN stays
                }
            });
    const double bound = 16 * stored.unit() * norm;
    if (error <= bound) return {};
    return one.text() + "\n  rank " + std::to_string(rank) + ": expected results within " + std::to_string(bound) +
           ", got one that differs by " + std::to_string(error);
}

}  // namespace seiche::distributed::test

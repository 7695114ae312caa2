// Arrays brought to other lengths by way of their spectrum, on a device.
#include "cli/device/fourier_resample.hpp"

#include <algorithm>
#include <optional>

#include "cli/command/report.hpp"
#include "cli/device/device_transform.hpp"
#include "cli/io/npy.hpp"

namespace seiche::cli {
namespace {

/// A dense array as it looks along one axis; the others are those before and those after it.
struct Line {
    std::uint64_t outer = 1, length = 1, inner = 1;
    std::uint64_t elements() const { return outer * length * inner; }
    /// Strides of an array whose axis has `length` elements.
    std::vector<std::int64_t> strides() const {
        return {static_cast<std::int64_t>(length * inner), static_cast<std::int64_t>(inner), 1};
    }
};

/// Values of the spectrum along the axis.
std::uint64_t bins(Continuation continuation, std::uint64_t length) {
    return continuation == Continuation::periodic ? length / 2 + 1 : length;
}

/// Of the shorter length the bin that stands for one wave where all others but the first stand for two, of positive and
/// negative frequency; in the longer it is one of those.
std::optional<std::uint64_t> single_bin(Continuation continuation, std::uint64_t shorter) {
    if (continuation == Continuation::periodic && shorter % 2 == 0) return shorter / 2;
    if (continuation == Continuation::about_samples) return shorter - 1;
    return {};
}

/// What analysis and synthesis together multiply by.
double gain(Continuation continuation, std::uint64_t length) {
    const auto n = static_cast<double>(length);
    switch (continuation) {
        case Continuation::periodic: return n;
        case Continuation::about_samples: return 2 * (n - 1);
        case Continuation::about_edges: break;
    }
    return 2 * n;
}

template <class T>
class AxisResampler {
public:
    AxisResampler(const Device& device, Queue& queue, Continuation continuation, ResampleFigures& figures)
        : device_(device), queue_(queue), continuation_(continuation), figures_(figures) {}

    /// The array `in`, which is `line`, with the axis `length` elements long. One buffer holds both spectra: analysis
    /// does not compute what is cut, synthesis does not read what would be zero.
    Buffer run(const Buffer& in, const Line& line, std::uint64_t length) {
        const bool halved = continuation_ == Continuation::periodic;
        const std::uint64_t have = bins(continuation_, line.length), want = bins(continuation_, length);
        const Line spectrum{line.outer, std::max(have, want), line.inner}, result{line.outer, length, line.inner};
        const Buffer values = device_.allocate(spectrum.elements() * sizeof(T) * (halved ? 2 : 1));

        Problem analysis = problem_along(line);
        analysis.kind = halved ? Kind::r2c : forward_kind();
        analysis.output.strides = spectrum.strides();
        if (want < have) analysis.spectrum_zeros = {{1, want, have}};
        execute(analysis, Direction::forward, in, values);

        const std::optional<std::uint64_t> single = single_bin(continuation_, std::min(line.length, length));
        if (single) weigh(values, spectrum, *single, length < line.length ? 2 : 0.5);

        Problem synthesis = problem_along(result);
        synthesis.kind = halved ? Kind::c2r : forward_kind();
        synthesis.input.strides = spectrum.strides();
        if (have < want) synthesis.spectrum_zeros = {{1, have, want}};
        synthesis.inverse_scale = Scale::factor(1 / gain(continuation_, line.length));
        Buffer out = device_.allocate(result.elements() * sizeof(T));
        execute(synthesis, Direction::inverse, values, out);
        return out;
    }

private:
    Kind forward_kind() const { return continuation_ == Continuation::about_samples ? Kind::dct1 : Kind::dct2; }

    static Problem problem_along(const Line& line) {
        Problem problem;
        problem.lengths = {line.outer, line.length, line.inner};
        problem.axes = {1};
        problem.precision = precision_of<T>();
        return problem;
    }

    /// Multiplies one bin of every spectrum by `factor`: a transform of one point is the point.
    void weigh(const Buffer& values, const Line& spectrum, std::uint64_t bin, double factor) {
        const bool halved = continuation_ == Continuation::periodic;
        Problem problem = problem_along({spectrum.outer, 1, spectrum.inner});
        problem.kind = halved ? Kind::c2c : Kind::dht;
        problem.placement = Placement::in_place;
        problem.forward_scale = Scale::factor(factor);
        problem.input.strides = spectrum.strides();
        problem.input.byte_offset = bin * spectrum.inner * sizeof(T) * (halved ? 2 : 1);
        execute(problem, Direction::forward, values, values);
    }

    void execute(const Problem& problem, Direction direction, const Buffer& in, const Buffer& out) {
        const double start = now_seconds();
        std::optional<Progress> compiling(std::in_place, "compiling kernels");
        PlanOptions options;
        options.directions = direction == Direction::forward ? Directions::forward : Directions::inverse;
        const Plan plan(device_, problem, options);
        plan.warm_up();
        figures_.plan_ms += 1e3 * (now_seconds() - start);
        compiling.reset();
        const Progress resampling("resampling");
        Execution execution;
        execution.direction = direction;
        execution.input = in;
        execution.output = out;
        if (plan.workspace_bytes() != 0) execution.workspace = device_.allocate(plan.workspace_bytes());
        const Event before = queue_.record();
        plan.execute(queue_, execution);
        const Event after = queue_.record();
        figures_.device_milliseconds += queue_.milliseconds(before, after);  // waits
    }

    const Device& device_;
    Queue& queue_;
    Continuation continuation_;
    ResampleFigures& figures_;
};

/// The axes whose length changes, first those that leave the least to do for the next.
std::vector<std::size_t> axes_in_order(const Shape& from, const Shape& to) {
    std::vector<std::size_t> axes;
    for (std::size_t axis = 0; axis < from.size(); ++axis)
        if (from[axis] != to[axis]) axes.push_back(axis);
    const auto growth = [&](std::size_t axis) {
        return static_cast<double>(to[axis]) / static_cast<double>(from[axis]);
    };
    std::sort(axes.begin(), axes.end(), [&](std::size_t a, std::size_t b) { return growth(a) < growth(b); });
    return axes;
}

}  // namespace

const char* to_string(Continuation continuation) noexcept {
    return continuation == Continuation::periodic ? "periodic" : "symmetric";
}

template <class T>
std::vector<T> fourier_resample(const Device& device, const std::vector<T>& values, const Shape& from, const Shape& to,
                                Continuation continuation, ResampleFigures& figures) {
    const std::vector<std::size_t> axes = axes_in_order(from, to);
    if (axes.empty()) return values;
    Queue queue = device.create_queue();
    Buffer buffer = device.allocate(values.size() * sizeof(T));
    queue.upload(buffer, values.data(), values.size() * sizeof(T));
    AxisResampler<T> resampler(device, queue, continuation, figures);
    Shape shape = from;
    for (const std::size_t axis : axes) {
        const auto at = shape.begin() + static_cast<std::ptrdiff_t>(axis);
        const Line line{io::element_count({shape.begin(), at}), *at, io::element_count({at + 1, shape.end()})};
        buffer = resampler.run(buffer, line, to[axis]);
        *at = to[axis];
    }
    std::vector<T> result(io::element_count(to));
    queue.download(result.data(), buffer, result.size() * sizeof(T));
    return result;
}
template std::vector<float> fourier_resample(const Device&, const std::vector<float>&, const Shape&, const Shape&,
                                             Continuation, ResampleFigures&);
template std::vector<double> fourier_resample(const Device&, const std::vector<double>&, const Shape&, const Shape&,
                                              Continuation, ResampleFigures&);

}  // namespace seiche::cli

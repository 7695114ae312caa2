// Drawing convolutions and summing them up.
#include "cli/check/check_convolutions.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <vector>

#include "cli/reference/random_data.hpp"
#include "cli/reference/reference_dft.hpp"
#include "seiche/error.hpp"
#include "seiche/half.hpp"

namespace seiche::cli {
namespace {

/// Three transforms and a product, of data whose results do not cancel: docs/reference/convolution.md.
constexpr double bound = 3.0;
/// Products that a check sums up.
constexpr std::uint64_t most_products = std::uint64_t{1} << 25;
constexpr std::uint64_t canary_bytes = 64;

std::uint64_t product_of(const std::vector<std::uint64_t>& lengths) {
    std::uint64_t product = 1;
    for (const std::uint64_t n : lengths) product *= n;
    return product;
}

/// The result's own points, summed up from the definition.
class Sums {
public:
    Sums(const Convolution& c, const std::vector<Wide>& signal, const std::vector<Wide>& kernels)
        : c_(c), signal_(signal), kernels_(kernels), lengths_(result_lengths(c)) {
        if (c.product == ConvolutionProduct::phase) correlate_phases();
    }

    std::uint64_t points() const { return product_of(lengths_); }

    /// Point `k` of output `output` of signal `entry`.
    Wide at(std::uint64_t entry, std::uint32_t output, std::uint64_t k) const {
        if (!phases_.empty()) return phases_[entry * c_.outputs + output][k];
        const std::uint64_t each = product_of(c_.signal), taps = product_of(c_.kernel);
        Wide sum = 0;
        for (std::uint32_t input = 0; input < c_.inputs; ++input) {
            if (c_.channels == ChannelMatrix::diagonal && input != output) continue;
            const Wide* x = signal_.data() + (entry * c_.inputs + input) * each;
            const Wide* h = kernels_.data() + kernel_of(output, input) * taps;
            sum += along(0, x, h, k, points());
        }
        return sum;
    }

private:
    /// Of every output of every signal, which there is one input of.
    void correlate_phases() {
        const std::uint64_t each = points();
        std::vector<std::vector<Wide>> kernels;
        for (std::uint32_t output = 0; output < c_.outputs; ++output) kernels.push_back(spectrum_of_kernel(output));
        for (std::uint64_t entry = 0; entry < c_.batch; ++entry) {
            const auto first = signal_.begin() + static_cast<std::ptrdiff_t>(entry * each);
            const std::vector<Wide> x =
                reference_dft({first, first + static_cast<std::ptrdiff_t>(each)}, lengths_, {}, Direction::forward);
            for (const std::vector<Wide>& h : kernels) {
                std::vector<Wide> product(x);
                for (std::size_t i = 0; i < product.size(); ++i) {
                    product[i] *= std::conj(h[i]);
                    const long double magnitude = std::abs(product[i]);
                    if (magnitude != 0) product[i] /= magnitude * static_cast<long double>(each);
                }
                phases_.push_back(reference_dft(product, lengths_, {}, Direction::inverse));
            }
        }
    }

    /// Padded to the signal's lengths.
    std::vector<Wide> spectrum_of_kernel(std::uint32_t output) const {
        const std::uint64_t taps = product_of(c_.kernel);
        std::vector<Wide> padded(points());
        for (std::uint64_t i = 0; i < taps; ++i) {
            std::uint64_t rest = i, at = 0, step = 1;
            for (std::size_t axis = c_.kernel.size(); axis-- > 0; rest /= c_.kernel[axis], step *= lengths_[axis])
                at += rest % c_.kernel[axis] * step;
            padded[at] = kernels_[output * taps + i];
        }
        return reference_dft(padded, lengths_, {}, Direction::forward);
    }

    std::uint64_t kernel_of(std::uint64_t output, std::uint64_t input) const {
        if (c_.channels == ChannelMatrix::full) return output * c_.inputs + input;
        if (c_.channels == ChannelMatrix::diagonal) return output;
        const std::uint64_t row = std::min(output, input), column = std::max(output, input);
        return row * c_.inputs - row * (row + 1) / 2 + column;
    }

    /// Sums over axis `axis` and those after it; `rest` is k's index among `count` points of them.
    Wide along(std::size_t axis, const Wide* x, const Wide* h, std::uint64_t rest, std::uint64_t count) const {
        const bool is_correlation = c_.product == ConvolutionProduct::correlate;
        if (axis == lengths_.size()) return *x * (is_correlation ? std::conj(*h) : *h);
        const auto a = static_cast<std::int64_t>(c_.signal[axis]), b = static_cast<std::int64_t>(c_.kernel[axis]);
        count /= lengths_[axis];
        const auto k = static_cast<std::int64_t>(rest / count);
        std::uint64_t x_step = 1, h_step = 1;
        for (std::size_t i = axis + 1; i < lengths_.size(); ++i) {
            x_step *= c_.signal[i];
            h_step *= c_.kernel[i];
        }
        Wide sum = 0;
        for (std::int64_t l = 0; l < b; ++l) {
            std::int64_t j = is_correlation ? k + l : k - l;
            if (c_.mode == ConvolutionMode::circular) {
                j = (j % a + a) % a;
            } else {
                const bool is_first = c_.mode == ConvolutionMode::causal && !is_correlation;
                const std::int64_t first = c_.mode == ConvolutionMode::full || is_first ? 0
                                           : c_.mode == ConvolutionMode::same           ? (b - 1) / 2
                                                                                        : b - 1;
                j += first - (is_correlation ? b - 1 : 0);
            }
            if (j < 0 || j >= a) continue;
            sum += along(axis + 1, x + static_cast<std::uint64_t>(j) * x_step,
                         h + static_cast<std::uint64_t>(l) * h_step, rest % count, count);
        }
        return sum;
    }

    const Convolution& c_;
    const std::vector<Wide>&signal_, &kernels_;
    const std::vector<std::uint64_t> lengths_;
    std::vector<std::vector<Wide>> phases_;  // of a phase correlation, all results
};

/// Numbers as the arrays store them.
template <class Real>
class Stored {
public:
    explicit Stored(Storage storage) : storage_(storage) {}

    std::size_t bytes() const {
        switch (storage_) {
            case Storage::f16:
            case Storage::bf16: return 2;
            case Storage::f32: return 4;
            case Storage::f64: return 8;
            case Storage::same: break;
        }
        return sizeof(Real);
    }
    /// Of one rounding.
    double unit() const {
        switch (storage_) {
            case Storage::f16: return 0x1p-11;
            case Storage::bf16: return 0x1p-8;
            case Storage::f32: return sizeof(Real) == 4 ? 0 : 0x1p-24;
            default: return 0;
        }
    }

    std::vector<unsigned char> encoded(const std::vector<Real>& values) const {
        std::vector<unsigned char> memory(values.size() * bytes());
        unsigned char* to = memory.data();
        const auto put = [&](auto stored) { std::memcpy(to, &stored, sizeof stored); };
        for (const Real value : values) {
            switch (storage_) {
                case Storage::f16: put(to_f16(static_cast<float>(value))); break;
                case Storage::bf16: put(to_bf16(static_cast<float>(value))); break;
                case Storage::f32: put(static_cast<float>(value)); break;
                case Storage::f64: put(static_cast<double>(value)); break;
                case Storage::same: put(value); break;
            }
            to += bytes();
        }
        return memory;
    }

    std::vector<Real> decoded(const unsigned char* memory, std::size_t count) const {
        std::vector<Real> values(count);
        const auto get = [&]<class T>(T stored) {
            std::memcpy(&stored, memory, sizeof stored);
            memory += sizeof stored;
            return stored;
        };
        for (Real& value : values) {
            switch (storage_) {
                case Storage::f16: value = static_cast<Real>(from_f16(get(std::uint16_t{}))); break;
                case Storage::bf16: value = static_cast<Real>(from_bf16(get(std::uint16_t{}))); break;
                case Storage::f32: value = static_cast<Real>(get(float{})); break;
                case Storage::f64: value = static_cast<Real>(get(double{})); break;
                case Storage::same: value = get(Real{}); break;
            }
        }
        return values;
    }

private:
    Storage storage_;
};

/// How random numbers are made fit to be judged by.
struct DrawnAs {
    bool is_positive = false;       ///< Few results could cancel otherwise.
    std::uint64_t large_every = 0;  ///< So that no bin is small beside the others, one of so many is large; 0: none.
};

template <class Real>
std::vector<Real> drawn(Random& random, std::uint64_t count, const DrawnAs& as) {
    std::vector<Real> values(static_cast<std::size_t>(count));
    for (Real& value : values)
        value = random.value<Real>() * (as.is_positive ? Real(0.5) : Real(1)) + (as.is_positive ? 1 : 0);
    for (std::uint64_t first = 0; as.large_every != 0 && first < count; first += as.large_every)
        values[first + random.below(as.large_every)] = 4 * std::sqrt(static_cast<Real>(as.large_every)) + 1;
    return values;
}

template <class Real>
std::vector<Wide> widened(const std::vector<Real>& values, bool is_complex) {
    std::vector<Wide> wide;
    const std::size_t step = is_complex ? 2 : 1;
    for (std::size_t i = 0; i < values.size(); i += step)
        wide.emplace_back(values[i], is_complex ? static_cast<long double>(values[i + 1]) : 0.0L);
    return wide;
}

Buffer poisoned(Queue& queue, const Device& device, std::uint64_t bytes) {
    if (bytes == 0) return {};
    Buffer buffer = device.allocate(bytes);
    const std::vector<unsigned char> nan(static_cast<std::size_t>(bytes), 0xff);
    queue.upload(buffer, nan.data(), bytes);
    return buffer;
}

using Bytes = std::vector<unsigned char>;

/// The output, and what lies behind it.
Bytes run(const ConvolutionPlan& plan, const Bytes& x, const Bytes& h) {
    const Device& device = plan.device();
    Queue queue = device.create_queue();
    ConvolutionPreparation preparation;
    preparation.kernels = device.allocate(plan.kernel_bytes());
    preparation.spectrum = poisoned(queue, device, plan.spectrum_bytes());
    preparation.workspace = poisoned(queue, device, plan.preparation_bytes());
    queue.upload(preparation.kernels, h.data(), plan.kernel_bytes());
    plan.prepare(queue, preparation);
    ConvolutionExecution execution;
    execution.input = device.allocate(plan.input_bytes());
    execution.spectrum = preparation.spectrum;
    execution.output = poisoned(queue, device, plan.output_bytes() + canary_bytes);
    execution.workspace = poisoned(queue, device, plan.workspace_bytes());
    queue.upload(execution.input, x.data(), plan.input_bytes());
    plan.execute(queue, execution);
    std::vector<unsigned char> bytes(static_cast<std::size_t>(plan.output_bytes() + canary_bytes));
    queue.download(bytes.data(), execution.output, bytes.size());
    return bytes;
}

template <class Real>
Accuracy compared(const Device& device, const Convolution& c, std::uint64_t seed) {
    const ConvolutionPlan plan(device, c);
    Random random(seed);
    const bool is_phase = c.product == ConvolutionProduct::phase;
    const bool is_positive = !is_phase && product_of(result_lengths(c)) < 64;
    const Stored<Real> form(c.storage);
    const std::size_t parts = c.complex ? 2 : 1;
    const auto encoded = [&](std::uint64_t count, std::uint64_t each) {
        return form.encoded(drawn<Real>(random, count, {is_positive, is_phase ? each * parts : 0}));
    };
    const Bytes x = encoded(plan.input_bytes() / form.bytes(), product_of(c.signal));
    const Bytes h = encoded(plan.kernel_bytes() / form.bytes(), product_of(c.kernel));
    const Bytes bytes = run(plan, x, h);
    const auto wide = [&](const Bytes& stored) {
        return widened(form.decoded(stored.data(), stored.size() / form.bytes()), c.complex);
    };
    const std::vector<Wide> signal = wide(x), kernels = wide(h);
    const Sums sums(c, signal, kernels);
    const std::uint64_t points = sums.points(), all = c.batch * c.outputs * points;
    const std::uint64_t most = std::max<std::uint64_t>(64, most_products / (product_of(c.kernel) * c.inputs));
    const std::vector<Real> y = form.decoded(bytes.data(), (bytes.size() - canary_bytes) / form.bytes());
    long double error = 0, norm = 0;
    for (std::uint64_t i = 0; i < std::min(all, most); ++i) {
        const std::uint64_t at = all <= most ? i : random.below(all), line = at / points;
        const Wide expected = sums.at(line / c.outputs, static_cast<std::uint32_t>(line % c.outputs), at % points);
        const std::size_t first = static_cast<std::size_t>(at) * parts;
        error += std::norm(Wide(y[first], c.complex ? y[first + 1] : Real(0)) - expected);
        norm += std::norm(expected);
    }
    const double padded = static_cast<double>(std::max<std::uint64_t>(2, product_of(plan.padded_lengths())));
    const double u = sizeof(Real) == 4 ? 0x1p-24 : 0x1p-53, unit = u * std::sqrt(std::log2(padded));
    Accuracy accuracy;
    accuracy.bound = bound + form.unit() / unit;
    accuracy.transforms = c.batch * c.outputs;
    accuracy.units = norm == 0 && error == 0 ? 0 : static_cast<double>(std::sqrt(error / norm)) / unit;
    if (std::isnan(accuracy.units)) accuracy.fault = "a NaN in the result: not written, or read from where nothing was";
    if (!std::all_of(bytes.end() - canary_bytes, bytes.end(), [](unsigned char b) { return b == 0xff; }))
        accuracy.fault = "bytes behind the output were written";
    return accuracy;
}

}  // namespace

bool is_convolution(const std::string& text) { return text.find('*') != std::string::npos; }

Convolution draw_convolution(std::uint64_t seed, std::uint64_t index, const ConvolutionDraw& limits) {
    Random random(splitmix(seed) + index);
    Convolution c;
    const std::size_t axes = random.one_in(3) ? 2 : 1;
    c.mode = static_cast<ConvolutionMode>(random.below(4));
    c.product = random.one_in(2) ? ConvolutionProduct::correlate : ConvolutionProduct::convolve;
    c.complex = random.one_in(3);
    c.precision = limits.fp64 && random.one_in(3) ? Precision::f64 : Precision::f32;
    c.batch = 1 + random.below(3);
    const double most = std::log2(static_cast<double>(limits.points)) / static_cast<double>(axes);
    const auto length = [&](double within) {
        return static_cast<std::uint64_t>(std::exp2(within * static_cast<double>(random.below(1024)) / 1024));
    };
    const bool is_within = c.mode == ConvolutionMode::valid || c.mode == ConvolutionMode::circular;
    for (std::size_t i = 0; i < axes; ++i) {
        c.signal.push_back(length(most));
        c.kernel.push_back(length(most * 0.8));
        if (is_within) c.kernel.back() = std::min(c.kernel.back(), c.signal.back());
    }
    if (random.one_in(3) && c.mode != ConvolutionMode::circular) {
        c.inputs = 1 + static_cast<std::uint32_t>(random.below(3));
        c.outputs = 1 + static_cast<std::uint32_t>(random.below(4));
        c.channels = static_cast<ChannelMatrix>(random.below(3));
        if (c.channels != ChannelMatrix::full) c.outputs = c.inputs;
    }
    if (c.mode == ConvolutionMode::full && c.product == ConvolutionProduct::convolve && random.one_in(2))
        c.mode = ConvolutionMode::causal;
    if (axes == 1 && !is_within && random.one_in(4)) c.block = std::uint64_t{1} << (6 + random.below(5));
    while (c.block != 0 && c.block < 2 * c.kernel.front()) c.block *= 2;
    if (c.block > 2048) c.block = 0;
    return c;
}

std::vector<Convolution> sweep_convolutions(const ConvolutionSweep& limits) {
    Random random(limits.seed);
    std::vector<Convolution> all;
    for (std::uint64_t n = limits.low; n <= limits.high; ++n)
        for (const Precision precision : {Precision::f32, Precision::f64})
            for (const bool complex : {false, true}) {
                const bool is_single = precision == Precision::f32;
                Convolution c;
                c.mode = ConvolutionMode::circular;
                c.complex = complex;
                c.precision = precision;
                c.batch = 1 + random.below(3);
                c.product = static_cast<ConvolutionProduct>(random.below(3));
                if (random.one_in(4))
                    c.storage = !is_single ? Storage::f32 : random.one_in(2) ? Storage::f16 : Storage::bf16;
                const std::uint64_t kernels[] = {1, std::min<std::uint64_t>(n, 2), 1 + random.below(n), n};
                c.signal = {n};
                c.kernel = {kernels[random.below(4)]};
                if (random.one_in(3)) {
                    const bool is_last = !random.one_in(4);
                    const std::uint64_t beside = 2 + random.below(3);
                    c.signal.insert(is_last ? c.signal.begin() : c.signal.end(), beside);
                    c.kernel.insert(is_last ? c.kernel.begin() : c.kernel.end(), 1 + random.below(beside));
                }
                if (is_single || limits.fp64) all.push_back(c);
            }
    return all;
}

std::string class_of(const Convolution& c) {
    return std::string(c.signal.size() == 1 ? "1-D " : "n-D ") + (c.complex ? "complex " : "real ") +
           to_string(c.mode) + (c.product == ConvolutionProduct::phase ? " phase" : "") +
           (c.storage != Storage::same ? " stored" : "");
}

Accuracy verify(const Device& device, const Convolution& c, std::uint64_t seed) {
    (void)result_lengths(c);  // makes sense
    const bool is_judged = c.precision == Precision::f32 || c.precision == Precision::f64;
    const bool mixes_phases = c.product == ConvolutionProduct::phase && c.inputs > 1;
    if (!is_judged || c.domain != KernelDomain::time || mixes_phases)
        throw InvalidProblem(
            "check of a convolution: expected f32 or f64, kernels in time and, of phases, one input, got " +
            to_string(c));
    return c.precision == Precision::f32 ? compared<float>(device, c, seed) : compared<double>(device, c, seed);
}

}  // namespace seiche::cli

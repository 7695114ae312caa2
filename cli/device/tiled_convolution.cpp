// Convolutions of arrays of any size by blocks of a few fixed sizes, so that files of many sizes share compiled kernels
// (overlap-save: T. G. Stockham, "High-speed convolution and correlation", 1966).
#include "cli/device/tiled_convolution.hpp"

#include <algorithm>
#include <array>

#include "cli/command/report.hpp"
#include "cli/device/device_transform.hpp"
#include "cli/io/npy.hpp"

namespace seiche::cli {
namespace {

/// Kernels of up to so many points, and the block that serves them. Few, since each is a set of kernels to compile.
struct Listed {
    std::uint64_t kernel, block;
};
constexpr std::array<Listed, 5> along_one_axis{
    {{1 << 12, 1 << 14}, {1 << 15, 1 << 16}, {1 << 16, 1 << 18}, {1 << 18, 1 << 20}, {1 << 20, 1 << 22}}};
constexpr std::array<Listed, 3> along_two_axes{{{1 << 5, 1 << 9}, {1 << 7, 1 << 9}, {1 << 9, 1 << 11}}};

/// What is computed along an axis, in places of the full convolution, and where that lies in the signal.
struct Span {
    std::uint64_t signal = 0, first = 0, count = 0, step = 0, tiles = 0;
    bool is_cyclic = false;
    std::uint64_t block = 0, overlap = 0;

    /// The element of the signal that is point j of block `tile`; none where there are zeros.
    std::optional<std::uint64_t> place(std::uint64_t tile, std::uint64_t j) const {
        const auto at = static_cast<std::int64_t>(first + tile * step + j) - static_cast<std::int64_t>(overlap);
        const auto n = static_cast<std::int64_t>(signal);
        if (is_cyclic) return static_cast<std::uint64_t>((at % n + n) % n);
        if (at < 0 || at >= n) return std::nullopt;
        return static_cast<std::uint64_t>(at);
    }
    /// Results of a block that are wanted.
    std::uint64_t kept(std::uint64_t tile) const { return std::min(step, count - tile * step); }
};

Span span_of(const Convolution& c, const Tiling& tiling, std::size_t axis) {
    Span span;
    const std::uint64_t b = c.kernel[axis];
    span.signal = c.signal[axis];
    span.count = result_lengths(c)[axis];
    span.block = tiling.block[axis];
    span.overlap = tiling.kernel[axis] - 1;
    span.step = span.block - span.overlap;
    span.tiles = (span.count + span.step - 1) / span.step;
    span.is_cyclic = c.mode == ConvolutionMode::circular;
    switch (c.mode) {
        case ConvolutionMode::full: break;
        case ConvolutionMode::same: span.first = (b - 1) / 2; break;
        case ConvolutionMode::valid: span.first = b - 1; break;
        case ConvolutionMode::causal:
        case ConvolutionMode::circular:
            // A correlation is the convolution with the kernel from its end, which is that much later.
            if (c.product == ConvolutionProduct::correlate) span.first = b - 1;
            break;
    }
    return span;
}

float conjugate(float value) { return value; }
double conjugate(double value) { return value; }
template <class T>
std::complex<T> conjugate(const std::complex<T>& value) {
    return std::conj(value);
}

/// The kernels, continued with zeros; of a correlation from their ends.
template <class Element>
std::vector<Element> padded_kernels(const Convolution& c, const Tiling& tiling, const std::vector<Element>& kernels) {
    const std::uint64_t rows = c.kernel.size() == 2 ? c.kernel[0] : 1, columns = c.kernel.back();
    const std::uint64_t own = rows * columns, padded = io::element_count(tiling.kernel), count = kernels.size() / own;
    std::vector<Element> result(count * padded);
    const bool is_turned = c.product == ConvolutionProduct::correlate;
    for (std::uint64_t k = 0; k < count; ++k)
        for (std::uint64_t i = 0; i < own; ++i) {
            const Element& value = kernels[k * own + (is_turned ? own - 1 - i : i)];
            result[k * padded + i / columns * tiling.kernel.back() + i % columns] =
                is_turned ? conjugate(value) : value;
        }
    return result;
}

/// Moves blocks of one or two axes between a dense array and the device's.
class Tiles {
public:
    Tiles(const Convolution& c, const Tiling& tiling) {
        if (c.signal.size() == 2)
            rows_ = span_of(c, tiling, 0);
        else
            rows_ = {1, 0, 1, 1, 1, false, 1, 0};
        columns_ = span_of(c, tiling, c.signal.size() - 1);
    }
    std::uint64_t count() const { return rows_.tiles * columns_.tiles; }
    std::uint64_t signal() const { return rows_.signal * columns_.signal; }
    std::uint64_t result() const { return rows_.count * columns_.count; }
    std::uint64_t block() const { return rows_.block * columns_.block; }
    std::uint64_t step() const { return rows_.step * columns_.step; }

    template <class Element>
    void gather(const Element* array, std::uint64_t tile, Element* block) const {
        for (std::uint64_t y = 0; y < rows_.block; ++y, block += columns_.block) {
            const std::optional<std::uint64_t> row = rows_.place(tile / columns_.tiles, y);
            if (!row) {
                std::fill_n(block, columns_.block, Element());
                continue;
            }
            const Element* from = array + *row * columns_.signal;
            for (std::uint64_t x = 0; x < columns_.block; ++x) {
                const std::optional<std::uint64_t> column = columns_.place(tile % columns_.tiles, x);
                block[x] = column ? from[*column] : Element();
            }
        }
    }
    template <class Element>
    void scatter(const Element* results, std::uint64_t tile, Element* array) const {
        const std::uint64_t down = tile / columns_.tiles, across = tile % columns_.tiles;
        for (std::uint64_t y = 0; y < rows_.kept(down); ++y)
            std::copy_n(results + y * columns_.step, columns_.kept(across),
                        array + (down * rows_.step + y) * columns_.count + across * columns_.step);
    }

private:
    Span rows_, columns_;
};

/// The plan of one block and what it needs on the device.
class TilePlan {
public:
    TilePlan(const Device& device, const Convolution& convolution, std::uint64_t at_once)
        : plan_(device, convolution), queue_(device.create_queue()) {
        const auto allocated = [&](std::uint64_t bytes) { return bytes == 0 ? Buffer() : device.allocate(bytes); };
        preparation_.kernels = allocated(plan_.kernel_bytes());
        preparation_.spectrum = allocated(plan_.spectrum_bytes());
        preparation_.workspace = allocated(plan_.preparation_bytes());
        execution_.input = allocated(plan_.input_bytes(at_once));
        execution_.spectrum = preparation_.spectrum;
        execution_.output = allocated(plan_.output_bytes(at_once));
        execution_.workspace = allocated(plan_.workspace_bytes(at_once));
    }
    /// Transforms the kernels; milliseconds.
    double prepare(const void* kernels) {
        queue_.upload(preparation_.kernels, kernels, plan_.kernel_bytes());
        queue_.wait();
        const Event before = queue_.record();
        plan_.prepare(queue_, preparation_);
        return queue_.milliseconds(before, queue_.record());
    }
    /// Convolves so many blocks; milliseconds.
    double execute(const void* input, void* output, std::uint64_t batch) {
        queue_.upload(execution_.input, input, plan_.input_bytes(batch));
        queue_.wait();
        execution_.batch = batch;
        const Event before = queue_.record();
        plan_.execute(queue_, execution_);
        const double milliseconds = queue_.milliseconds(before, queue_.record());
        queue_.download(output, execution_.output, plan_.output_bytes(batch));
        return milliseconds;
    }

private:
    ConvolutionPlan plan_;
    Queue queue_;
    ConvolutionPreparation preparation_;
    ConvolutionExecution execution_;
};

/// The convolution of one block. Its batch is no matter of the kernels' text but of their shape, so it is the same
/// always.
Convolution of_one_block(Convolution c, const Tiling& tiling) {
    constexpr std::uint64_t usual_batch = 8;
    c.signal = tiling.block;
    c.kernel = tiling.kernel;
    c.mode = ConvolutionMode::valid;
    c.product = ConvolutionProduct::convolve;
    c.batch = usual_batch;
    c.block = 1;
    return c;
}

}  // namespace

std::optional<Tiling> tiling_for(const Device& device, const Convolution& c) {
    const std::size_t rank = c.signal.size();
    if (device.info().backend == Backend::reference || c.product == ConvolutionProduct::phase || c.block != 0 ||
        rank > 2 || c.domain == KernelDomain::frequency)
        return std::nullopt;
    Tiling tiling;
    const auto add = [&](const auto& list, std::uint64_t kernel) {
        for (const Listed& listed : list) {
            if (listed.kernel < kernel) continue;
            tiling.kernel.push_back(listed.kernel);
            tiling.block.push_back(listed.block);
            return true;
        }
        return false;
    };
    for (const std::uint64_t kernel : c.kernel)
        if (!(rank == 1 ? add(along_one_axis, kernel) : add(along_two_axes, kernel))) return std::nullopt;
    return tiling;
}

template <class Element>
std::vector<Element> convolve_in_tiles(const Device& device, const Convolution& convolution, const Tiling& tiling,
                                       const std::vector<Element>& input, const std::vector<Element>& kernels,
                                       ConvolutionFigures& figures) {
    constexpr std::uint64_t most_elements = 1 << 22;  // of a run
    Convolution one = of_one_block(convolution, tiling);
    set_element<Element>(one);
    require_precision(device, one.precision);
    const Tiles tiles(convolution, tiling);
    const std::uint64_t in = convolution.inputs, out = convolution.outputs;
    const std::uint64_t blocks = convolution.batch * tiles.count();
    const std::uint64_t at_once =
        std::clamp<std::uint64_t>(most_elements / (tiles.block() * std::max(in, out)), 1, blocks);
    std::vector<Element> from(at_once * in * tiles.block()), to(at_once * out * tiles.step()),
        result(convolution.batch * out * tiles.result());
    const double start = now_seconds();
    Progress compiling("compiling kernels");
    TilePlan plan(device, one, at_once);
    const std::vector<Element> padded = padded_kernels(convolution, tiling, kernels);
    plan.prepare(padded.data());
    plan.execute(from.data(), to.data(), at_once);  // drivers compile as late as that
    figures.plan_ms += 1e3 * (now_seconds() - start);
    figures.padded = tiling.block;
    Progress convolving("convolving");
    figures.device_milliseconds += plan.prepare(padded.data());
    for (std::uint64_t first = 0; first < blocks; first += at_once) {
        const std::uint64_t count = std::min(at_once, blocks - first);
        const auto for_each = [&](std::uint64_t channels, auto&& move) {
            for (std::uint64_t i = 0; i < count; ++i)
                for (std::uint64_t c = 0; c < channels; ++c) {
                    const std::uint64_t array = (first + i) / tiles.count() * channels + c;
                    move(array, (first + i) % tiles.count(), i * channels + c);
                }
        };
        for_each(in, [&](std::uint64_t array, std::uint64_t tile, std::uint64_t place) {
            tiles.gather(&input[array * tiles.signal()], tile, &from[place * tiles.block()]);
        });
        figures.device_milliseconds += plan.execute(from.data(), to.data(), count);
        for_each(out, [&](std::uint64_t array, std::uint64_t tile, std::uint64_t place) {
            tiles.scatter(&to[place * tiles.step()], tile, &result[array * tiles.result()]);
        });
        convolving.at(static_cast<double>(first + count), static_cast<double>(blocks));
    }
    return result;
}

template <class Element>
std::vector<Element> convolve_any_size(const Device& device, const Convolution& convolution,
                                       const std::vector<Element>& input, const std::vector<Element>& kernels,
                                       ConvolutionFigures& figures) {
    const std::optional<Tiling> tiling = tiling_for(device, convolution);
    return tiling ? convolve_in_tiles(device, convolution, *tiling, input, kernels, figures)
                  : run_convolution(device, convolution, input, kernels, figures);
}

#define SEICHE_ELEMENT(T)                                                                                              \
    template std::vector<T> convolve_in_tiles(const Device&, const Convolution&, const Tiling&, const std::vector<T>&, \
                                              const std::vector<T>&, ConvolutionFigures&);                             \
    template std::vector<T> convolve_any_size(const Device&, const Convolution&, const std::vector<T>&,                \
                                              const std::vector<T>&, ConvolutionFigures&)
SEICHE_ELEMENT(float);
SEICHE_ELEMENT(double);
SEICHE_ELEMENT(std::complex<float>);
SEICHE_ELEMENT(std::complex<double>);
#undef SEICHE_ELEMENT

}  // namespace seiche::cli

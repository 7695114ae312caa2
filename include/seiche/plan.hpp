// Plans: a problem made ready to run on a device. Immutable, and safe to share between threads.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "seiche/device.hpp"
#include "seiche/double_double.hpp"
#include "seiche/error.hpp"
#include "seiche/image.hpp"
#include "seiche/inspect.hpp"
#include "seiche/problem.hpp"
#include "seiche/tuning.hpp"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche {

SEICHE_EXPORT_END
namespace exec {
class Executable;
}
SEICHE_EXPORT_BEGIN

enum class Directions { both, forward, inverse };

struct PlanOptions {
    Directions directions = Directions::both;  ///< A plan for one direction compiles half as much.
    Tuning tuning = {};
};

/// The memory of a buffer that a stage names: at least its count of elements, from an offset of whole elements on.
struct StageBufferArgument {
    std::string name = {};
    BufferView view = {};
};
/// The number of a scalar that a stage names; for i32 and u32 a whole one that fits.
struct StageScalarArgument {
    std::string name = {};
    double value = 0;
};

/// The arguments of one execution. Nothing of this is part of the plan.
struct Execution {
    /// None: the plan's only direction (the inverse of a c2r), or forward where it has both.
    std::optional<Direction> direction = {};
    BufferView input = {};
    BufferView output = {};     ///< In place: may be left empty.
    BufferView workspace = {};  ///< At least `workspace_bytes(batch)`; may be left empty when that is 0.
    /// None: the problem's. 0: nothing is done, and no buffer is needed.
    std::optional<std::uint64_t> batch = {};
    /// What the stages of this direction name, in any order; those of the other direction may be there too.
    std::vector<StageBufferArgument> stage_buffers = {};
    std::vector<StageScalarArgument> stage_scalars = {};
    /// The imaginary halves of planar arrays. Empty: they follow the real ones, as Layout::planar says. In place the
    /// output's may be left empty.
    BufferView input_imaginary = {}, output_imaginary = {};
    /// In place of the views above where the problem says that an array lies in several buffers (Layout::part_bytes):
    /// all of them, in order. The halves of a planar one are given apart.
    std::vector<BufferView> input_parts = {}, output_parts = {}, input_imaginary_parts = {},
                            output_imaginary_parts = {};
    /// The workspace as buffers of the sizes of `workspace_part_bytes(batch)`, in order, in place of one.
    std::vector<BufferView> workspace_parts = {};
    /// In place of the views above where the problem says that an array is an image (Layout::image): one of that format
    /// with at least as many texels in a row and rows as `Plan::input_texels` and `output_texels` say. They are apart.
    Image input_image = {}, output_image = {};
    /// Where `Plan::workspace_texels` is not 0 by 0: an image of the output's format of that size or larger, apart from
    /// the others.
    Image workspace_image = {};
    /// What the functions of this direction's stages get (StageFunction): an address on the device, or on the host for
    /// `reference`. Seiche hands it on and never looks at it.
    void *load_pointer = nullptr, *store_pointer = nullptr;
};

/// The corner of an image that an array takes; 0 by 0 of one in buffers.
struct ImageSize {
    std::uint64_t width = 0, height = 0;
    friend bool operator==(const ImageSize& a, const ImageSize& b) {
        return a.width == b.width && a.height == b.height;
    }
};

/// An array on the host, and what its elements are. Halves are their bit patterns in a std::uint16_t, complex ones two
/// of them (see half.hpp).
enum class HostElement {
    f32,
    f64,
    complex_f32,
    complex_f64,
    f16,
    bf16,
    complex_f16,
    complex_bf16,
    f64x2,
    complex_f64x2
};
struct HostArray {
    const void* data = nullptr;
    std::size_t count = 0;  ///< Elements.
    HostElement element = HostElement::complex_f32;
};

template <class T>
struct HostElementOf;
template <>
struct HostElementOf<float> {
    static constexpr HostElement value = HostElement::f32;
};
template <>
struct HostElementOf<double> {
    static constexpr HostElement value = HostElement::f64;
};
template <>
struct HostElementOf<std::complex<float>> {
    static constexpr HostElement value = HostElement::complex_f32;
};
template <>
struct HostElementOf<std::complex<double>> {
    static constexpr HostElement value = HostElement::complex_f64;
};
template <>
struct HostElementOf<DoubleDouble> {
    static constexpr HostElement value = HostElement::f64x2;
};
template <>
struct HostElementOf<ComplexDoubleDouble> {
    static constexpr HostElement value = HostElement::complex_f64x2;
};

/// Room for so many bytes of results on the host; throws BackendError where there is not so much memory.
template <class T>
std::vector<T> host_results(std::uint64_t bytes) {
    try {
        return std::vector<T>(static_cast<std::size_t>(bytes / sizeof(T)));
    } catch (const std::exception&) {  // std::bad_alloc and std::length_error, the only ones
        throw BackendError("the host has not enough memory for results of " + std::to_string(bytes) + " bytes");
    }
}

class Plan {
public:
    using Batch = std::optional<std::uint64_t>;  ///< How many arrays; none: as many as the problem has.

    Plan() = default;
    explicit Plan(std::shared_ptr<const exec::Executable> impl) : impl_(std::move(impl)) {}
    /// Designs, generates, compiles and loads. Throws InvalidProblem, Unsupported or BackendError.
    Plan(const Device& device, const Problem& problem, const PlanOptions& options = {});

    /// Enqueues the transform and returns at once: allocates nothing, compiles nothing, synchronises nothing.
    /// Throws InvalidProblem when a buffer is missing or too small, with the size needed.
    void execute(Queue& queue, const Execution& execution) const;

    /// Scratch memory in bytes that an execution of `batch` arrays needs (none: the problem's batch).
    std::uint64_t workspace_bytes(Batch batch = {}) const;
    /// Bytes that the input and output buffers must have, counted from the view's offset; of a planar array with both
    /// halves in one buffer. In place both are the same: what the larger array needs. 0 of one that is an image.
    std::uint64_t input_bytes(Batch batch = {}) const;
    std::uint64_t output_bytes(Batch batch = {}) const;
    /// The least width and height of the images.
    ImageSize input_texels(Batch batch = {}) const;
    ImageSize output_texels(Batch batch = {}) const;
    /// The same of the image that a textbook recipe alternates with an output that is one; other workspaces are
    /// buffers.
    ImageSize workspace_texels(Batch batch = {}) const;
    /// The bytes of each buffer that the array (of a planar one in parts: each half of it) lies in; of a workspace of
    /// more than one buffer may have (DeviceLimits::max_buffer_bytes), those that it may be given as.
    std::vector<std::uint64_t> input_part_bytes(Batch batch = {}) const;
    std::vector<std::uint64_t> output_part_bytes(Batch batch = {}) const;
    std::vector<std::uint64_t> workspace_part_bytes(Batch batch = {}) const;

    /// The frequency at a position along an axis of the problem in the spectrum: the position itself, but for
    /// SpectrumOrder::pass. An axis that is not transformed has its index. Throws InvalidProblem for an axis or a
    /// position that is not there; a negative axis counts from the last.
    std::uint64_t spectrum_index(int axis, std::uint64_t position) const {
        return report().spectrum_index(axis, position);
    }

    /// Transforms data on the host: copies there and back and waits. T is what the plan's arrays hold: float, double or
    /// DoubleDouble, std::complex of the first two or ComplexDoubleDouble, e.g.
    /// `plan.transform<std::complex<float>>(samples)` for an r2c of f32. `data` has
    /// `input_bytes() / sizeof(In)` elements, the result `output_bytes() / sizeof(Out)`; padding behind the last
    /// element of the last array may be there or not. No direction: the plan's only one, or forward. Throws
    /// InvalidProblem where types or counts are others, and for arrays that are images.
    template <class Out, class In>
    std::vector<Out> transform(const std::vector<In>& data, std::optional<Direction> direction = {}) const {
        auto result = host_results<Out>(output_bytes());
        run({data.data(), data.size(), HostElementOf<In>::value}, HostElementOf<Out>::value, result.data(), direction);
        return result;
    }
    template <class T>
    std::vector<std::complex<T>> forward(const std::vector<std::complex<T>>& data) const {
        return transform<std::complex<T>>(data, Direction::forward);
    }
    template <class T>
    std::vector<std::complex<T>> inverse(const std::vector<std::complex<T>>& data) const {
        return transform<std::complex<T>>(data, Direction::inverse);
    }
    std::vector<ComplexDoubleDouble> forward(const std::vector<ComplexDoubleDouble>& data) const {
        return transform<ComplexDoubleDouble>(data, Direction::forward);
    }
    std::vector<ComplexDoubleDouble> inverse(const std::vector<ComplexDoubleDouble>& data) const {
        return transform<ComplexDoubleDouble>(data, Direction::inverse);
    }
    /// The same for raw memory, and the way for halves: `output` has room for `output_bytes()`.
    void run(const HostArray& input, HostElement output_element, void* output,
             std::optional<Direction> direction = {}) const;

    /// Forces what a driver would otherwise do at the first launch. Throws InvalidProblem where an array is an image.
    void warm_up() const;

    /// The plan as bytes: problem, options and compiled kernels, for `load` on an equal device, in another process or
    /// on another machine. A kernel that is not in the cache on disk is compiled again.
    std::vector<std::byte> save() const;
    /// A plan from the bytes of `save`. With the same version of Seiche on the same kind of device, driver and compiler
    /// nothing is compiled, and `report().loaded` counts the kernels taken; else the problem is planned anew and
    /// `report().replanned` says why. Throws InvalidProblem for bytes that are damaged, cut short, or no saved plan,
    /// and what the constructor throws. Binaries go to the driver as they are: load only what you trust.
    static Plan load(const Device& device, const void* bytes, std::size_t count);
    static Plan load(const Device& device, const std::vector<std::byte>& bytes) {
        return load(device, bytes.data(), bytes.size());
    }

    const Problem& problem() const;
    const Device& device() const;
    /// The recipe, the kernels and what they move, as values and text.
    const PlanReport& report() const;

    explicit operator bool() const noexcept { return impl_ != nullptr; }

private:
    std::shared_ptr<const exec::Executable> impl_;
};

}  // namespace seiche
SEICHE_EXPORT_END

// The problem made canonical: checked once, every default filled in, nothing left that does not matter. Contract of the
// folder.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "expression/program.hpp"
#include "seiche/double_double.hpp"
#include "seiche/problem.hpp"
#include "support/loop.hpp"
#include "support/strides.hpp"

namespace seiche::problem {

using support::Loop;
using support::Range;

/// An axis that is transformed. Strides in elements of the array that they are of, below 0 where elements lie before
/// the first one.
struct Axis {
    std::uint64_t length = 1;  ///< The problem's; >= 2 for c2c.
    std::int64_t input_stride = 1, output_stride = 1;
    Kind kind = Kind::c2c;  ///< Forward. The other axes of an r2c or c2r are c2c.
    /// What pruning keeps of the signal and of the spectrum, sorted and apart from each other; empty: all.
    std::vector<Range> signal_kept = {}, spectrum_kept = {};
    bool operator==(const Axis&) const = default;

    const std::vector<Range>& kept(Direction d, bool input) const {
        return (d == Direction::forward) == input ? signal_kept : spectrum_kept;
    }
    /// Elements that lie along the axis: n/2 + 1 where it is halved.
    std::uint64_t input_count() const { return kind == Kind::c2r ? length / 2 + 1 : length; }
    std::uint64_t output_count() const { return kind == Kind::r2c ? length / 2 + 1 : length; }
};

struct Batch {
    std::uint64_t count = 1;  ///< What is planned for, at least 1: the problem's, or 1 for none.
    std::int64_t input_distance = 1, output_distance = 1;
    bool operator==(const Batch&) const = default;
};

/// Where an axis of the problem is in the canonical form; an axis of length 1 is nowhere.
struct Coordinate {
    enum class Kind : std::uint8_t { none, axis, loop };
    Kind kind = Kind::none;
    std::size_t index = 0;
    bool operator==(const Coordinate&) const = default;
};

/// The user's stages of one direction; null: none. Equal if they do the same.
struct DirectionStages {
    std::shared_ptr<const expression::Program> load, store;
    bool operator==(const DirectionStages& other) const {
        const auto same = [](const auto& a, const auto& b) { return a == b || (a && b && *a == *b); };
        return same(load, other.load) && same(store, other.store);
    }
};

/// An array that is an image, whose rows count as memory; of format none it is not.
struct ArrayImage {
    ImageFormat format = ImageFormat::none;
    std::uint64_t width = 0;  ///< Texels of a row that the array takes; at least 1 of an image.
    bool operator==(const ArrayImage&) const = default;

    explicit operator bool() const { return format != ImageFormat::none; }
    /// Elements of a texel; of no image 1.
    std::uint64_t per_texel() const { return channels(format) == 4 ? 2 : 1; }
    std::uint64_t texels(std::uint64_t elements) const { return (elements + per_texel() - 1) / per_texel(); }
    /// Elements from one row of the last axis, of so many, to the next: whole rows of texels.
    std::uint64_t row(std::uint64_t count) const { return (texels(count) + width - 1) / width * width * per_texel(); }
    /// Rows of texels that so many elements reach over.
    std::uint64_t height(std::uint64_t elements) const { return (texels(elements) + width - 1) / width; }
};

inline constexpr std::uint64_t most_parts = 16;        ///< Buffers that one array may lie in.
inline constexpr std::uint64_t most_stage_parts = 32;  ///< The same of all the buffers that one stage names together.
inline constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// Problems with the same canonical form are equivalent. Signal, spectrum and directions are those of the planned
/// kinds: of an hfft, whose forward direction is a c2r's inverse, everything is named the other way round. Every extent
/// fits in 2^63 bytes.
struct Canonical {
    Precision precision = Precision::f32;
    Storage storage = Storage::same;  ///< Never what `precision` has by itself.
    Placement placement = Placement::out_of_place;
    bool input_is_real = false, output_is_real = false;
    bool input_planar = false, output_planar = false;  ///< Equal in place.
    /// In place, but the arrays do not lie alike: planned as out of place, and no result is written before all of the
    /// input has been read.
    bool has_two_layouts = false;
    bool orthonormal = false;         ///< Edge values have their weights; what is beside them is a scale.
    bool is_conjugated = false;       ///< The kind is hfft or ihfft; a stage conjugates the complex array.
    bool is_empty = false;            ///< An axis has length 0: arrays have no elements, and executions do nothing.
    std::uint64_t default_batch = 1;  ///< The problem's, 0 for none; an execution may have another.
    /// The signal's array begins, along each axis, with the first element that pruning keeps, and ends with the last.
    bool is_compact = false;
    /// Of a real signal of one axis, of which a convolution needs no more: a complex transform of `length` points,
    /// point j element j less i times element j + length, turned by exp(-2 pi i j / (4 length)). What is kept counts
    /// elements.
    bool is_right_angled = false;
    SpectrumOrder spectrum_order = SpectrumOrder::natural;
    /// The input is to be had as workspace: out of place, no two elements share memory, of the arithmetic's storage.
    bool may_overwrite_input = false;
    /// The factors themselves; never 0, finite in `precision`, and lo is 0 but for f64x2.
    DoubleDouble forward_scale = 1.0, inverse_scale = 1.0;
    /// In the problem's order, slowest first; axes of length 1 dropped where that is a copy. Empty: a copy, times the
    /// scale.
    std::vector<Axis> axes;
    /// Axes that are not transformed; count >= 2, no gaps. By falling output stride, whatever its sign; merged where
    /// two lie as one in input and output and no stage needs them apart. Without stages no output stride is below 0:
    /// the loop is taken from its other end.
    std::vector<Loop> loops;
    Batch batch;
    /// Of the first element of the first array, behind which not all others lie where strides are below 0. Equal in
    /// place, unless there are two layouts.
    std::uint64_t input_byte_offset = 0, output_byte_offset = 0;
    /// Of each buffer where the array (of a planar one: each half) lies in several; 0: in one. Equal in place.
    std::uint64_t input_part_bytes = 0, output_part_bytes = 0;
    ArrayImage input_image, output_image;
    std::uint64_t n = 1;                    ///< Product of the logical lengths of the transformed axes.
    std::uint64_t batch_limit = unlimited;  ///< The largest batch count whose outputs do not overlap.

    std::array<DirectionStages, 2> stages;        ///< By Direction.
    std::vector<Coordinate> coordinates;          ///< Of each of the problem's axes; empty without stages.
    std::uint64_t stage_batch_limit = unlimited;  ///< The largest whose indices stay in the stages' buffers.

    bool operator==(const Canonical&) const = default;

    const DirectionStages& stages_of(Direction d) const { return stages[d == Direction::forward ? 0 : 1]; }
    /// Bytes of one real number of the arithmetic, as workspaces have it.
    std::uint64_t real_bytes() const { return seiche::stored_bytes(precision, Storage::same); }
    std::uint64_t complex_bytes() const { return 2 * real_bytes(); }
    /// Bytes of one real number in the two arrays, and of one element of each (of a planar one: of one half of it).
    std::uint64_t stored_bytes() const;
    std::uint64_t input_element_bytes() const {
        return input_is_real || input_planar ? stored_bytes() : 2 * stored_bytes();
    }
    std::uint64_t output_element_bytes() const {
        return output_is_real || output_planar ? stored_bytes() : 2 * stored_bytes();
    }
    /// What a buffer view's offset must be a multiple of: a kernel may take real numbers two at a time.
    std::uint64_t input_alignment() const { return input_planar ? stored_bytes() : 2 * stored_bytes(); }
    std::uint64_t output_alignment() const { return output_planar ? stored_bytes() : 2 * stored_bytes(); }
    /// Whether the planned kinds have this direction: r2c has no inverse, c2r no forward.
    bool has(Direction d) const;
    /// From a direction of the problem to that of the planned kinds, and back.
    Direction as_planned(Direction d) const {
        if (!is_conjugated) return d;
        return d == Direction::forward ? Direction::inverse : Direction::forward;
    }
    DoubleDouble scale(Direction d) const { return d == Direction::forward ? forward_scale : inverse_scale; }
    /// Passes may write where they read: both arrays lie in one buffer, and alike.
    bool in_place() const { return shares_buffer() && !has_two_layouts; }
    /// Both arrays lie in one buffer.
    bool shares_buffer() const { return placement == Placement::in_place; }
    /// Transforms in one array of the batch: the product of the loops' counts.
    std::uint64_t transforms_per_array() const;
    /// Elements from the first to the last one touched, for so many arrays; none for 0. Throws InvalidProblem beyond
    /// 2^63 bytes.
    std::uint64_t input_elements(std::uint64_t batch_count) const;
    std::uint64_t output_elements(std::uint64_t batch_count) const;
    /// Of these the ones that lie before the first element of the first array.
    std::uint64_t input_elements_before(std::uint64_t batch_count) const;
    std::uint64_t output_elements_before(std::uint64_t batch_count) const;
    /// What kernels are bound to, in bytes from where the buffer's view begins, whatever the batch: the array's lowest
    /// element, or the view where further arrays lie before the first.
    std::uint64_t input_base() const;
    std::uint64_t output_base() const;
    /// Elements from there to the first one.
    std::uint64_t input_first() const { return (input_byte_offset - input_base()) / input_element_bytes(); }
    std::uint64_t output_first() const { return (output_byte_offset - output_base()) / output_element_bytes(); }
    /// The array's lowest byte with so many arrays, from where the view begins.
    std::uint64_t input_begin(std::uint64_t batch_count) const;
    std::uint64_t output_begin(std::uint64_t batch_count) const;
    /// Elements in bytes, from where the buffer's view begins: with the byte offset, and both halves of a planar array.
    std::uint64_t input_bytes(std::uint64_t batch_count) const;
    std::uint64_t output_bytes(std::uint64_t batch_count) const;
    /// The bytes of one half alone, with the byte offset.
    std::uint64_t input_half_bytes(std::uint64_t batch_count) const;
    std::uint64_t output_half_bytes(std::uint64_t batch_count) const;
};

/// Checks everything that can be checked without a device. Throws InvalidProblem naming the field, the rule and the
/// value.
Canonical normalise(const Problem& problem);

/// Checks the batch count of an execution (no overlap of outputs, sizes within 2^63 bytes); throws
/// InvalidProblem.
void check_batch(const Canonical& canonical, std::uint64_t batch_count);

/// Stable over runs and machines.
std::uint64_t hash(const Canonical& canonical);

struct CanonicalHash {
    std::size_t operator()(const Canonical& c) const { return static_cast<std::size_t>(hash(c)); }
};

}  // namespace seiche::problem

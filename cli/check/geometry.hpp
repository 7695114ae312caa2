// Where the elements of a problem's transforms lie in its buffers, worked out here independently of the library.
#pragma once

#include <cstdint>
#include <vector>

#include "cli/reference/reference_kinds.hpp"
#include "seiche/problem.hpp"

namespace seiche::cli {

/// One axis, or the batch: its elements in both arrays, with the strides, modulo 2^64.
struct Dimension {
    std::uint64_t input_count = 1, input_stride = 1, output_count = 1, output_stride = 1;
};

/// A problem as a set of transforms: which elements belong to which. Positions and strides count elements of the array
/// that they are of: complex or real numbers.
class Geometry {
public:
    explicit Geometry(const Problem& problem);

    std::uint64_t points() const { return points_; }          ///< Of one transform: the product of the lengths.
    std::uint64_t transforms() const { return transforms_; }  ///< With the batch.
    std::uint64_t logical_points() const;                     ///< The product of the logical lengths.
    const std::vector<KindAxis>& axes() const { return shape_.axes; }
    /// The problem's number of a transformed axis, and its elements in the input or output.
    int number(std::size_t axis) const { return static_cast<int>(numbers_[axis]); }
    std::uint64_t elements_along(std::size_t axis, bool output) const {
        return output ? dimensions_[axis].output_count : dimensions_[axis].input_count;
    }
    bool has(Direction direction) const;  ///< r2c and hfft have no inverse, c2r and ihfft no forward.
    /// Of hfft and ihfft: the complex array is that of a c2r or r2c, conjugated.
    bool conjugates() const { return conjugates_; }
    /// What is computed in this direction, of a complex array that is conjugated where `conjugates` says so.
    KindShape shape(Direction direction) const;

    bool is_real(bool output) const { return output ? output_is_real_ : input_is_real_; }
    std::uint64_t parts(bool output) const { return is_real(output) ? 1 : 2; }  ///< Numbers of an element.
    std::uint64_t elements_of_transform(bool output) const;
    /// Which elements of every transform, row-major, pruning keeps in the input or output of a direction; empty: all.
    const std::vector<bool>& kept(Direction direction, bool output) const {
        return (direction == Direction::forward) == output ? spectrum_kept_ : signal_kept_;
    }
    /// Elements that the arrays take, counted from the start of their buffers, with the byte offset.
    std::uint64_t elements(bool output) const { return output ? output_elements_ : input_elements_; }
    /// Elements ahead of the lowest one, the first where no stride is below 0.
    std::uint64_t offset(bool output) const { return output ? output_offset_ : input_offset_; }
    /// In place, and elements of the two arrays do not lie at the same strides and distances.
    bool has_two_layouts() const { return has_two_layouts_; }
    /// Bytes of all elements, gaps apart.
    std::uint64_t payload_bytes(bool output) const {
        return elements_of_transform(output) * transforms_ * parts(output) * real_bytes_;
    }

    /// Where element 0 of transform t is.
    std::uint64_t first_position(std::uint64_t t, bool output) const;
    /// Whether a transform's elements, row-major, lie one behind the other.
    bool is_consecutive(bool output) const;
    /// Whether no two elements of the transforms can share a place.
    bool is_apart(bool output) const;
    /// Elements `first` ... `end` - 1 of a transform, row-major.
    struct Run {
        std::uint64_t transform = 0, first = 0, end = 0;
    };
    /// Their positions in the input (or output), into `positions`.
    void positions(const Run& run, bool output, std::vector<std::uint64_t>& positions) const;
    /// Of every element of transform t.
    void positions(std::uint64_t t, bool output, std::vector<std::uint64_t>& positions) const {
        this->positions(Run{t, 0, elements_of_transform(output)}, output, positions);
    }

private:
    std::vector<bool> kept_of(const Problem& problem, bool spectrum) const;

    KindShape shape_;  ///< Forward, or the only direction.
    std::vector<Dimension> dimensions_, loops_;
    std::vector<std::size_t> numbers_;  // of the axes in the problem's
    std::vector<bool> signal_kept_, spectrum_kept_;
    bool conjugates_ = false, input_is_real_ = false, output_is_real_ = false, has_two_layouts_ = false;
    std::uint64_t real_bytes_ = 4, input_offset_ = 0, output_offset_ = 0, input_first_ = 0, output_first_ = 0;
    std::uint64_t points_ = 1, transforms_ = 1, input_elements_ = 0, output_elements_ = 0;
};

}  // namespace seiche::cli

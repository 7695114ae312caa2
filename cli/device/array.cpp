// The shape arithmetic of `seiche transform`: numpy's meaning of axes, cropping and zero padding.
#include "cli/device/array.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

#include "cli/command/report.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"
#include "seiche/problem.hpp"

namespace seiche::cli {
namespace {

constexpr std::int64_t longest_axis = std::int64_t{1} << 40;
constexpr std::uint64_t most_elements = std::uint64_t{1} << 40;

/// Elements of one row along the last axis, and where row `index` (counted over the common part) begins.
class Rows {
public:
    Rows(const Shape& shape, const Shape& common) : strides_(shape.size(), 1), common_(common) {
        for (std::size_t axis = shape.size(); axis-- > 1;) strides_[axis - 1] = strides_[axis] * shape[axis];
    }
    std::uint64_t start(std::uint64_t index) const {
        std::uint64_t at = 0;
        for (std::size_t axis = common_.size() - 1; axis-- > 0;) {
            at += index % common_[axis] * strides_[axis];
            index /= common_[axis];
        }
        return at;
    }

private:
    std::vector<std::uint64_t> strides_;
    const Shape& common_;
};

}  // namespace

template <class Number>
void note_not_finite(const std::string& path, const std::vector<Number>& numbers, const io::NpyHeader& header,
                     const std::string& effect) {
    const auto is_finite = [](const Number& number) {
        if constexpr (std::is_floating_point_v<Number>)
            return std::isfinite(number);
        else
            return std::isfinite(number.real()) && std::isfinite(number.imag());
    };
    const std::uint64_t count = io::element_count(header.shape), per_element = count == 0 ? 1 : numbers.size() / count;
    std::uint64_t first = count, found = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(i * per_element);
        if (std::all_of(begin, begin + static_cast<std::ptrdiff_t>(per_element), is_finite)) continue;
        first = std::min(first, i);
        ++found;
    }
    if (found == 0) return;
    const std::size_t rank = header.shape.size();
    Shape index(rank, 0);
    std::uint64_t rest = first;
    for (std::size_t i = 0; i < rank; ++i) {
        const std::size_t axis = header.fortran_order ? i : rank - 1 - i;
        index[axis] = rest % header.shape[axis];
        rest /= header.shape[axis];
    }
    std::string place;
    for (const std::uint64_t i : index) place += (place.empty() ? "" : ", ") + std::to_string(i);
    note("'" + path + "': " + std::to_string(found) + " of " + std::to_string(count) +
         (found == 1 ? " elements is" : " elements are") + " not finite (NaN or infinity), the first at [" + place +
         "]: " + effect);
}
template void note_not_finite(const std::string&, const std::vector<float>&, const io::NpyHeader&, const std::string&);
template void note_not_finite(const std::string&, const std::vector<double>&, const io::NpyHeader&, const std::string&);
template void note_not_finite(const std::string&, const std::vector<std::complex<float>>&, const io::NpyHeader&,
                              const std::string&);
template void note_not_finite(const std::string&, const std::vector<std::complex<double>>&, const io::NpyHeader&,
                              const std::string&);

void check_element_count(const Shape& shape) {
    std::uint64_t count = 1;
    for (const std::uint64_t length : shape) {
        if (length == 0) return;
        if (__builtin_mul_overflow(count, length, &count) || count > most_elements) {
            std::string text;
            for (const std::uint64_t n : shape) text += (text.empty() ? "" : " x ") + std::to_string(n);
            throw UsageError("--length: expected arrays of at most 2^40 elements, got " + text);
        }
    }
}

std::vector<int> resolve_axes(const std::vector<std::int64_t>& axes, std::size_t rank) {
    std::vector<int> resolved(axes.empty() ? rank : 0);
    std::iota(resolved.begin(), resolved.end(), 0);
    const auto limit = static_cast<std::int64_t>(rank);
    for (const std::int64_t axis : axes) {
        if (axis < -limit || axis >= limit)
            throw UsageError("--axes: expected axes from " + std::to_string(-limit) + " to " +
                             std::to_string(limit - 1) + " for an array of rank " + std::to_string(rank) + ", got " +
                             std::to_string(axis));
        resolved.push_back(static_cast<int>(axis < 0 ? axis + limit : axis));
        if (std::count(resolved.begin(), resolved.end(), resolved.back()) > 1)
            throw UsageError("--axes: expected each axis once, got axis " + std::to_string(resolved.back()) + " twice");
    }
    return resolved;
}

Shape resized_shape(const Shape& shape, const std::vector<int>& axes, const std::string& length) {
    Shape result = shape;
    if (length.empty()) return result;
    if (length == "fast") {
        for (const int axis : axes) {
            auto& n = result[static_cast<std::size_t>(axis)];
            n = next_fast_length(n);
        }
        return result;
    }
    const std::vector<std::int64_t> lengths = parse_integers(length, "--length");
    if (lengths.size() != 1 && lengths.size() != axes.size())
        throw UsageError("--length: expected one length or one for each of the " + std::to_string(axes.size()) +
                         " axes, got " + std::to_string(lengths.size()));
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::int64_t n = lengths[lengths.size() == 1 ? 0 : i];
        if (n < 1 || n > longest_axis) throw UsageError("--length: expected 1 to 2^40, got " + std::to_string(n));
        result[static_cast<std::size_t>(axes[i])] = static_cast<std::uint64_t>(n);
    }
    return result;
}

template <class T>
std::vector<std::complex<T>> resize(const std::vector<std::complex<T>>& values, const Shape& from, const Shape& to) {
    std::vector<std::complex<T>> result(io::element_count(to));
    Shape common(from.size());
    for (std::size_t axis = 0; axis < from.size(); ++axis) common[axis] = std::min(from[axis], to[axis]);
    const Rows source(from, common), target(to, common);
    if (io::element_count(common) == 0) return result;
    const std::uint64_t row = common.back(), rows = io::element_count(common) / row;
    for (std::uint64_t i = 0; i < rows; ++i)
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(source.start(i)), row,
                    result.begin() + static_cast<std::ptrdiff_t>(target.start(i)));
    return result;
}
template std::vector<std::complex<float>> resize(const std::vector<std::complex<float>>&, const Shape&, const Shape&);
template std::vector<std::complex<double>> resize(const std::vector<std::complex<double>>&, const Shape&, const Shape&);

std::string describe_resize(const Shape& from, const Shape& to) {
    std::string text;
    for (std::size_t axis = 0; axis < from.size(); ++axis) {
        if (from[axis] == to[axis]) continue;
        text += (text.empty() ? "axis " : ", axis ") + std::to_string(axis) + ": " + std::to_string(from[axis]) +
                (to[axis] < from[axis] ? " cropped to " : " zero-padded to ") + std::to_string(to[axis]);
    }
    return text;
}

}  // namespace seiche::cli

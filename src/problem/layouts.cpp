// Where elements lie, and what strides and distances may be.
#include "problem/layouts.hpp"

#include <algorithm>

#include "seiche/error.hpp"
#include "support/primes.hpp"
#include "support/strides.hpp"
#include "support/text.hpp"

namespace seiche::problem {

namespace {

[[noreturn]] void refuse(const std::string& field, const std::string& rule, const std::string& got) {
    throw InvalidProblem(field + ": expected " + rule + ", got " + got);
}

[[noreturn]] void refuse_stride(const Array& array, std::size_t axis, const std::string& rule) {
    refuse(array.field + "." + "strides[" + std::to_string(axis) + "]", rule,
           std::to_string(array.layout->strides[axis]));
}

void check_strides(const Array& array) {
    const std::vector<std::int64_t>& strides = array.layout->strides;
    const std::size_t rank = array.counts.size();
    if (strides.empty()) return;
    if (strides.size() != rank)
        refuse(array.field + ".strides", std::to_string(rank) + " of them, one per axis",
               std::to_string(strides.size()));
    for (std::size_t i = 0; i < rank; ++i) {
        if (strides[i] < 0 && array.image)
            refuse_stride(array, i, "at least 0, because the array is an image, which begins with its first element");
        if (strides[i] == 0 && !array.may_broadcast)
            refuse_stride(array, i,
                          array.field == "output" ? "one other than 0, because every output has memory of its own"
                                                  : "one other than 0, because the transform is in place");
    }
}

void check_distance(const Array& array) {
    if (array.layout->batch_distance < 0 && array.image)
        refuse(array.field + ".batch_distance", "at least 0, because the array is an image",
               std::to_string(array.layout->batch_distance));
    if (support::magnitude(array.layout->batch_distance) > most_bytes)
        refuse(array.field + ".batch_distance", "one above -2^63", std::to_string(array.layout->batch_distance));
}

void check_offset(const Array& array, std::uint64_t offset) {
    if (offset % array.element_bytes != 0)
        refuse(array.field + ".byte_offset",
               "a multiple of the element's " + std::to_string(array.element_bytes) + " bytes",
               support::to_text(offset));
}

}  // namespace

bool add_reach(std::uint64_t count, std::int64_t stride, std::uint64_t& reach) {
    std::uint64_t part = 0;
    return support::checked_multiply(count - 1, support::magnitude(stride), part) &&
           support::checked_add(reach, part, reach) && reach <= most_bytes;
}

ResolvedLayout resolve(const Array& array) {
    check_strides(array);
    check_distance(array);
    const std::size_t rank = array.counts.size();
    const Layout& layout = *array.layout;
    ResolvedLayout resolved;
    resolved.strides.resize(rank);
    std::uint64_t dense = 1, reach = 0, rows = 0;
    const bool has_rows = array.image && layout.strides.empty();
    for (std::size_t i = rank; i-- > 0;
         dense *= has_rows && i + 1 == rank ? array.image.row(array.counts[i]) : array.counts[i]) {
        resolved.strides[i] = layout.strides.empty() ? static_cast<std::int64_t>(dense) : layout.strides[i];
        std::uint64_t whole = 0;
        if (!add_reach(array.counts[i], resolved.strides[i], reach) ||
            !support::checked_multiply(array.counts[i], support::magnitude(resolved.strides[i]), whole) ||
            whole > most_bytes)
            refuse(array.field + ".strides", "an array below 2^63 bytes", support::join_numbers(resolved.strides, ","));
        rows = std::max(rows, whole);
    }
    // The next array begins behind the padding of the last row, if that is where elements end.
    resolved.distance = layout.batch_distance != 0
                            ? layout.batch_distance
                            : static_cast<std::int64_t>(has_rows ? dense : std::max(reach + 1, rows));
    check_offset(array, layout.byte_offset);
    resolved.byte_offset = layout.byte_offset;
    return resolved;
}

namespace {

/// Whether strides are the same where elements are more than one.
bool lie_alike(const std::vector<std::uint64_t>& counts, const ResolvedLayout& a, const ResolvedLayout& b) {
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i] > 1 && a.strides[i] != b.strides[i]) return false;
    return true;
}

class RealResolver {
public:
    RealResolver(const Array& real, const Array& complex, std::size_t halved)
        : given_real_(real), given_complex_(complex), real_(real), complex_(complex), halved_(halved) {}

    RealInPlace resolved() {
        check_strides(given_real_);
        check_strides(given_complex_);
        check_distance(given_real_);
        check_distance(given_complex_);
        follow_strides();
        real_.layout = &real_layout_;
        complex_.layout = &complex_layout_;
        RealInPlace both{resolve(real_), resolve(complex_)};
        const bool are_alike = lie_alike(real_.counts, both.real, doubled(both.complex));
        if (are_alike) {
            follow_distance(both);
            follow_offset(both);
        }
        both.are_two = !are_alike || both.real.distance != twice(both.complex.distance) ||
                       both.real.byte_offset != both.complex.byte_offset;
        if (!both.are_two) both.real = doubled(both.complex);
        return both;
    }

private:
    void follow_strides() {
        if (real_layout_.strides.empty() && complex_layout_.strides.empty()) {
            if (real_.counts[halved_] != 1 && !ends_contiguous()) return;
            const ResolvedLayout dense = resolve(given_complex_);
            complex_layout_.strides.assign(dense.strides.begin(), dense.strides.end());
            real_layout_.strides = doubled_strides(complex_layout_.strides);
        } else if (complex_layout_.strides.empty()) {
            complex_layout_.strides = halved_strides();
        } else if (real_layout_.strides.empty()) {
            if (complex_layout_.strides[halved_] != 1 && real_.counts[halved_] > 1) refuse_along_halved(given_complex_);
            real_layout_.strides = doubled_strides(complex_layout_.strides);
        }
    }

    /// The dense complex array has stride 1 along the halved axis: those behind it have length 1.
    bool ends_contiguous() const {
        return std::all_of(complex_.counts.begin() + static_cast<std::ptrdiff_t>(halved_) + 1, complex_.counts.end(),
                           [](std::uint64_t count) { return count == 1; });
    }

    std::vector<std::int64_t> doubled_strides(std::vector<std::int64_t> strides) const {
        for (std::size_t i = 0; i < strides.size(); ++i) strides[i] = i == halved_ ? 1 : twice(strides[i]);
        return strides;
    }

    std::vector<std::int64_t> halved_strides() const {
        std::vector<std::int64_t> strides = real_layout_.strides;
        for (std::size_t i = 0; i < strides.size(); ++i) {
            if (i == halved_) {
                if (strides[i] != 1 && real_.counts[i] > 1) refuse_along_halved(given_real_);
                strides[i] = 1;
            } else if (strides[i] % 2 != 0 && real_.counts[i] > 1) {
                refuse_stride(given_real_, i, "an even number" + beside("strides"));
            } else {
                strides[i] = strides[i] / 2 != 0 ? strides[i] / 2 : 1;
            }
        }
        return strides;
    }

    void follow_distance(RealInPlace& both) const {
        const std::int64_t real = real_layout_.batch_distance, complex = complex_layout_.batch_distance;
        if (real != 0 && complex != 0) return;
        if (real != 0 && real % 2 != 0)
            refuse(given_real_.field + ".batch_distance", "an even number" + beside("batch_distance"),
                   std::to_string(real));
        if (real != 0) both.complex.distance = both.real.distance / 2;
        both.real.distance = twice(both.complex.distance);
    }

    void follow_offset(RealInPlace& both) const {
        if (both.real.byte_offset == 0) both.real.byte_offset = both.complex.byte_offset;
        if (both.complex.byte_offset == 0) both.complex.byte_offset = both.real.byte_offset;
        check_offset(given_complex_, both.complex.byte_offset);
    }

    std::string beside(const std::string& field) const {
        return ", because the transform is in place and complex numbers lie there too, or " + given_complex_.field +
               "." + field + " beside it";
    }

    [[noreturn]] void refuse_along_halved(const Array& array) const {
        const Array& other = &array == &given_real_ ? given_complex_ : given_real_;
        refuse_stride(
            array, halved_,
            "1 along the halved axis, because the transform is in place, or " + other.field + ".strides beside it");
    }

    std::int64_t twice(std::int64_t distance) const {
        if (support::magnitude(distance) > most_bytes / 2)
            refuse(given_complex_.field + ".strides", "an array below 2^63 bytes", std::to_string(distance));
        return 2 * distance;
    }

    ResolvedLayout doubled(const ResolvedLayout& complex) const {
        ResolvedLayout real;
        for (const std::int64_t stride : complex.strides) real.strides.push_back(twice(stride));
        real.strides[halved_] = complex.strides[halved_] == 1 || complex_.counts[halved_] == 1 ? 1 : 0;
        real.distance = twice(complex.distance);
        real.byte_offset = complex.byte_offset;
        return real;
    }

    const Array &given_real_, &given_complex_;
    Array real_, complex_;
    Layout real_layout_ = *given_real_.layout, complex_layout_ = *given_complex_.layout;
    std::size_t halved_;
};

}  // namespace

LayoutsInPlace resolve_in_place(const Array& input, const Array& output) {
    LayoutsInPlace both{resolve(input), {}};
    check_strides(output);
    check_distance(output);
    Layout layout = *output.layout;
    if (layout.strides.empty()) layout.strides = input.layout->strides;
    Array following = output;
    following.layout = &layout;
    both.output = resolve(following);
    const bool are_alike = lie_alike(input.counts, both.input, both.output);
    if (are_alike && layout.batch_distance == 0) both.output.distance = both.input.distance;
    if (are_alike && layout.byte_offset == 0) both.output.byte_offset = both.input.byte_offset;
    both.are_two =
        !are_alike || both.input.distance != both.output.distance || both.input.byte_offset != both.output.byte_offset;
    if (!both.are_two) both.output = both.input;
    return both;
}

RealInPlace resolve_real_in_place(const Array& real, const Array& complex, std::size_t halved) {
    return RealResolver(real, complex, halved).resolved();
}

}  // namespace seiche::problem

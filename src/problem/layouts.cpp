// Where elements lie, and what strides and distances may be.
#include "problem/layouts.hpp"

#include <algorithm>

#include "seiche/error.hpp"
#include "support/primes.hpp"
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
        if (strides[i] < 0) refuse_stride(array, i, array.may_broadcast ? "at least 0" : "at least 1");
        if (strides[i] == 0 && !array.may_broadcast)
            refuse_stride(array, i,
                          array.field == "output" ? "at least 1, because every output has memory of its own"
                                                  : "at least 1, because the transform is in place");
    }
}

void check_distance(const Array& array) {
    if (array.layout->batch_distance < 0)
        refuse(array.field + ".batch_distance", "at least 1, or 0 for whole rows",
               std::to_string(array.layout->batch_distance));
}

}  // namespace

bool add_reach(std::uint64_t count, std::uint64_t stride, std::uint64_t& reach) {
    std::uint64_t part = 0;
    return support::checked_multiply(count - 1, stride, part) && support::checked_add(reach, part, reach) &&
           reach <= most_bytes;
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
        resolved.strides[i] = layout.strides.empty() ? dense : static_cast<std::uint64_t>(layout.strides[i]);
        std::uint64_t whole = 0;
        if (!add_reach(array.counts[i], resolved.strides[i], reach) ||
            !support::checked_multiply(array.counts[i], resolved.strides[i], whole))
            refuse(array.field + ".strides", "an array below 2^63 bytes", support::join_numbers(resolved.strides, ","));
        rows = std::max(rows, whole);
    }
    // The next array begins behind the padding of the last row, if that is where elements end.
    resolved.distance = layout.batch_distance != 0 ? static_cast<std::uint64_t>(layout.batch_distance)
                        : has_rows                 ? dense
                                                   : std::max(reach + 1, rows);
    if (layout.byte_offset % array.element_bytes != 0)
        refuse(array.field + ".byte_offset",
               "a multiple of the element's " + std::to_string(array.element_bytes) + " bytes",
               support::to_text(layout.byte_offset));
    resolved.byte_offset = layout.byte_offset;
    return resolved;
}

namespace {

class RealInPlace {
public:
    RealInPlace(const Array& real, const Array& complex, std::size_t halved)
        : real_(real), complex_(complex), halved_(halved) {}

    LayoutsInPlace resolved() const {
        check_strides(real_);
        check_distance(real_);
        Layout layout = *complex_.layout;
        layout.byte_offset = offset();
        if (layout.strides.empty() && !real_.layout->strides.empty()) layout.strides = halved_strides();
        if (layout.batch_distance == 0 && real_.layout->batch_distance != 0) layout.batch_distance = halved_distance();
        Array complex = complex_;
        complex.layout = &layout;
        LayoutsInPlace both;
        both.complex = resolve(complex);
        check_halved_axis(both.complex);
        both.real = doubled(both.complex);
        check_real(both.real, both.complex);
        return both;
    }

private:
    std::uint64_t offset() const {
        const std::uint64_t own = real_.layout->byte_offset, other = complex_.layout->byte_offset;
        if (own != 0 && other != 0 && own != other)
            refuse(real_.field + ".byte_offset",
                   "the " + complex_.field + "'s " + support::to_text(other) + ", because the transform is in place",
                   support::to_text(own));
        return std::max(own, other);
    }

    std::vector<std::int64_t> halved_strides() const {
        std::vector<std::int64_t> strides = real_.layout->strides;
        for (std::size_t i = 0; i < strides.size(); ++i) {
            if (i == halved_) {
                if (strides[i] != 1 && real_.counts[i] > 1) refuse_along_halved(real_);
                strides[i] = 1;
            } else if (strides[i] % 2 != 0 && real_.counts[i] > 1) {
                refuse_stride(real_, i,
                              "an even number, because the transform is in place and complex numbers lie there too");
            } else {
                strides[i] = std::max<std::int64_t>(strides[i] / 2, 1);
            }
        }
        return strides;
    }

    std::int64_t halved_distance() const {
        const std::int64_t distance = real_.layout->batch_distance;
        if (distance % 2 != 0)
            refuse(real_.field + ".batch_distance",
                   "an even number, because the transform is in place and complex numbers lie there too",
                   std::to_string(distance));
        return distance / 2;
    }

    [[noreturn]] void refuse_along_halved(const Array& array) const {
        refuse_stride(array, halved_, "1 along the halved axis, because the transform is in place");
    }

    void check_halved_axis(const ResolvedLayout& complex) const {
        if (complex.strides[halved_] == 1 || real_.counts[halved_] == 1) return;
        if (!complex_.layout->strides.empty()) refuse_along_halved(complex_);
        // Without strides only the last axis is contiguous.
        std::vector<std::uint64_t> spectrum(real_.counts.size(), 1);
        std::uint64_t next = complex_.counts[halved_];
        for (std::size_t i = spectrum.size(); i-- > 0;) {
            if (i == halved_) continue;
            spectrum[i] = next;
            next *= complex_.counts[i];
        }
        std::vector<std::uint64_t> signal = spectrum;
        for (std::size_t i = 0; i < signal.size(); ++i) signal[i] *= i == halved_ ? 1 : 2;
        refuse("halved_axis",
               "the last axis, because the transform is in place and its halved axis needs stride 1 (strides " +
                   support::join_numbers(signal, ",") + " of the real array and " +
                   support::join_numbers(spectrum, ",") + " of the complex one would do)",
               std::to_string(halved_));
    }

    ResolvedLayout doubled(const ResolvedLayout& complex) const {
        ResolvedLayout real;
        const auto twice = [&](std::uint64_t distance) {
            if (distance > most_bytes / 2)
                refuse(complex_.field + ".strides", "an array below 2^63 bytes", support::to_text(distance));
            return 2 * distance;
        };
        for (const std::uint64_t stride : complex.strides) real.strides.push_back(twice(stride));
        real.strides[halved_] = 1;
        real.distance = twice(complex.distance);
        real.byte_offset = complex.byte_offset;
        return real;
    }

    void check_real(const ResolvedLayout& expected, const ResolvedLayout& complex) const {
        const Layout& given = *real_.layout;
        for (std::size_t i = 0; i < given.strides.size(); ++i) {
            if (real_.counts[i] == 1 || static_cast<std::uint64_t>(given.strides[i]) == expected.strides[i]) continue;
            if (i == halved_) refuse_along_halved(real_);
            refuse_stride(real_, i, support::to_text(expected.strides[i]) + twice_of(complex.strides[i]));
        }
        if (given.batch_distance != 0 && static_cast<std::uint64_t>(given.batch_distance) != expected.distance)
            refuse(real_.field + ".batch_distance", support::to_text(expected.distance) + twice_of(complex.distance),
                   std::to_string(given.batch_distance));
    }

    std::string twice_of(std::uint64_t distance) const {
        return ", twice the " + complex_.field + "'s " + support::to_text(distance) +
               ", because the transform is in place";
    }

    const Array& real_;
    const Array& complex_;
    std::size_t halved_;
};

}  // namespace

LayoutsInPlace resolve_real_in_place(const Array& real, const Array& complex, std::size_t halved) {
    return RealInPlace(real, complex, halved).resolved();
}

}  // namespace seiche::problem

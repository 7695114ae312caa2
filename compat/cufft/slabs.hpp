// Slabs of the arrays of plans over several cards or processes, as both interfaces have them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "layout.hpp"
#include "seiche/distributed/box.hpp"

namespace seiche::compat {

/// The array as complex elements, which both formats and all directions have alike: rows of a real one are padded to
/// those of its spectrum.
struct Shape {
    std::vector<std::uint64_t> real, complex;  // lengths; of several arrays their number is the first
    bool is_batched = false;
    std::uint64_t element = 0;  // bytes of a complex one

    explicit Shape(const PlanRequest& request) : is_batched(request.batch > 1) {
        if (is_batched) real.push_back(static_cast<std::uint64_t>(request.batch));
        for (int axis = 0; axis < request.rank; ++axis)
            real.push_back(static_cast<std::uint64_t>(request.n[static_cast<std::size_t>(axis)]));
        complex = real;
        if (request.elements.kind != Kind::c2c) complex.back() = complex.back() / 2 + 1;
        element = 2 * stored_bytes(request.elements.precision, request.elements.storage);
    }
    /// Whether a transform leads from one cut to another.
    bool has_two_cuts() const { return !is_batched && complex.size() > 1; }

    /// The real elements of a box of the complex array that is not cut along the last axis: its rows are padded.
    distributed::Box padded_real(distributed::Box box) const {
        std::int64_t stride = 1;
        box.strides.assign(real.size(), 1);
        for (std::size_t axis = real.size(); axis-- > 0;) {
            box.strides[axis] = std::max<std::int64_t>(stride, 1);
            const bool is_last = axis + 1 == real.size();
            stride *= static_cast<std::int64_t>(is_last ? 2 * complex[axis] : box.extent(axis));
            if (is_last) box.upper[axis] = real[axis];
        }
        return box;
    }
};

}  // namespace seiche::compat

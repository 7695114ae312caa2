// The judge of real transforms: FFTW's r2c, c2r and real-to-real plans in quad precision.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "tests/accuracy/judge.hpp"
#include "tests/accuracy/shape.hpp"

namespace seiche::accuracy {

/// Transforms of dense row-major arrays of one shape, which is not c2c; not for two threads at once. A real number is a
/// complex one whose imaginary part is 0 (and is not looked at).
class RealJudge {
public:
    /// The kinds of `shape` are those that are computed: see Shape::in.
    explicit RealJudge(const Shape& shape);
    ~RealJudge();
    RealJudge(const RealJudge&) = delete;
    RealJudge& operator=(const RealJudge&) = delete;

    /// Not scaled, unless the shape is orthonormal: then with all its factors.
    std::vector<QuadComplex> transform(const std::vector<QuadComplex>& data);
    std::vector<QuadComplex> transform(const std::vector<std::complex<double>>& data) {
        return transform(in_quad(data));
    }

private:
    struct Plan;
    Shape shape_;
    std::unique_ptr<Plan> plan_;
};

}  // namespace seiche::accuracy

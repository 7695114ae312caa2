// The judge of accuracy: discrete Fourier transforms in quad precision by FFTW, which shares nothing with Seiche.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

namespace seiche::accuracy {

struct QuadComplex {
    __float128 re = 0, im = 0;
};

std::vector<QuadComplex> in_quad(const std::vector<std::complex<double>>& data);

/// Forward transforms of dense row-major arrays of one shape; not for two threads at once.
class Judge {
public:
    explicit Judge(const std::vector<std::uint64_t>& lengths);
    ~Judge();
    Judge(const Judge&) = delete;
    Judge& operator=(const Judge&) = delete;

    std::uint64_t points() const { return points_; }
    /// points() elements in, as many out.
    std::vector<QuadComplex> forward(const std::vector<QuadComplex>& data);
    std::vector<QuadComplex> forward(const std::vector<std::complex<double>>& data) { return forward(in_quad(data)); }

private:
    struct Plan;
    std::uint64_t points_ = 1;
    std::unique_ptr<Plan> plan_;
};

/// The inverse transform of the same data (not scaled): index k of it is index -k of the forward transform, on every
/// axis.
std::vector<QuadComplex> inverse_from_forward(const std::vector<QuadComplex>& forward,
                                              const std::vector<std::uint64_t>& lengths);

/// |got - factor * exact|^2 / |factor * exact|^2, summed over the elements; 0 / 0 is 0.
double relative_square_error(const std::vector<std::complex<double>>& got, const std::vector<QuadComplex>& exact,
                             double factor);

}  // namespace seiche::accuracy

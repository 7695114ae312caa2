// FFTW in quad precision (Frigo and Johnson, The Design and Implementation of FFTW3, 2005).
#include "tests/accuracy/judge.hpp"

#include <fftw3.h>

#ifdef __clang__  // fftw3.h offers the quad interface to g++ only
extern "C" {
FFTW_DEFINE_API(FFTW_MANGLE_QUAD, __float128, fftwq_complex)
}
#endif

namespace seiche::accuracy {

struct Judge::Plan {
    fftwq_complex* data = nullptr;
    fftwq_plan plan = nullptr;
};

Judge::Judge(const std::vector<std::uint64_t>& lengths) : plan_(std::make_unique<Plan>()) {
    std::vector<int> sizes;
    for (const std::uint64_t n : lengths) {
        sizes.push_back(static_cast<int>(n));
        points_ *= n;
    }
    plan_->data = static_cast<fftwq_complex*>(fftwq_malloc(sizeof(fftwq_complex) * points_));
    plan_->plan = fftwq_plan_dft(static_cast<int>(sizes.size()), sizes.data(), plan_->data, plan_->data, FFTW_FORWARD,
                                 FFTW_ESTIMATE);
}

Judge::~Judge() {
    fftwq_destroy_plan(plan_->plan);
    fftwq_free(plan_->data);
}

std::vector<QuadComplex> in_quad(const std::vector<std::complex<double>>& data) {
    std::vector<QuadComplex> result;
    result.reserve(data.size());
    for (const std::complex<double>& x : data) result.push_back({x.real(), x.imag()});
    return result;
}

std::vector<QuadComplex> Judge::forward(const std::vector<QuadComplex>& data) {
    for (std::size_t i = 0; i < points_; ++i) {
        plan_->data[i][0] = data[i].re;
        plan_->data[i][1] = data[i].im;
    }
    fftwq_execute(plan_->plan);
    std::vector<QuadComplex> result(points_);
    for (std::size_t i = 0; i < points_; ++i) result[i] = {plan_->data[i][0], plan_->data[i][1]};
    return result;
}

std::vector<QuadComplex> inverse_from_forward(const std::vector<QuadComplex>& forward,
                                              const std::vector<std::uint64_t>& lengths) {
    std::vector<QuadComplex> inverse(forward.size());
    for (std::size_t k = 0; k < forward.size(); ++k) {
        std::size_t rest = k, mirrored = 0, weight = 1;
        for (std::size_t axis = lengths.size(); axis-- > 0;) {
            const std::size_t n = lengths[axis], index = rest % n;
            mirrored += (n - index) % n * weight;
            weight *= n;
            rest /= n;
        }
        inverse[mirrored] = forward[k];
    }
    return inverse;
}

double relative_square_error(const std::vector<std::complex<double>>& got, const std::vector<QuadComplex>& exact,
                             double factor) {
    __float128 error = 0, size = 0;
    for (std::size_t k = 0; k < exact.size(); ++k) {
        const __float128 re = factor * exact[k].re, im = factor * exact[k].im;
        const __float128 dre = got[k].real() - re, dim = got[k].imag() - im;
        error += dre * dre + dim * dim;
        size += re * re + im * im;
    }
    if (error == 0) return 0;
    return static_cast<double>(error / size);
}

}  // namespace seiche::accuracy

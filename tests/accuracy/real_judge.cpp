// FFTW's real transforms in quad precision (Frigo and Johnson, The Design and Implementation of FFTW3, 2005).
#include "tests/accuracy/real_judge.hpp"

#include <fftw3.h>
#include <quadmath.h>

#include <algorithm>

#ifdef __clang__  // fftw3.h offers the quad interface to g++ only
extern "C" {
FFTW_DEFINE_API(FFTW_MANGLE_QUAD, __float128, fftwq_complex)
}
#endif

namespace seiche::accuracy {

namespace {

fftwq_r2r_kind fftw_kind(Kind kind) {
    switch (kind) {
        case Kind::dct1: return FFTW_REDFT00;
        case Kind::dct2: return FFTW_REDFT10;
        case Kind::dct3: return FFTW_REDFT01;
        case Kind::dct4: return FFTW_REDFT11;
        case Kind::dst1: return FFTW_RODFT00;
        case Kind::dst2: return FFTW_RODFT10;
        case Kind::dst3: return FFTW_RODFT01;
        case Kind::dst4: return FFTW_RODFT11;
        case Kind::r2hc: return FFTW_R2HC;
        case Kind::hc2r: return FFTW_HC2R;
        default: return FFTW_DHT;
    }
}

std::vector<std::uint64_t> counts(const Shape& shape, bool input) {
    std::vector<std::uint64_t> result;
    for (std::size_t i = 0; i < shape.kinds.size(); ++i)
        result.push_back(input ? shape.input_count(i) : shape.output_count(i));
    return result;
}

std::size_t product(const std::vector<std::uint64_t>& numbers) {
    std::size_t result = 1;
    for (const std::uint64_t n : numbers) result *= n;
    return result;
}

/// FFTW halves the last axis that it is told of: the axes with their strides, the halved one last.
std::vector<fftwq_iodim> dimensions(const Shape& shape) {
    const auto in = counts(shape, true), out = counts(shape, false);
    std::vector<fftwq_iodim> result(shape.kinds.size());
    int in_stride = 1, out_stride = 1;
    for (std::size_t i = result.size(); i-- > 0;) {
        result[i] = {static_cast<int>(shape.lengths[i]), in_stride, out_stride};
        in_stride *= static_cast<int>(in[i]);
        out_stride *= static_cast<int>(out[i]);
    }
    const auto halved = std::find_if(shape.kinds.begin(), shape.kinds.end(), [](Kind k) { return k != Kind::c2c; });
    std::rotate(result.begin() + (halved - shape.kinds.begin()), result.begin() + (halved - shape.kinds.begin()) + 1,
                result.end());
    return result;
}

/// What makes the edges of the types I to III orthogonal, as scipy's norm="ortho": the input's first and last element
/// times these, or the output's.
struct Edges {
    bool first = false, last = false;
};

Edges edges_of(Kind kind, bool input) {
    if (kind == Kind::dct1) return {true, true};
    if (kind == (input ? Kind::dct3 : Kind::dct2)) return {true, false};
    if (kind == (input ? Kind::dst3 : Kind::dst2)) return {false, true};
    return {};
}

/// Multiplies each axis's edges by sqrt(2) (input) or its inverse (output).
void weigh_edges(__float128* values, const Shape& shape, bool input) {
    const __float128 weight = input ? sqrtq(2) : 1 / sqrtq(2);
    for (std::size_t k = 0; k < shape.points(); ++k) {
        std::size_t rest = k;
        for (std::size_t axis = shape.lengths.size(); axis-- > 0;) {
            const std::size_t n = shape.lengths[axis], index = rest % n;
            rest /= n;
            const Edges edges = edges_of(shape.kinds[axis], input);
            if ((edges.first && index == 0) || (edges.last && index == n - 1)) values[k] *= weight;
        }
    }
}

}  // namespace

struct RealJudge::Plan {
    std::size_t inputs = 0, outputs = 0;
    fftwq_complex *in = nullptr, *out = nullptr;  // real arrays use their first half
    fftwq_plan plan = nullptr;

    __float128* real_in() const { return &in[0][0]; }
    __float128* real_out() const { return &out[0][0]; }

    explicit Plan(const Shape& shape) : inputs(product(counts(shape, true))), outputs(product(counts(shape, false))) {
        in = static_cast<fftwq_complex*>(fftwq_malloc(sizeof(fftwq_complex) * inputs));
        out = static_cast<fftwq_complex*>(fftwq_malloc(sizeof(fftwq_complex) * outputs));
        const int rank = static_cast<int>(shape.kinds.size());
        if (shape.real_input() && shape.real_output()) {
            std::vector<int> lengths(shape.lengths.begin(), shape.lengths.end());
            std::vector<fftwq_r2r_kind> kinds;
            for (const Kind kind : shape.kinds) kinds.push_back(fftw_kind(kind));
            plan = fftwq_plan_r2r(rank, lengths.data(), real_in(), real_out(), kinds.data(), FFTW_ESTIMATE);
        } else {
            const auto axes = dimensions(shape);
            plan = shape.real_input()
                       ? fftwq_plan_guru_dft_r2c(rank, axes.data(), 0, nullptr, real_in(), out, FFTW_ESTIMATE)
                       : fftwq_plan_guru_dft_c2r(rank, axes.data(), 0, nullptr, in, real_out(), FFTW_ESTIMATE);
        }
    }
    ~Plan() {
        fftwq_destroy_plan(plan);
        fftwq_free(in);
        fftwq_free(out);
    }
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;
};

RealJudge::RealJudge(const Shape& shape) : shape_(shape), plan_(std::make_unique<Plan>(shape)) {}

RealJudge::~RealJudge() = default;

std::vector<QuadComplex> RealJudge::transform(const std::vector<QuadComplex>& data) {
    for (std::size_t i = 0; i < plan_->inputs; ++i) {
        if (shape_.real_input()) {
            plan_->real_in()[i] = data[i].re;
        } else {
            plan_->in[i][0] = data[i].re;
            plan_->in[i][1] = data[i].im;
        }
    }
    if (shape_.weighs_edges()) weigh_edges(plan_->real_in(), shape_, true);
    fftwq_execute(plan_->plan);
    if (shape_.weighs_edges()) weigh_edges(plan_->real_out(), shape_, false);
    if (shape_.orthonormal) {
        const __float128 scale = 1 / sqrtq(static_cast<__float128>(shape_.logical_points()));
        for (std::size_t i = 0; i < plan_->outputs; ++i) plan_->real_out()[i] *= scale;
    }
    std::vector<QuadComplex> result(plan_->outputs);
    for (std::size_t i = 0; i < plan_->outputs; ++i)
        result[i] = shape_.real_output() ? QuadComplex{plan_->real_out()[i], 0}
                                         : QuadComplex{plan_->out[i][0], plan_->out[i][1]};
    return result;
}

}  // namespace seiche::accuracy

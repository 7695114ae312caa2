// The algorithms by their names.
#include "bench/study/cpu_transforms.hpp"

#include <algorithm>
#include <stdexcept>

#include "bench/study/radix2.hpp"
#include "bench/study/split_levels.hpp"

namespace seiche::study {

namespace {

/// What every algorithm has: its length, its roots and as much scratch memory as it asks for.
template <class Real, class Roots>
class WithRoots : public CpuTransform<Real> {
protected:
    WithRoots(const CpuQuestion& question, std::size_t scratch)
        : n_(question.n), roots_(question.n, question.sign), scratch_(scratch) {}
    std::size_t n_;
    Roots roots_;
    std::vector<std::complex<Real>> scratch_;
};

#define SEICHE_STUDY_MEMBERS                    \
    using typename CpuTransform<Real>::Complex; \
    using WithRoots<Real, Roots>::n_;           \
    using WithRoots<Real, Roots>::roots_;       \
    using WithRoots<Real, Roots>::scratch_

/// The sum, term by term (000, equation 5).
template <class Real, class Roots>
class Direct : public WithRoots<Real, Roots> {
    SEICHE_STUDY_MEMBERS;

public:
    explicit Direct(const CpuQuestion& question) : WithRoots<Real, Roots>(question, 0) {}
    void run(const Complex* in, Complex* out) override {
        for (std::size_t k = 0; k < n_; ++k) {
            auto walk = roots_.walk(n_, k);
            Complex sum = 0;
            for (std::size_t j = 0; j < n_; ++j) sum += product(walk.next(), in[j]);
            out[k] = sum;
        }
    }
};

/// The product with the matrix of all roots, which is made once (000, section 2.2.1).
template <class Real, class Roots>
class Matrix : public WithRoots<Real, Roots> {
    SEICHE_STUDY_MEMBERS;

public:
    explicit Matrix(const CpuQuestion& question) : WithRoots<Real, Roots>(question, question.n * question.n) {
        for (std::size_t k = 0; k < n_; ++k) {
            auto walk = roots_.walk(n_, k);
            for (std::size_t j = 0; j < n_; ++j) scratch_[k * n_ + j] = walk.next();
        }
    }
    void run(const Complex* in, Complex* out) override {
        for (std::size_t k = 0; k < n_; ++k) {
            const Complex* row = scratch_.data() + k * n_;
            Complex sum = 0;
            for (std::size_t j = 0; j < n_; ++j) sum += product(row[j], in[j]);
            out[k] = sum;
        }
    }
};

template <class Real, class Roots>
class InTime : public WithRoots<Real, Roots> {
    SEICHE_STUDY_MEMBERS;

public:
    explicit InTime(const CpuQuestion& question) : WithRoots<Real, Roots>(question, 0) {}
    void run(const Complex* in, Complex* out) override {
        in == out ? permute_in_place(out, n_) : permute(in, out, n_);
        stages_in_time(out, n_, roots_);
    }
};

/// Apart, so that the input stays as it is: the text's listing overwrites it.
template <class Real, class Roots>
class InFrequency : public WithRoots<Real, Roots> {
    SEICHE_STUDY_MEMBERS;

public:
    explicit InFrequency(const CpuQuestion& question) : WithRoots<Real, Roots>(question, question.n) {}
    void run(const Complex* in, Complex* out) override {
        std::copy_n(in, n_, scratch_.data());
        stages_in_frequency(scratch_.data(), n_, roots_);
        permute(scratch_.data(), out, n_);
    }
};

template <class Real, class Roots>
class InFrequencyInPlace : public WithRoots<Real, Roots> {
    SEICHE_STUDY_MEMBERS;

public:
    explicit InFrequencyInPlace(const CpuQuestion& question) : WithRoots<Real, Roots>(question, 0) {}
    void run(const Complex*, Complex* out) override {
        stages_in_frequency(out, n_, roots_);
        permute_in_place(out, n_);
    }
};

template <class Real, class Roots>
class Recursive : public WithRoots<Real, Roots> {
    SEICHE_STUDY_MEMBERS;

public:
    explicit Recursive(const CpuQuestion& question) : WithRoots<Real, Roots>(question, 0) {}
    void run(const Complex* in, Complex* out) override { recurse(in, out, {n_, 1}, roots_); }
};

template <class Real, class Roots>
class NaturalOrder : public WithRoots<Real, Roots> {
    SEICHE_STUDY_MEMBERS;

public:
    explicit NaturalOrder(const CpuQuestion& question) : WithRoots<Real, Roots>(question, question.n) {}
    void run(const Complex* in, Complex* out) override {
        // Where the count of moves is odd the stages work in the scratch memory, so that the result is in `out`.
        const bool is_odd = n_ > 1 && (log2_of(n_) - 1) % 2 == 1;
        Complex* const first = is_odd ? scratch_.data() : out;
        std::copy_n(in, n_, first);
        natural_order(first, is_odd ? out : scratch_.data(), n_, roots_);
    }
};

/// With the ways between complex numbers and split arrays.
template <class Real, class Roots>
class SplitLevels : public WithRoots<Real, Roots> {
    SEICHE_STUDY_MEMBERS;

public:
    explicit SplitLevels(const CpuQuestion& question)
        : WithRoots<Real, Roots>(question, 0), even_(question.n), odd_(question.n), out_(question.n) {}
    void run(const Complex* in, Complex* out) override {
        for (std::size_t j = 0; j < n_; ++j) {
            even_.real[j] = in[j].real();
            even_.imaginary[j] = in[j].imag();
        }
        split_levels(even_, odd_, out_, roots_);
        for (std::size_t k = 0; k < n_; ++k) out[k] = {out_.real[k], out_.imaginary[k]};
    }

private:
    SplitArrays<Real> even_, odd_, out_;
};

#undef SEICHE_STUDY_MEMBERS

template <class Real, class Roots>
std::unique_ptr<CpuTransform<Real>> make(const std::string& name, const CpuQuestion& question) {
    if (name == "direct") return std::make_unique<Direct<Real, Roots>>(question);
    if (name == "matrix") return std::make_unique<Matrix<Real, Roots>>(question);
    if (name == "dit" || name == "dit-in-place") return std::make_unique<InTime<Real, Roots>>(question);
    if (name == "dif") return std::make_unique<InFrequency<Real, Roots>>(question);
    if (name == "dif-in-place") return std::make_unique<InFrequencyInPlace<Real, Roots>>(question);
    if (name == "recursive") return std::make_unique<Recursive<Real, Roots>>(question);
    if (name == "natural-order") return std::make_unique<NaturalOrder<Real, Roots>>(question);
    if constexpr (requires(const Roots& roots) { roots.power(0); })
        return std::make_unique<SplitLevels<Real, Roots>>(question);
    throw std::invalid_argument(name + ": expected twiddles that are had in any order, got those of a recurrence");
}

const CpuAlgorithm& algorithm(const std::string& name) {
    std::string names;
    for (const CpuAlgorithm& one : cpu_algorithms()) {
        if (one.name == name) return one;
        names += (names.empty() ? "" : ", ") + one.name;
    }
    throw std::invalid_argument("algorithm: expected one of " + names + ", got '" + name + "'");
}

}  // namespace

const std::vector<CpuAlgorithm>& cpu_algorithms() {
    static const std::vector<CpuAlgorithm> all{
        {"direct", "mota2022, eq. 5", "direct sum", false, true},
        {"matrix", "mota2022, section 2.2.1", "product with the DFT matrix", false, true},
        {"dit", "mota2022, algorithm 1", "radix 2, decimation in time, bit reversal first", false, false},
        {"dit-in-place", "mota2022, algorithm 1", "the same in place", true, false},
        {"dif", "mota2022, algorithm 2", "radix 2, decimation in frequency, bit reversal last", false, false},
        {"dif-in-place", "mota2022, algorithm 2", "the same in place", true, false},
        {"recursive", "mota2022, chapter 3", "decimation in time by recursion", false, false},
        {"natural-order", "mota2022, section 4.1", "Cooley-Tukey in natural order, alternating arrays", false, false},
        {"split-levels", "wang, section 6.4", "split arrays, level by level, bit reversal last", false, false},
    };
    return all;
}

template <class Real>
std::unique_ptr<CpuTransform<Real>> make_cpu_transform(const std::string& name, const CpuQuestion& question) {
    const CpuAlgorithm& one = algorithm(name);
    if (question.n == 0 || (!one.is_quadratic && (question.n & (question.n - 1)) != 0))
        throw std::invalid_argument(name + ": expected " + (one.is_quadratic ? "at least 1 point" : "a power of two") +
                                    ", got " + std::to_string(question.n));
    switch (question.twiddles) {
        case Twiddles::on_the_fly: return make<Real, ComputedRoots<Real>>(name, question);
        case Twiddles::recurrence: return make<Real, RecurrentRoots<Real>>(name, question);
        case Twiddles::table: break;
    }
    return make<Real, TableRoots<Real>>(name, question);
}

template std::unique_ptr<CpuTransform<float>> make_cpu_transform(const std::string&, const CpuQuestion&);
template std::unique_ptr<CpuTransform<double>> make_cpu_transform(const std::string&, const CpuQuestion&);

}  // namespace seiche::study

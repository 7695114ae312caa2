// The algorithms that the study's texts run on a processor, as plain single-threaded C++: what GPUs and the planner are
// held against. Each computes X[k] = sum over j of x[j] exp(sign 2 pi i j k / n), without a scale.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "bench/study/roots.hpp"

namespace seiche::study {

enum class Twiddles {
    table,       ///< Each rounded once.
    on_the_fly,  ///< A sine and a cosine each.
    recurrence,  ///< Products of the first.
};

/// A transform of one length and sign, with its tables and scratch memory; not for several threads at once.
template <class Real>
class CpuTransform {
public:
    using Complex = std::complex<Real>;
    virtual ~CpuTransform() = default;
    /// n points each. Of an algorithm that works in place both are the same array, of others they are apart.
    virtual void run(const Complex* in, Complex* out) = 0;
};

struct CpuAlgorithm {
    std::string name;    ///< As in reports: "dit".
    std::string source;  ///< The text, and where in it.
    std::string title;
    bool in_place = false;
    bool is_quadratic = false;  ///< O(n^2), for any n; others take powers of two.
};

/// In the order of the report.
const std::vector<CpuAlgorithm>& cpu_algorithms();

struct CpuQuestion {
    std::size_t n = 1;
    Sign sign = Sign::forward;
    Twiddles twiddles = Twiddles::table;
};

/// Throws std::invalid_argument for a name that is not there, an n that the algorithm cannot do, and the recurrence of
/// split-levels, which takes its roots in no order.
template <class Real>
std::unique_ptr<CpuTransform<Real>> make_cpu_transform(const std::string& name, const CpuQuestion& question);

}  // namespace seiche::study

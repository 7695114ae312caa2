// Time and error of the study's algorithms on one thread of this processor.
#include "bench/study/cpu_timing.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <vector>

#include "cli/reference/reference_dft.hpp"

namespace seiche::study {
namespace {

/// The shortest of some rounds, each of so many runs that together they take `seconds`.
template <class Work>
double nanoseconds(const CpuEffort& effort, const Work& work) {
    using Clock = std::chrono::steady_clock;
    const auto round = [&](std::size_t runs) {
        const auto start = Clock::now();
        for (std::size_t i = 0; i < runs; ++i) work();
        return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
    };
    std::size_t runs = 1;
    double time = round(runs);
    while (time * effort.rounds < effort.seconds * 1e9) time = round(runs *= 2);
    double shortest = time;
    for (unsigned i = 1; i < effort.rounds; ++i) shortest = std::min(shortest, round(runs));
    return shortest / static_cast<double>(runs);
}

template <class Real>
double error_of(const std::vector<std::complex<Real>>& in, const std::vector<std::complex<Real>>& out) {
    const std::vector<cli::Wide> wide(in.begin(), in.end());
    const std::vector<cli::Wide> exact = cli::reference_dft(wide, Direction::forward);
    long double fault = 0, energy = 0;
    for (std::size_t k = 0; k < out.size(); ++k) {
        fault += std::norm(cli::Wide(out[k]) - exact[k]);
        energy += std::norm(exact[k]);
    }
    return static_cast<double>(std::sqrt(fault / energy));
}

}  // namespace

template <class Real>
CpuTime time_cpu_transform(const CpuAlgorithm& algorithm, CpuQuestion question, const CpuEffort& effort) {
    using Complex = std::complex<Real>;
    const std::size_t n = question.n;
    question.sign = Sign::forward;
    const auto forward = make_cpu_transform<Real>(algorithm.name, question);
    question.sign = Sign::inverse;
    const auto inverse = make_cpu_transform<Real>(algorithm.name, question);
    std::mt19937 engine(1);
    std::uniform_real_distribution<Real> uniform(-1, 1);
    std::vector<Complex> in(n), out(n);
    for (Complex& x : in) x = {uniform(engine), uniform(engine)};
    const std::vector<Complex> input = in;
    Complex* const target = algorithm.in_place ? in.data() : out.data();
    const auto scale = [n](Complex* x, Real factor) {
        for (std::size_t i = 0; i < n; ++i) x[i] *= factor;
    };
    const Real by_n = Real(1) / static_cast<Real>(n);
    CpuTime result;
    forward->run(in.data(), target);
    result.error = error_of(input, std::vector<Complex>(target, target + n));
    in = input;
    if (effort.has_inverse) {
        result.both_ns = nanoseconds(effort, [&] {
            forward->run(in.data(), target);
            inverse->run(target, in.data());
            scale(in.data(), by_n);
        });
    }
    // In place, run after run, the values would grow without a scale, which takes a small part of the time.
    result.forward_ns = nanoseconds(effort, [&] {
        forward->run(in.data(), target);
        if (algorithm.in_place) scale(target, std::sqrt(by_n));
    });
    return result;
}

template CpuTime time_cpu_transform<float>(const CpuAlgorithm&, CpuQuestion, const CpuEffort&);
template CpuTime time_cpu_transform<double>(const CpuAlgorithm&, CpuQuestion, const CpuEffort&);

}  // namespace seiche::study

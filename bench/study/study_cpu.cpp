// seiche-study-cpu: time and error of the study's algorithms on this processor, one thread, as the text 000 times them
// in its Table 2: a forward and an inverse transform with its scale; and the forward one alone.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>

#include "bench/study/cpu_transforms.hpp"
#include "cli/reference_dft.hpp"

namespace {

using namespace seiche;
using namespace seiche::study;

struct Options {
    std::vector<std::size_t> lengths{128, 256, 512, 1024, 2048};  // of Table 2
    std::vector<std::string> precisions{"f32", "f64"};
    std::string twiddles = "table";
    double seconds = 0.02;  // that a measurement takes at least
    bool json = false;
};

struct Result {
    std::string precision;
    std::size_t n = 0;
    double forward_ns = 0, both_ns = 0, error = 0;
};

/// The shortest of five rounds, each of so many runs that together they take `seconds`.
template <class Work>
double nanoseconds(double seconds, const Work& work) {
    using Clock = std::chrono::steady_clock;
    const auto round = [&](std::size_t runs) {
        const auto start = Clock::now();
        for (std::size_t i = 0; i < runs; ++i) work();
        return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
    };
    constexpr std::size_t rounds = 5;
    std::size_t runs = 1;
    double time = round(runs);
    while (time * rounds < seconds * 1e9) time = round(runs *= 2);
    double shortest = time;
    for (std::size_t i = 1; i < rounds; ++i) shortest = std::min(shortest, round(runs));
    return shortest / static_cast<double>(runs);
}

/// Relative L2 error of one forward transform of random numbers, against extended precision.
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

template <class Real>
Result measure(const CpuAlgorithm& algorithm, CpuQuestion question, double seconds) {
    using Complex = std::complex<Real>;
    const std::size_t n = question.n;
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
    Result result{sizeof(Real) == sizeof(float) ? "f32" : "f64", n, 0, 0, 0};
    forward->run(in.data(), target);
    result.error = error_of(input, std::vector<Complex>(target, target + n));
    in = input;
    result.both_ns = nanoseconds(seconds, [&] {
        forward->run(in.data(), target);
        inverse->run(target, in.data());
        scale(in.data(), by_n);
    });
    // In place, run after run, the values would grow without a scale, which takes a small part of the time.
    result.forward_ns = nanoseconds(seconds, [&] {
        forward->run(in.data(), target);
        if (algorithm.in_place) scale(target, std::sqrt(by_n));
    });
    return result;
}

Twiddles twiddles_of(const std::string& name) {
    return name == "table" ? Twiddles::table : name == "recurrence" ? Twiddles::recurrence : Twiddles::on_the_fly;
}

void print(const CpuAlgorithm& algorithm, const Result& result, const Options& options) {
    if (options.json) {
        std::printf(
            "{\"algorithm\": \"%s\", \"n\": %zu, \"source\": \"%s\", \"precision\": \"%s\", \"twiddles\": \"%s\", "
            "\"forward_ns\": %.1f, \"forward_and_inverse_ns\": %.1f, \"error\": %.3e}\n",
            algorithm.name.c_str(), result.n, algorithm.source.c_str(), result.precision.c_str(),
            options.twiddles.c_str(), result.forward_ns, result.both_ns, result.error);
        return;
    }
    std::printf("%-14s %-4s %7zu %14.1f %14.6f %11.2e\n", algorithm.name.c_str(), result.precision.c_str(), result.n,
                result.forward_ns, result.both_ns / 1e6, result.error);
}

void run(const Options& options) {
    if (!options.json)
        std::printf("%-14s %-4s %7s %14s %14s %11s\n", "algorithm", "", "n", "forward ns", "and inverse ms", "error");
    for (const CpuAlgorithm& algorithm : cpu_algorithms())
        for (const std::string& precision : options.precisions)
            for (const std::size_t n : options.lengths) {
                if (algorithm.name == "split-levels" && options.twiddles == "recurrence") continue;
                const CpuQuestion question{n, Sign::forward, twiddles_of(options.twiddles)};
                print(algorithm,
                      precision == "f32" ? measure<float>(algorithm, question, options.seconds)
                                         : measure<double>(algorithm, question, options.seconds),
                      options);
                std::fflush(stdout);
            }
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app(
        "Times the study's algorithms on one thread of this processor, and judges them in extended precision.");
    Options options;
    app.add_option("--lengths", options.lengths, "powers of two (default: those of Table 2, 128 to 2048)")
        ->delimiter(',')
        ->check(CLI::Range(2, 1 << 20));
    app.add_option("--precisions", options.precisions, "f32, f64 or both")
        ->delimiter(',')
        ->check(CLI::IsMember({"f32", "f64"}));
    app.add_option("--twiddles", options.twiddles, "table, on-the-fly, or recurrence as in 000 (not of split-levels)")
        ->check(CLI::IsMember({"table", "on-the-fly", "recurrence"}))
        ->capture_default_str();
    app.add_option("--seconds", options.seconds, "that a measurement takes at least")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_flag("--json", options.json, "a line of JSON for each measurement");
    CLI11_PARSE(app, argc, argv);
    try {
        run(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "seiche-study-cpu: %s\n", error.what());
        return 2;
    }
    return 0;
}

// seiche-study-cpu: time and error of the study's algorithms on this processor, one thread, as the text 000 times them
// in its Table 2: a forward and an inverse transform with its scale; and the forward one alone.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <vector>

#include "bench/study/cpu_timing.hpp"

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

template <class Real>
Result measure(const CpuAlgorithm& algorithm, const CpuQuestion& question, double seconds) {
    CpuEffort effort;
    effort.seconds = seconds;
    const CpuTime time = time_cpu_transform<Real>(algorithm, question, effort);
    return {sizeof(Real) == sizeof(float) ? "f32" : "f64", question.n, time.forward_ns, time.both_ns, time.error};
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

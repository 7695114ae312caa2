// seiche-cufft-cards: times cuFFT's transforms over several cards (cufftXt), beside seiche-ranks. cuFFT and the driver
// are loaded at run time; no vendor header: the few prototypes stand here. In place, as cuFFT has it, with the output
// in its shuffled order, which is that of seiche-ranks' transposed one. Two bins are compared with a direct sum.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <iostream>
#include <numbers>
#include <thread>
#include <vector>

#include "bench/loaded_library.hpp"
#include "seiche/seiche.hpp"

namespace {

using namespace seiche;
using bench::LoadedLibrary;
using bench::PeerError;

constexpr int c2c = 0x29, r2c = 0x2a, z2z = 0x69, d2z = 0x6a, forward = -1;
constexpr int in_place = 2;  // CUFFT_XT_FORMAT_INPLACE
constexpr int to_cards = 0, to_host = 1;

struct Cards {
    int (*init)(unsigned);
    int (*retain)(void**, int);
    int (*set_current)(void*);
    int (*wait)();
    std::vector<void*> contexts;

    explicit Cards(int count) : contexts(static_cast<std::size_t>(count)) {
        const LoadedLibrary library({"libcuda.so.1"}, "/usr/lib/wsl/lib");
        library.find(init, "cuInit");
        library.find(retain, "cuDevicePrimaryCtxRetain");
        library.find(set_current, "cuCtxSetCurrent");
        library.find(wait, "cuCtxSynchronize");
        check(init(0), "cuInit");
        for (int card = 0; card < count; ++card)
            check(retain(&contexts[static_cast<std::size_t>(card)], card), "cuDevicePrimaryCtxRetain");
        check(set_current(contexts.front()), "cuCtxSetCurrent");
    }
    static void check(int code, const char* call) {
        if (code != 0) throw PeerError(std::string(call) + " failed with code " + std::to_string(code));
    }
    void wait_for_all() const {
        for (void* const context : contexts) {
            check(set_current(context), "cuCtxSetCurrent");
            check(wait(), "cuCtxSynchronize");
        }
        check(set_current(contexts.front()), "cuCtxSetCurrent");
    }
};

struct Cufft {
    int (*version)(int*);
    int (*create)(int*);
    int (*set_cards)(int, int, int*);
    int (*make_plan)(int, int, int, int, int, std::size_t*);
    int (*allocate)(int, void**, int);
    int (*copy)(int, void*, void*, int);
    int (*execute)(int, void*, void*, int);

    explicit Cufft(const std::string& name) {
        const LoadedLibrary library(
            {name.empty() ? "libcufft.so" : name.c_str(), "libcufft.so.12", "libcufft.so.11", "libcufft.so.10"},
            bench::environment("CUDA_PATH", "/usr/local/cuda") + "/lib64");
        library.find(version, "cufftGetVersion");
        library.find(create, "cufftCreate");
        library.find(set_cards, "cufftXtSetGPUs");
        library.find(make_plan, "cufftMakePlan3d");
        library.find(allocate, "cufftXtMalloc");
        library.find(copy, "cufftXtMemcpy");
        library.find(execute, "cufftXtExecDescriptor");
    }
};

/// A number from -1 to 1 for each place of the input (the finaliser of SplitMix64).
double number(std::uint64_t place) {
    std::uint64_t z = (place + 1) * 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

struct Options {
    std::string problem, library;
    int cards = 2;
    unsigned repeat = 5;
    bool no_check = false;
};

template <class Real>
class Transform {
public:
    Transform(const Options& options, const Problem& problem)
        : options_(options),
          lengths_(problem.lengths),
          is_real_(problem.kind == Kind::r2c),
          cards_(options.cards),
          cufft_(options.library) {
        std::vector<int> numbers(static_cast<std::size_t>(options.cards));
        for (int card = 0; card < options.cards; ++card) numbers[static_cast<std::size_t>(card)] = card;
        std::vector<std::size_t> workspaces(numbers.size());
        Cards::check(cufft_.create(&plan_), "cufftCreate");
        Cards::check(cufft_.set_cards(plan_, options.cards, numbers.data()), "cufftXtSetGPUs");
        const bool is_double = sizeof(Real) == 8;
        const int type = is_real_ ? (is_double ? d2z : r2c) : is_double ? z2z : c2c;
        Cards::check(cufft_.make_plan(plan_, static_cast<int>(lengths_[0]), static_cast<int>(lengths_[1]),
                                      static_cast<int>(lengths_[2]), type, workspaces.data()),
                     "cufftMakePlan3d");
        Cards::check(cufft_.allocate(plan_, &memory_, in_place), "cufftXtMalloc");
        values_.resize(lengths_[0] * lengths_[1] * row());
        fill();
    }

    void run() {
        std::vector<double> times;
        for (unsigned round = 0; round <= options_.repeat; ++round) {
            Cards::check(cufft_.copy(plan_, memory_, values_.data(), to_cards), "cufftXtMemcpy");
            cards_.wait_for_all();
            const auto start = std::chrono::steady_clock::now();
            Cards::check(cufft_.execute(plan_, memory_, memory_, forward), "cufftXtExecDescriptor");
            cards_.wait_for_all();
            const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
            if (round != 0) times.push_back(time.count());
        }
        std::sort(times.begin(), times.end());
        int version = 0;
        cufft_.version(&version);
        std::printf("%s, cuFFT %d, %d cards\nmedian %.3f ms, fastest %.3f ms of %zu\n", options_.problem.c_str(),
                    version, options_.cards, times[times.size() / 2], times.front(), times.size());
        if (!options_.no_check) check();
    }

private:
    /// Real numbers of a row in memory, in place.
    std::uint64_t row() const { return is_real_ ? 2 * (lengths_[2] / 2 + 1) : 2 * lengths_[2]; }

    void fill() {
        const std::uint64_t numbers = is_real_ ? lengths_[2] : 2 * lengths_[2];
        for (std::uint64_t r = 0; r < lengths_[0] * lengths_[1]; ++r)
            for (std::uint64_t i = 0; i < numbers; ++i)
                values_[r * row() + i] = static_cast<Real>(number(r * numbers + i));
    }

    /// A bin by the sum that defines it: rows first, whose sums have few terms.
    std::complex<double> bin(std::uint64_t x, std::uint64_t y, std::uint64_t z) const {
        const auto wave = [](std::uint64_t k, std::uint64_t j, std::uint64_t n) {
            return std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k * j % n) / static_cast<double>(n));
        };
        std::vector<std::complex<double>> waves;
        for (std::uint64_t i = 0; i < lengths_[2]; ++i) waves.push_back(wave(z, i, lengths_[2]));
        std::complex<double> sum = 0;
        for (std::uint64_t a = 0; a < lengths_[0]; ++a)
            for (std::uint64_t b = 0; b < lengths_[1]; ++b) {
                const Real* const values = values_.data() + (a * lengths_[1] + b) * row();
                std::complex<double> part = 0;
                for (std::uint64_t i = 0; i < lengths_[2]; ++i)
                    part += waves[i] * (is_real_ ? std::complex<double>(values[i])
                                                 : std::complex<double>(values[2 * i], values[2 * i + 1]));
                sum += part * wave(x, a, lengths_[0]) * wave(y, b, lengths_[1]);
            }
        return sum;
    }

    void check() {
        const std::uint64_t places[][3] = {{0, 0, 0}, {lengths_[0] - 1, 1, lengths_[2] / 4}};
        std::vector<std::complex<double>> expected;
        for (const auto& place : places) expected.push_back(bin(place[0], place[1], place[2]));
        Cards::check(cufft_.copy(plan_, values_.data(), memory_, to_host), "cufftXtMemcpy");
        double error = 0, norm = 0;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const Real* const found =
                values_.data() + (places[i][0] * lengths_[1] + places[i][1]) * row() + 2 * places[i][2];
            error = std::max(error, std::abs(std::complex<double>(found[0], found[1]) - expected[i]));
        }
        for (const Real value : values_) norm = std::max(norm, std::abs(static_cast<double>(value)));
        const double bound = sizeof(Real) == 4 ? 2e-6 : 4e-15;
        std::printf("relative error of two bins %.2g, at most %.0g expected\n", error / norm, bound);
        if (!(error <= bound * norm)) throw PeerError("wrong results");
    }

    const Options& options_;
    std::vector<std::uint64_t> lengths_;
    bool is_real_;
    Cards cards_;
    Cufft cufft_;
    int plan_ = 0;
    void* memory_ = nullptr;
    std::vector<Real> values_;
};

void run(const Options& options) {
    const Problem problem = parse_problem(options.problem);
    if (problem.lengths.size() != 3 || (problem.kind != Kind::c2c && problem.kind != Kind::r2c) || problem.batch != 1 ||
        (problem.precision != Precision::f32 && problem.precision != Precision::f64))
        throw Unsupported("expected one c2c or r2c transform of three axes, f32 or f64, got " + to_string(problem));
    if (problem.precision == Precision::f32)
        Transform<float>(options, problem).run();
    else
        Transform<double>(options, problem).run();
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Times cuFFT's transforms over several cards.");
    Options options;
    app.add_option("PROBLEM", options.problem, "e.g. \"512x512x512 r2c f32\", of three axes")->required();
    app.add_option("--cards", options.cards, "the first of the machine's")
        ->check(CLI::Range(2, 16))
        ->capture_default_str();
    app.add_option("--cufft-library", options.library, "default: libcufft.so of the system or of CUDA_PATH");
    app.add_flag("--no-check", options.no_check, "do not compare two bins with their sums, which takes long");
    app.add_option("--repeat", options.repeat, "executions")->check(CLI::PositiveNumber)->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    try {
        run(options);
        return 0;
    } catch (const std::exception& error) {
        std::cerr << "seiche-cufft-cards: " << error.what() << "\n";
        return 1;
    }
}

// vkfft2022: the VkFFT poster. Its benchmark (lengths 2 to 4096, batched), its precision test (lengths 2 to 100000) and
// its comparison of cosine transforms; Seiche's own plan beside other libraries, where they are.
#include <algorithm>
#include <cmath>
#include <map>

#include "cli/measure/spread.hpp"
#include "cli/problem/profiles.hpp"
#include "cli/reference/random_data.hpp"
#include "cli/text/text.hpp"
#include "study/tables.hpp"
#include "study/texts.hpp"

namespace seiche::study {
namespace {

constexpr double giga = 1e-9;

double bytes_of(const Problem& problem) {
    return points_of(problem) * (problem.precision == Precision::f32 ? 8 : 16) /
           (is_real_to_real(problem.kind) ? 2 : 1);
}

/// "Total system size is divided by the time taken by a single transform", by the mean of consecutive runs.
double poster_bandwidth(const Row& row, const Outcome& outcome) {
    return bytes_of(row.problem) / (outcome.mean_ms * 1e-3) * giga;
}

double our_bandwidth(const Row& row, const Outcome& outcome) { return 2 * poster_bandwidth(row, outcome); }

/// Of all arrays together: 500 MB and more on a GPU, as the poster has it.
double system_bytes(const Laboratory& laboratory) {
    if (!laboratory.protocol().lengths.empty()) return 1 << 16;
    if (laboratory.is_gpu()) return laboratory.protocol().is_quick ? 64e6 : 500e6;
    return laboratory.protocol().is_quick ? 4e6 : 64e6;
}

Row batched(std::uint64_t n, const std::string& rest, double bytes) {
    Problem problem = parse_problem(std::to_string(n) + " " + rest);
    problem.batch = static_cast<std::uint64_t>(std::max(1.0, std::ceil(bytes / bytes_of(problem))));
    return {std::to_string(n), static_cast<double>(n), problem};
}

/// Kinds of lengths as the poster tells them apart.
const char* class_of(std::uint64_t n) {
    const std::uint64_t whole = n;
    if ((n & (n - 1)) == 0) return "powers of two";
    for (const std::uint64_t p : {2u, 3u, 5u, 7u, 11u, 13u})
        while (n % p == 0) n /= p;
    if (n == 1) return "other products of primes up to 13";
    for (std::uint64_t p = 2; p * p <= whole; ++p)
        if (whole % p == 0) return "products with larger primes";
    return "primes above 13";
}

std::vector<Trial> rivals(const Laboratory& laboratory) {
    std::vector<Trial> trials;
    for (const std::string& name : laboratory.protocol().peers) trials.push_back(library(name));
    trials.push_back(automatic());
    return trials;
}

void add_benchmark(Laboratory& laboratory, const std::string& precision, Section& section) {
    const std::vector<std::uint64_t> lengths = laboratory.lengths(
        {2,    8,    16,   37,   64,   100,  127,  256,  331,  512,  625,
         1000, 1009, 1024, 1331, 2048, 2187, 2197, 3125, 3600, 4093, 4096},
        precision == "f32" ? std::vector<std::uint64_t>{127, 1000, 4096} : std::vector<std::uint64_t>{1024});
    std::vector<Row> rows;
    for (const std::uint64_t n : lengths) rows.push_back(batched(n, precision, system_bytes(laboratory)));
    const Grid grid = laboratory.measure_all(rows, rivals(laboratory));
    View view{"Bandwidth of " + precision + " transforms, batched to " +
                  cli::byte_text(static_cast<std::uint64_t>(system_bytes(laboratory))) + ", as the poster counts it",
              "length", "GB/s: system size over the mean time of a transform", poster_bandwidth};
    section.blocks.emplace_back(value_table(grid, view));
    section.blocks.emplace_back(chart_of(grid, view));
    view.title = "The same as Seiche counts it";
    view.value_title = "GB/s: each byte read once and written once";
    view.value = our_bandwidth;
    section.blocks.emplace_back(value_table(grid, view));
    section.blocks.emplace_back(error_table(grid, {"Errors", "length", "", our_bandwidth}));
}

/// Every length, or each so-manieth, of Seiche's own plan.
void add_sweep(Laboratory& laboratory, const std::string& precision, Section& section) {
    const std::uint64_t every = laboratory.protocol().every;
    if (every == 0) return;
    Chart chart{
        "Every length from 2 to 4096, " + precision + (every == 1 ? "" : " (one in " + std::to_string(every) + ")"),
        "length",
        "GB/s as the poster counts it",
        {}};
    std::map<std::string, std::vector<double>> classes;
    std::map<std::string, Series> series;
    for (std::uint64_t n = 2; n <= 4096; n += every) {
        const Row row = batched(n, precision, system_bytes(laboratory));
        const Outcome outcome = laboratory.measure(row.problem, automatic());
        if (!outcome.is_good()) continue;
        const double value = poster_bandwidth(row, outcome);
        classes[class_of(n)].push_back(value);
        series[class_of(n)].points.emplace_back(row.x, value);
    }
    Table table{chart.title, {"lengths", "count", "least", "median", "most"}, {}, {chart.y_title + "."}};
    for (auto& [name, values] : classes) {
        series[name].name = name;
        chart.series.push_back(series[name]);
        const cli::Spread spread = cli::spread_of(values);
        table.rows.push_back({words(name), words(std::to_string(values.size())), number(spread.least),
                              number(spread.median), number(*std::max_element(values.begin(), values.end()))});
    }
    section.blocks.emplace_back(std::move(table));
    section.blocks.emplace_back(std::move(chart));
}

/// A random subset of the lengths from 2 to 100000, input in [-1, 1]; nothing is timed.
void add_precision(Laboratory& laboratory, Section& section) {
    const bool quick = laboratory.protocol().is_quick;
    const std::size_t count = !laboratory.protocol().lengths.empty() ? 1 : quick ? 2 : 48;
    const std::uint64_t longest = !laboratory.protocol().lengths.empty() ? 100 : quick ? 10000 : 100000;
    cli::Random random(1);
    std::vector<std::uint64_t> lengths;
    while (lengths.size() < count) lengths.push_back(2 + random.below(longest - 1));
    std::sort(lengths.begin(), lengths.end());
    Table table{
        "Precision: random lengths from 2 to " + std::to_string(longest),
        {"length", "kind", "f32", "f64"},
        {},
        {"Relative L2 error of random input in [-1, 1] against extended precision; on short lengths the mean of "
         "many transforms."}};
    Chart chart{
        "Error over length", "length", "relative L2 error", {{"f32", {}, Look::plain}, {"f64", {}, Look::automatic}}};
    for (const std::uint64_t n : lengths) {
        std::vector<Cell> cells{words(std::to_string(n)), words(class_of(n))};
        for (std::size_t i = 0; i < 2; ++i) {
            const Laboratory::Judged precision =
                laboratory.precision_of(parse_problem(std::to_string(n) + (i == 0 ? " f32" : " f64")));
            cells.push_back(precision.error ? error_cell(*precision.error) : words(precision.why));
            if (precision.error && *precision.error > 0)
                chart.series[i].points.emplace_back(static_cast<double>(n), *precision.error);
        }
        table.rows.push_back(std::move(cells));
    }
    section.blocks.emplace_back(std::move(table));
    section.blocks.emplace_back(std::move(chart));
}

void add_cosines(Laboratory& laboratory, Section& section) {
    constexpr double most_bytes = 64e6;  // of more, FFTW's planning takes minutes
    const double bytes = std::min(system_bytes(laboratory), most_bytes);
    std::vector<Row> rows;
    for (const char* kind : {"dct1", "dct2", "dct3", "dct4"}) {
        if (laboratory.protocol().is_quick && std::string(kind) != "dct2") continue;
        for (const std::uint64_t n : laboratory.lengths({64, 256, 1000, 1024, 2187, 4096}, {256})) {
            Row row = batched(n, std::string(kind) + " f64", bytes);
            row.label = std::string(kind) + " of " + row.label;
            rows.push_back(std::move(row));
        }
    }
    const Grid grid = laboratory.measure_all(rows, {library("fftw"), automatic()});
    section.blocks.emplace_back(value_table(
        grid, {"Cosine transforms in double precision, batched to " +
                   cli::byte_text(static_cast<std::uint64_t>(bytes)) + ", beside threaded FFTW on this processor",
               "", "GB/s: system size over the mean time of a transform", poster_bandwidth}));
}

/// The longest length that the plan of Bluestein's algorithm keeps in one kernel, on the poster's second card.
std::uint64_t longest_bluestein(const std::string& precision) {
    const DeviceLimits& limits = cli::find_profile("mi250").limits;
    Tuning tuning;
    tuning.algorithm = Algorithm::bluestein;
    const auto is_one_pass = [&](std::uint64_t n) {
        std::size_t forward = 0;
        for (const KernelReport& kernel :
             inspect(parse_problem(std::to_string(n) + " " + precision + " batch=1000"), limits, tuning).kernels)
            forward += kernel.direction == Direction::forward;
        return forward == 1;
    };
    std::uint64_t one = 64, more = 65536;  // that it keeps, and that it does not
    while (more - one > 1) {
        const std::uint64_t middle = (one + more) / 2;
        (is_one_pass(middle) ? one : more) = middle;
    }
    return one;
}

}  // namespace

Section study_vkfft2022(Laboratory& laboratory) {
    Section section{"vkfft2022",
                    "The benchmarks of VkFFT's poster",
                    "vkfft2022: \"VkFFT \u2013 Vulkan/CUDA/HIP/OpenCL/Level Zero GPU FFT library\", a poster; A100 and "
                    "MI250",
                    {},
                    0};
    section.blocks.emplace_back(
        Quote{"VkFFT matches in performance with Nvidia's cuFFT library on Nvidia GPUs for small sequences and "
              "outperforms it on big ones.",
              "vkfft2022, section 10"});
    section.blocks.emplace_back(Quote{"The peak global memory bandwidth of A100 is ~1.3TB/s.", "vkfft2022, section 6"});
    section.blocks.emplace_back(Paragraph{
        "The poster's plots are not in our copy, so no printed curve stands below; what it claims is in words. "
        "The poster divides the system's size by the time of one transform; Seiche counts each byte read and "
        "each byte written, twice as much."});
    for (const char* precision : {"f32", "f64"}) {
        add_benchmark(laboratory, precision, section);
        add_sweep(laboratory, precision, section);
    }
    add_precision(laboratory, section);
    section.blocks.emplace_back(
        Quote{"The high bandwidth of GPU memory allows to greatly outperform CPU implementation in FFTW.",
              "vkfft2022, section 9, on cosine transforms"});
    add_cosines(laboratory, section);
    section.blocks.emplace_back(Quote{
        "Due to the smaller size of available shared memory compare to A100 (64KB vs 192KB), VkFFT has to switch to "
        "doubleupload scheme for Bluestein's algorithm after 2048 in FP64 and 4096 in FP32.",
        "vkfft2022, section 7"});
    laboratory.step("plans for the poster's second card");
    section.blocks.emplace_back(Paragraph{
        "Planned for that card (profile mi250, nothing is run), Seiche keeps Bluestein's algorithm in one pass "
        "up to " +
        std::to_string(longest_bluestein("f64")) + " points in f64 and " + std::to_string(longest_bluestein("f32")) +
        " in f32."});
    return section;
}

}  // namespace seiche::study

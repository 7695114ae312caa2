// amd2011: an OpenCL optimisation article for a Radeon HD 5870. Kernels of 2, 4, 8 and 16 points, launched until no
// stage is left: transforms per second, and why 16 points do not win.
#include <algorithm>

#include "study/kernel_sizes.hpp"
#include "study/tables.hpp"
#include "study/texts.hpp"

namespace seiche::study {
namespace {

double transforms_per_second(const Row& row, const Outcome& outcome) {
    return static_cast<double>(row.problem.batch) / outcome.milliseconds * 1e3;
}

/// Native sine and cosine, as the text has them.
Trial kernel_of(unsigned points, TwiddleMethod twiddles) {
    Trial trial = recipe("multistage-" + std::to_string(points), twiddles);
    trial.name = std::to_string(points) + "-point" + (twiddles == TwiddleMethod::native ? "" : ", table");
    return trial;
}

std::vector<Trial> kernels_of_text() {
    return {kernel_of(2, TwiddleMethod::native), kernel_of(4, TwiddleMethod::native),
            kernel_of(8, TwiddleMethod::native), kernel_of(16, TwiddleMethod::native),
            kernel_of(8, TwiddleMethod::table),  automatic()};
}

/// Its input is planar and packed first: (X, X + N).
Row line(std::uint64_t n) {
    return {std::to_string(n), static_cast<double>(n), parse_problem(std::to_string(n) + " f32 iplanar")};
}

/// One transform of such a length leaves a card idle.
void add_batched(Laboratory& laboratory, Section& section) {
    constexpr std::uint64_t most_points = 1 << 22, most_transforms = 64;
    const std::uint64_t n = laboratory.lengths({1024}, {256}).front();
    const std::string count = std::to_string(std::clamp<std::uint64_t>(most_points / n, 1, most_transforms));
    const std::string text = std::to_string(n), side = std::to_string(std::min<std::uint64_t>(n / 2, 512));
    const std::vector<Row> rows{
        {text + ", " + count + " of them", static_cast<double>(n), parse_problem(text + " f32 batch=" + count)},
        {side + "\u00d7" + side, static_cast<double>(n), parse_problem(side + "x" + side + " f32")}};
    std::vector<Trial> trials = kernels_of_text();
    // Under --quick the text's own choice alone: each kernel size takes a compiler its time.
    if (laboratory.protocol().is_quick) trials = {kernel_of(8, TwiddleMethod::native), automatic()};
    section.blocks.emplace_back(
        value_table(laboratory.measure_all(rows, trials),
                    {"Batched, and in two dimensions", "", "transforms per second", transforms_per_second}));
}

}  // namespace

Section study_amd2011(Laboratory& laboratory) {
    Section section{"amd2011",
                    "An OpenCL FFT for a Radeon HD 5870",
                    "amd2011: an OpenCL optimisation article, part 1 of 2; Radeon HD 5870, AMD APP SDK 2.5",
                    {},
                    0};
    section.blocks.emplace_back(
        Quote{"We can clearly see that the 8-point kernel size gives higher throughput across all data sizes tested on "
              "(Maximum data size of 8 million points).",
              "amd2011, on its figure 13"});
    section.blocks.emplace_back(
        Quote{"It is clear from this graph that the use of a 16-point kernel despite having a higher ALU-to-Fetch "
              "ratio does not perform any better than the 8-point kernel choice since the higher register usage limits "
              "the number of wave-fronts per compute unit.",
              "amd2011, on its figure 14"});
    section.blocks.emplace_back(Paragraph{
        "The data of figures 13 and 14 are not in our copy, so no printed figure stands below. Times are sums "
        "over all kernels of a transform, the packing of the planar input among them, as in the text."});
    std::vector<std::uint64_t> full;
    for (const int power : {6, 8, 10, 12, 14, 16, 18, 20, 22, 23}) full.push_back(std::uint64_t{1} << power);
    std::vector<Row> rows;
    for (const std::uint64_t n : laboratory.lengths(full, {64, 4096})) rows.push_back(line(n));
    const Grid grid = laboratory.measure_all(rows, kernels_of_text());
    const View view{"Transforms per second", "points", "transforms per second", transforms_per_second};
    section.blocks.emplace_back(value_table(grid, view));
    section.blocks.emplace_back(chart_of(grid, view));
    section.blocks.emplace_back(
        error_table(grid, {"Errors: native sines and cosines are not exact", "points", "", transforms_per_second}));
    section.blocks.emplace_back(kernel_size_table(laboratory, grid));
    const Row& middle = row_to_take_apart(grid);
    section.blocks.emplace_back(
        anatomy_table(laboratory, "What a transform of " + middle.label + " is made of", middle.problem, grid.trials));
    add_batched(laboratory, section);
    section.blocks.emplace_back(Paragraph{
        "What the text wants transforms for are commands of Seiche: convolution in the frequency domain (seiche "
        "convolve, filter), products of polynomials (seiche polymul) and of large integers (seiche bigmul), spectra "
        "(seiche spectrum), and primality, by the products of bigmul (examples/lucas_lehmer.cpp)."});
    return section;
}

}  // namespace seiche::study

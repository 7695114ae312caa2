// romero2007: Romero, Trenas, Gutierrez & Zapata, "Locality-improved FFT implementation on a graphics processor", 2007.
// Chunks of neighbouring points against single points and against transpositions; forward and inverse, GFLOPS.
#include <algorithm>
#include <cmath>

#include "study/tables.hpp"
#include "study/texts.hpp"

namespace seiche::study {
namespace {

/// Of a forward transform alone: 5 N log2 N / t.
double forward_gigaflops(const Row& row, const Outcome& outcome) {
    const double n = static_cast<double>(row.problem.lengths.front());
    return 5 * points_of(row.problem) * std::log2(n) / outcome.milliseconds * 1e-6;
}

/// The text's metric, 2 * 5 N log2 N / (t_forward + t_inverse), times the signals of the batch.
double gigaflops(const Row& row, const Outcome& outcome) {
    const double n = static_cast<double>(row.problem.lengths.front());
    return 2 * 5 * points_of(row.problem) * std::log2(n) / (outcome.milliseconds + outcome.inverse_ms) * 1e-6;
}

std::vector<Trial> recipes_of_text(bool is_quick) {
    std::vector<Trial> trials{recipe("locality"), recipe("locality-straightforward"), recipe("locality-transposing")};
    if (!is_quick) trials.insert(trials.begin() + 1, recipe("locality-unpadded"));
    trials.push_back(automatic());
    return trials;
}

/// Both arrays, a workspace and the checker's copies must have room.
bool has_room(const Laboratory& laboratory, std::uint64_t n, std::uint64_t batch) {
    const DeviceLimits& limits = laboratory.device().limits();
    const std::uint64_t bytes = 8 * n * batch;
    return bytes <= limits.max_allocation_bytes && 4 * bytes <= limits.memory_bytes;
}

std::vector<Row> rows_of(const Laboratory& laboratory, std::uint64_t batch) {
    std::vector<std::uint64_t> full;
    // Eight signals of 2^26 points would be 4 GiB in each of the checker's copies.
    const std::uint64_t longest = !laboratory.is_gpu() ? 20 : batch == 1 ? 26 : 24;
    for (std::uint64_t power = 10; power <= longest; power += 2) full.push_back(std::uint64_t{1} << power);
    std::vector<Row> rows;
    for (const std::uint64_t n : laboratory.lengths(full, {std::uint64_t{1} << 14})) {
        if (!has_room(laboratory, n, batch)) continue;
        rows.push_back(
            {std::to_string(n), static_cast<double>(n),
             parse_problem(std::to_string(n) + " f32 batch=" + std::to_string(batch) + " inverse-scale=1/n")});
    }
    return rows;
}

/// The largest length of each, of those that were tried.
std::string largest(const Grid& grid) {
    std::string text = "The largest length that each transformed here, of those tried: ";
    for (std::size_t trial = 0; trial < grid.trials.size(); ++trial) {
        std::string found = "none";
        for (std::size_t row = 0; row < grid.rows.size(); ++row)
            if (grid.outcomes[row][trial].is_good()) found = grid.rows[row].label;
        text += (trial == 0 ? "" : ", ") + grid.trials[trial].name + " " + found;
    }
    return text + ".";
}

/// Libraries of today, of which seiche-peers runs forward transforms.
void add_libraries(Laboratory& laboratory, Section& section) {
    std::vector<Trial> trials;
    for (const std::string& name : laboratory.protocol().peers) trials.push_back(library(name));
    trials.push_back(automatic());
    const Grid grid = laboratory.measure_all(rows_of(laboratory, 1), trials);
    const View view{"One signal, beside libraries of today", "points", "GFLOPS, forward alone", forward_gigaflops};
    section.blocks.emplace_back(value_table(grid, view));
    section.blocks.emplace_back(chart_of(grid, view));
    section.blocks.emplace_back(Paragraph{largest(grid)});
}

}  // namespace

Section study_romero2007(Laboratory& laboratory) {
    Section section{"romero2007",
                    "The locality-improved FFT",
                    "romero2007: Romero, Trenas, Gutierrez & Zapata, \"Locality-Improved FFT Implementation on a "
                    "Graphics Processor\", GeForce 8800 GTX, CUDA 1.0",
                    {},
                    0};
    section.blocks.emplace_back(Quote{
        "The CUFFT library is limited to 2^23 coefficients (about 8 million samples), even less when several batches "
        "are executed at once. Nevertheless our implementation can manage up to 2^26 coefficients (about 64 million "
        "samples), making a better exploitation of the available device memory.",
        "romero2007, section 5"});
    section.blocks.emplace_back(Quote{
        "In fact, the locality improved implementation is able to outperform CUFFT for some particular signal sizes.",
        "romero2007, section 5"});
    section.blocks.emplace_back(Paragraph{
        "The curves of its figure 8 (one signal, and eight) are not in our copy, so no printed figure stands below. "
        "GFLOPS as the text counts them: 2 \u00b7 5 N log2 N over the time of a forward and an inverse transform, its "
        "scale included."});
    Grid one;  // signal
    for (const std::uint64_t batch : {1u, 8u}) {
        const std::vector<Row> rows = rows_of(laboratory, batch);
        if (rows.empty()) {
            section.blocks.emplace_back(Paragraph{"No length of this has room in the device's memory."});
            continue;
        }
        const Grid grid = laboratory.measure_all(rows, recipes_of_text(laboratory.protocol().is_quick), true);
        const View view{batch == 1 ? "One signal" : "Eight signals", "points", "GFLOPS, forward and inverse",
                        gigaflops};
        section.blocks.emplace_back(value_table(grid, view));
        section.blocks.emplace_back(chart_of(grid, view));
        section.blocks.emplace_back(Paragraph{largest(grid)});
        if (batch == 1) one = grid;
    }
    if (one.rows.empty()) return section;
    if (!laboratory.protocol().peers.empty()) add_libraries(laboratory, section);
    section.blocks.emplace_back(error_table(one, {"Errors, the worse direction's", "points", "", gigaflops}));
    const Row& row = row_to_take_apart(one);
    section.blocks.emplace_back(
        anatomy_table(laboratory, "What " + row.label + " points are made of", row.problem, one.trials));
    return section;
}

}  // namespace seiche::study

// Tables and charts of what was measured.
#include "study/tables.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/text/text.hpp"

namespace seiche::study {

std::string short_text(double value) {
    const double size = std::abs(value);
    if (!(size >= 1e-4 && size < 1e7)) return cli::significant(value, 3);
    return cli::fixed(value, std::max(0, 2 - static_cast<int>(std::floor(std::log10(size)))));
}

Cell words(const std::string& text, Look look) { return {text, std::nullopt, look}; }
Cell number(double value, Look look) { return {short_text(value), value, look}; }
Cell printed(const std::string& digits) { return {digits, std::stod(digits), Look::printed}; }
Cell ratio_cell(double ratio) { return {short_text(ratio) + "\u00d7", ratio, Look::plain}; }
Cell none() { return {"\u2013", std::nullopt, Look::missing}; }

Cell error_cell(double error, Look look) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1e", error);
    return {text, error, look};
}

Cell cell_of(const Outcome& outcome, double value) {
    if (outcome.is_good()) return number(value, outcome.look);
    return outcome.look == Look::wrong ? words("wrong", Look::wrong) : none();
}

double milliseconds_of(const Row&, const Outcome& outcome) { return outcome.milliseconds; }

double points_of(const Problem& problem) {
    double points = static_cast<double>(problem.batch);
    for (const std::uint64_t n : problem.lengths) points *= static_cast<double>(n);
    return points;
}

const Row& row_to_take_apart(const Grid& grid) {
    const Row* found = &grid.rows.front();
    for (const Row& row : grid.rows)
        if (points_of(row.problem) <= most_analysed_points) found = &row;
    return *found;
}

namespace {

Table headed(const Grid& grid, const View& view) {
    Table table{view.title, {view.row_title}, {}, {}};
    for (const Trial& trial : grid.trials) table.columns.push_back(trial.name);
    return table;
}

/// One line for each reason, naming the first place that it was given.
void add_reasons(const Grid& grid, Table& table) {
    std::vector<std::string> said;
    for (std::size_t row = 0; row < grid.rows.size(); ++row)
        for (std::size_t i = 0; i < grid.trials.size(); ++i) {
            const Outcome& outcome = grid.outcomes[row][i];
            if (outcome.is_good() || std::find(said.begin(), said.end(), grid.trials[i].name) != said.end()) continue;
            said.push_back(grid.trials[i].name);
            table.notes.push_back(grid.trials[i].name + ", from " + grid.rows[row].label +
                                  " on or there: " + outcome.words);
        }
}

double time_of(const Outcome& outcome) { return outcome.milliseconds + outcome.inverse_ms; }

/// How many times as fast the automatic plan is as the fastest of the others; a dash where one of the two is missing.
Cell lead_of(const Grid& grid, std::size_t row) {
    double own = 0, best = 0;
    for (std::size_t i = 0; i < grid.trials.size(); ++i) {
        const Outcome& outcome = grid.outcomes[row][i];
        if (!outcome.is_good()) continue;
        double& least = grid.trials[i].is_automatic() ? own : best;
        least = least == 0 ? time_of(outcome) : std::min(least, time_of(outcome));
    }
    return own > 0 && best > 0 ? ratio_cell(best / own) : none();
}

}  // namespace

Table value_table(const Grid& grid, const View& view) {
    Table table = headed(grid, view);
    const bool compares =
        grid.trials.size() > 1 &&
        std::any_of(grid.trials.begin(), grid.trials.end(), [](const Trial& trial) { return trial.is_automatic(); });
    if (compares) table.columns.emplace_back("Seiche is");
    for (std::size_t row = 0; row < grid.rows.size(); ++row) {
        std::vector<Cell> cells{words(grid.rows[row].label)};
        for (const Outcome& outcome : grid.outcomes[row])
            cells.push_back(cell_of(outcome, outcome.is_good() ? view.value(grid.rows[row], outcome) : 0));
        if (compares) cells.push_back(lead_of(grid, row));
        table.rows.push_back(std::move(cells));
    }
    table.notes.push_back(view.value_title + (compares ? ". The last column: how many times as fast Seiche's own plan "
                                                         "is as the fastest of the others."
                                                       : "."));
    add_reasons(grid, table);
    return table;
}

Table error_table(const Grid& grid, const View& view) {
    Table table = headed(grid, view);
    for (std::size_t row = 0; row < grid.rows.size(); ++row) {
        std::vector<Cell> cells{words(grid.rows[row].label)};
        for (const Outcome& outcome : grid.outcomes[row]) {
            if (outcome.is_good() && outcome.error > 0)
                cells.push_back(error_cell(outcome.error, outcome.look));
            else
                cells.push_back(cell_of(Outcome{}, 0));
        }
        table.rows.push_back(std::move(cells));
    }
    table.notes.emplace_back("Relative L2 error of random data against extended precision.");
    return table;
}

Chart chart_of(const Grid& grid, const View& view) {
    Chart chart{view.title, view.row_title, view.value_title, {}};
    for (std::size_t i = 0; i < grid.trials.size(); ++i) {
        Series series{grid.trials[i].name, {}, grid.trials[i].is_automatic() ? Look::automatic : Look::plain};
        for (std::size_t row = 0; row < grid.rows.size(); ++row)
            if (grid.outcomes[row][i].is_good())
                series.points.emplace_back(grid.rows[row].x, view.value(grid.rows[row], grid.outcomes[row][i]));
        if (!series.points.empty()) chart.series.push_back(std::move(series));
    }
    return chart;
}

Table anatomy_table(const Laboratory& laboratory, const std::string& title, const Problem& problem,
                    const std::vector<Trial>& trials) {
    Table table{title,
                {"", "launches", "barriers", "kernels, bytes", "threads a group", "MiB moved", "sectors", "conflicts",
                 "flops a byte", "registers"},
                {},
                {"Kernels and barriers as they stand in SPIR-V modules for Vulkan, the same for every device. Sectors: "
                 "32-byte pieces of memory touched, of the least possible; conflicts: accesses to banks of shared "
                 "memory, of the least possible; flops for each byte of memory moved; 32-bit registers live at once: "
                 "all counted by Seiche's interpreter, for this device's limits."}};
    for (const Trial& trial : trials) {
        const Anatomy one = laboratory.anatomy(problem, trial);
        std::vector<Cell> cells{words(trial.name)};
        const Look look = trial.is_automatic() ? Look::automatic : Look::plain;
        const auto count = [&](bool known, double value) { cells.push_back(known ? number(value, look) : none()); };
        const auto whole = [&](bool known, std::uint64_t value) {
            cells.push_back(known ? Cell{std::to_string(value), static_cast<double>(value), look} : none());
        };
        whole(one.is_known, one.launches);
        whole(one.module_bytes > 0, one.barriers);
        whole(one.module_bytes > 0, one.module_bytes);
        whole(one.is_known, one.group_size);
        count(one.is_known, static_cast<double>(one.moved_bytes) / (1 << 20));
        count(one.is_analysed && one.sectors > 0, one.sectors);
        count(one.is_analysed && one.conflicts > 0, one.conflicts);
        count(one.is_analysed, one.flops_per_byte);
        whole(one.is_analysed, one.registers);
        table.rows.push_back(std::move(cells));
    }
    return table;
}

}  // namespace seiche::study

// amd2011's question: what each kernel size costs and gains, and whether the largest wins.
#include "study/kernel_sizes.hpp"

#include <algorithm>

#include "cli/problem/profiles.hpp"
#include "cli/text/text.hpp"
#include "study/tables.hpp"

namespace seiche::study {
namespace {

constexpr const char* stand_in = "h200";  // a unit to count threads on where the device has none

std::string mebibytes(const Anatomy& anatomy) {
    return short_text(static_cast<double>(anatomy.moved_bytes) / (1 << 20)) + " MiB in " +
           std::to_string(anatomy.launches) + " launches";
}

std::string result_of(const std::string& points, const KernelSize& rival, const KernelSize& largest) {
    constexpr double noise = 0.02;
    const double pace = rival.milliseconds / largest.milliseconds;
    const std::string place = " at " + points + " points";
    if (pace < 1 + noise && pace > 1 - noise)
        return largest.name + " kernels are as fast as " + rival.name + " ones" + place + ", within 2 %";
    return largest.name + " kernels " + (pace > 1 ? "win" : "do not win") + place + ", " + cli::significant(pace, 3) +
           " times as fast as " + rival.name + " ones";
}

std::string memory_of(const KernelSize& rival, const KernelSize& largest) {
    if (largest.anatomy.moved_bytes == rival.anatomy.moved_bytes) return "both move " + mebibytes(largest.anatomy);
    const double gain =
        static_cast<double>(rival.anatomy.moved_bytes) / static_cast<double>(largest.anatomy.moved_bytes);
    return "they move " + mebibytes(largest.anatomy) + " where the others move " + mebibytes(rival.anatomy) +
           ", by which alone they would be " + cli::significant(gain, 3) + " times as fast";
}

std::string registers_of(const KernelSize& rival, const KernelSize& largest, Units units) {
    const std::string own = std::to_string(largest.anatomy.registers), other = std::to_string(rival.anatomy.registers);
    if (units == Units::of_a_processor)
        return "their " + own + " registers (" + other +
               ") keep no threads away, since a core of a processor works on one group at a time";
    const Residence &here = largest.residence, &there = rival.residence;
    if (here.threads < there.threads)
        return "their " + own + " registers (" + other + ") leave " + std::to_string(here.threads) +
               " threads on a unit in place of " + std::to_string(there.threads) +
               " to hide the time that memory takes";
    return "their " + own + " registers (" + other + ") leave as many threads on a unit, " +
           std::to_string(here.threads) + " of " + std::to_string(here.most) + ", so that registers are no reason";
}

bool is_kernel_size(const Trial& trial) {
    return trial.tuning.recipe.rfind("multistage", 0) == 0 && trial.tuning.twiddles == TwiddleMethod::native;
}

/// The shortest, the longest that the interpreter counts, and the longest.
std::vector<std::size_t> rows_to_show(const Grid& grid) {
    const auto counted = static_cast<std::size_t>(&row_to_take_apart(grid) - grid.rows.data());
    std::vector<std::size_t> rows{0, counted, grid.rows.size() - 1};
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
}

KernelSize examined(const Laboratory& laboratory, const Grid& grid, std::size_t row, std::size_t trial) {
    KernelSize size{grid.trials[trial].name, laboratory.anatomy(grid.rows[row].problem, grid.trials[trial]), {}, 0};
    // The same kernels at every length.
    if (!size.anatomy.is_analysed)
        size.anatomy.registers = laboratory.anatomy(row_to_take_apart(grid).problem, grid.trials[trial]).registers;
    const DeviceLimits limits = laboratory.is_gpu() ? laboratory.device().limits() : cli::find_profile(stand_in).limits;
    if (size.anatomy.registers > 0)
        size.residence =
            residence({size.anatomy.registers, size.anatomy.group_size, size.anatomy.shared_bytes}, limits);
    size.milliseconds = grid.outcomes[row][trial].milliseconds;
    return size;
}

std::vector<Cell> cells_of(const std::string& points, const KernelSize& size) {
    const Anatomy& anatomy = size.anatomy;
    const auto whole = [](bool known, std::uint64_t value) {
        return known ? Cell{std::to_string(value), static_cast<double>(value), Look::plain} : none();
    };
    const auto figure = [](bool known, double value) { return known ? number(value) : none(); };
    const Residence& held = size.residence;
    const Cell threads{std::to_string(held.threads) + " of " + std::to_string(held.most),
                       static_cast<double>(held.threads) / static_cast<double>(std::max<std::uint64_t>(held.most, 1)),
                       Look::plain};
    return {words(points + ", " + size.name),
            whole(anatomy.is_known, anatomy.launches),
            figure(anatomy.is_known, static_cast<double>(anatomy.moved_bytes) / (1 << 20)),
            figure(anatomy.is_analysed, static_cast<double>(anatomy.flops) * 1e-6),
            figure(anatomy.is_analysed, anatomy.flops_per_byte),
            whole(anatomy.registers > 0, anatomy.registers),
            held.threads > 0 ? threads : none(),
            figure(size.milliseconds > 0, size.milliseconds)};
}

std::string note_on_units(const Laboratory& laboratory) {
    const std::string note =
        "Flops, and 32-bit registers live at once, are counted by Seiche's interpreter in lengths of up to 65536; a "
        "sine or a cosine is one operation, and idle threads of a group count too. Threads: how many stay on a unit, "
        "by "
        "registers, group and shared memory, of those that it holds; compilers need registers beside these. ";
    if (!laboratory.is_gpu())
        return note + "A core of a processor works on one group at a time; the threads are those of an NVIDIA H200.";
    if (unit_of(laboratory.device().limits()).is_known) return note;
    return note + "This device's interface does not say what a unit has: 65536 registers and 2048 threads are assumed.";
}

std::string count_of_wins(const Grid& grid, const std::vector<std::size_t>& trials) {
    std::size_t wins = 0;
    for (const auto& outcomes : grid.outcomes) {
        const Outcome& largest = outcomes[trials.back()];
        wins += largest.is_good() && std::all_of(trials.begin(), trials.end(), [&](std::size_t i) {
                    return !outcomes[i].is_good() || outcomes[i].milliseconds >= largest.milliseconds;
                });
    }
    return "Of the " + std::to_string(grid.rows.size()) + " lengths above " + grid.trials[trials.back()].name +
           " kernels are the fastest of the " + std::to_string(trials.size()) + " sizes at " + std::to_string(wins) +
           ".";
}

}  // namespace

std::string verdict_on_largest(const std::string& points, const std::vector<KernelSize>& sizes, Units units) {
    const KernelSize* rival = nullptr;
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i)
        if (sizes[i].milliseconds > 0 && (rival == nullptr || sizes[i].milliseconds < rival->milliseconds))
            rival = &sizes[i];
    if (rival == nullptr || sizes.back().milliseconds <= 0)
        return "Too few of the kernel sizes have a time at " + points + " points to say whether the largest wins.";
    const KernelSize& largest = sizes.back();
    std::string sentence = result_of(points, *rival, largest) + ": " + memory_of(*rival, largest);
    if (largest.anatomy.registers > 0) sentence += "; " + registers_of(*rival, largest, units);
    return sentence + ".";
}

Table kernel_size_table(const Laboratory& laboratory, const Grid& grid) {
    Table table{"What each kernel size costs and gains",
                {"points", "launches", "MiB moved", "Mflop", "flops a byte", "registers", "threads of a unit", "ms"},
                {},
                {}};
    std::vector<std::size_t> trials;
    for (std::size_t i = 0; i < grid.trials.size(); ++i)
        if (is_kernel_size(grid.trials[i])) trials.push_back(i);
    std::vector<KernelSize> sizes;
    for (const std::size_t row : rows_to_show(grid)) {
        sizes.clear();
        for (const std::size_t trial : trials) {
            sizes.push_back(examined(laboratory, grid, row, trial));
            table.rows.push_back(cells_of(grid.rows[row].label, sizes.back()));
        }
    }
    const Units units = laboratory.is_gpu() ? Units::of_a_gpu : Units::of_a_processor;
    table.notes = {verdict_on_largest(grid.rows.back().label, sizes, units), count_of_wins(grid, trials),
                   note_on_units(laboratory)};
    return table;
}

}  // namespace seiche::study

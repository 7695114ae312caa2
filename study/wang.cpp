// wang: a chapter of a class report on a parallel transform in CUDA. Split arrays, the sum by brute force, the
// transform level by level with a launch each, and both on a processor; its Table 3.
#include <algorithm>

#include "bench/study/cpu_timing.hpp"
#include "study/printed.hpp"
#include "study/tables.hpp"
#include "study/texts.hpp"

namespace seiche::study {
namespace {

/// As the listings have it: single precision, a sine and a cosine for every root.
double cpu_ms(const Laboratory& laboratory, const std::string& name, std::uint64_t n) {
    const bool quick = laboratory.protocol().is_quick;
    const auto found = std::find_if(cpu_algorithms().begin(), cpu_algorithms().end(),
                                    [&](const CpuAlgorithm& one) { return one.name == name; });
    return time_cpu_transform<float>(*found, {static_cast<std::size_t>(n), Sign::forward, Twiddles::on_the_fly},
                                     {quick ? 0.002 : 0.1, quick ? 1u : 3u, false})
               .forward_ns *
           1e-6;
}

Grid measured(Laboratory& laboratory) {
    std::vector<Row> rows;
    for (const std::uint64_t n : laboratory.lengths({1024, 2048, 4096, 8192}, {1024}))
        rows.push_back({std::to_string(n), static_cast<double>(n), parse_problem(std::to_string(n) + " f32 planar")});
    Trial on_the_fly = recipe("level-by-level", TwiddleMethod::on_the_fly);
    on_the_fly.name = "level by level";
    Trial table = recipe("level-by-level", TwiddleMethod::table);
    table.name = "level by level, table";
    Trial by_block = recipe("level-by-block", TwiddleMethod::table);
    by_block.name = "level by block, table";
    Trial by_flag = recipe("level-by-flag", TwiddleMethod::table);
    by_flag.name = "level by flag, table";
    Trial brute = recipe("brute-force", TwiddleMethod::on_the_fly);
    brute.name = "brute force";
    std::vector<Trial> trials{brute, on_the_fly, table, by_block, by_flag, automatic()};
    if (laboratory.protocol().is_quick) trials.erase(trials.begin() + 2);
    return laboratory.measure_all(rows, trials);
}

Table table_3(Laboratory& laboratory, const Grid& grid) {
    Table table{
        "Table 3: as printed (its caption says seconds), and here in milliseconds",
        {"elements", "Brutal FT, s", "here, ms", "FFT CPU, s", "here, ms", "FFT GPU, s", "here, ms", "Seiche, ms"},
        {},
        {"Printed figures in colour. The text names no card and no processor; a sum of 1024 terms for 1024 "
         "outputs in 105 s would be 0.1 ms a term, so the unit is likely to be another, which is not for us "
         "to say. Here: one thread of this processor, and on the device a launch for each level and one for "
         "the bit reversal, with sines and cosines in the kernel as the text has them."}};
    for (const PrintedElements& size : wang_table_3) {
        std::vector<Cell> cells{words(std::to_string(size.length))};
        const auto row = std::find_if(grid.rows.begin(), grid.rows.end(),
                                      [&](const Row& one) { return one.problem.lengths.front() == size.length; });
        const bool is_here = row != grid.rows.end();
        const auto index = static_cast<std::size_t>(row - grid.rows.begin());
        const auto here = [&](const char* name) {
            laboratory.step(std::string(name) + " of " + std::to_string(size.length) + " on the processor");
            return is_here ? number(cpu_ms(laboratory, name, size.length)) : none();
        };
        cells.push_back(printed(size.brutal));
        cells.push_back(here("direct"));
        cells.push_back(printed(size.cpu));
        cells.push_back(here("split-levels"));
        cells.push_back(printed(size.gpu));
        for (const std::size_t trial : {std::size_t{1}, grid.trials.size() - 1})
            cells.push_back(is_here ? cell_of(grid.outcomes[index][trial], grid.outcomes[index][trial].milliseconds)
                                    : none());
        table.rows.push_back(std::move(cells));
    }
    return table;
}

}  // namespace

Section study_wang(Laboratory& laboratory) {
    Section section{"wang",
                    "A parallel transform in CUDA, level by level",
                    "wang: Jianxin Wang, \"On parallel discrete Fourier transform\", chapter 6 of a class report",
                    {},
                    0};
    section.blocks.emplace_back(
        Quote{"The run time for GPU FFT is significantly less than Brutal FT and FFT CPU.", "wang, section 6.6"});
    const Grid grid = measured(laboratory);
    section.blocks.emplace_back(table_3(laboratory, grid));
    const View view{"On the device: split arrays, fp32", "elements", "milliseconds of a forward transform",
                    milliseconds_of};
    section.blocks.emplace_back(value_table(grid, view));
    section.blocks.emplace_back(chart_of(grid, view));
    section.blocks.emplace_back(error_table(grid, {"Errors", "elements", "", milliseconds_of}));
    section.blocks.emplace_back(anatomy_table(laboratory,
                                              "What a transform of " + grid.rows.front().label + " is made of",
                                              grid.rows.front().problem, grid.trials));
    section.blocks.emplace_back(Paragraph{
        "The text ends with an idea that it leaves open: each level need only wait for the blocks that depend "
        "on each other. \"Level by block\" is that idea: the same levels, of which only those whose blocks are "
        "larger than a group have a launch each, or larger than a cluster where the device has clusters; in "
        "these a level waits at a barrier of the cluster, in all others at one of the group, or of the part of "
        "the group or the subgroup that its block is, where the device has such. \"Level by flag\" "
        "has one launch for all levels: where a launch was, a group waits for the two others whose numbers it "
        "sums, by counters in memory, after a launch that clears them; on a device whose groups cannot wait for "
        "each other it is not to be had. Seiche's own plan waits less often because its stages have larger radices; "
        "the barriers of the "
        "table above are those."});
    return section;
}

}  // namespace seiche::study

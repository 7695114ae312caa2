// mota2022: a master's dissertation on FFTs in GLSL (OpenGL compute) and CUDA. Its Table 2 on a processor; on the
// device 2-D transforms in fp32, a launch for each stage against one for all, radix 2 against radix 4.
#include <algorithm>

#include "bench/study/cpu_timing.hpp"
#include "study/printed.hpp"
#include "study/tables.hpp"
#include "study/texts.hpp"

namespace seiche::study {
namespace {

const CpuAlgorithm& algorithm(const std::string& name) {
    return *std::find_if(cpu_algorithms().begin(), cpu_algorithms().end(),
                         [&](const CpuAlgorithm& one) { return one.name == name; });
}

CpuTime timed(const Laboratory& laboratory, const std::string& name, std::uint64_t n, Twiddles twiddles) {
    const bool quick = laboratory.protocol().is_quick;
    return time_cpu_transform<double>(algorithm(name), {static_cast<std::size_t>(n), Sign::forward, twiddles},
                                      {quick ? 0.002 : 0.1, quick ? 1u : 5u, true});
}

/// A direct sum of 2048 points takes 0.1 s and more, so that short runs leave it out where lengths were asked for.
bool is_wanted(const Laboratory& laboratory, std::uint64_t length) {
    const std::vector<std::uint64_t>& asked = laboratory.protocol().lengths;
    return asked.empty() || std::find(asked.begin(), asked.end(), length) != asked.end();
}

std::string problem_of_one(std::uint64_t n) { return std::to_string(n) + " f64 inverse-scale=1/n"; }

void add_printed(std::vector<Cell>& cells, const char* digits, double here_ms) {
    cells.push_back(printed(digits));
    cells.push_back(here_ms > 0 ? number(here_ms) : none());
    cells.push_back(here_ms > 0 ? ratio_cell(std::stod(digits) / here_ms) : none());
}

Table table_2(Laboratory& laboratory) {
    Table table{"Table 2, forward and inverse, milliseconds: as printed, and one thread of this processor",
                {"size", "DFT", "here", "", "FFT DIT", "here", "", "FFT DIF", "here", "", "Recursive FFT", "here", "",
                 "Seiche"},
                {},
                {"Printed figures in colour: the dissertation does not name its machine for them. Here: double "
                 "precision, roots as the text has them (a sine and a cosine for each term of the sum, a recurrence in "
                 "algorithms 1 and 2), the inverse's scale included; the third column of each is printed over here. "
                 "Seiche: the automatic plan on the report's device, both directions."}};
    for (const PrintedSizes& size : mota2022_table_2) {
        std::vector<Cell> cells{words(std::to_string(size.length))};
        const bool wanted = is_wanted(laboratory, size.length);
        const auto here = [&](const char* name, Twiddles twiddles) {
            if (!wanted) return 0.0;
            laboratory.step(std::string(name) + " of " + std::to_string(size.length) + " on the processor");
            return timed(laboratory, name, size.length, twiddles).both_ns * 1e-6;
        };
        add_printed(cells, size.direct, here("direct", Twiddles::on_the_fly));
        add_printed(cells, size.in_time, here("dit", Twiddles::recurrence));
        add_printed(cells, size.in_frequency, here("dif", Twiddles::recurrence));
        add_printed(cells, size.recursive, here("recursive", Twiddles::recurrence));
        const bool ends = size.length == 128 || size.length == 2048;
        if (wanted && (ends || !laboratory.protocol().is_quick)) {
            const Outcome own = laboratory.measure(parse_problem(problem_of_one(size.length)), automatic(), true);
            cells.push_back(cell_of(own, own.milliseconds + own.inverse_ms));
        } else {
            cells.push_back(none());
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

Table algorithms_table(Laboratory& laboratory) {
    const std::uint64_t n = laboratory.lengths({1024}, {256}).back();
    Table table{"Its algorithms on one thread of this processor, " + std::to_string(n) +
                    " points, double precision: microseconds of a forward transform, and error",
                {"algorithm", "table", "error", "on-the-fly", "error", "recurrence", "error"},
                {},
                {"Roots from a table are rounded once; a recurrence multiplies each from the one before, and its error "
                 "grows along the way."}};
    for (const CpuAlgorithm& one : cpu_algorithms()) {
        if (one.source.rfind("mota2022", 0) != 0) continue;
        laboratory.step(one.name + " on the processor");
        std::vector<Cell> cells{words(one.name)};
        for (const Twiddles twiddles : {Twiddles::table, Twiddles::on_the_fly, Twiddles::recurrence}) {
            const CpuTime time = timed(laboratory, one.name, n, twiddles);
            cells.push_back(number(time.forward_ns * 1e-3));
            cells.push_back(error_cell(time.error));
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

/// The rivals of its comparisons; in full also the others, which take a launch for each stage too.
std::vector<Trial> recipes_of_text(bool is_quick) {
    std::vector<Trial> trials;
    for (const char* name : {"cooley-tukey-per-stage", "cooley-tukey-one-pass", "stockham-radix-2", "stockham-radix-4"})
        trials.push_back(recipe(name));
    for (const char* name : {"split-radix", "cooley-tukey-natural", "dit", "dif"})
        if (!is_quick) trials.push_back(recipe(name));
    trials.push_back(automatic());
    return trials;
}

Row square(std::uint64_t n, bool in_images) {
    const std::string side = std::to_string(n), square = side + "\u00b2";
    return {in_images ? square + ", images" : square, static_cast<double>(n),
            parse_problem(side + "x" + side + " f32" + (in_images ? " image=rg32f" : ""))};
}

Grid measured_squares(Laboratory& laboratory, bool in_images) {
    std::vector<Row> rows;
    for (const std::uint64_t n : laboratory.lengths({128, 256, 512, 1024, 2048}, {128}))
        rows.push_back(square(n, in_images));
    return laboratory.measure_all(rows, recipes_of_text(laboratory.protocol().is_quick));
}

/// Each row of one grid and below it that of the other, where there is one.
Grid interleaved(const Grid& first, const Grid& second) {
    Grid both{{}, first.trials, {}};
    for (std::size_t i = 0; i < first.rows.size(); ++i)
        for (const Grid* grid : {&first, &second}) {
            if (i >= grid->rows.size()) continue;
            both.rows.push_back(grid->rows[i]);
            both.outcomes.push_back(grid->outcomes[i]);
        }
    return both;
}

/// Adds a column of outcomes under another name.
void add_column(const Grid& from, std::size_t trial, const std::string& name, Grid& to) {
    to.trials.push_back(from.trials[trial]);
    to.trials.back().name = name;
    for (std::size_t row = 0; row < to.rows.size(); ++row) to.outcomes[row].push_back(from.outcomes[row][trial]);
}

/// Radix 2 and 4 through OpenGL on pairs of images, as the dissertation has them.
void add_opengl(Laboratory& laboratory, Grid& all) {
    Laboratory beside(laboratory.protocol().opengl, laboratory.protocol());
    beside.begin("mota2022");
    std::vector<Row> rows;
    for (const Row& row : all.rows) rows.push_back(square(row.problem.lengths.front(), true));
    const Grid images = beside.measure_all(rows, {recipe("stockham-radix-2"), recipe("stockham-radix-4")});
    add_column(images, 0, "radix 2, GLSL", all);
    add_column(images, 1, "radix 4, GLSL", all);
    laboratory.adopt_faults_of(beside);
}

/// Its comparisons across languages and with a library: radix 2 and 4 in GLSL, the same through the report's device,
/// and libraries of today (the dissertation has cuFFT).
void add_languages(Laboratory& laboratory, const Grid& squares, Section& section) {
    const Protocol& protocol = laboratory.protocol();
    if (!protocol.opengl && protocol.peers.empty()) return;
    Grid all{squares.rows, {}, std::vector<std::vector<Outcome>>(squares.rows.size())};
    if (protocol.opengl) add_opengl(laboratory, all);
    const auto add_own = [&](const std::string& name, const std::string& title) {
        for (std::size_t i = 0; i < squares.trials.size(); ++i)
            if (squares.trials[i].name == name) add_column(squares, i, title, all);
    };
    const std::string backend = std::string(", ") + to_string(laboratory.device().info().backend);
    add_own("stockham-radix-2", "radix 2" + backend);
    add_own("stockham-radix-4", "radix 4" + backend);
    std::vector<Trial> libraries;
    for (const std::string& name : protocol.peers) libraries.push_back(library(name));
    const Grid theirs = laboratory.measure_all(squares.rows, libraries);
    for (std::size_t i = 0; i < libraries.size(); ++i) add_column(theirs, i, libraries[i].name, all);
    add_own("Seiche", "Seiche");
    const View view{"2-D transforms across languages, and beside libraries of today", "size",
                    "milliseconds of a forward transform", milliseconds_of};
    Table table = value_table(all, view);
    if (protocol.opengl)
        table.notes.push_back("GLSL: Stockham's algorithm through " + protocol.opengl.info().name + " (" +
                              protocol.opengl.info().description +
                              "), on pairs of rg32f images; all others on buffers, on the report's device.");
    section.blocks.emplace_back(std::move(table));
    section.blocks.emplace_back(chart_of(all, view));
}

const char* roots_text(TwiddleMethod method) {
    switch (method) {
        case TwiddleMethod::any:
        case TwiddleMethod::table: return "roots from a table";
        case TwiddleMethod::on_the_fly: return "roots made on the fly";
        case TwiddleMethod::native: return "roots of native functions";
        case TwiddleMethod::recurrence: break;
    }
    return "roots by a recurrence";
}

/// Its own comparison, on buffers everywhere and on pairs of images where there are any.
void add_squares(Laboratory& laboratory, Section& section) {
    const bool has_images = laboratory.has_images();
    const std::string where =
        has_images
            ? "Here all algorithms work out of place, forward: on buffers, and below each on a pair of images of "
              "rg32f, of which every launch reads one and writes the other, as in the dissertation. Seiche's own "
              "plan reads and writes images too; between passes its data rest in buffers."
            : "Here all algorithms work on buffers, out of place, forward; this device offers no images.";
    section.blocks.emplace_back(Paragraph{
        "On the card the dissertation compares a launch for each stage with all stages in one, and radix 2 with radix "
        "4 in GLSL and CUDA, from 128\u00b2 up. The data of those figures are not in our copy (sections 5.3.2, 5.3.3, "
        "5.4, 6.3 and the conclusions are headings only), so nothing printed can stand beside what follows. " +
        where});
    const Grid grid = measured_squares(laboratory, false);
    const Grid images = has_images ? measured_squares(laboratory, true) : Grid{{}, grid.trials, {}};
    const Grid both = interleaved(grid, images);
    const View view{"2-D transforms in fp32, one frame", "size", "milliseconds of a forward transform",
                    milliseconds_of};
    section.blocks.emplace_back(value_table(both, view));
    section.blocks.emplace_back(chart_of(grid, view));
    if (has_images)
        section.blocks.emplace_back(chart_of(images, {"2-D transforms in fp32 on pairs of images, one frame",
                                                      view.row_title, view.value_title, milliseconds_of}));
    add_languages(laboratory, grid, section);
    const std::string roots = roots_text(laboratory.protocol().twiddles);
    section.blocks.emplace_back(
        error_table(both, {"The errors of the recipes (" + roots + ")", "size", "", milliseconds_of}));
    const Row& row = row_to_take_apart(grid);
    section.blocks.emplace_back(
        anatomy_table(laboratory, "What a frame of " + row.label + " is made of", row.problem, grid.trials));
    if (!has_images) return;
    const Row& image = row_to_take_apart(images);
    section.blocks.emplace_back(
        anatomy_table(laboratory, "What a frame of " + image.label + " is made of", image.problem, images.trials));
}

/// What the four sources of roots cost and gain, with two of the recipes.
Table twiddle_table(Laboratory& laboratory) {
    const std::uint64_t n = laboratory.lengths({1024}, {64}).back();
    const Problem problem = parse_problem(std::to_string(n) + " f32 batch=64");
    Table table{"Where roots come from: " + to_string(problem) + ", milliseconds and error",
                {"recipe", "table", "error", "on-the-fly", "error", "native", "error", "recurrence", "error"},
                {},
                {"Native functions and the recurrence are outside of Seiche's contract of accuracy; this is what they "
                 "cost."}};
    for (const char* name : {"direct", "stockham-radix-4"}) {
        std::vector<Cell> cells{words(name)};
        for (const TwiddleMethod method :
             {TwiddleMethod::table, TwiddleMethod::on_the_fly, TwiddleMethod::native, TwiddleMethod::recurrence}) {
            const Outcome outcome = laboratory.measure(problem, recipe(name, method));
            cells.push_back(cell_of(outcome, outcome.milliseconds));
            cells.push_back(outcome.is_good() ? error_cell(outcome.error) : none());
        }
        table.rows.push_back(std::move(cells));
    }
    const Outcome own = laboratory.measure(problem, automatic());
    table.rows.push_back({words("Seiche", Look::automatic), cell_of(own, own.milliseconds),
                          own.is_good() ? error_cell(own.error, Look::automatic) : none()});
    for (int i = 0; i < 6; ++i) table.rows.back().push_back(none());
    return table;
}

}  // namespace

Section study_mota2022(Laboratory& laboratory) {
    Section section{"mota2022",
                    "FFTs in GLSL and CUDA",
                    "mota2022: a master's dissertation on FFTs in OpenGL compute shaders, 2022",
                    {},
                    0};
    section.blocks.emplace_back(
        Quote{"As we can see the Discrete Fourier Transform increases exponentially for higher sized sequences, as "
              "expected all FFT variants perform critically better than the original formulation.",
              "mota2022, on its Table 2"});
    section.blocks.emplace_back(table_2(laboratory));
    section.blocks.emplace_back(algorithms_table(laboratory));
    add_squares(laboratory, section);
    section.blocks.emplace_back(twiddle_table(laboratory));
    return section;
}

}  // namespace seiche::study

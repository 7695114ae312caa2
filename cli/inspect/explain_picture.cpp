// An explained plan as one picture: the ways between levels of memory, the flow graph, and the DFT matrix.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "cli/draw/figure.hpp"
#include "cli/inspect/explain.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli {
namespace {

using draw::Box;
using draw::Colour;
using draw::Point;
using draw::Scene;
using draw::TextStyle;

constexpr double margin = 28, band_height = 44, band_gap = 6, band_label = 110, event_width = 104;
constexpr TextStyle heading_style{12, true, 0, false, draw::ink}, note_style{9, false, 0, false, draw::faint},
    small_style{8, false, 0.5, false, draw::ink}, share_style{7, false, 0.5, false, draw::faint};

/// Adds parts below each other and grows the scene.
class Page {
public:
    Page(Scene& scene) : scene_(scene) {}
    double y() const { return y_; }
    void heading(const std::string& text, const std::string& note) {
        y_ += 16;
        line(text, heading_style, 18);
        if (!note.empty()) line(note, note_style, 16);
        y_ += 6;
    }
    void line(const std::string& text, const TextStyle& style, double height) {
        scene_.text(text, {margin, y_ + height / 2}, style);
        reach(margin + draw::widest_text(text, style));
        y_ += height;
    }
    void below(const Box& box) {
        reach(box.right());
        y_ = box.bottom();
    }
    void finish() {
        scene_.width = std::ceil(right_ + margin);
        scene_.height = std::ceil(y_ + margin);
    }

private:
    void reach(double right) { right_ = std::max(right_, right); }
    Scene& scene_;
    double y_ = margin, right_ = 360;
};

/// The levels of memory of one kernel as bands, global memory above; time goes to the right.
class KernelDrawing {
public:
    KernelDrawing(const KernelFlow& flow, Point at, Scene& scene) : flow_(flow), at_(at), scene_(scene) {
        levels_.push_back(MemoryLevel::global);
        for (const MemoryLevel level : {MemoryLevel::cluster, MemoryLevel::shared, MemoryLevel::scratch})
            if (std::any_of(flow.steps.begin(), flow.steps.end(),
                            [&](const FlowStep& step) { return step.before.level == level; }))
                levels_.push_back(level);
        levels_.push_back(MemoryLevel::registers);
    }

    Box draw() {
        const double width = band_label + event_width * static_cast<double>(events());
        for (const MemoryLevel level : levels_) {
            scene_.add(draw::Area{{at_.x, top(level), width, band_height}, level_colour(level)});
            scene_.text(to_string(level), {at_.x + 8, top(level) + band_height / 2}, {9, true, 0, false, draw::ink});
        }
        double x = at_.x + band_label;
        move(x, MemoryLevel::global, MemoryLevel::registers, "read " + byte_text(flow_.kernel.bytes_read));
        x += event_width;
        for (const FlowStep& step : flow_.steps) {
            if (step.before.level != MemoryLevel::registers) x = exchange(x, step.before);
            if (step.kind != FlowKind::deal) x = work(x, step);
        }
        move(x, MemoryLevel::registers, MemoryLevel::global, "write " + byte_text(flow_.kernel.bytes_written));
        return {at_.x, at_.y, width, top(MemoryLevel::registers) + band_height - at_.y};
    }

private:
    std::size_t events() const {
        std::size_t count = 2;
        for (const FlowStep& step : flow_.steps)
            count += (step.before.level != MemoryLevel::registers ? 1u : 0u) + (step.kind != FlowKind::deal ? 1u : 0u);
        return count;
    }
    double top(MemoryLevel level) const {
        const auto found = std::find(levels_.begin(), levels_.end(), level);
        return at_.y + (band_height + band_gap) * static_cast<double>(found - levels_.begin());
    }
    double middle(MemoryLevel level) const { return top(level) + band_height / 2; }

    void move(double x, MemoryLevel from, MemoryLevel to, const std::string& text) {
        const double centre = x + event_width / 2;
        const bool is_down = from == MemoryLevel::global;
        const double start = is_down ? top(from) + band_height - 14 : top(from) + 14;
        const double end = is_down ? top(to) + 14 : top(to) + band_height - 14;
        scene_.add(draw::Stroke{{{centre, start}, {centre, end}}, draw::ink, 1.2, true});
        const double y = top(MemoryLevel::global) + 14;
        scene_.text(text, {centre, y}, small_style);
    }

    /// To the level and back.
    double exchange(double x, const Exchange& exchange) {
        const double centre = x + event_width / 2, level_bottom = top(exchange.level) + band_height - 10;
        const double registers = top(MemoryLevel::registers) + 14;
        scene_.add(draw::Stroke{{{centre - 16, registers}, {centre - 16, level_bottom}}, draw::ink, 1.2, true});
        scene_.add(draw::Stroke{{{centre + 16, level_bottom}, {centre + 16, registers}}, draw::ink, 1.2, true});
        scene_.text(byte_text(exchange.bytes_written) + " each way", {centre, top(exchange.level) + 9}, small_style);
        if (exchange.points != 0) {
            const double stay = 100 * static_cast<double>(exchange.same_thread) / static_cast<double>(exchange.points);
            const double away = 100 *
                                static_cast<double>(exchange.level == MemoryLevel::cluster ? exchange.other_group
                                                                                           : exchange.same_group) /
                                static_cast<double>(exchange.points);
            scene_.text(fixed(exchange.level == MemoryLevel::cluster ? 100 - away : stay, 0) +
                            (exchange.level == MemoryLevel::cluster ? " % stay in group" : " % stay in thread"),
                        {centre, top(exchange.level) + 19}, share_style);
            scene_.text(
                fixed(away, 0) + (exchange.level == MemoryLevel::cluster ? " % to other groups" : " % leave subgroup"),
                {centre, top(exchange.level) + 28}, share_style);
        }
        return x + event_width;
    }

    double work(double x, const FlowStep& step) {
        const Box box{x + 6, top(MemoryLevel::registers) + 6, event_width - 12, band_height - 12};
        scene_.add(draw::Area{box, {255, 255, 255}});
        scene_.add(draw::Frame{box, draw::ink, 1});
        const auto [first, second] = words(step);
        const double centre = box.x + box.width / 2;
        scene_.text(first, {centre, box.y + 11}, {9, true, 0.5, false, draw::ink});
        scene_.text(second, {centre, box.y + 23}, {8, false, 0.5, false, draw::faint});
        return x + event_width;
    }

    static std::pair<std::string, std::string> words(const FlowStep& step) {
        switch (step.kind) {
            case FlowKind::butterflies:
                return {"radix " + std::to_string(step.radix),
                        std::to_string(step.count) + (step.count == 1 ? " butterfly" : " butterflies")};
            case FlowKind::split: return {"split radix", "L-shaped"};
            case FlowKind::multiply: return {"factors", "one a point"};
            case FlowKind::swap_parts: return {"swap", "real, imaginary"};
            case FlowKind::join: return {"point 0", "added to the rest"};
            case FlowKind::real_map: return {"real map", "numbers and points"};
            case FlowKind::user_stage: return {"your stage", "each point"};
            case FlowKind::move:
            case FlowKind::deal: break;
        }
        return {"move", "to other places"};
    }

    const KernelFlow& flow_;
    Point at_;
    Scene& scene_;
    std::vector<MemoryLevel> levels_;
};

void add_ways(const ExplainedPlan& plan, Page& page, Scene& scene) {
    page.heading("Who exchanges what, at which level of memory",
                 "time goes to the right; bytes are those of one execution, butterflies those of one sequence");
    for (std::size_t i = 0; i < plan.explanation.kernels.size(); ++i) {
        const KernelFlow& flow = plan.explanation.kernels[i];
        page.line(pass_title(plan.explanation, i), {10, true, 0, false, draw::ink}, 16);
        page.line(pass_shape(plan, i), note_style, 18);
        const Box box = KernelDrawing(flow, {margin, page.y()}, scene).draw();
        page.below({box.x, box.y, box.width, box.height + 14});
    }
}

void add_graph(const ExplainedPlan& plan, Page& page, Scene& scene) {
    const Explanation& explanation = plan.explanation;
    if (!explanation.no_graph.empty()) {
        page.heading("Flow graph",
                     explanation.no_graph + ". Its steps, j and k being a butterfly's points and results:");
        for (std::size_t i = 0; i < explanation.kernels.size(); ++i)
            for (const FlowStep& step : explanation.kernels[i].steps)
                page.line("pass " + std::to_string(i + 1) + ": " + step.text, {9, false, 0, false, draw::ink}, 15);
        return;
    }
    const bool by_thread = !explanation.kernels.front().is_bundle;
    page.heading("Flow graph", std::string("a line is a point") + "; where lines meet is a butterfly, coloured by " +
                                   (by_thread ? "the thread that has it (modulo 8)" : "its number (modulo 8)") +
                                   "; ω₈³ = exp(\u22122πi · 3/8); bands: through memory");
    page.below(draw_graph(plan, {margin, page.y()}, scene));
}

/// A cell's colour: light, around the colour circle by its angle.
Colour cell_colour(double turns) {
    const Colour full = draw::cyclic(turns);
    const auto light = [](std::uint8_t c) { return static_cast<std::uint8_t>(255 - (255 - c) * 2 / 5); };
    return {light(full.red), light(full.green), light(full.blue)};
}

void draw_cell(const Box& cell, std::uint64_t exponent, std::uint64_t n, Scene& scene) {
    const double turns = static_cast<double>(exponent) / static_cast<double>(n);
    scene.add(draw::Area{cell, cell_colour(turns)});
    const Point centre{cell.x + cell.width / 2, cell.y + cell.height / 2 - 4};
    const double angle = 2 * std::numbers::pi * turns, reach = 8;
    // The imaginary axis goes up, and entry w^e has the angle -2 pi e / n.
    const Point tip{centre.x + reach * std::cos(angle), centre.y + reach * std::sin(angle)};
    const Point tail{2 * centre.x - tip.x, 2 * centre.y - tip.y};
    scene.add(draw::Stroke{{tail, tip}, draw::ink, 1.2, true});
    scene.text(std::to_string(exponent), {cell.right() - 3, cell.bottom() - 5}, {7, false, 1, false, draw::ink});
}

void add_matrix(const ExplainedPlan& plan, Page& page, Scene& scene) {
    const std::string why = why_no_matrix(plan);
    if (!why.empty()) {
        page.heading("DFT matrix", why);
        return;
    }
    const std::uint64_t n = plan.problem.lengths[0];
    const std::string length = std::to_string(n);
    page.heading("DFT matrix", "X[k] is the sum over j of exp(\u22122πi jk/" + length +
                                   ") x[j]; arrows: the entry in the complex plane; numbers: jk modulo " + length);
    constexpr double cell = 32, head = 24;
    const Point at{margin + head, page.y() + head};
    for (std::uint64_t j = 0; j < n; ++j) {
        const double along = cell * (static_cast<double>(j) + 0.5);
        scene.text((j == 0 ? "j = " : "") + std::to_string(j), {at.x + along, at.y - 10}, small_style);
        scene.text((j == 0 ? "k = " : "") + std::to_string(j), {at.x - 4, at.y + along},
                   {8, false, 1, false, draw::ink});
    }
    for (std::uint64_t k = 0; k < n; ++k)
        for (std::uint64_t j = 0; j < n; ++j)
            draw_cell({at.x + cell * static_cast<double>(j), at.y + cell * static_cast<double>(k), cell, cell},
                      j * k % n, n, scene);
    const double side = cell * static_cast<double>(n);
    for (std::uint64_t i = 0; i <= n; ++i) {
        const double along = cell * static_cast<double>(i);
        scene.add(draw::Stroke{{{at.x + along, at.y}, {at.x + along, at.y + side}}, {255, 255, 255}, 1});
        scene.add(draw::Stroke{{{at.x, at.y + along}, {at.x + side, at.y + along}}, {255, 255, 255}, 1});
    }
    page.below({margin, page.y(), head + side, head + side});
}

}  // namespace

draw::Colour level_colour(MemoryLevel level) {
    switch (level) {
        case MemoryLevel::registers: return {226, 240, 217};
        case MemoryLevel::scratch:
        case MemoryLevel::shared: return {255, 236, 204};
        case MemoryLevel::cluster: return {232, 222, 248};
        case MemoryLevel::global: break;
    }
    return {217, 230, 245};
}

draw::Scene explain_picture(const ExplainedPlan& plan) {
    Scene scene;
    const PlanReport& report = plan.explanation.plan;
    scene.title = "seiche explain " + report.problem;
    Page page(scene);
    page.line(report.problem, draw::title_style, 20);
    page.line(report.recipe + ", planned for " + plan.planned_for, draw::subtitle_style, 16);
    add_ways(plan, page, scene);
    add_graph(plan, page, scene);
    add_matrix(plan, page, scene);
    if (plan.values) page.line(checked_text(plan), note_style, 40);
    page.finish();
    return scene;
}

}  // namespace seiche::cli

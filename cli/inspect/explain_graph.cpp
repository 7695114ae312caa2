// The flow graph of an explained plan as a drawing: a line for each point, from left to right, and butterflies where
// lines meet.
#include <algorithm>
#include <array>
#include <cmath>

#include "cli/draw/figure.hpp"
#include "cli/inspect/explain.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli {
namespace {

using draw::Colour;
using draw::Point;
using draw::Scene;
using draw::TextStyle;

// Okabe & Ito's colours, which people with any kind of colour vision tell apart; yellow is darkened.
constexpr std::array<Colour, 8> thread_colours{{{0, 114, 178},
                                                {213, 94, 0},
                                                {0, 158, 115},
                                                {204, 121, 167},
                                                {150, 130, 0},
                                                {86, 180, 233},
                                                {230, 159, 0},
                                                {60, 60, 60}}};
constexpr Colour plain_line{140, 140, 140};
constexpr double node_radius = 2.2, header = 46;
constexpr int drawn_digits = 3;
constexpr std::uint32_t widest_crossing = 4;  // a butterfly of more points is drawn through a hub

const char* const subscripts[] = {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};
const char* const superscripts[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};

std::string in_digits(std::uint64_t number, const char* const (&digits)[10]) {
    std::string text;
    for (const char c : std::to_string(number)) text += digits[c - '0'];
    return text;
}

/// "ω₈³".
std::string drawn_factor(const FlowFactor& factor) {
    if (factor.root <= 2 || factor.root == 4) {
        const std::string text = factor_text(factor);
        return text.front() == '-' ? "\u2212" + text.substr(1) : text;
    }
    return "ω" + in_digits(factor.root, subscripts) + in_digits(factor.exponent, superscripts);
}

/// One region of the graph between two columns of nodes.
struct Region {
    const FlowStep* step = nullptr;
    std::size_t kernel = 0, index = 0;  ///< The step's.
    std::uint32_t stage = 0;            ///< Counted from 1 in its kernel; 0: not of butterflies.
    MemoryLevel before = MemoryLevel::registers;
    double left = 0, width = 0;
};

class GraphDrawing {
public:
    GraphDrawing(const ExplainedPlan& plan, Point at, Scene& scene) : plan_(plan), at_(at), scene_(scene) {
        const std::uint32_t lines = most_lines();
        has_values_ = plan.has_input && plan.values && lines <= most_valued_lines;
        pitch_ = has_values_ ? 30 : lines <= 16 ? 24 : lines <= 32 ? 18 : 13;
        find_regions();
    }

    draw::Box draw() {
        for (std::size_t i = 0; i < regions_.size(); ++i) draw_region(i);
        draw_ends();
        return {at_.x, at_.y, regions_.back().left + regions_.back().width + label_width() + value_room() - at_.x,
                header + pitch_ * most_lines() + 8};
    }

private:
    std::uint32_t most_lines() const {
        std::uint32_t most = plan_.explanation.lines;
        for (const KernelFlow& kernel : plan_.explanation.kernels)
            for (const FlowStep& step : kernel.steps) most = std::max(most, step.lines);
        return most;
    }
    /// Names of pairs are two names.
    double label_width() const { return plan_.explanation.has_pairs_in || plan_.explanation.has_pairs_out ? 96 : 64; }
    double value_room() const { return has_values_ ? 70 : 0; }
    double y_of(std::uint32_t line) const { return at_.y + header + pitch_ * (line + 0.5); }

    void find_regions() {
        double left = at_.x + label_width() + value_room();
        for (std::size_t k = 0; k < plan_.explanation.kernels.size(); ++k) {
            MemoryLevel before = MemoryLevel::global;
            std::uint32_t stage = 0;
            const std::vector<FlowStep>& steps = plan_.explanation.kernels[k].steps;
            for (std::size_t s = 0; s < steps.size(); ++s) {
                const FlowStep& step = steps[s];
                before = std::max(before, step.before.level);
                if (step.kind == FlowKind::deal) continue;
                Region region{&step, k, s, 0, before, left, 0};
                if (is_stage(step)) region.stage = ++stage;
                region.width = width_of(step);
                left += region.width;
                regions_.push_back(region);
                before = MemoryLevel::registers;
            }
        }
    }

    double width_of(const FlowStep& step) const {
        switch (step.kind) {
            case FlowKind::split:
            case FlowKind::butterflies:
                return (has_values_ ? 46 : 0) + (has_after(step) ? 24 : 0) + (step.radix > widest_crossing ? 150 : 118);
            case FlowKind::join:
            case FlowKind::multiply: return has_numbers(step) ? 140 : 92;
            default: return 104;
        }
    }

    void draw_region(std::size_t i) {
        const Region& region = regions_[i];
        const FlowStep& step = *region.step;
        draw_header(region);
        if (step.nodes.empty()) draw_straight(region);
        for (std::size_t b = 0; b < step.nodes.size(); ++b) draw_node(region, b);
        if (step.kind == FlowKind::butterflies && step.radix > widest_crossing) draw_hubs(region);
        if (!step.nodes.empty() && !begins_empty(step)) draw_untouched(region);
        draw_column(region, i == 0 ? plan_.explanation.lines : regions_[i - 1].step->lines);
        if (has_values_ && i > 0) draw_values(region.left, *regions_[i - 1].step, regions_[i - 1]);
    }

    void draw_header(const Region& region) {
        const FlowStep& step = *region.step;
        const bool has_passes = plan_.explanation.kernels.size() > 1;
        std::string title, detail;
        switch (step.kind) {
            case FlowKind::split:
                title = "stage " + std::to_string(region.stage);
                detail = "split radix";
                break;
            case FlowKind::butterflies:
                title = "stage " + std::to_string(region.stage);
                detail = "radix " + std::to_string(step.radix);
                break;
            case FlowKind::multiply: title = "factors"; break;
            case FlowKind::swap_parts: title = "swap", detail = "re \u2194 im"; break;
            case FlowKind::join: title = "point 0"; break;
            case FlowKind::real_map: title = "map", detail = "real \u2194 complex"; break;
            case FlowKind::user_stage: title = "your stage"; break;
            case FlowKind::move:
            case FlowKind::deal: title = "move"; break;
        }
        if (has_passes) title = "pass " + std::to_string(region.kernel + 1) + ", " + title;
        const double middle = region.left + region.width / 2;
        scene_.text(title, {middle, at_.y + 6}, {9, true, 0.5, false, draw::ink});
        if (!detail.empty()) scene_.text(detail, {middle, at_.y + 18}, {8, false, 0.5, false, draw::faint});
        if (region.before != MemoryLevel::registers) mark_level(region.left, region.before);
    }

    /// A band behind a column of nodes where points change hands, and its name above.
    void mark_level(double x, MemoryLevel level) {
        const double height = pitch_ * most_lines();
        scene_.add(draw::Area{{x - 5, at_.y + header - 6, 10, height + 12}, level_colour(level)});
        scene_.text(level == MemoryLevel::shared   ? "shared"
                    : level == MemoryLevel::global ? "global"
                                                   : to_string(level),
                    {x, at_.y + 33}, {8, false, 0.5, false, draw::ink});
    }

    Colour colour_of(const Region& region, std::size_t butterfly) const {
        const bool by_thread = !plan_.explanation.kernels[region.kernel].is_bundle;
        return thread_colours[(by_thread ? region.step->nodes[butterfly].thread : butterfly) % thread_colours.size()];
    }

    void draw_node(const Region& region, std::size_t b) {
        const FlowNode& node = region.step->nodes[b];
        const Colour colour = is_stage(*region.step) ? colour_of(region, b) : plain_line;
        const double lead = lead_of(region), tail = tail_of(region);
        for (std::size_t j = 0; j < node.from.size(); ++j) draw_lead(region, node, j, lead, colour);
        for (std::size_t k = 0; k < node.to.size(); ++k) draw_tail(region, node, k, colour);
        if (node.from.size() > widest_crossing) return;
        const bool is_move = node.from.size() == 1 && node.from != node.to;
        for (std::size_t j = 0; j < node.from.size(); ++j)
            for (std::size_t k = 0; k < node.to.size(); ++k)
                if (region.step->kind != FlowKind::split || k > 1 || j % 2 == k)
                    scene_.add(
                        draw::Stroke{{{lead, y_of(node.from[j])}, {tail, y_of(node.to[k])}}, colour, 1, is_move});
    }

    /// Lines after it are those that its nodes make.
    static bool begins_empty(const FlowStep& step) {
        return step.kind == FlowKind::move || step.kind == FlowKind::real_map;
    }

    static bool is_stage(const FlowStep& step) {
        return step.kind == FlowKind::butterflies || step.kind == FlowKind::split;
    }

    static bool has_after(const FlowStep& step) {
        return std::any_of(step.nodes.begin(), step.nodes.end(), [](const FlowNode& node) {
            return !std::all_of(node.after.begin(), node.after.end(), is_one);
        });
    }

    void draw_tail(const Region& region, const FlowNode& node, std::size_t k, Colour colour) {
        const double y = y_of(node.to[k]), right = region.left + region.width;
        scene_.add(draw::Stroke{{{tail_of(region), y}, {right, y}}, colour, 1});
        if (node.after.empty() || is_one(node.after[k])) return;
        const double size = pitch_ >= 18 ? 8 : 7;
        scene_.text(drawn_factor(node.after[k]), {right - 22, y - 0.6 * size}, {size, false, 0.5, false, draw::ink});
    }

    static bool has_factors(const FlowStep& step) {
        return std::any_of(step.nodes.begin(), step.nodes.end(), [](const FlowNode& node) {
            return !std::all_of(node.factors.begin(), node.factors.end(), is_one);
        });
    }

    /// Lines go straight on from the left end to here, and from there to the right end.
    double lead_of(const Region& region) const {
        const double factors = has_numbers(*region.step) ? 76 : has_factors(*region.step) ? 30 : 0;
        return region.left + 14 + factors + (has_values_ ? 40 : 0);
    }
    static double tail_of(const Region& region) {
        return region.left + region.width - (has_after(*region.step) ? 38 : 12);
    }

    static bool has_numbers(const FlowStep& step) {
        return std::any_of(step.nodes.begin(), step.nodes.end(), [](const FlowNode& node) {
            return std::any_of(node.factors.begin(), node.factors.end(),
                               [](const FlowFactor& factor) { return factor.root == 0; });
        });
    }

    void draw_lead(const Region& region, const FlowNode& node, std::size_t j, double lead, Colour colour) {
        const double y = y_of(node.from[j]);
        scene_.add(draw::Stroke{{{region.left, y}, {lead, y}}, colour, 1});
        if (node.factors.empty() || is_one(node.factors[j])) return;
        const double size = pitch_ >= 18 ? 8 : 7;
        const double middle = has_numbers(*region.step) ? lead - 40 : lead - 17;
        scene_.text(drawn_factor(node.factors[j]), {middle, y - 0.6 * size}, {size, false, 0.5, false, draw::ink});
    }

    /// Where the lines of a large butterfly meet: the hubs of a stage are spread over the height, by the middles of
    /// their lines.
    std::vector<Point> hubs_of(const Region& region) const {
        const std::vector<FlowNode>& nodes = region.step->nodes;
        std::vector<std::pair<std::uint64_t, std::size_t>> order;
        for (std::size_t b = 0; b < nodes.size(); ++b) {
            std::uint64_t sum = 0;
            for (const std::uint32_t line : nodes[b].from) sum += line;
            for (const std::uint32_t line : nodes[b].to) sum += line;
            order.emplace_back(sum, b);
        }
        std::sort(order.begin(), order.end());
        std::vector<Point> hubs(nodes.size());
        const double pitch = pitch_ * region.step->lines / static_cast<double>(nodes.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            hubs[order[i].second] = {(lead_of(region) + tail_of(region)) / 2,
                                     at_.y + header + pitch * (static_cast<double>(i) + 0.5)};
        return hubs;
    }

    void draw_hubs(const Region& region) {
        const std::vector<Point> hubs = hubs_of(region);
        const bool is_narrow = pitch_ < 18;
        for (std::size_t b = 0; b < hubs.size(); ++b) {
            const FlowNode& node = region.step->nodes[b];
            const Colour colour = colour_of(region, b);
            for (const std::uint32_t line : node.from)
                scene_.add(draw::Stroke{{{lead_of(region), y_of(line)}, hubs[b]}, colour, 1});
            for (const std::uint32_t line : node.to)
                scene_.add(draw::Stroke{{hubs[b], {tail_of(region), y_of(line)}}, colour, 1});
        }
        for (std::size_t b = 0; b < hubs.size(); ++b) {
            scene_.add(draw::Disc{hubs[b], is_narrow ? 5.5 : 7.0, colour_of(region, b)});
            scene_.text(std::to_string(region.step->radix), hubs[b],
                        {is_narrow ? 6.5 : 8.0, true, 0.5, false, {255, 255, 255}});
        }
    }

    void draw_straight(const Region& region) {
        for (std::uint32_t line = 0; line < region.step->lines; ++line)
            scene_.add(
                draw::Stroke{{{region.left, y_of(line)}, {region.left + region.width, y_of(line)}}, plain_line, 1});
    }

    /// Lines that nothing happens to: without a factor, or beside a convolution.
    void draw_untouched(const Region& region) {
        std::vector<bool> touched(region.step->lines, false);
        for (const FlowNode& node : region.step->nodes)
            for (const std::uint32_t line : node.to) touched[line] = true;
        for (std::uint32_t line = 0; line < region.step->lines; ++line)
            if (!touched[line])
                scene_.add(
                    draw::Stroke{{{region.left, y_of(line)}, {region.left + region.width, y_of(line)}}, plain_line, 1});
    }

    void draw_column(const Region& region, std::uint32_t lines) {
        for (std::uint32_t line = 0; line < lines; ++line)
            scene_.add(draw::Disc{{region.left, y_of(line)}, node_radius, draw::ink});
    }

    void draw_values(double x, const FlowStep& step, const Region& of) {
        const auto& values = plan_.values->steps[of.kernel][of.index];
        double scale = 0;
        for (const auto& value : values) scale = std::max(scale, std::abs(value));
        for (std::uint32_t line = 0; line < step.lines; ++line)
            scene_.text(value_text(values[line], scale, drawn_digits), {x + 8, y_of(line) + 6.5},
                        {7, false, 0, false, draw::faint});
    }

    void draw_ends() {
        const double size = pitch_ >= 18 ? 10 : 8;
        const Region& last = regions_.back();
        const double right = last.left + last.width;
        mark_level(right, MemoryLevel::global);
        double in_scale = 0, out_scale = 0;
        for (const auto& value : plan_.input) in_scale = std::max(in_scale, std::abs(value));
        if (has_values_)
            for (const auto& value : plan_.values->steps.back().back())
                out_scale = std::max(out_scale, std::abs(value));
        for (std::uint32_t line = 0; line < plan_.explanation.lines; ++line) {
            const double x = regions_.front().left;
            scene_.text(line_name(plan_, line, true), {x - 10, y_of(line)}, {size, false, 1, false, draw::ink});
            if (has_values_)
                scene_.text(value_text(plan_.input[line], in_scale, drawn_digits), {x - label_width() + 4, y_of(line)},
                            {8, false, 1, false, draw::faint});
        }
        for (std::uint32_t line = 0; line < last.step->lines; ++line) {
            scene_.add(draw::Disc{{right, y_of(line)}, node_radius, draw::ink});
            scene_.text(line_name(plan_, line, false), {right + 10, y_of(line)}, {size, false, 0, false, draw::ink});
            if (has_values_)
                scene_.text(value_text(plan_.values->steps.back().back()[line], out_scale, drawn_digits),
                            {right + label_width() - 4, y_of(line)}, {8, false, 0, false, draw::faint});
        }
    }

    const ExplainedPlan& plan_;
    Point at_;
    Scene& scene_;
    double pitch_ = 24;
    bool has_values_ = false;
    std::vector<Region> regions_;
};

}  // namespace

draw::Box draw_graph(const ExplainedPlan& plan, draw::Point at, draw::Scene& scene) {
    return GraphDrawing(plan, at, scene).draw();
}

}  // namespace seiche::cli

// Ways between memory and the core, the stages on them, and launches of textbook recipes.
#include "exec/flow_writer.hpp"

#include <algorithm>

#include "seiche/error.hpp"
#include "support/primes.hpp"

namespace seiche::exec {

using kernels::KernelSpec;
using kernels::Stage;

std::string kept_text(const kernels::Kept& kept) {
    std::string text;
    for (const kernels::Range& range : kept.ranges)
        text += (text.empty() ? "; of the axis " : " and ") + std::to_string(range.begin) + " to " +
                std::to_string(range.end - 1);
    return text.empty() ? text : text + " are there";
}

Lines texel_lines(const KernelSpec& spec) {
    const Side side(spec, spec, true);
    Lines lines;
    for (std::uint64_t q = 0; q < side.sequences(); ++q) {
        const std::uint64_t first = side.address(q, 0);
        lines.push_back(first);
        if (2 * side.loop_index(q, 0) + 1 < spec.texel_points()) lines.push_back(first + 1);
    }
    std::sort(lines.begin(), lines.end());
    return lines;
}

namespace {

std::string entry_text(const KernelSpec& spec) {
    if (spec.convolution.prime) {
        const std::string half = std::to_string((spec.convolution.prime - 1) / 2);
        return (kernels::splits_parity(spec)
                    ? "points g^j and g^(" + half + " + j) go to place j of two convolutions of " +
                          std::to_string(spec.n) + " points, g = "
                    : "point g^j goes to place j of the convolution, g = ") +
               std::to_string(support::primitive_root(spec.convolution.prime)) + " modulo " +
               std::to_string(spec.convolution.prime) + "; point 0 beside it";
    }
    return "padded with zeros to " + std::to_string(spec.n) + " points" + kept_text(spec.in.kept);
}

constexpr const char* real_parts_text = "the real part of every point is its element";

/// Points are elements without their imaginary parts.
bool has_real_parts(const KernelSpec& spec) { return spec.out.is_real() && spec.out.has<kernels::Points>(); }

std::string exit_text(const KernelSpec& spec) {
    return kernels::splits_parity(spec) ? "place j of the convolutions is frequency g^j and g^(" +
                                              std::to_string((spec.convolution.prime - 1) / 2) + " + j)"
                                        : "place j of the convolution is frequency g^j";
}

constexpr const char* texel_text = "complex numbers 2 i and 2 i + 1 become texel i, of four numbers";

std::string one_sided_text(const kernels::OneSided& stage) {
    const std::string own = stage.middle == 0
                                ? "point 0, whose real part stays"
                                : "points 0 and " + std::to_string(stage.middle) + ", whose real parts stay";
    return "twice all points but " + own + ": half of a spectrum for the whole";
}
std::string wanted_text(const KernelSpec& spec) { return "the points that are wanted" + kept_text(spec.out.kept); }

}  // namespace

void FlowWriter::write(const DraftStep& drafted, KernelFlow& flow) {
    flow_ = &flow;
    const KernelSpec& spec = drafted.step.spec;
    const KernelSpec& last = kernels::last_pass(spec);
    if (spec.textbook()) {
        write_textbook(spec);
        return;
    }
    if (!spec.register_rows().empty()) {
        write_register_rows(spec);
        return;
    }
    if (spec.texel_points() != 0) {
        write_texels(spec);
        return;
    }
    if (spec.is_repacking()) {
        write_map(spec);
        return;
    }
    if (map_of(spec, true))
        enter_real(spec);
    else
        enter(spec, Side(spec, last, true));
    write_core(spec);
    for (const KernelSpec* pass = &spec; !pass->on_chip.next.empty(); pass = &pass->on_chip.next.front()) {
        transpose(*pass);
        write_core(pass->on_chip.next.front());
    }
    if (map_of(last, false))
        leave_real(last);
    else
        leave(spec, Side(spec, last, false));
}

void FlowWriter::write_texels(const KernelSpec& spec) {
    present_ = lines_.size();
    FlowStep& step = add(FlowKind::move, texel_text);
    if (!has_graph_) return;
    for (const std::uint64_t address : texel_lines(spec))
        step.nodes.push_back({{rank(address)}, {rank(address)}, {}, {}, 0});
}

FlowStep& FlowWriter::add(FlowKind kind, const std::string& text) {
    FlowStep step;
    step.kind = kind;
    step.text = text;
    step.lines = has_graph_ ? static_cast<std::uint32_t>(present_) : 0;
    flow_->steps.push_back(step);
    return flow_->steps.back();
}

std::uint32_t FlowWriter::core_line(const KernelSpec& spec, std::uint64_t sequence, std::uint64_t position) const {
    if (!at_.empty()) return at_[sequence * spec.n + position];
    const std::uint64_t beside = spec.convolution.prime ? 1 : 0;
    return static_cast<std::uint32_t>(sequence * points_on_chip(spec) + beside + position);
}

std::uint32_t FlowWriter::beside_line(const KernelSpec& spec, std::uint64_t sequence) const {
    return static_cast<std::uint32_t>(sequence * points_on_chip(spec));
}

std::uint32_t FlowWriter::line_of_element(const KernelSpec& spec, std::uint64_t sequence, std::uint64_t e) const {
    if (!spec.convolution.prime) return core_line(spec, sequence, e);
    if (e == 0) return beside_line(spec, sequence);
    const std::uint32_t j = logarithm_[e], points = (spec.convolution.prime - 1) / 2;
    return core_line(spec, sequence, kernels::splits_parity(spec) && j >= points ? spec.n + j - points : j);
}

std::uint32_t FlowWriter::rank_in(const Lines& lines, std::uint64_t address) {
    const auto found = std::lower_bound(lines.begin(), lines.end(), address);
    if (found == lines.end() || *found != address)
        throw InternalError("a flow graph: a pass reads element " + std::to_string(address) +
                            ", expected one that the pass before wrote");
    return static_cast<std::uint32_t>(found - lines.begin());
}

bool FlowWriter::is_straight(const KernelSpec& spec, const Side& side, std::size_t lines) const {
    return !spec.convolution.prime && side.points() == spec.n && side.sequences() * spec.n == lines &&
           side.lines().size() == lines;
}

void FlowWriter::enter(const KernelSpec& spec, const Side& side) {
    if (spec.convolution.prime) logarithm_ = logarithms(spec.convolution.prime);
    present_ = lines_.size();
    add_user_stages(spec.in.stages);
    add_stages(side, [&](std::uint64_t q, std::uint64_t e) { return rank(side.address(q, e)); });
    at_.clear();
    if (!has_graph_) {
        if (spec.convolution.prime || side.points() != spec.n || !spec.in.kept.ranges.empty())
            add(FlowKind::move, entry_text(spec));
        return;
    }
    if (is_straight(spec, side, lines_.size())) {
        at_.resize(lines_.size());
        for (std::uint64_t q = 0; q < side.sequences(); ++q)
            for (std::uint64_t e = 0; e < spec.n; ++e) at_[q * spec.n + e] = rank(side.address(q, e));
        return;
    }
    present_ = side.sequences() * points_on_chip(spec);
    FlowStep& step = add(FlowKind::move, entry_text(spec));
    for (std::uint64_t q = 0; q < side.sequences(); ++q)
        for (std::uint64_t e = 0; e < side.points(); ++e)
            if (side.exists(q, e))
                step.nodes.push_back({{rank(side.address(q, e))}, {line_of_element(spec, q, e)}, {}, {}, 0});
}

void FlowWriter::leave(const KernelSpec& first, const Side& side) {
    const KernelSpec& spec = kernels::last_pass(first);
    if (!has_graph_) {
        if (spec.convolution.prime) add(FlowKind::move, exit_text(spec));
        if (!spec.out.kept.ranges.empty()) add(FlowKind::move, wanted_text(spec));
        add_stages(side, [](std::uint64_t, std::uint64_t) { return 0u; });
        if (has_real_parts(spec)) add_real_parts(spec);
        add_user_stages(spec.out.stages);
        return;
    }
    const Lines core = std::move(lines_);
    lines_ = side.lines();
    std::vector<FlowNode> way;
    for (std::uint64_t q = 0; q < side.sequences(); ++q)
        for (std::uint64_t e = 0; e < side.points(); ++e)
            if (side.exists(q, e))
                way.push_back({{line_of_element(spec, q, e)}, {rank(side.address(q, e))}, {}, {}, 0});
    // The last butterflies' results go straight to their places; a deal after them changes no line.
    const auto last = std::find_if(flow_->steps.rbegin(), flow_->steps.rend(),
                                   [](const FlowStep& step) { return step.kind != FlowKind::deal; });
    const bool is_straight = way.size() == present_ && std::all_of(way.begin(), way.end(), [](const FlowNode& node) {
                                 return node.from == node.to;
                             });
    const bool has_butterflies = last != flow_->steps.rend() && last->kind == FlowKind::butterflies;
    if (is_straight && !spec.convolution.prime) {
        // Nothing moves.
    } else if (has_butterflies && !spec.convolution.prime && way.size() == present_) {
        std::vector<std::uint32_t> to(way.size());
        for (const FlowNode& node : way) to[node.from[0]] = node.to[0];
        for (FlowNode& node : last->nodes)
            for (std::uint32_t& line : node.to) line = to[line];
    } else {
        present_ = lines_.size();
        add(FlowKind::move, spec.convolution.prime ? exit_text(spec) : wanted_text(spec)).nodes = std::move(way);
    }
    present_ = lines_.size();
    add_stages(side, [&](std::uint64_t q, std::uint64_t e) { return rank(side.address(q, e)); });
    if (has_real_parts(spec)) add_real_parts(spec);
    add_user_stages(spec.out.stages);
}

void FlowWriter::add_real_parts(const KernelSpec& spec) {
    FlowStep& step = add(FlowKind::real_map, real_parts_text);
    if (spec.out.has_rows())
        step.before = rows_exchange(spec, false, kernels::sequences_per_batch(spec) * question_.problem.batch.count);
    if (!has_graph_) return;
    for (std::uint32_t line = 0; line < present_; ++line)
        step.nodes.push_back({{line}, {line}, {}, {}, 0, {0.5}, {0.5}});
}

void FlowWriter::add_stages(const Side& side, const LineOf& line_of) {
    for (const Stage& stage : side.stages()) {
        if (std::holds_alternative<kernels::UserProgram>(stage)) continue;
        if (std::holds_alternative<kernels::SwapParts>(stage)) {
            add(FlowKind::swap_parts, swap_text);
            continue;
        }
        if (const auto* one_sided = std::get_if<kernels::OneSided>(&stage)) {
            add_one_sided(*one_sided, side, line_of);
            continue;
        }
        FlowStep& step = add(FlowKind::multiply, factor_text(stage));
        if (has_graph_) add_factors({stage, side, side.points()}, line_of, step);
    }
}

/// A point that is its own mirror becomes half of the sum of itself and its conjugate, all others their double.
void FlowWriter::add_one_sided(const kernels::OneSided& stage, const Side& side, const LineOf& line_of) {
    FlowStep& step = add(FlowKind::real_map, one_sided_text(stage));
    for (std::uint64_t q = 0; has_graph_ && q < side.sequences(); ++q)
        for (std::uint64_t e = 0; e < side.points(); ++e) {
            if (!side.exists(q, e)) continue;
            const std::uint32_t line = line_of(q, e);
            const std::uint64_t index = side.axis_index(stage, q, e);
            const bool is_own = index == 0 || index == stage.middle;
            step.nodes.push_back({{line}, {line}, {}, {}, 0, {is_own ? 0.5 : 2.0}, {is_own ? 0.5 : 0.0}});
        }
}

/// A spectrum meets all points on chip, whichever of them come from memory.
void FlowWriter::add_factors(const Factors& factors, const LineOf& line_of, FlowStep& step) {
    const auto* chirp = std::get_if<kernels::ChirpSpectrum>(&factors.stage);
    std::vector<std::complex<double>> spectrum;
    if (chirp)
        spectrum = table_values(kernels::SpectrumTable{chirp->length, chirp->padded, chirp->results}, chirp->padded);
    for (std::uint64_t q = 0; q < factors.side.sequences(); ++q)
        for (std::uint64_t e = 0; e < factors.points; ++e) {
            if (!chirp && !factors.side.exists(q, e)) continue;
            const std::uint32_t line = line_of(q, e);
            step.nodes.push_back({{line},
                                  {line},
                                  {chirp ? FlowFactor{spectrum[factors.side.axis_index(*chirp, q, e)], 0, 0}
                                         : factor(factors.stage, factors.side, q, e)},
                                  {},
                                  0});
        }
}

void FlowWriter::add_user_stages(const std::vector<Stage>& stages) {
    for (const Stage& stage : stages)
        if (std::holds_alternative<kernels::UserProgram>(stage)) add(FlowKind::user_stage, factor_text(stage));
}

void FlowWriter::write_textbook(const KernelSpec& spec) {
    const KernelSpec line = line_spec(spec);
    enter(line, Side(line, line, true));
    const std::uint64_t lines = kernels::sequences_per_batch(line);
    const std::size_t first = flow_->steps.size();
    for (std::uint64_t q = 0; q < (has_graph_ ? lines : 1); ++q) {
        const std::vector<FlowStep> steps = textbook_steps(spec, q, has_graph_);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (q == 0) add_textbook_step(steps[i], lines);
            add_placed(steps[i].nodes, line, q, flow_->steps[first + i]);
        }
    }
    leave(line, Side(line, line, false));
}

void FlowWriter::add_textbook_step(const FlowStep& of_line, std::uint64_t lines) {
    FlowStep& step = add(of_line.kind, of_line.text);
    step.radix = of_line.radix;
    step.stride = of_line.stride;
    step.count = of_line.count;
    step.before = of_line.before;
    step.before.bytes_read *= lines * question_.problem.batch.count;
    step.before.bytes_written *= lines * question_.problem.batch.count;
}

void FlowWriter::add_placed(const std::vector<FlowNode>& nodes, const KernelSpec& line, std::uint64_t q,
                            FlowStep& step) const {
    for (FlowNode node : nodes) {
        for (std::uint32_t& at : node.from) at = core_line(line, q, at);
        for (std::uint32_t& at : node.to) at = core_line(line, q, at);
        step.nodes.push_back(std::move(node));
    }
}

}  // namespace seiche::exec

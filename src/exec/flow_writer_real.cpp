// Ways between real numbers and the core.
#include "exec/flow_writer.hpp"

#include <algorithm>

namespace seiche::exec {

using kernels::KernelSpec;
using kernels::Stage;

void FlowWriter::add_map(const RealSide& side, const LineOfAxis& from, const LineOfAxis& to) {
    FlowStep& step = add(FlowKind::real_map, side.text() + kept_text(side.kept()));
    if (!has_graph_) return;
    const std::vector<RealNode> nodes = side.nodes();
    for (const std::uint64_t axis : side.axes())
        for (const RealNode& node : nodes) {
            FlowNode own;
            std::vector<std::size_t> terms, results;  // that are kept
            for (std::size_t j = 0; j < node.terms.size(); ++j)
                if (const auto line = from(axis, node.terms[j])) own.from.push_back(*line), terms.push_back(j);
            for (std::size_t k = 0; k < node.results.size(); ++k)
                if (const auto line = to(axis, node.results[k])) own.to.push_back(*line), results.push_back(k);
            for (const std::size_t k : results)
                for (const std::size_t j : terms) {
                    own.own.push_back(node.own[k * node.terms.size() + j]);
                    own.conjugated.push_back(node.conjugated[k * node.terms.size() + j]);
                }
            if (!own.from.empty() && !own.to.empty()) step.nodes.push_back(std::move(own));
        }
}

FlowWriter::LineOfAxis FlowWriter::lines_of_elements(const RealSide& side) const {
    return [this, &side](std::uint64_t axis, std::uint64_t e) {
        return side.is_kept(e) ? Line(rank(side.address(axis, e))) : Line();
    };
}

FlowWriter::LineOfAxis FlowWriter::lines_of_points(const RealSide& side, const KernelSpec& spec) const {
    return [this, &side, &spec](std::uint64_t axis, std::uint64_t j) {
        const RealSide::Point point = side.point(axis, j);
        return Line(line_of_element(spec, point.sequence, point.position));
    };
}

void FlowWriter::enter_real(const KernelSpec& spec) {
    if (spec.convolution.prime) logarithm_ = logarithms(spec.convolution.prime);
    const RealSide side(spec, true);
    add_user_stages(spec.in.stages);
    present_ = kernels::sequences_per_batch(spec) * (spec.n + (spec.convolution.prime ? 1u : 0u));
    at_.clear();
    add_map(side, lines_of_elements(side), lines_of_points(side, spec));
    add_stages(Side(spec, spec, true), [&](std::uint64_t q, std::uint64_t e) { return line_of_element(spec, q, e); });
}

void FlowWriter::leave_real(const KernelSpec& spec) {
    const RealSide side(spec, false);
    add_stages(Side(spec, spec, false), [&](std::uint64_t q, std::uint64_t e) { return line_of_element(spec, q, e); });
    lines_ = side.lines();
    present_ = lines_.size();
    add_map(side, lines_of_points(side, spec), lines_of_elements(side));
    flow_->steps.back().before =
        map_exchange(spec, false, kernels::sequences_per_batch(spec) * question_.problem.batch.count);
    add_user_stages(spec.out.stages);
}

void FlowWriter::write_map(const KernelSpec& spec) {
    const bool loads = static_cast<bool>(spec.in.map());
    const RealSide side(spec, loads);
    const Lines before = std::move(lines_);
    Lines points;
    for (const std::uint64_t axis : has_graph_ ? side.axes() : std::vector<std::uint64_t>())
        for (std::uint64_t j = 0; j < side.points(); ++j) points.push_back(side.point_address(axis, j));
    std::sort(points.begin(), points.end());
    lines_ = !has_graph_ ? Lines() : loads ? std::move(points) : side.lines();
    present_ = lines_.size();
    const auto element = [&](const Lines& lines) {
        return [&side, &lines](std::uint64_t axis, std::uint64_t e) {
            return side.is_kept(e) ? Line(rank_in(lines, side.address(axis, e))) : Line();
        };
    };
    const auto point = [&](const Lines& lines) {
        return [&side, &lines](std::uint64_t axis, std::uint64_t j) {
            return Line(rank_in(lines, side.point_address(axis, j)));
        };
    };
    add_user_stages(spec.in.stages);
    if (loads)
        add_map(side, element(before), point(lines_));
    else
        add_map(side, point(before), element(lines_));
    add_factors_of_all(spec.out.stages);
    add_user_stages(spec.out.stages);
}

void FlowWriter::add_factors_of_all(const std::vector<Stage>& stages) {
    for (const Stage& stage : stages) {
        if (std::holds_alternative<kernels::UserProgram>(stage)) continue;
        if (std::holds_alternative<kernels::SwapParts>(stage)) {
            add(FlowKind::swap_parts, swap_text);
            continue;
        }
        FlowStep& step = add(FlowKind::multiply, factor_text(stage));
        const auto& scale = std::get<kernels::Multiply>(stage);
        for (std::uint32_t line = 0; has_graph_ && line < present_; ++line)
            step.nodes.push_back({{line}, {line}, {{{scale.factor.hi, 0}, 0, 0}}, {}, 0});
    }
}

}  // namespace seiche::exec

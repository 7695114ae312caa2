// The flow graph of a plan, from the specs of its kernels: points are followed by their addresses from pass to pass,
// and by Stockham's order inside one (Stockham, "High-speed convolution and correlation", 1966; kernels/group.cpp).
#include "exec/flow.hpp"

#include <algorithm>
#include <complex>
#include <numeric>
#include <optional>

#include "exec/flow_real.hpp"
#include "exec/flow_side.hpp"
#include "seiche/error.hpp"
#include "support/primes.hpp"

namespace seiche::exec {

using kernels::KernelSpec;
using kernels::Stage;

namespace {

/// Follows the lines through one kernel after the other.
class FlowWriter {
public:
    FlowWriter(const FlowQuestion& question, bool has_graph) : question_(question), has_graph_(has_graph) {}

    void start(const Lines& lines) { lines_ = lines; }

    void write(const DraftStep& drafted, KernelFlow& flow) {
        flow_ = &flow;
        const KernelSpec& spec = drafted.step.spec;
        const KernelSpec& last = kernels::last_pass(spec);
        if (spec.textbook) {
            write_textbook(spec);
            return;
        }
        if (spec.texel_points != 0) {
            add(FlowKind::move, "complex numbers become texels of four numbers");
            return;
        }
        if (spec.map_only) {
            write_map(spec);
            return;
        }
        if (map_of(spec, true))
            enter_real(spec);
        else
            enter(spec, Side(spec, last, true));
        write_core(spec);
        if (!spec.then.empty()) cross(spec);
        if (!spec.then.empty()) write_core(last);
        if (map_of(last, false))
            leave_real(last);
        else
            leave(spec, Side(spec, last, false));
    }

private:
    FlowStep& add(FlowKind kind, const std::string& text) {
        FlowStep step;
        step.kind = kind;
        step.text = text;
        step.lines = has_graph_ ? static_cast<std::uint32_t>(present_) : 0;
        flow_->steps.push_back(step);
        return flow_->steps.back();
    }

    // ---- Ways between real numbers and the core

    /// A step that has the nodes of a map once for each axis. `from(axis, j)`, `to(axis, k)`: lines.
    template <class From, class To>
    void add_map(const RealSide& side, const From& from, const To& to) {
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
    using Line = std::optional<std::uint32_t>;
    auto lines_of_elements(const RealSide& side) const {
        return [this, &side](std::uint64_t axis, std::uint64_t e) {
            return side.is_kept(e) ? Line(rank(side.address(axis, e))) : Line();
        };
    }
    auto lines_of_points(const RealSide& side, const KernelSpec& spec) const {
        return [this, &side, &spec](std::uint64_t axis, std::uint64_t j) {
            const RealSide::Point point = side.point(axis, j);
            return Line(line_of_element(spec, point.sequence, point.position));
        };
    }

    void enter_real(const KernelSpec& spec) {
        if (spec.prime) logarithm_ = logarithms(spec.prime);
        const RealSide side(spec, true);
        add_user_stages(spec.load);
        present_ = kernels::sequences_per_batch(spec) * (spec.n + (spec.prime ? 1u : 0u));
        at_.clear();
        add_map(side, lines_of_elements(side), lines_of_points(side, spec));
        add_stages(Side(spec, spec, true),
                   [&](std::uint64_t q, std::uint64_t e) { return line_of_element(spec, q, e); });
    }

    void leave_real(const KernelSpec& spec) {
        const RealSide side(spec, false);
        add_stages(Side(spec, spec, false),
                   [&](std::uint64_t q, std::uint64_t e) { return line_of_element(spec, q, e); });
        lines_ = side.lines();
        present_ = lines_.size();
        add_map(side, lines_of_points(side, spec), lines_of_elements(side));
        flow_->steps.back().before =
            map_exchange(spec, false, kernels::sequences_per_batch(spec) * question_.problem.batch.count);
        add_user_stages(spec.store);
    }

    /// A pass without a core: from elements to points in memory, or back.
    void write_map(const KernelSpec& spec) {
        const bool loads = static_cast<bool>(spec.load_map);
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
        add_user_stages(spec.load);
        if (loads)
            add_map(side, element(before), point(lines_));
        else
            add_map(side, point(before), element(lines_));
        add_factors_of_all(spec.store);
        add_user_stages(spec.store);
    }

    /// Stages of a pass of maps are a scale, for all alike.
    void add_factors_of_all(const std::vector<Stage>& stages) {
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

    void add_user_stages(const std::vector<Stage>& stages) {
        for (const Stage& stage : stages)
            if (std::holds_alternative<kernels::UserProgram>(stage)) add(FlowKind::user_stage, factor_text(stage));
    }

    // ---- Ways between memory and the core

    /// Line of a position of a sequence on chip.
    std::uint32_t core_line(const KernelSpec& spec, std::uint64_t sequence, std::uint64_t position) const {
        if (!at_.empty()) return at_[sequence * spec.n + position];
        const std::uint64_t beside = spec.prime ? 1 : 0;
        return static_cast<std::uint32_t>(sequence * (spec.n + beside) + beside + position);
    }
    std::uint32_t beside_line(const KernelSpec& spec, std::uint64_t sequence) const {
        return static_cast<std::uint32_t>(sequence * (spec.n + std::uint64_t{1}));
    }
    /// Where element e of memory has its line on chip.
    std::uint32_t line_of_element(const KernelSpec& spec, std::uint64_t sequence, std::uint64_t e) const {
        if (!spec.prime) return core_line(spec, sequence, e);
        return e == 0 ? beside_line(spec, sequence) : core_line(spec, sequence, logarithm_[e]);
    }
    static std::uint32_t rank_in(const Lines& lines, std::uint64_t address) {
        const auto found = std::lower_bound(lines.begin(), lines.end(), address);
        if (found == lines.end() || *found != address)
            throw InternalError("a flow graph: a pass reads element " + std::to_string(address) +
                                ", expected one that the pass before wrote");
        return static_cast<std::uint32_t>(found - lines.begin());
    }
    std::uint32_t rank(std::uint64_t address) const { return rank_in(lines_, address); }
    bool is_straight(const KernelSpec& spec, const Side& side, std::size_t lines) const {
        return !spec.prime && side.points() == spec.n && side.sequences() * spec.n == lines &&
               side.lines().size() == lines;
    }

    void enter(const KernelSpec& spec, const Side& side) {
        if (spec.prime) logarithm_ = logarithms(spec.prime);
        present_ = lines_.size();
        add_user_stages(spec.load);
        add_stages(side, [&](std::uint64_t q, std::uint64_t e) { return rank(side.address(q, e)); });
        at_.clear();
        if (!has_graph_) {
            if (spec.prime || side.points() != spec.n || !spec.input_kept.ranges.empty())
                add(FlowKind::move, entry_text(spec));
            return;
        }
        if (is_straight(spec, side, lines_.size())) {
            at_.resize(lines_.size());
            for (std::uint64_t q = 0; q < side.sequences(); ++q)
                for (std::uint64_t e = 0; e < spec.n; ++e) at_[q * spec.n + e] = rank(side.address(q, e));
            return;
        }
        present_ = side.sequences() * (spec.n + (spec.prime ? 1 : 0));
        FlowStep& step = add(FlowKind::move, entry_text(spec));
        for (std::uint64_t q = 0; q < side.sequences(); ++q)
            for (std::uint64_t e = 0; e < side.points(); ++e)
                if (side.exists(q, e))
                    step.nodes.push_back({{rank(side.address(q, e))}, {line_of_element(spec, q, e)}, {}, {}, 0});
    }

    static std::string entry_text(const KernelSpec& spec) {
        if (spec.prime)
            return "point g^j goes to place j of the convolution, g = " +
                   std::to_string(support::primitive_root(spec.prime)) + " modulo " + std::to_string(spec.prime) +
                   "; point 0 beside it";
        return "padded with zeros to " + std::to_string(spec.n) + " points" + kept_text(spec.input_kept);
    }

    /// "; of the axis 0 to 15 and 60 to 63 are there"; nothing where all are.
    static std::string kept_text(const kernels::Kept& kept) {
        std::string text;
        for (const kernels::Range& range : kept.ranges)
            text += (text.empty() ? "; of the axis " : " and ") + std::to_string(range.begin) + " to " +
                    std::to_string(range.end - 1);
        return text.empty() ? text : text + " are there";
    }

    static std::string wanted_text(const KernelSpec& spec) {
        return "the points that are wanted" + kept_text(spec.output_kept);
    }

    void leave(const KernelSpec& first, const Side& side) {
        const KernelSpec& spec = kernels::last_pass(first);
        if (!has_graph_) {
            if (spec.prime) add(FlowKind::move, "place j of the convolution is frequency g^j");
            if (!spec.output_kept.ranges.empty()) add(FlowKind::move, wanted_text(spec));
            add_stages(side, [](std::uint64_t, std::uint64_t) { return 0u; });
            add_user_stages(spec.store);
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
        const bool is_straight =
            way.size() == present_ &&
            std::all_of(way.begin(), way.end(), [](const FlowNode& node) { return node.from == node.to; });
        const bool has_butterflies = last != flow_->steps.rend() && last->kind == FlowKind::butterflies;
        if (is_straight && !spec.prime) {
            // Nothing moves.
        } else if (has_butterflies && !spec.prime && way.size() == present_) {
            std::vector<std::uint32_t> to(way.size());
            for (const FlowNode& node : way) to[node.from[0]] = node.to[0];
            for (FlowNode& node : last->nodes)
                for (std::uint32_t& line : node.to) line = to[line];
        } else {
            present_ = lines_.size();
            add(FlowKind::move, spec.prime ? "place j of the convolution is frequency g^j" : wanted_text(spec)).nodes =
                std::move(way);
        }
        present_ = lines_.size();
        add_stages(side, [&](std::uint64_t q, std::uint64_t e) { return rank(side.address(q, e)); });
        add_user_stages(spec.store);
    }

    // ---- Factors

    static constexpr const char* swap_text = "real and imaginary parts are exchanged";

    /// All but the user's. `line_of(q, e)`: where element e of sequence q is.
    template <class LineOf>
    void add_stages(const Side& side, const LineOf& line_of) {
        for (const Stage& stage : side.stages()) {
            if (std::holds_alternative<kernels::UserProgram>(stage)) continue;
            if (std::holds_alternative<kernels::SwapParts>(stage)) {
                add(FlowKind::swap_parts, swap_text);
                continue;
            }
            FlowStep& step = add(FlowKind::multiply, factor_text(stage));
            if (has_graph_) add_factors({stage, side, side.points()}, line_of, step);
        }
    }

    struct Factors {
        const Stage& stage;
        const Side& side;
        std::uint32_t points = 1;
    };
    template <class LineOf>
    static void add_factors(const Factors& factors, const LineOf& line_of, FlowStep& step) {
        std::vector<std::complex<double>> spectrum;
        if (const auto* chirp = std::get_if<kernels::ChirpSpectrum>(&factors.stage))
            spectrum = table_values(kernels::SpectrumTable{chirp->length, chirp->padded}, chirp->padded);
        for (std::uint64_t q = 0; q < factors.side.sequences(); ++q)
            for (std::uint64_t e = 0; e < factors.points; ++e) {
                if (!factors.side.exists(q, e)) continue;
                const std::uint32_t line = line_of(q, e);
                const auto* chirp = std::get_if<kernels::ChirpSpectrum>(&factors.stage);
                step.nodes.push_back({{line},
                                      {line},
                                      {chirp ? FlowFactor{spectrum[factors.side.axis_index(*chirp, q, e)], 0, 0}
                                             : factor(factors.stage, factors.side, q, e)},
                                      {},
                                      0});
            }
    }

    // ---- A launch of a textbook recipe

    void write_textbook(const KernelSpec& spec) {
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

    /// Without its nodes; its bytes are those of one line.
    void add_textbook_step(const FlowStep& of_line, std::uint64_t lines) {
        FlowStep& step = add(of_line.kind, of_line.text);
        step.radix = of_line.radix;
        step.stride = of_line.stride;
        step.count = of_line.count;
        step.before = of_line.before;
        step.before.bytes_read *= lines * question_.problem.batch.count;
        step.before.bytes_written *= lines * question_.problem.batch.count;
    }

    /// From places in line q to lines of the graph.
    void add_placed(const std::vector<FlowNode>& nodes, const KernelSpec& line, std::uint64_t q, FlowStep& step) const {
        for (FlowNode node : nodes) {
            for (std::uint32_t& at : node.from) at = core_line(line, q, at);
            for (std::uint32_t& at : node.to) at = core_line(line, q, at);
            step.nodes.push_back(std::move(node));
        }
    }

    // ---- The core

    void write_core(const KernelSpec& spec) {
        const std::uint64_t sequences = kernels::sequences_per_batch(spec) * question_.problem.batch.count;
        const Dealing dealing{spec, dealt_stages(spec), question_.limits.subgroup_size, sequences};
        bool is_second_run = false;
        for (std::size_t i = 0; i < dealing.stages.size(); ++i) {
            const DealtStage& stage = dealing.stages[i];
            if (stage.keeps && !is_second_run) {
                turn(spec);
                is_second_run = true;
            }
            FlowStep& step = stage.radix == 1 ? add(FlowKind::deal, "points are dealt to other threads")
                                              : add(FlowKind::butterflies, stage_text(stage));
            step.radix = stage.radix;
            step.stride = stage.s;
            step.count = stage.butterflies;
            step.before = i == 0 ? map_exchange(spec, true, sequences) : exchange_before(dealing, i);
            if (has_graph_ && stage.radix > 1) write_butterflies(dealing, stage, step);
        }
    }

    static std::string stage_text(const DealtStage& stage) {
        const std::string count = std::to_string(stage.butterflies), radix = std::to_string(stage.radix),
                          length = std::to_string(std::uint64_t{stage.radix} * stage.s), s = std::to_string(stage.s);
        std::string text = count + (stage.butterflies == 1 ? " butterfly" : " butterflies") + " of radix " + radix;
        if (stage.butterflies == 1) return stage.s == 1 ? text : text + ", times w" + length + "^(j p)";
        text += ": points b + " + count + " j";
        if (stage.s == 1) return text + " to places " + radix + " b + k";
        text += ", times w" + length + "^(j p), to places ";
        if (stage.butterflies == stage.s) return text + "p + " + s + " k, p = b";
        return text + length + " q + p + " + s + " k, b = " + s + " q + p";
    }

    void write_butterflies(const Dealing& dealing, const DealtStage& stage, FlowStep& step) const {
        const KernelSpec& spec = dealing.spec;
        const auto* shape = std::get_if<kernels::GroupShape>(&spec.shape);
        const std::uint64_t sequences = kernels::sequences_per_batch(spec);
        for (std::uint64_t q = 0; q < sequences; ++q)
            for (std::uint32_t b = 0; b < stage.butterflies; ++b) {
                FlowNode node;
                const std::uint32_t p = b % stage.s, run = b / stage.s;
                for (std::uint32_t j = 0; j < stage.radix; ++j) {
                    node.from.push_back(core_line(spec, q, b + std::uint64_t{j} * stage.butterflies));
                    node.to.push_back(core_line(spec, q, (std::uint64_t{run} * stage.radix + j) * stage.s + p));
                    if (stage.s > 1)
                        node.factors.push_back(
                            root_of_unity(std::uint64_t{j} * p, std::uint64_t{stage.radix} * stage.s));
                }
                if (shape && stage.is_known)
                    node.thread = thread_of(*shape, stage, kernels::sequence_in_group(spec, q), b);
                step.nodes.push_back(std::move(node));
            }
    }

    /// Between the two runs of a convolution's core.
    void turn(const KernelSpec& spec) {
        for (const Stage& stage : spec.middle) {
            if (std::holds_alternative<kernels::SwapParts>(stage)) {
                add(FlowKind::swap_parts, swap_text);
                continue;
            }
            FlowStep& step = add(FlowKind::multiply, factor_text(stage));
            if (!has_graph_) continue;
            if (const auto* rader = std::get_if<kernels::RaderSpectrum>(&stage))
                multiply_by_rader(*rader, spec, step);
            else
                add_factors(
                    {stage, Side(spec), spec.n},
                    [&](std::uint64_t q, std::uint64_t k) { return core_line(spec, q, k); }, step);
        }
        if (!has_graph_ && spec.prime) add(FlowKind::join, join_text);
    }

    /// Frequency 0 has its factor where point 0 joins it.
    void multiply_by_rader(const kernels::RaderSpectrum& rader, const KernelSpec& spec, FlowStep& step) {
        const std::vector<std::complex<double>> spectrum =
            table_values(kernels::RaderSpectrumTable{rader.prime}, spec.n);
        for (std::uint64_t q = 0; q < kernels::sequences_per_batch(spec); ++q)
            for (std::uint32_t k = 1; k < spec.n; ++k) {
                const std::uint32_t line = core_line(spec, q, k);
                step.nodes.push_back({{line}, {line}, {{spectrum[k], 0, 0}}, {}, 0});
            }
        add_join(spec, spectrum.front());
    }
    static constexpr const char* join_text = "the sum of all points is frequency 0; point 0 is added to every other";

    void add_join(const KernelSpec& spec, std::complex<double> spectrum) {
        FlowStep& step = add(FlowKind::join, join_text);
        for (std::uint64_t q = 0; q < kernels::sequences_per_batch(spec); ++q) {
            const std::vector<std::uint32_t> pair{beside_line(spec, q), core_line(spec, q, 0)};
            step.nodes.push_back({pair, pair, {FlowFactor{}, {spectrum, 0, 0}}, {}, 0});
        }
    }

    /// Result k of sequence q of the first pass is point q of sequence k of the second, in every transform.
    void cross(const KernelSpec& spec) {
        const KernelSpec& second = spec.then.front();
        const std::uint64_t columns = second.n, rows = spec.n;
        const std::uint64_t transforms = kernels::sequences_per_batch(spec) / columns;
        FlowStep& step = add(FlowKind::move, "result k of sequence q becomes point q of sequence k");
        step.before = crossing(spec, transforms * question_.problem.batch.count);
        if (has_graph_) {
            std::vector<std::uint32_t> next(present_);
            for (std::uint64_t t = 0; t < transforms; ++t)
                for (std::uint64_t q = 0; q < columns; ++q)
                    for (std::uint64_t k = 0; k < rows; ++k) {
                        const std::uint64_t column = kernels::crossing_sequence(spec, t, q, columns);
                        const auto line = static_cast<std::uint32_t>(column * rows + k);
                        next[kernels::crossing_sequence(second, t, k, rows) * columns + q] = line;
                        step.nodes.push_back({{core_line(spec, column, k)}, {line}, {}, {}, 0});
                    }
            at_ = std::move(next);
        }
        const Side side(second, second, true);
        add_stages(side, [&](std::uint64_t q, std::uint64_t e) { return core_line(second, q, e); });
    }

    const FlowQuestion& question_;
    bool has_graph_;
    Lines lines_;
    std::uint64_t present_ = 0;      // lines now
    std::vector<std::uint32_t> at_;  // of sequence q's position p at [q n + p], where that is no plain order
    std::vector<std::uint32_t> logarithm_;
    KernelFlow* flow_ = nullptr;
};

// ---- Whether there is a graph

bool has_user_stage(const DraftSchedule& schedule) {
    const auto is_users = [](const Stage& stage) { return std::holds_alternative<kernels::UserProgram>(stage); };
    return std::any_of(schedule.steps.begin(), schedule.steps.end(), [&](const DraftStep& step) {
        const KernelSpec &spec = step.step.spec, &last = kernels::last_pass(spec);
        return std::any_of(spec.load.begin(), spec.load.end(), is_users) ||
               std::any_of(last.store.begin(), last.store.end(), is_users);
    });
}

std::string why_no_graph(const DraftSchedule& schedule) {
    for (const DraftStep& step : schedule.steps)
        if (step.step.spec.texel_points != 0) return "images of two complex numbers a texel: the graph is left out";
    return "";
}

std::string too_many_lines(std::uint64_t lines, std::uint32_t most) {
    return "a graph of " + std::to_string(lines) + " lines is not readable, at most " + std::to_string(most) +
           " are drawn: it is left out";
}

const char* name_of(planner::Role role) {
    switch (role) {
        case planner::Role::input: return "input";
        case planner::Role::output: return "output";
        case planner::Role::workspace_a: return "workspace a";
        case planner::Role::workspace_b: return "workspace b";
        case planner::Role::workspace_c: break;
    }
    return "workspace c";
}

/// What a kernel's ways to memory are told from.
KernelSpec sequences_of(const KernelSpec& spec) { return spec.textbook ? line_spec(spec) : spec; }

KernelFlow describe_kernel(const DraftStep& drafted) {
    const KernelSpec& own = drafted.step.spec;
    const KernelSpec spec = sequences_of(own);
    KernelFlow flow;
    flow.source = name_of(drafted.step.source);
    flow.target = name_of(drafted.step.target);
    flow.points = spec.n;
    flow.sequences = kernels::sequences_per_batch(spec);
    flow.input_stride = spec.input_stride;
    flow.output_stride = spec.output_stride;
    flow.sequences_per_group = kernels::sequences_per_group(spec);
    if (const auto* shape = std::get_if<kernels::GroupShape>(&spec.shape)) {
        flow.threads = shape->threads;
        flow.groups_per_cluster = shape->groups_per_cluster;
    } else {
        flow.is_bundle = true;
    }
    if (own.textbook) {
        flow.items = kernels::textbook_items(*own.textbook);
        flow.is_on_chip = kernels::works_on_chip(*own.textbook);
    }
    return flow;
}

std::uint64_t elements_of(const KernelSpec& spec, bool input) {
    if (!map_of(spec, input)) return 0;
    const RealSide side(spec, input);
    return side.axis_count() * std::max(side.elements(), side.points());
}

std::uint64_t widest(const DraftSchedule& schedule) {
    std::uint64_t most = 0;
    for (const DraftStep& step : schedule.steps) {
        const KernelSpec spec = sequences_of(step.step.spec);
        most = std::max({most, kernels::sequences_per_batch(spec) * (spec.n + (spec.prime ? 1 : 0)),
                         elements_of(spec, true), elements_of(kernels::last_pass(spec), false)});
    }
    return most;
}

/// The elements that a pass reads or writes.
Lines lines_on(const KernelSpec& spec, bool input) {
    const KernelSpec& last = kernels::last_pass(spec);
    return map_of(input ? spec : last, input) ? RealSide(input ? spec : last, input).lines()
                                              : Side(spec, last, input).lines();
}

bool has_pairs(const problem::Canonical& problem, const KernelSpec& spec, bool input) {
    return (input ? problem.input_is_real : problem.output_is_real) && !(input ? spec.input_real : spec.output_real);
}

}  // namespace

void describe_flow(const DraftSchedule& schedule, const FlowQuestion& question, Explanation& explanation) {
    explanation.direction = schedule.direction;
    explanation.no_graph = why_no_graph(schedule);
    explanation.has_user_stages = has_user_stage(schedule);
    const KernelSpec first = sequences_of(schedule.steps.front().step.spec),
                     last = sequences_of(schedule.steps.back().step.spec);
    explanation.has_pairs_in = has_pairs(question.problem, first, true);
    explanation.has_pairs_out = has_pairs(question.problem, kernels::last_pass(last), false);
    const std::uint64_t lines = widest(schedule);
    if (explanation.no_graph.empty() && lines > question.most_lines)
        explanation.no_graph = too_many_lines(lines, question.most_lines);
    const bool has_graph = explanation.no_graph.empty();
    FlowWriter writer(question, has_graph);
    if (has_graph) {
        explanation.places_in = lines_on(first, true);
        explanation.places_out = lines_on(last, false);
        explanation.lines = static_cast<std::uint32_t>(explanation.places_in.size());
        writer.start(explanation.places_in);
    }
    for (const DraftStep& step : schedule.steps) {
        KernelFlow flow = describe_kernel(step);
        flow.kernel = report_step(step, schedule.direction, question.problem.batch.count);
        writer.write(step, flow);
        explanation.kernels.push_back(std::move(flow));
    }
}

}  // namespace seiche::exec

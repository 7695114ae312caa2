// A flow graph's lines, followed through one kernel after the other.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "exec/flow.hpp"
#include "exec/flow_real.hpp"
#include "exec/flow_side.hpp"

namespace seiche::exec {

/// "; of the axis 0 to 15 and 60 to 63 are there"; nothing where all are.
std::string kept_text(const kernels::Kept& kept);

/// Writes the steps of kernels, with nodes where there is a graph.
class FlowWriter {
public:
    FlowWriter(const FlowQuestion& question, bool has_graph) : question_(question), has_graph_(has_graph) {}
    void start(const Lines& lines) { lines_ = lines; }
    void write(const DraftStep& drafted, KernelFlow& flow);

private:
    using Line = std::optional<std::uint32_t>;
    using LineOf = std::function<std::uint32_t(std::uint64_t sequence, std::uint64_t element)>;
    using LineOfAxis = std::function<Line(std::uint64_t axis, std::uint64_t element)>;
    static constexpr const char* swap_text = "real and imaginary parts are exchanged";

    FlowStep& add(FlowKind kind, const std::string& text);
    void enter(const kernels::KernelSpec& spec, const Side& side);
    void leave(const kernels::KernelSpec& first, const Side& side);
    bool is_straight(const kernels::KernelSpec& spec, const Side& side, std::size_t lines) const;
    /// Line of a position of a sequence on chip.
    std::uint32_t core_line(const kernels::KernelSpec& spec, std::uint64_t sequence, std::uint64_t position) const;
    std::uint32_t beside_line(const kernels::KernelSpec& spec, std::uint64_t sequence) const;
    /// Where element e of memory has its line on chip.
    std::uint32_t line_of_element(const kernels::KernelSpec& spec, std::uint64_t sequence, std::uint64_t e) const;
    static std::uint32_t rank_in(const Lines& lines, std::uint64_t address);
    std::uint32_t rank(std::uint64_t address) const { return rank_in(lines_, address); }

    /// All but the user's. `line_of(q, e)`: where element e of sequence q is.
    void add_stages(const Side& side, const LineOf& line_of);
    struct Factors {
        const kernels::Stage& stage;
        const Side& side;
        std::uint32_t points = 1;
    };
    void add_real_parts(const kernels::KernelSpec& spec);
    void add_one_sided(const kernels::OneSided& stage, const Side& side, const LineOf& line_of);
    static void add_factors(const Factors& factors, const LineOf& line_of, FlowStep& step);
    void add_user_stages(const std::vector<kernels::Stage>& stages);

    /// Each number stays on its line; two that are neighbours in memory become a texel.
    void write_texels(const kernels::KernelSpec& spec);

    void write_textbook(const kernels::KernelSpec& spec);
    void write_register_rows(const kernels::KernelSpec& spec);
    /// Without its nodes; its bytes are those of one line.
    void add_textbook_step(const FlowStep& of_line, std::uint64_t lines);
    /// From places in line q to lines of the graph.
    void add_placed(const std::vector<FlowNode>& nodes, const kernels::KernelSpec& line, std::uint64_t q,
                    FlowStep& step) const;

    // flow_writer_real.cpp
    void enter_real(const kernels::KernelSpec& spec);
    void leave_real(const kernels::KernelSpec& spec);
    /// A pass without a core: from elements to points in memory, or back.
    void write_map(const kernels::KernelSpec& spec);
    /// A step that has the nodes of a map once for each axis. `from(axis, j)`, `to(axis, k)`: lines.
    void add_map(const RealSide& side, const LineOfAxis& from, const LineOfAxis& to);
    LineOfAxis lines_of_elements(const RealSide& side) const;
    LineOfAxis lines_of_points(const RealSide& side, const kernels::KernelSpec& spec) const;
    /// Stages of a pass of maps are a scale, for all alike.
    void add_factors_of_all(const std::vector<kernels::Stage>& stages);

    // flow_writer_core.cpp
    void write_core(const kernels::KernelSpec& spec);
    void write_butterflies(const Distribution& distribution, const kernels::CoreStage& stage, FlowStep& step) const;
    void add_parity(const kernels::KernelSpec& spec, const Exchange& before);
    /// Between the two runs of a convolution's core.
    void turn(const kernels::KernelSpec& spec);
    /// Frequency 0 has its factor where point 0 joins it.
    void multiply_by_rader(const kernels::RaderSpectrum& rader, const kernels::KernelSpec& spec, FlowStep& step);
    void add_join(const kernels::KernelSpec& spec, std::complex<double> spectrum);
    /// Result k of sequence q of the first pass is point q of sequence k of the second, in every transform.
    void transpose(const kernels::KernelSpec& spec);

    const FlowQuestion& question_;
    bool has_graph_;
    Lines lines_;
    std::uint64_t present_ = 0;      // lines now
    std::vector<std::uint32_t> at_;  // of sequence q's position p at [q n + p], where that is no plain order
    std::vector<std::uint32_t> logarithm_;
    KernelFlow* flow_ = nullptr;
};

}  // namespace seiche::exec

// The flow graph of a plan: which lines meet in which step of which kernel, from the specs of its kernels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "exec/draft.hpp"
#include "kernels/contract/distribution.hpp"
#include "seiche/explain.hpp"

namespace seiche::exec {

/// What holds for a whole schedule.
struct FlowQuestion {
    const problem::Canonical& problem;
    const DeviceLimits& limits;
    std::uint32_t most_lines = 64;
};

/// The kernels' steps, with nodes where a graph is possible; what else an explanation says of its graph is filled in
/// too. Of passes only, each with a kernel of its own.
void describe_flow(const DraftSchedule& schedule, const FlowQuestion& question, Explanation& explanation);

/// Points that a sequence has on chip: of its core, of a prime those of both parts where it has two, and point 0.
std::uint64_t points_on_chip(const kernels::KernelSpec& spec);
/// Whether a graph says which thread has which butterfly of the stage.
bool knows_threads(const kernels::KernelSpec& spec, const kernels::CoreStage& stage);
/// A kernel's stages on a device, and for how many sequences bytes are counted.
struct Distribution {
    const kernels::KernelSpec& spec;
    std::vector<kernels::CoreStage> stages;
    std::uint32_t subgroup = 32;
    std::uint64_t sequences = 1;
};
/// Between stages i - 1 and i.
Exchange exchange_before(const Distribution& distribution, std::size_t i);
/// Of what a prime's even part has for its odd one.
Exchange exchange_of_parity(const Distribution& distribution);
/// Between the numbers of a real kind and the core's points, on this side of a pass that has such a map.
Exchange map_exchange(const kernels::KernelSpec& spec, bool input, std::uint64_t sequences);
/// From memory's order to rows that threads have whole, or back (kernels::RowAccess).
Exchange rows_exchange(const kernels::KernelSpec& spec, bool input, std::uint64_t sequences);
/// Between the two passes of one kernel, for so many transforms.
Exchange on_chip_transpose(const kernels::KernelSpec& spec, std::uint64_t transforms);

/// For a prime: the exponent j with g^j = e, by e; of e = 0 nothing.
std::vector<std::uint32_t> logarithms(std::uint64_t prime);

/// Of a textbook kernel: the ways to memory of its lines, as of a pass that has a line for a sequence.
kernels::KernelSpec line_spec(const kernels::KernelSpec& spec);

// flow_register_rows.cpp

/// Of a block the axis that is transformed at that position, as a kernel of its own: the first one from the input to
/// the output, the others in place.
kernels::KernelSpec axis_of_rows(const kernels::KernelSpec& spec, std::size_t position);
/// Its steps; nodes are of places in the line of that number.
std::vector<FlowStep> textbook_steps(const kernels::KernelSpec& spec, std::uint64_t line, bool has_graph);

/// Bytes of an array of the problem's batch; of an image those of the least one that it has room in.
std::uint64_t held_bytes(const problem::Canonical& problem, bool input);
/// Runs a schedule's kernels in the interpreter: the output array's bytes, for the problem's batch, from the input's.
std::vector<std::byte> interpret(const DraftSchedule& schedule, const problem::Canonical& problem,
                                 std::vector<std::byte> input);

/// The values after each step of a graph.
std::vector<std::vector<std::vector<std::complex<double>>>> follow_graph(const Explanation& explanation,
                                                                         std::vector<std::complex<double>> values);

}  // namespace seiche::exec

// One side of a pass over memory, for a flow graph: which elements it touches and where they lie; and the factors of
// its stages.
#pragma once

#include <algorithm>
#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/contract/spec.hpp"
#include "kernels/contract/tables.hpp"
#include "seiche/explain.hpp"
#include "support/strides.hpp"

namespace seiche::exec {

using Lines = std::vector<std::uint64_t>;  ///< Addresses in elements, rising: line i is the element at the i-th.

/// Of one array of the batch.
class Side {
public:
    Side(const kernels::KernelSpec& spec, const kernels::KernelSpec& storing, bool input)
        : spec_(input ? spec : storing), input_(input), stages_(input ? spec.in.stages : storing.out.stages) {}

    /// Points on chip.
    explicit Side(const kernels::KernelSpec& spec) : spec_(spec), input_(true), stages_(spec.convolution.stages) {}

    std::uint32_t points() const { return kernels::sequence_points(spec_, stages_); }
    const std::vector<kernels::Stage>& stages() const { return stages_; }
    /// Which of the loop's sequences it is.
    std::uint64_t counted(std::uint64_t sequence, std::size_t loop) const {
        std::uint64_t below = 1;
        for (std::size_t i = 0; i < loop; ++i) below *= spec_.loops[i].count;
        return sequence / below % spec_.loops[loop].count;
    }
    /// The same with those that are left out.
    std::uint64_t loop_index(std::uint64_t sequence, std::size_t loop) const {
        const std::uint64_t count = counted(sequence, loop);
        std::uint64_t reached = count;
        for (const kernels::Gap& gap : spec_.loops[loop].gaps)
            if (count >= gap.at) reached += gap.skipped;
        return reached;
    }
    /// Of a chirp, the point's index along the axis.
    template <class Indexed>
    std::uint64_t axis_index(const Indexed& stage, std::uint64_t sequence, std::uint64_t element) const {
        return element * stage.element_stride +
               (stage.loop < 0 ? 0 : loop_index(sequence, static_cast<std::size_t>(stage.loop)));
    }
    bool exists(std::uint64_t sequence, std::uint64_t element) const {
        for (const kernels::Stage& stage : stages_)
            if (const auto* chirp = std::get_if<kernels::Chirp>(&stage))
                if (axis_index(*chirp, sequence, element) >= chirp->length) return false;
        return is_kept(sequence, element);
    }
    /// By pruning.
    bool is_kept(std::uint64_t sequence, std::uint64_t element) const {
        const kernels::Kept& kept = spec_.side(input_).kept;
        if (kept.ranges.empty()) return true;
        if (kept.own && (element < kept.own->begin || element >= kept.own->end)) return false;
        const std::uint64_t index =
            element * kept.element_stride +
            (kept.loop < 0 ? 0 : loop_index(sequence, static_cast<std::size_t>(kept.loop)) * kept.loop_step);
        return std::any_of(kept.ranges.begin(), kept.ranges.end(),
                           [&](const kernels::Range& range) { return index >= range.begin && index < range.end; });
    }
    std::uint64_t address(std::uint64_t sequence, std::uint64_t element) const {
        // Modulo 2^64, as kernels compute it.
        const auto step = [](std::uint64_t count, std::int64_t stride) {
            return static_cast<std::uint64_t>(support::times(count, stride));
        };
        const std::uint64_t in_run = element % spec_.side(input_).run;
        std::uint64_t at = static_cast<std::uint64_t>(spec_.side(input_).offset) + in_run +
                           step(element - in_run, spec_.side(input_).stride);
        for (std::size_t i = 0; i + 1 < spec_.loops.size(); ++i)
            at += step(loop_index(sequence, i), input_ ? spec_.loops[i].input_stride : spec_.loops[i].output_stride);
        return at;
    }
    std::uint64_t sequences() const { return kernels::sequences_per_batch(spec_); }
    Lines lines() const {
        Lines all;
        for (std::uint64_t q = 0; q < sequences(); ++q)
            for (std::uint64_t e = 0; e < points(); ++e)
                if (exists(q, e)) all.push_back(address(q, e));
        std::sort(all.begin(), all.end());
        return all;
    }

private:
    const kernels::KernelSpec& spec_;
    bool input_;
    const std::vector<kernels::Stage>& stages_;
};

/// The complex numbers of a pass that makes texels of them: it leaves each at its place in the array.
Lines texel_lines(const kernels::KernelSpec& spec);

/// exp(-2 pi i exponent / root).
FlowFactor root_of_unity(std::uint64_t exponent, std::uint64_t root);
/// A section of a kernel's table, in f64.
std::vector<std::complex<double>> table_values(const kernels::TableContent& content, std::uint64_t entries);
/// What a stage of factors does, in one line.
std::string factor_text(const kernels::Stage& stage);
/// Of element e of sequence q, in a stage of a scale, a four-step twiddle or a chirp.
FlowFactor factor(const kernels::Stage& stage, const Side& side, std::uint64_t q, std::uint64_t e);

}  // namespace seiche::exec

// A spec as text, and the counts that follow from it.
#include "kernels/spec.hpp"

#include <algorithm>

#include "support/text.hpp"

namespace seiche::kernels {

namespace {

struct StageText {
    std::string operator()(const SwapParts&) const { return "swap"; }
    std::string operator()(const Multiply& m) const { return "scale(" + support::to_text(m.factor) + ")"; }
    std::string operator()(const FourStepTwiddle& t) const { return "twiddle(" + std::to_string(t.length) + ")"; }
    std::string operator()(const Chirp& c) const { return "chirp(" + std::to_string(c.length) + ")"; }
    std::string operator()(const ChirpSpectrum& c) const {
        return "spectrum(" + std::to_string(c.length) + "," + std::to_string(c.padded) + ")";
    }
    std::string operator()(const UserProgram& u) const { return "user(" + u.program->text + ")"; }
};

std::string stages(const char* name, const std::vector<Stage>& list) {
    std::string text;
    for (const Stage& stage : list) text += (text.empty() ? "" : "+") + std::visit(StageText{}, stage);
    return text.empty() ? text : std::string(" ") + name + "=" + text;
}

struct ShapeText {
    std::string operator()(const GroupShape& g) const {
        return " threads=" + std::to_string(g.threads) + " sequences=" + std::to_string(g.sequences) +
               " planes=" + std::to_string(g.planes);
    }
    std::string operator()(const BundleShape& b) const {
        return " lanes=" + std::to_string(b.lanes) + (b.across ? " across sequences" : " along butterflies") +
               " units=" + std::to_string(b.units_per_group);
    }
};

}  // namespace

std::string to_string(const KernelSpec& spec) {
    std::string text = "c2c ";
    text += spec.precision == Precision::f32 ? "f32" : "f64";
    text += " n=" + std::to_string(spec.n) + " radices=";
    for (std::size_t i = 0; i < spec.radices.size(); ++i) text += (i ? "x" : "") + std::to_string(spec.radices[i]);
    text += std::visit(ShapeText{}, spec.shape);
    text += " strides=" + std::to_string(spec.input_stride) + "," + std::to_string(spec.output_stride);
    text += stages("load", spec.load) + stages("store", spec.store);
    if (spec.movement_only) text += " movement-only";
    return text;
}

std::uint64_t sequences_per_batch(const KernelSpec& spec) {
    std::uint64_t count = 1;
    for (std::size_t i = 0; i + 1 < spec.loops.size(); ++i) count *= spec.loops[i].count;
    return count;
}

std::uint64_t sequences_per_group(const KernelSpec& spec) {
    if (const GroupShape* group = std::get_if<GroupShape>(&spec.shape)) return group->sequences;
    const BundleShape& bundle = std::get<BundleShape>(spec.shape);
    return std::uint64_t{bundle.units_per_group} * (bundle.across ? bundle.lanes : 1);
}

std::uint64_t groups(const KernelSpec& spec, std::uint64_t batch) {
    const std::uint64_t per_group = sequences_per_group(spec);
    return (sequences_per_batch(spec) * batch + per_group - 1) / per_group;
}

}  // namespace seiche::kernels

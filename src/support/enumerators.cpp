// Enumerators that a caller gives.
#include "support/enumerators.hpp"

#include <string>

#include "seiche/error.hpp"

namespace seiche::support {

void refuse_enumerator(const char* field, std::int64_t last, std::int64_t got) {
    throw InvalidProblem(std::string(field) + ": expected one of its enumerators, 0 to " + std::to_string(last) +
                         ", got " + std::to_string(got));
}

namespace {

void check_stage(const UserStage& stage, const char* buffers, const char* scalars) {
    for (const StageBuffer& buffer : stage.buffers) check_enumerator(buffers, buffer.type);
    for (const StageScalar& scalar : stage.scalars) check_enumerator(scalars, scalar.type);
}

}  // namespace

void check_enumerators(const Problem& problem) {
    check_enumerator("kind", problem.kind);
    for (const Kind kind : problem.axis_kinds) check_enumerator("axis_kinds", kind);
    check_enumerator("precision", problem.precision);
    check_enumerator("storage", problem.storage);
    check_enumerator("placement", problem.placement);
    check_enumerator("spectrum_order", problem.spectrum_order);
    check_enumerator("input.image", problem.input.image);
    check_enumerator("output.image", problem.output.image);
    check_stage(problem.forward_load, "forward_load.buffers: type", "forward_load.scalars: type");
    check_stage(problem.forward_store, "forward_store.buffers: type", "forward_store.scalars: type");
    check_stage(problem.inverse_load, "inverse_load.buffers: type", "inverse_load.scalars: type");
    check_stage(problem.inverse_store, "inverse_store.buffers: type", "inverse_store.scalars: type");
}

void check_enumerators(const Convolution& convolution) {
    check_enumerator("mode", convolution.mode);
    check_enumerator("domain", convolution.domain);
    check_enumerator("product", convolution.product);
    check_enumerator("channels", convolution.channels);
    check_enumerator("precision", convolution.precision);
    check_enumerator("storage", convolution.storage);
}

void check_enumerators(const SpectralProblem& problem) {
    check_enumerator("spectral.numbers", problem.numbers);
    check_enumerator("spectral.order", problem.order);
    check_enumerator("spectral.part", problem.part);
    check_enumerator("spectral.precision", problem.precision);
    check_enumerator("spectral.storage", problem.storage);
    for (const SpectralAxisKind kind : problem.kinds) check_enumerator("spectral.kinds", kind);
    check_stage(problem.load, "spectral.load.buffers: type", "spectral.load.scalars: type");
    check_stage(problem.middle, "spectral.middle.buffers: type", "spectral.middle.scalars: type");
    check_stage(problem.store, "spectral.store.buffers: type", "spectral.store.scalars: type");
}

void check_enumerators(const Tuning& tuning) {
    check_enumerator("tuning.algorithm", tuning.algorithm);
    check_enumerator("tuning.twiddles", tuning.twiddles);
}

void check_enumerators(const PlanOptions& options) {
    check_enumerator("options.directions", options.directions);
    check_enumerators(options.tuning);
}

}  // namespace seiche::support

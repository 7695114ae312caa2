// The parameters of a kernel, in their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/contract/spec.hpp"

namespace seiche::kernels {

/// What a buffer parameter holds.
enum class Parameter : std::uint8_t {
    input,
    output,
    input_imaginary,  ///< The second half of a planar array.
    output_imaginary,
    table,
    spectra,
    counters,
    between,     ///< What lies between pipelined passes, where that is memory of its own.
    load_stage,  ///< A buffer that the user's stage on load names.
    store_stage,
};

/// The user's stage among these; null: none.
inline const UserProgram* user_stage(const std::vector<Stage>& stages) {
    for (const Stage& stage : stages)
        if (const auto* user = std::get_if<UserProgram>(&stage)) return user;
    return nullptr;
}

/// Calls visit(parameter, index) for every buffer that a kernel takes, in order; `index` counts those of a user's
/// stage. Scalars are: the number of sequences, then what the stages on load and store name.
template <class Visit>
void for_each_parameter(const KernelSpec& spec, bool has_table, const Visit& visit) {
    visit(Parameter::input, std::size_t{0});
    visit(Parameter::output, std::size_t{0});
    if (spec.in.is_planar()) visit(Parameter::input_imaginary, std::size_t{0});
    if (pass_of_output(spec).out.is_planar()) visit(Parameter::output_imaginary, std::size_t{0});
    if (has_table) visit(Parameter::table, std::size_t{0});
    if (spectrum_product(spec)) visit(Parameter::spectra, std::size_t{0});
    if (has_counters(spec)) visit(Parameter::counters, std::size_t{0});
    if (spec.pipeline.has_between) visit(Parameter::between, std::size_t{0});
    const auto visit_stage = [&](Parameter parameter, const std::vector<Stage>& stages) {
        const UserProgram* user = user_stage(stages);
        for (std::size_t i = 0; user && i < user->program->buffers.size(); ++i) visit(parameter, i);
    };
    visit_stage(Parameter::load_stage, spec.in.stages);
    visit_stage(Parameter::store_stage, spec.out.stages);
}

}  // namespace seiche::kernels

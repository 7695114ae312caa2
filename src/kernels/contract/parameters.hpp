// The parameters of a kernel, in their order.
#pragma once

#include <array>
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
    spectra,  ///< Of kernels, or weights.
    counters,
    between,     ///< What lies between pipelined passes, where that is memory of its own.
    partials,    ///< Of the middle stage's sums.
    load_stage,  ///< A buffer that the user's stage on load names.
    middle_stage,
    store_stage,
};

/// The user's stage among these; null: none.
inline const UserProgram* user_stage(const std::vector<Stage>& stages) {
    for (const Stage& stage : stages)
        if (const auto* user = std::get_if<UserProgram>(&stage)) return user;
    return nullptr;
}

/// Where the user's stage of a side stands.
inline const std::vector<Stage>& stages_of(const KernelSpec& spec, expression::Side side) {
    switch (side) {
        case expression::Side::load: return spec.in.stages;
        case expression::Side::middle: return pass_with_middle(spec).convolution.stages;
        case expression::Side::store: break;
    }
    return spec.out.stages;
}
inline constexpr std::array user_sides{expression::Side::load, expression::Side::middle, expression::Side::store};
/// Of a stage's buffer.
inline expression::Side side_of(Parameter parameter) {
    return parameter == Parameter::load_stage     ? expression::Side::load
           : parameter == Parameter::middle_stage ? expression::Side::middle
                                                  : expression::Side::store;
}

/// Calls visit(parameter, index) for every buffer that a kernel takes, in order; `index` counts those of a user's
/// stage. Scalars are: the number of sequences, then what the stages name, in the same order.
template <class Visit>
void for_each_parameter(const KernelSpec& spec, bool has_table, const Visit& visit) {
    visit(Parameter::input, std::size_t{0});
    visit(Parameter::output, std::size_t{0});
    if (spec.in.is_planar()) visit(Parameter::input_imaginary, std::size_t{0});
    if (pass_of_output(spec).out.is_planar()) visit(Parameter::output_imaginary, std::size_t{0});
    if (has_table) visit(Parameter::table, std::size_t{0});
    if (has_spectra(spec)) visit(Parameter::spectra, std::size_t{0});
    if (has_counters(spec)) visit(Parameter::counters, std::size_t{0});
    if (spec.pipeline.has_between) visit(Parameter::between, std::size_t{0});
    if (sum_count(spec) != 0) visit(Parameter::partials, std::size_t{0});
    for (const Parameter parameter : {Parameter::load_stage, Parameter::middle_stage, Parameter::store_stage}) {
        const UserProgram* user = user_stage(stages_of(spec, side_of(parameter)));
        for (std::size_t i = 0; user && i < user->program->buffers.size(); ++i) visit(parameter, i);
    }
}

}  // namespace seiche::kernels

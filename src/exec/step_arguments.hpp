// What a step is launched with: the parameters of its kernel, and which of the schedule's arrays each of them is.
#pragma once

#include "kernels/contract/parameters.hpp"
#include "planner/recipe.hpp"

namespace seiche::exec {

struct StepArgument {
    kernels::Parameter parameter = kernels::Parameter::input;
    planner::Role role = planner::Role::input;   ///< Of an array; else without meaning.
    const planner::Parts& parts;                 ///< The buffers that it lies in.
    const problem::ArrayImage* image = nullptr;  ///< It is an image instead.
    std::size_t index = 0;                       ///< Of a user's stage: which of its buffers.

    bool is_imaginary() const {
        return parameter == kernels::Parameter::input_imaginary || parameter == kernels::Parameter::output_imaginary;
    }
};

/// Calls visit(StepArgument) for each in the kernel's order.
template <class Visit>
void for_each_argument(const planner::Step& step, bool has_table, const Visit& visit) {
    using kernels::Parameter;
    static const planner::Parts whole{};
    const auto image = [](const problem::ArrayImage& array) { return array ? &array : nullptr; };
    kernels::for_each_parameter(step.spec, has_table, [&](Parameter p, std::size_t i) {
        switch (p) {
            case Parameter::input:
                visit(StepArgument{p, step.source, step.source_parts, image(step.source_image)});
                break;
            case Parameter::output:
                visit(StepArgument{p, step.target, step.target_parts, image(step.target_image)});
                break;
            case Parameter::input_imaginary: visit(StepArgument{p, step.source, step.source_parts}); break;
            case Parameter::output_imaginary: visit(StepArgument{p, step.target, step.target_parts}); break;
            case Parameter::table: visit(StepArgument{p, {}, step.table_parts}); break;
            case Parameter::spectra: visit(StepArgument{p, {}, step.spectra_parts}); break;
            case Parameter::counters: visit(StepArgument{p, step.counters, whole}); break;
            case Parameter::between: visit(StepArgument{p, step.between, step.between_parts}); break;
            case Parameter::partials: visit(StepArgument{p, step.partials, whole}); break;
            case Parameter::load_stage:
            case Parameter::middle_stage:
            case Parameter::store_stage:
                visit(StepArgument{p, {}, step.parts_of(kernels::side_of(p))[i], nullptr, i});
                break;
        }
    });
}

}  // namespace seiche::exec

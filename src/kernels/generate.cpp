// From a spec to a kernel: picks the generator of its work and shape.
#include "kernels/generators.hpp"

#include <utility>

#include "expression/elements.hpp"
#include "ir/optimise.hpp"
#include "kernels/check_spec.hpp"
#include "kernels/contract/parameters.hpp"
#include "seiche/error.hpp"

namespace seiche::kernels {

namespace {

constexpr std::uint32_t output_parameter = 1;

struct Generator {
    const KernelSpec& spec;
    ir::Kernel operator()(const CorePass&) const {
        return std::holds_alternative<GroupShape>(spec.shape) ? generate_group(spec) : generate_simd(spec);
    }
    ir::Kernel operator()(const MapPass&) const { return generate_map(spec); }
    ir::Kernel operator()(const TexelPass&) const { return generate_texels(spec); }
    ir::Kernel operator()(const RegisterRows&) const { return generate_register_rows(spec); }
    ir::Kernel operator()(const Textbook&) const { return generate_textbook(spec); }
    ir::Kernel operator()(const ModeMatrix&) const { return generate_mode_matrix(spec); }
    ir::Kernel operator()(const BinPass&) const { return generate_bins(spec); }
    ir::Kernel operator()(const SumPartials&) const { return generate_sum(spec); }
    ir::Kernel operator()(const ModeCopy&) const { return generate_mode_copy(spec); }
    ir::Kernel operator()(const ModeGradient&) const { return generate_mode_gradient(spec); }
};

void check_is_complete(const KernelSpec& spec) {
    const auto* shape = std::get_if<GroupShape>(&spec.shape);
    const bool has_places = shape && (shape->exchange.places || !std::holds_alternative<CorePass>(spec.work)) &&
                            (spec.register_rows().empty() || !std::get<RegisterRows>(spec.work).places.axes.empty());
    if (shape && !has_places)
        throw InternalError("kernel '" + spec.name + "': expected a complete spec, got " + to_string(spec));
}

}  // namespace

ir::Kernel generate(const KernelSpec& spec) {
    check_spec(spec);
    check_is_complete(spec);
    ir::Kernel kernel = std::visit(Generator{spec}, spec.work);
    const UserProgram* user = user_stage(spec.out.stages);
    const bool has_result =
        !user || user->program->result != expression::no_node || expression::finds_its_elements(*user->program);
    if (has_result) return kernel;
    kernel = ir::remove_stores(std::move(kernel), output_parameter);
    // Of a planar output the imaginary half too; it follows that of the input, if there is one.
    return spec.out.is_planar() ? ir::remove_stores(std::move(kernel), output_parameter + (spec.in.is_planar() ? 2 : 1))
                                : kernel;
}

}  // namespace seiche::kernels

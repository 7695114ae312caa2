// Reports and sources of plans that are never built.
#include "exec/inspect.hpp"

#include <algorithm>

#include "exec/draft.hpp"
#include "exec/launch.hpp"
#include "exec/step_arguments.hpp"
#include "exec/tables.hpp"
#include "ir/print.hpp"
#include "planner/design/textbook.hpp"

namespace seiche::exec {

PlanReport describe(const Problem& problem, const DeviceLimits& limits, const PlanOptions& options) {
    const problem::Canonical canonical = problem::normalise(problem);
    return report(draft(canonical, limits, options), canonical, problem);
}

Direction default_direction(const problem::Canonical& problem) {
    const Direction forward = problem.as_planned(Direction::forward);
    return problem.has(forward) ? Direction::forward : Direction::inverse;
}

std::vector<TextbookRecipe> textbook_recipes() { return planner::textbook_entries(); }

namespace {

/// Machine code would call a function by its address in this process.
void refuse_own_addresses(const ir::Kernel& kernel, emit::Dialect dialect) {
    if (kernel.functions.empty() || (dialect != emit::Dialect::x86 && dialect != emit::Dialect::arm64)) return;
    throw Unsupported("a stage is a function of the host: expected a text, because emitted machine code is for others");
}

}  // namespace

std::vector<GeneratedKernel> sources(const problem::Canonical& problem, const DeviceLimits& limits,
                                     const planner::LowerOptions& options, const emit::Target& target) {
    PlanOptions one_way;
    one_way.directions = options.direction == Direction::forward ? Directions::forward : Directions::inverse;
    one_way.tuning = options.tuning;
    std::vector<GeneratedKernel> result;
    for (const DraftSchedule& schedule : draft(problem, limits, one_way).schedules) {
        for (const DraftStep& step : schedule.steps) {
            refuse_own_addresses(*step.kernel, target.dialect);
            result.push_back({step.step, emit::emit(step.kernel, target), schedule.workspace_a_elements,
                              schedule.workspace_b_elements});
        }
    }
    return result;
}

// ---- Arguments

namespace {

const char* name_of(planner::Role role) {
    switch (role) {
        case planner::Role::input: return "input";
        case planner::Role::output: return "output";
        case planner::Role::workspace_a: return "workspace a";
        default: return "workspace b";
    }
}

/// Fills in a kernel's buffers, which come in the order of an execution's arguments.
class BufferReport {
public:
    BufferReport(const GeneratedKernel& generated, const problem::Canonical& problem)
        : generated_(generated), problem_(problem) {}

    std::vector<EmittedBuffer> run() {
        const planner::Step& step = generated_.step;
        for_each_argument(step, !kernels::tables(step.spec).empty(), [&](const StepArgument& argument) {
            if (argument.image) return;
            switch (argument.parameter) {
                case kernels::Parameter::table: return add_table();
                case kernels::Parameter::load_stage: return add_stage(step.spec.in.stages, "load ", argument);
                case kernels::Parameter::store_stage: return add_stage(step.spec.out.stages, "store ", argument);
                case kernels::Parameter::counters: return add_array(argument.role, argument.parts, ", counters");
                case kernels::Parameter::between:
                    return add_array(argument.role, argument.parts, ", between the passes");
                default: add_array(argument.role, argument.parts, argument.is_imaginary() ? " imaginary" : "");
            }
        });
        return std::move(buffers_);
    }

private:
    EmittedBuffer next(const std::string& holds) const {
        const ir::BufferParameter& parameter = generated_.source.kernel->buffers.at(buffers_.size());
        EmittedBuffer buffer;
        buffer.name = parameter.name;
        buffer.holds = holds;
        buffer.element = ir::to_string(parameter.element);
        buffer.reads = parameter.access != ir::Access::write;
        buffer.writes = parameter.access != ir::Access::read;
        return buffer;
    }

    std::uint64_t bytes_of(planner::Role role) const {
        const std::uint64_t batch = problem_.batch.count;
        const std::uint64_t in = problem_.input_half_bytes(batch), out = problem_.output_half_bytes(batch);
        switch (role) {
            case planner::Role::input: return problem_.shares_buffer() ? std::max(in, out) : in;
            case planner::Role::output: return problem_.shares_buffer() ? std::max(in, out) : out;
            case planner::Role::workspace_a: return generated_.workspace_a_elements * batch * problem_.complex_bytes();
            default: return generated_.workspace_b_elements * batch * problem_.complex_bytes();
        }
    }

    void add_array(planner::Role role, const planner::Parts& parts, const std::string& suffix) {
        const bool input = role == planner::Role::input, output = role == planner::Role::output;
        const char* name = name_of(role);
        const bool is_given = (input && problem_.input_part_bytes != 0) || (output && problem_.output_part_bytes != 0);
        const std::uint64_t ahead = input ? problem_.input_base() : output ? problem_.output_base() : 0;
        for (std::uint32_t p = 0; p < parts.count; ++p) {
            EmittedBuffer buffer = next(name + suffix);
            buffer.part = p;
            // Of several that were given the kernel knows itself what is before element 0.
            buffer.byte_offset = p * parts.bytes + (is_given && parts.count > 1 ? 0 : ahead);
            buffer.bytes = bytes_of(role);
            buffers_.push_back(std::move(buffer));
        }
    }

    void add_table() {
        const auto sections = kernels::tables(generated_.step.spec);
        if (sections.empty()) return;
        const std::vector<std::byte> bytes = table_bytes(sections, generated_.step.spec.precision);
        const planner::Parts& parts = generated_.step.table_parts;
        for (std::uint32_t p = 0; p < parts.count; ++p) {
            EmittedBuffer buffer = next("table");
            buffer.part = p;
            buffer.byte_offset = p * parts.bytes;
            buffer.bytes = bytes.size();
            const std::uint64_t left = bytes.size() - buffer.byte_offset;
            const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(buffer.byte_offset);
            const std::uint64_t own = parts.bytes == 0 ? left : std::min(left, parts.bytes);
            buffer.contents.assign(begin, begin + static_cast<std::ptrdiff_t>(own));
            buffers_.push_back(std::move(buffer));
        }
    }

    void add_stage(const std::vector<kernels::Stage>& stages, const std::string& prefix, const StepArgument& argument) {
        const StageBuffer& declared = kernels::user_stage(stages)->program->buffers[argument.index];
        for (std::uint32_t p = 0; p < argument.parts.count; ++p) {
            EmittedBuffer buffer = next(prefix + declared.name);
            buffer.part = p;
            buffer.byte_offset = p * argument.parts.bytes;
            buffers_.push_back(std::move(buffer));
        }
    }

    const GeneratedKernel& generated_;
    const problem::Canonical& problem_;
    std::vector<EmittedBuffer> buffers_;
};

/// In the order of the kernel's, input before output.
std::vector<EmittedImage> images_of(const GeneratedKernel& generated, const problem::Canonical& problem) {
    const planner::Step& step = generated.step;
    const bool is_bound_after = generated.source.dialect == emit::Dialect::spirv_vulkan;
    std::vector<EmittedImage> images;
    for (const bool input : {true, false}) {
        const problem::ArrayImage& array = input ? step.source_image : step.target_image;
        if (!array) continue;
        const ir::Kernel& kernel = *generated.source.kernel;
        const ir::ImageParameter& parameter = kernel.images.at(images.size());
        EmittedImage image;
        image.name = parameter.name;
        const planner::Role role = input ? step.source : step.target;
        image.holds = name_of(role);
        image.format = parameter.format;
        image.reads = parameter.access != ir::Access::write;
        image.writes = parameter.access != ir::Access::read;
        image.width = array.width;
        const std::uint64_t batch = problem.batch.count;
        image.height = array.height(role == planner::Role::input    ? problem.input_elements(batch)
                                    : role == planner::Role::output ? problem.output_elements(batch)
                                                                    : generated.workspace_a_elements * batch);
        image.binding = static_cast<std::uint32_t>((is_bound_after ? kernel.buffers.size() : 0) + images.size());
        images.push_back(std::move(image));
    }
    return images;
}

bool has_argument_words(emit::Dialect dialect) {
    return dialect == emit::Dialect::spirv_vulkan || dialect == emit::Dialect::glsl ||
           dialect == emit::Dialect::glsl_es;
}

}  // namespace

EmittedKernel described(const GeneratedKernel& generated, const problem::Canonical& problem) {
    const emit::Source& source = generated.source;
    check_launch(generated.step.spec, problem.batch.count);
    EmittedKernel kernel;
    kernel.name = source.entry;
    kernel.source = source.text;
    kernel.words = source.words;
    kernel.groups = kernels::groups(generated.step.spec, problem.batch.count);
    kernel.group_size = source.group[0] * source.group[1] * source.group[2];
    kernel.subgroup_size = source.kernel->launch.required_subgroup_size;
    kernel.shared_bytes = source.shared_bytes;
    kernel.groups_per_cluster = source.kernel->launch.cluster[0];
    kernel.dynamic_shared = source.dynamic_shared;
    kernel.buffers = BufferReport(generated, problem).run();
    kernel.images = images_of(generated, problem);
    const bool words = has_argument_words(source.dialect);
    const emit::PushConstants layout = emit::push_constants(*source.kernel);
    for (std::size_t s = 0; s < source.kernel->scalars.size(); ++s) {
        const ir::ScalarParameter& scalar = source.kernel->scalars[s];
        const std::uint64_t sequences = kernels::sequences_per_batch(generated.step.spec) * problem.batch.count;
        kernel.scalars.push_back(
            {scalar.name, ir::to_string(scalar.type), s == 0 ? sequences : 0, words ? layout.scalars[s] / 4 : 0});
    }
    if (words)
        kernel.argument_words =
            source.dialect == emit::Dialect::spirv_vulkan ? layout.bytes / 4 : emit::argument_words(layout);
    return kernel;
}

}  // namespace seiche::exec

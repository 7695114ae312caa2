// Plans of every kind of argument, with memory to execute them on.
#pragma once

#include <string>
#include <vector>

#include "seiche/convolution.hpp"
#include "seiche/plan.hpp"

namespace seiche::test {

struct NamedPlan {
    std::string name;
    Plan plan;
    Execution execution;
};

/// What the plan's forward direction takes, of any contents.
inline Execution memory_for(const Plan& plan) {
    const Device& device = plan.device();
    const Problem& problem = plan.problem();
    const auto fill = [&device](const std::vector<std::uint64_t>& bytes, bool in_parts, BufferView& whole,
                                std::vector<BufferView>& parts) {
        if (!in_parts && !bytes.empty()) whole = device.allocate(bytes.front());
        for (std::size_t i = 0; in_parts && i < bytes.size(); ++i) parts.emplace_back(device.allocate(bytes[i]));
    };
    const auto image = [&device](ImageFormat format, ImageSize size) {
        return format == ImageFormat::none ? Image()
                                           : device.allocate_image(format, static_cast<std::uint32_t>(size.width),
                                                                   static_cast<std::uint32_t>(size.height));
    };
    Execution execution;
    fill(plan.input_part_bytes(), problem.input.part_bytes != 0, execution.input, execution.input_parts);
    execution.input_image = image(problem.input.image, plan.input_texels());
    const std::vector<std::uint64_t> workspace = plan.workspace_part_bytes();
    fill(workspace, workspace.size() > 1, execution.workspace, execution.workspace_parts);
    if (problem.placement == Placement::out_of_place) {
        fill(plan.output_part_bytes(), problem.output.part_bytes != 0, execution.output, execution.output_parts);
        execution.output_image = image(problem.output.image, plan.output_texels());
    }
    for (const UserStage* stage : {&problem.forward_load, &problem.forward_store}) {
        for (const StageBuffer& buffer : stage->buffers)
            execution.stage_buffers.push_back({buffer.name, device.allocate(buffer.count * bytes_of(buffer.type))});
        for (const StageScalar& scalar : stage->scalars) execution.stage_scalars.push_back({scalar.name, 2});
    }
    return execution;
}

inline ConvolutionExecution memory_for(const ConvolutionPlan& plan, const Device& device) {
    ConvolutionExecution execution;
    execution.input = device.allocate(plan.input_bytes());
    execution.output = device.allocate(plan.output_bytes());
    execution.spectrum = device.allocate(plan.spectrum_bytes());
    if (plan.workspace_bytes() != 0) execution.workspace = device.allocate(plan.workspace_bytes());
    return execution;
}

/// One pass and several, with a workspace in one buffer and in some, trailing where there is that; arrays in place,
/// planar, of real numbers, in parts and in images; a prime's convolution; stages with names too long for a string to
/// hold without memory of its own.
inline std::vector<NamedPlan> plans_on(const Device& device, bool with_images) {
    std::vector<NamedPlan> plans;
    PlanOptions options;
    options.directions = Directions::forward;
    const auto add = [&](const std::string& name, const Problem& problem) {
        const Plan plan(device, problem, options);
        plans.push_back({name + ": " + to_string(problem), plan, memory_for(plan)});
    };
    for (const char* text : {"64 in-place", "48 planar", "37 batch=2", "6x10 r2c", "128 batch=48 parts=16384"})
        add("plain", parse_problem(text));
    for (const char* text : {"16x32 image=rgba32f", "8x12 r2c iimage=r32f oimage=rgba32f"})
        if (with_images) add("image", parse_problem(text));
    Problem problem = parse_problem("60 r2c");
    problem.forward_load = "return value * taper_of_the_window[i0];";
    problem.forward_load.buffers = {{"taper_of_the_window", StageType::f32, 60}};
    problem.forward_store = "return value / reference_level_of_the_receiver;";
    problem.forward_store.scalars = {{"reference_level_of_the_receiver", StageType::f32}};
    add("stages", problem);
    options.tuning.passes = {5, 8, 10};
    add("passes", parse_problem("400"));
    options.tuning.buffer_bytes = 8192;
    add("workspace in parts", parse_problem("400 batch=8 parts=8192"));
    options.tuning = {};
    options.tuning.passes = {64, 64};
    options.tuning.trailing_passes = true;
    const DeviceLimits limits = device.limits();
    if (limits.waits_for_groups && limits.vectors == Vectors::subgroups)
        add("trailing passes", parse_problem("4096 batch=9"));
    return plans;
}

}  // namespace seiche::test

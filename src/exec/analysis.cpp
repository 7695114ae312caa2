// The analysis of a plan: its kernels interpreted one after the other on random data.
#include "exec/inspect.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>

#include "exec/convolution.hpp"
#include "exec/draft.hpp"
#include "exec/step_arguments.hpp"
#include "exec/tables.hpp"
#include "ir/analyse.hpp"
#include "seiche/double_double.hpp"
#include "seiche/half.hpp"

namespace seiche::exec {

namespace {

using planner::Role;
using Memory = std::vector<std::byte>;

/// Numbers from -1 to 1 as the arrays store them.
Memory random_memory(std::uint64_t bytes, Precision precision, Storage storage = Storage::same) {
    std::mt19937_64 engine(1);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    Memory memory(bytes);
    const std::size_t real = stored_bytes(precision, storage);
    for (std::size_t at = 0; real == sizeof(DoubleDouble) && at + real <= bytes; at += real) {
        const DoubleDouble value = uniform(engine);
        std::memcpy(memory.data() + at, &value, sizeof value);
    }
    if (real == sizeof(DoubleDouble)) return memory;
    for (std::size_t at = 0; at + real <= bytes; at += real) {
        const double value = uniform(engine);
        const auto single = static_cast<float>(value);
        const auto half = static_cast<std::uint16_t>(storage == Storage::bf16 ? to_bf16(single) : to_f16(single));
        const void* stored = real == sizeof value ? static_cast<const void*>(&value) : &single;
        std::memcpy(memory.data() + at, real == sizeof half ? &half : stored, real);
    }
    return memory;
}

constexpr std::size_t most_stage_buffers = 32;

/// An array as the buffers that a kernel takes it in.
void bind_parts(const ir::BoundBuffer& array, const planner::Parts& parts, ir::Launch& launch) {
    if (parts.count == 1) {
        launch.buffers.push_back(array);
        return;
    }
    std::byte* const begin = array.data - parts.first_byte;
    const std::uint64_t all = array.bytes + parts.first_byte;
    for (std::uint64_t at = 0, p = 0; p < parts.count; ++p, at += parts.bytes)
        launch.buffers.push_back({begin + std::min(at, all), std::min(parts.bytes, all - std::min(at, all))});
}

/// A buffer of a user's stage, with random numbers.
void bind_stage(const planner::Step& step, const StepArgument& argument, ir::Launch& launch,
                std::vector<Memory>& held) {
    const bool is_load = argument.parameter == kernels::Parameter::load_stage;
    const kernels::UserProgram& user = *kernels::user_stage(step.spec.side(is_load).stages);
    const StageBuffer& buffer = user.program->buffers[argument.index];
    const bool is_wide = buffer.type == StageType::f64;
    held.push_back(random_memory(buffer.count * bytes_of(buffer.type), is_wide ? Precision::f64 : Precision::f32));
    bind_parts({held.back().data(), held.back().size()}, argument.parts, launch);
}

/// 1 for each scalar that a user's stage names.
void add_scalars(const std::vector<kernels::Stage>& stages, ir::Launch& launch) {
    const kernels::UserProgram* user = kernels::user_stage(stages);
    if (!user) return;
    for (const StageScalar& scalar : user->program->scalars) {
        const std::uint64_t narrow = scalar.type == StageType::f32 ? std::bit_cast<std::uint32_t>(1.0f) : 1u;
        launch.scalars.push_back(scalar.type == StageType::f64 ? std::bit_cast<std::uint64_t>(1.0) : narrow);
    }
    if (user->program->function) launch.scalars.push_back(0);
}

AnalysisReport to_report(const std::string& name, const ir::Analysis& a) {
    AnalysisReport r;
    r.kernel = name;
    r.out_of_bounds = a.out_of_bounds;
    r.uninitialised_reads = a.uninitialised_reads;
    r.races = a.shared_races + a.global_races;
    r.shared_wavefronts = a.shared_wavefronts;
    r.shared_wavefronts_ideal = a.shared_wavefronts_ideal;
    r.sectors = a.sectors;
    r.sectors_ideal = a.sectors_ideal;
    r.bytes_read = a.bytes_read;
    r.bytes_written = a.bytes_written;
    r.table_bytes_read = a.table_bytes_read;
    r.flops = a.flops;
    r.shared_bytes_read = a.shared_bytes_read;
    r.shared_bytes_written = a.shared_bytes_written;
    r.registers_live = a.registers_live;
    r.findings = a.findings;
    return r;
}

/// The four buffers of a schedule on the host.
struct Buffers {
    Memory input, output, workspace_a, workspace_b;
    std::uint64_t input_offset = 0, output_offset = 0;
    std::uint64_t input_half = 0, output_half = 0;  // bytes to where the imaginary half of a planar array begins
    bool in_place = false;

    Memory& memory_of_output() { return in_place ? input : output; }
    ir::BoundBuffer bind(Role role) {
        switch (role) {
            case Role::input: return from(input, input_offset, input_half);
            case Role::output: return from(memory_of_output(), output_offset, output_half);
            case Role::workspace_a: return from(workspace_a, 0, workspace_a.size());
            case Role::workspace_b:
            case Role::workspace_c: break;  // of convolutions only
        }
        return from(workspace_b, 0, workspace_b.size());
    }
    ir::BoundImage bind_image(Role role, const problem::ArrayImage& image) {
        Memory& memory = role == Role::input ? input : role == Role::output ? output : workspace_a;
        const std::uint64_t row = image.width * texel_bytes(image.format);
        return {memory.data(), static_cast<std::uint32_t>(image.width),
                static_cast<std::uint32_t>(memory.size() / row)};
    }
    ir::BoundBuffer bind_imaginary(Role role) {
        Memory& memory = role == Role::output ? memory_of_output() : input;
        return from(memory, role == Role::output ? output_half : input_half, memory.size());
    }
    static ir::BoundBuffer from(Memory& memory, std::uint64_t begin, std::uint64_t end) {
        return {memory.data() + begin, end - begin};
    }
};

}  // namespace

std::uint64_t held_bytes(const problem::Canonical& problem, bool input) {
    const std::uint64_t batch = problem.batch.count;
    const problem::ArrayImage& image = input ? problem.input_image : problem.output_image;
    if (!image) return input ? problem.input_bytes(batch) : problem.output_bytes(batch);
    const std::uint64_t elements = input ? problem.input_elements(batch) : problem.output_elements(batch);
    return image.width * image.height(elements) * texel_bytes(image.format);
}

namespace {

/// The buffers of a schedule, the input as given.
Buffers buffers_of(const problem::Canonical& problem, const DraftSchedule& schedule, Memory input) {
    const std::uint64_t batch = problem.batch.count;
    // A workspace that is an image has whole rows.
    const std::uint64_t row = problem.output_image ? problem.output_image.width : 1;
    const std::uint64_t a_elements = (schedule.workspace_a_elements * batch + row - 1) / row * row;
    Buffers buffers{std::move(input),
                    Memory(problem.shares_buffer() ? 0 : held_bytes(problem, false)),
                    Memory(a_elements * problem.complex_bytes()),
                    Memory(schedule.workspace_b_elements * batch * problem.complex_bytes()),
                    problem.input_byte_offset,
                    problem.output_byte_offset,
                    0,
                    0,
                    problem.shares_buffer()};
    buffers.input_half = problem.input_planar ? problem.input_half_bytes(batch) : buffers.input.size();
    buffers.output_half = problem.output_planar ? problem.output_half_bytes(batch) : buffers.memory_of_output().size();
    return buffers;
}

/// What one step is launched with: calls run(launch).
template <class Run>
void launch_step(const planner::Step& step, const problem::Canonical& problem, Buffers& buffers, const Run& run) {
    const std::uint64_t batch = problem.batch.count;
    Memory table = table_bytes(kernels::tables(step.spec), problem.precision);
    ir::Launch launch;
    launch.groups = {static_cast<std::uint32_t>(kernels::groups(step.spec, batch)), 1, 1};
    std::vector<Memory> stage_memory;
    stage_memory.reserve(most_stage_buffers);
    for_each_argument(step, !table.empty(), [&](const StepArgument& argument) {
        switch (argument.parameter) {
            case kernels::Parameter::table: return bind_parts({table.data(), table.size()}, argument.parts, launch);
            case kernels::Parameter::load_stage:
            case kernels::Parameter::store_stage: return bind_stage(step, argument, launch, stage_memory);
            default: break;
        }
        if (argument.image)
            launch.images.push_back(buffers.bind_image(argument.role, *argument.image));
        else if (argument.is_imaginary())
            bind_parts(buffers.bind_imaginary(argument.role), argument.parts, launch);
        else
            bind_parts(buffers.bind(argument.role), argument.parts, launch);
    });
    launch.scalars = {kernels::sequences_per_batch(step.spec) * batch};
    add_scalars(step.spec.in.stages, launch);
    add_scalars(step.spec.out.stages, launch);
    run(launch);
}

}  // namespace

std::vector<AnalysisReport> analyse(const problem::Canonical& problem, const DeviceLimits& limits,
                                    const Tuning& tuning) {
    PlanOptions options;
    options.directions = first_direction(problem);
    options.tuning = tuning;
    const Draft drafted = draft(problem, limits, options);
    const DraftSchedule& schedule = drafted.schedules.front();
    const bool is_half = problem.input_image.format == ImageFormat::rgba16f;
    const std::uint64_t held =
        std::max(held_bytes(problem, true), problem.shares_buffer() ? held_bytes(problem, false) : 0);
    Buffers buffers =
        buffers_of(problem, schedule, random_memory(held, problem.precision, is_half ? Storage::f16 : problem.storage));
    std::vector<AnalysisReport> reports;
    for (const DraftStep& step : schedule.steps)
        launch_step(step.step, problem, buffers, [&](const ir::Launch& launch) {
            const ir::MachineModel machine{limits.subgroup_size, limits.shared_banks, limits.sector_bytes};
            reports.push_back(to_report(step.step.spec.name, ir::analyse(*step.kernel, launch, machine)));
        });
    return reports;
}

std::vector<std::byte> interpret(const DraftSchedule& schedule, const problem::Canonical& problem,
                                 std::vector<std::byte> input) {
    Buffers buffers = buffers_of(problem, schedule, std::move(input));
    for (const DraftStep& step : schedule.steps)
        launch_step(step.step, problem, buffers,
                    [&](const ir::Launch& launch) { ir::interpret(*step.kernel, launch); });
    return problem.shares_buffer() ? std::move(buffers.input) : std::move(buffers.output);
}

namespace {

std::vector<AnalysisReport> analyse_part(const ConvolutionDraft& draft, bool is_preparation,
                                         const DeviceLimits& limits) {
    const ConvolutionDraft::Part& part = is_preparation ? draft.preparation : draft.execution;
    const problem::CanonicalConvolution& convolution = draft.design.convolution;
    const Precision precision = convolution.precision;
    const std::uint64_t batch = is_preparation ? 1 : convolution.batch;
    const std::uint64_t complex_bytes = 2 * stored_bytes(precision, Storage::same);
    const std::uint64_t spectra_bytes = draft.design.spectrum_points * convolution.kernels * complex_bytes;
    std::vector<Memory> memory;  // by Role
    memory.push_back(random_memory(is_preparation ? convolution.kernel_bytes() : convolution.input_bytes(batch),
                                   precision, convolution.storage));
    memory.emplace_back(is_preparation ? spectra_bytes : convolution.output_bytes(batch));
    for (const std::uint64_t elements : part.workspace_elements) memory.emplace_back(elements * batch * complex_bytes);
    Memory spectra = random_memory(spectra_bytes, precision);
    const ir::MachineModel machine{limits.subgroup_size, limits.shared_banks, limits.sector_bytes};
    std::vector<AnalysisReport> reports;
    for (const DraftStep& drafted : part.steps) {
        const planner::Step& step = drafted.step;
        Memory table = table_bytes(kernels::tables(step.spec), precision);
        ir::Launch launch;
        launch.groups = {static_cast<std::uint32_t>(kernels::groups(step.spec, batch)), 1, 1};
        const auto bind = [&](Role role, const planner::Parts& parts) {
            Memory& bound = memory[static_cast<std::size_t>(role)];
            bind_parts({bound.data(), bound.size()}, parts, launch);
        };
        bind(step.source, step.source_parts);
        bind(step.target, step.target_parts);
        if (!table.empty()) bind_parts({table.data(), table.size()}, step.table_parts, launch);
        if (kernels::spectrum_product(step.spec))
            bind_parts({spectra.data(), spectra.size()}, step.spectra_parts, launch);
        launch.scalars = {kernels::sequences_per_batch(step.spec) * batch};
        reports.push_back(to_report(step.spec.name, ir::analyse(*drafted.kernel, launch, machine)));
    }
    return reports;
}

}  // namespace

std::vector<AnalysisReport> analyse(const ConvolutionDraft& draft, const DeviceLimits& limits) {
    return analyse_part(draft, false, limits);
}

std::vector<AnalysisReport> analyse_preparation(const ConvolutionDraft& draft, const DeviceLimits& limits) {
    return analyse_part(draft, true, limits);
}

}  // namespace seiche::exec

// The analysis of a plan: its kernels interpreted one after the other on random data.
#include "exec/inspect.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>

#include "exec/draft.hpp"
#include "exec/overlap_add.hpp"
#include "exec/spectral.hpp"
#include "exec/step_arguments.hpp"
#include "exec/tables.hpp"
#include "expression/elements.hpp"
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

constexpr std::size_t most_stage_buffers = 48;

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
    const expression::Side side = kernels::side_of(argument.parameter);
    const kernels::UserProgram& user = *kernels::user_stage(kernels::stages_of(step.spec, side));
    const StageBuffer& buffer = user.program->buffers[argument.index];
    const bool is_wide = buffer.type == StageType::f64;
    held.push_back(random_memory(buffer.count * bytes_of(buffer.type), is_wide ? Precision::f64 : Precision::f32));
    bind_parts({held.back().data(), held.back().size()}, argument.parts, launch);
}

/// The table of positions of a spectral operator's packed modes; false: the buffer is another.
bool bind_positions(const planner::Step& step, const StepArgument& argument, const std::vector<std::int32_t>* positions,
                    ir::Launch& launch, std::vector<Memory>& held) {
    const kernels::UserProgram& user =
        *kernels::user_stage(kernels::stages_of(step.spec, kernels::side_of(argument.parameter)));
    if (positions == nullptr || user.program->buffers[argument.index].name != expression::positions_name) return false;
    held.emplace_back(positions->size() * sizeof positions->front());
    std::memcpy(held.back().data(), positions->data(), held.back().size());
    bind_parts({held.back().data(), held.back().size()}, argument.parts, launch);
    return true;
}

/// 1 for each scalar that the user's stages name.
void add_scalars(const kernels::KernelSpec& spec, ir::Launch& launch) {
    for (const expression::Side side : kernels::user_sides) {
        const kernels::UserProgram* user = kernels::user_stage(kernels::stages_of(spec, side));
        if (!user) continue;
        for (const StageScalar& scalar : user->program->scalars) {
            const std::uint64_t narrow = scalar.type == StageType::f32 ? std::bit_cast<std::uint32_t>(1.0f) : 1u;
            launch.scalars.push_back(scalar.type == StageType::f64 ? std::bit_cast<std::uint64_t>(1.0) : narrow);
        }
        if (user->program->function) launch.scalars.push_back(0);
    }
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
    std::uint64_t input_end = 0, output_end = 0;              // of a planar array's real half
    std::uint64_t input_imaginary = 0, output_imaginary = 0;  // where the other is bound
    bool in_place = false;

    Memory& memory_of_output() { return in_place ? input : output; }
    ir::BoundBuffer bind(Role role) {
        switch (role) {
            case Role::input: return from(input, input_offset, input_end);
            case Role::output: return from(memory_of_output(), output_offset, output_end);
            case Role::workspace_a: return from(workspace_a, 0, workspace_a.size());
            case Role::workspace_b:
            case Role::workspace_c:
            case Role::workspace_d:
            case Role::partials:
            case Role::sums: break;  // of spectral operators only
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
        return from(memory, role == Role::output ? output_imaginary : input_imaginary, memory.size());
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
                    problem.input_base(),
                    problem.output_base(),
                    0,
                    0,
                    problem.input_base() + problem.input_elements(batch) * problem.input_element_bytes(),
                    problem.output_base() + problem.output_elements(batch) * problem.output_element_bytes(),
                    problem.shares_buffer()};
    buffers.input_end = problem.input_planar ? problem.input_half_bytes(batch) : buffers.input.size();
    buffers.output_end = problem.output_planar ? problem.output_half_bytes(batch) : buffers.memory_of_output().size();
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
            case kernels::Parameter::middle_stage:
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
    add_scalars(step.spec, launch);
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

std::vector<AnalysisReport> analyse_part(const SpectralDraft& draft, bool is_preparation, const DeviceLimits& limits) {
    const SpectralDraft::Part& part = is_preparation ? draft.preparation : draft.execution;
    const problem::CanonicalSpectral& convolution = draft.design.spectral;
    const Precision precision = convolution.precision;
    const std::uint64_t batch = is_preparation ? 1 : convolution.batch;
    const std::uint64_t complex_bytes = 2 * stored_bytes(precision, Storage::same);
    const std::uint64_t spectra_bytes = planner::spectra_bytes(draft.design);
    std::vector<Memory> memory;  // by Role
    memory.push_back(random_memory(is_preparation ? convolution.kernel_bytes() : convolution.input_bytes(batch),
                                   precision, convolution.storage));
    memory.emplace_back(is_preparation ? spectra_bytes : convolution.output_bytes(batch));
    for (const std::uint64_t elements : part.workspace_elements) memory.emplace_back(elements * batch * complex_bytes);
    memory.emplace_back(part.partial_bytes * batch);
    memory.emplace_back(convolution.sum_bytes(batch));
    Memory spectra = random_memory(spectra_bytes, precision);
    const ir::MachineModel machine{limits.subgroup_size, limits.shared_banks, limits.sector_bytes};
    std::vector<AnalysisReport> reports;
    for (const DraftStep& drafted : part.steps) {
        const planner::Step& step = drafted.step;
        Memory table = table_bytes(kernels::tables(step.spec), precision);
        ir::Launch launch;
        launch.groups = {static_cast<std::uint32_t>(kernels::groups(step.spec, batch)), 1, 1};
        std::vector<Memory> stage_memory;
        stage_memory.reserve(most_stage_buffers);
        for_each_argument(step, !table.empty(), [&](const StepArgument& argument) {
            const auto bind = [&](Memory& bound) { bind_parts({bound.data(), bound.size()}, argument.parts, launch); };
            switch (argument.parameter) {
                case kernels::Parameter::table: return bind(table);
                case kernels::Parameter::spectra: return bind(spectra);
                case kernels::Parameter::load_stage:
                case kernels::Parameter::middle_stage:
                case kernels::Parameter::store_stage:
                    if (bind_positions(step, argument, convolution.positions.get(), launch, stage_memory)) return;
                    return bind_stage(step, argument, launch, stage_memory);
                default: return bind(memory[static_cast<std::size_t>(argument.role)]);
            }
        });
        launch.scalars = {kernels::sequences_per_batch(step.spec) * batch};
        add_scalars(step.spec, launch);
        reports.push_back(to_report(step.spec.name, ir::analyse(*drafted.kernel, launch, machine)));
    }
    return reports;
}

}  // namespace

std::vector<AnalysisReport> analyse(const SpectralDraft& draft, const DeviceLimits& limits) {
    return analyse_part(draft, false, limits);
}

std::vector<AnalysisReport> analyse(const DraftStep& step, const InverseFrames& inverse, const DeviceLimits& limits) {
    const std::uint64_t real = stored_bytes(inverse.precision, Storage::same);
    Memory input = random_memory(inverse.batch * inverse.spectrum_elements() * 2 * real, inverse.precision);
    Memory output(inverse.batch * inverse.samples * real);
    Memory table = table_bytes(kernels::tables(step.step.spec), inverse.precision);
    ir::Launch launch;
    launch.groups = {static_cast<std::uint32_t>(kernels::groups(step.step.spec, inverse.batch)), 1, 1};
    for_each_argument(step.step, !table.empty(), [&](const StepArgument& argument) {
        Memory& bound = argument.parameter == kernels::Parameter::table   ? table
                        : argument.parameter == kernels::Parameter::input ? input
                                                                          : output;
        launch.buffers.push_back({bound.data(), bound.size()});
    });
    launch.scalars = {kernels::sequences_per_batch(step.step.spec) * inverse.batch};
    const ir::MachineModel machine{limits.subgroup_size, limits.shared_banks, limits.sector_bytes};
    return {to_report(step.step.spec.name, ir::analyse(*step.kernel, launch, machine))};
}

std::vector<AnalysisReport> analyse_preparation(const SpectralDraft& draft, const DeviceLimits& limits) {
    return analyse_part(draft, true, limits);
}

}  // namespace seiche::exec

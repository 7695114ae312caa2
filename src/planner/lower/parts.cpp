// How many buffers each array of a launch takes, where one binding does not reach all of it.
#include "planner/lower/parts.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>

#include "kernels/contract/parameters.hpp"
#include "kernels/contract/tables.hpp"
#include "seiche/error.hpp"

namespace seiche::planner {

namespace {

constexpr std::uint64_t least_bytes = 256;  // several times the largest element

/// How many bytes a kernel reaches.
struct Reach {
    std::uint64_t limit = 0;      ///< Of one part; 0: there is none.
    std::uint64_t addressed = 0;  ///< Of an array that is one buffer because kernels are told its address.

    Reach(const DeviceLimits& limits, const Tuning& tuning)
        : limit(bytes_of_part(limits, tuning)), addressed(tuning.buffer_bytes == 0 ? limits.max_addressed_bytes : 0) {}
};

/// One buffer where it may be, else as many as the limit asks for.
Parts limited(std::uint64_t bytes, const Reach& reach, const char* name) {
    const std::uint64_t limit = reach.limit, count = parts_for(bytes, limit);
    if (count > 1 && bytes <= reach.addressed) return {1, reach.addressed, 0, true};
    if (count > problem::most_parts)
        throw Unsupported(std::string(name) + ": expected at most " + std::to_string(problem::most_parts) +
                          " buffers of " + std::to_string(limit) + " bytes, what a kernel on this device takes, got " +
                          std::to_string(bytes) + " bytes");
    return {static_cast<std::uint32_t>(count), limit, 0, false};
}

/// Of the buffers that one stage names.
std::vector<Parts> parts_of_buffers(const expression::Program& program, const Reach& reach) {
    std::vector<Parts> all;
    for (const StageBuffer& buffer : program.buffers)
        all.push_back(limited(buffer.count * bytes_of(buffer.type), reach, ("stage buffer " + buffer.name).c_str()));
    const std::uint64_t count = std::accumulate(all.begin(), all.end(), std::uint64_t{0},
                                                [](std::uint64_t sum, const Parts& p) { return sum + p.count; });
    if (count > problem::most_stage_parts)
        throw Unsupported("stage buffers: expected at most " + std::to_string(problem::most_stage_parts) + " of " +
                          std::to_string(reach.limit) +
                          " bytes for those of one stage together, what a kernel on this device takes, got " +
                          std::to_string(count));
    return all;
}

void add_stage_parts(Step& step, const Reach& reach) {
    for (const expression::Side side : kernels::user_sides)
        if (const kernels::UserProgram* user = kernels::user_stage(kernels::stages_of(step.spec, side)))
            step.stage_parts[static_cast<std::size_t>(side)] = parts_of_buffers(*user->program, reach);
}

class Assigner {
public:
    Assigner(const Schedule& schedule, const problem::Canonical& problem, const DeviceLimits& limits,
             const Tuning& tuning)
        : schedule_(schedule),
          problem_(problem),
          has_workspace_image_(workspace_image(problem, tuning)),
          reach_(limits, tuning) {}

    Parts of(Role role) const {
        const std::uint64_t batch = problem_.batch.count;
        const std::uint64_t complex_bytes = problem_.complex_bytes();
        switch (role) {
            case Role::input:
            case Role::output: return of_array(role == Role::input);
            case Role::workspace_a:
                if (has_workspace_image_) return {};
                return by_limit(schedule_.workspace_a_elements * batch * complex_bytes, "workspace");
            case Role::workspace_b:
                return by_limit(schedule_.workspace_b_elements * batch * complex_bytes, "workspace");
            case Role::workspace_c:
            case Role::workspace_d:
            case Role::partials:
            case Role::sums: break;  // of spectral operators only
        }
        return {};
    }

    Parts of_table(const kernels::KernelSpec& spec) const {
        return by_limit(kernels::table_entries(kernels::tables(spec)) * problem_.complex_bytes(), "table");
    }

private:
    /// In place both arrays are one memory.
    Parts of_array(bool input) const {
        if (input ? problem_.input_image : problem_.output_image) return {};
        const std::uint64_t batch = problem_.batch.count;
        const std::uint64_t in = problem_.input_half_bytes(batch), out = problem_.output_half_bytes(batch);
        const std::uint64_t held = problem_.shares_buffer() ? std::max(in, out) : input ? in : out;
        const std::uint64_t base = input ? problem_.input_base() : problem_.output_base();
        const std::uint64_t given = input ? problem_.input_part_bytes : problem_.output_part_bytes;
        const char* name = input ? "input" : "output";
        if (given == 0) return by_limit(held - base, name);
        const std::uint64_t most = std::max(reach_.limit, reach_.addressed);
        if (reach_.limit != 0 && given > most)
            throw Unsupported(std::string(name) + ".part_bytes: expected at most " + std::to_string(most) +
                              ", what a kernel on this device takes in one buffer, got " + std::to_string(given));
        const bool by_address = reach_.limit != 0 && std::min(given, held) > reach_.limit;
        return {static_cast<std::uint32_t>(parts_for(held, given)), given, base, by_address};
    }

    Parts by_limit(std::uint64_t bytes, const char* name) const { return limited(bytes, reach_, name); }

    const Schedule& schedule_;
    const problem::Canonical& problem_;
    const bool has_workspace_image_;
    const Reach reach_;
};

}  // namespace

std::uint64_t bytes_of_part(const DeviceLimits& limits, const Tuning& tuning) {
    if (tuning.buffer_bytes != 0 && tuning.buffer_bytes < least_bytes)
        throw Unsupported("tuning.buffer_bytes: expected 0 or at least " + std::to_string(least_bytes) + ", got " +
                          std::to_string(tuning.buffer_bytes));
    const std::uint64_t own = limits.max_buffer_bytes, forced = tuning.buffer_bytes;
    return std::bit_floor(own == 0 || forced == 0 ? std::max(own, forced) : std::min(own, forced));
}

std::uint64_t parts_for(std::uint64_t bytes, std::uint64_t part_bytes) {
    return bytes == 0 || part_bytes == 0 ? 1 : (bytes - 1) / part_bytes + 1;
}

problem::ArrayImage workspace_image(const problem::Canonical& problem, const Tuning& tuning) {
    return tuning.recipe.empty() ? problem::ArrayImage{} : problem.output_image;
}

namespace {

/// A schedule of images has one workspace at most, because it isn't in place.
problem::ArrayImage image_of(Role role, const problem::Canonical& problem, const Tuning& tuning) {
    if (role == Role::input) return problem.input_image;
    return role == Role::output ? problem.output_image : workspace_image(problem, tuning);
}

}  // namespace

void assign_parts(Schedule& schedule, const problem::Canonical& problem, const DeviceLimits& limits,
                  const Tuning& tuning) {
    const Assigner assigner(schedule, problem, limits, tuning);
    for (Step& step : schedule.steps) {
        step.source_parts = assigner.of(step.source);
        step.target_parts = assigner.of(step.target);
        if (step.spec.pipeline.has_between) step.between_parts = assigner.of(step.between);
        step.table_parts = assigner.of_table(step.spec);
        add_stage_parts(step, Reach(limits, tuning));
        step.source_image = image_of(step.source, problem, tuning);
        step.target_image = image_of(step.target, problem, tuning);
    }
}

bool are_arrays_whole(const Schedule& schedule, const problem::Canonical& problem, const DeviceLimits& limits,
                      const Tuning& tuning) {
    const Assigner assigner(schedule, problem, limits, tuning);
    const auto is_whole = [](const Parts& parts) { return parts.count == 1 && !parts.by_address; };
    return std::all_of(schedule.steps.begin(), schedule.steps.end(), [&](const Step& step) {
        return is_whole(assigner.of(step.source)) && is_whole(assigner.of(step.target)) &&
               is_whole(assigner.of_table(step.spec));
    });
}

std::uint64_t array_bytes(const SpectralSchedule& schedule, const SpectralDesign& design, bool is_preparation,
                          Role role, std::uint64_t batch) {
    const problem::CanonicalSpectral& c = design.spectral;
    switch (role) {
        case Role::input: return is_preparation ? c.kernel_bytes() : c.input_bytes(batch);
        case Role::output: return is_preparation ? spectra_bytes(design) : c.output_bytes(batch);
        case Role::partials: return schedule.partial_bytes * batch;
        case Role::sums: return c.sum_bytes(batch);
        default: break;
    }
    const auto number = static_cast<std::size_t>(role) - static_cast<std::size_t>(Role::workspace_a);
    return schedule.workspace_elements[number] * (is_preparation ? 1 : batch) * 2 *
           stored_bytes(c.precision, Storage::same);
}

std::uint64_t spectra_bytes(const SpectralDesign& design) {
    if (design.spectral.has_weights) return design.spectral.weight_bytes(design.spectral.batch);
    return design.spectrum_points * design.spectral.kernels * 2 *
           stored_bytes(design.spectral.precision, Storage::same);
}

void assign_parts(SpectralSchedule& schedule, const SpectralDesign& design, bool is_preparation,
                  const DeviceLimits& limits, const Tuning& tuning) {
    const Reach reach(limits, tuning);
    const std::uint64_t batch = design.spectral.batch;
    const std::uint64_t pair = 2 * stored_bytes(design.spectral.precision, Storage::same);
    const auto parts_of = [&](Role role) {
        if (role == Role::partials || role == Role::sums) return Parts{};
        const char* name = role == Role::input ? "input" : role == Role::output ? "output" : "workspace";
        return limited(array_bytes(schedule, design, is_preparation, role, batch), reach, name);
    };
    for (Step& step : schedule.steps) {
        step.source_parts = parts_of(step.source);
        step.target_parts = parts_of(step.target);
        if (step.spec.pipeline.has_between) step.between_parts = parts_of(step.between);
        step.table_parts = limited(kernels::table_entries(kernels::tables(step.spec)) * pair, reach, "table");
        if (kernels::has_spectra(step.spec)) step.spectra_parts = limited(spectra_bytes(design), reach, "spectrum");
        add_stage_parts(step, reach);
    }
}

}  // namespace seiche::planner

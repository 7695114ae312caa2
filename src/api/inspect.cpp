// Plans without a device: the report for people, the analysis and the sources.
#include "seiche/inspect.hpp"

#include "api/guard.hpp"
#include "exec/inspect.hpp"
#include "problem/problem.hpp"
#include "seiche/emit.hpp"
#include "seiche/error.hpp"
#include "support/enumerators.hpp"
#include "support/text.hpp"

namespace seiche {

namespace {

std::string mebibytes(std::uint64_t bytes) {
    return support::to_fixed(static_cast<double>(bytes) / (1 << 20), bytes < 100u << 20 ? 3 : 1) + " MiB";
}

std::string kernel_text(const KernelReport& kernel) {
    std::string text =
        "  " + std::string(kernel.direction == Direction::forward ? "forward " : "inverse ") + kernel.name;
    text += ": " + kernel.spec + "\n    " + support::to_text(kernel.groups) + " groups of " +
            std::to_string(kernel.group_size) + " threads, " + support::to_text(kernel.shared_bytes) +
            " bytes of shared memory, " + support::to_text(kernel.instructions) + " instructions";
    text += "\n    reads " + mebibytes(kernel.bytes_read) + ", writes " + mebibytes(kernel.bytes_written) +
            ", tables " + support::to_text(kernel.table_bytes) + " bytes\n";
    return text;
}

emit::Target target_for(Dialect dialect, const DeviceLimits& limits) {
    emit::Target target;
    switch (dialect) {
        case Dialect::cuda: target.dialect = emit::Dialect::cuda; break;
        case Dialect::hip: target.dialect = emit::Dialect::hip; break;
        case Dialect::opencl: target.dialect = emit::Dialect::opencl; break;
        case Dialect::spirv: target.dialect = emit::Dialect::spirv_vulkan; break;
        case Dialect::spirv_opencl: target.dialect = emit::Dialect::spirv_opencl; break;
        case Dialect::glsl: target.dialect = emit::Dialect::glsl; break;
        case Dialect::glsl_es: target.dialect = emit::Dialect::glsl_es; break;
        case Dialect::ptx: target.dialect = emit::Dialect::ptx; break;
        case Dialect::x86: target.dialect = emit::Dialect::x86; break;
        case Dialect::arm64: target.dialect = emit::Dialect::arm64; break;
    }
    target.architecture = limits.architecture;
    target.counts_arrivals = dialect == Dialect::ptx && limits.max_cluster_size > 1;
    target.fast_fma = limits.fast_fma;
    target.scoped_atomics = limits.waits_for_groups;
    target.pairs_as_words = dialect == Dialect::spirv && limits.vectors == Vectors::implicit_simd;
    target.widest_access_bytes = limits.vectors == Vectors::explicit_simd ? limits.vector_bytes : 16;
    return target;
}

}  // namespace

std::uint64_t PlanReport::spectrum_index(int axis, std::uint64_t position) const {
    const std::int64_t rank = static_cast<std::int64_t>(spectrum_digits.size()), own = axis < 0 ? axis + rank : axis;
    if (own < 0 || own >= rank)
        throw InvalidProblem("spectrum_index: expected one of " + std::to_string(rank) + " axes, got " +
                             std::to_string(axis));
    const std::vector<std::uint64_t>& digits = spectrum_digits[static_cast<std::size_t>(own)];
    std::uint64_t index = 0, rest = position;
    for (std::size_t i = digits.size(); i-- > 0; rest /= digits[i]) index = index * digits[i] + rest % digits[i];
    if (rest != 0)
        throw InvalidProblem("spectrum_index: expected a position below " + support::join_numbers(digits, "x") +
                             ", got " + support::to_text(position));
    return index;
}

std::string PlanReport::text() const {
    std::string text = "problem    " + problem + "\nrecipe     " + recipe;
    for (std::size_t axis = 0; axis < spectrum_digits.size(); ++axis)
        if (spectrum_digits[axis].size() > 1)
            text += "\nspectrum   axis " + std::to_string(axis) + " in pass order: digits " +
                    support::join_numbers(spectrum_digits[axis], ", ") +
                    " of the position, slowest first, are the frequency's, fastest first";
    text += "\nworkspace  " + mebibytes(workspace_bytes);
    text += "\nmoved      " + mebibytes(moved_bytes);
    if (ideal_bytes != 0)
        text += ", " + support::to_fixed(static_cast<double>(moved_bytes) / static_cast<double>(ideal_bytes), 2) +
                " times one round trip (" + mebibytes(ideal_bytes) + ")";
    if (storage_roundings != 0) text += "\nrounded    " + std::to_string(storage_roundings) + " times to the storage";
    if (compiled + cached + loaded != 0)
        text += "\nplanned    in " + support::to_fixed(plan_milliseconds, 2) + " ms, " + std::to_string(compiled) +
                " kernels compiled, " + std::to_string(cached) + " from the cache";
    if (loaded != 0) text += ", " + std::to_string(loaded) + " from the saved plan";
    if (!replanned.empty()) text += "\nreplanned  " + replanned;
    text += "\nkernels\n";
    for (const KernelReport& kernel : kernels) text += kernel_text(kernel);
    return text;
}

PlanReport inspect(const Problem& problem, const DeviceLimits& limits, const Tuning& tuning) {
    PlanOptions options;
    options.tuning = tuning;
    return api::guarded("planning", [&] { return exec::describe(problem, limits, options); });
}

std::vector<AnalysisReport> analyse(const Problem& problem, const DeviceLimits& limits, const Tuning& tuning) {
    return api::guarded("analysing", [&] { return exec::analyse(problem::normalise(problem), limits, tuning); });
}

const char* to_string(Dialect dialect) noexcept {
    switch (dialect) {
        case Dialect::cuda: return "cuda";
        case Dialect::hip: return "hip";
        case Dialect::opencl: return "opencl";
        case Dialect::spirv: return "spirv";
        case Dialect::spirv_opencl: return "spirv-opencl";
        case Dialect::glsl: return "glsl";
        case Dialect::glsl_es: return "glsl-es";
        case Dialect::ptx: return "ptx";
        case Dialect::x86: return "x86";
        case Dialect::arm64: return "arm64";
    }
    return "?";
}

bool is_text(Dialect dialect) noexcept {
    return dialect != Dialect::spirv && dialect != Dialect::spirv_opencl && dialect != Dialect::x86 &&
           dialect != Dialect::arm64;
}

// A program without Seiche binds its buffers.
std::vector<EmittedKernel> emit_kernels(const Problem& problem, Dialect dialect, const DeviceLimits& device,
                                        std::optional<Direction> direction, const Tuning& tuning) {
    support::check_enumerator("dialect", dialect);
    support::check_enumerator("direction", direction);
    return api::guarded("emitting kernels", [&] {
        const problem::Canonical canonical = problem::normalise(problem);
        DeviceLimits limits = device;
        limits.max_addressed_bytes = 0;
        const Direction own = direction.value_or(exec::default_direction(canonical));
        std::vector<EmittedKernel> kernels;
        for (const exec::GeneratedKernel& generated :
             exec::sources(canonical, limits, {own, tuning}, target_for(dialect, limits))) {
            kernels.push_back(exec::described(generated, canonical));
        }
        return kernels;
    });
}

DeviceFunction emit_device_function(const Problem& problem, Dialect dialect, const DeviceLimits& limits,
                                    Direction direction, const Tuning& tuning) {
    support::check_enumerator("dialect", dialect);
    support::check_enumerator("direction", direction);
    Problem plain;
    plain.lengths = problem.lengths;
    plain.precision = problem.precision;
    const problem::Canonical canonical = problem::normalise(problem);
    if (canonical != problem::normalise(plain) || canonical.axes.size() != 1)
        throw InvalidProblem(
            "a device function: expected a problem of one length and a precision, such as '1024 f32', got '" +
            to_string(problem) + "'");
    const exec::DeviceFunctionText made =
        exec::device_function(canonical, limits, {direction, tuning}, target_for(dialect, limits));
    return {made.name,      made.text,         made.before.points, made.before.threads,
            made.registers, made.shared_bytes, made.twiddle_bytes};
}

}  // namespace seiche

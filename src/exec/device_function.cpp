// The core of one transform as a function in a dialect, with the constants that its caller needs.
#include <algorithm>
#include <cstring>

#include "exec/inspect.hpp"
#include "exec/tables.hpp"
#include "ir/verify.hpp"
#include "kernels/contract/generate.hpp"
#include "seiche/error.hpp"

namespace seiche::exec {

namespace {

const char* name_suffix(Precision precision) {
    switch (precision) {
        case Precision::f32: return "";
        case Precision::f64: return "_f64";
        case Precision::f16:
        case Precision::f64x2: break;
    }
    throw Unsupported(std::string("a device function: expected f32 or f64, got ") + to_string(precision));
}

/// The plan's own kernel for this length, without its ways to memory.
kernels::KernelSpec core_spec(const problem::Canonical& problem, DeviceLimits limits,
                              const planner::LowerOptions& options) {
    if (!options.tuning.recipe.empty())
        throw Unsupported("a device function: expected no textbook recipe, got " + options.tuning.recipe);
    limits.vectors = Vectors::subgroups;  // a function is called by threads, on a CPU too
    const auto [recipe, schedule] = planner::plan(planner::design(problem, limits, options.tuning), problem, limits,
                                                  {Direction::forward, options.tuning});
    const std::uint64_t n = problem.axes.front().length;
    const kernels::KernelSpec& planned = schedule.steps.front().spec;
    if (schedule.steps.size() != 1 || planned.n != n)
        throw Unsupported("a device function of " + std::to_string(n) +
                          " points: expected a length that one group transforms directly, got " +
                          planner::to_string(recipe));
    kernels::KernelSpec spec;
    spec.name = (options.direction == Direction::forward ? "seiche_fft_" : "seiche_ifft_") + std::to_string(n) +
                name_suffix(problem.precision);
    spec.precision = problem.precision;
    spec.n = planned.n;
    for (const std::uint32_t radix : planned.radices)
        if (radix > 1) spec.radices.push_back(radix);
    const auto distance = static_cast<std::int64_t>(n);
    spec.loops = {{1, distance, distance}};
    kernels::GroupShape shape;
    shape.threads = std::get<kernels::GroupShape>(planned.shape).threads;
    shape.load_order = shape.store_order = kernels::ThreadOrder::sequence_fastest;
    shape.exchange.components = problem.complex_bytes() * n <= limits.shared_bytes ? 2 : 1;
    spec.shape = shape;
    return kernels::complete(std::move(spec));
}

std::string capitals(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; });
    return text;
}

/// The point in register m of a thread, as a macro's text.
std::string place_text(const kernels::CoreSide& side) {
    const auto text = [](std::uint32_t number) { return std::to_string(number) + "u"; };
    const std::string threads = text(side.threads), per_thread = text(side.per_thread), legs = text(side.butterflies);
    if (side.per_thread * side.threads == side.butterflies) return "((lane) + " + threads + " * (m))";
    const std::string butterfly = "(lane) + " + threads + " * ((m) % " + per_thread + ")", leg = "(m) / " + per_thread;
    return "((m) < " + text(side.registers()) + " && " + butterfly + " < " + legs + " ? " + butterfly + " + " + legs +
           " * (" + leg + ") : " + text(side.points) + ")";
}

std::string definitions(const DeviceFunctionText& function) {
    const std::string name = capitals(function.name);
    const auto define = [&](const std::string& what, const std::string& value) {
        return "#define " + name + "_" + what + " " + value + "\n";
    };
    return define("POINTS", std::to_string(function.before.points)) +
           define("THREADS", std::to_string(function.before.threads)) +
           define("REGISTERS", std::to_string(function.registers)) +
           define("SHARED_BYTES", std::to_string(function.shared_bytes)) +
           define("BEFORE(lane, m)", place_text(function.before)) +
           define("AFTER(lane, m)", place_text(function.after)) + "\n";
}

/// Where the points pass through shared memory, and who must call.
std::string exchange_comment(const DeviceFunctionText& function, emit::Dialect dialect) {
    const std::string name = capitals(function.name);
    const bool is_glsl = dialect == emit::Dialect::glsl || dialect == emit::Dialect::glsl_es;
    const std::string where =
        is_glsl ? "Define " + name +
                      "_TEAMS (else 1) before this text as the sequences that a group transforms at once;\n"
                      "`team` counts them. Each has " +
                      name + "_SHARED_BYTES of the shared array " + function.name +
                      "_exchange.\nWhere there is one all threads of the group must call,\n"
                : "`exchange` is " + name +
                      "_SHARED_BYTES of shared memory. A group may transform several at once, each\n"
                      "with lanes and exchange memory of its own. Where there is such memory all threads of the group "
                      "must call,\n";
    return where +
           "as for a barrier; others may still read it after the return, so that a barrier must come before it is\n"
           "used for anything else, but none before the next call.";
}

std::string comment(const DeviceFunctionText& function, const kernels::KernelSpec& spec, Direction direction,
                    emit::Dialect dialect) {
    const std::string name = capitals(function.name), n = std::to_string(spec.n);
    const std::string last_lane = std::to_string(function.before.threads - 1);
    std::string radices;
    for (const std::uint32_t radix : spec.radices) radices += (radices.empty() ? "" : "x") + std::to_string(radix);
    return function.name + ": X[k] = sum of x[j] exp(" + (direction == Direction::forward ? "-" : "+") +
           "2 pi i j k / " + n + "), j and k = 0 .. " + std::to_string(spec.n - 1) + ", not scaled;\n" +
           (spec.precision == Precision::f32 ? "f32" : "f64") + ", radices " + radices + ". Threads of lanes 0 to " +
           last_lane + " transform it together, with " + std::to_string(function.registers) +
           " complex numbers each:\nx[m] holds point " + name + "_BEFORE(lane, m) before and " + name +
           "_AFTER(lane, m) afterwards,\nand none where that is " + n + " or more.\n" +
           exchange_comment(function, dialect);
}

/// The table as pairs of numbers, in the arithmetic's precision.
std::vector<double> numbers(const std::vector<kernels::TableSection>& sections, Precision precision) {
    const std::vector<std::byte> bytes = table_bytes(sections, precision);
    if (precision == Precision::f64) {
        std::vector<double> values(bytes.size() / sizeof(double));
        std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return {values.begin(), values.end()};
}

}  // namespace

DeviceFunctionText device_function(const problem::Canonical& problem, const DeviceLimits& limits,
                                   const planner::LowerOptions& options, const emit::Target& target) {
    emit::check_has_functions(target.dialect);
    const kernels::KernelSpec spec = core_spec(problem, limits, options);
    kernels::Core core = kernels::generate_core(spec, options.direction);
    ir::verify(core.kernel);
    DeviceFunctionText function;
    function.name = spec.name;
    function.before = core.before;
    function.after = core.after;
    function.registers = std::max(core.before.registers(), core.after.registers());
    function.shared_bytes = ir::shared_bytes(core.kernel);
    core.kernel.comment = comment(function, spec, options.direction, target.dialect);
    std::vector<double> table;
    if (!core.kernel.buffers.empty()) table = numbers(kernels::tables(spec), spec.precision);
    function.twiddle_bytes = table.size() * (spec.precision == Precision::f32 ? sizeof(float) : sizeof(double));
    function.text = emit::emit_function(core.kernel, table, definitions(function), target);
    return function;
}

}  // namespace seiche::exec

// The launches of a plan: their geometry and memory from the specs, what their kernels do from the generated IR.
#include "tests/guard/choices.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <stdexcept>

#include "exec/draft.hpp"
#include "exec/spectral.hpp"
#include "exec/tables.hpp"
#include "ir/print.hpp"
#include "seiche/error.hpp"
#include "seiche/half.hpp"
#include "support/text.hpp"
#include "tests/guard/hash.hpp"

namespace seiche::guard {

namespace {

using kernels::KernelSpec;

/// Adds "key=value".
class Line {
public:
    explicit Line(std::string begin) : text_(std::move(begin)) {}
    Line& add(const char* key, const std::string& value) {
        text_ += std::string(" ") + key + "=" + value;
        return *this;
    }
    Line& add(const char* key, std::uint64_t value) { return add(key, std::to_string(value)); }
    Line& add_if(bool is_there, const char* key, std::uint64_t value) { return is_there ? add(key, value) : *this; }
    std::string text() const { return text_ + "\n"; }

private:
    std::string text_;
};

const char* name_of(planner::Role role) {
    switch (role) {
        case planner::Role::input: return "input";
        case planner::Role::output: return "output";
        case planner::Role::workspace_a: return "workspace-a";
        case planner::Role::workspace_b: return "workspace-b";
        case planner::Role::workspace_c: return "workspace-c";
        case planner::Role::workspace_d: return "workspace-d";
        case planner::Role::partials: return "partial-sums";
        case planner::Role::sums: return "sums";
    }
    return "?";
}

const char* name_of(Algorithm algorithm) {
    switch (algorithm) {
        case Algorithm::any: return "any";
        case Algorithm::direct: return "direct";
        case Algorithm::rader: return "rader";
        case Algorithm::bluestein: return "bluestein";
    }
    return "?";
}

// --- Kernels ----------------------------------------------------------------------------------------------------

template <class Symbols>
void name_alike(Symbols& symbols, const std::string& what) {
    for (std::size_t i = 0; i < symbols.size(); ++i) symbols[i].name = what + std::to_string(i);
}

std::shared_ptr<const ir::Kernel> neutral(const ir::Kernel& kernel) {
    auto copy = std::make_shared<ir::Kernel>(kernel);
    copy->name = "kernel";
    copy->comment.clear();
    name_alike(copy->buffers, "buffer");
    name_alike(copy->scalars, "scalar");
    name_alike(copy->images, "image");
    name_alike(copy->shared, "shared");
    name_alike(copy->privates, "private");
    return copy;
}

/// How often the kernel has each operation, of each type.
std::string operations(const ir::Kernel& kernel) {
    std::map<std::string, std::uint64_t> counts;
    for (const ir::Instruction& i : kernel.code) {
        if (i.op == ir::Op::constant) continue;
        ++counts[std::string(ir::op_name(i.op)) + ":" + ir::to_string(i.type)];
    }
    Line line("  operations");
    for (const auto& [name, count] : counts) line.add(name.c_str(), count);
    return line.text();
}

std::string arrays(const ir::Kernel& kernel) {
    Line line("  memory");
    line.add("shared-bytes", ir::shared_bytes(kernel));
    for (const ir::ArraySymbol& array : kernel.shared)
        line.add("shared", ir::to_string(array.element) + "x" + std::to_string(array.count));
    for (const ir::ArraySymbol& array : kernel.privates)
        line.add("private", ir::to_string(array.element) + "x" + std::to_string(array.count));
    return line.text();
}

// --- Tables -----------------------------------------------------------------------------------------------------

double number_at(const std::byte* at, float) {
    float value = 0;
    std::memcpy(&value, at, sizeof value);
    return static_cast<double>(value);
}
double number_at(const std::byte* at, double) {
    double value = 0;
    std::memcpy(&value, at, sizeof value);
    return value;
}
double number_at(const std::byte* at, std::uint16_t) {
    std::uint16_t half = 0;
    std::memcpy(&half, at, sizeof half);
    return static_cast<double>(from_f16(half));
}

/// The numbers of a table in steps of 2^-12, so that the last digits of a system's sine do not matter.
template <class Stored>
void hash_numbers(const std::vector<std::byte>& bytes, Hash& hash) {
    for (std::size_t at = 0; at + sizeof(Stored) <= bytes.size(); at += sizeof(Stored))
        hash.number(static_cast<std::uint64_t>(std::llround(number_at(bytes.data() + at, Stored{}) * 4096)));
}

std::string table(const KernelSpec& spec) {
    constexpr std::uint64_t most_entries = 1 << 13;  // longer ones are computed in milliseconds, but for each plan
    const auto sections = kernels::tables(spec);
    if (sections.empty()) return "";
    const std::uint64_t entries = kernels::table_entries(sections);
    Line line("  table");
    line.add("entries", entries);
    if (entries > most_entries) return line.text();
    const std::vector<std::byte> bytes = exec::table_bytes(sections, spec.precision);
    Hash hash;
    switch (spec.precision) {
        case Precision::f16: hash_numbers<std::uint16_t>(bytes, hash); break;
        case Precision::f32: hash_numbers<float>(bytes, hash); break;
        case Precision::f64:
        case Precision::f64x2: hash_numbers<double>(bytes, hash); break;
    }
    return line.add("contents", hash.digits(12)).text();
}

// --- Launches ---------------------------------------------------------------------------------------------------

/// Without those of 1, which only redistribute points.
std::string radices_of(std::vector<std::uint32_t> radices) {
    std::erase(radices, 1u);
    return support::join_numbers(radices, "x");
}

std::string pass(const KernelSpec& spec, const char* how) {
    Line line(std::string("  pass how=") + how);
    if (spec.textbook()) return line.add("work", "textbook").add("points", spec.n).text();
    if (spec.texel_points() != 0) return line.add("work", "texels").text();
    if (spec.is_repacking()) return line.add("work", "map").text();
    if (const auto* rows = std::get_if<kernels::RegisterRows>(&spec.work))
        return line.add("work", "real-rows").add("axes", rows->count).text();
    line.add("work", spec.convolution.stages.empty() ? "transform" : "convolution").add("points", spec.n);
    line.add("radices", radices_of(spec.radices)).add_if(spec.convolution.prime != 0, "prime", spec.convolution.prime);
    if (const auto* simd = std::get_if<kernels::SimdShape>(&spec.shape))
        return line.add("lanes", simd->lanes)
            .add("lanes-carry", simd->across ? "transforms" : "butterflies")
            .add("per-block", simd->units_per_group)
            .text();
    const auto& shape = std::get<kernels::GroupShape>(spec.shape);
    return line.add("threads", shape.threads)
        .add("per-block", shape.sequences)
        .add("exchange", shape.exchange.components == 2 ? "full" : "split")
        .add_if(shape.exchange.chunks > 1, "chunks", shape.exchange.chunks)
        .text();
}

std::string passes(const KernelSpec& spec) {
    std::string text = pass(spec, "first");
    kernels::for_each_then(spec, [&](const KernelSpec& next) { text += pass(next, "fused"); });
    for (const KernelSpec* at = &spec; !at->pipeline.next.empty(); at = &at->pipeline.next.front()) {
        text += Line("  pipelined")
                    .add("distance", at->pipeline.prefetch_distance)
                    .add("tile", at->slices.sequences)
                    .text();
        text += pass(at->pipeline.next.front(), "pipelined");
        kernels::for_each_then(at->pipeline.next.front(), [&](const KernelSpec& next) { text += pass(next, "fused"); });
    }
    return text;
}

std::string parts(const char* what, const planner::Parts& parts) {
    if (parts.count <= 1 && !parts.by_address) return "";
    return Line("  parts")
        .add("of", what)
        .add("count", parts.count)
        .add("bytes", parts.bytes)
        .add("by-address", parts.by_address)
        .text();
}

std::string buffers(const planner::Step& step, const ir::Kernel& kernel) {
    std::string text;
    text += parts("source", step.source_parts);
    text += parts("target", step.target_parts);
    text += parts("between", step.between_parts);
    text += parts("table", step.table_parts);
    text += parts("spectra", step.spectra_parts);
    for (const ir::BufferParameter& buffer : kernel.buffers)
        text += Line("  buffer")
                    .add("element", ir::to_string(buffer.element))
                    .add("access", buffer.access == ir::Access::read    ? "read"
                                   : buffer.access == ir::Access::write ? "write"
                                                                        : "both")
                    .add_if(buffer.table, "table", 1)
                    .add_if(buffer.may_alias, "may-alias", 1)
                    .text();
    for (const ir::ScalarParameter& scalar : kernel.scalars)
        text += Line("  scalar").add("type", ir::to_string(scalar.type)).text();
    for (const ir::ImageParameter& image : kernel.images)
        text += Line("  image").add("format", to_string(image.format)).text();
    return text;
}

std::string launch(const exec::DraftStep& drafted, std::uint64_t batch, Choices& result) {
    const planner::Step& step = drafted.step;
    const ir::Kernel& kernel = *drafted.kernel;
    Line line("launch");
    line.add("from", name_of(step.source)).add("to", name_of(step.target));
    if (step.spec.pipeline.has_between) line.add("between", name_of(step.between));
    if (kernels::has_counters(step.spec)) line.add("counters", name_of(step.counters));
    line.add("blocks", kernels::groups(step.spec, batch)).add("blocks-of-3", kernels::groups(step.spec, 3));
    line.add("threads", kernel.launch.group_size());
    line.add_if(kernel.launch.cluster[0] > 1, "cluster", kernel.launch.cluster[0]);
    line.add_if(kernel.launch.cooperative, "cooperative", 1);
    line.add_if(kernel.launch.register_bound != 0, "most-registers", kernel.launch.register_bound);
    line.add_if(kernel.launch.min_groups_per_unit != 0, "occupancy", kernel.launch.min_groups_per_unit);
    line.add_if(kernel.launch.required_subgroup_size != 0, "subgroup", kernel.launch.required_subgroup_size);
    line.add("scalar0", kernels::sequences_per_batch(step.spec) * batch);
    result.kernels.push_back(neutral(kernel));
    return line.text() + passes(step.spec) + buffers(step, kernel) + table(step.spec) + arrays(kernel) +
           operations(kernel);
}

std::string recipe(const planner::Recipe& recipe) {
    if (recipe.textbook)
        return Line("recipe")
            .add("textbook", recipe.textbook->name)
            .add("launches", recipe.textbook->launches.size())
            .text();
    std::string text;
    for (const planner::AxisRecipe& axis : recipe.axes) {
        Line line("axis");
        line.add("axis", axis.axis).add("points", axis.n).add("kind", to_string(axis.kind));
        line.add_if(axis.padded != 0, "bluestein", axis.padded);
        std::vector<std::uint64_t> lengths;
        std::string algorithms;
        for (const planner::Pass& one : axis.passes) {
            lengths.push_back(one.n);
            algorithms += std::string(algorithms.empty() ? "" : ",") + name_of(one.algorithm);
        }
        text += line.add("passes", support::join_numbers(lengths, "x")).add("algorithms", algorithms).text();
    }
    return text;
}

/// The complete recipe alone gives the same launches.
void check_recipe(const exec::DraftSchedule& schedule, const problem::Canonical& canonical, const DeviceLimits& limits,
                  const Tuning& tuning) {
    const planner::Schedule lowered = planner::lower(schedule.recipe, canonical, limits, {schedule.direction, tuning});
    const auto is_same = [](const planner::Step& one, const exec::DraftStep& other) { return one == other.step; };
    if (!std::equal(lowered.steps.begin(), lowered.steps.end(), schedule.steps.begin(), schedule.steps.end(),
                    is_same) ||
        lowered.workspace_a_elements != schedule.workspace_a_elements ||
        lowered.workspace_b_elements != schedule.workspace_b_elements)
        throw std::logic_error("lowered again, these launches differ: " + planner::to_string(schedule.recipe));
}

void add_transform(const Problem& problem, const DeviceLimits& limits, const Tuning& tuning, Choices& result) {
    const problem::Canonical canonical = problem::normalise(problem);
    PlanOptions options;
    options.tuning = tuning;
    const exec::Draft draft = exec::draft(canonical, limits, options);
    result.text += recipe(draft.recipe);
    for (const exec::DraftSchedule& schedule : draft.schedules) {
        check_recipe(schedule, canonical, limits, tuning);
        result.text += Line("direction")
                           .add("is", schedule.direction == Direction::forward ? "forward" : "inverse")
                           .add("workspace-a", schedule.workspace_a_elements)
                           .add("workspace-b", schedule.workspace_b_elements)
                           .text();
        for (const exec::DraftStep& step : schedule.steps) result.text += launch(step, canonical.batch.count, result);
    }
    const PlanReport report = exec::report(draft, canonical, problem);
    result.text += Line("bytes")
                       .add("workspace", report.workspace_bytes)
                       .add("moved", report.moved_bytes)
                       .add("ideal", report.ideal_bytes)
                       .add("roundings", report.storage_roundings)
                       .text();
    for (const auto& digits : report.spectrum_digits)
        result.text += Line("spectrum").add("digits", support::join_numbers(digits, "x")).text();
}

void add_convolution(const Drawn& drawn, const DeviceLimits& limits, Choices& result) {
    const Convolution convolution = parse_convolution(drawn.text);
    const exec::SpectralDraft draft = exec::draft(convolution, limits, tuning_of(drawn));
    const planner::SpectralDesign& design = draft.design;
    result.text += Line("convolution")
                       .add("lengths", support::join_numbers(design.lengths, "x"))
                       .add("blocks", design.blocks)
                       .add("step", design.step)
                       .add("right-angled", design.is_right_angled)
                       .add("spectrum", design.spectrum_points)
                       .add("spectra-bytes", planner::spectra_bytes(design))
                       .text();
    result.text += recipe(design.recipe) + recipe(design.kernel_recipe) +
                   recipe(design.kernel_in_time ? design.kernel_in_time->recipe : planner::Recipe{});
    for (const bool is_preparation : {true, false}) {
        const exec::SpectralDraft::Part& part = is_preparation ? draft.preparation : draft.execution;
        // The last one is of operators with real-to-real axes.
        const std::vector<std::uint64_t> workspaces(part.workspace_elements.begin(), part.workspace_elements.end() - 1);
        result.text += Line("direction")
                           .add("is", is_preparation ? "preparation" : "execution")
                           .add("workspace", support::join_numbers(workspaces, ","))
                           .text();
        const std::uint64_t batch = is_preparation ? 1 : design.spectral.default_batch;
        for (const exec::DraftStep& step : part.steps) result.text += launch(step, batch, result);
    }
    const PlanReport report = exec::report(draft, convolution);
    result.text += Line("bytes")
                       .add("workspace", report.workspace_bytes)
                       .add("moved", report.moved_bytes)
                       .add("roundings", report.storage_roundings)
                       .text();
}

}  // namespace

Choices choices(const Drawn& drawn, const DeviceLimits& limits) {
    Choices result;
    try {
        if (drawn.is_convolution())
            add_convolution(drawn, limits, result);
        else
            add_transform(problem_of(drawn), limits, tuning_of(drawn), result);
    } catch (const InvalidProblem& error) {
        return {"refused: " + std::string(error.what()) + "\n", true, {}};
    } catch (const Unsupported& error) {
        return {"refused: " + std::string(error.what()) + "\n", true, {}};
    }
    return result;
}

namespace {

bool only_reads(const ir::Instruction& i) {
    const ir::OpKind kind = ir::op_kind(i.op);
    const bool is_access = kind == ir::OpKind::memory || kind == ir::OpKind::image || kind == ir::OpKind::cluster;
    return is_access && ir::makes_value(i);
}

/// What an instruction is, by what its operands are.
std::string meaning(const ir::Instruction& i, const std::vector<std::string>& operands, std::size_t actions) {
    Hash hash;
    hash.text(ir::op_name(i.op)).text(ir::to_string(i.type)).number(i.immediate).number(i.symbol).number(i.width);
    hash.number(i.exact).number(static_cast<std::uint64_t>(i.hint)).number(static_cast<std::uint64_t>(i.scope));
    hash.number(static_cast<std::uint64_t>(i.order)).number(actions);
    for (const ir::ValueId operand : i.operands) hash.text(operand == ir::no_value ? "" : operands[operand]);
    return hash.digits(16);
}

void add_instructions(const ir::Kernel& kernel, std::string& text) {
    std::vector<std::string> meanings;
    std::size_t actions = 0;  // what is read before one is not what is read behind it
    for (const ir::Instruction& i : kernel.code) {
        const bool is_pure = ir::op_is_pure(i.op) || ir::op_kind(i.op) == ir::OpKind::leaf;
        const bool acts = !is_pure && !only_reads(i);
        meanings.push_back(meaning(i, meanings, is_pure ? 0 : actions));
        if (!acts) continue;
        ++actions;
        text += std::string(ir::op_name(i.op)) + " " + meanings.back() + "\n";
    }
}

}  // namespace

std::string instructions_text(const Choices& choices) {
    std::string text;
    for (const auto& kernel : choices.kernels) {
        ir::Kernel without_code = *kernel;
        without_code.code.clear();
        text += ir::print(without_code);
        add_instructions(*kernel, text);
    }
    return text;
}

std::string kernels_text(const Choices& choices) {
    std::string text;
    for (const auto& kernel : choices.kernels) text += ir::print(*kernel);
    return text;
}

}  // namespace seiche::guard

// Tuned problems as rows of a table: a batch of rows or columns is a core, an axis by itself its passes or its cluster.
#include <algorithm>
#include <map>

#include "exec/inspect.hpp"
#include "planner/device_model.hpp"
#include "planner/fuse/fuse.hpp"
#include "planner/fuse/pipeline.hpp"
#include "planner/measured/built_in.hpp"
#include "planner/measured/rules.hpp"
#include "planner/shape/measured_cores.hpp"
#include "seiche/error.hpp"

namespace seiche::exec {

namespace {

using namespace planner::measured;

/// One axis of complex points, or of r2c or c2r, as it lies; nothing of a user's own in it.
bool is_plain(const problem::Canonical& problem) {
    const auto has_stages = [](const problem::DirectionStages& stages) { return stages.load || stages.store; };
    return planner::has_whole_arrays(problem) && problem.axes.size() == 1 && !problem.input_planar &&
           !problem.output_planar && std::none_of(problem.stages.begin(), problem.stages.end(), has_stages) &&
           number_of(problem.precision).has_value();
}

std::optional<Form> form_of(Kind kind) {
    if (kind == Kind::c2c) return Form::c2c;
    if (kind == Kind::r2c) return Form::r2c;
    return kind == Kind::c2r ? std::optional(Form::c2r) : std::nullopt;
}

Form form_of(planner::CorePlace place) {
    constexpr Form forms[] = {Form::rows,          Form::columns,  Form::twiddled_columns,
                              Form::first_columns, Form::r2c_rows, Form::c2r_rows};
    return forms[static_cast<std::size_t>(place)];
}

/// The row of a kernel that is a core alone, with the shape that the plan has. On a SIMD device radices alone have
/// rows.
std::optional<Row> core_row(const kernels::KernelSpec& spec, const Tuning& tuning) {
    const std::optional<planner::CorePlace> place = planner::place_of(spec);
    const auto* shape = std::get_if<kernels::GroupShape>(&spec.shape);
    if (!place || !spec.runs_once() || !spec.has_core() || (!shape && tuning.radices.empty())) return std::nullopt;
    Row row;
    row.key = {Topic::core, form_of(*place), *number_of(spec.precision), spec.n};
    std::size_t count = 0;
    for (const std::uint32_t radix : spec.radices) {
        if (radix == 1) continue;  // distributes points
        if (count == Row::most_lengths) return std::nullopt;
        row.lengths[count++] = radix;
    }
    row.threads = 1;
    if (shape) {
        row.threads = shape->threads;
        row.transforms = shape->sequences;
    }
    return count == 0 ? std::nullopt : std::optional(row);
}

/// Nothing: the tuning says nothing of a part that a table has rows of.
std::optional<Row> row_of(const Problem& problem, const Tuning& tuning, const DeviceLimits& limits) {
    const problem::Canonical canonical = problem::normalise(problem);
    if (!is_plain(canonical) || !tuning.recipe.empty()) return std::nullopt;
    const planner::Recipe recipe = planner::design(canonical, limits, tuning);
    const planner::AxisRecipe& axis = recipe.axes.front();
    const std::vector<planner::Pass>& passes = axis.passes;
    const std::optional<Form> form = form_of(canonical.axes.front().kind);
    if (axis.padded != 0 || !form || passes.size() > Row::most_lengths) return std::nullopt;
    if (passes.size() == 1) {
        if (passes.front().algorithm != Algorithm::direct) return std::nullopt;
        const Direction direction = default_direction(canonical);
        const auto steps = planner::lower(recipe, canonical, limits, {direction, tuning}).steps;
        return steps.size() == 1 ? core_row(steps.front().spec, tuning) : std::nullopt;
    }
    const bool is_cluster = recipe.groups_per_cluster > 1 && passes.size() == 2;
    if (!is_cluster && tuning.passes.empty()) return std::nullopt;
    Row row;
    row.key = {is_cluster ? Topic::cluster : Topic::passes, *form, *number_of(canonical.precision), axis.n};
    std::transform(passes.begin(), passes.end(), row.lengths.begin(), [](const planner::Pass& pass) { return pass.n; });
    row.groups = is_cluster ? recipe.groups_per_cluster : 0;
    const std::uint64_t bytes =
        axis.n * canonical.complex_bytes() * canonical.transforms_per_array() * canonical.batch.count;
    const bool is_large = planner::is_worth_pipelining(bytes, limits) && planner::leaves_pipelining_open(tuning);
    row.when = is_large ? When::large_batch : When::always;
    return row;
}

/// This device and its like: of its memory's speed where that is known, else of its size.
Card card_of(const DeviceLimits& limits) {
    constexpr std::uint64_t giga = 1'000'000'000, part = 20;
    Card card;
    const std::size_t quote = limits.architecture.find('"');  // what a card line cannot have
    card.architectures = {limits.architecture.substr(0, quote) + (quote == std::string::npos ? "" : "*")};
    if (const std::uint64_t speed = limits.memory_bytes_per_second / giga; speed != 0) {
        card.least_memory = (speed - speed / part) * giga;
        card.most_memory = (speed + speed / part) * giga;
    } else {
        card.least_units = card.most_units = limits.compute_units;
    }
    return card;
}

}  // namespace

std::shared_ptr<const TextTable> read_table(const std::string& text) { return std::make_shared<const TextTable>(text); }

const std::string& text_of(const TextTable& table) { return table.text; }

std::string table_of(const std::vector<std::pair<Problem, Tuning>>& tuned, const DeviceLimits& limits,
                     const std::string& source) {
    std::map<Key, Row> rows;
    for (const auto& [problem, tuning] : tuned) {
        try {
            if (std::optional<Row> row = row_of(problem, tuning, limits)) {
                row->source = source;
                rows.insert_or_assign(row->key, *row);
            }
        } catch (const Unsupported&) {  // wisdom of another driver's limits
        }
    }
    std::vector<Row> sorted;
    for (const auto& [key, row] : rows) sorted.push_back(row);
    return sorted.empty() ? std::string() : table_text(card_of(limits), sorted);
}

}  // namespace seiche::exec

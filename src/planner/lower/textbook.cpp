// Lowering of textbook recipes: a kernel for each launch, between arrays that alternate.
#include "planner/lower/lowering.hpp"

#include <algorithm>

#include "seiche/error.hpp"

namespace seiche::planner {

namespace {

constexpr std::uint32_t usual_group = 256;
/// The text's groups of 32 threads: 4 butterflies of 8 lines.
constexpr std::uint32_t rectangle_items = 4, rectangle_lines = 8;
constexpr std::uint32_t wavefront = 64;  // of the card that amd2011 is about

std::uint32_t threads_on_chip(const kernels::TextbookWork& work) {
    if (const auto* rows = std::get_if<kernels::MatrixRows>(&work)) return rows->rows;
    if (const auto* stages = std::get_if<kernels::ChunkStages>(&work)) return stages->points() / 2;
    if (const auto* levels = std::get_if<kernels::BlockLevels>(&work)) return levels->points;
    if (const auto* levels = std::get_if<kernels::FlaggedLevels>(&work)) return levels->points;
    const auto& matrix = std::get<kernels::Transposition>(work);
    return kernels::transposed_tile(matrix.rows) * kernels::transposed_tile(matrix.columns);
}

std::uint32_t points_of_item(const kernels::Textbook& textbook) {
    if (const auto* levels = std::get_if<kernels::FlaggedLevels>(&textbook.work)) return levels->points;
    if (std::holds_alternative<kernels::Clearing>(textbook.work)) return 1;  // a counter
    return static_cast<std::uint32_t>(textbook.length / kernels::textbook_items(textbook));
}

/// Where each launch leaves its results: the last in the output, one that may stay in place where its source is, any
/// other in the one of two arrays that its source is not. The input is left alone.
std::vector<Role> textbook_targets(const Lowering& l, const TextbookLaunches& recipe) {
    const std::vector<TextbookLaunch>& launches = recipe.launches;
    std::vector<Role> targets(launches.size(), Role::output);
    const auto other = [](Role role) { return role == Role::output ? Role::workspace_a : Role::output; };
    for (std::size_t i = launches.size() - 1; i > 0; --i)
        targets[i - 1] = launches[i].stays ? targets[i] : other(targets[i]);
    const bool meets_input = l.arrays.problem.in_place() && !launches.front().stays && targets.front() == Role::output;
    if (!meets_input) return targets;
    // A second workspace takes the output's part until the last launch that moves.
    std::size_t last = launches.size() - 1;
    while (launches[last].stays) --last;
    for (std::size_t i = 0; i < last; ++i)
        if (targets[i] == Role::output) targets[i] = Role::workspace_b;
    return targets;
}

void shape_textbook(const Lowering& l, const TextbookLaunches& recipe, KernelSpec& spec) {
    auto& textbook = std::get<kernels::Textbook>(spec.work);
    kernels::GroupShape shape;
    if (kernels::works_on_chip(textbook)) {
        shape.threads = threads_on_chip(textbook.work);
        if (const auto* levels = std::get_if<kernels::BlockLevels>(&textbook.work))
            shape.groups_per_cluster = levels->groups;
        if (const auto* levels = std::get_if<kernels::FlaggedLevels>(&textbook.work))
            shape.groups_per_cluster = levels->cluster;
    } else {
        shape.sequences = std::min(recipe.text == "amd2011" ? wavefront : usual_group, l.arrays.limits.max_group_size);
    }
    constexpr std::uint32_t rectangle = rectangle_items * rectangle_lines;
    const std::uint64_t items = spec.loops[0].count, lines = kernels::sequences_per_batch(spec) / items;
    if (recipe.text == "mota2022" && !kernels::works_on_chip(textbook) && l.arrays.limits.max_group_size >= rectangle) {
        shape.sequences = rectangle;
        if (items % rectangle_items == 0 && lines % rectangle_lines == 0) {
            textbook.lines = rectangle_lines;
            textbook.lines_first = spec.out.stride != 1;
        }
    }
    spec.shape = shape;
}

/// Before the first launch a workspace holds anything. Counters are the second one, which no recipe that has some needs
/// for points.
void add_clearing(Lowering& l, const TextbookLaunches& recipe, const kernels::Clearing& clearing) {
    const problem::Canonical& problem = l.arrays.problem;
    const std::uint64_t bytes = sizeof(std::uint32_t) * clearing.counters, batch = problem.batch.count;
    const std::uint64_t elements = (bytes + problem.complex_bytes() - 1) / problem.complex_bytes();
    const std::uint64_t limit = bytes_of_part(l.arrays.limits, l.arrays.options.tuning);
    if (parts_for(elements * batch * problem.complex_bytes(), limit) > 1)
        throw Unsupported("tuning.recipe " + recipe.name + ": expected counters in one buffer of at most " +
                          std::to_string(limit) + " bytes, got " + std::to_string(bytes * batch) + " bytes of them");
    l.places.workspace_b_elements = std::max(l.places.workspace_b_elements, elements);
    Step step = l.passes.step_between(l.places.present, l.places.present);
    KernelSpec& spec = step.spec;
    spec.in_place = true;
    kernels::Textbook& textbook = spec.work.emplace<kernels::Textbook>();
    textbook.work = clearing;
    spec.n = points_of_item(textbook);
    spec.radices = {spec.n};
    spec.loops = {Loop{clearing.counters, 0, 0}, Loop{problem.batch.count, 0, 0}};
    shape_textbook(l, recipe, spec);
    l.passes.push(step, {{problem.axes.size()}, l.places.present.view, l.places.present.view});
}

void add_textbook_launch(Lowering& l, const TextbookLaunches& recipe, const TextbookLaunch& launch,
                         const Place& target) {
    Step step = l.passes.step_between(l.places.present, target);
    KernelSpec& spec = step.spec;
    spec.in.stride = l.places.present.view.axes[launch.axis];
    spec.out.stride = target.view.axes[launch.axis];
    spec.in_place = l.arrays.is_same_memory(l.places.present, target);
    kernels::Textbook& textbook = spec.work.emplace<kernels::Textbook>();
    textbook.length = l.arrays.problem.axes[launch.axis].length;
    textbook.twiddles = recipe.twiddles;
    textbook.inverse = l.arrays.options.direction == Direction::inverse;
    textbook.work = launch.work;
    spec.n = points_of_item(textbook);
    spec.radices = {spec.n};
    spec.loops = l.passes.other_loops(launch.axis, l.places.present.view, target.view);
    spec.loops.insert(spec.loops.begin(), Loop{kernels::textbook_items(textbook), 0, 0});
    spec.loops.push_back(l.passes.batch_loop(l.places.present.view, target.view));
    shape_textbook(l, recipe, spec);
    l.passes.push(step, {{launch.axis}, l.places.present.view, target.view});
}

}  // namespace

void add_textbook(Lowering& l, const TextbookLaunches& recipe) {
    TextbookLaunches all = recipe;
    std::vector<Role> targets = textbook_targets(l, all);
    const auto moves = [](const TextbookLaunch& launch) { return !launch.stays; };
    const auto moving = std::count_if(all.launches.begin(), all.launches.end(), moves);
    if (l.arrays.problem.in_place() && moving == 1 && !all.launches.front().stays) {
        // There is no second launch to bring the results back.
        targets.assign(all.launches.size(), Role::workspace_a);
        all.launches.push_back({all.launches.back().axis, kernels::Copying{}, false});
        targets.push_back(Role::output);
    }
    for (std::size_t i = 0; i < all.launches.size(); ++i) {
        const Role role = targets[i];
        const Place target = role == Role::output ? Place{role, l.arrays.output} : l.places.workspace(role, 0, 0);
        if (const auto* clearing = std::get_if<kernels::Clearing>(&all.launches[i].work)) {
            add_clearing(l, all, *clearing);
            continue;  // points stay where they are
        }
        add_textbook_launch(l, all, all.launches[i], target);
        l.places.present = target;
    }
}

}  // namespace seiche::planner

#include "kernels/contract/distribution.hpp"

#include "kernels/tables.hpp"
#include "seiche/error.hpp"

namespace seiche::kernels {

namespace {

void add_core_stages(const KernelSpec& spec, const std::vector<std::uint32_t>& radices, std::uint32_t copy,
                     std::vector<CoreStage>& stages) {
    std::uint32_t s = 1;
    for (const std::uint32_t radix : radices) {
        CoreStage& stage = stages.emplace_back();
        stage.radix = radix;
        stage.s = s;
        stage.butterflies = spec.n / radix;
        stage.copy = copy;
        s *= radix;
    }
}

CoreStage redistribution(const KernelSpec& spec, bool input) {
    CoreStage stage;
    stage.butterflies = redistributed_points(spec, input);
    stage.redistributes = true;
    return stage;
}

/// Of the stage at an end of a pass.
void pair_butterflies(const KernelSpec& spec, const GroupShape& shape, bool input, CoreStage& end) {
    if (is_mirrored(spec, input)) end.pairing = Pairing::mirrored;
    if (has_pairs_in_thread(spec, input)) end.pairing = Pairing::opposite;
    if (shape.has_mirrors_in_group() && spec.side(input).folded()) end.pairing = Pairing::mirrored;
    if (const auto& bins = spec.side(input).bins(); bins && shape.has_mirrors_in_group() && !is_of_plane(*bins))
        end.pairing = Pairing::columns;
}

std::uint32_t butterflies_per_thread(const GroupShape& shape, const CoreStage& stage) {
    if (shape.sequences_of_thread() > 1) return shape.sequences_of_thread();
    const std::uint32_t stride = butterfly_stride(shape);
    const auto each = [&](std::uint32_t count) { return (count + stride - 1) / stride * shape.exchange.neighbours; };
    return stage.pairing == Pairing::none ? each(stage.butterflies) : 2 * each((stage.butterflies + 1) / 2);
}

void check_orders(const KernelSpec& spec, const GroupShape& shape, const std::vector<CoreStage>& stages) {
    bool differ = stages.size() == 1 && shape.load_order != shape.store_order;
    for (std::size_t i = 1; i < stages.size(); ++i)
        differ = differ || (stages[i].keeps && stages[i].order != stages[i - 1].order);
    if (differ) throw InternalError("kernel '" + spec.name + "': one stage cannot load and store in different orders");
}

}  // namespace

std::vector<CoreStage> core_stages(const KernelSpec& spec) {
    const auto* shape = std::get_if<GroupShape>(&spec.shape);
    const bool may_redistribute = shape && !spec.runs_once() && spec.n > 1;
    const std::vector<std::vector<std::uint32_t>> runs = core_runs(spec);
    std::vector<CoreStage> stages;
    if (may_redistribute && spec.radices.front() == 1) stages.push_back(redistribution(spec, true));
    for (std::uint32_t run = 0; run < runs.size(); ++run) {
        const std::size_t first = stages.size();
        add_core_stages(spec, runs[run], twiddle_copy(spec, run), stages);
        if (run > 0) stages[first].keeps = true;
    }
    if (may_redistribute && spec.radices.back() == 1) stages.push_back(redistribution(spec, false));
    if (!shape) return stages;
    for (const bool input : {true, false}) {
        CoreStage& end = input ? stages.front() : stages.back();
        const std::uint32_t points = redistributed_points(spec, input);
        if (stages.size() > 1 && end.radix == 1 && points < end.butterflies) {
            end.butterflies = points;
            end.redistributes = true;
        }
        pair_butterflies(spec, *shape, input, end);
    }
    for (CoreStage& stage : stages) {
        stage.per_thread = butterflies_per_thread(*shape, stage);
        // A prime's core is one from end to end: the points beside it stay in their thread.
        const bool ends = &stage == &stages.back() && !(spec.convolution.prime && spec.out.map());
        stage.order = ends ? shape->store_order : shape->load_order;
        const bool may_be_flat =
            shape->sequences_of_thread() > 1 ||
            (stage.redistributes ? shape->sequences > 1 : stage.radix == 1 && spec.n % shape->threads == 0);
        if (stage.order == ThreadOrder::flat && !may_be_flat) stage.order = ThreadOrder::element_fastest;
    }
    check_orders(spec, *shape, stages);
    return stages;
}

HostPlace place(const GroupShape& shape, const CoreStage& stage, std::uint32_t u, std::uint32_t thread,
                std::uint32_t leg, bool of_result, bool doubles_middle) {
    const ThreadButterflyOf<HostIndex> where = butterfly_of_thread(shape, stage, u, HostIndex{thread, doubles_middle});
    const std::uint32_t b = where.butterfly;
    const std::uint32_t at = of_result ? place_of_results(stage, b, place_in_run(shape, stage, where)) + leg * stage.s
                                       : b + leg * stage.butterflies;
    return {where.exists, where.sequence_in_group, at};
}

std::vector<std::uint32_t> threads_of_places(const GroupShape& shape, const CoreStage& stage, bool of_results) {
    const std::uint32_t points = stage.butterflies * stage.radix, group = shape.group_threads();
    std::vector<std::uint32_t> threads(std::size_t{points} * shape.sequences);
    for (std::uint32_t thread = 0; thread < group; ++thread)
        for (std::uint32_t u = 0; u < stage.per_thread; ++u)
            for (std::uint32_t leg = 0; leg < stage.radix; ++leg) {
                const HostPlace at = place(shape, stage, u, thread, leg, of_results);
                if (at.exists) threads[std::size_t{at.sequence} * points + at.place] = thread;
            }
    return threads;
}

}  // namespace seiche::kernels

// Who has which point before and after an exchange between two stages of a kernel.
#include <algorithm>

#include "exec/flow.hpp"
#include "support/primes.hpp"

namespace seiche::exec {

using kernels::GroupShape;
using kernels::KernelSpec;
using kernels::ThreadOrder;

namespace {

void add_core(const KernelSpec& spec, const std::vector<std::uint32_t>& radices, std::vector<DealtStage>& stages) {
    std::uint32_t s = 1;
    for (const std::uint32_t radix : radices) {
        DealtStage stage;
        stage.radix = radix;
        stage.s = s;
        stage.butterflies = spec.n / radix;
        s *= radix;
        stages.push_back(stage);
    }
}

DealtStage deal_of(const KernelSpec& spec, bool input) {
    DealtStage stage;
    stage.butterflies = kernels::dealt_points(spec, input);
    stage.is_deal = true;
    return stage;
}

/// The butterfly that leaves a result at a position, or takes the point there.
std::uint32_t writer(const DealtStage& stage, std::uint32_t position) {
    return position / (stage.s * stage.radix) * stage.s + position % stage.s;
}
std::uint32_t reader(const DealtStage& stage, std::uint32_t position) { return position % stage.butterflies; }

}  // namespace

std::vector<std::uint32_t> logarithms(std::uint64_t prime) {
    std::vector<std::uint32_t> result(prime, 0);
    const std::uint64_t g = support::primitive_root(prime);
    std::uint64_t power = 1;
    for (std::uint32_t j = 0; j + 1 < prime; ++j, power = power * g % prime) result[power] = j;
    return result;
}

std::uint64_t points_on_chip(const KernelSpec& spec) {
    const std::uint64_t parts = kernels::splits_parity(spec) ? 2 : 1;
    return parts * spec.n + (spec.convolution.prime ? 1 : 0);
}

std::vector<DealtStage> dealt_stages(const KernelSpec& spec) {
    std::vector<DealtStage> stages;
    const bool is_convolution = !spec.convolution.stages.empty();
    const auto* shape = std::get_if<GroupShape>(&spec.shape);
    const bool has_deals = is_convolution && spec.n > 1 && shape;
    if (has_deals && spec.radices.front() == 1) stages.push_back(deal_of(spec, true));
    const std::vector<std::vector<std::uint32_t>> runs = kernels::core_runs(spec);
    for (std::size_t run = 0; run < runs.size(); ++run) {
        const std::size_t first = stages.size();
        add_core(spec, runs[run], stages);
        if (run > 0) stages[first].keeps = true;
    }
    if (has_deals && spec.radices.back() == 1) stages.push_back(deal_of(spec, false));
    for (const bool input : {true, false}) {
        DealtStage& end = input ? stages.front() : stages.back();
        const std::uint32_t points = kernels::dealt_points(spec, input);
        if (!shape || stages.size() == 1 || end.radix != 1 || points >= end.butterflies) continue;
        end.butterflies = points;
        end.is_deal = true;
    }
    for (DealtStage& stage : stages) {
        if (!shape || shape->has_parts_in_lanes()) {  // of a point two threads have the parts
            stage.is_known = false;
            continue;
        }
        const bool ends = &stage == &stages.back() && !(spec.convolution.prime && spec.out.map());
        stage.order = ends ? shape->store_order : shape->load_order;
        const bool may_be_flat =
            stage.is_deal ? shape->sequences > 1 : stage.radix == 1 && spec.n % shape->threads == 0;
        if (stage.order == ThreadOrder::flat && !may_be_flat) stage.order = ThreadOrder::element_fastest;
    }
    const auto is_paired = [&](bool input) {
        return kernels::is_mirrored(spec, input) || kernels::has_pairs_in_thread(spec, input);
    };
    const bool has_plane = kernels::is_of_plane(spec.in.bins()) || kernels::is_of_plane(spec.out.bins());
    const bool meet = shape && shape->has_mirrors_in_group() && !has_plane,
               meet_in = spec.in.bins() || spec.in.folded();
    if (is_paired(true) || (meet && meet_in)) stages.front().is_known = false;
    if (is_paired(false) || (meet && !meet_in)) stages.back().is_known = false;
    return stages;
}

std::uint32_t thread_of(const GroupShape& shape, const DealtStage& stage, std::uint32_t sequence,
                        std::uint32_t butterfly) {
    if (stage.order == ThreadOrder::flat)
        return (sequence * stage.butterflies + butterfly) % (shape.threads * shape.sequences);
    const std::uint32_t lane = butterfly / shape.exchange.neighbours % shape.threads;
    return stage.order == ThreadOrder::element_fastest ? sequence * shape.threads + lane
                                                       : lane * shape.sequences + sequence;
}

Exchange exchange_before(const Dealing& dealing, std::size_t i) {
    const KernelSpec& spec = dealing.spec;
    const std::vector<DealtStage>& stages = dealing.stages;
    Exchange result;
    if (i == 0 || stages[i].keeps) return result;
    const auto* shape = std::get_if<GroupShape>(&spec.shape);
    const DealtStage &from = stages[i - 1], &to = stages[i];
    const std::uint64_t moved = from.is_deal ? from.butterflies : to.is_deal ? to.butterflies : spec.n;
    const bool has_parity = kernels::splits_parity(spec), is_of_core = !from.is_deal && !to.is_deal;
    const std::uint64_t times = has_parity && is_of_core ? 2 : 1;
    const std::uint64_t bytes = dealing.sequences * times * moved * 2 * stored_bytes(spec.precision, Storage::same);
    result.level = shape ? MemoryLevel::shared : MemoryLevel::scratch;
    result.bytes_written = result.bytes_read = bytes;
    // A core writes whole legs, of which the deal's last one may have a part.
    if (shape && to.is_deal && !from.is_deal && !spec.convolution.prime)
        result.bytes_written = bytes / moved * ((moved + from.s - 1) / from.s * from.s);
    if (!shape || !from.is_known || !to.is_known) return result;
    const bool by_logarithm = spec.convolution.prime != 0 && (from.is_deal || to.is_deal);
    const std::vector<std::uint32_t> logarithm =
        by_logarithm ? logarithms(spec.convolution.prime) : std::vector<std::uint32_t>();
    for (std::uint32_t q = 0; q < shape->sequences; ++q) {
        for (std::uint32_t e = by_logarithm ? 1 : 0; e < moved; ++e) {
            const std::uint32_t place = by_logarithm ? logarithm[e] : e;
            const std::uint32_t position =
                has_parity && by_logarithm ? place % ((spec.convolution.prime - 1) / 2) : place;
            const std::uint32_t before = thread_of(*shape, from, q, from.is_deal ? e : writer(from, position));
            const std::uint32_t after = thread_of(*shape, to, q, to.is_deal ? e : reader(to, position));
            ++result.points;
            ++(before == after                                         ? result.same_thread
               : before / dealing.subgroup == after / dealing.subgroup ? result.same_subgroup
                                                                       : result.same_group);
        }
    }
    return result;
}

Exchange exchange_of_parity(const Dealing& dealing) {
    Exchange result;
    const auto& shape = std::get<GroupShape>(dealing.spec.shape);
    if (!shape.exchange.holds_parity) return result;
    const std::uint64_t points =
        dealing.sequences * shape.threads * kernels::points_of_parity(dealing.spec, shape.threads);
    result.level = MemoryLevel::shared;
    result.bytes_written = result.bytes_read = 2 * points * 2 * stored_bytes(dealing.spec.precision, Storage::same);
    return result;
}

namespace {

/// Bins are stored from the points that they are made of, of which column 0 is read twice, or else the middle one
/// beside pairs.
Exchange plane_exchange(const KernelSpec& spec, bool input, std::uint64_t sequences) {
    Exchange result;
    const std::uint64_t columns = spec.loops[0].count, rows = sequences / columns * spec.n;
    const std::uint64_t bytes = 2 * stored_bytes(spec.precision, Storage::same);
    result.level = MemoryLevel::shared;
    result.bytes_written = rows * columns * bytes;
    result.bytes_read = rows * (input ? columns : columns + 1) * bytes;
    return result;
}

}  // namespace

Exchange map_exchange(const KernelSpec& spec, bool input, std::uint64_t sequences) {
    Exchange result;
    if (kernels::is_of_plane(spec.side(input).bins())) return plane_exchange(spec, input, sequences);
    const auto& map = spec.side(input).map();
    // Of a prime the numbers go straight to where its convolution looks for them, which its deals are.
    const auto* shape = std::get_if<GroupShape>(&spec.shape);
    if (!map || spec.convolution.prime || !shape || kernels::is_mirrored(spec, input) ||
        kernels::has_pairs_in_thread(spec, input))
        return result;
    const kernels::RealCore core = kernels::real_core(map->kind, map->length);
    const kernels::RealWay way = input ? kernels::load_way(map->kind) : kernels::store_way(map->kind);
    const bool is_spectrum = way == kernels::RealWay::spectrum;
    if (kernels::moves_own_elements(spec, input)) return result;
    std::uint64_t written = 2 * core.points, read = written;
    if (input && !is_spectrum && !core.is_paired) written = read = core.points;  // without imaginary parts
    const bool is_type_4 = map->kind == Kind::dct4 || map->kind == Kind::dst4;   // its numbers are of both parts
    if (!input && !is_spectrum && !core.is_paired && !is_type_4) read = core.points;
    if (!input && is_spectrum) read = (core.is_paired ? 4 : 2) * (core.points / 2 + 1);  // bins with their mirrors
    const std::uint64_t bytes = sequences * stored_bytes(spec.precision, Storage::same);
    result.level = MemoryLevel::shared;
    result.bytes_written = written * bytes;
    result.bytes_read = read * bytes;
    return result;
}

Exchange rows_exchange(const KernelSpec& spec, bool input, std::uint64_t sequences) {
    Exchange result;
    const std::uint64_t number = stored_bytes(spec.precision, Storage::same);
    result.level = MemoryLevel::shared;
    if (input) {
        result.bytes_written = result.bytes_read = sequences * spec.n * (spec.in.has_pairs() ? 1 : 2) * number;
        return result;
    }
    result.bytes_written = sequences * ((spec.n + 1) / 2) * 2 * number;
    result.bytes_read = sequences * spec.n * (spec.out.has_pairs() ? 1 : 2) * number;
    return result;
}

Exchange crossing(const KernelSpec& spec, std::uint64_t transforms) {
    Exchange result;
    const kernels::Crossing way = kernels::crossing_of(spec);
    const std::uint64_t ranks = way.ranks, points = ranks * way.rows * way.columns * ranks;
    result.level = ranks > 1 ? MemoryLevel::cluster : MemoryLevel::shared;
    result.bytes_written = result.bytes_read = transforms * points * 2 * stored_bytes(spec.precision, Storage::same);
    result.points = points;
    result.same_group = points / ranks;
    result.other_group = points - result.same_group;
    return result;
}

}  // namespace seiche::exec

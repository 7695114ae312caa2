// Who has which point before and after an exchange between two stages of a kernel.
#include <algorithm>

#include "exec/flow.hpp"
#include "support/primes.hpp"

namespace seiche::exec {

using kernels::CoreStage;
using kernels::GroupShape;
using kernels::KernelSpec;

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

/// Not of a paired one, nor where two threads have the components of a point.
bool knows_threads(const KernelSpec& spec, const CoreStage& stage) {
    const auto* shape = std::get_if<GroupShape>(&spec.shape);
    return shape && !shape->has_parts_in_lanes() && stage.pairing == kernels::Pairing::none;
}

Exchange exchange_before(const Distribution& distribution, std::size_t i) {
    const KernelSpec& spec = distribution.spec;
    const std::vector<CoreStage>& stages = distribution.stages;
    Exchange result;
    if (i == 0 || stages[i].keeps) return result;
    const auto* shape = std::get_if<GroupShape>(&spec.shape);
    const CoreStage &from = stages[i - 1], &to = stages[i];
    const std::uint64_t moved = from.redistributes ? from.butterflies : to.redistributes ? to.butterflies : spec.n;
    const bool has_parity = kernels::splits_parity(spec), is_of_core = !from.redistributes && !to.redistributes;
    const std::uint64_t times = has_parity && is_of_core ? 2 : 1;
    const std::uint64_t bytes =
        distribution.sequences * times * moved * 2 * stored_bytes(spec.precision, Storage::same);
    result.level = shape ? MemoryLevel::shared : MemoryLevel::scratch;
    result.bytes_written = result.bytes_read = bytes;
    // A core writes whole legs, of which a redistribution may have a part of the last one.
    if (shape && to.redistributes && !from.redistributes && !spec.convolution.prime)
        result.bytes_written = bytes / moved * ((moved + from.s - 1) / from.s * from.s);
    if (!knows_threads(spec, from) || !knows_threads(spec, to)) return result;
    const bool by_logarithm = spec.convolution.prime != 0 && (from.redistributes || to.redistributes);
    const std::vector<std::uint32_t> logarithm =
        by_logarithm ? logarithms(spec.convolution.prime) : std::vector<std::uint32_t>();
    const std::vector<std::uint32_t> writers = kernels::threads_of_places(*shape, from, true),
                                     readers = kernels::threads_of_places(*shape, to, false);
    const auto places = [](const CoreStage& stage) { return std::size_t{stage.radix} * stage.butterflies; };
    for (std::uint32_t q = 0; q < shape->sequences; ++q) {
        for (std::uint32_t e = by_logarithm ? 1 : 0; e < moved; ++e) {
            const std::uint32_t place = by_logarithm ? logarithm[e] : e;
            const std::uint32_t position =
                has_parity && by_logarithm ? place % ((spec.convolution.prime - 1) / 2) : place;
            const std::uint32_t before = writers[q * places(from) + (from.redistributes ? e : position)];
            const std::uint32_t after = readers[q * places(to) + (to.redistributes ? e : position)];
            ++result.points;
            ++(before == after                                                   ? result.same_thread
               : before / distribution.subgroup == after / distribution.subgroup ? result.same_subgroup
                                                                                 : result.same_group);
        }
    }
    return result;
}

Exchange exchange_of_parity(const Distribution& distribution) {
    Exchange result;
    const auto& shape = std::get<GroupShape>(distribution.spec.shape);
    if (!shape.exchange.holds_parity) return result;
    const std::uint64_t points =
        distribution.sequences * shape.threads * kernels::points_of_parity(distribution.spec, shape.threads);
    result.level = MemoryLevel::shared;
    result.bytes_written = result.bytes_read =
        2 * points * 2 * stored_bytes(distribution.spec.precision, Storage::same);
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

/// Bins of an axis that a group has whole are stored from pairs of points; the first and the middle one are their own.
Exchange axis_exchange(const KernelSpec& spec, bool input, std::uint64_t sequences) {
    Exchange result;
    const kernels::RealMap& bins = *spec.side(input).bins();
    const std::uint64_t points = kernels::real_core(bins.kind, bins.length).points;
    const std::uint64_t bytes = sequences / spec.loops[0].count * 2 * stored_bytes(spec.precision, Storage::same);
    result.level = MemoryLevel::shared;
    result.bytes_written = points * bytes;
    result.bytes_read = (input ? points : 2 * (points / 2 + 1)) * bytes;
    return result;
}

bool has_whole_axis(const KernelSpec& spec, bool input) {
    const auto* shape = std::get_if<GroupShape>(&spec.shape);
    return spec.side(input).bins() && shape && !shape->has_mirrors_in_group();
}

}  // namespace

Exchange map_exchange(const KernelSpec& spec, bool input, std::uint64_t sequences) {
    Exchange result;
    if (kernels::is_of_plane(spec.side(input).bins())) return plane_exchange(spec, input, sequences);
    if (has_whole_axis(spec, input)) return axis_exchange(spec, input, sequences);
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

Exchange on_chip_transpose(const KernelSpec& spec, std::uint64_t transforms) {
    Exchange result;
    const kernels::OnChipTranspose way = kernels::transpose_of(spec);
    const std::uint64_t ranks = way.ranks, points = ranks * way.rows * way.columns * ranks;
    result.level = ranks > 1 ? MemoryLevel::cluster : MemoryLevel::shared;
    result.bytes_written = result.bytes_read = transforms * points * 2 * stored_bytes(spec.precision, Storage::same);
    result.points = points;
    result.same_group = points / ranks;
    result.other_group = points - result.same_group;
    return result;
}

}  // namespace seiche::exec

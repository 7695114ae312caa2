#include "kernels/group/exchange.hpp"

#include <algorithm>

#include "kernels/group/overlap_add.hpp"
#include "kernels/simd/lanes.hpp"
#include "kernels/tables.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

namespace {

/// Elements of a plane so that both components of a sequence's points lie half of the banks apart.
std::uint32_t half_of_banks_apart(std::uint32_t extent, unsigned element_bytes) {
    constexpr std::uint32_t bytes_of_banks = 128;
    const std::uint32_t banks = bytes_of_banks / element_bytes, half = banks / 2;
    return (extent + half - 1) / banks * banks + half;
}

}  // namespace

void Exchange::declare() {
    std::uint32_t extent = shape_.exchange.places->extent;
    ir::Builder& build = frame_.builder;
    if (spec_.overlap_add()) return declare_beside_frames(extent);
    if (extent == 0) return;
    if (moves_whole_points(spec_)) {
        const std::uint32_t points = shape_.exchange.neighbours;
        planes_[0] = build.shared_array("points", frame_.complex.with_lanes(2 * points), extent / points);
        return;
    }
    if (shape_.has_parts_in_lanes()) extent = half_of_banks_apart(extent, type_bytes(frame_.real));
    if (has_real_map(spec_) || shape_.has_parts_in_lanes()) {
        planes_[0] = planes_[1] = build.shared_array("planes", frame_.real, 2 * extent);
        offsets_[1] = extent;
        return;
    }
    const bool is_full = shape_.exchange.components == 2;
    planes_[0] = build.shared_array(is_full ? "real" : "plane", frame_.real, extent);
    planes_[1] = is_full ? build.shared_array("imag", frame_.real, extent) : planes_[0];
}

/// Points, or both of their components, in one array, which frames replace where they may.
void Exchange::declare_beside_frames(std::uint32_t extent) {
    const bool are_pairs = FramePlaces(spec_).unit == 2, is_whole = are_pairs && moves_whole_points(spec_);
    const bool replaces = frames_replace_points(spec_) && is_whole == are_pairs;
    if (shape_.has_parts_in_lanes()) extent = half_of_banks_apart(extent, type_bytes(frame_.real));
    const std::uint32_t frames = frame_elements(spec_), points = is_whole ? extent : 2 * extent;
    const ir::Type element = are_pairs ? frame_.complex : frame_.real, point = is_whole ? frame_.complex : frame_.real;
    planes_[0] = planes_[1] =
        frame_.builder.shared_array("points", point, std::max(points, replaces ? frames : std::uint32_t{1}));
    offsets_[1] = extent;
    frame_.frames = replaces ? planes_[0] : frame_.builder.shared_array("frames", element, frames);
}

void Exchange::share(const Exchange& first) {
    planes_ = first.planes_;
    offsets_ = first.offsets_;
}

std::vector<Round> Exchange::rounds() const {
    std::vector<std::vector<Component>> at_once{{Component::real}, {Component::imaginary}};
    if (shape_.exchange.components == 2) at_once = {{Component::real, Component::imaginary}};
    if (moves_whole_points(spec_)) at_once = {{Component::both}};
    std::vector<Round> all;
    for (const std::vector<Component>& components : at_once)
        for (std::uint32_t chunk = 0; chunk < shape_.exchange.chunks; ++chunk) all.push_back({components, chunk});
    return all;
}

void Exchange::wait_for_readers() {
    if (is_used_) wait();
    is_used_ = true;
}

void Exchange::put(Component component, Value at, const Complex& point, Value predicate) const {
    ir::Builder& build = frame_.builder;
    switch (component) {
        case Component::real: build.shared_store(planes_[0], at + offsets_[0], point.re, predicate); break;
        case Component::imaginary: build.shared_store(planes_[1], at + offsets_[1], point.im, predicate); break;
        case Component::both: build.shared_store(planes_[0], at, build.compose({point.re, point.im}), predicate); break;
    }
}

void Exchange::get(Component component, Value at, Complex& point, Value predicate) const {
    ir::Builder& build = frame_.builder;
    switch (component) {
        case Component::real: point.re = build.shared_load(planes_[0], at + offsets_[0], frame_.real, predicate); break;
        case Component::imaginary:
            point.im = build.shared_load(planes_[1], at + offsets_[1], frame_.real, predicate);
            break;
        case Component::both: {
            const Value both = build.shared_load(planes_[0], at, frame_.complex, predicate);
            point = {build.extract(both, 0), build.extract(both, 1)};
            break;
        }
    }
}

void Exchange::put_for(Value rank, Component component, Value at, const Complex& point, Value predicate) const {
    if (!rank) return put(component, at, point, predicate);
    ir::Builder& build = frame_.builder;
    const Value number = component == Component::both   ? build.compose({point.re, point.im})
                         : component == Component::real ? point.re
                                                        : point.im;
    build.cluster_store(rank, planes_[component == Component::imaginary ? 1 : 0], at, number, predicate);
}

void Exchange::put_number(Value at, Value is_second, Value x, Value predicate) const {
    if (is_second) at = at + is_second * offsets_[1];
    frame_.builder.shared_store(planes_[0], at, x, predicate);
}

Value Exchange::get_number(Value at, Value is_second, Value predicate) const {
    if (is_second) at = at + is_second * offsets_[1];
    return frame_.builder.shared_load(planes_[0], at, frame_.real, predicate);
}

Value Exchange::place_by_logarithm(const ThreadButterfly& where, bool may_be_point_0) const {
    ir::Builder& build = frame_.builder;
    const Value logarithm =
        spec_.movement_only
            ? where.butterfly - frame_.u32(1)
            : build.convert(frame_.table_entry(RaderPlaces{spec_.convolution.prime}, where.butterfly, where.exists).re,
                            ir::Scalar::u32);
    const Value at = where.sequence_in_group * std::uint64_t{layout_.pitch()} + logarithm;
    if (!may_be_point_0) return at;
    const Value is_zero = build.compare(ir::Op::equal, where.butterfly, frame_.u32(0));
    return build.select(is_zero, layout_.beside(where.sequence_in_group), at);
}

Value Exchange::address_by_logarithm(const CoreStage& stage, std::uint32_t u, const ThreadButterfly& where) const {
    return layout_.at(place_by_logarithm(where, u == 0 || stage.order == ThreadOrder::flat));
}

void Exchange::put_beside(const CoreStage& stage, Component component, const Complex& beside) const {
    const ThreadButterfly first = threads_.butterfly(stage, 0);
    const Value at = layout_.at(layout_.beside(first.sequence_in_group));
    put(component, at, beside, frame_.builder.compare(ir::Op::equal, first.butterfly, frame_.u32(0)));
}

void Exchange::get_beside(const CoreStage& stage, Component component, Complex& beside) const {
    const ThreadButterfly first = threads_.butterfly(stage, 0);
    const Value at = layout_.at(layout_.beside(first.sequence_in_group));
    get(component, at, beside, frame_.builder.compare(ir::Op::equal, first.butterfly, frame_.u32(0)));
}

/// Results of butterfly b lie in the chunk b / (butterflies / chunks), whatever the leg: later radices are its
/// multiples.
Exchange::InChunk Exchange::in_chunk(const CoreStage& stage, std::uint32_t u, const ThreadButterfly& where,
                                     std::uint32_t chunk) const {
    if (shape_.exchange.chunks == 1) return {};
    const std::uint32_t run = stage.butterflies / shape_.exchange.chunks, first = u * shape_.threads;
    if (stage.order != ThreadOrder::flat && first / run == (first + shape_.threads - 1) / run)
        return {first / run == chunk, {}};
    return {true, frame_.builder.compare(ir::Op::equal, where.butterfly / std::uint64_t{run}, frame_.u32(chunk))};
}

void Exchange::write(const CoreStage& stage, const CoreStage& next, Component component, const Registers& registers,
                     const Blocks& blocks) const {
    if (shape_.exchange.neighbours > 1) return write_neighbours(stage, registers.points);
    for (std::uint32_t u = 0; u < stage.per_thread; ++u) {
        const ThreadButterfly where = threads_.butterfly(stage, u);
        const InChunk run = in_chunk(stage, u, where, blocks.chunk);
        if (!run.may_lie) continue;
        if (threads_.takes_logarithms(stage)) {
            put(component, address_by_logarithm(stage, u, where), registers.points[u], where.owns);
            continue;
        }
        const Value whole = layout_.results_of(stage, where, blocks.padding);
        const std::uint32_t first = blocks.chunk * layout_.chunk_points();
        const Value base = first ? whole - frame_.u32(first) : whole;
        const Value writes = both(where.owns, run.lies);
        for (std::uint32_t k = 0; k < stage.radix; ++k) {
            if (next.redistributes && k * stage.s >= next.butterflies) continue;
            put(component, layout_.at_leg(base, k * stage.s), registers.points[u * stage.radix + k], writes);
        }
    }
    if (threads_.takes_logarithms(next)) put_beside(stage, component, registers.beside);
}

void Exchange::read(const CoreStage& stage, const CoreStage& last, Component component, Registers& registers,
                    const Blocks& blocks) const {
    ir::Builder& build = frame_.builder;
    if (shape_.exchange.neighbours > 1) return read_neighbours(stage, registers.points);
    const std::uint32_t written = threads_.points_written(last), chunk_points = layout_.chunk_points();
    for (std::uint32_t u = 0; u < stage.per_thread; ++u) {
        const ThreadButterfly where = threads_.butterfly(stage, u);
        if (threads_.takes_logarithms(stage)) {
            get(component, address_by_logarithm(stage, u, where), registers.points[u], where.exists);
            continue;
        }
        Value base = layout_.points_of(stage, where);
        if (blocks.padding != 0) base = base + layout_.padding_ahead(stage, u, where, blocks.padding);
        for (std::uint32_t j = 0; j < stage.radix; ++j) {
            const std::uint32_t leg = j * stage.butterflies;
            if (leg / chunk_points != blocks.chunk) continue;
            Complex& point = registers.points[u * stage.radix + j];
            if (leg >= written) {
                point = build.complex_constant(frame_.real, 0, 0);
                continue;
            }
            const std::uint32_t ahead = leg / stage.s * blocks.padding;
            const Value at = layout_.at_leg(base, leg + ahead - blocks.chunk * chunk_points);
            const bool is_whole = leg + stage.butterflies <= written;
            const Value is_point =
                is_whole ? Value{} : build.less(where.butterfly + std::uint64_t{leg}, frame_.u32(written));
            get(component, at, point, both(where.exists, is_point));
        }
    }
    if (threads_.takes_logarithms(last)) get_beside(stage, component, registers.beside);
}

// -- Where a thread has neighbouring butterflies, for devices on which an access costs more than what it moves: points
// that lie beside each other go in one. A stage's points to read do, one of each butterfly; so do those to write, but
// for the first stage's, where they are neighbours of one butterfly.

void Exchange::write_neighbours(const CoreStage& stage, const std::vector<Complex>& points) const {
    const std::uint32_t count = shape_.exchange.neighbours;
    const std::uint64_t s = stage.s / count, radix = stage.radix;
    const auto store = [&](Value at, const ThreadButterfly& where, const auto& point) {
        std::vector<Value> numbers;
        for (std::uint32_t i = 0; i < count; ++i)
            numbers.insert(numbers.end(), {points[point(i)].re, points[point(i)].im});
        frame_.builder.shared_store(planes_[0], at, compose_lanes(numbers), where.owns);
    };
    for (std::uint32_t u = 0; u < stage.per_thread; ++u) {
        const ThreadButterfly where = threads_.butterfly(stage, u);
        const Value origin = where.sequence_in_group * std::uint64_t{layout_.pitch() / count};
        if (stage.s == 1) {
            const Value base = origin + where.butterfly * (radix / count);
            for (std::uint32_t k = 0; k < radix; k += count)
                store(base + std::uint64_t{k / count}, where, [&](std::uint32_t i) { return u * radix + k + i; });
        } else if (u % count == 0) {
            const Value base = origin + where.block / s * (radix * s) + where.block % s;
            for (std::uint32_t k = 0; k < radix; ++k)
                store(base + std::uint64_t{k} * s, where, [&](std::uint32_t i) { return (u + i) * radix + k; });
        }
    }
}

void Exchange::read_neighbours(const CoreStage& stage, std::vector<Complex>& points) const {
    ir::Builder& build = frame_.builder;
    const std::uint32_t count = shape_.exchange.neighbours;
    const ir::Type type = frame_.complex.with_lanes(2 * count);
    for (std::uint32_t u = 0; u < stage.per_thread; u += count) {
        const ThreadButterfly where = threads_.butterfly(stage, u);
        const Value base = where.sequence_in_group * std::uint64_t{layout_.pitch() / count} + where.block;
        for (std::uint32_t j = 0; j < stage.radix; ++j) {
            const Value at = base + std::uint64_t{j} * (stage.butterflies / count);
            const Value all = build.shared_load(planes_[0], at, type, where.exists);
            for (std::uint32_t i = 0; i < count; ++i)
                points[(u + i) * stage.radix + j] = {build.extract(all, 2 * i), build.extract(all, 2 * i + 1)};
        }
    }
}

}  // namespace seiche::kernels

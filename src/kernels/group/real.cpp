// The GPU core between real arrays: elements, or pairs of bins, are dealt to the threads one by one and meet the core's
// points in shared memory, in the same planes through which the stages exchange.
#include <algorithm>

#include "kernels/group/group.hpp"
#include "kernels/user_stage.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

/// Whether a real map's numbers or bins pass through shared memory.
bool GroupKernel::passes_numbers(Side side) const {
    const bool input = side == Side::input;
    const RealMap* map = spec_.side(input).map();
    return map && !is_mirrored(spec_, input) && !has_pairs_in_thread(spec_, input) && !moves_own_elements(spec_, input);
}

std::vector<GroupKernel::Item> GroupKernel::items(ThreadOrder order, std::uint64_t count) {
    ir::Builder& build = frame_.builder;
    const std::uint64_t sequences = shape_.sequences, total = count * sequences;
    const std::uint64_t slots = (total + group_size_ - 1) / group_size_;
    std::vector<Item> all;
    for (std::uint64_t u = 0; u < slots; ++u) {
        const Value flat = build.thread_id() + u * group_size_;
        const bool by_sequence = order == ThreadOrder::sequence_fastest;
        Item item;
        item.sequence_in_group = by_sequence ? flat % sequences : flat / count;
        item.index = by_sequence ? flat / sequences : flat % count;
        if ((u + 1) * group_size_ > total) {
            item.exists = build.less(flat, frame_.u32(total));
            item.index = build.select(item.exists, item.index, frame_.u32(0));
            item.sequence_in_group = build.select(item.exists, item.sequence_in_group, frame_.u32(0));
        }
        item.sequence = first_sequence() + item.sequence_in_group;
        item.live = frame_.total ? both(build.less(item.sequence, frame_.total), item.exists) : item.exists;
        all.push_back(item);
    }
    return all;
}

void GroupKernel::load_real() {
    const RealWay way = load_way(spec_.in.map()->kind);
    if (is_mirrored(spec_, true)) {
        load_mirrored();
    } else if (has_pairs_in_thread(spec_, true)) {
        load_bins();
    } else if (moves_own_elements(spec_, true)) {
        load_own();
    } else {
        way == RealWay::spectrum ? place_spectrum() : place_signal();
        frame_.builder.group_barrier();
        exchanged_ = true;
        points_ = read_points(stages_.front());
    }
    pass_stages(Side::input);
}

/// What stands for the real side in an exchange with the core: its points pass through shared memory as those of a
/// deal do, a convolution's padding left out.
GroupKernel::StageDeal GroupKernel::mapped(const std::vector<Stage>& side) const {
    StageDeal deal;
    deal.butterflies = sequence_points(spec_, side);
    deal.is_deal = is_convolution_;
    return deal;
}

/// The stages of this side, and type IV's turns between them and the elements. A real axis is the whole of its
/// transform, so that the only stage to ask for a place is a chirp, which a prime has not.
void GroupKernel::pass_stages(Side side) {
    const bool is_load = side == Side::input;
    const StageDeal& stage = is_load ? stages_.front() : stages_.back();
    const RealMap& map = is_load ? *spec_.in.map() : *spec_.out.map();
    const std::uint32_t points = sequence_points(spec_, spec_.side(is_load).stages);
    const auto pass = [&](Complex z, Place place) {
        if (!is_load) z = apply(frame_, spec_.out.stages, z, place);
        const Place with_root{place.element, place.sequence,
                              both(place.exists, within(frame_, spec_.side(is_load).stages, place))};
        z = is_load ? turn_before(frame_, map, with_root, z) : turn_after(frame_, map, with_root, z);
        return is_load ? apply(frame_, spec_.in.stages, z, place) : z;
    };
    for (std::uint32_t u = 0; u < stage.slots; ++u) {
        const Slot where = slot(stage, u);
        for (std::uint32_t j = 0; j < stage.radix; ++j) {
            const std::uint64_t leg = std::uint64_t{j} * stage.butterflies;
            if (leg >= points) continue;
            Complex& point = points_[u * stage.radix + j];
            point = pass(point, {where.butterfly + leg, sequence(where), exists(where)});
        }
    }
    if (!spec_.convolution.prime) return;
    const Slot first = slot(stage, 0);
    const Value has_it = frame_.builder.compare(ir::Op::equal, first.butterfly, frame_.u32(0));
    beside_ = pass(beside_, {frame_.u32(spec_.n), sequence(first), has_it});
}

/// Points straight from memory: two numbers, or one. (Two that lie side by side are loaded as a complex number, without
/// a map.)
void GroupKernel::load_own() {
    ir::Builder& build = frame_.builder;
    const StageDeal& stage = stages_.front();
    const std::uint32_t points = sequence_points(spec_, spec_.in.stages);
    const Value zero = build.constant(frame_.real, 0);
    for (std::uint32_t u = 0; u < stage.slots; ++u) {
        const Slot where = slot(stage, u);
        const Value is_live = exists(where), origin = frame_.origin(sequence(where), Side::input);
        for (std::uint32_t j = 0; j < stage.radix; ++j) {
            const std::uint64_t leg = std::uint64_t{j} * stage.butterflies;
            Complex point{zero, zero};
            if (leg < points) {
                const Place place{where.butterfly + leg, sequence(where), is_live};
                const SignalPoint at{place.element, leg, leg + stage.butterflies};
                const std::vector<OwnElement> own = elements_of_point(frame_, *spec_.in.map(), at, Side::input);
                point.re = load_number(own[0], place, origin);
                if (own.size() == 2) point.im = load_number(own[1], place, origin);
            }
            points_.push_back(point);
        }
    }
}

Value GroupKernel::load_number(const OwnElement& number, const Place& place, Value origin) {
    const Value predicate = both(place.exists, within(frame_, spec_.in.stages, place));
    const Value at = frame_.address(origin, number.index, 0, Side::input);
    const Value is_there = both(predicate, frame_.kept(number.index, place.sequence, Side::input));
    const Complex x{frame_.load_real(at, 1, is_there), {}};
    return number.with_sign(apply_to_element(frame_, spec_.in.stages, {number.index, place.sequence, is_there}, x).re);
}

/// Elements in the order of memory, written where the core looks for them.
void GroupKernel::place_signal() {
    ir::Builder& build = frame_.builder;
    const RealMap& map = *spec_.in.map();
    const std::vector<Item> all = items(shape_.load_order, loaded_elements(map));
    std::vector<Value> elements;
    const auto is_loaded = [&](const Item& item) {
        return both(item.live, frame_.kept(item.index, item.sequence, Side::input));
    };
    for (const Item& item : all) {
        const Value at = frame_.address(frame_.origin(item.sequence, Side::input), item.index, 0, Side::input);
        elements.push_back(frame_.load_real(at, 1, is_loaded(item)));
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        const MappedElement element{all[i].index, all[i].sequence, is_loaded(all[i])};
        const Value own = apply_to_element(frame_, spec_.in.stages, element, {elements[i], {}}).re;
        for (const SignalPlace& place : signal_places(frame_, map, all[i].index)) {
            const Value x = place.factor ? own * place.factor : own;
            write_number(all[i], place.index, x, both(all[i].exists, place.exists));
        }
    }
    const std::vector<std::uint64_t> zeros = signal_zeros(map);
    if (zeros.empty()) return;
    for (const Item& item : items(ThreadOrder::sequence_fastest, 1)) {
        for (const std::uint64_t at : zeros)
            write_number(item, frame_.u32(at), build.constant(frame_.real, 0), item.exists);
    }
}

void GroupKernel::place_spectrum() {
    const RealMap& map = *spec_.in.map();
    std::vector<PointPair> pairs;
    const std::vector<Item> all = items(shape_.load_order, spectrum_pairs(map));
    for (const Item& item : all) {
        const Value origin = frame_.origin(item.sequence, Side::input);
        pairs.push_back(load_spectrum_pair(frame_, map, item.index, [&](Value element, Value when) -> Complex {
            const Value at = frame_.address(origin, element, 0, Side::input);
            const Value is_kept = frame_.kept(element, item.sequence, Side::input);
            const Value predicate = both(both(item.live, when), is_kept);
            const Complex x =
                spec_.in.is_real() ? Complex{frame_.load_real(at, 1, predicate), {}} : frame_.load(at, 1, predicate);
            return apply_to_element(frame_, spec_.in.stages, {element, item.sequence, predicate}, x);
        }));
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        write_point(all[i], all[i].index, pairs[i].low, all[i].exists);
        const Value other = has_mirror(frame_, map, all[i].index);
        write_point(all[i], mirror(frame_, map, all[i].index), pairs[i].high, both(all[i].exists, other));
    }
}

std::vector<Complex> GroupKernel::read_points(const StageDeal& stage) {
    points_.assign(std::size_t{stage.slots} * stage.radix, {});
    const StageDeal placed = mapped(spec_.in.stages);
    read_part(stage, placed, Part::real);
    const bool is_spectrum = load_way(spec_.in.map()->kind) == RealWay::spectrum;
    if (is_spectrum || real_core(spec_.in.map()->kind, spec_.in.map()->length).is_paired) {
        read_part(stage, placed, Part::imaginary);
    } else {
        beside_.im = frame_.builder.constant(frame_.real, 0);
        for (Complex& point : points_) point.im = beside_.im;
    }
    return points_;
}

void GroupKernel::store_real() {
    const RealWay way = store_way(spec_.out.map()->kind);
    pass_stages(Side::output);
    if (is_mirrored(spec_, false)) {
        store_mirrored();
        return;
    }
    if (has_pairs_in_thread(spec_, false)) {
        store_bins();
        return;
    }
    if (moves_own_elements(spec_, false)) {
        store_own();
        return;
    }
    if (exchanged_) frame_.builder.group_barrier();
    write_part(stages_.back(), mapped(spec_.out.stages), Part::real);
    write_part(stages_.back(), mapped(spec_.out.stages), Part::imaginary);
    frame_.builder.group_barrier();
    way == RealWay::spectrum ? store_spectrum() : store_signal();
}

void GroupKernel::store_own() {
    const StageDeal& stage = stages_.back();
    const std::uint32_t points = sequence_points(spec_, spec_.out.stages);
    for (std::uint32_t u = 0; u < stage.slots; ++u) {
        const Slot where = slot(stage, u);
        const Value is_live = exists(where), origin = frame_.origin(sequence(where), Side::output);
        for (std::uint32_t k = 0; k < stage.radix; ++k) {
            const std::uint64_t leg = std::uint64_t{k} * stage.butterflies;
            if (leg >= points) continue;
            const Place place{where.butterfly + leg, sequence(where), is_live};
            const Complex y = points_[u * stage.radix + k];
            const SignalPoint at{place.element, leg, leg + stage.butterflies};
            const std::vector<OwnElement> own = elements_of_point(frame_, *spec_.out.map(), at, Side::output);
            store_number(own[0], place, origin, y.re);
            if (own.size() == 2) store_number(own[1], place, origin, y.im);
        }
    }
}

void GroupKernel::store_number(const OwnElement& number, const Place& place, Value origin, Value x) {
    const Value predicate = both(place.exists, within(frame_, spec_.out.stages, place));
    const Value at = frame_.address(origin, number.index, 0, Side::output);
    const Value is_kept = both(predicate, frame_.kept(number.index, place.sequence, Side::output));
    const MappedElement element{number.index, place.sequence, is_kept};
    frame_.store_real(at, apply_to_element(frame_, spec_.out.stages, element, {number.with_sign(x), {}}).re, is_kept);
}

void GroupKernel::store_signal() {
    for (const Item& item : items(shape_.store_order, stored_elements(*spec_.out.map()))) {
        const SignalReader read{[&](Value index) { return read_number(item, index); },
                                [&](Value index) { return read_point(item, index); }};
        const Value x = stored_signal(frame_, *spec_.out.map(), item.index, read);
        store_element(item, {item.index, {x, {}}, {}});
    }
}

void GroupKernel::store_spectrum() {
    const RealMap& map = *spec_.out.map();
    const bool is_paired = real_core(map.kind, map.length).is_paired;
    const Value none = frame_.u32(0);
    for (const Item& item : items(shape_.store_order, spectrum_pairs(map))) {
        PointPair points{read_point(item, item.index), {}};
        if (is_paired) {
            const Value first = frame_.builder.compare(ir::Op::equal, item.index, none);
            const Value other = frame_.builder.select(first, none, mirror(frame_, map, item.index));
            points.high = read_point(item, other);
        }
        for (const SpectrumElement& element : store_spectrum_pair(frame_, map, item.index, points))
            store_element(item, element);
    }
}

void GroupKernel::store_element(const Item& item, const SpectrumElement& element) {
    const Value at = frame_.address(frame_.origin(item.sequence, Side::output), element.index, 0, Side::output);
    const Value is_kept = frame_.kept(element.index, item.sequence, Side::output);
    const Value predicate = both(both(item.live, element.exists), is_kept);
    const Complex x =
        apply_to_element(frame_, spec_.out.stages, {element.index, item.sequence, predicate}, element.value);
    if (spec_.out.is_real()) {
        frame_.store_real(at, x.re, predicate);
    } else {
        frame_.store(at, x, predicate);
    }
}

/// Where point `index` is exchanged.
Value GroupKernel::point_place(const Item& item, Value index, Value exists) {
    const Value at =
        spec_.convolution.prime
            ? place_by_logarithm({item.sequence_in_group, index, exists, exists, {}, {}, {}}, Holds::any_point)
            : item.sequence_in_group * std::uint64_t{pitch_} + index;
    return swizzle_.apply(at, 0, power_of_two_ && !spec_.convolution.prime);
}

/// Number `index` of v: the parts of points alternate where points are paired.
void GroupKernel::write_number(const Item& item, Value index, Value value, Value exists) {
    const bool is_paired = real_core(spec_.in.map()->kind, spec_.in.map()->length).is_paired;
    Value at = point_place(item, is_paired ? index >> 1 : index, exists);
    if (is_paired) at = at + (index & std::uint64_t{1}) * std::uint64_t{plane_offset_[1]};
    frame_.builder.shared_store(plane_[0], at, value, exists);
}

Value GroupKernel::read_number(const Item& item, Value index) {
    const bool is_paired = real_core(spec_.out.map()->kind, spec_.out.map()->length).is_paired;
    Value at = point_place(item, is_paired ? index >> 1 : index, item.exists);
    if (is_paired) at = at + (index & std::uint64_t{1}) * std::uint64_t{plane_offset_[1]};
    return frame_.builder.shared_load(plane_[0], at, frame_.real, item.exists);
}

void GroupKernel::write_point(const Item& item, Value index, Complex value, Value exists) {
    const Value at = point_place(item, index, exists);
    frame_.builder.shared_store(plane_[0], at, value.re, exists);
    frame_.builder.shared_store(plane_[1], at + std::uint64_t{plane_offset_[1]}, value.im, exists);
}

Complex GroupKernel::read_point(const Item& item, Value index) {
    const Value at = point_place(item, index, item.exists);
    const Value re = frame_.builder.shared_load(plane_[0], at, frame_.real, item.exists);
    return {re, frame_.builder.shared_load(plane_[1], at + std::uint64_t{plane_offset_[1]}, frame_.real, item.exists)};
}

/// What a subgroup touches when elements or bins pass through shared memory, for the choice of the swizzle: the index
/// arithmetic on constants folds to constants. (Not of a prime, as in patterns().)
void GroupKernel::add_real_patterns(std::vector<AccessPattern>& all) {
    if (spec_.convolution.prime) return;
    constexpr std::uint64_t subgroup = 32;
    const auto constant = [&](Value v) { return static_cast<std::uint32_t>(frame_.builder.integer_value(v)); };
    const auto add = [&](const RealMap& map, RealWay way, ThreadOrder order, std::uint64_t count) {
        const bool is_paired = real_core(map.kind, map.length).is_paired;
        const std::uint64_t sequences = shape_.sequences;
        AccessPattern forwards, backwards;
        for (std::uint64_t t = 0; t < std::min(count * sequences, subgroup); ++t) {
            const bool by_sequence = order == ThreadOrder::sequence_fastest;
            const std::uint64_t i = by_sequence ? t / sequences : t % count;
            const auto first = static_cast<std::uint32_t>((by_sequence ? t % sequences : t / count) * pitch_);
            if (way == RealWay::spectrum) {
                forwards.push_back(first + static_cast<std::uint32_t>(i));
                backwards.push_back(first + (i == 0 ? 0 : constant(mirror(frame_, map, frame_.u32(i)))));
            } else {
                const std::uint32_t index = constant(signal_places(frame_, map, frame_.u32(i)).front().index);
                forwards.push_back(first + (is_paired ? index / 2 : index));
            }
        }
        all.push_back(forwards);
        if (!backwards.empty()) all.push_back(backwards);
    };
    if (passes_numbers(Side::input)) {
        const RealWay way = load_way(spec_.in.map()->kind);
        add(*spec_.in.map(), way, shape_.load_order,
            way == RealWay::spectrum ? spectrum_pairs(*spec_.in.map()) : loaded_elements(*spec_.in.map()));
    }
    if (passes_numbers(Side::output)) {
        const RealWay way = store_way(spec_.out.map()->kind);
        add(*spec_.out.map(), way, shape_.store_order,
            way == RealWay::spectrum ? spectrum_pairs(*spec_.out.map()) : stored_elements(*spec_.out.map()));
    }
}

}  // namespace seiche::kernels

// The GPU core between real arrays. Elements, or pairs of bins, are distributed to the threads one by one and meet the
// core's points in shared memory, in the same arrays through which the stages exchange; or a thread moves its own.
#include <algorithm>
#include <tuple>
#include <utility>

#include "kernels/group/patterns.hpp"
#include "kernels/group/ways.hpp"
#include "kernels/user_stage.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

namespace {

/// Of a group's items, so many of each sequence, which sequence and which of its items one is.
template <class Index>
std::pair<Index, Index> item_at(ThreadOrder order, std::uint64_t sequences, std::uint64_t count, Index flat) {
    if (order == ThreadOrder::sequence_fastest) return {flat % sequences, flat / sequences};
    return {flat / count, flat % count};
}

/// One element of the memory's side of a real map, or one pair of bins.
struct RealItem {
    Value sequence_in_group, sequence, index;
    Value exists;  // as an item
    Value live;    // as an item of a sequence that there is
};

/// Through shared memory.
class SharedNumbers : Pass {
public:
    explicit SharedNumbers(const Pass& pass) : Pass(pass) {}

    void load(Registers& registers) const {
        load_way(spec.in.map()->kind) == RealWay::spectrum ? place_spectrum() : place_signal();
        exchange.wait();
        exchange.mark_used();
        read_points(registers);
    }

    void store(const Registers& registers) const {
        exchange.wait_for_readers();
        for (const Component one : {Component::real, Component::imaginary})
            exchange.write(threads.last(), mapped(Side::output), one, registers);
        exchange.wait();
        store_way(spec.out.map()->kind) == RealWay::spectrum ? store_spectrum() : store_signal();
    }

private:
    std::vector<RealItem> items(ThreadOrder order, std::uint64_t count) const;
    CoreStage mapped(Side side) const;
    void place_signal() const;
    void place_spectrum() const;
    void read_points(Registers& registers) const;
    void store_signal() const;
    void store_spectrum() const;
    Value point_address(const RealItem& item, Value index, Value exists) const;
    struct NumberAddress {
        Value at, is_second;
    };
    NumberAddress number_address(const RealMap& map, const RealItem& item, Value index, Value exists) const;
    void write_number(const RealItem& item, Value index, Value value, Value exists) const;
    Value read_number(const RealItem& item, Value index) const;
    void write_point(const RealItem& item, Value index, const Complex& value, Value exists) const;
    Complex read_point(const RealItem& item, Value index) const;
};

std::vector<RealItem> SharedNumbers::items(ThreadOrder order, std::uint64_t count) const {
    ir::Builder& build = frame.builder;
    const std::uint64_t total = count * shape.sequences, group = threads.count();
    std::vector<RealItem> all;
    for (std::uint64_t first = 0; first < total; first += group) {
        const Value flat = build.thread_id() + first;
        RealItem item;
        std::tie(item.sequence_in_group, item.index) = item_at(order, shape.sequences, count, flat);
        if (first + group > total) {
            item.exists = build.less(flat, frame.u32(total));
            item.index = build.select(item.exists, item.index, frame.u32(0));
            item.sequence_in_group = build.select(item.exists, item.sequence_in_group, frame.u32(0));
        }
        item.sequence = sequences.first() + item.sequence_in_group;
        item.live = frame.total ? both(build.less(item.sequence, frame.total), item.exists) : item.exists;
        all.push_back(item);
    }
    return all;
}

/// What stands for the real side in an exchange with the core: its points pass through shared memory as those that are
/// redistributed do, a convolution's padding left out.
CoreStage SharedNumbers::mapped(Side side) const {
    CoreStage stage;
    stage.butterflies = sequence_points(spec, spec.side(side).stages);
    stage.redistributes = threads.is_convolution();
    return stage;
}

/// Elements in the order of memory, written where the core looks for them.
void SharedNumbers::place_signal() const {
    ir::Builder& build = frame.builder;
    const RealMap& map = *spec.in.map();
    const std::vector<RealItem> all = items(shape.load_order, loaded_elements(map));
    std::vector<Value> elements;
    const auto is_loaded = [&](const RealItem& item) {
        return both(item.live, frame.kept(item.index, item.sequence, Side::input));
    };
    for (const RealItem& item : all) {
        const Value at = frame.address(frame.origin(item.sequence, Side::input), item.index, 0, Side::input);
        elements.push_back(frame.load_real(at, 1, is_loaded(item)));
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        const MappedElement element{all[i].index, all[i].sequence, is_loaded(all[i])};
        const Value own = apply_to_element(frame, spec.in.stages, element, {elements[i], {}}).re;
        for (const SignalPlace& place : signal_places(frame, map, all[i].index)) {
            const Value x = place.factor ? own * place.factor : own;
            write_number(all[i], place.index, x, both(all[i].exists, place.exists));
        }
    }
    const std::vector<std::uint64_t> zeros = signal_zeros(map);
    if (zeros.empty()) return;
    for (const RealItem& item : items(ThreadOrder::sequence_fastest, 1)) {
        for (const std::uint64_t at : zeros)
            write_number(item, frame.u32(at), build.constant(frame.real, 0), item.exists);
    }
}

void SharedNumbers::place_spectrum() const {
    const RealMap& map = *spec.in.map();
    std::vector<PointPair> pairs;
    const std::vector<RealItem> all = items(shape.load_order, spectrum_pairs(map));
    for (const RealItem& item : all) {
        const Value origin = frame.origin(item.sequence, Side::input);
        pairs.push_back(load_spectrum_pair(frame, map, item.index, [&](Value element, Value when) -> Complex {
            const Value at = frame.address(origin, element, 0, Side::input);
            const Value is_kept = frame.kept(element, item.sequence, Side::input);
            const Value predicate = both(both(item.live, when), is_kept);
            const Complex x =
                spec.in.is_real() ? Complex{frame.load_real(at, 1, predicate), {}} : frame.load(at, 1, predicate);
            return apply_to_element(frame, spec.in.stages, {element, item.sequence, predicate}, x);
        }));
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        write_point(all[i], all[i].index, pairs[i].low, all[i].exists);
        const Value other = has_mirror(frame, map, all[i].index);
        write_point(all[i], mirror(frame, map, all[i].index), pairs[i].high, both(all[i].exists, other));
    }
}

void SharedNumbers::read_points(Registers& registers) const {
    const CoreStage &stage = threads.first(), placed = mapped(Side::input);
    const RealMap& map = *spec.in.map();
    registers.points.assign(stage.points(), {});
    exchange.read(stage, placed, Component::real, registers);
    if (load_way(map.kind) == RealWay::spectrum || real_core(map.kind, map.length).is_paired)
        return exchange.read(stage, placed, Component::imaginary, registers);
    registers.beside.im = frame.builder.constant(frame.real, 0);
    for (Complex& point : registers.points) point.im = registers.beside.im;
}

void SharedNumbers::store_signal() const {
    for (const RealItem& item : items(shape.store_order, stored_elements(*spec.out.map()))) {
        const SignalReader read{[&](Value index) { return read_number(item, index); },
                                [&](Value index) { return read_point(item, index); }};
        const Value x = stored_signal(frame, *spec.out.map(), item.index, read);
        store_element(*this, item.sequence, item.live, {item.index, {x, {}}, {}});
    }
}

void SharedNumbers::store_spectrum() const {
    const RealMap& map = *spec.out.map();
    const bool is_paired = real_core(map.kind, map.length).is_paired;
    const Value none = frame.u32(0);
    for (const RealItem& item : items(shape.store_order, spectrum_pairs(map))) {
        PointPair points{read_point(item, item.index), {}};
        if (is_paired) {
            const Value first = frame.builder.compare(ir::Op::equal, item.index, none);
            const Value other = frame.builder.select(first, none, mirror(frame, map, item.index));
            points.high = read_point(item, other);
        }
        for (const SpectrumElement& element : store_spectrum_pair(frame, map, item.index, points))
            store_element(*this, item.sequence, item.live, element);
    }
}

/// Where point `index` is exchanged.
Value SharedNumbers::point_address(const RealItem& item, Value index, Value exists) const {
    if (!spec.convolution.prime)
        return layout.at_leg(item.sequence_in_group * std::uint64_t{layout.pitch()} + index, 0);
    return layout.at(exchange.place_by_logarithm({item.sequence_in_group, index, exists, exists, {}, {}, {}}, true));
}

/// Number `index` of v: the parts of points alternate where points are paired.
SharedNumbers::NumberAddress SharedNumbers::number_address(const RealMap& map, const RealItem& item, Value index,
                                                           Value exists) const {
    if (!real_core(map.kind, map.length).is_paired) return {point_address(item, index, exists), {}};
    const Value at = point_address(item, index >> 1, exists);
    return {at, index & std::uint64_t{1}};
}

void SharedNumbers::write_number(const RealItem& item, Value index, Value value, Value exists) const {
    const NumberAddress to = number_address(*spec.in.map(), item, index, exists);
    exchange.put_number(to.at, to.is_second, value, exists);
}

Value SharedNumbers::read_number(const RealItem& item, Value index) const {
    const NumberAddress from = number_address(*spec.out.map(), item, index, item.exists);
    return exchange.get_number(from.at, from.is_second, item.exists);
}

void SharedNumbers::write_point(const RealItem& item, Value index, const Complex& value, Value exists) const {
    const Value at = point_address(item, index, exists);
    exchange.put(Component::real, at, value, exists);
    exchange.put(Component::imaginary, at, value, exists);
}

Complex SharedNumbers::read_point(const RealItem& item, Value index) const {
    const Value at = point_address(item, index, item.exists);
    Complex point;
    for (const Component one : {Component::real, Component::imaginary}) exchange.get(one, at, point, item.exists);
    return point;
}

/// Points straight from memory: two numbers, or one. (Two that lie side by side are loaded as a complex number, without
/// a map.)
class OwnNumbers : Pass {
public:
    explicit OwnNumbers(const Pass& pass) : Pass(pass) {}
    void load(std::vector<Complex>& points) const {
        const Value zero = frame.builder.constant(frame.real, 0);
        points.assign(threads.first().points(), {zero, zero});
        for_each(Side::input, [&](std::uint32_t i, const Point& at) {
            points[i].re = load_number(at.own[0], at);
            if (at.own.size() == 2) points[i].im = load_number(at.own[1], at);
        });
    }

    void store(const std::vector<Complex>& points) const {
        for_each(Side::output, [&](std::uint32_t i, const Point& at) {
            store_number(at.own[0], at, points[i].re);
            if (at.own.size() == 2) store_number(at.own[1], at, points[i].im);
        });
    }

private:
    struct Point {
        Place place;
        Value origin;  // of its sequence
        std::vector<OwnElement> own;
    };

    template <class Visit>
    void for_each(Side side, const Visit& visit) const {
        const CoreStage& stage = side == Side::input ? threads.first() : threads.last();
        const std::uint32_t count = sequence_points(spec, spec.side(side).stages);
        threads.for_each_point(stage, [&](const ThreadButterfly& where, std::uint32_t i, std::uint32_t j) {
            const Value is_live = threads.exists(where), origin = frame.origin(threads.sequence(where), side);
            const std::uint64_t leg = std::uint64_t{j} * stage.butterflies;
            if (leg >= count) return;
            const Place place{where.butterfly + leg, threads.sequence(where), is_live};
            const SignalPoint at{place.element, leg, leg + stage.butterflies};
            visit(i, Point{place, origin, elements_of_point(frame, *spec.side(side).map(), at, side)});
        });
    }

    Value load_number(const OwnElement& number, const Point& point) const;
    void store_number(const OwnElement& number, const Point& point, Value x) const;
};

Value OwnNumbers::load_number(const OwnElement& number, const Point& point) const {
    const Place& place = point.place;
    const Value predicate = both(place.exists, within(frame, spec.in.stages, place));
    const Value at = frame.address(point.origin, number.index, 0, Side::input);
    const Value is_there = both(predicate, frame.kept(number.index, place.sequence, Side::input));
    const Complex x{frame.load_real(at, 1, is_there), {}};
    return number.with_sign(apply_to_element(frame, spec.in.stages, {number.index, place.sequence, is_there}, x).re);
}

void OwnNumbers::store_number(const OwnElement& number, const Point& point, Value x) const {
    const Place& place = point.place;
    const Value predicate = both(place.exists, within(frame, spec.out.stages, place));
    const Value at = frame.address(point.origin, number.index, 0, Side::output);
    const Value is_kept = both(predicate, frame.kept(number.index, place.sequence, Side::output));
    const MappedElement element{number.index, place.sequence, is_kept};
    frame.store_real(at, apply_to_element(frame, spec.out.stages, element, {number.with_sign(x), {}}).re, is_kept);
}

/// The stages of this side, and type IV's turns between them and the elements. A real axis is the whole of its
/// transform, so that the only stage to ask for a place is a chirp, which a prime has not.
void pass_stages(const Pass& pass, Side side, Registers& registers) {
    const bool is_load = side == Side::input;
    const CoreStage& stage = is_load ? pass.threads.first() : pass.threads.last();
    const RealMap& map = is_load ? *pass.spec.in.map() : *pass.spec.out.map();
    const std::uint32_t count = sequence_points(pass.spec, pass.spec.side(is_load).stages);
    const auto through = [&](Complex z, Place place) {
        if (!is_load) z = apply(pass.frame, pass.spec.out.stages, z, place);
        const Place with_root{place.element, place.sequence,
                              both(place.exists, within(pass.frame, pass.spec.side(is_load).stages, place))};
        z = is_load ? turn_before(pass.frame, map, with_root, z) : turn_after(pass.frame, map, with_root, z);
        return is_load ? apply(pass.frame, pass.spec.in.stages, z, place) : z;
    };
    pass.threads.for_each_point(stage, [&](const ThreadButterfly& where, std::uint32_t i, std::uint32_t leg) {
        if (std::uint64_t{leg} * stage.butterflies >= count) return;
        registers.points[i] = through(registers.points[i], pass.threads.place(stage, where, leg));
    });
    if (!pass.spec.convolution.prime) return;
    const ThreadButterfly first = pass.threads.butterfly(stage, 0);
    const Value has_it = pass.frame.builder.compare(ir::Op::equal, first.butterfly, pass.frame.u32(0));
    registers.beside = through(registers.beside, {pass.frame.u32(pass.spec.n), pass.threads.sequence(first), has_it});
}

}  // namespace

bool passes_numbers(const KernelSpec& spec, Side side) {
    const bool input = side == Side::input;
    return spec.side(side).map() && !is_mirrored(spec, input) && !has_pairs_in_thread(spec, input) &&
           !moves_own_elements(spec, input);
}

void load_real(const Pass& pass, Registers& registers) {
    registers.points.clear();
    if (is_mirrored(pass.spec, true))
        load_mirrored(pass, registers.points);
    else if (has_pairs_in_thread(pass.spec, true))
        load_bins(pass, registers.points);
    else if (moves_own_elements(pass.spec, true))
        OwnNumbers(pass).load(registers.points);
    else
        SharedNumbers(pass).load(registers);
    pass_stages(pass, Side::input, registers);
}

void store_real(const Pass& pass, Registers& registers) {
    pass_stages(pass, Side::output, registers);
    if (is_mirrored(pass.spec, false)) return store_mirrored(pass, registers.points);
    if (has_pairs_in_thread(pass.spec, false)) return store_bins(pass, registers.points);
    if (moves_own_elements(pass.spec, false)) return OwnNumbers(pass).store(registers.points);
    SharedNumbers(pass).store(registers);
}

void store_element(const Pass& pass, Value sequence, Value live, const SpectrumElement& element) {
    const Value at = pass.frame.address(pass.frame.origin(sequence, Side::output), element.index, 0, Side::output);
    const Value is_kept = pass.frame.kept(element.index, sequence, Side::output);
    const Value predicate = both(both(live, element.exists), is_kept);
    const Complex x =
        apply_to_element(pass.frame, pass.spec.out.stages, {element.index, sequence, predicate}, element.value);
    if (pass.spec.out.is_real()) {
        pass.frame.store_real(at, x.re, predicate);
    } else {
        pass.frame.store(at, x, predicate);
    }
}

/// Of elements or bins the index arithmetic on constants folds to constants. (Not of a prime, whose places are as good
/// as random.)
void add_real_patterns(const KernelSpec& spec, std::uint32_t pitch, std::vector<AccessPattern>& all) {
    const GroupShape& shape = std::get<GroupShape>(spec.shape);
    if (spec.convolution.prime) return;
    Frame frame(spec, 2);  // its builder folds constants, so that the kernel's own map gives numbers
    constexpr std::uint64_t subgroup = 32;
    const auto constant = [&](Value v) { return static_cast<std::uint32_t>(frame.builder.integer_value(v)); };
    const auto add = [&](const RealMap& map, RealWay way, ThreadOrder order, std::uint64_t count) {
        const bool is_paired = real_core(map.kind, map.length).is_paired;
        const std::uint64_t sequences = shape.sequences;
        AccessPattern forwards, backwards;
        for (std::uint64_t t = 0; t < std::min(count * sequences, subgroup); ++t) {
            const auto [sequence, i] = item_at(order, sequences, count, t);
            const auto first = static_cast<std::uint32_t>(sequence * pitch);
            if (way == RealWay::spectrum) {
                forwards.push_back(first + static_cast<std::uint32_t>(i));
                backwards.push_back(first + (i == 0 ? 0 : constant(mirror(frame, map, frame.u32(i)))));
            } else {
                const std::uint32_t index = constant(signal_places(frame, map, frame.u32(i)).front().index);
                forwards.push_back(first + (is_paired ? index / 2 : index));
            }
        }
        all.push_back(forwards);
        if (!backwards.empty()) all.push_back(backwards);
    };
    if (passes_numbers(spec, Side::input)) {
        const RealWay way = load_way(spec.in.map()->kind);
        add(*spec.in.map(), way, shape.load_order,
            way == RealWay::spectrum ? spectrum_pairs(*spec.in.map()) : loaded_elements(*spec.in.map()));
    }
    if (passes_numbers(spec, Side::output)) {
        const RealWay way = store_way(spec.out.map()->kind);
        add(*spec.out.map(), way, shape.store_order,
            way == RealWay::spectrum ? spectrum_pairs(*spec.out.map()) : stored_elements(*spec.out.map()));
    }
}

}  // namespace seiche::kernels

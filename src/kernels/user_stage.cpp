// User stages in kernels. Only logical indices reach a program: where a point lies in memory, and which lane or thread
// has it, is the kernel's matter.
#include "kernels/user_stage.hpp"

#include <algorithm>

#include "expression/compile.hpp"
#include "kernels/simd/lanes.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

namespace {

/// Where an element stands, and what is known of it.
struct Element {
    Place place;
    Value inside;                   ///< Where this is false, the element counts as 0; empty: nowhere.
    bool is_second{};               ///< Of the two parts of a point.
    std::vector<Value> along = {};  ///< Of a block, by axis.
    Value is_upper = {};            ///< Above half of mirrored bins.
};

/// The index along one axis of the problem.
Value logical_index(Frame& frame, const LogicalIndex& index, const Element& element) {
    const Place& place = element.place;
    const std::size_t loops = frame.spec.loops.size();
    std::uint64_t elements = frame.spec.n;
    for (const RealMap* map : {frame.spec.in.map(), frame.spec.out.map()})
        if (map) elements = std::max(elements, map->length);
    std::uint64_t most = elements * index.element_step;
    for (const LogicalIndex::Part& part : index.parts)
        most += (part.loop < loops ? frame.spec.loops[part.loop].count
                                   : frame.spec.register_rows()[part.loop - loops].map.length) *
                part.step;
    const bool is_narrow = most <= 0xffffffffu;
    const auto fit = [&](Value value) { return is_narrow ? value : frame.widen(value); };
    Value sum = fit(place.element) * index.element_step;
    for (const LogicalIndex::Part& part : index.parts) {
        const Value counted =
            part.loop < loops ? frame.loop_index(place.sequence, part.loop) : element.along[part.loop - loops];
        sum = sum + fit(counted) * part.step;
    }
    return sum;
}

/// To the thread's sums. What is no bin adds nothing; one of half of a spectrum adds its mirror's term too.
void add_terms(Frame& frame, const UserProgram& user, const Element& element, Value predicate,
               const std::vector<Value>& terms) {
    ir::Builder& build = frame.builder;
    Value is_own;
    if (user.element == UserProgram::Element::halved) {
        const Value bin = logical_index(frame, user.axes[user.paired], element);
        const auto is_bin = [&](std::uint64_t b) {
            return build.compare(ir::Op::equal, bin, build.integer(bin.type(), b));
        };
        is_own = user.mirrors % 2 == 0 ? is_bin(0) | is_bin(user.mirrors / 2) : is_bin(0);
    }
    for (std::size_t i = 0; i < terms.size(); ++i) {
        Value& sum = frame.sums[i];
        Value term = build.convert(terms[i], sum.type().scalar);
        if (is_own) term = build.select(is_own, term, term + term);
        if (predicate) term = build.select(predicate, term, build.constant(sum.type(), 0));
        sum = sum + term;
    }
}

Complex apply_to(Frame& frame, const UserProgram& user, const Element& element, Complex x) {
    const Place& place = element.place;
    const bool is_load = user.side == expression::Side::load;
    if (expression::is_conjugation(*user.program)) return {x.re, -x.im};  // of any arithmetic; of what counts as 0 too
    expression::Inputs inputs;
    // A stage computes with halves as with f32: it counts, and its functions are not those of halves.
    const ir::Scalar working = frame.real.scalar == ir::Scalar::f16 ? ir::Scalar::f32 : frame.real.scalar;
    const auto in = [&](Value part, ir::Scalar scalar) { return part ? frame.builder.convert(part, scalar) : part; };
    inputs.value = {in(x.re, working), in(x.im, working)};
    for (std::uint32_t axis = 0; axis < user.axes.size(); ++axis) {
        Value index;
        if (expression::uses_index(*user.program, axis)) index = logical_index(frame, user.axes[axis], element);
        if (index && element.is_second && axis == user.paired) index = index + std::uint64_t{1};
        if (index && element.is_upper && axis == user.paired)
            index = frame.builder.select(element.is_upper, frame.builder.integer(index.type(), user.mirrors) - index,
                                         index);
        inputs.indices.push_back(index);
    }
    if (expression::uses_batch(*user.program))
        inputs.batch = frame.loop_index(place.sequence, frame.spec.loops.size() - 1);
    const Frame::UserParameters& parameters = frame.parameters_of(user.side);
    inputs.buffers = parameters.buffers;
    inputs.scalars = parameters.scalars;
    inputs.function = parameters.function;
    inputs.array = is_load ? frame.in : frame.out;
    inputs.pointer = parameters.pointer;
    inputs.predicate = both(element.inside, place.exists);
    std::vector<Value> terms;
    if (!frame.sums.empty()) inputs.terms = &terms;
    Complex y = expression::compile(frame.builder, *user.program, inputs);
    add_terms(frame, user, element, inputs.predicate, terms);
    if (!y.re) return x;
    y = {in(y.re, frame.real.scalar), in(y.im, frame.real.scalar)};
    if (!is_load || !element.inside) return y;
    const Value zero = frame.builder.constant(frame.real, 0);
    const Value re = frame.builder.select(element.inside, y.re, zero);
    return {re, y.im ? frame.builder.select(element.inside, y.im, zero) : Value{}};
}

/// Of a middle stage. Sequences behind the last, and points that a chirp leaves out, have no place in the user's
/// buffers.
Complex apply_to_bin(Frame& frame, const UserProgram& user, Complex x, const Place& place) {
    const Value has_sequence = frame.total ? frame.builder.less(place.sequence, frame.total) : Value{};
    Element element{place, both(has_sequence, within(frame, frame.spec.out.stages, place))};
    if (user.element != UserProgram::Element::mirrored) return apply_to(frame, user, element, x);
    ir::Builder& build = frame.builder;
    const Value bin = logical_index(frame, user.axes[user.paired], element);
    const auto constant = [&](std::uint64_t value) { return build.integer(bin.type(), value); };
    element.is_upper = build.less(constant(user.mirrors / 2), bin);
    const auto conjugate_above = [&](Complex z) { return Complex{z.re, build.select(element.is_upper, -z.im, z.im)}; };
    const Complex y = conjugate_above(apply_to(frame, user, element, conjugate_above(x)));
    Value is_own = build.compare(ir::Op::equal, bin, constant(0));
    if (user.mirrors % 2 == 0) is_own = is_own | build.compare(ir::Op::equal, bin, constant(user.mirrors / 2));
    const Value zero = build.splat(build.constant(frame.real, 0), y.im.type().lanes);
    return {y.re, build.select(is_own, zero, y.im)};
}

Complex apply_to_point(Frame& frame, const UserProgram& user, Complex x, const Place& place) {
    if (user.side == expression::Side::middle || user.element == UserProgram::Element::mirrored)
        return apply_to_bin(frame, user, x, place);
    const bool is_load = user.side == expression::Side::load;
    const Value let_through = within(frame, frame.spec.side(is_load).stages, place);
    const Value is_kept = frame.kept(place.element, place.sequence, is_load ? Side::input : Side::output);
    Element element{place, both(let_through, is_kept)};
    if (user.element == UserProgram::Element::point) return apply_to(frame, user, element, x);
    if (user.element == UserProgram::Element::number) return {apply_to(frame, user, element, {x.re, {}}).re, x.im};
    const Value first = apply_to(frame, user, element, {x.re, {}}).re;
    element.is_second = true;
    return {first, apply_to(frame, user, element, {x.im, {}}).re};
}

/// Whether the stage is the same in all lanes but for their values: the same element of sequences all of which it goes
/// for, by indices that no sequence changes.
bool is_one_for_all_lanes(Frame& frame, const UserProgram& user, const Place& place) {
    if (place.run > 1 || !expression::is_lane_wise(*user.program) || expression::uses_batch(*user.program))
        return false;
    for (std::uint32_t axis = 0; axis < user.axes.size(); ++axis)
        if (expression::uses_index(*user.program, axis) && !user.axes[axis].parts.empty()) return false;
    const bool is_bin = user.side == expression::Side::middle || user.element == UserProgram::Element::mirrored;
    if (user.element == UserProgram::Element::mirrored && !user.axes[user.paired].parts.empty()) return false;
    const bool is_load = user.side == expression::Side::load;
    if (within(frame, is_bin ? frame.spec.out.stages : frame.spec.side(is_load).stages, place)) return false;
    return is_bin || !frame.kept(place.element, place.sequence, is_load ? Side::input : Side::output);
}

}  // namespace

Complex apply_user(Frame& frame, const UserProgram& user, Complex x, const Place& place) {
    const unsigned lanes = x.re.type().lanes;
    if (lanes == 1 || is_one_for_all_lanes(frame, user, place)) return apply_to_point(frame, user, x, place);
    std::vector<Value> re, im;
    for (unsigned lane = 0; lane < lanes; ++lane) {
        // Lanes are a run of elements, or the same element of neighbouring sequences.
        Place own = place;
        own.run = 1;
        if (place.run > 1)
            own.element = place.element + std::uint64_t{lane};
        else
            own.sequence = place.sequence + std::uint64_t{lane};
        const Value part = frame.builder.extract(x.re, lane);
        const Complex y = apply_to_point(frame, user, {part, frame.builder.extract(x.im, lane)}, own);
        re.push_back(y.re);
        im.push_back(y.im);
    }
    const Value all = compose_lanes(re);
    return {all, compose_lanes(im)};
}

bool has_point_stages(const std::vector<Stage>& stages) {
    return std::any_of(stages.begin(), stages.end(), [](const Stage& stage) {
        const auto* user = std::get_if<UserProgram>(&stage);
        return !user || user->element != UserProgram::Element::mapped;
    });
}

Complex apply_to_element(Frame& frame, const std::vector<Stage>& stages, const MappedElement& element, Complex x) {
    const UserProgram* user = user_stage(stages);
    if (!user) return x;
    return apply_to(frame, *user, {{element.index, element.sequence, {}}, element.exists}, x);
}

Value apply_to_number(Frame& frame, const std::vector<Stage>& stages, const RowNumber& number, Value x) {
    const UserProgram* user = user_stage(stages);
    if (!user) return x;
    const Place place{frame.u32(0), number.sequence, {}};
    return apply_to(frame, *user, {place, number.exists, false, number.along}, {x, {}}).re;
}

}  // namespace seiche::kernels

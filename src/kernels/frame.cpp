// Parameters and addresses of a kernel.
#include "kernels/frame.hpp"

#include <algorithm>

#include "expression/compile.hpp"
#include "expression/elements.hpp"
#include "kernels/contract/parameters.hpp"
#include "kernels/simd/lanes.hpp"
#include "kernels/tables.hpp"
#include "kernels/user_stage.hpp"
#include "support/strides.hpp"

namespace seiche::kernels {

namespace {

ir::Scalar stored_scalar(Storage storage, ir::Scalar own) {
    switch (storage) {
        case Storage::same: return own;
        case Storage::f16: return ir::Scalar::f16;
        case Storage::bf16: return ir::Scalar::bf16;
        case Storage::f32: return ir::Scalar::f32;
        case Storage::f64: break;
    }
    return ir::Scalar::f64;
}

ir::Scalar working_scalar(Precision precision) {
    switch (precision) {
        case Precision::f32: return ir::Scalar::f32;
        case Precision::f64: return ir::Scalar::f64;
        case Precision::f16: return ir::Scalar::f16;
        case Precision::f64x2: break;
    }
    return ir::Scalar::dd;
}

constexpr std::uint64_t unbounded = ~std::uint64_t{0};

/// Of a sequence's elements: points, or numbers of a real side, whose type I has one more than twice its core's.
std::uint64_t most_index(const KernelSpec& spec) {
    std::uint64_t most = std::max<std::uint64_t>(spec.n, spec.convolution.prime);
    if (spec.in.has_halves() || spec.out.has_halves()) most = 2 * std::uint64_t{spec.n};
    for (const RealMap* map : {spec.in.map(), spec.out.map(), spec.in.bins(), spec.out.bins()})
        if (map) most = std::max({most, map->length, real_core(map->kind, map->length).points});
    for (const Folded* fold : {spec.in.folded(), spec.out.folded()})
        if (fold) most = std::max(most, fold->length);
    if (spec.textbook()) most = std::max(most, spec.textbook()->length);
    return most;
}

}  // namespace

bool follow_each_other(const std::vector<Loop>& loops, const std::vector<std::int64_t>& strides) {
    for (std::size_t i = 0; i < loops.size(); ++i) {
        const bool is_last = i + 1 == loops.size();
        if (!loops[i].gaps.empty() || (!is_last && strides[i + 1] != support::times(loops[i].count, strides[i])))
            return false;
    }
    return true;
}

std::uint64_t skipped(const Loop& loop) {
    std::uint64_t sum = 0;
    for (const Gap& gap : loop.gaps) sum += gap.skipped;
    return sum;
}

namespace {

/// With a prefix names are no words of any dialect, and both stages may use the same ones.
std::string prefix_of(const UserProgram& user) { return std::string(expression::to_string(user.side)) + "_"; }

}  // namespace

FramePlaces::FramePlaces(const KernelSpec& spec)
    : has_pairs(!spec.out.is_real()),
      unit(has_pairs && std::get<GroupShape>(spec.shape).exchange.whole_points ? 2 : 1) {
    constexpr std::uint32_t banks = 32;
    const auto length = static_cast<std::uint32_t>(spec.overlap_add()->window.size());
    if (is_split()) half = length / 2 + (banks + banks / 2 - length / 2 % banks) % banks;
    pitch = is_split() ? 2 * half : length / unit;
}

ir::Value FramePlaces::place(ir::Value frame, ir::Value at) const {
    const ir::Value first = frame * std::uint64_t{pitch};
    return is_split() ? first + (at & std::uint64_t{1}) * std::uint64_t{half} + (at >> 1) : first + at;
}

Frame::Frame(const KernelSpec& s, unsigned table_lanes)
    : builder_(std::make_shared<ir::Builder>(s.name)),
      builder(*builder_),
      spec(s),
      real(working_scalar(s.precision)),
      complex(real.with_lanes(2)),
      sections(tables(s)) {
    builder.kernel().comment = to_string(s);
    const bool has_numbers_in = s.in.is_planar() || (s.in.is_real() && !s.in.has_pairs());
    const ir::Type stored_in(stored_scalar(s.in.storage, real.scalar), has_numbers_in ? 1 : 2);
    const KernelSpec& last = pass_of_output(s);
    const bool is_planar = last.out.is_planar(), stores_numbers = last.out.is_real() || s.overlap_add() != nullptr;
    const ir::Type stored_out = s.texel_points() != 0
                                    ? real.with_lanes(4)
                                    : ir::Type(stored_scalar(last.out.storage, real.scalar),
                                               is_planar || (stores_numbers && !last.out.has_pairs()) ? 1 : 2);
    const bool is_returned_to =
        !s.pipeline.next.empty() && !s.pipeline.has_between && !s.pipeline.next.front().in_place;
    const ir::Access in_access = is_returned_to ? ir::Access::read_write : ir::Access::read;
    const bool reads_back = (!s.pipeline.next.empty() && !s.pipeline.has_between) ||
                            (s.textbook() && std::holds_alternative<FlaggedLevels>(s.textbook()->work));
    const ir::Access out_access = reads_back ? ir::Access::read_write : ir::Access::write;
    const ir::Type wide = real.with_lanes(table_lanes);
    const ir::Type stored_between(stored_scalar(s.out.storage, real.scalar), 2);
    std::uint32_t between = 0;
    for_each_parameter(s, !sections.empty(), [&](Parameter parameter, std::size_t i) {
        switch (parameter) {
            case Parameter::input: in = builder.buffer({"in", stored_in, in_access, false, s.in_place}); break;
            case Parameter::output: out = builder.buffer({"out", stored_out, out_access, false, s.in_place}); break;
            case Parameter::input_imaginary:
                in_imag = builder.buffer({"in_imag", stored_in, in_access, false, s.in_place});
                break;
            case Parameter::output_imaginary:
                out_imag = builder.buffer({"out_imag", stored_out, out_access, false, s.in_place});
                break;
            case Parameter::table: table = builder.buffer({"table", wide, ir::Access::read, true, false}); break;
            case Parameter::spectra: spectra = builder.buffer({"spectra", wide, ir::Access::read, true, false}); break;
            case Parameter::counters:
                counters = builder.buffer({"counters", ir::Scalar::u32, ir::Access::read_write, false, false});
                break;
            case Parameter::between:
                between = builder.buffer({"between", stored_between, ir::Access::read_write, false, false});
                break;
            case Parameter::partials: {
                const ir::Scalar sum = working_scalar(pass_with_middle(s).convolution.sums->precision);
                partials = builder.buffer({"partials", sum, ir::Access::write, false, false});
                break;
            }
            case Parameter::load_stage:
            case Parameter::middle_stage:
            case Parameter::store_stage: {
                const expression::Side side = side_of(parameter);
                declare(*user_stage(stages_of(s, side)), i, parameters_of(side));
                break;
            }
        }
    });
    results = s.pipeline.has_between ? out : in;
    results_imag = s.pipeline.has_between ? out_imag : in_imag;
    if (s.pipeline.has_between) out = between;
    total = builder.scalar("sequences", ir::Scalar::u32);
    for (const expression::Side side : user_sides) declare_scalars(side);
}

Frame::Frame(const KernelSpec& s, const Frame& first)
    : builder_(first.builder_),
      builder(*builder_),
      spec(s),
      real(first.real),
      complex(first.complex),
      sections(first.sections),
      in(s.is_second() ? first.in : first.out),
      out(s.is_second() || s.in_place ? first.out : first.results),
      in_imag(s.is_second() ? first.in_imag : first.out_imag),
      out_imag(s.is_second() || s.in_place ? first.out_imag : first.results_imag),
      table(first.table),
      spectra(first.spectra),
      counters(first.counters),
      partials(first.partials),
      results(first.results),
      results_imag(first.results_imag),
      user_parameters(first.user_parameters) {}

void Frame::declare(const UserProgram& user, std::size_t i, UserParameters& parameters) {
    const StageBuffer& buffer = user.program->buffers[i];
    const ir::Access access = user.program->written[i] ? ir::Access::write : ir::Access::read;
    parameters.buffers.push_back(
        builder.buffer({prefix_of(user) + buffer.name, expression::scalar_type(buffer.type), access, false, false}));
}

void Frame::declare_scalars(expression::Side side) {
    UserParameters& parameters = parameters_of(side);
    const UserProgram* user = user_stage(stages_of(spec, side));
    if (!user) return;
    const expression::Program& program = *user->program;
    for (const StageScalar& scalar : program.scalars)
        parameters.scalars.push_back(
            builder.scalar(prefix_of(*user) + scalar.name, expression::scalar_type(scalar.type)));
    if (!program.function) return;
    parameters.function = builder.external_function(*program.function);
    parameters.pointer = builder.scalar(prefix_of(*user) + "pointer", ir::Scalar::u64);
}

ir::Value Frame::loop_index(ir::Value sequence, std::size_t loop) {
    std::uint64_t below = 1;
    for (std::size_t i = 0; i < loop; ++i) below *= spec.loops[i].count;
    const ir::Value index = sequence / below;
    if (loop + 1 == spec.loops.size()) return index;
    const ir::Value counted = index % spec.loops[loop].count;
    ir::Value reached = counted;
    for (const Gap& gap : spec.loops[loop].gaps) {
        const ir::Value is_behind = gap.at == 0 ? ir::Value{} : builder.less(counted, u32(gap.at));
        const ir::Value skipped = u32(gap.skipped);
        reached = reached + (is_behind ? builder.select(is_behind, u32(0), skipped) : skipped);
    }
    return reached;
}

ir::Value Frame::kept(ir::Value element, ir::Value sequence, Side side) {
    const Kept& which = spec.side(side).kept;
    if (which.ranges.empty()) return {};
    ir::Value index = element * which.element_stride;
    if (which.loop >= 0) index = index + loop_index(sequence, static_cast<std::size_t>(which.loop)) * which.loop_step;
    ir::Value any;
    for (const Range& range : which.ranges) {
        // Below begin the difference wraps to what is not less.
        const ir::Value inside = builder.less(index - u32(range.begin), u32(range.end - range.begin));
        any = any ? any | inside : inside;
    }
    if (!which.own) return any;
    return any & builder.less(element - u32(which.own->begin), u32(which.own->end - which.own->begin));
}

ir::Value Frame::moved(ir::Value from, ir::Value index, std::int64_t stride, std::uint64_t most) {
    const std::uint64_t size = support::magnitude(stride);
    const bool is_narrow = size == 0 || most <= 0xffffffffu / size;
    const ir::Value offset = is_narrow ? widen(index * size) : widen(index) * size;
    return stride < 0 ? from - offset : from + offset;
}

ir::Value Frame::distance(ir::Value sequence, const std::vector<std::int64_t>& strides) {
    if (joins_loops && follow_each_other(spec.loops, strides)) {
        const ir::Value ahead = widen(sequence) * support::magnitude(strides.front());
        return strides.front() < 0 ? u64(0) - ahead : ahead;
    }
    ir::Value sum = u64(0);
    for (std::size_t i = 0; i < spec.loops.size(); ++i) {
        if (strides[i] == 0) continue;
        const Loop& loop = spec.loops[i];
        const bool is_batch = i + 1 == spec.loops.size();
        if (spec.overlap_add() && i == 1) {
            sum = moved(sum, first_frame(loop_index(sequence, i)), strides[i], spec.overlap_add()->frames);
            continue;
        }
        const ir::Value index = loop_index(sequence, i);
        sum = moved(sum, index, strides[i], is_batch ? unbounded : loop.count - 1 + skipped(loop));
    }
    return sum;
}

ir::Value Frame::origin(ir::Value sequence, Side side) {
    std::vector<std::int64_t> strides;
    for (const Loop& loop : spec.loops) strides.push_back(side == Side::input ? loop.input_stride : loop.output_stride);
    const std::int64_t offset = spec.side(side).offset;
    if (spec.overlap_add() && side == Side::output) strides.front() = FramePlaces(spec).pitch;  // in shared memory
    // Modulo 2^64: an element that is touched lies in the buffer.
    return distance(sequence, strides) + static_cast<std::uint64_t>(offset);
}

ir::Value Frame::address(ir::Value from, ir::Value index, std::uint64_t constant, Side side) {
    const std::int64_t stride = spec.side(side).stride;
    if (const std::uint32_t run = spec.side(side).run; run > 1) {
        if (constant % run != 0) return address(from, index + u32(constant), 0, side);
        const ir::Value in_run = index % run;
        from = from + widen(in_run);
        index = index - in_run;
    }
    return moved(from, index, stride, most_index(spec)) + static_cast<std::uint64_t>(support::times(constant, stride));
}

ir::Complex Frame::load(ir::Value at, unsigned lanes, ir::Value predicate) {
    if (spec.in.is_real()) {
        const ir::Value number = load_real(at, lanes, predicate);
        return {number, builder.constant(real.with_lanes(lanes), 0)};
    }
    if (spec.in.is_planar()) {
        const ir::Type type = builder.kernel().buffers[in].element.with_lanes(lanes);
        const ir::Value re = builder.global_load(in, at, type, predicate);
        const ir::Value im = builder.global_load(in_imag, at, type, predicate);
        const ir::Value wide = builder.convert(re, real.scalar);
        return {wide, builder.convert(im, real.scalar)};
    }
    std::vector<ir::Value> pieces = load_pieces(builder, in, {at, lanes, predicate});
    for (ir::Value& piece : pieces) piece = builder.convert(piece, real.scalar);
    return separate(builder, pieces);
}

void Frame::store(ir::Value at, ir::Complex x, ir::Value predicate) {
    const UserProgram* user = user_stage(spec.out.stages);
    if (user && expression::finds_its_elements(*user->program)) return;
    if (spec.overlap_add()) return put_in_frame(at, x, predicate);
    const ir::Scalar stored = builder.kernel().buffers[out].element.scalar;
    if (spec.out.is_real()) {
        store_real(at, x.re, predicate);
        return;
    }
    if (spec.out.is_planar()) {
        builder.global_store(out, at, builder.convert(x.re, stored), predicate);
        builder.global_store(out_imag, at, builder.convert(x.im, stored), predicate);
        return;
    }
    std::vector<ir::Value> pieces = interleaved(builder, x);
    for (ir::Value& piece : pieces) piece = builder.convert(piece, stored);
    store_pieces(builder, out, {at, x.re.type().lanes, predicate}, pieces);
}

ir::Complex Frame::load_stored(ir::Value at, ir::Value predicate) {
    const ir::Type type = builder.kernel().buffers[out].element;
    if (spec.out.is_planar())
        return {builder.global_load(out, at, type, predicate), builder.global_load(out_imag, at, type, predicate)};
    return separate(builder, load_pieces(builder, out, {at, 1, predicate}));
}

ir::Value Frame::load_real(ir::Value at, unsigned lanes, ir::Value predicate) {
    const ir::Type type = builder.kernel().buffers[in].element.with_lanes(lanes);
    return builder.convert(builder.global_load(in, at, type, predicate), real.scalar);
}

ir::Value Frame::first_frame(ir::Value index) {
    const OverlapAdd& own = *spec.overlap_add();
    const std::uint64_t last = own.frames - std::get<GroupShape>(spec.shape).sequences;
    return builder.binary(ir::Op::min, index * std::uint64_t{own.advance}, u32(last));
}

void Frame::put_in_frame(ir::Value at, ir::Complex x, ir::Value predicate) {
    const FramePlaces places(spec);
    const unsigned lanes = x.re.type().lanes;
    const auto number = [&](ir::Value all, unsigned lane) { return lanes > 1 ? builder.extract(all, lane) : all; };
    const ir::Value first = builder.convert(at, ir::Scalar::u32);
    for (unsigned lane = 0; lane < lanes; ++lane) {
        const ir::Value re = number(x.re, lane);
        const ir::Value one = places.unit == 2 ? builder.compose({re, number(x.im, lane)}) : re;
        builder.shared_store(frames, first + std::uint64_t{lane}, one, predicate);
        if (places.is_split())
            builder.shared_store(frames, first + std::uint64_t{lane + places.half}, number(x.im, lane), predicate);
    }
}

void Frame::store_sample(ir::Value at, ir::Value x, ir::Value predicate) {
    builder.global_store(out, at, builder.convert(x, builder.kernel().buffers[out].element.scalar), predicate);
}

void Frame::store_real(ir::Value at, ir::Value x, ir::Value predicate) {
    if (spec.overlap_add()) return put_in_frame(at, {x, {}}, predicate);
    builder.global_store(out, at, builder.convert(x, builder.kernel().buffers[out].element.scalar), predicate);
}

ir::Complex Frame::table_entry(const TableContent& content, ir::Value index, ir::Value predicate) {
    const TableSection& section = find_section(sections, content);
    const unsigned per_entry = 2 / builder.kernel().buffers[table].element.lanes;
    const ir::Value at = widen(index) * std::uint64_t{per_entry} + section.offset * per_entry;
    const ir::Value entry = builder.global_load(table, at, complex, predicate);
    return {builder.extract(entry, 0), builder.extract(entry, 1)};
}

ir::Complex Frame::table_run(const TableContent& content, ir::Value index, unsigned lanes) {
    const TableSection& section = find_section(sections, content);
    const unsigned per_entry = 2 / builder.kernel().buffers[table].element.lanes;
    const ir::Value at = widen(index) * std::uint64_t{per_entry} + section.offset * per_entry;
    return separate(builder, load_pieces(builder, table, {at, lanes, {}}));
}

ir::Value Frame::spectrum_address(const SpectrumProduct& product, ir::Value element, ir::Value sequence) {
    return distance(sequence, product.loop_strides) + widen(element) * product.element_stride;
}

ir::Complex Frame::spectrum_run(ir::Value at, unsigned lanes, ir::Value predicate) {
    const unsigned per_entry = 2 / builder.kernel().buffers[spectra].element.lanes;
    return separate(builder, load_pieces(builder, spectra, {at * std::uint64_t{per_entry}, lanes, predicate}));
}

}  // namespace seiche::kernels

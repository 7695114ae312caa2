// The CPU core: Stockham's transform with explicit SIMD registers, one thread a group, no barrier. Lanes carry either
// neighbouring butterflies of one sequence or neighbouring sequences; results of a stage go to a scratch array that
// stays in the first caches. Convolutions as in group.cpp (Bluestein 1970, Rader 1968).
#include "kernels/simd/simd_kernel.hpp"

#include <algorithm>

#include "kernels/butterfly.hpp"
#include "kernels/generators.hpp"
#include "kernels/simd/lanes.hpp"
#include "kernels/tables.hpp"
#include "seiche/error.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

SimdKernel::SimdKernel(const KernelSpec& spec)
    : frame_(spec, 1),
      spec_(spec),
      shape_(std::get<SimdShape>(spec.shape)),
      build_(frame_.builder),
      lanes_(shape_.lanes),
      shares_(lanes_share_outer_indices(spec)) {}

/// Scratch arrays alternate. Data that cannot go straight between memory and the registers of a stage passes through
/// scratch first. A convolution's second core begins in the registers in which the first ends.
void SimdKernel::plan_stages() {
    const bool direct_in = is_direct(Side::input), direct_out = is_direct(Side::output);
    const std::vector<std::vector<std::uint32_t>> runs = core_runs(spec_);
    for (const std::vector<std::uint32_t>& run : runs) {
        std::uint32_t s = 1;
        for (const std::uint32_t radix : run) {
            if (&run != &runs.front() && s == 1) {
                stages_.back().turns = true;
            } else {
                add_stage(radix, s);
            }
            s *= radix;
        }
    }
    stages_.front().reads_memory = direct_in;
    stages_.back().writes_memory = direct_out;
    std::uint32_t present = direct_in ? 1 : 0;
    for (std::size_t i = 0; i < stages_.size(); ++i) {
        stages_[i].number = i;
        stages_[i].source = present;
        present = stages_[i].target = 1 - present;
    }
    const bool is_real = spec_.in.map() || spec_.out.map();
    const std::size_t arrays = is_real ? 2 : stages_.size() - 1 + (direct_in ? 0 : 1) + (direct_out ? 0 : 1);
    const std::uint32_t extent = 2 * plane_points() * per_point();
    if (arrays > 0) build_.shared_array("scratch_a", frame_.real, extent);
    if (arrays > 1) build_.shared_array("scratch_b", frame_.real, extent);
    if (spec_.convolution.channels.is_single()) return;
    for (std::uint32_t i = 0; i < spec_.convolution.channels.outputs; ++i)
        sums_.push_back(build_.shared_array("sum_" + std::to_string(i), frame_.real, extent));
}

void SimdKernel::add_stage(std::uint32_t radix, std::uint32_t s) {
    SimdStage stage;
    stage.radix = radix;
    stage.s = s;
    stage.butterflies = spec_.n / radix;
    check_lanes(stage);
    stages_.push_back(stage);
}

void SimdKernel::check_lanes(const SimdStage& stage) const {
    if (shape_.across) return;
    const bool fits = stage.butterflies % lanes_ == 0 && (stage.s % lanes_ == 0 || lanes_ % stage.s == 0);
    if (!fits)
        throw InternalError("kernel '" + spec_.name + "': these radices do not fill the lanes: " + to_string(spec_));
}

ir::Kernel SimdKernel::build() {
    plan_stages();
    const Value units =
        shape_.across ? (frame_.total + std::uint64_t{lanes_ - 1}) / std::uint64_t{lanes_} : frame_.total;
    const Value first = build_.group_id() * std::uint64_t{shape_.units_per_group};
    if (shape_.units_per_group == 1) {
        work_on(first);
        return build_.finish();
    }
    const Value last = build_.binary(ir::Op::min, first + std::uint64_t{shape_.units_per_group}, units);
    const Value unit = build_.begin_loop(first, last, frame_.u32(1));
    work_on(unit);
    build_.end_loop();
    return build_.finish();
}

void SimdKernel::begin_unit(Value unit) {
    unit_ = {};
    const unsigned count = shape_.across ? lanes_ : 1;
    for (unsigned lane = 0; lane < count; ++lane) {
        const Value sequence = unit * std::uint64_t{count} + std::uint64_t{lane};
        unit_.sequences.push_back(sequence);
        if (shape_.across && !shares_) unit_.live.push_back(build_.less(sequence, frame_.total));
        unit_.input.push_back(frame_.origin(sequence, Side::input));
        unit_.output.push_back(frame_.origin(sequence, Side::output));
    }
}

void SimdKernel::work_on(Value unit) {
    begin_unit(unit);
    if (!spec_.convolution.channels.is_single()) {
        run_channels();
        return;
    }
    move_in();
    run_stages(0, stages_.size());
    move_out();
}

void SimdKernel::move_in() {
    if (stages_.front().reads_memory) return;
    spec_.in.map() ? stage_in_real(stages_.front().source) : stage_in(stages_.front().source);
}

void SimdKernel::move_out() {
    if (stages_.back().writes_memory) return;
    spec_.out.map() ? stage_out_real(stages_.back().target) : stage_out(stages_.back().target);
}

void SimdKernel::run_stages(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
        const auto run_all = [&] {
            for_each(0, stages_[i].butterflies, per_iteration(), [&](Value b) { run(stages_[i], b); });
        };
        const Value together = stages_[i].turns ? spectra_are_neighbours() : Value{};
        if (!together) {
            run_all();
            continue;
        }
        build_.begin_if(together);
        spectra_together_ = true;
        run_all();
        spectra_together_ = false;
        build_.begin_else();
        run_all();
        build_.end_if();
    }
}

/// Where only the kernel's running shows whether a register's lanes lie side by side in the spectra; else empty.
Value SimdKernel::spectra_are_neighbours() {
    const auto* by = std::get_if<SpectrumProduct>(&spec_.convolution.stages.front());
    if (!by || !shape_.across || shares_ || spec_.movement_only || by->loop_strides[0] != 1) return {};
    const Value first = frame_.spectrum_address(*by, frame_.u32(0), unit_.sequences.front());
    const Value span = frame_.spectrum_address(*by, frame_.u32(0), unit_.sequences.back()) - first;
    return unit_.live.back() & build_.compare(ir::Op::equal, span, frame_.u64(lanes_ - 1));
}

void SimdKernel::choose_channel(std::uint32_t channel, Side side) {
    channel_ = channel;
    const std::uint64_t stride =
        side == Side::input ? spec_.convolution.channels.input_stride : spec_.convolution.channels.output_stride;
    for (Value& origin : side == Side::input ? unit_.input : unit_.output) origin = origin + channel * stride;
}

/// One input after the other adds its products to the sums for the outputs; then one output after the other goes
/// through the second core.
void SimdKernel::run_channels() {
    const Unit unit = unit_;
    std::size_t turn = 0;
    while (!stages_[turn].turns) ++turn;
    for (std::uint32_t i = 0; i < spec_.convolution.channels.inputs; ++i) {
        unit_ = unit;
        choose_channel(i, Side::input);
        move_in();
        run_stages(0, turn + 1);
    }
    for (std::uint32_t o = 0; o < spec_.convolution.channels.outputs; ++o) {
        unit_ = unit;
        choose_channel(o, Side::output);
        for_each(0, stages_[turn].butterflies, per_iteration(), [&](Value b) { go_on(stages_[turn], b); });
        run_stages(turn + 1, stages_.size());
        move_out();
    }
}

void SimdKernel::add_products(const SimdStage& stage, Value b, const std::vector<Complex>& x) {
    const auto& by = std::get<SpectrumProduct>(spec_.convolution.stages.front());
    for (std::uint32_t o = 0; o < spec_.convolution.channels.outputs; ++o) {
        const std::uint64_t start =
            spec_.convolution.channels.spectrum(o, channel_) * spec_.convolution.channels.spectrum_stride;
        for (std::uint32_t k = 0; k < stage.radix; ++k) {
            const std::uint64_t leg = std::uint64_t{k} * stage.butterflies;
            Complex sum = x[k];
            if (!spec_.movement_only) sum = product(frame_, by, sum, spectrum(by, b + leg, start));
            if (channel_ > 0) sum = sum + read_scratch(sums_[o], b, leg);
            write_scratch(sums_[o], b, leg, sum);
        }
    }
}

void SimdKernel::go_on(const SimdStage& stage, Value b) {
    std::vector<Complex> x;
    for (std::uint32_t k = 0; k < stage.radix; ++k) {
        const std::uint64_t leg = std::uint64_t{k} * stage.butterflies;
        Complex point = read_scratch(sums_[channel_], b, leg);
        for (std::size_t i = 1; i < spec_.convolution.stages.size(); ++i)
            point = middle_stage(spec_.convolution.stages[i], point, b + leg);
        x.push_back(point);
    }
    if (!spec_.movement_only) x = butterfly(build_, x, Products::apart);
    SimdStage end = stage;
    end.s = 1;
    store(end, b, x);
}

void SimdKernel::run(const SimdStage& stage, Value b) {
    std::vector<Complex> x = load(stage, b);
    if (!spec_.movement_only) {
        x = transformed(stage, b, x);
        if (stage.turns && spec_.convolution.channels.is_single()) turn(stage, b, x);
    }
    if (stage.turns && !spec_.convolution.channels.is_single()) {
        add_products(stage, b, x);
        return;
    }
    SimdStage end = stage;
    if (stage.turns) end.s = 1;
    store(end, b, x);
}

void SimdKernel::turn(const SimdStage& stage, Value b, std::vector<Complex>& x) {
    const Complex sum = x[0];
    for (std::uint32_t k = 0; k < stage.radix; ++k) {
        const Value element = b + std::uint64_t{k} * stage.butterflies;
        for (const Stage& between : spec_.convolution.stages) x[k] = middle_stage(between, x[k], element);
    }
    if (spec_.convolution.prime) x[0] = x[0] + exchange_beside(b, sum);
    x = butterfly(build_, x);
}

Complex SimdKernel::middle_stage(const Stage& stage, Complex x, Value element) {
    if (const auto* chirp = std::get_if<ChirpSpectrum>(&stage); chirp && lanes_ > 1 && !spec_.movement_only)
        return x * chirp_spectrum(*chirp, element);
    const auto* by = std::get_if<SpectrumProduct>(&stage);
    if (!by) return apply(frame_, {stage}, x, {element, unit_.sequences[0], {}, per_iteration()});
    return spec_.movement_only ? x : product(frame_, *by, x, spectrum(*by, element, 0));
}

/// Of a register: whole where its lanes are neighbours in the table, once where they share an element.
Complex SimdKernel::chirp_spectrum(const ChirpSpectrum& stage, Value element) {
    const SpectrumTable table{stage.length, stage.padded, stage.results};
    const auto index = [&](unsigned lane) {
        const Value own = shape_.across ? element : element + std::uint64_t{lane};
        return chirp_index(frame_, stage.element_stride, stage.loop,
                           {own, unit_.sequences[shape_.across ? lane : 0], {}});
    };
    const bool is_fastest = stage.loop == 0 && shares_;
    if (shape_.across ? is_fastest : stage.element_stride == 1) return frame_.table_run(table, index(0), lanes_);
    if (shape_.across && shares_) return splat(frame_.table_entry(table, index(0)));
    std::vector<Value> re, im;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
        const Complex w = frame_.table_entry(table, index(lane), unit_.live.empty() ? Value{} : unit_.live[lane]);
        re.push_back(w.re);
        im.push_back(w.im);
    }
    const Value all = compose_lanes(re);
    return {all, compose_lanes(im)};
}

/// Of a register: whole where its lanes are neighbours in the spectra, once where they share an element.
Complex SimdKernel::spectrum(const SpectrumProduct& stage, Value element, std::uint64_t start) {
    const Value at = frame_.spectrum_address(stage, element, unit_.sequences[0]) + start;
    if (lanes_ == 1) return frame_.spectrum_run(at, 1, unit_.live.empty() ? Value{} : unit_.live[0]);
    const auto& strides = stage.loop_strides;
    const bool shares_all = std::all_of(strides.begin(), strides.end(), [](std::int64_t s) { return s == 0; });
    const bool is_shared = shape_.across && (shares_all || (shares_ && strides[0] == 0));
    if (is_shared) {
        return splat(frame_.spectrum_run(at, 1, {}));
    }
    if (shape_.across ? spectra_together_ || (shares_ && strides[0] == 1) : stage.element_stride == 1)
        return frame_.spectrum_run(at, lanes_, {});
    std::vector<Value> re, im;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
        const Value sequence = unit_.sequences[shape_.across ? lane : 0];
        const Value own = shape_.across ? element : element + std::uint64_t{lane};
        const Complex x = frame_.spectrum_run(frame_.spectrum_address(stage, own, sequence) + start, 1,
                                              unit_.live.empty() ? Value{} : unit_.live[lane]);
        re.push_back(x.re);
        im.push_back(x.im);
    }
    const Value all = compose_lanes(re);
    return {all, compose_lanes(im)};
}

/// Point 0 of a prime where the register has frequency 0, else 0. The sum of all points goes out as frequency 0.
Complex SimdKernel::exchange_beside(Value b, Complex sum) {
    const Value is_first = build_.compare(ir::Op::equal, b, frame_.u32(0));
    const Value at = frame_.u32(0);
    const Complex point = read_scratch(stages_.front().source, at, spec_.n, is_first);
    const Complex all = point + sum;
    const std::uint32_t array = stages_.back().target;
    const Value re = shape_.across ? all.re : build_.extract(all.re, 0);
    const Value im = shape_.across ? all.im : build_.extract(all.im, 0);
    const std::uint64_t start = std::uint64_t{spec_.n} * per_point();
    build_.shared_store(array, frame_.u32(start), re, is_first);
    build_.shared_store(array, frame_.u32(start + std::uint64_t{plane_points()} * per_point()), im, is_first);
    return point;
}

std::vector<Complex> SimdKernel::load(const SimdStage& stage, Value b) {
    std::vector<Complex> x;
    for (std::uint32_t j = 0; j < stage.radix; ++j) {
        const std::uint64_t leg = std::uint64_t{j} * stage.butterflies;
        x.push_back(stage.reads_memory ? load_vector(b, leg) : read_scratch(stage.source, b, leg));
        if (stage.number == 0 && spec_.in.has_halves()) x.back() = from_halves(b + leg, x.back());
    }
    return x;
}

Complex SimdKernel::read_scratch(std::uint32_t array, Value index, std::uint64_t constant, Value predicate) {
    const Value at = index * std::uint64_t{per_point()} + constant * per_point();
    const ir::Type type = frame_.real.with_lanes(lanes_);
    const Value re = build_.shared_load(array, at, type, predicate);
    return {re, build_.shared_load(array, at + std::uint64_t{plane_points()} * per_point(), type, predicate)};
}

void SimdKernel::write_scratch(std::uint32_t array, Value index, std::uint64_t constant, Complex y) {
    const Value at = index * std::uint64_t{per_point()} + constant * per_point();
    build_.shared_store(array, at, y.re);
    build_.shared_store(array, at + std::uint64_t{plane_points()} * per_point(), y.im);
}

/// Row `row` of the stage's table, for butterflies b to b + lanes - 1, or for b in all lanes.
Complex SimdKernel::stage_factor(const StageTwiddles& table, const SimdStage& stage, Value b, std::size_t row) {
    const Value p = b % std::uint64_t{stage.s};
    if (shape_.across) {
        const Complex w = frame_.table_entry(table, p + std::uint64_t{row} * stage.s);
        const Value re = build_.splat(w.re, lanes_);
        return {re, build_.splat(w.im, lanes_)};
    }
    const TableSection& section = find_section(frame_.sections, table);
    const Value start = stage.s >= lanes_ ? p : frame_.u32(0);
    const std::uint64_t entries = section.offset + std::uint64_t{row} * std::max(stage.s, lanes_);
    const Value at = frame_.widen(start) * std::uint64_t{2} + 2 * entries;
    const ir::Type type = frame_.real.with_lanes(lanes_);
    const Value re = build_.global_load(frame_.table, at, type);
    return {re, build_.global_load(frame_.table, at + std::uint64_t{lanes_}, type)};
}

std::vector<Complex> SimdKernel::transformed(const SimdStage& stage, Value b, const std::vector<Complex>& x) {
    if (stage.s == 1 || stage.radix == 1) return butterfly(build_, x, Products::apart);
    const StageTwiddles table{stage.radix, stage.s, shape_.across ? 1 : lanes_};
    const auto factor = [&](std::size_t j) { return stage_factor(table, stage, b, j - 1); };
    return butterfly(build_, x, factor, Products::apart);
}

void SimdKernel::store(const SimdStage& stage, Value b, const std::vector<Complex>& y) {
    if (!stage.writes_memory) {
        store_scratch(stage, b, y);
        return;
    }
    for (std::uint32_t k = 0; k < stage.radix; ++k) store_vector(b, std::uint64_t{k} * stage.butterflies, y[k]);
}

/// Results go to q r s + k s + p. Runs of s shorter than a register are put in order by shuffles first.
void SimdKernel::store_scratch(const SimdStage& stage, Value b, const std::vector<Complex>& y) {
    const auto finished = [&](Value at, std::uint64_t constant, const Complex& point) {
        return stage.number + 1 == stages_.size() && spec_.out.has_halves() ? to_halves(at + constant, point) : point;
    };
    if (!shape_.across && stage.s < lanes_) {
        std::vector<Value> re, im;
        for (const Complex& point : y) {
            re.push_back(point.re);
            im.push_back(point.im);
        }
        re = interleave(build_, re, stage.s);
        im = interleave(build_, im, stage.s);
        const Value first = b * std::uint64_t{stage.radix};
        for (std::uint32_t m = 0; m < stage.radix; ++m) {
            const std::uint64_t behind = std::uint64_t{m} * lanes_;
            write_scratch(stage.target, first, behind, finished(first, behind, {re[m], im[m]}));
        }
        return;
    }
    const Value p = b % std::uint64_t{stage.s}, q = b / std::uint64_t{stage.s};
    const Value base = q * (std::uint64_t{stage.radix} * stage.s) + p;
    for (std::uint32_t k = 0; k < stage.radix; ++k) {
        const std::uint64_t behind = std::uint64_t{k} * stage.s;
        write_scratch(stage.target, base, behind, finished(base, behind, y[k]));
    }
}

ir::Kernel generate_simd(const KernelSpec& spec) { return SimdKernel(spec).build(); }

}  // namespace seiche::kernels

// The CPU core: Stockham's transform with explicit SIMD registers, one thread a group, no barrier. Lanes carry either neighbouring
// butterflies of one sequence or neighbouring sequences; results of a stage go to a scratch array that stays in the first caches.
#include <algorithm>

#include "kernels/butterfly.hpp"
#include "kernels/frame.hpp"
#include "kernels/generate.hpp"
#include "kernels/lanes.hpp"
#include "kernels/pointwise.hpp"
#include "kernels/tables.hpp"
#include "seiche/error.hpp"

namespace seiche::kernels {

namespace {

using ir::Complex;
using ir::Value;

class BundleKernel {
public:
    explicit BundleKernel(const KernelSpec& spec)
        : frame_(spec, 1),
          spec_(spec),
          shape_(std::get<BundleShape>(spec.shape)),
          build_(frame_.builder),
          lanes_(shape_.lanes),
          shares_(lanes_share_outer_indices(spec)) {}

    ir::Kernel build();

private:
    struct StageDeal {
        std::uint32_t radix = 1, s = 1, butterflies = 1;
        bool is_first = false, is_last = false;
        std::uint32_t source = 0, target = 0;    // scratch arrays
    };
    /// Addresses of the unit at work.
    struct Unit {
        std::vector<Value> sequences;            // one, or one per lane
        std::vector<Value> live;                 // per lane; empty: the lane always exists
        std::vector<Value> input, output;        // origins, as many as sequences that are needed
    };

    void deal_stages();
    void check_lanes(const StageDeal& stage) const;
    void work_on(Value unit);
    void run(const StageDeal& stage, Value b);
    std::vector<Complex> load(const StageDeal& stage, Value b);
    Complex load_together(Value b, std::uint64_t leg);
    Complex load_by_lane(Value b, std::uint64_t leg);
    Complex lane_twiddle(const FourStepTwiddle& t, Complex x, const Place& place);
    void multiply_twiddles(const StageDeal& stage, Value b, std::vector<Complex>& x);
    void store(const StageDeal& stage, Value b, const std::vector<Complex>& y);
    void store_together(Value b, std::uint64_t leg, Complex y);
    void store_by_lane(Value b, std::uint64_t leg, Complex y);
    void store_scratch(const StageDeal& stage, Value b, const std::vector<Complex>& y);
    Complex read_scratch(std::uint32_t array, Value index, std::uint64_t constant);
    void write_scratch(std::uint32_t array, Value index, std::uint64_t constant, Complex y);
    /// Sequence, point and predicate of one lane.
    Place lane_place(Value b, std::uint64_t leg, unsigned lane);
    Value lane_origin(unsigned lane, Side side) { return side == Side::input ? unit_.input[slot(lane)] : unit_.output[slot(lane)]; }
    std::size_t slot(unsigned lane) const { return unit_.sequences.size() == 1 ? 0 : lane; }
    Value lane_predicate(const std::vector<Stage>& stages, const Place& place, unsigned lane);
    bool is_contiguous(Side side) const;

    std::uint32_t per_point() const { return shape_.across ? lanes_ : 1; }
    std::uint32_t per_iteration() const { return shape_.across ? 1 : lanes_; }

    Frame frame_;
    const KernelSpec& spec_;
    const BundleShape& shape_;
    ir::Builder& build_;
    unsigned lanes_;
    bool shares_;
    std::vector<StageDeal> stages_;
    Unit unit_;
};

bool depends_on_lane(const std::vector<Stage>& stages, bool across) {
    return std::any_of(stages.begin(), stages.end(), [across](const Stage& stage) {
        const Chirp* chirp = std::get_if<Chirp>(&stage);
        const ChirpSpectrum* spectrum = std::get_if<ChirpSpectrum>(&stage);
        if (!across) return chirp || spectrum || std::holds_alternative<FourStepTwiddle>(stage);
        return (chirp && chirp->loop == 0) || (spectrum && spectrum->loop == 0);
    });
}

/// True if the lanes of a vector lie side by side in memory and pass through the same stages.
bool BundleKernel::is_contiguous(Side side) const {
    const bool is_input = side == Side::input;
    if (lanes_ == 1) return true;
    if (depends_on_lane(is_input ? spec_.load : spec_.store, shape_.across)) return false;
    if (!shape_.across) return (is_input ? spec_.input_stride : spec_.output_stride) == 1;
    return shares_ && (is_input ? spec_.loops[0].input_stride : spec_.loops[0].output_stride) == 1;
}

void BundleKernel::deal_stages() {
    std::uint32_t s = 1;
    const std::size_t count = spec_.radices.size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t radix = spec_.radices[i];
        stages_.push_back({radix, s, spec_.n / radix, i == 0, i + 1 == count, static_cast<std::uint32_t>((i + 1) % 2),
                          static_cast<std::uint32_t>(i % 2)});
        check_lanes(stages_.back());
        s *= radix;
    }
    const std::uint32_t extent = 2 * spec_.n * per_point();
    if (count > 1) build_.shared_array("scratch_a", frame_.real, extent);
    if (count > 2) build_.shared_array("scratch_b", frame_.real, extent);
}

void BundleKernel::check_lanes(const StageDeal& stage) const {
    if (shape_.across) return;
    const bool fits = stage.butterflies % lanes_ == 0 && (stage.s % lanes_ == 0 || lanes_ % stage.s == 0);
    if (!fits) throw InternalError("kernel '" + spec_.name + "': these radices do not fill the lanes: " + to_string(spec_));
}

ir::Kernel BundleKernel::build() {
    deal_stages();
    const Value units = shape_.across ? (frame_.total + std::uint64_t{lanes_ - 1}) / std::uint64_t{lanes_} : frame_.total;
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

void BundleKernel::work_on(Value unit) {
    unit_ = {};
    const unsigned count = shape_.across ? lanes_ : 1;
    for (unsigned lane = 0; lane < count; ++lane) {
        const Value sequence = unit * std::uint64_t{count} + std::uint64_t{lane};
        unit_.sequences.push_back(sequence);
        if (shape_.across && !shares_ && lanes_ > 1) unit_.live.push_back(build_.less(sequence, frame_.total));
        unit_.input.push_back(frame_.origin(sequence, Side::input));
        unit_.output.push_back(frame_.origin(sequence, Side::output));
    }
    for (const StageDeal& stage : stages_) {
        if (stage.butterflies == per_iteration()) {
            run(stage, frame_.u32(0));
            continue;
        }
        const Value b = build_.begin_loop(frame_.u32(0), frame_.u32(stage.butterflies), frame_.u32(per_iteration()));
        run(stage, b);
        build_.end_loop();
    }
}

void BundleKernel::run(const StageDeal& stage, Value b) {
    std::vector<Complex> x = load(stage, b);
    if (!spec_.movement_only) {
        if (stage.s > 1 && stage.radix > 1) multiply_twiddles(stage, b, x);
        x = butterfly(build_, x);
    }
    store(stage, b, x);
}

std::vector<Complex> BundleKernel::load(const StageDeal& stage, Value b) {
    std::vector<Complex> x;
    for (std::uint32_t j = 0; j < stage.radix; ++j) {
        const std::uint64_t leg = std::uint64_t{j} * stage.butterflies;
        if (!stage.is_first) {
            x.push_back(read_scratch(stage.source, b, leg));
        } else {
            x.push_back(is_contiguous(Side::input) ? load_together(b, leg) : load_by_lane(b, leg));
        }
    }
    return x;
}

Complex BundleKernel::read_scratch(std::uint32_t array, Value index, std::uint64_t constant) {
    const Value at = index * std::uint64_t{per_point()} + constant * per_point();
    const ir::Type type = frame_.real.with_lanes(lanes_);
    return {build_.shared_load(array, at, type),
            build_.shared_load(array, at + std::uint64_t{spec_.n} * per_point(), type)};
}

void BundleKernel::write_scratch(std::uint32_t array, Value index, std::uint64_t constant, Complex y) {
    const Value at = index * std::uint64_t{per_point()} + constant * per_point();
    build_.shared_store(array, at, y.re);
    build_.shared_store(array, at + std::uint64_t{spec_.n} * per_point(), y.im);
}

Place BundleKernel::lane_place(Value b, std::uint64_t leg, unsigned lane) {
    const std::uint64_t step = shape_.across ? 0 : lane;
    return {b + (leg + step), unit_.sequences[slot(lane)], unit_.live.empty() ? Value{} : unit_.live[lane]};
}

Value BundleKernel::lane_predicate(const std::vector<Stage>& stages, const Place& place, unsigned lane) {
    const Value inside = within(frame_, stages, place);
    const Value live = unit_.live.empty() ? Value{} : unit_.live[lane];
    return !inside ? live : !live ? inside : inside & live;
}

/// One vector from consecutive memory. The first lane stands for all.
Complex BundleKernel::load_together(Value b, std::uint64_t leg) {
    const Place place = lane_place(b, leg, 0);
    const Value at = frame_.address(lane_origin(0, Side::input), b, leg, Side::input);
    Complex x = load_interleaved(build_, frame_.in, at, lanes_, lane_predicate(spec_.load, place, 0));
    for (const Stage& stage : spec_.load) {
        const FourStepTwiddle* t = std::get_if<FourStepTwiddle>(&stage);
        const bool by_lane = t && t->loop == 0 && lanes_ > 1 && !spec_.movement_only;
        x = by_lane ? lane_twiddle(*t, x, place) : apply(frame_, {stage}, x, place);
    }
    return x;
}

/// w^(j (q0 + lane)) = w^(j q0) w^(j lane): one factor for all lanes, one for every unit.
Complex BundleKernel::lane_twiddle(const FourStepTwiddle& t, Complex x, const Place& place) {
    const std::uint32_t blocks = static_cast<std::uint32_t>(spec_.loops[0].count / lanes_);
    const Value block = frame_.loop_index(place.sequence, 0) / std::uint64_t{lanes_};
    const Complex shared =
        frame_.table_entry(BlockTwiddles{t.length, spec_.n, blocks, lanes_}, place.element * std::uint64_t{blocks} + block);
    const TableSection section = find_section(frame_.sections, LaneTwiddles{t.length, spec_.n, lanes_});
    const Value row = frame_.widen(place.element) * std::uint64_t{2 * lanes_} + 2 * section.offset;
    const ir::Type type = frame_.real.with_lanes(lanes_);
    const Complex own{build_.global_load(frame_.table, row, type),
                      build_.global_load(frame_.table, row + std::uint64_t{lanes_}, type)};
    return x * (own * Complex{build_.splat(shared.re, lanes_), build_.splat(shared.im, lanes_)});
}

Complex BundleKernel::load_by_lane(Value b, std::uint64_t leg) {
    std::vector<Value> re, im;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
        const Place place = lane_place(b, leg, lane);
        const std::uint64_t step = shape_.across ? 0 : lane;
        const Value at = frame_.address(lane_origin(lane, Side::input), b, leg + step, Side::input);
        const Value predicate = lane_predicate(spec_.load, place, lane);
        const Complex x = apply(frame_, spec_.load, load_interleaved(build_, frame_.in, at, 1, predicate), place);
        re.push_back(x.re);
        im.push_back(x.im);
    }
    return {compose_lanes(re), compose_lanes(im)};
}

void BundleKernel::multiply_twiddles(const StageDeal& stage, Value b, std::vector<Complex>& x) {
    const Value p = b % std::uint64_t{stage.s};
    if (shape_.across) {
        for (std::uint32_t j = 1; j < stage.radix; ++j) {
            const Complex w = frame_.table_entry(StageTwiddles{stage.radix, stage.s, 1}, p + std::uint64_t{j - 1} * stage.s);
            x[j] = x[j] * Complex{build_.splat(w.re, lanes_), build_.splat(w.im, lanes_)};
        }
        return;
    }
    const TableSection section = find_section(frame_.sections, StageTwiddles{stage.radix, stage.s, lanes_});
    const std::uint64_t row = std::max(stage.s, lanes_);
    const Value start = stage.s >= lanes_ ? p : frame_.u32(0);
    const ir::Type type = frame_.real.with_lanes(lanes_);
    for (std::uint32_t j = 1; j < stage.radix; ++j) {
        const Value at = frame_.widen(start) * std::uint64_t{2} + 2 * (section.offset + (j - 1) * row);
        const Complex w{build_.global_load(frame_.table, at, type),
                        build_.global_load(frame_.table, at + std::uint64_t{lanes_}, type)};
        x[j] = x[j] * w;
    }
}

void BundleKernel::store(const StageDeal& stage, Value b, const std::vector<Complex>& y) {
    if (!stage.is_last) {
        store_scratch(stage, b, y);
        return;
    }
    for (std::uint32_t k = 0; k < stage.radix; ++k) {
        const std::uint64_t leg = std::uint64_t{k} * stage.butterflies;
        if (is_contiguous(Side::output)) {
            store_together(b, leg, y[k]);
        } else {
            store_by_lane(b, leg, y[k]);
        }
    }
}

/// Results go to q r s + k s + p. Runs of s shorter than a register are put in order by shuffles first.
void BundleKernel::store_scratch(const StageDeal& stage, Value b, const std::vector<Complex>& y) {
    if (!shape_.across && stage.s < lanes_) {
        std::vector<Value> re, im;
        for (const Complex& point : y) {
            re.push_back(point.re);
            im.push_back(point.im);
        }
        re = interleave(build_, re, stage.s);
        im = interleave(build_, im, stage.s);
        for (std::uint32_t m = 0; m < stage.radix; ++m) {
            write_scratch(stage.target, b * std::uint64_t{stage.radix}, std::uint64_t{m} * lanes_, {re[m], im[m]});
        }
        return;
    }
    const Value p = b % std::uint64_t{stage.s}, q = b / std::uint64_t{stage.s};
    const Value base = q * (std::uint64_t{stage.radix} * stage.s) + p;
    for (std::uint32_t k = 0; k < stage.radix; ++k) write_scratch(stage.target, base, std::uint64_t{k} * stage.s, y[k]);
}

void BundleKernel::store_together(Value b, std::uint64_t leg, Complex y) {
    const Place place = lane_place(b, leg, 0);
    y = apply(frame_, spec_.store, y, place);
    const Value at = frame_.address(lane_origin(0, Side::output), b, leg, Side::output);
    store_interleaved(build_, frame_.out, at, y, lane_predicate(spec_.store, place, 0));
}

void BundleKernel::store_by_lane(Value b, std::uint64_t leg, Complex y) {
    for (unsigned lane = 0; lane < lanes_; ++lane) {
        const Place place = lane_place(b, leg, lane);
        const std::uint64_t step = shape_.across ? 0 : lane;
        const Value at = frame_.address(lane_origin(lane, Side::output), b, leg + step, Side::output);
        Complex point{build_.extract(y.re, lane), build_.extract(y.im, lane)};
        point = apply(frame_, spec_.store, point, place);
        store_interleaved(build_, frame_.out, at, point, lane_predicate(spec_.store, place, lane));
    }
}

}  // namespace

ir::Kernel generate_bundle(const KernelSpec& spec) { return BundleKernel(spec).build(); }

}  // namespace seiche::kernels

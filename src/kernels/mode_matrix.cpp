// A pass without a core: a matrix of weights between channels, of its own for each mode of a spectrum. Neighbouring
// threads have neighbouring modes. A thread sums several outputs of several arrays, so that it uses what it loads
// several times, and threads of a group with other outputs of the same modes find their inputs in a cache.
#include <algorithm>
#include <vector>

#include "kernels/frame.hpp"
#include "kernels/generators.hpp"

namespace seiche::kernels {

namespace {

using ir::Complex;
using ir::Value;

constexpr std::uint32_t inputs_of_turn = 4;  // of the loop over inputs
constexpr std::uint32_t most_unrolled = 8;   // inputs without a loop

class ModeMatrixKernel {
public:
    explicit ModeMatrixKernel(const KernelSpec& spec)
        : frame_(spec, 2),
          build_(frame_.builder),
          spec_(spec),
          channels_(spec.convolution.channels),
          matrix_(*spec.mode_matrix()),
          modes_(sequences_per_batch(spec)),
          in_distance_(spec.loops.back().input_stride),
          out_distance_(spec.loops.back().output_stride) {}

    ir::Kernel build() {
        const ModeGroups groups(spec_);
        const auto* group = std::get_if<GroupShape>(&spec_.shape);
        if (group) {
            build_.kernel().launch.group = {group->threads * group->sequences, 1, 1};
            build_.kernel().launch.min_groups_per_unit = group->min_groups_per_unit;
        }
        const Value id = build_.group_id();
        const Value first_mode = id % groups.modes * sequences_per_group(spec_);
        const Value outputs = id / groups.modes % groups.outputs;
        array_ = id / (groups.modes * groups.outputs) * groups.arrays_each;
        arrays_ = frame_.total / modes_;
        if (group) {
            const Value thread = build_.thread_id();
            mode_ = first_mode + thread % std::uint64_t{group->sequences};
            output_ = (outputs * std::uint64_t{group->threads} + thread / std::uint64_t{group->sequences}) *
                      std::uint64_t{matrix_.outputs_of_thread};
            exists_ = build_.less(mode_, frame_.u32(modes_)) & build_.less(output_, frame_.u32(channels_.outputs));
            make_sums();
            return build_.finish();
        }
        const SimdShape& simd = std::get<SimdShape>(spec_.shape);
        lanes_ = simd.lanes;
        output_ = outputs * std::uint64_t{matrix_.outputs_of_thread};
        exists_ = build_.boolean(true);
        const Value last = build_.binary(ir::Op::min, first_mode + sequences_per_group(spec_), frame_.u32(modes_));
        mode_ = build_.begin_loop(first_mode, last, frame_.u32(lanes_));
        make_sums();
        build_.end_loop();
        return build_.finish();
    }

private:
    /// From a weight to that of the next output, and of the next input.
    std::uint64_t output_weights() const { return matrix_.is_adjoint ? channels_.inputs * modes_ : modes_; }
    std::uint64_t input_weights() const { return matrix_.is_adjoint ? modes_ : channels_.outputs * modes_; }
    std::uint32_t sums() const { return matrix_.outputs_of_thread * matrix_.arrays_of_thread; }

    /// What of this thread is there: of its outputs, and of its arrays.
    Value has_output(std::uint32_t o) {
        if (channels_.outputs % matrix_.outputs_of_thread == 0) return exists_;
        return exists_ & build_.less(output_ + std::uint64_t{o}, frame_.u32(channels_.outputs));
    }
    Value has_array(std::uint32_t a) { return exists_ & build_.less(array_ + std::uint64_t{a}, arrays_); }

    void make_sums() {
        // The batch's index of a mode by itself is 0.
        const Value array = frame_.widen(array_);
        const auto begin = [&](Side side, std::int64_t distance) {
            return frame_.origin(mode_, side) + array * static_cast<std::uint64_t>(distance);
        };
        from_ = matrix_.is_input_dense ? frame_.widen(mode_) + array * static_cast<std::uint64_t>(in_distance_)
                                       : begin(Side::input, in_distance_);
        weights_ = frame_.widen(output_) * output_weights() + frame_.widen(mode_);
        std::vector<Complex> sum(sums(), build_.complex_constant(frame_.real.with_lanes(lanes_), 0, 0));
        const std::uint32_t turns = channels_.inputs <= most_unrolled ? 0 : channels_.inputs / inputs_of_turn;
        if (turns > 0) add_turns(turns, sum);
        for (std::uint32_t i = turns * inputs_of_turn; i < channels_.inputs; ++i) add_input(frame_.u32(i), sum);
        const Value to = begin(Side::output, out_distance_) + frame_.widen(output_) * channels_.output_stride;
        for (std::uint32_t a = 0; a < matrix_.arrays_of_thread; ++a)
            for (std::uint32_t o = 0; o < matrix_.outputs_of_thread; ++o) {
                const Value at = to + static_cast<std::uint64_t>(out_distance_ * a) + channels_.output_stride * o;
                frame_.store(at, sum[a * matrix_.outputs_of_thread + o], has_array(a) & has_output(o));
            }
    }

    /// Sums outlive a turn in an array of the thread's own.
    void add_turns(std::uint32_t turns, std::vector<Complex>& sum) {
        const ir::Type type = frame_.real.with_lanes(lanes_);
        const std::uint32_t held = build_.private_array("sums", type, 2 * sums());
        const auto place = [&](std::uint32_t number) { return frame_.u32(number); };
        const auto keep = [&] {
            for (std::uint32_t s = 0; s < sums(); ++s) {
                build_.private_store(held, place(2 * s), sum[s].re);
                build_.private_store(held, place(2 * s + 1), sum[s].im);
            }
        };
        const auto take = [&] {
            for (std::uint32_t s = 0; s < sums(); ++s)
                sum[s] = {build_.private_load(held, place(2 * s), type),
                          build_.private_load(held, place(2 * s + 1), type)};
        };
        keep();
        const Value first = build_.begin_loop(frame_.u32(0), frame_.u32(std::uint64_t{turns} * inputs_of_turn),
                                              frame_.u32(inputs_of_turn));
        take();
        for (std::uint32_t i = 0; i < inputs_of_turn; ++i) add_input(first + std::uint64_t{i}, sum);
        keep();
        build_.end_loop();
        take();
    }

    void add_input(Value input, std::vector<Complex>& sum) {
        const Value from = from_ + frame_.widen(input) * channels_.input_stride;
        const Value weights = weights_ + frame_.widen(input) * input_weights();
        std::vector<Complex> x, w;
        for (std::uint32_t a = 0; a < matrix_.arrays_of_thread; ++a)
            x.push_back(frame_.load(from + static_cast<std::uint64_t>(in_distance_ * a), lanes_, has_array(a)));
        for (std::uint32_t o = 0; o < matrix_.outputs_of_thread; ++o)
            w.push_back(frame_.spectrum_run(weights + output_weights() * o, lanes_, has_output(o)));
        if (matrix_.is_adjoint)
            for (Complex& weight : w) weight.im = -weight.im;
        for (std::uint32_t a = 0; a < x.size(); ++a) {
            const Value minus = -x[a].im;
            for (std::uint32_t o = 0; o < w.size(); ++o) {
                Complex& s = sum[a * matrix_.outputs_of_thread + o];
                s.re = build_.mad(minus, w[o].im, build_.mad(x[a].re, w[o].re, s.re));
                s.im = build_.mad(x[a].im, w[o].re, build_.mad(x[a].re, w[o].im, s.im));
            }
        }
    }

    Frame frame_;
    ir::Builder& build_;
    const KernelSpec& spec_;
    const Channels& channels_;
    const ModeMatrix& matrix_;
    const std::uint64_t modes_;
    const std::int64_t in_distance_, out_distance_;
    unsigned lanes_ = 1;
    Value mode_, output_, array_, arrays_, exists_, from_, weights_;  // of this thread
};

}  // namespace

ir::Kernel generate_mode_matrix(const KernelSpec& spec) { return ModeMatrixKernel(spec).build(); }

}  // namespace seiche::kernels

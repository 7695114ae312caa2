// A pass without a core: the gradient of a matrix of weights, of its own for each mode of a spectrum. For each mode it
// is the product of two small matrices, channels by batch. Neighbouring threads have neighbouring modes; a thread has a
// tile of inputs and outputs in its registers and sums over the batch in order, so that results are always the same.
#include <vector>

#include "kernels/frame.hpp"
#include "kernels/generators.hpp"

namespace seiche::kernels {

namespace {

using ir::Complex;
using ir::Value;

class ModeGradientKernel {
public:
    explicit ModeGradientKernel(const KernelSpec& spec)
        : frame_(spec, 2),
          build_(frame_.builder),
          spec_(spec),
          channels_(spec.convolution.channels),
          gradient_(*spec.mode_gradient()),
          modes_(sequences_per_batch(spec)) {}

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
        input_ = id / (groups.modes * groups.outputs) * groups.arrays_each;
        arrays_ = frame_.total / modes_;
        if (group) {
            const Value thread = build_.thread_id();
            mode_ = first_mode + thread % std::uint64_t{group->sequences};
            output_ = (outputs * std::uint64_t{group->threads} + thread / std::uint64_t{group->sequences}) *
                      std::uint64_t{gradient_.outputs_of_thread};
            exists_ = build_.less(mode_, frame_.u32(modes_)) & build_.less(output_, frame_.u32(channels_.outputs));
            make_tile();
            return build_.finish();
        }
        lanes_ = std::get<SimdShape>(spec_.shape).lanes;
        output_ = outputs * std::uint64_t{gradient_.outputs_of_thread};
        exists_ = build_.boolean(true);
        const Value last = build_.binary(ir::Op::min, first_mode + sequences_per_group(spec_), frame_.u32(modes_));
        mode_ = build_.begin_loop(first_mode, last, frame_.u32(lanes_));
        make_tile();
        build_.end_loop();
        return build_.finish();
    }

private:
    std::uint32_t sums() const { return gradient_.inputs_of_thread * gradient_.outputs_of_thread; }
    ir::Type real() const { return frame_.real.with_lanes(lanes_); }

    /// What of this thread is there, where channels are no multiple of its own.
    Value has(Value first, std::uint32_t place, std::uint32_t each, std::uint32_t count) {
        if (count % each == 0) return exists_;
        return exists_ & build_.less(first + std::uint64_t{place}, frame_.u32(count));
    }
    Value has_input(std::uint32_t i) { return has(input_, i, gradient_.inputs_of_thread, channels_.inputs); }
    Value has_output(std::uint32_t o) { return has(output_, o, gradient_.outputs_of_thread, channels_.outputs); }

    void make_tile() {
        // Sums outlive a turn in an array of the thread's own.
        const std::uint32_t held = build_.private_array("sums", real(), 2 * sums());
        const Value zero = build_.constant(real(), 0);
        for (std::uint32_t s = 0; s < 2 * sums(); ++s) build_.private_store(held, frame_.u32(s), zero);
        add_arrays(held);
        const Value factor = factor_of_mode();
        const Value to = (frame_.widen(input_) * std::uint64_t{channels_.outputs} + frame_.widen(output_)) * modes_ +
                         frame_.widen(mode_);
        for (std::uint32_t i = 0; i < gradient_.inputs_of_thread; ++i)
            for (std::uint32_t o = 0; o < gradient_.outputs_of_thread; ++o) {
                const Complex sum = taken(held, i * gradient_.outputs_of_thread + o);
                frame_.store(to + modes_ * (std::uint64_t{i} * channels_.outputs + o),
                             {sum.re * factor, sum.im * factor}, has_input(i) & has_output(o));
            }
    }

    Complex taken(std::uint32_t held, std::uint32_t s) {
        return {build_.private_load(held, frame_.u32(2 * s), real()),
                build_.private_load(held, frame_.u32(2 * s + 1), real())};
    }

    void add_arrays(std::uint32_t held) {
        const Value array = build_.begin_loop(frame_.u32(0), arrays_, frame_.u32(1));
        const auto begin = [&](Value channel, std::uint64_t channels) {
            return (frame_.widen(array) * channels + frame_.widen(channel)) * modes_ + frame_.widen(mode_);
        };
        const Value from = begin(input_, channels_.inputs), gradients = begin(output_, channels_.outputs);
        std::vector<Complex> x, g;
        for (std::uint32_t i = 0; i < gradient_.inputs_of_thread; ++i)
            x.push_back(frame_.load(from + modes_ * i, lanes_, has_input(i)));
        for (std::uint32_t o = 0; o < gradient_.outputs_of_thread; ++o)
            g.push_back(frame_.spectrum_run(gradients + modes_ * o, lanes_, has_output(o)));
        for (std::uint32_t i = 0; i < x.size(); ++i) {
            const Value minus = -x[i].im;
            for (std::uint32_t o = 0; o < g.size(); ++o) {
                const std::uint32_t s = i * gradient_.outputs_of_thread + o;
                const Complex sum = taken(held, s);
                build_.private_store(held, frame_.u32(2 * s),
                                     build_.mad(x[i].im, g[o].im, build_.mad(x[i].re, g[o].re, sum.re)));
                build_.private_store(held, frame_.u32(2 * s + 1),
                                     build_.mad(minus, g[o].re, build_.mad(x[i].re, g[o].im, sum.im)));
            }
        }
        build_.end_loop();
    }

    /// The scale, and 2 for what stands for its mirror: all modes of a halved axis but 0 and the one in the middle.
    Value factor_of_mode() {
        const std::uint64_t row = spec_.loops.front().count;
        const auto is_once = [&](std::uint64_t place) {
            const std::uint64_t k = gradient_.first + place;
            return gradient_.halved == 0 || k == 0 || 2 * k == gradient_.halved;
        };
        const Value once = build_.constant(real(), gradient_.scale);
        if (gradient_.halved == 0) return once;
        const Value twice = build_.constant(real(), 2 * gradient_.scale);
        if (row == 1) return is_once(0) ? once : twice;
        const Value place = mode_ % row;
        Value factor = twice;
        for (std::uint64_t begin = 0; begin < row; begin += lanes_) {
            std::vector<unsigned> pattern;  // of the lanes of `twice`, then those of `once`
            bool has_once = false;
            for (unsigned lane = 0; lane < lanes_; ++lane) {
                pattern.push_back(is_once(begin + lane) ? lane + lanes_ : lane);
                has_once = has_once || is_once(begin + lane);
            }
            if (!has_once) continue;
            const Value mixed = lanes_ == 1 ? once : build_.shuffle(twice, once, pattern);
            factor = build_.select(build_.compare(ir::Op::equal, place, frame_.u32(begin)), mixed, factor);
        }
        return factor;
    }

    Frame frame_;
    ir::Builder& build_;
    const KernelSpec& spec_;
    const Channels& channels_;
    const ModeGradient& gradient_;
    const std::uint64_t modes_;
    unsigned lanes_ = 1;
    Value mode_, input_, output_, arrays_, exists_;  // of this thread
};

}  // namespace

ir::Kernel generate_mode_gradient(const KernelSpec& spec) { return ModeGradientKernel(spec).build(); }

}  // namespace seiche::kernels

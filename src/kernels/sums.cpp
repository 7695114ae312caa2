// Passes without a core that sum: over the bins of a spectrum in memory, and over partial sums.
#include "kernels/sums.hpp"

#include "kernels/generators.hpp"
#include "kernels/pointwise.hpp"

namespace seiche::kernels {

using ir::Value;

void begin_sums(Frame& frame, const KernelSpec& spec) {
    const ir::Type type = frame.builder.kernel().buffers[frame.partials].element;
    frame.sums.assign(sum_count(spec), frame.builder.constant(type, 0));
}

void add_among_threads(Frame& frame, const Summands& threads) {
    if (threads.count == 1) return;
    ir::Builder& build = frame.builder;
    const ir::Type type = frame.sums.front().type();
    const std::uint32_t array = build.shared_array("partial_sums", type, threads.places);
    for (Value& sum : frame.sums) {
        if (&sum != &frame.sums.front()) build.group_barrier();  // others may still read what they have of the last one
        build.shared_store(array, threads.place, sum);
        for (std::uint32_t count = threads.count; count > 1;) {
            const std::uint32_t half = (count + 1) / 2;
            build.group_barrier();
            const Value has_other = build.less(threads.position + std::uint64_t{half}, frame.u32(count));
            sum = sum + build.shared_load(array, threads.place + std::uint64_t{half} * threads.stride, type, has_other);
            if (half > 1) build.shared_store(array, threads.place, sum, build.less(threads.position, frame.u32(half)));
            count = half;
        }
    }
}

void store_partials(Frame& frame, Value first, Value predicate) {
    for (std::size_t i = 0; i < frame.sums.size(); ++i)
        frame.builder.global_store(frame.partials, first + std::uint64_t{i}, frame.sums[i], predicate);
}

namespace {

/// The threads of a group, or the only one.
class SummingGroup {
public:
    explicit SummingGroup(const KernelSpec& spec) : frame(spec, 2), build(frame.builder) {
        const auto* shape = std::get_if<GroupShape>(&spec.shape);
        if (shape) count = shape->threads;
        if (shape) build.bound_threads(count);
        thread = shape ? build.thread_id() : frame.u32(0);
        is_first = shape ? build.compare(ir::Op::equal, thread, frame.u32(0)) : Value{};
    }

    /// Calls body(i) for this thread's numbers i of 0 to below `end`, `unrolled` of them in a turn of the loop; what
    /// they add to frame.sums outlives a turn in an array of the thread's own.
    template <class Body>
    void for_each(std::uint64_t end, std::uint32_t unrolled, const Body& body) {
        const ir::Type type = frame.sums.front().type();
        const auto sums = static_cast<std::uint32_t>(frame.sums.size());
        const std::uint32_t held = build.private_array("sums", type, sums);
        const auto keep = [&] {
            for (std::uint32_t s = 0; s < sums; ++s) build.private_store(held, frame.u32(s), frame.sums[s]);
        };
        const auto take = [&] {
            for (std::uint32_t s = 0; s < sums; ++s) frame.sums[s] = build.private_load(held, frame.u32(s), type);
        };
        keep();
        const Value turn = build.begin_loop(frame.u32(0), frame.u32(end), frame.u32(std::uint64_t{unrolled} * count));
        take();
        for (std::uint32_t u = 0; u < unrolled; ++u) body(turn + thread + std::uint64_t{u} * count);
        keep();
        build.end_loop();
        take();
    }
    void add() { add_among_threads(frame, {count, 1, thread, thread, count}); }

    Frame frame;
    ir::Builder& build;
    std::uint32_t count = 1;
    Value thread, is_first;
};

}  // namespace

ir::Kernel generate_bins(const KernelSpec& spec) {
    SummingGroup group(spec);
    Frame& frame = group.frame;
    ir::Builder& build = group.build;
    const std::uint64_t bins = sequences_per_batch(spec), groups = spec.bin_pass()->groups;
    const std::uint64_t each = (bins + groups - 1) / groups;
    const Value id = build.group_id(), first = id % groups * each, array = id / groups * bins;
    begin_sums(frame, spec);
    group.for_each(each, 1, [&](Value i) {
        const Value bin = first + i, sequence = array + bin;
        const Value exists = build.less(i, frame.u32(each)) & build.less(bin, frame.u32(bins));
        const ir::Complex x = frame.load(frame.origin(sequence, Side::input), 1, exists);
        const ir::Complex y = apply(frame, spec.convolution.stages, x, {frame.u32(0), sequence, exists});
        frame.store(frame.origin(sequence, Side::output), y, exists);
    });
    group.add();
    store_partials(frame, frame.widen(id) * std::uint64_t{sum_count(spec)}, group.is_first);
    return build.finish();
}

ir::Kernel generate_sum(const KernelSpec& spec) {
    constexpr std::uint32_t unrolled = 4;  // loads that are under way together
    const SumPartials& partials = *spec.sum_partials();
    SummingGroup group(spec);
    Frame& frame = group.frame;
    const Value id = frame.widen(group.build.group_id());
    frame.sums.assign(partials.sums, frame.builder.constant(frame.real, 0));
    group.for_each(partials.count, unrolled, [&](Value i) {
        const Value exists = group.build.less(i, frame.u32(partials.count));
        const Value first = id * (partials.count * partials.sums) + frame.widen(i) * std::uint64_t{partials.sums};
        for (std::uint32_t s = 0; s < partials.sums; ++s)
            frame.sums[s] = frame.sums[s] + frame.load_real(first + std::uint64_t{s}, 1, exists);
    });
    group.add();
    for (std::uint32_t s = 0; s < partials.sums; ++s)
        frame.store_real(id * std::uint64_t{partials.sums} + std::uint64_t{s}, frame.sums[s], group.is_first);
    return group.build.finish();
}

}  // namespace seiche::kernels

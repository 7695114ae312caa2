// A pass without a core that makes texels of two complex numbers each: a thread has one, while the threads that stored
// its numbers had one of them each.
#include "kernels/frame.hpp"
#include "kernels/generators.hpp"

namespace seiche::kernels {

namespace {

using ir::Complex;
using ir::Value;

/// Rounded to nearest even here, because a driver may round a texel as it likes.
Value rounded(Frame& frame, Value x) {
    if (frame.spec.out.storage != Storage::f16) return x;
    return frame.builder.convert(frame.builder.convert(x, ir::Scalar::f16), ir::Scalar::f32);
}

void store_texel(Frame& frame, Value sequence, Value exists) {
    const std::uint64_t points = frame.spec.texel_points();
    const Value from = frame.origin(sequence, Side::input);
    Value has_second = exists;
    if (points % 2 != 0) {
        const Value is_inside = frame.builder.less(frame.loop_index(sequence, 0), frame.u32(points / 2));
        has_second = exists ? exists & is_inside : is_inside;
    }
    const Complex first = frame.load(from, 1, exists), second = frame.load(from + std::uint64_t{1}, 1, has_second);
    const Value texel = frame.builder.compose(
        {rounded(frame, first.re), rounded(frame, first.im), rounded(frame, second.re), rounded(frame, second.im)});
    frame.builder.global_store(frame.out, frame.origin(sequence, Side::output), texel, exists);
}

}  // namespace

ir::Kernel generate_texels(const KernelSpec& spec) {
    Frame frame(spec, 2);
    ir::Builder& build = frame.builder;
    if (const GroupShape* group = std::get_if<GroupShape>(&spec.shape)) {
        const std::uint32_t size = group->threads * group->sequences;
        build.kernel().launch.group = {size, 1, 1};
        const Value sequence = build.group_id() * std::uint64_t{size} + build.thread_id();
        store_texel(frame, sequence, build.less(sequence, frame.total));
        return build.finish();
    }
    const std::uint64_t units = std::get<SimdShape>(spec.shape).units_per_group;
    const Value first = build.group_id() * units;
    const Value last = build.binary(ir::Op::min, first + units, frame.total);
    store_texel(frame, build.begin_loop(first, last, frame.u32(1)), {});
    build.end_loop();
    return build.finish();
}

}  // namespace seiche::kernels

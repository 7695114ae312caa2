// A pass without a core: the kept modes of a spectrum gathered to where they follow each other, or scattered from
// there. Neighbouring threads have neighbouring modes.
#include "kernels/frame.hpp"
#include "kernels/generators.hpp"

namespace seiche::kernels {

ir::Kernel generate_mode_copy(const KernelSpec& spec) {
    Frame frame(spec, 2);
    ir::Builder& build = frame.builder;
    const bool is_gathered = std::get<ModeCopy>(spec.work).is_output_dense;
    const auto copy = [&](ir::Value mode, unsigned lanes, ir::Value exists) {
        const ir::Value dense = frame.widen(mode);
        const ir::Complex x = frame.load(is_gathered ? frame.origin(mode, Side::input) : dense, lanes, exists);
        frame.store(is_gathered ? dense : frame.origin(mode, Side::output), x, exists);
    };
    const ir::Value first = build.group_id() * sequences_per_group(spec);
    if (const auto* group = std::get_if<GroupShape>(&spec.shape)) {
        build.kernel().launch.group = {group->sequences, 1, 1};
        const ir::Value mode = first + build.thread_id();
        copy(mode, 1, build.less(mode, frame.total));
        return build.finish();
    }
    const unsigned lanes = std::get<SimdShape>(spec.shape).lanes;
    const ir::Value last = build.binary(ir::Op::min, first + sequences_per_group(spec), frame.total);
    copy(build.begin_loop(first, last, frame.u32(lanes)), lanes, build.boolean(true));
    build.end_loop();
    return build.finish();
}

}  // namespace seiche::kernels

// What follows from the rest of a spec: where points lie in shared memory, and what the compiler and the caches are
// told.
#include <algorithm>
#include <bit>

#include "kernels/check_spec.hpp"
#include "kernels/generators.hpp"
#include "kernels/real/row_layout.hpp"

namespace seiche::kernels {

namespace {

/// Where groups are to fill a multiprocessor with threads, each has 32 registers: there stages recompute indices,
/// where the compiler would spill what folded ones share. So it would of mirrored columns, which have two indices
/// each, in clusters and in the largest groups (measured: docs/lab, LAB-0010).
bool leaves_registers(const KernelSpec& spec, const GroupShape& shape) {
    constexpr std::uint32_t threads_of_unit = 2048, largest_group = 1024;
    const std::uint32_t threads = shape.group_threads();
    const auto has_mirrors = [](const KernelSpec& one) {
        return std::get<GroupShape>(one.shape).has_mirrors_in_group();
    };
    const bool have_two = has_mirrors(spec) || (!spec.on_chip.next.empty() && has_mirrors(spec.on_chip.next.front()));
    if (have_two && (shape.groups_per_cluster > 1 || threads >= largest_group)) return false;
    return !shape.registers.rematerialises_indices && shape.min_groups_per_unit * threads < threads_of_unit;
}

/// Columns of doubles of a prime whose threads have a large radix: with rows' addresses in registers they spill
/// (measured: docs/lab, LAB-0010).
bool fills_registers(const KernelSpec& spec, const GroupShape& shape) {
    constexpr std::uint32_t large = 23;
    return spec.convolution.prime != 0 && spec.precision == Precision::f64 &&
           shape.load_order == ThreadOrder::sequence_fastest &&
           std::any_of(spec.radices.begin(), spec.radices.end(), [](std::uint32_t r) { return r >= large; });
}

/// Runs that are parts of a cache's lines, whose rest other groups load at the same time (measured: docs/lab,
/// LAB-0010).
bool loads_parts_of_lines(const KernelSpec& spec, const GroupShape& shape) {
    constexpr std::uint32_t line = 128;
    const Loop& fastest = spec.loops.front();
    return shape.load_order == ThreadOrder::sequence_fastest && spec.in.has_own_points() && fastest.input_stride == 1 &&
           fastest.count > shape.sequences && shape.sequences * access_bytes(spec, true) < line;
}

/// Kernels of two passes need the registers for what the passes share; of f64 the twiddles spill (measured: docs/lab,
/// LAB-0010).
bool has_registers_for_twiddles(const KernelSpec& spec) {
    const bool has_two = spec.is_second() || !spec.on_chip.next.empty() || spec.slices.sequences != 0;
    return !has_two && stored_bytes(spec.precision, Storage::same) <= sizeof(float);
}

/// What is loaded stays in registers until the points come: one product, or, of lengths that are no power of two, the
/// factors if they are floats (measured: docs/lab, LAB-0010).
FourStepTwiddle::Prefetch prefetch_of(const KernelSpec& spec, const FourStepTwiddle& twiddle) {
    using Prefetch = FourStepTwiddle::Prefetch;
    if (std::get<GroupShape>(spec.shape).groups_per_cluster == 1 || !spec.is_second()) return Prefetch::nothing;
    if (std::has_single_bit(twiddle.length)) return Prefetch::products;
    return stored_bytes(spec.precision, Storage::same) > sizeof(float) ? Prefetch::nothing : Prefetch::factors;
}

/// Of one pass.
void choose_hints(KernelSpec& spec) {
    auto& shape = std::get<GroupShape>(spec.shape);
    if (!leaves_registers(spec, shape)) shape.registers.rematerialises_indices = true;
    shape.registers.keeps_products = fills_registers(spec, shape);
    shape.registers.prefetches_twiddles = has_registers_for_twiddles(spec);
    for (Stage& stage : spec.in.stages)
        if (auto* twiddle = std::get_if<FourStepTwiddle>(&stage)) twiddle->prefetch = prefetch_of(spec, *twiddle);
}

/// The cache's space is for what is between the passes. A third pass is the last to load it (measured: docs/lab,
/// LAB-0010).
void stream_last_pass(KernelSpec& first) {
    KernelSpec* last = &first.pipeline.next.front();
    const bool is_third = !last->pipeline.next.empty();
    if (is_third) last = &last->pipeline.next.front();
    last->out.hint = ir::CacheHint::streaming;
    if (is_third) last->in.hint = ir::CacheHint::streaming;
}

void complete_group(KernelSpec& spec) {
    for (KernelSpec* pass = &spec;; pass = &pass->pipeline.next.front()) {
        choose_hints(*pass);
        for_each_then(*pass, [](KernelSpec& next) { choose_hints(next); });
        if (pass->pipeline.next.empty()) break;
    }
    const bool is_alone = spec.pipeline.next.empty() && spec.on_chip.next.empty();
    if (!spec.pipeline.next.empty()) stream_last_pass(spec);
    if (is_alone && spec.convolution.channels.is_single() &&
        loads_parts_of_lines(spec, std::get<GroupShape>(spec.shape)))
        spec.in.hint = ir::CacheHint::line;
    choose_places(spec);
}

}  // namespace

KernelSpec complete(KernelSpec spec) {
    check_spec(spec);
    if (auto* rows = std::get_if<RegisterRows>(&spec.work))
        rows->places = row_layout(spec);
    else if (std::holds_alternative<CorePass>(spec.work) && std::holds_alternative<GroupShape>(spec.shape))
        complete_group(spec);
    return spec;
}

}  // namespace seiche::kernels

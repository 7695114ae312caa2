#include "kernels/group/shared_layout.hpp"

#include <bit>

namespace seiche::kernels {

using ir::Value;

/// Rows that lie as they go to memory have a pitch of their own.
SharedLayout::SharedLayout(const KernelSpec& spec, const Threads& threads)
    : spec_(spec),
      shape_(std::get<GroupShape>(spec.shape)),
      threads_(threads),
      power_of_two_(std::has_single_bit(spec.n) && !stores_whole_rows(spec)),
      places_(*shape_.exchange.places) {}

Value SharedLayout::points_of(const CoreStage& stage, const ThreadButterfly& where) const {
    if (!where.flat || threads_.first().order != ThreadOrder::flat)
        return where.sequence_in_group * std::uint64_t{pitch()} + where.butterfly;
    return where.flat + where.sequence_in_group * std::uint64_t{pitch() - stage.butterflies};
}

Value SharedLayout::results_of(const CoreStage& stage, const ThreadButterfly& where, std::uint32_t padding) const {
    const Value p = place_in_run(shape_, stage, where);
    const Value in_sequence = place_of_results(stage, where.butterfly, p, padding);
    return stage.radix == 1 && stage.s == 1 ? points_of(stage, where)
                                            : where.sequence_in_group * std::uint64_t{pitch()} + in_sequence;
}

Value SharedLayout::padding_ahead(const CoreStage& stage, std::uint32_t u, const ThreadButterfly& where,
                                  std::uint32_t padding) const {
    const std::uint64_t s = stage.s, stride = butterfly_stride(shape_);
    const bool is_whole = where.lane && stride % s == 0;
    if (!is_whole) return where.butterfly / s * std::uint64_t{padding};
    return where.lane / s * std::uint64_t{padding} +
           std::uint64_t{u / shape_.exchange.neighbours} * (stride / s) * padding;
}

Value SharedLayout::beside(Value sequence_in_group) const {
    return sequence_in_group + std::uint64_t{pitch()} * shape_.sequences;
}

}  // namespace seiche::kernels

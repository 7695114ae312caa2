// Neighbouring butterflies' points, which lie beside each other in memory: one access has them all, for devices on
// which an access costs more than what it moves.
#include <algorithm>

#include "kernels/group/ways.hpp"
#include "kernels/simd/lanes.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

bool moves_neighbours(const KernelSpec& spec, Side side) {
    const MemorySide& memory = spec.side(side);
    const auto is_chirp = [](const Stage& stage) { return std::holds_alternative<Chirp>(stage); };
    return std::get<GroupShape>(spec.shape).exchange.neighbours > 1 && memory.stride == 1 &&
           memory.storage == Storage::same && memory.format == Format::interleaved && spec.texel_points() == 0 &&
           memory.kept.ranges.empty() && std::none_of(memory.stages.begin(), memory.stages.end(), is_chirp);
}

void load_neighbours(const Pass& pass, std::vector<Complex>& points) {
    const CoreStage& stage = pass.threads.first();
    const std::uint32_t count = pass.shape.exchange.neighbours;
    points.resize(stage.points());
    for (std::uint32_t u = 0; u < stage.per_thread; u += count) {
        const ThreadButterfly where = pass.threads.butterfly(stage, u);
        const Value origin = pass.sequences.origin(pass.threads.sequence(where), Side::input);
        for (std::uint32_t j = 0; j < stage.radix; ++j) {
            const std::uint64_t leg = std::uint64_t{j} * stage.butterflies;
            const Complex all = pass.frame.load(pass.frame.address(origin, where.butterfly, leg, Side::input), count,
                                                pass.threads.exists(where));
            for (std::uint32_t i = 0; i < count; ++i)
                points[(u + i) * stage.radix + j] = {pass.frame.builder.extract(all.re, i),
                                                     pass.frame.builder.extract(all.im, i)};
        }
    }
}

void store_neighbours(const Pass& pass, const std::vector<Complex>& points) {
    const CoreStage& stage = pass.threads.last();
    const std::uint32_t count = pass.shape.exchange.neighbours;
    for (std::uint32_t u = 0; u < stage.per_thread; u += count) {
        const ThreadButterfly first = pass.threads.butterfly(stage, u);
        const Value sequence_index = pass.threads.sequence(first), is_live = pass.threads.exists(first);
        const Value origin = pass.sequences.origin(sequence_index, Side::output);
        for (std::uint32_t k = 0; k < stage.radix; ++k) {
            const std::uint64_t leg = std::uint64_t{k} * stage.butterflies;
            std::vector<Value> re, im;
            for (std::uint32_t i = 0; i < count; ++i) {
                const ThreadButterfly where = pass.threads.butterfly(stage, u + i);
                const Place place{where.butterfly + leg, sequence_index, is_live};
                const Complex y = pass.passage.pass(Side::output, points[(u + i) * stage.radix + k], where, place,
                                                    pass.threads.row_of(stage, (u + i) * stage.radix + k));
                re.push_back(y.re);
                im.push_back(y.im);
            }
            const Value at = pass.frame.address(origin, first.butterfly, leg, Side::output);
            pass.frame.store(at, {compose_lanes(re), compose_lanes(im)}, is_live);
        }
    }
}

}  // namespace seiche::kernels

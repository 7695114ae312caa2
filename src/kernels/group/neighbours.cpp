// The exchange where a thread has neighbouring butterflies, for devices on which an access costs more than what it
// moves: points that lie beside each other go in one. A stage's points to read do, one of each butterfly; so do those
// to write, but for the first stage's, where they are neighbours of one butterfly.
#include "kernels/group/group.hpp"
#include "kernels/simd/lanes.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

namespace {

Value together(const std::vector<Complex>& points) {
    std::vector<Value> parts;
    for (const Complex& point : points) parts.insert(parts.end(), {point.re, point.im});
    return compose_lanes(parts);
}

}  // namespace

/// Whether memory has them beside each other, all or none of which are there.
bool GroupKernel::moves_neighbours(Side side) const {
    const bool is_input = side == Side::input;
    const std::vector<Stage>& stages = spec_.side(is_input).stages;
    const auto is_chirp = [](const Stage& stage) { return std::holds_alternative<Chirp>(stage); };
    const Storage storage = spec_.side(is_input).storage;
    return shape_.exchange.neighbours > 1 && spec_.side(is_input).stride == 1 && storage == Storage::same &&
           !spec_.side(is_input).is_planar() && !spec_.side(is_input).is_real() && spec_.texel_points() == 0 &&
           spec_.side(is_input).kept.ranges.empty() && std::none_of(stages.begin(), stages.end(), is_chirp);
}

void GroupKernel::load_neighbours() {
    const StageDeal& stage = stages_.front();
    const std::uint32_t count = shape_.exchange.neighbours;
    points_.resize(std::size_t{stage.slots} * stage.radix);
    for (std::uint32_t u = 0; u < stage.slots; u += count) {
        const Slot where = slot(stage, u);
        const Value origin = this->origin(sequence(where), Side::input);
        for (std::uint32_t j = 0; j < stage.radix; ++j) {
            const std::uint64_t leg = std::uint64_t{j} * stage.butterflies;
            const Complex all =
                frame_.load(frame_.address(origin, where.butterfly, leg, Side::input), count, exists(where));
            for (std::uint32_t i = 0; i < count; ++i)
                points_[(u + i) * stage.radix + j] = {frame_.builder.extract(all.re, i),
                                                      frame_.builder.extract(all.im, i)};
        }
    }
}

void GroupKernel::store_neighbours() {
    const StageDeal& stage = stages_.back();
    const std::uint32_t count = shape_.exchange.neighbours;
    for (std::uint32_t u = 0; u < stage.slots; u += count) {
        const Slot first = slot(stage, u);
        const Value sequence_index = sequence(first), is_live = exists(first);
        const Value origin = this->origin(sequence_index, Side::output);
        for (std::uint32_t k = 0; k < stage.radix; ++k) {
            const std::uint64_t leg = std::uint64_t{k} * stage.butterflies;
            std::vector<Value> re, im;
            for (std::uint32_t i = 0; i < count; ++i) {
                const Slot where = slot(stage, u + i);
                const Place place{where.butterfly + leg, sequence_index, is_live};
                const Complex y = pass_through(spec_.out.stages, points_[(u + i) * stage.radix + k], where, place,
                                               row_of(stage, u + i, k));
                re.push_back(y.re);
                im.push_back(y.im);
            }
            const Value at = frame_.address(origin, first.butterfly, leg, Side::output);
            frame_.store(at, {compose_lanes(re), compose_lanes(im)}, is_live);
        }
    }
}

void GroupKernel::write_neighbours(const StageDeal& stage) {
    const std::uint32_t count = shape_.exchange.neighbours;
    const std::uint64_t s = stage.s / count, radix = stage.radix;
    const auto put = [&](Value at, const Slot& where, const auto& point) {
        std::vector<Complex> points;
        for (std::uint32_t i = 0; i < count; ++i) points.push_back(points_[point(i)]);
        frame_.builder.shared_store(plane_[0], at, together(points), where.owns);
    };
    for (std::uint32_t u = 0; u < stage.slots; ++u) {
        const Slot where = slot(stage, u);
        const Value origin = where.sequence_in_group * std::uint64_t{pitch_ / count};
        if (stage.s == 1) {
            const Value base = origin + where.butterfly * (radix / count);
            for (std::uint32_t k = 0; k < radix; k += count)
                put(base + std::uint64_t{k / count}, where, [&](std::uint32_t i) { return u * radix + k + i; });
        } else if (u % count == 0) {
            const Value base = origin + where.block / s * (radix * s) + where.block % s;
            for (std::uint32_t k = 0; k < radix; ++k)
                put(base + std::uint64_t{k} * s, where, [&](std::uint32_t i) { return (u + i) * radix + k; });
        }
    }
}

void GroupKernel::read_neighbours(const StageDeal& stage) {
    ir::Builder& build = frame_.builder;
    const std::uint32_t count = shape_.exchange.neighbours;
    const ir::Type type = frame_.complex.with_lanes(2 * count);
    for (std::uint32_t u = 0; u < stage.slots; u += count) {
        const Slot where = slot(stage, u);
        const Value base = where.sequence_in_group * std::uint64_t{pitch_ / count} + where.block;
        for (std::uint32_t j = 0; j < stage.radix; ++j) {
            const Value at = base + std::uint64_t{j} * (stage.butterflies / count);
            const Value points = build.shared_load(plane_[0], at, type, where.exists);
            for (std::uint32_t i = 0; i < count; ++i)
                points_[(u + i) * stage.radix + j] = {build.extract(points, 2 * i), build.extract(points, 2 * i + 1)};
        }
    }
}

}  // namespace seiche::kernels

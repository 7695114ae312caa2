#include "kernels/real/row_layout.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "kernels/group/bank_conflicts.hpp"
#include "support/strides.hpp"

namespace seiche::kernels {

namespace {

constexpr std::uint32_t subgroup = 32, bank_bytes = 128, sector_bytes = 32;
/// Places of padding behind a row, a plane or a block of so many, of as many banks.
std::uint32_t most_padding_of_row(std::uint32_t places) { return std::min(7u, places); }
std::uint32_t most_padding(std::uint32_t places, std::uint32_t banks) { return std::min(banks - 1, places); }

/// Threads of which the wavefronts are counted; patterns recur.
constexpr std::uint32_t most_threads = 96;

class Search {
public:
    /// `times`: how often each axis's rows are touched, and all numbers in memory's order.
    Search(const std::vector<std::uint32_t>& lengths, const std::vector<std::uint32_t>& times, std::uint32_t blocks,
           std::uint32_t bytes)
        : lengths_(lengths), times_(times), blocks_(blocks), banks_(bank_bytes / bytes) {
        numbers_ = std::accumulate(lengths.begin(), lengths.end(), 1u, std::multiplies<>());
    }

    /// Paddings between rows and planes first, then between blocks: of a plane's, which its second axis meets, with the
    /// rows'.
    BlockPlaces best() const {
        const bool has_planes = lengths_.size() > 2, has_others = blocks_ > 1;
        Best best;
        for (std::uint32_t of_row = 0; of_row <= most_padding_of_row(lengths_[0]); ++of_row) {
            const std::uint32_t plane = (lengths_[0] + of_row) * lengths_[1];
            for (std::uint32_t of_plane = 0; of_plane <= (has_planes ? most_padding(plane, banks_) : 0); ++of_plane)
                take(with_paddings(of_row, of_plane), best);
            if (!has_planes && has_others) take_paddings_of_blocks(with_paddings(of_row, 0), best);
        }
        if (has_planes && has_others) take_paddings_of_blocks(best.layout, best);
        return best.layout;
    }

private:
    struct Best {
        BlockPlaces layout;
        std::uint64_t wavefronts = UINT64_MAX;
    };
    void take(const BlockPlaces& layout, Best& best) const {
        const std::uint64_t all = wavefronts(layout);
        if (all < best.wavefronts) best = {layout, all};
    }

    void take_paddings_of_blocks(BlockPlaces layout, Best& best) const {
        const std::uint32_t dense = layout.block;
        for (std::uint32_t of_block = 1; of_block <= most_padding(dense, banks_); ++of_block) {
            layout.block = dense + of_block;
            take(layout, best);
        }
    }

    BlockPlaces with_paddings(std::uint32_t of_row, std::uint32_t of_plane) const {
        BlockPlaces layout;
        std::uint32_t place = 1;
        for (std::size_t i = 0; i < lengths_.size(); ++i) {
            layout.axes.push_back(place);
            place *= lengths_[i];
            if (i == 0) place += of_row;
            if (i == 1 && lengths_.size() > 2) place += of_plane;
        }
        layout.block = place;
        return layout;
    }

    /// Place of thread t's first number where threads go along the axes but one, or along all.
    std::uint32_t place(const BlockPlaces& layout, std::uint32_t t, std::size_t without) const {
        std::uint32_t at = 0;
        for (std::size_t i = 0; i < lengths_.size(); ++i) {
            if (i == without) continue;
            at += t % lengths_[i] * layout.axes[i];
            t /= lengths_[i];
        }
        return at + t * layout.block;
    }

    /// Of one access of all threads, as if each pattern had as many of them.
    std::uint64_t wavefronts(const BlockPlaces& layout, std::size_t without) const {
        const std::uint32_t row = without < lengths_.size() ? lengths_[without] : 1,
                            threads = std::min(most_threads, numbers_ / row * blocks_);
        AccessPattern places;
        for (std::uint32_t t = 0; t < threads; ++t) places.push_back(place(layout, t, without));
        return threads == 0 ? 0 : access_wavefronts(places, {}, bank_bytes / banks_) * most_threads / threads;
    }

    std::uint64_t wavefronts(const BlockPlaces& layout) const {
        std::uint64_t sum = 0;
        for (std::size_t without = 0; without <= lengths_.size(); ++without)
            if (times_[without] != 0) sum += times_[without] * wavefronts(layout, without);
        return sum;
    }

    const std::vector<std::uint32_t>&lengths_, &times_;
    const std::uint32_t blocks_, banks_;
    std::uint32_t numbers_ = 1;
};

}  // namespace

std::uint64_t most_row_places(const std::vector<std::uint32_t>& lengths) {
    std::uint32_t places = lengths[0] + most_padding_of_row(lengths[0]);
    for (std::size_t i = 1; i < lengths.size(); ++i) {
        places *= lengths[i];
        places += most_padding(places, subgroup);
    }
    return places;
}

BlockPlaces row_layout(const KernelSpec& spec) {
    std::vector<std::uint32_t> lengths;
    for (const RowAxis& axis : spec.register_rows()) lengths.push_back(static_cast<std::uint32_t>(axis.map.length));
    const auto bytes = static_cast<std::uint32_t>(stored_bytes(spec.precision, Storage::same));
    // Rows are read and put back, but those that come from memory or go there.
    std::vector<std::uint32_t> times(lengths.size(), 2);
    times[row_axis_order(spec).front()] -= loads_rows(spec) ? 1 : 0;
    times[row_axis_order(spec).back()] -= stores_rows(spec) ? 1 : 0;
    times.push_back((loads_rows(spec) ? 0 : 1) + (stores_rows(spec) ? 0 : 1));
    return Search(lengths, times, std::get<GroupShape>(spec.shape).sequences, bytes).best();
}

bool loads_rows(const KernelSpec& spec) { return row_axis_order(spec).front() != 0; }

bool stores_rows(const KernelSpec& spec) {
    const RowAxis &fastest = spec.register_rows().front(), &last = spec.register_rows()[row_axis_order(spec).back()];
    const std::uint32_t bytes = element_bytes(spec, false);
    return fastest.map.length * bytes % sector_bytes == 0 &&
           support::magnitude(last.output_stride) * bytes % sector_bytes == 0;
}

}  // namespace seiche::kernels

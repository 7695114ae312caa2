// Two elements share an address exactly if a sum of d_i stride_i, with |d_i| < count_i and not all 0, is 0. The search
// goes from the largest stride down; what the smaller strides can still reach bounds every d_i, so nested strides need
// no search.
#include "problem/overlap.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>

namespace seiche::problem {

using support::Mode;

namespace {

__extension__ typedef __int128 i128;

constexpr std::uint64_t effort = 1u << 21;

/// Falling strides, none below 0, since sums of both signs are looked for; no mode of one element, modes that lie as
/// one merged.
std::vector<Mode<1>> prepare(std::vector<Mode<1>> layout) {
    std::erase_if(layout, [](const Mode<1>& mode) { return mode.count <= 1; });
    for (Mode<1>& mode : layout) mode.strides[0] = std::abs(mode.strides[0]);
    std::sort(layout.begin(), layout.end(), [](const Mode<1>& a, const Mode<1>& b) {
        return std::pair(a.strides[0], a.count) < std::pair(b.strides[0], b.count);
    });
    support::coalesce(layout);
    std::reverse(layout.begin(), layout.end());
    return layout;
}

class Search {
public:
    explicit Search(std::vector<Mode<1>> layout) : layout_(std::move(layout)) {
        reach_.assign(layout_.size() + 1, 0);
        divisor_.assign(layout_.size() + 1, 0);
        for (std::size_t i = layout_.size(); i-- > 0;) {
            reach_[i] = reach_[i + 1] + most(i) * stride(i);
            divisor_[i] = std::gcd(divisor_[i + 1], layout_[i].strides[0]);
        }
    }

    bool exhausted() const { return steps_ > effort; }
    i128 reach() const { return reach_[0]; }

    /// Whether modes from `first` on can sum to `target`.
    bool sums_to(i128 target, std::size_t first) {
        if (++steps_ > effort) return false;
        if (target == 0) return true;
        if (first == layout_.size() || (target < 0 ? -target : target) > reach_[first] || target % divisor_[first] != 0)
            return false;
        const i128 rest = reach_[first + 1];
        // |target - d stride| <= rest
        const i128 low = std::max(-most(first), ceiling(target - rest, stride(first)));
        const i128 high = std::min(most(first), -ceiling(-(target + rest), stride(first)));
        for (i128 d = low; d <= high && !exhausted(); ++d)
            if (sums_to(target - d * stride(first), first + 1)) return true;
        return false;
    }

    /// Whether a sum with some d_i not 0 is 0; by symmetry the first of them is positive.
    bool vanishes() {
        for (std::size_t i = 0; i < layout_.size(); ++i) {
            const i128 last = std::min(most(i), reach_[i + 1] / stride(i));
            for (i128 d = 1; d <= last && !exhausted(); ++d)
                if (sums_to(-d * stride(i), i + 1)) return true;
        }
        return false;
    }

private:
    i128 stride(std::size_t i) const { return layout_[i].strides[0]; }
    i128 most(std::size_t i) const { return static_cast<i128>(layout_[i].count) - 1; }
    static i128 ceiling(i128 a, i128 b) { return a / b + (a % b > 0 ? 1 : 0); }

    std::vector<Mode<1>> layout_;
    std::vector<i128> reach_;            // the largest sum from this mode on
    std::vector<std::int64_t> divisor_;  // divides every such sum
    std::uint64_t steps_ = 0;
};

}  // namespace

std::optional<bool> overlaps(std::vector<Mode<1>> layout) {
    const auto is_broadcast = [](const Mode<1>& mode) { return mode.count > 1 && mode.strides[0] == 0; };
    if (std::any_of(layout.begin(), layout.end(), is_broadcast)) return true;
    Search search(prepare(std::move(layout)));
    if (search.vanishes()) return true;
    if (search.exhausted()) return std::nullopt;
    return false;
}

std::uint64_t copies_without_overlap(std::vector<Mode<1>> layout, std::uint64_t distance) {
    Search search(prepare(std::move(layout)));
    const auto farthest = static_cast<std::uint64_t>(search.reach() / distance);
    for (std::uint64_t copies = 1; copies <= farthest; ++copies)
        if (search.sums_to(static_cast<i128>(copies) * distance, 0) || search.exhausted()) return copies;
    return std::numeric_limits<std::uint64_t>::max();
}

}  // namespace seiche::problem

// Two elements share an address exactly if a sum of d_i stride_i, with |d_i| < count_i and not all 0, is 0. The search
// goes from the largest stride down; what the smaller strides can still reach bounds every d_i, so nested strides need
// no search.
#include "problem/overlap.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace seiche::problem {

namespace {

__extension__ typedef __int128 i128;

constexpr std::uint64_t effort = 1u << 21;

/// Falling strides, no dimension of one element, dimensions that lie as one merged.
std::vector<Dimension> prepare(std::vector<Dimension> dimensions) {
    std::erase_if(dimensions, [](const Dimension& d) { return d.count <= 1; });
    std::sort(dimensions.begin(), dimensions.end(), [](const Dimension& a, const Dimension& b) {
        return a.stride != b.stride ? a.stride > b.stride : a.count > b.count;
    });
    std::vector<Dimension> merged;
    for (const Dimension& d : dimensions) {
        if (!merged.empty() && merged.back().stride == d.stride * d.count)
            merged.back() = {merged.back().count * d.count, d.stride};
        else
            merged.push_back(d);
    }
    return merged;
}

class Search {
public:
    explicit Search(std::vector<Dimension> dimensions) : dimensions_(std::move(dimensions)) {
        reach_.assign(dimensions_.size() + 1, 0);
        divisor_.assign(dimensions_.size() + 1, 0);
        for (std::size_t i = dimensions_.size(); i-- > 0;) {
            reach_[i] = reach_[i + 1] + static_cast<i128>(dimensions_[i].count - 1) * dimensions_[i].stride;
            divisor_[i] = std::gcd(divisor_[i + 1], dimensions_[i].stride);
        }
    }

    bool exhausted() const { return steps_ > effort; }
    i128 reach() const { return reach_[0]; }

    /// Whether dimensions from `first` on can sum to `target`.
    bool sums_to(i128 target, std::size_t first) {
        if (++steps_ > effort) return false;
        if (target == 0) return true;
        if (first == dimensions_.size() || (target < 0 ? -target : target) > reach_[first] ||
            target % divisor_[first] != 0)
            return false;
        const i128 stride = dimensions_[first].stride, most = static_cast<i128>(dimensions_[first].count) - 1;
        const i128 rest = reach_[first + 1];
        // |target - d stride| <= rest
        const i128 low = std::max(-most, ceiling(target - rest, stride));
        const i128 high = std::min(most, -ceiling(-(target + rest), stride));
        for (i128 d = low; d <= high && !exhausted(); ++d)
            if (sums_to(target - d * stride, first + 1)) return true;
        return false;
    }

    /// Whether a sum with some d_i not 0 is 0; by symmetry the first of them is positive.
    bool vanishes() {
        for (std::size_t i = 0; i < dimensions_.size(); ++i) {
            const i128 stride = dimensions_[i].stride;
            const i128 most = std::min(static_cast<i128>(dimensions_[i].count) - 1, reach_[i + 1] / stride);
            for (i128 d = 1; d <= most && !exhausted(); ++d)
                if (sums_to(-d * stride, i + 1)) return true;
        }
        return false;
    }

private:
    static i128 ceiling(i128 a, i128 b) { return a / b + (a % b > 0 ? 1 : 0); }

    std::vector<Dimension> dimensions_;
    std::vector<i128> reach_;             // the largest sum from this dimension on
    std::vector<std::uint64_t> divisor_;  // divides every such sum
    std::uint64_t steps_ = 0;
};

}  // namespace

std::optional<bool> overlaps(std::vector<Dimension> dimensions) {
    const auto is_broadcast = [](const Dimension& d) { return d.count > 1 && d.stride == 0; };
    if (std::any_of(dimensions.begin(), dimensions.end(), is_broadcast)) return true;
    Search search(prepare(std::move(dimensions)));
    if (search.vanishes()) return true;
    if (search.exhausted()) return std::nullopt;
    return false;
}

std::uint64_t copies_without_overlap(std::vector<Dimension> dimensions, std::uint64_t distance) {
    Search search(prepare(std::move(dimensions)));
    const auto farthest = static_cast<std::uint64_t>(search.reach() / distance);
    for (std::uint64_t copies = 1; copies <= farthest; ++copies)
        if (search.sums_to(static_cast<i128>(copies) * distance, 0) || search.exhausted()) return copies;
    return std::numeric_limits<std::uint64_t>::max();
}

}  // namespace seiche::problem

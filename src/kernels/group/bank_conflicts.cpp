// Swizzles: exclusive-or of higher index bits into the bank bits for powers of two; padding otherwise, but where that
// leaves many conflicts. The best is found by counting.
#include "kernels/group/bank_conflicts.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

namespace seiche::kernels {

std::uint32_t Swizzle::apply(std::uint32_t index) const {
    switch (rule) {
        case Rule::none: return index;
        case Rule::pad: return index + (index >> shift_a);
        case Rule::exclusive_or: break;
    }
    const std::uint32_t second = shift_b ? index >> shift_b : 0;
    return index ^ (((index >> shift_a) ^ second) & mask);
}

ir::Value swizzled(const Swizzle& swizzle, ir::Value index, std::uint32_t constant, bool is_disjoint) {
    using Rule = Swizzle::Rule;
    if (swizzle.rule == Rule::none) return index + std::uint64_t{constant};
    ir::Builder& build = index.builder();
    const auto place = [&](ir::Value i) {
        if (swizzle.rule == Rule::pad) return i + (i >> swizzle.shift_a);
        ir::Value spread = i >> swizzle.shift_a;
        if (swizzle.shift_b) spread = spread ^ (i >> swizzle.shift_b);
        return i ^ (spread & std::uint64_t{swizzle.mask});
    };
    if (swizzle.rule == Rule::pad) {
        const bool is_whole = constant % (1u << swizzle.shift_a) == 0;
        return is_whole ? place(index) + std::uint64_t{swizzle.apply(constant)}
                        : place(index + std::uint64_t{constant});
    }
    if (!is_disjoint) return place(index + std::uint64_t{constant});
    const std::uint32_t moved = swizzle.apply(constant);
    const std::uint32_t low = moved & swizzle.mask;
    ir::Value base = place(index);
    if (low) base = base ^ build.integer(ir::Scalar::u32, low);
    return base + std::uint64_t{moved - low};
}

std::uint32_t Swizzle::extent(std::uint32_t count) const {
    if (rule == Rule::pad) return apply(count - 1) + 1;
    if (rule == Rule::none) return count;
    return (count + mask) / (mask + 1) * (mask + 1);
}

namespace {

/// The banks' view of one wavefront after another.
class Banks {
public:
    explicit Banks(unsigned element_bytes)
        : word_shift_(element_bytes < 4 ? std::countr_zero(4 / element_bytes) : 0),
          lanes_(bytes_per_wavefront / std::max(element_bytes, 4u)) {}

    /// Where no two words meet in a bank.
    std::uint64_t least(std::size_t indices) const { return (indices + lanes_ - 1) / lanes_; }

    /// Of one access, indices before swizzling: in each part as wide as a wavefront the most words that meet in a bank.
    std::uint64_t count(std::span<const std::uint32_t> indices, const Swizzle& swizzle) {
        std::uint64_t total = 0;
        for (; indices.size() > lanes_; indices = indices.subspan(lanes_))
            total += count_part(indices.first(lanes_), swizzle);
        return total + count_part(indices, swizzle);
    }

private:
    static constexpr std::size_t bytes_per_wavefront = 128, most_lanes = 32;

    std::uint8_t count_part(std::span<const std::uint32_t> indices, const Swizzle& swizzle) {
        std::fill_n(counts_.begin(), lanes_, std::uint8_t{0});
        std::uint8_t worst = 0;
        for (const std::uint32_t index : indices) {
            const std::uint32_t word = swizzle.apply(index) >> word_shift_;
            const std::size_t bank = word & (lanes_ - 1);
            auto& words = words_[bank];
            std::uint8_t& count = counts_[bank];
            if (std::find(words.begin(), words.begin() + count, word) != words.begin() + count) continue;
            words[count++] = word;
            worst = std::max(worst, count);
        }
        return worst;
    }

    int word_shift_;  // from an element to the word of a bank that it lies in
    std::size_t lanes_;
    std::array<std::array<std::uint32_t, most_lanes>, most_lanes> words_;
    std::array<std::uint8_t, most_lanes> counts_;
};

/// Where they are more than `most`, some number above it.
std::uint64_t count_wavefronts(const std::vector<AccessPattern>& patterns, const Swizzle& swizzle,
                               unsigned element_bytes, std::uint64_t most) {
    Banks banks(element_bytes);
    std::uint64_t total = 0;
    for (const AccessPattern& pattern : patterns) {
        total += banks.count(pattern, swizzle);
        if (total > most) break;
    }
    return total;
}

}  // namespace

std::uint64_t access_wavefronts(std::span<const std::uint32_t> indices, const Swizzle& swizzle,
                                unsigned element_bytes) {
    return Banks(element_bytes).count(indices, swizzle);
}

std::uint64_t wavefronts(const std::vector<AccessPattern>& patterns, const Swizzle& swizzle, unsigned element_bytes) {
    return count_wavefronts(patterns, swizzle, element_bytes, UINT64_MAX);
}

namespace {

struct Counted {
    Swizzle swizzle;
    std::uint64_t wavefronts = UINT64_MAX;
};

/// The first of the best that is not `other_than`, which none may be as good as.
Counted best_of(const std::vector<Swizzle>& candidates, const std::vector<AccessPattern>& patterns,
                unsigned element_bytes, const Swizzle* other_than) {
    std::uint64_t least = 0;
    for (const AccessPattern& pattern : patterns) least += Banks(element_bytes).least(pattern.size());
    Counted best;
    for (const Swizzle& candidate : candidates) {
        const bool may_be_instead = other_than && best.swizzle == *other_than;
        if (best.wavefronts == least && !may_be_instead) break;
        const std::uint64_t count = count_wavefronts(patterns, candidate, element_bytes, best.wavefronts);
        if (count < best.wavefronts || (may_be_instead && count == best.wavefronts)) best = {candidate, count};
    }
    return best;
}

std::vector<Swizzle> exclusive_ors(unsigned mask, unsigned bits) {
    constexpr unsigned highest = 13;
    std::vector<Swizzle> all;
    for (unsigned a = bits; a <= highest; ++a) all.push_back({Swizzle::Rule::exclusive_or, a, 0, mask});
    for (unsigned a = bits; a <= highest; ++a) {
        for (unsigned b = a + 1; b <= highest; ++b) all.push_back({Swizzle::Rule::exclusive_or, a, b, mask});
    }
    for (unsigned a = 1; a < bits; ++a) {
        for (unsigned b = bits; b <= highest; ++b) all.push_back({Swizzle::Rule::exclusive_or, b, a, mask});
    }
    return all;
}

}  // namespace

Swizzle choose_swizzle(const std::vector<AccessPattern>& patterns, unsigned element_bytes, ExclusiveOr allowed,
                       const Swizzle* other_than) {
    constexpr double worthwhile = 0.6;
    const bool is_free = allowed == ExclusiveOr::free;
    const unsigned mask = 128 / element_bytes - 1;
    const auto bits = static_cast<unsigned>(std::popcount(mask));
    std::vector<Swizzle> simple{{Swizzle::Rule::none, 0, 0, mask}};
    for (unsigned a = bits; !is_free && a >= 3; --a) simple.push_back({Swizzle::Rule::pad, a, 0, mask});
    const Counted plain = best_of(simple, patterns, element_bytes, nullptr);
    if (allowed == ExclusiveOr::never) return plain.swizzle;
    const Counted crossed = best_of(exclusive_ors(mask, bits), patterns, element_bytes, other_than);
    const double least = static_cast<double>(plain.wavefronts) * (is_free ? 1 : worthwhile);
    return static_cast<double>(crossed.wavefronts) < least ? crossed.swizzle : plain.swizzle;
}

}  // namespace seiche::kernels

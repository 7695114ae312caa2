// Padding between the blocks of an exchange and between its sequences, found by counting.
#include <algorithm>
#include <array>
#include <numeric>

#include "kernels/group/bank_conflicts.hpp"

namespace seiche::kernels {

namespace {

constexpr unsigned bytes_of_banks = 128, most_bytes = 16, word_bytes = 4;
constexpr ExchangeCost no_cost{UINT64_MAX, 0};

/// Elements of a run that are moved at once: all addresses are multiples of as many.
std::uint32_t width(const BlockedAccess& access, const BlockedExchange& exchange, const Padding& padding,
                    const Swizzle& swizzle, unsigned element_bytes) {
    if (access.run == 1 || swizzle.rule != Swizzle::Rule::none || element_bytes < word_bytes) return 1;
    const std::uint32_t most = std::gcd(std::gcd(access.run, exchange.block), most_bytes / element_bytes);
    const std::uint32_t common = std::gcd(most, padding.behind_blocks);
    return exchange.has_sequences ? std::gcd(common, padding.pitch) : common;
}

/// The accesses of an exchange without a swizzle, counted for many paddings. All elements of an access are different
/// words, so that those of a wavefront meet where their banks are the same.
class Counter {
public:
    Counter(const BlockedExchange& exchange, unsigned element_bytes)
        : exchange_(exchange), element_bytes_(element_bytes) {
        for (const BlockedAccess& access : exchange.accesses) {
            for (std::size_t lane = 0; lane < access.places.size(); ++lane) {
                const std::uint32_t place = access.places[lane];
                lanes_.push_back({access.sequences[lane], place, place / exchange.block});
            }
            const std::uint32_t wide =
                std::gcd(std::gcd(access.run, exchange.block), std::max(1u, most_bytes / element_bytes));
            const std::size_t together = bytes_of_banks / (element_bytes * wide);
            least_.wavefronts += access.count / wide * ((access.places.size() + together - 1) / together);
            least_.instructions += access.count / wide;
        }
    }

    /// Where nothing meets and all runs are moved at once.
    const ExchangeCost& least() const { return least_; }

    /// Some cost that is no less than `most`, where it is so much.
    ExchangeCost operator()(const Padding& padding, const ExchangeCost& most) const {
        ExchangeCost sum;
        std::size_t first = 0;
        for (const BlockedAccess& access : exchange_.accesses) {
            const std::uint32_t wide = width(access, exchange_, padding, {}, element_bytes_);
            const std::size_t end = first + access.places.size(), together = bytes_of_banks / (element_bytes_ * wide);
            std::uint64_t met = 0;
            for (; first < end; first += std::min(together, end - first))
                met += met_in(first, std::min(first + together, end), padding, wide, together);
            sum.wavefronts += access.count / wide * met;
            sum.instructions += access.count / wide;
            if (sum >= most) break;
        }
        return sum;
    }

private:
    struct Lane {
        std::uint32_t sequence, place, block;
    };

    std::uint8_t met_in(std::size_t first, std::size_t end, const Padding& padding, std::uint32_t wide,
                        std::size_t banks) const {
        std::array<std::uint8_t, bytes_of_banks / word_bytes> counts{};
        std::uint8_t worst = 0;
        for (; first < end; ++first) {
            const Lane& lane = lanes_[first];
            const std::uint32_t at = lane.sequence * padding.pitch + lane.place + lane.block * padding.behind_blocks;
            worst = std::max(worst, ++counts[at / wide % banks]);
        }
        return worst;
    }

    const BlockedExchange& exchange_;
    unsigned element_bytes_;
    std::vector<Lane> lanes_;
    ExchangeCost least_;
};

}  // namespace

ExchangeCost exchange_cost(const BlockedExchange& exchange, const Padding& padding, const Swizzle& swizzle,
                           unsigned element_bytes) {
    ExchangeCost sum;
    AccessPattern at;
    const bool is_swizzled = swizzle.rule != Swizzle::Rule::none;
    for (const BlockedAccess& access : exchange.accesses) {
        const std::uint32_t wide = width(access, exchange, padding, swizzle, element_bytes);
        at.resize(access.places.size());
        for (std::size_t lane = 0; lane < at.size(); ++lane) {
            const std::uint32_t place = access.places[lane];
            at[lane] =
                (access.sequences[lane] * padding.pitch + place + place / exchange.block * padding.behind_blocks) /
                wide;
        }
        sum.wavefronts += access.count / wide * access_wavefronts(at, swizzle, element_bytes * wide);
        sum.instructions += access.count / wide + (is_swizzled ? access.count : 0);
    }
    return sum;
}

Paddings choose_paddings(const std::vector<BlockedExchange>& exchanges, std::uint32_t n, std::uint32_t sequences,
                         std::uint32_t most, unsigned element_bytes) {
    const std::uint32_t banks = bytes_of_banks / element_bytes;
    std::vector<Counter> counters;
    ExchangeCost least;
    for (const BlockedExchange& exchange : exchanges) {
        counters.emplace_back(exchange, element_bytes);
        least.wavefronts += counters.back().least().wavefronts;
        least.instructions += counters.back().least().instructions;
    }
    Paddings best{{}, n, n, no_cost};
    for (std::uint32_t apart = 0; apart < (sequences > 1 ? banks : 1) && best.cost > least; ++apart) {
        Paddings paddings{{}, n + apart, n, {}};
        for (std::size_t i = 0; i < exchanges.size() && paddings.cost < best.cost; ++i) {
            const std::uint32_t gaps = n / exchanges[i].block - 1, candidates = gaps == 0 ? 1 : banks;
            ExchangeCost fewest = no_cost;
            std::uint32_t chosen = 0;
            for (std::uint32_t padding = 0;
                 padding < candidates && padding * gaps <= most && fewest > counters[i].least(); ++padding) {
                const ExchangeCost cost = counters[i]({padding, n + apart}, fewest);
                if (cost < fewest) fewest = cost, chosen = padding;
            }
            paddings.behind_blocks.push_back(chosen);
            paddings.extent = std::max(paddings.extent, n + chosen * gaps);
            paddings.cost.wavefronts += fewest.wavefronts;
            paddings.cost.instructions += fewest.instructions;
        }
        if (sequences > 1 && paddings.extent > paddings.pitch)
            paddings.pitch += (paddings.extent - paddings.pitch + banks - 1) / banks * banks;
        if (paddings.pitch <= n + most && paddings.cost < best.cost) best = paddings;
    }
    return best;
}

}  // namespace seiche::kernels

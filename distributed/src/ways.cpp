// How exchanges go: in rows or in packed messages, and in how many pieces. Ranks agree on it when they plan.
#include <algorithm>
#include <string>

#include "pieces.hpp"
#include "program.hpp"
#include "rows.hpp"
#include "sample.hpp"

namespace seiche::distributed {

namespace {

class Chooser {
public:
    Chooser(Communicator& communicator, const Device& device, const Shape& shape, const Design& design,
            const DistributedOptions& options)
        : rank_(static_cast<std::size_t>(communicator.rank())),
          shortest_(communicator.shortest_row(device)),
          limits_(device.limits()),
          shape_(shape),
          design_(design),
          options_(options) {}

    std::size_t exchanges() const { return design_.steps.size() - 1; }

    /// 'n': not in rows. 'p': it is packed otherwise. 'm': whole messages are as good.
    char way(std::size_t step) const {
        if (!shortest_ || !are_in_rows(step, 1)) return 'n';
        const ExchangePlan messages = plan_exchange(from(step), to(step), rank_, shape_.batch);
        return messages.send.is_one_array && messages.receive.is_one_array ? 'm' : 'p';
    }

    /// So few that rows stay long; 0 where this rank does not mind.
    std::uint64_t pieces() const {
        std::uint64_t fewest = 0;
        for (std::size_t step = 0; step < exchanges() && shortest_; ++step) {
            if (from(step)[rank_].empty() || !are_in_rows(step, 1)) continue;
            std::uint64_t count = options_.pieces ? *options_.pieces : fastest(step);
            while (count > 1 && !are_in_rows(step, count)) count /= 2;
            fewest = fewest == 0 ? count : std::min(fewest, count);
        }
        return fewest;
    }

private:
    const std::vector<Box>& from(std::size_t step) const { return design_.steps[step].after; }
    const std::vector<Box>& to(std::size_t step) const { return design_.steps[step + 1].before; }
    std::uint64_t element(std::size_t step) const {
        return (design_.steps[step].writes_reals ? 1 : 2) * shape_.real_bytes;
    }

    bool are_in_rows(std::size_t step, std::uint64_t pieces) const {
        const std::size_t ranks = from(step).size();
        const Cut before = cut_of(design_.steps[step], ranks, pieces),
                  after = cut_of(design_.steps[step + 1], ranks, pieces);
        const Windows windows = windows_of(from(step), to(step), pieces > 1 && !design_.steps[step + 1].axes.empty());
        for (const Stage& stage : stages_of(before, after)) {
            const std::vector<Box> sent = pieces_of(from(step), before, stage.from_first, stage.from_last),
                                   received = pieces_of(to(step), after, stage.to_first, stage.to_last);
            if (!are_fast(plan_rows({windows.from, sent}, {windows.to, received}, rank_, shape_.batch, element(step)),
                          *shortest_))
                return false;
        }
        return true;
    }

    std::uint64_t fastest(std::size_t step) const {
        const Load load = load_of(design_.steps[step], design_.steps[step + 1], rank_, shape_.batch * element(step));
        if (!options_.fabric || !(options_.fabric->inside.bytes_per_second > 0)) return best_pieces(load, limits_);
        return best_pieces(load,
                           Speeds{options_.fabric->memory_bytes_per_second, options_.fabric->inside.bytes_per_second});
    }

    std::size_t rank_;
    std::optional<std::uint64_t> shortest_;
    const DeviceLimits& limits_;
    const Shape& shape_;
    const Design& design_;
    const DistributedOptions& options_;
};

}  // namespace

Ways choose_ways(Communicator& communicator, const Device& device, const Shape& shape, const Design& design,
                 const DistributedOptions& options) {
    const Chooser chooser(communicator, device, shape, design, options);
    std::string own;
    for (std::size_t step = 0; step < chooser.exchanges(); ++step) own += chooser.way(step);
    const std::vector<std::string> texts =
        communicator.all_gather(own + " " + std::to_string(communicator.size() == 1 ? 1 : chooser.pieces()));
    Ways ways{std::vector<char>(chooser.exchanges(), 0), 0};
    for (const std::string& text : texts) {
        const std::uint64_t count = std::stoull(text.substr(text.find(' ')));
        if (count != 0) ways.pieces = ways.pieces == 0 ? count : std::min(ways.pieces, count);
    }
    ways.pieces = std::max<std::uint64_t>(ways.pieces, 1);
    for (std::size_t step = 0; step < chooser.exchanges(); ++step) {
        const auto has = [&](char way) {
            return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) { return text[step] == way; });
        };
        ways.by_rows[step] = static_cast<char>(!has('n') && (has('p') || ways.pieces > 1));
    }
    if (std::count(ways.by_rows.begin(), ways.by_rows.end(), 1) == 0) ways.pieces = 1;
    return ways;
}

}  // namespace seiche::distributed

// Exchanges in pieces, so that one piece is under way while another is transformed: which pieces of a box there are, in
// which order they go, and how many. Plain values, the same on every rank.
#pragma once

#include <cstdint>
#include <vector>

#include "design.hpp"

namespace seiche::distributed {

/// Each rank's box of a step in pieces along an axis that the step does not transform.
struct Cut {
    std::size_t axis = 0;
    std::uint64_t count = 1;
};

/// Where the step has no such axis of that many elements, fewer pieces or one.
Cut cut_of(const Step& step, std::size_t rank_count, std::uint64_t count);

/// Pieces `first` to `last` - 1 of a box, which lie together. Some may be empty.
Box pieces_of(const Box& box, const Cut& cut, std::uint64_t first, std::uint64_t last);
std::vector<Box> pieces_of(const std::vector<Box>& boxes, const Cut& cut, std::uint64_t first, std::uint64_t last);

/// One exchange of several that move an array: from these pieces of all senders to these of all receivers.
struct Stage {
    std::uint64_t from_first = 0, from_last = 1, to_first = 0, to_last = 1;
};

/// Pieces go one by one to whole receivers as the step before makes them. The last of them go together, but to the
/// receivers' pieces one by one, so that the step after can begin.
std::vector<Stage> stages_of(const Cut& before, const Cut& after);

/// The boxes by rank in whose dense arrays an exchange's parts lie: those that it is between, or one around both where
/// that takes no more memory on any rank. Then what stays on a rank is where it has to be, and is not copied.
struct Windows {
    std::vector<Box> from = {}, to = {};
    bool are_shared = false;
};
Windows windows_of(const std::vector<Box>& from, const std::vector<Box>& to, bool may_be_shared);

/// Bytes of one rank in an exchange: sent to others, kept, and moved by its passes in the steps around it. A step
/// without passes is not cut.
struct Load {
    std::uint64_t sent = 0, kept = 0, before = 0, after = 0;
};
Load load_of(const Step& before, const Step& after, std::size_t rank, std::uint64_t element_bytes);

/// In bytes per second: of memory, reads and writes together, and of the link to the other ranks, in one direction.
struct Speeds {
    double memory = 0, link = 0;
};

/// Of the passes around an exchange and of the exchange, in so many pieces.
double time_in_pieces(const Load& load, std::uint64_t pieces, const Speeds& speeds);

/// The pieces of an exchange that cost least by count. More of them hide more of the exchange behind the passes, and
/// what is kept is not copied, but each costs launches and events.
std::uint64_t best_pieces(const Load& load, const Speeds& speeds);
/// At the speeds of a device's memory and of NVLink.
std::uint64_t best_pieces(const Load& load, const DeviceLimits& limits);

}  // namespace seiche::distributed

// Where the lanes of a shuffle's registers come from.
#pragma once

#include <cstdint>

namespace seiche::emit::machine {

/// Where one lane of a result comes from: a lane of a source register.
struct LaneSource {
    static constexpr std::uint8_t any = 0xff;

    std::uint8_t source = any;  ///< any: nobody looks at this lane.
    std::uint8_t lane = 0;
    bool operator==(const LaneSource&) const = default;
};

}  // namespace seiche::emit::machine

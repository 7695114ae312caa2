// Device memory that other processes may open: it is freed only when no process can have it open any more.
#pragma once

#include <cstdint>

#include "site.hpp"

namespace seiche::compat {

/// While one lives, memory of `peer_memory` that is given back is kept, for the next that asks for as much. Its owner
/// destroys it after all processes have closed what they opened through it.
class PeerMemoryUser {
public:
    PeerMemoryUser();
    ~PeerMemoryUser();
    PeerMemoryUser(const PeerMemoryUser&) = delete;
    PeerMemoryUser& operator=(const PeerMemoryUser&) = delete;
};

Allocation peer_memory(const Site& site, std::uint64_t bytes);
/// Whether so many bytes at `pointer` lie in memory that `peer_memory` gave.
bool is_peer_memory(const void* pointer, std::uint64_t bytes);

}  // namespace seiche::compat

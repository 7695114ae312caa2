// What makers publish of chips and no driver says.
#pragma once

#include <cstdint>
#include <string_view>

namespace seiche::runtime {

/// The last cache that all units share, of chips whose maker has published it; of all others 0. Only whole cards count:
/// a part of one, and a laptop's chip of the same name, may have another. `vendor`: the PCI-SIG's number.
std::uint64_t published_cache_bytes(std::uint32_t vendor, std::string_view device_name);

}  // namespace seiche::runtime

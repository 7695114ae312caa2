// Explanations of plans, and values followed through them.
#include "seiche/explain.hpp"

#include "api/guard.hpp"
#include "exec/inspect.hpp"

namespace seiche {

const char* to_string(MemoryLevel level) noexcept {
    switch (level) {
        case MemoryLevel::registers: return "registers";
        case MemoryLevel::scratch: return "scratch";
        case MemoryLevel::shared: return "shared memory";
        case MemoryLevel::cluster: return "cluster";
        case MemoryLevel::global: return "global memory";
    }
    return "?";
}

Explanation explain(const Problem& problem, const DeviceLimits& limits, const Tuning& tuning,
                    std::uint32_t most_lines) {
    return api::guarded("explaining", [&] { return exec::explain(problem, limits, tuning, most_lines); });
}

FollowedValues follow(const Problem& problem, const DeviceLimits& limits, const Tuning& tuning,
                      const std::vector<std::complex<double>>& input) {
    return api::guarded("following values", [&] { return exec::follow(problem, limits, tuning, input); });
}

}  // namespace seiche

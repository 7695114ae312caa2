#include "site.hpp"

#include <algorithm>
#include <cstddef>

namespace seiche::compat {

namespace {

constexpr std::size_t most_kept = 32;
/// Of constant tables, in the device's memory.
constexpr std::uint64_t most_kept_bytes = std::uint64_t{64} << 20;

std::uint64_t table_bytes(const Plan& plan) {
    std::uint64_t bytes = 0;
    for (const KernelReport& kernel : plan.report().kernels) bytes += kernel.table_bytes;
    return bytes;
}

}  // namespace

void Site::keep(const Plan& plan) const {
    std::deque<Plan> dropped;  // destroyed after the lock is
    const std::lock_guard lock(mutex_);
    kept_.push_front(plan);
    // A plan made again is the same object, and reports from the same place.
    const auto again =
        std::find_if(kept_.begin() + 1, kept_.end(), [&](const Plan& one) { return &one.report() == &plan.report(); });
    if (again != kept_.end()) kept_.erase(again);
    std::uint64_t bytes = 0;
    std::size_t count = 0;
    while (count < kept_.size() && count < most_kept && (bytes += table_bytes(kept_[count])) <= most_kept_bytes)
        ++count;
    dropped.assign(kept_.begin() + static_cast<std::ptrdiff_t>(count), kept_.end());
    kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(count), kept_.end());
}

bool Site::has_kept(const Problem& problem) const {
    const std::string text = to_string(problem);
    const std::lock_guard lock(mutex_);
    return std::any_of(kept_.begin(), kept_.end(), [&](const Plan& plan) { return plan.report().problem == text; });
}

}  // namespace seiche::compat

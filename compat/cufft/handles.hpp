// Handles: numbers that stand for plans. A lookup is a few nanoseconds and takes no lock but the plan's own.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "abi.hpp"
#include "fft_plan.hpp"

namespace seiche::compat {

/// A plan that this thread alone uses while this lives.
class LockedPlan {
public:
    LockedPlan(std::unique_lock<std::mutex> lock, FftPlan& plan) : lock_(std::move(lock)), plan_(&plan) {}
    FftPlan& operator*() const { return *plan_; }
    FftPlan* operator->() const { return plan_; }

private:
    std::unique_lock<std::mutex> lock_;
    FftPlan* plan_;
};

/// A new plan with settings alone. Throws Refused where there are too many.
Handle create_handle();
/// Throws Refused for a handle that is none, or of a plan that was destroyed.
LockedPlan plan_of(Handle handle);
/// Throws as `plan_of`.
void destroy_handle(Handle handle);

}  // namespace seiche::compat

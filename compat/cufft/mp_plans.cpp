// cuFFTMp's functions of plans.
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "entry.hpp"
#include "handles.hpp"
#include "mp.hpp"
#include "processes.hpp"

using namespace seiche::compat;

namespace {

ProcessSettings& settings_of(const LockedPlan& plan) {
    plan->expect_not_made();
    if (plan->processes() == nullptr)
        throw Refused{invalid_plan, "the plan has no communicator: expected MpAttachComm before"};
    return *plan->processes();
}

bool are_the_two_of(int one, int other, int a, int b) { return (one == a && other == b) || (one == b && other == a); }

}  // namespace

SEICHE_FFT(MpAttachComm)(Handle handle, int type, void* comm) {
    return guarded("MpAttachComm", [&] {
        const LockedPlan plan = plan_of(handle);
        plan->expect_not_made();
        auto settings = std::make_shared<ProcessSettings>();
        settings->ranks = attached_ranks(type, comm);
        plan->set_processes(std::move(settings), plan_of_processes);
    });
}

SEICHE_FFT(XtSetDistribution)
(Handle handle, int rank, const long long* lower_input, const long long* upper_input, const long long* lower_output,
 const long long* upper_output, const long long* strides_input, const long long* strides_output) {
    return guarded("XtSetDistribution", [&] {
        const LockedPlan plan = plan_of(handle);
        ProcessSettings& settings = settings_of(plan);
        if (rank < 2 || rank > 3)
            throw Refused{invalid_value, "the rank is " + std::to_string(rank) + ", expected 2 or 3"};
        settings.distribution = Distribution{box_of(rank, lower_input, upper_input, strides_input, "the input"),
                                             box_of(rank, lower_output, upper_output, strides_output, "the output")};
    });
}

SEICHE_FFT(XtSetSubformatDefault)(Handle handle, int forward, int inverse) {
    return guarded("XtSetSubformatDefault", [&] {
        const LockedPlan plan = plan_of(handle);
        ProcessSettings& settings = settings_of(plan);
        if (!are_the_two_of(forward, inverse, format_inplace, format_inplace_shuffled) &&
            !are_the_two_of(forward, inverse, format_distributed_input, format_distributed_output))
            throw Refused{invalid_value, "the formats are " + std::to_string(forward) + " and " +
                                             std::to_string(inverse) + ", expected 2 and 3 or 5 and 6"};
        settings.formats = std::pair{forward, inverse};
    });
}

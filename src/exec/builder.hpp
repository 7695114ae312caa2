// Building: a request becomes an executable whose kernels are loaded.
#pragma once

#include "exec/draft.hpp"
#include "exec/executable.hpp"

namespace seiche::exec {

class Builder {
public:
    /// `limits` are the device's, or less. `saved` is borrowed until the end of build; null: none.
    Builder(const BuildRequest& request, const DeviceLimits& limits, const SavedPlan* saved);
    std::shared_ptr<const Executable> build();

private:
    void add(const DraftSchedule& drafted, Loader& loader);

    const BuildRequest& request_;
    const SavedPlan* saved_;
    std::shared_ptr<Executable> executable_;
};

}  // namespace seiche::exec

// Kernel packs of plans.
#include "seiche/pack.hpp"

#include "api/guard.hpp"
#include "exec/saved_plan.hpp"

namespace seiche {

std::vector<std::byte> pack_kernels(const std::vector<Plan>& plans) {
    return api::guarded("packing kernels", [&] {
        std::vector<exec::SavedPlan> saved;
        saved.reserve(plans.size());
        for (const Plan& plan : plans) saved.push_back(exec::read_saved_plan(plan.save()));
        return exec::to_pack(saved);
    });
}

}  // namespace seiche

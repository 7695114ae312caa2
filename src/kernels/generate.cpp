// From a spec to a kernel: checks the spec and picks the generator of its shape.
#include "kernels/generate.hpp"

#include "seiche/error.hpp"

namespace seiche::kernels {

namespace {

void check(const KernelSpec& spec) {
    std::uint64_t product = 1;
    for (const std::uint32_t radix : spec.radices) product *= radix;
    if (spec.radices.empty() || product != spec.n) {
        throw InternalError("kernel '" + spec.name + "': the radices must multiply to n: " + to_string(spec));
    }
    if (spec.loops.empty())
        throw InternalError("kernel '" + spec.name + "': expected at least the batch loop, got none");
}

}  // namespace

ir::Kernel generate(const KernelSpec& spec) {
    check(spec);
    return std::holds_alternative<GroupShape>(spec.shape) ? generate_group(spec) : generate_bundle(spec);
}

}  // namespace seiche::kernels

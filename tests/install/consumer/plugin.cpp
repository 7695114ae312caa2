// A plugin with one entry: it transforms what its host hands it, and keeps Seiche to itself.
#include <complex>
#include <seiche/seiche.hpp>
#include <vector>

extern "C" __attribute__((visibility("default"))) float plugin_energy(const float* samples, unsigned count) {
    seiche::Problem problem;
    problem.lengths = {count};
    const seiche::Plan plan(seiche::Device::open("reference"), problem);
    float energy = 0.0F;
    for (const auto& value : plan.forward(std::vector<std::complex<float>>(samples, samples + count)))
        energy += std::norm(value);
    return energy;
}

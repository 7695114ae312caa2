// A plugin that transforms something through the interpreter each time it is opened.
#include <complex>
#include <exception>
#include <vector>

#include "seiche/plan.hpp"

extern "C" int run_transform() {
    try {
        const seiche::Device device = seiche::Device::open("reference");
        for (const char* problem : {"64", "1000", "4096"}) {
            const seiche::Plan plan(device, seiche::parse_problem(problem));
            const std::vector<std::complex<float>> data(plan.input_bytes() / sizeof(std::complex<float>), {1, 0});
            if (plan.forward(data)[0].real() < 63.0f) return 1;
        }
        return 0;
    } catch (const std::exception&) {
        return 2;
    }
}

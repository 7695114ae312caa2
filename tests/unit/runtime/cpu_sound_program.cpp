// A few transforms on the processor, back and forth, for a program that watches every access (valgrind).
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

#include "seiche/convolution.hpp"
#include "seiche/error.hpp"
#include "seiche/plan.hpp"

namespace {

using namespace seiche;

/// Whether the inverse of the forward transform is the signal again.
template <class T>
bool comes_back(const Device& device, const char* text, double tolerance) {
    const Plan plan(device, parse_problem(text));
    std::vector<std::complex<T>> signal(plan.input_bytes() / sizeof(std::complex<T>));
    for (std::size_t i = 0; i < signal.size(); ++i) signal[i] = {static_cast<T>(i % 13) - 6, static_cast<T>(i % 7) / 4};
    const std::vector<std::complex<T>> back = plan.inverse(plan.forward(signal));
    for (std::size_t i = 0; i < signal.size(); ++i)
        if (!(std::abs(back[i] - signal[i]) < tolerance)) return false;
    return true;
}

/// Whether there is no NaN and no infinity, which looks at every bit of every number.
bool are_finite(const std::vector<float>& numbers) {
    for (const float x : numbers)
        if (!std::isfinite(x)) return false;
    return true;
}

std::vector<float> ramp(std::size_t count) {
    std::vector<float> numbers(count);
    for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<float>(i % 19) - 9;
    return numbers;
}

bool is_sound(const Device& device) {
    for (const char* text :
         {"1", "60 batch=7", "37 batch=5", "1009", "4096 batch=5", "20x12", "16384", "6x10x7 in-place"})
        if (!comes_back<float>(device, (std::string(text) + " inverse-scale=1/n").c_str(), 1e-3)) return false;
    for (const char* text : {"48 f64 batch=9", "31 f64", "24 f64 batch=3 spectrum-order=pass"})
        if (!comes_back<double>(device, (std::string(text) + " inverse-scale=1/n").c_str(), 1e-9)) return false;
    for (const char* text : {"48 r2c batch=7", "49 r2c", "30x20 r2c"}) {
        const Plan plan(device, parse_problem(text));
        for (const auto& x : plan.transform<std::complex<float>>(ramp(plan.input_bytes() / sizeof(float))))
            if (!are_finite({x.real(), x.imag()})) return false;
    }
    for (const char* text : {"16 dct2 batch=19", "17 dst3", "21 dht"}) {
        const Plan plan(device, parse_problem(text));
        if (!are_finite(plan.transform<float>(ramp(plan.input_bytes() / sizeof(float))))) return false;
    }
    const ConvolutionPlan plan(device, parse_convolution("50 * 7 real batch=3"));
    return are_finite(plan.convolve(ramp(150), ramp(7)));
}

}  // namespace

int main() {
    try {
        const Device device = Device::open("cpu");
        std::printf("on %s\n", device.info().driver.c_str());
        return is_sound(device) ? 0 : 1;
    } catch (const Error& error) {
        std::printf("%s\n", error.what());
        return 2;
    }
}

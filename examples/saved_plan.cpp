// A plan with its compiled kernels, kept in a file: the next process compiles nothing. Here both are one process.
#include <seiche/seiche.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>

namespace {

const char* const path = "saved_plan_example.plan";

void save(const seiche::Plan& plan) {
    const std::vector<std::byte> bytes = plan.save();
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    std::printf("saved %zu bytes, %zu kernels\n", bytes.size(), plan.report().kernels.size());
}

seiche::Plan load(const seiche::Device& device) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    seiche::Plan plan = seiche::Plan::load(device, bytes.data(), bytes.size());
    // On another device, driver or version the problem is planned anew, and this is not empty.
    if (!plan.report().replanned.empty()) std::printf("planned anew: %s\n", plan.report().replanned.c_str());
    return plan;
}

}  // namespace

int main() {
    try {
        const seiche::Device device = seiche::Device::open();
        save(seiche::Plan(device, seiche::parse_problem("1000 f32 inverse-scale=1/n")));
        const seiche::Plan plan = load(device);

        std::vector<std::complex<float>> signal(1000);
        for (std::size_t j = 0; j < signal.size(); ++j) signal[j] = static_cast<float>(j % 7);
        const auto again = plan.inverse(plan.forward(signal));
        float worst = 0;
        for (std::size_t j = 0; j < signal.size(); ++j) worst = std::max(worst, std::abs(again[j] - signal[j]));
        std::printf("%u kernels compiled by loading; largest difference there and back: %.1e\n", plan.report().compiled,
                    static_cast<double>(worst));
        std::remove(path);
        return plan.report().compiled == 0 && worst < 1e-4f ? 0 : 1;
    } catch (const seiche::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}

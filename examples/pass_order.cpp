// A long convolution in place without any workspace: spectra stay in the order in which the passes leave them, because
// a product of two does not ask for another, and the inverse takes it.
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

#include <seiche/seiche.hpp>

int main() {
    const std::uint64_t n = 1 << 17, taps = 5;
    seiche::Problem problem;
    problem.lengths = {n};
    problem.placement = seiche::Placement::in_place;
    problem.inverse_scale = seiche::Scale::by_n();

    std::vector<std::complex<float>> signal(n), mean(n);
    for (std::uint64_t j = 0; j < n; ++j) signal[j] = {static_cast<float>(j * j % 101) / 101, 0.5f};
    for (std::uint64_t j = 0; j < taps; ++j) mean[j] = 1.0f / static_cast<float>(taps);

    try {
        const seiche::Device device = seiche::Device::open();
        const seiche::Plan natural(device, problem);
        problem.spectrum_order = seiche::SpectrumOrder::pass;
        // A stage counts positions, so that both factors are read in the order in which they lie.
        problem.inverse_load = "return value * complex(response[2 * i0], response[2 * i0 + 1]);";
        problem.inverse_load.buffers = {{"response", seiche::StageType::f32, 2 * n}};
        const seiche::Plan plan(device, problem);
        std::printf("workspace: %llu bytes in natural order, %llu in pass order\n",
                    static_cast<unsigned long long>(natural.workspace_bytes()),
                    static_cast<unsigned long long>(plan.workspace_bytes()));
        std::printf("at position 1 lies frequency %llu\n", static_cast<unsigned long long>(plan.spectrum_index(0, 1)));
        if (plan.workspace_bytes() != 0) return 1;

        seiche::Queue queue = device.create_queue();
        const seiche::Buffer data = device.allocate(plan.input_bytes());
        const seiche::Buffer response = device.allocate(plan.input_bytes());
        queue.upload(data, signal.data(), plan.input_bytes());
        queue.upload(response, mean.data(), plan.input_bytes());
        seiche::Execution execution;
        for (const seiche::Buffer& buffer : {response, data}) {
            execution.input = buffer;
            plan.execute(queue, execution);
        }
        execution.direction = seiche::Direction::inverse;
        execution.stage_buffers = {{"response", response}};
        plan.execute(queue, execution);
        std::vector<std::complex<float>> smooth(n);
        queue.download(smooth.data(), data, plan.output_bytes());

        double worst = 0;
        for (std::uint64_t j = 0; j < n; ++j) {
            std::complex<float> sum = 0;
            for (std::uint64_t t = 0; t < taps; ++t) sum += signal[(j + n - t) % n] / static_cast<float>(taps);
            worst = std::max(worst, static_cast<double>(std::abs(smooth[j] - sum)));
        }
        std::printf("%llu points, %llu taps on %s: off by at most %.1e\n", static_cast<unsigned long long>(n),
                    static_cast<unsigned long long>(taps), device.info().name.c_str(), worst);
        return worst < 1e-5 ? 0 : 1;
    } catch (const seiche::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}

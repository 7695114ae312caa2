// A batch on the device: own queue and buffers, and one plan for any number of transforms.
#include <seiche/seiche.hpp>

#include <cmath>
#include <cstdio>

int main() {
    try {
        const std::uint64_t n = 360, most = 100;
        const seiche::Device device = seiche::Device::open();

        seiche::Problem problem;
        problem.lengths = {n};
        problem.batch = most;
        problem.placement = seiche::Placement::in_place;
        seiche::PlanOptions options;
        options.directions = seiche::Directions::forward;  // compiles half as much
        const seiche::Plan plan(device, problem, options);

        // Transform b is a tone of frequency b: its spectrum is one peak, at b.
        std::vector<std::complex<float>> data(n * most);
        for (std::uint64_t b = 0; b < most; ++b)
            for (std::uint64_t j = 0; j < n; ++j)
                data[b * n + j] = std::polar(1.0f, 6.2831853f * static_cast<float>(b * j % n) / static_cast<float>(n));

        seiche::Queue queue = device.create_queue();
        const seiche::Buffer buffer = device.allocate(plan.input_bytes());
        seiche::Buffer workspace;
        if (plan.workspace_bytes() != 0) workspace = device.allocate(plan.workspace_bytes());

        int wrong = 0;
        for (const std::uint64_t batch : {most, std::uint64_t{7}}) {
            queue.upload(buffer, data.data(), plan.input_bytes());
            seiche::Execution execution;
            execution.input = buffer;
            execution.workspace = workspace;
            execution.batch = batch;  // another one each time, with the same plan
            plan.execute(queue, execution);

            std::vector<std::complex<float>> spectra(n * batch);
            queue.download(spectra.data(), buffer, plan.output_bytes(batch));  // waits
            for (std::uint64_t b = 0; b < batch; ++b)
                if (std::abs(spectra[b * n + b] - static_cast<float>(n)) > 0.01f) ++wrong;
            std::printf("%3d transforms of %d points on %s: %d peaks out of place\n", static_cast<int>(batch),
                        static_cast<int>(n), device.info().name.c_str(), wrong);
        }
        return wrong == 0 ? 0 : 1;
    } catch (const seiche::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}

// 8-bit samples of a real signal in, decibels out: window, conversion and logarithm are stages of the transform, so
// that the data go through memory once.
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <seiche/seiche.hpp>

int main() {
    const std::uint64_t n = 1024, bins = n / 2 + 1, frames = 8;
    seiche::Problem problem;
    problem.kind = seiche::Kind::r2c;
    problem.lengths = {n};
    problem.batch = frames;
    problem.forward_load =
        "let hann = 0.5 - 0.5 * cospi(2 * i0 / n0);\n"
        "return (samples[batch * n0 + i0] - 128) / 128 * hann;";
    problem.forward_load.buffers = {{"samples", seiche::StageType::u8, frames * n}};
    problem.forward_store = "store level[batch * (div(n0, 2) + 1) + i0] = 10 * log10(norm(value) / reference + 1e-12);";
    problem.forward_store.buffers = {{"level", seiche::StageType::f32, frames * bins}};
    problem.forward_store.scalars = {{"reference", seiche::StageType::f32}};

    // A tone in bin 100 + f of frame f.
    std::vector<std::uint8_t> samples(frames * n);
    for (std::uint64_t f = 0; f < frames; ++f)
        for (std::uint64_t i = 0; i < n; ++i) {
            const double turns = static_cast<double>((100 + f) * i % n) / static_cast<double>(n);
            samples[f * n + i] =
                static_cast<std::uint8_t>(std::lround(128 + 100 * std::cos(6.283185307179586 * turns)));
        }

    try {
        const seiche::Device device = seiche::Device::open();
        seiche::PlanOptions options;
        options.directions = seiche::Directions::forward;
        const seiche::Plan plan(device, problem, options);
        seiche::Queue queue = device.create_queue();
        const seiche::Buffer in = device.allocate(samples.size());
        const seiche::Buffer out = device.allocate(frames * bins * sizeof(float));
        queue.upload(in, samples.data(), samples.size());

        seiche::Execution execution;  // this transform has no input; nor an output where it is one kernel
        if (plan.output_bytes() != 0) execution.output = device.allocate(plan.output_bytes());
        if (plan.workspace_bytes() != 0) execution.workspace = device.allocate(plan.workspace_bytes());
        execution.stage_buffers = {{"samples", in}, {"level", out}};
        execution.stage_scalars = {{"reference", 256.0 * 256.0}};  // the level of a full-scale tone is 0 dB
        plan.execute(queue, execution);
        std::vector<float> level(frames * bins);
        queue.download(level.data(), out, level.size() * sizeof(float));

        for (std::uint64_t f = 0; f < frames; ++f) {
            std::uint64_t loudest = 0;
            for (std::uint64_t k = 0; k < bins; ++k)
                if (level[f * bins + k] > level[f * bins + loudest]) loudest = k;
            const double decibels = level[f * bins + loudest];
            std::printf("frame %llu: bin %llu, %.2f dB\n", static_cast<unsigned long long>(f),
                        static_cast<unsigned long long>(loudest), decibels);
            if (loudest != 100 + f || std::abs(decibels - 20 * std::log10(100.0 / 128.0)) > 0.05) return 1;
        }
    } catch (const seiche::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}

// Your own CUDA: Seiche works on your stream and in your memory, in order with your copies and kernels.
#include <cuda_runtime_api.h>

#include <cmath>
#include <cstdio>
#include <seiche/interop/cuda.hpp>
#include <seiche/seiche.hpp>

int main() {
    int cards = 0;
    if (cudaGetDeviceCount(&cards) != cudaSuccess || cards == 0) {
        std::puts("no CUDA card: skipped");
        return 77;
    }
    cudaStream_t stream = nullptr;  // a CUstream by another name
    void* memory = nullptr;
    const std::size_t n = 4096, bytes = n * sizeof(std::complex<float>);
    if (cudaStreamCreate(&stream) != cudaSuccess || cudaMalloc(&memory, bytes) != cudaSuccess) return 1;
    bool right = false;
    try {
        const seiche::Device device = seiche::cuda::device(0);  // the runtime API's own (primary) context
        seiche::Problem problem;
        problem.lengths = {n};
        problem.placement = seiche::Placement::in_place;
        problem.inverse_scale = seiche::Scale::by_n();
        const seiche::Plan plan(device, problem);

        seiche::Queue queue = seiche::cuda::queue(device, stream);
        seiche::Execution execution;
        execution.input = seiche::cuda::buffer(device, memory, bytes);
        if (plan.workspace_bytes() != 0) execution.workspace = device.allocate(plan.workspace_bytes());

        std::vector<std::complex<float>> signal(n), again(n);
        for (std::size_t j = 0; j < n; ++j) signal[j] = {std::sin(0.1f * static_cast<float>(j)), 0.25f};
        cudaMemcpyAsync(memory, signal.data(), bytes, cudaMemcpyHostToDevice, stream);
        plan.execute(queue, execution);  // nothing waits until the stream is synchronised
        execution.direction = seiche::Direction::inverse;
        plan.execute(queue, execution);
        cudaMemcpyAsync(again.data(), memory, bytes, cudaMemcpyDeviceToHost, stream);
        cudaStreamSynchronize(stream);

        float worst = 0;
        for (std::size_t j = 0; j < n; ++j) worst = std::fmax(worst, std::abs(again[j] - signal[j]));
        std::printf("on %s: largest difference after going there and back: %.1e\n", device.info().description.c_str(),
                    static_cast<double>(worst));
        right = worst < 1e-5f;
    } catch (const seiche::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
    cudaFree(memory);
    cudaStreamDestroy(stream);
    return right ? 0 : 1;
}

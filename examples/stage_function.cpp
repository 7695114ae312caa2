// Functions in place of a transform's loads and stores: a mask on the input, magnitudes as output. On CUDA they are
// device functions, whose code is given as LTO-IR, a fatbin, a cubin or PTX:
//
//     nvcc -dc -fatbin -gencode arch=compute_80,code=lto_80 stage_function.cu -o stage_function.fatbin
//     stage_function stage_function.fatbin
//
// where stage_function.cu has
//
//     extern "C" __device__ float2 masked_load(void* array, unsigned long long index, void* pointer, void*) {
//         const float keep = ((const float*)pointer)[index % 1024];
//         const float2 x = ((const float2*)array)[index];
//         return make_float2(keep * x.x, keep * x.y);
//     }
//     extern "C" __device__ void magnitude_store(void* array, unsigned long long index, float2 x, void*, void*) {
//         ((float2*)array)[index] = make_float2(hypotf(x.x, x.y), 0);
//     }
//
// Without a file the same functions run on the processor.
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

#include <seiche/interop/untyped.hpp>
#include <seiche/seiche.hpp>

namespace {

using Point = std::complex<float>;
constexpr std::uint64_t n = 1024, arrays = 4;

void masked_load(void* array, std::uint64_t index, void* value, void* pointer) {
    *static_cast<Point*>(value) =
        static_cast<const float*>(pointer)[index % n] * static_cast<const Point*>(array)[index];
}
void magnitude_store(void* array, std::uint64_t index, void* value, void*) {
    static_cast<Point*>(array)[index] = std::abs(*static_cast<const Point*>(value));
}

std::vector<std::byte> file(const char* path) {
    std::ifstream in(path, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
    const auto* data = reinterpret_cast<const std::byte*>(bytes.data());
    return {data, data + bytes.size()};
}

}  // namespace

int main(int count, char** arguments) {
    const bool is_cuda = count > 1;
    try {
        const seiche::Device device = seiche::Device::open(is_cuda ? "cuda" : "cpu");
        const std::vector<std::byte> code = is_cuda ? file(arguments[1]) : std::vector<std::byte>();
        seiche::Problem problem;
        problem.lengths = {n};
        problem.batch = arrays;
        problem.forward_load = seiche::StageFunction{is_cuda ? "masked_load" : "", code, masked_load};
        problem.forward_store = seiche::StageFunction{is_cuda ? "magnitude_store" : "", code, magnitude_store};
        seiche::PlanOptions options;
        options.directions = seiche::Directions::forward;
        const seiche::Plan plan(device, problem, options);

        // Of a wave in every array the first half is kept.
        std::vector<Point> wave(n * arrays);
        for (std::uint64_t i = 0; i < wave.size(); ++i)
            wave[i] = std::polar(1.0F, 6.2831853F * static_cast<float>(i * 100 % n) / static_cast<float>(n));
        std::vector<float> mask(n, 0.0F);
        for (std::uint64_t i = 0; i < n / 2; ++i) mask[i] = 1.0F;

        seiche::Queue queue = device.create_queue();
        const seiche::Buffer mask_memory = device.allocate(n * sizeof(float));
        seiche::Execution execution;
        execution.input = device.allocate(plan.input_bytes());
        execution.output = device.allocate(plan.output_bytes());
        if (plan.workspace_bytes() != 0) execution.workspace = device.allocate(plan.workspace_bytes());
        queue.upload(execution.input, wave.data(), plan.input_bytes());
        queue.upload(mask_memory, mask.data(), n * sizeof(float));
        // What the load function gets: an address where the function runs.
        execution.load_pointer =
            is_cuda ? reinterpret_cast<void*>(seiche::cuda::untyped::address(mask_memory)) : mask.data();
        plan.execute(queue, execution);
        std::vector<Point> magnitudes(n * arrays);
        queue.download(magnitudes.data(), execution.output, plan.output_bytes());

        for (std::uint64_t a = 0; a < arrays; ++a) {
            const float peak = magnitudes[a * n + 100].real();
            std::printf("array %d: %.3f in bin 100, %.3f of half a wave\n", static_cast<int>(a), peak,
                        peak / (0.5F * static_cast<float>(n)));
            if (std::abs(peak - 0.5F * static_cast<float>(n)) > 0.1F) return 1;
        }
    } catch (const seiche::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return is_cuda ? 1 : 77;
    }
    return 0;
}

// VkFFT (Dmitrii Tolmachev) through its Vulkan backend, whose shaders glslang compiles.
#include "bench/vulkan_device.hpp"

// The header is C that defines functions, for one interface in a file; it calls Vulkan's by their names.
#define SEICHE_USE(name) using seiche::bench::vulkan::name;
SEICHE_BENCH_VULKAN(SEICHE_USE)
#undef SEICHE_USE
#define VKFFT_BACKEND 0
#include <vkFFT.h>

#include <algorithm>

namespace seiche::bench {
namespace {

void check(VkFFTResult code, const char* call) {
    if (code != VKFFT_SUCCESS) throw PeerError(std::string(call) + " failed with code " + std::to_string(code));
}

/// Once for all plans: a plan of VkFFT's would end it with itself.
void start_compiler() {
    static const bool started = glslang_initialize_process() != 0;
    if (!started) throw PeerError("glslang_initialize_process failed");
}

class VkfftVulkan final : public Transform {
public:
    explicit VkfftVulkan(const Case& what) : device_(what), bytes_(what.bytes()) {
        start_compiler();
        VkFFTConfiguration configuration = {};
        configuration.FFTdim = what.lengths.size();
        std::copy(what.lengths.rbegin(), what.lengths.rend(), configuration.size);  // fastest first
        configuration.numberBatches = what.batch;
        configuration.physicalDevice = &device_.physical;
        configuration.device = &device_.device;
        configuration.queue = &device_.queue;
        configuration.commandPool = &device_.pool;
        configuration.fence = &device_.fence;
        configuration.isCompilerInitialized = 1;
        configuration.bufferSize = &bytes_;
        configuration.buffer = &device_.output;
        configuration.doublePrecision = what.has_doubles() ? 1 : 0;
        configuration.makeForwardPlanOnly = 1;
        configuration.performR2C = what.kind() == Kind::r2c ? 1 : 0;
        if (!what.in_place) {
            configuration.isInputFormatted = 1;
            configuration.inputBufferSize = &bytes_;
            configuration.inputBuffer = &device_.input;
            std::uint64_t stride = 1;
            for (std::size_t axis = 0; axis < what.lengths.size(); ++axis) {
                stride *= configuration.size[axis];
                configuration.inputBufferStride[axis] = stride;
            }
        }
        check(initializeVkFFT(&application_, configuration), "initializeVkFFT");
    }
    ~VkfftVulkan() override { deleteVkFFT(&application_); }
    void load(const void* input) override { device_.load(input); }
    double run(unsigned count) override {
        return device_.run(count, [this](VkCommandBuffer commands) {
            VkFFTLaunchParams launch = {};
            launch.commandBuffer = &commands;
            launch.buffer = &device_.output;
            if (device_.input != device_.output) launch.inputBuffer = &device_.input;
            check(VkFFTAppend(&application_, -1, &launch), "VkFFTAppend");
        });
    }
    void read(void* output) override { device_.read(output); }
    std::optional<std::uint64_t> workspace_bytes() const override {
        const VkFFTConfiguration& made = application_.configuration;
        return made.allocateTempBuffer ? made.tempBufferSize[0] : 0;
    }
    std::string description() const override {
        const int version = VkFFTGetVersion();
        return "vkfft-" + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
               std::to_string(version % 100) + " (Vulkan) on " + device_.name();
    }

private:
    VulkanDevice device_;
    std::uint64_t bytes_;
    VkFFTApplication application_ = {};
};

}  // namespace

std::unique_ptr<Transform> prepare_vkfft_vulkan(const Case& what) {
    require_forward(what, "vkfft-vulkan");
    refuse_halves(what, "vkfft-vulkan");
    if (what.lengths.size() > 3)
        throw PeerError("vkfft-vulkan: at most three axes, got " + std::to_string(what.lengths.size()));
    return std::make_unique<VkfftVulkan>(what);
}

}  // namespace seiche::bench

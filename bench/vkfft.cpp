// VkFFT (Dmitrii Tolmachev) through its OpenCL backend.
#include "bench/opencl_device.hpp"

// The header is C that defines functions; only this file includes it.
#define VKFFT_BACKEND 3
#include <vkFFT.h>

#include <algorithm>

namespace seiche::bench {
namespace {

void check(VkFFTResult code, const char* call) {
    if (code != VKFFT_SUCCESS) throw PeerError(std::string(call) + " failed with code " + std::to_string(code));
}

class Vkfft final : public Transform {
public:
    explicit Vkfft(const Case& what) : device_(what), bytes_(what.bytes()) {
        if (what.lengths.size() > 3)
            throw PeerError("vkfft: at most three axes, got " + std::to_string(what.lengths.size()));
        VkFFTConfiguration configuration = {};
        configuration.FFTdim = what.lengths.size();
        std::copy(what.lengths.rbegin(), what.lengths.rend(), configuration.size);  // fastest first
        configuration.numberBatches = what.batch;
        configuration.platform = &device_.platform;
        configuration.device = &device_.device;
        configuration.context = &device_.context;
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
    ~Vkfft() override { deleteVkFFT(&application_); }
    void load(const void* input) override { device_.load(input); }
    double run(unsigned count) override {
        return device_.run(count, [this] {
            VkFFTLaunchParams launch = {};
            launch.commandQueue = &device_.queue;
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
               std::to_string(version % 100) + " (OpenCL) on " + device_.name();
    }

private:
    OpenclDevice device_;
    std::uint64_t bytes_;
    VkFFTApplication application_ = {};
};

}  // namespace

std::unique_ptr<Transform> prepare_vkfft(const Case& what) {
    require_forward(what, "vkfft");
    refuse_halves(what, "vkfft");
    return std::make_unique<Vkfft>(what);
}

}  // namespace seiche::bench

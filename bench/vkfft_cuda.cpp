// VkFFT (Dmitrii Tolmachev) through its CUDA backend, whose kernels NVRTC compiles. Its header includes NVIDIA's, so
// that this file needs an installed toolkit, and the program a driver.
#define VKFFT_BACKEND 1
#include <vkFFT.h>

#include <algorithm>

#include "bench/transform.hpp"

namespace seiche::bench {
namespace {

void check(VkFFTResult code, const char* call) {
    if (code != VKFFT_SUCCESS) throw PeerError(std::string(call) + " failed with code " + std::to_string(code));
}

void check(cudaError_t code, const char* call) {
    if (code != cudaSuccess) throw PeerError(std::string(call) + " failed: " + cudaGetErrorString(code));
}

class DeviceMemory {
public:
    explicit DeviceMemory(std::uint64_t bytes) { check(cudaMalloc(&data, bytes), "cudaMalloc"); }
    ~DeviceMemory() { cudaFree(data); }
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;
    void* data = nullptr;
};

class Event {
public:
    Event() { check(cudaEventCreate(&event_), "cudaEventCreate"); }
    ~Event() { cudaEventDestroy(event_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    void record(cudaStream_t stream) const { check(cudaEventRecord(event_, stream), "cudaEventRecord"); }
    double since(const Event& before) const {
        check(cudaEventSynchronize(event_), "cudaEventSynchronize");
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, before.event_, event_), "cudaEventElapsedTime");
        return milliseconds;
    }

private:
    cudaEvent_t event_ = nullptr;
};

/// What was captured from a stream.
class Graph {
public:
    template <class Work>
    Graph(cudaStream_t stream, const Work& work) {
        cudaGraph_t graph = nullptr;
        check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), "cudaStreamBeginCapture");
        work();
        check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
        const cudaError_t code = cudaGraphInstantiate(&instance_, graph, 0);
        cudaGraphDestroy(graph);
        check(code, "cudaGraphInstantiate");
    }
    ~Graph() { cudaGraphExecDestroy(instance_); }
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;
    void launch(cudaStream_t stream) const { check(cudaGraphLaunch(instance_, stream), "cudaGraphLaunch"); }

private:
    cudaGraphExec_t instance_ = nullptr;
};

class VkfftCuda final : public Transform {
public:
    explicit VkfftCuda(const Case& what)
        : device_(device_of(what)), bytes_(what.bytes()), input_bytes_(what.input_bytes()), output_(bytes_) {
        output_bytes_ = what.output_bytes();
        // The default stream cannot be captured.
        if (what.in_graph) check(cudaStreamCreate(&stream_), "cudaStreamCreate");
        if (!what.in_place) input_ = std::make_unique<DeviceMemory>(bytes_);
        VkFFTConfiguration configuration = {};
        configuration.FFTdim = what.lengths.size();
        std::copy(what.lengths.rbegin(), what.lengths.rend(), configuration.size);  // fastest first
        configuration.numberBatches = what.batch;
        configuration.device = &device_;
        if (stream_ != nullptr) {
            configuration.stream = &stream_;
            configuration.num_streams = 1;
        }
        configuration.bufferSize = &bytes_;
        configuration.buffer = &output_.data;
        configuration.doublePrecision = what.has_doubles() ? 1 : 0;
        configuration.makeForwardPlanOnly = 1;
        configuration.performR2C = what.kind() == Kind::r2c ? 1 : 0;
        if (input_) {
            configuration.isInputFormatted = 1;
            configuration.inputBufferSize = &bytes_;
            configuration.inputBuffer = &input_->data;
            std::uint64_t stride = 1;
            for (std::size_t axis = 0; axis < what.lengths.size(); ++axis) {
                stride *= configuration.size[axis];
                configuration.inputBufferStride[axis] = stride;
            }
        }
        check(initializeVkFFT(&application_, configuration), "initializeVkFFT");
    }
    ~VkfftCuda() override {
        deleteVkFFT(&application_);
        if (stream_ != nullptr) cudaStreamDestroy(stream_);
    }
    void load(const void* input) override {
        check(cudaMemset(output_.data, 0xff, bytes_), "cudaMemset");
        check(cudaMemcpy(from(), input, input_bytes_, cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    /// From a copy on the card: uploads before each sample take most of a suite's time.
    void reload(const void* input) override {
        if (!kept_) {
            kept_ = std::make_unique<DeviceMemory>(input_bytes_);
            check(cudaMemcpy(kept_->data, input, input_bytes_, cudaMemcpyHostToDevice), "cudaMemcpy");
        }
        check(cudaMemcpy(from(), kept_->data, input_bytes_, cudaMemcpyDeviceToDevice), "cudaMemcpy");
    }
    double run(unsigned count) override {
        VkFFTLaunchParams launch = {};
        launch.buffer = &output_.data;
        if (input_) launch.inputBuffer = &input_->data;
        const auto enqueue = [&] {
            for (unsigned i = 0; i < count; ++i) check(VkFFTAppend(&application_, -1, &launch), "VkFFTAppend");
        };
        if (stream_ == nullptr) {
            before_.record(nullptr);
            enqueue();
            after_.record(nullptr);
            return after_.since(before_) / count;
        }
        const Graph graph(stream_, enqueue);
        before_.record(stream_);
        graph.launch(stream_);
        after_.record(stream_);
        return after_.since(before_) / count;
    }
    void read(void* output) override {
        check(cudaMemcpy(output, output_.data, output_bytes_, cudaMemcpyDeviceToHost), "cudaMemcpy");
    }
    std::optional<std::uint64_t> workspace_bytes() const override {
        const VkFFTConfiguration& made = application_.configuration;
        return made.allocateTempBuffer ? made.tempBufferSize[0] : 0;
    }
    std::string description() const override {
        const int version = VkFFTGetVersion();
        return "vkfft-" + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
               std::to_string(version % 100) + " (CUDA)";
    }

private:
    static CUdevice device_of(const Case& what) {
        check(cudaSetDevice(what.device_index), "cudaSetDevice");
        check(cudaFree(nullptr), "cudaFree");  // makes the context that VkFFT takes for granted
        return what.device_index;
    }
    void* from() const { return input_ ? input_->data : output_.data; }

    CUdevice device_;
    std::uint64_t bytes_, input_bytes_, output_bytes_ = 0;
    DeviceMemory output_;
    std::unique_ptr<DeviceMemory> input_, kept_;
    Event before_, after_;
    cudaStream_t stream_ = nullptr;  // of graphs
    VkFFTApplication application_ = {};
};

}  // namespace

std::unique_ptr<Transform> prepare_vkfft_cuda(const Case& what) {
    require_forward(what, "vkfft-cuda");
    refuse_halves(what, "vkfft-cuda");
    if (what.lengths.size() > 3)
        throw PeerError("vkfft-cuda: at most three axes, got " + std::to_string(what.lengths.size()));
    return std::make_unique<VkfftCuda>(what);
}

}  // namespace seiche::bench

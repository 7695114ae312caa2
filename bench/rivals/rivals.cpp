// Which composition is which workflow's, and graphs.
#include "bench/rivals/composition.hpp"
#include "cli/text/failure.hpp"
#include "seiche/interop/untyped.hpp"

namespace seiche::rivals {
namespace {

/// What was captured from a stream.
class Graph {
public:
    Graph(Handle stream, const std::function<void()>& enqueue) : stream_(stream) {
        constexpr int relaxed = 2;
        Handle graph = nullptr;
        enqueue();  // what is loaded at a first launch is
        check(driver().wait(stream), "cuStreamSynchronize");
        check(driver().begin_capture(stream, relaxed), "cuStreamBeginCapture");
        enqueue();
        check(driver().end_capture(stream, &graph), "cuStreamEndCapture");
        const int code = driver().instantiate(&instance_, graph, 0);
        driver().destroy_graph(graph);
        check(code, "cuGraphInstantiateWithFlags");
    }
    ~Graph() { driver().destroy_instance(instance_); }
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;
    void launch() const { check(driver().launch_graph(instance_, stream_), "cuGraphLaunch"); }

private:
    Handle stream_, instance_ = nullptr;
};

}  // namespace
}  // namespace seiche::rivals

namespace seiche::cli {

const std::vector<std::string>& workflow_rivals() {
    static const std::vector<std::string> names = {"cufft"};
    return names;
}

std::unique_ptr<WorkflowRival> make_workflow_rival(const std::string& library, const Workflow& workflow,
                                                   const WorkflowArrays& arrays, const Device& device,
                                                   const Queue& queue) {
    if (library != "cufft") throw Failure("expected cufft, which alone has compositions of workflows");
    if (device.info().backend != Backend::cuda) throw Failure("expected a device of CUDA, got " + device.info().name);
    rivals::check(rivals::driver().set_current(cuda::untyped::context(device)), "cuCtxSetCurrent");
    rivals::Job job{workflow, {}, cuda::untyped::address(arrays.output), cuda::untyped::stream(queue)};
    for (const Buffer& input : arrays.inputs) job.inputs.push_back(cuda::untyped::address(input));
    switch (workflow.what().kind) {
        case WorkflowKind::long_convolution:
        case WorkflowKind::image_convolution:
        case WorkflowKind::phase_correlation: return rivals::compose_convolution(job);
        case WorkflowKind::range_doppler:
        case WorkflowKind::istft:
        case WorkflowKind::stft_power: return rivals::compose_frames(job);
        case WorkflowKind::given: throw Failure("expected a workflow by its name: others have no composition");
        case WorkflowKind::fourier_layer: return rivals::compose_layer(job);
        default: return rivals::compose_operator(job);
    }
}

std::function<void()> as_graph(const Device& device, const Queue& queue, const std::function<void()>& enqueue) {
    if (device.info().backend != Backend::cuda) return {};
    rivals::check(rivals::driver().set_current(cuda::untyped::context(device)), "cuCtxSetCurrent");
    const auto graph = std::make_shared<rivals::Graph>(cuda::untyped::stream(queue), enqueue);
    return [graph] { graph->launch(); };
}

}  // namespace seiche::cli

// Runs one kernel on one device, from its IR to the contents of its buffers.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "emit/source.hpp"
#include "ir/builder.hpp"
#include "runtime/backend.hpp"

namespace seiche::test {

using Bytes = std::vector<std::byte>;

struct KernelRun {
    std::vector<Bytes> buffers;  ///< One per buffer parameter: contents before, then after.
    std::vector<std::uint64_t> scalars;
    std::array<std::uint32_t, 3> groups{1, 1, 1};
};

inline void run_kernel(const std::shared_ptr<runtime::Device>& device, const ir::Kernel& kernel, KernelRun& run) {
    const emit::Source source = emit::emit(std::make_shared<ir::Kernel>(kernel), device->target());
    const runtime::CompileResult compiled = runtime::compile_cached(device, source);
    const auto queue = device->create_queue();
    std::vector<std::shared_ptr<runtime::Buffer>> memory;
    std::vector<runtime::BufferArgument> arguments;
    for (const Bytes& contents : run.buffers) {
        memory.push_back(device->allocate(contents.size()));
        queue->upload(*memory.back(), 0, contents.data(), contents.size());
        arguments.push_back({memory.back().get(), 0});
    }
    runtime::Launch launch;
    launch.module = compiled.module.get();
    launch.groups = run.groups;
    launch.buffers = arguments.data();
    launch.buffer_count = arguments.size();
    launch.scalars = run.scalars.data();
    launch.scalar_count = run.scalars.size();
    queue->launch(launch);
    for (std::size_t b = 0; b < memory.size(); ++b)
        queue->download(run.buffers[b].data(), *memory[b], 0, run.buffers[b].size());
    queue->wait();
}

/// Opens a device, or gives null with the reason.
inline std::shared_ptr<runtime::Device> try_open(const std::string& name, std::string& reason) {
    try {
        return runtime::open_device(name);
    } catch (const std::exception& error) {
        reason = error.what();
        return nullptr;
    }
}

}  // namespace seiche::test

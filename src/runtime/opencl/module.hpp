// Compiled OpenCL programs, and their kernels with the argument state that each holds.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/opencl/device.hpp"

namespace seiche::runtime::opencl {

/// A program and a pool of its kernel. A kernel object holds arguments, and setting them is not thread-safe, so each
/// launch takes one from the pool and puts it back once the launch is enqueued.
class OpenclModule final : public Module {
public:
    OpenclModule(std::shared_ptr<Session> session, Program program, const emit::Source& source);
    ~OpenclModule() override;
    OpenclModule(const OpenclModule&) = delete;
    OpenclModule& operator=(const OpenclModule&) = delete;

    KernelHandle take() const;
    void put_back(KernelHandle kernel) const;
    const Session& session() const { return *session_; }
    const ir::Kernel& kernel() const { return *kernel_; }

private:
    KernelHandle create() const;

    std::shared_ptr<Session> session_;
    Program program_;
    std::shared_ptr<const ir::Kernel> kernel_;
    mutable std::mutex mutex_;
    mutable std::vector<KernelHandle> idle_;
};

/// From source to a program binary. PoCL compiles the kernel once more for it, for groups of any size.
Binary compile_program(const Session& session, const emit::Source& source, const std::string& options);
/// From source to a loaded kernel, without a binary.
std::shared_ptr<Module> build_program(const std::shared_ptr<Session>& session, const emit::Source& source,
                                      const std::string& options);
std::shared_ptr<Module> load_program(const std::shared_ptr<Session>& session, const emit::Source& source,
                                     const Binary& binary);

}  // namespace seiche::runtime::opencl

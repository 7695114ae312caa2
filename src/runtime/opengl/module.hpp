// Compute programs, made from GLSL or from what a driver kept of it.
#pragma once

#include <memory>

#include "runtime/opengl/device.hpp"

namespace seiche::runtime::opengl {

class OpenglModule final : public Module {
public:
    /// Takes over the program, which is linked.
    OpenglModule(std::shared_ptr<Session> session, const emit::Source& source, Uint program);
    ~OpenglModule() override;
    OpenglModule(const OpenglModule&) = delete;
    OpenglModule& operator=(const OpenglModule&) = delete;

    Uint program() const { return program_; }
    /// Of the array of arguments; -1: the kernel needs none of them.
    Int arguments() const { return arguments_; }
    const emit::PushConstants& layout() const { return layout_; }
    const ir::Kernel& kernel() const { return *kernel_; }

private:
    std::shared_ptr<Session> session_;
    std::shared_ptr<const ir::Kernel> kernel_;
    emit::PushConstants layout_;
    Uint program_;
    Int arguments_ = -1;
};

Binary compile_program(const std::shared_ptr<Session>& session, const emit::Source& source);
std::shared_ptr<Module> load_program(const std::shared_ptr<Session>& session, const emit::Source& source,
                                     const Binary& binary);
std::shared_ptr<Module> build_program(const std::shared_ptr<Session>& session, const emit::Source& source);

}  // namespace seiche::runtime::opengl

// An OpenGL device whose shaders glslang compiles.
#include "glslang_device.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "run_kernel.hpp"
#include "runtime/library.hpp"
#include "runtime/opengl/device.hpp"
#include "runtime/opengl/module.hpp"
#include "seiche/error.hpp"

namespace seiche::test {

namespace {

namespace opengl = runtime::opengl;
using opengl::Enum;
using opengl::Gl;
using opengl::Int;
using opengl::Uint;

constexpr Enum gl_spirv_format = 0x9551, gl_is_spirv = 0x9552;

std::string contents(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// The module, for OpenGL.
std::string compiled(const std::string& text, const std::string& entry) {
    const std::string shader =
        runtime::unique_name(std::filesystem::temp_directory_path(), "seiche-" + entry).string() + ".comp";
    const std::string module = shader + ".spv", log = shader + ".log";
    std::ofstream(shader, std::ios::binary) << text;
    const int status = std::system((SEICHE_GLSLANG " -G " + shader + " -o " + module + " > " + log).c_str());
    const std::string bytes = contents(module), complaint = contents(log);
    for (const std::string& file : {shader, module, log}) std::filesystem::remove(file);
    if (status != 0) throw BackendError("glslangValidator refused the shader of " + entry + ": " + complaint);
    return bytes;
}

template <class Function>
Function found(const char* name) {
    return reinterpret_cast<Function>(opengl::egl().eglGetProcAddress(name));
}

Uint linked(const Gl& gl, const std::string& module, const std::string& entry) {
    const auto take = found<void (*)(Int, const Uint*, Enum, const void*, Int)>("glShaderBinary");
    const auto specialize = found<void (*)(Uint, const char*, Uint, const Uint*, const Uint*)>("glSpecializeShaderARB");
    const Uint shader = gl.glCreateShader(opengl::gl_compute_shader), program = gl.glCreateProgram();
    take(1, &shader, gl_spirv_format, module.data(), static_cast<Int>(module.size()));
    specialize(shader, "main", 0, nullptr, nullptr);
    Int is_spirv = 0, is_compiled = 0, is_linked = 0;
    gl.glGetShaderiv(shader, gl_is_spirv, &is_spirv);
    gl.glGetShaderiv(shader, opengl::gl_compile_status, &is_compiled);
    gl.glAttachShader(program, shader);
    gl.glDeleteShader(shader);
    gl.glLinkProgram(program);
    gl.glGetProgramiv(program, opengl::gl_link_status, &is_linked);
    opengl::check(gl, "glShaderBinary, glSpecializeShaderARB or glLinkProgram", entry);
    if (is_spirv == 0 || is_compiled == 0 || is_linked == 0)
        throw BackendError("opengl: the module of kernel " + entry + " was not taken");
    return program;
}

class GlslangDevice final : public runtime::Device {
public:
    GlslangDevice(std::shared_ptr<opengl::OpenglDevice> inner, std::function<std::string(std::string)> altered)
        : inner_(std::move(inner)), altered_(std::move(altered)) {
        // A module has no names: what the text calls `arguments` is at the place that it says.
        inner_->session()->gl.glGetUniformLocation = [](Uint, const char*) -> Int { return 0; };
    }

    const DeviceInfo& info() const override { return inner_->info(); }
    emit::Target target() const override { return inner_->target(); }
    std::string compiler_version() const override { return "glslang"; }
    bool keeps_binaries() const override { return false; }
    runtime::Binary compile(const emit::Source&) override { return {}; }
    std::shared_ptr<runtime::Module> load(const emit::Source& source, const runtime::Binary&) override {
        return build(source);
    }
    std::shared_ptr<runtime::Module> build(const emit::Source& source) override {
        const std::string module = compiled(altered_ ? altered_(source.text) : source.text, source.entry);
        const auto& session = inner_->session();
        const opengl::Current current(*session);
        return std::make_shared<opengl::OpenglModule>(session, source, linked(session->gl, module, source.entry));
    }
    std::shared_ptr<runtime::Buffer> allocate(std::uint64_t bytes) override { return inner_->allocate(bytes); }
    std::shared_ptr<runtime::Image> allocate_image(ImageFormat format, std::uint32_t width,
                                                   std::uint32_t height) override {
        return inner_->allocate_image(format, width, height);
    }
    std::shared_ptr<runtime::Queue> create_queue() override { return inner_->create_queue(); }

private:
    std::shared_ptr<opengl::OpenglDevice> inner_;
    std::function<std::string(std::string)> altered_;
};

bool takes_spirv(opengl::Session& session) {
    const opengl::Current current(session);
    Int count = 0;
    session.gl.glGetIntegerv(opengl::gl_num_extensions, &count);
    for (Uint i = 0; i < static_cast<Uint>(count); ++i)
        if (opengl::lists(reinterpret_cast<const char*>(session.gl.glGetStringi(opengl::gl_extensions, i)),
                          "GL_ARB_gl_spirv"))
            return true;
    return false;
}

}  // namespace

std::shared_ptr<runtime::Device> open_glslang_device(std::string& reason,
                                                     std::function<std::string(std::string)> altered) {
    if (std::string(SEICHE_GLSLANG).empty()) {
        reason = "no glslangValidator on this machine";
        return nullptr;
    }
    auto device = std::dynamic_pointer_cast<opengl::OpenglDevice>(try_open("opengl", reason));
    if (!device) return nullptr;
    if (!takes_spirv(*device->session())) {
        reason = device->info().description + " takes no SPIR-V";
        return nullptr;
    }
    return std::make_shared<GlslangDevice>(std::move(device), std::move(altered));
}

}  // namespace seiche::test

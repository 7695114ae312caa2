// The caller's OpenGL context and buffers as Seiche's. Declared in seiche/interop/opengl.hpp.
#include "seiche/interop/opengl.hpp"

#include "runtime/opengl/device.hpp"
#include "runtime/opengl/queue.hpp"
#include "seiche/error.hpp"

namespace seiche::opengl {

namespace {

namespace gl = runtime::opengl;
using runtime::opengl::Current;
using runtime::opengl::OpenglBuffer;
using runtime::opengl::OpenglDevice;
using runtime::opengl::Session;

template <class Own, class Value>
Own& own(const Value& value, const char* what) {
    auto* native = dynamic_cast<Own*>(value.impl().get());
    if (native == nullptr)
        throw InvalidProblem(std::string("opengl interop: expected a ") + what + " of the OpenGL backend");
    if constexpr (std::is_base_of_v<runtime::OfProcess, Own>) native->expect_own_process(what);
    return *native;
}

ImageFormat known_format(gl::Enum format) {
    switch (format) {
        case gl::gl_r32f: return ImageFormat::r32f;
        case gl::gl_rg32f: return ImageFormat::rg32f;
        case gl::gl_rgba32f: return ImageFormat::rgba32f;
        case gl::gl_rgba16f: return ImageFormat::rgba16f;
        default: break;
    }
    throw InvalidProblem("opengl interop: expected a texture of GL_R32F, GL_RG32F, GL_RGBA32F or GL_RGBA16F, got " +
                         gl::error_name(format));
}

/// Whether the driver refused what a caller gave; what is its own trouble throws BackendError.
bool was_refused(const gl::Gl& api, const char* calls) {
    constexpr gl::Enum first_of_arguments = 0x0500, last_of_arguments = 0x0502;  // enum, value, operation
    const gl::Enum code = api.glGetError();
    if (code == 0) return false;
    gl::forget_errors(api);
    if (code < first_of_arguments || code > last_of_arguments) gl::failed(calls, code);
    return true;
}

}  // namespace

Device current_device(void* (*get_proc_address)(const char* name)) {
    runtime::note_driver_in_use(Backend::opengl);
    auto session = runtime::make_owned<Session>(get_proc_address);
    DeviceInfo info = runtime::opengl::describe(session->facts);
    info.name = "opengl:current";
    if (!info.available) throw Unsupported(info.name + ": " + info.problem + " (" + info.remedy + ")");
    return Device(runtime::make_owned<OpenglDevice>(std::move(session), std::move(info)));
}

Buffer buffer(const Device& device, unsigned name) {
    const std::shared_ptr<Session>& session = own<OpenglDevice>(device, "device").session();
    const Current current(*session);
    const runtime::opengl::Gl& gl = session->gl;
    const bool is_buffer = gl.glIsBuffer(name) != 0;
    runtime::opengl::check(gl, "glIsBuffer");
    if (!is_buffer)
        throw InvalidProblem("opengl interop: " + std::to_string(name) + " is no buffer of the device's context");
    runtime::opengl::Int before = 0;
    std::int64_t bytes = 0;
    gl.glGetIntegerv(runtime::opengl::gl_copy_read_binding, &before);
    gl.glBindBuffer(runtime::opengl::gl_copy_read_buffer, name);
    gl.glGetBufferParameteri64v(runtime::opengl::gl_copy_read_buffer, runtime::opengl::gl_buffer_size, &bytes);
    gl.glBindBuffer(runtime::opengl::gl_copy_read_buffer, static_cast<runtime::opengl::Uint>(before));
    runtime::opengl::check(gl, "glGetIntegerv, glBindBuffer or glGetBufferParameteri64v");
    // Shaders see whole words.
    return Buffer(runtime::make_owned<OpenglBuffer>(session, name, static_cast<std::uint64_t>(bytes) / 4 * 4, false));
}

Image image(const Device& device, unsigned texture, int level) {
    const std::shared_ptr<Session>& session = own<OpenglDevice>(device, "device").session();
    const Current current(*session);
    const gl::Gl& api = session->gl;
    gl::Int before = 0, width = 0, height = 0, format = 0;
    gl::forget_errors(api);
    api.glGetIntegerv(gl::gl_texture_binding_2d, &before);
    const bool is_texture = api.glIsTexture(texture) != 0;
    if (is_texture) api.glBindTexture(gl::gl_texture_2d, texture);
    if (was_refused(api, "glGetIntegerv, glIsTexture or glBindTexture") || !is_texture)
        throw InvalidProblem("opengl interop: " + std::to_string(texture) +
                             " is no two-dimensional texture of the device's context");
    api.glGetTexLevelParameteriv(gl::gl_texture_2d, level, gl::gl_texture_width, &width);
    api.glGetTexLevelParameteriv(gl::gl_texture_2d, level, gl::gl_texture_height, &height);
    api.glGetTexLevelParameteriv(gl::gl_texture_2d, level, gl::gl_texture_format, &format);
    api.glBindTexture(gl::gl_texture_2d, static_cast<gl::Uint>(before));
    if (was_refused(api, "glGetTexLevelParameteriv or glBindTexture") || width <= 0 || height <= 0)
        throw InvalidProblem("opengl interop: texture " + std::to_string(texture) + " has no level " +
                             std::to_string(level));
    return Image(runtime::make_owned<gl::OpenglImage>(
        session, gl::OpenglImage::Level{texture, level}, known_format(static_cast<gl::Enum>(format)),
        static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)));
}

unsigned name(const Buffer& buffer) { return own<OpenglBuffer>(buffer, "buffer").name(); }

}  // namespace seiche::opengl

// The caller's OpenGL context and buffers as Seiche's. Declared in seiche/interop/opengl.hpp.
#include "seiche/interop/opengl.hpp"

#include "runtime/opengl/device.hpp"
#include "runtime/opengl/queue.hpp"
#include "seiche/error.hpp"

namespace seiche::opengl {

namespace {

using runtime::opengl::Current;
using runtime::opengl::OpenglBuffer;
using runtime::opengl::OpenglDevice;
using runtime::opengl::Session;

template <class Own, class Value>
Own& own(const Value& value, const char* what) {
    auto* native = dynamic_cast<Own*>(value.impl().get());
    if (native == nullptr)
        throw InvalidProblem(std::string("opengl interop: expected a ") + what + " of the OpenGL backend");
    return *native;
}

}  // namespace

Device current_device(void* (*get_proc_address)(const char* name)) {
    auto session = std::make_shared<Session>(get_proc_address);
    DeviceInfo info = runtime::opengl::describe(session->facts);
    info.name = "opengl:current";
    if (!info.available) throw Unsupported(info.name + ": " + info.problem + " (" + info.remedy + ")");
    return Device(std::make_shared<OpenglDevice>(std::move(session), std::move(info)));
}

Buffer buffer(const Device& device, unsigned name) {
    const std::shared_ptr<Session>& session = own<OpenglDevice>(device, "device").session();
    const Current current(*session);
    const runtime::opengl::Gl& gl = session->gl;
    if (gl.glIsBuffer(name) == 0)
        throw InvalidProblem("opengl interop: " + std::to_string(name) + " is no buffer of the device's context");
    runtime::opengl::Int before = 0;
    std::int64_t bytes = 0;
    gl.glGetIntegerv(runtime::opengl::gl_copy_read_binding, &before);
    gl.glBindBuffer(runtime::opengl::gl_copy_read_buffer, name);
    gl.glGetBufferParameteri64v(runtime::opengl::gl_copy_read_buffer, runtime::opengl::gl_buffer_size, &bytes);
    gl.glBindBuffer(runtime::opengl::gl_copy_read_buffer, static_cast<runtime::opengl::Uint>(before));
    runtime::opengl::check(gl, "glGetBufferParameteri64v");
    // Shaders see whole words.
    return Buffer(std::make_shared<OpenglBuffer>(session, name, static_cast<std::uint64_t>(bytes) / 4 * 4, false));
}

unsigned name(const Buffer& buffer) { return own<OpenglBuffer>(buffer, "buffer").name(); }

}  // namespace seiche::opengl

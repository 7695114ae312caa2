// Contexts: made, asked what they can do, made current and given back.
#include "runtime/opengl/session.hpp"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <vector>

#include "seiche/error.hpp"

namespace seiche::runtime::opengl {

namespace {

void* egl_loader(const char* name) { return reinterpret_cast<void*>(egl().eglGetProcAddress(name)); }

[[noreturn]] void egl_failed(const char* call, const std::string& way_out) {
    throw BackendError("opengl: " + std::string(call) + " failed with " + egl_error_name(egl().eglGetError()) + "; " +
                       way_out);
}

/// A context of the version that compute shaders need, with a notice of its loss where that can be had.
Context create_context(Display display, bool es) {
    const Enum before = egl().eglQueryAPI();
    if (egl().eglBindAPI(es ? egl_es_api : egl_gl_api) == 0)
        egl_failed("eglBindAPI",
                   std::string("this EGL has no ") + (es ? "OpenGL ES" : "OpenGL") + ", install another driver");
    std::vector<Int> attributes{egl_context_major, es ? 3 : 4, egl_context_minor, es ? 1 : 3};
    if (!es) attributes.insert(attributes.end(), {egl_profile_mask, egl_profile_core});
    std::vector<Int> noticed = attributes;
    noticed.insert(noticed.end(), {es ? egl_reset_strategy_es : egl_reset_strategy, egl_lose_context, egl_none});
    attributes.push_back(egl_none);
    Context context = egl().eglCreateContext(display, nullptr, nullptr, noticed.data());
    if (context == nullptr) context = egl().eglCreateContext(display, nullptr, nullptr, attributes.data());
    const Int code = egl().eglGetError();
    egl().eglBindAPI(before);
    if (context == nullptr)
        throw BackendError("opengl: eglCreateContext failed with " + egl_error_name(code) + ": there is no " +
                           (es ? "OpenGL ES 3.1" : "OpenGL 4.3 core profile") + "; install a newer driver");
    return context;
}

std::string text_of(const Gl& gl, Enum name) {
    const unsigned char* text = gl.glGetString(name);
    return text == nullptr ? "" : reinterpret_cast<const char*>(text);
}

bool has_extension(const Gl& gl, const char* name) {
    Int count = 0;
    gl.glGetIntegerv(gl_num_extensions, &count);
    for (Int i = 0; i < count; ++i) {
        const unsigned char* one = gl.glGetStringi(gl_extensions, static_cast<Uint>(i));
        if (one != nullptr && lists(reinterpret_cast<const char*>(one), name)) return true;
    }
    return false;
}

bool runs_on_cpu(std::string renderer) {
    std::transform(renderer.begin(), renderer.end(), renderer.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const char* name : {"llvmpipe", "softpipe", "swrast", "swiftshader", "software rasterizer"})
        if (renderer.find(name) != std::string::npos) return true;
    return false;
}

void ask_limits(const Gl& gl, Facts& facts) {
    const auto number = [&](Enum name) {
        Int value = 0;
        gl.glGetIntegerv(name, &value);
        return value;
    };
    facts.shared_bytes = number(gl_max_compute_shared);
    facts.group_invocations = number(gl_max_compute_invocations);
    facts.storage_blocks = std::min(number(gl_max_compute_storage_blocks), number(gl_max_storage_bindings));
    facts.storage_alignment = std::max(number(gl_storage_alignment), 1);
    gl.glGetIntegeri_v(gl_max_compute_size, 0, &facts.group_size);
    gl.glGetIntegeri_v(gl_max_compute_count, 0, &facts.group_count);
    gl.glGetInteger64v(gl_max_storage_block_size, &facts.storage_block_bytes);
    facts.keeps_binaries = number(gl_num_binary_formats) > 0;
    const bool has_queries = gl.glGenQueries != nullptr && gl.glQueryCounter != nullptr &&
                             gl.glGetQueryObjectui64v != nullptr && gl.glDeleteQueries != nullptr;
    // A core since OpenGL 3.3; elsewhere an entry point may stand for nothing.
    facts.has_timestamps = has_queries && (!facts.es || has_extension(gl, "GL_EXT_disjoint_timer_query"));
    if (has_extension(gl, "GL_NVX_gpu_memory_info"))
        facts.memory_bytes = std::uint64_t{1024} * static_cast<Uint>(number(gl_dedicated_memory_kib));
    if (has_extension(gl, "GL_NV_shader_thread_group")) facts.compute_units = number(gl_sm_count);
    check(gl, "glGetIntegerv, glGetIntegeri_v, glGetInteger64v or glGetStringi", "limits");
}

Facts facts_of(const Gl& gl) {
    Facts facts;
    facts.vendor = text_of(gl, gl_vendor);
    facts.renderer = text_of(gl, gl_renderer);
    facts.version = text_of(gl, gl_version);
    facts.es = facts.version.rfind("OpenGL ES", 0) == 0;
    facts.is_software = runs_on_cpu(facts.renderer);
    gl.glGetIntegerv(gl_major_version, &facts.major);
    gl.glGetIntegerv(gl_minor_version, &facts.minor);
    check(gl, "glGetString or glGetIntegerv", "what the driver is");
    const Int version = 10 * facts.major + facts.minor;
    facts.has_compute = version >= (facts.es ? 31 : 43);
    if (facts.has_compute) ask_limits(gl, facts);
    return facts;
}

/// The context that is current in this thread, by EGL or by what the loader knows of another window system.
Context current_context(Loader loader) {
    if (egl().problem.empty())
        if (Context context = egl().eglGetCurrentContext()) return context;
    if (loader == nullptr) return nullptr;
    for (const char* name : {"glXGetCurrentContext", "wglGetCurrentContext"})
        if (void* function = loader(name))
            if (Context context = reinterpret_cast<Context (*)()>(function)()) return context;
    return nullptr;
}

/// The bytes of a buffer; 0 for a name that is none.
std::int64_t bytes_of(const Gl& gl, Uint name) {
    forget_errors(gl);  // of the caller's earlier calls
    const bool is_buffer = gl.glIsBuffer(name) != 0;
    check(gl, "glIsBuffer");
    if (!is_buffer) return 0;
    Int before = 0;
    std::int64_t bytes = 0;
    gl.glGetIntegerv(gl_copy_read_binding, &before);
    gl.glBindBuffer(gl_copy_read_buffer, name);
    gl.glGetBufferParameteri64v(gl_copy_read_buffer, gl_buffer_size, &bytes);
    gl.glBindBuffer(gl_copy_read_buffer, static_cast<Uint>(before));
    check(gl, "glGetIntegerv, glBindBuffer or glGetBufferParameteri64v");
    return bytes;
}

void make_marker(Session& session) {
    static std::atomic<std::int64_t> sessions{0};
    const Gl& gl = session.gl;
    Int before = 0;
    gl.glGetIntegerv(gl_copy_write_binding, &before);
    session.marker_bytes = 4 * ++sessions;
    gl.glGenBuffers(1, &session.marker);
    gl.glBindBuffer(gl_copy_write_buffer, session.marker);
    gl.glBufferData(gl_copy_write_buffer, session.marker_bytes, nullptr, gl_static_copy);
    gl.glBindBuffer(gl_copy_write_buffer, static_cast<Uint>(before));
    try {
        check(gl, "glGetIntegerv, glGenBuffers, glBindBuffer or glBufferData", "the caller's context");
    } catch (...) {
        gl.glDeleteBuffers(1, &session.marker);
        forget_errors(gl);
        throw;
    }
}

}  // namespace

Session::Session(Display d, bool es) : gl(load_gl(egl_loader)), display(d) {
    if (!gl.missing.empty())
        throw BackendError("opengl: eglGetProcAddress gave no " + gl.missing + "; install a newer driver");
    context = create_context(display, es);
    try {
        const Current current(*this);
        facts = facts_of(gl);
    } catch (...) {
        egl().eglDestroyContext(display, context);
        throw;
    }
}

Session::Session(Loader given) : is_callers(true), loader(given != nullptr ? given : egl_loader) {
    if (given == nullptr && !egl().problem.empty())
        throw Unsupported("opengl: " + egl().problem + " (" + egl().remedy + ")");
    context = current_context(loader);
    if (context == nullptr)
        throw InvalidProblem("opengl interop: no OpenGL context is current in this thread, expected yours");
    gl = load_gl(loader);
    if (!gl.missing.empty())
        throw Unsupported("opengl interop: the loader gave no " + gl.missing + ", expected OpenGL 4.3 or ES 3.1");
    forget_errors(gl);  // of the caller's earlier calls
    facts = facts_of(gl);
    if (facts.has_compute) make_marker(*this);
}

Session::~Session() {
    if (!is_callers)
        egl().eglDestroyContext(display, context);
    else
        give_up(*this, [this](const Gl& functions) { functions.glDeleteBuffers(1, &marker); });
}

Current::Current(Session& session) : session_(session), lock_(session.in_use) {
    if (session_.is_callers) {
        const bool is_there = current_context(session_.loader) == session_.context &&
                              (session_.depth != 0 || bytes_of(session_.gl, session_.marker) == session_.marker_bytes);
        if (!is_there)
            throw InvalidProblem(
                "opengl interop: the context of this device is not current in this thread, expected it to be");
        ++session_.depth;
        return;
    }
    if (session_.depth == 0) {
        context_ = egl().eglGetCurrentContext();
        display_ = egl().eglGetCurrentDisplay();
        draw_ = egl().eglGetCurrentSurface(egl_draw);
        read_ = egl().eglGetCurrentSurface(egl_read);
        if (egl().eglMakeCurrent(session_.display, nullptr, nullptr, session_.context) == 0)
            egl_failed("eglMakeCurrent",
                       "where another window system's context is current in this thread, release it first or hand it "
                       "over (seiche/interop/opengl.hpp)");
    }
    ++session_.depth;
}

Current::~Current() {
    if (--session_.depth != 0 || session_.is_callers) return;
    if (context_ != nullptr)
        egl().eglMakeCurrent(display_, draw_, read_, context_);
    else
        egl().eglMakeCurrent(session_.display, nullptr, nullptr, nullptr);
}

}  // namespace seiche::runtime::opengl

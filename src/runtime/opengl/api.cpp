// Loads EGL and OpenGL and names their errors.
#include "runtime/opengl/api.hpp"

#include <cstring>
#include <type_traits>

#include "seiche/error.hpp"

namespace seiche::runtime::opengl {

namespace {

Egl load_egl() {
    Egl loaded;
    loaded.library = Library::open(
        names_here({.so = {"libEGL.so.1", "libEGL.so"}, .dll = {"libEGL.dll"}, .dylib = {"libEGL.dylib"}}));
    if (!loaded.library) {
        loaded.problem = "EGL was not found (" + loaded.library.error() + ")";
        loaded.remedy =
            "install an OpenGL driver; on Debian and Ubuntu `apt install libegl1 libgl1-mesa-dri` runs on any CPU";
        return loaded;
    }
    const auto take = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(loaded.library.symbol(name));
        if (function != nullptr || !loaded.problem.empty()) return;
        loaded.problem = loaded.library.name() + " has no " + name + ": it is older than EGL 1.4";
        loaded.remedy = "install a newer EGL (package libegl1)";
    };
#define SEICHE_TAKE(name, result, parameters) take(loaded.name, #name);
    SEICHE_EGL_SYMBOLS(SEICHE_TAKE)
#undef SEICHE_TAKE
    if (!loaded.problem.empty()) return loaded;
#define SEICHE_TAKE(name, result, parameters) \
    loaded.name = reinterpret_cast<decltype(loaded.name)>(loaded.eglGetProcAddress(#name));
    SEICHE_EGL_EXTENSIONS(SEICHE_TAKE)
#undef SEICHE_TAKE
    return loaded;
}

struct NamedCode {
    std::int64_t code;
    const char* name;
};

constexpr NamedCode gl_names[] = {{0x0500, "GL_INVALID_ENUM"},
                                  {0x0501, "GL_INVALID_VALUE"},
                                  {0x0502, "GL_INVALID_OPERATION"},
                                  {0x0505, "GL_OUT_OF_MEMORY"},
                                  {0x0506, "GL_INVALID_FRAMEBUFFER_OPERATION"},
                                  {0x0507, "GL_CONTEXT_LOST"},
                                  {0x8253, "GL_GUILTY_CONTEXT_RESET"},
                                  {0x8254, "GL_INNOCENT_CONTEXT_RESET"},
                                  {0x8255, "GL_UNKNOWN_CONTEXT_RESET"}};
constexpr NamedCode egl_names[] = {
    {0x3001, "EGL_NOT_INITIALIZED"}, {0x3002, "EGL_BAD_ACCESS"},  {0x3003, "EGL_BAD_ALLOC"},
    {0x3004, "EGL_BAD_ATTRIBUTE"},   {0x3005, "EGL_BAD_CONFIG"},  {0x3006, "EGL_BAD_CONTEXT"},
    {0x3008, "EGL_BAD_DISPLAY"},     {0x3009, "EGL_BAD_MATCH"},   {0x300c, "EGL_BAD_PARAMETER"},
    {0x300d, "EGL_BAD_SURFACE"},     {0x300e, "EGL_CONTEXT_LOST"}};

template <std::size_t count>
std::string name_of(const NamedCode (&names)[count], std::int64_t code) {
    for (const NamedCode& known : names)
        if (known.code == code) return known.name;
    return "code " + std::to_string(code);
}

std::string hint(Enum code) {
    switch (code) {
        case gl_out_of_memory: return "; free memory or transform fewer arrays at once";
        case gl_context_lost:
        case 0x8253:
        case 0x8254:
        case 0x8255: return "; a kernel faulted or ran too long: open the device again";
        default: return {};
    }
}

}  // namespace

const Egl& egl() {
    static const Egl* const loaded = new Egl(load_egl());  // never destroyed: contexts that end later call through it
    return *loaded;
}

Gl load_gl(Loader loader) {
    Gl gl;
    const auto take = [&](auto& function, const char* name, const char* extension_name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(loader(name));
        if (function == nullptr && extension_name != nullptr)
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(loader(extension_name));
        if (function == nullptr && extension_name == nullptr && gl.missing.empty()) gl.missing = name;
    };
#define SEICHE_TAKE(name, result, parameters) take(gl.name, #name, nullptr);
    SEICHE_GL_SYMBOLS(SEICHE_TAKE)
#undef SEICHE_TAKE
#define SEICHE_TAKE(name, result, parameters) take(gl.name, #name, #name "EXT");
    SEICHE_GL_OPTIONAL_SYMBOLS(SEICHE_TAKE)
#undef SEICHE_TAKE
    return gl;
}

bool lists(const char* extensions, const char* name) {
    if (extensions == nullptr) return false;
    const std::size_t length = std::strlen(name);
    for (const char* at = std::strstr(extensions, name); at != nullptr; at = std::strstr(at + length, name)) {
        const bool begins = at == extensions || at[-1] == ' ';
        if (begins && (at[length] == ' ' || at[length] == '\0')) return true;
    }
    return false;
}

std::string error_name(Enum code) { return name_of(gl_names, code); }
std::string egl_error_name(Int code) { return name_of(egl_names, code); }

void forget_errors(const Gl& gl) {
    for (int count = 0; count < 16 && gl.glGetError() != 0; ++count) continue;
}

void failed(const char* call, Enum code, const std::string& doing) {
    throw BackendError("opengl: " + std::string(call) + (doing.empty() ? "" : " (" + doing + ")") + " failed with " +
                       error_name(code) + hint(code));
}

void check(const Gl& gl, const char* call, const std::string& doing) {
    const Enum code = gl.glGetError();
    if (code == 0) return;
    forget_errors(gl);
    failed(call, code, doing);
}

}  // namespace seiche::runtime::opengl

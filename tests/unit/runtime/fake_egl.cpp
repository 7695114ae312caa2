// A library with the names of EGL that Seiche loads, and with an OpenGL and an OpenGL ES behind them that have buffers
// and compute nothing. It counts what is alive, and each of its functions fails on demand: one of EGL says no and gives
// EGL_BAD_ALLOC as its reason, one of OpenGL does nothing and leaves GL_OUT_OF_MEMORY behind. What gives things up does
// so all the same. Texts with the word `nonsense` do not compile, those with `stranger` do not link.
#include "fake_egl.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <vector>

#include "runtime/opengl/api.hpp"

namespace {

using namespace seiche::runtime::opengl;

FakeEglRecord record;
constexpr Int bad_alloc = 0x3003;
Int egl_error = egl_success;

struct FakeContext {
    bool es = false;
    Enum error = 0;
    Uint last_name = 0;
    std::map<Uint, std::vector<std::byte>> buffers;
    std::map<Uint, std::string> shaders;   ///< Their texts.
    std::map<Uint, std::string> programs;  ///< The texts of what is attached.
    std::set<Uint> linked, textures, queries;
    std::map<Enum, Uint> bound;
};

thread_local FakeContext* current = nullptr;
thread_local Enum bound_api = egl_es_api;
char display_memory;
Display const the_display = &display_memory;

/// Of an object's own kind; the count of those alive with it.
void count(int& alive, std::ptrdiff_t by) { alive += static_cast<int>(by); }

bool egl_fails(const char* name) {
    if (record.failing != name) return false;
    egl_error = bad_alloc;
    return true;
}

bool gl_fails(const char* name) {
    if (record.failing != name) return false;
    if (current != nullptr && current->error == 0) current->error = gl_out_of_memory;
    return true;
}

#define EGL_MAY_FAIL(...) \
    if (egl_fails(__func__)) return __VA_ARGS__
#define GL_MAY_FAIL(...) \
    if (current == nullptr || gl_fails(__func__)) return __VA_ARGS__

template <class Objects>
void erase(Objects& objects, int& alive, Sizei n, const Uint* names) {
    for (Sizei i = 0; i < n; ++i) count(alive, -static_cast<std::ptrdiff_t>(objects.erase(names[i])));
}

std::vector<std::byte>& bound_buffer(Enum target) { return current->buffers[current->bound[target]]; }

constexpr const char* extensions[] = {"GL_EXT_disjoint_timer_query", "GL_NV_shader_thread_group"};
constexpr std::byte binary_of_ours[8] = {std::byte{7}};

}  // namespace

extern "C" {

FakeEglRecord* fake_egl_record() { return &record; }

// ---- EGL

const char* eglQueryString(Display display, Int) {
    EGL_MAY_FAIL(nullptr);
    return display == nullptr ? "EGL_EXT_platform_device EGL_MESA_platform_surfaceless"
                              : "EGL_KHR_surfaceless_context EGL_KHR_no_config_context";
}
Display eglGetDisplay(void*) {
    EGL_MAY_FAIL(nullptr);
    return the_display;
}
Display eglGetPlatformDisplayEXT(Enum, void*, const Int*) {
    EGL_MAY_FAIL(nullptr);
    return the_display;
}
Uint eglQueryDevicesEXT(Int, EglDevice* devices, Int* count_of_devices) {
    EGL_MAY_FAIL(0);
    devices[0] = the_display;
    *count_of_devices = 1;
    return 1;
}
Uint eglInitialize(Display, Int* major, Int* minor) {
    EGL_MAY_FAIL(0);
    *major = 1;
    *minor = 5;
    return 1;
}
Uint eglBindAPI(Enum api) {
    EGL_MAY_FAIL(0);
    bound_api = api;
    return 1;
}
Enum eglQueryAPI() { return bound_api; }
Context eglCreateContext(Display, Config, Context, const Int*) {
    EGL_MAY_FAIL(nullptr);
    auto* context = new FakeContext;
    context->es = bound_api == egl_es_api;
    ++record.contexts;
    return context;
}
Uint eglDestroyContext(Display, Context given) {
    auto* context = static_cast<FakeContext*>(given);
    count(record.buffers, -std::ssize(context->buffers));
    count(record.programs, -std::ssize(context->programs));
    count(record.shaders, -std::ssize(context->shaders));
    count(record.textures, -std::ssize(context->textures));
    count(record.queries, -std::ssize(context->queries));
    if (current == context) current = nullptr;
    delete context;
    --record.contexts;
    EGL_MAY_FAIL(0);
    return 1;
}
Uint eglMakeCurrent(Display, Surface, Surface, Context context) {
    EGL_MAY_FAIL(0);
    current = static_cast<FakeContext*>(context);
    return 1;
}
Context eglGetCurrentContext() { return current; }
Display eglGetCurrentDisplay() { return current == nullptr ? nullptr : the_display; }
Surface eglGetCurrentSurface(Int) { return nullptr; }
Int eglGetError() {
    const Int code = egl_error;
    egl_error = egl_success;
    return code;
}

// ---- OpenGL: questions

const unsigned char* glGetString(Enum name) {
    GL_MAY_FAIL(nullptr);
    const char* version = current->es ? "OpenGL ES 3.2 fake" : "4.5 fake";
    return reinterpret_cast<const unsigned char*>(name == gl_version ? version : "a card that is none");
}
const unsigned char* glGetStringi(Enum, Uint index) {
    GL_MAY_FAIL(nullptr);
    return reinterpret_cast<const unsigned char*>(extensions[index]);
}
void glGetIntegerv(Enum name, Int* value) {
    GL_MAY_FAIL();
    static const std::map<Enum, Int> values{{gl_max_compute_shared, 49152},      {gl_max_compute_invocations, 1024},
                                            {gl_max_compute_storage_blocks, 16}, {gl_max_storage_bindings, 16},
                                            {gl_storage_alignment, 16},          {gl_num_binary_formats, 1},
                                            {gl_max_texture_size, 4096}};
    const auto known = values.find(name);
    if (name == gl_major_version)
        *value = current->es ? 3 : 4;
    else if (name == gl_minor_version)
        *value = current->es ? 2 : 5;
    else if (name == gl_num_extensions)
        *value = record.units != 0 ? 2 : 1;
    else if (name == gl_sm_count)
        *value = record.units;
    else if (known != values.end())
        *value = known->second;
    else
        *value = static_cast<Int>(current->bound[name]);
}
void glGetInteger64v(Enum, std::int64_t* value) {
    GL_MAY_FAIL();
    *value = std::int64_t{1} << 27;
}
void glGetIntegeri_v(Enum name, Uint, Int* value) {
    GL_MAY_FAIL();
    *value = name == gl_max_compute_size ? 1024 : name == gl_max_compute_count ? 65535 : 0;
}
void glGetInteger64i_v(Enum, Uint, std::int64_t* value) {
    GL_MAY_FAIL();
    *value = 0;
}
Enum glGetError() {
    if (current == nullptr) return 0;
    const Enum code = current->error;
    current->error = 0;
    return code;
}
Enum glGetGraphicsResetStatus() { return record.failing == __func__ ? 0x8253 : 0; }

// ---- Buffers

void glGenBuffers(Sizei n, Uint* names) {
    GL_MAY_FAIL();
    for (Sizei i = 0; i < n; ++i) {
        names[i] = ++current->last_name;
        current->buffers[names[i]];
        ++record.buffers;
    }
}
void glDeleteBuffers(Sizei n, const Uint* names) {
    if (current != nullptr) erase(current->buffers, record.buffers, n, names);
    GL_MAY_FAIL();
}
unsigned char glIsBuffer(Uint name) {
    GL_MAY_FAIL(0);
    return current->buffers.count(name) != 0 ? 1 : 0;
}
void glBindBuffer(Enum target, Uint name) {
    GL_MAY_FAIL();
    current->bound[target] = name;
}
void glBindBufferBase(Enum, Uint, Uint) { GL_MAY_FAIL(); }
void glBindBufferRange(Enum, Uint, Uint, Offset, Offset) { GL_MAY_FAIL(); }
void glBufferData(Enum target, Offset bytes, const void*, Enum) {
    GL_MAY_FAIL();
    if (current->bound[target] != 0) bound_buffer(target).resize(static_cast<std::size_t>(bytes));
}
void glBufferSubData(Enum target, Offset at, Offset bytes, const void* from) {
    GL_MAY_FAIL();
    std::memcpy(bound_buffer(target).data() + at, from, static_cast<std::size_t>(bytes));
}
void* glMapBufferRange(Enum target, Offset at, Offset, Uint) {
    GL_MAY_FAIL(nullptr);
    return bound_buffer(target).data() + at;
}
unsigned char glUnmapBuffer(Enum) {
    GL_MAY_FAIL(0);
    return 1;
}
void glCopyBufferSubData(Enum from, Enum to, Offset from_offset, Offset to_offset, Offset bytes) {
    GL_MAY_FAIL();
    std::memmove(bound_buffer(to).data() + to_offset, bound_buffer(from).data() + from_offset,
                 static_cast<std::size_t>(bytes));
}
void glGetBufferParameteri64v(Enum target, Enum, std::int64_t* value) {
    GL_MAY_FAIL();
    *value = std::ssize(bound_buffer(target));
}

// ---- Programs

Uint glCreateShader(Enum) {
    GL_MAY_FAIL(0);
    ++record.shaders;
    current->shaders[++current->last_name];
    return current->last_name;
}
void glShaderSource(Uint shader, Sizei, const Character* const* text, const Int*) {
    GL_MAY_FAIL();
    current->shaders[shader] = *text;
}
void glCompileShader(Uint) { GL_MAY_FAIL(); }
void glGetShaderiv(Uint shader, Enum what, Int* value) {
    GL_MAY_FAIL();
    const bool compiles = current->shaders[shader].find("nonsense") == std::string::npos;
    *value = what == gl_compile_status ? compiles : 16;
}
void glGetShaderInfoLog(Uint, Sizei, Sizei*, Character* log) {
    GL_MAY_FAIL();
    std::strcpy(log, "error: nonsense");
}
void glDeleteShader(Uint shader) {
    if (current != nullptr) erase(current->shaders, record.shaders, 1, &shader);
    GL_MAY_FAIL();
}
Uint glCreateProgram() {
    GL_MAY_FAIL(0);
    ++record.programs;
    current->programs[++current->last_name];
    return current->last_name;
}
void glAttachShader(Uint program, Uint shader) {
    GL_MAY_FAIL();
    current->programs[program] = current->shaders[shader];
}
void glLinkProgram(Uint program) {
    GL_MAY_FAIL();
    const std::string& text = current->programs[program];
    if (!text.empty() && text.find("stranger") == std::string::npos) current->linked.insert(program);
}
void glGetProgramiv(Uint program, Enum what, Int* value) {
    GL_MAY_FAIL();
    if (what == gl_link_status)
        *value = current->linked.count(program) != 0 ? 1 : 0;
    else
        *value = what == gl_binary_length ? static_cast<Int>(sizeof binary_of_ours) : 16;
}
void glGetProgramInfoLog(Uint, Sizei, Sizei*, Character* log) {
    GL_MAY_FAIL();
    std::strcpy(log, "error: stranger");
}
void glDeleteProgram(Uint program) {
    if (current != nullptr) erase(current->programs, record.programs, 1, &program);
    GL_MAY_FAIL();
}
void glUseProgram(Uint) { GL_MAY_FAIL(); }
Int glGetUniformLocation(Uint, const Character*) {
    GL_MAY_FAIL(-1);
    return 0;
}
void glUniform1uiv(Int, Sizei, const Uint*) { GL_MAY_FAIL(); }
void glProgramParameteri(Uint, Enum, Int) { GL_MAY_FAIL(); }
void glGetProgramBinary(Uint, Sizei, Sizei* length, Enum* format, void* to) {
    GL_MAY_FAIL();
    *length = sizeof binary_of_ours;
    *format = 1;
    std::memcpy(to, binary_of_ours, sizeof binary_of_ours);
}
void glProgramBinary(Uint program, Enum, const void* from, Sizei length) {
    GL_MAY_FAIL();
    if (length == sizeof binary_of_ours && std::memcmp(from, binary_of_ours, sizeof binary_of_ours) == 0)
        current->linked.insert(program);
}

// ---- Textures

void glGenTextures(Sizei n, Uint* names) {
    GL_MAY_FAIL();
    for (Sizei i = 0; i < n; ++i) {
        names[i] = ++current->last_name;
        current->textures.insert(names[i]);
        ++record.textures;
    }
}
void glDeleteTextures(Sizei n, const Uint* names) {
    if (current != nullptr) erase(current->textures, record.textures, n, names);
    GL_MAY_FAIL();
}
void glTexStorage2D(Enum, Sizei, Enum, Sizei, Sizei) { GL_MAY_FAIL(); }
unsigned char glIsTexture(Uint name) {
    GL_MAY_FAIL(0);
    return current->textures.count(name) != 0 ? 1 : 0;
}
void glBindTexture(Enum, Uint) { GL_MAY_FAIL(); }
void glGetTexLevelParameteriv(Enum, Int, Enum what, Int* value) {
    GL_MAY_FAIL();
    *value = what == gl_texture_format ? static_cast<Int>(gl_rgba32f) : 8;
}
void glBindImageTexture(Uint, Uint, Int, unsigned char, Int, Enum, Enum) { GL_MAY_FAIL(); }

// ---- Work, and its clock

void glDispatchCompute(Uint, Uint, Uint) { GL_MAY_FAIL(); }
void glMemoryBarrier(Uint) { GL_MAY_FAIL(); }
void glFinish() { GL_MAY_FAIL(); }
void glGenQueries(Sizei n, Uint* names) {
    GL_MAY_FAIL();
    for (Sizei i = 0; i < n; ++i) {
        names[i] = ++current->last_name;
        current->queries.insert(names[i]);
        ++record.queries;
    }
}
void glDeleteQueries(Sizei n, const Uint* names) {
    if (current != nullptr) erase(current->queries, record.queries, n, names);
    GL_MAY_FAIL();
}
void glQueryCounter(Uint, Enum) { GL_MAY_FAIL(); }
void glGetQueryObjectui64v(Uint name, Enum, std::uint64_t* value) {
    GL_MAY_FAIL();
    *value = std::uint64_t{1000000} * name;
}

// ---- All of them by name

Procedure eglGetProcAddress(const char* name) {
    EGL_MAY_FAIL(nullptr);
    if (record.missing == name) return nullptr;
#define SEICHE_ENTRY(entry, result, parameters) {#entry, reinterpret_cast<Procedure>(&entry)},
    static const std::map<std::string, Procedure> entries{
        SEICHE_EGL_EXTENSIONS(SEICHE_ENTRY) SEICHE_GL_SYMBOLS(SEICHE_ENTRY) SEICHE_GL_OPTIONAL_SYMBOLS(SEICHE_ENTRY)};
#undef SEICHE_ENTRY
    const auto found = entries.find(name);
    return found == entries.end() ? nullptr : found->second;
}
}

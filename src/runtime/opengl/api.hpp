// EGL and OpenGL as they are loaded at run time: the few types, constants and functions that this backend uses,
// declared here so that no vendor header is needed. Names and values are those of the Khronos EGL 1.5, OpenGL 4.3 and
// OpenGL ES 3.1 specifications.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "runtime/library.hpp"

namespace seiche::runtime::opengl {

using Int = std::int32_t;
using Uint = std::uint32_t;
using Enum = std::uint32_t;
using Attribute = std::intptr_t;
using Display = void*;
using Context = void*;
using Surface = void*;
using EglDevice = void*;
using Config = void*;
using Sizei = std::int32_t;
using Offset = std::intptr_t;  ///< Bytes in a buffer.
using Character = char;
using Procedure = void (*)();
/// Gives an entry point by name, as eglGetProcAddress does.
using Loader = void* (*)(const char* name);

// name, result, parameters; these the library itself exports
#define SEICHE_EGL_SYMBOLS(X)                                            \
    X(eglGetProcAddress, Procedure, (const char*))                       \
    X(eglQueryString, const char*, (Display, Int))                       \
    X(eglGetDisplay, Display, (void*))                                   \
    X(eglInitialize, Uint, (Display, Int*, Int*))                        \
    X(eglBindAPI, Uint, (Enum))                                          \
    X(eglQueryAPI, Enum, ())                                             \
    X(eglCreateContext, Context, (Display, Config, Context, const Int*)) \
    X(eglDestroyContext, Uint, (Display, Context))                       \
    X(eglMakeCurrent, Uint, (Display, Surface, Surface, Context))        \
    X(eglGetCurrentContext, Context, ())                                 \
    X(eglGetCurrentDisplay, Display, ())                                 \
    X(eglGetCurrentSurface, Surface, (Int))                              \
    X(eglGetError, Int, ())

// Extensions that every implementation with more than one platform has.
#define SEICHE_EGL_EXTENSIONS(X)                                    \
    X(eglGetPlatformDisplayEXT, Display, (Enum, void*, const Int*)) \
    X(eglQueryDevicesEXT, Uint, (Int, EglDevice*, Int*))

#define SEICHE_GL_SYMBOLS(X)                                                       \
    X(glGetString, const unsigned char*, (Enum))                                   \
    X(glGetStringi, const unsigned char*, (Enum, Uint))                            \
    X(glGetIntegerv, void, (Enum, Int*))                                           \
    X(glGetInteger64v, void, (Enum, std::int64_t*))                                \
    X(glGetIntegeri_v, void, (Enum, Uint, Int*))                                   \
    X(glGetInteger64i_v, void, (Enum, Uint, std::int64_t*))                        \
    X(glGetError, Enum, ())                                                        \
    X(glGenBuffers, void, (Sizei, Uint*))                                          \
    X(glDeleteBuffers, void, (Sizei, const Uint*))                                 \
    X(glIsBuffer, unsigned char, (Uint))                                           \
    X(glBindBuffer, void, (Enum, Uint))                                            \
    X(glBindBufferBase, void, (Enum, Uint, Uint))                                  \
    X(glBindBufferRange, void, (Enum, Uint, Uint, Offset, Offset))                 \
    X(glBufferData, void, (Enum, Offset, const void*, Enum))                       \
    X(glBufferSubData, void, (Enum, Offset, Offset, const void*))                  \
    X(glMapBufferRange, void*, (Enum, Offset, Offset, Uint))                       \
    X(glUnmapBuffer, unsigned char, (Enum))                                        \
    X(glCopyBufferSubData, void, (Enum, Enum, Offset, Offset, Offset))             \
    X(glGetBufferParameteri64v, void, (Enum, Enum, std::int64_t*))                 \
    X(glCreateShader, Uint, (Enum))                                                \
    X(glShaderSource, void, (Uint, Sizei, const Character* const*, const Int*))    \
    X(glCompileShader, void, (Uint))                                               \
    X(glGetShaderiv, void, (Uint, Enum, Int*))                                     \
    X(glGetShaderInfoLog, void, (Uint, Sizei, Sizei*, Character*))                 \
    X(glDeleteShader, void, (Uint))                                                \
    X(glCreateProgram, Uint, ())                                                   \
    X(glAttachShader, void, (Uint, Uint))                                          \
    X(glLinkProgram, void, (Uint))                                                 \
    X(glGetProgramiv, void, (Uint, Enum, Int*))                                    \
    X(glGetProgramInfoLog, void, (Uint, Sizei, Sizei*, Character*))                \
    X(glDeleteProgram, void, (Uint))                                               \
    X(glUseProgram, void, (Uint))                                                  \
    X(glGetUniformLocation, Int, (Uint, const Character*))                         \
    X(glUniform1uiv, void, (Int, Sizei, const Uint*))                              \
    X(glProgramParameteri, void, (Uint, Enum, Int))                                \
    X(glGetProgramBinary, void, (Uint, Sizei, Sizei*, Enum*, void*))               \
    X(glProgramBinary, void, (Uint, Enum, const void*, Sizei))                     \
    X(glGenTextures, void, (Sizei, Uint*))                                         \
    X(glDeleteTextures, void, (Sizei, const Uint*))                                \
    X(glTexStorage2D, void, (Enum, Sizei, Enum, Sizei, Sizei))                     \
    X(glIsTexture, unsigned char, (Uint))                                          \
    X(glBindTexture, void, (Enum, Uint))                                           \
    X(glGetTexLevelParameteriv, void, (Enum, Int, Enum, Int*))                     \
    X(glBindImageTexture, void, (Uint, Uint, Int, unsigned char, Int, Enum, Enum)) \
    X(glDispatchCompute, void, (Uint, Uint, Uint))                                 \
    X(glMemoryBarrier, void, (Uint))                                               \
    X(glFinish, void, ())

// What OpenGL ES has by an extension, OpenGL since 3.3, and one by robustness: null where it is not there.
#define SEICHE_GL_OPTIONAL_SYMBOLS(X)                            \
    X(glGenQueries, void, (Sizei, Uint*))                        \
    X(glDeleteQueries, void, (Sizei, const Uint*))               \
    X(glQueryCounter, void, (Uint, Enum))                        \
    X(glGetQueryObjectui64v, void, (Uint, Enum, std::uint64_t*)) \
    X(glGetGraphicsResetStatus, Enum, ())

inline constexpr Int egl_none = 0x3038, egl_success = 0x3000, egl_extensions = 0x3055, egl_draw = 0x3059,
                     egl_read = 0x305a, egl_context_major = 0x3098, egl_context_minor = 0x30fb,
                     egl_profile_mask = 0x30fd, egl_profile_core = 1, egl_reset_strategy = 0x31bd,
                     egl_reset_strategy_es = 0x3138, egl_lose_context = 0x31bf;
inline constexpr Enum egl_es_api = 0x30a0, egl_gl_api = 0x30a2, egl_platform_device = 0x313f,
                      egl_platform_surfaceless = 0x31dd;

inline constexpr Enum gl_vendor = 0x1f00, gl_renderer = 0x1f01, gl_version = 0x1f02, gl_extensions = 0x1f03,
                      gl_num_extensions = 0x821d, gl_major_version = 0x821b, gl_minor_version = 0x821c;
inline constexpr Enum gl_out_of_memory = 0x0505, gl_context_lost = 0x0507;
inline constexpr Enum gl_storage_buffer = 0x90d2, gl_storage_buffer_binding = 0x90d3, gl_storage_buffer_start = 0x90d4,
                      gl_storage_buffer_size = 0x90d5, gl_copy_read_buffer = 0x8f36, gl_copy_write_buffer = 0x8f37,
                      gl_copy_read_binding = 0x8f36, gl_copy_write_binding = 0x8f37, gl_buffer_size = 0x8764,
                      gl_static_copy = 0x88e6, gl_stream_read = 0x88e1;
inline constexpr Enum gl_compute_shader = 0x91b9, gl_compile_status = 0x8b81, gl_link_status = 0x8b82,
                      gl_info_log_length = 0x8b84, gl_current_program = 0x8b8d, gl_binary_retrievable = 0x8257,
                      gl_binary_length = 0x8741, gl_num_binary_formats = 0x87fe;
inline constexpr Enum gl_texture_2d = 0x0de1, gl_texture_binding_2d = 0x8069, gl_texture_width = 0x1000,
                      gl_texture_height = 0x1001, gl_texture_format = 0x1003, gl_r32f = 0x822e, gl_rg32f = 0x8230,
                      gl_rgba32f = 0x8814, gl_rgba16f = 0x881a, gl_read_only = 0x88b8, gl_write_only = 0x88b9,
                      gl_max_texture_size = 0x0d33;
inline constexpr Enum gl_image_name = 0x8f3a, gl_image_level = 0x8f3b, gl_image_layered = 0x8f3c,
                      gl_image_layer = 0x8f3d, gl_image_access = 0x8f3e, gl_image_format = 0x906e;
inline constexpr Enum gl_max_compute_storage_blocks = 0x90db, gl_max_storage_bindings = 0x90dd,
                      gl_max_storage_block_size = 0x90de, gl_storage_alignment = 0x90df, gl_max_compute_shared = 0x8262,
                      gl_max_compute_invocations = 0x90eb, gl_max_compute_count = 0x91be, gl_max_compute_size = 0x91bf;
inline constexpr Enum gl_dedicated_memory_kib = 0x9047;  ///< Of GL_NVX_gpu_memory_info.
inline constexpr Enum gl_sm_count = 0x933b;              ///< Of GL_NV_shader_thread_group.
inline constexpr Uint gl_map_read = 1, gl_all_barriers = 0xffffffffu;
inline constexpr Enum gl_timestamp = 0x8e28, gl_query_result = 0x8866;

/// EGL, or why it is not there.
struct Egl {
    std::string problem, remedy;
    Library library;
#define SEICHE_DECLARE(name, result, parameters) result(*name) parameters = nullptr;
    SEICHE_EGL_SYMBOLS(SEICHE_DECLARE)
    SEICHE_EGL_EXTENSIONS(SEICHE_DECLARE)
#undef SEICHE_DECLARE
};
/// Loaded on the first call, never unloaded.
const Egl& egl();

/// The functions of OpenGL, as a loader gives them.
struct Gl {
    std::string missing;  ///< The first function that is not there and must be.
#define SEICHE_DECLARE(name, result, parameters) result(*name) parameters = nullptr;
    SEICHE_GL_SYMBOLS(SEICHE_DECLARE)
    SEICHE_GL_OPTIONAL_SYMBOLS(SEICHE_DECLARE)
#undef SEICHE_DECLARE
};
Gl load_gl(Loader loader);

/// The first word after a space-separated list's separator equals `name`.
bool lists(const char* extensions, const char* name);

std::string error_name(Enum code);
std::string egl_error_name(Int code);
/// Takes away what glGetError would say, so that it is not taken for a later call's. A lost context may never end.
void forget_errors(const Gl& gl);
/// Throws BackendError, naming the call, the code and the way out.
[[noreturn]] void failed(const char* call, Enum code, const std::string& doing = {});
/// The same for anything that glGetError has to say. It says it late: `call` names all calls since the last check.
void check(const Gl& gl, const char* call, const std::string& doing = {});

}  // namespace seiche::runtime::opengl

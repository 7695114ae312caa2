// Your own OpenGL context and buffer objects. No header of OpenGL is needed: names are unsigned numbers.
#pragma once

#include "seiche/device.hpp"
#include "seiche/image.hpp"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche::opengl {

/// The OpenGL 4.3 or OpenGL ES 3.1 context that is current in this thread, as a device. `get_proc_address` gives entry
/// points by name, as eglGetProcAddress, glfwGetProcAddress and SDL_GL_GetProcAddress do; null: EGL's own.
///
/// The context stays yours. Whenever a device, queue, buffer or plan of it is used or given up, it must be current in
/// the thread that does so, else InvalidProblem; what is given up elsewhere stays in the context until that ends. Work
/// is put into the context's own order of commands, behind what you gave before, and a barrier follows it. Before it
/// lies your own glMemoryBarrier, where a shader of yours wrote what is transformed. Your program and bindings are as
/// they were afterwards; what glGetError had to say before is gone. Throws InvalidProblem where no context is current,
/// Unsupported where it is too old.
Device current_device(void* (*get_proc_address)(const char* name) = nullptr);

/// A buffer object of the device's context by its name, of whole words of 4 bytes; not deleted by Seiche. Its size is
/// that of this moment. Throws InvalidProblem for a name that is none.
Buffer buffer(const Device& device, unsigned name);

/// A level of a two-dimensional texture of the device's context by its name, whose format is one of ImageFormat's
/// (GL_RG32F ...); OpenGL ES wants it made by glTexStorage2D. It stays yours; size and format are those of this moment.
/// What a shader of yours, a draw or glTexSubImage2D wrote wants your own glMemoryBarrier before, and none after.
/// Throws InvalidProblem for a name that is no such texture, and for another format.
Image image(const Device& device, unsigned texture, int level = 0);

/// The name of a buffer of Seiche's own. Throws InvalidProblem if it belongs to another backend.
unsigned name(const Buffer& buffer);

}  // namespace seiche::opengl
SEICHE_EXPORT_END

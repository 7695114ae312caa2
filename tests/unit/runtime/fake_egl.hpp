// What the fake EGL remembers, and which of its functions, or of its OpenGL's, is to fail.
#pragma once

#include <string>

struct FakeEglRecord {
    std::string failing;  ///< This function fails, the others work; empty: none.
    std::string missing;  ///< eglGetProcAddress does not know this one.
    int units = 0;        ///< That a card of NVIDIA's tells by an extension; 0: it has not got that.
    /// Alive: contexts, and what was made in them. What lies in a context ends with it.
    int contexts = 0, buffers = 0, programs = 0, shaders = 0, textures = 0, queries = 0;
};

extern "C" FakeEglRecord* fake_egl_record();

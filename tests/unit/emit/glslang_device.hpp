// An OpenGL device whose shaders glslang compiles: the driver gets its SPIR-V (GL_ARB_gl_spirv), and never the text.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "runtime/backend.hpp"

namespace seiche::test {

/// The device `opengl` with its shaders compiled by glslang, each `altered` before; null, with the reason, where there
/// is no such device, or no compiler.
std::shared_ptr<runtime::Device> open_glslang_device(std::string& reason,
                                                     std::function<std::string(std::string)> altered = {});

}  // namespace seiche::test

// Compute programs.
#include "runtime/opengl/module.hpp"

#include <cstring>
#include <utility>

#include "runtime/library.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime::opengl {

namespace {

[[noreturn]] void gave_nothing(const Gl& gl, const char* call, const emit::Source& source) {
    check(gl, call, source.entry);
    throw BackendError("opengl: " + std::string(call) + " gave nothing for kernel " + source.entry +
                       "; the device may be lost: open it again");
}

class ProgramOwner {
public:
    ProgramOwner(const Gl& gl, const emit::Source& source) : gl_(gl), program_(gl.glCreateProgram()) {
        if (program_ == 0) gave_nothing(gl, "glCreateProgram", source);
    }
    ~ProgramOwner() {
        if (program_ == 0) return;
        gl_.glDeleteProgram(program_);
        forget_errors(gl_);  // which a later call would be blamed for
    }
    ProgramOwner(const ProgramOwner&) = delete;
    ProgramOwner& operator=(const ProgramOwner&) = delete;
    Uint name() const { return program_; }
    Uint release() { return std::exchange(program_, 0); }

private:
    const Gl& gl_;
    Uint program_;
};

template <class Ask, class Get>
std::string log_of(Uint object, Ask ask, Get get) {
    Int length = 0;
    ask(object, gl_info_log_length, &length);
    std::string log(static_cast<std::size_t>(length > 0 ? length : 0), '\0');
    if (length > 0) get(object, length, nullptr, log.data());
    return log;
}

[[noreturn]] void refused(const char* call, const std::string& log, const emit::Source& source) {
    throw BackendError("opengl: " + std::string(call) + " failed for kernel " + source.entry + ": " +
                       first_error_line(log) + "; its source is in " + dump_text(source.entry, ".comp", source.text));
}

void expect_linked(const Gl& gl, Uint program, const char* call, const emit::Source& source) {
    Int linked = 0;
    gl.glGetProgramiv(program, gl_link_status, &linked);
    check(gl, "glAttachShader, glProgramParameteri, glLinkProgram or glGetProgramiv", source.entry);
    if (linked != 0) return;
    const std::string log = log_of(program, gl.glGetProgramiv, gl.glGetProgramInfoLog);
    check(gl, "glGetProgramiv or glGetProgramInfoLog", source.entry);
    refused(call, log, source);
}

void link_from_source(const Session& session, const ProgramOwner& owner, const emit::Source& source) {
    const Gl& gl = session.gl;
    const Uint shader = gl.glCreateShader(gl_compute_shader);
    if (shader == 0) gave_nothing(gl, "glCreateShader", source);
    const Character* text = source.text.c_str();
    const auto length = static_cast<Int>(source.text.size());
    gl.glShaderSource(shader, 1, &text, &length);
    gl.glCompileShader(shader);
    Int compiled = 0;
    gl.glGetShaderiv(shader, gl_compile_status, &compiled);
    const std::string log = compiled != 0 ? "" : log_of(shader, gl.glGetShaderiv, gl.glGetShaderInfoLog);
    if (compiled != 0) gl.glAttachShader(owner.name(), shader);
    gl.glDeleteShader(shader);  // as soon as no program has it
    check(gl, "glShaderSource, glCompileShader, glGetShaderiv, glGetShaderInfoLog, glAttachShader or glDeleteShader",
          source.entry);
    if (compiled == 0) refused("glCompileShader", log, source);
    if (session.facts.keeps_binaries) gl.glProgramParameteri(owner.name(), gl_binary_retrievable, 1);
    gl.glLinkProgram(owner.name());
    expect_linked(gl, owner.name(), "glLinkProgram", source);
}

std::shared_ptr<Module> module_of(const std::shared_ptr<Session>& session, const emit::Source& source,
                                  ProgramOwner& owner) {
    auto module = make_owned<OpenglModule>(session, source, owner.release());
    check(session->gl, "glGetUniformLocation", source.entry);
    return module;
}

void expect_fitting(const Session& session, const emit::Source& source) {
    const auto most = static_cast<std::size_t>(session.facts.storage_blocks);
    if (source.kernel->buffers.size() > most)
        throw Unsupported("opengl: kernel " + source.entry + " takes " + std::to_string(source.kernel->buffers.size()) +
                          " buffers, but this driver binds " + std::to_string(most) +
                          ": use fewer arrays in parts or fewer stage buffers");
}

}  // namespace

OpenglModule::OpenglModule(std::shared_ptr<Session> session, const emit::Source& source, Uint program)
    : session_(std::move(session)),
      kernel_(source.kernel),
      layout_(emit::push_constants(*source.kernel)),
      program_(program),
      arguments_(session_->gl.glGetUniformLocation(program, "arguments")) {}

OpenglModule::~OpenglModule() {
    give_up(*session_, [&](const Gl& gl) { gl.glDeleteProgram(program_); });
}

std::shared_ptr<Module> build_program(const std::shared_ptr<Session>& session, const emit::Source& source) {
    expect_fitting(*session, source);
    const Current current(*session);
    ProgramOwner owner(session->gl, source);
    link_from_source(*session, owner, source);
    return module_of(session, source, owner);
}

// The driver's format, then its bytes.
Binary compile_program(const std::shared_ptr<Session>& session, const emit::Source& source) {
    expect_fitting(*session, source);
    const Current current(*session);
    const Gl& gl = session->gl;
    const ProgramOwner owner(gl, source);
    link_from_source(*session, owner, source);
    Int length = 0;
    gl.glGetProgramiv(owner.name(), gl_binary_length, &length);
    Binary binary;
    binary.bytes.resize(sizeof(Enum) + static_cast<std::size_t>(length));
    Enum format = 0;
    gl.glGetProgramBinary(owner.name(), length, &length, &format, binary.bytes.data() + sizeof format);
    check(gl, "glGetProgramiv or glGetProgramBinary", source.entry);
    std::memcpy(binary.bytes.data(), &format, sizeof format);
    binary.bytes.resize(sizeof format + static_cast<std::size_t>(length));
    return binary;
}

// A driver may refuse what it once made, after an update for instance: then the program is made from its source.
std::shared_ptr<Module> load_program(const std::shared_ptr<Session>& session, const emit::Source& source,
                                     const Binary& binary) {
    expect_fitting(*session, source);
    const Current current(*session);
    const Gl& gl = session->gl;
    ProgramOwner owner(gl, source);
    Enum format = 0;
    Int linked = 0;
    if (binary.bytes.size() > sizeof format) {
        std::memcpy(&format, binary.bytes.data(), sizeof format);
        gl.glProgramBinary(owner.name(), format, binary.bytes.data() + sizeof format,
                           static_cast<Sizei>(binary.bytes.size() - sizeof format));
        forget_errors(gl);  // an unknown format is one
        gl.glGetProgramiv(owner.name(), gl_link_status, &linked);
        check(gl, "glGetProgramiv", source.entry);
    }
    if (linked == 0) throw BackendError("opengl: glProgramBinary refused the binary of kernel " + source.entry);
    return module_of(session, source, owner);
}

}  // namespace seiche::runtime::opengl

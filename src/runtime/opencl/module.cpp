// Compiles OpenCL C, loads program binaries, pools kernels.
#include "runtime/opencl/module.hpp"

#include <algorithm>
#include <utility>

#include "runtime/library.hpp"
#include "runtime/system.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime::opencl {

namespace {

struct ProgramOwner {
    explicit ProgramOwner(Program p) : program(p) {}
    ProgramOwner(ProgramOwner&& other) noexcept : program(other.release()) {}
    ProgramOwner& operator=(ProgramOwner&&) = delete;
    ~ProgramOwner() {
        if (program != nullptr) api().clReleaseProgram(program);
    }
    Program release() { return std::exchange(program, nullptr); }

    Program program;
};

std::string build_log(const Session& session, Program program) {
    std::size_t size = 0;
    if (api().clGetProgramBuildInfo(program, session.device, program_build_log, 0, nullptr, &size) != success)
        return {};
    std::string log(size, '\0');
    if (size == 0 ||
        api().clGetProgramBuildInfo(program, session.device, program_build_log, size, log.data(), nullptr) != success)
        return {};
    return log;
}

[[noreturn]] void build_failed(const Session& session, Program program, Int code, const emit::Source& source) {
    const std::string log = build_log(session, program);
    throw BackendError("opencl: clBuildProgram failed with " + error_name(code) + " for kernel " + source.entry + ": " +
                       first_error_line(log) + hint(code) + "; its source is in " +
                       dump_text(source.entry, ".cl", source.text));
}

ProgramOwner program_from_source(const Session& session, const emit::Source& source, const std::string& options) {
    const KeptSignals kept;
    const char* text = source.text.c_str();
    const std::size_t length = source.text.size();
    Int code = success;
    ProgramOwner owner{api().clCreateProgramWithSource(session.context, 1, &text, &length, &code)};
    check(code, "clCreateProgramWithSource", source.entry);
    code = api().clBuildProgram(owner.program, 1, &session.device, options.c_str(), nullptr, nullptr);
    if (code != success) build_failed(session, owner.program, code, source);
    return owner;
}

std::shared_ptr<Module> module_from(const std::shared_ptr<Session>& session, ProgramOwner& owner,
                                    const emit::Source& source) {
    auto module = make_owned<OpenclModule>(session, owner.program, source);
    owner.release();
    module->put_back(module->take());  // the kernel exists before the first launch, and a bad binary is found out now
    return module;
}

}  // namespace

Binary compile_program(const Session& session, const emit::Source& source, const std::string& options) {
    const ProgramOwner owner = program_from_source(session, source, options);
    Binary binary;
    std::size_t size = 0;
    check(api().clGetProgramInfo(owner.program, program_binary_sizes, sizeof size, &size, nullptr), "clGetProgramInfo",
          source.entry);
    binary.bytes.resize(size);
    std::byte* target = binary.bytes.data();
    check(api().clGetProgramInfo(owner.program, program_binaries, sizeof target, &target, nullptr), "clGetProgramInfo",
          source.entry);
    return binary;
}

std::shared_ptr<Module> load_program(const std::shared_ptr<Session>& session, const emit::Source& source,
                                     const Binary& binary) {
    const KeptSignals kept;
    const auto* bytes = reinterpret_cast<const unsigned char*>(binary.bytes.data());
    const std::size_t size = binary.bytes.size();
    Int status = success, code = success;
    ProgramOwner owner{
        api().clCreateProgramWithBinary(session->context, 1, &session->device, &size, &bytes, &status, &code)};
    check(code != success ? code : status, "clCreateProgramWithBinary", source.entry);
    check(api().clBuildProgram(owner.program, 1, &session->device, "", nullptr, nullptr), "clBuildProgram",
          "binary of " + source.entry);
    return module_from(session, owner, source);
}

std::shared_ptr<Module> build_program(const std::shared_ptr<Session>& session, const emit::Source& source,
                                      const std::string& options) {
    ProgramOwner owner = program_from_source(*session, source, options);
    return module_from(session, owner, source);
}

OpenclModule::OpenclModule(std::shared_ptr<Session> session, Program program, const emit::Source& source)
    : session_(std::move(session)), program_(program), kernel_(source.kernel) {
    idle_.reserve(16);
}

OpenclModule::~OpenclModule() {
    for (const KernelHandle kernel : idle_) api().clReleaseKernel(kernel);
    api().clReleaseProgram(program_);
}

KernelHandle OpenclModule::create() const {
    Int code = success;
    const KernelHandle kernel = api().clCreateKernel(program_, kernel_->name.c_str(), &code);
    check(code, "clCreateKernel", kernel_->name);
    return kernel;
}

KernelHandle OpenclModule::take() const {
    {
        const std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            const KernelHandle kernel = idle_.back();
            idle_.pop_back();
            return kernel;
        }
    }
    return create();
}

void OpenclModule::put_back(KernelHandle kernel) const {
    const std::lock_guard lock(mutex_);
    idle_.push_back(kernel);
}

}  // namespace seiche::runtime::opencl

// Gives SPIR-V and native binaries to a Level Zero driver, pools kernels.
#include "runtime/level_zero/module.hpp"

#include <utility>

#include "runtime/library.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime::level_zero {

namespace {

struct ModuleOwner {
    explicit ModuleOwner(ModuleHandle m) : module(m) {}
    ModuleOwner(ModuleOwner&& other) noexcept : module(other.release()) {}
    ModuleOwner& operator=(ModuleOwner&&) = delete;
    ~ModuleOwner() {
        if (module != nullptr) api().zeModuleDestroy(module);
    }
    ModuleHandle release() { return std::exchange(module, nullptr); }

    ModuleHandle module;
};

struct LogOwner {
    BuildLog log = nullptr;
    ~LogOwner() {
        if (log != nullptr) api().zeModuleBuildLogDestroy(log);
    }
    std::string text() const {
        std::size_t size = 0;
        if (log == nullptr || api().zeModuleBuildLogGetString(log, &size, nullptr) != success || size == 0) return {};
        std::string said(size, '\0');
        if (api().zeModuleBuildLogGetString(log, &size, said.data()) != success) return {};
        return said.substr(0, said.find('\0'));
    }
};

std::string dump_module(const emit::Source& source) {
    return dump_text(source.entry, ".spv",
                     {reinterpret_cast<const char*>(source.words.data()), source.words.size() * sizeof(std::uint32_t)});
}

ModuleOwner module_from_spirv(const Session& session, const emit::Source& source) {
    ModuleDesc description;
    description.format = format_spirv;
    description.inputSize = source.words.size() * sizeof(std::uint32_t);
    description.pInputModule = reinterpret_cast<const std::uint8_t*>(source.words.data());
    description.pBuildFlags = "";
    LogOwner log;
    ModuleHandle module = nullptr;
    const Result code = api().zeModuleCreate(session.context(), session.device(), &description, &module, &log.log);
    ModuleOwner owner(module);
    if (code == success) return owner;
    const std::string said = first_error_line(log.text());
    check(code, "zeModuleCreate",
          "kernel " + source.entry + (said.empty() ? "" : ": " + said) + "; its module is in " + dump_module(source));
    return owner;
}

}  // namespace

Binary compile_module(const Session& session, const emit::Source& source) {
    const ModuleOwner owner = module_from_spirv(session, source);
    Binary binary;
    std::size_t size = 0;
    check(api().zeModuleGetNativeBinary(owner.module, &size, nullptr), "zeModuleGetNativeBinary", source.entry);
    binary.bytes.resize(size);
    check(api().zeModuleGetNativeBinary(owner.module, &size, reinterpret_cast<std::uint8_t*>(binary.bytes.data())),
          "zeModuleGetNativeBinary", source.entry);
    return binary;
}

std::shared_ptr<Module> build_module(const std::shared_ptr<Session>& session, const emit::Source& source) {
    return make_owned<LevelZeroModule>(session, module_from_spirv(*session, source).release(), source);
}

std::shared_ptr<Module> load_module(const std::shared_ptr<Session>& session, const emit::Source& source,
                                    const Binary& binary) {
    if (binary.bytes.empty()) throw BackendError("level_zero: the binary of kernel " + source.entry + " is empty");
    ModuleDesc description;
    description.format = format_native;
    description.inputSize = binary.bytes.size();
    description.pInputModule = reinterpret_cast<const std::uint8_t*>(binary.bytes.data());
    description.pBuildFlags = "";
    ModuleHandle module = nullptr;
    check(api().zeModuleCreate(session->context(), session->device(), &description, &module, nullptr), "zeModuleCreate",
          "binary of " + source.entry);
    return make_owned<LevelZeroModule>(session, module, source);
}

LevelZeroModule::LevelZeroModule(std::shared_ptr<Session> session, ModuleHandle module, const emit::Source& source)
    : session_(std::move(session)), module_(module), kernel_(source.kernel) {
    ModuleOwner owner(module);
    idle_.reserve(16);
    idle_.push_back(create());  // it exists before the first launch, and a bad binary is found out now
    owner.release();
}

LevelZeroModule::~LevelZeroModule() {
    session_->settle();
    for (const KernelHandle kernel : idle_) api().zeKernelDestroy(kernel);
    api().zeModuleDestroy(module_);
}

KernelHandle LevelZeroModule::create() const {
    KernelDesc description;
    description.pKernelName = kernel_->name.c_str();
    KernelHandle kernel = nullptr;
    check(api().zeKernelCreate(module_, &description, &kernel), "zeKernelCreate", kernel_->name);
    const auto& group = kernel_->launch.group;
    const Result code = api().zeKernelSetGroupSize(kernel, group[0], group[1], group[2]);
    if (code != success) api().zeKernelDestroy(kernel);
    check(code, "zeKernelSetGroupSize",
          kernel_->name + ", " + std::to_string(group[0]) + " x " + std::to_string(group[1]) + " x " +
              std::to_string(group[2]));
    return kernel;
}

KernelHandle LevelZeroModule::take() const {
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

void LevelZeroModule::put_back(KernelHandle kernel) const {
    const std::lock_guard lock(mutex_);
    idle_.push_back(kernel);
}

}  // namespace seiche::runtime::level_zero

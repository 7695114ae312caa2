// Loads a code object and finds its kernel.
#include "runtime/hip/module.hpp"

#include "seiche/error.hpp"

namespace seiche::runtime::hip {

HipModule::HipModule(int ordinal, ModuleHandle module, const emit::Source& source)
    : ordinal_(ordinal), module_(module), kernel_(source.kernel) {
    if (source.dynamic_shared) dynamic_shared_bytes_ = static_cast<std::uint32_t>(source.shared_bytes);
    const Result code = api().hipModuleGetFunction(&function_, module_, source.entry.c_str());
    if (code != success) api().hipModuleUnload(module_);
    check(code, "hipModuleGetFunction", source.entry);
}

HipModule::~HipModule() {
    int before = ordinal_;
    api().hipGetDevice(&before);
    if (before != ordinal_) api().hipSetDevice(ordinal_);
    api().hipModuleUnload(module_);
    if (before != ordinal_) api().hipSetDevice(before);
}

std::shared_ptr<Module> load_module(int ordinal, const emit::Source& source, const Binary& binary) {
    if (binary.bytes.empty()) throw BackendError("hip: the binary of kernel " + source.entry + " is empty");
    const Current current(ordinal);
    ModuleHandle module = nullptr;
    check(api().hipModuleLoadData(&module, binary.bytes.data()), "hipModuleLoadData", source.entry);
    return make_owned<HipModule>(ordinal, module, source);
}

}  // namespace seiche::runtime::hip

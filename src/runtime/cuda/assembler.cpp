// Chooses between NVRTC and the driver's assembler, which is called through its linker, since that gives the machine
// code back, to be kept.
#include "runtime/cuda/assembler.hpp"

#include <array>

#include "runtime/cuda/nvrtc.hpp"
#include "runtime/library.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime::cuda {

CompilerChoice choose_compiler(int capability) {
    const std::string named = environment("SEICHE_CUDA_COMPILER");
    if (named == "ptx") return {emit::PtxUse::wherever_possible, {}, {}};
    if (!named.empty() && named != "nvrtc")
        return {emit::PtxUse::never, "SEICHE_CUDA_COMPILER is '" + named + "', expected nvrtc or ptx",
                "set it to one of the two"};
    const Nvrtc& nvrtc = loaded_nvrtc();
    CompilerChoice choice{named.empty() ? emit::PtxUse::where_faster : emit::PtxUse::never, nvrtc.problem,
                          nvrtc.remedy};
    if (choice.problem.empty() && compiler_target(nvrtc, capability).empty()) {
        choice.problem = nvrtc.path + " makes code only for newer cards";
        choice.remedy = "install an older NVRTC, for example with `pip install nvidia-cuda-nvrtc-cu12`";
    }
    if (named.empty() && !choice.problem.empty()) return {emit::PtxUse::wherever_possible, {}, {}};
    return choice;
}

namespace {

constexpr std::size_t log_bytes = 4096;

struct LinkerOwner {
    Linker linker = nullptr;
    ~LinkerOwner() {
        if (linker != nullptr) api().cuLinkDestroy(linker);
    }
};

struct Report {
    const emit::Source& source;
    bool keeps_text;
    std::array<char, log_bytes> log{};
};

void check(Result code, const char* call, const Report& report) {
    if (code == success) return;
    std::string text = failure(code, call, report.source.entry);
    if (report.log.front() != '\0') text += ": " + first_error_line(report.log.data());
    if (report.keeps_text) text += "; its source is in " + dump_text(report.source.entry, ".ptx", report.source.text);
    throw BackendError(text);
}

}  // namespace

Binary assemble(const Session& session, const emit::Source& source, bool keeps_text) {
    const Current current(session);
    Report report{source, keeps_text};
    std::array<std::int32_t, 3> options{jit_target_from_context, jit_error_log, jit_error_log_bytes};
    std::array<void*, 3> values{nullptr, report.log.data(), reinterpret_cast<void*>(std::uintptr_t{log_bytes - 1})};
    LinkerOwner owner;
    check(api().cuLinkCreate(static_cast<std::uint32_t>(options.size()), options.data(), values.data(), &owner.linker),
          "cuLinkCreate", report);
    std::string text = source.text;  // the call takes no constant
    const std::string name = source.entry + ".ptx";
    check(api().cuLinkAddData(owner.linker, jit_input_ptx, text.data(), text.size() + 1, name.c_str(), 0, nullptr,
                              nullptr),
          "cuLinkAddData", report);
    void* code = nullptr;
    std::size_t bytes = 0;
    check(api().cuLinkComplete(owner.linker, &code, &bytes), "cuLinkComplete", report);
    if (bytes == 0) throw BackendError("cuda: cuLinkComplete gave 0 bytes for kernel " + source.entry);
    const auto* begin = static_cast<const std::byte*>(code);
    return {{begin, begin + bytes}};
}

}  // namespace seiche::runtime::cuda

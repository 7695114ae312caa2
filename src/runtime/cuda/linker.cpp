// Finds, loads and calls nvJitLink.
#include "runtime/cuda/linker.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "runtime/cuda/nvrtc.hpp"
#include "runtime/cuda/toolkit.hpp"
#include "runtime/library.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime::cuda {

namespace {

enum InputType : int { input_none = 0, input_cubin = 1, input_ptx = 2, input_lto_ir = 3, input_fatbin = 4 };
constexpr int newest_major = 13, oldest_major = 12, most_minor = 9;

/// By its own name, or by that of a version, the newest that there is.
void* symbol_of(const Library& library, const std::string& name, int& major) {
    const auto versioned = [&](int m, int minor) {
        return library.symbol(("__" + name + "_" + std::to_string(m) + "_" + std::to_string(minor)).c_str());
    };
    for (int m = newest_major; m >= oldest_major; --m)
        for (int minor = most_minor; minor >= 0; --minor)
            if (void* const found = versioned(m, minor)) {
                major = m;
                void* const plain = library.symbol(name.c_str());
                return plain != nullptr ? plain : found;
            }
    return library.symbol(name.c_str());
}

/// Why this library is of no use; empty if it is.
std::string try_library(JitLinker& linker, const Library& library, int major) {
    std::string missing;
    const auto take = [&](auto& function, const char* name) {
        function =
            reinterpret_cast<std::remove_reference_t<decltype(function)>>(symbol_of(library, name, linker.major));
        if (function == nullptr && missing.empty()) missing = name;
    };
#define SEICHE_TAKE(name, parameters) take(linker.name, #name);
    SEICHE_NVJITLINK_SYMBOLS(SEICHE_TAKE)
#undef SEICHE_TAKE
    if (!missing.empty()) return library.name() + " has no " + missing;
    if (auto* const version = reinterpret_cast<int (*)(unsigned*, unsigned*)>(library.symbol("nvJitLinkVersion"))) {
        unsigned own_major = 0, minor = 0;
        if (version(&own_major, &minor) == 0) linker.major = static_cast<int>(own_major);
    }
    if (linker.major != major)
        return library.name() + " is of CUDA " + std::to_string(linker.major) + ", and NVRTC of CUDA " +
               std::to_string(major);
    linker.path = library.name();
    return {};
}

}  // namespace

std::vector<std::string> linker_candidates() {
    return toolkit_candidates({.names = {.so = {"libnvJitLink.so.13", "libnvJitLink.so.12", "libnvJitLink.so"},
                                         .dll = {"nvJitLink_130_0.dll", "nvJitLink_120_0.dll"},
                                         .dylib = {}},
                               .wheels = {"cu13", "nvjitlink"}});
}

JitLinker load_linker(const std::vector<std::string>& candidates, int major) {
    std::string rejected;
    for (const std::string& candidate : candidates) {
        const Library library = Library::open({candidate});
        if (!library) continue;
        JitLinker linker;
        const std::string why = try_library(linker, library, major);
        if (why.empty()) return linker;
        if (rejected.empty()) rejected = why;
    }
    JitLinker none;
    none.problem = "CUDA's run-time linker nvJitLink was not found" + (rejected.empty() ? "" : ": " + rejected);
    none.remedy = "install it, for example `pip install nvidia-nvjitlink" +
                  (major == 12 ? "-cu12`" : std::string("`")) + ", or the CUDA toolkit " + std::to_string(major) +
                  " with CUDA_HOME naming its folder";
    return none;
}

const JitLinker& loaded_linker() {
    static const JitLinker* const loaded =
        new JitLinker(load_linker(linker_candidates(), loaded_nvrtc().version / 1000));
    return *loaded;
}

namespace {

/// What the linker is told that the code is; none: nothing that it takes.
InputType type_of(const std::vector<std::byte>& code) {
    const auto starts_with = [&](std::initializer_list<unsigned char> bytes) {
        return code.size() >= bytes.size() &&
               std::equal(bytes.begin(), bytes.end(), code.begin(),
                          [](unsigned char a, std::byte b) { return std::byte{a} == b; });
    };
    if (starts_with({0xed, 0x43, 0x4e, 0x7f})) return input_lto_ir;
    if (starts_with({0x50, 0xed, 0x55, 0xba})) return input_fatbin;
    constexpr std::size_t machine_at = 18;
    const bool is_of_card = code.size() > machine_at + 1 && code[machine_at] == std::byte{190};
    if (starts_with({0x7f, 'E', 'L', 'F'})) return is_of_card ? input_cubin : input_none;
    const std::string_view text(reinterpret_cast<const char*>(code.data()), code.size());
    return text.find(".version") != std::string_view::npos && text.find(".target") != std::string_view::npos
               ? input_ptx
               : input_none;
}

class Link {
public:
    Link(const JitLinker& linker, const emit::Source& source, std::string architecture)
        : linker_(linker), source_(source), architecture_(std::move(architecture)) {}
    ~Link() {
        if (handle_ != nullptr) linker_.nvJitLinkDestroy(&handle_);
    }
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;

    Binary run(const Binary& kernel) {
        create();
        add(kernel.bytes, input_lto_ir, source_.entry);
        std::vector<std::string> added;  // one code may have both functions
        for (const ir::ExternalFunction& function : source_.kernel->functions) {
            if (std::find(added.begin(), added.end(), function.code_hash) != added.end()) continue;
            added.push_back(function.code_hash);
            const InputType type = type_of(*function.code);
            if (type == input_none)
                refuse(function.symbol, "LTO-IR, a fatbin, a cubin or PTX",
                       std::to_string(function.code->size()) + " bytes of something else");
            add_function(function, type);
        }
        check(linker_.nvJitLinkComplete(handle_), "nvJitLinkComplete");
        Binary binary;
        std::size_t size = 0;
        check(linker_.nvJitLinkGetLinkedCubinSize(handle_, &size), "nvJitLinkGetLinkedCubinSize");
        binary.bytes.resize(size);
        check(linker_.nvJitLinkGetLinkedCubin(handle_, binary.bytes.data()), "nvJitLinkGetLinkedCubin");
        return binary;
    }

private:
    [[noreturn]] static void refuse(const std::string& symbol, const std::string& rule, const std::string& got) {
        throw InvalidProblem(refusal(symbol, rule, got));
    }

    static std::string refusal(const std::string& symbol, const std::string& rule, const std::string& got) {
        return "cuda: the code of the stage function '" + symbol + "': expected " + rule + ", got " + got;
    }

    /// A bound on registers is the linker's matter too: registers are dealt out there.
    void create() {
        std::vector<std::string> options{"-arch=" + architecture_, "-lto"};
        constexpr std::string_view bound = "--maxrregcount=";
        for (const std::string& option : source_.options)
            if (option.starts_with(bound)) options.push_back(option.substr(1));
        std::vector<const char*> pointers;
        for (const std::string& option : options) pointers.push_back(option.c_str());
        check(linker_.nvJitLinkCreate(&handle_, static_cast<std::uint32_t>(pointers.size()), pointers.data()),
              "nvJitLinkCreate");
    }

    void add(const std::vector<std::byte>& bytes, InputType type, const std::string& name) {
        check(linker_.nvJitLinkAddData(handle_, type, bytes.data(), bytes.size(), name.c_str()), "nvJitLinkAddData");
    }

    /// What is wrong with the user's code is said in our words, all else in the linker's.
    void add_function(const ir::ExternalFunction& function, InputType type) {
        const int code = linker_.nvJitLinkAddData(handle_, type, function.code->data(), function.code->size(),
                                                  function.symbol.c_str());
        if (code == 0) return;
        const std::string said = log();
        if (said.find("newer than target arch") != std::string::npos)
            refuse(function.symbol, "code for " + architecture_ + " or older cards", "code for newer ones");
        if (said.find("newer version of nvJitLink") != std::string::npos)
            refuse(function.symbol, "code of a compiler that is not newer than " + linker_.path, "code of a newer one");
        check(code, "nvJitLinkAddData");
    }

    std::string log() const {
        std::size_t size = 0;
        if (handle_ == nullptr || linker_.nvJitLinkGetErrorLogSize(handle_, &size) != 0 || size == 0) return {};
        std::string text(size + 1, '\0');
        if (linker_.nvJitLinkGetErrorLog(handle_, text.data()) != 0) return {};
        return text.substr(0, text.find('\0'));
    }

    void check(int code, const char* call) const {
        if (code == 0) return;
        const std::string said = log();
        for (const ir::ExternalFunction& function : source_.kernel->functions)
            if (said.find("Unresolved extern function '" + function.symbol + "'") != std::string::npos)
                throw MissingFunction(refusal(function.symbol,
                                              "a __device__ function of that name (of C++, the mangled one)",
                                              "code without one"));
        const std::string line = said.empty() ? "" : first_error_line(said);
        throw BackendError("cuda: " + std::string(call) + " failed with code " + std::to_string(code) + " for kernel " +
                           source_.entry + " on " + architecture_ + (line.empty() ? "" : ": " + line));
    }

    const JitLinker& linker_;
    const emit::Source& source_;
    const std::string architecture_;
    LinkHandle handle_ = nullptr;
};

}  // namespace

Binary link_functions(const JitLinker& linker, const emit::Source& source, const Binary& kernel,
                      const std::string& architecture) {
    if (!linker.problem.empty())
        throw BackendError("cuda: kernel " + source.entry + " calls a stage's function, and " + linker.problem + "; " +
                           linker.remedy);
    return Link(linker, source, architecture).run(kernel);
}

}  // namespace seiche::runtime::cuda

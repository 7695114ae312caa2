// Functions of stages are linked to kernels by nvJitLink, without a card: what is left is one kernel that calls nobody.
#include <gtest/gtest.h>

#include <cstring>

#include "exec/inspect.hpp"
#include "runtime/cuda/linker.hpp"
#include "runtime/cuda/nvrtc.hpp"
#include "seiche/error.hpp"

namespace seiche::test {
namespace {

using runtime::cuda::JitLinker;
using runtime::cuda::Nvrtc;

const Nvrtc& nvrtc() {
    static const Nvrtc loaded = runtime::cuda::load_nvrtc(runtime::cuda::nvrtc_candidates(), 0);
    return loaded;
}
const JitLinker& linker() {
    static const JitLinker loaded =
        runtime::cuda::load_linker(runtime::cuda::linker_candidates(), nvrtc().version / 1000);
    return loaded;
}

/// A user's source as the compiler leaves it: LTO-IR with "-dlto", else relocatable machine code or PTX.
std::vector<std::byte> compiled(const std::string& text, const std::string& architecture, bool is_lto = true) {
    emit::Source source;
    source.dialect = emit::Dialect::cuda;
    source.entry = "user";
    source.text = text;
    source.architecture = architecture;
    auto kernel = std::make_shared<ir::Kernel>();
    if (is_lto) kernel->functions.emplace_back();
    source.kernel = kernel;
    source.options = {is_lto ? "-dlto" : "-rdc=true"};
    return runtime::cuda::compile_with_nvrtc(nvrtc(), source).bytes;
}

/// Load and store of one type, in C++, so that names are mangled.
std::string callbacks(const std::string& type) {
    return "__device__ float scale_by(float x, const void* info) { return x * *(const float*)info; }\n"
           "__device__ double scale_by(double x, const void* info) { return x * *(const double*)info; }\n"
           "__device__ float2 scale_by(float2 x, const void* info) {\n"
           "    const float f = *(const float*)info;\n    return make_float2(x.x * f, x.y * f);\n}\n"
           "__device__ double2 scale_by(double2 x, const void* info) {\n"
           "    const double f = *(const double*)info;\n    return make_double2(x.x * f, x.y * f);\n}\n"
           "__device__ " +
           type +
           " load(void* in, unsigned long long at, void* info, void*) {\n"
           "    return scale_by(((" +
           type +
           "*)in)[at], info);\n}\n"
           "__device__ void store(void* out, unsigned long long at, " +
           type +
           " x, void* info, void*) {\n"
           "    ((" +
           type + "*)out)[at] = scale_by(x, info);\n}\n";
}
std::string mangled(const std::string& type) { return std::to_string(type.size()) + type; }
/// As the compiler names them; float and double have letters of their own.
std::string load_name() { return "_Z4loadPvyS_S_"; }
std::string store_name(const std::string& type) {
    const std::string letter = type == "float" ? "f" : type == "double" ? "d" : mangled(type);
    return "_Z5storePvy" + letter + "S_S_";
}

/// The functions of a cubin, and what it leaves undefined: names of its symbol table.
struct Symbols {
    std::vector<std::string> functions, undefined;
};
Symbols symbols_of(const std::vector<std::byte>& elf) {
    const auto at = [&](std::size_t offset, std::size_t bytes) {
        std::uint64_t value = 0;
        EXPECT_LE(offset + bytes, elf.size());
        if (offset + bytes <= elf.size()) std::memcpy(&value, elf.data() + offset, bytes);
        return value;
    };
    constexpr std::size_t section_table = 0x28, section_bytes = 0x3a, section_count = 0x3c, symbol_bytes = 24;
    constexpr unsigned symbol_table = 2, function = 2, global = 1;
    Symbols found;
    for (std::size_t s = 0; s < at(section_count, 2); ++s) {
        const std::size_t section = at(section_table, 8) + s * at(section_bytes, 2);
        if (at(section + 4, 4) != symbol_table) continue;
        const std::size_t strings = at(at(section_table, 8) + at(section + 0x28, 4) * at(section_bytes, 2) + 0x18, 8);
        for (std::size_t k = 0; k < at(section + 0x20, 8) / symbol_bytes; ++k) {
            const std::size_t symbol = at(section + 0x18, 8) + k * symbol_bytes;
            const std::string name(reinterpret_cast<const char*>(elf.data() + strings + at(symbol, 4)));
            const unsigned info = static_cast<unsigned>(at(symbol + 4, 1));
            if ((info & 15u) == function) found.functions.push_back(name);
            const bool is_linkers_own = name.rfind(".nv.", 0) == 0;
            if (at(symbol + 6, 2) == 0 && info >> 4 == global && !is_linkers_own) found.undefined.push_back(name);
        }
    }
    return found;
}

struct Types {
    std::string load, store;
};
Types types_of(const Problem& problem, Direction direction) {
    const bool is_double = problem.precision == Precision::f64, is_forward = direction == Direction::forward;
    const std::string real = is_double ? "double" : "float", complex = real + "2";
    const bool is_real = is_real_to_real(problem.kind);
    return {is_real || (problem.kind == Kind::r2c && is_forward) ? real : complex,
            is_real || (problem.kind == Kind::c2r && !is_forward) ? real : complex};
}

/// Two blobs: the load function's and the store function's.
Problem with_functions(Problem problem, Direction direction, const std::string& architecture) {
    const Types types = types_of(problem, direction);
    const bool is_forward = direction == Direction::forward;
    const auto only = [&](const std::string& type, bool is_load) {
        const std::string all = callbacks(type);
        const std::size_t load = all.rfind("__device__ " + type + " load"), store = all.find("__device__ void store");
        const std::string text = is_load ? all.substr(0, store) : all.substr(0, load) + all.substr(store);
        return "namespace {\n" + text.substr(0, load) + "}\n" + text.substr(load);
    };
    (is_forward ? problem.forward_load : problem.inverse_load) =
        StageFunction{load_name(), compiled(only(types.load, true), architecture), nullptr};
    (is_forward ? problem.forward_store : problem.inverse_store) =
        StageFunction{store_name(types.store), compiled(only(types.store, false), architecture), nullptr};
    return problem;
}

std::vector<exec::GeneratedKernel> sources(const Problem& problem, Direction direction) {
    emit::Target target;
    target.dialect = emit::Dialect::cuda;
    target.architecture = "sm_90";
    target.ptx = emit::PtxUse::where_faster;
    target.waits_for_previous = true;
    const DeviceLimits limits = Device::open("reference").limits();  // of a large card, with clusters
    return exec::sources(problem::normalise(problem), limits, {direction, {}}, target);
}

runtime::Binary linked(const emit::Source& source) {
    std::string log;
    const runtime::Binary kernel = runtime::cuda::compile_with_nvrtc(nvrtc(), source, &log);
    EXPECT_EQ(log.find("warning"), std::string::npos) << log << source.text;
    return runtime::cuda::link_functions(linker(), source, kernel, "sm_90");
}

class StageFunctionLink : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        if (!nvrtc().problem.empty()) GTEST_SKIP() << nvrtc().problem;
        if (!linker().problem.empty()) GTEST_SKIP() << linker().problem;
    }
};

TEST_P(StageFunctionLink, leaves_one_kernel_that_calls_nobody) {
    const Problem plain = parse_problem(GetParam());
    const Direction direction = plain.kind == Kind::c2r ? Direction::inverse : Direction::forward;
    const auto kernels = sources(with_functions(plain, direction, "compute_80"), direction);
    std::size_t calling = 0;
    for (const exec::GeneratedKernel& kernel : kernels) {
        if (!runtime::cuda::is_linked(kernel.source)) continue;
        ++calling;
        ASSERT_EQ(kernel.source.dialect, emit::Dialect::cuda);
        const Symbols symbols = symbols_of(linked(kernel.source).bytes);
        EXPECT_EQ(symbols.functions, std::vector<std::string>{kernel.source.entry});
        EXPECT_EQ(symbols.undefined, std::vector<std::string>{});
    }
    EXPECT_EQ(calling, std::min<std::size_t>(kernels.size(), 2)) << "the first kernel loads, the last one stores";
}

INSTANTIATE_TEST_SUITE_P(Kinds, StageFunctionLink,
                         testing::Values("256 batch=8", "65536", "256 f64", "1048576", "1009", "100003",
                                         "64x48 in-place", "30 r2c", "31 r2c f64", "64x48 r2c in-place", "64x48 c2r",
                                         "30 c2r f64", "16x16x16 r2c", "8x8 dct2",
                                         "100 istrides=3 ostrides=2 idist=400 batch=4"));

class StageFunctionCode : public StageFunctionLink {
protected:
    static Problem problem(const StageFunction& function) {
        Problem problem = parse_problem("64");
        problem.forward_load = function;
        return problem;
    }
    static std::string refusal(const StageFunction& function) {
        try {
            linked(sources(problem(function), Direction::forward).front().source);
        } catch (const InvalidProblem& error) {
            return (error.kind() == ErrorKind::missing_function ? "missing: " : "") + std::string(error.reason());
        } catch (const Error& error) {
            return std::string("no fault of the problem: ") + error.what();
        }
        return "nothing was refused";
    }
};

/// Machine code and PTX are called rather than inlined.
TEST_F(StageFunctionCode, may_be_machine_code_or_ptx) {
    for (const char* architecture : {"sm_90", "compute_80"}) {
        const StageFunction function{load_name(), compiled(callbacks("float2"), architecture, false), nullptr};
        const Symbols symbols = symbols_of(linked(sources(problem(function), Direction::forward).front().source).bytes);
        EXPECT_EQ(symbols.undefined, std::vector<std::string>{}) << architecture;
    }
}

TEST_F(StageFunctionCode, of_both_sides_is_linked_once) {
    const std::vector<std::byte> code = compiled(callbacks("float2"), "compute_75");
    Problem both = problem({load_name(), code, nullptr});
    both.forward_store = StageFunction{store_name("float2"), code, nullptr};
    const Symbols symbols = symbols_of(linked(sources(both, Direction::forward).front().source).bytes);
    EXPECT_EQ(symbols.functions.size(), 1u);
}

TEST_F(StageFunctionCode, without_the_function_is_refused) {
    EXPECT_EQ(refusal({"load", compiled(callbacks("float2"), "compute_80"), nullptr}),
              "missing: cuda: the code of the stage function 'load': expected a __device__ function of that name (of "
              "C++, the "
              "mangled one), got code without one");
}

TEST_F(StageFunctionCode, of_another_form_is_refused) {
    EXPECT_EQ(refusal({"load", std::vector<std::byte>(40, std::byte{7}), nullptr}),
              "cuda: the code of the stage function 'load': expected LTO-IR, a fatbin, a cubin or PTX, got 40 bytes of "
              "something else");
}

TEST_F(StageFunctionCode, for_newer_cards_is_refused) {
    const int newest = nvrtc().architectures.back();
    if (newest <= 90) GTEST_SKIP() << "NVRTC knows no newer card";
    EXPECT_EQ(refusal({load_name(), compiled(callbacks("float2"), "compute_" + std::to_string(newest)), nullptr}),
              "cuda: the code of the stage function '_Z4loadPvyS_S_': expected code for sm_90 or older cards, got code "
              "for newer ones");
}

TEST_F(StageFunctionCode, that_is_cut_short_is_an_error_of_one_line) {
    std::vector<std::byte> code = compiled(callbacks("float2"), "compute_80");
    code.resize(code.size() / 2);
    const std::string text = refusal({load_name(), code, nullptr});
    EXPECT_NE(text, "nothing was refused");
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
}

TEST_F(StageFunctionCode, needs_a_linker_of_the_compilers_version) {
    const JitLinker none = runtime::cuda::load_linker({"/nonexistent/libnvJitLink.so.13"}, 13);
    EXPECT_EQ(none.problem, "CUDA's run-time linker nvJitLink was not found");
    EXPECT_EQ(
        none.remedy,
        "install it, for example `pip install nvidia-nvjitlink`, or the CUDA toolkit 13 with CUDA_HOME naming its "
        "folder");
    const JitLinker other = runtime::cuda::load_linker({linker().path}, 11);
    EXPECT_EQ(other.problem, "CUDA's run-time linker nvJitLink was not found: " + linker().path + " is of CUDA " +
                                 std::to_string(nvrtc().version / 1000) + ", and NVRTC of CUDA 11");
    try {
        runtime::cuda::link_functions(none, {}, {}, "sm_90");
        FAIL() << "linked without a linker";
    } catch (const BackendError& error) {
        EXPECT_NE(std::string(error.what()).find("nvJitLink was not found; install it"), std::string::npos)
            << error.what();
    }
}

}  // namespace
}  // namespace seiche::test

// `seiche features`: what the library plans for each kind of device, asked of the library itself; docs/features.md is
// its output.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <optional>

#include "cli/command/commands.hpp"
#include "cli/command/progress.hpp"
#include "cli/inspect/poster_features.hpp"
#include "cli/problem/profiles.hpp"
#include "cli/text/text.hpp"
#include "seiche/convolution.hpp"
#include "seiche/emit.hpp"
#include "seiche/error.hpp"
#include "seiche/inspect.hpp"

namespace seiche::cli {
namespace {

/// What is planned for. Without a dialect the kernels are planned and interpreted, not written as text.
struct Platform {
    std::string title;
    std::optional<Dialect> dialect;
    DeviceLimits limits;
};

std::vector<Platform> platforms() {
    DeviceLimits modest = find_profile("gpu").limits;
    modest.fp64 = modest.fp16_storage = false;
    DeviceLimits embedded = find_profile("gpu").limits;
    embedded.fp64 = embedded.exact_fp64 = false;
    return {{"CUDA, profile h200", Dialect::cuda, find_profile("h200").limits},
            {"HIP, profile mi250", Dialect::hip, find_profile("mi250").limits},
            {"OpenCL on a GPU, profile gpu", Dialect::opencl, find_profile("gpu").limits},
            {"OpenCL on a GPU without double precision and 16-bit storage", Dialect::opencl, modest},
            {"OpenCL on a CPU, profile pocl", Dialect::opencl, find_profile("pocl").limits},
            {"The processor, profile avx512", Dialect::x86, find_profile("avx512").limits},
            {"The processor, profile neon", Dialect::arm64, find_profile("neon").limits},
            {"SPIR-V for Vulkan, profile gpu", Dialect::spirv, find_profile("gpu").limits},
            {"SPIR-V for OpenCL and Level Zero, profile gpu", Dialect::spirv_opencl, find_profile("gpu").limits},
            {"GLSL for OpenGL 4.3, profile gpu", Dialect::glsl, find_profile("gpu").limits},
            {"GLSL for OpenGL ES 3.1, profile gpu without double precision", Dialect::glsl_es, embedded},
            {"The interpreter, device reference", std::nullopt, Device::open("reference").limits()}};
}

/// Reasons, each once, in the order in which cells first give them.
class Notes {
public:
    /// A cell that points to its reason.
    std::string mark(const std::string& word, const std::string& reason) {
        auto found = std::find(reasons_.begin(), reasons_.end(), reason);
        if (found == reasons_.end()) found = reasons_.insert(reasons_.end(), reason);
        return word + " (" + std::to_string(found - reasons_.begin() + 1) + ")";
    }
    std::string text() const {
        std::string text;
        for (std::size_t i = 0; i < reasons_.size(); ++i)
            text += std::to_string(i + 1) + ". `" + one_line(reasons_[i]) + "`\n";
        return text;
    }

private:
    std::vector<std::string> reasons_;
};

void plan_on(const Platform& platform, const Problem& problem) {
    inspect(problem, platform.limits);  // both directions
    if (!platform.dialect) return;
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
        if (problem.kind == (direction == Direction::forward ? Kind::c2r : Kind::r2c)) continue;
        emit_kernels(problem, *platform.dialect, platform.limits, direction);
    }
}

/// "yes", "no" with its reason, or a dash, with that, where the question makes no sense.
std::string cell(Notes& notes, const std::function<void()>& ask) {
    try {
        ask();
        return "yes";
    } catch (const Unsupported& reason) {
        return notes.mark("no", reason.what());
    } catch (const InvalidProblem& reason) {
        return notes.mark("–", reason.what());
    }
}

std::string row(const std::vector<std::string>& cells) {
    std::string text = "|";
    for (const std::string& one : cells) text += " " + one + " |";
    return text + "\n";
}

std::string head(const std::vector<std::string>& titles) {
    std::string text = row(titles) + "|";
    for (std::size_t i = 0; i < titles.size(); ++i) text += "---|";
    return text + "\n";
}

/// A shape of two axes and a length that no small butterflies make, of each kind, precision and storage.
std::string kinds_table(const Platform& platform, Notes& notes) {
    const std::vector<std::string> formats{
        "f32", "f64", "f16", "bf16", "f16-arithmetic", "f64x2", "f64 storage=f32", "f64x2 storage=f64"};
    std::string text = head({"kind", "f32", "f64", "f32 on f16 arrays", "f32 on bf16 arrays", "f16", "f64x2",
                             "f64 on f32 arrays", "f64x2 on f64 arrays"});
    for (int k = 0; k <= static_cast<int>(Kind::ihfft); ++k) {
        const std::string kind = to_string(static_cast<Kind>(k));
        std::vector<std::string> cells{"`" + kind + "`"};
        for (const std::string& format : formats)
            cells.push_back(cell(notes, [&] {
                for (const char* shape : {"12x10", "37"}) {
                    std::string words = shape;
                    words.append(" ").append(kind).append(" ").append(format);
                    plan_on(platform, parse_problem(words));
                }
            }));
        text += row(cells);
    }
    return text;
}

struct Way {
    const char *title, *shape, *words;
    UserStage stage = {};
};

/// Images of this format are of complex arrays; those of real ones are of r32f.
std::string image_words(const std::string& format, const std::string& kind) {
    const bool is_real_in = kind != "c2c" && kind != "c2r", is_real_out = kind != "c2c" && kind != "r2c";
    return "iimage=" + (is_real_in ? "r32f" : format) + " oimage=" + (is_real_out ? "r32f" : format);
}

/// `planar` of an r2c is that of its complex array, of a c2r too.
Problem problem_of(const Way& way, const std::string& kind) {
    std::string words = way.words;
    if (words.rfind("rg", 0) == 0) words = image_words(words, kind);
    if (words == "planar" && kind != "c2c") words = kind == "r2c" ? "oplanar" : kind == "c2r" ? "iplanar" : "planar";
    Problem problem = parse_problem(std::string(way.shape) + " " + kind + " f32 " + words);
    (problem.kind == Kind::c2r ? problem.inverse_load : problem.forward_load) = way.stage;
    return problem;
}

/// Complex under c2c, real under r2c.
std::vector<std::string> convolution_cells(const Platform& platform, Notes& notes) {
    std::vector<std::string> cells{"convolution, 2 channels to 2"};
    for (const bool complex : {true, false}) {
        Convolution convolution;
        convolution.signal = {12, 10};
        convolution.kernel = {3, 3};
        convolution.inputs = convolution.outputs = 2;
        convolution.complex = complex;
        cells.push_back(cell(notes, [&] { inspect(convolution, platform.limits); }));
    }
    cells.resize(6, "–");
    return cells;
}

std::string ways_table(const Platform& platform, Notes& notes) {
    static const Way ways[] = {{"dense", "60", "batch=7"},
                               {"in place", "12x10", "in-place"},
                               {"in place with two layouts", "12x10", "in-place istrides=10,1 ostrides=1,12"},
                               {"any strides, distances, byte offsets", "6x8",
                                "batch=3 istrides=40,3 idist=700 ostrides=5,60 odist=900 ioffset=16 ooffset=32"},
                               {"some of the axes", "6x8x5", "axes=1"},
                               {"planar complex arrays", "60", "planar"},
                               {"arrays in several buffers", "60", "batch=7 parts=400"},
                               {"images of `rg32f`, real ones of `r32f`", "6x10", "rg32f"},
                               {"images of `rgba32f`, real ones of `r32f`", "6x10", "rgba32f"},
                               {"images of `rgba16f`, real ones of `r32f`", "6x10", "rgba16f"},
                               {"scaled", "60", "forward-scale=0.5 inverse-scale=1/n"},
                               {"length 1", "1", ""},
                               {"pruned", "12x10", "signal-zeros=0:6-12,1:1-3 spectrum-zeros=1:4-6"},
                               {"several passes: 2^18", "262144", ""},
                               {"its spectrum in pass order", "262144", "spectrum-order=pass"},
                               {"its input overwritten", "262144", "overwrite-input"},
                               {"a prime: 65537", "65537", ""},
                               {"stages of your own", "60", "", "return value * 2;"},
                               {"compiled functions as stages", "60", "", StageFunction{"load", {std::byte{0}}}}};
    const std::vector<std::string> kinds{"c2c", "r2c", "c2r", "dct2", "dht"};
    std::string text = head({"f32", "`c2c`", "`r2c`", "`c2r`", "`dct2`", "`dht`"});
    for (const Way& way : ways) {
        std::vector<std::string> cells{way.title};
        for (const std::string& kind : kinds)
            cells.push_back(cell(notes, [&] { plan_on(platform, problem_of(way, kind)); }));
        text += row(cells);
    }
    text += row(convolution_cells(platform, notes));
    if (!platform.dialect) return text;
    std::vector<std::string> cells{"the core as a device function"};
    cells.push_back(
        cell(notes, [&] { emit_device_function(parse_problem("60"), *platform.dialect, platform.limits); }));
    cells.resize(kinds.size() + 1, "–");  // there is only one core
    return text + row(cells);
}

/// Where it has run: nothing here can be asked of the library.
constexpr const char* systems =
    "\n## Systems and devices\n\n"
    "*run*: tests compute there, and their results are compared. *compiled*: the library is built for it, or its "
    "compiler takes\nevery kind of kernel, but nothing has computed there. *planned*: neither yet.\n\n"
    "| system | library, tool, `reference` | OpenCL | Vulkan | CUDA, HIP, Level Zero, OpenGL |\n|---|---|---|---|---|\n"
    "| Linux, x86-64 | run | run | run | see below |\n"
    "| Linux, AArch64 | run, under QEMU | compiled | compiled | compiled |\n"
    "| Windows, x86-64 (mingw-w64) | run, under Wine | run, under Wine, on PoCL | compiled | compiled |\n"
    "| macOS | planned | planned | planned, through MoltenVK | – |\n\n"
    "| device, on Linux | CUDA | HIP | Level Zero | OpenCL | Vulkan | OpenGL | `cpu` "
    "|\n|---|---|---|---|---|---|---|---|\n"
    "| NVIDIA | run | run, forwarded to CUDA | – | run | run | run | – |\n"
    "| AMD | – | compiled | – | planned | planned | planned | – |\n"
    "| Intel | – | – | compiled | compiled | planned | planned | – |\n"
    "| Apple | – | – | – | – | planned | – | – |\n"
    "| Qualcomm, Arm, Broadcom | – | – | – | planned | planned | planned | – |\n"
    "| processors, x86-64 | – | – | – | run (PoCL) | run (lavapipe) | run (llvmpipe) | run (SSE4.2, AVX2, AVX-512) |\n"
    "| processors, AArch64 | – | – | – | planned | planned | planned | run, under QEMU (NEON) |\n\n"
    "[Backends](reference/backends/index.md) says of each how far it is tested.\n";

/// The list of the VkFFT poster, each line asked of every platform and with the tests that prove it.
std::string poster_section(const std::vector<Platform>& all, Notes& notes) {
    PosterQuestions questions;
    for (const Platform& platform : all) questions.platforms.push_back(platform.title);
    questions.plan = [&all](std::size_t platform, const PosterLine& line) {
        for (const char* problem : line.problems) plan_on(all[platform], parse_problem(problem));
        for (const char* text : line.convolutions) inspect(parse_convolution(text), all[platform].limits);
    };
    questions.refusal = [&](const std::string& problem) {
        return cell(notes, [&] { plan_on(all.front(), parse_problem(problem)); });
    };
    return "\n## The functionality list of the VkFFT poster\n\nEach line of the list in section 3 of vkfft2022 (one "
           "of [the five texts](study/README.md)), what of it is here with examples that are planned\nand written as "
           "source for the platforms above, and tests that prove it. A test of this page makes sure that they "
           "exist.\n\n" +
           poster_table(questions);
}

std::string page() {
    Notes notes;
    std::string text =
        "# What each backend supports\n\n"
        "The output of `seiche features`, which asks the library; a test holds this page against it. Every cell is a "
        "plan\nand its generated source (of a convolution its kernels), both directions, for the limits of a device "
        "that need not be here. What a "
        "device of\nyours has, `seiche devices` says. A number in brackets is a reason below; – does not apply.\n";
    text += systems;
    const std::vector<Platform> all = platforms();
    for (const Platform& platform : all)
        text += "\n## " + platform.title + "\n\n" + kinds_table(platform, notes) + "\n" + ways_table(platform, notes);
    text += poster_section(all, notes);
    const std::string reasons = notes.text();
    return reasons.empty() ? text : text + "\n## Reasons\n\n" + reasons;
}

}  // namespace

void add_features(Command& app) {
    Command command = app.add_subcommand("features", "Print what each backend supports, as in docs/features.md");
    command.footer("Nothing is compiled or run; no device is needed.");
    command.callback([] { print(page()); });
}

}  // namespace seiche::cli

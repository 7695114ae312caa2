// The functionality list of the VkFFT poster (vkfft2022, section 3), line by line, as `seiche features` prints it.
#include "cli/inspect/poster_features.hpp"

#include "seiche/error.hpp"

namespace seiche::cli {
namespace {

constexpr const char *accuracy = "tests/accuracy/accuracy_test.cpp", *kinds = "tests/accuracy/kinds_test.cpp",
                     *convolutions = "tests/accuracy/convolution_test.cpp",
                     *schedules = "tests/unit/planner/schedule_test.cpp",
                     *indices = "tests/unit/kernels/index_test.cpp";

/// "all", or those that cannot.
std::string where(const PosterQuestions& questions, const PosterLine& line) {
    if (line.problems.empty() && line.convolutions.empty()) return "–";
    std::string without;
    for (std::size_t i = 0; i < questions.platforms.size(); ++i) {
        try {
            questions.plan(i, line);
        } catch (const Unsupported&) {
            without += (without.empty() ? "" : "; ") + questions.platforms[i];
        }
    }
    return without.empty() ? "all" : "all but: " + without;
}

std::string quoted(const std::vector<const char*>& texts) {
    std::string all;
    for (const char* text : texts) all += std::string(all.empty() ? "" : ", ") + "`" + text + "`";
    return all;
}

std::string examples(const PosterQuestions& questions, const PosterLine& line) {
    std::string text = line.here;
    const auto add = [&text](const std::string& more) {
        if (!more.empty()) text += (text.empty() ? "" : "; ") + more;
    };
    add(quoted(line.problems));
    add(quoted(line.convolutions));
    for (const char* problem : line.refused) add(questions.refusal(problem) + " `" + problem + "`");
    return text;
}

std::string proofs(const PosterLine& line) {
    std::string text;
    for (const Proof& proof : line.proofs)
        text += std::string(text.empty() ? "" : ", ") + "[`" + proof.test + "`](../" + proof.file + ")";
    return text;
}

}  // namespace

const std::vector<PosterLine>& poster_lines() {
    static const std::vector<PosterLine> lines = {
        {"1D/2D/3D systems, forward and inverse directions of FFT",
         "any count of axes",
         {"60", "12x10", "6x5x4", "3x2x5x4"},
         {},
         {},
         {{"Accuracy.Layouts", accuracy}, {"Schedules.LayoutsAndAxes", schedules}}},
        {"Support for big FFT dimension sizes: (2^32, 2^32, 2^32)",
         "an axis of 2^32 points; several, where no axis has more than 2^31 lines along it",
         {"4294967296", "65536x65536", "2048x2048x1024"},
         {},
         {"4294967296x2"},
         {{"FourStepTwiddle.HasExponentsBeyond32Bits", indices},
          {"Address.ReachesBeyond32Bits", indices},
          {"Chirp.HasIndicesBeyond32Bits", indices}}},
        {"Radix-2/3/4/5/7/8/11/13 FFTs and composite radix kernels",
         "",
         {"30030", "4096", "3600", "1001"},
         {},
         {},
         {{"Butterfly.EqualsTheSumF32", "tests/unit/kernels/butterfly_test.cpp"},
          {"Butterfly.EqualsTheSumF64", "tests/unit/kernels/butterfly_test.cpp"},
          {"Schedules.EveryShortLength", schedules}}},
        {"New: Rader's and Bluestein's FFT algorithms for all other sequences",
         "",
         {"1021", "719", "65537"},
         {},
         {},
         {{"Schedules.EveryPrimeTo100ByEachAlgorithm", schedules},
          {"Schedules.ForcedBluestein", schedules},
          {"Accuracy.Lengths", accuracy}}},
        {"Single, double and half-precision support",
         "",
         {"60", "60 f64", "60 f16"},
         {},
         {},
         {{"Accuracy.Lengths", accuracy},
          {"Accuracy.Memories", accuracy},
          {"Halves.Lengths", "tests/accuracy/half_test.cpp"}}},
        {"Complex to complex (C2C), real to complex (R2C), complex to real (C2R) transformations",
         "",
         {"12x10", "12x10 r2c", "12x10 c2r"},
         {},
         {},
         {{"Accuracy.Lengths", accuracy}, {"Kinds.HalvedLengths", kinds}, {"Kinds.HalvedLayouts", kinds}}},
        {"New: real to real (R2R) Discrete Cosine Transformations of types I, II, III and IV",
         "sines and Hartley's too",
         {"12x10 dct1", "12x10 dct2", "12x10 dct3", "12x10 dct4"},
         {},
         {},
         {{"Kinds.TrigonometricLengths", kinds}, {"Kinds.RealToRealLayouts", kinds}}},
        {"Convolutions and cross-correlations",
         "",
         {},
         {"12x10 * 3x3", "12x10 * 3x3 correlate", "100000 * 101"},
         {},
         {{"Convolutions.ModesOfShortSignals", convolutions},
          {"Convolutions.LongAndManyAxes", convolutions},
          {"Convolutions.KernelsInFrequency", convolutions}}},
        {"Native zero padding to model open systems",
         "blocks of zeros anywhere, of either side",
         {"12x10 signal-zeros=0:6-12,1:5-10", "6x8x10 signal-zeros=0:3-6,1:4-8,2:5-10"},
         {},
         {},
         {{"Verify.PrunedProblems", "tests/unit/bench/verify_test.cpp"},
          {"Pruning.HalfZeroPlanesMoveNineSixteenthsOfTheBytes", "tests/unit/exec/pruning_test.cpp"},
          {"Pruning.HalfZeroCubesMoveSevenSixteenthsOfTheBytes", "tests/unit/exec/pruning_test.cpp"}}},
        {"Works on Nvidia, AMD, Intel, Apple and mobile GPUs. And Raspberry Pi GPU",
         "run on NVIDIA's; for AMD's and Intel's compiled, not run; others not tried: see the second table of this "
         "page",
         {},
         {},
         {},
         {{"Accuracy.Lengths", accuracy},
          {"HipPlans.compile_with_hiprtc", "tests/unit/emit/hip_compile_test.cpp"},
          {"LevelZeroDriver.compiles_and_launches_plans", "tests/unit/runtime/level_zero_driver_test.cpp"}}},
        {"Works on Windows, Linux and macOS",
         "run on Linux and, under Wine, as a program of Windows; macOS not tried: see the first table of this page",
         {},
         {},
         {},
         {{"Windows.test_names_of_files_are_unicode", "tests/cli/test_windows.py"},
          {"Check.test_processes_give_the_same", "tests/cli/test_check.py"}}},
        {"VkFFT supports Vulkan, CUDA, HIP, OpenCL and Level Zero as backends",
         "and OpenGL; HIP and Level Zero have not run on their own vendors' cards",
         {"60"},
         {},
         {},
         {{"Registry.offers_every_backend_once_and_gives_reasons_for_the_absent",
           "tests/unit/runtime/registry_test.cpp"},
          {"Accuracy.Lengths", accuracy}}},
    };
    return lines;
}

std::string poster_table(const PosterQuestions& questions) {
    std::string text = "| vkfft2022 | here | planned for | proved by |\n|---|---|---|---|\n";
    for (const PosterLine& line : poster_lines())
        text += std::string("| ") + line.line + " | " + examples(questions, line) + " | " + where(questions, line) +
                " | " + proofs(line) + " |\n";
    return text;
}

}  // namespace seiche::cli

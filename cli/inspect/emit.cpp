// `seiche emit`: the generated source of a problem's kernels, or of its core as a device function.
#include "seiche/emit.hpp"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>
#include <vector>

#include "cli/command/commands.hpp"
#include "cli/command/report.hpp"
#include "cli/inspect/emit_json.hpp"
#include "cli/io/output_file.hpp"
#include "cli/problem/profiles.hpp"
#include "cli/problem/stage_options.hpp"
#include "cli/problem/tuning_options.hpp"
#include "cli/system/system.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/words.hpp"

namespace seiche::cli {
namespace {

struct EmitCommand {
    std::string problem, dialect, output, description;
    LimitsOptions limits;
    StageOptions stages;
    Tuning tuning;
    bool inverse = false, device_function = false;
};

/// Whether it is a processor of the dialect's kind, if it is one.
bool speaks(const DeviceInfo& device, Dialect dialect) {
    const bool is_arm = device.limits.architecture == "aarch64-neon";
    return device.backend != Backend::cpu || is_arm == (dialect == Dialect::arm64);
}

/// The default device where it speaks the dialect itself, else a profile that does.
LimitsChoice limits_for(const EmitCommand& command, Dialect dialect) {
    if (command.limits.any()) return choose_limits(command.limits);
    const Backend wanted = dialect == Dialect::cuda || dialect == Dialect::ptx       ? Backend::cuda
                           : dialect == Dialect::hip                                 ? Backend::hip
                           : dialect == Dialect::opencl                              ? Backend::opencl
                           : dialect == Dialect::spirv                               ? Backend::vulkan
                           : dialect == Dialect::glsl || dialect == Dialect::glsl_es ? Backend::opengl
                           : dialect == Dialect::x86 || dialect == Dialect::arm64    ? Backend::cpu
                                                                                     : Backend::level_zero;
    for (const DeviceInfo& device : devices())
        if (device.available && device.backend == wanted && speaks(device, dialect)) {
            note("for " + device.name + " (" + device.description + ")");
            return {device.name, device.limits};
        }
    const std::string name = wanted == Backend::cuda   ? "h200"
                             : dialect == Dialect::hip ? "mi250"
                             : dialect == Dialect::x86 ? "avx512"
                             : wanted == Backend::cpu  ? "neon"
                                                       : "gpu";
    const Profile& profile = find_profile(name);
    note("for profile " + profile.name + " (" + profile.description + "), as no such device is here");
    return {profile.name, profile.limits};
}

Dialect parse_dialect(const std::string& name) {
    for (const Dialect dialect : {Dialect::cuda, Dialect::hip, Dialect::opencl, Dialect::spirv, Dialect::glsl,
                                  Dialect::glsl_es, Dialect::ptx, Dialect::x86, Dialect::arm64})
        if (name == to_string(dialect)) return dialect;
    return Dialect::spirv_opencl;
}

/// "2 of 3: name, 128 groups of 64, 4096 bytes of shared memory".
std::string title(const std::vector<EmittedKernel>& kernels, std::size_t index) {
    const EmittedKernel& kernel = kernels[index];
    return std::to_string(index + 1) + " of " + std::to_string(kernels.size()) + ": " + kernel.name + ", " +
           counted(kernel.groups, "group") + " of " + std::to_string(kernel.group_size) + ", " +
           std::to_string(kernel.shared_bytes) + " bytes of shared memory" +
           (kernel.groups_per_cluster > 1 ? ", clusters of " + std::to_string(kernel.groups_per_cluster) : "");
}

/// Where the language's version must come first, the title comes behind it.
std::string titled(const std::string& heading, const std::string& source) {
    const std::size_t place = source.rfind("#version", 0) == 0 ? source.find('\n') + 1 : 0;
    return source.substr(0, place) + heading + source.substr(place);
}

/// The line that ends at `end`, and those behind it up to a brace of its own where it opens one.
std::size_t end_of_definition(const std::string& source, std::size_t end) {
    const char last = source[end - 1];
    if (last == '}' || last == ';') return end + 1;
    const std::size_t brace = source.find("\n}", end);
    return brace == std::string::npos ? source.size() : source.find('\n', brace + 1) + 1;
}

/// Of a kernel in one file with others: types and functions above the first empty line that they have already, left
/// out.
std::string without_known(const std::string& source, std::set<std::string>& known) {
    const std::size_t head = source.find("\n\n") + 1;
    std::string text;
    for (std::size_t begin = 0, next = 0; begin < head; begin = next) {
        next = source.find('\n', begin) + 1;
        const bool is_definition = source[begin] != '/' && source[begin] != '#';
        if (is_definition) next = end_of_definition(source, next - 1);
        const std::string part = source.substr(begin, next - begin);
        if (!is_definition || known.insert(part).second) text += part;
    }
    return text + source.substr(head);
}

std::string joined(const std::vector<EmittedKernel>& kernels, bool is_one_program) {
    std::string text;
    std::set<std::string> known;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        if (i != 0) text += '\n';
        const std::string source = is_one_program ? without_known(kernels[i].source, known) : kernels[i].source;
        text += titled("// Kernel " + title(kernels, i) + "\n", source);
        if (text.back() != '\n') text += '\n';
    }
    return text;
}

void write_text(const std::string& path, const std::string& text) {
    if (path.empty()) {
        print(text);
        return;
    }
    io::OutputFile file(path);
    file.write(text);
    file.commit();
}

/// What is binary has a file of its own, and so has a GLSL shader or a module of PTX; other text is in one.
bool has_file_each(Dialect dialect) {
    return !is_text(dialect) || dialect == Dialect::glsl || dialect == Dialect::glsl_es || dialect == Dialect::ptx;
}

/// Where each kernel goes: to the file as named, or to name-1.spv, name-2.spv ... where there are several; none where
/// they go to standard output.
std::vector<std::filesystem::path> paths(const EmitCommand& command, Dialect dialect, std::size_t kernels) {
    if (command.output.empty()) return {};
    std::vector<std::filesystem::path> list(kernels, path_of(command.output));
    for (std::size_t i = 0; i < kernels && kernels > 1 && has_file_each(dialect); ++i) {
        const std::string stem = list[i].stem().string(), extension = list[i].extension().string();
        list[i].replace_filename(path_of(stem + "-" + std::to_string(i + 1) + extension));
    }
    return list;
}

void write_modules(const std::vector<std::filesystem::path>& places, const std::vector<EmittedKernel>& kernels) {
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        io::OutputFile file(places[i].string());
        if (kernels[i].words.empty())
            file.write(kernels[i].source);
        else
            file.write(kernels[i].words.data(), kernels[i].words.size() * sizeof(std::uint32_t));
        file.commit();
        note(places[i].string() + ": kernel " + title(kernels, i));
    }
}

void run(EmitCommand command) {
    if (command.output == "-") command.output.clear();
    Problem problem = parse_problem(command.problem);
    const Direction direction = command.inverse ? Direction::inverse : default_direction(problem);
    declare_stages(command.stages, direction, problem);
    const Dialect dialect = parse_dialect(command.dialect);
    if (!is_text(dialect) && command.output.empty())
        throw UsageError("--dialect " + command.dialect + ": the kernels are binary, expected --output FILE");
    const LimitsChoice choice = limits_for(command, dialect);
    if (command.device_function && !command.description.empty())
        throw UsageError("--json: a device function is not launched, expected no --device-function");
    if (command.device_function)
        return write_text(command.output,
                          emit_device_function(problem, dialect, choice.limits, direction, command.tuning).source);
    const auto kernels = emit_kernels(problem, dialect, choice.limits, direction, command.tuning);
    if (kernels.empty())
        throw UsageError("there is no inverse transform of '" + command.problem + "': expected no --inverse");
    const auto places = paths(command, dialect, kernels.size());
    if (has_file_each(dialect) && !places.empty())
        write_modules(places, kernels);
    else
        write_text(command.output, joined(kernels, !has_file_each(dialect)));
    if (command.description.empty()) return;
    std::vector<std::string> files;
    for (const auto& place : places) files.push_back(place.filename().string());
    write_text(command.description, kernels_as_json(problem, dialect, direction, kernels, files));
}

}  // namespace

void add_emit(Command& app) {
    Command command = app.add_subcommand("emit", "Print the generated source of a problem's kernels");
    auto options = std::make_shared<EmitCommand>();
    command.add_option("PROBLEM", options->problem, "A transform, e.g. \"4096 c2c f32 batch=1000\"")
        .value("PROBLEM")
        .required();
    command
        .add_option("--dialect", options->dialect,
                    "The language: cuda, ptx (CUDA driver), hip, opencl, spirv (Vulkan), spirv-opencl (OpenCL and "
                    "Level Zero), glsl (OpenGL 4.3), glsl-es (OpenGL ES 3.1), x86 or arm64 (machine code)")
        .value("DIALECT")
        .required()
        .one_of({"cuda", "ptx", "hip", "opencl", "spirv", "spirv-opencl", "glsl", "glsl-es", "x86", "arm64"});
    command.add_flag("--inverse", options->inverse, "Print the kernels of the inverse transform");
    command.add_flag("--device-function", options->device_function,
                     "Print the core alone, as a function for your own kernel; PROBLEM is a length and a precision: "
                     "\"1024 f32\"");
    add_limits_options(command, options->limits, "Use the limits of this device");
    add_stage_options(command, options->stages, false);
    add_tuning_options(command, options->tuning);
    command
        .add_option("-o,--output", options->output,
                    "Write to this file instead of standard output (-). Several kernels of SPIR-V, GLSL, PTX or "
                    "machine code go to FILE-1, FILE-2 and so on")
        .value("FILE");
    command
        .add_option("--json", options->description,
                    "Write to this file what a program needs to launch the kernels without Seiche: files, groups, "
                    "buffers, tables, numbers and features; not with --device-function")
        .value("FILE");
    command.footer(
        "Without a device or profile, the limits are those of the first device that runs the dialect, else of h200 "
        "(cuda, ptx), mi250 (hip), avx512 (x86), neon (arm64) or gpu (the others).\n\n"
        "You may use the generated source without attribution.");
    command.callback(of_problems([options] { run(*options); }));
}

}  // namespace seiche::cli

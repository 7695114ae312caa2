// The options of user stages: texts from the command line or a file, buffers from .npy files.
#include "cli/problem/stage_options.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <complex>
#include <utility>

#include "cli/io/npy.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli {
namespace {

constexpr std::uint64_t longest_text = 65536;
constexpr const char* stage_group = "Stages: your own code on every load and store (docs/reference/stages.md)";

std::string text_of(const std::string& option) {
    if (option.empty() || option[0] != '@') return option;
    io::InputFile file(option.substr(1));
    if (file.bytes() > longest_text)
        file.refuse("expected a text of at most 65536 bytes, got " + std::to_string(file.bytes()));
    std::string text(file.bytes(), '\0');
    file.read(text.data(), text.size(), "the text");
    return text;
}

/// The names in a text, comments left out.
std::vector<std::string> names(const std::string& text) {
    std::vector<std::string> result;
    for (std::size_t at = 0; at < text.size();) {
        const std::string two = text.substr(at, 2);
        if (two == "//" || two == "/*") {
            const std::size_t end = text.find(two == "//" ? "\n" : "*/", at + 2);
            at = end == std::string::npos ? text.size() : end + 1;
        } else if (std::isalpha(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_') {
            std::size_t end = at;
            while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
                ++end;
            result.push_back(text.substr(at, end - at));
            at = end;
        } else {
            ++at;
        }
    }
    return result;
}

bool mentions(const UserStage& stage, const std::string& name) {
    const std::vector<std::string> all = names(stage.text);
    return std::find(all.begin(), all.end(), name) != all.end();
}

std::pair<std::string, std::string> split_once(const std::string& option, char separator, const std::string& form) {
    const std::size_t at = option.find(separator);
    if (at == std::string::npos || at == 0 || at + 1 == option.size())
        throw UsageError("expected " + form + ", got '" + option + "'");
    return {option.substr(0, at), option.substr(at + 1)};
}

StageType type_named(const std::string& name, const std::string& option) {
    for (const StageType type : {StageType::f16, StageType::f32, StageType::f64, StageType::i8, StageType::u8,
                                 StageType::i16, StageType::u16, StageType::i32, StageType::u32})
        if (name == to_string(type)) return type;
    throw UsageError("expected a type such as f32 or u8, got '" + name + "' in '" + option + "'");
}

StageType type_of(io::ElementType type, const std::string& path) {
    switch (type) {
        case io::ElementType::float16:  // read as float, which holds halves exactly
        case io::ElementType::float32: return StageType::f32;
        case io::ElementType::float64: return StageType::f64;
        case io::ElementType::int8: return StageType::i8;
        case io::ElementType::uint8:
        case io::ElementType::boolean: return StageType::u8;
        case io::ElementType::int16: return StageType::i16;
        case io::ElementType::uint16: return StageType::u16;
        case io::ElementType::int32: return StageType::i32;
        case io::ElementType::uint32: return StageType::u32;
        default:
            throw Failure("'" + path + "': expected real numbers of at most 64 bits or integers of at most 32, got " +
                          io::to_string(type));
    }
}

/// The stages that the options speak of.
struct Stages {
    UserStage& load;
    UserStage& store;
    UserStage* middle = nullptr;  ///< Of an operator.

    template <class Symbol>
    void declare(std::vector<Symbol> UserStage::*list, const Symbol& symbol, const std::string& option) const {
        bool is_mentioned = false;
        for (UserStage* stage : {&load, &store, middle}) {
            if (stage == nullptr || !mentions(*stage, symbol.name)) continue;
            (stage->*list).push_back(symbol);
            is_mentioned = true;
        }
        if (!is_mentioned)
            throw UsageError("expected a stage that mentions '" + symbol.name + "', got none for '" + option + "'");
    }
};

Stages stages_of(const StageOptions& options, Direction direction, Problem& problem) {
    if (!options.middle.empty())
        throw UsageError("--middle-stage: expected a spectral operator such as \"256x256 real f32\", got " +
                         to_string(problem));
    const bool forward = direction == Direction::forward;
    Stages stages{forward ? problem.forward_load : problem.inverse_load,
                  forward ? problem.forward_store : problem.inverse_store};
    stages.load.text = text_of(options.load);
    stages.store.text = text_of(options.store);
    return stages;
}

template <class T>
std::vector<std::byte> real_bytes(io::NpyFile& file) {
    std::vector<std::byte> bytes;
    for (const std::complex<T>& value : file.read<T>()) {
        const T part = value.real();
        const auto* from = reinterpret_cast<const std::byte*>(&part);
        bytes.insert(bytes.end(), from, from + sizeof part);
    }
    return bytes;
}

std::vector<std::byte> integer_bytes(io::NpyFile& file, std::uint64_t width) {
    std::vector<std::byte> bytes;
    for (const std::int64_t value : file.read_integers())  // the low bytes, whatever the sign
        for (std::uint64_t k = 0; k < width; ++k)
            bytes.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(value) >> (8 * k)));
    return bytes;
}

}  // namespace

void add_stage_options(Command& command, StageOptions& options, bool with_values) {
    const char* const group = stage_group;
    command.add_option("--load-stage", options.load, "Code for each point before the transform: its text, or @FILE")
        .value("CODE")
        .group(group);
    command.add_option("--store-stage", options.store, "Code for each result of the transform: its text, or @FILE")
        .value("CODE")
        .group(group);
    add_stage_arguments(command, options, with_values);
}

void add_stage_arguments(Command& command, StageOptions& options, bool with_values) {
    const char* const group = stage_group;
    command
        .add_option("--stage-buffer", options.buffers,
                    with_values ? "A buffer that a stage reads, in the order of the file"
                                : "A buffer that a stage reads, e.g. window=f32:1024")
        .value(with_values ? "NAME=FILE.npy" : "NAME=TYPE:COUNT")
        .group(group)
        .allow_extra_args(false);
    command
        .add_option("--stage-scalar", options.scalars,
                    with_values ? "A number that a stage reads" : "A number that a stage reads: f32, f64, i32 or u32")
        .value(with_values ? "NAME=NUMBER" : "NAME=TYPE")
        .group(group)
        .allow_extra_args(false);
}

Direction default_direction(const Problem& problem) {
    return problem.kind == Kind::c2r || problem.kind == Kind::ihfft ? Direction::inverse : Direction::forward;
}

namespace {

void declare(const StageOptions& options, const Stages& stages) {
    for (const std::string& option : options.buffers) {
        const auto [name, rest] = split_once(option, '=', "NAME=TYPE:COUNT");
        const auto [type, count] = split_once(rest, ':', "NAME=TYPE:COUNT");
        const std::int64_t number = parse_integer(count, "the count in '" + option + "'");
        if (number < 1) throw UsageError("expected a count of at least 1, got '" + count + "' in '" + option + "'");
        stages.declare(&UserStage::buffers, {name, type_named(type, option), static_cast<std::uint64_t>(number)},
                       option);
    }
    for (const std::string& option : options.scalars) {
        const auto [name, type] = split_once(option, '=', "NAME=TYPE");
        stages.declare(&UserStage::scalars, {name, type_named(type, option)}, option);
    }
}

}  // namespace

void declare_stages(const StageOptions& options, Direction direction, Problem& problem) {
    declare(options, stages_of(options, direction, problem));
}

void add_middle_stage_option(Command& command, StageOptions& options) {
    command
        .add_option("--middle-stage", options.middle,
                    "Code for each bin between the transforms of a spectral operator: its text, or @FILE")
        .value("CODE")
        .group(stage_group);
}

ShortTimeProblem short_time_problem(const std::string& text, const StageOptions& options) {
    if (options.any()) throw UsageError("a short-time transform: expected no stages, which transforms have");
    return parse_short_time(text);
}

SpectralProblem spectral_problem(const std::string& text, const StageOptions& options) {
    SpectralProblem problem = parse_spectral(text);
    problem.load.text = text_of(options.load);
    problem.middle.text = text_of(options.middle);
    problem.store.text = text_of(options.store);
    declare(options, {problem.load, problem.store, &problem.middle});
    return problem;
}

StageArguments load_stages(const StageOptions& options, const Device& device, Direction direction, Problem& problem) {
    const Stages stages = stages_of(options, direction, problem);
    // A buffer that is stored to has no file to go to.
    if (mentions(stages.store, "store"))
        throw UsageError("--store-stage: expected a stage that returns its result, got one with 'store'");
    StageArguments arguments;
    Queue queue = device.create_queue();
    for (const std::string& option : options.buffers) {
        const auto [name, path] = split_once(option, '=', "NAME=FILE.npy");
        io::NpyFile file(path);
        const StageType type = type_of(file.header().type, path);
        const std::uint64_t count = io::element_count(file.header().shape);
        stages.declare(&UserStage::buffers, {name, type, count}, option);
        if (count == 0) throw Failure("'" + path + "': expected at least one element, got none");
        const std::vector<std::byte> bytes = io::is_integer(file.header().type) ? integer_bytes(file, bytes_of(type))
                                             : type == StageType::f64           ? real_bytes<double>(file)
                                                                                : real_bytes<float>(file);
        const Buffer memory = device.allocate(bytes.size());
        queue.upload(memory, bytes.data(), bytes.size());
        arguments.buffers.push_back({name, memory});
    }
    const bool is_wide = problem.precision != Precision::f32 && problem.precision != Precision::f16;
    const StageType real = is_wide ? StageType::f64 : StageType::f32;
    for (const std::string& option : options.scalars) {
        const auto [name, value] = split_once(option, '=', "NAME=NUMBER");
        double number = 0;
        const auto read = std::from_chars(value.data(), value.data() + value.size(), number);
        if (read.ec != std::errc{} || read.ptr != value.data() + value.size())
            throw UsageError("expected a number, got '" + value + "' in '" + option + "'");
        const bool is_whole = value.find_first_not_of("-0123456789") == std::string::npos && std::abs(number) < 0x1p31;
        stages.declare(&UserStage::scalars, {name, is_whole ? StageType::i32 : real}, option);
        arguments.scalars.push_back({name, number});
    }
    return arguments;
}

}  // namespace seiche::cli

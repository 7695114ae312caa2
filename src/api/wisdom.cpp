// Wisdom as text, and what is found in it.
#include "seiche/wisdom.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string_view>

#include "api/guard.hpp"
#include "exec/inspect.hpp"
#include "problem/bounds.hpp"
#include "seiche/error.hpp"
#include "seiche/version.hpp"
#include "support/text_lines.hpp"

namespace seiche {

namespace {

constexpr std::string_view first_line = "Seiche wisdom 1", device_word = "device ", version_word = "version ";
constexpr std::string_view separator = support::column_separator, untuned_word = ", untuned ", unit = " ms";
constexpr std::string_view form = "PROBLEM | TUNING | TIME ms, untuned TIME ms";

template <class Number>
std::string joined(const std::vector<Number>& numbers) {
    std::string text;
    for (const Number number : numbers) text += (text.empty() ? "" : "x") + std::to_string(number);
    return text;
}

template <class Number>
Number number_of(std::string_view text, std::string_view word) {
    const std::optional<std::uint64_t> number = support::parse_unsigned(text);
    if (!number || *number > std::numeric_limits<Number>::max())
        throw InvalidProblem("tuning: " + std::string(word) + ": expected a whole number, got '" + std::string(text) +
                             "'");
    return static_cast<Number>(*number);
}

template <class Number>
std::vector<Number> numbers_of(std::string_view text, std::string_view word) {
    std::vector<Number> numbers;
    for (const std::string_view part : support::split(text, 'x')) numbers.push_back(number_of<Number>(part, word));
    return numbers;
}

constexpr std::pair<std::string_view, Algorithm> algorithms[] = {
    {"direct", Algorithm::direct}, {"rader", Algorithm::rader}, {"bluestein", Algorithm::bluestein}};

constexpr std::pair<std::string_view, TwiddleMethod> twiddle_methods[] = {{"table", TwiddleMethod::table},
                                                                          {"on-the-fly", TwiddleMethod::on_the_fly},
                                                                          {"native", TwiddleMethod::native},
                                                                          {"recurrence", TwiddleMethod::recurrence}};

TwiddleMethod twiddles_of(std::string_view text) {
    for (const auto& [name, method] : twiddle_methods)
        if (name == text) return method;
    throw InvalidProblem("tuning: twiddles: expected table, on-the-fly, native or recurrence, got '" +
                         std::string(text) + "'");
}

Algorithm algorithm_of(std::string_view text) {
    for (const auto& [name, algorithm] : algorithms)
        if (name == text) return algorithm;
    throw InvalidProblem("tuning: algorithm: expected direct, rader or bluestein, got '" + std::string(text) + "'");
}

bool flag_of(std::string_view text, std::string_view name) {
    if (text == "yes") return true;
    throw InvalidProblem("tuning: " + std::string(name) + ": expected yes, or no such word, got '" + std::string(text) +
                         "'");
}

void set_word(Tuning& tuning, std::string_view name, std::string_view value) {
    if (name == "radices")
        tuning.radices = numbers_of<std::uint32_t>(value, name);
    else if (name == "passes")
        tuning.passes = numbers_of<std::uint64_t>(value, name);
    else if (name == "algorithm")
        tuning.algorithm = algorithm_of(value);
    else if (name == "padded-length")
        tuning.padded_length = number_of<std::uint64_t>(value, name);
    else if (name == "threads")
        tuning.threads_per_transform = number_of<std::uint32_t>(value, name);
    else if (name == "transforms-per-group")
        tuning.transforms_per_group = number_of<std::uint32_t>(value, name);
    else if (name == "groups-per-cluster")
        tuning.groups_per_cluster = number_of<std::uint32_t>(value, name);
    else if (name == "separate-passes")
        tuning.separate_passes = flag_of(value, name);
    else if (name == "trailing-passes")
        tuning.trailing_passes = flag_of(value, name);
    else if (name == "vector-lanes")
        tuning.vector_lanes = number_of<std::uint32_t>(value, name);
    else if (name == "buffer-bytes")
        tuning.buffer_bytes = number_of<std::uint64_t>(value, name);
    else if (name == "recipe")
        tuning.recipe = value;
    else if (name == "twiddles")
        tuning.twiddles = twiddles_of(value);
    else
        throw InvalidProblem("tuning: expected a word such as passes=256x256, got '" + std::string(name) + "'");
}

std::string text_of(double milliseconds) {
    std::ostringstream text;
    text.imbue(std::locale::classic());
    text << milliseconds;
    return text.str();
}

std::string shown(const WisdomEntry& entry) {
    const std::string tuning = to_string(entry.tuning);
    return entry.problem + std::string(separator) + (tuning.empty() ? "untuned" : tuning) + std::string(separator) +
           text_of(entry.milliseconds) + std::string(unit) + std::string(untuned_word) +
           text_of(entry.untuned_milliseconds) + std::string(unit);
}

bool same_key(const WisdomEntry& a, const WisdomEntry& b) {
    return a.device == b.device && a.version == b.version && a.problem == b.problem;
}

double milliseconds_of(std::string_view text, const support::TextLines& lines, std::string_view line) {
    const bool has_unit = text.ends_with(unit);
    const std::optional<double> value =
        has_unit ? support::parse_double(text.substr(0, text.size() - unit.size())) : std::nullopt;
    lines.expect(value && std::isfinite(*value) && *value >= 0, std::string(form), line);
    return *value;
}

/// A line of a problem; `known` has the device and the version.
WisdomEntry entry_of(std::string_view line, const support::TextLines& lines, const WisdomEntry& known) {
    lines.expect(!known.device.empty() && !known.version.empty(), "a device and a version before the first problem",
                 line);
    const support::Columns parts = support::columns(line);
    const std::size_t untuned = parts.texts[2].find(untuned_word);
    lines.expect(parts.count == 3 && untuned != std::string_view::npos, std::string(form), line);
    WisdomEntry entry = known;
    try {
        entry.problem = to_string(parse_problem(std::string(parts.texts[0])));
        entry.tuning = parts.texts[1] == "untuned" ? Tuning() : parse_tuning(std::string(parts.texts[1]));
    } catch (const InvalidProblem& error) {
        lines.refuse(std::string("a problem and a tuning that are known (") + error.what() + ")", line);
    }
    entry.milliseconds = milliseconds_of(parts.texts[2].substr(0, untuned), lines, line);
    entry.untuned_milliseconds = milliseconds_of(parts.texts[2].substr(untuned + untuned_word.size()), lines, line);
    return entry;
}

}  // namespace

std::string to_string(const Tuning& tuning) {
    std::string text;
    const auto add = [&](const char* name, const std::string& value) {
        text += (text.empty() ? "" : " ") + std::string(name) + "=" + value;
    };
    if (!tuning.radices.empty()) add("radices", joined(tuning.radices));
    if (!tuning.passes.empty()) add("passes", joined(tuning.passes));
    for (const auto& [name, algorithm] : algorithms)
        if (tuning.algorithm == algorithm) add("algorithm", std::string(name));
    if (tuning.padded_length) add("padded-length", std::to_string(tuning.padded_length));
    if (tuning.threads_per_transform) add("threads", std::to_string(tuning.threads_per_transform));
    if (tuning.transforms_per_group) add("transforms-per-group", std::to_string(tuning.transforms_per_group));
    if (tuning.groups_per_cluster) add("groups-per-cluster", std::to_string(tuning.groups_per_cluster));
    if (tuning.separate_passes) add("separate-passes", "yes");
    if (tuning.trailing_passes) add("trailing-passes", "yes");
    if (tuning.vector_lanes) add("vector-lanes", std::to_string(tuning.vector_lanes));
    if (tuning.buffer_bytes) add("buffer-bytes", std::to_string(tuning.buffer_bytes));
    if (!tuning.recipe.empty()) add("recipe", tuning.recipe);
    for (const auto& [name, method] : twiddle_methods)
        if (tuning.twiddles == method) add("twiddles", std::string(name));
    return text;
}

Tuning parse_tuning(const std::string& text) {
    Tuning tuning;
    for (const std::string_view word : support::words(text)) {
        const support::Field field = support::field_of(word);
        set_word(tuning, field.name, field.value);
    }
    problem::check_tuning(tuning);
    return tuning;
}

std::vector<Tuning> candidate_tunings(const Problem& problem, const DeviceLimits& limits) {
    return api::guarded("planning", [&] { return exec::candidates(problem, limits); });
}

Wisdom Wisdom::parse(const std::string& text) {
    support::TextLines lines(text, "wisdom", first_line);
    Wisdom wisdom;
    WisdomEntry known;
    while (const std::optional<std::string_view> line = lines.next()) {
        if (line->starts_with(device_word))
            known.device = line->substr(device_word.size());
        else if (line->starts_with(version_word))
            known.version = line->substr(version_word.size());
        else
            wisdom.set(entry_of(*line, lines, known));
    }
    return wisdom;
}

std::string Wisdom::text() const {
    std::vector<WisdomEntry> sorted = entries_;
    std::stable_sort(sorted.begin(), sorted.end(), [](const WisdomEntry& a, const WisdomEntry& b) {
        return std::pair(a.device, a.version) < std::pair(b.device, b.version);
    });
    std::string text(first_line);
    text += "\n# " + std::string(form) + ": of one execution, measured by seiche tune\n";
    const WisdomEntry* before = nullptr;
    for (const WisdomEntry& entry : sorted) {
        const bool is_new = !before || before->device != entry.device || before->version != entry.version;
        if (is_new)
            text += "\n" + std::string(device_word) + entry.device + "\n" + std::string(version_word) + entry.version +
                    "\n";
        text += shown(entry) + "\n";
        before = &entry;
    }
    return text;
}

void Wisdom::set(const WisdomEntry& entry) {
    for (WisdomEntry& known : entries_) {
        if (!same_key(known, entry)) continue;
        known = entry;
        return;
    }
    entries_.push_back(entry);
}

const WisdomEntry* Wisdom::find_exactly(const DeviceInfo& device, const Problem& problem) const {
    const std::string text = to_string(problem);
    for (const WisdomEntry& entry : entries_)
        if (entry.device == device.description && entry.version == version() && entry.problem == text) return &entry;
    return nullptr;
}

const WisdomEntry* Wisdom::find(const DeviceInfo& device, const Problem& problem) const {
    if (const WisdomEntry* exact = find_exactly(device, problem)) return exact;
    Problem lone = problem;
    lone.batch = 1;
    const std::string text = to_string(lone);
    const WisdomEntry* nearest = nullptr;
    double least = std::numeric_limits<double>::infinity();
    for (const WisdomEntry& entry : entries_) {
        if (entry.device != device.description || entry.version != version()) continue;
        Problem other = parse_problem(entry.problem);
        const double ratio = static_cast<double>(std::max<std::uint64_t>(other.batch, 1)) /
                             static_cast<double>(std::max<std::uint64_t>(problem.batch, 1));
        other.batch = 1;
        if (to_string(other) != text || std::abs(std::log(ratio)) >= least) continue;
        least = std::abs(std::log(ratio));
        nearest = &entry;
    }
    return nearest;
}

MeasuredTable Wisdom::table(const DeviceInfo& device, const std::string& source) const {
    std::vector<std::pair<Problem, Tuning>> tuned;
    for (const WisdomEntry& entry : entries_) {
        const bool is_here = entry.device == device.description && entry.version == version();
        if (is_here && !(entry.tuning == Tuning())) tuned.emplace_back(parse_problem(entry.problem), entry.tuning);
    }
    return api::guarded("planning", [&] {
        const std::string text = exec::table_of(tuned, device.limits, source.empty() ? device.description : source);
        return text.empty() ? MeasuredTable() : MeasuredTable::parse(text);
    });
}

}  // namespace seiche

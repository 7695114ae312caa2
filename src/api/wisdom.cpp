// Wisdom as text, and what is found in it.
#include "seiche/wisdom.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <sstream>
#include <string_view>

#include "api/guard.hpp"
#include "exec/inspect.hpp"
#include "problem/bounds.hpp"
#include "seiche/error.hpp"
#include "seiche/version.hpp"

namespace seiche {

namespace {

constexpr std::string_view first_line = "Seiche wisdom 1", device_word = "device ", version_word = "version ";
constexpr std::string_view separator = " | ", untuned_word = ", untuned ", unit = " ms";

template <class Number>
std::string joined(const std::vector<Number>& numbers) {
    std::string text;
    for (const Number number : numbers) text += (text.empty() ? "" : "x") + std::to_string(number);
    return text;
}

template <class Number>
Number number_of(std::string_view text, std::string_view word) {
    Number number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed != std::errc() || end != text.data() + text.size())
        throw InvalidProblem("tuning: " + std::string(word) + ": expected a whole number, got '" + std::string(text) +
                             "'");
    return number;
}

template <class Number>
std::vector<Number> numbers_of(std::string_view text, std::string_view word) {
    std::vector<Number> numbers;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('x', begin), text.size());
        numbers.push_back(number_of<Number>(text.substr(begin, end - begin), word));
        begin = end + 1;
    }
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

/// One line after another, with what the lines before say.
class Reader {
public:
    void take(const std::string& line) {
        ++number_;
        if (number_ == 1) return expect(line == first_line, "'" + std::string(first_line) + "'", line);
        if (line.empty() || line.front() == '#') return;
        if (line.starts_with(device_word)) {
            entry_.device = line.substr(device_word.size());
        } else if (line.starts_with(version_word)) {
            entry_.version = line.substr(version_word.size());
        } else {
            add(line);
        }
    }
    bool is_empty() const { return number_ == 0; }
    Wisdom wisdom;

private:
    void expect(bool holds, const std::string& expected, const std::string& got) const {
        if (!holds)
            throw InvalidProblem("wisdom, line " + std::to_string(number_) + ": expected " + expected + ", got '" +
                                 got + "'");
    }
    void add(const std::string& line) {
        const std::string form = "PROBLEM | TUNING | TIME ms, untuned TIME ms";
        expect(!entry_.device.empty() && !entry_.version.empty(), "a device and a version before the first problem",
               line);
        const std::size_t first = line.find(separator), second = line.find(separator, first + 1);
        const std::size_t untuned = line.find(untuned_word, second);
        expect(first != std::string::npos && second != std::string::npos && untuned != std::string::npos, form, line);
        WisdomEntry entry = entry_;
        const std::string tuning = line.substr(first + separator.size(), second - first - separator.size());
        try {
            entry.problem = to_string(parse_problem(line.substr(0, first)));
            entry.tuning = tuning == "untuned" ? Tuning() : parse_tuning(tuning);
        } catch (const InvalidProblem& error) {
            expect(false, std::string("a problem and a tuning that are known (") + error.what() + ")", line);
        }
        entry.milliseconds = milliseconds(line.substr(second + separator.size()), form, line);
        entry.untuned_milliseconds = milliseconds(line.substr(untuned + untuned_word.size()), form, line);
        wisdom.set(entry);
    }
    double milliseconds(const std::string& text, const std::string& form, const std::string& line) const {
        std::istringstream stream(text);
        stream.imbue(std::locale::classic());
        double value = 0;
        stream >> value;
        expect(!stream.fail() && std::isfinite(value) && value >= 0, form, line);
        return value;
    }

    std::size_t number_ = 0;
    WisdomEntry entry_;
};

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
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        const std::size_t equals = std::min(word.find('='), word.size());
        set_word(tuning, std::string_view(word).substr(0, equals),
                 std::string_view(word).substr(std::min(equals + 1, word.size())));
    }
    problem::check_tuning(tuning);
    return tuning;
}

std::vector<Tuning> candidate_tunings(const Problem& problem, const DeviceLimits& limits) {
    return api::guarded("planning", [&] { return exec::candidates(problem, limits); });
}

Wisdom Wisdom::parse(const std::string& text) {
    Reader reader;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        reader.take(line);
    }
    if (reader.is_empty()) throw InvalidProblem("wisdom: expected '" + std::string(first_line) + "', got nothing");
    return reader.wisdom;
}

std::string Wisdom::text() const {
    std::vector<WisdomEntry> sorted = entries_;
    std::stable_sort(sorted.begin(), sorted.end(), [](const WisdomEntry& a, const WisdomEntry& b) {
        return std::pair(a.device, a.version) < std::pair(b.device, b.version);
    });
    std::string text(first_line);
    text += "\n# " +
            std::string("PROBLEM | TUNING | TIME ms, untuned TIME ms: of one execution, measured by seiche tune\n");
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

}  // namespace seiche

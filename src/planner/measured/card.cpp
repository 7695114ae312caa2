// The card line of a table: architecture=sm_90,sm_100 memory=4000- shared=160- units=100-140.
#include <algorithm>
#include <limits>

#include "planner/measured/table.hpp"
#include "planner/measured/table_text.hpp"

namespace seiche::planner::measured {

namespace {

constexpr std::string_view card_word = "card ";
constexpr std::uint64_t giga = 1'000'000'000, kibi = 1024;
const char* const expected_card =
    "architecture=NAMES, and memory=, shared= or units= with bounds such as 100-200, 100- or -200";

/// "4000-", "-200", "100-200" or "132", in units of so much.
template <class Bound>
bool read_bounds(std::string_view text, std::uint64_t unit, Bound& least, Bound& most) {
    const std::size_t dash = text.find('-');
    const std::string_view low = text.substr(0, dash);
    const std::string_view high = dash == std::string_view::npos ? low : text.substr(dash + 1);
    const auto read = [&](std::string_view digits, Bound& bound) {
        if (digits.empty()) return true;
        const std::optional<std::uint64_t> number = support::parse_unsigned(digits);
        if (!number || *number > std::numeric_limits<Bound>::max() / unit) return false;
        bound = static_cast<Bound>(*number * unit);
        return true;
    };
    return (!low.empty() || !high.empty()) && read(low, least) && read(high, most) && least <= most;
}

bool set(Card& card, const support::Field& field) {
    if (field.name == "memory") return read_bounds(field.value, giga, card.least_memory, card.most_memory);
    if (field.name == "shared") return read_bounds(field.value, kibi, card.least_shared, card.most_shared);
    if (field.name == "units") return read_bounds(field.value, 1, card.least_units, card.most_units);
    if (field.name != "architecture" || field.value.empty()) return false;
    if (field.is_quoted) {
        card.architectures.emplace_back(field.value);
        return true;
    }
    for (const std::string_view name : support::split(field.value, ',')) {
        if (name.empty()) return false;
        card.architectures.emplace_back(name);
    }
    return true;
}

template <class Bound>
std::string bounds_text(const char* name, Bound least, Bound most, std::uint64_t unit) {
    std::string text;
    if (least != 0) text += std::to_string(least / unit);
    if (least != most) text += "-";
    if (most != std::numeric_limits<Bound>::max() && least != most) text += std::to_string(most / unit);
    return least == 0 && most == std::numeric_limits<Bound>::max() ? "" : " " + std::string(name) + "=" + text;
}

bool is_named(const std::string& pattern, const std::string& name) {
    if (pattern.back() != '*') return pattern == name;
    return name.starts_with(std::string_view(pattern).substr(0, pattern.size() - 1));
}

}  // namespace

Card read_card(support::TextLines& lines) {
    const std::optional<std::string_view> line = lines.next();
    lines.expect(line && line->starts_with(card_word), "a line 'card architecture=NAMES ...' before all others",
                 line.value_or(""));
    Card card;
    std::string_view rest = line->substr(card_word.size());
    for (std::string_view word = support::next_word(rest); !word.empty(); word = support::next_word(rest))
        lines.expect(set(card, support::field_of(word)), expected_card, word);
    lines.expect(!card.architectures.empty(), expected_card, *line);
    return card;
}

bool Card::matches(const DeviceLimits& limits) const {
    const auto has_name = [&](const std::string& pattern) { return is_named(pattern, limits.architecture); };
    return limits.memory_bytes_per_second >= least_memory && limits.memory_bytes_per_second <= most_memory &&
           limits.shared_bytes >= least_shared && limits.shared_bytes <= most_shared &&
           limits.compute_units >= least_units && limits.compute_units <= most_units &&
           std::any_of(architectures.begin(), architectures.end(), has_name);
}

std::string to_string(const Card& card) {
    std::string text(card_word.substr(0, card_word.size() - 1)), names;
    for (const std::string& name : card.architectures) {
        if (name.find_first_of(" ,=") != std::string::npos)
            text += " architecture=\"" + name + '"';
        else
            names += (names.empty() ? "" : ",") + name;
    }
    if (!names.empty()) text += " architecture=" + names;
    return text + bounds_text("memory", card.least_memory, card.most_memory, giga) +
           bounds_text("shared", card.least_shared, card.most_shared, kibi) +
           bounds_text("units", card.least_units, card.most_units, 1);
}

}  // namespace seiche::planner::measured

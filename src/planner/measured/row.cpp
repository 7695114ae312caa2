// The rows of a table: "core rows f32 8192 | radices=32x16x16 threads=256 | H200 2026-11-24", or of a rule,
// "rule pipelined-passes | holds=yes | H100 2026-11-25".
#include <algorithm>
#include <charconv>
#include <limits>
#include <span>

#include "planner/device_model.hpp"
#include "planner/measured/table.hpp"
#include "planner/measured/table_text.hpp"

namespace seiche::planner::measured {

namespace {

using support::Field;
using support::TextLines;

constexpr std::string_view topics[] = {"core", "passes", "pair", "cluster", "plane", "rule"};
constexpr std::string_view forms[] = {"rows",          "columns",  "twiddled-columns",
                                      "first-columns", "r2c-rows", "c2r-rows",
                                      "padded",        "parity",   "prime",
                                      "c2c",           "r2c",      "c2r",
                                      "dct2",          "dct3",     "dct4",
                                      "convolution"};
constexpr std::string_view numbers[] = {"f32", "f64", "f16"};
constexpr std::string_view batches[] = {"always", "large-batch", "cached", "pipelined"};

/// What a row may say, in the order in which it is written.
enum Word : std::uint8_t {
    radices,
    passes,
    threads,
    transforms,
    resident,
    turn_pairs,
    cluster_groups,
    thread_points,
    launches,
    nanoseconds,
    milliseconds,
    when,
    loop,
    convolutions,
    pipelined,
    behind_another,
    divide_columns,
    whether,
};
constexpr std::string_view words[] = {"radices",
                                      "passes",
                                      "threads",
                                      "transforms-per-group",
                                      "resident-groups",
                                      "pairs",
                                      "groups-per-cluster",
                                      "points-per-thread",
                                      "launches",
                                      "nanoseconds",
                                      "milliseconds",
                                      "when",
                                      "loop",
                                      "convolutions",
                                      "pipelined",
                                      "behind-another",
                                      "divide-columns",
                                      "holds"};

/// In the order of the enumerators.
constexpr std::string_view rule_names[] = {
    "pipelined-passes",
    "large-radices-of-16-bit-pairs",
    "large-slices-of-doubles",
    "small-tiles-of-doubles",
    "passes-of-r2c-by-cost",
    "even-parts-of-columns",
    "long-runs-of-doubles",
    "whole-lines-of-real-columns",
    "bounded-registers-of-rows",
    "columns-without-idle-threads",
    "large-radices-of-doubles",
    "lone-groups-of-units",
    "whole-sectors-in-clusters",
    "wide-threads-of-long-rows",
    "wide-threads-of-doubles",
    "runs-between-passes",
    "parts-in-neighbouring-lanes",
    "blocks-for-all-units",
    "convolutions-beside-passes",
};

constexpr std::uint32_t bit(Word word) { return std::uint32_t{1} << word; }

/// The words of a topic and form: those that it must have, and all that it may.
struct Allowed {
    Topic topic;
    std::uint32_t forms, needed, allowed;
};
constexpr std::uint32_t of(Form form) { return std::uint32_t{1} << static_cast<int>(form); }
constexpr std::uint32_t complex_and_real = of(Form::c2c) | of(Form::r2c) | of(Form::c2r),
                        cosines = of(Form::dct2) | of(Form::dct3) | of(Form::dct4);
constexpr std::uint32_t of_core = bit(radices) | bit(threads) | bit(transforms) | bit(resident);
constexpr Allowed all_allowed[] = {
    {Topic::core,
     of(Form::rows) | of(Form::columns) | of(Form::twiddled_columns) | of(Form::first_columns) | of(Form::r2c_rows) |
         of(Form::c2r_rows),
     bit(radices) | bit(threads), of_core},
    {Topic::core, of(Form::padded), bit(radices) | bit(threads) | bit(nanoseconds),
     of_core | bit(nanoseconds) | bit(loop) | bit(convolutions)},
    {Topic::core, of(Form::parity), bit(radices) | bit(threads) | bit(nanoseconds),
     of_core | bit(nanoseconds) | bit(loop)},
    {Topic::core, of(Form::prime), bit(threads) | bit(turn_pairs) | bit(transforms),
     bit(threads) | bit(turn_pairs) | bit(transforms)},
    {Topic::passes, complex_and_real, bit(passes), bit(passes) | bit(when)},
    {Topic::passes, cosines, bit(passes) | bit(launches), bit(passes) | bit(launches) | bit(when)},
    {Topic::pair, of(Form::c2c), 0, bit(pipelined) | bit(behind_another) | bit(transforms)},
    {Topic::pair, of(Form::r2c) | of(Form::c2r) | cosines, 0, bit(pipelined) | bit(divide_columns)},
    {Topic::pair, of(Form::convolution), 0, bit(pipelined) | bit(milliseconds)},
    {Topic::cluster, complex_and_real, bit(cluster_groups), bit(passes) | bit(cluster_groups) | bit(when)},
    {Topic::rule, of(Form::rows), bit(whether), bit(whether)},
    {Topic::plane, of(Form::r2c) | of(Form::c2r), bit(cluster_groups), bit(cluster_groups) | bit(thread_points)},
};

const Allowed* allowed_for(const Key& key) {
    for (const Allowed& allowed : all_allowed)
        if (allowed.topic == key.topic && (allowed.forms & of(key.form)) != 0) return &allowed;
    return nullptr;
}

std::string list_of(std::uint32_t set) {
    std::string text;
    for (std::size_t i = 0; i < std::size(words); ++i)
        if ((set >> i & 1) != 0) text += (text.empty() ? "" : ", ") + std::string(words[i]);
    return text;
}

std::string list_of(std::span<const std::string_view> names) {
    std::string text;
    for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
    return text;
}

/// The place of a name, which is the value of its enumerator.
template <class Enum>
Enum named(std::string_view name, std::span<const std::string_view> names, const TextLines& lines) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) lines.refuse("one of " + list_of(names), name);
    return static_cast<Enum>(found - names.begin());
}

Key read_key(std::string_view text, const TextLines& lines) {
    std::string_view rest = text;
    Key key;
    key.topic = named<Topic>(support::next_word(rest), topics, lines);
    if (key.topic == Topic::rule) {
        key = key_of(named<Rule>(support::next_word(rest), rule_names, lines));
        lines.expect(support::next_word(rest).empty(), "a key of two words such as 'rule pipelined-passes'", text);
        return key;
    }
    key.form = named<Form>(support::next_word(rest), forms, lines);
    key.number = named<Number>(support::next_word(rest), numbers, lines);
    const std::string_view length = support::next_word(rest);
    const bool has_two = key.topic == Topic::pair || key.topic == Topic::plane;
    std::size_t count = 0;
    const bool is_read = support::each_length(length, [&](std::uint64_t n) {
        (count == 0 ? key.n : key.next) = n;
        return n != 0 && n <= std::uint64_t{1} << 40 && ++count <= 2;
    });
    lines.expect(is_read && count == (has_two ? 2u : 1u), has_two ? "two lengths such as 256x128" : "a length", length);
    lines.expect(support::next_word(rest).empty(), "a key of four words such as 'core rows f32 8192'", text);
    return key;
}

std::uint32_t number_of(const Field& field, const TextLines& lines) {
    constexpr std::uint64_t most = 65536;
    const std::optional<std::uint64_t> number = support::parse_unsigned(field.value);
    if (!number || *number > most)
        lines.refuse(std::string(field.name) + "= with a whole number up to 65536", field.value);
    return static_cast<std::uint32_t>(*number);
}

float time_of(const Field& field, const TextLines& lines) {
    const std::optional<double> time = support::parse_double(field.value);
    if (!time || !(*time > 0) || *time > 1e9) lines.refuse(std::string(field.name) + "= with a time", field.value);
    return static_cast<float>(*time);
}

bool is_yes(const Field& field, const TextLines& lines) {
    const bool yes = field.value == "yes";
    if (!yes && field.value != "no") lines.refuse(std::string(field.name) + "=yes or =no", field.value);
    return yes;
}

void read_lengths(Row& row, const Field& field, const TextLines& lines) {
    std::size_t count = 0;
    std::uint64_t product = 1;
    const bool is_read = support::each_length(field.value, [&](std::uint64_t length) {
        if (length < 2 || length > std::numeric_limits<std::uint32_t>::max() || count == Row::most_lengths)
            return false;
        row.lengths[count++] = static_cast<std::uint32_t>(length);
        product *= length;
        return product <= std::uint64_t{1} << 40;
    });
    if (!is_read || product != row.key.n)
        lines.refuse(std::string(field.name) + "= with at most " + std::to_string(Row::most_lengths) +
                         " lengths whose product is " + std::to_string(row.key.n),
                     field.value);
}

void set(Row& row, Word word, const Field& field, const TextLines& lines) {
    const auto flag = [&](Flag of_yes, int of_no = 0) {
        row.flags = static_cast<std::uint8_t>(row.flags | (is_yes(field, lines) ? int{of_yes} : of_no));
    };
    switch (word) {
        case radices:
        case passes: return read_lengths(row, field, lines);
        case threads: row.threads = number_of(field, lines); return;
        case transforms: row.transforms = number_of(field, lines); return;
        case resident: row.resident_groups = number_of(field, lines); return;
        case turn_pairs: row.pairs = number_of(field, lines); return;
        case cluster_groups: row.groups = number_of(field, lines); return;
        case thread_points: row.points = number_of(field, lines); return;
        case launches: row.launches = number_of(field, lines); return;
        case nanoseconds:
        case milliseconds: row.time = time_of(field, lines); return;
        case when: row.when = named<When>(field.value, batches, lines); return;
        case loop: return flag(in_loop);
        case convolutions: return flag(of_convolutions);
        case pipelined: return flag(is_pipelined, is_apart);
        case behind_another: return flag(is_behind_another);
        case divide_columns: return flag(divides_columns);
        case whether: return flag(does_hold);
    }
}

/// Radices that a butterfly can have, and threads that a core can: each has at least a point.
bool is_possible(const Row& row) {
    if (row.key.topic != Topic::core) return true;
    const std::uint32_t largest = row.key.form == Form::prime ? 0 : std::ranges::max(row.lengths);
    return largest <= largest_butterfly && row.threads >= 1 && row.threads <= row.key.n;
}

template <class Value>
void add(std::string& text, Word word, const Value& value) {
    text += (text.empty() ? "" : " ") + std::string(words[word]) + "=" + value;
}

/// The shortest text that reads back as the same number.
std::string shortest(float number) {
    char digits[32];
    const auto result = std::to_chars(std::begin(digits), std::end(digits), number);
    return {digits, result.ptr};
}

std::string numbers_text(const Row& row) {
    std::string text;
    const std::vector<std::uint32_t> lengths = row.all_lengths();
    const bool is_core = row.key.topic == Topic::core;
    if (!lengths.empty()) add(text, is_core ? radices : passes, support::join_numbers(lengths, "x"));
    const std::pair<Word, std::uint32_t> numbers[] = {{threads, row.threads},          {transforms, row.transforms},
                                                      {resident, row.resident_groups}, {turn_pairs, row.pairs},
                                                      {cluster_groups, row.groups},    {thread_points, row.points},
                                                      {launches, row.launches}};
    const std::uint32_t needed = allowed_for(row.key)->needed;
    for (const auto& [word, number] : numbers)
        if (number != 0 || (needed & bit(word)) != 0) add(text, word, std::to_string(number));
    return text;
}

}  // namespace

Row read_row(std::string_view line, const TextLines& lines) {
    const support::Columns parts = support::columns(line);
    lines.expect(parts.count == 3 && !parts.texts[2].empty(),
                 "'KEY | HOW | SOURCE' such as 'core rows f32 8192 | radices=32x16x16 threads=256 | H200 2026-11-24'",
                 line);
    Row row;
    row.key = read_key(parts.texts[0], lines);
    row.source = parts.texts[2];
    const Allowed* words_of_row = allowed_for(row.key);
    if (!words_of_row)
        lines.refuse("another kind than '" + std::string(forms[static_cast<int>(row.key.form)]) + "' of " +
                         std::string(topics[static_cast<int>(row.key.topic)]),
                     parts.texts[0]);
    std::uint32_t given = 0;
    std::string_view rest = parts.texts[1];
    for (std::string_view text = support::next_word(rest); !text.empty(); text = support::next_word(rest)) {
        const Field field = support::field_of(text);
        const auto found = std::find(std::begin(words), std::end(words), field.name);
        const std::uint32_t own = found == std::end(words) ? 0 : bit(static_cast<Word>(found - words));
        if ((own & words_of_row->allowed & ~given) == 0)
            lines.refuse("one of " + list_of(words_of_row->allowed) + ", each once", text);
        given |= own;
        set(row, static_cast<Word>(found - words), field, lines);
    }
    if (given == 0 || (words_of_row->needed & ~given) != 0)
        lines.refuse(words_of_row->needed ? list_of(words_of_row->needed) : "one of " + list_of(words_of_row->allowed),
                     parts.texts[1]);
    lines.expect(is_possible(row), "radices up to 64, and as many threads as points at most", parts.texts[1]);
    return row;
}

std::vector<std::uint32_t> Row::all_lengths() const {
    return {lengths.begin(), std::find(lengths.begin(), lengths.end(), 0u)};
}

std::string to_string(const Row& row) {
    const Key& key = row.key;
    const bool has_two = key.topic == Topic::pair || key.topic == Topic::plane;
    std::string text = numbers_text(row);
    if (row.time != 0) {
        const Word word = key.topic == Topic::pair ? milliseconds : nanoseconds;
        add(text, word, shortest(row.time));
    }
    if (row.when != When::always) add(text, when, std::string(batches[static_cast<int>(row.when)]));
    const std::pair<Word, Flag> flags[] = {{loop, in_loop},
                                           {convolutions, of_convolutions},
                                           {pipelined, is_pipelined},
                                           {behind_another, is_behind_another},
                                           {divide_columns, divides_columns}};
    for (const auto& [word, flag] : flags)
        if (row.has(flag)) add(text, word, "yes");
    if (row.has(is_apart)) add(text, pipelined, "no");
    const std::string source(row.source);
    if (key.topic == Topic::rule) {
        add(text, whether, row.has(does_hold) ? "yes" : "no");
        return "rule " + std::string(rule_names[key.n]) + " | " + text + " | " + source;
    }
    return std::string(topics[static_cast<int>(key.topic)]) + " " + std::string(forms[static_cast<int>(key.form)]) +
           " " + std::string(numbers[static_cast<int>(key.number)]) + " " + std::to_string(key.n) +
           (has_two ? "x" + std::to_string(key.next) : "") + " | " + text + " | " + source;
}

}  // namespace seiche::planner::measured

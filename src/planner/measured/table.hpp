// Tables of measurements: which card one is for, and what was measured to be the fastest there, each row keyed by a
// part of a transform (docs/reference/tables.md describes the text).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "planner/measured/rules.hpp"
#include "seiche/device.hpp"
#include "seiche/problem.hpp"

namespace seiche::planner::measured {

/// What a row is about.
enum class Topic : std::uint8_t {
    core,     ///< One sequence that a block holds: its radices and threads.
    passes,   ///< An axis in several passes over memory: their lengths.
    pair,     ///< Two passes that may share a launch.
    cluster,  ///< Two passes that the blocks of a cluster hold.
    plane,    ///< Two axes of real numbers that the blocks of a cluster hold.
    rule,     ///< Whether a rule of the planner holds (key_of).
};

/// Of a core, how its sequences lie in memory or what it is for; of the others, the kind of transform.
enum class Form : std::uint8_t {
    rows,
    columns,           ///< Neighbouring columns,
    twiddled_columns,  ///< with twiddles of a longer transform before the core,
    first_columns,     ///< or with contiguous results, as in a first pass.
    r2c_rows,          ///< By complex points, half as many as numbers.
    c2r_rows,
    padded,  ///< Of a convolution in one kernel.
    parity,  ///< Of a prime's even and odd part.
    prime,   ///< A prime as a butterfly in a loop.
    c2c,
    r2c,  ///< By complex points too, and so are the types of real-to-real transforms.
    c2r,
    dct2,  ///< Types of sines too.
    dct3,
    dct4,
    convolution
};

enum class Number : std::uint8_t { f32, f64, f16 };  ///< f16: 16-bit storage, computed in f32.

struct Key {
    Topic topic = Topic::core;
    Form form = Form::rows;
    Number number = Number::f32;
    std::uint64_t n = 1;     ///< Points; of pairs and planes the first length,
    std::uint64_t next = 1;  ///< and the second.
    auto operator<=>(const Key&) const = default;
};
/// Rules have no form, number or length: n says which.
constexpr Key key_of(Rule rule) { return {.topic = Topic::rule, .n = static_cast<std::uint64_t>(rule)}; }

/// Which batches a row is for.
enum class When : std::uint8_t {
    always,
    large_batch,  ///< Large enough to pipeline passes (is_worth_pipelining), which the tuning leaves open.
    cached,       ///< And the cache holds what lies between them (can_pay_to_pipeline).
    pipelined,    ///< As large_batch, or the tuning asks for pipelined passes.
};

/// What else a row may say, each of these yes or nothing.
enum Flag : std::uint8_t {
    in_loop = 1,             ///< Both runs of a convolution's core (CoreLoop).
    of_convolutions = 2,     ///< A user's own convolution is faster with this core too.
    is_pipelined = 4,        ///< The pair gains by one launch,
    is_apart = 8,            ///< or loses.
    is_behind_another = 16,  ///< Of a pair behind another pass.
    divides_columns = 32,    ///< Blocks take a divisor of the last pass's columns first.
    does_hold = 64,          ///< The rule holds.
};

/// 0 or empty: the row leaves it to the planner.
struct Row {
    static constexpr std::size_t most_lengths = 8;
    Key key;
    std::array<std::uint32_t, most_lengths> lengths{};  ///< Radices of a core, else lengths of passes; 0 ends them.
    std::uint32_t threads = 0;                          ///< Of a transform.
    std::uint32_t transforms = 0;                       ///< Of a block.
    std::uint32_t resident_groups = 0;                  ///< To ask for.
    std::uint32_t pairs = 0;                            ///< Of one turn of a prime's loop.
    std::uint32_t groups = 0;                           ///< Of a cluster.
    std::uint32_t points = 0;                           ///< Of a thread.
    std::uint32_t launches = 0;                         ///< Of two passes.
    float time = 0;                                     ///< Comparable among rows of a topic and form alone.
    When when = When::always;
    std::uint8_t flags = 0;
    std::string_view source;  ///< Card, date, commit or note, as the text has it.

    bool has(Flag flag) const { return (flags & flag) != 0; }
    std::vector<std::uint32_t> all_lengths() const;
};

/// What a table is for, each bound inclusive.
struct Card {
    std::vector<std::string> architectures;                    ///< One of them; a last '*' stands for anything.
    std::uint64_t least_memory = 0, most_memory = UINT64_MAX;  ///< Bytes per second.
    std::uint32_t least_shared = 0, most_shared = UINT32_MAX;  ///< Bytes of one block.
    std::uint32_t least_units = 0, most_units = UINT32_MAX;    ///< Multiprocessors.

    bool matches(const DeviceLimits& limits) const;
};

class Table {
public:
    /// Throws InvalidProblem that begins with `name` and has the line. The rows' sources are parts of `text`.
    static Table parse(std::string_view text, const std::string& name);
    /// The card line alone.
    static Card parse_card(std::string_view text, const std::string& name);

    const Card& card() const { return card_; }
    /// By rising key.
    const std::vector<Row>& rows() const { return rows_; }
    const Row* find(const Key& key) const;

private:
    Card card_;
    std::vector<Row> rows_;
};

/// A table with the text that its rows' sources are parts of. It stays where it is.
struct TextTable {
    explicit TextTable(std::string whole) : text(std::move(whole)), table(Table::parse(text, "table")) {}
    TextTable(const TextTable&) = delete;
    TextTable& operator=(const TextTable&) = delete;

    const std::string text;
    const Table table;
};

/// As a table has it.
std::string to_string(const Row& row);
std::string to_string(const Card& card);
/// A new table of such rows.
std::string table_text(const Card& card, const std::vector<Row>& rows);

}  // namespace seiche::planner::measured

// Figures of other libraries from a file.
#include "cli/measure/bench_table.hpp"

#include <array>
#include <cmath>
#include <locale>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>

#include "cli/io/input_file.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"
#include "cli/workflow/workflow_text.hpp"
#include "seiche/problem.hpp"

namespace seiche::cli {
namespace {

constexpr std::array<std::string_view, 9> columns = {
    "library",          "kind", "precision_bits", "shape", "batch", "milliseconds", "GB_per_s", "fraction_of_copy",
    "plan_milliseconds"};

/// The fields of a line. One that has commas or quotes is quoted, and quotes in it are doubled.
std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"' && quoted && line.substr(i + 1, 1) == "\"") {
            fields.back() += line[++i];
        } else if (line[i] == '"') {
            quoted = !quoted;
        } else if (line[i] == ',' && !quoted) {
            fields.emplace_back();
        } else {
            fields.back() += line[i];
        }
    }
    if (quoted) throw Failure("expected a quote at the end of '" + printable(fields.back()) + "'");
    return fields;
}

class Reader {
public:
    void take(const std::string& line) {
        fields_ = fields_of(line);
        if (order_.empty()) return take_names();
        if (fields_.size() != width_)
            throw Failure("expected " + std::to_string(width_) + " fields, got " + std::to_string(fields_.size()));
        TableEntry entry;
        entry.library = field("library");
        if (entry.library.empty()) throw Failure("expected the name of a library, got nothing");
        entry.kind = field("kind");
        entry.shape = field("shape");
        // A copy's own rate, or a case that the library could not do.
        if (entry.kind.empty() || (field("milliseconds").empty() && field("fraction_of_copy").empty())) return;
        entry.precision_bits = static_cast<unsigned>(whole("precision_bits"));
        entry.batch = whole("batch");
        entry.milliseconds = positive("milliseconds");
        entry.rate = positive("GB_per_s");
        entry.of_copy = positive("fraction_of_copy");
        if (!field("plan_milliseconds").empty()) entry.plan_ms = positive("plan_milliseconds");
        entries.push_back(entry);
    }
    std::vector<TableEntry> entries;

private:
    void take_names() {
        width_ = fields_.size();
        for (std::size_t i = 0; i < width_; ++i) order_.emplace(fields_[i], i);
        for (const std::string_view name : columns)
            if (!order_.contains(std::string(name)))
                throw Failure("expected names of columns, with " + std::string(name) + " among them");
    }
    const std::string& field(const char* name) const { return fields_[order_.at(name)]; }
    std::uint64_t whole(const char* name) const {
        const std::string& text = field(name);
        constexpr std::size_t most_digits = 18;
        const bool is_number = !text.empty() && text.size() <= most_digits &&
                               text.find_first_not_of("0123456789") == std::string::npos && text[0] != '0';
        if (!is_number) refuse(name, "a whole number from 1");
        return std::stoull(text);
    }
    double positive(const char* name) const {
        std::istringstream stream(field(name));
        stream.imbue(std::locale::classic());
        double value = 0;
        const bool is_number = (stream >> value) && stream.peek() == std::istringstream::traits_type::eof();
        if (!is_number || !std::isfinite(value) || value <= 0) refuse(name, "a number above 0");
        return value;
    }
    [[noreturn]] void refuse(const std::string& name, const std::string& expected) const {
        throw Failure(name + ": expected " + expected + ", got '" + printable(field(name.c_str())) + "'");
    }

    std::map<std::string, std::size_t> order_;  // where each name's column is
    std::vector<std::string> fields_;
    std::size_t width_ = 0;
};

/// What the table's columns say of a problem; the batch is beside that. Empty where they cannot say it all.
std::optional<TableEntry> key_of(const Problem& problem) {
    TableEntry key;
    const bool has_halves = problem.precision == Precision::f32 && problem.storage == Storage::f16;
    if (problem.storage != Storage::same && !has_halves) return std::nullopt;
    if (problem.precision != Precision::f32 && problem.precision != Precision::f64) return std::nullopt;
    key.precision_bits = has_halves ? 16 : problem.precision == Precision::f32 ? 32 : 64;
    key.kind = to_string(problem.kind);
    key.batch = problem.batch;
    for (const std::uint64_t n : problem.lengths) key.shape += (key.shape.empty() ? "" : "x") + std::to_string(n);
    // With nothing but these it would be the same problem.
    Problem plain;
    plain.lengths = problem.lengths;
    plain.kind = problem.kind;
    plain.precision = problem.precision;
    plain.storage = problem.storage;
    plain.batch = problem.batch;
    if (to_string(plain) != to_string(problem)) return std::nullopt;
    return key;
}

double distance(std::uint64_t a, std::uint64_t b) {
    return std::abs(std::log(static_cast<double>(a)) - std::log(static_cast<double>(b)));
}

}  // namespace

std::vector<TableEntry> read_table(const std::string& path) {
    constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20;
    io::InputFile file(path);
    if (file.bytes() > most_bytes)
        file.refuse("expected a table of figures, got a file of " + std::to_string(file.bytes()) + " bytes");
    std::string text(static_cast<std::size_t>(file.bytes()), ' ');
    file.read(text.data(), text.size(), "a table of figures");
    std::istringstream lines(text);
    Reader reader;
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.empty() || line.front() == '#') continue;
        try {
            reader.take(line);
        } catch (const Failure& failure) {
            file.refuse("line " + std::to_string(number) + ": " + failure.what());
        }
    }
    if (reader.entries.empty()) file.refuse("expected figures of libraries, got none");
    return reader.entries;
}

std::vector<BenchRow> table_rows(const std::vector<TableEntry>& table, const BenchResult& result) {
    if (is_timed_whole(result.problem)) return {};
    const std::optional<TableEntry> key = key_of(parse_problem(result.problem));
    if (!key) return {};
    std::vector<const TableEntry*> nearest;  // of each library, in the table's order
    for (const TableEntry& entry : table) {
        if (entry.kind != key->kind || entry.shape != key->shape || entry.precision_bits != key->precision_bits)
            continue;
        const TableEntry** known = nullptr;
        for (const TableEntry*& other : nearest)
            if (other->library == entry.library) known = &other;
        if (!known)
            nearest.push_back(&entry);
        else if (distance(entry.batch, key->batch) < distance((*known)->batch, key->batch))
            *known = &entry;
    }
    std::vector<BenchRow> rows;
    for (const TableEntry* entry : nearest) {
        BenchRow row;
        row.name = entry->library + ", table";
        row.description = "batch=" + std::to_string(entry->batch) + ", by fraction of copy";
        row.milliseconds = {entry->milliseconds, entry->milliseconds, entry->milliseconds, entry->milliseconds};
        row.rate = entry->rate;
        row.of_copy = row.of_best_copy = entry->of_copy;
        row.speed_of_seiche = result.rows.front().of_best_copy / entry->of_copy;
        row.plan_ms = entry->plan_ms;
        row.from_table = true;
        rows.push_back(row);
    }
    return rows;
}

}  // namespace seiche::cli

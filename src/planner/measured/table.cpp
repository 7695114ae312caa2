// A table as a whole.
#include "planner/measured/table.hpp"

#include <algorithm>

#include "planner/measured/table_text.hpp"
#include "seiche/error.hpp"

namespace seiche::planner::measured {

namespace {

/// Says in which line a key comes again.
[[noreturn]] void refuse_again(const Key& key, std::string_view text, const std::string& name) {
    support::TextLines lines(text, name, first_line);
    read_card(lines);
    bool was_there = false;
    for (std::optional<std::string_view> line = lines.next(); line; line = lines.next()) {
        const bool is_same = read_row(*line, lines).key == key;
        if (is_same && was_there) lines.refuse("each key once", *line);
        was_there = was_there || is_same;
    }
    throw InternalError("table: a key that is there twice is not found again");
}

}  // namespace

Card Table::parse_card(std::string_view text, const std::string& name) {
    support::TextLines lines(text, name, first_line);
    return read_card(lines);
}

Table Table::parse(std::string_view text, const std::string& name) {
    support::TextLines lines(text, name, first_line);
    Table table;
    table.card_ = read_card(lines);
    table.rows_.reserve(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')));
    const auto is_less = [](const Row& a, const Row& b) { return a.key < b.key; };
    bool is_sorted = true;
    for (std::optional<std::string_view> line = lines.next(); line; line = lines.next()) {
        table.rows_.push_back(read_row(*line, lines));
        const std::size_t count = table.rows_.size();
        is_sorted = is_sorted && (count < 2 || is_less(table.rows_[count - 2], table.rows_[count - 1]));
    }
    if (is_sorted) return table;
    std::stable_sort(table.rows_.begin(), table.rows_.end(), is_less);
    const auto same = std::adjacent_find(table.rows_.begin(), table.rows_.end(),
                                         [](const Row& a, const Row& b) { return a.key == b.key; });
    if (same != table.rows_.end()) refuse_again(same->key, text, name);
    return table;
}

const Row* Table::find(const Key& key) const {
    const auto found =
        std::lower_bound(rows_.begin(), rows_.end(), key, [](const Row& row, const Key& k) { return row.key < k; });
    return found != rows_.end() && found->key == key ? &*found : nullptr;
}

std::string table_text(const Card& card, const std::vector<Row>& rows) {
    std::string text = std::string(first_line) + "\n" + to_string(card) + "\n";
    for (const Row& row : rows) text += to_string(row) + "\n";
    return text;
}

}  // namespace seiche::planner::measured

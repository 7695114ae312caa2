// Reads embedded tables when a device first needs them.
#include "planner/measured/built_in.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <string>

namespace seiche::planner::measured {

namespace {

class BuiltIn {
public:
    explicit BuiltIn(const EmbeddedText& text)
        : text_(text), card_(Table::parse_card(text.parts.front(), std::string(text.name))) {}

    const Card& card() const { return card_; }
    const Table& table() {
        std::call_once(once_, [this] {
            for (const std::string_view part : text_.parts) whole_ += part;
            table_ = Table::parse(whole_, std::string(text_.name));
        });
        return table_;
    }

private:
    const EmbeddedText& text_;
    Card card_;
    std::once_flag once_;
    std::string whole_;  // what the rows' sources are parts of
    Table table_;
};

/// In the order of the build's list, the special before the general. Never destroyed: a program may plan after main.
std::deque<BuiltIn>& built_in() {
    static std::deque<BuiltIn>& tables = *[] {
        auto* all = new std::deque<BuiltIn>;
        for (const EmbeddedText& text : embedded_texts()) all->emplace_back(text);
        return all;
    }();
    return tables;
}

}  // namespace

TablesOfDevice::TablesOfDevice(const DeviceLimits& limits) {
    for (const MeasuredTable& given : limits.tables)
        if (given && count_ < problem::most_tables && given.impl()->table.card().matches(limits))
            tables_[count_++] = &given.impl()->table;
    for (BuiltIn& one : built_in())
        if (count_ < most && one.card().matches(limits)) tables_[count_++] = &one.table();
}

std::vector<const Row*> all_of(const DeviceLimits& limits, Topic topic, Form form, Number number) {
    std::vector<const Row*> found;
    for (const Table* table : TablesOfDevice(limits)) {
        const auto begin = std::lower_bound(table->rows().begin(), table->rows().end(), Key{topic, form, number, 0, 0},
                                            [](const Row& row, const Key& key) { return row.key < key; });
        const std::size_t earlier = found.size();
        for (auto row = begin; row != table->rows().end(); ++row) {
            if (row->key.topic != topic || row->key.form != form || row->key.number != number) break;
            const auto is_same = [&](const Row* other) { return other->key == row->key; };
            const auto end = found.begin() + static_cast<std::ptrdiff_t>(earlier);
            if (std::none_of(found.begin(), end, is_same)) found.push_back(&*row);
        }
    }
    return found;
}

std::optional<Number> number_of(Precision precision, bool is_16_bit) {
    if (precision == Precision::f32) return is_16_bit ? Number::f16 : Number::f32;
    return precision == Precision::f64 ? std::optional(Number::f64) : std::nullopt;
}

std::optional<Form> form_of(Kind kind) {
    switch (kind) {
        case Kind::c2c: return Form::c2c;
        case Kind::r2c: return Form::r2c;
        case Kind::c2r: return Form::c2r;
        case Kind::dct2:
        case Kind::dst2: return Form::dct2;
        case Kind::dct3:
        case Kind::dst3: return Form::dct3;
        case Kind::dct4:
        case Kind::dst4: return Form::dct4;
        default: return std::nullopt;
    }
}

}  // namespace seiche::planner::measured

// The tables that the library carries and those that a device was given, and what is found in them.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "planner/measured/table.hpp"
#include "problem/bounds.hpp"

namespace seiche::planner::measured {

/// A file of this folder, cut between lines. The source is written at build (cmake/SeicheEmbedText.cmake).
struct EmbeddedText {
    std::string_view name;
    std::span<const std::string_view> parts;
};
std::span<const EmbeddedText> embedded_texts();

/// The tables whose card line matches, the first to be asked first: those that the device was given, then the
/// library's, each of which is read once, when a device first needs it.
class TablesOfDevice {
public:
    explicit TablesOfDevice(const DeviceLimits& limits);
    const Table* const* begin() const { return tables_.data(); }
    const Table* const* end() const { return tables_.data() + count_; }

private:
    static constexpr std::size_t most = problem::most_tables + 8;
    std::array<const Table*, most> tables_{};
    std::size_t count_ = 0;
};

/// The row of such a key in the first table of the device that has one which `suits`; null: none.
template <class Suits>
const Row* find(const DeviceLimits& limits, const Key& key, Suits suits) {
    for (const Table* table : TablesOfDevice(limits)) {
        const Row* row = table->find(key);
        if (row && suits(*row)) return row;
    }
    return nullptr;
}
inline const Row* find(const DeviceLimits& limits, const Key& key) {
    return find(limits, key, [](const Row&) { return true; });
}

/// The rows of a topic, form and number, of each key the first table's.
std::vector<const Row*> all_of(const DeviceLimits& limits, Topic topic, Form form, Number number);

/// Nothing: no table has rows of such a kind.
std::optional<Form> form_of(Kind kind);

/// Nothing: no table has rows of this precision.
std::optional<Number> number_of(Precision precision, bool is_16_bit = false);

}  // namespace seiche::planner::measured

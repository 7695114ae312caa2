// Tables of measurements: what was the fastest on a kind of card, part by part of a transform, as a text that people
// can read (docs/reference/tables.md). The planner takes a row where a device's table has one. The library has tables
// of its own; these are more.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche {

SEICHE_EXPORT_END
namespace planner::measured {
struct TextTable;
}
SEICHE_EXPORT_BEGIN

/// One table. A value that shares what it has; empty when default-constructed. It is looked at for devices that its
/// card line matches.
class MeasuredTable {
public:
    MeasuredTable() = default;
    /// Throws InvalidProblem that names the line.
    static MeasuredTable parse(const std::string& text);
    /// What it was parsed from.
    std::string text() const;
    explicit operator bool() const noexcept { return impl_ != nullptr; }
    const std::shared_ptr<const planner::measured::TextTable>& impl() const noexcept { return impl_; }

    friend bool operator==(const MeasuredTable& a, const MeasuredTable& b) {
        return a.impl_ == b.impl_ || a.text() == b.text();
    }

private:
    std::shared_ptr<const planner::measured::TextTable> impl_;
};

/// Those of the files that the variable SEICHE_TABLES names, with ':' between them (Windows: ';'). Throws
/// InvalidProblem that names the file and the line. Device::open gives them to every device.
std::vector<MeasuredTable> environment_tables();

}  // namespace seiche
SEICHE_EXPORT_END

// Tables of measurements of the public interface, and those that the environment names.
#include "seiche/tables.hpp"

#include "exec/inspect.hpp"
#include "seiche/error.hpp"

namespace seiche {

MeasuredTable MeasuredTable::parse(const std::string& text) {
    MeasuredTable table;
    table.impl_ = exec::read_table(text);
    return table;
}

std::string MeasuredTable::text() const { return impl_ ? exec::text_of(*impl_) : std::string(); }

std::vector<MeasuredTable> environment_tables() {
    std::vector<MeasuredTable> tables;
    for (const exec::NamedText& file : exec::environment_tables()) {
        try {
            tables.push_back(MeasuredTable::parse(file.text));
        } catch (const InvalidProblem& error) {
            throw InvalidProblem(file.name + ": " + error.reason());
        }
    }
    return tables;
}

}  // namespace seiche

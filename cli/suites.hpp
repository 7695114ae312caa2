// Named lists of problems to time.
#pragma once

#include <string>
#include <vector>

namespace seiche::cli {

struct Suite {
    std::string name, description;
    std::vector<std::string> problems;
};

const std::vector<Suite>& suites();
/// "cpu, h200, ...": for messages.
std::string suite_names();
/// Throws UsageError that lists the names.
const Suite& find_suite(const std::string& name);

}  // namespace seiche::cli

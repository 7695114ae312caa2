// Named lists of problems to time.
#pragma once

#include <string>
#include <vector>

namespace seiche::cli {

struct SuiteCase {
    std::string problem;
    double mark = 0;  ///< The fraction of a large copy that the suite's device should reach; 0: none is set.
};

struct Suite {
    std::string name, description;
    std::vector<SuiteCase> cases;
};

const std::vector<Suite>& suites();
/// "cpu, h200, ...": for messages.
std::string suite_names();
/// Throws UsageError that lists the names.
const Suite& find_suite(const std::string& name);

}  // namespace seiche::cli

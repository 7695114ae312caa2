// Golden text: generated source that a person has read, kept in files beside the tests.
#pragma once

#include <string>

namespace seiche::test {

/// Compares `text` with the file of that name in tests/golden; with --update-golden writes the file instead.
void expect_golden(const std::string& file, const std::string& text);

}  // namespace seiche::test

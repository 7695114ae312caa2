// What an assembler says of a kernel, and the card that tests of it plan for.
#pragma once

#include <charconv>
#include <string>

#include "tests/unit/exec/limits.hpp"

namespace seiche::test {

/// The number that stands before `words` in the assembler's report, e.g. "Used 40 registers, 0 bytes spill stores"; -1:
/// none does.
inline int number_before(const std::string& log, const std::string& words) {
    const std::size_t end = log.find(" " + words);
    if (end == std::string::npos) return -1;
    const std::size_t space = log.find_last_not_of("0123456789", end - 1);
    int number = -1;
    std::from_chars(log.data() + space + 1, log.data() + end, number);
    return number;
}

inline DeviceLimits with_clusters_and_halves() {
    DeviceLimits limits = with_clusters();
    limits.fp16_arithmetic = true;
    return limits;
}

}  // namespace seiche::test

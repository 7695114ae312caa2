// The bytes that an explanation says pass through shared memory, beside those that the analyser counts.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "seiche/explain.hpp"
#include "seiche/inspect.hpp"

namespace seiche {

/// Gives the explanation.
inline Explanation expect_counted_bytes(const std::string& text, const DeviceLimits& limits,
                                        const Tuning& tuning = {}) {
    SCOPED_TRACE(text);
    const Problem problem = parse_problem(text);
    Explanation explanation = explain(problem, limits, tuning);
    const std::vector<AnalysisReport> counted = analyse(problem, limits, tuning);
    EXPECT_EQ(explanation.kernels.size(), counted.size());
    for (std::size_t i = 0; i < std::min(explanation.kernels.size(), counted.size()); ++i) {
        std::uint64_t read = 0, written = 0;
        for (const FlowStep& step : explanation.kernels[i].steps) {
            read += step.before.bytes_read;
            written += step.before.bytes_written;
        }
        EXPECT_EQ(written, counted[i].shared_bytes_written);
        EXPECT_EQ(read, counted[i].shared_bytes_read);
    }
    return explanation;
}

}  // namespace seiche

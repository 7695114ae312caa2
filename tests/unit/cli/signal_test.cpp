// Windows against the values of scipy.signal.get_window(name, 8).
#include <gtest/gtest.h>

#include <cmath>

#include "cli/signal/window.hpp"

namespace seiche::cli::signal {
namespace {

TEST(Window, IsPeriodic) {
    const double r = std::sqrt(0.5);
    const std::vector<double> hann{0, (1 - r) / 2, 0.5, (1 + r) / 2, 1, (1 + r) / 2, 0.5, (1 - r) / 2};
    const std::vector<double> blackman{0, 0.42 - 0.5 * r, 0.34, 0.42 + 0.5 * r,
                                       1, 0.42 + 0.5 * r, 0.34, 0.42 - 0.5 * r};
    for (std::size_t j = 0; j < 8; ++j) {
        EXPECT_NEAR(make_window({WindowShape::hann}, 8)[j], hann[j], 1e-15);
        EXPECT_NEAR(make_window({WindowShape::hamming}, 8)[j], 0.08 + 0.92 * hann[j], 1e-15);
        EXPECT_NEAR(make_window({WindowShape::blackman}, 8)[j], blackman[j], 1e-15);
        EXPECT_EQ(make_window({WindowShape::rect}, 8)[j], 1.0);
    }
    EXPECT_EQ(make_window({WindowShape::hann}, 1), std::vector<double>{1.0});
}

TEST(Window, IsWritten) {
    for (const char* text : {"hann", "blackman-harris", "flat-top", "kaiser:8.6", "gauss:12", "tukey:0.25"})
        EXPECT_EQ(to_string(parse_window(text).value()), text);
    for (const char* text :
         {"", "han", "hann:1", "kaiser", "kaiser:", "kaiser:x", "kaiser:-1", "kaiser:1e9", "gauss:0", "tukey:2"})
        EXPECT_FALSE(parse_window(text)) << text;
}

}  // namespace
}  // namespace seiche::cli::signal

// The C interface of tuning: what C++ makes of the same words.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "seiche/pack.hpp"
#include "seiche/seiche.h"
#include "seiche/version.hpp"
#include "seiche/wisdom.hpp"
#include "tests/unit/api/c_handles.hpp"

namespace {

using seiche::Handles;

TEST(CTuning, PlansObeyIt) {
    Handles h;
    ASSERT_EQ(seiche_plan_create_tuned(h.device, "256", "passes=32x8", SEICHE_ONLY_FORWARD, &h.plan), SEICHE_OK)
        << seiche_last_error();
    EXPECT_NE(std::string(seiche_plan_report(h.plan)).find("(stockham 32 "), std::string::npos)
        << seiche_plan_report(h.plan);
    seiche_plan_release(h.plan);
    ASSERT_EQ(seiche_plan_create_tuned(h.device, "256", nullptr, SEICHE_BOTH, &h.plan), SEICHE_OK);
    EXPECT_EQ(std::string(seiche_plan_report(h.plan)).find("four-step"), std::string::npos);
    seiche_plan_release(h.plan);
    EXPECT_EQ(seiche_plan_create_tuned(h.device, "256", "speed=9", SEICHE_BOTH, &h.plan), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(h.plan, nullptr);
    EXPECT_NE(std::string(seiche_last_error()).find("speed"), std::string::npos) << seiche_last_error();
    EXPECT_EQ(seiche_plan_create_tuned(h.device, "256", "radices=16x8", SEICHE_BOTH, &h.plan), SEICHE_UNSUPPORTED);
}

TEST(CTuning, WisdomIsFound) {
    Handles h;
    seiche::Wisdom wisdom;
    wisdom.set({seiche_device_description(h.device), seiche::version(), to_string(seiche::parse_problem("256 batch=4")),
                seiche::parse_tuning("passes=32x8"), 0.25, 0.5});
    const std::string text = wisdom.text();
    char* tuning = nullptr;
    ASSERT_EQ(seiche_wisdom_find(h.device, text.c_str(), "256 batch=5", &tuning), SEICHE_OK) << seiche_last_error();
    EXPECT_STREQ(tuning, "passes=32x8");
    seiche_text_release(tuning);
    ASSERT_EQ(seiche_wisdom_find(h.device, text.c_str(), "257", &tuning), SEICHE_OK);
    EXPECT_STREQ(tuning, "");
    seiche_text_release(tuning);
    EXPECT_EQ(seiche_wisdom_find(h.device, "no wisdom", "256", &tuning), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(tuning, nullptr);
}

TEST(CTuning, ValuesThatNoDeviceHasAreRefused) {
    Handles h;
    for (const char* tuning : {"threads=2147483649 transforms-per-group=2", "threads=65536 transforms-per-group=65536",
                               "groups-per-cluster=65536", "radices=65536x65536x65536x65536", "vector-lanes=4096"}) {
        EXPECT_EQ(seiche_plan_create_tuned(h.device, "64 batch=5", tuning, SEICHE_BOTH, &h.plan),
                  SEICHE_INVALID_PROBLEM)
            << tuning;
        EXPECT_EQ(h.plan, nullptr);
        EXPECT_NE(std::strstr(seiche_last_error(), "tuning."), nullptr) << seiche_last_error();
    }
}

TEST(CTuning, KernelsArePacked) {
    Handles h;
    ASSERT_EQ(seiche_plan_create_from_text(h.device, "64", SEICHE_BOTH, &h.plan), SEICHE_OK);
    unsigned char* bytes = nullptr;
    size_t count = 0;
    ASSERT_EQ(seiche_pack_kernels(&h.plan, 1, &bytes, &count), SEICHE_OK) << seiche_last_error();
    const std::vector<std::byte> same =
        seiche::pack_kernels({seiche::Plan(seiche::Device::open("reference"), seiche::parse_problem("64"))});
    ASSERT_EQ(count, same.size());
    EXPECT_EQ(std::memcmp(bytes, same.data(), count), 0);
    seiche_bytes_release(bytes);
    const seiche_plan* none = nullptr;
    EXPECT_EQ(seiche_pack_kernels(&none, 1, &bytes, &count), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(seiche_pack_kernels(nullptr, 1, &bytes, &count), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(bytes, nullptr);
}

}  // namespace

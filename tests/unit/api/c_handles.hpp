// A device and a plan of the C interface, released at the end of a test.
#pragma once

#include <gtest/gtest.h>

#include "seiche/seiche.h"

namespace seiche {

struct Handles {
    seiche_device* device = nullptr;
    seiche_plan* plan = nullptr;
    Handles() { EXPECT_EQ(seiche_device_open("reference", &device), SEICHE_OK) << seiche_last_error(); }
    Handles(const Handles&) = delete;
    Handles& operator=(const Handles&) = delete;
    ~Handles() {
        seiche_device_release(device);
        seiche_plan_release(plan);
    }
};

}  // namespace seiche

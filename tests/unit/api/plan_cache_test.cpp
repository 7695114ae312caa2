// What the cache of plans does with those that it alone holds when their device is opened again.
#include "api/plan_cache.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "runtime/backend.hpp"
#include "seiche/error.hpp"
#include "seiche/plan.hpp"

namespace seiche::test {
namespace {

/// The reference device, which allocates nothing any more when it is lost.
class LosableDevice final : public runtime::Device {
public:
    const DeviceInfo& info() const override { return real_->info(); }
    emit::Target target() const override { return real_->target(); }
    std::string compiler_version() const override { return real_->compiler_version(); }
    runtime::Binary compile(const emit::Source& source) override { return real_->compile(source); }
    std::shared_ptr<runtime::Module> load(const emit::Source& source, const runtime::Binary& binary) override {
        return real_->load(source, binary);
    }
    bool keeps_binaries() const override { return false; }
    std::shared_ptr<runtime::Buffer> allocate(std::uint64_t bytes) override {
        ++allocations;
        if (is_lost) throw BackendError("the device is lost");
        return real_->allocate(bytes);
    }
    std::shared_ptr<runtime::Queue> create_queue() override { return real_->create_queue(); }

    bool is_lost = false;
    int allocations = 0;

private:
    std::shared_ptr<runtime::Device> real_ = runtime::open_device("reference");
};

class PlanCacheOfLostDevices : public testing::Test {
protected:
    Plan plan(const char* problem) const { return Plan(Device(device_), parse_problem(problem)); }
    /// As who opens it, and has it from those who still do.
    bool drop() const { return api::drop_if_lost(device_); }

    LosableDevice* losable_ = new LosableDevice;
    std::shared_ptr<runtime::Device> device_{losable_};
    std::weak_ptr<runtime::Device> watched_ = device_;
};

TEST_F(PlanCacheOfLostDevices, lets_go_of_all_that_it_alone_holds) {
    for (const char* problem : {"20", "21", "22x4"}) plan(problem);
    losable_->is_lost = true;
    EXPECT_TRUE(drop());
    device_.reset();
    EXPECT_TRUE(watched_.expired());
}

TEST_F(PlanCacheOfLostDevices, keeps_plans_of_a_device_that_answers) {
    const PlanReport* const report = &plan("20").report();
    EXPECT_FALSE(drop());
    EXPECT_EQ(&plan("20").report(), report);
    losable_->is_lost = true;
    EXPECT_TRUE(drop());
}

// It is not asked either: opening it costs nothing.
TEST_F(PlanCacheOfLostDevices, leaves_a_device_alone_that_has_other_owners) {
    plan("20");
    losable_->is_lost = true;
    losable_->allocations = 0;
    {
        const Device owner(device_);
        EXPECT_FALSE(drop());
    }
    EXPECT_EQ(losable_->allocations, 0);
    EXPECT_TRUE(drop());
}

TEST_F(PlanCacheOfLostDevices, leaves_a_device_alone_whose_plan_is_in_use) {
    {
        const Plan used = plan("20");
        plan("21");
        losable_->is_lost = true;
        EXPECT_FALSE(drop());
    }
    EXPECT_TRUE(drop());
    EXPECT_FALSE(drop()) << "no plan is left";
}

// The same plan again is the same object, however long it is.
TEST(PlanCache, keeps_long_plans) {
    const Device device = Device::open("reference");
    const auto planned = [&](const char* problem) {
        return Plan(device, parse_problem(problem)).report().plan_milliseconds;
    };
    const double long_one = planned("1048576 f64");
    for (int n = 40; n < 55; ++n) planned(std::to_string(n).c_str());
    EXPECT_EQ(planned("1048576 f64"), long_one) << "it is among the last 16";
    for (int n = 60; n < 75; ++n) planned(std::to_string(n).c_str());
    EXPECT_EQ(planned("1048576 f64"), long_one) << "used again, it stays longer";
    for (int n = 80; n < 96; ++n) planned(std::to_string(n).c_str());
    EXPECT_NE(planned("1048576 f64"), long_one) << "it was the seventeenth";
}

/// Of so much memory that its kept plans may have no more than 64 KiB of tables.
class SmallDevice final : public runtime::Device {
public:
    SmallDevice() : info_(real_->info()) { info_.limits.memory_bytes = 64u << 16; }
    const DeviceInfo& info() const override { return info_; }
    emit::Target target() const override { return real_->target(); }
    std::string compiler_version() const override { return real_->compiler_version(); }
    runtime::Binary compile(const emit::Source& source) override { return real_->compile(source); }
    std::shared_ptr<runtime::Module> load(const emit::Source& source, const runtime::Binary& binary) override {
        return real_->load(source, binary);
    }
    bool keeps_binaries() const override { return false; }
    std::shared_ptr<runtime::Buffer> allocate(std::uint64_t bytes) override { return real_->allocate(bytes); }
    std::shared_ptr<runtime::Queue> create_queue() override { return real_->create_queue(); }

private:
    std::shared_ptr<runtime::Device> real_ = runtime::open_device("reference");
    DeviceInfo info_;
};

TEST(PlanCache, keeps_no_more_tables_than_are_small_beside_the_memory) {
    const Device device(std::make_shared<SmallDevice>());
    const auto planned = [&](const char* problem) {
        return Plan(device, parse_problem(problem)).report().plan_milliseconds;
    };
    const double tiny = planned("8");
    const Plan large(device, parse_problem("65536 f64"));
    std::uint64_t bytes = 0;
    for (const KernelReport& kernel : large.report().kernels) bytes += kernel.table_bytes;
    ASSERT_GT(bytes, 64u << 10) << "choose a longer one";
    EXPECT_EQ(planned("8"), tiny) << "what is too large drives nothing out";
    EXPECT_EQ(planned("65536 f64"), large.report().plan_milliseconds) << "it lives";
}

}  // namespace
}  // namespace seiche::test

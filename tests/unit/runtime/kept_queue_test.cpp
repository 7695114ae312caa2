// The queue that a device keeps for making plans: one for all threads, a new one after a failure, none on a device that
// its caller ends.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "plan_threads.hpp"
#include "runtime/backend.hpp"
#include "seiche/error.hpp"
#include "seiche/plan.hpp"

namespace seiche::test {
namespace {

/// What the queues of a device do, and what they shall do.
struct Watch {
    std::atomic<int> made{0}, alive{0}, overlaps{0}, uploads{0};
    std::atomic<bool> making_fails{false}, upload_fails{false}, waiting_fails{false};
};

void fail_if(bool fails) {
    if (fails) throw BackendError("the device is lost");
}

class WatchedQueue final : public runtime::Queue {
public:
    WatchedQueue(std::shared_ptr<runtime::Queue> real, std::shared_ptr<Watch> watch)
        : real_(std::move(real)), watch_(std::move(watch)) {
        ++watch_->made;
        ++watch_->alive;
    }
    ~WatchedQueue() override { --watch_->alive; }
    void upload(runtime::Buffer& to, std::uint64_t offset, const void* from, std::size_t bytes) override {
        if (++inside_ != 1) ++watch_->overlaps;
        ++watch_->uploads;
        real_->upload(to, offset, from, bytes);
        std::this_thread::yield();
        --inside_;
        fail_if(watch_->upload_fails);
    }
    void download(void* to, runtime::Buffer& from, std::uint64_t offset, std::size_t bytes) override {
        real_->download(to, from, offset, bytes);
    }
    void copy(runtime::Buffer& to, std::uint64_t to_offset, runtime::Buffer& from, std::uint64_t from_offset,
              std::uint64_t bytes) override {
        real_->copy(to, to_offset, from, from_offset, bytes);
    }
    void launch(const runtime::Launch& launch) override { real_->launch(launch); }
    void wait() override {
        real_->wait();
        fail_if(watch_->waiting_fails);
    }
    std::shared_ptr<runtime::Event> record() override { return real_->record(); }
    double milliseconds(const runtime::Event& from, const runtime::Event& to) override {
        return real_->milliseconds(from, to);
    }

private:
    std::shared_ptr<runtime::Queue> real_;
    std::shared_ptr<Watch> watch_;
    std::atomic<int> inside_{0};
};

/// The reference device, with queues that are watched.
class WatchedDevice final : public runtime::Device {
public:
    WatchedDevice(std::shared_ptr<Watch> watch, bool is_callers)
        : real_(runtime::open_device("reference")), watch_(std::move(watch)), is_callers_(is_callers) {}
    const DeviceInfo& info() const override { return real_->info(); }
    emit::Target target() const override { return real_->target(); }
    std::string compiler_version() const override { return real_->compiler_version(); }
    runtime::Binary compile(const emit::Source& source) override { return real_->compile(source); }
    std::shared_ptr<runtime::Module> load(const emit::Source& source, const runtime::Binary& binary) override {
        return real_->load(source, binary);
    }
    bool keeps_binaries() const override { return false; }
    bool belongs_to_caller() const override { return is_callers_; }
    std::shared_ptr<runtime::Buffer> allocate(std::uint64_t bytes) override { return real_->allocate(bytes); }
    std::shared_ptr<runtime::Queue> create_queue() override {
        fail_if(watch_->making_fails);
        return std::make_shared<WatchedQueue>(real_->create_queue(), watch_);
    }

private:
    std::shared_ptr<runtime::Device> real_;
    std::shared_ptr<Watch> watch_;
    bool is_callers_;
};

class KeptQueue : public testing::Test {
protected:
    Device open(bool is_callers = false) { return Device(std::make_shared<WatchedDevice>(watch_, is_callers)); }
    /// The cache of plans keeps a few until it gets a new one.
    static void let_go() {
        static std::uint64_t length = 1;
        const Plan other(Device::open("reference"), of_length(++length));
    }

    std::shared_ptr<Watch> watch_ = std::make_shared<Watch>();
};

TEST_F(KeptQueue, serves_all_plans_and_ends_with_the_device) {
    {
        const Device device = open();
        for (const std::uint64_t length : {64u, 96u, 1009u, 4096u}) {
            const int uploads = watch_->uploads;
            const Plan plan(device, of_length(length));
            EXPECT_GT(watch_->uploads, uploads) << length;
            EXPECT_EQ(watch_->made, 1);
            EXPECT_EQ(watch_->alive, 1);
        }
    }
    let_go();
    EXPECT_EQ(watch_->alive, 0) << "the queue keeps the device or is kept by something else";
}

TEST_F(KeptQueue, serves_one_thread_at_a_time) {
    const Device device = open();
    plan_from_threads(device);
    EXPECT_EQ(watch_->overlaps, 0);
    EXPECT_EQ(watch_->alive, 1);
}

TEST_F(KeptQueue, is_given_up_after_a_failure) {
    std::uint64_t length = 64;
    for (std::atomic<bool> Watch::*const failing : {&Watch::making_fails, &Watch::upload_fails, &Watch::waiting_fails})
        for (const bool is_first : {true, false}) {
            const Device fresh = open();
            if (!is_first && failing == &Watch::making_fails) continue;  // it is made
            let_go();
            length += 16;
            if (!is_first) expect_right(Plan(fresh, of_length(length)), length);
            (*watch_).*failing = true;
            EXPECT_THROW(Plan(fresh, of_length(length + 8)), BackendError);
            EXPECT_EQ(watch_->alive, 0) << "the queue that failed is still there";
            (*watch_).*failing = false;
            expect_right(Plan(fresh, of_length(length + 8)), length + 8);
            EXPECT_EQ(watch_->alive, 1);
        }
}

TEST_F(KeptQueue, is_none_on_a_device_that_its_caller_ends) {
    const Device device = open(true);
    for (const std::uint64_t length : {64u, 96u}) {
        const Plan plan(device, of_length(length));
        EXPECT_EQ(watch_->alive, 0);
    }
    EXPECT_EQ(watch_->made, 2);
    watch_->waiting_fails = true;
    EXPECT_THROW(Plan(device, of_length(72)), BackendError);
    EXPECT_EQ(watch_->alive, 0);
}

}  // namespace
}  // namespace seiche::test

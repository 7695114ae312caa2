// Level Zero devices: the list of them, the context that one is used through, and one that is open.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "runtime/backend.hpp"
#include "runtime/level_zero/api.hpp"

namespace seiche::runtime::level_zero {

class LevelZeroQueue;

/// A device with the driver that it is of.
struct DeviceOf {
    Driver driver = nullptr;
    DeviceHandle device = nullptr;
};

/// What every object needs of its device: a context, and the queues whose work must end before anything is given up.
class Session {
public:
    /// `owned`: destroyed at the end. The caller's context is not.
    Session(DeviceOf of, Context context, bool owned);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    Context context() const { return context_; }
    DeviceHandle device() const { return of_.device; }
    Uint compute_group() const { return compute_group_; }
    const std::array<Uint, 3>& most_groups() const { return most_groups_; }
    /// Of a subgroup.
    Uint fewest_lanes() const { return fewest_lanes_; }
    double nanoseconds_per_tick() const { return nanoseconds_per_tick_; }
    std::uint64_t timestamp_mask() const { return timestamp_mask_; }

    void add(LevelZeroQueue* queue);
    void remove(LevelZeroQueue* queue);
    /// Waits for the work of every queue, so that memory and kernels may be given up: Level Zero frees at once what is
    /// still in use. Never throws.
    void settle() noexcept;

private:
    void ask();

    DeviceOf of_;
    Context context_;
    bool owned_;
    Uint compute_group_ = 0;
    std::array<Uint, 3> most_groups_{};
    Uint fewest_lanes_ = 0;
    double nanoseconds_per_tick_ = 1;
    std::uint64_t timestamp_mask_ = 0;
    std::mutex mutex_;
    std::set<LevelZeroQueue*> queues_;
};

class LevelZeroDevice final : public Device {
public:
    LevelZeroDevice(std::shared_ptr<Session> session, DeviceInfo info, bool callers)
        : session_(std::move(session)), info_(std::move(info)), callers_(callers) {}

    const DeviceInfo& info() const override { return info_; }
    emit::Target target() const override;
    std::string compiler_version() const override;
    Binary compile(const emit::Source& source) override;
    std::shared_ptr<Module> load(const emit::Source& source, const Binary& binary) override;
    std::shared_ptr<Module> build(const emit::Source& source) override;
    bool belongs_to_caller() const override { return callers_; }
    std::shared_ptr<Buffer> allocate(std::uint64_t bytes) override;
    std::shared_ptr<Queue> create_queue() override;

    const std::shared_ptr<Session>& session() const { return session_; }

private:
    std::shared_ptr<Session> session_;
    DeviceInfo info_;
    bool callers_;
};

/// Every device, usable or not with the reason, or one absent entry.
std::vector<DeviceInfo> list();
std::shared_ptr<Device> open(const DeviceInfo& info);

/// One device of a context of the caller's. Throws Unsupported where it cannot be used.
std::shared_ptr<Device> adopt(Driver driver, Context context, DeviceHandle device);

}  // namespace seiche::runtime::level_zero

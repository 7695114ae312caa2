// CUDA devices: the list of them, and one that is open.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/backend.hpp"
#include "runtime/cuda/api.hpp"

namespace seiche::runtime::cuda {

/// A context, kept alive by everything that was made in it: the card's primary one, or the caller's, which stays the
/// caller's.
struct Session {
    Session(Context c, Ordinal o, bool own) : context(c), ordinal(o), primary(own) {}
    ~Session() {
        if (primary) api().cuDevicePrimaryCtxRelease(ordinal);
    }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    Context context;
    Ordinal ordinal;
    bool primary;
};

/// Makes a context current while it lives, on this thread.
class Current {
public:
    explicit Current(const Session& session) {
        Context here = nullptr;
        if (api().cuCtxGetCurrent(&here) == success && here == session.context) return;  // asking costs the least
        check(api().cuCtxPushCurrent(session.context), "cuCtxPushCurrent");
        is_pushed_ = true;
    }
    ~Current() {
        Context popped = nullptr;
        if (is_pushed_) api().cuCtxPopCurrent(&popped);
    }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

private:
    bool is_pushed_ = false;
};

class CudaDevice final : public Device {
public:
    CudaDevice(std::shared_ptr<Session> session, DeviceInfo info);

    const DeviceInfo& info() const override { return info_; }
    emit::Target target() const override;
    std::string compiler_version() const override;
    Binary compile(const emit::Source& source) override;
    std::shared_ptr<Module> load(const emit::Source& source, const Binary& binary) override;
    FunctionForm functions() const override { return FunctionForm::code; }
    bool belongs_to_caller() const override { return !session_->primary; }
    std::shared_ptr<Buffer> allocate(std::uint64_t bytes) override;
    std::shared_ptr<HostMemory> allocate_host(std::uint64_t bytes) override;
    std::shared_ptr<Queue> create_queue() override;

    const std::shared_ptr<Session>& session() const { return session_; }

private:
    Binary compile_ptx(const emit::Source& source);
    /// CUDA C++ by NVRTC, linked to the functions that it calls.
    Binary compile_text(const emit::Source& source) const;

    std::shared_ptr<Session> session_;
    DeviceInfo info_;
    int capability_;
    emit::PtxUse ptx_;
};

/// Every card, usable or not with the reason, or one absent entry.
std::vector<DeviceInfo> list();
std::shared_ptr<Device> open(const DeviceInfo& info);

/// What `list` says of one card.
DeviceInfo describe(Ordinal ordinal);

}  // namespace seiche::runtime::cuda

// Events of CUDA as marks, and what peer copies and IPC do with them alike.
#pragma once

#include <optional>

#include "cuda_driver.hpp"
#include "seiche/distributed/peers.hpp"
#include "seiche/interop/untyped.hpp"

namespace seiche::distributed {

class CudaMark final : public Marks::Mark {
public:
    /// `flags` of cuEventCreate.
    CudaMark(const Device& device, std::uint32_t flags) : device_(device) {
        const cuda_driver::Current current(cuda_driver::context_of(device));
        cuda_driver::check(cuda_driver::driver().create_event(&event_, flags), "cuEventCreate");
    }
    /// Of another process.
    CudaMark(const Device& device, const cuda_driver::IpcHandle& shared) : device_(device) {
        const cuda_driver::Current current(cuda_driver::context_of(device));
        cuda_driver::check(cuda_driver::driver().open_event(&event_, shared), "cuIpcOpenEventHandle");
    }
    ~CudaMark() override { cuda_driver::driver().destroy_event(event_); }
    cuda_driver::Event event() const { return event_; }
    const Device& device() const { return device_; }

private:
    Device device_;  // its context has to be there
    cuda_driver::Event event_ = nullptr;
};

inline CudaMark& cuda_mark(Marks::Mark& mark) { return dynamic_cast<CudaMark&>(mark); }
inline cuda_driver::Event event_of(Marks::Mark& mark) { return cuda_mark(mark).event(); }

/// Peers or Ipc, whose marks are CudaMark.
template <class Base>
class CudaMarks : public Base {
public:
    void record(Queue& queue, Marks::Mark& mark) override { cuda::untyped::record(queue, event_of(mark)); }
    void wait_for(Queue& queue, Marks::Mark& mark) override { cuda::untyped::wait_for(queue, event_of(mark)); }
    void copy(Queue& queue, const BufferView& to, const BufferView& from, std::uint64_t bytes) override {
        queue.copy(to, from, bytes);
    }
    std::optional<std::uint64_t> shortest_row() const override { return cuda_driver::shortest_fast_row; }
    void copy_rows(Queue& queue, const Device& to_device, const BufferView& to, const Device& from_device,
                   const BufferView& from, const Rows& rows) override {
        cuda_driver::copy_rows(queue, to_device, to, from_device, from, rows);
    }
};

}  // namespace seiche::distributed

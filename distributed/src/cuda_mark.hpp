// Events of CUDA as marks.
#pragma once

#include "cuda_driver.hpp"
#include "seiche/distributed/peers.hpp"

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

}  // namespace seiche::distributed

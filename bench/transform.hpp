// What every other FFT library looks like to seiche-peers: prepared once, then loaded, run and read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace seiche::bench {

/// A dense forward complex transform along all axes, unscaled.
struct Case {
    bool fp64 = false;
    std::vector<std::uint64_t> lengths;  ///< Slowest axis first.
    std::uint64_t batch = 1;
    bool in_place = false;
    int device_index = 0;     ///< Among the devices of the peer's own interface, where no name is given.
    std::string device_name;  ///< The driver's name of the device that Seiche runs on; empty: any.

    std::uint64_t points() const;  ///< Of one array.
    std::uint64_t bytes() const;   ///< Of all arrays.
};

/// A transform that is ready to run. Not for use from two threads.
class Transform {
public:
    virtual ~Transform() = default;
    /// Copies `bytes()` of input to where the transform reads it, and fills the output with NaN where it is elsewhere.
    virtual void load(const void* input) = 0;
    /// Runs `count` times, one after the other; milliseconds that the device took for one.
    virtual double run(unsigned count) = 0;
    /// Copies the output to the host.
    virtual void read(void* output) = 0;
    /// "fftw-3.3.10, 2 threads": printed beside the figures.
    virtual std::string description() const = 0;
};

/// One library. `prepare` throws PeerError when it is absent or cannot do the case.
struct Peer {
    const char* name;
    std::unique_ptr<Transform> (*prepare)(const Case& what);
};

/// The peers that this build carries.
const std::vector<Peer>& peers();

struct PeerError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

std::unique_ptr<Transform> prepare_fftw(const Case& what);
std::unique_ptr<Transform> prepare_clfft(const Case& what);
std::unique_ptr<Transform> prepare_vkfft(const Case& what);
std::unique_ptr<Transform> prepare_cufft(const Case& what);
std::unique_ptr<Transform> prepare_rocfft(const Case& what);

}  // namespace seiche::bench

// What every other FFT library looks like to seiche-peers: prepared once, then loaded, run and read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "seiche/problem.hpp"  // for Kind alone: nothing of the library is linked

namespace seiche::bench {

/// What the arrays of a case hold.
enum class Number { f32, f64, f16, bf16 };
/// "f32", "f64", "f16", "bf16".
const char* to_string(Number number) noexcept;

inline constexpr std::uint64_t cached_period = std::uint64_t{4} << 20;

/// A dense transform along all axes, unscaled: forward, or c2r. In place the real rows of an r2c or c2r are padded to
/// 2 (n/2 + 1) numbers.
struct Case {
    Number number = Number::f32;         ///< Halves go with c2c alone, in whatever arithmetic the library has for them.
    std::vector<Kind> kinds;             ///< One per axis; of r2c and c2r the last one's, the others are c2c.
    std::vector<std::uint64_t> lengths;  ///< Slowest axis first.
    std::uint64_t batch = 1;
    bool in_place = false;
    bool cached_input = false;  ///< The input is `cached_period` bytes again and again, which stay in the card's cache.
    bool in_graph = false;      ///< What is timed is one launch of a graph of all executions in a row.
    int device_index = 0;       ///< Among the devices of the peer's own interface, where no name is given.
    std::string device_name;    ///< The driver's name of the device that Seiche runs on; empty: any.

    bool has_doubles() const { return number == Number::f64; }
    bool has_halves() const { return number == Number::f16 || number == Number::bf16; }
    Kind kind() const { return kinds.back(); }
    std::uint64_t points() const;  ///< Of one array: the product of its lengths.
    std::uint64_t input_bytes() const;
    std::uint64_t output_bytes() const;
    std::uint64_t bytes() const;  ///< Of the larger array, which both fit in.
    /// Numbers from one row to the next, real or complex as they are.
    std::uint64_t row(bool output) const;
    bool is_real(bool output) const;
    /// Numbers from one array of the batch to the next.
    std::uint64_t distance(bool output) const { return points() / lengths.back() * row(output); }
};

/// A transform that is ready to run. Not for use from two threads.
class Transform {
public:
    virtual ~Transform() = default;
    /// Copies `input_bytes()` to where the transform reads it, and fills the output with NaN where it is elsewhere.
    virtual void load(const void* input) = 0;
    /// The same input once more, after runs that spoilt it.
    virtual void reload(const void* input) { load(input); }
    /// Runs `count` times, one after the other; milliseconds that the device took for one.
    virtual double run(unsigned count) = 0;
    /// Copies `output_bytes()` to the host.
    virtual void read(void* output) = 0;
    /// Memory of the device that the plan takes beside the arrays; nothing where the library does not say.
    virtual std::optional<std::uint64_t> workspace_bytes() const { return std::nullopt; }
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

/// Throws PeerError for a case that is not c2c along all axes.
void require_complex(const Case& what, const char* peer);
/// Throws PeerError for a case that is neither that nor r2c.
void require_forward(const Case& what, const char* peer);
/// Throws PeerError for a case of halves.
void refuse_halves(const Case& what, const char* peer);
/// The peers that know graphs.
bool has_graphs(const std::string& peer);

std::unique_ptr<Transform> prepare_fftw(const Case& what);
std::unique_ptr<Transform> prepare_clfft(const Case& what);
std::unique_ptr<Transform> prepare_vkfft(const Case& what);
std::unique_ptr<Transform> prepare_vkfft_vulkan(const Case& what);
std::unique_ptr<Transform> prepare_vkfft_cuda(const Case& what);
std::unique_ptr<Transform> prepare_cufft(const Case& what);
std::unique_ptr<Transform> prepare_rocfft(const Case& what);

}  // namespace seiche::bench

// CUDA's driver, its run-time compiler and cuFFT, all loaded at run time. No vendor header: the few prototypes stand
// here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace seiche::rivals {

using Address = unsigned long long;
using Handle = void*;

struct Driver {
    int (*set_current)(Handle);
    int (*current_device)(int*);
    int (*attribute)(int*, int, int);
    int (*allocate)(Address*, std::size_t);
    int (*release)(Address);
    int (*download)(void*, Address, std::size_t);
    int (*fill)(Address, unsigned char, std::size_t, Handle);
    int (*wait)(Handle);
    int (*load)(Handle*, const void*);
    int (*unload)(Handle);
    int (*function)(Handle*, Handle, const char*);
    int (*launch)(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Handle, void**, void**);
    int (*begin_capture)(Handle, int);
    int (*end_capture)(Handle, Handle*);
    int (*instantiate)(Handle*, Handle, unsigned long long);
    int (*launch_graph)(Handle, Handle);
    int (*destroy_graph)(Handle);
    int (*destroy_instance)(Handle);

    Driver();
};

struct Nvrtc {
    int (*create)(Handle*, const char*, const char*, int, const char* const*, const char* const*);
    int (*compile)(Handle, int, const char* const*);
    int (*code_size)(Handle, std::size_t*);
    int (*code)(Handle, char*);
    int (*log_size)(Handle, std::size_t*);
    int (*log)(Handle, char*);
    int (*destroy)(Handle*);

    Nvrtc();
};

struct Cufft {
    int (*version)(int*);
    int (*create)(int*);
    int (*make_plan)(int, int, long long*, long long*, long long, long long, long long*, long long, long long, int,
                     long long, std::size_t*);
    int (*set_stream)(int, Handle);
    int (*execute_c2c)(int, void*, void*, int);
    int (*execute_z2z)(int, void*, void*, int);
    int (*execute_r2c)(int, void*, void*);
    int (*execute_c2r)(int, void*, void*);
    int (*destroy)(int);

    Cufft();
    std::string name() const;  ///< "cufft-12.0.0"
};

/// Throw cli::Failure where the library is not there. Loaded once.
const Driver& driver();
const Nvrtc& nvrtc();
const Cufft& cufft();

/// Throws cli::Failure, naming the call.
void check(int code, const char* call);

/// Device memory.
class Memory {
public:
    Memory() = default;
    explicit Memory(std::uint64_t bytes) { check(driver().allocate(&address_, bytes), "cuMemAlloc"); }
    ~Memory() { reset(); }
    Memory(Memory&& other) noexcept : address_(other.address_) { other.address_ = 0; }
    Memory& operator=(Memory&& other) noexcept {
        reset();
        address_ = other.address_;
        other.address_ = 0;
        return *this;
    }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    Address address() const { return address_; }

private:
    void reset() {
        if (address_ != 0) driver().release(address_);
        address_ = 0;
    }
    Address address_ = 0;
};

/// Blocks of a launch.
struct Grid {
    std::uint64_t x = 1, y = 1, z = 1;
};

/// The kernels of kernels.hpp, compiled for the current context's card.
class Kernels {
public:
    explicit Kernels(Handle stream);
    ~Kernels();
    Kernels(const Kernels&) = delete;
    Kernels& operator=(const Kernels&) = delete;

    /// `threads` threads a block; arguments as the kernel has them, by value.
    template <class... Arguments>
    void launch(const char* kernel, const Grid& grid, Arguments... arguments) {
        void* pointers[] = {&arguments...};
        launch_with(kernel, grid, pointers);
    }
    static constexpr unsigned threads = 256, elements = 4 * threads;  ///< Of a block, along x.

private:
    void launch_with(const char* kernel, const Grid& grid, void** arguments);

    Handle stream_, module_ = nullptr;
    std::map<std::string, Handle> functions_;
};

/// Kinds of cuFFT's transforms.
enum class Type { c2c = 0x29, r2c = 0x2a, c2r = 0x2c, z2z = 0x69 };

/// What lies where, as cuFFT's nembed, and points from one array and one point to the next.
struct Layout {
    std::vector<std::uint64_t> embedded;
    std::uint64_t distance = 0, stride = 1;
};

/// One batched transform of cuFFT.
class Transform {
public:
    Transform() = default;
    Transform(Type type, const std::vector<std::uint64_t>& lengths, const Layout& input, const Layout& output,
              std::uint64_t batch, Handle stream);
    /// Dense in and out.
    Transform(Type type, const std::vector<std::uint64_t>& lengths, std::uint64_t batch, Handle stream);
    ~Transform() { reset(); }
    Transform(Transform&& other) noexcept : plan_(other.plan_), type_(other.type_) { other.plan_ = none; }
    Transform& operator=(Transform&& other) noexcept {
        reset();
        plan_ = other.plan_;
        type_ = other.type_;
        other.plan_ = none;
        return *this;
    }
    Transform(const Transform&) = delete;
    Transform& operator=(const Transform&) = delete;
    void run(Address from, Address to, bool inverse = false) const;

private:
    static constexpr int none = -1;
    void reset() {
        if (plan_ != none) cufft().destroy(plan_);
        plan_ = none;
    }
    int plan_ = none;
    Type type_ = Type::c2c;
};

}  // namespace seiche::rivals

// cuFFT (NVIDIA) through the driver API, both loaded at run time. No vendor header: the few prototypes stand here.
#include <cstdint>
#include <optional>

#include "bench/loaded_library.hpp"

namespace seiche::bench {
namespace {

using DevicePointer = unsigned long long;
using Handle = void*;
constexpr int c2c = 0x29, r2c = 0x2a, c2r = 0x2c, z2z = 0x69, d2z = 0x6a, z2d = 0x6c, forward = -1;
constexpr int complex_f16 = 6, complex_bf16 = 15;  // cudaDataType

struct Location {  // CUmemLocation
    int type = 1, device = 0;
};
struct Memory {  // CUmemAllocationProp
    int type = 1, handles = 0;
    Location location;
    void* windows = nullptr;
    unsigned char flags[8] = {};
};
struct Access {  // CUmemAccessDesc
    Location location;
    int flags = 3;
};

struct Driver {
    int (*init)(unsigned);
    int (*device_get)(int*, int);
    int (*device_name)(char*, int, int);
    int (*retain)(Handle*, int);
    int (*set_current)(Handle);
    int (*allocate)(DevicePointer*, std::size_t);
    int (*release)(DevicePointer);
    int (*create)(DevicePointer*, std::size_t, const Memory*, unsigned long long);
    int (*release_created)(DevicePointer);
    int (*reserve)(DevicePointer*, std::size_t, std::size_t, DevicePointer, unsigned long long);
    int (*release_reserved)(DevicePointer, std::size_t);
    int (*map)(DevicePointer, std::size_t, std::size_t, DevicePointer, unsigned long long);
    int (*unmap)(DevicePointer, std::size_t);
    int (*set_access)(DevicePointer, std::size_t, const Access*, std::size_t);
    int (*upload)(DevicePointer, const void*, std::size_t);
    int (*copy)(DevicePointer, DevicePointer, std::size_t);
    int (*download)(void*, DevicePointer, std::size_t);
    int (*fill)(DevicePointer, unsigned char, std::size_t);
    int (*event_create)(Handle*, unsigned);
    int (*event_record)(Handle, Handle);
    int (*event_wait)(Handle);
    int (*event_elapsed)(float*, Handle, Handle);
    int (*event_destroy)(Handle);
    int (*stream_create)(Handle*, unsigned);
    int (*stream_destroy)(Handle);
    int (*begin_capture)(Handle, int);
    int (*end_capture)(Handle, Handle*);
    int (*instantiate)(Handle*, Handle, unsigned long long);
    int (*launch_graph)(Handle, Handle);
    int (*destroy_graph)(Handle);
    int (*destroy_instance)(Handle);

    Driver() {
        const LoadedLibrary library({"libcuda.so.1"}, "/usr/lib/wsl/lib");
        library.find(init, "cuInit");
        library.find(device_get, "cuDeviceGet");
        library.find(device_name, "cuDeviceGetName");
        library.find(retain, "cuDevicePrimaryCtxRetain");
        library.find(set_current, "cuCtxSetCurrent");
        library.find(allocate, "cuMemAlloc_v2");
        library.find(release, "cuMemFree_v2");
        library.find(create, "cuMemCreate");
        library.find(release_created, "cuMemRelease");
        library.find(reserve, "cuMemAddressReserve");
        library.find(release_reserved, "cuMemAddressFree");
        library.find(map, "cuMemMap");
        library.find(unmap, "cuMemUnmap");
        library.find(set_access, "cuMemSetAccess");
        library.find(upload, "cuMemcpyHtoD_v2");
        library.find(download, "cuMemcpyDtoH_v2");
        library.find(copy, "cuMemcpyDtoD_v2");
        library.find(fill, "cuMemsetD8_v2");
        library.find(event_create, "cuEventCreate");
        library.find(event_record, "cuEventRecord");
        library.find(event_wait, "cuEventSynchronize");
        library.find(event_elapsed, "cuEventElapsedTime");
        library.find(event_destroy, "cuEventDestroy_v2");
        library.find(stream_create, "cuStreamCreate");
        library.find(stream_destroy, "cuStreamDestroy_v2");
        library.find(begin_capture, "cuStreamBeginCapture_v2");
        library.find(end_capture, "cuStreamEndCapture");
        library.find(instantiate, "cuGraphInstantiateWithFlags");
        library.find(launch_graph, "cuGraphLaunch");
        library.find(destroy_graph, "cuGraphDestroy");
        library.find(destroy_instance, "cuGraphExecDestroy");
    }
};

struct Library {
    int (*version)(int*);
    int (*create)(int*);
    int (*make_plan)(int, int, long long*, long long*, long long, long long, long long*, long long, long long, int,
                     long long, std::size_t*);
    int (*make_plan_of_halves)(int, int, long long*, long long*, long long, long long, int, long long*, long long,
                               long long, int, long long, std::size_t*, int);
    int (*execute_halves)(int, void*, void*, int);
    int (*execute_single)(int, void*, void*, int);
    int (*execute_double)(int, void*, void*, int);
    int (*execute_r2c)(int, void*, void*);
    int (*execute_c2r)(int, void*, void*);
    int (*execute_d2z)(int, void*, void*);
    int (*execute_z2d)(int, void*, void*);
    int (*set_stream)(int, Handle);
    int (*destroy)(int);

    Library() {
        const LoadedLibrary library({"libcufft.so.12", "libcufft.so.11", "libcufft.so.10"},
                                    environment("CUDA_PATH", "/usr/local/cuda") + "/lib64");
        library.find(version, "cufftGetVersion");
        library.find(create, "cufftCreate");
        library.find(make_plan, "cufftMakePlanMany64");
        library.find(make_plan_of_halves, "cufftXtMakePlanMany");
        library.find(execute_halves, "cufftXtExec");
        library.find(execute_single, "cufftExecC2C");
        library.find(execute_double, "cufftExecZ2Z");
        library.find(execute_r2c, "cufftExecR2C");
        library.find(execute_c2r, "cufftExecC2R");
        library.find(execute_d2z, "cufftExecD2Z");
        library.find(execute_z2d, "cufftExecZ2D");
        library.find(set_stream, "cufftSetStream");
        library.find(destroy, "cufftDestroy");
    }
};

void check(int code, const char* call) {
    if (code != 0) throw PeerError(std::string(call) + " failed with code " + std::to_string(code));
}

/// Addresses of the same `cached_period` bytes again and again.
class RepeatedMemory {
public:
    RepeatedMemory(const Driver& driver, int device, std::uint64_t bytes)
        : driver_(driver), bytes_((bytes + cached_period - 1) / cached_period * cached_period) {
        try {
            map(device);
        } catch (...) {
            release();
            throw;
        }
    }
    ~RepeatedMemory() { release(); }
    RepeatedMemory(const RepeatedMemory&) = delete;
    RepeatedMemory& operator=(const RepeatedMemory&) = delete;
    DevicePointer address() const { return address_; }

private:
    void map(int device) {
        Memory memory;
        Access access;
        memory.location.device = access.location.device = device;
        check(driver_.create(&memory_, cached_period, &memory, 0), "cuMemCreate");
        has_memory_ = true;
        check(driver_.reserve(&address_, bytes_, 0, 0, 0), "cuMemAddressReserve");
        for (; mapped_ < bytes_; mapped_ += cached_period)
            check(driver_.map(address_ + mapped_, cached_period, 0, memory_, 0), "cuMemMap");
        check(driver_.set_access(address_, bytes_, &access, 1), "cuMemSetAccess");
    }
    void release() {
        if (mapped_ != 0) driver_.unmap(address_, mapped_);
        if (address_ != 0) driver_.release_reserved(address_, bytes_);
        if (has_memory_) driver_.release_created(memory_);
    }

    const Driver& driver_;
    std::uint64_t bytes_, mapped_ = 0;
    DevicePointer memory_ = 0, address_ = 0;
    bool has_memory_ = false;
};

class Cufft final : public Transform {
public:
    explicit Cufft(const Case& what)
        : bytes_(what.bytes()),
          input_bytes_(what.input_bytes()),
          output_bytes_(what.output_bytes()),
          fp64_(what.has_doubles()),
          halves_(what.has_halves()),
          kind_(what.kind()) {
        try {
            make(what);
        } catch (...) {
            destroy();
            throw;
        }
    }
    ~Cufft() override { destroy(); }
    Cufft(const Cufft&) = delete;
    Cufft& operator=(const Cufft&) = delete;
    void load(const void* input) override {
        check(driver_.fill(output_, 0xff, bytes_), "cuMemsetD8");
        check(driver_.upload(input_, input, input_bytes_), "cuMemcpyHtoD");
    }
    /// From a copy on the card: uploads of half a gigabyte before each sample took most of a suite's time.
    void reload(const void* input) override {
        if (kept_ == 0) {
            check(driver_.allocate(&kept_, input_bytes_), "cuMemAlloc");
            check(driver_.upload(kept_, input, input_bytes_), "cuMemcpyHtoD");
        }
        check(driver_.copy(input_, kept_, input_bytes_), "cuMemcpyDtoD");
    }
    double run(unsigned count) override {
        if (stream_ == nullptr) return time([&] { execute_in_a_row(count); }) / count;
        const Handle graph = captured(count);
        const auto launch = [&] { check(driver_.launch_graph(graph, stream_), "cuGraphLaunch"); };
        const double milliseconds = time(launch);
        driver_.destroy_instance(graph);
        return milliseconds / count;
    }
    void read(void* output) override { check(driver_.download(output, output_, output_bytes_), "cuMemcpyDtoH"); }
    std::optional<std::uint64_t> workspace_bytes() const override { return workspace_; }
    std::string description() const override {
        int version = 0;
        library_.version(&version);
        return "cufft-" + std::to_string(version / 1000) + "." + std::to_string(version / 100 % 10) + "." +
               std::to_string(version % 100) + " on " + name_;
    }

private:
    void make(const Case& what) {
        int device = 0;
        check(driver_.init(0), "cuInit");
        check(driver_.device_get(&device, what.device_index), "cuDeviceGet");
        char name[256] = {};
        check(driver_.device_name(name, sizeof name - 1, device), "cuDeviceGetName");
        name_ = name;
        Handle context = nullptr;
        check(driver_.retain(&context, device), "cuDevicePrimaryCtxRetain");
        check(driver_.set_current(context), "cuCtxSetCurrent");
        if (what.cached_input)
            input_ = repeated_.emplace(driver_, device, bytes_).address();
        else
            check(driver_.allocate(&input_, bytes_), "cuMemAlloc");
        output_ = input_;
        if (!what.in_place) check(driver_.allocate(&output_, bytes_), "cuMemAlloc");
        check(driver_.event_create(&before_, 0), "cuEventCreate");
        check(driver_.event_create(&after_, 0), "cuEventCreate");
        // The default stream cannot be captured.
        if (what.in_graph) check(driver_.stream_create(&stream_, 0), "cuStreamCreate");
        make_plan(what);
        if (stream_ != nullptr) check(library_.set_stream(plan_, stream_), "cufftSetStream");
    }

    template <class Work>
    double time(const Work& work) {
        check(driver_.event_record(before_, stream_), "cuEventRecord");
        work();
        check(driver_.event_record(after_, stream_), "cuEventRecord");
        check(driver_.event_wait(after_), "cuEventSynchronize");
        float milliseconds = 0;
        check(driver_.event_elapsed(&milliseconds, before_, after_), "cuEventElapsedTime");
        return static_cast<double>(milliseconds);
    }

    void execute_in_a_row(unsigned count) const {
        auto* in = reinterpret_cast<void*>(input_);
        auto* out = reinterpret_cast<void*>(output_);
        for (unsigned i = 0; i < count; ++i) check(execute(in, out), "cufftExec");
    }

    /// So many executions as one graph.
    Handle captured(unsigned count) const {
        constexpr int relaxed = 2;
        Handle graph = nullptr, instance = nullptr;
        check(driver_.begin_capture(stream_, relaxed), "cuStreamBeginCapture");
        execute_in_a_row(count);
        check(driver_.end_capture(stream_, &graph), "cuStreamEndCapture");
        const int code = driver_.instantiate(&instance, graph, 0);
        driver_.destroy_graph(graph);
        check(code, "cuGraphInstantiateWithFlags");
        return instance;
    }

    void destroy() {
        if (plan_ != no_plan) library_.destroy(plan_);
        if (output_ != input_) driver_.release(output_);
        if (input_ != 0 && !repeated_) driver_.release(input_);
        if (kept_ != 0) driver_.release(kept_);
        if (before_ != nullptr) driver_.event_destroy(before_);
        if (after_ != nullptr) driver_.event_destroy(after_);
        if (stream_ != nullptr) driver_.stream_destroy(stream_);
    }

    int execute(void* in, void* out) const {
        if (halves_) return library_.execute_halves(plan_, in, out, forward);
        if (kind_ == Kind::r2c) return (fp64_ ? library_.execute_d2z : library_.execute_r2c)(plan_, in, out);
        if (kind_ == Kind::c2r) return (fp64_ ? library_.execute_z2d : library_.execute_c2r)(plan_, in, out);
        return (fp64_ ? library_.execute_double : library_.execute_single)(plan_, in, out, forward);
    }

    int type() const {
        if (kind_ == Kind::r2c) return fp64_ ? d2z : r2c;
        if (kind_ == Kind::c2r) return fp64_ ? z2d : c2r;
        return fp64_ ? z2z : c2c;
    }

    void make_plan(const Case& what) {
        std::vector<long long> lengths(what.lengths.begin(), what.lengths.end()), from = lengths, to = lengths;
        from.back() = static_cast<long long>(what.row(false));
        to.back() = static_cast<long long>(what.row(true));
        const int rank = static_cast<int>(lengths.size());
        const auto from_distance = static_cast<long long>(what.distance(false));
        const auto to_distance = static_cast<long long>(what.distance(true));
        const auto batch = static_cast<long long>(what.batch);
        check(library_.create(&plan_), "cufftCreate");
        if (!halves_) {
            check(library_.make_plan(plan_, rank, lengths.data(), from.data(), 1, from_distance, to.data(), 1,
                                     to_distance, type(), batch, &workspace_),
                  "cufftMakePlanMany64");
            return;
        }
        const int halves = what.number == Number::f16 ? complex_f16 : complex_bf16;
        const int code =
            library_.make_plan_of_halves(plan_, rank, lengths.data(), from.data(), 1, from_distance, halves, to.data(),
                                         1, to_distance, halves, batch, &workspace_, halves);
        if (code == 0) return;
        throw PeerError("cufftXtMakePlanMany failed with code " + std::to_string(code) +
                        " (halves are for powers of two, bf16 from compute capability 8.0 on)");
    }

    Driver driver_;
    Library library_;
    std::uint64_t bytes_, input_bytes_, output_bytes_;
    bool fp64_, halves_;
    Kind kind_;
    std::string name_;
    static constexpr int no_plan = -1;
    int plan_ = no_plan;
    std::size_t workspace_ = 0;
    DevicePointer input_ = 0, output_ = 0, kept_ = 0;
    std::optional<RepeatedMemory> repeated_;                        // the input
    Handle before_ = nullptr, after_ = nullptr, stream_ = nullptr;  // the last: of graphs
};

}  // namespace

std::unique_ptr<Transform> prepare_cufft(const Case& what) {
    if (what.kind() != Kind::c2c && what.kind() != Kind::r2c && what.kind() != Kind::c2r)
        throw PeerError("cufft: it has no real-to-real transforms");
    return std::make_unique<Cufft>(what);
}

}  // namespace seiche::bench

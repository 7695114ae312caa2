// rocFFT (AMD) through HIP, both loaded at run time. No vendor header: the few prototypes stand here.
#include <cstdint>

#include "bench/loaded_library.hpp"

namespace seiche::bench {
namespace {

using Handle = void*;
enum { complex_forward = 0 };
enum { placement_in_place = 0, placement_out_of_place = 1 };
enum { precision_single = 0, precision_double = 1 };
enum { host_to_device = 1, device_to_host = 2 };

struct Runtime {
    int (*set_device)(int);
    int (*allocate)(void**, std::size_t);
    int (*release)(void*);
    int (*copy)(void*, const void*, std::size_t, int);
    int (*fill)(void*, int, std::size_t);
    int (*event_create)(Handle*);
    int (*event_record)(Handle, Handle);
    int (*event_wait)(Handle);
    int (*event_elapsed)(float*, Handle, Handle);

    Runtime() {
        const LoadedLibrary library({"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"},
                                    environment("ROCM_PATH", "/opt/rocm") + "/lib");
        library.find(set_device, "hipSetDevice");
        library.find(allocate, "hipMalloc");
        library.find(release, "hipFree");
        library.find(copy, "hipMemcpy");
        library.find(fill, "hipMemset");
        library.find(event_create, "hipEventCreate");
        library.find(event_record, "hipEventRecord");
        library.find(event_wait, "hipEventSynchronize");
        library.find(event_elapsed, "hipEventElapsedTime");
    }
};

struct Library {
    int (*setup)();
    int (*version)(char*, std::size_t);
    int (*plan_create)(Handle*, int, int, int, std::size_t, const std::size_t*, std::size_t, Handle);
    int (*plan_destroy)(Handle);
    int (*work_bytes)(Handle, std::size_t*);
    int (*info_create)(Handle*);
    int (*info_set_work)(Handle, void*, std::size_t);
    int (*info_destroy)(Handle);
    int (*execute)(Handle, void**, void**, Handle);

    Library() {
        const LoadedLibrary library({"librocfft.so", "librocfft.so.0"}, environment("ROCM_PATH", "/opt/rocm") + "/lib");
        library.find(setup, "rocfft_setup");
        library.find(version, "rocfft_get_version_string");
        library.find(plan_create, "rocfft_plan_create");
        library.find(plan_destroy, "rocfft_plan_destroy");
        library.find(work_bytes, "rocfft_plan_get_work_buffer_size");
        library.find(info_create, "rocfft_execution_info_create");
        library.find(info_set_work, "rocfft_execution_info_set_work_buffer");
        library.find(info_destroy, "rocfft_execution_info_destroy");
        library.find(execute, "rocfft_execute");
    }
};

void check(int code, const char* call) {
    if (code != 0) throw PeerError(std::string(call) + " failed with code " + std::to_string(code));
}

class Rocfft final : public Transform {
public:
    explicit Rocfft(const Case& what) : bytes_(what.bytes()) {
        if (what.lengths.size() > 3)
            throw PeerError("rocfft: at most three axes, got " + std::to_string(what.lengths.size()));
        check(runtime_.set_device(what.device_index), "hipSetDevice");
        check(runtime_.allocate(&input_, bytes_), "hipMalloc");
        output_ = input_;
        if (!what.in_place) check(runtime_.allocate(&output_, bytes_), "hipMalloc");
        check(runtime_.event_create(&before_), "hipEventCreate");
        check(runtime_.event_create(&after_), "hipEventCreate");
        make_plan(what);
    }
    ~Rocfft() override {
        library_.info_destroy(info_);
        library_.plan_destroy(plan_);
        if (work_ != nullptr) runtime_.release(work_);
        if (output_ != input_) runtime_.release(output_);
        runtime_.release(input_);
    }
    void load(const void* input) override {
        check(runtime_.fill(output_, 0xff, bytes_), "hipMemset");
        check(runtime_.copy(input_, input, bytes_, host_to_device), "hipMemcpy");
    }
    double run(unsigned count) override {
        check(runtime_.event_record(before_, nullptr), "hipEventRecord");
        for (unsigned i = 0; i < count; ++i) check(library_.execute(plan_, &input_, &output_, info_), "rocfft_execute");
        check(runtime_.event_record(after_, nullptr), "hipEventRecord");
        check(runtime_.event_wait(after_), "hipEventSynchronize");
        float milliseconds = 0;
        check(runtime_.event_elapsed(&milliseconds, before_, after_), "hipEventElapsedTime");
        return static_cast<double>(milliseconds) / count;
    }
    void read(void* output) override { check(runtime_.copy(output, output_, bytes_, device_to_host), "hipMemcpy"); }
    std::string description() const override {
        char version[256] = {};
        library_.version(version, sizeof version - 1);
        return std::string("rocfft-") + version;
    }

private:
    void make_plan(const Case& what) {
        const std::vector<std::size_t> lengths(what.lengths.rbegin(), what.lengths.rend());  // fastest first
        check(library_.setup(), "rocfft_setup");
        check(library_.plan_create(&plan_, what.in_place ? placement_in_place : placement_out_of_place, complex_forward,
                                   what.has_doubles() ? precision_double : precision_single, lengths.size(),
                                   lengths.data(), what.batch, nullptr),
              "rocfft_plan_create");
        check(library_.info_create(&info_), "rocfft_execution_info_create");
        std::size_t bytes = 0;
        check(library_.work_bytes(plan_, &bytes), "rocfft_plan_get_work_buffer_size");
        if (bytes == 0) return;
        check(runtime_.allocate(&work_, bytes), "hipMalloc");
        check(library_.info_set_work(info_, work_, bytes), "rocfft_execution_info_set_work_buffer");
    }

    Runtime runtime_;
    Library library_;
    std::uint64_t bytes_;
    void *input_ = nullptr, *output_ = nullptr, *work_ = nullptr;
    Handle plan_ = nullptr, info_ = nullptr, before_ = nullptr, after_ = nullptr;
};

}  // namespace

std::unique_ptr<Transform> prepare_rocfft(const Case& what) {
    require_complex(what, "rocfft");
    refuse_halves(what, "rocfft");
    return std::make_unique<Rocfft>(what);
}

}  // namespace seiche::bench

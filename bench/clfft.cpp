// clFFT (AMD) on an OpenCL device, loaded at run time.
#include "bench/loaded_library.hpp"
#include "bench/opencl_device.hpp"

// After the headers above, which say which OpenCL is meant.
#include <clFFT.h>

namespace seiche::bench {
namespace {

void check(clfftStatus code, const char* call) {
    if (code != CLFFT_SUCCESS) throw PeerError(std::string(call) + " failed with code " + std::to_string(code));
}

/// Loaded and set up once per process: a second plan must not outlive the first one's teardown.
struct Session {
    decltype(&clfftSetup) setup;
    decltype(&clfftTeardown) teardown;
    decltype(&clfftGetVersion) version;
    decltype(&clfftCreateDefaultPlan) create;
    decltype(&clfftSetPlanPrecision) set_precision;
    decltype(&clfftSetLayout) set_layout;
    decltype(&clfftSetResultLocation) set_location;
    decltype(&clfftSetPlanBatchSize) set_batch;
    decltype(&clfftBakePlan) bake;
    decltype(&clfftDestroyPlan) destroy;
    decltype(&clfftEnqueueTransform) enqueue;

    static const Session& open() {
        static const Session session;
        check(session.code, "clfftSetup");
        return session;
    }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

private:
    Session() {
        const LoadedLibrary library({"libclFFT.so.2", "libclFFT.so"}, "/usr/local/lib");
        library.find(setup, "clfftSetup");
        library.find(teardown, "clfftTeardown");
        library.find(version, "clfftGetVersion");
        library.find(create, "clfftCreateDefaultPlan");
        library.find(set_precision, "clfftSetPlanPrecision");
        library.find(set_layout, "clfftSetLayout");
        library.find(set_location, "clfftSetResultLocation");
        library.find(set_batch, "clfftSetPlanBatchSize");
        library.find(bake, "clfftBakePlan");
        library.find(destroy, "clfftDestroyPlan");
        library.find(enqueue, "clfftEnqueueTransform");
        clfftSetupData data{};
        code = version(&data.major, &data.minor, &data.patch);
        if (code == CLFFT_SUCCESS) code = setup(&data);
    }
    ~Session() { teardown(); }

    clfftStatus code = CLFFT_SUCCESS;
};

class Clfft final : public Transform {
public:
    explicit Clfft(const Case& what) : device_(what), in_place_(what.in_place) {
        if (what.lengths.size() > 3)
            throw PeerError("clfft: at most three axes, got " + std::to_string(what.lengths.size()));
        std::vector<std::size_t> lengths(what.lengths.rbegin(), what.lengths.rend());  // fastest first
        check(api_.create(&plan_, device_.context, static_cast<clfftDim>(lengths.size()), lengths.data()),
              "clfftCreateDefaultPlan");
        check(api_.set_precision(plan_, what.has_doubles() ? CLFFT_DOUBLE : CLFFT_SINGLE), "clfftSetPlanPrecision");
        check(api_.set_layout(plan_, CLFFT_COMPLEX_INTERLEAVED, CLFFT_COMPLEX_INTERLEAVED), "clfftSetLayout");
        check(api_.set_location(plan_, in_place_ ? CLFFT_INPLACE : CLFFT_OUTOFPLACE), "clfftSetResultLocation");
        check(api_.set_batch(plan_, what.batch), "clfftSetPlanBatchSize");
        check(api_.bake(plan_, 1, &device_.queue, nullptr, nullptr), "clfftBakePlan");
    }
    ~Clfft() override {
        if (plan_ != 0) api_.destroy(&plan_);
    }
    void load(const void* input) override { device_.load(input); }
    double run(unsigned count) override {
        return device_.run(count, [this] {
            check(api_.enqueue(plan_, CLFFT_FORWARD, 1, &device_.queue, 0, nullptr, nullptr, &device_.input,
                               in_place_ ? nullptr : &device_.output, nullptr),
                  "clfftEnqueueTransform");
        });
    }
    void read(void* output) override { device_.read(output); }
    std::string description() const override {
        cl_uint major = 0, minor = 0, patch = 0;
        api_.version(&major, &minor, &patch);
        return "clfft-" + std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch) + " on " +
               device_.name();
    }

private:
    const Session& api_ = Session::open();
    OpenclDevice device_;
    clfftPlanHandle plan_ = 0;
    bool in_place_;
};

}  // namespace

std::unique_ptr<Transform> prepare_clfft(const Case& what) {
    require_complex(what, "clfft");
    refuse_halves(what, "clfft");
    return std::make_unique<Clfft>(what);
}

}  // namespace seiche::bench

// clFFT (AMD) on an OpenCL device.
#include "bench/opencl_device.hpp"

// After the header above, which says which OpenCL is meant.
#include <clFFT.h>

namespace seiche::bench {
namespace {

void check(clfftStatus code, const char* call) {
    if (code != CLFFT_SUCCESS) throw PeerError(std::string(call) + " failed with code " + std::to_string(code));
}

// Once per process: a second plan must not outlive the first one's teardown.
class Session {
public:
    static void open() {
        static const Session session;
        check(session.code_, "clfftSetup");
    }

private:
    Session() {
        clfftSetupData data;
        code_ = clfftInitSetupData(&data);
        if (code_ == CLFFT_SUCCESS) code_ = clfftSetup(&data);
    }
    ~Session() { clfftTeardown(); }

    clfftStatus code_ = CLFFT_SUCCESS;
};

class Clfft final : public Transform {
public:
    explicit Clfft(const Case& what) : device_(what), in_place_(what.in_place) {
        if (what.lengths.size() > 3)
            throw PeerError("clfft: at most three axes, got " + std::to_string(what.lengths.size()));
        Session::open();
        std::vector<std::size_t> lengths(what.lengths.rbegin(), what.lengths.rend());  // fastest first
        check(clfftCreateDefaultPlan(&plan_, device_.context, static_cast<clfftDim>(lengths.size()), lengths.data()),
              "clfftCreateDefaultPlan");
        check(clfftSetPlanPrecision(plan_, what.has_doubles() ? CLFFT_DOUBLE : CLFFT_SINGLE), "clfftSetPlanPrecision");
        check(clfftSetLayout(plan_, CLFFT_COMPLEX_INTERLEAVED, CLFFT_COMPLEX_INTERLEAVED), "clfftSetLayout");
        check(clfftSetResultLocation(plan_, in_place_ ? CLFFT_INPLACE : CLFFT_OUTOFPLACE), "clfftSetResultLocation");
        check(clfftSetPlanBatchSize(plan_, what.batch), "clfftSetPlanBatchSize");
        check(clfftBakePlan(plan_, 1, &device_.queue, nullptr, nullptr), "clfftBakePlan");
    }
    ~Clfft() override {
        if (plan_ != 0) clfftDestroyPlan(&plan_);
    }
    void load(const void* input) override { device_.load(input); }
    double run(unsigned count) override {
        return device_.run(count, [this] {
            check(clfftEnqueueTransform(plan_, CLFFT_FORWARD, 1, &device_.queue, 0, nullptr, nullptr, &device_.input,
                                        in_place_ ? nullptr : &device_.output, nullptr),
                  "clfftEnqueueTransform");
        });
    }
    void read(void* output) override { device_.read(output); }
    std::string description() const override {
        cl_uint major = 0, minor = 0, patch = 0;
        clfftGetVersion(&major, &minor, &patch);
        return "clfft-" + std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch) + " on " +
               device_.name();
    }

private:
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

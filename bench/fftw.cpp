// FFTW (Matteo Frigo and Steven G. Johnson) on the CPU: measured plans, as many threads as this process may use.
#include <fftw3.h>
#include <sched.h>

#include <chrono>
#include <cstring>
#include <vector>

#include "bench/transform.hpp"

namespace seiche::bench {
namespace {

constexpr double planning_seconds = 20;

struct Single {
    using Complex = fftwf_complex;
    using Plan = fftwf_plan;
    static constexpr auto plan_many = fftwf_plan_many_dft;
    static constexpr auto execute = fftwf_execute;
    static constexpr auto destroy = fftwf_destroy_plan;
    static constexpr auto use_threads = fftwf_plan_with_nthreads;
    static constexpr auto start_threads = fftwf_init_threads;
    static constexpr auto limit = fftwf_set_timelimit;
    static const char* version() { return fftwf_version; }
};

struct Double {
    using Complex = fftw_complex;
    using Plan = fftw_plan;
    static constexpr auto plan_many = fftw_plan_many_dft;
    static constexpr auto execute = fftw_execute;
    static constexpr auto destroy = fftw_destroy_plan;
    static constexpr auto use_threads = fftw_plan_with_nthreads;
    static constexpr auto start_threads = fftw_init_threads;
    static constexpr auto limit = fftw_set_timelimit;
    static const char* version() { return fftw_version; }
};

int usable_processors() {
    cpu_set_t set;
    CPU_ZERO(&set);
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

template <class Api>
class Fftw final : public Transform {
public:
    explicit Fftw(const Case& what) : bytes_(what.bytes()), threads_(usable_processors()) {
        std::vector<int> lengths;
        for (const std::uint64_t n : what.lengths) lengths.push_back(static_cast<int>(n));
        const int distance = static_cast<int>(what.points());
        input_ = static_cast<typename Api::Complex*>(fftw_malloc(bytes_));
        output_ = what.in_place ? input_ : static_cast<typename Api::Complex*>(fftw_malloc(bytes_));
        if (input_ == nullptr || output_ == nullptr) throw PeerError("fftw: not enough memory");
        Api::start_threads();
        Api::use_threads(threads_);
        Api::limit(planning_seconds);
        plan_ = Api::plan_many(static_cast<int>(lengths.size()), lengths.data(), static_cast<int>(what.batch), input_,
                               nullptr, 1, distance, output_, nullptr, 1, distance, FFTW_FORWARD, FFTW_MEASURE);
        if (plan_ == nullptr) throw PeerError("fftw: no plan for this case");
    }
    ~Fftw() override {
        if (plan_ != nullptr) Api::destroy(plan_);
        if (output_ != input_) fftw_free(output_);
        fftw_free(input_);
    }
    void load(const void* input) override {
        std::memset(output_, 0xff, bytes_);
        std::memcpy(input_, input, bytes_);
    }
    double run(unsigned count) override {
        const auto start = std::chrono::steady_clock::now();
        for (unsigned i = 0; i < count; ++i) Api::execute(plan_);
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count() / count;
    }
    void read(void* output) override { std::memcpy(output, output_, bytes_); }
    std::string description() const override {
        return std::string(Api::version()) + ", measured, " + std::to_string(threads_) + " threads";
    }

private:
    std::uint64_t bytes_;
    int threads_;
    typename Api::Complex* input_ = nullptr;
    typename Api::Complex* output_ = nullptr;
    typename Api::Plan plan_ = nullptr;
};

}  // namespace

std::unique_ptr<Transform> prepare_fftw(const Case& what) {
    if (what.points() > 0x7fffffff || what.batch > 0x7fffffff)
        throw PeerError("fftw: this case needs more than 31 bits");
    if (what.fp64) return std::make_unique<Fftw<Double>>(what);
    return std::make_unique<Fftw<Single>>(what);
}

}  // namespace seiche::bench

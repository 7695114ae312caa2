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
    using Real = float;
    using Complex = fftwf_complex;
    using Plan = fftwf_plan;
    static constexpr auto plan_complex = fftwf_plan_many_dft;
    static constexpr auto plan_r2c = fftwf_plan_many_dft_r2c;
    static constexpr auto plan_c2r = fftwf_plan_many_dft_c2r;
    static constexpr auto plan_real = fftwf_plan_many_r2r;
    static constexpr auto execute = fftwf_execute;
    static constexpr auto destroy = fftwf_destroy_plan;
    static constexpr auto use_threads = fftwf_plan_with_nthreads;
    static constexpr auto start_threads = fftwf_init_threads;
    static constexpr auto limit = fftwf_set_timelimit;
    static const char* version() { return fftwf_version; }
};

struct Double {
    using Real = double;
    using Complex = fftw_complex;
    using Plan = fftw_plan;
    static constexpr auto plan_complex = fftw_plan_many_dft;
    static constexpr auto plan_r2c = fftw_plan_many_dft_r2c;
    static constexpr auto plan_c2r = fftw_plan_many_dft_c2r;
    static constexpr auto plan_real = fftw_plan_many_r2r;
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

fftw_r2r_kind fftw_kind(Kind kind) {
    switch (kind) {
        case Kind::dct1: return FFTW_REDFT00;
        case Kind::dct2: return FFTW_REDFT10;
        case Kind::dct3: return FFTW_REDFT01;
        case Kind::dct4: return FFTW_REDFT11;
        case Kind::dst1: return FFTW_RODFT00;
        case Kind::dst2: return FFTW_RODFT10;
        case Kind::dst3: return FFTW_RODFT01;
        case Kind::dst4: return FFTW_RODFT11;
        case Kind::r2hc: return FFTW_R2HC;
        case Kind::hc2r: return FFTW_HC2R;
        default: return FFTW_DHT;
    }
}

template <class Api>
class Fftw final : public Transform {
public:
    explicit Fftw(const Case& what)
        : bytes_(what.bytes()),
          input_bytes_(what.input_bytes()),
          output_bytes_(what.output_bytes()),
          threads_(usable_processors()) {
        input_ = fftw_malloc(bytes_);
        output_ = what.in_place ? input_ : fftw_malloc(bytes_);
        if (input_ == nullptr || output_ == nullptr) throw PeerError("fftw: not enough memory");
        Api::start_threads();
        Api::use_threads(threads_);
        Api::limit(planning_seconds);
        make_plan(what);
        if (plan_ == nullptr) throw PeerError("fftw: no plan for this case");
    }
    ~Fftw() override {
        if (plan_ != nullptr) Api::destroy(plan_);
        if (output_ != input_) fftw_free(output_);
        fftw_free(input_);
    }
    void load(const void* input) override {
        std::memset(output_, 0xff, bytes_);
        std::memcpy(input_, input, input_bytes_);
    }
    double run(unsigned count) override {
        const auto start = std::chrono::steady_clock::now();
        for (unsigned i = 0; i < count; ++i) Api::execute(plan_);
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count() / count;
    }
    void read(void* output) override { std::memcpy(output, output_, output_bytes_); }
    std::string description() const override {
        return std::string(Api::version()) + ", measured, " + std::to_string(threads_) + " threads";
    }

private:
    using Real = typename Api::Real;
    using Complex = typename Api::Complex;

    void make_plan(const Case& what) {
        const std::vector<int> n(what.lengths.begin(), what.lengths.end());
        const int rank = static_cast<int>(n.size()), batch = static_cast<int>(what.batch);
        const int from = static_cast<int>(what.distance(false)), to = static_cast<int>(what.distance(true));
        auto *real_in = static_cast<Real*>(input_), *real_out = static_cast<Real*>(output_);
        auto *in = static_cast<Complex*>(input_), *out = static_cast<Complex*>(output_);
        if (what.kind() == Kind::c2c) {
            plan_ = Api::plan_complex(rank, n.data(), batch, in, nullptr, 1, from, out, nullptr, 1, to, FFTW_FORWARD,
                                      FFTW_MEASURE);
        } else if (what.kind() == Kind::r2c) {
            plan_ = Api::plan_r2c(rank, n.data(), batch, real_in, nullptr, 1, from, out, nullptr, 1, to, FFTW_MEASURE);
        } else if (what.kind() == Kind::c2r) {
            plan_ = Api::plan_c2r(rank, n.data(), batch, in, nullptr, 1, from, real_out, nullptr, 1, to, FFTW_MEASURE);
        } else {
            std::vector<fftw_r2r_kind> kinds;
            for (const Kind kind : what.kinds) kinds.push_back(fftw_kind(kind));
            plan_ = Api::plan_real(rank, n.data(), batch, real_in, nullptr, 1, from, real_out, nullptr, 1, to,
                                   kinds.data(), FFTW_MEASURE);
        }
    }

    std::uint64_t bytes_, input_bytes_, output_bytes_;
    int threads_;
    void* input_ = nullptr;
    void* output_ = nullptr;
    typename Api::Plan plan_ = nullptr;
};

}  // namespace

std::unique_ptr<Transform> prepare_fftw(const Case& what) {
    refuse_halves(what, "fftw");
    if (what.points() > 0x7fffffff || what.batch > 0x7fffffff)
        throw PeerError("fftw: this case needs more than 31 bits");
    if (what.has_doubles()) return std::make_unique<Fftw<Double>>(what);
    return std::make_unique<Fftw<Single>>(what);
}

}  // namespace seiche::bench

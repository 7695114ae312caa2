// FFTW (Matteo Frigo and Steven G. Johnson) on the CPU, loaded at run time: measured plans, as many threads as this
// process may use.
#include <fftw3.h>
#include <sched.h>

#include <chrono>
#include <cstring>
#include <vector>

#include "bench/loaded_library.hpp"

namespace seiche::bench {
namespace {

constexpr double planning_seconds = 20;

constexpr const char* library_folder = "/usr/local/lib";

/// What is asked of one precision's library. It is loaded when it is first asked for, so that other peers run without.
struct Single {
    using Real = float;
    using Complex = fftwf_complex;
    using Plan = fftwf_plan;
    decltype(&fftwf_plan_many_dft) plan_complex;
    decltype(&fftwf_plan_many_dft_r2c) plan_r2c;
    decltype(&fftwf_plan_many_dft_c2r) plan_c2r;
    decltype(&fftwf_plan_many_r2r) plan_real;
    decltype(&fftwf_execute) execute;
    decltype(&fftwf_destroy_plan) destroy;
    decltype(&fftwf_malloc) allocate;
    decltype(&fftwf_free) release;
    decltype(&fftwf_plan_with_nthreads) use_threads;
    decltype(&fftwf_init_threads) start_threads;
    decltype(&fftwf_set_timelimit) limit;
    const char* version;

    static constexpr const char *name = "libfftw3f.so.3", *threads_name = "libfftw3f_threads.so.3", *prefix = "fftwf_";
};

struct Double {
    using Real = double;
    using Complex = fftw_complex;
    using Plan = fftw_plan;
    decltype(&fftw_plan_many_dft) plan_complex;
    decltype(&fftw_plan_many_dft_r2c) plan_r2c;
    decltype(&fftw_plan_many_dft_c2r) plan_c2r;
    decltype(&fftw_plan_many_r2r) plan_real;
    decltype(&fftw_execute) execute;
    decltype(&fftw_destroy_plan) destroy;
    decltype(&fftw_malloc) allocate;
    decltype(&fftw_free) release;
    decltype(&fftw_plan_with_nthreads) use_threads;
    decltype(&fftw_init_threads) start_threads;
    decltype(&fftw_set_timelimit) limit;
    const char* version;

    static constexpr const char *name = "libfftw3.so.3", *threads_name = "libfftw3_threads.so.3", *prefix = "fftw_";
};

template <class Api>
const Api& loaded() {
    static const Api api = [] {
        const LoadedLibrary library({Api::name}, library_folder), threads({Api::threads_name}, library_folder);
        const std::string prefix = Api::prefix;
        Api found{};
        const auto find = [&](auto*& function, const char* name) { library.find(function, (prefix + name).c_str()); };
        find(found.plan_complex, "plan_many_dft");
        find(found.plan_r2c, "plan_many_dft_r2c");
        find(found.plan_c2r, "plan_many_dft_c2r");
        find(found.plan_real, "plan_many_r2r");
        find(found.execute, "execute");
        find(found.destroy, "destroy_plan");
        find(found.allocate, "malloc");
        find(found.release, "free");
        find(found.limit, "set_timelimit");
        find(found.version, "version");
        threads.find(found.use_threads, (prefix + "plan_with_nthreads").c_str());
        threads.find(found.start_threads, (prefix + "init_threads").c_str());
        return found;
    }();
    return api;
}

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
        input_ = api_.allocate(bytes_);
        output_ = what.in_place ? input_ : api_.allocate(bytes_);
        if (input_ == nullptr || output_ == nullptr) throw PeerError("fftw: not enough memory");
        api_.start_threads();
        api_.use_threads(threads_);
        api_.limit(planning_seconds);
        make_plan(what);
        if (plan_ == nullptr) throw PeerError("fftw: no plan for this case");
    }
    ~Fftw() override {
        if (plan_ != nullptr) api_.destroy(plan_);
        if (output_ != input_) api_.release(output_);
        api_.release(input_);
    }
    void load(const void* input) override {
        std::memset(output_, 0xff, bytes_);
        std::memcpy(input_, input, input_bytes_);
    }
    double run(unsigned count) override {
        const auto start = std::chrono::steady_clock::now();
        for (unsigned i = 0; i < count; ++i) api_.execute(plan_);
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count() / count;
    }
    void read(void* output) override { std::memcpy(output, output_, output_bytes_); }
    std::string description() const override {
        return std::string(api_.version) + ", measured, " + std::to_string(threads_) + " threads";
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
            plan_ = api_.plan_complex(rank, n.data(), batch, in, nullptr, 1, from, out, nullptr, 1, to, FFTW_FORWARD,
                                      FFTW_MEASURE);
        } else if (what.kind() == Kind::r2c) {
            plan_ = api_.plan_r2c(rank, n.data(), batch, real_in, nullptr, 1, from, out, nullptr, 1, to, FFTW_MEASURE);
        } else if (what.kind() == Kind::c2r) {
            plan_ = api_.plan_c2r(rank, n.data(), batch, in, nullptr, 1, from, real_out, nullptr, 1, to, FFTW_MEASURE);
        } else {
            std::vector<fftw_r2r_kind> kinds;
            for (const Kind kind : what.kinds) kinds.push_back(fftw_kind(kind));
            plan_ = api_.plan_real(rank, n.data(), batch, real_in, nullptr, 1, from, real_out, nullptr, 1, to,
                                   kinds.data(), FFTW_MEASURE);
        }
    }

    const Api& api_ = loaded<Api>();
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

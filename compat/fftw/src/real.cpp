// Finds, loads and calls a real FFTW.
#include "real.hpp"

#include <dlfcn.h>
#include <sys/stat.h>

#include <atomic>
#include <memory>
#include <sstream>
#include <vector>

#include "settings.hpp"

namespace seiche_fftw {

namespace {

std::vector<std::string> folders() {
    std::vector<std::string> list;
    std::istringstream path(settings().library_path);
    for (std::string folder; std::getline(path, folder, ':');)
        if (!folder.empty()) list.push_back(folder);
    for (const char* folder :
         {SEICHE_FFTW_MULTIARCH_FOLDERS "/usr/local/lib", "/usr/local/lib64", "/usr/lib64", "/usr/lib"})
        list.emplace_back(folder);
    return list;
}

/// The file that is this library.
bool is_own(const std::string& file) {
    Dl_info own{};
    struct stat a {
    }, b{};
    return dladdr(reinterpret_cast<const void*>(&SEICHE_FFTW(execute)), &own) != 0 && stat(own.dli_fname, &a) == 0 &&
           stat(file.c_str(), &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// A real FFTW calls itself by names that this library has too. Found in its own library first, they are its own.
#if defined(RTLD_DEEPBIND) && !defined(SEICHE_FFTW_SANITIZED)
constexpr int load_flags = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
#else
constexpr int load_flags = 0;  // it cannot be: a sanitizer ends a process that loads so
#endif

bool take_functions(void* handle, RealFftw& real) {
    RealFunctions& to = real.functions;
    bool has_all = true;
#define SEICHE_FFTW_TAKE(name)                                                             \
    to.name = reinterpret_cast<decltype(to.name)>(dlsym(handle, SEICHE_FFTW_NAME(#name))); \
    has_all = has_all && to.name != nullptr;
    SEICHE_FFTW_REAL_FUNCTIONS(SEICHE_FFTW_TAKE)
#undef SEICHE_FFTW_TAKE
    const auto* const version = static_cast<const char*>(dlsym(handle, SEICHE_FFTW_NAME("version")));
    real.version = version == nullptr ? "" : version;
    // Another copy of this library under another path is none.
    return has_all && real.version.find("seiche") == std::string::npos;
}

std::unique_ptr<RealFftw> load(const std::string& file) {
    struct stat status {};
    if (load_flags == 0 || stat(file.c_str(), &status) != 0 || is_own(file)) return nullptr;
    void* const handle = dlopen(file.c_str(), load_flags);
    if (handle == nullptr) {
        log_line(1, std::string("a real FFTW cannot be loaded: ") + dlerror());
        return nullptr;
    }
    auto real = std::make_unique<RealFftw>();
    real->path = file;
    if (take_functions(handle, *real)) return real;
    dlclose(handle);
    return nullptr;
}

std::unique_ptr<RealFftw> find() {
    const std::string& named = settings().real;
    if (named == "none") return nullptr;
    if (!named.empty()) {
        struct stat status {};
        const bool is_folder = stat(named.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
        // A library is named for one precision; the other's lies beside it.
        const std::size_t slash = named.rfind('/');
        const std::string folder = is_folder ? named : slash == std::string::npos ? "." : named.substr(0, slash);
        auto real = load(folder + "/" + library_file);
        if (!real && !is_folder) real = load(named);
        if (!real) log_line(1, "SEICHE_FFTW_REAL: no FFTW of this precision at " + named);
        return real;
    }
    for (const std::string& folder : folders())
        if (auto real = load(folder + "/" + library_file)) return real;
    return nullptr;
}

std::atomic<RealFftw*> loaded{nullptr};

using Dims64 = std::vector<seiche_fftw_iodim64>;

/// Dimensions in the units of FFTW's functions: complex numbers on sides that are `in_unit` 2.
Dims64 dims_of(const std::vector<Dimension>& dims, std::ptrdiff_t in_unit, std::ptrdiff_t out_unit) {
    Dims64 made;
    for (const Dimension& dim : dims) made.push_back({dim.n, dim.in / in_unit, dim.out / out_unit});
    return made;
}

bool is_split(const Form& form) { return form.in == Side::split || form.out == Side::split; }

Complex* complex_at(Real* at) { return reinterpret_cast<Complex*>(at); }

/// The second part of complex numbers on a side that need not be split.
Real* imaginary_of(Side side, Real* re, Real* im) {
    return side == Side::split ? im : re == nullptr ? nullptr : re + 1;
}

}  // namespace

RealFftw* real_fftw() {
    static RealFftw* const found = [] {
        RealFftw* const real = find().release();
        if (real != nullptr) log_line(2, "small transforms go to " + real->version + " at " + real->path);
        loaded.store(real, std::memory_order_release);
        return real;
    }();
    return found;
}

RealFftw* loaded_real_fftw() { return loaded.load(std::memory_order_acquire); }

PlanPointer plan_by_real(RealFftw& real, const Form& form, const Arrays& arrays) {
    const std::lock_guard lock(real.planner);
    const RealFunctions& call = real.functions;
    const bool split = is_split(form);
    const auto unit = [&](Side side) -> std::ptrdiff_t { return side == Side::interleaved && !split ? 2 : 1; };
    const Dims64 dims = dims_of(form.dims, unit(form.in), unit(form.out));
    const Dims64 many = dims_of(form.many, unit(form.in), unit(form.out));
    const int rank = static_cast<int>(dims.size()), howmany = static_cast<int>(many.size());
    // Whether a plan may be made at all is asked of this library's wisdom.
    const unsigned flags = form.flags & ~FFTW_WISDOM_ONLY;
    Real *const in = arrays.in, *const out = arrays.out;
    Real* const in_im = imaginary_of(form.in, in, arrays.in_imaginary);
    Real* const out_im = imaginary_of(form.out, out, arrays.out_imaginary);
    switch (form.type) {
        case Type::dft:
            if (split)
                return call.plan_guru64_split_dft(rank, dims.data(), howmany, many.data(), in, in_im, out, out_im,
                                                  flags);
            return call.plan_guru64_dft(rank, dims.data(), howmany, many.data(), complex_at(in), complex_at(out),
                                        form.is_inverse ? FFTW_BACKWARD : FFTW_FORWARD, flags);
        case Type::r2c:
            if (split)
                return call.plan_guru64_split_dft_r2c(rank, dims.data(), howmany, many.data(), in, out, out_im, flags);
            return call.plan_guru64_dft_r2c(rank, dims.data(), howmany, many.data(), in, complex_at(out), flags);
        case Type::c2r:
            if (split)
                return call.plan_guru64_split_dft_c2r(rank, dims.data(), howmany, many.data(), in, in_im, out, flags);
            return call.plan_guru64_dft_c2r(rank, dims.data(), howmany, many.data(), complex_at(in), out, flags);
        case Type::r2r:
            return call.plan_guru64_r2r(rank, dims.data(), howmany, many.data(), in, out, form.kinds.data(), flags);
    }
    return nullptr;
}

void execute_by_real(const RealFunctions& call, PlanPointer plan, const Form& form, const Arrays& arrays) {
    Real *const in = arrays.in, *const out = arrays.out;
    const bool split = is_split(form);
    Real* const in_im = imaginary_of(form.in, in, arrays.in_imaginary);
    Real* const out_im = imaginary_of(form.out, out, arrays.out_imaginary);
    switch (form.type) {
        case Type::dft:
            if (split) return call.execute_split_dft(plan, in, in_im, out, out_im);
            return call.execute_dft(plan, complex_at(in), complex_at(out));
        case Type::r2c:
            if (split) return call.execute_split_dft_r2c(plan, in, out, out_im);
            return call.execute_dft_r2c(plan, in, complex_at(out));
        case Type::c2r:
            if (split) return call.execute_split_dft_c2r(plan, in, in_im, out);
            return call.execute_dft_c2r(plan, complex_at(in), out);
        case Type::r2r: return call.execute_r2r(plan, in, out);
    }
}

}  // namespace seiche_fftw

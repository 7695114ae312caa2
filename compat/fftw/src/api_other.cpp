// FFTW's functions beside plans and executions: wisdom, threads, memory, what a plan is.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <string>

#include "memory.hpp"
#include "planner.hpp"
#include "real.hpp"
#include "seiche/interop/cpu.hpp"
#include "wisdom.hpp"

using namespace seiche_fftw;  // NOLINT(google-build-using-namespace): every function here is made of it

namespace {

/// Of the whole interface nothing throws.
template <class Result, class Body>
Result guarded(Result failed, const Body& body) {
    try {
        return body();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "seiche (%s): %s\n", library_file, error.what());
        return failed;
    }
}

char* copied(const std::string& text) {
    auto* const made = static_cast<char*>(std::malloc(text.size() + 1));
    if (made != nullptr) std::memcpy(made, text.c_str(), text.size() + 1);
    return made;
}

bool import_text(const std::string& text) {
    return guarded(false, [&] { return !text.empty() && Wisdom::of_process().import(text); });
}

std::string wisdom_text() {
    return guarded(std::string(), [] { return Wisdom::of_process().text(); });
}

bool write_whole(std::FILE* file, const std::string& text) {
    return !text.empty() && std::fwrite(text.data(), 1, text.size(), file) == text.size();
}

std::string plan_text(const PlanPointer p) {
    return guarded(std::string(), [&] { return p == nullptr ? std::string() : p->executor->text(); });
}

using ParallelLoop = void (*)(void* (*)(char*), char*, std::size_t, int, void*);

/// A caller's threads, as the library takes them.
void use_loop(ParallelLoop loop, void* data) {
    if (loop == nullptr) return seiche::cpu::set_parallel_for({});
    seiche::cpu::set_parallel_for([=](std::size_t count, const std::function<void(std::size_t)>& piece) {
        struct Job {
            const std::function<void(std::size_t)>* piece;
            std::size_t index;
        };
        std::vector<Job> jobs;
        for (std::size_t i = 0; i < count; ++i) jobs.push_back({&piece, i});
        const auto work = [](char* job) -> void* {
            const auto* const mine = reinterpret_cast<const Job*>(job);
            (*mine->piece)(mine->index);
            return nullptr;
        };
        loop(work, reinterpret_cast<char*>(jobs.data()), sizeof(Job), static_cast<int>(count), data);
    });
}

}  // namespace

extern "C" {

// Programs read the number behind "fftw-". Sizes are those of FFTW 3.3.10 as Debian and Ubuntu build it: a program that
// is linked with fixed addresses keeps room for so much, and the loader warns of any other.
extern const char SEICHE_FFTW(version)[21] = "fftw-3.3.10-seiche";
extern const char SEICHE_FFTW(cc)[96] = SEICHE_FFTW_COMPILER;
extern const char SEICHE_FFTW(codelet_optim)[1] = "";

void SEICHE_FFTW(forget_wisdom)() {
    Wisdom::of_process().forget();
    RealFftw* const real = loaded_real_fftw();
    if (real == nullptr) return;
    const std::lock_guard lock(real->planner);
    real->functions.forget_wisdom();
}

void SEICHE_FFTW(cleanup)() {
    Wisdom::of_process().forget();
    RealFftw* const real = loaded_real_fftw();
    if (real == nullptr) return;
    const std::lock_guard lock(real->planner);
    real->functions.cleanup();
}

void SEICHE_FFTW(set_timelimit)(double seconds) {
    set_time_limit(seconds);
    RealFftw* const real = guarded<RealFftw*>(nullptr, [] { return real_fftw(); });
    if (real == nullptr) return;
    const std::lock_guard lock(real->planner);
    real->functions.set_timelimit(seconds);
}

int SEICHE_FFTW(init_threads)() { return 1; }
void SEICHE_FFTW(plan_with_nthreads)(int nthreads) { set_planner_threads(nthreads); }
int SEICHE_FFTW(planner_nthreads)() { return planner_threads(); }
void SEICHE_FFTW(make_planner_thread_safe)() {}  // it always is
void SEICHE_FFTW(cleanup_threads)() {
    SEICHE_FFTW(cleanup)();
    set_planner_threads(1);
}
void SEICHE_FFTW(threads_set_callback)(ParallelLoop parallel_loop, void* data) {
    guarded(0, [&] {
        use_loop(parallel_loop, data);
        return 0;
    });
}

char* SEICHE_FFTW(export_wisdom_to_string)() { return copied(wisdom_text()); }

void SEICHE_FFTW(export_wisdom)(SEICHE_FFTW(write_char_func) write_char, void* data) {
    for (const char c : wisdom_text()) write_char(c, data);
}

void SEICHE_FFTW(export_wisdom_to_file)(std::FILE* file) { write_whole(file, wisdom_text()); }

int SEICHE_FFTW(export_wisdom_to_filename)(const char* filename) {
    if (filename == nullptr) return 0;
    std::FILE* const file = std::fopen(filename, "w");
    if (file == nullptr) return 0;
    const bool is_written = write_whole(file, wisdom_text());
    return static_cast<int>((std::fclose(file) == 0) && is_written);
}

int SEICHE_FFTW(import_wisdom)(SEICHE_FFTW(read_char_func) read_char, void* data) {
    return guarded(0, [&] {
        // A character may come as a char that counts as negative; only EOF ends the text.
        return static_cast<int>(import_text(read_expression([&] { return read_char(data); })));
    });
}

int SEICHE_FFTW(import_wisdom_from_file)(std::FILE* file) {
    if (file == nullptr) return 0;
    return guarded(0, [&] { return static_cast<int>(import_text(read_expression([&] { return std::getc(file); }))); });
}

int SEICHE_FFTW(import_wisdom_from_filename)(const char* filename) {
    if (filename == nullptr) return 0;
    std::FILE* const file = std::fopen(filename, "r");
    if (file == nullptr) return 0;
    const int is_taken = SEICHE_FFTW(import_wisdom_from_file)(file);
    return std::fclose(file) == 0 ? is_taken : 0;
}

int SEICHE_FFTW(import_wisdom_from_string)(const char* text) {
    if (text == nullptr) return 0;
    return guarded(0, [&] {
        const auto next = [&] { return *text == '\0' ? -1 : static_cast<unsigned char>(*text++); };
        return static_cast<int>(import_text(read_expression(next)));
    });
}

int SEICHE_FFTW(import_system_wisdom)() { return SEICHE_FFTW(import_wisdom_from_filename)(system_wisdom_file); }

void SEICHE_FFTW(fprint_plan)(const PlanPointer p, std::FILE* file) {
    const std::string text = plan_text(p);
    std::fwrite(text.data(), 1, text.size(), file);
}
void SEICHE_FFTW(print_plan)(const PlanPointer p) { SEICHE_FFTW(fprint_plan)(p, stdout); }
char* SEICHE_FFTW(sprint_plan)(const PlanPointer p) { return copied(plan_text(p)); }

void* SEICHE_FFTW(malloc)(std::size_t bytes) { return allocate(bytes); }
Real* SEICHE_FFTW(alloc_real)(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(Real)) return nullptr;
    return static_cast<Real*>(allocate(count * sizeof(Real)));
}
Complex* SEICHE_FFTW(alloc_complex)(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(Complex)) return nullptr;
    return static_cast<Complex*>(allocate(count * sizeof(Complex)));
}
void SEICHE_FFTW(free)(void* memory) { std::free(memory); }

void SEICHE_FFTW(flops)(const PlanPointer p, double* add, double* mul, double* fmas) {
    const Flops flops = p == nullptr ? Flops{} : p->executor->flops();
    *add = flops.add;
    *mul = flops.mul;
    *fmas = flops.fma;
}
double SEICHE_FFTW(estimate_cost)(const PlanPointer p) { return p == nullptr ? 0 : p->executor->cost(); }
double SEICHE_FFTW(cost)(const PlanPointer p) { return SEICHE_FFTW(estimate_cost)(p); }

int SEICHE_FFTW(alignment_of)(Real* array) {
    constexpr std::uintptr_t alignment = 16;  // that of the vectors that FFTW, if it gets the plan, cares for
    return static_cast<int>(reinterpret_cast<std::uintptr_t>(array) % alignment);
}

}  // extern "C"

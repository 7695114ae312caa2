// Null plans, wisdom, threads, memory, Fortran's names: FFTW's conventions beside its transforms.
#include <array>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "fftw_api.hpp"

extern "C" {
void dfftw_plan_dft_2d_(fftw_plan*, const int*, const int*, fftw_complex*, fftw_complex*, const int*, const int*);
void dfftw_execute_(const fftw_plan*);
void dfftw_execute_dft__(const fftw_plan*, fftw_complex*, fftw_complex*);
void dfftw_destroy_plan_(const fftw_plan*);
void sfftw_plan_r2r_2d__(fftwf_plan*, const int*, const int*, float*, float*, const int*, const int*, const int*);
void sfftw_execute__(const fftwf_plan*);
void sfftw_destroy_plan__(const fftwf_plan*);
void dfftw_export_wisdom_(void (*)(const char*, void*), void*);
void dfftw_import_wisdom__(int*, void (*)(int*, void*), void*);
}

namespace {

constexpr unsigned quick = FFTW_ESTIMATE;

class FftwConventions : public ::testing::Test {
protected:
    void SetUp() override { fftw_forget_wisdom(); }
    Complexes<double> in_ = Complexes<double>(64), out_ = Complexes<double>(64);
    fftw_complex* a_ = raw(in_.data());
    fftw_complex* b_ = raw(out_.data());
    double* r_ = reinterpret_cast<double*>(a_);
    double* s_ = reinterpret_cast<double*>(b_);
};

TEST_F(FftwConventions, NullPlansWhereFftwHasNone) {
    const int n = 8, none = 0;
    const std::array<int, 2> bad = {8, -1};
    EXPECT_EQ(fftw_plan_dft_1d(0, a_, b_, -1, quick), nullptr);
    EXPECT_EQ(fftw_plan_dft_1d(-1, a_, b_, -1, quick), nullptr);
    EXPECT_EQ(fftw_plan_dft_2d(0, 8, a_, b_, -1, quick), nullptr);
    EXPECT_EQ(fftw_plan_dft(2, bad.data(), a_, b_, -1, quick), nullptr);
    EXPECT_EQ(fftw_plan_many_dft(1, &n, -1, a_, nullptr, 1, 8, b_, nullptr, 1, 8, -1, quick), nullptr);
    EXPECT_EQ(fftw_plan_many_dft(-1, nullptr, 3, a_, nullptr, 1, 8, b_, nullptr, 1, 8, -1, quick), nullptr);
    EXPECT_EQ(fftw_plan_many_dft(1, &none, 3, a_, nullptr, 1, 8, b_, nullptr, 1, 8, -1, quick), nullptr);
    EXPECT_EQ(fftw_plan_dft_r2c_1d(0, r_, b_, quick), nullptr);
    EXPECT_EQ(fftw_plan_r2r_1d(1, r_, s_, FFTW_REDFT00, quick), nullptr);
    EXPECT_EQ(fftw_plan_r2r_1d(0, r_, s_, FFTW_REDFT10, quick), nullptr);
    EXPECT_EQ(fftw_plan_r2r_1d(8, r_, s_, static_cast<fftw_r2r_kind>(15), quick), nullptr);
    const fftw_iodim transform = {8, 1, 1}, negative = {-1, 1, 1}, empty = {0, 1, 1};
    EXPECT_EQ(fftw_plan_guru_dft(1, &transform, 1, &negative, a_, b_, -1, quick), nullptr);
    EXPECT_EQ(fftw_plan_guru_dft(1, &empty, 0, nullptr, a_, b_, -1, quick), nullptr);
    EXPECT_EQ(fftw_plan_guru_dft(-1, &transform, 0, nullptr, a_, b_, -1, quick), nullptr);
    EXPECT_EQ(fftw_plan_guru_dft(1, &transform, -1, nullptr, a_, b_, -1, quick), nullptr);
    const fftw_iodim64 endless = {PTRDIFF_MAX / 2, PTRDIFF_MAX / 2, 1};
    EXPECT_EQ(fftw_plan_guru64_dft(1, &endless, 0, nullptr, a_, b_, -1, quick), nullptr);
}

TEST_F(FftwConventions, NothingIsDoneForNoRepetition) {
    const int n = 8;
    in_.assign(64, 1);
    const Planned<double> plan(fftw_plan_many_dft(1, &n, 0, a_, nullptr, 1, 8, b_, nullptr, 1, 8, -1, quick));
    plan.execute();
    EXPECT_EQ(out_, Complexes<double>(64));
    fftw_execute(nullptr);
    fftw_destroy_plan(nullptr);
    fftw_free(nullptr);
}

TEST_F(FftwConventions, WisdomOnlyPlansWhatWisdomKnows) {
    EXPECT_EQ(fftw_plan_dft_1d(32, a_, b_, -1, FFTW_WISDOM_ONLY | FFTW_MEASURE), nullptr);
    { const Planned<double> plan(fftw_plan_dft_1d(32, a_, b_, -1, FFTW_MEASURE)); }
    { const Planned<double> plan(fftw_plan_dft_1d(32, a_, b_, -1, FFTW_WISDOM_ONLY | FFTW_MEASURE)); }
    { const Planned<double> plan(fftw_plan_dft_1d(32, a_, b_, -1, FFTW_WISDOM_ONLY | FFTW_ESTIMATE)); }
    EXPECT_EQ(fftw_plan_dft_1d(32, a_, b_, -1, FFTW_WISDOM_ONLY | FFTW_PATIENT), nullptr);
    EXPECT_EQ(fftw_plan_dft_1d(32, a_, b_, +1, FFTW_WISDOM_ONLY | FFTW_MEASURE), nullptr);
    fftw_forget_wisdom();
    EXPECT_EQ(fftw_plan_dft_1d(32, a_, b_, -1, FFTW_WISDOM_ONLY | FFTW_MEASURE), nullptr);
}

std::string wisdom() {
    char* const text = fftw_export_wisdom_to_string();
    std::string made = text;
    std::free(text);
    return made;
}

TEST_F(FftwConventions, WisdomGoesOutAndComesBack) {
    { const Planned<double> plan(fftw_plan_dft_1d(32, a_, b_, -1, FFTW_PATIENT)); }
    const std::string text = wisdom();
    EXPECT_NE(text.find("c2c- 32:2:2"), std::string::npos) << text;
    EXPECT_EQ(text.find("(fftw-3") != std::string::npos, is_forwarded()) << text;
    fftw_forget_wisdom();
    EXPECT_EQ(wisdom().find("c2c-"), std::string::npos);
    EXPECT_EQ(fftw_import_wisdom_from_string((" \n" + text + "what follows").c_str()), 1);
    EXPECT_EQ(wisdom(), text);
    const Planned<double> plan(fftw_plan_dft_1d(32, a_, b_, -1, FFTW_WISDOM_ONLY | FFTW_PATIENT));
}

TEST_F(FftwConventions, WisdomByFilesAndCharacters) {
    { const Planned<double> plan(fftw_plan_dft_1d(32, a_, b_, -1, FFTW_MEASURE)); }
    const std::string text = wisdom();
    std::FILE* const file = std::tmpfile();
    ASSERT_NE(file, nullptr);
    fftw_export_wisdom_to_file(file);
    std::fputs("end", file);
    std::rewind(file);
    fftw_forget_wisdom();
    EXPECT_EQ(fftw_import_wisdom_from_file(file), 1);
    EXPECT_EQ(wisdom(), text);
    std::array<char, 5> rest{};  // what a program wrote behind it is still unread
    EXPECT_EQ(std::fgetc(file), '\n');
    EXPECT_STREQ(std::fgets(rest.data(), 5, file), "end");
    std::fclose(file);
    EXPECT_EQ(fftw_export_wisdom_to_filename("/nonexistent/folder/wisdom"), 0);
    EXPECT_EQ(fftw_import_wisdom_from_filename("/nonexistent/folder/wisdom"), 0);

    std::string written;
    dfftw_export_wisdom_([](const char* c, void* to) { static_cast<std::string*>(to)->push_back(*c); }, &written);
    EXPECT_EQ(written, text);
    fftw_forget_wisdom();
    const char* at = written.c_str();
    int is_fine = 0;
    dfftw_import_wisdom__(
        &is_fine,
        [](int* c, void* from) {
            auto& next = *static_cast<const char**>(from);
            *c = *next == '\0' ? -1 : *next++;
        },
        &at);
    EXPECT_EQ(is_fine, 1);
    EXPECT_EQ(wisdom(), text);
}

TEST_F(FftwConventions, DamagedWisdomIsRefusedAndNothingOfItTaken) {
    { const Planned<double> plan(fftw_plan_dft_1d(32, a_, b_, -1, FFTW_MEASURE)); }
    const std::string text = wisdom();
    fftw_forget_wisdom();
    const std::string none = wisdom();
    for (std::size_t length = 0; length + 2 < text.size(); length += 7) {
        EXPECT_EQ(fftw_import_wisdom_from_string(text.substr(0, length).c_str()), 0) << length;
        EXPECT_EQ(wisdom(), none);
    }
    for (const char* bad : {"", "foo", "(", ")", "()", "(seiche-fftw 1 f32\n)", "(seiche-fftw 2 f64)",
                            "(seiche-fftw 1 f64 (plan \"x\" measure \"\" \"no-such-tuning=1\"))",
                            "(seiche-fftw 1 f64 (plan \"x\" gladly \"\" \"\"))", "(seiche-fftw 1 f64 (plane))"}) {
        EXPECT_EQ(fftw_import_wisdom_from_string(bad), 0) << bad;
        EXPECT_EQ(wisdom(), none);
    }
    char* const other = fftwf_export_wisdom_to_string();
    EXPECT_EQ(fftw_import_wisdom_from_string(other), 0);
    std::free(other);
}

TEST_F(FftwConventions, TunedPlansAndTimeLimits) {
    const auto data = random_complexes<double>(64);
    for (const unsigned flags : {FFTW_PATIENT, FFTW_EXHAUSTIVE})
        for (const double limit : {FFTW_NO_TIMELIMIT, 0.0}) {
            fftw_set_timelimit(limit);
            fftw_forget_wisdom();
            const Planned<double> plan(fftw_plan_dft_2d(8, 8, a_, b_, -1, flags));
            in_ = data;
            fftw_execute_dft(plan.get(), raw(in_.data()), b_);
            expect_near(out_, defined_dft(data, {8, 8}, -1));
        }
    fftw_set_timelimit(FFTW_NO_TIMELIMIT);
}

TEST_F(FftwConventions, ThreadsOfThePlanner) {
    EXPECT_NE(fftw_init_threads(), 0);
    fftw_make_planner_thread_safe();
    fftw_plan_with_nthreads(3);
    EXPECT_EQ(fftw_planner_nthreads(), 3);
    Complexes<double> in = random_complexes<double>(128 * 128), out(in.size());
    const Planned<double> plan(fftw_plan_dft_2d(128, 128, raw(in.data()), raw(out.data()), -1, quick));
    plan.execute();
    static int calls;
    calls = 0;
    const auto out_first = out;
    if (!is_forwarded()) {
        fftw_threads_set_callback(
            [](void* (*work)(char*), char* jobs, std::size_t bytes, int count, void* data) {
                ++*static_cast<int*>(data);
                for (int i = 0; i < count; ++i) work(jobs + bytes * static_cast<std::size_t>(i));
            },
            &calls);
        plan.execute();
        fftw_threads_set_callback(nullptr, nullptr);
        EXPECT_EQ(out, out_first);
        const char* const device = std::getenv("SEICHE_DEVICE");
        if (device != nullptr && std::strcmp(device, "cpu") == 0) {
            EXPECT_GT(calls, 0);
        }
    }
    fftw_cleanup_threads();
    EXPECT_EQ(fftw_planner_nthreads(), 1);
}

TEST_F(FftwConventions, MemoryAndWhatAPlanIs) {
    void* const memory = fftw_malloc(42);
    EXPECT_EQ(fftw_alignment_of(static_cast<double*>(memory)), 0);
    EXPECT_NE(fftw_alignment_of(static_cast<double*>(memory) + 1), 0);
    fftw_free(memory);
    EXPECT_EQ(fftw_alloc_complex(SIZE_MAX / 4), nullptr);
    EXPECT_EQ(fftw_alloc_real(SIZE_MAX / 4), nullptr);
    EXPECT_EQ(std::string(fftw_version).substr(0, 11), "fftw-3.3.10");

    const Planned<double> plan(fftw_plan_dft_1d(60, a_, b_, -1, FFTW_MEASURE));
    double add = 0, mul = 0, fma = 0;
    fftw_flops(plan.get(), &add, &mul, &fma);
    EXPECT_GT(add + mul + fma, 0);
    EXPECT_GT(fftw_estimate_cost(plan.get()), 0);
    EXPECT_GE(fftw_cost(plan.get()), 0);
    char* const text = fftw_sprint_plan(plan.get());
    // A real FFTW plans with its own functions, although this program's are ours.
    EXPECT_EQ(std::string(text).find("seiche") == std::string::npos, is_forwarded()) << text;
    fftw_free(text);
}

TEST_F(FftwConventions, FortranTurnsDimensionsRound) {
    const int nx = 4, ny = 6, sign = -1, flags = FFTW_ESTIMATE;
    const auto data = random_complexes<double>(24);
    in_ = data;
    fftw_plan plan = nullptr;
    dfftw_plan_dft_2d_(&plan, &nx, &ny, a_, b_, &sign, &flags);
    ASSERT_NE(plan, nullptr);
    dfftw_execute_(&plan);
    const auto expected = defined_dft(data, {6, 4}, -1);
    expect_near(Complexes<double>(out_.begin(), out_.begin() + 24), expected);
    Complexes<double> other(24);
    dfftw_execute_dft__(&plan, a_, raw(other.data()));
    expect_near(other, expected);
    dfftw_destroy_plan_(&plan);

    auto reals = random_reals<float>(24);
    std::vector<float> one(24), two(24);
    const int first = FFTW_REDFT10, second = FFTW_RODFT11;
    fftwf_plan of_reals = nullptr;
    sfftw_plan_r2r_2d__(&of_reals, &nx, &ny, reals.data(), one.data(), &first, &second, &flags);
    ASSERT_NE(of_reals, nullptr);
    sfftw_execute__(&of_reals);
    sfftw_destroy_plan__(&of_reals);
    const Planned<float> in_c(
        fftwf_plan_r2r_2d(6, 4, reals.data(), two.data(), FFTW_RODFT11, FFTW_REDFT10, FFTW_ESTIMATE));
    in_c.execute();
    expect_near(one, two);
}

}  // namespace

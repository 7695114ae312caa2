// Seiche's libfftw3_mpi on any number of ranks, against its libfftw3 on one: each rank transforms the whole array too
// and compares its part. Run by mpi_test.py, which reads the file of each rank's number in the folder
// SEICHE_TEST_FOLDER: "right", or what is wrong.
#include <fftw3-mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Complex = std::complex<double>;
using Index = std::ptrdiff_t;

struct Wrong : std::runtime_error {
    using std::runtime_error::runtime_error;
};
void expect(bool is_right, const std::string& what) {
    if (!is_right) throw Wrong(what);
}

int rank = 0, ranks = 1;

fftw_complex* raw(std::vector<Complex>& array) { return reinterpret_cast<fftw_complex*>(array.data()); }
std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// The same numbers on all ranks.
std::vector<double> numbers(Index count, unsigned seed) {
    std::vector<double> made(at(count));
    std::uint64_t state = seed;
    for (double& number : made) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        number = static_cast<double>(state >> 33U) * 0x1p-30 - 1;
    }
    return made;
}
std::vector<Complex> complex_numbers(Index count, unsigned seed) {
    const std::vector<double> parts = numbers(2 * count, seed);
    std::vector<Complex> made(at(count));
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = {parts[2 * i], parts[2 * i + 1]};
    return made;
}

/// Calls with indices of this rank's part of n0 x n1 x n2, cut along the first axis or, swapped, along the second: the
/// place in the whole array and in the part. Rows of the two have room for so many.
void for_part(const std::vector<Index>& n, bool is_swapped, Index start, Index count, Index whole_room, Index room,
              const std::function<void(std::size_t whole, std::size_t part)>& visit) {
    for (Index i = is_swapped ? 0 : start; i < (is_swapped ? n[0] : start + count); ++i)
        for (Index j = is_swapped ? start : 0; j < (is_swapped ? start + count : n[1]); ++j)
            for (Index k = 0; k < n[2]; ++k) {
                const Index row = is_swapped ? (j - start) * n[0] + i : (i - start) * n[1] + j;
                visit(at((i * n[1] + j) * whole_room + k), at(row * room + k));
            }
}

struct Parts {
    Index n0 = 0, start0 = 0, n1 = 0, start1 = 0, size = 0;
    Parts(const std::vector<Index>& n, Index howmany) {
        size = fftw_mpi_local_size_many_transposed(static_cast<int>(n.size()), n.data(), howmany, 0, 0, MPI_COMM_WORLD,
                                                   &n0, &start0, &n1, &start1);
    }
    Index start(bool is_swapped) const { return is_swapped ? start1 : start0; }
    Index count(bool is_swapped) const { return is_swapped ? n1 : n0; }
};

template <class T>
void expect_near(const std::vector<T>& got, const std::vector<T>& right, const std::vector<std::size_t>& from,
                 const std::vector<std::size_t>& to, const std::string& of) {
    double error = 0, size = 1e-300;
    for (const T& value : right) size = std::max(size, std::abs(value));
    for (std::size_t i = 0; i < from.size(); ++i) error = std::max(error, std::abs(got[to[i]] - right[from[i]]));
    expect(error <= 1e-14 * size, of + ": an error of " + std::to_string(error / size));
}

/// The places of this rank's part in the whole and in the part.
struct Places {
    std::vector<std::size_t> whole, part;
    Places(const std::vector<Index>& n, bool is_swapped, const Parts& parts, Index whole_room, Index room) {
        for_part(n, is_swapped, parts.start(is_swapped), parts.count(is_swapped), whole_room, room,
                 [this](std::size_t w, std::size_t p) { whole.push_back(w), part.push_back(p); });
    }
};

void sizes() {
    Index n0 = 0, start0 = 0, n1 = 0, start1 = 0;
    const Index block = (7 + ranks - 1) / ranks, mine = std::clamp(7 - block * rank, Index{0}, block);
    const Index size = fftw_mpi_local_size_2d_transposed(7, 5, MPI_COMM_WORLD, &n0, &start0, &n1, &start1);
    expect(n0 == mine && (mine == 0 || start0 == block * rank), "the part of 7");
    expect(size >= n0 * 5 && size >= n1 * 7, "room for both orders");
    const Index dims[] = {7, 5};
    fftw_mpi_local_size_many(2, dims, 3, 4, MPI_COMM_WORLD, &n0, &start0);
    expect(n0 == std::clamp(7 - Index{4} * rank, Index{0}, Index{4}), "blocks of 4");
    Index no = 0, start_o = 0;
    fftw_mpi_local_size_1d(9, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE, &n0, &start0, &no, &start_o);
    Index all = n0;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    expect(all == 9 && no == n0, "the parts of a line");
}

void complex_arrays(bool is_in_place) {
    const std::vector<Index> n{6, 5, 4};
    const std::vector<Complex> given = complex_numbers(120, 1);
    std::vector<Complex> whole = given, spectrum(120);
    const fftw_plan serial = fftw_plan_dft_3d(6, 5, 4, raw(whole), raw(spectrum), FFTW_FORWARD, FFTW_ESTIMATE);
    whole = given;
    fftw_execute(serial);
    fftw_destroy_plan(serial);
    const Parts parts(n, 1);
    const Places in(n, false, parts, 4, 4);
    std::vector<Complex> array(at(parts.size)), other(at(parts.size));
    std::vector<Complex>& result = is_in_place ? array : other;
    for (const bool is_swapped : {false, true}) {
        const fftw_plan plan = fftw_mpi_plan_dft_3d(6, 5, 4, raw(array), raw(result), MPI_COMM_WORLD, FFTW_FORWARD,
                                                    FFTW_MEASURE | (is_swapped ? FFTW_MPI_TRANSPOSED_OUT : 0));
        const fftw_plan back = fftw_mpi_plan_dft(3, n.data(), raw(result), raw(array), MPI_COMM_WORLD, FFTW_BACKWARD,
                                                 FFTW_ESTIMATE | (is_swapped ? FFTW_MPI_TRANSPOSED_IN : 0));
        expect(plan != nullptr && back != nullptr, "no plan");
        for (std::size_t i = 0; i < in.whole.size(); ++i) array[in.part[i]] = given[in.whole[i]];
        fftw_execute(plan);
        const Places out(n, is_swapped, parts, 4, 4);
        expect_near(result, spectrum, out.whole, out.part, is_swapped ? "transposed" : "natural");
        fftw_mpi_execute_dft(back, raw(result), raw(array));
        std::vector<Complex> scaled = given;
        for (Complex& value : scaled) value *= 120;
        expect_near(array, scaled, in.whole, in.part, "and back");
        fftw_destroy_plan(plan);
        fftw_destroy_plan(back);
    }
}

void real_arrays(bool is_in_place) {
    const std::vector<Index> n{5, 6, 7}, half{5, 6, 4};
    const std::vector<double> given = numbers(210, 2);
    std::vector<double> whole = given;
    std::vector<Complex> spectrum(120);
    const fftw_plan serial = fftw_plan_dft_r2c_3d(5, 6, 7, whole.data(), raw(spectrum), FFTW_ESTIMATE);
    fftw_execute(serial);
    fftw_destroy_plan(serial);
    const Parts parts(half, 1);
    const Places in(n, false, parts, 7, 8);
    std::vector<Complex> array(at(parts.size)), other(at(parts.size));
    std::vector<Complex>& result = is_in_place ? array : other;
    auto* const real = reinterpret_cast<double*>(array.data());
    for (const bool is_swapped : {false, true}) {
        const fftw_plan plan = fftw_mpi_plan_dft_r2c(3, n.data(), real, raw(result), MPI_COMM_WORLD,
                                                     FFTW_ESTIMATE | (is_swapped ? FFTW_MPI_TRANSPOSED_OUT : 0));
        const fftw_plan back = fftw_mpi_plan_dft_c2r_3d(5, 6, 7, raw(result), real, MPI_COMM_WORLD,
                                                        FFTW_ESTIMATE | (is_swapped ? FFTW_MPI_TRANSPOSED_IN : 0));
        expect(plan != nullptr && back != nullptr, "no real plan");
        for (std::size_t i = 0; i < in.whole.size(); ++i) real[in.part[i]] = given[in.whole[i]];
        fftw_mpi_execute_dft_r2c(plan, real, raw(result));
        const Places out(half, is_swapped, parts, 4, 4);
        expect_near(result, spectrum, out.whole, out.part, is_swapped ? "r2c, transposed" : "r2c");
        fftw_execute(back);
        const std::vector<double> got(real, real + 2 * parts.size);
        std::vector<double> scaled = given;
        for (double& value : scaled) value *= 210;
        expect_near(got, scaled, in.whole, in.part, "c2r");
        fftw_destroy_plan(plan);
        fftw_destroy_plan(back);
    }
}

/// Cosines of planes, two beside each other; and their transposition, which three flags say otherwise.
void repetitions_and_transpositions() {
    const std::vector<Index> n{6, 5, 2};
    const int serial_n[] = {6, 5};
    const fftw_r2r_kind kinds[] = {FFTW_REDFT10, FFTW_RODFT01};
    const std::vector<double> given = numbers(60, 3);
    std::vector<double> whole = given, right(60);
    const fftw_plan serial = fftw_plan_many_r2r(2, serial_n, 2, whole.data(), nullptr, 2, 1, right.data(), nullptr, 2,
                                                1, kinds, FFTW_ESTIMATE);
    fftw_execute(serial);
    fftw_destroy_plan(serial);
    const Parts parts({6, 5}, 2);
    const Places in(n, false, parts, 2, 2), out(n, true, parts, 2, 2);
    std::vector<double> array(at(parts.size)), result(at(parts.size));
    for (std::size_t i = 0; i < in.whole.size(); ++i) array[in.part[i]] = given[in.whole[i]];
    const fftw_plan plan =
        fftw_mpi_plan_many_r2r(2, n.data(), 2, 0, 0, array.data(), result.data(), MPI_COMM_WORLD, kinds, FFTW_ESTIMATE);
    expect(plan != nullptr, "no plan of r2r");
    fftw_execute(plan);
    expect_near(result, right, in.whole, in.part, "r2r");
    fftw_destroy_plan(plan);

    for (const bool is_local : {false, true}) {
        // With the flag the result stays cut along the second axis, but lies as the array did.
        std::vector<double> moved(array);
        const fftw_plan move = fftw_mpi_plan_many_transpose(6, 5, 2, 0, 0, moved.data(), moved.data(), MPI_COMM_WORLD,
                                                            is_local ? FFTW_MPI_TRANSPOSED_OUT : FFTW_ESTIMATE);
        expect(move != nullptr, "no transposition");
        fftw_execute(move);
        std::vector<std::size_t> places = out.part;
        for (std::size_t i = 0; is_local && i < places.size(); ++i) {
            const Index repetition = static_cast<Index>(out.part[i]) % 2, j = static_cast<Index>(out.part[i]) / 2 / 6,
                        row = static_cast<Index>(out.part[i]) / 2 % 6;
            places[i] = at((row * parts.n1 + j) * 2 + repetition);
        }
        expect_near(moved, given, out.whole, places, is_local ? "a transposition that lies as before" : "transposed");
        fftw_destroy_plan(move);
    }
}

void lines_and_floats() {
    Index ni = 0, start_i = 0, no = 0, start_o = 0;
    const Index size =
        fftwf_mpi_local_size_1d(24, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE, &ni, &start_i, &no, &start_o);
    std::vector<std::complex<float>> line(at(size));
    if (start_i == 0 && ni > 0) line[0] = 1;
    auto* const array = reinterpret_cast<fftwf_complex*>(line.data());
    const fftwf_plan plan = fftwf_mpi_plan_dft_1d(24, array, array, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
    expect(plan != nullptr, "no plan of a line");
    fftwf_execute(plan);
    for (Index i = 0; i < no; ++i) expect(std::abs(line[at(i)] - 1.0F) < 1e-6F, "the spectrum of an impulse");
    fftwf_destroy_plan(plan);
}

/// One axis that all ranks work on, and one of a prime number of points, and back again; scrambled in an order of the
/// library's own.
void long_lines(bool is_scrambled, bool is_in_place) {
    for (const Index n : {Index{5760}, Index{5003}}) {
        const unsigned out_flag = is_scrambled ? FFTW_MPI_SCRAMBLED_OUT : 0U,
                       in_flag = is_scrambled ? FFTW_MPI_SCRAMBLED_IN : 0U;
        Index local_in = 0, in_start = 0, local_out = 0, out_start = 0;
        const Index room = fftw_mpi_local_size_1d(n, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE | out_flag, &local_in,
                                                  &in_start, &local_out, &out_start);
        const std::vector<Complex> whole = complex_numbers(n, 11);
        std::vector<Complex> in(at(room)), out(at(room)), spectrum(whole.size());
        std::vector<Complex>& result = is_in_place ? in : out;
        const fftw_plan forward = fftw_mpi_plan_dft_1d(n, raw(in), raw(result), MPI_COMM_WORLD, FFTW_FORWARD,
                                                       FFTW_ESTIMATE | out_flag),
                        back = fftw_mpi_plan_dft_1d(n, raw(result), raw(in), MPI_COMM_WORLD, FFTW_BACKWARD,
                                                    FFTW_ESTIMATE | in_flag);
        expect(forward != nullptr && back != nullptr, "expected plans of one axis");
        std::copy_n(whole.begin() + in_start, local_in, in.begin());
        fftw_execute(forward);
        std::vector<Complex> copy = whole;
        const fftw_plan alone =
            fftw_plan_dft_1d(static_cast<int>(n), raw(copy), raw(spectrum), FFTW_FORWARD, FFTW_ESTIMATE);
        fftw_execute(alone);
        double far = 0;
        for (Index i = 0; i < local_out; ++i)
            far = std::max(far, std::abs(result[at(i)] - spectrum[at(out_start + i)]));
        if (is_scrambled && ranks > 1 && n == 5760) {
            expect(far > 1, "expected another order than the natural one");
        } else {
            expect(far < 1e-10, "expected one axis as one process has it");
        }
        fftw_execute(back);
        far = 0;
        for (Index i = 0; i < local_in; ++i)
            far = std::max(far, std::abs(in[at(i)] / static_cast<double>(n) - whole[at(in_start + i)]));
        expect(far < 1e-13, "expected one axis back again");
        for (const fftw_plan plan : {forward, back, alone}) fftw_destroy_plan(plan);
    }
}

void refusals_and_wisdom() {
    std::vector<double> real(64);
    std::vector<Complex> array(64);
    const Index one = 16, blocks[] = {8, 4};
    expect(fftw_mpi_plan_dft_r2c(1, &one, real.data(), raw(array), MPI_COMM_WORLD, FFTW_ESTIMATE) == nullptr,
           "a plan of one real axis");
    expect(fftw_mpi_plan_many_dft(2, blocks, 1, 1, 0, raw(array), raw(array), MPI_COMM_WORLD, FFTW_FORWARD,
                                  FFTW_ESTIMATE) == nullptr,
           "a plan of blocks that are too small");
    expect(fftw_mpi_plan_dft_2d(0, 4, raw(array), raw(array), MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE) == nullptr,
           "a plan of nothing");
    fftw_forget_wisdom();
    const fftw_plan plan = fftw_plan_dft_1d(rank == 1 ? 32 : 16, raw(array), raw(array), FFTW_FORWARD, FFTW_MEASURE);
    fftw_destroy_plan(plan);
    fftw_mpi_gather_wisdom(MPI_COMM_WORLD);
    fftw_mpi_broadcast_wisdom(MPI_COMM_WORLD);
    for (const int n : {16, ranks > 1 ? 32 : 16}) {
        const fftw_plan known =
            fftw_plan_dft_1d(n, raw(array), raw(array), FFTW_FORWARD, FFTW_MEASURE | FFTW_WISDOM_ONLY);
        expect(known != nullptr, "no wisdom of " + std::to_string(n) + " points");
        fftw_destroy_plan(known);
    }
    fftw_mpi_cleanup();
}

std::string all() {
    try {
        sizes();
        for (const bool is_in_place : {false, true}) {
            complex_arrays(is_in_place);
            real_arrays(is_in_place);
        }
        repetitions_and_transpositions();
        lines_and_floats();
        for (const bool is_scrambled : {false, true})
            for (const bool is_in_place : {false, true}) long_lines(is_scrambled, is_in_place);
        refusals_and_wisdom();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "right";
}

}  // namespace

int main(int count, char** arguments) {
    MPI_Init(&count, &arguments);
    fftw_mpi_init();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const std::string found = all();
    if (const char* const folder = std::getenv("SEICHE_TEST_FOLDER"))
        std::ofstream(std::string(folder) + "/" + std::to_string(rank)) << found << "\n";
    std::cout << rank << ": " << found << std::endl;
    if (found != "right") MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}

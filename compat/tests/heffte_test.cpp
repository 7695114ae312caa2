// heffte.h against sums in long double, on any number of ranks: orders of boxes, empty ones, batches, one array for
// both sides, real arrays, scales, cosine transforms, and what is refused. Run by mpi_test.py, which reads the file
// of each rank's number in the folder SEICHE_TEST_FOLDER: "right", or what is wrong.
#include "heffte.h"

#include <fstream>
#include <functional>

#include "seiche/error.hpp"

namespace {

using Complex = std::complex<double>;
using Box = heffte::box3d<>;
using heffte::backend::stock;

constexpr long double pi = 3.141592653589793238462643383279502884L;

struct Wrong : std::runtime_error {
    using std::runtime_error::runtime_error;
};
void expect(bool is_right, const std::string& what) {
    if (!is_right) throw Wrong(what);
}

/// The same on all ranks; element (i, j, k) is at (k n1 + j) n0 + i.
struct World {
    std::array<int, 3> n;
    std::vector<Complex> values;

    World(std::array<int, 3> size, unsigned seed, bool is_real)
        : n(size),
          values(static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]) *
                 static_cast<std::size_t>(size[2])) {
        std::uint64_t state = seed;
        const auto number = [&] {
            state = state * 6364136223846793005U + 1442695040888963407U;
            return static_cast<double>(state >> 33U) * 0x1p-30 - 1;
        };
        for (Complex& value : values) value = {number(), is_real ? 0 : number()};
    }
    Box box() const { return Box({0, 0, 0}, {n[0] - 1, n[1] - 1, n[2] - 1}); }
    Complex& at(int i, int j, int k) {
        const int row = k * n[1] + j;
        return values[static_cast<std::size_t>(row) * static_cast<std::size_t>(n[0]) + static_cast<std::size_t>(i)];
    }

    /// Along each direction, the sum with these weights of element and frequency.
    void transform(const std::function<std::complex<long double>(int n, int j, int k)>& weight) {
        for (std::size_t d = 0; d < 3; ++d) {
            const std::vector<Complex> before = values;
            const int step = d == 0 ? 1 : d == 1 ? n[0] : n[0] * n[1];
            for (std::size_t at = 0; at < values.size(); ++at) {
                const int frequency = static_cast<int>(at) / step % n[d];
                const std::size_t first = at - static_cast<std::size_t>(frequency * step);
                std::complex<long double> sum = 0;
                for (int j = 0; j < n[d]; ++j)
                    sum += weight(n[d], j, frequency) *
                           std::complex<long double>(before[first + static_cast<std::size_t>(j * step)]);
                values[at] = Complex(sum);
            }
        }
    }
    void fourier() {
        transform([](int points, int j, int k) {
            const long double turn = -2 * pi * static_cast<long double>(j) * k / points;
            return std::complex<long double>(std::cos(turn), std::sin(turn));
        });
    }
};

/// What a box has of the world, in the box's order.
std::vector<Complex> part(World& world, const Box& box) {
    std::vector<Complex> values(static_cast<std::size_t>(box.count()));
    std::array<std::size_t, 3> step{};
    std::size_t next = 1;
    for (const int d : box.order) {
        step[static_cast<std::size_t>(d)] = next;
        next *= static_cast<std::size_t>(std::max(box.size[static_cast<std::size_t>(d)], 0));
    }
    for (int k = 0; k < box.size[2]; ++k)
        for (int j = 0; j < box.size[1]; ++j)
            for (int i = 0; i < box.size[0]; ++i)
                values[static_cast<std::size_t>(i) * step[0] + static_cast<std::size_t>(j) * step[1] +
                       static_cast<std::size_t>(k) * step[2]] =
                    world.at(box.low[0] + i, box.low[1] + j, box.low[2] + k);
    return values;
}

template <class To>
std::vector<To> converted(const std::vector<Complex>& values) {
    std::vector<To> made;
    for (const Complex& value : values) {
        if constexpr (std::is_floating_point_v<To>)
            made.push_back(static_cast<To>(value.real()));
        else
            made.push_back(To(value));
    }
    return made;
}

template <class T>
void expect_near(const std::vector<T>& got, const std::vector<Complex>& expected, double factor,
                 const std::string& of) {
    expect(got.size() == expected.size(), of + ": " + std::to_string(got.size()) + " elements");
    double error = 0, size = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        error = std::max(error, std::abs(Complex(got[i]) - factor * expected[i]));
        size = std::max(size, std::abs(factor * expected[i]));
    }
    const double bound = sizeof(decltype(std::real(T()))) == 4 ? 4e-6 : 1e-14;
    expect(error <= bound * size, of + ": an error of " + std::to_string(error) + " beside " + std::to_string(size));
}

struct Ranks {
    int rank = heffte::mpi::comm_rank(MPI_COMM_WORLD), count = heffte::mpi::comm_size(MPI_COMM_WORLD);

    /// This rank's box of a world that is cut along one direction, with the order given; rank 1's is empty.
    Box cut(const Box& world, std::size_t d, const std::array<int, 3>& order) const {
        std::array<int, 3> low = world.low, high = world.high;
        const int parts = count - 1, mine = rank == 0 ? 0 : rank - 1;
        low[d] = world.size[d] * mine / parts;
        high[d] = world.size[d] * (mine + 1) / parts - 1;
        return rank == 1 ? Box({0, 0, 0}, {-1, -1, -1}, order) : Box(low, high, order);
    }
    /// Of a grid, in heFFTe's own way.
    Box grid(const Box& world) const {
        return heffte::split_world(world, heffte::proc_setup_min_surface(world, count))[static_cast<std::size_t>(rank)];
    }
};

constexpr std::array<std::array<int, 3>, 6> orders{{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};

template <class T>
void complex_orders(const Ranks& ranks) {
    World world({6, 5, 4}, 1, false), spectrum = world;
    spectrum.fourier();
    for (std::size_t o = 0; o < orders.size(); ++o) {
        const Box inbox = ranks.cut(world.box(), o % 3, orders[o]);
        const Box outbox = ranks.cut(world.box(), (o + 1) % 3, orders[(o + 4) % orders.size()]);
        const heffte::fft3d<stock> fft(inbox, outbox, MPI_COMM_WORLD);
        expect(fft.size_inbox() == inbox.count() && fft.size_outbox() == outbox.count(), "sizes");
        const std::vector<T> input = converted<T>(part(world, inbox));
        const std::vector<T> output = fft.forward(input);
        expect_near(output, part(spectrum, outbox), 1, "order " + std::to_string(o));
        expect_near(fft.backward(output, heffte::scale::full), part(world, inbox), 1, "backward");
        const auto symmetric = fft.forward(input, heffte::scale::symmetric);
        expect_near(symmetric, part(spectrum, outbox), 1 / std::sqrt(120.0), "symmetric");
        // The same array on both sides.
        std::vector<T> both(input);
        both.resize(std::max(input.size(), output.size()));
        fft.forward(both.data(), both.data());
        both.resize(output.size());
        expect_near(both, part(spectrum, outbox), 1, "in place");
    }
}

template <class R>
void real_arrays(const Ranks& ranks) {
    using C = std::complex<R>;
    World world({7, 4, 6}, 2, true), spectrum = world;
    spectrum.fourier();
    const Box inbox = ranks.grid(world.box());
    const std::vector<R> input = converted<R>(part(world, inbox));
    const heffte::fft3d<heffte::backend::fftw> whole(inbox, inbox, MPI_COMM_WORLD);
    expect_near(whole.forward(input), part(spectrum, inbox), 1, "real to whole");
    expect_near(whole.backward_real(whole.forward(input), heffte::scale::full), part(world, inbox), 1, "whole to real");
    for (int d = 0; d < 3; ++d) {
        const Box half = world.box().r2c(d), outbox = ranks.cut(half, static_cast<std::size_t>(2 - d), {2, 0, 1});
        const heffte::fft3d_r2c<stock> fft(inbox, outbox, d, MPI_COMM_WORLD);
        const std::vector<C> output = fft.forward(input);
        expect_near(output, part(spectrum, outbox), 1, "r2c along " + std::to_string(d));
        expect_near(fft.backward(output, heffte::scale::full), part(world, inbox), 1, "c2r");
    }
}

void batches(const Ranks& ranks) {
    constexpr int batch = 3;
    std::vector<World> worlds;
    for (unsigned b = 0; b < batch; ++b) worlds.emplace_back(std::array<int, 3>{4, 6, 3}, 10 + b, true);
    const Box inbox = ranks.cut(worlds[0].box(), 1, {1, 2, 0});
    const Box outbox = ranks.cut(worlds[0].box().r2c(0), 2, {0, 1, 2});
    std::vector<double> input;
    std::vector<Complex> expected, all;
    for (World& world : worlds) {
        for (const Complex& value : part(world, inbox)) input.push_back(value.real()), all.push_back(value);
        World spectrum = world;
        spectrum.fourier();
        for (const Complex& value : part(spectrum, outbox)) expected.push_back(value);
    }
    const auto fft = heffte::make_fft3d_r2c<heffte::backend::mkl>(inbox, outbox, 0, MPI_COMM_WORLD);
    std::vector<Complex> output(expected.size()), workspace(batch * fft.size_workspace());
    fft.forward(batch, input.data(), output.data(), workspace.data());
    expect_near(output, expected, 1, "a batch");
    std::vector<double> back(input.size());
    fft.backward(batch, output.data(), back.data(), heffte::scale::full);
    expect_near(back, all, 1, "a batch back");
}

void cosines(const Ranks& ranks) {
    World world({5, 3, 4}, 3, true), spectrum = world;
    spectrum.transform([](int n, int j, int k) {
        return std::complex<long double>(2 * std::cos(pi * (static_cast<long double>(j) + 0.5L) * k / n));
    });
    const Box box = ranks.grid(world.box());
    const std::vector<double> input = converted<double>(part(world, box));
    // heFFTe's own inverse is 8 times FFTW's.
    const heffte::rtransform<heffte::backend::fftw_cos> fftw(box, box, MPI_COMM_WORLD);
    const heffte::rtransform<heffte::backend::stock_cos> own(box, box, MPI_COMM_WORLD);
    expect_near(fftw.forward(input), part(spectrum, box), 1, "cosines");
    expect_near(fftw.backward(fftw.forward(input)), part(world, box), 8 * 60, "cosines back");
    expect_near(own.backward(own.forward(input)), part(world, box), 64 * 60, "heFFTe's own cosines back");
    expect_near(own.backward(own.forward(input), heffte::scale::full), part(world, box), 1, "scaled cosines back");
}

void planes_and_long_indices(const Ranks& ranks) {
    World world({6, 8, 1}, 4, false), spectrum = world;
    spectrum.fourier();
    const Box box = ranks.grid(world.box());
    const heffte::box2d<long long> plane(std::array<long long, 2>{box.low[0], box.low[1]},
                                         std::array<long long, 2>{box.high[0], box.high[1]});
    heffte::plan_options options = heffte::default_options<stock>();
    options.use_pencils = false;
    const auto fft = heffte::make_fft3d<stock>(plane, plane, MPI_COMM_WORLD, options);
    expect_near(fft.forward(part(world, box)), part(spectrum, box), 1, "a plane");
}

template <class Call>
std::string said(const Call& call) {
    try {
        call();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "nothing";
}
void expect_said(const std::string& got, const std::string& expected) {
    expect(got.find(expected) != std::string::npos, "said '" + got + "' where '" + expected + "' was expected");
}

void refusals(const Ranks& ranks) {
    const Box world({0, 0, 0}, {3, 3, 3}), mine = ranks.grid(world);
    const auto plan = [&](const Box& inbox, const Box& outbox) {
        return said([&] { const heffte::fft3d<stock> fft(inbox, outbox, MPI_COMM_WORLD); });
    };
    expect_said(plan(mine, world), "outbox: expected boxes apart");
    const Box thin = ranks.rank == 0 ? mine : Box({0, 0, 0}, {-1, -1, -1});
    expect_said(plan(mine, thin), "outbox: expected boxes with all 64 elements");
    expect_said(plan(mine, Box(mine.low, mine.high, {0, 0, 2})), "order of rank 0's box: expected 0, 1 and 2");
    expect_said(said([&] { const heffte::fft3d_r2c<stock> fft(mine, mine, 3, MPI_COMM_WORLD); }),
                "r2c_direction: expected 0, 1 or 2, got 3");
    const heffte::fft3d<stock> fft(mine, mine, MPI_COMM_WORLD);
    expect_said(said([&] { fft.forward(std::vector<Complex>(1)); }), "input: expected at least the");
    std::vector<Complex> array(static_cast<std::size_t>(mine.count()));
    expect_said(said([&] { fft.forward(0, array.data(), array.data()); }), "batch: expected at least 1, got 0");
    expect_said(said([&] { heffte::proc_setup_min_surface(Box({0, 0, 0}, {0, 0, 0}), 2); }), "no grid of 2 ranks");
}

std::string all(const Ranks& ranks) {
    try {
        complex_orders<std::complex<double>>(ranks);
        complex_orders<std::complex<float>>(ranks);
        real_arrays<double>(ranks);
        real_arrays<float>(ranks);
        batches(ranks);
        cosines(ranks);
        planes_and_long_indices(ranks);
        refusals(ranks);
    } catch (const std::exception& error) {
        return error.what();
    }
    return "right";
}

}  // namespace

int main(int count, char** arguments) {
    MPI_Init(&count, &arguments);
    const Ranks ranks;
    const char* const folder = std::getenv("SEICHE_TEST_FOLDER");
    const std::string found = all(ranks);
    if (folder != nullptr) std::ofstream(std::string(folder) + "/" + std::to_string(ranks.rank)) << found << "\n";
    std::cout << ranks.rank << ": " << found << std::endl;
    if (found != "right") MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
    return 0;
}

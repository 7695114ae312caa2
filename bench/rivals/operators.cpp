// Spectral operators by cuFFT: forward, one kernel for the bins, inverse.
#include <chrono>
#include <functional>

#include "bench/rivals/composition.hpp"

namespace seiche::rivals {
namespace {

/// Milliseconds of one, after one that is not timed.
double milliseconds(Composition& composition, Handle stream) {
    constexpr int runs = 3;
    composition.enqueue();
    check(driver().wait(stream), "cuStreamSynchronize");
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < runs; ++i) composition.enqueue();
    check(driver().wait(stream), "cuStreamSynchronize");
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count() / runs;
}

/// The one of two ways that takes less time, as somebody chooses who tries both.
template <class Way>
std::unique_ptr<Composition> faster(const std::function<std::unique_ptr<Way>(bool)>& make, Handle stream) {
    const double first = milliseconds(*make(false), stream), second = milliseconds(*make(true), stream);
    return make(second < first);
}

/// Real arrays and a factor for each bin: Poisson's, or an array's; of an influence function the energy too, which lies
/// behind the output. In place the rows are padded and the input is lost: a user writes it there anew each time, which
/// is not timed.
class RealOperator : public Composition {
public:
    RealOperator(const Job& job, std::vector<std::uint64_t> lengths, std::uint64_t batch, bool in_place)
        : Composition(job),
          lengths_(std::move(lengths)),
          batch_(batch),
          in_place_(in_place),
          has_energy_(job.workflow.what().kind == cli::WorkflowKind::influence),
          spectra_(8 * batch * bins()),
          parts_(4 * blocks(bins())),
          forward_(Type::r2c, lengths_, reals(), complexes(), batch, job.stream),
          inverse_(Type::c2r, lengths_, complexes(), reals(), batch, job.stream) {}
    void enqueue() override {
        forward_.run(in_place_ ? spectra_.address() : job_.inputs[0], spectra_.address());
        if (has_energy_) {
            kernels_.launch("product_energy", {blocks(bins()), 1, 1}, spectra_.address(), job_.inputs[1],
                            parts_.address(), static_cast<unsigned>(bins()), static_cast<unsigned>(lengths_.back()),
                            over(points()));
            kernels_.launch("energy", {1, 1, 1}, parts_.address(), job_.output + 4 * points(),
                            static_cast<unsigned>(blocks(bins())));
        } else if (job_.inputs.size() > 1)
            kernels_.launch("product_real", {blocks(bins()), 1, batch_}, spectra_.address(), job_.inputs[1],
                            static_cast<unsigned>(bins()), over(points()));
        else
            kernels_.launch("laplace", {blocks(lengths_[1] * row()), 1, lengths_[0]}, spectra_.address(),
                            static_cast<unsigned>(lengths_[1]), static_cast<unsigned>(lengths_[0]),
                            static_cast<unsigned>(row()), over(points()));
        inverse_.run(spectra_.address(), in_place_ ? spectra_.address() : job_.output);
    }
    void poison() override {
        Composition::poison();
        if (!in_place_) return;
        fill(spectra_.address(), 0xff, 8 * batch_ * bins());
        move("pad", job_.inputs[0], spectra_.address());
    }
    void read(std::uint64_t entry, void* to) override {
        if (in_place_) move("cut", spectra_.address(), job_.output);
        check(driver().wait(job_.stream), "cuStreamSynchronize");
        Composition::read(entry, to);
    }

protected:
    std::string steps() const override {
        const std::string product = has_energy_ ? "product and parts of the energy, their sum" : "product";
        return in_place_ ? "r2c, " + product + ", c2r, all in place" : "r2c, " + product + " in place, c2r";
    }

private:
    std::uint64_t row() const { return lengths_.back() / 2 + 1; }
    std::uint64_t points() const {
        std::uint64_t product = 1;
        for (const std::uint64_t n : lengths_) product *= n;
        return product;
    }
    std::uint64_t bins() const { return points() / lengths_.back() * row(); }
    Layout complexes() const {
        Layout layout{lengths_, bins()};
        layout.embedded.back() = row();
        return layout;
    }
    Layout reals() const {
        Layout layout{lengths_, in_place_ ? 2 * bins() : points()};
        if (in_place_) layout.embedded.back() = 2 * row();
        return layout;
    }
    /// Rows into the padded array or out of it.
    void move(const char* kernel, Address from, Address to) {
        const std::uint64_t n = lengths_.back(), rows = lengths_[lengths_.size() - 2],
                            planes = batch_ * points() / (n * rows);
        const auto pitch = static_cast<unsigned>(2 * row());
        kernels_.launch(kernel, {blocks(n), rows, planes}, from, to, static_cast<unsigned>(n), pitch,
                        Address{rows * pitch});
    }

    std::vector<std::uint64_t> lengths_;
    std::uint64_t batch_;
    bool in_place_, has_energy_;
    Memory spectra_, parts_;
    Transform forward_, inverse_;
};

class MatchedFilter : public Composition {
public:
    explicit MatchedFilter(const Job& job)
        : Composition(job), transform_(Type::c2c, {job.length(1)}, job.length(0), job.stream) {}
    void enqueue() override {
        transform_.run(job_.inputs[0], job_.output);
        kernels_.launch("product", {blocks(job_.length(1)), 1, job_.length(0)}, job_.output, job_.inputs[1],
                        static_cast<unsigned>(job_.length(1)), over(job_.length(1)));
        transform_.run(job_.output, job_.output, true);
    }

protected:
    std::string steps() const override { return "c2c, product in place, c2c in place"; }

private:
    Transform transform_;
};

/// Boxes to grids and back. Planes outside the box are zeros before the transform along the slowest axis, and are not
/// wanted after that of the way back: two axes are transformed in the box's planes alone, as plane-wave codes do. Zeros
/// are written once, since no transform overwrites them. Bands lie one behind the other, with calls for each of them,
/// or the same plane of all bands does, and each step is one call.
class PlaneWaves : public Composition {
public:
    PlaneWaves(const Job& job, bool by_planes)
        : Composition(job),
          bands_(job.length(0)),
          n0_(job.length(1)),
          n1_(job.length(2)),
          n2_(job.length(3)),
          by_planes_(by_planes),
          padded_(bytes_of(box(n0_))),
          half_(bytes_of(n0_)),
          grids_(bytes_of(n0_)),
          planes_(Type::z2z, {n1_, n2_}, box(n0_) * together(), job.stream),
          columns_(Type::z2z, {n0_}, columns(), columns(), plane() * together(), job.stream) {
        fill(padded_.address(), 0, bytes_of(box(n0_)));
        fill(half_.address(), 0, bytes_of(n0_));
    }
    void enqueue() override {
        const auto m1 = static_cast<unsigned>(box(n1_)), m2 = static_cast<unsigned>(box(n2_)),
                   row = static_cast<unsigned>(n2_);
        const Address apart = plane() * together();  // planes of one band
        const Address before = by_planes_ ? plane() : box(n0_) * plane(), after = by_planes_ ? plane() : n0_ * plane();
        const Grid boxes{blocks(Address{m1} * m2), box(n0_), bands_};
        kernels_.launch("to_grid", boxes, job_.inputs[0], padded_.address(), m1, m2, row, apart, before);
        for (std::uint64_t band = 0; band < bands_; band += together()) {
            const Address half = half_.address() + 16 * band * after;
            planes_.run(padded_.address() + 16 * band * before, half);
            columns_.run(half, grids_.address() + 16 * band * after);
        }
        kernels_.launch("potential", {blocks(plane()), bands_, n0_}, grids_.address(), job_.inputs[1],
                        static_cast<unsigned>(plane()), apart, after, 1 / static_cast<double>(n0_ * plane()));
        for (std::uint64_t band = 0; band < bands_; band += together()) {
            const Address grid = grids_.address() + 16 * band * after;
            columns_.run(grid, grid, true);
            planes_.run(grid, grid, true);
        }
        kernels_.launch("from_grid", boxes, grids_.address(), job_.output, m1, m2, row, apart, after);
    }

protected:
    std::string steps() const override {
        return std::string("to the grid, z2z of the box's planes and of columns (") +
               (by_planes_ ? "all bands at once" : "band by band") + "), potential, the same back, from the grid";
    }

private:
    static std::uint64_t box(std::uint64_t n) { return 2 * (n / 4) + 1; }
    std::uint64_t plane() const { return n1_ * n2_; }
    /// Bands of a call.
    std::uint64_t together() const { return by_planes_ ? bands_ : 1; }
    std::uint64_t bytes_of(std::uint64_t planes) const { return 16 * bands_ * planes * plane(); }
    Layout columns() const { return {{n0_}, 1, plane() * together()}; }

    std::uint64_t bands_, n0_, n1_, n2_;
    bool by_planes_;
    Memory padded_, half_, grids_;
    Transform planes_, columns_;
};

}  // namespace

std::unique_ptr<Composition> compose_operator(const Job& job) {
    const std::vector<std::uint64_t>& shape = job.workflow.what().shape;
    const auto kind = job.workflow.what().kind;
    if (kind == cli::WorkflowKind::matched_filter) return std::make_unique<MatchedFilter>(job);
    if (kind == cli::WorkflowKind::plane_waves)
        return faster<PlaneWaves>([&](bool by_planes) { return std::make_unique<PlaneWaves>(job, by_planes); },
                                  job.stream);
    const bool is_batch = kind == cli::WorkflowKind::transfer_function;
    const std::vector<std::uint64_t> lengths(shape.begin() + (is_batch ? 1 : 0), shape.end());
    return faster<RealOperator>(
        [&](bool in_place) { return std::make_unique<RealOperator>(job, lengths, is_batch ? shape[0] : 1, in_place); },
        job.stream);
}

}  // namespace seiche::rivals

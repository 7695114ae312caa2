// Spectral operators by cuFFT: forward, one kernel for the bins, inverse.
#include "bench/rivals/composition.hpp"

namespace seiche::rivals {
namespace {

/// Real arrays and a factor for each bin: Poisson's, or an array's.
class RealOperator : public Composition {
public:
    RealOperator(const Job& job, std::vector<std::uint64_t> lengths, std::uint64_t batch)
        : Composition(job),
          lengths_(std::move(lengths)),
          batch_(batch),
          spectra_(8 * batch * bins()),
          forward_(Type::r2c, lengths_, batch, job.stream),
          inverse_(Type::c2r, lengths_, batch, job.stream) {}
    void enqueue() override {
        forward_.run(job_.inputs[0], spectra_.address());
        if (job_.inputs.size() > 1)
            kernels_.launch("product_real", {blocks(bins()), 1, batch_}, spectra_.address(), job_.inputs[1],
                            static_cast<unsigned>(bins()), over(points()));
        else
            kernels_.launch("laplace", {blocks(lengths_[1] * row()), 1, lengths_[0]}, spectra_.address(),
                            static_cast<unsigned>(lengths_[1]), static_cast<unsigned>(lengths_[0]),
                            static_cast<unsigned>(row()), over(points()));
        inverse_.run(spectra_.address(), job_.output);
    }

protected:
    std::string steps() const override { return "r2c, product, c2r"; }

private:
    std::uint64_t row() const { return lengths_.back() / 2 + 1; }
    std::uint64_t points() const {
        std::uint64_t product = 1;
        for (const std::uint64_t n : lengths_) product *= n;
        return product;
    }
    std::uint64_t bins() const { return points() / lengths_.back() * row(); }

    std::vector<std::uint64_t> lengths_;
    std::uint64_t batch_;
    Memory spectra_;
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
/// are written once, since no transform overwrites them.
class PlaneWaves : public Composition {
public:
    explicit PlaneWaves(const Job& job)
        : Composition(job),
          bands_(job.length(0)),
          n0_(job.length(1)),
          n1_(job.length(2)),
          n2_(job.length(3)),
          padded_(bytes_of(box(n0_))),
          half_(bytes_of(n0_)),
          grids_(bytes_of(n0_)),
          planes_(Type::z2z, {n1_, n2_}, box(n0_), job.stream),
          columns_(Type::z2z, {n0_}, columns(), columns(), n1_ * n2_, job.stream) {
        fill(padded_.address(), 0, bytes_of(box(n0_)));
        fill(half_.address(), 0, bytes_of(n0_));
    }
    void enqueue() override {
        const auto m1 = static_cast<unsigned>(box(n1_)), m2 = static_cast<unsigned>(box(n2_)),
                   row = static_cast<unsigned>(n2_);
        const Address plane = n1_ * n2_, points = n0_ * plane;
        const Grid boxes{blocks(Address{m1} * m2), box(n0_), bands_};
        kernels_.launch("to_grid", boxes, job_.inputs[0], padded_.address(), m1, m2, row, plane, box(n0_) * plane);
        for (std::uint64_t band = 0; band < bands_; ++band) {
            const Address half = half_.address() + 16 * band * points;
            planes_.run(padded_.address() + 16 * band * box(n0_) * plane, half);
            columns_.run(half, grids_.address() + 16 * band * points);
        }
        kernels_.launch("potential", {blocks(points), 1, bands_}, grids_.address(), job_.inputs[1],
                        static_cast<unsigned>(points), 1 / static_cast<double>(points));
        for (std::uint64_t band = 0; band < bands_; ++band) {
            const Address grid = grids_.address() + 16 * band * points;
            columns_.run(grid, grid, true);
            planes_.run(grid, grid, true);
        }
        kernels_.launch("from_grid", boxes, grids_.address(), job_.output, m1, m2, row, plane, points);
    }

protected:
    std::string steps() const override {
        return "to the grid, z2z of the box's planes and of columns, potential, the same back, from the grid";
    }

private:
    static std::uint64_t box(std::uint64_t n) { return 2 * (n / 4) + 1; }
    std::uint64_t bytes_of(std::uint64_t planes) const { return 16 * bands_ * planes * n1_ * n2_; }
    Layout columns() const { return {{n0_}, 1, n1_ * n2_}; }

    std::uint64_t bands_, n0_, n1_, n2_;
    Memory padded_, half_, grids_;
    Transform planes_, columns_;
};

}  // namespace

std::unique_ptr<Composition> compose_operator(const Job& job) {
    const std::vector<std::uint64_t>& shape = job.workflow.what().shape;
    switch (job.workflow.what().kind) {
        case cli::WorkflowKind::matched_filter: return std::make_unique<MatchedFilter>(job);
        case cli::WorkflowKind::plane_waves: return std::make_unique<PlaneWaves>(job);
        case cli::WorkflowKind::transfer_function:
            return std::make_unique<RealOperator>(job, std::vector<std::uint64_t>{shape[1], shape[2]}, shape[0]);
        default: return std::make_unique<RealOperator>(job, shape, 1);
    }
}

}  // namespace seiche::rivals

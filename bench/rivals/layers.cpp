// Fourier layers by cuFFT: rows, the kept columns packed and transformed, a kernel for the matrices, the same back.
#include "bench/rivals/composition.hpp"

namespace seiche::rivals {
namespace {

/// Only kept columns are transformed along the rows' axis. They are packed as [row][picture][column], so that one call
/// transforms them all. What is not kept is zeros that are written once: no transform overwrites them.
class FourierLayer : public Composition {
public:
    explicit FourierLayer(const Job& job)
        : Composition(job),
          batch_(job.length(0)),
          channels_(job.length(1)),
          rows_(job.length(2)),
          columns_(job.length(3)),
          kept_rows_(job.workflow.what().second[0]),
          kept_columns_(job.workflow.what().second[1]),
          spectra_(8 * pictures() * rows_ * row()),
          results_(8 * pictures() * rows_ * row()),
          packed_(8 * rows_ * packed_row()),
          mixed_(8 * rows_ * packed_row()),
          forward_(Type::r2c, {columns_}, {{columns_}, columns_}, {{row()}, row()}, pictures() * rows_, job.stream),
          inverse_(Type::c2r, {columns_}, {{row()}, row()}, {{columns_}, columns_}, pictures() * rows_, job.stream),
          along_(Type::c2c, {rows_}, apart(), apart(), packed_row(), job.stream) {
        fill(results_.address(), 0, 8 * pictures() * rows_ * row());
        fill(mixed_.address(), 0, 8 * rows_ * packed_row());
    }
    void enqueue() override {
        const auto kept = static_cast<unsigned>(kept_columns_), pitch = static_cast<unsigned>(row()),
                   n0 = static_cast<unsigned>(rows_), each = static_cast<unsigned>(channels_);
        const unsigned half = columns_ % 2 == 0 ? static_cast<unsigned>(columns_ / 2) : 0;
        const Grid pictures_of_rows{blocks(rows_ * kept_columns_), 1, pictures()};
        const std::uint64_t modes = 2 * kept_rows_ * kept_columns_;
        const auto quarter = [](std::uint64_t count) { return (count + 3) / 4; };
        forward_.run(job_.inputs[0], spectra_.address());
        kernels_.launch("keep", pictures_of_rows, spectra_.address(), packed_.address(), n0, kept, pitch);
        along_.run(packed_.address(), packed_.address());
        kernels_.launch("mode_matrix",
                        {(modes + Kernels::threads - 1) / Kernels::threads, quarter(channels_), quarter(batch_)},
                        packed_.address(), mixed_.address(), job_.inputs[1], each, static_cast<unsigned>(batch_), n0,
                        static_cast<unsigned>(kept_rows_), kept, over(rows_ * columns_));
        along_.run(mixed_.address(), packed_.address(), true);
        kernels_.launch("spread", pictures_of_rows, packed_.address(), results_.address(), n0, kept, pitch, half);
        inverse_.run(results_.address(), job_.output);
    }

protected:
    std::string steps() const override {
        return "r2c of rows, kept columns packed, c2c in place, matrices, c2c, kept columns spread, c2r of rows";
    }

private:
    std::uint64_t pictures() const { return batch_ * channels_; }
    std::uint64_t row() const { return columns_ / 2 + 1; }
    std::uint64_t packed_row() const { return pictures() * kept_columns_; }
    Layout apart() const { return {{rows_}, 1, packed_row()}; }

    std::uint64_t batch_, channels_, rows_, columns_, kept_rows_, kept_columns_;
    Memory spectra_, results_, packed_, mixed_;
    Transform forward_, inverse_, along_;
};

}  // namespace

std::unique_ptr<Composition> compose_layer(const Job& job) { return std::make_unique<FourierLayer>(job); }

}  // namespace seiche::rivals

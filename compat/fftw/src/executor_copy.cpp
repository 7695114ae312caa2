// Rank 0: numbers are copied, in place by way of a second array.
#include <algorithm>
#include <vector>

#include "copies.hpp"
#include "executor.hpp"
#include "memory.hpp"

namespace seiche_fftw {

namespace {

class CopyExecutor : public Executor {
public:
    explicit CopyExecutor(const Form& form) : form_(form) {
        std::ptrdiff_t parts = form.in == Side::real ? 1 : 2;
        for (std::size_t i = form.many.size(); i-- > 0;) {
            const Dimension& dim = form.many[i];
            loops_.insert(loops_.begin(), {dim.n, dim.in, dim.out});
            is_still_ = is_still_ && dim.in == dim.out;
        }
        std::ptrdiff_t reals = parts;
        for (const CopyLoop& loop : loops_) {
            gather_.push_back({loop.n, loop.from, 0});
            scatter_.push_back({loop.n, 0, loop.to});
        }
        for (std::size_t i = loops_.size(); i-- > 0;) {
            gather_[i].to = scatter_[i].from = reals;
            reals *= loops_[i].n;
        }
        reals_ = static_cast<std::size_t>(reals);
        is_still_ = is_still_ && form.is_in_place;
    }

    void run(const Arrays& arrays) const override {
        if (reals_ == 0 || is_still_) return;
        if (!form_.is_in_place)
            return copy(loops_, arrays.in, from_imaginary(arrays), arrays.out, to_imaginary(arrays));
        HostReals temporary(reals_);
        Real* const second = form_.in == Side::split ? temporary.get() + 1 : nullptr;
        copy(gather_, arrays.in, from_imaginary(arrays), temporary.get(), second);
        copy(scatter_, temporary.get(), second, arrays.out, to_imaginary(arrays));
    }

    std::string text() const override { return reals_ == 0 || is_still_ ? "(seiche nop)" : "(seiche copy)"; }
    Count way() const override { return Count::copied; }
    Flops flops() const override { return {}; }
    double cost() const override { return static_cast<double>(reals_); }

private:
    Real* from_imaginary(const Arrays& arrays) const { return form_.in == Side::split ? arrays.in_imaginary : nullptr; }
    Real* to_imaginary(const Arrays& arrays) const { return form_.out == Side::split ? arrays.out_imaginary : nullptr; }

    void copy(const std::vector<CopyLoop>& loops, Real* from, Real* from_im, Real* to, Real* to_im) const {
        if (form_.in == Side::real) return copy_reals(loops, from, to);
        copy_complex(loops, {from, from_im}, {to, to_im});
    }

    Form form_;
    std::vector<CopyLoop> loops_, gather_, scatter_;
    std::size_t reals_ = 0;
    bool is_still_ = true;
};

}  // namespace

std::unique_ptr<Executor> make_copy(const Form& form) { return std::make_unique<CopyExecutor>(form); }

}  // namespace seiche_fftw

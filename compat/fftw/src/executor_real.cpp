// Executions by a real FFTW.
#include <mutex>

#include "executor.hpp"
#include "real.hpp"
#include "settings.hpp"

namespace seiche_fftw {

namespace {

class RealExecutor : public Executor {
public:
    RealExecutor(RealFftw& real, const Form& form, PlanPointer plan) : real_(real), form_(form), plan_(plan) {}
    RealExecutor(const RealExecutor&) = delete;
    RealExecutor& operator=(const RealExecutor&) = delete;
    ~RealExecutor() override {
        const std::lock_guard lock(real_.planner);
        real_.functions.destroy_plan(plan_);
    }

    void run(const Arrays& arrays) const override {
        count(Count::forwarded_executions);
        execute_by_real(real_.functions, plan_, form_, arrays);
    }

    std::string text() const override {
        char* const own = real_.functions.sprint_plan(plan_);
        const std::string text = own == nullptr ? "(fftw)" : own;
        real_.functions.free(own);
        return text;
    }

    Count way() const override { return Count::forwarded; }

    Flops flops() const override {
        Flops flops;
        real_.functions.flops(plan_, &flops.add, &flops.mul, &flops.fma);
        return flops;
    }

    double cost() const override { return real_.functions.estimate_cost(plan_); }

private:
    RealFftw& real_;
    Form form_;
    PlanPointer plan_;
};

}  // namespace

std::unique_ptr<Executor> make_real(const Form& form, const Arrays& arrays) {
    RealFftw* const real = real_fftw();
    if (real == nullptr) return nullptr;
    const PlanPointer plan = plan_by_real(*real, form, arrays);
    if (plan == nullptr) return nullptr;
    return std::make_unique<RealExecutor>(*real, form, plan);
}

}  // namespace seiche_fftw

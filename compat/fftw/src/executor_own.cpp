// Executions by a Seiche device. Queue, workspace and device arrays are an execution's own while it runs, so that any
// number of threads may execute one plan; they are kept for the next.
#include <atomic>
#include <cmath>
#include <mutex>
#include <utility>
#include <vector>

#include "copies.hpp"
#include "devices.hpp"
#include "executor.hpp"
#include "memory.hpp"
#include "seiche/error.hpp"
#include "seiche/interop/cpu.hpp"
#include "seiche/plan.hpp"
#include "settings.hpp"
#include "translate.hpp"

namespace seiche_fftw {

namespace {

/// The count of a complex transform of that many points by FFTW's measure, 5 N log2 N, a real one's half: Seiche's own
/// count is that of its kernels' instructions, which no program of FFTW's asks for.
Flops nominal_flops(const Form& form) {
    double points = 1;
    for (const Dimension& dim : form.dims) points *= static_cast<double>(dim.n);
    const double all = static_cast<double>(form.points()) * std::log2(std::max(points, 2.0));
    const double share = form.type == Type::dft ? 1 : 0.5;
    return {3 * share * all, 2 * share * all, 0};
}

/// What one execution needs beside the caller's arrays.
struct Scratch {
    seiche::Queue queue;
    seiche::Buffer workspace;
    seiche::Buffer in, out;       // of dense arrays on the device
    HostReals gathered, results;  // of dense arrays on the host
};

/// Scratch that waits for an execution: one that is had without a lock, and more.
class ScratchPool {
public:
    ScratchPool() = default;
    ScratchPool(const ScratchPool&) = delete;
    ScratchPool& operator=(const ScratchPool&) = delete;
    ~ScratchPool() { delete first_.load(); }

    /// Null: none waits.
    std::unique_ptr<Scratch> take() {
        if (Scratch* const found = first_.exchange(nullptr, std::memory_order_acquire))
            return std::unique_ptr<Scratch>(found);
        const std::lock_guard lock(mutex_);
        if (more_.empty()) return nullptr;
        auto found = std::move(more_.back());
        more_.pop_back();
        return found;
    }

    void put(std::unique_ptr<Scratch> scratch) {
        Scratch* expected = nullptr;
        if (first_.compare_exchange_strong(expected, scratch.get(), std::memory_order_release)) {
            scratch.release();
            return;
        }
        const std::lock_guard lock(mutex_);
        more_.push_back(std::move(scratch));
    }

private:
    std::atomic<Scratch*> first_{nullptr};
    std::mutex mutex_;
    std::vector<std::unique_ptr<Scratch>> more_;
};

class OwnExecutor : public Executor {
public:
    OwnExecutor(const Form& form, const seiche::Device& device, const seiche::Problem& problem,
                const seiche::Tuning& tuning)
        : form_(form), device_(device) {
        seiche::PlanOptions options;
        options.directions = direction_of(form) == seiche::Direction::forward ? seiche::Directions::forward
                                                                              : seiche::Directions::inverse;
        options.tuning = tuning;
        use_threads(form.threads);
        plan_ = seiche::Plan(device, problem, options);
    }

    void run(const Arrays& arrays) const final {
        try {
            use_threads(form_.threads);
            auto scratch = scratch_.take();
            if (!scratch) scratch = make_scratch();
            execute(arrays, *scratch);
            scratch_.put(std::move(scratch));
        } catch (const std::exception& error) {
            fail_execution(error.what());
        }
    }

    Flops flops() const final { return nominal_flops(form_); }

protected:
    virtual std::unique_ptr<Scratch> make_scratch() const {
        auto made = std::make_unique<Scratch>();
        made->queue = device_.create_queue();
        if (plan_.workspace_bytes() != 0) made->workspace = device_.allocate(plan_.workspace_bytes());
        return made;
    }
    virtual void execute(const Arrays& arrays, Scratch& scratch) const = 0;

    /// The first execution's, made while planning, so that a lack of memory is known then.
    void prepare() { scratch_.put(make_scratch()); }
    const Form& form() const { return form_; }
    const seiche::Plan& plan() const { return plan_; }
    const seiche::Device& device() const { return device_; }
    std::string text_of(const char* way) const {
        return "(seiche " + device_.info().name + " " + way + " " + plan_.report().recipe + ")";
    }

private:
    Form form_;
    seiche::Device device_;
    seiche::Plan plan_;
    mutable ScratchPool scratch_;
};

/// The caller's arrays are the device's memory.
class DirectExecutor : public OwnExecutor {
public:
    DirectExecutor(const Form& form, const seiche::Device& device, const DirectProblem& direct,
                   const seiche::Tuning& tuning)
        : OwnExecutor(form, device, direct.problem, tuning), direct_(direct) {
        prepare();
    }

    std::string text() const override { return text_of("direct"); }
    Count way() const override { return Count::direct; }

protected:
    void execute(const Arrays& arrays, Scratch& scratch) const override {
        seiche::Execution execution;
        const auto view = [&](Real* at, std::ptrdiff_t offset, std::uint64_t bytes) {
            return seiche::BufferView(seiche::cpu::buffer(device(), at + offset, bytes));
        };
        execution.input = view(arrays.in, direct_.in_offset, direct_.in_bytes);
        if (form().in == Side::split)
            execution.input_imaginary = view(arrays.in_imaginary, direct_.in_offset, direct_.in_bytes);
        if (!form().is_in_place) {
            execution.output = view(arrays.out, direct_.out_offset, direct_.out_bytes);
            if (form().out == Side::split)
                execution.output_imaginary = view(arrays.out_imaginary, direct_.out_offset, direct_.out_bytes);
        }
        execution.workspace.buffer = scratch.workspace;
        plan().execute(scratch.queue, execution);
    }

private:
    DirectProblem direct_;
};

/// Dense arrays: gathered from the caller's, copied to the device and back, scattered. Where the device's memory is the
/// host's, they are not copied.
class StagedExecutor : public OwnExecutor {
public:
    StagedExecutor(const Form& form, const seiche::Device& device, const DenseProblem& dense,
                   const seiche::Tuning& tuning)
        : OwnExecutor(form, device, dense.problem, tuning), dense_(dense) {
        prepare();
    }

    std::string text() const override { return text_of("staged"); }
    Count way() const override { return Count::staged; }

protected:
    std::unique_ptr<Scratch> make_scratch() const override {
        auto made = OwnExecutor::make_scratch();
        made->in = device().allocate(in_bytes());
        made->out = device().allocate(out_bytes());
        if (has_host_memory(device())) return made;
        if (!dense_.is_input_dense) made->gathered = HostReals(dense_.in_reals);
        if (!dense_.is_output_dense) made->results = HostReals(dense_.out_reals);
        return made;
    }

    void execute(const Arrays& arrays, Scratch& scratch) const override {
        seiche::Execution execution;
        execution.input = scratch.in;
        execution.output = scratch.out;
        execution.workspace.buffer = scratch.workspace;
        if (has_host_memory(device())) {
            gather(arrays, static_cast<Real*>(seiche::cpu::data(scratch.in)));
            plan().execute(scratch.queue, execution);
            return scatter(static_cast<Real*>(seiche::cpu::data(scratch.out)), arrays);
        }
        const Real* from = arrays.in;
        if (!dense_.is_input_dense) gather(arrays, scratch.gathered.get());
        if (!dense_.is_input_dense) from = scratch.gathered.get();
        Real* const to = dense_.is_output_dense ? arrays.out : scratch.results.get();
        scratch.queue.upload(scratch.in, from, in_bytes());
        plan().execute(scratch.queue, execution);
        scratch.queue.download(to, scratch.out, out_bytes());
        if (!dense_.is_output_dense) scatter(to, arrays);
    }

private:
    std::size_t in_bytes() const { return dense_.in_reals * sizeof(Real); }
    std::size_t out_bytes() const { return dense_.out_reals * sizeof(Real); }

    void gather(const Arrays& arrays, Real* to) const {
        if (form().in == Side::real) return copy_reals(dense_.gather, arrays.in, to);
        copy_complex(dense_.gather, {arrays.in, form().in == Side::split ? arrays.in_imaginary : nullptr},
                     {to, nullptr});
    }
    void scatter(Real* from, const Arrays& arrays) const {
        if (form().out == Side::real) return copy_reals(dense_.scatter, from, arrays.out);
        copy_complex(dense_.scatter, {from, nullptr},
                     {arrays.out, form().out == Side::split ? arrays.out_imaginary : nullptr});
    }

    DenseProblem dense_;
};

}  // namespace

double Executor::cost() const {
    const Flops count = flops();
    return count.add + count.mul + 2 * count.fma;
}

std::unique_ptr<Executor> make_own(const Form& form, const seiche::Device& device, const seiche::Tuning& tuning) {
    if (has_host_memory(device)) {
        if (const auto direct = direct_problem(form)) {
            try {
                return std::make_unique<DirectExecutor>(form, device, *direct, tuning);
            } catch (const seiche::InvalidProblem& error) {
                log_line(2, std::string("dense arrays, because ") + error.what());
            } catch (const seiche::Unsupported& error) {
                log_line(2, std::string("dense arrays, because ") + error.what());
            }
        }
    }
    return std::make_unique<StagedExecutor>(form, device, dense_problem(form), tuning);
}

}  // namespace seiche_fftw

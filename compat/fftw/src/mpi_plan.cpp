#include "mpi_plan.hpp"

#include <fftw3-mpi.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "devices.hpp"
#include "memory.hpp"
#include "mpi_layout.hpp"
#include "planner.hpp"
#include "seiche/distributed/mpi.hpp"
#include "seiche/distributed/plan.hpp"
#include "seiche/distributed/redistribution.hpp"
#include "seiche/interop/cpu.hpp"

namespace seiche_fftw {

double Executor::cost() const { return flops().add + flops().mul; }

namespace {

using seiche::distributed::Boxes;
using seiche::distributed::DistributedPlan;
using seiche::distributed::Redistribution;

/// The processor, since ranks of one machine would share a card, unless SEICHE_DEVICE names a device.
seiche::Device device_of_ranks() {
    if (settings().has_own_device) return main_device();
    const seiche::Device own = processor();
    return own ? own : main_device();
}

/// Runs either of the two on arrays of the host.
class MpiExecutor final : public Executor {
public:
    /// Enqueues on a queue: input, output, workspace.
    using Work = std::function<void(seiche::Queue&, const seiche::BufferView&, const seiche::BufferView&,
                                    const seiche::BufferView&)>;

    MpiExecutor(seiche::Device device, Work work, std::uint64_t in_bytes, std::uint64_t out_bytes,
                std::uint64_t workspace_bytes, double points)
        : device_(std::move(device)),
          work_(std::move(work)),
          in_bytes_(in_bytes),
          out_bytes_(out_bytes),
          points_(points),
          queue_(device_.create_queue()) {
        if (workspace_bytes != 0) workspace_ = device_.allocate(workspace_bytes);
    }

    void run(const Arrays& arrays) const override {
        try {
            const std::lock_guard lock(mutex_);
            execute(reinterpret_cast<char*>(arrays.in), reinterpret_cast<char*>(arrays.out));
        } catch (const std::exception& error) {
            fail_execution(error.what());
        }
    }
    std::string text() const override { return "(seiche-mpi " + device_.info().name + ")"; }
    Count way() const override { return Count::direct; }
    Flops flops() const override { return {3 * points_, 2 * points_, 0}; }

private:
    seiche::Buffer view(char* array, std::uint64_t bytes, seiche::Buffer& copy, bool is_read) const {
        if (bytes == 0) return {};
        if (has_host_memory(device_)) return seiche::cpu::buffer(device_, array, bytes);
        if (!copy) copy = device_.allocate(bytes);
        if (is_read) queue_.upload(copy, array, bytes);
        return copy;
    }

    void execute(char* in, char* out) const {
        seiche::Buffer input = view(in, in_bytes_, in_copy_, true);
        // What lies between the results stays as it is.
        const seiche::Buffer output = view(out, out_bytes_, out_copy_, true);
        const std::less<const char*> before;
        const bool is_shared = in_bytes_ != 0 && out_bytes_ != 0 && has_host_memory(device_) &&
                               before(in, out + out_bytes_) && before(out, in + in_bytes_);
        if (is_shared) {  // one rank may have one array for both where another has two, but all have one plan
            if (!in_copy_) in_copy_ = device_.allocate(in_bytes_);
            queue_.copy(in_copy_, input, in_bytes_);
            input = in_copy_;
        }
        work_(queue_, input, output, workspace_);
        queue_.wait();
        if (out_bytes_ != 0 && !has_host_memory(device_)) queue_.download(out, output, out_bytes_);
    }

    seiche::Device device_;
    Work work_;
    std::uint64_t in_bytes_ = 0, out_bytes_ = 0;
    double points_ = 0;
    seiche::Buffer workspace_;
    mutable seiche::Buffer in_copy_, out_copy_;
    mutable seiche::Queue queue_;
    mutable std::mutex mutex_;
};

seiche::Kind seiche_kind(seiche_fftw_r2r_kind kind) {
    switch (kind) {
        case FFTW_R2HC: return seiche::Kind::r2hc;
        case FFTW_HC2R: return seiche::Kind::hc2r;
        case FFTW_DHT: return seiche::Kind::dht;
        case FFTW_REDFT00: return seiche::Kind::dct1;
        case FFTW_REDFT01: return seiche::Kind::dct3;
        case FFTW_REDFT10: return seiche::Kind::dct2;
        case FFTW_REDFT11: return seiche::Kind::dct4;
        case FFTW_RODFT00: return seiche::Kind::dst1;
        case FFTW_RODFT01: return seiche::Kind::dst3;
        case FFTW_RODFT10: return seiche::Kind::dst2;
        case FFTW_RODFT11: return seiche::Kind::dst4;
    }
    throw std::invalid_argument("a kind that is none");
}

constexpr seiche::Precision precision = sizeof(Real) == 4 ? seiche::Precision::f32 : seiche::Precision::f64;

int size_of(MPI_Comm comm) {
    int size = 0;
    if (MPI_Comm_size(comm, &size) != MPI_SUCCESS) throw std::runtime_error("MPI_Comm_size failed");
    return size;
}

void expect(bool is_so, const char* what) {
    if (!is_so) throw std::invalid_argument(what);
}

seiche::Problem problem_of(const MpiArguments& arguments) {
    seiche::Problem problem;
    problem.lengths = lengths_of({arguments.n, arguments.howmany});
    for (std::size_t axis = 0; axis < arguments.n.size(); ++axis) problem.axes.push_back(static_cast<int>(axis));
    problem.precision = precision;
    problem.kind = arguments.type == Type::r2c   ? seiche::Kind::r2c
                   : arguments.type == Type::c2r ? seiche::Kind::c2r
                                                 : seiche::Kind::c2c;
    if (arguments.type == Type::r2r) {
        expect(arguments.kinds.size() == arguments.n.size(), "kinds that are too few");
        for (const seiche_fftw_r2r_kind kind : arguments.kinds) problem.axis_kinds.push_back(seiche_kind(kind));
        problem.kind = problem.axis_kinds.front();
    }
    // Scrambled is the library's own order along one axis: of what a forward transform writes and a backward one reads.
    const bool is_scrambled =
        (arguments.flags & (arguments.sign == FFTW_FORWARD ? FFTW_MPI_SCRAMBLED_OUT : FFTW_MPI_SCRAMBLED_IN)) != 0;
    if (arguments.type == Type::dft && arguments.n.size() == 1 && is_scrambled)
        problem.spectrum_order = seiche::SpectrumOrder::pass;
    return problem;
}

/// An array of the transform: `is_halved` that of complex numbers beside real ones.
MpiArray array_of(const MpiArguments& arguments, bool is_in) {
    MpiArray array;
    array.n = arguments.n;
    array.howmany = arguments.howmany;
    array.block = is_in ? arguments.in_block : arguments.out_block;
    array.is_swapped =
        arguments.n.size() > 1 && (arguments.flags & (is_in ? FFTW_MPI_TRANSPOSED_IN : FFTW_MPI_TRANSPOSED_OUT)) != 0;
    array.cut = array.is_swapped ? 1 : 0;
    const bool is_real_kind = arguments.type == Type::r2c || arguments.type == Type::c2r;
    if (is_real_kind && is_in == (arguments.type == Type::r2c)) array.last_room = 2 * (arguments.n.back() / 2 + 1);
    if (is_real_kind && is_in != (arguments.type == Type::r2c)) array.n.back() = arguments.n.back() / 2 + 1;
    return array;
}

void check(const MpiArguments& arguments) {
    expect(!arguments.n.empty() && arguments.howmany > 0, "a rank or a repetition that none can have");
    for (const std::ptrdiff_t n : arguments.n) expect(n > 0, "a length that none can have");
    const bool is_real_kind = arguments.type == Type::r2c || arguments.type == Type::c2r;
    expect(!is_real_kind || arguments.n.size() > 1, "real transforms of one axis, which FFTW's interface has not");
    // Rows of a plane of real numbers would be padded where they are cut.
    const unsigned real_side = arguments.type == Type::r2c ? FFTW_MPI_TRANSPOSED_IN : FFTW_MPI_TRANSPOSED_OUT;
    expect(!is_real_kind || arguments.n.size() > 2 || (arguments.flags & real_side) == 0,
           "a transposed plane of real numbers");
    expect((arguments.flags & FFTW_WISDOM_ONLY) == 0, "plans over ranks have no wisdom");
}

double points_of(const MpiArguments& arguments) {
    double points = static_cast<double>(arguments.howmany);
    for (const std::ptrdiff_t n : arguments.n) points *= static_cast<double>(n);
    return points / size_of(arguments.comm);
}

PlanPointer plan_with(const MpiArguments& arguments, std::unique_ptr<const Executor> executor) {
    auto plan = std::make_unique<SEICHE_FFTW(plan_s)>();
    const bool reads_real = arguments.type == Type::r2c || arguments.type == Type::r2r;
    const bool writes_real = arguments.type == Type::c2r || arguments.type == Type::r2r;
    plan->form.type = arguments.type;
    plan->form.in = reads_real ? Side::real : Side::interleaved;
    plan->form.out = writes_real ? Side::real : Side::interleaved;
    plan->form.is_in_place = arguments.in == arguments.out;
    plan->arrays.in = arguments.in;
    plan->arrays.out = arguments.out;
    plan->executor = std::move(executor);
    return plan.release();
}

std::pair<seiche::Device, std::shared_ptr<seiche::distributed::Communicator>> ranks_of(MPI_Comm comm) {
    if (!settings().has_own_threads)
        seiche::cpu::set_threads(static_cast<unsigned>(std::max(SEICHE_FFTW(planner_nthreads)(), 1)));
    return {device_of_ranks(), seiche::distributed::mpi::communicator(comm)};
}

std::unique_ptr<const Executor> make_transform(const MpiArguments& arguments) {
    check(arguments);
    const int ranks = size_of(arguments.comm);
    const auto in = boxes_of(array_of(arguments, true), ranks), out = boxes_of(array_of(arguments, false), ranks);
    expect(in && out, "blocks that are too small for the ranks");
    const auto [device, communicator] = ranks_of(arguments.comm);
    const bool is_inverse =
        arguments.type == Type::c2r || (arguments.type == Type::dft && arguments.sign == FFTW_BACKWARD);
    seiche::distributed::DistributedOptions options;
    options.directions = is_inverse ? seiche::Directions::inverse : seiche::Directions::forward;
    const DistributedPlan plan(device, problem_of(arguments), Boxes{*in, *out}, communicator, options);
    const auto work = [plan](seiche::Queue& queue, const seiche::BufferView& input, const seiche::BufferView& output,
                             const seiche::BufferView& workspace) {
        plan.execute(queue, {{}, input, output, workspace});
    };
    return std::make_unique<MpiExecutor>(device, work, plan.input_bytes(), plan.output_bytes(), plan.workspace_bytes(),
                                         points_of(arguments));
}

std::unique_ptr<const Executor> make_move(const MpiArguments& arguments) {
    check(arguments);
    const int ranks = size_of(arguments.comm);
    MpiArray from{arguments.n, arguments.howmany, arguments.in_block},
        to{arguments.n, arguments.howmany, arguments.out_block, 1};
    from.is_swapped = (arguments.flags & FFTW_MPI_TRANSPOSED_IN) != 0;
    to.is_swapped = (arguments.flags & FFTW_MPI_TRANSPOSED_OUT) == 0;
    const auto in = boxes_of(from, ranks), out = boxes_of(to, ranks);
    expect(in && out, "blocks that are too small for the ranks");
    const auto [device, communicator] = ranks_of(arguments.comm);
    const Redistribution move(device, {precision, seiche::Storage::same, false}, lengths_of(from), *in, *out,
                              communicator);
    const auto work = [move](seiche::Queue& queue, const seiche::BufferView& input, const seiche::BufferView& output,
                             const seiche::BufferView& workspace) { move.execute(queue, input, output, workspace); };
    return std::make_unique<MpiExecutor>(device, work, move.input_bytes(), move.output_bytes(), move.workspace_bytes(),
                                         0);
}

template <class Make>
PlanPointer make(const MpiArguments& arguments, const Make& executor) {
    try {
        return plan_with(arguments, executor(arguments));
    } catch (const std::exception& error) {
        log_line(1, std::string("no plan over ranks: ") + error.what());
        return nullptr;
    }
}

}  // namespace

PlanPointer make_mpi_plan(const MpiArguments& arguments) { return make(arguments, make_transform); }
PlanPointer make_mpi_transposition(const MpiArguments& arguments) { return make(arguments, make_move); }

}  // namespace seiche_fftw

#include "cli/ranks/timed_ranks.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <utility>

#include "cli/ranks/line_order.hpp"
#include "seiche/distributed/plan.hpp"
#include "seiche/seiche.hpp"

namespace seiche::cli {
namespace {

using distributed::Box;
using Lengths = std::vector<std::uint64_t>;

struct Numbers {
    Lengths lengths;
    bool is_real = false;
    std::uint64_t per_element() const { return is_real ? 1 : 2; }
};

bool has(std::initializer_list<Kind> kinds, Kind kind) {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

/// The array that is read, or the one that is written.
Numbers array_of(const Problem& problem, bool input) {
    const Kind kind = problem.axis_kinds.empty() ? problem.kind : problem.axis_kinds.front();
    const bool to_complex = has({Kind::r2c, Kind::ihfft}, kind), to_real = has({Kind::c2r, Kind::hfft}, kind);
    Numbers array{problem.lengths, is_real_to_real(kind) || (input ? to_complex : to_real)};
    if (!(input ? to_real : to_complex)) return array;
    const int rank = static_cast<int>(array.lengths.size());
    const int axis = problem.halved_axis.value_or(problem.axes.empty() ? -1 : problem.axes.back());
    std::uint64_t& n = array.lengths[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)];
    n = n / 2 + 1;
    return array;
}

std::vector<Box> boxes_of(const Numbers& array, const TimedRanks& options, int ranks, bool is_turned) {
    if (!options.pencils) return distributed::slab(array.lengths, is_turned && array.lengths.size() > 1 ? 1 : 0, ranks);
    int p = static_cast<int>(std::sqrt(static_cast<double>(ranks)));
    while (ranks % p != 0) --p;
    return distributed::pencils(array.lengths, is_turned ? std::vector<int>{1, 2} : std::vector<int>{0, 1}, p,
                                ranks / p);
}

/// A number from -1 to 1 for each place of the input (the finaliser of SplitMix64).
double number(std::uint64_t place) {
    std::uint64_t z = (place + 1) * 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

/// Calls visit(place in the whole array, place in the dense box) for each real number of the box.
template <class Visit>
void for_box(const Box& box, const Numbers& array, std::uint64_t batch, const Visit& visit) {
    const std::uint64_t row = box.extent(box.lower.size() - 1) * array.per_element(),
                        rows = row == 0 ? 0 : box.count() * array.per_element() / row;
    std::uint64_t own = 0, whole = 1;
    for (const std::uint64_t n : array.lengths) whole *= n;
    for (std::uint64_t b = 0; b < batch; ++b)
        for (std::uint64_t r = 0; r < rows; ++r) {
            std::uint64_t left = r, first = box.lower.back(), step = array.lengths.back();
            for (std::size_t axis = array.lengths.size() - 1; axis-- > 0; left /= box.extent(axis)) {
                first += (box.lower[axis] + left % box.extent(axis)) * step;
                step *= array.lengths[axis];
            }
            const std::uint64_t start = (b * whole + first) * array.per_element();
            for (std::uint64_t i = 0; i < row; ++i) visit(start + i, own++);
        }
}

/// One rank.
template <class Real>
class Rank {
public:
    Rank(const Device& device, const TimedRanks& options, std::shared_ptr<distributed::Communicator> ranks)
        : device_(device),
          options_(options),
          ranks_(std::move(ranks)),
          problem_(in_order_of_ranks(parse_problem(options.problem), options.natural)),
          input_(array_of(problem_, true)),
          output_(array_of(problem_, false)),
          queue_(device.create_queue()) {
        boxes_ = {boxes_of(input_, options, ranks_->size(), false),
                  boxes_of(output_, options, ranks_->size(), !options.natural)};
        const Kind kind = problem_.axis_kinds.empty() ? problem_.kind : problem_.axis_kinds.front();
        direction_ = has({Kind::c2r, Kind::ihfft}, kind) ? Direction::inverse : Direction::forward;
        plan(options.pieces.empty() ? 0 : options.pieces[0]);
        execution_.input = allocate(plan_.input_bytes());
        execution_.output = allocate(plan_.output_bytes());
        std::vector<Real> own(plan_.input_bytes() / sizeof(Real));
        for_box(boxes_.input[place()], input_, problem_.batch,
                [&](std::uint64_t whole, std::uint64_t i) { own[i] = static_cast<Real>(number(whole)); });
        if (!own.empty()) queue_.upload(execution_.input, own.data(), plan_.input_bytes());
    }

    /// Plans, perhaps again, with so many pieces; 0: as many as the library takes.
    void plan(std::uint64_t pieces) {
        distributed::DistributedOptions how;
        how.decomposition = options_.pencils ? distributed::Decomposition::pencils : distributed::Decomposition::slabs;
        if (pieces != 0) how.pieces = pieces;
        how.directions = direction_ == Direction::forward ? Directions::forward : Directions::inverse;
        plan_ = distributed::DistributedPlan(device_, problem_, boxes_, ranks_, how);
        if (options_.group.transport == "ipc") kept_.push_back(execution_.workspace.buffer);  // others keep it open
        execution_.workspace = {};
        execution_.workspace = allocate(plan_.workspace_bytes());
    }

    /// The results, and how far those of the plan before are from them at most.
    void keep_results() {
        std::vector<Real> own(plan_.output_bytes() / sizeof(Real));
        if (!own.empty()) queue_.download(own.data(), execution_.output, plan_.output_bytes());
        for (std::size_t i = 0; i < results_.size(); ++i) {
            const double difference = std::abs(static_cast<double>(own[i]) - static_cast<double>(results_[i]));
            apart_ = difference <= apart_ ? apart_ : difference;  // a NaN stays
        }
        results_ = std::move(own);
    }

    /// Milliseconds of each execution but the first, by this rank's clock, the shortest first.
    std::vector<double> times() {
        return times_of([&] {
            ranks_->barrier();
            const auto start = std::chrono::steady_clock::now();
            plan_.execute(queue_, execution_);
            queue_.wait();
            ranks_->barrier();
            return start;
        });
    }

    /// The largest difference from the same transform on this device alone, over the largest number, of all ranks, and
    /// of all plans.
    double error() {
        ranks_->barrier();  // nobody reads this rank's buffers
        // The whole transform needs the room; with IPC others keep it open.
        if (options_.group.transport != "ipc") execution_ = {};
        const std::vector<Real> whole = alone();
        double most = apart_, norm = 0;
        for (const Real value : whole) norm = std::max(norm, std::abs(static_cast<double>(value)));
        for_box(boxes_.output[place()], output_, problem_.batch, [&](std::uint64_t i, std::uint64_t j) {
            const double difference =
                std::abs(static_cast<double>(whole[in_natural_order(i)]) - static_cast<double>(results_[j]));
            most = difference <= most ? most : difference;  // a NaN stays
        });
        for (const std::string& text : ranks_->all_gather(std::to_string(most / norm * 1e12))) {
            const double other = std::stod(text) * 1e-12 * norm;
            most = other <= most ? most : other;
        }
        return most / norm;
    }

    void print(const std::vector<double>& times) const {
        std::printf("%s, %d ranks, first on %s, %s, %s order\n%s", to_string(problem_).c_str(), ranks_->size(),
                    device_.info().name.c_str(), options_.pencils ? "pencils" : "slabs",
                    options_.natural ? "natural" : "transposed", plan_.describe().c_str());
        std::printf("bytes went by %s\n", ranks_->transport().c_str());
        std::printf("sent %.1f MB, copied %.1f MB, workspace %.1f MB\n", 1e-6 * static_cast<double>(plan_.bytes_sent()),
                    1e-6 * static_cast<double>(plan_.bytes_copied()),
                    1e-6 * static_cast<double>(plan_.workspace_bytes()));
        std::printf("median %.3f ms, fastest %.3f ms of %zu\n", times[times.size() / 2], times.front(), times.size());
    }

private:
    /// `work` says when it began.
    template <class Work>
    std::vector<double> times_of(const Work& work) const {
        std::vector<double> found;
        for (unsigned round = 0; round <= options_.repeat; ++round) {
            const auto start = work();
            const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
            if (round != 0) found.push_back(time.count());
        }
        std::sort(found.begin(), found.end());
        return found;
    }

    /// Where one device has the number that is at this place of all ranks' results.
    std::uint64_t in_natural_order(std::uint64_t i) const {
        if (problem_.spectrum_order == SpectrumOrder::natural) return i;
        const std::uint64_t row = 2 * problem_.lengths.front();
        return i / row * row + 2 * plan_.spectrum_index(0, i % row / 2) + i % 2;
    }

    std::size_t place() const { return static_cast<std::size_t>(ranks_->rank()); }
    Buffer allocate(std::uint64_t bytes) const { return bytes == 0 ? Buffer() : device_.allocate(bytes); }

    std::vector<Real> alone() {
        PlanOptions how;
        how.directions = direction_ == Direction::forward ? Directions::forward : Directions::inverse;
        Problem natural = problem_;
        natural.spectrum_order = SpectrumOrder::natural;
        const Plan plan(device_, natural, how);
        std::vector<Real> values(plan.input_bytes() / sizeof(Real));
        for (std::uint64_t i = 0; i < values.size(); ++i) values[i] = static_cast<Real>(number(i));
        Execution execution;
        execution.input = allocate(plan.input_bytes());
        execution.output = allocate(plan.output_bytes());
        execution.workspace = allocate(plan.workspace_bytes());
        queue_.upload(execution.input, values.data(), plan.input_bytes());
        plan.execute(queue_, execution);
        values.resize(plan.output_bytes() / sizeof(Real));
        queue_.download(values.data(), execution.output, plan.output_bytes());
        ranks_->barrier();  // nobody is at work on this device
        if (place() != 0) return values;
        const std::vector<double> found = times_of([&] {
            const auto start = std::chrono::steady_clock::now();
            plan.execute(queue_, execution);
            queue_.wait();
            return start;
        });
        std::printf("one device alone: median %.3f ms, fastest %.3f ms\n", found[found.size() / 2], found.front());
        return values;
    }

    Device device_;
    const TimedRanks& options_;
    std::shared_ptr<distributed::Communicator> ranks_;
    Problem problem_;
    Numbers input_, output_;
    Direction direction_ = Direction::forward;
    Queue queue_;
    distributed::Boxes boxes_;
    distributed::DistributedPlan plan_;
    distributed::DistributedExecution execution_;
    std::vector<Buffer> kept_;
    std::vector<Real> results_;
    double apart_ = 0;
};

template <class Real>
void run(const Device& device, const TimedRanks& options, const std::shared_ptr<distributed::Communicator>& ranks) {
    Rank<Real> rank(device, options, ranks);
    const std::size_t plans = std::max<std::size_t>(1, options.pieces.size());
    for (std::size_t i = 0; i < plans; ++i) {
        if (i > 0) rank.plan(options.pieces[i]);
        const std::vector<double> times = rank.times();
        if (ranks->rank() == 0) rank.print(times);
        if (!options.no_check) rank.keep_results();
    }
    if (options.no_check) return;
    const double error = rank.error(), bound = sizeof(Real) == 4 ? 2e-6 : 4e-15;
    if (ranks->rank() == 0) std::printf("relative error %.2g, at most %.0g expected\n", error, bound);
    if (!(error <= bound)) throw InternalError("expected each rank's results to be those of one device");
}

}  // namespace

bool time_ranks(const TimedRanks& options, const std::string& program) {
    const Problem problem = parse_problem(options.problem);
    if (problem.storage != Storage::same ||
        (problem.precision != Precision::f32 && problem.precision != Precision::f64))
        throw Unsupported("expected f32 or f64 over several ranks, got " + to_string(problem));
    if (options.pencils && problem.lengths.size() < 3)
        throw InvalidProblem("expected at least 3 axes for pencils, got " + to_string(problem));
    return on_each_rank(options.group, program,
                        [&](const std::shared_ptr<distributed::Communicator>& ranks, const Device& device) {
                            problem.precision == Precision::f32 ? run<float>(device, options, ranks)
                                                                : run<double>(device, options, ranks);
                        });
}

}  // namespace seiche::cli

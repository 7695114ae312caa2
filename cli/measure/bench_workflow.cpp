// Workflows: what is timed is verified on some of its entries, or on all where there are few.
#include "cli/measure/bench_workflow.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "cli/check/fill_buffer.hpp"
#include "cli/command/report.hpp"
#include "cli/measure/contender.hpp"
#include "cli/measure/copy_kernel.hpp"
#include "cli/reference/random_data.hpp"
#include "cli/system/in_parallel.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"
#include "cli/text/words.hpp"
#include "cli/workflow/rival.hpp"
#include "cli/workflow/workflow.hpp"

namespace seiche::cli {
namespace {

/// A rival may round oftener than our contract allows us.
constexpr double more_for_rivals = 4;

/// Some entries' results in double precision, computed once.
class Reference {
public:
    Reference(const Workflow& workflow, std::uint64_t seed) : workflow_(workflow) {
        constexpr std::uint64_t most_numbers = std::uint64_t{1} << 22, fewest = 3, most = 16;
        const std::uint64_t entries = workflow.entries();
        const std::uint64_t count =
            std::min(entries, std::clamp(most_numbers / workflow.entry_numbers(), fewest, most));
        Random random(seed);
        std::set<std::uint64_t> chosen = {0, entries - 1};
        while (chosen.size() < count) chosen.insert(random.below(entries));
        for (const std::uint64_t entry : chosen) results_.emplace_back(entry, workflow.expected(entry));
    }

    /// The relative L2 error over the entries; `read` gives the numbers of one.
    double error(const std::function<void(std::uint64_t entry, void* to)>& read) const {
        const std::uint64_t count = workflow_.entry_numbers();
        std::vector<unsigned char> bytes(count * workflow_.number_bytes());
        double error = 0, size = 0;
        for (const auto& [entry, expected] : results_) {
            read(entry, bytes.data());
            for (std::uint64_t i = 0; i < count; ++i) {
                const double wanted = workflow_.comparable(expected[i]);
                const double difference = workflow_.comparable(number(bytes, i)) - wanted;
                error += difference * difference;
                size += wanted * wanted;
            }
        }
        return std::sqrt(error / size);
    }

    /// As the accuracy contract counts it.
    Accuracy accuracy(double error) const {
        const double unit = (workflow_.is_double() ? 0x1p-53 : 0x1p-24) *
                            std::sqrt(std::log2(static_cast<double>(std::max<std::uint64_t>(2, workflow_.points()))));
        Accuracy accuracy;
        accuracy.units = error / unit;
        accuracy.bound = workflow_.bound();
        accuracy.transforms = results_.size();
        if (std::isnan(error)) accuracy.fault = "a NaN in the result: not written, or read from where nothing was";
        return accuracy;
    }

private:
    double number(const std::vector<unsigned char>& bytes, std::uint64_t i) const {
        const auto at = [&]<class T>(T value) {
            std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
            return static_cast<double>(value);
        };
        return workflow_.is_double() ? at(double{}) : at(float{});
    }

    const Workflow& workflow_;
    std::vector<std::pair<std::uint64_t, std::vector<double>>> results_;
};

/// A workflow with its memory.
class TimedWorkflow {
public:
    TimedWorkflow(const Device& device, const Workflow& workflow, HostArrays& host)
        : device_(device), workflow_(workflow), host_(host), queue_(device.create_queue()) {
        const std::vector<WorkflowInput> inputs = workflow.inputs();
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            arrays_.inputs.push_back(device.allocate(inputs[i].count * workflow.number_bytes()));
            upload(i, inputs[i].count);
        }
        arrays_.output = device.allocate(workflow.output_bytes());
        const double start = now_seconds();
        prepared_ = workflow.prepare(device, arrays_);
        plan_ms_ = (now_seconds() - start) * 1e3;
        payload_ = workflow.bytes() / 2;
        enqueue_ = [this] { prepared_->enqueue(queue_); };
        if (!workflow.is_short()) return;
        if (auto graph = as_graph(device, queue_, enqueue_)) {
            enqueue_ = std::move(graph);
            is_graph_ = true;
        }
    }

    Accuracy verify(const Reference& reference) {
        fill_buffer(queue_, arrays_.output, 0xff);
        enqueue_();
        queue_.wait();
        require_written();
        const std::uint64_t bytes = workflow_.entry_numbers() * workflow_.number_bytes();
        return reference.accuracy(reference.error([&](std::uint64_t entry, void* to) {
            queue_.download(to, BufferView(arrays_.output, entry * bytes), bytes);
        }));
    }

    /// Milliseconds of one of `count`.
    double time(unsigned count, const std::function<void()>& work) {
        work();
        queue_.wait();
        Event before, after;
        queue_.batch([&] {
            before = queue_.record();
            for (unsigned i = 0; i < count; ++i) work();
            after = queue_.record();
        });
        return queue_.milliseconds(before, after) / count;
    }
    double run(unsigned count) { return time(count, enqueue_); }
    double copy(unsigned count) {
        return time(count, [&] { queue_.copy(copy_, copied_, payload_); });
    }
    double copy_by_kernel(unsigned count) {
        return time(count, [&] { copy_kernel_.execute(queue_, copy_, copied_); });
    }
    void make_copies() {
        copied_ = device_.allocate(payload_);
        copy_ = device_.allocate(payload_);
        fill_buffer(queue_, copied_, 0x5a);
        copy_kernel_ = CopyKernel(device_, payload_);
    }
    bool has_copy_kernel() const { return static_cast<bool>(copy_kernel_); }

    const WorkflowArrays& arrays() const { return arrays_; }
    Queue& queue() { return queue_; }
    std::vector<PlanReport> reports() const { return prepared_->reports(); }
    std::uint64_t payload_bytes() const { return payload_; }
    double plan_ms() const { return plan_ms_; }
    bool is_graph() const { return is_graph_; }

private:
    void upload(std::size_t input, std::uint64_t count) {
        const auto number = workflow_.numbers_of(input);
        const auto fill = [&]<class T>(T /*zero*/) {
            const std::span<T> values = host_.input.array<T>(count);
            in_ranges(count, 0, [&](std::size_t first, std::size_t end) {
                for (std::size_t i = first; i < end; ++i) values[i] = static_cast<T>(number(i));
            });
            queue_.upload(arrays_.inputs[input], values.data(), values.size_bytes());
        };
        if (workflow_.is_double())
            fill(double{});
        else
            fill(float{});
    }
    /// No number of the output is the NaN that was there before.
    void require_written() {
        const std::uint64_t unwritten =
            workflow_.is_double() ? unwritten_numbers<std::uint64_t>() : unwritten_numbers<std::uint32_t>();
        if (unwritten != 0)
            throw Failure("expected the whole output, got " + counted(unwritten, "number") +
                          " of it that nothing wrote");
    }
    /// `Bits` are a number's.
    template <class Bits>
    std::uint64_t unwritten_numbers() {
        const std::span<Bits> numbers = host_.output.array<Bits>(workflow_.output_bytes() / sizeof(Bits));
        queue_.download(numbers.data(), arrays_.output, numbers.size_bytes());
        std::atomic<std::uint64_t> unwritten{0};
        in_ranges(numbers.size(), 0, [&](std::size_t first, std::size_t end) {
            unwritten += static_cast<std::uint64_t>(std::count(numbers.begin() + static_cast<std::ptrdiff_t>(first),
                                                               numbers.begin() + static_cast<std::ptrdiff_t>(end),
                                                               std::numeric_limits<Bits>::max()));
        });
        return unwritten.load();
    }

    const Device& device_;
    const Workflow& workflow_;
    HostArrays& host_;
    Queue queue_;
    WorkflowArrays arrays_;
    std::unique_ptr<PreparedWorkflow> prepared_;
    std::function<void()> enqueue_;
    Buffer copied_, copy_;
    CopyKernel copy_kernel_;
    std::uint64_t payload_ = 0;
    double plan_ms_ = 0;
    bool is_graph_ = false;
};

void require_right(const Accuracy& accuracy, const std::string& workflow, const char* when) {
    if (accuracy.good()) return;
    throw Failure("wrong answer " + std::string(when) + " timing " + workflow + ": " +
                  (!accuracy.fault.empty() ? accuracy.fault
                                           : "error " + significant(accuracy.units, 3) + " units, expected at most " +
                                                 fixed(accuracy.bound, 1)));
}

/// Another library's composition, with its part of the time.
struct TimedRival {
    std::unique_ptr<WorkflowRival> rival;
    std::function<void()> enqueue;
    double plan_ms = 0;
};

double verify(TimedRival& timed, TimedWorkflow& ours, const Reference& reference) {
    timed.rival->poison();
    timed.enqueue();
    ours.queue().wait();
    return reference.error([&](std::uint64_t entry, void* to) { timed.rival->read(entry, to); });
}

void require_right(double error, const Reference& reference) {
    Accuracy accuracy = reference.accuracy(error);
    accuracy.bound *= more_for_rivals;
    if (!accuracy.good()) throw Failure("gives a wrong answer, relative error " + significant(error, 3));
}

/// Those that could be made and gave the right answer; why others are not there goes into the result.
std::map<std::string, TimedRival> make_rivals(const Workflow& workflow, TimedWorkflow& ours, const Device& device,
                                              const WorkflowBench& options, const Reference& reference,
                                              BenchResult& result) {
    std::map<std::string, TimedRival> rivals;
    for (const std::string& name : options.against) {
        try {
            TimedRival timed;
            const double start = now_seconds();
            timed.rival = make_workflow_rival(name, workflow, ours.arrays(), device, ours.queue());
            timed.plan_ms = (now_seconds() - start) * 1e3;
            timed.enqueue = [rival = timed.rival.get()] { rival->enqueue(); };
            if (ours.is_graph()) timed.enqueue = as_graph(device, ours.queue(), timed.enqueue);
            require_right(verify(timed, ours, reference), reference);
            rivals.emplace(name, std::move(timed));
        } catch (const Failure& reason) {
            result.absent.push_back(name + ": " + one_line(reason.what()));
        }
    }
    return rivals;
}

std::vector<Contender> contenders_of(TimedWorkflow& ours, std::map<std::string, TimedRival>& rivals) {
    std::vector<Contender> contenders;
    const auto add = [&](const std::string& name, const std::string& description) -> Contender& {
        Contender& contender = contenders.emplace_back();
        contender.name = name;
        contender.description = description;
        return contender;
    };
    Contender& first = add("seiche", ours.is_graph() ? "as a graph" : "");
    first.run = [&](unsigned count) { return ours.run(count); };
    first.plan_ms = ours.plan_ms();
    add(own_copy, "the backend's own, of as many bytes").run = [&](unsigned count) { return ours.copy(count); };
    if (ours.has_copy_kernel())
        add(copy_kernel, "by a kernel of ours").run = [&](unsigned count) { return ours.copy_by_kernel(count); };
    for (auto& [name, timed] : rivals) {
        Contender& contender = add(name, timed.rival->description());
        contender.plan_ms = timed.plan_ms;
        contender.run = [&ours, &timed = timed](unsigned count) { return ours.time(count, timed.enqueue); };
    }
    return contenders;
}

}  // namespace

void bench_workflow(const Device& device, const WorkflowBench& options, BenchResult& result) {
    Progress progress("timing " + result.problem);
    const std::unique_ptr<Workflow> workflow = make_workflow(result.problem, options.stages);
    TimedWorkflow ours(device, *workflow, *options.host);
    const Reference reference(*workflow, options.seed);
    result.accuracy = ours.verify(reference);
    require_right(result.accuracy, result.problem, "before");
    std::map<std::string, TimedRival> rivals = make_rivals(*workflow, ours, device, options, reference, result);
    ours.make_copies();
    std::vector<Contender> contenders = contenders_of(ours, rivals);
    run_rounds(contenders, options.repeat, progress);
    require_right(ours.verify(reference), result.problem, "after");
    for (auto& [name, timed] : rivals) {
        try {
            require_right(verify(timed, ours, reference), reference);
        } catch (const Failure& reason) {
            throw Failure(name + " after timing " + reason.what());
        }
    }
    for (const PlanReport& report : ours.reports()) {
        result.recipe += (result.recipe.empty() ? "" : " ") + report.recipe;
        result.kernels += static_cast<std::uint32_t>(report.kernels.size());
        result.compiled += report.compiled;
    }
    result.plan_first_ms = ours.plan_ms();
    set_rows(result, contenders, ours.payload_bytes());
}

}  // namespace seiche::cli

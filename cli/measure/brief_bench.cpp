// `seiche bench --brief`: thousands of problems in one process, a line each.
#include "cli/measure/brief_bench.hpp"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>

#include "cli/command/report.hpp"
#include "cli/io/input_file.hpp"
#include "cli/measure/spread.hpp"
#include "cli/measure/timed_plan.hpp"
#include "cli/text/text.hpp"
#include "cli/text/words.hpp"

namespace seiche::cli {
namespace {

constexpr double unknown = -1;

/// A problem with its plan, or why it has none.
struct Made {
    std::string problem, recipe, error;
    std::unique_ptr<TimedPlan> timed;  // null: it is not to be executed
    double plan_ms = unknown;
    std::size_t kernels = 0;
    std::uint32_t compiled = 0;
    std::uint64_t instructions = 0;  // of the longest kernel
};

void take_report(Made& made, const PlanReport& report) {
    made.recipe = report.recipe;
    made.kernels = report.kernels.size();
    made.compiled = report.compiled;
    for (const KernelReport& kernel : report.kernels)
        made.instructions = std::max(made.instructions, kernel.instructions);
}

Made make(const Device& device, const BriefOptions& options, const std::string& text) {
    Made made;
    made.problem = text;
    try {
        const Problem problem = parse_problem(text);
        made.problem = to_string(problem);
        const Tuning tuning = options.tuning(problem);
        if (options.plans_only) {
            const double start = now_seconds();
            const Plan plan(device, problem, {timed_directions(problem), tuning});
            made.plan_ms = (now_seconds() - start) * 1e3;
            take_report(made, plan.report());
            return made;
        }
        auto timed = std::make_unique<TimedPlan>(device, problem, tuning, TimedOptions{.plans_again = false});
        made.plan_ms = timed->plan_first_ms();
        take_report(made, timed->plan().report());
        made.timed = std::move(timed);
    } catch (const std::exception& error) {
        made.error = one_line(message_of(error));
    }
    return made;
}

/// Makes the plans of a list ahead of the one who takes them in its order.
class MadeAhead {
public:
    MadeAhead(const Device& device, const BriefOptions& options)
        : device_(device), options_(options), lines_(options.file) {
        const std::size_t jobs =
            options.jobs != 0 ? options.jobs : std::max<std::size_t>(1, std::thread::hardware_concurrency());
        most_ahead_ = jobs == 1 ? 1 : 2 * jobs;
        for (std::size_t i = 0; i < jobs; ++i) threads_.emplace_back([this] { work(); });
    }
    ~MadeAhead() {
        {
            const std::lock_guard lock(mutex_);
            is_over_ = true;
        }
        room_.notify_all();
        for (std::thread& thread : threads_) thread.join();
    }
    MadeAhead(const MadeAhead&) = delete;
    MadeAhead& operator=(const MadeAhead&) = delete;

    /// Null: there is no more.
    std::optional<Made> next() {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [&] { return made_.contains(taken_) || (is_read_ && taken_ == begun_); });
        const auto found = made_.find(taken_);
        if (found == made_.end()) return std::nullopt;
        Made made = std::move(found->second);
        made_.erase(found);
        ++taken_;
        lock.unlock();
        room_.notify_all();
        return made;
    }

private:
    void work() {
        for (;;) {
            std::string problem;
            std::size_t number = 0;
            if (!begin(problem, number)) return;
            Made made = make(device_, options_, problem);
            const std::lock_guard lock(mutex_);
            made_.emplace(number, std::move(made));
            ready_.notify_all();
        }
    }

    /// One thread at a time waits for room and for the next line.
    bool begin(std::string& problem, std::size_t& number) {
        const std::lock_guard reading(reading_);
        {
            std::unique_lock lock(mutex_);
            room_.wait(lock, [&] { return is_over_ || begun_ - taken_ < most_ahead_; });
            if (is_over_ || is_read_) return false;
        }
        const bool is_there = read(problem);
        const std::lock_guard lock(mutex_);
        is_read_ = !is_there;
        if (is_there) number = begun_++;
        ready_.notify_all();
        return is_there;
    }

    bool read(std::string& problem) {
        if (given_ == options_.problems.size()) return lines_.next(problem);
        problem = options_.problems[given_++];
        return true;
    }

    const Device& device_;
    const BriefOptions& options_;
    ProblemLines lines_;
    std::size_t given_ = 0, most_ahead_ = 1;
    std::mutex reading_, mutex_;
    std::condition_variable ready_, room_;
    std::map<std::size_t, Made> made_;
    std::size_t begun_ = 0, taken_ = 0;
    bool is_read_ = false, is_over_ = false;
    std::vector<std::thread> threads_;
};

/// Times transforms one after the other, on a card that is awake.
class BriefClock {
public:
    explicit BriefClock(unsigned repeat) : repeat_(repeat) {}

    Spread time(TimedPlan& plan) {
        constexpr double enough_milliseconds = 0.2, most = 100;
        plan.fill_input();
        wake(plan);
        const double one = plan.run(1);
        const double count = one > 0 ? std::clamp(std::ceil(enough_milliseconds / one), 1.0, most) : most;
        std::vector<double> samples;
        for (unsigned i = 0; i < repeat_; ++i) samples.push_back(plan.run(static_cast<unsigned>(count)));
        worked_ = now_seconds();
        return spread_of(samples);
    }

private:
    /// After a pause a card raises its clock only when it has worked for a while. Measured: LAB-0044.
    void wake(TimedPlan& plan) const {
        constexpr double long_pause = 0.2, enough_seconds = 0.3;
        const double start = now_seconds();
        if (start - worked_ < long_pause) return;
        do {
            plan.run(16);
        } while (now_seconds() - start < enough_seconds);
    }

    unsigned repeat_;
    double worked_ = -1e9;
};

void print_line(const Made& made, const std::optional<Spread>& times) {
    const auto number = [](double value) { return value < 0 ? std::string() : significant(value, 5); };
    const auto text = [](std::string value) {
        std::replace(value.begin(), value.end(), '"', '\'');
        return value.empty() ? value : "\"" + value + "\"";
    };
    std::string line = text(made.problem);
    line += "," + (times ? number(times->median) + "," + number(times->least) : std::string(","));
    line += "," + (times ? number(2e-6 * static_cast<double>(made.timed->payload_bytes()) / times->median) : "");
    line += "," + number(made.plan_ms) + "," + std::to_string(made.kernels) + "," + std::to_string(made.compiled) +
            "," + std::to_string(made.instructions) + ",";
    print(line + text(made.recipe) + "," + text(made.error) + "\n");
    std::fflush(stdout);
}

}  // namespace

ProblemLines::ProblemLines(const std::string& path) {
    if (path.empty()) {
        read_line_ = [](std::string&) { return false; };
    } else if (io::is_standard_input(path)) {
        read_line_ = [](std::string& line) { return static_cast<bool>(std::getline(std::cin, line)); };
    } else {
        constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20;
        io::InputFile file(path);
        if (file.bytes() > most_bytes)
            file.refuse("expected problems, one a line, got a file of " + std::to_string(file.bytes()) + " bytes");
        std::string text(static_cast<std::size_t>(file.bytes()), ' ');
        file.read(text.data(), text.size(), "problems");
        auto lines = std::make_shared<std::istringstream>(text);
        read_line_ = [lines](std::string& line) { return static_cast<bool>(std::getline(*lines, line)); };
    }
}

bool ProblemLines::next(std::string& problem) {
    while (read_line_(problem)) {
        if (!problem.empty() && problem.back() == '\r') problem.pop_back();
        if (!problem.empty() && problem.front() != '#') return true;
    }
    return false;
}

void run_brief(const Device& device, const BriefOptions& options) {
    MadeAhead plans(device, options);
    print("problem,median_ms,fastest_ms,gb_per_s,plan_ms,kernels,compiled,instructions,recipe,error\n");
    std::fflush(stdout);
    BriefClock clock(options.repeat);
    std::size_t count = 0, failures = 0;
    while (std::optional<Made> made = plans.next()) {
        std::optional<Spread> times;
        try {
            if (made->timed) times = clock.time(*made->timed);
        } catch (const std::exception& error) {
            made->error = one_line(message_of(error));
        }
        ++count;
        failures += made->error.empty() ? 0 : 1;
        print_line(*made, times);
    }
    if (failures > 0) throw Failure(std::to_string(failures) + " of " + counted(count, "problem") + " failed");
}

}  // namespace seiche::cli

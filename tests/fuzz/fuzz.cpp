// The loop of all targets, and what a failure prints.
#include "tests/fuzz/fuzz.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "cli/text/failure.hpp"
#include "seiche/error.hpp"

namespace seiche::fuzz {

namespace {

constexpr double usual_seconds = 3;
constexpr std::uint64_t first_seed = 1;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double slower = 30;  // than a release build
#else
constexpr double slower = 1;
#endif

/// Of the case that runs: for a signal's handler, which may not allocate.
char running[4096];

std::string printable(const std::string& bytes) {
    constexpr std::size_t most = 1200;
    std::string text;
    for (const char c : bytes.substr(0, most)) {
        const auto byte = static_cast<unsigned char>(c);
        constexpr char digits[] = "0123456789abcdef";
        if (byte >= ' ' && byte < 0x7f && byte != '\\')
            text += c;
        else
            text += std::string("\\x") + digits[byte >> 4] + digits[byte & 15];
    }
    return text + (bytes.size() > most ? "..." : "");
}

/// Of all threads.
double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double wall_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

constexpr int crashes[] = {SIGFPE, SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGALRM};
struct sigaction before[std::size(crashes)];

void tell_and_go_on(int signal) {
    const char* const end =
        signal == SIGALRM ? "\nfuzz: it does not end\n" : "\nfuzz: the case that crashed is above\n";
    for (const char* text : {static_cast<const char*>(running), end})
        if (write(STDERR_FILENO, text, std::strlen(text)) < 0) break;
    for (std::size_t i = 0; i < std::size(crashes); ++i)
        if (crashes[i] == signal) sigaction(signal, &before[i], nullptr);
    if (signal == SIGALRM || signal == SIGABRT) raise(signal);  // others come again by themselves
}

/// The handlers while cases run, on a stack of their own: a case may have used up the other.
class Watch {
public:
    Watch() : stack_(std::size_t{64} << 10) {
        stack_t stack = {};
        stack.ss_sp = stack_.data();
        stack.ss_size = stack_.size();
        sigaltstack(&stack, &before_);
        struct sigaction action = {};
        action.sa_handler = tell_and_go_on;
        action.sa_flags = SA_ONSTACK;
        for (std::size_t i = 0; i < std::size(crashes); ++i) sigaction(crashes[i], &action, &before[i]);
    }
    ~Watch() {
        alarm(0);
        for (std::size_t i = 0; i < std::size(crashes); ++i) sigaction(crashes[i], &before[i], nullptr);
        sigaltstack(&before_, nullptr);
    }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

private:
    std::vector<char> stack_;
    stack_t before_ = {};
};

double number_from(const char* name, double otherwise) {
    const char* const text = std::getenv(name);
    return text == nullptr || *text == '\0' ? otherwise : std::strtod(text, nullptr);
}

std::uint64_t seed_from_environment() {
    const char* const text = std::getenv("SEICHE_FUZZ_SEED");
    return text == nullptr || *text == '\0' ? first_seed : std::strtoull(text, nullptr, 10);
}

/// What is wrong with how the case ended; empty if nothing.
std::string fault_of(Case& input, const std::function<void(Case&)>& one) {
    const auto undocumented = [](const std::string& message) {
        return message.empty() || message.find('\n') != std::string::npos ? "no line: '" + message + "'" : "";
    };
    try {
        one(input);
        return input.failed ? input.message : "";
    } catch (const Error& error) {
        const bool is_usual = error.kind() != ErrorKind::backend && error.kind() != ErrorKind::internal;
        return is_usual ? undocumented(error.what()) : error.what();
    } catch (const cli::Failure& error) {
        return undocumented(error.what());
    } catch (const cli::UsageError& error) {
        return undocumented(error.what());
    } catch (const std::exception& error) {
        return std::string("an exception of the standard library: ") + error.what();
    }
}

}  // namespace

void Case::is(const std::string& description) {
    what = description;
    const std::string shown = printable(description);
    const std::size_t begin = std::strlen(running);
    const char* const place = std::strstr(running, ": ");
    const std::size_t at = place == nullptr ? begin : static_cast<std::size_t>(place - running) + 2;
    const std::size_t length = std::min(shown.size(), sizeof running - at - 1);
    std::memcpy(running + at, shown.data(), length);
    running[at + length] = '\0';
}

void Case::fail(const std::string& text) {
    failed = true;
    message = text;
}

void run(const char* target, const Budget& budget, const std::function<void(Case&)>& one) {
    constexpr unsigned longest_wait = 120, most_failures = 5;  // seconds; more say the same
    const double seconds = number_from("SEICHE_FUZZ_SECONDS", usual_seconds);
    const double cases = static_cast<double>(budget.cases) * seconds / usual_seconds;
    const double start = wall_seconds();
    const Watch watch;
    unsigned failures = 0;
    double slowest = 0;
    std::uint64_t count = 0, seed = seed_from_environment(), slowest_seed = seed;
    for (; static_cast<double>(count) < cases && wall_seconds() - start < seconds; ++count, ++seed) {
        Case input;
        input.random = Random(seed);
        std::snprintf(running, sizeof running, "%s, SEICHE_FUZZ_SEED=%llu: ", target,
                      static_cast<unsigned long long>(seed));
        alarm(longest_wait);
        const double begin = processor_seconds();
        std::string fault = fault_of(input, one);
        const double took = processor_seconds() - begin;
        if (took > slowest) {
            slowest = took;
            slowest_seed = seed;
        }
        if (fault.empty() && took > budget.seconds_of_case * slower)
            fault = "took " + std::to_string(took) + " s of the processor";
        if (fault.empty()) continue;
        ADD_FAILURE() << target << ", SEICHE_FUZZ_SEED=" << seed << ": " << printable(input.what) << "\n  " << fault;
        if (++failures == most_failures) break;
    }
    EXPECT_GT(count, 0u) << "no time for a case";
    std::printf("%s: %llu cases from SEICHE_FUZZ_SEED=%llu on, the slowest (%llu) %.3f s\n", target,
                static_cast<unsigned long long>(count), static_cast<unsigned long long>(seed_from_environment()),
                static_cast<unsigned long long>(slowest_seed), slowest);
}

}  // namespace seiche::fuzz

// Tunings change only the speed: what the interpreter computes with them is what it computes without.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>

#include "seiche/plan.hpp"
#include "seiche/wisdom.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace seiche::fuzz {
namespace {

using Signal = std::vector<std::complex<double>>;

double largest(const Signal& values) {
    double most = 0;
    for (const std::complex<double>& value : values) most = std::max(most, std::abs(value));
    return most;
}

double distance(const Signal& a, const Signal& b) {
    Signal difference(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) difference[i] = a[i] - b[i];
    return largest(difference);
}

std::string small_problem(Random& random) {
    const std::size_t rank = 1 + random.below(3);
    std::string text;
    for (std::size_t i = 0; i < rank; ++i)
        text += (i == 0 ? "" : "x") + std::to_string(random.number(static_cast<unsigned>(8 / rank)));
    return text + " f64 batch=" + std::to_string(1 + random.below(5)) + (random.once_in(4) ? " in-place" : "");
}

TEST(Fuzz, TuningsOnTheInterpreter) {
    const Device device = Device::open("reference");
    run("tunings on the interpreter", {2000, 5.0}, [&](Case& input) {
        Random& random = input.random;
        const std::string text = random.once_in(6) ? "64 f64 batch=5" : small_problem(random);
        const std::string tuning = tuning_text(random);
        input.is("'" + text + "' with '" + tuning + "' on reference");
        const Problem problem = parse_problem(text);
        PlanOptions options;
        options.directions = Directions::forward;
        const Plan plain(device, problem, options);
        options.tuning = parse_tuning(tuning);
        // Roots of unity that docs/explanation/textbook-recipes.md says are not exact.
        const bool is_exact =
            options.tuning.twiddles != TwiddleMethod::native && options.tuning.twiddles != TwiddleMethod::recurrence;
        const Plan tuned(device, problem, options);
        Signal signal(static_cast<std::size_t>(plain.input_bytes() / sizeof(Signal::value_type)));
        for (std::complex<double>& value : signal)
            value = {static_cast<double>(random.below(1001)) - 500, static_cast<double>(random.below(1001)) - 500};
        const Signal expected = plain.forward(signal), got = tuned.forward(signal);
        const double error = distance(expected, got) / std::max(largest(expected), 1.0);
        if (!(error < (is_exact ? 1e-11 : 1e-3))) input.fail("differs from the plan without: " + std::to_string(error));
    });
}

}  // namespace
}  // namespace seiche::fuzz

// Runs a problem among NaNs and canaries and compares every element with the judge's.
#include "tests/accuracy/checker.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <random>

#include "tests/accuracy/judge.hpp"

namespace seiche::accuracy {

namespace {

constexpr unsigned char poison = 0xff;  // eight of them are a NaN, four as well
constexpr std::uint64_t guard_elements = 32;

std::vector<bool> transformed(const Problem& problem) {
    std::vector<bool> chosen(problem.lengths.size(), problem.axes.empty());
    for (const int axis : problem.axes)
        chosen[static_cast<std::size_t>(axis < 0 ? axis + static_cast<int>(chosen.size()) : axis)] = true;
    return chosen;
}

struct Strides {
    std::vector<std::uint64_t> axis;
    std::uint64_t batch = 0;
};

Strides strides_of(const Problem& problem, const Layout& layout) {
    Strides strides;
    std::uint64_t dense = 1, reach = 0;
    strides.axis.resize(problem.lengths.size());
    for (std::size_t i = problem.lengths.size(); i-- > 0; dense *= problem.lengths[i]) {
        strides.axis[i] = layout.strides.empty() ? dense : static_cast<std::uint64_t>(layout.strides[i]);
        reach += (problem.lengths[i] - 1) * strides.axis[i];
    }
    strides.batch = layout.batch_distance == 0 ? reach + 1 : static_cast<std::uint64_t>(layout.batch_distance);
    return strides;
}

std::vector<std::vector<std::uint64_t>> addresses_of(const Problem& problem, const Layout& layout,
                                                     std::uint64_t batch) {
    const Strides strides = strides_of(problem, layout);
    const std::vector<bool> chosen = transformed(problem);
    const std::uint64_t first = layout.byte_offset / (problem.precision == Precision::f32 ? 8 : 16);
    std::vector<std::uint64_t> starts, within{0};
    for (std::uint64_t b = 0; b < batch; ++b) starts.push_back(first + b * strides.batch);
    for (std::size_t i = 0; i < problem.lengths.size(); ++i) {
        std::vector<std::uint64_t>& list = chosen[i] ? within : starts;
        std::vector<std::uint64_t> longer;
        for (const std::uint64_t address : list)
            for (std::uint64_t j = 0; j < problem.lengths[i]; ++j) longer.push_back(address + j * strides.axis[i]);
        list = std::move(longer);
    }
    std::vector<std::vector<std::uint64_t>> all;
    for (const std::uint64_t start : starts) {
        all.push_back(within);
        for (std::uint64_t& address : all.back()) address += start;
    }
    return all;
}

template <class T>
std::vector<std::complex<double>> gather(const std::vector<std::complex<T>>& memory,
                                         const std::vector<std::uint64_t>& at, std::uint64_t shift) {
    std::vector<std::complex<double>> values;
    values.reserve(at.size());
    for (const std::uint64_t address : at) values.emplace_back(memory[shift + address]);
    return values;
}

template <class T>
class Run {
public:
    using Memory = std::vector<std::complex<T>>;

    Run(const Plan& plan, const CheckOptions& options)
        : device_(plan.device()),
          problem_(plan.problem()),
          options_(options),
          plan_(plan),
          queue_(device_.create_queue()),
          where_(addresses(problem_, problem_.batch)) {
        make_input();
    }

    Outcome outcome() {
        Outcome worst;
        const Size size = size_of(problem_);
        Judge judge(where_.lengths);
        std::vector<std::vector<QuadComplex>> exact;
        for (const auto& at : where_.input) exact.push_back(judge.forward(gather(input_, at, shift())));
        for (const Direction direction : {Direction::forward, Direction::inverse}) {
            const bool forward = direction == Direction::forward;
            if (options_.directions == (forward ? Directions::inverse : Directions::forward)) continue;
            const Scale& scale = forward ? problem_.forward_scale : problem_.inverse_scale;
            const double factor = scale.value(static_cast<double>(size.points));
            const Memory output = execute(direction, worst);
            double sum = 0;
            for (std::size_t t = 0; t < exact.size(); ++t) {
                const auto got = gather(output, where_.output[t], shift());
                sum += relative_square_error(got, forward ? exact[t] : inverse_from_forward(exact[t], where_.lengths),
                                             factor);
            }
            note(worst, direction, std::sqrt(sum / static_cast<double>(exact.size())),
                 allowed_error(problem_, factor != 1.0, size.bluestein) * slack());
        }
        return worst;
    }

private:
    std::uint64_t shift() const { return options_.view_offset_elements; }
    bool in_place() const { return problem_.placement == Placement::in_place; }

    /// The contract is about the mean over 64 transforms; a few short ones scatter around it.
    double slack() const {
        const std::size_t values = where_.output.size() * where_.output.front().size();
        return where_.output.size() >= 64 || values >= 512 ? 1.0 : 1.0 + 2.0 / std::sqrt(static_cast<double>(values));
    }

    void make_input() {
        input_.resize(shift() + plan_.input_bytes() / sizeof(std::complex<T>) + guard_elements);
        std::memset(static_cast<void*>(input_.data()), poison, input_.size() * sizeof(std::complex<T>));
        std::mt19937_64 random(options_.seed);
        std::uniform_real_distribution<T> uniform(-1, 1);
        for (const auto& transform : where_.input)
            for (const std::uint64_t address : transform) {
                const T re = uniform(random);
                input_[shift() + address] = {re, uniform(random)};
            }
    }

    Buffer upload(const Memory& memory) {
        Buffer buffer = device_.allocate(memory.size() * sizeof(std::complex<T>));
        queue_.upload(buffer, memory.data(), memory.size() * sizeof(std::complex<T>));
        return buffer;
    }

    Memory download(const Buffer& buffer, std::size_t elements) {
        Memory memory(elements);
        queue_.download(memory.data(), buffer, elements * sizeof(std::complex<T>));
        return memory;
    }

    Memory execute(Direction direction, Outcome& outcome) {
        const std::uint64_t view = shift() * sizeof(std::complex<T>);
        Memory before = input_;
        if (!in_place()) {
            before.assign(shift() + plan_.output_bytes() / sizeof(std::complex<T>) + guard_elements, {});
            std::memset(static_cast<void*>(before.data()), poison, before.size() * sizeof(std::complex<T>));
        }
        const Buffer input = upload(input_), output = in_place() ? input : upload(before);
        Execution execution;
        execution.direction = direction;
        execution.input = {input, view};
        if (!in_place()) execution.output = {output, view};
        if (const std::uint64_t bytes = plan_.workspace_bytes(); bytes != 0) {
            const std::vector<unsigned char> dirt(bytes, poison);
            const Buffer workspace = device_.allocate(bytes);
            queue_.upload(workspace, dirt.data(), bytes);
            execution.workspace = workspace;
        }
        plan_.execute(queue_, execution);
        queue_.wait();
        const Memory after = download(output, before.size());
        compare_gaps(before, after, outcome);
        if (!in_place() && !same(download(input, input_.size()), input_, 0, input_.size()))
            outcome.complaints.emplace_back("the input was overwritten");
        return after;
    }

    static bool same(const Memory& a, const Memory& b, std::size_t first, std::size_t count) {
        return std::memcmp(a.data() + first, b.data() + first, count * sizeof(std::complex<T>)) == 0;
    }

    void compare_gaps(const Memory& before, const Memory& after, Outcome& outcome) const {
        std::vector<bool> element(before.size(), false);
        for (const auto& transform : where_.output)
            for (const std::uint64_t address : transform) element[shift() + address] = true;
        for (std::size_t i = 0; i < before.size(); ++i)
            if (!element[i] && !same(before, after, i, 1)) {
                outcome.complaints.push_back("element " + std::to_string(i) +
                                             " of the buffer is no output, but changed");
                return;
            }
    }

    void note(Outcome& worst, Direction direction, double relative, double bound) const {
        const double points = static_cast<double>(std::max<std::uint64_t>(size_of(problem_).points, 2));
        const double error = relative / (unit_roundoff(problem_.precision) * std::sqrt(std::log2(points)));
        // Not `error > ...`: a NaN is the worst of all.
        if (!(error <= bound))
            worst.complaints.push_back(std::string(direction == Direction::forward ? "forward" : "inverse") +
                                       ": relative error " + std::to_string(error) + " beyond " +
                                       std::to_string(bound));
        if (worst.bound == 0 || !(error / bound <= worst.error / worst.bound)) {
            worst.error = error;
            worst.bound = bound;
        }
    }

    Device device_;
    Problem problem_;
    CheckOptions options_;
    Plan plan_;
    Queue queue_;
    Addresses where_;
    Memory input_;
};

bool smooth(std::uint64_t n) {
    for (const std::uint64_t p : {2u, 3u, 5u, 7u, 11u, 13u})
        while (n % p == 0) n /= p;
    return n == 1;
}

}  // namespace

Addresses addresses(const Problem& problem, std::uint64_t batch) {
    Addresses result;
    const std::vector<bool> chosen = transformed(problem);
    for (std::size_t i = 0; i < chosen.size(); ++i)
        if (chosen[i]) result.lengths.push_back(problem.lengths[i]);
    const bool in_place = problem.placement == Placement::in_place;
    result.input = addresses_of(problem, problem.input, batch);
    result.output = in_place ? result.input : addresses_of(problem, problem.output, batch);
    return result;
}

std::string Outcome::text() const {
    std::string text = "error " + std::to_string(error) + " of " + std::to_string(bound) + " allowed";
    for (const std::string& complaint : complaints) text += "; " + complaint;
    return text;
}

Size size_of(const Problem& problem) {
    Size size;
    const std::vector<bool> chosen = transformed(problem);
    for (std::size_t i = 0; i < chosen.size(); ++i)
        if (chosen[i]) {
            size.points *= problem.lengths[i];
            size.bluestein = size.bluestein || !smooth(problem.lengths[i]);
        }
    return size;
}

double unit_roundoff(Precision precision) { return precision == Precision::f32 ? 0x1p-24 : 0x1p-53; }

double allowed_error(const Problem& problem, bool scaled, bool bluestein) {
    const double points = static_cast<double>(std::max<std::uint64_t>(size_of(problem).points, 2));
    return (bluestein ? 2.5 : 1.0) + (scaled ? 0.5 / std::sqrt(std::log2(points)) : 0.0);
}

Outcome check(const Plan& plan, const CheckOptions& options) {
    if (plan.problem().precision == Precision::f32) return Run<float>(plan, options).outcome();
    return Run<double>(plan, options).outcome();
}

}  // namespace seiche::accuracy

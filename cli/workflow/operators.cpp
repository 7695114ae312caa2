// Spectral operators: plans of seiche/spectral.hpp.
#include <string>

#include "cli/reference/host_spectrum.hpp"
#include "cli/system/in_parallel.hpp"
#include "cli/workflow/workflow.hpp"
#include "seiche/spectral.hpp"

namespace seiche::cli {
namespace {

/// Input 0 is transformed; the others are the middle stage's buffers, in its order. Sums lie behind the output.
class PreparedOperator : public PreparedWorkflow {
public:
    PreparedOperator(const Device& device, const SpectralProblem& problem, const WorkflowArrays& arrays)
        : plan_(device, problem) {
        execution_.input = arrays.inputs[0];
        execution_.output = arrays.output;
        if (plan_.workspace_bytes() != 0) execution_.workspace = device.allocate(plan_.workspace_bytes());
        if (plan_.sum_bytes() != 0) execution_.sums = BufferView(arrays.output, plan_.output_bytes());
        for (std::size_t i = 0; i < problem.middle.buffers.size(); ++i)
            execution_.stage_buffers.push_back({problem.middle.buffers[i].name, arrays.inputs[i + 1]});
    }
    void enqueue(Queue& queue) const override { plan_.execute(queue, execution_); }
    std::vector<PlanReport> reports() const override { return {plan_.report()}; }

private:
    SpectralPlan plan_;
    SpectralExecution execution_;
};

class OperatorWorkflow : public Workflow {
public:
    using Workflow::Workflow;
    std::uint64_t points() const override {
        std::uint64_t product = 1;
        for (const std::uint64_t n : lengths()) product *= n;
        return product;
    }
    std::unique_ptr<PreparedWorkflow> prepare(const Device& device, const WorkflowArrays& arrays) const override {
        return std::make_unique<PreparedOperator>(device, problem(), arrays);
    }

protected:
    virtual std::vector<std::uint64_t> lengths() const = 0;
    virtual SpectralProblem problem() const = 0;

    /// Entry `entry` of input 0.
    HostArrayOfPoints taken(std::uint64_t entry, bool is_complex) const {
        const auto number = numbers_of(0);
        HostArrayOfPoints array(points());
        in_ranges(array.size(), 0, [&](std::size_t first, std::size_t end) {
            for (std::size_t i = first; i < end; ++i) {
                const std::uint64_t at = entry * array.size() + i;
                if (is_complex)
                    array[i] = {number(2 * at), number(2 * at + 1)};
                else
                    array[i] = number(at);
            }
        });
        return array;
    }
    static std::vector<double> given(const HostArrayOfPoints& array, bool is_complex) {
        std::vector<double> numbers;
        numbers.reserve(array.size() * (is_complex ? 2 : 1));
        for (const std::complex<double>& point : array) {
            numbers.push_back(point.real());
            if (is_complex) numbers.push_back(point.imag());
        }
        return numbers;
    }
    /// Where a bin's factor is in an array whose last axis is halved.
    std::uint64_t halved(std::uint64_t bin) const {
        const std::vector<std::uint64_t> all = lengths();
        std::vector<std::uint64_t> place = place_of(bin, all);
        if (place.back() > all.back() / 2)
            for (std::size_t axis = 0; axis < all.size(); ++axis) place[axis] = (all[axis] - place[axis]) % all[axis];
        std::uint64_t at = 0;
        for (std::size_t axis = 0; axis + 1 < all.size(); ++axis) at = at * all[axis] + place[axis];
        return at * (all.back() / 2 + 1) + place.back();
    }
};

/// -laplace(u) = f on a periodic box, the symbol computed.
class Poisson : public OperatorWorkflow {
public:
    using OperatorWorkflow::OperatorWorkflow;
    std::vector<WorkflowInput> inputs() const override { return {{points()}}; }
    std::uint64_t entries() const override { return 1; }
    std::uint64_t entry_numbers() const override { return points(); }
    std::vector<double> expected(std::uint64_t entry) const override {
        HostArrayOfPoints array = taken(entry, false);
        filter_on_host(array, lengths(), [&](std::uint64_t bin) {
            double square = 0;
            for (std::size_t axis = 3; axis-- > 0; bin /= length(axis)) {
                const auto n = static_cast<double>(length(axis)), i = static_cast<double>(bin % length(axis));
                const double k = 2 * i < n ? i : i - n;
                square += k * k;
            }
            return square == 0 ? 0 : 1 / square;
        });
        return given(array, false);
    }

protected:
    std::vector<std::uint64_t> lengths() const override { return what().shape; }
    SpectralProblem problem() const override {
        SpectralProblem p;
        p.lengths = lengths();
        p.middle = "let k = k0 * k0 + k1 * k1 + k2 * k2; return k == 0 ? 0 : value / k;";
        return p;
    }
};

/// A factor for each bin of the halved spectrum, from an array: an influence function of three axes, with the energy
/// behind the potential, or a transfer function of pictures.
class Response : public OperatorWorkflow {
public:
    Response(WorkflowText what, bool is_batch) : OperatorWorkflow(std::move(what)), is_batch_(is_batch) {}
    std::vector<WorkflowInput> inputs() const override {
        // The bins of columns 0 and n/2 are their own mirror's: a response has the symmetry of a real filter.
        const auto factor = [this](std::uint64_t bin) { return random(1, mirrored(bin)); };
        return {{entries() * points()}, {bins(), factor}};
    }
    std::uint64_t entries() const override { return is_batch_ ? length(0) : 1; }
    std::uint64_t entry_numbers() const override { return points() + (is_batch_ ? 0 : 1); }
    bool is_short() const override { return !is_batch_; }
    std::vector<double> expected(std::uint64_t entry) const override {
        HostArrayOfPoints array = taken(entry, false);
        const auto factor = numbers_of(1);
        const HostArrayOfPoints density = is_batch_ ? HostArrayOfPoints() : array;
        filter_on_host(array, lengths(), [&](std::uint64_t bin) { return factor(halved(bin)); });
        std::vector<double> numbers = given(array, false);
        if (is_batch_) return numbers;
        double energy = 0;
        for (std::size_t i = 0; i < density.size(); ++i) energy += 0.5 * density[i].real() * numbers[i];
        numbers.push_back(energy);
        return numbers;
    }

protected:
    std::vector<std::uint64_t> lengths() const override {
        return {what().shape.begin() + (is_batch_ ? 1 : 0), what().shape.end()};
    }
    SpectralProblem problem() const override {
        SpectralProblem p;
        p.lengths = lengths();
        p.batch = entries();
        const std::string row = std::to_string(p.lengths.back() / 2 + 1);
        p.middle = is_batch_ ? "return value * g[i0 * " + row + " + i1];"
                             : "let f = g[(i0 * n1 + i1) * " + row +
                                   " + i2]; sum energy = 0.5 / (n0 * n1 * n2) * f * norm(value); return value * f;";
        p.middle.buffers = {{"g", StageType::f32, bins()}};
        return p;
    }

private:
    std::uint64_t bins() const { return points() / lengths().back() * (lengths().back() / 2 + 1); }
    /// The lower of a bin's number and that of its mirror, where both are in the halved spectrum.
    std::uint64_t mirrored(std::uint64_t bin) const {
        std::vector<std::uint64_t> all = lengths();
        const std::uint64_t n = all.back();
        all.back() = n / 2 + 1;
        const std::vector<std::uint64_t> place = place_of(bin, all);
        if (place.back() != 0 && 2 * place.back() != n) return bin;
        std::uint64_t at = 0;
        for (std::size_t axis = 0; axis + 1 < all.size(); ++axis)
            at = at * all[axis] + (all[axis] - place[axis]) % all[axis];
        return std::min(bin, at * all.back() + place.back());
    }
    bool is_batch_;
};

/// Pulse compression: complex signals times the spectrum of a pulse.
class MatchedFilter : public OperatorWorkflow {
public:
    using OperatorWorkflow::OperatorWorkflow;
    std::vector<WorkflowInput> inputs() const override { return {{2 * entries() * points()}, {2 * points()}}; }
    std::uint64_t entries() const override { return length(0); }
    std::uint64_t entry_numbers() const override { return 2 * points(); }
    std::vector<double> expected(std::uint64_t entry) const override {
        HostArrayOfPoints array = taken(entry, true);
        const auto h = numbers_of(1);
        filter_on_host(array, lengths(),
                       [&](std::uint64_t bin) { return std::complex<double>(h(2 * bin), h(2 * bin + 1)); });
        return given(array, true);
    }

protected:
    std::vector<std::uint64_t> lengths() const override { return {length(1)}; }
    SpectralProblem problem() const override {
        SpectralProblem p;
        p.lengths = lengths();
        p.numbers = SpectralNumbers::complex;
        p.batch = entries();
        p.middle = "return value * complex(h[2 * i0], h[2 * i0 + 1]);";
        p.middle.buffers = {{"h", StageType::f32, 2 * length(1)}};
        return p;
    }
};

/// The local potential on bands of plane waves: coefficients in the box around a sphere of radius n/4, to the grid,
/// times a potential, and back to the box. The box is moved to the array's corner, which turns the phases on the grid
/// and changes no result; the grid's points have the forward transform's order.
class PlaneWaves : public OperatorWorkflow {
public:
    using OperatorWorkflow::OperatorWorkflow;
    std::vector<WorkflowInput> inputs() const override { return {{entries() * entry_numbers()}, {points()}}; }
    std::uint64_t entries() const override { return length(0); }
    std::uint64_t entry_numbers() const override {
        std::uint64_t numbers = 2;
        for (const std::uint64_t n : box()) numbers *= n;
        return numbers;
    }
    bool is_double() const override { return true; }
    std::vector<double> expected(std::uint64_t entry) const override {
        const auto number = numbers_of(0), potential = numbers_of(1);
        HostArrayOfPoints grid(points());
        const std::uint64_t first = entry * entry_numbers();
        for (std::uint64_t i = 0; i < entry_numbers() / 2; ++i)
            grid[in_grid(i)] = {number(first + 2 * i), number(first + 2 * i + 1)};
        filter_on_host(grid, lengths(), potential);
        std::vector<double> result(entry_numbers());
        for (std::uint64_t i = 0; i < result.size() / 2; ++i) {
            result[2 * i] = grid[in_grid(i)].real();
            result[2 * i + 1] = grid[in_grid(i)].imag();
        }
        return result;
    }

protected:
    std::vector<std::uint64_t> lengths() const override { return {what().shape.begin() + 1, what().shape.end()}; }
    SpectralProblem problem() const override {
        SpectralProblem p;
        p.lengths = lengths();
        p.numbers = SpectralNumbers::complex;
        p.precision = Precision::f64;
        p.batch = entries();
        for (const std::uint64_t n : box()) p.input.push_back({0, n});
        p.output = p.input;
        p.middle = "return value * v[(i0 * n1 + i1) * n2 + i2];";
        p.middle.buffers = {{"v", StageType::f64, points()}};
        return p;
    }

private:
    std::vector<std::uint64_t> box() const {
        std::vector<std::uint64_t> box;
        for (const std::uint64_t n : lengths()) box.push_back(2 * (n / 4) + 1);
        return box;
    }
    std::uint64_t in_grid(std::uint64_t i) const {
        const std::vector<std::uint64_t> place = place_of(i, box());
        return (place[0] * length(2) + place[1]) * length(3) + place[2];
    }
};

}  // namespace

std::unique_ptr<Workflow> make_operator_workflow(const WorkflowText& what) {
    switch (what.kind) {
        case WorkflowKind::influence: return std::make_unique<Response>(what, false);
        case WorkflowKind::transfer_function: return std::make_unique<Response>(what, true);
        case WorkflowKind::matched_filter: return std::make_unique<MatchedFilter>(what);
        case WorkflowKind::plane_waves: return std::make_unique<PlaneWaves>(what);
        default: return std::make_unique<Poisson>(what);
    }
}

}  // namespace seiche::cli

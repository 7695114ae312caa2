// The factors of a flow graph, and values followed through one.
#include <cstring>
#include <numeric>

#include "exec/flow.hpp"
#include "exec/flow_side.hpp"
#include "exec/tables.hpp"
#include "support/primes.hpp"
#include "support/text.hpp"
#include "support/twiddle.hpp"

namespace seiche::exec {

using kernels::Stage;

namespace {

std::string root_text(std::uint64_t root) { return "w" + std::to_string(root); }

/// Values after a step of one node.
void follow_node(const FlowStep& step, const FlowNode& node, const std::vector<std::complex<double>>& values,
                 std::vector<std::complex<double>>& next) {
    const auto factor = [&](std::size_t j) {
        return node.factors.empty() ? std::complex<double>(1) : node.factors[j].value;
    };
    if (step.kind == FlowKind::join) {
        const std::complex<double> beside = values[node.from[0]], sum = values[node.from[1]];
        next[node.to[0]] = beside + sum;
        next[node.to[1]] = beside + factor(1) * sum;
        return;
    }
    if (step.kind == FlowKind::split) {
        const std::complex<double> i(0, 1), even = values[node.from[0]] - values[node.from[2]],
                                            odd = values[node.from[1]] - values[node.from[3]];
        next[node.to[0]] = values[node.from[0]] + values[node.from[2]];
        next[node.to[1]] = values[node.from[1]] + values[node.from[3]];
        next[node.to[2]] = even - i * odd;
        next[node.to[3]] = even + i * odd;
        for (std::size_t k = 0; k < node.after.size(); ++k) next[node.to[k]] *= node.after[k].value;
        return;
    }
    const std::size_t r = node.from.size();
    if (step.kind == FlowKind::real_map) {
        for (std::size_t k = 0; k < node.to.size(); ++k)
            for (std::size_t j = 0; j < r; ++j)
                next[node.to[k]] += node.own[k * r + j] * values[node.from[j]] +
                                    node.conjugated[k * r + j] * std::conj(values[node.from[j]]);
        return;
    }
    for (std::size_t k = 0; k < r; ++k) {
        std::complex<double> result = 0;
        for (std::size_t j = 0; j < r; ++j) {
            const support::ComplexValue w = support::twiddle(j * k, r);
            result += std::complex<double>(w.re, w.im) * factor(j) * values[node.from[j]];
        }
        next[node.to[k]] = node.after.empty() ? result : result * node.after[k].value;
    }
}

}  // namespace

FlowFactor root_of_unity(std::uint64_t exponent, std::uint64_t root) {
    exponent %= root;
    const std::uint64_t common = std::gcd(exponent, root);
    const support::ComplexValue w = support::twiddle(exponent, root);
    return {{w.re, w.im}, exponent / common, root / common};
}

std::vector<std::complex<double>> table_values(const kernels::TableContent& content, std::uint64_t entries) {
    const std::vector<std::byte> bytes = table_bytes({{content, entries, 0, 1}}, Precision::f64);
    std::vector<std::complex<double>> values(entries);
    std::memcpy(values.data(), bytes.data(), entries * sizeof(std::complex<double>));
    return values;
}

std::string factor_text(const Stage& stage) {
    if (const auto* scale = std::get_if<kernels::Multiply>(&stage))
        return "times " + support::to_text(scale->factor.hi);
    if (const auto* twiddle = std::get_if<kernels::FourStepTwiddle>(&stage))
        return "times " + root_text(twiddle->length) + "^(j q): point j of sequence q";
    if (const auto* chirp = std::get_if<kernels::Chirp>(&stage))
        return "times the chirp exp(-pi i j^2 / " + std::to_string(chirp->length) + ")";
    if (std::holds_alternative<kernels::ChirpSpectrum>(stage))
        return "times the spectrum of Bluestein's kernel: the convolution";
    if (std::holds_alternative<kernels::RaderSpectrum>(stage))
        return "times the spectrum of Rader's kernel: the convolution";
    if (const auto* user = std::get_if<kernels::UserProgram>(&stage)) return "the user's stage: " + user->program->text;
    if (const auto* turn = std::get_if<kernels::Turn>(&stage)) {
        const std::string step = turn->step == 1 ? "p" : std::to_string(turn->step) + " p";
        return "point p times " + root_text(turn->length) + "^" +
               (turn->offset == 0 && turn->step == 1 ? "p" : "(" + step + " + " + std::to_string(turn->offset) + ")");
    }
    return "times roots of unity";
}

FlowFactor factor(const Stage& stage, const Side& side, std::uint64_t q, std::uint64_t e) {
    if (const auto* scale = std::get_if<kernels::Multiply>(&stage)) return {{scale->factor.hi, 0}, 0, 0};
    if (const auto* twiddle = std::get_if<kernels::FourStepTwiddle>(&stage)) {
        const std::uint64_t product = support::multiply_mod(e, side.loop_index(q, twiddle->loop), twiddle->length);
        return root_of_unity(product, twiddle->length);
    }
    if (const auto* turning = std::get_if<kernels::Turn>(&stage)) {
        const std::uint64_t j = side.axis_index(*turning, q, e), length = turning->length;
        return root_of_unity(support::multiply_mod(turning->step, j, length) + turning->offset, length);
    }
    const auto& chirp = std::get<kernels::Chirp>(stage);
    const std::uint64_t j = side.axis_index(chirp, q, e), turn = 2 * chirp.length;
    return root_of_unity(support::multiply_mod(j, j, turn), turn);
}

std::vector<std::vector<std::vector<std::complex<double>>>> follow_graph(const Explanation& explanation,
                                                                         std::vector<std::complex<double>> values) {
    using Values = std::vector<std::complex<double>>;
    std::vector<std::vector<Values>> all;
    for (const KernelFlow& kernel : explanation.kernels) {
        all.emplace_back();
        for (const FlowStep& step : kernel.steps) {
            const bool begins_empty = step.kind == FlowKind::move || step.kind == FlowKind::real_map;
            Values next = begins_empty ? Values(step.lines) : values;
            for (const FlowNode& node : step.nodes) follow_node(step, node, values, next);
            if (step.kind == FlowKind::swap_parts)
                for (std::complex<double>& value : next) value = {value.imag(), value.real()};
            values = std::move(next);
            all.back().push_back(values);
        }
    }
    return all;
}

}  // namespace seiche::exec

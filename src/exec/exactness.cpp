// The trials of a device's fp64: sums, products and fused multiply-adds whose last bits tell how they were rounded.
#include "exec/exactness.hpp"

#include <bit>
#include <cmath>

#include "emit/source.hpp"
#include "ir/builder.hpp"
#include "ir/optimise.hpp"
#include "ir/verify.hpp"
#include "runtime/backend.hpp"
#include "seiche/error.hpp"
#include "support/fma.hpp"

namespace seiche::exec {

namespace {

constexpr std::size_t trials = 8, columns = 4;
/// From this trial on something is denormal.
constexpr std::size_t first_denormal = 6;

ExactnessTrials make_trials() {
    const double one_up = 1 + 0x1p-52, one_down = 1 - 0x1p-53;
    const double a[trials] = {one_up, 1, 1, -one_up, 1.0 / 3, 0x1p+60, 0x1.8p-1022, 0x1.8000000000001p-500};
    const double b[trials] = {one_up,  0x1p-53, 0x1.0000000000001p-53, one_down, 3,
                              1.0 / 7, 0.625,   0x1.4000000000001p-500};
    ExactnessTrials made;
    made.operands.insert(made.operands.end(), a, a + trials);
    made.operands.insert(made.operands.end(), b, b + trials);
    made.results.resize(columns * trials);
    for (std::size_t i = 0; i < trials; ++i) {
        const double s = a[i] + b[i], c = s - a[i], p = a[i] * b[i];
        const double row[columns] = {s, (a[i] - (s - c)) + (b[i] - c), p, support::fma(a[i], b[i], -p)};
        for (std::size_t k = 0; k < columns; ++k) made.results[k * trials + i] = row[k];
    }
    return made;
}

bool is_same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

}  // namespace

const ExactnessTrials& exactness_trials() {
    static const ExactnessTrials made = make_trials();
    return made;
}

ir::Kernel exactness_kernel(unsigned lanes) {
    ir::Builder build("exactness");
    build.make_exact(true);
    const auto in = build.buffer({"in", ir::Scalar::f64, ir::Access::read, false, false});
    const auto out = build.buffer({"out", ir::Scalar::f64, ir::Access::write, false, false});
    const ir::Type type(ir::Scalar::f64, lanes);
    for (std::size_t first = 0; first < trials; first += lanes) {
        const auto at = [&](std::size_t column) { return build.integer(ir::Scalar::u64, column * trials + first); };
        const ir::Value a = build.global_load(in, at(0), type), b = build.global_load(in, at(1), type);
        const ir::Value s = a + b, c = s - a, p = a * b;
        build.global_store(out, at(0), s);
        build.global_store(out, at(1), (a - (s - c)) + (b - c));
        build.global_store(out, at(2), p);
        build.global_store(out, at(3), build.fma(a, b, -p));
    }
    ir::Kernel kernel = ir::optimise(build.finish());
    ir::verify(kernel);
    return kernel;
}

std::string exactness_fault(const std::vector<double>& results) {
    const std::vector<double>& expected = exactness_trials().results;
    const auto differs = [&](std::size_t column, std::size_t from, std::size_t to) {
        for (std::size_t i = column * trials + from; i < column * trials + to; ++i) {
            if (!is_same(results[i], expected[i])) return true;
        }
        return false;
    };
    if (differs(0, 0, first_denormal) || differs(2, 0, first_denormal))
        return "does not round its sums and products once, to nearest";
    if (differs(1, 0, first_denormal)) return "does not keep to the order of its sums";
    if (differs(3, 0, first_denormal)) return "rounds its fused multiply-adds twice";
    for (std::size_t column = 0; column < columns; ++column) {
        if (differs(column, first_denormal, trials)) return "flushes denormals to zero";
    }
    return {};
}

void require_exact_fp64(const Device& device) {
    runtime::Device& backend = *device.impl();
    const bool is_simd = device.limits().vectors == Vectors::explicit_simd;
    const auto kernel = std::make_shared<ir::Kernel>(exactness_kernel(is_simd ? 4 : 1));
    const auto module = runtime::compile_cached(device.impl(), emit::emit(kernel, backend.target())).module;
    const ExactnessTrials& all = exactness_trials();
    std::vector<double> results(all.results.size());
    const std::size_t in_bytes = all.operands.size() * sizeof(double), out_bytes = results.size() * sizeof(double);
    const auto in = backend.allocate(in_bytes), out = backend.allocate(out_bytes);
    const runtime::BufferArgument buffers[] = {{in.get(), 0}, {out.get(), 0}};
    runtime::Launch launch;
    launch.module = module.get();
    launch.buffers = buffers;
    launch.buffer_count = std::size(buffers);
    backend.use_queue([&](runtime::Queue& queue) {
        queue.upload(*in, 0, all.operands.data(), in_bytes);
        queue.launch(launch);
        queue.download(results.data(), *out, 0, out_bytes);
    });
    const std::string fault = exactness_fault(results);
    if (!fault.empty())
        throw Unsupported("f64x2 on " + device.info().name + ": expected exact fp64, but the device " + fault);
}

}  // namespace seiche::exec

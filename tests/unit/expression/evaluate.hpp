// How the tests of this folder run a stage: one group of threads in the interpreter, thread t has point t of one array.
#pragma once

#include <complex>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "expression/compile.hpp"
#include "ir/interpret.hpp"
#include "ir/verify.hpp"

namespace seiche::test {

inline constexpr std::uint32_t points = 64;

/// Bytes of a buffer's elements.
template <class T>
std::vector<std::byte> bytes(const std::vector<T>& values) {
    std::vector<std::byte> result(values.size() * sizeof(T));
    std::memcpy(result.data(), values.data(), result.size());
    return result;
}
template <class T>
std::vector<T> values(const std::vector<std::byte>& memory) {
    std::vector<T> result(memory.size() / sizeof(T));
    std::memcpy(result.data(), memory.data(), memory.size());
    return result;
}

struct Evaluation {
    UserStage stage;
    expression::Side side = expression::Side::load;
    std::vector<std::vector<std::byte>> buffers;  ///< The stage's, in order; stored ones are written back.
    std::vector<std::uint64_t> scalars;           ///< One word each, as a launch takes them.
    std::vector<std::complex<double>> input;      ///< `points` of them; empty: 0, 1, 2, ...
    std::uint64_t batch = 0;                      ///< The array's number.
};

/// The results in the given precision (of T), widened.
template <class T>
std::vector<std::complex<double>> evaluate(Evaluation& e) {
    using namespace ir;
    expression::Context context{"stage", e.side, {points}, e.batch + 1};
    const expression::Program program = expression::check(e.stage, context);
    Builder build("stage");
    build.kernel().launch.group = {points, 1, 1};
    const Type real(sizeof(T) == 4 ? Scalar::f32 : Scalar::f64), complex = real.with_lanes(2);
    const auto in = build.buffer({"in", complex, Access::read}), out = build.buffer({"out", complex, Access::write});
    expression::Inputs inputs;
    for (std::size_t i = 0; i < program.buffers.size(); ++i)
        inputs.buffers.push_back(
            build.buffer({"stage_" + program.buffers[i].name, expression::scalar_type(program.buffers[i].type),
                          program.written[i] ? Access::write : Access::read}));
    for (const StageScalar& scalar : program.scalars)
        inputs.scalars.push_back(build.scalar("stage_" + scalar.name, expression::scalar_type(scalar.type)));
    const Value thread = build.thread_id(), at = build.convert(thread, Scalar::u64);
    const Value point = build.global_load(in, at, complex);
    inputs.value = {build.extract(point, 0), build.extract(point, 1)};
    inputs.indices = {thread};
    inputs.batch = build.integer(Scalar::u32, e.batch);
    const Complex result = expression::compile(build, program, inputs);
    if (result.re) build.global_store(out, at, build.compose({result.re, result.im}));
    const Kernel kernel = build.finish();
    verify(kernel);

    std::vector<std::complex<T>> x(points), y(points);
    for (std::uint32_t i = 0; i < points; ++i)
        x[i] = e.input.empty() ? std::complex<T>(static_cast<T>(i)) : std::complex<T>(e.input[i]);
    Launch launch;
    launch.buffers = {{reinterpret_cast<std::byte*>(x.data()), points * sizeof x[0]},
                      {reinterpret_cast<std::byte*>(y.data()), points * sizeof y[0]}};
    for (auto& buffer : e.buffers) launch.buffers.push_back({buffer.data(), buffer.size()});
    launch.scalars = e.scalars;
    interpret(kernel, launch);
    return {y.begin(), y.end()};
}

}  // namespace seiche::test

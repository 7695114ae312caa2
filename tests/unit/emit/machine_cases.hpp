// Kernels and their operands that machine code of every target is tested with, beside the interpreter.
#pragma once

#include <cstring>
#include <random>

#include "every_op.hpp"
#include "run_kernel.hpp"
#include "seiche/device.hpp"

namespace seiche::test {

/// A kernel and what it begins with.
struct KernelCase {
    ir::Kernel kernel;
    KernelRun start;
};

template <class T, class Make>
Bytes fill(std::size_t count, Make&& make) {
    Bytes bytes(count * sizeof(T));
    for (std::size_t i = 0; i < count; ++i) {
        const T value = static_cast<T>(make());
        std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
    }
    return bytes;
}

Bytes floats(std::size_t count, unsigned seed);

/// Operands of every_op for 37 groups.
KernelRun start_of_ops(const EveryOp& ops, ir::Type type);
/// Expects the same bits; of what is rounded once or twice and of elementary functions, numbers close by.
void expect_same_ops(const EveryOp& ops, const KernelRun& want, const KernelRun& got);

/// Of an access and of a choice: one comparison, two, more, of either sign, and booleans that are no comparison.
KernelCase predicates_of_every_kind();
/// Integers and numbers that an instruction takes as they are, or does not.
KernelCase integers_and_constants();
/// The part of an array that an access names, where its predicate does not hold, is any number.
KernelCase parts_that_are_not_there();
KernelCase bundle_with_loop();
/// Infinities, zeros of either sign, what is not a number, numbers between and beyond integers: compared, chosen from,
/// rounded, made integers.
KernelCase special_numbers(ir::Type type);
/// All halves that are numbers, and numbers between, beyond and below them.
std::vector<KernelCase> halves();
/// Accesses far behind what they begin at, in buffers, shared and private arrays, by indices of several terms.
KernelCase far_addresses();

/// The first of a forward transform on a processor with these vectors.
ir::Kernel first_kernel(const char* problem, unsigned vector_bytes);
KernelRun start_of(const ir::Kernel& kernel, std::size_t count = std::size_t{1} << 21);

}  // namespace seiche::test

// The builder: makes kernels from expressions that read like the mathematics, folding and numbering values as it goes.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/bounds.hpp"
#include "ir/kernel.hpp"
#include "seiche/double_double.hpp"

namespace seiche::ir {

class Builder;

/// A value of a kernel under construction. Arithmetic on values appends to the builder's kernel.
class Value {
public:
    Value() = default;
    Value(Builder* builder, ValueId id) : builder_(builder), id_(id) {}
    ValueId id() const { return id_; }
    Builder& builder() const { return *builder_; }
    Type type() const;
    explicit operator bool() const { return id_ != no_value; }

private:
    Builder* builder_ = nullptr;
    ValueId id_ = no_value;
};

Value operator+(Value a, Value b);
Value operator-(Value a, Value b);
Value operator*(Value a, Value b);
Value operator/(Value a, Value b);
Value operator%(Value a, Value b);
Value operator&(Value a, Value b);
Value operator|(Value a, Value b);
Value operator^(Value a, Value b);
Value operator<<(Value a, unsigned bits);
Value operator>>(Value a, unsigned bits);
Value operator-(Value a);
/// With an integer or floating constant of the value's type.
Value operator+(Value a, double b);
Value operator-(Value a, double b);
Value operator*(Value a, double b);
Value operator+(Value a, std::uint64_t b);
Value operator*(Value a, std::uint64_t b);
Value operator/(Value a, std::uint64_t b);
Value operator%(Value a, std::uint64_t b);
Value operator&(Value a, std::uint64_t b);

/// A complex number is a pair of values at the builder's level only.
struct Complex {
    Value re, im;
};
Complex operator+(Complex a, Complex b);
Complex operator-(Complex a, Complex b);
Complex operator*(Complex a, Complex b);
Complex operator*(Complex a, Value b);
Complex operator-(Complex a);
Complex conj(Complex a);
Complex times_i(Complex a);  ///< i a
Complex swap(Complex a);     ///< imaginary and real part exchanged

class Builder {
public:
    explicit Builder(std::string name);
    Builder(const Builder&) = delete;
    Builder& operator=(const Builder&) = delete;

    Kernel& kernel() { return kernel_; }
    /// The finished kernel; the builder is empty afterwards. Throws InternalError if a bracket is open, or if groups
    /// have another size than bound_threads() was told.
    Kernel finish();

    /// Groups have so many threads in each dimension: sets LaunchAttributes::group. Index arithmetic is folded from
    /// then on by what thread ids, and values made of them, can be. Throws InternalError where they had another size.
    void bound_threads(std::uint32_t x, std::uint32_t y = 1, std::uint32_t z = 1);
    /// Products of sums stay as they are, where what many share would stand in registers.
    void keep_products() { folds_products_ = false; }

    // Symbols
    std::uint32_t buffer(const BufferParameter& parameter);
    Value scalar(const std::string& name, Type type);
    std::uint32_t shared_array(const std::string& name, Type element, std::uint32_t count);
    std::uint32_t private_array(const std::string& name, Type element, std::uint32_t count);

    // Leaves
    Value constant(Type type, double value);        ///< Rounded once to the type.
    Value constant(Type type, DoubleDouble value);  ///< Its double, but of a dd the whole.
    Value integer(Type type, std::uint64_t value);
    Value boolean(bool value);
    Complex complex_constant(Type type, double re, double im);
    Value group_id(unsigned dimension = 0);
    Value group_count(unsigned dimension = 0);
    Value thread_id(unsigned dimension = 0);
    Value cluster_rank();

    /// Whether floating sums, products, quotients and fmas made from now on are exact: never contracted or
    /// reassociated. They are not at first.
    void make_exact(bool is_exact) { makes_exact_ = is_exact; }

    // Any pure op, folded and numbered.
    Value pure(Op op, Type type, std::initializer_list<Value> operands, std::uint64_t immediate = 0);
    Value unary(Op op, Value a);
    Value binary(Op op, Value a, Value b);
    Value compare(Op op, Value a, Value b);
    Value less(Value a, Value b) { return compare(Op::less, a, b); }
    Value select(Value condition, Value a, Value b);
    Value fma(Value a, Value b, Value c);
    Value mad(Value a, Value b, Value c);
    Value convert(Value a, Scalar to);
    Value splat(Value a, unsigned lanes);
    Value extract(Value a, unsigned lane);
    Value compose(std::initializer_list<Value> parts);
    Value shuffle(Value a, Value b, const std::vector<unsigned>& lanes);

    // Memory. A missing predicate means always.
    Value global_load(std::uint32_t buffer, Value index, Type type, Value predicate = {});
    void global_store(std::uint32_t buffer, Value index, Value value, Value predicate = {});
    Value shared_load(std::uint32_t array, Value index, Type type, Value predicate = {});
    void shared_store(std::uint32_t array, Value index, Value value, Value predicate = {});
    Value private_load(std::uint32_t array, Value index, Type type);
    void private_store(std::uint32_t array, Value index, Value value);
    /// The number of a function among the kernel's.
    std::uint32_t external_function(const ExternalFunction& function);
    /// `pointer` (u64) is what the function gets beside the buffer's address and the index.
    Value call_load(std::uint32_t function, std::uint32_t buffer, Value index, Value pointer, Type type,
                    Value predicate = {});
    void call_store(std::uint32_t function, std::uint32_t buffer, Value index, Value value, Value pointer,
                    Value predicate = {});
    void cluster_store(Value rank, std::uint32_t array, Value index, Value value, Value predicate = {});
    void group_barrier();
    void cluster_barrier();
    /// Ahead of cluster_stores that cluster_arrivals counts.
    void cluster_ready();
    /// Until so many bytes that cluster_stores stored since cluster_ready are in this group's memory.
    void cluster_arrivals(std::uint64_t bytes);
    void subgroup_barrier();
    /// The value that the thread whose lane differs by the bits of `mask` (u32) has; all threads of the subgroup ask.
    Value subgroup_shuffle_xor(Value value, Value mask);
    /// Of so many neighbouring threads: a half, a quarter or an eighth of a group of one dimension, whole subgroups.
    void part_barrier(std::uint32_t threads);

    // Between the groups of one launch (builder_groups.cpp; the rules are in ops.def). Counters are elements of a
    // buffer of u32 that is read and written; they are zero when the launch begins.

    /// The thread's number in its group, dimension 0 fastest. u32.
    Value thread_in_group();
    /// A number for the group, from 0 on in the order in which groups begin, whatever their ids (Merrill & Garland,
    /// "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016): one thread adds 1 to the counter, and tells
    /// the others through shared memory. u32, the same for all threads of the group. A group that takes its work by its
    /// ticket may wait for all work of lower ones. Called again, all threads must have met since. Groups of a cluster,
    /// whose size is set before, get neighbouring tickets in the order of their ranks: one of them draws for all.
    Value take_ticket(std::uint32_t counters, Value index);
    /// Adds 1 to a counter when all threads of the group have done what is before it, whose stores to global memory
    /// those can see who have waited for the sum. The first `threads` threads do so, each for its own index.
    void signal(std::uint32_t counters, Value index, unsigned threads = 1);
    /// Until the counter has reached `least` (u32): see wait_until.
    void wait_until(std::uint32_t counters, Value index, Value least);

    // Any op with an effect, as it is.
    Value effect(const Instruction& instruction);

    // Brackets. The counter of the loop is returned.
    Value begin_loop(Value begin, Value end, Value step);
    void end_loop();
    void begin_if(Value condition);
    void begin_else();
    void end_if();

    const Instruction& instruction(Value v) const { return kernel_.code[v.id()]; }
    bool is_constant(Value v) const { return instruction(v).op == Op::constant; }
    /// The constant's value as a double (floats) or integer.
    double float_value(Value v) const;
    std::uint64_t integer_value(Value v) const { return instruction(v).immediate; }

private:
    struct Hash {
        std::size_t operator()(const Instruction& i) const;
    };
    Value append(const Instruction& instruction);
    Value number(const Instruction& instruction);
    Value fold(Op op, Type type, Value a, Value b, Value c);
    Value fold_binary(Op op, Type type, Value a, Value b);
    Value fold_float(Op op, Type type, Value a, Value b);
    Value fold_integer(Op op, Type type, Value a, Value b);
    Value fold_mad(Op op, Type type, Value a, Value b, Value c);
    Value fold_bounded(Op op, Type type, Value a, Value b);
    Value fold_product(Value a, std::uint64_t k);
    Value fold_difference(std::uint64_t c, Value b);
    Value fold_mask(Value a, std::uint64_t mask);
    Value fold_quotient(Op op, Value a, std::uint64_t d);
    Value quotient_of_multiple(Value v, std::uint64_t d);
    bool are_threads_bounded() const { return threads_[0] != 0; }
    Bounds bounds(Value v);
    void open_scope();
    void close_scope();

    Kernel kernel_;
    bool makes_exact_ = false;
    std::array<std::uint32_t, 3> threads_{};  // of a group; 0: not said
    bool folds_products_ = true;
    std::vector<Bounds> bounds_;  // of the first values
    std::unordered_map<Instruction, ValueId, Hash> known_;
    std::vector<std::vector<Instruction>> scopes_;  // what each open bracket added to known_
};

}  // namespace seiche::ir

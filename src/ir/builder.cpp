// The builder's construction of instructions, brackets and complex arithmetic; its folding rules are in fold.cpp.
#include "ir/builder.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

#include "ir/round.hpp"
#include "seiche/error.hpp"

namespace seiche::ir {

namespace {

bool can_be_contracted(Op op) {
    return op == Op::add || op == Op::sub || op == Op::mul || op == Op::div || op == Op::fma;
}

}  // namespace

Type Value::type() const { return builder_->instruction(*this).type; }

std::size_t Builder::Hash::operator()(const Instruction& i) const {
    std::uint64_t h = 0xcbf29ce484222325ull;
    const auto mix = [&h](std::uint64_t word) {
        h ^= word;
        h *= 0x9e3779b97f4a7c15ull;
        h ^= h >> 29;
    };
    mix(static_cast<std::uint64_t>(i.op) | static_cast<std::uint64_t>(i.type.scalar) << 8 |
        std::uint64_t{i.type.lanes} << 16 | std::uint64_t{i.exact} << 24 | std::uint64_t{i.symbol} << 32);
    for (const ValueId operand : i.operands) mix(operand);
    mix(i.immediate);
    return static_cast<std::size_t>(h);
}

Builder::Builder(std::string name) { kernel_.name = std::move(name); }

Kernel Builder::finish() {
    if (!scopes_.empty()) throw InternalError("ir: kernel '" + kernel_.name + "' was finished with an open bracket");
    if (are_threads_bounded() && kernel_.launch.group != threads_)
        throw InternalError("ir: kernel '" + kernel_.name + "' was begun for groups of another size");
    known_.clear();
    threads_ = {};
    bounds_.clear();
    return std::exchange(kernel_, {});
}

Value Builder::append(const Instruction& instruction) {
    kernel_.code.push_back(instruction);
    return {this, static_cast<ValueId>(kernel_.code.size() - 1)};
}

Value Builder::number(const Instruction& instruction) {
    const auto [where, is_new] = known_.try_emplace(instruction, static_cast<ValueId>(kernel_.code.size()));
    if (!is_new) return {this, where->second};
    if (!scopes_.empty()) scopes_.back().push_back(instruction);
    return append(instruction);
}

std::uint32_t Builder::buffer(const BufferParameter& parameter) {
    kernel_.buffers.push_back(parameter);
    return static_cast<std::uint32_t>(kernel_.buffers.size() - 1);
}

Value Builder::scalar(const std::string& name, Type type) {
    kernel_.scalars.push_back({name, type});
    Instruction i;
    i.op = Op::parameter;
    i.type = type;
    i.immediate = kernel_.scalars.size() - 1;
    return number(i);
}

std::uint32_t Builder::shared_array(const std::string& name, Type element, std::uint32_t count) {
    kernel_.shared.push_back({name, element, count});
    return static_cast<std::uint32_t>(kernel_.shared.size() - 1);
}

std::uint32_t Builder::private_array(const std::string& name, Type element, std::uint32_t count) {
    kernel_.privates.push_back({name, element, count});
    return static_cast<std::uint32_t>(kernel_.privates.size() - 1);
}

Value Builder::constant(Type type, double value) {
    if (!type.is_float()) return integer(type, static_cast<std::uint64_t>(value));
    if (type.scalar == Scalar::f32) value = static_cast<double>(static_cast<float>(value));
    if (type.scalar == Scalar::f16) value = static_cast<double>(round_to_f16(value));
    Instruction i;
    i.op = Op::constant;
    i.type = type;
    i.immediate = std::bit_cast<std::uint64_t>(value);
    return number(i);
}

Value Builder::constant(Type type, DoubleDouble value) {
    if (type.scalar != Scalar::dd || value.lo == 0) return constant(type, value.hi);
    const Value parts = compose({constant(Scalar::f64, value.hi), constant(Scalar::f64, value.lo)});
    return splat(pure(Op::bitcast, Scalar::dd, {parts}), type.lanes);
}

Value Builder::integer(Type type, std::uint64_t value) {
    if (type.is_float()) return constant(type, static_cast<double>(value));
    if (type.scalar == Scalar::u32 || type.scalar == Scalar::i32) value &= 0xffffffffu;
    Instruction i;
    i.op = Op::constant;
    i.type = type;
    i.immediate = value;
    return number(i);
}

Value Builder::boolean(bool value) { return integer(Scalar::boolean, value ? 1 : 0); }

Complex Builder::complex_constant(Type type, double re, double im) { return {constant(type, re), constant(type, im)}; }

double Builder::float_value(Value v) const { return std::bit_cast<double>(instruction(v).immediate); }

Value Builder::group_id(unsigned dimension) { return pure(Op::group_id, Scalar::u32, {}, dimension); }
Value Builder::group_count(unsigned dimension) { return pure(Op::group_count, Scalar::u32, {}, dimension); }
Value Builder::thread_id(unsigned dimension) { return pure(Op::thread_id, Scalar::u32, {}, dimension); }
Value Builder::cluster_rank() { return pure(Op::cluster_rank, Scalar::u32, {}); }

Value Builder::pure(Op op, Type type, std::initializer_list<Value> operands, std::uint64_t immediate) {
    Instruction i;
    i.op = op;
    i.type = type;
    i.exact = makes_exact_ && type.is_float() && can_be_contracted(op);
    i.immediate = immediate;
    std::size_t count = 0;
    for (const Value v : operands) i.operands[count++] = v.id();
    return number(i);
}

Value Builder::unary(Op op, Value a) {
    if (const Value folded = fold(op, a.type(), a, {}, {})) return folded;
    return pure(op, a.type(), {a});
}

Value Builder::binary(Op op, Value a, Value b) {
    assert(a.type() == b.type());
    if (const Value folded = fold(op, a.type(), a, b, {})) return folded;
    return pure(op, a.type(), {a, b});
}

Value Builder::compare(Op op, Value a, Value b) {
    const Type type{Scalar::boolean, a.type().lanes};
    if (const Value folded = fold(op, type, a, b, {})) return folded;
    return pure(op, type, {a, b});
}

Value Builder::select(Value condition, Value a, Value b) {
    if (is_constant(condition)) return integer_value(condition) != 0 ? a : b;
    if (a.id() == b.id()) return a;
    return pure(Op::select, a.type(), {condition, a, b});
}

Value Builder::fma(Value a, Value b, Value c) {
    if (const Value folded = fold(Op::fma, a.type(), a, b, c)) return folded;
    return pure(Op::fma, a.type(), {a, b, c});
}

Value Builder::mad(Value a, Value b, Value c) {
    if (const Value folded = fold(Op::mad, a.type(), a, b, c)) return folded;
    return pure(Op::mad, a.type(), {a, b, c});
}

Value Builder::convert(Value a, Scalar to) {
    const Type type{to, a.type().lanes};
    if (type == a.type()) return a;
    if (is_constant(a) && a.type().is_integer() && type.is_integer()) return integer(type, integer_value(a));
    if (is_constant(a) && a.type().is_float() && type.is_float()) return constant(type, float_value(a));
    return pure(Op::convert, type, {a});
}

Value Builder::splat(Value a, unsigned lanes) {
    if (lanes == 1) return a;
    const Type type = a.type().with_lanes(lanes);
    if (is_constant(a)) {
        Instruction i = instruction(a);
        i.type = type;
        return number(i);
    }
    return pure(Op::splat, type, {a});
}

Value Builder::extract(Value a, unsigned lane) {
    if (!a.type().is_vector()) return a;
    const Instruction& made = instruction(a);
    const Type type = a.type().with_lanes(1);
    if (made.op == Op::constant) {
        Instruction i = made;
        i.type = type;
        return number(i);
    }
    if (made.op == Op::splat) return {this, made.operands[0]};
    if (made.op == Op::compose) {
        unsigned first = 0;
        for (const ValueId part : made.operands) {
            const unsigned lanes = kernel_.code[part].type.lanes;
            if (lane < first + lanes) return extract({this, part}, lane - first);
            first += lanes;
        }
    }
    return pure(Op::extract, type, {a}, lane);
}

Value Builder::compose(std::initializer_list<Value> parts) {
    unsigned lanes = 0;
    for (const Value part : parts) lanes += part.type().lanes;
    const Type type = parts.begin()->type().with_lanes(lanes);
    if (parts.size() == 1) return *parts.begin();
    return pure(Op::compose, type, parts);
}

Value Builder::shuffle(Value a, Value b, const std::vector<unsigned>& lanes) {
    Pattern pattern{};
    bool identity = lanes.size() == a.type().lanes;
    for (std::size_t k = 0; k < lanes.size(); ++k) {
        pattern[k] = static_cast<std::uint8_t>(lanes[k]);
        identity = identity && lanes[k] == k;
    }
    if (identity) return a;
    std::size_t index = 0;
    while (index < kernel_.patterns.size() && kernel_.patterns[index] != pattern) ++index;
    if (index == kernel_.patterns.size()) kernel_.patterns.push_back(pattern);
    const Type type = a.type().with_lanes(static_cast<unsigned>(lanes.size()));
    if (!b) return pure(Op::shuffle, type, {a}, index);
    return pure(Op::shuffle, type, {a, b}, index);
}

namespace {

Instruction access(Op op, std::uint32_t symbol, Type type, std::initializer_list<Value> operands) {
    Instruction i;
    i.op = op;
    i.type = type;
    i.symbol = symbol;
    std::size_t count = 0;
    for (const Value v : operands) i.operands[count++] = v.id();
    return i;
}

/// A predicate that is true is none.
Value unless_true(Value predicate) {
    if (!predicate) return predicate;
    const Builder& build = predicate.builder();
    return build.is_constant(predicate) && build.integer_value(predicate) != 0 ? Value{} : predicate;
}

}  // namespace

Value Builder::global_load(std::uint32_t buffer, Value index, Type type, Value predicate) {
    const Instruction load = access(Op::global_load, buffer, type, {index, unless_true(predicate)});
    return kernel_.buffers[buffer].table ? number(load) : append(load);  // a table never changes: equal loads are one
}
void Builder::global_store(std::uint32_t buffer, Value index, Value value, Value predicate) {
    append(access(Op::global_store, buffer, value.type(), {index, value, unless_true(predicate)}));
}
std::uint32_t Builder::external_function(const ExternalFunction& function) {
    const auto found = std::find(kernel_.functions.begin(), kernel_.functions.end(), function);
    const auto number = static_cast<std::uint32_t>(found - kernel_.functions.begin());
    if (found == kernel_.functions.end()) kernel_.functions.push_back(function);
    return number;
}
Value Builder::call_load(std::uint32_t function, std::uint32_t buffer, Value index, Value pointer, Type type,
                         Value predicate) {
    Instruction call = access(Op::call_load, buffer, type, {index, pointer, unless_true(predicate)});
    call.immediate = function;
    return append(call);
}
void Builder::call_store(std::uint32_t function, std::uint32_t buffer, Value index, Value value, Value pointer,
                         Value predicate) {
    Instruction call = access(Op::call_store, buffer, value.type(), {index, value, pointer, unless_true(predicate)});
    call.immediate = function;
    append(call);
}
Value Builder::shared_load(std::uint32_t array, Value index, Type type, Value predicate) {
    return append(access(Op::shared_load, array, type, {index, unless_true(predicate)}));
}
void Builder::shared_store(std::uint32_t array, Value index, Value value, Value predicate) {
    append(access(Op::shared_store, array, value.type(), {index, value, unless_true(predicate)}));
}
Value Builder::private_load(std::uint32_t array, Value index, Type type) {
    return append(access(Op::private_load, array, type, {index}));
}
void Builder::private_store(std::uint32_t array, Value index, Value value) {
    append(access(Op::private_store, array, value.type(), {index, value}));
}

Value Builder::effect(const Instruction& instruction) { return append(instruction); }

void Builder::cluster_store(Value rank, std::uint32_t array, Value index, Value value, Value predicate) {
    append(access(Op::cluster_store, array, value.type(), {rank, index, value, unless_true(predicate)}));
}

void Builder::group_barrier() { append(access(Op::group_barrier, 0, {}, {})); }
void Builder::cluster_barrier() { append(access(Op::cluster_barrier, 0, {}, {})); }
void Builder::cluster_ready() { append(access(Op::cluster_ready, 0, {}, {})); }

void Builder::cluster_arrivals(std::uint64_t bytes) {
    constexpr const char* name = "arrivals";
    std::uint32_t shared = 0;
    while (shared < kernel_.shared.size() && kernel_.shared[shared].name != name) ++shared;
    if (shared == kernel_.shared.size()) shared_array(name, Scalar::u64, 1);
    Instruction wait = access(Op::cluster_arrivals, shared, {}, {});
    wait.immediate = bytes;
    append(wait);
}

void Builder::subgroup_barrier() { append(access(Op::subgroup_barrier, 0, {}, {})); }
Value Builder::subgroup_shuffle_xor(Value value, Value mask) {
    Instruction i;
    i.op = Op::subgroup_shuffle_xor;
    i.type = value.type();
    i.operands = {value.id(), mask.id(), no_value, no_value};
    return effect(i);
}
void Builder::part_barrier(std::uint32_t threads) {
    Instruction barrier = access(Op::part_barrier, 0, {}, {});
    barrier.immediate = threads;
    append(barrier);
}

void Builder::open_scope() { scopes_.emplace_back(); }

void Builder::close_scope() {
    for (const Instruction& i : scopes_.back()) known_.erase(i);
    scopes_.pop_back();
}

Value Builder::begin_loop(Value begin, Value end, Value step) {
    const Value counter = append(access(Op::loop_begin, 0, Scalar::u32, {begin, end, step}));
    open_scope();
    return counter;
}
void Builder::end_loop() {
    close_scope();
    append(access(Op::loop_end, 0, {}, {}));
}
void Builder::begin_if(Value condition) {
    append(access(Op::if_begin, 0, {}, {condition}));
    open_scope();
}
void Builder::begin_else() {
    close_scope();
    append(access(Op::if_else, 0, {}, {}));
    open_scope();
}
void Builder::end_if() {
    close_scope();
    append(access(Op::if_end, 0, {}, {}));
}

Value operator+(Value a, Value b) { return a.builder().binary(Op::add, a, b); }
Value operator-(Value a, Value b) { return a.builder().binary(Op::sub, a, b); }
Value operator*(Value a, Value b) { return a.builder().binary(Op::mul, a, b); }
Value operator/(Value a, Value b) { return a.builder().binary(Op::div, a, b); }
Value operator%(Value a, Value b) { return a.builder().binary(Op::mod, a, b); }
Value operator&(Value a, Value b) { return a.builder().binary(Op::bit_and, a, b); }
Value operator|(Value a, Value b) { return a.builder().binary(Op::bit_or, a, b); }
Value operator^(Value a, Value b) { return a.builder().binary(Op::bit_xor, a, b); }
Value operator<<(Value a, unsigned bits) {
    return a.builder().binary(Op::shift_left, a, a.builder().integer(a.type(), bits));
}
Value operator>>(Value a, unsigned bits) {
    return a.builder().binary(Op::shift_right, a, a.builder().integer(a.type(), bits));
}
Value operator-(Value a) { return a.builder().unary(Op::neg, a); }
Value operator+(Value a, double b) { return a + a.builder().constant(a.type(), b); }
Value operator-(Value a, double b) { return a - a.builder().constant(a.type(), b); }
Value operator*(Value a, double b) { return a * a.builder().constant(a.type(), b); }
Value operator+(Value a, std::uint64_t b) { return a + a.builder().integer(a.type(), b); }
Value operator*(Value a, std::uint64_t b) { return a * a.builder().integer(a.type(), b); }
Value operator/(Value a, std::uint64_t b) { return a / a.builder().integer(a.type(), b); }
Value operator%(Value a, std::uint64_t b) { return a % a.builder().integer(a.type(), b); }
Value operator&(Value a, std::uint64_t b) { return a & a.builder().integer(a.type(), b); }

Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
Complex operator*(Complex a, Complex b) {
    Builder& build = a.re.builder();
    return {build.mad(a.re, b.re, -(a.im * b.im)), build.mad(a.re, b.im, a.im * b.re)};
}
Complex operator*(Complex a, Value b) { return {a.re * b, a.im * b}; }
Complex operator-(Complex a) { return {-a.re, -a.im}; }
Complex conj(Complex a) { return {a.re, -a.im}; }
Complex times_i(Complex a) { return {-a.im, a.re}; }
Complex swap(Complex a) { return {a.im, a.re}; }

}  // namespace seiche::ir

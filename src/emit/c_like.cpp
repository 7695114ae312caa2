// The printer that the C-family dialects share.
#include "emit/c_like.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>

#include "emit/guarded_run.hpp"
#include "seiche/error.hpp"
#include "seiche/half.hpp"

namespace seiche::emit {

using ir::Instruction;
using ir::Op;
using ir::OpKind;
using ir::Scalar;
using ir::Type;
using ir::ValueId;

namespace {

template <class Float>
std::string shortest(Float value) {
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    std::string result(text.data(), end);
    if (result.find_first_of(".e") == std::string::npos) result += ".0";
    return result;
}

/// A bit pattern of 16 bits.
std::string hexadecimal(std::uint16_t bits) {
    std::array<char, 8> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), bits, 16).ptr;
    return "0x" + std::string(text.data(), end);
}

std::string bracketed_if_negative(std::string text) { return text.starts_with('-') ? "(" + text + ")" : text; }

}  // namespace

std::string operator_text(Op op) {
    switch (op) {
        case Op::add: return "+";
        case Op::sub: return "-";
        case Op::mul: return "*";
        case Op::div: return "/";
        case Op::mod: return "%";
        case Op::bit_and: return "&";
        case Op::bit_or: return "|";
        case Op::bit_xor: return "^";
        case Op::shift_left: return "<<";
        case Op::shift_right: return ">>";
        case Op::equal: return "==";
        case Op::not_equal: return "!=";
        case Op::less: return "<";
        case Op::less_equal: return "<=";
        default: return {};
    }
}

Writer::Writer(const ir::Kernel& kernel, const Target& target, const CDialect& dialect)
    : kernel_(kernel), target_(target), dialect_(dialect), values_(kernel.code.size()) {
    name_symbols();
    if (dialect.steps_indices) steps_ = find_index_steps(kernel);
}

void Writer::name_symbols() {
    for (const char* word :
         {"thread",   "thread_y",     "thread_z", "group",  "group_y", "group_z", "groups",   "groups_y",
          "groups_z", "cluster_rank", "lane",     "half",   "float",   "double",  "uint",     "ulong",
          "int",      "bool",         "kernel",   "global", "local",   "private", "constant", "if",
          "else",     "for",          "while",    "const",  "u32",     "u64"})
        taken_.insert(word);
    for (const char* const* word = dialect_.reserved; word != nullptr && *word != nullptr; ++word) taken_.insert(*word);
    taken_.insert(kernel_.name);
    for (const ir::ExternalFunction& function : kernel_.functions) taken_.insert(function.symbol);
    for (const auto& buffer : kernel_.buffers) buffers_.push_back(unique(buffer.name));
    for (const auto& scalar : kernel_.scalars) scalars_.push_back(unique(scalar.name));
    for (const auto& image : kernel_.images) images_.push_back(unique(image.name));
    for (const auto& array : kernel_.shared) shared_.push_back(unique(array.name));
    for (const auto& array : kernel_.privates) privates_.push_back(unique(array.name));
}

std::string Writer::unique(const std::string& wanted) {
    std::string name = wanted;
    // v1, p2, i3 are the printer's own.
    const bool numbered = name.size() > 1 && std::string_view("vpi").find(name[0]) != std::string_view::npos &&
                          name.find_first_not_of("0123456789", 1) == std::string::npos;
    if (name.empty() || numbered) name += "_";
    while (!taken_.insert(name).second) name += "_";
    return name;
}

void Writer::line(std::string_view text) {
    body_.append(std::size_t{4} * depth_, ' ');
    body_.append(text);
    body_ += '\n';
}

void Writer::outer_line(std::string_view text) {
    prologue_.append(text);
    prologue_ += '\n';
}

const std::string& Writer::operand(const Instruction& instruction, unsigned k) const {
    const ValueId id = instruction.operands[k];
    if (id >= values_.size() || values_[id].empty())
        throw InternalError("emit: " + kernel_.name + ": operand " + std::to_string(k) + " of " +
                            ir::op_name(instruction.op) + " has no value before it");
    return values_[id];
}

std::string Writer::vector_operand(const Instruction& instruction, unsigned k) const {
    const std::string& text = operand(instruction, k);
    return text.starts_with('(') ? "(" + text + ")" : text;
}

Type Writer::operand_type(const Instruction& instruction, unsigned k) const {
    const Instruction& source = kernel_.code[instruction.operands[k]];
    return source.op == Op::loop_begin ? Type(Scalar::u32) : source.type;
}

void Writer::define(ValueId id, const std::string& expression) {
    const Type type = kernel_.code[id].type;
    values_[id] = (type.scalar == Scalar::boolean ? "p" : "v") + std::to_string(next_value_++);
    const bool exact = kernel_.code[id].exact || kernel_.code[id].op == Op::fma;
    line((exact ? dialect_.exact_qualifier : "") + std::string(dialect_.value_qualifier) + dialect_.type_name(type) +
         " " + values_[id] + " = " + expression + ";");
}

void Writer::declare(ValueId id, const std::string& start) {
    values_[id] = "v" + std::to_string(next_value_++);
    line(dialect_.type_name(kernel_.code[id].type) + " " + values_[id] + " = " + start + ";");
}

void Writer::guarded(const Instruction& instruction, unsigned predicate, const std::string& statement) {
    const bool always = instruction.operands[predicate] == ir::no_value;
    line(always ? statement : "if (" + operand(instruction, predicate) + ") " + statement);
}

std::string Writer::guarded_value(const Instruction& instruction, unsigned predicate,
                                  const std::string& expression) const {
    if (instruction.operands[predicate] == ir::no_value) return expression;
    return operand(instruction, predicate) + " ? " + expression + " : " + zero(instruction.type);
}

void Writer::helper(const std::string& text) {
    if (std::find(helpers_.begin(), helpers_.end(), text) == helpers_.end()) helpers_.push_back(text);
}

bool Writer::uses(Scalar scalar) const {
    const auto has = [&](const auto& symbol) { return symbol.element.scalar == scalar; };
    return std::any_of(kernel_.buffers.begin(), kernel_.buffers.end(), has) ||
           std::any_of(kernel_.shared.begin(), kernel_.shared.end(), has) ||
           std::any_of(kernel_.privates.begin(), kernel_.privates.end(), has) ||
           std::any_of(kernel_.scalars.begin(), kernel_.scalars.end(),
                       [&](const auto& parameter) { return parameter.type.scalar == scalar; }) ||
           std::any_of(kernel_.code.begin(), kernel_.code.end(),
                       [&](const Instruction& i) { return i.type.scalar == scalar; });
}

bool Writer::uses(Op op) const {
    return std::any_of(kernel_.code.begin(), kernel_.code.end(), [&](const Instruction& i) { return i.op == op; });
}

std::string Writer::scalar_literal(Scalar scalar, std::uint64_t bits) const {
    const double value = std::bit_cast<double>(bits);
    const bool single = scalar == Scalar::f32;
    switch (scalar) {
        case Scalar::boolean: return bits != 0 ? "true" : "false";
        case Scalar::i8:
        case Scalar::u8:
        case Scalar::i16:
        case Scalar::u16: return std::to_string(bits);
        case Scalar::i32: return bracketed_if_negative(std::to_string(static_cast<std::int32_t>(bits)));
        case Scalar::u32: return std::to_string(static_cast<std::uint32_t>(bits)) + "u";
        case Scalar::u64: return std::to_string(bits) + dialect_.u64_suffix;
        case Scalar::f32:
        case Scalar::f64: {
            const std::string infinity = single ? dialect_.f32_infinity : dialect_.f64_infinity;
            if (std::isnan(value)) return "(" + infinity + " - " + infinity + ")";
            if (std::isinf(value)) return value < 0 ? "(-" + infinity + ")" : infinity;
            return bracketed_if_negative(single ? shortest(static_cast<float>(value)) + "f" : shortest(value));
        }
        case Scalar::f16:
            if (value == 0.0) return std::signbit(value) ? "0x8000" : "0";
            return hexadecimal(to_f16(static_cast<float>(value)));
        case Scalar::bf16:
            if (value == 0.0) return "0";
            throw Unsupported(std::string(dialect_.name) + ": kernel " + kernel_.name +
                              ": half precision is for storage only, but there is a constant of that type");
        case Scalar::dd:
        case Scalar::none: break;
    }
    throw InternalError("emit: " + kernel_.name + ": a constant without a type");
}

std::string Writer::literal(Type type, std::uint64_t bits) const {
    if (dialect_.constant != nullptr)
        if (std::string own = dialect_.constant(type, bits); !own.empty()) return own;
    const std::string scalar = scalar_literal(type.scalar, bits);
    return type.is_vector() ? "(" + dialect_.type_name(type) + ")(" + scalar + ")" : scalar;
}

std::string Writer::zero(Type type) const {
    if (!type.is_vector() || dialect_.native_vectors || dialect_.constant != nullptr) return literal(type, 0);
    std::string text = "make_" + dialect_.type_name(type) + "(";
    for (unsigned lane = 0; lane < type.lanes; ++lane) text += (lane != 0 ? ", " : "") + literal(type.scalar, 0);
    return text + ")";
}

std::string Writer::pointer_of(const std::string& part, std::uint32_t first, std::uint32_t last,
                               std::uint32_t symbol) const {
    if (last - first == 1) return buffers_[symbol + first];
    const std::uint32_t middle = (first + last) / 2;
    return "(" + part + " < " + std::to_string(middle) + "u ? " + pointer_of(part, first, middle, symbol) + " : " +
           pointer_of(part, middle, last, symbol) + ")";
}

/// Of several that the array lies in, the one that the access names, by halves.
std::string Writer::array_pointer(const Instruction& instruction) const {
    const std::uint32_t symbol = instruction.symbol;
    if (!ir::names_part(instruction)) return buffers_[symbol];
    const std::string& part = operand(instruction, static_cast<unsigned>(ir::part_slot(instruction.op)));
    return pointer_of(part, 0, kernel_.buffers[symbol].parts, symbol);
}

MemoryAccess Writer::global_access(const Instruction& instruction, unsigned index) const {
    const auto& buffer = kernel_.buffers[instruction.symbol];
    return {dialect_.global_space,
            array_pointer(instruction),
            buffer.element,
            operand(instruction, index),
            instruction.type,
            buffer.table,
            buffer.access == ir::Access::read && !buffer.may_alias,
            instruction.hint};
}

MemoryAccess Writer::private_access(const Instruction& instruction, unsigned index) const {
    return {"", privates_[instruction.symbol], kernel_.privates[instruction.symbol].element,
            operand(instruction, index), instruction.type};
}

void Writer::unsupported(const Instruction& instruction, const std::string& why) const {
    throw Unsupported(std::string(dialect_.name) + ": kernel " + kernel_.name + ": cannot express " +
                      ir::op_name(instruction.op) + (why.empty() ? "" : ": " + why));
}

// Ids of threads and groups are declared once at the top, however often and wherever they are asked for.
void Writer::declare_thread(ValueId id, const char* what, std::string (*spelling)(unsigned)) {
    if (is_function_) {
        const Instruction& i = kernel_.code[id];
        if (i.op != Op::thread_id || i.immediate != 0) unsupported(i, "a function knows its lane only");
        return alias(id, "lane");
    }
    static constexpr std::array<const char*, 3> suffixes{"", "_y", "_z"};
    const auto dimension = static_cast<unsigned>(kernel_.code[id].immediate);
    const std::string name = what + std::string(suffixes[dimension]);
    const std::string declaration = "    " + (dialect_.value_qualifier + dialect_.type_name(Scalar::u32)) + " " + name +
                                    " = " + spelling(dimension) + ";";
    if (prologue_.find(declaration) == std::string::npos) outer_line(declaration);
    alias(id, name);
}

void Writer::leaf(ValueId id) {
    const Instruction& i = kernel_.code[id];
    switch (i.op) {
        case Op::constant: alias(id, literal(i.type, i.immediate)); break;
        case Op::parameter: alias(id, scalars_[i.immediate]); break;
        case Op::group_id: declare_thread(id, "group", dialect_.group_id); break;
        case Op::group_count: declare_thread(id, "groups", dialect_.group_count); break;
        case Op::thread_id: declare_thread(id, "thread", dialect_.thread_id); break;
        default: unsupported(i);
    }
}

void Writer::arithmetic(ValueId id) {
    const Instruction& i = kernel_.code[id];
    const std::string& a = operand(i, 0);
    const Scalar scalar = operand_type(i, 0).scalar;
    const bool fused = i.op == Op::mad && target_.fast_fma && i.type.is_float();
    const std::string function = dialect_.function_name(fused ? Op::fma : i.op, scalar);
    const auto call = [&](const std::string& name) {
        std::string text = name + "(" + a;
        for (unsigned k = 1; k < ir::op_operands(i.op); ++k) text += ", " + operand(i, k);
        return text + ")";
    };
    const bool boolean = i.type.scalar == Scalar::boolean && !i.type.is_vector();
    if (!function.empty()) return define(id, call(function));
    switch (i.op) {
        case Op::neg: return define(id, "-" + a);
        case Op::bit_not: return define(id, (boolean ? "!" : "~") + a);
        case Op::mad: return define(id, a + " * " + operand(i, 1) + " + " + operand(i, 2));
        case Op::select: return define(id, a + " ? " + operand(i, 1) + " : " + operand(i, 2));
        case Op::bit_xor:
            if (boolean) return define(id, a + " != " + operand(i, 1));
            break;
        default: break;
    }
    const std::string infix = operator_text(i.op);
    if (infix.empty()) unsupported(i);
    const bool logical = boolean && (i.op == Op::bit_and || i.op == Op::bit_or);
    define(id, a + " " + (logical ? infix + infix : infix) + " " + operand(i, 1));
}

void Writer::lanes(ValueId id) {
    const Instruction& i = kernel_.code[id];
    static constexpr std::string_view digits = "0123456789abcdef";
    if (i.op == Op::splat) return define(id, "(" + dialect_.type_name(i.type) + ")(" + operand(i, 0) + ")");
    if (i.op == Op::extract) return define(id, vector_operand(i, 0) + ".s" + digits[i.immediate]);
    if (i.op != Op::compose) unsupported(i);
    std::string text = "(" + dialect_.type_name(i.type) + ")(" + operand(i, 0);
    for (unsigned k = 1; k < 4 && i.operands[k] != ir::no_value; ++k) text += ", " + operand(i, k);
    define(id, text + ")");
}

void Writer::memory(ValueId id) {
    const Instruction& i = kernel_.code[id];
    switch (i.op) {
        case Op::global_load: return define(id, guarded_value(i, 1, dialect_.load(*this, global_access(i, 0))));
        case Op::shared_load: return define(id, guarded_value(i, 1, dialect_.load(*this, shared_access(i, 0))));
        case Op::private_load: return define(id, dialect_.load(*this, private_access(i, 0)));
        case Op::global_store: return guarded(i, 2, dialect_.store(*this, global_access(i, 0), operand(i, 1)));
        case Op::shared_store: return guarded(i, 2, dialect_.store(*this, shared_access(i, 0), operand(i, 1)));
        case Op::private_store: return line(dialect_.store(*this, private_access(i, 0), operand(i, 1)));
        default: unsupported(i);
    }
}

void Writer::control(ValueId id) {
    const Instruction& i = kernel_.code[id];
    switch (i.op) {
        case Op::loop_begin: {
            const std::string counter = "i" + std::to_string(next_value_++);
            line("for (" + dialect_.type_name(Scalar::u32) + " " + counter + " = " + operand(i, 0) + "; " + counter +
                 " < " + operand(i, 1) + "; " + counter + " += " + operand(i, 2) + ") {");
            alias(id, counter);
            ++depth_;
            return;
        }
        case Op::if_begin:
            line("if (" + operand(i, 0) + ") {");
            ++depth_;
            return;
        case Op::if_else:
            --depth_;
            line("} else {");
            ++depth_;
            return;
        default: --depth_; line("}");
    }
}

void Writer::write(ValueId id) {
    const Instruction& i = kernel_.code[id];
    if (dialect_.steps_indices && steps_.is_idle[id]) return;
    if (dialect_.special(*this, id)) return;
    switch (ir::op_kind(i.op)) {
        case OpKind::leaf: return leaf(id);
        case OpKind::unary:
        case OpKind::binary:
        case OpKind::ternary:
        case OpKind::compare: return arithmetic(id);
        case OpKind::convert: {
            if (widens_step(i)) return define(id, widened_step(i));
            const auto spelling = i.op == Op::convert ? dialect_.convert : dialect_.bitcast;
            return define(id, spelling(*this, operand(i, 0), operand_type(i, 0), i.type));
        }
        case OpKind::lanes: return lanes(id);
        case OpKind::memory: return memory(id);
        case OpKind::control: return control(id);
        default: unsupported(i);
    }
}

std::string Writer::comment() const {
    std::string text;
    for (std::size_t start = 0; start < kernel_.comment.size();) {
        const std::size_t end = std::min(kernel_.comment.find('\n', start), kernel_.comment.size());
        text += "// " + kernel_.comment.substr(start, end - start) + "\n";
        start = end + 1;
    }
    return text;
}

void Writer::write_body() {
    for (ValueId id = 0; id < kernel_.code.size(); ++id) {
        if (opens_guarded_run(kernel_, id))
            id = write_run(id);
        else
            write(id);
    }
}

std::string Writer::text() {
    const std::string preamble = dialect_.preamble(*this);
    std::string opening = dialect_.preamble_leads ? preamble + comment() : comment() + preamble;
    dialect_.open_kernel(*this);
    write_body();
    for (const std::string& text : helpers_) opening += text + "\n";
    return opening + "\n" + prologue_ + body_ + "}\n";
}

}  // namespace seiche::emit

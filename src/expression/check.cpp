// The checker: gives names their meaning and every value its type, and refuses what the language does not allow.
#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "expression/range.hpp"
#include "expression/syntax.hpp"
#include "expression/values.hpp"
#include "expression/waves.hpp"
#include "seiche/error.hpp"
#include "support/text.hpp"

namespace seiche {

const char* to_string(StageType type) noexcept {
    switch (type) {
        case StageType::f16: return "f16";
        case StageType::f32: return "f32";
        case StageType::f64: return "f64";
        case StageType::i8: return "i8";
        case StageType::u8: return "u8";
        case StageType::i16: return "i16";
        case StageType::u16: return "u16";
        case StageType::i32: return "i32";
        case StageType::u32: return "u32";
    }
    return "?";
}

std::uint64_t bytes_of(StageType type) noexcept {
    switch (type) {
        case StageType::i8:
        case StageType::u8: return 1;
        case StageType::f16:
        case StageType::i16:
        case StageType::u16: return 2;
        case StageType::f64: return 8;
        default: return 4;
    }
}

}  // namespace seiche

namespace seiche::expression {

namespace {

constexpr std::size_t most_symbols = 16, longest_text = 65536;
constexpr std::uint64_t most_elements = std::uint64_t{1} << 60;  // bytes of any type fit in 63 bits
constexpr std::uint64_t most_arrays = std::uint64_t{1} << 32;    // kernels count sequences in 32 bits

bool is_whole(StageType type) { return type >= StageType::i8; }

/// The axis of a name such as i0 or n12, of a middle stage k0 too; nothing for other names.
std::optional<std::uint64_t> axis_of(const std::string& name, Side side) {
    if (name.size() < 2 || (name[0] != 'i' && name[0] != 'n' && (name[0] != 'k' || side != Side::middle)))
        return std::nullopt;
    const bool leads_with_zero = name.size() > 2 && name[1] == '0';
    return leads_with_zero ? std::nullopt : support::parse_unsigned(std::string_view(name).substr(1));
}

bool is_reserved(const std::string& name, Side side) {
    static constexpr const char* words[] = {"let", "store", "return", "value", "batch", "pi", "re", "im"};
    return std::find(std::begin(words), std::end(words), name) != std::end(words) || axis_of(name, side) ||
           find_function(name) != nullptr;
}

[[noreturn]] void refuse_field(const std::string& field, const std::string& rule, const std::string& got) {
    throw InvalidProblem(field + ": expected " + rule + ", got " + got);
}

class Checker {
public:
    Checker(const UserStage& stage, const Context& context, const std::vector<WaveNumber>& waves)
        : stage_(stage), context_(context), waves_(waves), values_(program_, context.field) {
        program_.buffers = stage.buffers;
        program_.scalars = stage.scalars;
        program_.counts = context.counts.empty() ? context.lengths : context.counts;
        program_.is_real = context.is_real;
        program_.written.assign(stage.buffers.size(), false);
        read_.assign(stage.buffers.size(), false);
        mentioned_.assign(stage.scalars.size(), false);
    }

    Program run() {
        declare();
        if (stage_.text.size() > longest_text)
            refuse_field(context_.field, "a text of at most 65536 characters", std::to_string(stage_.text.size()));
        const std::vector<Token> words = tokens(stage_.text, context_.field);
        for (const Token& word : words)
            if (word.kind != Token::Kind::end) program_.text += (program_.text.empty() ? "" : " ") + word.text;
        const Syntax syntax = parse(words, context_.field);
        for (const Statement& statement : syntax.statements) add(statement);
        const bool may_store = context_.side == Side::store;
        if (!returned_ && (!may_store || program_.stores.empty()))
            refuse(context_.field, syntax.end, may_store ? "a return or a store" : "a return", "the end of the text");
        check_mentions();
        program_.reads_value = reads_value();
        check_reach();
        return std::move(program_);
    }

private:
    using Id = Values::Id;
    struct Symbol {
        enum class Kind : std::uint8_t { value, buffer, scalar };
        Kind kind = Kind::value;
        std::uint32_t number = 0;  // the node, or the place in the declarations
    };

    void declare() {
        if (stage_.buffers.size() > most_symbols)
            refuse_field(context_.field + ".buffers", "at most 16", std::to_string(stage_.buffers.size()));
        if (stage_.scalars.size() > most_symbols)
            refuse_field(context_.field + ".scalars", "at most 16", std::to_string(stage_.scalars.size()));
        for (std::uint32_t i = 0; i < stage_.buffers.size(); ++i) {
            const StageBuffer& buffer = stage_.buffers[i];
            const std::string field = context_.field + ".buffers[" + std::to_string(i) + "]";
            declare(field, buffer.name, {Symbol::Kind::buffer, i});
            if (buffer.count == 0 || buffer.count > most_elements)
                refuse_field(field + ".count", "from 1 to 2^60 elements", std::to_string(buffer.count));
        }
        for (std::uint32_t i = 0; i < stage_.scalars.size(); ++i) {
            const StageScalar& scalar = stage_.scalars[i];
            const std::string field = context_.field + ".scalars[" + std::to_string(i) + "]";
            declare(field, scalar.name, {Symbol::Kind::scalar, i});
            if (bytes_of(scalar.type) < 4)
                refuse_field(field + ".type", "f32, f64, i32 or u32", to_string(scalar.type));
        }
    }

    void declare(const std::string& field, const std::string& name, const Symbol& symbol) {
        const bool starts_well = !name.empty() && !(name[0] >= '0' && name[0] <= '9');
        const bool is_name =
            starts_well && std::all_of(name.begin(), name.end(), [](char c) {
                return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
            });
        if (!is_name) refuse_field(field + ".name", "letters, digits and _, no digit first", "\"" + name + "\"");
        if (is_reserved(name, context_.side))
            refuse_field(field + ".name", "a name that the language has no use for", name);
        if (!symbols_.emplace(name, symbol).second) refuse_field(field + ".name", "each name once", name + " again");
    }

    void add(const Statement& statement) {
        if (returned_) refuse(context_.field, statement.position, "nothing after the return", "another statement");
        switch (statement.kind) {
            case Statement::Kind::let: {
                if (is_reserved(statement.name, context_.side) || symbols_.count(statement.name) != 0)
                    refuse(context_.field, statement.position, "a new name",
                           "'" + statement.name + "', which is taken");
                const Id value = visit(statement.value);
                symbols_.emplace(statement.name, Symbol{Symbol::Kind::value, value});
                return;
            }
            case Statement::Kind::store: return add_store(statement);
            case Statement::Kind::sum: return add_sum(statement);
            case Statement::Kind::result: {
                returned_ = true;
                program_.result = values_.as(
                    visit(statement.value), point_type(),
                    context_.is_real ? "a real number to return, because the array is real" : "a number to return");
            }
        }
    }

    void add_store(const Statement& statement) {
        if (context_.side != Side::store)
            refuse(context_.field, statement.position,
                   std::string("no store in a ") + to_string(context_.side) + " stage", "'" + statement.name + "'");
        const std::uint32_t buffer = buffer_of(statement.name, statement.position);
        const Id index = index_of(statement.index);
        const Id value = visit(statement.value);
        const Type type = values_.type(value);
        if (type == Type::boolean || type == Type::complex)
            refuse(context_.field, values_.position(value), "a whole or real number to store", to_string(type));
        const bool as_real = !is_whole(stage_.buffers[buffer].type);
        program_.written[buffer] = true;
        program_.stores.push_back({buffer, index, as_real ? values_.as(value, Type::real, "a number") : value});
        if (read_[buffer]) refuse_reading(statement.name, statement.position);
    }

    void add_sum(const Statement& statement) {
        if (context_.side != Side::middle)
            refuse(context_.field, statement.position, "sums over the bins of a middle stage alone",
                   "'" + statement.name + "'");
        const auto has_name = [&](const Sum& other) { return other.name == statement.name; };
        if (std::any_of(program_.sums.begin(), program_.sums.end(), has_name))
            refuse(context_.field, statement.position, "each sum once", "'" + statement.name + "' again");
        if (program_.sums.size() == most_sums)
            refuse(context_.field, statement.position, "at most 8 sums", "another, '" + statement.name + "'");
        const Id value = visit(statement.value);
        const Type type = values_.type(value);
        if (type == Type::boolean || type == Type::complex)
            refuse(context_.field, values_.position(value), "a whole or real number to sum", to_string(type));
        program_.sums.push_back({statement.name, values_.as(value, Type::real, "a number")});
    }

    [[noreturn]] void refuse_reading(const std::string& name, Position at) const {
        refuse(context_.field, at, "a buffer that is either read or stored to", "'" + name + "' for both");
    }

    std::uint32_t buffer_of(const std::string& name, Position at) const {
        const auto found = symbols_.find(name);
        if (found == symbols_.end() || found->second.kind != Symbol::Kind::buffer)
            refuse(context_.field, at, "the name of a buffer", "'" + name + "'");
        return found->second.number;
    }

    Id index_of(const Expression& expression) {
        const Id index = visit(expression);
        values_.require(index, Type::integer, "a whole number as index");
        return index;
    }

    Id visit(const Expression& e) {
        std::vector<Id> operands;
        if (e.kind == Expression::Kind::index) return element(e);
        for (const Expression& operand : e.operands) operands.push_back(visit(operand));
        values_.stand_at(e.position);
        switch (e.kind) {
            case Expression::Kind::integer: return number(e);
            case Expression::Kind::real: return values_.real(real_of(e));
            case Expression::Kind::name: return name(e);
            case Expression::Kind::member:
                values_.require(operands[0], Type::complex, "a complex number before '." + e.text + "'");
                return values_.make(e.text == "re" ? Kind::re : Kind::im, Type::real, {operands[0]});
            case Expression::Kind::call: return call(e, operands);
            case Expression::Kind::unary: return values_.unary(e.text, operands[0]);
            case Expression::Kind::binary: return values_.binary(e.text, operands[0], operands[1]);
            case Expression::Kind::choice: return values_.choose(operands[0], operands[1], operands[2]);
            case Expression::Kind::index: break;
        }
        return no_node;
    }

    Type point_type() const { return context_.is_real ? Type::real : Type::complex; }

    Id number(const Expression& e) {
        const auto value = support::parse_signed(e.text);
        if (!value) refuse(context_.field, e.position, "a whole number below 2^63", e.text);
        return values_.integer(*value);
    }

    double real_of(const Expression& e) const {
        const auto value = support::parse_double(e.text);
        if (!value) refuse(context_.field, e.position, "a number that is finite in f64", e.text);
        return *value;
    }

    Id name(const Expression& e) {
        if (e.text == "value") return values_.leaf(Kind::value, point_type());
        if (e.text == "batch") return values_.leaf(Kind::batch, Type::integer);
        if (e.text == "pi") return values_.real(3.14159265358979323846);
        if (const auto axis = axis_of(e.text, context_.side)) return along_axis(e, *axis);
        const auto found = symbols_.find(e.text);
        if (found == symbols_.end())
            refuse(context_.field, e.position, "a name that is declared", "'" + e.text + "'" + hint(e.text));
        const Symbol& symbol = found->second;
        if (symbol.kind == Symbol::Kind::value) return symbol.number;
        if (symbol.kind == Symbol::Kind::buffer)
            refuse(context_.field, e.position, "an index after the buffer '" + e.text + "'", "none");
        mentioned_[symbol.number] = true;
        const bool whole = is_whole(stage_.scalars[symbol.number].type);
        return values_.leaf(Kind::scalar, whole ? Type::integer : Type::real, symbol.number);
    }

    static std::string hint(const std::string& name) {
        return find_function(name) != nullptr ? ", which is a function and takes brackets" : "";
    }

    WaveNumber wave_of(std::uint64_t axis) const {
        if (!waves_.empty()) return waves_[axis];
        return context_.halved == axis ? WaveNumber::index : WaveNumber::with_sign;
    }

    Id along_axis(const Expression& e, std::uint64_t axis) {
        const std::size_t rank = context_.lengths.size();
        if (axis >= rank)
            refuse(context_.field, e.position,
                   std::string(1, e.text[0]) + "0" +
                       (rank > 1 ? " to " + std::string(1, e.text[0]) + std::to_string(rank - 1) : ""),
                   "'" + e.text + "'");
        if (e.text[0] == 'n') return values_.integer(static_cast<std::int64_t>(context_.lengths[axis]));
        const WaveNumber wave = e.text[0] == 'k' ? wave_of(axis) : WaveNumber::index;
        if (wave == WaveNumber::with_sign)
            return values_.wave_number(static_cast<std::uint32_t>(axis), context_.lengths[axis]);
        const Id index = values_.leaf(Kind::index, Type::integer, static_cast<std::uint32_t>(axis));
        if (wave == WaveNumber::index) return index;
        const Id shift = wave == WaveNumber::next ? values_.integer(1) : values_.real(0.5);
        return values_.binary("+", index, shift);
    }

    Id element(const Expression& e) {
        const std::uint32_t buffer = buffer_of(e.text, e.position);
        if (program_.written[buffer]) refuse_reading(e.text, e.position);
        read_[buffer] = true;
        const Id index = index_of(e.operands[0]);
        values_.stand_at(e.position);
        return values_.load(buffer, index, is_whole(stage_.buffers[buffer].type) ? Type::integer : Type::real);
    }

    Id call(const Expression& e, const std::vector<Id>& arguments) {
        const Function* function = find_function(e.text);
        if (function == nullptr)
            refuse(context_.field, e.position, "one of the functions " + function_names(), "'" + e.text + "'");
        if (arguments.size() != function->arity)
            refuse(context_.field, e.position,
                   std::to_string(function->arity) + " argument" + (function->arity == 1 ? "" : "s") + " for " + e.text,
                   std::to_string(arguments.size()));
        return values_.call(*function, arguments);
    }

    void check_mentions() const {
        for (std::size_t i = 0; i < stage_.buffers.size(); ++i)
            if (!read_[i] && !program_.written[i])
                refuse_field(context_.field + ".buffers[" + std::to_string(i) + "]", "a buffer that the text mentions",
                             "'" + stage_.buffers[i].name + "'");
        for (std::size_t i = 0; i < stage_.scalars.size(); ++i)
            if (!mentioned_[i])
                refuse_field(context_.field + ".scalars[" + std::to_string(i) + "]", "a scalar that the text mentions",
                             "'" + stage_.scalars[i].name + "'");
    }

    bool reads_value() const {
        std::vector<bool> needed(program_.nodes.size(), false);
        if (program_.result != no_node) needed[program_.result] = true;
        for (const Store& store : program_.stores) needed[store.index] = needed[store.value] = true;
        for (const Sum& sum : program_.sums) needed[sum.value] = true;
        for (std::size_t i = program_.nodes.size(); i-- > 0;) {
            if (!needed[i]) continue;
            if (program_.nodes[i].kind == Kind::value) return true;
            for (const std::uint32_t operand : program_.nodes[i].operands)
                if (operand != no_node) needed[operand] = true;
        }
        return false;
    }

    /// Every index stays in its buffer with the problem's batch; and how much larger a batch may be.
    void check_reach() {
        if (const auto fault = find_fault(program_, ranges(program_, context_.batch)))
            refuse(context_.field, values_.position(fault->node), fault->expected, fault->got);
        const auto holds = [this](std::uint64_t batch) { return !find_fault(program_, ranges(program_, batch)); };
        std::uint64_t good = context_.batch, bad = std::max(most_arrays, good) + 1;
        if (holds(bad - 1)) good = bad - 1;
        while (bad - good > 1) {
            const std::uint64_t middle = good + (bad - good) / 2;
            (holds(middle) ? good : bad) = middle;
        }
        program_.batch_limit = good;
    }

    const UserStage& stage_;
    const Context& context_;
    const std::vector<WaveNumber>& waves_;
    Program program_;
    Values values_;
    std::map<std::string, Symbol> symbols_;
    std::vector<bool> read_, mentioned_;  // buffers, scalars
    bool returned_ = false;
};

}  // namespace

Program check(const UserStage& stage, const Context& context) { return check(stage, context, {}); }

Program check(const UserStage& stage, const Context& context, const std::vector<WaveNumber>& waves) {
    return Checker(stage, context, waves).run();
}

}  // namespace seiche::expression

// The verifier: each instruction on its own, what it may see, and where it may stand.
#include "ir/verify.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <string>

#include "ir/print.hpp"
#include "seiche/error.hpp"

namespace seiche::ir {

namespace {

bool is_lane_count(unsigned lanes) { return lanes == 1 || lanes == 2 || lanes == 4 || lanes == 8 || lanes == 16; }

/// The fewest operands that an op can have: those that may be missing are the last.
unsigned least_operands(Op op) {
    switch (op) {
        case Op::compose: return 2;
        case Op::shuffle: return 1;
        case Op::wait_until:
        case Op::private_load:
        case Op::private_store: return op_operands(op);
        case Op::async_copy: return 2;
        case Op::global_load: return 1;
        case Op::global_store: return 2;
        default: break;
    }
    switch (op_kind(op)) {
        case OpKind::memory:
        case OpKind::image:
        case OpKind::cluster:
        case OpKind::call:
        case OpKind::atomic: return op_operands(op) - 1;
        default: return op_operands(op);
    }
}

class Verifier {
public:
    explicit Verifier(const Kernel& kernel) : kernel_(kernel), scope_of_(kernel.code.size(), 0) {}

    void run() {
        check_symbols();
        for (id_ = 0; id_ < kernel_.code.size(); ++id_) check_instruction(kernel_.code[id_]);
        if (brackets_.size() > 1)
            fault("a bracket of kind '" + std::string(op_name(brackets_.back().op)) + "' is not closed");
        check_control();
        check_arrivals();
    }

private:
    struct Bracket {
        Op op;
        std::uint32_t scope;
    };

    [[noreturn]] void fault(const std::string& what) const {
        std::string where = "kernel '" + kernel_.name + "'";
        if (id_ < kernel_.code.size())
            where += ", " + std::string(op_name(kernel_.code[id_].op)) + " %" + std::to_string(id_);
        throw InternalError(where + ": " + what);
    }
    void expect(bool ok, const char* what) const {
        if (!ok) fault(what);
    }
    void expect_type(Type got, Type expected, const char* what) const {
        if (got != expected) fault(std::string(what) + ": expected " + to_string(expected) + ", got " + to_string(got));
    }

    // ---- Symbols

    void check_symbols() {
        id_ = no_value;  // no instruction at fault
        const LaunchAttributes& launch = kernel_.launch;
        for (unsigned d = 0; d < 3; ++d) {
            expect(launch.group[d] > 0 && launch.cluster[d] > 0,
                   "a group and a cluster need an extent of at least 1 along each dimension");
        }
        std::set<std::string> names;
        const auto check = [&](const std::string& name, Type element) {
            if (name.empty() || !names.insert(name).second) fault("the name '" + name + "' is empty or taken");
            const bool has_bytes = scalar_bytes(element.scalar) != 0 && element.scalar != Scalar::dd;
            if (!has_bytes || !is_lane_count(element.lanes))
                fault("'" + name + "' cannot be of type " + to_string(element));
        };
        for (const auto& b : kernel_.buffers) check(b.name, b.element);
        for (const auto& s : kernel_.scalars) {
            check(s.name, s.type);
            expect(!s.type.is_vector(), "a scalar parameter has one lane");
        }
        for (const auto& i : kernel_.images) {
            check(i.name, Scalar::f32);
            expect(i.format != ImageFormat::none, "an image has a format");
        }
        for (const auto& a : kernel_.shared) check(a.name, a.element);
        for (const auto& a : kernel_.privates) check(a.name, a.element);
    }

    // ---- Operands

    Type type(const Instruction& i, unsigned k) const { return kernel_.code[i.operands[k]].type; }
    bool has(const Instruction& i, unsigned k) const { return i.operands[k] != no_value; }

    void check_operands(const Instruction& i) const {
        for (unsigned k = 0; k < 4; ++k) {
            const ValueId v = i.operands[k];
            if (v == no_value) {
                if (k < least_operands(i.op)) fault("operand " + std::to_string(k) + " is missing");
                continue;
            }
            const auto fault_of = [&](const char* what) { fault("operand %" + std::to_string(v) + what); };
            if (k >= op_operands(i.op)) fault_of(" is one too many");
            const bool follows_predicate = static_cast<int>(k) == part_slot(i.op);  // which may be missing
            if (k > 0 && i.operands[k - 1] == no_value && !follows_predicate) fault_of(" follows a missing one");
            if (v >= id_) fault_of(" is not defined before its use");
            if (!makes_value(kernel_.code[v])) fault_of(" makes no value");
            const std::uint32_t scope = scope_of_[v];
            const bool visible =
                std::any_of(brackets_.begin(), brackets_.end(), [scope](const Bracket& b) { return b.scope == scope; });
            if (!visible) fault_of(" was made inside brackets that are closed");
        }
    }

    void check_predicate(const Instruction& i, unsigned k) const {
        if (has(i, k)) expect_type(type(i, k), Scalar::boolean, "predicate");
    }

    void check_brackets(const Instruction& i) {
        const Op inner = brackets_.back().op;
        if (i.op == Op::loop_end) expect(inner == Op::loop_begin, "closes a loop that is not open");
        if (i.op == Op::if_else) expect(inner == Op::if_begin, "has no if before it");
        if (i.op == Op::if_end) expect(inner == Op::if_begin || inner == Op::if_else, "closes an if that is not open");
        if (i.op == Op::loop_end || i.op == Op::if_else || i.op == Op::if_end) brackets_.pop_back();
        if (i.op == Op::loop_begin || i.op == Op::if_begin || i.op == Op::if_else)
            brackets_.push_back({i.op, ++scopes_});
    }

    void check_instruction(const Instruction& i) {
        check_operands(i);
        expect(i.type.scalar != Scalar::dd, "a double-double number, expected two doubles");
        if (!is_lane_count(i.type.lanes)) fault(std::to_string(i.type.lanes) + " lanes, expected 1, 2, 4, 8 or 16");
        check_types(i);
        check_brackets(i);
        scope_of_[id_] = brackets_.back().scope;
    }

    // ---- Types

    void check_types(const Instruction& i) const {
        switch (op_kind(i.op)) {
            case OpKind::leaf: return check_leaf(i);
            case OpKind::unary:
            case OpKind::binary:
            case OpKind::ternary: return check_arithmetic(i);
            case OpKind::compare:
                expect(type(i, 0) == type(i, 1), "compares values of two types");
                expect(!is_narrow(type(i, 0).scalar), "narrow integers are converted only");
                expect(type(i, 0).scalar != Scalar::boolean || i.op == Op::equal || i.op == Op::not_equal,
                       "booleans have no order");
                return expect_type(i.type, Type(Scalar::boolean, type(i, 0).lanes), "result");
            case OpKind::convert: return check_convert(i);
            case OpKind::lanes: return check_lanes(i);
            case OpKind::memory: return check_memory(i);
            case OpKind::image: return check_image(i);
            case OpKind::call: return check_call(i);
            case OpKind::cluster: return check_cluster(i);
            case OpKind::sync: return check_sync(i);
            case OpKind::subgroup:
                expect_type(i.type, type(i, 0), "result");
                return expect_type(type(i, 1), Scalar::u32, "lane or mask");
            case OpKind::atomic: return check_atomic(i);
            case OpKind::async: return check_async(i);
            case OpKind::matrix:
                expect_type(type(i, 0), Scalar::f64, "a");
                expect_type(type(i, 1), Scalar::f64, "b");
                expect_type(type(i, 2), Type(Scalar::f64, 2), "c");
                return expect_type(i.type, Type(Scalar::f64, 2), "result");
            case OpKind::control: return check_control_types(i);
        }
    }

    void check_leaf(const Instruction& i) const {
        switch (i.op) {
            case Op::constant: return expect(i.type.scalar != Scalar::none, "a constant has a type");
            case Op::parameter:
                expect(i.immediate < kernel_.scalars.size(), "there is no such parameter");
                return expect_type(i.type, kernel_.scalars[i.immediate].type, "result");
            case Op::group_id:
            case Op::group_count:
            case Op::thread_id: expect(i.immediate < 3, "there are three dimensions"); break;
            default: break;
        }
        expect_type(i.type, Scalar::u32, "result");
    }

    void check_arithmetic(const Instruction& i) const {
        unsigned first = 0;
        if (i.op == Op::select) {
            const Type condition = type(i, 0);
            expect(condition.scalar == Scalar::boolean && (condition.lanes == 1 || condition.lanes == i.type.lanes),
                   "the condition of a select is a boolean, or one per lane");
            first = 1;
        }
        const bool shifts = i.op == Op::shift_left || i.op == Op::shift_right;
        for (unsigned k = first; k < op_operands(i.op); ++k) {
            if (shifts && k == 1 && type(i, 1) == Type(Scalar::u32, i.type.lanes)) continue;
            expect_type(type(i, k), i.type, "operand");
        }
        check_domain(i);
    }

    /// The types that an op is defined for.
    void check_domain(const Instruction& i) const {
        const bool integer = i.type.is_integer(), floating = i.type.is_float();
        const bool is_unsigned = i.type.scalar == Scalar::u32 || i.type.scalar == Scalar::u64;
        bool ok = floating;  // elementary functions
        switch (i.op) {
            case Op::add:
            case Op::sub:
            case Op::mul:
            case Op::min:
            case Op::max:
            case Op::neg:
            case Op::abs:
            case Op::mad: ok = integer || floating; break;
            case Op::div: ok = is_unsigned || floating; break;
            case Op::mod:
            case Op::mul_high: ok = is_unsigned; break;
            case Op::bit_and:
            case Op::bit_or:
            case Op::bit_xor:
            case Op::bit_not: ok = integer || i.type.scalar == Scalar::boolean; break;
            case Op::shift_left:
            case Op::shift_right:
            case Op::bit_reverse: ok = integer; break;
            case Op::select: ok = i.type.scalar != Scalar::none && !is_narrow(i.type.scalar); break;
            default: break;
        }
        if (!ok) fault("is not defined for " + to_string(i.type));
    }

    void check_convert(const Instruction& i) const {
        if (i.op == Op::convert) {
            expect(i.type.scalar != Scalar::none, "a conversion has a type");
            const Scalar from = type(i, 0).scalar;
            expect(!is_narrow(i.type.scalar) || from == Scalar::i32 || from == Scalar::u32,
                   "a narrow integer is made from one of 32 bits");
            return expect(type(i, 0).lanes == i.type.lanes, "a conversion keeps the number of lanes");
        }
        expect(!is_narrow(i.type.scalar) && !is_narrow(type(i, 0).scalar), "narrow integers are converted only");
        expect(type_bytes(i.type) != 0 && type_bytes(i.type) == type_bytes(type(i, 0)),
               "a bitcast keeps the number of bytes");
    }

    void check_lanes(const Instruction& i) const {
        const Type a = type(i, 0);
        expect(a.scalar == i.type.scalar, "keeps the scalar type");
        unsigned lanes = 0;
        for (unsigned k = 0; k < op_operands(i.op) && has(i, k); ++k) {
            expect(type(i, k).scalar == i.type.scalar, "takes lanes of one scalar type");
            lanes += type(i, k).lanes;
        }
        switch (i.op) {
            case Op::splat: return expect(a.lanes == 1, "spreads a scalar");
            case Op::extract:
                expect(i.immediate < a.lanes, "there is no such lane");
                return expect(i.type.lanes == 1, "takes one lane");
            case Op::compose: return expect(lanes == i.type.lanes, "the operands' lanes do not add up to the result's");
            default: break;
        }
        expect(i.immediate < kernel_.patterns.size(), "there is no such pattern");
        const Pattern& pattern = kernel_.patterns[i.immediate];
        expect(std::all_of(pattern.begin(), pattern.begin() + i.type.lanes,
                           [lanes](std::uint8_t lane) { return lane < lanes; }),
               "the pattern names a lane that the operands do not have");
    }

    void check_wide_access(Type access, Type element) const {
        if (access.scalar != element.scalar || access.lanes % element.lanes != 0) {
            fault("an access as " + to_string(access) + " to elements of " + to_string(element));
        }
    }

    void check_buffer(std::uint64_t buffer, bool reads, bool writes) const {
        expect(buffer < kernel_.buffers.size(), "there is no such buffer");
        const Access access = kernel_.buffers[buffer].access;
        if (reads) expect(access != Access::write, "reads a buffer that is only written");
        if (writes) expect(access != Access::read, "writes a buffer that is only read");
    }

    /// An access to an array of several parts says in which; no other does.
    void check_part(const Instruction& i) const {
        const BufferParameter& first = kernel_.buffers[i.symbol];
        expect(names_part(i) == (first.parts > 1), "names a part of its array, where that has several, and only there");
        if (first.parts == 1) return;
        expect_type(type(i, static_cast<unsigned>(part_slot(i.op))), Scalar::u32, "part");
        expect(first.parts <= kernel_.buffers.size() - i.symbol, "the array has more parts than there are buffers");
        for (std::uint32_t p = 1; p < first.parts; ++p) {
            const BufferParameter& other = kernel_.buffers[i.symbol + p];
            expect(other.element == first.element && other.access == first.access,
                   "the parts of its array are not alike");
        }
    }

    void check_memory(const Instruction& i) const {
        const bool store = i.op == Op::global_store || i.op == Op::shared_store || i.op == Op::private_store;
        const bool global = i.op == Op::global_load || i.op == Op::global_store;
        expect_type(type(i, 0), global ? Scalar::u64 : Scalar::u32, "index");
        if (store) expect_type(type(i, 1), i.type, "stored value");
        if (global) {
            check_buffer(i.symbol, !store, store);
            check_wide_access(i.type, kernel_.buffers[i.symbol].element);
            check_part(i);
        } else {
            const bool shared = i.op == Op::shared_load || i.op == Op::shared_store;
            const auto& arrays = shared ? kernel_.shared : kernel_.privates;
            expect(i.symbol < arrays.size(), "there is no such array");
            check_wide_access(i.type, arrays[i.symbol].element);
            if (!shared) return;
        }
        check_predicate(i, store ? 2 : 1);
    }

    void check_call(const Instruction& i) const {
        const bool store = i.op == Op::call_store;
        expect(i.immediate < kernel_.functions.size(), "there is no such function");
        check_buffer(i.symbol, !store, store);
        expect(kernel_.buffers[i.symbol].parts == 1, "a function takes an array in one buffer");
        expect((i.type.scalar == Scalar::f32 || i.type.scalar == Scalar::f64) && i.type.lanes <= 2,
               "a function has one number or two of f32 or f64");
        expect_type(type(i, 0), Scalar::u64, "index");
        if (store) expect_type(type(i, 1), i.type, "stored value");
        expect_type(type(i, store ? 2 : 1), Scalar::u64, "pointer");
        check_predicate(i, store ? 3 : 2);
    }

    void check_image(const Instruction& i) const {
        const bool store = i.op == Op::image_store;
        expect(i.symbol < kernel_.images.size(), "there is no such image");
        expect(kernel_.images[i.symbol].access != (store ? Access::read : Access::write),
               "the image does not allow the access");
        expect_type(type(i, 0), Scalar::u32, "x");
        expect_type(type(i, 1), Scalar::u32, "y");
        expect_type(i.type, Type(Scalar::f32, 4), "texel");
        if (store) expect_type(type(i, 2), i.type, "stored value");
        check_predicate(i, store ? 3 : 2);
    }

    void check_sync(const Instruction& i) const {
        expect_type(i.type, Scalar::none, "result");
        if (i.op != Op::part_barrier) return;
        const auto& group = kernel_.launch.group;
        expect(group[1] == 1 && group[2] == 1, "divides a group of one dimension");
        const std::uint64_t parts = i.immediate == 0 ? 0 : group[0] / i.immediate;
        const bool divides = parts * i.immediate == group[0] && std::has_single_bit(parts);
        expect(divides && parts > 1 && parts <= most_group_parts, "is for a half, a quarter or an eighth of the group");
    }

    void check_cluster(const Instruction& i) const {
        const bool store = i.op == Op::cluster_store;
        expect(i.symbol < kernel_.shared.size(), "there is no such array");
        expect_type(type(i, 0), Scalar::u32, "rank");
        expect_type(type(i, 1), Scalar::u32, "index");
        check_wide_access(i.type, kernel_.shared[i.symbol].element);
        if (store) expect_type(type(i, 2), i.type, "stored value");
        check_predicate(i, store ? 3 : 2);
    }

    void check_atomic(const Instruction& i) const {
        check_buffer(i.symbol, true, i.op != Op::atomic_load && i.op != Op::wait_until);
        const Type element = kernel_.buffers[i.symbol].element;
        expect_type(type(i, 0), Scalar::u64, "index");
        expect(element.is_integer() && !element.is_vector(), "works on buffers of integers");
        if (i.op == Op::wait_until) {
            expect(element.scalar != Scalar::i32, "compares unsigned integers");
            expect_type(i.type, Scalar::none, "result");
            return expect_type(type(i, 1), element, "awaited value");
        }
        expect_type(i.type, element, "value");
        if (i.op != Op::atomic_load) expect_type(type(i, 1), element, "value");
        check_predicate(i, i.op == Op::atomic_load ? 1 : 2);
    }

    void check_async(const Instruction& i) const {
        expect_type(i.type, Scalar::none, "result");
        if (i.op == Op::async_commit || i.op == Op::async_wait) return;
        expect(i.symbol < kernel_.shared.size(), "there is no such array");
        const Type element = kernel_.shared[i.symbol].element;
        if (i.op == Op::async_neighbour_copy) {
            for (unsigned k = 0; k < 4; ++k) expect_type(type(i, k), Scalar::u32, "operand");
            expect(i.immediate < kernel_.shared.size(), "there is no such array of the neighbour");
            return expect_type(kernel_.shared[i.immediate].element, element, "elements of the neighbour's array");
        }
        check_buffer(i.immediate, true, false);
        expect(kernel_.buffers[i.immediate].element.scalar == element.scalar,
               "the buffer and the array have different scalars");
        expect_type(type(i, 0), Scalar::u32, "shared index");
        expect_type(type(i, 1), Scalar::u64, "global index");
        if (i.op == Op::async_bulk_copy) return expect_type(type(i, 2), Scalar::u32, "count");
        expect(i.width > 0, "copies no elements");
        check_predicate(i, 2);
    }

    void check_control_types(const Instruction& i) const {
        if (i.op == Op::if_begin) expect_type(type(i, 0), Scalar::boolean, "condition");
        if (i.op != Op::loop_begin) return expect_type(i.type, Scalar::none, "result");
        expect_type(i.type, Scalar::u32, "counter");
        for (unsigned k = 0; k < 3; ++k) expect_type(type(i, k), Scalar::u32, "bound");
        const Instruction& step = kernel_.code[i.operands[2]];
        expect(step.op != Op::constant || step.immediate != 0, "a loop's step is not 0");
    }

    // ---- Uniformity

    void expect_uniform(const std::vector<Uniformity>& levels, const Instruction& i, Uniformity level) const {
        for (const ValueId v : i.operands) {
            if (v != no_value && levels[v] < level)
                fault("%" + std::to_string(v) + " may differ between threads, expected the same for all");
        }
    }

    void check_control() {
        const std::vector<Uniformity> levels = uniformity(kernel_);
        std::vector<Uniformity> control{Uniformity::cluster};
        for (id_ = 0; id_ < kernel_.code.size(); ++id_) {
            const Instruction& i = kernel_.code[id_];
            switch (i.op) {
                case Op::loop_begin:
                case Op::if_begin: {
                    expect_uniform(levels, i, Uniformity::group);
                    Uniformity level = control.back();
                    for (const ValueId v : i.operands) level = v == no_value ? level : std::min(level, levels[v]);
                    control.push_back(level);
                    break;
                }
                case Op::loop_end:
                case Op::if_end: control.pop_back(); break;
                case Op::cluster_ready:
                case Op::cluster_arrivals:
                    expect(control.size() == 1, "is at the top of the code, not in a bracket");
                    break;
                case Op::cluster_barrier:
                    expect(control.back() == Uniformity::cluster, "not every group of the cluster may arrive here");
                    break;
                case Op::wait_until:
                case Op::async_bulk_copy:
                case Op::async_neighbour_copy: expect_uniform(levels, i, Uniformity::group); break;
                default: break;
            }
        }
    }

    /// Stores that are counted, and nothing else of shared memory, between two groups' being ready and the arrivals.
    void check_arrivals() {
        const bool counts = counts_arrivals(kernel_);
        bool is_ready = false;
        for (id_ = 0; counts && id_ < kernel_.code.size(); ++id_) {
            const Instruction& i = kernel_.code[id_];
            switch (i.op) {
                case Op::cluster_ready: is_ready = true; break;
                case Op::cluster_arrivals:
                    expect(is_ready, "nobody is known to be ready for the stores");
                    expect(i.symbol < kernel_.shared.size() && kernel_.shared[i.symbol].element == Type(Scalar::u64),
                           "arrivals need a shared array of one u64");
                    is_ready = false;
                    break;
                case Op::cluster_store: expect(is_ready, "nobody is known to be ready for this store"); break;
                case Op::cluster_barrier: fault("a kernel that counts arrivals has no barrier of the cluster");
                case Op::shared_load:
                case Op::shared_store:
                case Op::cluster_load: expect(!is_ready, "only counted stores are between ready and arrivals"); break;
                default: break;
            }
        }
        expect(!is_ready, "nobody waits for the stores that are counted last");
    }

    const Kernel& kernel_;
    std::vector<std::uint32_t> scope_of_;
    std::vector<Bracket> brackets_{{Op::constant, 0}};  // the outermost is the kernel
    std::uint32_t scopes_ = 0;
    ValueId id_ = 0;
};

}  // namespace

void verify(const Kernel& kernel) { Verifier(kernel).run(); }

}  // namespace seiche::ir

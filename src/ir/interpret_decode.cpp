// Decoding a kernel for the interpreter: which loop runs each instruction, and where its values live.
//
// Registers are given out by linear scan over lifetimes, the most recently freed first, so that the values in use stay
// in cache.
#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "ir/interpret_values.hpp"
#include "ir/liveness.hpp"
#include "ir/verify.hpp"
#include "seiche/error.hpp"

namespace seiche::ir {

namespace {

constexpr std::uint32_t line = 64;

/// Gives out pieces of the register file; freed pieces of a size are used again, last freed first.
class Registers {
public:
    std::uint32_t take(std::uint32_t bytes) {
        bytes = rounded_up(bytes);
        auto& free = free_[bytes];
        if (free.empty()) {
            if (end_ > 0xffffffffull - bytes) throw InternalError("ir: the values of a group need more than 4 GiB");
            return static_cast<std::uint32_t>(std::exchange(end_, end_ + bytes));
        }
        const std::uint32_t offset = free.back();
        free.pop_back();
        return offset;
    }
    void give(std::uint32_t offset, std::uint32_t bytes) { free_[rounded_up(bytes)].push_back(offset); }
    std::uint64_t bytes() const { return end_; }

private:
    static std::uint32_t rounded_up(std::uint32_t bytes) { return std::max(line, (bytes + line - 1) / line * line); }
    std::map<std::uint32_t, std::vector<std::uint32_t>> free_;
    std::uint64_t end_ = 0;
};

/// Where a value lives.
struct Home {
    std::uint32_t offset = 0;
    std::uint32_t bytes = 0;
    bool uniform = false;
};

class Decoder {
public:
    Decoder(const Kernel& kernel, const DecodeOptions& options)
        : program_(std::make_unique<Program>()), scalarise_(options.hooks == nullptr) {
        program_->kernel = kernel;
        program_->hooks = options.hooks;
        program_->threads = kernel.launch.group_size();
        const std::uint32_t required = kernel.launch.required_subgroup_size;
        program_->subgroup_size = required != 0 ? required : options.subgroup_size;
        const auto& c = kernel.launch.cluster;
        program_->cluster_size = c[0] * c[1] * c[2];
    }

    std::unique_ptr<const Program> run() {
        const Kernel& kernel = program_->kernel;
        last_ = last_uses(kernel);
        levels_ = uniformity(kernel);
        homes_.resize(kernel.code.size());
        dying_.resize(kernel.code.size());
        for (ValueId i = 0; i < kernel.code.size(); ++i) dying_[last_[i]].push_back(i);
        if (program_->hooks != nullptr) program_->mask_at = registers_.take(program_->threads);
        lay_out_arrays();
        // The invariant ones first: they are written before the body runs, so that no register of the body's may become
        // theirs.
        for (ValueId i = 0; i < kernel.code.size(); ++i)
            if (invariant(i)) decode(i);
        for (ValueId i = 0; i < kernel.code.size(); ++i)
            if (!invariant(i)) decode(i);
        program_->register_bytes = registers_.bytes();
        return std::move(program_);
    }

private:
    bool is_uniform(ValueId v) const { return scalarise_ ? levels_[v] >= Uniformity::group : program_->threads == 1; }

    void lay_out_arrays() {
        const Kernel& kernel = program_->kernel;
        std::vector<bool> uniform(kernel.privates.size(), scalarise_ || program_->threads == 1);
        for (const Instruction& i : kernel.code) {
            if (i.op == Op::private_store && !(is_uniform(i.operands[0]) && is_uniform(i.operands[1])))
                uniform[i.symbol] = false;
        }
        for (std::size_t k = 0; k < kernel.privates.size(); ++k) {
            const ArraySymbol& array = kernel.privates[k];
            const std::uint32_t threads = uniform[k] ? 1 : program_->threads;
            program_->privates.push_back({program_->private_bytes, threads});
            const std::uint64_t bytes =
                std::uint64_t{array.count} * array.element.lanes * stored_bytes(array.element.scalar) * threads;
            program_->private_bytes += (bytes + line - 1) / line * line;
        }
        for (std::uint32_t k = 0; k < kernel.shared.size(); ++k)
            program_->shared_offsets.push_back(shared_offset(kernel, k));
        program_->shared_bytes = seiche::ir::shared_bytes(kernel);
    }

    std::uint32_t take_home(ValueId v, Type type, bool uniform) {
        Home& home = homes_[v];
        home.uniform = uniform;
        home.bytes = stored_bytes(type.scalar) * type.lanes * (uniform ? 1 : program_->threads);
        home.offset = registers_.take(home.bytes);
        return home.offset;
    }

    Operand operand_of(ValueId v) const {
        if (v == no_value) return {};
        return {homes_[v].offset, true, homes_[v].uniform, program_->kernel.code[v].type};
    }

    Step start(ValueId id) const {
        const Instruction& i = program_->kernel.code[id];
        Step s;
        s.id = id;
        s.instruction = &i;
        s.lanes = i.type.lanes;
        s.threads = program_->threads;
        for (unsigned k = 0; k < 4; ++k) s.operands[k] = operand_of(i.operands[k]);
        return s;
    }

    void emit(const Step& s) { program_->body.push_back(s); }

    /// Makes an operand full, with `lanes` lanes, by a step of its own in a piece of register that is given back
    /// afterwards.
    void widen(Step& s, unsigned k, std::uint32_t lanes, std::uint32_t threads) {
        Operand& operand = s.operands[k];
        const bool spread_lanes = operand.type.lanes != lanes;
        if (!operand.present || (!spread_lanes && (!operand.uniform || threads == 1))) return;
        const std::uint32_t scalar = stored_bytes(operand.type.scalar);
        Step move = s;
        move.id = no_value;
        move.action = move_action(operand.type.scalar);
        move.lanes = lanes;
        move.threads = threads;
        move.first_move = static_cast<std::uint32_t>(program_->moves.size());
        for (std::uint32_t lane = 0; lane < lanes; ++lane)
            program_->moves.push_back(lane_of(operand, spread_lanes ? 0 : lane));
        move.result = registers_.take(scalar * lanes * threads);
        temporaries_.emplace_back(move.result, scalar * lanes * threads);
        emit(move);
        operand.offset = move.result;
        operand.uniform = threads == 1;
        operand.type = operand.type.with_lanes(lanes);
    }

    LaneMove lane_of(const Operand& operand, std::uint32_t lane) const {
        const std::uint32_t scalars = operand.uniform ? 1 : program_->threads;
        return {operand.offset + lane * scalars * stored_bytes(operand.type.scalar), operand.uniform};
    }

    void widen_all(Step& s, unsigned first = 0) {
        for (unsigned k = first; k < 4; ++k) widen(s, k, s.operands[k].type.lanes, s.threads);
    }

    void decode(ValueId id) {
        const Instruction& i = program_->kernel.code[id];
        Step s = start(id);
        if (op_kind(i.op) == OpKind::control)
            decode_control(s);
        else if (i.op == Op::constant || i.op == Op::parameter || i.op == Op::group_count || i.op == Op::thread_id ||
                 i.op == Op::subgroup_lane)
            decode_invariant(s);
        else if (op_kind(i.op) == OpKind::sync)
            decode_sync(s);
        else if (i.op == Op::wait_until)
            decode_wait(s);
        else
            decode_step(s);
        for (const auto& [offset, bytes] : temporaries_) registers_.give(offset, bytes);
        temporaries_.clear();
        for (const ValueId v : dying_[id]) {
            if (homes_[v].bytes != 0 && !invariant(v)) registers_.give(homes_[v].offset, homes_[v].bytes);
        }
    }

    bool invariant(ValueId v) const {
        switch (program_->kernel.code[v].op) {
            case Op::constant:
            case Op::parameter:
            case Op::group_count:
            case Op::thread_id:
            case Op::subgroup_lane: return true;
            default: return false;
        }
    }

    /// The same in every group: made once, in registers of its own.
    void decode_invariant(Step& s) {
        if (last_[s.id] == s.id) return;
        const bool uniform = is_uniform(s.id);
        s.threads = uniform ? 1 : program_->threads;
        s.result = take_home(s.id, s.instruction->type, uniform);
        s.action = leaf_action(*s.instruction);
        program_->prologue.push_back(s);
    }

    void decode_sync(Step& s) {
        if (s.instruction->op == Op::part_barrier && s.instruction->immediate % program_->subgroup_size != 0)
            throw InternalError("kernel '" + program_->kernel.name + "': a barrier of " +
                                std::to_string(s.instruction->immediate) + " threads, expected whole subgroups of " +
                                std::to_string(program_->subgroup_size));
        if (program_->hooks != nullptr) s.action = program_->hooks->action(*s.instruction);
        if (meets_cluster(s.instruction->op))
            s.flow = s.instruction->op == Op::cluster_arrivals ? Flow::cluster_arrivals : Flow::cluster_barrier;
        if (s.action != nullptr || s.flow != Flow::next) emit(s);  // in lockstep the other barriers hold anyway
    }

    void decode_wait(Step& s) {
        s.flow = Flow::wait_until;
        if (program_->hooks != nullptr) s.action = program_->hooks->action(*s.instruction);
        program_->waits = true;
        emit(s);
    }

    void decode_control(Step& s) {
        const auto next = [this] { return static_cast<std::uint32_t>(program_->body.size() + 1); };
        switch (s.instruction->op) {
            case Op::loop_begin: {
                const bool uniform = is_uniform(s.id);
                s.threads = uniform ? 1 : program_->threads;
                s.result = take_home(s.id, s.instruction->type, uniform);
                s.flow = Flow::loop_begin;
                s.depth = depth_++;
                program_->loop_depth = std::max(program_->loop_depth, depth_);
                break;
            }
            case Op::loop_end: {
                Step& begin = program_->body[open_.back()];
                begin.target = next();
                s.flow = Flow::loop_end;
                s.target = open_.back() + 1;
                s.depth = --depth_;
                s.result = begin.result;
                s.threads = begin.threads;
                open_.pop_back();
                break;
            }
            case Op::if_begin: s.flow = Flow::if_begin; break;
            case Op::if_else:
                program_->body[open_.back()].target = next();
                open_.pop_back();
                s.flow = Flow::if_else;
                break;
            default:  // if_end takes no step
                program_->body[open_.back()].target = next() - 1;
                open_.pop_back();
                return;
        }
        if (s.flow != Flow::loop_end) open_.push_back(next() - 1);
        emit(s);
    }

    void decode_step(Step& s) {
        const Instruction& i = *s.instruction;
        const bool has_result = makes_value(i);
        const bool uniform = has_result && is_uniform(s.id);
        if (has_result) s.threads = uniform ? 1 : program_->threads;
        if (i.op == Op::private_store) s.threads = program_->privates[i.symbol].threads;
        const OpKind kind = op_kind(i.op);
        unsigned mixed = 0;
        const bool moves =
            kind == OpKind::lanes || (kind == OpKind::subgroup && uniform);  // who shuffles equals gets the same
        if (moves)
            decode_moves(s);
        else
            mixed = settle_operands(s, kind);
        if (has_result) s.result = take_home(s.id, i.type, uniform);
        if (!moves) s.action = choose(s, kind, mixed);
        if (s.action == nullptr) {
            throw InternalError("ir: the interpreter has no " + std::string(op_name(i.op)) + " for the type of %" +
                                std::to_string(s.id));
        }
        const bool flat = kind == OpKind::unary || kind == OpKind::binary || kind == OpKind::ternary ||
                          kind == OpKind::compare || i.op == Op::convert;
        if (flat && mixed == 0) {
            s.threads *= s.lanes;
            s.lanes = 1;
        }
        emit(s);
    }

    /// Brings operands to the shape that the action expects; the bits of those that it takes uniform although the
    /// result is not.
    unsigned settle_operands(Step& s, OpKind kind) {
        const Op op = s.instruction->op;
        if (op == Op::private_load || op == Op::private_store) {
            widen_all(s, 1);
            return 0;
        }
        const bool mixes = kind == OpKind::compare || kind == OpKind::ternary ||
                           (kind == OpKind::binary && op != Op::pow && op != Op::atan2);
        if (!mixes) {
            widen_all(s);
            return 0;
        }
        unsigned mixed = 0;
        for (unsigned k = 0; k < 3; ++k) {
            if (!s.operands[k].present) continue;
            if (s.operands[k].type.lanes != s.lanes) widen(s, k, s.lanes, s.threads);
            if (s.operands[k].uniform && s.threads > 1) mixed |= 1u << k;
        }
        return mixed;
    }

    void decode_moves(Step& s) {
        const Instruction& i = *s.instruction;
        s.first_move = static_cast<std::uint32_t>(program_->moves.size());
        s.action = move_action(i.type.scalar);
        std::vector<LaneMove> sources;
        for (const Operand& operand : s.operands) {
            if (!operand.present || operand.type.scalar != i.type.scalar) continue;
            for (unsigned lane = 0; lane < operand.type.lanes; ++lane) sources.push_back(lane_of(operand, lane));
        }
        for (unsigned lane = 0; lane < s.lanes; ++lane) {
            std::size_t source = lane;
            if (i.op == Op::splat) source = 0;
            if (i.op == Op::extract) source = i.immediate;
            if (i.op == Op::shuffle) source = program_->kernel.patterns[i.immediate][lane];
            program_->moves.push_back(sources[source]);
        }
    }

    Action choose(const Step& s, OpKind kind, unsigned mixed) const {
        const Instruction& i = *s.instruction;
        if (program_->hooks != nullptr) {
            if (const Action action = program_->hooks->action(i)) return action;
        }
        switch (kind) {
            case OpKind::leaf: return leaf_action(i);
            case OpKind::binary:
            case OpKind::ternary:
            case OpKind::compare:
                if (const Action action = arithmetic_action(s, mixed)) return action;
                return function_action(i);
            case OpKind::unary: return function_action(i);
            case OpKind::convert: return convert_action(i, s.operands[0].type);
            case OpKind::memory:
            case OpKind::image:
                return memory_action(
                    i, predicate_slot(i.op) >= 0 && s.operands[static_cast<unsigned>(predicate_slot(i.op))].present);
            case OpKind::call: return call_action(i);
            default: return group_action(i);
        }
    }

    std::unique_ptr<Program> program_;
    bool scalarise_;
    Registers registers_;
    std::vector<ValueId> last_;
    std::vector<Uniformity> levels_;
    std::vector<Home> homes_;
    std::vector<std::vector<ValueId>> dying_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> temporaries_;
    std::vector<std::uint32_t> open_;  // the steps of open brackets
    std::uint32_t depth_ = 0;
};

}  // namespace

std::unique_ptr<const Program> decode(const Kernel& kernel, const DecodeOptions& options) {
    return Decoder(kernel, options).run();
}

}  // namespace seiche::ir

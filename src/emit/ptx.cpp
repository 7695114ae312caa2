// PTX for the driver's own assembler: the kernel's frame, its leaves, and the lines that the other files write.
#include "emit/ptx.hpp"

#include <algorithm>
#include <bit>
#include <charconv>

#include "emit/cuda_like.hpp"
#include "emit/guarded_run.hpp"
#include "ir/liveness.hpp"
#include "seiche/error.hpp"
#include "seiche/half.hpp"

namespace seiche::emit {

using ir::Instruction;
using ir::Op;
using ir::OpKind;
using ir::Scalar;
using ir::ValueId;

namespace {

// The version that has everything that sm_90 has; every driver from CUDA 12.0 on takes it. A newer card runs what is
// written for sm_90.
constexpr const char *language_version = "7.8", *language_with_arrivals = "8.6";
constexpr unsigned newest_target = 90, oldest_target = 75;

constexpr std::array<const char*, 6> class_prefixes{"%p", "%h", "%r", "%l", "%f", "%d"};
constexpr std::array<const char*, 6> class_types{"pred", "b16", "b32", "b64", "f32", "f64"};

std::size_t register_class(Scalar scalar) {
    switch (scalar) {
        case Scalar::boolean: return 0;
        case Scalar::i32:
        case Scalar::u32: return 2;
        case Scalar::u64: return 3;
        case Scalar::f32: return 4;
        case Scalar::f64: return 5;
        default: return 1;  // halves, and integers that live in memory
    }
}

unsigned number_of(const std::string& architecture) {
    const std::size_t digits = architecture.find_first_of("0123456789");
    unsigned number = oldest_target;
    if (digits != std::string::npos)
        std::from_chars(architecture.data() + digits, architecture.data() + architecture.size(), number);
    return std::min(number, newest_target);
}

std::string hexadecimal(std::uint64_t bits, unsigned digits) {
    static constexpr std::string_view symbols = "0123456789abcdef";
    std::string text;
    for (unsigned k = digits; k-- > 0;) text += symbols[bits >> 4 * k & 15];
    return text;
}

std::string triple(const std::array<std::uint32_t, 3>& sizes) {
    return std::to_string(sizes[0]) + ", " + std::to_string(sizes[1]) + ", " + std::to_string(sizes[2]);
}

/// Where few groups share a multiprocessor, little is computed while a group waits for a table: loads of tables stay as
/// early as the kernel has them. Not beside indices that take registers of their own, where points would wait for
/// tables; not behind the last barrier, where tables wait for the stores ahead of them; not for two groups of doubles.
/// Measured: LAB-0044.
ValueId tables_that_stay(const ir::Kernel& kernel) {
    const ir::LaunchAttributes& launch = kernel.launch;
    const bool has_clusters = launch.cluster[0] * launch.cluster[1] * launch.cluster[2] > 1;
    const bool has_doubles =
        std::any_of(kernel.buffers.begin(), kernel.buffers.end(),
                    [](const ir::BufferParameter& b) { return b.table && b.element.scalar == Scalar::f64; });
    const bool are_two =
        launch.min_groups_per_unit == 2 && !has_clusters && !has_doubles && !ir::synchronises_groups(kernel);
    if ((launch.min_groups_per_unit != 1 && !are_two) || ir::divides_unevenly(kernel)) return 0;
    auto last = static_cast<ValueId>(kernel.code.size());
    while (last != 0 && ir::op_kind(kernel.code[last - 1].op) != ir::OpKind::sync) --last;
    return last;
}

}  // namespace

std::string ptx_type(Scalar scalar) {
    switch (scalar) {
        case Scalar::i8: return "s8";
        case Scalar::u8: return "u8";
        case Scalar::i16: return "s16";
        case Scalar::u16: return "u16";
        case Scalar::i32: return "s32";
        case Scalar::u32: return "u32";
        case Scalar::u64: return "u64";
        case Scalar::f32: return "f32";
        case Scalar::f64: return "f64";
        default: return "b16";
    }
}

std::string ptx_bits(Scalar scalar) { return "b" + std::to_string(8 * ir::scalar_bytes(scalar)); }

PtxWriter::PtxWriter(const ir::Kernel& kernel, const Target& target)
    : kernel_(kernel),
      target_(target),
      architecture_(number_of(target.architecture)),
      steps_(find_index_steps(kernel)),
      bounds_(ir::bounds(kernel)),
      uniformity_(ir::uniformity(kernel)),
      values_(kernel.code.size()),
      privates_(kernel.privates.size()),
      plain_tables_(tables_that_stay(kernel)),
      counts_arrivals_(target.counts_arrivals && ir::counts_arrivals(kernel)) {
    for (std::size_t a = 0; a < privates_.size(); ++a)
        privates_[a].resize(std::size_t{kernel.privates[a].count} * kernel.privates[a].element.lanes);
    find_needed();
}

// An index is needed by way of what it is taken apart into, and everything is used behind where it is made.
void PtxWriter::find_needed() {
    needed_.resize(kernel_.code.size());
    for (std::size_t id = kernel_.code.size(); id-- > 0;) {
        const Instruction& i = kernel_.code[id];
        needed_[id] = needed_[id] || !ir::op_is_pure(i.op);
        if (!needed_[id]) continue;
        const OpKind kind = ir::op_kind(i.op);
        const bool is_local = i.op == Op::private_load || i.op == Op::private_store;
        const std::size_t index = kind == OpKind::memory && !is_local ? 0
                                  : kind == OpKind::atomic            ? 0
                                  : kind == OpKind::cluster           ? 1
                                                                      : i.operands.size();
        for (std::size_t k = 0; k < i.operands.size(); ++k) {
            const ValueId used = i.operands[k];
            if (used == ir::no_value) continue;
            if (k != index) needed_[used] = true;
            if (k == index)
                for (const Term& term : take_apart(used).terms)
                    needed_[term.is_narrow ? without_flips(term.value).first : term.value] = true;
        }
    }
}

void PtxWriter::line(std::string_view text) {
    body_ += "    ";
    body_ += text;
    body_ += '\n';
}

void PtxWriter::label(std::string_view name) {
    body_ += name;
    body_ += ":\n";
}

void PtxWriter::emit(std::string_view mnemonic, Operands operands) { emit_if({}, mnemonic, operands); }

void PtxWriter::emit_if(const std::string& predicate, std::string_view mnemonic, Operands operands) {
    body_ += "    ";
    if (!predicate.empty()) {
        body_ += '@';
        body_ += predicate;
        body_ += ' ';
    }
    body_ += mnemonic;
    end_with(" ", operands);
}

void PtxWriter::end_with(std::string_view separator, Operands operands) {
    for (const std::string_view operand : operands) {
        body_ += separator;
        body_ += operand;
        separator = ", ";
    }
    body_ += ";\n";
}

std::string PtxWriter::fresh(Scalar scalar) {
    const std::size_t which = register_class(scalar);
    return class_prefixes[which] + std::to_string(registers_[which]++);
}

std::string PtxWriter::fresh_label() { return "$" + std::to_string(labels_++); }

std::string PtxWriter::make(Scalar scalar, std::string_view mnemonic, Operands sources) {
    std::string made = fresh(scalar);
    body_ += "    ";
    body_ += mnemonic;
    body_ += ' ';
    body_ += made;
    end_with(", ", sources);
    return made;
}

const std::vector<std::string>& PtxWriter::lanes(const Instruction& i, unsigned k) const {
    const ValueId id = i.operands[k];
    if (id >= values_.size() || values_[id].empty())
        throw InternalError("emit: " + kernel_.name + ": operand " + std::to_string(k) + " of " + ir::op_name(i.op) +
                            " has no value before it");
    return values_[id];
}

const std::string& PtxWriter::operand(const Instruction& i, unsigned k) const { return lanes(i, k).front(); }

std::string PtxWriter::in_register(const Instruction& i, unsigned k) {
    const std::string& text = operand(i, k);
    if (text.starts_with('%')) return text;
    const Scalar scalar = scalar_of(i, k);
    return make(scalar, "mov." + ptx_bits(scalar), {text});
}

std::string PtxWriter::predicate(const Instruction& i) const {
    const int slot = ir::predicate_slot(i.op);
    if (slot < 0 || i.operands[static_cast<std::size_t>(slot)] == ir::no_value) return {};
    return operand(i, static_cast<unsigned>(slot));
}

Scalar PtxWriter::scalar_of(const Instruction& i, unsigned k) const {
    const Instruction& source = kernel_.code[i.operands[k]];
    return source.op == Op::loop_begin ? Scalar::u32 : source.type.scalar;
}

const Instruction* PtxWriter::constant_operand(const Instruction& i, unsigned k) const {
    const Instruction& source = kernel_.code[i.operands[k]];
    return source.op == Op::constant ? &source : nullptr;
}

void PtxWriter::unsupported(const Instruction& i, const std::string& why) const {
    throw Unsupported("ptx: kernel " + kernel_.name + ": cannot express " + ir::op_name(i.op) +
                      (why.empty() ? "" : ": " + why));
}

void PtxWriter::require(unsigned architecture, const Instruction& i) const {
    if (architecture_ < architecture)
        unsupported(i, "it needs sm_" + std::to_string(architecture) + ", not " + target_.architecture);
}

void PtxWriter::constant(ValueId id) {
    const Instruction& i = kernel_.code[id];
    const double value = std::bit_cast<double>(i.immediate);
    switch (i.type.scalar) {
        case Scalar::boolean: return define(id, make(Scalar::boolean, "mov.pred", {i.immediate != 0 ? "1" : "0"}));
        case Scalar::i32: return define(id, std::to_string(static_cast<std::int32_t>(i.immediate)));
        case Scalar::u32: return define(id, std::to_string(static_cast<std::uint32_t>(i.immediate)));
        case Scalar::u64: return define(id, std::to_string(i.immediate));
        case Scalar::f32:
            return define(id, "0f" + hexadecimal(std::bit_cast<std::uint32_t>(static_cast<float>(value)), 8));
        case Scalar::f64: return define(id, "0d" + hexadecimal(i.immediate, 16));
        case Scalar::f16:
            return define(id, make(Scalar::f16, "mov.b16", {"0x" + hexadecimal(to_f16(static_cast<float>(value)), 4)}));
        default: break;
    }
    if (value != 0.0) unsupported(i, "of that type");
    define(id, make(i.type.scalar, "mov.b16", {"0"}));
}

// Ids of threads and groups are read once at the top, wherever they are asked for.
const std::string& PtxWriter::special_register(const std::string& name) {
    std::string& known = special_registers_[name];
    if (known.empty()) {
        known = fresh(Scalar::u32);
        prologue_ += "    mov.u32 " + known + ", " + name + ";\n";
    }
    return known;
}

void PtxWriter::leaf(ValueId id) {
    const Instruction& i = kernel_.code[id];
    const auto dimension = [&] { return std::string(1, "xyz"[i.immediate]); };
    switch (i.op) {
        case Op::constant: return constant(id);
        case Op::parameter: return define(id, scalars_[i.immediate]);
        case Op::group_id: return define(id, special_register("%ctaid." + dimension()));
        case Op::group_count: return define(id, special_register("%nctaid." + dimension()));
        case Op::thread_id: return define(id, special_register("%tid." + dimension()));
        case Op::cluster_rank:
            return define(id, architecture_ < newest_target ? "0" : special_register("%cluster_ctarank"));
        case Op::subgroup_lane: return define(id, special_register("%laneid"));
        default: unsupported(i);
    }
}

void PtxWriter::write(ValueId id) {
    const Instruction& i = kernel_.code[id];
    if (!needed_[id]) return;
    switch (ir::op_kind(i.op)) {
        case OpKind::leaf: return leaf(id);
        case OpKind::unary:
        case OpKind::binary:
        case OpKind::ternary:
        case OpKind::compare: return arithmetic(id);
        case OpKind::convert: return i.op == Op::convert ? convert(id) : bitcast(id);
        case OpKind::lanes:
            if (i.op == Op::extract) return define(id, lanes(i, 0)[i.immediate]);
            for (unsigned k = 0; k < i.operands.size() && i.operands[k] != ir::no_value; ++k)
                values_[id].insert(values_[id].end(), lanes(i, k).begin(), lanes(i, k).end());
            return;
        case OpKind::memory: return memory(id);
        case OpKind::cluster: return cluster(id);
        case OpKind::atomic: return atomic(id);
        case OpKind::control: return control(id);
        case OpKind::matrix: return matrix(id);
        default: synchronise(id);
    }
}

// The names of arguments are the kernel's, numbered so that they are no words of the language.
void PtxWriter::load_arguments() {
    unsigned number = 0;
    const auto load = [&](Scalar scalar, const std::string& name) {
        std::string made = fresh(scalar);
        prologue_ +=
            "    ld.param." + ptx_type(scalar) + " " + made + ", [arg" + std::to_string(number++) + "_" + name + "];\n";
        return made;
    };
    for (const ir::BufferParameter& buffer : kernel_.buffers) {
        buffers_.push_back(load(Scalar::u64, buffer.name));
        prologue_ += "    cvta.to.global.u64 " + buffers_.back() + ", " + buffers_.back() + ";\n";
    }
    for (const ir::ScalarParameter& scalar : kernel_.scalars) scalars_.push_back(load(scalar.type.scalar, scalar.name));
}

/// How many groups are to be resident in a unit; 0: any number. The driver's assembler makes code that may be linked,
/// for which it does not look how many groups its registers leave, as it does for a kernel alone: it would take 190
/// for two groups of 128 threads where 110 are four. Kernels that do not say it themselves get a bound by the numbers
/// that are live at once; those with the most of them have as many registers as they like.
std::uint32_t PtxWriter::groups_of_unit() const {
    struct Bound {
        std::uint32_t registers = 0, most_numbers = 0, least_threads = 0;
    };
    // The assembler makes a better order than the code has: kernels of 145 numbers of f32 at once fit 128 registers, of
    // 132 of f64, half of them factors on their way.
    constexpr std::array<Bound, 4> bounds{{{64, 58, 80}, {80, 66, 80}, {96, 72, 80}, {128, 150, 1}}};
    constexpr std::array<Bound, 4> bounds_of_doubles{{{64, 48, 80}, {80, 60, 80}, {96, 72, 80}, {128, 140, 64}}};
    // Half the bytes want twice the groups. Measured: LAB-0044.
    constexpr std::array<Bound, 4> bounds_of_halves{{{48, 39, 80}, {64, 81, 80}, {80, 101, 80}, {128, 150, 1}}};
    constexpr std::uint32_t registers_of_unit = 65536, warp = 32, most_groups = 16;  // which every card has room for
    const ir::LaunchAttributes& launch = kernel_.launch;
    if (launch.min_groups_per_unit != 0) return launch.min_groups_per_unit;
    if (launch.register_bound != 0) return 0;
    const auto has = [this](Scalar scalar) {
        return std::any_of(kernel_.code.begin(), kernel_.code.end(),
                           [scalar](const Instruction& i) { return i.type.scalar == scalar; });
    };
    const bool has_halves = has(Scalar::f16) || has(Scalar::bf16);
    // Indices that are divided by other numbers than powers of two, a prime's places, keep registers of their own: 97
    // points, of 55 numbers, spilled 56 bytes in 64 registers, and none in 80.
    constexpr std::uint32_t beside_divided_indices = 11;
    const std::uint32_t numbers =
        ir::numbers_live(kernel_) + (ir::divides_unevenly(kernel_) ? beside_divided_indices : 0);
    const std::uint32_t threads = (launch.group_size() + warp - 1) / warp * warp;
    for (const Bound& bound : has(Scalar::f64) ? bounds_of_doubles : has_halves ? bounds_of_halves : bounds)
        if (numbers <= bound.most_numbers && launch.group_size() >= bound.least_threads)
            return std::min(most_groups, registers_of_unit / (bound.registers * threads));
    return 0;
}

std::string PtxWriter::attributes() const {
    const ir::LaunchAttributes& launch = kernel_.launch;
    std::string text = ".maxntid " + std::to_string(launch.group_size()) + "\n";
    if (const std::uint32_t groups = groups_of_unit(); groups != 0)
        text += ".minnctapersm " + std::to_string(groups) + "\n";
    if (launch.register_bound != 0) text += ".maxnreg " + std::to_string(launch.register_bound) + "\n";
    if (launch.cluster[0] * launch.cluster[1] * launch.cluster[2] <= 1) return text;
    if (architecture_ < newest_target)
        throw Unsupported("ptx: kernel " + kernel_.name + ": clusters need sm_90, not " + target_.architecture);
    return text + ".explicitcluster\n.reqnctapercluster " + triple(launch.cluster) + "\n";
}

std::string PtxWriter::header() const {
    std::string text;
    for (std::size_t start = 0; start < kernel_.comment.size();) {
        const std::size_t end = std::min(kernel_.comment.find('\n', start), kernel_.comment.size());
        text += "// " + kernel_.comment.substr(start, end - start) + "\n";
        start = end + 1;
    }
    text += std::string(".version ") + (counts_arrivals_ ? language_with_arrivals : language_version) +
            "\n.target sm_" + std::to_string(architecture_) + "\n.address_size 64\n\n";
    const std::uint64_t shared = ir::shared_bytes(kernel_);
    if (shared > cuda_like::static_shared_limit) text += ".extern .shared .align 16 .b8 shared_memory[];\n\n";
    text += ".visible .entry " + kernel_.name + "(";
    unsigned number = 0;
    const auto parameter = [&](Scalar scalar, const std::string& name) {
        text += (number == 0 ? "\n    .param ." : ",\n    .param .") + ptx_type(scalar) + " arg" +
                std::to_string(number) + "_" + name;
        ++number;
    };
    for (const ir::BufferParameter& buffer : kernel_.buffers) parameter(Scalar::u64, buffer.name);
    for (const ir::ScalarParameter& scalar : kernel_.scalars) parameter(scalar.type.scalar, scalar.name);
    return text + ")\n" + attributes();
}

std::string PtxWriter::declarations() const {
    std::string text;
    for (std::size_t c = 0; c < registers_.size(); ++c)
        if (registers_[c] != 0)
            text += std::string("    .reg .") + class_types[c] + " " + class_prefixes[c] + "<" +
                    std::to_string(registers_[c]) + ">;\n";
    const std::uint64_t shared = ir::shared_bytes(kernel_);
    if (shared != 0 && shared <= cuda_like::static_shared_limit)
        text += "    .shared .align 16 .b8 shared_memory[" + std::to_string(shared) + "];\n";
    return text;
}

std::string PtxWriter::text() {
    if (!kernel_.images.empty())
        throw Unsupported("ptx: kernel " + kernel_.name +
                          ": expected arrays in buffers: images are for Vulkan, OpenGL and the interpreter");
    if (kernel_.launch.required_subgroup_size != 0 && kernel_.launch.required_subgroup_size != 32)
        throw Unsupported("ptx: kernel " + kernel_.name + ": expected a subgroup of 32, got " +
                          std::to_string(kernel_.launch.required_subgroup_size));
    const std::string head = header();
    load_arguments();
    if (target_.waits_for_previous) line("griddepcontrol.wait;");
    begin_arrivals();
    for (ValueId id = 0; id < kernel_.code.size(); ++id) {
        if (opens_guarded_run(kernel_, id) || opens_guarded_shared_run(kernel_, id))
            id = write_run(id);
        else
            write(id);
    }
    line("ret;");
    return head + "{\n" + declarations() + prologue_ + body_ + "}\n";
}

}  // namespace seiche::emit

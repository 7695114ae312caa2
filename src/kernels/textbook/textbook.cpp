// Kernels of textbook recipes: which thread has which item of which line, how it meets memory, and where roots of unity
// come from. The published algorithms are in docs/explanation/textbook-recipes.md.
#include "kernels/textbook/textbook.hpp"

#include <algorithm>
#include <bit>

#include "kernels/butterfly.hpp"
#include "kernels/generators.hpp"
#include "kernels/pointwise.hpp"
#include "kernels/tables.hpp"
#include "support/twiddle.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

namespace {

/// Of so many blocks, a power of two, those whose numbers end with an even count of ones.
std::uint64_t split_blocks(std::uint64_t count) {
    std::uint64_t blocks = 0;
    // Half of what is left ends with a 0 here, and of a single number nothing is left.
    for (std::uint64_t left = count; left > 0; left /= 4) blocks += left == 1 ? 1 : left / 2;
    return blocks;
}

struct Items {
    std::uint64_t n = 1;
    std::uint64_t operator()(const Butterflies& b) const { return n / b.radix; }
    std::uint64_t operator()(const SplitButterflies& s) const { return s.block == 2 ? n / 2 : n / 4; }
    std::uint64_t operator()(const CoprimeButterflies& c) const { return n / c.radix; }
    std::uint64_t operator()(const Level&) const { return n; }
    std::uint64_t operator()(const BlockLevels& l) const { return n / l.points; }
    std::uint64_t operator()(const FlaggedLevels& l) const { return l.groups(n) * (l.far(n) + 1); }
    std::uint64_t operator()(const Clearing& c) const { return c.counters; }
    std::uint64_t operator()(const Reversal&) const { return n; }
    std::uint64_t operator()(const Copying&) const { return n; }
    std::uint64_t operator()(const Sums&) const { return n; }
    std::uint64_t operator()(const MatrixRows& m) const { return (n + m.rows - 1) / m.rows; }
    std::uint64_t operator()(const ChunkStages& c) const { return n / c.points(); }
    std::uint64_t operator()(const Transposition& t) const {
        const std::uint64_t tile = transposed_tile(t.rows) * transposed_tile(t.columns);
        return n / tile;
    }
};

/// Whose barrier the kernel has; 1: none's.
template <class Levels>
std::uint32_t subgroup_of(const Textbook& textbook) {
    const auto* levels = std::get_if<Levels>(&textbook.work);
    return levels ? levels->subgroup : 1;
}

/// The roots that a kernel takes powers of.
struct Roots {
    std::uint64_t n = 1;
    std::uint64_t operator()(const Butterflies& b) const { return b.root > b.radix ? b.root : 1; }
    std::uint64_t operator()(const SplitButterflies& s) const { return s.block > 4 ? s.block : 1; }
    std::uint64_t operator()(const Level&) const { return n; }
    std::uint64_t operator()(const BlockLevels&) const { return n; }
    std::uint64_t operator()(const FlaggedLevels&) const { return n; }
    std::uint64_t operator()(const Sums&) const { return n; }
    std::uint64_t operator()(const ChunkStages& c) const { return std::uint64_t{1} << (c.first + c.stages); }
    template <class Other>
    std::uint64_t operator()(const Other&) const {
        return 1;
    }
};

}  // namespace

std::uint32_t transposed_tile(std::uint64_t side) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(side, 16));
}

std::uint64_t textbook_items(const Textbook& textbook) { return std::visit(Items{textbook.length}, textbook.work); }

std::uint64_t textbook_points(const KernelSpec& spec) {
    const Textbook& textbook = *spec.textbook();
    if (leaves_own_partners(spec)) return textbook.length - (std::uint64_t{1} << std::bit_width(textbook.length) / 2);
    if (std::holds_alternative<Clearing>(textbook.work)) return 0;
    if (const auto* flagged = std::get_if<FlaggedLevels>(&textbook.work))
        return textbook.length * (flagged->far(textbook.length) + 1);
    const auto* split = std::get_if<SplitButterflies>(&textbook.work);
    return split ? split_blocks(textbook.length / split->block) * split->block : textbook.length;
}

bool works_on_chip(const Textbook& textbook) {
    return std::holds_alternative<MatrixRows>(textbook.work) || std::holds_alternative<ChunkStages>(textbook.work) ||
           std::holds_alternative<Transposition>(textbook.work) || std::holds_alternative<BlockLevels>(textbook.work) ||
           std::holds_alternative<FlaggedLevels>(textbook.work);
}

bool has_counters(const KernelSpec& spec) {
    return !spec.pipeline.next.empty() ||
           (spec.textbook() && (std::holds_alternative<FlaggedLevels>(spec.textbook()->work) ||
                                std::holds_alternative<Clearing>(spec.textbook()->work)));
}

std::vector<TableContent> textbook_tables(const Textbook& textbook) {
    const std::uint64_t n = textbook.length;
    const auto blocks = static_cast<std::uint32_t>(n);
    if (std::holds_alternative<MatrixRows>(textbook.work)) return {BlockTwiddles{n, blocks, blocks, 1}};
    const std::uint64_t root = std::visit(Roots{n}, textbook.work);
    // A sum begins its recurrence with a power of its own.
    const bool begins = textbook.twiddles == TwiddleMethod::recurrence && std::holds_alternative<Sums>(textbook.work);
    if (root == 1 || (textbook.twiddles != TwiddleMethod::table && !begins)) return {};
    if (root <= most_listed_roots) return {PowerTable{root, 1, root}};
    const std::uint64_t step = power_table_step(root);
    return {PowerTable{root, 1, step}, PowerTable{root, step, (root + step - 1) / step}};
}

TextbookKernel::TextbookKernel(const KernelSpec& spec)
    : frame_(spec, 2), build_(frame_.builder), spec_(spec), book_(*spec.textbook()) {}

ir::Kernel TextbookKernel::build() {
    if (works_on_chip(book_))
        begin_group();
    else
        begin_items();
    std::visit([this](const auto& work) { make(work); }, book_.work);
    return build_.finish();
}

/// One item a thread. A group of several lines is a rectangle of items and lines, which covers whole lines together.
void TextbookKernel::begin_items() {
    const std::uint32_t group = std::get<GroupShape>(spec_.shape).sequences, lines = book_.lines;
    build_.kernel().launch.group = {group, 1, 1};
    Value number = build_.group_id() * std::uint64_t{group} + build_.thread_id();
    exists_ = build_.less(number, frame_.total);
    if (lines > 1) {
        const std::uint64_t items = spec_.loops[0].count, across = group / lines, period = items * lines;
        const Value block = number / period, inside = number % period, thread = inside % std::uint64_t{group};
        const Value x = book_.lines_first ? thread / std::uint64_t{lines} : thread % across;
        const Value y = book_.lines_first ? thread % std::uint64_t{lines} : thread / across;
        const Value item = inside / std::uint64_t{group} * across + x;
        number = (block * std::uint64_t{lines} + y) * items + item;
    }
    find_line(number);
}

/// One item a group.
void TextbookKernel::begin_group() {
    const GroupShape& shape = std::get<GroupShape>(spec_.shape);
    build_.kernel().launch.group = {shape.threads, 1, 1};
    build_.kernel().launch.cluster = {shape.groups_per_cluster, 1, 1};
    for (const std::uint32_t subgroup : {subgroup_of<BlockLevels>(book_), subgroup_of<FlaggedLevels>(book_)})
        if (subgroup > 1) build_.kernel().launch.required_subgroup_size = subgroup;
    const bool takes_tickets = std::holds_alternative<FlaggedLevels>(book_.work);
    find_line(takes_tickets ? build_.take_ticket(frame_.counters, frame_.u64(0)) : build_.group_id());
}

void TextbookKernel::find_line(Value sequence) {
    sequence_ = sequence;
    item_ = frame_.loop_index(sequence, 0);
    input_ = frame_.origin(sequence, Side::input);
    output_ = frame_.origin(sequence, Side::output);
}

Value TextbookKernel::reversed(Value place) {
    const auto bits = static_cast<unsigned>(std::countr_zero(book_.length));
    return bits == 0 ? place : build_.unary(ir::Op::bit_reverse, place) >> (32 - bits);
}

Complex TextbookKernel::load(Value place, Value when) {
    const Value exists = both(exists_, when);
    const Complex x = frame_.load(frame_.address(input_, place, 0, Side::input), 1, exists);
    return apply(frame_, spec_.in.stages, x, {place, sequence_, exists});
}

void TextbookKernel::store(Value place, Complex x, Value when) {
    const Value exists = both(exists_, when);
    const Complex y = apply(frame_, spec_.out.stages, x, {place, sequence_, exists});
    frame_.store(frame_.address(output_, place, 0, Side::output), y, exists);
}

Complex TextbookKernel::twiddle(Value exponent, std::uint64_t root) {
    const Complex w = root_of(exponent, root);
    return book_.inverse ? conj(w) : w;
}

Complex TextbookKernel::root_of(Value exponent, std::uint64_t root) {
    switch (book_.twiddles) {
        case TwiddleMethod::any:
        case TwiddleMethod::table: break;
        case TwiddleMethod::on_the_fly: return on_the_fly(exponent, root, false);
        case TwiddleMethod::native: return on_the_fly(exponent, root, true);
        case TwiddleMethod::recurrence: return recurrence(exponent, root);
    }
    if (root <= most_listed_roots) return frame_.table_entry(PowerTable{root, 1, root}, exponent, exists_);
    return power(frame_, root, exponent, exists_);
}

/// By half turns the angle is exact wherever the root is a power of two.
Complex TextbookKernel::on_the_fly(Value exponent, std::uint64_t root, bool is_native) {
    constexpr double pi = 3.14159265358979323846;
    const Value count = build_.convert(exponent, frame_.real.scalar);
    const double step = 2.0 / static_cast<double>(root);
    const Value angle = count * (is_native ? step * pi : step);
    const Value cosine = build_.unary(is_native ? ir::Op::approx_cos : ir::Op::cospi, angle);
    return {cosine, -build_.unary(is_native ? ir::Op::approx_sin : ir::Op::sinpi, angle)};
}

/// The powers w^1, w^2, w^4 ... by squaring, and those multiplied of which the exponent has the bit.
Complex TextbookKernel::recurrence(Value exponent, std::uint64_t root) {
    const support::ComplexValue first = support::twiddle(1, root);
    Complex square = build_.complex_constant(frame_.real, first.re, first.im);
    Complex w = build_.complex_constant(frame_.real, 1, 0);
    for (unsigned bit = 0; (root - 1) >> bit != 0; ++bit) {
        const Value is_set = build_.compare(ir::Op::not_equal, exponent & (std::uint64_t{1} << bit), frame_.u32(0));
        const Complex longer = w * square;
        w = {build_.select(is_set, longer.re, w.re), build_.select(is_set, longer.im, w.im)};
        square = square * square;
    }
    return w;
}

/// The inverse's results are the forward one's backwards.
std::vector<Complex> TextbookKernel::combined(const std::vector<Complex>& x) {
    std::vector<Complex> y = butterfly(build_, x);
    if (book_.inverse) std::reverse(y.begin() + 1, y.end());
    return y;
}

Complex TextbookKernel::turned(Complex x) { return book_.inverse ? times_i(x) : -times_i(x); }

Complex TextbookKernel::held(std::uint32_t at) {
    return {build_.private_load(held_, frame_.u32(2 * std::uint64_t{at}), frame_.real),
            build_.private_load(held_, frame_.u32(2 * std::uint64_t{at} + 1), frame_.real)};
}

void TextbookKernel::hold(std::uint32_t at, Complex x) {
    build_.private_store(held_, frame_.u32(2 * std::uint64_t{at}), x.re);
    build_.private_store(held_, frame_.u32(2 * std::uint64_t{at} + 1), x.im);
}

ir::Kernel generate_textbook(const KernelSpec& spec) { return TextbookKernel(spec).build(); }

}  // namespace seiche::kernels

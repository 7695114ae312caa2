// Random kernels: the interpreter, which computes once what all threads share and gives out registers by lifetime,
// against a plain evaluation of the same instructions, one thread after the other, each value in a place of its own.
#include <gtest/gtest.h>

#include <random>

#include "ir/analyse.hpp"
#include "tests/unit/ir/small_kernels.hpp"

namespace seiche::ir::test {
namespace {

constexpr std::uint32_t group_size = 20, groups = 3;

/// Writes a kernel of u32 values: arithmetic on random earlier values that are visible, loops, and a private array.
class Writer {
public:
    explicit Writer(unsigned seed) : b_("random"), engine_(seed) {
        b_.kernel().launch.group = {group_size, 1, 1};
        in_ = input(b_, "in", Scalar::u32);
        out_ = both(b_, "out", Scalar::u32);
        kept_ = b_.private_array("kept", Scalar::u32, 4);
        const Value t = b_.thread_id(), g = b_.group_id(), n = b_.scalar("n", Scalar::u32);
        visible_ = {
            t, g, n, u32(b_, 7), b_.global_load(in_, wide(t), Scalar::u32), b_.global_load(in_, wide(g), Scalar::u32)};
        for (std::uint32_t k = 0; k < 4; ++k) b_.private_store(kept_, u32(b_, k), pick());
    }

    Kernel run() {
        block(0);
        Value sum = u32(b_, 1);
        for (const Value v : visible_) sum = sum * 3_u + v;
        for (std::uint32_t k = 0; k < 4; ++k) sum = sum * 5_u + b_.private_load(kept_, u32(b_, k), Scalar::u32);
        b_.global_store(out_, wide(global_thread(b_)), sum);
        return b_.finish();
    }

private:
    Value pick() { return visible_[engine_() % visible_.size()]; }

    void block(unsigned depth) {
        const unsigned length = 5 + static_cast<unsigned>(engine_() % 20);
        for (unsigned k = 0; k < length; ++k) {
            const Value a = pick(), c = pick(), d = pick();
            switch (engine_() % 9) {
                case 0: visible_.push_back(a + c); break;
                case 1: visible_.push_back(a * c); break;
                case 2: visible_.push_back(b_.binary(Op::bit_xor, a, c)); break;
                case 3: visible_.push_back(b_.select(b_.less(a, c), d, c)); break;
                case 4: visible_.push_back(b_.mad(a, c, d)); break;
                case 5:
                    visible_.push_back(b_.extract(b_.shuffle(b_.compose({a, c}), b_.splat(d, 2), {3, 0, 1, 2}),
                                                  static_cast<unsigned>(engine_() % 4)));
                    break;
                case 6: visible_.push_back(b_.private_load(kept_, a & 3_u, Scalar::u32)); break;
                case 7: b_.private_store(kept_, a & 3_u, c); break;
                default:
                    if (depth < 2) loop(depth);
            }
        }
    }

    void loop(unsigned depth) {
        const std::size_t before = visible_.size();
        const Value begin = u32(b_, static_cast<std::uint32_t>(engine_() % 3)), end = u32(b_, 4),
                    step = u32(b_, 1 + static_cast<std::uint32_t>(engine_() % 2));
        visible_.push_back(b_.begin_loop(begin, end, step));
        block(depth + 1);
        b_.private_store(kept_, u32(b_, depth), pick());
        b_.end_loop();
        visible_.resize(before);
    }

    Builder b_;
    std::mt19937 engine_;
    std::uint32_t in_ = 0, out_ = 0, kept_ = 0;
    std::vector<Value> visible_;
};

/// One thread, instruction by instruction; values are vectors of up to 4 lanes.
class OneThread {
public:
    OneThread(const Kernel& kernel, const std::vector<std::uint32_t>& in, std::uint32_t group, std::uint32_t thread,
              std::uint32_t n)
        : kernel_(kernel), in_(in), group_(group), thread_(thread), n_(n), values_(kernel.code.size()) {}

    std::uint64_t result() {
        std::vector<std::pair<std::size_t, std::uint64_t>> loops;  // where each began, and its counter
        for (std::size_t pc = 0; pc < kernel_.code.size(); ++pc) {
            const Instruction& i = kernel_.code[pc];
            if (i.op == Op::loop_begin) {
                loops.emplace_back(pc, x(i, 0));
                values_[pc] = {x(i, 0)};
            } else if (i.op == Op::loop_end) {
                const Instruction& begin = kernel_.code[loops.back().first];
                loops.back().second += x(begin, 2);
                values_[loops.back().first] = {loops.back().second};
                if (loops.back().second < x(begin, 1))
                    pc = loops.back().first;
                else
                    loops.pop_back();
            } else {
                execute(pc, i);
            }
        }
        return stored_;
    }

private:
    using Lanes = std::array<std::uint64_t, 4>;
    std::uint64_t x(const Instruction& i, unsigned k) const { return values_[i.operands[k]][0]; }

    std::uint64_t scalar(const Instruction& i) const {
        switch (i.op) {
            case Op::parameter: return n_;
            case Op::group_id: return group_;
            case Op::thread_id: return thread_;
            case Op::add: return x(i, 0) + x(i, 1);
            case Op::mul: return x(i, 0) * x(i, 1);
            case Op::bit_xor: return x(i, 0) ^ x(i, 1);
            case Op::bit_and: return x(i, 0) & x(i, 1);
            case Op::shift_left: return x(i, 0) << x(i, 1);
            case Op::less: return x(i, 0) < x(i, 1);
            case Op::select: return x(i, 0) != 0 ? x(i, 1) : x(i, 2);
            case Op::mad: return x(i, 0) * x(i, 1) + x(i, 2);
            case Op::convert: return x(i, 0);
            case Op::extract: return values_[i.operands[0]][i.immediate];
            case Op::global_load: return in_.at(x(i, 0));
            case Op::private_load: return kept_.at(x(i, 0));
            default: ADD_FAILURE() << "no meaning for " << op_name(i.op); return 0;
        }
    }

    void execute(std::size_t pc, const Instruction& i) {
        Lanes& value = values_[pc];
        switch (i.op) {
            case Op::private_store: kept_.at(x(i, 0)) = x(i, 1); return;
            case Op::global_store: stored_ = x(i, 1); return;
            case Op::constant:
                value.fill(i.immediate);  // a vector constant is a splat
                return;
            case Op::splat: value.fill(x(i, 0)); return;
            case Op::compose: value = {x(i, 0), x(i, 1)}; return;
            case Op::shuffle:
                for (unsigned lane = 0; lane < i.type.lanes; ++lane) {
                    const std::uint8_t from = kernel_.patterns[i.immediate][lane];
                    value[lane] = from < 2 ? values_[i.operands[0]][from] : values_[i.operands[1]][from - 2u];
                }
                return;
            default: break;
        }
        value[0] = scalar(i);
        if (i.type.scalar == Scalar::u32) value[0] &= 0xffffffffu;
    }

    const Kernel& kernel_;
    const std::vector<std::uint32_t>& in_;
    std::uint32_t group_, thread_, n_;
    std::vector<Lanes> values_;
    std::array<std::uint64_t, 4> kept_{};
    std::uint64_t stored_ = 0;
};

TEST(interpret_random, agrees_with_one_thread_at_a_time) {
    for (unsigned seed = 0; seed < 300; ++seed) {
        const Kernel kernel = Writer(seed).run();
        verify(kernel);
        std::vector<std::uint32_t> in(group_size), out(group_size * groups, 0), analysed(group_size * groups, 0);
        for (std::uint32_t k = 0; k < group_size; ++k) in[k] = k * 2654435761u;
        Launch launch = launch_of({bound(in), bound(out)}, groups);
        launch.scalars = {seed};
        interpret(kernel, launch);
        for (std::uint32_t k = 0; k < out.size(); ++k) {
            ASSERT_EQ(out[k], OneThread(kernel, in, k / group_size, k % group_size, seed).result())
                << "seed " << seed << ", thread " << k;
        }
        launch.buffers[1] = bound(analysed);
        const Analysis a = analyse(kernel, launch);  // the same run, every value kept for every thread
        ASSERT_EQ(analysed, out) << "seed " << seed;
        EXPECT_EQ(a.out_of_bounds + a.uninitialised_reads + a.global_races, 0u);
    }
}

}  // namespace
}  // namespace seiche::ir::test

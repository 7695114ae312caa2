// Planes and cubes of real numbers (RegisterRows): a group has whole blocks in shared memory, one number to a
// place, and of each axis in turn a thread has a whole row, which it puts back where it was. So only one barrier is
// between two axes, and what passes it is half of the points that a spectrum would have.
//
// The numbers of a plane come to shared memory in memory's order, since rows of one thread would touch a line each, and
// go back so, or from the last axis's registers where neighbouring rows fill sectors. Of a cube the slowest axis, whose
// rows lie beside each other, comes straight from memory.
#include "kernels/generators.hpp"
#include "kernels/real/row_layout.hpp"
#include "kernels/real/row_transform.hpp"
#include "kernels/user_stage.hpp"
#include "support/strides.hpp"

namespace seiche::kernels {

namespace {

using ir::Value;

class RegisterRowsKernel {
public:
    explicit RegisterRowsKernel(const KernelSpec& spec)
        : spec_(spec),
          shape_(std::get<GroupShape>(spec.shape)),
          frame_(spec, 2),
          build_(frame_.builder),
          layout_(std::get<RegisterRows>(spec.work).places),
          threads_(shape_.threads * shape_.sequences) {
        frame_.joins_loops = true;
    }

    ir::Kernel build() {
        build_.bound_threads(threads_);
        plane_ = build_.shared_array("numbers", frame_.real, layout_.block * shape_.sequences);
        first_ = build_.group_id() * std::uint64_t{shape_.sequences};
        const std::vector<std::size_t> order = row_axis_order(spec_);
        if (!loads_rows(spec_)) load();
        for (const std::size_t axis : order) {
            const bool is_first = axis == order.front(), is_last = axis == order.back();
            const Number row = row_of_thread(axis);
            std::vector<Value> numbers;
            if (is_first && loads_rows(spec_)) {
                numbers = load_row(axis, row);
            } else {
                build_.group_barrier();
                numbers = get_row(axis, row);
            }
            if (!spec_.movement_only) numbers = transform_row(frame_, spec_.register_rows()[axis].map, numbers);
            if (is_last) scale(numbers);
            if (is_last && stores_rows(spec_))
                store_row(axis, row, numbers);
            else
                put_row(axis, row, numbers);
        }
        if (!stores_rows(spec_)) {
            build_.group_barrier();
            store();
        }
        return build_.finish();
    }

private:
    /// What the thread's id makes of an index, none where that is 0, and what is added whatever the thread.
    struct Index {
        Value of_thread;
        std::uint64_t ahead = 0;
    };
    /// A number, or a row without an index along its own axis: its block of the group's, and where it is in that.
    struct Number {
        Index block;
        std::vector<Index> along;
        Value exists;             ///< Empty: always.
        std::uint64_t first = 0;  ///< Before the thread's, in memory's order.
    };

    static Value sum(Value a, Value b) { return !a ? b : !b ? a : a + b; }

    /// Numbers: those of the thread, at most `most`, and what is ahead of them.
    struct Count {
        Value t;
        std::uint64_t most = 0, ahead = 0;
    };
    /// Takes the index along the fastest axis from a count of numbers and leaves the count of rows. Where the sum of
    /// both parts does not carry they stay apart, so that what is ahead remains a constant.
    Index take(Count& count, std::uint64_t length) {
        Index index;
        if (count.t && count.most + count.ahead % length >= length && count.ahead % length != 0) {
            count.t = count.t + count.ahead;
            count.most += count.ahead;
            count.ahead = 0;
        }
        index.ahead = count.ahead % length;
        count.ahead /= length;
        if (!count.t) return index;
        if (count.most + index.ahead < length) {
            index.of_thread = count.t;
            count.t = {};
            count.most = 0;
            return index;
        }
        index.of_thread = count.t % length;
        count.t = count.t / length;
        count.most /= length;
        return index;
    }

    /// The thread's number, or its row along axis `without`, behind the first `first` of the group's.
    Number number_of(std::uint64_t first, std::size_t without) {
        Number number;
        number.first = first;
        Count count{build_.thread_id(), threads_ - 1, first};
        for (std::size_t i = 0; i < spec_.register_rows().size(); ++i)
            number.along.push_back(i == without ? Index{} : take(count, spec_.register_rows()[i].map.length));
        number.block = {count.t, count.ahead};
        return number;
    }

    Number row_of_thread(std::size_t axis) {
        Number row = number_of(0, axis);
        const std::uint64_t rows = rows_of_axis(spec_, axis) * shape_.sequences;
        if (rows < threads_) row.exists = build_.less(build_.thread_id(), frame_.u32(rows));
        return row;
    }

    std::vector<Number> numbers_of_thread() {
        const std::uint64_t count = numbers_of_rows(spec_) * shape_.sequences;
        std::vector<Number> all;
        for (std::uint64_t first = 0; first < count; first += threads_) {
            all.push_back(number_of(first, spec_.register_rows().size()));
            if (first + threads_ > count)
                all.back().exists = build_.less(build_.thread_id(), frame_.u32(count - first));
        }
        return all;
    }

    Value block_of(const Number& number) { return value_of(number.block); }

    /// Whether there is such a block in the launch.
    Value live(const Number& number) {
        const Value is_there = build_.less(first_ + block_of(number), frame_.total);
        return number.exists ? number.exists & is_there : is_there;
    }

    Value place(const Number& number) {
        Value of_thread;
        std::uint64_t ahead = number.block.ahead * layout_.block;
        if (number.block.of_thread) of_thread = number.block.of_thread * std::uint64_t{layout_.block};
        for (std::size_t i = 0; i < number.along.size(); ++i) {
            const Index& index = number.along[i];
            ahead += index.ahead * layout_.axes[i];
            if (index.of_thread) of_thread = sum(of_thread, index.of_thread * std::uint64_t{layout_.axes[i]});
        }
        return of_thread ? of_thread + ahead : frame_.u32(ahead);
    }

    Value value_of(const Index& index) {
        return index.of_thread ? index.of_thread + index.ahead : frame_.u32(index.ahead);
    }

    /// Of a row the one at k.
    RowNumber for_stage(const Number& number, std::size_t own, std::uint64_t k, Value is_live) {
        RowNumber result{{}, first_ + block_of(number), is_live};
        for (std::size_t i = 0; i < number.along.size(); ++i)
            result.along.push_back(i == own ? frame_.u32(k) : value_of(number.along[i]));
        return result;
    }
    RowNumber for_stage(const Number& number, Value is_live) {
        return for_stage(number, spec_.register_rows().size(), 0, is_live);
    }

    /// Whether all numbers follow each other in memory.
    bool is_dense(Side side) const {
        const auto stride_of = [side](const auto& one) {
            return side == Side::input ? one.input_stride : one.output_stride;
        };
        std::int64_t numbers = 1;
        for (const RowAxis& axis : spec_.register_rows()) {
            if (stride_of(axis) != numbers) return false;
            numbers = support::times(axis.map.length, numbers);
        }
        std::vector<std::int64_t> strides;
        strides.reserve(spec_.loops.size());
        for (const Loop& loop : spec_.loops) strides.push_back(stride_of(loop));
        return follow_each_other(spec_.loops, strides) && strides.front() == numbers;
    }

    Value address(const Number& number, Side side) {
        Value at = frame_.origin(first_ + block_of(number), side);
        for (std::size_t i = 0; i < number.along.size(); ++i) {
            const RowAxis& axis = spec_.register_rows()[i];
            const Index& index = number.along[i];
            const std::int64_t stride = side == Side::input ? axis.input_stride : axis.output_stride;
            if (index.of_thread) at = at + frame_.widen(index.of_thread) * static_cast<std::uint64_t>(stride);
            at = at + static_cast<std::uint64_t>(support::times(index.ahead, stride));
        }
        return at;
    }

    std::vector<Value> addresses(const std::vector<Number>& all, Side side) {
        std::vector<Value> at;
        at.reserve(all.size());
        const bool is_run = is_dense(side);
        const Value begin = is_run ? frame_.origin(first_, side) + frame_.widen(build_.thread_id()) : Value{};
        for (const Number& number : all) at.push_back(is_run ? begin + number.first : address(number, side));
        return at;
    }

    /// Through the user's stage, if there is one.
    template <class Where>
    Value passed(const std::vector<Stage>& stages, Value number, const Where& where) {
        return user_stage(stages) ? apply_to_number(frame_, stages, where(), number) : number;
    }

    void load() {
        const std::vector<Number> all = numbers_of_thread();
        const std::vector<Value> from = addresses(all, Side::input);
        std::vector<Value> numbers;
        numbers.reserve(all.size());
        for (std::size_t i = 0; i < all.size(); ++i) numbers.push_back(frame_.load_real(from[i], 1, live(all[i])));
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Value number = passed(spec_.in.stages, numbers[i], [&] { return for_stage(all[i], live(all[i])); });
            build_.shared_store(plane_, place(all[i]), number, all[i].exists);
        }
    }

    std::vector<Value> get_row(std::size_t axis, const Number& row) {
        const Value first = place(row);
        std::vector<Value> numbers;
        numbers.reserve(spec_.register_rows()[axis].map.length);
        for (std::uint64_t k = 0; k < spec_.register_rows()[axis].map.length; ++k)
            numbers.push_back(build_.shared_load(plane_, first + k * layout_.axes[axis], frame_.real, row.exists));
        return numbers;
    }

    void scale(std::vector<Value>& numbers) {
        for (const Stage& stage : spec_.out.stages)
            if (const auto* scale = std::get_if<Multiply>(&stage))
                for (Value& number : numbers) number = number * build_.constant(frame_.real, scale->factor);
    }

    void put_row(std::size_t axis, const Number& row, const std::vector<Value>& numbers) {
        const Value first = place(row);
        for (std::uint64_t k = 0; k < numbers.size(); ++k)
            build_.shared_store(plane_, first + k * layout_.axes[axis], numbers[k], row.exists);
    }

    std::vector<Value> load_row(std::size_t axis, const Number& row) {
        const Value first = address(row, Side::input), is_live = live(row);
        const auto stride = static_cast<std::uint64_t>(spec_.register_rows()[axis].input_stride);  // modulo 2^64
        std::vector<Value> numbers;
        numbers.reserve(spec_.register_rows()[axis].map.length);
        for (std::uint64_t k = 0; k < spec_.register_rows()[axis].map.length; ++k)
            numbers.push_back(frame_.load_real(first + k * stride, 1, is_live));
        for (std::uint64_t k = 0; k < numbers.size(); ++k)
            numbers[k] = passed(spec_.in.stages, numbers[k], [&] { return for_stage(row, axis, k, is_live); });
        return numbers;
    }

    void store_row(std::size_t axis, const Number& row, const std::vector<Value>& numbers) {
        const Value first = address(row, Side::output), is_live = live(row);
        const auto stride = static_cast<std::uint64_t>(spec_.register_rows()[axis].output_stride);
        for (std::uint64_t k = 0; k < numbers.size(); ++k) {
            const Value number = passed(spec_.out.stages, numbers[k], [&] { return for_stage(row, axis, k, is_live); });
            frame_.store_real(first + k * stride, number, is_live);
        }
    }

    void store() {
        const std::vector<Number> all = numbers_of_thread();
        const std::vector<Value> to = addresses(all, Side::output);
        std::vector<Value> numbers;
        numbers.reserve(all.size());
        for (const Number& number : all)
            numbers.push_back(build_.shared_load(plane_, place(number), frame_.real, number.exists));
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Value is_live = live(all[i]);
            const Value number = passed(spec_.out.stages, numbers[i], [&] { return for_stage(all[i], is_live); });
            frame_.store_real(to[i], number, is_live);
        }
    }

    const KernelSpec& spec_;
    const GroupShape& shape_;
    Frame frame_;
    ir::Builder& build_;
    const BlockPlaces& layout_;
    const std::uint32_t threads_;  ///< Of a group.
    std::uint32_t plane_ = 0;
    Value first_;  ///< The group's first block in the launch.
};

}  // namespace

ir::Kernel generate_register_rows(const KernelSpec& spec) { return RegisterRowsKernel(spec).build(); }

}  // namespace seiche::kernels

// Arrays that are images: an access to an element becomes one to the texel that has it, as if the rows of the image
// were memory, one after the other. An element is a texel, two of them (a pair of real numbers), or half of one, which
// can be loaded only: its other half is another thread's.
#include <optional>
#include <string>

#include "ir/optimise.hpp"
#include "ir/print.hpp"
#include "ir/rewriter.hpp"
#include "seiche/error.hpp"

namespace seiche::ir {

namespace {

constexpr unsigned texel_lanes = 4;

class Placer final : Rewriter {
public:
    Placer(const Kernel& kernel, const std::vector<BufferImage>& images)
        : Rewriter(kernel), image_of_(kernel.buffers.size()), new_index_(kernel.buffers.size()) {
        for (const BufferImage& image : images) image_of_[image.buffer] = image;
        Kernel& made = build_.kernel();
        made.buffers.clear();
        for (std::uint32_t b = 0; b < kernel.buffers.size(); ++b) {
            const BufferParameter& buffer = kernel.buffers[b];
            new_index_[b] = static_cast<std::uint32_t>(image_of_[b] ? made.images.size() : made.buffers.size());
            if (!image_of_[b]) {
                made.buffers.push_back(buffer);
                continue;
            }
            check_element(b);
            made.images.push_back({buffer.name, image_of_[b]->format, buffer.access, buffer.may_alias});
        }
    }

    Kernel run() {
        for (ValueId id = 0; id < old_.code.size(); ++id) {
            const Instruction& i = old_.code[id];
            if (is_global_access(i.op) && image_of_[i.symbol])
                values_[id] = i.op == Op::global_load ? load(i) : store(i);
            else
                values_[id] = copy(renamed(i));
        }
        return build_.finish();
    }

private:
    [[noreturn]] void fault(std::uint32_t buffer, const std::string& what) const {
        throw InternalError("kernel '" + old_.name + "': buffer '" + old_.buffers[buffer].name + "' as an image of " +
                            to_string(image_of_[buffer]->format) + ": " + what);
    }

    void check_element(std::uint32_t b) const {
        const BufferParameter& buffer = old_.buffers[b];
        const unsigned own = channels(image_of_[b]->format), lanes = buffer.element.lanes;
        if (buffer.element.scalar != Scalar::f32 || buffer.table || buffer.parts > 1)
            fault(b, "expected numbers of f32 in one buffer");
        if (lanes != own && lanes != 2 * own && 2 * lanes != own)
            fault(b, "expected elements of half a texel to two, got " + ir::to_string(buffer.element));
    }

    Instruction renamed(const Instruction& i) const {
        const bool is_copy = i.op == Op::async_copy || i.op == Op::async_bulk_copy;
        const auto source = static_cast<std::uint32_t>(i.immediate);
        if (is_copy && image_of_[source]) fault(source, "it is read by an asynchronous copy");
        if (op_kind(i.op) == OpKind::atomic && image_of_[i.symbol]) fault(i.symbol, "it is used by an atomic");
        return with_buffers(i, new_index_);
    }

    /// Where a texel is, counted along the rows.
    struct Texel {
        Value x, y;
    };
    Texel at(const Instruction& i, Value number) {
        const std::uint64_t width = image_of_[i.symbol]->width;
        return {number % width, number / width};
    }

    /// The place of element `ahead` of the access, in elements. No image has 2^32 texels.
    Value element(const Instruction& i, unsigned ahead) {
        return build_.convert(operand(i, 0), Scalar::u32) + std::uint64_t{ahead};
    }

    Value load_texel(const Instruction& i, Value number) {
        const Texel texel = at(i, number);
        Instruction load{.op = Op::image_load, .type = Type(Scalar::f32, texel_lanes), .symbol = new_index_[i.symbol]};
        const Value predicate = operand(i, predicate_slot(i.op));
        load.operands = {texel.x.id(), texel.y.id(), predicate ? predicate.id() : no_value, no_value};
        return build_.effect(load);
    }

    Value load(const Instruction& i) {
        const unsigned lanes = old_.buffers[i.symbol].element.lanes, own = channels(image_of_[i.symbol]->format);
        std::vector<Value> numbers;
        for (unsigned e = 0; e < i.type.lanes / lanes; ++e) {
            const Value first = element(i, e);
            if (own > lanes) {
                const Value texel = load_texel(i, first / std::uint64_t{2});
                const Value is_first =
                    build_.compare(Op::equal, first % std::uint64_t{2}, build_.integer(Scalar::u32, 0));
                for (unsigned k = 0; k < lanes; ++k)
                    numbers.push_back(
                        build_.select(is_first, build_.extract(texel, k), build_.extract(texel, k + lanes)));
                continue;
            }
            for (unsigned t = 0; t < lanes / own; ++t) {
                const Value texel = load_texel(i, first * std::uint64_t{lanes / own} + std::uint64_t{t});
                for (unsigned k = 0; k < own; ++k) numbers.push_back(build_.extract(texel, k));
            }
        }
        return joined(std::move(numbers));
    }

    Value store(const Instruction& i) {
        const unsigned lanes = old_.buffers[i.symbol].element.lanes, own = channels(image_of_[i.symbol]->format);
        if (own > lanes) fault(i.symbol, "half a texel cannot be stored");
        const Value all = operand(i, 1), zero = build_.constant(Type(Scalar::f32), 0);
        const Value predicate = operand(i, predicate_slot(i.op));
        for (unsigned first = 0; first < i.type.lanes; first += own) {
            const Value number =
                element(i, first / lanes) * std::uint64_t{lanes / own} + std::uint64_t{first % lanes / own};
            const Texel texel = at(i, number);
            std::array<Value, texel_lanes> parts{zero, zero, zero, zero};
            for (unsigned k = 0; k < own; ++k) parts[k] = slice(all, first + k, 1);
            const Value value = build_.compose({parts[0], parts[1], parts[2], parts[3]});
            Instruction store{.op = Op::image_store, .type = value.type(), .symbol = new_index_[i.symbol]};
            store.operands = {texel.x.id(), texel.y.id(), value.id(), predicate ? predicate.id() : no_value};
            build_.effect(store);
        }
        return {};
    }

    std::vector<std::optional<BufferImage>> image_of_;  // by old buffer
    std::vector<std::uint32_t> new_index_;              // likewise, among the buffers or the images
};

}  // namespace

Kernel place_in_images(const Kernel& kernel, const std::vector<BufferImage>& images) {
    return images.empty() ? kernel : Placer(kernel, images).run();
}

}  // namespace seiche::ir

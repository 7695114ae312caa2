#include "several_cards.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <utility>

#include "crew.hpp"
#include "entry.hpp"
#include "seiche/distributed/plan.hpp"
#include "seiche/distributed/redistribution.hpp"
#include "slabs.hpp"

namespace seiche::compat {

namespace {

using distributed::Box;

struct Card {
    std::shared_ptr<const Site> site;
    Queue queue;
    Allocation own_area;
    BufferView workspace;
    std::uint64_t bytes = 0, work_bytes = 0;
};

class Cards final : public SeveralCards {
public:
    Cards(std::vector<int> numbers, const PlanRequest& request, std::optional<double> scale, bool allocates);

    std::vector<std::uint64_t> work_bytes() const override;
    void set_work_areas(void* const* areas) override;
    std::vector<Allocation> allocate() const override;
    const std::vector<int>& cards() const override { return numbers_; }
    void expect_format(int format) const override;
    void upload(const LibXtDescriptor& to, const void* from) override;
    void download(void* to, const LibXtDescriptor& from) override;
    void copy(const LibXtDescriptor& to, const LibXtDescriptor& from) override;
    void execute(LibXtDescriptor& array, int direction) override;
    void execute(void* input, void* output, int direction) override;
    void set_stream(void* stream) override;

private:
    /// One card's part of a transform or of a redistribution.
    using Plans = std::vector<distributed::DistributedPlan>;
    using Moves = std::vector<distributed::Redistribution>;

    bool is_shuffled(const LibXtDescriptor& array) const {
        return shape_.has_two_cuts() && array.sub_format == format_inplace_shuffled;
    }
    const std::vector<Box>& boxes(bool is_shuffled) const { return is_shuffled ? shuffled_ : natural_; }
    std::vector<Box> boxes_of(bool is_shuffled, bool is_real) const;
    Direction direction_of(int direction) const;
    const Plans& plans(Direction direction, bool from_shuffled);
    const Moves& moves(bool from_shuffled);
    void set_work_area(Card& card, void* area);
    XtDescriptor& memory_of(const LibXtDescriptor& array) const;
    /// Calls copy(place in the host's array, place in the card's, bytes), in bytes, for each row that is contiguous.
    template <class Copy>
    void for_rows(const Box& box, bool is_shuffled, const Copy& copy) const;

    std::vector<int> numbers_;
    PlanRequest request_;
    std::optional<double> scale_;
    Shape shape_;
    std::vector<Box> natural_, shuffled_;
    std::vector<Card> cards_;
    std::vector<std::shared_ptr<distributed::Communicator>> ranks_;
    std::map<std::pair<Direction, bool>, Plans> plans_;
    std::map<bool, Moves> moves_;
    bool allocates_ = true, is_made_ = false;
    Crew crew_;  // destroyed first
};

Cards::Cards(std::vector<int> numbers, const PlanRequest& request, std::optional<double> scale, bool allocates)
    : numbers_(std::move(numbers)),
      request_(request),
      scale_(scale),
      shape_(request),
      allocates_(allocates),
      crew_(numbers_.size()) {
    const int count = static_cast<int>(numbers_.size());
    natural_ = distributed::slab(shape_.complex, 0, count);
    shuffled_ = distributed::slab(shape_.complex, shape_.has_two_cuts() ? 1 : 0, count);
    ranks_ = distributed::thread_ranks(count);
    for (std::size_t rank = 0; rank < numbers_.size(); ++rank) {
        Card card;
        card.site = site_of_card(numbers_[rank]);
        card.queue = card.site->queue(nullptr);
        card.bytes = std::max(natural_[rank].count(), shuffled_[rank].count()) * shape_.element;
        cards_.push_back(std::move(card));
    }
    const bool has_two_cuts = shape_.has_two_cuts();
    if (request.elements.kind != Kind::c2r) plans(Direction::forward, false);
    if (request.elements.kind != Kind::r2c) plans(Direction::inverse, has_two_cuts);
    is_made_ = true;
}

std::vector<Box> Cards::boxes_of(bool is_shuffled, bool is_real) const {
    std::vector<Box> made = boxes(is_shuffled);
    if (!is_real) return made;
    for (Box& box : made) box = shape_.padded_real(std::move(box));  // cut along the first axis alone
    return made;
}

const Cards::Plans& Cards::plans(Direction direction, bool from_shuffled) {
    const auto found = plans_.find({direction, from_shuffled});
    if (found != plans_.end()) return found->second;
    const bool is_forward = direction == Direction::forward, to_shuffled = shape_.has_two_cuts() && !from_shuffled;
    Problem problem;
    problem.lengths = shape_.real;
    for (int axis = 0; axis < request_.rank; ++axis) problem.axes.push_back(axis + (shape_.is_batched ? 1 : 0));
    problem.kind = request_.elements.kind;
    problem.precision = request_.elements.precision;
    problem.storage = request_.elements.storage;
    problem.placement = Placement::in_place;
    if (scale_) problem.forward_scale = problem.inverse_scale = Scale::factor(*scale_);
    distributed::DistributedOptions options;
    options.directions = is_forward ? Directions::forward : Directions::inverse;
    const distributed::Boxes boxes{boxes_of(from_shuffled, problem.kind == Kind::r2c),
                                   boxes_of(to_shuffled, problem.kind == Kind::c2r)};
    Plans made(cards_.size());
    crew_.run([&](std::size_t rank) {
        made[rank] = distributed::DistributedPlan(cards_[rank].site->device(), problem, boxes, ranks_[rank], options);
    });
    for (std::size_t rank = 0; rank < cards_.size(); ++rank) {
        Card& card = cards_[rank];
        card.bytes = std::max({card.bytes, made[rank].input_bytes(), made[rank].output_bytes()});
        if (made[rank].workspace_bytes() <= card.work_bytes) continue;
        card.work_bytes = made[rank].workspace_bytes();
        card.workspace = {};
        // The program knows the sizes of the plans that are made first.
        if (allocates_ || is_made_) {
            card.own_area = card.site->allocate(card.work_bytes);
            set_work_area(card, card.own_area.pointer);
        }
    }
    return plans_.emplace(std::pair{direction, from_shuffled}, std::move(made)).first->second;
}

const Cards::Moves& Cards::moves(bool from_shuffled) {
    Moves& made = moves_[from_shuffled];
    if (!made.empty()) return made;
    const distributed::Element element{request_.elements.precision, request_.elements.storage, true};
    Moves fresh(cards_.size());
    crew_.run([&](std::size_t rank) {
        fresh[rank] = distributed::Redistribution(cards_[rank].site->device(), element, shape_.complex,
                                                  boxes(from_shuffled), boxes(!from_shuffled), ranks_[rank]);
    });
    return made = std::move(fresh);
}

// ---- Memory

void Cards::set_work_area(Card& card, void* area) {
    card.workspace = {};
    if (area != nullptr && card.work_bytes != 0)
        card.workspace = card.site->keeps_buffers() ? card.site->buffer(area, card.work_bytes)
                                                    : card.site->device().allocate(card.work_bytes);
}

void Cards::set_work_areas(void* const* areas) {
    allocates_ = false;
    for (std::size_t rank = 0; rank < cards_.size(); ++rank) {
        cards_[rank].own_area = {};
        set_work_area(cards_[rank], areas[rank]);
    }
}

std::vector<std::uint64_t> Cards::work_bytes() const {
    std::vector<std::uint64_t> bytes;
    for (const Card& card : cards_) bytes.push_back(card.work_bytes);
    return bytes;
}

std::vector<Allocation> Cards::allocate() const {
    std::vector<Allocation> made;
    for (const Card& card : cards_) {
        made.push_back(card.site->allocate(std::max(card.bytes, shape_.element)));
        made.back().bytes = card.bytes;
    }
    return made;
}

void Cards::expect_format(int format) const {
    const bool is_line = !shape_.is_batched && shape_.complex.size() == 1;
    if (format == format_inplace || format == format_inplace_shuffled ||
        (is_line && format == format_1d_input_shuffled))
        return;
    throw Refused{not_implemented, "the format " + std::to_string(format) + " is not for plans of several cards"};
}

XtDescriptor& Cards::memory_of(const LibXtDescriptor& array) const {
    XtDescriptor& memory = *array.descriptor;
    expect_format(array.sub_format);
    if (memory.card_count != static_cast<int>(cards_.size()))
        throw Refused{invalid_value, "the descriptor is of " + std::to_string(memory.card_count) +
                                         " cards, and the plan of " + std::to_string(cards_.size())};
    for (std::size_t rank = 0; rank < cards_.size(); ++rank) {
        const std::string card = "the descriptor's memory of card " + std::to_string(memory.cards[rank]);
        if (memory.cards[rank] != numbers_[rank])
            throw Refused{invalid_value, card + ": the plan has card " + std::to_string(numbers_[rank]) + " here"};
        if (memory.size[rank] < cards_[rank].bytes || (cards_[rank].bytes != 0 && memory.data[rank] == nullptr))
            throw Refused{invalid_value, card + " has " + std::to_string(memory.size[rank]) + " bytes, expected " +
                                             std::to_string(cards_[rank].bytes)};
    }
    return memory;
}

template <class Copy>
void Cards::for_rows(const Box& box, bool is_shuffled, const Copy& copy) const {
    if (box.empty()) return;
    std::uint64_t inner = shape_.element;  // of one index of the axis that is cut
    const std::size_t cut = is_shuffled ? 1 : 0;
    for (std::size_t axis = cut + 1; axis < shape_.complex.size(); ++axis) inner *= shape_.complex[axis];
    const std::uint64_t bytes = box.extent(cut) * inner, from = box.lower[cut] * inner;
    const std::uint64_t row = shape_.complex[cut] * inner, rows = cut == 0 ? 1 : shape_.complex[0];
    for (std::uint64_t at = 0; at < rows; ++at) copy(at * row + from, at * bytes, bytes);
}

void Cards::upload(const LibXtDescriptor& to, const void* from) {
    const XtDescriptor& memory = memory_of(to);
    const auto* const host = static_cast<const char*>(from);
    const bool is_cut_anew = is_shuffled(to);
    crew_.run([&](std::size_t rank) {
        const Box& box = boxes(is_cut_anew)[rank];
        std::vector<char> part(box.count() * shape_.element);
        for_rows(box, is_cut_anew, [&](std::uint64_t there, std::uint64_t here, std::uint64_t bytes) {
            std::memcpy(part.data() + here, host + there, bytes);
        });
        if (part.empty()) return;
        const Site& site = *cards_[rank].site;
        if (site.keeps_buffers())
            cards_[rank].queue.upload(site.buffer(memory.data[rank], part.size()), part.data(), part.size());
        else
            std::memcpy(memory.data[rank], part.data(), part.size());
    });
}

void Cards::download(void* to, const LibXtDescriptor& from) {
    const XtDescriptor& memory = memory_of(from);
    auto* const host = static_cast<char*>(to);
    const bool is_cut_anew = is_shuffled(from);
    crew_.run([&](std::size_t rank) {
        const Box& box = boxes(is_cut_anew)[rank];
        std::vector<char> part(box.count() * shape_.element);
        if (part.empty()) return;
        cards_[rank].queue.download(part.data(), cards_[rank].site->buffer(memory.data[rank], part.size()),
                                    part.size());
        for_rows(box, is_cut_anew, [&](std::uint64_t there, std::uint64_t here, std::uint64_t bytes) {
            std::memcpy(host + there, part.data() + here, bytes);
        });
    });
}

void Cards::copy(const LibXtDescriptor& to, const LibXtDescriptor& from) {
    const XtDescriptor &into = memory_of(to), &out_of = memory_of(from);
    const bool from_shuffled = is_shuffled(from), moves_it = from_shuffled != is_shuffled(to);
    for (std::size_t rank = 0; rank < cards_.size(); ++rank)
        if (cards_[rank].bytes != 0 && into.data[rank] == out_of.data[rank])
            throw Refused{invalid_value, "the source and the target are the same memory"};
    const Moves* const ways = moves_it ? &moves(from_shuffled) : nullptr;
    crew_.run([&](std::size_t rank) {
        Card& card = cards_[rank];
        const std::uint64_t bytes = moves_it ? card.bytes : boxes(from_shuffled)[rank].count() * shape_.element;
        Buffer target, source;
        if (bytes != 0) {
            target = card.site->buffer(into.data[rank], bytes);
            source = card.site->buffer(out_of.data[rank], bytes);
        }
        if (ways != nullptr) {
            const distributed::Redistribution& way = (*ways)[rank];
            Buffer workspace;
            if (way.workspace_bytes() != 0) workspace = card.site->device().allocate(way.workspace_bytes());
            way.execute(card.queue, source, target, workspace);
            card.queue.wait();
        } else if (bytes != 0) {
            card.queue.copy(target, source, bytes);
            card.queue.wait();
        }
        if (bytes != 0) card.site->finish(card.queue, into.data[rank], target);
    });
}

// ---- Executing

Direction Cards::direction_of(int direction) const {
    const Kind kind = request_.elements.kind;
    if (direction == direction_forward && kind != Kind::c2r) return Direction::forward;
    if (direction == direction_inverse && kind != Kind::r2c) return Direction::inverse;
    throw Refused{invalid_value, "the direction is " + std::to_string(direction) + ", which the plan has not"};
}

void Cards::execute(LibXtDescriptor& array, int direction) {
    const XtDescriptor& memory = memory_of(array);
    const Direction way = direction_of(direction);
    const bool from_shuffled = is_shuffled(array);
    if (request_.elements.kind != Kind::c2c && shape_.has_two_cuts() && from_shuffled != (way == Direction::inverse))
        throw Refused{invalid_value, "real arrays are in the format 2, and their spectra in the format 3"};
    const Plans& made = plans(way, from_shuffled);
    for (const Card& card : cards_)
        if (card.work_bytes != 0 && !card.workspace.buffer)
            throw Refused{no_workspace, "the plan has no work area of " + std::to_string(card.work_bytes) + " bytes"};
    crew_.run([&](std::size_t rank) {
        Card& card = cards_[rank];
        distributed::DistributedExecution execution;
        if (card.bytes != 0) execution.input = card.site->buffer(memory.data[rank], card.bytes);
        execution.workspace = card.workspace;
        made[rank].execute(card.queue, execution);
        if (card.bytes != 0) card.site->finish(card.queue, memory.data[rank], execution.input.buffer);
    });
    if (shape_.is_batched) return;
    const bool was_natural = array.sub_format == format_inplace || array.sub_format == format_1d_input_shuffled;
    array.sub_format = was_natural ? format_inplace_shuffled : format_inplace;
}

void Cards::execute(void*, void*, int) { throw Refused{invalid_plan, "a plan of several cards takes descriptors"}; }

void Cards::set_stream(void*) { throw Refused{not_supported, "a plan of several cards has no stream"}; }

}  // namespace

std::unique_ptr<SeveralCards> several_cards(const std::vector<int>& cards, const PlanRequest& request,
                                            std::optional<double> scale, bool allocates) {
    problems_of(request, scale);  // refuses sizes that make no sense
    if (!request.is_basic) throw Refused{not_implemented, "plans of several cards have the basic layout"};
    if (request.rank == 1 && request.batch == 1 && request.elements.kind != Kind::c2c)
        throw Refused{not_implemented, "one real array of one axis is not cut: expected a complex one, or a batch"};
    return std::make_unique<Cards>(cards, request, scale, allocates);
}

}  // namespace seiche::compat

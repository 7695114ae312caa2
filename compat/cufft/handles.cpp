#include "handles.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>

#include "entry.hpp"

namespace seiche::compat {

namespace {

// A handle is a place, counted from 1, in its low bits, and above them how often that place had a plan before: one of a
// plan that was destroyed does not become another's. Places are taken in turn, so that this takes long to come round.
constexpr unsigned place_bits = 20, chunk_bits = 10;
constexpr std::uint32_t places = 1u << place_bits, chunk_places = 1u << chunk_bits, chunks = places / chunk_places;
constexpr std::uint32_t most_generations = 1u << (31 - place_bits);
constexpr std::size_t kept_free = 1024;

struct Place {
    std::mutex mutex;
    std::unique_ptr<FftPlan> plan;
    std::uint32_t generation = 0;
};

// Places are never freed: calls may come while the process ends, and drivers may be gone by then.
std::array<std::atomic<Place*>, chunks> table{};

/// Who makes and destroys handles.
struct Ledger {
    std::mutex mutex;
    std::deque<std::uint32_t> free;
    std::uint32_t used = 0;  // places that ever had a plan
};
Ledger& ledger() {
    static auto* const ledger = new Ledger;
    return *ledger;
}

[[noreturn]] void refuse_handle() {
    throw Refused{invalid_plan, "the handle is of no plan, or of one that was destroyed"};
}

std::uint32_t number_of(Handle handle) {
#ifdef SEICHE_COMPAT_HIPFFT
    const auto number = reinterpret_cast<std::uintptr_t>(handle);
    if (number > INT32_MAX) refuse_handle();
    return static_cast<std::uint32_t>(number);
#else
    if (handle <= 0) refuse_handle();
    return static_cast<std::uint32_t>(handle);
#endif
}

Handle handle_of(std::uint32_t number) {
#ifdef SEICHE_COMPAT_HIPFFT
    return reinterpret_cast<Handle>(static_cast<std::uintptr_t>(number));
#else
    return static_cast<Handle>(number);
#endif
}

Place& place_at(std::uint32_t index) {
    Place* const chunk = table[index / chunk_places].load(std::memory_order_acquire);
    if (chunk == nullptr) refuse_handle();
    return chunk[index % chunk_places];
}

std::uint32_t take_place() {
    Ledger& own = ledger();
    const std::lock_guard lock(own.mutex);
    if (own.free.size() > kept_free || (own.used == places - 1 && !own.free.empty())) {
        const std::uint32_t index = own.free.front();
        own.free.pop_front();
        return index;
    }
    if (own.used == places - 1) throw Refused{alloc_failed, "there are too many plans at a time"};
    const std::uint32_t index = own.used++;
    if (index % chunk_places == 0)
        table[index / chunk_places].store(new Place[chunk_places], std::memory_order_release);
    return index;
}

void give_place_back(std::uint32_t index) {
    const std::lock_guard lock(ledger().mutex);
    ledger().free.push_back(index);
}

struct Found {
    std::uint32_t index;
    Place& place;
    std::unique_lock<std::mutex> lock;
};

Found find(Handle handle) {
    const std::uint32_t number = number_of(handle), low = number & (places - 1);
    if (low == 0) refuse_handle();
    const std::uint32_t index = low - 1;
    Place& place = place_at(index);
    std::unique_lock lock(place.mutex);
    if (!place.plan || place.generation != number >> place_bits) refuse_handle();
    return {index, place, std::move(lock)};
}

}  // namespace

Handle create_handle() {
    auto plan = std::make_unique<FftPlan>();
    const std::uint32_t index = take_place();
    Place& place = place_at(index);
    const std::lock_guard lock(place.mutex);
    place.plan = std::move(plan);
    return handle_of(place.generation << place_bits | (index + 1));
}

LockedPlan plan_of(Handle handle) {
    Found found = find(handle);
    return {std::move(found.lock), *found.place.plan};
}

void destroy_handle(Handle handle) {
    std::unique_ptr<FftPlan> plan;
    std::uint32_t index = 0;
    {
        const Found found = find(handle);
        index = found.index;
        plan = std::move(found.place.plan);
        found.place.generation = (found.place.generation + 1) % most_generations;
    }
    give_place_back(index);
}

}  // namespace seiche::compat

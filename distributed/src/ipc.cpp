// Ranks that are processes of one machine and copy from each other's memory. They tell each other twice in an exchange:
// where the bytes are, when the mark "they are written" is recorded, and that "this rank's copies are done" is.
#include "seiche/distributed/ipc.hpp"

#include <cstring>
#include <exception>
#include <set>
#include <utility>
#include <vector>

#include "agreement.hpp"
#include "exchange_checks.hpp"
#include "seiche/error.hpp"

namespace seiche::distributed {

namespace {

/// Texts and numbers, one after the other in a text.
class Writer {
public:
    void add(std::uint64_t number) { text_.append(reinterpret_cast<const char*>(&number), sizeof(number)); }
    void add(const std::string& text) {
        add(text.size());
        text_ += text;
    }
    void add(const std::vector<std::uint64_t>& numbers) {
        for (const std::uint64_t number : numbers) add(number);
    }
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

class Reader {
public:
    explicit Reader(const std::string& text) : text_(text) {}
    std::uint64_t number() {
        std::uint64_t value = 0;
        std::memcpy(&value, take(sizeof(value)), sizeof(value));
        return value;
    }
    std::string text() {
        const auto bytes = static_cast<std::size_t>(number());
        return {take(bytes), bytes};
    }
    std::vector<std::uint64_t> numbers(std::size_t count) {
        std::vector<std::uint64_t> found(count);
        for (std::uint64_t& value : found) value = number();
        return found;
    }

private:
    const char* take(std::size_t bytes) {
        if (bytes > text_.size() - place_) throw InternalError("ipc: expected more bytes from another rank");
        place_ += bytes;
        return text_.data() + place_ - bytes;
    }

    const std::string& text_;
    std::size_t place_ = 0;
};

/// What a rank sends, as it tells the others.
struct Offer {
    Ipc::Shared memory;
    std::vector<std::uint64_t> send_bytes, send_offsets;
};

std::string text_of(const Offer& offer) {
    Writer writer;
    writer.add(offer.memory.handle);
    writer.add(offer.memory.offset);
    writer.add(offer.memory.bytes);
    writer.add(offer.send_bytes);
    writer.add(offer.send_offsets);
    return writer.text();
}

Offer offer_of(const std::string& text, std::size_t ranks) {
    Reader reader(text);
    Offer offer;
    offer.memory.handle = reader.text();
    offer.memory.offset = reader.number();
    offer.memory.bytes = reader.number();
    offer.send_bytes = reader.numbers(ranks);
    offer.send_offsets = reader.numbers(ranks);
    return offer;
}

void check_processes(const std::vector<std::string>& processes, const std::vector<std::string>& machines) {
    for (std::size_t rank = 1; rank < processes.size(); ++rank) {
        if (machines[rank] != machines[0])
            throw InvalidProblem("ipc: expected all ranks on one machine, got rank " + std::to_string(rank) +
                                 " on another than rank 0");
        for (std::size_t other = 0; other < rank; ++other)
            if (processes[rank] == processes[other])
                throw InvalidProblem("ipc: expected a process for each rank, got ranks " + std::to_string(other) +
                                     " and " + std::to_string(rank) + " in one: peer copies are for threads");
    }
}

class IpcRank final : public Communicator {
public:
    IpcRank(std::shared_ptr<Communicator> ranks, Device device, std::shared_ptr<Ipc> ipc)
        : ranks_(std::move(ranks)), device_(std::move(device)), ipc_(std::move(ipc)) {
        together(*ranks_, [&] {
            if (!ipc_) throw Unsupported("ipc: expected a driver for it, found none: is there an NVIDIA card?");
            ipc_->check(device_);
        });
        check_processes(ranks_->all_gather(ipc_->process()), ranks_->all_gather(ipc_->machine()));
        Writer own;
        together(*ranks_, [&] {
            written_ = ipc_->make_mark(device_);
            taken_ = ipc_->make_mark(device_);
            own.add(ipc_->share(*written_));
            own.add(ipc_->share(*taken_));
        });
        const std::vector<std::string> texts = ranks_->all_gather(own.text());
        others_.resize(texts.size());
        together(*ranks_, [&] {
            for (std::size_t rank = 0; rank < texts.size(); ++rank) {
                if (rank == place()) continue;
                Reader reader(texts[rank]);
                others_[rank].written = ipc_->open_mark(device_, reader.text());
                others_[rank].taken = ipc_->open_mark(device_, reader.text());
            }
        });
    }

    int rank() const override { return ranks_->rank(); }
    int size() const override { return ranks_->size(); }
    std::vector<std::string> all_gather(const std::string& own) override { return ranks_->all_gather(own); }
    void barrier() override { ranks_->barrier(); }
    std::optional<std::uint64_t> shortest_row(const Device& /*device*/) const override { return ipc_->shortest_row(); }
    std::shared_ptr<Marks> marks(const Device& /*device*/) const override { return ipc_; }
    std::string transport() const override { return "copies between processes (IPC)"; }

    std::shared_ptr<Communicator> split(int color, int key) override {
        std::shared_ptr<Communicator> group = ranks_->split(color, key);
        return group ? ipc_ranks(std::move(group), device_, ipc_) : nullptr;
    }

    void all_to_all_v(Queue& queue, const Exchange& exchange) override {
        check_exchange(exchange, others_.size());
        Offer own{{}, exchange.send_bytes, exchange.send_offsets};
        if (sends(exchange)) own.memory = ipc_->share(device_, exchange.send);
        ipc_->record(queue, *written_);
        const std::vector<std::string> texts = ranks_->all_gather(text_of(own));
        std::exception_ptr failure;  // thrown when all have taken what they need
        const auto guarded = [&](const auto& work) {
            try {
                work();
            } catch (const AbsentRank&) {
                throw;
            } catch (...) {
                if (!failure) failure = std::current_exception();
            }
        };
        guarded([&] { take_all(queue, exchange, texts); });
        guarded([&] { ipc_->record(queue, *taken_); });
        ranks_->barrier();
        guarded([&] {
            for (std::size_t to = 0; to < others_.size(); ++to)
                if (to != place() && exchange.send_bytes[to] != 0) ipc_->wait_for(queue, *others_[to].taken);
        });
        if (failure) std::rethrow_exception(failure);
    }

private:
    /// Another rank: its marks, and its memory that was sent from last.
    struct Other {
        std::shared_ptr<Marks::Mark> written, taken;
        std::string handle;
        std::shared_ptr<const Buffer> memory;
    };

    std::size_t place() const { return static_cast<std::size_t>(ranks_->rank()); }

    bool sends(const Exchange& exchange) const {
        for (std::size_t to = 0; to < others_.size(); ++to)
            if (to != place() && exchange.send_bytes[to] != 0) return true;
        return false;
    }

    /// Begins with the next rank, so that not all read from the same one at first.
    void take_all(Queue& queue, const Exchange& exchange, const std::vector<std::string>& texts) {
        for (std::size_t i = 1; i <= others_.size(); ++i) {
            const std::size_t from = (place() + i) % others_.size();
            const Offer offer = offer_of(texts[from], others_.size());
            const std::uint64_t bytes = exchange.receive_bytes[from];
            check_agreement(from, offer.send_bytes[place()], place(), bytes);
            if (bytes == 0) continue;
            BufferView source = exchange.send, target = exchange.receive;
            if (from != place()) {
                source = {memory_of(queue, from, offer.memory), offer.memory.offset};
                ipc_->wait_for(queue, *others_[from].written);
            }
            if (exchange.rows.empty()) {
                source.byte_offset += offer.send_offsets[place()];
                target.byte_offset += exchange.receive_offsets[from];
                ipc_->copy(queue, target, source, bytes);
            }
            for (std::size_t row = 0; !exchange.rows.empty() && row < exchange.rows[from].size(); ++row)
                ipc_->copy_rows(queue, device_, target, device_, source, exchange.rows[from][row]);
        }
    }

    const Buffer& memory_of(Queue& queue, std::size_t rank, const Ipc::Shared& shared) {
        Other& other = others_[rank];
        if (!other.memory || other.handle != shared.handle) {
            if (other.memory) queue.wait();  // copies from it may be under way
            other.memory.reset();
            other.memory = ipc_->open_memory(device_, shared);
            other.handle = shared.handle;
        }
        return *other.memory;
    }

    std::shared_ptr<Communicator> ranks_;
    Device device_;
    std::shared_ptr<Ipc> ipc_;
    std::shared_ptr<Marks::Mark> written_, taken_;
    std::vector<Other> others_;
};

}  // namespace

std::shared_ptr<Communicator> ipc_ranks(std::shared_ptr<Communicator> ranks, const Device& device,
                                        std::shared_ptr<Ipc> ipc) {
    if (!ranks) throw InvalidProblem("ipc: expected ranks, got none");
    return std::make_shared<IpcRank>(std::move(ranks), device, std::move(ipc));
}

}  // namespace seiche::distributed

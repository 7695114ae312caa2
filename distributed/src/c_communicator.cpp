// The C interface of communicators.
#include <optional>

#include "c_arguments.hpp"
#include "seiche/distributed/ipc.hpp"
#include "seiche/distributed/messages.hpp"
#include "seiche/distributed/mpi_abi.hpp"
#include "seiche/distributed/nccl.hpp"
#include "seiche/distributed/peers.hpp"

namespace seiche::distributed::in_c {

std::shared_ptr<Communicator> ranks_of(const seiche_communicator* communicator, const char* name) {
    require(communicator, name);
    return communicator->value;
}

namespace {

MessageOptions options_of(const seiche_message_options* given) {
    const auto read = struct_or<seiche_message_options>(given, SEICHE_MESSAGE_OPTIONS_INIT, "options");
    MessageOptions options;
    options.time_limit = time_limit_of(read.time_limit_ms);
    options.reads_device_memory = read.reads_device_memory != 0;
    return options;
}

std::string text_or_empty(const char* text) { return text == nullptr ? "" : text; }

/// A communicator that `make` gives.
template <class Make>
seiche_status make_ranks(seiche_communicator** communicator, const Make& make) {
    return guard([&] {
        start(communicator, "communicator");
        auto result = std::make_unique<seiche_communicator>();
        result->value = make();
        *communicator = result.release();
    });
}

/// Messages by the functions of a program in C.
class CallerMessages final : public Messages {
public:
    explicit CallerMessages(const seiche_messages& caller) : caller_(caller) {}
    ~CallerMessages() override {
        if (caller_.release != nullptr) caller_.release(caller_.user);
    }

    void open(std::chrono::milliseconds time_limit) {
        if (caller_.open == nullptr || caller_.send == nullptr || caller_.receive == nullptr ||
            caller_.is_done == nullptr)
            throw InvalidProblem("messages: expected the functions open, send, receive and is_done, got NULL for one");
        check("open", caller_.open(caller_.user, static_cast<std::uint64_t>(time_limit.count()), &rank_, &size_));
        if (rank_ < 0 || rank_ >= size_)
            throw InvalidProblem("messages.open: expected a rank below the number of ranks, got rank " +
                                 std::to_string(rank_) + " of " + std::to_string(size_));
    }
    int rank() const override { return rank_; }
    int size() const override { return size_; }

    std::unique_ptr<Request> send(const void* data, std::uint64_t bytes, int to, int) override {
        auto request = std::make_unique<Pending>(*this);
        if (bytes == 0) return request;
        check("send", caller_.send(caller_.user, data, bytes, to, request->start()));
        return request;
    }
    std::unique_ptr<Request> receive(void* data, std::uint64_t bytes, int from, int) override {
        auto request = std::make_unique<Pending>(*this);
        if (bytes == 0) return request;
        check("receive", caller_.receive(caller_.user, data, bytes, from, request->start()));
        return request;
    }
    void abandon() noexcept override {
        if (caller_.abandon != nullptr) caller_.abandon(caller_.user);
    }

private:
    class Pending final : public Request {
    public:
        explicit Pending(CallerMessages& messages) : messages_(messages) {}
        void** start() { return &request_.emplace(nullptr); }
        bool is_done() override {
            if (!request_) return true;
            const seiche_messages& caller = messages_.caller_;
            int is_done = 0;
            messages_.check("is_done", caller.is_done(caller.user, *request_, &is_done));
            return is_done != 0;
        }

    private:
        CallerMessages& messages_;
        std::optional<void*> request_ = {};  ///< None for a message without bytes.
    };

    void check(const char* call, int code) const {
        if (code == 0) return;
        const char* const text = caller_.error_text == nullptr ? nullptr : caller_.error_text(caller_.user, code);
        throw BackendError(std::string("messages.") + call + ": " +
                           (text == nullptr ? "error " + std::to_string(code) : std::string(text)));
    }

    seiche_messages caller_;
    int rank_ = 0, size_ = 0;
};

std::shared_ptr<Communicator> message_ranks(const seiche_messages& messages, const seiche_message_options* given) {
    auto own = std::make_shared<CallerMessages>(messages);
    const MessageOptions options = options_of(given);
    own->open(options.time_limit);
    return communicator(std::move(own), options);
}

}  // namespace
}  // namespace seiche::distributed::in_c

using namespace seiche::distributed;  // NOLINT(google-build-using-namespace)
using in_c::guard;
using in_c::make_ranks;

extern "C" {

void seiche_communicator_release(seiche_communicator* communicator) { delete communicator; }

int seiche_communicator_rank(const seiche_communicator* communicator) {
    return communicator == nullptr ? -1 : communicator->value->rank();
}

int seiche_communicator_size(const seiche_communicator* communicator) {
    return communicator == nullptr ? 0 : communicator->value->size();
}

seiche_status seiche_communicator_barrier(seiche_communicator* communicator) {
    return guard([&] { in_c::ranks_of(communicator, "communicator")->barrier(); });
}

seiche_status seiche_communicator_split(seiche_communicator* communicator, int color, int key,
                                        seiche_communicator** part) {
    return guard([&] {
        in_c::start(part, "part");
        auto group = in_c::ranks_of(communicator, "communicator")->split(color, key);
        if (group != nullptr) *part = new seiche_communicator{std::move(group)};
    });
}

seiche_status seiche_communicator_transport(const seiche_communicator* communicator, char** text) {
    return guard([&] {
        in_c::start(text, "text");
        *text = seiche::c::text(in_c::ranks_of(communicator, "communicator")->transport());
    });
}

void seiche_thread_options_init(seiche_thread_options* options, size_t struct_size) {
    in_c::start_struct<seiche_thread_options>(options, struct_size, SEICHE_THREAD_OPTIONS_INIT);
}

seiche_status seiche_thread_ranks(int count, const seiche_thread_options* options, seiche_communicator** ranks) {
    return guard([&] {
        in_c::require(ranks, "ranks");
        for (int rank = 0; rank < count; ++rank) ranks[rank] = nullptr;
        const auto read = in_c::struct_or<seiche_thread_options>(options, SEICHE_THREAD_OPTIONS_INIT, "options");
        ThreadOptions how;
        how.time_limit = in_c::time_limit_of(read.time_limit_ms);
        how.transport = in_c::checked_enum<Transport>(read.transport, SEICHE_TRANSPORT_PEER, "options.transport");
        std::vector<std::unique_ptr<seiche_communicator>> handles;
        for (auto& rank : thread_ranks(count, how)) {
            handles.push_back(std::make_unique<seiche_communicator>());
            handles.back()->value = std::move(rank);
        }
        for (auto& handle : handles) *ranks++ = handle.release();
    });
}

void seiche_message_options_init(seiche_message_options* options, size_t struct_size) {
    in_c::start_struct<seiche_message_options>(options, struct_size, SEICHE_MESSAGE_OPTIONS_INIT);
}

void seiche_messages_init(seiche_messages* messages, size_t struct_size) {
    in_c::start_struct<seiche_messages>(messages, struct_size, SEICHE_MESSAGES_INIT);
}

seiche_status seiche_mpi_abi_world(const seiche_message_options* options, const char* library,
                                   seiche_communicator** communicator) {
    return make_ranks(communicator,
                      [&] { return mpi::world(in_c::options_of(options), in_c::text_or_empty(library)); });
}

seiche_status seiche_mpi_abi_communicator(void* comm, const seiche_message_options* options, const char* library,
                                          seiche_communicator** communicator) {
    return make_ranks(communicator, [&] {
        return mpi::abi_communicator(comm, in_c::options_of(options), in_c::text_or_empty(library));
    });
}

seiche_status seiche_mpi_abi_communicator_from_int(int comm, const seiche_message_options* options, const char* library,
                                                   seiche_communicator** communicator) {
    return make_ranks(communicator, [&] {
        return mpi::abi_communicator_from_int(comm, in_c::options_of(options), in_c::text_or_empty(library));
    });
}

seiche_status seiche_message_ranks(const seiche_messages* messages, const seiche_message_options* options,
                                   seiche_communicator** communicator) {
    return make_ranks(communicator, [&] {
        seiche_messages read = SEICHE_MESSAGES_INIT;
        seiche::c::read_struct(messages, &read, sizeof read, "messages");
        return in_c::message_ranks(read, options);
    });
}

seiche_status seiche_nccl_ranks(const seiche_communicator* ranks, const seiche_device* device, const char* library,
                                seiche_communicator** communicator) {
    return make_ranks(communicator, [&] {
        NcclOptions options;
        options.library = in_c::text_or_empty(library);
        return nccl_ranks(in_c::ranks_of(ranks, "ranks"), seiche::c::device(device), options);
    });
}

seiche_status seiche_ipc_ranks(const seiche_communicator* ranks, const seiche_device* device,
                               seiche_communicator** communicator) {
    return make_ranks(communicator,
                      [&] { return ipc_ranks(in_c::ranks_of(ranks, "ranks"), seiche::c::device(device)); });
}

}  // extern "C"

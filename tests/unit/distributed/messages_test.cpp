// Ranks over messages, and the messages of MPI, on an MPI that is made up: its ranks are threads, its longest message
// has five bytes, and it fails when it is told to.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>

#include "case.hpp"
#include "says.hpp"
#include "seiche/distributed/mpi_messages.hpp"

namespace seiche::distributed::test {
namespace {

using namespace std::chrono_literals;
using Shared = std::shared_ptr<Communicator>;

/// What the ranks of one made-up MPI share.
struct Post {
    std::mutex mutex;
    /// Messages by sender, receiver and tag.
    std::map<std::tuple<int, int, int>, std::deque<std::string>> boxes;
    int ranks = 0;
    std::atomic<int> duplicates{0}, unreachable{-1}, longest{0}, freed{0};
};

struct MadeUpMpi {
    using Comm = int;
    struct Request {
        void* data = nullptr;
        std::uint64_t bytes = 0;
        int from = -1, tag = -1;
        bool is_duplicate = false;
    };
    static constexpr std::uint64_t most_bytes = 5;

    int isend(const void* data, std::uint64_t bytes, int to, int tag, Comm, Request* request) const {
        if (post->unreachable == to) return 17;
        const std::lock_guard lock(post->mutex);
        post->longest = std::max<int>(post->longest, static_cast<int>(bytes));
        post->boxes[{rank, to, tag}].emplace_back(static_cast<const char*>(data), bytes);
        *request = {};
        return 0;
    }
    int irecv(void* data, std::uint64_t bytes, int from, int tag, Comm, Request* request) const {
        *request = {data, bytes, from, tag};
        return 0;
    }
    int test(Request* request, int* is_done) const {
        const std::lock_guard lock(post->mutex);
        *is_done = request->is_duplicate ? post->duplicates == post->ranks : request->data == nullptr;
        if (request->data == nullptr) return 0;
        if (post->unreachable == request->from) return 17;
        auto& box = post->boxes[{request->from, rank, request->tag}];
        if (box.empty()) return 0;
        if (box.front().size() != request->bytes) return 18;
        std::memcpy(request->data, box.front().data(), request->bytes);
        box.pop_front();
        *is_done = 1;
        return 0;
    }
    int comm_idup(Comm comm, Comm* duplicate, Request* request) const {
        ++post->duplicates;
        *duplicate = comm;
        *request = {};
        request->is_duplicate = true;
        return 0;
    }
    int comm_free(Comm*) const {
        ++post->freed;
        return 0;
    }
    int errors_return(Comm) const { return 0; }
    int comm_rank(Comm, int* own) const {
        *own = rank;
        return 0;
    }
    int comm_size(Comm, int* size) const {
        *size = post->ranks;
        return 0;
    }
    std::string error_text(int code) const { return code == 17 ? "nobody there" : "another size"; }
    void abandon() const noexcept {}

    std::shared_ptr<Post> post;
    int rank = 0;
};

/// Runs the action on ranks that are threads; what each says.
template <class Action>
std::vector<std::string> on_messages(const std::shared_ptr<Post>& post, int ranks, std::chrono::milliseconds limit,
                                     const Action& action) {
    post->ranks = ranks;
    std::vector<std::string> said(static_cast<std::size_t>(ranks));
    std::vector<std::thread> threads;
    for (int rank = 0; rank < ranks; ++rank)
        threads.emplace_back([&, rank] {
            said[static_cast<std::size_t>(rank)] = refusal([&] {
                MessageOptions options;
                options.time_limit = limit;
                action(
                    communicator(std::make_shared<MpiMessages<MadeUpMpi>>(MadeUpMpi{post, rank}, 0, limit), options));
            });
        });
    for (std::thread& thread : threads) thread.join();
    return said;
}

std::vector<std::string> all_well(int ranks) {
    return std::vector<std::string>(static_cast<std::size_t>(ranks), "accepted");
}

TEST(Messages, CarryTransforms) {
    const Device device = Device::open("reference");
    for (std::uint64_t seed = 100; seed < 105; ++seed) {
        const auto post = std::make_shared<Post>();
        const int ranks = static_cast<int>(seed % 5) + 2;
        const auto said = on_messages(post, ranks, 20s, [&](const Shared& own) {
            const std::string text = fault(device, random_case(seed, own->size()), own);
            if (!text.empty()) throw InternalError(text);
        });
        EXPECT_EQ(said, all_well(ranks));
        EXPECT_EQ(post->longest, 5);  // longer ones went in parts
        EXPECT_EQ(post->freed, ranks);
    }
}

TEST(Messages, StayInTheirGroups) {
    const auto said = on_messages(std::make_shared<Post>(), 4, 20s, [](const Shared& own) {
        const int rank = own->rank();
        const Shared half = own->split(rank % 2, 0), turned = own->split(0, -rank), inner = half->split(0, -rank);
        for (const Shared& group : {inner, turned, half, own}) {
            const auto texts = group->all_gather(std::to_string(rank) + (group == turned ? "!" : ""));
            for (const std::string& text : texts)
                if ((text.back() == '!') != (group == turned)) throw InternalError("a message of another group");
            if (std::stoi(texts[static_cast<std::size_t>(group->rank())]) != rank) throw InternalError("another rank");
        }
        if (half->size() != 2 || inner->rank() != 1 - half->rank() || turned->rank() != 3 - rank)
            throw InternalError("another place");
        if (own->split(-1, 0) != nullptr) throw InternalError("a group of nobody");
    });
    EXPECT_EQ(said, all_well(4));
}

TEST(Messages, NameTheRanksThatDoNotAnswer) {
    const auto said = on_messages(std::make_shared<Post>(), 4, 200ms, [](const Shared& own) {
        if (own->rank() == 1 || own->rank() == 2) return;
        try {
            own->barrier();
        } catch (const AbsentRank& error) {
            if (error.rank != 1) throw InternalError("another rank");
        }
        own->barrier();  // says the same again, at once
    });
    EXPECT_EQ(said[0], "BackendError: messages: ranks 1, 2 of 4 did not answer within 0.2 s");
    EXPECT_EQ(said[3], said[0]);
}

TEST(Messages, NameTheRankThatCannotBeReached) {
    const auto other = std::make_shared<Post>();
    other->unreachable = 2;
    const auto again = on_messages(other, 3, 20s, [](const Shared& own) {
        if (own->rank() != 2) own->barrier();
    });
    EXPECT_EQ(again[0], "BackendError: messages: rank 2 of 3 cannot be reached: MPI_Isend: nobody there");
    EXPECT_EQ(again[1], again[0]);
    EXPECT_EQ(other->freed, 1);  // the others leave what may still be written to
}

TEST(Messages, OfRanksThatDoNotComeToTheStart) {
    const auto post = std::make_shared<Post>();
    post->ranks = 2;  // and there is one
    EXPECT_EQ(refusal([&] {
                  MpiMessages<MadeUpMpi>(MadeUpMpi{post, 0}, 0, 50ms);
              }),
              "BackendError: MPI_Comm_idup: not all 2 ranks came within 50 ms");
}

TEST(Messages, OfNobodyAreRefused) {
    EXPECT_EQ(refusal([] { communicator(nullptr); }), "InvalidProblem: communicator: expected messages, got none");
}

}  // namespace
}  // namespace seiche::distributed::test

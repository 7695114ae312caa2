// Runs an action on each of several ranks that are threads, and says what each of them threw.
#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "says.hpp"
#include "seiche/distributed/communicator.hpp"

namespace seiche::distributed::test {

/// By rank; "accepted" where nothing was thrown.
template <class Action>
std::vector<std::string> on_ranks(int ranks, std::chrono::milliseconds limit, const Action& action) {
    std::vector<std::shared_ptr<Communicator>> all = thread_ranks(ranks, limit);
    std::vector<std::string> said(all.size());
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < all.size(); ++rank)
        threads.emplace_back([&action, &text = said[rank], own = std::move(all[rank])]() mutable {
            text = refusal([&] { action(own); });
            own.reset();
        });
    for (std::thread& thread : threads) thread.join();
    return said;
}

}  // namespace seiche::distributed::test

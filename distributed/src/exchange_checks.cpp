#include "exchange_checks.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace seiche::distributed {

std::string seconds(std::chrono::milliseconds time) {
    char text[32];
    std::snprintf(text, sizeof(text), "%g s", static_cast<double>(time.count()) / 1000);
    return text;
}

void check_exchange(const Exchange& exchange, std::size_t ranks) {
    for (const auto* numbers :
         {&exchange.send_bytes, &exchange.send_offsets, &exchange.receive_bytes, &exchange.receive_offsets})
        if (numbers->size() != ranks)
            throw InvalidProblem("exchange: expected a number for each of " + std::to_string(ranks) + " ranks, got " +
                                 std::to_string(numbers->size()));
    if (!exchange.rows.empty() && exchange.rows.size() != ranks)
        throw InvalidProblem("exchange: expected rows for each of " + std::to_string(ranks) + " ranks or none, got " +
                             std::to_string(exchange.rows.size()));
}

void check_agreement(std::size_t from, std::uint64_t sent, std::size_t to, std::uint64_t expected) {
    if (sent != expected)
        throw InvalidProblem("exchange: rank " + std::to_string(to) + " expected " + std::to_string(expected) +
                             " bytes from rank " + std::to_string(from) + ", which sends " + std::to_string(sent));
}

std::vector<std::size_t> members_of_split(Communicator& communicator, int color, int key) {
    const std::vector<std::string> texts = communicator.all_gather(std::to_string(color) + " " + std::to_string(key));
    std::vector<std::pair<int, std::size_t>> found;
    for (std::size_t rank = 0; rank < texts.size(); ++rank) {
        const std::size_t space = texts[rank].find(' ');
        if (color >= 0 && std::stoi(texts[rank]) == color)
            found.emplace_back(std::stoi(texts[rank].substr(space)), rank);
    }
    std::sort(found.begin(), found.end());
    std::vector<std::size_t> members;
    members.reserve(found.size());
    for (const auto& [place, rank] : found) members.push_back(rank);
    return members;
}

}  // namespace seiche::distributed

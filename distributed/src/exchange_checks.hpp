// What all communicators check and say alike.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "seiche/distributed/communicator.hpp"

namespace seiche::distributed {

/// "2.5 s".
std::string seconds(std::chrono::milliseconds time);

/// Throws InvalidProblem unless the vectors have a number for each of `ranks`.
void check_exchange(const Exchange& exchange, std::size_t ranks);

/// Throws InvalidProblem unless `to` expects what `from` sends.
void check_agreement(std::size_t from, std::uint64_t sent, std::size_t to, std::uint64_t expected);

/// Tells all ranks this one's color and key; the ranks of its color, in their order of the new communicator. Empty for
/// a color below 0.
std::vector<std::size_t> members_of_split(Communicator& communicator, int color, int key);

}  // namespace seiche::distributed

// What one rank does in an execution, in order: transforms, copies and exchanges, between its arrays and regions of its
// workspace.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "design.hpp"
#include "local_plans.hpp"
#include "regions.hpp"
#include "seiche/distributed/communicator.hpp"

namespace seiche::distributed {

/// Where data is. `sent` and `received` hold the messages of an exchange; `received` and `spare` also arrays that lie
/// between a transform and a copy.
enum class Place { input, output, sent, received, spare };

/// A plan that reads one place and writes another.
struct Run {
    Plan plan = {};
    Place from = Place::input, to = Place::output;
    std::uint64_t from_bytes = 0, to_bytes = 0;
    bool is_copy = false;
};

/// From `sent` to `received`. In bytes, by rank.
struct Move {
    std::vector<std::uint64_t> send_bytes = {}, send_offsets = {}, receive_bytes = {}, receive_offsets = {};
    std::vector<std::vector<Rows>> rows = {};
};

struct Program {
    Device device = {};
    std::vector<std::variant<Run, Move>> actions = {};
    std::uint64_t input_bytes = 0, output_bytes = 0;
    std::uint64_t sent_bytes = 0, received_bytes = 0, spare_bytes = 0, scratch_bytes = 0;
    bool is_in_place = false;
    int exchanges = 0, copies = 0;
    std::uint64_t bytes_sent = 0, bytes_copied = 0;  ///< To other ranks; before and after exchanges.
    std::string text = {};                           ///< A line for each step.

    std::uint64_t workspace_bytes() const;
};

/// How the ranks' arrays lie, and what the program is for.
struct Arrays {
    Memory input = {}, output = {};
    std::size_t rank = 0;
    bool is_in_place = false;
    Directions directions = Directions::both;
    /// After which steps each rank takes rows of the others' arrays, so that nothing is packed.
    std::vector<char> by_rows = {};
};

/// The same on all ranks, all of which call it: exchanges for which something would be packed, and need not be.
std::vector<char> choose_rows(Communicator& communicator, const Device& device, const Shape& shape,
                              const Design& design);

Program make_program(const Device& device, const Problem& problem, const Shape& shape, const Design& design,
                     const Arrays& arrays);

void run(const Program& program, Queue& queue, Communicator& communicator, std::optional<Direction> direction,
         const BufferView& input, const BufferView& output, const BufferView& workspace);

}  // namespace seiche::distributed

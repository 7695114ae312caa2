// What one rank does in an execution, in order: transforms, copies and exchanges, between its arrays and regions of its
// workspace.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "design.hpp"
#include "local_plans.hpp"
#include "regions.hpp"
#include "seiche/distributed/communicator.hpp"
#include "seiche/distributed/peers.hpp"
#include "seiche/distributed/plan.hpp"

namespace seiche::distributed {

/// Where data is. `sent` and `received` hold the messages of an exchange; `received` and `spare` also arrays that lie
/// between a transform and a copy. `other_sent` and `other_received` are those of every second exchange where exchanges
/// are in pieces: the one before may be under way.
enum class Place { input, output, sent, received, other_sent, other_received, spare };
inline constexpr std::size_t place_count = 7;

/// A plan that reads one place and writes another.
struct Run {
    Plan plan = {};
    Place from = Place::input, to = Place::output;
    std::uint64_t from_bytes = 0, to_bytes = 0;
    bool is_copy = false;
    /// Of the twiddles, where the plan has any.
    std::vector<StageBufferArgument> tables = {};
    std::vector<StageScalarArgument> numbers = {};
    /// The name of a buffer of its stage that is in the execution, so many bytes after that place.
    std::string beside = {};
    Place beside_place = Place::input;
    std::uint64_t beside_bytes = 0;
};

/// An exchange. In bytes, by rank.
struct Move {
    Place from = Place::sent, to = Place::received;
    std::vector<std::uint64_t> send_bytes = {}, send_offsets = {}, receive_bytes = {}, receive_offsets = {};
    std::vector<std::vector<Rows>> rows = {};
    bool is_beside = false;  ///< In the rank's second queue.
};

/// Orders the rank's two queues: one records the mark of this number, or waits for it.
struct Sync {
    std::size_t mark = 0;
    bool is_beside = false, records = false;
};

struct Program {
    Device device = {};
    std::vector<std::variant<Run, Move, Sync>> actions = {};
    std::uint64_t input_bytes = 0, output_bytes = 0, scratch_bytes = 0;
    std::array<std::uint64_t, place_count> place_bytes = {};  ///< Of the places in the workspace.
    /// What orders the two queues; null where exchanges are not in rows. The second queue is there for pieces.
    std::shared_ptr<Marks> driver = {};
    std::vector<std::shared_ptr<Marks::Mark>> marks = {};
    Queue beside = {};
    bool is_in_place = false;
    int exchanges = 0, copies = 0;
    std::uint64_t bytes_sent = 0, bytes_copied = 0;  ///< To other ranks; before and after exchanges.
    std::string text = {};                           ///< A line for each step.

    std::uint64_t& bytes_of(Place place) { return place_bytes[static_cast<std::size_t>(place)]; }
    /// Where in the workspace a place is; with none, what is after all of them.
    std::uint64_t offset_of(std::optional<Place> place) const;
    std::uint64_t workspace_bytes() const { return offset_of({}) + scratch_bytes; }
};

/// How exchanges go, the same on all ranks.
struct Ways {
    /// After which steps each rank takes rows of the others' arrays, so that nothing is packed.
    std::vector<char> by_rows = {};
    std::uint64_t pieces = 1;  ///< At most, of exchanges in rows.
};

/// How the ranks' arrays lie, and what the program is for.
struct Arrays {
    Memory input = {}, output = {};
    std::size_t rank = 0;
    bool is_in_place = false;
    Directions directions = Directions::both;
    Ways ways = {};
    std::shared_ptr<Marks> driver = {};  ///< Of the communicator; there where pieces are more than one.
};

/// All ranks call this. Rows are taken in exchanges for which something would be packed and need not be, and for
/// pieces, which are as many as the options say, or as many as cost least.
Ways choose_ways(Communicator& communicator, const Device& device, const Shape& shape, const Design& design,
                 const DistributedOptions& options);

Program make_program(const Device& device, const Problem& problem, const Shape& shape, const Design& design,
                     const Arrays& arrays);

/// Regions of the workspace begin where any element may, at a sector of the device's memory too.
inline std::uint64_t aligned_bytes(std::uint64_t bytes) { return (bytes + 255) / 256 * 256; }

/// Throws InvalidProblem where fewer bytes are there.
void check_view(const BufferView& view, std::uint64_t bytes, const char* name);

void run(const Program& program, Queue& queue, Communicator& communicator, const DistributedExecution& execution);

}  // namespace seiche::distributed

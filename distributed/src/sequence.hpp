// The programs of one execution, one after the other: what moves the input to other boxes where the transform reads
// those, the transform, and what moves its results to the output's.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "four_step.hpp"
#include "program.hpp"
#include "seiche/distributed/redistribution.hpp"

namespace seiche::distributed {

/// An array of an execution: the caller's, or one between two programs from so many bytes of the workspace on.
struct Span {
    enum class Where { input, output, workspace };
    Where where = Where::input;
    std::uint64_t bytes = 0;
};

struct Leg {
    Program program = {};
    Span from = {}, to = {};
};

struct Sequence {
    std::vector<Leg> legs = {};
    std::uint64_t input_bytes = 0, output_bytes = 0;
    std::uint64_t room_bytes = 0;  ///< Of the arrays between programs; what the programs need comes after them.
    bool is_in_place = false;

    std::uint64_t workspace_bytes() const;
    /// Makes room for an array.
    Span add_room(std::uint64_t bytes);
};

/// Arrays, and the boxes in them that each rank has before and after.
struct Moving {
    Element element = {};
    std::vector<std::uint64_t> lengths = {};
    std::uint64_t batch = 1;
    std::vector<Box> from = {}, to = {};
    Memory input = {}, output = {};  ///< Of this rank.
};

/// All ranks call these.
Program make_moving(Communicator& communicator, const Device& device, const Moving& moving);
Sequence make_sequence(Communicator& communicator, const Device& device, const Route& route, const Problem& problem,
                       const Boxes& boxes, Directions directions, const DistributedOptions& options);

/// For a route by halves.
Sequence make_halved_sequence(Communicator& communicator, const Device& device, const Route& route,
                              const Problem& problem, const Boxes& boxes, const DistributedOptions& options);

void run(const Sequence& sequence, Queue& queue, Communicator& communicator, const DistributedExecution& execution);

}  // namespace seiche::distributed

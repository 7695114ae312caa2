// The programs of one execution, one after the other: what moves the input to other boxes where the transform reads
// those, the transform, and what moves its results to the output's.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "four_step.hpp"
#include "program.hpp"
#include "seiche/distributed/redistribution.hpp"

namespace seiche::distributed {

struct Sequence {
    std::optional<Program> moves_input = {};
    Program transform = {};
    std::optional<Program> moves_output = {};
    bool is_in_place = false;

    std::uint64_t input_bytes() const { return (moves_input ? *moves_input : transform).input_bytes; }
    std::uint64_t output_bytes() const { return (moves_output ? *moves_output : transform).output_bytes; }
    /// The arrays between two programs, then what the programs need.
    std::uint64_t workspace_bytes() const;
    std::vector<const Program*> programs() const;
};

/// Arrays, and the boxes in them that each rank has before and after.
struct Moving {
    Element element = {};
    std::vector<std::uint64_t> lengths = {};
    std::uint64_t batch = 1;
    std::vector<Box> from = {}, to = {};
    Memory input = {}, output = {};  ///< Of this rank.
};

/// All ranks call both.
Program make_moving(Communicator& communicator, const Device& device, const Moving& moving);
Sequence make_sequence(Communicator& communicator, const Device& device, const Route& route, const Problem& problem,
                       const Boxes& boxes, Directions directions, const DistributedOptions& options);

void run(const Sequence& sequence, Queue& queue, Communicator& communicator, const DistributedExecution& execution);

}  // namespace seiche::distributed

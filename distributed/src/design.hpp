// The design of a distributed transform: which axes are transformed while which ranks hold what. Plain values, the same
// on every rank.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "seiche/distributed/box.hpp"
#include "seiche/distributed/fabric.hpp"
#include "seiche/distributed/plan.hpp"
#include "seiche/problem.hpp"

namespace seiche::distributed {

/// Transforms along axes that each rank has whole; between two steps there is an exchange.
struct Step {
    std::vector<int> axes = {};  ///< None: the data only passes.
    bool reads_reals = false, writes_reals = false;
    std::vector<Box> before = {}, after = {};  ///< By rank.
    bool twiddles = false;                     ///< The results are multiplied by the twiddles of Shape::factors.
};

struct Design {
    std::vector<Step> steps = {};
    double cost = 0;  ///< Of its exchanges.
};

/// Two axes of the array that are one of the problem's, of n points: `first` is transformed before `second`, and in
/// between come the twiddles exp(-2 pi i a b / n), where a and b are the indices along both (four_step.hpp).
struct Factors {
    int first = -1, second = -1;
};

/// What designing needs to know of a problem.
struct Shape {
    std::vector<std::uint64_t> lengths = {};
    std::vector<int> axes = {};  ///< That are transformed, each once, from 0 on.
    Kind kind = Kind::c2c;
    int halved = -1;  ///< The halved axis, -1 if there is none.
    std::uint64_t batch = 1, real_bytes = 4;
    std::optional<Factors> factors = {};
};

/// Fills in defaults, and throws InvalidProblem and Unsupported for what makes no sense or cannot be distributed.
Shape shape_of(const Problem& problem);

bool reads_reals(Kind kind);
bool writes_reals(Kind kind);
/// The lengths of the arrays that are read and written.
std::vector<std::uint64_t> input_lengths(const Shape& shape);
std::vector<std::uint64_t> output_lengths(const Shape& shape);

/// The cheapest: on a fabric by time; without one by count, the bytes that a rank sends at most, and a price for each
/// message and each exchange. Throws Unsupported if `decomposition` allows none.
Design design(const Shape& shape, const std::vector<Box>& input, const std::vector<Box>& output,
              Decomposition decomposition, const Fabric* fabric = nullptr);

/// What an exchange between these boxes costs in that sense.
double exchange_cost(const Shape& shape, const std::vector<Box>& from, const std::vector<Box>& to,
                     const Fabric* fabric = nullptr);

}  // namespace seiche::distributed

// What the parts of planning are asked: one axis of a problem on a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "seiche/device.hpp"
#include "seiche/problem.hpp"
#include "seiche/tuning.hpp"

namespace seiche::planner {

/// How a kernel makes its core's points of the elements in memory.
enum class CoreMap : std::uint8_t {
    none,      ///< They are points.
    real,      ///< On chip, of the numbers of a real kind.
    spectrum,  ///< The same of r2c or c2r.
};

/// What of its problem matters to an axis.
struct ProblemTraits {
    bool is_alone = false;     ///< No other axis is transformed.
    bool is_16_bit = false;    ///< 16-bit storage of numbers that are computed in f32.
    bool is_in_place = false;  ///< Input and output are the same memory.
};

/// What an algorithm is asked for: one axis of a problem on a device.
struct AxisQuestion {
    std::size_t axis = 0;
    std::uint64_t n = 1;
    bool is_strided = false;  ///< Neighbouring points of a sequence are not neighbours in memory.
    Precision precision = Precision::f32;
    std::uint64_t sequences = 1;  ///< How many there will be.
    const DeviceLimits* limits = nullptr;
    const Tuning* tuning = nullptr;
    CoreMap map = CoreMap::none;  ///< But for none: one kernel.
    ProblemTraits problem = {};
    /// Half of the points' spectrum is all that is wanted, or there is (AxisRecipe::one_sided), unless butterflies in
    /// one kernel make it of real elements on chip.
    bool is_one_sided = false;
    /// A pass may be longer than longest_pass, if one group holds it: no real kind or product is in its kernel.
    bool may_be_lone = false;
    std::uint32_t least_passes = 1;            ///< Two where a convolution runs between them.
    Direction direction = Direction::forward;  ///< Which shall be the fastest.
    /// Up to here a sequence may be one butterfly of one thread (longest_in_thread); 0: none is dense.
    std::uint32_t longest_in_thread = 0;
    /// Radices of the whole axis in one pass from the tables (measured_core); empty: none.
    std::vector<std::uint32_t> measured = {};

    bool has_map() const { return map != CoreMap::none; }
};

}  // namespace seiche::planner

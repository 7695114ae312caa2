// Plans over several ranks: one transform of one array, of which each rank holds a box.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "seiche/device.hpp"
#include "seiche/distributed/box.hpp"
#include "seiche/distributed/communicator.hpp"
#include "seiche/distributed/fabric.hpp"
#include "seiche/plan.hpp"
#include "seiche/problem.hpp"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche::distributed {

/// The boxes of all ranks, by rank, in the arrays that are read and written. The complex array of r2c, c2r, hfft and
/// ihfft has n/2 + 1 elements along the halved axis. Only a rank's own strides matter to it. Natural order of the
/// spectrum is an output cut as the input; transposed order, which spares an exchange, one that is cut along another
/// axis.
struct Boxes {
    std::vector<Box> input = {}, output = {};
};

/// The usual boxes of a problem, slabs: the array that is read is cut along its first axis, the one that is written
/// along its second, or in natural order the first too. An array of one axis is cut along that one.
Boxes slab_boxes(const Problem& problem, int ranks, bool is_natural = false);
/// Pencils: p x q parts of the first two axes, and of the two after the first; in natural order of the first two again.
/// Rank r has part r / q and part r % q, so that q ranks of a row are neighbours. Throws InvalidProblem for an array of
/// less than three axes.
Boxes pencil_boxes(const Problem& problem, int p, int q, bool is_natural = false);

/// How the array may be cut on its way from the input's boxes to the output's.
enum class Decomposition {
    any,      ///< What costs least, by bytes and messages.
    slabs,    ///< Along one axis: each rank exchanges with all others.
    pencils,  ///< Along two axes: one exchange more, each with few others.
    /// The longest transformed axis is two axes of n1 n2 points, and cut too, so that every rank works on it: for c2c
    /// but in f64x2, and for r2c and c2r of one even axis in f32 and f64. Throws Unsupported for others, and where the
    /// length, or of real numbers its half, is a prime number. Any and slabs do so by themselves where there are fewer
    /// sequences along an axis than ranks, and it costs less than the whole axis on one rank.
    four_step,
};

struct DistributedOptions {
    Directions directions = Directions::both;
    Decomposition decomposition = Decomposition::any;
    /// Exchanges go in so many pieces at most, of which one is under way while others are transformed; none: as many as
    /// cost least by count, 1: none is. Only peer copies and IPC in rows have pieces: other exchanges are whole.
    std::optional<std::uint64_t> pieces = {};
    /// What is chosen by cost, the way the array is cut and pieces, is chosen for these speeds, the same on all ranks;
    /// none: by prices that count bytes and messages, and the speed of NVLink.
    std::optional<Fabric> fabric = {};
};

/// The arguments of one execution on one rank.
struct DistributedExecution {
    /// None: the plan's only one, or forward. The same on all ranks.
    std::optional<Direction> direction = {};
    BufferView input = {};      ///< This rank's box, `input_bytes()`; may be empty where the box is.
    BufferView output = {};     ///< `output_bytes()`. In place: may be left empty.
    BufferView workspace = {};  ///< `workspace_bytes()`.
};

/// One rank's part of a transform over all ranks of a communicator. Immutable; an execution uses the communicator.
class DistributedPlan {
public:
    DistributedPlan() = default;
    /// All ranks call this with the same problem, boxes and options; devices may differ. Strides of boxes and
    /// `batch_distance` of the problem's layouts are each rank's own; nothing else of the layouts is set, and neither
    /// are stages and zeros of pruning. An axis that is two axes (Decomposition::four_step) may be in pass order. The
    /// batch is the problem's. Where a rank throws, all others do too and say why, unless it is absent (AbsentRank).
    DistributedPlan(const Device& device, const Problem& problem, const Boxes& boxes,
                    std::shared_ptr<Communicator> communicator, const DistributedOptions& options = {});

    /// Transforms; all ranks call it. Everything is in the order of the queue. It returns when the communicator does:
    /// with ranks of threads or processes when the last exchange is done, the transforms after it may still run.
    void execute(Queue& queue, const DistributedExecution& execution) const;

    std::uint64_t input_bytes() const;
    std::uint64_t output_bytes() const;
    std::uint64_t workspace_bytes() const;

    /// The frequency at a position along an axis of the spectrum: the position itself, but for SpectrumOrder::pass.
    /// Then k1 + n1 k2 is at k1 n2 + k2 along the axis that is two axes of n1 n2 points; other axes are in natural
    /// order. Throws InvalidProblem for an axis or a position that is not there; a negative axis counts from the last.
    std::uint64_t spectrum_index(int axis, std::uint64_t position) const;

    /// How often all ranks exchange. Where both directions are in pass order, these are the forward one's.
    int exchanges() const;
    /// Bytes that this rank sends to others in an execution.
    std::uint64_t bytes_sent() const;
    /// Bytes that it copies before and after exchanges because no transform could read or write the messages.
    std::uint64_t bytes_copied() const;
    /// In so many copies: those of parts that lie alike are one.
    int copies() const;
    /// What is done step by step, a line each.
    std::string describe() const;

    explicit operator bool() const noexcept { return impl_ != nullptr; }

private:
    struct Impl;
    std::shared_ptr<const Impl> impl_;
};

}  // namespace seiche::distributed
SEICHE_EXPORT_END

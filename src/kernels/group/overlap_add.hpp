// What a group does with frames that overlap, when they are in shared memory: it adds them and stores the sum.
#pragma once

#include "kernels/group/pass.hpp"

namespace seiche::kernels {

/// Elements of shared memory that the frames of a group take.
inline std::uint32_t frame_elements(const KernelSpec& spec) {
    return FramePlaces(spec).pitch * std::get<GroupShape>(spec.shape).sequences;
}
/// Whether frames may lie where points were exchanged: nothing is read from there while they are stored.
bool frames_replace_points(const KernelSpec& spec);

/// Each sample that is the group's: the sum of its frames there. They are multiplied by their windows over the sum of
/// all windows' squares; at the ends of a signal fewer windows reach a sample.
void store_overlapped(const Pass& pass);

}  // namespace seiche::kernels

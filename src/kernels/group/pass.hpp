// What a pass of a GPU kernel is made of, for those who move its points or run its core.
#pragma once

#include "kernels/group/exchange.hpp"
#include "kernels/group/passage.hpp"

namespace seiche::kernels {

struct Pass {
    Frame& frame;
    const KernelSpec& spec;
    const GroupShape& shape;
    Sequences& sequences;
    const Threads& threads;
    const Passage& passage;
    SharedLayout& layout;
    Exchange& exchange;
};

}  // namespace seiche::kernels

// amd2011's question: what each kernel size costs and gains, and whether the largest wins.
#pragma once

#include <string>
#include <vector>

#include "study/laboratory.hpp"
#include "study/occupancy.hpp"

namespace seiche::study {

/// A kernel size at one length.
struct KernelSize {
    std::string name;  ///< "16-point"
    Anatomy anatomy;
    Residence residence;
    double milliseconds = 0;  ///< Of a transform; 0: there is no figure.
};

/// Where threads of several groups share a unit, and where they don't: on a core of a processor.
enum class Units { of_a_gpu, of_a_processor };

/// One sentence of the figures: whether the last size beats the fastest of the others and what speaks for and against
/// it.
std::string verdict_on_largest(const std::string& points, const std::vector<KernelSize>& sizes, Units units);

/// Launches, bytes, flops, registers and threads on a unit of a few lengths of the grid, for those of its trials that
/// are kernel sizes (their recipe is a multistage one with native sines); the verdict on the longest length below.
Table kernel_size_table(const Laboratory& laboratory, const Grid& grid);

}  // namespace seiche::study

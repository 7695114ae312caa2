// Correlations of planes made comparable: each lag divided by how much there is under the pattern (J. P. Lewis, "Fast
// normalized cross-correlation", 1995).
#pragma once

#include <vector>

#include "cli/device/device_convolution.hpp"

namespace seiche::cli {

/// Divides each point of a correlation (two axes) of a picture and a pattern, both with their mean subtracted, by the
/// norms of the pattern and of what lies under it about its own mean: 1 where they are alike but for brightness and
/// contrast, at most that everywhere. Beyond its borders a picture is its mean. Where nothing but rounding lies under
/// the pattern it is 0.
template <class T>
void normalise(const Convolution& convolution, const std::vector<double>& picture, const std::vector<double>& pattern,
               std::vector<T>& correlation);

}  // namespace seiche::cli

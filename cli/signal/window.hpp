// Windows for short-time transforms, periodic as scipy.signal.get_window makes them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace seiche::cli::signal {

enum class Window { hann, hamming, blackman, rect };
const char* to_string(Window window) noexcept;

/// `n` samples of the window, at j = 0 ... n-1 of a period n.
std::vector<double> make_window(Window window, std::uint64_t n);

}  // namespace seiche::cli::signal

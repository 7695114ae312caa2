// Overlapping frames of a recording, taken from its file as a stream.
#include "cli/signal/frames.hpp"

#include <algorithm>

namespace seiche::cli::signal {

FrameReader::FrameReader(io::Recording& file, std::uint64_t length, std::uint64_t hop)
    : file_(file), length_(length), hop_(hop), count_((file.frames() - length) / hop + 1), channels_(file.channels()) {}

void FrameReader::load(std::uint64_t first, std::uint64_t batch) {
    const std::uint64_t begin = first * hop_, end = (first + batch - 1) * hop_ + length_;
    const std::uint64_t held_end = held_start_ + held_.size() / channels_;
    if (begin >= held_end) {  // a hop longer than the frame leaves samples out
        file_.skip(begin - held_end);
        held_.clear();
    } else {
        held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>((begin - held_start_) * channels_));
    }
    held_start_ = begin;
    const std::uint64_t missing = end - begin - held_.size() / channels_;
    file_.read(fresh_, missing);
    held_.insert(held_.end(), fresh_.begin(), fresh_.end());
}

}  // namespace seiche::cli::signal

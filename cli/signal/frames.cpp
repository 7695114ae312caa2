// Overlapping frames of a recording, taken from its file as a stream.
#include "cli/signal/frames.hpp"

#include <algorithm>
#include <cmath>

namespace seiche::cli::signal {

FrameReader::FrameReader(io::Recording& file, const Part& part, std::uint64_t length, std::uint64_t hop)
    : file_(file),
      start_(part.first),
      length_(length),
      hop_(hop),
      count_((part.count - length) / hop + 1),
      channels_(file.channels()) {
    if (start_ > 0) file_.skip(start_);
}

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
    const std::uint64_t start = held_start_ + held_.size() / channels_;
    file_.read(fresh_, missing);
    look_at(start);
    held_.insert(held_.end(), fresh_.begin(), fresh_.end());
}

/// At what was read, which begins with sample `start`.
void FrameReader::look_at(std::uint64_t start) {
    for (std::size_t i = 0; i < fresh_.size(); ++i) {
        if (std::isfinite(fresh_[i].real()) && std::isfinite(fresh_[i].imag())) continue;
        if (not_finite_.count++ != 0) continue;
        not_finite_.first = start_ + start + i / channels_;
        not_finite_.channel = static_cast<std::uint32_t>(i % channels_);
    }
}

}  // namespace seiche::cli::signal

// Sound in RIFF/WAVE and RF64 files, read as a stream with every length checked (EBU Tech 3306; Microsoft, "Multimedia
// Programming Interface and Data Specifications 1.0", 1991).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/io/input_file.hpp"

namespace seiche::cli::io {

struct WavFormat {
    std::uint32_t channels = 0;
    std::uint32_t sample_rate = 0;  ///< Hz
    std::uint32_t bits = 0;         ///< Of one stored sample.
    bool is_float = false;
    bool is_extensible = false;      ///< The header has a channel mask.
    std::uint32_t channel_mask = 0;  ///< Which loudspeaker each channel is for; 0: not said.
};

/// PCM of 8, 16, 24 or 32 bits, or float of 32 or 64, with any number of channels. Samples come as double: integers
/// are scaled to [-1, 1), floats are as stored.
class WavFile {
public:
    /// Throws Failure: not a WAV file, truncated, sizes that contradict each other, another encoding.
    explicit WavFile(const std::string& path);
    const WavFormat& format() const noexcept { return format_; }
    const std::string& path() const noexcept { return file_.path(); }
    /// Samples of each channel.
    std::uint64_t frames() const noexcept { return frames_; }
    /// What is odd about the file but does no harm, one line; empty if nothing.
    const std::string& remark() const noexcept { return remark_; }
    /// Reads the next `count` frames (fewer at the end), channels interleaved, and returns how many it read.
    std::uint64_t read(std::vector<double>& interleaved, std::uint64_t count);
    /// Leaves out the next `count` frames, at most those that are left.
    void skip(std::uint64_t count);

private:
    struct Chunk {
        std::string id;
        std::uint64_t bytes = 0;
    };
    void read_riff_header();
    void read_chunks();
    Chunk next_chunk();
    void read_sizes64(std::uint64_t bytes);
    void read_format(std::uint64_t bytes);
    void check_data(std::uint64_t bytes);

    InputFile file_;
    WavFormat format_;
    std::uint64_t end_ = 0;  ///< Of the RIFF chunk, counted from the start of the file.
    std::uint64_t data_bytes64_ = 0;
    std::uint64_t frame_bytes_ = 0, data_start_ = 0, frames_ = 0, frames_read_ = 0;
    bool is_rf64_ = false;
    std::string remark_;
};

}  // namespace seiche::cli::io

// Sound in RIFF/WAVE, RIFX and RF64 files, read as a stream with every length checked (EBU Tech 3306; Microsoft,
// "Multimedia Programming Interface and Data Specifications 1.0", 1991; "Multiple Channel Audio Data and WAVE Files",
// 2007).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/io/input_file.hpp"
#include "cli/text/failure.hpp"

namespace seiche::cli::io {

enum class WavCoding { linear, mu_law, a_law };

struct WavFormat {
    std::uint32_t channels = 0;
    std::uint32_t sample_rate = 0;  ///< Hz
    std::uint32_t bits = 0;         ///< Of one stored sample.
    bool is_float = false;
    bool is_extensible = false;      ///< The header has a channel mask.
    std::uint32_t channel_mask = 0;  ///< Which loudspeaker each channel is for; 0: not said.
    std::uint32_t valid_bits = 0;    ///< Of PCM: how many of `bits`, from the top, count; 0: all.
    WavCoding coding = WavCoding::linear;

    /// Bits that count.
    std::uint32_t significant_bits() const noexcept { return valid_bits == 0 ? bits : valid_bits; }
};

/// A sound whose encoding only a decoder knows.
struct UnknownEncoding : Failure {
    using Failure::Failure;
};

/// PCM of 1 to 32 bits in 8, 16, 24 or 32, float of 32 or 64, mu-law or A-law, with any number of channels. Samples
/// come as double: integers are scaled to [-1, 1), floats are as stored.
class WavFile {
public:
    /// A header that does not know how long the sound is, or says more than there is, is no fault: all whole frames to
    /// the end of the file count. Throws Failure: not a WAV file, no sound in it, a header that contradicts itself;
    /// UnknownEncoding for another encoding.
    explicit WavFile(const std::string& path);
    const WavFormat& format() const noexcept { return format_; }
    const std::string& path() const noexcept { return file_.path(); }
    /// Samples of each channel.
    std::uint64_t frames() const noexcept { return frames_; }
    /// What is odd about the file but does no harm, one line; empty if nothing.
    const std::string& remark() const noexcept { return remark_; }
    /// The radio frequency in Hz that a receiver mixed down to 0, where it says so (chunk 'auxi').
    std::optional<double> centre() const noexcept { return centre_; }
    /// Reads the next `count` frames (fewer at the end), channels interleaved, and returns how many it read.
    std::uint64_t read(std::vector<double>& interleaved, std::uint64_t count);
    /// Leaves out the next `count` frames, at most those that are left.
    void skip(std::uint64_t count);

private:
    struct Chunk {
        std::string id;
        std::uint64_t bytes = 0;
    };
    std::uint64_t number(const unsigned char* at, std::size_t bytes) const noexcept;
    void remark(const std::string& what);
    void read_riff_header();
    void read_chunks();
    Chunk next_chunk();
    void read_sizes64(std::uint64_t bytes);
    void read_format(std::uint64_t bytes);
    void read_encoding(const unsigned char* head, std::uint64_t taken);
    void check_format();
    void read_receiver(std::uint64_t bytes);
    bool chunk_follows();
    void find_frames(std::uint64_t claimed);

    InputFile file_;
    WavFormat format_;
    std::uint64_t end_ = 0;  ///< Of the RIFF chunk by its header, counted from the start of the file.
    std::uint64_t data_bytes64_ = 0;
    std::uint64_t frame_bytes_ = 0, data_start_ = 0, frames_ = 0, frames_read_ = 0;
    bool is_rf64_ = false, is_big_endian_ = false;
    std::optional<double> centre_;
    std::string remark_;
    std::vector<unsigned char> raw_;
};

}  // namespace seiche::cli::io

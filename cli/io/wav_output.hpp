// Sound written to RIFF/WAVE files; beyond 4 GiB RF64 (EBU Tech 3306).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/io/output_file.hpp"
#include "cli/io/wav.hpp"

namespace seiche::cli::io {

/// Everything before the samples.
std::string wav_preamble(const WavFormat& format, std::uint64_t frames);

/// Values from -1 up to 1 as samples of a format that WavFile reads; what it reads from there is written back as it
/// was. Integers are rounded to nearest and clipped to their range.
class WavOutput {
public:
    /// Throws Failure where the file cannot be made.
    WavOutput(const std::string& path, const WavFormat& format, std::uint64_t frames);
    /// Appends frames, channels interleaved.
    void write(const std::vector<double>& interleaved);
    /// Gives the file its name; all frames must have been written.
    void commit();
    /// Samples clipped so far.
    std::uint64_t clipped() const noexcept { return clipped_; }

private:
    void encode(double value, unsigned char* to);

    OutputFile file_;
    WavFormat format_;
    std::uint64_t data_bytes_ = 0, clipped_ = 0;
    std::vector<unsigned char> raw_;
};

}  // namespace seiche::cli::io

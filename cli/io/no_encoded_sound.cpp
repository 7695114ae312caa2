// Compressed sounds for a tool that was built without libsndfile: none is written.
#include "cli/io/encoded_sound.hpp"

namespace seiche::cli::io {

struct EncodedSound::Encoder {
    std::string lost;
};

EncodedSound::EncodedSound(const std::string& path, const std::string&, const WavFormat&) {
    throw Failure("'" + path +
                  "': this tool was built without libsndfile and writes sounds as WAV alone: write .wav, or install "
                  "libsndfile's development package (libsndfile1-dev) and build again");
}
EncodedSound::~EncodedSound() = default;
void EncodedSound::write(const std::vector<double>&) {}
void EncodedSound::commit() {}
std::uint64_t EncodedSound::clipped() const noexcept { return 0; }
const std::string& EncodedSound::lost() const noexcept { return encoder_->lost; }

}  // namespace seiche::cli::io

// Compressed sounds for a tool that was built without libsndfile: none is read.
#include "cli/io/decoded_sound.hpp"

namespace seiche::cli::io {

struct DecodedSound::Decoder {
    InputFile file;
};

DecodedSound::DecodedSound(InputFile file) : decoder_(new Decoder{std::move(file)}) {
    decoder_->file.refuse(
        "this tool was built without libsndfile and reads sounds in WAV alone: convert it (sox, ffmpeg), or install "
        "libsndfile's development package (libsndfile1-dev) and build again");
}
DecodedSound::~DecodedSound() = default;
DecodedSound::DecodedSound(DecodedSound&&) noexcept = default;
DecodedSound& DecodedSound::operator=(DecodedSound&&) noexcept = default;
const std::string& DecodedSound::path() const noexcept { return decoder_->file.path(); }
std::uint64_t DecodedSound::read(std::vector<double>&, std::uint64_t) { return 0; }
void DecodedSound::skip(std::uint64_t) {}

}  // namespace seiche::cli::io

// The metadata of SigMF recordings (Signal Metadata Format Specification 1.0, 2022): what a pair of files
// NAME.sigmf-meta and NAME.sigmf-data says about its samples.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/io/iq.hpp"

namespace seiche::cli::io {

/// True for the name of either file of a pair, or of an archive, which is refused later with a word on why.
bool is_sigmf(const std::string& path);

/// The metadata that matter here, before they are compared with the data.
struct SigmfMetadata {
    IqType type;
    std::uint32_t channels = 1;
    std::optional<double> rate, centre;  ///< Hz
    std::string data_name;               ///< Of the file beside the metadata; empty: the metadata's own name.
    std::uint64_t last_capture = 0;      ///< The sample that the last capture starts at.
    bool has_capture_start = false;
    std::vector<Annotation> annotations;  ///< In the order of the file.
};

/// Reads JSON. Throws Failure: malformed, a datatype that the specification does not have, captures out of order or at
/// several frequencies, data that are not conforming.
SigmfMetadata parse_sigmf(std::string_view json);

/// Opens either file's recording. `rate` and `centre` serve where the metadata say nothing, and are refused where they
/// contradict. Throws Failure also where the data are missing or shorter than the captures say.
IqFile open_sigmf(const std::string& path, std::optional<double> rate, std::optional<double> centre);

}  // namespace seiche::cli::io

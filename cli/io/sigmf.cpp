// The metadata of SigMF recordings (Signal Metadata Format Specification 1.0, 2022): what a pair of files
// NAME.sigmf-meta and NAME.sigmf-data says about its samples.
#include "cli/io/sigmf.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/system/system.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli::io {
namespace {

using Json = nlohmann::json;
constexpr const char* meta_extension = ".sigmf-meta";
constexpr const char* data_extension = ".sigmf-data";
constexpr const char* archive_extension = ".sigmf";

[[noreturn]] void malformed(const std::string& what) { throw Failure("malformed metadata: " + what); }

/// The value of a key, null if there is none; `object` may be anything.
const Json* find(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
}

std::uint64_t count_of(const Json& value, const char* key) {
    if (!value.is_number_unsigned()) malformed(std::string(key) + ": expected an integer of 0 or more");
    return value.get<std::uint64_t>();
}

std::optional<double> number(const Json& object, const char* key) {
    const Json* value = find(object, key);
    if (value == nullptr) return std::nullopt;
    if (!value->is_number()) malformed(std::string(key) + ": expected a number");
    return value->get<double>();
}

IqType datatype(const Json& global) {
    const Json* value = find(global, "core:datatype");
    if (value == nullptr || !value->is_string()) malformed("core:datatype: expected a string");
    const auto& text = value->get_ref<const std::string&>();
    // The tool's own names have s for signed integers, and need no byte order.
    const bool is_named = text.find('s') == std::string::npos && text.find('_') != std::string::npos;
    try {
        const IqType type = parse_iq_type(text);
        if (is_named || text.size() == 3) return type;
    } catch (const Failure&) {  // said below in the words of the specification
    }
    throw Failure(
        "core:datatype: expected c or r, then u8 or i8, or one of u16, i16, u32, i32, f32, f64 with _le or _be, got '" +
        printable(text) + "'");
}

std::uint32_t channels_of(const Json& global) {
    constexpr std::uint64_t most = 1 << 16;
    const Json* value = find(global, "core:num_channels");
    if (value == nullptr) return 1;
    const std::uint64_t n = count_of(*value, "core:num_channels");
    if (n < 1 || n > most) throw Failure("core:num_channels: expected 1 to 65536, got " + std::to_string(n));
    return static_cast<std::uint32_t>(n);
}

/// What makes a recording other than samples from the first byte to the last.
void refuse_unusual(const Json& global) {
    if (const Json* trailing = find(global, "core:trailing_bytes"))
        if (const std::uint64_t n = count_of(*trailing, "core:trailing_bytes"); n != 0)
            throw Failure("core:trailing_bytes: expected data of samples only, got " + std::to_string(n) +
                          " bytes after them");
    if (const Json* only = find(global, "core:metadata_only"); only != nullptr && *only != false)
        throw Failure("core:metadata_only: expected a recording with data, got one without");
}

std::string data_name(const Json& global) {
    const Json* value = find(global, "core:dataset");
    if (value == nullptr) return {};
    if (!value->is_string()) malformed("core:dataset: expected a string");
    auto name = value->get<std::string>();
    if (name.empty() || name.find('/') != std::string::npos || name.find('\0') != std::string::npos)
        throw Failure("core:dataset: expected the name of a file in the same folder, got '" + printable(name) + "'");
    return name;
}

void read_captures(const Json& captures, SigmfMetadata& metadata) {
    if (!captures.is_array()) malformed("captures: expected an array");
    for (const Json& capture : captures) {
        if (!capture.is_object()) malformed("captures: expected objects");
        const Json* start = find(capture, "core:sample_start");
        if (start == nullptr) malformed("captures: expected core:sample_start in each");
        const std::uint64_t first = count_of(*start, "core:sample_start");
        if (metadata.has_capture_start && first < metadata.last_capture)
            throw Failure("captures: expected rising core:sample_start, got " + std::to_string(first) + " after " +
                          std::to_string(metadata.last_capture));
        metadata.last_capture = first;
        metadata.has_capture_start = true;
        if (const Json* header = find(capture, "core:header_bytes"))
            if (const std::uint64_t n = count_of(*header, "core:header_bytes"); n != 0)
                throw Failure("core:header_bytes: expected data of samples only, got " + std::to_string(n) +
                              " bytes before a capture");
        const std::optional<double> centre = number(capture, "core:frequency");
        if (centre && metadata.centre && *centre != *metadata.centre)
            throw Failure("captures: expected one core:frequency, got " + shortest(*metadata.centre) + " and " +
                          shortest(*centre) + " Hz");
        if (centre) metadata.centre = centre;
    }
}

std::string text_of(const Json& annotation) {
    for (const char* key : {"core:label", "core:description", "core:comment"})
        if (const Json* value = find(annotation, key)) {
            if (!value->is_string()) malformed(std::string("annotations: ") + key + ": expected a string");
            if (const auto& text = value->get_ref<const std::string&>(); !text.empty())
                return printable(one_line(text));
        }
    return {};
}

std::vector<Annotation> annotations_of(const Json& list) {
    if (!list.is_array()) malformed("annotations: expected an array");
    std::vector<Annotation> annotations;
    for (const Json& entry : list) {
        if (!entry.is_object()) malformed("annotations: expected objects");
        const Json* start = find(entry, "core:sample_start");
        if (start == nullptr) malformed("annotations: expected core:sample_start in each");
        Annotation annotation;
        annotation.start = count_of(*start, "core:sample_start");
        if (const Json* count = find(entry, "core:sample_count"))
            annotation.count = count_of(*count, "core:sample_count");
        annotation.low = number(entry, "core:freq_lower_edge");
        annotation.high = number(entry, "core:freq_upper_edge");
        annotation.text = text_of(entry);
        annotations.push_back(std::move(annotation));
    }
    return annotations;
}

std::string read_text(const std::string& path) {
    constexpr std::uint64_t longest = std::uint64_t{256} << 20;  // annotations of a day are some megabytes
    InputFile file(path);
    if (file.bytes() > longest) file.refuse("expected metadata of at most 256 MiB, got " + byte_text(file.bytes()));
    std::string text(file.bytes(), '\0');
    file.read(text.data(), text.size(), "the metadata");
    return text;
}

/// The given value where the metadata have none; they must not differ.
double settle(std::optional<double> said, std::optional<double> given, const char* option) {
    if (said && given && *said != *given)
        throw Failure(std::string(option) + ": the metadata say " + shortest(*said) + " Hz, got " + shortest(*given));
    return said ? *said : given.value_or(0);
}

}  // namespace

bool is_sigmf(const std::string& path) {
    const std::string kind = extension(path);
    return kind == meta_extension || kind == data_extension || kind == archive_extension;
}

SigmfMetadata parse_sigmf(std::string_view json) {
    Json root;
    try {
        root = Json::parse(json);
    } catch (const Json::parse_error& error) {
        malformed("no JSON at byte " + std::to_string(error.byte));
    } catch (const Json::exception& error) {
        malformed(one_line(error.what()));
    }
    const Json* global = find(root, "global");
    if (global == nullptr || !global->is_object()) malformed("global: expected an object");
    SigmfMetadata metadata;
    metadata.type = datatype(*global);
    refuse_unusual(*global);
    metadata.rate = number(*global, "core:sample_rate");
    metadata.data_name = data_name(*global);
    metadata.channels = channels_of(*global);
    if (const Json* captures = find(root, "captures")) read_captures(*captures, metadata);
    if (const Json* annotations = find(root, "annotations")) metadata.annotations = annotations_of(*annotations);
    return metadata;
}

IqFile open_sigmf(const std::string& path, std::optional<double> rate, std::optional<double> centre) {
    namespace fs = std::filesystem;
    if (extension(path) == archive_extension)
        throw Failure("'" + path + "': expected .sigmf-meta or .sigmf-data, got an archive: unpack it with tar");
    const std::string meta = path_of(path).replace_extension(meta_extension).string();
    try {
        SigmfMetadata metadata = parse_sigmf(read_text(meta));
        IqFormat format{metadata.type, settle(metadata.rate, rate, "--rate"),
                        settle(metadata.centre, centre, "--centre"), metadata.channels};
        if (!metadata.rate && !rate) throw Failure("no core:sample_rate: expected one, or --rate");
        check(format);
        const std::string data = metadata.data_name.empty()
                                     ? path_of(path).replace_extension(data_extension).string()
                                     : (path_of(path).parent_path() / path_of(metadata.data_name)).string();
        IqFile file(data, format);
        if (metadata.last_capture >= file.samples())
            throw Failure("captures: one starts at sample " + std::to_string(metadata.last_capture) + ", but '" + data +
                          "' has " + std::to_string(file.samples()));
        file.annotate(std::move(metadata.annotations));
        return file;
    } catch (const Failure& failure) {
        const std::string message = failure.what();
        if (message.rfind('\'', 0) == 0) throw;  // it names its file
        throw Failure("'" + meta + "': " + message);
    }
}

}  // namespace seiche::cli::io

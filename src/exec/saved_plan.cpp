// Plans as bytes. One function per type says what is written and what is read.
#include "exec/saved_plan.hpp"

#include <type_traits>

#include "exec/archive.hpp"
#include "runtime/pack.hpp"
#include "seiche/error.hpp"
#include "seiche/version.hpp"
#include "support/hash.hpp"

namespace seiche::exec {

namespace {

constexpr std::size_t word_bytes = 8, checksum_digits = 32;

struct Form {
    std::string_view magic;
    std::uint64_t format = 1;  // to be raised whenever a function below changes what it writes
    const char* name = "";
    const char* maker = "";
    std::size_t header_bytes() const { return magic.size() + 2 * word_bytes; }
};
constexpr Form plan_form{"seiche plan\n", 10, "saved plan", "Plan::save"};
constexpr Form convolution_form{"seiche convolution\n", 4, "saved convolution", "ConvolutionPlan::save"};
constexpr Form spectral_form{"seiche spectral\n", 3, "saved spectral plan", "SpectralPlan::save"};
constexpr Form short_time_form{"seiche short-time\n", 1, "saved short-time plan", "ShortTimePlan::save"};

// A field that is added to one of these structs makes its list of names too short for the compiler; then the new field
// belongs into the function and `format` is to be raised.

template <class Archive, class Value>
void visit_scale(Archive& archive, Value& scale) {
    Scale::Rule rule = scale.rule();
    double factor = rule == Scale::Rule::factor ? scale.value(1.0) : 1.0;
    archive.choice(rule, Scale::Rule::factor, "a scale's rule");
    archive.real(factor, "a scale's factor");
    if constexpr (!std::is_const_v<Value>) {
        switch (rule) {
            case Scale::Rule::none: scale = Scale::none(); break;
            case Scale::Rule::by_n: scale = Scale::by_n(); break;
            case Scale::Rule::by_sqrt_n: scale = Scale::by_sqrt_n(); break;
            case Scale::Rule::factor: scale = Scale::factor(factor); break;
        }
    }
}

template <class Archive, class Value>
void visit_layout(Archive& archive, Value& layout) {
    auto& [strides, batch_distance, byte_offset, planar, part_bytes, image, image_width] = layout;
    archive.list(strides, "a layout's strides", [&](auto& stride) { archive.integer(stride, "a stride"); });
    archive.integer(batch_distance, "a layout's batch distance");
    archive.number(byte_offset, "a layout's byte offset");
    archive.flag(planar, "whether an array is planar");
    archive.number(part_bytes, "the bytes of an array's parts");
    archive.choice(image, ImageFormat::rgba16f, "an image's format");
    archive.number(image_width, "an image's width");
}

template <class Archive, class Value>
void visit_stage(Archive& archive, Value& stage) {
    auto& [text, buffers, scalars, function] = stage;
    archive.text(text, "a stage's text");
    archive.list(buffers, "a stage's buffers", [&](auto& buffer) {
        auto& [buffer_name, type, count] = buffer;
        archive.text(buffer_name, "a stage buffer's name");
        archive.choice(type, StageType::u32, "a stage buffer's type");
        archive.number(count, "a stage buffer's count");
    });
    archive.list(scalars, "a stage's scalars", [&](auto& scalar) {
        auto& [scalar_name, type] = scalar;
        archive.text(scalar_name, "a stage scalar's name");
        archive.choice(type, StageType::u32, "a stage scalar's type");
    });
    // A function of the host is this process's own.
    auto& [symbol, code, host] = function;
    static_cast<void>(host);
    archive.text(symbol, "a stage function's name");
    archive.blob(code, "a stage function's code");
}

template <class Archive, class Value>
void visit_halved_axis(Archive& archive, Value& halved_axis) {
    bool is_given = halved_axis.has_value();
    int axis = halved_axis.value_or(0);
    archive.flag(is_given, "whether a halved axis is given");
    archive.integer(axis, "the halved axis");
    if constexpr (!std::is_const_v<Value>) {
        if (is_given) halved_axis = axis;
    }
}

template <class Archive, class Value>
void visit_blocks(Archive& archive, Value& blocks) {
    archive.list(blocks, "the blocks of zeros", [&](auto& block) {
        auto& [axis, begin, end] = block;
        archive.integer(axis, "a block's axis");
        archive.number(begin, "a block's begin");
        archive.number(end, "a block's end");
    });
}

template <class Archive, class Value>
void visit_problem(Archive& archive, Value& problem) {
    auto& [lengths, axes, batch, kind, axis_kinds, halved_axis, orthonormal, orthogonalize, precision, storage,
           placement, forward_scale, inverse_scale, input, output, signal_zeros, spectrum_zeros, spectrum_order,
           may_overwrite_input, forward_load, forward_store, inverse_load, inverse_store] = problem;
    archive.list(lengths, "the lengths", [&](auto& length) { archive.number(length, "a length"); });
    archive.list(axes, "the axes", [&](auto& axis) { archive.integer(axis, "an axis"); });
    archive.number(batch, "the batch");
    archive.choice(kind, Kind::ihfft, "the kind");
    archive.list(axis_kinds, "the kinds of the axes", [&](auto& one) { archive.choice(one, Kind::hc2r, "a kind"); });
    visit_halved_axis(archive, halved_axis);
    archive.flag(orthonormal, "whether it is orthonormal");
    archive.flag(orthogonalize, "whether its edges are weighed");
    archive.choice(precision, Precision::f16, "the precision");
    archive.choice(storage, Storage::f64, "the storage");
    archive.choice(placement, Placement::in_place, "the placement");
    visit_scale(archive, forward_scale);
    visit_scale(archive, inverse_scale);
    visit_layout(archive, input);
    visit_layout(archive, output);
    visit_blocks(archive, signal_zeros);
    visit_blocks(archive, spectrum_zeros);
    archive.choice(spectrum_order, SpectrumOrder::pass, "the spectrum's order");
    archive.flag(may_overwrite_input, "whether the input may be overwritten");
    visit_stage(archive, forward_load);
    visit_stage(archive, forward_store);
    visit_stage(archive, inverse_load);
    visit_stage(archive, inverse_store);
}

template <class Archive, class Value>
void visit_tuning(Archive& archive, Value& tuning) {
    auto& [radices, passes, algorithm, padded_length, threads_per_transform, transforms_per_group, groups_per_cluster,
           separate_passes, trailing_passes, vector_lanes, buffer_bytes, movement_only, recipe, twiddles] = tuning;
    archive.list(radices, "the radices", [&](auto& radix) { archive.number(radix, "a radix"); });
    archive.list(passes, "the passes", [&](auto& pass) { archive.number(pass, "a pass"); });
    archive.choice(algorithm, Algorithm::bluestein, "the algorithm");
    archive.number(padded_length, "the padded length");
    archive.number(threads_per_transform, "the threads per transform");
    archive.number(transforms_per_group, "the transforms per group");
    archive.number(groups_per_cluster, "the groups per cluster");
    archive.flag(separate_passes, "whether passes are separate");
    archive.flag(trailing_passes, "whether passes are pipelined");
    archive.number(vector_lanes, "the vector lanes");
    archive.number(buffer_bytes, "the bytes of a buffer argument");
    archive.flag(movement_only, "whether only movement is wanted");
    archive.text(recipe, "the textbook recipe");
    archive.choice(twiddles, TwiddleMethod::recurrence, "the twiddles");
}

template <class Archive, class Value>
void visit_options(Archive& archive, Value& options) {
    auto& [directions, tuning] = options;
    archive.choice(directions, Directions::inverse, "the directions");
    visit_tuning(archive, tuning);
}

template <class Archive, class Value>
void visit_target(Archive& archive, Value& target) {
    auto& [library, backend, device, architecture, compiler] = target;
    archive.text(library, "the library's version");
    archive.text(backend, "the backend");
    archive.text(device, "the device");
    archive.text(architecture, "the architecture");
    archive.text(compiler, "the compiler");
}

template <class Archive, class Value>
void visit_kernels(Archive& archive, Value& kernels) {
    archive.list(kernels, "the kernels", [&](auto& kernel) {
        auto& [key, binary] = kernel;
        archive.text(key, "a kernel's key");
        archive.blob(binary, "a kernel's binary");
    });
}

template <class Archive, class Value>
void visit_plan(Archive& archive, Value& plan) {
    auto& [target, problem, options, table_bytes, kernels] = plan;
    visit_target(archive, target);
    visit_problem(archive, problem);
    visit_options(archive, options);
    archive.number(table_bytes, "the bytes of the tables");
    visit_kernels(archive, kernels);
}

template <class Archive, class Value>
void visit_convolution(Archive& archive, Value& convolution) {
    auto& [signal, kernel, mode, domain, product, is_complex, inputs, outputs, channels, batch, precision, storage,
           block] = convolution;
    archive.list(signal, "the signal's lengths", [&](auto& length) { archive.number(length, "a length"); });
    archive.list(kernel, "the kernel's lengths", [&](auto& length) { archive.number(length, "a length"); });
    archive.choice(mode, ConvolutionMode::circular, "the mode");
    archive.choice(domain, KernelDomain::frequency, "the kernel's domain");
    archive.choice(product, ConvolutionProduct::phase, "the product");
    archive.flag(is_complex, "whether it is complex");
    archive.number(inputs, "the inputs");
    archive.number(outputs, "the outputs");
    archive.choice(channels, ChannelMatrix::diagonal, "the matrix of channels");
    archive.number(batch, "the batch");
    archive.choice(precision, Precision::f16, "the precision");
    archive.choice(storage, Storage::f64, "the storage");
    archive.number(block, "the block");
}

template <class Archive, class Value>
void visit_point_ranges(Archive& archive, Value& ranges) {
    archive.list(ranges, "the ranges of points", [&](auto& range) {
        auto& [begin, end] = range;
        archive.number(begin, "a range's begin");
        archive.number(end, "a range's end");
    });
}

template <class Archive, class Value>
void visit_spectral_problem(Archive& archive, Value& problem) {
    auto& [lengths, input, output, numbers, load, middle, store, scale, batch, precision, storage, kept, channels,
           kinds, order, packed, sums_in_f64, part] = problem;
    archive.list(lengths, "the lengths", [&](auto& length) { archive.number(length, "a length"); });
    visit_point_ranges(archive, input);
    visit_point_ranges(archive, output);
    archive.choice(numbers, SpectralNumbers::analytic, "the numbers");
    visit_stage(archive, load);
    visit_stage(archive, middle);
    visit_stage(archive, store);
    archive.real(scale, "the scale");
    archive.number(batch, "the batch");
    archive.choice(precision, Precision::f16, "the precision");
    archive.choice(storage, Storage::f64, "the storage");
    archive.list(kept, "the kept modes", [&](auto& range) {
        auto& [begin, end] = range;
        archive.integer(begin, "a range's begin");
        archive.integer(end, "a range's end");
    });
    auto& [inputs, outputs, is_adjoint] = channels;
    archive.number(inputs, "the inputs");
    archive.number(outputs, "the outputs");
    archive.flag(is_adjoint, "whether weights are conjugated and transposed");
    archive.list(kinds, "the kinds of the axes",
                 [&](auto& kind) { archive.choice(kind, SpectralAxisKind::dst4, "a kind"); });
    archive.choice(order, SpectralOrder::spectrum_first, "the order");
    archive.list(packed, "the packed modes", [&](auto& wave) { archive.integer(wave, "a wave number"); });
    archive.flag(sums_in_f64, "whether sums are in f64");
    archive.choice(part, SpectralPart::gradient, "the part");
}

/// `visit_source` is for what the user stated.
template <class Archive, class Value, class Visit>
void visit_spectral(Archive& archive, Value& saved, const Visit& visit_source) {
    auto& [target, source, tuning, table_bytes, kernels] = saved;
    visit_target(archive, target);
    visit_source(source);
    visit_tuning(archive, tuning);
    archive.number(table_bytes, "the bytes of the tables");
    visit_kernels(archive, kernels);
}

template <class Archive, class Value>
void visit_short_time(Archive& archive, Value& saved) {
    auto& [target, problem, tuning, parts] = saved;
    visit_target(archive, target);
    auto& [samples, window, hop, direction, padding, value, order, batch, precision] = problem;
    archive.number(samples, "the samples");
    archive.list(window, "the window", [&](auto& one) { archive.real(one, "a value of the window"); });
    archive.number(hop, "the hop");
    archive.choice(direction, Direction::inverse, "the direction");
    archive.choice(padding, FramePadding::reflect, "the padding");
    archive.choice(value, BinValue::decibels, "the bins' value");
    archive.choice(order, FrameOrder::frequencies_first, "the spectra's order");
    archive.number(batch, "the batch");
    archive.choice(precision, Precision::f16, "the precision");
    visit_tuning(archive, tuning);
    archive.list(parts, "the parts", [&](auto& part) {
        auto& [table_bytes, kernels] = part;
        archive.number(table_bytes, "the bytes of the tables");
        visit_kernels(archive, kernels);
    });
}

std::string checksum(std::span<const std::byte> bytes) { return support::Hasher().bytes(bytes).hex(); }

[[noreturn]] void refuse(const Form& form, const std::string& expected, const std::string& got) {
    throw InvalidProblem(std::string(form.name) + ": expected " + expected + ", got " + got);
}

/// Texts of other people's bytes go into messages of one line.
std::string quoted(const std::string& text) {
    constexpr std::size_t most = 120;
    std::string result = "'";
    for (const char c : text.substr(0, most)) result += c >= ' ' && c != 0x7f ? c : '?';
    return result + "'";
}

/// ", saved by Seiche 0.2.0": every format begins with the version that wrote it. Nothing where that is none.
std::string writer_of(const Form& form, std::span<const std::byte> contents) {
    constexpr std::size_t most = 24;
    std::string library;
    try {
        ReadingArchive(contents, form.name).text(library, "the library's version");
    } catch (const InvalidProblem&) {
        return "";
    }
    const bool is_version = !library.empty() && library.size() <= most && library[0] >= '0' && library[0] <= '9' &&
                            library.find_first_not_of("0123456789.abcdefghijklmnopqrstuvwxyz-+") == std::string::npos;
    return is_version ? ", saved by Seiche " + library : "";
}

std::span<const std::byte> checked_contents(const Form& form, std::span<const std::byte> bytes) {
    const std::string_view magic = form.magic;
    const std::size_t least = form.header_bytes() + checksum_digits;
    if (bytes.size() < least)
        refuse(form, "at least " + std::to_string(least) + " bytes",
               std::to_string(bytes.size()) + ": it is cut short");
    if (std::string_view(reinterpret_cast<const char*>(bytes.data()), magic.size()) != magic)
        refuse(form, std::string("bytes that ") + form.maker + " made", "others");
    ReadingArchive header(bytes.subspan(magic.size(), 2 * word_bytes), form.name);
    std::uint64_t found_format = 0, length = 0;
    header.number(found_format, "the format");
    header.number(length, "the count of bytes");
    if (found_format != form.format)
        refuse(form, "format " + std::to_string(form.format) + " of Seiche " + version(),
               std::to_string(found_format) + writer_of(form, bytes.subspan(form.header_bytes())) +
                   ": damaged, or of another version");
    if (length != bytes.size())
        refuse(form, std::to_string(length) + " bytes, as it says itself", std::to_string(bytes.size()));
    const auto summed = bytes.first(bytes.size() - checksum_digits);
    const auto sum = bytes.last(checksum_digits);
    if (checksum(summed) != std::string_view(reinterpret_cast<const char*>(sum.data()), sum.size()))
        refuse(form, "bytes that fit their checksum", "others: they are damaged");
    return summed.subspan(form.header_bytes());
}

std::vector<std::byte> framed(const Form& form, const WritingArchive& contents) {
    WritingArchive whole;
    whole.raw(std::as_bytes(std::span(form.magic)));
    whole.number(form.format, "the format");
    whole.number(form.header_bytes() + contents.bytes().size() + checksum_digits, "the count of bytes");
    whole.raw(contents.bytes());
    const std::string sum = checksum(whole.bytes());
    whole.raw(std::as_bytes(std::span(sum)));
    return whole.bytes();
}

}  // namespace

const SavedKernel* find_kernel(const std::vector<SavedKernel>& kernels, const std::string& key) {
    for (const SavedKernel& kernel : kernels)
        if (kernel.key == key) return &kernel;
    return nullptr;
}

void expect_tables(const SavedBinaries& saved, const std::string& difference, std::uint64_t needed_bytes) {
    constexpr std::uint64_t few = 16, little = std::uint64_t{1} << 24;
    if (!saved || !difference.empty() || needed_bytes <= little || needed_bytes / few <= saved.table_bytes) return;
    throw InvalidProblem("saved plan: expected one whose constant tables have " + std::to_string(saved.table_bytes) +
                         " bytes, as it says itself, got one that needs " + std::to_string(needed_bytes) +
                         ": it is damaged");
}

std::vector<std::byte> to_bytes(const SavedPlan& plan) {
    WritingArchive contents;
    visit_plan(contents, plan);
    return framed(plan_form, contents);
}

std::vector<std::byte> to_bytes(const SavedSpectral& spectral) {
    WritingArchive contents;
    const auto* convolution = std::get_if<Convolution>(&spectral.source);
    visit_spectral(contents, spectral, [&](const auto& source) {
        if (convolution)
            visit_convolution(contents, *convolution);
        else
            visit_spectral_problem(contents, std::get<SpectralProblem>(source));
    });
    return framed(convolution ? convolution_form : spectral_form, contents);
}

std::vector<std::byte> to_pack(const std::vector<SavedPlan>& plans) {
    runtime::PackedKernels kernels;
    for (const SavedPlan& plan : plans)
        for (const SavedKernel& kernel : plan.kernels) kernels.emplace(kernel.key, kernel.binary);
    return runtime::pack_bytes(kernels);
}

SavedPlan read_saved_plan(std::span<const std::byte> bytes) {
    ReadingArchive archive(checked_contents(plan_form, bytes), plan_form.name);
    SavedPlan plan;
    visit_plan(archive, plan);
    archive.expect_end();
    return plan;
}

SavedSpectral read_saved_convolution(std::span<const std::byte> bytes) {
    ReadingArchive archive(checked_contents(convolution_form, bytes), convolution_form.name);
    SavedSpectral saved;
    visit_spectral(archive, saved,
                   [&](auto& source) { visit_convolution(archive, source.template emplace<Convolution>()); });
    archive.expect_end();
    return saved;
}

SavedSpectral read_saved_spectral(std::span<const std::byte> bytes) {
    ReadingArchive archive(checked_contents(spectral_form, bytes), spectral_form.name);
    SavedSpectral saved;
    visit_spectral(archive, saved,
                   [&](auto& source) { visit_spectral_problem(archive, source.template emplace<SpectralProblem>()); });
    archive.expect_end();
    return saved;
}

std::vector<std::byte> to_bytes(const SavedShortTime& saved) {
    WritingArchive contents;
    visit_short_time(contents, saved);
    return framed(short_time_form, contents);
}

SavedShortTime read_saved_short_time(std::span<const std::byte> bytes) {
    ReadingArchive archive(checked_contents(short_time_form, bytes), short_time_form.name);
    SavedShortTime saved;
    visit_short_time(archive, saved);
    archive.expect_end();
    return saved;
}

SavedTarget saved_target(runtime::Device& device) {
    const DeviceInfo& info = device.info();
    return {version(), to_string(info.backend), info.description, info.limits.architecture, device.compiler_version()};
}

std::string difference(const SavedTarget& saved, const SavedTarget& here) {
    const auto differ = [](const char* what, const std::string& then, const std::string& now) {
        return "it was saved " + std::string(what) + " " + quoted(then) + ", and this is " + quoted(now);
    };
    if (saved.library != here.library) return differ("by version", saved.library, here.library);
    if (saved.backend != here.backend) return differ("on backend", saved.backend, here.backend);
    if (saved.device != here.device) return differ("on device", saved.device, here.device);
    if (saved.architecture != here.architecture)
        return differ("for architecture", saved.architecture, here.architecture);
    if (saved.compiler != here.compiler) return differ("with compiler", saved.compiler, here.compiler);
    return {};
}

}  // namespace seiche::exec

// The rules of images: what each format is of, and how elements lie in its texels.
#include "problem/images.hpp"

#include <string>

#include "seiche/error.hpp"
#include "support/text.hpp"

namespace seiche::problem {

namespace {

constexpr std::uint64_t most_width = 1ull << 31, most_texels = 1ull << 32;

[[noreturn]] void refuse(const std::string& field, const std::string& rule, const std::string& got) {
    throw InvalidProblem(field + ": expected " + rule + ", got " + got);
}

void check_format(const std::string& field, ImageFormat format, bool is_real) {
    if (is_real && format != ImageFormat::r32f) refuse(field, "r32f, because the array is real", to_string(format));
    if (!is_real && format == ImageFormat::r32f)
        refuse(field, "rg32f, rgba32f or rgba16f, because the array is complex (r2c reads a real one)", "r32f");
}

void check_array(const Problem& problem, const std::string& field, const Layout& layout, bool is_real) {
    if (layout.image == ImageFormat::none) {
        if (layout.image_width != 0)
            refuse(field + ".image_width", "0, because the array is no image", support::to_text(layout.image_width));
        return;
    }
    check_format(field + ".image", layout.image, is_real);
    if (problem.precision != Precision::f32)
        refuse("precision", "f32, because " + field + " is an image", to_string(problem.precision));
    if (problem.storage != Storage::same && problem.storage != Storage::f32)
        refuse("storage", "f32, or none, because " + field + " is an image", to_string(problem.storage));
    if (problem.placement == Placement::in_place)
        refuse("placement", "out-of-place, because " + field + " is an image", "in-place");
    if (layout.planar) refuse(field + ".planar", "false, because the array is an image", "true");
    if (layout.part_bytes != 0)
        refuse(field + ".part_bytes", "0, because the array is an image", support::to_text(layout.part_bytes));
    if (layout.byte_offset != 0)
        refuse(field + ".byte_offset", "0, because the array is an image", support::to_text(layout.byte_offset));
}

/// Along the last axis, where the array is stored.
std::uint64_t stored_count(const Problem& problem, const std::vector<Kind>& kinds, bool input) {
    const bool is_halved = kinds.back() == (input ? Kind::c2r : Kind::r2c);
    return is_halved ? problem.lengths.back() / 2 + 1 : problem.lengths.back();
}

/// With the width of a row of so many elements unless another is given.
ArrayImage image_of(const std::string& field, const Layout& layout, std::uint64_t count) {
    ArrayImage image{layout.image, layout.image_width};
    if (image && image.width == 0) image.width = image.texels(count);
    if (image.width > most_width) refuse(field + ".image_width", "at most 2^31 texels", support::to_text(image.width));
    return image;
}

}  // namespace

void add_images(const Problem& problem, const std::vector<Kind>& kinds, Canonical& canonical) {
    check_array(problem, "input", problem.input, canonical.input_is_real);
    check_array(problem, "output", problem.output, canonical.output_is_real);
    if (problem.output.image != ImageFormat::none && problem.spectrum_order != SpectrumOrder::natural)
        refuse("spectrum_order", "natural, because the output is an image", "pass");
    canonical.input_image = image_of("input", problem.input, stored_count(problem, kinds, true));
    canonical.output_image = image_of("output", problem.output, stored_count(problem, kinds, false));
}

void check_whole_texels(const Canonical& canonical) {
    if (canonical.output_image.per_texel() < 2) return;
    unsigned neighbours = 0;
    const auto check = [&](std::uint64_t count, std::int64_t stride) {
        if (count < 2) return;
        if (stride == 1) ++neighbours;
        if (neighbours > 1 || (stride != 1 && stride % 2 != 0))
            refuse("output.strides", "even ones but for one axis of stride 1, because two numbers are a texel",
                   std::to_string(stride));
    };
    for (const Axis& axis : canonical.axes) check(axis.output_count(), axis.output_stride);
    for (const Loop& loop : canonical.loops) check(loop.count, loop.output_stride);
    if (canonical.batch.output_distance % 2 != 0)
        refuse("output.batch_distance", "an even one, because two numbers are a texel",
               support::to_text(canonical.batch.output_distance));
}

void check_texels(const Canonical& canonical, std::uint64_t batch_count) {
    for (const bool input : {true, false}) {
        const ArrayImage& image = input ? canonical.input_image : canonical.output_image;
        if (!image) continue;
        const std::uint64_t elements =
            input ? canonical.input_elements(batch_count) : canonical.output_elements(batch_count);
        const std::uint64_t texels = image.texels(elements);
        if (texels > most_texels)
            refuse(input ? "input.image" : "output.image", "at most 2^32 texels", support::to_text(texels));
    }
}

}  // namespace seiche::problem

// Plans whose arrays are images, compared with the same plans in buffers: what lies where, and bit for bit what comes
// out.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "seiche/error.hpp"
#include "seiche/half.hpp"
#include "seiche/plan.hpp"

namespace seiche::test {

/// Texels, row by row.
struct Texels {
    ImageFormat format = ImageFormat::none;
    std::uint32_t width = 0, height = 0;
    std::vector<std::byte> bytes;
};

/// How a backend makes an image of texels, and reads it again.
struct ImageMaker {
    std::function<Image(const Texels&)> make;
    std::function<std::vector<std::byte>(const Image&)> read;
};

/// The words "none of these": what an output holds beforehand.
inline constexpr float poison = 1234.5f;

/// A layout of an image as the same distances in a buffer.
inline Layout in_a_buffer(const Problem& problem, bool output) {
    const Layout& given = output ? problem.output : problem.input;
    Layout layout = given;
    layout.image = ImageFormat::none;
    layout.image_width = 0;
    if (given.image == ImageFormat::none || !given.strides.empty()) return layout;
    std::vector<std::uint64_t> counts = problem.lengths;
    const std::size_t rank = counts.size();
    std::size_t halved =
        problem.axes.empty() ? rank - 1 : (static_cast<std::size_t>(problem.axes.back()) + rank) % rank;
    if (problem.halved_axis) halved = (static_cast<std::size_t>(*problem.halved_axis) + rank) % rank;
    if (problem.kind == (output ? Kind::r2c : Kind::c2r)) counts[halved] = counts[halved] / 2 + 1;
    const std::uint64_t per_texel = channels(given.image) == 4 ? 2 : 1;
    const std::uint64_t texels = (counts.back() + per_texel - 1) / per_texel;
    const std::uint64_t width = given.image_width == 0 ? texels : given.image_width;
    std::uint64_t distance = 1;
    layout.strides.resize(counts.size());
    for (std::size_t i = counts.size(); i-- > 0;) {
        layout.strides[i] = static_cast<std::int64_t>(distance);
        distance *= i + 1 == counts.size() ? (texels + width - 1) / width * width * per_texel : counts[i];
    }
    if (layout.batch_distance == 0) layout.batch_distance = static_cast<std::int64_t>(distance);
    return layout;
}

/// Numbers as the rows of a larger image: `row` texels of each are the array's.
inline Texels as_texels(const std::vector<float>& numbers, ImageFormat format, std::uint64_t row, ImageSize size) {
    Texels texels{format, static_cast<std::uint32_t>(size.width), static_cast<std::uint32_t>(size.height), {}};
    texels.bytes.resize(size.width * size.height * texel_bytes(format));
    for (std::size_t i = 0; i < size.width * size.height * channels(format); ++i) {
        const std::size_t x = i / channels(format) % size.width, y = i / channels(format) / size.width;
        const std::size_t from = (y * row + x) * channels(format) + i % channels(format);
        const float value = x < row && from < numbers.size() ? numbers[from] : poison;
        const std::uint16_t half = to_f16(value);
        if (format == ImageFormat::rgba16f)
            std::memcpy(&texels.bytes[i * 2], &half, 2);
        else
            std::memcpy(&texels.bytes[i * 4], &value, 4);
    }
    return texels;
}

inline std::vector<float> as_numbers(const Texels& texels, std::uint64_t row, std::size_t count) {
    std::vector<float> numbers(count, poison);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t texel = i / channels(texels.format), x = texel % row, y = texel / row;
        if (y >= texels.height) continue;
        const std::size_t at = (y * texels.width + x) * channels(texels.format) + i % channels(texels.format);
        std::uint16_t half = 0;
        if (texels.format == ImageFormat::rgba16f) {
            std::memcpy(&half, &texels.bytes[at * 2], 2);
            numbers[i] = from_f16(half);
        } else {
            std::memcpy(&numbers[i], &texels.bytes[at * 4], 4);
        }
    }
    return numbers;
}

/// Expects of a problem in images, in images two texels wider and one higher than they must be, what it gives in
/// buffers. `tolerance`, of the largest number, is 0 where the two are the same operations.
inline void expect_as_in_buffers(const Device& device, const ImageMaker& maker, const std::string& text,
                                 float tolerance = 0, const PlanOptions& options = {},
                                 const std::function<void(const Plan&, const Execution&)>& execute = {}) {
    SCOPED_TRACE(text);
    const Problem problem = parse_problem(text);
    Problem twin = problem;
    twin.input = in_a_buffer(problem, false);
    twin.output = in_a_buffer(problem, true);
    PlanOptions alike = options;  // passes to and from images are separate
    alike.tuning.separate_passes = options.tuning.recipe.empty();
    const Plan plan(device, problem, options), other(device, twin, alike);
    Queue queue = device.create_queue();
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
        if (problem.kind == Kind::r2c && direction == Direction::inverse) continue;
        if (problem.kind == Kind::c2r && direction == Direction::forward) continue;
        // What pruning leaves out is undefined, and differs.
        if (direction == Direction::inverse && !problem.signal_zeros.empty()) continue;
        std::mt19937 engine(7);
        std::uniform_real_distribution<float> uniform(-1, 1);
        std::vector<float> in(other.input_bytes() / 4), out(other.output_bytes() / 4, poison), got;
        const bool halves = problem.input.image == ImageFormat::rgba16f;
        for (float& x : in) x = halves ? from_f16(to_f16(uniform(engine))) : uniform(engine);
        Execution execution;
        execution.direction = direction;
        const Buffer from = device.allocate(other.input_bytes()), to = device.allocate(other.output_bytes());
        queue.upload(from, in.data(), in.size() * 4);
        queue.upload(to, out.data(), out.size() * 4);
        execution.input = from;
        execution.output = to;
        if (other.workspace_bytes() != 0) execution.workspace = device.allocate(other.workspace_bytes());
        other.execute(queue, execution);
        got = out;
        queue.download(out.data(), to, out.size() * 4);

        execution.workspace = {};
        if (plan.workspace_bytes() != 0) execution.workspace = device.allocate(plan.workspace_bytes());
        if (const ImageSize size = plan.workspace_texels(); size.width != 0)
            execution.workspace_image = maker.make(as_texels({}, problem.output.image, size.width, size));
        queue.upload(to, got.data(), got.size() * 4);
        const ImageSize in_size = plan.input_texels(), out_size = plan.output_texels();
        if (problem.input.image != ImageFormat::none) {
            execution.input = {};
            execution.input_image =
                maker.make(as_texels(in, problem.input.image, in_size.width, {in_size.width + 2, in_size.height + 1}));
        }
        if (problem.output.image != ImageFormat::none) {
            execution.output = {};
            execution.output_image = maker.make(
                as_texels(got, problem.output.image, out_size.width, {out_size.width + 2, out_size.height + 1}));
        }
        if (execute)
            execute(plan, execution);
        else
            plan.execute(queue, execution);
        queue.wait();
        if (problem.output.image == ImageFormat::none) {
            queue.download(got.data(), to, got.size() * 4);
        } else {
            const Image& image = execution.output_image;
            got = as_numbers({image.format(), image.width(), image.height(), maker.read(image)}, out_size.width,
                             out.size());
        }
        float largest = 0;
        for (const float x : out) largest = std::max(largest, x == poison ? 0 : std::abs(x));
        const bool rounds = problem.output.image == ImageFormat::rgba16f;
        const bool has_pairs = channels(problem.output.image) == 4;
        for (std::size_t i = 0; i < out.size(); ++i) {
            if (out[i] == poison) {
                const float held = rounds ? from_f16(to_f16(poison)) : poison;
                ASSERT_TRUE(got[i] == held || (has_pairs && got[i] == 0)) << "number " << i << ": " << got[i];
            } else if (tolerance == 0) {
                ASSERT_EQ(got[i], rounds ? from_f16(to_f16(out[i])) : out[i]) << "number " << i;
            } else {
                // A number between two halves may go either way.
                ASSERT_NEAR(got[i], out[i], largest * (tolerance + (rounds ? 0x1p-11f : 0))) << "number " << i;
            }
        }
    }
}

/// Every way of an array in images: kinds, algorithms, several passes and axes, batches, rows that are longer than the
/// array's and shorter, fields in channels, odd rows of pairs. OpenGL ES has none of the formats but these.
inline std::vector<std::string> image_problems(bool has_pairs_only) {
    std::vector<std::string> texts{
        "64 image=rgba32f inverse-scale=1/n",
        "16x32 image=rgba32f",
        "12x10 batch=3 iimage=rgba32f",
        "12x10 batch=3 oimage=rgba32f",
        "5x7 image=rgba32f",
        "8x16 image=rgba16f inverse-scale=1/n",
        "2x8x16 axes=1,2 image=rgba32f istrides=1,32,2 ostrides=1,32,2 iwidth=16 owidth=16",
        "8x12 r2c iimage=r32f oimage=rgba32f",
        "8x12 c2r iimage=rgba32f oimage=r32f",
        "12x9 dct2 image=r32f",
        "15 dst3 batch=4 image=r32f",
        "8x16 dht oimage=r32f",
        "37x6 image=rgba32f",
    };
    if (has_pairs_only) return texts;
    for (const char* text : {"64 image=rg32f inverse-scale=1/n", "1000 batch=3 image=rg32f", "16x32 image=rg32f",
                             "12x10 batch=3 iimage=rg32f", "12x10 batch=3 oimage=rg32f", "6x5x4 image=rg32f axes=0,2",
                             "64x48 image=rg32f iwidth=60 owidth=50", "4096 image=rg32f iwidth=64 owidth=128",
                             "16x16 image=rg32f iwidth=48 istrides=48,1 idist=16 batch=3", "37 batch=5 image=rg32f",
                             "97x6 image=rg32f", "1 batch=7 image=rg32f forward-scale=2", "4x1x3 axes=1 image=rg32f",
                             "16 r2c batch=3 iimage=r32f oimage=rg32f", "8x12 r2c iimage=r32f oimage=rg32f",
                             "8x12 r2c halved=0 oimage=rg32f", "8x12 c2r iimage=rg32f oimage=r32f",
                             "16x16 image=rg32f signal-zeros=0:8-16,1:8-16"})
        texts.push_back(text);
    return texts;
}

/// Lengths of two passes of 32 points each.
inline std::vector<std::string> long_image_problems() {
    return {"1024 image=rgba32f iwidth=32 owidth=64", "2048 r2c iimage=r32f oimage=rgba32f iwidth=64 owidth=32",
            "2048 c2r iimage=rgba32f oimage=r32f iwidth=64 owidth=32", "2048 dct2 image=r32f iwidth=64 owidth=32",
            "2048 dct4 oimage=r32f"};
}

/// A plan by a textbook recipe.
inline PlanOptions by_recipe(const std::string& name) {
    PlanOptions options;
    options.tuning.recipe = name;
    return options;
}

/// The error that `action` ends with.
template <class Action>
std::string said(const Action& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing";
}

#define EXPECT_SAYS(action, text) \
    EXPECT_NE(said([&] { action; }).find(text), std::string::npos) << said([&] { action; })

}  // namespace seiche::test

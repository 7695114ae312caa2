// Arrays that are images, on the interpreter: the same results as in buffers, what is refused, and what reports say.
#include <gtest/gtest.h>

#include "image_plans.hpp"
#include "seiche/emit.hpp"
#include "seiche/inspect.hpp"
#include "seiche/interop/reference.hpp"
#include "tests/support/textbook_recipes.hpp"

namespace seiche::test {
namespace {

Device device() {
    static const Device one = Device::open("reference");
    return one;
}

/// Images are buffers there; the maker keeps them to read them again.
ImageMaker maker() {
    struct Kept {
        Image image;
        Buffer buffer;
    };
    auto kept = std::make_shared<std::vector<Kept>>();
    return {
        [kept](const Texels& texels) {
            const Buffer buffer = device().allocate(texels.bytes.size());
            device().create_queue().upload(buffer, texels.bytes.data(), texels.bytes.size());
            kept->push_back({reference::image(device(), buffer, texels.format, texels.width, texels.height), buffer});
            return kept->back().image;
        },
        [kept](const Image& image) {
            for (const Kept& one : *kept) {
                if (one.image.impl() != image.impl()) continue;
                std::vector<std::byte> bytes(one.buffer.bytes());
                device().create_queue().download(bytes.data(), one.buffer, bytes.size());
                return bytes;
            }
            return std::vector<std::byte>();
        }};
}

TEST(Images, hold_what_buffers_hold) {
    for (const bool pairs : {true, false})
        for (const std::string& text : image_problems(pairs)) expect_as_in_buffers(device(), maker(), text);
}

TEST(Images, serve_transforms_of_several_passes) {
    PlanOptions passes;
    passes.tuning.passes = {16, 16, 16};
    for (const char* text : {"4096 image=rg32f iwidth=64 owidth=64", "4096 image=rgba32f iwidth=64 owidth=64"})
        expect_as_in_buffers(device(), maker(), text, 0, passes);
    passes.tuning.passes = {32, 32};
    for (const std::string& text : long_image_problems()) expect_as_in_buffers(device(), maker(), text, 0, passes);
}

/// The text's way for its recipes: one image is read and the other written. Bit for bit as in buffers, or one of them.
TEST(Images, serve_textbook_recipes) {
    for (const char* text : {"16x8 image=rg32f batch=2 inverse-scale=1/n", "64 image=rg32f iwidth=16 owidth=32",
                             "4x4 iimage=rgba32f", "8 oimage=rg32f batch=3", "15x12 image=rg32f batch=2",
                             "60 image=rg32f iwidth=10 owidth=20", "6x14 iimage=rgba32f"})
        for (const TextbookRecipe& recipe : recipes_for(text))
            expect_as_in_buffers(device(), maker(), text, 0, by_recipe(recipe.name));
}

TEST(Images, of_a_workspace_are_yours) {
    const Plan plan(device(), parse_problem("8x6 axes=0 image=rg32f"), by_recipe("stockham-radix-2"));
    EXPECT_EQ(plan.workspace_bytes(), 0u);
    EXPECT_TRUE(plan.workspace_part_bytes().empty());
    EXPECT_EQ(plan.workspace_texels(), (ImageSize{6, 8}));
    EXPECT_EQ(plan.workspace_texels(3), (ImageSize{6, 24}));
    const auto texels = [](const char* text, const char* recipe) {
        return Plan(device(), parse_problem(text), by_recipe(recipe)).workspace_texels();
    };
    EXPECT_EQ(texels("8x8 image=rg32f", "dit"), (ImageSize{0, 0}));  // in place in the output
    EXPECT_EQ(texels("8x8 iimage=rg32f", "stockham-radix-2"), (ImageSize{0, 0}));
    EXPECT_EQ(Plan(device(), parse_problem("37x8 image=rg32f")).workspace_texels(), (ImageSize{0, 0}));
    Queue queue = device().create_queue();
    Execution execution;
    execution.input_image = device().allocate_image(ImageFormat::rg32f, 6, 8);
    execution.output_image = device().allocate_image(ImageFormat::rg32f, 6, 8);
    EXPECT_SAYS(plan.execute(queue, execution),
                "execution.workspace_image: expected an image of rg32f of 6 by 8 texels or more, got none");
    execution.workspace_image = device().allocate_image(ImageFormat::rg32f, 6, 7);
    EXPECT_SAYS(plan.execute(queue, execution), "got rg32f of 6 by 7");
    execution.workspace_image = execution.input_image;
    EXPECT_SAYS(plan.execute(queue, execution), "another image than the input's and the output's");
    execution.workspace_image = execution.output_image;
    EXPECT_SAYS(plan.execute(queue, execution), "another image than the input's and the output's");
    execution.workspace_image = device().allocate_image(ImageFormat::rg32f, 6, 8);
    EXPECT_SAYS(plan.execute(queue, execution), "nothing");
}

TEST(Images, of_two_points_a_texel_take_no_recipe) {
    EXPECT_SAYS(Plan(device(), parse_problem("8x8 image=rgba32f"), by_recipe("stockham-radix-4")),
                "tuning.recipe stockham-radix-4: expected an output image of rg32f, not of two points a texel as "
                "rgba32f");
}

TEST(Images, are_allocated_where_there_are_any) {
    const Image image = device().allocate_image(ImageFormat::rgba16f, 5, 3);
    EXPECT_EQ(image.format(), ImageFormat::rgba16f);
    EXPECT_EQ(image.width(), 5u);
    EXPECT_EQ(image.height(), 3u);
    EXPECT_SAYS(device().allocate_image(ImageFormat::none, 1, 1), "expected an image with a format and texels");
    EXPECT_SAYS(device().allocate_image(ImageFormat::rg32f, 0, 1), "got 0 by 1 of rg32f");
    EXPECT_SAYS(Device().allocate_image(ImageFormat::rg32f, 1, 1), "the device is empty");
}

TEST(Images, serve_another_batch) {
    const Plan plan(device(), parse_problem("8x6 batch=2 image=rg32f"));
    EXPECT_EQ(plan.input_texels(), (ImageSize{6, 16}));
    EXPECT_EQ(plan.output_texels(5), (ImageSize{6, 40}));
    EXPECT_EQ(plan.input_bytes(), 0u);
    EXPECT_EQ(Plan(device(), parse_problem("8x6 oimage=rgba32f")).output_texels(), (ImageSize{3, 8}));
    EXPECT_EQ(Plan(device(), parse_problem("8x6 oimage=rgba32f")).input_texels(), (ImageSize{0, 0}));
}

TEST(Images, pass_through_stages_of_the_user) {
    Problem problem = parse_problem("8x6 image=rg32f");
    problem.forward_load = "return value * (1.0 + i0) + i1;";
    problem.forward_store = "return value * 0.5;";
    Problem twin = problem;
    twin.input = twin.output = {};
    const Plan plan(device(), problem, {Directions::forward, {}}), other(device(), twin, {Directions::forward, {}});
    std::vector<std::complex<float>> points(48);
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = {static_cast<float>(i), 1.0f};
    std::vector<float> numbers(96);
    std::memcpy(numbers.data(), points.data(), 96 * 4);
    const ImageMaker made = maker();
    Execution execution;
    execution.input_image = made.make(as_texels(numbers, ImageFormat::rg32f, 6, {6, 8}));
    execution.output_image = made.make(as_texels(numbers, ImageFormat::rg32f, 6, {6, 8}));
    execution.workspace = device().allocate(plan.workspace_bytes());
    Queue queue = device().create_queue();
    plan.execute(queue, execution);
    const std::vector<float> got =
        as_numbers({ImageFormat::rg32f, 6, 8, made.read(execution.output_image)}, 6, numbers.size());
    std::memcpy(numbers.data(), other.forward(points).data(), 96 * 4);
    EXPECT_EQ(got, numbers);
}

TEST(Images, are_refused_where_they_mean_nothing) {
    const std::pair<const char*, const char*> wrong[] = {
        {"8 r2c iimage=rg32f", "input.image: expected r32f, because the array is real, got rg32f"},
        {"8 image=r32f", "input.image: expected rg32f, rgba32f or rgba16f, because the array is complex"},
        {"8 f64 image=rg32f", "precision: expected f32, because input is an image, got f64"},
        {"8 f16 oimage=rg32f", "storage: expected f32, or none, because output is an image, got f16"},
        {"8 in-place iimage=rg32f", "placement: expected out-of-place, because input is an image"},
        {"8 iplanar iimage=rg32f", "input.planar: expected false, because the array is an image"},
        {"8 oparts=64 oimage=rg32f", "output.part_bytes: expected 0, because the array is an image, got 64"},
        {"8 ioffset=8 iimage=rg32f", "input.byte_offset: expected 0, because the array is an image, got 8"},
        {"8 iwidth=8", "input.image_width: expected 0, because the array is no image, got 8"},
        {"64 oimage=rg32f spectrum-order=pass", "spectrum_order: expected natural, because the output is an image"},
        {"4x4 oimage=rgba32f ostrides=5,1", "output.strides: expected even ones but for one axis of stride 1"},
        {"4 batch=2 oimage=rgba32f odist=5", "output.batch_distance: expected an even one"},
        {"8 iimage=rg32f iwidth=9999999999", "input.image_width: expected at most 2^31 texels, got 9999999999"},
        {"65536x65536 batch=2 iimage=rg32f", "input.image: expected at most 2^32 texels, got 8589934592"},
        {"8 iimage=rgb32f", "problem text, at \"iimage=rgb32f\": expected r32f, rg32f, rgba32f or rgba16f"},
        {"8 image=rg32f oimage=rg32f", "oimage once"}};
    for (const auto& [text, words] : wrong) EXPECT_SAYS(Plan(device(), parse_problem(text)), words);
}

TEST(Images, of_an_execution_are_checked) {
    const Plan plan(device(), parse_problem("8x6 image=rg32f"));
    const ImageMaker made = maker();
    const auto image = [&](ImageFormat format, std::uint64_t width, std::uint64_t height) {
        return made.make(as_texels({}, format, width, {width, height}));
    };
    Queue queue = device().create_queue();
    Execution execution;
    execution.workspace = device().allocate(plan.workspace_bytes());
    const std::string wanted = "execution.input_image: expected an image of rg32f of 6 by 8 texels or more, got ";
    EXPECT_SAYS(plan.execute(queue, execution), wanted + "none");
    execution.input_image = image(ImageFormat::rg32f, 6, 7);
    EXPECT_SAYS(plan.execute(queue, execution), wanted + "rg32f of 6 by 7");
    execution.input_image = image(ImageFormat::rgba32f, 6, 8);
    EXPECT_SAYS(plan.execute(queue, execution), wanted + "rgba32f of 6 by 8");
    execution.input_image = execution.output_image = image(ImageFormat::rg32f, 6, 8);
    EXPECT_SAYS(plan.execute(queue, execution), "execution.output_image: expected another image than the input's");
    execution.output_image = image(ImageFormat::rg32f, 6, 8);
    execution.input = device().allocate(384);
    EXPECT_SAYS(plan.execute(queue, execution), "execution.input: expected none, because the array is an image");
    execution.input = {};
    EXPECT_SAYS(plan.execute(queue, execution), "nothing");
    const Plan in_buffers(device(), parse_problem("8x6"));
    EXPECT_SAYS(in_buffers.execute(queue, execution),
                "execution.input_image: expected none, because the array is in buffers");
    EXPECT_SAYS(plan.forward(std::vector<std::complex<float>>(48)), "data on the host: expected a plan whose arrays");
    EXPECT_SAYS(plan.warm_up(), "warm_up: expected a plan whose arrays are in buffers, got one whose input");
    const Buffer small = device().allocate(64);
    EXPECT_SAYS(reference::image(device(), small, ImageFormat::rg32f, 3, 3), "a buffer of 3 by 3 texels of 8 bytes");
    EXPECT_SAYS(reference::image(device(), small, ImageFormat::none, 1, 1), "an image with a format and texels");
    EXPECT_SAYS(reference::image(device(), {}, ImageFormat::rg32f, 1, 1), "a buffer of the device 'reference'");
    EXPECT_SAYS(reference::image({}, small, ImageFormat::rg32f, 1, 1), "the device 'reference'");
    EXPECT_EQ(Image().width() + Image().height(), 0u);
}

TEST(Images, survive_text_and_saving) {
    const Problem problem = parse_problem("8x6 iimage=rg32f oimage=rgba16f owidth=7");
    EXPECT_EQ(to_string(problem), "8x6 c2c f32 iimage=rg32f oimage=rgba16f owidth=7");
    const Plan plan(device(), problem);
    const Plan again = Plan::load(device(), plan.save());
    EXPECT_EQ(to_string(again.problem()), to_string(problem));
    EXPECT_EQ(again.output_texels(), (ImageSize{7, 8}));
}

/// A texel's bytes count each time it is loaded or stored; nothing is read that was not written.
TEST(Images, count_as_memory) {
    const DeviceLimits limits;
    using Bytes = std::pair<std::uint64_t, std::uint64_t>;
    const auto moved = [&](const char* text) -> Bytes {
        std::uint64_t read = 0, written = 0;
        for (const AnalysisReport& kernel : analyse(parse_problem(text), limits)) {
            EXPECT_EQ(kernel.out_of_bounds + kernel.uninitialised_reads + kernel.races, 0u) << text;
            read += kernel.bytes_read;
            written += kernel.bytes_written;
        }
        return {read, written};
    };
    EXPECT_EQ(moved("64x64 image=rg32f"), (Bytes{2 * 32768, 2 * 32768}));
    EXPECT_EQ(moved("64 batch=64 iimage=rgba32f"), (Bytes{2 * 32768, 32768}));
    EXPECT_EQ(moved("64 batch=64 oimage=rgba16f"), (Bytes{2 * 32768, 32768 + 16384}));
    EXPECT_EQ(moved("5x7 oimage=rgba32f").second, 2 * 280u + 5 * 4 * 16);
    const PlanReport report = inspect(parse_problem("64 batch=64 image=rgba16f"), limits);
    EXPECT_EQ(report.kernels[0].bytes_read, 16384u);
    EXPECT_EQ(report.kernels[1].bytes_written, 16384u);
    EXPECT_EQ(report.ideal_bytes, 32768u);
    EXPECT_EQ(report.storage_roundings, 1u);
    EXPECT_NE(report.kernels[0].spec.find("input-image=rgba16f"), std::string::npos) << report.kernels[0].spec;
}

/// A kernel in place has one image as both of its parameters, and says so; one that alternates says that it hasn't.
TEST(Images, of_textbook_recipes_as_source) {
    const auto emitted = [](const char* recipe) {
        return emit_kernels(parse_problem("4x8 image=rg32f"), Dialect::glsl, {}, Direction::forward,
                            by_recipe(recipe).tuning);
    };
    const auto count = [](const std::string& text, const std::string& word) {
        std::size_t found = 0;
        for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
        return found;
    };
    const std::vector<EmittedKernel> in_place = emitted("dit"), alternating = emitted("stockham-radix-2");
    for (std::size_t i = 0; i < in_place.size(); ++i)
        EXPECT_EQ(count(in_place[i].source, "uniform restrict "), i == 0 ? 2u : 0u) << in_place[i].source;
    std::vector<std::string> written;
    for (const EmittedKernel& kernel : alternating) {
        EXPECT_EQ(count(kernel.source, "uniform restrict "), 2u) << kernel.source;
        ASSERT_EQ(kernel.images.size(), 2u);
        EXPECT_EQ(kernel.images[0].holds, written.empty() ? "input" : written.back());
        EXPECT_EQ(kernel.images[1].width, 8u);
        EXPECT_EQ(kernel.images[1].height, 4u);
        written.push_back(kernel.images[1].holds);
    }
    EXPECT_EQ(written, (std::vector<std::string>{"output", "workspace a", "output", "workspace a", "output"}));
}

TEST(Images, are_unsupported_by_languages_without_them) {
    for (const Dialect dialect : {Dialect::cuda, Dialect::hip, Dialect::opencl, Dialect::spirv_opencl})
        EXPECT_SAYS(emit_kernels(parse_problem("64 iimage=rg32f"), dialect, {}),
                    "Unsupported: " + std::string(to_string(dialect)) + ": kernel forward_0_n64: ");
}

}  // namespace
}  // namespace seiche::test

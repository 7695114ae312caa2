// The guard itself: the corpus is the same everywhere, names do not count, anything else does, and hashes come back.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/guard/hash.hpp"
#include "tests/guard/record.hpp"
#include "tests/unit/cli/temporary.hpp"

namespace seiche::guard {
namespace {

const Profile& profile(const std::string& name) {
    for (const Profile& one : profiles())
        if (one.name == name) return one;
    throw std::runtime_error("no profile " + name);
}

/// Over all texts: another compiler's order of evaluation, or another library's numbers, would show here.
TEST(Guard, the_corpus_is_the_same_everywhere) {
    Hash hash;
    std::set<std::string> different;
    for (std::uint32_t n = 0; n < all; ++n) {
        hash.text(command_of(draw(n)));
        different.insert(command_of(draw(n)));
    }
    EXPECT_EQ(hash.digits(16), "d02483a76de24273");
    EXPECT_GT(different.size(), all * 9 / 10);
}

TEST(Guard, the_corpus_has_every_form) {
    std::string text;
    for (std::uint32_t n = 0; n < all; ++n) text += command_of(draw(n)) + "\n";
    for (const char* word : {" c2c",
                             " r2c",
                             " c2r",
                             " hfft",
                             " ihfft",
                             "dct1",
                             "dct2",
                             "dct3",
                             "dct4",
                             "dst1",
                             "dst2",
                             "dst3",
                             "dst4",
                             "dht",
                             "r2hc",
                             "hc2r",
                             " f32",
                             " f64",
                             " f64x2",
                             " f16",
                             " bf16",
                             " f16-arithmetic",
                             "storage=f32",
                             "storage=f64",
                             " in-place",
                             "istrides=",
                             "ostrides=",
                             "idist=",
                             " planar",
                             " iplanar",
                             " oplanar",
                             "ioffset=",
                             "ooffset=",
                             "parts=",
                             "image=",
                             "rgba16f",
                             "signal-zeros=",
                             "spectrum-zeros=",
                             "spectrum-order=pass",
                             "overwrite-input",
                             "orthonormal",
                             "orthogonalize",
                             "halved=",
                             "axes=",
                             "norm=",
                             "--load-stage",
                             "--store-stage",
                             "--stage-buffer",
                             "--stage-scalar",
                             "correlate",
                             "phase",
                             "circular",
                             "same",
                             "valid",
                             "full",
                             "spectrum circular",
                             "channels=symmetric",
                             "channels=diagonal",
                             "inputs=",
                             "block=",
                             " complex",
                             "--recipe split-radix",
                             "--twiddles recurrence",
                             "--radices",
                             "--passes",
                             "--algorithm rader",
                             "--padded-length",
                             "--threads",
                             "--transforms-per-group",
                             "--groups-per-cluster",
                             "--separate-passes",
                             "--trailing-passes",
                             "--vector-lanes",
                             "--buffer-bytes"})
        EXPECT_NE(text.find(word), std::string::npos) << word;
}

TEST(Guard, names_comments_and_spacing_do_not_count) {
    const std::string text =
        "// made for n = 4\nvoid run(const float2* in, u32 count) {\n    const u32 v0 = count * 4u;\n}\n";
    const std::string other = "void run(const float2* a,\n\nu32 b)  {\n const u32 x=b*4u; /* points */\n}\n";
    const auto on_one_line = [](std::string lines) {
        for (char& c : lines)
            if (c == '\n') c = ' ';
        return lines;
    };
    EXPECT_EQ(on_one_line(normalised(text, false)), on_one_line(normalised(other, false)));
    const std::string changed = "void run(const float2* in, u32 count) {\n    const u32 v0 = count * 8u;\n}\n";
    EXPECT_NE(normalised(text, false), normalised(changed, false));
    const std::string swapped = "void run(const float2* in, u32 count) {\n    const u32 v0 = in * 4u;\n}\n";
    EXPECT_NE(normalised(text, false), normalised(swapped, false));
}

TEST(Guard, registers_of_ptx_do_not_count) {
    EXPECT_EQ(normalised("add.u32 %r1, %r2, %tid.x;", true), normalised("add.u32 %r7, %r3, %tid.x; // sum", true));
    EXPECT_NE(normalised("add.u32 %r1, %r2, %r1;", true), normalised("add.u32 %r1, %r2, %r2;", true));
    EXPECT_NE(normalised("mov.u32 %r1, %tid.x;", true), normalised("mov.u32 %r1, %ctaid.x;", true));
}

TEST(Guard, choices_tell_tunings_apart_and_names_nothing) {
    Drawn drawn;
    drawn.text = "4096 c2c f32 batch=100";
    const Choices plain = choices(drawn, profile("h200").limits);
    drawn.tuning = "radices=16x16x16";
    const Choices tuned = choices(drawn, profile("h200").limits);
    EXPECT_NE(plain.text.find("radices="), std::string::npos) << plain.text;
    EXPECT_NE(tuned.text.find("radices=16x16x16"), std::string::npos) << tuned.text;
    EXPECT_NE(plain.text, choices(drawn, profile("gpu").limits).text);
    EXPECT_EQ(kernels_text(plain).rfind("kernel kernel\n", 0), 0u) << kernels_text(plain).substr(0, 100);
    EXPECT_EQ(kernels_text(plain).find("//"), std::string::npos) << "a comment";
    drawn.tuning = "radices=2x2";
    EXPECT_TRUE(choices(drawn, profile("h200").limits).is_refused);
}

/// With the first two neighbours of which neither waits for the other in each other's place.
ir::Kernel with_swapped_neighbours(ir::Kernel kernel) {
    const auto is_pure = [&](std::size_t i) { return ir::op_is_pure(kernel.code[i].op); };
    for (ir::ValueId i = 0; i + 1 < kernel.code.size(); ++i) {
        const auto& operands = kernel.code[i + 1].operands;
        const bool waits = std::find(operands.begin(), operands.end(), i) != operands.end();
        if (!is_pure(i) || !is_pure(i + 1) || waits || kernel.code[i] == kernel.code[i + 1]) continue;
        std::swap(kernel.code[i], kernel.code[i + 1]);
        for (ir::Instruction& user : kernel.code)
            for (ir::ValueId& operand : user.operands)
                if (operand == i || operand == i + 1) operand = 2 * i + 1 - operand;
        break;
    }
    return kernel;
}

TEST(Guard, the_order_that_a_compiler_chose_does_not_count_but_another_operand_does) {
    Drawn drawn;
    drawn.text = "16 c2c f32 batch=100";
    const Choices made = choices(drawn, profile("h200").limits);
    Choices swapped = made, changed = made;
    const ir::Kernel& kernel = *made.kernels[0];
    swapped.kernels[0] = std::make_shared<const ir::Kernel>(with_swapped_neighbours(kernel));
    EXPECT_NE(kernels_text(swapped), kernels_text(made));
    EXPECT_EQ(instructions_text(swapped), instructions_text(made));
    auto other = std::make_shared<ir::Kernel>(kernel);
    const auto sum = std::find_if(other->code.begin(), other->code.end(), [](const ir::Instruction& i) {
        return i.op == ir::Op::sub && i.type.is_float() && i.operands[0] != i.operands[1];
    });
    ASSERT_NE(sum, other->code.end());
    std::swap(sum->operands[0], sum->operands[1]);
    changed.kernels[0] = other;
    EXPECT_NE(instructions_text(changed), instructions_text(made));
}

TEST(Guard, records_come_back_and_differences_are_named) {
    const cli::TemporaryFolder folder;
    Records records;
    for (const std::uint32_t number : {std::uint32_t{20}, wide + 7}) records[number] = record_of(number);
    const std::string path = folder.file("hashes.txt");
    write_records(path, records);
    const Records again = read_records(path);
    ASSERT_EQ(again.size(), records.size());
    for (const auto& [number, record] : records) EXPECT_EQ(difference(number, again.at(number), record), "");
    Record changed = records[20];
    changed.total = "000000000000";
    std::string& cell = changed.cells["h200"];
    cell[0] = cell[0] == '0' ? '1' : '0';
    EXPECT_EQ(difference(20, again.at(20), changed), "h200 (choices)");
    changed = records[20];
    changed.total = "000000000000";
    EXPECT_EQ(difference(20, again.at(20), changed), "somewhere (its short hashes agree)");
    changed = records[20];
    changed.cells.erase("gpu");
    EXPECT_EQ(difference(20, changed, again.at(20)), "gpu (is new)");
    folder.write("hashes.txt", "profiles a\nnonsense\n");
    EXPECT_THROW(read_records(path), std::runtime_error);
}

}  // namespace
}  // namespace seiche::guard

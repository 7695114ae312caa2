// The arguments of an execution, checked once: buffers, and what the user's stages name.
#include "api/arguments.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "api/memory_range.hpp"
#include "api/stage_arguments.hpp"
#include "support/enumerators.hpp"

namespace seiche::api {

namespace {

using expression::Program;

/// The memory of the transform itself.
struct Memory {
    MemoryRanges input, output, workspace;
    MemoryRanges input_imaginary, output_imaginary;  // of planar arrays whose halves have buffers of their own
};

class Checker {
public:
    /// Fills `arguments`, which are as they begin.
    Checker(const exec::Executable& executable, const Execution& execution, exec::Arguments& arguments)
        : executable_(executable),
          execution_(execution),
          arguments_(arguments),
          canonical_(executable.canonical()),
          direction_(planned_direction(executable, execution.direction)),
          stages_(canonical_.stages_of(direction_)) {}

    void run() {
        arguments_.direction = direction_;
        arguments_.batch = batch_or_default(executable_, execution_.batch);
        if (arguments_.batch == 0) return;
        executable_.check_parts(arguments_.direction, arguments_.batch);
        add_images();
        add_input();
        add_output();
        add_workspace();
        check_names();
        arguments_.load.pointer = checked_pointer(execution_.load_pointer, true);
        arguments_.store.pointer = checked_pointer(execution_.store_pointer, false);
        if (stages_.load) add_stage(*stages_.load, arguments_.load);
        if (stages_.store) add_stage(*stages_.store, arguments_.store);
    }

private:
    /// One of the two arrays: its views or parts, and the bytes of one half.
    struct ArrayViews {
        const char* name;
        const char* imaginary_name;
        const char* parts_name;
        const char* imaginary_parts_name;
        const BufferView& view;
        const BufferView& imaginary_view;
        const std::vector<BufferView>& parts;
        const std::vector<BufferView>& imaginary_parts;
        bool planar = false;
        std::uint64_t bytes = 0, offset = 0, alignment = 1;
        std::uint64_t part_bytes = 0;  // 0: in one
    };
    struct ArrayRanges {
        MemoryRanges real, imaginary;  // the imaginary one empty where it follows the real one or is none
        exec::ArrayArgument real_argument, imaginary_argument;
    };

    static exec::ArrayArgument argument_of(const BufferView& view) {
        return {{view.buffer.impl().get(), view.byte_offset}, nullptr, 0};
    }

    /// Buffers of `part_bytes` each that hold so many bytes, the last of the rest.
    static exec::ArrayArgument checked_parts(const std::vector<BufferView>& parts, std::uint64_t part_bytes,
                                             const Need& need, MemoryRanges& ranges) {
        const std::uint64_t count = (need.bytes - 1) / part_bytes + 1, last = need.bytes - (count - 1) * part_bytes;
        if (parts.size() != count)
            refuse(need, "",
                   std::to_string(count) + " buffers, " + std::to_string(part_bytes) + " bytes in each and " +
                       std::to_string(last) + " in the last",
                   std::to_string(parts.size()));
        for (std::size_t i = 0; i < count; ++i) {
            const Need own{need.name, need.which, i + 1 == count ? last : part_bytes, need.alignment, i};
            ranges.add(checked(parts[i], own));
        }
        refuse_overlap_within(ranges, need);
        return {{}, parts.data(), parts.size()};
    }

    /// Of an array in several buffers both halves are given apart.
    static ArrayRanges ranges_of_parts(const ArrayViews& array) {
        const Need real{array.parts_name, "", array.bytes, array.alignment};
        const Need imaginary{array.imaginary_parts_name, "", array.bytes, array.alignment};
        constexpr const char* several = "none, because the array lies in parts";
        if (array.view.buffer) refuse({array.name, ""}, "", several, "a buffer");
        if (array.imaginary_view.buffer) refuse({array.imaginary_name, ""}, "", several, "a buffer");
        if (!array.planar && !array.imaginary_parts.empty())
            refuse(imaginary, "", "none, because the array is not planar",
                   std::to_string(array.imaginary_parts.size()));
        ArrayRanges ranges;
        ranges.real_argument = checked_parts(array.parts, array.part_bytes, real, ranges.real);
        if (!array.planar) return ranges;
        ranges.imaginary_argument = checked_parts(array.imaginary_parts, array.part_bytes, imaginary, ranges.imaginary);
        refuse_overlap(ranges.imaginary, imaginary, ranges.real, real);
        return ranges;
    }

    static ArrayRanges ranges_of(const ArrayViews& array) {
        if (array.part_bytes != 0) return ranges_of_parts(array);
        for (const bool imaginary : {false, true}) {
            const std::size_t given = (imaginary ? array.imaginary_parts : array.parts).size();
            if (given != 0)
                refuse({imaginary ? array.imaginary_parts_name : array.parts_name, ""}, "",
                       "none, because the problem has no part_bytes for it", std::to_string(given));
        }
        const std::uint64_t half = array.bytes - array.offset;
        const bool is_apart = array.imaginary_view.buffer.impl() != nullptr;
        const Need imaginary{array.imaginary_name, "", array.bytes, array.alignment};
        if (!array.planar && is_apart) refuse(imaginary, "", "none, because the array is not planar", "a buffer");
        ArrayRanges ranges;
        const std::uint64_t following = array.planar && !is_apart ? half : 0;
        MemoryRange real = checked(array.view, {array.name, "", array.bytes + following, array.alignment});
        real.first += array.offset;
        ranges.real.add(real);
        ranges.real_argument = argument_of(array.view);
        if (is_apart) {
            MemoryRange apart = checked(array.imaginary_view, imaginary);
            apart.first += array.offset;
            ranges.imaginary.add(apart);
            ranges.imaginary_argument = argument_of(array.imaginary_view);
            refuse_overlap(ranges.imaginary, imaginary, ranges.real, {array.name, ""});
        } else if (array.planar) {
            ranges.imaginary_argument = argument_of(array.view);
            ranges.imaginary_argument.whole.byte_offset += half;
        }
        return ranges;
    }

    /// The image of one array, or null where that is in buffers. `elements` is a function: it takes time to count.
    template <class Elements>
    runtime::Image* checked_image(const char* name, const Image& given, const problem::ArrayImage& array,
                                  const Elements& elements) const {
        const Need need{name, ""};
        if (!array) {
            if (given) refuse(need, "", "none, because the array is in buffers", "an image");
            return nullptr;
        }
        const auto text = [](ImageFormat format, std::uint64_t width, std::uint64_t height) {
            return std::string(to_string(format)) + " of " + std::to_string(width) + " by " + std::to_string(height);
        };
        const std::uint64_t height = array.height(elements());
        const auto rule = [&] { return "an image of " + text(array.format, array.width, height) + " texels or more"; };
        if (!given) refuse(need, "", rule(), "none");
        if (given.format() != array.format || given.width() < array.width || given.height() < height)
            refuse(need, "", rule(), text(given.format(), given.width(), given.height()));
        return given.impl().get();
    }

    static void refuse_buffers(const char* name, const BufferView& view, const BufferView& imaginary,
                               const std::vector<BufferView>& parts) {
        if (view.buffer || imaginary.buffer || !parts.empty())
            refuse({name, ""}, "", "none, because the array is an image", "a buffer");
    }

    void add_images() {
        const std::uint64_t batch = arguments_.batch;
        arguments_.input_image = checked_image("input_image", execution_.input_image, canonical_.input_image,
                                               [&] { return canonical_.input_elements(batch); });
        arguments_.output_image = checked_image("output_image", execution_.output_image, canonical_.output_image,
                                                [&] { return canonical_.output_elements(batch); });
        if (arguments_.input_image != nullptr)
            refuse_buffers("input", execution_.input, execution_.input_imaginary, execution_.input_parts);
        if (arguments_.output_image != nullptr)
            refuse_buffers("output", execution_.output, execution_.output_imaginary, execution_.output_parts);
        if (arguments_.input_image != nullptr && arguments_.output_image != nullptr &&
            arguments_.input_image->is_same(*arguments_.output_image))
            refuse({"output_image", ""}, "", "another image than the input's", "the same");
    }

    /// What one array, or a half of it, asks of its buffer. In place that holds both; but where the halves of planar
    /// arrays follow each other, those of two layouts do so at different distances.
    std::uint64_t half_bytes(bool input) const {
        const auto own = [this](bool of_input) {
            return of_input ? canonical_.input_half_bytes(arguments_.batch)
                            : canonical_.output_half_bytes(arguments_.batch);
        };
        const bool is_own = !canonical_.shares_buffer() ||
                            (canonical_.has_two_layouts && canonical_.input_planar && canonical_.input_part_bytes == 0);
        return is_own ? own(input) : std::max(own(true), own(false));
    }

    void add_input() {
        if (canonical_.input_image) return;
        if (!executable_.reads_input(direction_)) return;
        const ArrayRanges ranges =
            ranges_of({"input", "input_imaginary", "input_parts", "input_imaginary_parts", execution_.input,
                       execution_.input_imaginary, execution_.input_parts, execution_.input_imaginary_parts,
                       canonical_.input_planar, half_bytes(true), canonical_.input_begin(arguments_.batch),
                       canonical_.input_alignment(), canonical_.input_part_bytes});
        memory_.input = ranges.real;
        memory_.input_imaginary = ranges.imaginary;
        arguments_.input = ranges.real_argument;
        arguments_.input_imaginary = ranges.imaginary_argument;
    }

    void add_output_in_place() {
        const auto differs = [](const BufferView& view, const BufferView& in) {
            return view.buffer && (view.buffer.impl() != in.buffer.impl() || view.byte_offset != in.byte_offset);
        };
        const auto parts_differ = [&](const std::vector<BufferView>& parts, const std::vector<BufferView>& in) {
            return !parts.empty() && (parts.size() != in.size() ||
                                      !std::equal(parts.begin(), parts.end(), in.begin(),
                                                  [&](const auto& a, const auto& b) { return !differs(a, b); }));
        };
        const char* which = differs(execution_.output, execution_.input)                       ? ""
                            : differs(execution_.output_imaginary, execution_.input_imaginary) ? "_imaginary"
                            : parts_differ(execution_.output_parts, execution_.input_parts)    ? "_parts"
                            : parts_differ(execution_.output_imaginary_parts, execution_.input_imaginary_parts)
                                ? "_imaginary_parts"
                                : nullptr;
        if (which)
            throw InvalidProblem(std::string("execution.output") + which +
                                 ": expected the input or none, because the plan is in place, got another");
        if (canonical_.has_two_layouts) {
            const ArrayRanges ranges =
                ranges_of({"input", "input_imaginary", "input_parts", "input_imaginary_parts", execution_.input,
                           execution_.input_imaginary, execution_.input_parts, execution_.input_imaginary_parts,
                           canonical_.output_planar, half_bytes(false), canonical_.output_begin(arguments_.batch),
                           canonical_.output_alignment(), canonical_.output_part_bytes});
            return set_output(ranges);
        }
        arguments_.output = arguments_.input;
        arguments_.output_imaginary = arguments_.input_imaginary;
        memory_.output = memory_.input;
        memory_.output_imaginary = memory_.input_imaginary;
    }

    void add_output() {
        if (canonical_.output_image) return;
        if (canonical_.shares_buffer()) return add_output_in_place();
        if (!executable_.writes_output(direction_)) return;
        const ArrayRanges ranges =
            ranges_of({"output", "output_imaginary", "output_parts", "output_imaginary_parts", execution_.output,
                       execution_.output_imaginary, execution_.output_parts, execution_.output_imaginary_parts,
                       canonical_.output_planar, half_bytes(false), canonical_.output_begin(arguments_.batch),
                       canonical_.output_alignment(), canonical_.output_part_bytes});
        set_output(ranges);
        refuse_overlap_with(memory_.output, {"output", ""}, true);
        refuse_overlap_with(memory_.output_imaginary, {"output_imaginary", ""}, true);
    }

    void set_output(const ArrayRanges& ranges) {
        memory_.output = ranges.real;
        memory_.output_imaginary = ranges.imaginary;
        arguments_.output = ranges.real_argument;
        arguments_.output_imaginary = ranges.imaginary_argument;
    }

    /// With both halves of the input, or of the output.
    void refuse_overlap_with(const MemoryRanges& range, const Need& need, bool input) const {
        refuse_overlap(range, need, input ? memory_.input : memory_.output, {input ? "input" : "output", ""});
        refuse_overlap(range, need, input ? memory_.input_imaginary : memory_.output_imaginary,
                       {input ? "input_imaginary" : "output_imaginary", ""});
    }

    void add_workspace_image(const problem::ArrayImage& array) {
        runtime::Image* const image = checked_image("workspace_image", execution_.workspace_image, array, [&] {
            return executable_.workspace_image_elements(arguments_.batch);
        });
        for (const runtime::Image* other : {arguments_.input_image, arguments_.output_image})
            if (other != nullptr && image->is_same(*other))
                refuse({"workspace_image", ""}, "", "another image than the input's and the output's", "the same");
        arguments_.workspace_image = image;
    }

    void add_workspace() {
        if (const problem::ArrayImage image = executable_.workspace_image()) return add_workspace_image(image);
        const std::uint64_t bytes = executable_.workspace_bytes(arguments_.batch);
        if (bytes == 0) return;
        const std::uint64_t alignment = canonical_.complex_bytes();
        if (execution_.workspace_parts.empty()) {
            memory_.workspace.add(checked(execution_.workspace, {"workspace", "", bytes, alignment}));
            arguments_.workspace = argument_of(execution_.workspace);
        } else {
            add_workspace_parts(alignment);
        }
        refuse_overlap_with(memory_.workspace, {"workspace", ""}, true);
        refuse_overlap_with(memory_.workspace, {"workspace", ""}, false);
    }

    void add_workspace_parts(std::uint64_t alignment) {
        const std::vector<BufferView>& parts = execution_.workspace_parts;
        const Need need{"workspace_parts", "", 0, alignment};
        if (execution_.workspace.buffer)
            refuse({"workspace", ""}, "", "none, because workspace_parts are given", "a buffer");
        const auto bytes = [this](std::size_t i) { return executable_.workspace_part_bytes(arguments_.batch, i); };
        std::size_t count = 0;
        while (bytes(count) != 0) ++count;
        if (parts.size() != count) refuse(need, "", std::to_string(count) + " buffers", std::to_string(parts.size()));
        for (std::size_t i = 0; i < count; ++i)
            memory_.workspace.add(checked(parts[i], {need.name, need.which, bytes(i), alignment, i}));
        refuse_overlap_within(memory_.workspace, need);
        arguments_.workspace = {{}, parts.data(), parts.size()};
        if (parts.size() == 1) arguments_.workspace = argument_of(parts.front());
    }

    StageValues given() const { return {execution_.stage_buffers, execution_.stage_scalars}; }

    /// Names of the other direction may be there.
    void check_names() const {
        const auto& [one, other] = canonical_.stages;
        api::check_names(given(), std::array<const Program*, 4>{one.load.get(), one.store.get(), other.load.get(),
                                                                other.store.get()});
    }

    /// One that no function of either direction takes is a mistake.
    std::uint64_t checked_pointer(void* pointer, bool is_load) const {
        const auto takes = [&](const problem::DirectionStages& stages) {
            const auto& program = is_load ? stages.load : stages.store;
            return program && program->function;
        };
        if (pointer != nullptr && std::none_of(canonical_.stages.begin(), canonical_.stages.end(), takes))
            refuse({is_load ? "load_pointer" : "store_pointer", ""}, "",
                   std::string("null, because no ") + (is_load ? "load" : "store") + " stage is a function", "another");
        return reinterpret_cast<std::uintptr_t>(pointer);
    }

    void add_stage(const Program& program, exec::StageArguments& arguments) {
        for (std::size_t i = 0; i < program.buffers.size(); ++i)
            arguments.buffers[i] = buffer(program.buffers[i], program.written[i]);
        for (std::size_t i = 0; i < program.scalars.size(); ++i)
            arguments.scalars[i] = bits_of(given(), program.scalars[i]);
    }

    runtime::BufferArgument buffer(const StageBuffer& declared, bool is_written) const {
        const Need need = need_of(declared);
        const BufferView& view = view_of(given(), declared);
        MemoryRanges range;
        range.add(checked(view, need));
        refuse_overlap_with(range, need, false);
        if (canonical_.may_overwrite_input) refuse_overlap_with(range, need, true);
        refuse_overlap(range, need, memory_.workspace, {"workspace", ""});
        if (is_written) check_written(range, need);
        return {view.buffer.impl().get(), view.byte_offset};
    }

    /// Nothing else that the execution reads or writes may be where a stage stores.
    void check_written(const MemoryRanges& range, const Need& need) const {
        refuse_overlap_with(range, need, true);
        for (const Program* program : {stages_.load.get(), stages_.store.get()}) {
            if (!program) continue;
            for (const StageBuffer& other : program->buffers) {
                if (other.name == need.which) continue;
                const BufferView& theirs = view_of(given(), other);
                if (theirs.buffer) refuse_overlap(range[0], need, checked(theirs, need_of(other)), need_of(other));
            }
        }
    }

    const exec::Executable& executable_;
    const Execution& execution_;
    exec::Arguments& arguments_;
    const problem::Canonical& canonical_;
    const Direction direction_;
    const problem::DirectionStages& stages_;
    Memory memory_;
};

}  // namespace

std::uint64_t batch_or_default(const exec::Executable& executable, std::optional<std::uint64_t> batch) {
    const problem::Canonical& canonical = executable.canonical();
    if (canonical.is_empty) return 0;
    if (!batch) return canonical.default_batch;
    problem::check_batch(canonical, *batch);
    return *batch;
}

Direction planned_direction(const exec::Executable& executable, std::optional<Direction> direction) {
    const problem::Canonical& canonical = executable.canonical();
    const Direction forward = canonical.as_planned(Direction::forward),
                    inverse = canonical.as_planned(Direction::inverse);
    if (!direction) return executable.has(forward) ? forward : inverse;
    support::check_enumerator("execution.direction", direction);
    const bool is_forward = *direction == Direction::forward;
    const Direction planned = is_forward ? forward : inverse;
    if (!executable.has(planned))
        throw InvalidProblem(std::string("execution.direction: expected ") + (is_forward ? "inverse" : "forward") +
                             ", the only one of this plan, got " + (is_forward ? "forward" : "inverse"));
    return planned;
}

exec::Arguments checked_arguments(const exec::Executable& executable, const Execution& execution) {
    exec::Arguments arguments;
    Checker(executable, execution, arguments).run();
    return arguments;
}

void add_blank_stage_arguments(const exec::Executable& executable, Execution& execution) {
    const auto is_new = [](const auto& given, const std::string& name) {
        return std::none_of(given.begin(), given.end(), [&](const auto& argument) { return argument.name == name; });
    };
    execution.stage_buffers.clear();
    execution.stage_scalars.clear();
    const problem::DirectionStages& stages =
        executable.canonical().stages_of(planned_direction(executable, execution.direction));
    for (const auto& program : {stages.load, stages.store}) {
        if (!program) continue;
        for (const StageBuffer& buffer : program->buffers)
            if (is_new(execution.stage_buffers, buffer.name))
                execution.stage_buffers.push_back(
                    {buffer.name, executable.device().allocate(buffer.count * bytes_of(buffer.type))});
        for (const StageScalar& scalar : program->scalars)
            if (is_new(execution.stage_scalars, scalar.name)) execution.stage_scalars.push_back({scalar.name, 0});
    }
}

}  // namespace seiche::api

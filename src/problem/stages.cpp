// The user's stages of a problem: parsed, checked, and agreed with one another.
#include "problem/stages.hpp"

#include <algorithm>
#include <string>

#include "problem/kinds.hpp"
#include "seiche/error.hpp"
#include "support/text.hpp"

namespace seiche::problem {

namespace {

using expression::Program;
using expression::Side;
using ProgramPointer = std::shared_ptr<const Program>;

[[noreturn]] void refuse(const std::string& field, const std::string& rule, const std::string& got) {
    throw InvalidProblem(field + ": expected " + rule + ", got " + got);
}

/// What the array on one side of a direction is.
struct Array {
    std::vector<std::uint64_t> counts;
    bool is_real = false;
};
Array array_of(const Problem& problem, const std::vector<Kind>& kinds, Direction direction, Side side) {
    const bool is_input = side == Side::load, is_forward = direction == Direction::forward;
    const bool is_signal = (is_forward == is_input) != is_conjugated(problem.kind);  // by the planned kind
    Array array{problem.lengths, is_real_to_real(leading_kind(problem))};
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (kinds[i] != Kind::r2c && kinds[i] != Kind::c2r) continue;
        array.is_real = is_signal;
        if (!is_signal) array.counts[i] = problem.lengths[i] / 2 + 1;
    }
    return array;
}

/// Where the elements of one side's array are.
expression::ArrayPlace place_of(const Canonical& canonical, const std::vector<Coordinate>& coordinates, Side side) {
    const bool is_input = side == Side::load;
    expression::ArrayPlace place;
    for (const Coordinate& coordinate : coordinates) {
        std::int64_t stride = 0;  // of the only index, 0
        if (coordinate.kind == Coordinate::Kind::axis) {
            const Axis& axis = canonical.axes[coordinate.index];
            stride = is_input ? axis.input_stride : axis.output_stride;
        } else if (coordinate.kind == Coordinate::Kind::loop) {
            const Loop& loop = canonical.loops[coordinate.index];
            stride = is_input ? loop.input_stride : loop.output_stride;
        }
        place.strides.push_back(stride);
    }
    place.distance = is_input ? canonical.batch.input_distance : canonical.batch.output_distance;
    place.first = static_cast<std::int64_t>(is_input ? canonical.input_first() : canonical.output_first());
    return place;
}

/// A function finds elements by one address and one index.
void check_function(const UserStage& stage, const Canonical& canonical, Side side, const std::string& field) {
    if (!stage.text.empty()) refuse(field, "a text or a function", "both");
    if (!stage.buffers.empty() || !stage.scalars.empty())
        refuse(field, "a text that mentions the buffers and scalars", "a function, which has a pointer instead");
    const bool is_input = side == Side::load;
    const std::string array = is_input ? "input" : "output";
    if (is_input ? canonical.input_planar : canonical.output_planar)
        refuse(field, "a text, because the " + array + " is planar", "a function");
    if (is_input ? canonical.input_image : canonical.output_image)
        refuse(field, "a text, because the " + array + " is an image", "a function");
    if ((is_input ? canonical.input_part_bytes : canonical.output_part_bytes) != 0)
        refuse(field, "a text, because the " + array + " lies in several buffers", "a function");
}

ProgramPointer checked(const Problem& problem, const UserStage& stage, const expression::Context& context,
                       const Canonical& canonical, const std::vector<Coordinate>& coordinates) {
    const std::string& field = context.field;
    if (stage.empty()) {
        if (!stage.buffers.empty() || !stage.scalars.empty())
            refuse(field, "a text that mentions the buffers and scalars", "none");
        return nullptr;
    }
    const bool is_forward = field.rfind("forward", 0) == 0;
    if (problem.kind == (is_forward ? Kind::c2r : Kind::r2c) || problem.kind == (is_forward ? Kind::ihfft : Kind::hfft))
        refuse(field, std::string("no stage, because ") + to_string(problem.kind) + " has no such direction", "one");
    if (!stage.function.empty()) {
        check_function(stage, canonical, context.side, field);
        return std::make_shared<Program>(
            expression::function_program(stage.function, context, place_of(canonical, coordinates, context.side)));
    }
    return std::make_shared<Program>(expression::check(stage, context));
}

std::string described(const StageBuffer& buffer) {
    return support::to_text(buffer.count) + " x " + to_string(buffer.type);
}

/// One symbol is one function of a direction.
void check_functions(const DirectionStages& stages, const std::string& field) {
    if (!stages.load || !stages.store || !stages.load->function || !stages.store->function) return;
    if (!stages.load->function->symbol.empty() && stages.load->function->symbol == stages.store->function->symbol)
        refuse(field + ".function.symbol", "another name than the load function's, whose arguments are others",
               "'" + stages.load->function->symbol + "' for both");
}

/// Where each axis of the problem went in the canonical form. Loops lie as they were sorted, none of them merged.
std::vector<Coordinate> coordinates(const Problem& problem, const AxesInOrder& order, const Canonical& canonical) {
    std::vector<Coordinate> result(problem.lengths.size());
    std::size_t next_axis = 0, next_loop = 0;
    for (std::size_t i = 0; i < result.size(); ++i) {
        if (order.transformed[i]) {
            // Of length 1 it may have been dropped; one that is there has the index 0 anyway.
            const bool is_there =
                next_axis < canonical.axes.size() && (problem.lengths[i] > 1 || canonical.axes[next_axis].length == 1);
            if (is_there && problem.lengths[i] > 1) result[i] = {Coordinate::Kind::axis, next_axis};
            if (is_there) ++next_axis;
            continue;
        }
        if (problem.lengths[i] == 1) continue;
        // No two loops are equal: elements of the output do not overlap.
        const auto found = std::find(canonical.loops.begin(), canonical.loops.end(), order.loops[next_loop++]);
        result[i] = {Coordinate::Kind::loop, static_cast<std::size_t>(found - canonical.loops.begin())};
    }
    return result;
}

}  // namespace

std::shared_ptr<const Program> checked_text(const UserStage& stage, const expression::Context& context,
                                            const std::vector<expression::WaveNumber>& waves) {
    if (!stage.function.empty()) refuse(context.field, "a text, because a function knows no bins", "a function");
    if (!stage.empty()) return std::make_shared<Program>(expression::check(stage, context, waves));
    if (!stage.buffers.empty() || !stage.scalars.empty())
        refuse(context.field, "a text that mentions the buffers and scalars", "none");
    return nullptr;
}

void check_agreement(const Program* first, const std::string& name_of_first, const Program* second,
                     const std::string& field) {
    if (!first || !second) return;
    const std::string as_first = " as the " + name_of_first + " stage has it";
    for (const StageBuffer& a : first->buffers) {
        const auto& others = second->buffers;
        const auto b =
            std::find_if(others.begin(), others.end(), [&a](const StageBuffer& other) { return other.name == a.name; });
        if (b == others.end()) continue;
        const std::string name = field + ".buffers[" + std::to_string(b - others.begin()) + "]";
        if (*b != a) refuse(name, "'" + a.name + "' of " + described(a) + as_first, described(*b));
        if (second->written[static_cast<std::size_t>(b - others.begin())])
            refuse(name, "a buffer that is either read or stored to", "'" + a.name + "' for both");
    }
    for (const StageScalar& a : first->scalars)
        for (const StageScalar& b : second->scalars)
            if (a.name == b.name && !(a == b))
                refuse(field + ".scalars", "'" + a.name + "' as " + to_string(a.type) + "," + as_first,
                       to_string(b.type));
    for (const StageBuffer& a : first->buffers)
        for (const StageScalar& b : second->scalars)
            if (a.name == b.name)
                refuse(field + ".scalars", "names that the " + name_of_first + " stage has no buffer of", a.name);
}

bool has_programs(const Problem& problem) {
    return is_conjugated(problem.kind) || !problem.forward_load.empty() || !problem.forward_store.empty() ||
           !problem.inverse_load.empty() || !problem.inverse_store.empty();
}

void add_stages(const Problem& problem, const std::vector<Kind>& kinds, const AxesInOrder& order,
                Canonical& canonical) {
    auto& [forward, inverse] = canonical.stages;
    const std::vector<Coordinate> places =
        has_programs(problem) ? coordinates(problem, order, canonical) : std::vector<Coordinate>();
    const auto add = [&](const UserStage& stage, const char* field, Direction direction, Side side) {
        const Array array = array_of(problem, kinds, direction, side);
        return checked(problem, stage,
                       {field, side, problem.lengths, canonical.batch.count, array.counts, array.is_real}, canonical,
                       places);
    };
    forward.load = add(problem.forward_load, "forward_load", Direction::forward, Side::load);
    forward.store = add(problem.forward_store, "forward_store", Direction::forward, Side::store);
    inverse.load = add(problem.inverse_load, "inverse_load", Direction::inverse, Side::load);
    inverse.store = add(problem.inverse_store, "inverse_store", Direction::inverse, Side::store);
    check_functions(forward, "forward_store");
    check_functions(inverse, "inverse_store");
    check_agreement(forward.load.get(), "load", forward.store.get(), "forward_store");
    check_agreement(inverse.load.get(), "load", inverse.store.get(), "inverse_store");
    if (is_conjugated(problem.kind)) {
        const bool is_forward = problem.kind == Kind::hfft;
        const Direction direction = is_forward ? Direction::forward : Direction::inverse;
        const Side side = is_forward ? Side::load : Side::store;
        const Array array = array_of(problem, kinds, direction, side);
        ProgramPointer& own = is_forward ? forward.load : inverse.store;
        own = std::make_shared<Program>(
            expression::conjugated(own.get(), {is_forward ? "forward_load" : "inverse_store", side, problem.lengths,
                                               canonical.batch.count, array.counts, false}));
    }
    for (const DirectionStages& stages : canonical.stages)
        for (const ProgramPointer& program : {stages.load, stages.store})
            if (program) canonical.stage_batch_limit = std::min(canonical.stage_batch_limit, program->batch_limit);
    canonical.coordinates = places;
}

}  // namespace seiche::problem

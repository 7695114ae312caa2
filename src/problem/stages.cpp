// The user's stages of a problem: parsed, checked, and agreed with one another.
#include "problem/stages.hpp"

#include <algorithm>
#include <string>

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

ProgramPointer checked(const Problem& problem, const UserStage& stage, const char* field, Side side) {
    if (stage.empty()) {
        if (!stage.buffers.empty() || !stage.scalars.empty())
            refuse(field, "a text that mentions the buffers and scalars", "none");
        return nullptr;
    }
    if (problem.kind != Kind::c2c || !problem.axis_kinds.empty())
        refuse(field, "no stage, because the kind is not c2c", "one");
    return std::make_shared<Program>(expression::check(stage, {field, side, problem.lengths, problem.batch}));
}

std::string described(const StageBuffer& buffer) {
    return support::to_text(buffer.count) + " x " + to_string(buffer.type);
}

/// One name is one argument of an execution, so both stages of a direction mean the same by it.
void check_agreement(const DirectionStages& stages, const std::string& field) {
    if (!stages.load || !stages.store) return;
    for (const StageBuffer& a : stages.load->buffers) {
        const auto& others = stages.store->buffers;
        const auto b =
            std::find_if(others.begin(), others.end(), [&a](const StageBuffer& other) { return other.name == a.name; });
        if (b == others.end()) continue;
        const std::string name = field + ".buffers[" + std::to_string(b - others.begin()) + "]";
        if (*b != a) refuse(name, "'" + a.name + "' of " + described(a) + " as the load stage has it", described(*b));
        if (stages.store->written[static_cast<std::size_t>(b - others.begin())])
            refuse(name, "a buffer that is either read or stored to", "'" + a.name + "' for both");
    }
    for (const StageScalar& a : stages.load->scalars)
        for (const StageScalar& b : stages.store->scalars)
            if (a.name == b.name && !(a == b))
                refuse(field + ".scalars", "'" + a.name + "' as " + to_string(a.type) + ", as the load stage has it",
                       to_string(b.type));
    for (const StageBuffer& a : stages.load->buffers)
        for (const StageScalar& b : stages.store->scalars)
            if (a.name == b.name) refuse(field + ".scalars", "names that the load stage has no buffer of", a.name);
}

/// Where each axis of the problem went in the canonical form. Loops lie as they were sorted, none of them merged.
std::vector<Coordinate> coordinates(const Problem& problem, const std::vector<bool>& transformed,
                                    const std::vector<Loop>& in_order, const Canonical& canonical) {
    std::vector<Coordinate> result(problem.lengths.size());
    std::size_t next_axis = 0, next_loop = 0;
    for (std::size_t i = 0; i < result.size(); ++i) {
        if (problem.lengths[i] == 1) continue;
        if (transformed[i]) {
            result[i] = {Coordinate::Kind::axis, next_axis++};
            continue;
        }
        // No two loops are equal: elements of the output do not overlap.
        const auto found = std::find(canonical.loops.begin(), canonical.loops.end(), in_order[next_loop++]);
        result[i] = {Coordinate::Kind::loop, static_cast<std::size_t>(found - canonical.loops.begin())};
    }
    return result;
}

}  // namespace

bool has_stages(const Problem& problem) {
    return !problem.forward_load.empty() || !problem.forward_store.empty() || !problem.inverse_load.empty() ||
           !problem.inverse_store.empty();
}

void add_stages(const Problem& problem, const std::vector<bool>& transformed, const std::vector<Loop>& in_order,
                Canonical& canonical) {
    auto& [forward, inverse] = canonical.stages;
    forward.load = checked(problem, problem.forward_load, "forward_load", Side::load);
    forward.store = checked(problem, problem.forward_store, "forward_store", Side::store);
    inverse.load = checked(problem, problem.inverse_load, "inverse_load", Side::load);
    inverse.store = checked(problem, problem.inverse_store, "inverse_store", Side::store);
    check_agreement(forward, "forward_store");
    check_agreement(inverse, "inverse_store");
    for (const DirectionStages& stages : canonical.stages)
        for (const ProgramPointer& program : {stages.load, stages.store})
            if (program) canonical.stage_batch_limit = std::min(canonical.stage_batch_limit, program->batch_limit);
    if (has_stages(problem)) canonical.coordinates = coordinates(problem, transformed, in_order, canonical);
}

}  // namespace seiche::problem

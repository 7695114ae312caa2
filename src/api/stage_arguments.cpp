#include "api/stage_arguments.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

namespace seiche::api {

using expression::Program;

namespace {

bool has_buffer(const Program& program, const std::string& name) {
    return std::any_of(program.buffers.begin(), program.buffers.end(),
                       [&name](const StageBuffer& buffer) { return buffer.name == name; });
}
bool has_scalar(const Program& program, const std::string& name) {
    return std::any_of(program.scalars.begin(), program.scalars.end(),
                       [&name](const StageScalar& scalar) { return scalar.name == name; });
}

template <class Argument, class Has>
void check_names(const std::vector<Argument>& given, const char* field, std::span<const Program* const> programs,
                 const Has& has) {
    for (std::size_t i = 0; i < given.size(); ++i) {
        const bool is_known = std::any_of(programs.begin(), programs.end(), [&](const Program* program) {
            return program != nullptr && has(*program, given[i].name);
        });
        if (!is_known) refuse({field, given[i].name}, "", "a name that a stage of the problem declares", "another");
        for (std::size_t k = 0; k < i; ++k)
            if (given[k].name == given[i].name) refuse({field, given[i].name}, "", "each name once", "it again");
    }
}

}  // namespace

void check_names(const StageValues& given, std::span<const Program* const> programs) {
    check_names(given.buffers, "stage_buffers", programs, has_buffer);
    check_names(given.scalars, "stage_scalars", programs, has_scalar);
}

Need need_of(const StageBuffer& declared) {
    const std::uint64_t bytes = bytes_of(declared.type);
    return {"stage_buffers", declared.name, declared.count * bytes, bytes};
}

const BufferView& view_of(const StageValues& given, const StageBuffer& declared) {
    static const BufferView none;
    const auto found =
        std::find_if(given.buffers.begin(), given.buffers.end(),
                     [&](const StageBufferArgument& argument) { return argument.name == declared.name; });
    return found == given.buffers.end() ? none : found->view;
}

std::uint64_t bits_of(const StageValues& given, const StageScalar& declared) {
    const Need need{"stage_scalars", declared.name};
    const auto found =
        std::find_if(given.scalars.begin(), given.scalars.end(),
                     [&](const StageScalarArgument& argument) { return argument.name == declared.name; });
    if (found == given.scalars.end())
        refuse(need, "", std::string("a number of type ") + to_string(declared.type), "none");
    const double value = found->value;
    if (declared.type == StageType::f64) return std::bit_cast<std::uint64_t>(value);
    if (declared.type == StageType::f32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    const bool has_sign = declared.type == StageType::i32;
    const double least = has_sign ? -2147483648.0 : 0.0, most = has_sign ? 2147483647.0 : 4294967295.0;
    if (!(value >= least && value <= most) || value != std::floor(value))
        refuse(need, "", std::string("a whole number that fits ") + to_string(declared.type), std::to_string(value));
    return has_sign ? static_cast<std::uint32_t>(static_cast<std::int32_t>(value)) : static_cast<std::uint32_t>(value);
}

}  // namespace seiche::api

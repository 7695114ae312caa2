// Stages of the C interface.
#include "api/c_stages.hpp"

#include <string>

#include "api/c_handles.hpp"

namespace seiche::api {

namespace {

StageType type_of(const seiche_stage_type& type) {
    return checked_enum<StageType>(type, SEICHE_STAGE_U32, "the type of a stage's buffer or scalar");
}

StageFunction function_of(const seiche_stage_function* given, const std::string& name) {
    if (given == nullptr) return {};
    constexpr std::size_t most_bytes = std::size_t{1} << 28;  // far beyond any function; more was never set
    const seiche_stage_function function = read_struct(given, name.c_str());
    StageFunction result;
    if (function.symbol != nullptr) result.symbol = function.symbol;
    result.code = vector_of(static_cast<const std::byte*>(function.code), function.code_bytes, most_bytes,
                            (name + ".code").c_str());
    result.host = function.host;
    return result;
}

}  // namespace

UserStage stage_of(const seiche_stage* given, const char* name) {
    const seiche_stage stage = read_struct_or_default(given, name);
    UserStage result(stage.text == nullptr ? "" : stage.text);
    result.function = function_of(stage.function, std::string(name) + ".function");
    require_array(stage.buffers, stage.buffer_count, most_elements, (std::string(name) + ".buffers").c_str());
    require_array(stage.scalars, stage.scalar_count, most_elements, (std::string(name) + ".scalars").c_str());
    for (std::size_t i = 0; i < stage.buffer_count; ++i) {
        require(stage.buffers[i].name, "the name of a stage's buffer");
        result.buffers.push_back({stage.buffers[i].name, type_of(stage.buffers[i].type), stage.buffers[i].count});
    }
    for (std::size_t i = 0; i < stage.scalar_count; ++i) {
        require(stage.scalars[i].name, "the name of a stage's scalar");
        result.scalars.push_back({stage.scalars[i].name, type_of(stage.scalars[i].type)});
    }
    return result;
}

std::vector<StageBufferArgument> stage_buffers_of(const seiche_stage_memory* given, std::size_t count,
                                                  const char* name) {
    require_array(given, count, most_elements, name);
    std::vector<StageBufferArgument> result;
    for (std::size_t i = 0; i < count; ++i) {
        require(given[i].name, (std::string(name) + ".name").c_str());
        result.push_back({given[i].name, view_of(given[i].buffer, given[i].offset)});
    }
    return result;
}

std::vector<StageScalarArgument> stage_scalars_of(const seiche_stage_value* given, std::size_t count,
                                                  const char* name) {
    require_array(given, count, most_elements, name);
    std::vector<StageScalarArgument> result;
    for (std::size_t i = 0; i < count; ++i) {
        require(given[i].name, (std::string(name) + ".name").c_str());
        result.push_back({given[i].name, given[i].value});
    }
    return result;
}

const seiche_stage* OwnedStage::set(const UserStage& given) {
    if (given.empty()) return nullptr;
    stage = given;
    for (const StageBuffer& buffer : stage.buffers)
        buffers.push_back({buffer.name.c_str(), static_cast<seiche_stage_type>(buffer.type), buffer.count});
    for (const StageScalar& scalar : stage.scalars)
        scalars.push_back({scalar.name.c_str(), static_cast<seiche_stage_type>(scalar.type)});
    c.text = stage.text.c_str();
    c.buffers = buffers.data();
    c.buffer_count = buffers.size();
    c.scalars = scalars.data();
    c.scalar_count = scalars.size();
    function.symbol = stage.function.symbol.c_str();
    function.code = stage.function.code.data();
    function.code_bytes = stage.function.code.size();
    function.host = stage.function.host;
    if (!stage.function.empty()) c.function = &function;
    return &c;
}

}  // namespace seiche::api

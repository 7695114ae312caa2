// User stages: what a user does to each point on its way in and on its way out, said in a small language.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche {

/// The element type of a user's buffer. Integers of any width are whole numbers to the stage; f16 is IEEE binary16.
enum class StageType { f16, f32, f64, i8, u8, i16, u16, i32, u32 };
const char* to_string(StageType type) noexcept;
/// Bytes of one element.
std::uint64_t bytes_of(StageType type) noexcept;

/// A buffer that the text names. Which memory it is, an execution says (`Execution::stage_buffers`).
struct StageBuffer {
    std::string name;
    StageType type = StageType::f32;
    std::uint64_t count = 0;  ///< Elements; no access goes beyond.
    friend bool operator==(const StageBuffer& a, const StageBuffer& b) {
        return a.name == b.name && a.type == b.type && a.count == b.count;
    }
    friend bool operator!=(const StageBuffer& a, const StageBuffer& b) { return !(a == b); }
};

/// A number that the text names and an execution gives (`Execution::stage_scalars`): f32, f64, i32 or u32.
struct StageScalar {
    std::string name;
    StageType type = StageType::f32;
    friend bool operator==(const StageScalar& a, const StageScalar& b) { return a.name == b.name && a.type == b.type; }
};

/// One stage: a text in the language of docs/stages.md, such as "return value * window[i0];", and what it names. An
/// empty text is no stage.
struct UserStage {
    std::string text;
    std::vector<StageBuffer> buffers;  ///< At most 16.
    std::vector<StageScalar> scalars;  ///< At most 16.

    UserStage() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): a text that names nothing is a stage
    UserStage(std::string stage_text) : text(std::move(stage_text)) {}
    // NOLINTNEXTLINE(google-explicit-constructor)
    UserStage(const char* stage_text) : text(stage_text) {}
    bool empty() const { return text.empty(); }
    friend bool operator==(const UserStage& a, const UserStage& b) {
        return a.text == b.text && a.buffers == b.buffers && a.scalars == b.scalars;
    }
    friend bool operator!=(const UserStage& a, const UserStage& b) { return !(a == b); }
};

}  // namespace seiche
SEICHE_EXPORT_END

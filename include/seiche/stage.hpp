// User stages: what a user does to each point on its way in and on its way out, said in a small language.
#pragma once

#include <cstddef>
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

/// The form of a StageFunction that the host calls. `array` is the address of the array's first element, or where
/// strides are below 0 of its lowest one (where the batch's distance is, of the view). `index` counts elements from
/// there, and `pointer` is the execution's. `value` is one element in the arithmetic's precision: one real number, or
/// real and imaginary part one behind the other. A load function writes it, a store function reads it. Called from
/// several threads at once; it throws nothing.
using StageHostFunction = void (*)(void* array, std::uint64_t index, void* value, void* pointer);

/// A compiled function in place of the read of each input element, or of the write of each result. It gets the address
/// of the array's first element, or of the lowest one as above, the element's index from there in elements of that
/// array (strides, padding and batch included) and a pointer of the execution (`Execution::load_pointer`,
/// `store_pointer`). Indices are below 2^63. In CUDA C++ a load function of complex f32 and a store function of real
/// f64 are
///
///     __device__ float2 load(void* array, unsigned long long index, void* pointer, void* reserved);
///     __device__ void store(void* array, unsigned long long index, double value, void* pointer, void* reserved);
///
/// and of other types likewise: float, float2, double, double2, the type of the arithmetic (f32 for f16). `reserved` is
/// null. A store function is called once for each result that is wanted, a load function of c2c and r2c once for each
/// element that is read, of other kinds twice for some. What a device cannot call is refused in a plan.
struct StageFunction {
    std::string symbol;                ///< The name in the code; of C++ without extern "C" the mangled one.
    std::vector<std::byte> code;       ///< For CUDA: LTO-IR, or a fatbin, cubin or PTX of relocatable code.
    StageHostFunction host = nullptr;  ///< For `reference` and `cpu`.

    bool empty() const { return symbol.empty() && code.empty() && host == nullptr; }
    friend bool operator==(const StageFunction& a, const StageFunction& b) {
        return a.symbol == b.symbol && a.code == b.code && a.host == b.host;
    }
    friend bool operator!=(const StageFunction& a, const StageFunction& b) { return !(a == b); }
};

/// One stage: a text in the language of docs/reference/stages.md, such as "return value * window[i0];", and what it
/// names; or a function. With neither there is no stage.
struct UserStage {
    std::string text;
    std::vector<StageBuffer> buffers;  ///< At most 16.
    std::vector<StageScalar> scalars;  ///< At most 16.
    StageFunction function;            ///< In place of a text.

    UserStage() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): a text that names nothing is a stage
    UserStage(std::string stage_text) : text(std::move(stage_text)) {}
    // NOLINTNEXTLINE(google-explicit-constructor)
    UserStage(const char* stage_text) : text(stage_text) {}
    // NOLINTNEXTLINE(google-explicit-constructor)
    UserStage(StageFunction stage_function) : function(std::move(stage_function)) {}
    bool empty() const { return text.empty() && function.empty(); }
    friend bool operator==(const UserStage& a, const UserStage& b) {
        return a.text == b.text && a.buffers == b.buffers && a.scalars == b.scalars && a.function == b.function;
    }
    friend bool operator!=(const UserStage& a, const UserStage& b) { return !(a == b); }
};

}  // namespace seiche
SEICHE_EXPORT_END

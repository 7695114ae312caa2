// Functions of the program's own in place of loads and stores, as it gives them for a plan that is not made yet.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "abi.hpp"
#include "seiche/plan.hpp"
#include "seiche/problem.hpp"

namespace seiche::compat {

/// One function, as compiled code.
struct Callback {
    std::string symbol;
    std::vector<std::byte> code;  ///< Empty: there is none.
    void* pointer = nullptr;      ///< Handed to the function at each call.
};

/// How a function's name stands in its code. Programs give the name that they wrote; if it is a C++ function, the code
/// has the name with its parameters' types.
enum class Spelling { cxx, cxx_size_t, as_given };
inline constexpr Spelling spellings[] = {Spelling::cxx, Spelling::cxx_size_t, Spelling::as_given};

class Callbacks {
public:
    void set_spelling(Spelling spelling) { spelling_ = spelling; }

    /// Throws Refused for a type that is none.
    void set(int type, Callback callback);
    void clear(int type);
    bool has(int type) const;
    bool empty() const;

    /// Makes the functions the problem's stages. Throws Refused where one is of another type than the problem's arrays.
    void add_to(Problem& problem) const;
    /// Gives an execution the functions' pointers.
    void add_to(Execution& execution) const;

private:
    const Callback* load() const;
    const Callback* store() const;
    void expect_types(const Problem& problem) const;

    UserStage stage_of(const Callback& callback) const;

    std::array<Callback, 8> all_;  // by cufftXtCallbackType
    Spelling spelling_ = Spelling::as_given;
};

}  // namespace seiche::compat

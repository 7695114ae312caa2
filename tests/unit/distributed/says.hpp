// What an action says when it is refused.
#pragma once

#include <exception>
#include <string>

namespace seiche::distributed::test {

template <class Action>
std::string refusal(const Action& action) {
    try {
        action();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace seiche::distributed::test

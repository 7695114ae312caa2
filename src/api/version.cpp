// The version of the library that runs.
#include "seiche/version.hpp"

#define SEICHE_TEXT_OF(x) #x
#define SEICHE_TEXT(x) SEICHE_TEXT_OF(x)

namespace seiche {

const char* version() noexcept {
    return SEICHE_TEXT(SEICHE_VERSION_MAJOR) "." SEICHE_TEXT(SEICHE_VERSION_MINOR) "." SEICHE_TEXT(
        SEICHE_VERSION_PATCH);
}

}  // namespace seiche

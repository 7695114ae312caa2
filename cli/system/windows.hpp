// <windows.h> without what the tool has no use for, and its texts.
#pragma once

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>

// clang-format off
#include <shellapi.h>  // needs the one before
// clang-format on

#include <string>

namespace seiche::cli {

/// UTF-16 of UTF-8. What is not UTF-8 becomes replacement characters.
std::wstring wide(const std::string& text);
/// UTF-8 of UTF-16.
std::string narrow(const std::wstring& text);
/// What the system says of an error, without a line end.
std::string message_of(DWORD code);

}  // namespace seiche::cli

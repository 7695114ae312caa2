// Words of messages and of the command line: counts of things, quantities with a suffix, what was meant, lines of help.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace seiche::cli {

/// "1 sample", "2 samples"; `plural` for words that take no s.
std::string counted(std::uint64_t count, const std::string& singular, const std::string& plural = {});

/// The plain number of a quantity: "16k" is "16000", "2.4M" "2400000", "4Ki" "4096". k, M and G are powers of 1000, Ki,
/// Mi and Gi of 1024. Any other text comes back as it is.
std::string without_suffix(std::string_view text);

/// The word that was meant: the one with the fewest letters to change, at most a third of them. Empty: none is like it.
std::string closest(std::string_view word, const std::vector<std::string>& known);
/// ", did you mean 'known'?" or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

/// Text broken into lines of at most `width` columns, each after the first indented by `indent` spaces; a single word
/// may be longer. Line breaks in the text are spaces, empty lines stay.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent = 0);

}  // namespace seiche::cli

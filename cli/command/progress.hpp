// What goes to standard output and to standard error: results, notes, and a line that says what takes so long.
#pragma once

#include <cstdio>
#include <string>

// MinGW's library has a name of its own for the formats of C99.
#ifdef __MINGW_PRINTF_FORMAT
#define SEICHE_PRINTF_FORMAT __MINGW_PRINTF_FORMAT
#else
#define SEICHE_PRINTF_FORMAT printf
#endif

namespace seiche::cli {

/// After --quiet there are no notes, no reports of what was done and no line of progress; failures are said all the
/// same.
void set_quiet(bool quiet);
bool is_quiet();

/// Writes results to standard output; a line of progress is taken away first.
void print(const std::string& text);
/// The same as printf does it.
[[gnu::format(SEICHE_PRINTF_FORMAT, 1, 2)]] void print_formatted(const char* format, ...);
/// Writes what was done, of a command whose results are in files; nothing after --quiet.
void print_report_text(const std::string& text);

/// Prints "seiche: <line>" on stderr.
void note(const std::string& line);
/// The same of a failure, even after --quiet.
void complain(const std::string& line);

/// What is being done, while it lives. On a terminal a line at the bottom says the innermost of these once the
/// outermost takes longer than a second; elsewhere nothing is written.
class Progress {
public:
    explicit Progress(const std::string& what);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    /// `done` of `total` parts are ready.
    void at(double done, double total);

private:
    struct Entry;
    Entry* entry_;
};

/// Seconds of a monotonic clock.
double now_seconds();

}  // namespace seiche::cli

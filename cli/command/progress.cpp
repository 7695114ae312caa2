// What goes to standard output and to standard error: results, notes, and a line that says what takes so long.
#include "cli/command/progress.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdarg>
#include <cstdio>
#include <list>
#include <mutex>
#include <thread>

#include "cli/system/system.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli {

struct Progress::Entry {
    std::string what;
    double fraction = -1;  ///< Not known below 0.
};

namespace {

constexpr auto interval = std::chrono::milliseconds(200);
constexpr double patience = 1.0;  // seconds
constexpr std::size_t most_columns = 79;

/// Paints the line from a thread of its own, so that it tells of a compiler that does not return as well.
class Painter {
public:
    void set_quiet(bool quiet) {
        const std::lock_guard lock(mutex_);
        is_quiet_ = quiet;
        if (quiet) clear();
    }
    bool is_quiet() {
        const std::lock_guard lock(mutex_);
        return is_quiet_;
    }

    void write(std::FILE* stream, const std::string& text) {
        const std::lock_guard lock(mutex_);
        clear();
        std::fputs(text.c_str(), stream);
        if (terminal_) std::fflush(stream);
    }

    template <class Entry>
    Entry* add(std::list<Entry>& entries, const std::string& what) {
        std::unique_lock lock(mutex_);
        Entry* const entry = &entries.emplace_back(Entry{what, -1});
        if (entries.size() == 1) {
            started_ = now_seconds();
            if (terminal_ && !is_quiet_) thread_ = std::thread([this, &entries] { paint_while_there_is(entries); });
        }
        return entry;
    }
    template <class Entry>
    void remove(std::list<Entry>& entries, const Entry* entry) {
        std::thread ended;
        {
            const std::lock_guard lock(mutex_);
            entries.remove_if([entry](const Entry& other) { return &other == entry; });
            if (!entries.empty()) return;
            clear();
            ended = std::move(thread_);
        }
        changed_.notify_all();
        if (ended.joinable()) ended.join();
    }
    template <class Entry>
    void set(Entry& entry, double fraction) {
        const std::lock_guard lock(mutex_);
        entry.fraction = fraction;
    }

private:
    template <class Entry>
    void paint_while_there_is(std::list<Entry>& entries) {
        std::unique_lock lock(mutex_);
        while (!entries.empty()) {
            const double seconds = now_seconds() - started_;
            if (seconds >= patience && !is_quiet_) paint(entries.back(), seconds);
            changed_.wait_for(lock, interval);
        }
    }

    template <class Entry>
    void paint(const Entry& entry, double seconds) {
        std::string end = ", " + fixed(seconds, 0) + " s";
        if (entry.fraction >= 0) end = " " + fixed(100 * entry.fraction, 0) + " %" + end;
        std::string what = printable(one_line(entry.what));
        const std::size_t room = most_columns - 8 - end.size();
        if (what.size() > room) what = printable(what.substr(0, room - 3)) + "...";
        const std::string line = "\rseiche: " + what + end + "\033[K";
        std::fputs(line.c_str(), stderr);
        std::fflush(stderr);
        is_shown_ = true;
    }

    void clear() {
        if (!is_shown_) return;
        std::fputs("\r\033[K", stderr);
        std::fflush(stderr);
        is_shown_ = false;
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::thread thread_;
    double started_ = 0;
    bool is_quiet_ = false, is_shown_ = false;
    const bool terminal_ = is_terminal_stderr();
};

/// Never destroyed: a thread that outlives main may still write.
Painter& painter() {
    static Painter* const only = new Painter;
    return *only;
}

template <class Entry>
std::list<Entry>& entries() {
    static auto* const list = new std::list<Entry>;
    return *list;
}

}  // namespace

void set_quiet(bool quiet) { painter().set_quiet(quiet); }
bool is_quiet() { return painter().is_quiet(); }

void print(const std::string& text) { painter().write(stdout, text); }

void print_formatted(const char* format, ...) {
    std::va_list first, second;
    va_start(first, format);
    va_copy(second, first);
    const int length = std::vsnprintf(nullptr, 0, format, first);
    va_end(first);
    std::string text(static_cast<std::size_t>(std::max(length, 0)), '\0');
    std::vsnprintf(text.data(), text.size() + 1, format, second);
    va_end(second);
    print(text);
}

void print_report_text(const std::string& text) {
    if (!is_quiet()) print(text);
}

void note(const std::string& line) {
    if (!is_quiet()) complain(line);
}

void complain(const std::string& line) { painter().write(stderr, "seiche: " + one_line(line) + "\n"); }

double now_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Progress::Progress(const std::string& what) : entry_(painter().add(entries<Entry>(), what)) {}
Progress::~Progress() { painter().remove(entries<Entry>(), entry_); }

void Progress::at(double done, double total) {
    if (total > 0) painter().set(*entry_, std::min(done / total, 1.0));
}

}  // namespace seiche::cli

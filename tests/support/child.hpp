// Work in a child that fork makes, so that what is left of it is gone.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <functional>
#include <string>

#include "seiche/error.hpp"

namespace seiche::test {

/// Counts what goes wrong in a child, and says it.
class Child {
public:
    void expect(bool is_well, const std::string& what) {
        if (is_well) return;
        std::fprintf(stderr, "in the child: %s\n", what.c_str());
        ++faults_;
    }
    /// Only an error of the library, of one line, with these words in it.
    void expect_refusal(const std::string& what, const std::string& words, const std::function<void()>& action) {
        try {
            action();
            expect(false, what + " was accepted");
        } catch (const Error& error) {
            const std::string text = error.what();
            expect(text.find(words) != std::string::npos && text.find('\n') == std::string::npos, what + ": " + text);
        } catch (const std::exception& error) {
            expect(false, what + " threw another kind: " + error.what());
        }
    }
    int faults() const { return faults_; }

private:
    int faults_ = 0;
};

/// The exit status of a child that does `work` and ends without its parent's handlers; it is killed where it hangs.
inline int status_in_child(const std::function<void(Child&)>& work, unsigned seconds = 60) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        alarm(seconds);
        Child report;
        try {
            work(report);
        } catch (const std::exception& error) {
            report.expect(false, error.what());
        }
        _exit(report.faults() == 0 ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
}

}  // namespace seiche::test

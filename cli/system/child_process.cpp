// Another program that is asked and answers line by line: what is the same on every system.
#include "cli/system/child_process.hpp"

#include "cli/text/failure.hpp"

namespace seiche::cli {

std::string ChildProcess::receive() {
    for (;;) {
        const std::size_t end = received_.find('\n');
        if (end != std::string::npos) {
            const std::string line = received_.substr(0, end);
            received_.erase(0, end + 1);
            return line;
        }
        char buffer[4096];
        const std::size_t count = read(buffer, sizeof buffer);
        if (count == 0) throw Failure(name_ + " ended without an answer; run it by itself to see why");
        received_.append(buffer, count);
    }
}

}  // namespace seiche::cli

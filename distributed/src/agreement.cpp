#include "agreement.hpp"

#include <cstdio>
#include <exception>

#include "seiche/error.hpp"

namespace seiche::distributed {

namespace {

[[noreturn]] void rethrow(std::size_t rank, const std::string& report) {
    const auto kind = static_cast<ErrorKind>(report[0] - '0');
    const std::string message = "rank " + std::to_string(rank) + ": " + report.substr(1);
    switch (kind) {
        case ErrorKind::invalid_problem:
        case ErrorKind::missing_function: throw InvalidProblem(message);
        case ErrorKind::unsupported: throw Unsupported(message);
        case ErrorKind::internal: throw InternalError(message);
        case ErrorKind::backend: break;
    }
    throw BackendError(message);
}

std::string report_of(ErrorKind kind, const std::string& reason) {
    return std::to_string(static_cast<int>(kind)) + reason;
}

}  // namespace

void together(Communicator& communicator, const std::function<void()>& work) {
    std::string report;
    std::exception_ptr failure;
    try {
        work();
    } catch (const AbsentRank&) {
        throw;  // the communicator is of no use any more
    } catch (const Error& error) {
        failure = std::current_exception();
        report = report_of(error.kind(), error.reason());
    } catch (const std::exception& error) {
        failure = std::current_exception();
        report = report_of(ErrorKind::backend, error.what());
    }
    const std::vector<std::string> reports = communicator.all_gather(report);
    if (failure) std::rethrow_exception(failure);
    for (std::size_t rank = 0; rank < reports.size(); ++rank)
        if (!reports[rank].empty()) rethrow(rank, reports[rank]);
}

void agree(Communicator& communicator, const Terms& terms) {
    std::string own;
    for (const auto& [name, value] : terms) own.append(name).append("\n").append(value).append("\n");
    const std::vector<std::string> all = communicator.all_gather(own);
    const auto line = [](const std::string& text, std::size_t number) {
        std::size_t begin = 0;
        for (; number > 0 && begin < text.size(); --number) begin = std::min(text.find('\n', begin), text.size()) + 1;
        return begin < text.size() ? text.substr(begin, text.find('\n', begin) - begin) : std::string();
    };
    for (std::size_t rank = 1; rank < all.size(); ++rank) {
        if (all[rank] == all[0]) continue;
        for (std::size_t term = 0; term < terms.size(); ++term) {
            const std::string first = line(all[0], 2 * term + 1), other = line(all[rank], 2 * term + 1);
            if (first != other || line(all[0], 2 * term) != line(all[rank], 2 * term))
                throw InvalidProblem(line(all[0], 2 * term)
                                         .append(": expected the same on all ranks, got '" + first)
                                         .append("' on rank 0 and '" + other)
                                         .append("' on rank " + std::to_string(rank)));
        }
        throw InvalidProblem("ranks: expected the same call on all, got another one on rank " + std::to_string(rank));
    }
}

void check_counts(const std::vector<Box>& boxes, const Communicator& communicator, const char* name) {
    if (boxes.size() != static_cast<std::size_t>(communicator.size()))
        throw InvalidProblem(std::string(name) + ": expected a box for each of " + std::to_string(communicator.size()) +
                             " ranks, got " + std::to_string(boxes.size()));
}

std::string digest(const std::vector<Box>& boxes) {
    // FNV-1a, 64 bits.
    std::uint64_t hash = 0xcbf29ce484222325;
    const auto add = [&](std::uint64_t value) {
        for (int byte = 0; byte < 8; ++byte) hash = (hash ^ (value >> (8 * byte) & 255)) * 0x100000001b3;
    };
    for (const Box& box : boxes) {
        for (const std::uint64_t value : box.lower) add(value);
        for (const std::uint64_t value : box.upper) add(value);
    }
    char text[64];
    std::snprintf(text, sizeof(text), "%zu boxes, %016llx", boxes.size(), static_cast<unsigned long long>(hash));
    return text;
}

}  // namespace seiche::distributed

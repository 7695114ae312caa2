#include "seiche/distributed/fabric.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "seiche/error.hpp"
#include "traffic.hpp"

namespace seiche::distributed {

namespace {

/// One line of a fabric's text.
class Line {
public:
    Line(const std::string& text, std::size_t number) : stream_(text.substr(0, text.find('#'))), number_(number) {
        stream_ >> key_;
    }
    const std::string& key() const { return key_; }
    [[noreturn]] void refuse(const std::string& expected, const std::string& got) const {
        throw InvalidProblem("fabric, line " + std::to_string(number_) + ": expected " + expected + ", got '" + got +
                             "'");
    }
    std::string rest() {
        std::string text;
        std::getline(stream_ >> std::ws, text);
        text.erase(text.find_last_not_of(" \t\r") + 1);
        return text;
    }
    /// A number above 0, and its unit.
    double quantity(const std::string& unit) {
        std::string number, got;
        stream_ >> number >> got;
        std::size_t used = 0;
        double value = 0;
        try {
            value = std::stod(number, &used);
        } catch (const std::exception&) {  // which is no number, or beyond a double's range
            used = 0;
        }
        if (used == 0 || used != number.size() || !(value > 0) || !std::isfinite(value) || got != unit)
            refuse("'" + key_ + "' with a number above 0 and " + unit, number + (got.empty() ? "" : " " + got));
        return value;
    }
    std::uint64_t count() {
        const std::string text = rest();
        const bool is_number =
            !text.empty() && text.size() < 8 && text.find_first_not_of("0123456789") == std::string::npos;
        if (!is_number || std::stoull(text) == 0) refuse("'" + key_ + "' with a number from 1 to 9999999", text);
        return std::stoull(text);
    }
    void end() {
        if (const std::string more = rest(); !more.empty()) refuse("the end of the line", more);
    }

private:
    std::istringstream stream_;
    std::string key_;
    std::size_t number_;
};

constexpr double giga = 1e9, micro = 1e-6;

Link link_of(Line& line) {
    Link link;
    link.bytes_per_second = giga * line.quantity("GB/s");
    link.seconds_per_message = micro * line.quantity("us");
    return link;
}

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

std::string text_of(const char* key, const Link& link) {
    return std::string(key) + " " + number(link.bytes_per_second / giga) + " GB/s " +
           number(link.seconds_per_message / micro) + " us\n";
}

}  // namespace

Fabric parse_fabric(const std::string& text) {
    Fabric fabric;
    bool has_ranks = false;
    std::istringstream stream(text);
    std::string one;
    for (std::size_t number = 1; std::getline(stream, one); ++number) {
        Line line(one, number);
        if (line.key().empty()) continue;
        if (line.key() == "name") {
            fabric.name = line.rest();
        } else if (line.key() == "profile") {
            fabric.profile = line.rest();
        } else if (line.key() == "ranks-per-node") {
            fabric.ranks_per_node = line.count();
            has_ranks = true;
        } else if (line.key() == "memory") {
            fabric.memory_bytes_per_second = giga * line.quantity("GB/s");
        } else if (line.key() == "inside") {
            fabric.inside = link_of(line);
        } else if (line.key() == "between") {
            fabric.between = link_of(line);
        } else {
            line.refuse("name, profile, ranks-per-node, memory, inside or between", line.key());
        }
        line.end();
    }
    if (!has_ranks) throw InvalidProblem("fabric: expected a line 'ranks-per-node', got none");
    if (fabric.memory_bytes_per_second == 0) throw InvalidProblem("fabric: expected a line 'memory', got none");
    if (fabric.inside.bytes_per_second == 0 && fabric.ranks_per_node > 1)
        throw InvalidProblem("fabric: expected a line 'inside' for several ranks a node, got none");
    return fabric;
}

std::string to_string(const Fabric& fabric) {
    std::string text = "# seiche fabric 1\n";
    if (!fabric.name.empty()) text += "name " + fabric.name + "\n";
    if (!fabric.profile.empty()) text += "profile " + fabric.profile + "\n";
    text += "ranks-per-node " + std::to_string(fabric.ranks_per_node) + "\n";
    text += "memory " + number(fabric.memory_bytes_per_second / giga) + " GB/s\n";
    if (fabric.inside.bytes_per_second != 0) text += text_of("inside", fabric.inside);
    if (fabric.between.bytes_per_second != 0) text += text_of("between", fabric.between);
    return text;
}

void check_fabric(const Fabric& fabric, std::size_t ranks) {
    if (fabric.ranks_per_node == 0 || !(fabric.memory_bytes_per_second > 0))
        throw InvalidProblem("fabric: expected ranks per node and a speed of memory, got none");
    if (ranks > 1 && fabric.ranks_per_node > 1 && !(fabric.inside.bytes_per_second > 0))
        throw InvalidProblem("fabric: expected a speed inside a node, got none");
    if (ranks > fabric.ranks_per_node && !(fabric.between.bytes_per_second > 0))
        throw InvalidProblem("fabric: expected a speed between nodes for " + std::to_string(ranks) + " ranks, " +
                             std::to_string(fabric.ranks_per_node) + " a node, got none");
}

Traffic traffic_of(const std::vector<Box>& from, const std::vector<Box>& to, std::size_t rank,
                   std::uint64_t element_bytes, std::uint64_t ranks_per_node) {
    Traffic traffic;
    for (std::size_t other = 0; other < to.size(); ++other) {
        const std::uint64_t bytes = shared_elements(from[rank], to[other]) * element_bytes;
        if (bytes == 0) continue;
        if (other == rank) {
            traffic.kept = bytes;
        } else if (other / ranks_per_node == rank / ranks_per_node) {
            traffic.inside += bytes;
            ++traffic.inside_messages;
        } else {
            traffic.between += bytes;
            ++traffic.between_messages;
        }
    }
    return traffic;
}

ExchangeTime time_of(const Traffic& traffic, const Fabric& fabric) {
    const auto bytes_time = [](std::uint64_t bytes, const Link& link) {
        return bytes == 0 ? 0.0 : static_cast<double>(bytes) / link.bytes_per_second;
    };
    const auto message_time = [](std::uint64_t messages, const Link& link) {
        return static_cast<double>(messages) * link.seconds_per_message;
    };
    const double in_bytes = bytes_time(traffic.inside, fabric.inside),
                 in_messages = message_time(traffic.inside_messages, fabric.inside),
                 out_bytes = bytes_time(traffic.between, fabric.between),
                 out_messages = message_time(traffic.between_messages, fabric.between);
    const bool is_inside = in_bytes + in_messages >= out_bytes + out_messages;
    ExchangeTime time;
    time.seconds = std::max(in_bytes + in_messages, out_bytes + out_messages);
    time.limit = is_inside ? "inside a node" : "between nodes";
    time.message_seconds = is_inside ? in_messages : out_messages;
    return time;
}

}  // namespace seiche::distributed

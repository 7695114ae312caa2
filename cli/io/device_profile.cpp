// Limits of a device that need not be here, from a file of JSON.
#include "cli/io/device_profile.hpp"

#include <bit>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/io/input_file.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli::io {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t most_file_bytes = 64 * 1024, kibi = 1024, mebi = kibi * kibi;
constexpr std::uint64_t most_memory = std::uint64_t{1} << 50;
constexpr std::size_t most_shown = 40;

/// What a number may be.
struct Rule {
    std::uint64_t least, most;
    bool power_of_two = false;
};

/// The fields of one object, each asked for once; what nobody asked for is refused in the end.
class Fields {
public:
    Fields(const InputFile& file, const Json& object, std::string prefix)
        : file_(file), object_(object), prefix_(std::move(prefix)) {}

    [[noreturn]] void refuse(const std::string& key, const std::string& expected, const Json* got) const {
        std::string text = got == nullptr ? "nothing" : printable(got->dump(-1, ' ', true));
        if (text.size() > most_shown) text = text.substr(0, most_shown) + "...";
        file_.refuse(prefix_ + key + ": expected " + expected + ", got " + text);
    }

    /// Null if there is none.
    const Json* find(const std::string& key) {
        known_.insert(key);
        const auto found = object_.find(key);
        return found == object_.end() ? nullptr : &*found;
    }

    std::string text(const std::string& key) {
        const Json* value = find(key);
        if (value == nullptr || !value->is_string() || value->get_ref<const std::string&>().empty())
            refuse(key, "a text", value);
        return printable(value->get<std::string>());
    }

    template <class Number>
    void required(const std::string& key, Number& number, const Rule& rule) {
        const Json* value = find(key);
        const bool fits = value != nullptr && value->is_number_unsigned() &&
                          value->get<std::uint64_t>() >= rule.least && value->get<std::uint64_t>() <= rule.most &&
                          (!rule.power_of_two || std::has_single_bit(value->get<std::uint64_t>()));
        if (!fits)
            refuse(key,
                   std::string(rule.power_of_two ? "a power of two" : "a whole number") + " from " +
                       std::to_string(rule.least) + " to " + std::to_string(rule.most),
                   value);
        number = static_cast<Number>(value->get<std::uint64_t>());
    }

    template <class Number>
    void optional(const std::string& key, Number& number, const Rule& rule) {
        if (find(key) != nullptr) required(key, number, rule);
    }

    void optional(const std::string& key, bool& flag) {
        const Json* value = find(key);
        if (value == nullptr) return;
        if (!value->is_boolean()) refuse(key, "true or false", value);
        flag = value->get<bool>();
    }

    void finish() const {
        std::string names;
        for (const std::string& name : known_) names += (names.empty() ? "" : ", ") + name;
        for (const auto& [key, value] : object_.items())
            if (!known_.contains(key))
                file_.refuse(prefix_ + printable(key).substr(0, most_shown) + ": expected one of " + names +
                             ", got a field of another name");
    }

private:
    const InputFile& file_;
    const Json& object_;
    std::string prefix_;
    std::set<std::string> known_;
};

Vectors vectors_of(Fields& fields) {
    const Json* value = fields.find("vectors");
    if (value == nullptr || *value == "subgroups") return Vectors::subgroups;
    if (*value == "explicit-simd") return Vectors::explicit_simd;
    if (*value == "implicit-simd") return Vectors::implicit_simd;
    fields.refuse("vectors", "subgroups, explicit-simd or implicit-simd", value);
}

void read_memory(Fields& fields, DeviceLimits& limits) {
    fields.required("shared_bytes", limits.shared_bytes, {kibi, 16 * mebi});
    fields.required("shared_bytes_per_unit", limits.shared_bytes_per_unit, {limits.shared_bytes, 64 * mebi});
    fields.required("memory_bytes", limits.memory_bytes, {mebi, most_memory});
    limits.max_allocation_bytes = limits.memory_bytes;
    fields.optional("max_allocation_bytes", limits.max_allocation_bytes, {mebi, limits.memory_bytes});
    fields.optional("max_buffer_bytes", limits.max_buffer_bytes, {0, most_memory});
    fields.optional("max_addressed_bytes", limits.max_addressed_bytes, {0, most_memory});
    fields.optional("memory_bytes_per_second", limits.memory_bytes_per_second, {0, most_memory});
    fields.required("cache_bytes", limits.cache_bytes, {0, most_memory});
    fields.optional("unit_cache_bytes", limits.unit_cache_bytes, {0, most_memory});
    fields.required("sector_bytes", limits.sector_bytes, {16, 1024, true});
    fields.optional("shared_banks", limits.shared_banks, {1, 256, true});
}

DeviceLimits read_limits(const InputFile& file, const Json& object) {
    Fields fields(file, object, "limits.");
    DeviceLimits limits;
    limits.architecture = fields.text("architecture");
    limits.vectors = vectors_of(fields);
    fields.required("subgroup_size", limits.subgroup_size, {1, 128, true});
    fields.optional("vector_bytes", limits.vector_bytes, {8, 512, true});
    fields.required("max_group_size", limits.max_group_size, {1, 65536});
    fields.required("registers_per_thread", limits.registers_per_thread, {16, 4096});
    fields.required("compute_units", limits.compute_units, {1, 65536});
    fields.optional("max_cluster_size", limits.max_cluster_size, {1, 64});
    read_memory(fields, limits);
    fields.optional("fp64", limits.fp64);
    limits.exact_fp64 = limits.fp64;
    fields.optional("exact_fp64", limits.exact_fp64);
    fields.optional("fp16_storage", limits.fp16_storage);
    fields.optional("fp16_arithmetic", limits.fp16_arithmetic);
    fields.optional("fast_fma", limits.fast_fma);
    fields.optional("waits_for_groups", limits.waits_for_groups);
    fields.optional("bounds_registers", limits.bounds_registers);
    fields.optional("fixed_subgroups", limits.fixed_subgroups);
    fields.optional("part_barriers", limits.part_barriers);
    fields.finish();
    return limits;
}

Json parse(InputFile& file) {
    if (file.bytes() > most_file_bytes)
        file.refuse("expected a device profile of at most " + byte_text(most_file_bytes) + ", got " +
                    byte_text(file.bytes()));
    std::string text(static_cast<std::size_t>(file.bytes()), '\0');
    file.read(text.data(), text.size(), "device profile");
    try {
        return Json::parse(text);
    } catch (const Json::parse_error& error) {
        file.refuse("expected JSON, got something else at byte " + std::to_string(error.byte));
    } catch (const Json::out_of_range&) {
        file.refuse("expected numbers of at most 64 bits, got a larger one");
    }
}

}  // namespace

DeviceProfile read_device_profile(const std::string& path) {
    InputFile file(path);
    const Json json = parse(file);
    if (!json.is_object()) file.refuse("expected an object with name, sources and limits, got another value");
    Fields fields(file, json, "");
    DeviceProfile profile;
    profile.name = fields.text("name");
    const Json* sources = fields.find("sources");
    if (sources == nullptr || !sources->is_array() || sources->empty())
        fields.refuse("sources", "a list of documents that the numbers are from", sources);
    for (const Json& source : *sources)
        if (!source.is_string()) fields.refuse("sources", "texts", &source);
    if (const Json* notes = fields.find("notes"); notes != nullptr && !notes->is_string())
        fields.refuse("notes", "a text", notes);
    const Json* limits = fields.find("limits");
    if (limits == nullptr || !limits->is_object()) fields.refuse("limits", "an object", limits);
    fields.finish();
    profile.limits = read_limits(file, *limits);
    return profile;
}

}  // namespace seiche::cli::io

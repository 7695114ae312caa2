// What every command shares: opening a device, notes on stderr, JSON on stdout, errors to exit status.
#include "cli/command/report.hpp"

#include <array>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "cli/system/environment.hpp"
#include "cli/text/text.hpp"
#include "cli/text/words.hpp"
#include "seiche/error.hpp"

namespace seiche::cli {

void note_clipped(std::uint64_t clipped, std::uint64_t of, const std::string& what) {
    if (clipped == 0) return;
    note("clipped " + std::to_string(clipped) + " of " + counted(of, "sample") + " to the range of " + what);
}

void print_json(const Json& json) {
    const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    print(text);
}

void print_rows(const std::vector<Row>& rows) {
    constexpr std::size_t column = 14;
    std::string text;
    for (const Row& row : rows) text += row.name + std::string(column - row.name.size(), ' ') + row.value + "\n";
    print_report_text(text);
}

std::string device_text(const Device& device) { return device.info().name + " (" + device.info().description + ")"; }

namespace {

/// A backend that there is not is a slip of the pen; one that is not here is not.
void check_device_name(const std::string& name) {
    if (name.empty()) return;
    constexpr std::array known{Backend::reference, Backend::cuda,       Backend::hip,    Backend::opencl,
                               Backend::vulkan,    Backend::level_zero, Backend::opengl, Backend::cpu};
    std::string backend = name.substr(0, name.find(':'));
    for (char& c : backend)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    std::vector<std::string> names;
    for (const Backend each : known) {
        names.emplace_back(to_string(each));
        if (backend == names.back()) return;
    }
    std::string list;
    for (const std::string& each : names) list += (list.empty() ? "" : ", ") + each;
    throw UsageError("--device: expected one of " + list + ", with :NUMBER or :PART-OF-ITS-NAME if need be, got '" +
                     printable(name) + "'" + did_you_mean(backend, names));
}

}  // namespace

Device open_device(const std::string& name) {
    check_device_name(name);
    std::string passed_over;
    const Progress progress("opening the device");
    Device device = Device::open(name, &passed_over);
    if (!passed_over.empty()) note(passed_over);
    note("using " + device_text(device));
    return device;
}

std::string message_of(const std::exception& error) {
    // Kinds of the library's errors are names of its classes, which say nothing to those who use the tool.
    if (const auto* known = dynamic_cast<const Error*>(&error)) {
        const std::string reason = known->reason();
        return known->kind() == ErrorKind::internal ? "this is a defect of seiche: " + reason : reason;
    }
    if (const auto* file = dynamic_cast<const std::filesystem::filesystem_error*>(&error))
        return "'" + file->path1().string() + "': " + file->code().message();
    if (const auto* system = dynamic_cast<const std::system_error*>(&error)) return system->code().message();
    if (dynamic_cast<const Failure*>(&error) != nullptr || dynamic_cast<const UsageError*>(&error) != nullptr)
        return error.what();
    return std::string("this is a defect of seiche: ") + error.what();
}

int guarded(const std::function<void()>& work) {
    try {
        work();
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) throw Failure("cannot write to standard output");
        return ok;
    } catch (const UsageError& error) {
        complain(error.what());
        return usage;
    } catch (const std::bad_alloc&) {
        complain("not enough host memory");
    } catch (const std::length_error&) {  // of a container that no memory could hold
        complain("not enough host memory");
    } catch (const std::exception& error) {
        complain(message_of(error));
    }
    return failed;
}

namespace {

/// Of SEICHE_PACK_PATH.
bool names_a_pack(const std::string& message) {
    std::istringstream list(environment("SEICHE_PACK_PATH"));
    for (std::string path; std::getline(list, path, ':');)
        if (!path.empty() && message.find(path) != std::string::npos) return true;
    return false;
}

}  // namespace

std::function<void()> of_problems(std::function<void()> work) {
    return [work = std::move(work)] {
        try {
            work();
        } catch (const Unsupported& error) {
            const std::string message = message_of(error);  // what is asked of a plan beside its problem is an option
            if (message.starts_with("tuning")) throw UsageError(message);
            throw;
        } catch (const InvalidProblem& error) {
            const std::string message = message_of(error);
            if (names_a_pack(message)) throw Failure(message);  // which no option names
            throw UsageError(message);
        }
    };
}

}  // namespace seiche::cli

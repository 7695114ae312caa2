// Another program that is asked and answers line by line, on Windows: two pipes, whose other ends it inherits.
#include <algorithm>
#include <map>

#include "cli/system/child_process.hpp"
#include "cli/system/windows.hpp"
#include "cli/text/failure.hpp"

namespace seiche::cli {

struct ChildProcess::Native {
    HANDLE process = nullptr, to = nullptr, from = nullptr;
};

namespace {

/// "name=value" after "name=value", each ended by a zero.
std::wstring environment_block() {
    std::wstring block;
    wchar_t* const all = GetEnvironmentStringsW();
    for (const wchar_t* entry = all; entry != nullptr && *entry != L'\0'; entry += std::wstring(entry).size() + 1)
        block.append(entry).push_back(L'\0');
    if (all != nullptr) FreeEnvironmentStringsW(all);
    return block;
}

/// This program's environment before any driver was loaded: drivers change it.
const std::wstring environment_at_start = environment_block();

std::wstring merged_environment(const std::vector<std::pair<std::string, std::string>>& added) {
    std::wstring merged;
    for (std::size_t at = 0; at < environment_at_start.size();) {
        const std::wstring entry = environment_at_start.c_str() + at;
        at += entry.size() + 1;
        const bool replaced = std::any_of(added.begin(), added.end(), [&](const auto& pair) {
            const std::wstring name = wide(pair.first + "=");
            return _wcsnicmp(entry.c_str(), name.c_str(), name.size()) == 0;
        });
        if (!replaced) merged.append(entry).push_back(L'\0');
    }
    for (const auto& [name, value] : added) merged.append(wide(name + "=" + value)).push_back(L'\0');
    merged.push_back(L'\0');
    return merged;
}

/// An argument as the program's own start takes it apart again: backslashes count only before quotation marks.
std::wstring quoted(const std::string& argument) {
    std::wstring text = L"\"";
    std::size_t backslashes = 0;
    for (const wchar_t c : wide(argument)) {
        if (c == L'"') text.append(backslashes + 1, L'\\');
        backslashes = c == L'\\' ? backslashes + 1 : 0;
        text.push_back(c);
    }
    return text.append(backslashes, L'\\').append(L"\"");
}

std::wstring command_line(const std::vector<std::string>& command) {
    std::wstring line;
    for (const std::string& argument : command) line += (line.empty() ? L"" : L" ") + quoted(argument);
    return line;
}

/// Handles that go when they go out of scope.
struct Handles {
    std::vector<HANDLE> all;
    Handles() = default;
    Handles(const Handles&) = delete;
    Handles& operator=(const Handles&) = delete;
    ~Handles() {
        for (const HANDLE handle : all) CloseHandle(handle);
    }
};

/// Only these are inherited, whatever other threads make inheritable meanwhile.
class InheritedList {
public:
    explicit InheritedList(std::vector<HANDLE>& handles) {
        SIZE_T bytes = 0;
        InitializeProcThreadAttributeList(nullptr, 1, 0, &bytes);
        memory_.resize(bytes);
        made_ = InitializeProcThreadAttributeList(list(), 1, 0, &bytes) != 0 &&
                UpdateProcThreadAttribute(list(), 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles.data(),
                                          handles.size() * sizeof(HANDLE), nullptr, nullptr) != 0;
        if (!made_) throw Failure("cannot prepare a process: " + message_of(GetLastError()));
    }
    ~InheritedList() { DeleteProcThreadAttributeList(list()); }
    InheritedList(const InheritedList&) = delete;
    InheritedList& operator=(const InheritedList&) = delete;
    LPPROC_THREAD_ATTRIBUTE_LIST list() { return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.data()); }

private:
    std::vector<char> memory_;
    bool made_ = false;
};

}  // namespace

int run_program(const std::vector<std::string>& command,
                const std::vector<std::pair<std::string, std::string>>& environment) {
    for (const auto& [name, value] : environment) SetEnvironmentVariableW(wide(name).c_str(), wide(value).c_str());
    STARTUPINFOW start{};
    start.cb = sizeof start;
    std::wstring line = command_line(command);
    PROCESS_INFORMATION made{};
    if (CreateProcessW(wide(command.at(0)).c_str(), line.data(), nullptr, nullptr, TRUE, 0, nullptr, nullptr, &start,
                       &made) == 0)
        throw Failure("cannot start " + command.front() + ": " + message_of(GetLastError()));
    CloseHandle(made.hThread);
    WaitForSingleObject(made.hProcess, INFINITE);
    DWORD status = 1;
    GetExitCodeProcess(made.hProcess, &status);
    CloseHandle(made.hProcess);
    return static_cast<int>(status);
}

ChildProcess::ChildProcess(const std::vector<std::string>& command,
                           const std::vector<std::pair<std::string, std::string>>& environment)
    : name_(command.at(0)), native_(std::make_unique<Native>()) {
    SECURITY_ATTRIBUTES inherited{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
    Handles ours, theirs;
    HANDLE input = nullptr, to = nullptr, from = nullptr, output = nullptr;
    if (CreatePipe(&input, &to, &inherited, 0) == 0) throw Failure("cannot make a pipe: " + message_of(GetLastError()));
    theirs.all.push_back(input), ours.all.push_back(to);
    if (CreatePipe(&from, &output, &inherited, 0) == 0)
        throw Failure("cannot make a pipe: " + message_of(GetLastError()));
    theirs.all.push_back(output), ours.all.push_back(from);
    const HANDLE nowhere =
        CreateFileW(L"NUL", GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited, OPEN_EXISTING, 0, nullptr);
    if (nowhere != INVALID_HANDLE_VALUE) theirs.all.push_back(nowhere);
    InheritedList list(theirs.all);
    STARTUPINFOEXW start{};
    start.StartupInfo.cb = sizeof start;
    start.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    start.StartupInfo.hStdInput = input, start.StartupInfo.hStdOutput = output, start.StartupInfo.hStdError = nowhere;
    start.lpAttributeList = list.list();
    std::wstring line = command_line(command), variables = merged_environment(environment);
    PROCESS_INFORMATION made{};
    if (CreateProcessW(wide(name_).c_str(), line.data(), nullptr, nullptr, TRUE,
                       CREATE_UNICODE_ENVIRONMENT | EXTENDED_STARTUPINFO_PRESENT, variables.data(), nullptr,
                       &start.StartupInfo, &made) == 0)
        throw Failure("cannot start " + name_ + ": " + message_of(GetLastError()));
    CloseHandle(made.hThread);
    ours.all.clear();
    *native_ = {made.hProcess, to, from};
}

ChildProcess::~ChildProcess() {
    CloseHandle(native_->to);
    CloseHandle(native_->from);
    WaitForSingleObject(native_->process, INFINITE);
    CloseHandle(native_->process);
}

void ChildProcess::send(const std::string& line) {
    const std::string text = line + "\n";
    for (std::size_t sent = 0; sent < text.size();) {
        DWORD count = 0;
        if (WriteFile(native_->to, text.data() + sent, static_cast<DWORD>(text.size() - sent), &count, nullptr) == 0)
            throw Failure(name_ + " ended before it was asked: " + line);
        sent += count;
    }
}

std::size_t ChildProcess::read(char* to, std::size_t most) {
    DWORD count = 0;
    return ReadFile(native_->from, to, static_cast<DWORD>(most), &count, nullptr) != 0 ? count : 0;
}

}  // namespace seiche::cli

// The objects behind the handles of the C interface, for libraries that have an interface in C themselves.
#include <algorithm>

#include "api/c_handles.hpp"
#include "seiche/interop/c.hpp"

namespace seiche::c {

const Device& device(const seiche_device* handle) {
    api::require(handle, "device");
    return handle->value;
}

Queue& queue(seiche_queue* handle) {
    api::require(handle, "queue");
    return handle->value;
}

BufferView view(const seiche_buffer* handle, std::uint64_t byte_offset) { return api::view_of(handle, byte_offset); }

Problem problem(const seiche_problem* problem) { return api::problem_of(problem); }

void read_struct(const void* given, void* value, std::size_t bytes, const char* name) {
    const std::size_t size = api::checked_size(given, name);
    if (size > bytes) api::refuse_unknown_members(given, bytes, size, name);
    std::memcpy(value, given, std::min(size, bytes));
    std::memcpy(value, &bytes, sizeof bytes);
}

void write_struct(void* to, const void* value, std::size_t bytes, const char* name) {
    const std::size_t size = api::checked_size(to, name);
    std::memset(to, 0, size);
    std::memcpy(to, value, std::min(size, bytes));
    std::memcpy(to, &size, sizeof size);
}

char* text(const std::string& text) { return api::copy_of(text); }

seiche_status status_of_exception() noexcept { return api::status_of_exception(); }

}  // namespace seiche::c

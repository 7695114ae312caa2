// The C interface, what all of it shares: messages, checks of pointers and counts, texts and bytes.
#include <algorithm>
#include <new>

#include "api/c_handles.hpp"
#include "seiche/version.hpp"
#include "support/of_thread.hpp"

namespace seiche::api {

namespace {

std::string& last_error() { return support::of_thread<std::string, struct LastError>(); }

seiche_status status_of(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::invalid_problem: return SEICHE_INVALID_PROBLEM;
        case ErrorKind::unsupported: return SEICHE_UNSUPPORTED;
        case ErrorKind::backend: return SEICHE_BACKEND_ERROR;
        case ErrorKind::internal: return SEICHE_INTERNAL_ERROR;
        case ErrorKind::missing_function: return SEICHE_MISSING_FUNCTION;
    }
    return SEICHE_INTERNAL_ERROR;
}

}  // namespace

void set_last_error(const char* message) noexcept {
    try {
        last_error() = message;
    } catch (...) {  // no memory for the message: the status tells
        last_error().clear();
    }
}

seiche_status status_of_exception() noexcept {
    try {
        throw;
    } catch (const Error& error) {
        set_last_error(error.what());
        return status_of(error.kind());
    } catch (const std::bad_alloc&) {
        set_last_error("InternalError: the host is out of memory");
    } catch (const std::exception& error) {
        try {
            set_last_error((std::string("InternalError: ") + error.what()).c_str());
        } catch (...) {
            set_last_error("InternalError");
        }
    } catch (...) {
        set_last_error("InternalError: an exception of the caller's");
    }
    return SEICHE_INTERNAL_ERROR;
}

void require(const void* pointer, const char* name) {
    if (pointer == nullptr) throw InvalidProblem(std::string(name) + ": expected a pointer, got NULL");
}

void require_array(const void* pointer, std::size_t count, std::size_t most, const char* name) {
    if (count > most)
        throw InvalidProblem(std::string(name) + ": expected at most " + std::to_string(most) + " elements, got " +
                             std::to_string(count));
    if (pointer == nullptr && count != 0)
        throw InvalidProblem(std::string(name) + ": expected a pointer to " + std::to_string(count) +
                             (count == 1 ? " element" : " elements") + ", got NULL");
}

void require_index(std::size_t index, std::size_t count, const char* name) {
    if (index >= count)
        throw InvalidProblem(std::string(name) + ": expected an index below " + std::to_string(count) + ", got " +
                             std::to_string(index));
}

void write_numbers(const std::vector<std::uint64_t>& values, std::uint64_t* to, std::size_t capacity,
                   std::size_t* count) {
    require(count, "count");
    if (to != nullptr) std::copy_n(values.begin(), std::min(capacity, values.size()), to);
    *count = values.size();
}

unsigned char* copy_of(const std::vector<std::byte>& bytes) {
    auto* copy = new unsigned char[std::max<std::size_t>(bytes.size(), 1)];
    std::copy_n(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), copy);
    return copy;
}

char* copy_of(const std::string& text) {
    auto* copy = new char[text.size() + 1];
    std::copy_n(text.c_str(), text.size() + 1, copy);
    return copy;
}

BufferView view_of(const seiche_buffer* buffer, std::uint64_t offset) {
    return buffer == nullptr ? BufferView() : BufferView(buffer->value, offset);
}

}  // namespace seiche::api

extern "C" {

const char* seiche_last_error(void) { return seiche::api::last_error().c_str(); }

const char* seiche_status_name(seiche_status status) {
    switch (seiche::api::number_of(status)) {
        case SEICHE_OK: return "OK";
        case SEICHE_INVALID_PROBLEM: return to_string(seiche::ErrorKind::invalid_problem);
        case SEICHE_UNSUPPORTED: return to_string(seiche::ErrorKind::unsupported);
        case SEICHE_BACKEND_ERROR: return to_string(seiche::ErrorKind::backend);
        case SEICHE_INTERNAL_ERROR: return to_string(seiche::ErrorKind::internal);
        case SEICHE_MISSING_FUNCTION: return to_string(seiche::ErrorKind::missing_function);
        default: return "unknown";
    }
}

const char* seiche_version(void) { return seiche::version(); }

void seiche_text_release(char* text) { delete[] text; }
void seiche_bytes_release(unsigned char* bytes) { delete[] bytes; }

size_t seiche_text_list_count(const seiche_text_list* list) { return list == nullptr ? 0 : list->value.size(); }

const char* seiche_text_list_get(const seiche_text_list* list, size_t index) {
    return index < seiche_text_list_count(list) ? list->value[index].c_str() : nullptr;
}

void seiche_text_list_release(seiche_text_list* list) { delete list; }

}  // extern "C"

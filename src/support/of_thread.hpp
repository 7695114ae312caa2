// An object of each thread that is there until the very end.
#pragma once

namespace seiche::support {

/// This thread's T, freed as the thread ends. A program may call the library later than that, in a destructor of a
/// static object: such a call gets one more T, which stays. `Tag` tells objects of one type apart.
template <class T, class Tag>
T& of_thread() {
    thread_local bool has_ended = false;  // needs no destructor, and so outlives those of others
    struct Owner {
        T value;
        Owner() = default;
        Owner(const Owner&) = delete;
        Owner& operator=(const Owner&) = delete;
        ~Owner() { has_ended = true; }
    };
    if (has_ended) {
        thread_local T* late = nullptr;
        if (late == nullptr) late = new T;
        return *late;
    }
    thread_local Owner owner;
    return owner.value;
}

}  // namespace seiche::support

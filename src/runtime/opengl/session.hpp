// A context, and how a thread comes to have it.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "runtime/opengl/api.hpp"

namespace seiche::runtime::opengl {

/// What a context can do, as it says itself.
struct Facts {
    std::string vendor, renderer, version;
    bool es = false;
    Int major = 0, minor = 0;
    bool has_compute = false;  ///< OpenGL 4.3 or OpenGL ES 3.1.
    bool is_software = false;  ///< Its kernels run on the CPU.
    bool has_timestamps = false;
    bool keeps_binaries = false;
    Int shared_bytes = 0, group_invocations = 0, group_size = 0, group_count = 0;
    Int storage_blocks = 0, storage_alignment = 1;
    std::int64_t storage_block_bytes = 0;
    std::uint64_t memory_bytes = 0;  ///< 0: it does not say.
    Int compute_units = 0;           ///< Likewise.
};

/// A context of ours, which any thread makes current for the length of a call, or the caller's, which must be current
/// already. Kept alive by everything that was made from it.
struct Session {
    /// A new context without a surface. Throws BackendError, naming the call and its code.
    Session(Display d, bool es);
    /// The context that is current in this thread.
    explicit Session(Loader loader);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    Gl gl;
    Facts facts;
    Display display = nullptr;
    Context context = nullptr;
    bool is_callers = false;
    Loader loader = nullptr;
    /// In a caller's context, a buffer whose size is this session's own: another context may lie at the same address
    /// later, and have objects of the same names.
    Uint marker = 0;
    std::int64_t marker_bytes = 0;
    std::recursive_mutex in_use;  ///< A context is current in one thread at a time.
    unsigned depth = 0;           ///< Of calls that have it.
};

/// Has the session's context current for as long as it lives, and puts back what was current before.
class Current {
public:
    /// Throws BackendError where the context cannot be made current, InvalidProblem where the caller's is not.
    explicit Current(Session& session);
    ~Current();
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

private:
    Session& session_;
    std::unique_lock<std::recursive_mutex> lock_;
    Display display_ = nullptr;
    Context context_ = nullptr;
    Surface draw_ = nullptr, read_ = nullptr;
};

/// Runs `body` with the context, to give up what lies in it; nothing where the caller's is not current any more.
template <class Body>
void give_up(Session& session, Body&& body) noexcept {
    try {
        const Current current(session);
        body(session.gl);
        forget_errors(session.gl);  // which a later call would be blamed for
    } catch (...) {                 // the context is gone, and with it what was in it
    }
}

}  // namespace seiche::runtime::opengl

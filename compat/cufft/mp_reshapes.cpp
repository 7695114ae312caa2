// cuFFTMp's reshapes: an array moves from one distribution over the processes to another. A handle is a pointer.
#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "entry.hpp"
#include "loaded_mpi.hpp"
#include "mp.hpp"
#include "peer_memory.hpp"
#include "processes.hpp"
#include "seiche/distributed/redistribution.hpp"

namespace seiche::compat {

namespace {

using distributed::Box;

/// Used by one thread at a time.
class Reshape {
public:
    ~Reshape() { close(); }

    void attach(int type, const void* comm) {
        expect_not_made();
        ranks_ = attached_ranks(type, comm);
    }
    void make(std::uint64_t element_bytes, const Box& input, const Box& output);
    void execute(void* output, const void* input, void* stream);
    void expect_made() const {
        if (!move_) throw Refused{invalid_plan, "the reshape was created but not made"};
    }

private:
    void expect_not_made() const {
        if (move_) throw Refused{invalid_plan, "the reshape was made before"};
    }
    void expect_arrays(const void* output, const void* input) const;
    void close();

    PeerMemoryUser memory_user_;
    std::shared_ptr<distributed::Communicator> ranks_;
    std::shared_ptr<const Site> site_;
    Allocation own_area_, own_input_;
    BufferView workspace_;
    Queue queue_;
    void* stream_ = nullptr;
    Exchanges exchanges_;
    distributed::Redistribution move_;
};

/// Lengths of the array that all boxes lie in.
std::vector<std::uint64_t> lengths_of(const std::vector<Box>& input, const std::vector<Box>& output) {
    std::vector<std::uint64_t> lengths(input.front().upper.size(), 0);
    for (const std::vector<Box>* const boxes : {&input, &output})
        for (const Box& box : *boxes)
            for (std::size_t axis = 0; axis < lengths.size(); ++axis)
                if (!box.empty()) lengths[axis] = std::max(lengths[axis], box.upper[axis]);
    return lengths;
}

distributed::Element element_of(std::uint64_t bytes) {
    if (bytes == 4) return {Precision::f32, Storage::same, false};
    if (bytes == 8) return {Precision::f32, Storage::same, true};
    if (bytes == 16) return {Precision::f64, Storage::same, true};
    throw Refused{invalid_value, "an element has " + std::to_string(bytes) + " bytes, expected 4, 8 or 16"};
}

void Reshape::make(std::uint64_t element_bytes, const Box& input, const Box& output) {
    expect_not_made();
    if (!ranks_) throw Refused{invalid_plan, "the reshape has no communicator: expected MpAttachReshapeComm before"};
    const distributed::Element element = element_of(element_bytes);
    site_ = current_site();
    const std::vector<Box> from = gathered(*ranks_, input), to = gathered(*ranks_, output);
    exchanges_ = exchanges_between(ranks_, site_->device());
    distributed::Redistribution made(site_->device(), element, lengths_of(from, to), from, to, exchanges_.ranks);
    // cuFFTMp's reshapes need no memory of the caller's, and programs pass none.
    if (made.workspace_bytes() != 0) {
        own_area_ = peer_memory(*site_, made.workspace_bytes());
        workspace_ = site_->keeps_buffers() ? site_->buffer(own_area_.pointer, own_area_.bytes)
                                            : site_->device().allocate(own_area_.bytes);
    }
    move_ = std::move(made);
}

void Reshape::expect_arrays(const void* output, const void* input) const {
    if (move_.input_bytes() != 0 && input == nullptr) throw Refused{invalid_value, "the input is a null pointer"};
    if (move_.output_bytes() != 0 && output == nullptr) throw Refused{invalid_value, "the output is a null pointer"};
    const auto* const from = static_cast<const char*>(input);
    const auto* const to = static_cast<const char*>(output);
    if (from < to + move_.output_bytes() && to < from + move_.input_bytes())
        throw Refused{invalid_value, "the input and the output overlap"};
}

void Reshape::execute(void* output, const void* input, void* stream) {
    expect_made();
    expect_arrays(output, input);
    if (!site_->is_current())
        throw Refused{invalid_device, "the reshape was made for another device than the current one"};
    if (!queue_.impl() || stream != stream_) {
        if (queue_.impl()) queue_.wait();
        queue_ = site_->queue(stream);
        stream_ = stream;
    }
    BufferView from, to;
    if (move_.input_bytes() != 0) from = site_->buffer(const_cast<void*>(input), move_.input_bytes());
    if (move_.output_bytes() != 0) to = site_->buffer(output, move_.output_bytes());
    if (from.buffer && exchanges_.opens_memory && !is_peer_memory(input, move_.input_bytes())) {
        if (own_input_.pointer == nullptr) own_input_ = peer_memory(*site_, move_.input_bytes());
        const BufferView copy = site_->buffer(own_input_.pointer, move_.input_bytes());
        queue_.copy(copy, from, move_.input_bytes());
        from = copy;
    }
    move_.execute(queue_, from, to, workspace_);
    if (to.buffer) site_->finish(queue_, output, to.buffer);
}

/// Others may have memory of this process open until all have let go of theirs.
void Reshape::close() {
    if (!move_) return;
    try {
        if (!loaded_mpi_is_running()) return;
        if (queue_.impl()) queue_.wait();
        move_ = {};
        exchanges_ = {};
        ranks_->barrier();
    } catch (const std::exception& error) {
        log_refused("MpDestroyReshape", internal_error, error.what());
    }
}

/// The handles that are about. Never freed: calls may come while the process ends.
struct Reshapes {
    std::mutex mutex;
    std::set<Reshape*> known;
};
Reshapes& reshapes() {
    static auto* const reshapes = new Reshapes;
    return *reshapes;
}

Reshape& reshape_of(void* handle) {
    const std::lock_guard lock(reshapes().mutex);
    const auto found = reshapes().known.find(static_cast<Reshape*>(handle));
    if (found == reshapes().known.end())
        throw Refused{invalid_plan, "the handle is of no reshape, or of one that was destroyed"};
    return **found;
}

void expect_rank(int rank) {
    if (rank < 1 || rank > 3) throw Refused{invalid_value, "the rank is " + std::to_string(rank) + ", expected 1 to 3"};
}

}  // namespace

std::shared_ptr<distributed::Communicator> attached_ranks(int type, const void* comm) {
    // Processes may come late, as to an execution that follows hours of other work.
    constexpr std::chrono::minutes time_limit{30};
    if (type == comm_none)
        throw Refused{not_implemented, "processes are found through MPI: expected CUFFT_COMM_MPI, got CUFFT_COMM_NONE"};
    if (type != comm_mpi)
        throw Refused{invalid_value, "there is no type " + std::to_string(type) + " of communicators"};
    if (comm == nullptr) throw Refused{invalid_value, "the communicator is a null pointer"};
    return ranks_of_loaded_mpi(comm, time_limit);
}

}  // namespace seiche::compat

using namespace seiche::compat;

SEICHE_FFT(MpCreateReshape)(void** handle) {
    return guarded("MpCreateReshape", [&] {
        if (handle == nullptr) throw Refused{invalid_value, "the place for the handle is a null pointer"};
        auto made = std::make_unique<Reshape>();
        const std::lock_guard lock(reshapes().mutex);
        reshapes().known.insert(made.get());
        *handle = made.release();
    });
}

SEICHE_FFT(MpAttachReshapeComm)(void* handle, int type, void* comm) {
    return guarded("MpAttachReshapeComm", [&] { reshape_of(handle).attach(type, comm); });
}

/// Of cuFFTMp before 11.4: the lists of strides come last.
SEICHE_FFT(MpMakeReshape)
(void* handle, std::size_t element_bytes, int rank, const long long* lower_input, const long long* upper_input,
 const long long* lower_output, const long long* upper_output, const long long* strides_input,
 const long long* strides_output) {
    return guarded("MpMakeReshape", [&] {
        expect_rank(rank);
        reshape_of(handle).make(element_bytes, box_of(rank, lower_input, upper_input, strides_input, "the input"),
                                box_of(rank, lower_output, upper_output, strides_output, "the output"));
    });
}

/// What the header of 11.4 calls for cufftMpMakeReshape.
extern "C" __attribute__((visibility("default"))) int __cufftMpMakeReshape_11_4(  // NOLINT: NVIDIA's name
    void* handle, std::size_t element_bytes, int rank, const long long* lower_input, const long long* upper_input,
    const long long* strides_input, const long long* lower_output, const long long* upper_output,
    const long long* strides_output, void* comm, int type) {
    return guarded("MpMakeReshape_11_4", [&] {
        expect_rank(rank);
        Reshape& reshape = reshape_of(handle);
        const Box input = box_of(rank, lower_input, upper_input, strides_input, "the input");
        const Box output = box_of(rank, lower_output, upper_output, strides_output, "the output");
        if (comm != nullptr) reshape.attach(type, comm);
        reshape.make(element_bytes, input, output);
    });
}

SEICHE_FFT(MpGetReshapeSize)(void* handle, std::size_t* bytes) {
    return guarded("MpGetReshapeSize", [&] {
        reshape_of(handle).expect_made();
        if (bytes == nullptr) throw Refused{invalid_value, "the place for the size is a null pointer"};
        *bytes = 0;
    });
}

SEICHE_FFT(MpExecReshapeAsync)(void* handle, void* output, const void* input, void* /*workspace*/, void* stream) {
    return guarded(
        "MpExecReshapeAsync", [&] { reshape_of(handle).execute(output, input, stream); }, true);
}

SEICHE_FFT(MpDestroyReshape)(void* handle) {
    return guarded("MpDestroyReshape", [&] {
        const std::unique_ptr<Reshape> gone(&reshape_of(handle));  // destroyed after the lock is
        const std::lock_guard lock(reshapes().mutex);
        reshapes().known.erase(gone.get());
    });
}

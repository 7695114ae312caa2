// Messages of MPI, for whatever MPI the type parameter stands for: one that a program was compiled with (mpi.hpp), or
// one that is loaded at run time through the standard ABI (src/mpi_abi.cpp).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "seiche/distributed/messages.hpp"

namespace seiche::distributed {

/// `Mpi` is a value with the types Comm and Request, the largest count of bytes that one message may have
/// (`most_bytes`), and MPI's functions by these names, which return MPI's error codes, 0 for success: isend, irecv,
/// test, comm_idup, comm_free, errors_return (MPI_Comm_set_errhandler), comm_rank, comm_size, error_text (a string).
template <class Mpi>
class MpiMessages final : public Messages {
public:
    /// Of a duplicate of `comm`, so that nobody else's messages come between. All its ranks call this; if one does not
    /// within the time limit, the others throw BackendError. Messages of more than `most_bytes`, the same number on all
    /// ranks, go in parts.
    MpiMessages(Mpi mpi, typename Mpi::Comm comm, std::chrono::milliseconds time_limit,
                std::uint64_t most_bytes = Mpi::most_bytes)
        : mpi_(std::move(mpi)), most_bytes_(most_bytes) {
        check("MPI_Comm_rank", mpi_.comm_rank(comm, &rank_));
        check("MPI_Comm_size", mpi_.comm_size(comm, &size_));
        // The requests of a call that does not end must live on.
        auto duplicate = std::make_unique<Duplicate>();
        check("MPI_Comm_idup", mpi_.comm_idup(comm, &duplicate->comm, &duplicate->request));
        const auto end = std::chrono::steady_clock::now() + time_limit;
        for (int is_done = 0; !is_done;) {
            check("MPI_Test", mpi_.test(&duplicate->request, &is_done));
            if (!is_done && std::chrono::steady_clock::now() > end) {
                keep_forever(std::move(duplicate));
                mpi_.abandon();
                throw BackendError("MPI_Comm_idup: not all " + std::to_string(size_) + " ranks came within " +
                                   std::to_string(time_limit.count()) + " ms");
            }
            if (!is_done) std::this_thread::yield();
        }
        comm_ = duplicate->comm;
        check("MPI_Comm_set_errhandler", mpi_.errors_return(comm_));
    }
    ~MpiMessages() override {
        if (!is_abandoned_) mpi_.comm_free(&comm_);
    }

    int rank() const override { return rank_; }
    int size() const override { return size_; }

    std::unique_ptr<Request> send(const void* data, std::uint64_t bytes, int to, int tag) override {
        auto request = std::make_unique<Parts>(*this);
        for_parts(bytes, most_bytes_, [&](std::uint64_t offset, std::uint64_t count) {
            check("MPI_Isend",
                  mpi_.isend(static_cast<const char*>(data) + offset, count, to, tag, comm_, request->add()));
        });
        return request;
    }
    std::unique_ptr<Request> receive(void* data, std::uint64_t bytes, int from, int tag) override {
        auto request = std::make_unique<Parts>(*this);
        for_parts(bytes, most_bytes_, [&](std::uint64_t offset, std::uint64_t count) {
            check("MPI_Irecv", mpi_.irecv(static_cast<char*>(data) + offset, count, from, tag, comm_, request->add()));
        });
        return request;
    }
    void abandon() noexcept override {
        is_abandoned_ = true;
        mpi_.abandon();
    }

private:
    struct Duplicate {
        typename Mpi::Comm comm;
        typename Mpi::Request request;
    };
    static void keep_forever(std::unique_ptr<Duplicate> duplicate) {
        static std::mutex mutex;
        static auto* const kept = new std::vector<std::unique_ptr<Duplicate>>;
        const std::lock_guard<std::mutex> lock(mutex);
        kept->push_back(std::move(duplicate));
    }

    /// A message as the parts that MPI takes.
    class Parts final : public Request {
    public:
        explicit Parts(MpiMessages& messages) : messages_(messages) {}
        typename Mpi::Request* add() {
            requests_.emplace_back();
            return &requests_.back();
        }
        bool is_done() override {
            for (; done_ < requests_.size(); ++done_) {
                int is_done = 0;
                messages_.check("MPI_Test", messages_.mpi_.test(&requests_[done_], &is_done));
                if (!is_done) return false;
            }
            return true;
        }

    private:
        MpiMessages& messages_;
        std::vector<typename Mpi::Request> requests_;
        std::size_t done_ = 0;
    };

    void check(const char* call, int code) {
        if (code != 0) throw BackendError(std::string(call) + ": " + mpi_.error_text(code));
    }

    Mpi mpi_;
    std::uint64_t most_bytes_;
    typename Mpi::Comm comm_;
    int rank_ = 0, size_ = 0;
    bool is_abandoned_ = false;
};

}  // namespace seiche::distributed

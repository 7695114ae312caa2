// Threads that do the same work together, one for each card.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace seiche::compat {

class Crew {
public:
    explicit Crew(std::size_t count) : faults_(count) {
        try {
            for (std::size_t rank = 0; rank < count; ++rank) threads_.emplace_back([this, rank] { serve(rank); });
        } catch (...) {
            end();
            throw;
        }
    }
    ~Crew() { end(); }
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    /// Calls `work` with each rank, at the same time, and returns when all have returned. Throws what the first rank
    /// threw.
    void run(const std::function<void(std::size_t rank)>& work) {
        std::unique_lock lock(mutex_);
        work_ = &work;
        busy_ = threads_.size();
        ++round_;
        begins_.notify_all();
        ends_.wait(lock, [this] { return busy_ == 0; });
        work_ = nullptr;
        for (std::exception_ptr& fault : faults_)
            if (fault) {
                const std::exception_ptr first = fault;
                for (std::exception_ptr& other : faults_) other = nullptr;
                std::rethrow_exception(first);
            }
    }

private:
    void serve(std::size_t rank) {
        unsigned long long done = 0;
        std::unique_lock lock(mutex_);
        for (;;) {
            begins_.wait(lock, [&] { return is_over_ || round_ != done; });
            if (is_over_) return;
            done = round_;
            const std::function<void(std::size_t)>& work = *work_;
            lock.unlock();
            std::exception_ptr fault;
            try {
                work(rank);
            } catch (...) {
                fault = std::current_exception();
            }
            lock.lock();
            faults_[rank] = fault;
            if (--busy_ == 0) ends_.notify_all();
        }
    }
    void end() {
        {
            const std::lock_guard lock(mutex_);
            is_over_ = true;
        }
        begins_.notify_all();
        for (std::thread& thread : threads_) thread.join();
    }

    std::mutex mutex_;
    std::condition_variable begins_, ends_;
    const std::function<void(std::size_t)>* work_ = nullptr;
    unsigned long long round_ = 0;
    std::size_t busy_ = 0;
    bool is_over_ = false;
    std::vector<std::exception_ptr> faults_;
    std::vector<std::thread> threads_;
};

}  // namespace seiche::compat

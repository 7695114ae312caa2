// A workflow as a chain of cuFFT's transforms and kernels of one's own.
#pragma once

#include <memory>
#include <string>

#include "bench/rivals/cuda.hpp"
#include "cli/workflow/rival.hpp"
#include "cli/workflow/workflow.hpp"

namespace seiche::rivals {

/// What every composition gets.
struct Job {
    const cli::Workflow& workflow;
    std::vector<Address> inputs;
    Address output = 0;
    Handle stream = nullptr;

    std::uint64_t length(std::size_t axis) const { return workflow.what().shape[axis]; }
};

class Composition : public cli::WorkflowRival {
public:
    explicit Composition(const Job& job) : job_(job), kernels_(job.stream) {}
    void poison() override { fill(result(), 0xff, result_bytes()); }
    void read(std::uint64_t entry, void* to) override {
        const std::uint64_t bytes = job_.workflow.entry_numbers() * job_.workflow.number_bytes();
        check(driver().download(to, job_.output + entry * bytes, bytes), "cuMemcpyDtoH");
    }
    std::string description() const override { return cufft().name() + ": " + steps(); }

protected:
    virtual std::string steps() const = 0;
    /// Where the results go.
    virtual Address result() const { return job_.output; }
    virtual std::uint64_t result_bytes() const { return job_.workflow.output_bytes(); }

    /// In order with what is enqueued.
    void fill(Address address, unsigned char byte, std::uint64_t bytes) const {
        check(driver().fill(address, byte, bytes, job_.stream), "cuMemsetD8Async");
    }
    static std::uint64_t blocks(std::uint64_t elements) {
        return (elements + Kernels::elements - 1) / Kernels::elements;
    }
    /// As cuFFT has no scale.
    static float over(std::uint64_t points) { return 1 / static_cast<float>(points); }

    Job job_;
    Kernels kernels_;
};

std::unique_ptr<Composition> compose_convolution(const Job& job);
std::unique_ptr<Composition> compose_operator(const Job& job);
std::unique_ptr<Composition> compose_frames(const Job& job);
std::unique_ptr<Composition> compose_layer(const Job& job);

}  // namespace seiche::rivals

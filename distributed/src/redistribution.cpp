#include "seiche/distributed/redistribution.hpp"

#include <utility>

#include "agreement.hpp"
#include "design.hpp"
#include "program.hpp"
#include "seiche/error.hpp"

namespace seiche::distributed {

struct Redistribution::Impl {
    std::shared_ptr<Communicator> communicator;
    Program program;
};

namespace {

std::string text_of(const Element& element, const std::vector<std::uint64_t>& lengths, std::uint64_t batch) {
    std::string text = std::string(element.is_complex ? "complex " : "real ") + to_string(element.precision) + " " +
                       to_string(element.storage) + " batch=" + std::to_string(batch);
    for (const std::uint64_t length : lengths) text += " " + std::to_string(length);
    return text;
}

std::vector<Box> regions_of(const std::vector<Box>& boxes) {
    std::vector<Box> regions;
    regions.reserve(boxes.size());
    for (const Box& box : boxes) regions.push_back({box.lower, box.upper});
    return regions;
}

}  // namespace

Redistribution::Redistribution(const Device& device, const Element& element, const std::vector<std::uint64_t>& lengths,
                               const std::vector<Box>& from, const std::vector<Box>& to,
                               std::shared_ptr<Communicator> communicator, std::uint64_t batch) {
    if (!device) throw InvalidProblem("device: expected one that was opened, got none");
    if (!communicator) throw InvalidProblem("communicator: expected one, got none");
    agree(*communicator, {{"array", text_of(element, lengths, batch)}, {"from", digest(from)}, {"to", digest(to)}});
    auto impl = std::make_shared<Impl>();
    Problem problem;
    problem.precision = element.precision;
    problem.storage = element.storage;
    Shape shape;
    Design steps;
    Arrays arrays;
    together(*communicator, [&] {
        check_counts(from, *communicator, "from");
        check_counts(to, *communicator, "to");
        check_boxes(lengths, from, "from");
        check_boxes(lengths, to, "to");
        shape.lengths = lengths;
        shape.batch = batch;
        shape.real_bytes = stored_bytes(element.precision, element.storage);
        const bool is_real = !element.is_complex;
        const std::vector<Box> before = regions_of(from), after = regions_of(to);
        steps = {{{{}, is_real, is_real, before, before}, {{}, is_real, is_real, after, after}}};
        arrays.rank = static_cast<std::size_t>(communicator->rank());
        arrays.input = memory_of(from[arrays.rank], 0, batch);
        arrays.output = memory_of(to[arrays.rank], 0, batch);
    });
    DistributedOptions whole;
    whole.pieces = 1;
    arrays.ways = choose_ways(*communicator, device, shape, steps, whole);
    together(*communicator, [&] { impl->program = make_program(device, problem, shape, steps, arrays); });
    impl->communicator = std::move(communicator);
    impl_ = std::move(impl);
}

void Redistribution::execute(Queue& queue, const BufferView& input, const BufferView& output,
                             const BufferView& workspace) const {
    run(impl_->program, queue, *impl_->communicator, {{}, input, output, workspace});
}

std::uint64_t Redistribution::input_bytes() const { return impl_->program.input_bytes; }
std::uint64_t Redistribution::output_bytes() const { return impl_->program.output_bytes; }
std::uint64_t Redistribution::workspace_bytes() const { return impl_->program.workspace_bytes(); }
std::uint64_t Redistribution::bytes_sent() const { return impl_->program.bytes_sent; }

}  // namespace seiche::distributed

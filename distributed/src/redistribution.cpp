#include "seiche/distributed/redistribution.hpp"

#include <utility>

#include "agreement.hpp"
#include "seiche/error.hpp"
#include "sequence.hpp"

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

}  // namespace

Redistribution::Redistribution(const Device& device, const Element& element, const std::vector<std::uint64_t>& lengths,
                               const std::vector<Box>& from, const std::vector<Box>& to,
                               std::shared_ptr<Communicator> communicator, std::uint64_t batch) {
    if (!device) throw InvalidProblem("device: expected one that was opened, got none");
    if (!communicator) throw InvalidProblem("communicator: expected one, got none");
    agree(*communicator, {{"array", text_of(element, lengths, batch)}, {"from", digest(from)}, {"to", digest(to)}});
    auto impl = std::make_shared<Impl>();
    together(*communicator, [&] {
        check_counts(from, *communicator, "from");
        check_counts(to, *communicator, "to");
        check_boxes(lengths, from, "from");
        check_boxes(lengths, to, "to");
    });
    const auto rank = static_cast<std::size_t>(communicator->rank());
    impl->program = make_moving(
        *communicator, device,
        {element, lengths, batch, from, to, memory_of(from[rank], 0, batch), memory_of(to[rank], 0, batch)});
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

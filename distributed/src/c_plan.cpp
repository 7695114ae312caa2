// The C interface of plans and redistributions.
#include <optional>

#include "c_arguments.hpp"
#include "seiche/distributed/plan.hpp"
#include "seiche/distributed/redistribution.hpp"

struct seiche_distributed_plan {
    seiche::distributed::DistributedPlan value;
    std::string report;
};
struct seiche_redistribution {
    seiche::distributed::Redistribution value;
};

using namespace seiche::distributed;  // NOLINT(google-build-using-namespace)
using in_c::checked_enum;
using in_c::guard;
using in_c::require;
using seiche::c::view;

namespace {

DistributedOptions options_of(const seiche_distributed_options* given) {
    const auto read = in_c::struct_or<seiche_distributed_options>(given, SEICHE_DISTRIBUTED_OPTIONS_INIT, "options");
    DistributedOptions options;
    options.directions = checked_enum<seiche::Directions>(read.directions, SEICHE_ONLY_INVERSE, "options.directions");
    options.decomposition =
        checked_enum<Decomposition>(read.decomposition, SEICHE_DECOMPOSITION_FOUR_STEP, "options.decomposition");
    if (read.pieces != 0) options.pieces = read.pieces;
    if (read.fabric != nullptr) options.fabric = parse_fabric(read.fabric);
    return options;
}

/// A number that a plan or a redistribution says.
template <class Handle, class Question>
seiche_status ask(const Handle* handle, const char* name, uint64_t* bytes, const Question& question) {
    return guard([&] {
        require(handle, name);
        require(bytes, "bytes");
        *bytes = question(handle->value);
    });
}

}  // namespace

extern "C" {

void seiche_distributed_options_init(seiche_distributed_options* options, size_t struct_size) {
    in_c::start_struct<seiche_distributed_options>(options, struct_size, SEICHE_DISTRIBUTED_OPTIONS_INIT);
}

void seiche_distributed_report_init(seiche_distributed_report* report, size_t struct_size) {
    in_c::start_struct<seiche_distributed_report>(report, struct_size, SEICHE_DISTRIBUTED_REPORT_INIT);
}

void seiche_distributed_execution_init(seiche_distributed_execution* execution, size_t struct_size) {
    in_c::start_struct<seiche_distributed_execution>(execution, struct_size, SEICHE_DISTRIBUTED_EXECUTION_INIT);
}

seiche_status seiche_distributed_plan_create(const seiche_device* device, const seiche_problem* problem,
                                             const seiche_boxes* input, const seiche_boxes* output,
                                             const seiche_communicator* communicator,
                                             const seiche_distributed_options* options,
                                             seiche_distributed_plan** plan) {
    return guard([&] {
        in_c::start(plan, "plan");
        const Boxes boxes{in_c::boxes_of(input, "input"), in_c::boxes_of(output, "output")};
        auto made = std::make_unique<seiche_distributed_plan>();
        made->value = DistributedPlan(seiche::c::device(device), seiche::c::problem(problem), boxes,
                                      in_c::ranks_of(communicator, "communicator"), options_of(options));
        made->report = made->value.describe();
        *plan = made.release();
    });
}

void seiche_distributed_plan_release(seiche_distributed_plan* plan) { delete plan; }

seiche_status seiche_distributed_plan_input_bytes(const seiche_distributed_plan* plan, uint64_t* bytes) {
    return ask(plan, "plan", bytes, [](const DistributedPlan& made) { return made.input_bytes(); });
}

seiche_status seiche_distributed_plan_output_bytes(const seiche_distributed_plan* plan, uint64_t* bytes) {
    return ask(plan, "plan", bytes, [](const DistributedPlan& made) { return made.output_bytes(); });
}

seiche_status seiche_distributed_plan_workspace_bytes(const seiche_distributed_plan* plan, uint64_t* bytes) {
    return ask(plan, "plan", bytes, [](const DistributedPlan& made) { return made.workspace_bytes(); });
}

seiche_status seiche_distributed_plan_spectrum_index(const seiche_distributed_plan* plan, int axis, uint64_t position,
                                                     uint64_t* index) {
    return guard([&] {
        require(plan, "plan");
        require(index, "index");
        *index = plan->value.spectrum_index(axis, position);
    });
}

seiche_status seiche_distributed_plan_get_report(const seiche_distributed_plan* plan,
                                                 seiche_distributed_report* report) {
    return guard([&] {
        require(plan, "plan");
        seiche_distributed_report filled = SEICHE_DISTRIBUTED_REPORT_INIT;
        filled.bytes_sent = plan->value.bytes_sent();
        filled.bytes_copied = plan->value.bytes_copied();
        filled.copies = plan->value.copies();
        filled.exchanges = plan->value.exchanges();
        seiche::c::write_struct(report, &filled, sizeof filled, "report");
    });
}

const char* seiche_distributed_plan_report(const seiche_distributed_plan* plan) {
    return plan == nullptr ? "" : plan->report.c_str();
}

seiche_status seiche_distributed_execute(const seiche_distributed_plan* plan, seiche_queue* queue,
                                         const seiche_distributed_execution* execution) {
    return guard([&] {
        require(plan, "plan");
        seiche_distributed_execution read = SEICHE_DISTRIBUTED_EXECUTION_INIT;
        seiche::c::read_struct(execution, &read, sizeof read, "execution");
        DistributedExecution own;
        const int way = checked_enum<int>(read.direction, SEICHE_DIRECTION_OF_PLAN, "execution.direction");
        if (way != SEICHE_DIRECTION_OF_PLAN) own.direction = static_cast<seiche::Direction>(way);
        own.input = view(read.input, read.input_offset);
        own.output = view(read.output, read.output_offset);
        own.workspace = view(read.workspace, read.workspace_offset);
        plan->value.execute(seiche::c::queue(queue), own);
    });
}

seiche_status seiche_redistribution_create(const seiche_device* device, const seiche_element* element,
                                           size_t axis_count, const uint64_t* lengths, const seiche_boxes* from,
                                           const seiche_boxes* to, const seiche_communicator* communicator,
                                           uint64_t batch, seiche_redistribution** redistribution) {
    return guard([&] {
        in_c::start(redistribution, "redistribution");
        require(element, "element");
        Element own;
        own.precision = checked_enum<seiche::Precision>(element->precision, SEICHE_F16, "element.precision");
        own.storage = checked_enum<seiche::Storage>(element->storage, SEICHE_STORAGE_F64, "element.storage");
        own.is_complex = element->is_complex != 0;
        auto made = std::make_unique<seiche_redistribution>();
        made->value = Redistribution(seiche::c::device(device), own, in_c::lengths_of(axis_count, lengths),
                                     in_c::boxes_of(from, "from"), in_c::boxes_of(to, "to"),
                                     in_c::ranks_of(communicator, "communicator"), batch);
        *redistribution = made.release();
    });
}

void seiche_redistribution_release(seiche_redistribution* redistribution) { delete redistribution; }

seiche_status seiche_redistribution_input_bytes(const seiche_redistribution* redistribution, uint64_t* bytes) {
    return ask(redistribution, "redistribution", bytes, [](const Redistribution& made) { return made.input_bytes(); });
}

seiche_status seiche_redistribution_output_bytes(const seiche_redistribution* redistribution, uint64_t* bytes) {
    return ask(redistribution, "redistribution", bytes, [](const Redistribution& made) { return made.output_bytes(); });
}

seiche_status seiche_redistribution_workspace_bytes(const seiche_redistribution* redistribution, uint64_t* bytes) {
    return ask(redistribution, "redistribution", bytes,
               [](const Redistribution& made) { return made.workspace_bytes(); });
}

seiche_status seiche_redistribution_bytes_sent(const seiche_redistribution* redistribution, uint64_t* bytes) {
    return ask(redistribution, "redistribution", bytes, [](const Redistribution& made) { return made.bytes_sent(); });
}

seiche_status seiche_redistribution_execute(const seiche_redistribution* redistribution, seiche_queue* queue,
                                            seiche_buffer_part input, seiche_buffer_part output,
                                            seiche_buffer_part workspace) {
    return guard([&] {
        require(redistribution, "redistribution");
        redistribution->value.execute(seiche::c::queue(queue), view(input.buffer, input.offset),
                                      view(output.buffer, output.offset), view(workspace.buffer, workspace.offset));
    });
}

}  // extern "C"

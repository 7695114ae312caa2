#include "processes.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <utility>

#include "entry.hpp"
#include "loaded_mpi.hpp"
#include "peer_memory.hpp"
#include "seiche/distributed/ipc.hpp"
#include "seiche/distributed/nccl.hpp"
#include "seiche/distributed/plan.hpp"
#include "seiche/distributed/redistribution.hpp"
#include "slabs.hpp"

namespace seiche::compat {

namespace {

using distributed::Box;
using distributed::Communicator;

/// The two sides of a forward transform.
enum Side : int { before = 0, behind = 1 };
Side other(Side side) { return side == before ? behind : before; }

/// A distribution says the real array first, whichever way the transform goes. Slabs are as large for both.
bool is_real_on(Kind kind, Side side, bool is_given) { return kind != Kind::c2c && is_given && side == before; }

class Processes final : public SeveralCards {
public:
    Processes(ProcessSettings settings, const PlanRequest& request, std::optional<double> scale, bool allocates,
              void* stream);
    ~Processes() override;

    std::vector<std::uint64_t> work_bytes() const override { return {work_bytes_}; }
    void set_work_areas(void* const* areas) override;
    std::vector<Allocation> allocate() const override;
    const std::vector<int>& cards() const override { return card_; }
    void expect_format(int format) const override { side_of(format); }
    void upload(const LibXtDescriptor& to, const void* from) override;
    void download(void* to, const LibXtDescriptor& from) override;
    void copy(const LibXtDescriptor& to, const LibXtDescriptor& from) override;
    void execute(LibXtDescriptor& array, int direction) override;
    void execute(void* input, void* output, int direction) override;
    void set_stream(void* stream) override;

private:
    bool is_given() const { return settings_.distribution.has_value(); }
    Side side_of(int format) const;
    int format_of(Side side) const;
    /// All processes' boxes of a side, of real elements or complex ones.
    std::vector<Box> boxes(Side side, bool is_real) const;
    /// Of this process's array in a format.
    std::uint64_t bytes_on(Side side) const;
    Direction direction_of(int direction) const;
    const distributed::DistributedPlan& plan(Direction direction, Side from);
    const distributed::Redistribution& move(Side from);
    void* memory_of(const LibXtDescriptor& array) const;
    void transform(void* array, Direction direction, Side from);
    void set_work_area(void* area);
    /// The program's array, or where others could not open that, one with its contents.
    Buffer array_at(void* pointer, bool& is_copy);

    ProcessSettings settings_;
    PlanRequest request_;
    std::optional<double> scale_;
    Shape shape_;
    std::shared_ptr<const Site> site_;
    std::vector<int> card_;
    PeerMemoryUser memory_user_;
    std::array<std::vector<Box>, 2> boxes_;  // complex slabs, or what the distribution says
    Allocation own_area_, own_array_;
    BufferView workspace_;
    Queue queue_;
    Exchanges exchanges_;
    std::map<std::pair<Direction, Side>, distributed::DistributedPlan> plans_;
    std::map<Side, distributed::Redistribution> moves_;
    std::uint64_t bytes_ = 0, work_bytes_ = 0;
    bool allocates_ = true, is_made_ = false;
};

Processes::Processes(ProcessSettings settings, const PlanRequest& request, std::optional<double> scale, bool allocates,
                     void* stream)
    : settings_(std::move(settings)),
      request_(request),
      scale_(scale),
      shape_(request),
      site_(current_site()),
      card_{site_->ordinal()},
      queue_(site_->queue(stream)),
      exchanges_(exchanges_between(settings_.ranks, site_->device())),
      allocates_(allocates) {
    const int count = settings_.ranks->size();
    if (is_given()) {
        boxes_[before] = gathered(*settings_.ranks, settings_.distribution->input);
        boxes_[behind] = gathered(*settings_.ranks, settings_.distribution->output);
    } else {
        boxes_[before] = distributed::slab(shape_.complex, 0, count);
        boxes_[behind] = distributed::slab(shape_.complex, 1, count);
    }
    bytes_ = std::max(bytes_on(before), bytes_on(behind));
    if (request.elements.kind != Kind::c2r) plan(Direction::forward, before);
    if (request.elements.kind != Kind::r2c) plan(Direction::inverse, behind);
    is_made_ = true;
}

/// Others may have memory of this process open until all have let go of theirs.
Processes::~Processes() {
    try {
        if (loaded_mpi_is_running()) {
            queue_.wait();
            plans_.clear();
            moves_.clear();
            exchanges_ = {};
            settings_.ranks->barrier();
        }
    } catch (const std::exception& error) {
        log_refused("Destroy", internal_error, error.what());
    }
}

// ---- The array

Side Processes::side_of(int format) const {
    if (format == format_of(before)) return before;
    if (format == format_of(behind)) return behind;
    throw Refused{invalid_value,
                  "the format is " + std::to_string(format) + ", expected " + std::to_string(format_of(before)) +
                      " or " + std::to_string(format_of(behind)) +
                      (is_given() ? " of a plan with a distribution" : " of a plan without a distribution")};
}

int Processes::format_of(Side side) const {
    if (is_given()) return side == before ? format_distributed_input : format_distributed_output;
    return side == before ? format_inplace : format_inplace_shuffled;
}

std::vector<Box> Processes::boxes(Side side, bool is_real) const {
    std::vector<Box> made = boxes_[side];
    if (is_given() || !is_real) return made;
    if (side == behind && shape_.complex.size() == 2)
        throw Refused{not_implemented, "a real array of two axes is not cut along the second: expected the format 2"};
    for (Box& box : made) box = shape_.padded_real(std::move(box));
    return made;
}

std::uint64_t Processes::bytes_on(Side side) const {
    const Box& own = boxes_[side][static_cast<std::size_t>(settings_.ranks->rank())];
    const std::uint64_t element =
        is_real_on(request_.elements.kind, side, is_given()) ? shape_.element / 2 : shape_.element;
    return span_of(own) * element;
}

Direction Processes::direction_of(int direction) const {
    const Kind kind = request_.elements.kind;
    if (direction == direction_forward && kind != Kind::c2r) return Direction::forward;
    if (direction == direction_inverse && kind != Kind::r2c) return Direction::inverse;
    throw Refused{invalid_value, "the direction is " + std::to_string(direction) + ", which the plan has not"};
}

const distributed::DistributedPlan& Processes::plan(Direction direction, Side from) {
    const auto found = plans_.find({direction, from});
    if (found != plans_.end()) return found->second;
    Problem problem;
    problem.lengths = shape_.real;
    for (int axis = 0; axis < request_.rank; ++axis) problem.axes.push_back(axis);
    problem.kind = request_.elements.kind;
    problem.precision = request_.elements.precision;
    problem.storage = request_.elements.storage;
    problem.placement = Placement::in_place;
    if (scale_) problem.forward_scale = problem.inverse_scale = Scale::factor(*scale_);
    if (is_given() && problem.kind != Kind::c2c && from != (problem.kind == Kind::r2c ? before : behind))
        throw Refused{invalid_value, "real arrays are in the format 5, and their spectra in the format 6"};
    distributed::DistributedOptions options;
    options.directions = direction == Direction::forward ? Directions::forward : Directions::inverse;
    const distributed::Boxes way{boxes(from, problem.kind == Kind::r2c), boxes(other(from), problem.kind == Kind::c2r)};
    distributed::DistributedPlan made(site_->device(), problem, way, exchanges_.ranks, options);
    bytes_ = std::max({bytes_, made.input_bytes(), made.output_bytes()});
    if (made.workspace_bytes() > work_bytes_) {
        work_bytes_ = made.workspace_bytes();
        workspace_ = {};
        // The program knows the sizes of the plans that are made first.
        if (allocates_ || is_made_) {
            own_area_ = peer_memory(*site_, work_bytes_);
            set_work_area(own_area_.pointer);
        }
    }
    return plans_.emplace(std::pair{direction, from}, std::move(made)).first->second;
}

const distributed::Redistribution& Processes::move(Side from) {
    const auto found = moves_.find(from);
    if (found != moves_.end()) return found->second;
    if (is_given() && request_.elements.kind != Kind::c2c)
        throw Refused{not_implemented, "a real array and its spectrum are not copies of each other"};
    const distributed::Element element{request_.elements.precision, request_.elements.storage, true};
    return moves_
        .emplace(from, distributed::Redistribution(site_->device(), element, shape_.complex, boxes_[from],
                                                   boxes_[other(from)], exchanges_.ranks))
        .first->second;
}

// ---- Memory

void Processes::set_stream(void* stream) {
    queue_.wait();
    queue_ = site_->queue(stream);
}

void Processes::set_work_area(void* area) {
    workspace_ = {};
    if (area != nullptr && work_bytes_ != 0)
        workspace_ = site_->keeps_buffers() ? site_->buffer(area, work_bytes_) : site_->device().allocate(work_bytes_);
}

void Processes::set_work_areas(void* const* areas) {
    allocates_ = false;
    void* area = areas[0];
    if (area != nullptr && exchanges_.opens_memory && !is_peer_memory(area, work_bytes_)) {
        if (!own_area_.pointer && work_bytes_ != 0) own_area_ = peer_memory(*site_, work_bytes_);
        area = own_area_.pointer;
    } else {
        own_area_ = {};
    }
    set_work_area(area);
}

std::vector<Allocation> Processes::allocate() const {
    std::vector<Allocation> made{peer_memory(*site_, std::max(bytes_, shape_.element))};
    made.front().bytes = bytes_;
    return made;
}

void* Processes::memory_of(const LibXtDescriptor& array) const {
    const XtDescriptor& memory = *array.descriptor;
    side_of(array.sub_format);
    if (memory.card_count != 1)
        throw Refused{invalid_value, "the descriptor is of " + std::to_string(memory.card_count) +
                                         " cards, expected the one of this process"};
    if (memory.size[0] < bytes_ || (bytes_ != 0 && memory.data[0] == nullptr))
        throw Refused{invalid_value, "the descriptor's memory has " + std::to_string(memory.size[0]) +
                                         " bytes, expected " + std::to_string(bytes_)};
    return memory.data[0];
}

void Processes::upload(const LibXtDescriptor& to, const void* from) {
    void* const memory = memory_of(to);
    const std::uint64_t bytes = bytes_on(side_of(to.sub_format));
    if (bytes == 0) return;
    if (site_->keeps_buffers())
        queue_.upload(site_->buffer(memory, bytes), from, bytes);
    else
        std::memcpy(memory, from, bytes);
}

void Processes::download(void* to, const LibXtDescriptor& from) {
    void* const memory = memory_of(from);
    const std::uint64_t bytes = bytes_on(side_of(from.sub_format));
    if (bytes != 0) queue_.download(to, site_->buffer(memory, bytes), bytes);
}

void Processes::copy(const LibXtDescriptor& to, const LibXtDescriptor& from) {
    void *const into = memory_of(to), *const out_of = memory_of(from);
    const Side side = side_of(from.sub_format);
    const bool moves_it = side != side_of(to.sub_format);
    if (bytes_ != 0 && into == out_of) throw Refused{invalid_value, "the source and the target are the same memory"};
    const std::uint64_t bytes = moves_it ? bytes_ : bytes_on(side);
    Buffer target, source;
    if (bytes != 0) {
        target = site_->buffer(into, bytes);
        source = site_->buffer(out_of, bytes);
    }
    if (moves_it) {
        const distributed::Redistribution& way = move(side);
        BufferView workspace;
        Allocation memory;
        if (way.workspace_bytes() != 0) {
            memory = peer_memory(*site_, way.workspace_bytes());
            workspace = site_->keeps_buffers() ? site_->buffer(memory.pointer, memory.bytes)
                                               : site_->device().allocate(memory.bytes);
        }
        way.execute(queue_, source, target, workspace);
        queue_.wait();
        settings_.ranks->barrier();  // nobody reads the workspace any more
    } else if (bytes != 0) {
        queue_.copy(target, source, bytes);
        queue_.wait();
    }
    if (bytes != 0) site_->finish(queue_, into, target);
}

// ---- Executing

Buffer Processes::array_at(void* pointer, bool& is_copy) {
    is_copy = exchanges_.opens_memory && !is_peer_memory(pointer, bytes_);
    Buffer array = site_->buffer(pointer, bytes_);
    if (!is_copy) return array;
    if (!own_array_.pointer) own_array_ = peer_memory(*site_, bytes_);
    Buffer copy = site_->buffer(own_array_.pointer, bytes_);
    queue_.copy(copy, array, bytes_);
    return copy;
}

void Processes::transform(void* array, Direction direction, Side from) {
    const distributed::DistributedPlan& made = plan(direction, from);
    if (work_bytes_ != 0 && !workspace_.buffer)
        throw Refused{no_workspace, "the plan has no work area of " + std::to_string(work_bytes_) + " bytes"};
    if (!site_->is_current())
        throw Refused{invalid_device, "the plan was made for another device than the current one"};
    distributed::DistributedExecution execution;
    execution.direction = direction;
    execution.workspace = workspace_;
    bool is_copy = false;
    if (bytes_ != 0) execution.input = array_at(array, is_copy);
    made.execute(queue_, execution);
    if (bytes_ == 0) return;
    if (is_copy) queue_.copy(site_->buffer(array, bytes_), execution.input.buffer, bytes_);
    site_->finish(queue_, array, execution.input.buffer);
}

void Processes::execute(LibXtDescriptor& array, int direction) {
    void* const memory = memory_of(array);
    const Side from = side_of(array.sub_format);
    transform(memory, direction_of(direction), from);
    array.sub_format = format_of(other(from));
}

void Processes::execute(void* input, void* output, int direction) {
    if (!settings_.formats)
        throw Refused{invalid_value,
                      "the formats are not known: expected XtSetSubformatDefault before the plan is made"};
    if (input != output) throw Refused{not_implemented, "plans of several processes are executed in place"};
    if (bytes_ != 0 && input == nullptr) throw Refused{invalid_value, "the array is a null pointer"};
    const Direction way = direction_of(direction);
    transform(input, way, side_of(way == Direction::forward ? settings_.formats->first : settings_.formats->second));
}

}  // namespace

Exchanges exchanges_between(const std::shared_ptr<Communicator>& ranks, const Device& device) {
    const std::string wish = setting("EXCHANGE");
    if (!wish.empty() && wish != "ipc" && wish != "nccl" && wish != "mpi")
        throw Refused{setup_failed, "the exchange asked for is '" + wish + "', expected ipc, nccl or mpi"};
    if (wish == "mpi" || (wish.empty() && (ranks->size() == 1 || device.info().backend != Backend::cuda)))
        return {ranks, false};
    // These fail on all processes or on none.
    const auto tried = [&](const char* name, const auto& make) -> std::shared_ptr<Communicator> {
        if (!wish.empty() && wish != name) return nullptr;
        try {
            return make();
        } catch (const distributed::AbsentRank&) {
            throw;
        } catch (const Error&) {
            if (wish == name) throw;
            return nullptr;
        }
    };
    if (auto made = tried("ipc", [&] { return distributed::ipc_ranks(ranks, device); })) return {made, true};
    if (auto made = tried("nccl", [&] { return distributed::nccl_ranks(ranks, device); })) return {made, false};
    return {ranks, false};
}

std::unique_ptr<SeveralCards> plan_of_processes(const ProcessSettings& settings, const PlanRequest& request,
                                                std::optional<double> scale, bool allocates, void* stream) {
    problems_of(request, scale);  // refuses sizes that make no sense
    if (!request.is_basic) throw Refused{not_implemented, "plans of several processes have the basic layout"};
    if (request.rank == 1 || request.batch != 1)
        throw Refused{not_implemented, "a plan of several processes is of one array of two or three axes"};
    if (settings.distribution && settings.distribution->input.lower.size() != static_cast<std::size_t>(request.rank))
        throw Refused{invalid_value, "the distribution has " +
                                         std::to_string(settings.distribution->input.lower.size()) +
                                         " axes, and the plan " + std::to_string(request.rank)};
    return std::make_unique<Processes>(settings, request, scale, allocates, stream);
}

}  // namespace seiche::compat

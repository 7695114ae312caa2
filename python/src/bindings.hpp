// What the files of the native module share: the parts of the module, and the library's words as Python's strings.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <seiche/seiche.hpp>
#include <string>

#include "lock.hpp"

namespace seichefft {

namespace nb = nanobind;

/// Each adds one part to the module.
void bind_errors(nb::module_& module);
void bind_devices(nb::module_& module);
void bind_problems(nb::module_& module);
void bind_reports(nb::module_& module);
void bind_plans(nb::module_& module);
void bind_calls(nb::module_& module);
void bind_dense_calls(nb::module_& module);
void bind_convolutions(nb::module_& module);
void bind_spectral(nb::module_& module);
void bind_short_time(nb::module_& module);

/// The enumerator whose word this is; throws InvalidProblem, naming `what`, for a word that is none of them.
seiche::Kind kind_of(const std::string& word);
seiche::Precision precision_of(const std::string& word);
seiche::Storage storage_of(const std::string& word);
/// "forward" or "inverse"; none is none.
std::optional<seiche::Direction> direction_of(const std::optional<std::string>& word);
seiche::Directions directions_of(const std::string& word);

/// Memory of an execution: a Buffer or a View of the module, or an address of `bytes` bytes that the device reaches.
/// None is an empty view.
seiche::BufferView view_of(const seiche::Device& device, nb::handle memory, std::uint64_t bytes);

/// What stages name in an execution: buffers are {name: (memory, bytes)}, scalars {name: number}.
void add_stage_arguments(const seiche::Device& device, const nb::dict& buffers, const nb::dict& scalars,
                         std::vector<seiche::StageBufferArgument>& stage_buffers,
                         std::vector<seiche::StageScalarArgument>& stage_scalars);

/// `bytes` bytes from an address on, as a buffer of the device's backend: a pointer, and of OpenCL what `kind` says
/// ("memory" for a cl_mem, "svm", "usm"). Throws Unsupported for a backend that takes no pointers.
seiche::Buffer wrap(const seiche::Device& device, std::uintptr_t address, std::uint64_t bytes, const std::string& kind);

/// A queue of the device on the native stream or command queue `handle`; none: a queue of its own.
seiche::Queue queue_of(const seiche::Device& device, const std::optional<std::uintptr_t>& handle);

/// OpenCL alone: what is enqueued on the queue from now on begins after these events; an event of all before, which the
/// caller releases.
void wait_for_events(seiche::Queue& queue, const std::vector<std::uintptr_t>& events);
std::uintptr_t record_event(seiche::Queue& queue);

inline nb::bytes bytes_of(const std::vector<std::byte>& data) { return nb::bytes(data.data(), data.size()); }

}  // namespace seichefft

// A plan over several cards of one process (XtSetGPUs), or of several processes (MpAttachComm): arrays lie in a
// descriptor, a slab on each card.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "abi.hpp"
#include "layout.hpp"
#include "site.hpp"

namespace seiche::compat {

/// Used by one thread at a time. Functions throw Refused, or Error from the library.
///
/// One array of two or three axes is cut along the first axis (format_inplace) or the second (format_inplace_shuffled):
/// a transform in place leads from the one to the other. Of several arrays each card has whole ones. One array of one
/// axis is cut along it, in natural order whatever its format is called.
class SeveralCards {
public:
    SeveralCards() = default;
    virtual ~SeveralCards() = default;
    SeveralCards(const SeveralCards&) = delete;
    SeveralCards& operator=(const SeveralCards&) = delete;

    /// By card, in the order that they were given in.
    virtual std::vector<std::uint64_t> work_bytes() const = 0;
    virtual void set_work_areas(void* const* areas) = 0;
    /// Memory of each card for an array in either format.
    virtual std::vector<Allocation> allocate() const = 0;
    virtual const std::vector<int>& cards() const = 0;
    /// Throws Refused where it is no format of arrays here.
    virtual void expect_format(int format) const = 0;
    virtual void upload(const LibXtDescriptor& to, const void* from) = 0;
    virtual void download(void* to, const LibXtDescriptor& from) = 0;
    /// Where the formats differ, the array is redistributed.
    virtual void copy(const LibXtDescriptor& to, const LibXtDescriptor& from) = 0;
    /// In place; enqueued on each card's default stream, or on the plan's. The format becomes that of the result.
    virtual void execute(LibXtDescriptor& array, int direction) = 0;
    /// Of this process's part of the array, where it is one of several.
    virtual void execute(void* input, void* output, int direction) = 0;
    virtual void set_stream(void* stream) = 0;
};

/// Makes the plans. `allocates`: and the work areas.
std::unique_ptr<SeveralCards> several_cards(const std::vector<int>& cards, const PlanRequest& request,
                                            std::optional<double> scale, bool allocates);

}  // namespace seiche::compat

// Work areas: how large one is or would be, and which one serves.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "entry.hpp"
#include "handles.hpp"
#include "requests.hpp"

using namespace seiche::compat;

namespace {

void expect_room(const std::size_t* work_size) {
    if (work_size == nullptr) throw Refused{invalid_value, "the work size is a null pointer"};
}

template <class Request>
int estimate(const char* name, std::size_t* work_size, const Request& request) {
    return guarded(name, [&] {
        expect_room(work_size);
        *work_size = estimate_work_bytes(request());
    });
}

/// With the settings of a plan.
template <class Request>
int size_for(const char* name, Handle handle, std::size_t* work_size, const Request& request) {
    return guarded(name, [&] {
        const LockedPlan plan = plan_of(handle);
        expect_room(work_size);
        const std::vector<std::uint64_t> bytes = plan->estimates(request());
        std::copy(bytes.begin(), bytes.end(), work_size);
    });
}

}  // namespace

SEICHE_FFT(Estimate1d)(int nx, int type, int batch, std::size_t* work_size) {
    return estimate("Estimate1d", work_size, [&] { return dense_request({nx}, type, batch); });
}

SEICHE_FFT(Estimate2d)(int nx, int ny, int type, std::size_t* work_size) {
    return estimate("Estimate2d", work_size, [&] { return dense_request({nx, ny}, type, 1); });
}

SEICHE_FFT(Estimate3d)(int nx, int ny, int nz, int type, std::size_t* work_size) {
    return estimate("Estimate3d", work_size, [&] { return dense_request({nx, ny, nz}, type, 1); });
}

SEICHE_FFT(EstimateMany)
(int rank, int* n, int* inembed, int istride, int idist, int* onembed, int ostride, int odist, int type, int batch,
 std::size_t* work_size) {
    return estimate("EstimateMany", work_size, [&] {
        return request_of(rank, n, inembed, istride, idist, onembed, ostride, odist, elements_of_type(type), batch);
    });
}

SEICHE_FFT(GetSize1d)(Handle handle, int nx, int type, int batch, std::size_t* work_size) {
    return size_for("GetSize1d", handle, work_size, [&] { return dense_request({nx}, type, batch); });
}

SEICHE_FFT(GetSize2d)(Handle handle, int nx, int ny, int type, std::size_t* work_size) {
    return size_for("GetSize2d", handle, work_size, [&] { return dense_request({nx, ny}, type, 1); });
}

SEICHE_FFT(GetSize3d)(Handle handle, int nx, int ny, int nz, int type, std::size_t* work_size) {
    return size_for("GetSize3d", handle, work_size, [&] { return dense_request({nx, ny, nz}, type, 1); });
}

SEICHE_FFT(GetSizeMany)
(Handle handle, int rank, int* n, int* inembed, int istride, int idist, int* onembed, int ostride, int odist, int type,
 int batch, std::size_t* work_size) {
    return size_for("GetSizeMany", handle, work_size, [&] {
        return request_of(rank, n, inembed, istride, idist, onembed, ostride, odist, elements_of_type(type), batch);
    });
}

SEICHE_FFT(GetSizeMany64)
(Handle handle, int rank, long long* n, long long* inembed, long long istride, long long idist, long long* onembed,
 long long ostride, long long odist, int type, long long batch, std::size_t* work_size) {
    return size_for("GetSizeMany64", handle, work_size, [&] {
        return request_of(rank, n, inembed, istride, idist, onembed, ostride, odist, elements_of_type(type), batch);
    });
}

SEICHE_FFT(XtGetSizeMany)
(Handle handle, int rank, long long* n, long long* inembed, long long istride, long long idist, int input_type,
 long long* onembed, long long ostride, long long odist, int output_type, long long batch, std::size_t* work_size,
 int execution_type) {
    return size_for("XtGetSizeMany", handle, work_size, [&] {
        return request_of(rank, n, inembed, istride, idist, onembed, ostride, odist,
                          elements_of_data(input_type, output_type, execution_type), batch);
    });
}

SEICHE_FFT(GetSize)(Handle handle, std::size_t* work_size) {
    return guarded("GetSize", [&] {
        const LockedPlan plan = plan_of(handle);
        expect_room(work_size);
        const std::vector<std::uint64_t> bytes = plan->all_work_bytes();
        std::copy(bytes.begin(), bytes.end(), work_size);
    });
}

SEICHE_FFT(SetAutoAllocation)(Handle handle, int allocates) {
    return guarded("SetAutoAllocation", [&] { plan_of(handle)->set_auto_allocation(allocates != 0); });
}

SEICHE_FFT(SetWorkArea)(Handle handle, void* area) {
    return guarded("SetWorkArea", [&] { plan_of(handle)->set_work_area(area); });
}

#ifndef SEICHE_COMPAT_HIPFFT
SEICHE_FFT(XtSetWorkArea)(Handle handle, void** areas) {
    return guarded("XtSetWorkArea", [&] {
        const LockedPlan plan = plan_of(handle);
        if (areas == nullptr) throw Refused{invalid_value, "the list of work areas is a null pointer"};
        plan->set_work_areas(areas);
    });
}

SEICHE_FFT(XtSetWorkAreaPolicy)(Handle handle, int policy, std::size_t* work_size) {
    return guarded("XtSetWorkAreaPolicy", [&] {
        const LockedPlan plan = plan_of(handle);
        const std::uint64_t bytes = plan->work_bytes();  // refuses a plan that is not made, as cuFFT does
        // A plan's work area is never more than its passes need.
        if (policy == work_area_performance || policy == work_area_minimal) return;
        if (policy != work_area_user) throw Refused{invalid_value, "there is no policy " + std::to_string(policy)};
        expect_room(work_size);
        if (bytes > *work_size)
            throw Refused{invalid_size, "the work area needs " + std::to_string(bytes) + " bytes, more than the " +
                                            std::to_string(*work_size) + " allowed"};
    });
}
#endif

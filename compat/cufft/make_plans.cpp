// Plans are created, made and destroyed.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "entry.hpp"
#include "handles.hpp"
#include "requests.hpp"

using namespace seiche::compat;

namespace {

void expect_room(const void* pointer, const char* what) {
    if (pointer == nullptr) throw Refused{invalid_value, std::string(what) + " is a null pointer"};
}

/// Create and make in one; the handle is of nothing where that fails.
template <class Request>
void make_new(Handle* handle, const Request& request) {
    expect_room(handle, "the handle");
    const PlanRequest wanted = request();
    const Handle made = create_handle();
    try {
        plan_of(made)->make(wanted);
    } catch (...) {
        destroy_handle(made);
        throw;
    }
    *handle = made;
}

template <class Request>
void make(Handle handle, std::size_t* work_size, const Request& request) {
    const LockedPlan plan = plan_of(handle);
    expect_room(work_size, "the work size");
    plan->make(request());
    const std::vector<std::uint64_t> bytes = plan->all_work_bytes();
    std::copy(bytes.begin(), bytes.end(), work_size);
}

}  // namespace

SEICHE_FFT(Create)(Handle* handle) {
    return guarded("Create", [&] {
        expect_room(handle, "the handle");
        *handle = create_handle();
    });
}

SEICHE_FFT(Destroy)(Handle handle) {
#ifndef SEICHE_COMPAT_HIPFFT
    if (handle == plan_null) return success;  // that of no plan, as a handle is before there is one
#endif
    return guarded("Destroy", [&] { destroy_handle(handle); });
}

SEICHE_FFT(Plan1d)(Handle* handle, int nx, int type, int batch) {
    return guarded("Plan1d", [&] { make_new(handle, [&] { return dense_request({nx}, type, batch); }); });
}

SEICHE_FFT(Plan2d)(Handle* handle, int nx, int ny, int type) {
    return guarded("Plan2d", [&] { make_new(handle, [&] { return dense_request({nx, ny}, type, 1); }); });
}

SEICHE_FFT(Plan3d)(Handle* handle, int nx, int ny, int nz, int type) {
    return guarded("Plan3d", [&] { make_new(handle, [&] { return dense_request({nx, ny, nz}, type, 1); }); });
}

SEICHE_FFT(PlanMany)
(Handle* handle, int rank, int* n, int* inembed, int istride, int idist, int* onembed, int ostride, int odist, int type,
 int batch) {
    return guarded("PlanMany", [&] {
        make_new(handle, [&] {
            return request_of(rank, n, inembed, istride, idist, onembed, ostride, odist, elements_of_type(type), batch);
        });
    });
}

SEICHE_FFT(MakePlan1d)(Handle handle, int nx, int type, int batch, std::size_t* work_size) {
    return guarded("MakePlan1d", [&] { make(handle, work_size, [&] { return dense_request({nx}, type, batch); }); });
}

SEICHE_FFT(MakePlan2d)(Handle handle, int nx, int ny, int type, std::size_t* work_size) {
    return guarded("MakePlan2d", [&] { make(handle, work_size, [&] { return dense_request({nx, ny}, type, 1); }); });
}

SEICHE_FFT(MakePlan3d)(Handle handle, int nx, int ny, int nz, int type, std::size_t* work_size) {
    return guarded("MakePlan3d", [&] {
        make(handle, work_size, [&] { return dense_request({nx, ny, nz}, type, 1); });
    });
}

SEICHE_FFT(MakePlanMany)
(Handle handle, int rank, int* n, int* inembed, int istride, int idist, int* onembed, int ostride, int odist, int type,
 int batch, std::size_t* work_size) {
    return guarded("MakePlanMany", [&] {
        make(handle, work_size, [&] {
            return request_of(rank, n, inembed, istride, idist, onembed, ostride, odist, elements_of_type(type), batch);
        });
    });
}

SEICHE_FFT(MakePlanMany64)
(Handle handle, int rank, long long* n, long long* inembed, long long istride, long long idist, long long* onembed,
 long long ostride, long long odist, int type, long long batch, std::size_t* work_size) {
    return guarded("MakePlanMany64", [&] {
        make(handle, work_size, [&] {
            return request_of(rank, n, inembed, istride, idist, onembed, ostride, odist, elements_of_type(type), batch);
        });
    });
}

SEICHE_FFT(XtMakePlanMany)
(Handle handle, int rank, long long* n, long long* inembed, long long istride, long long idist, int input_type,
 long long* onembed, long long ostride, long long odist, int output_type, long long batch, std::size_t* work_size,
 int execution_type) {
    return guarded("XtMakePlanMany", [&] {
        make(handle, work_size, [&] {
            return request_of(rank, n, inembed, istride, idist, onembed, ostride, odist,
                              elements_of_data(input_type, output_type, execution_type), batch);
        });
    });
}

#ifndef SEICHE_COMPAT_HIPFFT
SEICHE_FFT(XtMakePlanGuru64)() {
    return guarded("XtMakePlanGuru64", [] {
        throw Refused{not_implemented, "the arguments of this function are not documented"};
    });
}
#endif

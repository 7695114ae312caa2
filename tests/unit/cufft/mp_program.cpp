// One process of several under mpiexec, which uses cuFFTMp's functions as a program does that was written for them.
// What it does is its first argument:
//
//   cases     transforms of slabs and of distributions, and reshapes, equal to plain sums
//   refusals  calls that are refused, with their codes
//
// Each rank writes a line to the file R in the folder SEICHE_TEST_FOLDER: "right", or what is wrong. The library finds
// this program's MPI by itself. With SEICHE_CUFFT_DEVICE device memory is the host's; without it each rank takes a CUDA
// card, rank r the card r mod cards, and the arrays that the library does not allocate are cuMemAlloc's.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "fft_library.hpp"

using namespace fft_test;

namespace {

using Value = std::complex<double>;
using Lengths = std::vector<long long>;

constexpr int natural = 2, shuffled = 3, given_input = 5, given_output = 6;
constexpr int host_to_device = 0, device_to_host = 1, device_to_device = 2;
constexpr double pi = 3.14159265358979323846;

struct Wrong {
    std::string what;
};
void expect(bool is_right, const std::string& what) {
    if (!is_right) throw Wrong{what};
}
void expect_code(int got, int wanted, const std::string& call) {
    expect(got == wanted, call + ": " + std::to_string(got) + ", expected " + std::to_string(wanted));
}

/// CUDA's driver, where the ranks work on cards.
struct Driver {
    void* library = nullptr;
    explicit Driver(int rank) {
        if (std::getenv("SEICHE_CUFFT_DEVICE") != nullptr) return;
        library = dlopen("libcuda.so.1", RTLD_NOW);
        expect(library != nullptr, "there is no libcuda.so.1: expected one, or SEICHE_CUFFT_DEVICE");
        int cards = 0, card = 0;
        void* context = nullptr;
        expect_code(call<int(unsigned)>("cuInit")(0), 0, "cuInit");
        expect_code(call<int(int*)>("cuDeviceGetCount")(&cards), 0, "cuDeviceGetCount");
        expect(cards > 0, "there is no card");
        expect_code(call<int(int*, int)>("cuDeviceGet")(&card, rank % cards), 0, "cuDeviceGet");
        expect_code(call<int(void**, int)>("cuDevicePrimaryCtxRetain")(&context, card), 0, "cuDevicePrimaryCtxRetain");
        expect_code(call<int(void*)>("cuCtxSetCurrent")(context), 0, "cuCtxSetCurrent");
    }
    template <class Function>
    Function* call(const char* name) const {
        void* const found = dlsym(library, name);
        expect(found != nullptr, std::string("the driver has no ") + name);
        return reinterpret_cast<Function*>(found);
    }
};
const Driver* driver = nullptr;

/// Device memory of the program's own.
class Memory {
public:
    explicit Memory(std::size_t bytes) : host_(driver->library == nullptr ? bytes + 16 : 0) {
        if (host_.empty())
            expect_code(driver->call<int(unsigned long long*, Size)>("cuMemAlloc_v2")(&card_, bytes + 16), 0,
                        "cuMemAlloc");
    }
    ~Memory() {
        if (host_.empty()) driver->call<int(unsigned long long)>("cuMemFree_v2")(card_);
    }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    void* data() { return host_.empty() ? reinterpret_cast<void*>(card_) : host_.data(); }
    void upload(const void* from, std::size_t bytes) {
        if (!host_.empty()) return static_cast<void>(std::memcpy(host_.data(), from, bytes));
        expect_code(driver->call<int(unsigned long long, const void*, Size)>("cuMemcpyHtoD_v2")(card_, from, bytes), 0,
                    "cuMemcpyHtoD");
    }
    void download(void* to, std::size_t bytes) {
        if (!host_.empty()) return static_cast<void>(std::memcpy(to, host_.data(), bytes));
        expect_code(driver->call<int()>("cuCtxSynchronize")(), 0, "cuCtxSynchronize");
        expect_code(driver->call<int(void*, unsigned long long, Size)>("cuMemcpyDtoH_v2")(to, card_, bytes), 0,
                    "cuMemcpyDtoH");
    }

private:
    std::vector<char> host_;
    unsigned long long card_ = 0;
};

struct Box {
    Lengths lower, upper, strides;
    long long extent(std::size_t axis) const { return upper[axis] - lower[axis]; }
};

/// Calls work(place in the whole array, place in the box's memory).
template <class Work>
void for_elements(const Lengths& n, const Box& box, const Work& work) {
    Lengths at = box.lower;
    for (std::size_t axis = 0; axis < n.size(); ++axis)
        if (box.extent(axis) == 0) return;
    for (;;) {
        long long whole = 0, own = 0;
        for (std::size_t axis = 0; axis < n.size(); ++axis) {
            whole = whole * n[axis] + at[axis];
            own += (at[axis] - box.lower[axis]) * box.strides[axis];
        }
        work(static_cast<std::size_t>(whole), static_cast<std::size_t>(own));
        std::size_t axis = n.size();
        while (axis > 0 && ++at[axis - 1] == box.upper[axis - 1]) {
            at[axis - 1] = box.lower[axis - 1];
            --axis;
        }
        if (axis == 0) return;
    }
}

std::size_t count(const Lengths& n) {
    std::size_t all = 1;
    for (const long long length : n) all *= static_cast<std::size_t>(length);
    return all;
}

std::vector<Value> transformed(std::vector<Value> values, const Lengths& n, int sign) {
    std::size_t inner = values.size();
    for (const long long length : n) {
        const auto points = static_cast<std::size_t>(length);
        inner /= points;
        std::vector<Value> row(points);
        for (std::size_t start = 0; start < values.size(); ++start) {
            if (start / inner % points != 0) continue;
            for (std::size_t k = 0; k < points; ++k) {
                row[k] = 0;
                for (std::size_t j = 0; j < points; ++j)
                    row[k] += values[start + j * inner] *
                              std::polar(1.0, sign * 2 * pi * static_cast<double>(j * k % points) /
                                                  static_cast<double>(length));
            }
            for (std::size_t k = 0; k < points; ++k) values[start + k * inner] = row[k];
        }
    }
    return values;
}

/// The first n/2 + 1 along the last axis.
std::vector<Value> halved(const std::vector<Value>& whole, const Lengths& n) {
    const auto last = static_cast<std::size_t>(n.back()), kept = last / 2 + 1;
    std::vector<Value> half;
    for (std::size_t i = 0; i < whole.size(); ++i)
        if (i % last < kept) half.push_back(whole[i]);
    return half;
}

/// n cut into parts, the first of which have one more.
std::pair<long long, long long> part(long long n, int parts, int index) {
    const long long each = n / parts, more = n % parts;
    const long long from = index * each + std::min<long long>(index, more);
    return {from, from + each + (index < more ? 1 : 0)};
}

/// A box that is cut into so many parts along one axis, with rows of `pad` elements more than they need.
Box slab(const Lengths& n, std::size_t axis, int ranks, int rank, long long pad = 0) {
    Box box{Lengths(n.size(), 0), n, Lengths(n.size(), 1)};
    std::tie(box.lower[axis], box.upper[axis]) = part(n[axis], ranks, rank);
    for (std::size_t i = n.size() - 1; i-- > 0;)
        box.strides[i] = box.strides[i + 1] * std::max<long long>(box.extent(i + 1) + (i + 2 == n.size() ? pad : 0), 1);
    return box;
}

struct Transform {
    Lengths n;
    int type = c2c;
    bool is_double = false;
    int direction = forward;
    bool is_given = false;   // with a distribution
    bool is_behind = false;  // starts from the second format
    bool is_raw = false;     // without descriptors
    bool owns_area = false;  // the work area is the program's
};

std::string text_of(const Transform& t) {
    std::string text = "type " + std::to_string(t.type) + (t.is_double ? " f64" : " f32") + ", direction " +
                       std::to_string(t.direction);
    for (const long long length : t.n) text += " " + std::to_string(length);
    return text + (t.is_given ? ", given" : "") + (t.is_behind ? ", behind" : "") + (t.is_raw ? ", raw" : "") +
           (t.owns_area ? ", own area" : "");
}

/// This process's part of an array, as the program's memory has it.
template <class Real>
struct Part {
    Lengths n;
    Box box;
    bool is_real = false;

    void put(std::vector<Real>& memory, const std::vector<Value>& values) const {
        for_elements(n, box, [&](std::size_t whole, std::size_t own) {
            if (is_real) {
                memory[own] = static_cast<Real>(values[whole].real());
            } else {
                memory[2 * own] = static_cast<Real>(values[whole].real());
                memory[2 * own + 1] = static_cast<Real>(values[whole].imag());
            }
        });
    }
    double worst(const std::vector<Real>& memory, const std::vector<Value>& values) const {
        double difference = 0;
        for_elements(n, box, [&](std::size_t whole, std::size_t own) {
            const Value got = is_real ? Value(memory[own]) : Value(memory[2 * own], memory[2 * own + 1]);
            difference = std::max(difference, std::abs(got - values[whole]));
        });
        return difference;
    }
};

int make_plan(const Transform& t, Handle plan, Size* work) {
    const int type = t.type + (t.is_double ? 0x40 : 0);
    std::vector<int> n(t.n.begin(), t.n.end());
    return n.size() == 2 ? fft().MakePlan2d(plan, n[0], n[1], type, work)
                         : fft().MakePlan3d(plan, n[0], n[1], n[2], type, work);
}

int set_distribution(Handle plan, const Box& a, const Box& b) {
    static auto* const set =
        fft().find<int(Handle, int, const Long*, const Long*, const Long*, const Long*, const Long*, const Long*)>(
            "XtSetDistribution");
    return set(plan, static_cast<int>(a.lower.size()), a.lower.data(), a.upper.data(), b.lower.data(), b.upper.data(),
               a.strides.data(), b.strides.data());
}

int attach(Handle plan, MPI_Comm comm) { return fft().find<int(Handle, int, void*)>("MpAttachComm")(plan, 0, &comm); }

/// The array before and behind the transform, whole.
struct Arrays {
    std::vector<Value> input, output;
    Lengths complex;

    explicit Arrays(const Transform& t) : complex(t.n) {
        std::mt19937 random(static_cast<unsigned>(count(t.n)) + 7);
        std::uniform_real_distribution<double> number(-1, 1);
        std::vector<Value> first(count(t.n));
        for (Value& value : first) value = t.type == c2c ? Value(number(random), number(random)) : number(random);
        if (t.type != c2c) complex.back() = complex.back() / 2 + 1;
        const std::vector<Value> second = transformed(first, t.n, t.direction == forward || t.type == c2r ? -1 : 1);
        input = t.type == c2r ? halved(second, t.n) : first;
        output = t.type == r2c ? halved(second, t.n) : t.type == c2r ? first : second;
        if (t.type != c2r) return;
        for (Value& value : output) value *= static_cast<double>(output.size());
    }
};

template <class Real>
void check(const Transform& t, int rank, int ranks) {
    const Arrays arrays(t);
    const bool real_in = t.type == r2c, real_out = t.type == c2r;
    const auto box_of = [&](bool is_behind, bool is_real) {
        const std::size_t axis = is_behind ? (t.is_given ? t.n.size() - 1 : 1) : 0;
        if (t.is_given) return slab(is_real ? t.n : arrays.complex, axis, ranks, rank, is_behind ? 0 : is_real ? 3 : 1);
        return slab(is_real ? t.n : arrays.complex, axis, ranks, rank,
                    is_real ? 2 * arrays.complex.back() - t.n.back() : 0);
    };
    const Part<Real> from{real_in ? t.n : arrays.complex, box_of(t.is_behind, real_in), real_in};
    const Part<Real> to{real_out ? t.n : arrays.complex, box_of(!t.is_behind, real_out), real_out};
    Handle plan = no_handle;
    Size work = 99;
    expect_code(fft().Create(&plan), success, "Create");
    expect_code(attach(plan, MPI_COMM_WORLD), success, "MpAttachComm");
    if (t.is_given)
        expect_code(t.is_behind ? set_distribution(plan, to.box, from.box) : set_distribution(plan, from.box, to.box),
                    success, "XtSetDistribution");
    const int first = t.is_given ? given_input : natural, second = t.is_given ? given_output : shuffled;
    const int start = t.is_behind ? second : first, end = t.is_behind ? first : second;
    if (t.is_raw) {
        const auto formats = t.direction == forward ? std::pair(start, end) : std::pair(end, start);
        expect_code(fft().find<int(Handle, int, int)>("XtSetSubformatDefault")(plan, formats.first, formats.second),
                    success, "XtSetSubformatDefault");
    }
    if (t.owns_area) expect_code(fft().SetAutoAllocation(plan, 0), success, "SetAutoAllocation");
    expect_code(make_plan(t, plan, &work), success, "MakePlan");
    Memory area(work);
    if (t.owns_area) expect_code(fft().SetWorkArea(plan, area.data()), success, "SetWorkArea");
    Descriptor* array = nullptr;
    expect_code(fft().XtMalloc(plan, &array, start), success, "XtMalloc");
    expect(array->memory->cards == 1, "a descriptor is of one card");
    std::vector<Real> memory(array->memory->size[0] / sizeof(Real) + 1, -7);
    from.put(memory, arrays.input);
    const int how = t.direction;
    if (t.is_raw) {
        Memory own(memory.size() * sizeof(Real));
        own.upload(memory.data(), memory.size() * sizeof(Real));
        expect_code(fft().XtExec(plan, own.data(), own.data(), how), success, "XtExec");
        own.download(memory.data(), memory.size() * sizeof(Real));
    } else {
        expect_code(fft().XtMemcpy(plan, array, memory.data(), host_to_device), success, "XtMemcpy up");
        expect_code(fft().XtExecDescriptor(plan, array, array, how), success, "XtExecDescriptor");
        expect(array->format == end, "the format is " + std::to_string(array->format));
        expect_code(fft().XtMemcpy(plan, memory.data(), array, device_to_host), success, "XtMemcpy down");
    }
    const double allowed = (sizeof(Real) == 4 ? 2e-6 : 1e-14) * static_cast<double>(count(t.n)) * (real_out ? 4 : 1);
    const double worst = to.worst(memory, arrays.output);
    expect(worst < allowed, "differs by " + std::to_string(worst));
    expect_code(fft().XtFree(array), success, "XtFree");
    expect_code(fft().Destroy(plan), success, "Destroy");
}

void check(const Transform& t, int rank, int ranks) {
    try {
        if (t.is_double)
            check<double>(t, rank, ranks);
        else
            check<float>(t, rank, ranks);
    } catch (const Wrong& wrong) {
        throw Wrong{text_of(t) + ": " + wrong.what};
    }
}

/// From one format to the other without a transform.
void check_copy(int rank, int ranks) {
    const Transform t{{5, 6, 4}};
    Handle plan = no_handle;
    Size work = 0;
    expect_code(fft().Create(&plan), success, "Create");
    expect_code(attach(plan, MPI_COMM_WORLD), success, "MpAttachComm");
    expect_code(make_plan(t, plan, &work), success, "MakePlan");
    const Arrays arrays(t);
    const Part<float> from{t.n, slab(t.n, 0, ranks, rank)}, to{t.n, slab(t.n, 1, ranks, rank)};
    Descriptor *one = nullptr, *other = nullptr;
    expect_code(fft().XtMalloc(plan, &one, natural), success, "XtMalloc");
    expect_code(fft().XtMalloc(plan, &other, shuffled), success, "XtMalloc");
    std::vector<float> memory(one->memory->size[0] / sizeof(float) + 1);
    from.put(memory, arrays.input);
    expect_code(fft().XtMemcpy(plan, one, memory.data(), host_to_device), success, "XtMemcpy up");
    expect_code(fft().XtMemcpy(plan, other, one, device_to_device), success, "XtMemcpy across");
    std::vector<float> got(memory.size());
    expect_code(fft().XtMemcpy(plan, got.data(), other, device_to_host), success, "XtMemcpy down");
    expect(to.worst(got, arrays.input) < 1e-6, "a copy between formats differs");
    expect_code(fft().XtFree(one), success, "XtFree");
    expect_code(fft().XtFree(other), success, "XtFree");
    expect_code(fft().Destroy(plan), success, "Destroy");
}

/// Columns of a matrix become rows, with both orders of the arguments.
template <class Element>
void check_reshape(int rank, int ranks, bool is_old) {
    const Lengths n{1, 7, 9};
    const Box from = slab(n, 2, ranks, rank, 2), to = slab(n, 1, ranks, rank);
    void *handle = nullptr, *comm = nullptr;
    MPI_Comm world = MPI_COMM_WORLD;
    comm = &world;
    expect_code(fft().find<int(void**)>("MpCreateReshape")(&handle), success, "MpCreateReshape");
    if (is_old) {
        expect_code(fft().find<int(void*, int, void*)>("MpAttachReshapeComm")(handle, 0, comm), success, "attach");
        auto* const make = fft()
                               .find<int(void*, Size, int, const Long*, const Long*, const Long*, const Long*,
                                         const Long*, const Long*)>("MpMakeReshape");
        expect_code(make(handle, sizeof(Element), 3, from.lower.data(), from.upper.data(), to.lower.data(),
                         to.upper.data(), from.strides.data(), to.strides.data()),
                    success, "MpMakeReshape");
    } else {
        using Make = int(void*, Size, int, const Long*, const Long*, const Long*, const Long*, const Long*, const Long*,
                         void*, int);
        auto* const make = reinterpret_cast<Make*>(dlsym(fft().handle, "__cufftMpMakeReshape_11_4"));
        expect(make != nullptr, "there is no __cufftMpMakeReshape_11_4");
        expect_code(make(handle, sizeof(Element), 3, from.lower.data(), from.upper.data(), from.strides.data(),
                         to.lower.data(), to.upper.data(), to.strides.data(), comm, 0),
                    success, "MpMakeReshape of 11.4");
    }
    Size work = 99;
    expect_code(fft().find<int(void*, Size*)>("MpGetReshapeSize")(handle, &work), success, "MpGetReshapeSize");
    expect(work == 0, "a reshape needs no memory of the caller's");
    std::vector<Element> input(200), output(200, Element(-1));
    for_elements(n, from, [&](std::size_t whole, std::size_t own) { input[own] = Element(static_cast<float>(whole)); });
    auto* const run = fft().find<int(void*, void*, const void*, void*, void*)>("MpExecReshapeAsync");
    Memory before(200 * sizeof(Element)), behind(200 * sizeof(Element));
    before.upload(input.data(), 200 * sizeof(Element));
    behind.upload(output.data(), 200 * sizeof(Element));
    expect_code(run(handle, behind.data(), before.data(), nullptr, nullptr), success, "MpExecReshapeAsync");
    behind.download(output.data(), 200 * sizeof(Element));
    for_elements(n, to, [&](std::size_t whole, std::size_t own) {
        expect(output[own] == Element(static_cast<float>(whole)), "a reshaped element differs");
    });
    expect_code(run(handle, before.data(), before.data(), nullptr, nullptr), invalid_value, "a reshape in place");
    expect_code(fft().find<int(void*)>("MpDestroyReshape")(handle), success, "MpDestroyReshape");
    expect_code(fft().find<int(void*)>("MpDestroyReshape")(handle), invalid_plan, "MpDestroyReshape again");
}

void cases(int rank, int ranks) {
    for (const bool is_double : {false, true}) {
        check({.n = {6, 5, 4}, .is_double = is_double}, rank, ranks);
        check({.n = {6, 5, 4}, .is_double = is_double, .direction = inverse, .is_behind = true}, rank, ranks);
        check({.n = {7, 9}, .is_double = is_double, .is_behind = true, .is_raw = true}, rank, ranks);
        check({.n = {7, 9}, .is_double = is_double, .direction = inverse}, rank, ranks);
        check({.n = {5, 4, 6}, .type = r2c, .is_double = is_double}, rank, ranks);
        check({.n = {5, 4, 7}, .type = r2c, .is_double = is_double, .is_behind = true}, rank, ranks);
        check({.n = {5, 6, 7}, .type = c2r, .is_double = is_double, .direction = inverse, .is_behind = true}, rank,
              ranks);
        check({.n = {5, 6, 8}, .type = c2r, .is_double = is_double, .direction = inverse, .is_raw = true}, rank, ranks);
        check({.n = {6, 8}, .type = r2c, .is_double = is_double, .is_raw = true}, rank, ranks);
        check({.n = {4, 6, 8}, .is_double = is_double, .is_given = true}, rank, ranks);
        check({.n = {4, 6, 8}, .is_double = is_double, .is_given = true, .is_behind = true, .is_raw = true}, rank,
              ranks);
        check({.n = {6, 9}, .is_double = is_double, .direction = inverse, .is_given = true}, rank, ranks);
        check({.n = {4, 6, 8}, .type = r2c, .is_double = is_double, .is_given = true}, rank, ranks);
        check({.n = {4, 6, 9},
               .type = c2r,
               .is_double = is_double,
               .direction = inverse,
               .is_given = true,
               .is_behind = true},
              rank, ranks);
    }
    check({.n = {12, 10, 8}, .owns_area = true}, rank, ranks);
    check({.n = {2, 3, 4}}, rank, ranks);  // of three and more processes some have nothing
    check_copy(rank, ranks);
    check_reshape<float>(rank, ranks, true);
    check_reshape<std::complex<float>>(rank, ranks, false);
    check_reshape<std::complex<double>>(rank, ranks, true);
}

void refusals(int rank, int ranks) {
    Handle plan = no_handle;
    Size work = 0;
    MPI_Comm world = MPI_COMM_WORLD;
    auto* const attach_comm = fft().find<int(Handle, int, void*)>("MpAttachComm");
    auto* const set_formats = fft().find<int(Handle, int, int)>("XtSetSubformatDefault");
    const Box box = slab({4, 4, 4}, 0, ranks, rank);
    expect_code(fft().Create(&plan), success, "Create");
    expect_code(set_distribution(plan, box, box), invalid_plan, "a distribution without a communicator");
    expect_code(attach_comm(plan, 0, nullptr), invalid_value, "a null communicator");
    expect_code(attach_comm(plan, 1, nullptr), not_implemented, "no communicator");
    expect_code(attach_comm(plan, 7, &world), invalid_value, "a type that is none");
    expect_code(attach_comm(plan, 0, &world), success, "MpAttachComm");
    int cards[] = {0, 0};
    expect_code(fft().XtSetGPUs(plan, 2, cards), not_supported, "several cards in each process");
    expect_code(set_formats(plan, natural, given_output), invalid_value, "formats that do not match");
    Box bad = box;
    bad.strides[2] = 0;
    expect_code(set_distribution(plan, bad, box), invalid_value, "a stride of 0");
    bad = box;
    bad.upper[1] = -1;
    expect_code(set_distribution(plan, box, bad), invalid_value, "a box that ends before it begins");
    expect_code(fft().MakePlan1d(plan, 8, c2c, 1, &work), not_implemented, "one axis");
    expect_code(make_plan({.n = {4, 4, 4}}, plan, &work), success, "MakePlan");
    Descriptor* array = nullptr;
    expect_code(fft().XtMalloc(plan, &array, given_input), invalid_value, "a format of distributions");
    expect_code(fft().XtMalloc(plan, &array, natural), success, "XtMalloc");
    std::vector<float> memory(1000);
    expect_code(fft().ExecC2C(plan, memory.data(), memory.data(), forward), invalid_value,
                "formats that are not known");
    expect_code(attach_comm(plan, 0, &world), invalid_plan, "a communicator for a plan that is made");
    expect_code(fft().XtFree(array), success, "XtFree");
    expect_code(fft().Destroy(plan), success, "Destroy");

    // Boxes that leave elements out: all processes hear of it.
    expect_code(fft().Create(&plan), success, "Create");
    expect_code(attach_comm(plan, 0, &world), success, "MpAttachComm");
    Box less = box;
    less.upper[2] = 3;
    expect_code(set_distribution(plan, less, box), success, "XtSetDistribution");
    expect_code(make_plan({.n = {4, 4, 4}}, plan, &work), invalid_value, "boxes with a gap");
    expect_code(fft().Destroy(plan), success, "Destroy");

    void* reshape = nullptr;
    expect_code(fft().find<int(void**)>("MpCreateReshape")(&reshape), success, "MpCreateReshape");
    auto* const make =
        fft().find<int(void*, Size, int, const Long*, const Long*, const Long*, const Long*, const Long*, const Long*)>(
            "MpMakeReshape");
    const auto make_reshape = [&](Size bytes) {
        return make(reshape, bytes, 3, box.lower.data(), box.upper.data(), box.lower.data(), box.upper.data(),
                    box.strides.data(), box.strides.data());
    };
    expect_code(make_reshape(8), invalid_plan, "a reshape without a communicator");
    expect_code(fft().find<int(void*, int, void*)>("MpAttachReshapeComm")(reshape, 0, &world), success, "attach");
    expect_code(make_reshape(3), invalid_value, "elements of 3 bytes");
    auto* const run = fft().find<int(void*, void*, const void*, void*, void*)>("MpExecReshapeAsync");
    expect_code(run(reshape, memory.data(), memory.data() + 500, nullptr, nullptr), invalid_plan, "before it is made");
    expect_code(fft().find<int(void*)>("MpDestroyReshape")(reshape), success, "MpDestroyReshape");
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const std::string what = argc > 1 ? argv[1] : "";
    std::string said = "right";
    try {
        const Driver own_driver(rank);
        driver = &own_driver;
        if (what == "cases")
            cases(rank, ranks);
        else if (what == "refusals")
            refusals(rank, ranks);
        else
            said = "what to do: expected cases or refusals";
    } catch (const Wrong& wrong) {
        said = wrong.what;
    } catch (const std::exception& error) {
        said = error.what();
    }
    if (const char* const folder = std::getenv("SEICHE_TEST_FOLDER"))
        std::ofstream(std::string(folder) + "/" + std::to_string(rank)) << said << "\n";
    std::printf("rank %d of %d: %s\n", rank, ranks, said.c_str());
    if (said != "right") MPI_Abort(MPI_COMM_WORLD, 1);  // others may wait for this one
    MPI_Finalize();
    return 0;
}

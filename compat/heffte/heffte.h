// heFFTe's interface (https://github.com/icl-utk-edu/heffte, 2.4) on Seiche's transforms over several ranks: a program
// that is written for heFFTe's fft3d, fft3d_r2c and rtransform compiles with this in place of heffte.h. All of it is
// here, compiled against the program's own MPI; link with libseiche_distributed.
//
// Arrays are the host's. They are transformed where they lie by the processor's device, or copied to and from the
// device that the variable SEICHE_DEVICE names. docs/how-to/coming-from-heffte.md says what is different.
#ifndef SEICHE_HEFFTE_H
#define SEICHE_HEFFTE_H

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "seiche/distributed/box.hpp"
#include "seiche/distributed/mpi.hpp"
#include "seiche/distributed/plan.hpp"
#include "seiche/interop/cpu.hpp"
#include "seiche/plan.hpp"

namespace heffte {  // NOLINTBEGIN(readability-identifier-naming): the names are heFFTe's

// ---- What of MPI its programs call by heFFTe's names.

namespace mpi {

inline int comm_rank(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}
inline int comm_size(MPI_Comm comm) {
    int size = 0;
    MPI_Comm_size(comm, &size);
    return size;
}
inline int world_rank() { return comm_rank(MPI_COMM_WORLD); }
inline bool world_rank(int rank) { return world_rank() == rank; }

template <class T>
MPI_Datatype type_from() {
    if constexpr (std::is_same_v<T, int>) {
        return MPI_INT;
    } else if constexpr (std::is_same_v<T, float>) {
        return MPI_FLOAT;
    } else if constexpr (std::is_same_v<T, double>) {
        return MPI_DOUBLE;
    } else if constexpr (std::is_same_v<T, std::complex<float>>) {
        return MPI_C_COMPLEX;
    } else {
        static_assert(std::is_same_v<T, std::complex<double>>, "a type that MPI has no name for");
        return MPI_C_DOUBLE_COMPLEX;
    }
}

}  // namespace mpi

// ---- Boxes.

/// The elements from `low` to `high`, both included, along the directions 0, 1 and 2. In memory direction `order[0]` is
/// the fastest, `order[2]` the slowest.
template <class index = int>
struct box3d {
    std::array<index, 3> low, high, size;
    std::array<int, 3> order;

    box3d(std::array<index, 3> lowest, std::array<index, 3> highest, std::array<int, 3> fastest_first)
        : low(lowest),
          high(highest),
          size{high[0] - low[0] + 1, high[1] - low[1] + 1, high[2] - low[2] + 1},
          order(fastest_first) {}
    box3d(std::array<index, 3> lowest, std::array<index, 3> highest) : box3d(lowest, highest, {0, 1, 2}) {}
    /// In two directions: the third has one element.
    box3d(std::array<index, 2> lowest, std::array<index, 2> highest, std::array<int, 2> fastest_first)
        : box3d(std::array<index, 3>{lowest[0], lowest[1], 0}, std::array<index, 3>{highest[0], highest[1], 0},
                std::array<int, 3>{fastest_first[0], fastest_first[1], 2}) {}
    box3d(std::array<index, 2> lowest, std::array<index, 2> highest)
        : box3d(lowest, highest, std::array<int, 2>{0, 1}) {}

    bool empty() const { return size[0] <= 0 || size[1] <= 0 || size[2] <= 0; }
    long long count() const {
        return empty() ? 0 : static_cast<long long>(size[0]) * static_cast<long long>(size[1]) * size[2];
    }
    /// What lies in both.
    box3d collide(const box3d& other) const {
        box3d both = *this;
        if (empty() || other.empty()) return box3d(std::array<index, 3>{0, 0, 0}, std::array<index, 3>{-1, -1, -1});
        for (std::size_t d = 0; d < 3; ++d) {
            both.low[d] = std::max(low[d], other.low[d]);
            both.high[d] = std::min(high[d], other.high[d]);
            both.size[d] = both.high[d] - both.low[d] + 1;
        }
        return both;
    }
    /// The complex elements of real ones in this box: n/2 + 1 along that direction.
    box3d r2c(int direction) const {
        const auto d = static_cast<std::size_t>(direction);
        std::array<index, 3> end = high;
        if (empty()) return box3d(std::array<index, 3>{0, 0, 0}, std::array<index, 3>{-1, -1, -1});
        end[d] = low[d] + size[d] / 2;
        return box3d(low, end, order);
    }
    bool is2d() const { return size[0] == 1 || size[1] == 1 || size[2] == 1; }
    /// Whether both have the same elements, in whatever order.
    bool operator==(const box3d& other) const { return low == other.low && high == other.high; }
    bool operator!=(const box3d& other) const { return !(*this == other); }
    bool ordered_same_as(const box3d& other) const { return order == other.order; }
    /// 0 for the fastest direction, 1, 2.
    int find_order(int direction) const { return direction == order[0] ? 0 : direction == order[1] ? 1 : 2; }
    index osize(int place) const { return size[static_cast<std::size_t>(order[static_cast<std::size_t>(place)])]; }
};
template <class index = int>
using box2d = box3d<index>;

template <class index>
std::ostream& operator<<(std::ostream& out, const box3d<index>& box) {
    for (std::size_t d = 0; d < 3; ++d) out << box.low[d] << "  " << box.high[d] << "  (" << box.size[d] << ")\n";
    return out << "(" << box.order[0] << "," << box.order[1] << "," << box.order[2] << ")\n\n";
}

/// The smallest box that has all of these in it.
template <class index>
box3d<index> find_world(const std::vector<box3d<index>>& boxes) {
    std::array<index, 3> low{}, high{-1, -1, -1};
    bool is_first = true;
    for (const box3d<index>& box : boxes) {
        if (box.empty()) continue;
        for (std::size_t d = 0; d < 3; ++d) {
            low[d] = is_first ? box.low[d] : std::min(low[d], box.low[d]);
            high[d] = is_first ? box.high[d] : std::max(high[d], box.high[d]);
        }
        is_first = false;
    }
    return box3d<index>(low, high);
}

/// A box for each rank, the first direction's index fastest. Of n elements in p parts, the first n mod p parts have one
/// more than the others.
template <class index>
std::vector<box3d<index>> split_world(const box3d<index>& world, std::array<int, 3> grid) {
    std::vector<box3d<index>> boxes;
    const auto begin = [&](std::size_t d, int part) {
        const index parts = static_cast<index>(grid[d]), whole = world.size[d] / parts, more = world.size[d] % parts;
        return static_cast<index>(world.low[d] + static_cast<index>(part) * whole +
                                  std::min(static_cast<index>(part), more));
    };
    for (int k = 0; k < grid[2]; ++k)
        for (int j = 0; j < grid[1]; ++j)
            for (int i = 0; i < grid[0]; ++i)
                boxes.push_back(box3d<index>(
                    std::array<index, 3>{begin(0, i), begin(1, j), begin(2, k)},
                    std::array<index, 3>{begin(0, i + 1) - 1, begin(1, j + 1) - 1, begin(2, k + 1) - 1}, world.order));
    return boxes;
}

/// The grid of so many ranks whose boxes have the least surface, and thus the fewest neighbours' elements to exchange.
template <class index>
std::array<int, 3> proc_setup_min_surface(const box3d<index>& world, int ranks) {
    std::array<int, 3> best{};
    double least = std::numeric_limits<double>::infinity();
    const auto fits = [&](int part, std::size_t d) { return static_cast<long long>(part) <= world.size[d]; };
    for (int i = 1; i <= ranks && fits(i, 0); ++i)
        for (int j = 1; ranks % i == 0 && j <= ranks / i && fits(j, 1); ++j) {
            const int k = ranks / i / j;
            if (ranks / i % j != 0 || !fits(k, 2)) continue;
            const double x = static_cast<double>(world.size[0]) / i, y = static_cast<double>(world.size[1]) / j,
                         z = static_cast<double>(world.size[2]) / k, surface = x * y + y * z + z * x;
            if (surface >= least) continue;
            least = surface;
            best = {i, j, k};
        }
    if (best[0] == 0)
        throw std::invalid_argument("proc_setup_min_surface: no grid of " + std::to_string(ranks) +
                                    " ranks has an element of the world in each box");
    return best;
}

/// A grid in two directions, as near to a square as so many ranks have it; the smaller number first.
inline std::array<int, 2> make_procgrid(int ranks) {
    int small = 1;
    for (int factor = 1; factor * factor <= ranks; ++factor)
        if (ranks % factor == 0) small = factor;
    return {small, ranks / small};
}

/// The boxes of all ranks.
template <class index = int>
struct ioboxes {
    std::vector<box3d<index>> in, out;
};

namespace mpi {

template <class index>
ioboxes<index> gather_boxes(const box3d<index>& inbox, const box3d<index>& outbox, MPI_Comm comm) {
    std::array<long long, 18> own{};
    for (std::size_t d = 0; d < 3; ++d) {
        own[d] = inbox.low[d], own[3 + d] = inbox.high[d], own[6 + d] = inbox.order[d];
        own[9 + d] = outbox.low[d], own[12 + d] = outbox.high[d], own[15 + d] = outbox.order[d];
    }
    std::vector<long long> all(18 * static_cast<std::size_t>(comm_size(comm)));
    MPI_Allgather(own.data(), 18, MPI_LONG_LONG, all.data(), 18, MPI_LONG_LONG, comm);
    const auto box = [&](std::size_t at) {
        const auto three = [&](std::size_t from, auto kind) {
            using T = decltype(kind);
            return std::array<T, 3>{static_cast<T>(all[from]), static_cast<T>(all[from + 1]),
                                    static_cast<T>(all[from + 2])};
        };
        return box3d<index>(three(at, index()), three(at + 3, index()), three(at + 6, int()));
    };
    ioboxes<index> boxes;
    for (std::size_t at = 0; at < all.size(); at += 18) {
        boxes.in.push_back(box(at));
        boxes.out.push_back(box(at + 9));
    }
    return boxes;
}

}  // namespace mpi

// ---- Types of elements. A program may specialise the first two for complex types of its own.

// clang-format off
template <class T> struct is_ccomplex : std::false_type {};
template <class T> struct is_zcomplex : std::false_type {};
template <> struct is_ccomplex<std::complex<float>> : std::true_type {};
template <> struct is_zcomplex<std::complex<double>> : std::true_type {};

/// float, double or std::complex of one of them, for all that lie in memory as these do.
template <class T, class = void> struct define_standard_type {};
template <> struct define_standard_type<float> { using type = float; };
template <> struct define_standard_type<double> { using type = double; };
template <class T>
struct define_standard_type<T, std::enable_if_t<is_ccomplex<T>::value>> { using type = std::complex<float>; };
template <class T>
struct define_standard_type<T, std::enable_if_t<is_zcomplex<T>::value>> { using type = std::complex<double>; };

/// The elements of the spectrum.
template <class T> struct fft_output { using type = T; };
template <> struct fft_output<float> { using type = std::complex<float>; };
template <> struct fft_output<double> { using type = std::complex<double>; };
// clang-format on

// ---- Backends. All names of heFFTe's that work on the host's arrays are one here: Seiche.

namespace tag {
struct cpu {};
}  // namespace tag

namespace backend {

/// What a backend computes.
template <seiche::Kind kind_of_axes, int extra_inverse_factor>
struct Enabled {
    static constexpr bool is_enabled = true;
    static constexpr seiche::Kind kind = kind_of_axes;
    /// heFFTe multiplies the inverse cosine and sine transforms of its own backends by this beyond FFTW's.
    static constexpr int inverse_factor = extra_inverse_factor;
};
using Fft = Enabled<seiche::Kind::c2c, 1>;
/// Those on cards are names alone.
struct Disabled {
    static constexpr bool is_enabled = false;
};

// clang-format off
struct stock : Fft { static constexpr auto text = "stock"; };
struct fftw : Fft { static constexpr auto text = "fftw"; };
struct mkl : Fft { static constexpr auto text = "mkl"; };
struct stock_cos : Enabled<seiche::Kind::dct2, 8> { static constexpr auto text = "stock-cos-type-II"; };
struct stock_sin : Enabled<seiche::Kind::dst2, 8> { static constexpr auto text = "stock-sin-type-II"; };
struct stock_cos1 : Enabled<seiche::Kind::dct1, 8> { static constexpr auto text = "stock-cos-type-I"; };
struct fftw_cos : Enabled<seiche::Kind::dct2, 1> { static constexpr auto text = "fftw-cos-type-II"; };
struct fftw_sin : Enabled<seiche::Kind::dst2, 1> { static constexpr auto text = "fftw-sin-type-II"; };
struct fftw_cos1 : Enabled<seiche::Kind::dct1, 1> { static constexpr auto text = "fftw-cos-type-I"; };
struct fftw_sin1 : Enabled<seiche::Kind::dst1, 1> { static constexpr auto text = "fftw-sin-type-I"; };
struct mkl_cos : Enabled<seiche::Kind::dct2, 8> { static constexpr auto text = "mkl-cos"; };
struct mkl_sin : Enabled<seiche::Kind::dst2, 8> { static constexpr auto text = "mkl-sin"; };
struct cufft : Disabled {}; struct cufft_cos : Disabled {}; struct cufft_sin : Disabled {};
struct rocfft : Disabled {}; struct rocfft_cos : Disabled {}; struct rocfft_sin : Disabled {};
struct cufft_cos1 : Disabled {}; struct rocfft_cos1 : Disabled {};
struct onemkl : Disabled {}; struct onemkl_cos : Disabled {}; struct onemkl_sin : Disabled {};

template <class backend_tag>
struct is_enabled : std::bool_constant<backend_tag::is_enabled> {};
template <class backend_tag>
std::string name() { return backend_tag::text; }
/// False for cosine and sine transforms.
template <class backend_tag>
struct uses_fft_types : std::bool_constant<backend_tag::kind == seiche::Kind::c2c> {};
template <class backend_tag>
struct buffer_traits {
    using location = tag::cpu;
    template <class T> using container = std::vector<T>;
};
// clang-format on
template <class location_tag>
struct default_backend {
    using type = stock;
};

/// The host's arrays have no stream.
template <class location_tag>
struct device_instance {
    using stream_type = void*;
    explicit device_instance(void* = nullptr) {}
    virtual ~device_instance() = default;
    device_instance(const device_instance&) = default;
    device_instance& operator=(const device_instance&) = default;
    void* stream() const { return nullptr; }
    void synchronize_device() const {}
};

}  // namespace backend

template <class T>
std::vector<T> make_buffer_container(void*, std::size_t count) {
    return std::vector<T>(count);
}

// As in a heFFTe that was built without tracing, nothing is traced.
struct add_trace {
    explicit add_trace(const std::string&) {}
};
inline void init_tracing(const std::string&) {}
inline void finalize_tracing() {}

// ---- Options.

enum class scale { none, full, symmetric };
enum class direction { forward, backward };
enum class reshape_algorithm { alltoallv = 0, p2p_plined = 1, p2p = 2, alltoall = 3 };

namespace data_scaling {

template <class T>
void apply(std::size_t count, T data[], double factor) {
    using Real = decltype(std::real(data[0]));
    for (std::size_t i = 0; i < count; ++i) data[i] *= static_cast<Real>(factor);
}

}  // namespace data_scaling

/// Only `use_pencils` matters to Seiche, and `use_gpu_aware` where SEICHE_DEVICE names a GPU. The others say how heFFTe
/// packs and exchanges, for which Seiche has ways of its own; results are the same.
struct plan_options {
    bool use_reorder = true;
    reshape_algorithm algorithm = reshape_algorithm::alltoallv;
    bool use_pencils = true;     ///< False: between the boxes the array is only cut along one axis at a time.
    bool use_gpu_aware = false;  ///< MPI reads and writes the device's memory by its address.

    plan_options() = default;
    template <class backend_tag, class = std::enable_if_t<backend_tag::is_enabled>>
    explicit plan_options(backend_tag) {}
    plan_options(bool reorder, reshape_algorithm how, bool pencils)
        : use_reorder(reorder), algorithm(how), use_pencils(pencils) {}

    /// All ranks take part in Seiche's exchanges, so that these change nothing.
    void use_num_subranks(int ranks) { subranks_ = ranks; }
    void use_subcomm(MPI_Comm) { subranks_ = 1; }
    int get_subranks() const { return subranks_; }

private:
    int subranks_ = -1;
};
template <class backend_tag>
plan_options default_options() {
    return plan_options(backend_tag());
}
inline std::ostream& operator<<(std::ostream& out, const plan_options& options) {
    return out << "options = (decomposition:" << (options.use_pencils ? "any" : "slab")
               << ", mpi:" << (options.use_gpu_aware ? "from-gpu" : "from-cpu") << ")";
}

namespace detail {

/// SEICHE_DEVICE's, else the processor. Kept to the end of the process: destroying it after main may come too late for
/// what it needs.
inline const seiche::Device& device() {
    static const auto* const opened =
        new seiche::Device(seiche::Device::open(secure_getenv("SEICHE_DEVICE") == nullptr ? "cpu" : ""));
    return *opened;
}

/// Device memory that grows, for what a transform needs beside the program's arrays.
class Scratch {
public:
    seiche::Buffer of(seiche::Queue& queue, std::uint64_t bytes) {
        if (bytes == 0) return {};
        if (!buffer_ || buffer_.bytes() < bytes) {
            queue.wait();
            buffer_ = {};
            buffer_ = device().allocate(bytes);
        }
        return buffer_;
    }

private:
    seiche::Buffer buffer_;
};

/// An array of the host as the device sees it: itself, or a copy.
class HostArray {
public:
    HostArray(void* data, std::uint64_t bytes) : data_(data), bytes_(bytes) {}
    seiche::BufferView view(seiche::Queue& queue, Scratch& copy, bool is_read) {
        if (bytes_ == 0) return {};
        if (device().info().backend == seiche::Backend::cpu) return seiche::cpu::buffer(device(), data_, bytes_);
        is_copied_ = true;
        view_ = copy.of(queue, bytes_);
        if (is_read) queue.upload(view_, data_, bytes_);
        return view_;
    }
    void fetch(seiche::Queue& queue) const {
        if (is_copied_) queue.download(data_, view_, bytes_);
    }
    bool overlaps(const HostArray& other) const {
        const std::less<const char*> before;
        const auto *one = static_cast<const char*>(data_), *two = static_cast<const char*>(other.data_);
        return bytes_ != 0 && other.bytes_ != 0 && before(one, two + other.bytes_) && before(two, one + bytes_);
    }

private:
    void* data_ = nullptr;
    std::uint64_t bytes_ = 0;
    bool is_copied_ = false;
    seiche::BufferView view_;
};

/// Seiche's lengths and boxes have the slowest axis first, here direction 2.
template <class index>
std::vector<std::uint64_t> lengths_of(const box3d<index>& world) {
    return {static_cast<std::uint64_t>(world.size[2]), static_cast<std::uint64_t>(world.size[1]),
            static_cast<std::uint64_t>(world.size[0])};
}

/// From one element to the next along Seiche's axes.
template <class index>
std::vector<std::int64_t> strides_of(const box3d<index>& box) {
    std::vector<std::int64_t> strides(3);
    std::int64_t next = 1;
    for (const int fast : box.order) {
        strides[2 - static_cast<std::size_t>(fast)] = next;
        next *= static_cast<std::int64_t>(box.size[static_cast<std::size_t>(fast)]);
    }
    return strides;
}

template <class index>
std::vector<seiche::distributed::Box> boxes_of(const std::vector<box3d<index>>& boxes) {
    std::vector<seiche::distributed::Box> made;
    for (const box3d<index>& box : boxes) {
        seiche::distributed::Box one{{0, 0, 0}, {0, 0, 0}, {}};
        if (!std::is_permutation(box.order.begin(), box.order.end(), std::array<int, 3>{0, 1, 2}.begin()))
            throw std::invalid_argument("order of rank " + std::to_string(made.size()) + "'s box: expected 0, 1 and 2");
        for (std::size_t d = 0; d < 3 && !box.empty(); ++d) {
            one.lower[2 - d] = static_cast<std::uint64_t>(box.low[d]);
            one.upper[2 - d] = static_cast<std::uint64_t>(box.high[d]) + 1;
        }
        if (!box.empty()) one.strides = strides_of(box);
        made.push_back(std::move(one));
    }
    return made;
}

template <class T>
constexpr seiche::Precision precision_of = sizeof(decltype(std::real(std::declval<T>()))) == 4 ? seiche::Precision::f32
                                                                                               : seiche::Precision::f64;

/// The transforms between the boxes of all ranks, planned when they are first asked for.
template <class index>
class Transforms {
public:
    Transforms(ioboxes<index> boxes, seiche::Kind kind, int r2c_direction, int inverse_factor, MPI_Comm comm,
               const plan_options& options)
        : kind_(kind), r2c_direction_(r2c_direction), inverse_factor_(inverse_factor), options_(options) {
        const box3d<index> world = find_world(boxes.in);
        lengths_ = lengths_of(world);
        in_ = boxes_of(boxes.in);
        out_ = boxes_of(boxes.out);
        seiche::distributed::check_boxes(lengths_, in_, "inbox");
        seiche::distributed::check_boxes(lengths_of(kind == seiche::Kind::r2c ? world.r2c(r2c_direction) : world), out_,
                                         "outbox");
        seiche::distributed::MessageOptions messages;
        messages.reads_device_memory = options.use_gpu_aware && device().info().is_gpu;
        ranks_ = seiche::distributed::mpi::communicator(comm, messages);
        queue_ = device().create_queue();
    }

    /// By what scale::full multiplies.
    double full_factor() const {
        double points = 1;
        for (const std::uint64_t n : lengths_)
            points *= static_cast<double>(seiche::is_real_to_real(kind_) ? seiche::logical_length(kind_, n) : n);
        return 1.0 / (points * inverse_factor_);
    }

    template <class In, class Out>
    void run(direction way, int batch, const In* input, Out* output, double factor, std::uint64_t input_count,
             std::uint64_t output_count) {
        const seiche::distributed::DistributedPlan& plan = planned({way, precision_of<In>, batch, factor});
        HostArray from(const_cast<In*>(input), input_count * sizeof(In)), to(output, output_count * sizeof(Out));
        seiche::distributed::DistributedExecution execution;
        execution.input = from.view(queue_, input_copy_, true);
        execution.output = to.view(queue_, output_copy_, false);
        execution.workspace = workspace_.of(queue_, plan.workspace_bytes());
        // Whether both are one array may differ from rank to rank, but the plan may not.
        const bool is_shared = device().info().backend == seiche::Backend::cpu && from.overlaps(to);
        if (is_shared) {
            const seiche::Buffer copy = input_copy_.of(queue_, input_count * sizeof(In));
            queue_.copy(copy, execution.input, input_count * sizeof(In));
            execution.input = copy;
        }
        plan.execute(queue_, execution);
        queue_.wait();
        to.fetch(queue_);
    }

private:
    using Key = std::tuple<direction, seiche::Precision, int, double>;

    const seiche::distributed::DistributedPlan& planned(const Key& key) {
        const auto found = plans_.find(key);
        if (found != plans_.end()) return found->second;
        const auto& [way, precision, batch, factor] = key;
        const bool is_forward = way == direction::forward, is_fft = !seiche::is_real_to_real(kind_);
        seiche::Problem problem;
        problem.lengths = lengths_;
        problem.kind = is_forward || kind_ == seiche::Kind::c2c ? kind_ : seiche::inverse_of(kind_);
        problem.precision = precision;
        problem.batch = static_cast<std::uint64_t>(batch);
        if (kind_ == seiche::Kind::r2c) problem.halved_axis = 2 - r2c_direction_;
        const seiche::Scale scale = factor == 1 ? seiche::Scale::none() : seiche::Scale::factor(factor);
        seiche::distributed::DistributedOptions options;
        const bool is_inverse = !is_forward && is_fft;
        (is_inverse ? problem.inverse_scale : problem.forward_scale) = scale;
        options.directions = is_inverse ? seiche::Directions::inverse : seiche::Directions::forward;
        if (!options_.use_pencils) options.decomposition = seiche::distributed::Decomposition::slabs;
        const seiche::distributed::Boxes boxes{is_forward ? in_ : out_, is_forward ? out_ : in_};
        return plans_.emplace(key, seiche::distributed::DistributedPlan(device(), problem, boxes, ranks_, options))
            .first->second;
    }

    seiche::Kind kind_;
    int r2c_direction_ = 0, inverse_factor_ = 1;
    plan_options options_;
    std::vector<std::uint64_t> lengths_;
    std::vector<seiche::distributed::Box> in_, out_;
    std::shared_ptr<seiche::distributed::Communicator> ranks_;
    seiche::Queue queue_;
    std::map<Key, seiche::distributed::DistributedPlan> plans_;
    Scratch input_copy_, output_copy_, workspace_;
};

template <class T>
typename define_standard_type<T>::type* standard(T* array) {
    return reinterpret_cast<typename define_standard_type<T>::type*>(array);
}
template <class T>
const typename define_standard_type<T>::type* standard(const T* array) {
    return reinterpret_cast<const typename define_standard_type<T>::type*>(array);
}

/// What fft3d and fft3d_r2c have alike; `Derived` says which types go together, and which transform it is.
template <class Derived, class backend_tag, class index>
class Face : public backend::device_instance<tag::cpu> {
    static_assert(std::is_same_v<index, int> || std::is_same_v<index, long long>, "an index is an int or a long long");
    static_assert(backend::is_enabled<backend_tag>::value,
                  "a backend that Seiche's heffte.h does not have: its arrays are the host's (stock, fftw, mkl)");
    template <class T>
    using Standard = typename define_standard_type<T>::type;
    template <class T>
    using Real = decltype(std::real(std::declval<Standard<T>>()));

public:
    static constexpr bool is_fft = backend::uses_fft_types<backend_tag>::value;
    using location_tag = tag::cpu;
    template <class T>
    using buffer_container = std::vector<T>;
    template <class T>
    using real_buffer_container = std::vector<std::conditional_t<is_fft, Real<T>, T>>;
    template <class T>
    using output_buffer_container = std::vector<std::conditional_t<is_fft, typename fft_output<T>::type, T>>;

    long long size_inbox() const { return inbox_.count(); }
    long long size_outbox() const { return outbox_.count(); }
    box3d<index> inbox() const { return inbox_; }
    box3d<index> outbox() const { return outbox_; }
    /// Seiche keeps its own, so that a program's workspace has nothing in it.
    std::size_t size_workspace() const { return 0; }
    double get_scale_factor(scale scaling) const {
        const double full = transforms_->full_factor();
        return scaling == scale::symmetric ? std::sqrt(full) : full;
    }

    template <class In, class Out>
    void forward(int batch, const In input[], Out output[], scale scaling = scale::none) const {
        static_assert(Derived::template are_types<In, Out>, "types of arrays that do not go together");
        const std::size_t count = counted(batch, size_inbox());
        if constexpr (Derived::may_be_real && std::is_floating_point_v<In>) {
            const std::vector<Standard<Out>> whole(input, input + count);
            run(direction::forward, batch, whole.data(), standard(output), scaling);
        } else {
            run(direction::forward, batch, standard(input), standard(output), scaling);
        }
    }
    template <class In, class Out>
    void forward(const In input[], Out output[], scale scaling = scale::none) const {
        forward(1, input, output, scaling);
    }
    template <class In, class Out>
    void forward(const In input[], Out output[], Out[], scale scaling = scale::none) const {
        forward(1, input, output, scaling);
    }
    template <class In, class Out>
    void forward(int batch, const In input[], Out output[], Out[], scale scaling = scale::none) const {
        forward(batch, input, output, scaling);
    }
    template <class In>
    output_buffer_container<In> forward(const buffer_container<In>& input, scale scaling = scale::none) const {
        check(input.size(), size_inbox(), "inbox");
        output_buffer_container<In> output(static_cast<std::size_t>(size_outbox()));
        forward(input.data(), output.data(), scaling);
        return output;
    }

    template <class In, class Out>
    void backward(int batch, const In input[], Out output[], scale scaling = scale::none) const {
        static_assert(Derived::template are_types<Out, In>, "types of arrays that do not go together");
        if constexpr (Derived::may_be_real && std::is_floating_point_v<Out>) {
            std::vector<Standard<In>> whole(counted(batch, size_inbox()));
            run(direction::backward, batch, standard(input), whole.data(), scaling);
            std::transform(whole.begin(), whole.end(), output, [](const Standard<In>& value) { return value.real(); });
        } else {
            run(direction::backward, batch, standard(input), standard(output), scaling);
        }
    }
    template <class In, class Out>
    void backward(const In input[], Out output[], scale scaling = scale::none) const {
        backward(1, input, output, scaling);
    }
    template <class In, class Out>
    void backward(const In input[], Out output[], In[], scale scaling = scale::none) const {
        backward(1, input, output, scaling);
    }
    template <class In, class Out>
    void backward(int batch, const In input[], Out output[], In[], scale scaling = scale::none) const {
        backward(batch, input, output, scaling);
    }
    template <class In>
    real_buffer_container<In> backward_real(const buffer_container<In>& input, scale scaling = scale::none) const {
        return to_inbox<real_buffer_container<In>>(input, scaling);
    }

protected:
    Face(const box3d<index>& inbox, const box3d<index>& outbox, seiche::Kind kind, int r2c_direction, MPI_Comm comm,
         const plan_options& options)
        : inbox_(inbox),
          outbox_(outbox),
          transforms_(std::make_unique<Transforms<index>>(mpi::gather_boxes(inbox, outbox, comm), kind, r2c_direction,
                                                          backend_tag::inverse_factor, comm, options)) {}

    template <class Result, class In>
    Result to_inbox(const std::vector<In>& input, scale scaling) const {
        check(input.size(), size_outbox(), "outbox");
        Result output(static_cast<std::size_t>(size_inbox()));
        backward(input.data(), output.data(), scaling);
        return output;
    }

private:
    static std::size_t counted(int batch, long long box) {
        if (batch < 1) throw std::invalid_argument("batch: expected at least 1, got " + std::to_string(batch));
        return static_cast<std::size_t>(batch) * static_cast<std::size_t>(box);
    }
    static void check(std::size_t got, long long expected, const char* box) {
        if (got < static_cast<std::size_t>(expected))
            throw std::invalid_argument(std::string("input: expected at least the ") + std::to_string(expected) +
                                        " elements of the " + box + ", got " + std::to_string(got));
    }

    template <class In, class Out>
    void run(direction way, int batch, const In* input, Out* output, scale scaling) const {
        const bool is_forward = way == direction::forward;
        const std::uint64_t inside = counted(batch, size_inbox()), outside = counted(batch, size_outbox());
        const double factor =
            (scaling == scale::none ? 1 : get_scale_factor(scaling)) * (is_forward ? 1 : backend_tag::inverse_factor);
        transforms_->run(way, batch, input, output, factor, is_forward ? inside : outside,
                         is_forward ? outside : inside);
    }

    box3d<index> inbox_, outbox_;
    std::unique_ptr<Transforms<index>> transforms_;
};

}  // namespace detail

// ---- Transforms. All ranks of the communicator make the same calls in the same order.

/// Complex to complex, with real arrays on the side of the inbox if you like, whose imaginary parts are 0 or dropped;
/// or the cosine or sine transform that the backend is.
template <class backend_tag, class index = int>
class fft3d : public detail::Face<fft3d<backend_tag, index>, backend_tag, index> {
    using Base = detail::Face<fft3d, backend_tag, index>;

public:
    static constexpr bool may_be_real = Base::is_fft;
    template <class Inside, class Outside>
    static constexpr bool are_types = Base::is_fft
                                          ? (is_ccomplex<Outside>::value &&
                                             (std::is_same_v<Inside, float> || is_ccomplex<Inside>::value)) ||
                                                (is_zcomplex<Outside>::value &&
                                                 (std::is_same_v<Inside, double> || is_zcomplex<Inside>::value))
                                          : std::is_floating_point_v<Inside>&& std::is_same_v<Inside, Outside>;

    fft3d(const box3d<index>& inbox, const box3d<index>& outbox, MPI_Comm comm,
          const plan_options& options = default_options<backend_tag>())
        : Base(inbox, outbox, backend_tag::kind, -1, comm, options) {}
    fft3d(void*, const box3d<index>& inbox, const box3d<index>& outbox, MPI_Comm comm,
          const plan_options& options = default_options<backend_tag>())
        : fft3d(inbox, outbox, comm, options) {}

    using Base::backward;
    template <class In>
    std::vector<In> backward(const std::vector<In>& input, scale scaling = scale::none) const {
        return this->template to_inbox<std::vector<In>>(input, scaling);
    }
};
template <class backend_tag, class index = int>
using fft2d = fft3d<backend_tag, index>;
template <class backend_tag, class index = int>
using rtransform = fft3d<backend_tag, index>;

/// Real numbers in the inbox, the n/2 + 1 complex ones along `r2c_direction` in the outbox.
template <class backend_tag, class index = int>
class fft3d_r2c : public detail::Face<fft3d_r2c<backend_tag, index>, backend_tag, index> {
    using Base = detail::Face<fft3d_r2c, backend_tag, index>;
    static_assert(Base::is_fft, "cosine and sine transforms have no r2c");

public:
    static constexpr bool may_be_real = false;
    template <class Inside, class Outside>
    static constexpr bool are_types = (std::is_same_v<Inside, float> && is_ccomplex<Outside>::value) ||
                                      (std::is_same_v<Inside, double> && is_zcomplex<Outside>::value);

    fft3d_r2c(const box3d<index>& inbox, const box3d<index>& outbox, int r2c_direction, MPI_Comm comm,
              const plan_options& options = default_options<backend_tag>())
        : Base(inbox, outbox, seiche::Kind::r2c, checked(r2c_direction), comm, options) {}
    fft3d_r2c(void*, const box3d<index>& inbox, const box3d<index>& outbox, int r2c_direction, MPI_Comm comm,
              const plan_options& options = default_options<backend_tag>())
        : fft3d_r2c(inbox, outbox, r2c_direction, comm, options) {}

    using Base::backward;
    template <class In>
    typename Base::template real_buffer_container<In> backward(const std::vector<In>& input,
                                                               scale scaling = scale::none) const {
        return this->backward_real(input, scaling);
    }

private:
    static int checked(int r2c_direction) {
        if (r2c_direction < 0 || r2c_direction > 2)
            throw std::invalid_argument("r2c_direction: expected 0, 1 or 2, got " + std::to_string(r2c_direction));
        return r2c_direction;
    }
};
template <class backend_tag, class index = int>
using fft2d_r2c = fft3d_r2c<backend_tag, index>;

template <class backend_tag, class index>
fft3d<backend_tag, index> make_fft3d(const box3d<index>& inbox, const box3d<index>& outbox, MPI_Comm comm,
                                     const plan_options& options = default_options<backend_tag>()) {
    return fft3d<backend_tag, index>(inbox, outbox, comm, options);
}
template <class backend_tag, class index>
fft3d_r2c<backend_tag, index> make_fft3d_r2c(const box3d<index>& inbox, const box3d<index>& outbox, int r2c_direction,
                                             MPI_Comm comm,
                                             const plan_options& options = default_options<backend_tag>()) {
    return fft3d_r2c<backend_tag, index>(inbox, outbox, r2c_direction, comm, options);
}

}  // namespace heffte

#endif  // NOLINTEND(readability-identifier-naming)

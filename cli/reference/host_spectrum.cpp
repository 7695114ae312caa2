// Lines of an array, axis by axis.
#include "cli/reference/host_spectrum.hpp"

#include "cli/reference/reference_dft.hpp"
#include "cli/system/in_parallel.hpp"

namespace seiche::cli {
namespace {

std::uint64_t product_of(const std::vector<std::uint64_t>& lengths) {
    std::uint64_t product = 1;
    for (const std::uint64_t n : lengths) product *= n;
    return product;
}

/// Of one axis; a line's points are `stride` apart.
void transform_lines(HostArrayOfPoints& points, std::uint64_t n, std::uint64_t stride, Direction direction) {
    const ReferenceDft dft(n);
    const std::uint64_t lines = points.size() / n;
    const auto transform = [&](std::uint64_t line, std::size_t workers) {
        std::vector<Wide> in(n), out(n);
        const std::uint64_t first = line / stride * stride * n + line % stride;
        for (std::uint64_t i = 0; i < n; ++i) in[i] = Wide(points[first + i * stride]);
        dft.run(in.data(), 1, out.data(), direction, workers);
        for (std::uint64_t i = 0; i < n; ++i)
            points[first + i * stride] = {static_cast<double>(out[i].real()), static_cast<double>(out[i].imag())};
    };
    if (lines == 1) {
        transform(0, std::max(1u, std::thread::hardware_concurrency()));
        return;
    }
    constexpr std::uint64_t together = 16;  // neighbouring lines share cache lines
    in_parallel((lines + together - 1) / together, 0, [&](std::size_t piece) {
        for (std::uint64_t line = piece * together; line < std::min<std::uint64_t>(lines, (piece + 1) * together);
             ++line)
            transform(line, 1);
    });
}

}  // namespace

void transform_axis_on_host(HostArrayOfPoints& points, const std::vector<std::uint64_t>& lengths, std::size_t axis,
                            Direction direction) {
    std::uint64_t stride = 1;
    for (std::size_t i = axis + 1; i < lengths.size(); ++i) stride *= lengths[i];
    transform_lines(points, lengths[axis], stride, direction);
}

void transform_on_host(HostArrayOfPoints& points, const std::vector<std::uint64_t>& lengths, Direction direction) {
    for (std::size_t axis = lengths.size(); axis-- > 0;) transform_axis_on_host(points, lengths, axis, direction);
}

std::vector<std::uint64_t> place_of(std::uint64_t point, const std::vector<std::uint64_t>& lengths) {
    std::vector<std::uint64_t> place(lengths.size());
    for (std::size_t axis = lengths.size(); axis-- > 0; point /= lengths[axis]) place[axis] = point % lengths[axis];
    return place;
}

void filter_on_host(HostArrayOfPoints& points, const std::vector<std::uint64_t>& lengths,
                    const std::function<std::complex<double>(std::uint64_t bin)>& factor) {
    transform_on_host(points, lengths, Direction::forward);
    const double scale = 1 / static_cast<double>(product_of(lengths));
    in_ranges(points.size(), 0, [&](std::size_t first, std::size_t end) {
        for (std::size_t bin = first; bin < end; ++bin) points[bin] *= factor(bin) * scale;
    });
    transform_on_host(points, lengths, Direction::inverse);
}

}  // namespace seiche::cli

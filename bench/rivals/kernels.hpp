// The pointwise kernels of the compositions, as a CUDA programmer writes them: each element read and written once,
// neighbouring threads at neighbouring addresses, four elements in flight a thread. Compiled at run time.
#pragma once

namespace seiche::rivals {

/// A block has 256 threads and takes 1024 elements along x.
inline constexpr const char* kernel_text = R"(
using Size = unsigned long long;

// Reads four elements, then writes them, so that their loads do not wait for one another.
template <class T, class Read, class Write>
__device__ void each(unsigned count, Read read, Write write) {
    const unsigned first = blockIdx.x * 1024 + threadIdx.x;
    T values[4];
#pragma unroll
    for (int part = 0; part < 4; ++part)
        if (first + part * 256 < count) values[part] = read(first + part * 256);
#pragma unroll
    for (int part = 0; part < 4; ++part)
        if (first + part * 256 < count) write(first + part * 256, values[part]);
}
__device__ float2 times(float2 a, float2 b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }
__device__ float2 times(float2 a, float b) { return {a.x * b, a.y * b}; }

// Rows of n numbers to rows of `pitch`; what lies behind them stays.
extern "C" __global__ void pad(const float* __restrict__ x, float* __restrict__ y, unsigned n, unsigned pitch,
                               Size distance) {
    x += (Size(blockIdx.z) * gridDim.y + blockIdx.y) * n;
    y += blockIdx.z * distance + Size(blockIdx.y) * pitch;
    each<float>(n, [=](unsigned i) { return x[i]; }, [=](unsigned i, float value) { y[i] = value; });
}
// The way back.
extern "C" __global__ void cut(const float* __restrict__ x, float* __restrict__ y, unsigned n, unsigned pitch,
                               Size distance) {
    x += blockIdx.z * distance + Size(blockIdx.y) * pitch;
    y += (Size(blockIdx.z) * gridDim.y + blockIdx.y) * n;
    each<float>(n, [=](unsigned i) { return x[i]; }, [=](unsigned i, float value) { y[i] = value; });
}
// Bins of every array times those of its channel.
extern "C" __global__ void product(float2* s, const float2* __restrict__ h, unsigned bins, float scale) {
    s += (Size(blockIdx.z) * gridDim.y + blockIdx.y) * bins;
    h += Size(blockIdx.y) * bins;
    each<float2>(bins, [=](unsigned i) { return times(times(s[i], h[i]), scale); },
                 [=](unsigned i, float2 value) { s[i] = value; });
}
extern "C" __global__ void product_real(float2* s, const float* __restrict__ g, unsigned bins, float scale) {
    s += Size(blockIdx.z) * bins;
    each<float2>(bins, [=](unsigned i) { return times(s[i], g[i] * scale); },
                 [=](unsigned i, float2 value) { s[i] = value; });
}
// The same of one real array whose spectrum's rows have half of n bins, and for each block a part of the energy.
extern "C" __global__ void product_energy(float2* s, const float* __restrict__ g, float* __restrict__ parts,
                                          unsigned bins, unsigned n, float scale) {
    __shared__ float sums[256];
    const unsigned row = n / 2 + 1;
    float sum = 0;
    each<float2>(bins, [&](unsigned i) {
        const float2 value = s[i];
        const float factor = g[i] * scale;
        const unsigned k = i % row;
        const float energy = factor * (value.x * value.x + value.y * value.y);
        sum += k == 0 || 2 * k == n ? 0.5f * energy : energy;
        return times(value, factor);
    }, [=](unsigned i, float2 value) { s[i] = value; });
    sums[threadIdx.x] = sum;
    for (unsigned half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0) parts[blockIdx.x] = sums[0];
}
// One block adds them.
extern "C" __global__ void energy(const float* __restrict__ parts, float* __restrict__ result, unsigned count) {
    __shared__ float sums[256];
    float sum = 0;
    for (unsigned i = threadIdx.x; i < count; i += 256) sum += parts[i];
    sums[threadIdx.x] = sum;
    for (unsigned half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0) *result = sums[0];
}
// Divided by the square of the wave number; z of the grid is the slowest axis.
extern "C" __global__ void laplace(float2* s, unsigned n1, unsigned n0, unsigned bins, float scale) {
    const int k0 = 2 * blockIdx.z < n0 ? int(blockIdx.z) : int(blockIdx.z) - int(n0);
    s += Size(blockIdx.z) * n1 * bins;
    each<float2>(n1 * bins, [=](unsigned i) {
        const unsigned i1 = i / bins, i2 = i - i1 * bins;
        const int k1 = 2 * i1 < n1 ? int(i1) : int(i1) - int(n1);
        const int k = k0 * k0 + k1 * k1 + int(i2 * i2);
        return times(s[i], k == 0 ? 0 : scale / k);
    }, [=](unsigned i, float2 value) { s[i] = value; });
}
extern "C" __global__ void phase(float2* a, const float2* __restrict__ b, unsigned bins, float scale) {
    a += Size(blockIdx.z) * bins;
    b += Size(blockIdx.z) * bins;
    each<float2>(bins, [=](unsigned i) {
        const float2 other = b[i], value = times(a[i], float2{other.x, -other.y});
        const float size = value.x * value.x + value.y * value.y;
        return times(value, size == 0 ? 0 : scale * rsqrtf(size));
    }, [=](unsigned i, float2 value) { a[i] = value; });
}
extern "C" __global__ void window(const float2* __restrict__ x, float2* __restrict__ y, const float* __restrict__ w,
                                  const float* __restrict__ v, unsigned n) {
    x += (Size(blockIdx.z) * gridDim.y + blockIdx.y) * n;
    y += (Size(blockIdx.z) * gridDim.y + blockIdx.y) * n;
    const float factor = v[blockIdx.y];
    each<float2>(n, [=](unsigned i) { return times(x[i], w[i] * factor); },
                 [=](unsigned i, float2 value) { y[i] = value; });
}
extern "C" __global__ void decibels(const float2* __restrict__ s, float* __restrict__ y, unsigned n) {
    s += Size(blockIdx.z) * n;
    y += Size(blockIdx.z) * n;
    each<float>(n, [=](unsigned i) {
        const float2 value = s[i];
        return 20 * log10f(sqrtf(value.x * value.x + value.y * value.y) + 1e-12f);
    }, [=](unsigned i, float value) { y[i] = value; });
}
// Signals continued by reflection, for overlapping frames.
extern "C" __global__ void reflect(const float* __restrict__ x, float* __restrict__ y, int samples, int half,
                                   Size distance) {
    x += Size(blockIdx.z) * samples;
    y += blockIdx.z * distance;
    each<float>(unsigned(samples + 2 * half), [=](unsigned i) {
        const int at = abs(int(i) - half);
        return x[at < samples ? at : 2 * (samples - 1) - at];
    }, [=](unsigned i, float value) { y[i] = value; });
}
// A Hann window is a sum of three bins: no pass over the frames is needed for it.
extern "C" __global__ void hann_power(const float2* __restrict__ s, float* __restrict__ y, unsigned bins,
                                      unsigned frames_apart) {
    s += (Size(blockIdx.z) * frames_apart + blockIdx.y) * bins;
    y += (Size(blockIdx.z) * gridDim.y + blockIdx.y) * bins;
    each<float>(bins, [=](unsigned i) {
        const float2 value = s[i];
        float2 below = s[i == 0 ? 1 : i - 1], above = s[i + 1 == bins ? i - 1 : i + 1];
        if (i == 0) below.y = -below.y;
        if (i + 1 == bins) above.y = -above.y;
        const float re = 0.5f * value.x - 0.25f * (below.x + above.x), im = 0.5f * value.y - 0.25f * (below.y + above.y);
        return re * re + im * im;
    }, [=](unsigned i, float value) { y[i] = value; });
}
extern "C" __global__ void hann(float* window, unsigned n) {
    each<float>(n, [=](unsigned i) { return float(0.5 - 0.5 * cospi(2.0 * i / n)); },
                [=](unsigned i, float value) { window[i] = value; });
}
// What a sample's sum is multiplied by: 1 over the sum of squared windows, and over n, which cuFFT leaves.
extern "C" __global__ void overlap_weights(const float* __restrict__ window, float* weights, int samples, int n, int hop,
                                           int frames) {
    each<float>(unsigned(samples), [=](unsigned i) {
        const int at = int(i) + n / 2, last = min(at / hop, frames - 1);
        double sum = 0;
        for (int frame = last; frame >= 0 && at - frame * hop < n; --frame) {
            const double w = window[at - frame * hop];
            sum += w * w;
        }
        return sum > 0 ? float(1 / (sum * n)) : 0.0f;
    }, [=](unsigned i, float value) { weights[i] = value; });
}
// Each sample gathers from the frames that reach it.
extern "C" __global__ void overlap_add(const float* __restrict__ lines, const float* __restrict__ window,
                                       const float* __restrict__ weights, float* __restrict__ y, int samples, int n,
                                       int hop, int frames) {
    lines += Size(blockIdx.z) * frames * n;
    y += Size(blockIdx.z) * samples;
    each<float>(unsigned(samples), [=](unsigned i) {
        const int at = int(i) + n / 2, last = min(at / hop, frames - 1);
        float sum = 0;
        for (int frame = last; frame >= 0 && at - frame * hop < n; --frame)
            sum += lines[Size(frame) * n + (at - frame * hop)] * window[at - frame * hop];
        return sum * weights[i];
    }, [=](unsigned i, float value) { y[i] = value; });
}
// The first `kept` columns of pictures, z of the grid, from rows of `pitch` to [row][picture][column].
extern "C" __global__ void keep(const float2* __restrict__ s, float2* __restrict__ packed, unsigned rows, unsigned kept,
                                unsigned pitch) {
    const Size row = Size(gridDim.z) * kept;
    s += blockIdx.z * Size(rows) * pitch;
    packed += Size(blockIdx.z) * kept;
    each<float2>(rows * kept, [=](unsigned i) { return s[Size(i / kept) * pitch + i % kept]; },
                 [=](unsigned i, float2 value) { packed[i / kept * row + i % kept] = value; });
}
// The way back. Imaginary parts in column 0 and in column `half`, n/2 (0 where n is odd), are set to zero: what cuFFT's
// c2r makes of them is not defined.
extern "C" __global__ void spread(const float2* __restrict__ packed, float2* __restrict__ s, unsigned rows,
                                  unsigned kept, unsigned pitch, unsigned half) {
    const Size row = Size(gridDim.z) * kept;
    s += blockIdx.z * Size(rows) * pitch;
    packed += Size(blockIdx.z) * kept;
    each<float2>(rows * kept, [=](unsigned i) { return packed[i / kept * row + i % kept]; },
                 [=](unsigned i, float2 value) {
                     const unsigned column = i % kept;
                     if (column == 0 || column == half) value.y = 0;
                     s[Size(i / kept) * pitch + column] = value;
                 });
}
// For each mode a matrix over channels, w[input][output][mode]. A thread has a mode, four outputs and four pictures of
// the batch. Rows are m0 of each sign.
extern "C" __global__ void mode_matrix(const float2* __restrict__ x, float2* __restrict__ y,
                                       const float2* __restrict__ w, unsigned channels, unsigned batch, unsigned n0,
                                       unsigned m0, unsigned m1, float scale) {
    const unsigned mode = blockIdx.x * 256 + threadIdx.x, modes = 2 * m0 * m1;
    if (mode >= modes) return;
    const unsigned r = mode / m1, row = r < m0 ? r : n0 - 2 * m0 + r, first = 4 * blockIdx.y, array = 4 * blockIdx.z;
    const Size at = Size(row) * batch * channels * m1 + mode % m1;
    float2 sum[4][4] = {};
    for (unsigned i = 0; i < channels; ++i) {
        float2 a[4], b[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            a[k] = array + k < batch ? x[at + (Size(array + k) * channels + i) * m1] : float2{0, 0};
            b[k] = first + k < channels ? w[(Size(i) * channels + first + k) * modes + mode] : float2{0, 0};
        }
#pragma unroll
        for (int k = 0; k < 4; ++k)
#pragma unroll
            for (int o = 0; o < 4; ++o) {
                const float2 value = times(a[k], b[o]);
                sum[k][o].x += value.x;
                sum[k][o].y += value.y;
            }
    }
#pragma unroll
    for (int k = 0; k < 4; ++k)
#pragma unroll
        for (int o = 0; o < 4; ++o)
            if (array + k < batch && first + o < channels)
                y[at + (Size(array + k) * channels + first + o) * m1] = times(sum[k][o], scale);
}
// Boxes of m0 x m1 x m2, m0 in y of the grid, in the corners of grids.
extern "C" __global__ void to_grid(const double2* __restrict__ x, double2* __restrict__ grid, unsigned m1, unsigned m2,
                                   unsigned row, Size plane, Size distance) {
    x += (Size(blockIdx.z) * gridDim.y + blockIdx.y) * m1 * m2;
    grid += blockIdx.z * distance + blockIdx.y * plane;
    each<double2>(m1 * m2, [=](unsigned i) { return x[i]; }, [=](unsigned i, double2 value) {
        const unsigned y = i / m2;
        grid[y * row + (i - y * m2)] = value;
    });
}
extern "C" __global__ void from_grid(const double2* __restrict__ grid, double2* __restrict__ y, unsigned m1, unsigned m2,
                                     unsigned row, Size plane, Size distance) {
    y += (Size(blockIdx.z) * gridDim.y + blockIdx.y) * m1 * m2;
    grid += blockIdx.z * distance + blockIdx.y * plane;
    each<double2>(m1 * m2, [=](unsigned i) {
        const unsigned at = i / m2;
        return grid[at * row + (i - at * m2)];
    }, [=](unsigned i, double2 value) { y[i] = value; });
}
// Planes of n points, of which z of the grid is the number and y the band.
extern "C" __global__ void potential(double2* s, const double* __restrict__ v, unsigned n, Size plane, Size band,
                                     double scale) {
    s += blockIdx.z * plane + blockIdx.y * band;
    v += Size(blockIdx.z) * n;
    each<double2>(n, [=](unsigned i) {
        const double factor = v[i] * scale;
        const double2 value = s[i];
        return double2{value.x * factor, value.y * factor};
    }, [=](unsigned i, double2 value) { s[i] = value; });
}
)";

}  // namespace seiche::rivals

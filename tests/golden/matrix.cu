typedef unsigned int u32;
typedef unsigned long long u64;
__device__ __forceinline__ double2 multiply_8x8x4(double a, double b, double2 c) {
    double2 d;
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
                 : "=d"(d.x), "=d"(d.y) : "d"(a), "d"(b), "d"(c.x), "d"(c.y));
    return d;
}

extern "C" __global__ void __launch_bounds__(32)
matrix(
    const double* __restrict__ a,
    double2* __restrict__ out)
{
    const u32 thread = threadIdx.x;
    const u32 group = blockIdx.x;
    const u64 v0 = (u64)thread;
    const u64 v1 = (u64)group;
    const u64 v2 = v1 * 32ull;
    const u64 v3 = v2 + v0;
    const double v4 = a[v3];
    const double2 v5 = out[v3];
    const double2 v6 = multiply_8x8x4(v4, v4, make_double2(v5.x, v5.y));
    out[v3] = make_double2(v6.x, v6.y);
}

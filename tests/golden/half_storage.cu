typedef unsigned int u32;
typedef unsigned long long u64;
__device__ __forceinline__ float from_f16(unsigned short h) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h));
    return x;
}
__device__ __forceinline__ unsigned short bf16_from_f32(float x) {
    unsigned short h;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(h) : "f"(x));
    return h;
}

extern "C" __global__ void __launch_bounds__(32)
half_storage(
    const ushort2* __restrict__ in,
    ushort2* __restrict__ out)
{
    const u32 thread = threadIdx.x;
    const u32 group = blockIdx.x;
    const u64 v0 = (u64)thread;
    const u64 v1 = (u64)group;
    const u64 v2 = v1 * 32ull;
    const u64 v3 = v2 + v0;
    const ushort2 v4 = in[v3];
    const float v5 = from_f16(v4.x);
    const float v6 = from_f16(v4.y);
    const float v7 = v5 * 3.0f;
    const float v8 = v6 * 3.0f;
    const unsigned short v9 = bf16_from_f32(v7);
    const unsigned short v10 = bf16_from_f32(v8);
    out[v3] = make_ushort2(v9, v10);
}

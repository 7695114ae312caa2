// loads and stores under predicates; group of 32
typedef unsigned int u32;
typedef unsigned long long u64;

extern "C" __global__ void __launch_bounds__(32)
guarded(
    const float* __restrict__ in,
    const u32* __restrict__ where,
    float* __restrict__ out,
    u64 count)
{
    const u32 thread = threadIdx.x;
    const u32 group = blockIdx.x;
    const u64 v0 = (u64)thread;
    const u64 v1 = (u64)group;
    const u64 v2 = v1 * 32ull;
    const u64 v3 = v2 + v0;
    const bool p4 = v3 < count;
    const u64 v5 = v3 & 1ull;
    const bool p6 = v5 == 0ull;
    const u64 v7 = v3 + 32ull;
    float v8 = 0.0f;
    float v9 = 0.0f;
    u32 v10 = 0u;
    if (p4) {
        v8 = in[v3];
        v9 = in[v7];
        v10 = where[v3];
    }
    const float v11 = v8 * 3.0f;
    const u64 v12 = (u64)v10;
    const float v13 = p4 ? in[v12] : 0.0f;
    const u64 v14 = v3 + 64ull;
    const float v15 = p6 ? in[v14] : 0.0f;
    const float v16 = v11 + v9;
    const float v17 = v13 * v15;
    const u64 v18 = v3 + 96ull;
    if (p4) {
        out[v3] = v16;
        out[v18] = v17;
    }
    const u64 v19 = v3 + 192ull;
    const u64 v20 = v3 + 288ull;
    if (p6) {
        out[v19] = v15;
        out[v20] = v8;
    }
}

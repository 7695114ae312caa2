typedef unsigned int u32;
typedef unsigned long long u64;

extern "C" __global__ void __launch_bounds__(256, 2)
dynamic_shared(
    float4* __restrict__ data)
{
    extern __shared__ __align__(16) unsigned char shared_memory[];
    float* const first = reinterpret_cast<float*>(shared_memory + 0);
    float2* const second = reinterpret_cast<float2*>(shared_memory + 49152);
    const u32 thread = threadIdx.x;
    const u32 group = blockIdx.x;
    const u64 v0 = (u64)thread;
    const u64 v1 = (u64)group;
    const u64 v2 = v1 * 256ull;
    const u64 v3 = v2 + v0;
    const float4 v4 = data[v3];
    const u32 v5 = thread << 2u;
    *reinterpret_cast<float4*>(first + v5) = make_float4(v4.x, v4.y, v4.z, v4.w);
    const u32 v6 = thread * 2u;
    *reinterpret_cast<float4*>(second + v6) = make_float4(v4.y, v4.x, v4.w, v4.z);
    __syncthreads();
    const u32 v7 = thread ^ 1u;
    const u32 v8 = v7 << 2u;
    const float4 v9 = *reinterpret_cast<const float4*>(first + v8);
    const float2 v10 = second[thread];
    const float2 v11 = (second + thread)[1u];
    const float v12 = v9.x + v10.x;
    const float v13 = v9.y + v10.y;
    const float v14 = v9.z + v11.x;
    const float v15 = v9.w + v11.y;
    data[v3] = make_float4(v12, v13, v14, v15);
}

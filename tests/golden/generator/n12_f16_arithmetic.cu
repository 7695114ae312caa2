// c2c f16-arithmetic n=12 radices=4x3 threads=4 sequences=16 exchange=full strides=1,1
typedef unsigned int u32;
typedef unsigned long long u64;
__device__ __forceinline__ unsigned short add_f16(unsigned short a, unsigned short b) {
    unsigned short d;
    asm("add.rn.f16 %0, %1, %2;" : "=h"(d) : "h"(a), "h"(b));
    return d;
}
__device__ __forceinline__ unsigned short sub_f16(unsigned short a, unsigned short b) {
    unsigned short d;
    asm("sub.rn.f16 %0, %1, %2;" : "=h"(d) : "h"(a), "h"(b));
    return d;
}
__device__ __forceinline__ unsigned short mul_f16(unsigned short a, unsigned short b) {
    unsigned short d;
    asm("mul.rn.f16 %0, %1, %2;" : "=h"(d) : "h"(a), "h"(b));
    return d;
}
__device__ __forceinline__ unsigned short fma_f16(unsigned short a, unsigned short b, unsigned short c) {
    unsigned short d;
    asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(d) : "h"(a), "h"(b), "h"(c));
    return d;
}

extern "C" __global__ void __launch_bounds__(64)
forward_0_n12(
    const ushort2* __restrict__ in,
    ushort2* __restrict__ out,
    const ushort2* __restrict__ table,
    u32 sequences)
{
    __shared__ __align__(16) unsigned short real[192];
    __shared__ __align__(16) unsigned short imag[192];
    const u32 thread = threadIdx.x;
    const u32 group = blockIdx.x;
    const u32 v0 = thread & 3u;
    const u32 v1 = thread >> 2u;
    const bool p2 = v0 < 3u;
    const u32 v3 = group * 16u;
    const u32 v4 = v3 + v1;
    const bool p5 = v4 < sequences;
    const bool p6 = p5 && p2;
    const u64 v7 = (u64)v4;
    const u64 v8 = v7 * 12ull;
    const u64 v9 = (u64)v0;
    const u64 v10 = v8 + v9;
    const u64 v11 = v10 + 3ull;
    const u64 v12 = v10 + 6ull;
    const u64 v13 = v10 + 9ull;
    ushort2 v14 = make_ushort2(0, 0);
    ushort2 v15 = make_ushort2(0, 0);
    ushort2 v16 = make_ushort2(0, 0);
    ushort2 v17 = make_ushort2(0, 0);
    if (p6) {
        v14 = in[v10];
        v15 = in[v11];
        v16 = in[v12];
        v17 = in[v13];
    }
    const unsigned short v18 = add_f16(v14.x, v16.x);
    const unsigned short v19 = add_f16(v14.y, v16.y);
    const unsigned short v20 = sub_f16(v14.x, v16.x);
    const unsigned short v21 = sub_f16(v14.y, v16.y);
    const unsigned short v22 = add_f16(v15.x, v17.x);
    const unsigned short v23 = add_f16(v15.y, v17.y);
    const unsigned short v24 = sub_f16(v15.x, v17.x);
    const unsigned short v25 = sub_f16(v15.y, v17.y);
    const unsigned short v26 = add_f16(v18, v22);
    const unsigned short v27 = add_f16(v19, v23);
    const unsigned short v28 = sub_f16(v18, v22);
    const unsigned short v29 = sub_f16(v19, v23);
    const unsigned short v30 = add_f16(v20, v25);
    const unsigned short v31 = sub_f16(v21, v24);
    const unsigned short v32 = sub_f16(v20, v25);
    const unsigned short v33 = add_f16(v21, v24);
    const u32 v34 = v0 * 4u;
    const u32 v35 = v1 * 12u;
    const u32 v36 = v35 + v34;
    if (p2) real[v36] = v26;
    if (p2) (real + v36)[1u] = v30;
    if (p2) (real + v36)[2u] = v28;
    if (p2) (real + v36)[3u] = v32;
    if (p2) imag[v36] = v27;
    if (p2) (imag + v36)[1u] = v31;
    if (p2) (imag + v36)[2u] = v29;
    if (p2) (imag + v36)[3u] = v33;
    __syncthreads();
    const u32 v37 = v35 + v0;
    const unsigned short v38 = real[v37];
    const unsigned short v39 = (real + v37)[4u];
    const unsigned short v40 = (real + v37)[8u];
    const unsigned short v41 = imag[v37];
    const unsigned short v42 = (imag + v37)[4u];
    const unsigned short v43 = (imag + v37)[8u];
    const ushort2 v44 = __ldg(table + v9);
    const unsigned short v45 = mul_f16(v42, v44.y);
    const unsigned short v46 = v45 ^ 0x8000u;
    const unsigned short v47 = fma_f16(v39, v44.x, v46);
    const unsigned short v48 = mul_f16(v42, v44.x);
    const unsigned short v49 = fma_f16(v39, v44.y, v48);
    const u64 v50 = (u64)v0 + 4ull;
    const ushort2 v51 = __ldg(table + v50);
    const unsigned short v52 = fma_f16(v51.x, v40, v47);
    const unsigned short v53 = v51.y ^ 0x8000u;
    const unsigned short v54 = fma_f16(v53, v43, v52);
    const unsigned short v55 = fma_f16(v51.x, v43, v49);
    const unsigned short v56 = fma_f16(v51.y, v40, v55);
    const unsigned short v57 = v54 ^ 0x8000u;
    const unsigned short v58 = fma_f16(v47, 0x4000, v57);
    const unsigned short v59 = v56 ^ 0x8000u;
    const unsigned short v60 = fma_f16(v49, 0x4000, v59);
    const unsigned short v61 = add_f16(v38, v54);
    const unsigned short v62 = add_f16(v41, v56);
    const unsigned short v63 = fma_f16(v54, 0xb800, v38);
    const unsigned short v64 = fma_f16(v56, 0xb800, v41);
    const unsigned short v65 = fma_f16(v60, 0x3aee, v63);
    const unsigned short v66 = fma_f16(v58, 0xbaee, v64);
    const unsigned short v67 = fma_f16(v60, 0xbaee, v63);
    const unsigned short v68 = fma_f16(v58, 0x3aee, v64);
    const u64 v69 = v10 + 4ull;
    const u64 v70 = v10 + 8ull;
    if (p5) {
        out[v10] = make_ushort2(v61, v62);
        out[v69] = make_ushort2(v65, v66);
        out[v70] = make_ushort2(v67, v68);
    }
}

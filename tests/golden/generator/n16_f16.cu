// c2c f32 storage=f16,f16 n=16 radices=4x4 threads=4 sequences=16 planes=2 strides=1,1
typedef unsigned int u32;
typedef unsigned long long u64;
__device__ __forceinline__ float from_f16(unsigned short h) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h));
    return x;
}
__device__ __forceinline__ unsigned short f16_from_f32(float x) {
    unsigned short h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(x));
    return h;
}

extern "C" __global__ void __launch_bounds__(64)
forward_0_n16(
    const ushort2* __restrict__ in,
    ushort2* __restrict__ out,
    const float2* __restrict__ table,
    u32 sequences)
{
    __shared__ __align__(16) float real[256];
    __shared__ __align__(16) float imag[256];
    const u32 thread = threadIdx.x;
    const u32 group = blockIdx.x;
    const u32 v0 = thread & 3u;
    const u32 v1 = thread >> 2u;
    const u32 v2 = group * 16u;
    const u32 v3 = v2 + v1;
    const bool p4 = v3 < sequences;
    const u64 v5 = (u64)v3;
    const u64 v6 = v5 * 16ull;
    const u64 v7 = (u64)v0;
    const u64 v8 = v6 + v7;
    const u64 v9 = v8 + 4ull;
    const u64 v10 = v8 + 8ull;
    const u64 v11 = v8 + 12ull;
    ushort2 v12 = make_ushort2(0, 0);
    ushort2 v13 = make_ushort2(0, 0);
    ushort2 v14 = make_ushort2(0, 0);
    ushort2 v15 = make_ushort2(0, 0);
    if (p4) {
        v12 = in[v8];
        v13 = in[v9];
        v14 = in[v10];
        v15 = in[v11];
    }
    const float v16 = from_f16(v12.x);
    const float v17 = from_f16(v12.y);
    const float v18 = from_f16(v13.x);
    const float v19 = from_f16(v13.y);
    const float v20 = from_f16(v14.x);
    const float v21 = from_f16(v14.y);
    const float v22 = from_f16(v15.x);
    const float v23 = from_f16(v15.y);
    const float v24 = v16 + v20;
    const float v25 = v17 + v21;
    const float v26 = v16 - v20;
    const float v27 = v17 - v21;
    const float v28 = v18 + v22;
    const float v29 = v19 + v23;
    const float v30 = v18 - v22;
    const float v31 = v19 - v23;
    const float v32 = v24 + v28;
    const float v33 = v25 + v29;
    const float v34 = v24 - v28;
    const float v35 = v25 - v29;
    const float v36 = v26 + v31;
    const float v37 = v27 - v30;
    const float v38 = v26 - v31;
    const float v39 = v27 + v30;
    const u32 v40 = v0 * 4u;
    const u32 v41 = v1 * 16u;
    const u32 v42 = v41 + v40;
    const u32 v43 = v42 >> 7u;
    const u32 v44 = v42 >> 2u;
    const u32 v45 = v43 ^ v44;
    const u32 v46 = v45 & 31u;
    const u32 v47 = v42 ^ v46;
    real[v47] = v32;
    const u32 v48 = v47 ^ 1u;
    real[v48] = v36;
    const u32 v49 = v47 ^ 2u;
    real[v49] = v34;
    const u32 v50 = v47 ^ 3u;
    real[v50] = v38;
    imag[v47] = v33;
    imag[v48] = v37;
    imag[v49] = v35;
    imag[v50] = v39;
    __syncthreads();
    const u32 v51 = v41 + v0;
    const u32 v52 = v51 >> 7u;
    const u32 v53 = v51 >> 2u;
    const u32 v54 = v52 ^ v53;
    const u32 v55 = v54 & 31u;
    const u32 v56 = v51 ^ v55;
    const float v57 = real[v56];
    const u32 v58 = v56 ^ 5u;
    const float v59 = real[v58];
    const u32 v60 = v56 ^ 10u;
    const float v61 = real[v60];
    const u32 v62 = v56 ^ 15u;
    const float v63 = real[v62];
    const float v64 = imag[v56];
    const float v65 = imag[v58];
    const float v66 = imag[v60];
    const float v67 = imag[v62];
    const u32 v68 = v0 & 3u;
    const u64 v69 = (u64)v68;
    const float2 v70 = __ldg(table + v69);
    const float v71 = v65 * v70.y;
    const float v72 = -v71;
    const float v73 = fmaf(v59, v70.x, v72);
    const float v74 = v65 * v70.x;
    const float v75 = fmaf(v59, v70.y, v74);
    const u32 v76 = v68 + 4u;
    const u64 v77 = (u64)v76;
    const float2 v78 = __ldg(table + v77);
    const float v79 = v66 * v78.y;
    const float v80 = -v79;
    const float v81 = fmaf(v61, v78.x, v80);
    const float v82 = v66 * v78.x;
    const float v83 = fmaf(v61, v78.y, v82);
    const u32 v84 = v68 + 8u;
    const u64 v85 = (u64)v84;
    const float2 v86 = __ldg(table + v85);
    const float v87 = v67 * v86.y;
    const float v88 = -v87;
    const float v89 = fmaf(v63, v86.x, v88);
    const float v90 = v67 * v86.x;
    const float v91 = fmaf(v63, v86.y, v90);
    const float v92 = v57 + v81;
    const float v93 = v64 + v83;
    const float v94 = v57 - v81;
    const float v95 = v64 - v83;
    const float v96 = v73 + v89;
    const float v97 = v75 + v91;
    const float v98 = v73 - v89;
    const float v99 = v75 - v91;
    const float v100 = v92 + v96;
    const float v101 = v93 + v97;
    const float v102 = v92 - v96;
    const float v103 = v93 - v97;
    const float v104 = v94 + v99;
    const float v105 = v95 - v98;
    const float v106 = v94 - v99;
    const float v107 = v95 + v98;
    const unsigned short v108 = f16_from_f32(v100);
    const unsigned short v109 = f16_from_f32(v101);
    const unsigned short v110 = f16_from_f32(v104);
    const unsigned short v111 = f16_from_f32(v105);
    const unsigned short v112 = f16_from_f32(v102);
    const unsigned short v113 = f16_from_f32(v103);
    const unsigned short v114 = f16_from_f32(v106);
    const unsigned short v115 = f16_from_f32(v107);
    if (p4) {
        out[v8] = make_ushort2(v108, v109);
        out[v9] = make_ushort2(v110, v111);
        out[v10] = make_ushort2(v112, v113);
        out[v11] = make_ushort2(v114, v115);
    }
}

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
    const u32 v9 = v0 + 4u;
    const u64 v10 = v8 + 4ull;
    const u64 v11 = v8 + 8ull;
    const u64 v12 = v8 + 12ull;
    ushort2 v13 = make_ushort2(0, 0);
    ushort2 v14 = make_ushort2(0, 0);
    ushort2 v15 = make_ushort2(0, 0);
    ushort2 v16 = make_ushort2(0, 0);
    if (p4) {
        v13 = in[v8];
        v14 = in[v10];
        v15 = in[v11];
        v16 = in[v12];
    }
    const float v17 = from_f16(v13.x);
    const float v18 = from_f16(v13.y);
    const float v19 = from_f16(v14.x);
    const float v20 = from_f16(v14.y);
    const float v21 = from_f16(v15.x);
    const float v22 = from_f16(v15.y);
    const float v23 = from_f16(v16.x);
    const float v24 = from_f16(v16.y);
    const float v25 = v17 + v21;
    const float v26 = v18 + v22;
    const float v27 = v17 - v21;
    const float v28 = v18 - v22;
    const float v29 = v19 + v23;
    const float v30 = v20 + v24;
    const float v31 = v19 - v23;
    const float v32 = v20 - v24;
    const float v33 = v25 + v29;
    const float v34 = v26 + v30;
    const float v35 = v25 - v29;
    const float v36 = v26 - v30;
    const float v37 = v27 + v32;
    const float v38 = v28 - v31;
    const float v39 = v27 - v32;
    const float v40 = v28 + v31;
    const u32 v41 = v0 * 4u;
    const u32 v42 = v1 * 16u;
    const u32 v43 = v42 + v41;
    const u32 v44 = v43 >> 7u;
    const u32 v45 = v43 >> 2u;
    const u32 v46 = v44 ^ v45;
    const u32 v47 = v46 & 31u;
    const u32 v48 = v43 ^ v47;
    real[v48] = v33;
    const u32 v49 = v48 ^ 1u;
    real[v49] = v37;
    const u32 v50 = v48 ^ 2u;
    real[v50] = v35;
    const u32 v51 = v48 ^ 3u;
    real[v51] = v39;
    imag[v48] = v34;
    imag[v49] = v38;
    imag[v50] = v36;
    imag[v51] = v40;
    __syncthreads();
    const u32 v52 = v42 + v0;
    const u32 v53 = v52 >> 7u;
    const u32 v54 = v1 * 4u;
    const u32 v55 = v53 ^ v54;
    const u32 v56 = v55 & 31u;
    const u32 v57 = v52 ^ v56;
    const float v58 = real[v57];
    const u32 v59 = v57 ^ 5u;
    const float v60 = real[v59];
    const u32 v61 = v57 ^ 10u;
    const float v62 = real[v61];
    const u32 v63 = v57 ^ 15u;
    const float v64 = real[v63];
    const float v65 = imag[v57];
    const float v66 = imag[v59];
    const float v67 = imag[v61];
    const float v68 = imag[v63];
    const float2 v69 = __ldg(table + v7);
    const u64 v70 = (u64)v9;
    const float2 v71 = __ldg(table + v70);
    const float v72 = fmaf(v69.x, v62, v58);
    const float v73 = -v69.y;
    const float v74 = fmaf(v73, v67, v72);
    const float v75 = fmaf(v69.x, v67, v65);
    const float v76 = fmaf(v69.y, v62, v75);
    const float v77 = -v74;
    const float v78 = fmaf(v58, 2.0f, v77);
    const float v79 = -v76;
    const float v80 = fmaf(v65, 2.0f, v79);
    const float v81 = fmaf(v69.x, v64, v60);
    const float v82 = fmaf(v73, v68, v81);
    const float v83 = fmaf(v69.x, v68, v66);
    const float v84 = fmaf(v69.y, v64, v83);
    const float v85 = -v82;
    const float v86 = fmaf(v60, 2.0f, v85);
    const float v87 = -v84;
    const float v88 = fmaf(v66, 2.0f, v87);
    const float v89 = fmaf(v71.x, v82, v74);
    const float v90 = -v71.y;
    const float v91 = fmaf(v90, v84, v89);
    const float v92 = fmaf(v71.x, v84, v76);
    const float v93 = fmaf(v71.y, v82, v92);
    const float v94 = -v91;
    const float v95 = fmaf(v74, 2.0f, v94);
    const float v96 = -v93;
    const float v97 = fmaf(v76, 2.0f, v96);
    const float v98 = -v71.x;
    const float v99 = fmaf(v71.y, v86, v78);
    const float v100 = fmaf(v71.x, v88, v99);
    const float v101 = fmaf(v71.y, v88, v80);
    const float v102 = fmaf(v98, v86, v101);
    const float v103 = -v100;
    const float v104 = fmaf(v78, 2.0f, v103);
    const float v105 = -v102;
    const float v106 = fmaf(v80, 2.0f, v105);
    const unsigned short v107 = f16_from_f32(v91);
    const unsigned short v108 = f16_from_f32(v93);
    const unsigned short v109 = f16_from_f32(v100);
    const unsigned short v110 = f16_from_f32(v102);
    const unsigned short v111 = f16_from_f32(v95);
    const unsigned short v112 = f16_from_f32(v97);
    const unsigned short v113 = f16_from_f32(v104);
    const unsigned short v114 = f16_from_f32(v106);
    if (p4) {
        out[v8] = make_ushort2(v107, v108);
        out[v10] = make_ushort2(v109, v110);
        out[v11] = make_ushort2(v111, v112);
        out[v12] = make_ushort2(v113, v114);
    }
}

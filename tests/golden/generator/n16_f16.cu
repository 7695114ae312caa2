// c2c f32 storage=f16,f16 n=16 radices=4x4 threads=4 sequences=16 exchange=full strides=1,1
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
    const float2 v51 = __ldg(table + v7);
    const u64 v52 = (u64)v0 + 4ull;
    const float2 v53 = __ldg(table + v52);
    __syncthreads();
    const u32 v54 = v41 + v0;
    const u32 v55 = v54 >> 7u;
    const u32 v56 = v1 * 4u;
    const u32 v57 = v55 ^ v56;
    const u32 v58 = v57 & 31u;
    const u32 v59 = v54 ^ v58;
    const float v60 = real[v59];
    const u32 v61 = v59 ^ 5u;
    const float v62 = real[v61];
    const u32 v63 = v59 ^ 10u;
    const float v64 = real[v63];
    const u32 v65 = v59 ^ 15u;
    const float v66 = real[v65];
    const float v67 = imag[v59];
    const float v68 = imag[v61];
    const float v69 = imag[v63];
    const float v70 = imag[v65];
    const float v71 = fmaf(v51.x, v64, v60);
    const float v72 = -v51.y;
    const float v73 = fmaf(v72, v69, v71);
    const float v74 = fmaf(v51.x, v69, v67);
    const float v75 = fmaf(v51.y, v64, v74);
    const float v76 = -v73;
    const float v77 = fmaf(v60, 2.0f, v76);
    const float v78 = -v75;
    const float v79 = fmaf(v67, 2.0f, v78);
    const float v80 = fmaf(v51.x, v66, v62);
    const float v81 = fmaf(v72, v70, v80);
    const float v82 = fmaf(v51.x, v70, v68);
    const float v83 = fmaf(v51.y, v66, v82);
    const float v84 = -v81;
    const float v85 = fmaf(v62, 2.0f, v84);
    const float v86 = -v83;
    const float v87 = fmaf(v68, 2.0f, v86);
    const float v88 = fmaf(v53.x, v81, v73);
    const float v89 = -v53.y;
    const float v90 = fmaf(v89, v83, v88);
    const float v91 = fmaf(v53.x, v83, v75);
    const float v92 = fmaf(v53.y, v81, v91);
    const float v93 = -v90;
    const float v94 = fmaf(v73, 2.0f, v93);
    const float v95 = -v92;
    const float v96 = fmaf(v75, 2.0f, v95);
    const float v97 = -v53.x;
    const float v98 = fmaf(v53.y, v85, v77);
    const float v99 = fmaf(v53.x, v87, v98);
    const float v100 = fmaf(v53.y, v87, v79);
    const float v101 = fmaf(v97, v85, v100);
    const float v102 = -v99;
    const float v103 = fmaf(v77, 2.0f, v102);
    const float v104 = -v101;
    const float v105 = fmaf(v79, 2.0f, v104);
    const unsigned short v106 = f16_from_f32(v90);
    const unsigned short v107 = f16_from_f32(v92);
    const unsigned short v108 = f16_from_f32(v99);
    const unsigned short v109 = f16_from_f32(v101);
    const unsigned short v110 = f16_from_f32(v94);
    const unsigned short v111 = f16_from_f32(v96);
    const unsigned short v112 = f16_from_f32(v103);
    const unsigned short v113 = f16_from_f32(v105);
    if (p4) {
        out[v8] = make_ushort2(v106, v107);
        out[v9] = make_ushort2(v108, v109);
        out[v10] = make_ushort2(v110, v111);
        out[v11] = make_ushort2(v112, v113);
    }
}

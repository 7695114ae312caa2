// c2c f32 n=12 radices=4x3 threads=4 sequences=16 planes=2 strides=1,1
typedef unsigned int u32;
typedef unsigned long long u64;

extern "C" __global__ void __launch_bounds__(64)
forward_0_n12(
    const float2* __restrict__ in,
    float2* __restrict__ out,
    const float2* __restrict__ table,
    u32 sequences)
{
    __shared__ __align__(16) float real[197];
    __shared__ __align__(16) float imag[197];
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
    float2 v14 = make_float2(0.0f, 0.0f);
    float2 v15 = make_float2(0.0f, 0.0f);
    float2 v16 = make_float2(0.0f, 0.0f);
    float2 v17 = make_float2(0.0f, 0.0f);
    if (p6) {
        v14 = in[v10];
        v15 = in[v11];
        v16 = in[v12];
        v17 = in[v13];
    }
    const float v18 = v14.x + v16.x;
    const float v19 = v14.y + v16.y;
    const float v20 = v14.x - v16.x;
    const float v21 = v14.y - v16.y;
    const float v22 = v15.x + v17.x;
    const float v23 = v15.y + v17.y;
    const float v24 = v15.x - v17.x;
    const float v25 = v15.y - v17.y;
    const float v26 = v18 + v22;
    const float v27 = v19 + v23;
    const float v28 = v18 - v22;
    const float v29 = v19 - v23;
    const float v30 = v20 + v25;
    const float v31 = v21 - v24;
    const float v32 = v20 - v25;
    const float v33 = v21 + v24;
    const u32 v34 = v0 * 4u;
    const u32 v35 = v1 * 12u;
    const u32 v36 = v35 + v34;
    const u32 v37 = v36 >> 5u;
    const u32 v38 = v36 + v37;
    if (p2) real[v38] = v26;
    const u32 v39 = v36 + 1u;
    const u32 v40 = v39 >> 5u;
    const u32 v41 = v39 + v40;
    if (p2) real[v41] = v30;
    const u32 v42 = v36 + 2u;
    const u32 v43 = v42 >> 5u;
    const u32 v44 = v42 + v43;
    if (p2) real[v44] = v28;
    const u32 v45 = v36 + 3u;
    const u32 v46 = v45 >> 5u;
    const u32 v47 = v45 + v46;
    if (p2) real[v47] = v32;
    if (p2) imag[v38] = v27;
    if (p2) imag[v41] = v31;
    if (p2) imag[v44] = v29;
    if (p2) imag[v47] = v33;
    __syncthreads();
    const u32 v48 = v35 + v0;
    const u32 v49 = v48 >> 5u;
    const u32 v50 = v48 + v49;
    const float v51 = real[v50];
    const u32 v52 = v48 + 4u;
    const u32 v53 = v52 >> 5u;
    const u32 v54 = v52 + v53;
    const float v55 = real[v54];
    const u32 v56 = v48 + 8u;
    const u32 v57 = v56 >> 5u;
    const u32 v58 = v56 + v57;
    const float v59 = real[v58];
    const float v60 = imag[v50];
    const float v61 = imag[v54];
    const float v62 = imag[v58];
    const float2 v63 = __ldg(table + v9);
    const float v64 = v61 * v63.y;
    const float v65 = -v64;
    const float v66 = fmaf(v55, v63.x, v65);
    const float v67 = v61 * v63.x;
    const float v68 = fmaf(v55, v63.y, v67);
    const u64 v69 = (u64)v0 + 4ull;
    const float2 v70 = __ldg(table + v69);
    const float v71 = fmaf(v70.x, v59, v66);
    const float v72 = -v70.y;
    const float v73 = fmaf(v72, v62, v71);
    const float v74 = fmaf(v70.x, v62, v68);
    const float v75 = fmaf(v70.y, v59, v74);
    const float v76 = -v73;
    const float v77 = fmaf(v66, 2.0f, v76);
    const float v78 = -v75;
    const float v79 = fmaf(v68, 2.0f, v78);
    const float v80 = v51 + v73;
    const float v81 = v60 + v75;
    const float v82 = fmaf(v73, (-0.5f), v51);
    const float v83 = fmaf(v75, (-0.5f), v60);
    const float v84 = fmaf(v79, 0.8660254f, v82);
    const float v85 = fmaf(v77, (-0.8660254f), v83);
    const float v86 = fmaf(v79, (-0.8660254f), v82);
    const float v87 = fmaf(v77, 0.8660254f, v83);
    const u64 v88 = v10 + 4ull;
    const u64 v89 = v10 + 8ull;
    if (p5) {
        out[v10] = make_float2(v80, v81);
        out[v88] = make_float2(v84, v85);
        out[v89] = make_float2(v86, v87);
    }
}

// c2c f32 n=12 radices=4x3 threads=4 sequences=16 exchange=full strides=1,1
typedef unsigned int u32;
typedef unsigned long long u64;

extern "C" __global__ void __launch_bounds__(64)
forward_0_n12(
    const float2* __restrict__ in,
    float2* __restrict__ out,
    const float2* __restrict__ table,
    u32 sequences)
{
    __shared__ __align__(16) float real[207];
    __shared__ __align__(16) float imag[207];
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
    const u32 v35 = v1 * 13u;
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
    const float v38 = real[v37];
    const float v39 = (real + v37)[4u];
    const float v40 = (real + v37)[8u];
    const float v41 = imag[v37];
    const float v42 = (imag + v37)[4u];
    const float v43 = (imag + v37)[8u];
    const float2 v44 = __ldg(table + v9);
    const float v45 = v42 * v44.y;
    const float v46 = -v45;
    const float v47 = fmaf(v39, v44.x, v46);
    const float v48 = v42 * v44.x;
    const float v49 = fmaf(v39, v44.y, v48);
    const u64 v50 = (u64)v0 + 4ull;
    const float2 v51 = __ldg(table + v50);
    const float v52 = fmaf(v51.x, v40, v47);
    const float v53 = -v51.y;
    const float v54 = fmaf(v53, v43, v52);
    const float v55 = fmaf(v51.x, v43, v49);
    const float v56 = fmaf(v51.y, v40, v55);
    const float v57 = -v54;
    const float v58 = fmaf(v47, 2.0f, v57);
    const float v59 = -v56;
    const float v60 = fmaf(v49, 2.0f, v59);
    const float v61 = v38 + v54;
    const float v62 = v41 + v56;
    const float v63 = fmaf(v54, (-0.5f), v38);
    const float v64 = fmaf(v56, (-0.5f), v41);
    const float v65 = fmaf(v60, 0.8660254f, v63);
    const float v66 = fmaf(v58, (-0.8660254f), v64);
    const float v67 = fmaf(v60, (-0.8660254f), v63);
    const float v68 = fmaf(v58, 0.8660254f, v64);
    const u64 v69 = v10 + 4ull;
    const u64 v70 = v10 + 8ull;
    if (p5) {
        out[v10] = make_float2(v61, v62);
        out[v69] = make_float2(v65, v66);
        out[v70] = make_float2(v67, v68);
    }
}

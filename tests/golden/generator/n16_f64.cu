// c2c f64 n=16 radices=4x4 threads=4 sequences=16 planes=2 strides=1,1
typedef unsigned int u32;
typedef unsigned long long u64;

extern "C" __global__ void __launch_bounds__(64)
forward_0_n16(
    const double2* __restrict__ in,
    double2* __restrict__ out,
    const double2* __restrict__ table,
    u32 sequences)
{
    __shared__ __align__(16) double real[256];
    __shared__ __align__(16) double imag[256];
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
    double2 v13 = make_double2(0.0, 0.0);
    double2 v14 = make_double2(0.0, 0.0);
    double2 v15 = make_double2(0.0, 0.0);
    double2 v16 = make_double2(0.0, 0.0);
    if (p4) {
        v13 = in[v8];
        v14 = in[v10];
        v15 = in[v11];
        v16 = in[v12];
    }
    const double v17 = v13.x + v15.x;
    const double v18 = v13.y + v15.y;
    const double v19 = v13.x - v15.x;
    const double v20 = v13.y - v15.y;
    const double v21 = v14.x + v16.x;
    const double v22 = v14.y + v16.y;
    const double v23 = v14.x - v16.x;
    const double v24 = v14.y - v16.y;
    const double v25 = v17 + v21;
    const double v26 = v18 + v22;
    const double v27 = v17 - v21;
    const double v28 = v18 - v22;
    const double v29 = v19 + v24;
    const double v30 = v20 - v23;
    const double v31 = v19 - v24;
    const double v32 = v20 + v23;
    const u32 v33 = v0 * 4u;
    const u32 v34 = v1 * 16u;
    const u32 v35 = v34 + v33;
    const u32 v36 = v35 >> 5u;
    const u32 v37 = v35 >> 2u;
    const u32 v38 = v36 ^ v37;
    const u32 v39 = v38 & 15u;
    const u32 v40 = v35 ^ v39;
    real[v40] = v25;
    const u32 v41 = v40 ^ 1u;
    real[v41] = v29;
    const u32 v42 = v40 ^ 2u;
    real[v42] = v27;
    const u32 v43 = v40 ^ 3u;
    real[v43] = v31;
    imag[v40] = v26;
    imag[v41] = v30;
    imag[v42] = v28;
    imag[v43] = v32;
    __syncthreads();
    const u32 v44 = v34 + v0;
    const u32 v45 = v44 >> 5u;
    const u32 v46 = v1 * 4u;
    const u32 v47 = v45 ^ v46;
    const u32 v48 = v47 & 15u;
    const u32 v49 = v44 ^ v48;
    const double v50 = real[v49];
    const u32 v51 = v49 ^ 5u;
    const double v52 = real[v51];
    const u32 v53 = v49 ^ 10u;
    const double v54 = real[v53];
    const u32 v55 = v49 ^ 15u;
    const double v56 = real[v55];
    const double v57 = imag[v49];
    const double v58 = imag[v51];
    const double v59 = imag[v53];
    const double v60 = imag[v55];
    const double2 v61 = __ldg(table + v7);
    const u64 v62 = (u64)v9;
    const double2 v63 = __ldg(table + v62);
    const double v64 = fma(v61.x, v54, v50);
    const double v65 = -v61.y;
    const double v66 = fma(v65, v59, v64);
    const double v67 = fma(v61.x, v59, v57);
    const double v68 = fma(v61.y, v54, v67);
    const double v69 = -v66;
    const double v70 = fma(v50, 2.0, v69);
    const double v71 = -v68;
    const double v72 = fma(v57, 2.0, v71);
    const double v73 = fma(v61.x, v56, v52);
    const double v74 = fma(v65, v60, v73);
    const double v75 = fma(v61.x, v60, v58);
    const double v76 = fma(v61.y, v56, v75);
    const double v77 = -v74;
    const double v78 = fma(v52, 2.0, v77);
    const double v79 = -v76;
    const double v80 = fma(v58, 2.0, v79);
    const double v81 = fma(v63.x, v74, v66);
    const double v82 = -v63.y;
    const double v83 = fma(v82, v76, v81);
    const double v84 = fma(v63.x, v76, v68);
    const double v85 = fma(v63.y, v74, v84);
    const double v86 = -v83;
    const double v87 = fma(v66, 2.0, v86);
    const double v88 = -v85;
    const double v89 = fma(v68, 2.0, v88);
    const double v90 = -v63.x;
    const double v91 = fma(v63.y, v78, v70);
    const double v92 = fma(v63.x, v80, v91);
    const double v93 = fma(v63.y, v80, v72);
    const double v94 = fma(v90, v78, v93);
    const double v95 = -v92;
    const double v96 = fma(v70, 2.0, v95);
    const double v97 = -v94;
    const double v98 = fma(v72, 2.0, v97);
    if (p4) {
        out[v8] = make_double2(v83, v85);
        out[v10] = make_double2(v92, v94);
        out[v11] = make_double2(v87, v89);
        out[v12] = make_double2(v96, v98);
    }
}

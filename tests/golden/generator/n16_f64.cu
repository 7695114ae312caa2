// c2c f64 n=16 radices=4x4 threads=4 sequences=16 exchange=full strides=1,1
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
    const u64 v9 = v8 + 4ull;
    const u64 v10 = v8 + 8ull;
    const u64 v11 = v8 + 12ull;
    double2 v12 = make_double2(0.0, 0.0);
    double2 v13 = make_double2(0.0, 0.0);
    double2 v14 = make_double2(0.0, 0.0);
    double2 v15 = make_double2(0.0, 0.0);
    if (p4) {
        v12 = in[v8];
        v13 = in[v9];
        v14 = in[v10];
        v15 = in[v11];
    }
    const double v16 = v12.x + v14.x;
    const double v17 = v12.y + v14.y;
    const double v18 = v12.x - v14.x;
    const double v19 = v12.y - v14.y;
    const double v20 = v13.x + v15.x;
    const double v21 = v13.y + v15.y;
    const double v22 = v13.x - v15.x;
    const double v23 = v13.y - v15.y;
    const double v24 = v16 + v20;
    const double v25 = v17 + v21;
    const double v26 = v16 - v20;
    const double v27 = v17 - v21;
    const double v28 = v18 + v23;
    const double v29 = v19 - v22;
    const double v30 = v18 - v23;
    const double v31 = v19 + v22;
    const u32 v32 = v0 * 4u;
    const u32 v33 = v1 * 16u;
    const u32 v34 = v33 + v32;
    const u32 v35 = v34 >> 5u;
    const u32 v36 = v34 >> 2u;
    const u32 v37 = v35 ^ v36;
    const u32 v38 = v37 & 15u;
    const u32 v39 = v34 ^ v38;
    real[v39] = v24;
    const u32 v40 = v39 ^ 1u;
    real[v40] = v28;
    const u32 v41 = v39 ^ 2u;
    real[v41] = v26;
    const u32 v42 = v39 ^ 3u;
    real[v42] = v30;
    imag[v39] = v25;
    imag[v40] = v29;
    imag[v41] = v27;
    imag[v42] = v31;
    __syncthreads();
    const u32 v43 = v33 + v0;
    const u32 v44 = v43 >> 5u;
    const u32 v45 = v1 * 4u;
    const u32 v46 = v44 ^ v45;
    const u32 v47 = v46 & 15u;
    const u32 v48 = v43 ^ v47;
    const double v49 = real[v48];
    const u32 v50 = v48 ^ 5u;
    const double v51 = real[v50];
    const u32 v52 = v48 ^ 10u;
    const double v53 = real[v52];
    const u32 v54 = v48 ^ 15u;
    const double v55 = real[v54];
    const double v56 = imag[v48];
    const double v57 = imag[v50];
    const double v58 = imag[v52];
    const double v59 = imag[v54];
    const double2 v60 = __ldg(table + v7);
    const double v61 = fma(v60.x, v53, v49);
    const double v62 = -v60.y;
    const double v63 = fma(v62, v58, v61);
    const double v64 = fma(v60.x, v58, v56);
    const double v65 = fma(v60.y, v53, v64);
    const double v66 = -v63;
    const double v67 = fma(v49, 2.0, v66);
    const double v68 = -v65;
    const double v69 = fma(v56, 2.0, v68);
    const double v70 = fma(v60.x, v55, v51);
    const double v71 = fma(v62, v59, v70);
    const double v72 = fma(v60.x, v59, v57);
    const double v73 = fma(v60.y, v55, v72);
    const double v74 = -v71;
    const double v75 = fma(v51, 2.0, v74);
    const double v76 = -v73;
    const double v77 = fma(v57, 2.0, v76);
    const u64 v78 = (u64)v0 + 4ull;
    const double2 v79 = __ldg(table + v78);
    const double v80 = fma(v79.x, v71, v63);
    const double v81 = -v79.y;
    const double v82 = fma(v81, v73, v80);
    const double v83 = fma(v79.x, v73, v65);
    const double v84 = fma(v79.y, v71, v83);
    const double v85 = -v82;
    const double v86 = fma(v63, 2.0, v85);
    const double v87 = -v84;
    const double v88 = fma(v65, 2.0, v87);
    const double v89 = -v79.x;
    const double v90 = fma(v79.y, v75, v67);
    const double v91 = fma(v79.x, v77, v90);
    const double v92 = fma(v79.y, v77, v69);
    const double v93 = fma(v89, v75, v92);
    const double v94 = -v91;
    const double v95 = fma(v67, 2.0, v94);
    const double v96 = -v93;
    const double v97 = fma(v69, 2.0, v96);
    if (p4) {
        out[v8] = make_double2(v82, v84);
        out[v9] = make_double2(v91, v93);
        out[v10] = make_double2(v86, v88);
        out[v11] = make_double2(v95, v97);
    }
}

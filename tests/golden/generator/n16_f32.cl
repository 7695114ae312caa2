// c2c f32 n=16 radices=4x4 threads=4 sequences=16 exchange=full strides=1,1
#pragma OPENCL FP_CONTRACT OFF

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void forward_0_n16(
    __global const float2* restrict in, ulong in_offset,
    __global float2* restrict out, ulong out_offset,
    __global const float2* restrict table, ulong table_offset,
    const uint sequences)
{
    __local float real[256] __attribute__((aligned(64)));
    __local float imag[256] __attribute__((aligned(64)));
    in += in_offset;
    out += out_offset;
    table += table_offset;
    const uint thread = (uint)get_local_id(0);
    const uint group = (uint)get_group_id(0);
    const uint v0 = thread & 3u;
    const uint v1 = thread >> 2u;
    const uint v2 = group * 16u;
    const uint v3 = v2 + v1;
    const bool p4 = v3 < sequences;
    const ulong v5 = (ulong)v3;
    const ulong v6 = v5 * 16ul;
    const ulong v7 = (ulong)v0;
    const ulong v8 = v6 + v7;
    const uint v9 = v0 + 4u;
    const ulong v10 = v8 + 4ul;
    const ulong v11 = v8 + 8ul;
    const ulong v12 = v8 + 12ul;
    float2 v13 = (float2)(0.0f);
    float2 v14 = (float2)(0.0f);
    float2 v15 = (float2)(0.0f);
    float2 v16 = (float2)(0.0f);
    if (p4) {
        v13 = in[v8];
        v14 = in[v10];
        v15 = in[v11];
        v16 = in[v12];
    }
    const float v17 = v13.s0;
    const float v18 = v13.s1;
    const float v19 = v14.s0;
    const float v20 = v14.s1;
    const float v21 = v15.s0;
    const float v22 = v15.s1;
    const float v23 = v16.s0;
    const float v24 = v16.s1;
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
    const uint v41 = v0 * 4u;
    const uint v42 = v1 * 16u;
    const uint v43 = v42 + v41;
    const uint v44 = v43 >> 7u;
    const uint v45 = v43 >> 2u;
    const uint v46 = v44 ^ v45;
    const uint v47 = v46 & 31u;
    const uint v48 = v43 ^ v47;
    real[v48] = v33;
    const uint v49 = v48 ^ 1u;
    real[v49] = v37;
    const uint v50 = v48 ^ 2u;
    real[v50] = v35;
    const uint v51 = v48 ^ 3u;
    real[v51] = v39;
    imag[v48] = v34;
    imag[v49] = v38;
    imag[v50] = v36;
    imag[v51] = v40;
    const float2 v52 = table[v7];
    const float v53 = v52.s0;
    const float v54 = v52.s1;
    const ulong v55 = (ulong)v9;
    const float2 v56 = table[v55];
    const float v57 = v56.s0;
    const float v58 = v56.s1;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint v59 = v42 + v0;
    const uint v60 = v59 >> 7u;
    const uint v61 = v1 * 4u;
    const uint v62 = v60 ^ v61;
    const uint v63 = v62 & 31u;
    const uint v64 = v59 ^ v63;
    const float v65 = real[v64];
    const uint v66 = v64 ^ 5u;
    const float v67 = real[v66];
    const uint v68 = v64 ^ 10u;
    const float v69 = real[v68];
    const uint v70 = v64 ^ 15u;
    const float v71 = real[v70];
    const float v72 = imag[v64];
    const float v73 = imag[v66];
    const float v74 = imag[v68];
    const float v75 = imag[v70];
    const float v76 = fma(v53, v69, v65);
    const float v77 = -v54;
    const float v78 = fma(v77, v74, v76);
    const float v79 = fma(v53, v74, v72);
    const float v80 = fma(v54, v69, v79);
    const float v81 = -v78;
    const float v82 = fma(v65, 2.0f, v81);
    const float v83 = -v80;
    const float v84 = fma(v72, 2.0f, v83);
    const float v85 = fma(v53, v71, v67);
    const float v86 = fma(v77, v75, v85);
    const float v87 = fma(v53, v75, v73);
    const float v88 = fma(v54, v71, v87);
    const float v89 = -v86;
    const float v90 = fma(v67, 2.0f, v89);
    const float v91 = -v88;
    const float v92 = fma(v73, 2.0f, v91);
    const float v93 = fma(v57, v86, v78);
    const float v94 = -v58;
    const float v95 = fma(v94, v88, v93);
    const float v96 = fma(v57, v88, v80);
    const float v97 = fma(v58, v86, v96);
    const float v98 = -v95;
    const float v99 = fma(v78, 2.0f, v98);
    const float v100 = -v97;
    const float v101 = fma(v80, 2.0f, v100);
    const float v102 = -v57;
    const float v103 = fma(v58, v90, v82);
    const float v104 = fma(v57, v92, v103);
    const float v105 = fma(v58, v92, v84);
    const float v106 = fma(v102, v90, v105);
    const float v107 = -v104;
    const float v108 = fma(v82, 2.0f, v107);
    const float v109 = -v106;
    const float v110 = fma(v84, 2.0f, v109);
    const float2 v111 = (float2)(v95, v97);
    const float2 v112 = (float2)(v104, v106);
    const float2 v113 = (float2)(v99, v101);
    const float2 v114 = (float2)(v108, v110);
    if (p4) {
        out[v8] = v111;
        out[v10] = v112;
        out[v11] = v113;
        out[v12] = v114;
    }
}

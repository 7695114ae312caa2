// c2c f32 planar-in planar-out n=64 radices=4x4x4 lanes=16 along butterflies units=8 strides=1,1
#pragma OPENCL FP_CONTRACT OFF
#ifdef __clang__
typedef float float16_at4 __attribute__((ext_vector_type(16), aligned(4)));
#define load_float16_at4(space, p) (*(space const float16_at4*)(p))
#define store_float16_at4(space, p, v) (*(space float16_at4*)(p) = (v))
#else
#define load_float16_at4(space, p) vload16(0, (space const float*)(p))
#define store_float16_at4(space, p, v) vstore16(v, 0, (space float*)(p))
#endif
#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define shuffle_float16(a, b, i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15) __builtin_shufflevector(a, b, i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15)
#endif
#endif
#ifndef shuffle_float16
#define shuffle_float16(a, b, i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15) shuffle2(a, b, (uint16)(i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15))
#endif

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void forward_0_n64(
    __global const float* restrict in, ulong in_offset,
    __global float* restrict out, ulong out_offset,
    __global const float* restrict in_imag, ulong in_imag_offset,
    __global float* restrict out_imag, ulong out_imag_offset,
    __global const float* restrict table, ulong table_offset,
    const uint sequences)
{
    __local float scratch_a[128] __attribute__((aligned(64)));
    __local float scratch_b[128] __attribute__((aligned(64)));
    in += in_offset;
    out += out_offset;
    in_imag += in_imag_offset;
    out_imag += out_imag_offset;
    table += table_offset;
    const uint group = (uint)get_group_id(0);
    const uint v0 = group * 8u;
    const uint v1 = v0 + 8u;
    const uint v2 = min(v1, sequences);
    for (uint i3 = v0; i3 < v2; i3 += 1u) {
        const ulong v4 = (ulong)i3;
        const ulong v5 = v4 * 64ul;
        const float16 v6 = load_float16_at4(__global, in + v5);
        const float16 v7 = load_float16_at4(__global, in_imag + v5);
        const ulong v8 = v5 + 16ul;
        const float16 v9 = load_float16_at4(__global, in + v8);
        const float16 v10 = load_float16_at4(__global, in_imag + v8);
        const ulong v11 = v5 + 32ul;
        const float16 v12 = load_float16_at4(__global, in + v11);
        const float16 v13 = load_float16_at4(__global, in_imag + v11);
        const ulong v14 = v5 + 48ul;
        const float16 v15 = load_float16_at4(__global, in + v14);
        const float16 v16 = load_float16_at4(__global, in_imag + v14);
        const float16 v17 = v6 + v12;
        const float16 v18 = v7 + v13;
        const float16 v19 = v6 - v12;
        const float16 v20 = v7 - v13;
        const float16 v21 = v9 + v15;
        const float16 v22 = v10 + v16;
        const float16 v23 = v9 - v15;
        const float16 v24 = v10 - v16;
        const float16 v25 = v17 + v21;
        const float16 v26 = v18 + v22;
        const float16 v27 = v17 - v21;
        const float16 v28 = v18 - v22;
        const float16 v29 = v19 + v24;
        const float16 v30 = v20 - v23;
        const float16 v31 = v19 - v24;
        const float16 v32 = v20 + v23;
        const float16 v33 = shuffle_float16(v25, v27, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v34 = shuffle_float16(v25, v27, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const float16 v35 = shuffle_float16(v29, v31, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v36 = shuffle_float16(v29, v31, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const float16 v37 = shuffle_float16(v33, v35, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v38 = shuffle_float16(v33, v35, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const float16 v39 = shuffle_float16(v34, v36, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v40 = shuffle_float16(v34, v36, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const float16 v41 = shuffle_float16(v26, v28, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v42 = shuffle_float16(v26, v28, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const float16 v43 = shuffle_float16(v30, v32, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v44 = shuffle_float16(v30, v32, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const float16 v45 = shuffle_float16(v41, v43, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v46 = shuffle_float16(v41, v43, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const float16 v47 = shuffle_float16(v42, v44, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v48 = shuffle_float16(v42, v44, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        store_float16_at4(__local, scratch_a + 0u, v37);
        store_float16_at4(__local, scratch_a + 64u, v45);
        store_float16_at4(__local, scratch_a + 16u, v38);
        store_float16_at4(__local, scratch_a + 80u, v46);
        store_float16_at4(__local, scratch_a + 32u, v39);
        store_float16_at4(__local, scratch_a + 96u, v47);
        store_float16_at4(__local, scratch_a + 48u, v40);
        store_float16_at4(__local, scratch_a + 112u, v48);
        const float16 v49 = load_float16_at4(__local, scratch_a + 0u);
        const float16 v50 = load_float16_at4(__local, scratch_a + 64u);
        const float16 v51 = load_float16_at4(__local, scratch_a + 16u);
        const float16 v52 = load_float16_at4(__local, scratch_a + 80u);
        const float16 v53 = load_float16_at4(__local, scratch_a + 32u);
        const float16 v54 = load_float16_at4(__local, scratch_a + 96u);
        const float16 v55 = load_float16_at4(__local, scratch_a + 48u);
        const float16 v56 = load_float16_at4(__local, scratch_a + 112u);
        const float16 v57 = load_float16_at4(__global, table + 0ul);
        const float16 v58 = load_float16_at4(__global, table + 16ul);
        const float16 v59 = fma(v57, v53, v49);
        const float16 v60 = -v58;
        const float16 v61 = fma(v60, v54, v59);
        const float16 v62 = fma(v57, v54, v50);
        const float16 v63 = fma(v58, v53, v62);
        const float16 v64 = -v61;
        const float16 v65 = fma(v49, (float16)(2.0f), v64);
        const float16 v66 = -v63;
        const float16 v67 = fma(v50, (float16)(2.0f), v66);
        const float16 v68 = fma(v57, v55, v51);
        const float16 v69 = fma(v60, v56, v68);
        const float16 v70 = fma(v57, v56, v52);
        const float16 v71 = fma(v58, v55, v70);
        const float16 v72 = -v69;
        const float16 v73 = fma(v51, (float16)(2.0f), v72);
        const float16 v74 = -v71;
        const float16 v75 = fma(v52, (float16)(2.0f), v74);
        const float16 v76 = load_float16_at4(__global, table + 32ul);
        const float16 v77 = load_float16_at4(__global, table + 48ul);
        const float16 v78 = fma(v76, v69, v61);
        const float16 v79 = -v77;
        const float16 v80 = fma(v79, v71, v78);
        const float16 v81 = fma(v76, v71, v63);
        const float16 v82 = fma(v77, v69, v81);
        const float16 v83 = -v80;
        const float16 v84 = fma(v61, (float16)(2.0f), v83);
        const float16 v85 = -v82;
        const float16 v86 = fma(v63, (float16)(2.0f), v85);
        const float16 v87 = -v76;
        const float16 v88 = fma(v77, v73, v65);
        const float16 v89 = fma(v76, v75, v88);
        const float16 v90 = fma(v77, v75, v67);
        const float16 v91 = fma(v87, v73, v90);
        const float16 v92 = -v89;
        const float16 v93 = fma(v65, (float16)(2.0f), v92);
        const float16 v94 = -v91;
        const float16 v95 = fma(v67, (float16)(2.0f), v94);
        const float16 v96 = shuffle_float16(v80, v84, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v97 = shuffle_float16(v80, v84, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v98 = shuffle_float16(v89, v93, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v99 = shuffle_float16(v89, v93, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v100 = shuffle_float16(v96, v98, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v101 = shuffle_float16(v96, v98, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v102 = shuffle_float16(v97, v99, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v103 = shuffle_float16(v97, v99, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v104 = shuffle_float16(v82, v86, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v105 = shuffle_float16(v82, v86, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v106 = shuffle_float16(v91, v95, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v107 = shuffle_float16(v91, v95, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v108 = shuffle_float16(v104, v106, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v109 = shuffle_float16(v104, v106, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v110 = shuffle_float16(v105, v107, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v111 = shuffle_float16(v105, v107, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        store_float16_at4(__local, scratch_b + 0u, v100);
        store_float16_at4(__local, scratch_b + 64u, v108);
        store_float16_at4(__local, scratch_b + 16u, v101);
        store_float16_at4(__local, scratch_b + 80u, v109);
        store_float16_at4(__local, scratch_b + 32u, v102);
        store_float16_at4(__local, scratch_b + 96u, v110);
        store_float16_at4(__local, scratch_b + 48u, v103);
        store_float16_at4(__local, scratch_b + 112u, v111);
        const float16 v112 = load_float16_at4(__local, scratch_b + 0u);
        const float16 v113 = load_float16_at4(__local, scratch_b + 64u);
        const float16 v114 = load_float16_at4(__local, scratch_b + 16u);
        const float16 v115 = load_float16_at4(__local, scratch_b + 80u);
        const float16 v116 = load_float16_at4(__local, scratch_b + 32u);
        const float16 v117 = load_float16_at4(__local, scratch_b + 96u);
        const float16 v118 = load_float16_at4(__local, scratch_b + 48u);
        const float16 v119 = load_float16_at4(__local, scratch_b + 112u);
        const float16 v120 = load_float16_at4(__global, table + 64ul);
        const float16 v121 = load_float16_at4(__global, table + 80ul);
        const float16 v122 = fma(v120, v116, v112);
        const float16 v123 = -v121;
        const float16 v124 = fma(v123, v117, v122);
        const float16 v125 = fma(v120, v117, v113);
        const float16 v126 = fma(v121, v116, v125);
        const float16 v127 = -v124;
        const float16 v128 = fma(v112, (float16)(2.0f), v127);
        const float16 v129 = -v126;
        const float16 v130 = fma(v113, (float16)(2.0f), v129);
        const float16 v131 = fma(v120, v118, v114);
        const float16 v132 = fma(v123, v119, v131);
        const float16 v133 = fma(v120, v119, v115);
        const float16 v134 = fma(v121, v118, v133);
        const float16 v135 = -v132;
        const float16 v136 = fma(v114, (float16)(2.0f), v135);
        const float16 v137 = -v134;
        const float16 v138 = fma(v115, (float16)(2.0f), v137);
        const float16 v139 = load_float16_at4(__global, table + 96ul);
        const float16 v140 = load_float16_at4(__global, table + 112ul);
        const float16 v141 = fma(v139, v132, v124);
        const float16 v142 = -v140;
        const float16 v143 = fma(v142, v134, v141);
        const float16 v144 = fma(v139, v134, v126);
        const float16 v145 = fma(v140, v132, v144);
        const float16 v146 = -v143;
        const float16 v147 = fma(v124, (float16)(2.0f), v146);
        const float16 v148 = -v145;
        const float16 v149 = fma(v126, (float16)(2.0f), v148);
        const float16 v150 = -v139;
        const float16 v151 = fma(v140, v136, v128);
        const float16 v152 = fma(v139, v138, v151);
        const float16 v153 = fma(v140, v138, v130);
        const float16 v154 = fma(v150, v136, v153);
        const float16 v155 = -v152;
        const float16 v156 = fma(v128, (float16)(2.0f), v155);
        const float16 v157 = -v154;
        const float16 v158 = fma(v130, (float16)(2.0f), v157);
        store_float16_at4(__global, out + v5, v143);
        store_float16_at4(__global, out_imag + v5, v145);
        store_float16_at4(__global, out + v8, v152);
        store_float16_at4(__global, out_imag + v8, v154);
        store_float16_at4(__global, out + v11, v147);
        store_float16_at4(__global, out_imag + v11, v149);
        store_float16_at4(__global, out + v14, v156);
        store_float16_at4(__global, out_imag + v14, v158);
    }
}

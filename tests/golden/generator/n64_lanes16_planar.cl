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
        const float16 v57 = load_float16_at4(__global, table + 32ul);
        const float16 v58 = load_float16_at4(__global, table + 48ul);
        const float16 v59 = v54 * v58;
        const float16 v60 = -v59;
        const float16 v61 = fma(v53, v57, v60);
        const float16 v62 = v54 * v57;
        const float16 v63 = fma(v53, v58, v62);
        const float16 v64 = v49 + v61;
        const float16 v65 = v50 + v63;
        const float16 v66 = v49 - v61;
        const float16 v67 = v50 - v63;
        const float16 v68 = load_float16_at4(__global, table + 0ul);
        const float16 v69 = load_float16_at4(__global, table + 16ul);
        const float16 v70 = v52 * v69;
        const float16 v71 = -v70;
        const float16 v72 = fma(v51, v68, v71);
        const float16 v73 = v52 * v68;
        const float16 v74 = fma(v51, v69, v73);
        const float16 v75 = load_float16_at4(__global, table + 64ul);
        const float16 v76 = load_float16_at4(__global, table + 80ul);
        const float16 v77 = v56 * v76;
        const float16 v78 = -v77;
        const float16 v79 = fma(v55, v75, v78);
        const float16 v80 = v56 * v75;
        const float16 v81 = fma(v55, v76, v80);
        const float16 v82 = v72 + v79;
        const float16 v83 = v74 + v81;
        const float16 v84 = v72 - v79;
        const float16 v85 = v74 - v81;
        const float16 v86 = v64 + v82;
        const float16 v87 = v65 + v83;
        const float16 v88 = v64 - v82;
        const float16 v89 = v65 - v83;
        const float16 v90 = v66 + v85;
        const float16 v91 = v67 - v84;
        const float16 v92 = v66 - v85;
        const float16 v93 = v67 + v84;
        const float16 v94 = shuffle_float16(v86, v88, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v95 = shuffle_float16(v86, v88, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v96 = shuffle_float16(v90, v92, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v97 = shuffle_float16(v90, v92, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v98 = shuffle_float16(v94, v96, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v99 = shuffle_float16(v94, v96, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v100 = shuffle_float16(v95, v97, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v101 = shuffle_float16(v95, v97, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v102 = shuffle_float16(v87, v89, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v103 = shuffle_float16(v87, v89, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v104 = shuffle_float16(v91, v93, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v105 = shuffle_float16(v91, v93, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v106 = shuffle_float16(v102, v104, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v107 = shuffle_float16(v102, v104, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v108 = shuffle_float16(v103, v105, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v109 = shuffle_float16(v103, v105, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        store_float16_at4(__local, scratch_b + 0u, v98);
        store_float16_at4(__local, scratch_b + 64u, v106);
        store_float16_at4(__local, scratch_b + 16u, v99);
        store_float16_at4(__local, scratch_b + 80u, v107);
        store_float16_at4(__local, scratch_b + 32u, v100);
        store_float16_at4(__local, scratch_b + 96u, v108);
        store_float16_at4(__local, scratch_b + 48u, v101);
        store_float16_at4(__local, scratch_b + 112u, v109);
        const float16 v110 = load_float16_at4(__local, scratch_b + 0u);
        const float16 v111 = load_float16_at4(__local, scratch_b + 64u);
        const float16 v112 = load_float16_at4(__local, scratch_b + 16u);
        const float16 v113 = load_float16_at4(__local, scratch_b + 80u);
        const float16 v114 = load_float16_at4(__local, scratch_b + 32u);
        const float16 v115 = load_float16_at4(__local, scratch_b + 96u);
        const float16 v116 = load_float16_at4(__local, scratch_b + 48u);
        const float16 v117 = load_float16_at4(__local, scratch_b + 112u);
        const float16 v118 = load_float16_at4(__global, table + 128ul);
        const float16 v119 = load_float16_at4(__global, table + 144ul);
        const float16 v120 = v115 * v119;
        const float16 v121 = -v120;
        const float16 v122 = fma(v114, v118, v121);
        const float16 v123 = v115 * v118;
        const float16 v124 = fma(v114, v119, v123);
        const float16 v125 = v110 + v122;
        const float16 v126 = v111 + v124;
        const float16 v127 = v110 - v122;
        const float16 v128 = v111 - v124;
        const float16 v129 = load_float16_at4(__global, table + 96ul);
        const float16 v130 = load_float16_at4(__global, table + 112ul);
        const float16 v131 = v113 * v130;
        const float16 v132 = -v131;
        const float16 v133 = fma(v112, v129, v132);
        const float16 v134 = v113 * v129;
        const float16 v135 = fma(v112, v130, v134);
        const float16 v136 = load_float16_at4(__global, table + 160ul);
        const float16 v137 = load_float16_at4(__global, table + 176ul);
        const float16 v138 = v117 * v137;
        const float16 v139 = -v138;
        const float16 v140 = fma(v116, v136, v139);
        const float16 v141 = v117 * v136;
        const float16 v142 = fma(v116, v137, v141);
        const float16 v143 = v133 + v140;
        const float16 v144 = v135 + v142;
        const float16 v145 = v133 - v140;
        const float16 v146 = v135 - v142;
        const float16 v147 = v125 + v143;
        const float16 v148 = v126 + v144;
        const float16 v149 = v125 - v143;
        const float16 v150 = v126 - v144;
        const float16 v151 = v127 + v146;
        const float16 v152 = v128 - v145;
        const float16 v153 = v127 - v146;
        const float16 v154 = v128 + v145;
        store_float16_at4(__global, out + v5, v147);
        store_float16_at4(__global, out_imag + v5, v148);
        store_float16_at4(__global, out + v8, v151);
        store_float16_at4(__global, out_imag + v8, v152);
        store_float16_at4(__global, out + v11, v149);
        store_float16_at4(__global, out_imag + v11, v150);
        store_float16_at4(__global, out + v14, v153);
        store_float16_at4(__global, out_imag + v14, v154);
    }
}

// c2c f32 storage=f16,f16 n=64 radices=4x4x4 lanes=16 along butterflies units=8 strides=1,1
#pragma OPENCL FP_CONTRACT OFF
#ifdef __clang__
typedef ushort ushort16_at4 __attribute__((ext_vector_type(16), aligned(4)));
#define load_ushort16_at4(space, p) (*(space const ushort16_at4*)(p))
#define store_ushort16_at4(space, p, v) (*(space ushort16_at4*)(p) = (v))
#else
#define load_ushort16_at4(space, p) vload16(0, (space const ushort*)(p))
#define store_ushort16_at4(space, p, v) vstore16(v, 0, (space ushort*)(p))
#endif
float16 from_f1616(ushort16 h) { return vload_half16(0, (const __private half*)&h); }
#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define shuffle_float16(a, b, i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15) __builtin_shufflevector(a, b, i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15)
#endif
#endif
#ifndef shuffle_float16
#define shuffle_float16(a, b, i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15) shuffle2(a, b, (uint16)(i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, i10, i11, i12, i13, i14, i15))
#endif
#ifdef __clang__
typedef float float16_at4 __attribute__((ext_vector_type(16), aligned(4)));
#define load_float16_at4(space, p) (*(space const float16_at4*)(p))
#define store_float16_at4(space, p, v) (*(space float16_at4*)(p) = (v))
#else
#define load_float16_at4(space, p) vload16(0, (space const float*)(p))
#define store_float16_at4(space, p, v) vstore16(v, 0, (space float*)(p))
#endif
ushort16 f16_from_float16(float16 x) {
    ushort16 h;
    vstore_half16_rte(x, 0, (__private half*)&h);
    return h;
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void forward_0_n64(
    __global const ushort2* restrict in, ulong in_offset,
    __global ushort2* restrict out, ulong out_offset,
    __global const float* restrict table, ulong table_offset,
    const uint sequences)
{
    __local float scratch_a[128] __attribute__((aligned(64)));
    __local float scratch_b[128] __attribute__((aligned(64)));
    in += in_offset;
    out += out_offset;
    table += table_offset;
    const uint group = (uint)get_group_id(0);
    const uint v0 = group * 8u;
    const uint v1 = v0 + 8u;
    const uint v2 = min(v1, sequences);
    for (uint i3 = v0; i3 < v2; i3 += 1u) {
        const ulong v4 = (ulong)i3;
        const ulong v5 = v4 * 64ul;
        const ushort16 v6 = load_ushort16_at4(__global, in + v5);
        const ulong v7 = v5 + 8ul;
        const ushort16 v8 = load_ushort16_at4(__global, in + v7);
        const float16 v9 = from_f1616(v6);
        const float16 v10 = from_f1616(v8);
        const float16 v11 = shuffle_float16(v9, v10, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        const float16 v12 = shuffle_float16(v9, v10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
        const ulong v13 = v5 + 16ul;
        const ushort16 v14 = load_ushort16_at4(__global, in + v13);
        const ulong v15 = v5 + 24ul;
        const ushort16 v16 = load_ushort16_at4(__global, in + v15);
        const float16 v17 = from_f1616(v14);
        const float16 v18 = from_f1616(v16);
        const float16 v19 = shuffle_float16(v17, v18, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        const float16 v20 = shuffle_float16(v17, v18, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
        const ulong v21 = v5 + 32ul;
        const ushort16 v22 = load_ushort16_at4(__global, in + v21);
        const ulong v23 = v5 + 40ul;
        const ushort16 v24 = load_ushort16_at4(__global, in + v23);
        const float16 v25 = from_f1616(v22);
        const float16 v26 = from_f1616(v24);
        const float16 v27 = shuffle_float16(v25, v26, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        const float16 v28 = shuffle_float16(v25, v26, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
        const ulong v29 = v5 + 48ul;
        const ushort16 v30 = load_ushort16_at4(__global, in + v29);
        const ulong v31 = v5 + 56ul;
        const ushort16 v32 = load_ushort16_at4(__global, in + v31);
        const float16 v33 = from_f1616(v30);
        const float16 v34 = from_f1616(v32);
        const float16 v35 = shuffle_float16(v33, v34, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        const float16 v36 = shuffle_float16(v33, v34, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
        const float16 v37 = v11 + v27;
        const float16 v38 = v12 + v28;
        const float16 v39 = v11 - v27;
        const float16 v40 = v12 - v28;
        const float16 v41 = v19 + v35;
        const float16 v42 = v20 + v36;
        const float16 v43 = v19 - v35;
        const float16 v44 = v20 - v36;
        const float16 v45 = v37 + v41;
        const float16 v46 = v38 + v42;
        const float16 v47 = v37 - v41;
        const float16 v48 = v38 - v42;
        const float16 v49 = v39 + v44;
        const float16 v50 = v40 - v43;
        const float16 v51 = v39 - v44;
        const float16 v52 = v40 + v43;
        const float16 v53 = shuffle_float16(v45, v47, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v54 = shuffle_float16(v45, v47, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const float16 v55 = shuffle_float16(v49, v51, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v56 = shuffle_float16(v49, v51, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const float16 v57 = shuffle_float16(v53, v55, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v58 = shuffle_float16(v53, v55, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const float16 v59 = shuffle_float16(v54, v56, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v60 = shuffle_float16(v54, v56, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const float16 v61 = shuffle_float16(v46, v48, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v62 = shuffle_float16(v46, v48, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const float16 v63 = shuffle_float16(v50, v52, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v64 = shuffle_float16(v50, v52, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const float16 v65 = shuffle_float16(v61, v63, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v66 = shuffle_float16(v61, v63, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const float16 v67 = shuffle_float16(v62, v64, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v68 = shuffle_float16(v62, v64, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        store_float16_at4(__local, scratch_a + 0u, v57);
        store_float16_at4(__local, scratch_a + 64u, v65);
        store_float16_at4(__local, scratch_a + 16u, v58);
        store_float16_at4(__local, scratch_a + 80u, v66);
        store_float16_at4(__local, scratch_a + 32u, v59);
        store_float16_at4(__local, scratch_a + 96u, v67);
        store_float16_at4(__local, scratch_a + 48u, v60);
        store_float16_at4(__local, scratch_a + 112u, v68);
        const float16 v69 = load_float16_at4(__local, scratch_a + 0u);
        const float16 v70 = load_float16_at4(__local, scratch_a + 64u);
        const float16 v71 = load_float16_at4(__local, scratch_a + 16u);
        const float16 v72 = load_float16_at4(__local, scratch_a + 80u);
        const float16 v73 = load_float16_at4(__local, scratch_a + 32u);
        const float16 v74 = load_float16_at4(__local, scratch_a + 96u);
        const float16 v75 = load_float16_at4(__local, scratch_a + 48u);
        const float16 v76 = load_float16_at4(__local, scratch_a + 112u);
        const float16 v77 = load_float16_at4(__global, table + 32ul);
        const float16 v78 = load_float16_at4(__global, table + 48ul);
        const float16 v79 = v74 * v78;
        const float16 v80 = -v79;
        const float16 v81 = fma(v73, v77, v80);
        const float16 v82 = v74 * v77;
        const float16 v83 = fma(v73, v78, v82);
        const float16 v84 = v69 + v81;
        const float16 v85 = v70 + v83;
        const float16 v86 = v69 - v81;
        const float16 v87 = v70 - v83;
        const float16 v88 = load_float16_at4(__global, table + 0ul);
        const float16 v89 = load_float16_at4(__global, table + 16ul);
        const float16 v90 = v72 * v89;
        const float16 v91 = -v90;
        const float16 v92 = fma(v71, v88, v91);
        const float16 v93 = v72 * v88;
        const float16 v94 = fma(v71, v89, v93);
        const float16 v95 = load_float16_at4(__global, table + 64ul);
        const float16 v96 = load_float16_at4(__global, table + 80ul);
        const float16 v97 = v76 * v96;
        const float16 v98 = -v97;
        const float16 v99 = fma(v75, v95, v98);
        const float16 v100 = v76 * v95;
        const float16 v101 = fma(v75, v96, v100);
        const float16 v102 = v92 + v99;
        const float16 v103 = v94 + v101;
        const float16 v104 = v92 - v99;
        const float16 v105 = v94 - v101;
        const float16 v106 = v84 + v102;
        const float16 v107 = v85 + v103;
        const float16 v108 = v84 - v102;
        const float16 v109 = v85 - v103;
        const float16 v110 = v86 + v105;
        const float16 v111 = v87 - v104;
        const float16 v112 = v86 - v105;
        const float16 v113 = v87 + v104;
        const float16 v114 = shuffle_float16(v106, v108, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v115 = shuffle_float16(v106, v108, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v116 = shuffle_float16(v110, v112, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v117 = shuffle_float16(v110, v112, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v118 = shuffle_float16(v114, v116, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v119 = shuffle_float16(v114, v116, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v120 = shuffle_float16(v115, v117, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v121 = shuffle_float16(v115, v117, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v122 = shuffle_float16(v107, v109, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v123 = shuffle_float16(v107, v109, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v124 = shuffle_float16(v111, v113, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v125 = shuffle_float16(v111, v113, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v126 = shuffle_float16(v122, v124, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v127 = shuffle_float16(v122, v124, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        const float16 v128 = shuffle_float16(v123, v125, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
        const float16 v129 = shuffle_float16(v123, v125, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
        store_float16_at4(__local, scratch_b + 0u, v118);
        store_float16_at4(__local, scratch_b + 64u, v126);
        store_float16_at4(__local, scratch_b + 16u, v119);
        store_float16_at4(__local, scratch_b + 80u, v127);
        store_float16_at4(__local, scratch_b + 32u, v120);
        store_float16_at4(__local, scratch_b + 96u, v128);
        store_float16_at4(__local, scratch_b + 48u, v121);
        store_float16_at4(__local, scratch_b + 112u, v129);
        const float16 v130 = load_float16_at4(__local, scratch_b + 0u);
        const float16 v131 = load_float16_at4(__local, scratch_b + 64u);
        const float16 v132 = load_float16_at4(__local, scratch_b + 16u);
        const float16 v133 = load_float16_at4(__local, scratch_b + 80u);
        const float16 v134 = load_float16_at4(__local, scratch_b + 32u);
        const float16 v135 = load_float16_at4(__local, scratch_b + 96u);
        const float16 v136 = load_float16_at4(__local, scratch_b + 48u);
        const float16 v137 = load_float16_at4(__local, scratch_b + 112u);
        const float16 v138 = load_float16_at4(__global, table + 128ul);
        const float16 v139 = load_float16_at4(__global, table + 144ul);
        const float16 v140 = v135 * v139;
        const float16 v141 = -v140;
        const float16 v142 = fma(v134, v138, v141);
        const float16 v143 = v135 * v138;
        const float16 v144 = fma(v134, v139, v143);
        const float16 v145 = v130 + v142;
        const float16 v146 = v131 + v144;
        const float16 v147 = v130 - v142;
        const float16 v148 = v131 - v144;
        const float16 v149 = load_float16_at4(__global, table + 96ul);
        const float16 v150 = load_float16_at4(__global, table + 112ul);
        const float16 v151 = v133 * v150;
        const float16 v152 = -v151;
        const float16 v153 = fma(v132, v149, v152);
        const float16 v154 = v133 * v149;
        const float16 v155 = fma(v132, v150, v154);
        const float16 v156 = load_float16_at4(__global, table + 160ul);
        const float16 v157 = load_float16_at4(__global, table + 176ul);
        const float16 v158 = v137 * v157;
        const float16 v159 = -v158;
        const float16 v160 = fma(v136, v156, v159);
        const float16 v161 = v137 * v156;
        const float16 v162 = fma(v136, v157, v161);
        const float16 v163 = v153 + v160;
        const float16 v164 = v155 + v162;
        const float16 v165 = v153 - v160;
        const float16 v166 = v155 - v162;
        const float16 v167 = v145 + v163;
        const float16 v168 = v146 + v164;
        const float16 v169 = v145 - v163;
        const float16 v170 = v146 - v164;
        const float16 v171 = v147 + v166;
        const float16 v172 = v148 - v165;
        const float16 v173 = v147 - v166;
        const float16 v174 = v148 + v165;
        const float16 v175 = shuffle_float16(v167, v168, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v176 = shuffle_float16(v167, v168, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const ushort16 v177 = f16_from_float16(v175);
        const ushort16 v178 = f16_from_float16(v176);
        store_ushort16_at4(__global, out + v5, v177);
        store_ushort16_at4(__global, out + v7, v178);
        const float16 v179 = shuffle_float16(v171, v172, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v180 = shuffle_float16(v171, v172, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const ushort16 v181 = f16_from_float16(v179);
        const ushort16 v182 = f16_from_float16(v180);
        store_ushort16_at4(__global, out + v13, v181);
        store_ushort16_at4(__global, out + v15, v182);
        const float16 v183 = shuffle_float16(v169, v170, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v184 = shuffle_float16(v169, v170, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const ushort16 v185 = f16_from_float16(v183);
        const ushort16 v186 = f16_from_float16(v184);
        store_ushort16_at4(__global, out + v21, v185);
        store_ushort16_at4(__global, out + v23, v186);
        const float16 v187 = shuffle_float16(v173, v174, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const float16 v188 = shuffle_float16(v173, v174, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const ushort16 v189 = f16_from_float16(v187);
        const ushort16 v190 = f16_from_float16(v188);
        store_ushort16_at4(__global, out + v29, v189);
        store_ushort16_at4(__global, out + v31, v190);
    }
}

// c2c f64x2 n=4 radices=2x2 lanes=2 along butterflies units=8 strides=1,1
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
#ifdef __clang__
typedef double double8_at32 __attribute__((ext_vector_type(8), aligned(32)));
#define load_double8_at32(space, p) (*(space const double8_at32*)(p))
#define store_double8_at32(space, p, v) (*(space double8_at32*)(p) = (v))
#else
#define load_double8_at32(space, p) vload8(0, (space const double*)(p))
#define store_double8_at32(space, p, v) vstore8(v, 0, (space double*)(p))
#endif
#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define shuffle_double2(a, b, i0, i1) __builtin_shufflevector(a, b, i0, i1)
#endif
#endif
#ifndef shuffle_double2
#define shuffle_double2(a, b, i0, i1) shuffle2(a, b, (ulong2)(i0, i1))
#endif
#ifdef __clang__
typedef double double2_at8 __attribute__((ext_vector_type(2), aligned(8)));
#define load_double2_at8(space, p) (*(space const double2_at8*)(p))
#define store_double2_at8(space, p, v) (*(space double2_at8*)(p) = (v))
#else
#define load_double2_at8(space, p) vload2(0, (space const double*)(p))
#define store_double2_at8(space, p, v) vstore2(v, 0, (space double*)(p))
#endif
#ifdef __clang__
typedef double double4_at16 __attribute__((ext_vector_type(4), aligned(16)));
#define load_double4_at16(space, p) (*(space const double4_at16*)(p))
#define store_double4_at16(space, p, v) (*(space double4_at16*)(p) = (v))
#else
#define load_double4_at16(space, p) vload4(0, (space const double*)(p))
#define store_double4_at16(space, p, v) vstore4(v, 0, (space double*)(p))
#endif
#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define shuffle_double4(a, b, i0, i1, i2, i3) __builtin_shufflevector(a, b, i0, i1, i2, i3)
#endif
#endif
#ifndef shuffle_double4
#define shuffle_double4(a, b, i0, i1, i2, i3) shuffle2(a, b, (ulong4)(i0, i1, i2, i3))
#endif
#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define shuffle_double8(a, b, i0, i1, i2, i3, i4, i5, i6, i7) __builtin_shufflevector(a, b, i0, i1, i2, i3, i4, i5, i6, i7)
#endif
#endif
#ifndef shuffle_double8
#define shuffle_double8(a, b, i0, i1, i2, i3, i4, i5, i6, i7) shuffle2(a, b, (ulong8)(i0, i1, i2, i3, i4, i5, i6, i7))
#endif

__kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void forward_0_n4(
    __global const double4* restrict in, ulong in_offset,
    __global double4* restrict out, ulong out_offset,
    __global const double2* restrict table, ulong table_offset,
    const uint sequences)
{
    __local double scratch_a[16] __attribute__((aligned(64)));
    in += in_offset;
    out += out_offset;
    table += table_offset;
    const uint group = (uint)get_group_id(0);
    const uint v0 = group * 8u;
    const uint v1 = v0 + 8u;
    const uint v2 = min(v1, sequences);
    for (uint i3 = v0; i3 < v2; i3 += 1u) {
        const ulong v4 = (ulong)i3;
        const ulong v5 = v4 * 4ul;
        const double8 v6 = load_double8_at32(__global, in + v5);
        const double4 v7 = v6.s0246;
        const double4 v8 = v6.s1357;
        const double2 v9 = v7.s02;
        const double2 v10 = v8.s02;
        const double2 v11 = v7.s13;
        const double2 v12 = v8.s13;
        const ulong v13 = v5 + 2ul;
        const double8 v14 = load_double8_at32(__global, in + v13);
        const double4 v15 = v14.s0246;
        const double4 v16 = v14.s1357;
        const double2 v17 = v15.s02;
        const double2 v18 = v16.s02;
        const double2 v19 = v15.s13;
        const double2 v20 = v16.s13;
        const double2 v21 = v9 + v17;
        const double2 v22 = v21 - v9;
        const double2 v23 = v17 - v22;
        const double2 v24 = v21 - v22;
        const double2 v25 = v9 - v24;
        const double2 v26 = v25 + v23;
        const double2 v27 = v10 + v18;
        const double2 v28 = v26 + v27;
        const double2 v29 = v21 + v28;
        const double2 v30 = v29 - v21;
        const double2 v31 = v28 - v30;
        const double2 v32 = v11 + v19;
        const double2 v33 = v32 - v11;
        const double2 v34 = v19 - v33;
        const double2 v35 = v32 - v33;
        const double2 v36 = v11 - v35;
        const double2 v37 = v36 + v34;
        const double2 v38 = v12 + v20;
        const double2 v39 = v37 + v38;
        const double2 v40 = v32 + v39;
        const double2 v41 = v40 - v32;
        const double2 v42 = v39 - v41;
        const double2 v43 = v9 - v17;
        const double2 v44 = v43 - v9;
        const double2 v45 = v17 + v44;
        const double2 v46 = v43 - v44;
        const double2 v47 = v9 - v46;
        const double2 v48 = v47 - v45;
        const double2 v49 = v10 - v18;
        const double2 v50 = v48 + v49;
        const double2 v51 = v43 + v50;
        const double2 v52 = v51 - v43;
        const double2 v53 = v50 - v52;
        const double2 v54 = v11 - v19;
        const double2 v55 = v54 - v11;
        const double2 v56 = v19 + v55;
        const double2 v57 = v54 - v55;
        const double2 v58 = v11 - v57;
        const double2 v59 = v58 - v56;
        const double2 v60 = v12 - v20;
        const double2 v61 = v59 + v60;
        const double2 v62 = v54 + v61;
        const double2 v63 = v62 - v54;
        const double2 v64 = v61 - v63;
        const double2 v65 = shuffle_double2(v29, v51, 0, 2);
        const double2 v66 = shuffle_double2(v31, v53, 0, 2);
        const double2 v67 = shuffle_double2(v29, v51, 1, 3);
        const double2 v68 = shuffle_double2(v31, v53, 1, 3);
        const double2 v69 = shuffle_double2(v40, v62, 0, 2);
        const double2 v70 = shuffle_double2(v42, v64, 0, 2);
        const double2 v71 = shuffle_double2(v40, v62, 1, 3);
        const double2 v72 = shuffle_double2(v42, v64, 1, 3);
        store_double2_at8(__local, scratch_a + 0u, v65);
        store_double2_at8(__local, scratch_a + 8u, v66);
        store_double2_at8(__local, scratch_a + 4u, v69);
        store_double2_at8(__local, scratch_a + 12u, v70);
        store_double2_at8(__local, scratch_a + 2u, v67);
        store_double2_at8(__local, scratch_a + 10u, v68);
        store_double2_at8(__local, scratch_a + 6u, v71);
        store_double2_at8(__local, scratch_a + 14u, v72);
        const double2 v73 = load_double2_at8(__local, scratch_a + 0u);
        const double2 v74 = load_double2_at8(__local, scratch_a + 8u);
        const double2 v75 = load_double2_at8(__local, scratch_a + 4u);
        const double2 v76 = load_double2_at8(__local, scratch_a + 12u);
        const double2 v77 = load_double2_at8(__local, scratch_a + 2u);
        const double2 v78 = load_double2_at8(__local, scratch_a + 10u);
        const double2 v79 = load_double2_at8(__local, scratch_a + 6u);
        const double2 v80 = load_double2_at8(__local, scratch_a + 14u);
        const double4 v81 = load_double4_at16(__global, table + 0ul);
        const double2 v82 = v81.s02;
        const double2 v83 = v81.s13;
        const double4 v84 = load_double4_at16(__global, table + 2ul);
        const double2 v85 = v84.s02;
        const double2 v86 = v84.s13;
        const double2 v87 = v79 * v85;
        const double2 v88 = -v87;
        const double2 v89 = fma(v79, v85, v88);
        const double2 v90 = v79 * v86;
        const double2 v91 = fma(v80, v85, v90);
        const double2 v92 = v89 + v91;
        const double2 v93 = v87 + v92;
        const double2 v94 = v93 - v87;
        const double2 v95 = v92 - v94;
        const double2 v96 = -v93;
        const double2 v97 = v77 * v82;
        const double2 v98 = -v97;
        const double2 v99 = fma(v77, v82, v98);
        const double2 v100 = fma(v77, v83, v99);
        const double2 v101 = fma(v78, v82, v100);
        const double2 v102 = v97 - v93;
        const double2 v103 = v102 - v97;
        const double2 v104 = v96 - v103;
        const double2 v105 = v102 - v103;
        const double2 v106 = v97 - v105;
        const double2 v107 = v106 + v104;
        const double2 v108 = v101 - v95;
        const double2 v109 = v107 + v108;
        const double2 v110 = v102 + v109;
        const double2 v111 = v110 - v102;
        const double2 v112 = v109 - v111;
        const double2 v113 = v79 * v82;
        const double2 v114 = -v113;
        const double2 v115 = fma(v79, v82, v114);
        const double2 v116 = v79 * v83;
        const double2 v117 = fma(v80, v82, v116);
        const double2 v118 = v115 + v117;
        const double2 v119 = v113 + v118;
        const double2 v120 = v119 - v113;
        const double2 v121 = v118 - v120;
        const double2 v122 = v77 * v85;
        const double2 v123 = -v122;
        const double2 v124 = fma(v77, v85, v123);
        const double2 v125 = fma(v77, v86, v124);
        const double2 v126 = fma(v78, v85, v125);
        const double2 v127 = v122 + v119;
        const double2 v128 = v127 - v122;
        const double2 v129 = v119 - v128;
        const double2 v130 = v127 - v128;
        const double2 v131 = v122 - v130;
        const double2 v132 = v131 + v129;
        const double2 v133 = v126 + v121;
        const double2 v134 = v132 + v133;
        const double2 v135 = v127 + v134;
        const double2 v136 = v135 - v127;
        const double2 v137 = v134 - v136;
        const double2 v138 = v73 + v110;
        const double2 v139 = v138 - v73;
        const double2 v140 = v110 - v139;
        const double2 v141 = v138 - v139;
        const double2 v142 = v73 - v141;
        const double2 v143 = v142 + v140;
        const double2 v144 = v74 + v112;
        const double2 v145 = v143 + v144;
        const double2 v146 = v138 + v145;
        const double2 v147 = v146 - v138;
        const double2 v148 = v145 - v147;
        const double2 v149 = v75 + v135;
        const double2 v150 = v149 - v75;
        const double2 v151 = v135 - v150;
        const double2 v152 = v149 - v150;
        const double2 v153 = v75 - v152;
        const double2 v154 = v153 + v151;
        const double2 v155 = v76 + v137;
        const double2 v156 = v154 + v155;
        const double2 v157 = v149 + v156;
        const double2 v158 = v157 - v149;
        const double2 v159 = v156 - v158;
        const double2 v160 = v73 - v110;
        const double2 v161 = v160 - v73;
        const double2 v162 = v110 + v161;
        const double2 v163 = v160 - v161;
        const double2 v164 = v73 - v163;
        const double2 v165 = v164 - v162;
        const double2 v166 = v74 - v112;
        const double2 v167 = v165 + v166;
        const double2 v168 = v160 + v167;
        const double2 v169 = v168 - v160;
        const double2 v170 = v167 - v169;
        const double2 v171 = v75 - v135;
        const double2 v172 = v171 - v75;
        const double2 v173 = v135 + v172;
        const double2 v174 = v171 - v172;
        const double2 v175 = v75 - v174;
        const double2 v176 = v175 - v173;
        const double2 v177 = v76 - v137;
        const double2 v178 = v176 + v177;
        const double2 v179 = v171 + v178;
        const double2 v180 = v179 - v171;
        const double2 v181 = v178 - v180;
        const double4 v182 = shuffle_double4(v146, v157, 0, 2, 1, 3);
        const double4 v183 = shuffle_double4(v148, v159, 0, 2, 1, 3);
        const double8 v184 = shuffle_double8(v182, v183, 0, 4, 1, 5, 2, 6, 3, 7);
        store_double8_at32(__global, out + v5, v184);
        const double4 v185 = shuffle_double4(v168, v179, 0, 2, 1, 3);
        const double4 v186 = shuffle_double4(v170, v181, 0, 2, 1, 3);
        const double8 v187 = shuffle_double8(v185, v186, 0, 4, 1, 5, 2, 6, 3, 7);
        store_double8_at32(__global, out + v13, v187);
    }
}

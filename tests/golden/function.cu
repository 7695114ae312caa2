// c2c f32 n=8 radices=4x2 threads=2 sequences=1 exchange=full strides=1,1
#define FFT_8_THREADS 2
static __device__ const float2 fft_8_twiddles[4] = {
    {1.0f, 0.0f}, {0.70710677f, (-0.70710677f)}, {0.0f, (-1.0f)}, {(-0.70710677f), (-0.70710677f)}};

__device__ __forceinline__ void fft_8(float2 (&x)[4], float* exchange, unsigned int lane)
{
    typedef unsigned int u32;
    typedef unsigned long long u64;
    float* const real = exchange + 0;
    float* const imag = exchange + 8;
    const float2 v0 = x[0u];
    const float2 v1 = x[1u];
    const float2 v2 = x[2u];
    const float2 v3 = x[3u];
    const float v4 = v0.y + v2.y;
    const float v5 = v0.x + v2.x;
    const float v6 = v0.y - v2.y;
    const float v7 = v0.x - v2.x;
    const float v8 = v1.y + v3.y;
    const float v9 = v1.x + v3.x;
    const float v10 = v1.y - v3.y;
    const float v11 = v1.x - v3.x;
    const float v12 = v4 + v8;
    const float v13 = v5 + v9;
    const float v14 = v4 - v8;
    const float v15 = v5 - v9;
    const float v16 = v6 + v11;
    const float v17 = v7 - v10;
    const float v18 = v6 - v11;
    const float v19 = v7 + v10;
    __syncthreads();
    const u32 v20 = lane * 4u;
    real[v20] = v12;
    (real + v20)[1u] = v16;
    (real + v20)[2u] = v14;
    (real + v20)[3u] = v18;
    imag[v20] = v13;
    (imag + v20)[1u] = v17;
    (imag + v20)[2u] = v15;
    (imag + v20)[3u] = v19;
    const u64 v21 = (u64)lane;
    const float2 v22 = __ldg(fft_8_twiddles + v21);
    const u64 v23 = (u64)lane + 2ull;
    const float2 v24 = __ldg(fft_8_twiddles + v23);
    __syncthreads();
    const float v25 = real[lane];
    const float v26 = (real + lane)[4u];
    const float v27 = (real + lane)[2u];
    const float v28 = (real + lane)[6u];
    const float v29 = imag[lane];
    const float v30 = (imag + lane)[4u];
    const float v31 = (imag + lane)[2u];
    const float v32 = (imag + lane)[6u];
    const float v33 = fmaf(v22.x, v26, v25);
    const float v34 = -v22.y;
    const float v35 = fmaf(v34, v30, v33);
    const float v36 = fmaf(v22.x, v30, v29);
    const float v37 = fmaf(v22.y, v26, v36);
    const float v38 = -v35;
    const float v39 = fmaf(v25, 2.0f, v38);
    const float v40 = -v37;
    const float v41 = fmaf(v29, 2.0f, v40);
    const float v42 = fmaf(v24.x, v28, v27);
    const float v43 = -v24.y;
    const float v44 = fmaf(v43, v32, v42);
    const float v45 = fmaf(v24.x, v32, v31);
    const float v46 = fmaf(v24.y, v28, v45);
    const float v47 = -v44;
    const float v48 = fmaf(v27, 2.0f, v47);
    const float v49 = -v46;
    const float v50 = fmaf(v31, 2.0f, v49);
    x[0u] = make_float2(v37, v35);
    x[2u] = make_float2(v41, v39);
    x[1u] = make_float2(v46, v44);
    x[3u] = make_float2(v50, v48);
}

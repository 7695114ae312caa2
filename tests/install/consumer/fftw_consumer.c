/* What a program of FFTW looks like; PREFIX is fftw or fftwf. */
#include <fftw3.h>
#include <stdio.h>

#define JOIN(a, b) a##_##b
#define NAME(a, b) JOIN(a, b)
#define FFT(name) NAME(PREFIX, name)

int main(void) {
    FFT(complex)* data = FFT(alloc_complex)(8);
    FFT(plan) plan = FFT(plan_dft_1d)(8, data, data, FFTW_FORWARD, FFTW_ESTIMATE);
    int i;
    for (i = 0; i < 8; ++i) data[i][0] = 1, data[i][1] = 0;
    FFT(execute)(plan);
    printf("%g %g %s\n", (double)data[0][0], (double)data[3][0], FFT(version));
    FFT(destroy_plan)(plan);
    FFT(free)(data);
    FFT(cleanup)();
    return 0;
}

// The timings that the texts print, digit for digit.
#pragma once

#include <array>
#include <cstdint>

namespace seiche::study {

/// mota2022, Table 2: "FFT algorithms benchmark. Results are measured in milliseconds for forward and inverse
/// computation with varying input sizes".
struct PrintedSizes {
    std::uint64_t length;
    const char *direct, *in_time, *in_frequency, *recursive;
};
inline constexpr std::array mota2022_table_2{
    PrintedSizes{128, "5.16593", "0.169113", "0.159458", "0.210895"},
    PrintedSizes{256, "17.2782", "0.37668", "0.378722", "0.485643"},
    PrintedSizes{512, "70.5689", "0.86415", "0.881921", "1.4421"},
    PrintedSizes{1024, "293.104", "1.8793", "1.90661", "2.32922"},
    PrintedSizes{2048, "1246.44", "4.47742", "4.13369", "5.1178"},
};

/// wang, Table 3: "The run time comparison of Brutal FT, FFT CPU, and FFT GPU for number of elements in input. All
/// times are in seconds".
struct PrintedElements {
    std::uint64_t length;
    const char *brutal, *cpu, *gpu;
};
inline constexpr std::array wang_table_3{
    PrintedElements{1024, "105.27", "1.14", "0.32"},
    PrintedElements{2048, "421.39", "2.50", "0.35"},
    PrintedElements{4096, "1681.68", "5.42", "0.38"},
    PrintedElements{8192, "6745.41", "11.67", "0.42"},
};

}  // namespace seiche::study

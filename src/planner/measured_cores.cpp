// Cores whose radices, threads and groups were measured to be faster than the policy's: dense sequences, and columns as
// passes and other axes have them. Data, and how it is found.
#include "planner/measured_cores.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "planner/shape_parts.hpp"

namespace seiche::planner {

namespace {

struct Row {
    std::uint16_t n, threads;
    std::uint8_t sequences;  ///< Of a group; 0: the policy's.
    std::array<std::uint8_t, 5> radices;
    /// Resident groups to ask for; 0: the policy's. Measured: LAB-0025.
    std::uint8_t groups = 0;
};

/// By rising n: the fastest of up to 40 of each length on an H200; those that keep their groups busy without memory
/// were found on an H100. Measured: LAB-0025.
// clang-format off
constexpr Row of_floats[] = {
    {100, 4, 0, {25, 4}}, {125, 32, 4, {5, 5, 5}}, {128, 8, 2, {16, 8}}, {225, 15, 8, {15, 15}},
    {243, 27, 1, {9, 3, 9}}, {294, 14, 2, {14, 21}}, {300, 20, 4, {20, 15}}, {343, 7, 4, {49, 7}},
    {441, 21, 4, {21, 21}}, {486, 54, 1, {9, 6, 9}}, {525, 35, 4, {15, 7, 5}},
    {540, 27, 1, {27, 20}}, {588, 28, 1, {12, 7, 7}}, {625, 32, 1, {25, 25}}, {630, 32, 2, {21, 6, 5}},
    {675, 27, 0, {27, 25}}, {720, 30, 1, {30, 2, 12}}, {729, 32, 1, {27, 27}}, {735, 53, 1, {15, 7, 7}},
    {750, 32, 2, {25, 6, 5}}, {756, 28, 2, {28, 27}}, {768, 32, 0, {24, 4, 8}}, {810, 30, 1, {30, 27}},
    {840, 60, 1, {15, 8, 7}}, {945, 63, 2, {21, 5, 9}}, {1000, 50, 1, {10, 5, 20}}, {1001, 91, 1, {13, 7, 11}},
    {1080, 90, 2, {15, 6, 12}}, {1200, 80, 1, {15, 16, 5}}, {1225, 35, 4, {35, 35}}, {1250, 63, 2, {25, 5, 10}},
    {1260, 90, 2, {15, 6, 14}}, {1296, 48, 1, {27, 8, 6}}, {1323, 63, 2, {21, 3, 21}}, {1440, 96, 0, {16, 6, 15}},
    {1458, 54, 2, {27, 2, 27}}, {1500, 60, 1, {15, 4, 25}}, {1512, 84, 1, {21, 4, 18}}, {1568, 112, 2, {14, 14, 8}},
    {1600, 64, 2, {25, 16, 4}}, {1620, 60, 1, {30, 2, 27}}, {1680, 84, 1, {21, 4, 20}}, {1764, 126, 1, {18, 7, 14}},
    {1800, 120, 1, {15, 8, 15}}, {1875, 75, 1, {25, 15, 5}}, {1920, 128, 2, {15, 8, 16}}, {1944, 72, 1, {27, 8, 9}},
    {1960, 62, 1, {35, 7, 8}}, {2000, 80, 0, {25, 16, 5}}, {2025, 135, 0, {9, 15, 15}}, {2058, 147, 1, {21, 7, 14}},
    {2187, 81, 0, {27, 9, 9}},
    {2200, 92, 1, {25, 8, 11}}, {2205, 63, 1, {35, 3, 21}}, {2240, 160, 0, {16, 10, 14}}, {2250, 150, 2, {15, 10, 15}},
    {2268, 126, 1, {18, 7, 18}}, {2352, 56, 1, {42, 14, 4}}, {2400, 80, 1, {30, 8, 10}}, {2430, 90, 1, {15, 6, 27}},
    {2450, 82, 1, {35, 7, 10}}, {2500, 100, 1, {25, 4, 25}}, {2520, 210, 1, {15, 12, 14}}, {2592, 96, 1, {27, 16, 6}},
    {2600, 104, 1, {25, 8, 13}}, {2625, 125, 1, {25, 5, 21}}, {2700, 90, 1, {30, 15, 6}},
    {3000, 120, 0, {25, 8, 15}}, {3024, 112, 0, {27, 16, 7}},
    {3150, 150, 0, {25, 6, 21}}, {3200, 160, 0, {8, 20, 20}}, {3240, 180, 0, {18, 10, 18}},
    {3360, 240, 0, {15, 16, 14}}, {3430, 123, 0, {35, 14, 7}}, {3500, 175, 0, {25, 7, 20}},
    {3645, 135, 0, {27, 5, 27}}, {3750, 150, 0, {25, 6, 25}}, {3780, 210, 0, {21, 10, 18}},
    {3888, 162, 0, {27, 6, 24}}, {4000, 160, 0, {25, 32, 5}}, {4032, 192, 0, {21, 24, 8}}, {4050, 150, 0, {30, 15, 9}},
    {4116, 98, 0, {42, 7, 14}}, {4374, 243, 0, {27, 9, 18}}, {4375, 175, 0, {25, 7, 25}}, {4410, 126, 0, {35, 7, 18}},
    {4480, 160, 0, {5, 28, 32}}, {4536, 216, 0, {27, 8, 21}}, {4608, 288, 0, {18, 16, 16}},
    {4704, 112, 0, {42, 8, 14}}, {4725, 189, 0, {27, 7, 25}}, {4800, 160, 0, {30, 10, 16}},
    {4802, 343, 0, {7, 7, 7, 14}}, {4860, 180, 0, {30, 6, 27}}, {4900, 140, 0, {35, 4, 35}},
    {5040, 252, 0, {21, 3, 4, 20}}, {5145, 147, 0, {35, 21, 7}}, {5184, 216, 0, {27, 8, 24}},
    {5250, 263, 0, {25, 10, 21}}, {5292, 126, 0, {42, 9, 14}}, {5600, 234, 0, {25, 8, 28}},
    {5625, 225, 0, {25, 9, 25}}, {5670, 284, 0, {27, 10, 21}}, {5832, 243, 0, {27, 9, 24}},
    {6000, 300, 0, {25, 20, 12}}, {6048, 252, 0, {27, 8, 28}}, {6075, 243, 0, {27, 9, 25}},
    {6125, 175, 0, {35, 5, 35}}, {6174, 147, 0, {49, 6, 21}}, {6272, 224, 0, {32, 28, 7}},
    {6400, 256, 0, {25, 16, 16}}, {6480, 240, 0, {15, 16, 27}}, {6615, 189, 0, {35, 9, 21}},
    {6720, 240, 0, {30, 8, 28}}, {6750, 225, 0, {30, 15, 15}}, {6804, 252, 0, {27, 28, 9}},
    {6860, 245, 0, {35, 7, 28}}, {7000, 350, 0, {25, 10, 4, 7}}, {7168, 256, 0, {32, 14, 16}},
    {7200, 240, 0, {30, 16, 15}}, {7290, 270, 0, {30, 9, 27}}, {7350, 245, 0, {35, 7, 30}},
    {7500, 300, 0, {30, 10, 25}}, {7680, 256, 0, {32, 15, 16}}, {7776, 324, 0, {27, 12, 24}},
    {7840, 245, 0, {35, 16, 14}}, {7875, 315, 0, {25, 5, 9, 7}}, {8000, 320, 0, {32, 25, 10}},
    {8100, 300, 0, {30, 10, 27}}, {8192, 256, 0, {32, 16, 16}}, {8232, 196, 0, {49, 14, 12}},
    {8400, 300, 0, {30, 10, 28}},
    {8505, 315, 0, {27, 7, 3, 15}}, {8575, 245, 0, {35, 7, 35}}, {8748, 486, 0, {18, 6, 9, 9}},
    {8750, 350, 0, {14, 25, 25}}, {9072, 378, 0, {27, 24, 14}}, {9216, 384, 0, {24, 4, 12, 8}},
    {9375, 375, 0, {25, 3, 5, 25}}, {9408, 196, 0, {49, 12, 16}}, {9450, 378, 0, {27, 25, 14}},
    {9604, 229, 0, {49, 14, 14}}, {9800, 245, 0, {49, 10, 20}}, {10000, 500, 0, {25, 20, 20}, 2},
    {10125, 405, 0, {27, 15, 25}},
    {10290, 245, 0, {49, 15, 14}}, {10368, 432, 0, {27, 8, 6, 8}, 2}, {10500, 525, 0, {21, 20, 25}},
    {10584, 252, 0, {42, 6, 42}}, {10800, 432, 0, {27, 16, 25}}, {10935, 405, 0, {27, 15, 27}},
    {11025, 245, 0, {49, 15, 15}}, {11200, 448, 0, {32, 25, 14}}, {11340, 420, 0, {30, 14, 27}},
    {11664, 432, 0, {27, 16, 27}}, {11907, 567, 0, {27, 21, 21}}, {12005, 343, 0, {49, 7, 35}},
    {12150, 450, 0, {30, 15, 27}}, {12250, 350, 0, {35, 10, 35}}, {12348, 294, 0, {42, 7, 42}},
    {12500, 625, 0, {25, 20, 25}}, {12600, 450, 0, {30, 14, 30}}, {12960, 480, 0, {32, 27, 15}},
    {13230, 315, 0, {45, 7, 42}}, {13440, 480, 0, {30, 16, 28}}, {13720, 490, 0, {35, 14, 28}},
    {13824, 512, 0, {32, 16, 27}}, {14112, 294, 0, {49, 12, 3, 8}}, {14175, 567, 0, {27, 7, 3, 25}},
    {14336, 512, 0, {32, 14, 32}}, {14400, 480, 0, {30, 16, 30}}, {14406, 343, 0, {49, 7, 42}},
    {14700, 420, 0, {35, 20, 21}}, {15000, 625, 0, {25, 24, 25}}, {15120, 560, 0, {30, 9, 4, 14}},
    {15309, 567, 0, {27, 3, 7, 27}}, {15360, 512, 0, {32, 15, 32}}, {15435, 343, 0, {49, 7, 45}},
    {15680, 560, 0, {35, 16, 28}}, {15750, 630, 0, {25, 5, 9, 14}}, {15876, 441, 0, {42, 18, 21}},
    {16128, 672, 0, {24, 8, 6, 14}}, {16200, 675, 0, {27, 24, 25}}, {16807, 343, 0, {49, 7, 49}},
    {17496, 729, 0, {27, 24, 27}}, {20000, 1000, 0, {20, 5, 10, 20}},
};
/// In 16-bit storage, computed in f32.
constexpr Row of_16_bit[] = {
    {96, 24, 4, {6, 4, 4}}, {100, 10, 16, {10, 10}}, {128, 8, 4, {16, 8}}, {175, 25, 2, {7, 5, 5}},
    {256, 16, 2, {16, 16}},
    {360, 40, 1, {9, 8, 5}}, {384, 32, 4, {16, 6, 4}}, {512, 16, 2, {32, 16}}, {768, 32, 2, {8, 8, 12}},
    {784, 56, 1, {14, 8, 7}}, {1000, 100, 1, {10, 10, 10}}, {1024, 32, 4, {32, 32}}, {1536, 96, 1, {16, 6, 16}},
    {2000, 80, 1, {10, 8, 25}}, {2048, 64, 1, {32, 16, 4}}, {3000, 125, 0, {25, 5, 24}}, {4000, 200, 0, {10, 20, 20}},
    {4096, 128, 1, {32, 32, 4}}, {6000, 250, 0, {25, 5, 6, 8}}, {8192, 256, 1, {32, 16, 16}},
    {16384, 512, 1, {32, 32, 16}},
};
constexpr Row of_doubles[] = {
    {4, 1, 32, {4}}, {128, 16, 1, {8, 4, 4}}, {500, 25, 1, {25, 10, 2}}, {540, 30, 1, {6, 9, 10}},
    {600, 40, 2, {5, 8, 15}}, {625, 25, 1, {5, 5, 25}}, {648, 81, 0, {9, 8, 9}}, {675, 45, 1, {15, 3, 15}},
    {729, 81, 0, {9, 9, 9}}, {750, 30, 1, {15, 2, 25}}, {800, 80, 0, {8, 10, 10}}, {864, 32, 1, {27, 16, 2}},
    {900, 30, 1, {30, 3, 10}}, {960, 64, 2, {15, 16, 4}}, {972, 54, 1, {6, 9, 18}}, {1000, 50, 1, {25, 10, 4}},
    {1001, 91, 0, {13, 7, 11}}, {1008, 84, 0, {14, 6, 12}}, {1080, 60, 1, {10, 6, 18}}, {1125, 75, 0, {15, 5, 15}},
    {1152, 72, 0, {9, 8, 16}}, {1200, 80, 0, {16, 15, 5}}, {1215, 81, 0, {9, 9, 15}}, {1250, 50, 1, {10, 5, 25}},
    {1296, 81, 0, {18, 9, 8}}, {1400, 56, 1, {14, 25, 4}}, {1440, 80, 0, {20, 4, 18}}, {1500, 60, 1, {30, 2, 25}},
    {1568, 112, 0, {16, 14, 7}}, {1600, 100, 0, {25, 8, 8}}, {1620, 90, 0, {10, 9, 18}}, {1728, 64, 0, {27, 8, 8}},
    {1875, 75, 0, {15, 5, 25}}, {1944, 108, 0, {27, 18, 4}}, {2000, 100, 0, {25, 10, 8}}, {2025, 135, 0, {15, 9, 15}},
    {2058, 147, 0, {21, 7, 14}}, {2187, 122, 0, {27, 9, 9}}, {2500, 125, 0, {25, 5, 20}}, {2592, 108, 0, {27, 8, 12}},
    {2700, 150, 0, {25, 18, 6}}, {2800, 140, 0, {14, 10, 20}}, {2880, 120, 0, {30, 24, 4}},
    {2916, 162, 0, {18, 9, 18}}, {3000, 120, 0, {30, 4, 25}}, {3024, 126, 0, {14, 9, 24}},
    {3125, 125, 0, {25, 5, 25}}, {3200, 160, 0, {16, 10, 20}}, {3240, 180, 0, {18, 9, 20}},
    {3456, 128, 1, {16, 27, 8}}, {3500, 175, 0, {25, 7, 20}}, {3645, 135, 0, {15, 9, 27}},
    {3750, 150, 0, {30, 5, 25}}, {3888, 162, 0, {27, 12, 12}}, {4000, 200, 0, {20, 10, 20}, 2},
    {4032, 192, 0, {8, 21, 24}}, {4050, 162, 0, {27, 6, 25}}, {4200, 175, 0, {25, 12, 14}},
    {4320, 180, 0, {30, 12, 12}}, {4500, 180, 0, {30, 6, 25}}, {4608, 192, 0, {16, 12, 24}},
    {4800, 320, 0, {5, 8, 8, 15}}, {5000, 250, 0, {10, 5, 10, 10}}, {5040, 180, 0, {30, 6, 28}},
    {5120, 320, 0, {16, 4, 16, 5}}, {5184, 216, 0, {6, 6, 12, 12}}, {5400, 180, 0, {30, 6, 30}},
    {5600, 224, 0, {14, 25, 16}}, {5760, 360, 0, {18, 16, 20}}, {5832, 324, 0, {18, 18, 18}},
    {6000, 300, 0, {25, 12, 20}}, {6048, 378, 0, {18, 16, 21}}, {6144, 192, 0, {16, 3, 8, 16}},
    {6250, 250, 0, {25, 10, 25}}, {6400, 320, 0, {32, 10, 20}}, {6480, 360, 0, {18, 18, 20}},
    {6561, 243, 0, {27, 9, 27}}, {6750, 270, 0, {30, 9, 25}}, {7000, 350, 0, {25, 20, 14}},
    {7200, 240, 0, {30, 8, 30}}, {7290, 270, 0, {30, 9, 27}}, {7500, 300, 0, {30, 25, 10}},
    {7680, 256, 0, {16, 30, 16}}, {7776, 324, 0, {27, 12, 24}}, {8000, 400, 0, {20, 20, 20}},
    {8100, 450, 0, {25, 18, 18}}, {8192, 256, 1, {32, 16, 16}}, {8640, 360, 0, {30, 12, 24}},
    {9000, 300, 0, {30, 10, 30}}, {9216, 384, 0, {16, 24, 24}}, {10000, 500, 0, {20, 5, 5, 20}},
};
/// Neighbouring columns of floats: 20 to 32 points a thread leave at most 512 threads a group. Measured: LAB-0025.
constexpr Row of_columns[] = {
    {120, 8, 16, {8, 15}}, {125, 5, 16, {5, 25}}, {144, 8, 16, {18, 8}}, {200, 10, 16, {20, 10}}, {216, 8, 16, {27, 8}},
    {240, 12, 16, {20, 12}}, {256, 16, 16, {16, 16}}, {270, 18, 16, {15, 2, 9}}, {300, 10, 32, {15, 2, 10}},
    {320, 11, 16, {10, 32}}, {360, 15, 16, {24, 3, 5}}, {384, 16, 16, {32, 12}}, {400, 20, 16, {20, 20}},
    {450, 15, 16, {6, 15, 5}}, {480, 16, 16, {2, 15, 16}}, {486, 27, 8, {9, 9, 6}}, {540, 18, 16, {15, 6, 6}},
    {600, 25, 8, {24, 25}}, {625, 25, 8, {25, 25}}, {630, 63, 8, {10, 9, 7}}, {640, 40, 8, {4, 8, 20}},
    {720, 30, 16, {30, 24}}, {729, 27, 8, {27, 27}}, {768, 32, 16, {24, 2, 16}}, {800, 40, 8, {20, 2, 20}},
    {900, 30, 16, {30, 30}}, {960, 32, 16, {30, 32}}, {1000, 50, 8, {10, 10, 10}}, {1024, 32, 16, {32, 32}},
    {1200, 40, 8, {5, 15, 16}}, {1250, 50, 8, {25, 2, 25}}, {1440, 48, 16, {32, 3, 15}}, {1500, 50, 8, {10, 10, 15}},
    {1536, 64, 16, {8, 8, 24}}, {1920, 120, 8, {20, 6, 16}}, {2000, 100, 8, {20, 5, 20}}, {2048, 128, 8, {8, 16, 16}},
    {2187, 81, 4, {9, 3, 9, 9}}, {2500, 125, 8, {20, 5, 5, 5}},
};
constexpr Row of_columns_of_doubles[] = {
    {120, 6, 16, {3, 10, 4}}, {160, 20, 16, {5, 4, 8}}, {180, 15, 16, {15, 12}}, {240, 16, 16, {15, 2, 8}},
    {480, 16, 8, {30, 16}}, {600, 40, 8, {8, 5, 15}}, {720, 24, 8, {6, 15, 8}}, {960, 32, 8, {32, 30}},
    {1024, 32, 8, {32, 32}}, {1200, 80, 4, {16, 5, 15}}, {1280, 64, 4, {4, 4, 10, 8}}, {1440, 48, 4, {16, 15, 6}},
    {1536, 64, 8, {24, 8, 8}}, {1920, 120, 4, {20, 6, 16}}, {2000, 100, 4, {20, 5, 20}},
};
/// The same behind twiddles of a longer transform, without lengths that lost. Measured: LAB-0025.
constexpr Row of_twiddled_columns[] = {
    {240, 12, 16, {20, 12}}, {625, 25, 8, {25, 25}}, {729, 27, 8, {27, 27}}, {2048, 128, 8, {8, 16, 16}},
    {2187, 81, 8, {27, 9, 9}}, {3125, 125, 4, {5, 5, 5, 5, 5}},
};
/// The same of a first pass, whose results are contiguous. Measured: LAB-0025.
constexpr Row of_first_columns[] = {
    {240, 12, 16, {20, 12}}, {625, 25, 8, {25, 25}}, {800, 40, 8, {20, 2, 20}}, {2187, 81, 8, {27, 9, 9}},
};
/// Rows of f32 by their core's points, half as many as numbers: to a spectrum, and from one.
constexpr Row of_r2c_rows[] = {
    {32, 1, 0, {32}}, {256, 32, 1, {8, 8, 4}}, {512, 32, 1, {16, 16, 2}}, {1024, 64, 1, {16, 16, 4}},
    {2048, 64, 2, {32, 16, 4}}, {4096, 128, 1, {32, 16, 8}}, {8192, 256, 1, {32, 32, 8}}, {16384, 512, 1, {32, 32, 16}},
};
constexpr Row of_c2r_rows[] = {
    {32, 2, 0, {4, 8}},
    {4096, 128, 1, {16, 32, 8}},
    {8192, 256, 1, {4, 16, 8, 16}},
    {16384, 512, 1, {16, 32, 32}},
};
constexpr Row of_c2r_rows_of_doubles[] = {{2048, 128, 1, {16, 8, 16}}};

/// Instead, where memory is fast. Measured: LAB-0025.
constexpr Row fast_floats[] = {
    {2401, 172, 0, {7, 7, 7, 7}}, {7776, 288, 0, {2, 9, 16, 27}}, {20000, 1000, 0, {20, 10, 5, 20}}};
constexpr Row fast_16_bit[] = {{8192, 256, 1, {32, 8, 32}}};
constexpr Row fast_doubles[] = {{8192, 256, 1, {16, 16, 32}}, {10000, 500, 0, {10, 10, 5, 20}}};
constexpr Row fast_r2c_rows[] = {{1024, 64, 1, {16, 2, 16, 2}}, {4096, 256, 0, {16, 8, 16, 2}}};
constexpr Row fast_c2r_rows[] = {{8192, 256, 1, {16, 8, 8, 8}}};

struct PaddedRow {
    std::uint16_t n, threads;
    std::uint8_t groups;  ///< Resident groups to ask for; 0: the policy's.
    std::array<std::uint8_t, 5> radices;
    float nanoseconds;
    bool in_loop = false;  ///< See CoreLoop.
    /// Transforms of a group where memory is fast; 0: the policy's. Measured: LAB-0026.
    std::uint8_t of_fast_memory = 0;
};

/// Cores of padded convolutions, by rising n, and an H100's time of a transform. Measured: LAB-0026.
constexpr PaddedRow padded_floats[] = {
    {128, 8, 5, {8, 16}, 0.31f}, {192, 8, 0, {24, 8}, 0.59f}, {256, 8, 0, {32, 8}, 0.80f, false, 4}, {288, 12, 0, {24, 12}, 1.00f},
    {384, 12, 4, {12, 32}, 1.62f}, {512, 16, 0, {32, 16}, 1.59f}, {576, 48, 0, {12, 12, 4}, 2.48f},
    {768, 48, 8, {16, 6, 8}, 3.05f}, {1024, 64, 7, {16, 8, 8}, 3.90f}, {1152, 96, 9, {12, 12, 8}, 5.20f},
    {1536, 96, 9, {6, 16, 16}, 6.56f}, {2048, 128, 5, {8, 16, 16}, 8.20f}, {2304, 96, 0, {24, 12, 8}, 10.15f},
    {2560, 160, 4, {16, 10, 16}, 11.75f, true}, {3072, 128, 3, {24, 16, 8}, 14.8f},
    {4096, 128, 4, {32, 8, 16}, 18.0f}, {4608, 192, 3, {24, 24, 8}, 24.4f}, {5120, 320, 2, {16, 20, 16}, 30.0f, true},
    {6144, 192, 2, {32, 12, 16}, 32.4f}, {8192, 256, 0, {32, 16, 16}, 42.5f}, {9216, 384, 1, {24, 16, 24}, 65.5f, true},
    {10240, 640, 1, {16, 8, 10, 8}, 71.7f}, {12288, 384, 0, {32, 24, 16}, 80.4f}, {16384, 512, 0, {16, 32, 32}, 116.0f},
    {18432, 576, 0, {18, 32, 32}, 165.2f}, {20480, 640, 0, {32, 8, 5, 16}, 178.8f},
};
/// Those with which a user's convolution is faster too. Measured: LAB-0026.
constexpr std::uint16_t padded_floats_of_users[] = {2048, 2560, 5120, 6144, 8192, 12288, 16384};
constexpr PaddedRow padded_doubles[] = {
    {128, 8, 0, {16, 8}, 0.74f}, {192, 8, 3, {8, 24}, 1.10f}, {256, 16, 0, {16, 16}, 1.54f}, {288, 12, 0, {24, 12}, 2.55f},
    {384, 24, 0, {16, 6, 4}, 3.43f}, {512, 64, 0, {8, 8, 8}, 3.62f}, {576, 48, 0, {12, 12, 4}, 5.00f},
    {768, 48, 4, {16, 6, 8}, 6.20f}, {1024, 64, 0, {16, 8, 8}, 7.66f}, {1536, 96, 4, {16, 6, 16}, 12.2f},
    {2048, 128, 3, {16, 8, 16}, 16.3f}, {2304, 96, 0, {24, 12, 8}, 22.16f}, {3072, 256, 2, {16, 12, 16}, 33.7f},
    {4096, 256, 2, {16, 16, 16}, 42.3f}, {4608, 192, 0, {24, 24, 8}, 57.6f}, {6144, 256, 1, {24, 4, 8, 8}, 84.0f},
    {8192, 512, 0, {16, 4, 16, 8}, 111.8f}, {9216, 576, 0, {9, 8, 8, 16}, 177.6f}, {10240, 512, 0, {20, 8, 8, 8}, 198.6f},
    {12288, 512, 0, {24, 8, 8, 8}, 261.7f},
};

/// The fastest cores of a prime's even and odd part, and an H100's time. Measured: LAB-0026.
constexpr PaddedRow parity_floats[] = {
    {9216, 384, 1, {24, 16, 24}, 139.0f, true}, {11264, 352, 1, {32, 11, 32}, 181.0f, true},
    {12288, 384, 1, {32, 12, 32}, 184.0f, true},
};
constexpr PaddedRow parity_doubles[] = {
    {2560, 160, 3, {16, 10, 16}, 57.2f}, {3072, 192, 2, {16, 12, 16}, 69.8f}, {4096, 256, 2, {16, 16, 16}, 95.7f},
    {5120, 320, 1, {16, 20, 16}, 151.4f}, {6144, 384, 1, {16, 24, 16}, 183.6f}, {7168, 448, 1, {16, 7, 8, 8}, 231.1f},
    {8192, 512, 1, {16, 4, 16, 8}, 245.7f}, {9216, 576, 1, {9, 8, 8, 16}, 366.2f},
};

/// Primes whose sequences are loops of their threads: the fastest turns and groups on an H100. Measured: LAB-0026.
struct PrimeRow {
    std::uint16_t n;
    std::uint8_t threads, pairs, sequences;
};
constexpr PrimeRow prime_floats[] = {
    {43, 1, 7, 32}, {47, 1, 8, 32}, {53, 1, 7, 32}, {59, 1, 6, 32}, {61, 1, 3, 32}, {67, 1, 7, 32},
    {71, 1, 7, 32}, {73, 1, 3, 32}, {79, 1, 8, 32}, {83, 1, 7, 32}, {89, 1, 4, 32},
};
constexpr PrimeRow prime_doubles[] = {
    {37, 1, 3, 64}, {41, 1, 5, 32}, {43, 1, 7, 64}, {47, 1, 6, 32}, {53, 2, 3, 16},
    {59, 2, 5, 16}, {61, 2, 3, 16}, {67, 2, 9, 16}, {71, 2, 9, 16}, {73, 2, 3, 16}, {83, 2, 7, 16},
};

/// Two passes of a padded convolution, and an H100's time in one launch with a third. Measured: LAB-0026.
struct PipelinedRow {
    std::uint16_t first, second;
    float milliseconds;
};
constexpr PipelinedRow pipelined_floats[] = {
    {320, 64, 0.781f}, {320, 66, 0.803f}, {384, 64, 0.757f}, {384, 72, 0.886f}, {320, 96, 0.837f}, {512, 56, 0.841f},
    {512, 60, 0.773f}, {512, 66, 0.783f}, {384, 96, 0.828f}, {320, 128, 0.811f}, {384, 112, 0.811f},
    {512, 96, 0.755f}, {384, 128, 0.792f}, {384, 132, 0.838f}, {512, 112, 0.745f}, {448, 128, 0.750f},
    {320, 196, 0.876f}, {512, 128, 0.713f}, {512, 132, 0.818f}, {512, 144, 0.831f}, {384, 196, 0.849f},
    {512, 168, 0.902f}, {512, 192, 0.835f}, {512, 196, 0.802f}, {512, 208, 0.845f}, {512, 224, 0.826f},
    {512, 240, 0.805f}, {512, 256, 0.826f}, {512, 264, 0.862f}, {512, 288, 1.053f}, {512, 384, 0.978f},
};
constexpr PipelinedRow pipelined_doubles[] = {
    {144, 96, 0.808f}, {256, 56, 0.721f}, {256, 60, 0.750f}, {256, 72, 0.750f}, {256, 80, 0.721f}, {144, 144, 0.723f},
    {256, 96, 0.773f}, {256, 110, 0.801f}, {256, 112, 0.737f}, {256, 120, 0.757f}, {256, 128, 0.707f},
    {256, 132, 0.750f}, {256, 144, 0.693f}, {320, 128, 0.912f},
};
// clang-format on

std::span<const PrimeRow> prime_rows(Precision precision) {
    if (precision == Precision::f32) return prime_floats;
    return precision == Precision::f64 ? std::span<const PrimeRow>(prime_doubles) : std::span<const PrimeRow>();
}

std::span<const PipelinedRow> pipelined_rows(Precision precision) {
    if (precision == Precision::f32) return pipelined_floats;
    return precision == Precision::f64 ? std::span<const PipelinedRow>(pipelined_doubles)
                                       : std::span<const PipelinedRow>();
}

std::span<const PaddedRow> padded_rows(Precision precision) {
    if (precision == Precision::f32) return padded_floats;
    return precision == Precision::f64 ? std::span<const PaddedRow>(padded_doubles) : std::span<const PaddedRow>();
}

std::span<const PaddedRow> parity_rows(Precision precision) {
    if (precision == Precision::f32) return parity_floats;
    return precision == Precision::f64 ? std::span<const PaddedRow>(parity_doubles) : std::span<const PaddedRow>();
}

bool has_room(const PaddedRow& row, Precision precision, const DeviceLimits& limits) {
    return is_of_measured_kind(limits) && row.threads <= limits.max_group_size &&
           component_bytes(row.n, precision) <= limits.shared_bytes;
}

MeasuredCore core_of(const PaddedRow& row, const DeviceLimits& limits) {
    const std::uint32_t transforms = has_fast_memory(limits) ? row.of_fast_memory : 0;
    MeasuredCore core{{}, row.threads, transforms, row.groups, row.in_loop};
    for (const std::uint8_t radix : row.radices)
        if (radix != 0) core.radices.push_back(radix);
    return core;
}

std::span<const Row> rows_of(const MeasuredQuestion& question) {
    const bool is_double = question.precision == Precision::f64;
    if (question.precision != Precision::f32 && !is_double) return {};
    if (is_double && question.place == CorePlace::c2r_rows) return of_c2r_rows_of_doubles;
    if (is_double && question.place == CorePlace::columns) return of_columns_of_doubles;
    if (question.place != CorePlace::rows && (is_double || question.is_16_bit)) return {};
    switch (question.place) {
        case CorePlace::columns: return of_columns;
        case CorePlace::twiddled_columns: return of_twiddled_columns;
        case CorePlace::first_columns: return of_first_columns;
        case CorePlace::r2c_rows: return of_r2c_rows;
        case CorePlace::c2r_rows: return of_c2r_rows;
        case CorePlace::rows: break;
    }
    if (is_double) return of_doubles;
    return question.is_16_bit ? std::span<const Row>(of_16_bit) : std::span<const Row>(of_floats);
}

std::span<const Row> fast_rows_of(const MeasuredQuestion& question) {
    const bool is_float = question.precision == Precision::f32;
    if (question.place == CorePlace::rows && question.precision == Precision::f64) return fast_doubles;
    if (!is_float || (question.is_16_bit && question.place != CorePlace::rows)) return {};
    switch (question.place) {
        case CorePlace::rows: return question.is_16_bit ? std::span<const Row>(fast_16_bit) : fast_floats;
        case CorePlace::r2c_rows: return fast_r2c_rows;
        case CorePlace::c2r_rows: return fast_c2r_rows;
        default: return {};
    }
}

std::optional<CorePlace> real_place_of(const kernels::KernelSpec& spec) {
    const bool is_dense = spec.in.stride == 1 && spec.out.stride == 1;
    if (!is_dense || (spec.in.map() == nullptr) == (spec.out.map() == nullptr)) return std::nullopt;
    const kernels::RealMap& map = spec.in.map() ? *spec.in.map() : *spec.out.map();
    if (!kernels::real_core(map.kind, map.length).is_paired) return std::nullopt;
    if (map.kind == Kind::r2c && spec.out.map()) return CorePlace::r2c_rows;
    return map.kind == Kind::c2r && spec.in.map() ? std::optional(CorePlace::c2r_rows) : std::nullopt;
}

const PaddedRow* row_of_users(std::uint64_t n, Precision precision, const DeviceLimits& limits) {
    const bool is_faster =
        precision == Precision::f32 && std::ranges::find(padded_floats_of_users, n) != std::end(padded_floats_of_users);
    for (const PaddedRow& row : padded_rows(precision))
        if (is_faster && row.n == n && has_room(row, precision, limits)) return &row;
    return nullptr;
}

std::optional<PaddedCore> fastest_of(std::span<const PaddedRow> rows, std::uint64_t least, Precision precision,
                                     const DeviceLimits& limits) {
    const PaddedRow* best = nullptr;
    for (const PaddedRow& row : rows) {
        const bool fits = row.n >= least && has_room(row, precision, limits);
        if (fits && (best == nullptr || row.nanoseconds < best->nanoseconds)) best = &row;
    }
    if (best == nullptr) return std::nullopt;
    return PaddedCore{best->n, core_of(*best, limits), best->nanoseconds};
}

bool is_lone_convolution(const kernels::KernelSpec& spec) {
    return spec.convolution.stages.size() == 2 && spec.convolution.channels.is_single() && spec.in.stride == 1 &&
           spec.out.stride == 1 && !is_real(spec) && spec.on_chip.next.empty() && !spec.is_second() &&
           spec.pipeline.next.empty();
}

std::optional<MeasuredCore> parity_core(const kernels::KernelSpec& spec, const DeviceLimits& limits) {
    if (spec.in.stride != 1 || spec.out.stride != 1) return std::nullopt;
    for (const PaddedRow& row : parity_rows(spec.precision))
        if (row.n == spec.n && has_room(row, spec.precision, limits)) return core_of(row, limits);
    return std::nullopt;
}

/// Bluestein's transform, or a user's convolution.
std::optional<MeasuredCore> padded_core(const kernels::KernelSpec& spec, const DeviceLimits& limits) {
    if (kernels::splits_parity(spec)) return parity_core(spec, limits);
    if (!is_lone_convolution(spec)) return std::nullopt;
    if (std::holds_alternative<kernels::SpectrumProduct>(spec.convolution.stages[0])) {
        const PaddedRow* row = row_of_users(spec.n, spec.precision, limits);
        return row ? std::optional(core_of(*row, limits)) : std::nullopt;
    }
    if (!std::holds_alternative<kernels::ChirpSpectrum>(spec.convolution.stages[0]) || spec.in.stages.empty())
        return std::nullopt;
    for (const PaddedRow& row : padded_rows(spec.precision))
        if (row.n == spec.n && has_room(row, spec.precision, limits)) return core_of(row, limits);
    return std::nullopt;
}

}  // namespace

std::optional<CorePlace> place_of(const kernels::KernelSpec& spec) {
    if (is_real(spec)) return real_place_of(spec);
    const kernels::Loop& beside = spec.loops[0];
    if (spec.in.stride == 1 && spec.out.stride == 1) {
        const auto n = std::int64_t{spec.n};
        const bool is_dense = beside.input_stride == n && beside.output_stride == n;
        return is_dense ? std::optional(CorePlace::rows) : std::nullopt;
    }
    if (spec.in.stride == 1 || beside.input_stride != 1) return std::nullopt;
    if (spec.out.stride == 1) return CorePlace::first_columns;
    if (beside.output_stride != 1) return std::nullopt;
    return has_no_twiddle(spec.in.stages) ? CorePlace::columns : CorePlace::twiddled_columns;
}

namespace {

/// Columns come in groups of at least so many, so that a partial last group idles little.
constexpr std::uint64_t least_groups_of_columns = 8;

/// A kernel as the tables have them: one run of a core over whole sequences of complex points, or over what a real
/// axis's map makes of them.
bool is_of_measured_sequences(const kernels::KernelSpec& spec) {
    const auto has_whole = [&](const kernels::MemorySide& side) {
        const bool has_points = side.has_ordered_points() && (is_real(spec) || !side.is_real());
        return (has_points || side.map()) && side.kept == kernels::Kept{};
    };
    return spec.has_core() && spec.runs_once() && has_whole(spec.in) && has_whole(spec.out) &&
           spec.is_alone_on_chip() && spec.pipeline.next.empty();
}

}  // namespace

bool is_of_measured_kind(const DeviceLimits& limits) {
    constexpr std::uint32_t subgroup = 32, registers = 255, shared = 160 << 10;
    return limits.vectors == Vectors::subgroups && limits.bounds_registers && limits.subgroup_size == subgroup &&
           limits.registers_per_thread >= registers && limits.shared_bytes >= shared;
}

bool has_fast_memory(const DeviceLimits& limits) {
    constexpr std::uint64_t least = 4'000'000'000'000;  // an H100's is 3.35e12, an H200's 4.8e12
    return is_of_measured_kind(limits) && limits.memory_bytes_per_second >= least;
}

std::optional<MeasuredCore> measured_core(const MeasuredQuestion& question, const DeviceLimits& limits) {
    const auto find = [&](std::span<const Row> rows) -> const Row* {
        const auto row = std::lower_bound(rows.begin(), rows.end(), question.n,
                                          [](const Row& one, std::uint64_t n) { return one.n < n; });
        return row == rows.end() || row->n != question.n ? nullptr : &*row;
    };
    const Row* found = has_fast_memory(limits) ? find(fast_rows_of(question)) : nullptr;
    if (!found) found = find(rows_of(question));
    if (!found || !is_of_measured_kind(limits)) return std::nullopt;
    MeasuredCore core{{}, found->threads, found->sequences, found->groups};
    for (const std::uint8_t radix : found->radices)
        if (radix != 0) core.radices.push_back(radix);
    return core;
}

std::optional<MeasuredCore> measured_core(const kernels::KernelSpec& spec, const DeviceLimits& limits) {
    if (is_convolution(spec)) return padded_core(spec, limits);
    const std::optional<CorePlace> place = place_of(spec);
    if (!place || !is_of_measured_sequences(spec)) return std::nullopt;
    const std::uint32_t least = std::min(kernels::access_bytes(spec, true), kernels::access_bytes(spec, false));
    const std::uint32_t most = std::max(kernels::access_bytes(spec, true), kernels::access_bytes(spec, false));
    if (least != most) return std::nullopt;
    const bool is_16_bit = most < 2 * real_bytes(spec.precision);
    std::optional<MeasuredCore> core = measured_core({spec.n, spec.precision, is_16_bit, *place}, limits);
    const bool is_few = core && spec.loops[0].count < least_groups_of_columns * std::max(1u, core->sequences);
    const bool has_columns =
        *place == CorePlace::columns || *place == CorePlace::twiddled_columns || *place == CorePlace::first_columns;
    if (has_columns && is_few) return std::nullopt;
    return core;
}

std::optional<PrimeTurns> turns_of_prime(std::uint64_t n, Precision precision, const DeviceLimits& limits) {
    if (!is_of_measured_kind(limits)) return std::nullopt;
    for (const PrimeRow& row : prime_rows(precision))
        if (row.n == n && (row.threads == 1 || can_split_parts(limits)))
            return PrimeTurns{row.threads, row.pairs, row.sequences};
    return std::nullopt;
}

std::optional<PaddedCore> fastest_padded_core(std::uint64_t least, Precision precision, const DeviceLimits& limits) {
    return fastest_of(padded_rows(precision), least, precision, limits);
}

std::optional<PaddedCore> fastest_parity_core(std::uint64_t prime, Precision precision, const DeviceLimits& limits) {
    return fastest_of(parity_rows(precision), prime - 2, precision, limits);
}

std::vector<std::uint32_t> measured_radices_of_convolution(std::uint64_t n, Precision precision,
                                                           const DeviceLimits& limits) {
    const PaddedRow* row = row_of_users(n, precision, limits);
    return row ? core_of(*row, limits).radices : std::vector<std::uint32_t>{};
}

std::vector<std::uint32_t> fastest_pipelined_convolution(std::uint64_t least, Precision precision,
                                                         const DeviceLimits& limits) {
    // Three kernels, which pad little, of at least as many points as needed.
    const double worthwhile = precision == Precision::f64 ? 0.99 : 1.065;
    if (!is_of_measured_kind(limits)) return {};
    std::vector<std::uint32_t> best;
    double lowest = worthwhile * static_cast<double>(least);
    for (const PipelinedRow& row : pipelined_rows(precision)) {
        const std::uint64_t points = std::uint64_t{row.first} * row.second;
        const double time = static_cast<double>(row.milliseconds) * static_cast<double>(points);
        if (points < least || time >= lowest) continue;
        lowest = time;
        best = {row.first, row.second};
    }
    return best;
}

bool are_of_pipelined_convolution(std::uint32_t first, std::uint32_t second, Precision precision) {
    const std::span<const PipelinedRow> rows = pipelined_rows(precision);
    return std::any_of(rows.begin(), rows.end(),
                       [&](const PipelinedRow& row) { return row.first == first && row.second == second; });
}

}  // namespace seiche::planner

// Perceptually uniform colour maps. Tables: "inferno" by Stefan van der Walt and Nathaniel Smith (2015) and "twilight"
// by Bastian Bechtold (2017), as distributed with matplotlib; both are dedicated to the public domain (CC0 1.0).
#include "cli/draw/colours.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "cli/draw/colour_tables.hpp"

namespace seiche::cli::draw {
namespace {

// clang-format off
constexpr std::array<std::uint32_t, 256> inferno{
    0x000004, 0x010005, 0x010106, 0x010108, 0x02010A, 0x02020C, 0x02020E, 0x030210, 0x040312, 0x040314,
    0x050417, 0x060419, 0x07051B, 0x08051D, 0x09061F, 0x0A0722, 0x0B0724, 0x0C0826, 0x0D0829, 0x0E092B,
    0x10092D, 0x110A30, 0x120A32, 0x140B34, 0x150B37, 0x160B39, 0x180C3C, 0x190C3E, 0x1B0C41, 0x1C0C43,
    0x1E0C45, 0x1F0C48, 0x210C4A, 0x230C4C, 0x240C4F, 0x260C51, 0x280B53, 0x290B55, 0x2B0B57, 0x2D0B59,
    0x2F0A5B, 0x310A5C, 0x320A5E, 0x340A5F, 0x360961, 0x380962, 0x390963, 0x3B0964, 0x3D0965, 0x3E0966,
    0x400A67, 0x420A68, 0x440A68, 0x450A69, 0x470B6A, 0x490B6A, 0x4A0C6B, 0x4C0C6B, 0x4D0D6C, 0x4F0D6C,
    0x510E6C, 0x520E6D, 0x540F6D, 0x550F6D, 0x57106E, 0x59106E, 0x5A116E, 0x5C126E, 0x5D126E, 0x5F136E,
    0x61136E, 0x62146E, 0x64156E, 0x65156E, 0x67166E, 0x69166E, 0x6A176E, 0x6C186E, 0x6D186E, 0x6F196E,
    0x71196E, 0x721A6E, 0x741A6E, 0x751B6E, 0x771C6D, 0x781C6D, 0x7A1D6D, 0x7C1D6D, 0x7D1E6D, 0x7F1E6C,
    0x801F6C, 0x82206C, 0x84206B, 0x85216B, 0x87216B, 0x88226A, 0x8A226A, 0x8C2369, 0x8D2369, 0x8F2469,
    0x902568, 0x922568, 0x932667, 0x952667, 0x972766, 0x982766, 0x9A2865, 0x9B2964, 0x9D2964, 0x9F2A63,
    0xA02A63, 0xA22B62, 0xA32C61, 0xA52C60, 0xA62D60, 0xA82E5F, 0xA92E5E, 0xAB2F5E, 0xAD305D, 0xAE305C,
    0xB0315B, 0xB1325A, 0xB3325A, 0xB43359, 0xB63458, 0xB73557, 0xB93556, 0xBA3655, 0xBC3754, 0xBD3853,
    0xBF3952, 0xC03A51, 0xC13A50, 0xC33B4F, 0xC43C4E, 0xC63D4D, 0xC73E4C, 0xC83F4B, 0xCA404A, 0xCB4149,
    0xCC4248, 0xCE4347, 0xCF4446, 0xD04545, 0xD24644, 0xD34743, 0xD44842, 0xD54A41, 0xD74B3F, 0xD84C3E,
    0xD94D3D, 0xDA4E3C, 0xDB503B, 0xDD513A, 0xDE5238, 0xDF5337, 0xE05536, 0xE15635, 0xE25734, 0xE35933,
    0xE45A31, 0xE55C30, 0xE65D2F, 0xE75E2E, 0xE8602D, 0xE9612B, 0xEA632A, 0xEB6429, 0xEB6628, 0xEC6726,
    0xED6925, 0xEE6A24, 0xEF6C23, 0xEF6E21, 0xF06F20, 0xF1711F, 0xF1731D, 0xF2741C, 0xF3761B, 0xF37819,
    0xF47918, 0xF57B17, 0xF57D15, 0xF67E14, 0xF68013, 0xF78212, 0xF78410, 0xF8850F, 0xF8870E, 0xF8890C,
    0xF98B0B, 0xF98C0A, 0xF98E09, 0xFA9008, 0xFA9207, 0xFA9407, 0xFB9606, 0xFB9706, 0xFB9906, 0xFB9B06,
    0xFB9D07, 0xFC9F07, 0xFCA108, 0xFCA309, 0xFCA50A, 0xFCA60C, 0xFCA80D, 0xFCAA0F, 0xFCAC11, 0xFCAE12,
    0xFCB014, 0xFCB216, 0xFCB418, 0xFBB61A, 0xFBB81D, 0xFBBA1F, 0xFBBC21, 0xFBBE23, 0xFAC026, 0xFAC228,
    0xFAC42A, 0xFAC62D, 0xF9C72F, 0xF9C932, 0xF9CB35, 0xF8CD37, 0xF8CF3A, 0xF7D13D, 0xF7D340, 0xF6D543,
    0xF6D746, 0xF5D949, 0xF5DB4C, 0xF4DD4F, 0xF4DF53, 0xF4E156, 0xF3E35A, 0xF3E55D, 0xF2E661, 0xF2E865,
    0xF2EA69, 0xF1EC6D, 0xF1ED71, 0xF1EF75, 0xF1F179, 0xF2F27D, 0xF2F482, 0xF3F586, 0xF3F68A, 0xF4F88E,
    0xF5F992, 0xF6FA96, 0xF8FB9A, 0xF9FC9D, 0xFAFDA1, 0xFCFFA4,
};

constexpr std::array<std::uint32_t, 255> twilight{
    0xE2D9E2, 0xE1D9E2, 0xE0D9E2, 0xDED9E1, 0xDDD9E0, 0xDCD9DF, 0xDAD8DF, 0xD8D8DE, 0xD6D7DD, 0xD4D6DC,
    0xD2D5DB, 0xD0D4D9, 0xCDD3D8, 0xCBD2D7, 0xC8D0D6, 0xC5CFD5, 0xC2CED4, 0xBFCCD3, 0xBCCBD1, 0xB9C9D0,
    0xB6C8CF, 0xB3C6CE, 0xB0C5CD, 0xADC3CD, 0xAAC2CC, 0xA7C0CB, 0xA4BECA, 0xA1BDC9, 0x9EBBC9, 0x9CB9C8,
    0x99B8C8, 0x96B6C7, 0x93B4C6, 0x91B2C6, 0x8EB1C5, 0x8CAFC5, 0x89ADC5, 0x87ABC4, 0x85A9C4, 0x82A7C3,
    0x80A5C3, 0x7EA4C3, 0x7CA2C2, 0x7AA0C2, 0x789EC2, 0x769CC1, 0x759AC1, 0x7398C1, 0x7196C1, 0x7094C0,
    0x6E92C0, 0x6D90C0, 0x6C8EBF, 0x6B8CBF, 0x698ABF, 0x6888BE, 0x6786BE, 0x6684BD, 0x6682BD, 0x657FBD,
    0x647DBC, 0x637BBC, 0x6379BB, 0x6277BB, 0x6275BA, 0x6172BA, 0x6170B9, 0x606EB8, 0x606CB8, 0x6069B7,
    0x6067B6, 0x5F65B5, 0x5F62B4, 0x5F60B4, 0x5F5EB3, 0x5F5BB2, 0x5F59B1, 0x5F57B0, 0x5E54AE, 0x5E52AD,
    0x5E4FAC, 0x5E4DAB, 0x5E4BA9, 0x5E48A8, 0x5E46A6, 0x5E43A5, 0x5D41A3, 0x5D3EA1, 0x5D3CA0, 0x5D3A9E,
    0x5C379C, 0x5C359A, 0x5B3298, 0x5B3095, 0x5A2E93, 0x5A2B90, 0x59298E, 0x58278B, 0x572588, 0x572385,
    0x562182, 0x551F7F, 0x531E7C, 0x521C79, 0x511A75, 0x4F1972, 0x4E186F, 0x4C176B, 0x4B1668, 0x491564,
    0x471461, 0x46145E, 0x44135A, 0x421257, 0x411254, 0x3F1251, 0x3D114E, 0x3C114B, 0x3A1149, 0x391146,
    0x371144, 0x361142, 0x351140, 0x34113E, 0x33113C, 0x32123A, 0x311339, 0x301437, 0x301437, 0x311337,
    0x331237, 0x341238, 0x351138, 0x361139, 0x381139, 0x3A113A, 0x3B113B, 0x3D113C, 0x3F123D, 0x41123D,
    0x43123E, 0x461240, 0x481341, 0x4A1342, 0x4D1443, 0x4F1444, 0x521545, 0x541546, 0x571647, 0x591648,
    0x5C1749, 0x5F174A, 0x61184B, 0x64194B, 0x67194C, 0x691A4D, 0x6C1B4E, 0x6F1C4E, 0x711D4F, 0x741E4F,
    0x761F4F, 0x792050, 0x7B2150, 0x7E2250, 0x802350, 0x832550, 0x852650, 0x872750, 0x8A2950, 0x8C2A50,
    0x8E2C50, 0x902E50, 0x922F50, 0x943150, 0x963350, 0x983550, 0x9A3750, 0x9C3950, 0x9E3B50, 0xA03D50,
    0xA13F50, 0xA34150, 0xA54350, 0xA64550, 0xA84750, 0xA94950, 0xAB4B50, 0xAC4D51, 0xAE5051, 0xAF5251,
    0xB15452, 0xB25652, 0xB35953, 0xB55B53, 0xB65D54, 0xB75F55, 0xB86255, 0xB96456, 0xBA6657, 0xBB6958,
    0xBC6B59, 0xBD6E5A, 0xBE705B, 0xBF725D, 0xC0755E, 0xC1775F, 0xC27A61, 0xC27C63, 0xC37F64, 0xC48166,
    0xC58468, 0xC5866A, 0xC6896C, 0xC68B6E, 0xC78E71, 0xC89073, 0xC89275, 0xC99578, 0xC9977B, 0xCA9A7D,
    0xCA9C80, 0xCB9F83, 0xCCA186, 0xCCA389, 0xCDA68C, 0xCDA88F, 0xCEAB92, 0xCFAD96, 0xCFAF99, 0xD0B29C,
    0xD1B4A0, 0xD1B6A3, 0xD2B8A7, 0xD3BAAA, 0xD4BDAD, 0xD5BFB1, 0xD6C1B4, 0xD7C3B8, 0xD8C5BB, 0xD8C7BE,
    0xD9C9C2, 0xDACBC5, 0xDBCCC8, 0xDCCECB, 0xDDD0CE, 0xDDD1D1, 0xDED3D3, 0xDFD4D6, 0xDFD5D8, 0xE0D6DA,
    0xE0D7DB, 0xE1D8DD, 0xE1D8DF, 0xE2D9E0, 0xE2D9E1,
};
// clang-format on

Colour unpack(std::uint32_t rgb) {
    const auto part = [rgb](int shift) { return static_cast<std::uint8_t>((rgb >> shift) & 0xFF); };
    return {part(16), part(8), part(0)};
}

constexpr std::array all_maps{ColourMap::inferno, ColourMap::viridis,   ColourMap::magma,
                              ColourMap::plasma,  ColourMap::cubehelix, ColourMap::grey};

std::uint8_t byte(double part) {
    return static_cast<std::uint8_t>(std::lround(255 * std::fmin(std::fmax(part, 0.0), 1.0)));
}

/// D. A. Green, "A colour scheme for the display of astronomical intensity images" (2011), with its defaults.
Colour cubehelix(double t) {
    constexpr double start = 0.5, rotations = -1.5, hue = 1;
    const double angle = 2 * std::numbers::pi * (start / 3 + 1 + rotations * t), amplitude = hue * t * (1 - t) / 2;
    const double c = amplitude * std::cos(angle), s = amplitude * std::sin(angle);
    return {byte(t - 0.14861 * c + 1.78277 * s), byte(t - 0.29227 * c - 0.90649 * s), byte(t + 1.97294 * c)};
}

/// CIE lightness and what stands for hue beside it, in its steps; 1 from black to white.
std::array<double, 3> opponents(Colour c) {
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    const double red = linear(c.red / 255.0), green = linear(c.green / 255.0), blue = linear(c.blue / 255.0);
    const double x = std::cbrt(0.4339 * red + 0.3762 * green + 0.1899 * blue),
                 y = std::cbrt(0.2126 * red + 0.7152 * green + 0.0722 * blue),
                 z = std::cbrt(0.0177 * red + 0.1095 * green + 0.8728 * blue);
    return {1.16 * y - 0.16, 5 * (x - y), 2 * (y - z)};
}

double lightness(Colour c) { return opponents(c)[0]; }

double distance(Colour a, Colour b) {
    const auto first = opponents(a), second = opponents(b);
    return std::hypot(first[0] - second[0], first[1] - second[1], first[2] - second[2]);
}

}  // namespace

const char* to_string(ColourMap map) noexcept {
    switch (map) {
        case ColourMap::inferno: return "inferno";
        case ColourMap::viridis: return "viridis";
        case ColourMap::magma: return "magma";
        case ColourMap::plasma: return "plasma";
        case ColourMap::cubehelix: return "cubehelix";
        case ColourMap::grey: break;
    }
    return "grey";
}

std::optional<ColourMap> colour_map(const std::string& name) {
    for (const ColourMap map : all_maps)
        if (name == to_string(map)) return map;
    if (name == "gray") return ColourMap::grey;
    return std::nullopt;
}

std::string colour_map_names() {
    std::string names;
    for (const ColourMap map : all_maps) names += (names.empty() ? "" : ", ") + std::string(to_string(map));
    return names;
}

Colour sequential(double t, ColourMap map) {
    if (std::isnan(t)) return not_a_number;
    const double place = std::fmin(std::fmax(t, 0.0), 1.0);
    const auto of = [place](const std::array<std::uint32_t, 256>& table) {
        return unpack(table[static_cast<std::size_t>(std::lround(place * static_cast<double>(table.size() - 1)))]);
    };
    switch (map) {
        case ColourMap::inferno: return of(inferno);
        case ColourMap::viridis: return of(viridis);
        case ColourMap::magma: return of(magma);
        case ColourMap::plasma: return of(plasma);
        case ColourMap::cubehelix: return cubehelix(place);
        case ColourMap::grey: break;
    }
    return {byte(place), byte(place), byte(place)};
}

std::vector<Colour> curve_colours(std::size_t count) {
    std::vector<Colour> chosen{{0, 114, 178}, {213, 94, 0},   {0, 158, 115}, {204, 121, 167},
                               {230, 159, 0}, {86, 180, 233}, {0, 0, 0}};
    // Then, each time, the colour that is the farthest from white and from all that are chosen.
    constexpr int steps = 8;
    constexpr double most_light = 0.8;
    while (chosen.size() < count) {
        double farthest = -1;
        Colour best;
        for (int i = 0; i < steps * steps * steps; ++i) {
            const auto part = [](int step) { return static_cast<std::uint8_t>(step * 255 / (steps - 1)); };
            const Colour candidate{part(i / (steps * steps)), part(i / steps % steps), part(i % steps)};
            if (lightness(candidate) > most_light) continue;  // hardly seen on white
            double nearest = distance(candidate, {255, 255, 255});
            for (const Colour& other : chosen) nearest = std::fmin(nearest, distance(candidate, other));
            if (nearest <= farthest) continue;
            farthest = nearest;
            best = candidate;
        }
        chosen.push_back(best);
    }
    chosen.resize(count);
    return chosen;
}

Colour cyclic(double t) {
    if (!std::isfinite(t)) return not_a_number;
    const double turn = t - std::floor(t);
    const auto place = static_cast<std::size_t>(turn * static_cast<double>(twilight.size()));
    return unpack(twilight[place % twilight.size()]);
}

}  // namespace seiche::cli::draw

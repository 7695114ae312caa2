// Products of integers of any size.
#include "cli/number/multiply.hpp"

#include "cli/command/report.hpp"
#include "cli/text/failure.hpp"
#include "cli/text/words.hpp"

namespace seiche::cli::number {

Product multiply(const Device& device, const Integer& a, const Integer& b, unsigned base) {
    constexpr unsigned most_decimal = 7, most_hexadecimal = 6;  // digits of up to 2^24
    for (unsigned k = base == 10 ? most_decimal : most_hexadecimal; k > 0; --k) {
        const std::vector<std::int32_t> x = balanced_digits(a, base, k), y = balanced_digits(b, base, k);
        const Proof proof = prove(x, y);
        if (!proof.holds()) continue;
        const Convolution convolution = convolve(device, x, y, proof);
        Product product{carry(convolution.values, base, k), k, convolution.evidence};
        product.value.negative = a.negative != b.negative && product.value.digits != "0";
        if (residue(product.value, base) != product_of_residues(residue(a, base), residue(b, base)))
            throw Failure("expected a product that agrees with its factors modulo 2^61 - 1, got another: " +
                          device_text(device) + " computes wrongly");
        return product;
    }
    throw Failure("expected factors whose product can be proven exact, got " + std::to_string(a.digits.size()) +
                  " and " + counted(b.digits.size(), "digit") + ": too many for double precision");
}

}  // namespace seiche::cli::number

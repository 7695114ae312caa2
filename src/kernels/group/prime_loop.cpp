// Sums and differences of x[j] and x[n-j] in the order of a generator's powers: result g^t takes the sum i times a
// cosine that depends on i + t alone (Rader, 1968), so that a turn's text serves all turns, between which the sums and
// differences move on. Of n = 1 mod 4 the cosines' part is a cyclic convolution of half the length and a skew one
// (Winograd, "On computing the discrete Fourier transform", 1978).
#include "kernels/group/prime_loop.hpp"

#include "support/primes.hpp"
#include "support/twiddle.hpp"

namespace seiche::kernels {

namespace {

using ir::Builder;
using ir::Value;

/// Terms that move on from turn to turn: those that leave at the end come back at the beginning, of a skew one negated.
struct Ring {
    bool is_skew = false;
    std::vector<Parts> terms;
    std::uint32_t first = 0;  ///< Its place among the thread's numbers.
};

class Loop {
public:
    Loop(Builder& builder, std::uint32_t n, ir::Type type, std::uint32_t each)
        : build_(builder), n_(n), each_(each), type_(type) {
        const std::uint64_t g = support::primitive_root(n);
        for (std::uint64_t i = 0, power = 1; i + 1 < n; ++i, power = power * g % n)
            powers_.push_back(static_cast<std::uint32_t>(power));
    }

    void take_points(const std::vector<Parts>& x) {
        first_ = x[0];
        std::vector<Parts> sums;
        for (std::uint32_t i = 0; i < half(); ++i) {
            const Parts &a = x[powers_[i]], &b = x[n_ - powers_[i]];
            sums.push_back(sum(a, b));
            differences_.terms.push_back(difference(a, b));
        }
        whole_ = first_;
        for (const Parts& s : sums) whole_ = sum(whole_, s);
        if (!doubles_pairs(n_)) {
            plus_.terms = sums;
            return;
        }
        for (std::uint32_t i = 0; i < period(); ++i) {
            plus_.terms.push_back(sum(sums[i], sums[i + period()]));
            minus_.terms.push_back(difference(sums[i], sums[i + period()]));
        }
    }

    const Parts& whole() const { return whole_; }

    void run(const std::function<void(Value k, const Parts& even, const Parts& odd)>& take) {
        const auto parts = static_cast<std::uint32_t>(first_.size());
        std::uint32_t count = 0;
        for (Ring* ring : rings()) {
            ring->first = count;
            count += static_cast<std::uint32_t>(ring->terms.size()) * parts;
        }
        numbers_ = build_.private_array("terms", type_, count);
        frequency_ = build_.private_array("frequency", ir::Scalar::u32, 1);
        for (const Ring* ring : rings()) keep(*ring, ring->terms);
        build_.private_store(frequency_, integer(0), integer(1));
        build_.begin_loop(integer(0), integer((period() + each_ - 1) / each_), integer(1));
        for (Ring* ring : rings()) read(*ring);
        const Value k = build_.private_load(frequency_, integer(0), ir::Scalar::u32);
        for (std::uint32_t r = 0; r < each_; ++r) take_pair(r, k, take);
        build_.private_store(frequency_, integer(0), times_power(k, each_));
        for (const Ring* ring : rings()) keep(*ring, moved_on(*ring));
        build_.end_loop();
    }

private:
    std::uint32_t half() const { return (n_ - 1) / 2; }
    /// Of turns of one pair.
    std::uint32_t period() const { return doubles_pairs(n_) ? half() / 2 : half(); }
    std::vector<Ring*> rings() {
        return doubles_pairs(n_) ? std::vector<Ring*>{&plus_, &minus_, &differences_}
                                 : std::vector<Ring*>{&plus_, &differences_};
    }
    Value integer(std::uint32_t i) { return build_.integer(ir::Scalar::u32, i); }

    static Parts sum(const Parts& a, const Parts& b) {
        Parts all;
        for (std::size_t part = 0; part < a.size(); ++part) all.push_back(a[part] + b[part]);
        return all;
    }
    static Parts difference(const Parts& a, const Parts& b) {
        Parts all;
        for (std::size_t part = 0; part < a.size(); ++part) all.push_back(a[part] - b[part]);
        return all;
    }

    void keep(const Ring& ring, const std::vector<Parts>& terms) {
        std::uint32_t at = ring.first;
        for (const Parts& term : terms)
            for (const Value part : term) build_.private_store(numbers_, integer(at++), part);
    }
    void read(Ring& ring) {
        std::uint32_t at = ring.first;
        for (Parts& term : ring.terms)
            for (Value& part : term) part = build_.private_load(numbers_, integer(at++), type_);
    }
    std::vector<Parts> moved_on(const Ring& ring) const {
        const std::size_t size = ring.terms.size();
        std::vector<Parts> moved;
        for (std::size_t m = 0; m < size; ++m) {
            moved.push_back(ring.terms[(m + size - each_ % size) % size]);
            if (ring.is_skew && m < each_)
                for (Value& part : moved.back()) part = -part;
        }
        return moved;
    }

    /// exp(-2 pi i g^i / n).
    support::ComplexExtended root(std::size_t i) const {
        return support::twiddle_extended(powers_[i % powers_.size()], n_);
    }

    template <class Factor>
    Parts products(const Ring& ring, const Factor& factor, const Parts& before = {}) {
        Parts all = before;
        for (std::size_t m = 0; m < ring.terms.size(); ++m) {
            const Value c = build_.constant(type_, static_cast<double>(factor(m)));
            for (std::size_t part = 0; part < ring.terms[m].size(); ++part) {
                const Value term = ring.terms[m][part];
                all.size() <= part ? all.push_back(term * c) : void(all[part] = build_.mad(term, c, all[part]));
            }
        }
        return all;
    }

    Parts odd(std::size_t t) {
        return products(differences_, [&](std::size_t m) { return root(m + t).im; });
    }

    Value times_power(Value k, std::size_t t) {
        return k * std::uint64_t{powers_[t % powers_.size()]} % std::uint64_t{n_};
    }

    /// The pair r of a turn, and of n = 1 mod 4 that a quarter of the powers on.
    void take_pair(std::uint32_t r, Value k,
                   const std::function<void(Value k, const Parts& even, const Parts& odd)>& take) {
        const Value own = r == 0 ? k : times_power(k, r);
        if (!doubles_pairs(n_)) {
            take(own,
                 products(
                     plus_, [&](std::size_t m) { return root(m + r).re; }, first_),
                 odd(r));
            return;
        }
        const auto half_of = [&](std::size_t m, long double sign) {
            return (root(m + r).re + sign * root(m + r + period()).re) / 2;
        };
        const Parts cyclic = products(
            plus_, [&](std::size_t m) { return half_of(m, 1); }, first_);
        const Parts skew = products(minus_, [&](std::size_t m) { return half_of(m, -1); });
        take(own, sum(cyclic, skew), odd(r));
        take(times_power(k, r + period()), difference(cyclic, skew), odd(r + period()));
    }

    Builder& build_;
    std::uint32_t n_, each_;
    ir::Type type_;
    std::vector<std::uint32_t> powers_;
    Parts first_, whole_;
    Ring plus_, minus_{true, {}}, differences_{true, {}};
    std::uint32_t numbers_ = 0, frequency_ = 0;
};

}  // namespace

bool doubles_pairs(std::uint32_t n) { return n % 4 == 1; }

void prime_in_loop(Builder& builder, const std::vector<Parts>& x, std::uint32_t each,
                   const std::function<void(Value k, const Parts& even, const Parts& odd)>& take,
                   const std::function<void(const Parts& sum)>& take_first) {
    Loop loop(builder, static_cast<std::uint32_t>(x.size()), x[0][0].type(), each);
    loop.take_points(x);
    take_first(loop.whole());
    loop.run(take);
}

}  // namespace seiche::kernels

"""`seiche bigmul` and `seiche polymul` agree with the integers of Python and of GMP, and with numpy.polymul."""

import ctypes
import ctypes.util
import os
import random
import sys
import unittest
import warnings

import numpy
import tool

warnings.simplefilter("error")
if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)


class Gmp:
    """Products by libgmp."""

    def __init__(self):
        self.library = ctypes.CDLL(ctypes.util.find_library("gmp"))

    def call(self, name, *arguments):
        return getattr(self.library, "__gmpz_" + name)(*arguments)

    def multiply(self, a, b, base):
        x, y = (ctypes.create_string_buffer(64) for _ in range(2))  # an mpz_t takes 16 bytes
        for number, text in [(x, a), (y, b)]:
            assert self.call("init_set_str", number, text.encode(), base) == 0
        self.call("mul", x, x, y)
        text = ctypes.create_string_buffer(len(a) + len(b) + 2)
        self.call("get_str", text, base, x)
        for number in (x, y):
            self.call("clear", number)
        return text.value.decode()


class Product(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.random = random.Random(13)
        self.numbers = numpy.random.default_rng(17)

    def digits(self, count, base=10):
        return "".join(self.random.choices("0123456789abcdef"[:base], k=count))

    def save(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return "@" + name

    def bigmul(self, a, b, *arguments):
        return self.succeed("bigmul", *arguments, "--", a, b).stdout.removesuffix("\n")

    # --- bigmul -------------------------------------------------------------------------------------------------

    def test_products_of_few_coefficients_are_those_of_numpy(self):
        self.assertEqual(self.succeed("polymul", "1.5 2.5", "1 -1").stdout, "1.5 1 -2.5\n")
        for _ in range(20):
            a, b = (numpy.array([self.random.uniform(-9, 9) for _ in range(self.random.randint(1, 40))]) for _ in "ab")
            numpy.save(self.path("a.npy"), a)
            numpy.save(self.path("b.npy"), b)
            self.succeed("polymul", "a.npy", "b.npy", "-o", "c.npy")
            numpy.testing.assert_allclose(numpy.load(self.path("c.npy")), numpy.polymul(a, b), rtol=0, atol=1e-12)
            whole = numpy.round(a * 8) / 8
            numpy.save(self.path("a.npy"), whole)
            numpy.save(self.path("b.npy"), numpy.round(b * 4) / 4)
            self.succeed("polymul", "a.npy", "b.npy", "-o", "c.npy")
            numpy.testing.assert_array_equal(numpy.load(self.path("c.npy")), numpy.polymul(whole, numpy.round(b * 4) / 4))

    def test_edges(self):
        nines = "9" * 500
        edge = ["0", "1", "-1", "000", "-0", "+7", "007", "10", "99999", "100000", "-50000", nines, "-" + nines,
                "1" + "0" * 400, "5" * 300, "4" * 301]
        for a in edge:
            for b in [edge[0], edge[2], edge[5], edge[9], edge[11], edge[12], edge[14]]:
                self.assertEqual(self.bigmul(a, b), str(int(a) * int(b)), (a, b))

    def test_random_sizes(self):
        for _ in range(40):
            a, b = (self.random.choice(["", "-"]) + self.digits(int(10 ** self.random.uniform(0, 3.5)))
                    for _ in range(2))
            self.assertEqual(self.bigmul(a, b), str(int(a) * int(b)))

    def test_hexadecimal(self):
        for a, b in [("0", "ff"), ("FF", "-0xFf"), ("-0x10", "+0X10"), (self.digits(1500, 16), self.digits(37, 16)),
                     ("f" * 999, "f" * 1000), ("8" * 999, "-" + "7" * 1000), ("7fff" * 99, "8000" * 99)]:
            product = self.bigmul(a, b, "--base", "16")
            self.assertEqual(product, format(int(a, 16) * int(b, 16), "x"))

    def test_long_factors_against_gmp(self):
        gmp = Gmp()
        for length_a, length_b, base in [(30000, 29000, 10), (20000, 50, 10), (25000, 25000, 16)]:
            with self.subTest(length_a=length_a, length_b=length_b, base=base):
                a, b = self.digits(length_a, base), "-" + self.digits(length_b, base)
                self.save("a", a)
                self.save("b", b)
                report = self.json("bigmul", "@a", "@b", "-o", "c", "--base", base)
                with open(self.path("c"), encoding="utf-8") as file:
                    product = file.read()
                self.assertEqual(product, gmp.multiply(a, b, base) + "\n")
                self.assertEqual(report["digits"], len(product) - 2)
                self.assertLess(report["error_seen"], report["error_bound"])
                self.assertLess(report["error_bound"], 0.5)

    @unittest.skipIf(os.environ.get("SEICHE_DEVICE") == "reference", "minutes on the interpreter")
    def test_a_million_digits_against_gmp(self):
        for a, b in [(self.digits(10**6), self.digits(10**6)), ("5" * 10**6, "4" * 10**6)]:
            self.save("a", a)
            self.save("b", b)
            self.succeed("bigmul", "@a", "@b", "-o", "c")
            with open(self.path("c"), encoding="utf-8") as file:
                self.assertTrue(file.read() == Gmp().multiply(a, b, 10) + "\n")

    def test_the_worst_digits_get_smaller_ones(self):
        """Digits of 5000 and -5000 have three times the energy of random ones: fewer characters go together."""
        self.save("a", self.digits(30000))
        self.save("b", "50004999" * 3750)
        together = [self.json("bigmul", x, x, "-o", "c")["digits_together"] for x in ("@a", "@b")]
        self.assertGreaterEqual(together[0], together[1])
        with open(self.path("c"), encoding="utf-8") as file:
            self.assertEqual(int(file.read()), int("50004999" * 3750) ** 2)

    def test_bigmul_reports(self):
        self.assertEqual(self.json("bigmul", "12", "-12")["product"], "-144")
        self.assertIn("proven within", self.succeed("bigmul", "12", "-12", "-o", "c").stdout)

    def test_bigmul_refuses(self):
        self.refuse("bigmul", "12x4", "5", status=2, says="A: expected a decimal digit as character 3, got 'x'")
        self.refuse("bigmul", "5", "1 2", status=2, says="B: expected a decimal digit as character 2, got ' '")
        self.refuse("bigmul", "5", "", status=2, says="B: expected a decimal digit as character 1, got the end")
        self.refuse("bigmul", "5", "ff", status=2, says="got 'f'")
        self.refuse("bigmul", "5", "\u00e9", status=2, says="got '?'")
        self.refuse("bigmul", "0xfg", "1", "--base", 16, status=2, says="A: expected a hexadecimal digit as character 4, got 'g'")
        self.refuse("bigmul", "5", "5", "--base", 2, status=2, says="--base")
        self.refuse("bigmul", "5", status=2, says="B is required")
        self.save("bad", "123\n456\n")
        self.refuse("bigmul", "@bad", "1", says="'bad': expected a decimal digit as character 4")
        self.refuse("bigmul", "@none", "1", says="'none': cannot read: No such file")
        self.refuse("bigmul", "@.", "1", says="expected a file or a pipe")
        self.refuse("bigmul", "1", "1", "-o", "no/c", says="No such file")

    # --- polymul ------------------------------------------------------------------------------------------------

    def polymul(self, a, b):
        numpy.save(self.path("a.npy"), a)
        numpy.save(self.path("b.npy"), b)
        self.succeed("polymul", "a.npy", "b.npy", "-o", "c.npy")
        return numpy.load(self.path("c.npy"), allow_pickle=False)

    def exact(self, a, b):
        """The product by Python's integers."""
        product = [0] * (len(a) + len(b) - 1)
        for i, x in enumerate(a):
            for j, y in enumerate(b):
                product[i + j] += int(x) * int(y)
        return product

    def test_integers_are_exact(self):
        for dtype in ["i1", "u1", "<i2", ">i2", "u2", "<i4", ">u4", "<i8", ">i8", "u8"]:
            low, high = numpy.iinfo(dtype).min, numpy.iinfo(dtype).max
            low, high = max(low, -(2**29)), min(high, 2**29)
            a, b = (self.numbers.integers(low, high, n).astype(dtype) for n in (15, 8))
            out = self.polymul(a, b)
            self.assertEqual(out.dtype, "int64")
            self.assertEqual(out.tolist(), self.exact(numpy.trim_zeros(a, "f"), numpy.trim_zeros(b, "f")), dtype)

    def test_integers_up_to_the_limits(self):
        top, bottom = 2**63 - 1, -(2**63)
        self.assertEqual(self.polymul([top, bottom, 1], [1]).tolist(), [top, bottom, 1])
        self.assertEqual(self.polymul([top, bottom + 1], [-1]).tolist(), [-top, top])
        self.assertEqual(self.polymul([2**31, 1], [-(2**32), 1]).tolist(), [bottom, 2**31 - 2**32, 1])
        # Sums whose terms go beyond 2^63, though they do not.
        self.assertEqual(self.polymul([2**62, 2**62, 2**62], [1, -1, 1]).tolist(), [2**62, 0, 2**62, 0, 2**62])
        for a, b, place in [([top, 1], [1, 2], 1), ([bottom], [-1], 0), ([2**62, 2**62], [1, 1], 1),
                            ([bottom] * 9, [bottom] * 9, 0)]:
            numpy.save(self.path("a.npy"), a)
            numpy.save(self.path("b.npy"), b)
            self.refuse("polymul", "a.npy", "b.npy", "-o", "c.npy", says=f"got a larger one at position {place}")

    def test_long_integer_polynomials(self):
        a, b = self.numbers.integers(-(2**22), 2**22, 1500), self.numbers.integers(-(2**22), 2**22, 1100)
        self.assertEqual(self.polymul(a, b).tolist(), numpy.convolve(a, b).tolist())
        a, b = self.numbers.integers(0, 2, 3000), self.numbers.integers(0, 2, 3000)
        self.assertEqual(self.polymul(a, b).tolist(), numpy.trim_zeros(numpy.convolve(a, b), "f").tolist())
        a = numpy.full(1000, 2**26)
        self.assertEqual(self.polymul(a, -a).tolist(), numpy.convolve(a, -a).tolist())

    def test_floating_types_against_numpy(self):
        kinds = ["f4", "f8", "c8", "c16", ">f4", ">c16", "i8"]
        for kind_a in kinds:
            for kind_b in ["f4", "f8", "c8", "c16"]:
                with self.subTest(a=kind_a, b=kind_b):
                    a, b = (self.numbers.standard_normal(n) * 9 for n in (37, 64))
                    a = (a + 1j * a[::-1]).astype(kind_a) if "c" in kind_a else a.astype(kind_a)
                    b = (b - 2j * b[::-1]).astype(kind_b) if "c" in kind_b else b.astype(kind_b)
                    out, expected = self.polymul(a, b), numpy.polymul(a, b)
                    self.assertEqual(out.dtype, expected.dtype)
                    self.assertEqual(out.shape, expected.shape)
                    norm = numpy.linalg.norm(a.astype("c16")) * numpy.linalg.norm(b.astype("c16"))
                    wide = numpy.polymul(a.astype("c16"), b.astype("c16"))
                    limit = 1e-7 if out.dtype.itemsize == (8 if out.dtype.kind == "c" else 4) else 1e-15
                    self.assertLess(numpy.abs(out - wide).max() / norm, limit)

    def test_leading_zeros_and_extremes(self):
        for a, b in [([0.0, 0, 1.5], [0.0, 2]), ([0.0, 0], [1.0, 2, 3]), ([0, 0], [1, 2]), ([0], [0]), ([1.5], [2.0])]:
            expected = numpy.polymul(a, b)
            self.assertEqual(self.polymul(a, b).tolist(), expected.tolist(), (a, b))
        out = self.polymul([1e200, 1e-200], [1e100, 1e-300])
        numpy.testing.assert_allclose(out[0], 1e300, rtol=1e-14)
        self.assertEqual(self.polymul(numpy.float64(3), numpy.float64(2)).tolist(), [6])

    def test_text(self):
        self.assertEqual(self.succeed("polymul", "1 2 3", "1,-1").stdout, "1 1 1 -3\n")
        product = [float(word) for word in self.succeed("polymul", "1.5 +2", "2 0").stdout.split()]
        numpy.testing.assert_allclose(product, [3, 4, 0], atol=1e-15)
        self.assertEqual(self.succeed("polymul", "--", "-1, 2", "3").stdout, "-3 6\n")
        self.save("a.txt", "1\n-2\n+3\n")
        self.succeed("polymul", "@a.txt", "@a.txt", "-o", "c.txt")
        with open(self.path("c.txt"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "1 -4 10 -12 9\n")
        self.assertEqual(self.json("polymul", "1 1", "1 -1")["product"], [1, 0, -1])
        self.assertEqual(self.json("polymul", "1.5", "2")["product"], [3.0])

    def test_polymul_refuses(self):
        numpy.save(self.path("two.npy"), numpy.zeros((2, 2)))
        numpy.save(self.path("none.npy"), numpy.zeros(0))
        numpy.save(self.path("nan.npy"), numpy.array([1, numpy.nan]))
        numpy.save(self.path("complex.npy"), numpy.array([1j]))
        numpy.save(self.path("big.npy"), numpy.array([2**63], "u8"))
        numpy.save(self.path("text.npy"), numpy.array(["a"]))
        self.refuse("polymul", "two.npy", "1", says="expected an array of one axis, got 2")
        self.refuse("polymul", "none.npy", "1", says="A: expected at least one coefficient")
        self.refuse("polymul", "1", "", status=2, says="B: expected at least one coefficient")
        self.refuse("polymul", "nan.npy", "1", says="coefficient 2: expected a finite number")
        self.refuse("polymul", "complex.npy", "1", status=2, says="-o FILE.npy")
        self.refuse("polymul", "big.npy", "1", says="up to 2^63 - 1")
        self.refuse("polymul", "text.npy", "1", says="expected the dtype")
        self.refuse("polymul", "missing.npy", "1", says="No such file")
        self.refuse("polymul", "1 2 x", "1", status=2, says="A: coefficient 3: expected a number, got 'x'")
        self.refuse("polymul", "1 1e999", "1", status=2, says="beyond 64 bits: '1e999'")
        self.refuse("polymul", "9223372036854775808", "1", status=2, says="beyond 64 bits")
        self.refuse("polymul", "inf", "1", status=2, says="expected a finite number")
        self.refuse("polymul", "1", "1", "-o", "c.csv", status=2, says=".npy or .txt")
        self.save("bad.npy", "no array")
        self.refuse("polymul", "bad.npy", "1", says="'bad.npy': expected an .npy file")


if __name__ == "__main__":
    tool.main()

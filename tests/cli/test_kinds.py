"""`seiche transform --kind` gives what numpy.fft and scipy.fft give, and `seiche check` checks every kind."""

import json
import os

import numpy
import scipy.fft
import tool

LIMIT = {"float32": 1e-6, "complex64": 1e-6, "float64": 1e-14, "complex128": 1e-14}
NORMS = ["backward", "ortho", "forward"]


def hartley(x, axis):
    spectrum = numpy.fft.fft(x, axis=axis)
    return spectrum.real - spectrum.imag


def half_complex(x):
    n, spectrum = len(x), numpy.fft.rfft(x)
    return numpy.concatenate([spectrum.real, spectrum.imag[(n - 1) // 2:0:-1]])


def orthogonal_sine(x, kind):
    """dst of type 2 or 3 with an orthogonal matrix; norm="ortho" of scipy weighs y[0] or x[0], where it is the last."""
    x, edge, scale = x.copy(), 2**0.5, (2 * len(x))**-0.5
    if kind == 3:
        x[-1] *= edge
    y = scale * scipy.fft.dst(x, type=kind)
    if kind == 2:
        y[-1] /= edge
    return y


class Kinds(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.random = numpy.random.default_rng(9)

    def real(self, *shape):
        return self.random.standard_normal(shape)

    def test_a_long_real_axis_needs_one_workspace(self):
        here = os.path.dirname(os.path.abspath(__file__))
        card = os.path.join(here, "..", "..", "profiles", "nvidia-hopper-h100.json")
        for length in (1 << 24, 1000000, 10000000):
            for kind in ("r2c", "c2r"):
                for place in ("", " in-place"):
                    report = self.json("plan", f"{length} {kind}{place}", "--device-profile", card)
                    self.assertEqual(report["workspace_bytes"], 4 * length, report["problem"])

    def transform(self, values, *arguments):
        numpy.save(self.path("in.npy"), values)
        self.succeed("transform", "in.npy", "-o", "out.npy", *arguments)
        return numpy.load(self.path("out.npy"), allow_pickle=False)

    def agree(self, out, expected):
        self.assertEqual((out.dtype, out.shape), (expected.dtype, expected.shape))
        error = numpy.linalg.norm((out - expected).ravel()) / numpy.linalg.norm(expected.ravel())
        self.assertLess(error, LIMIT[out.dtype.name])

    def test_real_to_complex_and_back(self):
        for shape in [(1,), (2,), (9,), (10,), (360,), (127,), (4, 5), (3, 4, 6)]:
            with self.subTest(shape=shape):
                values = self.real(*shape)
                spectrum = numpy.fft.rfftn(values)
                self.agree(self.transform(values, "--kind", "r2c"), spectrum)
                self.agree(self.transform(spectrum, "--kind", "c2r", "--length", ",".join(map(str, shape))), values)

    def test_default_length_of_the_way_back_is_even(self):
        spectrum = self.real(6) + 1j * self.real(6)
        self.agree(self.transform(spectrum, "--kind", "c2r"), numpy.fft.irfft(spectrum))
        self.agree(self.transform(spectrum, "--kind", "c2r", "--length", 11), numpy.fft.irfft(spectrum, 11))
        self.agree(self.transform(spectrum, "--kind", "c2r", "--length", 16), numpy.fft.irfft(spectrum, 16))
        self.agree(self.transform(spectrum, "--kind", "c2r", "--length", 5), numpy.fft.irfft(spectrum, 5))

    def test_axes_orders_and_norms_of_halved_transforms(self):
        for order in "CF":
            values = numpy.asarray(self.real(4, 7, 6), order=order)
            spectrum = numpy.asarray(self.real(4, 7, 6) + 1j * self.real(4, 7, 6), order=order)
            for axes, norm in [((0,), "backward"), ((1, 2), "ortho"), ((2, 1), "forward"), ((-1, 0), "backward"),
                               ((0, 1, 2), "ortho")]:
                with self.subTest(order=order, axes=axes, norm=norm):
                    words = ["--axes", ",".join(map(str, axes)), "--norm", norm]
                    self.agree(self.transform(values, "--kind", "r2c", *words),
                               numpy.fft.rfftn(values, axes=axes, norm=norm))
                    self.agree(self.transform(spectrum, "--kind", "c2r", *words),
                               numpy.fft.irfftn(spectrum, axes=axes, norm=norm))

    def test_cosine_and_sine_transforms(self):
        for name, there, back in [("dct", scipy.fft.dctn, scipy.fft.idctn), ("dst", scipy.fft.dstn, scipy.fft.idstn)]:
            for kind in [1, 2, 3, 4]:
                for n, norm in [(2, "backward"), (9, "forward"), (10, "ortho"), (31, "ortho"), (64, "backward")]:
                    if norm == "ortho" and name == "dst" and kind in (2, 3):
                        continue  # see the next test
                    with self.subTest(kind=f"{name}{kind}", n=n, norm=norm):
                        values = self.real(n)
                        words = ["--kind", f"{name}{kind}", "--norm", norm]
                        self.agree(self.transform(values, *words), there(values, type=kind, norm=norm))
                        self.agree(self.transform(values, *words, "--inverse"), back(values, type=kind, norm=norm))

    def test_orthonormal_sine_transforms_are_orthogonal(self):
        for n in [1, 10, 31]:
            values = self.real(n)
            for kind, other in [(2, 3), (3, 2)]:
                with self.subTest(kind=kind, n=n):
                    words = ["--kind", f"dst{kind}", "--norm", "ortho"]
                    self.agree(self.transform(values, *words), orthogonal_sine(values, kind))
                    self.agree(self.transform(values, *words, "--inverse"), orthogonal_sine(values, other))

    def test_edges_are_weighed_whatever_the_norm(self):
        """SciPy's definition of orthogonalize, from its transforms without it."""
        edges = {"dct1": (0, -1), "dct2": (0,), "dct3": (0,), "dst2": (-1,), "dst3": (-1,)}
        for name, there in [("dct", scipy.fft.dct), ("dst", scipy.fft.dst)]:
            for kind in [1, 2, 3, 4]:
                word = f"{name}{kind}"
                for n, norm in [(2, "forward"), (9, "backward"), (10, "ortho")]:
                    with self.subTest(kind=word, n=n, norm=norm):
                        values = self.real(n)
                        plain = there(values, type=kind, norm=norm, orthogonalize=False)
                        words = ["--kind", word, "--norm", norm, "--orthogonalize"]
                        self.agree(self.transform(values, *words, "no"), plain)
                        weighed = values.copy()
                        for edge in edges.get(word, ()):
                            weighed[edge] *= 2**0.5 if kind != 2 else 1
                        expected = there(weighed, type=kind, norm=norm, orthogonalize=False)
                        for edge in edges.get(word, ()):
                            expected[edge] /= 2**0.5 if kind != 3 else 1
                        self.agree(self.transform(values, *words, "yes"), expected)
                        back = ["--norm", {"forward": "backward", "backward": "forward"}.get(norm, norm), "--inverse"]
                        other = {2: 3, 3: 2}.get(kind, kind)
                        self.agree(self.transform(values, "--kind", f"{name}{other}", "--orthogonalize", "yes", *back),
                                   expected)

    def test_cosine_and_sine_transforms_of_arrays(self):
        for order in "CF":
            values = numpy.asarray(self.real(5, 6, 7), order=order)
            for axes in [(0,), (1,), (2, 0), (0, 1, 2)]:
                words = ["--axes", ",".join(map(str, axes))]
                with self.subTest(order=order, axes=axes):
                    self.agree(self.transform(values, "--kind", "dct2", "--norm", "ortho", *words),
                               scipy.fft.dctn(values, axes=axes, norm="ortho"))
                    self.agree(self.transform(values, "--kind", "dst1", "--inverse", *words),
                               scipy.fft.idstn(values, type=1, axes=axes))

    def test_hartley_and_half_complex(self):
        for n in [1, 2, 9, 12]:
            with self.subTest(n=n):
                values = self.real(n)
                self.agree(self.transform(values, "--kind", "dht"), hartley(values, 0))
                self.agree(self.transform(values, "--kind", "dht", "--norm", "ortho"), hartley(values, 0) / n**0.5)
                self.agree(self.transform(hartley(values, 0), "--kind", "dht", "--inverse"), values)
                self.agree(self.transform(values, "--kind", "r2hc"), half_complex(values))
                self.agree(self.transform(half_complex(values), "--kind", "r2hc", "--inverse"), values)
                self.agree(self.transform(half_complex(values), "--kind", "hc2r", "--norm", "none"), n * values)

    def test_precision_and_lengths(self):
        values = self.real(17)
        self.agree(self.transform(values.astype("float32"), "--kind", "r2c"),
                   numpy.fft.rfft(values).astype("complex64"))
        self.agree(self.transform(values.astype("float32"), "--kind", "dct2"),
                   scipy.fft.dct(values.astype("float32")))
        self.agree(self.transform(values, "--kind", "dct2", "--length", 20), scipy.fft.dct(values, n=20))
        self.agree(self.transform(values, "--kind", "r2c", "--pad"), numpy.fft.rfft(values, 18))
        self.agree(self.transform(values, "--kind", "dct1", "--pad"), scipy.fft.dct(values, type=1))  # 16 inside

    def test_refuses_in_one_line(self):
        numpy.save(self.path("complex.npy"), self.real(4) + 1j)
        numpy.save(self.path("one.npy"), self.real(1))
        numpy.save(self.path("number.npy"), numpy.float64(3))
        words = ["-o", "out.npy", "--kind"]
        self.refuse("transform", "complex.npy", *words, "dct2", says="real numbers for --kind dct2, got complex128")
        self.refuse("transform", "complex.npy", *words, "r2c", says="real numbers")
        self.refuse("transform", "one.npy", *words, "dct1", status=2, says="dct1 has no length 1")
        self.refuse("transform", "one.npy", *words, "c2r", says="expected --length")
        self.refuse("transform", "number.npy", *words, "r2c", says="at least one axis")
        self.refuse("transform", "one.npy", *words, "r2c", "--inverse", status=2, says="--kind c2r")
        self.refuse("transform", "complex.npy", *words, "c2r", "--inverse", status=2, says="an inverse already")
        self.refuse("transform", "complex.npy", *words, "c2r", "--length", "0", status=2, says="expected 1 to 2^40")
        self.refuse("transform", "complex.npy", *words, "c2r", "--length", "4,5", status=2, says="one length")
        self.refuse("transform", "one.npy", *words, "dct5", status=2)
        self.refuse("transform", "one.npy", *words, "dht", "--orthogonalize", "yes", status=2,
                    says="--orthogonalize: expected --kind dct1 ... dct4 or dst1 ... dst4 beside it, got dht")
        self.refuse("transform", "one.npy", *words, "dct2", "--pad", "--length", "4", status=2, says="not both")


class Check(tool.ToolTest):
    def test_every_kind(self):
        report = self.json("check", "--kinds", "all", "--count", 60, "--seed", 3)
        self.assertEqual((report["checked"], report["failures"]), (60, []))
        self.assertGreater(len(report["classes"]), 10)

    def test_sweep_of_kinds_goes_on(self):
        words = ["check", "--sweep", 2, 9, "--kinds", "dct2,c2r", "--resume", "known.txt"]
        first = self.json(*words)
        with open(self.path("known.txt")) as file:
            lines = [line for line in file if line.strip()]
        self.assertEqual((first["checked"], len(lines)), (32, 32))
        self.assertEqual(self.json(*words)["classes"], first["classes"])
        with open(self.path("known.txt")) as file:
            self.assertEqual(len([line for line in file if line.strip()]), 32)


if __name__ == "__main__":
    tool.main()

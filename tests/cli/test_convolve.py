"""`seiche convolve` agrees with scipy.signal.fftconvolve and correlate, of arrays, sounds and pictures."""

import numpy
import scipy.io.wavfile
import scipy.signal
import tool
from test_picture import png
from test_resample import read_png
from test_sound import riff, stored

MODES = ["full", "same", "valid", "circular"]


def circular(a, b, product):
    """By the definition in frequency."""
    spectrum, kernel = numpy.fft.fftn(a), numpy.fft.fftn(b, a.shape)
    together = spectrum * (kernel if product == "convolve" else kernel.conj())
    if product == "phase":
        together = together / numpy.abs(together)
    result = numpy.fft.ifftn(together)
    return result if numpy.iscomplexobj(a) or numpy.iscomplexobj(b) else result.real


def expected(a, b, mode, product="convolve"):
    if mode == "circular":
        return circular(a, b, product)
    return (scipy.signal.fftconvolve(a, b, mode) if product == "convolve" else
            scipy.signal.correlate(a, b, mode, method="fft"))


class Convolve(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.random = numpy.random.default_rng(23)

    def values(self, shape, dtype="f8"):
        x = self.random.standard_normal(shape)
        if dtype[0] == "c":
            x = x + 1j * self.random.standard_normal(shape)
        return x.astype(dtype)

    # --- arrays

    def convolve(self, a, b, *arguments):
        numpy.save(self.path("a.npy"), a)
        numpy.save(self.path("b.npy"), b)
        self.said = self.succeed("convolve", "a.npy", "b.npy", "-o", "c.npy", *arguments).stdout
        return numpy.load(self.path("c.npy"))

    def agree(self, found, wanted, a, b):
        """Relative to what a point of the result can be at most, |a| |b|."""
        self.assertEqual(found.shape, wanted.shape)
        most = numpy.linalg.norm(a.ravel()) * numpy.linalg.norm(b.ravel())
        self.assertLess(numpy.abs(found - wanted).max() / most, 4 * numpy.finfo(found.dtype).eps)

    def test_modes_and_sizes_against_scipy(self):
        for n, m in [(8, 3), (8, 4), (9, 3), (9, 4), (7, 7), (1, 1), (5, 1), (100, 31)]:
            for mode in MODES:
                for product, flag in [("convolve", []), ("correlate", ["--correlate"])]:
                    with self.subTest(n=n, m=m, mode=mode, product=product):
                        a, b = self.values(n), self.values(m)
                        self.agree(self.convolve(a, b, "--mode", mode, *flag), expected(a, b, mode, product), a, b)
        for mode in ["full", "same"]:  # a kernel longer than the signal; scipy's centre is that of the full result
            a, b = self.values(4), self.values(9)
            self.agree(self.convolve(a, b, "--mode", mode), expected(a, b, mode), a, b)

    def test_planes_against_scipy(self):
        for a, b in [((9, 12), (3, 4)), ((8, 11), (8, 1)), ((16, 16), (5, 5))]:
            for mode in MODES:
                for product, flag in [("convolve", []), ("correlate", ["--correlate"])]:
                    with self.subTest(a=a, b=b, mode=mode, product=product):
                        x, h = self.values(a), self.values(b)
                        self.agree(self.convolve(x, h, "--mode", mode, *flag), expected(x, h, mode, product), x, h)
        x, h = self.values((4, 5, 6)), self.values((2, 3, 2))
        self.agree(self.convolve(x, h), expected(x, h, "full"), x, h)

    def test_types_are_promoted_as_numpy_does(self):
        for first, second, becomes in [("f4", "f4", "f4"), ("f4", "f8", "f8"), ("c8", "f4", "c8"), ("f4", "c8", "c8"),
                                       ("c8", "f8", "c16"), ("c16", "c16", "c16"), ("f2", "f4", "f4"),
                                       ("i2", "f4", "f8"), ("u1", "i8", "f8")]:
            with self.subTest(first=first, second=second):
                a, b = (10 * self.values(20, t if t[0] == "c" else "f8") for t in (first, second))
                a, b = (numpy.abs(x) if t[0] == "u" else x for x, t in ((a, first), (b, second)))
                a, b = a.astype(first), b.astype(second)[:7]
                wide = "c16" if "c" in first + second else "f8"
                for flag in [[], ["--correlate"]]:
                    found = self.convolve(a, b, "--mode", "same", *flag)
                    self.assertEqual(found.dtype, numpy.dtype(becomes))
                    product = "correlate" if flag else "convolve"
                    self.agree(found, expected(a.astype(wide), b.astype(wide), "same", product), a.astype(wide),
                               b.astype(wide))
        self.assertEqual(self.convolve(a, b, "--precision", "f32").dtype, numpy.dtype("f4"))

    def test_either_order_of_axes(self):
        a, b = self.values((6, 7, 5)), self.values((2, 3, 4))
        for order_a in "CF":
            for order_b in "CF":
                x, h = numpy.asarray(a, order=order_a), numpy.asarray(b, order=order_b)
                self.agree(self.convolve(x, h), expected(a, b, "full"), a, b)

    def test_blocks(self):
        a, b = self.values(3000, "f4"), self.values(33, "f4")
        for block, padded in [([], None), (["--block", 128], [128]), (["--block", 1], None)]:
            for mode in ["full", "same", "valid"]:
                found = self.convolve(a, b, "--mode", mode, *block)
                self.agree(found, expected(a.astype("f8"), b.astype("f8"), mode), a, b)
            report = self.json("convolve", "a.npy", "b.npy", "-o", "c.npy", *block)
            if padded:
                self.assertEqual(report["padded"], padded)
        self.assertGreaterEqual(report["padded"][0], 3032)

    def test_says_what_is_not_finite(self):
        a = self.values((5, 7))
        a[3, 2] = numpy.nan
        numpy.save(self.path("a.npy"), a)
        numpy.save(self.path("b.npy"), self.values((2, 2)))
        said = self.succeed("convolve", "a.npy", "b.npy", "-o", "c.npy").stderr
        self.assertIn("'a.npy': 1 of 35 elements is not finite (NaN or infinity), the first at [3, 2]: they spread over "
                      "the whole result", said)
        self.assertNotIn("b.npy", said)

    def test_report(self):
        a, b = self.values((20, 30)), self.values((3, 4))
        self.convolve(a, b, "--mode", "valid")
        self.assertRegex(self.said, r"^convolve, valid: 20 x 30 with 3 x 4 -> 18 x 27, f64, padded to .* ms\n$")
        report = self.json("convolve", "a.npy", "b.npy", "-o", "c.npy", "--mode", "valid")
        self.assertEqual((report["size"], report["kernel_size"], report["new_size"]), ([20, 30], [3, 4], [18, 27]))
        self.assertEqual((report["mode"], report["product"], report["precision"]), ("valid", "convolve", "f64"))
        self.assertGreater(report["device_milliseconds"], 0)
        self.assertNotIn("peak", report)

    def test_a_pattern_is_found_in_every_mode(self):
        a = self.values((40, 50))
        for mode in MODES:
            for at in [(0, 0), (7, 12), (30, 39)]:
                b = a[at[0]:at[0] + 10, at[1]:at[1] + 11]
                self.convolve(a, b, "--correlate", "--mode", mode)
                peak = self.json("convolve", "a.npy", "b.npy", "-o", "c.npy", "--correlate", "--mode", mode)["peak"]
                shift = [s % n for s, n in zip(peak["shift"], a.shape)]
                self.assertEqual(shift, list(at), mode)
                self.assertAlmostEqual(peak["height"], (b**2).sum(), places=10)
                self.assertIn("peak ", self.said)

    def test_phase_correlation(self):
        for shape, shift in [((64,), (10,)), ((65,), (-9,)), ((32, 45), (-5, 7)), ((30, 40), (14, -20))]:
            for dtype in ["f8", "c16", "f4"]:
                b = self.values(shape, dtype)
                a = numpy.roll(b, shift, range(len(shape)))
                found = self.convolve(a, b, "--phase")
                wide = "c16" if dtype[0] == "c" else "f8"
                wanted = circular(a.astype(wide), b.astype(wide), "phase")
                self.assertLess(numpy.abs(found - wanted).max(), 1e-4 if dtype == "f4" else 1e-12)
                peak = self.json("convolve", "a.npy", "b.npy", "-o", "c.npy", "--phase")["peak"]
                self.assertEqual(peak["shift"], list(shift))
                self.assertAlmostEqual(peak["height"], 1, places=4)

    # --- sounds

    def write_sound(self, name, values, kind="f64", rate=8000):
        """Writes (frames, channels) and returns what a reader must see, (channels, frames)."""
        samples, read, tag, bits = stored(values, kind)
        with open(self.path(name), "wb") as file:
            file.write(riff(samples, rate, tag, bits))
        return read.T

    def read_sound(self, name="c.wav"):
        rate, samples = scipy.io.wavfile.read(self.path(name))
        self.assertEqual(rate, 8000)
        return samples.reshape(len(samples), -1).T

    def test_sounds(self):
        for kind, tolerance in [("f64", 1e-14), ("f32", 1e-6), ("i16", 1 / 32768)]:
            for channels, kernels in [(1, 1), (2, 1), (2, 2), (5, 5)]:
                for mode in MODES:
                    with self.subTest(kind=kind, channels=channels, kernels=kernels, mode=mode):
                        a = self.write_sound("a.wav", self.random.uniform(-0.2, 0.2, (500, channels)), kind)
                        b = self.write_sound("b.wav", self.random.uniform(-0.1, 0.1, (60, kernels)), kind)
                        result = self.succeed("convolve", "a.wav", "b.wav", "-o", "c.wav", "--mode", mode)
                        self.assertNotIn("clipped", result.stderr)
                        found = self.read_sound()
                        self.assertEqual(found.dtype, {"f64": "f8", "f32": "f4", "i16": "i2"}[kind])
                        scale = 32768 if kind == "i16" else 1
                        wanted = [expected(a[c], b[c % kernels], mode) for c in range(channels)]
                        self.assertLess(numpy.abs(found / scale - wanted).max(), tolerance)

    def test_sounds_and_arrays(self):
        a = self.write_sound("a.wav", self.random.uniform(-1, 1, (400, 3)), "f64")
        for order in "CF":
            b = self.values((3, 20))
            numpy.save(self.path("b.npy"), numpy.asarray(b, order=order))
            self.succeed("convolve", "a.wav", "b.npy", "-o", "c.npy")
            found = numpy.load(self.path("c.npy"))
            self.agree(found, numpy.array([expected(x, h, "full") for x, h in zip(a, b)]), a, b)

    def test_a_delay_is_found(self):
        b = self.random.uniform(-0.5, 0.5, (2000, 2))
        self.write_sound("b.wav", b, "i16")
        self.write_sound("a.wav", numpy.roll(b, 321, 0), "i16")
        for flag in ["--correlate", "--phase"]:
            peak = self.json("convolve", "a.wav", "b.wav", "-o", "c.npy", flag)["peak"]
            self.assertEqual(peak["shift"], [321])
            self.assertEqual(numpy.load(self.path("c.npy")).shape, (2, 3999 if flag == "--correlate" else 2000))

    def test_clipping_is_said(self):
        self.write_sound("a.wav", numpy.full((100, 1), 0.5), "i16")
        numpy.save(self.path("b.npy"), numpy.array([1.0, 3.0]))
        result = self.succeed("convolve", "a.wav", "b.npy", "-o", "c.wav")
        self.assertIn("seiche: clipped 100 of 101 samples to the range of 16-bit PCM; --gain -6.1 clips none\n", result.stderr)
        self.assertEqual(self.json("convolve", "a.wav", "b.npy", "-o", "c.wav")["clipped"], 100)
        self.assertEqual(self.read_sound()[0].tolist(), [16384] + 100 * [32767])

    # --- pictures

    def write_picture(self, name, pixels):
        with open(self.path(name), "wb") as file:
            file.write(png(pixels, {1: 0, 2: 4, 3: 2, 4: 6}[pixels.shape[2]]))

    def picture(self, channels, shape=(21, 34), dtype="u1"):
        return self.random.integers(0, numpy.iinfo(dtype).max + 1, (*shape, channels)).astype(dtype)

    def convolve_picture(self, pixels, kernel, *arguments):
        self.write_picture("a.png", pixels)
        numpy.save(self.path("b.npy"), kernel)
        self.said = self.succeed("convolve", "a.png", "b.npy", "-o", "c.png", *arguments).stderr
        return read_png(self.path("c.png"))

    def test_pictures(self):
        for channels in [1, 3]:
            for dtype in ["u1", "u2"]:
                for mode in [None] + MODES:
                    with self.subTest(channels=channels, dtype=dtype, mode=mode):
                        pixels, kernel = self.picture(channels, dtype=dtype), self.random.uniform(0, 1, (4, 5))
                        kernel /= kernel.sum()
                        found = self.convolve_picture(pixels, kernel, *(["--mode", mode] if mode else []))
                        wanted = numpy.dstack([expected(pixels[..., c].astype("f8"), kernel, mode or "same")
                                               for c in range(channels)])
                        self.assertEqual((found.shape, found.dtype.itemsize), (wanted.shape, pixels.dtype.itemsize))
                        rounding = 0.5 + 8 * numpy.finfo("f4").eps * numpy.iinfo(dtype).max
                        self.assertLess(numpy.abs(found - wanted).max(), rounding)

    def test_each_colour_has_its_kernel(self):
        pixels, kernel = self.picture(3), self.random.uniform(0, 0.08, (3, 4, 3))
        for order in "CF":
            found = self.convolve_picture(pixels, numpy.asarray(kernel, order=order))
            wanted = numpy.dstack([expected(pixels[..., c].astype("f8"), kernel[..., c], "same") for c in range(3)])
            self.assertLess(numpy.abs(found - numpy.clip(wanted, 0, 255)).max(), 0.51)

    def test_a_picture_as_kernel_keeps_the_brightness(self):
        self.write_picture("a.png", numpy.full((20, 30, 3), 200, "u1"))
        for channels in [1, 3]:
            self.write_picture("b.png", self.picture(channels, (5, 6)))
            result = self.succeed("convolve", "a.png", "b.png", "-o", "c.png", "--mode", "valid")
            self.assertNotIn("clipped", result.stderr)
            self.assertTrue((read_png(self.path("c.png")) == 200).all())

    def test_alpha(self):
        # A colour without opacity does not shine into its neighbours, and opacity is spread as the colours are.
        pixels = numpy.zeros((9, 9, 4), "u1")
        pixels[...] = [0, 255, 0, 0]
        pixels[3:6, 3:6] = [200, 10, 0, 255]
        found = self.convolve_picture(pixels, numpy.full((3, 3), 2 / 9))
        self.assertTrue((found[2:7, 2:7, :3] == [255, 20, 0]).all())  # twice as bright
        wanted = expected(pixels[..., 3] / 255.0, numpy.full((3, 3), 1 / 9), "same")
        self.assertLess(numpy.abs(found[..., 3] - 255 * wanted).max(), 0.51)
        self.assertIn("clipped", self.said)
        # What finds edges has no meaning for opacity.
        pixels = self.picture(2)
        found = self.convolve_picture(pixels, numpy.array([[-1.0, 1.0]]))
        self.assertTrue((found[..., 1] == pixels[..., 1]).all())
        wanted = numpy.clip(expected(pixels[..., 0].astype("f8"), numpy.array([[-1.0, 1.0]]), "same"), 0, 255)
        self.assertLess(numpy.abs(found[..., 0] - wanted).max(), 0.51)

    def test_numbers_of_a_picture_are_not_clipped(self):
        pixels, kernel = self.picture(3), self.values((3, 3))
        self.convolve_picture(pixels, kernel)
        self.assertRegex(self.said, r"seiche: clipped \d+ of 2142 samples to the range of 8 bits\n")
        self.succeed("convolve", "a.png", "b.npy", "-o", "c.npy")
        found = numpy.load(self.path("c.npy"))
        wanted = numpy.dstack([expected(pixels[..., c] / 255.0, kernel, "same") for c in range(3)])
        self.assertEqual((found.shape, found.dtype), (wanted.shape, numpy.dtype("f4")))
        self.assertLess(numpy.abs(found - wanted).max(), 1e-5)

    def test_where_a_picture_lies_in_another(self):
        pixels = self.picture(3, (50, 60))
        weights = [0.2126, 0.7152, 0.0722]
        self.write_picture("a.png", pixels)
        self.write_picture("b.png", pixels[11:31, 24:40])
        result = self.json("convolve", "a.png", "b.png", "-o", "c.npy", "--correlate")
        self.assertEqual(result["peak"]["shift"], [24, 11])
        a, b = pixels / 255.0 @ weights, pixels[11:31, 24:40] / 255.0 @ weights
        for mode in MODES:
            found = self.json("convolve", "a.png", "b.png", "-o", "c.npy", "--correlate", "--mode", mode)["peak"]
            self.assertAlmostEqual(found["height"], 1, delta=1e-5)
            self.assertEqual([s % n for s, n in zip(found["shift"], (60, 50))], [24, 11], mode)
            # By the definition, lag by lag, the picture being its mean beyond its borders.
            picture, pattern = a - a.mean(), b - b.mean()
            before, after = {"full": ((19, 15), (19, 15)), "same": ((10, 8), (9, 7)), "valid": ((0, 0), (0, 0)),
                             "circular": ((0, 0), (19, 15))}[mode]
            wide = numpy.pad(picture, list(zip(before, after)), mode="wrap" if mode == "circular" else "constant")
            windows = numpy.lib.stride_tricks.sliding_window_view(wide, pattern.shape)
            centred = windows - windows.mean(axis=(2, 3), keepdims=True)
            wanted = (centred * pattern).sum(axis=(2, 3)) / numpy.sqrt((centred**2).sum(axis=(2, 3)) * (pattern**2).sum())
            numpy.testing.assert_allclose(numpy.load(self.path("c.npy")), wanted, atol=2e-4)
        # A bright patch elsewhere would win where nothing is normalised.
        pixels[:] = pixels // 4
        self.write_picture("b.png", pixels[5:15, 6:18])
        pixels[30:50, 30:60] = self.random.integers(150, 256, (20, 30, 3))
        self.write_picture("a.png", pixels)
        peak = self.json("convolve", "a.png", "b.png", "-o", "c.npy", "--correlate")["peak"]
        self.assertEqual(peak["shift"], [6, 5])
        self.assertAlmostEqual(peak["height"], 1, delta=1e-4)
        self.write_picture("b.png", numpy.full((3, 3, 3), 9, "u1"))
        self.json("convolve", "a.png", "b.png", "-o", "c.npy", "--correlate")
        self.assertEqual(numpy.abs(numpy.load(self.path("c.npy"))).max(), 0)  # what has no contrast is nowhere
        pixels = self.picture(3, (50, 60))
        self.write_picture("a.png", pixels)
        self.write_picture("b.png", numpy.roll(pixels, (-7, 22), (0, 1)))
        result = self.succeed("convolve", "a.png", "b.png", "-o", "c.npy", "--phase")
        self.assertRegex(result.stdout, r"\npeak (1|0\.999\d*|1\.000\d*) at shift -22, 7 \(right, down\)\n$")

    def test_loudness(self):
        self.write_sound("a.wav", numpy.full((100, 2), 0.5), "i16")
        numpy.save(self.path("b.npy"), [1.5, 1.5])
        result = self.succeed("convolve", "a.wav", "b.npy", "-o", "c.wav")
        self.assertIn("clipped 198 of 202 samples to the range of 16-bit PCM; --gain -3.6 clips none", result.stderr)
        report = self.json("convolve", "a.wav", "b.npy", "-o", "c.wav", "--normalise")
        self.assertEqual((report["clipped"], numpy.abs(scipy.io.wavfile.read(self.path("c.wav"))[1]).max()), (0, 32767))
        self.assertAlmostEqual(report["gain_db"], 20 * numpy.log10(32767 / 32768 / 1.5), places=5)
        self.assertEqual(self.json("convolve", "a.wav", "b.npy", "-o", "c.wav", "--gain", -3.6)["clipped"], 0)
        numpy.save(self.path("a.npy"), [1.0])
        self.refuse("convolve", "a.npy", "b.npy", "-o", "c.npy", "--gain", 1, status=2, says="only for sounds")
        self.refuse("convolve", "a.wav", "b.npy", "-o", "c.npy", "--correlate", "--gain", 1, status=2, says="only for sounds")

    # --- refusals

    def test_refusals(self):
        numpy.save(self.path("a.npy"), numpy.ones(5))
        numpy.save(self.path("long.npy"), numpy.ones(7))
        numpy.save(self.path("plane.npy"), numpy.ones((5, 5)))
        numpy.save(self.path("complex.npy"), numpy.ones((3, 3), "c8"))
        numpy.save(self.path("none.npy"), numpy.ones((0, 3)))
        numpy.save(self.path("number.npy"), numpy.float64(3))
        numpy.save(self.path("edge.npy"), numpy.array([[-1.0, 1.0]]))
        numpy.save(self.path("nan.npy"), numpy.array([[numpy.nan]]))
        open(self.path("empty.npy"), "wb").close()
        open(self.path("empty.wav"), "wb").close()
        open(self.path("empty.png"), "wb").close()
        self.write_sound("a.wav", numpy.zeros((10, 3)))
        self.write_sound("two.wav", numpy.zeros((4, 2)))
        self.write_sound("fast.wav", numpy.zeros((4, 1)), rate=44100)
        self.write_picture("a.png", self.picture(4, (5, 6)))
        self.write_picture("grey.png", self.picture(1, (5, 6)))
        self.write_picture("tall.png", self.picture(1, (8, 6)))
        self.write_picture("black.png", numpy.zeros((3, 3, 1), "u1"))
        npy, wav, picture = ["-o", "o.npy"], ["-o", "o.wav"], ["-o", "o.png"]
        refuse = lambda *arguments, **more: self.refuse("convolve", *arguments, **more)
        refuse("a.npy", status=2)
        refuse("a.npy", "a.npy", status=2)
        refuse("a.npy", "long.npy", *npy, "--mode", "valid", says="'long.npy': expected at most 5, the size of 'a.npy', in mode valid, got 7")
        refuse("a.npy", "long.npy", *npy, "--phase", says="in mode circular, got 7")
        refuse("a.npy", "plane.npy", *npy, says="'plane.npy': expected 1 axis as 'a.npy' has, got 2")
        refuse("number.npy", "a.npy", *npy, says="expected at least one axis, got a single number")
        refuse("none.npy", "a.npy", *npy, says="expected at least one element along each axis, got 0 x 3")
        refuse("missing.npy", "a.npy", *npy, says="missing.npy")
        refuse("a.npy", "missing.npy", *npy, says="missing.npy")
        for kind in ["npy", "wav", "png"]:
            refuse("empty." + kind, "a." + kind, *npy, says="empty." + kind)
            refuse("a." + kind, "empty." + kind, *npy, says="empty." + kind)
        refuse("a.npy", "a.npy", *npy, "--mode", "most", status=2, says="--mode: expected one of full, same")
        refuse("a.npy", "a.npy", *npy, "--mode", "full", "--phase", status=2, says="--phase: expected the mode circular")
        refuse("a.npy", "a.npy", *npy, "--correlate", "--phase", status=2, says="one of --correlate and --phase")
        refuse("a.npy", "a.npy", *npy, "--precision", "f16", status=2)
        refuse("a.npy", "a.npy", *npy, "--block", -1, status=2)
        refuse("a.npy", "a.npy", *npy, "--block", 4, says="convolution.block: expected at least the kernel's 5 points")
        refuse("plane.npy", "plane.npy", *npy, "--block", 64, says="convolution.block: expected 0 or 1")
        refuse("a.npy", "a.wav", *npy, status=2, says="B: expected an .npy array, got 'a.wav'")
        refuse("a.gif", "a.npy", *npy, status=2, says="A: expected a sound, a picture or an .npy array")
        refuse("a.npy", "a.npy", *wav, status=2, says="expected an output that ends in .npy")
        refuse("a.wav", "a.wav", *wav, "--correlate", status=2, says="expected an output that ends in .npy")
        refuse("a.wav", "a.wav", *picture, status=2, says="expected an output that ends in .wav, ")
        refuse("a.wav", "two.wav", *wav, says="'two.wav': expected 1 channel or the 3 as 'a.wav' has, got 2")
        refuse("a.wav", "fast.wav", *wav, says="'fast.wav': expected 8000 Hz as 'a.wav' has, got 44100 Hz")
        refuse("a.wav", "complex.npy", *wav, says="expected real numbers for a sound, got complex64")
        refuse("a.wav", "none.npy", *wav, says="at least one number")
        refuse("a.wav", "nan.npy", *wav, says="finite numbers")
        refuse("a.png", "tall.png", *picture, "--mode", "valid", says="'tall.png': expected at most 6 x 5, the size of 'a.png', in mode valid, got 6 x 8")
        refuse("a.png", "black.png", *picture, says="'black.png': expected a kernel that is not black")
        refuse("grey.png", "a.png", *picture, says="'a.png': expected a grey kernel, got 3 colours")
        refuse("a.png", "a.npy", *picture, says="expected the shape (height, width) or (height, width, colours), got 1")
        refuse("a.png", "complex.npy", *picture, says="expected real numbers for a picture, got complex64")
        refuse("a.png", "nan.npy", *picture, says="finite numbers")
        refuse("a.png", "edge.npy", *picture, "--mode", "full", says="expected the mode same or circular for a picture with alpha")
        refuse("a.png", "edge.npy", *picture, "--phase", status=2, says="expected an output that ends in .npy")
        refuse("a.png", "edge.npy", *picture, "--block", 8, status=2, says="--block: only for")


if __name__ == "__main__":
    tool.main()

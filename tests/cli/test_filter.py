"""`seiche filter`: sounds as by scipy.signal.firwin, pictures as by scipy.ndimage."""

import json

import numpy
import scipy.io.wavfile
import scipy.ndimage
import scipy.signal
import tool
from test_picture import png
from test_resample import read_png
from test_sound import riff, stored

RATE = 8000


class Filter(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.random = numpy.random.default_rng(29)

    # --- sounds

    def write_sound(self, values, kind="f64", name="in.wav"):
        samples, read, tag, bits = stored(values, kind)
        with open(self.path(name), "wb") as file:
            file.write(riff(samples, RATE, tag, bits))
        return read

    def filter_sound(self, *arguments):
        """Samples (frames, channels)."""
        self.result = self.succeed("filter", "in.wav", "-o", "out.wav", *arguments)
        rate, samples = scipy.io.wavfile.read(self.path("out.wav"))
        self.assertEqual(rate, RATE)
        return samples.reshape(len(samples), -1)

    def test_bands_against_scipy(self):
        for option, hz, pass_zero in [("lowpass", 900, True), ("highpass", 1500, False),
                                      ("bandpass", [700.5, 2e3], False), ("bandstop", [1000, 1100], True)]:
            for taps, attenuation in [(101, 60), (63, 40), (201, 100), (31, 21)]:
                with self.subTest(option=option, taps=taps):
                    sound = self.write_sound(self.random.uniform(-0.5, 0.5, (700, 2)))
                    text = "-".join(map(str, hz)) if isinstance(hz, list) else hz
                    found = self.filter_sound("--" + option, text, "--taps", taps, "--attenuation", attenuation)
                    window = ("kaiser", scipy.signal.kaiser_beta(attenuation))
                    h = scipy.signal.firwin(taps, hz, window=window, pass_zero=pass_zero, fs=RATE)
                    wanted = scipy.signal.fftconvolve(sound, h[:, None], "same", axes=0)
                    self.assertLess(numpy.abs(found - wanted).max(), 1e-13)

    def test_taps_are_those_of_kaiser(self):
        self.write_sound(numpy.zeros((4, 1)))
        for transition, attenuation in [(200, 60), (100, 80), (333.3, 30), (50, 120), (500, 60)]:
            report = self.json("filter", "in.wav", "-o", "out.wav", "--lowpass", 1000, "--transition", transition,
                               "--attenuation", attenuation)
            least, _ = scipy.signal.kaiserord(attenuation, transition / (RATE / 2))
            self.assertEqual(report["taps"], least | 1)
            self.assertEqual((report["filter"], report["hz"], report["attenuation_db"]), ("lowpass", [1000], attenuation))
            self.assertLessEqual(report["transition_hz"], transition)
        # Half of the least distance between 0, the frequencies and half the rate.
        for option, hz, transition in [("lowpass", "1000", 500), ("highpass", "3500", 250), ("bandpass", "1000-1300", 150)]:
            report = self.json("filter", "in.wav", "-o", "out.wav", "--" + option, hz)
            self.assertEqual(report["taps"], scipy.signal.kaiserord(60, transition / (RATE / 2))[0] | 1)

    def test_tones_stay_or_go(self):
        """A band's edges are where the amplitude is half; half a transition further the attenuation is reached."""
        time = numpy.arange(12000) / RATE
        for option, stays, goes in [(["--lowpass", 1000], [0, 500, 850], [1150, 2000, 3999]),
                                    (["--highpass", 1000], [1150, 2500, 3999], [0, 500, 850]),
                                    (["--bandpass", "1000-2000"], [1150, 1500, 1850], [0, 850, 2150, 3900]),
                                    (["--bandstop", "1000-2000"], [0, 850, 2150, 3900], [1150, 1500, 1850])]:
            for attenuation in [40, 60, 90]:
                tones = numpy.stack([0.5 * numpy.cos(2 * numpy.pi * f * time + 0.4) for f in stays + goes], 1)
                self.write_sound(tones)
                found = self.filter_sound(*option, "--transition", 300, "--attenuation", attenuation)
                inner = slice(1000, -1000)
                error = 20 * numpy.log10(numpy.abs(found - tones)[inner, :len(stays)].max() / 0.5)
                left = 20 * numpy.log10(numpy.abs(found)[inner, len(stays):].max() / 0.5)
                # Kaiser's formula is an approximation: scipy's filters of the same length miss it by as much.
                self.assertLess(error, -attenuation + 1, (option, attenuation))
                self.assertLess(left, -attenuation + 1, (option, attenuation))

    def test_kernels(self):
        sound = self.write_sound(self.random.uniform(-0.2, 0.2, (500, 3)))
        for channels, length in [(1, 40), (3, 41)]:
            kernel = self.random.uniform(-0.1, 0.1, (channels, length))
            numpy.save(self.path("k.npy"), kernel)
            self.write_sound(kernel.T, name="k.wav")
            wanted = numpy.stack([numpy.convolve(sound[:, c], kernel[c % channels])[(length - 1) // 2:][:500]
                                  for c in range(3)], 1)
            for name in ["k.npy", "k.wav"]:
                found = self.filter_sound("--kernel", name)
                self.assertLess(numpy.abs(found - wanted).max(), 1e-14)
            self.assertTrue(self.result.stdout.startswith(f"kernel of {length} samples: 3 channels of 500 samples"))

    def test_encodings_clipping_and_report(self):
        square = numpy.where(numpy.arange(800) // 50 % 2 == 0, 0.999, -1.0)[:, None]
        for kind, dtype in [("u8", "u1"), ("i16", "i2"), ("f32", "f4")]:
            self.write_sound(square, kind)
            found = self.filter_sound("--lowpass", 1000)
            self.assertEqual((found.dtype, len(found)), (numpy.dtype(dtype), 800))
            if kind == "f32":
                self.assertNotIn("clipped", self.result.stderr)
            else:
                self.assertRegex(self.result.stderr, r"seiche: clipped \d+ of 800 samples to the range of \d+-bit PCM; --gain -\d+\.\d clips none\n")
        self.assertRegex(self.result.stdout, r"^lowpass 1000 Hz, 61 taps, 60 dB, transition 483.\d Hz: 1 channel of "
                                             r"800 samples, f32, .* ms\n$")
        for precision in ["f32", "f64"]:
            self.assertEqual(self.json("filter", "in.wav", "-o", "out.wav", "--lowpass", 9, "--taps", 3, "--precision",
                                       precision)["precision"], precision)

    def test_a_long_sound_is_cut_into_blocks(self):
        sound = self.write_sound(self.random.uniform(-0.5, 0.5, (300000, 1)), "f32")
        found = self.filter_sound("--lowpass", 1000)
        h = scipy.signal.firwin(61, 1000, window=("kaiser", scipy.signal.kaiser_beta(60)), fs=RATE)
        wanted = scipy.signal.fftconvolve(sound[:, 0], h, "same")
        self.assertLess(numpy.abs(found[:, 0] - wanted).max(), 1e-6)
        self.assertLess(self.json("filter", "in.wav", "-o", "out.wav", "--lowpass", 1000)["padded"][0], 300000)

    def test_files_of_many_lengths_share_kernels(self):
        """On a device that compiles, all modes and lengths are blocks of one kernel each; the interpreter takes a
        sound as a whole, so that both must agree."""
        env = {"SEICHE_CACHE_DIR": self.path("kernels"), "SEICHE_DEVICE": ""}
        entries = lambda: json.loads(self.succeed("cache", "--json", env=env).stdout)["entries"]
        if not any(d["available"] and d["backend"] != "reference" for d in self.json("devices")):
            self.skipTest("no device that compiles")

        def agree(name, *arguments):
            self.succeed(*arguments, "-o", "device" + name, env=env)
            self.succeed(*arguments, "-o", "reference" + name, "--device", "reference")
            load = numpy.load if name == ".npy" else read_png
            found, wanted = load(self.path("device" + name)), load(self.path("reference" + name))
            self.assertEqual(found.shape, wanted.shape, arguments)
            if name == ".npy":
                self.assertLess(numpy.linalg.norm(found - wanted) / numpy.linalg.norm(wanted), 1e-6, arguments)
            else:
                self.assertLessEqual(numpy.abs(found.astype(int) - wanted).max(), 1, arguments)

        counts = []
        for frames, taps, modes in [(12600, 31, ["full", "valid"]), (500, 500, ["same", "circular"]), (41001, 4000, [])]:
            self.write_sound(self.random.uniform(-0.5, 0.5, (frames, 2)), "f32")
            self.write_sound(self.random.uniform(-0.5, 0.5, (taps, 1)), "f32", "kernel.wav")
            for mode in modes:
                agree(".npy", "convolve", "in.wav", "kernel.wav", "--mode", mode)
                agree(".npy", "convolve", "in.wav", "kernel.wav", "--mode", mode, "--correlate")
            self.succeed("filter", "in.wav", "-o", "a.wav", "--lowpass", 1000, "--taps", taps | 1, env=env)
            counts.append(entries())
        self.assertEqual(counts, counts[:1] * 3)
        counts = []
        for shape, taps in [((40, 30, 3), (3, 5)), ((530, 20, 3), (31, 9)), ((7, 1000, 3), (1, 1))]:
            with open(self.path("in.png"), "wb") as file:
                file.write(png(self.random.integers(0, 256, shape).astype("u1"), 2))
            kernel = self.random.uniform(0, 1, taps)
            numpy.save(self.path("kernel.npy"), kernel / kernel.sum())
            agree(".png", "filter", "in.png", "--kernel", "kernel.npy")
            agree(".png", "convolve", "in.png", "kernel.npy", "--mode", "circular" if taps[0] <= shape[0] else "same")
            counts.append(entries())
        self.assertEqual(counts, counts[:1] * 3)

    def test_compiling_is_no_device_time(self):
        self.write_sound(self.random.uniform(-0.5, 0.5, (3000, 1)), "f32")
        arguments = ["filter", "in.wav", "-o", "out.wav", "--lowpass", 1000, "--json"]
        for fresh in ("a", "b"):  # the driver's own cache as well
            env = {name: self.path(name + fresh) for name in ("SEICHE_CACHE_DIR", "POCL_CACHE_DIR")}
            report = json.loads(self.succeed(*arguments, env=dict(env, SEICHE_DEVICE="")).stdout)
            self.assertLess(report["device_milliseconds"], max(100, 0.2 * report["plan_ms"]))

    def test_loudness(self):
        self.write_sound(numpy.sin(numpy.arange(800.0)[:, None] / 5) * 0.9, "i16")
        numpy.save(self.path("kernel.npy"), numpy.array([0.0, 4.0, 0.0]))
        result = self.succeed("filter", "in.wav", "-o", "out.wav", "--kernel", "kernel.npy")
        gain = result.stderr.split("--gain ")[1].split()[0]
        self.assertAlmostEqual(float(gain), -20 * numpy.log10(3.6), delta=0.15)
        quiet = self.succeed("filter", "in.wav", "-o", "out.wav", "--kernel", "kernel.npy", "--gain", gain)
        self.assertNotIn("clipped", quiet.stderr)
        report = self.json("filter", "in.wav", "-o", "out.wav", "--kernel", "kernel.npy", "--normalise")
        self.assertEqual((report["clipped"], scipy.io.wavfile.read(self.path("out.wav"))[1].max()), (0, 32767))
        self.assertAlmostEqual(report["gain_db"], -20 * numpy.log10(3.6), delta=0.01)
        found = self.filter_sound("--kernel", "kernel.npy", "--normalize")
        self.assertEqual(found.max(), 32767)
        self.refuse("filter", "in.wav", "-o", "o.wav", "--lowpass", 9, "--gain", 3, "--normalise", status=2, says="excludes")
        self.refuse("filter", "in.wav", "-o", "o.wav", "--lowpass", 9, "--gain", 999, status=2, says="-300 to 300 dB")
        self.refuse("filter", "in.png", "-o", "o.png", "--box", 3, "--gain", 3, status=2, says="only for sounds")

    # --- pictures

    def filter_picture(self, pixels, *arguments):
        with open(self.path("in.png"), "wb") as file:
            file.write(png(pixels, {1: 0, 2: 4, 3: 2, 4: 6}[pixels.shape[2]]))
        self.result = self.succeed("filter", "in.png", "-o", "out.png", *arguments)
        found = read_png(self.path("out.png"))
        self.assertEqual((found.shape, found.dtype.itemsize), (pixels.shape, pixels.dtype.itemsize))
        return found.astype("f8")

    def picture(self, channels, shape=(23, 31), dtype="u1"):
        return self.random.integers(0, numpy.iinfo(dtype).max + 1, (*shape, channels)).astype(dtype)

    def agree(self, found, pixels, filtered, full):
        for c in range(pixels.shape[2]):
            wanted = numpy.clip(filtered(pixels[..., c].astype("f8")), 0, full)
            self.assertLess(numpy.abs(found[..., c] - wanted).max(), 0.53)

    def test_pictures_against_scipy(self):
        kernel = self.random.uniform(-0.5, 0.6, (5, 3))
        numpy.save(self.path("k.npy"), kernel)
        gaussian = scipy.ndimage.gaussian_filter
        sobel = lambda x: numpy.hypot(scipy.ndimage.sobel(x, 0), scipy.ndimage.sobel(x, 1)) / 4 / 2**0.5
        filters = [(["--gaussian", s], lambda x, s=s: gaussian(x, s, mode="reflect")) for s in [0.1, 0.7, 2, 9.5]]
        filters += [(["--box", n], lambda x, n=n: scipy.ndimage.uniform_filter(x, n)) for n in [1, 3, 7, 51]]
        filters += [(["--sharpen", a], lambda x, a=a: x + a * (x - gaussian(x, 1))) for a in [0.5, 3]]
        filters += [(["--sobel"], sobel), (["--kernel", "k.npy"], lambda x: scipy.ndimage.convolve(x, kernel))]
        for arguments, filtered in filters:
            for channels, dtype in [(1, "u1"), (3, "u1"), (1, "u2")]:
                with self.subTest(arguments=arguments, channels=channels, dtype=dtype):
                    pixels = self.picture(channels, dtype=dtype)
                    more = ["--precision", "f64"] if dtype == "u2" else []
                    found = self.filter_picture(pixels, *arguments, *more)
                    self.agree(found, pixels, filtered, numpy.iinfo(dtype).max)
        # An even kernel has its middle where mode same has it.
        pixels = self.picture(1)
        wide = numpy.pad(pixels[..., 0].astype("f8"), ((2, 1), (2, 1)), "symmetric")
        found = self.filter_picture(pixels, "--box", 4)
        wanted = scipy.signal.fftconvolve(wide, numpy.full((4, 4), 1 / 16), "valid")
        self.assertLess(numpy.abs(found[..., 0] - wanted).max(), 0.51)

    def test_borders_keep_their_brightness(self):
        for arguments in [["--gaussian", 5], ["--box", 9], ["--sharpen", 2]]:
            for pixels in [numpy.full((20, 1, 3), 255, "u1"), numpy.full((7, 40, 4), 90, "u1")]:
                self.assertTrue((self.filter_picture(pixels, *arguments) == pixels).all())
                self.assertNotIn("clipped", self.result.stderr)
        self.assertTrue((self.filter_picture(numpy.full((5, 6, 1), 90, "u1"), "--sobel") == 0).all())

    def test_alpha(self):
        pixels = numpy.zeros((15, 15, 4), "u1")
        pixels[...] = [0, 255, 0, 0]  # cannot be seen, and so does not colour what is beside it
        pixels[5:10, 5:10] = [200, 10, 0, 255]
        for arguments, blurred in [(["--box", 3], lambda x: scipy.ndimage.uniform_filter(x, 3)),
                                   (["--gaussian", 1.5], lambda x: scipy.ndimage.gaussian_filter(x, 1.5))]:
            found = self.filter_picture(pixels, *arguments)
            alpha = blurred(pixels[..., 3].astype("f8"))
            self.assertLess(numpy.abs(found[..., 3] - alpha).max(), 0.51)
            self.assertTrue((found[alpha > 1][:, :3] == [200, 10, 0]).all())
        for arguments in [["--sharpen", 1], ["--sobel"]]:
            pixels = self.picture(4)
            self.assertTrue((self.filter_picture(pixels, *arguments)[..., 3] == pixels[..., 3]).all())

    def test_report_of_a_picture(self):
        self.filter_picture(self.picture(3), "--gaussian", 2)
        self.assertRegex(self.result.stdout, r"^gaussian of 2 pixels: 31 x 23 pixels, f32, .* ms\n$")
        report = self.json("filter", "in.png", "-o", "out.png", "--sharpen", 50)
        self.assertEqual((report["filter"], report["amount"], report["size"]), ("sharpen", 50, [31, 23]))
        self.assertGreater(report["clipped"], 0)

    # --- refusals

    def test_refusals(self):
        self.write_sound(numpy.zeros((10, 2)))
        self.filter_picture(self.picture(3, (5, 6)), "--box", 1)
        numpy.save(self.path("line.npy"), numpy.ones(4))
        numpy.save(self.path("three.npy"), numpy.ones((3, 4)))
        open(self.path("empty.wav"), "wb").close()
        open(self.path("empty.npy"), "wb").close()
        sound, picture = ["in.wav", "-o", "o.wav"], ["in.png", "-o", "o.png"]
        refuse = lambda *arguments, **more: self.refuse("filter", *arguments, **more)
        for hz in [-5, 0, "nan"]:
            refuse(*sound, "--lowpass", hz, status=2, says="--lowpass: expected a frequency above 0, got ")
        for hz in [4000, 1e9, "4k", "inf"]:
            refuse(*sound, "--lowpass", hz, says="--lowpass: expected a frequency below 4000 Hz, half the rate of 'in.wav', got ")
        refuse(*sound, "--highpass", 4001, says="--highpass: expected a frequency below 4000 Hz")
        refuse(*sound, "--bandpass", "-5-100", status=2, says="--bandpass: expected a frequency above 0")
        refuse(*sound, "--bandstop", "100-5000", says="--bandstop: expected a frequency below 4000 Hz")
        refuse(*sound, "--bandpass", "300-200", status=2, says="--bandpass: expected the lower frequency first, got 300-200")
        for text in ["300", "a-b", "300-", "-", "1-2-3", "1--"]:
            refuse(*sound, "--bandpass", text, status=2, says="expected")
        refuse(*sound, "--lowpass", "much", status=2)
        for taps in [0, -3, 1, 100, 2**24 + 1]:
            refuse(*sound, "--lowpass", 100, "--taps", taps, status=2, says="--taps: expected an odd number from 3 to 2^24")
        for transition in [0, -1, "nan", 201, 1e-9]:
            refuse(*sound, "--lowpass", 100, "--transition", transition, says="--transition: expected 0.00173 to 200 Hz")
        for attenuation in [20, -60, 181, "nan"]:
            refuse(*sound, "--lowpass", 100, "--attenuation", attenuation, status=2, says="--attenuation: expected 21 to 180 dB")
        refuse(*sound, "--lowpass", 100, "--taps", 9, "--transition", 9, status=2, says="excludes")
        refuse(*sound, status=2, says="expected one of --lowpass, --highpass, --bandpass, --bandstop, --kernel for a sound, got none")
        refuse(*sound, "--lowpass", 9, "--highpass", 9, status=2, says="got --lowpass and --highpass")
        refuse(*sound, "--sobel", status=2, says="--sobel: only for pictures")
        refuse(*sound, "--kernel", "line.npy", "--taps", 9, status=2, says="--taps: only for filters that are designed")
        refuse(*sound, "--kernel", "three.npy", says="expected 1 channel or the 2 as 'in.wav' has, got 3")
        refuse(*sound, "--kernel", "missing.npy", says="missing.npy")
        refuse(*sound, "--kernel", "empty.npy", says="empty.npy")
        refuse(*sound, "--kernel", "in.png", status=2, says="expected a kernel that is a sound or an .npy array, got 'in.png'")
        refuse("empty.wav", "-o", "o.wav", "--lowpass", 9, says="empty.wav")
        refuse("missing.wav", "-o", "o.wav", "--lowpass", 9, says="missing.wav")
        refuse("line.npy", "-o", "o.npy", "--box", 3, status=2, says="expected an input that is a sound or a picture")
        refuse("in.wav", "-o", "o.png", "--lowpass", 9, status=2, says="expected an output that ends in .wav")
        refuse(*picture, status=2, says="expected one of --gaussian, --box, --sharpen, --sobel, --kernel for a picture, got none")
        refuse(*picture, "--lowpass", 9, status=2, says="--lowpass: only for sounds")
        refuse(*picture, "--box", 9, "--taps", 9, status=2, says="--taps: only for sounds")
        for sigma in [0, -1, "nan", 501]:
            refuse(*picture, "--gaussian", sigma, status=2, says="--gaussian: expected a standard deviation above 0 and at most 500")
        for side in [0, -1, 5000]:
            refuse(*picture, "--box", side, status=2, says="--box: expected 1 to 4096 pixels")
        for amount in [0, -1, "nan", "inf"]:
            refuse(*picture, "--sharpen", amount, status=2, says="--sharpen: expected an amount above 0")
        refuse(*picture, "--kernel", "line.npy", says="expected the shape (height, width)")


if __name__ == "__main__":
    tool.main()

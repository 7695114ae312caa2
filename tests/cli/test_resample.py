"""`seiche resample` of arrays agrees with scipy.signal.resample; sounds and pictures keep what resampling must keep."""

import struct
import zlib

import numpy
import scipy.fft
import scipy.io.wavfile
import scipy.signal
import tool
from test_picture import png
from test_sound import riff, stored


def read_png(path):
    """Pixels (height, width, channels) of a file that is not interlaced and has no palette."""
    with open(path, "rb") as file:
        data = file.read()
    at, packed = 8, b""
    while at < len(data):
        size, name = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + size]
        if name == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
        packed += body if name == b"IDAT" else b""
        at += 12 + size
    channels, size = {0: 1, 4: 2, 2: 3, 6: 4}[colour], depth // 8
    step = channels * size
    rows = numpy.frombuffer(zlib.decompress(packed), "u1").reshape(height, 1 + width * step)
    above, out = [0] * (width * step), []
    for kind, *row in rows.tolist():
        for i in range(len(row)):
            a, b, c = (row[i - step], above[i], above[i - step]) if i >= step else (0, above[i], 0)
            nearest = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            row[i] = row[i] + [0, a, b, (a + b) // 2, nearest][kind] & 255
        out.append(row)
        above = row
    return numpy.array(out, "u1").view(">u2" if size == 2 else "u1").reshape(height, width, channels)


def cosine_resample(x, count, axis):
    """What DCT-II, cut or continued with zeros, and DCT-III make of an array."""
    spectrum = numpy.moveaxis(scipy.fft.dct(x, type=2, axis=axis), axis, 0)
    kept = numpy.zeros((count, *spectrum.shape[1:]))
    kept[:min(count, len(spectrum))] = spectrum[:count]
    return scipy.fft.idct(numpy.moveaxis(kept, 0, axis), type=2, axis=axis) * count / x.shape[axis]


class Resample(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.random = numpy.random.default_rng(17)

    # --- arrays

    def resample_array(self, x, *arguments):
        numpy.save(self.path("in.npy"), x)
        self.succeed("resample", "in.npy", "-o", "out.npy", *arguments)
        return numpy.load(self.path("out.npy"))

    def agree(self, found, expected, x):
        """Relative to the input: an element may be much smaller than what it is made of."""
        self.assertEqual(found.shape, expected.shape)
        error = numpy.linalg.norm(found - expected) / numpy.linalg.norm(x)
        growth = max(1, found.size / x.size) ** 0.5
        self.assertLess(error, 4 * growth * numpy.finfo(found.dtype).eps)

    def test_lengths_against_scipy(self):
        lengths = [(8, 12), (8, 13), (9, 12), (9, 13), (12, 8), (13, 8), (12, 9), (13, 9), (1, 5), (5, 1), (2, 5), (5, 2),
                   (4, 5), (5, 4), (1, 1), (1, 2), (2, 1), (7, 7), (97, 250), (250, 97), (62, 74), (1024, 1000)]
        for n, m in lengths:
            with self.subTest(n=n, m=m):
                x = self.random.standard_normal(n)
                self.agree(self.resample_array(x, "--count", m), scipy.signal.resample(x, m), x)
                self.agree(self.resample_array(x, "--count", m, "--symmetric"), cosine_resample(x, m, 0), x)

    def test_types_and_axes_against_scipy(self):
        for dtype in ["f4", "f8", "c8", "c16"]:
            for shape, axis in [((10,), 0), ((3, 10, 4), 1), ((2, 3, 10), -1), ((10, 3), 0)]:
                for count in [4, 7, 10, 15, 24]:
                    with self.subTest(dtype=dtype, shape=shape, count=count):
                        x = self.random.standard_normal(shape)
                        if dtype[0] == "c":
                            x = x + 1j * self.random.standard_normal(shape)
                        x = x.astype(dtype)
                        if count % 2:
                            x = numpy.asfortranarray(x)
                        found = self.resample_array(x, "--count", count, "--axis", axis)
                        self.assertEqual(found.dtype, x.dtype)
                        wide = x.astype("c16" if dtype[0] == "c" else "f8")
                        self.agree(found, scipy.signal.resample(wide, count, axis=axis), x)

    def test_a_complex_array_is_two_real_ones(self):
        # Of count 2 scipy 1.10 leaves the negative frequency out where the array is complex, not where it is real.
        x = self.random.standard_normal(5) + 1j * self.random.standard_normal(5)
        parts = scipy.signal.resample(x.real, 2) + 1j * scipy.signal.resample(x.imag, 2)
        self.agree(self.resample_array(x, "--count", 2), parts, x)

    def test_no_elements_and_odd_ones(self):
        numpy.save(self.path("in.npy"), numpy.ones((3, 0)))
        self.succeed("resample", "in.npy", "-o", "out.npy", "--count", 9)
        self.assertEqual(numpy.load(self.path("out.npy")).shape, (9, 0))
        numpy.save(self.path("in.npy"), numpy.array([[1, 2, 3, numpy.nan], [4, 5, 6, 7]]) + 1j)
        said = self.succeed("resample", "in.npy", "-o", "out.npy", "--count", 6, "--axis", 1).stderr
        self.assertIn("'in.npy': 1 of 8 elements is not finite (NaN or infinity), the first at [0, 3]: they spread along "
                      "the whole axis", said)

    def test_integers_and_halves(self):
        for dtype, becomes in [("i2", "f8"), ("u1", "f8"), ("f2", "f4")]:
            x = self.random.integers(0, 100, 30).astype(dtype)
            found = self.resample_array(x, "--count", 41)
            self.assertEqual(found.dtype, numpy.dtype(becomes))
            self.agree(found, scipy.signal.resample(x.astype("f8"), 41), x.astype("f8"))

    def test_precision_and_report(self):
        x = self.random.standard_normal((40, 3))
        self.assertEqual(self.resample_array(x, "--count", 50, "--precision", "f32").dtype, numpy.dtype("f4"))
        report = self.json("resample", "in.npy", "-o", "out.npy", "--count", 50)
        self.assertEqual((report["size"], report["new_size"]), ([40, 3], [50, 3]))
        self.assertEqual((report["continuation"], report["precision"]), ("periodic", "f64"))
        self.assertGreater(report["device_milliseconds"], 0)

    # --- sounds

    def write_sound(self, values, rate, kind="f64"):
        samples, read, tag, bits = stored(values, kind)
        with open(self.path("in.wav"), "wb") as file:
            file.write(riff(samples, rate, tag, bits))
        return read

    def resample_sound(self, *arguments, source="in.wav", target="out.wav"):
        """What the tool said, and the samples as scipy reads them."""
        said = self.succeed("resample", source, "-o", target, *arguments).stderr
        rate, samples = scipy.io.wavfile.read(self.path(target))
        return said, rate, samples.reshape(len(samples), -1)

    def test_a_tone_keeps_frequency_and_phase(self):
        for old, new in [(8000, 11025), (44100, 48000), (48000, 44100), (16000, 8000), (8000, 24000), (8000, 7999)]:
            with self.subTest(old=old, new=new):
                tone = lambda rate, frames: numpy.cos(2 * numpy.pi * 440 * numpy.arange(frames) / rate + 0.3)
                frames = 4 * old // 10 + 7
                self.write_sound(tone(old, frames)[:, None], old)
                _, rate, sound = self.resample_sound("--rate", new)
                self.assertEqual((rate, len(sound)), (new, round(frames * new / old)))
                inner = slice(len(sound) // 4, 3 * len(sound) // 4)  # the mirror at the ends bends the tone there
                self.assertLess(numpy.abs(sound[inner, 0] - tone(new, len(sound))[inner]).max(), 1e-3)

    def test_waves_of_the_mirrored_sound_are_exact(self):
        # 147 steps of one rate are 160 of the other; a cosine of whole half periods goes on in its mirror image.
        wave = lambda frames, k, steps: 0.5 * numpy.cos(numpy.pi * (k * numpy.arange(frames) % (2 * steps)) / steps)
        for k in [0, 1, 40, 146, 147]:  # the last is the highest frequency of the lower rate
            for old, p, new, q in [(44100, 147, 48000, 160), (48000, 160, 44100, 147)]:
                self.write_sound(wave(3 * p + 1, k, p)[:, None], old)
                _, _, sound = self.resample_sound("--rate", new)
                self.assertEqual(len(sound), 3 * q + 1)
                self.assertLess(numpy.abs(sound[:, 0] - wave(3 * q + 1, k, q)).max(), 1e-14)

    def test_what_is_above_the_lower_rate_goes(self):
        seconds = numpy.arange(16000) / 16000
        self.write_sound((0.4 * numpy.cos(2 * numpy.pi * 5000 * seconds))[:, None], 16000)
        _, _, sound = self.resample_sound("--rate", 8000)
        self.assertLess(numpy.abs(sound[1000:-1000]).max(), 1e-3)

    def test_every_encoding_keeps_its_format_and_constants(self):
        values = numpy.tile([0.5, -0.25, 0.0], (500, 1))
        for kind, dtype, unit in [("u8", "u1", 128), ("i16", "i2", 2**15), ("i24", "i4", 2**31), ("i32", "i4", 2**31),
                                  ("f32", "f4", 1), ("f64", "f8", 1)]:
            with self.subTest(kind=kind):
                self.write_sound(values, 44100, kind)
                said, rate, sound = self.resample_sound("--rate", 48000)
                self.assertEqual((rate, sound.shape, sound.dtype), (48000, (544, 3), numpy.dtype(dtype)))
                with open(self.path("out.wav"), "rb") as file:
                    self.assertEqual(struct.unpack_from("<H", file.read(), 34)[0], int(kind[1:]))
                self.assertNotIn("clipped", said)
                constants = (sound.astype("f8") - (128 if kind == "u8" else 0)) / unit
                expected = numpy.tile([0.5, -0.25, 0.0], (544, 1))
                self.assertLess(numpy.abs(constants - expected).max(), 1e-15 if kind in ["i16", "u8"] else 1e-6)

    def test_the_same_rate_changes_nothing(self):
        for kind in ["u8", "i16", "i24", "i32", "f32", "f64"]:
            self.write_sound(self.random.uniform(-1, 1, (301, 1)), 8000, kind)
            self.succeed("resample", "in.wav", "-o", "out.wav", "--rate", 8000)
            with open(self.path("in.wav"), "rb") as file, open(self.path("out.wav"), "rb") as other:
                samples, again = file.read(), other.read()
            self.assertEqual(samples[44:], again[len(again) - len(samples) + 44:])

    def test_round_trip(self):
        self.write_sound(self.random.uniform(-0.3, 0.3, (1000, 2)), 44100, "i16")
        self.resample_sound("--rate", 48000, target="up.wav")
        _, _, sound = self.resample_sound("--rate", 44100, source="up.wav")
        _, original = scipy.io.wavfile.read(self.path("in.wav"))
        self.assertEqual(sound.shape, original.shape)
        # Noise up to the highest frequency: the ends lose what the mirror image there does not go on with.
        self.assertLess(numpy.abs(sound[200:-200].astype("f8") - original[200:-200]).max(), 600)

    def test_one_end_does_not_come_in_at_the_other(self):
        step = numpy.where(numpy.arange(2000) < 1000, -0.5, 0.5)[:, None]
        self.write_sound(step, 8000)
        _, _, sound = self.resample_sound("--rate", 12000)
        self.assertLess(numpy.abs(sound[:100, 0] + 0.5).max(), 1e-3)
        self.assertLess(numpy.abs(sound[-100:, 0] - 0.5).max(), 1e-3)
        _, _, around = self.resample_sound("--rate", 12000, "--periodic")
        numpy.testing.assert_allclose(around[:, 0], scipy.signal.resample(step[:, 0], 3000), atol=1e-14)
        self.assertGreater(numpy.abs(around[:100, 0] + 0.5).max(), 0.05)

    def test_a_period_of_broken_length(self):
        self.write_sound(self.random.uniform(-0.5, 0.5, (101, 1)), 8000)
        said, _, sound = self.resample_sound("--rate", 11025, "--periodic")
        self.assertIn("the period of 101 samples becomes 139", said)
        self.assertEqual(len(sound), 139)

    def test_clipping_is_said(self):
        square = numpy.where(numpy.arange(400) // 50 % 2 == 0, 0.999, -1.0)[:, None]
        self.write_sound(square, 8000, "i16")
        said, _, sound = self.resample_sound("--rate", 16000)
        self.assertRegex(said, r"seiche: clipped \d+ of 800 samples to the range of 16-bit PCM; --gain -\d+\.\d clips none\n")
        self.assertEqual((sound.min(), sound.max()), (-32768, 32767))
        self.assertEqual(self.json("resample", "in.wav", "-o", "out.wav", "--rate", 16000)["clipped"],
                         int(said.split("clipped ")[1].split()[0]))
        self.write_sound(square, 8000, "f32")
        said, _, sound = self.resample_sound("--rate", 16000)
        self.assertNotIn("clipped", said)
        self.assertGreater(sound.max(), 1.01)

    def test_short_sounds(self):
        for frames in [1, 2, 3]:
            self.write_sound(numpy.full((frames, 2), 0.25), 8000, "i16")
            for rate in [1, 44100]:
                _, _, sound = self.resample_sound("--rate", rate)
                self.assertEqual(len(sound), max(1, round(frames * rate / 8000)))
                self.assertTrue((sound == 8192).all())

    def test_an_extensible_header_stays_one(self):
        samples = self.random.integers(-100, 100, (64, 4)).astype("<i2")
        guid = b"\1\0" + bytes.fromhex("0000000010008000 00aa00389b71")
        body = struct.pack("<HHIIHHHHI", 0xFFFE, 4, 8000, 64000, 8, 16, 22, 16, 0x33) + guid
        data = b"WAVEfmt " + struct.pack("<I", len(body)) + body + b"data" + struct.pack("<I", 512) + samples.tobytes()
        with open(self.path("in.wav"), "wb") as file:
            file.write(b"RIFF" + struct.pack("<I", len(data)) + data)
        self.resample_sound("--rate", 8000)
        with open(self.path("in.wav"), "rb") as file, open(self.path("out.wav"), "rb") as other:
            self.assertEqual(file.read(), other.read())

    # --- pictures

    def resample_picture(self, pixels, *arguments):
        """What the tool said, and the pixels."""
        colour = {1: 0, 2: 4, 3: 2, 4: 6}[pixels.shape[2]]
        with open(self.path("in.png"), "wb") as file:
            file.write(png(pixels, colour))
        said = self.succeed("resample", "in.png", "-o", "out.png", *arguments).stderr
        return said, read_png(self.path("out.png"))

    def test_pictures_against_cosine_transforms(self):
        for dtype, top in [("u1", 255), ("u2", 65535)]:
            for channels in [1, 3]:
                for width, height in [(40, 30), (17, 45), (31, 12), (20, 24), (1, 1)]:
                    with self.subTest(dtype=dtype, channels=channels, width=width, height=height):
                        pixels = self.random.integers(0, top + 1, (24, 31, channels)).astype(dtype)
                        said, found = self.resample_picture(pixels, "--size", f"{width}x{height}")
                        expected = cosine_resample(cosine_resample(pixels / float(top), height, 0), width, 1) * top
                        held = numpy.clip(expected, 0, top)
                        self.assertEqual((found.shape, found.dtype.itemsize), (expected.shape, pixels.dtype.itemsize))
                        self.assertLess(numpy.abs(found - held).max(), 0.5 + 2e-6 * top)
                        clipped = ((expected < -0.5) | (expected > top + 0.5)).sum()
                        self.assertEqual(f"clipped {clipped} of {found.size}" in said, clipped > 0, said)

    def test_periodic_pictures(self):
        pixels = self.random.integers(100, 150, (24, 30, 3)).astype("u1")
        _, found = self.resample_picture(pixels, "--size", "36x20", "--periodic")
        expected = scipy.signal.resample(scipy.signal.resample(pixels.astype("f8"), 20, axis=0), 36, axis=1)
        self.assertLess(numpy.abs(found - expected).max(), 0.501)

    def test_constants_and_scales(self):
        for scale, size in [(0.5, (10, 16)), (1, (19, 31)), (1.7, (32, 53)), (1e-9, (1, 1))]:
            for value in [0, 77, 255]:
                said, found = self.resample_picture(numpy.full((19, 31, 3), value, "u1"), "--scale", scale)
                self.assertEqual(found.shape, (*size, 3))
                self.assertTrue((found == value).all())
                self.assertNotIn("clipped", said)

    def test_round_trip_of_a_picture(self):
        pixels = self.random.integers(110, 140, (20, 30, 3)).astype("u2") * 256
        self.resample_picture(pixels, "--size", "71x33")
        self.succeed("resample", "out.png", "-o", "back.png", "--size", "30x20")
        self.assertLess(numpy.abs(read_png(self.path("back.png")).astype("f8") - pixels).max(), 3)

    def test_an_edge_does_not_come_in_at_the_other_side(self):
        pixels = numpy.zeros((8, 64, 1), "u1")
        pixels[:, 32:] = 200
        _, found = self.resample_picture(pixels, "--size", "128x8")
        self.assertLess(found[:, :8].max(), 4)
        self.assertLess(numpy.abs(found[:, -8:].astype(int) - 200).max(), 4)
        _, around = self.resample_picture(pixels, "--size", "128x8", "--periodic")
        self.assertLess(around[:, -1].max(), 150)

    def test_colours_that_cannot_be_seen_do_not_show(self):
        pixels = numpy.zeros((12, 16, 4), "u1")
        pixels[:, :8] = [200, 100, 50, 255]
        pixels[:, 8:] = [0, 255, 255, 0]
        _, found = self.resample_picture(pixels, "--scale", 2)
        self.assertEqual(found.shape, (24, 32, 4))
        seen = found[found[..., 3] > 100][:, :3].astype(int)
        self.assertLess(numpy.abs(seen - [200, 100, 50]).max(), 2)
        _, grey = self.resample_picture(pixels[..., [0, 3]], "--scale", 2)
        numpy.testing.assert_array_equal(grey, found[..., [0, 3]])

    # --- bad input

    def test_refusals(self):
        numpy.save(self.path("in.npy"), numpy.ones((3, 4)))
        numpy.save(self.path("none.npy"), numpy.ones((3, 0)))
        self.write_sound(numpy.full((30, 1), numpy.nan), 8000, "f32")
        with open(self.path("in.png"), "wb") as file:
            file.write(png(numpy.zeros((4, 4, 3), "u1"), 2))
        with open(self.path("cut.png"), "wb") as file:
            file.write(png(numpy.zeros((4, 4, 3), "u1"), 2)[:60])

        def refuse(*arguments, **expected):
            self.refuse("resample", *arguments, **expected)

        refuse("in.npy", "-o", "o.npy", status=2, says="expected --count for an array")
        refuse("in.wav", "-o", "o.wav", status=2, says="expected --rate for a sound")
        refuse("in.png", "-o", "o.png", status=2, says="expected --size or --scale for a picture")
        refuse("in.gif", "-o", "o.gif", status=2, says="expected an input that is a sound, a picture or an .npy array")
        refuse("in.wav", "-o", "o.npy", "--rate", 9, status=2, says="expected an output that ends in .wav")
        refuse("in.wav", "-o", "o.wav", "--rate", 9, "--count", 9, status=2, says="--count: only for arrays")
        refuse("in.npy", "-o", "o.npy", "--rate", 9, status=2, says="--rate: only for sounds")
        refuse("in.npy", "-o", "o.npy", "--count", 9, "--scale", 2, status=2, says="--scale: only for pictures")
        refuse("in.npy", "-o", "o.npy", "--count", 9, "--periodic", "--symmetric", status=2, says="excludes")
        refuse("in.npy", "-o", "o.npy", "--count", 0, status=2)
        refuse("in.npy", "-o", "o.npy", "--count", 2**29, status=2, says="from 1 to 268435456, got '536870912'")
        refuse("in.npy", "-o", "o.npy", "--count", "1G", status=2, says="from 1 to 268435456, got '1000000000'")
        refuse("in.npy", "-o", "o.npy", "--count=-1", status=2, says="--count: expected a whole number from 1 to")
        refuse("in.npy", "-o", "o.npy", "--count", 9, "--axis", 2, says="expected one of the 2 axes")
        refuse("none.npy", "-o", "o.npy", "--count", 9, "--axis", 1, says="at least one element along axis 1, got 0")
        refuse("missing.npy", "-o", "o.npy", "--count", 9, says="missing.npy")
        refuse("in.wav", "-o", "o.wav", "--rate", 9, says="expected finite samples, got NaN in sample 0 (at 0 s)")
        refuse("in.wav", "-o", "o.wav", "--rate", 0, status=2)
        refuse("in.wav", "-o", "o.wav", "--rate", 2**31, says="--rate: expected at most 1073741823 for 1 channel")
        refuse("in.wav", "-o", "o.wav", "--rate", 1073741823, says="at most 2^28 samples of a channel at either rate")
        for size in ["9", "x", "9x", "x9", "0x5", "5x-1", "9x9x9", "axb", "5x1000001"]:
            refuse("in.png", "-o", "o.png", "--size", size, status=2, says="--size: expected")
        refuse("in.png", "-o", "o.png", "--size", "100000x100000", says="at most 2^28 pixels")
        refuse("in.png", "-o", "o.png", "--scale", 1e9, says="--scale: expected sides of at most 1000000 pixels")
        refuse("in.png", "-o", "o.png", "--scale", "inf", says="--scale: expected sides of at most 1000000 pixels")
        for scale in [-1, 0, "nan", "-inf"]:
            refuse("in.png", "-o", "o.png", "--scale", scale, status=2, says="--scale: expected a positive number")
        refuse("in.png", "-o", "o.png", "--scale", 2, "--size", "3x3", status=2, says="excludes")
        refuse("cut.png", "-o", "o.png", "--scale", 2, says="damaged PNG")


if __name__ == "__main__":
    tool.main()

"""`seiche spectrum` of pictures agrees with numpy.fft."""

import struct
import zlib

import numpy
import tool


def png(pixels, colour):
    """A PNG file of pixels (height, width, samples) of 8 or 16 bits; colour is PNG's colour type."""

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    height, width = pixels.shape[:2]
    depth = 8 * pixels.dtype.itemsize
    rows = pixels.astype(pixels.dtype.newbyteorder(">")).reshape(height, -1)
    data = b"".join(b"\0" + row.tobytes() for row in rows)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b""))


class Picture(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.random = numpy.random.default_rng(5)

    def write(self, name, pixels, colour):
        with open(self.path(name), "wb") as file:
            file.write(png(pixels, colour))

    def spectrum(self, *arguments):
        self.succeed("spectrum", "in.png", "-o", "out.npy", *arguments)
        return numpy.load(self.path("out.npy"))

    def agree(self, levels, plane):
        expected = numpy.abs(numpy.fft.fftshift(numpy.fft.fft2(plane))) / plane.size
        self.assertEqual(levels.shape, expected.shape)
        found = 10.0 ** (levels.astype("f8") / 20)
        self.assertLess(numpy.abs(found - expected).max(), 2e-6 * expected.max())

    def test_levels(self):
        for shape in [(48, 64), (37, 50), (1, 9), (7, 1)]:
            for dtype, top in [("u1", 255), ("u2", 65535)]:
                with self.subTest(shape=shape, dtype=dtype):
                    pixels = self.random.integers(0, top + 1, (*shape, 3)).astype(dtype)
                    self.write("in.png", pixels, 2)
                    planes = pixels / float(top)
                    self.agree(self.spectrum(), planes @ [0.2126, 0.7152, 0.0722])
                    for index, name in enumerate("rgb"):
                        self.agree(self.spectrum("--channels", name), planes[..., index])
                    each = self.spectrum("--channels", "each")
                    for index in range(3):
                        self.agree(each[index], planes[..., index])

    def test_grey_and_alpha(self):
        pixels = self.random.integers(0, 256, (20, 30, 4)).astype("u1")
        self.write("in.png", pixels[..., :1], 0)
        self.agree(self.spectrum(), pixels[..., 0] / 255.0)
        self.write("in.png", pixels, 6)
        self.agree(self.spectrum("--channels", "g"), pixels[..., 1] / 255.0)

    def test_phase(self):
        pixels = self.random.integers(0, 256, (16, 24, 1)).astype("u1")
        self.write("in.png", pixels, 0)
        phase = self.spectrum("--phase", "--precision", "f64")
        expected = numpy.angle(numpy.fft.fftshift(numpy.fft.fft2(pixels[..., 0] / 255.0)))
        turn = numpy.angle(numpy.exp(1j * (phase.astype("f8") - expected)))
        self.assertLess(numpy.abs(turn).max(), 1e-5)

    def test_a_wave_lies_where_its_frequency_says(self):
        y, x = numpy.mgrid[0:64, 0:128]
        wave = 0.5 + 0.4 * numpy.cos(2 * numpy.pi * (x * 16 / 128 + y * 4 / 64))
        self.write("in.png", numpy.round(wave * 255).astype("u1")[..., None], 0)
        levels = self.spectrum()
        levels[32, 64] = -200
        self.assertEqual({tuple(p) for p in numpy.argwhere(levels > -20)}, {(32 + 4, 64 + 16), (32 - 4, 64 - 16)})

    def test_table(self):
        pixels = self.random.integers(0, 256, (5, 4, 3)).astype("u1")
        self.write("in.png", pixels, 2)
        self.succeed("spectrum", "in.png", "-o", "out.npy", "-o", "out.csv", "--channels", "each")
        levels = numpy.load(self.path("out.npy"))
        with open(self.path("out.csv")) as file:
            rows = [line.strip().split(",") for line in file]
        numpy.testing.assert_allclose(numpy.array(rows[0][2:], float), numpy.fft.fftshift(numpy.fft.fftfreq(4)))
        self.assertEqual([row[0] for row in rows[1:]], ["red"] * 5 + ["green"] * 5 + ["blue"] * 5)
        vertical = numpy.array([row[1] for row in rows[1:6]], float)
        numpy.testing.assert_allclose(vertical, numpy.fft.fftshift(numpy.fft.fftfreq(5)), atol=1e-15)
        values = numpy.array([row[2:] for row in rows[1:]], dtype="f4").reshape(3, 5, 4)
        numpy.testing.assert_array_equal(values, levels)

    def test_report_and_pictures(self):
        self.write("in.png", self.random.integers(0, 256, (60, 80, 3)).astype("u1"), 2)
        for arguments in [[], ["--phase"], ["--channels", "each"]]:
            report = self.json("spectrum", "in.png", "-o", "out.png", *arguments)
            self.assertEqual((report["size"], report["output"]), ([80, 60], "out.png"))
            self.assertLess(report["error"], 1e-6)
            self.assertGreater(report["error"], 1e-9)
            with open(self.path("out.png"), "rb") as file:
                self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")

    def test_refuses_bad_files(self):
        self.write("in.png", self.random.integers(0, 256, (60, 80, 3)).astype("u1"), 2)
        with open(self.path("in.png"), "rb") as file:
            good = file.read()

        def bad(data, says):
            with open(self.path("bad.png"), "wb") as file:
                file.write(data)
            self.refuse("spectrum", "bad.png", "-o", "o.png", says=says)

        def sized(width, height):
            head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
            return good[:12] + head + struct.pack(">I", zlib.crc32(head)) + good[33:]

        bad(good[: len(good) // 2], "damaged PNG")
        bad(good[:8], "damaged PNG")
        bad(b"GIF89a" + good, "expected a PNG file")
        bad(good[:60] + b"xxxx" + good[64:], "damaged PNG")
        bad(sized(16000, 16000), "cannot hold")
        bad(sized(2000000, 1), "damaged PNG")
        bad(sized(0, 1), "damaged PNG")
        bad(sized(900000, 900000), "2^28 pixels")
        self.refuse("spectrum", "in.png", "-o", "o.png", "--density", status=2, says="only for sounds")
        self.refuse("spectrum", "in.gif", "-o", "o.png", status=2, says="ends in .png, .wav")


if __name__ == "__main__":
    tool.main()

"""`seiche spectrum` of pictures agrees with numpy.fft."""

import io
import struct
import unittest
import zlib

import numpy
import tool

try:
    import PIL.Image
    import PIL.ImageCms
except ImportError:
    PIL = None


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
        bad(b"", "expected a picture")
        bad(b"GIF89a" + good, "expected a picture in PNG, JPEG, WebP or TIFF")
        bad(good[:60] + b"xxxx" + good[64:], "damaged PNG")
        bad(sized(16000, 16000), "cannot hold")
        bad(sized(2000000, 1), "damaged PNG")
        bad(sized(0, 1), "damaged PNG")
        bad(sized(900000, 900000), "2^28 pixels")
        self.refuse("spectrum", "in.png", "-o", "o.png", "--density", status=2, says="only for sounds")
        self.refuse("spectrum", "in.gif", "-o", "o.png", status=2, says="expected a picture, a sound")


@unittest.skipIf(PIL is None, "no Pillow")
class Photograph(tool.ToolTest):
    """Pictures as other programs write them, read and written again."""

    def setUp(self):
        super().setUp()
        self.random = numpy.random.default_rng(8)
        numpy.save(self.path("one.npy"), numpy.ones((1, 1)))

    def picture(self, mode="RGB", size=(40, 30)):
        """Smooth, so that what loses something loses little."""
        shape = (size[1], size[0], len(PIL.Image.new(mode, (1, 1)).getbands()))
        y, x, c = numpy.mgrid[0:shape[0], 0:shape[1], 0:shape[2]]
        values = 127 + 100 * numpy.cos(0.13 * x + 0.2 * y + c)
        return PIL.Image.fromarray(values.astype("u1").squeeze(axis=2) if shape[2] == 1 else values.astype("u1"), mode)

    def copied(self, name, out="out.png"):
        """What the tool reads of it, as Pillow reads what it writes; and the notes of the tool."""
        result = self.succeed("filter", name, "-o", out, "--kernel", "one.npy")
        notes = [line for line in result.stderr.splitlines() if not line.startswith("seiche: using ")]
        with PIL.Image.open(self.path(out)) as picture:
            picture.load()
            return picture, notes

    def same(self, found, wanted, most=0):
        self.assertEqual(found.size, wanted.size)
        self.assertEqual(found.mode, wanted.mode)
        difference = numpy.asarray(found).astype(int) - numpy.asarray(wanted).astype(int)
        self.assertLessEqual(numpy.abs(difference).max(), most)

    def test_every_format_is_read(self):
        for mode, name, options in [
            ("RGB", "in.jpg", {"quality": 90}), ("L", "in.jpg", {}), ("RGB", "in.jpg", {"progressive": True}),
            ("RGB", "in.webp", {"lossless": True}), ("RGBA", "in.webp", {"lossless": True}),
            ("RGB", "in.webp", {"quality": 80}), ("RGB", "in.tif", {}), ("RGBA", "in.tif", {}), ("L", "in.tif", {}),
            ("RGB", "in.tif", {"compression": "tiff_lzw"}), ("RGB", "in.tiff", {"compression": "tiff_adobe_deflate"}),
            ("L", "in.tif", {"compression": "packbits"}), ("RGB", "in.tif", {"compression": "jpeg"}),
        ]:
            with self.subTest(mode=mode, name=name, options=options):
                self.picture(mode).save(self.path(name), **options)
                with PIL.Image.open(self.path(name)) as file:
                    wanted = file.convert(mode)
                found, notes = self.copied(name)
                self.same(found, wanted, 1 if "jpeg" in options.values() else 0)
                self.assertEqual(notes, [])
                levels = self.succeed("spectrum", name, "-o", "out.npy") and numpy.load(self.path("out.npy"))
                self.assertEqual(levels.shape, (30, 40))

    def test_tiffs_of_other_pixels(self):
        wide = self.random.integers(0, 65536, (20, 30)).astype("u2")
        PIL.Image.fromarray(wide).save(self.path("in.tif"))
        found, _ = self.copied("in.tif")
        numpy.testing.assert_array_equal(numpy.asarray(found), wide)
        # Two colours, a palette, and inks.
        bits = self.picture("L").convert("1")
        for options in [{}, {"compression": "group4"}]:
            bits.save(self.path("in.tif"), **options)
            self.same(self.copied("in.tif")[0], bits.convert("L"))
        palette = self.picture().convert("P")
        palette.save(self.path("in.tif"))
        self.same(self.copied("in.tif")[0], palette.convert("RGB"))
        self.picture("CMYK").save(self.path("in.jpg"), quality=95)
        with PIL.Image.open(self.path("in.jpg")) as file:
            self.same(self.copied("in.jpg")[0], file.convert("RGB"), 2)
        two = self.picture()
        two.save(self.path("in.tif"), save_all=True, append_images=[two])
        found, notes = self.copied("in.tif")
        self.same(found, two)
        self.assertEqual(notes, ["seiche: 'in.tif': only the first of its pictures is read"])
        PIL.Image.fromarray(wide.astype("f4")).save(self.path("in.tif"))
        self.refuse("spectrum", "in.tif", "-o", "o.npy", says="expected unsigned integers as samples")

    def test_a_photograph_stands_upright(self):
        for orientation in range(1, 9):
            for name in ["in.jpg", "in.tif", "in.webp"]:
                with self.subTest(orientation=orientation, name=name):
                    exif = PIL.Image.Exif()
                    exif[0x0112] = orientation
                    if name == "in.tif":
                        self.picture().save(self.path(name), tiffinfo={0x0112: orientation})
                    else:
                        self.picture().save(self.path(name), exif=exif.tobytes(),
                                            **({"lossless": True} if name == "in.webp" else {"quality": 95}))
                    with PIL.Image.open(self.path(name)) as file:
                        turns = {2: 0, 3: 3, 4: 1, 5: 5, 6: 4, 7: 6, 8: 2}  # of PIL.Image.Transpose
                        wanted = file.convert("RGB")
                        # Pillow turns TIFF by itself, when it reads the pixels.
                        turned = name == "in.tif"
                    if orientation > 1 and not turned:
                        wanted = wanted.transpose(turns[orientation])
                    self.same(self.copied(name)[0], wanted)

    def test_profile_gamma_and_resolution_are_kept(self):
        profile = PIL.ImageCms.ImageCmsProfile(PIL.ImageCms.createProfile("sRGB")).tobytes()
        for source in ["in.png", "in.jpg", "in.tif", "in.webp"]:
            options = {} if source == "in.webp" else {"dpi": (300, 150)}
            self.picture().save(self.path(source), icc_profile=profile, **options)
            for command in [["filter", "--box", "3"], ["resample", "--scale", "0.5"], ["convolve", "one.npy"]]:
                for out in ["out.png", "out.jpg", "out.tif", "out.webp"]:
                    with self.subTest(source=source, command=command, out=out):
                        where = [source, *command[1:]]
                        self.succeed(command[0], *where, "-o", out)
                        with PIL.Image.open(self.path(out)) as file:
                            self.assertEqual(file.info.get("icc_profile"), profile)
                            if "in.webp" != source and "out.webp" != out:
                                dpi = [float(value) for value in file.info["dpi"]]
                                numpy.testing.assert_allclose(dpi, (300, 150), rtol=1e-4)

    def test_chunks_of_png_are_kept(self):
        def chunk(name, data):
            return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

        pixels = numpy.asarray(self.picture())
        plain = png(pixels, 2)
        gamma = chunk(b"gAMA", struct.pack(">I", 100000))
        primaries = chunk(b"cHRM", struct.pack(">8I", 31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000))
        size = chunk(b"pHYs", struct.pack(">IIB", 11811, 5906, 1))
        ratio = chunk(b"pHYs", struct.pack(">IIB", 2, 1, 0))
        for chunks in [gamma + primaries + size, chunk(b"sRGB", b"\2") + ratio, gamma]:
            with open(self.path("in.png"), "wb") as file:
                file.write(plain[:33] + chunks + plain[33:])
            self.copied("in.png")
            with open(self.path("out.png"), "rb") as file:
                out = file.read()
            end = out.index(b"IDAT") - 4
            self.assertEqual(sorted(out[33:end]), sorted(chunks))
            for name in [b"gAMA", b"cHRM", b"sRGB", b"pHYs"]:
                self.assertEqual(name in out, name in chunks)

    def test_what_a_format_cannot_hold_is_said(self):
        wide = self.random.integers(0, 65536, (20, 30, 1)).astype("u2")
        with open(self.path("wide.png"), "wb") as file:
            file.write(png(wide, 0))
        for out in ["out.jpg", "out.webp"]:
            _, notes = self.copied("wide.png", out)
            self.assertEqual(notes, [f"seiche: '{out}': samples of 16 bits became 8 (the format has no place for it)"])
        found, notes = self.copied("wide.png", "out.tif")
        numpy.testing.assert_array_equal(numpy.asarray(found), wide[..., 0])
        self.assertEqual(notes, [])
        self.picture("RGBA").save(self.path("clear.png"))
        self.refuse("filter", "clear.png", "-o", "out.jpg", "--box", 3, says="expected a picture without alpha for JPEG")

    def test_damaged_photographs(self):
        for name in ["in.jpg", "in.webp", "in.tif"]:
            self.picture().save(self.path(name))
            with open(self.path(name), "rb") as file:
                good = file.read()
            for kept in [20, len(good) // 2, len(good) - 30]:
                with open(self.path("bad" + name[2:]), "wb") as file:
                    file.write(good[:kept])
                if name != "in.tif" or kept < len(good) - 30:
                    self.refuse("spectrum", "bad" + name[2:], "-o", "o.npy", says="'bad" + name[2:] + "': ")

    def test_pictures_through_pipes(self):
        for name in ["in.png", "in.jpg", "in.webp", "in.tif"]:
            self.picture().save(self.path(name))
            with open(self.path(name), "rb") as file:
                data = file.read()
            result = self.run_tool("filter", "-", "-o", "-", "--box", 3, stdin=data, text=False)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.succeed("filter", name, "-o", "out.png", "--box", 3)
            with PIL.Image.open(io.BytesIO(result.stdout)) as found, PIL.Image.open(self.path("out.png")) as wanted:
                self.same(found, wanted)
            result = self.run_tool("filter", "-", "-o", "tif:-", "--box", 3, stdin=data, text=False)
            with PIL.Image.open(io.BytesIO(result.stdout)) as found, PIL.Image.open(self.path("out.png")) as wanted:
                self.same(found, wanted)

    def test_a_name_does_not_make_the_format(self):
        picture = self.picture()
        picture.save(self.path("in.webp"), lossless=True)
        with open(self.path("in.webp"), "rb") as file, open(self.path("in.png"), "wb") as other:
            other.write(file.read())
        self.same(self.copied("in.png")[0], picture)


if __name__ == "__main__":
    tool.main()

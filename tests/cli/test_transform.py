"""`seiche transform` gives what numpy.fft.fftn and ifftn give."""

import struct

import numpy
import tool

LIMIT = {"complex64": 1e-6, "complex128": 1e-14, "float64": 1e-14}


class Transform(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.random = numpy.random.default_rng(7)

    def array(self, shape, dtype="complex128", order="C"):
        values = self.random.standard_normal(shape)
        if numpy.dtype(dtype).kind == "c":
            values = values + 1j * self.random.standard_normal(shape)
        return numpy.asarray(values, dtype=dtype, order=order)

    def transform(self, values, *arguments):
        numpy.save(self.path("in.npy"), values)
        self.succeed("transform", "in.npy", "-o", "out.npy", *arguments)
        return numpy.load(self.path("out.npy"), allow_pickle=False)

    def agree(self, out, expected, dtype):
        self.assertEqual(out.dtype, dtype)
        self.assertEqual(out.shape, expected.shape)
        error = numpy.linalg.norm((out - expected).ravel()) / numpy.linalg.norm(expected.ravel())
        self.assertLess(error, LIMIT[numpy.dtype(dtype).name])

    def test_stages(self):
        values, window = self.array((3, 48)), numpy.hanning(48)
        numpy.save(self.path("window.npy"), window)
        counts = self.random.integers(0, 255, 144).astype("uint8")
        numpy.save(self.path("counts.npy"), counts)
        with open(self.path("store.txt"), "w", encoding="utf-8") as file:
            file.write("// from a file\nreturn value * gain + i0;\n")
        out = self.transform(values, "--axes", "1", "--load-stage", "return value * window[i1];", "--stage-buffer",
                             "window=window.npy", "--store-stage", "@store.txt", "--stage-scalar", "gain=0.5")
        self.agree(out, numpy.fft.fft(values * window) * 0.5 + numpy.arange(3)[:, None], "complex128")
        out = self.transform(values, "--inverse", "--load-stage", "return counts[i0 * n1 + i1];", "--stage-buffer",
                             "counts=counts.npy")
        self.agree(out, numpy.fft.ifftn(counts.reshape(3, 48)), "complex128")

    def test_stages_of_real_kinds(self):
        values = self.random.standard_normal((3, 48))
        window = numpy.hanning(48)
        numpy.save(self.path("window.npy"), window)
        samples = self.random.integers(-128, 127, 144).astype("int8")
        numpy.save(self.path("samples.npy"), samples)
        of_window = ["--load-stage", "return value * window[i1];", "--stage-buffer", "window=window.npy"]
        spectrum = numpy.fft.rfft(values * window)
        out = self.transform(values, "--kind", "r2c", "--axes", "1", *of_window, "--store-stage",
                             "return i1 == 0 ? 0 : value * gain;", "--stage-scalar", "gain=0.5")
        self.agree(out, spectrum * 0.5 * (numpy.arange(25) > 0), "complex128")
        out = self.transform(values, "--kind", "r2c", "--load-stage", "return samples[i0 * n1 + i1] / 128;",
                             "--stage-buffer", "samples=samples.npy")
        self.agree(out, numpy.fft.rfftn(samples.reshape(3, 48) / 128), "complex128")
        out = self.transform(spectrum, "--kind", "c2r", "--axes", "1", "--load-stage", "return value * (1 + i1);",
                             "--store-stage", "return value * value;")
        self.agree(out, numpy.fft.irfft(spectrum * (1 + numpy.arange(25)))**2, "float64")
        out = self.transform(values, "--kind", "r2hc", "--axes", "1", *of_window)
        halves = numpy.concatenate([spectrum.real, spectrum.imag[:, 23:0:-1]], axis=1)
        self.agree(out, halves, "float64")
        result = self.run_tool("transform", "in.npy", "-o", "no.npy", "--kind", "r2c", "--load-stage",
                               "return complex(value, 1);")
        self.assertEqual(result.returncode, 2)
        self.assertIn("line 1, column 8: expected a real number to return, because the array is real", result.stderr)

    def test_double_double_rounds_once(self):
        values = self.array((64, 48))
        turns = 2 * numpy.arccos(numpy.longdouble(-1)) * (numpy.outer(numpy.arange(48), numpy.arange(48)) % 48) / 48
        matrix = numpy.cos(turns) - 1j * numpy.sin(turns)
        expected = values.astype("clongdouble") @ matrix
        out = self.transform(values, "--axes", "1", "--precision", "f64x2")
        self.agree(out, numpy.fft.fft(values), "complex128")
        error = numpy.linalg.norm((out - expected).ravel()) / numpy.linalg.norm(expected.ravel())
        self.assertLess(error, 0.6 * 2.0**-53)

    def test_arithmetic_in_half(self):
        for kind, values, reference in [("c2c", self.array((12, 10)), numpy.fft.fftn),
                                        ("r2c", self.random.standard_normal((12, 10)), numpy.fft.rfftn)]:
            with self.subTest(kind=kind):
                out = self.transform(values, "--kind", kind, "--precision", "f16-arithmetic")
                self.assertEqual(out.dtype, "complex64")
                expected = reference(values)
                error = numpy.linalg.norm(out - expected) / numpy.linalg.norm(expected)
                self.assertLess(error, 3 * 2.0**-11)
                self.assertGreater(error, 2.0**-14)  # f32 would be better
                self.assertTrue((out.view("float32") == out.view("float32").astype("float16")).all())

    def test_stages_are_refused_in_one_line(self):
        numpy.save(self.path("in.npy"), self.array((8,)))
        numpy.save(self.path("w.npy"), numpy.ones(7))
        for status, arguments, message in [
            (2, ["--load-stage", "return value +;"], "forward_load: line 1, column 15: expected a value, got ';'"),
            (2, ["--load-stage", "return w[i0];", "--stage-buffer", "w=w.npy"],
             "expected an index from 0 to 6 into 'w', got one from 0 to 7"),
            (2, ["--stage-buffer", "w=w.npy"], "expected a stage that mentions 'w'"),
            (2, ["--load-stage", "return g;", "--stage-scalar", "g=two"], "expected a number, got 'two'"),
            (2, ["--store-stage", "store w[0] = 1;"], "expected a stage that returns its result"),
            (1, ["--load-stage", "@missing.txt"], "missing.txt"),
        ]:
            with self.subTest(arguments=arguments):
                result = self.run_tool("transform", "in.npy", "-o", "out.npy", *arguments)
                self.assertEqual(result.returncode, status, result.stderr)
                self.assertIn(message, result.stderr)

    def test_dtypes_orders_and_byte_orders(self):
        for dtype in ["<f2", ">f2", "<f4", ">f4", "<f8", ">f8", "<c8", ">c8", "<c16", ">c16"]:
            for order in "CF":
                with self.subTest(dtype=dtype, order=order):
                    values = self.array((4, 6, 5), dtype, order)
                    wide = numpy.dtype(dtype) in (numpy.dtype("<f8"), numpy.dtype(">f8"), numpy.dtype("<c16"),
                                                  numpy.dtype(">c16"))
                    exact = values.astype("complex128")
                    self.agree(self.transform(values), numpy.fft.fftn(exact), "complex128" if wide else "complex64")

    def test_integers_and_bools_are_doubles(self):
        for dtype in ["i1", "u1", "<i2", ">i2", "<u2", ">u2", "<i4", ">i4", "<u4", ">u4", "<i8", ">i8", "<u8", ">u8", "?"]:
            for order in "CF":
                with self.subTest(dtype=dtype, order=order):
                    info = (0, 1) if dtype == "?" else (numpy.iinfo(dtype).min, numpy.iinfo(dtype).max)
                    values = self.random.integers(*info, (4, 6, 5), endpoint=True, dtype=numpy.dtype(dtype).newbyteorder("="))
                    values = numpy.asarray(values, dtype=dtype, order=order)
                    self.agree(self.transform(values), numpy.fft.fftn(values), "complex128")
        values = self.random.integers(-9, 9, (5, 8))
        self.agree(self.transform(values, "--kind", "r2c"), numpy.fft.rfftn(values), "complex128")
        self.agree(self.transform(values, "--kind", "c2r", "--axes", "1"), numpy.fft.irfft(values), "float64")
        self.agree(self.transform(values, "--precision", "f32"), numpy.fft.fftn(values), "complex64")
        self.agree(self.transform(numpy.array(True)), numpy.ones((), "complex128"), "complex128")

    def test_arrays_through_pipes(self):
        numpy.save(self.path("in.npy"), self.array((6, 7)))
        self.succeed("transform", "in.npy", "-o", "out.npy")
        with open(self.path("in.npy"), "rb") as file:
            result = self.run_tool("transform", "-", "-o", "-", stdin=file.read(), text=False)
        with open(self.path("out.npy"), "rb") as file:
            self.assertEqual(result.stdout, file.read())

    def test_axes(self):
        for order in "CF":
            values = self.array((3, 8, 5, 4), order=order)
            for axes in [(0,), (1,), (-1,), (0, 2), (-1, -3), (3, 0, 1)]:
                with self.subTest(order=order, axes=axes):
                    out = self.transform(values, "--axes", ",".join(map(str, axes)))
                    self.agree(out, numpy.fft.fftn(values, axes=axes), "complex128")

    def test_ranks(self):
        for shape in [(), (1,), (17,), (1, 1), (2, 3, 2, 2, 3), (2,) * 8]:
            with self.subTest(shape=shape):
                values = self.array(shape)
                self.agree(self.transform(values), numpy.asarray(numpy.fft.fftn(values)), "complex128")

    def test_norms_and_directions(self):
        values = self.array((6, 10))
        for norm in ["backward", "ortho", "forward"]:
            with self.subTest(norm=norm):
                self.agree(self.transform(values, "--norm", norm), numpy.fft.fftn(values, norm=norm), "complex128")
                self.agree(self.transform(values, "--norm", norm, "--inverse"), numpy.fft.ifftn(values, norm=norm),
                           "complex128")
        self.agree(self.transform(values, "--inverse"), numpy.fft.ifftn(values), "complex128")
        self.agree(self.transform(values, "--norm", "none", "--inverse"), numpy.fft.ifftn(values) * 60, "complex128")
        self.agree(self.transform(values, "--norm", "none"), numpy.fft.fftn(values), "complex128")

    def test_precision(self):
        values = self.array((40,))
        self.agree(self.transform(values, "--precision", "f32"), numpy.fft.fft(values), "complex64")
        single = values.astype("complex64")
        self.agree(self.transform(single, "--precision", "f64"), numpy.fft.fft(single.astype("complex128")),
                   "complex128")

    def test_lengths_crop_and_pad(self):
        for order in "CF":
            values = self.array((6, 9, 7), order=order)
            for axes, lengths in [((1,), (4,)), ((0, 2), (8, 5)), ((2, 0), (8, 5)), ((0, 1, 2), (7, 7, 7))]:
                with self.subTest(order=order, axes=axes, lengths=lengths):
                    out = self.transform(values, "--axes", ",".join(map(str, axes)), "--length",
                                         ",".join(map(str, lengths)))
                    self.agree(out, numpy.fft.fftn(values, s=lengths, axes=axes), "complex128")
        numpy.save(self.path("in.npy"), self.array((17, 19)))
        result = self.succeed("transform", "in.npy", "-o", "out.npy", "--length", "fast")
        self.assertIn("axis 0: 17 zero-padded to 18, axis 1: 19 zero-padded to 20", result.stderr)
        result = self.succeed("transform", "in.npy", "-o", "out.npy", "--length", "10", "--axes", "1")
        self.assertIn("axis 1: 19 cropped to 10", result.stderr)

    def test_no_transforms_give_no_results(self):
        for kind, reference in [("c2c", numpy.fft.fft), ("r2c", numpy.fft.rfft), ("ihfft", numpy.fft.ihfft)]:
            values = numpy.zeros((0, 8), "float64" if kind != "c2c" else "complex128")
            out = self.transform(values, "--kind", kind, "--axes", "1")
            expected = reference(values, axis=1)
            self.assertEqual((out.shape, out.dtype), (expected.shape, expected.dtype))
        for kind, columns in [("c2r", 14), ("hfft", 14), ("dct2", 8)]:
            values = numpy.zeros((0, 8), "complex64" if kind != "dct2" else "float32")
            out = self.transform(values, "--kind", kind, "--axes", "1")
            self.assertEqual((out.shape, out.dtype), ((0, columns), numpy.dtype("float32")))
        out = self.transform(numpy.zeros((3, 8, 0), order="F"), "--axes", "1", "--length", "5")
        self.assertEqual(out.shape, (3, 5, 0))
        self.refuse("transform", "in.npy", "-o", "no.npy", says="at least one element along a transformed axis, got 0")

    def test_signals_with_hermitian_symmetry(self):
        half, real = self.array((3, 6)), self.random.standard_normal((3, 10))
        for norm in ["backward", "ortho", "forward"]:
            out = self.transform(half, "--kind", "hfft", "--axes", "1", "--norm", norm)
            self.agree(out, numpy.fft.hfft(half, norm=norm), "float64")
            out = self.transform(half, "--kind", "hfft", "--axes", "1", "--norm", norm, "--length", "11")
            self.agree(out, numpy.fft.hfft(half, 11, norm=norm), "float64")
            out = self.transform(real, "--kind", "ihfft", "--axes", "1", "--norm", norm)
            self.agree(out, numpy.fft.ihfft(real, norm=norm), "complex128")
        out = self.transform(half, "--kind", "hfft")
        self.agree(out, numpy.fft.irfftn(half.conj()) * 30, "float64")

    def test_says_what_is_not_finite(self):
        values = self.array((4, 6), order="F")
        values[2, 3], values[3, 4] = numpy.nan, numpy.inf
        numpy.save(self.path("in.npy"), values)
        said = self.succeed("transform", "in.npy", "-o", "out.npy").stderr
        self.assertIn("'in.npy': 2 of 24 elements are not finite (NaN or infinity), the first at [2, 3]", said)

    def test_prime_and_long(self):
        for n in [1009, 4096, 6561, 65536, 100003]:
            with self.subTest(n=n):
                values = self.array((n,))
                self.agree(self.transform(values), numpy.fft.fft(values), "complex128")

    def test_sound(self):
        samples = self.random.integers(-32768, 32768, (300, 2)).astype("<i2")
        with open(self.path("in.wav"), "wb") as file:
            data = samples.tobytes()
            body = b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 2, 8000, 32000, 4, 16) + b"data"
            file.write(b"RIFF" + struct.pack("<I", len(body) + 4 + len(data)) + body + struct.pack("<I", len(data)) + data)
        self.succeed("transform", "in.wav", "-o", "out.npy")
        self.agree(numpy.load(self.path("out.npy")), numpy.fft.fft(samples.T / 32768), "complex128")
        self.succeed("transform", "in.wav", "-o", "out.npy", "--axes", "0")
        self.agree(numpy.load(self.path("out.npy")), numpy.fft.fft(samples.T / 32768, axis=0), "complex128")

    def test_figures(self):
        numpy.save(self.path("in.npy"), self.array((8, 16)))
        report = self.json("transform", "in.npy", "-o", "out.npy", "--axes", "-1")
        self.assertEqual((report["size"], report["axes"], report["precision"]), ([8, 16], [1], "f64"))
        self.assertGreater(report["device_milliseconds"], 0)

    def test_special_values_stay_in_their_transform(self):
        values = self.array((3, 16), "float32")
        values[1, 3] = numpy.nan
        out = self.transform(values, "--axes", "1")
        self.assertTrue(numpy.isnan(out[1]).all())
        self.assertTrue(numpy.isfinite(out[[0, 2]]).all())

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)

    def hostile(self, header, data=b"", says="", version=b"\x01\x00"):
        size = struct.pack("<H" if version[0] == 1 else "<I", len(header))
        self.write("bad.npy", b"\x93NUMPY" + version + size + header.encode() + data)
        self.refuse("transform", "bad.npy", "-o", "out.npy", says=says)

    def test_refuses_bad_files(self):
        ok = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }"
        self.hostile(ok, b"\0" * 7, "truncated")
        self.hostile(ok, b"\0" * 9, "oversized")
        self.hostile(ok.replace("(2,)", "(-2,)"), b"\0" * 8, "length of 0 or more")
        self.hostile(ok.replace("(2,)", "(18446744073709551615, 2)"), b"", "64 bits")
        self.hostile(ok.replace("(2,)", "(1000000000000,)"), b"\0" * 8, "truncated")
        self.hostile(ok.replace("(2,)", "(0,)"), b"", "at least one element")
        self.hostile(ok.replace("<f4", "<U1"), b"\0" * 8, "float16, float32, float64, complex64 or complex128")
        self.hostile(ok.replace("<f4", "|O"), b"\0" * 8, "'|O'")
        self.hostile("__import__('os')", b"", "malformed")
        self.write("bad.npy", b"\x93NUMPY\x02\x00\xff\xff\xff\xff")
        self.refuse("transform", "bad.npy", "-o", "out.npy", says="claims 4294967295 bytes")
        self.write("bad.npy", b"")
        self.refuse("transform", "bad.npy", "-o", "out.npy", says="expected an .npy file")
        self.refuse("transform", "none.npy", "-o", "out.npy", says="No such file")

    def test_refuses_bad_requests(self):
        numpy.save(self.path("in.npy"), self.array((4, 4)))
        self.refuse("transform", "in.npy", "-o", "out.npy", "--axes", "2", status=2, says="axes from -2 to 1")
        self.refuse("transform", "in.npy", "-o", "out.npy", "--axes", "0,-2", status=2, says="axis 0 twice")
        self.refuse("transform", "in.npy", "-o", "out.npy", "--axes", "x", status=2, says="expected an integer")
        self.refuse("transform", "in.npy", "-o", "out.npy", "--length", "0", status=2, says="expected 1 to 2^40")
        for length in ["-1", "4611686018427387904"]:
            self.refuse("transform", "in.npy", "-o", "out.npy", f"--length={length}", status=2,
                        says=f"--length: expected 1 to 2^40, got {length}")
        self.refuse("transform", "in.npy", "-o", "out.npy", "--length", "2000000,2000000", status=2,
                    says="--length: expected arrays of at most 2^40 elements, got 2000000 x 2000000")
        self.refuse("transform", "in.npy", "-o", "out.npy", "--kind", "hfft", "--inverse", status=2,
                    says="--kind hfft, whose inverse is --kind ihfft")
        self.refuse("transform", "in.npy", "-o", "out.txt", status=2, says=".npy")
        self.refuse("transform", "in.txt", "-o", "out.npy", status=2, says="expected an .npy array")
        self.refuse("transform", "in.npy", "-o", "no/out.npy", says="No such file")
        self.refuse("transform", "in.npy", "-o", "out.npy", "--norm", "none at all", status=2)
        self.refuse("transform", "in.npy", "-o", "out.npy", "--device", "abacus:7", status=2, says="abacus")


if __name__ == "__main__":
    tool.main()

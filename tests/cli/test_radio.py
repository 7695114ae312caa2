"""`seiche spectrogram`, `spectrum` and `transform` of radio recordings agree with scipy.signal and numpy.fft."""

import json
import os
import resource
import struct
import subprocess
import warnings

import numpy
import scipy.signal
import tool

warnings.simplefilter("error")

# Type -> (SigMF's name, a part of a sample, what is subtracted, full scale)
TYPES = {
    "cu8": ("cu8", "u1", 127.5, 127.5),
    "cs8": ("ci8", "i1", 0, 128),
    "cs16": ("ci16_le", "<i2", 0, 32768),
    "cf32": ("cf32_le", "<f4", 0, 1),
    "cf64": ("cf64_le", "<f8", 0, 1),
    "cu16": ("cu16_le", "<u2", 32767.5, 32767.5),
    "cs32": ("ci32_le", "<i4", 0, 2.0**31),
    "cu32": ("cu32_le", "<u4", 2.0**31 - 0.5, 2.0**31 - 0.5),
    "cs16_be": ("ci16_be", ">i2", 0, 32768),
    "cf32_be": ("cf32_be", ">f4", 0, 1),
}
WIDE = ["cf64", "cs32", "cu32"]


class Radio(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.random = numpy.random.default_rng(5)

    def noise(self, samples):
        return self.random.uniform(-0.7, 0.7, samples) + 1j * self.random.uniform(-0.7, 0.7, samples)

    def write(self, name, values, kind):
        """Writes complex values in [-1, 1) and returns what a reader must see."""
        _, dtype, zero, scale = TYPES[kind]
        parts = values.view("f8") * scale + zero
        if scale > 1:
            parts = numpy.round(parts)
        parts = parts.astype(dtype)
        parts.tofile(self.path(name))
        return ((parts.astype("f8") - zero) / scale).view("complex128")

    def write_meta(self, name, kind="cu8", captures=None, **more):
        values = {"core:version": "1.0.0", "core:datatype": TYPES.get(kind, (kind,))[0], "core:sample_rate": 1e6}
        values.update({f"core:{key}": value for key, value in more.items()})
        captures = [{"core:sample_start": 0, "core:frequency": 1e8}] if captures is None else captures
        with open(self.path(name), "w", encoding="utf-8") as file:
            json.dump({"global": values, "captures": captures, "annotations": []}, file)

    def agree(self, levels, power):
        """Levels in dB against scipy's power: rounding to f32 is relative to the strongest of the frame."""
        self.assertEqual(levels.shape, power.shape)
        found = 10.0 ** (levels.astype("f8") / 10)
        self.assertLess(numpy.abs(found - power).max() / power.max(), 2e-6)

    def spectrogram(self, x, rate, window, length, hop):
        frequencies, times, power = scipy.signal.spectrogram(x, rate, window, length, length - hop, detrend=False,
                                                             return_onesided=False, scaling="spectrum")
        return numpy.fft.fftshift(frequencies), times, numpy.fft.fftshift(power, axes=0)

    def test_spectrogram_of_every_type_against_scipy(self):
        windows = [("hann", "hann"), ("rect", "boxcar"), ("hamming", "hamming"), ("blackman", "blackman")]
        cases = zip(TYPES, 3 * windows, 2 * [256, 255, 100, 1, 64], 2 * [64, 100, 100, 1, 16])
        for kind, (window, name), length, hop in cases:
            with self.subTest(kind=kind, length=length):
                x = self.write("in.iq", self.noise(3000), kind)
                self.succeed("spectrogram", "in.iq", "--iq", kind, "--rate", "2.4e6", "--centre", 1e8, "-o", "out.npy",
                             "-o", "out.csv", "-o", "out.png", "--window", window, "--length", length, "--hop", hop)
                frequencies, times, power = self.spectrogram(x, 2.4e6, name, length, hop)
                levels = numpy.load(self.path("out.npy"))
                self.agree(levels[0], power)
                with open(self.path("out.csv"), encoding="utf-8") as file:
                    head = file.readline().split(",")
                numpy.testing.assert_allclose(numpy.array(head[2:], "f8"), frequencies + 1e8, rtol=1e-15)
                table = numpy.genfromtxt(self.path("out.csv"), delimiter=",", skip_header=1)
                numpy.testing.assert_allclose(table[:, 1], times, rtol=1e-12)
                numpy.testing.assert_array_equal(table[:, 2:].T.astype("f4"), levels[0])

    def test_spectrum_against_scipy(self):
        x = self.write("in.iq", self.noise(9000), "cs16")
        for scaling, flags in [("spectrum", []), ("density", ["--density"])]:
            for length, hop in [(1024, 512), (99, 40)]:
                with self.subTest(scaling=scaling, length=length):
                    self.succeed("spectrum", "in.iq", "--iq", "cs16", "--rate", 48000, "--centre", -500, "-o",
                                 "out.npy", "-o", "out.csv", "-o", "out.png", "--length", length, "--hop", hop, *flags)
                    frequencies, power = scipy.signal.welch(x, 48000, "hann", length, length - hop, detrend=False,
                                                            return_onesided=False, scaling=scaling)
                    levels = numpy.load(self.path("out.npy"))
                    self.agree(levels, numpy.fft.fftshift(power)[None])
                    table = numpy.genfromtxt(self.path("out.csv"), delimiter=",", skip_header=1)
                    numpy.testing.assert_allclose(table[:, 0], numpy.fft.fftshift(frequencies) - 500, atol=1e-9)
                    numpy.testing.assert_array_equal(table[:, 1], levels[0])

    def test_a_full_scale_tone_lies_where_its_frequency_says(self):
        tone = numpy.exp(-2j * numpy.pi * 1000 * numpy.arange(8000) / 8000)
        self.write("in.iq", tone, "cf32")
        self.succeed("spectrogram", "in.iq", "--iq", "cf32", "--rate", 8000, "-o", "out.npy", "--length", 800)
        levels = numpy.load(self.path("out.npy"))
        self.assertTrue((levels.argmax(axis=1) == 400 - 100).all())  # -1000 Hz, 0 Hz being at 400
        self.assertLess(numpy.abs(levels.max(axis=1)).max(), 1e-4)

    def test_transform_against_numpy(self):
        for kind in TYPES:
            with self.subTest(kind=kind):
                x = self.write("in.iq", self.noise(999), kind)
                self.succeed("transform", "in.iq", "--iq", kind, "--rate", 1, "-o", "out.npy")
                out = numpy.load(self.path("out.npy"))
                self.assertEqual(out.dtype, "complex128" if kind in WIDE else "complex64")
                error = numpy.linalg.norm(out - numpy.fft.fft(x)) / numpy.linalg.norm(x) / 999**0.5
                self.assertLess(error, 1e-14 if kind in WIDE else 1e-6)
        x = self.write("in.iq", self.noise(999), "cf64")
        self.succeed("transform", "in.iq", "--iq", "cf64", "--rate", 1, "-o", "out.npy", "--length", 1024, "--inverse")
        out = numpy.load(self.path("out.npy"))
        numpy.testing.assert_allclose(out, numpy.fft.ifft(x, 1024), atol=1e-14)

    def test_sigmf_is_the_same_as_raw(self):
        for kind in TYPES:
            with self.subTest(kind=kind):
                self.write("in.sigmf-data", self.noise(2000), kind)
                self.write_meta("in.sigmf-meta", kind)
                os.link(self.path("in.sigmf-data"), self.path(f"{kind}.raw"))
                raw = self.json("spectrum", f"{kind}.raw", "--iq", kind, "--rate", 1e6, "--centre", 1e8, "-o",
                                "raw.csv", "--length", 128)
                for name in ["in.sigmf-meta", "in.sigmf-data"]:
                    report = self.json("spectrum", name, "-o", "out.csv", "--length", 128)
                    self.assertEqual((report["iq"], report["sample_rate"], report["centre"]), (kind, 10**6, 10**8))
                    self.assertEqual(report["frames"], raw["frames"])
                    with open(self.path("raw.csv"), "rb") as one, open(self.path("out.csv"), "rb") as other:
                        self.assertEqual(one.read(), other.read())
                self.succeed("transform", "in.sigmf-meta", "-o", "out.npy")
                self.succeed("transform", f"{kind}.raw", "--iq", kind, "--rate", 1, "-o", "raw.npy")
                numpy.testing.assert_array_equal(numpy.load(self.path("out.npy")), numpy.load(self.path("raw.npy")))

    def limited(self, megabytes, *arguments):
        """Runs the tool with that much address space."""
        limit = megabytes << 20
        return subprocess.run([tool.TOOL, *map(str, arguments)], cwd=self.folder.name, text=True, capture_output=True,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)), timeout=240,
                              env=dict(os.environ, SEICHE_DEVICE="reference"))

    def test_files_larger_than_memory(self):
        with open(self.path("big.iq"), "wb") as file:
            file.truncate(1 << 29)
        arguments = ["--iq", "cs16", "--rate", "1e6", "--length", 64, "--hop", 1 << 19]  # every byte is read
        for command in ["spectrogram", "spectrum"]:
            outputs = ["-o", "o.png", "-o", "o.npy", "-o", "o.csv"]
            result = self.limited(400, command, "big.iq", *outputs, *arguments)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertTrue((numpy.load(self.path("o.npy")) == -numpy.inf).all())
        result = self.limited(400, "transform", "big.iq", "-o", "t.npy", "--iq", "cs16", "--rate", 1)
        self.assertEqual((result.returncode, result.stderr.splitlines()[-1]), (1, "seiche: not enough host memory"))

    def test_a_file_far_larger_than_any_memory(self):
        with open(self.path("big.iq"), "wb") as file:
            file.truncate(1 << 42)
            file.seek((1 << 42) - 256)
            file.write(b"\x40\x00\x00\x00" * 64)  # the last frame alone is not silent
        hop = ((1 << 40) - 64) // 192  # it divides, so that the last frame ends with the file
        result = self.limited(400, "spectrogram", "big.iq", "-o", "o.npy", "--iq", "cs16", "--rate", "1e9", "--length",
                              64, "--hop", hop, "--window", "rect")
        self.assertEqual(result.returncode, 0, result.stderr)
        levels = numpy.load(self.path("o.npy"))
        self.assertEqual(levels.shape, (1, 64, ((1 << 40) - 64) // hop + 1))
        self.assertTrue((levels[0, :, :-1] == -numpy.inf).all())
        self.assertAlmostEqual(levels[0, 32, -1], 20 * numpy.log10(64 / 32768), places=4)

    def refuse_all(self, *arguments, status=1, says=""):
        for command, output in [("spectrogram", "o.png"), ("spectrum", "o.csv"), ("transform", "o.npy")]:
            self.refuse(command, *arguments, "-o", output, status=status, says=says)

    def test_refuses_files_that_lie(self):
        self.write("in.iq", self.noise(1000), "cu8")
        with open(self.path("empty.iq"), "wb"):
            pass
        self.refuse_all("empty.iq", "--iq", "cf32", "--rate", 1, says="it holds no samples")
        self.refuse_all("none.iq", "--iq", "cf32", "--rate", 1, says="No such file")
        with open(self.path("bytes.iq"), "wb") as file:
            file.write(self.random.bytes(80000))
        self.refuse_all("bytes.iq", "--iq", "cf32", "--rate", 1, says="it may not be cf32")

    def test_refuses_metadata_that_lie(self):
        self.write("in.sigmf-data", self.noise(1000), "cu8")

        def bad(says, *arguments, **meta):
            self.write_meta("in.sigmf-meta", **meta)
            self.refuse_all("in.sigmf-meta", *arguments, says=says)

        bad("got 'cf16_le'", kind="cf16_le")
        bad("got 'cs16_le'", kind="cs16_le")
        bad("expected 1 to 65536, got 0", num_channels=0)
        bad("core:sample_rate: expected a number", sample_rate=None)
        bad("sample rate above 0", sample_rate=0)
        bad("core:sample_rate: expected a number", sample_rate="1e6")
        bad("starts at sample 1000", captures=[{"core:sample_start": 1000}])
        bad("one core:frequency", captures=[{"core:sample_start": 0, "core:frequency": 1},
                                            {"core:sample_start": 9, "core:frequency": 2}])
        bad("in the same folder", dataset="/etc/passwd")
        bad("the metadata say 1e+06 Hz, got 2e+06", "--rate", 2e6)
        bad("cannot read", dataset="missing.bin")
        os.remove(self.path("in.sigmf-data"))
        bad("in.sigmf-data': cannot read")
        with open(self.path("in.sigmf-meta"), "w", encoding="utf-8") as file:
            file.write("{\"global\": {")
        self.refuse_all("in.sigmf-meta", says="malformed metadata: no JSON at byte 13")
        self.refuse_all("alone.sigmf-data", says="alone.sigmf-meta': cannot read")
        self.refuse_all("in.sigmf", says="unpack it with tar")

    def test_refuses_options_that_do_not_fit(self):
        self.write("in.iq", self.noise(1000), "cu8")
        self.write_meta("in.sigmf-meta")
        self.refuse_all("in.iq", "--iq", "cu8", status=2, says="--rate")
        self.refuse_all("in.iq", "--iq", "cu12", "--rate", 1, status=2, says="--iq")
        for rate in ["0", "-5", "nan", "inf", "1e300", "fast"]:
            self.refuse_all("in.iq", "--iq", "cu8", "--rate", rate, status=2)
        self.refuse_all("in.iq", "--iq", "cu8", "--rate", 1, "--centre", "nan", status=2, says="centre")
        self.refuse_all("in.sigmf-meta", "--iq", "cu8", "--rate", 1, status=2, says="--iq: expected none")
        self.refuse("spectrogram", "in.iq", "-o", "o.png", says="expected a WAV file")
        self.refuse("spectrum", "in.iq", "-o", "o.png", status=2, says="or --iq, got 'in.iq'")
        self.refuse("transform", "in.iq", "-o", "o.npy", status=2, says="or --iq, got 'in.iq'")
        self.refuse_all("in.wav", "--rate", 8000, status=2, says="--rate: only for radio recordings")
        self.refuse("spectrum", "in.png", "--rate", 1, "-o", "o.png", status=2, says="only for radio recordings")
        self.refuse("transform", "in.npy", "--rate", 1, "-o", "o.npy", status=2, says="only for radio recordings")
        self.refuse("spectrum", "in.iq", "--iq", "cu8", "--rate", 1, "--phase", "-o", "o.png", status=2,
                    says="only for pictures")
        self.refuse("spectrogram", "in.iq", "--iq", "cu8", "--rate", 1, "--length", 1001, "-o", "o.png",
                    says="at least --length 1001")

    def test_silence_of_cu8_has_no_carrier(self):
        # The two codes around the middle: what a receiver gives that hears nothing.
        with open(self.path("in.iq"), "wb") as file:
            file.write(self.random.integers(127, 129, 20000).astype("u1").tobytes())
        self.succeed("spectrum", "in.iq", "--iq", "cu8", "--rate", 1e6, "-o", "out.npy", "--length", 64)
        levels = numpy.load(self.path("out.npy"))[0]
        self.assertLess(levels[32], levels.mean() + 6)  # a zero at 128 would be 20 dB above

    def test_half_a_sample_at_the_end_is_left_out(self):
        x = self.write("in.iq", self.noise(700), "cs16")
        self.write_meta("in.sigmf-meta", "cs16")
        with open(self.path("in.iq"), "ab") as file:
            file.write(b"abc")
        os.link(self.path("in.iq"), self.path("in.sigmf-data"))
        for name, options in [("in.iq", ["--iq", "cs16", "--rate", 1]), ("in.sigmf-meta", [])]:
            result = self.succeed("transform", name, *options, "-o", "out.npy")
            numpy.testing.assert_allclose(numpy.load(self.path("out.npy")), numpy.fft.fft(x), atol=1e-3)
            self.assertIn("the last 3 bytes are no whole sample of cs16 and left out", result.stderr)

    def test_real_samples(self):
        values = self.random.uniform(-0.9, 0.9, 3000)
        for kind, dtype, zero, scale in [("ru8", "u1", 127.5, 127.5), ("ri16_le", "<i2", 0, 32768),
                                         ("rf32_be", ">f4", 0, 1), ("rf64_le", "<f8", 0, 1)]:
            with self.subTest(kind=kind):
                stored = values * scale + zero
                stored = (numpy.round(stored) if scale > 1 else stored).astype(dtype)
                stored.tofile(self.path("in.sigmf-data"))
                self.write_meta("in.sigmf-meta", kind)
                x = (stored.astype("f8") - zero) / scale
                self.succeed("spectrum", "in.sigmf-meta", "-o", "out.npy", "--length", 256)
                _, power = scipy.signal.welch(x, 1e6, "hann", 256, 128, detrend=False, scaling="spectrum")
                self.agree(numpy.load(self.path("out.npy")), power[None] / 0.5)
                os.replace(self.path("in.sigmf-data"), self.path("in.raw"))
                self.succeed("transform", "in.raw", "--iq", kind, "--rate", 1, "--kind", "r2c", "-o", "out.npy")
                out = numpy.load(self.path("out.npy"))
                self.assertLess(numpy.linalg.norm(out - numpy.fft.rfft(x)) / numpy.linalg.norm(out), 1e-6)

    def test_several_channels(self):
        one, two = self.noise(2000), self.noise(2000)
        x = self.write("in.sigmf-data", numpy.stack([one, two], axis=1).ravel(), "cf32").reshape(-1, 2).T
        self.write_meta("in.sigmf-meta", "cf32", num_channels=2)
        report = self.json("spectrum", "in.sigmf-meta", "-o", "out.npy", "--length", 128)
        self.assertEqual((report["channels"], report["samples"], report["iq"]), (2, 2000, "cf32"))
        _, power = scipy.signal.welch(x, 1e6, "hann", 128, 64, detrend=False, return_onesided=False, scaling="spectrum")
        self.agree(numpy.load(self.path("out.npy")), numpy.fft.fftshift(power, axes=-1))
        self.succeed("transform", "in.sigmf-meta", "-o", "out.npy")
        out = numpy.load(self.path("out.npy"))
        self.assertLess(numpy.abs(out - numpy.fft.fft(x)).max(), 1e-3)

    def test_annotations_are_listed(self):
        self.write("in.sigmf-data", self.noise(2000), "cu8")
        self.write_meta("in.sigmf-meta")
        with open(self.path("in.sigmf-meta"), encoding="utf-8") as file:
            metadata = json.load(file)
        metadata["annotations"] = [
            {"core:sample_start": 500, "core:sample_count": 250, "core:freq_lower_edge": 99.9e6,
             "core:freq_upper_edge": 100.1e6, "core:label": "a beacon"}, {"core:sample_start": 1000}]
        with open(self.path("in.sigmf-meta"), "w", encoding="utf-8") as file:
            json.dump(metadata, file)
        text = self.succeed("spectrogram", "in.sigmf-meta", "-o", "o.png").stdout
        self.assertIn("annotations   500 µs to 750 µs, 99.9 MHz to 100.1 MHz: a beacon\n", text)
        self.assertIn("\n              1 ms\n", text)
        report = self.json("spectrogram", "in.sigmf-meta", "-o", "o.png")
        self.assertEqual(report["annotations"], [{"start": 500, "count": 250, "low": 99900000, "high": 100100000,
                                                  "text": "a beacon"}, {"start": 1000}])

    def test_pairs_in_a_sound_file(self):
        x = self.noise(3000)
        pairs = numpy.round(x.view("f8") * 32768).clip(-32768, 32767).astype("<i2").reshape(-1, 2)
        head = b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 2, 192000, 192000 * 4, 4, 16)
        tuned = b"auxi" + struct.pack("<I", 64) + bytes(32) + struct.pack("<I", 7100000) + bytes(28)
        for auxi in [b"", tuned]:
            body = head + auxi + b"data" + struct.pack("<I", pairs.nbytes) + pairs.tobytes()
            with open(self.path("in.wav"), "wb") as file:
                file.write(b"RIFF" + struct.pack("<I", len(body)) + body)
            for kind in ["wav", "cs16", "ci16"]:
                with self.subTest(kind=kind, auxi=len(auxi)):
                    report = self.json("spectrum", "in.wav", "--iq", kind, "-o", "out.npy", "--length", 128)
                    self.assertEqual((report["iq"], report["sample_rate"], report["channels"], report["samples"]),
                                     ("cs16", 192000, 1, 3000))
                    self.assertEqual(report["centre"], 7100000 if auxi else 0)
                    _, power = scipy.signal.welch((pairs[:, 0] + 1j * pairs[:, 1]) / 32768, 192000, "hann", 128, 64,
                                                  detrend=False, return_onesided=False, scaling="spectrum")
                    self.agree(numpy.load(self.path("out.npy")), numpy.fft.fftshift(power)[None])
        self.refuse("spectrum", "in.wav", "--iq", "wav", "--rate", 8000, "-o", "o.npy",
                    says="--rate: the file says 192000 Hz, got 8000")
        self.refuse("spectrum", "in.wav", "--iq", "wav", "--centre", 8000, "-o", "o.npy", says="--centre: the file says")
        self.refuse("spectrum", "in.wav", "--iq", "cf32", "--rate", 1, "-o", "o.npy",
                    says="--rate: the file says 192000 Hz, got 1")
        self.refuse("spectrum", "in.wav", "--iq", "cf32", "-o", "o.npy", says="got a sound file of cs16")
        body = b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 16000, 2, 16) + b"data" + struct.pack("<I", 4)
        with open(self.path("mono.wav"), "wb") as file:
            file.write(b"RIFF" + struct.pack("<I", len(body) + 4) + body + b"abcd")
        self.refuse("spectrum", "mono.wav", "--iq", "wav", "-o", "o.npy", says="expected pairs of channels")

    def test_a_receiver_in_a_pipe(self):
        self.write("in.iq", self.noise(3000), "cu8")
        options = ["--iq", "cu8", "--rate", 1e6, "--length", 128]
        self.succeed("spectrum", "in.iq", "-o", "out.csv", *options)
        with open(self.path("in.iq"), "rb") as file:
            result = self.run_tool("spectrum", "-", "-o", "csv:-", *options, stdin=file.read(), text=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.path("out.csv"), "rb") as file:
            self.assertEqual(result.stdout, file.read())


if __name__ == "__main__":
    tool.main()

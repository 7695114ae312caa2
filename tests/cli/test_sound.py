"""`seiche spectrogram` and `seiche spectrum` of sounds agree with scipy.signal."""

import json
import os
import shutil
import signal
import struct
import subprocess
import time
import unittest
import warnings

import numpy
import scipy.io.wavfile
import scipy.signal
import tool

warnings.simplefilter("error")


def riff(samples, rate, tag, bits):
    """A WAV file of samples (frames, channels) that are already in their stored type; 24 bits as int32 << 8."""
    channels = samples.shape[1]
    data = samples.tobytes()
    if bits == 24:
        data = samples.astype("<i4").view("u1").reshape(-1, 4)[:, 1:].tobytes()
    block = channels * bits // 8
    body = b"WAVEfmt " + struct.pack("<IHHIIHH", 16, tag, channels, rate, rate * block, block, bits)
    body += b"data" + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def stored(values, kind):
    """Values in [-1, 1) as stored and as read back."""
    if kind == "u8":
        ints = numpy.clip(numpy.round(values * 128 + 128), 0, 255).astype("u1")
        return ints, (ints - 128.0) / 128, 1, 8
    if kind == "i16":
        ints = numpy.clip(numpy.round(values * 32768), -32768, 32767).astype("<i2")
        return ints, ints / 32768.0, 1, 16
    if kind == "i24":
        ints = numpy.clip(numpy.round(values * 2**23), -(2**23), 2**23 - 1).astype("<i4")
        return ints * 256, ints / 2.0**23, 1, 24
    if kind == "i32":
        ints = numpy.clip(numpy.round(values * 2.0**31), -(2.0**31), 2.0**31 - 1).astype("<i4")
        return ints, ints / 2.0**31, 1, 32
    single = values.astype("<f4" if kind == "f32" else "<f8")
    return single, single.astype("f8"), 3, 32 if kind == "f32" else 64


class Sound(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.random = numpy.random.default_rng(11)

    def write(self, name, values, rate=8000, kind="f64"):
        """Writes (frames, channels) and returns what a reader must see, (channels, frames)."""
        samples, read, tag, bits = stored(values, kind)
        with open(self.path(name), "wb") as file:
            file.write(riff(samples, rate, tag, bits))
        return read.T

    def noise(self, frames, channels=1):
        return self.random.uniform(-0.9, 0.9, (frames, channels))

    def agree(self, levels, power):
        """Levels in dB against scipy's power: rounding to f32 is relative to the strongest of the frame."""
        expected = power / 0.5
        self.assertEqual(levels.shape, expected.shape)
        found = 10.0 ** (levels.astype("f8") / 10)
        self.assertLess(numpy.abs(found - expected).max() / expected.max(), 2e-6)

    def test_spectrogram_against_scipy(self):
        windows = {"hann": "hann", "hamming": "hamming", "blackman": "blackman", "rect": "boxcar"}
        for (window, name), length, hop in zip(windows.items(), [1024, 100, 255, 64], [256, 33, 255, 200]):
            with self.subTest(window=window, length=length, hop=hop):
                x = self.write("in.wav", self.noise(5000, 2), 44100)
                self.succeed("spectrogram", "in.wav", "-o", "out.npy", "--window", window, "--length", length, "--hop",
                             hop)
                levels = numpy.load(self.path("out.npy"))
                if hop <= length:
                    _, _, power = scipy.signal.spectrogram(x, 44100, name, length, length - hop, detrend=False,
                                                           scaling="spectrum")
                else:  # scipy overlaps only
                    frames = [scipy.signal.periodogram(x[:, at:at + length], 44100, name, detrend=False,
                                                       scaling="spectrum")[1] for at in range(0, 5000 - length + 1, hop)]
                    power = numpy.stack(frames, axis=-1)
                self.agree(levels, power)

    def test_magnitude_mode_away_from_the_edges(self):
        x = self.write("in.wav", self.noise(4000))
        self.succeed("spectrogram", "in.wav", "-o", "out.npy")
        _, _, magnitude = scipy.signal.spectrogram(x, 8000, "hann", 1024, 768, detrend=False, scaling="spectrum",
                                                   mode="magnitude")
        self.agree(numpy.load(self.path("out.npy"))[:, 1:-1], 0.5 * (2 * magnitude[:, 1:-1]) ** 2)

    def test_every_encoding(self):
        values = self.noise(3000, 3)
        for kind in ["u8", "i16", "i24", "i32", "f32", "f64"]:
            with self.subTest(kind=kind):
                x = self.write("in.wav", values, 22050, kind)
                self.succeed("spectrogram", "in.wav", "-o", "out.npy", "--length", 512, "--hop", 128)
                _, _, power = scipy.signal.spectrogram(x, 22050, "hann", 512, 384, detrend=False, scaling="spectrum")
                self.agree(numpy.load(self.path("out.npy")), power)

    def test_full_scale_sine_is_0_dbfs(self):
        for window in ["hann", "hamming", "blackman", "rect"]:
            sine = numpy.sin(2 * numpy.pi * 1000 * numpy.arange(8000) / 8000)[:, None]
            self.write("in.wav", sine)
            self.succeed("spectrogram", "in.wav", "-o", "out.npy", "--window", window, "--length", 800)
            levels = numpy.load(self.path("out.npy"))
            self.assertTrue((levels.argmax(axis=1) == 100).all())
            self.assertLess(numpy.abs(levels.max(axis=1)).max(), 1e-4)

    def test_many_batches(self):
        x = self.write("in.wav", self.noise(700000), 48000, "i16")
        report = self.json("spectrogram", "in.wav", "-o", "out.npy", "--length", 2048, "--hop", 512)
        _, _, power = scipy.signal.spectrogram(x, 48000, "hann", 2048, 1536, detrend=False, scaling="spectrum")
        self.agree(numpy.load(self.path("out.npy")), power)
        self.assertEqual(report["frames"], power.shape[-1])
        self.assertEqual(report["size"], [1, 700000])

    def test_every_window_against_scipy(self):
        windows = {"hann": "hann", "hamming": "hamming", "blackman": "blackman", "blackman-harris": "blackmanharris",
                   "nuttall": "nuttall", "flat-top": "flattop", "bartlett": "bartlett", "cosine": "cosine",
                   "rect": "boxcar", "kaiser:0": ("kaiser", 0), "kaiser:8.6": ("kaiser", 8.6),
                   "gauss:9.5": ("gaussian", 9.5), "tukey:0": ("tukey", 0), "tukey:0.3": ("tukey", 0.3),
                   "tukey:1": ("tukey", 1)}
        for n in (64, 33):
            self.write("in.wav", 0.5 * (numpy.arange(2 * n - 1) == n - 1)[:, None])
            for window, name in windows.items():
                with self.subTest(window=window, n=n):
                    # Frame f sees one sample, at place n - 1 - f: its power is the square of that weight.
                    weights = scipy.signal.get_window(name, n)[::-1]
                    self.succeed("spectrogram", "in.wav", "-o", "out.npy", "--window", window, "--length", n, "--hop", 1,
                                 "--precision", "f64")
                    power = 10.0 ** (numpy.load(self.path("out.npy"))[0, 3].astype("f8") / 10)
                    wanted = 2 * (0.5 * weights / weights.sum()) ** 2 / 0.5
                    numpy.testing.assert_allclose(power, wanted, rtol=1e-4, atol=1e-16)
        for window in ["kaiser", "kaiser:-1", "kaiser:x", "tukey:2", "gauss:0", "hann:1", "", "Hann"]:
            self.refuse("spectrogram", "in.wav", "-o", "out.npy", "--window", window, status=2,
                        says="--window: expected hann, hamming")

    def test_a_part_of_a_recording(self):
        x = self.write("in.wav", self.noise(6000, 2))
        self.succeed("spectrogram", "in.wav", "-o", "all.npy", "--length", 100, "--hop", 50)
        self.succeed("spectrogram", "in.wav", "-o", "part.npy", "-o", "part.csv", "--length", 100, "--hop", 50,
                     "--start", "0.25", "--duration", "0:0.1")
        whole, part = numpy.load(self.path("all.npy")), numpy.load(self.path("part.npy"))
        numpy.testing.assert_array_equal(part, whole[:, :, 40:40 + 15])
        with open(self.path("part.csv")) as file:
            self.assertEqual(float(file.readlines()[1].split(",")[1]), (2000 + 50) / 8000)
        report = self.json("spectrogram", "in.wav", "-o", "part.npy", "--start", 0.25, "--mixdown")
        self.assertEqual((report["samples"], report["channels"], report["start_seconds"]), (4000, 1, 0.25))
        self.succeed("spectrum", "in.wav", "-o", "mix.npy", "--mixdown", "--length", 64, "--precision", "f64")
        _, power = scipy.signal.welch(x.mean(axis=0), 8000, "hann", 64, 32, detrend=False, scaling="spectrum")
        numpy.testing.assert_allclose(10 ** (numpy.load(self.path("mix.npy"))[0] / 10), power / 0.5, rtol=1e-9)
        for start in ["0.75", "9", "1e300"]:
            self.refuse("spectrogram", "in.wav", "-o", "o.npy", "--start", start, says="before the end of 'in.wav' at 750 ms")
        for text in ["-1", "x", "1:x", "1:-2", "nan", ":"]:
            self.refuse("spectrogram", "in.wav", "-o", "o.npy", "--start=" + text, status=2, says="--start")
        self.refuse("spectrogram", "in.wav", "-o", "o.npy", "--duration", 0, status=2, says="--duration")

    def test_samples_that_are_no_numbers(self):
        for bad in (numpy.nan, numpy.inf):
            x = self.noise(4000, 2)
            self.write("good.wav", x)
            x[1003, 1] = x[2500, 0] = bad
            self.write("in.wav", x)
            result = self.succeed("spectrogram", "in.wav", "-o", "o.npy", "-o", "o.png", "--length", 100, "--hop", 100)
            self.assertIn("'in.wav': 2 samples are not finite, first sample 1003 (at 125.375 ms) of the right channel; "
                          "2 frames of 80 are grey", result.stderr)
            levels = numpy.load(self.path("o.npy"))
            self.assertEqual(sorted(set(map(tuple, numpy.argwhere(~numpy.isfinite(levels))[:, [0, 2]]))), [(0, 25), (1, 10)])
            report = self.json("spectrogram", "in.wav", "-o", "o.npy", "--length", 100, "--hop", 100)
            self.assertEqual((report["not_finite"]["samples"], report["not_finite"]["first"], report["frames_not_finite"]), (2, 1003, 2))
            # Of a mean they are left out.
            result = self.succeed("spectrum", "in.wav", "-o", "o.npy", "-o", "o.png", "--length", 100, "--hop", 100, "--precision", "f64")
            self.assertIn("2 frames of 80 left out of the mean", result.stderr)
            self.succeed("spectrogram", "good.wav", "-o", "good.npy", "--length", 100, "--hop", 100, "--precision", "f64")
            power = 10 ** (numpy.load(self.path("good.npy")).astype("f8") / 10)
            wanted = numpy.stack([numpy.delete(power[0], 25, axis=1).mean(axis=1), numpy.delete(power[1], 10, axis=1).mean(axis=1)])
            numpy.testing.assert_allclose(10 ** (numpy.load(self.path("o.npy")) / 10), wanted, rtol=1e-5)
        self.write("in.wav", numpy.full((300, 1), numpy.nan))
        self.refuse_after_notes("spectrum", "in.wav", "-o", "p.png", says="expected a frame of finite samples, got none")
        self.write("in.wav", numpy.zeros((3000, 1)))
        for command in ("spectrum", "spectrogram"):
            self.assertIn("'in.wav': silent", self.succeed(command, "in.wav", "-o", "p.png").stderr)

    def refuse_after_notes(self, *arguments, says):
        result = self.run_tool(*arguments)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn(says, result.stderr.splitlines()[-1])

    def pixels(self, *arguments):
        """The picture of a spectrogram, as (height, width, 3)."""
        from test_resample import read_png
        self.succeed("spectrogram", "in.wav", "-o", "p.png", "--size", "600x400", *arguments)
        return read_png(self.path("p.png"))

    def test_pictures_as_asked_for(self):
        t = numpy.arange(2000) / 16000
        self.write("in.wav", 0.5 * numpy.sin(2 * numpy.pi * 1000 * t)[:, None], 16000)
        self.assertEqual(self.pixels().shape[:2], (400, 600))

        def row_of_tone(picture):
            """How far up the plot the brightest row of its middle column is, of its height."""
            column = picture[116:300, 250].astype(int).sum(axis=1)  # of the plot, between its margins
            return 1 - (column[3:-3].argmax() + 3.5) / len(column)

        dark = ["--db-range", 20, "--colour-map", "grey"]
        mel = lambda hz: numpy.log(1 + hz / 700)
        for options, wanted in [([], 1000 / 8000), (["--frequency-range", "500-1.5k"], 0.5),
                                (["--log"], numpy.log(1000 / 15.625) / numpy.log(8000 / 15.625)),
                                (["--mel"], mel(1000) / mel(8000)),
                                (["--log", "--frequency-range", "100:8k"], numpy.log(10) / numpy.log(80))]:
            with self.subTest(options=options):
                self.assertAlmostEqual(row_of_tone(self.pixels(*dark, *options)), wanted, delta=0.02)
        first = self.pixels()
        for options in (["--colour-map", "viridis"], ["--colour-map", "magma"], ["--colour-map", "plasma"], ["--color-map", "cubehelix"],
                        ["--db-range", 40], ["--db-range", "-60:-10"]):
            self.assertTrue((self.pixels(*options) != first).any(), options)
        refuse = lambda *arguments, **more: self.refuse("spectrogram", "in.wav", "-o", "p.png", *arguments, **more)
        os.remove(self.path("p.png"))
        refuse("--size", "10x10", says="expected a picture of at least")
        for size in ["10", "x", "0x5", "99999x9"]:
            refuse("--size", size, status=2, says="--size")
        refuse("--log", "--mel", status=2, says="got both")
        refuse("--colour-map", "jet", status=2, says="inferno, viridis")
        refuse("--frequency-range", "9k-10k", says="0 Hz to 8 kHz")
        for text in ["5", "9-3", "x-3"]:
            refuse("--frequency-range", text, status=2, says="--frequency-range")
        for text in ["-80", "0", "3:x"]:
            refuse("--db-range=" + text, status=2, says="--db-range")

    def test_one_sample(self):
        self.write("in.wav", numpy.full((1, 1), 0.5))
        for command in ("spectrum", "spectrogram"):
            said = self.succeed(command, "in.wav", "-o", "o.csv", "-o", "o.png")
            self.assertIn("1 sample ", said.stdout)
            self.assertIn("there is only 1 sample:", said.stderr)
            self.assertIn("1 frame ", said.stdout)

    def test_table_and_array_agree(self):
        self.write("in.wav", self.noise(3000, 2))
        self.succeed("spectrogram", "in.wav", "-o", "out.npy", "-o", "out.csv", "-o", "out.png", "--length", 256)
        with open(self.path("out.csv")) as file:
            head = file.readline().strip().split(",")
            lines = [line.split(",", 1) for line in file]
        levels = numpy.load(self.path("out.npy"))
        self.assertEqual(head[:2], ["channel", "time_s"])
        numpy.testing.assert_allclose(numpy.array(head[2:], dtype=float), numpy.arange(129) * 8000 / 256)
        times = (numpy.arange(levels.shape[2]) * 64 + 128) / 8000
        for channel, name in enumerate(["left", "right"]):
            mine = numpy.array([line.split(",") for own, line in lines if own == name], dtype=float)
            numpy.testing.assert_allclose(mine[:, 0], times)
            numpy.testing.assert_array_equal(mine[:, 1:].astype("f4"), levels[channel].T)
        with open(self.path("out.png"), "rb") as file:
            self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")

    def test_report(self):
        self.write("in.wav", self.noise(5000))
        report = self.json("spectrogram", "in.wav", "-o", "out.png")
        self.assertEqual((report["input"], report["output"], report["frames"]), ("in.wav", "out.png", 16))
        self.assertGreater(report["device_milliseconds"], 0)
        self.assertGreater(report["plan_cold_ms"], report["plan_warm_ms"])
        self.assertGreater(report["error"], 1e-9)
        self.assertLess(report["error"], 1e-6)
        self.assertLess(self.json("spectrogram", "in.wav", "-o", "out.png", "--precision", "f64")["error"], 1e-15)

    def test_silence(self):
        self.write("in.wav", numpy.zeros((3000, 1)))
        self.assertEqual(self.json("spectrogram", "in.wav", "-o", "out.png", "-o", "out.npy")["error"], 0)
        self.assertTrue((numpy.load(self.path("out.npy")) == -numpy.inf).all())
        self.succeed("spectrum", "in.wav", "-o", "out.png")

    def test_welch_against_scipy(self):
        x = self.write("in.wav", self.noise(20000, 2), 16000)
        for scaling, flags in [("spectrum", []), ("density", ["--density"])]:
            for length, hop in [(4096, 2048), (300, 100)]:
                with self.subTest(scaling=scaling, length=length):
                    self.succeed("spectrum", "in.wav", "-o", "out.npy", "-o", "out.csv", "-o", "out.png", "--length",
                                 length, "--hop", hop, *flags)
                    frequencies, power = scipy.signal.welch(x, 16000, "hann", length, length - hop, detrend=False,
                                                            scaling=scaling)
                    levels = numpy.load(self.path("out.npy"))
                    self.agree(levels, power)
                    table = numpy.genfromtxt(self.path("out.csv"), delimiter=",", skip_header=1)
                    numpy.testing.assert_allclose(table[:, 0], frequencies)
                    numpy.testing.assert_array_equal(table[:, 1:].T, levels)
        self.assertEqual(self.json("spectrum", "in.wav", "-o", "out.png")["length"], 4096)

    def test_short_sounds(self):
        self.write("in.wav", self.noise(100))
        result = self.succeed("spectrogram", "in.wav", "-o", "out.npy")
        self.assertIn("only 100 samples", result.stderr)
        self.assertEqual(numpy.load(self.path("out.npy")).shape, (1, 51, 1))
        self.refuse("spectrogram", "in.wav", "-o", "b.npy", "--length", "101", says="at least --length 101 samples")
        for command in ["spectrum", "spectrogram"]:
            self.refuse(command, "in.wav", "-o", "b.npy", "--length", 2**62, says=f"at least --length {2**62} samples")

    def test_an_interrupt_leaves_nothing_behind(self):
        self.write("in.wav", self.noise(4000000), 48000, "u8")
        process = subprocess.Popen([tool.TOOL, "spectrogram", "in.wav", "-o", "out.npy", "--hop", "8"],
                                   cwd=self.folder.name, stderr=subprocess.DEVNULL)
        while process.poll() is None and len(os.listdir(self.folder.name)) < 2:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(), -signal.SIGINT)
        self.assertEqual(os.listdir(self.folder.name), ["in.wav"])

    def test_refuses_bad_files(self):
        self.write("in.wav", self.noise(3000), kind="i16")
        with open(self.path("in.wav"), "rb") as file:
            good = file.read()

        def bad(data, says):
            with open(self.path("bad.wav"), "wb") as file:
                file.write(data)
            for command, output in [("spectrogram", "o.png"), ("spectrum", "o.png"), ("transform", "o.npy")]:
                self.refuse(command, "bad.wav", "-o", output, says=says)

        bad(good[:30], "truncated")
        bad(good[:44], "it holds no samples")
        bad(b"", "expected a WAV file")
        bad(b"RIFT" + good[4:], "expected a WAV file")
        bad(b"RIFX" + good[4:], "'fmt ' says")
        bad(good[:20] + struct.pack("<H", 85) + good[22:], "encoding number 85")
        bad(good[:22] + struct.pack("<H", 0) + good[24:], "0 channels")
        self.refuse("spectrogram", "in.wav", "-o", "o.jpg", status=2, says=".png, .csv or .npy")
        self.refuse("spectrogram", "in.wav", "-o", "o.png", "--length", "-1", status=2)
        self.refuse("spectrogram", "in.wav", "-o", "o.png", "--window", "kaiser", status=2)
        self.refuse("spectrum", "in.wav", "-o", "o.png", "--phase", status=2, says="only for pictures")
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["bad.wav", "in.wav"])

    # --- sounds as they come

    def samples(self, name, *arguments, stdin=None):
        """What the tool reads, (channels, samples), and its notes but those of the device."""
        result = self.run_tool("transform", name, "-o", "out.npy", *arguments, stdin=stdin, text=stdin is None)
        self.assertEqual(result.returncode, 0, result.stderr)
        text = result.stderr if stdin is None else result.stderr.decode()
        notes = [line for line in text.splitlines() if not line.startswith("seiche: using ")]
        return numpy.fft.ifft(numpy.load(self.path("out.npy"))).real, notes

    def same(self, found, expected, limit=1e-14):
        self.assertEqual(found.shape, expected.shape)
        self.assertLess(numpy.abs(found - expected).max(), limit)

    def patched(self, data, at, *numbers):
        return data[:at] + struct.pack("<" + "I" * len(numbers), *numbers) + data[at + 4 * len(numbers):]

    def test_streams_and_cut_files_are_read_to_their_end(self):
        x = self.write("in.wav", self.noise(500, 2), kind="i16")
        with open(self.path("in.wav"), "rb") as file:
            good = file.read()
        for riff_size, size in [(0xFFFFFFFF, 0xFFFFFFFF), (0x7FFFF024, 0x7FFFF000), (36, 0), (0, 0)]:
            with open(self.path("stream.wav"), "wb") as file:
                file.write(self.patched(self.patched(good, 4, riff_size), 40, size))
            found, notes = self.samples("stream.wav")
            self.same(found, x)
            self.assertEqual(notes, ["seiche: 'stream.wav': its header does not say how long it is, as of a stream: "
                                     "read to the end"])
        with open(self.path("cut.wav"), "wb") as file:
            file.write(good[:1047])
        found, notes = self.samples("cut.wav")
        self.same(found, x[:, :250])
        self.assertEqual(len(notes), 1)
        self.assertIn("cut short: its header says 2000 bytes of sound, 1003 are there; the last 3 bytes are no whole "
                      "frame of 4", notes[0])
        with open(self.path("small.wav"), "wb") as file:
            file.write(self.patched(good, 4, len(good) - 8 - 12))
        found, notes = self.samples("small.wav")
        self.same(found, x)
        self.assertEqual(notes, ["seiche: 'small.wav': its RIFF size is 12 bytes too small"])

    @unittest.skipUnless(shutil.which("sox"), "no sox")
    def test_what_sox_reads(self):
        numpy.save(self.path("one.npy"), numpy.ones(1))
        turns = numpy.arange(20000)[:, None] / 8000 * [300, 500]
        for kind, bits, name, limit in [("i16", 16, "o.flac", 0), ("i24", 24, "o.flac", 0), ("u8", 8, "o.flac", 0),
                                        ("f32", 24, "o.flac", 2.0**-24), ("i16", 16, "o.aiff", 0), ("u8", 8, "o.aif", 0),
                                        ("i32", 32, "o.aiff", 0), ("f32", 32, "o.aiff", 1e-9), ("i16", 0, "o.ogg", 0.05),
                                        ("i16", 0, "o.mp3", None)]:
            with self.subTest(kind=kind, name=name):
                x = self.write("in.wav", 0.5 * numpy.sin(2 * numpy.pi * turns), kind=kind)
                result = self.run_tool("filter", "in.wav", "-o", name, "--kernel", "one.npy")
                if "this libsndfile has none" in result.stderr and name == "o.mp3":
                    continue  # older than 1.1
                self.assertEqual(result.returncode, 0, result.stderr)
                notes = [line for line in result.stderr.splitlines() if not line.startswith("seiche: using ")]
                lost = name == "o.flac" and kind == "f32"
                self.assertEqual(notes, [f"seiche: '{name}': samples became PCM of 24 bits, the most that FLAC has"] * lost)
                subprocess.run(["sox", name, "-e", "float", "-b", "64", "sox.wav"], cwd=self.folder.name, check=True,
                               stderr=subprocess.DEVNULL)
                found = scipy.io.wavfile.read(self.path("sox.wav"))[1].T
                if limit is None:
                    self.assertGreaterEqual(found.shape[1], 20000)
                else:
                    self.same(found, x, limit + 1e-12)
                if bits:
                    info = subprocess.run(["sox", "--info", "-b", name], cwd=self.folder.name, check=True,
                                          capture_output=True, text=True)
                    self.assertEqual(int(info.stdout), bits)
        self.write("nine.wav", self.noise(100, 9))
        self.refuse("filter", "nine.wav", "-o", "o2.flac", "--kernel", "one.npy", says="write .wav")
        self.write("loud.wav", 3 * self.noise(100), kind="f32")
        result = self.succeed("filter", "loud.wav", "-o", "o.flac", "--kernel", "one.npy")
        self.assertIn("clipped", result.stderr)

    @unittest.skipUnless(shutil.which("sox"), "no sox")
    def test_what_sox_writes(self):
        turns = numpy.arange(20000)[:, None] / 8000 * [300, 500]
        self.write("in.wav", 0.5 * numpy.sin(2 * numpy.pi * turns * (1 + turns / 900)), kind="i32")

        def sox(*arguments, **more):
            return subprocess.run(["sox", "-D", "in.wav", *arguments], cwd=self.folder.name, check=True, **more)

        def expected(name, bits="64"):
            """As sox itself reads it."""
            subprocess.run(["sox", name, "-e", "float", "-b", bits, "sox.wav"], cwd=self.folder.name, check=True,
                           stderr=subprocess.DEVNULL)
            return scipy.io.wavfile.read(self.path("sox.wav"))[1].T.astype("f8")

        for name, arguments in {"mu.wav": ["-e", "mu-law"], "a.wav": ["-e", "a-law"], "rifx.wav": ["-B", "-b", "16"],
                                "rifx24.wav": ["-B", "-b", "24"], "rifxf.wav": ["-B", "-e", "float", "-b", "32"],
                                "eight.aiff": ["-b", "8"], "wide.aiff": ["-b", "24"], "sixteen.flac": ["-b", "16"],
                                "wide.flac": ["-b", "24"], "mu.au": ["-e", "mu-law"], "adpcm.wav": ["-e", "ms-adpcm"],
                                "x.caf": ["-b", "16"]}.items():
            with self.subTest(name=name):
                sox(*arguments, name)
                found, notes = self.samples(name)
                # sox keeps 32 bits of what it reads
                self.same(found, expected(name), 1e-9)
                self.assertEqual(notes, [])
        for name in ["lossy.ogg", "lossy.mp3"]:
            with self.subTest(name=name):
                try:
                    sox(name, stderr=subprocess.DEVNULL)
                except subprocess.CalledProcessError:
                    continue  # a package of its own
                found, notes = self.samples(name)
                self.assertEqual(notes, [])
                wanted = expected(name)
                long = min(found.shape[1], wanted.shape[1])  # decoders do not agree on where an MP3 file ends
                self.assertGreaterEqual(long, 20000)
                self.same(found[:, :long], wanted[:, :long], 2e-5)
        piped = sox("-t", "wav", "-b", "16", "-", stdout=subprocess.PIPE).stdout
        with open(self.path("piped.wav"), "wb") as file:
            file.write(piped)
        self.same(self.samples("piped.wav")[0], expected("in.wav"), 2**-15)

    def test_damaged_compressed_sounds(self):
        if shutil.which("sox") is None:
            self.skipTest("no sox")
        self.write("in.wav", self.noise(20000), kind="i16")
        subprocess.run(["sox", "in.wav", "in.flac"], cwd=self.folder.name, check=True)
        x, _ = self.samples("in.flac")
        with open(self.path("in.flac"), "rb") as file:
            good = file.read()
        with open(self.path("cut.flac"), "wb") as file:
            file.write(good[:len(good) * 2 // 3])
        found, notes = self.samples("cut.flac")
        self.assertEqual(len(notes), 1)
        self.assertIn("cut short or damaged: its header says 20000 samples, ", notes[0])
        self.assertGreater(found.shape[1], 8000)
        self.same(found, x[:, :found.shape[1]])
        with open(self.path("bad.flac"), "wb") as file:
            file.write(good[:40])
        self.refuse("spectrogram", "bad.flac", "-o", "o.npy", says="'bad.flac'")

    def test_bits_that_do_not_fill_their_bytes(self):
        numpy.save(self.path("one.npy"), numpy.ones(1))
        for bits in [12, 20, 24, 5]:
            with self.subTest(bits=bits):
                stored_bytes = 4 if bits == 24 else (bits + 7) // 8
                values = self.random.integers(-2**(bits - 1), 2**(bits - 1), (300, 2))
                left = values << (8 * stored_bytes - bits)
                if stored_bytes == 1:
                    left = left + 128
                data = left.astype("<i4").reshape(-1, 1).view("u1")[:, :stored_bytes].tobytes()
                block = 2 * stored_bytes
                body = b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 2, 8000, 8000 * block, block, bits)
                body += b"data" + struct.pack("<I", len(data)) + data
                with open(self.path("in.wav"), "wb") as file:
                    file.write(b"RIFF" + struct.pack("<I", len(body)) + body)
                found, notes = self.samples("in.wav")
                self.same(found, values.T / 2.0 ** (bits - 1))
                self.assertEqual(notes, [])
                # What is written has the same bits, and nothing below them.
                self.succeed("filter", "in.wav", "-o", "out.wav", "--kernel", "one.npy")
                with open(self.path("out.wav"), "rb") as file:
                    out = file.read()
                self.assertEqual(struct.unpack("<HHIIHH", out[20:36]), (1, 2, 8000, 8000 * block, block, bits))
                self.assertEqual(out[44:44 + len(data)], data)

    def test_companded_sounds_stay_what_they_are(self):
        numpy.save(self.path("one.npy"), numpy.ones(1))
        for tag in [6, 7]:
            codes = bytes(range(256))
            body = b"WAVEfmt " + struct.pack("<IHHIIHHH", 18, tag, 1, 8000, 8000, 1, 8, 0)
            body += b"data" + struct.pack("<I", 256) + codes
            with open(self.path("in.wav"), "wb") as file:
                file.write(b"RIFF" + struct.pack("<I", len(body)) + body)
            self.succeed("filter", "in.wav", "-o", "out.wav", "--kernel", "one.npy")
            with open(self.path("out.wav"), "rb") as file:
                out = file.read()
            self.assertEqual(struct.unpack("<H", out[20:22])[0], tag)
            # mu-law has two codes of zero.
            self.assertEqual(out[-256:].replace(b"\x7f", b"\xff"), codes.replace(b"\x7f", b"\xff"))

    def test_loudness_is_that_of_the_file_that_is_written(self):
        # The largest of 24-bit integers, of mu-law and of A-law is below 1; the largest of Vorbis is not that of 16 bits.
        numpy.save(self.path("one.npy"), numpy.ones(1))
        tone = numpy.sin(2 * numpy.pi * 300 * numpy.arange(8000) / 8000)  # a sample is 1
        self.write("float.wav", tone[:, None], kind="f32")
        self.write("short.wav", 0.5 * tone[:, None], kind="i16")
        for tag, name in [(6, "a.wav"), (7, "mu.wav")]:
            body = b"WAVEfmt " + struct.pack("<IHHIIHHH", 18, tag, 1, 8000, 8000, 1, 8, 0)
            body += b"data" + struct.pack("<I", 64) + (b"\x90\xd5" if tag == 6 else b"\x9e\xff") * 32
            with open(self.path(name), "wb") as file:
                file.write(b"RIFF" + struct.pack("<I", len(body)) + body)
        for source, output in [("float.wav", "o.wav"), ("float.wav", "o.flac"), ("short.wav", "o.flac"),
                               ("a.wav", "o.wav"), ("mu.wav", "o.wav"), ("mu.wav", "o.flac"), ("short.wav", "o.ogg")]:
            with self.subTest(source=source, output=output):
                made = self.run_tool("filter", source, "-o", output, "--kernel", "one.npy", "--normalise", "--json")
                if "this libsndfile has none" in made.stderr or "built without libsndfile" in made.stderr:
                    continue
                self.assertEqual(made.returncode, 0, made.stderr)
                self.assertEqual(json.loads(made.stdout)["clipped"], 0)
                again = self.json("filter", output, "-o", "p.wav", "--kernel", "one.npy", "--normalise")
                # What is as loud as can be gets no louder; Vorbis changes samples a little.
                self.assertAlmostEqual(again["gain_db"], 0, delta=1 if output == "o.ogg" else 1e-4)
        louder = self.run_tool("filter", "short.wav", "-o", "o.flac", "--kernel", "one.npy", "--gain", 12)
        if louder.returncode == 0:
            self.assertRegex(louder.stderr, r"to the range of 16-bit PCM; --gain [56]\.\d clips none")

    # --- pipes

    def piped(self, *arguments, stdin=b""):
        result = self.run_tool(*arguments, stdin=stdin, text=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout, result.stderr.decode()

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def test_pipes(self):
        self.write("in.wav", self.noise(3000, 2), kind="i16")
        sound = self.read("in.wav")
        for arguments, name in [(["filter", "--lowpass", "1000"], "o.wav"), (["resample", "--rate", "4000"], "o.wav"),
                                (["transform"], "o.npy"), (["spectrogram"], "o.png")]:
            with self.subTest(arguments=arguments):
                command, *options = arguments
                self.succeed(command, "in.wav", "-o", name, *options)
                for source in ["-", "/dev/stdin"]:
                    out, notes = self.piped(command, source, "-o", "-", *options, stdin=sound)
                    if name != "o.png":  # whose title is the file's name
                        self.assertEqual(out, self.read(name))
                    self.assertEqual(out[:4], self.read(name)[:4])
                    self.assertIn("seiche: using", notes)
        self.succeed("spectrum", "in.wav", "-o", "o.csv", "-o", "o.npy")
        self.assertEqual(self.piped("spectrum", "-", "-o", "csv:-", stdin=sound)[0], self.read("o.csv"))
        out, report = self.piped("spectrum", "-", "-o", "npy:-", "--json", stdin=sound)
        self.assertEqual(out, self.read("o.npy"))
        self.assertIn('"sample_rate": 8000', report)
        # A kernel and a sound, both from pipes that cannot seek.
        script = 'exec "$0" convolve <(cat in.wav) <(cat in.wav) -o - --device reference | cat'
        result = subprocess.run(["bash", "-c", script, tool.TOOL], cwd=self.folder.name, capture_output=True,
                                check=True)
        self.succeed("convolve", "in.wav", "in.wav", "-o", "o.wav")
        self.assertEqual(result.stdout, self.read("o.wav"))
        # A file behind standard input is read in place.
        with open(self.path("in.wav"), "rb") as file:
            result = subprocess.run([tool.TOOL, "transform", "-", "-o", "-"], stdin=file, capture_output=True,
                                    check=True)
        self.succeed("transform", "in.wav", "-o", "o.npy")
        self.assertEqual(result.stdout, self.read("o.npy"))

    def test_pipes_that_bring_nothing_of_use(self):
        for data, says in [(b"", "expected a picture, a sound"), (b"RIFF\0\0\0\0WAVE", "'standard input'"),
                           (b"garbage", "expected a picture, a sound")]:
            result = self.run_tool("spectrum", "-", "-o", "o.npy", stdin=data, text=False)
            self.assertIn(result.returncode, [1, 2])
            self.assertEqual(len(result.stderr.splitlines()), 1)
            self.assertIn(says, result.stderr.decode())
        self.refuse("spectrum", "in.wav", "-o", "-", "-o", "csv:-", says="in.wav")
        self.write("in.wav", self.noise(300))
        result = self.run_tool("spectrum", "in.wav", "-o", "npy:-", "-o", "csv:-", text=False)
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"expected one output to standard output, got several", result.stderr)


if __name__ == "__main__":
    tool.main()

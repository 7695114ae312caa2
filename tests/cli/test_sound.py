"""`seiche spectrogram` and `seiche spectrum` of sounds agree with scipy.signal."""

import os
import signal
import struct
import subprocess
import time
import warnings

import numpy
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

    def test_table_and_array_agree(self):
        self.write("in.wav", self.noise(3000, 2))
        self.succeed("spectrogram", "in.wav", "-o", "out.npy", "-o", "out.csv", "-o", "out.png", "--length", 256)
        with open(self.path("out.csv")) as file:
            head = file.readline().strip().split(",")
        rows = numpy.genfromtxt(self.path("out.csv"), delimiter=",", skip_header=1)
        levels = numpy.load(self.path("out.npy"))
        self.assertEqual(head[:2], ["channel", "time_s"])
        numpy.testing.assert_allclose(numpy.array(head[2:], dtype=float), numpy.arange(129) * 8000 / 256)
        times = (numpy.arange(levels.shape[2]) * 64 + 128) / 8000
        for channel in range(2):
            mine = rows[rows[:, 0] == channel]
            numpy.testing.assert_allclose(mine[:, 1], times)
            numpy.testing.assert_array_equal(mine[:, 2:].astype("f4"), levels[channel].T)
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

        bad(good[:1000], "truncated")
        bad(good[:30], "truncated")
        bad(b"", "expected a WAV file")
        bad(b"RIFX" + good[4:], "expected a WAV file")
        bad(good[:40] + struct.pack("<I", 0xFFFFFFFE) + good[44:], "'data' says")
        bad(good[:20] + struct.pack("<H", 85) + good[22:], "encoding number 85")
        bad(good[:22] + struct.pack("<H", 0) + good[24:], "0 channels")
        self.refuse("spectrogram", "in.wav", "-o", "o.jpg", status=2, says=".png, .csv or .npy")
        self.refuse("spectrogram", "in.wav", "-o", "o.png", "--length", "-1", status=2)
        self.refuse("spectrogram", "in.wav", "-o", "o.png", "--window", "kaiser", status=2)
        self.refuse("spectrum", "in.wav", "-o", "o.png", "--phase", status=2, says="only for pictures")
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["bad.wav", "in.wav"])


if __name__ == "__main__":
    tool.main()

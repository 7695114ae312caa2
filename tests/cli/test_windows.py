"""What the tool built for Windows does otherwise: it has no libpng and no cairo, and file names are UTF-16."""

import os
import wave

import numpy
import tool


class Windows(tool.ToolTest):
    def test_names_of_files_are_unicode(self):
        values = numpy.exp(2j * numpy.pi * numpy.arange(32) / 8)
        numpy.save(self.path("t\u00f6ne \u6ce2.npy"), values)
        self.succeed("transform", "t\u00f6ne \u6ce2.npy", "-o", "\u03a9 & 'b'.npy")
        out = numpy.load(self.path("\u03a9 & 'b'.npy"))
        numpy.testing.assert_allclose(out, numpy.fft.fft(values), atol=1e-12)
        self.assertEqual(len(os.listdir(self.folder.name)), 2)

    def test_paths_begin_with_a_slash(self):
        numpy.save(self.path("in.npy"), numpy.ones(8))
        self.succeed("transform", self.path("in.npy"), "-o", self.path("out.npy"))
        self.assertEqual(numpy.load(self.path("out.npy"))[0], 8)

    def test_output_replaces_what_was_there(self):
        numpy.save(self.path("a.npy"), numpy.ones(8, dtype="complex64"))
        self.succeed("transform", "a.npy", "-o", "a.npy")
        self.assertEqual(numpy.load(self.path("a.npy"))[0], 8)

    def test_lines_end_as_everywhere(self):
        self.assertNotIn("\r", self.run_bytes("devices"))
        self.succeed("emit", "64 c2c f32", "--dialect", "cuda", "--output", "a.cu")
        with open(self.path("a.cu"), "rb") as file:
            self.assertNotIn(b"\r", file.read())
        self.succeed("emit", "64 c2c f32", "--dialect", "spirv", "--output", "a.spv")
        self.assertEqual(os.path.getsize(self.path("a.spv")) % 4, 0)

    def run_bytes(self, *arguments):
        return self.run_tool(*arguments, text=False).stdout.decode()

    def test_devices_say_why_they_are_not_there(self):
        text = self.succeed("devices").stdout
        for library in ("nvcuda.dll", "amdhip64_7.dll", "ze_loader.dll"):
            self.assertIn(library, text)
        self.assertIn("reference", text)

    def test_pictures_are_refused(self):
        with open(self.path("a.png"), "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n")
        self.refuse("spectrum", "a.png", "-o", "b.npy", says="without libpng")
        with wave.open(self.path("a.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(8000)
            file.writeframes(numpy.arange(4096, dtype="int16").tobytes())
        self.refuse("spectrogram", "a.wav", "-o", "b.png", says="without cairo")

    def test_a_missing_file_and_a_folder(self):
        self.refuse("transform", "none.npy", "-o", "out.npy", says="cannot read")
        os.mkdir(self.path("a.npy"))
        self.refuse("transform", "a.npy", "-o", "out.npy", says="expected a file or a pipe")


if __name__ == "__main__":
    tool.main()

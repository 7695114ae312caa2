"""`seiche ocean`: frames, figures and errors of the program that draws the sea."""

import os
import stat
import struct
import unittest

import tool

SMALL = ["--size", "32", "--width", "96", "--height", "54", "--frames", "2", "--device", "vulkan"]


class Ocean(tool.ToolTest):
    def frames(self, folder, *arguments):
        self.succeed("ocean", "-o", self.path(folder), *SMALL, *arguments, env={"PATH": self.folder.name})
        contents = {}
        for name in sorted(os.listdir(self.path(folder))):
            with open(os.path.join(self.path(folder), name), "rb") as file:
                contents[name] = file.read()
        return contents

    def test_frames_of_a_seed_are_the_same(self):
        first = self.frames("a")
        self.assertEqual(list(first), ["frame_0000.png", "frame_0001.png"])
        for content in first.values():
            self.assertEqual(content[:8], b"\x89PNG\r\n\x1a\n")
            self.assertEqual(struct.unpack(">II", content[16:24]), (96, 54))
        self.assertNotEqual(*first.values())
        self.assertEqual(first, self.frames("b"))
        self.assertNotEqual(first, self.frames("c", "--seed", "2"))
        self.assertNotEqual(first, self.frames("d", "--spectrum", "phillips"))

    def test_times_of_algorithms(self):
        report = self.json("ocean", *SMALL, "--recipe", "automatic,mota2022", "--wind", "9.5")
        self.assertEqual((report["size"], report["wind"], report["transforms_of_a_frame"]), (32, 9.5, 12))
        self.assertTrue(report["device"].startswith("vulkan:"))
        self.assertGreater(report["significant_height"], 0.5)
        results = {one["algorithm"]: one for one in report["results"]}
        self.assertGreaterEqual(len(results), 8)
        for name in ("automatic", "stockham-radix-2", "stockham-radix-4", "split-radix"):
            self.assertGreater(results[name]["transforms_ms"], 0)
            self.assertGreater(results[name]["rest_ms"], 0)
            self.assertGreater(results[name]["frames_per_second"], 0)
        both = self.json("ocean", *SMALL, "--recipe", "stockham-radix-4,dit", "--arrays", "both")["results"]
        self.assertEqual([(one["algorithm"], one["arrays"]) for one in both],
                         [(name, arrays) for name in ("stockham-radix-4", "dit") for arrays in ("buffers", "images")])
        for one in both:
            self.assertGreater(one["transforms_ms"], 0)
        text = self.succeed("ocean", *SMALL, "--arrays", "images").stdout
        self.assertRegex(text, r"(?m)^automatic, images +\d+\.\d+ +\d+\.\d+ +\d+\.\d+$")
        text = self.succeed("ocean", *SMALL).stdout
        self.assertRegex(text, r"(?m)^automatic +\d+\.\d+ +\d+\.\d+ +\d+\.\d+$")

    def test_the_same_spectra_through_opengl(self):
        report = self.json("ocean", *SMALL, "--recipe", "automatic,stockham-radix-4,split-radix,matrix", "--arrays",
                           "opengl-images")
        self.assertEqual([(one["algorithm"], one["arrays"]) for one in report["results"]],
                         [(name, "opengl-images") for name in ("automatic", "stockham-radix-4", "split-radix", "matrix")])
        self.assertGreater(report["significant_height"], 0.5)
        for one in report["results"]:
            self.assertTrue(one["device"].startswith("opengl:"))
            self.assertGreater(one["transforms_ms"], 0)
            self.assertLess(one["difference"], 1e-6)
        self.assertNotEqual(len({one["difference"] for one in report["results"]}), 1)  # they do not round alike
        text = self.succeed("ocean", *SMALL, "--recipe", "dit", "--arrays", "all").stdout
        self.assertRegex(text, r"(?m)^dit +\d.*\ndit, images +\d.*\ndit, OpenGL images +\d+\.\d+ +- +-\nOpenGL: opengl:")
        # Where there is no OpenGL its line says so, and the others have their times.
        without = self.json("ocean", *SMALL, "--arrays", "all", env={"__EGL_VENDOR_LIBRARY_FILENAMES": "/nowhere"})["results"]
        self.assertIn("opengl", without[2]["unsupported"])
        self.assertGreater(without[1]["transforms_ms"], 0)

    def test_a_video_where_ffmpeg_is(self):
        program = self.path("ffmpeg")
        with open(program, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\nfor last; do :; done\n[ -z "$SPOILED" ] && echo "$@" > "$last"\n')
        os.chmod(program, stat.S_IRWXU)
        with_path = {"PATH": self.folder.name + ":" + os.environ["PATH"]}
        self.succeed("ocean", "-o", self.path("film"), *SMALL, "--fps", "24", env=with_path)
        with open(self.path("film/ocean.mp4"), encoding="utf-8") as file:
            words = file.read()
        self.assertIn("-framerate 24 ", words)
        self.assertIn("film/frame_%04d.png", words)
        result = self.run_tool("ocean", "-o", self.path("film"), *SMALL, env=dict(with_path, SPOILED="1"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("ffmpeg made no ", result.stderr)

    def test_bad_requests(self):
        for arguments, says in ((["--size", "33"], "--size: expected an even number from 16 to 4096, got 33"),
                                (["--wind", "0"], "--wind: expected 1 to 40 m/s, got 0"),
                                (["--direction", "nan"], "--direction: expected degrees, got nan"),
                                (["--patches", "4"], "--patches: expected 1 to 3, got 4"),
                                (["--recipe", "nonsense"], "--recipe: expected automatic"),
                                (["--spectrum", "nonsense"], "--spectrum"),
                                (["--arrays", "opengl-images", "-o", "frames"], "--arrays: expected buffers or images"),
                                (["--device", "cuda:0"], "expected a device vulkan:..., got 'cuda:0'")):
            with self.subTest(arguments=arguments):
                self.refuse("ocean", *arguments, status=2, says=says)

    def test_what_is_not_there(self):
        self.refuse("ocean", "--device", "vulkan:99", says="no Vulkan device that draws and computes and is '99'")
        self.refuse("ocean", env={"SEICHE_VULKAN_LIBRARY": "/nowhere", "SEICHE_DEVICE": ""},
                    says="the Vulkan loader was not found")
        self.refuse("ocean", "-o", "/dev/null/below", *SMALL, says="cannot make the folder")
        self.refuse("ocean", env={"SEICHE_OCEAN": "/nowhere/seiche-ocean"}, says="/nowhere/seiche-ocean")
        # Powers of two only: one line that says so.
        self.refuse("ocean", *SMALL[2:], "--size", "48", "--recipe", "stockham-radix-2", says="stockham-radix-2")

    def test_help(self):
        self.assertIn("--choppiness", self.succeed("ocean", "--help").stdout)
        self.assertIn("ocean", self.succeed("--help").stdout)


if __name__ == "__main__":
    tool.main()

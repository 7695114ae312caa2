"""The commands that need no file, the exit status, and that neither locale nor cache changes an answer."""

import base64
import json
import os
import struct

import numpy
import tool


class Commands(tool.ToolTest):
    def test_help_and_version(self):
        self.assertRegex(self.succeed("--version").stdout, r"^seiche \d+\.\d+\.\d+\n$")
        listing = self.succeed("--help").stdout
        for command in ["transform", "spectrogram", "spectrum", "resample", "convolve", "filter", "devices", "plan", "emit", "check",
                        "bench", "cache", "features"]:
            self.assertIn(command, listing)
            self.assertIn("Usage: seiche " + command, self.succeed(command, "--help").stdout)

    def test_usage_errors(self):
        self.refuse(status=2)
        self.refuse("juggle", status=2)
        self.refuse("transform", status=2)
        self.refuse("cache", "--no-such-option", status=2)
        self.refuse("emit", "16", "--dialect", "morse", status=2)
        self.refuse("plan", "16", "--profile", "abacus", status=2, says="h200")

    def test_devices(self):
        devices = json.loads(self.succeed("devices", "--json").stdout)
        text = self.succeed("devices").stdout
        self.assertIn("reference", [device["backend"] for device in devices if device["available"]])
        for device in devices:
            if device["available"]:
                self.assertIn(device["name"], text)
                self.assertGreater(device["limits"]["max_group_size"], 0)
            else:
                self.assertTrue(device["problem"] and device["remedy"], device)
                self.assertIn(device["problem"].splitlines()[0], text)

    def test_unknown_devices(self):
        numpy.save(self.path("in.npy"), numpy.ones(4))
        self.refuse("transform", "in.npy", "-o", "out.npy", "--device", "abacus", says="abacus")

    def test_plan(self):
        for profile in ["h200", "a100", "mi250", "gpu", "pocl"]:
            with self.subTest(profile=profile):
                report = self.json("plan", "1024x1024 c2c f32 batch=16", "--profile", profile)
                self.assertEqual(report["ideal_bytes"], 2 * 8 * 1024 * 1024 * 16)
                self.assertGreaterEqual(report["moved_bytes"], report["ideal_bytes"])
                self.assertTrue(report["kernels"])
                self.assertIn(report["recipe"], self.succeed("plan", "1024x1024 c2c f32 batch=16", "--profile",
                                                             profile).stdout)
        self.refuse("plan", "0 c2c f32", "--profile", "h200")
        self.refuse("plan", "1024 c2q", "--profile", "h200", says="c2q")
        self.refuse("plan", "8", "--profile", "h200", "--device", "reference", status=2, says="both")

    def test_device_profiles(self):
        here = os.path.dirname(os.path.abspath(__file__))
        card = os.path.join(here, "..", "..", "profiles", "amd-rdna3-rx7900xtx.json")
        report = self.json("plan", "4096 f32 batch=100", "--device-profile", card)
        self.assertEqual(report["planned_for"], "AMD Radeon RX 7900 XTX (RDNA 3)")
        self.assertIn("__global__", self.succeed("emit", "64", "--dialect", "hip", "--device-profile", card).stdout)
        self.refuse("plan", "8", "--device-profile", card, "--profile", "h200", status=2, says="both --profile and --device-profile")
        self.refuse("plan", "8", "--device-profile", card, "--save", "p.plan", status=2, says="--device-profile")
        self.refuse("plan", "8", "--device-profile", "nowhere.json", says="nowhere.json")
        with open(card) as file:
            profile = json.load(file)
        profile["limits"]["subgroup_size"] = 48
        with open(self.path("odd.json"), "w") as file:
            json.dump(profile, file)
        self.refuse("plan", "8", "--device-profile", "odd.json",
                    says="limits.subgroup_size: expected a power of two from 1 to 128, got 48")

    def test_plan_of_the_default_device(self):
        self.assertTrue(self.json("plan", "4096 c2c f32 batch=100")["planned_for"])

    def test_emit(self):
        cuda = self.succeed("emit", "4096 c2c f32 batch=1000", "--dialect", "cuda").stdout
        self.assertIn("__global__", cuda)
        opencl = self.succeed("emit", "4096 c2c f32 batch=1000", "--dialect", "opencl", "--profile", "gpu").stdout
        self.assertIn("__kernel", opencl)
        self.succeed("emit", "4096 c2c f32 batch=1000", "--dialect", "cuda", "-o", "kernels.cu")
        with open(self.path("kernels.cu")) as file:
            self.assertEqual(file.read(), cuda)
        self.refuse("emit", "4096", "--dialect", "spirv", status=2)
        self.succeed("emit", "4096", "--dialect", "spirv", "--profile", "gpu", "-o", "one.spv")
        self.succeed("emit", "1048576", "--dialect", "spirv-opencl", "--profile", "gpu", "-o", "many.spv")
        for name in ["one.spv", "many-1.spv", "many-2.spv"]:
            with open(self.path(name), "rb") as module:
                self.assertEqual(module.read(4), b"\x03\x02\x23\x07", name)
        self.assertNotEqual(self.succeed("emit", "4096", "--dialect", "cuda", "--inverse").stdout,
                            self.succeed("emit", "4096", "--dialect", "cuda").stdout)

    def test_emit_of_shaders_with_their_description(self):
        shader = self.succeed("emit", "4096", "--dialect", "glsl-es", "--profile", "gpu").stdout
        self.assertTrue(shader.startswith("#version 310 es\n"), shader[:40])
        self.succeed("emit", "1048576 batch=2", "--dialect", "glsl", "--profile", "gpu", "-o", "s.comp", "--json", "s.json")
        with open(self.path("s.json")) as file:
            kernels = json.load(file)["kernels"]
        self.assertGreater(len(kernels), 1)
        for index, kernel in enumerate(kernels):
            with open(self.path(f"s-{index + 1}.comp")) as file:
                self.assertIn(f"arguments[{kernel['argument_words']}]", file.read())
            self.assertEqual([buffer["holds"] for buffer in kernel["buffers"]][2:], ["table"])
            table = kernel["buffers"][2]
            self.assertEqual(len(base64.b64decode(table["contents"])), table["bytes"])
            self.assertGreater(kernel["groups"] * kernel["group_size"], 0)
        first, last = kernels[0]["buffers"][0], kernels[-1]["buffers"][1]
        self.assertEqual((first["holds"], first["bytes"]), ("input", 2 * 8 << 20))
        self.assertEqual((last["holds"], last["writes"]), ("output", True))
        # The first root of a table of twiddles is 1.
        real, imaginary = struct.unpack("<ff", base64.b64decode(kernels[0]["buffers"][2]["contents"])[:8])
        self.assertEqual((real, imaginary), (1.0, 0.0))
        self.refuse("emit", "64", "--dialect", "cuda", "--profile", "h200", "--device-function", "--json", "f.json",
                    status=2, says="--json")

    def test_the_page_of_features_is_what_the_library_says(self):
        page = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "features.md")
        with open(page, encoding="utf-8") as file:
            self.assertEqual(file.read(), self.succeed("features").stdout, "make it anew: seiche features > docs/features.md")

    def test_device_functions(self):
        text = self.succeed("emit", "64 f64", "--device-function", "--dialect", "cuda", "--profile", "h200", "--inverse").stdout
        self.assertIn("__device__ __forceinline__ void seiche_ifft_64_f64(double2 (&x)[", text)
        self.assertIn("#define SEICHE_IFFT_64_F64_THREADS ", text)
        self.assertNotIn("__global__", text)
        self.refuse("emit", "64 batch=2", "--device-function", "--dialect", "cuda", "--profile", "h200", says="one length")

    def test_saved_plans(self):
        env = {"SEICHE_CACHE_DIR": self.path("kernels")}
        self.succeed("plan", "96 f32", "--save", "a.plan", env=env)
        loaded = json.loads(self.succeed("plan", "--load", "a.plan", "--json", env={"SEICHE_CACHE_DIR": "/dev/null"}).stdout)
        self.assertEqual((loaded["compiled"], loaded["cached"], loaded["loaded"]), (0, 0, 2))
        self.assertEqual((loaded["problem"], loaded["replanned"]), ("96 c2c f32", ""))
        self.succeed("plan", "--load", "a.plan", "--save", "b.plan", env=env)
        with open(self.path("a.plan"), "rb") as a, open(self.path("b.plan"), "rb") as b:
            whole = a.read()
            self.assertEqual(whole, b.read())
        if loaded["planned_for"] != "reference":
            elsewhere = json.loads(self.succeed("plan", "--load", "a.plan", "--device", "reference", "--json").stdout)
            self.assertIn("and this is 'reference'", elsewhere["replanned"])
        with open(self.path("cut.plan"), "wb") as file:
            file.write(whole[:-1])
        self.refuse("plan", "--load", "cut.plan", says="InvalidProblem: saved plan")
        self.refuse("plan", "96", "--load", "a.plan", status=2, says="got both")
        self.refuse("plan", "96", "--save", "c.plan", "--profile", "h200", status=2)
        self.refuse("plan", status=2, says="PROBLEM")

    def test_cache(self):
        numpy.save(self.path("in.npy"), numpy.arange(96.0))
        folder = self.path("kernels")
        env = {"SEICHE_CACHE_DIR": folder}
        self.succeed("transform", "in.npy", "-o", "a.npy", env=env)
        shown = json.loads(self.succeed("cache", "--json", env=env).stdout)
        self.assertEqual(shown["folder"], folder)
        cleared = json.loads(self.succeed("cache", "--clear", "--json", env=env).stdout)
        self.assertEqual(cleared["removed"], shown["entries"])
        self.assertEqual(cleared["entries"], 0)

    def test_a_bad_cache_costs_no_correctness(self):
        numpy.save(self.path("in.npy"), numpy.arange(96.0))
        self.succeed("transform", "in.npy", "-o", "a.npy")
        folder = self.path("kernels")
        self.succeed("transform", "in.npy", "-o", "b.npy", env={"SEICHE_CACHE_DIR": folder})
        for root, _, names in os.walk(folder):
            for name in names:
                with open(os.path.join(root, name), "r+b") as file:
                    file.write(b"damage")
        self.succeed("transform", "in.npy", "-o", "c.npy", env={"SEICHE_CACHE_DIR": folder})
        self.succeed("transform", "in.npy", "-o", "d.npy", env={"SEICHE_CACHE_DIR": "/dev/null/nowhere"})
        first = numpy.load(self.path("a.npy"))
        for name in "bcd":
            numpy.testing.assert_array_equal(numpy.load(self.path(name + ".npy")), first)

    def test_locale(self):
        numpy.save(self.path("in.npy"), numpy.arange(12.0))
        env = {"LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}
        plain = self.succeed("plan", "12x10 c2c f64 forward-scale=0.5", "--profile", "gpu", env={"LC_ALL": "C"}).stdout
        self.assertEqual(self.succeed("plan", "12x10 c2c f64 forward-scale=0.5", "--profile", "gpu", env=env).stdout, plain)

    def test_full_disk(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        numpy.save(self.path("in.npy"), numpy.arange(12.0))
        os.symlink("/dev/full", self.path("out.npy"))
        self.refuse("transform", "in.npy", "-o", "out.npy", says="No space left")


if __name__ == "__main__":
    tool.main()

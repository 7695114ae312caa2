"""Wisdom: what `seiche tune` measures and keeps, and what `bench`, `plan` and `pack` do with it."""

import os
import re

import tool


class Wisdom(tool.ToolTest):
    def test_tune(self):
        wisdom, problem = self.path("wisdom.txt"), "64 f32 batch=16"
        tune = ["tune", "-o", wisdom, "--device", "reference", "--repeat", "2"]
        report = self.json(*tune, problem)
        self.assertEqual([len(report["tuned"]), report["known"]], [1, 0])
        self.assertGreater(report["tuned"][0]["measured"], 3)
        self.assertLessEqual(report["tuned"][0]["median_ms"], report["tuned"][0]["untuned_median_ms"])
        finalists = report["tuned"][0]["finalists"]  # the fastest first, the cost model's own among them
        self.assertEqual([one["median_ms"] for one in finalists], sorted(one["median_ms"] for one in finalists))
        self.assertIn({"tuning": "", "median_ms": report["tuned"][0]["untuned_median_ms"]}, finalists)
        self.assertLessEqual(len(finalists), 6)
        first = [one["tuning"] for one in report["tuned"][0]["first_round"]]  # of all of them
        self.assertEqual(len(first), report["tuned"][0]["measured"])
        self.assertLessEqual({one["tuning"] for one in finalists}, set(first))
        with open(wisdom) as file:
            text = file.read()
        self.assertTrue(text.startswith("Seiche wisdom 1\n"), text)
        self.assertIn("64 c2c f32 batch=16 | ", text)
        report = self.json(*tune, problem, "37 f64")  # goes on where it was
        self.assertEqual([[one["problem"] for one in report["tuned"]], report["known"]], [["37 c2c f64"], 1])
        bench = ["bench", problem, "--device", "reference", "--repeat", "1"]
        self.assertNotEqual(self.json(*bench)["results"][0]["recipe"], "(stockham 64 4 16)")
        used = self.path("used.txt")
        with open(used, "w") as file:  # what the file says is what is timed
            file.write("\n".join(text.splitlines()[:-1]) + "\n64 c2c f32 batch=16 | radices=4x16 | 1 ms, untuned 2 ms\n")
        self.assertEqual(self.json(*bench, "--wisdom", used)["results"][0]["recipe"], "(stockham 64 4 16)")
        self.refuse(*bench, "--wisdom", wisdom, "--threads", "4", status=2, says="no other tuning")
        old = self.path("old.txt")
        with open(used) as file, open(old, "w") as other:
            other.write(re.sub(r"^version .*$", "version 0.0.1", file.read(), flags=re.MULTILINE))
        result = self.succeed(*bench, "--wisdom", old)  # of another version: not used, and said once
        self.assertEqual(result.stderr.count("what Seiche 0.0.1 measured on this device is not used by Seiche "), 1)
        self.assertNotIn("4 16", result.stdout)
        with open(wisdom, "a") as file:
            file.write("nonsense\n")
        self.refuse(*tune, problem, says="wisdom, line")
        self.refuse(*bench, "--wisdom", wisdom, says="wisdom, line")

    def test_plans_and_packs_of_wisdom(self):
        found = [d for d in self.json("devices") if d["name"] == "opencl:0" and d["available"]]
        if not found:
            self.skipTest("no OpenCL device")
        device, pack, wisdom = ["--device", "opencl:0"], self.path("tuned.pack"), self.path("wisdom.txt")
        version = self.succeed("--version").stdout.split()[1]
        with open(wisdom, "w") as file:
            file.write("Seiche wisdom 1\n\ndevice " + found[0]["description"] + "\nversion " + version +
                       "\n64 c2c f32 batch=7 | radices=2x32 | 1 ms, untuned 2 ms\n")
        use = ["--wisdom", wisdom]
        plan = self.json("plan", "64 batch=7", *device, *use)
        self.assertIn("radices=2x32 ", plan["kernels"][0]["spec"])
        self.assertEqual(self.json("plan", "32", *device, *use), self.json("plan", "32", *device))
        report = self.json("pack", "64 batch=7", "32", "-o", pack, *device, *use)
        self.assertEqual([report["problems"], report["tuned"]], [2, 1])
        self.assertIn("(1 of them tuned)", self.succeed("pack", "64 batch=7", "32", "-o", pack, *device, *use).stdout)
        elsewhere = {"SEICHE_CACHE_DIR": self.path("empty-cache"), "SEICHE_PACK_PATH": pack}
        save = ["--save", self.path("saved"), *device]
        self.assertEqual(self.json("plan", "64 batch=7", *save, *use, env=elsewhere)["compiled"], 0)
        self.assertGreater(self.json("plan", "64 batch=7", *save, env=elsewhere)["compiled"], 0)
        self.refuse("plan", "64", "--profile", "h200", *use, says="a device that is here", status=2)
        self.refuse("plan", "64", *device, *use, "--radices", "8x8", says="no other tuning", status=2)
        self.refuse("plan", "64 * 9", *device, *use, says="got a convolution", status=2)
        self.refuse("pack", "64", "-o", pack, *device, "--wisdom", self.path("none"), says="none")


if __name__ == "__main__":
    tool.main()

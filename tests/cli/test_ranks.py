"""Transforms over several ranks: what they would take on a cluster, the fabric of this machine, and ranks that run."""

import os
import pathlib
import unittest

import tool

FABRICS = pathlib.Path(__file__).resolve().parents[2] / "fabrics"
SMALL = "name Two nodes\nprofile a100\nranks-per-node 4\nmemory 1000 GB/s\ninside 100 GB/s 2 us\nbetween 10 GB/s 5 us\n"


class Plans(tool.ToolTest):
    def fabric(self, text=SMALL):
        pathlib.Path(self.path("fabric.txt")).write_text(text)
        return "fabric.txt"

    def test_bytes_and_times(self):
        found = self.json("plan", "64x64x64 f32", "--ranks", 8, "--fabric", self.fabric())
        self.assertEqual((found["ranks"], found["ranks_per_node"], found["planned_for"]), (8, 4, "a100"))
        self.assertEqual({cut["cut"] for cut in found["cuts"]}, {"slabs", "pencils 2x4"})
        times = [cut["seconds_in_pieces"] for cut in found["cuts"]]
        self.assertEqual(times, sorted(times))
        slabs = next(cut for cut in found["cuts"] if cut["cut"] == "slabs")
        message = 64 * 8 * 8 * 8
        exchange = next(step for step in slabs["steps"] if step["step"] == "exchange")
        self.assertEqual((exchange["inside_bytes"], exchange["between_bytes"], exchange["messages"]),
                         (3 * message, 4 * message, 7))
        self.assertAlmostEqual(exchange["seconds"], 4 * message / 1e10 + 4 * 5e-6)
        self.assertEqual(exchange["limit"], "between nodes")
        self.assertAlmostEqual(slabs["seconds"], sum(step["seconds"] for step in slabs["steps"]))
        natural = self.json("plan", "64x64x64 f32", "--ranks", 8, "--fabric", self.fabric(), "--cut", "slabs", "--natural")
        self.assertEqual([step["step"] for step in natural["cuts"][0]["steps"]].count("exchange"), 2)
        half = self.json("plan", "64x64x64 f32 storage=f16", "--ranks", 8, "--fabric", self.fabric(), "--cut", "slabs")
        half_exchange = next(step for step in half["cuts"][0]["steps"] if step["step"] == "exchange")
        self.assertEqual(half_exchange["between_bytes"], 2 * message)

    def test_one_axis_of_more_points_than_32_bits_count(self):
        for words, exchanges in (([], 2), (["--natural"], 3)):
            found = self.json("plan", str(2**34), "--ranks", 64, "--fabric", FABRICS / "dgx-a100.txt", *words)["cuts"]
            self.assertEqual([cut["cut"] for cut in found], ["slabs of 131072x131072"])
            moved = [step for step in found[0]["steps"] if step["step"] == "exchange"]
            self.assertEqual(len(moved), exchanges)
            # Each rank has 2 GiB, of which 7 parts of 64 stay in the node and 56 leave it.
            self.assertEqual({(step["inside_bytes"], step["between_bytes"]) for step in moved},
                             {(7 << 25, 56 << 25)})

    def test_published_times_are_met_within_30_percent(self):
        for side, ranks, fabric, milliseconds in ((2048, 8, "dgx-a100", 78), (2048, 2048, "dgx-a100", 4),
                                                  (16384, 4096, "dgx-a100", 513), (2048, 8, "dgx-h100", 40),
                                                  (2048, 512, "dgx-h100", 3.7)):
            found = self.json("plan", f"{side}x{side}x{side} f32", "--ranks", ranks, "--fabric",
                              FABRICS / f"{fabric}.txt", "--cut", "slabs")["cuts"][0]
            self.assertLess(abs(found["seconds"] * 1000 / milliseconds - 1), 0.3, (side, ranks))

    def test_the_report(self):
        text = self.succeed("plan", "64x64x64 r2c", "--ranks", 8, "--fabric", self.fabric(), "--cut", "2x4").stdout
        self.assertRegex(text, r"ranks +8, 4 a node, Two nodes\nplanned +passes as on a100\n")
        self.assertRegex(text, r"pencils 2x4, transposed order, each rank\n +memory +inside a node +between nodes")
        self.assertRegex(text, r"\n  expected [\d.]+ us: ")

    def test_refusals(self):
        self.refuse("plan", "64x64x64", "--ranks", 8, status=2, says="--fabric FILE")
        self.refuse("plan", "64x64x64", "--natural", status=2, says="expected --ranks beside them")
        file = self.fabric()
        self.refuse("plan", "64x64x64", "--ranks", 8, "--fabric", "none.txt")
        self.refuse("plan", "64x64x64", "--ranks", 8, "--fabric", file, "--cut", "3x2", status=2, says="product is 8")
        self.refuse("plan", "64x64x64", "--ranks", 8, "--fabric", file, "--cut", "thin", status=2, says="slabs or parts")
        self.refuse("plan", "64", "--ranks", 8, "--fabric", file, "--cut", "2x4", status=2,
                    says="an array of at least 3 axes, got 1")
        self.refuse("plan", "64 * 8", "--ranks", 8, "--fabric", file, status=2, says="a convolution")
        self.refuse("plan", "64x64", "--ranks", 8, "--fabric", file, "--save", "x", status=2, says="no --save")
        file = self.fabric("ranks-per-node 4\nmemory 1000\n")
        self.refuse("plan", "64x64x64", "--ranks", 8, "--fabric", file,
                    says="'fabric.txt': fabric, line 2: expected 'memory' with a number above 0 and GB/s, got '1000'")


class Fabrics(tool.ToolTest):
    def test_the_ranks_of_this_machine(self):
        found = self.json("tune", "--fabric", "here.txt", "--ranks", 3)
        self.assertEqual((found["ranks"], found["ranks_per_node"]), (3, 3))
        self.assertGreater(found["inside"]["bytes_per_second"], 0)
        self.assertNotIn("between", found)
        text = pathlib.Path(self.path("here.txt")).read_text()
        self.assertRegex(text, r"ranks-per-node 3\nmemory [\d.e+]+ GB/s\ninside [\d.e+]+ GB/s [\d.e+]+ us\n$")
        self.succeed("plan", "32x32x32", "--profile", "a100", "--ranks", 3, "--fabric", "here.txt")
        self.refuse("plan", "32x32x32", "--profile", "a100", "--ranks", 6, "--fabric", "here.txt", status=2,
                    says="expected a speed between nodes for 6 ranks, 3 a node")

    def test_refusals(self):
        self.refuse("tune", "8", status=2, says="-o FILE")
        self.refuse("tune", "8", "--fabric", "x.txt", status=2, says="--fabric: expected no PROBLEM")
        self.refuse("tune", "8", "-o", "x", "--ranks", 2, status=2, says="expected --fabric beside them")
        self.refuse("tune", "--fabric", "x.txt", "--ranks", 2, "--mpi", status=2, says="no --ranks beside it")


class Runs(tool.ToolTest):
    def test_threads(self):
        text = self.succeed("check", "12x10x8 r2c", "--ranks", 3).stdout
        self.assertRegex(text, r"12x10x8 r2c f32, 3 ranks, .*slabs, transposed order\n")
        self.assertRegex(text, r"\nrelative error [\d.e-]+, at most 2e-06 expected\n")
        text = self.succeed("check", "1024 f64", "--ranks", 4).stdout
        self.assertRegex(text, r"1024 c2c f64 spectrum-order=pass, 4 ranks, [\s\S]*\nas 32x32\n")
        self.assertRegex(text, r"\nrelative error [\d.e-]+, at most 4e-15 expected\n")
        self.assertIn("natural order", self.succeed("check", "1000 f64", "--ranks", 3, "--natural").stdout)
        text = self.succeed("bench", "8x6x10 f64", "6x8x8", "--ranks", 4, "--pencils", "--natural", "--repeat", 2).stdout
        self.assertEqual(len(self.times(text)), 2)
        self.assertIn("4 ranks, first on reference, pencils, natural order", text)

    def times(self, text):
        return [line for line in text.splitlines() if line.startswith("median ") and line.endswith(" of 2")]

    def test_processes(self):
        # A launcher of the test starts one process for each rank, without MPI: they say what they were asked for.
        launcher = pathlib.Path(self.path("launch"))
        launcher.write_text("#!/bin/sh\nprintf '%s\\n' \"$@\" > asked\nexit ${STATUS:-0}\n")
        launcher.chmod(0o755)
        self.succeed("check", "8x8", "--ranks", 3, "--device", "cpu", "--launcher", f"{launcher} --bind none",
                     "--mpi-library", "libx.so", "--natural")
        asked = pathlib.Path(self.path("asked")).read_text().split()
        self.assertEqual(asked[:4] + asked[5:], ["--bind", "none", "-n", "3", "check", "8x8", "--mpi", "--mpi-library",
                                                 "libx.so", "--transport", "automatic", "--device", "cpu", "--natural"])
        self.assertEqual(os.path.realpath(asked[4]), os.path.realpath(tool.TOOL))
        result = self.run_tool("check", "8x8", "--ranks", 3, "--launcher", launcher, env={"STATUS": "7"})
        self.assertEqual(result.returncode, 7)

    @unittest.skipUnless(os.environ.get("SEICHE_TEST_MPI"), "no MPI with the standard ABI here")
    def test_processes_of_mpi(self):
        library = pathlib.Path(os.environ["SEICHE_TEST_MPI"])
        text = self.succeed("check", "12x10x8 c2r", "--ranks", 3, "--launcher",
                            library.parent.parent / "bin" / "mpiexec.hydra", "--mpi-library", library).stdout
        self.assertRegex(text, r"3 ranks, .*\n(.*\n)*bytes went by messages.*\n(.*\n)*relative error")

    def test_refusals(self):
        self.refuse("check", "--ranks", 2, status=2, says="expected a PROBLEM")
        self.refuse("check", "8", "--ranks", 2, "--pencils", status=2, says="at least 3 axes for pencils")
        self.refuse("check", "8x8", "--natural", status=2, says="expected --ranks or --mpi beside them")
        self.refuse("check", "8x8", "--ranks", 2, "--json", status=2, says="expected PROBLEMs, got")
        self.refuse("bench", "8x8", "--ranks", 2, "--brief", status=2, says="other options of bench")
        self.refuse("bench", "8x8", "--launcher", "x", status=2, says="expected --ranks beside it")
        self.refuse("bench", "8x8 f16", "--ranks", 2, says="expected f32 or f64 over several ranks")
        self.refuse("check", "8x8", "--ranks", 2, "--launcher", "no-such-program")


if __name__ == "__main__":
    tool.main()

"""The commands that need no file, the exit status, and that neither locale nor cache changes an answer."""

import base64
import csv
import datetime
import json
import os
import re
import signal
import struct
import subprocess
import time

import numpy
import tool


class Commands(tool.ToolTest):
    def test_help_and_version(self):
        self.assertRegex(self.succeed("--version").stdout, r"^seiche \d+\.\d+\.\d+\n$")
        listing = self.succeed("--help").stdout
        for command in ["transform", "spectrogram", "spectrum", "resample", "convolve", "filter", "devices", "plan", "explain", "emit", "check",
                        "bench", "cache", "pack", "tune", "features"]:
            self.assertIn(command, listing)
            self.assertIn("Usage: seiche " + command, self.succeed(command, "--help").stdout)

    def test_usage_errors(self):
        self.refuse(status=2)
        self.refuse("juggle", status=2)
        self.refuse("transform", status=2)
        self.refuse("cache", "--no-such-option", status=2)
        self.refuse("emit", "16", "--dialect", "morse", status=2)
        self.refuse("plan", "16", "--profile", "abacus", status=2, says="h200")

    def test_words_that_are_nearly_right(self):
        self.refuse("spectrogam", "x", status=2, says="unknown command 'spectrogam', did you mean 'spectrogram'? (see --help)")
        self.refuse("filter", "a.wav", "--lowpas", 3, "-o", "b.wav", status=2,
                    says="unknown option '--lowpas', did you mean '--lowpass'? (see seiche filter --help)")
        self.refuse("plan", "8", "--device", "vulcan", status=2, says="did you mean 'vulkan'?")
        self.refuse("plan", "8", "--profile=h200", "9", "10", status=2, says="expected no more arguments, got '9', '10'")
        self.refuse("spectrogram", "a.wav", "-o", "b.png", "--length", 0, status=2,
                    says="--length: expected a number above 0, got 0 (see")
        for arguments in (["8", "--radices", "8q"], ["1024 f99"], ["8 batch="], ["0"]):
            self.refuse("plan", *arguments, "--profile", "h200", status=2)
        self.refuse("check", "0", "--device", "reference", status=2)
        self.refuse("emit", "x", "--dialect", "cuda", status=2)
        self.refuse("bench", "8 c2q", "--device", "reference", status=2)

    def test_what_makes_no_sense_is_said_so(self):
        numpy.save(self.path("in.npy"), numpy.ones(8))
        plan = ["plan", "8", "--profile", "h200"]
        for arguments, says in [
                ([*plan, "--radices", "3x3"], "product is"), ([*plan, "--recipe", "foo"], "expected one of direct"),
                ([*plan, "--threads", "x"], "--threads: expected a number of its kind, got 'x'"),
                (["convolve", "in.npy", "in.npy", "-o", "o.npy", "--mode", "ful"],
                 "--mode: expected one of full, same, valid, circular, causal, got 'ful', did you mean 'full'?"),
                (["polymul", "1 x", "2"], "A: coefficient 2: expected a number, got 'x'"),
                (["bigmul", "12x", "3"], "A: expected a decimal digit"),
                (["bench", "8", "--suite", "nosuch"], "nosuch"), (["check", "--sweep", "5", "3"], "--sweep"),
                (["--quiet"], "expected a command")]:
            with self.subTest(arguments=arguments):
                self.assertNotRegex(self.refuse(*arguments, status=2, says=says), "InvalidProblem|Unsupported|std::|_M_|basic_string")

    def test_help_has_room_on_every_terminal(self):
        listing = self.succeed("--help").stdout
        commands = re.findall(r"^  ([a-z]+)  ", listing, re.M)
        self.assertIn("spectrogram", commands)
        for text in [listing] + [self.succeed(command, "--help").stdout for command in commands if command not in ("study", "ocean")]:
            for line in text.splitlines():
                self.assertLessEqual(len(line), 79, line)
            self.assertIn("--quiet", text)

    def test_quantities(self):
        with open(self.path("in.cu8"), "wb") as file:
            file.write(bytes(range(256)) * 8)
        report = self.json("spectrogram", "in.cu8", "--iq", "cu8", "--rate", "2.4M", "--center", "100M", "--length", "0.1k",
                           "-o", "o.npy")
        self.assertEqual((report["sample_rate"], report["centre"], report["length"]), (2400000, 100000000, 100))
        self.assertIn("1024 samples at 2.4 MHz, cu8 around 100 MHz",
                      self.succeed("spectrogram", "in.cu8", "--iq", "cu8", "--rate", "2.4M", "--centre", "100M", "-o", "o.npy").stdout)

    def test_quiet(self):
        numpy.save(self.path("in.npy"), numpy.ones(4))
        with open(self.path("in.cu8"), "wb") as file:
            file.write(bytes(range(256)) * 8)
        for arguments in (["--quiet", "spectrum", "in.cu8", "--iq", "cu8", "--rate", 9, "-o", "o.csv"],
                          ["convolve", "--quiet", "in.npy", "in.npy", "-o", "o.npy"],
                          ["resample", "in.npy", "-o", "o.npy", "--count", 9, "--quiet"]):
            result = self.succeed(*arguments)
            self.assertEqual((result.stdout, result.stderr), ("", ""))
        self.assertEqual(self.succeed("polymul", "1 2", "1", "--quiet").stdout, "1 2\n")
        self.assertTrue(json.loads(self.succeed("convolve", "--quiet", "in.npy", "in.npy", "-o", "o.npy", "--json").stdout))
        self.refuse("transform", "--quiet", "missing.npy", "-o", "o.npy", says="missing.npy")

    def test_what_takes_long_is_said_on_a_terminal(self):
        if os.name != "posix":
            self.skipTest("no pseudo terminals")
        import pty
        arguments = ["check", "--count", "20000", "--points", "64", "--seconds", "2.5", "--device", "reference"]

        def screen(*more):
            keeper, terminal = pty.openpty()
            done = subprocess.run([tool.TOOL, *arguments, *more], stdout=subprocess.PIPE, stderr=terminal, timeout=60)
            os.close(terminal)
            text = b""
            try:
                while chunk := os.read(keeper, 65536):
                    text += chunk
            except OSError:  # the other end is closed
                pass
            os.close(keeper)
            self.assertEqual(done.returncode, 0)
            return text.decode()

        text = screen()
        self.assertRegex(text, r"\rseiche: checking \d+ %, \d+ s\x1b\[K")
        self.assertIn("the time was up after", text.split("\r\x1b[K")[-1])  # the line is gone by then
        self.assertNotIn("\r", screen("--quiet").replace("\r\n", "\n"))

    def test_check_says_each_problem_as_it_comes(self):
        process = subprocess.Popen([tool.TOOL, "check", "64", "1048576 batch=8 c2c f64", "--jobs", "1", "--device", "reference"],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            self.assertRegex(process.stdout.readline(), r"^right   64 c2c f32: error [\d.e-]+ units, at most ")
            self.assertIsNone(process.poll())  # the other one takes longer
        finally:
            process.kill()
            process.communicate()

    def opencl_on_a_processor(self):
        if not any(d["name"] == "opencl:0" and d["available"] and "PoCL" in d["description"] for d in self.json("devices")):
            self.skipTest("no PoCL")

    def test_a_hangup_that_is_ignored_stays_ignored(self):
        self.opencl_on_a_processor()
        process = subprocess.Popen([tool.TOOL, "check", "--count", "100000", "--seconds", "2", "--points", "64", "--device", "opencl:0"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                   preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.assertIn("using opencl:0", process.stderr.readline())  # the driver is loaded
        time.sleep(1)
        process.send_signal(signal.SIGHUP)
        process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0)

    def test_a_home_that_cannot_be_written(self):
        self.opencl_on_a_processor()
        for home in ({"HOME": "/dev/null"}, {"XDG_CACHE_HOME": ""}, {"XDG_CACHE_HOME": "/dev/null/x"}):
            # The variables of this very process may say otherwise.
            env = {name: value for name, value in os.environ.items() if name not in ("POCL_CACHE_DIR", "XDG_CACHE_HOME")}
            result = subprocess.run([tool.TOOL, "devices", "--json"], env=dict(env, TMPDIR=self.folder.name, **home),
                                    capture_output=True, text=True, timeout=60)
            self.assertIn("opencl:0", [d["name"] for d in json.loads(result.stdout) if d["available"]], home)
        found = os.stat(self.path("seiche-pocl-" + str(os.geteuid())))
        self.assertEqual(found.st_mode & 0o777, 0o700)

    def test_devices(self):
        devices = json.loads(self.succeed("devices", "--json").stdout)
        text = self.succeed("devices").stdout
        chosen = [device["name"] for device in devices if device["is_default"]]
        self.assertEqual(len(chosen), 1)
        self.assertEqual(text.count(", default]"), 1)
        self.assertIn("using " + chosen[0], self.succeed("polymul", "1", "1").stderr)
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
        self.refuse("transform", "in.npy", "-o", "out.npy", "--device", "abacus", status=2, says="abacus")

    def test_a_recipe_says_which_passes_share_a_launch(self):
        recipes = {"262144 batch=128": "(launches (pipelined 512 512))", "65536": "(launches (cluster 16 256 256))",
                   "100x100x100": "(launches (on-chip 100 100) 100)"}
        for problem, launches in recipes.items():
            self.assertIn(launches, self.json("plan", problem, "--profile", "h200")["recipe"])
        self.assertNotIn("launches", self.json("plan", "1048576 batch=2", "--profile", "h200")["recipe"])

    def test_plan(self):
        for profile in ["h200", "a100", "mi250", "gpu", "pocl"]:
            with self.subTest(profile=profile):
                report = self.json("plan", "1024x1024 c2c f32 batch=16", "--profile", profile)
                self.assertEqual(report["ideal_bytes"], 2 * 8 * 1024 * 1024 * 16)
                self.assertGreaterEqual(report["moved_bytes"], report["ideal_bytes"])
                self.assertTrue(report["kernels"])
                self.assertIn(report["recipe"], self.succeed("plan", "1024x1024 c2c f32 batch=16", "--profile",
                                                             profile).stdout)
        self.refuse("plan", "0 c2c f32", "--profile", "h200", status=2)
        self.refuse("plan", "1024 c2q", "--profile", "h200", status=2, says="c2q")
        self.refuse("plan", "8", "--profile", "h200", "--device", "reference", status=2, says="both")

    def test_plan_is_bounded(self):
        for profile in ["h200", "mi250", "gpu", "pocl", "lavapipe"]:
            with self.subTest(profile=profile):
                of = ["--profile", profile]
                self.refuse("plan", "64", "--groups-per-cluster", "65536", *of, status=2,
                            says="groups_per_cluster")
                for threads in ["2147483648", "2147483649"]:
                    for problem in ["64", "64 batch=5", "37x41"]:
                        self.refuse("plan", problem, "--threads", threads, "--transforms-per-group", "2", *of, status=2,
                                    says="threads_per_transform: expected at most 65536")
                self.refuse("plan", "64", "--radices", "0x64", *of, status=2, says="tuning.radices")
                for problem, status in [("10429496729500003", 1), ("461168601842738790", 1), ("6793277308457", 1),
                                        ("4x9223372036854775807", 2)]:
                    began = time.monotonic()
                    self.refuse("plan", problem, *of, status=status, says="expected")
                    self.assertLess(time.monotonic() - began, 10, problem)

    def test_plan_of_a_convolution(self):
        report = self.json("plan", "48000 * 1001 same f32 batch=4", "--profile", "h200")
        self.assertEqual(report["problem"], "48000 * 1001 same real f32 batch=4")
        self.assertEqual(report["ideal_bytes"], 2 * 4 * 48000 * 4)
        self.assertIn("blocks", report["recipe"])
        self.assertGreaterEqual(report["moved_bytes"], report["ideal_bytes"])
        self.assertEqual(len(report["kernels"]), 1)
        self.refuse("plan", "48000 * 1001 wide", "--profile", "h200", status=2, says="wide")
        self.refuse("plan", "48 * 49 valid", "--profile", "h200", status=2, says="seiche: convolution.kernel[0]")
        self.refuse("plan", "48 * 4", "--load-stage", "x", "--profile", "h200", status=2, says="stages")
        env = {"SEICHE_CACHE_DIR": self.path("kernels")}
        self.succeed("plan", "96 * 5 f32", "--save", "a.plan", env=env)
        loaded = json.loads(self.succeed("plan", "--load", "a.plan", "--json", env={"SEICHE_CACHE_DIR": "/dev/null"}).stdout)
        self.assertEqual((loaded["compiled"], loaded["cached"], loaded["loaded"]), (0, 0, 2))
        self.assertEqual((loaded["problem"], loaded["replanned"]), ("96 * 5 full real f32", ""))
        with open(self.path("a.plan"), "r+b") as file:
            file.seek(40)
            file.write(b"?")
        self.refuse("plan", "--load", "a.plan", says="'a.plan': saved convolution")

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

    def test_tuning(self):
        plan = ["plan", "4096 batch=2", "--profile", "h200"]
        passes = self.json(*plan, "--passes", "64x64")
        self.assertEqual([len(passes["kernels"]), passes["moved_bytes"]], [4, 2 * passes["ideal_bytes"]])
        fused = self.json(*plan, "--groups-per-cluster", "4")
        self.assertEqual([len(fused["kernels"]), fused["moved_bytes"]], [2, fused["ideal_bytes"]])
        self.assertIn("radices=8x8x8x8", self.json(*plan, "--radices", "8x8x8x8")["kernels"][0]["spec"])
        self.assertEqual(self.json(*plan, "--threads", "512")["kernels"][0]["group_size"], 512)
        self.assertEqual(self.json(*plan, "--transforms-per-group", "2")["kernels"][0]["group_size"], 512)
        prime = ["plan", "103", "--profile", "h200"]
        self.assertEqual(self.json(*prime, "--algorithm", "rader")["recipe"], "(rader 103 (stockham 102 17 6))")
        parity = self.json(*prime, "--algorithm", "rader", "--radices", "8x13")
        self.assertEqual(parity["recipe"], "(rader-even-odd 103 (stockham 104 8 13))")
        padded = self.json(*prime, "--algorithm", "bluestein", "--padded-length", "210")
        self.assertEqual(padded["recipe"].split(" 210 ")[0], "(bluestein 103 (stockham")
        self.refuse(*prime, "--algorithm", "winograd", status=2, says="direct, rader or bluestein")
        self.refuse(*prime, "--algorithm", "rader", "--radices", "8x12", status=2, says="at least n - 2")
        self.refuse(*plan, "--groups-per-cluster", "32", status=2, says="expected at most 16")
        self.refuse(*plan, "--passes", "64x63", status=2, says="product is 4096")
        report = self.json("bench", "256 batch=3", "--passes", "16x16", "--device", "reference", "--repeat", "1")
        self.assertIn("(stockham 16 16)", json.dumps(report))

    def test_bench_times_the_making_of_plans(self):
        bench = ["bench", "128", "--plan-times", "--device", "reference", "--repeat", "1"]
        (row,) = self.json(*bench)["plan_times"]
        self.assertEqual((row["problem"], row["rounds"]), ("128 c2c f32", 1))
        figures = ["cold_ms", "cold_later_ms", "disk_ms", "disk_later_ms", "again_us"]
        for name in figures:
            self.assertGreater(row[name], 0, name)
        head, line = self.run_tool(*bench).stdout.splitlines()
        self.assertEqual(head.count(" ms ") + head.count(" us "), len(figures))
        self.assertEqual(len(line.split()), len(figures) + 1 + len(row["problem"].split()))

    def test_bench_keeps_what_it_has_measured(self):
        figures = self.path("figures.csv")
        process = subprocess.Popen([tool.TOOL, "bench", "64 batch=4", "1048576 batch=64", "--device", "reference", "--repeat", "1",
                                    "--csv", figures], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + 60
            while not os.path.exists(figures) and time.monotonic() < deadline:
                time.sleep(0.02)
        finally:
            process.kill()
            process.wait()
        with open(figures) as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["problem"] for row in rows if row["name"] == "seiche"], ["64 c2c f32 batch=4"])
        self.assertGreater(float(rows[0]["median_ms"]), 0)

    def test_bench_says_where_its_figures_are_from(self):
        figures = self.path("figures.csv")
        before = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
        report = self.json("bench", "64 batch=4", "--movement", "--device", "reference", "--repeat", "1", "--csv", figures)
        (device,) = [one for one in self.json("devices") if one["name"] == "reference"]
        version = self.succeed("--version").stdout.split()[-1]
        (result,) = report["results"]
        for json_object in (report, result):
            self.assertEqual([json_object[name] for name in ("device", "description", "driver", "version")],
                             ["reference", device["description"], device["driver"], version])
        measured = datetime.datetime.strptime(result["measured"], "%Y-%m-%dT%H:%M:%S%z")
        self.assertTrue(before <= measured <= datetime.datetime.now(datetime.timezone.utc), measured)
        with open(figures) as file:
            names = file.readline().strip().split(",")
            file.seek(0)
            rows = list(csv.DictReader(file))
        self.assertEqual(names[:3] + names[12:], ["problem", "device", "name", "units", "description", "driver", "version",
                                                  "measured", "recipe", "mark", "input", "yardstick", "launch"])
        self.assertEqual([row["name"] for row in rows], ["seiche", "movement", "copy"])
        self.assertEqual({row["yardstick"] for row in rows} | {result["yardstick"]}, {"copy"})
        for row in rows:
            self.assertEqual([row[name] for name in ("description", "driver", "version", "measured")],
                             [result[name] for name in ("description", "driver", "version", "measured")])
            self.assertEqual(row["recipe"], result["recipe"] if row["name"] == "seiche" else "")
            self.assertNotIn(None, row)

    def test_bench_compares_with_the_faster_copy(self):
        figures = self.path("figures.csv")
        report = self.json("bench", "1024 batch=64", "64 f64 in-place", "--device", "cpu", "--repeat", "3", "--csv", figures)
        self.assertIn(report["large_copy_by"], ["copy", "copy-kernel"])
        for result in report["results"]:
            rates = {row["name"]: row["gb_per_s"] for row in result["timings"]}
            self.assertEqual(list(rates), ["seiche", "copy", "copy-kernel"])
            faster = max(rates["copy"], rates["copy-kernel"])
            self.assertEqual(rates[result["yardstick"]], faster)
            self.assertEqual(result["large_copy_by"], report["large_copy_by"])
            for row in result["timings"]:
                self.assertAlmostEqual(row["of_copy"], row["gb_per_s"] / faster)
                self.assertAlmostEqual(row["of_best_copy"], row["gb_per_s"] / max(faster, result["large_copy_gb_per_s"]))
                self.assertEqual("fractions are of this" in row["description"], row["name"] == result["yardstick"])
        with open(figures) as file:
            self.assertEqual([row["yardstick"] for row in csv.DictReader(file) if row["name"] == "seiche"],
                             [result["yardstick"] for result in report["results"]])
        text = self.succeed("bench", "64", "--device", "cpu", "--repeat", "1").stdout
        self.assertRegex(text, r"cpu:0: large copy [\d.]+ GB/s \(copy(-kernel; copy|; copy-kernel) [\d.]+\)")

    def test_bench_in_brief(self):
        problems = self.path("problems.txt")
        with open(problems, "w") as file:
            file.write("# two\n64 f64 batch=9\n\n8 c2q\n65 c2r\r\n")
        brief = ["bench", "--brief", "--device", "cpu", "--repeat", "2", "16 batch=4"]
        result = self.run_tool(*brief, "--problems", problems)
        self.assertEqual(result.returncode, 1)
        self.assertIn("1 of 4 problems failed", result.stderr)
        rows = list(csv.DictReader(result.stdout.splitlines()))
        self.assertEqual([row["problem"] for row in rows], ["16 c2c f32 batch=4", "64 c2c f64 batch=9", "8 c2q", "65 c2r f32"])
        self.assertIn("c2q", rows[2].pop("error"))
        for row in rows[:2] + rows[3:]:
            self.assertEqual(row["error"], "")
            self.assertLessEqual(float(row["fastest_ms"]), float(row["median_ms"]))
            self.assertGreater(float(row["plan_ms"]) * float(row["gb_per_s"]) * int(row["instructions"]), 0)
            self.assertEqual(row["kernels"], "1")
        self.assertEqual(rows[1]["recipe"], self.json("plan", "64 f64 batch=9", "--device", "cpu")["recipe"])
        plans = self.run_tool(*brief, "--problems", "-", "--plan-times", "--jobs", "1", stdin="32 f32\n")
        self.assertEqual([[row["problem"], row["median_ms"]] for row in csv.DictReader(plans.stdout.splitlines())],
                         [["16 c2c f32 batch=4", ""], ["32 c2c f32", ""]])
        self.refuse("bench", "64", "--brief", "--json", status=2, says="--brief: expected no --json beside it")
        self.refuse("bench", "64", "--jobs", "2", status=2, says="--jobs: expected --brief")
        self.refuse("bench", "--brief", "--problems", self.path("nowhere"), "--device", "cpu", says="nowhere")
        with open(problems, "w") as file:
            file.write("8\n")
        results = self.json("bench", "--problems", problems, "--device", "reference", "--repeat", "1")["results"]
        self.assertEqual([one["problem"] for one in results], ["8 c2c f32"])

    def test_check_lists_its_problems(self):
        listed = self.succeed("check", "--list", "--count", "20", "--kinds", "all", "--seed", "7", "--device", "reference").stdout
        problems = listed.splitlines()
        self.assertEqual(len(problems), 20)
        for problem in problems:
            self.assertEqual(self.json("plan", problem, "--profile", "h200")["problem"], problem)
        self.assertEqual(self.succeed("check", "--list", "--sweep", "5", "6", "--device", "reference").stdout.split("\n")[0],
                         "5 c2c f32 batch=64")
        self.refuse("check", "--list", "--convolutions", status=2, says="--list: expected transforms")

    def test_bench_goes_on_where_it_was(self):
        bench = ["bench", "--device", "reference", "--resume", self.path("results.json")]
        (first,) = self.json(*bench, "64 batch=4")["results"]
        again = self.json(*bench, "32", "64 batch=4", "--csv", self.path("figures.csv"))["results"]
        self.assertEqual([one["problem"] for one in again], ["32 c2c f32", "64 c2c f32 batch=4"])
        self.assertEqual(again[1], first)  # times and all: it was not timed again
        with open(self.path("figures.csv")) as file:
            rows = [row for row in csv.DictReader(file) if row["name"] == "seiche"]
        self.assertAlmostEqual(float(rows[1]["median_ms"]), first["timings"][0]["median_ms"], delta=1e-4 * float(rows[1]["median_ms"]))
        self.assertIn("32 c2c f32  (measured " + again[0]["measured"] + ")\n", self.succeed(*bench, "32").stdout)
        # Another question is another result, and the file keeps both.
        for more in (["--movement"], ["--radices", "8x8"], ["--repeat", "3"]):
            (other,) = self.json(*bench, "64 batch=4", *more)["results"]
            self.assertNotEqual(other["timings"][0], first["timings"][0], more)
            self.assertEqual(self.json(*bench, "64 batch=4")["results"], [first])

    TABLE = ("library,kind,precision_bits,shape,batch,milliseconds,GB_per_s,fraction_of_copy,plan_milliseconds\n"
             "other-1.2 (CUDA),c2c,32,64,8,0.5,100,1e-9,2.5\n"
             "other-1.2 (CUDA),c2c,32,64,1024,0.5,100,1e-3,\n"
             "slow,c2c,32,64,1,3.5,100,1e-12,1\n"
             "copy,,,,,,3986,,\n"
             "slow,c2c,32,64,8,,,,\n"
             "other-1.2 (CUDA),c2c,64,64,8,0.5,100,0.5,2.5\n")

    def test_bench_beside_a_table(self):
        table, figures, results = self.path("table.csv"), self.path("figures.csv"), self.path("results.json")
        with open(table, "w") as file:
            file.write(self.TABLE)
        bench = ["bench", "64 batch=4", "32", "--device", "reference", "--repeat", "1", "--movement", "--baselines", table,
                 "--csv", figures, "--resume", results]
        report = self.json(*bench)
        ours, _, _, other, slow = report["results"][0]["timings"]
        self.assertEqual([other["name"], other["median_ms"], other["plan_ms"]], ["other-1.2 (CUDA), table", 0.5, 2.5])
        self.assertEqual([slow["name"], slow["of_best_copy"]], ["slow, table", 1e-12])
        self.assertAlmostEqual(other["speed_of_seiche"] * 1e-9 / ours["of_best_copy"], 1)
        self.assertEqual(len(report["results"][1]["timings"]), 3)
        self.assertEqual([[one["peer"], one["problems"], one["faster"]] for one in report["against"]],
                         [["other-1.2 (CUDA), table", 1, 1], ["slow, table", 1, 1], ["best", 1, 1]])
        self.assertEqual(report["against"][2]["worst"], other["speed_of_seiche"])
        self.assertEqual(report["movement"]["problems"], 2)
        with open(figures) as file:
            rows = [row for row in csv.DictReader(file) if row["name"] == "other-1.2 (CUDA), table"]
        self.assertEqual([[row["fastest_ms"], row["description"], row["measured"], row["mark"]] for row in rows], [["0.5", "", "", ""]])
        with open(results) as file:
            self.assertNotIn("table", file.read())
        self.assertEqual(self.json(*bench), report)  # each row once, known or not
        text = self.succeed(*bench).stdout
        self.assertIn("against other-1.2 (CUDA), table: ", text)
        self.assertIn("of the movement alone: geometric mean ", text)

    def test_bench_refuses_bad_tables(self):
        bench = ["bench", "64", "--device", "reference", "--repeat", "1", "--baselines", "table.csv"]
        self.refuse(*bench, says="table.csv")
        head, line = self.TABLE.splitlines()[:2]
        for text, says in (
                ("", "got none"),
                (head, "got none"),
                (line, "line 1: expected names of columns, with library"),
                (head.replace(",batch", ""), "with batch among them"),
                (head + "\n1,2", "line 2: expected 9 fields, got 2"),
                (head + "\n\n" + line.replace("1e-9", "fast"), "line 3: fraction_of_copy: expected a number above 0, got 'fast'"),
                (head + "\n" + line.replace(",8,", ",-8,"), "batch: expected a whole number from 1, got '-8'"),
                (head + "\n" + line.replace("2.5", "2.5ms"), "plan_milliseconds"),
                (head + '\n"' + line, "a quote at the end")):
            with open(self.path("table.csv"), "w") as file:
                file.write(text + "\n")
            self.refuse(*bench, says=says)

    def test_bench_resumes_after_a_kill(self):
        results = self.path("results.json")
        bench = ["bench", "--device", "reference", "--repeat", "1", "--resume", results]
        process = subprocess.Popen([tool.TOOL, *bench, "64 batch=4", "1048576 batch=64"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        kept = []
        try:
            deadline = time.monotonic() + 60
            while not kept and time.monotonic() < deadline:
                time.sleep(0.02)
                if os.path.exists(results):
                    with open(results) as file:
                        kept = json.load(file)["results"]
        finally:
            process.kill()
            process.wait()
        self.assertEqual([one["problem"] for one in kept], ["64 c2c f32 batch=4"])
        again = self.json(*bench, "64 batch=4", "16")["results"]
        self.assertEqual(again[0], kept[0])
        self.assertEqual(again[1]["problem"], "16 c2c f32")

    def test_bench_keeps_no_result_for_want_of_a_program(self):
        results = self.path("results.json")
        bench = ["bench", "16", "16 f64x2", "--device", "reference", "--repeat", "1", "--resume", results, "--vs", "fftw"]
        missing, refused = self.json(*bench, env={"SEICHE_PEERS": self.path("nowhere")})["results"]
        self.assertEqual([len(missing["not_timed"]), len(refused["not_timed"])], [1, 1])
        self.assertIn("peers compute in f32 and f64 only", refused["not_timed"][0])
        with open(results) as file:
            self.assertEqual(json.load(file)["results"], [refused])

    def test_bench_and_tune_keep_an_input_in_the_cache_through_cuda_alone(self):
        says = "an input in the cache: expected a device of CUDA, got reference"
        self.refuse("bench", "16", "--cached-input", "--device", "reference", says=says)
        wisdom = self.path("none.wisdom")
        self.refuse("tune", "16", "--cached-input", "--device", "reference", "-o", wisdom, says=says)
        self.assertFalse(os.path.exists(wisdom))

    def test_bench_makes_graphs_through_cuda_alone(self):
        self.refuse("bench", "16", "--graph", "--device", "reference",
                    says="a graph: expected a device of CUDA, got reference")
        self.refuse("bench", "16", "--graph", "--brief", "--device", "reference", status=2,
                    says="--brief: expected no --graph beside it")

    def test_bench_refuses_results_of_others(self):
        results = self.path("results.json")
        bench = ["bench", "16", "--device", "reference", "--repeat", "1", "--resume", results]
        self.json(*bench)
        with open(results) as file:
            good = file.read()

        def refuse(text, says):
            with open(results, "w") as file:
                file.write(text)
            self.refuse(*bench, says=says)
            with open(results) as file:
                self.assertEqual(file.read(), text)

        def changed(**values):
            whole = json.loads(good)
            whole["results"][0].update(values)
            return json.dumps(whole)

        refuse(changed(description="another card"), "got those of reference on another card by Seiche ")
        refuse(changed(backend="cuda"), "got those of cuda on ")
        refuse(changed(version="0.0.9"), "by Seiche 0.0.9")
        damaged = "expected results of seiche bench --resume"
        refuse(good[:len(good) // 2], damaged)
        refuse("", damaged)
        refuse("[]", damaged)
        refuse(good.replace("Seiche bench 1", "Seiche bench 9"), damaged)
        refuse(changed(timings=[]), damaged)
        refuse(changed(timings=7), damaged)
        refuse(changed(kernels="many"), damaged)
        refuse(changed(problem="nonsense"), damaged)
        self.refuse("bench", "16", "--plan-times", "--resume", results, status=2, says="--plan-times")
        self.refuse("bench", "16", "--device", "reference", "--resume", self.path("no/folder.json"), says="cannot write")

    def test_pack(self):
        if not any(d["name"] == "opencl:0" and d["available"] for d in self.json("devices")):
            self.skipTest("no OpenCL device")
        device, pack = ["--device", "opencl:0"], self.path("kernels.pack")
        problems = ["64 batch=7", "6x10 r2c"]
        report = self.json("pack", *problems, "-o", pack, *device)
        self.assertEqual([report["problems"], report["bytes"]], [2, os.path.getsize(pack)])
        elsewhere = {"SEICHE_CACHE_DIR": self.path("empty-cache"), "SEICHE_PACK_PATH": pack}
        for problem in problems + ["64 batch=9"]:
            saved = self.path("saved")
            plan = self.json("plan", problem, "--save", saved, *device, env=elsewhere)
            self.assertEqual(plan["compiled"], 0, problem)
        self.assertGreater(self.json("plan", "65", "--save", self.path("saved"), *device,
                                     env=elsewhere)["compiled"], 0)
        with open(pack, "r+b") as file:
            file.write(b"other")
        self.refuse("plan", "64", "--save", self.path("saved"), *device, env=elsewhere,
                    says="a pack that seiche pack made")
        self.refuse("pack", "-o", self.path("none"), says="expected a PROBLEM", status=2)
        self.assertFalse(os.path.exists(self.path("none")))

    def test_plan_of_the_default_device(self):
        self.assertTrue(self.json("plan", "4096 c2c f32 batch=100")["planned_for"])

    def test_emit(self):
        cuda = self.succeed("emit", "4096 c2c f32 batch=1000", "--dialect", "cuda").stdout
        self.assertEqual(cuda, self.succeed("emit", "4096 c2c f32 batch=1000", "--dialect", "cuda", "-o", "-").stdout)
        self.assertIn("__global__", cuda)
        opencl = self.succeed("emit", "4096 c2c f32 batch=1000", "--dialect", "opencl", "--profile", "gpu").stdout
        self.assertIn("__kernel", opencl)
        self.succeed("emit", "4096 c2c f32 batch=1000", "--dialect", "cuda", "-o", "kernels.cu")
        with open(self.path("kernels.cu")) as file:
            self.assertEqual(file.read(), cuda)
        self.refuse("emit", "4096", "--dialect", "spirv", status=2)
        self.succeed("emit", "4096", "--dialect", "spirv", "--profile", "gpu", "-o", "one.spv")
        self.succeed("emit", "1048576", "--dialect", "spirv-opencl", "--profile", "gpu", "-o", "many.spv")
        self.succeed("emit", "1024", "--dialect", "arm64", "--profile", "neon", "-o", "code.bin")
        spirv, arm64 = b"\x03\x02\x23\x07", b"\xfd\x7b\xb6\xa9"  # its magic; stp x29, x30, [sp, #-160]!
        for name, begin in ("one.spv", spirv), ("many-1.spv", spirv), ("many-2.spv", spirv), ("code.bin", arm64):
            with open(self.path(name), "rb") as module:
                self.assertEqual(module.read(4), begin, name)
        self.assertNotEqual(self.succeed("emit", "4096", "--dialect", "cuda", "--inverse").stdout,
                            self.succeed("emit", "4096", "--dialect", "cuda").stdout)

    def test_emit_of_a_direction_that_a_kind_lacks(self):
        for kind in ["c2r", "ihfft", "hfft"]:  # the only one that there is
            emitted = self.succeed("emit", f"64 {kind}", "--dialect", "cuda", "--profile", "h200").stdout
            self.assertIn("__global__", emitted)
            self.assertIn("forward_0_n32" if kind == "hfft" else "inverse_0_n32", emitted)
        self.refuse("emit", "64 r2c", "--dialect", "cuda", "--profile", "h200", "--inverse", status=2,
                    says="there is no inverse transform of '64 r2c': expected no --inverse")

    def test_emit_of_several_kernels_defines_functions_once(self):
        for dialect, profile, function in [("cuda", "h200", "float from_f16("), ("hip", "mi250", "float from_f16("),
                                           ("opencl", "gpu", "float2 from_f162(")]:
            text = self.succeed("emit", "1048576 storage=f16 batch=4", "--dialect", dialect, "--profile", profile).stdout
            self.assertGreater(text.count("// Kernel "), 1)
            self.assertEqual(text.count(function), 1, dialect)

    def test_emit_of_ptx_writes_a_module_each(self):
        self.succeed("emit", "1048576", "--dialect", "ptx", "--profile", "h200", "-o", "p.ptx", "--json", "p.json")
        with open(self.path("p.json")) as file:
            kernels = json.load(file)["kernels"]
        self.assertGreater(len(kernels), 1)
        for index, kernel in enumerate(kernels):
            with open(self.path(f"p-{index + 1}.ptx")) as file:
                text = file.read()
            self.assertEqual(text.count(".version"), 1)
            self.assertIn(f".visible .entry {kernel['name']}(", text)

    def test_emit_refuses_what_no_launch_can_have(self):
        self.refuse("emit", "16 batch=100000000000", "--dialect", "cuda", "--profile", "h200", "--json", "k.json",
                    says="batch 100000000000: expected at most 2^31 groups and 2^32 sequences in a launch")

    def test_emit_of_shaders_with_their_description(self):
        shader = self.succeed("emit", "4096", "--dialect", "glsl-es", "--profile", "gpu").stdout
        self.assertTrue(shader.startswith("#version 310 es\n"), shader[:40])
        self.succeed("emit", "1048576 batch=2", "--dialect", "glsl", "--profile", "gpu", "-o", "s.comp", "--json", "s.json")
        with open(self.path("s.json")) as file:
            kernels = json.load(file)["kernels"]
        self.assertGreater(len(kernels), 1)
        self.succeed("emit", "1024", "--recipe", "level-by-block", "--dialect", "spirv", "--profile", "mi250", "-o", "l.spv", "--json",
                     "l.json")  # barriers of subgroups, which must be of that size
        with open(self.path("l.json")) as file:
            self.assertEqual(json.load(file)["kernels"][0]["subgroup_size"], 64)
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

    def describe(self, problem, *options):
        """The description of a problem's SPIR-V for Vulkan, with modules that begin as SPIR-V does."""
        if not options:
            options = ("--profile", "gpu")
        self.succeed("emit", problem, "--dialect", "spirv", *options, "-o", "v.spv", "--json", "v.json")
        with open(self.path("v.json")) as file:
            description = json.load(file)
        for kernel in description["kernels"]:
            with open(self.path(kernel["file"]), "rb") as module:
                self.assertEqual(module.read(4), b"\x03\x02\x23\x07", kernel["file"])
        return description

    def test_a_description_names_the_files(self):
        self.assertEqual([kernel["file"] for kernel in self.describe("65536")["kernels"]], ["v-1.spv", "v-2.spv"])
        self.assertEqual([kernel["file"] for kernel in self.describe("64")["kernels"]], ["v.spv"])
        for options, file in [(["-o", "c.cu"], "c.cu"), ([], None)]:
            self.succeed("emit", "65536", "--dialect", "cuda", "--profile", "h200", *options, "--json", "c.json")
            with open(self.path("c.json")) as description:
                for kernel in json.load(description)["kernels"]:
                    self.assertEqual(kernel.get("file"), file)

    def test_a_description_says_what_a_device_must_have(self):
        self.assertEqual(self.describe("64")["features"], [])
        self.assertEqual(self.describe("64 f64")["features"], ["shaderFloat64"])
        self.assertEqual(self.describe("64 f16")["features"], ["storageBuffer16BitAccess"])
        self.assertEqual(self.describe("64 image=rg32f")["features"], ["shaderStorageImageExtendedFormats"])
        self.assertIn("shaderInt64", self.describe("65536", "--profile", "lavapipe")["features"])

    def test_a_description_says_where_arrays_lie(self):
        self.assertFalse(self.describe("64")["in_place"])
        self.assertTrue(self.describe("64 in-place")["in_place"])
        for problem, bytes_each in [("64", 8), ("64 f64", 16), ("64 f16", 4), ("64 bf16", 4), ("64 planar", 4)]:
            buffer = self.describe(problem)["kernels"][0]["buffers"][0]
            self.assertEqual(buffer["element_bytes"], bytes_each, problem)
        # Of 1.5 MiB, where a kernel takes 1 MiB in one buffer, the second part is the shorter one.
        card = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "profiles", "amd-rdna3-rx7900xtx.json")
        with open(card) as file:
            profile = json.load(file)
        profile["limits"]["max_buffer_bytes"] = 1 << 20
        with open(self.path("small.json"), "w") as file:
            json.dump(profile, file)
        kernel = self.describe("65536 batch=3", "--device-profile", "small.json")["kernels"][0]
        parts = [buffer for buffer in kernel["buffers"] if buffer["holds"] == "input"]
        self.assertEqual([(part["part"], part["byte_offset"], part["bound_bytes"], part["bytes"]) for part in parts],
                         [(0, 0, 1 << 20, 3 << 19), (1, 1 << 20, 1 << 19, 3 << 19)])

    def test_the_page_of_features_is_what_the_library_says(self):
        """Every line of the poster's list there names tests, each of which is in its file, which is built."""
        root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
        if "built without Xbyak" in self.succeed("devices").stdout:
            self.skipTest("a build without machine code for the processor says so in many cells")
        page = self.succeed("features").stdout
        with open(os.path.join(root, "docs", "features.md"), encoding="utf-8") as file:
            self.assertEqual(file.read(), page, "make it anew: seiche features > docs/features.md")
        section = page[page.index("| vkfft2022 |"):page.index("## Reasons")]
        rows = [row for row in section.split("\n") if row.startswith("|")][2:]
        self.assertEqual(len(rows), 12)
        for row in rows:
            proofs = re.findall(r"\[`(\w+)\.(\w+)`\]\(\.\./(tests/[\w/.]+)\)", row)
            self.assertGreaterEqual(len(proofs), 2, row)
            for suite, name, path in proofs:
                self.check_that_a_test_exists(root, path, suite, name)

    def check_that_a_test_exists(self, root, path, suite, name):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            text = file.read()
        if path.endswith(".py"):
            self.assertRegex(text, rf"class {suite}\(tool.ToolTest\):(.|\n)*\n    def {name}\(self\)")
            return
        self.assertRegex(text, rf"\nTEST(_P|_F)?\({suite}, {name}\)", path)
        with open(os.path.join(root, os.path.dirname(path), "CMakeLists.txt"), encoding="utf-8") as file:
            self.assertIn(os.path.basename(path), file.read())

    def test_device_functions(self):
        text = self.succeed("emit", "64 f64", "--device-function", "--dialect", "cuda", "--profile", "h200", "--inverse").stdout
        self.assertIn("__device__ __forceinline__ void seiche_ifft_64_f64(double2 (&x)[", text)
        self.assertIn("#define SEICHE_IFFT_64_F64_THREADS ", text)
        self.assertNotIn("__global__", text)
        self.refuse("emit", "64 batch=2", "--device-function", "--dialect", "cuda", "--profile", "h200", status=2, says="one length")

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
        self.refuse("plan", "--load", "cut.plan", says="'cut.plan': saved plan")
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

    def test_cache_shows_its_limit_and_what_it_does_not_use(self):
        folder = self.path("kernels")
        os.mkdir(folder, 0o700)
        entry = "0123456789abcdef" * 2 + ".kernel"
        with open(os.path.join(folder, entry), "wb") as file:
            file.write(b"no entry")
        env = {"SEICHE_CACHE_DIR": folder, "SEICHE_CACHE_MAX": "5M"}
        shown = self.json("cache", env=env)
        self.assertEqual((shown["limit_bytes"], shown["problem"]), (5 << 20, ""))
        self.assertEqual(shown["refused"], [entry + " is cut short"])
        self.assertIn("refused   1 entry, which --clear removes\n          " + entry, self.succeed("cache", env=env).stdout)
        self.assertEqual(self.json("cache", "--clear", env=env)["refused"], [])
        os.chmod(folder, 0o777)
        shown = self.json("cache", env=env)
        self.assertFalse(shown["writable"])
        self.assertIn("is writable by others: chmod go-w", shown["problem"])
        self.assertIn("not used  " + folder, self.succeed("cache", env=env).stdout)
        self.refuse("cache", says="SEICHE_CACHE_MAX: expected a number of bytes", env={"SEICHE_CACHE_MAX": "much"})

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

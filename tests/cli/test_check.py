"""`seiche check`: what it draws, keeps, and gives to other processes."""

import json

import tool


class Check(tool.ToolTest):
    def lines(self):
        with open(self.path("known.txt")) as file:
            return [line for line in file if line.strip()]

    def test_processes_give_the_same(self):
        words = ["check", "--count", 12, "--seed", 5]
        self.assertEqual(self.json(*words, "--processes", 2), self.json(*words))

    def test_a_process_says_why_it_has_no_device(self):
        answer = self.run_tool("check", "--worker", "--device", "cuda:99", stdin='{"problem": "8", "seed": 1, "directions": 0}\n')
        self.assertIn("cuda", json.loads(answer.stdout)["error"])

    def test_textbook_recipes(self):
        words = ["check", "32 f32", "16 f32 batch=2", "--recipe", "stockham-radix-4"]
        report = self.json(*words)
        self.assertEqual((report["checked"], report["failures"]), (2, []))
        self.assertEqual(report["classes"][0]["bound_units"], 3)
        self.assertEqual(self.json(*words, "--processes", 2), report)
        inexact = self.json("check", "1024 f32", "--recipe", "direct", "--twiddles", "recurrence")["classes"][0]
        self.assertTrue(3 < inexact["worst_units"] < inexact["bound_units"] < 329, inexact)
        failed = json.loads(self.run_tool("check", "100 f32", "--recipe", "dit", "--twiddles", "native", "--json").stdout)
        self.assertIn("--recipe dit --twiddles native", failed["failures"][0]["replay"])
        self.refuse("check", "8", "--recipe", "dit", "--twiddles", "none", status=2, says="expected table, on-the-fly")
        self.assertIn("pass 1, move: bit reversal", self.run_tool("explain", "16", "--recipe", "dit").stdout)
        self.refuse("check", "--recipe", "dit", status=2, says="PROBLEM")
        self.refuse("check", "300 * 20", "--recipe", "dit", status=2, says="--recipe")
        self.refuse("plan", "100", "--recipe", "dit", status=2, says="powers of two, got 100")
        self.refuse("plan", "64", "--recipe", "prime-factor", status=2,
                    says="two or more co-prime factors, each a prime power up to 32, got 64")
        self.assertEqual(self.json("check", "60 f32 batch=2", "12x15 f32", "--recipe", "prime-factor")["failures"], [])
        self.assertIn("textbook f32 length=16 level blocks=8", self.run_tool("plan", "16", "--recipe", "level-by-level").stdout)
        emitted = self.run_tool("emit", "16", "--recipe", "multistage", "--twiddles", "native", "--dialect", "opencl")
        self.assertIn("native_cos", emitted.stdout)

    def test_strides_below_zero(self):
        problems = [
            "24 istrides=-1 ioffset=184 batch=3", "24 ostrides=-2 ooffset=368", "37 in-place istrides=-1 ioffset=288",
            "6x10 r2c istrides=-10,-1 ioffset=236", "6x10 c2r ostrides=-10,-1 ooffset=236 batch=2 odist=60",
            "30 dct2 batch=3 idist=-30 ioffset=240 odist=-30 ooffset=240", "12x5x4 axes=1 istrides=-20,-4,1 ioffset=1888",
            "16 planar istrides=-1 ioffset=60", "1000 batch=2 idist=-1000 ioffset=8000", "8x6 r2c in-place ostrides=-4,1 ooffset=224",
            "2048 f64 istrides=-1 ostrides=-1 ioffset=32752 ooffset=32752",
        ]
        for device in ("reference", "cpu"):
            report = self.json("check", *problems, "--device", device)
            self.assertEqual((report["checked"], report["failures"]), (len(problems), []))
        self.assertIn("istrides=-1", self.run_tool("plan", problems[0]).stdout)
        self.refuse("plan", "24 istrides=-1", status=2, says="input.byte_offset: expected at least 184")

    def test_sweeps_of_circular_convolutions(self):
        words = ["check", "--convolutions", "--sweep", 41, 43, "--device", "reference"]
        report = self.json(*words)
        self.assertEqual((report["checked"], report["of"], report["failures"]), (12, 12, []))
        self.assertTrue(all("circular" in one["class"] for one in report["classes"]), report["classes"])
        self.assertEqual(self.json(*words), report)
        self.assertNotEqual(self.json(*words, "--seed", 2)["classes"], report["classes"])
        self.refuse(*words, "--seed", -1, status=2, says="a number of 0 or more, got -1")
        given = ["43 * 1 circular", "37 * 5 circular f64", "24 * 7 circular phase", "30 * 3 circular f16", "3x41 * 1x14 circular f64 storage=f32"]
        report = self.json("check", *given, "--device", "reference")
        self.assertEqual((report["checked"], report["failures"]), (5, []))
        self.refuse("check", "8 * 3", "--sweep", 2, 3, status=2, says="either PROBLEM or --sweep")
        self.refuse("check", "--convolutions", "--sweep", 3, 2, status=2, says="1 <= LO <= HI")

    def test_images(self):
        report = self.json("check", "16x8 image=rg32f", "8x12 r2c iimage=r32f oimage=rg32f", "64 image=rg32f iwidth=16")
        self.assertEqual((report["checked"], report["failures"]), (3, []))
        for recipe in ("stockham-radix-2", "dit"):
            report = self.json("check", "16x8 image=rg32f batch=2", "--recipe", recipe)
            self.assertEqual((report["checked"], report["failures"]), (1, []))
        bench = self.json("bench", "16x8 image=rg32f", "--recipe", "stockham-radix-4")
        self.assertGreater(bench["results"][0]["timings"][0]["median_ms"], 0)
        self.assertGreater(bench["results"][0]["timings"][1]["median_ms"], 0)
        for command in ("check", "bench"):
            answer = self.run_tool(command, "64x64 image=rgba16f")
            self.assertIn("images are made here of r32f and rg32f", answer.stderr + answer.stdout)
            self.assertEqual(answer.returncode, 1)

    def test_random_problems_go_on(self):
        words = ["check", "--count", 10, "--seed", 4, "--resume", "known.txt"]
        first = self.json(*words)
        self.assertEqual((first["checked"], first["of"], len(self.lines())), (10, 10, 10))
        with open(self.path("known.txt"), "a") as file:
            file.write("problem 7 0.5 cut sho")  # by a power failure
        again = self.json(*words)
        self.assertEqual(again["classes"], first["classes"])
        self.assertEqual(len(self.lines()), 11)

    def test_stops_when_the_time_is_up(self):
        report = self.json("check", "--count", 100000, "--points", 64, "--seconds", 0.5, "--resume", "known.txt")
        self.assertTrue(0 < report["checked"] < report["of"], report)
        self.assertEqual(len(self.lines()), report["checked"])
        text = self.run_tool("check", "--count", 100000, "--points", 64, "--seconds", 0.2).stderr
        self.assertIn("the time was up after", text)

    def test_a_sweep_goes_on_from_files_of_old(self):
        with open(self.path("known.txt"), "w") as file:
            file.write("4 f32 0.25 .\n4 f64 0.5 .\n5 f32 0.3 .\n5 f64 0.")
        report = self.json("check", "--sweep", 4, 5, "--resume", "known.txt")
        self.assertEqual(report["checked"], 4)
        self.assertEqual(self.lines()[4].split()[:2], ["5", "f64"])
        self.assertEqual(len(self.lines()), 5)

    def test_double_doubles_are_judged_in_quad(self):
        report = self.json("check", "24 f64x2 batch=3", "16 f64x2 storage=f64", "9 dct2 f64x2")
        self.assertEqual((len(report["classes"]), report["failures"]), (3, []))

    def test_arithmetic_in_half_has_bounds_of_its_own(self):
        report = self.json("check", "24 f16-arithmetic batch=3", "9 dct2 f16-arithmetic", "17 r2c f16-arithmetic")
        self.assertEqual((len(report["classes"]), report["failures"]), (3, []))
        self.assertTrue(all(entry["precision"] == "f16-arithmetic" for entry in report["classes"]))

    def test_convolutions(self):
        report = self.json("check", "--convolutions", "--count", 12, "--seed", 3, "--points", 512)
        self.assertEqual((report["checked"], report["of"], report["failures"]), (12, 12, []))
        self.assertTrue(all(0 < c["worst_units"] <= c["bound_units"] for c in report["classes"]), report)
        given = self.json("check", "300 * 20 same correlate f32", "100 * 7 f64 complex batch=2")
        self.assertEqual([c["class"] for c in given["classes"]], ["1-D complex full", "1-D real same"])
        self.refuse("check", "300 * 20", "64", status=2, says="both")
        self.refuse("check", "300 * 20", "--kinds", "all", status=2, says="--kinds")
        self.refuse("check", "300 * 20 f64x2", status=2, says="expected f32 or f64")
        self.refuse("check", "300 * 301 valid", status=2, says="seiche: convolution.kernel[0]")

    def test_operators(self):
        operators = ["12x10 real f32 batch=3", "15 real f64", "8x6x4 complex f32 input=0-5,1-6,0-4 output=2-8,0-6,1-3",
                     "9x14 analytic f32 scale=0.5", "33 complex f64 batch=2"]
        middle = ["--middle-stage", "let k = k0 * k0; return i0 == 0 ? 0 : value * complex(2.5, k0) / (k + n0) // n0"]
        for device in ("reference", "cpu"):
            report = self.json("check", *operators, *middle, "--device", device)
            self.assertEqual((report["checked"], report["failures"]), (5, []))
        cut = ["14x15x10 real f64 output=0-12,0-7,0-9", "14x15x10 real f32 output=0-12,0-15,1-9 batch=2",
               "12x18x16 real f32 output=0-12,0-18,0-14", "12x18x16 real f32 output=3-9,2-17,2-13 input=0-9,3-18,1-16"]
        report = self.json("check", *cut, "--device", "reference")
        self.assertEqual((report["checked"], report["failures"]), (4, []))
        report = self.json("check", "6x8 real f32 batch=2", "--device", "reference", "--middle-stage",
                           "return value * g[(batch * n0 + i0) * 5 + i1] * (s + k1 / n1);",
                           "--stage-buffer", "g=f32:60", "--stage-scalar", "s=f32")
        self.assertEqual((report["checked"], report["failures"]), (1, []))
        self.assertEqual(self.json("check", "20x4 real f32 storage=f16", "--device", "reference")["failures"], [])
        layers = ["12x10 real f32 kept=-3:3,0:4 channels=3x2 batch=2", "15 real f64 kept=2:5", "21 complex f64 kept=-4:6 channels=2x3",
                  "9x8x6 analytic f32 kept=-4:-1,0:4,-2:3", "16 real f32 channels=2x2"]
        for device in ("reference", "cpu"):
            report = self.json("check", *layers, *middle, "--device", device)
            self.assertEqual((report["checked"], report["failures"]), (5, []))
            self.assertEqual(len({one["class"] for one in report["classes"]}), 5)
        self.refuse("check", "12 real kept=0:9", "--device", "reference", status=2, says="spectral.kept[0]: expected begin below end")
        self.refuse("check", "8", *middle, "--device", "reference", status=2, says="--middle-stage: expected spectral operators")
        self.refuse("check", "8 real", "8", "--device", "reference", status=2, says="--middle-stage: expected spectral operators")
        self.refuse("check", "8 real", "--kinds", "all", "--device", "reference", status=2, says="expected none of")
        self.refuse("check", "8 complex spectrum-first", "--device", "reference", status=2,
                    says="expected points-first, got spectrum-first")
        self.refuse("check", "8 real real", "--device", "reference", status=2, says="expected numbers once")
        self.refuse("plan", "8", *middle, "--profile", "h200", status=2, says="--middle-stage: expected a spectral operator")
        saved = self.path("saved.plan")
        plan = ["plan", "16x12 real f32", *middle, "--device", "reference"]
        made = self.json(*plan, "--save", saved)
        self.assertIn("(spectral", made["recipe"])
        self.assertEqual(self.json("plan", "--load", saved, "--device", "reference")["kernels"], made["kernels"])
        self.refuse(*plan, "--wisdom", self.path("w"), status=2, says="got a spectral operator")

    def test_short_time_transforms(self):
        transforms = ["700 frames=64/16 batch=2", "333 frames=45/10 f64 padding=reflect frequencies-first window=hamming",
                      "500 frames=30/40 padding=none power", "500 frames=32/8 decibels",
                      "700 frames=64/16 inverse batch=2 padding=reflect", "333 frames=45/10 inverse f64 frequencies-first"]
        for device in ("reference", "cpu"):
            report = self.json("check", *transforms, "--device", device)
            self.assertEqual((report["checked"], report["failures"]), (6, []))
        refuse = ["--device", "reference"]
        self.refuse("check", transforms[0], "8 real", *refuse, status=2, says="short-time transforms such as")
        self.refuse("check", transforms[0], "--kinds", "all", *refuse, status=2, says="short-time transforms: expected none of")
        self.refuse("check", transforms[0], "--list", *refuse, status=2, says="--list: expected transforms, got short-time transforms")
        self.refuse("check", "700 frames=64/65 inverse", *refuse, status=2, says="short_time.hop: expected at most the window's 64")
        self.refuse("plan", transforms[0], "--load-stage", "return value;", "--profile", "h200", status=2, says="expected no stages")
        saved = self.path("saved.plan")
        made = self.json("plan", transforms[4], *refuse, "--save", saved)
        again = self.json("plan", "--load", saved, *refuse)
        self.assertEqual((again["kernels"], again["compiled"]), (made["kernels"], 0))
        self.assertEqual(again["problem"], "700 frames=64/16 window=hann inverse f32 batch=2 padding=reflect")

    def test_counts_are_bounded(self):
        for option, most in [("--count", 1000000), ("--jobs", 4096), ("--processes", 4096), ("--points", 2**40)]:
            for value in ["-1", str(2**62), "many"]:
                said = self.refuse("check", f"{option}={value}", "--device", "reference", status=2,
                                   says=f"{option}: expected a whole number from ")
                self.assertIn(f" to {most}, got '{value}'", said)
        # Suffixes are expanded before bounds are looked at.
        for given, meant in [("2000G", "2000000000000"), ("2048Gi", "2199023255552"), ("0.0001k", "0.1")]:
            self.refuse("check", f"--points={given}", "--device", "reference", status=2,
                        says=f"--points: expected a whole number from 1 to {2**40}, got '{meant}'")
        report = self.json("check", "--count", "0.002k", "--points", "0.25Ki", "--device", "reference")
        self.assertEqual((report["checked"], report["of"]), (2, 2))
        self.assertEqual(self.json("check", "--sweep", "0.001k", "0.002k", "--device", "reference")["of"], 4)
        self.refuse("check", "--sweep", "2k", "1k", "--device", "reference", status=2,
                    says="--sweep: expected LO HI with 1 <= LO <= HI, got 2000 1000")
        self.refuse("check", "--sweep", "1", "2000000", "--device", "reference", status=2,
                    says="--sweep: expected at most 1000000 lengths, got 2000000")
        self.refuse("bench", "64", "--repeat=-1", status=2, says="--repeat: expected a whole number from 1 to 100000")

    def test_refuses_what_makes_no_sense(self):
        self.refuse("check", "--kinds", "dct9", status=2, says="dct9")
        self.refuse("check", "8", "--kinds", "all", status=2, says="--kinds")
        self.refuse("check", "8", "--sweep", 1, 2, status=2, says="not both")
        self.refuse("check", "8", "--resume", "f", status=2, says="--resume")
        self.refuse("check", "--sweep", 3, 2, status=2, says="LO")
        self.refuse("check", "--jobs", 2, "--processes", 2, status=2, says="not both")


if __name__ == "__main__":
    tool.main()

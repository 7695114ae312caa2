"""`seiche bench` of workflows: every kind on the interpreter, what is kept, and what is refused."""

import tool


class Workflows(tool.ToolTest):
    def test_bench_times_workflows(self):
        results = self.path("workflows.json")
        bench = ["bench", "--suite", "workflows-small", "--device", "reference", "--repeat", "1", "--resume", results]
        report = self.json(*bench, "--vs", "cufft")["results"]
        self.assertEqual(len({one["problem"].split()[0] for one in report}), 12)
        for one in report:
            self.assertLess(one["units"], one["bound_units"])
            self.assertGreater(one["units"], 0)
            self.assertEqual([row["name"] for row in one["timings"]], ["seiche", "copy"])
            self.assertIn("cufft: ", one["not_timed"][0])
        self.assertEqual([one["measured"] for one in self.json(*bench, "--vs", "cufft")["results"]],
                         [one["measured"] for one in report])
        (one,) = self.json("bench", "matched-filter 3x35", "--device", "cpu", "--repeat", "1")["results"]
        self.assertEqual((one["problem"], one["tuning"]), ("matched-filter 3x35", ""))
        for text, says in (("poisson 8x8", "poisson: expected lengths such as 256x256x256"),
                           ("stft-power 2x500 63x16", "frames of an even length"), ("matched-filter 3x35x", "4096x8192")):
            self.refuse("bench", text, "--device", "reference", "--repeat", "1", status=2, says=says)
        self.refuse("bench", "istft 2x500 63x16", "--device", "reference", status=2, says="frames of an even length")
        self.refuse("bench", "poisson 8x8x8", "--movement", status=2, says="--movement: expected transforms, got the workflow")
        self.refuse("tune", "--suite", "workflows-small", "-o", self.path("w"), "--device", "cpu", status=2, says="workflows")

    def test_bench_times_operators_and_short_time_transforms_by_their_texts(self):
        texts = ["12x10 real f32 batch=3 kept=-3:3,0:4 channels=3x2", "33 complex f64 batch=2",
                 "500 frames=64/16 window=hann inverse f32 batch=2", "400 frames=45/10 window=hann f64 decibels"]
        for device in ("reference", "cpu"):
            report = self.json("bench", *texts, "--device", device, "--repeat", "1")["results"]
            self.assertEqual([one["problem"] for one in report], texts)
            for one in report:
                self.assertLess(one["units"], one["bound_units"])
                self.assertGreater(one["timings"][0]["median_ms"], 0)
        stage = ["--middle-stage", "return value * w[batch] / (s * s + k0 * k0 + 1);", "--stage-buffer", "w=f32:3", "--stage-scalar", "s=f32"]
        (one,) = self.json("bench", "12x10 real f32 batch=3", *stage, "--device", "reference", "--repeat", "1")["results"]
        self.assertLess(one["units"], one["bound_units"])
        kept = ["bench", texts[2], "--device", "reference", "--repeat", "1", "--resume", self.path("kept.json")]
        self.assertEqual(self.json(*kept)["results"][0]["measured"], self.json(*kept)["results"][0]["measured"])
        refuse = ["--device", "reference", "--repeat", "1"]
        for words, says in ((["12 real kept=0:9"], "spectral.kept[0]"), (["12 real storage=f16"], "without storage="),
                            (["500 frames=64/65 inverse"], "short_time.hop"), (["12 real", "--movement"], "got '12 real'"),
                            (["8", *stage], "--middle-stage: expected spectral operators"),
                            (["8 real", *stage, "--resume", self.path("r")], "without stages")):
            self.refuse("bench", *words, *refuse, status=2, says=says)


if __name__ == "__main__":
    tool.main()

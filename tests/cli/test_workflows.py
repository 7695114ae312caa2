"""`seiche bench` of workflows: every kind on the interpreter, what is kept, and what is refused."""

import tool


class Workflows(tool.ToolTest):
    def test_bench_times_workflows(self):
        results = self.path("workflows.json")
        bench = ["bench", "--suite", "workflows-small", "--device", "reference", "--repeat", "1", "--resume", results]
        report = self.json(*bench, "--vs", "cufft")["results"]
        self.assertEqual(len({one["problem"].split()[0] for one in report}), 10)
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
        self.refuse("bench", "poisson 8x8x8", "--movement", status=2, says="--movement: expected transforms, got the workflow")
        self.refuse("tune", "--suite", "workflows-small", "-o", self.path("w"), "--device", "cpu", status=2, says="workflows")


if __name__ == "__main__":
    tool.main()

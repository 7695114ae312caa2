"""Tables of measurements: what `seiche tune --export` writes, and what plans do with the files of SEICHE_TABLES."""

import os
import re

import tool


class Tables(tool.ToolTest):
    def setUp(self):
        super().setUp()
        self.wisdom, self.table = self.path("wisdom.txt"), self.path("table.txt")
        device = [d for d in self.json("devices") if d["name"] == "reference"][0]
        with open(self.wisdom, "w") as file:
            file.write("Seiche wisdom 1\n\ndevice " + device["description"] + "\nversion " +
                       self.succeed("--version").stdout.split()[1] + "\n"
                       "64 c2c f32 batch=16 | radices=4x16 | 1 ms, untuned 2 ms\n"
                       "64x50 c2c f32 axes=0 | radices=2x32 threads=4 | 1 ms, untuned 2 ms\n"
                       "96 dct2 f32 | radices=6x8 | 1 ms, untuned 2 ms\n"
                       "80 c2c f32 | untuned | 1 ms, untuned 1 ms\n")

    def export(self, *problems):
        return self.json("tune", "-o", self.wisdom, "--export", self.table, *problems)

    def radices(self, problem, **more):
        plan = self.json("plan", problem, **more)
        return [re.search(r"radices=(\S+)", kernel["spec"]).group(1) for kernel in plan["kernels"]]

    def test_what_was_tuned_serves_inside_larger_problems(self):
        self.assertEqual(self.export("64 f32 batch=16")["known"], 1)
        with open(self.table) as file:
            lines = file.read().splitlines()
        self.assertEqual(lines[0], "Seiche table 1")
        self.assertRegex(lines[1], r"^card architecture=interpreter units=\d+$")
        self.assertRegex(lines[2], r"^core rows f32 64 \| radices=4x16 threads=\d+ transforms-per-group=\d+ \| .+ "
                                   r"20\d\d-\d\d-\d\d Seiche \d+\.\d+\.\d+$")
        self.assertRegex(lines[3], r"^core columns f32 64 \| radices=2x32 threads=4 transforms-per-group=\d+ \| ")
        self.assertEqual(len(lines), 4)  # nothing of what a table has no rows for
        plane, env = "4096x64 f32", {"SEICHE_TABLES": self.table}
        before, after = self.radices(plane), self.radices(plane, env=env)
        self.assertNotIn("4x16", before)
        self.assertIn("4x16", after)
        self.assertEqual([one for one in after if one != "4x16"], [one for one in before if one == "16x16x16"])
        plane = "64x4096 f32"
        self.assertIn("2x32", self.radices(plane, env=env))
        self.assertNotIn("2x32", self.radices(plane))
        self.assertEqual(self.json("plan", "128 f32", env=env), self.json("plan", "128 f32"))  # no row
        report = self.json("check", "64x64 f32", "--seed", "1", env=env)  # and the answers are right
        self.assertEqual(report["failures"], [])

    def test_wisdom_serves_without_a_table(self):
        wisdom = self.json("plan", "4096x64 f32", "--wisdom", self.wisdom)
        self.assertTrue(any("radices=4x16 " in kernel["spec"] for kernel in wisdom["kernels"]), wisdom["kernels"])
        self.export("64 f32 batch=16")
        self.assertEqual(wisdom, self.json("plan", "4096x64 f32", env={"SEICHE_TABLES": self.table}))

    def test_tables_are_for_their_cards(self):
        self.export("64 f32 batch=16")
        with open(self.table) as file:
            text = file.read()
        other = self.path("other.txt")
        with open(other, "w") as file:
            file.write(re.sub("architecture=\\S+", "architecture=sm_90", text))
        self.assertNotEqual(self.radices("64 f32", env={"SEICHE_TABLES": other})[0], "4x16")
        both = os.pathsep.join([other, "", self.table])
        self.assertEqual(self.radices("64 f32", env={"SEICHE_TABLES": both})[0], "4x16")
        with open(other, "w") as file:
            file.write("Seiche table 1\ncard architecture=gfx90a\ncore rows f32 64 | radices=2x32 threads=16 | a guess\n")
        plan = self.json("plan", "64 f32 batch=999", "--profile", "mi250", env={"SEICHE_TABLES": other})
        self.assertIn("radices=2x32x1 threads=16 ", plan["kernels"][0]["spec"])

    def test_bad_tables_are_refused(self):
        bad = self.path("bad.txt")
        for text, says in ((b"", "table: expected 'Seiche table 1', got nothing"),
                           (b"Seiche table 9\n", "table, line 1: expected 'Seiche table 1', got 'Seiche table 9'"),
                           (b"Seiche table 1\ncard architecture=*\ncore rows f32 64 | radices=8x4 threads=8 | me\n",
                            "table, line 3: expected radices= with at most 8 lengths whose product is 64, got '8x4'")):
            with open(bad, "wb") as file:
                file.write(text)
            said = self.refuse("plan", "64", status=2, env={"SEICHE_TABLES": bad}, says="SEICHE_TABLES: '" + bad + "': ")
            self.assertIn(says, said)
        self.refuse("plan", "64", status=2, env={"SEICHE_TABLES": "missing.txt"},
                    says="SEICHE_TABLES: 'missing.txt': expected a file")
        self.refuse("plan", "64", status=2, env={"SEICHE_TABLES": os.pathsep.join([self.wisdom] * 2)},
                    says="got 'Seiche wisdom 1'")

    def test_nothing_to_export(self):
        with open(self.wisdom) as file:
            lines = file.read().splitlines()
        with open(self.wisdom, "w") as file:
            file.write("\n".join(line for line in lines if "64" not in line) + "\n")
        self.refuse("tune", "-o", self.wisdom, "--export", self.table, "80 f32", says="--export: expected a batch of rows")


if __name__ == "__main__":
    tool.main()

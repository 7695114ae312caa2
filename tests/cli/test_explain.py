"""`seiche explain`: values followed through the stages of a plan, bytes by level of memory, and pictures that a person can read."""

import cmath
import math
import re
import xml.etree.ElementTree

import tool

SVG = "{http://www.w3.org/2000/svg}"
RADIX_2 = ["--profile", "h200", "--radices", "2x2x2"]


def labels(picture):
    """The texts of a picture and the boxes that they cover, in a font as wide as DejaVu Sans is on average."""
    for text in picture.iter(SVG + "text"):
        size = float(text.get("font-size"))
        width = len(text.text) * size * (0.66 if text.get("font-weight") else 0.56)
        left = float(text.get("x")) - width * {"start": 0, "middle": 0.5, "end": 1}[text.get("text-anchor")]
        base = float(text.get("y"))
        yield text.text, (left, base - 0.72 * size, left + width, base)


def overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


class Explain(tool.ToolTest):
    def explain(self, *arguments):
        return self.succeed("explain", *arguments).stdout

    def results(self, text):
        return dict(re.findall(r"^  X\[(\d+)\] +=  ?(\S+)$", text, re.MULTILINE))

    def test_the_cosine_of_the_worked_example(self):
        """Mota 2022, section 2.2: 0, 4, 0, 0, 0, 0, 0, 4, whatever the stages are."""
        expected = {str(k): "4" if k in (1, 7) else "0" for k in range(8)}
        half = repr(math.sqrt(0.5))
        numbers = f"1,{half},0,-{half},-1,-{half},0,{half}"
        for options in (RADIX_2, ["--profile", "h200"], ["--profile", "pocl"], ["--profile", "h200", "--passes", "2x4"]):
            for values in ("cosine", numbers):
                with self.subTest(options=options, values=values):
                    self.assertEqual(self.results(self.explain("8", *options, "--input", values)), expected)

    def test_values_after_each_stage(self):
        """The first stage adds and subtracts points half a length apart, by hand."""
        text = self.explain("8", *RADIX_2, "--input", "1,2,3,4,5,6,7,8i")
        rows = re.search(r"stage 3\n((?:  \d.*\n){8})", text).group(1).splitlines()
        after_first = [row.split()[2] for row in rows]
        self.assertEqual(after_first, ["6", "-4", "8", "-4", "10", "-4", "4+8i", "4-8i"])
        x = [1, 2, 3, 4, 5, 6, 7, 8j]
        for k, value in self.results(text).items():
            exact = sum(x[j] * cmath.exp(-2j * math.pi * j * int(k) / 8) for j in range(8))
            self.assertAlmostEqual(abs(complex(value.replace("i", "j")) - exact), 0, delta=1e-2)  # four digits of up to 23

    def test_the_graph_is_the_plan(self):
        text = self.explain("8", *RADIX_2)
        self.assertIn("(stockham 8 2 2 2)", text)
        self.assertEqual(len(re.findall(r"^  pass 1, stage \d: 4 butterflies of radix 2", text, re.MULTILINE)), 3)
        self.assertIn("3 7 -> 3 7  times 1 w8^3", text)
        self.assertEqual(len(re.findall("butterflies of radix", self.explain("64", "--profile", "h200", "--radices", "8x8"))), 4)
        self.assertRegex(text, r"checked: an input of random numbers, .* within \d(\.\d)?e-08")
        report = self.json("plan", "1000000", "--profile", "h200")
        long = self.explain("1000000", "--profile", "h200")
        self.assertIn(f"pass 1 of {len(report['kernels']) // 2}", long)
        self.assertIn("of 1000000 lines is not readable, at most 64", long)
        self.assertLess(len(long.splitlines()), 60)

    def test_published_algorithms(self):
        """Decimation in frequency by hand: 4 butterflies a stage, twiddles on differences, the bit reversal last."""
        text = self.explain("8", "--profile", "h200", "--recipe", "dif", "--input", "cosine")
        self.assertEqual(self.results(text), {str(k): "4" if k in (1, 7) else "0" for k in range(8)})
        self.assertIn("pass 4 of 4", text)
        self.assertRegex(text, r"3 7 -> 3 7 +results times 1 w8\^3")
        self.assertRegex(text.split("pass 4, move: bit reversal")[1], r"4 -> 1\n")
        for name in ("dit", "stockham-radix-4", "split-radix", "locality", "multistage", "level-by-level", "direct"):
            with self.subTest(recipe=name):
                text = self.explain("16", "--profile", "h200", "--recipe", name, "--input", "cosine")
                self.assertEqual({k for k, value in self.results(text).items() if value != "0"}, {"1", "15"})
        # 15 = 3 x 5: the places of docs/explanation/textbook-recipes.md, and no factors.
        text = self.explain("15", "--profile", "h200", "--recipe", "prime-factor", "--input", "cosine")
        self.assertEqual({k for k, value in self.results(text).items() if value != "0"}, {"1", "14"})
        for nodes in ("6 11 1 -> 6 1 11", "5 8 11 14 2 -> 5 11 2 8 14"):
            self.assertRegex(text, rf"(?m)^    {nodes}$")

    def test_real_kinds(self):
        """Real signals go in as numbers; bins k and m - k of the core meet, and the results are those of the definition."""
        for options in (["--profile", "h200"], ["--profile", "pocl"]):
            text = self.explain("8 r2c", *options, "--input", "cosine")
            self.assertEqual(self.results(text), {str(k): "4" if k == 1 else "0" for k in range(5)})
            self.assertIn("map        r2c of n = 8 comes from m = 4 points: values k and m - k, bins k and m - k", text)
            self.assertRegex(text, r"(?m)^    1 3 -> 1 3$")
        x = [1, -2, 0.5, 3, 0, 7, -1, 2]
        exact = [sum(2 * x[j] * math.cos(math.pi * k * (2 * j + 1) / 16) for j in range(8)) for k in range(8)]
        found = self.results(self.explain("8 dct2", "--profile", "h200", "--input", ",".join(map(str, x))))
        for k, value in found.items():
            self.assertAlmostEqual(float(value), exact[int(k)], delta=1e-2)
        self.assertEqual(len(found), 8)
        # Several kernels, by passes and by axes: the graph goes through all of them.
        for problem, options in (("128 r2c", ["--passes", "8x8", "--lines", "128"]), ("4x6 r2c", ["--separate-passes"]),
                                 ("4x4 dct4", ["--separate-passes"]),
                                 ("128 dct3", ["--passes", "8x8", "--lines", "128"])):
            with self.subTest(problem=problem):
                text = self.explain(problem, "--profile", "h200", *options)
                self.assertIn("pass 2 of ", text)
                self.assertRegex(text, r"checked: an input of random numbers, .* within [\d.]+e-0[78]")
        for problem in ("4x4 dct4", "3x4x2 dct3,dst1,dht orthonormal", "5x3 dct2 inverse-scale=1/n"):
            with self.subTest(problem=problem):
                text = self.explain(problem, "--profile", "h200")
                self.assertIn("pass 1 of 1", text)
                self.assertRegex(text, r"checked: an input of random numbers, .* within [\d.]+e-(0[789]|1\d)")
        self.assertRegex(self.explain("4x6 r2c", "--profile", "h200", "--input", "impulse"), r"(?m)^  X\[3,3\] += 1$")
        long = self.explain("4194304 dct2", "--profile", "h200")
        self.assertIn("map        dct2 of n = 4194304 becomes m = 2097152 points: the even numbers, then the odd ones", long)
        self.assertIn("numbers k, m - k, m + k and n - k, bins k and m - k", long)

    def test_pruned_arrays(self):
        """Half of the input is zeros: it is not read, its lines are not there, and the result is the transform all the same."""
        text = self.explain("8 signal-zeros=0:4-8", *RADIX_2, "--input", "1,2,3,4")
        self.assertIn("padded with zeros to 8 points; of the axis 0 to 3 are there", text)
        exact = [sum((j + 1) * cmath.exp(-2j * math.pi * j * k / 8) for j in range(4)) for k in range(8)]
        found = self.results(text)
        self.assertEqual(len(found), 8)
        for k, value in found.items():
            self.assertAlmostEqual(abs(complex(value.replace("i", "j")) - exact[int(k)]), 0, delta=1e-2)
        found = self.results(self.explain("8 spectrum-zeros=0:1-7", *RADIX_2, "--input", "cosine"))
        self.assertEqual(found, {"0": "0", "7": "4"})
        self.assertIn("of the axis 0 to 1023 are there", self.explain("4096 signal-zeros=0:1024-4096", "--profile", "h200"))

    def test_stages_of_the_users(self):
        text = self.explain("8", *RADIX_2, "--load-stage", "return value * w[i0]", "--store-stage", "return conj(value)",
                            "--stage-buffer", "w=f32:8")
        self.assertLess(text.index("yours      the user's stage: return value * w [ i0 ]"), text.index("stage 1 "))
        self.assertGreater(text.index("yours      the user's stage: return conj ( value )"), text.index("stage 3 "))
        self.assertIn("both without the user's stages, within", text)
        self.refuse("explain", "8", *RADIX_2, "--load-stage", "nonsense", status=2, says="forward_load")

    def test_the_matrix(self):
        rows = self.explain("5", "--profile", "h200").split("k\\j")[1].splitlines()[1:6]
        self.assertEqual([[int(e) for e in row.split()] for row in rows],
                         [[k] + [j * k % 5 for j in range(5)] for k in range(5)])
        self.assertIn("of 17 rows it is left out, at most 16", self.explain("17", "--profile", "h200"))

    def test_bytes_by_level(self):
        text = self.explain("1024 f64 batch=4", "--profile", "h200")
        self.assertRegex(text, r"global memory +64 KiB read +64 KiB written")
        self.assertRegex(text, r"shared memory +128 KiB read +128 KiB written")
        self.assertIn("4 sequences of 1024 points", text)
        self.assertNotIn("shared memory", self.explain("1024", "--profile", "pocl"))

    def test_pictures_are_legible(self):
        cases = [("8", *RADIX_2, "--input", "cosine"), ("64", "--profile", "h200"), ("37", "--profile", "h200"),
                 ("16", "--profile", "h200", "--passes", "4x4", "--input", "ramp"), ("65536", "--profile", "h200"),
                 ("4x4", "--profile", "pocl"), ("12 r2c", "--profile", "h200"), ("1000", "--profile", "h200"),
                 ("8", "--profile", "h200", "--recipe", "dif", "--input", "cosine"),
                 ("16", "--profile", "h200", "--recipe", "split-radix"), ("11", "--profile", "h200"), ("16 dct2", "--profile", "h200"),
                 ("16 r2c", "--profile", "h200", "--input", "cosine"), ("4x6 c2r", "--profile", "pocl"),
                 ("32 dct3", "--profile", "h200", "--passes", "4x4"), ("8 dct2 f64", "--profile", "pocl", "--input", "ramp"),
                 ("16 signal-zeros=0:4-16", "--profile", "h200"), ("8 r2c", "--profile", "h200", "--load-stage", "return 2 * value")]
        for case in cases:
            with self.subTest(case=case):
                self.explain(*case, "-o", "a.svg")
                picture = xml.etree.ElementTree.parse(self.path("a.svg")).getroot()
                width, height = float(picture.get("width")), float(picture.get("height"))
                found = list(labels(picture))
                self.assertEqual(found[0][0].split()[0], case[0].split()[0])
                for i, (text, box) in enumerate(found):
                    self.assertTrue(box[0] >= 0 and box[1] >= 0 and box[2] <= width and box[3] <= height, (text, box))
                    for other, its in found[:i]:
                        self.assertFalse(overlap(box, its), (text, other, box, its))
        background = picture.find(SVG + "rect")
        self.assertEqual((background.get("fill"), background.get("width")), ("#ffffff", picture.get("width")))

    def test_a_picture_has_every_line_of_the_graph(self):
        self.explain("8", *RADIX_2, "-o", "a.svg")
        picture = xml.etree.ElementTree.parse(self.path("a.svg")).getroot()
        texts = [text for text, _ in labels(picture)]
        self.assertEqual([t for t in texts if re.fullmatch(r"X\[\d\]", t)], [f"X[{k}]" for k in range(8)])
        self.assertEqual(texts.count("ω₈³"), 1)
        self.assertEqual(len(list(picture.iter(SVG + "circle"))), 4 * 8)

    def test_a_png(self):
        self.explain("8", *RADIX_2, "-o", "a.png")
        with open(self.path("a.png"), "rb") as file:
            self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")

    def test_refusals(self):
        at = ["--profile", "h200"]
        self.refuse("explain", status=2)
        self.refuse("explain", "0", *at, status=2, says="lengths[0]: expected at least 1")
        self.refuse("explain", "8 * 3", *at, status=2, says="convolution")
        self.refuse("explain", "8", *at, "-o", "a.gif", status=2, says="*.svg or *.png")
        self.refuse("explain", "8", *at, "--input", "1,2", status=2, says="expected 8 of them, got 2")
        for bad in ("1,,2", "1,2x", "i2", "1+2", "nan,1", "1e999,1", "sine", "1+2i+3i", "2 3"):
            self.refuse("explain", "2", *at, "--input", bad, status=2, says="--input")
        self.refuse("explain", "128", *at, "--input", "cosine", status=2, says="of 128 lines")
        self.refuse("explain", "8", *at, "--lines", "1025", status=2, says="from 1 to 1024, got '1025'")
        self.refuse("explain", "8 r2c", *at, "--input", "1,2,3,4i,5,6,7,8", status=2, says="expected real numbers for r2c")
        self.refuse("explain", "8 r2c", *at, "--input", "1,2,3", status=2, says="expected 8 numbers, got 3")
        self.refuse("explain", "8 dct2", *at, "--input", "1,2,3", status=2, says="expected 8 of them, got 3")
        self.refuse("explain", "8", *at, "--radices", "3x3", status=2, says="tuning.radices")


if __name__ == "__main__":
    tool.main()

"""`seiche study`: the five texts' protocols on short lengths, the report as a page, and what is refused."""

import json
import os
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

import tool

TEXTS = ["mota2022", "romero2007", "amd2011", "vkfft2022", "wang"]
# Table 2 of mota2022 and Table 3 of wang, as the texts print them.
PRINTED = """
5.16593 17.2782 70.5689 293.104 1246.44 0.169113 0.37668 0.86415 1.8793 4.47742
0.159458 0.378722 0.881921 1.90661 4.13369 0.210895 0.485643 1.4421 2.32922 5.1178
105.27 421.39 1681.68 6745.41 1.14 2.50 5.42 11.67 0.32 0.35 0.38 0.42
""".split()


# The interpreter compiles nothing; a driver's compiler takes its time for every launch of a recipe.
LENGTH = "8" if os.environ.get("SEICHE_DEVICE") == "reference" else "4"


def study_path():
    return os.environ.get("SEICHE_STUDY") or os.path.join(os.path.dirname(tool.TOOL), "seiche-study")


@unittest.skipUnless(os.path.exists(study_path()), "seiche-study is not built")
class Study(tool.ToolTest):
    def study(self, *arguments):
        return self.succeed("study", *arguments, "--quick", "--lengths", LENGTH)

    def test_all_texts_make_a_page(self):
        """Also what `./dev test` runs on PoCL."""
        result = self.study("all", "-o", "report.html")
        for text in TEXTS:
            self.assertIn(f"seiche: {text} took", result.stderr)
        with open(self.path("report.html"), encoding="utf-8") as file:
            page = file.read()
        for text in TEXTS:
            self.assertIn(f'<section id="{text}">', page)
        for digits in PRINTED:
            self.assertIn(f'<td class="printed">{digits}</td>', page)
            self.assertIn(digits, result.stdout)
        self.assertEqual(page.count('class="printed"'), len(PRINTED))  # nothing else passes for printed
        self.assertNotIn('class="wrong"', page)
        for lacking in ("figure 8", "figures 13 and 14", "plots are not in our copy", "data of those figures"):
            self.assertIn(lacking, page)
        self.well_formed(page)
        self.in_a_browser()

    def well_formed(self, page):
        pictures = re.findall(r"<svg .*?</svg>", page, re.DOTALL)
        self.assertGreater(len(pictures), 5)
        for picture in pictures:
            root = ElementTree.fromstring(picture)
            self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
            width = float(root.get("viewBox").split()[2])
            for shape in root.iter("{http://www.w3.org/2000/svg}rect"):
                self.assertLessEqual(float(shape.get("x")) + float(shape.get("width")), width)
        body = re.sub(r"<meta [^>]*>|<br>", "", page.split("\n", 1)[1])  # the rest of the page is XML, too
        ElementTree.fromstring(body)
        self.assertNotRegex(page.replace("http://www.w3.org/2000/svg", ""), r"https?:|\bsrc=|url\(|<script|<link")

    def in_a_browser(self):
        """A real browser lays the page out; without one this is left out."""
        browser = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)
        if browser is None:
            print("no browser here: the page was parsed only", flush=True)
            return
        picture = self.path("page.png")
        result = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                                 f"--user-data-dir={self.path('profile')}", "--window-size=1100,1600",
                                 f"--screenshot={picture}", "file://" + self.path("report.html")],
                                capture_output=True, timeout=120)
        self.assertTrue(os.path.exists(picture), result.stderr[-500:])
        self.assertGreater(os.path.getsize(picture), 20000)  # an empty page takes 6 kB

    def test_all_texts_on_other_devices(self):
        """Vulkan and OpenGL, where there are any: on lavapipe and llvmpipe."""
        found = {device["backend"] for device in self.json("devices") if device["available"]}
        for device in ("vulkan", "opengl"):
            if device not in found:
                continue
            with self.subTest(device=device):
                result = self.run_tool("study", "all", "--quick", "--lengths", "4", "--device", device, "-o", "other.html")
                self.assertEqual(result.returncode, 0, result.stderr)
                with open(self.path("other.html"), encoding="utf-8") as file:
                    page = file.read()
                for text in TEXTS:
                    self.assertIn(f'<section id="{text}">', page)
                self.assertIn("4\u00b2, images", page)

    def test_across_languages(self):
        """mota2022's radices in GLSL beside the same on the report's device."""
        glsl = self.run_tool("study", "mota2022", "--quick", "--lengths", "4", "--device", "reference", "--opengl", "opengl", "--json")
        if glsl.returncode != 0:
            self.assertIn("opengl", glsl.stderr)  # there is none
        else:
            blocks = json.loads(glsl.stdout)["texts"][0]["blocks"]
            table = next(block for block in blocks if block.get("table", "").startswith("2-D transforms across"))
            self.assertEqual(table["columns"], ["size", "radix 2, GLSL", "radix 4, GLSL", "radix 2, reference",
                                                "radix 4, reference", "Seiche", "Seiche is"])
            for cell in table["rows"][0][1:]:
                self.assertGreater(cell["value"], 0)
        self.refuse("study", "mota2022", "--opengl", "reference", status=2, says="--opengl: expected a device opengl:..., got 'reference'")

    def test_roots_that_were_asked_for(self):
        """A recurrence is exact in no step but the first ones: its errors are larger, and its table says so."""
        errors = {}
        for twiddles in ("table", "recurrence"):
            result = self.run_tool("study", "mota2022", "--quick", "--lengths", "32", "--device", "reference", "--twiddles", twiddles,
                                   "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            blocks = json.loads(result.stdout)["texts"][0]["blocks"]
            table = next(block for block in blocks if block.get("table", "").startswith("The errors of the recipes"))
            self.assertIn(twiddles, table["table"])
            errors[twiddles] = table["rows"][0][table["columns"].index("stockham-radix-2")]["value"]
        self.assertGreater(errors["recurrence"], 1.5 * errors["table"])
        self.refuse("study", "--twiddles", "fast", status=2,
                    says="expected table, on-the-fly, native or recurrence, got 'fast'")

    def test_json(self):
        found = json.loads(self.study("wang", "--json").stdout)
        self.assertEqual([text["text"] for text in found["texts"]], ["wang"])
        self.assertTrue(found["quick"])
        table = next(block for block in found["texts"][0]["blocks"] if block.get("table", "").startswith("On the device"))
        self.assertEqual(table["columns"][-2:], ["Seiche", "Seiche is"])
        row = table["rows"][0]
        self.assertEqual(row[0]["text"], LENGTH)
        for cell in row[1:-1]:
            self.assertGreater(cell["value"], 0)
        others = min(cell["value"] for cell in row[1:-2])
        self.assertAlmostEqual(row[-1]["value"], others / row[-2]["value"], delta=1e-6 * row[-1]["value"])

    def test_chart(self):
        """A picture with a line for each algorithm, whose figures are those of the tables."""
        result = self.study("wang", "vkfft2022", "--json", "--chart", "chart.svg")
        self.assertIn("wrote chart.svg", result.stderr)
        blocks = json.loads(result.stdout)["texts"][-1]["blocks"]  # wang's
        table = next(block for block in blocks if block.get("table", "").startswith("On the device"))
        root = ElementTree.parse(self.path("chart.svg")).getroot()
        words = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
        self.assertIn("wang", words)
        self.assertNotIn("vkfft2022", words)  # a library has no algorithm to be ahead of
        columns, row = table["columns"], table["rows"][0]
        for name in ("brute force", "level by level"):
            ratio = row[columns.index(name)]["value"] / row[columns.index("Seiche")]["value"]
            shown = float(words[words.index(name) + 1].rstrip("\u00d7"))
            self.assertAlmostEqual(shown, ratio, delta=0.006 * ratio)

    def test_pairs_of_images(self):
        """Where the device has some a row of them is below that of buffers."""
        for device, has_images in (("reference", True), ("opencl", False)):
            result = self.run_tool("study", "mota2022", "--quick", "--lengths", "4", "--device", device, "--json")
            if result.returncode != 0 and device == "opencl":
                continue  # there is none
            blocks = json.loads(result.stdout)["texts"][0]["blocks"]
            table = next(block for block in blocks if block.get("table", "").startswith("2-D transforms"))
            self.assertEqual([row[0]["text"] for row in table["rows"]], ["4\u00b2"] + ["4\u00b2, images"] * has_images)
            for row in table["rows"]:
                for cell in row[1:-1]:
                    self.assertGreater(cell["value"], 0)
            self.assertEqual(any("offers no images" in block.get("paragraph", "") for block in blocks), not has_images)

    def test_what_is_refused(self):
        self.refuse("study", "moto2022", status=2, says="TEXT: expected one of mota2022, romero2007, amd2011, vkfft2022, wang, all; got 'moto2022'")
        self.refuse("study", "--lengths", "24", status=2, says="--lengths: expected powers of two from 4 on, got 24")
        self.refuse("study", "wang", "--device", "nowhere", status=2, says="nowhere")
        self.refuse("study", "--chart", "chart.png", status=2, says="--chart: expected a name that ends in .svg, got 'chart.png'")
        self.refuse("study", "vkfft2022", "--chart", "c.svg", status=2,
                    says="--chart: expected a text with algorithms to compare, got vkfft2022 alone, which describes a library")

    def test_without_the_program(self):
        alone = shutil.copy(tool.TOOL, self.path("seiche"))
        environment = {key: value for key, value in os.environ.items() if key != "SEICHE_STUDY"}
        result = subprocess.run([alone, "study"], capture_output=True, text=True, env=environment, timeout=60)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr.count("\n"), 1)
        self.assertIn("there is no seiche-study beside this program", result.stderr)
        environment["SEICHE_STUDY"] = study_path()
        result = subprocess.run([alone, "study", "--help"], capture_output=True, text=True, env=environment, timeout=60)
        self.assertEqual(result.returncode, 0)
        self.assertIn("seiche study [OPTIONS] [TEXT...]", result.stdout)

    def test_help_lists_it(self):
        self.assertIn("study ", self.succeed("--help").stdout)


if __name__ == "__main__":
    tool.main()

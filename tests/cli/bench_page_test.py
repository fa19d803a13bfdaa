#!/usr/bin/env python3
"""The page of bench in a headless browser: nothing in the console, every plot drawn, figures as in the JSON, narrow and
wide, light and dark, all of it by keyboard. The test is skipped where Chromium is not installed.

    tests/cli/bench_page_test.py HERON DATA [unittest options]
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import browser
from case import HERON

PLOTS = "all cdf percentiles rates places cold".split()


def shown_time(ns):
    if ns is None:  # too few samples
        return "–"

    def short(x):
        return f"{x:.0f}" if x >= 99.95 else f"{x:.1f}" if x >= 9.995 else f"{x:.2f}"
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if ns >= size:
            return f"{short(ns / size)} {unit}"
    return f"{ns:.0f} ns"


@unittest.skipUnless(browser.program(), "there is no Chromium")
class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        jay, idv = os.path.join(cls.folder, "made.jay"), os.path.join(cls.folder, "made.idv")
        subprocess.run([HERON, "generate", jay, "--rows", "20000", "-q"], check=True)
        subprocess.run([HERON, "convert", jay, idv, "-q"], check=True)
        cut = os.path.join(cls.folder, "cut.jay")  # its queries end in errors
        shutil.copy(jay, cut)
        os.truncate(cut, 1000)
        cls.page = os.path.join(cls.folder, "page.html")
        done = subprocess.run([HERON, "bench", jay, idv, cut, "--ops", "open,row,take,scan", "--cold", "--seconds", "0.05",
                               "-o", "json", "--html", cls.page], capture_output=True)
        cls.report = json.loads(done.stdout)
        cls.browser = browser.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        shutil.rmtree(cls.folder)

    def test_every_plot_is_drawn(self):
        for width, scheme in (400, "light"), (1000, "light"), (1600, "dark"), (1600, "light"):
            self.browser.show(self.page, width, scheme=scheme)
            self.assertEqual(self.browser.complaints(), [])
            self.assertLessEqual(self.browser.value("document.documentElement.scrollWidth"), width)
            for plot in PLOTS:
                box = self.browser.value(f"""(() => {{ const box = document.getElementById("{plot}").getBoundingClientRect();
                    return {{x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height}}; }})()""")
                self.assertGreater(box["width"], 250, plot)
                _, _, rows = self.browser.picture(box)
                colours = {row[i:i + 3] for row in rows for i in range(0, len(row), 3)}
                self.assertGreater(len(colours), 10, (plot, width, scheme))
                lines = self.browser.value(f'document.querySelectorAll("#{plot} path, #{plot} rect").length')
                self.assertGreater(lines, 0, plot)
            for table in "table", "costs", "runs":  # no column is cut
                self.assertTrue(width < 1000 or self.browser.value(
                    f'document.getElementById("{table}").scrollWidth <= document.getElementById("{table}").parentElement.clientWidth'), table)
            background = self.browser.picture({"x": 0, "y": 0, "width": 4, "height": 4})[2][0][:3]
            self.assertEqual(sum(background) > 380, scheme == "light", background)

    def test_figures_are_those_of_the_json(self):
        self.browser.show(self.page, 1600)
        table = self.browser.value("""[...document.querySelectorAll("#table tbody tr")].map(row => [...row.cells].map(cell =>
            cell.textContent))""")
        results = self.report["reports"][0]["results"]
        self.assertEqual(len(table), len(results))
        for line, one in zip(table, results):
            self.assertEqual(line[1:3], [one["op"], one["mode"]])
            if "error" in one:
                self.assertEqual(line[3], one["error"])
                continue
            self.assertEqual(line[4:9], [shown_time(one[name]) for name in ("p50_ns", "p90_ns", "p99_ns", "p999_ns", "max_ns")])

    def test_it_answers_first(self):
        self.browser.show(self.page, 1600)
        said = self.browser.value('document.getElementById("answer").innerText')
        medians = {(one["file"], one["op"], one["mode"]): shown_time(one["p50_ns"])
                   for one in self.report["reports"][0]["results"] if "error" not in one}
        self.assertRegex(said, f"In memory, a random row takes .*{medians[0, 'row', 'warm']} from Jay")
        self.assertIn(f"{medians[1, 'scan', 'warm']} from IDV", said)
        if (0, "row", "cold") in medians:
            self.assertRegex(said, f"Not in memory, opening and a random row take .*{medians[0, 'row', 'cold']} from Jay")
        self.assertIn("load", self.browser.value('document.getElementById("load").textContent'))

    def test_questions_are_explained_and_few_samples_are_grey(self):
        self.browser.show(self.page, 1600)
        for name in "all", "ops":
            self.assertIn("10,000 random rows in one call", self.browser.value(f'document.getElementById("{name}").textContent'))
        grey = self.browser.value('[...document.querySelectorAll("#table tbody tr")].map(row => row.classList.contains("few"))')
        self.assertEqual(grey, [one.get("samples", 10) < 10 for one in self.report["reports"][0]["results"]])
        shown = self.browser.value('[...document.querySelectorAll("#table tbody tr")].map(row => row.cells[3].textContent)')
        for text, one in zip(shown, self.report["reports"][0]["results"]):
            self.assertEqual(text, one["error"] if "error" in one else f"{one['samples']:,}")

    def test_plots_leave_no_hole(self):
        self.browser.show(self.page, 1600)
        boxes = self.browser.value("""[...document.querySelectorAll(".plots figure")].map(figure => {
            const box = figure.getBoundingClientRect(); return [Math.round(box.top), box.left, box.right]; })""")
        right = max(box[2] for box in boxes)
        for top in {box[0] for box in boxes}:
            self.assertAlmostEqual(max(box[2] for box in boxes if box[0] == top), right, delta=1)

    def test_each_control_by_keyboard(self):
        self.browser.show(self.page, 1000)
        expected = self.browser.value('document.querySelectorAll("input[type=checkbox]").length')
        groups = self.browser.value('new Set([...document.querySelectorAll("input[type=radio]")].map(i => i.name)).size')
        reached = []
        for _ in range(40):
            self.browser.press("Tab", 9)
            reached.append(self.browser.value("""(() => { const on = document.activeElement;
                return on.id || on.name || on.tagName + (on.getAttribute("aria-labelledby") || ""); })()"""))
        self.assertEqual(sum(name.startswith("file") for name in set(reached)), expected)
        self.assertEqual(len({"op", "mode"} & set(reached)), groups)
        self.assertIn("download", reached)
        self.assertIn("SUMMARY", reached)

        self.browser.value('document.querySelector("input[name=op]:checked").focus()')
        before = self.browser.value('document.getElementById("cdf").innerHTML')
        positions = 'JSON.stringify([...document.querySelectorAll("figure, table")].map(e => [e.offsetTop, e.offsetHeight]))'
        layout = self.browser.value(positions)
        self.browser.press("ArrowRight", 39)
        self.assertEqual(self.browser.value('document.querySelector("input[name=op]:checked").value'), "take")
        self.assertIn("take", self.browser.value('document.getElementById("cdf-title").textContent'))
        self.assertNotEqual(self.browser.value('document.getElementById("cdf").innerHTML'), before)
        self.assertEqual(self.browser.value(positions), layout)  # nothing moved

    def test_the_json_is_downloadable(self):
        self.browser.show(self.page, 1000)
        text = self.browser.value('fetch(document.getElementById("download").href).then(answer => answer.text())')
        self.assertEqual(json.loads(text), self.report)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])

#!/usr/bin/env python3
"""The page of bench in a headless browser: nothing in the console, every plot drawn, figures as in the JSON, narrow and
wide, light and dark, all of it by keyboard. Skipped where there is no Chromium.

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
        cls.page = os.path.join(cls.folder, "page.html")
        done = subprocess.run([HERON, "bench", jay, idv, "/nowhere.jay", "--ops", "open,row,take,scan", "--cold", "--seconds", "0.05",
                               "-o", "json", "--html", cls.page], capture_output=True)
        cls.report = json.loads(done.stdout)
        cls.browser = browser.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        shutil.rmtree(cls.folder)

    def test_every_plot_is_drawn(self):
        for width, scheme in (400, "light"), (1600, "dark"), (1600, "light"):
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

    def test_each_control_by_keyboard(self):
        self.browser.show(self.page, 1000)
        wanted = self.browser.value('document.querySelectorAll("input[type=checkbox]").length')
        groups = self.browser.value('new Set([...document.querySelectorAll("input[type=radio]")].map(i => i.name)).size')
        reached = []
        for _ in range(40):
            self.browser.press("Tab", 9)
            reached.append(self.browser.value("""(() => { const on = document.activeElement;
                return on.id || on.name || on.tagName + (on.getAttribute("aria-labelledby") || ""); })()"""))
        self.assertEqual(sum(name.startswith("file") for name in set(reached)), wanted)
        self.assertEqual(len({"op", "mode"} & set(reached)), groups)
        self.assertIn("download", reached)
        self.assertIn("SUMMARY", reached)

        self.browser.value('document.querySelector("input[name=op]:checked").focus()')
        before = self.browser.value('document.getElementById("cdf").innerHTML')
        places = 'JSON.stringify([...document.querySelectorAll("figure, table")].map(e => [e.offsetTop, e.offsetHeight]))'
        layout = self.browser.value(places)
        self.browser.press("ArrowRight", 39)
        self.assertEqual(self.browser.value('document.querySelector("input[name=op]:checked").value'), "take")
        self.assertIn("take", self.browser.value('document.getElementById("cdf-title").textContent'))
        self.assertNotEqual(self.browser.value('document.getElementById("cdf").innerHTML'), before)
        self.assertEqual(self.browser.value(places), layout)  # nothing moved

    def test_the_json_is_downloadable(self):
        self.browser.show(self.page, 1000)
        text = self.browser.value('fetch(document.getElementById("download").href).then(answer => answer.text())')
        self.assertEqual(json.loads(text), self.report)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])

#!/usr/bin/env python3
"""bench/figures.py on files of some thousand rows: every row of the tables of README.md and bench/FIGURES.md that names
heron-ops or heron bench gets its figure, and the figures are those of the JSON file.

    tests/figures_test.py BUILD
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))
import figures  # noqa: E402


def run(build, folder, *more):
    command = [sys.executable, str(ROOT / "bench" / "figures.py"), build, folder, "--seconds", "0.01", "--rows", "0.001",
               "--docs", folder / "docs", *more]
    said = subprocess.run(command, stderr=subprocess.PIPE).stderr.decode()
    left = re.findall("not measured: (.*)", said)
    assert left == ["Jay: col_sum_large"] and "Traceback" not in said, said  # this operation needs millions of rows


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "docs" / "bench").mkdir(parents=True)
        readme, all_figures = folder / "docs" / "README.md", folder / "docs" / "bench" / "FIGURES.md"
        for path in (readme, all_figures):  # with no figure in any table
            text = (ROOT / path.relative_to(folder / "docs")).read_text(encoding="utf-8")
            path.write_text(re.sub(r"\d[\d.]* (ns|µs|ms|s)(?= \|)", "?", text), encoding="utf-8")
        before = readme.read_text(encoding="utf-8").splitlines(), all_figures.read_text(encoding="utf-8").splitlines()
        run(sys.argv[1], folder)
        saved = json.loads((folder / "figures.json").read_text(encoding="utf-8"))
        after = readme.read_text(encoding="utf-8").splitlines()
        assert len(after) == len(before[0])
        rows = {figures.split(line)[0]: figures.split(line)[1:] for line in after if line.startswith("| ")}
        for label, (op, mode) in figures.QUESTIONS.items():
            expected = [figures.seconds_text(saved["formats"][name][f"{op} {mode}"]) for name, _ in figures.FORMATS.values()]
            assert rows[label] == expected, (label, rows[label], expected)
        operations = {(name, op): engines for name, op, engines in saved["operations"]}
        tables = [figures.split(line) for line in after if line.startswith("| ")]
        for label, key in figures.OPERATIONS.items():
            row = next(row for row in tables if len(row) == 5 and row[1] == label)
            assert row[2] == figures.seconds_text(operations[key]["heron"]["median_seconds"]), (label, row)
            assert "?" not in row
        changed = sum(a != b for a, b in zip(before[1], all_figures.read_text(encoding="utf-8").splitlines()))
        assert changed > 40, changed
        # A second run from the JSON file gives the same.
        first = [path.read_text(encoding="utf-8") for path in (readme, all_figures)]
        shutil.rmtree(folder / "docs" / "bench")
        (folder / "docs" / "bench").mkdir()
        all_figures.write_text("\n".join(before[1]) + "\n", encoding="utf-8")
        readme.write_text("\n".join(before[0]) + "\n", encoding="utf-8")
        run(sys.argv[1], folder, "--again")
        assert [path.read_text(encoding="utf-8") for path in (readme, all_figures)] == first
    print("figures_test: passed")


if __name__ == "__main__":
    main()

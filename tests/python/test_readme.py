"""The examples of tools/python/README.md print what it shows."""

import doctest
import os
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = ROOT / "tools/python/README.md"


def test_readme(tmp_path, monkeypatch):
    for package in ("numpy", "pyarrow", "polars", "duckdb"):
        pytest.importorskip(package)
    (tmp_path / "build").mkdir()
    os.symlink(ROOT / "data", tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) >= 6
    # Only the class of an exception is compared: its text says more than the README shows.
    flags = doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "README", str(README), 0)
    report = []
    runner = doctest.DocTestRunner(optionflags=flags)
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)

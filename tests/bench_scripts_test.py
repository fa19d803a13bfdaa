#!/usr/bin/env python3
"""Every script of bench/ says at its head what it requires and, without it, ends with one line that names it, before any
file is made. The Python package and its peers are not installed where this test runs.

    tests/bench_scripts_test.py
"""
import ast
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODULES = "needs.py", "process_memory.py", "picture.py"  # the last draws what others measured
PACKAGES = "questions", "protocol"  # these folders have modules of the scripts beside them
# Arguments of the scripts, behind the build folder and the folder of the files, or behind the latter alone.
FOLDER_ONLY = {"forests.py": ["--python", "none"], "loaders.py": ["--python", "none"], "python_peers.py": ["--python", "none"],
               "random_rows.py": ["--python", "none"], "boosters.py": ["--python", "none"],
               "query_peers.py": ["--python", "none"], "ways_out.py": ["--python", "none"],
               "strangers.py": ["--python", "none"], "formats.py": ["--python", "none"], "distributed.py": ["--python", "none"]}
PROGRAM = "wide.py", "scan_memory.py"  # these take the program itself


def main():
    scripts = [path for path in sorted((ROOT / "bench").rglob("*.py")) if path.name not in MODULES and path.parent.name not in PACKAGES]
    assert len(scripts) >= 13, scripts
    for script in scripts:
        head = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or ""
        assert "Needs: " in head, f"{script}: the head does not say what it needs"
        with tempfile.TemporaryDirectory() as folder:
            build = f"{folder}/build/heron" if script.name in PROGRAM else f"{folder}/build"
            words = [folder, *FOLDER_ONLY[script.name]] if script.name in FOLDER_ONLY else [build, folder]
            done = subprocess.run([sys.executable, script, *words], capture_output=True, text=True, timeout=60)
            lines = done.stderr.splitlines()
            assert done.returncode == 1 and len(lines) == 1, f"{script}: exit {done.returncode}: {done.stderr}"
            assert lines[0].startswith(f"{script.stem}: needs "), f"{script}: {lines[0]}"
            left = [path for path in pathlib.Path(folder).rglob("*") if path.is_file()]
            assert not left, f"{script}: made {left}"
    subprocess.run([sys.executable, ROOT / "bench" / "peers" / "picture.py", "--check"], check=True)
    print(f"bench_scripts_test: {len(scripts)} scripts say what they need")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Every planted bug of bugs/ can be planted: its patch applies to the tree as it is. Whether the bugs are found takes hours
(../detection.py)."""

import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def fault(patch):
    """Returns why a patch does not apply, or ""."""
    done = subprocess.run(["patch", "-p1", "--dry-run", "--force", "-d", HERE.parent.parent, "-i", patch],
                          capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else f"{patch.name}: {done.stdout.strip()}"


def main():
    patches = sorted((HERE / "bugs").glob("*.patch"))
    faults = [text for text in map(fault, patches) if text]
    print("\n".join(faults) or f"{len(patches)} planted bugs")
    return 1 if faults or not patches else 0


if __name__ == "__main__":
    sys.exit(main())

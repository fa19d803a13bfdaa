#!/usr/bin/env python3
"""`cmake --install` installs, beside the library, the program, the completion of three shells, the manual page and the
licence, each where programs look for it and as the installed program prints it.

    tests/installed_test.py PREFIX
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PREFIX = pathlib.Path(sys.argv[1]).resolve()
HERON = PREFIX / "bin/heron"
ROOT = pathlib.Path(__file__).resolve().parent.parent


def printed(*words):
    return subprocess.run([HERON, *words], capture_output=True, check=True).stdout


class Installed(unittest.TestCase):
    def test_completions_are_those_of_the_program(self):
        for shell, path in (("bash", "bash-completion/completions/heron"), ("zsh", "zsh/site-functions/_heron"),
                            ("fish", "fish/vendor_completions.d/heron.fish")):
            self.assertEqual((PREFIX / "share" / path).read_bytes(), printed("completion", shell))

    def test_bash_completes_by_the_installed_file(self):
        script = ('source "$1/share/bash-completion/completions/heron"; complete -p heron >/dev/null; compopt() { :; }; '
                  'COMP_LINE="heron ver"; COMP_POINT=9; _heron "$1/bin/heron"; printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", script, "bash", PREFIX], capture_output=True, check=True)
        self.assertEqual((done.stdout, done.stderr), (b"verify\nversion\n", b""))

    def test_the_manual_page_is_found(self):
        page = PREFIX / "share/man/man1/heron.1"
        self.assertEqual(page.read_bytes(), printed("help", "man"))
        if shutil.which("man"):
            with tempfile.TemporaryDirectory() as home:
                done = subprocess.run(["man", "-M", PREFIX / "share/man", "-w", "heron"], capture_output=True, check=True,
                                      env={"PATH": "/usr/bin:/bin", "HOME": home})
            self.assertEqual(pathlib.Path(done.stdout.decode().strip()), page)

    def test_the_licence_is_there(self):
        self.assertEqual((PREFIX / "share/doc/heron/LICENSE").read_bytes(), (ROOT / "LICENSE").read_bytes())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])

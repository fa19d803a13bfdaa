#!/usr/bin/env python3
"""Completion in real shells, each on a terminal of its own to which the test sends keys. Shells that are not
installed are left out; bash must be installed.

    tests/cli/completion_test.py HERON DATA [unittest options]
"""

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
import unittest

import case
from case import DATA, HERON, run

JAY = os.path.join(DATA, "jay")
VERBS = run("help").stdout.decode()
VERBS = re.findall(r"^  ([a-z]+)  ", VERBS[VERBS.index("\nVerbs:"):], re.MULTILINE)
SECONDS = 30


class Terminal:
    """A shell that runs `args WORD...`, which prints its words, instead of a completed command."""

    def __init__(self, words, setup, folder):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            path = os.path.dirname(HERON) + os.pathsep + os.environ["PATH"]
            env = {"PATH": path, "TERM": "dumb", "HOME": folder, "INPUTRC": "/dev/null", "LC_ALL": "C.UTF-8", "PS1": "$ "}
            os.chdir(folder)
            os.execvpe(words[0], words, env)
        self.type("""args() { printf '\\001'; printf '\\035%s\\036' "$@"; printf '\\002\\n'; }\n""" + setup + "\nargs ready\n")
        self.read()

    def type(self, text):
        os.write(self.terminal, text.encode())

    def read(self):
        """Returns the words that the next `args` prints."""
        sent, end = b"", time.monotonic() + SECONDS
        while b"\x02" not in sent:
            if not select.select([self.terminal], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError(sent)
            sent += os.read(self.terminal, 65536)
        words = sent.decode()
        return re.findall(r"\x1d(.*?)\x1e", words[words.rindex("\x01"):words.rindex("\x02")], re.DOTALL)

    def completed(self, line, key):
        """Returns the words behind `heron` after that key. Ctrl-A moves to the beginning of the line."""
        self.type("heron " + line + key)
        time.sleep(0.05)
        self.type("\x01args \n")
        return self.read()[1:]

    def close(self):
        os.close(self.terminal)
        os.waitpid(self.pid, 0)


class Case(case.FolderCase):
    def setUp(self):
        super().setUp()
        self.jay = self.path("rows.jay")
        self.answer("generate", self.jay, "--rows", "10", "-q")
        self.odd = self.path("odd.csv")
        with open(self.odd, "w", encoding="utf-8") as file:
            file.write('id,a b,"c,d",e:f\n1,2,3,4\n')
        os.mkdir(self.path("folder"))
        self.columns = [row["name"] for row in self.rows("schema", self.jay)]

    # Each entry is a line to complete, and the words that its last word may become.
    def questions(self):
        forms = "table vertical json jsonl csv npy".split()
        formats = "balsa csv gzip idv jay jforests npy svmlight treezip zip".split()
        for verb in VERBS:
            yield verb[:2], [other for other in VERBS if other.startswith(verb[:2])]
        yield "scan rows.jay -o ", forms
        yield "scan rows.jay --output=js", ["--output=json", "--output=jsonl"]
        yield "scan rows.jay -o x", []
        yield "head rows.jay -n ", []
        yield "head rows.jay --dt", ["--dtype"]
        yield "head rows.jay -c ", self.columns
        yield "head rows.jay -c flag,f", ["flag," + name for name in self.columns if name[0] == "f" and name != "flag"]
        yield "head rows.jay --columns=fl", ["--columns=flag"]
        yield "view rows.jay --order-by fl", ["flag"]
        yield "head rows.jay -c lowe", ["lower("]
        yield "count rows.jay --by id,uppe", ["id,upper("]
        yield "scan rows.jay --order-by coal", ["coalesce("]
        yield "count rows.jay --by fl", ["flag"]
        yield "scan rows.jay --order-by i", [name for name in self.columns if name[0] == "i"]
        yield "scan rows.jay --order-by flag:", ["flag:asc", "flag:desc"]
        yield "scan rows.jay --order-by flag:d", ["flag:desc"]
        yield "find rows.jay --by i", [name for name in self.columns if name[0] == "i"]
        yield "convert rows.jay out.jay --key i", [name for name in self.columns if name[0] == "i"]
        yield "column rows.jay fl", ["flag"]
        yield "head rows.jay --table ", ["data"]
        yield "convert rows.jay out --to-format b", ["balsa"]
        yield "convert rows.jay out -t j", [name for name in formats if name[0] == "j"]
        yield "head rows.jay --format j", [name for name in formats if name[0] == "j"]
        yield "head rows.jay --access ", ["auto", "warm", "cold", "once"]
        yield "bench rows.jay --ops row,ta", ["row,take"]
        yield "generate x.jay --preset fe", ["features"]
        yield "completion ", ["bash", "zsh", "fish"]
        yield "help opt", ["options"]
        yield "help vers", ["version"]
        yield "head od", ["odd.csv"]
        yield "head rows.jay --to od", ["odd.csv"]
        yield "convert rows.jay --out-dir fo", ["folder/"]
        yield "head nothing.jay -c ", []
        yield "head odd.csv -c a", [r"a b"]
        yield "head odd.csv -c id,a", [r"id,a b"]
        yield "column odd.csv a", ["a b"]
        yield "stats odd.csv --separator , -c i", ["id"]
        yield "nothing ", []

    def check(self, completed):
        for line, expected in self.questions():
            found = completed(line)
            words = [word.rstrip("/") for word in found]
            self.assertEqual(sorted(words), sorted(word.rstrip("/") for word in expected), line)


class Bash(Case):
    def setUp(self):
        super().setUp()
        self.bash = self.terminal('eval "$(heron completion bash)"')

    def terminal(self, setup):
        setup = "bind 'set bell-style none'; bind 'set enable-bracketed-paste off'; bind 'set page-completions off'\n" + setup
        terminal = Terminal(["bash", "--norc", "--noprofile", "-i"], setup, self.folder)
        self.addCleanup(terminal.close)
        return terminal

    def all_words(self, line):
        """Returns all words that readline inserts for the last word."""
        before = len(line.split(" ")) - 1
        kept = re.match(r".*[=:]|", line.split(" ")[-1])[0]  # all but the first word are inserted without it
        words = self.bash.completed(line, "\x1b*")[before:]
        words[1:] = [kept + word for word in words[1:]]
        untouched = words == [line.split(" ")[-1]] and words[0] not in os.listdir(self.folder) + VERBS
        return [] if untouched or words == [""] else words

    def test_the_words_that_there_are(self):
        self.check(self.all_words)

    def test_a_tab_completes_a_word_as_it_is_typed(self):
        for line, words in (("head rows.jay -c fl", ["head", "rows.jay", "-c", "flag"]),
                            ("head odd.csv -c a", ["head", "odd.csv", "-c", "a b"]),
                            ("head odd.csv -c 'a", ["head", "odd.csv", "-c", "a b"]),
                            ('head odd.csv -c "a', ["head", "odd.csv", "-c", "a b"]),
                            ("head odd.csv -c id,a", ["head", "odd.csv", "-c", "id,a b"]),
                            ("head odd.csv -c \\`", ["head", "odd.csv", "-c", "`c,d`"]),
                            ("scan odd.csv --order-by \\`c", ["scan", "odd.csv", "--order-by", "`c,d`"]),
                            ("scan rows.jay --where 'id > 3 and fla", ["scan", "rows.jay", "--where", "id > 3 and flag"]),
                            ("scan rows.jay --agg 'mean(fla", ["scan", "rows.jay", "--agg", "mean(flag"]),
                            ("scan rows.jay --agg 'approx", ["scan", "rows.jay", "--agg", "approx_distinct("]),
                            ("count rows.jay --where 'id > 3 and starts_w",
                             ["count", "rows.jay", "--where", "id > 3 and starts_with("]),
                            ("head rows.jay -c 'id,upper(fla", ["head", "rows.jay", "-c", "id,upper(flag"]),
                            ("head odd.csv --types id=te", ["head", "odd.csv", "--types", "id=text"]),
                            ("scan rows.jay --order-by flag:d", ["scan", "rows.jay", "--order-by", "flag:desc"]),
                            ("scan ./rows.jay --output=jsonl --agg=", ["scan", "./rows.jay", "--output=jsonl", "--agg="]),
                            ("head ro", ["head", "rows.jay"])):
            self.assertEqual(self.bash.completed(line, "\t"), words, line)

    def test_a_program_by_its_path(self):
        os.symlink(HERON, self.path("heron"))
        self.bash.type("./heron head rows.jay -c fl\t\x01args \n")
        self.assertEqual(self.bash.read(), ["./heron", "head", "rows.jay", "-c", "flag"])

    def test_the_folder_of_home(self):
        self.assertEqual(self.bash.completed("head ~/rows.jay -c fl", "\t")[-1], "flag")


@unittest.skipUnless(shutil.which("fish"), "fish is not installed")
class Fish(Case):
    def all_words(self, line):
        with open(self.path("heron.fish"), "wb") as script:
            script.write(run("completion", "fish").stdout)
        path = os.path.dirname(HERON) + os.pathsep + os.environ["PATH"]
        done = subprocess.run(["fish", "--no-config", "-c", 'source heron.fish; complete -C "heron $argv"', line],
                              capture_output=True, cwd=self.folder, env={"PATH": path, "HOME": self.folder}, timeout=SECONDS)
        self.assertEqual(done.stderr, b"", line)
        return [word.split("\t")[0].replace("\\ ", " ") for word in done.stdout.decode().splitlines()]

    def test_the_words_that_there_are(self):
        self.check(self.all_words)


@unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
class Zsh(Case):
    SETUP = """autoload -U compinit; compinit -u -D; eval "$(heron completion zsh)"; unsetopt beep
zstyle ':completion:all-matches:*' completer _all_matches _complete; zstyle ':completion:all-matches:*' insert true
zle -C all-matches complete-word _generic; bindkey '^T' all-matches; bindkey '^A' beginning-of-line"""

    def test_the_words_that_there_are(self):
        zsh = Terminal(["zsh", "-f", "-i"], self.SETUP, self.folder)
        self.addCleanup(zsh.close)

        def all_words(line):
            before = len(line.split(" ")) - 1
            words = [word for word in zsh.completed(line, "\x14")[before:] if word]
            untouched = words == [line.split(" ")[-1]] and words[0] not in os.listdir(self.folder) + VERBS
            return [] if untouched else words

        self.check(all_words)


class Answers(Case):
    def test_every_option_has_what_it_takes(self):
        for verb in VERBS:
            if verb in ("help", "version", "completion"):
                continue
            answer = self.answer("__complete", "words", verb, "rows.jay", "--").splitlines()
            self.assertEqual(answer[0], "words")
            described = self.answer("help", verb)
            for line in answer[1:]:
                name, what = line.split("\t")
                self.assertIn(name, described)
                self.assertTrue(what, name)

    def test_nothing_is_an_error(self):
        for words in ([], ["words"], ["bash"], ["bash", ""], ["bash", "heron"], ["words", "scan", "x", "-c", "--", "-c"],
                      ["words", "head", os.path.join(JAY, "bad", "truncated_half.jay"), "-c", ""],
                      ["words", "row", "rows.jay", "-1", "--columns=", ""], ["bash", "heron scan 'x"]):
            done = run("__complete", *words)
            self.assertEqual((done.returncode, done.stderr), (0, b""), words)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])

"""Runs the heron program, for tests of the program as a whole."""

import contextlib
import json
import os
import re
import resource
import subprocess
import tempfile

CPU_SECONDS = 60  # a hang becomes a signal


EFFORT = int(os.environ.get("HERON_TEST_EFFORT", "1"))


def modes(number, one):
    """Returns the options of both ways to read a file, with a map and without. If `one`, or at the default effort,
    returns one of them, by turns of `number`."""
    both = ([], ["--no-mmap"])
    return both[number % 2:number % 2 + 1] if one or EFFORT == 1 else both


class Answer:
    def __init__(self, arguments, code, out, err, peak_bytes):
        self.arguments, self.code, self.out, self.err, self.peak_bytes = arguments, code, out, err, peak_bytes

    def __str__(self):
        return f"heron {' '.join(map(str, self.arguments))}: exit {self.code}, stderr {self.err[:300]!r}"

    def rows(self):
        return [json.loads(line) for line in self.out.splitlines()]

    def document(self):
        return json.loads(self.out)


class Heron:
    def __init__(self, program):
        self.program = program
        self.baseline_bytes = self.run("version").peak_bytes

    def run(self, *arguments, binary=False):
        """Runs heron. A negative code is a signal, the peak is of resident memory. If `binary`, the output stays bytes."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            # No close_fds, no preexec_fn: so it is spawned, which is quicker than a fork of this large process.
            process = subprocess.Popen([self.program, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=out,
                                       stderr=err, close_fds=False)
            with contextlib.suppress(ProcessLookupError):  # the process has already ended
                resource.prlimit(process.pid, resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0), err.seek(0)
            printed = out.read() if binary else out.read().decode("utf-8")
            said = err.read().decode("utf-8")
        return Answer(arguments, process.returncode, printed, said, usage.ru_maxrss * 1024)


def column_argument(names):
    """Returns the value of -c for a name, in backticks if the name needs them."""
    def quoted(name):
        return name if re.fullmatch(r"[A-Za-z0-9_.\[\]]+", name) else "`" + name.replace("`", "``") + "`"
    return ",".join(map(quoted, names))

"""The exceptions of Heron: one class for each thing that a caller can do about them."""

from __future__ import annotations

_OFFSET = r"\bat byte (\d+)"
_COLUMN = r'column "((?:[^"\\]|\\.)*)"'


class Error(Exception):
    """The base of all errors of Heron. `str()` is one line: file, offset, expected and got. `kind` is the name of
    the error's kind, `path` the file or None."""

    kind = "error"

    def __init__(self, text: str, path: str | None = None) -> None:
        super().__init__(text)
        self.path = path or None

    @property
    def offset(self) -> int | None:
        """Returns the offset of the byte that is wrong, if the text names one."""
        import re

        found = re.search(_OFFSET, str(self))
        return int(found[1]) if found else None

    @property
    def column(self) -> str | None:
        """Returns the name of the column, if the text names one."""
        import re

        found = re.search(_COLUMN, str(self))
        return found[1] if found else None

    def __reduce__(self) -> tuple[type[Error], tuple[str, str | None]]:
        return type(self), (self.args[0], self.path)


class IoError(Error, OSError):
    """The file cannot be opened or read."""

    kind = "io"

    def __str__(self) -> str:
        return str(self.args[0])


class WriteError(Error, OSError):
    """A file cannot be written, or already exists."""

    kind = "write"

    def __str__(self) -> str:
        return str(self.args[0])


class ChangedError(Error):
    """The file was changed or cut short while it was open."""

    kind = "changed"


class UnknownFormatError(Error, ValueError):
    """No format knows these bytes."""

    kind = "unknown_format"


class UnsupportedError(Error):
    """A version, codec or type that is undefined or that Heron does not read or write."""

    kind = "unsupported"


class CorruptError(Error, ValueError):
    """The bytes of the file contradict themselves."""

    kind = "corrupt"


class ArgumentError(Error, ValueError):
    """The call requests something that does not exist or makes no sense."""

    kind = "argument"


class UnknownColumnError(ArgumentError, KeyError):
    """There is no such column; the text has the most similar name."""

    def __str__(self) -> str:  # a KeyError shows the repr of its text
        return str(self.args[0])


class LimitError(Error):
    """A stated limit was hit; the text names it."""

    kind = "limit"


class OutOfMemoryError(LimitError, MemoryError):
    """The system lacks the memory that a call requests."""


class CancelledError(Error):
    """The call was stopped."""

    kind = "cancelled"

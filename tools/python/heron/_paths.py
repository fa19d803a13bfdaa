"""Paths that callers give, as files."""

from __future__ import annotations

import os

from ._arguments import several
from ._errors import ArgumentError

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ._typing import Path


def absolute(path):
    """A path that other processes understand; URLs stay as they are."""
    return path if "://" in path else os.path.abspath(path)


def listed(paths: Path | Sequence[Path]) -> list[str]:
    """The files of a path, folder, pattern or several of these, sorted; of folders those that begin with neither . nor _.
    open(), heron.ray and heron.dask read these; list once and give all workers the same."""
    parts = ([paths] if isinstance(paths, (str, os.PathLike)) else
             several("path", paths, "a path, a folder, a pattern such as \"part-*.jay\", or several"))
    found: list[str] = []
    for part in parts:
        text = os.fspath(part)
        if not isinstance(text, str):
            raise TypeError(f"path: expected a text or pathlib.Path, got {text!r}")
        if "://" in text:
            found.extend(_listed_urls(text))
        elif os.path.isdir(text):
            inside = (entry.path for entry in os.scandir(text) if entry.is_file())
            found.extend(sorted(path for path in inside
                                if not os.path.basename(path).startswith((".", "_")) and not path.endswith(".heron")))
        elif any(mark in text for mark in "*?[") and not os.path.exists(text):
            import glob

            found.extend(sorted(glob.glob(text)) or [text])
        else:
            found.append(text)
    if not found:
        raise ArgumentError(f"{os.fspath(parts[0]) if parts else 'paths'}: there are no files")
    return found


def _listed_urls(url):
    if not any(mark in url for mark in "*?["):
        return [url]
    import fsspec

    files, inside = fsspec.core.url_to_fs(url)
    return sorted(files.unstrip_protocol(path) for path in files.glob(inside))

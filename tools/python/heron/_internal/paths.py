"""Paths and URLs that callers give: as lists of files, as local files, and the fingerprints by which a file is known
again."""

from __future__ import annotations

import os

from .. import _heron
from ..errors import ArgumentError, ChangedError
from .arguments import several

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .typing import Path


def absolute(path):
    """Returns a path that other processes understand; URLs stay as they are."""
    return path if "://" in path else os.path.abspath(path)


def listed(paths: Path | Sequence[Path]) -> list[str]:
    """Returns the files of a path, folder, pattern or several of these, sorted; of folders those that begin with
    neither . nor _. A folder of a Hugging Face dataset stands for its Arrow files, in their order; one with several
    splits is listed itself, and each split is a table of it. open(), heron.ray and heron.dask read these; list once and
    give all workers the same."""
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
            known = _heron.folder_paths(text)
            found.extend(known)
            if known:
                continue
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


def local(path):
    """Returns the path to open: for a URL its file in fsspec's cache, which is fetched if it does not exist yet."""
    if "://" not in path:
        return path
    import fsspec

    options = {"check_files": True}
    cache = os.environ.get("HERON_FSSPEC_CACHE")
    if cache:
        options["cache_storage"] = cache
    return fsspec.open_local("filecache::" + path, filecache=options)


def fingerprint(path):
    """Returns (size, time of change) of a file; (size, its file system's mark of a version) of a URL."""
    if "://" in path:
        import fsspec

        files, inside = fsspec.core.url_to_fs(path)
        return files.size(inside), str(files.ukey(inside))
    return _fingerprint_of_file(path)


def known_fingerprints(paths):
    """Returns the fingerprint of each path; None if one is no file, which opening it reports."""
    try:
        return [_fingerprint_of_file(path) for path in paths]
    except OSError:
        return None


def _fingerprint_of_file(path):
    status = os.stat(path)
    return status.st_size, status.st_mtime_ns


def check(paths, fingerprints):
    """Raises ChangedError unless the files have these fingerprints."""
    for path, expected in zip(paths, fingerprints):
        try:
            got = fingerprint(path)
        except FileNotFoundError:
            raise ChangedError(f"{path}: the file does not exist any more since it was opened first", path) from None
        if got != tuple(expected):
            raise ChangedError(f"{path}: the file changed since it was opened first: expected {expected[0]} bytes changed at "
                               f"{expected[1]}, got {got[0]} bytes changed at {got[1]}", path)

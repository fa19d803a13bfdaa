"""Reports to the caller. Progress: tqdm if it is installed, or a function (done, total) of the caller's. Warnings:
at the line of the caller, however much of the package lies between."""

import os
import sys

_PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep


def warn(text):
    import warnings

    level, frame = 1, sys._getframe()
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, UserWarning, stacklevel=level)


class reporting:
    """A block of code whose engine calls report: gives the function that they call, None for no progress."""

    def __init__(self, progress, what, data=None):
        self._bar, self._data = None, data
        self._report = progress if callable(progress) else None
        if progress and self._report is None:
            try:
                import tqdm.auto
            except ImportError:
                return
            self._bar = tqdm.auto.tqdm(desc=what, unit_scale=True)
            self._report = self._show

    def _show(self, done, total):
        self._bar.total = total
        self._bar.update(done - self._bar.n)

    def __enter__(self):
        if self._data is not None and self._report is not None:
            self._data._set_progress(self._report)
        return self._report

    def __exit__(self, *_):
        if self._data is not None and self._report is not None:
            self._data._set_progress(None)
        if self._bar is not None:
            self._bar.close()

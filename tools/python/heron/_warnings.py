"""Warnings at the line of the caller, however much of the package lies between."""

import os
import sys

_PACKAGE = os.path.dirname(__file__) + os.sep


def warn(text):
    import warnings

    level, frame = 1, sys._getframe()
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, UserWarning, stacklevel=level)

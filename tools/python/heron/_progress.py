"""Progress of long calls: tqdm if it is installed, or a function (done, total) of the caller's."""

import contextlib


@contextlib.contextmanager
def reporting(progress, what, data=None):
    """What the engine calls meanwhile; None for no progress."""
    report = bar = None
    if callable(progress):
        report = progress
    elif progress:
        try:
            import tqdm.auto
        except ImportError:
            pass
        else:
            bar = tqdm.auto.tqdm(desc=what, unit_scale=True)

            def report(done, total):
                bar.total = total
                bar.update(done - bar.n)
    if data is not None and report is not None:
        data._set_progress(report)
    try:
        yield report
    finally:
        if data is not None and report is not None:
            data._set_progress(None)
        if bar is not None:
            bar.close()

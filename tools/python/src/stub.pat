# Declarations of slots in the stub of the module: slots have no signature. Format: nanobind's pattern files.

# heron.Table declares these: its method `tuple` would hide the type of that name in the stub.
_heron.Data.tuple:

_heron.Data.__getitem__:

_heron.Data.__len__:
    def __len__(self) -> int: ...

# heron.Forest declares this method.
_heron.ForestData.predict_one:

_heron.Rows.__getitem__:
    \from typing import Any
    def __getitem__(self, row: int, /) -> Any: ...

_heron.Rows.__len__:
    def __len__(self) -> int: ...

"""Heron's files for torch's own DataLoader and torchdata's StatefulDataLoader. Needs torch and NumPy."""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence

import torch
from torch.utils.data._utils.collate import collate, default_collate_fn_map

from ..errors import ArgumentError
from ..loader import Loader
from .numpy import tensor_of
from .records import Records

TYPE_CHECKING = False  # like that of typing, which takes a while to import
if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Sequence as Names
    from typing import Any, Literal

    from .._internal.typing import Where
    from ..table import Table

_MAX_WORKERS = 1024


class Dataset(torch.utils.data.Dataset):  # type: ignore[misc]
    """Rows by number, for torch.utils.data.DataLoader with any sampler, and with workers by fork or spawn.

        loader = DataLoader(heron.torch.Dataset(table, label="y"), batch_size=256, shuffle=True, num_workers=2)
        for x, y in loader: ...

    A sample is a tensor of float32, nulls as NaN, or with label or weight a tuple of it and of theirs. The rows of a
    batch are read at once, and torch's default collate_fn passes them on whole: no tensor a row is made. Other
    collate_fns get a sequence of samples. Indexed by a list or slice, as by a BatchSampler, it gives a whole batch.
    columns: default all that are numbers but label and weight.
    """

    def __init__(self, table: Table, columns: Names[str] | None = None, *, label: str | None = None,
                 weight: str | None = None) -> None:
        self._records = Records(table, columns, label, weight)

    def __len__(self) -> int:
        return len(self._records)

    def __repr__(self) -> str:
        return f"<heron.torch.Dataset of {self._records!r}>"

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, (list, slice)) or getattr(index, "ndim", 0) > 0:
            return _whole(self._tensors(index))
        parts = self._tensors([self._records.row(index)])
        return parts[0][0] if len(parts) == 1 else tuple([part[0] for part in parts])

    def __getitems__(self, indices: Any) -> Sequence[Any]:
        return _Samples(self._tensors(indices))

    def _tensors(self, rows):
        return [tensor_of(array) for array in self._records.arrays(rows)]


class _Row(torch.Tensor):
    """A sample without a label out of _Samples: results of operations on it are plain tensors."""

    __torch_function__ = torch._C._disabled_torch_function_impl


class _Sample(tuple):
    """A sample with a label out of _Samples."""


class _Samples(Sequence):
    """A batch as a sequence of samples. By their type, torch's default collate_fn finds `_collate`."""

    def __init__(self, parts: list[torch.Tensor]) -> None:
        self.parts = parts

    def __len__(self) -> int:
        return len(self.parts[0])

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return _Samples([part[index] for part in self.parts])
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        row = [part[index] for part in self.parts]
        return row[0].as_subclass(_Row) if len(row) == 1 else _Sample(row)


def _whole(parts):
    return parts[0] if len(parts) == 1 else parts


def _collate(batch, *, collate_fn_map=None):
    if isinstance(batch, _Samples):
        return _whole(batch.parts)
    plain = [sample.as_subclass(torch.Tensor) if isinstance(sample, _Row) else tuple(sample) for sample in batch]
    return collate(plain, collate_fn_map=collate_fn_map)


default_collate_fn_map.update({_Row: _collate, _Sample: _collate})


class IterableDataset(torch.utils.data.IterableDataset):  # type: ignore[misc]
    """Batches of random rows as heron.Loader makes them, dealt to the workers of a DataLoader.

        loader = DataLoader(heron.torch.IterableDataset(table, 256, label="y", seed=1), batch_size=None, num_workers=2)

    Arguments as those of heron.Loader. An epoch has each row once over all workers of all ranks, its order is the same
    for the same seed and number of workers. rank and world_size: default those of torch.distributed, if it runs when
    this is made. Each `for` is an epoch; set_epoch() chooses one. One that was broken off goes on in the next `for`
    without workers; with workers, the next epoch begins.

    torchdata's StatefulDataLoader saves and loads where each worker is, in the middle of an epoch. Without workers,
    state_dict() and load_state_dict() do the same by themselves.
    """

    def __init__(self, table: Table, batch_size: int, columns: Names[str] | None = None, *,
                 rank: int | None = None, world_size: int | None = None, epoch: int = 0, **options: Any) -> None:
        distributed = torch.distributed.is_available() and torch.distributed.is_initialized()
        if rank is None:
            rank = torch.distributed.get_rank() if distributed else 0
        if world_size is None:
            world_size = torch.distributed.get_world_size() if distributed else 1
        self._loader = Loader(table, batch_size, columns, rank=rank, world_size=world_size, epoch=epoch, out="torch",
                              **options)
        self._options = dict(options, table=table, batch_size=batch_size, columns=columns, out="torch")
        self._worker: tuple[int, int] | None = None  # process and worker whose loader this is
        self._passes = _Passes(epoch)
        self._begun = 0  # number of passes begun in this process
        self._goes_on = False

    def __repr__(self) -> str:
        return f"<heron.torch.IterableDataset of {self._loader!r}>"

    def __iter__(self) -> Iterator[Any]:
        loader, info = self._here()
        if info is None:
            yield from loader
            return
        self._begun += 1
        this_pass = zlib.crc32(f"{info.seed - info.id} {self._begun}".encode()) >> 1 | 1  # 31 bits, not 0
        if self._goes_on:
            self._passes.record(this_pass, loader.epoch, info.id)
        else:
            loader.set_epoch(self._passes.epoch_of(this_pass, info.id))
        self._goes_on = False
        state = loader.state_dict()
        for batch in loader:
            state["batches"] += 1
            yield batch
        loader.load_state_dict(state)  # this worker is at its end, while others are not

    def set_epoch(self, epoch: int) -> None:
        """Makes the next `for` begin this epoch, in workers that are running as well."""
        self._loader.set_epoch(epoch)
        self._passes.set_next(epoch)

    def state_dict(self) -> dict[str, Any]:
        """Returns the position of this process; see heron.Loader."""
        return self._here()[0].state_dict()

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Resumes where state_dict() was called."""
        loader = self._here()[0]
        loader.load_state_dict(state)
        self._goes_on = True

    def _here(self):
        """Returns the loader of this process, and torch's information on the worker, if the process is one."""
        info = torch.utils.data.get_worker_info()
        if info is None:
            return self._loader, None
        if info.num_workers > _MAX_WORKERS:
            raise ArgumentError(f"num_workers: expected at most {_MAX_WORKERS}, got {info.num_workers}")
        me = (os.getpid(), info.id)
        if self._worker != me:
            own = self._loader
            self._loader = Loader(**self._options, rank=own.rank * info.num_workers + info.id,
                                  world_size=own.world_size * info.num_workers, epoch=own.epoch)
            self._worker, self._begun = me, 0
        return self._loader, info


class _Passes:
    """Counts the epochs, the passes of a DataLoader over its dataset, in memory that its workers share.

    They agree without a lock: a worker takes the epoch that another has recorded for the same pass, or else the one
    after the last that was recorded, which those that look before it is recorded find as well. A record is one
    number, written at once. Each worker keeps its last ones: of passes that run at the same time.
    """

    _KEPT = 8

    def __init__(self, epoch: int) -> None:
        self._records = torch.zeros(_MAX_WORKERS + 1, self._KEPT, dtype=torch.int64).share_memory_()
        self.set_next(epoch)

    def set_next(self, epoch: int) -> None:
        records = torch.zeros_like(self._records)
        records[_MAX_WORKERS, 0] = epoch
        self._records.copy_(records)

    def record(self, this_pass: int, epoch: int, worker: int) -> None:
        own = self._records[worker]
        own[int((own & 0x7FFFFFFF).argmin())] = this_pass << 31 | (epoch + 1)

    def epoch_of(self, this_pass: int, worker: int) -> int:
        records = self._records[self._records != 0]
        same = records[records >> 31 == this_pass]
        found = same[0] - 1 if len(same) else (records & 0x7FFFFFFF).max() if len(records) else 0
        epoch = int(found & 0x7FFFFFFF)
        self.record(this_pass, epoch, worker)
        return epoch

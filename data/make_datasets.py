#!/usr/bin/env python3
"""Makes the folders of data/arrow/datasets with Hugging Face's datasets, of fixed contents.

    data/make_datasets.py        (needs datasets 5.2)

saved: Dataset.save_to_disk(), two files; splits: DatasetDict.save_to_disk(); cache: what load_dataset() keeps. Row i has
id i and text "t" + str(i % 3); saved and train have 10 rows, test 3.
"""

import json
import pathlib
import shutil
import tempfile

import datasets

HERE = pathlib.Path(__file__).parent / "arrow/datasets"


def rows(count):
    return [{"id": i, "s": f"t{i % 3}"} for i in range(count)]


def main():
    datasets.disable_progress_bars()
    shutil.rmtree(HERE, ignore_errors=True)
    train, test = datasets.Dataset.from_list(rows(10)), datasets.Dataset.from_list(rows(3))
    train.save_to_disk(HERE / "saved", num_shards=2)
    datasets.DatasetDict({"train": train, "test": test}).save_to_disk(HERE / "splits", num_shards={"train": 2, "test": 1})
    with tempfile.TemporaryDirectory() as folder:
        files = {}
        for split, count in (("train", 10), ("test", 3)):
            files[split] = f"{folder}/{split}.json"
            pathlib.Path(files[split]).write_text(json.dumps(rows(count)), encoding="utf-8")
        loaded = datasets.load_dataset("json", data_files=files, cache_dir=f"{folder}/cache")
        loaded["train"].map(lambda row: {"double": 2 * row["id"]})  # writes cache-*.arrow, which is not of the dataset
        kept = pathlib.Path(loaded["train"].cache_files[0]["filename"]).parent
        info = json.loads((kept / "dataset_info.json").read_text(encoding="utf-8"))
        (HERE / "cache").mkdir()
        for path in sorted(kept.glob("*.arrow")):
            shutil.copy(path, HERE / "cache" / path.name.replace(path.stem, "cache-0" if path.name.startswith("cache-") else path.stem))
        (HERE / "cache/dataset_info.json").write_text(json.dumps(info, indent=1) + "\n", encoding="utf-8")


main()

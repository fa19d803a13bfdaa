#!/usr/bin/env python3
"""Trains logistic regression on random batches; killed at any moment, it goes on from its last checkpoint as if nothing
had happened: no row twice, none lost, the same weights.

    python3 resume.py TRAIN.jay CHECKPOINT.json FEATURES LABEL [EPOCHS]

FEATURES are names with commas between them. Prints the loss of each epoch and, at the end, the weights.
"""
import json
import os
import sys

import numpy

import heron


def save(path, **state):
    """Replaces the checkpoint at once: a process that is killed here leaves the one before."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(state, file)
    os.replace(path + ".new", path)


def main():
    file, checkpoint, features, label = sys.argv[1:5]
    epochs = int(sys.argv[5]) if len(sys.argv) > 5 else 3
    loader = heron.Loader(heron.open(file), 256, features.split(","), label=label, seed=1)
    weights, loss, rows = numpy.zeros(len(loader.columns) + 1), 0.0, 0
    if os.path.exists(checkpoint):
        with open(checkpoint, encoding="utf-8") as file:
            state = json.load(file)
        weights, loss, rows = numpy.array(state["weights"]), state["loss"], state["rows"]
        loader.load_state_dict(state["loader"])
        print(f"goes on in epoch {loader.epoch} after batch {state['loader']['batches']}", file=sys.stderr)
    while loader.epoch < epochs:
        epoch = loader.epoch
        for x, y in loader:
            x = numpy.column_stack([x, numpy.ones(len(x))])
            chance = 1 / (1 + numpy.exp(-x @ weights))
            loss -= float(numpy.log(numpy.where(y > 0, chance, 1 - chance)).sum())
            rows += len(x)
            weights += 0.5 * (y - chance) @ x / len(x)
            if loader.state_dict()["batches"] % 20 == 0:
                save(checkpoint, weights=weights.tolist(), loss=loss, rows=rows, loader=loader.state_dict())
        print(f"epoch {epoch}: {rows} rows, loss {loss / rows:.6f}", flush=True)
        loss, rows = 0.0, 0
        save(checkpoint, weights=weights.tolist(), loss=loss, rows=rows, loader=loader.state_dict())
    print("weights", *(repr(float(weight)) for weight in weights))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Trains logistic regression with Ray Train: a Loader a worker, each with its share of every epoch's rows.

    python3 ray_train.py TRAIN FEATURES LABEL [WORKERS [EPOCHS]]

TRAIN is a file, a folder or a pattern that all workers see; FEATURES are names with commas between them. After each epoch the
workers average their weights, and the first reports the loss over all rows. torch is not needed: with it, give the
same function to TorchTrainer and the loader's batches to the model.
"""
import sys
import time

import numpy
import ray
import ray.train
from ray.train.v2.api.data_parallel_trainer import DataParallelTrainer

import heron


@ray.remote(num_cpus=0)
class Mean:
    """Waits for a vector of every worker and answers with their mean."""

    def __init__(self, workers):
        self.workers, self.parts, self.means = workers, {}, {}

    def give(self, epoch, rank, vector):
        parts = self.parts.setdefault(epoch, {})
        parts[rank] = vector
        if len(parts) == self.workers:
            self.means[epoch] = sum(parts[i] for i in range(self.workers)) / self.workers

    def take(self, epoch):
        return self.means.get(epoch)


def train(config):
    context = ray.train.get_context()
    rank, world = context.get_world_rank(), context.get_world_size()
    data = heron.open(config["files"])
    loader = heron.Loader(data, 256, config["features"], label=config["label"], seed=1, rank=rank, world_size=world)
    weights = numpy.zeros(len(config["features"]) + 1)
    for epoch in range(config["epochs"]):
        loss, rows = 0.0, 0
        for x, y in loader:
            x = numpy.column_stack([x, numpy.ones(len(x))])
            chance = 1 / (1 + numpy.exp(-x @ weights))
            loss -= float(numpy.log(numpy.where(y > 0, chance, 1 - chance)).sum())
            rows += len(x)
            weights += 0.5 * (y - chance) @ x / len(x)
        mean = config["mean"]
        ray.get(mean.give.remote(epoch, rank, numpy.append(weights, [loss, rows])))
        while (found := ray.get(mean.take.remote(epoch))) is None:
            time.sleep(0.01)
        weights, loss, rows = found[:-2].copy(), found[-2], found[-1] * world
        ray.train.report({"epoch": epoch, "loss": loss * world / rows, "rows": int(rows)})


def main():
    train_files, features, label = sys.argv[1:4]
    workers = int(sys.argv[4]) if len(sys.argv) > 4 else 2
    epochs = int(sys.argv[5]) if len(sys.argv) > 5 else 3
    # Half a CPU each: in a small cluster the controller of Ray Train needs its own.
    ray.init(ignore_reinit_error=True, include_dashboard=False, log_to_driver=False)
    config = {"files": heron.listed(train_files), "features": features.split(","), "label": label, "epochs": epochs,
              "mean": Mean.remote(workers)}
    trainer = DataParallelTrainer(train, train_loop_config=config, scaling_config=ray.train.ScalingConfig(
        num_workers=workers, resources_per_worker={"CPU": 0.5}))
    trainer.fit()
    *weights, loss, rows = ray.get(config["mean"].take.remote(epochs - 1))
    print(f"epoch {epochs - 1}: {round(rows * workers)} rows, loss {loss / rows:.6f}")
    print("weights", *(f"{weight:.6f}" for weight in weights))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Trains a small neural network on random batches of a file, and says its error on rows it has not seen.

    python3 train_mlp.py TRAIN.jay FEATURES LABEL [EPOCHS]

FEATURES are names with commas between them; LABEL is a number. The last tenth of the rows tells. Needs torch.
"""
import sys
import time

import torch

import heron


def main():
    table, features, label = heron.open(sys.argv[1]), sys.argv[2].split(","), sys.argv[3]
    epochs = int(sys.argv[4]) if len(sys.argv) > 4 else 5
    held = slice(len(table) * 9 // 10, None)
    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Linear(len(features), 32), torch.nn.ReLU(), torch.nn.Linear(32, 1))
    adam = torch.optim.Adam(model.parameters(), lr=0.01)
    x_held = torch.from_numpy(table.matrix(held, features))
    y_held = torch.from_numpy(table.matrix(held, [label]))

    loader = heron.Loader(table, 256, features, label=label, rows=(0, held.start), seed=1, out="torch")
    for epoch in range(epochs):
        start, seen = time.perf_counter(), 0
        for x, y in loader:
            loss = torch.nn.functional.mse_loss(model(x), y[:, None].float())
            adam.zero_grad()
            loss.backward()
            adam.step()
            seen += len(x)
        with torch.no_grad():
            error = torch.nn.functional.mse_loss(model(x_held), y_held).sqrt()
        rate = seen / (time.perf_counter() - start)
        print(f"epoch {epoch}: {seen} rows, {rate:,.0f} rows/s, held-out error {error:.4f}")


if __name__ == "__main__":
    main()

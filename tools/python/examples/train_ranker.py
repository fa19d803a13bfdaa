#!/usr/bin/env python3
"""Trains LightGBM to rank the documents of queries, straight from a jforests file, and says the NDCG.

    python3 train_ranker.py RANKING.bin [ROUNDS]

The first four fifths of the queries train, the others tell. Needs lightgbm.
"""
import sys

import lightgbm
import numpy

import heron
import heron.lightgbm


def ndcg(labels, scores, at):
    """Returns the NDCG of one query; 1 if no order is better than another."""
    gains = 2.0 ** numpy.asarray(labels) - 1
    discounts = 1 / numpy.log2(numpy.arange(2, 2 + min(at, len(gains))))
    best = (numpy.sort(gains)[::-1][:at] * discounts).sum()
    return 1.0 if best == 0 else (gains[numpy.argsort(-scores, kind="stable")][:at] * discounts).sum() / best


def main():
    table = heron.open(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    label, query, *features = table.columns
    queries = numpy.append(0, numpy.flatnonzero(numpy.diff(table[query].to_numpy())) + 1)  # their first rows
    held = int(queries[len(queries) * 4 // 5])
    data = heron.lightgbm.dataset(table, features, label=label, rows=(0, held), params={"verbose": -1})
    model = lightgbm.train({"objective": "lambdarank", "verbose": -1, "num_threads": 2}, data, rounds)
    scores = model.predict(table.matrix(slice(held, None), features))
    labels = table[label][held:].to_numpy()
    ends = numpy.append(queries[queries > held], len(table)) - held
    found = [ndcg(labels[first:end], scores[first:end], 10) for first, end in zip(numpy.append(0, ends), ends)]
    print(f"{len(queries)} queries, {len(table)} documents; NDCG@10 of the last {len(found)} queries: {numpy.mean(found):.4f}")


if __name__ == "__main__":
    main()

"""The forests and points of data/balsa."""

import pathlib

import pytest

import heron

BALSA = pathlib.Path(__file__).resolve().parents[2] / "data" / "balsa"


def opened_file(name, **options):
    return heron.File(BALSA / f"{name}.balsa", **options)


def opened(name):
    return opened_file(name).table()


@pytest.fixture
def forest():
    return opened_file("f-fl32-5trees").forest()


@pytest.fixture
def points():
    """Returns the points of that forest, about 120 of 4 features, as float32."""
    return matrix_of(opened("f-fl32-points"), "float32")


def matrix_of(table, dtype="float64"):
    return table.matrix(dtype=dtype)

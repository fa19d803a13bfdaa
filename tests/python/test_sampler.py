"""The sampler's promise: golden rows, in plain Python and as the engine draws them."""
import json
import pathlib
import random

import pytest
import heron
from plain_sampler import PlainSampler

GOLDEN = json.loads((pathlib.Path(__file__).parents[1] / "sample" / "sampler_golden.json").read_text())


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: f"{golden['rows']}-{golden['position']}")
def test_golden_rows(golden):
    position, expected = golden["position"], golden["expected"]
    options = {name: value for name, value in golden.items() if name not in ("position", "expected", "world")}
    options["world_size"] = golden.get("world", 1)
    plain = PlainSampler(**options)
    assert [plain[position + i] for i in range(len(expected))] == expected
    assert heron.Sampler(**options).draw(position, len(expected)).tolist() == expected


def test_both_draw_the_same():
    chance = random.Random(5)
    for _ in range(300):
        rows = chance.choice([1, 7, 255, 256, 257, 10**6, chance.randrange(1, 2**62)])
        world = chance.randrange(1, 9)
        options = {"rows": rows, "seed": chance.getrandbits(64), "epoch": chance.getrandbits(64),
                   "replace": chance.random() < 0.3, "rank": chance.randrange(world), "world_size": world}
        plain, engine = PlainSampler(**options), heron.Sampler(**options)
        assert plain.size == engine.size
        if plain.size:
            position = chance.randrange(plain.size)
            count = min(20, plain.size - position)
            assert [plain[position + i] for i in range(count)] == engine.draw(position, count).tolist()

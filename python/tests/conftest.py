# SPDX-License-Identifier: Apache-2.0
"""Tables that several tests use."""

import random

import pytest

SEED = "5eed"


def make_patients(count=120):
    """Made-up patients: a dict of lists."""
    draw = random.Random(1)
    return {
        "name": [f"Name {number}" for number in range(count)],
        "age": [draw.randrange(20, 80) for _ in range(count)],
        "sex": [draw.choice(["female", "male"]) for _ in range(count)],
        "zip": [f"0{draw.randrange(1010, 1030)}" for _ in range(count)],
        "disease": [draw.choice(["flu", "gout", "asthma", None]) for _ in range(count)],
    }


RECIPE = {
    "identifier": "name",
    "quasi": ["age", "sex", "zip"],
    "sensitive": "disease",
    "hierarchies": {"zip": "mask", "age": "intervals:5,10,20"},
    "require": "k=5",
    "seed": SEED,
    "allow_experiment": True,
}


@pytest.fixture
def patients():
    return make_patients()


@pytest.fixture
def recipe():
    return dict(RECIPE)


@pytest.fixture
def two():
    """Keys of a release in two tables."""
    keys = dict(RECIPE, publish="two-tables", group="anatomy:l=2", require="l=2")
    del keys["hierarchies"]
    return keys

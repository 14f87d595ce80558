# SPDX-License-Identifier: Apache-2.0
"""Bauta turns a table about people into something that can be handed out.

>>> import bauta
>>> df = bauta.synth("census", rows=1000)
>>> release = bauta.anonymize(df, quasi=["age", "sex", "region"], sensitive="disease",
...                           drop="rest", require="k=5")
>>> release.audit().holds
True
>>> release.data.to_arrow().num_rows
1000

Whatever speaks Arrow goes in and comes out: pandas, polars, pyarrow, DuckDB. Nothing is written to
the disk unless asked. Keyword arguments are the keys of a recipe, which docs/recipe.md explains.
"""

from ._api import (
    anonymize,
    describe,
    hierarchy,
    list,
    open,
    recipe_for,
    synth,
    try_,
)
from ._core import version as _version
from ._errors import Cancelled, Error, Internal, Invalid, Notice, System, Unmet, Usage
from ._release import Release, Table, attack, audit, measure
from ._release import ask as query
from ._results import (
    Answer,
    Attack,
    Attacks,
    Audit,
    Description,
    Draft,
    Finding,
    Hierarchy,
    Listing,
    Measures,
    Record,
    Result,
    Results,
    Summary,
    Tries,
)

__version__ = _version()

__all__ = [
    "Answer",
    "Attack",
    "Attacks",
    "Audit",
    "Cancelled",
    "Description",
    "Draft",
    "Error",
    "Finding",
    "Hierarchy",
    "Internal",
    "Invalid",
    "Listing",
    "Measures",
    "Notice",
    "Record",
    "Release",
    "Result",
    "Results",
    "Summary",
    "System",
    "Table",
    "Tries",
    "Unmet",
    "Usage",
    "anonymize",
    "attack",
    "audit",
    "describe",
    "hierarchy",
    "list",
    "measure",
    "open",
    "query",
    "recipe_for",
    "synth",
    "try_",
]

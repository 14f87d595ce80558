# SPDX-License-Identifier: Apache-2.0
"""The keys of a recipe as keyword arguments. docs/recipe.md says what each of them means.

Types for checkers alone: what is passed goes to the library as it is, which knows its keys. A test
compares this list with the library's.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypedDict

if TYPE_CHECKING:
    from ._release import Release


class ArrowStream(Protocol):
    """Anything that hands out a stream of Arrow batches."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


class ArrowArray(Protocol):
    """Anything that hands out one Arrow array of structures."""

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]: ...


Path: TypeAlias = str | os.PathLike[str]
Table: TypeAlias = (
    ArrowStream
    | ArrowArray
    | Mapping[str, Iterable[Any]]
    | Iterable[Mapping[str, Any]]
    | Path
    | Iterable[Path]
)
Names: TypeAlias = str | Iterable[str]
Number: TypeAlias = int | float | str
ByColumn: TypeAlias = Mapping[str, Any] | Names
RecipeLike: TypeAlias = Path | Mapping[str, Any]
ReleaseLike: TypeAlias = "Release | Path"


class Keys(TypedDict, total=False):
    delimiter: str
    header: bool | str
    encoding: str
    decimal: str
    type: ByColumn
    missing_values: ByColumn
    missing: str
    quasi: Names
    sensitive: Names
    identifier: Names
    other: Names
    drop: Names
    columns: Mapping[str, Any]
    rest: str
    hierarchies: Mapping[str, Any]
    public_hierarchy: Names
    categories: ByColumn
    weight: ByColumn
    min_level: ByColumn
    max_level: ByColumn
    levels: ByColumn
    cut_points: ByColumn
    subject: Names
    subject_rows: str
    require: Names | Mapping[str, Any]
    joint: str
    group: str | Mapping[str, Any]
    publish: str | Mapping[str, Any]
    public: Table
    key: str
    join: str | Mapping[str, Any]
    on_conflict: str
    suppress: Number
    nodes: int
    time: Number
    accept: Names
    accept_other: Names
    unique_limit: Number
    previous: ReleaseLike | Iterable[ReleaseLike]
    plan: Path
    save_plan: Path
    seed_file: Path
    seed: str
    keep_mapping: bool
    spreadsheet_safe: bool
    force: bool
    allow_experiment: bool
    similarity: bool
    associations: str
    pairs: bool
    workload: str
    queries: int
    explain: bool
    estimator: str
    risk: bool
    risk_threshold: Number
    sampling_fraction: Number
    threads: int
    memory: Number
    tmp: Path

# SPDX-License-Identifier: Apache-2.0
"""Tables that go in: paths, whatever speaks Arrow, and plain Python values."""

from __future__ import annotations

import datetime
import decimal
import os
from collections.abc import Iterable, Mapping
from typing import Any

from ._core import Recipe
from ._errors import Usage

_SMALL = range(-(2**63), 2**63)  # what an int64 holds


def text_of(value: object) -> str | None:
    """A number, a date or a text as a CSV file would hold it; None is missing."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float | decimal.Decimal):
        exact = decimal.Decimal(repr(value)) if isinstance(value, float) else value
        return None if exact.is_nan() else format(exact.normalize(), "f")
    if isinstance(value, int):
        return str(value)
    if isinstance(value, datetime.date):  # a datetime is one, too
        return value.isoformat()
    item = getattr(value, "item", None)
    if item is not None:  # a scalar of numpy
        return text_of(item())
    raise TypeError(type(value).__name__)


def _plain(name: str, values: list[Any]) -> list[Any]:
    """A column that the extension takes: all int, all float or all str, with None."""
    kinds = {type(value) for value in values} - {type(None)}
    if kinds <= {str} or kinds == {float}:
        return values
    if kinds == {int} and all(value is None or value in _SMALL for value in values):
        return values
    try:
        return [text_of(value) for value in values]
    except TypeError as error:
        raise Usage(
            f"values of the type {error} are not read",
            column=name,
            hint="text, numbers, bool, dates and None are",
        ) from None


def _columns(table: Mapping[str, Iterable[Any]]) -> dict[str, list[Any]]:
    columns = {str(name): list(values) for name, values in table.items()}
    lengths = {len(values) for values in columns.values()}
    if len(lengths) > 1:
        raise Usage("the columns of the table are not of one length")
    return {name: _plain(name, values) for name, values in columns.items()}


def _records(table: list[Mapping[str, Any]]) -> dict[str, list[Any]]:
    names = dict.fromkeys(name for record in table for name in record)
    return _columns({name: [record.get(name) for record in table] for name in names})


def add(recipe: Recipe, table: Any, name: str) -> list[str]:
    """Gives a recipe a table; what the library may call it. Of a list of paths, each."""
    if isinstance(table, str | os.PathLike):
        return [os.fspath(table)]
    if hasattr(table, "__arrow_c_stream__"):
        names = getattr(getattr(table, "index", None), "names", None)
        if names is not None and not any(names):  # row labels of pandas are no column
            table = table.reset_index(drop=True)
        recipe.add_stream(name, table.__arrow_c_stream__())
    elif hasattr(table, "__arrow_c_array__"):
        recipe.add_array(name, *table.__arrow_c_array__())
    elif isinstance(table, Mapping):
        recipe.add_columns(name, _columns(table))
    elif isinstance(table, Iterable):
        items = list(table)
        if items and all(isinstance(item, Mapping) for item in items):
            recipe.add_columns(name, _records(items))
        elif items and all(isinstance(item, str | os.PathLike) for item in items):
            return [os.fspath(item) for item in items]
        else:
            raise Usage(f"'{name}' is a list, but not of records or of paths")
    else:
        raise Usage(
            f"'{name}' is no table: {type(table).__name__}",
            hint="a table speaks Arrow, or is a dict of lists, a list of dicts or a path",
        )
    return [f"arrow:{name}"]


def rows_of(table: Any) -> list[list[str]]:
    """The rows of a small table, a hierarchy, as texts."""
    if isinstance(table, Mapping):
        rows: Iterable[Any] = zip(*table.values(), strict=True)
    elif hasattr(table, "itertuples"):  # pandas
        rows = table.itertuples(index=False)
    elif hasattr(table, "rows"):  # polars, narwhals
        rows = table.rows()
    elif hasattr(table, "fetchall"):  # DuckDB
        rows = table.fetchall()
    elif hasattr(table, "to_pylist"):  # pyarrow
        rows = (record.values() for record in table.to_pylist())
    else:
        rows = table
    return [[text_of(cell) or "" for cell in row] for row in rows]

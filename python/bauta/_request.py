# SPDX-License-Identifier: Apache-2.0
"""From the arguments of a call to a recipe of the library.

Keyword arguments are keys of the recipe. They go to the library as a YAML text with a key on each
line, so that it alone knows what they mean, and a complaint about a line is one about an argument.
"""

from __future__ import annotations

import csv
import decimal
import io
import json
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from . import _core, _progress, _tables
from ._errors import Error, Invalid, Notice, Usage, _again, argument

_ARGUMENTS = "arguments"  # stands for the file that keyword arguments are read from
_KEYS = {argument(key[0]): key[0] for key in _core.recipe_keys()}
_PLACE = re.compile(r"line (\d+), column \d+: ")
_HERE = os.path.dirname(__file__)

T = TypeVar("T")


def _plain(value: Any) -> Any:
    """What JSON has a word for."""
    if value is None or isinstance(value, bool | str | int):
        return value
    if isinstance(value, float | decimal.Decimal):
        return _tables.text_of(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Iterable):
        return [_plain(item) for item in value]
    return _tables.text_of(value)


class Request:
    """A recipe in the making, and the call that it is made for."""

    def __init__(self, progress: _progress.Progress = None) -> None:
        self.core = _core.Recipe()
        self._lines: list[str] = []
        self._names: set[str] = set()
        self._watcher = _progress.watcher(progress)
        self.core.watch(self._watcher, _warn)

    # ---- what goes in ----

    def _free(self, name: str) -> str:
        number = 1
        while (free := name if number == 1 else f"{name}{number}") in self._names:
            number += 1
        self._names.add(free)
        return free

    def tables(self, name: str, table: Any) -> list[str]:
        """What the library calls a table, or each of a list of paths."""
        return _tables.add(self.core, table, self._free(name))

    def input(self, name: str, table: Any) -> None:
        if table is not None:
            for place in self.tables(name, table):
                self.core.set("input", place)

    def release(self, release: Any, name: str = "release") -> str:
        """What the library calls a release: a path, or one in memory."""
        store = getattr(release, "_store", None)
        if store is None:
            path: str = os.fspath(getattr(release, "_path", release))
            return path
        name = self._free(name)
        self.core.add_store(name, store)
        return f"store:{name}"

    def _special(self, key: str, value: Any) -> Any:
        """Values that a YAML text cannot hold: tables and releases."""
        if key == "hierarchy" and isinstance(value, Mapping):
            return {
                str(column): spec
                for column, given in value.items()
                if (spec := self._hierarchy(str(column), given)) is not None
            }
        if key == "public":
            return self.tables("public", value)
        if key == "previous":
            several = isinstance(value, Iterable) and not isinstance(value, str)
            return [self.release(one, "previous") for one in (value if several else [value])]
        return _plain(value)

    def _hierarchy(self, column: str, given: Any) -> Any:
        if isinstance(given, Mapping):
            return _plain(given if set(given) == {"tree"} else {"tree": given})
        if isinstance(given, str | os.PathLike):
            return os.fspath(given)
        text = io.StringIO()
        csv.writer(text, delimiter=";", lineterminator="\n").writerows(_tables.rows_of(given))
        self.core.set_text("hierarchy", column, text.getvalue())
        return None

    def keys(self, keys: Mapping[str, Any]) -> None:
        """Keyword arguments; None is none."""
        given = {name: value for name, value in keys.items() if value is not None}
        pairs = []
        for name, value in given.items():
            key = _KEYS.get(name, name.replace("_", "-"))
            pairs.append((key, self._special(key, value)))
        self._lines = list(given)
        if pairs:
            rows = [f"{_json(key)}: {_json(value)}" for key, value in pairs]
            text = "{\n" + ",\n".join(rows) + "\n}\n"
            self.call(self.core.load_text, text, _ARGUMENTS)

    def recipe(self, recipe: Any) -> None:
        """A recipe as a dict, as YAML text, or as the name of a file."""
        if recipe is None:
            return
        if isinstance(recipe, Mapping):
            text = "\n".join(f"{_json(key)}: {_json(_plain(recipe[key]))}" for key in recipe)
            self.call(self.core.load_text, text, "recipe")
        elif isinstance(recipe, str) and re.search(r"[\n{]|: ", recipe):
            self.call(self.core.load_text, recipe, "recipe")
        elif isinstance(recipe, str | os.PathLike):
            self.call(self.core.load, os.fspath(recipe))
        else:
            self.call(self.core.load_text, str(recipe), "recipe")

    # ---- the call ----

    def call(self, method: Callable[..., T], *arguments: Any) -> T:
        """Calls the library, whose complaints are then about arguments."""
        try:
            return method(*arguments)
        except Error as error:
            raise self._respell(error) from None
        finally:
            if isinstance(self._watcher, _progress.Bar):
                self._watcher.close()

    def _respell(self, error: Error) -> Error:
        kind, message, file = type(error), error.message, error.file
        place = _PLACE.match(message) if file == _ARGUMENTS else None
        if place:
            name = self._lines[min(max(int(place[1]) - 2, 0), len(self._lines) - 1)]
            message = f"{name}: {message[place.end() :]}"
            kind = Usage if kind is Invalid else kind
        for name in self._names:
            message = message.replace(f"arrow:{name}", name).replace(f"store:{name}", name)
            file = name if file in (f"arrow:{name}", f"store:{name}") else file
        file = None if file == _ARGUMENTS else file
        return _again(kind, message, file, error.row, error.column, error.hint)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _warn(text: str) -> None:
    """A notice of the library, as a warning about the line that called this package."""
    depth, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HERE):
        depth, frame = depth + 1, frame.f_back
    warnings.warn(text, Notice, stacklevel=depth)

# SPDX-License-Identifier: Apache-2.0
"""What the commands answer: the keys of their JSON as attributes, and their text.

The attributes that are named here are there for checkers and readers; a result has every key that
the library answered, and None for one that it did not.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, TypeVar, overload

from . import _html
from ._errors import spell


class Record(dict[str, Any]):
    """A part of an answer: a dict whose keys are attributes, too."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


def _wrap(value: Any) -> Any:
    if isinstance(value, dict):
        return Record({key: _wrap(item) for key, item in value.items()})
    if isinstance(value, list):
        return [_wrap(item) for item in value]
    return value


class Result:
    """An answer. `str` is what the command prints, `to_dict()` what it prints as JSON."""

    _words: ClassVar[Callable[[str], str]] = staticmethod(spell)

    charts: str = ""
    """The library's charts of this answer, as HTML with SVG; what a notebook shows."""

    def __init__(self, value: dict[str, Any], text: str) -> None:
        self._value = value
        self._text = text
        for key, item in value.items():
            setattr(self, key.replace("-", "_"), _wrap(item))

    def to_dict(self) -> dict[str, Any]:
        """The answer as the command gives it in JSON."""
        copy: dict[str, Any] = json.loads(json.dumps(self._value))
        return copy

    def __str__(self) -> str:
        return self._text.rstrip("\n")

    def __repr__(self) -> str:
        shown = [
            f"{key}={item!r}"
            for key, item in self._value.items()
            if isinstance(item, bool | int | float)
        ]
        return f"<bauta.{type(self).__name__} {', '.join(shown)}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Result) and self._value == other._value

    __hash__ = None  # type: ignore[assignment]

    def _repr_html_(self) -> str:
        return _html.page(_html.text(str(self)))


class Summary(Result):
    """What `anonymize` did: counts, classes, losses, times, and what is protected."""

    def __init__(self, value: dict[str, Any], text: str) -> None:
        lines = [line for line in text.splitlines() if not line.startswith("next:")]
        value.pop("next", None)  # a line for a shell
        super().__init__(value, "\n".join(lines))

    rows: int
    published: int
    suppressed: int
    classes: int | None = None
    smallest_class: int | None = None
    measures: Record
    seconds: Record
    requirements: list[str]
    method: str | None = None
    form: str
    experiment: bool
    protected: str
    not_protected: str

    def _repr_html_(self) -> str:
        return _html.page(_html.summary(self._value, self.charts))


class Finding(Result):
    """One promise, and whether it holds: True, False or "unverifiable"."""

    promise: str
    holds: bool | str
    detail: str


class Audit(Result):
    """Whether a release keeps its promises; false as a condition when it does not."""

    holds: bool
    form: str
    not_protected: str
    findings: list[Finding]

    def __init__(self, value: dict[str, Any], text: str) -> None:
        super().__init__(value, text)
        self.findings = [Finding(item, item["detail"]) for item in value["findings"]]

    def __bool__(self) -> bool:
        return self.holds

    def _repr_html_(self) -> str:
        return _html.page(_html.findings(self._value))


class Answer(Result):
    """An estimate, and bounds between which the true answer over the published rows lies."""

    query: str
    estimate: float | None = None
    lower: float | str | None = None
    upper: float | str | None = None
    tight: bool | None = None

    def _repr_html_(self) -> str:
        return _html.page(_html.pairs(self._value))


class Measures(Result):
    """What a release lost against the original."""

    release: str
    rows: int
    published: int
    ncp: float | None = None
    ncp_by_column: Record
    discernibility: float | None = None
    average_class: float | None = None
    distortion_ratio: float | None = None
    class_sizes: Record

    def __init__(self, value: dict[str, Any], text: str) -> None:
        value["release"] = value["release"].removeprefix("store:")  # as the text has it
        super().__init__(value, text)

    def _repr_html_(self) -> str:
        return _html.page(_html.measures(self._value) + self.charts)


class Attack(Result):
    """One attack: how often it succeeds, and what the release allows."""

    attack: str
    variant: str | None = None
    column: str | None = None
    knows: str | None = None
    tries: str | None = None
    success: float | None = None
    chance: float | None = None
    worst: float | None = None
    allowed: float | None = None
    holds: bool | None = None


R = TypeVar("R", bound=Result)


class Results(Sequence[R]):
    """Several answers, and the text of all of them."""

    charts: str = ""
    """The library's charts of these answers, as HTML with SVG; what a notebook shows."""

    def __init__(self, items: list[R], text: str) -> None:
        self._items = items
        self._text = text

    @overload
    def __getitem__(self, index: int) -> R: ...
    @overload
    def __getitem__(self, index: slice) -> list[R]: ...
    def __getitem__(self, index: int | slice) -> R | list[R]:
        return self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[R]:
        return iter(self._items)

    def to_dict(self) -> list[dict[str, Any]]:
        """The answers as the command gives them in JSON."""
        return [item.to_dict() for item in self._items]

    def __str__(self) -> str:
        return self._text.rstrip("\n")

    def __repr__(self) -> str:
        return f"<bauta.{type(self).__name__} of {len(self)}>"

    def _repr_html_(self) -> str:
        return _html.page(_html.rows([item._value for item in self._items]))


class Attacks(Results[Attack]):
    """What was tried, broken promises first; false as a condition when one is broken."""

    @property
    def holds(self) -> bool:
        """Whether no attack found out more than the release allows."""
        return all(attack.holds is not False for attack in self._items)

    def __bool__(self) -> bool:
        return self.holds

    def _repr_html_(self) -> str:
        return _html.page(_html.attacks([item._value for item in self._items]) + self.charts)


class Tries(Result):
    """A table of settings, side by side."""

    tries: list[Record]

    def table(self) -> list[dict[str, Any]]:
        """A row for each setting, as pandas.DataFrame and polars.DataFrame take it."""
        rows = []
        for item in self._value.get("tries", [self._value]):
            row = {key: value for key, value in item.items() if not isinstance(value, dict)}
            for key, value in item.get("measures", {}).items():
                if not isinstance(value, dict | list):
                    row[key] = value
            rows.append(row)
        return rows

    def _repr_html_(self) -> str:
        hidden = {"rows", "published", "discernibility", "average_class", "distortion_ratio"}
        shown = [{k: v for k, v in row.items() if k not in hidden} for row in self.table()]
        return _html.page(_html.rows(shown) + self.charts)


class Description(Result):
    """Columns, distinct values, uniqueness, and what singles people out."""

    rows: int
    columns: list[Record]
    quasi: Record
    singling_out: list[Record]
    follows: list[Record]
    notes: list[str]

    def _repr_html_(self) -> str:
        return _html.page(_html.description(self._value) + self.charts)


class Draft(Result):
    """A recipe with guessed roles, in YAML with a comment on each guess. `str` is the recipe."""

    recipe: str
    _words: ClassVar[Callable[[str], str]] = staticmethod(str)  # the recipe as it is


class Hierarchy(Result):
    """The hierarchy of a column."""

    column: str
    hierarchy: str
    levels: int
    leaves: int
    nodes: int
    per_level: list[Record]
    text: str
    """The tree, a line for each node."""


class Listing(Result):
    """What a registry holds."""

    registry: str
    entries: list[Record]

    def _repr_html_(self) -> str:
        return _html.page(_html.rows(self._value.get("entries", [self._value])))


def read(kind: type[R], report: tuple[int, str, str, str]) -> R:
    """A report of the library as a result."""
    result = kind(json.loads(report[1]), kind._words(report[2]).replace("store:", ""))
    result.charts = report[3]
    return result

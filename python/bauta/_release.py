# SPDX-License-Identifier: Apache-2.0
"""Releases, and their tables."""

from __future__ import annotations

import csv
import json
import os
from typing import TYPE_CHECKING, Any, TypeAlias, overload

from . import _core, _html
from ._errors import Usage
from ._request import Request
from ._results import Answer, Attacks, Audit, Measures, Results, Summary, read

if TYPE_CHECKING:
    from typing import Unpack

    import pandas
    import polars
    import pyarrow

    from ._keys import Keys, Names, Path, ReleaseLike
    from ._keys import Table as TableIn

Several: TypeAlias = "list[str] | tuple[str, ...]"

_HEAD = 10  # rows that a notebook shows


class Table:
    """A table of a release. It speaks Arrow: whatever takes an Arrow stream takes it as it is.

    >>> import bauta
    >>> release = bauta.anonymize(bauta.synth("census", rows=500), quasi=["age", "sex"],
    ...                           sensitive="disease", drop="rest", require="k=5")
    >>> release.data
    <bauta.Table 'data': age, sex, disease>
    >>> release.data.to_arrow().num_rows
    500
    """

    def __init__(self, release: Release, name: str, ranges: bool = False) -> None:
        self._release = release
        self.name = name
        self._ranges = ranges

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._release._open().table(self.name, self._ranges)

    def to_arrow(self) -> pyarrow.Table:
        """The table as a pyarrow.Table."""
        import pyarrow

        return pyarrow.table(self)

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a pandas.DataFrame."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """The table as a polars.DataFrame."""
        import polars

        return polars.DataFrame(self)

    def with_ranges(self) -> Table:
        """The table with two more columns, `…_lo` and `…_hi`, after each one of ranges."""
        return Table(self._release, self.name, ranges=True)

    def _head(self, count: int) -> list[list[str]]:
        text = self._release.read(f"{self.name}.csv")[:65536].decode("utf-8", "replace")
        lines = csv.reader(text.splitlines(keepends=True))
        return [line for line, _ in zip(lines, range(count), strict=False)]

    def __repr__(self) -> str:
        return f"<bauta.Table '{self.name}': {', '.join(self._head(1)[0])}>"

    def _repr_html_(self) -> str:
        head, *body = self._head(_HEAD + 1)
        return _html.page(_html.table(head, body))


class Release:
    """A release: in memory as `anonymize` made it, or in a folder as `open` found it.

    Its tables are attributes: `data`; or `quasi` and `sensitive`, and `bounds`.
    """

    def __init__(
        self, store: _core.Store | None, path: str | None, summary: Summary | None
    ) -> None:
        self._store = store
        self._path = path
        self._opened: _core.Release | None = None
        self.summary = summary

    def _open(self) -> _core.Release:
        if self._opened is None:
            request = Request(progress=False)
            self._opened = request.call(_core.Release, request.release(self), request.core)
        return self._opened

    # ---- what it holds ----

    def files(self) -> list[str]:
        """The names of the files that are handed out."""
        if self._store is None:
            return sorted(os.listdir(self._path))
        return [name[8:] for name in self._store.files() if name.startswith("publish/")]

    def read(self, file: str) -> bytes:
        """The bytes of a file that is handed out."""
        if self._store is not None:
            return self._store.read(f"publish/{file}")
        if file not in self.files():
            raise Usage(f"the release has no file '{file}'")
        with open(os.path.join(self._path or "", file), "rb") as source:
            return source.read()

    @property
    def manifest(self) -> dict[str, Any]:
        """What the release says of itself."""
        manifest: dict[str, Any] = json.loads(self.read("manifest.json"))
        return manifest

    @property
    def tables(self) -> list[str]:
        """The names of its tables."""
        return self._open().tables()

    def table(self, name: str, *, ranges: bool = False) -> Table:
        """A table by its name, with `ranges` as `Table.with_ranges` has it."""
        if name not in self.tables:
            raise Usage(
                f"the release has no table '{name}'", hint=f"it has {', '.join(self.tables)}"
            )
        return Table(self, name, ranges)

    def _attribute(self, name: str) -> Table:
        if name not in self.tables:
            raise AttributeError(f"the release has no table '{name}', but {self.tables}")
        return Table(self, name)

    @property
    def data(self) -> Table:
        """The table `data`, of forms that publish one."""
        return self._attribute("data")

    @property
    def quasi(self) -> Table:
        """The table `quasi`, of forms that publish sensitive values apart."""
        return self._attribute("quasi")

    @property
    def sensitive(self) -> Table:
        """The table `sensitive`, of forms that publish sensitive values apart."""
        return self._attribute("sensitive")

    @property
    def bounds(self) -> Table:
        """The table `bounds`, of the form `distribution`."""
        return self._attribute("bounds")

    # ---- what can be done with it ----

    def save(self, path: Path, *, replace: bool = False) -> None:
        """Writes the folders `publish` and `private` to a folder, as the command would have."""
        if self._store is None:
            raise Usage("the release is in a folder already")
        self._store.save(path, replace)

    def audit(self, original: TableIn | None = None, **keys: Unpack[Keys]) -> Audit:
        """Recomputes every promise, see `bauta.audit`."""
        return audit(self, original, **keys)

    def measure(self, original: TableIn, **keys: Unpack[Keys]) -> Measures:
        """What was lost against the original, see `bauta.measure`."""
        return measure(self, original, **keys)

    def attack(self, original: TableIn, **more: Any) -> Attacks:
        """What can be found out, see `bauta.attack`."""
        return attack(self, original, **more)

    @overload
    def query(self, query: str, **keys: Unpack[Keys]) -> Answer: ...
    @overload
    def query(self, query: Several, **keys: Unpack[Keys]) -> Results[Answer]: ...
    def query(self, query: str | Several, **keys: Unpack[Keys]) -> Answer | Results[Answer]:
        """Answers questions, see `bauta.query`."""
        if isinstance(query, str) and not keys:
            return read(Answer, self._open().query(query))
        return ask(self, query, **keys)

    def __repr__(self) -> str:
        place = f" at {self._path!r}" if self._path else " in memory"
        return f"<bauta.Release{place}: {', '.join(self.tables)}>"

    def _repr_html_(self) -> str:
        if self.summary is not None:
            return self.summary._repr_html_()
        return _html.page(_html.text(repr(self)))


# ---- the commands about releases ----


def _request(original: Any, recipe: Any, keys: Any, progress: Any) -> Request:
    request = Request(progress)
    request.input("original", original)
    request.keys(keys)
    request.recipe(recipe)
    return request


def audit(
    release: ReleaseLike,
    original: TableIn | None = None,
    recipe: Any = None,
    *,
    progress: Any = None,
    **keys: Unpack[Keys],
) -> Audit:
    """Recomputes every promise of a release from its published files alone.

    With the original records it also looks whether the published cells cover these, no more and
    no fewer. The result is false as a condition when a promise is broken.

    >>> import bauta
    >>> census = bauta.synth("census", rows=500)
    >>> release = bauta.anonymize(census, quasi=["age", "sex"], sensitive="disease",
    ...                           drop="rest", require="k=5")
    >>> bauta.audit(release, census).holds
    True
    """
    request = _request(original, recipe, keys, progress)
    return read(Audit, request.call(request.core.audit, request.release(release)))


def measure(
    release: ReleaseLike,
    original: TableIn | None = None,
    recipe: Any = None,
    *,
    progress: Any = None,
    **keys: Unpack[Keys],
) -> Measures:
    """What a release lost against the original: NCP in all and by column, and more.

    >>> import bauta
    >>> census = bauta.synth("census", rows=500)
    >>> release = bauta.anonymize(census, quasi=["age", "sex"], sensitive="disease",
    ...                           drop="rest", require="k=5")
    >>> 0 < bauta.measure(release, census).ncp < 1
    True
    """
    request = _request(original, recipe, keys, progress)
    return read(Measures, request.call(request.core.measure, [request.release(release)]))


def attack(
    release: ReleaseLike,
    original: TableIn | None = None,
    recipe: Any = None,
    *,
    know: Names | None = None,
    other_release: ReleaseLike | None = None,
    members: int | None = None,
    attacks: Names | None = None,
    all: bool = False,
    progress: Any = None,
    **keys: Unpack[Keys],
) -> Attacks:
    """Tries known attacks on a release, with the original records as the truth.

    Args:
        know: the columns that the attacker knows (default: all quasi ones)
        other_release: another release that the attacker has
        members: how many others of a class the attacker knows
        attacks: only these; `bauta.list("attacks")` names them
        all: say also of attacks that do not apply why not

    The result is false as a condition when an attack found out more than the release allows.

    >>> import bauta
    >>> census = bauta.synth("census", rows=500)
    >>> release = bauta.anonymize(census, quasi=["age", "sex"], sensitive="disease",
    ...                           drop="rest", require="k=5")
    >>> bauta.attack(release, census, attacks="re-identification").holds
    True
    """
    request = _request(original, recipe, keys, progress)
    pairs = []
    for name, value in (("know", know), ("attack", attacks), ("members", members)):
        if value is not None:
            listed = value if isinstance(value, str | int) else ",".join(map(_escaped, value))
            pairs.append(f"{name}={listed}")
    if other_release is not None:
        pairs.append(f"other-release={request.release(other_release, 'other_release')}")
    if all:
        pairs.append("all=yes")
    report = request.call(request.core.attack, request.release(release), pairs)
    from ._results import Attack

    results = Attacks([Attack(item, "") for item in json.loads(report[1])], report[2])
    results.charts = report[3]
    return results


def _escaped(name: str) -> str:
    return name.replace("\\", "\\\\").replace(",", "\\,")


@overload
def ask(release: ReleaseLike, query: str, **keys: Unpack[Keys]) -> Answer: ...
@overload
def ask(release: ReleaseLike, query: Several, **keys: Unpack[Keys]) -> Results[Answer]: ...
def ask(
    release: ReleaseLike, query: str | Several, **keys: Unpack[Keys]
) -> Answer | Results[Answer]:
    """Answers questions over a release from its published files alone.

    An answer is an estimate, and an interval that contains the true answer over the published
    records. docs/query.md has the language.

    >>> import bauta
    >>> release = bauta.anonymize(bauta.synth("census", rows=500), quasi=["age", "sex"],
    ...                           sensitive="disease", drop="rest", require="k=5")
    >>> answer = bauta.query(release, "SELECT COUNT(*) WHERE age < 40")
    >>> answer.lower <= answer.estimate <= answer.upper
    True
    """
    request = _request(None, None, keys, False)
    queries = [query] if isinstance(query, str) else list(query)
    report = request.call(request.core.query, request.release(release), queries)
    answers = [Answer(item, report[2]) for item in json.loads(report[1])]
    return answers[0] if isinstance(query, str) else Results(answers, report[2])

# SPDX-License-Identifier: Apache-2.0
"""The commands about tables: each makes a request, calls the library once, and reads the answer."""

from __future__ import annotations

import builtins
import csv
import io
import json
import os
import threading
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from . import _core
from ._errors import spell
from ._release import Release
from ._request import Request
from ._results import Description, Draft, Hierarchy, Listing, Summary, Tries, read

if TYPE_CHECKING:
    from typing import Unpack

    from ._keys import Keys, Path, RecipeLike, Table
    from ._progress import Progress


def _request(table: Any, recipe: Any, progress: Any, keys: Mapping[str, Any]) -> Request:
    request = Request(progress)
    request.input("table", table)
    request.keys(keys)
    request.recipe(recipe)
    return request


def anonymize(
    table: Table | None = None,
    recipe: RecipeLike | Draft | None = None,
    *,
    progress: Progress = None,
    **keys: Unpack[Keys],
) -> Release:
    """Groups the records of a table, publishes the groups, and audits what was published.

    Args:
        table: anything that speaks Arrow, a dict of lists, a list of dicts, a path or several
        recipe: a dict, YAML text, the name of a file, or what `recipe_for` made
        progress: True, False, or who is called with stage, done and total, and stops the work by
            returning False (default: a bar in terminals and notebooks)
        **keys: the keys of a recipe; they win over the recipe

    Raises:
        Unmet: the requirements cannot be met
        Invalid: the table or the recipe is invalid

    >>> import bauta
    >>> patients = {"age": [34, 36, 47, 41] * 3, "disease": ["flu", "gout", "flu", None] * 3}
    >>> release = bauta.anonymize(patients, quasi="age", sensitive="disease", require="k=3")
    >>> release.summary.classes
    4
    """
    request = _request(table, recipe, progress, keys)
    store = _core.Store()
    request.core.add_store("memory", store)
    summary = read(Summary, request.call(request.core.anonymize, "store:memory"))
    return Release(store, None, summary)


def open(path: Path) -> Release:
    """Opens a release that is in a folder, `OUT/publish`.

    >>> import bauta, tempfile, os
    >>> release = bauta.anonymize({"age": [34, 36, 47, 41] * 3}, quasi="age", require="k=3")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     release.save(os.path.join(folder, "out"))
    ...     bauta.open(os.path.join(folder, "out", "publish")).audit().holds
    True
    """
    release = Release(None, os.fspath(path), None)
    release._open()
    return release


def describe(
    table: Table | None = None,
    recipe: RecipeLike | Draft | None = None,
    *,
    progress: Progress = None,
    **keys: Unpack[Keys],
) -> Description:
    """Columns, types, distinct values, uniqueness, and what singles people out.

    >>> import bauta
    >>> bauta.describe(bauta.synth("census", rows=500)).rows
    500
    """
    request = _request(table, recipe, progress, keys)
    return read(Description, request.call(request.core.describe))


def recipe_for(
    table: Table | None = None, *, progress: Progress = None, **keys: Unpack[Keys]
) -> Draft:
    """A recipe with guessed roles, types and hierarchies; each guess says why.

    `print` it, change what is wrong, and hand it to `anonymize`, whose keywords win over it.

    >>> import bauta
    >>> census = bauta.synth("census", rows=500)
    >>> draft = bauta.recipe_for(census)
    >>> release = bauta.anonymize(census, draft, require="k=5")
    """
    request = _request(table, None, progress, keys)
    return read(Draft, request.call(request.core.init))


def hierarchy(
    table: Table | None,
    column: str,
    recipe: RecipeLike | Draft | None = None,
    *,
    path: Path | None = None,
    **keys: Unpack[Keys],
) -> Hierarchy:
    """Builds the hierarchy of a column, checks it, and shows it; with `path` writes it to a file.

    >>> import bauta
    >>> table = {"zip": ["1010", "1011", "1020"]}
    >>> print(bauta.hierarchy(table, "zip", hierarchies={"zip": "mask"}).text)
    *  (3 values)
      1***  (3 values)
        10**  (3 values)
          101*  (2 values)
            1010
            1011
          102*  (1 value)
            1020
    """
    request = _request(table, recipe, False, keys)
    written = () if path is None else (os.fspath(path),)
    return read(Hierarchy, request.call(request.core.hierarchy, column, *written))


def try_(
    table: Table | None = None,
    recipe: RecipeLike | Draft | None = None,
    tries: str | Mapping[str, Any] | None = None,
    *,
    progress: Progress = None,
    **keys: Unpack[Keys],
) -> Tries:
    """Groups as `anonymize` would and measures, for each of some settings, and publishes nothing.

    Args:
        tries: requirements or keys with the values to try, `{"k": [3, 5, 10]}`; as the flag
            `--try` takes them, one on each line, `"k=3,5,10"`; None: the recipe as it is

    >>> import bauta
    >>> tries = bauta.try_(bauta.synth("census", rows=500), quasi=["age", "sex"],
    ...                    sensitive="disease", drop="rest", require="k=5", tries={"k": [3, 5, 10]})
    >>> [row["smallest_class"] >= 3 for row in tries.table()]
    [True, True, True]
    """
    request = _request(table, recipe, progress, keys)
    if isinstance(tries, Mapping):
        tries = "\n".join(
            f"{key.replace('_', '-')}={_values(given)}" for key, given in tries.items()
        )
    return read(Tries, request.call(request.core.preview, tries))


def _values(given: Any) -> str:
    several = isinstance(given, Iterable) and not isinstance(given, str)
    texts = [str(value) for value in (given if several else [given])]
    return ",".join(text.replace("\\", "\\\\").replace(",", "\\,") for text in texts)


def list(registry: str = "registries", entry: str | None = None) -> Listing:
    """What a registry holds: requirements, methods, forms, measures, attacks, keys and others.

    >>> import bauta
    >>> "k" in [entry.name for entry in bauta.list("requirements").entries]
    True
    """
    answer, text = _core.listing(registry, entry)
    return Listing(json.loads(answer), spell(text))


class Sample(dict[str, builtins.list[Any]]):
    """A made-up table: a dict of lists, which is a table to this package, pandas and polars."""

    def to_pandas(self) -> Any:
        """The table as a pandas.DataFrame."""
        import pandas

        return pandas.DataFrame(dict(self))

    def to_polars(self) -> Any:
        """The table as a polars.DataFrame."""
        import polars

        return polars.DataFrame(dict(self))


def synth(kind: str, *, path: Path | None = None, **options: Any) -> Sample:
    """Sample data; the same seed gives the same table. `bauta.list("synth")` names the kinds.

    With `path` the table is written there as CSV, too.

    >>> import bauta
    >>> census = bauta.synth("census", rows=3, seed=1)
    >>> sorted(census)[:3]
    ['age', 'children', 'country']
    """
    pairs = [f"{name.replace('_', '-')}={value}" for name, value in options.items()]
    if path is not None:
        _core.synth(kind, pairs, path)
        with builtins.open(path, "rb") as file:
            return _sample(file.read())
    return _sample(_through_pipe(kind, pairs))


def _through_pipe(kind: str, pairs: builtins.list[str]) -> bytes:
    """The table as the bytes of a CSV file that is nowhere: a thread reads what another writes."""
    reading, writing = os.pipe()
    parts: builtins.list[bytes] = []

    def drain() -> None:
        with builtins.open(reading, "rb") as pipe:
            parts.append(pipe.read())

    reader = threading.Thread(target=drain)
    reader.start()
    try:
        _core.synth(kind, pairs, f"/proc/self/fd/{writing}")
    finally:
        os.close(writing)
        reader.join()
    return parts[0]


def _sample(text: bytes) -> Sample:
    head, *body = csv.reader(io.StringIO(text.decode(), newline=""))
    columns = zip(*body, strict=True) if body else [[] for _ in head]
    return Sample((name, _typed(values)) for name, values in zip(head, columns, strict=True))


def _typed(texts: Iterable[str]) -> builtins.list[Any]:
    """Integers where all texts are, as they would be written; None where a field is empty."""
    values = [text or None for text in texts]
    try:
        numbers = [None if text is None else int(text) for text in values]
    except ValueError:
        return values
    same = all(
        text is None or str(number) == text for text, number in zip(values, numbers, strict=True)
    )
    return numbers if same else values

# SPDX-License-Identifier: Apache-2.0
"""Every exception, where it says that something is, and that it tells nothing of the table."""

import pickle

import bauta
import pyarrow as pa
import pytest
from bauta import _errors

SECRET = "Zyx-marker"


def test_unmet(patients, recipe):
    with pytest.raises(bauta.Unmet) as caught:
        bauta.anonymize(patients, **(recipe | {"require": "k=121"}))
    assert caught.value.code == 1


def test_usage(patients, recipe):
    for keys, words in (
        ({"quais": "age"}, "quais: there is no key 'quais'\nhint: .*'quasi'"),
        ({"unique_limt": 0.1}, "did you mean 'unique_limit'"),
        ({"require": "kk=3"}, "require: there is no requirement 'kk'"),
        ({"suppress": 7}, "suppress: "),
        ({"threads": "many"}, "threads: "),
        ({"quasi": ["age"], "sensitive": ["age"]}, "age"),
    ):
        with pytest.raises(bauta.Usage, match=f"(?s){words}") as caught:
            bauta.anonymize(patients, **keys)
        assert caught.value.code == 2 and "line " not in str(caught.value)
        assert "--" not in str(caught.value)


def test_invalid(patients):
    with pytest.raises(bauta.Invalid, match=r"columns have no role.*\nhint: .*drop='rest'") as got:
        bauta.anonymize(patients, quasi="age", require="k=2")
    assert got.value.code == 3 and got.value.file == "table"
    assert "--" not in got.value.hint and "quasi=..." in got.value.hint
    with pytest.raises(bauta.Invalid, match="nowhere"):
        bauta.describe("/nowhere/at/all.csv")
    with pytest.raises(bauta.Invalid) as got:
        bauta.anonymize(patients, "quasi: [", require="k=2")
    assert "line 2" in str(got.value)  # of a recipe that is text


def test_system(patients, recipe, tmp_path):
    recipe.pop("seed")
    with pytest.raises(bauta.System) as caught:
        bauta.anonymize(patients, seed_file=tmp_path / "none", **recipe)
    assert caught.value.code == 4
    with pytest.raises(bauta.System):
        bauta.anonymize(patients, **recipe).save("/proc/nowhere/out")


def test_internal_and_unknown():
    assert isinstance(_errors.failure(5, "m", "", -1, "", ""), bauta.Internal)
    assert isinstance(_errors.failure(99, "m", "", -1, "", ""), bauta.Internal)


def test_places():
    error = _errors.failure(3, "is no number", "a.csv", 3, "age", "say --type age=text")
    assert (error.file, error.row, error.column) == ("a.csv", 3, "age")
    assert str(error) == "a.csv, row 3, column \"age\": is no number\nhint: say type='age=text'"
    assert _errors.failure(3, "m", "", 0, "", "").row == 0
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is bauta.Invalid and str(again) == str(error)
    for kind in (
        bauta.Unmet,
        bauta.Usage,
        bauta.Invalid,
        bauta.System,
        bauta.Internal,
        bauta.Cancelled,
    ):
        assert issubclass(kind, bauta.Error)


@pytest.mark.parametrize(
    "text, spelled",
    [
        ("say for example --require k=5", "say for example require='k=5'"),
        ("leave --public out", "leave public=... out"),
        ("'--missing drop' leaves them out", "missing='drop' leaves them out"),
        ("say --subject none", "say subject='none'"),
        (
            "say --join refine, or --drop the sensitive columns",
            "say join='refine', or drop=... the sensitive columns",
        ),
        ("give it with --levels; a column", "give it with levels=...; a column"),
        ("(--hierarchy 'x=balanced:16')", "(hierarchies='x=balanced:16')"),
        (
            "columns, 'suppress' or another method: --try compares",
            "columns, 'suppress' or another method: try_=... compares",
        ),
        ("'bauta list keys' names them", "bauta.list('keys') names them"),
        ("raise 'max-level'", "raise 'max_level'"),
        ("all the same: --accept a; at most", "all the same: accept='a'; at most"),
        ("say --subject 'a b', and", "say subject='a b', and"),
        ("2 -- 3", "2 -- 3"),
    ],
)
def test_spelling(text, spelled):
    assert _errors.spell(text) == spelled


def test_no_value_in_any_error():
    """A marker in every cell and a mistake in every place: it is in no message."""
    values = [f"{SECRET}{number % 3}" for number in range(12)]
    table = pa.table({"a": values, "b": values, "n": [*range(11), None]})
    wrong = [
        {"quasi": "a", "require": "k=2"},
        {"quasi": "a", "drop": "rest", "require": "k=100"},
        {"quasi": "a", "drop": "rest", "require": "k=2", "type": {"a": "integer"}},
        {"quasi": "a", "drop": "rest", "require": "k=2", "hierarchies": {"a": [["x", "y"]]}},
        {"quasi": "a", "other": "n", "drop": "b", "require": "k=2", "hierarchies": {"a": "mask"}},
        {"quasi": "a", "sensitive": "b", "require": "l=20", "drop": "n"},
        {"identifier": "a", "quasi": "b", "drop": "n", "require": "k=2"},
    ]
    for keys in wrong:
        with pytest.raises(bauta.Error) as caught:
            bauta.anonymize(table, **keys)
        error = caught.value
        said = f"{error} {error!r} {error.args} {error.__cause__} {error.__context__}"
        assert SECRET not in said, keys


def test_a_stream_that_fails(recipe):
    def batches():
        yield pa.RecordBatch.from_pydict({"age": [1, 2]})
        raise RuntimeError(SECRET)

    schema = pa.schema({"age": pa.int64()})
    reader = pa.RecordBatchReader.from_batches(schema, batches())
    with pytest.raises(bauta.Error) as caught:
        bauta.anonymize(reader, quasi="age", require="k=2")
    assert SECRET not in str(caught.value)

# SPDX-License-Identifier: Apache-2.0
"""Arrow in and out: every type, with missing values, empty batches, chunks, slices and offsets."""

import datetime
import decimal

import bauta
import duckdb
import narwhals
import pandas
import polars
import pyarrow as pa
import pytest

DAY = datetime.date(2021, 3, 4)
TIMES = [datetime.datetime(2021, 3, 4, 12, 30), None, datetime.datetime(1969, 12, 31, 23)] * 4
NUMBERS = [3, None, 0, 7] * 3
DECIMALS = [decimal.Decimal("1.50"), None, decimal.Decimal("-20.25"), decimal.Decimal(0)] * 3
TEXTS = ["b", None, 'a,"c"', "ä"] * 3

# a column, and its values as the release has them
COLUMNS = {
    "string": (pa.array(TEXTS, pa.string()), TEXTS),
    "large_string": (pa.array(TEXTS, pa.large_string()), TEXTS),
    "string_view": (pa.array(TEXTS, pa.string_view()), TEXTS),
    "decimal128": (pa.array(DECIMALS, pa.decimal128(10, 2)), DECIMALS),
    "float32": (
        pa.array([0.1, None, float("nan"), 2.5] * 3, pa.float32()),
        [decimal.Decimal("0.1"), None, None, decimal.Decimal("2.5")] * 3,
    ),
    "float64": (
        pa.array([0.1, None, float("nan"), 1e3] * 3, pa.float64()),
        [decimal.Decimal("0.1"), None, None, decimal.Decimal(1000)] * 3,
    ),
    "bool": (pa.array([True, None, False, True] * 3), ["true", None, "false", "true"] * 3),
    "null": (pa.nulls(12), [None] * 12),
    "date32": (pa.array([DAY, None] * 6, pa.date32()), [DAY, None] * 6),
    "date64": (pa.array([DAY, None] * 6, pa.date64()), [DAY, None] * 6),
}
COLUMNS |= {
    str(kind): (pa.array(NUMBERS, kind), NUMBERS)
    for kind in (
        pa.int8(),
        pa.int16(),
        pa.int32(),
        pa.int64(),
        pa.uint8(),
        pa.uint16(),
        pa.uint32(),
        pa.uint64(),
    )
}
COLUMNS |= {
    f"dictionary {index}": (
        pa.array(TEXTS).dictionary_encode().cast(pa.dictionary(index, pa.string())),
        TEXTS,
    )
    for index in (
        pa.int8(),
        pa.int16(),
        pa.int32(),
        pa.int64(),
        pa.uint8(),
        pa.uint16(),
        pa.uint32(),
        pa.uint64(),
    )
}
COLUMNS |= {
    f"timestamp {unit} {zone}": (
        pa.array(TIMES, pa.timestamp(unit, zone)),
        [time and time.date() for time in pa.array(TIMES, pa.timestamp(unit, zone)).to_pylist()],
    )
    for unit in ("s", "ms", "us", "ns")
    for zone in (None, "UTC", "+02:00", "Europe/Rome", "America/New_York")
}


def shape(table, how):
    """The same table in other batches."""
    if how == "chunked":
        return pa.concat_tables([table.slice(0, 5), table.slice(5, 0), table.slice(5)])
    if how == "sliced":
        return pa.concat_tables([table.slice(0, 3), table, table.slice(4)]).slice(3, len(table))
    if how == "empty batches":
        empty = pa.Table.from_batches([], table.schema)
        batches = [*table.to_batches(), *table.schema.empty_table().to_batches()]
        reader = pa.RecordBatchReader.from_batches(
            table.schema,
            [
                *pa.Table.from_batches(batches).to_batches(),
                pa.RecordBatch.from_pylist([], table.schema),
            ],
        )
        return pa.concat_tables([empty, reader.read_all()])
    return table


def published(table, **keys):
    """The values of the column x in a release of a table."""
    release = bauta.anonymize(table, quasi="group", other="x", require="k=2", accept="x", **keys)
    return release.data.to_arrow()


@pytest.mark.filterwarnings("ignore::bauta.Notice")
@pytest.mark.parametrize("how", ["whole", "chunked", "sliced", "empty batches"])
@pytest.mark.parametrize("kind", COLUMNS)
def test_round_trip(kind, how):
    column, values = COLUMNS[kind]
    table = shape(pa.table({"group": ["a", "b"] * 6, "x": column}), how)
    assert table["x"].to_pylist() == pa.chunked_array([column]).to_pylist() or "float" in kind
    out = published(table)
    order = repr
    assert sorted(out["x"].to_pylist(), key=order) == sorted(values, key=order)
    assert out["group"].to_pylist().count("a") == 6


@pytest.mark.parametrize(
    "column, words",
    [
        (pa.array([1, 2] * 6, pa.duration("s")), "durations"),
        (pa.array([0, 1] * 6, pa.timestamp("s", "Europe/Nowhere")), "time zone"),
        (pa.array([0.5, 1e-30] * 6), "no decimal"),
        (pa.array([0.5, float("inf")] * 6), "no decimal"),
        (pa.array([b"a"] * 12), "binary"),
        (pa.array([[1]] * 12), "lists"),
        (pa.array([{"a": 1}] * 12), "structures"),
        (pa.array([datetime.time(1)] * 12), "times of day"),
    ],
)
def test_refused_by_name(column, words):
    table = pa.table({"group": ["a", "b"] * 6, "x": column})
    with pytest.raises(bauta.Invalid, match=words) as caught:
        published(table)
    assert caught.value.column == "x"
    assert bauta.anonymize(table, quasi="group", drop="x", require="k=2").summary.published == 12


class OneArray:
    """Speaks of arrays alone."""

    def __init__(self, batch):
        self.batch = batch

    def __arrow_c_array__(self, requested_schema=None):
        return self.batch.__arrow_c_array__(requested_schema)


GIVERS = {
    "dict of lists": dict,
    "list of dicts": lambda t: [
        dict(zip(t, row, strict=True)) for row in zip(*t.values(), strict=True)
    ],
    "pandas": pandas.DataFrame,
    "pandas categories": lambda t: pandas.DataFrame(t).astype({"sex": "category"}),
    "polars": polars.DataFrame,
    "polars categories": lambda t: polars.DataFrame(t).cast({"sex": polars.Categorical}),
    "pyarrow table": pa.table,
    "pyarrow batch": lambda t: pa.RecordBatch.from_pydict(t),
    "pyarrow reader": lambda t: pa.table(t).to_reader(max_chunksize=7),
    "array alone": lambda t: OneArray(pa.RecordBatch.from_pydict(t)),
    "narwhals": lambda t: narwhals.from_native(polars.DataFrame(t)),
    "DuckDB": lambda t: duckdb.from_arrow(pa.table(t)),
}


@pytest.mark.parametrize("giver", GIVERS)
def test_whoever_gives_the_table_the_release_is_the_same(giver, patients, recipe):
    expected = bauta.anonymize(patients, **recipe)
    given = bauta.anonymize(GIVERS[giver](patients), **recipe)
    assert given.files() == expected.files()
    for file in given.files():
        assert given.read(file) == expected.read(file), file


def test_row_labels_of_pandas_are_no_column(patients, recipe):
    frame = pandas.DataFrame(patients)[::-1]
    assert bauta.anonymize(frame, **recipe).summary.published == 120
    assert list(frame.index[:2]) == [119, 118]
    named = frame.set_index("name")
    assert bauta.anonymize(named, **recipe).summary.published == 120


def test_duckdb_finds_releases_by_name(patients, recipe):
    con = duckdb.connect()
    t = pa.table(patients)  # noqa: F841
    release = bauta.anonymize(con.sql("FROM t"), **recipe)
    data = release.data  # noqa: F841
    assert con.sql("SELECT count(*) FROM data").fetchall() == [(120,)]


def test_out(patients, recipe):
    data = bauta.anonymize(patients, **recipe).data
    arrow = data.to_arrow()
    assert arrow.column_names == ["age", "sex", "zip", "disease"]
    assert not arrow.schema.metadata
    assert polars.DataFrame(data).equals(data.to_polars())
    assert data.to_pandas()["disease"].isna().sum() == patients["disease"].count(None)
    for column in arrow.columns:
        if pa.types.is_dictionary(column.type):
            words = column.combine_chunks().dictionary.to_pylist()
            seen = list(dict.fromkeys(v for v in column.to_pylist() if v is not None))
            assert words == seen  # only values that occur, in the order of first appearance


def test_ranges(patients, recipe):
    recipe["hierarchies"] = {"zip": "mask"}
    release = bauta.anonymize(patients, **recipe)
    plain, more = release.data.to_arrow(), release.data.with_ranges().to_arrow()
    assert [name for name in more.column_names if name not in plain.column_names] == [
        "age_lo",
        "age_hi",
    ]
    for cell, lo, hi in zip(
        *(more[name].to_pylist() for name in ("age", "age_lo", "age_hi")), strict=True
    ):
        assert cell == (f"[{lo},{hi}]" if lo != hi else str(lo))
    assert release.table("data", ranges=True).to_arrow().equals(more)


def test_two_tables(patients, two):
    release = bauta.anonymize(patients, **two)
    assert release.tables == ["quasi", "sensitive"]
    quasi = release.quasi.to_arrow()
    assert sorted(quasi["age"].to_pylist()) == sorted(patients["age"])
    assert quasi.schema.field("age").type == pa.int64()
    assert len(release.sensitive.to_arrow()) == 120
    with pytest.raises(AttributeError, match="no table 'data'"):
        _ = release.data
    with pytest.raises(bauta.Usage, match="no table 'data'"):
        release.table("data")


def test_a_table_outlives_its_release(patients, recipe):
    release = bauta.anonymize(patients, **recipe)
    reader = pa.RecordBatchReader.from_stream(release.data)
    del release
    assert reader.read_all().num_rows == 120


def test_streams_that_are_used_up(patients, recipe):
    reader = pa.table(patients).to_reader()
    bauta.anonymize(reader, **recipe)
    with pytest.raises((ValueError, bauta.Error, pa.ArrowInvalid)):
        bauta.anonymize(reader, **recipe)


def test_plain_values():
    table = {
        "group": ["a", "b"] * 4,
        "int": [1, None] * 4,
        "large": [2**70, 1] * 4,
        "float": [0.5, float("nan")] * 4,
        "mixed": [1, "x"] * 4,
        "decimal": [decimal.Decimal("1.50"), None] * 4,
        "bool": [True, False] * 4,
        "date": [DAY, None] * 4,
    }
    release = bauta.anonymize(
        table,
        quasi="group",
        other="rest",
        require="k=2",
        accept=[name for name in table if name != "group"],
    )
    out = release.data.to_arrow()
    found = {name: {str(value) for value in out[name].to_pylist()} for name in out.column_names}
    assert found == {
        "group": {"a", "b"},
        "int": {"1", "None"},
        "large": {str(2**70), "1"},
        "float": {"0.5", "None"},
        "mixed": {"1", "x"},
        "decimal": {"1.5", "None"},
        "bool": {"true", "false"},
        "date": {"2021-03-04", "None"},
    }


@pytest.mark.parametrize(
    "table, words",
    [
        ({"a": [object()]}, "values of the type object"),
        ({"a": [1, 2], "b": [1]}, "not of one length"),
        (3, "is no table"),
        ([1, 2], "not of records or of paths"),
    ],
)
def test_no_tables(table, words):
    with pytest.raises(bauta.Usage, match=words):
        bauta.describe(table)

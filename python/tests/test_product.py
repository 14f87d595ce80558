# SPDX-License-Identifier: Apache-2.0
"""Every command: its result, its attributes, its text and its view in a notebook."""

import warnings

import bauta
import pandas
import polars
import pyarrow as pa
import pytest


def seen(result):
    """A result that can be looked at in every way."""
    assert str(result)
    assert repr(result).startswith("<bauta.")
    html = result._repr_html_()
    assert "<script" not in html and html.count("<table>") == html.count("</table>")
    return result


def charted(result, *titles):
    """A result whose charts have these titles, and are part of its view in a notebook."""
    assert all(f"<figcaption>{title}" in result.charts for title in titles)
    assert result.charts.count("<figure") == len(titles)
    assert result.charts in result._repr_html_()


def test_anonymize(patients, recipe):
    release = bauta.anonymize(patients, **recipe)
    summary = seen(release.summary)
    assert summary.rows == summary.published == 120
    assert summary.smallest_class >= 5
    charted(
        summary,
        "Information lost in each quasi-identifier",
        "How many records share an equivalence class",
    )
    assert 0 < summary.measures.ncp < 1 and summary.measures["ncp"] == summary.measures.ncp
    assert summary.to_dict()["rows"] == 120
    assert "quasi-identifiers" in summary.protected and summary.not_protected
    assert repr(release) == "<bauta.Release in memory: data>"
    assert "Not protected" in release._repr_html_()
    assert repr(release.data) == "<bauta.Table 'data': age, sex, zip, disease>"
    assert release.data._repr_html_().count("<tr>") == 11
    assert release.manifest["form"]


def test_audit(patients, recipe):
    release = bauta.anonymize(patients, **recipe)
    broken = seen(release.audit())  # made with a seed, which an audit does not pass over
    assert not broken and not broken.holds
    assert any(finding.holds is False for finding in broken.findings)
    assert "broken" in broken._repr_html_()
    good = seen(bauta.audit(release, patients, allow_experiment=True))
    assert good and {finding.promise for finding in good.findings} >= {"k=5", "original records"}
    patients["age"][0] = 200
    assert not release.audit(patients, allow_experiment=True)


def test_measure(patients, recipe):
    measures = seen(bauta.anonymize(patients, **recipe).measure(patients))
    charted(measures, "Information lost", "How many records")
    assert set(measures.ncp_by_column) == {"age", "sex", "zip"}
    assert measures.class_sizes.min >= 5
    assert bauta.anonymize(patients, **recipe).measure(patients, pairs=True).to_dict()["pairs"]


def test_attack(patients, recipe, two):
    release = bauta.anonymize(patients, **recipe)
    attacks = seen(release.attack(patients))
    charted(attacks, "How often each attack succeeds")
    assert attacks and attacks.holds and len(attacks) > 3
    assert attacks[0].attack
    only = release.attack(patients, attacks=["re-identification"], know=["age", "sex"])
    assert {attack.attack for attack in only} == {"re-identification"}
    assert isinstance(attacks.to_dict(), list) and attacks[:2] == list(attacks)[:2]
    other = bauta.anonymize(patients, **(recipe | {"seed": "abc", "quasi": "age,zip,sex"}))
    assert len(release.attack(patients, other_release=other, all=True)) > len(attacks)


def test_query(patients, recipe):
    release = bauta.anonymize(patients, **recipe)
    young = sum(age < 40 for age in patients["age"])
    answer = seen(release.query("SELECT COUNT(*) WHERE age < 40"))
    assert answer.lower <= young <= answer.upper
    both = seen(bauta.query(release, ["SELECT COUNT(*)", "SELECT AVG(age)"]))
    assert both[0].estimate == 120
    assert release.query("SELECT COUNT(*)", explain=True).to_dict().keys() > {"estimate"}
    with pytest.raises(bauta.Error):
        release.query("SELECT nonsense")


def test_describe(patients):
    description = seen(bauta.describe(patients))
    assert description.rows == 120
    assert [column.name for column in description.columns] == list(patients)
    assert seen(bauta.describe(patients, quasi=["age"], risk=True)).to_dict()["risk"]


def test_recipe_for(patients):
    draft = seen(bauta.recipe_for(patients))
    assert "role: quasi" in str(draft) and "bauta anonymize -r RECIPE -o OUT" in str(draft)
    release = bauta.anonymize(patients, draft, require="k=4")
    assert release.summary.requirements == ["k=4"]
    assert bauta.anonymize(patients, str(draft), require="k=4").summary.published == 120


def test_hierarchy(patients, tmp_path):
    tree = seen(bauta.hierarchy(patients, "zip", hierarchies={"zip": "mask"}))
    assert tree.column == "zip" and tree.levels == 6 and tree.text.startswith("*")
    bauta.hierarchy(patients, "zip", hierarchies={"zip": "mask"}, path=tmp_path / "zip.csv")
    again = bauta.hierarchy(patients, "zip", hierarchies={"zip": tmp_path / "zip.csv"})
    assert again.leaves == tree.leaves


def test_try(patients, recipe):
    tries = seen(bauta.try_(patients, tries={"k": [3, 5, 10]}, **recipe))
    assert [row["require"] for row in tries.table()] == ["k=3", "k=5", "k=10"]
    assert pandas.DataFrame(tries.table())["ncp"].is_monotonic_increasing
    assert polars.DataFrame(tries.table()).height == 3
    text = bauta.try_(patients, tries="k=3,5,10", **recipe)
    assert [row["classes"] for row in text.table()] == [row["classes"] for row in tries.table()]
    assert bauta.try_(patients, **recipe).table()[0]["classes"] == tries.table()[1]["classes"]


def test_list():
    assert {"k", "alpha", "l", "t"} <= {e.name for e in seen(bauta.list("requirements")).entries}
    assert {entry.name for entry in bauta.list().entries} >= {"methods", "forms", "synth"}
    assert "mondrian" in str(bauta.list("methods", "mondrian"))
    with pytest.raises(bauta.Error):
        bauta.list("nothing")


def test_synth(tmp_path):
    table = bauta.synth("census", rows=50, seed=7)
    assert table == bauta.synth("census", rows=50, seed=7, path=tmp_path / "c.csv")
    assert len(table["age"]) == 50 and isinstance(table["age"][0], int)
    assert table.to_pandas().shape == table.to_polars().shape
    with pytest.raises(bauta.Usage):
        bauta.synth("nothing")
    with pytest.raises(bauta.Usage):
        bauta.synth("census", rows=-1)
    assert len(bauta.synth("zipf", rows=10)) > 0


def test_recipes_of_every_kind(patients, recipe, tmp_path):
    keys = {
        "identifier": "name",
        "quasi": ["age", "sex", "zip"],
        "sensitive": "disease",
        "hierarchy": {"zip": "mask", "age": "intervals:5,10,20"},
        "require": "k=5",
    }
    text = (
        "identifier: name\nquasi: [age, sex, zip]\nsensitive: disease\nrequire: k=5\n"
        "hierarchy: {zip: mask, age: 'intervals:5,10,20'}\n"
    )
    (tmp_path / "recipe.yaml").write_text(text)
    expected = bauta.anonymize(patients, **recipe).read("data.csv")
    for given in (keys, text, tmp_path / "recipe.yaml", str(tmp_path / "recipe.yaml")):
        assert bauta.anonymize(patients, given, seed="5eed").read("data.csv") == expected
    assert bauta.anonymize(patients, keys, require="k=7").summary.requirements == ["k=7"]


TREE = {"city": {"a": ["01010", "01011"], "b": ["01012"]}, "land": ["01013"]}
ROWS = [["01010", "a", "city"], ["01011", "a", "city"], ["01012", "b", "city"], ["01013", "land"]]
FULL = [row if len(row) == 3 else [row[0], row[1], row[1]] for row in ROWS]
FRAME = {"leaf": [r[0] for r in FULL], "one": [r[1] for r in FULL], "two": [r[2] for r in FULL]}


@pytest.mark.parametrize(
    "given",
    [
        TREE,
        {"tree": TREE},
        ROWS,
        pandas.DataFrame(FRAME),
        polars.DataFrame(FRAME),
        pa.table(FRAME),
    ],
    ids=["dict", "tree", "rows", "pandas", "polars", "pyarrow"],
)
def test_hierarchies_of_every_kind(given):
    table = {"zip": ["01010", "01011", "01012", "01013"] * 3}
    shown = bauta.hierarchy(table, "zip", hierarchies={"zip": given})
    assert shown.leaves == 4
    assert "city" in str(shown) and "land" in str(shown)
    release = bauta.anonymize(
        table, quasi="zip", hierarchies={"zip": given}, require="k=6", group="mondrian"
    )
    assert set(release.data.to_arrow()["zip"].to_pylist()) <= {"a", "city", "*", "land"}


def test_public_tables_and_previous_releases(patients, recipe):
    keys = recipe | {"publish": "generalized", "sensitive": "disease"}
    first = bauta.anonymize(patients, **keys)
    again = keys | {"require": "k=6", "seed": "77"}
    assert bauta.anonymize(patients, previous=first, **again).summary.to_dict()["previous"]
    public = {name: patients[name] for name in ("name", "age", "sex", "zip")}
    joined = bauta.anonymize(patients, public=public, key="name", **keys)
    assert "data" in joined.tables
    assert joined.attack(patients, public=public, key="name") is not None


def test_notices_are_warnings():
    import datetime

    table = {"when": [datetime.datetime(2021, 3, 4, 12, 30)] * 6, "sex": ["f", "m"] * 3}
    with pytest.warns(bauta.Notice, match="when") as caught:
        bauta.anonymize(table, quasi=["when", "sex"], require="k=2")
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(bauta.Notice):
            bauta.anonymize(table, quasi=["when", "sex"], require="k=2")


def test_keys_are_those_of_the_library():
    from bauta import _core, _errors, _keys

    here = set(_keys.Keys.__annotations__)
    assert here == (
        {_errors.argument(key[0]) for key in _core.recipe_keys()} - {"input"} | {"columns", "rest"}
    )

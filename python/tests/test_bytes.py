# SPDX-License-Identifier: Apache-2.0
"""The same table, recipe and seed give the same bytes through every door."""

import csv
import decimal
import io
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import bauta
import pyarrow as pa
import pytest
from conftest import SEED
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

COMMAND = shutil.which("bauta", path=sysconfig.get_path("scripts"))


def write_csv(table, path):
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
    lines.writerow(table)
    for row in zip(*table.values(), strict=True):
        lines.writerow(["" if value is None else value for value in row])
    path.write_text(text.getvalue(), encoding="utf-8")


def whole(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.skipif(COMMAND is None, reason="the package is not installed with its command")
@pytest.mark.parametrize("form", ["generalized", "two-tables", "distribution", "randomized"])
def test_saved_is_what_the_command_writes(form, patients, tmp_path):
    write_csv(patients, tmp_path / "patients.csv")
    keys = {
        "identifier": "name",
        "quasi": "age,sex,zip",
        "sensitive": "disease",
        "seed": SEED,
        "publish": form,
        "subject": "none",
    }
    keys |= {
        "generalized": {"require": "k=5", "accept": "zip"},
        "two-tables": {"require": "l=2", "group": "anatomy:l=2"},
        "distribution": {"require": "l=2", "group": "whole"},
        "randomized": {},
    }[form]
    flags = [part for key, value in keys.items() for part in (f"--{key}", value)]
    done = subprocess.run(
        [COMMAND, "anonymize", "patients.csv", *flags, "-o", "command"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    release = bauta.anonymize(pa.table(patients), **keys)
    release.save(tmp_path / "python")
    assert whole(tmp_path / "python" / "publish") == whole(tmp_path / "command" / "publish")
    assert set(whole(tmp_path / "python")) == set(whole(tmp_path / "command"))
    for file in release.files():
        assert release.read(file) == (tmp_path / "command" / "publish" / file).read_bytes()


texts = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=6
).filter(lambda text: text == text.strip() and text not in ("NA", "?"))
# Beyond these a number may have more than 18 digits, and is refused.
floats = st.floats(-1e15, 1e15).map(lambda number: round(number, 6))
columns = st.one_of(
    st.lists(st.one_of(st.none(), st.integers(-(2**62), 2**62)), min_size=6, max_size=20),
    st.lists(
        st.one_of(st.none(), floats),
        min_size=6,
        max_size=20,
    ),
    st.lists(st.one_of(st.none(), texts), min_size=6, max_size=20),
    st.lists(st.one_of(st.none(), st.dates()), min_size=6, max_size=20),
    st.lists(st.one_of(st.none(), st.sampled_from(["a", "b", "c"])), min_size=6, max_size=20),
)


def csv_cell(value):
    if isinstance(value, float):
        return format(decimal.Decimal(repr(value)).normalize(), "f")
    return value


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(age=columns, other=columns)
def test_csv_and_arrow_give_the_same_bytes(tmp_path, age, other):
    count = min(len(age), len(other))
    table = {
        "group": [number % 2 for number in range(count)],
        "age": age[:count],
        "other": other[:count],
    }
    path = tmp_path / "table.csv"
    write_csv({name: [csv_cell(value) for value in values] for name, values in table.items()}, path)
    keys = {
        "quasi": ["group", "age"],
        "other": "other",
        "accept": ["other", "age"],
        "require": "k=2",
        "seed": SEED,
        "header": True,
        "delimiter": ",",
        "threads": 1,
    }
    results = []
    for given_table in (pa.table(table), str(path)):
        try:
            release = bauta.anonymize(given_table, **keys)
            results.append({file: release.read(file) for file in release.files()})
        except bauta.Error as error:
            results.append((type(error), error.column))
    assert results[0] == results[1]


def test_saving(patients, recipe, tmp_path):
    release = bauta.anonymize(patients, **recipe)
    release.save(tmp_path / "out")
    with pytest.raises(bauta.Error, match="out"):
        release.save(tmp_path / "out")
    release.save(tmp_path / "out", replace=True)
    opened = bauta.open(tmp_path / "out" / "publish")
    assert opened.files() == release.files()
    assert opened.read("data.csv") == release.read("data.csv")
    assert opened.manifest == release.manifest
    assert opened.data.to_arrow().equals(release.data.to_arrow())
    assert opened.audit(patients, allow_experiment=True)
    assert opened.query("SELECT COUNT(*)").estimate == 120
    with pytest.raises(bauta.Usage):
        opened.save(tmp_path / "again")
    with pytest.raises(bauta.Usage):
        opened.read("../private/summary.json")


def test_nothing_is_written(patients, recipe, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    release = bauta.anonymize(patients, tmp=tmp_path, **recipe)
    release.audit(patients, allow_experiment=True)
    release.measure(patients)
    assert list(Path(tmp_path).iterdir()) == []


def test_module_runs_as_a_command():
    done = subprocess.run(
        [sys.executable, "-m", "bauta", "version"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0 and bauta.__version__ in done.stdout, done.stderr

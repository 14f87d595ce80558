# SPDX-License-Identifier: Apache-2.0
"""What surrounds calls: threads, cancellation, progress, references and memory."""

import concurrent.futures
import gc
import os
import signal
import sys
import threading
import time

import bauta
import pyarrow as pa
import pytest
from bauta import _core, _progress
from conftest import make_patients


def test_eight_releases_at_once(recipe):
    table = pa.table(make_patients(2000))
    expected = bauta.anonymize(table, **recipe).read("data.csv")
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda _: bauta.anonymize(table, **recipe), range(8)))
    assert [release.read("data.csv") for release in done] == [expected] * 8


def test_one_release_is_asked_by_eight(patients, recipe):
    release = bauta.anonymize(patients, **recipe)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(
            pool.map(
                lambda age: release.query(f"SELECT COUNT(*) WHERE age < {age}").lower, range(20, 84)
            )
        )
    assert answers == [
        release.query(f"SELECT COUNT(*) WHERE age < {age}").lower for age in range(20, 84)
    ]


def test_the_gil_is_free(recipe):
    table = pa.table(make_patients(200_000))
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    start = time.monotonic()
    bauta.anonymize(table, **recipe)
    seconds = time.monotonic() - start
    done.set()
    ticker.join()
    assert len([at for at in ticks if at > start]) > seconds * 20


def slow():
    """A call that takes a while."""
    return bauta.synth("census", rows=60_000, seed=1)


@pytest.fixture(scope="module")
def large():
    table = slow()
    return pa.table(
        {
            name: table[name]
            for name in ("age", "sex", "region", "education", "occupation", "disease")
        }
    )


KEYS = {
    "quasi": ["age", "sex", "region", "education", "occupation"],
    "sensitive": "disease",
    "require": "k=5",
    "group": "cluster",
}


def test_a_callback_stops_the_work(large):
    stages = []

    def stop(stage, done, total):
        stages.append((stage, done, total))
        return False

    with pytest.raises(bauta.Cancelled) as caught:
        bauta.anonymize(large, progress=stop, **KEYS)
    assert caught.value.code == 6 and len(stages) == 1
    assert all(isinstance(stage, str) and done >= 0 for stage, done, _ in stages)


def test_a_callback_that_raises(large):
    def fail(stage, done, total):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        bauta.anonymize(large, progress=fail, **KEYS)


def test_control_c(large):
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    start = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        bauta.anonymize(large, **KEYS)
    assert time.monotonic() - start < 30


def test_a_bar(capsys, monkeypatch):
    bar = _progress.Bar(always=True)
    bar("reading", 1, 4)
    bar("grouping", 5, 0)
    bar.close()
    assert "reading" in capsys.readouterr().err
    monkeypatch.setattr(_progress, "_tqdm", lambda: None)
    bar = _progress.Bar(always=True)
    bar("reading", 1, 4)
    bar.close()
    assert "reading 25 %" in capsys.readouterr().err
    early = _progress.Bar(always=False)
    early("reading", 1, 4)
    early.close()
    assert capsys.readouterr().err == ""
    assert _progress.watcher(False) is None and _progress.watcher(print) is print


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def test_nothing_leaks():
    """10,000 calls, those that fail among them: as many objects and as much memory as before."""
    table = pa.table({"age": [1, 2, 3, 4] * 3})
    columns = {"age": [1, 2, None, 4] * 3, "sex": ["f", None, "m", "f"] * 3}
    release = bauta.anonymize(table, quasi="age", require="k=2", threads=1)

    def once(number):
        kind = number % 5
        if kind == 0:
            bauta.anonymize(table, quasi="age", require="k=2", threads=1)
        elif kind == 1:
            release.query("SELECT COUNT(*) WHERE age < 3")
        elif kind == 2:
            with pytest.raises(bauta.Error):
                bauta.anonymize(columns, quasi="age", require="k=2")
        elif kind == 3:
            release.data.to_arrow()
        else:
            with pytest.raises(bauta.Error):
                bauta.anonymize(table, nothing="age")

    for number in range(1000):
        once(number)
    gc.collect()
    objects, memory, references = len(gc.get_objects()), resident(), sys.getrefcount(table)
    for number in range(10_000):
        once(number)
    gc.collect()
    assert len(gc.get_objects()) < objects + 100
    assert resident() < memory + 8_000_000
    assert sys.getrefcount(table) == references


def test_the_extension_alone(patients):
    def circle():  # which the collector breaks
        recipe = _core.Recipe()
        recipe.watch(lambda *_: recipe, lambda _: recipe)

    circle()
    gc.collect()
    with pytest.raises(TypeError):
        _core.Recipe(1)
    with pytest.raises(TypeError):
        _core.Release("x", None)
    with pytest.raises(TypeError):
        _core.Recipe().add_store("x", None)
    with pytest.raises(ValueError):
        _core.Recipe().add_stream("x", None)
    with pytest.raises(ValueError, match="used up"):
        capsule = pa.table({"a": [1]}).__arrow_c_stream__()
        _core.Recipe().add_stream("x", capsule)
        _core.Recipe().add_stream("y", capsule)
    with pytest.raises(ValueError, match="null"):
        _core.Recipe().set("quasi", "a\0b")
    with pytest.raises(TypeError):
        _core.Recipe().add_columns("x", {"a": (1, 2)})
    with pytest.raises(ValueError, match="one length"):
        _core.Recipe().add_columns("x", {"a": [1], "b": [1, 2]})
    with pytest.raises(UnicodeEncodeError):
        _core.Recipe().add_columns("x", {"a": ["\ud800"]})
    with pytest.raises(OverflowError):
        _core.Recipe().add_columns("x", {"a": [2**64]})
    with pytest.raises(TypeError):
        _core.Recipe().add_columns("x", {"a": [1, "x"]})


def test_a_recipe_in_use_is_refused(large):
    recipe = _core.Recipe()
    recipe.add_stream("t", large.__arrow_c_stream__())
    recipe.set("input", "arrow:t")
    caught = []

    def again(stage, done, total):
        try:
            recipe.describe()
        except RuntimeError as error:
            caught.append(str(error))

    recipe.watch(again, None)
    recipe.describe()
    assert set(caught) <= {"the recipe is in use by another call"}

# SPDX-License-Identifier: Apache-2.0
"""Every example of the documentation runs: docstrings, pages and the notebook."""

import doctest
import importlib
import os
import pkgutil
import re
import shutil
import warnings
from pathlib import Path

import bauta
import nbclient
import nbformat
import pytest

SOURCE = Path(__file__).resolve().parents[2]
MODULES = sorted(
    module.name
    for module in pkgutil.iter_modules(bauta.__path__)
    if module.name not in ("_core", "__main__")
)


@pytest.mark.parametrize("name", ["", *MODULES])
def test_docstrings(name):
    module = importlib.import_module(f"bauta.{name}" if name else "bauta")
    assert doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE).failed == 0


def test_every_public_function_has_an_example():
    functions = [getattr(bauta, name) for name in bauta.__all__ if name[0].islower()]
    assert len(functions) == 12
    assert [function.__name__ for function in functions if ">>>" not in function.__doc__] == []


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_pages(page, tmp_path, monkeypatch):
    for path in (SOURCE / "examples").iterdir():
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    text = (SOURCE / page).read_text(encoding="utf-8")
    blocks = list(re.finditer(r"^```python\n(.*?)^```", text, re.S | re.M))
    assert blocks
    names = {}
    for block in blocks:
        line = text.count("\n", 0, block.start()) + 1
        code = compile("\n" * line + block[1], str(SOURCE / page), "exec")
        with warnings.catch_warnings():
            warnings.simplefilter("error", bauta.Notice)
            exec(code, names)


def test_notebook(tmp_path):
    notebook = nbformat.read(SOURCE / "python" / "example.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)  # kept without answers
    environment = dict(os.environ, JUPYTER_DATA_DIR=str(tmp_path), IPYTHONDIR=str(tmp_path))
    nbclient.NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
    ).execute(env=environment)
    views = [
        output
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if "text/html" in output.get("data", {})
    ]
    assert len(views) >= 6

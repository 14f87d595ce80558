# SPDX-License-Identifier: Apache-2.0
"""A bar in terminals and notebooks, after a second; through tqdm where that is installed."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, TypeAlias

Progress: TypeAlias = "bool | Callable[[str, int, int], object] | None"

_PATIENCE = 1.0  # seconds without a bar


def _tqdm() -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm


class Bar:
    """Called with a stage, what is done of it, and all there is to do (0: not known)."""

    def __init__(self, always: bool) -> None:
        self._since = time.monotonic() - (_PATIENCE if always else 0)
        self._bar: Any = None
        self._stage = ""
        self._drawn = False

    def __call__(self, stage: str, done: int, total: int) -> None:
        if time.monotonic() - self._since < _PATIENCE:
            return
        tqdm = _tqdm()
        if tqdm is None:
            share = f" {done * 100 // total} %" if total else ""
            sys.stderr.write(f"\r\033[K{stage}{share}")
            sys.stderr.flush()
            self._drawn = True
            return
        if self._bar is None or stage != self._stage:
            self.close()
            self._bar = tqdm(total=total or None, desc=stage, leave=False)
            self._stage = stage
        self._bar.n = done
        self._bar.refresh()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
        if self._drawn:
            sys.stderr.write("\r\033[K")
            self._drawn = False


def watcher(progress: Progress) -> Callable[[str, int, int], object] | None:
    """Who is told of progress: by default a bar where somebody may look at it."""
    if callable(progress):
        return progress
    if progress is None:
        progress = sys.stderr.isatty() or "ipykernel" in sys.modules
        return Bar(always=False) if progress else None
    return Bar(always=True) if progress else None

# SPDX-License-Identifier: Apache-2.0
"""What can go wrong, and how the library's words for it are spelled in Python."""

from __future__ import annotations

import re

from . import _core


class Error(Exception):
    """What went wrong, where, and what to try. No value of the table is part of it.

    Attributes:
        message: what failed
        row: the record, counted from 1; 0 is the header; None when it does not apply
        column: the name of the column, or None
        file: the file that it is about, or None
        hint: advice, or None
        code: the exit code of the command in the same case
    """

    code = 5

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        row: int | None = None,
        column: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.row = row
        self.column = column
        self.hint = hint

    def __str__(self) -> str:
        places = [self.file] if self.file else []
        if self.row is not None:
            places.append(f"row {self.row}" if self.row else "header")
        if self.column:
            places.append(f'column "{self.column}"')
        text = f"{', '.join(places)}: {self.message}" if places else self.message
        return f"{text}\nhint: {self.hint}" if self.hint else text

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (type(self), self.message, self.file, self.row, self.column, self.hint)


class Unmet(Error):
    """The answer is no: a requirement cannot be met, a release would not keep its promises."""

    code = 1


class Usage(Error):
    """The call is wrong: an argument that there is not, or that does not go with another one."""

    code = 2


class Invalid(Error):
    """The table or the recipe is invalid."""

    code = 3


class System(Error):
    """Reading, writing or memory."""

    code = 4


class Internal(Error):
    """A fault of the library."""

    code = 5


class Cancelled(Error):
    """The work was stopped before it was done; nothing was published."""

    code = 6


class Notice(UserWarning):
    """A sentence about what will be published, before anything is."""


_KINDS = {kind.code: kind for kind in (Unmet, Usage, Invalid, System, Internal, Cancelled)}


def _again(
    kind: type[Error],
    message: str,
    file: str | None,
    row: int | None,
    column: str | None,
    hint: str | None,
) -> Error:
    return kind(message, file=file, row=row, column=column, hint=hint)


def failure(status: int, message: str, file: str, row: int, column: str, hint: str) -> Error:
    """The exception for a status and an error of the library; the extension raises it."""
    return _again(
        _KINDS.get(status, Internal),
        spell(message),
        file or None,
        row if row >= 0 else None,
        column or None,
        spell(hint) or None,
    )


# ---- flags and commands of the command line, as Python spells them ----

_NAMES = {"hierarchy": "hierarchies", "try": "try_", "attack": "attacks"}
_COMMANDS = {"init": "recipe_for", "list": "list"}
_DASHED = [key[0] for key in _core.recipe_keys() if "-" in key[0]]

# A flag, and the word behind it when that is its value rather than the next of the sentence.
_FLAG = re.compile(
    r"(?P<quote>'?)--(?P<name>[a-z][a-z-]*[a-z])"
    r"(?: (?P<value>'[^']+'|(?<=--accept )[^\s,;()]+|[^\s,;:.()']*=[^\s;()']*[^\s,;:.()']"
    r"|[A-Z]+(?:,[A-Z]+)*"
    r"|(?:none|rest|drop|together|comma|refine|direct|yes|no|exclude-public|levels))"
    r"(?![\w-]))?(?P=quote)"
)
_COMMAND = re.compile(r"'bauta (?P<name>[a-z]+)(?P<rest>[^']*)'")


def argument(key: str) -> str:
    """The name of the argument that stands for a key of the recipe."""
    return _NAMES.get(key, key.replace("-", "_"))


def _flag(found: re.Match[str]) -> str:
    value = found["value"]
    return f"{argument(found['name'])}=" + (repr(value.strip("'")) if value else "...")


def _command(found: re.Match[str]) -> str:
    name, rest = found["name"], found["rest"].strip()
    given = repr(rest) if re.fullmatch(r"[a-z]+", rest) else "..."
    return f"bauta.{_COMMANDS.get(name, name)}({given})"


def spell(text: str) -> str:
    """Words of the library in which flags, keys and commands are spelled as Python does."""
    text = _COMMAND.sub(_command, text)
    text = _FLAG.sub(_flag, text)
    for key in _DASHED:
        text = text.replace(f"'{key}'", f"'{argument(key)}'")
    return text

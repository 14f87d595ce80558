# SPDX-License-Identifier: Apache-2.0
"""How results look in a notebook: tables, and the library's charts. No script, no network."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

_STYLE = """<style>
.bauta{font:13px/1.45 system-ui,sans-serif;max-width:60em;overflow-x:auto}
.bauta table{border-collapse:collapse;margin:.4em 0}
.bauta td,.bauta th{padding:.15em .8em .15em 0;text-align:left;vertical-align:top;border:0;
background:none}
.bauta td.n,.bauta th.n{text-align:right;font-variant-numeric:tabular-nums}
.bauta table{font-size:13px}
.bauta th{font-weight:600}.bauta thead th{border-bottom:1px solid #8886}
.bauta .bar{display:inline-block;height:.7em;background:#3b6ea5;vertical-align:baseline}
.bauta .rail{display:inline-block;width:9em;background:#8883}
.bauta .yes{color:#2e7d32}.bauta .no{color:#c62828;font-weight:600}.bauta .open{color:#a66900}
.bauta p{margin:.4em 0}.bauta pre{font-size:12px;white-space:pre-wrap}
</style>"""


class Markup(str):
    """HTML already: not escaped again."""


def page(body: str) -> str:
    return f'{_STYLE}<div class="bauta">{body}</div>'


def text(words: str) -> str:
    return f"<pre>{html.escape(words)}</pre>"


def bar(share: float) -> Markup:
    """A share of one as a bar."""
    width = max(0.0, min(float(share), 1.0)) * 100
    return Markup(f'<span class="rail"><span class="bar" style="width:{width:.1f}%"></span></span>')


def percent(share: float) -> str:
    return f"{share * 100:.1f} %"


def _shown(value: Any) -> str:
    if isinstance(value, Markup):
        return value
    if value is None:
        return ""
    if value is True:
        return '<span class="yes">yes</span>'
    if value is False:
        return '<span class="no">no</span>'
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, dict | list):
        parts = value.items() if isinstance(value, dict) else ((None, item) for item in value)
        return ", ".join(f"{key}: {_shown(item)}" if key else _shown(item) for key, item in parts)
    return html.escape(str(value))


def _cell(value: Any, tag: str = "td") -> str:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return f"<{tag}{' class=n' if number else ''}>{_shown(value)}</{tag}>"


def table(head: Sequence[str], body: Iterable[Sequence[Any]]) -> str:
    top = "".join(f"<th>{html.escape(name)}</th>" for name in head)
    lines = "".join(f"<tr>{''.join(map(_cell, line))}</tr>" for line in body)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{lines}</tbody></table>"


def rows(records: Sequence[Mapping[str, Any]]) -> str:
    """Records as a table; columns are the keys in the order in which they come."""
    names = list(dict.fromkeys(name for record in records for name in record))
    return table(names, ([record.get(name) for name in names] for record in records))


def pairs(record: Mapping[str, Any]) -> str:
    lines = "".join(
        f"<tr><th>{html.escape(name)}</th><td>{_shown(value)}</td></tr>"
        for name, value in record.items()
    )
    return f"<table>{lines}</table>"


def measures(value: Mapping[str, Any]) -> str:
    return pairs({key: item for key, item in value.items() if not isinstance(item, dict | list)})


def words(value: Mapping[str, Any]) -> str:
    parts = []
    for key, name in (("protected", "Protected"), ("not_protected", "Not protected")):
        if value.get(key):
            parts.append(f"<p><b>{name}:</b> {html.escape(value[key])}</p>")
    return "".join(parts)


def summary(value: Mapping[str, Any], charts: str) -> str:
    names = ("rows", "published", "suppressed", "classes", "smallest_class", "form", "method")
    facts = {name: value[name] for name in names if value.get(name) is not None}
    facts["requirements"] = ", ".join(value.get("requirements", []))
    return pairs(facts) + measures(value.get("measures", {})) + words(value) + charts


def _verdict(holds: Any) -> Markup:
    if holds is True:
        return Markup('<span class="yes">holds</span>')
    if holds is False:
        return Markup('<span class="no">broken</span>')
    return Markup(f'<span class="open">{html.escape(str(holds))}</span>')


def findings(value: Mapping[str, Any]) -> str:
    lines = (
        (item["promise"], _verdict(item["holds"]), item["detail"]) for item in value["findings"]
    )
    return table(["promise", "", "found"], lines) + words(value)


def attacks(values: Sequence[Mapping[str, Any]]) -> str:
    lines = []
    for item in values:
        name = " ".join(filter(None, (item["attack"], item.get("variant"), item.get("column"))))
        success, allowed = item.get("success"), item.get("allowed")
        lines.append(
            [
                name,
                "" if success is None else percent(success),
                "" if allowed is None else percent(allowed),
                _verdict("not promised" if item.get("holds") is None else item["holds"]),
            ]
        )
    return table(["attack", "succeeds", "allowed", ""], lines)


def description(value: Mapping[str, Any]) -> str:
    lines = []
    for column in value["columns"]:
        role = column["role"] if column["role"] != "none" else column.get("guess", "")
        lines.append(
            [
                column["name"],
                column["type"],
                role,
                column["distinct"],
                column["missing"],
                percent(column["share_unique"]),
            ]
        )
    head = ["column", "type", "role", "distinct", "missing", "unique"]
    single = [
        [", ".join(item["columns"]), bar(item["share_unique"]), percent(item["share_unique"])]
        for item in value.get("singling_out", [])
    ]
    parts = [f"<p>{value['rows']:,} rows</p>", table(head, lines)]
    if single:
        parts.append(table(["singles people out", "", ""], single))
    return "".join(parts)

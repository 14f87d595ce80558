# SPDX-License-Identifier: Apache-2.0
"""What checkers know of the package. It is not run: mypy and pyright read it."""

from typing import assert_type

import bauta

table = bauta.synth("census", rows=100)
release = bauta.anonymize(table, quasi=["age"], sensitive="disease", drop="rest", require="k=5")
assert_type(release, bauta.Release)
assert_type(release.data, bauta.Table)
assert_type(release.query("SELECT COUNT(*)"), bauta.Answer)
assert_type(release.query(["SELECT COUNT(*)", "SELECT AVG(age)"]), bauta.Results[bauta.Answer])
assert_type(release.audit().holds, bool)
assert_type(release.audit(table).findings[0], bauta.Finding)
assert_type(release.measure(table).ncp, float | None)
assert_type(release.attack(table)[0], bauta.Attack)
assert_type(bauta.describe([{"age": 1}, {"age": 2}], risk=True).rows, int)
assert_type(bauta.try_(table, tries={"k": [3, 5]}, quasi="age", drop="rest"), bauta.Tries)
assert_type(str(bauta.recipe_for(table)), str)
assert_type(bauta.open("out/publish").tables, list[str])

bauta.anonymize(table, quais="age")  # type: ignore[call-arg] # pyright: ignore[reportCallIssue]
bauta.anonymize(3)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]

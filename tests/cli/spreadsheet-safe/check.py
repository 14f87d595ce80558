# SPDX-License-Identifier: Apache-2.0
"""Compares two tables: the second is the first with an apostrophe before what looks like a formula."""
import csv
import re
import sys


def rows(name):
    with open(name, newline='', encoding='utf-8') as file:
        return list(csv.reader(file))


def tempts(text):
    return text[:1] in tuple("=+-@\t\r\n'") and not re.fullmatch(r'-?[0-9]+(\.[0-9]+)?', text)


bare, safe = rows(sys.argv[1]), rows(sys.argv[2])
expected = [["'" + text if text and tempts(text) else text for text in row] for row in bare]
guarded = sum(text.startswith("'") for row in safe for text in row)
print('as it should be' if safe == expected else 'DIFFERENT', guarded, 'behind an apostrophe')

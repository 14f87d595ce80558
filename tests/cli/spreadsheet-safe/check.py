# SPDX-License-Identifier: Apache-2.0
"""Compares two tables, of which the second has an apostrophe before what looks like a formula.

    check.py TABLE TABLE COLUMN,…

Both have other random streams: what is not drawn, the columns that are named, is the same but for the
order of rows."""
import csv
import re
import sys


def rows(name):
    with open(name, newline='', encoding='utf-8') as file:
        return list(csv.reader(file))


def tempts(text):
    return text[:1] in tuple("=+-@\t\r\n'") and not re.fullmatch(r'-?[0-9]+(\.[0-9]+)?', text)


def guard(text):
    return "'" + text if text and tempts(text) else text


def bare(text):
    return text[1:] if text.startswith("'") else text


def some(table, columns):
    return sorted([row[i] for i in columns] for row in table[1:])


plain, safe = rows(sys.argv[1]), rows(sys.argv[2])
columns = [i for i, name in enumerate(plain[0]) if name in sys.argv[3].split(',')]
right = all(text == guard(bare(text)) for row in safe for text in row)
right &= safe[0] == [guard(name) for name in plain[0]] and len(safe) == len(plain)
right &= some(safe, columns) == some([[guard(text) for text in row] for row in plain], columns)
guarded = sum(text.startswith("'") for row in safe for text in row)
print('as it should be' if right else 'DIFFERENT', guarded, 'behind an apostrophe')

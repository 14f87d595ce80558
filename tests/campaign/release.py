# SPDX-License-Identifier: Apache-2.0
"""The files of a release as the mutation campaign sees them: texts, read with the csv and json
modules. Nothing of the library is used."""
import csv
import json
import os
import re

TABLES = ('data.csv', 'quasi.csv', 'sensitive.csv', 'bounds.csv')


def read_table(path):
    with open(path, newline='', encoding='utf-8') as file:
        return list(csv.reader(file))


def write_table(path, rows):
    with open(path, 'w', newline='', encoding='utf-8') as file:
        csv.writer(file, lineterminator='\n').writerows(rows)


class Release:
    """The files of a publish/ folder, as lists of rows, and its manifest."""

    def __init__(self, folder):
        self.folder = folder
        self.source = None
        with open(os.path.join(folder, 'manifest.json'), encoding='utf-8') as file:
            self.manifest = json.load(file)
        self.tables = {name: read_table(os.path.join(folder, name)) for name in TABLES
                       if os.path.exists(os.path.join(folder, name))}

    @property
    def form(self):
        """The name of the form, or `join`."""
        return 'join' if 'join' in self.manifest else self.manifest['form'].split(':')[0]

    def option(self, name):
        """The value of an option of the form, or None."""
        found = re.search(rf'[:,]{name}=([^,]*)', self.manifest['form'])
        return found and found[1]

    def write(self):
        for name, rows in self.tables.items():
            write_table(os.path.join(self.folder, name), rows)
        with open(os.path.join(self.folder, 'manifest.json'), 'w', encoding='utf-8') as file:
            json.dump(self.manifest, file, indent=2, ensure_ascii=False)
            file.write('\n')

    def names(self, role):
        return [column['name'] for column in self.manifest['columns'] if column['role'] == role]

    def column(self, role):
        return next(column for column in self.manifest['columns'] if column['role'] == role)

    def places(self, file, role):
        return [self.tables[file][0].index(name) for name in self.names(role)
                if name in self.tables[file][0]]

    def values_file(self):
        """The file that has the sensitive columns."""
        return 'sensitive.csv' if 'sensitive.csv' in self.tables else 'data.csv'

    def class_place(self, file):
        """Where the number of the class, the group or the sensitive group stands; None: nowhere."""
        if self.form == 'join':
            return -1 if file == 'data.csv' else 0
        if self.form in ('two-tables', 'distribution'):
            return -1 if file == 'quasi.csv' else 0
        return None

    def numbered(self):
        """The files that have such a number."""
        return [file for file in sorted(self.tables)
                if self.class_place(file) is not None and file != 'bounds.csv']

    def key(self, file, row):
        """What tells the class of a row from others."""
        if self.form in ('generalized', 'randomized'):
            return tuple(row[i] for i in self.places(file, 'quasi'))
        return (row[self.class_place(file)],)


class Source:
    """The original, and where there is one the public table: columns by name."""

    def __init__(self, original, public=None):
        self.records = self.read(original)
        self.public = self.read(public) if public else []

    @staticmethod
    def read(path):
        with open(path, newline='', encoding='utf-8') as file:
            return list(csv.DictReader(file))

    def persons(self):
        """Everyone of both tables, once."""
        return list({record['name']: record for record in self.public + self.records}.values())

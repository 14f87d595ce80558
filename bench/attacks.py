#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of docs/threat-model.md: every attack on every form, on data that you have.

    bench/attacks.py --build BUILD [--adult FILE] [--diabetes FILE] [--rows N]

--adult and --diabetes name the UCI tables as CSV with a header (gzip is fine); the census is made
with `bauta synth`. Of each table every second record is published, so that the whole of it serves
as the public table, and three of four records make the other release. A cell is the success rate,
the probability for whoever is hit worst, and what is allowed; ! marks a promise that was broken.
"""
import argparse
import csv
import gzip
import json
import os
import subprocess
import sys
import tempfile

# name: (quasi columns, sensitive column, further flags, cut points of numbers for box=grid)
TABLES = {
    'adult': ('age,workclass,education,marital-status,race,sex,native-country', 'occupation', [],
              {'age': range(15, 100, 5)}),
    'diabetes': ('race,gender,age,time_in_hospital,num_medications,medical_specialty', 'diag_1',
                 ['--type', 'diag_1=text', '--type', 'age=text'],
                 {'time_in_hospital': range(1, 18, 3), 'num_medications': range(0, 100, 10)}),
    'census': ('age,sex,region,education,marital,household,country', 'disease', [],
               {'age': range(0, 125, 5), 'household': range(1, 20, 2)}),
}

# Each form with the method that goes with it, as flags: name, method and form.
FORMS = [
    ('generalized', 'mondrian', 'generalized'),
    ('generalized, top-down', 'top-down', 'generalized'),
    ('generalized, not minimal, grid', 'mondrian:minimal=no', 'generalized:box=grid'),
    ('two-tables', 'mondrian', 'two-tables'),
    ('two-tables, anatomy', 'anatomy:l=5', 'two-tables'),
]

REQUIRE = 'k=5,alpha=0.5'


def open_table(path):
    return gzip.open(path, 'rt', encoding='utf-8') if path.endswith('.gz') else \
        open(path, encoding='utf-8')


def prepare(path, folder, columns, person):
    """The columns of a table without missing values, one record per person: the public table, the
    published half, and the three quarters of the other release."""
    names = [os.path.join(folder, name) for name in ('public.csv', 'half.csv', 'most.csv')]
    files = [open(name, 'w', encoding='utf-8', newline='') for name in names]
    writers = [csv.writer(file, lineterminator='\n') for file in files]
    seen = set()
    with open_table(path) as source:
        count = 0
        for writer in writers:
            writer.writerow(columns)
        for record in csv.DictReader(source):
            values = [record[column] for column in columns]
            if '?' in values or (person and record[person] in seen):
                continue
            if person:
                seen.add(record[person])
            writers[0].writerow(values)
            if count % 2 == 0:
                writers[1].writerow(values)
            if count % 4 != 3:
                writers[2].writerow(values)
            count += 1
    for file in files:
        file.close()
    return names, count


class Refused(Exception):
    """The requirements cannot be met."""


def bauta(build, *words, accept=(0,)):
    done = subprocess.run([os.path.join(build, 'bauta'), *words], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode == 1 and 1 not in accept:
        raise Refused
    if done.returncode not in accept:
        raise RuntimeError(f'{" ".join(words)}: {done.stderr}')
    return done.stdout


def anonymize(build, table, spec, method, form, out):
    quasi, sensitive, flags, cuts = spec
    if 'grid' in form:  # other columns are a value or everything
        flags = list(flags)
        for column in quasi.split(','):
            points = ','.join(str(point) for point in cuts.get(column, []))
            flags += ['--cut-points', f'{column}={points}'] if points else \
                ['--hierarchy', f'{column}=flat']
    bauta(build, 'anonymize', table, '--quasi', quasi, '--sensitive', sensitive, '--drop', 'rest',
          '--require', REQUIRE, '--group', method, '--publish', form, *flags, '-o', out)


def attack(build, files, spec, method, form, folder):
    here, there = os.path.join(folder, 'here'), os.path.join(folder, 'there')
    anonymize(build, files[1], spec, method, form, here)
    anonymize(build, files[2], spec, method, form, there)
    text = bauta(build, 'attack', here + '/publish', '--original', files[1], '--public', files[0],
                 '--other-release', there + '/publish', '--all', '--json', accept=(0, 1))
    return json.loads(text)


def percent(rate):
    if rate is None:
        return '-'
    return '0 %' if rate == 0 else f'{100 * rate:.2g} %' if rate < 0.995 else '100 %'


def cell(result):
    if result is None:
        return ''
    if result['tried'] == 0:
        return 'nobody to try'
    shown = percent(max(result['success'], 0))
    if result['worst'] is not None:
        shown += f', {percent(result["worst"])}'
    if result['allowed'] is not None:
        shown += f' of {percent(result["allowed"])}'
    return shown + (' **!**' if result['holds'] is False else '')


def print_table(name, count, results):
    order = []
    for found in results.values():
        for one in found:
            key = (one['attack'], one.get('variant', ''))
            if key not in order and 'skipped' not in one:
                order.append(key)
    attacks = list(dict.fromkeys(key[0] for key in order))
    order.sort(key=lambda key: attacks.index(key[0]))
    print(f'**{name}**, {count:,} people, half of them published\n')
    print('| attack | ' + ' | '.join(results) + ' |')
    print('|---|' + '---|' * len(results))
    for attack_name, variant in order:
        cells = []
        for found in results.values():
            same = [one for one in found if one['attack'] == attack_name and
                    one.get('variant', '') == variant and 'skipped' not in one]
            cells.append(cell(max(same, key=lambda one: one['success']) if same else None))
        print(f'| {attack_name}{": " + variant if variant else ""} | ' + ' | '.join(cells) + ' |')
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('--build', default='build')
    parser.add_argument('--adult')
    parser.add_argument('--diabetes')
    parser.add_argument('--rows', type=int, default=100000, help='of the census')
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    with tempfile.TemporaryDirectory(prefix='bauta-attacks-') as scratch:
        sources = {'adult': options.adult, 'diabetes': options.diabetes,
                   'census': os.path.join(scratch, 'census.csv')}
        bauta(build, 'synth', 'census', '--rows', str(options.rows), '-o', sources['census'])
        for name, path in sources.items():
            if not path:
                continue
            spec = TABLES[name]
            folder = os.path.join(scratch, name)
            os.mkdir(folder)
            columns = spec[0].split(',') + [spec[1]]
            files, count = prepare(path, folder, columns,
                                   'patient_nbr' if name == 'diabetes' else None)
            results = {}
            for number, (label, method, form) in enumerate(FORMS):
                place = os.path.join(folder, str(number))
                os.mkdir(place)
                try:
                    results[label] = attack(build, files, spec, method, form, place)
                except Refused:
                    pass  # such as more different values than the table allows
            print_table(name, count, results)
    return 0


if __name__ == '__main__':
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/threat-model.md: every attack on every form, on data that you have.

    bench/attacks.py --build BUILD [--adult FILE] [--diabetes FILE] [--rows N] [--only TEXT]

--adult and --diabetes name the UCI tables as CSV with a header (gzip is fine); the census is made
with `bauta synth`. Of each table every second record is published, so that the whole of it serves
as the public table, and three of four records make the other release. A cell is the success rate,
the probability for whoever is hit worst, and what is allowed; ! marks a promise that was broken.
Below each table stands what was run; a form that is refused has an empty column, and the reason.
"""
import argparse
import csv
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import namedtuple

# How a table is used: its quasi columns and the sensitive one, flags that every run has, cut points
# of numbers for box=grid, hierarchies for full-domain recoding, and what makes the groups of
# `distribution`.
Spec = namedtuple('Spec', 'quasi sensitive flags cuts trees groups')

TABLES = {
    'adult': Spec('age,workclass,education,marital-status,race,sex,native-country', 'occupation',
                  [], {'age': range(15, 100, 5)}, {'age': 'intervals:5,10,20,40'}, 'age,sex'),
    'diabetes': Spec('race,gender,age,time_in_hospital,num_medications,medical_specialty', 'diag_1',
                     ['--type', 'diag_1=text', '--type', 'age=text', '--accept', 'diag_1,medical_specialty'],
                     {'time_in_hospital': range(1, 18, 3), 'num_medications': range(0, 100, 10)},
                     {'time_in_hospital': 'intervals:3,6', 'num_medications': 'intervals:10,20,40'},
                     'age,gender,time_in_hospital'),
    'census': Spec('age,sex,region,education,marital,household,country', 'disease', [],
                   {'age': range(0, 125, 5), 'household': range(1, 20, 2)},
                   {'age': 'intervals:5,10,20,40', 'region': 'mask'}, 'age,sex'),
}

# A form with the method that goes with it. `group` may name the columns of Spec.groups.
Form = namedtuple('Form', 'label group publish require options')

REQUIRE = 'k=5,alpha=0.5'
LONGEST = 180  # seconds that one command may take

# Two tables for each data set, so that they can be read.
FORMS = [
    [
        Form('generalized', 'mondrian', 'generalized', REQUIRE, ''),
        Form('generalized, top-down', 'top-down', 'generalized', REQUIRE, ''),
        Form('generalized, not minimal, grid', 'mondrian:minimal=no', 'generalized:box=grid',
             REQUIRE, 'cuts'),
        Form('generalized, incognito', 'incognito', 'generalized', REQUIRE, 'trees'),
        Form('two-tables', 'mondrian', 'two-tables', REQUIRE, ''),
        Form('two-tables, anatomy', 'anatomy:l=5', 'two-tables', REQUIRE, ''),
    ],
    [
        Form('distribution', 'columns:{groups}', 'distribution:allocation=optimal',
             'alpha=0.5', ''),
        Form('distribution, fakes', 'columns:{groups}',
             'distribution:fake=best:5%,allocation=optimal', 'alpha=0.5', ''),
        Form('distribution, safe mode', 'columns:{groups}',
             'distribution:fake=5%,allocation=random', 'alpha=0.5', ''),
        Form('randomized', '', 'randomized', '', ''),
        Form('randomized, three values', '', 'randomized:lambda=3', '', ''),
        Form('join, refined', 'mondrian', 'generalized', REQUIRE, 'join'),
        Form('join, presence', 'mondrian', 'generalized', REQUIRE + ',presence=4/5', 'join'),
    ],
]


def open_table(path):
    return gzip.open(path, 'rt', encoding='utf-8') if path.endswith('.gz') else \
        open(path, encoding='utf-8')


def prepare(path, folder, columns, person):
    """The columns of a table without missing values, one record per person, with a number for each:
    the public table, the published half, and the three quarters of the other release."""
    names = [os.path.join(folder, name) for name in ('public.csv', 'half.csv', 'most.csv')]
    files = [open(name, 'w', encoding='utf-8', newline='') for name in names]
    writers = [csv.writer(file, lineterminator='\n') for file in files]
    seen = set()
    with open_table(path) as source:
        count = 0
        for writer in writers:
            writer.writerow(['person'] + columns)
        for record in csv.DictReader(source):
            values = [count] + [record[column] for column in columns]
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
    return names + [leave_out(names[0], names[1], folder)], count


def leave_out(public, half, folder):
    """The public table without those who have a value that the published half has not: what a join
    takes."""
    path = os.path.join(folder, 'joined.csv')
    with open(half, encoding='utf-8', newline='') as file:
        known = [set(values) for values in zip(*csv.reader(file))]
    with open(public, encoding='utf-8', newline='') as file, \
            open(path, 'w', encoding='utf-8', newline='') as out:
        writer = csv.writer(out, lineterminator='\n')
        for values in csv.reader(file):
            if all(value in column for value, column in zip(values[1:], known[1:])):
                writer.writerow(values)
    return path


class Refused(Exception):
    """A form or an attack does not go with the table."""


def bauta(build, *words, accept=(0,)):
    try:
        done = subprocess.run([os.path.join(build, 'bauta'), *words], text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        raise Refused(f'it takes more than {LONGEST} seconds') from None
    if done.returncode in (1, 2, 3) and done.returncode not in accept:
        raise Refused(done.stderr.strip().split('\n')[0])
    if done.returncode not in accept:
        raise RuntimeError(f'{" ".join(words)}: {done.stderr}')
    return done.stdout


def flags_of(spec, form):
    """The flags of a run: those that the form adds, and those that all have."""
    own = ['--require', form.require] if form.require else []
    if form.group:
        own += ['--group', form.group.format(groups=spec.groups)]
    own += ['--publish', form.publish]
    if form.options == 'trees':
        own += [word for column, tree in spec.trees.items()
                for word in ('--hierarchy', f'{column}={tree}')]
    if form.options == 'cuts':  # other columns are a value or everything
        for column in spec.quasi.split(','):
            points = spec.cuts.get(column)
            own += ['--cut-points', f'{column}={points.start}:{points[-1]}:{points.step}'] \
                if points else ['--hierarchy', f'{column}=flat']
    if form.options == 'join':
        own += ['--join', 'refine', '--key', 'person']
    return own, ['--quasi', spec.quasi, '--sensitive', spec.sensitive, *spec.flags]


def anonymize(build, files, table, spec, form, out):
    own, common = flags_of(spec, form)
    public = ['--public', files[3]] if form.options == 'join' else []
    bauta(build, 'anonymize', table, *common, '--drop', 'rest', *own, *public, '-o', out)


def attack(build, files, spec, form, folder):
    here, there = os.path.join(folder, 'here'), os.path.join(folder, 'there')
    anonymize(build, files, files[1], spec, form, here)
    anonymize(build, files, files[2], spec, form, there)
    public = [files[3], '--key', 'person'] if form.options == 'join' else [files[0]]
    text = bauta(build, 'attack', here + '/publish', '--original', files[1], '--public', *public,
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
    shown = percent(result['success'])
    if result['worst'] is not None:
        shown += f', {percent(result["worst"])}'
    if result['allowed'] is not None:
        shown += f' of {percent(result["allowed"])}'
    return shown + (' **!**' if result['holds'] is False else '')


def find_order(results):
    """All attacks and variants that were tried, those of one attack together."""
    order = []
    for found in results.values():
        for one in found:
            key = (one['attack'], one.get('variant', ''))
            if key not in order and 'skipped' not in one:
                order.append(key)
    attacks = list(dict.fromkeys(key[0] for key in order))
    return sorted(order, key=lambda key: attacks.index(key[0]))


def print_table(results):
    print('| attack | ' + ' | '.join(results) + ' |')
    print('|---|' + '---|' * len(results))
    for attack_name, variant in find_order(results):
        cells = []
        for found in results.values():
            same = [one for one in found if one['attack'] == attack_name and
                    one.get('variant', '') == variant and 'skipped' not in one]
            cells.append(cell(max(same, key=lambda one: one['success'] or 0) if same else None))
        print(f'| {attack_name}{": " + variant if variant else ""} | ' + ' | '.join(cells) + ' |')
    print()


def print_runs(name, spec, forms, refused):
    _, common = flags_of(spec, forms[0])
    print(f'What was run on {name}, each with `{" ".join(common)}`:\n')
    for form in forms:
        own, _ = flags_of(spec, form)
        reason = f'; refused: {refused[form.label]}' if form.label in refused else ''
        print(f'- {form.label}: `{" ".join(own)}`{reason}')
    print()


def try_forms(build, files, spec, forms, folder):
    results, refused = {}, {}
    for number, form in enumerate(forms):
        place = os.path.join(folder, str(number))
        os.makedirs(place)
        began = time.monotonic()
        try:
            results[form.label] = attack(build, files, spec, form, place)
        except Refused as reason:
            results[form.label] = []
            refused[form.label] = str(reason).removeprefix('bauta: ')
        print(f'{folder}: {form.label}: {time.monotonic() - began:.1f} s', file=sys.stderr)
    return results, refused


def try_table(build, name, path, scratch, only):
    spec = TABLES[name]
    folder = os.path.join(scratch, name)
    os.mkdir(folder)
    files, count = prepare(path, folder, spec.quasi.split(',') + [spec.sensitive],
                           'patient_nbr' if name == 'diabetes' else None)
    print(f'**{name}**, {count:,} people, half of them published\n')
    for part, listed in enumerate(FORMS):
        forms = [form for form in listed if only in form.label]
        if not forms:
            continue
        place = os.path.join(folder, f'forms-{part}')
        results, refused = try_forms(build, files, spec, forms, place)
        print_table(results)
        print_runs(name, spec, forms, refused)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('--build', default='build')
    parser.add_argument('--adult')
    parser.add_argument('--diabetes')
    parser.add_argument('--rows', type=int, default=100000, help='of the census; 0: without it')
    parser.add_argument('--only', default='', help='forms whose name contains this')
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    with tempfile.TemporaryDirectory(prefix='bauta-attacks-') as scratch:
        sources = {'adult': options.adult, 'diabetes': options.diabetes}
        if options.rows > 0:
            sources['census'] = os.path.join(scratch, 'census.csv')
            bauta(build, 'synth', 'census', '--rows', str(options.rows), '-o', sources['census'])
        for name, path in sources.items():
            if path:
                try_table(build, name, path, scratch, options.only)
    return 0


if __name__ == '__main__':
    sys.exit(main())

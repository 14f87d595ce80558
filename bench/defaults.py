#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of costs in docs/defaults.md: what each default loses against other choices, on three tables.

    bench/defaults.py --build BUILD --adult FILE --diabetes FILE [--runs N] [--only TEXT]

--adult and --diabetes name the UCI tables as CSV with a header (gzip is fine); the census is made with
`bauta synth census --rows 30000 --seed 1`. Of what is drawn at random the least and the greatest of
--runs runs are told. A setting that is refused says so, and the reason stands on standard error.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import namedtuple

# The columns of a table: quasi ones without a hierarchy, those with one, the sensitive column and
# another one, flags that every run has, and a number that `distribution` publishes by a column.
Spec = namedtuple('Spec', 'flat trees sensitive second flags number by')

TABLES = {
    'Adult': Spec(['workclass', 'education', 'marital-status', 'race', 'sex', 'native-country'],
                  {'age': 'intervals:5,10,20,40'}, 'occupation', 'salary-class', [],
                  'hours-per-week', 'sex'),
    'diabetes': Spec(['race', 'gender', 'age', 'admission_type_id', 'discharge_disposition_id',
                      'medical_specialty'], {'time_in_hospital': 'intervals:2,4,8'}, 'insulin', 'A1Cresult',
                     ['--subject', 'patient_nbr', '--type', 'admission_type_id=text',
                      '--type', 'discharge_disposition_id=text'], 'num_medications', 'gender'),
    'census': Spec(['sex', 'education', 'marital', 'occupation', 'country'],
                   {'age': 'intervals:5,10,20,40', 'region': 'mask'}, 'disease', 'insurance', [],
                   'hours', 'sex'),
}

Setting = namedtuple('Setting', 'name flags drawn measure', defaults=(False, 'ncp'))


def settings(spec):
    """What is measured, in the order of docs/defaults.md."""
    def base(require='k=5', sensitive=spec.sensitive, trees=True):
        flags = ['--quasi', ','.join([*spec.trees, *spec.flat]), '--sensitive', sensitive, '--drop', 'rest',
                 '--require', require, '--accept', sensitive, *spec.flags]
        for column in [*spec.trees, *spec.flat] if trees else []:
            flags += ['--hierarchy', f'{column}={spec.trees.get(column, "flat")}']
        if not trees and 'region' in spec.trees: # numbers that are codes
            flags += ['--type', 'region=text', '--accept', 'region']
        return flags
    pair = f'{spec.sensitive},{spec.second}'
    yield Setting('as it comes: `k=5`', base())
    yield Setting('`missing: drop`', base() + ['--missing', 'drop'])
    yield Setting('no hierarchies', base(trees=False))
    yield Setting('`k=5,l=3`', base('k=5,l=3'))
    yield Setting('two sensitive columns, `k=5,l=2`', base('k=5,l=2', pair))
    yield Setting('… with `joint: none`', base('k=5,l=2', pair) + ['--joint', 'none'])
    for method in ('mondrian:order=widest', 'mondrian:order=round-robin', 'mondrian:cuts=order'):
        yield Setting(f'`{method}`', base() + ['--group', method])
    yield Setting('`mondrian:minimal=no`', base() + ['--group', 'mondrian:minimal=no'], True)
    yield Setting('`top-down`', base() + ['--group', 'top-down'])
    yield Setting('`top-down:attribute=ncp`', base() + ['--group', 'top-down:attribute=ncp'])
    yield Setting('`top-down:minimal=no`', base() + ['--group', 'top-down:minimal=no'], True)
    yield Setting('`incognito`', base() + ['--group', 'incognito'])
    yield Setting('… with `suppress: 0.05`', base() + ['--group', 'incognito', '--suppress', '0.05'])
    yield Setting('`incognito:local=yes`', base() + ['--group', 'incognito:local=yes'])
    yield Setting('`incognito:minimal=no`', base() + ['--group', 'incognito:minimal=no'], True)
    yield Setting('`least`, no hierarchies', base(trees=False) + ['--group', 'least'])
    one_by_one = ['--quasi', ','.join([*spec.trees, *spec.flat]), '--sensitive', spec.sensitive, '--drop', 'rest',
                  '--accept', ','.join([spec.sensitive, *spec.trees, *spec.flat]), '--subject', 'none']
    for option in ('lambda=1', 'lambda=2', 'lambda=4', 'p=entropy', 'rare=20'):
        yield Setting(f'`randomized:{option}`, own rows found', one_by_one + ['--publish', f'randomized:{option}'],
                      True, 'linkage_rate')
    ranges = ['--quasi', spec.by, '--sensitive', spec.number, '--drop', 'rest', '--require', 'alpha=0.6',
              '--group', f'columns:{spec.by}', '--subject', 'none', '--type', f'{spec.number}=integer']
    for option in ('allocation=random', 'allocation=optimal', 'fake=5%'):
        yield Setting(f'`distribution:{option}`, sum of ranges', ranges + ['--publish', f'distribution:{option}'],
                      True, 'sum_of_ranges')


def run(arguments, table, flags, folder):
    done = subprocess.run([os.path.join(arguments.build, 'bauta'), 'anonymize', table, *flags, '--json',
                           '--force', '-o', os.path.join(folder, 'out')],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        print(' '.join(flags), done.stderr, sep='\n', file=sys.stderr)
        return None
    return json.loads(done.stdout)


def figure(answer, measure):
    """A measure, in percent but for sums."""
    value = answer['measures'][measure] if measure == 'ncp' else answer[measure]
    return value if measure == 'sum_of_ranges' else 100 * value


def spell(values, measure):
    texts = [f'{value:,.0f}' if measure == 'sum_of_ranges' else f'{value:#.3g}'.rstrip('.') for value in
             (min(values), max(values))]
    unit = '' if measure == 'sum_of_ranges' else ' %'
    return texts[0] + unit if texts[0] == texts[1] else f'{texts[0]} to {texts[1]}{unit}'


def measure(arguments, table, setting, folder):
    answers = [run(arguments, table, setting.flags, folder)]
    if answers[0] is None:
        return 'refused'
    if setting.drawn:
        answers += [run(arguments, table, setting.flags, folder) for _ in range(arguments.runs - 1)]
    text = spell([figure(answer, setting.measure) for answer in answers], setting.measure)
    dropped = answers[0]['rows'] - answers[0]['published']
    return text + (f' ({dropped:,} records dropped)' if dropped else '')


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument('--build', required=True)
    parser.add_argument('--adult', required=True)
    parser.add_argument('--diabetes', required=True)
    parser.add_argument('--runs', type=int, default=6)
    parser.add_argument('--only', default='')
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix='bauta-defaults-') as folder:
        census = os.path.join(folder, 'census.csv')
        subprocess.run([os.path.join(arguments.build, 'bauta'), 'synth', 'census', '--rows', '30000', '--seed', '1',
                        '-o', census], check=True, stdout=subprocess.DEVNULL)
        files = {'Adult': arguments.adult, 'diabetes': arguments.diabetes, 'census': census}
        print('| setting |', ' | '.join(TABLES), '|')
        print('|---|' + '---|' * len(TABLES))
        for row in zip(*(settings(spec) for spec in TABLES.values())):
            if arguments.only not in row[0].name:
                continue
            cells = [measure(arguments, files[name], setting, folder) for name, setting in zip(TABLES, row)]
            print('|', row[0].name, '|', ' | '.join(cells), '|', flush=True)


if __name__ == '__main__':
    main()

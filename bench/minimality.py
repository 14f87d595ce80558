#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of docs/minimality.md: what a bound on minimality costs, on data that you have.

    bench/minimality.py --build BUILD [--adult FILE] [--diabetes FILE] [--rows N] [--seeds N]

--adult and --diabetes name the UCI tables as CSV with a header (gzip is fine); the census is made
with `bauta synth`. A cell is the NCP in percent, the mean over the seeds; of methods that take no
factor only that of their own algorithm stands there.
"""
import argparse
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import namedtuple

Spec = namedtuple('Spec', 'quasi sensitive flags')

TABLES = {
    'adult': Spec('age,workclass,education,marital-status,race,sex,native-country', 'occupation',
                  ['--accept', 'occupation']),
    'diabetes': Spec('race,gender,age,time_in_hospital,num_medications,medical_specialty', 'diag_1',
                     ['--type', 'diag_1=text', '--type', 'age=text', '--subject', 'none']),
    'census': Spec('age,sex,region,education,marital,household,country', 'disease', []),
}
REQUIREMENTS = ['k=5,l=3', 'k=5,alpha=0.5', 'k=5,t=0.2']
FACTORS = ['yes', '2', '3', '4', '8', '16', '64']
OTHERS = ['top-down', 'incognito', 'incognito:local=yes', 'cluster']
LONGEST = 120  # seconds that one command may take


def losses(bauta, path, spec, requirement, group, seeds):
    """The NCP with each seed; none where the run is refused or takes too long."""
    found = []
    for seed in range(1, seeds + 1):
        command = [bauta, 'anonymize', path, '--quasi', spec.quasi, '--sensitive', spec.sensitive,
                   '--drop', 'rest', '--require', requirement, '--group', group, '--dry-run',
                   '--json', '--seed', str(seed)] + spec.flags
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  stdin=subprocess.DEVNULL, timeout=LONGEST, check=False)
        except subprocess.TimeoutExpired:
            return []
        if done.returncode == 0:
            found.append(json.loads(done.stdout)['tries'][0]['measures']['ncp'])
    return found


def cell(values):
    return f'{100 * sum(values) / len(values):.1f}' if values else ''


def report(bauta, name, path, seeds):
    spec = TABLES[name]
    print(f'| {name} | ' + ' | '.join(f'`{one}`' for one in REQUIREMENTS) + ' |')
    print('|---' * (1 + len(REQUIREMENTS)) + '|')
    groups = [f'mondrian:minimal={factor}' for factor in FACTORS] + OTHERS
    for group in groups:
        fixed = group in OTHERS or group.endswith('yes')
        cells = [cell(losses(bauta, path, spec, one, group, 1 if fixed else seeds))
                 for one in REQUIREMENTS]
        print(f'| `{group}` | ' + ' | '.join(cells) + ' |', flush=True)
    print()


def unpack(source, path, rows):
    """Copies the header and the first rows of a table; 0: all."""
    opened = gzip.open if source.endswith('.gz') else open
    with opened(source, 'rt', encoding='utf-8') as table, open(path, 'w', encoding='utf-8') as out:
        for number, line in enumerate(table):
            if rows and number > rows:
                break
            out.write(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('--build', required=True)
    parser.add_argument('--adult')
    parser.add_argument('--diabetes')
    parser.add_argument('--rows', type=int, default=0)
    parser.add_argument('--seeds', type=int, default=3)
    given = parser.parse_args()
    bauta = os.path.abspath(os.path.join(given.build, 'bauta'))
    scratch = tempfile.mkdtemp(prefix='bauta-minimality-')
    try:
        for name in TABLES:
            path = os.path.join(scratch, f'{name}.csv')
            if name == 'census':
                subprocess.run([bauta, 'synth', 'census', '--rows', str(given.rows or 30000),
                                '--seed', '1', '-o', path], check=True)
            elif getattr(given, name):
                unpack(getattr(given, name), path, given.rows)
            else:
                continue
            report(bauta, name, path, given.seeds)
    finally:
        shutil.rmtree(scratch)
    return 0


if __name__ == '__main__':
    sys.exit(main())

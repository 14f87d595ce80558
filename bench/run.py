#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures Bauta against its bars and prints a table: name, value, bar, ratio, met.

    python3 -m venv build/bench-venv && build/bench-venv/bin/pip install duckdb
    build/bench-venv/bin/python bench/run.py                    # what bench/run and `make bench` do
    build/bench-venv/bin/python bench/run.py --full             # also 100 million rows
    build/bench-venv/bin/python bench/run.py --only synth,adult # some sections

The ratio says how many times better than the bar a value is: 1 or more meets it. Times are the
fastest of --repeat runs of the whole command on a warm page cache, DuckDB's in between on the
same file. Memory is the largest RssAnon of the process, sampled every few milliseconds.

Needs the standard library and, for the comparison with it, the package `duckdb`. The section
`adult` needs a folder with adult/adult.csv (--data), which is not part of the project.
"""
import argparse
import csv
import gzip
import json
import math
import os
import platform
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
QUASI = ['age', 'sex', 'region', 'education', 'marital', 'occupation', 'household', 'country']
FEW_QUASI = QUASI[:5]
ADULT_QUASI = ['age', 'workclass', 'education-num', 'marital-status', 'occupation', 'race', 'sex',
               'native-country']
ADULT_TRAINING = 32561  # the first rows of adult.csv
MILLION = 1000000
BYTES_A_ROW = 90  # of the census, rounded up

# ---- running and watching --------------------------------------------------------------------


class Run:
    """What came of a command: seconds, peak anonymous memory in bytes, and its JSON answer."""

    def __init__(self, seconds, memory, answer):
        self.seconds, self.memory, self.answer = seconds, memory, answer


def anonymous_memory(pid):
    try:
        with open(f'/proc/{pid}/status', encoding='ascii') as lines:
            for line in lines:
                if line.startswith('RssAnon:'):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return 0


def run(command, lines=None):
    """Runs a command to its end, with these lines as input; its failure is ours."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.PIPE if lines else None,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    peak, done = [0], threading.Event()

    def watch():
        while not done.is_set():
            peak[0] = max(peak[0], anonymous_memory(process.pid))
            done.wait(0.004)

    watcher = threading.Thread(target=watch)
    watcher.start()
    output, errors = process.communicate('\n'.join(lines).encode() if lines else None)
    seconds = time.perf_counter() - start
    done.set()
    watcher.join()
    if process.returncode != 0:
        raise RuntimeError(f'{shlex.join(command)}: exit code {process.returncode}\n'
                           f'{errors.decode(errors="replace")}')
    text = output.decode(errors='replace').strip()
    return Run(seconds, peak[0], json.loads(text) if text.startswith('{') else {})


def warm(file):
    """Reads a file once, so that the page cache holds it."""
    with open(file, 'rb', buffering=0) as source:
        while source.read(1 << 24):
            pass


# ---- what is run -----------------------------------------------------------------------------


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.lines = []  # name, value, bar, ratio, met

    def path(self, *names):
        return os.path.join(self.folder, *names)

    # -- the table of results --

    def add(self, name, value, unit, bar=None, lower=True):
        """Notes a value against its bar; `lower`: less is better."""
        ratio = None
        if bar is not None and value > 0:
            ratio = bar / value if lower else value / bar
        self.lines.append({'name': name, 'value': value, 'unit': unit, 'bar': bar, 'ratio': ratio,
                           'met': None if ratio is None else ratio >= 1})
        shown = format_line(self.lines[-1])
        print(f'{shown[0]:44} {shown[1]:>14} {shown[2]:>14} {shown[3]:>7} {shown[4]}', flush=True)

    # -- commands --

    def bauta(self, *arguments):
        return run([self.options.bauta, *map(str, arguments)])

    def census(self, rows):
        """A census of so many rows with its recipe; made once."""
        table = self.path(f'census-{rows}.csv')
        if not os.path.exists(table):
            self.bauta('synth', 'census', '--rows', rows, '--threads', self.options.threads,
                       '--recipe', self.path(f'recipe-{rows}.yaml'),
                       '--hierarchies', self.path('hierarchies'), '-o', table)
        return table

    def anonymize(self, *arguments):
        """One release, removed again."""
        out = self.path('release')
        shutil.rmtree(out, ignore_errors=True)
        try:
            return self.bauta('anonymize', *arguments, '--threads', self.options.threads, '--json',
                              '--tmp', self.folder, '-o', out)
        finally:
            shutil.rmtree(out, ignore_errors=True)

    def fastest(self, work, repeat=None):
        """The fastest of several runs, with the largest memory of any."""
        runs = [work() for _ in range(repeat or self.options.repeat)]
        best = min(runs, key=lambda one: one.seconds)
        best.memory = max(one.memory for one in runs)
        return best

    def census_flags(self, rows, quasi):
        """The flags of a release of the census: by its recipe, or with few quasi columns."""
        if quasi == QUASI:
            return ['-r', self.path(f'recipe-{rows}.yaml')]
        return [self.census(rows), '--quasi', ','.join(quasi), '--sensitive', 'disease', '--drop',
                'rest', '--require', 'k=10', '--hierarchy', 'age=intervals:5,10,20', '--hierarchy',
                'region=' + self.path('hierarchies', 'region.csv')]


def format_number(value, unit):
    if unit == 'rows/s':
        return f'{value / MILLION:.2f} M{unit}'
    return f'{value:.3g} {unit}' if value < 1000 else f'{value:.0f} {unit}'


def format_line(line):
    bar, ratio = line['bar'], line['ratio']
    return (line['name'], format_number(line['value'], line['unit']),
            '' if bar is None else format_number(bar, line['unit']),
            '' if ratio is None else f'{ratio:.2f}',
            {None: '', True: 'yes', False: 'NO'}[line['met']])


# ---- sections --------------------------------------------------------------------------------

DUCKDB_COPY = '''
import sys, time, duckdb
source, target = (name.replace("'", "''") for name in sys.argv[1:3])
threads = sys.argv[3]
database = duckdb.connect()
database.execute(f"SET threads = {int(threads)}; SET enable_progress_bar = false")
start = time.perf_counter()
database.execute(f"COPY (SELECT * FROM read_csv('{source}')) TO '{target}' (HEADER, DELIMITER ',')")
print('{"seconds": %f}' % (time.perf_counter() - start))
'''


def have_duckdb():
    try:
        import duckdb
        return duckdb.__version__
    except ImportError:
        return None


def duckdb_copy(bench, table):
    """Seconds of the copy alone, without starting Python."""
    target = bench.path('copy.csv')
    seconds = run([sys.executable, '-c', DUCKDB_COPY, table, target,
                   str(bench.options.threads)]).answer['seconds']
    os.remove(target)
    return seconds


def section_synth(bench):
    rows = bench.options.rows
    target = bench.path('synth.csv')

    def once():
        return bench.bauta('synth', 'census', '--rows', rows, '--threads', bench.options.threads,
                           '-o', target)

    best = bench.fastest(once)
    size = os.path.getsize(target)
    os.remove(target)
    bench.add(f'synth census, {label(rows)} rows', rows / best.seconds, 'rows/s', 2 * MILLION,
              lower=False)
    bench.add('  bytes a row', size / rows, 'B')


def section_large(bench):
    """The whole way from CSV to an audited release, against DuckDB copying the CSV."""
    rows = bench.options.rows
    table = bench.census(rows)
    warm(table)
    flags = bench.census_flags(rows, QUASI)
    runs, copies = [], []
    for _ in range(bench.options.repeat):
        runs.append(bench.anonymize(*flags))
        if have_duckdb():
            copies.append(duckdb_copy(bench, table))
    best = min(runs, key=lambda one: one.seconds)
    seconds = best.answer.get('seconds', {})
    name = f'anonymize {label(rows)}, 8 quasi, k=10'
    bench.add(name + (' against DuckDB' if copies else ''), best.seconds, 's',
              min(copies) if copies else None)
    for stage in ('read', 'group', 'publish', 'audit'):
        if stage in seconds:
            bench.add(f'  {stage}', seconds[stage], 's')
    if seconds.get('read'):
        bench.add('  reading', os.path.getsize(table) / seconds['read'] / 1e9, 'GB/s', 1,
                  lower=False)
    bench.add('  anonymous memory a row', max(one.memory for one in runs) / rows, 'B', 64)
    bench.add('  NCP', 100 * best.answer['measures']['ncp'], '%')


def section_plain(bench):
    """The same without hierarchies: ranges and sets instead of nodes."""
    rows = bench.options.rows
    table = bench.census(rows)
    warm(table)
    best = bench.fastest(lambda: bench.anonymize(
        table, '--quasi', ','.join(QUASI), '--sensitive', 'disease', '--other', 'rest',
        '--require', 'k=10'))
    bench.add(f'anonymize {label(rows)}, no hierarchies', best.seconds, 's')
    bench.add('  anonymous memory a row', best.memory / rows, 'B', 64)
    bench.add('  NCP', 100 * best.answer['measures']['ncp'], '%')


def section_growth(bench):
    """Seconds a row must not grow with the table. Where table, release and the run itself do not
    fit into memory together, the disk would be measured: then a narrower release is made."""
    sizes = [MILLION, 10 * MILLION] + ([100 * MILLION] if bench.options.full else [])
    room = min(shutil.disk_usage(bench.folder).free,
               os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES'))
    quasi = QUASI if room > 3 * BYTES_A_ROW * sizes[-1] else FEW_QUASI
    first = None
    for rows in sizes:
        table = bench.census(rows)
        warm(table)
        best = bench.fastest(lambda: bench.anonymize(*bench.census_flags(rows, quasi)),
                             1 if rows > 10 * MILLION else None)
        each = best.seconds / rows * 1e9
        first = first or each
        bench.add(f'{label(rows)} rows, {len(quasi)} quasi', each, 'ns/row',
                  None if rows == sizes[0] else first * 1.2)
        if rows > 10 * MILLION:
            bench.add('  anonymous memory a row', best.memory / rows, 'B', 64)
            os.remove(table)


def section_memory(bench):
    """With a small budget the shuffle goes through files and still finishes."""
    rows = bench.options.rows
    warm(bench.census(rows))
    best = bench.fastest(lambda: bench.anonymize(*bench.census_flags(rows, QUASI), '--memory',
                                                 '64M'), 1)
    if best.answer['published'] != rows:
        raise RuntimeError('the external shuffle lost rows')
    bench.add(f'anonymize {label(rows)}, --memory 64M', best.seconds, 's')
    bench.add('  anonymous memory a row', best.memory / rows, 'B', 64)


def adult_rows(bench):
    """The training rows without missing values, as a file; None when the data is not there."""
    source = os.path.join(bench.options.data, 'adult', 'adult.csv')
    if not os.path.exists(source):
        return None
    target = bench.path('adult.csv')
    with open(source, newline='', encoding='utf-8') as given, \
            open(target, 'w', newline='', encoding='utf-8') as kept:
        reader, writer = csv.reader(given), csv.writer(kept, lineterminator='\n')
        writer.writerow(next(reader))
        for number, row in enumerate(reader):
            if number < ADULT_TRAINING and '?' not in row:
                writer.writerow(row)
    return target


def section_adult(bench):
    table = adult_rows(bench)
    if not table:
        print('adult: skipped, there is no adult/adult.csv in the folder of --data')
        return
    best = bench.fastest(lambda: bench.anonymize(
        table, '--quasi', ','.join(ADULT_QUASI), '--sensitive', 'salary-class', '--drop', 'rest',
        '--require', 'k=10'), 5)
    bench.add('Adult, 30,162 rows, 8 quasi, k=10: NCP', 100 * best.answer['measures']['ncp'], '%',
              5.1)
    bench.add('  the whole command', 1000 * best.seconds, 'ms', 50)


QUERY_ROWS, QUERIES = 45222, 1000


def query_conditions(table, generator):
    """Conditions as in paper 1: of four quasi columns and the sensitive one, so many of the values
    that about one record in twenty matches."""
    with open(table, newline='', encoding='utf-8') as file:
        rows = list(csv.DictReader(file))
    values = {name: sorted({row[name] for row in rows} - {''}) for name in QUASI + ['disease']}
    while True:
        parts = []
        for name in generator.sample(QUASI, 4) + ['disease']:
            some = generator.sample(values[name], math.ceil(len(values[name]) * 0.05 ** 0.2))
            quoted = (value.replace("'", "''") for value in some)
            parts.append(f'{name} IN (' + ', '.join(f"'{value}'" for value in quoted) + ')')
        yield ' AND '.join(parts)


def section_query(bench):
    """Questions after a release of the size of Adult is opened once."""
    table = bench.census(QUERY_ROWS)
    conditions = query_conditions(table, random.Random(1))
    flags = ['--quasi', ','.join(QUASI), '--sensitive', 'disease', '--other', 'income', '--drop',
             'rest', '--unique-limit', '1', '--require', 'k=4', '--threads', bench.options.threads]
    for form in ('generalized', 'two-tables'):
        out = bench.path('asked')
        shutil.rmtree(out, ignore_errors=True)
        bench.bauta('anonymize', table, *flags, '--publish', form, '-o', out)
        command = [bench.options.bauta, 'query', os.path.join(out, 'publish'), '--threads',
                   str(bench.options.threads)]
        for what in ('COUNT(*)', 'AVG(age)', 'SUM(income)'):
            queries = [f'SELECT {what} WHERE {next(conditions)}' for _ in range(QUERIES + 1)]
            opening = bench.fastest(lambda: run(command, queries[:1])).seconds
            seconds = bench.fastest(lambda: run(command, queries)).seconds - opening
            bench.add(f'{what}, {form}, {QUERY_ROWS:,} rows', QUERIES / seconds, 'queries/s', 1000,
                      lower=False)
        shutil.rmtree(out, ignore_errors=True)


# What the best existing tool takes on Adult with nine quasi columns: seconds of the whole process and
# of its search when warm, as docs/benchmarks.md says.
NINE_QUASI = ['sex', 'age', 'race', 'marital-status', 'education', 'native-country', 'workclass',
              'occupation', 'salary-class']
FULL_DOMAIN = [
    ('k=5, suppress 0', 'k=5', '0', False, 1.6, 0.036),
    ('k=5, suppress 0.05', 'k=5', '0.05', False, 2.8, 0.97),
    ('k=5, suppress 1', 'k=5', '1', False, 5.4, 3.2),
    ('k=5, l=3, suppress 0.05', 'k=5,l=3', '0.05', True, 2.4, 0.39),
    ('k=5, t=0.2, suppress 0.05', 'k=5,t=0.2:equal', '0.05', True, 3.1, 0.90),
    ('k=5, entropy-l=3, suppress 0.05', 'k=5,entropy-l=3', '0.05', True, 3.0, 0.61),
]


def nine_flags(bench, table, sensitive):
    """Nine quasi columns with their hierarchies, or eight with occupation sensitive."""
    folder = os.path.join(bench.options.data, 'adult', 'arx-hierarchies')
    flags = [table, '--drop', 'rest']
    if sensitive:
        flags += ['--sensitive', 'occupation']
    quasi = [name for name in NINE_QUASI if not (sensitive and name == 'occupation')]
    flags += ['--quasi', ','.join(quasi)]
    for name in quasi:
        flags += ['--hierarchy', f'{name}=' + os.path.join(folder, f'adult_hierarchy_{name}.csv')]
    return flags


def section_incognito(bench):
    """Full-domain recoding with the proven optimum, thirty times faster than the process of the
    other tool and, where its search is slow, ten times faster in searching."""
    table = adult_rows(bench)
    if not table:
        print('incognito: skipped, there is no adult/adult.csv in the folder of --data')
        return
    for name, require, suppress, sensitive, process, search in FULL_DOMAIN:
        best = bench.fastest(lambda: bench.anonymize(
            *nine_flags(bench, table, sensitive), '--require', require, '--suppress', suppress,
            '--group', 'incognito'), 5)
        if not best.answer['lattice']['proven']:
            raise RuntimeError('the optimum is not proven')
        bench.add(f'incognito, {name}', 1000 * best.seconds, 'ms', 1000 * process / 30)
        bench.add('  search', 1000 * best.answer['seconds']['group'], 'ms',
                  1000 * (search / 10 if search > 0.3 else search))
        bench.add('  anonymous memory', best.memory / MILLION, 'MB', 50)


def section_local(bench):
    """Local recoding, hierarchy labels in the cells: the best of three methods."""
    table = adult_rows(bench)
    if not table:
        print('local: skipped, there is no adult/adult.csv in the folder of --data')
        return
    found = []
    for method in ('incognito:local=yes', 'top-down:attribute=ncp', 'mondrian'):
        one = bench.fastest(lambda: bench.anonymize(
            *nine_flags(bench, table, False), '--require', 'k=5', '--group', method))
        found.append(one)
        bench.add(f'{method}: NCP', 100 * one.answer['measures']['ncp'], '%')
        bench.add('  the whole command', 1000 * one.seconds, 'ms')
    best = min(found, key=lambda one: one.answer['measures']['ncp'])
    bench.add('best local recoding of Adult, k=5: NCP', 100 * best.answer['measures']['ncp'], '%',
              5.5)
    bench.add('  the whole command', 1000 * best.seconds, 'ms', 500)


def section_recoding(bench):
    """The other two methods on the census: top-down against mondrian, and the search of incognito
    against reading the table."""
    table = bench.census(MILLION)
    warm(table)
    flags = bench.census_flags(MILLION, QUASI)
    rivals = [bench.fastest(lambda: bench.anonymize(*flags, '--require', 'k=10,alpha=0.5', '--group',
                                                    method)) for method in ('mondrian', 'top-down')]
    bench.add('top-down, 1M, k=10, alpha=0.5', rivals[1].seconds, 's', 5 * rivals[0].seconds)
    bench.add('  NCP', 100 * rivals[1].answer['measures']['ncp'], '%')
    bench.add('  NCP of mondrian', 100 * rivals[0].answer['measures']['ncp'], '%')
    rows = bench.options.rows
    warm(bench.census(rows))
    best = bench.fastest(lambda: bench.anonymize(*bench.census_flags(rows, QUASI), '--group',
                                                 'incognito'))
    seconds = best.answer['seconds']
    bench.add(f'incognito, {label(rows)}: search against reading', seconds['group'], 's',
              seconds['read'])
    bench.add('  the whole command', best.seconds, 's')


def section_stores(bench):
    """A million rows in and out without a file, against the way through files."""
    build = os.path.dirname(bench.options.bauta)
    subprocess.run(['ninja', '-C', build, 'bench-stores'], check=True, stdout=subprocess.DEVNULL)
    table = bench.census(MILLION)
    warm(table)
    answers = [run([os.path.join(build, 'bench-stores'), table,
                    bench.path(f'recipe-{MILLION}.yaml'), str(bench.options.threads),
                    bench.path('files')]).answer for _ in range(bench.options.repeat)]
    shutil.rmtree(bench.path('files'), ignore_errors=True)
    least = {(name, clock): min(answer[name][clock] for answer in answers)
             for name in ('files', 'memory', 'files_and_back', 'memory_and_back')
             for clock in ('seconds', 'processor')}
    for clock, words in (('processor', ', processor time'), ('seconds', '')):
        bench.add(f'1M rows through memory against files{words}', least['memory', clock], 's',
                  least['files', clock])
        bench.add('  opened again, as Arrow arrays', least['memory_and_back', clock], 's',
                  least['files_and_back', clock])


P4_QUASI = ['education', 'race', 'sex', 'workclass', 'marital-status', 'age', 'relationship',
            'native-country', 'salary-class']


def section_randomized(bench):
    """Randomizing against writing the file; linkage of 100,000 records; associations of Adult."""
    rows = bench.options.rows
    flags = ['--quasi', ','.join(QUASI), '--sensitive', 'disease', '--drop', 'rest', '--publish']
    best = bench.fastest(lambda: bench.anonymize(bench.census(rows), *flags, 'randomized'))
    stages = best.answer['stages']
    bench.add(f'randomize {label(rows)}', stages['randomize'], 's', stages['write'])
    bench.add('  linkage of 200,000 of them', stages['link'], 's')
    bench.add('  the whole command', best.seconds, 's')
    for several in (1, 3):
        best = bench.fastest(lambda: bench.anonymize(bench.census(100000), *flags,
                                                     f'randomized:lambda={several}'))
        bench.add(f'linkage of 100,000 records, lambda={several}', best.answer['stages']['link'], 's',
                  10 if several == 1 else None)
    table = adult_rows(bench)
    if not table:
        print('randomized: Adult skipped, there is no adult/adult.csv in the folder of --data')
        return
    out = bench.path('drawn')
    shutil.rmtree(out, ignore_errors=True)
    answer = bench.bauta('anonymize', table, '--quasi', ','.join(P4_QUASI), '--sensitive',
                         'occupation', '--drop', 'rest', '--publish', 'randomized', '--json', '-o',
                         out).answer
    bench.add('Adult: probabilistic anonymity', answer['probabilistic_anonymity'], '')
    bench.add('  linkage rate', 100 * answer['linkage_rate'], '%')
    best = bench.fastest(lambda: bench.bauta(
        'measure', os.path.join(out, 'publish'), '--original', table, '--json', '--associations',
        'support=0.08,confidence=0.15'), 5)
    bench.add('  associations, original and release', 1000 * best.answer['associations']['seconds'],
              'ms', 200)
    shutil.rmtree(out, ignore_errors=True)


# What stands in for the data of the paper: how it is made or found, its quasi columns, its microdata.
JOINED = {
    'ipums': (['synth', 'ipums'], ['age', 'income', 'family', 'education', 'rent', 'sex'], 10000),
    'uniform': (['synth', 'uniform', '--columns', 6], ['x1', 'x2', 'x3', 'x4', 'x5', 'x6'], 10000),
    'acs': ('acs2018_gov_employees.csv.gz',
            ['age', 'salary', 'family_size', 'education_level', 'hours_worked', 'weeks_worked'], 2000),
    'census-income': ('census_income_kdd.csv.gz',
                      ['age', 'weeks-worked', 'wage-per-hour', 'capital-gains', 'dividends',
                       'capital-losses'], 2000),
}


def joined_rows(bench, name):
    """Records in a random order, each with a key in front, as lines; None when they are not there.
    The first ones are the microdata, and so many times as many the public table."""
    source, quasi, microdata = JOINED[name]
    table = bench.path(f'joined-{name}.csv')
    if isinstance(source, list) and not os.path.exists(table):
        bench.bauta(*source, '--rows', MILLION, '--id', 'yes', '-o', table)
    if isinstance(source, list):
        with open(table, encoding='utf-8') as file:
            return file.readlines()
    source = os.path.join(bench.options.data, 'large', source)
    if not os.path.exists(source):
        return None
    with gzip.open(source, 'rt', newline='', encoding='utf-8') as file:
        reader = csv.DictReader(file)
        rows = [','.join(row[column] for column in quasi) for row in reader]
    random.Random(5).shuffle(rows)
    return [','.join(['id', *quasi]) + '\n'] + [f'{number},{row}\n'
                                                for number, row in enumerate(rows)]


def write_lines(bench, name, lines):
    path = bench.path(name)
    with open(path, 'w', encoding='utf-8') as file:
        file.writelines(lines)
    return path


def group_joined(bench, files, quasi, k, method, join):
    """What a grouping loses, and its seconds; without `join` by the microdata alone."""
    public = ['--public', files[1], '--key', 'id', '--join', join] if join else []
    found = bench.bauta('anonymize', files[0], *public, '--quasi', ','.join(quasi), '--drop', 'rest',
                        '--require', f'k={k}', '--group', method, '--seed', 1, '--threads',
                        bench.options.threads, '--tmp', bench.folder, '--dry-run', '--json')
    found = found.answer['tries'][0]
    measures = found['join'] if join else found['measures']
    return measures['ncp'], measures['discernibility'], found['seconds']['group']


METHODS_JOINED = ('mondrian:order=round-robin', 'cluster')


def join_seconds(bench, files, quasi, method, join):
    return min(group_joined(bench, files, quasi, 50, method, join)[2]
               for _ in range(bench.options.repeat))


def section_join(bench):
    """Grouping with a public table a hundred times as large, after reading; and with one ten times
    as large as that."""
    seconds = {}
    for name in ('uniform', 'ipums'):
        quasi = JOINED[name][1][:4]
        files = [write_lines(bench, 'microdata.csv', joined_rows(bench, name)[:10001]),
                 bench.path(f'joined-{name}.csv')]
        for method in METHODS_JOINED:
            for join in ('direct', 'refine'):
                seconds[method, join] = join_seconds(bench, files, quasi, method, join)
                bench.add(f'{name}, {method}, {join}: grouping', seconds[method, join], 's',
                          10 if method == 'cluster' else 1)
    files[1] = bench.path('joined-10M.csv')  # which begins with the same records
    if not os.path.exists(files[1]):
        bench.bauta('synth', 'ipums', '--rows', 10 * MILLION, '--id', 'yes', '-o', files[1])
    for (method, join), least in seconds.items():
        found = join_seconds(bench, files, quasi, method, join)
        bench.add(f'ipums with 10M, {method}, {join}', found, 's', 15 * least)


def section_join_loss(bench):
    """NCP and DM without a public table over those with one: ratio, k and number of columns in
    turn, the others at 100, 50 and 4."""
    for name, (_, quasi, microdata) in JOINED.items():
        lines = joined_rows(bench, name)
        if not lines:
            print(f'join-loss: {name} skipped, it is not in the folder of --data')
            continue
        points = [(ratio, 50, 4) for ratio in (1, 5, 10, 50, 100)] + \
                 [(100, k, 4) for k in (5, 10, 100, 500)] + [(100, 50, d) for d in (2, 3, 5, 6)]
        few = write_lines(bench, 'microdata.csv', lines[:microdata + 1])
        for ratio, k, columns in points:
            files = [few, write_lines(bench, 'public.csv', lines[:microdata * ratio + 1])]
            for method in METHODS_JOINED:
                plain = group_joined(bench, files, quasi[:columns], k, method, None)
                for join in ('direct', 'refine'):
                    found = group_joined(bench, files, quasi[:columns], k, method, join)
                    what = f'{name}, ratio {ratio}, k={k}, d={columns}, {method.split(":")[0]} {join}'
                    bench.add(f'{what}: NCP', plain[0] / max(found[0], 1e-12), 'times')
                    bench.add('  DM', plain[1] / found[1], 'times')


def losses(bench, rows):
    """Age and a normal loss, as the paper on distribution-based anonymization has them."""
    table = bench.path(f'normal-{rows}.csv')
    if not os.path.exists(table):
        bench.bauta('synth', 'normal', '--rows', rows, '--threads', bench.options.threads, '-o',
                    table)
    return table


def places(bench, rows, count, values):
    """Records of so many places, each with a number out of `values`."""
    table = bench.path(f'places-{rows}-{count}-{values}.csv')
    if not os.path.exists(table):
        generator = random.Random(1)
        with open(table, 'w', encoding='ascii') as file:
            file.write('place,loss\n')
            for _ in range(rows):
                file.write(f'{generator.randrange(count)},{generator.randrange(values)}\n')
    return table


def section_distribution(bench):
    """The form `distribution`: one group of all records, 100,000 groups, and Algorithm 2."""
    flags = ('--sensitive', 'loss', '--require', 'l=2')
    rows = bench.options.rows
    tables = (('8 quasi', bench.census(rows), ('--quasi', ','.join(QUASI), '--sensitive', 'disease',
                                               '--drop', 'rest', '--require', 'l=2')),
              ('1 quasi', losses(bench, rows), ('--quasi', 'age', *flags)))
    for name, table, roles in tables:
        warm(table)
        runs = [bench.anonymize(table, *roles, '--group', 'whole', '--publish',
                                'distribution:target=source,weight-cap=none,allocation=optimal')
                for _ in range(bench.options.repeat)]
        group = min(one.answer['seconds']['group'] for one in runs)
        read = min(one.answer['seconds']['read'] for one in runs)
        bench.add(f'SA-only, {label(rows)}, {name}: group and allocate', group, 's', read / 10)
        bench.add('  reading', read, 's')

    table = places(bench, MILLION, 100000, 1024)
    warm(table)
    runs = [bench.anonymize(table, '--quasi', 'place', *flags, '--group', 'identical', '--publish',
                            'distribution:target=source,allocation=optimal') for _ in range(bench.options.repeat)]
    bench.add('QI-SA, 1M, 100k groups: group and allocate',
              min(one.answer['seconds']['group'] for one in runs), 's', 2)
    bench.add('  the whole command', min(one.seconds for one in runs), 's')

    table = places(bench, 100000, 1, 1024)
    warm(table)
    before = None
    for fakes in (25, 50, 100, 200, 400):
        best = bench.fastest(lambda: bench.anonymize(
            table, '--quasi', 'place', *flags, '--group', 'whole', '--publish',
            f'distribution:target=uniform,fake=best:{fakes},allocation=optimal'))
        seconds = best.answer['seconds']['group']
        bars = (10, 1024) if fakes == 100 else (None, None)
        bench.add(f'Algorithm 2, 100k values of 1,024, t={fakes}', seconds, 's', bars[0])
        bench.add('  anonymous memory of the command', best.memory / MILLION, 'MB', bars[1])
        if before:
            bench.add('  times that of half as many', seconds / before, '')
        before = seconds


SECTIONS = {'synth': section_synth, 'large': section_large, 'plain': section_plain,
            'growth': section_growth, 'memory': section_memory, 'adult': section_adult,
            'incognito': section_incognito, 'local': section_local, 'recoding': section_recoding,
            'query': section_query, 'stores': section_stores, 'distribution': section_distribution,
            'randomized': section_randomized, 'join': section_join, 'join-loss': section_join_loss}

# ---- the whole -------------------------------------------------------------------------------


def label(rows):
    return f'{rows // MILLION}M' if rows >= MILLION else f'{rows // 1000}k'


def machine():
    name = platform.processor() or platform.machine()
    try:
        with open('/proc/cpuinfo', encoding='utf-8') as lines:
            name = next(line.split(':', 1)[1].strip() for line in lines
                        if line.startswith('model name'))
    except (OSError, StopIteration):
        pass
    return f'{name}, {os.cpu_count()} processors, {platform.system()} {platform.release()}'


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--bauta', default=os.path.join(SOURCE, 'build', 'bauta'),
                        help='the command to measure')
    parser.add_argument('--rows', type=int, default=10 * MILLION, help='of the large table')
    parser.add_argument('--threads', type=int, default=2)
    parser.add_argument('--repeat', type=int, default=3, help='runs of which the fastest counts')
    parser.add_argument('--full', action='store_true', help='also 100 million rows')
    parser.add_argument('--only', default='', help='sections: ' + ', '.join(SECTIONS))
    parser.add_argument('--work', help='folder for tables and releases, which are then kept '
                        '(default: a temporary one beside the command)')
    parser.add_argument('--data', default=os.path.join(SOURCE, '..', 'shared', 'data'),
                        help='folder with adult/adult.csv')
    parser.add_argument('--json', help='also write the figures to this file')
    parser.add_argument('--strict', action='store_true', help='exit code 1 when a bar is missed')
    options = parser.parse_args()
    options.sections = [name for name in options.only.split(',') if name] or list(SECTIONS)
    for name in options.sections:
        if name not in SECTIONS:
            parser.error(f"there is no section '{name}'")
    if not os.access(options.bauta, os.X_OK):
        parser.error(f"there is no command '{options.bauta}': build it first")
    return options


def main():
    options = parse()
    folder = options.work or tempfile.mkdtemp(prefix='bench-', dir=os.path.dirname(options.bauta))
    os.makedirs(folder, exist_ok=True)
    bench = Bench(options, folder)
    print(f'{machine()}; {options.threads} threads; DuckDB {have_duckdb() or "not installed"}')
    if os.getloadavg()[0] > 1:
        print(f'the machine is busy (load {os.getloadavg()[0]:.1f}): times are not to be trusted')
    print(f'{"":44} {"value":>14} {"bar":>14} {"ratio":>7} met')
    try:
        for name in options.sections:
            SECTIONS[name](bench)
    except (RuntimeError, OSError) as error:
        print(f'bench: {error}', file=sys.stderr)
        return 4
    finally:
        if not options.work:
            shutil.rmtree(folder, ignore_errors=True)
    missed = [line['name'].strip() for line in bench.lines if line['met'] is False]
    print('all bars are met' if not missed else f'missed: {", ".join(missed)}')
    if options.json:
        with open(options.json, 'w', encoding='utf-8') as file:
            json.dump({'machine': machine(), 'duckdb': have_duckdb(), 'lines': bench.lines}, file,
                      indent=1)
    return 1 if missed and options.strict else 0


if __name__ == '__main__':
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the Python package against its bars and prints a table: name, value, bar, met.

    tools/wheel && build-python/venv/bin/pip install --no-deps dist/bauta-*.whl
    build-python/venv/bin/pip install anonypy pycanon         # for the comparison with them
    build-python/venv/bin/python bench/python.py --rows 10000000 --adult adult.csv

What is compared runs in turn, in the same minute; times are the fastest of --repeat. Where the
machine has other work to do, processor time says more: --processor counts that of all threads
instead. Memory is the largest RssAnon beside what the process held before the call, sampled every few
milliseconds.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time

import bauta
import pandas
import pyarrow
import pyarrow.csv

COMMAND = os.path.join(sysconfig.get_path('scripts'), 'bauta')
ADULT_QUASI = ['age', 'workclass', 'education-num', 'marital-status', 'occupation', 'race', 'sex',
               'native-country']
ADULT_TRAINING = 32561  # the first rows of adult.csv


def anonymous_memory(pid):
    with open(f'/proc/{pid}/status', encoding='ascii') as lines:
        for line in lines:
            if line.startswith('RssAnon:'):
                return int(line.split()[1]) * 1024
    return 0


def processor_time():
    """Seconds of all processors, of this process and of those that it waited for."""
    own, children = (resource.getrusage(who)
                     for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


clock = time.perf_counter


def watched(call, pid=None):
    """What a call gives, its seconds, and the most memory that the process had meanwhile."""
    peak, done = [0], threading.Event()

    def watch(pid):
        while not done.is_set():
            try:
                peak[0] = max(peak[0], anonymous_memory(pid))
            except OSError:
                return
            done.wait(0.004)

    watcher = threading.Thread(target=watch, args=(pid or os.getpid(),))
    watcher.start()
    start = clock()
    result = call()
    seconds = clock() - start
    done.set()
    watcher.join()
    return result, seconds, peak[0]


def fastest(times, call):
    found = None
    for _ in range(times):
        start = clock()
        call()
        seconds = clock() - start
        found = seconds if found is None else min(found, seconds)
    return found


def say(name, value, unit, bar=None, met=None):
    word = '' if met is None else 'met' if met else 'NOT MET'
    print(f'{name:58} {value:12,.4g} {unit:8} {bar or "":16} {word}', flush=True)


def census(options, folder):
    table = os.path.join(folder, 'census.csv')
    recipe = os.path.join(folder, 'recipe.yaml')
    subprocess.run([COMMAND, 'synth', 'census', '--rows', str(options.rows), '--recipe', recipe,
                    '--hierarchies', os.path.join(folder, 'hierarchies'), '-o', table], check=True)
    with open(table, encoding='utf-8') as file:
        names = file.readline().strip().split(',')
    words = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    frame = pyarrow.csv.read_csv(table, convert_options=pyarrow.csv.ConvertOptions(
        column_types={name: words for name in names}))
    command, python, memory, more = [], [], [], []
    for number in range(options.repeat):
        out = os.path.join(folder, f'out{number}')
        process = subprocess.Popen([COMMAND, 'anonymize', table, '-r', recipe, '-o', out, '--json'],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        answer, seconds, peak = watched(process.communicate, process.pid)  # and waits for it
        json.loads(answer[0])
        command.append(seconds)
        memory.append(peak)
        before = anonymous_memory(os.getpid())
        release, seconds, peak = watched(
            lambda: bauta.anonymize(frame, recipe, progress=False))
        python.append(seconds)
        more.append(peak - before)
        size = sum(len(release.read(file)) for file in release.files())
        del release
    say(f'census, {options.rows:,} rows: the command, CSV to CSV', min(command), 's')
    say('census: Python, dictionary columns to a release in memory', min(python), 's')
    ratio = min(command) / min(python)
    say('census: faster than the command', ratio, 'times', 'at least 1.5', ratio >= 1.5)
    say('census: memory of the command', max(memory) / 1e6, 'MB')
    say('census: memory of Python beside the table', max(more) / 1e6, 'MB')
    say('census: of that, the files of the release', size / 1e6, 'MB')
    ratio = max(more) / max(memory)
    say('census: memory, of that of the command', ratio, 'times', 'at most 1.1', ratio <= 1.1)


def beside_the_library(table, keys):
    """Seconds of a call that the library does not account for."""
    start = time.perf_counter()
    release = bauta.anonymize(table, **keys)
    return time.perf_counter() - start - release.summary.seconds.total


def adult(options):
    frame = pandas.read_csv(options.adult, nrows=ADULT_TRAINING, skipinitialspace=True,
                            na_values='?')
    sensitive = frame.columns[-1]
    frame = frame[[*ADULT_QUASI, sensitive]].dropna().reset_index(drop=True)
    keys = {'quasi': ADULT_QUASI, 'sensitive': sensitive, 'require': 'k=10', 'subject': 'none',
            'progress': False}
    seconds = fastest(options.repeat, lambda: bauta.anonymize(frame, **keys).data.to_pandas())
    say(f'Adult, {len(frame):,} rows, k=10: frame to frame', seconds, 's')
    table = pyarrow.Table.from_pandas(frame, preserve_index=False)
    overhead = min(beside_the_library(table, keys) for _ in range(10 * options.repeat))
    say('Adult: overhead of the binding beside the library', overhead * 1e3, 'ms', 'under 3',
        overhead < 0.003)
    describe = fastest(options.repeat, lambda: bauta.describe(
        frame, quasi=ADULT_QUASI, sensitive=sensitive, require='k=10,l=2,t=0.5', progress=False))
    say('Adult: describe with k, l and t', describe, 's')
    compare(frame, sensitive, seconds, describe)


def compare(frame, sensitive, seconds, describe):
    try:
        import anonypy
    except ImportError:
        print('anonypy is not installed: no comparison with it')
    else:
        theirs = frame.copy()
        for name in theirs.columns:
            if theirs[name].dtype.kind not in 'iuf':
                theirs[name] = theirs[name].astype('category')
        preserver = anonypy.Preserver(theirs, ADULT_QUASI, sensitive)
        took = fastest(1, lambda: preserver.anonymize_k_anonymity(k=10))
        say("Adult: AnonyPy's Mondrian", took, 's')
        ratio = took / seconds
        say('Adult: faster than AnonyPy', ratio, 'times', 'at least 100', ratio >= 100)
    try:
        from pycanon import anonymity
    except ImportError:
        print('pycanon is not installed: no comparison with it')
    else:
        def check():
            anonymity.k_anonymity(frame, ADULT_QUASI)
            anonymity.l_diversity(frame, ADULT_QUASI, [sensitive])
            anonymity.t_closeness(frame, ADULT_QUASI, [sensitive])

        took = fastest(1, check)
        say("Adult: pycanon's k, l and t", took, 's')
        ratio = took / describe
        say('Adult: faster than pycanon', ratio, 'times', 'at least 30', ratio >= 30)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--rows', type=int, default=10_000_000)
    parser.add_argument('--repeat', type=int, default=3)
    parser.add_argument('--adult', help='adult.csv of the UCI repository, with a header')
    parser.add_argument('--processor', action='store_true', help='processor time instead of time')
    options = parser.parse_args()
    global clock
    clock = processor_time if options.processor else clock
    print(f'bauta {bauta.__version__}, Python {sys.version.split()[0]}, {os.cpu_count()} processors')
    if options.adult:
        adult(options)
    if options.rows:
        with tempfile.TemporaryDirectory(prefix='bauta-bench-') as folder:
            census(options, folder)


if __name__ == '__main__':
    main()

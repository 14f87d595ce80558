# SPDX-License-Identifier: Apache-2.0
"""The databases that the tests of this folder talk to: an SQLite file, and a PostgreSQL server of
their own in a temporary folder, on a socket there and on no port."""
import glob
import os
import pwd
import shutil
import subprocess


def run(command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding='utf-8', **options).stdout


class Sqlite:
    name = 'SQLite'

    def __init__(self, scratch):
        self.file = os.path.join(scratch, 'release.db')

    def fresh(self):
        if os.path.exists(self.file):
            os.remove(self.file)

    def execute(self, publish, script):
        """Runs a file of the release, or a text, in its folder; the rows of its answers."""
        text = script
        if '\n' not in script:
            with open(os.path.join(publish, script), encoding='utf-8') as file:
                text = file.read()
        out = run(['sqlite3', '-batch', '-list', '-separator', '|', self.file], cwd=publish,
                  input=text)
        return [line.split('|') for line in out.splitlines()]

    def load(self, publish):
        self.execute(publish, 'load.sqlite')

    def stop(self):
        pass


class Postgres:
    name = 'PostgreSQL'

    def __init__(self, scratch):
        self.bin = os.path.dirname(find_postgres())
        self.data = os.path.join(scratch, 'data')
        self.prefix = []
        if os.getuid() == 0:  # it refuses to run as root
            names = {user.pw_name for user in pwd.getpwall()}
            self.prefix = ['setpriv', '--reuid', 'postgres' if 'postgres' in names else 'nobody',
                           '--clear-groups']
            shutil.chown(scratch, self.prefix[2])
        self.socket = scratch
        self.server(['initdb', '-D', self.data, '-A', 'trust', '-U', 'tester', '-E', 'UTF8',
                     '--locale', 'C', '--no-sync'])
        self.start()

    def start(self):
        self.server(['pg_ctl', '-D', self.data, '-w', '-l', os.path.join(self.socket, 'log'), '-o',
                     f"-k {self.socket} -c listen_addresses='' -F", 'start'])

    def server(self, command):
        subprocess.run(self.prefix + [os.path.join(self.bin, command[0])] + command[1:],
                       check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, cwd=self.socket)

    def psql(self, database, arguments, **options):
        return run(['psql', '-X', '-q', '-A', '-t', '-h', self.socket, '-U', 'tester', '-d',
                    database] + arguments, **options)

    def fresh(self):
        self.psql('postgres', ['-c', 'DROP DATABASE IF EXISTS release'])
        self.psql('postgres', ['-c', 'CREATE DATABASE release'])

    def execute(self, publish, script):
        if '\n' in script:
            out = self.psql('release', ['-v', 'ON_ERROR_STOP=1'], cwd=publish, input=script)
        else:
            out = self.psql('release', ['-v', 'ON_ERROR_STOP=1', '-f', script], cwd=publish)
        return [line.split('|') for line in out.splitlines()]

    def load(self, publish):
        self.execute(publish, 'load.psql')

    def stop(self):
        self.server(['pg_ctl', '-D', self.data, '-m', 'immediate', 'stop'])


def find_postgres():
    path = shutil.which('pg_ctl')
    found = sorted(glob.glob('/usr/lib/postgresql/*/bin/pg_ctl'))
    return path or (found[-1] if found else None)

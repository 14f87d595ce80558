# SPDX-License-Identifier: Apache-2.0
"""Ways to corrupt a release. Each changes it and returns True when it is broken whatever its
classes are, False when the twin decides, None when it cannot be done. A function with the attribute
`on_disk` touches files by itself, after the tables were written. With the original beside them
release.source has its records.

Corruptions of the shape of a release (a file, a column or a field that does not belong there)
always break it, since docs/release-format.md enumerates what may be there; and so do words of the
manifest that are not those that follow from it."""
import fractions
import os
import re


def pick(chance, release, file):
    return chance.randrange(1, len(release.tables[file]))


def two_rows(chance, release, file, differ):
    """Two rows of a file that differ; None: none were found."""
    rows = release.tables[file]
    for _ in range(1000):
        one, other = (rows[pick(chance, release, file)] for _ in range(2))
        if differ(one, other):
            return one, other
    return None


def on_disk(kind):
    kind.on_disk = True
    return kind


# ---- rows and values of any form -----------------------------------------------------------------

def drop_row(chance, release):
    file = chance.choice(sorted(release.tables))
    del release.tables[file][pick(chance, release, file)]
    return file == 'bounds.csv'


def repeat_row(chance, release):
    file = chance.choice(sorted(release.tables))
    row = release.tables[file][pick(chance, release, file)]
    release.tables[file].insert(pick(chance, release, file), list(row))
    return file == 'bounds.csv'


def replaced_row(chance, release):
    """A row takes the place of another one."""
    file = chance.choice([file for file in sorted(release.tables) if file != 'bounds.csv'])
    rows = release.tables[file]
    rows[pick(chance, release, file)] = list(rows[pick(chance, release, file)])
    return False


def same_value(chance, release):
    """Everyone in a class gets the same sensitive value."""
    file = release.values_file()
    if not release.names('sensitive'):
        return None
    rows, value = release.tables[file], release.places(file, 'sensitive')[0]
    chosen = rows[pick(chance, release, file)]
    for row in rows[1:]:
        if release.key(file, row) == release.key(file, chosen):
            row[value] = chosen[value]
    return False


def one_value(chance, release):
    """One record gets the sensitive value of another."""
    file = release.values_file()
    if not release.names('sensitive'):
        return None
    rows, value = release.tables[file], release.places(file, 'sensitive')[0]
    rows[pick(chance, release, file)][value] = rows[pick(chance, release, file)][value]
    return False


def exchanged_values(chance, release):
    """Two records exchange their sensitive values."""
    file = release.values_file()
    if not release.names('sensitive'):
        return None
    value = release.places(file, 'sensitive')[0]
    found = two_rows(chance, release, file, lambda one, other: one[value] != other[value])
    if not found:
        return None
    one, other = found
    one[value], other[value] = other[value], one[value]
    return False


def source_format(chance, release):
    """A value is not in its canonical form: white space that the source may have had."""
    file = chance.choice(sorted(release.tables))
    row = release.tables[file][pick(chance, release, file)]
    place = chance.randrange(len(row))
    row[place] = chance.choice([' ' + row[place], row[place] + '\t', '+' + row[place]])
    # A text may begin or end with anything; then it is another value, and the twin decides.
    return bool(re.fullmatch(r'\[.*|\d+', row[place].strip(' \t+')))


# ---- the shape of a release ----------------------------------------------------------------------

def identifier(chance, release):
    """A column that the manifest does not name, with a name for everyone."""
    file = chance.choice(sorted(release.tables))
    place = chance.randrange(len(release.tables[file][0]) + 1)
    for number, row in enumerate(release.tables[file]):
        row.insert(place, f'person {number}' if number else 'name')
    return True


def named_identifier(chance, release):
    """The same, and the manifest names it as an identifier."""
    identifier(chance, release)
    release.manifest['columns'].append({'name': 'name', 'role': 'identifier', 'type': 'text'})
    return True


def lost_column(chance, release):
    file = chance.choice(sorted(release.tables))
    place = chance.randrange(len(release.tables[file][0]))
    for row in release.tables[file]:
        del row[place]
    return True


def swapped_columns(chance, release):
    file = chance.choice(sorted(release.tables))
    one, other = chance.sample(range(len(release.tables[file][0])), 2)
    for row in release.tables[file]:
        row[one], row[other] = row[other], row[one]
    return True


@on_disk
def extra_file(chance, release):
    name = chance.choice(['mapping.csv', 'data.csv.bak', '.hidden', 'notes.txt', 'summary.json'])
    with open(os.path.join(release.folder, name), 'w', encoding='utf-8') as file:
        file.write('row,class\n1,1\n')
    return True


@on_disk
def lost_file(chance, release):
    os.remove(os.path.join(release.folder, chance.choice(sorted(os.listdir(release.folder)))))
    return True


@on_disk
def changed_sql(chance, release):
    name = chance.choice(['query.sql', 'load.sqlite', 'load.psql'])
    with open(os.path.join(release.folder, name), 'a', encoding='utf-8') as file:
        file.write('-- more\n')
    return True


@on_disk
def cut_short(chance, release):
    """The last bytes of a file are missing."""
    path = os.path.join(release.folder, chance.choice(sorted(release.tables)))
    os.truncate(path, os.path.getsize(path) - chance.randrange(1, 4))
    return True


# ---- the manifest --------------------------------------------------------------------------------

def raised(chance, release):
    """A promise of the manifest says more."""
    promise = chance.choice(release.manifest['promises'])
    value = fractions.Fraction(promise['value'])
    promise['value'] = (str(float(value) / chance.choice([2, 4, 50])) if promise['name'] == 'alpha'
                        else str(int(value) + chance.choice([1, 2, 3, 1000])))
    return False


def unknown_field(chance, release):
    at = chance.choice([release.manifest, *release.manifest['columns'],
                        *release.manifest['promises']])
    at[chance.choice(['seed', 'rows', 'source', 'classes'])] = chance.randrange(1000)
    return True


def lost_field(chance, release):
    del release.manifest[chance.choice(['release', 'version', 'form', 'method', 'promises',
                                        'columns', 'dropped_rows', 'not_protected',
                                        'protected', 'format'])]
    return True


def milder_words(chance, release):
    """What is protected, or is not, is left out, cut, or denied; or the remark says something
    else."""
    field = chance.choice(['protected', 'not_protected', 'not_protected'])
    words, remark = release.manifest[field], release.manifest.get('remark')
    parts = re.split(r'[.;:,] ', words)
    lost = chance.choice(parts)
    choices = ['', 'nothing', words.replace(lost, ''), words.replace(' not ', ' ', 1) + ' not',
               words + '; all of it was checked', words.replace(' ', '  ', 1), words[:-1]]
    if chance.random() < 0.3:
        field = 'remark'
        choices = ['nothing needs saying', (remark or '') + ' ', (remark or 'x')[:-1] or 'x']
    release.manifest[field] = chance.choice(choices)
    return True


def other_words(chance, release):
    """The form says that the milder sentence is true, but the words do not, or the other way
    round."""
    form = release.manifest['form']
    changes = [('allocation=optimal', 'allocation=random'),
               ('allocation=random', 'allocation=optimal'),
               ('fake=best:', 'fake='), ('sensitive=value', 'sensitive=category')]
    fitting = [change for change in changes if change[0] in form]
    if not fitting or not release.names('sensitive'):
        return None
    release.manifest['form'] = form.replace(*chance.choice(fitting))
    return True


def other_role(chance, release):
    """A quasi column is passed off as a sensitive one, so that it counts for no class."""
    column = chance.choice([c for c in release.manifest['columns'] if c['role'] == 'quasi'])
    column['role'] = 'sensitive'
    # Elsewhere the columns of a file, or the mechanism, are no longer those of the manifest.
    return release.form != 'generalized'


def other_form(chance, release):
    names = ['generalized', 'two-tables', 'randomized', 'distribution', 'anatomized']
    names.remove(release.manifest['form'].split(':')[0])
    release.manifest['form'] = chance.choice(names)
    return True


def other_persons(chance, release):
    """The manifest no longer says that persons are counted, or says another thing of their rows."""
    persons = release.manifest.get('persons')
    if not persons:
        return None
    if chance.random() < 0.5:
        del release.manifest['persons']
    else:
        release.manifest['persons'] = 'apart' if persons == 'together' else 'together'
    return True


def other_stamp(_, release):
    """An experiment is no longer called one, or a release is."""
    release.manifest['experiment'] = not release.manifest['experiment']
    return True


def other_dropped(chance, release):
    """The manifest says that more or fewer records were dropped."""
    dropped = release.manifest['dropped_rows']
    release.manifest['dropped_rows'] = max(0, dropped + chance.choice([-1, 1, 5]))
    return False


def no_promise(chance, release):
    """A manifest of classes that promises nothing, or of none that does."""
    if release.form == 'randomized':
        release.manifest['promises'] = [{'name': 'k', 'value': str(chance.randrange(2, 9))}]
    else:
        release.manifest['promises'] = []
    return True


def no_method(chance, release):
    """A grouping method where there are no classes, or none where there are."""
    release.manifest['method'] = ('mondrian:order=gain' if release.form == 'randomized' else 'none')
    return True


def other_method(chance, release):
    """A method that there is not, an option or a value that it does not have, a column that is not
    there."""
    if release.form == 'randomized':
        return None
    release.manifest['method'] = chance.choice([
        'by hand', 'mondrian:speed=fast', 'mondrian:order=', 'cluster:merge=nearest,merge=borrow',
        'anatomy:l=1', 'columns:by=name', 'identical:within=age@1,height', 'Mondrian'])
    return True


# ---- cells (generalized, join) -------------------------------------------------------------------

def finer(cell):
    """A part of a cell, or None."""
    ends = re.fullmatch(r'\[(-?\d+),(-?\d+)\]', cell)
    if ends and int(ends[1]) + 1 < int(ends[2]):
        return f'[{int(ends[1]) + 1},{ends[2]}]'
    members = cell[1:-1].split('|')
    if cell.startswith('{') and len(members) > 1:
        return members[0] if len(members) == 2 else '{' + '|'.join(members[1:]) + '}'
    return None


def finer_cell(chance, release):
    """A cell of one row is replaced by a part of its own range or set."""
    rows, quasi = release.tables['data.csv'], release.places('data.csv', 'quasi')
    for _ in range(1000):
        row, column = rows[pick(chance, release, 'data.csv')], chance.choice(quasi)
        part = finer(row[column])
        if part:
            row[column] = part
            return False
    return None


def finer_class(chance, release):
    """A cell of all rows of a class is replaced by a part of it: a record may be left outside."""
    rows, quasi = release.tables['data.csv'], release.places('data.csv', 'quasi')
    for _ in range(1000):
        chosen, column = list(rows[pick(chance, release, 'data.csv')]), chance.choice(quasi)
        part = finer(chosen[column])
        if part:
            for row in rows[1:]:
                if [row[i] for i in quasi] == [chosen[i] for i in quasi]:
                    row[column] = part
            return False
    return None


def other_cell(chance, release):
    """A cell of one row is replaced by that of another row."""
    column = chance.choice(release.places('data.csv', 'quasi'))
    found = two_rows(chance, release, 'data.csv', lambda one, other: one[column] != other[column])
    if not found:
        return None
    found[0][column] = found[1][column]
    return False


def moved_row(chance, release):
    """A row gets all cells of another one."""
    quasi = release.places('data.csv', 'quasi')
    found = two_rows(chance, release, 'data.csv',
                     lambda one, other: any(one[i] != other[i] for i in quasi))
    if not found:
        return None
    for i in quasi:
        found[0][i] = found[1][i]
    return False


def other_category(chance, release):
    """A row shows the category of another one beside its value."""
    shown = [column['name'] for column in release.manifest['columns'] if 'category_of' in column]
    if not shown:
        return None
    place = release.tables['data.csv'][0].index(shown[0])
    found = two_rows(chance, release, 'data.csv', lambda one, other: one[place] != other[place])
    found[0][place] = found[1][place]
    return True


def other_cuts(chance, release):
    """A cut point that cells end at is moved, or a column has none any more."""
    cut = [column for column in release.manifest['columns'] if 'cut_points' in column]
    if not cut:
        return None
    column = chance.choice(cut)
    if chance.random() < 0.3:
        del column['cut_points']
        return True
    points = column['cut_points']
    place = chance.randrange(len(points))
    old, points[place] = int(points[place]), str(int(points[place]) + 1)
    at = release.tables['data.csv'][0].index(column['name'])
    ends = [end for row in release.tables['data.csv'][1:]
            for end in re.findall(r'-?\d+', row[at])]
    return str(old) in ends or str(old - 1) in ends


def unlisted(chance, release):
    """The manifest lists a node or a value of a category that no row has."""
    lists = [column['hierarchy']['nodes'] for column in release.manifest['columns']
             if 'nodes' in column.get('hierarchy', {})]
    lists += [category['values'] for column in release.manifest['columns']
              for category in column.get('categories', [])]
    if not lists:
        return None
    chosen = chance.choice(lists)
    chosen.append({'label': '[900,901]', 'level': 1, 'leaves': 1} if isinstance(chosen[0], dict)
                  else 'plague')
    return True


def shifted_class(chance, release):
    """All cells of a class tell another range of a column."""
    rows, quasi = release.tables['data.csv'], release.places('data.csv', 'quasi')
    place = rows[0].index('age')
    one = rows[pick(chance, release, 'data.csv')]
    chosen = [one[i] for i in quasi]
    for row in rows[1:]:
        if [row[i] for i in quasi] == chosen:
            row[place] = '[200,210]'
    return True


# ---- numbers of classes (two-tables, distribution, join) -----------------------------------------

def moved(chance, release):
    """A row of a file gets the number of another class."""
    file = chance.choice(release.numbered())
    place = release.class_place(file)
    found = two_rows(chance, release, file, lambda one, other: one[place] != other[place])
    if not found:
        return None
    found[0][place] = found[1][place]
    return False


def exchanged_classes(chance, release):
    """Two rows of a file exchange their numbers: every class keeps its size."""
    file = chance.choice(release.numbered())
    place = release.class_place(file)
    found = two_rows(chance, release, file, lambda one, other: one[place] != other[place])
    if not found:
        return None
    one, other = found
    one[place], other[place] = other[place], one[place]
    return False


def reused(chance, release):
    """Two classes get one number in one of the files."""
    file = chance.choice(release.numbered())
    rows, place = release.tables[file], release.class_place(file)
    numbers = sorted({row[place] for row in rows[1:]}, key=int)
    if len(numbers) < 2:
        return None
    one, other = chance.sample(numbers, 2)
    for row in rows[1:]:
        if row[place] == one:
            row[place] = other
    return False


def renumbered(chance, release):
    """A class gets a number beyond the last one, in all files."""
    files = release.numbered()
    numbers = sorted({row[release.class_place(files[0])]
                      for row in release.tables[files[0]][1:]}, key=int)
    one, other = chance.choice(numbers), str(len(numbers) + chance.randrange(1, 100))
    for file in files:
        for row in release.tables[file][1:]:
            if row[release.class_place(file)] == one:
                row[release.class_place(file)] = other
    return True


def exchanged_cells(chance, release):
    """In a row the class and a value change places."""
    row = release.tables['sensitive.csv'][pick(chance, release, 'sensitive.csv')]
    row[0], row[1] = row[1], row[0]
    return row[0] != row[1]


def sorted_rows(chance, release):
    """Rows of a file are sorted by class."""
    file = chance.choice(['quasi.csv', 'sensitive.csv'])
    rows, place = release.tables[file], release.class_place(file)
    if len({row[place] for row in rows[1:]}) < 2:
        return None
    rows[1:] = sorted(rows[1:], key=lambda row: int(row[place]), reverse=chance.random() < 0.5)
    return True

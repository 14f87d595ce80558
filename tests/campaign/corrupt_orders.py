# SPDX-License-Identifier: Apache-2.0
"""Ways to corrupt a release by its orders and numbers alone (corrupt.py says what they return): every
row stays what it is. What links the rows of two files, or rows and records, breaks a release, however
right its classes are; where so few rows could have come like that by chance None is returned."""
import collections
import math
import re

SURE = 40  # ln of how unlikely it must be: 10^-9, the questions of an audit, and the rotations


def by_class(release, file):
    """The rows of a file, class by class, in their order."""
    found = collections.defaultdict(list)
    for row in release.tables[file][1:]:
        found[row[release.class_place(file)]].append(row)
    return found


def orders(bags):
    """ln of the number of different orders of the rows in each bag."""
    return sum(math.lgamma(len(bag) + 1) -
               sum(math.lgamma(count + 1) for count in collections.Counter(bag).values())
               for bag in bags)


def turned(chance, rows):
    """The same order: as it is, rotated by some rows, or backwards."""
    way = chance.randrange(4)
    by = {0: 0, 1: 1, 2: chance.randrange(len(rows)), 3: 0}[way]
    rows = rows[by:] + rows[:by]
    return rows[::-1] if way == 3 else rows


# ---- the files alone -----------------------------------------------------------------------------

def rows_alike(chance, release):
    """sensitive.csv has the classes in the order of the other file; rows beyond that come last."""
    first = 'data.csv' if release.form == 'join' else 'quasi.csv'
    if 'sensitive.csv' not in release.tables:
        return None
    left, rows, place = by_class(release, 'sensitive.csv'), [], release.class_place(first)
    for row in release.tables[first][1:]:
        if left[row[place]]:
            rows.append(left[row[place]].pop())
    rows += [row for bag in left.values() for row in bag]
    if orders([[row[0] for row in rows]]) < SURE:
        return None
    release.tables['sensitive.csv'][1:] = turned(chance, rows)
    return True


def rows_follow(chance, release):
    """sensitive.csv of a join has its rows in the order of some of data.csv, as if those were the
    records and the rows between them public. Enough rows must stand against the size of groups."""
    places = collections.defaultdict(list)
    for number, row in enumerate(release.tables['data.csv'][1:]):
        places[row[-1]].append(number)
    rows = []
    for group, bag in by_class(release, 'sensitive.csv').items():
        chance.shuffle(bag)
        rows += zip(chance.sample(places[group], len(bag)), bag)
    if len(rows) < 250 * (len(release.tables['data.csv']) - 1) / len(places):
        return None
    rows = [row for _, row in sorted(rows, key=lambda one: one[0])]
    release.tables['sensitive.csv'][1:] = turned(chance, rows)
    return True


def numbered_in_order(chance, release):
    """Classes are numbered in the order in which a file names them first."""
    files = release.numbered()
    file = chance.choice(files)
    seen = list(dict.fromkeys(row[release.class_place(file)] for row in release.tables[file][1:]))
    if math.lgamma(len(seen) + 1) < SURE or 'targets' in release.manifest:
        return None
    numbers = {number: str(i + 1) for i, number in enumerate(seen)}
    for one in files:
        for row in release.tables[one][1:]:
            row[release.class_place(one)] = numbers[row[release.class_place(one)]]
    return True


# ---- with the original ---------------------------------------------------------------------------

def holds(release, row, record):
    """Whether a row of sensitive.csv may be a record's."""
    sensitive = release.names('sensitive')[0]
    if release.form != 'distribution':
        return row[1] == record[sensitive]
    if len(row) == 3:
        return int(row[1]) <= int(record[sensitive]) <= int(row[2])
    paths = release.column('sensitive')['hierarchy']['paths']
    return row[1] == '*' or any(path[0] == record[sensitive] and row[1] in path for path in paths)


def assigned(release):
    """The row of each file that is each record's: lists in the order of the records; and the rows
    of sensitive.csv that are left, by class. None: they do not go together."""
    quasi = release.names('quasi')
    places = release.places('quasi.csv', 'quasi')
    rows = {tuple(row[i] for i in places): row for row in release.tables['quasi.csv'][1:]}
    mine = [rows[tuple(record[name] for name in quasi)] for record in release.source.records]
    left, values = by_class(release, 'sensitive.csv'), [None] * len(mine)
    # Those with the fewest rows to choose from first, and the narrowest of these.
    choice = {i: [row for row in left[mine[i][-1]] if holds(release, row, record)]
              for i, record in enumerate(release.source.records)}
    for i in sorted(choice, key=lambda i: len(choice[i])):
        width = lambda row: int(row[2]) - int(row[1]) if len(row) == 3 else 0
        found = sorted((row for row in choice[i] if any(row is one for one in left[mine[i][-1]])),
                       key=width)
        if not found:
            return None
        values[i] = found[0]
        left[mine[i][-1]] = [row for row in left[mine[i][-1]] if row is not found[0]]
    return mine, values, left


def original_order(chance, release):
    """A file is in the order of the records; made-up values come last."""
    if release.form == 'generalized':
        return generalized_order(chance, release)
    found = assigned(release)
    if not found:
        return None
    file = chance.choice(['quasi.csv', 'sensitive.csv'])
    mine, values, left = found
    fakes = [row for bag in left.values() for row in bag]
    rows = mine if file == 'quasi.csv' else values + fakes
    release.tables[file][1:] = turned(chance, rows)
    return True if orders([[tuple(row) for row in rows]]) > SURE else None


def generalized_order(chance, release):
    names = release.names('sensitive')
    places = release.places('data.csv', 'sensitive')[:len(names)]
    quasi = release.places('data.csv', 'quasi')
    integers = {column['name']: column['type'] == 'integer' for column in
                release.manifest['columns']}
    header, left, rows = release.tables['data.csv'][0], release.tables['data.csv'][1:], []
    if release.manifest['dropped_rows'] or any('hierarchy' in column for column in
                                               release.manifest['columns']):
        return None
    for record in release.source.records:
        def inside(row):
            if any(row[i] != record[header[i]] for i in places if header[i] in record):
                return False
            for i in quasi:
                ends = re.fullmatch(r'\[(-?\d+),(-?\d+)\]', row[i])
                value = record[header[i]]
                if ends and integers[header[i]]:
                    if not int(ends[1]) <= int(value) <= int(ends[2]):
                        return False
                elif row[i] != '*' and value not in row[i].strip('{}').split('|'):
                    return False
            return True
        at = next((i for i, row in enumerate(left) if inside(row)), None)
        if at is None:
            return None
        rows.append(left.pop(at))
    if orders([[tuple(row) for row in rows]]) < SURE:
        return None
    release.tables['data.csv'][1:] = turned(chance, rows)
    return True


def join_order(chance, release):
    """A file of a join is in the order of the records; rows of others come last."""
    integers = {column['name'] for column in release.manifest['columns']
                if column['type'] == 'integer'}
    data, places = release.tables['data.csv'], release.places('data.csv', 'quasi')
    values = release.names('sensitive')

    def inside(row, record):
        for i in places:
            ends, value = re.fullmatch(r'\[(-?\d+),(-?\d+)\]', row[i]), record[data[0][i]]
            if ends and data[0][i] in integers:
                if not int(ends[1]) <= int(value) <= int(ends[2]):
                    return False
            elif row[i] != '*' and value not in row[i].strip('{}').split('|'):
                return False
        return True
    left, bags, rows, order = data[1:], {}, [], []
    if 'sensitive.csv' in release.tables:
        bags = by_class(release, 'sensitive.csv')
    for record in release.source.records:
        for row in left:
            bag = bags.get(row[-1], [])
            fitting = [one for one in bag if one[1] == record[values[0]]] if values else [None]
            if fitting and inside(row, record):
                rows.append(row)
                left = [one for one in left if one is not row]
                if values:
                    order.append(fitting[0])
                    bag.remove(fitting[0])
                break
        else:
            return None  # another assignment would be needed
    file = 'sensitive.csv' if values and chance.random() < 0.5 else 'data.csv'
    chosen = order if file == 'sensitive.csv' else rows + left
    if orders([[tuple(row) for row in chosen]]) < SURE:
        return None
    release.tables[file][1:] = turned(chance, chosen)
    return True


def in_step(chance, release):
    """The n-th row of each class in the one file and the n-th in the other are of one record, or the
    n-th from the end; made-up values come last in their groups."""
    found = assigned(release)
    if not found:
        return None
    mine, values, left = found
    value_of = {id(row): values[i] for i, row in enumerate(mine)}
    next_of = {number: iter([value_of[id(row)] for row in rows] + left[number])
               for number, rows in by_class(release, 'quasi.csv').items()}
    release.tables['sensitive.csv'][1:] = [next(next_of[row[0]])
                                           for row in release.tables['sensitive.csv'][1:]]
    if chance.random() < 0.5 and release.form == 'two-tables':
        release.tables['sensitive.csv'][1:] = release.tables['sensitive.csv'][:0:-1]
    bags, weight = by_class(release, 'sensitive.csv'), 0
    if release.form == 'two-tables':
        weight = orders([[tuple(row) for row in bag] for bag in bags.values()])
    placed = collections.Counter()
    for row, record in zip(mine, release.source.records):
        if release.form == 'distribution':
            bag = bags[row[-1]]
            weight += math.log((len(bag) - placed[row[-1]]) /
                               sum(holds(release, one, record) for one in bag))
            placed[row[-1]] += 1
    return True if weight > 1.5 * SURE else None


def class_in_order(chance, release):
    """Rows of one class of a file, or of all where it has too few, are in the order of the records;
    the places that classes have in the file stay."""
    found = assigned(release)
    if not found:
        return None
    mine, values, left = found
    file = chance.choice(['quasi.csv', 'sensitive.csv'])
    sorted_rows = collections.defaultdict(list)
    for i, row in enumerate(mine):
        sorted_rows[row[-1]].append(row if file == 'quasi.csv' else values[i])
    if file == 'sensitive.csv':
        for number, rows in left.items():
            if rows:
                return None  # which are whose is not certain
    weight = {number: orders([[tuple(row) for row in rows]]) for number, rows in sorted_rows.items()}
    number = max(weight, key=weight.get)
    alone = weight[number] > SURE
    if not alone and sum(weight.values()) < 1.5 * SURE:
        return None
    place = release.class_place(file)
    next_of = {one: iter(rows) for one, rows in sorted_rows.items() if one == number or not alone}
    release.tables[file][1:] = [next(next_of[row[place]]) if row[place] in next_of else row
                                for row in release.tables[file][1:]]
    return True


def fakes_last(chance, release):
    """Rows of sensitive.csv that no record of their group can have come last, or first: in the file,
    or in their groups."""
    quasi = release.names('quasi')
    places = release.places('quasi.csv', 'quasi')
    class_of = {tuple(row[i] for i in places): row[-1] for row in release.tables['quasi.csv'][1:]}
    records = collections.defaultdict(list)
    for record in release.source.records:
        records[class_of[tuple(record[name] for name in quasi)]].append(record)
    rows = release.tables['sensitive.csv'][1:]
    fake = {id(row): not any(holds(release, row, record) for record in records[row[0]])
            for row in rows}
    count, way = sum(fake.values()), chance.random() < 0.5
    if math.lgamma(len(rows) + 1) - math.lgamma(count + 1) - math.lgamma(
            len(rows) - count + 1) < SURE or count * math.log(2) < SURE:
        return None
    chance.shuffle(rows)
    release.tables['sensitive.csv'][1:] = sorted(rows, key=lambda row: fake[id(row)] == way)
    return True

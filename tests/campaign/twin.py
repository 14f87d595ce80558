# SPDX-License-Identifier: Apache-2.0
"""A twin of the audit that shares nothing with it: whether the files of a release, or the files and
the original, contradict what the manifest promises. It is slow, and it may overlook something; what
it calls broken is broken."""
import collections
import fractions
import re

# ---- matching ------------------------------------------------------------------------------------


def unmatched(edges, room):
    """How many of the left side find no place: edges[i] are the places that i may have, and
    room[place] is how often each can be taken. Augmenting paths, breadth-first."""
    holders, place_of, missing = collections.defaultdict(set), {}, 0
    for start, _ in enumerate(edges):
        came, queue, end = {}, collections.deque([start]), None
        while queue and end is None:
            one = queue.popleft()
            for place in edges[one]:
                if place in came:
                    continue
                came[place] = one
                if len(holders[place]) < room.get(place, 0):
                    end = place
                    break
                queue.extend(holders[place])
        missing += end is None
        while end is not None:  # everyone on the way moves one place on
            one = came[end]
            before = place_of.get(one)
            if before is not None:
                holders[before].remove(one)
            holders[end].add(one)
            place_of[one], end = end, before
    return missing


def members(cell):
    """The texts of a set, unescaped only as far as the campaign's data needs it."""
    return cell[1:-1].split('|')


def covered(column, cell, people):
    """The numbers of those whose values a cell of a column without a hierarchy covers."""
    values = [person[column['name']] for person in people]
    if cell == '*':
        return set(range(len(people)))
    ends = re.fullmatch(r'\[(-?\d+),(-?\d+)\]', cell)
    if ends and column['type'] == 'integer':
        low, high = int(ends[1]), int(ends[2])
        return {number for number, value in enumerate(values) if low <= int(value) <= high}
    texts = members(cell) if cell.startswith('{') else [cell]
    return {number for number, value in enumerate(values) if value in texts}


def inside(columns, boxes, people):
    """Who is in each of some boxes, which are tuples that begin with the cells of the columns."""
    known = {}
    for box in boxes:
        for column, cell in zip(columns, box):
            if (column['name'], cell) not in known:
                known[column['name'], cell] = covered(column, cell, people)
    return {box: set.intersection(*(known[column['name'], cell]
                                    for column, cell in zip(columns, box))) for box in boxes}


# ---- classes -------------------------------------------------------------------------------------


def bags(release, file, key):
    """The bags of each class, one per sensitive column."""
    found = {}
    values = release.places(file, 'sensitive')
    for row in release.tables[file][1:]:
        bag = found.setdefault(key(row), [collections.Counter() for _ in values or [0]])
        for number, place in enumerate(values):
            bag[number][row[place]] += 1
        if not values:
            bag[0][''] += 1
    return found


def fails(promise, bag):
    value, size = fractions.Fraction(promise['value']), bag.total()
    return {'k': size < value, 'l': len(bag) < value, 'p': len(bag) < value,
            'alpha': max(bag.values()) > value * size}[promise['name']]


def promises_fail(release, classes, names=('k', 'l', 'p', 'alpha')):
    return any(fails(promise, bag) for promise in release.manifest['promises']
               if promise['name'] in names for several in classes.values() for bag in several)


def sizes(release, file):
    return collections.Counter(row[release.class_place(file)] for row in release.tables[file][1:])


def numbers_fail(found):
    return sorted(found) != sorted(str(i + 1) for i in range(len(found)))


def generalized(release, source):
    classes = bags(release, 'data.csv', lambda row: release.key('data.csv', row))
    if promises_fail(release, classes):
        return True
    return source is not None and not_of_records(release, source)


def not_of_records(release, source):
    """Whether rows are no records of their own: their cells cover them, their values are theirs."""
    columns = [column for column in release.manifest['columns'] if column['role'] == 'quasi']
    rows, values = release.tables['data.csv'], release.names('sensitive')
    if len(rows) - 1 + release.manifest['dropped_rows'] != len(source.records):
        return True
    if any('hierarchy' in column for column in columns):
        return False
    quasi, sensitive = release.places('data.csv', 'quasi'), release.places('data.csv', 'sensitive')
    kinds = collections.Counter(tuple(row[i] for i in quasi + sensitive) for row in rows[1:])
    found = inside(columns, kinds, source.records)
    edges = []
    for kind, count in kinds.items():
        own = list(kind[len(quasi):])
        edges += [[number for number in sorted(found[kind])
                   if [source.records[number][name] for name in values] == own]] * count
    return unmatched(edges, collections.Counter(range(len(source.records)))) > 0


def two_tables(release, source):
    quasi, values = sizes(release, 'quasi.csv'), sizes(release, 'sensitive.csv')
    if quasi != values or numbers_fail(values) or min(values.values()) < 2:
        return True
    if promises_fail(release, bags(release, 'sensitive.csv', lambda row: row[0])):
        return True
    return source is not None and apart_from_records(release, source)


def group_of_record(release, source):
    """The class of each original record, whose quasi values nobody shares; None: others are
    published."""
    names = release.tables['quasi.csv'][0][:-1]
    rows = {tuple(row[:-1]): row[-1] for row in release.tables['quasi.csv'][1:]}
    found = [rows.get(tuple(record[name] for name in names)) for record in source.records]
    published = len(release.tables['quasi.csv']) - 1
    if len(rows) != published or published != sum(one is not None for one in found):
        return None
    if published + release.manifest['dropped_rows'] != len(source.records):
        return None
    return found


def apart_from_records(release, source):
    """Whether the bags are others than those of the records."""
    found = group_of_record(release, source)
    if found is None:
        return True
    names = release.tables['sensitive.csv'][0][1:]
    there = collections.Counter(map(tuple, release.tables['sensitive.csv'][1:]))
    return there != collections.Counter((number, *(record[name] for name in names))
                                        for number, record in zip(found, source.records)
                                        if number is not None)


# ---- distribution --------------------------------------------------------------------------------


class Tree:
    """The hierarchy of the sensitive column, as docs/release-format.md says it: nodes are lists of
    labels from the root, breadth-first."""

    def __init__(self, column):
        self.number = column['type'] == 'integer'
        children = collections.defaultdict(list)
        self.leaves = []
        for path in column['hierarchy']['paths']:
            chain = tuple(label for label in reversed(path) if label)
            if path[0] == '':
                chain += ('',)
            self.leaves.append(chain)
            for length, _ in enumerate(chain):
                if chain[:length + 1] not in children[chain[:length]]:
                    children[chain[:length]].append(chain[:length + 1])
        self.nodes, at = [()], 0
        while at < len(self.nodes):
            self.nodes += children[self.nodes[at]]
            at += 1


class Target:
    """Weights on a tree: parents, probabilities of leaves, and how sensitive.csv names nodes."""

    def __init__(self, tree, weights):
        self.sound = len(weights) == len(tree.nodes)
        if not self.sound:
            return
        self.weight = {node: weight for node, weight in zip(tree.nodes, weights) if weight > 0}
        self.parent, self.sum = {}, collections.Counter()
        for node in self.weight:
            above = [node[:length] for length, _ in enumerate(node) if node[:length] in self.weight]
            if above:
                self.parent[node] = above[-1]
                self.sum[above[-1]] += self.weight[node]
        self.leaves = [leaf for leaf in tree.leaves if leaf in self.weight]
        tops = len(self.weight) - len(self.parent)
        self.sound = tops == 1 and set(self.weight) - set(self.parent.values()) == set(self.leaves)
        self.named = {}
        for node in self.weight:
            inside = [leaf[-1] for leaf in self.leaves if leaf[:len(node)] == node]
            if tree.number and inside:
                ends = sorted(map(int, inside))
                self.named[(str(ends[0]), str(ends[-1]))] = node
            else:
                self.named[(node[-1] if node else '*',)] = node

    def chance(self, leaf):
        share = fractions.Fraction(1)
        while leaf in self.parent:
            share *= fractions.Fraction(self.weight[leaf], self.sum[self.parent[leaf]])
            leaf = self.parent[leaf]
        return share

    def is_above(self, cap):
        """Whether the weights below a node are more than the cap and than their number."""
        below = collections.Counter(self.parent.values())
        return any(weights > max(cap, below[node]) for node, weights in self.sum.items())

    def fails(self, promise):
        chances = [self.chance(leaf) for leaf in self.leaves]
        value = fractions.Fraction(promise['value'])
        return {'alpha': max(chances) > value, 'l': len(chances) < value,
                'p': len(chances) < value}[promise['name']]

    def tells_more(self, parts):
        """Whether parts are not in the ratio of the weights, at some node."""
        inside = collections.Counter()
        for part in parts:
            if part not in self.named:
                return True
            node = self.named[part]
            inside[node] += 1
            while node in self.parent:
                node = self.parent[node]
                inside[node] += 1
        for node, above in self.parent.items():
            below = sum(inside[other] for other, parent in self.parent.items() if parent == above)
            if inside[node] * self.sum[above] != below * self.weight[node]:
                return True
        return False


def made_up(release, records):
    """How many made-up values a group has: the least and the greatest number."""
    wanted = release.option('fake')
    best = wanted.startswith('best:')
    wanted = wanted.removeprefix('best:')
    if wanted.endswith('%'):
        number = int(fractions.Fraction(wanted[:-1]) * records / 100)
    else:
        number = int(wanted)
    return (0 if best else number), number


def distribution(release, source):
    tree = Tree(release.column('sensitive'))
    quasi, parts = sizes(release, 'quasi.csv'), collections.defaultdict(list)
    for row in release.tables['sensitive.csv'][1:]:
        parts[row[0]].append(tuple(row[1:]))
    if numbers_fail(quasi) or set(quasi) != set(parts):
        return True
    for number, rows in quasi.items():
        least, most = made_up(release, rows)
        if not least <= len(parts[number]) - rows <= most:
            return True
    targets = {}
    for one in release.manifest['targets']:
        target = Target(tree, one['weights'])
        if not target.sound or target.is_above(int(release.option('weight-cap'))):
            return True
        if any(map(target.fails, release.manifest['promises'])):
            return True
        for number in map(str, one['groups']) if 'groups' in one else quasi:
            if number in targets:
                return True
            targets[number] = target
    if set(targets) != set(quasi):
        return True
    if any(targets[number].tells_more(parts[number]) for number in quasi):
        return True
    return source is not None and parts_miss_records(release, source, targets, parts)


def parts_miss_records(release, source, targets, parts):
    """Whether values of a group's records find no part each that they lie in."""
    found = group_of_record(release, source)
    if found is None:
        return True
    name, tree = release.names('sensitive')[0], Tree(release.column('sensitive'))
    leaf_of = {leaf[-1]: leaf for leaf in tree.leaves}
    for number, target in targets.items():
        nodes = [target.named[part] for part in parts[number]]
        edges = []
        for one, record in zip(found, source.records):
            if one != number:
                continue
            leaf = leaf_of.get(record[name], (None,))
            edges.append([i for i, node in enumerate(nodes) if leaf[:len(node)] == node])
        if unmatched(edges, collections.Counter(range(len(nodes)))) > 0:
            return True
    return False


# ---- randomized ----------------------------------------------------------------------------------


def randomized(release, source):
    drawn = release.manifest['lambda']
    shares = [fractions.Fraction(column['redrawn']) for column in release.manifest['columns']
              if column['role'] == 'quasi']
    if sum(shares) != drawn or str(drawn) != release.option('lambda'):
        return True
    if (drawn > 1 or release.option('p') == 'uniform') and len(set(shares)) > 1:
        return True
    if release.manifest['promises'] or release.manifest['method'] != 'none':
        return True
    return source is not None and not_drawn_from(release, source, drawn)


def not_drawn_from(release, source, drawn):
    """Whether rows cannot each be a record of their own in which so many values were drawn anew, or
    hold what no record has."""
    rows, quasi = release.tables['data.csv'], release.names('quasi')
    place = {name: i for i, name in enumerate(rows[0])}
    if len(rows) - 1 + release.manifest['dropped_rows'] != len(source.records):
        return True
    for name in quasi:
        if not {row[place[name]] for row in rows[1:]} <= {one[name] for one in source.records}:
            return True
    held = collections.defaultdict(list)
    for number, record in enumerate(source.records):
        held[tuple(record[name] for name in release.names('sensitive'))].append(number)
    edges = []
    for row in rows[1:]:
        values = tuple(row[place[name]] for name in release.names('sensitive'))
        edges.append([number for number in held[values]
                      if sum(row[place[name]] != source.records[number][name]
                             for name in quasi) <= drawn])
    return unmatched(edges, collections.Counter(range(len(source.records)))) > 0


# ---- join ----------------------------------------------------------------------------------------


def join(release, source):
    rows = release.tables['data.csv'][1:]
    boxes = collections.Counter(map(tuple, rows))
    groups = sizes(release, 'data.csv')
    boxes_of = collections.Counter(box[-1] for box in boxes)
    refined = release.manifest['join'].startswith('refine')
    if numbers_fail(groups) or (not refined and max(boxes_of.values()) > 1):
        return True
    least = next(int(one['value']) for one in release.manifest['promises'] if one['name'] == 'k')
    if min(boxes.values()) < least:
        return True
    if 'sensitive.csv' in release.tables:
        records = sizes(release, 'sensitive.csv')
        if set(records) != set(groups) or any(
                not boxes_of[number] <= count <= groups[number]
                for number, count in records.items()):
            return True
        names = ('l', 'p', 'alpha') if refined else ('k', 'l', 'p', 'alpha')
        if promises_fail(release, bags(release, 'sensitive.csv', lambda row: row[0]), names):
            return True
        published = sum(records.values()) + release.manifest['dropped_rows']
        if source is not None and published != len(source.records):
            return True
    return source is not None and boxes_miss_people(release, source, boxes)


def boxes_around(found, count):
    """The boxes in which each of so many people is."""
    boxes = [[] for _ in range(count)]
    for box, people in found.items():
        for number in people:
            boxes[number].append(box)
    return boxes


def boxes_miss_people(release, source, boxes):
    """Whether records have no row of their own in a box around them, boxes no record, rows no
    person, or records no row of sensitive.csv in the group of a box around them."""
    columns = [column for column in release.manifest['columns'] if column['role'] == 'quasi']
    persons = source.persons()
    records_of = inside(columns, boxes, source.records)
    homes = boxes_around(records_of, len(source.records))
    if unmatched(homes, boxes) > 0:
        return True
    once = collections.Counter(range(len(source.records)))
    if unmatched([sorted(records_of[box]) for box in boxes], once) > 0:
        return True
    around = boxes_around(inside(columns, boxes, persons), len(persons))
    if len(persons) - unmatched(around, boxes) < boxes.total():
        return True
    if 'sensitive.csv' not in release.tables:
        return False
    names = release.tables['sensitive.csv'][0][1:]
    there = collections.Counter(map(tuple, release.tables['sensitive.csv'][1:]))
    edges = [sorted({(box[-1], *(record[name] for name in names)) for box in found})
             for found, record in zip(homes, source.records)]
    return unmatched(edges, there) > 0


TWINS = {'generalized': generalized, 'two-tables': two_tables, 'distribution': distribution,
         'randomized': randomized, 'join': join}


def is_broken(release, source=None):
    """Whether a promise does not hold any more."""
    return TWINS[release.form](release, source)

# SPDX-License-Identifier: Apache-2.0
"""Ways to corrupt a release that only one form has (corrupt.py has the others and says what they
return), and which ways go with which form."""
import collections
import fractions
import re

from corrupt import (changed_sql, cut_short, drop_row, exchanged_cells, exchanged_classes,
                     exchanged_values, extra_file, finer_cell, finer_class, identifier,
                     lost_column, lost_field, lost_file, milder_words, moved, moved_row,
                     named_identifier, no_method, no_promise, one_value, other_method, other_category,
                     other_cell, other_cuts, other_dropped, other_form, other_persons,
                     other_role, other_stamp, other_words, pick, raised, renumbered, repeat_row,
                     replaced_row, reused, same_value, shifted_class, sorted_rows,
                     source_format, swapped_columns, two_rows, unknown_field, unlisted)
from corrupt_orders import (class_in_order, fakes_last, in_step, join_order, numbered_in_order,
                            original_order, rows_alike, rows_follow, turned)

# ---- distribution --------------------------------------------------------------------------------

def lost_fake(chance, release):
    """A part of a group is gone: the group has one made-up value less."""
    del release.tables['sensitive.csv'][pick(chance, release, 'sensitive.csv')]
    return False


def added_fake(chance, release):
    """A group gets a part more."""
    rows = release.tables['sensitive.csv']
    rows.insert(pick(chance, release, 'sensitive.csv'),
                list(rows[pick(chance, release, 'sensitive.csv')]))
    return False


def other_part(chance, release):
    """A part takes the place of one of another row: finer, coarser, or elsewhere."""
    found = two_rows(chance, release, 'sensitive.csv', lambda one, other: one[1:] != other[1:])
    if not found:
        return None
    found[0][1:] = found[1][1:]
    return False


def shifted_part(chance, release):
    """An end of a part is another one."""
    row = release.tables['sensitive.csv'][pick(chance, release, 'sensitive.csv')]
    if len(row) < 3:
        return None
    place = chance.choice([1, 2])
    row[place] = str(int(row[place]) + chance.choice([-1, 1]))
    return False


def exchanged_parts(chance, release):
    """Two groups exchange a part."""
    found = two_rows(chance, release, 'sensitive.csv',
                     lambda one, other: one[0] != other[0] and one[1:] != other[1:])
    if not found:
        return None
    one, other = found
    one[1:], other[1:] = other[1:], one[1:]
    return False


def changed_bound(chance, release):
    """A number of bounds.csv is another one."""
    rows = release.tables.get('bounds.csv')
    if not rows:
        return None
    row = rows[pick(chance, release, 'bounds.csv')]
    place = chance.randrange(len(row))
    row[place] = str(int(row[place]) + chance.choice([-1, 1]))
    return True


def changed_weight(chance, release):
    """A weight of a target is another one."""
    weights = chance.choice(release.manifest['targets'])['weights']
    place = chance.randrange(len(weights))
    weights[place] = max(0, weights[place] + chance.choice([-1, 1, 2]))
    return False


def exchanged_weights(chance, release):
    weights = chance.choice(release.manifest['targets'])['weights']
    one, other = chance.sample(range(len(weights)), 2)
    weights[one], weights[other] = weights[other], weights[one]
    return False


def other_target(chance, release):
    """A group is left out of its target, or has two, or there is one for a group that is not."""
    targets = release.manifest['targets']
    if 'groups' not in targets[0]:
        targets[0]['groups'] = [1]
        return True
    groups = chance.choice(targets)['groups']
    way = chance.randrange(3)
    if way == 0:
        groups.pop(chance.randrange(len(groups)))
    elif way == 1:
        groups.append(10000)
    else:
        groups.append(chance.choice(chance.choice(targets)['groups']))
    return True


def exchanged_targets(chance, release):
    """Two groups exchange their targets."""
    targets = release.manifest['targets']
    if len(targets) < 2:
        return None
    one, other = chance.sample(targets, 2)
    one['weights'], other['weights'] = other['weights'], one['weights']
    return False


def moved_leaf(chance, release):
    """A value of the hierarchy gets the nodes of another one above it."""
    paths = release.column('sensitive')['hierarchy']['paths']
    one, other = chance.sample(paths, 2)
    if one[1:] == other[1:]:
        return None
    one[1:], other[1:] = other[1:], one[1:]
    return False


def renamed_leaf(chance, release):
    """A value of the hierarchy is another one."""
    column = release.column('sensitive')
    path = chance.choice(column['hierarchy']['paths'])
    path[0] = str(int(path[0]) + 1) if column['type'] == 'integer' else path[0] + 's'
    return False


def other_fakes(chance, release):
    """The form says another number of made-up values."""
    release.manifest['form'] = re.sub(r'fake=(best:)?([^,]*)', f'fake={chance.randrange(50, 60)}',
                                      release.manifest['form'])
    return False


# ---- randomized ----------------------------------------------------------------------------------

def other_lambda(chance, release):
    manifest = release.manifest
    manifest['lambda'] += chance.choice([-1, 1, 2])
    return False


def other_lambda_everywhere(chance, release):
    """A greater lambda, and the probabilities that go with it, but not in the form."""
    quasi = [column for column in release.manifest['columns'] if column['role'] == 'quasi']
    release.manifest['lambda'] = 1 + release.manifest['lambda'] % len(quasi)
    for column in quasi:
        column['redrawn'] = f'{release.manifest["lambda"]}/{len(quasi)}'
    return False


def other_probability(chance, release):
    """A column is drawn anew with another probability; the others make up for it, or do not."""
    quasi = [column for column in release.manifest['columns'] if column['role'] == 'quasi']
    one, other = chance.sample(quasi, 2)
    shares = [fractions.Fraction(column['redrawn']) for column in (one, other)]
    one['redrawn'] = str(shares[0] + shares[1] / 2)
    if chance.random() < 0.5:
        other['redrawn'] = str(shares[1] / 2)
    return False


def far_row(chance, release):
    """A row gets all quasi values but one of another row: more are drawn anew than may be."""
    quasi = release.places('data.csv', 'quasi')
    found = two_rows(chance, release, 'data.csv', lambda one, other: one != other)
    if not found:
        return None
    for place in chance.sample(quasi, len(quasi) - 1):
        found[0][place] = found[1][place]
    return False


def foreign_value(chance, release):
    """A quasi value that nobody has."""
    row = release.tables['data.csv'][pick(chance, release, 'data.csv')]
    place = chance.choice(release.places('data.csv', 'quasi'))
    row[place] = '123456' if row[place].lstrip('-').isdigit() else 'nobody'
    return False


def undrawn(chance, release):
    """The records themselves, none of them drawn anew."""
    names = release.tables['data.csv'][0]
    rows = [[record[name] for name in names] for record in release.source.records]
    chance.shuffle(rows)
    release.tables['data.csv'][1:] = rows
    return True


def in_order(chance, release):
    """Values are drawn anew as they should be, but the rows are in the order of the records, perhaps
    rotated or backwards."""
    names, quasi = release.tables['data.csv'][0], release.names('quasi')
    rows = []
    for record in release.source.records:
        drawn = dict(record)
        for name in chance.sample(quasi, release.manifest['lambda']):
            drawn[name] = chance.choice(release.source.records)[name]
        rows.append([drawn[name] for name in names])
    release.tables['data.csv'][1:] = turned(chance, rows)
    return True


def draw_all(chance, release, choose, value=None):
    """The records drawn anew, in another order: choose(record, quasi) names the columns of each."""
    names, quasi = release.tables['data.csv'][0], release.names('quasi')
    records = release.source.records
    value = value or (lambda name: chance.choice(records)[name])
    rows = []
    for record in records:
        drawn = dict(record)
        for name in choose(record, quasi):
            drawn[name] = value(name)
        rows.append([drawn[name] for name in names])
    chance.shuffle(rows)
    release.tables['data.csv'][1:] = rows
    return True


def drawn_as_stated(chance, release):
    """Nothing is wrong: by another program than the one that is tested."""
    draw_all(chance, release,
             lambda _, quasi: chance.sample(quasi, release.manifest['lambda']))
    return False


def tenth_undrawn(chance, release):
    """A tenth of the records is left as it was."""
    return draw_all(chance, release, lambda _, quasi: [] if chance.random() < 0.1 else
                    chance.sample(quasi, release.manifest['lambda']))


def same_columns(chance, release):
    """In every record the same columns are drawn anew."""
    same = chance.sample(release.names('quasi'), release.manifest['lambda'])
    return draw_all(chance, release, lambda *_: same)


def one_column_less(chance, release):
    """A column is never drawn anew: one of the others is in its place."""
    left = chance.choice(release.names('quasi'))
    return draw_all(chance, release, lambda _, quasi: chance.sample(
        [name for name in quasi if name != left], release.manifest['lambda']))


def commonest(release, name):
    values = collections.Counter(record[name] for record in release.source.records)
    return values.most_common(1)[0][0]


def value_undrawn(chance, release):
    """The commonest value of a column, which enough records hold, stays where it is."""
    records = release.source.records
    held = {name: commonest(release, name) for name in release.names('quasi')}
    name = chance.choice([name for name in held if 10 * sum(
        record[name] == held[name] for record in records) >= len(records)])
    value = held[name]
    return draw_all(chance, release, lambda record, quasi: [
        one for one in chance.sample(quasi, release.manifest['lambda'])
        if one != name or record[name] != value])


def patients_undrawn(chance, release):
    """The records with the commonest sensitive value are left as they were."""
    name = release.names('sensitive')[0]
    value = commonest(release, name)
    return draw_all(chance, release, lambda record, quasi: [] if record[name] == value else
                    chance.sample(quasi, release.manifest['lambda']))


def rare_undrawn(chance, release):
    """The records with one rare value, of any column, are left as they were."""
    enough = 100  # records: fewer are unverifiable
    records = release.source.records
    name = chance.choice(release.names('quasi') + release.names('sensitive'))
    held = collections.Counter(record[name] for record in records)
    value = min((value for value in held if held[value] >= enough), key=held.get)
    return draw_all(chance, release, lambda record, quasi: [] if record[name] == value else
                    chance.sample(quasi, release.manifest['lambda']))


def drawn_too_often(chance, release):
    """In every record one column more than stated is drawn anew."""
    return draw_all(chance, release,
                    lambda _, quasi: chance.sample(quasi, release.manifest['lambda'] + 1))


def flat_values(chance, release):
    """Values are drawn from the domain, whatever is common."""
    values = {name: sorted({record[name] for record in release.source.records})
              for name in release.names('quasi')}
    return draw_all(chance, release,
                    lambda _, quasi: chance.sample(quasi, release.manifest['lambda']),
                    lambda name: chance.choice(values[name]))


# ---- join ----------------------------------------------------------------------------------------

def lost_person(chance, release):
    """A row of one of the smallest boxes is gone."""
    rows = release.tables['data.csv']
    least = min(rows[1:].count(row) for row in rows[1:])
    smallest = [i for i, row in enumerate(rows) if i and rows[1:].count(row) == least]
    del rows[chance.choice(smallest)]
    return False


def other_join(chance, release):
    """The join is called the other one, or is not mentioned."""
    if chance.random() < 0.3:
        del release.manifest['join']
        return True
    kinds = {'refine': 'direct', 'direct': 'refine'}
    name = release.manifest['join'][:6]
    release.manifest['join'] = kinds[name] + release.manifest['join'][6:]
    # Without sensitive columns only one of the two has sensitive.csv.
    return name == 'direct' and 'sensitive.csv' not in release.tables


# ---- which go with which form --------------------------------------------------------------------

ANYWHERE = [drop_row, repeat_row, replaced_row, identifier, named_identifier, lost_column,
            swapped_columns, unknown_field, lost_field, milder_words, other_words, other_role,
            other_form, other_persons, other_stamp, no_promise, no_method, other_method, extra_file,
            lost_file, cut_short, source_format]
VALUES = [same_value, one_value, exchanged_values]
CELLS = [finer_cell, finer_class, other_cell, moved_row]
LISTS = [other_category, other_cuts, unlisted]
RECORDS = [drop_row, repeat_row, replaced_row, other_dropped]
NUMBERS = [moved, exchanged_classes, reused, renumbered, numbered_in_order, rows_alike]
LINKS = [original_order, in_step, class_in_order]
PARTS = [lost_fake, added_fake, other_part, shifted_part, exchanged_parts, changed_bound,
         changed_weight, exchanged_weights, other_target, exchanged_targets, moved_leaf,
         renamed_leaf, other_fakes]
MECHANISM = [other_lambda, other_lambda_everywhere, other_probability]
# Of a table that is large enough to tell, with the original.
DRAWING = [undrawn, tenth_undrawn, same_columns, one_column_less, value_undrawn, patients_undrawn,
           rare_undrawn, drawn_too_often, flat_values]
# Of a join that is large enough to tell, from the files.
FOLLOWING = [rows_alike, rows_follow]

# What is looked for in the files alone, and what with the original beside them.
KINDS = {
    'generalized': ANYWHERE + VALUES + CELLS + LISTS + [raised],
    'two-tables': ANYWHERE + VALUES + NUMBERS + [raised, exchanged_cells, sorted_rows, changed_sql],
    'distribution': ANYWHERE + NUMBERS + PARTS + [raised, exchanged_cells, sorted_rows,
                                                  changed_sql],
    'randomized': ANYWHERE + MECHANISM,
    'join': ANYWHERE + VALUES + CELLS + NUMBERS + [raised, lost_person, other_join],
}
WITH_ORIGINAL = {
    'generalized': RECORDS + VALUES + CELLS + [shifted_class, original_order],
    'two-tables': RECORDS + VALUES + LINKS + [exchanged_classes],
    'distribution': RECORDS + LINKS + [fakes_last, exchanged_classes, exchanged_parts, other_part,
                                       moved_leaf],
    'randomized': RECORDS + [one_value, exchanged_values, far_row, foreign_value,
                             other_lambda_everywhere, undrawn, in_order],
    'join': RECORDS + VALUES + CELLS + [exchanged_classes, shifted_class, lost_person, join_order],
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Judging by persons. A class all of whose rows are known is judged as it is. Of another one only
 * requirements can be said to hold that what is known satisfies already and that no further
 * record can break. Linear in rows.
 */
#include "audit/persons.h"

#include "audit/settle.h"

/* ---- whose rows -------------------------------------------------------------------------- */

/* The rows of each demand, in `rows`; first[d + 1] walks through them while they are filled in. */
static void list_wanting(const bt_assignment *from, uint32_t *rows, size_t *first)
{
    for (int64_t row = 0; row < from->rows; row++)
        first[(size_t)from->wanting[row] + 2]++;
    for (size_t d = 2; d <= from->demands; d++)
        first[d] += first[d - 1];
    for (int64_t row = 0; row < from->rows; row++)
        rows[first[(size_t)from->wanting[row] + 1]++] = (uint32_t)row;
}

static bauta_status allocate(const bt_assignment *from, bt_row_persons *out, bauta_error *error)
{
    *out = (bt_row_persons){.subjects = from->subjects};
    out->subject_of = bt_array((size_t)from->rows, sizeof *out->subject_of);
    out->known = bt_array_zero((size_t)from->rows, sizeof *out->known);
    if (!out->subject_of || !out->known) return bt_fail_memory(error);
    if ((uint64_t)from->subjects + (uint64_t)from->rows >= UINT32_MAX)
        return bt_fail(error, BAUTA_INVALID, "there are too many persons");
    return BAUTA_OK;
}

bauta_status bt_persons_assign(const bt_assignment *from, bt_row_persons *out, bauta_error *error)
{
    BT_TRY(allocate(from, out, error));
    uint32_t *rows = bt_array((size_t)from->rows, sizeof *rows);
    uint32_t *taken = bt_array_zero(from->demands, sizeof *taken);
    size_t *first = bt_array_zero((size_t)from->demands + 2, sizeof *first);
    bool made = rows && taken && first;
    if (made) list_wanting(from, rows, first);
    for (int64_t i = 0; made && i < from->records; i++) {
        uint32_t demand = from->demand_of[from->supply_of[i]];
        if (demand == BT_UNSETTLED || first[demand] + taken[demand] == first[demand + 1]) continue;
        uint32_t row = rows[first[demand] + taken[demand]++];
        out->subject_of[row] = from->subject_of[i];
        out->known[row] = true;
    }
    for (int64_t row = 0; made && row < from->rows; row++)
        if (!out->known[row]) out->subject_of[row] = out->subjects++;
    free(rows);
    free(taken);
    free(first);
    return made ? BAUTA_OK : bt_fail_memory(error);
}

void bt_row_persons_release(bt_row_persons *persons)
{
    free(persons->subject_of);
    free(persons->known);
    *persons = (bt_row_persons){0};
}

/* ---- judging ----------------------------------------------------------------------------- */

typedef struct judging {
    const bt_requirements *requirements;
    const bt_judged_classes *classes;
    const bt_row_persons *persons;
    bt_tally *tally;
    uint32_t *order; /* rows, class by class */
    size_t *starts;
    bool all_known;
} judging;

/* Whether what a class may have besides cannot change that it satisfies. */
static bool is_lasting(const judging *j, const bt_requirement *type)
{
    bool joint = j->requirements->joint && j->requirements->people->columns > 1;
    return type->monotone_growing && (type->size_only || !joint);
}

/* The persons of a class are those known and at most one for each row whose person is not: where
 * these are too few it does not matter who they are. */
static bool is_too_small(const judging *j, const bt_requirements *one, uint32_t number)
{
    int64_t most = bt_tally_size(j->tally);
    for (size_t i = j->starts[number]; i < j->starts[number + 1]; i++)
        most += !j->persons->known[j->order[i]];
    return one->items[0].type->size_only && most < bt_requirements_least_size(one);
}

static void judge_item(const judging *j, size_t item, uint32_t number, bool known,
                       bt_person_verdict *out)
{
    bt_requirements one = *j->requirements;
    const bt_requirement *type = one.items[item].type;
    one.items += item;
    one.count = 1;
    /* What is compared with the whole table needs all of it. */
    bool sound = type->scope == BT_SCOPE_CLASS || j->all_known;
    bool holds = bt_requirements_check(&one, j->tally, NULL);
    if (holds && sound && (known || is_lasting(j, type))) return;
    if (holds || !sound || (!known && !is_too_small(j, &one, number))) {
        out->open++;
        return;
    }
    if (out->fails.classes++ == 0) out->fails.first = number;
    out->fails.records += j->classes->sizes[number];
}

/* Adds the rows of a class whose person is known, or the others; *all: there are no others. */
static bauta_status add_rows(judging *j, uint32_t number, bool known, bool *all, bauta_error *error)
{
    for (size_t i = j->starts[number]; i < j->starts[number + 1]; i++) {
        if (j->persons->known[j->order[i]] != known)
            *all = false;
        else
            BT_TRY(bt_tally_add_row(j->tally, j->order[i], error));
    }
    return BAUTA_OK;
}

static bauta_status judge_class(judging *j, uint32_t number, bt_person_verdict *out,
                                int64_t *smallest, bauta_error *error)
{
    bool known = true;
    bt_tally_clear(j->tally);
    BT_TRY(add_rows(j, number, true, &known, error));
    for (size_t i = 0; i < j->requirements->count; i++)
        if (!j->requirements->items[i].type->occurrence_only)
            judge_item(j, i, number, known, &out[i]);
    if (known && (*smallest < 0 || bt_tally_size(j->tally) < *smallest))
        *smallest = bt_tally_size(j->tally);
    BT_TRY(add_rows(j, number, false, &known, error));
    /* Which values there are does not depend on whose they are. */
    for (size_t i = 0; i < j->requirements->count; i++)
        if (j->requirements->items[i].type->occurrence_only)
            judge_item(j, i, number, true, &out[i]);
    return BAUTA_OK;
}

static bauta_status judge_all(judging *j, bt_person_verdict *out, int64_t *smallest,
                              bauta_error *error)
{
    int64_t rows = j->requirements->people->rows;
    const bt_judged_classes *classes = j->classes;
    j->order = bt_array((size_t)rows, sizeof *j->order);
    j->starts = bt_array_zero((size_t)classes->count + 2, sizeof *j->starts);
    if (!j->order || !j->starts) return bt_fail_memory(error);
    BT_TRY(bt_tally_new(j->requirements->people, &j->tally, error));
    for (uint32_t c = 0; c < classes->count; c++)
        j->starts[c + 2] = j->starts[c + 1] + classes->sizes[c];
    for (int64_t row = 0; row < rows; row++) {
        j->order[j->starts[classes->class_of[row] + 1]++] = (uint32_t)row;
        j->all_known = j->all_known && j->persons->known[row];
    }
    for (uint32_t c = 0; c < classes->count; c++)
        BT_TRY(judge_class(j, c, out, smallest, error));
    return BAUTA_OK;
}

bauta_status bt_persons_judge(const bt_requirements *requirements, const bt_judged_classes *classes,
                              const bt_row_persons *persons, bt_person_verdict *out,
                              int64_t *smallest, bauta_error *error)
{
    judging j = {
        .requirements = requirements, .classes = classes, .persons = persons, .all_known = true};
    *smallest = -1;
    for (size_t i = 0; i < requirements->count; i++)
        out[i] = (bt_person_verdict){0};
    bauta_status status = judge_all(&j, out, smallest, error);
    bt_tally_free(j.tally);
    free(j.order);
    free(j.starts);
    return status;
}

bauta_status bt_persons_torn(const uint32_t *class_of, int64_t rows, const bt_row_persons *persons,
                             int64_t *torn, int64_t *row, bauta_error *error)
{
    uint32_t *seen = bt_array_zero(persons->subjects, sizeof *seen); /* class + 1 */
    bool *counted = bt_array_zero(persons->subjects, sizeof *counted);
    bool made = seen && counted;
    *torn = 0;
    *row = -1;
    for (int64_t i = 0; made && i < rows; i++) {
        uint32_t person = persons->subject_of[i], number = class_of[i] + 1;
        if (!persons->known[i]) continue;
        if (seen[person] == 0) seen[person] = number;
        if (seen[person] == number || counted[person]) continue;
        counted[person] = true;
        if ((*torn)++ == 0) *row = i;
    }
    free(seen);
    free(counted);
    return made ? BAUTA_OK : bt_fail_memory(error);
}

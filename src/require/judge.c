/* SPDX-License-Identifier: Apache-2.0
 *
 * Judging classes. Linear in classes when only sizes matter, else in records; several classes at
 * a time.
 */
#include "require/judge.h"

enum { CLASSES_PER_TASK = 4096 };

typedef struct judging {
    const bt_requirements *requirements;
    const bt_judged_classes *classes;
    uint32_t *order;       /* records, class by class */
    size_t *starts;        /* places in `order` */
    bt_shortfall *partial; /* tasks * requirements */
    bt_tally **tallies;    /* per worker, made when it is needed: they may be large */
} judging;

static void note(bt_shortfall *shortfall, uint32_t number, uint32_t size)
{
    if (shortfall->classes++ == 0) shortfall->first = number;
    shortfall->records += size;
}

/* ---- sizes ---- */

static void judge_sizes(const bt_requirements *requirements, const bt_judged_classes *classes,
                        bt_shortfall *out)
{
    for (size_t i = 0; i < requirements->count; i++) {
        const bt_requirement_instance *item = &requirements->items[i];
        for (uint32_t c = 0; c < classes->count; c++) {
            const bt_bag bag = {.size = classes->sizes[c]};
            if (!item->type->check(item, NULL, &bag)) note(&out[i], c, classes->sizes[c]);
        }
    }
}

/* ---- values ---- */

static bauta_status arrange(judging *j, int64_t rows, bauta_error *error)
{
    const bt_judged_classes *classes = j->classes;
    j->order = bt_array((size_t)rows, sizeof *j->order);
    j->starts = bt_array_zero((size_t)classes->count + 2, sizeof *j->starts);
    if (!j->order || !j->starts) return bt_fail_memory(error);
    /* starts[c + 1] walks through class c while it is filled, and ends where c + 1 starts. */
    for (uint32_t c = 0; c < classes->count; c++)
        j->starts[c + 2] = j->starts[c + 1] + classes->sizes[c];
    for (int64_t row = 0; row < rows; row++)
        j->order[j->starts[classes->class_of[row] + 1]++] = (uint32_t)row;
    return BAUTA_OK;
}

/* Requirements one at a time, so that each gets its own verdict. */
static void judge_class(const judging *j, bt_tally *tally, uint32_t number, bt_shortfall *out)
{
    for (size_t i = 0; i < j->requirements->count; i++) {
        bt_requirements one = *j->requirements;
        one.items = &j->requirements->items[i];
        one.count = 1;
        if (!bt_requirements_check(&one, tally, NULL))
            note(&out[i], number, j->classes->sizes[number]);
    }
}

static bauta_status judge_task(void *user, size_t task, unsigned worker, bauta_error *error)
{
    const judging *j = user;
    bt_shortfall *out = j->partial + task * j->requirements->count;
    size_t from = task * CLASSES_PER_TASK, to = from + CLASSES_PER_TASK;
    if (to > j->classes->count) to = j->classes->count;
    if (!j->tallies[worker])
        BT_TRY(bt_tally_new(j->requirements->people, &j->tallies[worker], error));
    bt_tally *tally = j->tallies[worker];
    for (size_t c = from; c < to; c++) {
        bt_tally_clear(tally);
        for (size_t i = j->starts[c]; i < j->starts[c + 1]; i++)
            BT_TRY(bt_tally_add_row(tally, j->order[i], error));
        judge_class(j, tally, (uint32_t)c, out);
    }
    return BAUTA_OK;
}

static void add_up(const judging *j, size_t tasks, bt_shortfall *out)
{
    size_t count = j->requirements->count;
    for (size_t i = 0; i < tasks * count; i++) {
        const bt_shortfall *part = &j->partial[i];
        bt_shortfall *whole = &out[i % count];
        if (part->classes > 0 && whole->classes == 0) whole->first = part->first;
        whole->classes += part->classes;
        whole->records += part->records;
    }
}

bauta_status bt_requirements_judge(const bt_requirements *requirements,
                                   const bt_judged_classes *classes, const bt_run *run,
                                   bt_shortfall *out, bauta_error *error)
{
    judging j = {.requirements = requirements, .classes = classes};
    size_t tasks = ((size_t)classes->count + CLASSES_PER_TASK - 1) / CLASSES_PER_TASK, parts;
    for (size_t i = 0; i < requirements->count; i++)
        out[i] = (bt_shortfall){0};
    if (!requirements->people->profile_of) {
        judge_sizes(requirements, classes, out);
        return BAUTA_OK;
    }
    unsigned workers = bt_pool_size(run->pool);
    bauta_status status = arrange(&j, requirements->people->rows, error);
    if (bt_size_mul(tasks, requirements->count, &parts))
        j.partial = bt_array_zero(parts, sizeof *j.partial);
    j.tallies = bt_array_zero(workers, sizeof *j.tallies);
    if (status == BAUTA_OK && (!j.partial || !j.tallies)) status = bt_fail_memory(error);
    if (status == BAUTA_OK) status = bt_pool_run(run->pool, tasks, judge_task, &j, error);
    if (status == BAUTA_OK) add_up(&j, tasks, out);
    for (unsigned i = 0; j.tallies && i < workers; i++)
        bt_tally_free(j.tallies[i]);
    free(j.tallies);
    free(j.order);
    free(j.starts);
    free(j.partial);
    return status;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Promises: every requirement that the manifest names holds for every class, judged from the
 * published values alone. Only where persons are counted do these not say enough: then what
 * depends on their numbers is judged if the original told whose the rows are.
 *
 * Cost: linear in classes for requirements of size, linear in rows for the others.
 */
#include "audit/finding.h"
#include "audit/people.h"
#include "require/judge.h"

#include <string.h>

/* ---- judging ---- */

typedef struct judging {
    bt_audit_job *job;
    bt_requirements requirements;
    bt_people people;
    bt_shortfall *shortfalls; /* per requirement */
    bool by_persons;          /* persons are judged: whose the rows are is known */
    const char **hidden;      /* per requirement: a column whose values it is about but which
                                 shows only categories, or NULL */
} judging;

/* The column of the release that hides what a requirement judges; *others: some do not. */
static const bt_manifest_column *hidden_column(const bt_release *release,
                                               const bt_requirement_instance *item, bool *others)
{
    const bt_manifest_column *hidden = NULL;
    *others = item->type->size_only || item->type->needs_categories;
    if (*others) return NULL;
    for (size_t i = 0; i < release->column_count; i++) {
        const bt_manifest_column *column = release->columns[i].manifest;
        if (column->role != BT_ROLE_SENSITIVE || bt_is_companion(column)) continue;
        if (item->column && strcmp(item->column, column->name) != 0) continue;
        if (!bt_shows_categories(column))
            *others = true;
        else if (!hidden)
            hidden = column;
    }
    return hidden;
}

static void tell_hidden(bt_audit_job *job, const char *text, const char *column)
{
    bt_finding_put(job, text, BT_UNVERIFIABLE, BT_NO_ROW,
                   "of column '%s' only categories are published, not the values it is about",
                   column);
}

/* Leaves only those requirements of which the release shows something. */
static void drop_hidden(judging *j)
{
    size_t kept = 0;
    for (size_t i = 0; i < j->requirements.count; i++) {
        bt_requirement_instance *item = &j->requirements.items[i];
        bool others;
        const bt_manifest_column *hidden = hidden_column(j->job->release, item, &others);
        if (hidden && !others) {
            tell_hidden(j->job, item->text, hidden->name);
            continue;
        }
        j->hidden[kept] = hidden ? hidden->name : NULL;
        j->requirements.items[kept++] = *item;
    }
    j->requirements.count = kept;
}

static uint32_t smallest_of(const uint32_t *sizes, uint32_t count)
{
    uint32_t smallest = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++)
        if (sizes[i] < smallest) smallest = sizes[i];
    return smallest;
}

static uint32_t smallest_class(const bt_tuples *classes)
{
    return smallest_of(classes->size, classes->count);
}

/* Whether it is judged by the records of sensitive groups: in a join what is about values and, with
 * `direct`, where each box is one, also sizes. */
static bool is_of_groups(const bt_release *release, const bt_requirement_instance *item)
{
    if (!release->form->join) return false;
    bool told = bt_sensitive_apart(release) && !bt_is_refined(&release->manifest);
    return !item->type->size_only || told;
}

static void tell_groups(judging *j, size_t item)
{
    const bt_release *release = j->job->release;
    const bt_bags *bags = &release->bags;
    const bt_shortfall *shortfall = &j->shortfalls[item];
    const char *text = j->requirements.items[item].text;
    bool alone = j->people.columns > 1 && !j->requirements.joint;
    uint32_t smallest = smallest_of(bags->values, bags->count);
    if (shortfall->classes > 0)
        bt_finding_put(j->job, text, BT_FAILS, bt_bag_place(release, shortfall->first),
                       "%u of %u sensitive groups do not satisfy it; this one has %u records, the "
                       "smallest %u",
                       shortfall->classes, bags->count, bags->values[shortfall->first], smallest);
    else if (j->hidden[item])
        tell_hidden(j->job, text, j->hidden[item]);
    else
        bt_finding_put(
            j->job, text, BT_HOLDS, BT_NO_ROW, "%u sensitive groups, the smallest has %u records%s",
            bags->count, bags->count > 0 ? smallest : 0,
            alone ? "; not asked of those who share a value of another sensitive column" : "");
}

static void tell(judging *j, size_t item)
{
    const bt_tuples *classes = &j->job->release->classes;
    const bt_shortfall *shortfall = &j->shortfalls[item];
    const bt_requirement_instance *told = &j->requirements.items[item];
    if (is_of_groups(j->job->release, told)) {
        tell_groups(j, item);
        return;
    }
    bool alone = !told->type->size_only && j->people.columns > 1 && !j->requirements.joint;
    if (shortfall->classes > 0)
        bt_finding_put(j->job, told->text, BT_FAILS,
                       bt_class_place(j->job->release, shortfall->first),
                       "%u of %u classes do not satisfy it; this one has %u rows, the smallest %u",
                       shortfall->classes, classes->count, classes->size[shortfall->first],
                       smallest_class(classes));
    else if (j->hidden[item])
        tell_hidden(j->job, told->text, j->hidden[item]);
    else if (classes->count == 0)
        bt_finding_put(j->job, told->text, BT_HOLDS, BT_NO_ROW, "there are no classes");
    else if (told->type->asks_nothing(told))
        bt_finding_put(j->job, told->text, BT_HOLDS, BT_NO_ROW,
                       "it promises nothing: any class satisfies it");
    else if (j->job->release->bags.unequal > 0)
        bt_finding_put(j->job, told->text, BT_UNVERIFIABLE, BT_NO_ROW,
                       "%u of %u classes have not as many rows in quasi.csv as in sensitive.csv",
                       j->job->release->bags.unequal, classes->count);
    else
        bt_finding_put(
            j->job, told->text, BT_HOLDS, BT_NO_ROW, "%u classes, the smallest has %u rows%s",
            classes->count, smallest_class(classes),
            alone ? "; not asked of those who share a value of another sensitive column" : "");
}

/* Sizes are those of classes of data.csv (definition 6 of paper 5). */
static bauta_status judge_join(judging *j, bauta_error *error)
{
    const bt_release *release = j->job->release;
    const bt_run *run = j->job->options->run;
    const bt_people rows = bt_people_plain(release->rows);
    const bt_judged_classes boxes = {release->classes.count, release->classes.size, NULL};
    const bt_judged_classes groups = {release->bags.count, release->bags.values,
                                      release->files[release->sensitive_file].bag_of};
    if (bt_sensitive_apart(release))
        BT_TRY(bt_requirements_judge(&j->requirements, &groups, run, j->shortfalls, error));
    for (size_t i = 0; i < j->requirements.count; i++) {
        bt_requirements one = j->requirements;
        if (is_of_groups(release, &j->requirements.items[i])) continue;
        one.items = &j->requirements.items[i];
        one.count = 1;
        one.people = &rows;
        BT_TRY(bt_requirements_judge(&one, &boxes, run, &j->shortfalls[i], error));
    }
    return BAUTA_OK;
}

static bauta_status judge_classes(judging *j, bauta_error *error)
{
    const bt_release *release = j->job->release;
    const bt_run *run = j->job->options->run;
    uint32_t *class_of = NULL;
    if (release->form->join) return judge_join(j, error);
    if (j->people.profile_of)
        BT_TRY(bt_release_number(release, release->sensitive_file, run, &class_of, error));
    const bt_judged_classes classes = {release->classes.count, release->classes.size, class_of};
    bauta_status status =
        bt_requirements_judge(&j->requirements, &classes, run, j->shortfalls, error);
    free(class_of);
    return status;
}

/* ---- persons ---- */

/* Judged by rows: a class has no more persons than rows, and which values it has does not depend
 * on whose they are. */
static void tell_without_persons(judging *j, size_t item)
{
    const bt_requirement_instance *told = &j->requirements.items[item];
    const bt_requirement *type = told->type;
    bool too_few = type->size_only && j->shortfalls[item].classes > 0;
    if (too_few || type->occurrence_only || j->hidden[item])
        tell(j, item);
    else
        bt_finding_put(j->job, told->text, BT_UNVERIFIABLE, BT_NO_ROW,
                       "it counts persons, and the release does not say whose its rows are: only "
                       "the original can show it%s",
                       j->job->options->original ? ", with --subject" : "");
}

static void tell_persons(judging *j, size_t item, const bt_person_verdict *verdict,
                         int64_t smallest)
{
    const bt_tuples *classes = &j->job->release->classes;
    const char *text = j->requirements.items[item].text;
    char open[100] = "", name[512];
    if (!j->job->release->manifest.persons) {
        snprintf(name, sizeof name, "%s by persons", text);
        text = name;
    }
    if (verdict->open > 0)
        snprintf(open, sizeof open, "; in %u others it is open whose some of the rows are",
                 verdict->open);
    if (verdict->fails.classes > 0)
        bt_finding_put(j->job, text, BT_FAILS,
                       bt_class_place(j->job->release, verdict->fails.first),
                       "%u of %u classes do not satisfy it, counting persons%s",
                       verdict->fails.classes, classes->count, open);
    else if (j->hidden[item])
        tell_hidden(j->job, text, j->hidden[item]);
    else if (verdict->open > 0)
        bt_finding_put(j->job, text, BT_UNVERIFIABLE, BT_NO_ROW,
                       "in %u of %u classes there are rows that may be the records of one person "
                       "or of another",
                       verdict->open, classes->count);
    else if (smallest < 0)
        bt_finding_put(j->job, text, BT_HOLDS, BT_NO_ROW, "%u classes", classes->count);
    else
        bt_finding_put(j->job, text, BT_HOLDS, BT_NO_ROW,
                       "%u classes, the smallest has %lld persons", classes->count,
                       (long long)smallest);
}

/* Whether the rows of each person are in one class, if that was promised. */
static bauta_status tell_torn(judging *j, const uint32_t *class_of, bauta_error *error)
{
    const bt_release *release = j->job->release;
    const bt_row_persons *persons = &j->job->persons;
    int64_t torn, row, known = 0, rows = bt_sensitive_rows(release);
    if (release->manifest.persons != BT_COUNT_TOGETHER) return BAUTA_OK;
    BT_TRY(bt_persons_torn(class_of, rows, persons, &torn, &row, error));
    for (int64_t i = 0; i < rows; i++)
        known += persons->known[i];
    if (torn > 0)
        bt_finding_put(j->job, "rows together", BT_FAILS, bt_class_place(release, class_of[row]),
                       "%lld persons have rows in several classes", (long long)torn);
    else
        bt_finding_put(j->job, "rows together", known == rows ? BT_HOLDS : BT_UNVERIFIABLE,
                       BT_NO_ROW,
                       "%lld of %lld rows are known to be in the class of all rows of their person",
                       (long long)known, (long long)rows);
    return BAUTA_OK;
}

static bauta_status judge_persons(judging *j, bt_arena *arena, bauta_error *error)
{
    const bt_release *release = j->job->release;
    uint32_t *class_of;
    int64_t smallest;
    bt_person_verdict *verdicts = bt_arena_array(arena, j->requirements.count, sizeof *verdicts);
    if (!verdicts) return bt_fail_memory(error);
    BT_TRY(bt_release_number(release, release->sensitive_file, j->job->options->run, &class_of,
                             error));
    const bt_judged_classes classes = {release->classes.count, release->classes.size, class_of};
    bauta_status status =
        bt_persons_judge(&j->requirements, &classes, &j->job->persons, verdicts, &smallest, error);
    for (size_t i = 0; i < j->requirements.count && status == BAUTA_OK; i++)
        tell_persons(j, i, &verdicts[i], smallest);
    if (status == BAUTA_OK) status = tell_torn(j, class_of, error);
    free(class_of);
    return status;
}

static bauta_status judge(judging *j, bt_arena *arena, bauta_error *error)
{
    const bt_release *release = j->job->release;
    const bt_row_persons nobody = {0};
    size_t count = j->requirements.count;
    j->shortfalls = bt_arena_array(arena, count, sizeof *j->shortfalls);
    j->hidden = bt_arena_array(arena, count, sizeof *j->hidden);
    if (!j->shortfalls || !j->hidden) return bt_fail_memory(error);
    drop_hidden(j);
    bauta_status status = BAUTA_OK;
    if (j->requirements.size_only && !j->by_persons)
        j->people = bt_people_plain(bt_sensitive_rows(release));
    else
        status = bt_audit_people(release, j->by_persons ? &j->job->persons : &nobody, arena,
                                 &j->people, error);
    if (status == BAUTA_OK)
        status = bt_requirements_bind(&j->requirements, &j->people, arena, error);
    if (bt_is_stop(status)) return status;
    if (status != BAUTA_OK) {
        /* What cannot be checked must not pass for checked. */
        bt_finding_put(j->job, "promises", BT_FAILS, BT_NO_ROW,
                       "the promises do not fit the published columns");
        return BAUTA_OK;
    }
    if (j->by_persons) return judge_persons(j, arena, error);
    BT_TRY(judge_classes(j, error));
    for (size_t i = 0; i < j->requirements.count; i++)
        if (release->manifest.persons)
            tell_without_persons(j, i);
        else
            tell(j, i);
    if (release->manifest.persons == BT_COUNT_TOGETHER)
        bt_finding_put(j->job, "rows together", BT_UNVERIFIABLE, BT_NO_ROW,
                       "the release does not say whose its rows are");
    return BAUTA_OK;
}

/* What needs a public table is about rows and records of boxes, not about published values. */
static bauta_status judge_all(judging *j, bt_arena *arena, bauta_error *error)
{
    const bt_requirements *promises = &j->job->release->manifest.promises;
    const bt_requirement_instance *item = bt_requirements_public(promises);
    BT_TRY(bt_requirements_of_records(promises, arena, &j->requirements, error));
    BT_TRY(judge(j, arena, error));
    return item ? bt_audit_presence(j->job, item, error) : BAUTA_OK;
}

static bauta_status audit_promises(bt_audit_job *job, bool by_persons, bauta_error *error)
{
    const bt_manifest *manifest = &job->release->manifest;
    bt_arena arena = {0};
    judging j = {.job = job, .by_persons = by_persons};
    bauta_status status = BAUTA_OK;
    if (manifest->unread)
        bt_finding_put(job, manifest->unread, BT_FAILS, BT_NO_ROW,
                       "not a promise that this version knows");
    else if (manifest->promises.count == 0)
        bt_finding_put(job, "promises", BT_FAILS, BT_NO_ROW, "the manifest promises nothing");
    else
        status = judge_all(&j, &arena, error);
    bt_people_release(&j.people);
    bt_arena_release(&arena);
    return status;
}

bauta_status bt_audit_promises(bt_audit_job *job, bauta_error *error)
{
    bool counts = job->release->manifest.persons, known = job->persons.subject_of;
    BT_TRY(audit_promises(job, counts && known, error));
    return !counts && known ? audit_promises(job, true, error) : BAUTA_OK;
}

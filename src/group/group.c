/* SPDX-License-Identifier: Apache-2.0
 *
 * What goes around every grouping method.
 *
 * A method that divides begins with the parts that max-level leaves. A part that does not satisfy
 * can be neither divided nor merged with others so that all its records satisfy; it is dropped if
 * --suppress allows that, and the rest is looked at again as a table of its own, since what a
 * class is compared with (t) is what is published. Persons whose rows are to stay together and
 * are in two parts go the same way.
 */
#include "group/method.h"

#include "group/plan.h"
#include "recipe/hierarchy.h"

typedef struct stage { /* a table that is being grouped, and what is required of it */
    const bt_table *table;
    bt_requirements requirements; /* bound to the people of the table */
    bt_parts parts;
    bool limited; /* there are parts */
    /* when rows were dropped */
    bt_table rest;
    bt_people people;
    uint32_t *rows;   /* of the table of the job; NULL: none were dropped */
    uint64_t *counts; /* how many records each of them stands for; NULL: one */
    bt_arena arena;
} stage;

static void release(stage *s)
{
    bt_parts_release(&s->parts);
    bt_table_release(&s->rest);
    bt_people_release(&s->people);
    free(s->rows);
    free(s->counts);
    bt_arena_release(&s->arena);
}

/* Binds copies of the requirements to other people. */
static bauta_status bind_to(const bt_requirements *asked, const bt_people *people, bt_arena *arena,
                            bt_requirements *out, bauta_error *error)
{
    *out = *asked;
    out->items = bt_arena_array(arena, asked->count, sizeof *out->items);
    if (!out->items) return bt_fail_memory(error);
    memcpy(out->items, asked->items, asked->count * sizeof *out->items);
    return bt_requirements_bind(out, people, arena, error);
}

/* ---- dropping ---------------------------------------------------------------------------- */

typedef struct losses {
    bool *drop;              /* per row of the stage's table */
    int64_t rows;            /* rows that are dropped */
    int64_t records;         /* records that these stand for */
    int64_t torn;            /* rows that are dropped for their persons */
    int64_t outside;         /* rows that are dropped because no class of the plan holds them */
    uint32_t parts, persons; /* parts that do not satisfy; persons who are in two parts */
    const bt_requirement_instance *failed; /* by the first of those parts */
} losses;

/* Persons whose rows are to stay together but cannot. */
static bauta_status drop_torn(const stage *s, losses *out, bauta_error *error)
{
    const bt_table *table = s->table;
    if (!table->subject_of || !s->requirements.people->together) return BAUTA_OK;
    uint32_t *part = bt_array_zero(table->subjects, sizeof *part); /* + 1 */
    bool *torn = bt_array_zero(table->subjects, sizeof *torn);
    bool made = part && torn;
    for (uint32_t p = 0; made && p < s->parts.count; p++)
        for (uint32_t i = s->parts.starts[p]; i < s->parts.starts[p + 1]; i++) {
            uint32_t person = table->subject_of[s->parts.order[i]];
            if (part[person] != 0 && part[person] != p + 1) torn[person] = true;
            part[person] = p + 1;
        }
    for (uint32_t i = 0; made && i < table->subjects; i++)
        out->persons += torn[i];
    for (int64_t row = 0; made && row < table->rows; row++) {
        out->drop[row] = torn[table->subject_of[row]];
        out->torn += out->drop[row];
    }
    free(part);
    free(torn);
    return made ? BAUTA_OK : bt_fail_memory(error);
}

/* Records that no class of the plan holds. */
static void drop_outside(const stage *s, losses *out)
{
    int64_t rows = s->table->rows;
    out->outside = rows - s->parts.starts[s->parts.count];
    if (out->outside == 0) return;
    for (int64_t row = 0; row < rows; row++)
        out->drop[row] = true;
    for (uint32_t i = 0; i < s->parts.starts[s->parts.count]; i++)
        out->drop[s->parts.order[i]] = false;
}

/* Judges what is left of a part; `tally` is NULL when only sizes matter. */
static bauta_status judge_part(const stage *s, uint32_t number, bt_tally *tally, losses *out,
                               bauta_error *error)
{
    const uint32_t *rows = s->parts.order + s->parts.starts[number];
    uint32_t count = s->parts.starts[number + 1] - s->parts.starts[number];
    uint64_t left = 0;
    const bt_requirement_instance *failed = NULL;
    if (tally) bt_tally_clear(tally);
    for (uint32_t i = 0; i < count; i++) {
        if (out->drop[rows[i]]) continue;
        left += bt_people_records(s->requirements.people, rows[i]);
        if (tally) BT_TRY(bt_tally_add_row(tally, rows[i], error));
    }
    if (left == 0) return BAUTA_OK;
    bool holds = tally ? bt_requirements_check(&s->requirements, tally, &failed)
                       : (int64_t)left >= bt_requirements_least_size(&s->requirements);
    if (holds) return BAUTA_OK;
    if (out->parts++ == 0) out->failed = failed ? failed : &s->requirements.items[0];
    for (uint32_t i = 0; i < count; i++)
        out->drop[rows[i]] = true;
    return BAUTA_OK;
}

static bauta_status find_losses(const stage *s, bool judged, losses *out, bauta_error *error)
{
    bt_tally *tally = NULL;
    *out = (losses){.drop = bt_array_zero((size_t)s->table->rows, sizeof *out->drop)};
    if (!out->drop) return bt_fail_memory(error);
    drop_outside(s, out);
    BT_TRY(drop_torn(s, out, error));
    if (s->requirements.people->profile_of)
        BT_TRY(bt_tally_new(s->requirements.people, &tally, error));
    bauta_status status = BAUTA_OK;
    for (uint32_t p = 0; judged && p < s->parts.count && status == BAUTA_OK; p++)
        status = judge_part(s, p, tally, out, error);
    for (int64_t row = 0; row < s->table->rows; row++) {
        if (!out->drop[row]) continue;
        out->rows++;
        out->records += (int64_t)bt_people_records(s->requirements.people, (uint32_t)row);
    }
    bt_tally_free(tally);
    return status;
}

static bauta_status refuse_plan(const losses *l, int64_t dropped, int64_t allowed,
                                bauta_error *error)
{
    int64_t failing = l->rows - l->outside;
    bauta_status status =
        !l->failed || l->outside >= failing
            ? bt_fail(error, BAUTA_NO, "%lld record%s outside every class of the plan",
                      (long long)l->outside, l->outside == 1 ? " is" : "s are")
            : bt_fail(error, BAUTA_NO,
                      "%u class%s of the plan, of %lld records, %s not satisfy '%s'", l->parts,
                      l->parts == 1 ? "" : "es", (long long)failing, l->parts == 1 ? "does" : "do",
                      l->failed->text);
    bt_error_hint(error,
                  "%lld records would have to be dropped, and %lld may be: make a new plan with "
                  "--save-plan, or allow more with --suppress",
                  (long long)dropped, (long long)allowed);
    return status;
}

/* Names the cause of more of the losses. */
static bauta_status refuse(const bt_method *method, const losses *l, int64_t dropped,
                           int64_t allowed, bauta_error *error)
{
    if (method->planned) return refuse_plan(l, dropped, allowed, error);
    const char *key = method->fixed ? "levels" : "max-level";
    bauta_status status =
        l->failed && l->torn < l->rows - l->torn
            ? bt_fail(error, BAUTA_NO,
                      "'%s' keeps %u group%s of records apart that do%s not satisfy '%s'", key,
                      l->parts, l->parts == 1 ? "" : "s", l->parts == 1 ? "es" : "",
                      l->failed->text)
            : bt_fail(error, BAUTA_NO,
                      "'%s' keeps the rows of %u person%s apart, which are to stay together", key,
                      l->persons, l->persons == 1 ? "" : "s");
    bt_error_hint(error,
                  "that is %lld records, and %lld may be dropped: raise '%s', or allow more "
                  "with --suppress",
                  (long long)dropped, (long long)allowed, key);
    return status;
}

/* Goes on with the rows that are left, as a table of its own. */
static bauta_status drop_rows(const bt_method_job *job, stage *s, const losses *l,
                              bauta_error *error)
{
    int64_t left = s->table->rows - l->rows, next = 0;
    uint32_t *picked = bt_array((size_t)left, sizeof *picked);
    if (!picked) return bt_fail_memory(error);
    for (int64_t row = 0; row < s->table->rows; row++)
        if (!l->drop[row]) picked[next++] = (uint32_t)row;
    bt_table rest;
    bauta_status status = bt_table_pick(s->table, picked, left, &rest, error);
    for (int64_t i = 0; s->rows && i < left; i++)
        picked[i] = s->rows[picked[i]];
    free(s->rows);
    s->rows = picked;
    bt_table_release(&s->rest);
    s->rest = rest;
    s->table = &s->rest;
    if (status != BAUTA_OK) return status;
    const bt_people *people = job->requirements->people;
    bool together = people->together;
    bt_people_release(&s->people);
    if (people->counts) {
        free(s->counts);
        s->counts = bt_array((size_t)left, sizeof *s->counts);
        if (!s->counts) return bt_fail_memory(error);
        for (int64_t i = 0; i < left; i++)
            s->counts[i] = people->counts[s->rows[i]];
        BT_TRY(bt_people_of_tuples(&s->rest, s->counts, job->requirements->size_only, &s->people,
                                   error));
    } else {
        BT_TRY(job->requirements->size_only ? bt_people_counted(&s->rest, &s->people, error)
                                            : bt_people_of_table(&s->rest, &s->people, error));
    }
    s->people.together = together;
    return bind_to(job->requirements, &s->people, &s->arena, &s->requirements, error);
}

/* Finds the parts to begin with and drops those that do not satisfy, until all do. */
static bauta_status limit(const bt_method *method, const bt_method_job *job, stage *s,
                          bauta_error *error)
{
    int64_t allowed = bt_rational_floor_times(job->suppress, job->records), dropped = 0;
    for (bool settled = false; !settled;) {
        losses l;
        bt_parts_release(&s->parts);
        BT_TRY(job->plan ? bt_plan_parts(job->plan, s->table, job->run, &s->parts, error)
                         : bt_parts_make(s->table, job->run, &s->parts, error));
        bauta_status status = find_losses(s, method->divides, &l, error);
        dropped += l.records;
        settled = l.rows == 0;
        if (status == BAUTA_OK && !settled && (dropped > allowed || l.rows == s->table->rows))
            status = refuse(method, &l, dropped, allowed, error);
        if (status == BAUTA_OK && !settled) status = drop_rows(job, s, &l, error);
        free(l.drop);
        if (status != BAUTA_OK) return status;
    }
    return BAUTA_OK;
}

/* ---- grouping ---------------------------------------------------------------------------- */

/* The parts of persons: those of their rows, which are all in the same one. */
static bauta_status parts_of_persons(const stage *s, const bt_persons *persons, bt_parts *out,
                                     bauta_error *error)
{
    uint32_t count = 0;
    *out = (bt_parts){.count = s->parts.count};
    bool *listed = bt_array_zero((size_t)persons->table.rows, sizeof *listed);
    out->order = bt_array((size_t)persons->table.rows, sizeof *out->order);
    out->starts = bt_array_zero((size_t)out->count + 1, sizeof *out->starts);
    bool made = listed && out->order && out->starts;
    for (uint32_t p = 0; made && p < out->count; p++) {
        for (uint32_t i = s->parts.starts[p]; i < s->parts.starts[p + 1]; i++) {
            uint32_t person = s->table->subject_of[s->parts.order[i]];
            /* Persons are numbered by their first rows, so this is their order too. */
            if (!listed[person]) out->order[count++] = person;
            listed[person] = true;
        }
        out->starts[p + 1] = count;
    }
    free(listed);
    return made ? BAUTA_OK : bt_fail_memory(error);
}

static bauta_status group_persons(const bt_method *method, const bt_method_job *job, stage *s,
                                  bt_grouping *out, bauta_error *error)
{
    bt_persons persons;
    bt_parts parts = {0};
    bt_requirements requirements;
    bauta_status status =
        bt_persons_make(s->table, s->requirements.people, method->divides, &persons, error);
    if (status == BAUTA_OK)
        status = bind_to(&s->requirements, &persons.people, &s->arena, &requirements, error);
    if (status == BAUTA_OK && job->parts) status = parts_of_persons(s, &persons, &parts, error);
    if (status == BAUTA_OK) {
        bt_method_job asked = *job;
        asked.table = &persons.table;
        asked.requirements = &requirements;
        asked.records = persons.table.rows;
        if (job->parts) asked.parts = &parts;
        status = bt_method_run(method, &asked, out, error);
    }
    if (status == BAUTA_OK) status = bt_persons_expand(&persons, s->table, job->run, out, error);
    bt_parts_release(&parts);
    bt_persons_release(&persons);
    return status;
}

/* Classes that satisfy may not do so together where persons have rows in several; and cells that
 * a method chose are not chosen again. */
static bauta_status refuse_union(bauta_error *error)
{
    bauta_status status =
        bt_fail(error, BAUTA_INVALID,
                "classes that share persons would be published alike, and may not "
                "satisfy as one");
    bt_error_hint(error, "keep the rows of a person together: --subject-rows together");
    return status;
}

static bool any_wide_set(const bt_grouping *grouping, const bt_column *const *quasi)
{
    for (size_t c = 0; c < grouping->columns; c++)
        for (uint32_t i = 0; i < grouping->classes; i++)
            if (bt_set_is_wide(grouping, quasi[c], c, i)) return true;
    return false;
}

/* Boxes reach to cut points of their columns and, at random, beyond; with minimal=no nodes are
 * raised, and sets of too many texts are "*"; those that then are alike are one class. */
static bauta_status shape_cells(const bt_method *method, const bt_method_job *job,
                                bt_grouping *grouping, bauta_error *error)
{
    const bt_column **quasi;
    size_t count;
    uint32_t classes = grouping->classes;
    BT_TRY(bt_table_select(job->table, BT_ROLE_QUASI, &quasi, &count, error));
    bauta_status status = BAUTA_OK;
    bool raise = method->minimal && job->options[method->minimal - 1].integer == BT_MINIMAL_NO;
    bool grid = bt_grouping_widen(grouping, quasi);
    bool changed = grid || raise || (!job->values_shown && any_wide_set(grouping, quasi));
    if (grid && method->divides && !method->fixed) bt_cells_spread(job->run, quasi, grouping);
    if (raise) status = bt_cells_raise(job->run, quasi, grouping, error);
    if (status == BAUTA_OK && changed) status = bt_grouping_unite(grouping, quasi, job->run, error);
    if (status == BAUTA_OK && grouping->classes < classes && grouping->nodes &&
        !job->requirements->monotone_merging)
        status = refuse_union(error);
    free(quasi);
    return status;
}

/* The highest level that the cells of a column have. */
static uint32_t level_of_cells(const bt_grouping *grouping, const bt_column *column, size_t place)
{
    uint32_t highest = 0;
    for (uint32_t i = 0; i < grouping->classes; i++) {
        bt_box box = bt_class_box(grouping, i)[place];
        uint32_t level =
            column->hierarchy
                ? column->hierarchy->nodes[bt_published_node(grouping, column, place, i)].level
                : box.lo != box.hi;
        if (level > highest) highest = level;
    }
    return highest;
}

/* A method that chose levels for persons told those; cells rise above them to cover all rows of a
 * person, and nothing is proven of these. */
static bauta_status tell_cells(const bt_method_job *job, const bt_grouping *grouping,
                               bauta_error *error)
{
    bt_method_notes *notes = job->notes;
    json_t *levels = notes ? json_object_get(notes->at, "levels") : NULL;
    json_t *lattice = notes ? json_object_get(notes->at, "lattice") : NULL;
    const bt_column **quasi;
    size_t count;
    if (!lattice) return BAUTA_OK;
    BT_TRY(bt_table_select(job->table, BT_ROLE_QUASI, &quasi, &count, error));
    for (size_t c = 0; levels && c < count; c++)
        bt_put_int(notes->facts, levels, quasi[c]->name, level_of_cells(grouping, quasi[c], c));
    free(quasi);
    bt_put_null(notes->facts, lattice, "minimal");
    bt_put_bool(notes->facts, lattice, "proven", false);
    bt_put_bool(notes->facts, lattice, "persons", true);
    bt_buffer_release(&notes->lattice);
    return BAUTA_OK;
}

static bauta_status group_stage(const bt_method *method, const bt_method_job *job, stage *s,
                                bt_grouping *out, bauta_error *error)
{
    bt_method_job asked = *job;
    const bt_people *people = s->requirements.people;
    asked.table = s->table;
    asked.requirements = &s->requirements;
    asked.parts = s->limited && method->divides ? &s->parts : NULL;
    if (people->subject_of && people->together) {
        BT_TRY(group_persons(method, &asked, s, out, error));
        BT_TRY(shape_cells(method, &asked, out, error));
        return tell_cells(&asked, out, error);
    }
    BT_TRY(bt_method_run(method, &asked, out, error));
    if (job->plan) return BAUTA_OK; /* its cells are what they are */
    BT_TRY(shape_cells(method, &asked, out, error));
    if (s->requirements.monotone_merging || out->nodes || method->as_given) return BAUTA_OK;
    uint32_t classes;
    do { /* what is merged may be alike, and what is alike may not satisfy together */
        classes = out->classes;
        BT_TRY(bt_classes_repair(&asked, out, error));
        if (out->classes < classes) BT_TRY(shape_cells(method, &asked, out, error));
    } while (out->classes < classes);
    return BAUTA_OK;
}

/* Persons are dropped as records; what is allowed is said in rows. */
static bauta_status check_job(const bt_method *method, const bt_method_job *job, bauta_error *error)
{
    const bt_people *people = job->requirements->people;
    if (method->divides || !people->together || job->suppress.top == 0) return BAUTA_OK;
    return bt_fail(error, BAUTA_INVALID,
                   "method '%s' cannot both suppress and keep the rows of persons together",
                   method->name);
}

bauta_status bt_group(const bt_method *method, const bt_method_job *job, bt_grouping *out,
                      bauta_error *error)
{
    stage s = {.table = job->table,
               .requirements = *job->requirements,
               .limited = job->plan || bt_parts_needed(job->table)};
    *out = (bt_grouping){0};
    BT_TRY(check_job(method, job, error));
    bauta_status status = s.limited ? limit(method, job, &s, error) : BAUTA_OK;
    if (status == BAUTA_OK) status = group_stage(method, job, &s, out, error);
    if (status == BAUTA_OK && s.rows) {
        for (int64_t i = 0; i < out->kept; i++)
            out->order[i] = s.rows[out->order[i]];
        out->rows = job->table->rows;
    }
    release(&s);
    return status;
}

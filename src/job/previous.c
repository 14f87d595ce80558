/* SPDX-License-Identifier: Apache-2.0
 *
 * The intersection of a new release with earlier ones (Ganta, Kasiviswanathan and Smith 2008),
 * before anything is published. The header says what is checked.
 *
 * Records of a class that are alike are judged once: those for whom the same classes of every
 * earlier release come into question, and who have the same sensitive values.
 *
 * Cost: the input is read once more for each earlier release; then linear in rows, plus, for all
 * records that are alike, the values of the classes that may be theirs there and, where witnesses
 * hold that did not hold for the ones before, the different values of their class.
 */
#include "job/previous.h"

#include "job/previous_alike.h"
#include "job/previous_change.h"
#include "job/previous_join.h"

#include <string.h>

enum { MOST_RELEASES = 64 /* bits of a mask */, MOST_WITNESSES = 512 };

typedef struct verdict { /* on records of which the same witnesses hold; releases as bits */
    uint64_t here;       /* bit per release: the records may be in it */
    uint64_t narrows;    /* bit per release: it narrows the class */
    const bt_requirement_instance *failed;
} verdict;

typedef struct job {
    const bauta_recipe *recipe;
    bt_beside of;
    const bt_form_beliefs *beliefs; /* NULL: the promise is about classes */
    const void *plan;               /* plan by which `beliefs` are asked */
    uint32_t values;                /* how many values `beliefs` has */
    bool *possible;                 /* per value of `beliefs`: the record at hand may have it */
    bt_kept kept;                   /* records that are published, and what is required of them */
    bt_arena arena;
    bt_tuples cases;   /* records that are alike: see above; by class. Rows are places in `order` */
    uint32_t *case_of; /* per place; with a public table */
    bt_tuples parts;   /* records of a class with the same sensitive values; by class */
    uint32_t *parts_end; /* per class: the first of the next one */
    bt_tally *tally;     /* NULL: only sizes matter */
    uint64_t *masks;     /* with a public table: per record, the releases that it may be in */
    bool *holds, *held;  /* per witness: now, and when the class was judged last */
    uint32_t judged;     /* the class judged last; BT_NOT_KNOWN: the sets of classes were others */
    uint64_t question;   /* the number of the last judgement */
    verdict last;
    int64_t broken, both;                  /* records */
    const bt_requirement_instance *failed; /* the requirement that the first broken record fails */
    int64_t first; /* the first broken record: its row of the input, from 1 */
} job;

/* ---- opening ----------------------------------------------------------------------------- */

static bauta_status check_number(const job *j, size_t releases, bauta_error *error)
{
    if (releases <= MOST_RELEASES && j->of.witnesses <= MOST_WITNESSES) return BAUTA_OK;
    bauta_status status =
        bt_fail(error, BAUTA_INVALID,
                "there are more earlier releases than can be compared: %d of them, or %d columns",
                MOST_RELEASES, MOST_WITNESSES);
    bt_error_hint(error, "leave out those of which nobody is in the new table");
    return status;
}

static bauta_status open_one(job *j, const char *folder, bool promises, bauta_error *error)
{
    bt_earlier *one = &j->of.list[j->of.count++];
    BT_TRY(bt_earlier_open(folder, j->recipe, j->of.loaded, j->of.run, one, error));
    one->first_witness = j->of.witnesses;
    j->of.witnesses += one->witness_count;
    return promises ? bt_earlier_bind(one, j->of.run, error) : BAUTA_OK;
}

static bauta_status open_all(job *j, bool promises, bauta_error *error)
{
    const bt_list *folders = &j->recipe->previous;
    for (size_t i = 0; i < j->recipe->inputs.count; i++)
        if (strcmp(j->recipe->inputs.items[i], "-") == 0)
            return bt_fail(error, BAUTA_INVALID,
                           "earlier releases need an input that can be read again, not a pipe");
    BT_TRY(check_number(j, folders->count, error));
    j->of.list = bt_arena_array(&j->arena, folders->count, sizeof *j->of.list);
    if (!j->of.list) return bt_fail_memory(error);
    memset(j->of.list, 0, folders->count * sizeof *j->of.list);
    for (size_t i = 0; i < folders->count; i++) {
        BT_TRY(open_one(j, folders->items[i], promises, error));
        const char *id = j->of.list[i].release.manifest.release;
        for (size_t p = 0; p < i; p++)
            if (strcmp(j->of.list[p].release.manifest.release, id) == 0)
                BT_TRY(
                    bt_check_same_earlier(folders->items[p], folders->items[i], j->of.run, error));
    }
    BT_TRY(check_number(j, folders->count, error));
    j->holds = bt_arena_array(&j->arena, j->of.witnesses, sizeof *j->holds);
    j->held = bt_arena_array(&j->arena, j->of.witnesses, sizeof *j->held);
    return j->holds && j->held ? BAUTA_OK : bt_fail_memory(error);
}

/* What the new form believes of people, in the codes of the earlier releases. */
static bauta_status match_all(job *j, bauta_error *error)
{
    while (j->beliefs && j->beliefs->value(j->plan, j->values))
        j->values++;
    const char **texts = bt_arena_array(&j->arena, j->values, sizeof *texts);
    j->possible = bt_arena_array(&j->arena, j->values, sizeof *j->possible);
    if (!texts || !j->possible) return bt_fail_memory(error);
    for (uint32_t v = 0; v < j->values; v++)
        texts[v] = j->beliefs->value(j->plan, v);
    for (size_t p = 0; p < j->of.count && j->beliefs; p++)
        if (j->of.list[p].secret_count > 0)
            BT_TRY(bt_earlier_match(&j->of.list[p], texts, j->values, error));
    return BAUTA_OK;
}

/* ---- judging ----------------------------------------------------------------------------- */

/* Which witnesses hold for the record at a place, and the releases that it may be in. */
static uint64_t find_witnesses(job *j, uint32_t place)
{
    int64_t row = bt_beside_row(&j->of, place);
    uint64_t here = 0;
    for (size_t p = 0; p < j->of.count; p++) {
        bt_earlier *one = &j->of.list[p];
        if (one->view.redrawn) continue;
        uint32_t before = one->marked;
        if (bt_earlier_may_hold(one, row, j->holds + one->first_witness)) here |= (uint64_t)1 << p;
        if (one->marked != before) j->judged = BT_NOT_KNOWN;
    }
    return here;
}

/* The releases that exclude a record by a witness that holds for the one at hand, as bits. */
static uint64_t excluded_by(const job *j, int64_t row)
{
    uint64_t without = 0;
    for (size_t p = 0; p < j->of.count; p++) {
        const bt_earlier *one = &j->of.list[p];
        for (size_t w = 0; w < one->witness_count; w++) {
            const bt_witness *witness = &one->witnesses[w];
            if (j->holds[one->first_witness + w] &&
                !bt_witness_allows(one, witness, witness->own[row]))
                without |= (uint64_t)1 << p;
        }
    }
    return without;
}

/* A record that is left: its values are left of the earlier releases, too. */
static void allow_row(job *j, int64_t row)
{
    for (size_t p = 0; p < j->of.count; p++)
        for (size_t w = 0; w < j->of.list[p].witness_count; w++) {
            const bt_witness *witness = &j->of.list[p].witnesses[w];
            if (witness->own[row] != BT_NOT_KNOWN) witness->now[witness->own[row]] = j->question;
        }
}

/* What is left of a class. */
static bauta_status judge_class(job *j, uint32_t class_number, bauta_error *error)
{
    const bt_requirements *requirements = &j->kept.requirements;
    bool by_row = j->tally && bt_people_by_row(requirements->people);
    int64_t left = 0;
    if (j->tally) bt_tally_clear(j->tally);
    for (uint32_t i = class_number > 0 ? j->parts_end[class_number - 1] : 0;
         i < j->parts_end[class_number]; i++) {
        uint32_t place = j->parts.row[i], record = j->kept.order[place];
        int64_t row = bt_beside_row(&j->of, place);
        uint64_t without = excluded_by(j, row);
        j->last.narrows |= without;
        if (without) continue;
        left += j->parts.size[i];
        allow_row(j, row);
        if (by_row)
            BT_TRY(bt_tally_add_row(j->tally, record, error));
        else if (j->tally)
            bt_tally_add(j->tally, requirements->people->profile_of[record], j->parts.size[i]);
    }
    if (!j->last.narrows) return BAUTA_OK;
    if (j->tally)
        (void)bt_requirements_check(requirements, j->tally, &j->last.failed);
    else if (left < bt_requirements_least_size(requirements))
        j->last.failed = &requirements->items[0];
    return BAUTA_OK;
}

/* The releases that exclude a value of the new form, as bits; those that do not may have it. */
static uint64_t value_excluded_by(const job *j, uint32_t value)
{
    uint64_t without = 0;
    for (size_t p = 0; p < j->of.count; p++) {
        const bt_earlier *one = &j->of.list[p];
        if (one->witness_count > 0 && j->holds[one->first_witness] &&
            !bt_witness_allows(one, &one->witnesses[0], one->code_of[value]))
            without |= (uint64_t)1 << p;
    }
    return without;
}

static void allow_value(job *j, uint32_t value)
{
    for (size_t p = 0; p < j->of.count; p++) {
        const bt_earlier *one = &j->of.list[p];
        if (one->witness_count > 0 && one->code_of[value] != BT_NOT_KNOWN)
            one->witnesses[0].now[one->code_of[value]] = j->question;
    }
}

/* What is left of what is believed of someone. */
static bauta_status judge_belief(job *j, uint32_t class_number, bauta_error *error)
{
    for (uint32_t v = 0; v < j->values; v++) {
        uint64_t without = value_excluded_by(j, v);
        j->possible[v] = without == 0;
        if (!j->beliefs->believes(j->plan, class_number, v)) continue;
        j->last.narrows |= without;
        if (!without) allow_value(j, v);
    }
    if (!j->last.narrows) return BAUTA_OK;
    return j->beliefs->narrow(j->plan, class_number, j->possible, &j->last.failed, error);
}

/* The class of the records at hand, unless the same was asked of it before. */
static bauta_status judge_again(job *j, uint32_t class_number, uint64_t here, bauta_error *error)
{
    if (j->judged == class_number && memcmp(j->holds, j->held, j->of.witnesses) == 0)
        return BAUTA_OK;
    j->judged = class_number;
    memcpy(j->held, j->holds, j->of.witnesses * sizeof *j->held);
    j->question++;
    j->last = (verdict){.here = here};
    return j->beliefs ? judge_belief(j, class_number, error) : judge_class(j, class_number, error);
}

/* What is left of what the earlier releases promised to the records at hand. */
static bauta_status judge_pledges(job *j, uint32_t place, uint32_t records, bauta_error *error)
{
    for (size_t p = 0; p < j->of.count; p++) {
        bt_earlier *one = &j->of.list[p];
        if (!(j->last.here >> p & 1) || one->witness_count == 0) continue;
        bt_pledge_case person = {.number = j->question,
                                 .holds = j->holds + one->first_witness,
                                 .row = bt_beside_row(&j->of, place)};
        BT_TRY(bt_earlier_judge(one, &person, error));
        if (person.narrowed) one->thinned += records;
        if (person.failed) one->betrayed += records;
        if (!person.failed || one->failed) continue;
        one->failed = person.failed;
        one->first = person.row + 1;
    }
    return BAUTA_OK;
}

static void count_records(job *j, uint32_t place, uint32_t records)
{
    const verdict *v = &j->last;
    for (size_t p = 0; p < j->of.count; p++) {
        if (v->here >> p & 1) j->of.list[p].both += records;
        if (v->narrows >> p & 1) j->of.list[p].narrowed += records;
    }
    j->both += records;
    if (v->failed) j->broken += records;
    if (!v->failed || j->failed) return;
    j->failed = v->failed;
    j->first = bt_beside_row(&j->of, place) + 1;
}

static bauta_status judge_case(job *j, uint32_t number, uint32_t class_number, uint64_t *masks,
                               bauta_error *error)
{
    uint32_t place = j->cases.row[number], records = j->cases.size[number];
    uint64_t here = find_witnesses(j, place);
    if (masks) masks[number] = here;
    if (here == 0) return BAUTA_OK;
    BT_TRY(judge_again(j, class_number, here, error));
    count_records(j, place, records);
    return judge_pledges(j, place, records, error);
}

static bauta_status judge_cases(job *j, uint64_t *masks, bauta_error *error)
{
    uint32_t class_number = 0;
    for (uint32_t i = 0; i < j->cases.count; i++) {
        while (j->of.grouping->starts[class_number + 1] <= j->cases.row[i])
            class_number++;
        BT_TRY(judge_case(j, i, class_number, masks, error));
        BT_TRY(
            bt_run_progress(j->of.run, 0, "checking earlier releases", i, j->cases.count, error));
    }
    for (int64_t i = 0; masks && i < j->of.grouping->kept; i++)
        j->masks[j->of.grouping->order[i]] = masks[j->case_of[i]];
    return BAUTA_OK;
}

static bauta_status find_parts(job *j, bauta_error *error)
{
    const bt_grouping *grouping = j->of.grouping;
    uint32_t part = 0;
    j->parts_end = bt_arena_array(&j->arena, grouping->classes, sizeof *j->parts_end);
    if (!j->parts_end) return bt_fail_memory(error);
    BT_TRY(bt_alike_within(&j->of, j->tally != NULL, &j->parts, error));
    for (uint32_t c = 0; c < grouping->classes; c++) {
        while (part < j->parts.count && j->parts.row[part] < grouping->starts[c + 1])
            part++;
        j->parts_end[c] = part;
    }
    return BAUTA_OK;
}

static bauta_status judge_all(job *j, bauta_error *error)
{
    if (!j->beliefs && j->kept.requirements.people->profile_of)
        BT_TRY(bt_tally_new(j->kept.requirements.people, &j->tally, error));
    j->judged = BT_NOT_KNOWN;
    BT_TRY(bt_alike_beside(&j->of, &j->cases, j->masks ? &j->case_of : NULL, error));
    if (!j->beliefs) BT_TRY(find_parts(j, error));
    uint64_t *masks = NULL;
    if (j->masks && !(masks = bt_array(j->cases.count, sizeof *masks)))
        return bt_fail_memory(error);
    bauta_status status = judge_cases(j, masks, error);
    free(masks);
    return status;
}

/* With a public table: what is left of the people of classes. */
static bauta_status judge_people(job *j, bauta_error *error)
{
    const bt_join *join = j->of.loaded->join;
    int64_t least = bt_requirements_least_size(&j->kept.requirements), exposed = 0;
    uint64_t *boxes_of = bt_array_zero((size_t)join->table.rows, sizeof *boxes_of);
    bauta_status status = boxes_of ? BAUTA_OK : bt_fail_memory(error);
    for (size_t p = 0; p < j->of.count && status == BAUTA_OK; p++)
        if (j->of.list[p].both > 0)
            status = bt_previous_mark(j->recipe, j->of.loaded, &j->of.list[p].release, j->of.run,
                                      (uint64_t)1 << p, boxes_of, error);
    if (status == BAUTA_OK) exposed = bt_previous_exposed(join, boxes_of, j->masks, least);
    free(boxes_of);
    if (status != BAUTA_OK || exposed == 0) return status;
    status = bt_fail(error, BAUTA_NO,
                     "beside %zu earlier release%s, %lld of %lld records that may be in both would "
                     "not be protected: fewer than %lld people of their class may be in both, too",
                     j->of.count, j->of.count == 1 ? "" : "s", (long long)exposed,
                     (long long)j->both, (long long)least);
    bt_error_hint(error, "generalize more, or do not publish again");
    return status;
}

/* ------------------------------------------------------------------------------------------ */

static void tell(const job *j, bt_facts *facts, json_t *at)
{
    json_t *list = bt_put_array(facts, at, "previous");
    for (size_t p = 0; p < j->of.count; p++) {
        json_t *to = bt_put_object(facts, list, NULL);
        bt_put_text(facts, to, "folder", j->of.list[p].folder);
        bt_put_text(facts, to, "release", j->of.list[p].release.manifest.release);
        bt_put_int(facts, to, "records_in_both", j->of.list[p].both);
        bt_put_int(facts, to, "narrowed", j->of.list[p].narrowed);
        bt_put_int(facts, to, "narrowed_there", j->of.list[p].thinned);
    }
}

static bauta_status refuse(const job *j, bauta_error *error)
{
    bauta_status status = bt_fail(
        error, BAUTA_NO,
        "beside %zu earlier release%s, %lld of %lld records that may be in both would not "
        "be protected: what is left of their %s does not satisfy '%s'; one of them is row %lld",
        j->of.count, j->of.count == 1 ? "" : "s", (long long)j->broken, (long long)j->both,
        j->beliefs ? "target" : "class", j->failed->text, (long long)j->first);
    bt_error_hint(error,
                  j->beliefs
                      ? "require less, or do not publish again"
                      : "fix the recoding (--levels), generalize more, or do not publish again");
    return status;
}

static bauta_status refuse_betrayal(const job *j, bauta_error *error)
{
    for (size_t p = 0; p < j->of.count; p++) {
        const bt_earlier *one = &j->of.list[p];
        if (one->betrayed == 0) continue;
        bauta_status status = bt_fail(
            error, BAUTA_NO,
            "beside this one, %lld of %lld records that may be in the earlier release '%s' too "
            "would not be protected as that promised: what is left of their %s there does not "
            "satisfy '%s'; one of them is row %lld",
            (long long)one->betrayed, (long long)one->both, one->folder,
            one->release.form->parts ? "target" : "class", one->failed->text,
            (long long)one->first);
        bt_error_hint(error, "require at least what was promised then, fix the recoding "
                             "(--levels), generalize more, or do not publish again");
        return status;
    }
    return BAUTA_OK;
}

/* Whoever may be in one of both tables is likelier to be in the other, by nobody knows how much. */
static bool promises_presence(const job *j, bool promised)
{
    for (size_t p = 0; p < j->of.count; p++)
        if (j->of.list[p].both > 0 &&
            (promised || bt_requirements_public(&j->of.list[p].release.manifest.promises)))
            return true;
    return false;
}

static bauta_status refuse_presence(const job *j, bauta_error *error)
{
    bauta_status status =
        bt_fail(error, BAUTA_NO,
                "%lld of %lld records may be in an earlier release too: both together tell more of "
                "who is in a table than 'presence' allows",
                (long long)j->both, (long long)j->of.loaded->table.rows);
    bt_error_hint(error, "publish only people who were in none, or promise nothing of presence");
    return status;
}

/* Beside randomized rows nothing more may be said of the people they are of. */
static bauta_status refuse_again(const job *j, const bt_earlier *one, bauta_error *error)
{
    bauta_status status = bt_fail(
        error, BAUTA_NO,
        "%lld of %lld records may be in the earlier release '%s' too: a randomized table of people "
        "and anything else about them undo each other",
        (long long)one->both, (long long)j->of.loaded->table.rows, one->folder);
    bt_error_hint(error, "publish a randomized table once and nothing else of the same people, or "
                         "leave out who was in it");
    return status;
}

/* Counts the records of the new table that may be in an earlier release. */
static bauta_status count_both(job *j, bt_earlier *one, bauta_error *error)
{
    const bt_loaded *loaded = j->of.loaded;
    if (one->view.redrawn) return bt_earlier_count_redrawn(one, loaded, j->of.run, error);
    for (int64_t i = 0; i < loaded->table.rows; i++) {
        one->both += bt_earlier_may_hold(one, loaded->row_map ? loaded->row_map[i] : i, NULL);
        BT_TRY(bt_run_progress(j->of.run, 0, "checking earlier releases", i, loaded->table.rows,
                               error));
    }
    return BAUTA_OK;
}

/* Refuses records that may be in a randomized release, or with `all` in any. */
static bauta_status check_apart(job *j, bool all, bauta_error *error)
{
    for (size_t p = 0; p < j->of.count; p++) {
        bt_earlier *one = &j->of.list[p];
        if (!all && !one->view.redrawn) continue;
        BT_TRY(count_both(j, one, error));
        if (one->both > 0) return refuse_again(j, one, error);
    }
    return BAUTA_OK;
}

static void end(job *j)
{
    for (size_t i = 0; i < j->of.count; i++)
        bt_earlier_close(&j->of.list[i]);
    bt_tally_free(j->tally);
    bt_tuples_release(&j->cases);
    bt_tuples_release(&j->parts);
    free(j->case_of);
    free(j->masks);
    bt_kept_release(&j->kept);
    bt_arena_release(&j->arena);
}

bauta_status bt_check_apart(const bauta_recipe *recipe, const bt_loaded *loaded, const bt_run *run,
                            bt_facts *facts, json_t *at, bauta_error *error)
{
    if (recipe->previous.count == 0) return BAUTA_OK;
    job j = {.recipe = recipe, .of = {.loaded = loaded, .run = run}};
    bauta_status status = open_all(&j, false, error);
    if (status == BAUTA_OK) status = check_apart(&j, true, error);
    if (status == BAUTA_OK) tell(&j, facts, at);
    end(&j);
    return status;
}

bauta_status bt_check_previous(const bt_previous_request *request, bt_facts *facts, json_t *at,
                               bauta_error *error)
{
    if (request->recipe->previous.count == 0) return BAUTA_OK;
    job j = {.recipe = request->recipe,
             .of = {.loaded = request->loaded, .grouping = request->grouping, .run = request->run},
             .beliefs = request->beliefs,
             .plan = request->plan};
    j.of.kept = &j.kept;
    bauta_status status = bt_kept_bind(&request->loaded->table, request->grouping,
                                       request->requirements, &j.kept, error);
    if (status == BAUTA_OK && request->loaded->join) {
        j.masks = bt_array_zero((size_t)request->loaded->table.rows, sizeof *j.masks);
        if (!j.masks) status = bt_fail_memory(error);
    }
    if (status == BAUTA_OK) status = open_all(&j, true, error);
    if (status == BAUTA_OK) status = match_all(&j, error);
    if (status == BAUTA_OK) status = check_apart(&j, false, error);
    if (status == BAUTA_OK) status = judge_all(&j, error);
    if (status == BAUTA_OK) tell(&j, facts, at);
    if (status == BAUTA_OK && j.broken > 0) status = refuse(&j, error);
    if (status == BAUTA_OK && promises_presence(&j, request->presence))
        status = refuse_presence(&j, error);
    if (status == BAUTA_OK) status = refuse_betrayal(&j, error);
    for (size_t p = 0; p < j.of.count && !j.beliefs && status == BAUTA_OK; p++)
        status = bt_check_changes(&j.of, &j.of.list[p], j.tally, error);
    if (status == BAUTA_OK && request->loaded->join) status = judge_people(&j, error);
    end(&j);
    return status;
}

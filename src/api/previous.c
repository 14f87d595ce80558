/* SPDX-License-Identifier: Apache-2.0
 *
 * The intersection of a new release with earlier ones (Ganta, Kasiviswanathan and Smith 2008),
 * before anything is published. The header says what is checked.
 *
 * Cost: the input is read once more for each earlier release; then linear in rows, plus, for all
 * records of a class that look alike to every earlier release, the values of the classes that
 * may be theirs, the class itself if these narrow it, and those if it narrows them.
 */
#include "api/previous.h"

#include "api/previous_join.h"
#include "api/previous_release.h"

#include <string.h>

enum { MOST_RELEASES = 32 }; /* bits of a mask */

typedef struct job {
    const bauta_recipe *recipe;
    const bt_loaded *loaded;
    const bt_grouping *grouping;
    const bt_form_beliefs *beliefs; /* NULL: the promise is about classes */
    const void *plan;               /* … by which they are asked */
    uint32_t values;                /* … how many there are */
    bool *possible;                 /* … per value, for the record at hand */
    const bt_run *run;
    bt_kept kept; /* records that are published, and what is required of them */
    bt_earlier *list;
    size_t count;
    bt_arena arena;
    bt_tuples kinds; /* records of a class that are alike to every earlier release; by class */
    uint32_t *kind_of;
    uint32_t *starts,
        *rows;            /* those of kind k: rows[starts[k]..starts[k + 1]), places in `order` */
    bt_tally *tally;      /* NULL: only sizes matter */
    uint32_t *masks;      /* with a public table: per record, the releases that it may be in */
    int64_t broken, both; /* records */
    const bt_requirement_instance *failed; /* by the first of them */
} job;

/* ---- opening ----------------------------------------------------------------------------- */

static bauta_status open_all(job *j, bauta_error *error)
{
    const bt_list *folders = &j->recipe->previous;
    for (size_t i = 0; i < j->recipe->inputs.count; i++)
        if (strcmp(j->recipe->inputs.items[i], "-") == 0)
            return bt_fail(error, BAUTA_INVALID,
                           "earlier releases need an input that can be read again, not a pipe");
    if (folders->count > MOST_RELEASES)
        return bt_fail(error, BAUTA_INVALID, "there are more than %d earlier releases",
                       MOST_RELEASES);
    j->list = bt_arena_array(&j->arena, folders->count, sizeof *j->list);
    if (!j->list) return bt_fail_memory(error);
    memset(j->list, 0, folders->count * sizeof *j->list);
    for (size_t i = 0; i < folders->count; i++)
        BT_TRY(bt_earlier_open(folders->items[i], j->recipe, j->loaded, j->run,
                               &j->list[j->count++], error));
    return BAUTA_OK;
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
    for (size_t p = 0; p < j->count && j->beliefs; p++)
        if (j->list[p].secret_count > 0)
            BT_TRY(bt_earlier_match(&j->list[p], texts, j->values, error));
    return BAUTA_OK;
}

/* ---- kinds of records -------------------------------------------------------------------- */

/* The input row at a place of the grouping's order. */
static int64_t input_row(const job *j, uint32_t place)
{
    uint32_t row = j->grouping->order[place];
    return j->loaded->row_map ? j->loaded->row_map[row] : row;
}

static bauta_status number_kinds(job *j, const bt_codes *codes, bauta_error *error)
{
    int64_t kept = j->grouping->kept;
    bt_tuple_index *index = NULL;
    BT_TRY(bt_tuples_group(codes, j->count + 1, kept, j->run, &j->kinds, error));
    bauta_status status = bt_tuple_index_new(codes, j->count + 1, &j->kinds, j->run, &index, error);
    if (status == BAUTA_OK)
        status = bt_tuple_index_number(index, codes, kept, j->run, j->kind_of, error);
    bt_tuple_index_free(index);
    if (status != BAUTA_OK) return status;
    uint32_t *next = bt_array_zero((size_t)j->kinds.count + 1, sizeof *next);
    j->starts = bt_array_zero((size_t)j->kinds.count + 1, sizeof *j->starts);
    j->rows = bt_array((size_t)kept, sizeof *j->rows);
    bool made = next && j->starts && j->rows;
    for (uint32_t k = 0; made && k < j->kinds.count; k++)
        j->starts[k + 1] = next[k + 1] = j->starts[k] + j->kinds.size[k];
    for (int64_t i = 0; made && i < kept; i++)
        j->rows[next[j->kind_of[i]]++] = (uint32_t)i;
    free(next);
    return made ? BAUTA_OK : bt_fail_memory(error);
}

/* Records are alike when they are in one class and have the same quasi values to every release. */
static bauta_status find_kinds(job *j, bauta_error *error)
{
    const bt_grouping *grouping = j->grouping;
    size_t kept = (size_t)grouping->kept;
    bt_codes *codes = bt_array_zero(j->count + 1, sizeof *codes);
    j->kind_of = bt_array(kept, sizeof *j->kind_of);
    bauta_status status = codes && j->kind_of ? BAUTA_OK : bt_fail_memory(error);
    for (size_t p = 0; p <= j->count && status == BAUTA_OK; p++) {
        uint32_t *column = bt_array(kept, sizeof *column);
        if (!column) {
            status = bt_fail_memory(error);
            break;
        }
        for (uint32_t c = 0; p == 0 && c < grouping->classes; c++)
            for (uint32_t i = grouping->starts[c]; i < grouping->starts[c + 1]; i++)
                column[i] = c;
        for (uint32_t i = 0; p > 0 && i < kept; i++)
            column[i] = j->list[p - 1].view.target_of[input_row(j, i)];
        codes[p] = (bt_codes){column, sizeof *column,
                              p == 0 ? grouping->classes : j->list[p - 1].view.targets.count};
    }
    if (status == BAUTA_OK) status = number_kinds(j, codes, error);
    for (size_t p = 0; codes && p <= j->count; p++)
        free((void *)(uintptr_t)codes[p].codes);
    free(codes);
    return status;
}

/* ---- judging ----------------------------------------------------------------------------- */

/* The earlier releases that a record may be in, as bits. */
static uint32_t releases_of(const job *j, uint32_t place, uint32_t stamp)
{
    uint32_t mask = 0;
    int64_t row = input_row(j, place);
    for (size_t p = 0; p < j->count; p++) {
        const bt_earlier *one = &j->list[p];
        if (bt_earlier_holds(one, one->view.target_of[row]) && bt_earlier_allows(one, row, stamp))
            mask |= 1u << p;
    }
    return mask;
}

typedef struct verdict {
    uint32_t narrows; /* releases that do, as bits */
    const bt_requirement_instance *failed;
} verdict;

/* The values of a row that is left are all that earlier releases may have for someone. */
static void allow_row(job *j, int64_t row)
{
    for (size_t p = 0; p < j->count; p++) {
        bt_earlier *one = &j->list[p];
        for (size_t s = 0; s < one->secret_count && !one->view.redrawn; s++)
            bt_pledge_allow(&one->pledge, s, one->secrets[s].actual[row]);
    }
}

/* What is left of a class when someone of it is known to be in the releases of a mask. */
static bauta_status judge_class(job *j, uint32_t class_number, uint32_t mask, uint32_t stamp,
                                verdict *out, bauta_error *error)
{
    const bt_grouping *grouping = j->grouping;
    const bt_requirements *requirements = &j->kept.requirements;
    int64_t left = 0;
    if (j->tally) bt_tally_clear(j->tally);
    for (uint32_t i = grouping->starts[class_number]; i < grouping->starts[class_number + 1]; i++) {
        uint32_t without = 0;
        int64_t row = input_row(j, i);
        for (size_t p = 0; p < j->count; p++)
            if ((mask >> p & 1) && !bt_earlier_allows(&j->list[p], row, stamp)) without |= 1u << p;
        out->narrows |= without;
        if (without) continue;
        left++;
        allow_row(j, row);
        if (j->tally) BT_TRY(bt_tally_add_row(j->tally, j->kept.order[i], error));
    }
    if (!out->narrows) return BAUTA_OK;
    if (j->tally)
        (void)bt_requirements_check(requirements, j->tally, &out->failed);
    else if (left < bt_requirements_least_size(requirements))
        out->failed = &requirements->items[0];
    return BAUTA_OK;
}

/* … a value of the new form, the same. */
static void allow_value(job *j, uint32_t value)
{
    for (size_t p = 0; p < j->count; p++) {
        bt_earlier *one = &j->list[p];
        if (one->secret_count > 0 && !one->view.redrawn)
            bt_pledge_allow(&one->pledge, 0, one->code_of[value]);
    }
}

/* What is left of what is believed of someone who is known to be in the releases of a mask. */
static bauta_status judge_belief(job *j, uint32_t class_number, uint32_t mask, uint32_t stamp,
                                 verdict *out, bauta_error *error)
{
    for (uint32_t v = 0; v < j->values; v++) {
        bool believed = j->beliefs->believes(j->plan, class_number, v);
        j->possible[v] = true;
        for (size_t p = 0; p < j->count; p++) {
            const bt_earlier *one = &j->list[p];
            if (!(mask >> p & 1) || one->secret_count == 0) continue;
            uint32_t code = one->code_of[v];
            if (code != BT_NOT_KNOWN && one->stamps[0][code] == stamp) continue;
            j->possible[v] = false;
            if (believed) out->narrows |= 1u << p;
        }
        if (believed && j->possible[v]) allow_value(j, v);
    }
    if (!out->narrows) return BAUTA_OK;
    return j->beliefs->narrow(j->plan, class_number, j->possible, &out->failed, error);
}

static bauta_status judge_mask(job *j, uint32_t class_number, uint32_t mask, uint32_t stamp,
                               verdict *out, bauta_error *error)
{
    *out = (verdict){0};
    for (size_t p = 0; p < j->count; p++)
        bt_pledge_begin(&j->list[p].pledge);
    return j->beliefs ? judge_belief(j, class_number, mask, stamp, out, error)
                      : judge_class(j, class_number, mask, stamp, out, error);
}

static void count_record(job *j, uint32_t mask, const verdict *v)
{
    for (size_t p = 0; p < j->count; p++) {
        j->list[p].both += mask >> p & 1;
        j->list[p].narrowed += v->narrows >> p & 1;
    }
    j->both++;
    j->broken += v->failed != NULL;
    if (v->failed && !j->failed) j->failed = v->failed;
}

/* What the new release leaves of what earlier ones promised to a record that is in them. */
static bauta_status judge_pledges(job *j, int64_t row, uint32_t mask, bauta_error *error)
{
    for (size_t p = 0; p < j->count; p++) {
        bt_earlier *one = &j->list[p];
        const bt_requirement_instance *failed;
        bool narrowed;
        if (!(mask >> p & 1) || one->view.redrawn) continue;
        BT_TRY(bt_pledge_judge(&one->pledge, one->view.target_of[row], &narrowed, &failed, error));
        one->thinned += narrowed;
        one->betrayed += failed != NULL;
        if (failed && !one->failed) one->failed = failed;
    }
    return BAUTA_OK;
}

static bauta_status judge_kind(job *j, uint32_t kind, uint32_t class_number, bauta_error *error)
{
    uint32_t stamp = kind + 1, judged = 0;
    verdict v = {0};
    for (size_t p = 0; p < j->count; p++)
        bt_earlier_mark(&j->list[p], j->list[p].view.target_of[input_row(j, j->kinds.row[kind])],
                        stamp);
    for (uint32_t i = j->starts[kind]; i < j->starts[kind + 1]; i++) {
        uint32_t mask = releases_of(j, j->rows[i], stamp);
        if (mask == 0) continue;
        if (j->masks) j->masks[j->grouping->order[j->rows[i]]] = mask;
        if (mask != judged) BT_TRY(judge_mask(j, class_number, mask, stamp, &v, error));
        judged = mask;
        count_record(j, mask, &v);
        BT_TRY(judge_pledges(j, input_row(j, j->rows[i]), mask, error));
    }
    return BAUTA_OK;
}

static bauta_status judge_all(job *j, bauta_error *error)
{
    uint32_t class_number = 0;
    BT_TRY(find_kinds(j, error));
    if (!j->beliefs && j->kept.requirements.people->profile_of)
        BT_TRY(bt_tally_new(j->kept.requirements.people, &j->tally, error));
    for (uint32_t kind = 0; kind < j->kinds.count; kind++) {
        while (j->grouping->starts[class_number + 1] <= j->kinds.row[kind])
            class_number++;
        BT_TRY(judge_kind(j, kind, class_number, error));
        BT_TRY(
            bt_run_progress(j->run, 0, "checking earlier releases", kind, j->kinds.count, error));
    }
    return BAUTA_OK;
}

/* With a public table: what is left of the people of classes. */
static bauta_status judge_people(job *j, bauta_error *error)
{
    const bt_join *join = j->loaded->join;
    int64_t least = bt_requirements_least_size(&j->kept.requirements), exposed = 0;
    uint32_t *boxes_of = bt_array_zero((size_t)join->table.rows, sizeof *boxes_of);
    bauta_status status = boxes_of ? BAUTA_OK : bt_fail_memory(error);
    for (size_t p = 0; p < j->count && status == BAUTA_OK; p++)
        if (j->list[p].both > 0)
            status = bt_previous_mark(j->recipe, j->loaded, &j->list[p].release, j->run, 1u << p,
                                      boxes_of, error);
    if (status == BAUTA_OK) exposed = bt_previous_exposed(join, boxes_of, j->masks, least);
    free(boxes_of);
    if (status != BAUTA_OK || exposed == 0) return status;
    status = bt_fail(error, BAUTA_NO,
                     "beside %zu earlier release%s, %lld of %lld records that may be in both would "
                     "not be protected: fewer than %lld people of their class may be in both, too",
                     j->count, j->count == 1 ? "" : "s", (long long)exposed, (long long)j->both,
                     (long long)least);
    bt_error_hint(error, "generalize more, or do not publish again");
    return status;
}

/* ------------------------------------------------------------------------------------------ */

static void tell(const job *j, bt_facts *facts, json_t *at)
{
    json_t *list = bt_put_array(facts, at, "previous");
    for (size_t p = 0; p < j->count; p++) {
        json_t *to = bt_put_object(facts, list, NULL);
        bt_put_text(facts, to, "release", j->list[p].release.manifest.release);
        bt_put_int(facts, to, "records_in_both", j->list[p].both);
        bt_put_int(facts, to, "narrowed", j->list[p].narrowed);
        bt_put_int(facts, to, "narrowed_there", j->list[p].thinned);
    }
}

static bauta_status refuse(const job *j, bauta_error *error)
{
    bauta_status status =
        bt_fail(error, BAUTA_NO,
                "beside %zu earlier release%s, %lld of %lld records that may be in both would not "
                "be protected: what is left of their %s does not satisfy '%s'",
                j->count, j->count == 1 ? "" : "s", (long long)j->broken, (long long)j->both,
                j->beliefs ? "target" : "class", j->failed->text);
    bt_error_hint(error,
                  j->beliefs
                      ? "require less, or do not publish again"
                      : "fix the recoding (--levels), generalize more, or do not publish again");
    return status;
}

static bauta_status refuse_betrayal(const job *j, bauta_error *error)
{
    for (size_t p = 0; p < j->count; p++) {
        const bt_earlier *one = &j->list[p];
        if (one->betrayed == 0) continue;
        bauta_status status = bt_fail(
            error, BAUTA_NO,
            "beside this one, %lld of %lld records that may be in the earlier release %s too would "
            "not be protected as that promised: what is left of their %s there does not satisfy "
            "'%s'",
            (long long)one->betrayed, (long long)one->both, one->release.manifest.release,
            bt_is_distribution(&one->release) ? "target" : "class", one->failed->text);
        bt_error_hint(error, "require at least what was promised then, fix the recoding "
                             "(--levels), generalize more, or do not publish again");
        return status;
    }
    return BAUTA_OK;
}

/* Whoever may be in one of both tables is likelier to be in the other, by nobody knows how much. */
static bool promises_presence(const job *j, bool promised)
{
    for (size_t p = 0; p < j->count; p++)
        if (j->list[p].both > 0 &&
            (promised || bt_manifest_promised(&j->list[p].release.manifest, "presence")))
            return true;
    return false;
}

static bauta_status refuse_presence(const job *j, bauta_error *error)
{
    bauta_status status =
        bt_fail(error, BAUTA_NO,
                "%lld of %lld records may be in an earlier release too: both together tell more of "
                "who is in a table than 'presence' allows",
                (long long)j->both, (long long)j->loaded->table.rows);
    bt_error_hint(error, "publish only people who were in none, or promise nothing of presence");
    return status;
}

/* Beside randomized rows nothing more may be said of the people they are of. */
static bauta_status refuse_again(const job *j, const bt_earlier *one, bauta_error *error)
{
    bauta_status status = bt_fail(
        error, BAUTA_NO,
        "%lld of %lld records may be in the earlier release %s too: a randomized table of people "
        "and anything else about them undo each other",
        (long long)one->both, (long long)j->loaded->table.rows, one->release.manifest.release);
    bt_error_hint(error, "publish a randomized table once and nothing else of the same people, or "
                         "leave out who was in it");
    return status;
}

static bauta_status check_randomized(const job *j, bool all, bauta_error *error)
{
    for (size_t p = 0; p < j->count; p++)
        if ((all || j->list[p].view.redrawn) && j->list[p].both > 0)
            return refuse_again(j, &j->list[p], error);
    return BAUTA_OK;
}

/* Counts the records that may be in an earlier release. */
static bauta_status count_both(job *j, bt_earlier *one, bauta_error *error)
{
    const bt_view *view = &one->view;
    uint32_t marked = BT_NOT_KNOWN;
    for (int64_t i = 0; i < j->loaded->table.rows; i++) {
        int64_t row = j->loaded->row_map ? j->loaded->row_map[i] : i;
        uint32_t target = view->target_of[row], stamp = target + 1;
        if (target != marked) bt_earlier_mark(one, target, stamp);
        marked = target;
        one->both += bt_earlier_holds(one, target) && bt_earlier_allows(one, row, stamp);
        BT_TRY(bt_run_progress(j->run, 0, "checking earlier releases", i, j->loaded->table.rows,
                               error));
    }
    return BAUTA_OK;
}

bauta_status bt_check_apart(const bauta_recipe *recipe, const bt_loaded *loaded, const bt_run *run,
                            bt_facts *facts, json_t *at, bauta_error *error)
{
    if (recipe->previous.count == 0) return BAUTA_OK;
    job j = {.recipe = recipe, .loaded = loaded, .run = run};
    bauta_status status = open_all(&j, error);
    for (size_t p = 0; p < j.count && status == BAUTA_OK; p++)
        status = count_both(&j, &j.list[p], error);
    if (status == BAUTA_OK) tell(&j, facts, at);
    if (status == BAUTA_OK) status = check_randomized(&j, true, error);
    for (size_t i = 0; i < j.count; i++)
        bt_earlier_close(&j.list[i]);
    bt_arena_release(&j.arena);
    return status;
}

bauta_status bt_check_previous(const bt_previous_request *request, bt_facts *facts, json_t *at,
                               bauta_error *error)
{
    if (request->recipe->previous.count == 0) return BAUTA_OK;
    job j = {.recipe = request->recipe,
             .loaded = request->loaded,
             .grouping = request->grouping,
             .beliefs = request->beliefs,
             .plan = request->plan,
             .run = request->run};
    bauta_status status = bt_kept_bind(&request->loaded->table, request->grouping,
                                       request->requirements, &j.kept, error);
    if (status == BAUTA_OK && request->loaded->join) {
        j.masks = bt_array_zero((size_t)request->loaded->table.rows, sizeof *j.masks);
        if (!j.masks) status = bt_fail_memory(error);
    }
    if (status == BAUTA_OK) status = open_all(&j, error);
    if (status == BAUTA_OK) status = match_all(&j, error);
    if (status == BAUTA_OK) status = judge_all(&j, error);
    if (status == BAUTA_OK) tell(&j, facts, at);
    if (status == BAUTA_OK) status = check_randomized(&j, false, error);
    if (status == BAUTA_OK && j.broken > 0) status = refuse(&j, error);
    if (status == BAUTA_OK && promises_presence(&j, request->presence))
        status = refuse_presence(&j, error);
    if (status == BAUTA_OK) status = refuse_betrayal(&j, error);
    if (status == BAUTA_OK && request->loaded->join) status = judge_people(&j, error);
    for (size_t i = 0; i < j.count; i++)
        bt_earlier_close(&j.list[i]);
    bt_tally_free(j.tally);
    bt_tuples_release(&j.kinds);
    free(j.kind_of);
    free(j.masks);
    free(j.starts);
    free(j.rows);
    bt_kept_release(&j.kept);
    bt_arena_release(&j.arena);
    return status;
}

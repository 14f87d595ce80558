/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening an earlier release with the records of a new table, and what it says of them.
 *
 * Cost: linear in rows; sorting the different lists of classes that may hold someone.
 */
#include "job/previous_release.h"

#include "job/whole.h"
#include "recipe/names.h"
#include "spec/words.h"

#include <string.h>

/* ---- sensitive columns ------------------------------------------------------------------- */

/* The role that a column has in the new table; BT_ROLE_NONE: it has none, or there is no such. */
static bt_role role_now(const bt_loaded *loaded, const char *name)
{
    for (size_t i = 0; i < loaded->columns; i++)
        if (strcmp(loaded->plan[i].name, name) == 0) return loaded->roles[i];
    return BT_ROLE_NONE;
}

static bauta_status refuse_categories(const char *column, bauta_error *error)
{
    return bt_fail(error, BAUTA_INVALID,
                   "of column '%s' an earlier release has only categories, which are not compared",
                   column);
}

static bauta_status refuse_shown(const char *column, bt_role role, const char *folder,
                                 bauta_error *error)
{
    bauta_status status =
        bt_fail(error, BAUTA_NO,
                "column '%s' is %s now and was sensitive in the earlier release: "
                "it would show what that hides",
                column, role == BT_ROLE_QUASI ? "a quasi column" : "published as it is");
    bt_error_place(error, folder, -1, NULL);
    bt_error_hint(error, "make it sensitive again, or drop it");
    return status;
}

static bauta_status open_secrets(bt_earlier *one, const bt_loaded *loaded, const bt_run *run,
                                 bauta_error *error)
{
    const bt_release *release = &one->release;
    one->secrets = bt_arena_array(&one->arena, release->column_count, sizeof *one->secrets);
    if (!one->secrets) return bt_fail_memory(error);
    for (size_t i = 0; i < release->column_count; i++) {
        const bt_release_column *column = &release->columns[i];
        const char *name = column->manifest->name;
        bt_role role = role_now(loaded, name);
        if (!bt_secret_exists(column, false) && !bt_shows_categories(column->manifest)) continue;
        if (role == BT_ROLE_QUASI || role == BT_ROLE_OTHER)
            return refuse_shown(name, role, one->folder, error);
        if (role != BT_ROLE_SENSITIVE) continue;
        if (bt_shows_categories(column->manifest)) return refuse_categories(name, error);
        BT_TRY(bt_secret_open(&one->view, column, false, run, &one->secrets[one->secret_count++],
                              error));
    }
    return BAUTA_OK;
}

/* ---- witnesses --------------------------------------------------------------------------- */

static bauta_status make_room(bt_earlier *one, bt_witness *witness, bauta_error *error)
{
    witness->stamps = bt_arena_array(&one->arena, witness->values, sizeof *witness->stamps);
    witness->now = bt_arena_array(&one->arena, witness->values, sizeof *witness->now);
    if (!witness->stamps || !witness->now) return bt_fail_memory(error);
    memset(witness->stamps, 0, witness->values * sizeof *witness->stamps);
    memset(witness->now, 0, witness->values * sizeof *witness->now);
    return BAUTA_OK;
}

static bauta_status make_witness(bt_earlier *one, const bt_secret *secret, bauta_error *error)
{
    bt_witness *witness = &one->witnesses[one->witness_count++];
    const bt_spread *spread = secret->spread;
    *witness = (bt_witness){.values = secret->values,
                            .own = secret->actual,
                            .published = secret->published,
                            .first = spread ? spread->first : secret->first,
                            .value = spread ? spread->value : secret->value,
                            .bag_of = spread ? spread->belief_of : NULL};
    return make_room(one, witness, error);
}

/* The combinations that stand in each unit. */
static bauta_status make_bags(bt_earlier *one, const uint32_t *published, const bt_run *run,
                              bt_witness *witness, bauta_error *error)
{
    const bt_view *view = &one->view;
    const bt_codes codes[] = {{view->unit_of, 4, view->units}, {published, 4, witness->values}};
    bt_tuples pairs = {0};
    BT_TRY(bt_tuples_group(codes, 2, bt_sensitive_rows(view->release), run, &pairs, error));
    size_t *first = bt_arena_array(&one->arena, (size_t)view->units + 2, sizeof *first);
    uint32_t *value = bt_arena_array(&one->arena, pairs.count, sizeof *value);
    bool made = first && value;
    if (made) bt_tuples_gather(&pairs, view->unit_of, view->units, first, value);
    for (uint32_t i = 0; made && i < pairs.count; i++)
        value[i] = published[pairs.row[value[i]]];
    witness->first = first;
    witness->value = value;
    bt_tuples_release(&pairs);
    return made ? BAUTA_OK : bt_fail_memory(error);
}

/* The codes of the input's rows, as the combinations of the release are numbered. */
static void find_own(const bt_earlier *one, const bt_tuple_index *index, uint32_t *codes,
                     uint32_t *own)
{
    for (int64_t row = 0; row < one->view.people->rows; row++) {
        for (size_t s = 0; s < one->secret_count; s++)
            codes[s] = one->secrets[s].actual[row];
        own[row] = bt_tuple_index_find(index, codes);
    }
}

/* All sensitive columns together. */
static bauta_status make_together(bt_earlier *one, const bt_run *run, bauta_error *error)
{
    int64_t rows = bt_sensitive_rows(&one->release);
    bt_witness *witness = &one->witnesses[one->witness_count++];
    bt_codes *columns = bt_arena_array(&one->arena, one->secret_count, sizeof *columns);
    uint32_t *codes = bt_arena_array(&one->arena, one->secret_count, sizeof *codes);
    uint32_t *published = bt_arena_array(&one->arena, (size_t)rows, sizeof *published);
    uint32_t *own = bt_arena_array(&one->arena, (size_t)one->view.people->rows, sizeof *own);
    bt_tuples combinations = {0};
    bt_tuple_index *index = NULL;
    if (!columns || !codes || !published || !own) return bt_fail_memory(error);
    for (size_t s = 0; s < one->secret_count; s++)
        columns[s] = (bt_codes){one->secrets[s].published, 4, one->secrets[s].values};
    BT_TRY(bt_tuples_number(columns, one->secret_count, rows, run, &combinations, published, &index,
                            error));
    find_own(one, index, codes, own);
    *witness = (bt_witness){.values = combinations.count, .own = own, .published = published};
    bauta_status status = make_room(one, witness, error);
    if (status == BAUTA_OK) status = make_bags(one, published, run, witness, error);
    bt_tuple_index_free(index);
    bt_tuples_release(&combinations);
    return status;
}

static bauta_status make_witnesses(bt_earlier *one, const bt_run *run, bauta_error *error)
{
    one->witnesses = bt_arena_array(&one->arena, one->secret_count + 1, sizeof *one->witnesses);
    if (!one->witnesses) return bt_fail_memory(error);
    for (size_t s = 0; s < one->secret_count; s++)
        BT_TRY(make_witness(one, &one->secrets[s], error));
    return one->secret_count > 1 ? make_together(one, run, error) : BAUTA_OK;
}

/* ---- sets of classes --------------------------------------------------------------------- */

static int compare_lists(const void *a, const void *b, void *user)
{
    const bt_view *view = user;
    uint32_t s = *(const uint32_t *)a, t = *(const uint32_t *)b;
    size_t first = view->first[s + 1] - view->first[s],
           second = view->first[t + 1] - view->first[t];
    if (first != second) return first < second ? -1 : 1;
    if (first == 0) return 0;
    return memcmp(&view->candidates[view->first[s]], &view->candidates[view->first[t]],
                  first * sizeof *view->candidates);
}

/* Targets that may be in the same classes are alike: with a fixed recoding there are as many sets
 * as classes. */
static bauta_status number_sets(bt_earlier *one, bauta_error *error)
{
    bt_view *view = &one->view;
    uint32_t count = view->targets.count;
    uint32_t *sorted = bt_array(count, sizeof *sorted);
    one->set_of = bt_arena_array(&one->arena, count, sizeof *one->set_of);
    bool made = sorted && one->set_of;
    for (uint32_t t = 0; made && t < count; t++)
        sorted[t] = t;
    if (made) qsort_r(sorted, count, sizeof *sorted, compare_lists, view);
    for (uint32_t i = 0; made && i < count; i++) {
        bool same = i > 0 && compare_lists(&sorted[i - 1], &sorted[i], view) == 0;
        one->set_of[sorted[i]] = same ? one->sets - 1 : one->sets++;
    }
    free(sorted);
    return made ? BAUTA_OK : bt_fail_memory(error);
}

/* ------------------------------------------------------------------------------------------ */

bauta_status bt_earlier_open(const char *folder, const bauta_recipe *recipe,
                             const bt_loaded *loaded, const bt_run *run, bt_earlier *out,
                             bauta_error *error)
{
    out->folder = folder;
    BT_TRY(bt_release_open(folder, run, &out->release, error));
    BT_TRY(bt_original_fits(&out->release.manifest, folder, error));
    BT_TRY(bt_original_load(recipe, &out->release, BT_NEED_EARLIER, run, &out->original, error));
    const bt_table *people = &out->original.loaded.table;
    for (size_t i = 0; i < out->release.column_count; i++)
        if (bt_whole_absent(&out->release.columns[i], people))
            return bt_whole_lacking(&out->release, out->release.columns[i].manifest->name,
                                    "the comparison with an earlier release", error);
    if (people->rows != loaded->input_rows)
        return bt_fail(error, BAUTA_INVALID, "the input changed while it was read");
    bauta_status status = bt_view_open(&out->release, people, NULL, run, &out->view, error);
    if (status == BAUTA_INVALID && out->release.form->redrawn)
        bt_error_hint(error, "the release cannot be compared with a table of this size: publish "
                             "nothing else of the people that it is of");
    BT_TRY(status);
    BT_TRY(open_secrets(out, loaded, run, error));
    if (out->view.redrawn) return BAUTA_OK;
    BT_TRY(make_witnesses(out, run, error));
    return number_sets(out, error);
}

void bt_earlier_close(bt_earlier *earlier)
{
    bt_tally_free(earlier->tally);
    bt_people_release(&earlier->people);
    bt_tuples_release(&earlier->parts);
    for (size_t i = 0; i < earlier->secret_count; i++)
        bt_secret_close(&earlier->secrets[i]);
    bt_view_close(&earlier->view);
    bt_original_release(&earlier->original);
    bt_release_close(&earlier->release);
    bt_arena_release(&earlier->arena);
}

bauta_status bt_earlier_match(bt_earlier *earlier, const char *const *texts, uint32_t count,
                              bauta_error *error)
{
    const bt_secret *secret = &earlier->secrets[0];
    bt_names names = {0};
    bool added;
    bauta_status status = BAUTA_OK;
    earlier->code_of = bt_arena_array(&earlier->arena, count, sizeof *earlier->code_of);
    if (!earlier->code_of) return bt_fail_memory(error);
    for (uint32_t v = 0; v < secret->values && status == BAUTA_OK; v++)
        status = bt_names_add(&names, 0, secret->text[v], v, &added, error);
    for (uint32_t v = 0; v < count && status == BAUTA_OK; v++)
        if (!bt_names_find(&names, 0, texts[v], &earlier->code_of[v]))
            earlier->code_of[v] = BT_NOT_KNOWN;
    bt_names_release(&names);
    return status;
}

/* ---- what is possible -------------------------------------------------------------------- */

static void mark_unit(const bt_earlier *earlier, uint32_t unit)
{
    for (size_t w = 0; w < earlier->witness_count; w++) {
        const bt_witness *witness = &earlier->witnesses[w];
        uint32_t bag = witness->bag_of ? witness->bag_of[unit] : unit;
        for (size_t i = witness->first[bag]; i < witness->first[bag + 1]; i++)
            witness->stamps[witness->value[i]] = earlier->marked;
    }
}

void bt_earlier_mark(bt_earlier *earlier, uint32_t target)
{
    const bt_view *view = &earlier->view;
    if (earlier->marked == earlier->set_of[target] + 1) return;
    earlier->marked = earlier->set_of[target] + 1;
    for (size_t i = view->first[target]; i < view->first[target + 1]; i++) {
        uint32_t group = view->candidates[i];
        for (size_t u = view->unit_first[group]; u < view->unit_first[group + 1]; u++)
            mark_unit(earlier, view->group_units[u].unit);
    }
}

bool bt_earlier_may_hold(bt_earlier *earlier, int64_t row, bool *holds)
{
    const bt_view *view = &earlier->view;
    uint32_t target = view->target_of[row];
    bool any = earlier->witness_count == 0 && view->first[target] < view->first[target + 1];
    bt_earlier_mark(earlier, target);
    for (size_t w = 0; w < earlier->witness_count; w++) {
        const bt_witness *witness = &earlier->witnesses[w];
        bool here = bt_witness_allows(earlier, witness, witness->own[row]);
        if (holds) holds[w] = here;
        any = any || here;
    }
    return any;
}

/* ---- randomized -------------------------------------------------------------------------- */

/* Whether values that few records hold were merged with others beforehand: then rows may differ
 * from their records in more than was drawn anew. */
static bool has_merged(const bt_release *release)
{
    return bt_form_number(release->manifest.form, "rare") > 1;
}

/* Whether a row that may be the target's has this value. */
static bool has_value(const bt_earlier *earlier, const bt_secret *secret, uint32_t target,
                      uint32_t value)
{
    const bt_redrawn *redrawn = earlier->view.redrawn;
    for (size_t i = 0; i < redrawn->set_count; i++) {
        uint32_t unit = redrawn->sets[i].of_person[target];
        if (unit == BT_TUPLE_NONE) continue;
        size_t bag = secret->bags.base[i] + unit;
        for (size_t e = secret->bags.first[bag]; e < secret->bags.first[bag + 1]; e++)
            if (secret->bags.entries[e].value == value) return true;
    }
    return false;
}

static bool may_be_redrawn(const bt_earlier *earlier, int64_t row)
{
    const bt_redrawn *redrawn = earlier->view.redrawn;
    uint32_t target = earlier->view.target_of[row];
    bool here = has_merged(&earlier->release);
    for (size_t i = 0; i < redrawn->set_count && !here; i++)
        here = redrawn->sets[i].of_person[target] != BT_TUPLE_NONE;
    for (size_t s = 0; s < earlier->secret_count && here; s++) {
        uint32_t value = earlier->secrets[s].actual[row];
        here = value != BT_NOT_KNOWN && (has_merged(&earlier->release) ||
                                         has_value(earlier, &earlier->secrets[s], target, value));
    }
    return here;
}

bauta_status bt_earlier_count_redrawn(bt_earlier *earlier, const bt_loaded *loaded,
                                      const bt_run *run, bauta_error *error)
{
    for (int64_t i = 0; i < loaded->table.rows; i++) {
        earlier->both += may_be_redrawn(earlier, loaded->row_map ? loaded->row_map[i] : i);
        BT_TRY(bt_run_progress(run, 0, "checking earlier releases", i, loaded->table.rows, error));
    }
    return BAUTA_OK;
}

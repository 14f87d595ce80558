/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening an earlier release with the records of a new table, and what it says of them.
 */
#include "api/previous_release.h"

#include "recipe/names.h"
#include "recipe/words.h"

#include <string.h>

static bool is_sensitive(const bt_table *table, const char *name)
{
    for (size_t c = 0; c < table->count; c++)
        if (table->columns[c].role == BT_ROLE_SENSITIVE &&
            strcmp(table->columns[c].name, name) == 0)
            return true;
    return false;
}

static bauta_status refuse_categories(const char *column, bauta_error *error)
{
    return bt_fail(error, BAUTA_INVALID,
                   "of column '%s' an earlier release has only categories, which are not compared",
                   column);
}

static bauta_status open_secrets(bt_earlier *one, const bt_table *table, const bt_run *run,
                                 bauta_error *error)
{
    const bt_release *release = &one->release;
    one->secrets = bt_arena_array(&one->arena, release->column_count, sizeof *one->secrets);
    one->stamps = bt_arena_array(&one->arena, release->column_count, sizeof *one->stamps);
    if (!one->secrets || !one->stamps) return bt_fail_memory(error);
    for (size_t i = 0; i < release->column_count; i++) {
        const bt_release_column *column = &release->columns[i];
        if (!is_sensitive(table, column->manifest->name)) continue;
        if (bt_shows_categories(column->manifest))
            return refuse_categories(column->manifest->name, error);
        if (!bt_secret_exists(column, false)) continue;
        bt_secret *secret = &one->secrets[one->secret_count++];
        BT_TRY(bt_secret_open(&one->view, column, false, run, secret, error));
        uint32_t *stamps = bt_arena_array(&one->arena, secret->values, sizeof *stamps);
        if (!stamps) return bt_fail_memory(error);
        memset(stamps, 0, secret->values * sizeof *stamps);
        one->stamps[one->secret_count - 1] = stamps;
    }
    return BAUTA_OK;
}

bauta_status bt_earlier_open(const char *folder, const bauta_recipe *recipe,
                             const bt_loaded *loaded, const bt_run *run, bt_earlier *out,
                             bauta_error *error)
{
    BT_TRY(bt_release_open(folder, run, &out->release, error));
    BT_TRY(bt_original_fits(&out->release.manifest, folder, error));
    BT_TRY(bt_original_load(recipe, &out->release.manifest, BT_NEED_RECORDS, run, &out->original,
                            error));
    const bt_table *people = &out->original.loaded.table;
    if (people->rows != loaded->input_rows)
        return bt_fail(error, BAUTA_INVALID, "the input changed while it was read");
    BT_TRY(bt_view_open(&out->release, people, NULL, run, &out->view, error));
    BT_TRY(open_secrets(out, &loaded->table, run, error));
    if (out->view.redrawn) return BAUTA_OK;
    return bt_pledge_open(&out->view, out->secrets, out->secret_count, &out->pledge, error);
}

void bt_earlier_close(bt_earlier *earlier)
{
    bt_pledge_close(&earlier->pledge);
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

/* Whether values that few records hold were merged with others beforehand: then rows may differ
 * from their records in more than was drawn anew. */
static bool has_merged(const bt_release *release)
{
    return bt_form_number(release->manifest.form, "rare") > 1;
}

/* randomized: marks the values of the rows that may be those of the kind, and says whether there
 * are any. */
static bool mark_rows(bt_earlier *one, uint32_t target, uint32_t stamp)
{
    const bt_redrawn *redrawn = one->view.redrawn;
    bool any = has_merged(&one->release);
    for (size_t s = 0; any && s < one->secret_count; s++)
        for (uint32_t v = 0; v < one->secrets[s].values; v++)
            one->stamps[s][v] = stamp;
    for (size_t i = 0; i < redrawn->set_count; i++) {
        uint32_t unit = redrawn->sets[i].of_person[target];
        if (unit == BT_TUPLE_NONE) continue;
        any = true;
        for (size_t s = 0; s < one->secret_count; s++) {
            const bt_redrawn_bags *bags = &one->secrets[s].bags;
            size_t bag = bags->base[i] + unit;
            for (size_t e = bags->first[bag]; e < bags->first[bag + 1]; e++)
                one->stamps[s][bags->entries[e].value] = stamp;
        }
    }
    return any;
}

/* distribution: every value that lies in a part of the group. */
static void mark_spread(bt_earlier *one, size_t secret, uint32_t unit, uint32_t stamp)
{
    const bt_spread *spread = one->secrets[secret].spread;
    uint32_t of = spread->belief_of[unit];
    for (size_t i = spread->first[of]; i < spread->first[of + 1]; i++)
        one->stamps[secret][spread->value[i]] = stamp;
}

void bt_earlier_mark(bt_earlier *earlier, uint32_t target, uint32_t stamp)
{
    const bt_view *view = &earlier->view;
    if (view->redrawn) earlier->here = mark_rows(earlier, target, stamp);
    for (size_t i = view->first[target]; i < view->first[target + 1]; i++) {
        uint32_t group = view->candidates[i];
        for (size_t u = view->unit_first[group]; u < view->unit_first[group + 1]; u++)
            for (size_t s = 0; s < earlier->secret_count; s++) {
                const bt_secret *secret = &earlier->secrets[s];
                uint32_t unit = view->group_units[u].unit;
                if (secret->spread) mark_spread(earlier, s, unit, stamp);
                if (secret->spread) continue;
                for (size_t v = secret->first[unit]; v < secret->first[unit + 1]; v++)
                    earlier->stamps[s][secret->value[v]] = stamp;
            }
    }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of release and people under common codes, bags of units, beliefs.
 */
#include "attack/secret.h"

#include "reading/compared.h"
#include "recipe/names.h"

#include <string.h>

bool bt_secret_exists(const bt_release_column *column, bool categories)
{
    if (column->manifest->role != BT_ROLE_SENSITIVE || bt_is_companion(column->manifest))
        return false;
    if (categories && !column->values) return column->manifest->categories != NULL; /* parts */
    return categories ? column->category != NULL : !bt_shows_categories(column->manifest);
}

const bt_release_column *bt_secret_there(const bt_release *other, const char *name)
{
    for (size_t i = 0; i < other->column_count; i++)
        if (strcmp(other->columns[i].manifest->name, name) == 0 &&
            bt_secret_exists(&other->columns[i], false))
            return &other->columns[i];
    return NULL;
}

/* ---- common codes ------------------------------------------------------------------------ */

typedef struct ranked {
    const char *text;
    uint32_t code;
} ranked;

static int compare_texts(const void *left, const void *right)
{
    return strcmp(((const ranked *)left)->text, ((const ranked *)right)->text);
}

/* The order in which texts were read depends on threads; that of their bytes does not. */
static bauta_status rank_values(bt_secret *secret, bt_names *names, bauta_error *error)
{
    const bt_values *values = secret->column->values;
    bool added;
    bauta_status status = BAUTA_OK;
    ranked *order = bt_array(values->count, sizeof *order);
    secret->values = values->count;
    secret->code_of = bt_arena_array(&secret->arena, values->count, sizeof *secret->code_of);
    secret->text = bt_arena_array(&secret->arena, values->count, sizeof *secret->text);
    if (!order || !secret->code_of || !secret->text) status = bt_fail_memory(error);
    for (uint32_t i = 0; i < values->count && status == BAUTA_OK; i++) {
        order[i] = (ranked){bt_arena_copy(&secret->arena, values->text[i], values->length[i]), i};
        if (!order[i].text) status = bt_fail_memory(error);
    }
    if (status == BAUTA_OK) qsort(order, values->count, sizeof *order, compare_texts);
    for (uint32_t i = 0; i < values->count && status == BAUTA_OK; i++) {
        secret->code_of[order[i].code] = i;
        secret->text[i] = order[i].text;
        status = bt_names_add(names, 0, order[i].text, i, &added, error);
    }
    free(order);
    return status;
}

/* What the manifest does not place in a category has one of its own, the last. */
static bauta_status rank_categories(bt_secret *secret, bt_names *names, bauta_error *error)
{
    const bt_release_column *column = secret->column;
    bool added;
    secret->values = column->category_count + 1;
    secret->code_of =
        bt_arena_array(&secret->arena, column->values->count, sizeof *secret->code_of);
    if (!secret->code_of) return bt_fail_memory(error);
    for (uint32_t i = 0; i < column->values->count; i++)
        secret->code_of[i] =
            column->category[i] == BT_NOT_KNOWN ? column->category_count : column->category[i];
    for (uint32_t c = 0; c < column->category_count; c++)
        for (size_t i = 0; i < column->categories[c].count; i++)
            BT_TRY(bt_names_add(names, 0, column->categories[c].values[i], c, &added, error));
    return BAUTA_OK;
}

static bauta_status find_actual(bt_secret *secret, const bt_table *people, const bt_names *names,
                                bauta_error *error)
{
    const bt_column *theirs;
    BT_TRY(bt_original_find(people, secret->column->manifest->name, &theirs, error));
    uint32_t *code = bt_arena_array(&secret->arena, theirs->domain.size, sizeof *code);
    secret->actual = bt_array((size_t)people->rows, sizeof *secret->actual);
    if (!code || !secret->actual) return bt_fail_memory(error);
    for (uint32_t i = 0; i < theirs->domain.size; i++)
        if (!bt_names_find(names, 0, theirs->domain.text[i], &code[i])) code[i] = BT_NOT_KNOWN;
    for (int64_t row = 0; row < people->rows; row++)
        secret->actual[row] = code[bt_column_code(theirs, row)];
    return BAUTA_OK;
}

static bauta_status find_published(bt_secret *secret, bauta_error *error)
{
    const bt_release_column *column = secret->column;
    secret->published = bt_array((size_t)secret->rows, sizeof *secret->published);
    secret->counts = bt_arena_array(&secret->arena, secret->values, sizeof *secret->counts);
    if (!secret->published || !secret->counts) return bt_fail_memory(error);
    for (int64_t row = 0; row < secret->rows; row++) {
        uint32_t value = secret->code_of[bt_code_at(column->codes, column->width, row)];
        secret->published[row] = value;
        secret->counts[value]++;
    }
    return BAUTA_OK;
}

/* ---- parts of the domain ----------------------------------------------------------------- */

/* The category of each leaf; what has none has one of its own, the last. */
static bauta_status sort_leaves(bt_secret *secret, uint32_t **code, bt_names *names,
                                bauta_error *error)
{
    const bt_manifest_column *column = secret->column->manifest;
    const bt_hierarchy *tree = column->hierarchy;
    bool added;
    secret->values = column->category_count + 1;
    *code = bt_arena_array(&secret->arena, tree->leaves, sizeof **code);
    if (!*code) return bt_fail_memory(error);
    for (uint32_t c = 0; c < column->category_count; c++)
        for (size_t i = 0; i < column->categories[c].count; i++)
            BT_TRY(bt_names_add(names, 0, column->categories[c].values[i], c, &added, error));
    for (uint32_t leaf = 0; leaf < tree->leaves; leaf++)
        if (!bt_names_find(names, 0, tree->nodes[tree->leaf_node[leaf]].name, &(*code)[leaf]))
            (*code)[leaf] = column->category_count;
    return BAUTA_OK;
}

static bauta_status name_leaves(bt_secret *secret, bt_names *names, bauta_error *error)
{
    const bt_hierarchy *tree = secret->column->manifest->hierarchy;
    bool added;
    secret->values = tree->leaves;
    secret->text = bt_arena_array(&secret->arena, tree->leaves, sizeof *secret->text);
    if (!secret->text) return bt_fail_memory(error);
    for (uint32_t leaf = 0; leaf < tree->leaves; leaf++) {
        secret->text[leaf] = tree->nodes[tree->leaf_node[leaf]].name;
        BT_TRY(bt_names_add(names, 0, secret->text[leaf], leaf, &added, error));
    }
    return BAUTA_OK;
}

static bauta_status open_parts(bt_secret *secret, const bt_view *view, bauta_error *error)
{
    bt_names names = {0};
    uint32_t *code = NULL;
    secret->spread = bt_arena_array(&secret->arena, 1, sizeof *secret->spread);
    bauta_status status = secret->spread ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK)
        status = secret->categories ? sort_leaves(secret, &code, &names, error)
                                    : name_leaves(secret, &names, error);
    if (status == BAUTA_OK) status = find_actual(secret, view->people, &names, error);
    bt_names_release(&names);
    if (status != BAUTA_OK) return status;
    return bt_spread_open(view->release, code, secret->values, secret->spread, error);
}

/* ---- bags -------------------------------------------------------------------------------- */

static bauta_status make_bags(bt_secret *secret, const bt_view *view, const bt_run *run,
                              bauta_error *error)
{
    bt_tuples pairs = {0};
    if (view->redrawn)
        return bt_redrawn_bags_of_rows(view->redrawn, view->group_of, secret->published,
                                       secret->values, secret->rows, run, &secret->bags, error);
    const bt_codes codes[] = {{view->unit_of, 4, view->units},
                              {secret->published, 4, secret->values}};
    BT_TRY(bt_tuples_group(codes, 2, secret->rows, run, &pairs, error));
    secret->first = bt_arena_array(&secret->arena, (size_t)view->units + 2, sizeof *secret->first);
    secret->value = bt_array(pairs.count, sizeof *secret->value);
    secret->count = bt_array(pairs.count, sizeof *secret->count);
    bool made = secret->first && secret->value && secret->count;
    if (made) bt_tuples_gather(&pairs, view->unit_of, view->units, secret->first, secret->value);
    for (uint32_t i = 0; made && i < pairs.count; i++) {
        uint32_t pair = secret->value[i];
        secret->count[i] = pairs.size[pair];
        secret->value[i] = secret->published[pairs.row[pair]];
    }
    bt_tuples_release(&pairs);
    return made ? BAUTA_OK : bt_fail_memory(error);
}

bauta_status bt_secret_open(const bt_view *view, const bt_release_column *column, bool categories,
                            const bt_run *run, bt_secret *out, bauta_error *error)
{
    bt_names names = {0};
    *out = (bt_secret){
        .column = column, .categories = categories, .rows = bt_sensitive_rows(view->release)};
    if (view->release->form->parts) return open_parts(out, view, error);
    bauta_status status =
        categories ? rank_categories(out, &names, error) : rank_values(out, &names, error);
    if (status == BAUTA_OK) status = find_actual(out, view->people, &names, error);
    if (status == BAUTA_OK) status = find_published(out, error);
    if (status == BAUTA_OK) status = make_bags(out, view, run, error);
    bt_names_release(&names);
    return status;
}

void bt_secret_close(bt_secret *secret)
{
    if (secret->spread) bt_spread_close(secret->spread);
    free(secret->published);
    free(secret->actual);
    free(secret->value);
    free(secret->count);
    bt_redrawn_bags_release(&secret->bags);
    bt_arena_release(&secret->arena);
    *secret = (bt_secret){0};
}

uint32_t bt_secret_mode(const bt_secret *secret)
{
    uint32_t mode = 0;
    for (uint32_t v = 1; v < secret->values; v++)
        if (secret->spread ? secret->spread->prior[v] > secret->spread->prior[mode] + 1e-12
                           : secret->counts[v] > secret->counts[mode])
            mode = v;
    return mode;
}

/* ---- beliefs ----------------------------------------------------------------------------- */

bauta_status bt_attack_belief_new(bt_attack_belief *belief, uint32_t values, bauta_error *error)
{
    *belief = (bt_attack_belief){.share = bt_array_zero(values, sizeof *belief->share),
                                 .seen = bt_array(values, sizeof *belief->seen),
                                 .of = BT_NOT_KNOWN};
    return belief->share && belief->seen ? BAUTA_OK : bt_fail_memory(error);
}

void bt_attack_belief_free(bt_attack_belief *belief)
{
    free(belief->share);
    free(belief->seen);
    *belief = (bt_attack_belief){0};
}

static void add_value(bt_attack_belief *belief, uint32_t value, double rows)
{
    if (belief->share[value] == 0) belief->seen[belief->count++] = value;
    belief->share[value] += rows;
}

static void add_spread(bt_attack_belief *belief, const bt_spread *spread,
                       const bt_candidate *candidate)
{
    uint32_t of = spread->belief_of[candidate->unit];
    for (size_t i = spread->first[of]; i < spread->first[of + 1]; i++)
        add_value(belief, spread->value[i], spread->share[i] * candidate->rows);
    belief->rows += candidate->rows;
}

static void add_unit(bt_attack_belief *belief, const bt_view *view, const bt_secret *secret,
                     const bt_candidate *candidate)
{
    double each = (double)candidate->rows / (double)view->unit_size[candidate->unit];
    for (size_t i = secret->first[candidate->unit]; i < secret->first[candidate->unit + 1]; i++)
        add_value(belief, secret->value[i], each * secret->count[i]);
    belief->rows += candidate->rows;
}

/* randomized: every row counts with the chance that it is the target's. */
static void weigh_rows(bt_attack_belief *belief, const bt_view *view, const bt_secret *secret,
                       uint32_t target)
{
    const bt_redrawn *redrawn = view->redrawn;
    const bt_redrawn_bags *bags = &secret->bags;
    double sum = 0;
    for (size_t i = 0; i < redrawn->set_count; i++) {
        uint32_t unit = redrawn->sets[i].of_person[target];
        if (unit == BT_TUPLE_NONE) continue;
        size_t bag = bags->base[i] + unit;
        for (size_t e = bags->first[bag]; e < bags->first[bag + 1]; e++) {
            uint32_t value = bags->entries[e].value;
            double chance = bags->entries[e].sum;
            if (chance <= 0) continue;
            if (belief->share[value] == 0) belief->seen[belief->count++] = value;
            belief->share[value] += chance;
            sum += chance;
        }
    }
    belief->rows = sum > 0;
    for (uint32_t i = 0; i < belief->count; i++)
        belief->share[belief->seen[i]] /= sum;
}

void bt_attack_belief_form(bt_attack_belief *belief, const bt_view *view, const bt_secret *secret,
                           uint32_t target)
{
    uint32_t only = secret->spread ? bt_spread_only(secret->spread, view, target) : BT_NOT_KNOWN;
    belief->same = only != BT_NOT_KNOWN && only == belief->of;
    if (belief->same) {
        belief->rows = bt_view_rows(view, target);
        return;
    }
    belief->of = only;
    for (uint32_t i = 0; i < belief->count; i++)
        belief->share[belief->seen[i]] = 0;
    belief->count = 0;
    belief->rows = 0;
    if (view->redrawn) {
        weigh_rows(belief, view, secret, target);
        return;
    }
    for (size_t i = view->first[target]; i < view->first[target + 1]; i++) {
        uint32_t group = view->candidates[i];
        for (size_t u = view->unit_first[group]; u < view->unit_first[group + 1]; u++)
            if (secret->spread)
                add_spread(belief, secret->spread, &view->group_units[u]);
            else
                add_unit(belief, view, secret, &view->group_units[u]);
    }
    for (uint32_t i = 0; i < belief->count; i++)
        belief->share[belief->seen[i]] /= (double)belief->rows;
}

uint32_t bt_attack_belief_top(const bt_attack_belief *belief)
{
    uint32_t top = belief->seen[0];
    for (uint32_t i = 1; i < belief->count; i++) {
        uint32_t value = belief->seen[i];
        double more = belief->share[value] - belief->share[top];
        if (more > 1e-12 || (more > -1e-12 && value < top)) top = value;
    }
    return top;
}

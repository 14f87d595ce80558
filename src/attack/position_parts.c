/* SPDX-License-Identifier: Apache-2.0
 *
 * What the order of the parts in sensitive.csv gives away, of the form `distribution`: in the order
 * of the records they would tell which is whose.
 *
 * Cost: linear in rows, times the different values of a target and the depth of the tree.
 */
#include "attack/order.h"
#include "attack/secret.h"
#include "base/sort.h"

#include <math.h>

typedef struct pairing {
    const bt_view *view;
    const bt_secret *secret;
    uint32_t *target_of_group; /* BT_NOT_KNOWN: no record has these quasi values */
    size_t *first;             /* targets + 1: where the values of each target begin in `values` */
    uint32_t *values;          /* of target t: values[first[t]..first[t + 1]), ascending */
    uint32_t *copies;          /* per node: parts of the group at hand */
    uint64_t *seen, stamp;     /* per node: when it was last passed */
    uint32_t *counted_in;      /* per target: the group, + 1, that it was last counted in */
    uint32_t *counted; /* per target: parts of the group `counted_in` that may be the target's */
} pairing;

/* The different values of the records of each target. */
static bauta_status list_values(pairing *p, const bt_run *run, bauta_error *error)
{
    const bt_view *view = p->view;
    uint32_t domain = p->secret->values;
    bt_tuples pairs = {0};
    uint32_t *actual = bt_array((size_t)view->people->rows, sizeof *actual);
    p->first = bt_array_zero((size_t)view->targets.count + 2, sizeof *p->first);
    bauta_status status = actual && p->first ? BAUTA_OK : bt_fail_memory(error);
    for (int64_t row = 0; status == BAUTA_OK && row < view->people->rows; row++)
        actual[row] = p->secret->actual[row] == BT_NOT_KNOWN ? domain : p->secret->actual[row];
    const bt_codes codes[] = {{view->target_of, 4, view->targets.count}, {actual, 4, domain + 1}};
    if (status == BAUTA_OK)
        status = bt_tuples_group(codes, 2, view->people->rows, run, &pairs, error);
    if (status == BAUTA_OK) {
        p->values = bt_array(pairs.count, sizeof *p->values);
        if (!p->values) status = bt_fail_memory(error);
    }
    for (uint32_t i = 0; status == BAUTA_OK && i < pairs.count; i++)
        p->first[view->target_of[pairs.row[i]] + 2]++;
    for (uint32_t t = 1; status == BAUTA_OK && t <= view->targets.count; t++)
        p->first[t + 1] += p->first[t];
    for (uint32_t i = 0; status == BAUTA_OK && i < pairs.count; i++)
        p->values[p->first[view->target_of[pairs.row[i]] + 1]++] = actual[pairs.row[i]];
    for (uint32_t t = 0; status == BAUTA_OK && t < view->targets.count; t++)
        qsort(p->values + p->first[t], p->first[t + 1] - p->first[t], sizeof *p->values,
              bt_compare_uint32);
    bt_tuples_release(&pairs);
    free(actual);
    return status;
}

static bauta_status prepare(pairing *p, const bt_run *run, bauta_error *error)
{
    const bt_view *view = p->view;
    size_t nodes = p->secret->spread->tree->count;
    BT_TRY(list_values(p, run, error));
    p->target_of_group = bt_array(view->groups.count, sizeof *p->target_of_group);
    p->copies = bt_array_zero(nodes, sizeof *p->copies);
    p->seen = bt_array_zero(nodes, sizeof *p->seen);
    p->counted_in = bt_array_zero(view->targets.count, sizeof *p->counted_in);
    p->counted = bt_array_zero(view->targets.count, sizeof *p->counted);
    if (!p->target_of_group || !p->copies || !p->seen || !p->counted_in || !p->counted)
        return bt_fail_memory(error);
    for (uint32_t g = 0; g < view->groups.count; g++)
        p->target_of_group[g] = BT_NOT_KNOWN;
    for (uint32_t t = 0; t < view->targets.count; t++)
        for (size_t i = view->first[t]; i < view->first[t + 1]; i++)
            p->target_of_group[view->candidates[i]] = t;
    return BAUTA_OK;
}

/* Whether a part may be that of a record of the target. */
static bool may_hold(const pairing *p, const bt_target_node *part, uint32_t target)
{
    size_t from = p->first[target], to = p->first[target + 1], end = to;
    while (from < to) { /* the first value that is not below the part */
        size_t middle = from + (to - from) / 2;
        if (p->values[middle] < part->low)
            from = middle + 1;
        else
            to = middle;
    }
    return from < end && p->values[from] <= part->high;
}

/* How many parts of the group at hand may be: those above the target's values. */
static uint32_t count_parts(pairing *p, const bt_target *tree, uint32_t target)
{
    uint32_t count = 0;
    p->stamp++;
    for (size_t i = p->first[target]; i < p->first[target + 1]; i++) {
        uint32_t node = p->values[i] < tree->codes ? tree->leaf_of[p->values[i]] : BT_NO_NODE;
        while (node != BT_NO_NODE && p->seen[node] != p->stamp) {
            p->seen[node] = p->stamp;
            count += p->copies[node];
            node = node ? tree->nodes[node].parent : BT_NO_NODE;
        }
    }
    return count;
}

typedef struct group_rows { /* of the group at hand */
    const uint32_t *quasi, *parts;
    size_t count, part_count;
} group_rows;

static void fit_group(pairing *p, uint32_t unit, const group_rows *rows, bt_fit *fits)
{
    const bt_spread *spread = p->secret->spread;
    const bt_target *tree = bt_spread_target(spread, unit);
    size_t count;
    const bt_part *parts = bt_grouped_parts(&spread->groups, unit, &count);
    for (size_t i = 0; i < count; i++)
        p->copies[parts[i].node] = parts[i].copies;
    for (size_t i = 0; i < rows->part_count; i++) {
        fits[i] = (bt_fit){0};
        if (i >= rows->count) continue;
        uint32_t target = p->target_of_group[p->view->group_of[rows->quasi[i]]];
        if (target == BT_NOT_KNOWN) continue;
        const bt_target_node *ahead = &tree->nodes[bt_spread_node(spread, unit, rows->parts[i])];
        const bt_target_node *back =
            &tree->nodes[bt_spread_node(spread, unit, rows->parts[rows->part_count - 1 - i])];
        if (p->counted_in[target] != unit + 1) p->counted[target] = count_parts(p, tree, target);
        p->counted_in[target] = unit + 1;
        fits[i] = (bt_fit){p->counted[target], p->counted[target], may_hold(p, ahead, target),
                           may_hold(p, back, target)};
    }
    for (size_t i = 0; i < count; i++)
        p->copies[parts[i].node] = 0;
}

static bauta_status fit_groups(pairing *p, const bt_run *run, int64_t *tried, bt_fits *out,
                               bauta_error *error)
{
    const bt_release *release = p->view->release;
    bt_class_rows quasi = {0}, parts = {0};
    bt_fit *fits = bt_array((size_t)bt_sensitive_rows(release), sizeof *fits);
    bauta_status status = fits ? bt_release_arrange(release, BT_QUASI_FILE, run, &quasi, error)
                               : bt_fail_memory(error);
    if (status == BAUTA_OK)
        status = bt_release_arrange(release, BT_SENSITIVE_FILE, run, &parts, error);
    for (uint32_t c = 0; status == BAUTA_OK && c < release->classes.count; c++) {
        const group_rows rows = {quasi.order + quasi.starts[c], parts.order + parts.starts[c],
                                 quasi.starts[c + 1] - quasi.starts[c],
                                 parts.starts[c + 1] - parts.starts[c]};
        fit_group(p, c, &rows, fits);
        bt_fits_add(out, fits, rows.part_count);
        *tried += (int64_t)rows.count;
    }
    bt_class_rows_release(&quasi);
    bt_class_rows_release(&parts);
    free(fits);
    return status;
}

bauta_status bt_position_within_parts(bt_attack_job *job, bauta_error *error)
{
    const bt_run *run = job->attacker->run;
    const bt_release_column *column = job->attacker->release->distribution.sensitive;
    bt_secret secret = {0};
    pairing p = {.view = job->view, .secret = &secret};
    bt_fits fits = {0};
    bt_attack_result result = {.variant = "within classes",
                               .column = column->manifest->name,
                               .knows = "the files alone",
                               .tries = "to pair the n-th rows of a group in both tables"};
    bauta_status status = bt_secret_open(job->view, column, false, run, &secret, error);
    if (status == BAUTA_OK) status = prepare(&p, run, error);
    if (status == BAUTA_OK) status = fit_groups(&p, run, &result.tried, &fits, error);
    if (status == BAUTA_OK) bt_position_fits(job, &result, &fits);
    free(p.target_of_group);
    free(p.first);
    free(p.values);
    free(p.copies);
    free(p.seen);
    free(p.counted_in);
    free(p.counted);
    bt_secret_close(&secret);
    return status;
}

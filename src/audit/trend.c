/* SPDX-License-Identifier: Apache-2.0
 *
 * Correlations, ranks and neighbours.
 */
#include "audit/trend.h"

#include <math.h>
#include <string.h>

enum { PART_TRENDS = 3 }; /* ends and width */

void bt_moments_add(bt_moments *moments, double x, double y)
{
    double n = ++moments->count, dx = x - moments->x, dy = y - moments->y;
    moments->x += dx / n;
    moments->y += dy / n;
    moments->xx += dx * (x - moments->x);
    moments->yy += dy * (y - moments->y);
    moments->xy += dx * (y - moments->y);
}

double bt_moments_correlation(const bt_moments *moments)
{
    double product = moments->xx * moments->yy;
    return product > 0 ? moments->xy / sqrt(product) : 0;
}

double bt_trend_limit(int64_t count, size_t questions)
{
    double unlikely = log(2) + log((double)(questions > 1 ? questions : 1)) - BT_ORDER_CHANCE;
    return count > 0 ? fmin(1, sqrt(4 * unlikely / (double)count)) : 1;
}

/* ---- ranks ------------------------------------------------------------------------------- */

typedef struct ranked {
    const char *text;
    int64_t number;
    uint32_t length, code;
    bool is_number;
} ranked;

/* Numbers and dates, of a range the lower end, come before what is none. */
static int compare_ranked(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    if (a->is_number != b->is_number) return a->is_number ? -1 : 1;
    if (a->is_number && a->number != b->number) return a->number < b->number ? -1 : 1;
    uint32_t shorter = a->length < b->length ? a->length : b->length;
    int order = memcmp(a->text, b->text, shorter);
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

static ranked rank_text(const bt_release_column *column, uint32_t code)
{
    const bt_manifest_column *manifest = column->manifest;
    ranked one = {column->values->text[code], 0, column->values->length[code], code, false};
    if (manifest->type == BT_TEXT || bt_shows_categories(manifest)) return one;
    bt_reading reading = bt_release_reading(manifest);
    if (column->cells && !column->values_shown && !column->format.hierarchy &&
        column->cells[code].kind == BT_CELL_RANGE) {
        one.is_number = true;
        one.number = column->cells[code].lo;
    } else {
        one.is_number =
            bt_value_number(&reading, one.text, one.length, manifest->scale, &one.number);
    }
    return one;
}

bauta_status bt_trend_ranks(const bt_release_column *column, double **out, bauta_error *error)
{
    uint32_t count = column->values->count;
    ranked *order = bt_array(count, sizeof *order);
    *out = bt_array(count, sizeof **out);
    if (!order || !*out) {
        free(order);
        free(*out);
        *out = NULL;
        return bt_fail_memory(error);
    }
    for (uint32_t i = 0; i < count; i++)
        order[i] = rank_text(column, i);
    qsort(order, count, sizeof *order, compare_ranked);
    for (uint32_t i = 0; i < count; i++)
        (*out)[order[i].code] = i;
    free(order);
    return BAUTA_OK;
}

/* ---- a file ------------------------------------------------------------------------------ */

/* distribution: parts in the order of the domain, or by their width, would tell which are made up.
 */
static double trend_of_parts(const bt_release *release)
{
    const bt_release_distribution *shown = &release->distribution;
    const bt_hierarchy *tree = shown->sensitive->manifest->hierarchy;
    bool text = shown->sensitive->manifest->type == BT_TEXT;
    bt_moments low = {0}, high = {0}, width = {0};
    for (int64_t row = 0; row < bt_order_rows(release, BT_SENSITIVE_FILE); row++) {
        const bt_shown_part *part = &shown->parts[shown->part_of[row]];
        if (!part->well_formed) continue;
        double from = text ? tree->nodes[part->node].lo : (double)part->least;
        double to = text ? tree->nodes[part->node].hi : (double)part->greatest;
        bt_moments_add(&low, (double)row, from);
        bt_moments_add(&high, (double)row, to);
        bt_moments_add(&width, (double)row, to - from);
    }
    return fmax(fabs(bt_moments_correlation(&low)),
                fmax(fabs(bt_moments_correlation(&high)), fabs(bt_moments_correlation(&width))));
}

bauta_status bt_trend_find(const bt_release *release, size_t file, bt_trend *out,
                           bauta_error *error)
{
    *out = (bt_trend){0};
    for (size_t i = 0; i < release->column_count; i++) {
        const bt_release_column *column = &release->columns[i];
        bt_moments moments = {0};
        double *rank = NULL;
        if (column->file != file || !column->codes || column->manifest->role == BT_ROLE_OTHER)
            continue;
        BT_TRY(bt_trend_ranks(column, &rank, error));
        for (int64_t row = 0; row < bt_order_rows(release, file); row++)
            bt_moments_add(&moments, (double)row,
                           rank[bt_code_at(column->codes, column->width, row)]);
        free(rank);
        double found = fabs(bt_moments_correlation(&moments));
        out->questions++;
        if (out->column && found <= out->strongest) continue;
        out->strongest = found;
        out->column = column->manifest->name;
    }
    if (!release->form->parts || file != BT_SENSITIVE_FILE) return BAUTA_OK;
    *out = (bt_trend){trend_of_parts(release), release->distribution.sensitive->manifest->name,
                      PART_TRENDS};
    return BAUTA_OK;
}

/* ---- neighbours -------------------------------------------------------------------------- */

/* The rows from `first` on in pairs. `firsts` has room for all kinds, and is 0 before and after. */
static void look_at_pairs(const bt_step_table *rows, int64_t first, uint32_t *firsts,
                          bt_neighbours *out)
{
    const uint32_t *kind_of = rows->kind_of;
    int64_t pairs = (rows->rows - first) / 2;
    double expected = 0;
    for (int64_t i = 0; i < pairs; i++) {
        firsts[kind_of[first + 2 * i]]++;
        out->hits += kind_of[first + 2 * i] == kind_of[first + 2 * i + 1];
    }
    for (int64_t i = 0; i < pairs; i++)
        expected += (double)firsts[kind_of[first + 2 * i + 1]] / (double)pairs;
    for (int64_t i = 0; i < pairs; i++)
        firsts[kind_of[first + 2 * i]] = 0;
    out->tried += pairs;
    out->limit += bt_steps_limit(expected, pairs, pairs, BT_ORDER_CHANCE - log(2));
}

bauta_status bt_neighbours_find(const bt_step_table *rows, bt_neighbours *out, bauta_error *error)
{
    *out = (bt_neighbours){0};
    uint32_t *firsts = bt_array_zero(rows->kinds, sizeof *firsts);
    if (!firsts) return bt_fail_memory(error);
    for (int64_t first = 0; first < 2; first++)
        if (rows->rows - first > 1) look_at_pairs(rows, first, firsts, out);
    for (int64_t row = 0; row < rows->rows; row++) /* those of its kind that came before */
        out->expected += 2.0 * firsts[rows->kind_of[row]]++ / (double)rows->rows;
    free(firsts);
    return BAUTA_OK;
}

/* The rows of a file that are looked at by their classes, which are tuples of quasi texts. */
static bauta_status find_classes(const bt_release *release, size_t file, const bt_run *run,
                                 bt_neighbours *out, bauta_error *error)
{
    int64_t rows = bt_order_rows(release, file);
    bt_tuples classes = {0};
    size_t count = 0;
    bt_codes *quasi = bt_array(release->column_count, sizeof *quasi);
    uint32_t *class_of = bt_array((size_t)rows, sizeof *class_of);
    bauta_status status = quasi && class_of ? BAUTA_OK : bt_fail_memory(error);
    for (size_t i = 0; i < release->column_count && status == BAUTA_OK; i++) {
        const bt_release_column *column = &release->columns[i];
        if (column->manifest->role == BT_ROLE_QUASI && column->values)
            quasi[count++] = (bt_codes){column->codes, column->width, column->values->count};
    }
    if (status == BAUTA_OK)
        status = bt_tuples_number(quasi, count, rows, run, &classes, class_of, NULL, error);
    const bt_step_table table = {rows, class_of, classes.count};
    if (status == BAUTA_OK) status = bt_neighbours_find(&table, out, error);
    bt_tuples_release(&classes);
    free(class_of);
    free(quasi);
    return status;
}

bauta_status bt_neighbours_of(const bt_release *release, size_t file, const bt_run *run,
                              bt_neighbours *out, bauta_error *error)
{
    bool bags = release->form->pair || file == BT_SENSITIVE_FILE;
    const bt_step_table rows = {bt_order_rows(release, file), release->files[file].bag_of,
                                release->bags.count};
    return bags ? bt_neighbours_find(&rows, out, error)
                : find_classes(release, file, run, out, error);
}

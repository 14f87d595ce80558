/* SPDX-License-Identifier: Apache-2.0
 *
 * A join: whether the n-th row of a sensitive group in data.csv and its n-th row in sensitive.csv
 * are of one record, beyond chance; or the rows of the one follow those of the other, with public
 * rows between.
 *
 * Cost: linear in rows, and in the kinds of rows that may be of one record.
 */
#include "audit/drift.h"
#include "audit/links.h"
#include "base/sort.h"

#include <stdlib.h>

typedef struct paired {
    const bt_paired *from;
    size_t *first; /* classes + 2: where the demands that may be of records in each class begin */
    uint32_t *demands;  /* demands of class c: demands[first[c]..first[c + 1]), ascending */
    uint32_t *partners; /* per demand: rows of data.csv that may be of one of its records */
    uint32_t *class_of;
    uint32_t *order[BT_RELEASE_FILES]; /* rows group by group, ascending in each */
    size_t *starts[BT_RELEASE_FILES];
} paired;

/* Each pair once, by class. */
static bauta_status list_demands(paired *p, bauta_error *error)
{
    const bt_paired *from = p->from;
    uint32_t classes = from->release->classes.count;
    const bt_codes codes[] = {{from->pairs[0], 4, classes},
                              {from->pairs[1], 4, from->demands->count}};
    bt_tuples different = {0};
    BT_TRY(bt_tuples_group(codes, 2, from->pair_count, from->run, &different, error));
    p->first = bt_array_zero((size_t)classes + 2, sizeof *p->first);
    p->demands = bt_array(different.count, sizeof *p->demands);
    p->partners = bt_array_zero(from->demands->count, sizeof *p->partners);
    bool made = p->first && p->demands && p->partners;
    for (uint32_t i = 0; made && i < different.count; i++)
        p->first[(size_t)from->pairs[0][different.row[i]] + 2]++;
    for (size_t c = 2; made && c <= (size_t)classes + 1; c++)
        p->first[c] += p->first[c - 1];
    for (uint32_t i = 0; made && i < different.count; i++)
        p->demands[p->first[(size_t)from->pairs[0][different.row[i]] + 1]++] =
            from->pairs[1][different.row[i]];
    bt_tuples_release(&different);
    for (uint32_t c = 0; made && c < classes; c++) {
        qsort(p->demands + p->first[c], p->first[c + 1] - p->first[c], sizeof *p->demands,
              bt_compare_uint32);
        for (size_t i = p->first[c]; i < p->first[c + 1]; i++)
            p->partners[p->demands[i]] += from->release->classes.size[c];
    }
    return made ? BAUTA_OK : bt_fail_memory(error);
}

static bauta_status arrange(paired *p, size_t file, bauta_error *error)
{
    const bt_release_file *from = &p->from->release->files[file];
    uint32_t groups = p->from->release->bags.count;
    size_t *starts = p->starts[file] = bt_array_zero((size_t)groups + 2, sizeof *starts);
    uint32_t *order = p->order[file] = bt_array((size_t)from->rows, sizeof *order);
    if (!starts || !order) return bt_fail_memory(error);
    /* starts[g + 1] walks through group g while it is filled, and ends where g + 1 starts. */
    for (int64_t row = 0; row < from->rows; row++)
        starts[(size_t)from->bag_of[row] + 2]++;
    for (size_t g = 2; g <= (size_t)groups + 1; g++)
        starts[g] += starts[g - 1];
    for (int64_t row = 0; row < from->rows; row++)
        order[starts[(size_t)from->bag_of[row] + 1]++] = (uint32_t)row;
    return BAUTA_OK;
}

static bool fits(const paired *p, uint32_t class_number, uint32_t demand)
{
    size_t at = p->first[class_number];
    return bsearch(&demand, p->demands + at, p->first[class_number + 1] - at, sizeof demand,
                   bt_compare_uint32) != NULL;
}

/* The rows of a group in data.csv, of which there are more, against those of sensitive.csv. */
static size_t fit_group(const paired *p, uint32_t group, bt_fit *out)
{
    const size_t *data = p->starts[0] + group, *values = p->starts[1] + group;
    const uint32_t *rows = p->order[0] + data[0];
    size_t count = data[1] - data[0], records = values[1] - values[0];
    for (size_t n = 0; n < count; n++) {
        out[n] = (bt_fit){0};
        if (n >= records) continue;
        uint32_t demand = p->from->demand_of[p->order[1][values[0] + n]];
        out[n].partners = out[n].ways = p->partners[demand];
        out[n].forwards = fits(p, p->class_of[rows[n]], demand);
        out[n].backwards = fits(p, p->class_of[rows[count - 1 - n]], demand);
    }
    return count;
}

/* Where the rows of data.csv stand among those of their group that each demand may be of. */
static void head_for_data(const paired *p, bt_heading *classes, bt_heading *demands)
{
    const bt_release *release = p->from->release;
    for (uint32_t g = 0; g < release->bags.count; g++) {
        size_t start = p->starts[0][g];
        bt_walk walk = bt_walk_begin((int64_t)(p->starts[0][g + 1] - start));
        for (; walk.at < walk.count; bt_walk_next(&walk))
            bt_heading_add(&classes[p->class_of[p->order[0][start + (size_t)walk.at]]],
                           &walk.place);
    }
    for (uint32_t c = 0; c < release->classes.count; c++)
        for (size_t i = p->first[c]; i < p->first[c + 1]; i++)
            bt_heading_add(&demands[p->demands[i]], &classes[c]);
    bt_headings_mean(demands, p->from->demands->count);
}

static bauta_status follow(const paired *p, bt_order *out, bauta_error *error)
{
    const bt_release *release = p->from->release;
    int64_t rows = release->files[1].rows;
    bt_drift all = {0};
    bt_heading *classes = bt_array_zero(release->classes.count, sizeof *classes);
    bt_heading *demands = bt_array_zero(p->from->demands->count, sizeof *demands);
    uint32_t *demand_of = bt_array((size_t)rows, sizeof *demand_of); /* group by group */
    bool made = classes && demands && demand_of;
    if (made) head_for_data(p, classes, demands);
    for (int64_t i = 0; made && i < rows; i++)
        demand_of[i] = p->from->demand_of[p->order[1][i]];
    for (uint32_t g = 0; made && g < release->bags.count; g++)
        bt_drift_add(&all, demands, demand_of + p->starts[1][g],
                     (int64_t)(p->starts[1][g + 1] - p->starts[1][g]), false);
    if (made) *out = bt_drift_judge(&all);
    free(classes);
    free(demands);
    free(demand_of);
    return made ? BAUTA_OK : bt_fail_memory(error);
}

static bauta_status compare(paired *p, bt_link *out, bauta_error *error)
{
    const bt_release *release = p->from->release;
    bt_fits all = {0};
    BT_TRY(list_demands(p, error));
    BT_TRY(bt_release_number(release, 0, p->from->run, &p->class_of, error));
    for (size_t file = 0; file < 2; file++)
        BT_TRY(arrange(p, file, error));
    bt_fit *rows = bt_array((size_t)release->rows, sizeof *rows);
    if (!rows) return bt_fail_memory(error);
    for (uint32_t g = 0; g < release->bags.count; g++)
        bt_fits_add(&all, rows, fit_group(p, g, rows));
    free(rows);
    bt_order order = bt_fits_judge(&all);
    bt_link_add(out, bt_order_told(order), bt_order_broken(order));
    BT_TRY(follow(p, &order, error));
    bt_link_add(out, bt_order_told(order), bt_order_broken(order));
    return BAUTA_OK;
}

bauta_status bt_links_paired(const bt_paired *from, bt_link *out, bauta_error *error)
{
    paired p = {.from = from};
    bauta_status status = compare(&p, out, error);
    free(p.first);
    free(p.demands);
    free(p.partners);
    free(p.class_of);
    for (size_t file = 0; file < 2; file++) {
        free(p.order[file]);
        free(p.starts[file]);
    }
    return status;
}

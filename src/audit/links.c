/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows, records and classes as orders of each other.
 */
#include "audit/links.h"
#include "audit/drift.h"

void bt_link_add(bt_link *link, bool told, bool broken)
{
    link->told |= told || broken;
    link->broken |= broken;
}

static void add_order(bt_link *link, bt_order order)
{
    bt_link_add(link, bt_order_told(order), bt_order_broken(order));
}

/* ---- sequences --------------------------------------------------------------------------- */

bauta_status bt_links_sequence(const uint32_t *values, uint32_t count, int64_t bound, bt_link *out,
                               bauta_error *error)
{
    uint32_t *rank = bt_array_zero((size_t)bound, sizeof *rank), next = 0;
    uint32_t *place = bt_array(count, sizeof *place);
    bt_order order = {0};
    bauta_status status = rank && place ? BAUTA_OK : bt_fail_memory(error);
    for (uint32_t i = 0; status == BAUTA_OK && i < count; i++)
        rank[values[i]] = 1;
    for (int64_t v = 0; status == BAUTA_OK && v < bound; v++)
        if (rank[v]) rank[v] = next++;
    for (uint32_t i = 0; status == BAUTA_OK && i < count; i++)
        place[i] = rank[values[i]];
    if (status == BAUTA_OK) status = bt_orders_whole(place, count, &order, error);
    if (status == BAUTA_OK) add_order(out, order);
    free(rank);
    free(place);
    return status;
}

bauta_status bt_links_numbers(const uint32_t *number, uint32_t units, const uint32_t *unit_of,
                              int64_t rows, bt_link *out, bauta_error *error)
{
    bool *seen = bt_array_zero(units, sizeof *seen);
    uint32_t *sequence = bt_array(units, sizeof *sequence), count = 0;
    bauta_status status = seen && sequence ? BAUTA_OK : bt_fail_memory(error);
    for (int64_t row = 0; status == BAUTA_OK && row < rows && count < units; row++) {
        uint32_t unit = unit_of[row];
        if (unit == BT_NO_KIND || seen[unit]) continue;
        seen[unit] = true;
        if (number[unit] >= 1 && number[unit] <= units) sequence[count++] = number[unit] - 1;
    }
    if (status == BAUTA_OK) status = bt_links_sequence(sequence, count, units, out, error);
    free(seen);
    free(sequence);
    return status;
}

/* ---- who is who -------------------------------------------------------------------------- */

typedef struct links {
    const bt_matched *from;
    bool distribution;
    uint32_t *reach;                       /* per demand: records that it may be */
    int64_t known[BT_RELEASE_FILES];       /* rows of which that is known */
    uint32_t *record_of[BT_RELEASE_FILES]; /* per row: the one record that it is, or BT_NO_KIND */
    int64_t rows[BT_RELEASE_FILES];
    size_t last; /* the file with the sensitive columns */
    /* its rows unit by unit, ascending in each; and those of quasi.csv */
    uint32_t *order[BT_RELEASE_FILES];
    size_t *starts[BT_RELEASE_FILES];
    uint32_t
        *home_of; /* per supply: the unit that all rows are in that may be its; or BT_NO_KIND */
} links;

/* The demand of a supply that has no choice. */
static uint32_t only_demand(const bt_matched *from, uint32_t supply)
{
    size_t at = from->first[supply];
    return from->first[supply + 1] - at == 1 ? from->demand[at] : BT_NO_KIND;
}

static bauta_status count_reach(links *l, bauta_error *error)
{
    const bt_matched *from = l->from;
    l->reach = bt_array_zero(from->demands->count, sizeof *l->reach);
    if (!l->reach) return bt_fail_memory(error);
    for (uint32_t s = 0; s < from->supplies->count; s++)
        for (size_t i = from->first[s]; i < from->first[s + 1]; i++)
            l->reach[from->demand[i]] += from->supplies->size[s];
    return BAUTA_OK;
}

/* Whether supply s is a single record and the one that can be the single row of demand d. Where
 * values are made up the row need not be anyone's: there the record must have no other. */
static bool is_known(const links *l, uint32_t s, uint32_t d)
{
    const bt_matched *from = l->from;
    return l->reach[d] == 1 && from->demands->size[d] == 1 &&
           (!l->distribution || only_demand(from, s) == d);
}

static bauta_status find_records(links *l, bauta_error *error)
{
    const bt_matched *from = l->from;
    for (size_t f = 0; f <= l->last; f++) {
        l->record_of[f] = bt_array((size_t)l->rows[f], sizeof **l->record_of);
        if (!l->record_of[f]) return bt_fail_memory(error);
        for (int64_t row = 0; row < l->rows[f]; row++)
            l->record_of[f][row] = BT_NO_KIND;
    }
    for (uint32_t s = 0; s < from->supplies->count; s++)
        for (size_t i = from->first[s]; i < from->first[s + 1]; i++)
            if (is_known(l, s, from->demand[i])) {
                l->record_of[l->last][from->demands->row[from->demand[i]]] = from->supplies->row[s];
                l->known[l->last]++;
            }
    if (!from->rows) return BAUTA_OK;
    /* quasi.csv: the only row and the only record with these values */
    const bt_tuples *all = bt_rows_all(from->rows);
    uint32_t *there = bt_array_zero(all->count, sizeof *there);
    if (!there) return bt_fail_memory(error);
    for (uint32_t s = 0; s < from->supplies->count; s++)
        if (from->quasi_of[s] != BT_TUPLE_NONE) there[from->quasi_of[s]] += from->supplies->size[s];
    for (uint32_t s = 0; s < from->supplies->count; s++) {
        uint32_t g = from->quasi_of[s];
        if (g == BT_TUPLE_NONE || there[g] > 1 || all->size[g] > 1) continue;
        l->record_of[BT_QUASI_FILE][all->row[g]] = from->supplies->row[s];
        l->known[BT_QUASI_FILE]++;
    }
    free(there);
    return BAUTA_OK;
}

static bauta_status arrange(links *l, size_t file, const uint32_t *unit_of, bauta_error *error)
{
    uint32_t units = l->from->units;
    l->order[file] = bt_array((size_t)l->rows[file], sizeof **l->order);
    l->starts[file] = bt_array_zero((size_t)units + 2, sizeof **l->starts);
    if (!l->order[file] || !l->starts[file]) return bt_fail_memory(error);
    size_t *starts = l->starts[file];
    /* starts[u + 1] walks through unit u while it is filled, and ends where u + 1 starts. */
    for (int64_t row = 0; row < l->rows[file]; row++)
        starts[(size_t)unit_of[row] + 2]++;
    for (size_t u = 2; u <= (size_t)units + 1; u++)
        starts[u] += starts[u - 1];
    for (int64_t row = 0; row < l->rows[file]; row++)
        l->order[file][starts[(size_t)unit_of[row] + 1]++] = (uint32_t)row;
    return BAUTA_OK;
}

/* ---- rows that are known ----------------------------------------------------------------- */

/* The rows of a file against the records, all of them and class by class. */
static bauta_status compare_known(const links *l, size_t file, bt_links *out, bauta_error *error)
{
    const uint32_t *record_of = l->record_of[file], *order = l->order[file];
    uint32_t units = l->from->units, count = 0;
    uint32_t *place = bt_array((size_t)l->rows[file], sizeof *place);
    size_t *first = bt_array((size_t)units + 1, sizeof *first);
    bauta_status status = place && first ? BAUTA_OK : bt_fail_memory(error);
    for (int64_t row = 0; status == BAUTA_OK && row < l->rows[file]; row++)
        if (record_of[row] != BT_NO_KIND) place[count++] = record_of[row];
    if (status == BAUTA_OK)
        status = bt_links_sequence(place, count, l->from->records, &out->original[file], error);
    count = 0;
    for (uint32_t u = 0; status == BAUTA_OK && u < units; u++) {
        first[u] = count;
        for (size_t i = l->starts[file][u]; i < l->starts[file][u + 1]; i++)
            if (record_of[order[i]] != BT_NO_KIND) place[count++] = record_of[order[i]];
    }
    if (status == BAUTA_OK) {
        first[units] = count;
        add_order(&out->within[file], bt_orders_within(place, first, units));
    }
    free(place);
    free(first);
    return status;
}

/* The rows of quasi.csv against those of sensitive.csv that are of the same records. */
static bauta_status compare_tables(const links *l, bt_links *out, bauta_error *error)
{
    uint32_t units = l->from->units, count = 0;
    int64_t rows = l->rows[BT_QUASI_FILE], others = l->rows[BT_SENSITIVE_FILE];
    uint32_t *row_of = bt_array((size_t)l->from->records, sizeof *row_of);
    uint32_t *place = bt_array((size_t)rows, sizeof *place);
    size_t *first = bt_array((size_t)units + 1, sizeof *first);
    bauta_status status = row_of && place && first ? BAUTA_OK : bt_fail_memory(error);
    for (int64_t r = 0; status == BAUTA_OK && r < l->from->records; r++)
        row_of[r] = BT_NO_KIND;
    for (int64_t row = 0; status == BAUTA_OK && row < others; row++)
        if (l->record_of[BT_SENSITIVE_FILE][row] != BT_NO_KIND)
            row_of[l->record_of[BT_SENSITIVE_FILE][row]] = (uint32_t)row;
    for (int64_t row = 0; status == BAUTA_OK && row < rows; row++) {
        uint32_t record = l->record_of[BT_QUASI_FILE][row];
        if (record != BT_NO_KIND && row_of[record] != BT_NO_KIND) place[count++] = row_of[record];
    }
    if (status == BAUTA_OK) status = bt_links_sequence(place, count, others, &out->step, error);
    count = 0;
    for (uint32_t u = 0; status == BAUTA_OK && u < units; u++) {
        first[u] = count;
        for (size_t i = l->starts[0][u]; i < l->starts[0][u + 1]; i++) {
            uint32_t record = l->record_of[BT_QUASI_FILE][l->order[0][i]];
            if (record != BT_NO_KIND && row_of[record] != BT_NO_KIND)
                place[count++] = row_of[record];
        }
    }
    if (status == BAUTA_OK) {
        first[units] = count;
        add_order(&out->step, bt_orders_within(place, first, units));
    }
    free(row_of);
    free(place);
    free(first);
    return status;
}

/* ---- rows that are alike ----------------------------------------------------------------- */

static uint32_t unit_of_demand(const bt_matched *from, uint32_t demand)
{
    return from->unit_of[from->demands->row[demand]];
}

static bauta_status find_homes(links *l, bauta_error *error)
{
    const bt_matched *from = l->from;
    l->home_of = bt_array(from->supplies->count, sizeof *l->home_of);
    if (!l->home_of) return bt_fail_memory(error);
    for (uint32_t s = 0; s < from->supplies->count; s++) {
        size_t at = from->first[s], end = from->first[s + 1];
        l->home_of[s] = at < end ? unit_of_demand(from, from->demand[at]) : BT_NO_KIND;
        for (; at < end; at++)
            if (unit_of_demand(from, from->demand[at]) != l->home_of[s]) l->home_of[s] = BT_NO_KIND;
    }
    return BAUTA_OK;
}

static bauta_status step(const links *l, const bt_step_table *rows, const bt_step_table *records,
                         const bt_step_pairs *pairs, bt_link *out, bauta_error *error)
{
    const bt_step_table tables[2] = {*rows, *records};
    bt_steps steps;
    BT_TRY(bt_steps_find(tables, pairs, l->from->run, &steps, error));
    bt_link_add(out, steps.told, steps.in_step);
    return BAUTA_OK;
}

/* Where the records stand that each demand may be: of a supply that may be several, in each. */
static bauta_status head_for_records(const links *l, const bt_step_table *records,
                                     bt_heading *headings, bauta_error *error)
{
    const bt_matched *from = l->from;
    bt_heading *supplies = bt_array(records->kinds, sizeof *supplies);
    if (!supplies) return bt_fail_memory(error);
    bt_headings_of_rows(records, supplies);
    for (uint32_t s = 0; s < records->kinds; s++)
        for (size_t i = from->first[s]; i < from->first[s + 1]; i++)
            bt_heading_add(&headings[from->demand[i]], &supplies[s]);
    bt_headings_mean(headings, from->demands->count);
    free(supplies);
    return BAUTA_OK;
}

/* The rows of the file with sensitive columns, and those of each unit, where rows of others may
 * stand between. */
static bauta_status follow_records(const links *l, const bt_step_table *records, bt_links *out,
                                   bauta_error *error)
{
    const bt_matched *from = l->from;
    const size_t *starts = l->starts[l->last];
    int64_t rows = l->rows[l->last];
    bt_drift whole = {0}, within = {0};
    bt_heading *headings = bt_array_zero(from->demands->count, sizeof *headings);
    uint32_t *demand_of = bt_array((size_t)rows, sizeof *demand_of); /* unit by unit */
    bauta_status status = headings && demand_of ? head_for_records(l, records, headings, error)
                                                : bt_fail_memory(error);
    if (status == BAUTA_OK) {
        bt_drift_add(&whole, headings, from->demand_of, rows, true);
        for (int64_t i = 0; i < rows; i++)
            demand_of[i] = from->demand_of[l->order[l->last][i]];
        for (uint32_t u = 0; u < from->units; u++)
            bt_drift_add(&within, headings, demand_of + starts[u],
                         (int64_t)(starts[u + 1] - starts[u]), false);
        add_order(&out->original[l->last], bt_drift_judge(&whole));
        add_order(&out->within[l->last], bt_drift_judge(&within));
    }
    free(headings);
    free(demand_of);
    return status;
}

/* Row by row: rows of the file with sensitive columns against the records that may be theirs. */
static bauta_status compare_lines(const links *l, bt_links *out, bauta_error *error)
{
    const bt_matched *from = l->from;
    uint32_t supplies = from->supplies->count;
    size_t edges = from->first[supplies];
    uint32_t *kinds = bt_array((size_t)from->records, sizeof *kinds);
    uint32_t *supply = bt_array(edges, sizeof *supply); /* per edge */
    bauta_status status = kinds && supply ? BAUTA_OK : bt_fail_memory(error);
    int64_t count = 0;
    for (uint32_t s = 0; status == BAUTA_OK && s < supplies; s++)
        for (size_t i = from->first[s]; i < from->first[s + 1]; i++)
            supply[i] = s;
    for (int64_t r = 0; status == BAUTA_OK && r < from->records; r++)
        if (from->first[from->supply_of[r] + 1] > from->first[from->supply_of[r]])
            kinds[count++] = from->supply_of[r];
    const bt_step_table rows = {l->rows[l->last], from->demand_of, from->demands->count};
    const bt_step_table records = {count, kinds, supplies};
    const bt_step_pairs pairs = {{from->demand, supply}, (int64_t)edges, true};
    if (status == BAUTA_OK)
        status = step(l, &rows, &records, &pairs, &out->original[l->last], error);
    if (status == BAUTA_OK) status = follow_records(l, &records, out, error);
    free(kinds);
    free(supply);
    return status;
}

/* Row by row: rows of quasi.csv against the records that may be theirs. */
static bauta_status compare_quasi(const links *l, bt_links *out, bauta_error *error)
{
    const bt_matched *from = l->from;
    uint32_t combinations = bt_rows_all(from->rows)->count;
    uint32_t *kinds = bt_array((size_t)from->records, sizeof *kinds);
    int64_t count = 0;
    if (!kinds) return bt_fail_memory(error);
    for (int64_t r = 0; r < from->records; r++)
        if (from->quasi_of[from->supply_of[r]] != BT_TUPLE_NONE)
            kinds[count++] = from->quasi_of[from->supply_of[r]];
    const bt_step_table rows = {l->rows[BT_QUASI_FILE], bt_rows_numbers(from->rows), combinations};
    const bt_step_table records = {count, kinds, combinations};
    const bt_step_table followed[2] = {records, rows};
    bt_order drift = {0};
    bauta_status status = step(l, &rows, &records, NULL, &out->original[BT_QUASI_FILE], error);
    if (status == BAUTA_OK) status = bt_drift_tables(followed, &drift, error);
    if (status == BAUTA_OK) add_order(&out->original[BT_QUASI_FILE], drift);
    free(kinds);
    return status;
}

/* Which supply the n-th row of each unit should be of, unit by unit: in the order of the records.
 * Nothing is said of units that have not as many records that are certain to be in them. */
static bauta_status want_records(const links *l, uint32_t *wanted, bauta_error *error)
{
    const bt_matched *from = l->from;
    const size_t *starts = l->starts[l->last];
    size_t *next = bt_array((size_t)from->units, sizeof *next);
    if (!next) return bt_fail_memory(error);
    for (uint32_t u = 0; u < from->units; u++)
        next[u] = starts[u];
    for (int64_t r = 0; r < from->records; r++) {
        uint32_t unit = l->home_of[from->supply_of[r]];
        if (unit == BT_NO_KIND) continue;
        if (next[unit] < starts[unit + 1]) wanted[next[unit]] = from->supply_of[r];
        next[unit]++;
    }
    for (uint32_t u = 0; u < from->units; u++) {
        bool whole = next[u] == starts[u + 1] || (l->distribution && next[u] < starts[u + 1]);
        for (size_t i = whole ? next[u] : starts[u]; i < starts[u + 1]; i++)
            wanted[i] = BT_NO_KIND;
    }
    free(next);
    return BAUTA_OK;
}

/* Which supply the n-th row of each unit should be of, in the order of the rows of quasi.csv, where
 * only one supply has their values. */
static bauta_status want_quasi(const links *l, uint32_t *wanted, bauta_error *error)
{
    const bt_matched *from = l->from;
    const uint32_t *combination = bt_rows_numbers(from->rows);
    enum { NONE_YET = UINT32_MAX - 1 };
    uint32_t count = bt_rows_all(from->rows)->count;
    uint32_t *supply = bt_array(count, sizeof *supply);
    if (!supply) return bt_fail_memory(error);
    for (uint32_t g = 0; g < count; g++)
        supply[g] = NONE_YET;
    for (uint32_t s = 0; s < from->supplies->count; s++)
        if (from->quasi_of[s] != BT_TUPLE_NONE)
            supply[from->quasi_of[s]] = supply[from->quasi_of[s]] == NONE_YET ? s : BT_NO_KIND;
    for (uint32_t u = 0; u < from->units; u++) {
        size_t at = l->starts[0][u];
        for (size_t i = l->starts[1][u]; i < l->starts[1][u + 1]; i++, at++) {
            wanted[i] = BT_NO_KIND;
            if (at < l->starts[0][u + 1]) wanted[i] = supply[combination[l->order[0][at]]];
            if (wanted[i] == NONE_YET) wanted[i] = BT_NO_KIND;
        }
    }
    free(supply);
    return BAUTA_OK;
}

static bool can_serve(const bt_matched *from, uint32_t supply, uint32_t demand)
{
    for (size_t i = from->first[supply]; i < from->first[supply + 1]; i++)
        if (from->demand[i] == demand) return true;
    return false;
}

/* The rows of unit u against the supplies that are wanted there. used[d]: of demand d, 0 before and
 * after. */
static void fit_unit(const links *l, uint32_t u, const uint32_t *wanted, uint32_t *used,
                     bt_fit *rows)
{
    const bt_matched *from = l->from;
    size_t start = l->starts[l->last][u], count = l->starts[l->last][u + 1] - start;
    const uint32_t *order = l->order[l->last] + start;
    for (size_t n = 0; n < count; n++) {
        uint32_t s = wanted[start + n];
        rows[n] = (bt_fit){0};
        if (s == BT_NO_KIND) continue;
        for (size_t i = from->first[s]; i < from->first[s + 1]; i++)
            if (unit_of_demand(from, from->demand[i]) == u)
                rows[n].partners += from->demands->size[from->demand[i]];
        uint32_t only = only_demand(from, s);
        rows[n].ways = rows[n].partners;
        if (only != BT_NO_KIND && rows[n].ways > used[only]) rows[n].ways -= used[only]++;
        rows[n].forwards = can_serve(from, s, from->demand_of[order[n]]);
        rows[n].backwards = can_serve(from, s, from->demand_of[order[count - 1 - n]]);
    }
    for (size_t n = 0; n < count; n++) {
        uint32_t s = wanted[start + n], only = s == BT_NO_KIND ? s : only_demand(from, s);
        if (only != BT_NO_KIND) used[only] = 0;
    }
}

static bauta_status compare_fits(const links *l, const uint32_t *wanted, bt_link *out,
                                 bauta_error *error)
{
    const size_t *starts = l->starts[l->last];
    size_t most = 0;
    bt_fits all = {0};
    for (uint32_t u = 0; u < l->from->units; u++)
        if (starts[u + 1] - starts[u] > most) most = starts[u + 1] - starts[u];
    bt_fit *rows = bt_array(most, sizeof *rows);
    uint32_t *used = bt_array_zero(l->from->demands->count, sizeof *used);
    bauta_status status = rows && used ? BAUTA_OK : bt_fail_memory(error);
    for (uint32_t u = 0; status == BAUTA_OK && u < l->from->units; u++) {
        fit_unit(l, u, wanted, used, rows);
        bt_fits_add(&all, rows, starts[u + 1] - starts[u]);
    }
    if (status == BAUTA_OK) add_order(out, bt_fits_judge(&all));
    free(rows);
    free(used);
    return status;
}

static bauta_status compare_units(const links *l, bt_links *out, bauta_error *error)
{
    uint32_t *wanted = bt_array((size_t)l->rows[l->last], sizeof *wanted);
    bauta_status status = wanted ? want_records(l, wanted, error) : bt_fail_memory(error);
    if (status == BAUTA_OK) status = compare_fits(l, wanted, &out->within[l->last], error);
    if (status == BAUTA_OK && l->from->rows) {
        status = want_quasi(l, wanted, error);
        if (status == BAUTA_OK) status = compare_fits(l, wanted, &out->step, error);
    }
    free(wanted);
    return status;
}

/* All rows of a class beside each other, where many records have the same quasi values. */
static bauta_status compare_crossed(const links *l, bt_links *out, bauta_error *error)
{
    const bt_crossed from = {.matched = l->from,
                             .order = {l->order[0], l->order[1]},
                             .starts = {l->starts[0], l->starts[1]}};
    return bt_links_crossed(&from, &out->step, error);
}

/* ---- boxes ------------------------------------------------------------------------------- */

/* The rows of data.csv, by classes, against those of the table, where some stand between that are
 * in the other one alone. */
static bauta_status follow_boxed(const bt_step_table *data, const bt_step_table *boxed,
                                 const bt_boxed *table, bt_link *out, bauta_error *error)
{
    bt_drift all = {0};
    bt_heading *classes = bt_array_zero(data->kinds, sizeof *classes);
    bt_heading *tuples = bt_array(boxed->kinds, sizeof *tuples);
    bauta_status status = classes && tuples ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) {
        bt_headings_of_rows(boxed, tuples);
        for (uint32_t t = 0; t < boxed->kinds; t++)
            for (size_t i = table->first[t]; i < table->first[t + 1]; i++)
                bt_heading_add(&classes[table->class_of[i]], &tuples[t]);
        bt_headings_mean(classes, data->kinds);
        bt_drift_add(&all, classes, data->kind_of, data->rows, true);
        add_order(out, bt_drift_judge(&all));
    }
    free(classes);
    free(tuples);
    return status;
}

bauta_status bt_links_boxed(const bt_release *release, const bt_run *run, const bt_boxed *table,
                            bt_link *out, bauta_error *error)
{
    uint32_t count = table->tuples, *class_of = NULL;
    size_t edges = table->first[count];
    uint32_t *boxed = bt_array((size_t)table->rows, sizeof *boxed); /* tuples of rows in a box */
    uint32_t *tuple = bt_array(edges, sizeof *tuple);               /* per edge */
    int64_t rows = 0;
    bt_steps steps;
    bauta_status status = boxed && tuple ? BAUTA_OK : bt_fail_memory(error);
    for (uint32_t t = 0; status == BAUTA_OK && t < count; t++)
        for (size_t i = table->first[t]; i < table->first[t + 1]; i++)
            tuple[i] = t;
    for (int64_t row = 0; status == BAUTA_OK && row < table->rows; row++) {
        uint32_t own = table->tuple_of[row];
        if (table->first[own + 1] > table->first[own]) boxed[rows++] = own;
    }
    if (status == BAUTA_OK) status = bt_release_number(release, 0, run, &class_of, error);
    const bt_step_table tables[2] = {{release->rows, class_of, release->classes.count},
                                     {rows, boxed, count}};
    const bt_step_pairs pairs = {{table->class_of, tuple}, (int64_t)edges, true};
    if (status == BAUTA_OK) status = bt_steps_find(tables, &pairs, run, &steps, error);
    if (status == BAUTA_OK) bt_link_add(out, steps.told, steps.in_step);
    if (status == BAUTA_OK) status = follow_boxed(&tables[0], &tables[1], table, out, error);
    free(boxed);
    free(tuple);
    free(class_of);
    return status;
}

/* ---- numbers and made-up values ---------------------------------------------------------- */

static bauta_status compare_numbers(const links *l, bt_links *out, bauta_error *error)
{
    const bt_matched *from = l->from;
    uint32_t *unit_of = bt_array((size_t)from->records, sizeof *unit_of);
    if (!unit_of) return bt_fail_memory(error);
    for (int64_t r = 0; r < from->records; r++)
        unit_of[r] = l->home_of[from->supply_of[r]];
    bauta_status status = bt_links_numbers(from->release->bags.number, from->units, unit_of,
                                           from->records, &out->numbers, error);
    free(unit_of);
    return status;
}

static bauta_status compare_fakes(const links *l, bt_links *out, bauta_error *error)
{
    const bt_matched *from = l->from;
    const size_t *starts = l->starts[l->last];
    uint32_t *marks = bt_array_zero(from->units, sizeof *marks);
    uint32_t *rows = bt_array(from->units, sizeof *rows);
    bool *together = bt_array(from->units, sizeof *together);
    int64_t early = 0, half = l->rows[l->last] / 2;
    bauta_status status = marks && rows && together ? BAUTA_OK : bt_fail_memory(error);
    for (uint32_t u = 0; status == BAUTA_OK && u < from->units; u++) {
        size_t changes = 0;
        bool before = false;
        rows[u] = (uint32_t)(starts[u + 1] - starts[u]);
        for (size_t i = starts[u]; i < starts[u + 1]; i++) {
            uint32_t row = l->order[l->last][i];
            bool fake = l->reach[from->demand_of[row]] == 0;
            marks[u] += fake;
            early += fake && row < half;
            changes += i > starts[u] && fake != before;
            before = fake;
        }
        together[u] = changes == 1;
    }
    if (status == BAUTA_OK)
        add_order(&out->fakes, bt_orders_marked(rows, marks, together, from->units, early));
    free(marks);
    free(rows);
    free(together);
    return status;
}

/* ---- the whole --------------------------------------------------------------------------- */

/* Rows that are alike are left out where enough others are known: these show an order as well. */
enum { ENOUGH = 4096 };

static bauta_status compare_all(links *l, bt_links *out, bauta_error *error)
{
    const bt_matched *from = l->from;
    BT_TRY(count_reach(l, error));
    BT_TRY(find_records(l, error));
    BT_TRY(arrange(l, l->last, from->unit_of, error));
    BT_TRY(compare_known(l, l->last, out, error));
    if (from->rows) {
        BT_TRY(arrange(l, BT_QUASI_FILE, from->release->files[BT_QUASI_FILE].bag_of, error));
        BT_TRY(compare_known(l, BT_QUASI_FILE, out, error));
        BT_TRY(compare_tables(l, out, error));
    }
    bool enough = l->known[l->last] >= ENOUGH;
    if (!bt_sensitive_apart(from->release) && enough) return BAUTA_OK;
    BT_TRY(find_homes(l, error));
    if (!enough) BT_TRY(compare_lines(l, out, error));
    if (from->rows && l->known[BT_QUASI_FILE] < ENOUGH) BT_TRY(compare_quasi(l, out, error));
    BT_TRY(compare_units(l, out, error));
    if (from->rows && !l->distribution && !(enough && l->known[BT_QUASI_FILE] >= ENOUGH))
        BT_TRY(compare_crossed(l, out, error));
    if (bt_sensitive_apart(from->release)) BT_TRY(compare_numbers(l, out, error));
    return l->distribution ? compare_fakes(l, out, error) : BAUTA_OK;
}

bauta_status bt_links_find(const bt_matched *from, bt_links *out, bauta_error *error)
{
    links l = {.from = from,
               .distribution = from->release->form->parts,
               .last = from->release->sensitive_file};
    for (size_t f = 0; f <= l.last; f++)
        l.rows[f] = from->release->files[f].rows;
    *out = (bt_links){.asked = true};
    bauta_status status = compare_all(&l, out, error);
    for (size_t f = 0; f < BT_RELEASE_FILES; f++) {
        free(l.record_of[f]);
        free(l.order[f]);
        free(l.starts[f]);
    }
    free(l.reach);
    free(l.home_of);
    return status;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Coded columns before their domains are known: keeping blocks of codes narrow, uniting the
 * workers' dictionaries, and mapping to final codes.
 */
#include "io/raw.h"

static bauta_status allocate_worker(const bt_raw *raw, bt_raw_worker *worker, bauta_error *error)
{
    worker->coders = bt_array_zero(raw->coded, sizeof *worker->coders);
    worker->relays = bt_array_zero(raw->coded, sizeof *worker->relays);
    worker->checkers = bt_array_zero(raw->checked, sizeof *worker->checkers);
    worker->watchers = bt_array_zero(raw->watchers, sizeof *worker->watchers);
    worker->lately = bt_array_zero(1, sizeof *worker->lately);
    worker->row = bt_array_zero(raw->columns, sizeof *worker->row);
    if (!worker->coders || !worker->relays || !worker->checkers || !worker->watchers ||
        !worker->lately || !worker->row)
        return bt_fail_memory(error);
    for (size_t i = 0; i < raw->checked; i++) {
        worker->checkers[i].forms = BT_FORM_ANY;
        if (raw->lone[i] != SIZE_MAX) worker->checkers[i].alone = &worker->watchers[raw->lone[i]];
    }
    return BAUTA_OK;
}

static bauta_status allocate(bt_raw *raw, bauta_error *error)
{
    raw->place = bt_array_zero(raw->columns, sizeof *raw->place);
    raw->coded_column = bt_array_zero(raw->columns, sizeof *raw->coded_column);
    raw->checked_column = bt_array_zero(raw->columns, sizeof *raw->checked_column);
    raw->watched_column = bt_array_zero(raw->columns, sizeof *raw->watched_column);
    raw->lone = bt_array_zero(raw->columns, sizeof *raw->lone);
    raw->blocks = bt_array_zero(raw->block_count, sizeof *raw->blocks);
    raw->workers = bt_array_zero(raw->worker_count, sizeof *raw->workers);
    if (!raw->place || !raw->coded_column || !raw->checked_column || !raw->watched_column ||
        !raw->lone || !raw->blocks || !raw->workers)
        return bt_fail_memory(error);
    return BAUTA_OK;
}

static bauta_status allocate_columns(bt_raw *raw, bauta_error *error)
{
    raw->values = bt_array_zero(raw->coded, sizeof *raw->values);
    raw->global = bt_array_zero(raw->coded, sizeof *raw->global);
    raw->merged = bt_array_zero(raw->coded, sizeof *raw->merged);
    raw->rows_of = bt_array_zero(raw->coded, sizeof *raw->rows_of);
    raw->checks = bt_array_zero(raw->checked, sizeof *raw->checks);
    raw->repeats = bt_array_zero(raw->watchers, sizeof *raw->repeats);
    if (!raw->values || !raw->global || !raw->merged || !raw->rows_of || !raw->checks ||
        !raw->repeats)
        return bt_fail_memory(error);
    for (size_t i = 0; i < raw->coded; i++) {
        raw->global[i] = bt_array_zero(raw->worker_count, sizeof *raw->global[i]);
        if (!raw->global[i]) return bt_fail_memory(error);
    }
    for (unsigned w = 0; w < raw->worker_count; w++)
        BT_TRY(allocate_worker(raw, &raw->workers[w], error));
    return BAUTA_OK;
}

/* A single coded column has its counts in its dictionary. */
static bauta_status open_sets(bt_raw *raw, const bt_use *uses, const bt_run *run,
                              bauta_error *error)
{
    for (size_t s = 0; s < BT_USE_SETS; s++) {
        bt_raw_set *set = &raw->sets[s];
        set->columns = bt_array_zero(raw->columns, sizeof *set->columns);
        if (!set->columns) return bt_fail_memory(error);
        for (size_t i = 0; i < raw->columns; i++)
            if (uses[i] & (BT_USE_FIRST_SET << s)) set->columns[set->count++] = i;
        if (set->count > 1 || (set->count == 1 && uses[set->columns[0]] & BT_USE_CHECK))
            BT_TRY(bt_singles_new(run, set->count, &set->singles, error));
    }
    raw->excerpted = bt_array_zero(raw->columns, sizeof *raw->excerpted);
    if (!raw->excerpted) return bt_fail_memory(error);
    for (size_t i = 0; i < raw->columns; i++)
        if (uses[i] & BT_USE_EXCERPT) raw->excerpted[raw->excerpted_count++] = i;
    return BAUTA_OK;
}

static void number_watchers(bt_raw *raw, const bt_use *uses)
{
    raw->watchers = raw->watched;
    for (size_t i = 0; i < raw->checked; i++)
        raw->lone[i] = uses[raw->checked_column[i]] & BT_USE_ALONE ? raw->watchers++ : SIZE_MAX;
    raw->together = raw->watchers - raw->watched > 1 ? raw->watchers++ : SIZE_MAX;
}

bauta_status bt_raw_new(const bt_use *uses, size_t columns, size_t blocks, const bt_run *run,
                        bt_raw **out, bauta_error *error)
{
    *out = NULL;
    bt_raw *raw = bt_array_zero(1, sizeof *raw);
    if (!raw) return bt_fail_memory(error);
    raw->columns = columns;
    raw->block_count = blocks;
    raw->worker_count = bt_pool_size(run->pool);
    bauta_status status = allocate(raw, error);
    for (size_t i = 0; i < columns && status == BAUTA_OK; i++) {
        bt_use use = bt_use_plain(uses[i]);
        if (use == BT_USE_CODE) raw->coded_column[raw->place[i] = raw->coded++] = i;
        if (use == BT_USE_CHECK || use == BT_USE_READ)
            raw->checked_column[raw->place[i] = raw->checked++] = i;
        if (uses[i] & BT_USE_WATCH) raw->watched_column[raw->watched++] = i;
    }
    if (status == BAUTA_OK) number_watchers(raw, uses);
    if (status == BAUTA_OK) status = open_sets(raw, uses, run, error);
    if (status == BAUTA_OK) status = allocate_columns(raw, error);
    if (status != BAUTA_OK) {
        bt_raw_free(raw);
        return status;
    }
    *out = raw;
    return BAUTA_OK;
}

static void free_block(bt_raw_block *block, size_t coded)
{
    for (size_t i = 0; block->columns && i < coded; i++)
        free(block->columns[i].codes);
    free(block->columns);
    free(block->chains);
}

static void free_worker(bt_raw *raw, bt_raw_worker *worker)
{
    for (size_t i = 0; worker->coders && i < raw->coded; i++)
        bt_coder_release(&worker->coders[i]);
    for (size_t i = 0; worker->relays && i < raw->coded; i++)
        bt_relay_release(&worker->relays[i]);
    for (size_t i = 0; worker->checkers && i < raw->checked; i++)
        bt_checker_release(&worker->checkers[i]);
    for (size_t i = 0; worker->watchers && i < raw->watchers; i++)
        bt_watcher_release(&worker->watchers[i]);
    free(worker->coders);
    free(worker->relays);
    free(worker->checkers);
    free(worker->watchers);
    free(worker->lately);
    free(worker->row);
    bt_excerpt_release(&worker->excerpt);
}

static void free_column(bt_raw *raw, size_t column)
{
    for (unsigned w = 0; raw->global && raw->global[column] && w < raw->worker_count; w++)
        free(raw->global[column][w]);
    if (raw->global) free(raw->global[column]);
    if (raw->merged) bt_coder_release(&raw->merged[column]);
    if (raw->rows_of) free(raw->rows_of[column]);
}

void bt_raw_free(bt_raw *raw)
{
    if (!raw) return;
    for (size_t i = 0; raw->blocks && i < raw->block_count; i++)
        free_block(&raw->blocks[i], raw->coded);
    for (unsigned w = 0; raw->workers && w < raw->worker_count; w++)
        free_worker(raw, &raw->workers[w]);
    for (size_t i = 0; i < raw->coded; i++)
        free_column(raw, i);
    for (size_t s = 0; s < BT_USE_SETS; s++) {
        bt_singles_free(raw->sets[s].singles);
        free(raw->sets[s].columns);
    }
    free(raw->excerpted);
    bt_excerpt_release(&raw->excerpt);
    free(raw->place);
    free(raw->coded_column);
    free(raw->checked_column);
    free(raw->watched_column);
    free(raw->lone);
    free(raw->blocks);
    free(raw->workers);
    free(raw->values);
    free(raw->global);
    free(raw->merged);
    free(raw->rows_of);
    free(raw->checks);
    free(raw->repeats);
    bt_arena_release(&raw->texts);
    free(raw);
}

int64_t bt_raw_rows(const bt_raw *raw)
{
    return raw->rows;
}

const bt_values *bt_raw_values(const bt_raw *raw, size_t column)
{
    return &raw->values[raw->place[column]];
}

const bt_check *bt_raw_check(const bt_raw *raw, size_t column)
{
    return &raw->checks[raw->place[column]];
}

const bt_repeats *bt_raw_repeats(const bt_raw *raw, size_t column)
{
    size_t place = 0;
    while (raw->watched_column[place] != column)
        place++;
    return &raw->repeats[place];
}

/* A watcher got the value of a row alone once. */
static int64_t alone_of(const bt_raw *raw, size_t watcher)
{
    return raw->repeats[watcher].present - raw->repeats[watcher].sharing;
}

int64_t bt_raw_alone_in(const bt_raw *raw, size_t column)
{
    return alone_of(raw, raw->lone[raw->place[column]]);
}

int64_t bt_raw_alone_together(const bt_raw *raw)
{
    if (raw->watchers == raw->watched) return 0;
    return alone_of(raw, raw->together == SIZE_MAX ? raw->watched : raw->together);
}

size_t bt_raw_excerpt_count(const bt_raw *raw)
{
    return raw->excerpt.count;
}

int64_t bt_raw_excerpt_row(const bt_raw *raw, size_t number)
{
    return raw->excerpt.rows[number].row;
}

const char *bt_raw_excerpt_text(const bt_raw *raw, size_t number, size_t column, uint32_t *length)
{
    for (size_t i = 0; i < raw->excerpted_count; i++) {
        if (raw->excerpted[i] != column) continue;
        *length = raw->excerpt.rows[number].texts[i].length;
        return raw->excerpt.rows[number].texts[i].bytes;
    }
    return NULL;
}

int64_t bt_raw_alone(const bt_raw *raw, size_t set)
{
    return raw->sets[set].alone;
}

bauta_status bt_raw_keep(bt_raw_block *block, size_t place, const uint32_t *codes, uint32_t highest,
                         bauta_error *error)
{
    bt_raw_codes *kept = &block->columns[place];
    size_t rows = (size_t)block->rows;
    kept->width = highest < 256 ? 1 : highest < 65536 ? 2 : 4;
    kept->codes = bt_array(rows, kept->width);
    if (!kept->codes) return bt_fail_memory(error);
    if (kept->width == 1)
        for (size_t i = 0; i < rows; i++)
            ((uint8_t *)kept->codes)[i] = (uint8_t)codes[i];
    else if (kept->width == 2)
        for (size_t i = 0; i < rows; i++)
            ((uint16_t *)kept->codes)[i] = (uint16_t)codes[i];
    else
        memcpy(kept->codes, codes, rows * sizeof *codes);
    return BAUTA_OK;
}

/* ---- merging ----------------------------------------------------------------------------- */

static bauta_status merge_worker(bt_coder *merged, const bt_coder *from, uint32_t **global,
                                 bauta_error *error)
{
    *global = bt_array(from->count, sizeof **global);
    int64_t *rows = bt_array(from->count, sizeof *rows);
    bauta_status status = *global && rows ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) bt_coder_rows(from, rows);
    for (uint32_t i = 0; i < from->count && status == BAUTA_OK; i++) {
        uint32_t code = bt_coder_count(merged, from->text[i], from->length[i], rows[i]);
        if (code == BT_CODER_FULL)
            status =
                bt_coder_add(merged, from->text[i], from->length[i], false, rows[i], &code, error);
        (*global)[i] = code;
    }
    free(rows);
    return status;
}

static bauta_status merge_column(void *user, size_t column, unsigned worker, bauta_error *error)
{
    (void)worker;
    bt_raw *raw = user;
    bt_coder *merged = &raw->merged[column];
    for (unsigned w = 0; w < raw->worker_count; w++) {
        bt_coder *coder = &raw->workers[w].coders[column];
        BT_TRY(bt_relay_settle(&raw->workers[w].relays[column], coder, error));
        BT_TRY(merge_worker(merged, coder, &raw->global[column][w], error));
    }
    int64_t *rows = raw->rows_of[column] = bt_array(merged->count, sizeof *rows);
    if (!rows) return bt_fail_memory(error);
    bt_coder_rows(merged, rows);
    raw->values[column] = (bt_values){merged->count, merged->text, merged->length, rows};
    return BAUTA_OK;
}

static bauta_status transcode(bt_raw *raw, bt_encoding encoding, bauta_error *error)
{
    for (size_t c = 0; c < raw->coded; c++) {
        bt_values *values = &raw->values[c];
        for (uint32_t i = 0; i < values->count; i++) {
            char *text = bt_arena_alloc(&raw->texts, (size_t)values->length[i] * 3);
            if (!text) return bt_fail_memory(error);
            values->length[i] =
                (uint32_t)bt_encoding_to_utf8(encoding, values->text[i], values->length[i], text);
            values->text[i] = text;
        }
    }
    return BAUTA_OK;
}

static void merge_checks(bt_raw *raw)
{
    for (size_t c = 0; c < raw->checked; c++) {
        bt_checker *first = &raw->workers[0].checkers[c];
        for (unsigned w = 1; w < raw->worker_count; w++)
            bt_checker_merge(first, &raw->workers[w].checkers[c]);
        raw->checks[c] = (bt_check){.forms = first->forms,
                                    .missing = first->missing,
                                    .bytes = first->bytes,
                                    .verbatim = !first->altered};
    }
}

typedef struct repeats_job {
    bt_raw *raw;
    bt_repeats *parts; /* per watcher: one for each part */
} repeats_job;

static bauta_status count_part(void *user, size_t task, unsigned worker, bauta_error *error)
{
    (void)worker;
    const repeats_job *job = user;
    size_t column = task / BT_WATCH_PARTS;
    bt_watcher **watchers = bt_array(job->raw->worker_count, sizeof *watchers);
    if (!watchers) return bt_fail_memory(error);
    for (unsigned w = 0; w < job->raw->worker_count; w++)
        watchers[w] = &job->raw->workers[w].watchers[column];
    bauta_status status = bt_watch_count(watchers, job->raw->worker_count, task % BT_WATCH_PARTS,
                                         &job->parts[task], error);
    free(watchers);
    return status;
}

static bauta_status merge_watched(bt_raw *raw, const bt_run *run, bauta_error *error)
{
    size_t tasks = raw->watchers * BT_WATCH_PARTS;
    repeats_job job = {raw, bt_array_zero(tasks, sizeof *job.parts)};
    bauta_status status = job.parts ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) status = bt_pool_run(run->pool, tasks, count_part, &job, error);
    for (size_t task = 0; status == BAUTA_OK && task < tasks; task++) {
        bt_repeats *sum = &raw->repeats[task / BT_WATCH_PARTS];
        sum->present += job.parts[task].present;
        sum->distinct += job.parts[task].distinct;
        sum->sharing += job.parts[task].sharing;
    }
    free(job.parts);
    return status;
}

static int64_t count_alone(const bt_values *values, const bt_missing *missing)
{
    int64_t alone = 0, absent = 0;
    for (uint32_t i = 0; i < values->count; i++) {
        bool none = bt_is_missing(missing, values->text[i], values->length[i]);
        absent += none ? values->rows[i] : 0;
        alone += !none && values->rows[i] == 1;
    }
    return alone + (absent == 1);
}

static bauta_status count_sets(bt_raw *raw, const bt_input_options *options, bauta_error *error)
{
    for (size_t s = 0; s < BT_USE_SETS; s++) {
        bt_raw_set *set = &raw->sets[s];
        if (set->singles)
            BT_TRY(bt_singles_count(set->singles, &set->alone, error));
        else if (set->count > 0)
            set->alone = count_alone(bt_raw_values(raw, set->columns[0]),
                                     bt_input_missing(options, set->columns[0]));
        bt_singles_free(set->singles);
        set->singles = NULL;
    }
    return BAUTA_OK;
}

static int compare_rows(const void *a, const void *b)
{
    const bt_excerpt_row *x = a, *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

/* In the order of the table. */
static bauta_status merge_excerpts(bt_raw *raw, bauta_error *error)
{
    bt_excerpt *excerpt = &raw->excerpt;
    for (unsigned w = 0; w < raw->worker_count; w++)
        BT_TRY(bt_excerpt_merge(excerpt, &raw->workers[w].excerpt, error));
    for (size_t i = 0; i < excerpt->count; i++)
        excerpt->rows[i].row += raw->blocks[excerpt->rows[i].block].first;
    if (excerpt->count > 0)
        qsort(excerpt->rows, excerpt->count, sizeof *excerpt->rows, compare_rows);
    return BAUTA_OK;
}

bauta_status bt_raw_merge(bt_raw *raw, const bt_input_options *options, const bt_run *run,
                          bauta_error *error)
{
    for (size_t i = 0; i < raw->block_count; i++) {
        raw->blocks[i].first = raw->rows;
        raw->rows += raw->blocks[i].rows;
    }
    BT_TRY(bt_pool_run(run->pool, raw->coded, merge_column, raw, error));
    BT_TRY(merge_excerpts(raw, error));
    BT_TRY(count_sets(raw, options, error));
    if (options->encoding != BT_UTF8) BT_TRY(transcode(raw, options->encoding, error));
    for (unsigned w = 0; w < raw->worker_count; w++)
        for (size_t i = 0; i < raw->checked; i++)
            BT_TRY(bt_checker_end(&raw->workers[w].checkers[i], error));
    BT_TRY(merge_watched(raw, run, error));
    merge_checks(raw);
    return BAUTA_OK;
}

/* ---- rows without missing values ---------------------------------------------------------- */

/* Marks the rows in which a column is missing. */
static bauta_status mark_missing(const bt_raw *raw, size_t place, const bt_missing *missing,
                                 bool *dropped, bauta_error *error)
{
    const bt_values *values = &raw->values[place];
    bool *is_missing = bt_array_zero(values->count, sizeof *is_missing), any = false;
    if (!is_missing) return bt_fail_memory(error);
    for (uint32_t i = 0; i < values->count; i++)
        any |= is_missing[i] = bt_is_missing(missing, values->text[i], values->length[i]);
    for (size_t b = 0; any && b < raw->block_count; b++) {
        const bt_raw_block *block = &raw->blocks[b];
        const uint32_t *global = raw->global[place][block->worker];
        for (int64_t i = 0; block->columns && i < block->rows; i++) {
            const bt_raw_codes *kept = &block->columns[place];
            dropped[block->first + i] |=
                is_missing[global[bt_code_at(kept->codes, kept->width, i)]];
        }
    }
    free(is_missing);
    return BAUTA_OK;
}

static void count_again(bt_raw *raw, size_t place, const bool *dropped)
{
    bt_values *values = &raw->values[place];
    memset(values->rows, 0, values->count * sizeof *values->rows);
    for (size_t b = 0; b < raw->block_count; b++) {
        const bt_raw_block *block = &raw->blocks[b];
        const uint32_t *global = raw->global[place][block->worker];
        for (int64_t i = 0; block->columns && i < block->rows; i++) {
            const bt_raw_codes *kept = &block->columns[place];
            if (dropped[block->first + i]) continue;
            values->rows[global[bt_code_at(kept->codes, kept->width, i)]]++;
        }
    }
}

bauta_status bt_raw_keep_complete(bt_raw *raw, const bt_missing *const *missing, int64_t **rows,
                                  int64_t *count, bauta_error *error)
{
    bool *dropped = bt_array_zero((size_t)raw->rows, sizeof *dropped);
    bauta_status status = dropped ? BAUTA_OK : bt_fail_memory(error);
    *rows = NULL;
    *count = 0;
    for (size_t c = 0; c < raw->coded && status == BAUTA_OK; c++)
        if (missing[raw->coded_column[c]])
            status = mark_missing(raw, c, missing[raw->coded_column[c]], dropped, error);
    for (int64_t row = 0; row < raw->rows && status == BAUTA_OK; row++)
        *count += !dropped[row];
    if (status == BAUTA_OK && *count < raw->rows) {
        *rows = bt_array((size_t)*count, sizeof **rows);
        if (!*rows) status = bt_fail_memory(error);
    }
    if (*rows) {
        int64_t next = 0;
        for (int64_t row = 0; row < raw->rows; row++)
            if (!dropped[row]) (*rows)[next++] = row;
        for (size_t c = 0; c < raw->coded; c++)
            count_again(raw, c, dropped);
    }
    free(dropped);
    return status;
}

void bt_raw_chain(const bt_raw *raw, const bt_input *input, size_t column,
                  const bt_reading *reading, unsigned char out[BT_CHAIN_BYTES])
{
    const bt_chain_key *key = bt_input_settings(input)->chain;
    bt_way way = bt_way_of(reading);
    bt_element all = 0;
    for (size_t i = 0; i < raw->block_count; i++) {
        const bt_raw_block *block = &raw->blocks[i];
        if (!block->chains) continue; /* without rows */
        all = bt_chain_join(key, all, bt_chain_way(&block->chains[raw->place[column]], way),
                            block->rows);
    }
    bt_element_write(all, out);
}

/* ---- final codes ------------------------------------------------------------------------- */

typedef struct encode_job {
    bt_raw *raw;
    size_t column;
    uint32_t **final; /* per worker: its code -> final code */
    bt_column *out;
} encode_job;

/* One loop for each pair of widths, so that the compiler can make each of them tight. */
#define ENCODE(from, to)                                                                           \
    do {                                                                                           \
        const from *codes = kept->codes;                                                           \
        to *out = (to *)job->out->codes + block->first;                                            \
        for (int64_t i = 0; i < block->rows; i++)                                                  \
            out[i] = (to)map[codes[i]];                                                            \
    } while (0)

static bauta_status encode_block(void *user, size_t number, unsigned worker, bauta_error *error)
{
    (void)worker;
    (void)error;
    encode_job *job = user;
    const bt_raw_block *block = &job->raw->blocks[number];
    if (!block->columns) return BAUTA_OK;
    bt_raw_codes *kept = &block->columns[job->column];
    const uint32_t *map = job->final[block->worker];
    switch (kept->width * 8 + job->out->width) {
    case 1 * 8 + 1: ENCODE(uint8_t, uint8_t); break;
    case 1 * 8 + 2: ENCODE(uint8_t, uint16_t); break;
    case 1 * 8 + 4: ENCODE(uint8_t, uint32_t); break;
    case 2 * 8 + 1: ENCODE(uint16_t, uint8_t); break;
    case 2 * 8 + 2: ENCODE(uint16_t, uint16_t); break;
    case 2 * 8 + 4: ENCODE(uint16_t, uint32_t); break;
    case 4 * 8 + 1: ENCODE(uint32_t, uint8_t); break;
    case 4 * 8 + 2: ENCODE(uint32_t, uint16_t); break;
    case 4 * 8 + 4: ENCODE(uint32_t, uint32_t); break;
    }
    free(kept->codes);
    kept->codes = NULL;
    return BAUTA_OK;
}

void bt_raw_weigh(bt_raw *raw, size_t column, const uint64_t *times)
{
    size_t place = raw->place[column];
    bt_values *values = &raw->values[place];
    memset(values->rows, 0, values->count * sizeof *values->rows);
    for (size_t b = 0; b < raw->block_count; b++) {
        const bt_raw_block *block = &raw->blocks[b];
        if (!block->columns) continue;
        const bt_raw_codes *kept = &block->columns[place];
        const uint32_t *value_of = raw->global[place][block->worker];
        for (int64_t i = 0; i < block->rows; i++)
            values->rows[value_of[bt_code_at(kept->codes, kept->width, i)]] +=
                (int64_t)times[block->first + i];
    }
}

bauta_status bt_raw_encode(bt_raw *raw, size_t column, const uint32_t *code_of_value,
                           const bt_run *run, bt_column *out, bauta_error *error)
{
    encode_job job = {.raw = raw, .column = raw->place[column], .out = out};
    out->width = bt_code_width(out->domain.size);
    out->codes = bt_array((size_t)raw->rows, out->width);
    job.final = bt_array_zero(raw->worker_count, sizeof *job.final);
    bauta_status status = out->codes && job.final ? BAUTA_OK : bt_fail_memory(error);
    for (unsigned w = 0; w < raw->worker_count && status == BAUTA_OK; w++) {
        uint32_t count = raw->workers[w].coders[job.column].count;
        job.final[w] = bt_array(count, sizeof *job.final[w]);
        if (!job.final[w]) status = bt_fail_memory(error);
        for (uint32_t i = 0; i < count && status == BAUTA_OK; i++)
            job.final[w][i] = code_of_value[raw->global[job.column][w][i]];
    }
    if (status == BAUTA_OK)
        status = bt_pool_run(run->pool, raw->block_count, encode_block, &job, error);
    for (unsigned w = 0; job.final && w < raw->worker_count; w++)
        free(job.final[w]);
    free(job.final);
    return status;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Several files as one table: opening, reading into codes, scanning again.
 */
#include "io/input.h"

#include "base/hash.h"
#include "io/raw.h"
#include "io/sniff.h"
#include "io/source.h"

#include <sys/stat.h>

typedef struct block_facts { /* filled by the first visit */
    size_t reader, block;
    int64_t first, rows;
    bool failed;
} block_facts;

struct bt_input {
    bt_arena arena;
    bt_input_options options;
    bt_reader *readers;
    size_t reader_count;
    block_facts *blocks; /* of all files, in order */
    size_t block_count;
};

/* ---- opening ----------------------------------------------------------------------------- */

static bauta_status same_header(const bt_reader *first, const bt_reader *other, bauta_error *error)
{
    bool same = first->column_count == other->column_count;
    for (size_t i = 0; same && i < first->column_count; i++)
        same = strcmp(first->columns[i], other->columns[i]) == 0;
    if (same) return BAUTA_OK;
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "the header differs from that of '%s'", first->name);
    bt_error_place(error, other->name, 0, NULL);
    bt_error_hint(error, "files of one table have the same columns, in the same order");
    return status;
}

static bauta_status check_plain(const bt_reader *reader, bauta_error *error)
{
    int64_t size;
    if (bt_bytes_plain(reader->bytes, &size)) return BAUTA_OK;
    bauta_status status = bt_fail(error, BAUTA_INVALID, "the file is compressed, or a pipe");
    bt_error_place(error, reader->name, -1, NULL);
    bt_error_hint(error, "the files of a release are plain");
    return status;
}

enum { HEAD_BYTES = 1 << 18 };

static bauta_status open_file(bt_reader *reader, const char *file, const bt_run *run,
                              bauta_error *error)
{
    reader->name = strcmp(file, "-") == 0 ? "standard input" : file;
    if (!reader->bytes) BT_TRY(bt_bytes_open(file, run, &reader->bytes, error));
    if (reader->options->plain) BT_TRY(check_plain(reader, error));
    BT_TRY(bt_reader_head(reader, HEAD_BYTES, error));
    reader->source = bt_source_of_content(reader, file);
    if (reader->source) return BAUTA_OK;
    BT_TRY(bt_sniff_text(reader->name, reader->head.bytes, reader->head.length,
                         reader->options->encoding, error));
    return bt_fail(error, BAUTA_INVALID, "'%s' is no table that can be read", reader->name);
}

/* The options of a stream of CSV that a source makes. */
static bauta_status open_stream(bt_input *input, bt_reader *reader, const bt_run *run,
                                bauta_error *error)
{
    bt_input_options *options = bt_arena_array(&input->arena, 1, sizeof *options);
    if (!options) return bt_fail_memory(error);
    if (input->options.decimal_comma) {
        bauta_status status =
            bt_fail(error, BAUTA_USAGE, "numbers of a database have a decimal point");
        bt_error_hint(error, "leave 'decimal' out");
        return status;
    }
    *options = (bt_input_options){.delimiter = ',',
                                  .encoding = BT_UTF8,
                                  .header = BT_HEADER_YES,
                                  .plain = true, /* no other source reads it */
                                  .block_bytes = input->options.block_bytes};
    BT_TRY(reader->source->stream(reader->name, run, &reader->bytes, error));
    reader->options = options;
    BT_TRY(bt_reader_head(reader, HEAD_BYTES, error));
    reader->source = bt_source_of_content(reader, "stream.csv");
    return reader->source ? BAUTA_OK
                          : bt_fail(error, BAUTA_INVALID, "the table's text is not valid UTF-8");
}

static bauta_status open_reader(bt_input *input, size_t number, const bt_run *run,
                                bauta_error *error)
{
    bt_reader *reader = &input->readers[number];
    const char *name = input->options.files[number];
    bt_bytes *opened = input->options.bytes;
    const bt_source *source = input->options.coded ? &bt_source_coded
                              : opened             ? NULL
                                                   : bt_source_with_scheme(name);
    *reader =
        (bt_reader){.source = source, .name = name, .options = &input->options, .bytes = opened};
    reader->scheme = source != NULL;
    input->options.bytes = NULL;
    input->reader_count++;
    if (!source) BT_TRY(open_file(reader, name, run, error));
    if (source && source->stream) BT_TRY(open_stream(input, reader, run, error));
    BT_TRY(reader->source->open(reader, &input->arena, error));
    return number == 0 ? BAUTA_OK : same_header(&input->readers[0], reader, error);
}

/* Texts that are not of files are UTF-8. */
static bauta_status settle_encoding(bt_input *input, bauta_error *error)
{
    size_t files = 0;
    for (size_t i = 0; i < input->reader_count; i++)
        files += !input->readers[i].scheme;
    if (files == input->reader_count || input->options.encoding == BT_UTF8) return BAUTA_OK;
    if (files > 0)
        return bt_fail(error, BAUTA_INVALID, "the encoding of '%s' is not that of the other tables",
                       input->options.files[0]);
    input->options.encoding = BT_UTF8;
    return BAUTA_OK;
}

bool bt_input_is_file(const char *name)
{
    return strcmp(name, "-") != 0 && !bt_source_with_scheme(name);
}

bool bt_input_is_repeatable(const char *name)
{
    struct stat facts;
    if (bt_source_with_scheme(name)) return true;
    return bt_input_is_file(name) && stat(name, &facts) == 0 && S_ISREG(facts.st_mode);
}

bauta_status bt_input_open(const bt_input_options *options, const bt_run *run, bt_input **out,
                           bauta_error *error)
{
    *out = NULL;
    if (options->count == 0) return bt_fail(error, BAUTA_USAGE, "no input file is named");
    bt_input *input = bt_array_zero(1, sizeof *input);
    if (!input) {
        bt_bytes_close(options->bytes);
        return bt_fail_memory(error);
    }
    input->options = *options;
    input->options.missing_of = NULL;
    input->readers = bt_arena_array(&input->arena, options->count, sizeof *input->readers);
    bauta_status status = input->readers ? BAUTA_OK : bt_fail_memory(error);
    for (size_t i = 0; i < options->count && status == BAUTA_OK; i++)
        status = open_reader(input, i, run, error);
    if (status == BAUTA_OK) status = settle_encoding(input, error);
    if (status != BAUTA_OK) {
        bt_input_close(input);
        return status;
    }
    *out = input;
    return BAUTA_OK;
}

void bt_input_close(bt_input *input)
{
    if (!input) return;
    for (size_t i = 0; input->readers && i < input->reader_count; i++) {
        bt_reader *reader = &input->readers[i];
        if (reader->source && reader->state) reader->source->close(reader);
        bt_buffer_release(&reader->head);
        if (reader->spooled) bt_temporary_close(&reader->spool);
        bt_bytes_close(reader->bytes);
    }
    bt_bytes_close(input->options.bytes);
    free(input->blocks);
    bt_arena_release(&input->arena);
    free(input);
}

const char *bt_input_name(const bt_input *input)
{
    return input->readers[0].name;
}

size_t bt_input_columns(const bt_input *input)
{
    return input->readers[0].column_count;
}

const char *const *bt_input_names(const bt_input *input)
{
    return (const char *const *)input->readers[0].columns;
}

size_t bt_input_renamed(const bt_input *input, size_t *first)
{
    *first = input->readers[0].first_renamed;
    return input->readers[0].renamed;
}

char bt_input_delimiter(const bt_input *input)
{
    return input->readers[0].delimiter;
}

int64_t bt_input_bytes(const bt_input *input)
{
    int64_t total = 0;
    for (size_t i = 0; i < input->reader_count; i++) {
        const bt_bytes *bytes = input->readers[i].bytes;
        int64_t size = bytes ? bt_bytes_on_disk(bytes) : -1;
        if (size < 0) return -1;
        total += size;
    }
    return total;
}

bool bt_input_codes(const bt_input *input, size_t column)
{
    bool all = true;
    for (size_t i = 0; i < input->reader_count && all; i++) {
        const bt_reader *reader = &input->readers[i];
        all = reader->source->codes && reader->source->codes(reader, column);
    }
    return all;
}

const bt_input_options *bt_input_settings(const bt_input *input)
{
    return &input->options;
}

void bt_input_set_missing(bt_input *input, const bt_missing *of_columns)
{
    input->options.missing_of = of_columns;
}

/* ---- visiting blocks, shared by reading and scanning ------------------------------------- */

enum { ROWS_AT_ONCE = 128, SPANS_AT_ONCE = 1024 }; /* so many stay in the nearest cache */

static bauta_status make_scratch(const bt_input *input, unsigned workers, bt_scratch **out,
                                 bauta_error *error)
{
    *out = bt_array_zero(workers, sizeof **out);
    if (!*out) return bt_fail_memory(error);
    size_t columns = bt_input_columns(input), rows = SPANS_AT_ONCE / columns, spans;
    rows = rows > ROWS_AT_ONCE ? ROWS_AT_ONCE : rows > 0 ? rows : 1;
    if (!bt_size_mul(rows, columns, &spans)) return bt_fail_memory(error);
    for (unsigned w = 0; w < workers; w++) {
        bt_scratch *own = &(*out)[w];
        own->rows = rows;
        own->columns = columns;
        own->fields = bt_array_zero(spans, sizeof *own->fields);
        own->batch = (bt_batch){.columns = bt_array_zero(columns, sizeof *own->batch.columns),
                                .decimal_comma = input->options.decimal_comma,
                                .scratch = &own->text};
        if (!own->fields || !own->batch.columns) return bt_fail_memory(error);
    }
    return BAUTA_OK;
}

static void free_scratch(bt_scratch *scratch, unsigned workers)
{
    for (unsigned w = 0; scratch && w < workers; w++) {
        for (size_t i = 0; scratch[w].batch.columns && i < scratch[w].columns; i++)
            bt_vector_release(&scratch[w].batch.columns[i]);
        free(scratch[w].batch.columns);
        bt_buffer_release(&scratch[w].block);
        bt_buffer_release(&scratch[w].text);
        free(scratch[w].fields);
    }
    free(scratch);
}

/* Rows in errors of a visit count from the block's beginning: make them count from the file's. */
static void place_error(const bt_input *input, bauta_error *error)
{
    if (!error || error->row < 1) return;
    int64_t before = 0;
    for (size_t i = 0; i < input->block_count; i++) {
        const block_facts *block = &input->blocks[i];
        if (i > 0 && block->reader != input->blocks[i - 1].reader) before = 0;
        if (block->failed) break;
        before += block->rows;
    }
    error->row += before;
}

/* All blocks were visited: they must have been parts of one and the same file. */
static bauta_status finish_visit(const bt_input *input, bauta_error *error)
{
    for (size_t i = 0; i < input->reader_count; i++)
        BT_TRY(input->readers[i].source->finish(&input->readers[i], error));
    return BAUTA_OK;
}

/* ---- reading ----------------------------------------------------------------------------- */

typedef struct read_job {
    bt_input *input;
    bt_raw *raw;
    const bt_run *run;
    bt_scratch *scratch;
    struct read_worker *workers;
} read_job;

typedef struct read_worker { /* the block a worker is in */
    read_job *job;
    bt_raw_worker *made;
    unsigned number;
    size_t block;
    bt_buffer *text;
    uint32_t **codes; /* per coded column, `capacity` rows each */
    size_t rows, capacity;
    bt_chain *chains; /* of the block, per checked column; NULL: not wanted */
    bt_buffer utf8;
} read_worker;

static bauta_status grow_codes(read_worker *worker, size_t more, bauta_error *error)
{
    size_t wanted = worker->capacity;
    for (size_t c = 0; c < worker->job->raw->coded; c++) {
        wanted = worker->capacity;
        BT_TRY(bt_array_grow(&worker->codes[c], &wanted, worker->rows + more,
                             sizeof *worker->codes[c], error));
    }
    worker->capacity = wanted > worker->capacity ? wanted : worker->rows + more;
    return BAUTA_OK;
}

/* ---- columns that are not coded ---- */

/* A value whose bytes are not what it means: it is missing, in another encoding, or written
 * otherwise than its canonical text. `forms`: those that fit all values so far. */
static bauta_status chain_other(read_worker *worker, bt_chain *chain, const bt_span *field,
                                bool missing, unsigned forms, bauta_error *error)
{
    const bt_input_options *options = &worker->job->input->options;
    const char *text = field->bytes;
    size_t length = missing ? 0 : field->length;
    if (options->encoding != BT_UTF8) {
        worker->utf8.length = 0;
        BT_TRY(bt_buffer_reserve(&worker->utf8, length * 3, error));
        length = bt_encoding_to_utf8(options->encoding, text, length, worker->utf8.bytes);
        text = worker->utf8.bytes;
    }
    bt_chain_add_read(chain, options->chain, text, length, forms, options->decimal_comma);
    return BAUTA_OK;
}

/* Checks one column and mixes its hashes into those of the rows, if there are any. */
static bauta_status check_column(read_worker *worker, size_t place, const bt_batch *batch,
                                 uint64_t *together, bauta_error *error)
{
    const bt_input_options *options = &worker->job->input->options;
    bt_checker *checker = &worker->made->checkers[place];
    size_t column = worker->job->raw->checked_column[place];
    const bt_vector *vector = bt_batch_texts(batch, column);
    bt_span *field = vector->texts;
    size_t step = vector->step, rows = batch->rows;
    const bt_chain_key key = options->chain ? *options->chain : (bt_chain_key){0};
    bt_chain chain = worker->chains ? worker->chains[place] : (bt_chain){0};
    bt_element text = chain.ways[BT_WAY_TEXT]; /* stays in registers: most values are plain */
    for (size_t r = 0; r < rows; r++, field += step) {
        if (field->doubled) BT_TRY(bt_span_text(field, worker->text, error));
        bt_words words = bt_words_of(field->bytes, field->length);
        uint64_t hash = bt_words_hash(words);
        const bt_recent *seen;
        BT_TRY(bt_checker_take(checker, options, column, field->bytes, field->length, words, hash,
                               &seen, error));
        if (together) together[r] = bt_hash_mix(together[r], hash);
        if (!worker->chains) continue;
        if (seen->plain && field->length <= BT_ELEMENT_SHORT && !chain.apart) {
            text = bt_chain_step(&key, text, bt_element_short(words, field->length));
        } else {
            chain.ways[BT_WAY_TEXT] = text;
            BT_TRY(chain_other(worker, &chain, field, seen->missing, checker->forms, error));
            text = chain.ways[BT_WAY_TEXT];
        }
    }
    if (worker->chains) {
        worker->chains[place] = chain;
        worker->chains[place].ways[BT_WAY_TEXT] = text;
    }
    return BAUTA_OK;
}

/* check_column of codes: a text is looked at once. */
static bauta_status check_codes(read_worker *worker, size_t place, const bt_batch *batch,
                                uint64_t *together, bauta_error *error)
{
    const bt_input_options *options = &worker->job->input->options;
    bt_checker *checker = &worker->made->checkers[place];
    size_t column = worker->job->raw->checked_column[place];
    const bt_vector *vector = &batch->columns[column];
    const bt_dictionary *dictionary = vector->dictionary;
    bt_chain *chain = worker->chains ? &worker->chains[place] : NULL;
    if (checker->dictionary != dictionary)
        BT_TRY(bt_checker_change(checker, dictionary, (size_t)dictionary->count + 1, error));
    for (size_t r = 0; r < batch->rows; r++) {
        bt_recent *known = &checker->codes[vector->codes[r]];
        const bt_span *text = &dictionary->texts[vector->codes[r]];
        if (known->known) {
            known->rows++;
        } else {
            bt_words words = bt_words_of(text->bytes, text->length);
            BT_TRY(bt_checker_take_new(checker, known, options, column, text->bytes, text->length,
                                       words, bt_words_hash(words), error));
        }
        if (together) together[r] = bt_hash_mix(together[r], known->hash);
        if (!chain) continue;
        if (known->plain && text->length <= BT_ELEMENT_SHORT && !chain->apart)
            chain->ways[BT_WAY_TEXT] = bt_chain_step(options->chain, chain->ways[BT_WAY_TEXT],
                                                     bt_element_short(known->words, text->length));
        else
            BT_TRY(chain_other(worker, chain, text, known->missing, checker->forms, error));
    }
    return BAUTA_OK;
}

static bauta_status check_rows(read_worker *worker, const bt_batch *batch, bauta_error *error)
{
    const bt_raw *raw = worker->job->raw;
    uint64_t together[ROWS_AT_ONCE] = {0};
    bool all = raw->together != SIZE_MAX;
    for (size_t i = 0; i < raw->checked; i++) {
        const bt_vector *vector = &batch->columns[raw->checked_column[i]];
        bool codes = vector->yields == BT_YIELD_CODES && vector->dictionary->count < BT_CODES_MOST;
        BT_TRY((codes ? check_codes : check_column)(
            worker, i, batch, all && raw->lone[i] != SIZE_MAX ? together : NULL, error));
    }
    for (size_t r = 0; all && r < batch->rows; r++)
        BT_TRY(bt_lately_add(worker->made->lately, &worker->made->watchers[raw->together],
                             together[r], error));
    return BAUTA_OK;
}

/* Spans stay as they are: the columns may be coded or checked too. */
static bauta_status watch_rows(read_worker *worker, const bt_batch *batch, bauta_error *error)
{
    const bt_raw *raw = worker->job->raw;
    for (size_t i = 0; i < raw->watched; i++) {
        size_t column = raw->watched_column[i];
        const bt_missing *missing = bt_input_missing(&worker->job->input->options, column);
        for (size_t r = 0; r < batch->rows; r++) {
            bt_span field;
            BT_TRY(bt_batch_text(batch, column, r, &field, error));
            if (bt_is_missing(missing, field.bytes, field.length)) continue;
            BT_TRY(bt_watcher_add(&worker->made->watchers[i],
                                  bt_words_hash(bt_words_of(field.bytes, field.length)), error));
        }
    }
    return BAUTA_OK;
}

/* Doubled quotes may stay: equal texts have the same. */
static bauta_status count_rows(read_worker *worker, const bt_raw_set *set, const bt_batch *batch,
                               bauta_error *error)
{
    bt_words *row = worker->made->row;
    const bt_input_options *options = &worker->job->input->options;
    for (size_t r = 0; r < batch->rows; r++) {
        for (size_t i = 0; i < set->count; i++) {
            const bt_vector *vector = bt_batch_texts(batch, set->columns[i]);
            const bt_span *field = &vector->texts[r * vector->step];
            const bt_missing *missing = bt_input_missing(options, set->columns[i]);
            row[i] = bt_is_missing(missing, field->bytes, field->length)
                         ? (bt_words){0, 0}
                         : bt_singles_text(set->singles, field->bytes, field->length);
        }
        BT_TRY(bt_singles_add(set->singles, worker->number, row, error));
    }
    return BAUTA_OK;
}

static bauta_status excerpt_rows(read_worker *worker, const bt_batch *batch, bauta_error *error)
{
    const bt_raw *raw = worker->job->raw;
    bt_excerpt *excerpt = &worker->made->excerpt;
    int64_t row = (int64_t)worker->rows;
    for (size_t r = 0; r < batch->rows; r++, row++)
        if (bt_excerpt_wants(excerpt, bt_excerpt_rank(worker->block, row)))
            BT_TRY(bt_excerpt_add(excerpt, worker->block, row, batch, r, raw->excerpted,
                                  raw->excerpted_count, error));
    return BAUTA_OK;
}

static bauta_status read_rows(void *user, bt_batch *batch, bauta_error *error)
{
    read_worker *worker = user;
    const bt_raw *raw = worker->job->raw;
    /* First: whoever undoes doubled quotes leaves the field in a place that is used again. */
    for (size_t s = 0; s < BT_USE_SETS; s++)
        if (raw->sets[s].singles) BT_TRY(count_rows(worker, &raw->sets[s], batch, error));
    if (raw->excerpted_count > 0) BT_TRY(excerpt_rows(worker, batch, error));
    if (worker->capacity - worker->rows < batch->rows)
        BT_TRY(grow_codes(worker, batch->rows, error));
    BT_TRY(watch_rows(worker, batch, error));
    for (size_t i = 0; i < raw->coded; i++)
        BT_TRY(bt_relay_code(&worker->made->relays[i], &worker->made->coders[i], batch,
                             raw->coded_column[i], worker->codes[i] + worker->rows, error));
    worker->rows += batch->rows;
    return check_rows(worker, batch, error);
}

static bauta_status keep_block(read_worker *worker, bt_raw_block *block, bauta_error *error)
{
    const bt_raw *raw = worker->job->raw;
    block->columns = bt_array_zero(raw->coded, sizeof *block->columns);
    if (!block->columns) return bt_fail_memory(error);
    for (size_t i = 0; i < raw->coded; i++) {
        uint32_t highest = 0;
        for (size_t r = 0; r < worker->rows; r++)
            highest = worker->codes[i][r] > highest ? worker->codes[i][r] : highest;
        BT_TRY(bt_raw_keep(block, i, worker->codes[i], highest, error));
    }
    return BAUTA_OK;
}

static bauta_status read_block(void *user, size_t number, unsigned w, bauta_error *error)
{
    read_job *job = user;
    read_worker *worker = &job->workers[w];
    block_facts *facts = &job->input->blocks[number];
    bt_reader *reader = &job->input->readers[facts->reader];
    bt_raw_block *block = &job->raw->blocks[number];
    worker->rows = 0;
    worker->block = number;
    if (job->input->options.chain && job->raw->checked > 0) {
        block->chains = bt_array_zero(job->raw->checked, sizeof *block->chains);
        if (!block->chains) return bt_fail_memory(error);
    }
    worker->chains = block->chains;
    bauta_status status = reader->source->visit(reader, facts->block, &job->scratch[w], read_rows,
                                                worker, &facts->rows, error);
    facts->failed = status != BAUTA_OK;
    if (status != BAUTA_OK) return status;
    block->rows = facts->rows;
    block->worker = w;
    BT_TRY(keep_block(worker, block, error));
    return bt_run_progress(job->run, w, "reading", (int64_t)number + 1,
                           (int64_t)job->input->block_count, error);
}

static bauta_status prepare_blocks(bt_input *input, const bt_use *uses, const bt_run *run,
                                   bauta_error *error)
{
    size_t total = 0;
    for (size_t i = 0; i < input->reader_count; i++) {
        bt_reader *reader = &input->readers[i];
        BT_TRY(reader->source->prepare(reader, uses, run, error));
        total += reader->blocks;
    }
    free(input->blocks);
    input->block_count = 0;
    input->blocks = bt_array_zero(total, sizeof *input->blocks);
    if (!input->blocks) return bt_fail_memory(error);
    for (size_t i = 0; i < input->reader_count; i++)
        for (size_t b = 0; b < input->readers[i].blocks; b++)
            input->blocks[input->block_count++] = (block_facts){.reader = i, .block = b};
    return BAUTA_OK;
}

static bauta_status make_workers(read_job *job, unsigned count, bauta_error *error)
{
    job->workers = bt_array_zero(count, sizeof *job->workers);
    if (!job->workers) return bt_fail_memory(error);
    for (unsigned w = 0; w < count; w++) {
        job->workers[w] = (read_worker){
            .job = job, .made = &job->raw->workers[w], .number = w, .text = &job->scratch[w].text};
        job->workers[w].codes = bt_array_zero(job->raw->coded, sizeof *job->workers[w].codes);
        if (!job->workers[w].codes) return bt_fail_memory(error);
    }
    return BAUTA_OK;
}

static void free_workers(read_job *job, unsigned count)
{
    for (unsigned w = 0; job->workers && w < count; w++) {
        for (size_t c = 0; job->workers[w].codes && c < job->raw->coded; c++)
            free(job->workers[w].codes[c]);
        free(job->workers[w].codes);
        bt_buffer_release(&job->workers[w].utf8);
    }
    free(job->workers);
}

static void number_rows(bt_input *input)
{
    int64_t rows = 0;
    for (size_t i = 0; i < input->block_count; i++) {
        input->blocks[i].first = rows;
        rows += input->blocks[i].rows;
    }
}

bauta_status bt_input_read(bt_input *input, const bt_use *uses, const bt_run *run, bt_raw **out,
                           bauta_error *error)
{
    *out = NULL;
    unsigned workers = bt_pool_size(run->pool);
    read_job job = {.input = input, .run = run};
    BT_TRY(prepare_blocks(input, uses, run, error));
    bauta_status status =
        bt_raw_new(uses, bt_input_columns(input), input->block_count, run, &job.raw, error);
    if (status == BAUTA_OK) status = make_scratch(input, workers, &job.scratch, error);
    if (status == BAUTA_OK) status = make_workers(&job, workers, error);
    if (status == BAUTA_OK) {
        status = bt_pool_run(run->pool, input->block_count, read_block, &job, error);
        if (status != BAUTA_OK) place_error(input, error);
    }
    if (status == BAUTA_OK) status = finish_visit(input, error);
    if (status == BAUTA_OK) {
        number_rows(input);
        status = bt_raw_merge(job.raw, &input->options, run, error);
    }
    free_workers(&job, workers);
    free_scratch(job.scratch, workers);
    if (status != BAUTA_OK) {
        bt_raw_free(job.raw);
        return status;
    }
    *out = job.raw;
    return BAUTA_OK;
}

/* ---- scanning ---------------------------------------------------------------------------- */

typedef struct scan_job {
    bt_input *input;
    const bt_run *run;
    const char *stage;
    bt_scratch *scratch;
    struct scan_worker *workers;
    bt_visit_row visit;
    void *user;
} scan_job;

typedef struct scan_worker {
    const scan_job *job;
    unsigned number;
    int64_t row, end; /* `end`: where the block's rows ended when it was read */
} scan_worker;

static bauta_status scan_rows(void *user, bt_batch *batch, bauta_error *error)
{
    scan_worker *worker = user;
    const scan_job *job = worker->job;
    /* Visitors have tables of as many rows as were read. */
    if (worker->end - worker->row < (int64_t)batch->rows)
        return bt_fail(error, BAUTA_INVALID, "the file changed while it was read");
    for (size_t r = 0; r < batch->rows; r++)
        BT_TRY(job->visit(job->user, worker->number, worker->row++, batch, r, error));
    return BAUTA_OK;
}

static bauta_status scan_block(void *user, size_t number, unsigned w, bauta_error *error)
{
    scan_job *job = user;
    const block_facts *facts = &job->input->blocks[number];
    bt_reader *reader = &job->input->readers[facts->reader];
    int64_t rows;
    job->workers[w] = (scan_worker){
        .job = job, .number = w, .row = facts->first, .end = facts->first + facts->rows};
    BT_TRY(reader->source->visit(reader, facts->block, &job->scratch[w], scan_rows,
                                 &job->workers[w], &rows, error));
    if (rows != facts->rows)
        return bt_fail(error, BAUTA_INVALID, "'%s' changed while it was read", reader->name);
    return bt_run_progress(job->run, w, job->stage, (int64_t)number + 1,
                           (int64_t)job->input->block_count, error);
}

bauta_status bt_input_scan(bt_input *input, const bool *wanted, const bt_run *run,
                           const char *stage, bt_visit_row visit, void *user, bauta_error *error)
{
    unsigned workers = bt_pool_size(run->pool);
    scan_job job = {.input = input, .run = run, .stage = stage, .visit = visit, .user = user};
    job.workers = bt_array_zero(workers, sizeof *job.workers);
    bauta_status status = job.workers ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) status = make_scratch(input, workers, &job.scratch, error);
    for (unsigned w = 0; status == BAUTA_OK && w < workers; w++)
        job.scratch[w].wanted = wanted;
    if (status == BAUTA_OK)
        status = bt_pool_run(run->pool, input->block_count, scan_block, &job, error);
    if (status == BAUTA_OK) status = finish_visit(input, error);
    free(job.workers);
    free_scratch(job.scratch, workers);
    return status;
}

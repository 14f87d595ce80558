/* SPDX-License-Identifier: Apache-2.0
 *
 * What random streams are keyed by: the seed, a digest of the table as it was read, and one of what
 * the recipe asks for.
 *
 * With the seed alone two releases of one table would have their rows in the same places, and laid
 * side by side they would show every record as far as either of them does. So whoever uses a seed
 * file twice gets two releases that have nothing random in common, unless table and recipe are the
 * same: then it is the same release.
 *
 * The table is the values of all columns that have a role (dropped ones have none), in the order of
 * rows, as they are read: canonical and typed, whatever kind of file they stand in. Of a coded
 * column that is its domain and its codes; of others io/chain.h. Public tables are part of it. Of
 * the recipe it is all that changes what is published, hierarchies and target files by what they
 * say; not how, where and how fast it is done. A key that is added to recipes belongs here, or into
 * the list of tests/unit/test_streams.c of those that change nothing.
 *
 * Cost: one pass over the codes, in parallel.
 */
#include "job/job.h"
#include "recipe/cuts.h"

#include <string.h>

/* ---- the table --------------------------------------------------------------------------- */

enum { ROWS_PER_TASK = 1 << 16, VALUES_PER_TASK = 1 << 14 }; /* part of what a digest is */

typedef struct column_job {
    const bt_column *column;
    int64_t rows;
    bt_seed key;
    size_t domain_tasks;
    bt_seed *made; /* per task: a digest */
} column_job;

static void digest_values(const column_job *job, size_t from, bt_seed *out)
{
    const bt_domain *domain = &job->column->domain;
    bt_digest digest;
    bt_digest_init(&digest, &job->key, "values");
    for (size_t i = from; i < from + VALUES_PER_TASK && i < domain->size; i++)
        bt_digest_text(&digest, domain->text[i]);
    bt_digest_end(&digest, out);
}

/* Codes are most of a table, and Poly1305 is the fastest there is: two runs of them that differ
 * give the same 16 bytes with a chance of at most 2^17 / 2^106. These bytes are hashed further. */
static void digest_codes(const column_job *job, int64_t from, bt_seed *out)
{
    const bt_column *column = job->column;
    int64_t rows = job->rows - from < ROWS_PER_TASK ? job->rows - from : ROWS_PER_TASK;
    const unsigned char *codes = column->codes;
    crypto_onetimeauth_poly1305(out->bytes, codes + (size_t)from * column->width,
                                (size_t)rows * column->width, job->key.bytes);
}

static bauta_status digest_part(void *user, size_t task, unsigned worker, bauta_error *error)
{
    (void)worker;
    (void)error;
    const column_job *job = user;
    if (task < job->domain_tasks)
        digest_values(job, task * VALUES_PER_TASK, &job->made[task]);
    else
        digest_codes(job, (int64_t)(task - job->domain_tasks) * ROWS_PER_TASK, &job->made[task]);
    return BAUTA_OK;
}

/* A digest that goes on from what was taken in so far, which is 32 bytes between any two columns: a
 * digest under way wants an alignment of its own, and has no place in a structure. */
static void go_on(const bt_loaded *loaded, const bt_run *run, bt_digest *out)
{
    bt_digest_init(out, &run->seed, "table");
    bt_digest_bytes(out, &loaded->table_digest, sizeof loaded->table_digest);
}

bauta_status bt_load_digest_column(bt_loaded *loaded, const bt_column *column, int64_t rows,
                                   const bt_run *run, bauta_error *error)
{
    const bt_domain *domain = &column->domain;
    bt_digest own;
    column_job job = {.column = column, .rows = rows};
    bt_digest_init(&own, &run->seed, "column");
    bt_digest_end(&own, &job.key);
    job.domain_tasks = ((size_t)domain->size + VALUES_PER_TASK - 1) / VALUES_PER_TASK;
    size_t tasks = job.domain_tasks + ((size_t)rows + ROWS_PER_TASK - 1) / ROWS_PER_TASK;
    job.made = bt_array_zero(tasks, sizeof *job.made);
    if (!job.made) return bt_fail_memory(error);
    bauta_status status = bt_pool_run(run->pool, tasks, digest_part, &job, error);
    bt_digest digest;
    go_on(loaded, run, &digest);
    bt_digest_text(&digest, column->name);
    bt_digest_number(&digest, domain->reading.type);
    bt_digest_number(&digest, (uint64_t)domain->scale);
    bt_digest_number(&digest, domain->size);
    bt_digest_number(&digest, domain->has_missing);
    bt_digest_number(&digest, (uint64_t)rows);
    if (status == BAUTA_OK) bt_digest_bytes(&digest, job.made, tasks * sizeof *job.made);
    bt_digest_end(&digest, &loaded->table_digest);
    free(job.made);
    return status;
}

/* Columns that are published as they are, and those that are not published. */
static void digest_texts(bt_loaded *loaded, const bt_run *run)
{
    bt_digest digest;
    go_on(loaded, run, &digest);
    for (size_t i = 0; i < loaded->columns; i++) {
        bt_use use = bt_use_plain(loaded->uses[i]);
        bool identifier = use == BT_USE_READ;
        if (!identifier && use != BT_USE_CHECK) continue;
        const bt_check *check = bt_raw_check(loaded->raw, i);
        unsigned char chain[BT_CHAIN_BYTES];
        bt_reading reading = loaded->readings[i];
        /* The chain of a reading is whole only if all values fit, also those of dropped rows. */
        if (identifier || (loaded->missing_dropped > 0 && reading.type != BT_TEXT))
            reading = bt_reading_of(check->forms, bt_input_settings(loaded->input)->decimal_comma,
                                    check->missing < loaded->input_rows);
        bt_raw_chain(loaded->raw, loaded->input, i, &reading, chain);
        bt_digest_text(&digest, loaded->plan[i].name);
        bt_digest_number(&digest, reading.type);
        bt_digest_bytes(&digest, chain, sizeof chain);
    }
    bt_digest_number(&digest, (uint64_t)loaded->input_rows);
    bt_digest_end(&digest, &loaded->table_digest);
}

static bauta_status digest_public(bt_loaded *loaded, const bt_public *from, const bt_run *run,
                                  bauta_error *error)
{
    for (size_t c = 0; c < loaded->columns; c++)
        if (from->quasi[c].codes)
            BT_TRY(bt_load_digest_column(loaded, &from->quasi[c], from->rows, run, error));
    if (!from->key.codes) return BAUTA_OK;
    return bt_load_digest_column(loaded, &from->key, from->rows, run, error);
}

void bt_load_digest_begin(bt_loaded *loaded, const bt_run *run)
{
    bt_chain_key_make(&run->seed, &loaded->chain);
    loaded->table_digest = (bt_seed){{0}};
}

bauta_status bt_load_digest_table(bt_loaded *loaded, const bt_run *run, bauta_error *error)
{
    for (size_t c = 0; c < loaded->table.count; c++)
        BT_TRY(bt_load_digest_column(loaded, &loaded->table.columns[c], loaded->table.rows, run,
                                     error));
    if (loaded->key_codes.codes)
        BT_TRY(bt_load_digest_column(loaded, &loaded->key_codes, loaded->input_rows, run, error));
    for (size_t i = 0; i < loaded->public_count; i++)
        BT_TRY(digest_public(loaded, &loaded->publics[i], run, error));
    digest_texts(loaded, run);
    return BAUTA_OK;
}

/* ---- the recipe -------------------------------------------------------------------------- */

static void digest_rational(bt_digest *to, bt_rational number)
{
    bt_digest_number(to, (uint64_t)number.top);
    bt_digest_number(to, (uint64_t)number.bottom);
}

static void digest_tree(bt_digest *to, const bt_hierarchy *tree)
{
    bt_digest_text(to, tree ? tree->spec : NULL);
    bt_digest_number(to, tree ? tree->count : 0);
    bt_digest_number(to, tree && tree->is_public);
    for (uint32_t i = 0; tree && i < tree->count; i++) {
        const bt_node *node = &tree->nodes[i];
        bt_digest_number(to, (uint64_t)node->lo << 32 | node->hi);
        bt_digest_number(to, (uint64_t)node->parent << 32 | node->level);
        bt_digest_text(to, node->label);
    }
}

static void digest_categories(bt_digest *to, const bt_column *column)
{
    const bt_categories *categories = column->categories;
    bt_digest_number(to, categories ? categories->count : 0);
    if (!categories) return;
    for (uint32_t i = 0; i < categories->count; i++)
        bt_digest_text(to, categories->names[i]);
    for (uint32_t code = 0; code < column->domain.size; code++)
        bt_digest_number(to, categories->of_code[code]);
}

/* What the recipe says of a coded column. */
static void digest_column(bt_digest *to, const bt_column *column)
{
    digest_tree(to, column->hierarchy);
    digest_categories(to, column);
    bt_digest_number(to, column->cuts ? column->cuts->count : 0);
    for (size_t i = 0; column->cuts && i < column->cuts->count; i++)
        bt_digest_number(to, (uint64_t)column->cuts->number[i]);
    digest_rational(to, column->steering.weight);
    bt_digest_number(to, (uint64_t)column->steering.lowest << 32 | column->steering.above);
}

static void digest_columns(bt_digest *to, const bt_loaded *loaded)
{
    for (size_t i = 0; i < loaded->columns; i++) {
        if (loaded->roles[i] == BT_ROLE_DROPPED) continue;
        bt_digest_text(to, loaded->plan[i].name);
        bt_digest_number(to, loaded->roles[i]);
    }
    for (size_t c = 0; c < loaded->table.count; c++)
        digest_column(to, &loaded->table.columns[c]);
}

/* Requirements as the manifest spells them: `t=0.2` of numbers is `t=0.2:ordered`. */
static bauta_status digest_requirements(bt_digest *to, bt_job *j, bauta_error *error)
{
    bt_requirements settled = j->request.requirements;
    BT_TRY(bt_requirements_settle(&settled, &j->loaded.table, &j->arena, error));
    bt_digest_number(to, settled.count);
    for (size_t i = 0; i < settled.count; i++)
        bt_digest_text(to, settled.items[i].text);
    return BAUTA_OK;
}

static bauta_status digest_request(bt_digest *to, bt_job *j, bauta_error *error)
{
    const bt_request *asked = &j->request;
    BT_TRY(digest_requirements(to, j, error));
    bt_digest_text(to, asked->method_text);
    if (asked->plan) bt_digest_text(to, asked->plan->digest);
    bt_digest_text(to, asked->form->name);
    bt_digest_text(to, j->recipe->publics.count > 0 ? asked->join.text : NULL);
    if (asked->form->digest) return asked->form->digest(asked->form_options, &j->arena, to, error);
    bt_digest_text(to, asked->form_text);
    return BAUTA_OK;
}

bauta_status bt_job_key(bt_job *j, bauta_error *error)
{
    const bauta_recipe *recipe = j->recipe;
    bt_digest digest;
    if (recipe->fixed_streams) return BAUTA_OK;
    bt_digest_init(&digest, &j->seed, "streams");
    bt_digest_bytes(&digest, &j->loaded.table_digest, sizeof j->loaded.table_digest);
    digest_columns(&digest, &j->loaded);
    BT_TRY(digest_request(&digest, j, error));
    digest_rational(&digest, recipe->suppress);
    bt_digest_number(&digest, (uint64_t)recipe->nodes);
    bt_digest_number(&digest, recipe->subject.count);
    for (size_t i = 0; i < recipe->subject.count; i++)
        bt_digest_text(&digest, recipe->subject.items[i]);
    bt_digest_text(&digest, recipe->key);
    bt_digest_number(&digest, recipe->rows_together);
    bt_digest_number(&digest, recipe->joint_none);
    bt_digest_number(&digest, recipe->missing_drop);
    bt_digest_number(&digest, recipe->key_none);
    bt_digest_number(&digest, recipe->exclude_public);
    if (recipe->spreadsheet_safe) bt_digest_text(&digest, "spreadsheet-safe");
    bt_digest_end(&digest, &j->run.seed);
    return BAUTA_OK;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The usual CSV form of a hierarchy: leaf;level1;…;* with ';' or ',', no header, rows may be
 * shorter than others, the '*' at the end may be left out.
 */
#include "recipe/csv_file.h"
#include "recipe/given.h"

typedef struct reader {
    bt_given given;
    bt_csv_rows rows;
    bt_buffer scratch[BT_LEVELS_MOST]; /* for labels with doubled quotes */
    bt_span fields[BT_LEVELS_MOST];
    bt_label labels[BT_LEVELS_MOST];
} reader;

static bauta_status read_rows(reader *r, bauta_error *error)
{
    for (;;) {
        size_t count;
        BT_TRY(bt_csv_rows_next(&r->rows, r->fields, BT_LEVELS_MOST, &count, error));
        if (count == 0) return BAUTA_OK;
        if (count > BT_LEVELS_MOST)
            return bt_csv_rows_fail(&r->rows, "the row has too many levels",
                                    "hierarchies have at most 1000 levels, '*' included", error);
        for (size_t i = 0; i < count; i++) {
            BT_TRY(bt_csv_rows_text(&r->rows, &r->fields[i], &r->scratch[i], error));
            r->labels[i] = (bt_label){r->fields[i].bytes, r->fields[i].length};
        }
        BT_TRY(bt_given_row(&r->given, r->labels, count, r->rows.row, error));
    }
}

/* How the rows become a tree: with a domain, which it must cover, or as they are. */
static bauta_status finish(reader *r, const bt_hierarchy_job *job, const char *spec,
                           bauta_error *error)
{
    if (job->domain) return bt_given_finish(&r->given, job, spec, error);
    return bt_given_lay_out(&r->given, spec, job->out, error);
}

static void reader_free(reader **r)
{
    if (!*r) return;
    bt_given_release(&(*r)->given);
    for (size_t i = 0; i < BT_LEVELS_MOST; i++)
        bt_buffer_release(&(*r)->scratch[i]);
    free(*r);
}

static bauta_status read_csv(const bt_hierarchy_job *job, const char *file, const char *spec,
                             const char *bytes, size_t length, bauta_error *error)
{
    BT_OWN(reader_free) reader *r = bt_array_zero(1, sizeof *r);
    if (!r) return bt_fail_memory(error);
    bt_csv_rows_open(&r->rows, bytes, length, file, job->column);
    BT_TRY(bt_given_init(&r->given, job->domain, job->arena, job->column, file, error));
    BT_TRY(read_rows(r, error));
    return finish(r, job, spec, error);
}

bauta_status bt_hierarchy_from_csv(const bt_hierarchy_job *job, const char *file, const char *bytes,
                                   size_t length, bauta_error *error)
{
    return read_csv(job, file, "file", bytes, length, error);
}

bauta_status bt_hierarchy_read(const char *file, const char *bytes, size_t length, const char *spec,
                               const char *column, bt_arena *arena, bt_hierarchy **out,
                               bauta_error *error)
{
    const bt_hierarchy_job job = {.column = column, .arena = arena, .out = out};
    return read_csv(&job, file, spec, bytes, length, error);
}

bauta_status bt_hierarchy_from_file(const bt_hierarchy_job *job, const char *file,
                                    bauta_error *error)
{
    BT_OWN(bt_buffer_release) bt_buffer text = {0};
    bool absent;
    bauta_status status = bt_csv_file_read(file, "hierarchy", &text, &absent, error);
    if (absent)
        bt_error_hint(error, "a hierarchy is a file, or one of intervals:5,10, mask, balanced:2, "
                             "date, flat");
    BT_TRY(status);
    return bt_hierarchy_from_csv(job, file, text.bytes, text.length, error);
}

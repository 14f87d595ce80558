/* SPDX-License-Identifier: Apache-2.0
 *
 * The form `distribution`: quasi values as they are in one table, and in another parts of the
 * domain of the sensitive column, which follow the target of their group. Here these parts are
 * read, and which target each group has; whether a part is one of its target is for the audit to
 * say.
 *
 * Cost: linear in rows.
 */
#include "reading/parts.h"
#include "reading/sentences.h"

#include <string.h>

/* ---- the manifest ------------------------------------------------------------------------ */

/* Text has no sums and no order, so nothing can be bounded. */
static bool lacks_bounds(const bt_manifest *manifest)
{
    for (size_t i = 0; i < manifest->column_count; i++)
        if (manifest->columns[i].role == BT_ROLE_SENSITIVE)
            return manifest->columns[i].type == BT_TEXT;
    return false;
}

static const char *find_fault(const bt_manifest *manifest, size_t *sensitive)
{
    size_t count = 0;
    for (size_t i = 0; i < manifest->column_count; i++) {
        if (manifest->columns[i].role != BT_ROLE_SENSITIVE) continue;
        *sensitive = i;
        count++;
    }
    if (count != 1) return "a distribution has exactly one sensitive column";
    if (!manifest->columns[*sensitive].hierarchy || manifest->columns[*sensitive].category_of)
        return "the sensitive column has no hierarchy to distribute its values over";
    if (manifest->target_count == 0) return "the manifest has no target";
    if (manifest->persons) return "a distribution does not count persons";
    for (size_t i = 0; i < manifest->target_count; i++)
        if (!manifest->targets[i].groups && manifest->target_count > 1)
            return "a target does not say which groups it is for";
    if (manifest->reference && manifest->reference->groups)
        return "the reference names groups, but it is for all";
    return NULL;
}

static bauta_status expect(bt_release *release, bauta_error *error)
{
    const bt_manifest *manifest = &release->manifest;
    size_t sensitive = 0;
    const char *fault = find_fault(manifest, &sensitive);
    if (fault) return bt_fail(error, BAUTA_INVALID, "%s", fault);
    release->distribution.sensitive = &release->columns[sensitive];
    release->distribution.bounds = !lacks_bounds(manifest);
    return BAUTA_OK;
}

/* ---- parts ------------------------------------------------------------------------------- */

static bool read_end(const bt_manifest_column *column, const bt_values *values, uint32_t code,
                     int64_t *out)
{
    return values->length[code] > 0 &&
           bt_release_is_canonical(column, values->text[code], values->length[code], out);
}

static void read_part(const bt_release *release, const bt_codes *codes, int64_t row,
                      bt_shown_part *out)
{
    const bt_release_column *sensitive = release->distribution.sensitive;
    const bt_manifest_column *column = sensitive->manifest;
    const bt_raw *raw = release->files[BT_SENSITIVE_FILE].raw;
    const bt_values *first = bt_raw_values(raw, sensitive->place);
    uint32_t code = bt_code_at(codes[0].codes, codes[0].width, row);
    *out = (bt_shown_part){.node = BT_NOT_KNOWN};
    if (column->type == BT_TEXT) {
        out->node = bt_hierarchy_find(column->hierarchy, first->text[code], first->length[code]);
        out->well_formed = out->node != UINT32_MAX;
        return;
    }
    const bt_values *second = bt_raw_values(raw, sensitive->place + 1);
    out->well_formed =
        read_end(column, first, code, &out->least) &&
        read_end(column, second, bt_code_at(codes[1].codes, codes[1].width, row), &out->greatest) &&
        out->least <= out->greatest;
}

static bauta_status number_parts(bt_release *release, const bt_codes *codes, size_t count,
                                 const bt_run *run, bauta_error *error)
{
    bt_release_distribution *all = &release->distribution;
    int64_t rows = release->files[BT_SENSITIVE_FILE].rows;
    BT_OWN(bt_tuples_release) bt_tuples tuples = {0};
    all->part_of = bt_arena_array(&release->arena, (size_t)rows, sizeof *all->part_of);
    BT_TRY(bt_arena_check(&release->arena, error));
    BT_TRY(bt_tuples_number(codes, count, rows, run, &tuples, all->part_of, NULL, error));
    all->parts = bt_arena_array(&release->arena, tuples.count, sizeof *all->parts);
    BT_TRY(bt_arena_check(&release->arena, error));
    for (uint32_t i = 0; i < tuples.count; i++)
        read_part(release, codes, tuples.row[i], &all->parts[i]);
    all->part_count = tuples.count;
    return BAUTA_OK;
}

static size_t part_columns(const bt_release *release)
{
    return release->distribution.sensitive->manifest->type == BT_TEXT ? 1 : 2;
}

static bauta_status read_parts(bt_release *release, const bt_run *run, bauta_error *error)
{
    bt_release_file *file = &release->files[BT_SENSITIVE_FILE];
    size_t count = part_columns(release), place = release->distribution.sensitive->place;
    bt_column coded[2] = {{0}};
    bt_codes codes[2];
    bauta_status status = BAUTA_OK;
    for (size_t i = 0; i < count && status == BAUTA_OK; i++) {
        status = bt_release_encode(file->raw, place + i, run, &coded[i], error);
        codes[i] = (bt_codes){coded[i].codes, coded[i].width, coded[i].domain.size};
    }
    if (status == BAUTA_OK) status = number_parts(release, codes, count, run, error);
    for (size_t i = 0; i < count; i++)
        free(coded[i].codes);
    return status;
}

int64_t bt_release_part_bytes(const bt_release *release)
{
    static const char *const ends[] = {"low", "high"};
    const bt_release_file *file = &release->files[BT_SENSITIVE_FILE];
    const bt_release_column *sensitive = release->distribution.sensitive;
    int64_t total = 0;
    for (size_t i = 0; i < part_columns(release); i++) {
        const bt_values *values = bt_raw_values(file->raw, sensitive->place + i);
        const char *name = part_columns(release) == 1 ? sensitive->manifest->name : ends[i];
        total += bt_release_field_bytes(release, name, strlen(name)) + 1 + file->rows;
        for (uint32_t v = 0; v < values->count; v++)
            total += values->rows[v] *
                     bt_release_field_bytes(release, values->text[v], values->length[v]);
    }
    return total;
}

/* ---- targets ----------------------------------------------------------------------------- */

static const uint32_t no_target_yet = UINT32_MAX - 1;

static void give_target(uint32_t *target_of, uint32_t target)
{
    *target_of = *target_of == no_target_yet ? target : BT_NOT_KNOWN;
}

/* Classes by their numbers; those that are not from 1 to C have none. */
static bauta_status index_classes(const bt_release *release, uint32_t *class_of, bauta_error *error)
{
    uint32_t count = release->classes.count;
    if (!class_of) return bt_fail_memory(error);
    for (uint32_t i = 0; i <= count; i++)
        class_of[i] = BT_NOT_KNOWN;
    for (uint32_t c = 0; c < count; c++)
        if (release->bags.number[c] <= count) class_of[release->bags.number[c]] = c;
    return BAUTA_OK;
}

static bauta_status find_targets(bt_release *release, bauta_error *error)
{
    const bt_manifest *manifest = &release->manifest;
    uint32_t count = release->classes.count;
    BT_OWN(bt_free) uint32_t *class_of = bt_array((size_t)count + 1, sizeof *class_of);
    uint32_t *target_of = release->distribution.target_of =
        bt_arena_array(&release->arena, count, sizeof *target_of);
    BT_TRY(bt_arena_check(&release->arena, error));
    BT_TRY(index_classes(release, class_of, error));
    for (uint32_t c = 0; c < count; c++)
        target_of[c] = manifest->targets[0].groups ? no_target_yet : 0;
    for (size_t t = 0; t < manifest->target_count; t++)
        for (size_t i = 0; manifest->targets[t].groups && i < manifest->targets[t].group_count;
             i++) {
            uint32_t number = manifest->targets[t].groups[i];
            uint32_t class_number = number <= count ? class_of[number] : BT_NOT_KNOWN;
            if (class_number != BT_NOT_KNOWN) give_target(&target_of[class_number], (uint32_t)t);
        }
    for (uint32_t c = 0; c < count; c++)
        if (target_of[c] >= manifest->target_count) target_of[c] = BT_NOT_KNOWN;
    return BAUTA_OK;
}

static bauta_status read_all(bt_release *release, const bt_run *run, bauta_error *error)
{
    BT_TRY(read_parts(release, run, error));
    return find_targets(release, error);
}

/* ---- words ------------------------------------------------------------------------------- */

static const char distribution_remark[] =
    "each row of quasi.csv is one record of the original; the rows of sensitive.csv are parts of "
    "the domain in which the values of the group's records lie, one part each, and where there are "
    "more of them than records the others stand for made-up values; which is whose is not "
    "published";

static const char *remark(const bt_manifest *manifest)
{
    (void)manifest;
    return distribution_remark;
}

static bauta_status protect(bt_composer *c)
{
    return bt_say(
        c,
        "Whoever finds a person in quasi.csv learns of %s only that it lies in one of the "
        "parts that the person's group has: values seem to follow a target distribution%s%s.",
        bt_list_columns(c, bt_column_is_sensitive).text,
        *c->basis->values ? ", which satisfies " : "", c->basis->values);
}

/* Whether the number of made-up values was given, not chosen from the data. */
static bool is_fake_given(const char *form)
{
    size_t length = 0;
    const char *fake = bt_form_option(form, "fake", &length);
    return fake && length > 0 && strncmp(fake, "best", length < 4 ? length : 4) != 0;
}

static bauta_status expose(bt_composer *c)
{
    const char *form = c->manifest->form;
    BT_TRY(bt_say(c, "%s", bt_everyone_is_seen));
    BT_TRY(bt_say(c, "Whoever knows the values of others in a group knows more of the rest."));
    BT_TRY(bt_say(c,
                  "The target distributions are published, and where they were made from the data "
                  "they tell of it."));
    if (!bt_form_says(form, "allocation", "random"))
        BT_TRY(bt_say(c, "The parts are allocated with the least sum of ranges: whoever knows the "
                         "method may read more from them than the target says."));
    if (!is_fake_given(form))
        BT_TRY(bt_say(c,
                      "The number of made-up values was chosen from the data, which tells more of "
                      "it."));
    BT_TRY(bt_expose_others(c));
    return bt_expose_counts(c);
}

static const char distribution_0[] =
    "anyone can see who is in this table and what their quasi values are: presence and identity "
    "are not protected; what is hidden is where in a group's parts of the domain a person's value "
    "lies, and whoever knows the values of others in the group knows more; the target "
    "distributions are published, and where they were made from the data they tell of it; other "
    "columns are published as they are";

static const char optimal_0[] =
    "; the allocation is the paper's own, with the least sum of ranges: whoever knows the method "
    "may read more from it than the target says";

static const char best_0[] =
    "; the number of made-up values was chosen from the data, which is the paper's mode and tells "
    "more";

static const char *expose_0(const bt_manifest *manifest, bt_arena *arena)
{
    bool optimal = !bt_form_says(manifest->form, "allocation", "random");
    const char *form = bt_arena_print(arena, "%s%s%s", distribution_0, optimal ? optimal_0 : "",
                                      is_fake_given(manifest->form) ? "" : best_0);
    return form ? bt_words_0_of_persons(manifest, form, arena) : NULL;
}

const bt_reading_form bt_reading_distribution = {
    .name = "distribution",
    .files = {"quasi.csv", "sensitive.csv", "query.sql", "load.sqlite", "load.psql", "bounds.csv"},
    .tables = 2,
    .lacks_last = lacks_bounds,
    .bag_column = bt_group_name,
    .values_shown = true,
    .pair = true,
    .parts = true,
    .expect = expect,
    .read = read_all,
    .remark = remark,
    .protects = protect,
    .exposes = expose,
    .exposes_0 = expose_0,
};

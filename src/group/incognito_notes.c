/* SPDX-License-Identifier: Apache-2.0
 *
 * What a search has to tell: the levels that were chosen, how much of the lattice was looked at,
 * and private/lattice.csv with every node that was found, what it loses and, where sensitive
 * values have categories, how many of its classes fall within one of them (paper 3).
 */
#include "base/csv.h"
#include "class/similarity.h"
#include "group/incognito.h"

typedef struct teller {
    const bt_search *search;
    const bt_lattice *lattice;
    bt_buffer *out;
    bt_juror juror;
    bt_counts groups;   /* groups of the node that is told about */
    bt_count_job count; /* with the values where they have categories */
    bt_people people;   /* people, when the requirements know of none */
    bt_counts base;     /* groups with values, from which nodes are rolled up then */
    bt_roller roller;
    uint32_t *of_category; /* zero between uses; NULL: no categories */
    bt_category_count *listed;
} teller;

/* ---- facts ---- */

static void put_lattice(const bt_search *search, bt_method_notes *notes)
{
    const bt_judge *judge = search->judge;
    const bt_lattice *lattice = judge->count.lattice;
    json_t *levels = bt_put_object(notes->facts, notes->at, "levels");
    for (size_t c = 0; c < lattice->columns; c++)
        bt_put_int(notes->facts, levels, lattice->quasi[c]->name,
                   search->found[search->best].levels[c]);
    json_t *at = bt_put_object(notes->facts, notes->at, "lattice");
    bt_put_int(notes->facts, at, "nodes", lattice->nodes);
    bt_put_int(notes->facts, at, "evaluated", search->tried);
    int64_t minimal = 0;
    for (size_t i = 0; i < search->count; i++)
        minimal += search->found[i].minimal;
    if (judge->allowed == 0)
        bt_put_int(notes->facts, at, "minimal", minimal);
    else
        bt_put_null(notes->facts, at, "minimal");
    bt_put_bool(notes->facts, at, "proven", search->proven);
}

/* ---- similarity ---- */

static bool has_categories(const bt_table *table)
{
    for (size_t c = 0; c < table->count; c++)
        if (table->columns[c].role == BT_ROLE_SENSITIVE && table->columns[c].categories)
            return true;
    return false;
}

/* Counts the values when the requirements do not ask for them: at a node below all that were found.
 */
static bauta_status count_values(teller *t, const bt_method_job *job, bauta_error *error)
{
    const bt_search *search = t->search;
    uint16_t *levels = bt_array(t->lattice->stride, sizeof *levels);
    if (!levels) return bt_fail_memory(error);
    memcpy(levels, search->found[0].levels, t->lattice->stride * sizeof *levels);
    for (size_t i = 1; i < search->count; i++)
        for (size_t c = 0; c < t->lattice->columns; c++)
            if (search->found[i].levels[c] < levels[c]) levels[c] = search->found[i].levels[c];
    bauta_status status = bt_people_of_table(job->table, &t->people, error);
    t->count.people = &t->people;
    t->count.counted = BT_COUNT_PROFILES;
    if (status == BAUTA_OK) status = bt_counts_make(&t->count, levels, &t->base, error);
    free(levels);
    return status;
}

static bauta_status prepare_similarity(teller *t, const bt_method_job *job, bauta_error *error)
{
    uint32_t most = 1;
    t->count = t->search->judge->count;
    if (!has_categories(job->table)) return BAUTA_OK;
    if (t->count.counted == BT_COUNT_SIZES) BT_TRY(count_values(t, job, error));
    for (size_t c = 0; c < t->count.people->columns; c++) {
        const bt_categories *categories = t->count.people->sensitive[c].categories;
        if (categories && categories->count > most) most = categories->count;
    }
    t->of_category = bt_array_zero(most, sizeof *t->of_category);
    t->listed = bt_array(most, sizeof *t->listed);
    return t->of_category && t->listed ? BAUTA_OK : bt_fail_memory(error);
}

static void add_profile(teller *t, size_t column, uint32_t profile, uint32_t records)
{
    const bt_people *people = t->count.people;
    uint32_t code = people->profile_values[(size_t)profile * people->columns + column];
    t->of_category[people->sensitive[column].categories->of_code[code]] += records;
}

static void add_class(teller *t, size_t column, uint32_t group, bt_similarity *similarity)
{
    const bt_people *people = t->count.people;
    const bt_counts *groups = &t->groups;
    size_t count = 0;
    for (uint32_t i = groups->starts[group]; i < groups->starts[group + 1]; i++) {
        uint32_t value = groups->values[i];
        if (groups->counts)
            add_profile(t, column, value, (uint32_t)groups->counts[i]); /* of rows: below 2^32 */
        else if (!people->unit_starts)
            add_profile(t, column, people->profile_of[value], 1);
        for (size_t u = 0; !groups->counts && people->unit_starts &&
                           u < people->unit_starts[value + 1] - people->unit_starts[value];
             u++)
            add_profile(t, column, people->unit_profiles[people->unit_starts[value] + u], 1);
    }
    for (uint32_t i = 0; i < similarity->categories; i++) {
        if (t->of_category[i]) t->listed[count++] = (bt_category_count){i, t->of_category[i]};
        t->of_category[i] = 0;
    }
    bt_similarity_add(similarity, t->listed, count);
}

/* ---- private/lattice.csv ---- */

static bauta_status put_name(bt_buffer *out, const char *before, const char *name,
                             bauta_error *error)
{
    bt_buffer field = {0};
    bauta_status status = bt_buffer_print(&field, error, "%s%s", before, name);
    if (status == BAUTA_OK) status = bt_csv_put(out, field.bytes, field.length, error);
    if (status == BAUTA_OK) status = bt_buffer_add(out, ",", 1, error);
    bt_buffer_release(&field);
    return status;
}

static bauta_status put_header(const teller *t, bauta_error *error)
{
    const bt_people *people = t->count.people;
    for (size_t c = 0; c < t->lattice->columns; c++)
        BT_TRY(put_name(t->out, "", t->lattice->quasi[c]->name, error));
    BT_TRY(bt_buffer_print(t->out, error,
                           "height,classes,smallest_class,suppressed,ncp,discernibility,"
                           "distortion_ratio,"));
    for (size_t c = 0; t->of_category && c < people->columns; c++) {
        if (!people->sensitive[c].categories) continue;
        BT_TRY(put_name(t->out, "similar_classes:", people->sensitive[c].name, error));
        BT_TRY(put_name(t->out, "similar_records:", people->sensitive[c].name, error));
    }
    return bt_buffer_print(t->out, error, "minimal,chosen\n");
}

typedef struct losses {
    double ncp, distortion;
} losses;

/* What the node loses; if records were dropped, its groups are in t->groups. */
static losses lose(const teller *t, const bt_found *found)
{
    const bt_lattice *lattice = t->lattice;
    losses out = {0};
    double records = (double)lattice->records, roots = 0;
    for (size_t c = 0; c < lattice->columns; c++) {
        const bt_scale *scale = &lattice->scales[c];
        const bt_rung *rung = bt_rung_at(scale, found->levels[c]);
        uint64_t leaves = rung->leaves, height = rung->height;
        for (uint32_t g = 0; found->trial.dropped > 0 && g < t->groups.groups; g++) {
            if (t->juror.outlooks[g] == BT_OUTLOOK_GOOD) continue;
            uint32_t code = bt_key_code(scale, t->groups.keys + g * lattice->words);
            bt_cell_at at = bt_cell_of(scale, code, found->levels[c]);
            leaves += t->groups.sizes[g] * (scale->leaves - at.leaves);
            height += t->groups.sizes[g] * (scale->root - at.height);
        }
        out.ncp += (double)leaves / scale->leaves / records / (double)lattice->columns;
        out.distortion += (double)height / records;
        roots += scale->root;
    }
    out.distortion /= roots;
    return out;
}

static bauta_status put_similarity(teller *t, bauta_error *error)
{
    const bt_people *people = t->count.people;
    for (size_t c = 0; t->of_category && c < people->columns; c++) {
        const bt_categories *categories = people->sensitive[c].categories;
        if (!categories) continue;
        bt_similarity similarity = {.categories = categories->count};
        for (uint32_t g = 0; g < t->groups.groups; g++)
            if (t->juror.outlooks[g] == BT_OUTLOOK_GOOD) add_class(t, c, g, &similarity);
        BT_TRY(bt_buffer_print(t->out, error, "%u,%lld,", similarity.similar_classes,
                               (long long)similarity.similar_records));
    }
    return BAUTA_OK;
}

static bauta_status judge_node(teller *t, const uint16_t *levels, bauta_error *error)
{
    const bt_judge *judge = t->search->judge;
    uint64_t *terms = bt_array(t->lattice->terms, sizeof *terms);
    bt_trial trial = {.price = {.terms = terms}};
    if (!terms) return bt_fail_memory(error);
    bauta_status status =
        t->base.groups ? bt_counts_roll(&t->count, &t->base, levels, &t->roller, &t->groups, error)
                       : bt_steps_roll(t->search->steps, levels, &t->groups, error);
    if (status == BAUTA_OK)
        status = bt_try(judge, &t->groups, ~(bt_wide)0, &t->juror, &trial, error);
    free(terms);
    return status;
}

static bauta_status put_node(teller *t, const bt_found *found, bool chosen, bauta_error *error)
{
    const bt_trial *trial = &found->trial;
    uint64_t records = (uint64_t)t->lattice->records;
    uint64_t gone = records - (uint64_t)(t->lattice->kept - trial->dropped);
    uint32_t height = 0;
    if (t->of_category || trial->dropped > 0) BT_TRY(judge_node(t, found->levels, error));
    losses lost = lose(t, found);
    for (size_t c = 0; c < t->lattice->columns; c++) {
        BT_TRY(bt_buffer_print(t->out, error, "%u,", found->levels[c]));
        height += found->levels[c];
    }
    BT_TRY(bt_buffer_print(t->out, error, "%u,%u,%llu,%lld,%.9g,%llu,%.9g,", height, trial->classes,
                           (unsigned long long)trial->smallest, (long long)trial->dropped, lost.ncp,
                           (unsigned long long)(trial->squares + gone * records), lost.distortion));
    BT_TRY(put_similarity(t, error));
    const char *minimal = t->search->judge->allowed > 0 ? "" : found->minimal ? "yes" : "unproven";
    return bt_buffer_print(t->out, error, "%s,%s\n", minimal, chosen ? "yes" : "no");
}

bauta_status bt_search_tell(const bt_search *search, const bt_method_job *job, bauta_error *error)
{
    bt_method_notes *notes = job->notes;
    if (!notes) return BAUTA_OK;
    teller t = {.search = search, .lattice = search->judge->count.lattice, .out = &notes->lattice};
    put_lattice(search, notes);
    bauta_status status = bt_juror_make(search->judge, &t.juror, error);
    if (status == BAUTA_OK) status = prepare_similarity(&t, job, error);
    if (status == BAUTA_OK) status = put_header(&t, error);
    for (size_t i = 0; i < search->count && status == BAUTA_OK; i++)
        status = put_node(&t, &search->found[i], i == search->best, error);
    bt_juror_release(&t.juror);
    bt_roller_release(&t.roller);
    bt_counts_release(&t.base);
    bt_counts_release(&t.groups);
    bt_people_release(&t.people);
    free(t.of_category);
    free(t.listed);
    return status;
}

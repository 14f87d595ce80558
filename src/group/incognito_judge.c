/* SPDX-License-Identifier: Apache-2.0
 *
 * Trying a node: which of its groups satisfy the requirements, and what is lost when the others
 * are dropped.
 *
 * What a requirement compares a class with may be the whole table (t), and that is what is
 * published. So after groups were dropped the others are judged again, compared with what is
 * left, until nothing more is dropped.
 *
 * A group of which no part satisfies fails at every node below as well. What is lost by dropping
 * such groups is a bound for all those nodes; only the first judging counts, which compares with
 * the same table everywhere.
 *
 * Cost: linear in groups and the distinct values in them.
 */
#include "group/incognito.h"

/* Records that are in groups too small to satisfy, when only one column is told apart. */
static int64_t count_lonely(const bt_judge *judge, const bt_scale *scale, uint32_t level)
{
    const bt_rung *rung = bt_rung_at(scale, level);
    int64_t lonely = 0, records = 0;
    uint32_t first = 0;
    if (rung->top) return 0;
    for (uint32_t code = 0; code < scale->column->domain.size; code++) {
        uint32_t at = rung->lift ? code ^ rung->lift[code] : code;
        if (at != first) {
            if (records < judge->least) lonely += records;
            records = 0;
            first = at;
        }
        records += (int64_t)scale->counts[code];
    }
    return records < judge->least ? lonely + records : lonely;
}

static uint16_t find_floor(const bt_judge *judge, const bt_scale *scale)
{
    uint32_t level = scale->lowest;
    while (level < scale->highest && count_lonely(judge, scale, level) > judge->allowed)
        level++;
    return (uint16_t)level;
}

bauta_status bt_judge_make(const bt_method_job *job, const bt_lattice *lattice, bt_judge *out,
                           bauta_error *error)
{
    const bt_requirements *requirements = job->requirements;
    const bt_people *people = requirements->people;
    *out = (bt_judge){.count = {.lattice = lattice, .people = people, .run = job->run},
                      .requirements = requirements,
                      .least = bt_requirements_least_size(requirements),
                      .allowed = bt_rational_floor_times(job->suppress, job->records)};
    out->count.counted = !people->profile_of        ? BT_COUNT_SIZES
                         : bt_people_by_row(people) ? BT_COUNT_ROWS
                                                    : BT_COUNT_PROFILES;
    out->final = out->allowed == 0 && requirements->monotone_merging;
    for (size_t i = 0; i < requirements->count; i++)
        out->relative = out->relative || requirements->items[i].type->scope != BT_SCOPE_CLASS;
    out->rebinds = out->relative && out->allowed > 0;
    out->floors = bt_array_zero(lattice->stride, sizeof *out->floors);
    if (!out->floors) return bt_fail_memory(error);
    for (size_t c = 0; c < lattice->columns; c++)
        out->floors[c] = find_floor(out, &lattice->scales[c]);
    out->bottom = bt_near_at_least(lattice, out->floors, out->least);
    return BAUTA_OK;
}

void bt_judge_release(bt_judge *judge)
{
    free(judge->floors);
    *judge = (bt_judge){0};
}

/* ---- jurors ------------------------------------------------------------------------------ */

/* One sensitive column and nothing counted by rows: a profile is a code. */
static bool is_single(const bt_judge *judge)
{
    return judge->count.counted == BT_COUNT_PROFILES && judge->count.people->columns == 1;
}

/* Copies of the people and the requirements that can be bound to what is left. */
static bauta_status make_rest(const bt_judge *judge, bt_juror *out, bauta_error *error)
{
    const bt_people *people = judge->count.people;
    const bt_requirements *asked = judge->requirements;
    out->people = *people;
    out->people.arena = (bt_arena){0};
    out->people.sensitive =
        bt_arena_array(&out->arena, people->columns, sizeof *out->people.sensitive);
    out->requirements = *asked;
    out->requirements.items =
        bt_arena_array(&out->arena, asked->count, sizeof *out->requirements.items);
    if (!out->people.sensitive || !out->requirements.items) return bt_fail_memory(error);
    memcpy(out->requirements.items, asked->items, asked->count * sizeof *asked->items);
    for (size_t c = 0; c < people->columns; c++) {
        bt_sensitive *column = &out->people.sensitive[c];
        *column = people->sensitive[c];
        column->published = true;
        column->counts = bt_arena_array(&out->arena, column->size, sizeof *column->counts);
        if (!column->counts) return bt_fail_memory(error);
    }
    return bt_tally_new(&out->people, &out->rest_tally, error);
}

bauta_status bt_juror_make(const bt_judge *judge, bt_juror *out, bauta_error *error)
{
    const bt_people *people = judge->count.people;
    *out = (bt_juror){.kept_terms = bt_array(judge->count.lattice->terms, sizeof(uint64_t))};
    if (!out->kept_terms) return bt_fail_memory(error);
    if (judge->count.counted == BT_COUNT_SIZES) return BAUTA_OK;
    BT_TRY(bt_tally_new(people, &out->tally, error));
    if (is_single(judge)) {
        out->codes = bt_array(people->sensitive[0].size, sizeof *out->codes);
        out->counts = bt_array_zero(people->sensitive[0].size, sizeof *out->counts);
        if (!out->codes || !out->counts) return bt_fail_memory(error);
    }
    return judge->rebinds ? make_rest(judge, out, error) : BAUTA_OK;
}

void bt_juror_release(bt_juror *juror)
{
    bt_tally_free(juror->tally);
    bt_tally_free(juror->rest_tally);
    free(juror->codes);
    free(juror->counts);
    free(juror->outlooks);
    free(juror->kept_terms);
    bt_arena_release(&juror->arena);
    bt_arena_release(&juror->bound);
    *juror = (bt_juror){0};
}

/* ---- groups ------------------------------------------------------------------------------ */

static bauta_status add_group(const bt_counts *counts, uint32_t group, bt_tally *tally,
                              bauta_error *error)
{
    for (uint32_t i = counts->starts[group]; i < counts->starts[group + 1]; i++) {
        if (counts->counts)
            bt_tally_add(tally, counts->values[i], counts->counts[i]);
        else
            BT_TRY(bt_tally_add_row(tally, counts->values[i], error));
    }
    return BAUTA_OK;
}

static bt_outlook judge_single(const bt_requirements *requirements, const bt_counts *counts,
                               uint32_t group, bt_juror *juror)
{
    const uint32_t *codes = requirements->people->profile_values;
    uint32_t first = counts->starts[group], distinct = counts->starts[group + 1] - first;
    for (uint32_t i = 0; i < distinct; i++) {
        juror->codes[i] = codes[counts->values[first + i]];
        juror->counts[juror->codes[i]] = counts->counts[first + i];
    }
    bt_bag bag = {.size = (int64_t)counts->sizes[group],
                  .of = &requirements->people->sensitive[0],
                  .distinct = distinct,
                  .codes = juror->codes,
                  .counts = juror->counts,
                  .total = (int64_t)counts->sizes[group]};
    bt_outlook outlook = bt_requirements_outlook_of(requirements, &bag);
    for (uint32_t i = 0; i < distinct; i++)
        juror->counts[juror->codes[i]] = 0;
    return outlook;
}

/* `rest`: compared with what is left. */
static bauta_status judge_group(const bt_judge *judge, const bt_counts *counts, uint32_t group,
                                bool rest, bt_juror *juror, bt_outlook *out, bauta_error *error)
{
    const bt_requirements *requirements = rest ? &juror->requirements : judge->requirements;
    bt_tally *tally = rest ? juror->rest_tally : juror->tally;
    if (is_single(judge)) {
        *out = judge_single(requirements, counts, group, juror);
        return BAUTA_OK;
    }
    bt_tally_clear(tally);
    BT_TRY(add_group(counts, group, tally, error));
    *out = bt_requirements_outlook(requirements, tally);
    return BAUTA_OK;
}

/* Judges all groups, or as many as show that no node below is wanted. */
static bauta_status judge_groups(const bt_judge *judge, const bt_counts *counts, bt_juror *juror,
                                 bt_trial *out, int64_t *hopeless, bauta_error *error)
{
    bool sizes = judge->count.counted == BT_COUNT_SIZES;
    for (uint32_t g = 0; g < counts->groups && !out->dead; g++) {
        bt_outlook outlook = BT_OUTLOOK_GOOD;
        if ((int64_t)counts->sizes[g] < judge->least)
            outlook = BT_OUTLOOK_HOPELESS;
        else if (!sizes)
            BT_TRY(judge_group(judge, counts, g, false, juror, &outlook, error));
        juror->outlooks[g] = (uint8_t)outlook;
        if (outlook == BT_OUTLOOK_GOOD) continue;
        out->dropped += (int64_t)counts->sizes[g];
        if (outlook == BT_OUTLOOK_HOPELESS) *hopeless += (int64_t)counts->sizes[g];
        out->dead = judge->final || *hopeless > judge->allowed;
    }
    return BAUTA_OK;
}

/* ---- what is left as a table of its own -------------------------------------------------- */

static bauta_status bind_rest(const bt_counts *counts, bt_juror *juror, bauta_error *error)
{
    bt_people *people = &juror->people;
    bt_tally_clear(juror->tally);
    people->rows = 0;
    for (uint32_t g = 0; g < counts->groups; g++) {
        if (juror->outlooks[g] != BT_OUTLOOK_GOOD) continue;
        people->rows += (int64_t)counts->sizes[g];
        BT_TRY(add_group(counts, g, juror->tally, error));
    }
    people->persons = bt_tally_size(juror->tally);
    for (size_t c = 0; c < people->columns; c++) {
        bt_sensitive *column = &people->sensitive[c];
        bt_bag bag = bt_tally_bag(juror->tally, c);
        for (uint32_t code = 0; code < column->size; code++)
            column->counts[code] = (int64_t)bag.counts[code];
        column->total = bag.total;
    }
    bt_arena_release(&juror->bound);
    if (people->rows == 0) return BAUTA_OK;
    return bt_requirements_bind(&juror->requirements, people, &juror->bound, error);
}

static bauta_status settle(const bt_judge *judge, const bt_counts *counts, bt_juror *juror,
                           bt_trial *out, bauta_error *error)
{
    for (bool settled = false; !settled && out->dropped <= judge->allowed;) {
        BT_TRY(bind_rest(counts, juror, error));
        settled = true;
        for (uint32_t g = 0; g < counts->groups; g++) {
            bt_outlook outlook;
            if (juror->outlooks[g] != BT_OUTLOOK_GOOD) continue;
            BT_TRY(judge_group(judge, counts, g, true, juror, &outlook, error));
            if (outlook == BT_OUTLOOK_GOOD) continue;
            juror->outlooks[g] = BT_OUTLOOK_BAD;
            out->dropped += (int64_t)counts->sizes[g];
            settled = false;
        }
    }
    return BAUTA_OK;
}

/* ---- what is lost ------------------------------------------------------------------------ */

static void add_up(const bt_counts *counts, const bt_juror *juror, bt_trial *out)
{
    out->smallest = UINT64_MAX;
    for (uint32_t g = 0; g < counts->groups; g++) {
        uint64_t size = counts->sizes[g];
        if (juror->outlooks[g] != BT_OUTLOOK_GOOD) continue;
        out->classes++;
        out->squares += size * size;
        if (size < out->smallest) out->smallest = size;
    }
}

/* Adds what records of a group lose by being dropped, column by column. */
static void add_dropped(const bt_lattice *lattice, const bt_counts *counts, uint32_t group,
                        uint64_t *terms)
{
    const uint64_t *key = counts->keys + (size_t)group * lattice->words;
    for (size_t c = 0; c < lattice->columns; c++) {
        const bt_scale *scale = &lattice->scales[c];
        const bt_rung *rung = bt_rung_at(scale, counts->levels[c]);
        uint32_t code = bt_key_code(scale, key);
        terms[c] += counts->sizes[group] * (scale->full - rung->cost[code]);
    }
}

/* No less than this is lost by dropping records, from their number alone. */
static bt_wide dropped_at_least(const bt_lattice *lattice, const uint16_t *levels, int64_t hopeless,
                                int64_t least)
{
    bt_wide near = 0;
    if (lattice->goal == BT_GOAL_DISCERNIBILITY)
        return (bt_wide)((uint64_t)hopeless * (uint64_t)(lattice->records - least)) << 64;
    if (lattice->goal == BT_GOAL_CLASSES) return (bt_wide)(uint64_t)(hopeless / least) << 64;
    for (size_t c = 0; c < lattice->columns; c++)
        near += bt_rung_at(&lattice->scales[c], levels[c])->spare;
    return near * (uint64_t)hopeless;
}

static void price_columns(const bt_judge *judge, const bt_counts *counts, bt_juror *juror,
                          bt_trial *out)
{
    const bt_lattice *lattice = judge->count.lattice;
    uint64_t *beneath = juror->kept_terms, *terms = out->price.terms;
    memset(beneath, 0, lattice->terms * sizeof *beneath);
    memset(terms, 0, lattice->terms * sizeof *terms);
    for (uint32_t g = 0; g < counts->groups; g++)
        if (juror->outlooks[g] != BT_OUTLOOK_GOOD)
            add_dropped(lattice, counts, g,
                        juror->outlooks[g] == BT_OUTLOOK_HOPELESS ? beneath : terms);
    out->beneath = bt_near_all(lattice, beneath);
    for (size_t c = 0; c < lattice->columns; c++)
        terms[c] += beneath[c] + bt_rung_at(&lattice->scales[c], counts->levels[c])->total;
}

static void price_groups(const bt_judge *judge, bt_trial *out)
{
    const bt_lattice *lattice = judge->count.lattice;
    uint64_t records = (uint64_t)lattice->records;
    uint64_t dropped = records - (uint64_t)(lattice->kept - out->dropped);
    out->price.terms[0] = lattice->goal == BT_GOAL_CLASSES ? records - out->classes
                                                           : out->squares + dropped * records;
}

bauta_status bt_try(const bt_judge *judge, const bt_counts *counts, bt_wide limit, bt_juror *juror,
                    bt_trial *out, bauta_error *error)
{
    const bt_lattice *lattice = judge->count.lattice;
    int64_t hopeless = 0;
    *out = (bt_trial){.price = {.terms = out->price.terms}};
    BT_TRY(bt_array_grow(&juror->outlooks, &juror->outlooks_room, counts->groups, 1, error));
    BT_TRY(judge_groups(judge, counts, juror, out, &hopeless, error));
    if (out->dead) return BAUTA_OK;
    out->beneath = dropped_at_least(lattice, counts->levels, hopeless, judge->least);
    out->dead = out->beneath + judge->bottom >= limit;
    if (out->dead) return BAUTA_OK;
    if (judge->rebinds && out->dropped > 0) BT_TRY(settle(judge, counts, juror, out, error));
    add_up(counts, juror, out);
    out->satisfies = out->dropped <= judge->allowed && out->classes > 0;
    if (lattice->separable)
        price_columns(judge, counts, juror, out);
    else
        price_groups(judge, out);
    out->price.near = bt_near_all(lattice, out->price.terms);
    out->dead = out->beneath + judge->bottom >= limit;
    return BAUTA_OK;
}

bauta_status bt_try_together(const bt_judge *judge, const bt_counts *counts, const uint32_t *groups,
                             size_t count, bt_juror *juror, bool *good, bauta_error *error)
{
    int64_t size = 0;
    for (size_t i = 0; i < count; i++)
        size += (int64_t)counts->sizes[groups[i]];
    *good = size >= judge->least;
    if (!*good || judge->count.counted == BT_COUNT_SIZES) return BAUTA_OK;
    if (count == 1) {
        bt_outlook outlook;
        BT_TRY(judge_group(judge, counts, groups[0], false, juror, &outlook, error));
        *good = outlook == BT_OUTLOOK_GOOD;
        return BAUTA_OK;
    }
    bt_tally_clear(juror->tally);
    for (size_t i = 0; i < count; i++)
        BT_TRY(add_group(counts, groups[i], juror->tally, error));
    *good = bt_requirements_check(judge->requirements, juror->tally, NULL);
    return BAUTA_OK;
}

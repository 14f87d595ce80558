/* SPDX-License-Identifier: Apache-2.0
 *
 * Linkage and posteriors, set of columns by set of columns.
 *
 * One side is looked at (persons, or rows), the other passes by. For a set of columns the looked-at
 * combinations are grouped by the columns outside of it; each passing combination finds its group
 * and leaves there its value, which is its transition probability for exactly this set (persons
 * are looked at) or how many records have it (rows are). A passing combination that differs in
 * fewer columns is in the group as well, with too small a value: since its own set gives it the
 * right one, the largest over all sets is right. Sums are taken over the sets of lambda columns
 * only, where each pair is counted with just the terms of its probability.
 *
 * Every value has a mark of 64 bits, and the key of a combination without some columns is the XOR
 * of the marks of the others, from that of the whole in as many steps as are left out. Nobody knows
 * the marks of a process: that two different ones have the same key is as good as impossible, and
 * would change a report in its last digits.
 */
#include "class/linkage.h"

#include "base/hash.h"

#include <string.h>

enum { MOST_COLUMNS = 64, NO_GROUP = UINT32_MAX };
static const double tie = 1e-9; /* relative: what rounding may tell apart */
static const double most_steps = 1e10;

typedef struct group { /* of looked-at combinations: what the passing ones left */
    double best;       /* largest value */
    double ties;       /* records or rows that have it */
    double sum;        /* of values, each for all its records or rows */
    double count;      /* of records or rows */
} group;

typedef struct side {
    const bt_codes *codes; /* of all records or rows */
    bt_tuples tuples;      /* combinations */
    uint64_t *key;         /* per combination: the marks of its values, each XORed */
    double *chance;        /* rows: per combination and column, that of its value; records: NULL */
} side;

typedef struct set_work { /* a set that is being worked on */
    uint64_t *keys;       /* hash table: places + 1 is a power of two */
    uint32_t *ids;        /* group there; NO_GROUP: the place is free */
    group *groups;
    uint32_t *group_of; /* per looked-at combination */
} set_work;

typedef struct walk {
    const bt_linkage_job *job;
    bool persons;           /* are looked at; else rows */
    const double *discount; /* persons: per passing combination, what its chances are divided by;
                               NULL: nothing */
    side looked, passing;
    uint64_t *sets; /* of at most lambda columns, as bits */
    size_t set_count;
    size_t first;    /* of the sets that are being worked on */
    set_work *works; /* works[i] is that on set first + i */
    size_t work_count;
    size_t places; /* of a hash table, less 1 */
    bt_arena arena;
} walk;

/* ---- sets and chances -------------------------------------------------------------------- */

static bool count_sets(const bt_mechanism *mechanism, size_t *out)
{
    double sum = 0, term = 1;
    for (uint32_t size = 0; size <= mechanism->lambda; size++) {
        sum += term;
        term = term * (double)(mechanism->columns - size) / (size + 1);
    }
    *out = sum <= BT_LINKAGE_SETS_MOST ? (size_t)(sum + 0.5) : 0;
    return *out > 0 && mechanism->columns < MOST_COLUMNS;
}

bool bt_linkage_feasible(const bt_mechanism *mechanism, int64_t rows)
{
    size_t count = 1;
    bool all = mechanism->lambda == mechanism->columns && mechanism->columns <= MOST_COLUMNS;
    if (!all && !count_sets(mechanism, &count)) return false;
    double steps = mechanism->lambda > 1 ? mechanism->lambda * (double)mechanism->columns / 2 : 1;
    return (double)count * (double)rows * steps <= most_steps;
}

/* Where all columns are drawn anew nothing depends on the record: one set, that of all. */
static bauta_status list_sets(walk *w, bauta_error *error)
{
    const bt_mechanism *mechanism = w->job->mechanism;
    size_t columns = mechanism->columns, count = 1, made = 0;
    bool all = mechanism->lambda == columns;
    if (columns > MOST_COLUMNS || (!all && !count_sets(mechanism, &count)))
        return bt_fail(error, BAUTA_INVALID, "there are too many sets of columns to look at");
    w->sets = bt_arena_array(&w->arena, count, sizeof *w->sets);
    BT_TRY(bt_arena_check(&w->arena, error));
    if (all) {
        w->sets[w->set_count++] = columns == 64 ? UINT64_MAX : ((uint64_t)1 << columns) - 1;
        return BAUTA_OK;
    }
    w->sets[w->set_count++] = 0;
    for (uint32_t size = 1; size <= mechanism->lambda; size++) { /* each with one more, above */
        size_t end = w->set_count;
        for (; made < end; made++) {
            uint64_t set = w->sets[made];
            size_t above = set ? 64 - (size_t)__builtin_clzll(set) : 0;
            for (size_t c = above; c < columns; c++)
                w->sets[w->set_count++] = set | (uint64_t)1 << c;
        }
    }
    return BAUTA_OK;
}

/* The sum over all sets of `size` of the columns outside `but` of the products of their chances:
 * elementary symmetric, column by column. */
static double products(const double *chance, size_t columns, uint64_t but, uint32_t size)
{
    double sums[MOST_COLUMNS + 1] = {1};
    for (size_t c = 0; c < columns; c++) {
        if (but >> c & 1) continue;
        for (uint32_t k = size; k >= 1; k--)
            sums[k] += sums[k - 1] * chance[c];
    }
    return sums[size];
}

static double sets_of(size_t columns, uint32_t size)
{
    double count = 1;
    for (uint32_t i = 0; i < size; i++)
        count = count * (double)(columns - i) / (i + 1);
    return count;
}

double bt_transition(const bt_mechanism *mechanism, const double *chance, uint64_t differs)
{
    size_t columns = mechanism->columns;
    uint32_t lambda = mechanism->lambda, size = (uint32_t)__builtin_popcountll(differs);
    if (size > lambda) return 0;
    if (lambda == 1) {
        double sum = 0;
        for (size_t c = 0; c < columns; c++)
            if (!differs || differs >> c & 1)
                sum += (double)mechanism->weight[c] / (double)mechanism->total * chance[c];
        return sum;
    }
    double product = 1 / sets_of(columns, lambda);
    for (size_t c = 0; c < columns; c++)
        if (differs >> c & 1) product *= chance[c];
    return product * products(chance, columns, differs, lambda - size);
}

/* ---- both sides -------------------------------------------------------------------------- */

static inline uint64_t mark(size_t column, uint32_t code)
{
    return bt_hash_mix(bt_hash_mix(column, code), code);
}

static inline uint32_t code_of(const side *of, uint32_t tuple, size_t column)
{
    const bt_codes *codes = &of->codes[column];
    return bt_code_at(codes->codes, codes->width, of->tuples.row[tuple]);
}

static uint64_t key_without(const side *of, uint32_t tuple, uint64_t set)
{
    uint64_t key = of->key[tuple];
    for (; set; set &= set - 1) {
        size_t column = (size_t)__builtin_ctzll(set);
        key ^= mark(column, code_of(of, tuple, column));
    }
    return key;
}

/* tuple_of: NULL, or for the tuple of each row. */
static bauta_status make_side(walk *w, const bt_codes *codes, int64_t rows, bool is_rows,
                              uint32_t *tuple_of, side *out, bauta_error *error)
{
    const bt_linkage_job *job = w->job;
    size_t columns = job->mechanism->columns;
    out->codes = codes;
    BT_TRY(bt_tuples_number(codes, columns, rows, job->run, &out->tuples, tuple_of, NULL, error));
    uint32_t count = out->tuples.count;
    out->key = bt_arena_array(&w->arena, count, sizeof *out->key);
    if (is_rows) out->chance = bt_arena_array(&w->arena, count, columns * sizeof *out->chance);
    BT_TRY(bt_arena_check(&w->arena, error));
    for (uint32_t t = 0; t < count; t++)
        for (size_t c = 0; c < columns; c++) {
            uint32_t code = code_of(out, t, c);
            out->key[t] ^= mark(c, code);
            if (is_rows) out->chance[t * columns + c] = job->chance[c][code];
        }
    return BAUTA_OK;
}

static bauta_status make_works(walk *w, bauta_error *error)
{
    uint32_t count = w->looked.tuples.count;
    w->work_count = bt_pool_size(w->job->run->pool);
    w->places = 1;
    while (w->places < (size_t)count * 2)
        w->places *= 2;
    w->places--;
    w->works = bt_arena_array(&w->arena, w->work_count, sizeof *w->works);
    BT_TRY(bt_arena_check(&w->arena, error));
    for (size_t i = 0; i < w->work_count; i++) {
        set_work *work = &w->works[i];
        work->keys = bt_arena_array(&w->arena, w->places + 1, sizeof *work->keys);
        work->ids = bt_arena_array(&w->arena, w->places + 1, sizeof *work->ids);
        work->groups = bt_arena_array(&w->arena, count, sizeof *work->groups);
        work->group_of = bt_arena_array(&w->arena, count, sizeof *work->group_of);
    }
    return bt_arena_check(&w->arena, error);
}

static bauta_status open_walk(walk *w, const bt_codes *looked, int64_t looked_rows,
                              uint32_t *tuple_of, bauta_error *error)
{
    const bt_linkage_job *job = w->job;
    BT_TRY(list_sets(w, error));
    BT_TRY(make_side(w, looked, looked_rows, !w->persons, tuple_of, &w->looked, error));
    BT_TRY(w->persons
               ? make_side(w, job->rows, job->row_count, true, NULL, &w->passing, error)
               : make_side(w, job->records, job->record_count, false, NULL, &w->passing, error));
    return make_works(w, error);
}

static void close_walk(walk *w)
{
    bt_tuples_release(&w->looked.tuples);
    bt_tuples_release(&w->passing.tuples);
    bt_arena_release(&w->arena);
}

/* ---- one set ----------------------------------------------------------------------------- */

static inline size_t find_place(const walk *w, const set_work *work, uint64_t key)
{
    size_t place = (size_t)key & w->places;
    while (work->ids[place] != NO_GROUP && work->keys[place] != key)
        place = (place + 1) & w->places;
    return place;
}

static void group_looked(const walk *w, set_work *work, uint64_t set)
{
    uint32_t groups = 0;
    memset(work->ids, 0xff, (w->places + 1) * sizeof *work->ids);
    for (uint32_t t = 0; t < w->looked.tuples.count; t++) {
        uint64_t key = key_without(&w->looked, t, set);
        size_t place = find_place(w, work, key);
        if (work->ids[place] == NO_GROUP) {
            work->keys[place] = key;
            work->ids[place] = groups;
            work->groups[groups++] = (group){0};
        }
        work->group_of[t] = work->ids[place];
    }
}

static inline void leave(group *at, double value, double count)
{
    at->count += count;
    at->sum += count * value;
    if (value > at->best * (1 + tie)) {
        at->best = value;
        at->ties = count;
    } else if (value >= at->best * (1 - tie)) {
        at->ties += count;
    }
}

static bauta_status work_on_set(void *user, size_t task, unsigned worker, bauta_error *error)
{
    (void)worker;
    (void)error;
    const walk *w = user;
    const bt_mechanism *mechanism = w->job->mechanism;
    const side *passing = &w->passing;
    set_work *work = &w->works[task];
    uint64_t set = w->sets[w->first + task];
    group_looked(w, work, set);
    for (uint32_t t = 0; t < passing->tuples.count; t++) {
        size_t place = find_place(w, work, key_without(passing, t, set));
        if (work->ids[place] == NO_GROUP) continue;
        double count = passing->tuples.size[t];
        double value = count;
        if (w->persons)
            value = bt_transition(mechanism, passing->chance + t * mechanism->columns, set);
        if (w->discount) value /= w->discount[t];
        leave(&work->groups[work->ids[place]], value, w->persons ? count : 1);
    }
    return BAUTA_OK;
}

/* What a set says, told of each looked-at combination in turn; sets come in their order. */
typedef void (*hear)(void *user, const walk *w, uint64_t set, uint32_t tuple, const group *said);

static bauta_status walk_sets(walk *w, hear tell, void *user, bauta_error *error)
{
    bt_pool *pool = w->job->run->pool;
    for (w->first = 0; w->first < w->set_count; w->first += w->work_count) {
        size_t left = w->set_count - w->first, now = left < w->work_count ? left : w->work_count;
        BT_TRY(bt_pool_run(pool, now, work_on_set, w, error));
        for (size_t i = 0; i < now; i++)
            for (uint32_t t = 0; t < w->looked.tuples.count; t++)
                tell(user, w, w->sets[w->first + i], t,
                     &w->works[i].groups[w->works[i].group_of[t]]);
        BT_TRY(bt_run_progress(w->job->run, 0, "linking", (int64_t)(w->first + now),
                               (int64_t)w->set_count, error));
    }
    return BAUTA_OK;
}

/* ---- persons ----------------------------------------------------------------------------- */

typedef struct found { /* of a person's combination */
    double best, ties; /* the most likely rows: how likely, how many */
    double sum;        /* over all rows */
} found;

static void hear_rows(void *user, const walk *w, uint64_t set, uint32_t tuple, const group *said)
{
    found *all = user, *of = &all[tuple];
    if (said->count > 0 && said->best > of->best * (1 + tie)) {
        of->best = said->best;
        of->ties = said->ties;
    } else if (said->count > 0 && said->best >= of->best * (1 - tie)) {
        of->ties += said->ties;
    }
    if ((uint32_t)__builtin_popcountll(set) == w->job->mechanism->lambda) of->sum += said->sum;
}

typedef struct sample { /* records that are looked at */
    int64_t count;
    uint32_t *row;   /* which */
    bt_codes *codes; /* theirs, per column */
    uint32_t *tuple; /* of each */
} sample;

/* Some of the records if there are too many, each set of them with equal chances. */
static bauta_status take_sample(const bt_linkage_job *job, bt_arena *arena, sample *out,
                                bauta_error *error)
{
    size_t columns = job->mechanism->columns;
    int64_t wanted = job->record_count;
    bt_stream stream;
    if (wanted > BT_LINKAGE_RECORDS_MOST) wanted = BT_LINKAGE_RECORDS_MOST;
    out->row = bt_arena_array(arena, (size_t)wanted, sizeof *out->row);
    out->tuple = bt_arena_array(arena, (size_t)wanted, sizeof *out->tuple);
    out->codes = bt_arena_array(arena, columns, sizeof *out->codes);
    BT_TRY(bt_arena_check(arena, error));
    bt_stream_init(&stream, &job->run->seed, "linkage", 0);
    for (int64_t row = 0; out->count < wanted; row++)
        if (wanted == job->record_count ||
            (int64_t)bt_stream_below(&stream, (uint64_t)(job->record_count - row)) <
                wanted - out->count)
            out->row[out->count++] = (uint32_t)row;
    for (size_t c = 0; c < columns; c++) {
        const bt_codes *from = &job->records[c];
        uint32_t *codes = bt_arena_array(arena, (size_t)wanted, sizeof *codes);
        BT_TRY(bt_arena_check(arena, error));
        for (int64_t i = 0; i < wanted; i++)
            codes[i] = bt_code_at(from->codes, from->width, out->row[i]);
        out->codes[c] = (bt_codes){codes, sizeof *codes, from->count};
    }
    return BAUTA_OK;
}

/* How likely a record is to have become the row that it became. */
static double own_chance(const bt_linkage_job *job, uint32_t row)
{
    size_t columns = job->mechanism->columns;
    double chance[MOST_COLUMNS] = {0};
    uint64_t differs = 0;
    for (size_t c = 0; c < columns; c++) {
        uint32_t is = bt_code_at(job->rows[c].codes, job->rows[c].width, row);
        uint32_t was = bt_code_at(job->records[c].codes, job->records[c].width, row);
        chance[c] = job->chance[c][is];
        differs |= (uint64_t)(is != was) << c;
    }
    return bt_transition(job->mechanism, chance, differs);
}

/* Picks for every looked-at record; `discount` is per combination of rows, or NULL. */
static bauta_status pick_rows(const bt_linkage_job *job, sample *looked, const double *discount,
                              const uint32_t *row_tuple, bt_linkage *out, bauta_error *error)
{
    BT_OWN(close_walk) walk w = {.job = job, .persons = true, .discount = discount};
    double rate = 0;
    BT_TRY(open_walk(&w, looked->codes, looked->count, looked->tuple, error));
    found *all = bt_arena_array(&w.arena, w.looked.tuples.count, sizeof *all);
    BT_TRY(bt_arena_check(&w.arena, error));
    BT_TRY(walk_sets(&w, hear_rows, all, error));
    for (int64_t i = 0; i < looked->count; i++) {
        const found *person = &all[looked->tuple[i]];
        double own = own_chance(job, looked->row[i]);
        if (discount) own /= discount[row_tuple[looked->row[i]]];
        if (own >= person->best * (1 - tie)) rate += 1 / person->ties;
        if (!discount) out->own += own / person->sum;
    }
    *(discount ? &out->all_rate : &out->rate) = rate / (double)looked->count;
    return BAUTA_OK;
}

/* ---- rows -------------------------------------------------------------------------------- */

typedef struct origin { /* of a row's combination */
    double sum;         /* over all records: how likely each is to have become it */
    double top;         /* the largest sum over records that are alike */
    double most, least; /* of one record; those that cannot have become it left out */
    double reach;       /* records that can */
} origin;

/* (-1)^(lambda - size) * C(columns - 1 - size, lambda - size): with it the records that agree in
 * all columns outside a set, summed over sets, count each that differs in at most lambda columns
 * once. */
static double reach_weight(const bt_mechanism *mechanism, uint32_t size)
{
    uint32_t more = mechanism->lambda - size;
    if (mechanism->lambda == mechanism->columns) return 1; /* the one set there is */
    return (more % 2 ? -1 : 1) * sets_of(mechanism->columns - 1 - size, more);
}

static void hear_records(void *user, const walk *w, uint64_t set, uint32_t tuple, const group *said)
{
    const bt_mechanism *mechanism = w->job->mechanism;
    origin *all = user, *of = &all[tuple];
    uint32_t size = (uint32_t)__builtin_popcountll(set);
    if (said->count == 0) return;
    double chance = bt_transition(mechanism, w->looked.chance + tuple * mechanism->columns, set);
    if (chance * said->best > of->top) of->top = chance * said->best;
    if (chance > of->most) of->most = chance;
    if (of->least == 0 || chance < of->least) of->least = chance;
    if (size == mechanism->lambda) of->sum += chance * said->sum;
    of->reach += reach_weight(mechanism, size) * said->sum;
}

static void judge_rows(const walk *w, const origin *all, bt_posterior *out)
{
    const bt_tuples *tuples = &w->looked.tuples;
    for (uint32_t t = 0; t < tuples->count; t++) {
        const origin *of = &all[t];
        double rows = tuples->size[t];
        double posterior = of->sum > 0 ? of->top / of->sum : 0; /* 0: no record can be it */
        out->looked_at += tuples->size[t];
        out->mean += rows * posterior;
        if (posterior > out->worst) out->worst = posterior;
        if (of->least > 0 && of->most / of->least > out->amplification)
            out->amplification = of->most / of->least;
        out->excluded += rows * (1 - of->reach / (double)w->job->record_count);
    }
    out->mean /= (double)out->looked_at;
    out->excluded /= (double)out->looked_at;
}

/* Weighs every row by all records. The array lives as long as the walk, which the caller closes.
 * tuple_of: NULL, or for the tuple of each row. */
static bauta_status weigh_rows(walk *w, uint32_t *tuple_of, origin **out, bauta_error *error)
{
    BT_TRY(open_walk(w, w->job->rows, w->job->row_count, tuple_of, error));
    *out = bt_arena_array(&w->arena, w->looked.tuples.count, sizeof **out);
    BT_TRY(bt_arena_check(&w->arena, error));
    return walk_sets(w, hear_records, *out, error);
}

bauta_status bt_posterior_find(const bt_linkage_job *job, bt_posterior *out, bauta_error *error)
{
    BT_OWN(close_walk) walk w = {.job = job};
    origin *all;
    *out = (bt_posterior){0};
    BT_TRY(weigh_rows(&w, NULL, &all, error));
    judge_rows(&w, all, out);
    return BAUTA_OK;
}

/* ---- persons, by someone who knows all --------------------------------------------------- */

/* Divides the chances of a row by its sum over all records: what is left is how likely it is this
 * record's, every record being as likely as any other beforehand. */
static bauta_status pick_with_all(const bt_linkage_job *job, sample *looked, bt_linkage *out,
                                  bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    BT_OWN(close_walk) walk w = {.job = job};
    uint32_t *tuple_of = bt_arena_array(&scratch, (size_t)job->row_count, sizeof *tuple_of);
    origin *all;
    BT_TRY(bt_arena_check(&scratch, error));
    BT_TRY(weigh_rows(&w, tuple_of, &all, error));
    double *sums = bt_arena_array(&scratch, w.looked.tuples.count, sizeof *sums);
    BT_TRY(bt_arena_check(&scratch, error));
    for (uint32_t t = 0; t < w.looked.tuples.count; t++)
        sums[t] = all[t].sum;
    close_walk(&w);
    /* The rows are grouped again, in the same order. */
    BT_TRY(pick_rows(job, looked, sums, tuple_of, out, error));
    out->all_known = true;
    return BAUTA_OK;
}

bauta_status bt_linkage_find(const bt_linkage_job *job, bt_linkage *out, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    sample looked = {0};
    size_t sets = 1;
    *out = (bt_linkage){0};
    if (job->record_count == 0) return BAUTA_OK;
    bool few =
        job->mechanism->lambda == job->mechanism->columns || count_sets(job->mechanism, &sets);
    BT_TRY(take_sample(job, &scratch, &looked, error));
    BT_TRY(pick_rows(job, &looked, NULL, NULL, out, error));
    if (few && looked.count == job->record_count &&
        (double)sets * (double)job->record_count <= BT_LINKAGE_ALL_MOST)
        BT_TRY(pick_with_all(job, &looked, out, error));
    out->looked_at = looked.count;
    out->own /= (double)looked.count;
    return BAUTA_OK;
}

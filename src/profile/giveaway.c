/* SPDX-License-Identifier: Apache-2.0
 *
 * Learning what a clue says of a column, and trying it.
 */
#include "profile/giveaway.h"

#include "base/memory.h"

#include <string.h>

enum { FIRST_LOOK = 1024, NO_GUESS = UINT32_MAX, CHANCE = 16 };

static const bt_rational quarter = {1, 4};

/* ---- what was learned -------------------------------------------------------------------- */

typedef struct lesson { /* a value of the column that came with a key */
    int64_t key;
    uint32_t code, rows;
} lesson;

typedef struct lessons {
    lesson *at; /* by key, then by code */
    size_t count;
    uint32_t *before; /* place i, and one more: rows of all before it */
    uint32_t *best;   /* level l, place i: the one of i .. i + 2^l - 1 with the most rows, the first
                         of them when several have; `count` places per level */
} lessons;

static void forget(lessons *learned)
{
    free(learned->at);
    free(learned->before);
    free(learned->best);
    *learned = (lessons){0};
}

static int compare_lessons(const void *a, const void *b)
{
    const lesson *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->code > y->code) - (x->code < y->code);
}

static uint32_t better(const lessons *learned, uint32_t a, uint32_t b)
{
    return learned->at[b].rows > learned->at[a].rows ? b : a;
}

static bauta_status rank(lessons *learned, bauta_error *error)
{
    size_t levels = 1, room;
    while ((size_t)1 << levels <= learned->count)
        levels++;
    if (bt_size_mul(levels, learned->count, &room))
        learned->best = bt_array(room, sizeof *learned->best);
    learned->before = bt_array(learned->count + 1, sizeof *learned->before);
    if (!learned->best || !learned->before) return bt_fail_memory(error);
    learned->before[0] = 0;
    for (size_t i = 0; i < learned->count; i++) {
        learned->best[i] = (uint32_t)i;
        learned->before[i + 1] = learned->before[i] + learned->at[i].rows;
    }
    for (size_t l = 1; l < levels; l++) {
        const uint32_t *half = learned->best + (l - 1) * learned->count;
        size_t width = (size_t)1 << (l - 1);
        for (size_t i = 0; i + 2 * width <= learned->count; i++)
            learned->best[l * learned->count + i] = better(learned, half[i], half[i + width]);
    }
    return BAUTA_OK;
}

/* Sorts what was noted down and counts equal notes. */
static bauta_status digest(lessons *learned, bauta_error *error)
{
    size_t used = 0;
    if (learned->count > 0)
        qsort(learned->at, learned->count, sizeof *learned->at, compare_lessons);
    for (size_t i = 0; i < learned->count; i++) {
        if (used > 0 && compare_lessons(&learned->at[used - 1], &learned->at[i]) == 0)
            learned->at[used - 1].rows++;
        else
            learned->at[used++] = learned->at[i];
    }
    learned->count = used;
    return rank(learned, error);
}

/* The first lesson at or behind this key and code. */
static size_t find(const lessons *learned, int64_t key, uint32_t code)
{
    const lesson wanted = {.key = key, .code = code};
    size_t lo = 0, hi = learned->count;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        if (compare_lessons(&learned->at[middle], &wanted) < 0)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

/* Of the values that came with a key: the most frequent one, its rows, and those of all. */
typedef struct recalled {
    uint32_t code, rows, all;
} recalled;

static const recalled nothing = {.code = NO_GUESS};

/* Nine in ten agree: the key determines the value, as far as was learned. */
static bool is_determined(recalled r)
{
    return 10 * (uint64_t)r.rows >= 9 * (uint64_t)r.all;
}

/* The values from `lo` to `hi` that came with a key. */
static recalled recall(const lessons *learned, int64_t key, uint32_t lo, uint32_t hi)
{
    size_t from = find(learned, key, lo), to = find(learned, key, hi);
    if (to < learned->count && learned->at[to].key == key && learned->at[to].code == hi) to++;
    if (from >= to) return nothing;
    size_t level = 0;
    while ((size_t)2 << level <= to - from)
        level++;
    const uint32_t *best = learned->best + level * learned->count;
    const lesson *most = &learned->at[better(learned, best[from], best[to - ((size_t)1 << level)])];
    return (recalled){most->code, most->rows, learned->before[to] - learned->before[from]};
}

/* The rows of a value that came with a key. */
static uint32_t count_of(const lessons *learned, int64_t key, uint32_t code)
{
    size_t at = find(learned, key, code);
    bool met = at < learned->count && learned->at[at].key == key && learned->at[at].code == code;
    return met ? learned->at[at].rows : 0;
}

/* The values inside the cell of a row that came with a key. */
static recalled recall_inside(const lessons *learned, int64_t key, const bt_veiled *veiled,
                              size_t row)
{
    const bt_veiled_set *set = veiled->sets ? &veiled->sets[row] : NULL;
    recalled out = nothing;
    if (!set || set->count == 0) return recall(learned, key, veiled->lo[row], veiled->hi[row]);
    for (uint32_t i = 0; i < set->count; i++) {
        uint32_t rows = count_of(learned, key, set->codes[i]);
        out.all += rows;
        if (rows <= out.rows) continue;
        out.rows = rows;
        out.code = set->codes[i];
    }
    return out;
}

/* ---- the sample -------------------------------------------------------------------------- */

typedef struct numbered {
    int64_t number;
    uint32_t code;
} numbered;

typedef struct column { /* a column that is generalized */
    const bt_veiled *veiled;
    numbered *numbers; /* of the values that are present, ascending; NULL: text */
    uint32_t *usual;   /* per row: the most frequent value inside the cell */
    bool *given;       /* per clue: it gives the column away by itself */
    bt_arena arena;
} column;

typedef struct keys { /* of a clue, for each row */
    int64_t *at;
    bool *known;
    bool numbers;
    int scale;
    bt_arena arena;
} keys;

typedef struct search {
    const bt_giveaway_job *job;
    column *columns;
    bt_giveaway *found; /* per task */
    size_t pair_count;  /* of clues that are added and subtracted */
    size_t (*pairs)[2];
    bt_arena arena;
} search;

/* Every `step`th row is looked at; of these every second one is learned from. */
static size_t rows_seen(const bt_giveaway_job *job, size_t step)
{
    return (job->rows + step - 1) / step;
}

static bool is_veiled(const bt_veiled *veiled, size_t row)
{
    return veiled->lo[row] != veiled->hi[row];
}

static bauta_status learn(const search *s, const bt_veiled *veiled, const keys *clue, size_t step,
                          lessons *out, bauta_error *error)
{
    *out = (lessons){.at = bt_array(rows_seen(s->job, step) / 2 + 1, sizeof *out->at)};
    if (!out->at) return bt_fail_memory(error);
    for (size_t i = 0; i < rows_seen(s->job, step); i += 2) {
        size_t row = i * step;
        if (!clue || clue->known[row])
            out->at[out->count++] = (lesson){clue ? clue->at[row] : 0, veiled->codes[row], 1};
    }
    return digest(out, error);
}

/* ---- guessing ---------------------------------------------------------------------------- */

typedef enum guess_kind { LIKE, PLUS, MINUS } guess_kind;

static uint32_t code_of(const column *c, int64_t number)
{
    uint32_t lo = 0, hi = bt_domain_present(c->veiled->domain);
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (c->numbers[middle].number < number)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo < bt_domain_present(c->veiled->domain) && c->numbers[lo].number == number
               ? c->numbers[lo].code
               : NO_GUESS;
}

/* The key that was learned and is nearest; the lower of two. */
static bool nearest(const lessons *learned, int64_t key, int64_t *out)
{
    if (learned->count == 0) return false;
    size_t at = find(learned, key, 0);
    bool above = at<learned->count, below = at> 0;
    uint64_t up = above ? (uint64_t)learned->at[at].key - (uint64_t)key : 0;
    uint64_t down = below ? (uint64_t)key - (uint64_t)learned->at[at - 1].key : 0;
    *out = learned->at[above && (!below || up < down) ? at : at - 1].key;
    return true;
}

/* `number` in units of 10^-from, as a whole number of units of 10^-to. */
static bool rescale(int64_t *number, int from, int to)
{
    for (; from < to; from++)
        if (__builtin_mul_overflow(*number, 10, number)) return false;
    for (; from > to; from--) {
        if (*number % 10 != 0) return false;
        *number /= 10;
    }
    return true;
}

/* What came with the nearest number, moved by as much as that is away. */
static recalled guess_moved(const column *c, const lessons *learned, int64_t key, int64_t near,
                            int scale, guess_kind kind)
{
    const bt_domain *domain = c->veiled->domain;
    uint32_t present = bt_domain_present(domain);
    int64_t away, number;
    recalled r = present > 0 ? recall(learned, near, 0, present - 1) : nothing;
    if (r.code == NO_GUESS) return nothing;
    bool fits = !__builtin_sub_overflow(key, near, &away) && rescale(&away, scale, domain->scale);
    fits = fits && !(kind == PLUS ? __builtin_add_overflow(domain->number[r.code], away, &number)
                                  : __builtin_sub_overflow(domain->number[r.code], away, &number));
    r.code = fits ? code_of(c, number) : NO_GUESS;
    return r;
}

static recalled guess(const column *c, const lessons *learned, const keys *clue, size_t row,
                      guess_kind kind)
{
    int64_t near = clue->at[row];
    if (clue->numbers && !nearest(learned, clue->at[row], &near)) return nothing;
    if (kind == LIKE) return recall_inside(learned, near, c->veiled, row);
    recalled r = guess_moved(c, learned, clue->at[row], near, clue->scale, kind);
    return r.code >= c->veiled->lo[row] && r.code <= c->veiled->hi[row] ? r : nothing;
}

/* Rows for which the clue says otherwise than the cell, those for which it is right, and those for
 * which the cell is. */
typedef struct tally {
    int64_t said, won, lost;
} tally;

typedef struct trial {
    int64_t tried;
    tally determined; /* where the clue determines the value, as far as was learned */
    tally guessed;    /* all */
} trial;

static void count(tally *t, uint32_t said, uint32_t usual, uint32_t truth)
{
    t->said++;
    t->won += said == truth;
    t->lost += usual == truth;
}

static bool is_beyond(const tally *t, int64_t tried, bt_rational share)
{
    int64_t more = t->won - t->lost;
    return more > 0 && more * more > CHANCE * (t->won + t->lost) &&
           bt_ratio_compare(more, tried, share) > 0;
}

/* The rows that are given away; 0 where these are not too many. */
static int64_t given_away(const trial *t, bt_rational limit)
{
    if (is_beyond(&t->determined, t->tried, limit)) return t->determined.won - t->determined.lost;
    if (is_beyond(&t->guessed, t->tried, quarter)) return t->guessed.won - t->guessed.lost;
    return 0;
}

/* Half of a limit in a first look lets a clue have a second. */
static bool is_promising(const tally *t, int64_t tried, bt_rational share)
{
    return bt_ratio_compare(2 * (t->won - t->lost), tried, share) > 0;
}

static trial try_kind(const search *s, const column *c, const keys *clue, const lessons *learned,
                      size_t step, guess_kind kind)
{
    trial out = {0};
    for (size_t i = 1; i < rows_seen(s->job, step); i += 2) {
        size_t row = i * step;
        out.tried++;
        if (!is_veiled(c->veiled, row) || !clue->known[row]) continue;
        recalled r = guess(c, learned, clue, row, kind);
        if (r.code == NO_GUESS || r.code == c->usual[row]) continue;
        count(&out.guessed, r.code, c->usual[row], c->veiled->codes[row]);
        if (is_determined(r)) count(&out.determined, r.code, c->usual[row], c->veiled->codes[row]);
    }
    return out;
}

/* Tries all kinds of guesses and takes the one that gives most away; whether one is promising. */
static bauta_status try_clue(const search *s, const column *c, const keys *clue, size_t step,
                             bt_giveaway *out, bool *promising, bauta_error *error)
{
    BT_OWN(forget) lessons learned = {0};
    guess_kind last = clue->numbers && c->numbers ? MINUS : LIKE;
    out->given = 0;
    *promising = false;
    BT_TRY(learn(s, c->veiled, clue, step, &learned, error));
    for (guess_kind kind = LIKE; kind <= last; kind++) {
        trial found = try_kind(s, c, clue, &learned, step, kind);
        int64_t given = given_away(&found, s->job->limit);
        if (given > out->given) out->given = given;
        out->tried = found.tried;
        *promising = *promising || is_promising(&found.determined, found.tried, s->job->limit) ||
                     is_promising(&found.guessed, found.tried, quarter);
    }
    return BAUTA_OK;
}

/* ---- clues ------------------------------------------------------------------------------- */

static void release_keys(keys *k)
{
    bt_arena_release(&k->arena);
}

static bauta_status open_keys(size_t rows, keys *out, bauta_error *error)
{
    out->at = bt_arena_array(&out->arena, rows, sizeof *out->at);
    out->known = bt_arena_array(&out->arena, rows, sizeof *out->known);
    return bt_arena_check(&out->arena, error);
}

/* A missing value of a text is a text. */
static bauta_status make_keys(const search *s, const bt_clue *clue, keys *out, bauta_error *error)
{
    *out = (keys){.numbers = clue->numbers != NULL, .scale = clue->scale};
    BT_TRY(open_keys(s->job->rows, out, error));
    for (size_t i = 0; i < s->job->rows; i++) {
        out->at[i] = clue->numbers ? clue->numbers[i] : clue->codes[i];
        out->known[i] = clue->numbers ? clue->known[i] : true;
    }
    return BAUTA_OK;
}

static bauta_status combine_keys(const search *s, const bt_clue *a, const bt_clue *b, int sign,
                                 keys *out, bauta_error *error)
{
    *out = (keys){.numbers = true, .scale = a->scale > b->scale ? a->scale : b->scale};
    BT_TRY(open_keys(s->job->rows, out, error));
    for (size_t i = 0; i < s->job->rows; i++) {
        int64_t x = a->numbers[i], y = b->numbers[i];
        out->known[i] = a->known[i] && b->known[i] && rescale(&x, a->scale, out->scale) &&
                        rescale(&y, b->scale, out->scale) &&
                        !(sign > 0 ? __builtin_add_overflow(x, y, &out->at[i])
                                   : __builtin_sub_overflow(x, y, &out->at[i]));
    }
    return BAUTA_OK;
}

/* ---- tasks ------------------------------------------------------------------------------- */

static size_t first_step(const bt_giveaway_job *job)
{
    return job->rows <= FIRST_LOOK ? 1 : job->rows / FIRST_LOOK;
}

static int compare_numbered(const void *a, const void *b)
{
    const numbered *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static bauta_status prepare_column(void *user, size_t task, unsigned worker, bauta_error *error)
{
    (void)worker;
    search *s = user;
    column *c = &s->columns[task];
    const bt_veiled *veiled = c->veiled = &s->job->veiled[task];
    uint32_t present = bt_domain_present(veiled->domain);
    BT_OWN(forget) lessons learned = {0};
    c->usual = bt_arena_array(&c->arena, s->job->rows, sizeof *c->usual);
    c->given = bt_arena_array(&c->arena, s->job->clue_count, sizeof *c->given);
    if (veiled->domain->number) c->numbers = bt_arena_array(&c->arena, present, sizeof *c->numbers);
    BT_TRY(bt_arena_check(&c->arena, error));
    if (veiled->domain->number) {
        for (uint32_t i = 0; i < present; i++)
            c->numbers[i] = (numbered){veiled->domain->number[i], i};
        qsort(c->numbers, present, sizeof *c->numbers, compare_numbered);
    }
    if (veiled->usual) {
        memcpy(c->usual, veiled->usual, s->job->rows * sizeof *c->usual);
        return BAUTA_OK;
    }
    BT_TRY(learn(s, veiled, NULL, 1, &learned, error));
    for (size_t row = 0; row < s->job->rows; row++)
        c->usual[row] = recall_inside(&learned, 0, veiled, row).code;
    return BAUTA_OK;
}

static bauta_status try_single(void *user, size_t task, unsigned worker, bauta_error *error)
{
    (void)worker;
    search *s = user;
    size_t number = task / s->job->veiled_count;
    column *c = &s->columns[task % s->job->veiled_count];
    bt_giveaway *out = &s->found[task];
    BT_OWN(release_keys) keys clue = {0};
    *out = (bt_giveaway){.clue = number, .veiled = task % s->job->veiled_count};
    BT_TRY(make_keys(s, &s->job->clues[number], &clue, error));
    bool promising;
    BT_TRY(try_clue(s, c, &clue, 1, out, &promising, error));
    c->given[number] = out->given > 0;
    return BAUTA_OK;
}

static bauta_status try_sums(const search *s, const keys *clue, bt_giveaway *all,
                             bauta_error *error)
{
    for (size_t v = 0; v < s->job->veiled_count; v++) {
        const column *c = &s->columns[v];
        bt_giveaway *out = &all[v];
        out->veiled = v;
        if (c->given[out->clue] || c->given[out->other]) continue;
        bool promising;
        BT_TRY(try_clue(s, c, clue, first_step(s->job), out, &promising, error));
        out->given = 0;
        if (promising) BT_TRY(try_clue(s, c, clue, 1, out, &promising, error));
    }
    return BAUTA_OK;
}

static bauta_status try_pair(void *user, size_t task, unsigned worker, bauta_error *error)
{
    (void)worker;
    search *s = user;
    const size_t *pair = s->pairs[task / 2];
    int sign = task % 2 ? 1 : -1;
    const bt_clue *a = &s->job->clues[pair[0]], *b = &s->job->clues[pair[1]];
    bt_giveaway *out = &s->found[task * s->job->veiled_count];
    for (size_t v = 0; v < s->job->veiled_count; v++)
        out[v] = (bt_giveaway){.clue = pair[0], .other = pair[1], .sign = sign, .veiled = v};
    if (sign > 0 && a->type == BT_DATE && b->type == BT_DATE) return BAUTA_OK; /* no such thing */
    BT_OWN(release_keys) keys clue = {0};
    BT_TRY(combine_keys(s, a, b, sign, &clue, error));
    return try_sums(s, &clue, out, error);
}

/* ---- clues that follow from a column ----------------------------------------------------- */

/* The most frequent value of a clue, the first of several, among the rows that were learned and lie
 * inside a cell. `rows`
 * has room for each value of the clue, all 0 before and after. */
static uint32_t usual_inside(const lessons *learned, const bt_veiled *veiled, size_t row,
                             uint32_t *rows)
{
    const bt_veiled_set *set =
        veiled->sets && veiled->sets[row].count > 0 ? &veiled->sets[row] : NULL;
    uint32_t best = NO_GUESS;
    for (int pass = 0; pass < 3; pass++) /* count, choose, and leave no trace */
        for (uint32_t i = 0; i < (set ? set->count : 1); i++) {
            int64_t from = set ? set->codes[i] : veiled->lo[row];
            int64_t to = set ? set->codes[i] : veiled->hi[row];
            for (size_t at = find(learned, from, 0);
                 at < learned->count && learned->at[at].key <= to; at++) {
                uint32_t code = learned->at[at].code;
                if (pass == 0) rows[code] += learned->at[at].rows;
                if (pass == 2) rows[code] = 0;
                if (pass == 1 && (best == NO_GUESS || rows[code] > rows[best] ||
                                  (code < best && rows[code] == rows[best])))
                    best = code;
            }
        }
    return best;
}

/* What of a value of the column a clue may follow from. */
typedef enum part { SAME, NEAREST, YEAR, MONTH, MONTH_OF_YEAR, DAY_OF_MONTH, WEEKDAY, PARTS } part;

static int number_in(const char *digits, int count)
{
    int number = 0;
    while (count-- > 0)
        number = 10 * number + *digits++ - '0';
    return number;
}

/* The key of a value by one of its parts; false: it has none. */
static bool part_of(const bt_domain *domain, uint32_t code, part kind, int64_t *out)
{
    *out = code;
    if (kind == SAME) return true;
    if (!domain->number || code >= bt_domain_present(domain)) return false;
    *out = domain->number[code];
    if (kind == NEAREST) return true;
    if (domain->reading.type != BT_DATE) return false;
    const char *text = domain->text[code]; /* YYYY-MM-DD */
    if (strlen(text) != 10) return false;
    int year = number_in(text, 4), month = number_in(text + 5, 2);
    *out = kind == YEAR            ? year
           : kind == MONTH         ? 12 * year + month
           : kind == MONTH_OF_YEAR ? month
           : kind == DAY_OF_MONTH  ? number_in(text + 8, 2)
                                   : (*out % 7 + 7) % 7;
    return true;
}

static bauta_status learn_part(const search *s, const bt_veiled *veiled, const bt_clue *clue,
                               size_t step, part kind, lessons *out, bauta_error *error)
{
    *out = (lessons){.at = bt_array(rows_seen(s->job, step) / 2 + 1, sizeof *out->at)};
    if (!out->at) return bt_fail_memory(error);
    for (size_t i = 0; i < rows_seen(s->job, step); i += 2) {
        size_t row = i * step;
        int64_t key;
        if (part_of(veiled->domain, veiled->codes[row], kind, &key))
            out->at[out->count++] = (lesson){key, clue->codes[row], 1};
    }
    return digest(out, error);
}

/* Right nine times in ten. */
static bool is_sure(const tally *t)
{
    return 10 * t->won >= 9 * t->said;
}

static tally try_part(const search *s, const bt_veiled *veiled, const bt_clue *clue,
                      const lessons *learned, const uint32_t *usual, size_t step, part kind)
{
    tally out = {0};
    for (size_t i = 1; i < rows_seen(s->job, step); i += 2) {
        size_t row = i * step;
        int64_t key;
        if (!is_veiled(veiled, row) || !part_of(veiled->domain, veiled->codes[row], kind, &key))
            continue;
        if (kind == NEAREST && !nearest(learned, key, &key)) continue;
        uint32_t code = recall(learned, key, 0, UINT32_MAX - 1).code;
        if (code != NO_GUESS && code != usual[i]) count(&out, code, usual[i], clue->codes[row]);
    }
    return out;
}

/* Tries all parts; the best is left in `out`. */
static bauta_status try_parts(const search *s, const bt_veiled *veiled, const bt_clue *clue,
                              size_t step, tally *out, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    size_t seen = rows_seen(s->job, step);
    uint32_t most = 0;
    for (size_t row = 0; row < s->job->rows; row++)
        if (clue->codes[row] > most) most = clue->codes[row];
    uint32_t *rows = bt_arena_array(&scratch, (size_t)most + 1, sizeof *rows);
    uint32_t *usual = bt_arena_array(&scratch, seen, sizeof *usual);
    BT_TRY(bt_arena_check(&scratch, error));
    for (part kind = SAME; kind < PARTS; kind++) {
        BT_OWN(forget) lessons learned = {0};
        BT_TRY(learn_part(s, veiled, clue, step, kind, &learned, error));
        for (size_t i = 1; kind == SAME && i < seen; i += 2)
            usual[i] = usual_inside(&learned, veiled, i * step, rows);
        if (learned.count == 0) continue;
        tally found = try_part(s, veiled, clue, &learned, usual, step, kind);
        if (kind == SAME || (is_sure(&found) && found.won - found.lost > out->won - out->lost))
            *out = found;
    }
    return BAUTA_OK;
}

static bauta_status try_back(void *user, size_t task, unsigned worker, bauta_error *error)
{
    (void)worker;
    search *s = user;
    size_t number = task / s->job->veiled_count, v = task % s->job->veiled_count;
    const column *c = &s->columns[v];
    bt_giveaway *out = &s->found[task];
    *out = (bt_giveaway){.clue = number, .veiled = v, .follows = true};
    if (c->given[number]) return BAUTA_OK; /* it was told of */
    const bt_clue *clue = &s->job->clues[number];
    tally found = {0};
    BT_TRY(try_parts(s, c->veiled, clue, first_step(s->job), &found, error));
    int64_t looked = (int64_t)rows_seen(s->job, first_step(s->job)) / 2;
    if (!is_promising(&found, looked, s->job->limit) || 5 * found.won < 4 * found.said)
        return BAUTA_OK;
    BT_TRY(try_parts(s, c->veiled, clue, 1, &found, error));
    out->tried = (int64_t)s->job->rows / 2;
    if (is_sure(&found) && is_beyond(&found, out->tried, s->job->limit))
        out->given = found.won - found.lost;
    return BAUTA_OK;
}

/* ---- the whole --------------------------------------------------------------------------- */

static bauta_status list_pairs(search *s, bauta_error *error)
{
    const bt_giveaway_job *job = s->job;
    size_t room;
    if (!bt_size_mul(job->clue_count, job->clue_count, &room)) return bt_fail_memory(error);
    s->pairs = bt_arena_array(&s->arena, room, sizeof *s->pairs);
    BT_TRY(bt_arena_check(&s->arena, error));
    for (size_t a = 0; a < job->clue_count; a++)
        for (size_t b = a + 1; b < job->clue_count; b++) {
            if (!job->clues[a].numbers || !job->clues[b].numbers) continue;
            s->pairs[s->pair_count][0] = a;
            s->pairs[s->pair_count++][1] = b;
        }
    return BAUTA_OK;
}

static int compare_found(const void *a, const void *b)
{
    const bt_giveaway *x = a, *y = b;
    if (x->given != y->given) return x->given > y->given ? -1 : 1;
    if (x->veiled != y->veiled) return x->veiled < y->veiled ? -1 : 1;
    if (x->clue != y->clue) return x->clue < y->clue ? -1 : 1;
    if (x->other != y->other) return x->other < y->other ? -1 : 1;
    if (x->follows != y->follows) return x->follows ? 1 : -1;
    return (x->sign > y->sign) - (x->sign < y->sign);
}

/* Runs tasks that find `each` giveaways or not, and appends those that are. */
static bauta_status run_tasks(search *s, bt_task task, size_t tasks, size_t each, bt_giveaway **out,
                              size_t *count, size_t *capacity, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    s->found = bt_arena_array(&scratch, tasks, each * sizeof *s->found);
    BT_TRY(bt_arena_check(&scratch, error));
    BT_TRY(bt_pool_run(s->job->run->pool, tasks, task, s, error));
    for (size_t i = 0; i < tasks * each; i++) {
        if (s->found[i].given == 0) continue;
        BT_TRY(bt_array_grow(out, capacity, *count + 1, sizeof **out, error));
        (*out)[(*count)++] = s->found[i];
    }
    return BAUTA_OK;
}

static void search_release(search *s)
{
    for (size_t i = 0; s->columns && i < s->job->veiled_count; i++)
        bt_arena_release(&s->columns[i].arena);
    bt_arena_release(&s->arena);
}

bauta_status bt_giveaways_find(const bt_giveaway_job *job, bt_giveaway **out, size_t *count,
                               bauta_error *error)
{
    BT_OWN(search_release) search s = {.job = job};
    size_t capacity = 0, singles;
    *out = NULL;
    *count = 0;
    if (job->clue_count == 0 || job->veiled_count == 0 || job->rows < 2) return BAUTA_OK;
    if (!bt_size_mul(job->clue_count, job->veiled_count, &singles)) return bt_fail_memory(error);
    s.columns = bt_arena_array(&s.arena, job->veiled_count, sizeof *s.columns);
    BT_TRY(bt_arena_check(&s.arena, error));
    BT_TRY(list_pairs(&s, error));
    BT_TRY(bt_pool_run(job->run->pool, job->veiled_count, prepare_column, &s, error));
    BT_TRY(run_tasks(&s, try_single, singles, 1, out, count, &capacity, error));
    BT_TRY(
        run_tasks(&s, try_pair, 2 * s.pair_count, job->veiled_count, out, count, &capacity, error));
    if (job->both_ways) BT_TRY(run_tasks(&s, try_back, singles, 1, out, count, &capacity, error));
    if (*count > 0) qsort(*out, *count, sizeof **out, compare_found);
    return BAUTA_OK;
}

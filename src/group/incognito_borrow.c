/* SPDX-License-Identifier: Apache-2.0
 *
 * Local recoding: lending records. A class with more records than it needs can lend some to a group
 * that is too small. Which of these records agree with the group is the intersection of sets, one
 * for each column: those that have its node there.
 *
 * Cost: an eighth of a byte for each record and node of a column that is not the root; as many bits
 * for each column and try.
 */
#include "base/bitset.h"
#include "group/incognito.h"

enum { BYTES_MOST = 16 << 20 };
enum { CHECKED_EVERY = 3 }; /* columns: whether there are still enough */
enum { MORE_MOST = 2 };     /* units that are borrowed beyond what the size needs */

typedef struct member_sets { /* of a column at a level */
    const uint32_t *place;   /* by code: the place of its node; NULL: all agree */
    uint64_t *sets;          /* by place: the set of members */
    uint32_t *sizes;         /* by place: the size of the set */
} member_sets;

struct bt_lender {
    const bt_local *local;
    size_t words;
    member_sets **columns; /* by column and level minus lowest */
    uint64_t *spare;       /* units that can be lent */
    uint64_t *found;
    bt_arena arena;
};

/* ---- sets -------------------------------------------------------------------------------- */

static size_t bytes_needed(const bt_local *local)
{
    const bt_lattice *lattice = local->lattice;
    size_t nodes = 0, bytes, words = bt_bitset_words(local->units.groups);
    for (size_t c = 0; c < lattice->columns; c++)
        for (uint32_t l = lattice->scales[c].lowest; l <= lattice->scales[c].highest; l++)
            nodes += bt_rung_at(&lattice->scales[c], l)->nodes;
    return bt_size_mul(nodes, words * sizeof(uint64_t), &bytes) ? bytes : SIZE_MAX;
}

static bauta_status make_sets(bt_lender *lender, const bt_scale *scale, uint32_t level,
                              member_sets *out, bauta_error *error)
{
    const bt_rung *rung = bt_rung_at(scale, level);
    const bt_local *local = lender->local;
    uint32_t size = scale->column->domain.size, places = 0;
    if (rung->top) return BAUTA_OK;
    uint32_t *place = bt_arena_array(&lender->arena, size, sizeof *place);
    out->place = place;
    out->sets =
        bt_arena_array(&lender->arena, (size_t)rung->nodes * lender->words, sizeof *out->sets);
    out->sizes = bt_arena_array(&lender->arena, rung->nodes, sizeof *out->sizes);
    if (!place || !out->sets || !out->sizes) return bt_fail_memory(error);
    /* Units have first codes of nodes, which need not occur themselves. */
    memset(place, 0xff, size * sizeof *place);
    for (uint32_t code = 0; code < size; code++) {
        uint32_t first = rung->lift ? code ^ rung->lift[code] : code;
        if (scale->counts[code] > 0 && place[first] == UINT32_MAX) place[first] = places++;
    }
    for (uint32_t code = 0; code < size; code++)
        place[code] = place[rung->lift ? code ^ rung->lift[code] : code];
    for (uint32_t unit = 0; unit < local->units.groups; unit++) {
        uint32_t code = bt_key_code(scale, bt_unit_key(local, unit));
        bt_bitset_add(out->sets + place[code] * lender->words, unit);
        out->sizes[place[code]]++;
    }
    return BAUTA_OK;
}

static bauta_status make_columns(bt_lender *lender, bauta_error *error)
{
    const bt_lattice *lattice = lender->local->lattice;
    lender->columns = bt_arena_array(&lender->arena, lattice->columns, sizeof *lender->columns);
    if (!lender->columns) return bt_fail_memory(error);
    for (size_t c = 0; c < lattice->columns; c++) {
        const bt_scale *scale = &lattice->scales[c];
        size_t levels = (size_t)scale->highest - scale->lowest + 1;
        member_sets *sets = bt_arena_array(&lender->arena, levels, sizeof *sets);
        if (!sets) return bt_fail_memory(error);
        lender->columns[c] = sets;
        for (size_t l = 0; l < levels; l++)
            BT_TRY(make_sets(lender, scale, scale->lowest + (uint32_t)l, &sets[l], error));
    }
    return BAUTA_OK;
}

bauta_status bt_lender_new(const bt_local *local, bt_lender **out, bauta_error *error)
{
    *out = NULL;
    if (!local->single || bytes_needed(local) > BYTES_MOST) return BAUTA_OK;
    bt_lender *lender = bt_array_zero(1, sizeof *lender);
    if (!lender) return bt_fail_memory(error);
    lender->local = local;
    lender->words = bt_bitset_words(local->units.groups);
    lender->spare = bt_arena_array(&lender->arena, lender->words, sizeof *lender->spare);
    lender->found = bt_arena_array(&lender->arena, lender->words, sizeof *lender->found);
    bauta_status status =
        lender->spare && lender->found ? make_columns(lender, error) : bt_fail_memory(error);
    if (status == BAUTA_OK)
        *out = lender;
    else
        bt_lender_free(lender);
    return status;
}

void bt_lender_free(bt_lender *lender)
{
    if (!lender) return;
    bt_arena_release(&lender->arena);
    free(lender);
}

void bt_lender_update(bt_lender *lender, uint32_t class_number)
{
    const bt_local *local = lender->local;
    const bt_local_class *lends = &local->classes[class_number];
    bool can = lends->size > local->judge->least;
    for (uint32_t unit = lends->first; unit != BT_NO_CLASS; unit = local->next[unit]) {
        uint64_t bit = (uint64_t)1 << (unit % 64), *word = &lender->spare[unit / 64];
        *word = can ? *word | bit : *word & ~bit;
    }
}

/* Whether a set has at least so many members. */
static bool has_many(const uint64_t *set, size_t words, uint32_t needed)
{
    uint32_t count = 0;
    for (size_t i = 0; i < words && count < needed; i++)
        for (uint64_t bits = set[i]; bits; bits &= bits - 1)
            count++;
    return count >= needed;
}

/* The set of members that have the node of a key in a column; NULL: all. */
static const uint64_t *set_of(const bt_lender *lender, size_t column, const uint64_t *key,
                              const uint16_t *levels, uint32_t *size)
{
    const bt_scale *scale = &lender->local->lattice->scales[column];
    const member_sets *sets = &lender->columns[column][levels[column] - scale->lowest];
    if (!sets->place) return NULL;
    uint32_t place = sets->place[bt_key_code(scale, key)];
    *size = sets->sizes[place];
    return sets->sets + place * lender->words;
}

/* The smallest set, which with the spare units mostly settles the matter. */
static size_t smallest_set(const bt_lender *lender, const uint64_t *key, const uint16_t *levels)
{
    size_t columns = lender->local->lattice->columns, best = columns;
    uint32_t least = UINT32_MAX, size;
    for (size_t c = 0; c < columns; c++) {
        if (!set_of(lender, c, key, levels, &size) || size >= least) continue;
        least = size;
        best = c;
    }
    return best;
}

bool bt_lender_has(const bt_lender *lender, const uint64_t *key, const uint16_t *levels,
                   uint32_t needed, uint64_t *found)
{
    size_t columns = lender->local->lattice->columns, words = lender->words;
    size_t smallest = smallest_set(lender, key, levels);
    uint32_t size;
    memcpy(found, lender->spare, words * sizeof *found);
    for (size_t i = 0; i <= columns; i++) {
        size_t c = i == 0 ? smallest : i - 1;
        if (c == columns || (i > 0 && c == smallest)) continue;
        const uint64_t *set = set_of(lender, c, key, levels, &size);
        for (size_t w = 0; set && w < words; w++)
            found[w] &= set[w];
        if (i % CHECKED_EVERY == 0 && !has_many(found, words, needed)) return false;
    }
    return has_many(found, words, needed);
}

/* ---- borrowing --------------------------------------------------------------------------- */

typedef struct loan {
    bt_local *local;
    bt_lender *lender;
    size_t own, count; /* units in local->list: those that borrow, and all */
    uint64_t loss;     /* of each */
    uint64_t before;   /* what the borrowed ones lost together */
} loan;

/* How many of its units a class lends already. */
static uint32_t lent_by(const loan *l, uint32_t class_number)
{
    uint32_t lent = 0;
    for (size_t i = l->own; i < l->count; i++)
        lent += l->local->class_of[l->local->list[i]] == class_number;
    return lent;
}

/* Whether the class of a unit can do without it and all that it lends already. */
static bauta_status can_spare(const loan *l, uint32_t unit, bool *can, bauta_error *error)
{
    bt_local *local = l->local;
    uint32_t class_number = local->class_of[unit], lent = lent_by(l, class_number);
    const bt_local_class *lends = &local->classes[class_number];
    *can = (int64_t)lends->size - lent > local->judge->least;
    if (!*can || local->judge->count.counted == BT_COUNT_SIZES) return BAUTA_OK;
    uint32_t *rest = local->list + l->count;
    size_t kept = 0;
    for (uint32_t other = lends->first; other != BT_NO_CLASS; other = local->next[other]) {
        bool gone = other == unit;
        for (size_t i = l->own; i < l->count; i++)
            gone = gone || local->list[i] == other;
        if (!gone) rest[kept++] = other;
    }
    return bt_try_together(local->judge, &local->units, rest, kept, &local->juror, can, error);
}

/* The unit found that loses most where it is, of those whose class can spare it. */
static bauta_status best_to_borrow(loan *l, uint32_t *best, bauta_error *error)
{
    const bt_local *local = l->local;
    for (;;) {
        *best = BT_NO_CLASS;
        for (size_t w = 0; w < l->lender->words; w++)
            for (uint64_t bits = l->lender->found[w]; bits; bits &= bits - 1) {
                uint32_t unit = (uint32_t)(w * 64 + (size_t)__builtin_ctzll(bits));
                if (*best == BT_NO_CLASS || local->classes[local->class_of[unit]].loss >
                                                local->classes[local->class_of[*best]].loss)
                    *best = unit;
            }
        if (*best == BT_NO_CLASS) return BAUTA_OK;
        l->lender->found[*best / 64] &= ~((uint64_t)1 << (*best % 64));
        bool can;
        BT_TRY(can_spare(l, *best, &can, error));
        if (can) return BAUTA_OK;
    }
}

/* Whether the class costs at most `limit` for each unit that borrows. */
static bool is_affordable(const loan *l, uint64_t limit)
{
    unsigned __int128 after = (unsigned __int128)l->loss * l->count;
    return after <= (unsigned __int128)limit * l->own + l->before;
}

/* Makes the class. */
static bauta_status settle(loan *l, const uint16_t *levels, bauta_error *error)
{
    bt_local *local = l->local;
    uint32_t made;
    BT_TRY(bt_local_add(local, levels, l->loss, &made, error));
    for (size_t i = 0; i < l->count; i++) {
        uint32_t unit = local->list[i], from = local->class_of[unit];
        if (from != BT_NO_CLASS) {
            bt_local_take(local, unit);
            bt_lender_update(l->lender, from);
        }
        bt_local_put(local, made, unit);
    }
    bt_lender_update(l->lender, made);
    return BAUTA_OK;
}

bauta_status bt_borrow(bt_local *local, bt_lender *lender, size_t count, const uint16_t *levels,
                       uint64_t loss, uint64_t limit, bool *found, bauta_error *error)
{
    loan l = {local, lender, count, count, loss, 0};
    uint32_t needed = (uint32_t)((size_t)local->judge->least - count);
    *found = false;
    if (!bt_lender_has(lender, bt_unit_key(local, local->list[0]), levels, needed, lender->found))
        return BAUTA_OK;
    while (!*found && l.count - count <= needed + MORE_MOST) {
        uint32_t unit;
        BT_TRY(best_to_borrow(&l, &unit, error));
        if (unit == BT_NO_CLASS) return BAUTA_OK;
        l.before += local->classes[local->class_of[unit]].loss;
        local->list[l.count++] = unit;
        if ((int64_t)l.count >= local->judge->least && !is_affordable(&l, limit)) return BAUTA_OK;
        BT_TRY(bt_try_together(local->judge, &local->units, local->list, l.count, &local->juror,
                               found, error));
    }
    return *found ? settle(&l, levels, error) : BAUTA_OK;
}

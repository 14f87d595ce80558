/* SPDX-License-Identifier: Apache-2.0
 *
 * What trimming gives away of who is in the original (docs/join.md). Public persons who alone hold
 * a side of a box are left out as long as the class has more than k rows; so a person who holds a
 * side of a larger class has been spared for a reason.
 *
 *   trim=paper   the reason can only be that the person is in the original: a certain claim about
 *                everyone who holds a side
 *   trim=safe    or that a coin fell, for the one person who was next in line: the odds are at most
 *                twice what they were, which is what the claims are held against
 *
 * Members of a class are known where its cells contain no more people than it has rows. Who is next
 * in line is replayed in small: whoever holds sides of which most is saved, of equals the one whose
 * values come first.
 *
 * Cost: linear in people, times columns.
 */
#include "attack/members.h"
#include "attack/presence.h"
#include "attack/promises.h"
#include "attack/rate.h"
#include "class/loss.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct trimming {
    bt_attack_job *job;
    const bt_view *crowd;
    const double *prior; /* per person: what is known from the edges of sensitive groups, or NULL */
    bool paper;
    bt_members members;
    const bt_column **columns; /* of the crowd, as losses are counted in them */
    const uint32_t **position; /* per column: code -> place in its tree; NULL: the same */
    uint32_t *lowest;          /* per column with a tree: bt_presence_lowest */
    uint32_t *seen;            /* per code: who of the class in hand has it; all 0 in between */
    double *gains;             /* per member of the class in hand */
    int64_t right, all;
    double before, after; /* claims that are expected to be right: without trimming, and with it */
    bt_attack_result result;
    bt_arena arena;
} trimming;

/* ---- who holds a side -------------------------------------------------------------------- */

typedef struct ends { /* of the codes of a class in a column */
    uint32_t lo, next_lo, hi, next_hi;
    uint32_t distinct;
} ends;

static uint32_t code_of(const trimming *t, size_t column, uint32_t row)
{
    uint32_t code = bt_column_code(t->crowd->known[column], row);
    return t->position[column] ? t->position[column][code] : code;
}

static ends find_ends(const trimming *t, size_t column, const uint32_t *rows, uint32_t size)
{
    ends e = {UINT32_MAX, UINT32_MAX, 0, 0, 0};
    for (uint32_t i = 0; i < size; i++) {
        uint32_t code = code_of(t, column, rows[i]);
        if (t->seen[code]++ > 0) continue;
        e.distinct++;
        if (code < e.lo) {
            e.next_lo = e.lo;
            e.lo = code;
        } else if (code < e.next_lo) {
            e.next_lo = code;
        }
        if (e.distinct == 1 || code > e.hi) {
            e.next_hi = e.hi;
            e.hi = code;
        } else if (e.distinct == 2 || code > e.next_hi) {
            e.next_hi = code;
        }
    }
    return e;
}

/* Whether the cell of a class can be as large as it is only because of its people. */
static bool is_needed(const trimming *t, size_t column, const ends *e)
{
    const bt_hierarchy *tree = t->columns[column]->hierarchy;
    if (e->distinct < 2) return false;
    if (!tree) return true;
    if (e->hi >= tree->leaves) return false;
    uint32_t level = tree->nodes[bt_hierarchy_cover(tree, e->lo, e->hi)].level;
    return t->lowest[column] == 0 || level > t->lowest[column];
}

/* Adds to t->gains what would be saved in a column without each member. */
static void add_gains(trimming *t, size_t column, const uint32_t *rows, uint32_t size)
{
    const bt_column *as = t->columns[column];
    ends e = find_ends(t, column, rows, size);
    bool set = !as->hierarchy && as->domain.reading.type == BT_TEXT;
    bool needed = is_needed(t, column, &e);
    for (uint32_t i = 0; needed && i < size; i++) {
        uint32_t code = code_of(t, column, rows[i]);
        if (t->seen[code] != 1 || (!set && code != e.lo && code != e.hi)) continue;
        uint32_t lo = code == e.lo ? e.next_lo : e.lo, hi = code == e.hi ? e.next_hi : e.hi;
        double without = bt_loss(as, lo, hi, e.distinct - 1);
        t->gains[i] += fmax(0, bt_loss(as, e.lo, e.hi, e.distinct) - without);
    }
    for (uint32_t i = 0; i < size; i++)
        t->seen[code_of(t, column, rows[i])] = 0;
}

static bool comes_before(const trimming *t, uint32_t a, uint32_t b)
{
    for (size_t c = 0; c < t->crowd->columns; c++) {
        uint32_t x = code_of(t, c, a), y = code_of(t, c, b);
        if (x != y) return x < y;
    }
    return false;
}

/* ---- claims ------------------------------------------------------------------------------ */

/* Who is known to be in the original anyway is no claim. */
static void claim(trimming *t, uint32_t row, double share)
{
    if (t->prior && t->prior[row] > share) share = t->prior[row];
    if (share >= 1) return;
    double claimed = t->paper ? 1 : 2 * share / (1 + share);
    bool right = (int64_t)row < t->job->attacker->original->rows;
    t->all++;
    t->right += right;
    t->before += share;
    t->after += claimed;
    if (claimed > t->result.worst) t->result.worst = claimed;
    if (right) bt_worst_add(&t->result.hit, claimed, (int64_t)row + 1);
}

static void attack_class(trimming *t, uint32_t group)
{
    const uint32_t *rows = t->members.row + t->members.first[group];
    uint32_t size = t->crowd->groups.size[group], next = size;
    double share = bt_presence_share(t->crowd, group, size);
    for (uint32_t i = 0; i < size; i++)
        t->gains[i] = 0;
    for (size_t c = 0; c < t->crowd->columns; c++)
        add_gains(t, c, rows, size);
    for (uint32_t i = 0; i < size; i++) {
        if (t->gains[i] <= 0) continue;
        if (t->paper) claim(t, rows[i], share);
        if (next == size || t->gains[i] > t->gains[next] ||
            (t->gains[i] == t->gains[next] && comes_before(t, rows[i], rows[next])))
            next = i;
    }
    if (!t->paper && next < size) claim(t, rows[next], share);
}

/* ------------------------------------------------------------------------------------------ */

/* A tree of the manifest orders values by its leaves; what is no leaf stands with the last. */
static bauta_status lay_out(trimming *t, size_t column, bauta_error *error)
{
    const bt_column *known = t->crowd->known[column];
    const bt_hierarchy *given = t->crowd->published[column]->manifest->hierarchy;
    bt_column *as = bt_arena_array(&t->arena, 1, sizeof *as);
    if (!as) return bt_fail_memory(error);
    *as = *known;
    t->columns[column] = as;
    if (!given) return BAUTA_OK;
    uint32_t *position = bt_arena_array(&t->arena, known->domain.size, sizeof *position);
    if (!position) return bt_fail_memory(error);
    for (uint32_t code = 0; code < known->domain.size; code++) {
        const char *text = known->domain.text[code];
        uint32_t node = bt_hierarchy_find(given, text, strlen(text));
        position[code] = node == UINT32_MAX ? given->leaves - 1 : given->nodes[node].lo;
    }
    as->hierarchy = (bt_hierarchy *)(uintptr_t)given; /* only read */
    t->position[column] = position;
    return BAUTA_OK;
}

static bauta_status prepare(trimming *t, bauta_error *error)
{
    size_t columns = t->crowd->columns, codes = 1, largest = 1;
    t->columns = bt_arena_array(&t->arena, columns, sizeof *t->columns);
    t->position = bt_arena_array(&t->arena, columns, sizeof *t->position);
    t->lowest = bt_arena_array(&t->arena, columns, sizeof *t->lowest);
    if (!t->columns || !t->position || !t->lowest) return bt_fail_memory(error);
    for (size_t c = 0; c < columns; c++) {
        BT_TRY(lay_out(t, c, error));
        const bt_hierarchy *tree = t->columns[c]->hierarchy;
        if (t->crowd->known[c]->domain.size > codes) codes = t->crowd->known[c]->domain.size;
        if (tree && tree->leaves > codes) codes = tree->leaves;
        if (tree) t->lowest[c] = bt_presence_lowest(t->crowd, c, tree);
    }
    for (uint32_t g = 0; g < t->crowd->groups.count; g++)
        if (t->crowd->groups.size[g] > largest) largest = t->crowd->groups.size[g];
    t->seen = bt_arena_array(&t->arena, codes, sizeof *t->seen);
    t->gains = bt_arena_array(&t->arena, largest, sizeof *t->gains);
    if (!t->seen || !t->gains) return bt_fail_memory(error);
    return bt_members_inside(t->crowd, &t->members, error);
}

static bauta_status attack_classes(trimming *t, bauta_error *error)
{
    const bt_view *crowd = t->crowd;
    uint32_t known = 0, large = 0;
    int64_t least = bt_requirements_least_size(&crowd->release->manifest.promises);
    bauta_status status = BAUTA_OK;
    for (uint32_t g = 0; status == BAUTA_OK && g < crowd->groups.count; g++) {
        bool one = crowd->unit_first[g + 1] - crowd->unit_first[g] == 1;
        status = bt_attack_step(t->job, g, crowd->groups.count, error);
        if (crowd->groups.size[g] <= least) continue;
        large++;
        if (!one || !t->members.settled[g]) continue;
        known++;
        if (status == BAUTA_OK) attack_class(t, g);
    }
    snprintf(t->result.detail, sizeof t->result.detail,
             "%u of %u classes have more rows than needed; members are known of %u", large,
             crowd->groups.count, known);
    return status;
}

static void tell(trimming *t)
{
    bt_attack_result *result = &t->result;
    double all = (double)t->all;
    result->tried = t->all;
    result->hits = (double)t->right;
    result->chance = t->all ? t->before / all : BT_NO_RATE;
    if (!t->paper && t->all > 0) {
        result->allowed = fmin(1, bt_rate_chance_limit(t->after) / all);
        result->outcome = bt_rate_above_chance(result->hits, t->after) ? BT_BROKEN
                          : result->allowed >= 1                       ? BT_UNTOLD
                                                                       : BT_WITHIN;
    }
    bt_attack_put(t->job, result);
}

bauta_status bt_presence_trimmed(bt_attack_job *job, const bt_view *crowd, const double *prior,
                                 bauta_error *error)
{
    bt_trim trim = job->attacker->release->manifest.join.trim;
    trimming t = {.job = job,
                  .crowd = crowd,
                  .prior = prior,
                  .paper = trim == BT_TRIM_PAPER,
                  .result = {.variant = "trimming",
                             .knows = "everyone of both tables with their quasi values, and the "
                                      "method",
                             .tries = "to conclude who is in the table from who was not left out",
                             .allowed = BT_NO_RATE}};
    if (trim == BT_TRIM_NONE) return BAUTA_OK;
    bauta_status status = prepare(&t, error);
    if (status == BAUTA_OK) status = attack_classes(&t, error);
    if (status == BAUTA_OK) tell(&t);
    bt_members_release(&t.members);
    bt_arena_release(&t.arena);
    return status;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Mondrian, all columns of a part: which of them is cut.
 */
#include "class/steer.h"
#include "group/mondrian.h"

enum { ORDER_GAIN, ORDER_WIDEST, ORDER_ROUND_ROBIN };
enum { GAIN_COLUMNS = 3, GAIN_CLASSES = 16 };
enum { PROPOSED_MOST = 32 }; /* weights of more would be too small to matter */

static bauta_status choose_in_turn(const bt_mondrian *m, const bt_mondrian_part *p,
                                   bt_mondrian_worker *w, bt_mondrian_cut *out, bauta_error *error)
{
    for (size_t i = 0; i < m->columns && out->code == BT_NO_CUT; i++) {
        size_t c = (p->turn + i) % m->columns;
        if (w->ranges[c].lo != w->ranges[c].hi)
            BT_TRY(bt_mondrian_find_cut(m, p, c, w->ranges[c], w, out, error));
    }
    return BAUTA_OK;
}

static bool is_set(const bt_column *column)
{
    return !column->hierarchy && column->domain.reading.type == BT_TEXT;
}

static bauta_status count_distinct(const bt_mondrian *m, const bt_mondrian_part *p, size_t column,
                                   bt_box range, bt_mondrian_worker *w, uint32_t *out,
                                   bauta_error *error)
{
    if (m->quasi[column]->domain.size > 64) {
        BT_TRY(bt_mondrian_look(m, p, column, range, w, error));
        *out = w->view.distinct;
        return BAUTA_OK;
    }
    const uint8_t *codes = m->runs.codes[column];
    uint64_t members = 0;
    for (uint32_t row = p->start; row < p->end; row++)
        members |= (uint64_t)1 << codes[row];
    *out = (uint32_t)__builtin_popcountll(members);
    return BAUTA_OK;
}

/* A column whose last cut set sensitive values far apart is less likely to be cut well again: its
 * loss counts by the fourth power of what they have in common. */
static uint64_t promising(uint64_t loss, uint32_t apart)
{
    uint64_t common = BT_APART_ALL - apart;
    for (int i = 0; i < 2; i++)
        common = common * common >> BT_APART_BITS;
    return loss * common >> BT_APART_BITS;
}

static bauta_status measure_widths(const bt_mondrian *m, const bt_mondrian_part *p,
                                   bt_mondrian_worker *w, bauta_error *error)
{
    for (size_t c = 0; c < m->columns; c++) {
        bt_box range = w->ranges[c];
        w->widths[c] = 0;
        if (range.lo == range.hi) continue;
        uint32_t distinct = 0;
        if (is_set(m->quasi[c])) BT_TRY(count_distinct(m, p, c, range, w, &distinct, error));
        uint64_t loss = bt_cell_loss(m->quasi[c], range.lo, range.hi, distinct);
        if (m->factor) loss = promising(loss, bt_mondrian_apart(p, (uint32_t)c));
        /* Never 0: a column that can be cut is told from one that cannot. */
        w->widths[c] = 1 + loss;
    }
    return BAUTA_OK;
}

/* The cut of the widest column that has one and was not returned before. */
static bauta_status next_widest(const bt_mondrian *m, const bt_mondrian_part *p,
                                bt_mondrian_worker *w, bt_mondrian_cut *out, bauta_error *error)
{
    for (out->code = BT_NO_CUT; out->code == BT_NO_CUT;) {
        size_t widest = 0;
        for (size_t c = 1; c < m->columns; c++)
            if (w->widths[c] > w->widths[widest]) widest = c;
        if (w->widths[widest] == 0) return BAUTA_OK;
        w->widths[widest] = 0;
        BT_TRY(bt_mondrian_find_cut(m, p, widest, w->ranges[widest], w, out, error));
    }
    return BAUTA_OK;
}

/* ---- order=gain: what a cut leaves ------------------------------------------------------- */

#define MARK_RIGHT(type)                                                                           \
    do {                                                                                           \
        const type *codes = (const type *)m->runs.codes[chosen->column] + p->start;                \
        const type first = (type)chosen->code;                                                     \
        const type width = (type)((chosen->last < (type)-1 ? chosen->last : (type)-1) - first);    \
        for (uint32_t i = 0; i < size; i++)                                                        \
            w->goes_right[i] = (type)(codes[i] - first) <= width ? 0xff : 0;                       \
    } while (0)

bauta_status bt_mondrian_mark_right(const bt_mondrian *m, const bt_mondrian_part *p,
                                    const bt_mondrian_cut *chosen, bt_mondrian_worker *w,
                                    bauta_error *error)
{
    uint32_t size = p->end - p->start;
    BT_TRY(bt_array_grow(&w->goes_right, &w->goes_capacity, size, 1, error));
    switch (m->quasi[chosen->column]->width) {
    case 1: MARK_RIGHT(uint8_t); break;
    case 2: MARK_RIGHT(uint16_t); break;
    default: MARK_RIGHT(uint32_t); break;
    }
    return BAUTA_OK;
}

typedef struct sides {
    bt_box left, right;
    uint32_t left_distinct, right_distinct; /* sets only */
} sides;

/* Rows of the other side are turned into codes that change neither minimum nor maximum, so the
 * loop has no branches and the compiler can make it wide. */
#define FIND_SIDES(type)                                                                           \
    do {                                                                                           \
        const type *codes = (const type *)m->runs.codes[column] + p->start;                        \
        type left_lo = (type)-1, left_hi = 0, right_lo = (type)-1, right_hi = 0;                   \
        for (uint32_t i = 0; i < size; i++) {                                                      \
            type right = (type)(int8_t)w->goes_right[i], left = (type)~right;                      \
            type a = (type)(codes[i] | right), b = (type)(codes[i] & left);                        \
            type c = (type)(codes[i] | left), d = (type)(codes[i] & right);                        \
            left_lo = a < left_lo ? a : left_lo;                                                   \
            left_hi = b > left_hi ? b : left_hi;                                                   \
            right_lo = c < right_lo ? c : right_lo;                                                \
            right_hi = d > right_hi ? d : right_hi;                                                \
        }                                                                                          \
        found.left = (bt_box){left_lo, left_hi};                                                   \
        found.right = (bt_box){right_lo, right_hi};                                                \
    } while (0)

/* How many different codes each side of a set has. Up to 64 fit into one word. */
static void count_members(const bt_mondrian *m, const bt_mondrian_part *p, size_t column,
                          bt_mondrian_worker *w, sides *found)
{
    const void *codes = m->runs.codes[column];
    unsigned width = m->quasi[column]->width;
    if (m->quasi[column]->domain.size <= 64) {
        uint64_t members[2] = {0, 0};
        for (uint32_t row = p->start; row < p->end; row++)
            members[w->goes_right[row - p->start] & 1] |= (uint64_t)1
                                                          << ((const uint8_t *)codes)[row];
        found->left_distinct = (uint32_t)__builtin_popcountll(members[0]);
        found->right_distinct = (uint32_t)__builtin_popcountll(members[1]);
        return;
    }
    for (uint32_t row = p->start; row < p->end; row++) {
        uint64_t *seen = &w->counts[bt_code_at(codes, width, row)];
        uint32_t side = 1 + (w->goes_right[row - p->start] & 1);
        found->left_distinct += side == 1 && !(*seen & 1);
        found->right_distinct += side == 2 && !(*seen & 2);
        *seen |= side;
    }
    for (uint32_t row = p->start; row < p->end; row++)
        w->counts[bt_code_at(codes, width, row)] = 0;
}

static sides find_sides(const bt_mondrian *m, const bt_mondrian_part *p, size_t column,
                        bt_mondrian_worker *w)
{
    uint32_t size = p->end - p->start;
    sides found = {0};
    switch (m->quasi[column]->width) {
    case 1: FIND_SIDES(uint8_t); break;
    case 2: FIND_SIDES(uint16_t); break;
    default: FIND_SIDES(uint32_t); break;
    }
    if (is_set(m->quasi[column])) count_members(m, p, column, w, &found);
    return found;
}

/* The loss of all cells of a part after a cut, in 1/BT_LOSS_ONE of a cell; when it is not less
 * than `enough`, some number that is not either. */
static bauta_status loss_after(const bt_mondrian *m, const bt_mondrian_part *p,
                               const bt_mondrian_cut *chosen, bt_mondrian_worker *w,
                               uint64_t enough, uint64_t *out, bauta_error *error)
{
    uint64_t left = chosen->records, right = p->size - left;
    BT_TRY(bt_mondrian_mark_right(m, p, chosen, w, error));
    *out = 0;
    for (size_t c = 0; c < m->columns && *out < enough; c++) {
        const bt_column *quasi = m->quasi[c];
        if (w->ranges[c].lo == w->ranges[c].hi) continue;
        sides found = find_sides(m, p, c, w);
        *out += left * bt_cell_loss(quasi, found.left.lo, found.left.hi, found.left_distinct) +
                right * bt_cell_loss(quasi, found.right.lo, found.right.hi, found.right_distinct);
    }
    return BAUTA_OK;
}

static bauta_status choose_by_gain(const bt_mondrian *m, const bt_mondrian_part *p,
                                   bt_mondrian_worker *w, bt_mondrian_cut *out, bauta_error *error)
{
    uint64_t least = UINT64_MAX, loss;
    out->code = BT_NO_CUT;
    for (int i = 0; i < GAIN_COLUMNS; i++) {
        bt_mondrian_cut found;
        BT_TRY(next_widest(m, p, w, &found, error));
        if (found.code == BT_NO_CUT) break;
        BT_TRY(loss_after(m, p, &found, w, least, &loss, error));
        if (loss < least) {
            least = loss;
            *out = found;
        }
    }
    return BAUTA_OK;
}

/* ---- minimal=FACTOR: cuts are proposed ---------------------------------------------------- */

/* Puts the proposals into the order of what they leave. */
static bauta_status order_by_gain(const bt_mondrian *m, const bt_mondrian_part *p,
                                  bt_mondrian_worker *w, bauta_error *error)
{
    uint64_t losses[GAIN_COLUMNS];
    for (size_t i = 0; i < w->proposal_count; i++) {
        bt_mondrian_cut one = w->proposals[i];
        uint64_t loss;
        size_t place = i;
        BT_TRY(loss_after(m, p, &one, w, UINT64_MAX, &loss, error));
        for (; place > 0 && losses[place - 1] > loss; place--) {
            losses[place] = losses[place - 1];
            w->proposals[place] = w->proposals[place - 1];
        }
        losses[place] = loss;
        w->proposals[place] = one;
    }
    return BAUTA_OK;
}

/* Proposes more cuts until there are `most`, or all. */
static bauta_status propose(const bt_mondrian *m, const bt_mondrian_part *p, size_t most,
                            bt_mondrian_worker *w, bauta_error *error)
{
    while (w->proposal_count < most && w->proposal_count < m->columns) {
        bt_mondrian_cut *next = &w->proposals[w->proposal_count];
        BT_TRY(next_widest(m, p, w, next, error));
        if (next->code == BT_NO_CUT) break;
        w->proposal_count++;
    }
    return BAUTA_OK;
}

/* Columns in turn are those that are less and less wide. */
static void widen_in_turn(const bt_mondrian *m, const bt_mondrian_part *p, bt_mondrian_worker *w)
{
    for (size_t i = 0; i < m->columns; i++) {
        size_t c = (p->turn + i) % m->columns;
        w->widths[c] = w->ranges[c].lo != w->ranges[c].hi ? m->columns - i : 0;
    }
}

bauta_status bt_mondrian_propose(const bt_mondrian *m, const bt_mondrian_part *p,
                                 bt_mondrian_worker *w, bauta_error *error)
{
    int64_t order = m->job->options[BT_MONDRIAN_ORDER].integer;
    int64_t size = (int64_t)p->size;
    w->proposal_count = 0;
    if (size < 2 * m->least) return BAUTA_OK;
    for (size_t c = 0; c < m->columns; c++)
        w->ranges[c] = bt_runs_range(&m->runs, c, p->start, p->end);
    if (order == ORDER_ROUND_ROBIN)
        widen_in_turn(m, p, w);
    else
        BT_TRY(measure_widths(m, p, w, error));
    if (order != ORDER_GAIN || size >= GAIN_CLASSES * m->least) return propose(m, p, 1, w, error);
    BT_TRY(propose(m, p, GAIN_COLUMNS, w, error));
    return order_by_gain(m, p, w, error);
}

bauta_status bt_mondrian_propose_others(const bt_mondrian *m, const bt_mondrian_part *p,
                                        bt_mondrian_worker *w, bauta_error *error)
{
    return propose(m, p, PROPOSED_MOST, w, error);
}

bauta_status bt_mondrian_choose(const bt_mondrian *m, const bt_mondrian_part *p,
                                bt_mondrian_worker *w, bt_mondrian_cut *out, bauta_error *error)
{
    int64_t size = (int64_t)p->size, order = m->job->options[BT_MONDRIAN_ORDER].integer;
    *out = (bt_mondrian_cut){.code = BT_NO_CUT};
    if (size < 2 * m->least) return BAUTA_OK;
    if (m->job->options[BT_MONDRIAN_MINIMAL].integer == BT_MINIMAL_NO &&
        bt_part_stays(m->job, (uint64_t)m->least, p->size, p->first, p->first + p->size))
        return BAUTA_OK;
    for (size_t c = 0; c < m->columns; c++)
        w->ranges[c] = bt_runs_range(&m->runs, c, p->start, p->end);
    if (order == ORDER_ROUND_ROBIN) return choose_in_turn(m, p, w, out, error);
    BT_TRY(measure_widths(m, p, w, error));
    if (order == ORDER_GAIN && size < GAIN_CLASSES * m->least)
        return choose_by_gain(m, p, w, out, error);
    return next_widest(m, p, w, out, error);
}

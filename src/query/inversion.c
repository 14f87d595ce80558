/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions into parts, parts into sums.
 */
#include "query/inversion.h"

#include <math.h>
#include <string.h>

/* Coefficients below this, of functions about 1, are rounding. */
#define NOTHING 1e-11

/* ---- cells and parts ---- */

bool bt_inverse_space_fits(const bt_inverse_space *space)
{
    size_t parts = 1;
    if (space->count > BT_INVERSE_AXES) return false;
    for (size_t i = 0; i < space->count; i++)
        if (!bt_size_mul(parts, (size_t)space->size[i] + 1, &parts) || parts > BT_INVERSE_PARTS)
            return false;
    return true;
}

bauta_status bt_inverse_space_make(bt_inverse_space *space, bt_arena *arena, bauta_error *error)
{
    space->cells = space->parts = 1;
    space->planes = space->target < space->count ? BT_INVERSE_PLANES : 1;
    for (size_t i = 0; i < space->count; i++) {
        space->cells *= space->size[i];
        space->parts *= (size_t)space->size[i] + 1;
    }
    space->records = bt_arena_array(arena, space->planes * space->cells, sizeof *space->records);
    return space->records ? BAUTA_OK : bt_fail_memory(error);
}

/* An axis in the middle of a transform: those before it have been widened, those behind not. */
typedef struct stride {
    size_t outer, size, inner;
} stride;

static stride stride_of(const bt_inverse_space *space, size_t axis)
{
    stride s = {1, space->size[axis], 1};
    for (size_t i = 0; i < space->count; i++) {
        if (i < axis) s.outer *= (size_t)space->size[i] + 1;
        if (i > axis) s.inner *= space->size[i];
    }
    return s;
}

/* One plane along one axis: what stands at `mean`, of which there are outer times inner, goes
 * before the signatures, and is taken from them when it is a function. */
static void widen(stride s, const double *from, const double *mean, double taken, double *to)
{
    for (size_t o = 0; o < s.outer; o++, mean += s.inner) {
        memcpy(to, mean, s.inner * sizeof *to);
        to += s.inner;
        for (size_t k = 0; k < s.size; k++, from += s.inner, to += s.inner)
            for (size_t x = 0; x < s.inner; x++)
                to[x] = from[x] - taken * mean[x];
    }
}

/* Adds the sums over the signatures, each with its weight; NULL: 1. */
static void add_means(stride s, const double *from, const double *weights, double *mean)
{
    for (size_t o = 0; o < s.outer; o++, mean += s.inner)
        for (size_t k = 0; k < s.size; k++, from += s.inner)
            for (size_t x = 0; x < s.inner; x++)
                mean[x] += (weights ? weights[k] : 1) * from[x];
}

/* Planes of cells to planes of parts: a function to its deviations, or records to supports, of
 * which the values of the target count only where it has its signature. Both arrays have `parts`
 * numbers for each plane. */
static void widen_axis(const bt_inverse_space *space, size_t axis, size_t planes, bool function,
                       const double *from, double *to)
{
    stride s = stride_of(space, axis);
    size_t means = s.outer * s.inner;
    double *mean = space->means;
    bool target = axis == space->target;
    for (size_t p = 0; p < planes; p++) {
        const double *plane = from + p * space->parts;
        const double *shares = function ? space->shares[axis] : NULL;
        if (p == 0 || !target) {
            memset(mean, 0, means * sizeof *mean);
            add_means(s, plane, shares, mean);
        }
        for (size_t q = 1; function && target && p == 0 && q < planes; q++)
            add_means(s, from + q * space->parts, shares + q * s.size, mean);
        if (p == 1 && target) memset(mean, 0, means * sizeof *mean);
        widen(s, plane, mean, function, to + p * space->parts);
    }
}

/* The result is one of the two arrays of work. */
static double *split(const bt_inverse_space *space, size_t planes, bool function,
                     const double *cells)
{
    double *from = space->work[0], *to = space->work[1];
    for (size_t p = 0; p < planes; p++)
        memcpy(from + p * space->parts, cells + p * space->cells, space->cells * sizeof *cells);
    for (size_t axis = 0; axis < space->count; axis++) {
        widen_axis(space, axis, planes, function, from, to);
        double *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

/* Parts back to a function of cells, in place: what is written never overtakes what is read. */
static void join(const bt_inverse_space *space, size_t planes, double *parts)
{
    for (size_t axis = space->count; axis-- > 0;) {
        stride s = stride_of(space, axis);
        for (size_t p = 0; p < planes; p++) {
            double *to = parts + p * space->parts, *from = to;
            double *mean = space->means;
            for (size_t o = 0; o < s.outer; o++) {
                memcpy(mean, from, s.inner * sizeof *mean);
                from += s.inner;
                for (size_t k = 0; k < s.size; k++, from += s.inner, to += s.inner)
                    for (size_t x = 0; x < s.inner; x++)
                        to[x] = from[x] + mean[x];
            }
        }
    }
}

/* ---- what follows from the records ---- */

static void fill_sets(bt_inverse_space *space)
{
    for (size_t part = 0; part < space->parts; part++) {
        size_t rest = part, set = 0;
        for (size_t i = space->count; i-- > 0; rest /= (size_t)space->size[i] + 1)
            set |= (size_t)(rest % ((size_t)space->size[i] + 1) > 0) << i;
        space->sets[part] = (uint16_t)set;
    }
}

static bool is_single(uint32_t set)
{
    return (set & (set - 1)) == 0;
}

static void fill_undo(bt_inverse_space *space)
{
    for (uint32_t set = 0; set < 1u << space->count; set++) {
        uint32_t redrawn = set & space->redrawn;
        bool known = redrawn == 0 || (is_single(set) && redrawn == set);
        double keep = space->keep[set];
        space->undo[set] = redrawn == 0 ? 1 : known || keep <= 0 ? 0 : 1 / keep;
    }
}

static void fill_shares(bt_inverse_space *space)
{
    for (size_t p = 0; p < space->planes; p++) {
        const double *records = space->records + p * space->cells;
        for (size_t cell = 0; cell < space->cells; cell++) {
            size_t rest = cell;
            if (p == 0) space->total += records[cell];
            for (size_t i = space->count; i-- > 0; rest /= space->size[i])
                if (p == 0 || i == space->target)
                    space->shares[i][p * space->size[i] + rest % space->size[i]] += records[cell];
        }
    }
    for (size_t i = 0; i < space->count; i++)
        for (size_t k = 0; k < (i == space->target ? space->planes : 1) * space->size[i]; k++)
            space->shares[i][k] /= space->total > 0 ? space->total : 1;
}

bauta_status bt_inverse_space_learn(bt_inverse_space *space, bt_arena *arena, bauta_error *error)
{
    size_t room = space->planes * space->parts, slopes = 0;
    for (size_t i = 0; i < space->count; i++)
        slopes += space->planes * space->size[i];
    space->supports = bt_arena_array(arena, room, sizeof(double));
    space->work[0] = bt_arena_array(arena, room, sizeof(double));
    space->work[1] = bt_arena_array(arena, room, sizeof(double));
    space->means = bt_arena_array(arena, space->parts, sizeof(double));
    space->sets = bt_arena_array(arena, space->parts, sizeof *space->sets);
    space->undo = bt_arena_array(arena, (size_t)1 << space->count, sizeof(double));
    space->function = bt_arena_array(arena, space->planes * space->cells, sizeof(double));
    space->slopes = bt_arena_array(arena, slopes, sizeof(double));
    bool memory = space->supports && space->work[0] && space->work[1] && space->means &&
                  space->sets && space->undo && space->function && space->slopes;
    for (size_t i = 0; i < space->count; i++) {
        space->shares[i] =
            bt_arena_array(arena, space->planes * space->size[i], sizeof **space->shares);
        memory &= space->shares[i] != NULL;
    }
    if (!memory) return bt_fail_memory(error);
    fill_sets(space);
    fill_undo(space);
    fill_shares(space);
    memcpy(space->supports, split(space, space->planes, false, space->records),
           room * sizeof(double));
    return BAUTA_OK;
}

/* ---- sums ---- */

/* The sum over the original of a function that has been split; what was lost or blown up on the
 * way is noted. */
static double undo(const bt_inverse_space *space, size_t planes, const double *parts,
                   bt_inverted *note)
{
    double sum = 0, largest = 0;
    for (size_t i = 0; i < planes * space->parts; i++)
        largest = fmax(largest, fabs(parts[i]));
    for (size_t p = 0; p < planes; p++) {
        const double *coefficients = parts + p * space->parts;
        const double *supports = space->supports + p * space->parts;
        for (size_t i = 0; i < space->parts; i++) {
            uint32_t set = space->sets[i], redrawn = set & space->redrawn;
            sum += space->undo[set] * coefficients[i] * supports[i];
            if (redrawn == 0 || is_single(set) || fabs(coefficients[i]) <= NOTHING * largest ||
                supports[i] == 0)
                continue;
            if (space->keep[set] <= 0) note->lost = true;
            note->inflation = fmax(note->inflation, space->undo[set]);
        }
    }
    return sum;
}

/* How the sum moves with the share of each signature of an axis (and of the target with the mean
 * of each power of v there), divided by the records: out[plane * size + signature]. */
static void derive(const bt_inverse_space *space, size_t axis, size_t planes, const double *parts,
                   double *out)
{
    size_t size = space->size[axis], inner = 1, outer = 1;
    bool target = axis == space->target;
    for (size_t i = 0; i < space->count; i++) {
        if (i < axis) outer *= (size_t)space->size[i] + 1;
        if (i > axis) inner *= (size_t)space->size[i] + 1;
    }
    memset(out, 0, (target ? planes : 1) * size * sizeof *out);
    for (size_t p = 0; p < planes; p++) {
        const double *coefficients = parts + p * space->parts;
        const double *supports = space->supports + (target ? 0 : p) * space->parts;
        double *slopes = out + (target ? p * size : 0);
        for (size_t o = 0; o < outer; o++)
            for (size_t x = 0; x < inner; x++) {
                size_t mean = o * (size + 1) * inner + x;
                uint32_t set = space->sets[mean];
                double moved = space->undo[set] - space->undo[set | 1u << axis];
                moved *= supports[mean] / space->total;
                for (size_t k = 0; k < size; k++)
                    slopes[k] +=
                        moved * (coefficients[mean + (k + 1) * inner] + coefficients[mean]);
            }
    }
}

/* To a function of cells: what single shares of the record's own signatures add. */
static void add_slopes(const bt_inverse_space *space, size_t axis, size_t planes,
                       const double *slopes, double *cells)
{
    size_t size = space->size[axis], inner = 1;
    for (size_t i = axis + 1; i < space->count; i++)
        inner *= space->size[i];
    for (size_t p = 0; p < (axis == space->target ? planes : 1); p++)
        for (size_t cell = 0; cell < space->cells; cell++)
            cells[p * space->parts + cell] += slopes[p * size + cell / inner % size];
}

/* What each record moves the sum by, on its own and through the shares, at space->function. */
static void find_influence(bt_inverse_space *space, size_t planes, double *parts)
{
    double *slopes[BT_INVERSE_AXES], *next = space->slopes;
    for (size_t axis = 0; axis < space->count; axis++) {
        slopes[axis] = next;
        derive(space, axis, planes, parts, next);
        next += planes * space->size[axis];
    }
    for (size_t i = 0; i < planes * space->parts; i++)
        parts[i] *= space->undo[space->sets[i % space->parts]];
    join(space, planes, parts);
    for (size_t axis = 0; axis < space->count; axis++)
        add_slopes(space, axis, planes, slopes[axis], parts);
    for (size_t p = 0; p < planes; p++)
        memcpy(space->function + p * space->cells, parts + p * space->parts,
               space->cells * sizeof *parts);
}

/* Plane p of the square of a function. */
static double square(const double *function, size_t plane, size_t planes, size_t cell, size_t p)
{
    double constant = function[cell], linear = planes > 1 ? function[plane + cell] : 0;
    return p == 0 ? constant * constant : p == 1 ? 2 * constant * linear : linear * linear;
}

/* The sum of the squared influence over the released records. */
static double sum_squares(const bt_inverse_space *space, size_t planes)
{
    double sum = 0;
    for (size_t p = 0; p < space->planes; p++)
        for (size_t cell = 0; cell < space->cells; cell++)
            sum += space->records[p * space->cells + cell] *
                   square(space->function, space->cells, planes, cell, p);
    return sum;
}

/* The sum of the influence itself over the released records. */
static double sum_influence(const bt_inverse_space *space, size_t planes)
{
    double sum = 0;
    for (size_t i = 0; i < planes * space->cells; i++)
        sum += space->records[i] * space->function[i];
    return sum;
}

/* Records are redrawn on their own, so the variance is the sum over the original records of what
 * the square of the influence is expected to be, less the square of what it is expected to be:
 * that is a function of the original record, so its sum is undone as well. */
static void find_variance(bt_inverse_space *space, size_t planes, bt_inverted *out)
{
    bt_inverted note = {0};
    double squares = sum_squares(space, planes), sum = sum_influence(space, planes);
    double *expected = split(space, planes, true, space->function);
    for (size_t i = 0; i < planes * space->parts; i++)
        expected[i] *= space->keep[space->sets[i % space->parts]];
    join(space, planes, expected);
    for (size_t p = 0; p < space->planes; p++)
        for (size_t cell = 0; cell < space->cells; cell++)
            space->function[p * space->cells + cell] =
                square(expected, space->parts, planes, cell, p);
    double undone =
        undo(space, space->planes, split(space, space->planes, true, space->function), &note);
    out->rough = note.lost;
    out->variance = squares - (note.lost && space->total > 0 ? sum * sum / space->total : undone);
    if (!(out->variance > 0)) out->variance = 0;
}

void bt_invert(bt_inverse_space *space, const double *function, bt_inverted *out)
{
    size_t planes = space->planes > 1 ? 2 : 1;
    double *parts = split(space, planes, true, function);
    *out = (bt_inverted){.inflation = 1};
    out->sum = undo(space, planes, parts, out);
    find_influence(space, planes, parts);
    find_variance(space, planes, out);
}

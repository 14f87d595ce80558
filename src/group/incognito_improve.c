/* SPDX-License-Identifier: Apache-2.0
 *
 * Local recoding: units that change their classes. The classes whose records lose most come first.
 * If all units of one cost less in other classes, each in the one where it costs least, the class
 * is dissolved; else single units leave it, if it can do without them and what this saves is more
 * than what it costs elsewhere.
 *
 * Cost: units that are looked at times classes, up to a limit.
 */
#include "group/incognito.h"

enum { COMPARISONS_MOST = 24 << 20 }; /* of a unit with a class */
enum { UNITS_MOST = 64 };             /* of a class that is looked at */

/* Takes a class apart if that saves anything. */
static bauta_status dissolve(bt_local *local, bt_mover *mover, uint32_t class_number,
                             const bool *barred, bool *dissolved, bauta_error *error)
{
    uint32_t units[UNITS_MOST];
    size_t count = bt_local_list(local, class_number, units), done = 0;
    uint64_t loss = local->classes[class_number].loss;
    uint64_t left = loss * local->classes[class_number].size;
    for (; done < count; done++) {
        bt_home to;
        bool good;
        if (!bt_mover_find(mover, units[done], barred, left, &to)) break;
        BT_TRY(bt_mover_holds(mover, to.class_number, units[done], true, &good, error));
        if (!good) break;
        left -= to.costs;
        BT_TRY(bt_mover_join(mover, units[done], to.class_number, error));
    }
    *dissolved = done == count;
    for (size_t i = 0; !*dissolved && i < done; i++) {
        uint32_t from = local->class_of[units[i]];
        BT_TRY(bt_mover_join(mover, units[i], class_number, error));
        BT_TRY(bt_mover_tighten(mover, from, error));
    }
    return BAUTA_OK;
}

/* Lets a unit go if it costs less elsewhere. */
static bauta_status let_go(bt_local *local, bt_mover *mover, uint32_t class_number, uint32_t unit,
                           const bool *barred, bauta_error *error)
{
    const bt_local_class *from = &local->classes[class_number];
    uint64_t before = from->loss * from->size;
    bool good;
    bt_home to;
    BT_TRY(bt_mover_holds(mover, class_number, unit, false, &good, error));
    if (!good) return BAUTA_OK;
    bt_local_take(local, unit);
    BT_TRY(bt_mover_tighten(mover, class_number, error));
    uint64_t saved = before - from->loss * from->size;
    good = bt_mover_find(mover, unit, barred, saved, &to);
    if (good) BT_TRY(bt_mover_holds(mover, to.class_number, unit, true, &good, error));
    return bt_mover_join(mover, unit, good ? to.class_number : class_number, error);
}

static bauta_status improve_class(bt_local *local, bt_mover *mover, uint32_t class_number,
                                  bool *barred, bauta_error *error)
{
    uint32_t units[UNITS_MOST];
    bool dissolved;
    if (local->classes[class_number].units > UNITS_MOST) return BAUTA_OK;
    size_t count = bt_local_list(local, class_number, units);
    if (count == 0) return BAUTA_OK;
    barred[class_number] = true;
    BT_TRY(dissolve(local, mover, class_number, barred, &dissolved, error));
    for (size_t i = 0; i < count && !dissolved; i++)
        if (local->classes[class_number].size > local->judge->least)
            BT_TRY(let_go(local, mover, class_number, units[i], barred, error));
    barred[class_number] = false;
    return BAUTA_OK;
}

typedef struct ranked {
    uint64_t loss;
    uint32_t class_number;
} ranked;

static int compare_ranked(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->loss != y->loss) return x->loss > y->loss ? -1 : 1;
    return (x->class_number > y->class_number) - (x->class_number < y->class_number);
}

bauta_status bt_local_improve(bt_local *local, bt_mover *mover, bauta_error *error)
{
    size_t count = local->count;
    ranked *order = bt_array(count, sizeof *order);
    bool *barred = bt_array_zero(count, sizeof *barred);
    bauta_status status = order && barred ? BAUTA_OK : bt_fail_memory(error);
    for (uint32_t i = 0; i < count && status == BAUTA_OK; i++)
        order[i] = (ranked){local->classes[i].loss, i};
    if (status == BAUTA_OK && count > 1) qsort(order, count, sizeof *order, compare_ranked);
    for (size_t i = 0; i < count && status == BAUTA_OK; i++) {
        if (bt_mover_compared(mover) >= COMPARISONS_MOST) break;
        status = improve_class(local, mover, order[i].class_number, barred, error);
    }
    free(order);
    free(barred);
    return status;
}

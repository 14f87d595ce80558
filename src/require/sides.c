/* SPDX-License-Identifier: Apache-2.0
 *
 * Borders are tried outward from the middle. Each direction keeps its own pair of tallies, whose
 * border only ever moves away from the middle, so that all borders together cost one pass.
 */
#include "require/sides.h"

#include "base/assert.h"

typedef struct side_pair {
    bt_tally *left, *right;
    uint32_t border; /* records in `left` */
} side_pair;

struct bt_sides {
    side_pair lower, upper;
};

bauta_status bt_sides_new(const bt_people *people, bt_sides **out, bauta_error *error)
{
    *out = NULL;
    bt_sides *sides = bt_array_zero(1, sizeof *sides);
    if (!sides) return bt_fail_memory(error);
    bauta_status status = bt_tally_new(people, &sides->lower.left, error);
    if (status == BAUTA_OK) status = bt_tally_new(people, &sides->lower.right, error);
    if (status == BAUTA_OK) status = bt_tally_new(people, &sides->upper.left, error);
    if (status == BAUTA_OK) status = bt_tally_new(people, &sides->upper.right, error);
    if (status != BAUTA_OK) {
        bt_sides_free(sides);
        return status;
    }
    *out = sides;
    return BAUTA_OK;
}

void bt_sides_free(bt_sides *sides)
{
    if (!sides) return;
    bt_tally_free(sides->lower.left);
    bt_tally_free(sides->lower.right);
    bt_tally_free(sides->upper.left);
    bt_tally_free(sides->upper.right);
    free(sides);
}

/* Adding a record takes memory only where persons are counted by rows. */
static inline bauta_status add(bt_tally *tally, const bt_sides_job *job, uint32_t place,
                               bauta_error *error)
{
    if (bt_people_by_row(job->requirements->people))
        return bt_tally_add_row(tally, job->records[place], error);
    bt_tally_add(tally, job->records[place], job->times ? job->times[place] : 1);
    return BAUTA_OK;
}

static inline void take(bt_tally *tally, const bt_sides_job *job, uint32_t place)
{
    if (bt_people_by_row(job->requirements->people))
        bt_tally_remove_row(tally, job->records[place]);
    else
        bt_tally_remove(tally, job->records[place], job->times ? job->times[place] : 1);
}

static bauta_status start_at(side_pair *pair, const bt_sides_job *job, uint32_t border,
                             bauta_error *error)
{
    bt_tally_clear(pair->left);
    bt_tally_clear(pair->right);
    for (uint32_t i = 0; i < job->count; i++)
        BT_TRY(add(i < border ? pair->left : pair->right, job, i, error));
    pair->border = border;
    return BAUTA_OK;
}

static bauta_status move_to(side_pair *pair, const bt_sides_job *job, uint32_t border,
                            bauta_error *error)
{
    for (; pair->border > border; pair->border--) {
        take(pair->left, job, pair->border - 1);
        BT_TRY(add(pair->right, job, pair->border - 1, error));
    }
    for (; pair->border < border; pair->border++) {
        take(pair->right, job, pair->border);
        BT_TRY(add(pair->left, job, pair->border, error));
    }
    return BAUTA_OK;
}

static bool both_satisfy(const side_pair *pair, const bt_requirements *requirements)
{
    return bt_requirements_check(requirements, pair->left, NULL) &&
           bt_requirements_check(requirements, pair->right, NULL);
}

static uint64_t distance(uint64_t left, uint64_t size)
{
    return 2 * left > size ? 2 * left - size : size - 2 * left;
}

bauta_status bt_sides_best(bt_sides *sides, const bt_sides_job *job, bool *found, uint32_t *best,
                           bauta_error *error)
{
    const uint32_t *borders = job->borders;
    BT_ASSERT(bt_ascend(borders, job->border_count));
    const uint64_t *left = job->left;
    uint64_t size = job->size;
    uint32_t upper = 0; /* the first border above the middle */
    while (upper < job->border_count && 2 * left[upper] <= size)
        upper++;
    uint32_t lower = upper; /* those below it go downwards */
    bool lower_started = false, upper_started = false;
    *found = false;
    while (!*found && (lower > 0 || upper < job->border_count)) {
        bool down = upper == job->border_count ||
                    (lower > 0 && distance(left[lower - 1], size) <= distance(left[upper], size));
        side_pair *pair = down ? &sides->lower : &sides->upper;
        bool *started = down ? &lower_started : &upper_started;
        *best = down ? --lower : upper++;
        if (*started)
            BT_TRY(move_to(pair, job, borders[*best], error));
        else
            BT_TRY(start_at(pair, job, borders[*best], error));
        *started = true;
        *found = both_satisfy(pair, job->requirements);
    }
    return BAUTA_OK;
}

bauta_status bt_sides_slack(bt_sides *sides, const bt_sides_job *job, int64_t *out,
                            bauta_error *error)
{
    BT_TRY(start_at(&sides->lower, job, job->borders[0], error));
    int64_t left = bt_requirements_slack(job->requirements, sides->lower.left);
    int64_t right = left < 0 ? left : bt_requirements_slack(job->requirements, sides->lower.right);
    *out = left < right ? left : right;
    return BAUTA_OK;
}

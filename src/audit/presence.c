/* SPDX-License-Identifier: Apache-2.0
 *
 * The promise `presence` of a join: of the rows of each box no more than a share are records of the
 * original.
 *
 * The files tell how many records a sensitive group has, not where they are in its boxes. Each box
 * has one at least, and may have as many whole ones as the share of its rows is. So there is a way
 * to keep the promise if and only if no box has room for none, and no group has more records than
 * room. What the original shows of single boxes is in joined.c.
 *
 * Cost: linear in classes and groups.
 */
#include "audit/finding.h"

bool bt_presence_room(const bt_release *release, uint32_t *out)
{
    const bt_requirement_instance *promise = bt_requirements_public(&release->manifest.promises);
    bt_rational most = promise ? promise->type->most_records(promise) : (bt_rational){1, 1};
    for (uint32_t c = 0; c < release->classes.count; c++) {
        uint32_t size = release->classes.size[c];
        int64_t room = bt_rational_floor_times(most, size);
        out[c] = room > size ? size : (uint32_t)room;
    }
    return promise != NULL;
}

typedef struct shown {    /* of all boxes and groups */
    uint32_t small, wide; /* boxes without room; groups with more records than room */
    uint32_t small_first, wide_first;
    uint32_t records, rows; /* of the group that has most records for its rows */
} shown;

static void compare(const bt_release *release, const uint32_t *room, const int64_t *group_room,
                    shown *out)
{
    const bt_bags *bags = &release->bags;
    *out = (shown){.rows = 1};
    for (uint32_t c = release->classes.count; c-- > 0;) {
        if (room[c] > 0) continue;
        out->small++;
        out->small_first = c;
    }
    for (uint32_t g = bags->count; g-- > 0;) {
        if (bags->values[g] > group_room[g]) {
            out->wide++;
            out->wide_first = g;
        }
        if ((uint64_t)bags->values[g] * out->rows < (uint64_t)out->records * bags->rows[g])
            continue;
        out->records = bags->values[g];
        out->rows = bags->rows[g];
    }
}

static void tell(bt_audit_job *job, const char *text, const int64_t *group_room, const shown *of)
{
    const bt_release *release = job->release;
    const bt_bags *bags = &release->bags;
    if (of->small > 0)
        bt_finding_put(job, text, BT_FAILS, release->classes.row[of->small_first],
                       "%u of %u boxes are too small for the one record that each has; this one "
                       "has %u rows",
                       of->small, release->classes.count, release->classes.size[of->small_first]);
    else if (bt_records_hidden(release))
        bt_finding_put(job, text, BT_UNVERIFIABLE, BT_NO_ROW,
                       "each of %u boxes has rows enough for a record; how many it has only the "
                       "original can show",
                       release->classes.count);
    else if (of->wide > 0)
        bt_finding_put(job, text, BT_FAILS, bt_bag_place(release, of->wide_first),
                       "%u of %u sensitive groups have more records than their boxes may; this one "
                       "has %u, and its %u rows allow %lld",
                       of->wide, bags->count, bags->values[of->wide_first],
                       bags->rows[of->wide_first], (long long)group_room[of->wide_first]);
    else
        bt_finding_put(job, text, BT_HOLDS, BT_NO_ROW,
                       "%u sensitive groups; where records are most frequent they are %u of %u "
                       "rows",
                       bags->count, of->records, of->rows);
}

bauta_status bt_audit_presence(bt_audit_job *job, const bt_requirement_instance *item,
                               bauta_error *error)
{
    const bt_release *release = job->release;
    shown found;
    if (!release->form->join) {
        bt_finding_put(job, item->text, BT_FAILS, BT_NO_ROW,
                       "without persons of a public table each row is a record");
        return BAUTA_OK;
    }
    uint32_t *room = bt_array(release->classes.count, sizeof *room);
    int64_t *group_room = bt_array_zero(release->bags.count, sizeof *group_room);
    bool made = room && group_room;
    if (made) {
        bt_presence_room(release, room);
        for (uint32_t c = 0; c < release->classes.count; c++)
            group_room[release->bags.of_class[c]] += room[c];
        compare(release, room, group_room, &found);
        tell(job, item->text, group_room, &found);
    }
    free(room);
    free(group_room);
    return made ? BAUTA_OK : bt_fail_memory(error);
}

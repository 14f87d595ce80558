/* SPDX-License-Identifier: Apache-2.0
 *
 * Time zones: how far the clocks of a place are ahead of UTC at a moment, by the zone database of
 * the system (the files of zic, RFC 8536). Only src/io may include this.
 *
 * Arrow has a timestamp with a zone as a moment of UTC; what people mean by its day is the day on
 * the clocks of the zone.
 */
#ifndef BT_ZONE_H
#define BT_ZONE_H

#include "base/memory.h"

typedef struct bt_zone_change { /* when clocks change, from the last one on for ever */
    enum { BT_ZONE_MONTH, BT_ZONE_DAY, BT_ZONE_DAY_OF_365 } kind;
    int month, week, day; /* MONTH: the day of the week in a week of the month, of which the fifth
                             is the last; else a day of the year, OF_365: without 29 February */
    int64_t time;         /* seconds after midnight */
} bt_zone_change;

typedef struct bt_zone {
    int64_t first; /* before all times: seconds that clocks are ahead of UTC */
    size_t count;
    int64_t *times, *ahead; /* from times[i] on, ascending, clocks are ahead[i] seconds */
    /* After the last of them, or always where there are none. */
    bool ruled;                /* the below says how it goes on; false: it stays so */
    int64_t standard, summer;  /* seconds ahead */
    bool changes;              /* there are both; false: always `standard` */
    bt_zone_change start, end; /* of `summer`: by the clocks that are in force before */
} bt_zone;

/* The zone of a name ("Europe/Rome", "+02:00"), from the arena; *out is NULL when it is not known
 * here. */
BT_MUST_USE bauta_status bt_zone_find(const char *name, bt_arena *arena, const bt_zone **out,
                                      bauta_error *error);

/* The zone that a file of the database says; false: it is not such a file. */
BT_MUST_USE bauta_status bt_zone_parse(const char *bytes, size_t length, bt_arena *arena,
                                       bt_zone *out, bool *known, bauta_error *error);

/* How many seconds the clocks of a zone are ahead of UTC at a moment: seconds since 1970-01-01, in
 * the years 0 to 10000. */
int64_t bt_zone_ahead(const bt_zone *zone, int64_t time);

#endif

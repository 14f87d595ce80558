/* SPDX-License-Identifier: Apache-2.0
 *
 * An earlier release beside a new table: which sensitive values it leaves possible for the records
 * of the table. Only src/api may include this.
 */
#ifndef BT_PREVIOUS_RELEASE_H
#define BT_PREVIOUS_RELEASE_H

#include "api/api.h"
#include "api/original.h"
#include "api/previous_pledge.h"

typedef struct bt_earlier {
    bt_release release;
    bt_original original; /* the records of the new table as that release describes them */
    bt_view view;
    bt_secret *secrets; /* sensitive columns that both have */
    size_t secret_count;
    uint32_t **stamps; /* per secret and value: the kind whose classes have it, + 1 */
    bool here; /* randomized: there are rows that may be those of the kind that was marked last */
    bt_pledge pledge;       /* not of randomized */
    uint32_t *code_of;      /* the caller's: see bt_earlier_match */
    int64_t both, narrowed; /* the caller's: records */
    int64_t thinned;        /* … whose classes there are narrowed, */
    int64_t betrayed;       /* … to what does not satisfy what was promised there, */
    const bt_requirement_instance *failed; /* … this by the first of them */
    bt_arena arena;
} bt_earlier;

/* `out` is closed by the caller, also after a failure. */
BT_MUST_USE bauta_status bt_earlier_open(const char *folder, const bauta_recipe *recipe,
                                         const bt_loaded *loaded, const bt_run *run,
                                         bt_earlier *out, bauta_error *error);
void bt_earlier_close(bt_earlier *earlier);

/* The codes in the first secret of `count` values that have texts, in code_of; BT_NOT_KNOWN: the
 * release cannot have it. */
BT_MUST_USE bauta_status bt_earlier_match(bt_earlier *earlier, const char *const *texts,
                                          uint32_t count, bauta_error *error);

/* Marks the values that stand in the classes that may be those of a target. */
void bt_earlier_mark(bt_earlier *earlier, uint32_t target, uint32_t stamp);

/* Whether a target that was just marked may be in the release. */
static inline bool bt_earlier_holds(const bt_earlier *earlier, uint32_t target)
{
    const bt_view *view = &earlier->view;
    return view->redrawn ? earlier->here : view->first[target] < view->first[target + 1];
}

/* Whether the sensitive values of a row of the input are among those marked. */
static inline bool bt_earlier_allows(const bt_earlier *earlier, int64_t row, uint32_t stamp)
{
    for (size_t s = 0; s < earlier->secret_count; s++) {
        uint32_t value = earlier->secrets[s].actual[row];
        if (value == BT_NOT_KNOWN || earlier->stamps[s][value] != stamp) return false;
    }
    return true;
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * distribution: which parts of the domain in sensitive.csv hold a value. Only src/audit may include
 * this.
 */
#ifndef BT_HOLDING_H
#define BT_HOLDING_H

#include "reading/release.h"

typedef struct bt_holding {
    size_t *starts;  /* per leaf of the hierarchy, and one behind: places in `parts` */
    uint32_t *parts; /* of the release's distribution */
} bt_holding;

/* `numbers` are those of the leaves; NULL: text. Cost: the values under all different parts.
 * Released by the caller, also after a failure. */
BT_MUST_USE bauta_status bt_holding_make(const bt_release *release, const int64_t *numbers,
                                         bt_holding *out, bauta_error *error);
void bt_holding_release(bt_holding *holding);

#endif

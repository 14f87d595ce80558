/* SPDX-License-Identifier: Apache-2.0
 *
 * From what a source yields of a column to the codes of a coder: texts and numbers are looked up
 * row by row, the codes of a source's dictionary once for each of them. Only src/io may include
 * this.
 */
#ifndef BT_RELAY_H
#define BT_RELAY_H

#include "io/batch.h"
#include "io/coder.h"

typedef struct bt_relay { /* of one column and one worker; zeroed: no dictionary was seen yet */
    const bt_dictionary *dictionary;
    uint32_t *code_of; /* per code of the dictionary: the coder's + 1; 0: not asked for yet */
    int64_t *rows;     /* per code of the dictionary: rows that the coder does not count yet */
} bt_relay;

/* The codes of a column of a batch. */
BT_MUST_USE bauta_status bt_relay_code(bt_relay *relay, bt_coder *coder, const bt_batch *batch,
                                       size_t column, uint32_t *codes, bauta_error *error);

/* Has the coder count what was counted by the codes of a dictionary. */
BT_MUST_USE bauta_status bt_relay_settle(bt_relay *relay, bt_coder *coder, bauta_error *error);

void bt_relay_release(bt_relay *relay);

#endif

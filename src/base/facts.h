/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts: what a command found out, as a tree. Commands fill it, src/report prints it.
 *
 * The tree is jansson's. Failure is sticky: puts never fail by themselves, and
 * bt_facts_check at the end says whether all of them had memory.
 */
#ifndef BT_FACTS_H
#define BT_FACTS_H

#include "base/status.h"

#include <jansson.h>

typedef struct bt_facts {
    json_t *root; /* an object, or an array */
    bool failed;
} bt_facts;

/* The root must be released with json_decref (bt_facts_release). */
void bt_facts_init(bt_facts *facts);       /* root: an object */
void bt_facts_init_array(bt_facts *facts); /* root: an array */
void bt_facts_release(bt_facts *facts);

/* Each puts a value under `key` of the object `at`; with key NULL, at the end of the array `at`.
 * The nested ones return the new object or array (NULL after a failure, which all accept). */
void bt_put_int(bt_facts *facts, json_t *at, const char *key, int64_t value);
void bt_put_real(bt_facts *facts, json_t *at, const char *key, double value);
void bt_put_bool(bt_facts *facts, json_t *at, const char *key, bool value);
void bt_put_text(bt_facts *facts, json_t *at, const char *key, const char *value);
void bt_put_null(bt_facts *facts, json_t *at, const char *key);
void bt_put_json(bt_facts *facts, json_t *at, const char *key, json_t *value); /* steals */
json_t *bt_put_object(bt_facts *facts, json_t *at, const char *key);
json_t *bt_put_array(bt_facts *facts, json_t *at, const char *key);

BT_MUST_USE bauta_status bt_facts_check(const bt_facts *facts, bauta_error *error);

#endif

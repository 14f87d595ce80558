/* SPDX-License-Identifier: Apache-2.0
 *
 * A sticky-failure layer over jansson.
 */
#include "base/facts.h"

#include "base/text.h"

#include <string.h>

void bt_facts_init(bt_facts *facts)
{
    facts->root = json_object();
    facts->failed = !facts->root;
}

void bt_facts_init_array(bt_facts *facts)
{
    facts->root = json_array();
    facts->failed = !facts->root;
}

void bt_facts_release(bt_facts *facts)
{
    json_decref(facts->root);
    facts->root = NULL;
}

void bt_put_json(bt_facts *facts, json_t *at, const char *key, json_t *value)
{
    /* Both setters release `value` when they fail, and refuse NULL. */
    int result = key ? json_object_set_new(at, key, value) : json_array_append_new(at, value);
    if (result != 0) facts->failed = true;
}

void bt_put_int(bt_facts *facts, json_t *at, const char *key, int64_t value)
{
    bt_put_json(facts, at, key, json_integer(value));
}

void bt_put_real(bt_facts *facts, json_t *at, const char *key, double value)
{
    bt_put_json(facts, at, key, json_real(value));
}

void bt_put_bool(bt_facts *facts, json_t *at, const char *key, bool value)
{
    bt_put_json(facts, at, key, json_boolean(value));
}

/* JSON is UTF-8, but names of files may be any bytes: those that are not become '?'. */
static json_t *readable_string(const char *value)
{
    size_t length = strlen(value), at = 0;
    BT_OWN(bt_free) char *copy = bt_array(length + 1, 1);
    if (!copy) return NULL;
    memcpy(copy, value, length + 1);
    while ((at += bt_utf8_valid_prefix(copy + at, length - at)) < length)
        copy[at] = '?';
    return json_stringn(copy, length);
}

void bt_put_text(bt_facts *facts, json_t *at, const char *key, const char *value)
{
    json_t *text = json_string(value);
    bt_put_json(facts, at, key, text || !value ? text : readable_string(value));
}

void bt_put_null(bt_facts *facts, json_t *at, const char *key)
{
    bt_put_json(facts, at, key, json_null());
}

static json_t *put_container(bt_facts *facts, json_t *at, const char *key, json_t *made)
{
    bt_put_json(facts, at, key, made);
    return facts->failed ? NULL : made;
}

json_t *bt_put_object(bt_facts *facts, json_t *at, const char *key)
{
    return put_container(facts, at, key, json_object());
}

json_t *bt_put_array(bt_facts *facts, json_t *at, const char *key)
{
    return put_container(facts, at, key, json_array());
}

bauta_status bt_facts_check(const bt_facts *facts, bauta_error *error)
{
    return facts->failed ? bt_fail_memory(error) : BAUTA_OK;
}

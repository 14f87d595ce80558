/* SPDX-License-Identifier: Apache-2.0
 *
 * A sticky-failure layer over jansson.
 */
#include "kit/kit.h"

#include <stdlib.h>
#include <string.h>

static json_t *put(ex_facts *facts, json_t *at, const char *key, json_t *value)
{
    /* Both setters release `value` when they fail, and refuse NULL. */
    int result = key ? json_object_set_new(at, key, value) : json_array_append_new(at, value);
    if (result != 0) facts->failed = true;
    return facts->failed ? NULL : value;
}

void ex_put_int(ex_facts *facts, json_t *at, const char *key, int64_t value)
{
    put(facts, at, key, json_integer(value));
}

void ex_put_real(ex_facts *facts, json_t *at, const char *key, double value)
{
    put(facts, at, key, json_real(value));
}

/* JSON is UTF-8, but names of files may be any bytes: where they are not, those above ASCII become
 * '?'. */
void ex_put_text(ex_facts *facts, json_t *at, const char *key, const char *value)
{
    json_t *text = json_string(value);
    char *copy = text ? NULL : strdup(value);
    for (char *p = copy; p && *p; p++)
        if ((unsigned char)*p >= 0x80) *p = '?';
    put(facts, at, key, text ? text : json_string(copy));
    free(copy);
}

void ex_put_null(ex_facts *facts, json_t *at, const char *key)
{
    put(facts, at, key, json_null());
}

json_t *ex_put_object(ex_facts *facts, json_t *at, const char *key)
{
    return put(facts, at, key, json_object());
}

json_t *ex_put_array(ex_facts *facts, json_t *at, const char *key)
{
    return put(facts, at, key, json_array());
}

const char *ex_text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

double ex_number_at(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

bauta_status ex_facts_show(ex_facts *facts, bool json,
                           void (*print)(const json_t *facts, ex_buffer *out), char **text,
                           bauta_error *error)
{
    ex_buffer out = {.failed = facts->failed};
    if (json && !facts->failed) {
        char *dump = json_dumps(facts->root, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
        if (dump) ex_print(&out, "%s\n", dump);
        out.failed |= !dump;
        free(dump);
    } else if (!facts->failed) {
        print(facts->root, &out);
    }
    ex_add(&out, "", 1);
    json_decref(facts->root);
    facts->root = NULL;
    bauta_status status = ex_buffer_check(&out, error);
    *text = out.bytes;
    if (status == BAUTA_OK) return BAUTA_OK;
    ex_buffer_release(&out);
    *text = NULL;
    return status;
}

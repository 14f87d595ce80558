/* SPDX-License-Identifier: Apache-2.0
 *
 * Open addressing, at most half full.
 */
#include "recipe/names.h"

#include "base/hash.h"

#include <string.h>

/* The slot of the name, or the empty one where it would go. The capacity is a power of two. */
static bt_name *slot_of(bt_name *slots, size_t capacity, uint64_t scope, const char *text)
{
    size_t at = bt_hash_mix(bt_hash(text, strlen(text)), scope) & (capacity - 1);
    while (slots[at].text && (slots[at].scope != scope || strcmp(slots[at].text, text) != 0))
        at = (at + 1) & (capacity - 1);
    return &slots[at];
}

bool bt_names_find(const bt_names *names, uint64_t scope, const char *text, uint32_t *value)
{
    if (names->capacity == 0) return false;
    const bt_name *slot = slot_of(names->slots, names->capacity, scope, text);
    if (slot->text) *value = slot->value;
    return slot->text != NULL;
}

static bauta_status grow(bt_names *names, bauta_error *error)
{
    size_t capacity = names->capacity ? names->capacity * 2 : 16;
    bt_name *slots = bt_array_zero(capacity, sizeof *slots);
    if (!slots) return bt_fail_memory(error);
    for (size_t i = 0; i < names->capacity; i++) {
        const bt_name *old = &names->slots[i];
        if (old->text) *slot_of(slots, capacity, old->scope, old->text) = *old;
    }
    free(names->slots);
    names->slots = slots;
    names->capacity = capacity;
    return BAUTA_OK;
}

bauta_status bt_names_add(bt_names *names, uint64_t scope, const char *text, uint32_t value,
                          bool *added, bauta_error *error)
{
    if (names->count >= names->capacity / 2) BT_TRY(grow(names, error));
    bt_name *slot = slot_of(names->slots, names->capacity, scope, text);
    *added = !slot->text;
    if (*added) {
        *slot = (bt_name){text, scope, value};
        names->count++;
    }
    return BAUTA_OK;
}

void bt_names_release(bt_names *names)
{
    free(names->slots);
    *names = (bt_names){0};
}

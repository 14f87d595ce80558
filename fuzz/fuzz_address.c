/* SPDX-License-Identifier: Apache-2.0
 *
 * Any text as the name of a database's table: refused, or a place, and a query that is the one that
 * was given or reads one table, whose name stays inside its quotes.
 */
#include "fuzz.h"

#include "io/address.h"

#include <string.h>

/* What follows a quoted name; NULL: it is none. */
static const char *skip_name(const char *text)
{
    if (*text++ != '"') return NULL;
    while (*text != '"' || text[1] == '"') {
        if (*text == '\0') return NULL;
        text += *text == '"' ? 2 : 1;
    }
    return text + 1;
}

static void check_query(const char *query)
{
    static const char start[] = "SELECT * FROM ";
    fuzz_check(strncmp(query, start, strlen(start)) == 0, "no query of a table");
    const char *rest = skip_name(query + strlen(start));
    while (rest && *rest == '.')
        rest = skip_name(rest + 1);
    fuzz_check(rest && *rest == '\0', "a name leaves its quotes");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bt_arena arena = {0};
    bt_address address;
    bauta_error error;
    char *name = malloc(size + 3);
    fuzz_check(name, "memory");
    memcpy(name, "x:", 2);
    memcpy(name + 2, data, size);
    name[size + 2] = '\0';
    bauta_status status = bt_address_read(name, &arena, &address, &error);
    fuzz_check(status == BAUTA_OK || status == BAUTA_USAGE || status == BAUTA_INVALID,
               "reading fails oddly");
    if (status == BAUTA_OK) {
        fuzz_check(strlen(address.place) <= strlen(name), "a place that is longer than the name");
        fuzz_check(address.query[0] != '\0', "no query");
        if (address.queried)
            fuzz_check(strstr(name, address.query) != NULL, "another query than was given");
        else
            check_query(address.query);
    }
    free(name);
    bt_arena_release(&arena);
    return 0;
}

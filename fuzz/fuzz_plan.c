/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a plan, with the digest that they should have: what is read can be written, and
 * reads again as the same bytes. Bound to a table with the columns that it names, no class gets a
 * record twice, and none is lost but those outside.
 */
#include "fuzz.h"

#include "group/plan_json.h"
#include "recipe/hierarchy.h"

#include <string.h>

enum { ROWS = 12, COLUMNS_MOST = 4 };

static const char *const numbers[ROWS] = {"0",  "1",  "2", "3", "5", "8",
                                          "13", "21", "",  "7", "1", "0"};
static const char *const texts[ROWS] = {"a", "b",   "c", "d",     "e", "a|b",
                                        "*", "{a}", "",  "[1,2]", "a", "b"};
static const char *const dates[ROWS] = {"2024-01-01", "2024-02-29", "1999-12-31", "2000-01-01",
                                        "",           "2024-03-01", "2024-03-02", "1970-01-01",
                                        "2024-01-01", "2024-01-01", "2030-01-01", "2031-05-05"};

/* A column of the type and with the hierarchy that the plan says; false: there is none such. */
static bool make_column(const bt_plan_column *from, bt_arena *arena, bt_column *out)
{
    const char *const *list = from->type == BT_TEXT   ? texts
                              : from->type == BT_DATE ? dates
                                                      : numbers;
    uint32_t length[ROWS], code_of[ROWS], relaid[ROWS + 1];
    int64_t rows[ROWS];
    const char *distinct[ROWS];
    uint32_t place[ROWS], count = 0;
    for (uint32_t r = 0; r < ROWS; r++) {
        place[r] = 0;
        while (place[r] < count && strcmp(distinct[place[r]], list[r]) != 0)
            place[r]++;
        if (place[r] < count) continue;
        distinct[count] = list[r];
        length[count] = (uint32_t)strlen(list[r]);
        rows[count++] = 1;
    }
    const bt_values values = {count, distinct, length, rows};
    const bt_missing missing = {0};
    const bt_domain_options options = {
        .missing = &missing, .has_type = true, .type = from->type, .column = from->name};
    *out = (bt_column){.name = from->name, .role = BT_ROLE_QUASI};
    if (bt_domain_build(&values, &options, arena, &out->domain, code_of, NULL) != BAUTA_OK)
        return false;
    if (from->spec) {
        bt_hierarchy *tree;
        const bt_hierarchy_source source = {.spec = from->spec,
                                            .paths = from->paths,
                                            .path_lengths = from->path_lengths,
                                            .path_count = from->path_count,
                                            .loose = from->paths != NULL};
        if (!from->paths && !bt_hierarchy_is_derived(from->spec)) return false;
        if (bt_hierarchy_is_none(&source)) return false;
        if (bt_hierarchy_build(&source, from->name, &out->domain, relaid, arena, &tree, NULL) !=
            BAUTA_OK)
            return false;
        out->hierarchy = tree;
        for (uint32_t i = 0; i < count; i++)
            code_of[i] = relaid[code_of[i]];
    }
    uint32_t *codes = bt_array(ROWS, sizeof *codes);
    fuzz_check(codes != NULL, "no memory");
    for (uint32_t r = 0; r < ROWS; r++)
        codes[r] = code_of[place[r]];
    out->codes = codes;
    out->width = sizeof *codes;
    return true;
}

static void check_parts(const bt_bound_plan *bound, const bt_table *table, const bt_run *run)
{
    bt_parts parts;
    bool seen[ROWS] = {false};
    fuzz_check(bt_plan_parts(bound, table, run, &parts, NULL) == BAUTA_OK, "cannot be applied");
    for (uint32_t i = 0; i < parts.starts[parts.count]; i++) {
        fuzz_check(parts.order[i] < ROWS && !seen[parts.order[i]], "a record is in two classes");
        seen[parts.order[i]] = true;
    }
    bt_parts_release(&parts);
}

static void apply(const bt_plan *plan)
{
    bt_table table = {.rows = ROWS};
    bt_column columns[COLUMNS_MOST];
    bt_run run = {0};
    bt_bound_plan *bound;
    bool made = plan->column_count <= COLUMNS_MOST;
    table.columns = columns;
    for (size_t c = 0; made && c < plan->column_count; c++) {
        made = make_column(&plan->columns[c], &table.arena, &columns[c]);
        table.count += made;
    }
    if (made && bt_pool_new(1, &run.pool, NULL) == BAUTA_OK) {
        if (bt_plan_bind(plan, &table, false, &run, &bound, NULL) == BAUTA_OK) {
            check_parts(bound, &table, &run);
            bt_bound_plan_free(bound);
        }
        bt_pool_free(run.pool);
    }
    bt_table_release(&table);
}

static void check_round_trip(const bt_plan *plan, bt_arena *arena)
{
    bt_buffer first = {0}, second = {0};
    bt_plan again;
    fuzz_check(bt_plan_write(plan, &first, NULL) == BAUTA_OK, "cannot be written");
    fuzz_check(bt_plan_read("plan", first.bytes, first.length, arena, &again, NULL) == BAUTA_OK,
               "cannot be read again");
    fuzz_check(bt_plan_write(&again, &second, NULL) == BAUTA_OK, "cannot be written again");
    fuzz_check(first.length == second.length &&
                   memcmp(first.bytes, second.bytes, first.length) == 0,
               "reads differently");
    bt_buffer_release(&first);
    bt_buffer_release(&second);
}

/* The text with its digest set right; NULL: it is no object. */
static char *mend(const uint8_t *data, size_t size)
{
    char digest[BT_PLAN_DIGEST + 1], *text = NULL;
    json_t *root = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(root) && bt_plan_digest(root, digest, NULL) == BAUTA_OK) {
        json_object_set_new(root, "digest", json_string(digest));
        text = json_dumps(root, JSON_COMPACT);
    }
    json_decref(root);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bt_arena arena = {0};
    bt_plan plan;
    bauta_error error;
    bauta_status status = bt_plan_read("plan", (const char *)data, size, &arena, &plan, &error);
    fuzz_check(status == BAUTA_OK || status == BAUTA_INVALID, "reading fails oddly");
    char *text = mend(data, size);
    if (text) {
        status = bt_plan_read("plan", text, strlen(text), &arena, &plan, &error);
        fuzz_check(status == BAUTA_OK || status == BAUTA_INVALID, "reading fails oddly");
        if (status == BAUTA_OK) check_round_trip(&plan, &arena);
        if (status == BAUTA_OK) apply(&plan);
    }
    free(text);
    bt_arena_release(&arena);
    return 0;
}

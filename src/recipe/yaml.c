/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds the tree from libfyaml's events, which need no recursion whatever the nesting.
 */
#include "recipe/yaml.h"

#include "base/text.h"
#include "recipe/names.h"

#include <libfyaml.h>
#include <stdio.h>
#include <string.h>

void bt_yaml_place(bauta_error *error, int line, int column)
{
    if (!error) return;
    char message[sizeof error->message];
    memcpy(message, error->message, sizeof message);
    int used =
        snprintf(error->message, sizeof error->message, "line %d, column %d: ", line, column);
    size_t room = sizeof error->message - (size_t)used;
    snprintf(error->message + used, room, "%.*s", (int)room - 1, message);
}

bauta_status bt_yaml_fail(const bt_yaml *node, bauta_error *error, const char *format, ...)
{
    if (!error) return BAUTA_INVALID;
    bt_error_clear(error);
    error->status = BAUTA_INVALID;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    bt_yaml_place(error, node->line, node->column);
    return BAUTA_INVALID;
}

/* ---- before libfyaml sees it ---- */

static bauta_status check_bytes(const char *text, size_t length, bauta_error *error)
{
    if (length > BT_YAML_BYTES)
        return bt_fail(error, BAUTA_INVALID, "the recipe is larger than %d bytes", BT_YAML_BYTES);
    const char *zero = length ? memchr(text, '\0', length) : NULL;
    size_t good = bt_utf8_valid_prefix(text, zero ? (size_t)(zero - text) : length);
    if (good == length) return BAUTA_OK;
    bt_yaml place = {.line = 1, .column = 1};
    for (size_t i = 0; i < good; i++) {
        place.column = text[i] == '\n' ? 1 : place.column + ((text[i] & 0xC0) != 0x80);
        place.line += text[i] == '\n';
    }
    return bt_yaml_fail(&place, error, zero == text + good ? "zero byte" : "not UTF-8");
}

/* ---- building ---- */

typedef struct builder {
    const char *source; /* the whole file */
    size_t length;
    bt_arena *arena;
    bt_yaml *root;
    bt_yaml *open;    /* the list or map being filled; NULL at the top */
    const char *key;  /* read, its value not yet */
    int line, column; /* of the key, or of the last thing seen */
    size_t depth;
    int documents;
    bt_names keys; /* scope: the place of the map in memory */
    struct fy_parser *parser;
    struct fy_diag *diagnostics;
} builder;

static void note_place(builder *build, struct fy_token *token)
{
    const struct fy_mark *mark = token ? fy_token_start_mark(token) : NULL;
    if (!mark) return;
    build->line = mark->line + 1;
    build->column = mark->column + 1;
}

static bt_yaml here(const builder *build)
{
    return (bt_yaml){.line = build->line, .column = build->column};
}

/* Adds a node under the open one. */
static bauta_status add_node(builder *build, bt_yaml_kind kind, bt_yaml **out, bauta_error *error)
{
    bt_yaml place = here(build);
    if (build->open && build->open->kind == BT_YAML_MAP && !build->key)
        return bt_yaml_fail(&place, error, "a key must be text");
    bt_yaml *node = bt_arena_alloc(build->arena, sizeof *node);
    if (!node) return bt_fail_memory(error);
    *node = (bt_yaml){.kind = kind,
                      .key = build->key,
                      .parent = build->open,
                      .line = build->line,
                      .column = build->column};
    if (!build->open)
        build->root = node;
    else if (build->open->last)
        build->open->last->next = node;
    else
        build->open->first = node;
    if (build->open) build->open->last = node;
    build->key = NULL;
    *out = node;
    return BAUTA_OK;
}

static bauta_status open_node(builder *build, bt_yaml_kind kind, struct fy_token *token,
                              bauta_error *error)
{
    bt_yaml *node;
    if (!build->key) note_place(build, token);
    BT_TRY(add_node(build, kind, &node, error));
    if (++build->depth > BT_YAML_DEPTH)
        return bt_yaml_fail(node, error, "nested deeper than %d levels", BT_YAML_DEPTH);
    build->open = node;
    return BAUTA_OK;
}

static void close_node(builder *build)
{
    if (!build->open) return;
    build->open = build->open->parent;
    build->depth--;
}

static bauta_status add_key(builder *build, const char *text, bauta_error *error)
{
    bt_yaml place = here(build);
    bool added;
    BT_TRY(bt_names_add(&build->keys, (uint64_t)(uintptr_t)build->open, text, 0, &added, error));
    if (!added) return bt_yaml_fail(&place, error, "key '%s' is given twice", text);
    build->key = text;
    return BAUTA_OK;
}

static bool is_nothing(struct fy_token *token, const char *text, size_t length)
{
    if (token && fy_token_scalar_style(token) != FYSS_PLAIN) return false;
    return length == 0 || (length == 1 && text[0] == '~') ||
           (length == 4 && memcmp(text, "null", 4) == 0);
}

/* libfyaml 0.7 misreads single-quoted texts in which one escaped quote follows another: they are
 * refused rather than changed. */
static bool is_misread(const builder *build, struct fy_token *token)
{
    if (!token || fy_token_scalar_style(token) != FYSS_SINGLE_QUOTED) return false;
    const struct fy_mark *start = fy_token_start_mark(token), *end = fy_token_end_mark(token);
    if (!start || !end || start->input_pos > end->input_pos || end->input_pos > build->length)
        return true;
    return memmem(build->source + start->input_pos, end->input_pos - start->input_pos, "''''", 4) !=
           NULL;
}

static bauta_status add_scalar(builder *build, struct fy_token *token, bauta_error *error)
{
    size_t length = 0;
    bool is_key = build->open && build->open->kind == BT_YAML_MAP && !build->key;
    if (is_key || !build->key) note_place(build, token);
    bt_yaml place = here(build);
    if (is_misread(build, token))
        return bt_yaml_fail(&place, error, "two quotes in a row: write this text in double quotes");
    const char *text = token ? fy_token_get_text(token, &length) : "";
    if (!text) return bt_fail_memory(error);
    if (length && memchr(text, '\0', length))
        return bt_yaml_fail(&place, error, "a text holds a zero character");
    char *copy = bt_arena_copy(build->arena, text, length);
    if (!copy) return bt_fail_memory(error);
    if (is_key) return add_key(build, copy, error);
    bt_yaml *node;
    BT_TRY(add_node(build, BT_YAML_TEXT, &node, error));
    node->text = is_nothing(token, text, length) ? NULL : copy;
    return BAUTA_OK;
}

static bauta_status take_event(builder *build, const struct fy_event *event, bauta_error *error)
{
    bt_yaml place = here(build);
    switch (event->type) {
    case FYET_DOCUMENT_START:
        if (build->documents++ == 0) return BAUTA_OK;
        return bt_yaml_fail(&place, error, "the file holds a second document");
    case FYET_MAPPING_START:
        return open_node(build, BT_YAML_MAP, event->mapping_start.mapping_start, error);
    case FYET_SEQUENCE_START:
        return open_node(build, BT_YAML_LIST, event->sequence_start.sequence_start, error);
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END: close_node(build); return BAUTA_OK;
    case FYET_SCALAR: return add_scalar(build, event->scalar.value, error);
    case FYET_ALIAS:
        note_place(build, event->alias.anchor);
        place = here(build);
        return bt_yaml_fail(&place, error, "aliases (*name) are not supported");
    default: return BAUTA_OK;
    }
}

/* ---- libfyaml ---- */

/* Not every fault has a message: then the place is that of the last thing understood. */
static bauta_status parser_error(const builder *build, struct fy_diag *diagnostics,
                                 bauta_error *error)
{
    void *iterator = NULL;
    const struct fy_diag_error *first = fy_diag_errors_iterate(diagnostics, &iterator);
    bt_yaml place = here(build);
    if (!first || !first->msg) return bt_yaml_fail(&place, error, "not YAML from here on");
    bauta_status status = bt_fail(error, BAUTA_INVALID, "%s", first->msg);
    bt_yaml_place(error, first->line, first->column);
    return status;
}

static bauta_status build_tree(builder *build, bauta_error *error)
{
    struct fy_parser *parser = build->parser;
    struct fy_event *event;
    while ((event = fy_parser_parse(parser)) != NULL) {
        bauta_status status = take_event(build, event, error);
        fy_parser_event_free(parser, event);
        BT_TRY(status);
    }
    return fy_parser_get_stream_error(parser) ? parser_error(build, build->diagnostics, error)
                                              : BAUTA_OK;
}

static void builder_release(builder *build)
{
    fy_parser_destroy(build->parser);
    fy_diag_destroy(build->diagnostics);
    bt_names_release(&build->keys);
}

bauta_status bt_yaml_parse(const char *text, size_t length, bt_arena *arena, bt_yaml **out,
                           bauta_error *error)
{
    *out = NULL;
    BT_TRY(check_bytes(text, length, error));
    BT_OWN(builder_release)
    builder build = {.source = text, .length = length, .arena = arena, .line = 1, .column = 1};
    struct fy_diag_cfg quiet;
    fy_diag_cfg_default(&quiet);
    quiet.fp = NULL; /* the library never prints */
    quiet.output_fn = NULL;
    quiet.colorize = false;
    build.diagnostics = fy_diag_create(&quiet);
    if (!build.diagnostics) return bt_fail_memory(error);
    fy_diag_set_collect_errors(build.diagnostics, true);
    const struct fy_parse_cfg settings = {
        .flags = FYPCF_QUIET | FYPCF_JSON_NONE | FYPCF_COLLECT_DIAG,
        .diag = build.diagnostics,
    };
    build.parser = fy_parser_create(&settings);
    if (!build.parser || fy_parser_set_string(build.parser, text, length) != 0)
        return bt_fail_memory(error);
    BT_TRY(build_tree(&build, error));
    *out = build.root;
    return BAUTA_OK;
}

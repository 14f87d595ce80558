/* SPDX-License-Identifier: Apache-2.0
 *
 * The registry of requirements, and conjunctions of them.
 */
#include "require/requirement.h"

#include "base/text.h"

#include <string.h>

#define BT_REQUIREMENT(name) extern const bt_requirement bt_requirement_##name;
#include "require/requirements.def"
#undef BT_REQUIREMENT

const bt_requirement *const bt_requirement_registry[] = {
#define BT_REQUIREMENT(name) &bt_requirement_##name,
#include "require/requirements.def"
#undef BT_REQUIREMENT
};
const size_t bt_requirement_registry_count =
    sizeof bt_requirement_registry / sizeof *bt_requirement_registry;

static const bt_requirement *find(const char *name)
{
    for (size_t i = 0; i < bt_requirement_registry_count; i++)
        if (strcmp(bt_requirement_registry[i]->name, name) == 0) return bt_requirement_registry[i];
    return NULL;
}

static bauta_status unknown(const char *name, bt_arena *arena, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "there is no requirement '%s'", name);
    const char **names = bt_arena_array(arena, bt_requirement_registry_count, sizeof *names);
    if (!names) return bt_fail_memory(error);
    for (size_t i = 0; i < bt_requirement_registry_count; i++)
        names[i] = bt_requirement_registry[i]->name;
    const char *near = bt_text_nearest(name, names, bt_requirement_registry_count);
    if (near)
        bt_error_hint(error, "did you mean '%s'?", near);
    else
        bt_error_hint(error, "'bauta list requirements' names them");
    return status;
}

/* Splits "alpha(disease)" into its name and column. */
static bauta_status split_column(char *name, bt_requirement_instance *out, bauta_error *error)
{
    char *open = strchr(name, '(');
    if (!open) return BAUTA_OK;
    size_t length = strlen(open);
    if (length < 3 || open[length - 1] != ')')
        return bt_fail(error, BAUTA_INVALID, "requirement '%s' names no column in its brackets",
                       name);
    *open = open[length - 1] = '\0';
    bt_text_unescape(open + 1);
    out->column = open + 1;
    return BAUTA_OK;
}

const char *bt_requirement_value(const char *text)
{
    const char *equals = strchr(text, '='), *open = strchr(text, '(');
    if (!equals || !open || equals < open) return equals ? equals + 1 : NULL;
    const char *close = strstr(open, ")=");
    return close ? close + 2 : equals + 1;
}

/* One requirement of a list as it must be written in a list: with the backslashes before commas
 * that splitting has dropped. NULL: out of memory. */
static char *escape_commas(const char *text, bt_arena *arena)
{
    size_t length = strlen(text), commas = 0;
    for (size_t i = 0; i < length; i++)
        commas += text[i] == ',';
    char *escaped = bt_arena_alloc(arena, length + commas + 1), *out = escaped;
    if (!escaped) return NULL;
    for (size_t i = 0; i <= length; i++) {
        if (text[i] == ',') *out++ = '\\';
        *out++ = text[i];
    }
    return escaped;
}

/* "name=value", "name=value:argument" or "name(column)=…". */
static bauta_status parse_one(char *text, bt_arena *arena, bt_requirement_instance *out,
                              bauta_error *error)
{
    const char *canonical = escape_commas(text, arena);
    if (!canonical) return bt_fail_memory(error);
    const char *value = bt_requirement_value(text);
    if (!value) {
        bauta_status status = bt_fail(error, BAUTA_INVALID, "requirement '%s' needs a value", text);
        bt_error_hint(error, "write it as '%s=VALUE'", text);
        return status;
    }
    text[value - text - 1] = '\0'; /* the '=' */
    *out = (bt_requirement_instance){.text = canonical};
    BT_TRY(split_column(text, out, error));
    const bt_requirement *type = out->type = find(text);
    if (!type) return unknown(text, arena, error);
    if (!bt_is_about_values(type) && out->column)
        return bt_fail(error, BAUTA_INVALID, "requirement '%s' is not about one column", text);
    char **parts;
    size_t count;
    BT_TRY(bt_text_split(arena, value, ':', &parts, &count, error));
    if (count > type->param_count)
        return bt_fail(error, BAUTA_INVALID, "requirement '%s' takes at most %zu values", text,
                       type->param_count);
    bt_value *values = bt_arena_array(arena, type->param_count, sizeof *values);
    if (!values) return bt_fail_memory(error);
    for (size_t i = 0; i < type->param_count; i++) {
        const bt_param *param = &type->params[i];
        const char *given = i < count ? parts[i] : param->fallback;
        if (!given)
            return bt_fail(error, BAUTA_INVALID, "requirement '%s' needs '%s'", text, param->name);
        BT_TRY(bt_param_parse(param, type->name, given, arena, &values[i], error));
    }
    out->values = values;
    out->given = count;
    return BAUTA_OK;
}

static bool same_target(const bt_requirement_instance *a, const bt_requirement_instance *b)
{
    if (a->type != b->type) return false;
    return !a->column || !b->column ? a->column == b->column : strcmp(a->column, b->column) == 0;
}

bauta_status bt_requirements_parse(const char *text, bt_arena *arena, bt_requirements *out,
                                   bauta_error *error)
{
    char **parts;
    *out = (bt_requirements){.size_only = true, .monotone_merging = true, .joint = true};
    BT_TRY(bt_text_split(arena, text, ',', &parts, &out->count, error));
    out->items = bt_arena_array(arena, out->count, sizeof *out->items);
    if (!out->items) return bt_fail_memory(error);
    for (size_t i = 0; i < out->count; i++) {
        BT_TRY(parse_one(parts[i], arena, &out->items[i], error));
        out->size_only = out->size_only && out->items[i].type->size_only;
        out->monotone_merging = out->monotone_merging && out->items[i].type->monotone_merging;
        for (size_t j = 0; j < i; j++)
            if (same_target(&out->items[j], &out->items[i]))
                return bt_fail(error, BAUTA_INVALID, "requirement '%s' is given twice",
                               out->items[i].type->name);
    }
    return BAUTA_OK;
}

bauta_status bt_requirements_copy(const bt_requirements *from, bt_arena *arena,
                                  bt_requirements *out, bauta_error *error)
{
    bt_requirement_instance *items = bt_arena_array(arena, from->count, sizeof *items);
    if (!items) return bt_fail_memory(error);
    if (from->count > 0) memcpy(items, from->items, from->count * sizeof *items);
    *out = *from;
    out->items = items;
    return BAUTA_OK;
}

bauta_status bt_requirements_ask(const char *text, bt_arena *arena, bt_requirements *out,
                                 bauta_error *error)
{
    BT_TRY(bt_requirements_parse(text, arena, out, error));
    for (size_t i = 0; i < out->count; i++) {
        const bt_requirement_instance *item = &out->items[i];
        if (item->given < 2 || item->values[item->given - 1].text[0] != '\0') continue;
        bauta_status status = bt_fail(error, BAUTA_INVALID,
                                      "nothing follows the ':' of requirement '%s'", item->text);
        bt_error_hint(error, "leave the ':' out for all values, or write '%s|' for the missing one",
                      item->text);
        return status;
    }
    return BAUTA_OK;
}

/* ---- what was left open ------------------------------------------------------------------ */

/* "t=0.2" with its last parameter; `column`: for this one alone. */
static bauta_status spell_usual(const bt_requirement_instance *item, const char *usual,
                                const char *column, bt_arena *arena, bt_requirement_instance *out,
                                bauta_error *error)
{
    bt_buffer text = {0};
    bauta_status status = bt_buffer_print(&text, error, "%s", item->type->name);
    if (column && status == BAUTA_OK) status = bt_buffer_add(&text, "(", 1, error);
    for (const char *at = column; at && *at && status == BAUTA_OK; at++) {
        if (*at == '\\') status = bt_buffer_add(&text, "\\", 1, error);
        if (status == BAUTA_OK) status = bt_buffer_add(&text, at, 1, error);
    }
    if (column && status == BAUTA_OK) status = bt_buffer_add(&text, ")", 1, error);
    if (status == BAUTA_OK)
        status = bt_buffer_print(&text, error, "=%s:%s", item->values[0].text, usual);
    char *copy = status == BAUTA_OK ? bt_arena_copy(arena, text.bytes, text.length) : NULL;
    bt_buffer_release(&text);
    if (status != BAUTA_OK) return status;
    return copy ? parse_one(copy, arena, out, error) : bt_fail_memory(error);
}

static bool is_open(const bt_requirement_instance *item)
{
    return item->type->usual && item->given < item->type->param_count;
}

static bool is_for(const bt_requirement_instance *item, const bt_column *column)
{
    return column->role == BT_ROLE_SENSITIVE &&
           (!item->column || strcmp(item->column, column->name) == 0);
}

/* Adds what an open requirement asks of each column, as one where it is the same of all. */
static bauta_status settle_one(const bt_requirement_instance *item, const bt_table *table,
                               bt_arena *arena, bt_requirements *to, bauta_error *error)
{
    const char *first = NULL;
    bool differ = false;
    for (size_t c = 0; c < table->count; c++) {
        if (!is_for(item, &table->columns[c])) continue;
        const char *usual = item->type->usual(table->columns[c].domain.reading.type);
        differ = differ || (first && strcmp(first, usual) != 0);
        if (!first) first = usual;
    }
    if (!first) { /* binding says that there is no such column */
        to->items[to->count++] = *item;
        return BAUTA_OK;
    }
    if (!differ)
        return spell_usual(item, first, item->column, arena, &to->items[to->count++], error);
    for (size_t c = 0; c < table->count; c++) {
        const bt_column *column = &table->columns[c];
        if (!is_for(item, column)) continue;
        BT_TRY(spell_usual(item, item->type->usual(column->domain.reading.type), column->name,
                           arena, &to->items[to->count++], error));
    }
    return BAUTA_OK;
}

bauta_status bt_requirements_settle(bt_requirements *requirements, const bt_table *table,
                                    bt_arena *arena, bauta_error *error)
{
    const bt_requirements before = *requirements;
    size_t room = before.count * (table->count > 0 ? table->count : 1);
    requirements->count = 0;
    requirements->items = bt_arena_array(arena, room, sizeof *requirements->items);
    if (!requirements->items) return bt_fail_memory(error);
    for (size_t i = 0; i < before.count; i++)
        if (is_open(&before.items[i]))
            BT_TRY(settle_one(&before.items[i], table, arena, requirements, error));
        else
            requirements->items[requirements->count++] = before.items[i];
    for (size_t i = 0; i < requirements->count; i++)
        for (size_t k = 0; k < i; k++)
            if (same_target(&requirements->items[k], &requirements->items[i])) {
                bauta_status status =
                    bt_fail(error, BAUTA_INVALID,
                            "'%s' is asked of '%s' twice: once of every column, and by itself",
                            requirements->items[i].type->name, requirements->items[i].column);
                bt_error_hint(error, "ask it of each column by name");
                return status;
            }
    return BAUTA_OK;
}

bauta_status bt_requirements_demanding(const bt_requirements *requirements, bauta_error *error)
{
    for (size_t i = 0; i < requirements->count; i++)
        if (!requirements->items[i].type->asks_nothing(&requirements->items[i])) return BAUTA_OK;
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "%s'%s' %s for nothing: any class satisfies %s",
                requirements->count > 1 ? "all requirements, " : "", requirements->items[0].text,
                requirements->count > 1 ? "among them, ask" : "asks",
                requirements->count > 1 ? "them" : "it");
    bt_error_hint(error, "say for example --require k=5, and l=2 or alpha=0.5 where there are "
                         "sensitive values");
    return status;
}

const bt_requirement_instance *bt_requirements_public(const bt_requirements *requirements)
{
    for (size_t i = 0; i < requirements->count; i++)
        if (requirements->items[i].type->most_records) return &requirements->items[i];
    return NULL;
}

bauta_status bt_requirements_of_records(const bt_requirements *requirements, bt_arena *arena,
                                        bt_requirements *out, bauta_error *error)
{
    const bt_requirements all = *requirements;
    *out = all;
    out->count = 0;
    out->size_only = true;
    out->items = bt_arena_array(arena, all.count, sizeof *out->items);
    if (!out->items) return bt_fail_memory(error);
    for (size_t i = 0; i < all.count; i++) {
        if (all.items[i].type->most_records) continue;
        out->items[out->count++] = all.items[i];
        out->size_only = out->size_only && all.items[i].type->size_only;
    }
    return BAUTA_OK;
}

void bt_ceiling_lower(bt_ceiling *ceiling, double share)
{
    for (uint32_t v = 0; v < ceiling->values; v++)
        if (ceiling->share[v] > share) ceiling->share[v] = share;
    ceiling->any = true;
}

/* ---- binding ----------------------------------------------------------------------------- */

static bauta_status not_sensitive(const bt_requirement_instance *item, const bt_people *people,
                                  bauta_error *error)
{
    bauta_status status =
        item->column
            ? bt_fail(error, BAUTA_INVALID, "requirement '%s': '%s' is not a sensitive column",
                      item->text, item->column)
            : bt_fail(error, BAUTA_INVALID, "requirement '%s' needs a sensitive column",
                      item->text);
    if (people->columns == 0) bt_error_hint(error, "name one with --sensitive");
    return status;
}

static bauta_status prepare_column(bt_requirement_instance *item, const bt_people *people,
                                   size_t column, bt_arena *arena, bauta_error *error)
{
    const bt_sensitive *sensitive = &people->sensitive[column];
    if (item->type->needs_categories && !sensitive->categories) {
        bauta_status status =
            bt_fail(error, BAUTA_INVALID,
                    "requirement '%s' needs categories of the sensitive values", item->text);
        bt_error_place(error, NULL, -1, sensitive->name);
        bt_error_hint(error, "give them with --categories COL=FILE or in the recipe");
        return status;
    }
    if (!item->type->prepare) return BAUTA_OK;
    bauta_status status =
        item->type->prepare(item, sensitive, arena, &item->prepared[column], error);
    if (status != BAUTA_OK && error && !error->column[0])
        bt_error_place(error, NULL, -1, sensitive->name);
    return status;
}

static bauta_status bind_one(bt_requirement_instance *item, const bt_people *people,
                             bt_arena *arena, bauta_error *error)
{
    size_t bound = 0;
    if (item->type->scope > BT_SCOPE_RELEASE)
        return bt_fail(error, BAUTA_INVALID, "'%s' cannot be asked of classes", item->text);
    item->prepared = bt_arena_array(arena, people->columns, sizeof *item->prepared);
    item->applies = bt_arena_array(arena, people->columns, sizeof *item->applies);
    if (!item->prepared || !item->applies) return bt_fail_memory(error);
    if (!bt_is_about_values(item->type)) return BAUTA_OK;
    for (size_t c = 0; c < people->columns; c++) {
        const bt_sensitive *sensitive = &people->sensitive[c];
        item->applies[c] = (!item->column || strcmp(item->column, sensitive->name) == 0) &&
                           (!sensitive->only_categories || item->type->needs_categories);
        if (!item->applies[c]) continue;
        bound++;
        BT_TRY(prepare_column(item, people, c, arena, error));
    }
    return bound ? BAUTA_OK : not_sensitive(item, people, error);
}

/* Classes that share a person do not add up when they are merged: a person may have a value in the
 * one and not in the other. Only what any records may join is safe then. And a person who joins
 * may bring a value of one column that nobody in the class had, with too little beside it in
 * another. */
static void set_flags(bt_requirements *requirements, const bt_people *people)
{
    bool merging = true, growing = true;
    for (size_t i = 0; i < requirements->count; i++) {
        merging = merging && requirements->items[i].type->monotone_merging;
        growing = growing && requirements->items[i].type->monotone_growing;
    }
    bool shared = people->subject_of && !people->together;
    bool joint = requirements->joint && people->columns > 1 && !requirements->size_only;
    requirements->monotone_merging = shared ? merging && growing : merging;
    requirements->monotone_growing = growing && !joint;
}

bauta_status bt_requirements_bind(bt_requirements *requirements, const bt_people *people,
                                  bt_arena *arena, bauta_error *error)
{
    requirements->people = people;
    set_flags(requirements, people);
    for (size_t i = 0; i < requirements->count; i++)
        BT_TRY(bind_one(&requirements->items[i], people, arena, error));
    return BAUTA_OK;
}

/* ---- judging ----------------------------------------------------------------------------- */

/* One value of another sensitive column being known must not break the requirement either: whether
 * it holds in what each value of each other column selects. *known: the column where not. */
static bool check_known(const bt_requirement_instance *item, bt_tally *tally, size_t columns,
                        size_t column, bt_bag *bad, size_t *known)
{
    for (size_t other = 0; other < columns; other++) {
        if (other == column) continue;
        bt_bag values = bt_tally_bag(tally, other);
        for (uint32_t i = 0; i < values.distinct; i++) {
            *bad = bt_tally_known(tally, other, values.codes[i], column);
            if (item->type->check(item, item->prepared[column], bad)) continue;
            *known = other;
            return false;
        }
    }
    return true;
}

static bool is_joint(const bt_requirements *requirements)
{
    return requirements->joint && requirements->people->columns > 1;
}

static bool check_bag(const bt_requirement_instance *item, const bt_tally *tally, size_t column,
                      bt_bag *bag)
{
    *bag = bt_tally_bag(tally, column);
    return item->type->check(item, item->prepared[column], bag);
}

/* Whole columns first: that is cheaper. */
static bool check_one(const bt_requirements *requirements, const bt_requirement_instance *item,
                      bt_tally *tally)
{
    size_t columns = requirements->people->columns, known;
    bt_bag bag;
    if (!bt_is_about_values(item->type)) {
        bag = bt_tally_numbers(tally);
        return item->type->check(item, NULL, &bag);
    }
    if (requirements->people->joined && bt_tally_size(tally) == 0) return false; /* no values */
    for (size_t c = 0; c < columns; c++)
        if (item->applies[c] && !check_bag(item, tally, c, &bag)) return false;
    for (size_t c = 0; c < columns && is_joint(requirements); c++)
        if (item->applies[c] && !check_known(item, tally, columns, c, &bag, &known)) return false;
    return true;
}

bool bt_requirements_check(const bt_requirements *requirements, bt_tally *tally,
                           const bt_requirement_instance **failed)
{
    for (size_t i = 0; i < requirements->count; i++) {
        if (failed) *failed = &requirements->items[i];
        if (!check_one(requirements, &requirements->items[i], tally)) return false;
    }
    if (failed) *failed = NULL;
    return true;
}

bool bt_requirements_have_slack(const bt_requirements *requirements)
{
    return !is_joint(requirements) && !bt_people_by_row(requirements->people);
}

int64_t bt_requirements_slack(const bt_requirements *requirements, bt_tally *tally)
{
    const bt_people *people = requirements->people;
    int64_t least = INT64_MAX;
    if (!bt_requirements_check(requirements, tally, NULL)) return -1;
    for (size_t i = 0; i < requirements->count; i++) {
        const bt_requirement_instance *item = &requirements->items[i];
        if (!bt_is_about_values(item->type)) continue;
        if (!bt_requirements_have_slack(requirements) || !item->type->slack) return 0;
        for (size_t c = 0; c < people->columns; c++) {
            if (!item->applies[c]) continue;
            bt_bag bag = bt_tally_bag(tally, c);
            int64_t slack = item->type->slack(item, item->prepared[c], &bag);
            if (slack < least) least = slack;
        }
    }
    return least;
}

/* Whether a bag that fails shows that no part of it satisfies. */
static bool is_hopeless(const bt_requirement_instance *item, size_t column, const bt_bag *bag)
{
    const bt_requirement *type = item->type;
    const void *prepared = bt_is_about_values(type) ? item->prepared[column] : NULL;
    if (type->monotone_growing) return !type->check(item, prepared, bag);
    return type->hopeless && type->hopeless(item, prepared, bag);
}

bt_outlook bt_requirements_outlook(const bt_requirements *requirements, bt_tally *tally)
{
    size_t columns = requirements->people->columns;
    if (bt_requirements_check(requirements, tally, NULL)) return BT_OUTLOOK_GOOD;
    for (size_t i = 0; i < requirements->count; i++) {
        const bt_requirement_instance *item = &requirements->items[i];
        bt_bag bag = bt_tally_numbers(tally);
        bool plain = !bt_is_about_values(item->type);
        if (plain && is_hopeless(item, 0, &bag)) return BT_OUTLOOK_HOPELESS;
        for (size_t c = 0; c < columns && !plain; c++) {
            if (!item->applies[c]) continue;
            bag = bt_tally_bag(tally, c);
            if (is_hopeless(item, c, &bag)) return BT_OUTLOOK_HOPELESS;
        }
    }
    return BT_OUTLOOK_BAD;
}

bt_outlook bt_requirements_outlook_of(const bt_requirements *requirements, const bt_bag *bag)
{
    bt_outlook outlook = BT_OUTLOOK_GOOD;
    for (size_t i = 0; i < requirements->count; i++) {
        const bt_requirement_instance *item = &requirements->items[i];
        bool plain = !bt_is_about_values(item->type);
        if (!plain && !item->applies[bag->column]) continue;
        if (item->type->check(item, plain ? NULL : item->prepared[bag->column], bag)) continue;
        if (is_hopeless(item, bag->column, bag)) return BT_OUTLOOK_HOPELESS;
        outlook = BT_OUTLOOK_BAD;
    }
    return outlook;
}

int64_t bt_requirements_least_size(const bt_requirements *requirements)
{
    int64_t least = 1;
    for (size_t i = 0; i < requirements->count; i++) {
        const bt_requirement_instance *item = &requirements->items[i];
        if (!item->type->size_only) continue;
        int64_t fails = least - 1, holds = least;
        while (!item->type->check(item, NULL, &(bt_bag){.size = holds}) && holds < INT64_MAX / 2) {
            fails = holds;
            holds *= 2;
        }
        while (holds - fails > 1) {
            int64_t middle = fails + (holds - fails) / 2;
            if (item->type->check(item, NULL, &(bt_bag){.size = middle}))
                holds = middle;
            else
                fails = middle;
        }
        least = holds;
    }
    return least;
}

/* ---- the whole table --------------------------------------------------------------------- */

/* The figure of one requirement in one column of the whole table. */
static bauta_status put_figure(const bt_requirements *requirements,
                               const bt_requirement_instance *item, bt_tally *tally, size_t column,
                               bt_arena *arena, bt_figure *out, bauta_error *error)
{
    const bt_people *people = requirements->people;
    const void *prepared = NULL;
    bauta_error said = {0};
    bt_bag bag = {.size = people->persons, .of_subjects = bt_people_by_row(people)}, part;
    if (tally) bag = bt_tally_numbers(tally);
    size_t known;
    *out = (bt_figure){.item = item};
    if (!bt_is_about_values(item->type)) {
        out->holds = item->type->check(item, NULL, &bag);
    } else {
        prepared = item->prepared[column];
        out->column = people->sensitive[column].name;
        out->holds = check_bag(item, tally, column, &bag);
        if (out->holds && is_joint(requirements) &&
            !check_known(item, tally, people->columns, column, &part, &known)) {
            out->holds = false;
            out->known = people->sensitive[known].name;
            bag = part;
        }
    }
    item->type->explain(item, prepared, &bag, &said);
    out->text = bt_arena_copy(arena, said.hint, strlen(said.hint));
    return out->text ? BAUTA_OK : bt_fail_memory(error);
}

static bauta_status put_figures(const bt_requirements *requirements, bt_tally *tally,
                                bt_arena *arena, bt_figure *out, size_t *count, bauta_error *error)
{
    for (size_t i = 0; i < requirements->count; i++) {
        const bt_requirement_instance *item = &requirements->items[i];
        bool plain = !bt_is_about_values(item->type);
        size_t columns = plain ? 1 : requirements->people->columns;
        for (size_t c = 0; c < columns; c++)
            if (plain || item->applies[c])
                BT_TRY(put_figure(requirements, item, tally, c, arena, &out[(*count)++], error));
    }
    return BAUTA_OK;
}

bauta_status bt_requirements_figures(const bt_requirements *requirements, bt_arena *arena,
                                     bt_figure **out, size_t *count, bauta_error *error)
{
    const bt_people *people = requirements->people;
    bt_tally *tally = NULL;
    size_t room;
    *count = 0;
    *out = bt_size_mul(requirements->count, people->columns + 1, &room)
               ? bt_arena_array(arena, room, sizeof **out)
               : NULL;
    if (!*out) return bt_fail_memory(error);
    bauta_status status = BAUTA_OK;
    if (people->profile_of) status = bt_tally_new(people, &tally, error);
    for (int64_t row = 0; tally && row < people->rows && status == BAUTA_OK; row++)
        status = bt_tally_add_row(tally, (uint32_t)row, error);
    if (status == BAUTA_OK) status = put_figures(requirements, tally, arena, *out, count, error);
    bt_tally_free(tally);
    return status;
}

static bauta_status refuse(const bt_figure *figure, bauta_error *error)
{
    bauta_status status =
        figure->known
            ? bt_fail(error, BAUTA_NO,
                      "the whole table as one class does not satisfy '%s' among those who share a "
                      "value of '%s'",
                      figure->item->text, figure->known)
            : bt_fail(error, BAUTA_NO, "the whole table as one class does not satisfy '%s'",
                      figure->item->text);
    if (figure->column) bt_error_place(error, NULL, -1, figure->column);
    if (figure->known)
        bt_error_hint(error,
                      "%s; 'joint: none' does not ask for that: whoever knows the '%s' of a person "
                      "may then learn more of '%s' than is required, and classes can be smaller",
                      figure->text, figure->known, figure->column);
    else
        bt_error_hint(error, "%s", figure->text);
    return status;
}

bauta_status bt_requirements_feasible(const bt_requirements *requirements, bauta_error *error)
{
    bt_arena arena = {0};
    bt_figure *figures;
    size_t count;
    bauta_status status = bt_requirements_figures(requirements, &arena, &figures, &count, error);
    for (size_t i = 0; i < count && status == BAUTA_OK; i++)
        if (!figures[i].holds) status = refuse(&figures[i], error);
    bt_arena_release(&arena);
    return status;
}

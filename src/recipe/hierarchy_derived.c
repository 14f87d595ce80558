/* SPDX-License-Identifier: Apache-2.0
 *
 * Derived trees: made from the values of the data by a scheme.
 *
 *   intervals:W1,W2   numbers and dates: intervals of these widths, aligned at multiples
 *   mask              text and integers: level i hides the last i characters
 *   balanced:N        N-ary tree over the sorted values, equal numbers of values per part
 *   date              dates: month, year, decade
 *   flat              the value or *
 *
 * All but `balanced` walk over the sorted leaves and open new nodes at the levels where a leaf
 * differs from the one before, so that they cost one step per node.
 */
#include "base/text.h"
#include "recipe/tree.h"

#include <string.h>

/* ---- walking over the leaves ---- */

typedef struct walk {
    const bt_hierarchy_job *job;
    bt_tree tree;
    uint32_t *old_of_leaf; /* leaf number -> code of the old domain */
    uint32_t present;
    uint32_t path[BT_LEVELS_MOST]; /* open node per level; path[top] is the root */
} walk;

/* Leaves in the order of the domain until a scheme sorts them. */
static bauta_status walk_init(walk *w, const bt_hierarchy_job *job, bauta_error *error)
{
    *w = (walk){.job = job, .present = bt_domain_present(job->domain)};
    w->old_of_leaf = bt_array(job->domain->size, sizeof *w->old_of_leaf);
    if (!w->old_of_leaf) return bt_fail_memory(error);
    for (uint32_t i = 0; i < job->domain->size; i++)
        w->old_of_leaf[i] = i;
    return bt_tree_init(&w->tree, job->arena, job->column, NULL, error);
}

static const char *leaf_text(const walk *w, uint32_t leaf)
{
    return w->job->domain->text[w->old_of_leaf[leaf]];
}

/* Opens the node of `level` under the open node of `above`. */
static bauta_status walk_open(walk *w, uint32_t level, uint32_t above, const char *label,
                              bauta_error *error)
{
    if (!label) return bt_fail_memory(error);
    return bt_tree_add(&w->tree, w->path[above], level, label, &w->path[level], error);
}

static bauta_status walk_leaf(walk *w, uint32_t above, bauta_error *error)
{
    return bt_tree_leaf(&w->tree, w->path[above], leaf_text(w, w->tree.leaves), error);
}

static bauta_status walk_finish(walk *w, const char *spec, bauta_error *error)
{
    const bt_hierarchy_job *job = w->job;
    if (job->domain->has_missing) BT_TRY(bt_tree_leaf(&w->tree, 0, "", error));
    spec = bt_arena_copy(job->arena, spec, strlen(spec));
    BT_OWN(bt_free) uint32_t *code_of_leaf = bt_array(w->tree.leaves, sizeof *code_of_leaf);
    if (!spec || !code_of_leaf) return bt_fail_memory(error);
    BT_TRY(bt_tree_lay_out(&w->tree, NULL, spec, false, code_of_leaf, job->out, error));
    return bt_hierarchy_reorder(job, w->old_of_leaf, code_of_leaf, error);
}

static bauta_status wrong_column(const walk *w, const char *scheme, const char *takes,
                                 bauta_error *error)
{
    const bt_domain *domain = w->job->domain;
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "the hierarchy '%s' is for %s, but column '%s' is of type %s",
                scheme, takes, w->job->column, bt_type_name(domain->reading.type));
    bt_error_place(error, NULL, -1, w->job->column);
    return status;
}

static bauta_status wrong_argument(const walk *w, const char *what, const char *hint,
                                   bauta_error *error)
{
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "%s of the hierarchy of column '%s'", what, w->job->column);
    bt_error_place(error, NULL, -1, w->job->column);
    bt_error_hint(error, "%s", hint);
    return status;
}

/* ---- flat ---- */

static bauta_status grow_flat(walk *w, const char *argument, bauta_error *error)
{
    (void)argument;
    for (uint32_t leaf = 0; leaf < w->present; leaf++)
        BT_TRY(walk_leaf(w, 0, error));
    return BAUTA_OK;
}

/* ---- date ---- */

/* Canonical dates are YYYY-MM-DD: a node is the first bytes of its dates. */
static bauta_status grow_date(walk *w, const char *argument, bauta_error *error)
{
    (void)argument;
    enum { TOP = 4 };
    static const size_t bytes[TOP] = {10, 7, 4, 3};
    if (w->job->domain->reading.type != BT_DATE) return wrong_column(w, "date", "dates", error);
    const char *before = "";
    for (uint32_t leaf = 0; leaf < w->present; leaf++) {
        const char *text = leaf_text(w, leaf);
        for (uint32_t level = TOP; level-- > 1;) {
            if (strncmp(before, text, bytes[level]) == 0) continue;
            const char *label = bt_arena_print(w->job->arena, level == 3 ? "%.*s0s" : "%.*s",
                                               (int)bytes[level], text);
            BT_TRY(walk_open(w, level, level + 1, label, error));
        }
        BT_TRY(walk_leaf(w, 1, error));
        before = text;
    }
    return BAUTA_OK;
}

/* ---- mask ---- */

typedef struct masked {
    const char *text;
    uint32_t characters, old;
} masked;

/* By length, then by bytes: values that share a masked form stand together. */
static int compare_masked(const void *left, const void *right)
{
    const masked *a = left, *b = right;
    if (a->characters != b->characters) return a->characters < b->characters ? -1 : 1;
    return strcmp(a->text, b->text);
}

static bool starts_character(char c)
{
    return ((unsigned char)c & 0xC0) != 0x80;
}

/* Bytes of the first `characters` characters. */
static size_t prefix_bytes(const char *text, uint32_t characters)
{
    const char *p = text;
    for (; *p; p++)
        if (starts_character(*p) && characters-- == 0) break;
    return (size_t)(p - text);
}

static uint32_t shared_characters(const char *a, const char *b)
{
    size_t i = 0;
    uint32_t characters = 0;
    for (; a[i] && a[i] == b[i]; i++)
        characters += starts_character(a[i]);
    /* A character inside which the texts part is not shared. */
    if (characters > 0 && (!starts_character(a[i]) || !starts_character(b[i]))) characters--;
    return characters;
}

static const char *mask_label(walk *w, const char *text, uint32_t shown, uint32_t hidden)
{
    size_t bytes = prefix_bytes(text, shown);
    char *label = bt_arena_alloc(w->job->arena, bytes + hidden + 1);
    if (!label) return NULL;
    memcpy(label, text, bytes);
    memset(label + bytes, '*', hidden);
    label[bytes + hidden] = '\0';
    return label;
}

static bauta_status grow_masked(walk *w, masked *items, bauta_error *error)
{
    uint32_t before = 0; /* characters of the value before */
    for (uint32_t leaf = 0; leaf < w->present; leaf++) {
        const masked *item = &items[leaf];
        uint32_t length = item->characters, shared = 0;
        if (length >= BT_LEVELS_MOST)
            return wrong_argument(w, "values are too long for 'mask'",
                                  "'mask' is for short codes, such as postcodes", error);
        if (length == before) shared = shared_characters(item->text, items[leaf - 1].text);
        w->old_of_leaf[leaf] = item->old;
        w->path[length] = 0;
        for (uint32_t hidden = length - shared; hidden-- > 1;)
            BT_TRY(walk_open(w, hidden, hidden + 1,
                             mask_label(w, item->text, length - hidden, hidden), error));
        BT_TRY(walk_leaf(w, 1, error));
        before = length;
    }
    return BAUTA_OK;
}

static bauta_status grow_mask(walk *w, const char *argument, bauta_error *error)
{
    (void)argument;
    bt_type type = w->job->domain->reading.type;
    if (type != BT_TEXT && type != BT_INTEGER)
        return wrong_column(w, "mask", "text and integers", error);
    BT_OWN(bt_free) masked *items = bt_array(w->present, sizeof *items);
    if (!items) return bt_fail_memory(error);
    for (uint32_t leaf = 0; leaf < w->present; leaf++) {
        items[leaf] = (masked){.text = leaf_text(w, leaf), .old = leaf};
        for (const char *p = items[leaf].text; *p; p++)
            items[leaf].characters += starts_character(*p) || p == items[leaf].text;
    }
    qsort(items, w->present, sizeof *items, compare_masked);
    return grow_masked(w, items, error);
}

/* ---- balanced ---- */

static int compare_texts(const void *left, const void *right)
{
    return strcmp(((const masked *)left)->text, ((const masked *)right)->text);
}

/* Text is sorted by bytes here: a label names the first and the last value of a part, which
 * says nothing when the order is by frequency. */
static bauta_status sort_texts(walk *w, bauta_error *error)
{
    if (w->job->domain->reading.type != BT_TEXT) return BAUTA_OK;
    BT_OWN(bt_free) masked *items = bt_array(w->present, sizeof *items);
    if (!items) return bt_fail_memory(error);
    for (uint32_t leaf = 0; leaf < w->present; leaf++)
        items[leaf] = (masked){.text = leaf_text(w, leaf), .old = leaf};
    qsort(items, w->present, sizeof *items, compare_texts);
    for (uint32_t leaf = 0; leaf < w->present; leaf++)
        w->old_of_leaf[leaf] = items[leaf].old;
    return BAUTA_OK;
}

static const char *range_label(walk *w, uint32_t lo, uint32_t hi)
{
    return bt_range_label(leaf_text(w, lo), leaf_text(w, hi - 1), w->job->arena);
}

/* A part that is still to be split; level is that of its node. */
typedef struct part {
    uint32_t lo, hi, node, level;
} part;

/* Parts wait in a queue: breadth-first, so that parents come before children. */
static bauta_status split_parts(walk *w, part *queue, uint32_t ways, bauta_error *error)
{
    uint32_t head = 0, tail = 1;
    while (head < tail) {
        part whole = queue[head++];
        uint32_t size = whole.hi - whole.lo, lo = whole.lo;
        for (uint32_t i = 0; i < ways && lo < whole.hi; i++) {
            part child = {lo, lo + size / ways + (i < size % ways), 0, whole.level - 1};
            lo = child.hi;
            if (child.hi - child.lo == 1) child.level = 0;
            const char *label =
                child.level == 0 ? leaf_text(w, child.lo) : range_label(w, child.lo, child.hi);
            if (!label) return bt_fail_memory(error);
            BT_TRY(bt_tree_add(&w->tree, whole.node, child.level, label, &child.node, error));
            if (child.level == 0)
                w->tree.nodes[child.node].leaf = child.lo;
            else
                queue[tail++] = child;
        }
    }
    w->tree.leaves = w->present;
    return BAUTA_OK;
}

static bauta_status grow_balanced(walk *w, const char *argument, bauta_error *error)
{
    int64_t ways;
    if (!bt_text_integer(argument, &ways) || ways < 2 || ways > 1000000)
        return wrong_argument(w, "'balanced' takes a number from 2 to 1000000",
                              "write it as 'balanced:2'", error);
    BT_TRY(sort_texts(w, error));
    if (w->present == 0) return BAUTA_OK;
    uint32_t height = 1;
    for (uint64_t reach = (uint64_t)ways; reach < w->present; reach *= (uint64_t)ways)
        height++;
    BT_OWN(bt_free) part *queue = bt_array(w->present, sizeof *queue);
    if (!queue) return bt_fail_memory(error);
    queue[0] = (part){0, w->present, 0, height};
    return split_parts(w, queue, (uint32_t)ways, error);
}

/* ---- intervals ---- */

typedef struct widths {
    int64_t width[BT_LEVELS_MOST]; /* of levels 1..count, at `scale` */
    uint32_t count;
    int scale;
    int64_t factor; /* from the domain's scale to this one */
} widths;

static bauta_status check_width(walk *w, const widths *all, bool read, bauta_error *error)
{
    const int64_t *width = all->width;
    uint32_t level = all->count;
    const char *hint = "write them ascending, as in 'intervals:5,10,20'";
    if (!read || width[level] <= 0)
        return wrong_argument(w, "a width is not a number above zero that the column can hold",
                              hint, error);
    if (level == 1 || (width[level] > width[level - 1] && width[level] % width[level - 1] == 0))
        return BAUTA_OK;
    return wrong_argument(w, "a width is not a multiple of the one before", hint, error);
}

/* Decimal columns take decimal widths, at the scale that the values and all widths need. */
static bauta_status read_widths(walk *w, const char *argument, widths *all, bauta_error *error)
{
    const bt_domain *domain = w->job->domain;
    const bt_reading reading = {.type =
                                    domain->reading.type == BT_DECIMAL ? BT_DECIMAL : BT_INTEGER};
    char **parts;
    size_t count;
    BT_TRY(bt_text_split(w->job->arena, argument, ',', &parts, &count, error));
    if (count == 0 || count > BT_LEVELS_MOST - 2)
        return wrong_argument(w, "'intervals' takes from 1 to 998 widths",
                              "write it as 'intervals:5,10,20'", error);
    all->scale = domain->scale;
    for (size_t i = 0; reading.type == BT_DECIMAL && i < count; i++) {
        int own = bt_value_scale(parts[i], strlen(parts[i]), false);
        if (own > all->scale) all->scale = own;
    }
    for (size_t i = 0; i < count; i++) {
        all->count++;
        bool read = bt_value_number(&reading, parts[i], strlen(parts[i]), all->scale,
                                    &all->width[all->count]);
        BT_TRY(check_width(w, all, read, error));
    }
    all->factor = 1;
    for (int scale = domain->scale; scale < all->scale; scale++)
        all->factor *= 10;
    return BAUTA_OK;
}

static int64_t floor_divide(int64_t number, int64_t width)
{
    return number / width - (number % width < 0);
}

/* "20-24" for whole numbers from 0 on, "[-5,0)" for others, both ends included for dates. */
static const char *interval_label(walk *w, const widths *all, int64_t lo, int64_t width)
{
    bt_type type = w->job->domain->reading.type;
    char low[BT_NUMBER_TEXT], high[BT_NUMBER_TEXT];
    bool half_open = type == BT_DECIMAL || lo < 0;
    const char *format = half_open ? "[%.*s,%.*s)" : "%.*s-%.*s";
    int64_t hi = lo + width - !half_open;
    if (type == BT_DATE) {
        format = "%.*s..%.*s";
        hi = lo + width - 1 > BT_LAST_DAY ? BT_LAST_DAY : lo + width - 1;
        lo = lo < BT_FIRST_DAY ? BT_FIRST_DAY : lo;
    }
    int a = (int)bt_number_print(type, all->scale, lo, low);
    int b = (int)bt_number_print(type, all->scale, hi, high);
    return bt_arena_print(w->job->arena, format, a, low, b, high);
}

static bauta_status open_interval(walk *w, const widths *all, int64_t number, int64_t *last,
                                  uint32_t level, bool first, bauta_error *error)
{
    int64_t width = all->width[level], now = floor_divide(number, width), lo, end;
    if (now == *last && !first) return BAUTA_OK;
    *last = now;
    if (__builtin_mul_overflow(now, width, &lo) || __builtin_add_overflow(lo, width, &end))
        return wrong_argument(w, "a width is too large for the values",
                              "numbers have 18 digits at most", error);
    return walk_open(w, level, level + 1, interval_label(w, all, lo, width), error);
}

static bauta_status grow_widths(walk *w, const widths *all, bauta_error *error)
{
    int64_t last[BT_LEVELS_MOST] = {0}, number;
    for (uint32_t leaf = 0; leaf < w->present; leaf++) {
        if (__builtin_mul_overflow(w->job->domain->number[leaf], all->factor, &number))
            return wrong_argument(w, "a width is too fine for the values",
                                  "numbers have 18 digits at most", error);
        for (uint32_t level = all->count; level >= 1; level--)
            BT_TRY(open_interval(w, all, number, &last[level], level, leaf == 0, error));
        BT_TRY(walk_leaf(w, 1, error));
    }
    return BAUTA_OK;
}

static bauta_status grow_intervals(walk *w, const char *argument, bauta_error *error)
{
    if (w->job->domain->reading.type == BT_TEXT)
        return wrong_column(w, "intervals", "numbers and dates", error);
    BT_OWN(bt_free) widths *all = bt_array_zero(1, sizeof *all);
    if (!all) return bt_fail_memory(error);
    BT_TRY(read_widths(w, argument, all, error));
    return grow_widths(w, all, error);
}

/* ---- schemes ---- */

typedef struct scheme {
    const char *name; /* with a colon when it takes an argument */
    bauta_status (*grow)(walk *w, const char *argument, bauta_error *error);
} scheme;

static const scheme schemes[] = {
    {"intervals:", grow_intervals},
    {"mask", grow_mask},
    {"balanced:", grow_balanced},
    {"date", grow_date},
    {"flat", grow_flat},
};

static const scheme *find_scheme(const char *spec)
{
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        size_t length = strlen(schemes[i].name);
        bool argument = schemes[i].name[length - 1] == ':';
        if (argument ? strncmp(spec, schemes[i].name, length) == 0
                     : strcmp(spec, schemes[i].name) == 0)
            return &schemes[i];
    }
    return NULL;
}

bool bt_hierarchy_is_derived(const char *spec)
{
    return find_scheme(spec) != NULL;
}

static void walk_release(walk *w)
{
    bt_tree_release(&w->tree);
    free(w->old_of_leaf);
}

bauta_status bt_hierarchy_derive(const bt_hierarchy_job *job, const char *spec, bool *known,
                                 bauta_error *error)
{
    const scheme *found = find_scheme(spec);
    *known = found != NULL;
    if (!found) return BAUTA_OK;
    BT_OWN(walk_release) walk w = {0};
    BT_TRY(walk_init(&w, job, error));
    BT_TRY(found->grow(&w, spec + strlen(found->name), error));
    return walk_finish(&w, spec, error);
}

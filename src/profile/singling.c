/* SPDX-License-Identifier: Apache-2.0
 *
 * The search goes level by level. A level holds, in lexicographic order, all sets of one size
 * that no smaller set makes superfluous, with a bound on the number of different tuples of each.
 * The next level joins sets that differ in the last column, as Apriori does (Agrawal and
 * Srikant 1994); sets that share all but the last column are counted over one partition.
 */
#include "profile/singling.h"

#include "profile/partition.h"

#include <string.h>

enum { MOST_SETS = 1 << 20 }; /* of one level */

typedef struct level {
    size_t size, count, capacity;
    uint32_t *members; /* size per set */
    int64_t *bound;    /* at most so many different tuples */
    int64_t *unique;   /* once counted */
    bool *counted;
} level;

typedef struct task { /* sets first..first+count-1 share all but the last column */
    size_t first, count;
} task;

typedef struct search {
    const bt_singling_column *columns;
    size_t count;
    int64_t rows, least; /* unique rows that a set must make */
    int64_t budget;
    const bt_run *run;
    bt_arena *arena;
    bt_singling *out;
    level now;
    task *tasks;
    size_t task_count;
    bt_partition *partitions; /* per worker */
} search;

static const uint32_t *members_of(const level *sets, size_t set)
{
    return sets->members + set * sets->size;
}

static void release_level(level *sets)
{
    free(sets->members);
    free(sets->bound);
    free(sets->unique);
    free(sets->counted);
    *sets = (level){0};
}

static bauta_status grow_level(level *sets, bauta_error *error)
{
    size_t capacity = sets->capacity;
    if (sets->count < capacity) return BAUTA_OK;
    BT_TRY(bt_array_grow(&sets->bound, &capacity, sets->count + 1, sizeof *sets->bound, error));
    size_t same = sets->capacity;
    BT_TRY(bt_array_grow(&sets->unique, &same, capacity, sizeof *sets->unique, error));
    same = sets->capacity;
    BT_TRY(bt_array_grow(&sets->counted, &same, capacity, sizeof *sets->counted, error));
    same = sets->capacity * sets->size;
    BT_TRY(
        bt_array_grow(&sets->members, &same, capacity * sets->size, sizeof *sets->members, error));
    sets->capacity = capacity;
    return BAUTA_OK;
}

static bauta_status add_set(level *sets, const uint32_t *members, int64_t bound, bauta_error *error)
{
    BT_TRY(grow_level(sets, error));
    memcpy(sets->members + sets->count * sets->size, members, sets->size * sizeof *members);
    sets->bound[sets->count] = bound;
    sets->unique[sets->count] = 0;
    sets->counted[sets->count] = false;
    sets->count++;
    return BAUTA_OK;
}

/* ---- joining ----------------------------------------------------------------------------- */

static int compare_members(const uint32_t *a, const uint32_t *b, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* The place of a set in a level, or SIZE_MAX. */
static size_t find_set(const level *sets, const uint32_t *members)
{
    size_t lo = 0, hi = sets->count;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        int order = compare_members(members_of(sets, middle), members, sets->size);
        if (order == 0) return middle;
        if (order < 0)
            lo = middle + 1;
        else
            hi = middle;
    }
    return SIZE_MAX;
}

/* The bound of the set `wider` of size + 1 from its parts; false: a part is not in the level, so
 * it holds a set that singles out. */
static bool bound_of(const search *s, const uint32_t *wider, uint32_t *part, int64_t *bound)
{
    const level *sets = &s->now;
    *bound = s->rows;
    for (size_t leave = 0; leave <= sets->size; leave++) {
        memcpy(part, wider, leave * sizeof *part);
        memcpy(part + leave, wider + leave + 1, (sets->size - leave) * sizeof *part);
        size_t place = find_set(sets, part);
        if (place == SIZE_MAX) return false;
        int64_t tuples;
        if (__builtin_mul_overflow(sets->bound[place], (int64_t)s->columns[wider[leave]].classes,
                                   &tuples))
            continue;
        if (tuples < *bound) *bound = tuples;
    }
    return true;
}

/* Sets of one column more; *full: there are too many. */
static bauta_status join_level(search *s, level *wider, bool *full, bauta_error *error)
{
    const level *sets = &s->now;
    size_t front = sets->size - 1;
    *wider = (level){.size = sets->size + 1};
    *full = false;
    BT_OWN(bt_free) uint32_t *both = bt_array(2 * (sets->size + 1), sizeof *both);
    if (!both) return bt_fail_memory(error);
    for (size_t i = 0; i < sets->count; i++) {
        const uint32_t *left = members_of(sets, i);
        for (size_t j = i + 1; j < sets->count; j++) {
            const uint32_t *right = members_of(sets, j);
            int64_t bound;
            if (compare_members(left, right, front) != 0) break;
            memcpy(both, left, sets->size * sizeof *both);
            both[sets->size] = right[front];
            if (!bound_of(s, both, both + sets->size + 1, &bound)) continue;
            *full = wider->count == MOST_SETS;
            if (*full) return BAUTA_OK;
            BT_TRY(add_set(wider, both, bound, error));
        }
    }
    return BAUTA_OK;
}

/* ---- counting ---------------------------------------------------------------------------- */

static bool can_single_out(const search *s, const level *sets, size_t set)
{
    return sets->bound[set] >= s->least;
}

/* Tasks over the sets that must be counted; false: they cost more than is left. */
static bauta_status plan_tasks(search *s, const level *sets, bool *affordable, bauta_error *error)
{
    size_t front = sets->size - 1;
    int64_t steps = 0, cost;
    free(s->tasks);
    s->task_count = 0;
    s->tasks = bt_array(sets->count, sizeof *s->tasks);
    if (!s->tasks) return bt_fail_memory(error);
    for (size_t i = 0, end; i < sets->count; i = end) {
        int64_t wanted = 0;
        for (end = i; end < sets->count &&
                      compare_members(members_of(sets, i), members_of(sets, end), front) == 0;
             end++)
            wanted += can_single_out(s, sets, end);
        if (wanted == 0) continue;
        s->tasks[s->task_count++] = (task){i, end - i};
        steps += 2 * (int64_t)front + wanted;
    }
    *affordable = !__builtin_mul_overflow(steps, s->rows, &cost) && cost <= s->budget;
    if (*affordable) s->budget -= cost;
    return BAUTA_OK;
}

typedef struct count_job {
    search *s;
    level *sets;
} count_job;

static bauta_status count_task(void *user, size_t number, unsigned worker, bauta_error *error)
{
    const count_job *job = user;
    const search *s = job->s;
    level *sets = job->sets;
    const task *at = &s->tasks[number];
    bt_partition *partition = &s->partitions[worker];
    const uint32_t *front = members_of(sets, at->first);
    BT_TRY(
        bt_run_progress(s->run, worker, "search", (int64_t)number, (int64_t)s->task_count, error));
    bt_partition_reset(partition);
    for (size_t i = 0; i + 1 < sets->size; i++)
        bt_partition_split(partition, &s->columns[front[i]].codes);
    for (size_t set = at->first; set < at->first + at->count; set++) {
        if (!can_single_out(s, sets, set)) continue;
        uint32_t last = members_of(sets, set)[sets->size - 1];
        bt_partition_count found = bt_partition_look(partition, &s->columns[last].codes);
        sets->counted[set] = true;
        sets->unique[set] = found.unique;
        if (found.classes < sets->bound[set]) sets->bound[set] = found.classes;
    }
    return BAUTA_OK;
}

/* `among`: the sets whose columns will be used. */
static uint32_t most_codes(const search *s, const level *among)
{
    uint32_t codes = 0;
    for (size_t i = 0; i < among->count * among->size; i++) {
        const bt_codes *column = &s->columns[among->members[i]].codes;
        if (column->count > codes) codes = column->count;
    }
    return codes;
}

static bauta_status make_partitions(search *s, bauta_error *error)
{
    if (s->partitions) return BAUTA_OK;
    unsigned workers = bt_pool_size(s->run->pool);
    uint32_t codes = most_codes(s, &s->now);
    s->partitions = bt_array_zero(workers, sizeof *s->partitions);
    if (!s->partitions) return bt_fail_memory(error);
    for (unsigned w = 0; w < workers; w++)
        BT_TRY(bt_partition_init(&s->partitions[w], s->rows, codes, error));
    return BAUTA_OK;
}

/* ---- results ----------------------------------------------------------------------------- */

static bauta_status keep_set(search *s, const uint32_t *members, size_t size, int64_t unique,
                             bauta_error *error)
{
    bt_singling *out = s->out;
    uint32_t *copy = bt_arena_array(s->arena, size, sizeof *copy);
    if (!copy) return bt_fail_memory(error);
    memcpy(copy, members, size * sizeof *copy);
    BT_TRY(bt_array_grow(&out->sets, &out->capacity, out->count + 1, sizeof *out->sets, error));
    out->sets[out->count++] = (bt_singling_set){size, copy, unique};
    return BAUTA_OK;
}

/* Sets that single out leave the level; the rest moves up. */
static bauta_status sift(search *s, level *sets, bauta_error *error)
{
    size_t kept = 0;
    for (size_t i = 0; i < sets->count; i++) {
        const uint32_t *members = members_of(sets, i);
        if (sets->counted[i] && sets->unique[i] >= s->least) {
            BT_TRY(keep_set(s, members, sets->size, sets->unique[i], error));
            continue;
        }
        memmove(sets->members + kept * sets->size, members, sets->size * sizeof *members);
        sets->bound[kept++] = sets->bound[i];
    }
    sets->count = kept;
    return BAUTA_OK;
}

static int compare_sets(const void *left, const void *right)
{
    const bt_singling_set *a = left, *b = right;
    if (a->size != b->size) return a->size < b->size ? -1 : 1;
    if (a->unique != b->unique) return a->unique > b->unique ? -1 : 1;
    return compare_members(a->columns, b->columns, a->size);
}

/* Whether all columns that are left would single out together; if not, no part of them does. */
static bauta_status all_single_out(const search *s, bool *out, bauta_error *error)
{
    BT_OWN(bt_partition_release) bt_partition partition = {0};
    BT_TRY(bt_partition_init(&partition, s->rows, most_codes(s, &s->now), error));
    for (size_t i = 0; i < s->now.count && partition.groups > 0; i++)
        bt_partition_split(&partition, &s->columns[s->now.members[i]].codes);
    *out = partition.unique >= s->least;
    return BAUTA_OK;
}

/* ---- the search -------------------------------------------------------------------------- */

static bauta_status first_level(search *s, bauta_error *error)
{
    s->now = (level){.size = 1};
    for (size_t i = 0; i < s->count; i++) {
        const uint32_t column = (uint32_t)i;
        BT_TRY(add_set(&s->now, &column, s->columns[i].classes, error));
        s->now.counted[i] = true;
        s->now.unique[i] = s->columns[i].unique;
    }
    BT_TRY(sift(s, &s->now, error));
    s->out->searched = 1;
    return BAUTA_OK;
}

/* Makes and counts the next level; *ended: there is none, or it is too large. */
static bauta_status next_level(search *s, bool *ended, bauta_error *error)
{
    BT_OWN(release_level) level wider = {0};
    bool full, affordable = false;
    BT_TRY(join_level(s, &wider, &full, error));
    if (!full) BT_TRY(plan_tasks(s, &wider, &affordable, error));
    *ended = !affordable || wider.count == 0;
    s->out->complete = affordable && wider.count == 0;
    if (*ended) return BAUTA_OK;
    if (s->task_count > 0) BT_TRY(make_partitions(s, error));
    count_job job = {s, &wider};
    BT_TRY(bt_pool_run(s->run->pool, s->task_count, count_task, &job, error));
    BT_TRY(sift(s, &wider, error));
    s->out->searched = wider.size;
    release_level(&s->now);
    s->now = wider;
    wider = (level){0};
    return BAUTA_OK;
}

static void search_release(search *s)
{
    release_level(&s->now);
    free(s->tasks);
    for (unsigned w = 0; s->partitions && w < bt_pool_size(s->run->pool); w++)
        bt_partition_release(&s->partitions[w]);
    free(s->partitions);
}

static bauta_status search_sets(search *s, bauta_error *error)
{
    bool ended = false, possible = false;
    BT_TRY(first_level(s, error));
    BT_TRY(all_single_out(s, &possible, error));
    s->out->complete = !possible;
    while (possible && !ended)
        BT_TRY(next_level(s, &ended, error));
    if (s->out->count > 1) qsort(s->out->sets, s->out->count, sizeof *s->out->sets, compare_sets);
    return BAUTA_OK;
}

bauta_status bt_singling_search(const bt_singling_column *columns, size_t count, int64_t rows,
                                bt_rational share, int64_t budget, const bt_run *run,
                                bt_arena *arena, bt_singling *out, bauta_error *error)
{
    *out = (bt_singling){0};
    BT_OWN(search_release)
    search s = {.columns = columns,
                .count = count,
                .rows = rows,
                .least = bt_rational_floor_times(share, rows),
                .budget = budget,
                .run = run,
                .arena = arena,
                .out = out};
    if (s.least < 1 || bt_ratio_compare(s.least, rows, share) < 0) s.least++;
    bauta_status status = search_sets(&s, error);
    if (status != BAUTA_OK) bt_singling_release(out);
    return status;
}

void bt_singling_release(bt_singling *singling)
{
    free(singling->sets);
    *singling = (bt_singling){0};
}

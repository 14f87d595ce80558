/* SPDX-License-Identifier: Apache-2.0
 *
 * The distribution of class sizes: least, quartiles (nearest rank), mean, greatest.
 *
 * Sizes are counted, not sorted: nearly all are small. Those of SMALL rows and more are kept
 * apart; there are at most rows / SMALL of them.
 */
#include "measure/measure.h"

#include "base/sort.h"

enum { SMALL = 1 << 16 };

typedef struct size_counts {
    uint32_t *small; /* classes of each size below SMALL */
    uint32_t *large; /* the other sizes, ascending */
    uint32_t large_count;
} size_counts;

static void count_sizes(const bt_tuples *classes, size_counts *counts)
{
    for (uint32_t i = 0; i < classes->count; i++) {
        if (classes->size[i] < SMALL)
            counts->small[classes->size[i]]++;
        else
            counts->large[counts->large_count++] = classes->size[i];
    }
    qsort(counts->large, counts->large_count, sizeof *counts->large, bt_compare_uint32);
}

/* The size at `rank` from 0 in ascending order. */
static uint32_t size_at(const size_counts *counts, uint32_t rank)
{
    for (uint32_t size = 0; size < SMALL; size++) {
        if (rank < counts->small[size]) return size;
        rank -= counts->small[size];
    }
    return counts->large[rank];
}

static void put_sizes(const bt_tuples *classes, const size_counts *counts, int64_t rows,
                      bt_facts *facts, json_t *to)
{
    static const struct {
        const char *name;
        uint64_t quarters;
    } parts[] = {{"min", 0}, {"q1", 1}, {"median", 2}, {"q3", 3}, {"max", 4}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts && classes->count > 0; i++) {
        uint64_t rank = (parts[i].quarters * classes->count + 3) / 4;
        bt_put_int(facts, to, parts[i].name, size_at(counts, (uint32_t)(rank ? rank - 1 : 0)));
    }
    if (classes->count > 0) bt_put_real(facts, to, "mean", (double)rows / (double)classes->count);
}

/* Rows of the file that classes are counted in. */
static int64_t most_rows(const bt_release *release)
{
    return release->form->join ? release->rows : bt_sensitive_rows(release);
}

static void compute(const bt_measure_job *job, bt_facts *facts, json_t *at)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    const bt_tuples *classes = &job->release->classes;
    size_t most_large = (size_t)(most_rows(job->release) / SMALL) + 1;
    json_t *to = bt_put_object(facts, at, "class_sizes");
    bt_put_int(facts, to, "classes", classes->count);
    size_counts counts = {.small = bt_arena_array(&scratch, SMALL, sizeof *counts.small),
                          .large = bt_arena_array(&scratch, most_large, sizeof *counts.large)};
    facts->failed |= scratch.failed;
    if (scratch.failed) return;
    count_sizes(classes, &counts);
    put_sizes(classes, &counts, job->release->rows, facts, to);
}

const bt_measure bt_measure_class_sizes = {
    .name = "class_sizes",
    .summary = "number of classes; least, quartiles, mean and greatest size",
    .paper = NULL,
    .direction = BT_NO_DIRECTION,
    .release_only = true,
    .compute = compute,
};

/* SPDX-License-Identifier: Apache-2.0
 *
 * The distribution of class sizes: least, quartiles (nearest rank), mean, greatest; and a
 * histogram, with a bin for each size where these are few, else with bins that end before powers of
 * two.
 *
 * Sizes are counted, not sorted: nearly all are small. Those of SMALL rows and more are kept
 * apart; there are at most rows / SMALL of them.
 */
#include "measure/measure.h"

#include "base/sort.h"

enum { SMALL = 1 << 16, FEW = 60 };

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

/* Classes of each size up to `last`, from where *next stands, which moves there. */
static int64_t classes_to(const size_counts *counts, uint64_t first, uint64_t last, uint32_t *next)
{
    int64_t classes = 0;
    for (uint64_t size = first; size <= last && size < SMALL; size++)
        classes += counts->small[size];
    for (; *next < counts->large_count && counts->large[*next] <= last; ++*next)
        classes++;
    return classes;
}

static void put_histogram(const bt_tuples *classes, const size_counts *counts, bt_facts *facts,
                          json_t *at)
{
    if (classes->count == 0) return;
    uint64_t least = size_at(counts, 0), most = size_at(counts, classes->count - 1);
    json_t *bins = bt_put_array(facts, at, "class_histogram");
    uint32_t next = 0;
    for (uint64_t first = least, last; first <= most; first = last + 1) {
        last = first;
        if (most - least >= FEW) {
            for (last = 1; last <= first; last *= 2) {
            }
            last--;
        }
        if (last > most) last = most;
        json_t *bin = bt_put_object(facts, bins, NULL);
        bt_put_int(facts, bin, "from", (int64_t)first);
        bt_put_int(facts, bin, "to", (int64_t)last);
        bt_put_int(facts, bin, "classes", classes_to(counts, first, last, &next));
    }
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
    put_histogram(classes, &counts, facts, at);
}

const bt_measure bt_measure_class_sizes = {
    .name = "class_sizes",
    .summary = "number of classes; least, quartiles, mean and greatest size; a histogram in JSON",
    .paper = NULL,
    .direction = BT_NO_DIRECTION,
    .release_only = true,
    .compute = compute,
};

/* SPDX-License-Identifier: Apache-2.0
 *
 * Records of a branch with the same profile are told apart by their place alone: they form a
 * queue that is emptied from its end. (A person with several records makes them differ; then
 * every record is a queue.) All queues stand in line in the order in which their last records go
 * back (turns.h). A branch that loses a record may give up others than before, so queues that it
 * would not give up wait until it changes.
 *
 * Cost: linear in the records, and per record that goes back the logarithm of the number of
 * queues and two verdicts. Each branch that goes back whole begins the search anew, until the
 * effort, queues looked at and counts made again for them, exceeds a multiple of the
 * records; then there are only as many more searches as the logarithm of the branches.
 */
#include "require/branches.h"

#include "require/turns.h"

enum { TALLIES_LEAST = 16, TALLIES_MOST = 4096, TALLIES_BYTES = 16 << 20 };
enum { EFFORT = 32, EFFORT_LEAST = 4096 }; /* per record, and at least in all, before haste */
enum { NONE = UINT32_MAX };

typedef struct queue {
    uint32_t branch, profile;
    uint32_t first, all, count; /* its records are by_profile[first..first+all), `count` remain */
    uint32_t next, next_stuck;  /* in the lists of its branch */
    bool stuck;
} queue;

typedef struct stand { /* a growing branch during the search */
    uint32_t branch, size;
    uint32_t first_queue, queues;
    uint32_t stuck; /* the first queue of which it, while complete, gives up nothing */
    uint32_t waits; /* the first of those that it gives up nothing of as it is now */
    bool changed;   /* it lost records */
} stand;

typedef struct held { /* the counts of a branch as it stands */
    bt_tally *tally;
    uint32_t branch; /* NONE: of no branch */
} held;

struct bt_branches {
    const bt_requirements *requirements;
    int64_t least;
    uint32_t *weights; /* per profile; larger is heavier. NULL: all alike */
    bt_tally *trunk;
    int64_t trunk_size;
    held *held; /* counts that are at hand, each for one of several branches */
    uint32_t tallies;
    uint64_t effort, most_effort;
    stand *stands; /* smallest first */
    uint32_t *stand_of;
    uint32_t *by_profile; /* records of growing branches, by branch and profile */
    uint32_t *places;     /* per profile, zero between uses */
    queue *queues;
    uint32_t *able; /* queues that are not stuck */
    bt_turns turns;
    uint32_t *moved; /* queues, each time one gave up a record */
    uint32_t *returned;
    size_t stand_count, queue_count, able_count, moved_count;
    size_t stands_capacity, stand_of_capacity, by_profile_capacity, queues_capacity, able_capacity,
        moved_capacity, returned_capacity;
};

/* ---- making ------------------------------------------------------------------------------ */

/* Heavier is what has the later category, in the first sensitive column where they differ. */
static int compare_weights(const bt_people *people, uint32_t a, uint32_t b)
{
    for (size_t c = 0; c < people->columns; c++) {
        const bt_categories *categories = people->sensitive[c].categories;
        if (!categories) continue;
        uint32_t x = categories->of_code[people->profile_values[(size_t)a * people->columns + c]];
        uint32_t y = categories->of_code[people->profile_values[(size_t)b * people->columns + c]];
        if (x != y) return x < y ? -1 : 1;
    }
    return 0;
}

static bool any_categories(const bt_people *people)
{
    for (size_t c = 0; c < people->columns; c++)
        if (people->sensitive[c].categories) return true;
    return false;
}

/* Sorts profiles from light to heavy: by merging runs, since the order needs the people. */
static void sort_profiles(const bt_people *people, uint32_t *profiles, uint32_t *aside)
{
    uint32_t count = people->profiles;
    for (uint64_t width = 1; width < count; width *= 2) {
        for (uint64_t from = 0; from < count; from += 2 * width) {
            uint64_t middle = from + width < count ? from + width : count;
            uint64_t to = middle + width < count ? middle + width : count;
            uint64_t left = from, right = middle;
            for (uint64_t i = from; i < to; i++) {
                bool take = left < middle && (right == to || compare_weights(people, profiles[left],
                                                                             profiles[right]) <= 0);
                aside[i] = take ? profiles[left++] : profiles[right++];
            }
        }
        memcpy(profiles, aside, count * sizeof *profiles);
    }
}

static bauta_status weigh_profiles(bt_branches *b, const bt_people *people, bauta_error *error)
{
    uint32_t *profiles = bt_array(people->profiles, sizeof *profiles);
    uint32_t *aside = bt_array(people->profiles, sizeof *aside), rank = 0;
    b->weights = bt_array(people->profiles, sizeof *b->weights);
    bool made = profiles && aside && b->weights;
    for (uint32_t i = 0; made && i < people->profiles; i++)
        profiles[i] = i;
    if (made) sort_profiles(people, profiles, aside);
    for (uint32_t i = 0; made && i < people->profiles; i++) {
        rank += i > 0 && compare_weights(people, profiles[i - 1], profiles[i]) != 0;
        b->weights[profiles[i]] = rank;
    }
    free(profiles);
    free(aside);
    return made ? BAUTA_OK : bt_fail_memory(error);
}

/* Forgets which counts are at hand: the queues are complete again. */
static void forget_held(bt_branches *b)
{
    for (size_t i = 0; i < b->tallies; i++)
        b->held[i].branch = NONE;
}

static bauta_status prepare(bt_branches *b, bauta_error *error)
{
    const bt_people *people = b->requirements->people;
    size_t bytes = bt_tally_bytes(people) + 1, tallies = TALLIES_BYTES / bytes;
    b->tallies = tallies < TALLIES_LEAST  ? TALLIES_LEAST
                 : tallies > TALLIES_MOST ? TALLIES_MOST
                                          : (uint32_t)tallies;
    b->held = bt_array_zero(b->tallies, sizeof *b->held);
    if (!b->held) return bt_fail_memory(error);
    forget_held(b);
    if (!people->profile_of) return bt_turns_init(&b->turns, 1, NULL, error);
    b->places = bt_array_zero(people->profiles, sizeof *b->places);
    if (!b->places) return bt_fail_memory(error);
    if (any_categories(people)) BT_TRY(weigh_profiles(b, people, error));
    BT_TRY(bt_turns_init(&b->turns, people->profiles, b->weights, error));
    return bt_tally_new(people, &b->trunk, error);
}

bauta_status bt_branches_new(const bt_requirements *requirements, bt_branches **out,
                             bauta_error *error)
{
    *out = NULL;
    bt_branches *b = bt_array_zero(1, sizeof *b);
    if (!b) return bt_fail_memory(error);
    b->requirements = requirements;
    b->least = bt_requirements_least_size(requirements);
    bauta_status status = prepare(b, error);
    if (status == BAUTA_OK)
        *out = b;
    else
        bt_branches_free(b);
    return status;
}

void bt_branches_free(bt_branches *b)
{
    if (!b) return;
    for (size_t i = 0; b->held && i < b->tallies; i++)
        bt_tally_free(b->held[i].tally);
    bt_tally_free(b->trunk);
    free(b->held);
    free(b->weights);
    free(b->stands);
    free(b->stand_of);
    free(b->by_profile);
    free(b->places);
    free(b->queues);
    free(b->able);
    bt_turns_release(&b->turns);
    free(b->moved);
    free(b->returned);
    free(b);
}

/* ---- counting and judging ---------------------------------------------------------------- */

static bool has_subjects(const bt_branches *b)
{
    return bt_people_by_row(b->requirements->people);
}

static inline bauta_status add_record(const bt_branches *b, const bt_division *d, bt_tally *tally,
                                      uint32_t record, bauta_error *error)
{
    if (has_subjects(b)) return bt_tally_add_row(tally, d->rows[record], error);
    bt_tally_add(tally, d->profiles[record], 1);
    return BAUTA_OK;
}

/* Fewer records than persons are needed are too few, however they are counted. */
static bool satisfies(const bt_branches *b, bt_tally *tally, int64_t records)
{
    if (records < b->least) return false;
    return !tally || bt_requirements_check(b->requirements, tally, NULL);
}

static bauta_status add_branch(const bt_branches *b, const bt_division *d, const bt_branch *branch,
                               bt_tally *tally, bauta_error *error)
{
    for (uint32_t i = 0; tally && i < branch->size; i++)
        BT_TRY(add_record(b, d, tally, d->order[branch->start + i], error));
    return BAUTA_OK;
}

static bauta_status put_into_trunk(bt_branches *b, bt_division *d, bt_branch *branch,
                                   bauta_error *error)
{
    branch->grows = false;
    b->trunk_size += branch->size;
    d->worth -= branch->size * branch->gain;
    return add_branch(b, d, branch, b->trunk, error);
}

/* An empty tally; its contents will be those of `branch`. */
static bauta_status hold(bt_branches *b, uint32_t branch, held **out, bauta_error *error)
{
    *out = &b->held[branch % b->tallies];
    (*out)->branch = branch;
    if (!(*out)->tally) BT_TRY(bt_tally_new(b->requirements->people, &(*out)->tally, error));
    bt_tally_clear((*out)->tally);
    return BAUTA_OK;
}

/* Which branches satisfy as they are; the others go into the trunk. */
static bauta_status judge_branches(bt_branches *b, bt_division *d, bauta_error *error)
{
    for (uint32_t i = 0; i < d->count && d->worth >= d->enough; i++) {
        bt_branch *branch = &d->branches[i];
        branch->grows = branch->size >= b->least;
        if (branch->grows && d->profiles) {
            held *counts;
            BT_TRY(hold(b, 0, &counts, error));
            counts->branch = NONE;
            BT_TRY(add_branch(b, d, branch, counts->tally, error));
            branch->grows = satisfies(b, counts->tally, branch->size);
        }
        if (!branch->grows) BT_TRY(put_into_trunk(b, d, branch, error));
    }
    return BAUTA_OK;
}

/* ---- queues ------------------------------------------------------------------------------ */

static int compare_stands(const void *left, const void *right)
{
    const stand *a = left, *b = right;
    if (a->size != b->size) return a->size < b->size ? -1 : 1;
    return (a->branch > b->branch) - (a->branch < b->branch);
}

static bauta_status list_stands(bt_branches *b, const bt_division *d, bauta_error *error)
{
    BT_TRY(bt_array_grow(&b->stands, &b->stands_capacity, d->count, sizeof *b->stands, error));
    BT_TRY(
        bt_array_grow(&b->stand_of, &b->stand_of_capacity, d->count, sizeof *b->stand_of, error));
    b->stand_count = 0;
    for (uint32_t i = 0; i < d->count; i++)
        if (d->branches[i].grows)
            b->stands[b->stand_count++] =
                (stand){.branch = i, .size = d->branches[i].size, .stuck = NONE, .waits = NONE};
    qsort(b->stands, b->stand_count, sizeof *b->stands, compare_stands);
    for (size_t i = 0; i < b->stand_count; i++)
        b->stand_of[b->stands[i].branch] = (uint32_t)i;
    return BAUTA_OK;
}

static bauta_status add_queue(bt_branches *b, const queue *made, bauta_error *error)
{
    BT_TRY(bt_array_grow(&b->queues, &b->queues_capacity, b->queue_count + 1, sizeof *b->queues,
                         error));
    b->queues[b->queue_count++] = *made;
    return BAUTA_OK;
}

/* Sorts the records of a branch by profile and makes a queue of each. */
static bauta_status queue_profiles(bt_branches *b, const bt_division *d, uint32_t number,
                                   bauta_error *error)
{
    const bt_branch *branch = &d->branches[number];
    const uint32_t *records = d->order + branch->start;
    size_t before = b->queue_count;
    for (uint32_t i = 0; i < branch->size; i++) {
        uint32_t profile = d->profiles[records[i]];
        if (b->places[profile]++ > 0) continue;
        queue made = {.branch = number, .profile = profile};
        BT_TRY(add_queue(b, &made, error));
    }
    uint32_t first = branch->start;
    for (size_t q = before; q < b->queue_count; q++) {
        queue *made = &b->queues[q];
        made->first = first;
        made->all = b->places[made->profile];
        b->places[made->profile] = first;
        first += made->all;
    }
    for (uint32_t i = 0; i < branch->size; i++)
        b->by_profile[b->places[d->profiles[records[i]]]++] = records[i];
    for (size_t q = before; q < b->queue_count; q++)
        b->places[b->queues[q].profile] = 0;
    return BAUTA_OK;
}

/* One queue when only numbers matter, one per record when persons have several. */
static bauta_status queue_records(bt_branches *b, const bt_division *d, uint32_t number,
                                  bauta_error *error)
{
    const bt_branch *branch = &d->branches[number];
    memcpy(b->by_profile + branch->start, d->order + branch->start,
           branch->size * sizeof *b->by_profile);
    queue made = {.branch = number, .first = branch->start, .all = branch->size};
    if (!d->profiles) return add_queue(b, &made, error);
    made.all = 1;
    for (uint32_t i = 0; i < branch->size; i++) {
        made.first = branch->start + i;
        made.profile = d->profiles[d->order[made.first]];
        BT_TRY(add_queue(b, &made, error));
    }
    return BAUTA_OK;
}

static bauta_status make_queues(bt_branches *b, const bt_division *d, bauta_error *error)
{
    const bt_branch *last = &d->branches[d->count - 1];
    BT_TRY(list_stands(b, d, error));
    BT_TRY(bt_array_grow(&b->by_profile, &b->by_profile_capacity, last->start + last->size,
                         sizeof *b->by_profile, error));
    b->queue_count = 0;
    for (size_t i = 0; i < b->stand_count; i++) {
        stand *s = &b->stands[i];
        s->first_queue = (uint32_t)b->queue_count;
        if (d->profiles && !has_subjects(b))
            BT_TRY(queue_profiles(b, d, s->branch, error));
        else
            BT_TRY(queue_records(b, d, s->branch, error));
        s->queues = (uint32_t)b->queue_count - s->first_queue;
    }
    BT_TRY(bt_array_grow(&b->able, &b->able_capacity, b->queue_count, sizeof *b->able, error));
    BT_TRY(bt_turns_lay_out(&b->turns, b->queue_count ? &b->queues[0].profile : NULL,
                            sizeof *b->queues, b->queue_count, error));
    b->able_count = b->queue_count;
    for (size_t q = 0; q < b->queue_count; q++) {
        b->queues[q].count = b->queues[q].all;
        b->able[q] = (uint32_t)q;
    }
    forget_held(b);
    return BAUTA_OK;
}

/* How many persons of the trunk have the values of a profile. */
static uint64_t rarity_of(void *user, uint32_t profile)
{
    const bt_branches *b = user;
    const bt_people *people = b->requirements->people;
    uint64_t sum = 0;
    for (size_t c = 0; b->trunk && c < people->columns; c++)
        sum += bt_tally_bag(b->trunk, c)
                   .counts[people->profile_values[(size_t)profile * people->columns + c]];
    return sum;
}

static bauta_status put_in_line(bt_branches *b, uint32_t number, bauta_error *error)
{
    const queue *q = &b->queues[number];
    if (q->count == 0) return BAUTA_OK;
    return bt_turns_put(&b->turns, number, q->profile, b->by_profile[q->first + q->count - 1],
                        rarity_of, b, error);
}

/* ---- records that go back ---------------------------------------------------------------- */

/* The counts of what remains of a branch. */
static bauta_status counts_of(bt_branches *b, const bt_division *d, const stand *s, bt_tally **out,
                              bauta_error *error)
{
    held *counts = &b->held[s->branch % b->tallies];
    *out = counts->tally;
    if (counts->branch == s->branch) return BAUTA_OK;
    BT_TRY(hold(b, s->branch, &counts, error));
    *out = counts->tally;
    b->effort += s->queues;
    for (uint32_t i = 0; i < s->queues; i++) {
        const queue *q = &b->queues[s->first_queue + i];
        if (has_subjects(b) && q->count > 0)
            BT_TRY(add_record(b, d, *out, b->by_profile[q->first], error));
        else if (q->count > 0)
            bt_tally_add(*out, q->profile, q->count);
    }
    return BAUTA_OK;
}

static bool is_hasty(const bt_branches *b)
{
    return b->effort > b->most_effort;
}

/* Takes the last record of a queue out of its branch if the branch satisfies without it. */
static bauta_status take_out(bt_branches *b, const bt_division *d, const queue *q, bool *taken,
                             bauta_error *error)
{
    stand *s = &b->stands[b->stand_of[q->branch]];
    uint32_t record = b->by_profile[q->first + q->count - 1];
    *taken = (int64_t)s->size - 1 >= b->least;
    if (!*taken || !d->profiles) return BAUTA_OK;
    bt_tally *tally;
    BT_TRY(counts_of(b, d, s, &tally, error));
    if (has_subjects(b))
        bt_tally_remove_row(tally, d->rows[record]);
    else
        bt_tally_remove(tally, q->profile, 1);
    *taken = satisfies(b, tally, (int64_t)s->size - 1);
    return *taken ? BAUTA_OK : add_record(b, d, tally, record, error);
}

/* A branch has changed: it may give up now what it did not before. */
static bauta_status ask_again(bt_branches *b, stand *s, bauta_error *error)
{
    for (uint32_t q = s->waits; q != NONE; q = b->queues[q].next)
        BT_TRY(put_in_line(b, q, error));
    s->waits = NONE;
    for (uint32_t q = s->stuck; !s->changed && q != NONE; q = b->queues[q].next_stuck)
        BT_TRY(put_in_line(b, q, error));
    s->changed = true;
    return BAUTA_OK;
}

/* The branch of a queue lost the queue's last record to the trunk. */
static bauta_status settle(bt_branches *b, bt_division *d, uint32_t number, bauta_error *error)
{
    queue *q = &b->queues[number];
    stand *s = &b->stands[b->stand_of[q->branch]];
    uint32_t record = b->by_profile[q->first + --q->count];
    BT_TRY(
        bt_array_grow(&b->moved, &b->moved_capacity, b->moved_count + 1, sizeof *b->moved, error));
    b->moved[b->moved_count++] = number;
    d->worth -= d->branches[q->branch].gain;
    s->size--;
    b->trunk_size++;
    if (b->trunk) BT_TRY(add_record(b, d, b->trunk, record, error));
    BT_TRY(put_in_line(b, number, error));
    return ask_again(b, s, error);
}

/* A branch does not give up a record of this queue, until it changes. */
static void wait_for_change(bt_branches *b, uint32_t number)
{
    queue *q = &b->queues[number];
    stand *s = &b->stands[b->stand_of[q->branch]];
    if (s->changed) {
        if (is_hasty(b)) return;
        q->next = s->waits;
        s->waits = number;
        return;
    }
    q->stuck = true;
    q->next_stuck = s->stuck;
    s->stuck = number;
}

/* Puts the queues in line of which a record may go back. */
static bauta_status start_search(bt_branches *b, const bt_division *d, bauta_error *error)
{
    size_t able = 0;
    bt_turns_clear(&b->turns);
    b->moved_count = 0;
    b->effort += b->able_count;
    for (size_t i = 0; i < b->able_count; i++) {
        uint32_t number = b->able[i];
        if (b->queues[number].stuck || !d->branches[b->queues[number].branch].grows) continue;
        b->able[able++] = number;
        BT_TRY(put_in_line(b, number, error));
    }
    b->able_count = able;
    return BAUTA_OK;
}

/* Moves records into the trunk until it satisfies. */
static bauta_status move_records(bt_branches *b, bt_division *d, bool *satisfied,
                                 bauta_error *error)
{
    *satisfied = false;
    BT_TRY(start_search(b, d, error));
    for (;;) {
        uint32_t number;
        bool found, taken;
        BT_TRY(bt_turns_take(&b->turns, rarity_of, b, &number, &found, &b->effort, error));
        if (!found) return BAUTA_OK;
        BT_TRY(take_out(b, d, &b->queues[number], &taken, error));
        b->effort++;
        if (!taken) {
            wait_for_change(b, number);
            continue;
        }
        BT_TRY(settle(b, d, number, error));
        *satisfied = satisfies(b, b->trunk, b->trunk_size);
        if (*satisfied) return BAUTA_OK;
    }
}

/* Undoes move_records. */
static void put_back(bt_branches *b, bt_division *d)
{
    for (size_t i = 0; i < b->moved_count; i++) {
        queue *q = &b->queues[b->moved[i]];
        stand *s = &b->stands[b->stand_of[q->branch]];
        uint32_t record = b->by_profile[q->first + q->count++];
        d->worth += d->branches[q->branch].gain;
        s->size++;
        s->changed = false;
        s->waits = NONE;
        b->trunk_size--;
        if (!b->trunk) continue;
        if (has_subjects(b))
            bt_tally_remove_row(b->trunk, d->rows[record]);
        else
            bt_tally_remove(b->trunk, q->profile, 1);
    }
    forget_held(b);
}

static bauta_status list_returned(bt_branches *b, bt_division *d, bauta_error *error)
{
    BT_TRY(bt_array_grow(&b->returned, &b->returned_capacity, b->moved_count, sizeof *b->returned,
                         error));
    for (size_t i = b->moved_count; i-- > 0;) {
        queue *q = &b->queues[b->moved[i]];
        b->returned[i] = b->by_profile[q->first + q->count++];
    }
    d->returned = b->returned;
    d->returned_count = (uint32_t)b->moved_count;
    return BAUTA_OK;
}

/* The trunk does not satisfy: it gets records, and branches, until it does. */
static bauta_status fill_trunk(bt_branches *b, bt_division *d, bauta_error *error)
{
    const bt_branch *last = &d->branches[d->count - 1];
    bool satisfied = false;
    b->effort = 0;
    b->most_effort = EFFORT_LEAST + (uint64_t)EFFORT * (last->start + last->size);
    BT_TRY(make_queues(b, d, error));
    size_t next = 0;
    for (size_t step = 1; next < b->stand_count; step = is_hasty(b) ? 2 * step : 1) {
        BT_TRY(move_records(b, d, &satisfied, error));
        if (satisfied) return list_returned(b, d, error);
        put_back(b, d);
        for (size_t end = next + step; next < end && next < b->stand_count; next++) {
            BT_TRY(put_into_trunk(b, d, &d->branches[b->stands[next].branch], error));
            if (d->worth < d->enough || satisfies(b, b->trunk, b->trunk_size)) return BAUTA_OK;
        }
    }
    return BAUTA_OK;
}

bauta_status bt_branches_divide(bt_branches *b, bt_division *d, bauta_error *error)
{
    d->worth = 0;
    d->returned_count = 0;
    b->trunk_size = 0;
    if (b->trunk) bt_tally_clear(b->trunk);
    for (uint32_t i = 0; i < d->count; i++)
        d->worth += d->branches[i].size * d->branches[i].gain;
    BT_TRY(judge_branches(b, d, error));
    if (d->worth >= d->enough && b->trunk_size > 0 && !satisfies(b, b->trunk, b->trunk_size))
        BT_TRY(fill_trunk(b, d, error));
    d->left = (uint32_t)b->trunk_size;
    return BAUTA_OK;
}

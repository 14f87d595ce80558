/* SPDX-License-Identifier: Apache-2.0
 *
 * Drawing once more.
 */
#include "audit/again.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDS_PER_STREAM = 1 << 14, ID_BYTES = 16 };

/* The d values of a column that n records hold, in the order of their codes, are laid on d piles of
 * n cards; a value that c records hold has c * d cards. Its own pile comes first. Piles that are
 * short are filled up from those of values with cards to spare: the last short pile from the last
 * value that has n cards or more left; where that leaves it with fewer than n, its own pile is the
 * next short one. Card number x is in pile x / n. */
typedef struct pile {
    uint64_t own;          /* the first cards of a pile are its own value's, */
    uint32_t value, other; /* the others this one's */
} pile;

typedef struct deck {
    uint64_t records;
    uint32_t piles;
    pile *pile;
} deck;

typedef struct again {
    const bt_compared *compared;
    const bt_mechanism *mechanism;
    const bt_seed *key;
    deck *decks;        /* per quasi column */
    uint32_t *place;    /* per record: its row; NO_PLACE: another record has the same word */
    int64_t *first;     /* per stream: the first row that differs, or -1 */
    int64_t *different; /* per stream */
} again;

enum { NO_PLACE = UINT32_MAX };

/* ---- values ------------------------------------------------------------------------------ */

/* `left` has the cards of each value, `stack` room for all values: short piles grow from its
 * beginning, rich values from its end. */
static void lay_piles(deck *d, uint64_t *left, uint32_t *stack)
{
    uint32_t poor = 0, rich = d->piles;
    for (uint32_t i = 0; i < d->piles; i++)
        if (left[i] < d->records) stack[poor++] = i;
    for (uint32_t i = 0; i < d->piles; i++)
        if (left[i] >= d->records) stack[--rich] = i;
    while (poor > 0 && rich < d->piles) {
        uint32_t to = stack[--poor], from = stack[rich];
        d->pile[to].own = left[to];
        d->pile[to].other = d->pile[from].value;
        left[from] -= d->records - left[to];
        if (left[from] >= d->records) continue;
        rich++;
        stack[poor++] = from;
    }
}

static bauta_status make_deck(const bt_compared *compared, size_t column, deck *out,
                              bauta_error *error)
{
    const bt_compared_column *from = &compared->columns[column];
    uint32_t size = from->original->domain.size;
    uint64_t *held = bt_array_zero(size, sizeof *held);
    uint64_t *left = bt_array(size, sizeof *left);
    uint32_t *stack = bt_array(size, sizeof *stack);
    out->records = (uint64_t)compared->record_count;
    out->pile = bt_array(size, sizeof *out->pile);
    bauta_status status = held && left && stack && out->pile ? BAUTA_OK : bt_fail_memory(error);
    for (int64_t record = 0; record < compared->record_count && status == BAUTA_OK; record++)
        held[bt_compared_record(from, record)]++;
    for (uint32_t code = 0; code < size && status == BAUTA_OK; code++)
        if (held[code] > 0) out->pile[out->piles++] = (pile){out->records, code, code};
    for (uint32_t i = 0; i < out->piles && status == BAUTA_OK; i++)
        left[i] = held[out->pile[i].value] * out->piles; /* both are below 2^32 */
    if (status == BAUTA_OK) lay_piles(out, left, stack);
    free(held);
    free(left);
    free(stack);
    return status;
}

static uint32_t draw(const deck *d, bt_stream *stream)
{
    uint64_t card = bt_stream_below(stream, d->records * d->piles);
    const pile *from = &d->pile[card / d->records];
    return card % d->records < from->own ? from->value : from->other;
}

/* ---- records ----------------------------------------------------------------------------- */

/* Draws a record anew, whose codes are in `row`; `pack` has the columns. */
static void draw_record(const again *a, bt_stream *stream, uint32_t *pack, uint32_t *row)
{
    const bt_mechanism *mechanism = a->mechanism;
    if (mechanism->lambda == 1) {
        uint64_t number = bt_stream_below(stream, mechanism->total), below = 0;
        size_t column = 0;
        while (number >= below + mechanism->weight[column])
            below += mechanism->weight[column++];
        row[column] = draw(&a->decks[column], stream);
        return;
    }
    for (size_t i = 0; i < mechanism->lambda; i++) {
        size_t chosen = i + (size_t)bt_stream_below(stream, mechanism->columns - i);
        uint32_t column = pack[chosen];
        pack[chosen] = pack[i];
        pack[i] = column;
        row[column] = draw(&a->decks[column], stream);
    }
}

static bool is_there(const again *a, const uint32_t *row, int64_t record)
{
    uint32_t place = a->place[record];
    for (size_t i = 0; i < a->compared->count && place != NO_PLACE; i++)
        if (a->compared->columns[i].rows[place] != row[i]) return false;
    return true;
}

static bauta_status draw_records(void *user, size_t task, unsigned worker, bauta_error *error)
{
    (void)worker;
    again *a = user;
    size_t count = a->compared->count;
    int64_t from = (int64_t)task * RECORDS_PER_STREAM, to = from + RECORDS_PER_STREAM;
    if (to > a->compared->record_count) to = a->compared->record_count;
    uint32_t *row = bt_array(2 * count, sizeof *row);
    if (!row) return bt_fail_memory(error);
    uint32_t *pack = row + count;
    for (uint32_t i = 0; i < count; i++)
        pack[i] = i;
    bt_stream stream;
    bt_stream_init(&stream, a->key, "randomized", task);
    a->first[task] = -1;
    for (int64_t record = from; record < to; record++) {
        for (size_t i = 0; i < count; i++)
            row[i] = bt_compared_record(&a->compared->columns[i], record);
        draw_record(a, &stream, pack, row);
        if (is_there(a, row, record)) continue;
        int64_t place = a->place[record];
        if (a->first[task] < 0 || place < a->first[task]) a->first[task] = place;
        a->different[task]++;
    }
    free(row);
    return BAUTA_OK;
}

/* ---- places and the id ------------------------------------------------------------------- */

typedef struct word {
    uint64_t word;
    uint32_t record;
} word;

static int compare_words(const void *left, const void *right)
{
    const word *a = left, *b = right;
    return (a->word > b->word) - (a->word < b->word);
}

static bauta_status find_places(const again *a, bauta_error *error)
{
    int64_t records = a->compared->record_count;
    word *words = bt_array((size_t)records, sizeof *words);
    if (!words) return bt_fail_memory(error);
    bt_stream stream;
    bt_stream_init(&stream, a->key, "data.csv", 0);
    for (int64_t i = 0; i < records; i++)
        words[i] = (word){bt_stream_next(&stream), (uint32_t)i};
    qsort(words, (size_t)records, sizeof *words, compare_words);
    for (int64_t i = 0; i < records; i++) {
        bool alike = (i > 0 && words[i - 1].word == words[i].word) ||
                     (i + 1 < records && words[i + 1].word == words[i].word);
        a->place[words[i].record] = alike ? NO_PLACE : (uint32_t)i;
    }
    free(words);
    return BAUTA_OK;
}

static bool is_id(const bt_seed *key, const char *id)
{
    char text[2 * ID_BYTES + 1];
    bt_stream stream;
    bt_stream_init(&stream, key, "release id", 0);
    for (size_t i = 0; i < ID_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", (unsigned)(bt_stream_next(&stream) & 0xff));
    return strcmp(text, id) == 0;
}

/* ---- the whole --------------------------------------------------------------------------- */

static bauta_status compare(again *a, size_t streams, const bt_run *run, bt_again *out,
                            bauta_error *error)
{
    for (size_t i = 0; i < a->mechanism->columns; i++)
        BT_TRY(make_deck(a->compared, i, &a->decks[i], error));
    BT_TRY(find_places(a, error));
    BT_TRY(bt_pool_run(run->pool, streams, draw_records, a, error));
    for (size_t i = 0; i < streams; i++) {
        if (a->different[i] > 0 && (out->different == 0 || a->first[i] < out->first))
            out->first = a->first[i];
        out->different += a->different[i];
    }
    return BAUTA_OK;
}

bauta_status bt_drawn_again(const bt_release *release, const bt_compared *compared,
                            const bt_seed *key, const bt_run *run, bt_again *out,
                            bauta_error *error)
{
    const bt_mechanism *mechanism = &release->mechanism;
    size_t records = (size_t)compared->record_count;
    size_t streams = (records + RECORDS_PER_STREAM - 1) / RECORDS_PER_STREAM;
    again a = {.compared = compared,
               .mechanism = mechanism,
               .key = key,
               .decks = bt_array_zero(mechanism->columns, sizeof *a.decks),
               .place = bt_array(records, sizeof *a.place),
               .first = bt_array(streams, sizeof *a.first),
               .different = bt_array_zero(streams, sizeof *a.different)};
    *out = (bt_again){.same_id = is_id(key, release->manifest.release)};
    bauta_status status = a.decks && a.place && a.first && a.different
                              ? compare(&a, streams, run, out, error)
                              : bt_fail_memory(error);
    for (size_t i = 0; a.decks && i < mechanism->columns; i++)
        free(a.decks[i].pile);
    free(a.decks);
    free(a.place);
    free(a.first);
    free(a.different);
    return status;
}

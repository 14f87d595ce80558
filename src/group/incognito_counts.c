/* SPDX-License-Identifier: Apache-2.0
 *
 * Frequency sets: the groups of a node with their sizes and, where requirements ask for more, the
 * sensitive values in them.
 *
 * A group is named by the first codes of its nodes, packed into a key of one or more words. First
 * codes are codes, so one map for each level serves whatever level a key comes from: rolling up is
 * a look into that map for each column that changes, and a hash table of the keys that come out.
 *
 * Cost of rolling up: linear in the groups (and their distinct values) that it starts from.
 */
#include "group/incognito.h"

enum { LIFTED_AT_ONCE = 512 };
enum { SLOTS_BITS_FIRST = 16 }; /* of a hash table, at most, before it is known to be needed */

void bt_counts_release(bt_counts *counts)
{
    free(counts->keys);
    free(counts->sizes);
    free(counts->starts);
    free(counts->values);
    free(counts->counts);
    free(counts->levels);
    *counts = (bt_counts){0};
}

void bt_roller_release(bt_roller *roller)
{
    free(roller->slots);
    free(roller->lifted);
    free(roller->target);
    free(roller->place);
    free(roller->cells);
    *roller = (bt_roller){0};
}

static uint32_t entries_of(const bt_counts *counts)
{
    return counts->starts ? counts->starts[counts->groups] : 0;
}

size_t bt_counts_bytes(const bt_counts *counts)
{
    size_t group = sizeof *counts->sizes + sizeof *counts->keys;
    return counts->groups * group +
           (size_t)entries_of(counts) * (sizeof *counts->values + sizeof *counts->counts);
}

/* ---- room -------------------------------------------------------------------------------- */

static bauta_status reserve_groups(const bt_count_job *job, bt_counts *out, size_t groups,
                                   bauta_error *error)
{
    const bt_lattice *lattice = job->lattice;
    size_t keys = out->groups_room * lattice->words, words, before = out->groups_room;
    if (!bt_size_mul(groups, lattice->words, &words)) return bt_fail_memory(error);
    if (!out->levels) out->levels = bt_array_zero(lattice->stride, sizeof *out->levels);
    if (!out->levels) return bt_fail_memory(error);
    BT_TRY(bt_array_grow(&out->sizes, &out->groups_room, groups, sizeof *out->sizes, error));
    if (out->groups_room != before || !out->keys) {
        words = out->groups_room * lattice->words;
        BT_TRY(bt_array_grow(&out->keys, &keys, words, sizeof *out->keys, error));
    }
    if (job->counted == BT_COUNT_SIZES) return BAUTA_OK;
    return bt_array_grow(&out->starts, &out->starts_room, groups + 2, sizeof *out->starts, error);
}

static bauta_status reserve_entries(const bt_count_job *job, bt_counts *out, size_t entries,
                                    bauta_error *error)
{
    BT_TRY(bt_array_grow(&out->values, &out->values_room, entries, sizeof *out->values, error));
    if (job->counted == BT_COUNT_ROWS) return BAUTA_OK;
    return bt_array_grow(&out->counts, &out->counts_room, entries, sizeof *out->counts, error);
}

bauta_status bt_counts_new(const bt_count_job *job, const uint16_t *levels, size_t groups,
                           size_t entries, bt_counts *out, bauta_error *error)
{
    *out = (bt_counts){0};
    BT_TRY(reserve_groups(job, out, groups, error));
    memcpy(out->levels, levels, job->lattice->stride * sizeof *levels);
    if (job->counted == BT_COUNT_SIZES) return BAUTA_OK;
    return reserve_entries(job, out, entries, error);
}

bauta_status bt_counts_copy(const bt_count_job *job, const bt_counts *from, bt_counts *out,
                            bauta_error *error)
{
    size_t words = job->lattice->words, entries = entries_of(from);
    BT_TRY(bt_counts_new(job, from->levels, from->groups, entries, out, error));
    out->groups = from->groups;
    memcpy(out->keys, from->keys, from->groups * words * sizeof *out->keys);
    memcpy(out->sizes, from->sizes, from->groups * sizeof *out->sizes);
    if (!from->starts) return BAUTA_OK;
    memcpy(out->starts, from->starts, ((size_t)from->groups + 1) * sizeof *out->starts);
    memcpy(out->values, from->values, entries * sizeof *out->values);
    if (from->counts) memcpy(out->counts, from->counts, entries * sizeof *out->counts);
    return BAUTA_OK;
}

void bt_counts_keep(const bt_count_job *job, bt_counts *counts, const bool *keep, uint32_t *numbers)
{
    size_t words = job->lattice->words;
    uint32_t kept = 0, next = 0;
    for (uint32_t g = 0; g < counts->groups; g++) {
        uint32_t first = counts->starts ? counts->starts[g] : 0;
        uint32_t end = counts->starts ? counts->starts[g + 1] : 0;
        if (!keep[g]) continue;
        memmove(counts->keys + kept * words, counts->keys + g * words,
                words * sizeof *counts->keys);
        counts->sizes[kept] = counts->sizes[g];
        numbers[kept] = numbers[g];
        if (counts->starts) counts->starts[kept] = next;
        for (; first < end; first++, next++) {
            counts->values[next] = counts->values[first];
            if (counts->counts) counts->counts[next] = counts->counts[first];
        }
        kept++;
    }
    if (counts->starts) counts->starts[kept] = next;
    counts->groups = kept;
}

/* ---- keys -------------------------------------------------------------------------------- */

/* Puts the keys of a node above into `keys`, which are some of those of `from`. */
static void lift_keys(const bt_lattice *lattice, const uint16_t *from, const uint16_t *to,
                      uint64_t *keys, size_t count)
{
    size_t words = lattice->words;
    for (size_t c = 0; c < lattice->columns; c++) {
        const bt_scale *scale = &lattice->scales[c];
        const bt_rung *rung = bt_rung_at(scale, to[c]);
        uint64_t *at = keys + scale->word, mask = scale->mask;
        unsigned shift = scale->shift;
        if (from[c] == to[c] || (!rung->lift && !rung->top)) continue;
        if (rung->top) {
            uint64_t others = ~(mask << shift);
            for (size_t i = 0; i < count; i++)
                at[i * words] &= others;
            continue;
        }
        for (size_t i = 0; i < count; i++)
            at[i * words] ^= (uint64_t)rung->lift[at[i * words] >> shift & mask] << shift;
    }
}

/* The group of a key among the first out->groups, or a new one without records. */
static inline uint32_t group_of(bt_counts *out, uint32_t *slots, unsigned bits, const uint64_t *key,
                                size_t words)
{
    uint64_t slot = bt_key_hash(key, words) >> (64 - bits), mask = ((uint64_t)1 << bits) - 1;
    for (; slots[slot] != 0; slot = (slot + 1) & mask)
        if (bt_key_same(out->keys + (size_t)(slots[slot] - 1) * words, key, words))
            return slots[slot] - 1;
    uint32_t group = out->groups++;
    slots[slot] = group + 1;
    for (size_t w = 0; w < words; w++)
        out->keys[(size_t)group * words + w] = key[w];
    out->sizes[group] = 0;
    return group;
}

/* Sees to it that so many more groups fit. The hash table is sparse, since branches that are
 * foreseen cost less than memory. */
static bauta_status make_room(const bt_count_job *job, size_t more, bt_roller *roller,
                              bt_counts *out, bauta_error *error)
{
    size_t words = job->lattice->words, need = 4 * (out->groups + more);
    BT_TRY(reserve_groups(job, out, out->groups + more, error));
    if (out->groups > 0 && (size_t)1 << roller->bits >= need) return BAUTA_OK;
    while ((size_t)1 << roller->bits < need)
        roller->bits++;
    size_t size = (size_t)1 << roller->bits, mask = size - 1;
    BT_TRY(bt_array_grow(&roller->slots, &roller->slots_room, size, sizeof *roller->slots, error));
    memset(roller->slots, 0, size * sizeof *roller->slots);
    for (uint32_t g = 0; g < out->groups; g++) {
        uint64_t slot = bt_key_hash(out->keys + g * words, words) >> (64 - roller->bits);
        while (roller->slots[slot] != 0)
            slot = (slot + 1) & mask;
        roller->slots[slot] = g + 1;
    }
    return BAUTA_OK;
}

/* ---- rolling up -------------------------------------------------------------------------- */

/* Always inlined, so that keys of one word are compared as such. */
static inline __attribute__((always_inline)) void merge_groups(const bt_counts *from, size_t first,
                                                               size_t count, bt_roller *roller,
                                                               size_t words, bt_counts *out)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t group =
            group_of(out, roller->slots, roller->bits, roller->lifted + i * words, words);
        roller->target[first + i] = group;
        out->sizes[group] += from->sizes[first + i];
    }
}

static bauta_status roll_groups(const bt_count_job *job, const bt_counts *from, bt_roller *roller,
                                bt_counts *out, bauta_error *error)
{
    size_t words = job->lattice->words;
    for (roller->bits = 4; roller->bits < SLOTS_BITS_FIRST; roller->bits++)
        if ((size_t)1 << roller->bits >= 2 * (size_t)from->groups) break;
    for (size_t first = 0, count; first < from->groups; first += count) {
        count = from->groups - first < LIFTED_AT_ONCE ? from->groups - first : LIFTED_AT_ONCE;
        BT_TRY(make_room(job, count, roller, out, error));
        memcpy(roller->lifted, from->keys + first * words, count * words * sizeof *from->keys);
        lift_keys(job->lattice, from->levels, out->levels, roller->lifted, count);
        if (words == 1)
            merge_groups(from, first, count, roller, 1, out);
        else
            merge_groups(from, first, count, roller, words, out);
    }
    return BAUTA_OK;
}

/* Puts the values of every group behind those of the one before. */
static void move_values(const bt_counts *from, const uint32_t *target, bt_counts *out)
{
    memset(out->starts, 0, ((size_t)out->groups + 2) * sizeof *out->starts);
    for (uint32_t i = 0; i < from->groups; i++)
        out->starts[target[i] + 2] += from->starts[i + 1] - from->starts[i];
    for (uint32_t g = 0; g < out->groups; g++)
        out->starts[g + 2] += out->starts[g + 1];
    for (uint32_t i = 0; i < from->groups; i++) {
        uint32_t *to = &out->starts[target[i] + 1], first = from->starts[i];
        for (uint32_t at = first; at < from->starts[i + 1]; at++, ++*to) {
            out->values[*to] = from->values[at];
            if (from->counts) out->counts[*to] = from->counts[at];
        }
    }
}

/* Makes one of equal values in a group. `place` says where a value was put; that it is still true
 * shows at the place itself. */
static void merge_values(bt_counts *out, uint32_t *place)
{
    uint32_t next = 0, at = 0;
    for (uint32_t g = 0; g < out->groups; g++) {
        uint32_t begin = next, end = out->starts[g + 1];
        for (; at < end; at++) {
            uint32_t value = out->values[at], known = place[value];
            uint64_t count = out->counts[at];
            if (known >= begin && known < next && out->values[known] == value) {
                out->counts[known] += count;
                continue;
            }
            place[value] = next;
            out->values[next] = value;
            out->counts[next++] = count;
        }
        out->starts[g] = begin;
    }
    out->starts[out->groups] = next;
}

/* Adds up the values of few groups in a place for each pair of group and value. */
static bauta_status add_values(const bt_counts *from, uint32_t profiles, bt_roller *roller,
                               bt_counts *out, bauta_error *error)
{
    size_t cells = (size_t)out->groups * profiles;
    uint32_t next = 0;
    BT_TRY(bt_array_grow(&roller->cells, &roller->cells_room, cells, sizeof *roller->cells, error));
    memset(roller->cells, 0, cells * sizeof *roller->cells);
    for (uint32_t i = 0; i < from->groups; i++) {
        uint64_t *cell = roller->cells + (size_t)roller->target[i] * profiles;
        for (uint32_t at = from->starts[i]; at < from->starts[i + 1]; at++)
            cell[from->values[at]] += from->counts[at];
    }
    for (uint32_t g = 0; g < out->groups; g++) {
        const uint64_t *cell = roller->cells + (size_t)g * profiles;
        out->starts[g] = next;
        for (uint32_t value = 0; value < profiles; value++) {
            out->values[next] = value;
            out->counts[next] = cell[value];
            next += cell[value] > 0;
        }
    }
    out->starts[out->groups] = next;
    return BAUTA_OK;
}

static bauta_status roll_values(const bt_count_job *job, const bt_counts *from, bt_roller *roller,
                                bt_counts *out, bauta_error *error)
{
    uint32_t profiles = job->people->profiles, entries = entries_of(from);
    /* One more than there can be: add_values writes behind the last. */
    BT_TRY(reserve_entries(job, out, (size_t)entries + 1, error));
    if (job->counted == BT_COUNT_PROFILES && out->groups <= entries / profiles)
        return add_values(from, profiles, roller, out, error);
    move_values(from, roller->target, out);
    if (job->counted == BT_COUNT_ROWS) return BAUTA_OK;
    if (!roller->place) roller->place = bt_array_zero(profiles, sizeof *roller->place);
    if (!roller->place) return bt_fail_memory(error);
    merge_values(out, roller->place);
    return BAUTA_OK;
}

bauta_status bt_counts_roll(const bt_count_job *job, const bt_counts *from, const uint16_t *levels,
                            bt_roller *roller, bt_counts *out, bauta_error *error)
{
    const bt_lattice *lattice = job->lattice;
    out->groups = 0;
    BT_TRY(reserve_groups(job, out, 1, error));
    BT_TRY(bt_array_grow(&roller->lifted, &roller->lifted_room, LIFTED_AT_ONCE * lattice->words,
                         sizeof *roller->lifted, error));
    BT_TRY(bt_array_grow(&roller->target, &roller->target_room, from->groups,
                         sizeof *roller->target, error));
    memcpy(out->levels, levels, lattice->stride * sizeof *levels);
    BT_TRY(roll_groups(job, from, roller, out, error));
    if (job->counted == BT_COUNT_SIZES) return BAUTA_OK;
    return roll_values(job, from, roller, out, error);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Background knowledge on the form `distribution`: the attacker knows the values of others of the
 * target's group and strikes out the parts that hold them, as far as that can be known. Each record
 * is thought to have any part, and in it a value as the target distribution says; so a known value
 * v is in a part D above it with a weight of 1 / chance(D), each part holds one record, and what is
 * left of the parts is the target's.
 *
 * Exact: from the leaves up, e(x) is the weight of all ways in which x of the known values under a
 * node have parts there or below; from the root down, o(x) that of the rest.
 *
 * At most KNOWN_MOST others are used, of a smaller group all. The form promises nothing against
 * such knowledge, and its manifest says so.
 *
 * Cost: for each person tried the paths of the known values, and the values of the domain.
 */
#include "attack/members.h"
#include "attack/parts_attacks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { KNOWN_MOST = 12, TRIES = 100000, WORK = 1 << 25 };

typedef double weights[KNOWN_MOST + 1]; /* per number of values that have parts */

typedef struct stop { /* a node above a known value */
    uint32_t node;
    uint32_t known; /* values under it */
    size_t parent;  /* in the list; the root is its own */
    uint32_t copies;
    weights below, here, rest; /* parts of those below; and of its own; o */
    double taken;              /* of its parts, in expectation */
} stop;

typedef struct striking {
    bt_attack_job *job;
    const bt_secret *secret;
    bt_members members;
    uint32_t most;    /* others whose values the attacker may know */
    uint32_t known;   /* others known in the group at hand: no more than it has */
    bool fewer;       /* some group has fewer others than `most` */
    uint32_t mode;    /* the most frequent value */
    int64_t common;   /* people tried who have the value `mode` */
    uint32_t *copies; /* per node: of the group at hand */
    size_t *place;    /* per node: its stop + 1; all 0 between targets */
    stop *stops;
    size_t count, room;
    double *belief; /* per value */
    const bt_target *target;
    const double *chance;
    uint32_t unit; /* the unit whose copies are there; BT_NOT_KNOWN: none */
    bt_stream stream;
    bt_attack_result result;
} striking;

/* ---- where the known values may be ------------------------------------------------------- */

static void clear_stops(striking *s)
{
    for (size_t i = 0; i < s->count; i++)
        s->place[s->stops[i].node] = 0;
    s->count = 0;
}

/* Adds the path of a value, from the root down: parents come first. */
static bauta_status add_path(striking *s, uint32_t value, bauta_error *error)
{
    uint32_t leaf = s->target->leaf_of[value];
    size_t new_stops = 0;
    for (uint32_t node = leaf;; node = s->target->nodes[node].parent) {
        if (s->place[node])
            s->stops[s->place[node] - 1].known++;
        else
            new_stops++;
        if (node == 0) break;
    }
    BT_TRY(bt_array_grow(&s->stops, &s->room, s->count + new_stops, sizeof *s->stops, error));
    size_t at = s->count += new_stops;
    for (uint32_t node = leaf; new_stops > 0; node = s->target->nodes[node].parent, new_stops--) {
        s->stops[--at] = (stop){.node = node, .known = 1, .copies = s->copies[node]};
        s->place[node] = at + 1;
    }
    for (uint32_t node = leaf; node > 0; node = s->target->nodes[node].parent)
        s->stops[s->place[node] - 1].parent = s->place[s->target->nodes[node].parent] - 1;
    return BAUTA_OK;
}

/* The weight of `more` values having parts that are the node itself when `open` have none yet. */
static double own_parts(const striking *s, const stop *at, uint32_t open, uint32_t more)
{
    double weight = 1;
    for (uint32_t y = 0; y < more; y++) /* which values, which parts */
        weight *= (double)(open - y) / (y + 1) * (double)(at->copies - y) / s->chance[at->node];
    return weight;
}

static void multiply(const weights left, const weights right, weights out)
{
    weights product = {0};
    for (uint32_t x = 0; x <= KNOWN_MOST; x++)
        for (uint32_t y = 0; x + y <= KNOWN_MOST; y++)
            product[x + y] += left[x] * right[y];
    memcpy(out, product, sizeof product);
}

static uint32_t own_most(const stop *at, uint32_t open)
{
    return at->copies < open ? at->copies : open;
}

static void go_up(striking *s)
{
    for (size_t i = 0; i < s->count; i++)
        s->stops[i].below[0] = 1;
    for (size_t i = s->count; i-- > 0;) {
        stop *at = &s->stops[i];
        for (uint32_t x = 0; x <= at->known; x++)
            for (uint32_t y = 0; y <= own_most(at, at->known - x); y++)
                at->here[x + y] += at->below[x] * own_parts(s, at, at->known - x, y);
        if (i > 0) multiply(s->stops[at->parent].below, at->here, s->stops[at->parent].below);
    }
}

/* What the rest of the tree needs of a stop: all others under its parent, and above. */
static void find_rest(striking *s, size_t number)
{
    stop *at = &s->stops[number], *above = &s->stops[at->parent];
    weights others = {1}, needed = {0};
    for (size_t i = 1; i < s->count; i++)
        if (i != number && s->stops[i].parent == at->parent)
            multiply(others, s->stops[i].here, others);
    for (uint32_t x = 0; x <= above->known; x++)
        for (uint32_t y = 0; y <= own_most(above, above->known - x); y++)
            needed[x] += own_parts(s, above, above->known - x, y) * above->rest[x + y];
    for (uint32_t x = 0; x <= at->known; x++)
        for (uint32_t z = 0; x + z <= above->known; z++)
            at->rest[x] += needed[x + z] * others[z];
}

/* Parts that the known values take, in expectation; false: they cannot be in the group. */
static bool strike_out(striking *s)
{
    if (s->known == 0) return true;
    go_up(s);
    double all = s->stops[0].here[s->known];
    if (!(all > 0) || !isfinite(all)) return false;
    s->stops[0].rest[s->known] = 1;
    for (size_t i = 0; i < s->count; i++) {
        stop *at = &s->stops[i];
        if (i > 0) find_rest(s, i);
        for (uint32_t x = 0; x <= at->known; x++)
            for (uint32_t y = 1; y <= own_most(at, at->known - x); y++)
                at->taken +=
                    y * at->below[x] * own_parts(s, at, at->known - x, y) * at->rest[x + y] / all;
    }
    return true;
}

/* ---- guesses ----------------------------------------------------------------------------- */

static void enter_group(striking *s, uint32_t unit)
{
    const bt_spread *spread = s->secret->spread;
    size_t count;
    if (s->unit == unit) return;
    if (s->unit != BT_NOT_KNOWN) {
        const bt_part *old = bt_grouped_parts(&spread->groups, s->unit, &count);
        for (size_t i = 0; i < count; i++)
            s->copies[old[i].node] = 0;
    }
    const bt_part *parts = bt_grouped_parts(&spread->groups, unit, &count);
    for (size_t i = 0; i < count; i++)
        s->copies[parts[i].node] = parts[i].copies;
    s->unit = unit;
    s->target = bt_spread_target(spread, unit);
    s->chance = bt_spread_chance(spread, unit);
}

/* What the parts that are left say. */
static uint32_t form_belief(striking *s)
{
    const bt_spread *spread = s->secret->spread;
    uint32_t of = spread->belief_of[s->unit], top = BT_NOT_KNOWN;
    double parts = spread->release->bags.values[s->unit], left = parts - s->known;
    for (size_t i = spread->first[of]; i < spread->first[of + 1]; i++)
        s->belief[spread->value[i]] = spread->share[i] * parts / left;
    for (size_t i = 0; i < s->count; i++) {
        const bt_target_node *node = &s->target->nodes[s->stops[i].node];
        double each = s->stops[i].taken / left / s->chance[s->stops[i].node];
        for (uint32_t code = node->low; code <= node->high && each > 0; code++)
            if (s->target->leaf_of[code] != BT_NO_NODE)
                s->belief[code] -= each * s->chance[s->target->leaf_of[code]];
    }
    for (size_t i = spread->first[of]; i < spread->first[of + 1]; i++) {
        uint32_t value = spread->value[i];
        if (top == BT_NOT_KNOWN || s->belief[value] > s->belief[top] + 1e-12) top = value;
    }
    return top;
}

/* Draws others of the group whose values the target's tree has; false: it has not all of them. */
static bool draw_others(striking *s, int64_t row, uint32_t *values)
{
    const uint32_t *rows = s->members.row + s->members.first[s->unit];
    uint32_t size = s->job->view->unit_size[s->unit], chosen[KNOWN_MOST];
    for (uint32_t i = 0; i < s->known;) {
        uint32_t other = rows[bt_stream_below(&s->stream, size)];
        bool again = other == row;
        for (uint32_t j = 0; j < i; j++)
            again = again || chosen[j] == other;
        if (again) continue;
        values[i] = s->secret->actual[other];
        if (values[i] == BT_NOT_KNOWN || s->target->leaf_of[values[i]] == BT_NO_NODE) return false;
        chosen[i++] = other;
    }
    return true;
}

static bauta_status guess_person(striking *s, int64_t row, bauta_error *error)
{
    uint32_t unit = bt_view_unit(s->job->view, s->job->view->target_of[row]);
    uint32_t values[KNOWN_MOST] = {0};
    if (unit == BT_NOT_KNOWN || !s->members.settled[unit]) return BAUTA_OK;
    uint32_t others = s->job->view->unit_size[unit] - 1;
    s->known = others < s->most ? others : s->most;
    enter_group(s, unit);
    if (!draw_others(s, row, values)) return BAUTA_OK;
    clear_stops(s);
    for (uint32_t i = 0; i < s->known; i++)
        BT_TRY(add_path(s, values[i], error));
    if (!strike_out(s)) return BAUTA_OK;
    uint32_t top = form_belief(s);
    double share = fmin(1, s->belief[top]);
    s->fewer = s->fewer || s->known < s->most;
    s->result.tried++;
    s->result.hits += top == s->secret->actual[row];
    s->common += s->mode == s->secret->actual[row];
    if (share > s->result.worst) s->result.worst = share;
    bt_worst_add(&s->result.hit, share, row + 1);
    return BAUTA_OK;
}

/* Fewer people are tried where each takes longer. */
static bauta_status guess_all(striking *s, bauta_error *error)
{
    int64_t rows = s->job->view->people->rows;
    int64_t each = s->secret->values + (int64_t)s->most * s->most * s->most * 16;
    int64_t tries = WORK / each < TRIES ? WORK / each + 1 : TRIES;
    int64_t step = rows > tries ? rows / tries : 1;
    for (int64_t row = 0; row < rows; row += step) {
        BT_TRY(bt_attack_step(s->job, (uint32_t)row, (uint32_t)rows, error));
        BT_TRY(guess_person(s, row, error));
    }
    return BAUTA_OK;
}

static void tell(striking *s, int64_t members)
{
    char used[40] = "";
    if (members > s->most) snprintf(used, sizeof used, " (%u of them are used)", s->most);
    snprintf(s->result.detail, sizeof s->result.detail,
             "%lld other%s known%s%s; the form promises nothing against that", (long long)members,
             members == 1 ? "" : "s", used, s->fewer ? ", or all others of a smaller group" : "");
    s->result.chance = s->result.tried ? (double)s->common / (double)s->result.tried : BT_NO_RATE;
    bt_attack_put(s->job, &s->result);
}

bauta_status bt_background_parts(bt_attack_job *job, const bt_secret *secret, bauta_error *error)
{
    const bt_seed seed = {{0}}; /* a run can be repeated: nothing here is secret */
    size_t nodes = secret->spread->tree->count;
    int64_t members = job->attacker->members;
    striking s = {
        .job = job,
        .secret = secret,
        .most = members < KNOWN_MOST ? (uint32_t)members : KNOWN_MOST,
        .copies = bt_array_zero(nodes, sizeof *s.copies),
        .place = bt_array_zero(nodes, sizeof *s.place),
        .belief = bt_array_zero(secret->values, sizeof *s.belief),
        .unit = BT_NOT_KNOWN,
        .mode = bt_secret_mode(secret),
        .result = {.variant = "members",
                   .column = secret->column->manifest->name,
                   .knows =
                       "quasi values of the target, and the values of others of the same group",
                   .tries = "to guess the target's value from the parts that are left",
                   .allowed = BT_NO_RATE},
    };
    bt_stream_init(&s.stream, &seed, "background", 0);
    bauta_status status = s.copies && s.place && s.belief ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) status = bt_members_find(job->view, &s.members, error);
    if (status == BAUTA_OK) status = guess_all(&s, error);
    if (status == BAUTA_OK) {
        tell(&s, members);
        status = bt_background_fakes(job, secret, error);
    }
    bt_members_release(&s.members);
    free(s.copies);
    free(s.place);
    free(s.stops);
    free(s.belief);
    return status;
}

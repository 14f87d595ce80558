/* SPDX-License-Identifier: Apache-2.0
 *
 * Minimality (Wong, Fu, Wang and Pei 2007): a method that generalizes no more than needed would
 * have divided a class if the parts had satisfied the requirements. Whoever knows everyone's quasi
 * values sees along which lines a class could have been divided, and concludes that on each of
 * them a requirement about sensitive values failed. So of all ways in which the values of a class
 * may belong to its members only those remain in which every division fails.
 *
 * The ways are drawn at random and those in which a division would have satisfied are thrown out;
 * what is left is the attacker's belief. Divisions are those that the method of the manifest looks
 * at, replayed in small: between the children of the covering node, or one child and the rest
 * (top-down); between any two values where a column has no hierarchy.
 *
 * A division is considered when both parts are large enough, for classes of at most MOST_MEMBERS,
 * in at most CLASSES classes that are spread over the release. A claim goes beyond the promise when
 * its interval over the worlds drawn does; the promise is broken when such claims are true more
 * often than it allows, which by chance happens once in a billion.
 */
#include "attack/attribute.h"
#include "attack/members.h"
#include "attack/rate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    CLASSES = 400,
    MOST_MEMBERS = 200,
    WORLDS = 1000,
    ENOUGH = 200,
    LEAST = 20,
    MOST_DIVISIONS = 400
};

typedef struct division { /* members whose code in the column is in from..to-1 against the rest */
    uint32_t column, from, to;
} division;

typedef struct layout { /* of a known column: where its values stand, so that nodes are intervals */
    const bt_hierarchy *tree; /* NULL: none */
    const uint32_t *of_code;  /* NULL: the same */
} layout;

typedef struct minimality {
    bt_attack_job *job;
    const bt_secret *secret;
    bt_secret_bounds bounds;
    bt_people people; /* the original's, as requirements see them */
    bt_requirements requirements;
    bt_tally *tally;
    bt_members members;
    layout *layouts; /* per known column */
    bool one_child;  /* top-down */
    bool any_cut;    /* cuts=order: hierarchies do not matter */
    bt_stream stream;
    bt_arena arena;
    /* of the class at hand */
    const uint32_t *rows;
    uint32_t size;
    division divisions[MOST_DIVISIONS];
    size_t division_count;
    uint32_t world[MOST_MEMBERS]; /* member i has the values of member world[i] */
    uint32_t *believed;           /* MOST_MEMBERS * values: worlds in which a member has a value */
    uint32_t classes;             /* that could be attacked */
    int64_t claims, true_claims;
    double claim_allowed; /* the most that is allowed for any of them */
    bt_attack_result result;
} minimality;

/* ---- divisions --------------------------------------------------------------------------- */

static uint32_t code_of(const minimality *m, size_t column, uint32_t member)
{
    uint32_t code = bt_column_code(m->job->view->known[column], m->rows[member]);
    return m->layouts[column].of_code ? m->layouts[column].of_code[code] : code;
}

static bool is_inside(const minimality *m, const division *d, uint32_t member)
{
    uint32_t code = code_of(m, d->column, member);
    return code >= d->from && code < d->to;
}

/* Keeps a division whose parts are both large enough. */
static void add_division(minimality *m, division d, int64_t least)
{
    int64_t inside = 0;
    for (uint32_t i = 0; i < m->size; i++)
        inside += is_inside(m, &d, i);
    if (inside < least || m->size - inside < least || m->division_count == MOST_DIVISIONS) return;
    m->divisions[m->division_count++] = d;
}

static void divide_by_tree(minimality *m, uint32_t column, const bt_hierarchy *tree, uint32_t lo,
                           uint32_t hi, int64_t least)
{
    const bt_node *node = &tree->nodes[bt_hierarchy_cover(tree, lo, hi)];
    for (uint32_t c = 0; c < node->children; c++) {
        const bt_node *child = &tree->nodes[node->first + c];
        add_division(m, (division){column, m->one_child ? child->lo : node->lo, child->hi}, least);
    }
}

/* Where a column has no tree: after each value that a member has. */
static void divide_by_order(minimality *m, uint32_t column, int64_t least)
{
    for (uint32_t i = 0; i < m->size; i++) {
        uint32_t code = code_of(m, column, i);
        bool seen = false;
        for (uint32_t j = 0; j < i && !seen; j++)
            seen = code_of(m, column, j) == code;
        if (!seen) add_division(m, (division){column, 0, code + 1}, least);
    }
}

static void find_divisions(minimality *m, int64_t least)
{
    const bt_view *view = m->job->view;
    m->division_count = 0;
    for (uint32_t c = 0; c < view->columns; c++) {
        const bt_hierarchy *tree = m->any_cut ? NULL : m->layouts[c].tree;
        uint32_t lo = UINT32_MAX, hi = 0;
        for (uint32_t i = 0; i < m->size; i++) {
            uint32_t code = code_of(m, c, i);
            if (code < lo) lo = code;
            if (code > hi) hi = code;
        }
        if (lo == hi) continue;
        if (tree)
            divide_by_tree(m, c, tree, lo, hi, least);
        else
            divide_by_order(m, c, least);
    }
}

/* ---- worlds ------------------------------------------------------------------------------ */

static bauta_status satisfies(minimality *m, const division *d, bool inside, bool *out,
                              bauta_error *error)
{
    bt_tally_clear(m->tally);
    for (uint32_t i = 0; i < m->size; i++)
        if (is_inside(m, d, i) == inside)
            BT_TRY(bt_tally_add_row(m->tally, m->rows[m->world[i]], error));
    *out = bt_requirements_check(&m->requirements, m->tally, NULL);
    return BAUTA_OK;
}

/* Whether the method could have come to the class: no division satisfies on both sides. */
static bauta_status is_possible(minimality *m, bool *out, bauta_error *error)
{
    *out = true;
    for (size_t i = 0; i < m->division_count && *out; i++) {
        bool left, right = false;
        BT_TRY(satisfies(m, &m->divisions[i], true, &left, error));
        if (left) BT_TRY(satisfies(m, &m->divisions[i], false, &right, error));
        *out = !(left && right);
    }
    return BAUTA_OK;
}

static void shuffle_world(minimality *m)
{
    for (uint32_t i = m->size; i > 1; i--) {
        uint32_t j = (uint32_t)bt_stream_below(&m->stream, i), kept = m->world[i - 1];
        m->world[i - 1] = m->world[j];
        m->world[j] = kept;
    }
}

/* Counts in how many possible worlds each member has each value. */
static bauta_status draw_worlds(minimality *m, uint32_t *possible, bauta_error *error)
{
    const bt_secret *secret = m->secret;
    *possible = 0;
    memset(m->believed, 0, (size_t)m->size * secret->values * sizeof *m->believed);
    for (uint32_t i = 0; i < m->size; i++)
        m->world[i] = i;
    for (int w = 0; w < WORLDS && *possible < ENOUGH; w++) {
        bool accepted;
        shuffle_world(m);
        BT_TRY(is_possible(m, &accepted, error));
        if (!accepted) continue;
        ++*possible;
        for (uint32_t i = 0; i < m->size; i++)
            m->believed[i * secret->values + secret->actual[m->rows[m->world[i]]]]++;
    }
    return BAUTA_OK;
}

/* ---- guesses ----------------------------------------------------------------------------- */

/* Members with the same quasi values are believed the same: their worlds are added up. */
static void pool_targets(minimality *m)
{
    const bt_view *view = m->job->view;
    uint32_t values = m->secret->values;
    for (uint32_t i = 0; i < m->size; i++)
        for (uint32_t j = 0; j < i; j++) {
            if (view->target_of[m->rows[i]] != view->target_of[m->rows[j]]) continue;
            for (uint32_t v = 0; v < values; v++) {
                m->believed[j * values + v] += m->believed[i * values + v];
                m->believed[i * values + v] = 0;
            }
            break;
        }
}

static const uint32_t *belief_of(const minimality *m, uint32_t member)
{
    const bt_view *view = m->job->view;
    uint32_t first = 0;
    while (view->target_of[m->rows[first]] != view->target_of[m->rows[member]])
        first++;
    return m->believed + (size_t)first * m->secret->values;
}

static void guess_member(minimality *m, uint32_t member)
{
    const uint32_t *believed = belief_of(m, member);
    uint32_t top = 0, row = m->rows[member];
    double worlds = 0;
    for (uint32_t v = 0; v < m->secret->values; v++) {
        worlds += believed[v];
        if (believed[v] > believed[top]) top = v;
    }
    double share = believed[top] / worlds;
    double allowed = fmin(m->bounds.share[top], 1 - m->bounds.distinct / m->size);
    bool right = m->secret->actual[row] == top;
    m->result.tried++;
    m->result.hits += right;
    if (share > m->result.worst) m->result.worst = share;
    bt_worst_add(&m->result.hit, share, (int64_t)row + 1);
    if (!m->bounds.any) return;
    if (allowed > m->result.allowed) m->result.allowed = allowed;
    if (bt_rate_interval(believed[top], (int64_t)worlds).low <= allowed) return;
    m->claims++;
    m->true_claims += right;
    m->claim_allowed = fmax(m->claim_allowed, allowed);
}

/* How often the likeliest value of the class alone would be right. */
static double plain_hits(const minimality *m, uint32_t unit)
{
    uint32_t most = 0;
    for (size_t i = m->secret->first[unit]; i < m->secret->first[unit + 1]; i++)
        if (m->secret->count[i] > most) most = m->secret->count[i];
    return most;
}

static bauta_status attack_class(minimality *m, uint32_t unit, double *plain, bauta_error *error)
{
    uint32_t possible;
    m->rows = m->members.row + m->members.first[unit];
    m->size = (uint32_t)(m->members.first[unit + 1] - m->members.first[unit]);
    for (uint32_t i = 0; i < m->size; i++)
        if (m->secret->actual[m->rows[i]] == BT_NOT_KNOWN) return BAUTA_OK;
    find_divisions(m, bt_requirements_least_size(&m->requirements));
    if (m->division_count == 0) return BAUTA_OK; /* sizes alone forbid: nothing is learnt */
    BT_TRY(draw_worlds(m, &possible, error));
    if (possible < LEAST) return BAUTA_OK; /* too little to go by */
    pool_targets(m);
    m->classes++;
    for (uint32_t i = 0; i < m->size; i++)
        guess_member(m, i);
    *plain += plain_hits(m, unit);
    return BAUTA_OK;
}

/* ------------------------------------------------------------------------------------------ */

/* A given tree orders values by its leaves; what is no leaf stands with the last. */
static bauta_status lay_out(minimality *m, size_t column, bauta_error *error)
{
    const bt_column *known = m->job->view->known[column];
    const bt_hierarchy *given = m->job->view->published[column]->manifest->hierarchy;
    m->layouts[column].tree = given ? given : known->hierarchy;
    if (!given) return BAUTA_OK;
    uint32_t *position = bt_arena_array(&m->arena, known->domain.size, sizeof *position);
    if (!position) return bt_fail_memory(error);
    for (uint32_t code = 0; code < known->domain.size; code++) {
        const char *text = known->domain.text[code];
        uint32_t node = bt_hierarchy_find(given, text, strlen(text));
        position[code] = node == UINT32_MAX ? given->leaves - 1 : given->nodes[node].lo;
    }
    m->layouts[column].of_code = position;
    return BAUTA_OK;
}

static bauta_status prepare(minimality *m, const bt_promises *promises, bauta_error *error)
{
    const bt_seed seed = {{0}}; /* a run can be repeated: nothing here is secret */
    const char *method = m->job->attacker->release->manifest.method;
    m->one_child = strncmp(method, "top-down", 8) == 0;
    m->any_cut = strstr(method, "cuts=order") != NULL;
    bt_stream_init(&m->stream, &seed, "minimality", 0);
    m->requirements = promises->requirements;
    m->layouts = bt_arena_array(&m->arena, m->job->view->columns, sizeof *m->layouts);
    if (!m->layouts) return bt_fail_memory(error);
    for (size_t c = 0; c < m->job->view->columns; c++)
        BT_TRY(lay_out(m, c, error));
    BT_TRY(bt_people_of_table(m->job->attacker->original, &m->people, error));
    BT_TRY(bt_requirements_bind(&m->requirements, &m->people, &m->arena, error));
    BT_TRY(bt_tally_new(&m->people, &m->tally, error));
    BT_TRY(bt_members_find(m->job->view, &m->members, error));
    m->believed =
        bt_arena_array(&m->arena, MOST_MEMBERS, (size_t)m->secret->values * sizeof *m->believed);
    return m->believed ? BAUTA_OK : bt_fail_memory(error);
}

static bool is_fit(const minimality *m, uint32_t unit)
{
    return m->members.settled[unit] && m->job->view->unit_size[unit] <= MOST_MEMBERS;
}

static bauta_status attack_classes(minimality *m, bauta_error *error)
{
    const bt_view *view = m->job->view;
    uint32_t fit = 0, number = 0;
    double plain = 0;
    for (uint32_t unit = 0; unit < view->units; unit++)
        fit += is_fit(m, unit);
    uint32_t step = fit > CLASSES ? fit / CLASSES : 1;
    for (uint32_t unit = 0; unit < view->units; unit++) {
        if (!is_fit(m, unit) || number++ % step != 0) continue;
        BT_TRY(bt_run_progress(m->job->attacker->run, 0, "minimality", unit, view->units, error));
        BT_TRY(attack_class(m, unit, &plain, error));
    }
    m->result.chance = m->result.tried ? plain / (double)m->result.tried : BT_NO_RATE;
    if (m->bounds.any) m->result.outcome = BT_WITHIN;
    if (bt_rate_above((double)m->true_claims, m->claims, m->claim_allowed))
        m->result.outcome = BT_BROKEN;
    snprintf(m->result.detail, sizeof m->result.detail,
             "%lld claims beyond what is allowed, %lld of them true; %u of %u classes tried",
             (long long)m->claims, (long long)m->true_claims, m->classes, view->units);
    bt_attack_put(m->job, &m->result);
    return BAUTA_OK;
}

static bauta_status try_secret(bt_attack_job *job, const bt_secret *secret, bt_promises *promises,
                               bauta_error *error)
{
    minimality m = {.job = job,
                    .secret = secret,
                    .result = {.column = secret->column->manifest->name,
                               .knows = "everyone's quasi values, and the method",
                               .tries = "to conclude values from a class not being divided",
                               .allowed = BT_NO_RATE}};
    bauta_status status = bt_promises_bound(promises, secret, &m.bounds, error);
    if (status == BAUTA_OK) status = prepare(&m, promises, error);
    if (status == BAUTA_OK) status = attack_classes(&m, error);
    bt_members_release(&m.members);
    bt_tally_free(m.tally);
    bt_people_release(&m.people);
    bt_arena_release(&m.arena);
    return status;
}

static bauta_status run(bt_attack_job *job, bauta_error *error)
{
    return bt_attribute_each(job, false, try_secret, error);
}

static const char *excuse(const bt_attacker *attacker)
{
    const bt_manifest *manifest = &attacker->release->manifest;
    bool values = false;
    if (attacker->known) return "it needs all quasi columns";
    if (manifest->persons) return "persons have several rows";
    if (strncmp(manifest->method, "anatomy", 7) == 0) return "the method does not divide by values";
    if (strncmp(manifest->method, "incognito", 9) == 0)
        return "the method generalizes whole columns: no class says why";
    for (size_t i = 0; i < manifest->promise_count; i++) {
        const bt_manifest_promise *one = &manifest->promises[i];
        values = values || strcmp(one->name, "k") != 0;
        if (strncmp(one->name, "p-categories", 12) == 0 || strncmp(one->name, "weight", 6) == 0 ||
            strstr(one->value, ":hierarchical"))
            return "requirements on categories and trees of sensitive values are not replayed";
    }
    if (!values) return "no requirement is about sensitive values";
    return bt_attribute_excuse(attacker);
}

const bt_attack bt_attack_minimality = {
    .name = "minimality",
    .summary = "what is learnt from classes not being divided further",
    .paper = "Wong, Fu, Wang and Pei 2007",
    .excuse = excuse,
    .run = run,
};

/* SPDX-License-Identifier: Apache-2.0
 *
 * Minimality (Wong, Fu, Wang and Pei 2007): a method that generalizes no more than needed would
 * have published something finer if that had satisfied the requirements. Whoever knows everyone's
 * quasi values sees what could have been published instead, and concludes that a requirement about
 * sensitive values failed there. So of all ways in which the values of the classes may belong to
 * their members only those remain in which it does.
 *
 * The ways are drawn at random and those in which something finer would have satisfied are thrown
 * out (with minimal=no they count as much as the method's coins make them likely); what is left is
 * the attacker's belief. What could have been published is replayed in small:
 * minimality_divide.c has the methods that divide classes, minimality_levels.c full-domain
 * recoding. Requirements are judged on the published records, with the categories and trees of the
 * manifest.
 *
 * Of `anatomy` nothing can be concluded: it looks at sensitive values alone, and any two members of
 * a class could have been exchanged.
 *
 * A claim goes beyond the promise when its interval over the worlds drawn does; the promise is
 * broken when such claims are true more often than it allows, which by chance happens once in a
 * billion. Of a class with few worlds all are gone through: what is the same in all that remain is
 * certain, and one such claim breaks the promise.
 */
#include "attack/minimality.h"

#include "attack/parts_attacks.h"
#include "attack/rate.h"
#include "audit/people.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- worlds ------------------------------------------------------------------------------ */

void bt_minimality_take(bt_minimality *m, uint32_t unit, uint64_t stream)
{
    const bt_seed seed = {{0}}; /* a run can be repeated: nothing here is secret */
    m->rows = m->members.row + m->members.first[unit];
    m->published = m->bag + m->bag_first[unit];
    m->size = m->job->view->unit_size[unit];
    m->weights = m->squares = 0;
    m->whole = false;
    bt_stream_init(&m->stream, &seed, "minimality", stream);
    for (uint32_t i = 0; i < m->size; i++)
        m->world[i] = i;
    if (m->size <= BT_MEMBERS_MOST)
        memset(m->believed, 0, (size_t)m->size * m->secret->values * sizeof *m->believed);
}

void bt_minimality_draw(bt_minimality *m)
{
    bt_stream_shuffle(&m->stream, m->world, m->size);
}

/* What a member would have who had the values of world[place]. */
static uint32_t profile_at(const bt_minimality *m, uint32_t place)
{
    return m->people.profile_of[m->published[m->world[place]]];
}

static void exchange(bt_minimality *m, uint32_t a, uint32_t b)
{
    uint32_t swap = m->world[a];
    m->world[a] = m->world[b];
    m->world[b] = swap;
}

/* Worlds in which everyone has the same values are one: what is left of n! when those of each
 * profile are exchanged at will. */
bool bt_minimality_first(bt_minimality *m)
{
    uint64_t worlds = 1;
    uint32_t alike = 0;
    for (uint32_t i = 1; i < m->size; i++)
        for (uint32_t at = i; at > 0 && profile_at(m, at - 1) > profile_at(m, at); at--)
            exchange(m, at - 1, at);
    for (uint32_t i = 0; i < m->size && worlds <= BT_WORLDS; i++) {
        alike = i > 0 && profile_at(m, i) == profile_at(m, i - 1) ? alike + 1 : 1;
        worlds = worlds * (i + 1) / alike;
    }
    return m->whole = worlds <= BT_WORLDS;
}

bool bt_minimality_next(bt_minimality *m)
{
    uint32_t from = m->size - 1;
    while (from > 0 && profile_at(m, from - 1) >= profile_at(m, from))
        from--;
    if (from == 0) return false;
    uint32_t other = m->size - 1;
    while (profile_at(m, other) <= profile_at(m, from - 1))
        other--;
    exchange(m, from - 1, other);
    for (uint32_t a = from, b = m->size - 1; a < b; a++, b--)
        exchange(m, a, b);
    return true;
}

void bt_minimality_believe(bt_minimality *m, double weight)
{
    const bt_secret *secret = m->secret;
    m->weights += weight;
    m->squares += weight * weight;
    for (uint32_t i = 0; i < m->size; i++)
        m->believed[i * secret->values + secret->published[m->published[m->world[i]]]] += weight;
}

static const double NEARLY = 1e-9; /* what sums of weights are rounded by at most */

/* ---- guesses ----------------------------------------------------------------------------- */

/* Members with the same quasi values are believed the same: their worlds are added up. */
static void pool_targets(bt_minimality *m)
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

static const double *belief_of(const bt_minimality *m, uint32_t member, double *alike)
{
    const bt_view *view = m->job->view;
    uint32_t target = view->target_of[m->rows[member]], first = m->size;
    *alike = 0;
    for (uint32_t i = m->size; i-- > 0;)
        if (view->target_of[m->rows[i]] == target) {
            first = i;
            ++*alike;
        }
    return m->believed + (size_t)first * m->secret->values;
}

static void guess_member(bt_minimality *m, uint32_t member)
{
    double alike, worlds = m->weights * m->weights / m->squares; /* as many of equal weight */
    const double *believed = belief_of(m, member, &alike);
    uint32_t top = 0, row = m->rows[member];
    for (uint32_t v = 1; v < m->secret->values; v++)
        if (believed[v] > believed[top]) top = v;
    double share = fmin(1, believed[top] / m->weights / alike);
    double allowed = fmin(m->bounds.share[top], fmax(0, 1 - m->bounds.distinct / m->size));
    bool right = m->secret->actual[row] == top;
    m->result.tried++;
    m->result.hits += right;
    if (share > m->result.worst) m->result.worst = share;
    bt_worst_add(&m->result.hit, share, (int64_t)row + 1);
    if (!m->bounds.any) return;
    if (allowed > m->result.allowed) m->result.allowed = allowed;
    double least = m->whole
                       ? share - NEARLY
                       : bt_rate_interval(share * worlds * alike, (int64_t)(worlds * alike)).low;
    if (least <= allowed) return;
    m->claims++;
    m->true_claims += right;
    m->allowed_claims += allowed;
    bool certain = m->whole && share >= 1 - NEARLY;
    m->certain += certain;
    m->true_certain += certain && right;
}

/* How often the likeliest value of the class alone would be right. */
static double plain_hits(const bt_minimality *m, uint32_t unit)
{
    uint32_t most = 0;
    for (size_t i = m->secret->first[unit]; i < m->secret->first[unit + 1]; i++)
        if (m->secret->count[i] > most) most = m->secret->count[i];
    return most;
}

void bt_minimality_guess(bt_minimality *m, uint32_t unit)
{
    if (m->squares <= 0) return;
    if (!m->whole && m->weights * m->weights < BT_WORLDS_LEAST * m->squares) return;
    pool_targets(m);
    m->classes++;
    for (uint32_t i = 0; i < m->size; i++)
        guess_member(m, i);
    m->plain += plain_hits(m, unit);
}

/* ---- preparing --------------------------------------------------------------------------- */

/* A given tree orders values by its leaves; what is no leaf stands with the last. */
static bauta_status lay_out(bt_minimality *m, size_t column, bauta_error *error)
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

/* The published rows of each unit. */
static bauta_status find_bags(bt_minimality *m, bauta_error *error)
{
    const bt_view *view = m->job->view;
    int64_t rows = m->secret->rows;
    size_t *next = bt_arena_array(&m->arena, (size_t)view->units + 2, sizeof *next);
    m->bag = bt_arena_array(&m->arena, (size_t)rows, sizeof *m->bag);
    if (!next || !m->bag) return bt_fail_memory(error);
    m->bag_first = next++; /* becomes `bag_first` as places are taken */
    for (int64_t row = 0; row < rows; row++)
        next[view->unit_of[row] + 1]++;
    for (uint32_t u = 0; u < view->units; u++)
        next[u + 1] += next[u];
    for (int64_t row = 0; row < rows; row++)
        m->bag[next[view->unit_of[row]]++] = (uint32_t)row;
    return BAUTA_OK;
}

static bauta_status make_room(bt_minimality *m, bauta_error *error)
{
    const bt_view *view = m->job->view;
    uint32_t largest = 1;
    for (uint32_t u = 0; u < view->units; u++)
        if (view->unit_size[u] > largest) largest = view->unit_size[u];
    m->world = bt_arena_array(&m->arena, largest, sizeof *m->world);
    m->believed =
        bt_arena_array(&m->arena, BT_MEMBERS_MOST, (size_t)m->secret->values * sizeof *m->believed);
    return m->world && m->believed ? BAUTA_OK : bt_fail_memory(error);
}

static bauta_status prepare(bt_minimality *m, const bt_promises *promises, bauta_error *error)
{
    const bt_manifest *manifest = &m->job->attacker->release->manifest;
    const bt_row_persons nobody = {0};
    m->retrace = bt_method_retrace(&manifest->method);
    BT_TRY(bt_requirements_copy(&promises->requirements, &m->arena, &m->requirements, error));
    m->layouts = bt_arena_array(&m->arena, m->job->view->columns, sizeof *m->layouts);
    if (!m->layouts) return bt_fail_memory(error);
    for (size_t c = 0; c < m->job->view->columns; c++)
        BT_TRY(lay_out(m, c, error));
    BT_TRY(bt_audit_people(m->job->attacker->release, &nobody, &m->arena, &m->people, error));
    BT_TRY(bt_requirements_bind(&m->requirements, &m->people, &m->arena, error));
    BT_TRY(bt_tally_new(&m->people, &m->tally, error));
    BT_TRY(bt_members_find(m->job->view, &m->members, error));
    BT_TRY(find_bags(m, error));
    return make_room(m, error);
}

/* ------------------------------------------------------------------------------------------ */

static void tell(bt_minimality *m)
{
    bt_attack_result *result = &m->result;
    const bt_claims claims = {m->claims, m->true_claims, m->allowed_claims};
    uint32_t known = 0;
    result->chance = result->tried ? m->plain / (double)result->tried : BT_NO_RATE;
    if (m->bounds.any) result->outcome = BT_WITHIN;
    if (m->bounds.any && result->tried > 0) bt_attribute_judge(&claims, result);
    /* What follows from the method for certain is no chance. */
    if (m->certain > 0 && m->true_certain == m->certain) {
        result->outcome = BT_BROKEN;
        snprintf(result->detail, sizeof result->detail,
                 "%lld claims beyond what is allowed, %lld of them true; %lld follow for certain",
                 (long long)m->claims, (long long)m->true_claims, (long long)m->certain);
    }
    size_t length = strlen(result->detail);
    for (uint32_t unit = 0; unit < m->job->view->units; unit++)
        known += m->members.settled[unit];
    snprintf(result->detail + length, sizeof result->detail - length,
             result->tried > 0
                 ? "%s%u of %u classes tried"
                 : "%snothing to conclude from: members are known of %u of %u classes",
             length ? "; " : "", result->tried > 0 ? m->classes : known, m->job->view->units);
    bt_attack_put(m->job, result);
}

static bauta_status try_secret(bt_attack_job *job, const bt_secret *secret, bt_promises *promises,
                               bauta_error *error)
{
    if (secret->spread) return bt_minimality_parts(job, secret, promises, error);
    const bt_manifest *manifest = &job->attacker->release->manifest;
    bool levels = bt_method_retrace(&manifest->method).kind == BT_RETRACE_LEVELS;
    bt_minimality m = {
        .job = job,
        .secret = secret,
        .result = {.variant = secret->categories ? "categories" : NULL,
                   .column = secret->column->manifest->name,
                   .knows = "everyone's quasi values, and the method",
                   .tries = levels ? "to conclude values from levels not being lower"
                                   : "to conclude values from a class not being divided",
                   .allowed = BT_NO_RATE}};
    bauta_status status = bt_promises_bound(promises, secret, &m.bounds, error);
    if (status == BAUTA_OK) status = prepare(&m, promises, error);
    if (status == BAUTA_OK)
        status = levels ? bt_minimality_levels(&m, error) : bt_minimality_divide(&m, error);
    if (status == BAUTA_OK) tell(&m);
    bt_members_release(&m.members);
    bt_tally_free(m.tally);
    bt_people_release(&m.people);
    bt_arena_release(&m.arena);
    return status;
}

static bool has_promise(const bt_manifest *manifest, bool on_categories)
{
    for (size_t i = 0; i < manifest->promises.count; i++) {
        const bt_requirement *type = manifest->promises.items[i].type;
        if (bt_is_about_values(type) && type->needs_categories == on_categories) return true;
    }
    return false;
}

/* A belief about values, and where requirements are on categories also one about these. */
static bauta_status run(bt_attack_job *job, bauta_error *error)
{
    BT_TRY(bt_attribute_each(job, false, try_secret, error));
    if (!has_promise(&job->attacker->release->manifest, true)) return BAUTA_OK;
    return bt_attribute_each(job, true, try_secret, error);
}

static bool hides_values(const bt_manifest *manifest)
{
    for (size_t i = 0; i < manifest->column_count; i++)
        if (bt_shows_categories(&manifest->columns[i])) return true;
    return false;
}

static const char *excuse(const bt_attacker *attacker)
{
    const bt_manifest *manifest = &attacker->release->manifest;
    bool values = has_promise(manifest, false), categories = has_promise(manifest, true);
    if (attacker->release->form->redrawn) return "nothing is generalized";
    if (attacker->known) return "it needs all quasi columns";
    if (manifest->persons)
        return "it reckons with one row for each person, the promises count persons who may have "
               "several";
    if (attacker->release->form->parts) return bt_minimality_parts_excuse(attacker);
    if (manifest->join.kind == BT_JOIN_DIRECT)
        return "the method looked at the number of persons alone";
    if (bt_requirements_public(&manifest->promises))
        return "people of both tables were grouped at once, and divided by who they are";
    bt_retrace retrace = bt_method_retrace(&manifest->method);
    if (retrace.kind == BT_RETRACE_NONE) return retrace.why;
    if (retrace.kind == BT_RETRACE_LEVELS && manifest->dropped_rows > 0)
        return "lower levels may have been possible but for the number of dropped rows";
    if (!values && !categories) return "no requirement is about sensitive values";
    if (values && hides_values(manifest))
        return "requirements are about values of which only categories are published";
    return categories ? NULL : bt_attribute_excuse(attacker);
}

const bt_attack bt_attack_minimality = {
    .name = "minimality",
    .summary = "what is learnt from classes not being divided further",
    .paper = "Wong, Fu, Wang and Pei 2007",
    .excuse = excuse,
    .run = run,
};

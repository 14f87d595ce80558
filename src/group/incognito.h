/* SPDX-License-Identifier: Apache-2.0
 *
 * Full-domain recoding: what the incognito*.c files share. Only they include this.
 *
 * A node of the lattice is a level for each quasi column; a node is above another (more general)
 * when none of its levels is lower. At a node, records with the same cells are a group.
 */
#ifndef BT_INCOGNITO_H
#define BT_INCOGNITO_H

#include "base/hash.h"
#include "group/method.h"

typedef unsigned __int128 bt_wide;

/* ---- the lattice (incognito_lattice.c) ---- */

typedef enum bt_goal {
    BT_GOAL_NCP,
    BT_GOAL_DISCERNIBILITY,
    BT_GOAL_DISTORTION,
    BT_GOAL_HEIGHT,
    BT_GOAL_CLASSES,
} bt_goal;

/* A column at one level. Nodes of its tree are named by their first codes. */
typedef struct bt_rung {
    const uint32_t *lift; /* by code: code ^ first code of its node; NULL: codes stay, or `top` */
    bool top;             /* all values are one node */
    uint32_t nodes;       /* nodes that occur */
    const uint32_t *cost; /* by code: what a record loses here; NULL: the goal does not ask */
    uint64_t total;       /* of all records; those that are not in the table lose all */
    uint64_t leaves, height; /* `total` by NCP and by the distortion ratio, whatever the goal */
    bt_wide near;            /* bt_near of `total` */
    bt_wide spare; /* bt_near of what a record that loses most here would lose if dropped */
} bt_rung;

typedef struct bt_scale { /* the levels of a column */
    const bt_column *column;
    uint32_t lowest, highest; /* levels that a node may have */
    bt_rung *rungs;           /* by level minus lowest */
    uint64_t *counts;         /* by code: records */
    uint32_t full;            /* what a dropped record loses */
    uint32_t leaves, root;    /* what a dropped record loses by NCP and by the distortion ratio */
    uint64_t top;             /* of what a loss of one counts for, as a fraction */
    bt_wide bottom;
    size_t word; /* its place in a key */
    unsigned shift;
    uint64_t mask;
} bt_scale;

typedef struct bt_lattice {
    size_t columns;
    size_t stride; /* of a node: levels, and zeros up to a multiple of four */
    size_t words;  /* of a key: the codes of a group, one field for each column */
    bt_scale *scales;
    bt_goal goal;
    int64_t rows;    /* of the table: records, or tuples with counts */
    int64_t kept;    /* records of the table */
    int64_t records; /* of the input */
    bool separable;  /* the goal adds up over columns */
    size_t terms;    /* of a price: one for each column if so, else one */
    int64_t nodes;   /* saturates */
    const bt_column **quasi;
    bt_arena arena;
} bt_lattice;

/* Released by the caller, also after a failure. */
BT_MUST_USE bauta_status bt_lattice_make(const bt_method_job *job, bt_goal goal, bt_lattice *out,
                                         bauta_error *error);
void bt_lattice_release(bt_lattice *lattice);

static inline const bt_rung *bt_rung_at(const bt_scale *scale, uint32_t level)
{
    return &scale->rungs[level - scale->lowest];
}

/* What a value becomes at a level. */
typedef struct bt_cell_at {
    uint32_t first;          /* code of its node */
    uint32_t leaves, height; /* what NCP and the distortion ratio count for it */
} bt_cell_at;

bt_cell_at bt_cell_of(const bt_scale *scale, uint32_t code, uint32_t level);

static inline uint32_t bt_key_code(const bt_scale *scale, const uint64_t *key)
{
    return (uint32_t)(key[scale->word] >> scale->shift & scale->mask);
}

/* Whether node `a` is `b` or above it. Four levels are compared at once: none reaches 2^15. */
static inline bool bt_is_above(const bt_lattice *lattice, const uint16_t *a, const uint16_t *b)
{
    const uint64_t high = 0x8000800080008000u;
    for (size_t i = 0; i < lattice->stride; i += 4) {
        uint64_t x, y;
        memcpy(&x, a + i, sizeof x);
        memcpy(&y, b + i, sizeof y);
        if ((((x | high) - y) & high) != high) return false;
    }
    return true;
}

static inline bool bt_is_same(const bt_lattice *lattice, const uint16_t *a, const uint16_t *b)
{
    return memcmp(a, b, lattice->stride * sizeof *a) == 0;
}

/* ---- what nodes cost (incognito_price.c) ---- */

/* What is lost, as the goal counts it: a sum of terms, each times top/bottom of its column. `near`
 * is that sum times 2^64, less than `terms` too low: enough to tell most prices apart. */
typedef struct bt_price {
    bt_wide near;
    uint64_t *terms;
} bt_price;

/* bt_price.near of one term. */
bt_wide bt_near(uint64_t term, uint64_t top, bt_wide bottom);
bt_wide bt_near_all(const bt_lattice *lattice, const uint64_t *terms);

/* -1, 0, 1: exact. `scratch` has room for twice as many numbers as there are terms. */
int bt_price_compare(const bt_lattice *lattice, const bt_price *a, const bt_price *b,
                     bt_wide *scratch);

/* No less than this is lost at a node, however few records are dropped. */
bt_wide bt_near_at_least(const bt_lattice *lattice, const uint16_t *levels, int64_t least);

/* ---- groups of records (incognito_counts.c) ---- */

/* What is counted of records beside their number. */
typedef enum bt_counted { BT_COUNT_SIZES, BT_COUNT_PROFILES, BT_COUNT_ROWS } bt_counted;

typedef struct bt_count_job {
    const bt_lattice *lattice;
    const bt_people *people;
    bt_counted counted;
    const bt_run *run;
} bt_count_job;

/* The groups of a node, in no order that means anything. */
typedef struct bt_counts {
    uint32_t groups;
    uint64_t *keys;   /* groups * words */
    uint64_t *sizes;  /* records */
    uint32_t *starts; /* groups + 1 places in `values`; NULL: only sizes matter */
    uint32_t *values; /* profiles, or rows where persons are counted by rows */
    uint64_t *counts; /* of each of them; NULL: rows */
    uint16_t *levels; /* the node */
    size_t groups_room, starts_room, values_room, counts_room;
} bt_counts;

void bt_counts_release(bt_counts *counts);
size_t bt_counts_bytes(const bt_counts *counts);

/* Without groups yet, but with room for them. */
BT_MUST_USE bauta_status bt_counts_new(const bt_count_job *job, const uint16_t *levels,
                                       size_t groups, size_t entries, bt_counts *out,
                                       bauta_error *error);

/* A copy that takes no more room than it needs. */
BT_MUST_USE bauta_status bt_counts_copy(const bt_count_job *job, const bt_counts *from,
                                        bt_counts *out, bauta_error *error);

/* One per worker. */
typedef struct bt_roller {
    uint32_t *slots;
    uint64_t *lifted;
    uint32_t *target; /* after bt_counts_roll: by group, the one it went to */
    uint32_t *place;  /* by profile */
    uint64_t *cells;  /* by group and profile */
    size_t slots_room, lifted_room, target_room, cells_room;
    unsigned bits; /* of places in `slots` */
} bt_roller;

void bt_roller_release(bt_roller *roller);

static inline uint64_t bt_key_hash(const uint64_t *key, size_t words)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < words; i++)
        hash = bt_hash_mix(hash, key[i]);
    return hash; /* its high bits serve a hash table */
}

static inline bool bt_key_same(const uint64_t *a, const uint64_t *b, size_t words)
{
    for (size_t i = 0; i < words; i++)
        if (a[i] != b[i]) return false;
    return true;
}

/* The keys of rows from..to-1 of the table at a node. */
void bt_keys_of_rows(const bt_lattice *lattice, const uint16_t *levels, int64_t from, int64_t to,
                     uint64_t *keys);

/* Leaves the groups for which keep[group] is true, and with them their numbers. */
void bt_counts_keep(const bt_count_job *job, bt_counts *counts, const bool *keep,
                    uint32_t *numbers);

/* The groups of all records of the table at a node (incognito_rows.c). Released by the caller, also
 * after a failure. */
BT_MUST_USE bauta_status bt_counts_make(const bt_count_job *job, const uint16_t *levels,
                                        bt_counts *out, bauta_error *error);

/* Whether there can be but few pairs of key and profile, and then the same (incognito_cells.c). */
enum { BT_CELLS_MOST = 1 << 20 };

bool bt_cells_fit(const bt_count_job *job, const uint16_t *levels);
BT_MUST_USE bauta_status bt_cells_count(const bt_count_job *job, const uint16_t *levels,
                                        bt_counts *out, bauta_error *error);

/* The groups at a node from those at one below it; `out` keeps its memory from use to use. */
BT_MUST_USE bauta_status bt_counts_roll(const bt_count_job *job, const bt_counts *from,
                                        const uint16_t *levels, bt_roller *roller, bt_counts *out,
                                        bauta_error *error);

/* ---- trying a node (incognito_judge.c) ---- */

typedef struct bt_judge {
    bt_count_job count;
    const bt_requirements *requirements;
    int64_t least;    /* no smaller group satisfies */
    int64_t allowed;  /* records that may be dropped */
    bool final;       /* a node that fails has none below it that satisfies */
    bool relative;    /* groups are compared with the whole table; */
    bool rebinds;     /* dropping records changes that */
    uint16_t *floors; /* levels: a node with a lower one fails, and so do all below it */
    bt_wide bottom;   /* no less is lost at any node */
} bt_judge;

/* Released by the caller, also after a failure. */
BT_MUST_USE bauta_status bt_judge_make(const bt_method_job *job, const bt_lattice *lattice,
                                       bt_judge *out, bauta_error *error);
void bt_judge_release(bt_judge *judge);

/* What came of a node. */
typedef struct bt_trial {
    bool satisfies; /* with at most as many records dropped as are allowed */
    bool dead;      /* no node below is wanted: none satisfies, or none is good enough */
    int64_t dropped;
    uint32_t classes;  /* if it satisfies: their number, */
    uint64_t smallest; /* the size of the smallest, */
    uint64_t squares;  /* the sum of their squared sizes */
    bt_price price;    /* if it satisfies */
    bt_wide beneath;   /* no less is lost at any node below by dropping records alone */
} bt_trial;

/* One per worker. */
typedef struct bt_juror {
    bt_tally *tally;
    uint32_t *codes;   /* of one sensitive column */
    uint64_t *counts;  /* by code of it; zero between uses */
    uint8_t *outlooks; /* of each group, after a trial */
    size_t outlooks_room;
    uint64_t *kept_terms; /* room for the terms of a price */
    /* when requirements are bound to what is left */
    bt_people people;
    bt_requirements requirements;
    bt_tally *rest_tally;
    bt_arena arena, bound;
} bt_juror;

BT_MUST_USE bauta_status bt_juror_make(const bt_judge *judge, bt_juror *out, bauta_error *error);
void bt_juror_release(bt_juror *juror);

/* Judges the groups of a node. What is lost matters only as far as it is below `limit`.
 * out->price.terms has room. */
BT_MUST_USE bauta_status bt_try(const bt_judge *judge, const bt_counts *counts, bt_wide limit,
                                bt_juror *juror, bt_trial *out, bauta_error *error);

/* Whether some groups together satisfy as one class. */
BT_MUST_USE bauta_status bt_try_together(const bt_judge *judge, const bt_counts *counts,
                                         const uint32_t *groups, size_t count, bt_juror *juror,
                                         bool *good, bauta_error *error);

/* ---- counting many nodes (incognito_steps.c) ---- */

/* Groups that others are rolled up from, kept while there is room for them. */
typedef struct bt_steps bt_steps;

BT_MUST_USE bauta_status bt_steps_new(const bt_judge *judge, bt_steps **out, bauta_error *error);
void bt_steps_free(bt_steps *steps);

/* The groups of one node. */
BT_MUST_USE bauta_status bt_steps_roll(bt_steps *steps, const uint16_t *levels, bt_counts *out,
                                       bauta_error *error);

/* Makes ready for nodes that are soon tried: the more at once, the less is counted twice. */
BT_MUST_USE bauta_status bt_steps_prepare(bt_steps *steps, const uint16_t *const *nodes,
                                          size_t count, bauta_error *error);

/* Tries nodes (nodes[i] to out[i]). Several at a time; what comes out does not depend on it.
 * Without `deadline` (0) all of them; else *done is how many, from the first on, were tried. */
BT_MUST_USE bauta_status bt_steps_try(bt_steps *steps, const uint16_t *const *nodes, size_t count,
                                      bt_wide limit, double deadline, bt_trial *out, size_t *done,
                                      bauta_error *error);

/* ---- searching (incognito_search.c) ---- */

typedef struct bt_budget {
    int64_t nodes;   /* nodes that may be tried; INT64_MAX: as many as it takes */
    double deadline; /* of bt_seconds; 0: none */
} bt_budget;

typedef struct bt_found { /* a node that satisfies */
    uint16_t *levels;
    bt_trial trial;
    bool minimal; /* proven: no node below it satisfies */
} bt_found;

typedef struct bt_search {
    const bt_judge *judge;
    bt_steps *steps;
    bt_budget budget;
    /* out */
    bt_found *found; /* without dropping records: the minimal nodes; else the best one alone */
    size_t count, room;
    size_t best; /* in `found` */
    int64_t tried;
    bool proven;
    uint16_t *dead; /* nodes that were tried, and below which none satisfies */
    size_t dead_count, dead_room;
    bt_wide *scratch; /* for prices */
    bt_arena arena;
} bt_search;

/* Released by the caller, also after a failure. No node may satisfy: then `count` is 0. */
BT_MUST_USE bauta_status bt_search_run(bt_search *search, bauta_error *error);
void bt_search_release(bt_search *search);

/* Keeps a node that satisfies: all of them, or the best one; *kept: this one (incognito_found.c).
 */
BT_MUST_USE bauta_status bt_search_keep(bt_search *search, const uint16_t *levels,
                                        const bt_trial *trial, bool all, bool *kept,
                                        bauta_error *error);
/* Keeps a node below which, itself included, none satisfies. */
BT_MUST_USE bauta_status bt_search_bury(bt_search *search, const uint16_t *levels,
                                        bauta_error *error);
/* Leaves only the kept nodes that have no kept node below, says which of them are proven to be
 * minimal, and finds the best. */
BT_MUST_USE bauta_status bt_search_keep_minimal(bt_search *search, bauta_error *error);

/* ---- classes (incognito_classes.c) ---- */

enum { BT_NO_CLASS = UINT32_MAX };

/* Puts every record into the class of its group, or into none. All groups of the table are there;
 * each of the classes has a record. They are numbered anew, by their first rows, in class_of too.
 * Neither floors nor nodes are set. */
BT_MUST_USE bauta_status bt_classes_make(const bt_count_job *job, const bt_counts *groups,
                                         const uint32_t *class_of, uint32_t classes,
                                         bt_grouping *out, bauta_error *error);
/* bt_classes_make where the class of each row is known; row_class is numbered anew. */
BT_MUST_USE bauta_status bt_classes_of_rows(const bt_count_job *job, uint32_t *row_class,
                                            uint32_t classes, bt_grouping *out, bauta_error *error);

/* ---- telling (incognito_notes.c) ---- */

/* Tells of a search: levels, lattice and private/lattice.csv. */
BT_MUST_USE bauta_status bt_search_tell(const bt_search *search, const bt_method_job *job,
                                        bauta_error *error);

/* ---- local recoding ---- */

/* What is put into classes are units: records, or all records that agree in every column. */
typedef struct bt_local_class {
    uint32_t first; /* unit; the others follow in bt_local.next */
    uint32_t units, size;
    uint64_t loss; /* of each record; in fixed point */
} bt_local_class;

typedef struct bt_local {
    const bt_method_job *job;
    const bt_judge *judge;
    const bt_lattice *lattice;
    bt_counts units;
    bool single;             /* a unit is a record: unit and row have the same number */
    const uint32_t ***first; /* by column, level minus lowest, and code: first code of the node */
    const uint32_t ***loss;  /* by column, level minus lowest, and code: what a record loses */
    uint64_t **mean;         /* by column and level minus lowest: what all lose on average */
    uint64_t full;           /* what a dropped record loses */
    uint32_t *class_of;      /* by unit, or BT_NO_CLASS */
    uint32_t *next;          /* by unit, or BT_NO_CLASS */
    bt_local_class *classes; /* some may have become empty */
    uint16_t *levels;        /* by class: a node at which its units are one group */
    size_t count, classes_room, levels_room;
    bt_juror juror;
    uint32_t *list; /* room for all units */
    int64_t visited;
    bool stopped; /* by the budget */
    bt_arena arena;
} bt_local;

BT_MUST_USE bauta_status bt_recode_locally(const bt_method_job *job, const bt_judge *judge,
                                           bt_grouping *out, bauta_error *error);

static inline uint16_t *bt_local_levels(const bt_local *local, size_t class_number)
{
    return local->levels + class_number * local->lattice->stride;
}

static inline const uint64_t *bt_unit_key(const bt_local *local, uint32_t unit)
{
    return local->units.keys + (size_t)unit * local->lattice->words;
}

/* What a record with a key loses at a node. */
uint64_t bt_local_loss(const bt_local *local, const uint64_t *key, const uint16_t *levels);

/* A new class without units; then a unit that is in no class for it. */
BT_MUST_USE bauta_status bt_local_add(bt_local *local, const uint16_t *levels, uint64_t loss,
                                      uint32_t *out, bauta_error *error);
void bt_local_put(bt_local *local, uint32_t class_number, uint32_t unit);
void bt_local_take(bt_local *local, uint32_t unit); /* out of its class */
/* Lists the units of a class. */
size_t bt_local_list(const bt_local *local, uint32_t class_number, uint32_t *out);

/* Which records can be lent at a node (incognito_borrow.c). */
typedef struct bt_lender bt_lender;

/* *out is NULL when that would take too much memory. */
BT_MUST_USE bauta_status bt_lender_new(const bt_local *local, bt_lender **out, bauta_error *error);
void bt_lender_free(bt_lender *lender);
/* Says anew whether the units of a class can be lent: it has more records than it needs. */
void bt_lender_update(bt_lender *lender, uint32_t class_number);
/* Whether at least so many units that can be lent have the nodes of a key. `found` has a bit for
 * each unit. */
bool bt_lender_has(const bt_lender *lender, const uint64_t *key, const uint16_t *levels,
                   uint32_t needed, uint64_t *found);
/* Completes units that agree at a node, each of which loses `loss` there, with borrowed ones, as
 * long as this costs at most `limit` for each of them. They are in local->list; *found: it worked,
 * and they are a class. */
BT_MUST_USE bauta_status bt_borrow(bt_local *local, bt_lender *lender, size_t count,
                                   const uint16_t *levels, uint64_t loss, uint64_t limit,
                                   bool *found, bauta_error *error);

/* Releases classes until nothing more can be released (incognito_release.c). */
BT_MUST_USE bauta_status bt_local_release(bt_local *local, const bt_budget *budget,
                                          bauta_error *error);

/* What it costs to put a unit into a class (incognito_move.c). */
typedef struct bt_mover bt_mover;

BT_MUST_USE bauta_status bt_mover_new(bt_local *local, bt_mover **out, bauta_error *error);
void bt_mover_free(bt_mover *mover);
/* How often a unit was compared with a class. */
int64_t bt_mover_compared(const bt_mover *mover);

/* Gives a class the lowest levels at which its units are one group. Must be done once for every
 * class before anything else. */
BT_MUST_USE bauta_status bt_mover_tighten(bt_mover *mover, uint32_t class_number,
                                          bauta_error *error);

typedef struct bt_home { /* a class for a unit */
    uint32_t class_number;
    uint64_t costs; /* what all records of the class, the unit's too, lose more */
    uint64_t loss;  /* of each then */
} bt_home;

/* Finds the class where a unit costs least, less than `most`, of those that are not barred. */
bool bt_mover_find(bt_mover *mover, uint32_t unit, const bool *barred, uint64_t most, bt_home *out);
/* Whether a class satisfies with a unit, or (more = false) without it. */
BT_MUST_USE bauta_status bt_mover_holds(bt_mover *mover, uint32_t class_number, uint32_t unit,
                                        bool more, bool *good, bauta_error *error);
/* Puts a unit into a class, whose levels follow; those of the one it leaves do not. */
BT_MUST_USE bauta_status bt_mover_join(bt_mover *mover, uint32_t unit, uint32_t class_number,
                                       bauta_error *error);

/* Whether max-level lets two units be in one class. */
bool bt_mover_may_meet(const bt_mover *mover, uint32_t a, uint32_t b);
/* What a record loses when two classes become one; UINT64_MAX: they cannot. */
uint64_t bt_mover_together(const bt_mover *mover, uint32_t a, uint32_t b);

/* Moves units where they lose less (incognito_improve.c). */
BT_MUST_USE bauta_status bt_local_improve(bt_local *local, bt_mover *mover, bauta_error *error);

/* Puts units that are in no class into one, or leaves them out (incognito_join.c). */
BT_MUST_USE bauta_status bt_local_join(bt_local *local, bt_mover *mover, bauta_error *error);

#endif

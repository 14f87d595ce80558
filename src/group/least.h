/* SPDX-License-Identifier: Apache-2.0
 *
 * The inside of the method `least` (least*.c). Only these files include this.
 *
 * Records are points in the space of group/cluster.h. The table is cut into blocks of records that
 * are near each other (least_cut.c), and each block is grouped by itself: classes are grown around
 * records (least_grow.c), then dissolved, exchanged and grown again as long as the loss falls
 * (least_improve.c). least_block.c has what these share: boxes, losses, and trials that are taken
 * back when they do not pay.
 */
#ifndef BT_LEAST_H
#define BT_LEAST_H

#include "group/cluster.h"
#include "recipe/cell.h"

enum { BT_LEAST_NONE = UINT32_MAX };

typedef struct bt_least {
    const bt_method_job *job;
    bt_cluster_space space;
    uint32_t **node_loss; /* per axis that is a tree: per node; else NULL */
    uint32_t *points;     /* axes coordinates for each record, in the order of `rows` */
    uint32_t *rows;       /* of the table: block by block */
    uint32_t least;       /* persons that a class has at least */
    uint32_t most;        /* records that a block should have at most */
    uint32_t effort;
    bool counted;               /* persons are counted, or their values: by a tally */
    const uint32_t *profile_of; /* per row; NULL: only sizes matter */
} bt_least;

/* ---- cutting ---- */

typedef struct bt_least_cutter bt_least_cutter; /* one per worker */
BT_MUST_USE bauta_status bt_least_cutter_new(const bt_least *least, bt_least_cutter **out,
                                             bauta_error *error);
void bt_least_cutter_free(bt_least_cutter *cutter);

/* Divides the records start..end-1 in two, both of which satisfy, and puts the first `*left` of
 * them in front. *left is 0 when there is no such division. */
BT_MUST_USE bauta_status bt_least_cut(bt_least_cutter *cutter, uint32_t start, uint32_t end,
                                      uint32_t *left, bauta_error *error);

/* ---- one block ---- */

typedef struct bt_least_candidate { /* a record that a class may grow by */
    uint64_t loss;
    uint32_t record;
} bt_least_candidate;

typedef struct bt_least_view { /* one axis, as a block sees it */
    const bt_cluster_axis *axis;
    const uint32_t *node_loss;
    uint32_t *place;                   /* per record: its coordinate */
    uint32_t *local;                   /* sets: per record, the number of its value in the block */
    uint32_t missing;                  /* sets: the number of the missing value, or BT_LEAST_NONE */
    size_t at;                         /* where the axis begins in a box */
    size_t words;                      /* of 64 bits, that it takes there */
    uint32_t loss_of[BT_SET_MOST + 1]; /* sets: of so many members, none of them missing */
} bt_least_view;

/* A box is an array of 64-bit words, axis by axis. Numbers: the least place, and the greatest in
 * the upper half. Trees: the node. Sets: how many members, with bit 32 for the missing value, then
 * a bit for each member. */
typedef struct bt_least_block {
    const bt_least *least;
    uint32_t count;       /* records */
    const uint32_t *rows; /* of the table */
    size_t axes, words;   /* words of a box */
    bt_least_view *views;
    bt_tally *tally; /* NULL: only sizes matter */
    uint32_t *caps;  /* per sensitive column: how often a value may occur in a new class */

    uint32_t listed;  /* neighbours per record */
    uint32_t *list;   /* count * listed: the nearest ones first */
    uint64_t *bounds; /* per record: what one record of any class with it loses at least */

    uint32_t slots;                  /* room for classes; size 0: there is none */
    uint32_t *class_of;              /* per record; BT_LEAST_NONE: not yet in one */
    uint32_t *next, *before, *heads; /* members of classes as chains */
    uint32_t *sizes;
    uint64_t *losses; /* of one record of the class */
    uint64_t *boxes;  /* slots * words */

    /* the trial under way */
    uint32_t stamp;
    uint32_t *touched_in; /* per slot: the stamp of the trial that touched it last */
    uint32_t *touched, *old_sizes;
    bool *dirty;         /* per slot: its box has to be made anew */
    uint64_t *old_boxes; /* per touched class */
    uint64_t *old_losses;
    uint32_t touched_count;
    uint32_t *moved, *moved_from; /* a stack */
    size_t moved_count, moved_room;

    /* what functions note while they look for something */
    uint32_t *seen_in; /* per slot: the search that met it last */
    uint32_t search;
    uint64_t *spare;                       /* some boxes */
    struct bt_least_candidate *candidates; /* as many as are listed */
    bt_arena arena;
} bt_least_block;

/* Groups the records start..end-1, which satisfy as one class. Puts class after class and notes in
 * `sizes`, which has room for all records, how many each has; *classes is their number. */
BT_MUST_USE bauta_status bt_least_solve(const bt_least *least, uint32_t start, uint32_t end,
                                        bt_tally *tally, uint32_t *sizes, uint32_t *classes,
                                        bauta_error *error);

/* Boxes: of one record, with one more, of two; what one record of them loses. */
void bt_least_box(const bt_least_block *block, uint32_t record, uint64_t *box);
void bt_least_widen(const bt_least_block *block, uint64_t *box, uint32_t record);
void bt_least_unite(const bt_least_block *block, uint64_t *box, const uint64_t *other);
uint64_t bt_least_loss(const bt_least_block *block, const uint64_t *box);
/* What one record loses when the box has one record more; what is above `limit` is not exact. */
uint64_t bt_least_loss_with(const bt_least_block *block, const uint64_t *box, uint32_t record,
                            uint64_t limit);

static inline uint64_t *bt_least_box_of(const bt_least_block *block, uint32_t slot)
{
    return block->boxes + slot * block->words;
}

/* A trial: records are moved, the boxes are made anew, and then all is kept or taken back. */
void bt_least_begin(bt_least_block *block);
BT_MUST_USE bauta_status bt_least_move(bt_least_block *block, uint32_t record, uint32_t slot,
                                       bauta_error *error);
/* By how much the loss of all records changes. */
int64_t bt_least_settle(bt_least_block *block);
/* Whether all classes that were touched satisfy. */
BT_MUST_USE bauta_status bt_least_holds(bt_least_block *block, bool *holds, bauta_error *error);
void bt_least_undo(bt_least_block *block);

BT_MUST_USE bauta_status bt_least_satisfies(bt_least_block *block, uint32_t slot, bool *out,
                                            bauta_error *error);
/* A class that has no records. */
uint32_t bt_least_empty_slot(const bt_least_block *block);
/* Where the record costs least among the classes of its neighbours, but not in `own` nor in those
 * that the trial has emptied; with `everywhere` among all. *cost is by how much their loss grows.
 */
uint32_t bt_least_cheapest(bt_least_block *block, uint32_t record, uint32_t own, bool everywhere,
                           int64_t *cost);

/* Grows a class around a record by listed records, with `free_only` only by those in no class.
 * `members` has room for all listed and one more; *count is 0 when none can be grown that
 * satisfies. *loss is that of one record. */
BT_MUST_USE bauta_status bt_least_grow(bt_least_block *block, uint32_t record, bool free_only,
                                       uint32_t *members, uint32_t *count, uint64_t *loss,
                                       bauta_error *error);

/* Puts every record into a class. */
BT_MUST_USE bauta_status bt_least_start(bt_least_block *block, bauta_error *error);
/* Makes the loss of all records less, with so many new classes tried for each record. */
BT_MUST_USE bauta_status bt_least_improve(bt_least_block *block, bt_stream *stream, uint64_t trials,
                                          bauta_error *error);

#endif

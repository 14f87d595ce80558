/* SPDX-License-Identifier: Apache-2.0
 *
 * The inside of the method `cluster` (cluster*.c), and its space in which records are points and
 * losses are distances, which `least` has too. Only the files of these two include this.
 *
 * A coordinate is a 32-bit number. In a column of numbers or dates without a hierarchy it is the
 * weighed place between the least and the greatest, so that a difference is a loss; elsewhere it is
 * the code. Losses are weighed and in fixed point (class/loss.h).
 */
#ifndef BT_CLUSTER_H
#define BT_CLUSTER_H

#include "class/loss.h"
#include "class/steer.h"
#include "group/method.h"

enum { BT_NOWHERE = UINT32_MAX }; /* the place of a missing number */

typedef enum bt_cluster_axis_kind {
    BT_AXIS_NUMBER,
    BT_AXIS_TREE,
    BT_AXIS_SET
} bt_cluster_axis_kind;

typedef struct bt_cluster_axis { /* a quasi column */
    bt_cluster_axis_kind kind;
    const bt_column *column;
    uint32_t *place; /* per code: its coordinate */
    uint32_t all;    /* the loss of "*" */
    uint32_t present;
    size_t set; /* BT_AXIS_SET: its place among those */
} bt_cluster_axis;

typedef struct bt_cluster_space {
    size_t axes, sets;
    bt_cluster_axis *axis;
    const bt_column **quasi;
} bt_cluster_space;

BT_MUST_USE bauta_status bt_cluster_space_make(const bt_table *table, bt_cluster_space *out,
                                               bauta_error *error);
void bt_cluster_space_release(bt_cluster_space *space);

/* What cells lose that hold two points. */
uint64_t bt_cluster_distance(const bt_cluster_space *space, const uint32_t *a, const uint32_t *b);

/* The extent of some points on each axis: the ends between numbers; in .lo the node that covers; of
 * sets nothing, since their members are held elsewhere. */
void bt_cluster_extent(const bt_cluster_space *space, const uint32_t *point, bt_box *extent);

/* What a cell loses: of an axis that is no set, and of a set. */
static inline uint32_t bt_cluster_number_loss(const bt_cluster_axis *axis, bt_box extent)
{
    return extent.lo == extent.hi ? 0 : extent.hi == BT_NOWHERE ? axis->all : extent.hi - extent.lo;
}
uint32_t bt_cluster_node_loss(const bt_cluster_axis *axis, uint32_t node);
/* `missing`: the missing value is among the members. */
uint32_t bt_cluster_members_loss(const bt_cluster_axis *axis, uint32_t members, bool missing);

/* The lowest node that covers a node and another one, or a code. */
uint32_t bt_cluster_node_with(const bt_cluster_axis *axis, uint32_t node, uint32_t other);
uint32_t bt_cluster_node_over(const bt_cluster_axis *axis, uint32_t node, uint32_t code);

/* Puts the rows of each class in ascending order and finds its box: what is left to do when a
 * method has filled in `order` and `starts`. */
BT_MUST_USE bauta_status bt_cluster_boxes(const bt_cluster_space *space, const bt_run *run,
                                          bt_grouping *grouping, bauta_error *error);

/* ---- the records, and the work on them ---- */

typedef struct bt_cluster {
    const bt_method_job *job;
    bt_cluster_space space;
    uint32_t *points; /* axes coordinates for each record, in the order of `rows` */
    uint32_t *rows;   /* of the table: part by part, in each in a random order at first */
    int64_t least;
    bool size_only;
} bt_cluster;

/* Divides the records start..end-1 in two and puts the first `*left` of them in front: the most
 * distant pair, and each other record with the one of the two where all lose least. *left is 0 when
 * all records are alike. With `halve` both sides have half of them. */
typedef struct bt_splitter bt_splitter; /* one per worker */
BT_MUST_USE bauta_status bt_splitter_new(const bt_cluster *cluster, bt_splitter **out,
                                         bauta_error *error);
void bt_splitter_free(bt_splitter *splitter);
BT_MUST_USE bauta_status bt_cluster_split(bt_splitter *splitter, uint32_t start, uint32_t end,
                                          bool halve, uint32_t *left, bauta_error *error);

/* Merges the groups of one part until each satisfies. */
typedef struct bt_merge_job {
    const bt_cluster *cluster;
    const uint32_t *starts; /* of groups, places in `rows`; and one more */
    uint32_t count;
    bool borrow;
    uint32_t *next;  /* per place: the next one of its group; UINT32_MAX: none. To be filled */
    uint32_t *heads; /* per group: its first place; UINT32_MAX: it was merged. To be filled */
} bt_merge_job;
BT_MUST_USE bauta_status bt_cluster_merge(const bt_merge_job *job, bauta_error *error);

#endif

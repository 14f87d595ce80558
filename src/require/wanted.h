/* SPDX-License-Identifier: Apache-2.0
 *
 * Wanted distributions as weights per code of a space, before they are rounded to a tree. Only the
 * files that make targets include this.
 */
#ifndef BT_WANTED_H
#define BT_WANTED_H

#include "require/targets.h"

/* The scale of weights that are computed: the most probable value gets about this much. */
#define BT_WANTED_SCALE 0x1p40

/* Fills `weights` with a uniform, normal or Zipf distribution over all codes of the space. A value
 * gets at least 1, however improbable. */
BT_MUST_USE bauta_status bt_wanted_weights(const bt_wanted *wanted, const bt_space *space,
                                           uint64_t *weights, bauta_error *error);

/* From probabilities (0: none) to weights. */
void bt_wanted_scaled(const double *chance, uint32_t codes, uint64_t *weights);

/* The nearest to the group's own that satisfies, see closest.c. */
BT_MUST_USE bauta_status bt_closest(const bt_target_maker *maker, const bt_held *held,
                                    size_t distinct, bt_arena *arena, bt_target *out,
                                    double *distance, bauta_error *error);

/* Makes, rounds and judges a target for `weights`. */
BT_MUST_USE bauta_status bt_target_try(const bt_target_maker *maker, const uint64_t *weights,
                                       bt_arena *arena, bt_target *out, bool *holds,
                                       const bt_requirement_instance **failed, bauta_error *error);

#endif

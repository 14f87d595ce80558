/* SPDX-License-Identifier: Apache-2.0
 *
 * The commands, as src/api calls them: each puts what it found out into `facts`, which the caller
 * has made and releases, also after a failure. bauta.h says what each does. A recipe is never NULL
 * here; nor is anything else that bauta.h asks for.
 */
#ifndef BT_COMMANDS_H
#define BT_COMMANDS_H

#include "base/facts.h"
#include "recipe/recipe.h"

BT_MUST_USE bauta_status bt_do_anonymize(const bauta_recipe *recipe, const char *out,
                                         bt_facts *facts, bauta_error *error);
BT_MUST_USE bauta_status bt_do_preview(const bauta_recipe *recipe, const char *tries,
                                       bt_facts *facts, bauta_error *error);
BT_MUST_USE bauta_status bt_do_audit(const char *publish, const bauta_recipe *recipe,
                                     bt_facts *facts, bool *holds, bauta_error *error);
BT_MUST_USE bauta_status bt_do_measure(const char *const *releases, size_t count,
                                       const bauta_recipe *recipe, bt_facts *facts,
                                       bauta_error *error);
/* The root of `facts` is an array. */
BT_MUST_USE bauta_status bt_do_attack(const char *publish, const bauta_recipe *recipe,
                                      const char *const *arguments, size_t count, bt_facts *facts,
                                      bool *broken, bauta_error *error);
BT_MUST_USE bauta_status bt_do_describe(const bauta_recipe *recipe, bt_facts *facts,
                                        bauta_error *error);
BT_MUST_USE bauta_status bt_do_init(const bauta_recipe *recipe, bt_facts *facts,
                                    bauta_error *error);
BT_MUST_USE bauta_status bt_do_hierarchy(const bauta_recipe *recipe, const char *column,
                                         const char *write, bt_facts *facts, bauta_error *error);
/* `out` is the folder in which publish/ and private/ are. *good: the promises hold, and no attack
 * found out more than they allow. */
BT_MUST_USE bauta_status bt_do_page(const char *out, const bauta_recipe *recipe, bt_facts *facts,
                                    bool *good, bauta_error *error);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * `bauta audit`: opens a release, and the original when it is named, and hands out the findings.
 */
#include "audit/audit.h"

#include "job/commands.h"
#include "job/load.h"
#include "job/original.h"
#include "job/whole.h"

#include <sodium.h>

static bauta_status audit_release(bt_release *release, const bauta_recipe *recipe,
                                  const bt_run *run, bt_facts *facts, bool *holds,
                                  bauta_error *error)
{
    bt_audit_options options = {.run = run, .allow_experiment = recipe->allow_experiment};
    bt_original original = {0};
    bt_audit_original records;
    bt_seed key;
    bool has_key = false;
    bauta_status status = BAUTA_OK;
    if (recipe->publics.count > 0 && !release->form->join) {
        status = bt_fail(error, BAUTA_USAGE, "the release was made without a public table");
        bt_error_hint(error, "leave --public out");
        return status;
    }
    if (recipe->publics.count > 0 && recipe->inputs.count == 0) {
        status = bt_fail(error, BAUTA_USAGE, "the public table goes with the original records");
        bt_error_hint(error, "name their file with --original");
        return status;
    }
    if (recipe->subject.count > 0 && recipe->inputs.count == 0) {
        status = bt_fail(error, BAUTA_USAGE, "whose the rows are only the original can show");
        bt_error_hint(error, "name its file with --original, or leave --subject out");
        return status;
    }
    if (recipe->inputs.count > 0) {
        status = bt_original_load(recipe, release, BT_NEED_ALL, run, &original, error);
        records = (bt_audit_original){original.loaded.input_rows, &original.loaded.table,
                                      original.loaded.input, original.loaded.readings};
        options.original = &records;
        if (original.loaded.join) options.joined = &original.loaded.join->table;
        if (status == BAUTA_OK && release->form->redrawn)
            status = bt_whole_key(release, &key, &has_key, error);
        if (has_key) options.key = &key;
    }
    if (status == BAUTA_OK) status = bt_audit(release, &options, facts, holds, error);
    bt_original_release(&original);
    sodium_memzero(&key, sizeof key);
    return status;
}

bauta_status bt_do_audit(const char *publish, const bauta_recipe *recipe, bt_facts *facts,
                         bool *holds, bauta_error *error)
{
    bt_run run = {0};
    bt_release release = {0};
    bauta_status status = bt_run_open(recipe, &run, error);
    if (status == BAUTA_OK) status = bt_release_open(publish, &run, &release, error);
    if (status == BAUTA_OK) status = audit_release(&release, recipe, &run, facts, holds, error);
    bt_release_close(&release);
    bt_run_close(&run);
    return status;
}

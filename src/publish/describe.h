/* SPDX-License-Identifier: Apache-2.0
 *
 * What forms write into the manifest alike. Only src/publish may include this.
 */
#ifndef BT_DESCRIBE_FORM_H
#define BT_DESCRIBE_FORM_H

#include "publish/sheet.h"

/* The requirements as promises. */
BT_MUST_USE bauta_status bt_describe_promises(const bt_form_job *job, bt_manifest *manifest,
                                              bauta_error *error);

/* Name, role, type and scale of a column of a sheet that shows values or texts; of a sensitive one
 * also its given hierarchy and its categories, where those may be shown. */
BT_MUST_USE bauta_status bt_describe_column(const bt_form_job *job, const bt_sheet_column *from,
                                            bt_manifest_column *to, bauta_error *error);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta_synth: sample data.
 */
#include "synth/synth.h"
#include "base/status.h"

bauta_status bauta_synth(const char *kind, const char *const *arguments, size_t count,
                         const char *out, bauta_error *error)
{
    bt_error_clear(error);
    if (!kind || !out || (count && !arguments))
        return bt_fail(error, BAUTA_USAGE, "sample data needs a kind and a file to write");
    return bt_synth_run(kind, arguments, count, out, error);
}

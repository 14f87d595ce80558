/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta version.
 */
#include "command.h"

static bauta_status run(cli_session *session, bauta_error *error)
{
    (void)session;
    (void)error;
    printf("bauta %s\n", bauta_version());
    return BAUTA_OK;
}

const cli_command command_version = {
    .name = "version",
    .synopsis = "",
    .summary = "the version of this program",
    .details = "The same as 'bauta --version'.",
    .operands = OPERANDS_OWN,
    .run = run,
};

/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta help: the overview, or the help of a subcommand.
 */
#include "command.h"
#include "output.h"

static bauta_status run(cli_session *session, bauta_error *error)
{
    if (session->arguments.operand_count == 0) {
        print_overview(stdout);
        return BAUTA_OK;
    }
    const char *name = session->arguments.operands[0];
    const cli_command *wanted = find_command(name);
    if (!wanted) {
        bauta_status status = usage_error(error, "there is no command '%s'", name);
        usage_hint(error, "'bauta help' names them");
        return status;
    }
    return show_help(wanted, NULL, error);
}

const cli_command command_help = {
    .name = "help",
    .synopsis = "[COMMAND]",
    .summary = "this overview, or the help of a command",
    .details = "The same as 'bauta --help' and 'bauta COMMAND --help'.",
    .operands = OPERANDS_OWN,
    .most = 1,
    .run = run,
};

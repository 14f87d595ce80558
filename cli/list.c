/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta list: what there is to choose from.
 */
#include "command.h"

static const cli_option options[] = {
    {.name = "json", .help = "answer in JSON"},
    {0},
};

static bauta_status run(cli_session *session, bauta_error *error)
{
    const cli_arguments *given = &session->arguments;
    const char *registry = given->operand_count > 0 ? given->operands[0] : "registries";
    char wanted[256];
    bauta_report *report = NULL;
    bool one = given->operand_count > 1;
    snprintf(wanted, sizeof wanted, "%s%s%s", registry, one ? "/" : "",
             one ? given->operands[1] : "");
    bauta_status status = bauta_list(wanted, &report, error);
    return status == BAUTA_OK ? show_report(session, report, error) : status;
}

const cli_command command_list = {
    .name = "list",
    .synopsis = "[OPTION]... [LIST [ENTRY]]",
    .summary = "requirements, methods, forms, measures, experiments, keys",
    .details = "Without LIST, names the lists. With ENTRY, shows that one alone:\n\n"
               "  bauta list methods mondrian",
    .options = options,
    .operands = OPERANDS_OWN,
    .most = 2,
    .run = run,
};

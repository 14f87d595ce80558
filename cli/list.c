/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta list: what there is to choose from.
 */
#include "command.h"
#include "output.h"

#include <experiments.h>
#include <stdlib.h>

static const cli_option options[] = {
    {.name = "json", .help = "answer in JSON"},
    {0},
};

static bauta_status run(cli_session *session, bauta_error *error)
{
    const cli_arguments *given = &session->arguments;
    const char *registry = given->operand_count > 0 ? given->operands[0] : "registries";
    const char *entry = given->operand_count > 1 ? given->operands[1] : NULL;
    char *text = NULL;
    bauta_status status =
        ex_list(registry, entry, option_value(given, "json") != NULL, &text, error);
    if (status == BAUTA_OK) print_text(text);
    free(text);
    return status;
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

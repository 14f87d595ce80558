/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta describe: what a table looks like, and to someone who wants to single people out.
 */
#include "command.h"

static const cli_option options[] = {
    {.name = "recipe",
     .letter = 'r',
     .argument = "FILE",
     .help = "read roles and types from a recipe"},
    {.name = "json", .help = "answer in JSON"},
    {0},
};

static bauta_status run(cli_session *session, bauta_error *error)
{
    bauta_report *report = NULL;
    bauta_status status = bauta_describe(session->recipe, &report, error);
    return status == BAUTA_OK ? show_report(session, report, error) : status;
}

const cli_command command_describe = {
    .name = "describe",
    .synopsis = "[OPTION]... FILE...",
    .summary = "columns, distinct values, and what singles people out",
    .details = "Shows the columns of a table with type, distinct and missing values, how many\n"
               "records are unique, and the smallest sets of columns that single people out.\n"
               "With --require also how many classes of equal quasi values, and how many records\n"
               "in them, do not satisfy each requirement. With --risk also how easily records are\n"
               "traced to people, how many people are unique, and which columns contribute most.",
    .options = options,
    .sections = "input roles risk run",
    .also = "require joint",
    .operands = OPERANDS_INPUT,
    .most = SIZE_MAX,
    .run = run,
};

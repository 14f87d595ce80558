/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta describe: what a table looks like, and to someone who wants to single people out.
 */
#include "command.h"
#include "output.h"

static const cli_option options[] = {
    {.name = "recipe",
     .letter = 'r',
     .argument = "FILE",
     .help = "read roles and types from a recipe"},
    {.name = "json", .help = "answer in JSON"},
    {0},
};

/* A flag that would be ignored is refused; a recipe is for other commands, too. */
static bauta_status check_flags(const cli_arguments *given, bauta_error *error)
{
    static const char *const names[] = {"sampling-fraction", "risk-threshold"};
    bool asked = option_value(given, "risk") || option_value(given, "recipe");
    for (size_t i = 0; i < 2 && !asked; i++) {
        if (!option_value(given, names[i])) continue;
        usage_error(error, "'%s' is about the risk, which is not asked for", names[i]);
        usage_hint(error, "say --risk too");
        return BAUTA_USAGE;
    }
    return BAUTA_OK;
}

static bauta_status run(cli_session *session, bauta_error *error)
{
    bauta_report *report = NULL;
    bauta_status refused = check_flags(&session->arguments, error);
    if (refused != BAUTA_OK) return refused;
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

/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta hierarchy: build, check and show the hierarchy of a column.
 */
#include "command.h"
#include "output.h"

static const cli_option options[] = {
    {.name = "column", .letter = 'c', .argument = "COL", .help = "the column"},
    {.name = "recipe",
     .letter = 'r',
     .argument = "FILE",
     .help = "take input and hierarchy from a recipe"},
    {.name = "output", .letter = 'o', .argument = "FILE", .help = "write it as leaf;level1;...;*"},
    {.name = "force", .help = "replace the file if it is there"},
    {.name = "json", .help = "answer in JSON"},
    {0},
};

static bauta_status run(cli_session *session, bauta_error *error)
{
    const char *column = option_value(&session->arguments, "column");
    bauta_report *report = NULL;
    if (!column) {
        bauta_status missing = usage_error(error, "which column?");
        usage_hint(error, "say --column COL");
        return missing;
    }
    bauta_status status = BAUTA_OK;
    if (option_value(&session->arguments, "force"))
        status = bauta_recipe_set(session->recipe, "force", "yes", error);
    if (status == BAUTA_OK)
        status = bauta_hierarchy(session->recipe, column,
                                 option_value(&session->arguments, "output"), &report, error);
    return status == BAUTA_OK ? show_report(session, report, error) : status;
}

const cli_command command_hierarchy = {
    .name = "hierarchy",
    .synopsis = "[OPTION]... FILE... --column COL --hierarchy COL=SPEC",
    .summary = "build, check and show the hierarchy of a column",
    .details = "Builds the hierarchy over the column's values as they are in FILE, checks that it\n"
               "is a tree that covers them all, and shows its levels; -o writes it as a file to\n"
               "edit and to name in a recipe.",
    .options = options,
    .sections = "input roles run",
    .without = "quasi sensitive identifier other drop categories subject",
    .operands = OPERANDS_INPUT,
    .most = SIZE_MAX,
    .run = run,
};

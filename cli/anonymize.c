/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta anonymize: the main job.
 */
#include "command.h"
#include "output.h"
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {.name = "recipe",
     .letter = 'r',
     .argument = "FILE",
     .help = "read a recipe; flags override it"},
    {.name = "output",
     .letter = 'o',
     .argument = "FOLDER",
     .help = "where publish/ and private/ go"},
    {.name = "dry-run", .help = "group and measure, but write nothing"},
    {.name = "try",
     .argument = "NAME=VALUE,...",
     .help = "compare settings: k=3,5,10, group=mondrian,incognito; may be repeated"},
    {.name = "json", .help = "answer in JSON"},
    {0},
};

/* Every --try in a line of its own; NULL: there is none. */
static bauta_status join_tries(const cli_arguments *given, char **out, bauta_error *error)
{
    size_t room = 1, length = 0;
    for (size_t i = 0; i < given->given_count; i++)
        if (strcmp(given->given[i].option->name, "try") == 0)
            room += strlen(given->given[i].value) + 1;
    *out = NULL;
    if (room == 1) return BAUTA_OK;
    *out = malloc(room);
    if (!*out) return memory_error(error);
    for (size_t i = 0; i < given->given_count; i++)
        if (strcmp(given->given[i].option->name, "try") == 0)
            length += (size_t)snprintf(*out + length, room - length, "%s%s", length ? "\n" : "",
                                       given->given[i].value);
    return BAUTA_OK;
}

static bauta_status run(cli_session *session, bauta_error *error)
{
    const cli_arguments *given = &session->arguments;
    const char *folder = option_value(given, "output");
    bauta_report *report = NULL;
    char *tries;
    bool dry = option_value(given, "try") || option_value(given, "dry-run");
    if (given->operand_count == 0 && !option_value(given, "recipe") &&
        !option_value(given, "input")) {
        bauta_status status = usage_error(error, "nothing to anonymize");
        usage_hint(error, "name a table, or a recipe with -r");
        return status;
    }
    if (!dry && !folder) {
        bauta_status status = usage_error(error, "where shall the release go?");
        usage_hint(error, "say -o FOLDER, or --dry-run to write nothing");
        return status;
    }
    bauta_status status = join_tries(given, &tries, error);
    if (status == BAUTA_OK)
        status = dry ? bauta_preview(session->recipe, tries, &report, error)
                     : bauta_anonymize(session->recipe, folder, &report, error);
    free(tries);
    return status == BAUTA_OK ? show_report(session, report, error) : status;
}

const cli_command command_anonymize = {
    .name = "anonymize",
    .synopsis = "[OPTION]... FILE... -o FOLDER",
    .summary = "group the records, publish the groups, audit what was written",
    .details = "Makes FOLDER/publish, which can be handed out, and FOLDER/private, which cannot.\n"
               "Nothing appears unless the audit of the written files passed. Every column needs\n"
               "a role. Each flag below is also a key of a recipe (bauta init writes one).\n\n"
               "  bauta anonymize patients.csv --quasi age,zip,sex --sensitive disease \\\n"
               "      --identifier name --require k=5 -o out",
    .options = options,
    .sections = "input roles release run",
    .operands = OPERANDS_INPUT,
    .most = SIZE_MAX,
    .run = run,
};

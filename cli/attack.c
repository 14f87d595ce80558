/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta attack: what can be found out?
 */
#include "command.h"
#include "output.h"

#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {.name = "original", .argument = "FILE", .help = "the original records; may be repeated"},
    {.name = "recipe",
     .letter = 'r',
     .argument = "FILE",
     .help = "read the original as this recipe says"},
    {.name = "public",
     .argument = "FILE",
     .help = "the attacker has this table of people; may be repeated",
     .section = "release"},
    {.name = "know",
     .argument = "COL,...",
     .help = "the attacker knows only these columns (default: all quasi ones)"},
    {.name = "other-release",
     .argument = "FOLDER",
     .help = "the attacker has this release of an overlapping table, too"},
    {.name = "members",
     .argument = "N",
     .help = "the attacker knows N others of a class, or all it has (default: 1)"},
    {.name = "attack", .argument = "NAME,...", .help = "only these ('bauta list attacks')"},
    {.name = "all", .help = "say also of attacks that do not apply why not"},
    {.name = "json", .help = "answer in JSON"},
    {0},
};

/* What the library takes as "name=value". */
static const char *const passed[] = {"know", "other-release", "members", "attack", "all"};
enum { PASSED = sizeof passed / sizeof *passed };

static bauta_status attack(cli_session *session, char **arguments, size_t *count,
                           bauta_report **report, bauta_error *error)
{
    const cli_arguments *given = &session->arguments;
    for (size_t i = 0; i < PASSED; i++) {
        const char *value = option_value(given, passed[i]);
        if (!value) continue;
        size_t room = strlen(passed[i]) + strlen(value) + 2;
        arguments[*count] = malloc(room);
        if (!arguments[*count]) return memory_error(error);
        snprintf(arguments[(*count)++], room, "%s=%s", passed[i], value);
    }
    return bauta_attack(given->operands[0], session->recipe, (const char *const *)arguments, *count,
                        report, error);
}

/* A broken promise is an answer: it is shown, and the status says no. */
static bauta_status run(cli_session *session, bauta_error *error)
{
    bauta_report *report = NULL;
    char *arguments[PASSED] = {NULL};
    size_t count = 0;
    bauta_error showing;
    bauta_status status = attack(session, arguments, &count, &report, error);
    for (size_t i = 0; i < count; i++)
        free(arguments[i]);
    if (!report) return status;
    bauta_status shown = show_report(session, report, &showing);
    if (shown == BAUTA_OK) return status;
    *error = showing;
    return shown;
}

const cli_command command_attack = {
    .name = "attack",
    .synopsis = "[OPTION]... FOLDER/publish --original FILE",
    .summary = "try to find out more than a release promises",
    .details = "Tries known attacks on a release, as someone would who knows the quasi values of\n"
               "people, and compares what was guessed with the original records. What is broken\n"
               "comes first. Each line says how often an attack succeeds, what it would come to\n"
               "by chance, how sure it is of the person who is hit worst, and what the promises\n"
               "of the manifest allow.\n"
               "With --public the attacker has a table of people with the quasi columns. Of a\n"
               "release that was made with public tables name these, and give --key as then.\n"
               "Exit code 1: an attack found out more than the release promises.",
    .options = options,
    .sections = "input run",
    .without = "input type missing", /* the release says how columns are read */
    .also = "subject key on-conflict",
    .operands = OPERANDS_OWN,
    .least = 1,
    .most = 1,
    .run = run,
};

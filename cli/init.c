/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta init: a recipe to start from.
 */
#include "command.h"
#include "output.h"

#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {.name = "output", .letter = 'o', .argument = "FILE", .help = "write the recipe to this file"},
    {.name = "force", .help = "replace the file if it is there"},
    {.name = "json", .help = "answer in JSON"},
    {0},
};

/* File names in a recipe are relative to its folder: when that is not here, the input is named
 * by its full path. */
static bauta_status name_inputs(cli_session *session, bauta_error *error)
{
    const cli_arguments *given = &session->arguments;
    const char *output = option_value(given, "output");
    bool elsewhere = output && strchr(output, '/');
    bauta_status status = BAUTA_OK;
    for (size_t i = 0; i < given->operand_count && status == BAUTA_OK; i++) {
        const char *file = given->operands[i];
        char *full = elsewhere && strcmp(file, "-") != 0 ? realpath(file, NULL) : NULL;
        status = bauta_recipe_set(session->recipe, "input", full ? full : file, error);
        if (status == BAUTA_OK && output) status = refuse_input(output, file, error);
        free(full);
    }
    return status;
}

static bauta_status save(bauta_report *report, const char *file, bool force, bauta_error *error)
{
    char *text = NULL;
    bauta_status status = bauta_report_text(report, &text, error);
    if (status == BAUTA_OK) status = write_file(file, text, force, error);
    if (status == BAUTA_OK)
        printf("%s is written: read it, change what is wrong, then\n"
               "    bauta anonymize -r %s -o FOLDER\n",
               file, file);
    bauta_text_free(text);
    bauta_report_free(report);
    return status;
}

static bauta_status run(cli_session *session, bauta_error *error)
{
    bauta_report *report = NULL;
    const char *output = option_value(&session->arguments, "output");
    bauta_status status = name_inputs(session, error);
    if (status == BAUTA_OK) status = bauta_init(session->recipe, &report, error);
    if (status != BAUTA_OK) return status;
    if (!output || option_value(&session->arguments, "json"))
        return show_report(session, report, error);
    return save(report, output, option_value(&session->arguments, "force") != NULL, error);
}

const cli_command command_init = {
    .name = "init",
    .synopsis = "[OPTION]... FILE...",
    .summary = "look at a table and write a recipe with guessed roles",
    .details = "Guesses roles, types and hierarchies from the data and writes a recipe that says\n"
               "why. Read it, change what is wrong, then: bauta anonymize -r RECIPE -o FOLDER",
    .options = options,
    .sections = "input run",
    .without = "input",
    .operands = OPERANDS_OWN,
    .least = 1,
    .most = SIZE_MAX,
    .run = run,
};

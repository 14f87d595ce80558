/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta report: a page for people.
 */
#include "command.h"
#include "output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const cli_option options[] = {
    {.name = "original", .argument = "FILE", .help = "the original records; may be repeated"},
    {.name = "recipe",
     .letter = 'r',
     .argument = "FILE",
     .help = "read the original as this recipe says"},
    {.name = "output",
     .letter = 'o',
     .argument = "FILE",
     .help = "write the page to this file (default: FOLDER/private/report.html)"},
    {.name = "json", .help = "answer in JSON, and write no page"},
    {0},
};

static bauta_status save(bauta_report *report, const char *folder, const char *output,
                         bauta_error *error)
{
    char *text = NULL, *file = NULL;
    const char *place = output ? output : folder;
    if (asprintf(&file, "%s%s", place, output ? "" : "/private/report.html") < 0)
        return memory_error(error);
    bauta_status status = bauta_report_text(report, &text, error);
    mode_t usual = umask(077); /* the page is the owner's alone */
    if (status == BAUTA_OK) status = write_file(file, text, 1, error);
    umask(usual);
    if (status == BAUTA_OK) printf("%s is written: open it in a browser\n", file);
    bauta_text_free(text);
    bauta_report_free(report);
    free(file);
    return status;
}

static bauta_status run(cli_session *session, bauta_error *error)
{
    bauta_report *report = NULL;
    const cli_arguments *given = &session->arguments;
    const char *folder = given->operands[0], *output = option_value(given, "output");
    bauta_status status = bauta_page(folder, session->recipe, &report, error);
    if (!report) return status;
    bauta_error showing;
    bauta_status shown = option_value(given, "json") ? show_report(session, report, &showing)
                                                     : save(report, folder, output, &showing);
    if (shown == BAUTA_OK) return status;
    *error = showing;
    return shown;
}

const cli_command command_report = {
    .name = "report",
    .synopsis = "[OPTION]... FOLDER [--original FILE]",
    .summary = "one page of HTML for people: what was protected, from whom, at what cost",
    .details =
        "Writes FOLDER/private/report.html: what the release protects and what it does not,\n"
        "whether its promises hold, and, with --original, what was lost in which column, class\n"
        "sizes, and what attackers find out. The page needs no network and has no script.\n"
        "It is for the owner of the table; what is handed out is FOLDER/publish alone.\n"
        "Exit code 1: a promise does not hold, or an attack found out more than is allowed.",
    .options = options,
    .sections = "input audit run",
    .without = "input type missing", /* the release says how columns are read */
    .also = "subject public key on-conflict",
    .operands = OPERANDS_OWN,
    .least = 1,
    .most = 1,
    .run = run,
};

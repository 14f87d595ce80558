/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta audit: do the promises hold?
 */
#include "command.h"

static const cli_option options[] = {
    {.name = "original",
     .argument = "FILE",
     .help = "also compare with the original records; may be repeated"},
    {.name = "recipe",
     .letter = 'r',
     .argument = "FILE",
     .help = "read the original as this recipe says"},
    {.name = "json", .help = "answer in JSON"},
    {0},
};

/* A broken promise is an answer: it is shown, and the status says no. */
static bauta_status run(cli_session *session, bauta_error *error)
{
    bauta_report *report = NULL;
    bauta_status status =
        bauta_audit(session->arguments.operands[0], session->recipe, &report, error);
    if (!report) return status;
    bauta_error showing;
    bauta_status shown = show_report(session, report, &showing);
    if (shown == BAUTA_OK) return status;
    *error = showing;
    return shown;
}

const cli_command command_audit = {
    .name = "audit",
    .synopsis = "[OPTION]... FOLDER/publish",
    .summary = "recompute every promise of a release from its files alone",
    .details = "Opens a release cold, regroups its rows and checks each promise of its manifest.\n"
               "With --original it also checks that the published cells cover the original\n"
               "records, no more and no fewer; of a release made with a public table give\n"
               "--public and --key too. Exit code 1: a promise does not hold.",
    .options = options,
    .sections = "input audit run",
    .without = "input type missing", /* the release says how columns are read */
    .also = "subject public key on-conflict",
    .operands = OPERANDS_OWN,
    .least = 1,
    .most = 1,
    .run = run,
};

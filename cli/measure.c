/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta measure: what was lost.
 */
#include "command.h"

static const cli_option options[] = {
    {.name = "original", .argument = "FILE", .help = "the original records; may be repeated"},
    {.name = "recipe",
     .letter = 'r',
     .argument = "FILE",
     .help = "read the original as this recipe says"},
    {.name = "seed",
     .argument = "HEX",
     .section = "measure",
     .help = "with which queries and samples are drawn (default: 1)"},
    {.name = "json", .help = "answer in JSON"},
    {0},
};

static bauta_status run(cli_session *session, bauta_error *error)
{
    bauta_report *report = NULL;
    const cli_arguments *given = &session->arguments;
    bauta_status status =
        bauta_measure(given->operands, given->operand_count, session->recipe, &report, error);
    return status == BAUTA_OK ? show_report(session, report, error) : status;
}

const cli_command command_measure = {
    .name = "measure",
    .synopsis = "[OPTION]... FOLDER/publish... --original FILE",
    .summary = "information loss of releases, side by side",
    .details =
        "Compares releases with the original records: NCP in all and by column,\n"
        "discernibility, class sizes and more ('bauta list measures'); and, where sensitive\n"
        "values have categories, how many classes lie within one of them. With --workload\n"
        "it also asks random queries, the same of every release, and compares the answers\n"
        "with the true ones; with --associations and --pairs it tells what can still be\n"
        "learnt from each.",
    .options = options,
    .sections = "input run measure",
    .without = "input type missing", /* the release says how columns are read */
    .operands = OPERANDS_OWN,
    .least = 1,
    .most = SIZE_MAX,
    .run = run,
};

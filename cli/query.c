/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta query: questions to a release, as arguments or as lines of standard input.
 */
#include "command.h"
#include "output.h"

#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {.name = "json", .help = "answer in JSON"},
    {0},
};

/* ---- lines of standard input ---- */

typedef struct lines {
    char **text;
    int64_t *number; /* of the line, from 1 */
    size_t count, capacity;
} lines;

static void free_lines(lines *all)
{
    for (size_t i = 0; i < all->count; i++)
        free(all->text[i]);
    free(all->text);
    free(all->number);
}

static bool is_blank(const char *line)
{
    return line[strspn(line, " \t\r\n")] == '\0';
}

static bauta_status keep_line(lines *all, const char *line, int64_t number, bauta_error *error)
{
    if (all->count == all->capacity) {
        size_t capacity = all->capacity ? 2 * all->capacity : 64;
        char **text = realloc(all->text, capacity * sizeof *text);
        if (text) all->text = text;
        int64_t *numbers = realloc(all->number, capacity * sizeof *numbers);
        if (numbers) all->number = numbers;
        if (!text || !numbers) return memory_error(error);
        all->capacity = capacity;
    }
    all->text[all->count] = strdup(line);
    if (!all->text[all->count]) return memory_error(error);
    all->number[all->count++] = number;
    return BAUTA_OK;
}

static bauta_status read_lines(lines *all, bauta_error *error)
{
    char *line = NULL;
    size_t room = 0;
    bauta_status status = BAUTA_OK;
    ssize_t length;
    for (int64_t number = 1; status == BAUTA_OK; number++) {
        length = getline(&line, &room, stdin);
        if (length < 0) break;
        if (strlen(line) != (size_t)length) {
            status = usage_error(error, "line %lld of standard input holds a NUL byte",
                                 (long long)number);
            break;
        }
        line[strcspn(line, "\r\n")] = '\0';
        if (!is_blank(line)) status = keep_line(all, line, number, error);
    }
    if (status == BAUTA_OK && ferror(stdin))
        status = system_error(error, "cannot read", "standard input");
    free(line);
    return status;
}

/* ---- answering ---- */

/* Whether an error is about a query, not about a file of the release. */
static bool is_about_query(const bauta_error *error, size_t count)
{
    return error->file[0] == '\0' && error->row > 0 && (size_t)error->row <= count;
}

static bauta_status query_lines(cli_session *session, bauta_report **report, bauta_error *error)
{
    lines all = {0};
    bauta_status status = read_lines(&all, error);
    if (status == BAUTA_OK) {
        status = bauta_query(session->arguments.operands[0], (const char *const *)all.text,
                             all.count, session->recipe, report, error);
        if (status != BAUTA_OK && is_about_query(error, all.count)) {
            error->row = all.number[error->row - 1];
            snprintf(error->file, sizeof error->file, "standard input");
        }
    }
    free_lines(&all);
    return status;
}

static bauta_status query_one(cli_session *session, bauta_report **report, bauta_error *error)
{
    bauta_release *release = NULL;
    const char **operands = session->arguments.operands;
    bauta_status status = bauta_release_open(operands[0], session->recipe, &release, error);
    if (status == BAUTA_OK) status = bauta_release_query(release, operands[1], report, error);
    bauta_release_free(release);
    return status;
}

static bauta_status query_several(cli_session *session, bauta_report **report, bauta_error *error)
{
    const cli_arguments *given = &session->arguments;
    bauta_status status = bauta_query(given->operands[0], given->operands + 1,
                                      given->operand_count - 1, session->recipe, report, error);
    if (status != BAUTA_OK && is_about_query(error, given->operand_count - 1)) {
        snprintf(error->file, sizeof error->file, "query %lld", (long long)error->row);
        error->row = -1;
    }
    return status;
}

static bauta_status run(cli_session *session, bauta_error *error)
{
    bauta_report *report = NULL;
    size_t queries = session->arguments.operand_count - 1;
    bauta_status status = queries == 0   ? query_lines(session, &report, error)
                          : queries == 1 ? query_one(session, &report, error)
                                         : query_several(session, &report, error);
    return status == BAUTA_OK ? show_report(session, report, error) : status;
}

const cli_command command_query = {
    .name = "query",
    .synopsis = "[OPTION]... FOLDER/publish [QUERY]...",
    .summary = "answers over a release: an estimate and bounds",
    .details =
        "Answers SELECT COUNT(*)|COUNT(c)|SUM(c)|AVG(c)|MIN(c)|MAX(c) [WHERE ...] from the\n"
        "published files alone: an estimate, and an interval that contains the true answer\n"
        "over the published records (of randomized releases: in 95 of 100 cases). Without a\n"
        "QUERY they are read from standard input, one a line.",
    .options = options,
    .sections = "query run",
    .operands = OPERANDS_OWN,
    .least = 1,
    .most = SIZE_MAX,
    .run = run,
};

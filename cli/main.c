/* SPDX-License-Identifier: Apache-2.0
 *
 * The command: finds the subcommand, fills a recipe from its options, runs it, and turns what
 * comes back into output and exit code.
 */
#include "command.h"
#include "output.h"
#include "progress.h"

#include <experiments.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define BAUTA_COMMAND(name) extern const cli_command command_##name;
#include "commands.def"
#undef BAUTA_COMMAND

const cli_command *const commands[] = {
#define BAUTA_COMMAND(name) &command_##name,
#include "commands.def"
#undef BAUTA_COMMAND
};
const size_t command_count = sizeof commands / sizeof *commands;

const cli_command *find_command(const char *name)
{
    for (size_t i = 0; i < command_count; i++)
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    return NULL;
}

void print_overview(FILE *out)
{
    fprintf(out, "usage: bauta COMMAND [OPTION]... [ARGUMENT]...\n\n"
                 "Turns a table about people into something that can be handed out.\n\n");
    for (size_t i = 0; i < command_count; i++)
        fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    fprintf(out,
            "\n'bauta COMMAND --help' says more. A good start:\n\n"
            "    bauta describe patients.csv\n"
            "    bauta init patients.csv -o recipe.yaml\n"
            "    bauta anonymize -r recipe.yaml -o out\n"
            "\nExit codes: 0 done and the promises hold, 1 the answer is no, 2 usage,\n"
            "3 input or recipe invalid, 4 system, 5 internal fault, 6 cancelled by the caller.\n");
}

bauta_status show_report(const cli_session *session, bauta_report *report, bauta_error *error)
{
    char *text = NULL;
    bool json = option_value(&session->arguments, "json") != NULL;
    clear_progress();
    bauta_status status =
        json ? bauta_report_json(report, &text, error) : bauta_report_text(report, &text, error);
    if (status == BAUTA_OK) print_text(text);
    bauta_text_free(text);
    bauta_report_free(report);
    return status;
}

bauta_status show_help(const cli_command *command, const char *entry, bauta_error *error)
{
    char *text = NULL;
    print_help(command, stdout);
    if (!command->registry) return BAUTA_OK;
    bauta_status status = ex_list(command->registry, entry, false, &text, error);
    if (status == BAUTA_OK) printf("\n%s", text);
    free(text);
    return status;
}

/* ---- running a subcommand ---- */

static bauta_status fill_recipe(cli_session *session, bauta_error *error)
{
    const cli_arguments *arguments = &session->arguments;
    bauta_status status = BAUTA_OK;
    for (size_t i = 0; i < arguments->given_count && status == BAUTA_OK; i++) {
        const cli_given *one = &arguments->given[i];
        const char *key = one->option->name;
        if (strcmp(key, "original") == 0)
            status = bauta_recipe_set(session->recipe, "input", one->value, error);
        else if (one->option->section)
            status = bauta_recipe_set(session->recipe, key, one->value, error);
    }
    bool inputs = session->command->operands == OPERANDS_INPUT;
    for (size_t i = 0; inputs && i < arguments->operand_count && status == BAUTA_OK; i++)
        status = bauta_recipe_set(session->recipe, "input", arguments->operands[i], error);
    const char *file = option_value(arguments, "recipe");
    if (status == BAUTA_OK && file) status = bauta_recipe_load(session->recipe, file, error);
    return status;
}

static progress_wish wish_of(const cli_arguments *arguments)
{
    if (option_value(arguments, "no-progress")) return PROGRESS_NEVER;
    return option_value(arguments, "progress") ? PROGRESS_ALWAYS : PROGRESS_USUAL;
}

/* What will be published is said while it can still be stopped. */
static void show_notice(void *user, const char *text)
{
    (void)user;
    clear_progress();
    fprintf(stderr, "%s\n", text);
    fflush(stderr);
}

static bauta_status run_command(cli_session *session, int count, char **words, bauta_error *error)
{
    const cli_command *command = session->command;
    bauta_status status = parse_arguments(count, words, command, &session->arguments, error);
    if (status != BAUTA_OK) return status;
    if (option_value(&session->arguments, "help"))
        return show_help(command, session->arguments.operands[0], error);
    status = bauta_recipe_new(&session->recipe, error);
    if (status == BAUTA_OK && command->sections) status = fill_recipe(session, error);
    if (status != BAUTA_OK) return status;
    bauta_recipe_on_notice(session->recipe, show_notice, NULL);
    if (command->sections || command->takes_long)
        session->progress = watch_progress(session->recipe, wish_of(&session->arguments));
    return command->run(session, error);
}

static bauta_status unknown_command(const char *name, bauta_error *error)
{
    const char *names[sizeof commands / sizeof *commands];
    for (size_t i = 0; i < command_count; i++)
        names[i] = commands[i]->name;
    bauta_status status = usage_error(error, "there is no command '%s'", name);
    const char *near = nearest_word(name, names, command_count);
    if (near)
        usage_hint(error, "did you mean 'bauta %s'?", near);
    else
        usage_hint(error, "'bauta help' names them");
    return status;
}

/* "--help" and "--version" stand for the commands of that name. */
static const char *command_word(const char *word)
{
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return "help";
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) return "version";
    return word;
}

int main(int count, char **words)
{
    bauta_error error = {.row = -1}, closing;
    signal(SIGXFSZ,
           SIG_IGN); /* a file that may not grow is an error that can be cleaned up after */
    cli_session session = {0};
    bauta_status status;
    if (count < 2) {
        print_overview(stderr);
        return BAUTA_USAGE;
    }
    session.command = find_command(command_word(words[1]));
    status = session.command ? run_command(&session, count - 2, words + 2, &error)
                             : unknown_command(words[1], &error);
    clear_progress();
    if (status != BAUTA_OK) print_error(&error);
    bauta_recipe_free(session.recipe);
    free_arguments(&session.arguments);
    bauta_status closed = finish_output(&closing);
    if (closed != BAUTA_OK && status == BAUTA_OK) {
        print_error(&closing);
        status = closed;
    }
    return (int)status;
}

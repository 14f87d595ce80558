/* SPDX-License-Identifier: Apache-2.0
 *
 * The option parser: --name value, --name=value, -x value, -xvalue, and -- to end options.
 */
#include "options.h"

#include "command.h"
#include "output.h"

#include <stdlib.h>
#include <string.h>

static const cli_option common[] = {
    {.name = "no-progress", .help = "do not show progress"},
    {.name = "progress"}, /* also when standard error is not a terminal; for tests */
    {.name = "help", .letter = 'h', .help = "show this help"},
};

static bool holds_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *p = words; p && (p = strstr(p, word)) != NULL; p += length)
        if ((p == words || p[-1] == ' ') && (p[length] == ' ' || p[length] == '\0')) return true;
    return false;
}

static void know(cli_arguments *out, const cli_option *one)
{
    if (out->option_count < MOST_OPTIONS) out->options[out->option_count++] = *one;
}

void options_of(const cli_command *command, cli_arguments *out)
{
    *out = (cli_arguments){0};
    for (const cli_option *one = command->options; one && one->name; one++)
        know(out, one);
    const bauta_key *key;
    for (size_t i = 0; (key = bauta_recipe_key(i)) != NULL; i++) {
        bool here =
            holds_word(command->sections, key->section) && !holds_word(command->without, key->name);
        if (!here && !holds_word(command->also, key->name)) continue;
        const cli_option flag = {.name = key->name,
                                 .argument = key->argument,
                                 .help = key->help,
                                 .section = key->section};
        know(out, &flag);
    }
    /* Nothing to report on where nothing is read. */
    bool reports = command->sections || command->takes_long;
    for (size_t i = reports ? 0 : 2; i < sizeof common / sizeof *common; i++)
        know(out, &common[i]);
}

/* ---- hints ---- */

static size_t edit_distance(const char *a, const char *b)
{
    enum { MOST = 40 };
    size_t row[MOST + 1], rows = strlen(a), columns = strlen(b);
    if (rows > MOST || columns > MOST) return MOST;
    for (size_t j = 0; j <= columns; j++)
        row[j] = j;
    for (size_t i = 1; i <= rows; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[columns];
}

const char *nearest_word(const char *wanted, const char *const *words, size_t count)
{
    const char *best = NULL;
    size_t least = strlen(wanted) / 3 + 2;
    for (size_t i = 0; i < count; i++) {
        size_t distance = edit_distance(wanted, words[i]);
        if (distance < least) {
            least = distance;
            best = words[i];
        }
    }
    return best;
}

static bauta_status no_such_option(const cli_command *command, const cli_arguments *known,
                                   const char *word, const char *name, bauta_error *error)
{
    const char *names[MOST_OPTIONS];
    size_t count = 0;
    for (size_t i = 0; i < known->option_count; i++)
        if (known->options[i].help) names[count++] = known->options[i].name;
    usage_error(error, "'bauta %s' has no option '%s'", command->name, word);
    const char *near = nearest_word(name, names, count);
    if (near)
        usage_hint(error, "did you mean '--%s'?", near);
    else
        usage_hint(error, "'bauta %s --help' lists the options", command->name);
    return BAUTA_USAGE;
}

/* ---- parsing ---- */

static const cli_option *find_option(const cli_arguments *known, const char *name, size_t length)
{
    for (size_t i = 0; i < known->option_count; i++) {
        const cli_option *one = &known->options[i];
        if (strlen(one->name) == length && strncmp(one->name, name, length) == 0) return one;
    }
    return NULL;
}

static const cli_option *find_letter(const cli_arguments *known, char letter)
{
    for (size_t i = 0; i < known->option_count; i++)
        if (known->options[i].letter == letter) return &known->options[i];
    return NULL;
}

/* The value of an option: what stands behind it, or the next word. */
static bauta_status take_value(const char *shown, const char *attached, int count, char **words,
                               int *at, const char **value, bauta_error *error)
{
    *value = attached;
    if (attached) return BAUTA_OK;
    if (*at + 1 >= count) {
        usage_error(error, "option '%s' needs a value", shown);
        return BAUTA_USAGE;
    }
    *value = words[++*at];
    return BAUTA_OK;
}

static bauta_status take_extra(const char *name, size_t length, const char *value,
                               cli_arguments *out, bauta_error *error)
{
    size_t room = length + strlen(value) + 2;
    char *pair = malloc(room);
    if (!pair) return memory_error(error);
    snprintf(pair, room, "%.*s=%s", (int)length, name, value);
    out->extra[out->extra_count++] = pair;
    return BAUTA_OK;
}

static bauta_status take_long(int count, char **words, int *at, const cli_command *command,
                              cli_arguments *out, bauta_error *error)
{
    const char *word = words[*at], *name = word + 2, *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const cli_option *one = find_option(out, name, length);
    const char *value = "yes";
    if (!one && !command->any_option) {
        char shown[64];
        snprintf(shown, sizeof shown, "--%.*s", (int)(length < 60 ? length : 60), name);
        return no_such_option(command, out, shown, shown + 2, error);
    }
    if (one && !one->argument && equals)
        return usage_error(error, "option '--%s' takes no value", one->name);
    bauta_status status = BAUTA_OK;
    if (!one || one->argument)
        status = take_value(word, equals ? equals + 1 : NULL, count, words, at, &value, error);
    if (status != BAUTA_OK) return status;
    if (!one) return take_extra(name, length, value, out, error);
    out->given[out->given_count++] = (cli_given){one, value};
    return BAUTA_OK;
}

static bauta_status take_short(int count, char **words, int *at, const cli_command *command,
                               cli_arguments *out, bauta_error *error)
{
    const char *word = words[*at];
    const cli_option *one = find_letter(out, word[1]);
    if (!one || (!one->argument && word[2]))
        return no_such_option(command, out, word, word + 1, error);
    const char *value = "yes";
    bauta_status status = BAUTA_OK;
    if (one->argument)
        status = take_value(word, word[2] ? word + 2 : NULL, count, words, at, &value, error);
    if (status == BAUTA_OK) out->given[out->given_count++] = (cli_given){one, value};
    return status;
}

static bauta_status check_operands(const cli_command *command, const cli_arguments *out,
                                   bauta_error *error)
{
    if (out->operand_count < command->least || out->operand_count > command->most) {
        bauta_status status = usage_error(error,
                                          out->operand_count < command->least
                                              ? "'bauta %s' needs more than that"
                                              : "'bauta %s' does not take that many words",
                                          command->name);
        usage_hint(error, "usage: bauta %s %s", command->name, command->synopsis);
        return status;
    }
    return BAUTA_OK;
}

bauta_status parse_arguments(int count, char **words, const cli_command *command,
                             cli_arguments *out, bauta_error *error)
{
    options_of(command, out);
    size_t room = (size_t)count + 1;
    out->given = calloc(room, sizeof *out->given);
    out->operands = calloc(room, sizeof *out->operands);
    out->extra = calloc(room, sizeof *out->extra);
    if (!out->given || !out->operands || !out->extra) return memory_error(error);
    bool ended = false;
    bauta_status status = BAUTA_OK;
    out->given_count = out->operand_count = out->extra_count = 0;
    for (int i = 0; i < count && status == BAUTA_OK; i++) {
        const char *word = words[i];
        if (!ended && strcmp(word, "--") == 0)
            ended = true;
        else if (!ended && strncmp(word, "--", 2) == 0)
            status = take_long(count, words, &i, command, out, error);
        else if (!ended && word[0] == '-' && word[1])
            status = take_short(count, words, &i, command, out, error);
        else
            out->operands[out->operand_count++] = word;
    }
    if (status != BAUTA_OK || option_value(out, "help")) return status;
    return check_operands(command, out, error);
}

void free_arguments(cli_arguments *arguments)
{
    for (size_t i = 0; i < arguments->extra_count; i++)
        free(arguments->extra[i]);
    free(arguments->given);
    free(arguments->operands);
    free(arguments->extra);
}

const char *option_value(const cli_arguments *arguments, const char *name)
{
    for (size_t i = arguments->given_count; i-- > 0;)
        if (strcmp(arguments->given[i].option->name, name) == 0) return arguments->given[i].value;
    return NULL;
}

/* ---- help ---- */

enum { HELP_COLUMN = 30 };

static void print_option(const cli_option *one, FILE *out)
{
    char left[128];
    char letter[8] = "";
    if (one->letter) snprintf(letter, sizeof letter, "-%c, ", one->letter);
    int width = snprintf(left, sizeof left, "  %s--%s%s%s", letter, one->name,
                         one->argument ? " " : "", one->argument ? one->argument : "");
    if (width < HELP_COLUMN - 1)
        fprintf(out, "%-*s%s\n", HELP_COLUMN, left, one->help);
    else
        fprintf(out, "%s\n%*s%s\n", left, HELP_COLUMN, "", one->help);
}

static void print_section(const cli_arguments *known, const char *section, const char *title,
                          FILE *out)
{
    bool titled = false;
    for (size_t i = 0; i < known->option_count; i++) {
        const cli_option *one = &known->options[i];
        bool here = section ? one->section && strcmp(one->section, section) == 0 : !one->section;
        if (!here || !one->help) continue;
        if (!titled) fprintf(out, "\n%s:\n", title);
        titled = true;
        print_option(one, out);
    }
}

void print_help(const cli_command *command, FILE *out)
{
    static const char *const sections[][2] = {
        {NULL, "Options"},      {"roles", "Roles of columns"},  {"release", "The release"},
        {"audit", "The audit"}, {"query", "Answering"},         {"measure", "Measuring"},
        {"risk", "Risk"},       {"input", "Reading the input"}, {"run", "Running"},
    };
    cli_arguments known;
    options_of(command, &known);
    fprintf(out, "usage: bauta %s%s%s\n\n%s\n", command->name, *command->synopsis ? " " : "",
            command->synopsis, command->details);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        print_section(&known, sections[i][0], sections[i][1], out);
}

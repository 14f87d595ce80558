/* SPDX-License-Identifier: Apache-2.0
 *
 * The five calls that everyone needs first: make a recipe, fill it, anonymize, audit, free.
 *
 *     first patients.csv out
 *
 * reads patients.csv and leaves a release in out/publish. Built against an installed library:
 *
 *     cc first.c $(pkg-config --cflags --libs bauta) -o first
 */
#include <bauta.h>
#include <stdio.h>

static int complain(const bauta_error *error)
{
    fprintf(stderr, "%s\n", error->message);
    if (error->hint[0]) fprintf(stderr, "hint: %s\n", error->hint);
    return (int)error->status;
}

/* The request, key by key, as the flags of the command would say it. */
static bauta_status fill(bauta_recipe *recipe, const char *input, bauta_error *error)
{
    const char *settings[][2] = {
        {"input", input},         {"identifier", "name"}, {"quasi", "age,sex,zip"},
        {"sensitive", "disease"}, {"drop", "visits"},     {"require", "k=5"},
    };
    bauta_status status = BAUTA_OK;
    for (size_t i = 0; i < sizeof settings / sizeof *settings && status == BAUTA_OK; i++)
        status = bauta_recipe_set(recipe, settings[i][0], settings[i][1], error);
    return status;
}

int main(int count, char **arguments)
{
    if (count != 3) {
        fprintf(stderr, "usage: first INPUT OUT\n");
        return BAUTA_USAGE;
    }
    char publish[4096];
    snprintf(publish, sizeof publish, "%s/publish", arguments[2]);

    bauta_recipe *recipe = NULL;
    bauta_error error;
    bauta_status status = bauta_recipe_new(&recipe, &error);
    if (status == BAUTA_OK) status = fill(recipe, arguments[1], &error);
    if (status == BAUTA_OK) status = bauta_anonymize(recipe, arguments[2], NULL, &error);
    if (status == BAUTA_OK) status = bauta_audit(publish, recipe, NULL, &error);
    bauta_recipe_free(recipe);

    if (status != BAUTA_OK) return complain(&error);
    printf("%s holds what it promises\n", publish);
    return 0;
}

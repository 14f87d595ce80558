/* SPDX-License-Identifier: Apache-2.0
 *
 * A store of one's own: where the files of a release go is up to the calls that are passed. These
 * keep them in a list; others would put them into a database, in one transaction.
 *
 *     own_store patients.csv
 *
 * anonymizes the patients and prints which files the release has.
 *
 *     cc own_store.c $(pkg-config --cflags --libs bauta) -o own_store
 */
#include <bauta.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES = 32 };

typedef struct files {
    struct {
        char name[64];
        char *bytes;
        size_t length;
    } items[FILES];
    int count;
} files;

typedef struct shelf {
    files release; /* what was committed */
    files draft;   /* what is being written */
    int writing;   /* the draft is what is looked at */
} shelf;

static int find(const files *all, const char *name)
{
    for (int i = 0; i < all->count; i++)
        if (strcmp(all->items[i].name, name) == 0) return i;
    return -1;
}

static void empty(files *all)
{
    for (int i = 0; i < all->count; i++)
        free(all->items[i].bytes);
    all->count = 0;
}

static int create(void *user, const char *file)
{
    shelf *s = user;
    s->writing = 1;
    if (s->draft.count == FILES || strlen(file) >= sizeof s->draft.items[0].name) return 1;
    int i = s->draft.count++;
    strcpy(s->draft.items[i].name, file);
    s->draft.items[i].bytes = NULL;
    s->draft.items[i].length = 0;
    return 0;
}

static int write_at(void *user, const char *file, int64_t offset, const void *bytes, size_t length)
{
    shelf *s = user;
    int i = find(&s->draft, file);
    size_t end = (size_t)offset + length;
    if (end > s->draft.items[i].length) {
        char *more = realloc(s->draft.items[i].bytes, end);
        if (!more) return 1;
        s->draft.items[i].bytes = more;
        s->draft.items[i].length = end;
    }
    memcpy(s->draft.items[i].bytes + offset, bytes, length);
    return 0;
}

static int commit(void *user)
{
    shelf *s = user;
    empty(&s->release);
    s->release = s->draft;
    s->draft.count = 0;
    s->writing = 0;
    return 0;
}

static void cancel(void *user)
{
    shelf *s = user;
    empty(&s->draft);
    s->writing = 0;
}

static int length_of(void *user, const char *file, int64_t *length)
{
    const shelf *s = user;
    const files *seen = s->writing ? &s->draft : &s->release;
    int i = find(seen, file);
    *length = i < 0 ? -1 : (int64_t)seen->items[i].length;
    return 0;
}

static int read_at(void *user, const char *file, int64_t offset, void *bytes, size_t length,
                   size_t *got)
{
    const shelf *s = user;
    const files *seen = s->writing ? &s->draft : &s->release;
    int i = find(seen, file);
    size_t left = seen->items[i].length - (size_t)offset;
    *got = left < length ? left : length;
    memcpy(bytes, seen->items[i].bytes + offset, *got);
    return 0;
}

static bauta_status anonymize(const char *input, bauta_store *store, bauta_error *error)
{
    const char *settings[][2] = {{"input", input},         {"identifier", "name"},
                                 {"quasi", "age,sex,zip"}, {"drop", "visits"},
                                 {"sensitive", "disease"}, {"require", "k=3"}};
    bauta_recipe *recipe = NULL;
    bauta_status status = bauta_recipe_new(&recipe, error);
    for (size_t i = 0; i < sizeof settings / sizeof *settings && status == BAUTA_OK; i++)
        status = bauta_recipe_set(recipe, settings[i][0], settings[i][1], error);
    if (status == BAUTA_OK) status = bauta_recipe_add_store(recipe, "mine", store, error);
    if (status == BAUTA_OK) status = bauta_anonymize(recipe, "store:mine", NULL, error);
    if (status == BAUTA_OK) status = bauta_audit("store:mine", recipe, NULL, error);
    bauta_recipe_free(recipe);
    return status;
}

int main(int count, char **arguments)
{
    static shelf mine;
    const bauta_store_calls calls = {.size = sizeof calls,
                                     .create = create,
                                     .write = write_at,
                                     .commit = commit,
                                     .cancel = cancel,
                                     .length = length_of,
                                     .read = read_at};
    bauta_store *store = NULL;
    bauta_error error;
    if (count != 2) {
        fprintf(stderr, "usage: own_store TABLE\n");
        return BAUTA_USAGE;
    }
    bauta_status status = bauta_store_own(&calls, &mine, &store, &error);
    if (status == BAUTA_OK) status = anonymize(arguments[1], store, &error);
    bauta_store_free(store);
    for (int i = 0; i < mine.release.count; i++)
        printf("%s\n", mine.release.items[i].name);
    empty(&mine.release);
    if (status != BAUTA_OK) fprintf(stderr, "%s (%s)\n", error.message, error.hint);
    return (int)status;
}

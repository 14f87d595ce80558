/* SPDX-License-Identifier: Apache-2.0
 *
 * Replays a corpus through a fuzz target as one ordinary test, in TAP: the empty input, then every
 * file of the folders and files named on the command line. Each is named in a comment before it is
 * tried, so that the last one is the one that a crash is about.
 */
#include "fuzz.h"

#include <dirent.h>
#include <sys/stat.h>

static int inputs;

static void replay(const char *name, const uint8_t *data, size_t size)
{
    printf("# %s\n", name);
    fflush(stdout);
    LLVMFuzzerTestOneInput(data, size);
    inputs++;
}

/* The bytes are copied to their exact size, so that the address sanitizer sees every overrun. */
static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct stat facts;
    if (!file || fstat(fileno(file), &facts) != 0) {
        perror(path);
        if (file) fclose(file);
        return 1;
    }
    size_t size = (size_t)facts.st_size;
    uint8_t *data = malloc(size ? size : 1);
    int failed = !data || fread(data, 1, size, file) != size;
    fclose(file);
    if (failed)
        perror(path);
    else
        replay(path, data, size);
    free(data);
    return failed;
}

static int replay_folder(const char *path)
{
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort), failed = 0;
    if (count < 0) {
        perror(path);
        return 1;
    }
    for (int i = 0; i < count; i++) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.') failed |= replay_file(name);
        free(entries[i]);
    }
    free(entries);
    return failed;
}

int main(int count, char **arguments)
{
    int failed = 0;
    replay("the empty input", (const uint8_t *)"", 0);
    for (int i = 1; i < count; i++) {
        struct stat facts;
        if (stat(arguments[i], &facts) == 0 && S_ISDIR(facts.st_mode))
            failed |= replay_folder(arguments[i]);
        else
            failed |= replay_file(arguments[i]);
    }
    printf("%s 1 - %d inputs\n1..1\n", failed ? "not ok" : "ok", inputs);
    return failed;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * `bauta hierarchy`: builds the hierarchy of one column, checks it, shows it, writes it.
 *
 * Labels of the tree are values of the data: what is shown here is for the owner.
 */
#include "job/commands.h"
#include "job/load.h"
#include "profile/guess.h"
#include "profile/tree_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct job {
    bt_run run;
    bt_loaded loaded;
    bt_arena arena;
    bt_column_profile profile;
    const bt_hierarchy *hierarchy;
    const char *note; /* NULL: none */
} job;

/* The recipe with this column alone, so that nothing else is read or built. */
static bauta_recipe only_column(const bauta_recipe *recipe, const char *name,
                                bt_column_recipe *column)
{
    bauta_recipe narrow = *recipe;
    *column = (bt_column_recipe){.name = name};
    for (size_t i = 0; i < recipe->column_count; i++)
        if (strcmp(recipe->columns[i].name, name) == 0) *column = recipe->columns[i];
    column->role = BT_ROLE_QUASI;
    narrow.columns = column;
    narrow.column_count = 1;
    narrow.rest = BT_ROLE_DROPPED;
    narrow.accept.count = 0;
    narrow.missing_drop = false;
    narrow.subject.count = 0;
    narrow.subject_none = true;
    return narrow;
}

/* ---- without a given one ----------------------------------------------------------------- */

static bauta_status guess(job *j, const bt_column *column, const bt_column_recipe *plan,
                          bt_domain *domain, bt_hierarchy_source *source, bauta_error *error)
{
    bt_guess found = {0};
    BT_TRY(bt_profile_column(column, j->loaded.table.rows, &j->arena, &j->profile, error));
    *domain = column->domain;
    if (!plan->has_type) {
        BT_TRY(bt_guess_hierarchy(&j->profile, false, &j->arena, &found, error));
        if (found.has_type) {
            const bt_input_options *settings = bt_input_settings(j->loaded.input);
            bt_domain_options options = {.missing = bt_input_missing(settings, column->source),
                                         .has_type = true,
                                         .type = found.type,
                                         .column = column->name};
            BT_TRY(bt_profile_values(bt_raw_values(j->loaded.raw, column->source), &options,
                                     j->loaded.table.rows, &j->arena, &j->profile, error));
            *domain = *j->profile.domain;
        }
    }
    source->spec = found.hierarchy ? found.hierarchy : "flat";
    j->note = found.hierarchy
                  ? "no hierarchy was given; this one was guessed"
                  : "no hierarchy was given, and 'bauta init' would propose none: cells "
                    "then show ranges or sets of values";
    return BAUTA_OK;
}

static bauta_status build(job *j, const bt_column_recipe *plan, bauta_error *error)
{
    const bt_column *column = &j->loaded.table.columns[0];
    j->hierarchy = column->hierarchy;
    if (j->hierarchy) return BAUTA_OK;
    bt_hierarchy_source source = {0};
    bt_domain domain;
    bt_hierarchy *built;
    BT_TRY(guess(j, column, plan, &domain, &source, error));
    uint32_t *new_code = bt_arena_array(&j->arena, domain.size, sizeof *new_code);
    if (!new_code) return bt_fail_memory(error);
    BT_TRY(bt_hierarchy_build(&source, column->name, &domain, new_code, &j->arena, &built, error));
    j->hierarchy = built;
    return BAUTA_OK;
}

/* ---- telling ----------------------------------------------------------------------------- */

static bauta_status put_levels(const bt_hierarchy *hierarchy, bt_facts *facts, bauta_error *error)
{
    int64_t *nodes = bt_array_zero(hierarchy->levels, sizeof *nodes);
    if (!nodes) return bt_fail_memory(error);
    for (uint32_t i = 0; i < hierarchy->count; i++)
        nodes[hierarchy->nodes[i].level]++;
    json_t *levels = bt_put_array(facts, facts->root, "per_level");
    for (uint32_t level = 0; level < hierarchy->levels; level++) {
        json_t *at = bt_put_object(facts, levels, NULL);
        bt_put_int(facts, at, "level", level);
        bt_put_int(facts, at, "nodes", nodes[level]);
    }
    free(nodes);
    return BAUTA_OK;
}

static bauta_status put_tree(const bt_hierarchy *hierarchy, bt_facts *facts, bauta_error *error)
{
    bt_buffer text = {0};
    bauta_status status = bt_tree_text(hierarchy, BT_TREE_LINES, &text, error);
    if (status == BAUTA_OK) status = bt_buffer_add(&text, "", 1, error);
    if (status == BAUTA_OK) bt_put_text(facts, facts->root, "text", text.bytes);
    bt_buffer_release(&text);
    return status;
}

static bauta_status tell(const job *j, bt_facts *facts, bauta_error *error)
{
    const bt_hierarchy *hierarchy = j->hierarchy;
    bt_put_text(facts, facts->root, "column", j->loaded.table.columns[0].name);
    bt_put_text(facts, facts->root, "hierarchy", hierarchy->spec);
    bt_put_int(facts, facts->root, "levels", hierarchy->levels);
    bt_put_int(facts, facts->root, "leaves", hierarchy->leaves);
    bt_put_int(facts, facts->root, "nodes", hierarchy->count);
    BT_TRY(put_levels(hierarchy, facts, error));
    BT_TRY(put_tree(hierarchy, facts, error));
    json_t *notes = bt_put_array(facts, facts->root, "notes");
    if (j->note) bt_put_text(facts, notes, NULL, j->note);
    return BAUTA_OK;
}

/* ---- writing ----------------------------------------------------------------------------- */

static bauta_status write_all(int descriptor, const char *file, const bt_buffer *text,
                              bauta_error *error)
{
    for (size_t done = 0; done < text->length;) {
        ssize_t written = write(descriptor, text->bytes + done, text->length - done);
        if (written < 0 && errno != EINTR) return bt_fail_errno(error, "cannot write to", file);
        if (written > 0) done += (size_t)written;
    }
    return BAUTA_OK;
}

/* Opens a new file beside `file`, whose name it will get. */
static int open_working(const char *file, bt_arena *arena, const char **name)
{
    enum { ATTEMPTS = 1000 };
    int descriptor = -1;
    for (unsigned i = 0; i < ATTEMPTS; i++) {
        *name = bt_arena_print(arena, "%s.%ld-%u", file, (long)getpid(), i);
        if (!*name) errno = ENOMEM;
        if (*name) descriptor = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 || errno != EEXIST) break;
    }
    return descriptor;
}

/* A plain file appears whole; "-" and devices are written directly. */
static bauta_status put_file(const char *file, const bt_buffer *text, bt_arena *arena,
                             bauta_error *error)
{
    struct stat there;
    const char *path = strcmp(file, "-") == 0 ? "/dev/stdout" : file, *working = NULL;
    bool direct = stat(path, &there) == 0 && !S_ISREG(there.st_mode);
    int descriptor =
        direct ? open(path, O_WRONLY | O_CLOEXEC) : open_working(path, arena, &working);
    if (descriptor < 0)
        return bt_fail_errno(error, direct ? "cannot write to" : "cannot create", file);
    bauta_status status = write_all(descriptor, file, text, error);
    bool fine = close(descriptor) == 0;
    if (status == BAUTA_OK && fine && !direct) fine = rename(working, path) == 0;
    if (status == BAUTA_OK && !fine) status = bt_fail_errno(error, "cannot write to", file);
    if (status != BAUTA_OK && !direct) unlink(working);
    return status;
}

static bauta_status write_file(const bt_hierarchy *hierarchy, const char *file, bool force,
                               bt_arena *arena, bauta_error *error)
{
    if (!force && access(file, F_OK) == 0) {
        bauta_status status = bt_fail(error, BAUTA_USAGE, "'%s' exists", file);
        bt_error_hint(error, "name another file, or replace it with --force");
        return status;
    }
    bt_buffer text = {0};
    bauta_status status = bt_hierarchy_write(hierarchy, false, &text, error);
    if (status == BAUTA_OK) status = put_file(file, &text, arena, error);
    bt_buffer_release(&text);
    return status;
}

static bauta_status make(job *j, const bauta_recipe *recipe, const char *name, const char *file,
                         bt_facts *facts, bauta_error *error)
{
    bt_column_recipe column;
    bauta_recipe narrow = only_column(recipe, name, &column);
    BT_TRY(bt_run_open(&narrow, &j->run, error));
    BT_TRY(bt_load(&narrow, &j->run, false, &j->loaded, error));
    BT_TRY(build(j, &column, error));
    BT_TRY(tell(j, facts, error));
    if (!file) return BAUTA_OK;
    BT_TRY(bt_check_output(recipe, file, error));
    BT_TRY(write_file(j->hierarchy, file, recipe->force, &j->arena, error));
    bt_put_text(facts, facts->root, "written", file);
    return BAUTA_OK;
}

bauta_status bt_do_hierarchy(const bauta_recipe *recipe, const char *column, const char *write,
                             bt_facts *facts, bauta_error *error)
{
    job j = {0};
    bauta_status status = make(&j, recipe, column, write, facts, error);
    bt_loaded_release(&j.loaded);
    bt_run_close(&j.run);
    bt_arena_release(&j.arena);
    return status;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans of a job.
 */
#include "job/plan.h"

#include "base/digest.h"
#include "job/job.h"
#include "recipe/csv_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- reading ----------------------------------------------------------------------------- */

static bauta_status refuse(bauta_error *error, const char *what, const char *hint)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "%s", what);
    bt_error_hint(error, "%s", hint);
    return status;
}

/* The recipe may name the method that made the plan, so that one recipe serves both. */
static bauta_status check_group(const bauta_recipe *recipe, const bt_plan *plan, bt_arena *arena,
                                bauta_error *error)
{
    const bt_method *method;
    bt_value *options;
    const char *canonical;
    if (!recipe->group) return BAUTA_OK;
    BT_TRY(bt_method_parse(recipe->group, arena, &method, &options, &canonical, error));
    if (method->planned || strcmp(canonical, plan->method) == 0) return BAUTA_OK;
    return refuse(error, "a plan leaves a grouping method nothing to choose",
                  "leave out --group, or make a new plan with --save-plan");
}

/* Whoever publishes with the same boxes twice shows who came and who left. */
static bauta_status check_plan(const bauta_recipe *recipe, bauta_error *error)
{
    if (recipe->publics.count > 0)
        return refuse(error, "a plan does not go with a public table",
                      "leave out --plan, or --public");
    if (recipe->rows_together)
        return refuse(error, "a plan does not keep the rows of a person together",
                      "leave out --plan, or --subject-rows");
    if (recipe->save_plan)
        return refuse(error, "the classes are those of a plan already", "leave out --save-plan");
    if (recipe->previous.count > 0 || recipe->previous_none) return BAUTA_OK;
    return refuse(error, "a plan needs the releases that were made by it before",
                  "name them with --previous: equal cells in two releases show who came and who "
                  "left; if there are none, say --previous none");
}

static bauta_status check_saving(const bauta_recipe *recipe, bauta_error *error)
{
    if (recipe->publics.count > 0)
        return refuse(error, "no plan can be saved of classes with persons of a public table",
                      "leave out --save-plan, or --public");
    if (recipe->rows_together)
        return refuse(
            error,
            "no plan can be saved where the rows of a person stay together: their classes "
            "do not follow from quasi values",
            "leave out --save-plan, or --subject-rows");
    return BAUTA_OK;
}

bauta_status bt_plan_open(const bauta_recipe *recipe, bt_arena *arena, const bt_plan **out,
                          bauta_error *error)
{
    bt_buffer text = {0};
    bool absent = false;
    *out = NULL;
    if (!recipe->plan) return recipe->save_plan ? check_saving(recipe, error) : BAUTA_OK;
    BT_TRY(check_plan(recipe, error));
    bt_plan *plan = bt_arena_array(arena, 1, sizeof *plan);
    if (!plan) return bt_fail_memory(error);
    bauta_status status = bt_csv_file_read(recipe->plan, "plan", &text, &absent, error);
    if (status == BAUTA_OK)
        status = bt_plan_read(recipe->plan, text.bytes, text.length, arena, plan, error);
    bt_buffer_release(&text);
    if (status == BAUTA_OK) status = check_group(recipe, plan, arena, error);
    if (status == BAUTA_OK) *out = plan;
    return status;
}

/* ---- columns ----------------------------------------------------------------------------- */

static bauta_status other_than_plan(const char *column, const char *what, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "the plan has %s", what);
    bt_error_place(error, NULL, -1, column);
    bt_error_hint(error, "leave it out of the recipe, or make a new plan with --save-plan");
    return status;
}

/* How the manifest names where a tree comes from. */
static const char *spec_of(const bt_column_recipe *column)
{
    if (column->hierarchy.paths) return "tree";
    return bt_hierarchy_is_derived(column->hierarchy.spec) ? column->hierarchy.spec : "file";
}

static bauta_status set_column(bt_column_recipe *to, const bt_plan_column *from, bauta_error *error)
{
    if (to->role != BT_ROLE_NONE && to->role != BT_ROLE_QUASI)
        return other_than_plan(from->name, "this column as quasi", error);
    if (to->has_type && to->type != from->type)
        return other_than_plan(from->name, "another type of this column", error);
    bool trees = bt_plans_tree(to);
    if (to->has_hierarchy &&
        (trees != (from->spec != NULL) || (trees && strcmp(spec_of(to), from->spec) != 0)))
        return other_than_plan(from->name, "another hierarchy of this column", error);
    if (to->cut_points && (!from->cut_points || strcmp(to->cut_points, from->cut_points) != 0))
        return other_than_plan(from->name, "other cut points of this column", error);
    to->role = BT_ROLE_QUASI;
    to->has_type = true;
    to->type = from->type;
    to->has_hierarchy = true;
    to->is_public = from->is_public;
    to->cut_points = from->cut_points;
    to->hierarchy = (bt_hierarchy_source){.spec = from->spec ? from->spec : "none",
                                          .paths = from->paths,
                                          .path_lengths = from->path_lengths,
                                          .path_count = from->path_count,
                                          .loose = from->paths != NULL};
    return BAUTA_OK;
}

static bauta_status set_columns(bauta_recipe *recipe, const bt_plan *plan, bauta_error *error)
{
    for (size_t i = 0; i < recipe->column_count; i++) {
        const char *name = recipe->columns[i].name;
        bool known = recipe->columns[i].role != BT_ROLE_QUASI;
        for (size_t c = 0; c < plan->column_count && !known; c++)
            known = strcmp(plan->columns[c].name, name) == 0;
        if (!known) return other_than_plan(name, "no column of this name", error);
    }
    for (size_t c = 0; c < plan->column_count; c++) {
        bt_column_recipe *column;
        BT_TRY(bt_recipe_column(recipe, plan->columns[c].name, &column, error));
        BT_TRY(set_column(column, &plan->columns[c], error));
    }
    return BAUTA_OK;
}

bauta_status bt_plan_recipe(const bauta_recipe *recipe, const bt_plan *plan, bauta_recipe **out,
                            bauta_error *error)
{
    BT_TRY(bt_recipe_copy(recipe, out, error));
    return set_columns(*out, plan, error);
}

/* ---- saving ------------------------------------------------------------------------------ */

/* A folder that is handed out: one called publish, or one with a manifest, and all below it. */
static bool is_handed_out(char *folder)
{
    bool out = false;
    for (size_t length = strlen(folder); length > 1 && !out; length = strlen(folder)) {
        char name[PATH_MAX + 32];
        struct stat found;
        snprintf(name, sizeof name, "%s/manifest.json", folder);
        char *last = strrchr(folder, '/');
        out = strcmp(last + 1, "publish") == 0 || stat(name, &found) == 0;
        *last = '\0';
    }
    return out;
}

bauta_status bt_plan_check_file(const bauta_recipe *recipe, bauta_error *error)
{
    const char *file = recipe->save_plan;
    struct stat found;
    if (!file) return BAUTA_OK;
    BT_TRY(bt_check_output(recipe, file, error));
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    const char *slash = strrchr(file, '/');
    const char *name = slash ? bt_arena_copy(&scratch, file, (size_t)(slash - file) + 1) : ".";
    if (!name) return bt_fail_memory(error);
    char *folder = realpath(name, NULL);
    if (!folder) return bt_fail_errno(error, "cannot create", file);
    bool out = is_handed_out(folder);
    free(folder);
    bauta_status status = BAUTA_OK;
    if (out) {
        status = bt_fail(error, BAUTA_USAGE,
                         "a plan is private, and the folder of '%s' is handed out", file);
        bt_error_hint(error, "name a file elsewhere");
    } else if (lstat(file, &found) == 0 && !(recipe->force && S_ISREG(found.st_mode))) {
        status = bt_fail(error, BAUTA_USAGE, "'%s' exists", file);
        bt_error_hint(error, "name another file, or replace it with --force");
    }
    return status;
}

static bauta_status write_all(int descriptor, const char *file, const bt_buffer *text,
                              bauta_error *error)
{
    for (size_t done = 0; done < text->length;) {
        ssize_t written = write(descriptor, text->bytes + done, text->length - done);
        if (written < 0 && errno != EINTR) return bt_fail_errno(error, "cannot write to", file);
        if (written > 0) done += (size_t)written;
    }
    return fsync(descriptor) == 0 ? BAUTA_OK : bt_fail_errno(error, "cannot write to", file);
}

/* The file appears whole, and nobody else may ever read it. */
static bauta_status put_file(const char *file, const bt_buffer *text, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    const char *working = bt_arena_print(&scratch, "%s.%ld", file, (long)getpid());
    if (!working) return bt_fail_memory(error);
    int descriptor = open(working, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor < 0) return bt_fail_errno(error, "cannot create", file);
    bauta_status status = write_all(descriptor, file, text, error);
    bool fine = close(descriptor) == 0;
    if (status == BAUTA_OK && fine) fine = rename(working, file) == 0;
    if (status == BAUTA_OK && !fine) status = bt_fail_errno(error, "cannot write to", file);
    if (status != BAUTA_OK) unlink(working);
    return status;
}

/* The cut points of the quasi columns, as the recipe gave them. */
static bauta_status list_cuts(bt_loaded *loaded, const char *const **out, bauta_error *error)
{
    const bt_table *table = &loaded->table;
    size_t count = 0;
    const char **cuts = bt_arena_array(&loaded->arena, table->count, sizeof *cuts);
    if (!cuts) return bt_fail_memory(error);
    for (size_t c = 0; c < table->count; c++)
        if (table->columns[c].role == BT_ROLE_QUASI)
            cuts[count++] = loaded->plan[table->columns[c].source].cut_points;
    *out = cuts;
    return BAUTA_OK;
}

bauta_status bt_plan_spell(struct bt_job *j, bauta_error *error)
{
    if (!j->recipe->save_plan) return BAUTA_OK;
    bt_plan plan;
    bt_plan_source source = {.table = &j->loaded.table,
                             .grouping = &j->grouping,
                             .method = j->request.method,
                             .method_text = j->request.method_text,
                             .requirements = &j->request.requirements,
                             .run = &j->run};
    BT_TRY(list_cuts(&j->loaded, &source.cut_points, error));
    BT_TRY(bt_plan_make(&source, &j->arena, &plan, error));
    return bt_plan_write(&plan, &j->plan_text, error);
}

/* ---- without a release ------------------------------------------------------------------- */

static bauta_status check_alone(const bauta_recipe *recipe, const bt_request *asked,
                                bauta_error *error)
{
    BT_TRY(check_saving(recipe, error));
    if (asked->form->ungrouped)
        return refuse(error, "no plan can be made for a form that makes no classes",
                      "publish another form");
    if (asked->plan)
        return refuse(error, "the classes are those of a plan already", "leave out 'plan'");
    if (recipe->count && recipe->subject.count > 0)
        return refuse(error, "counted tuples do not tell persons apart", "leave out 'subject'");
    return bt_plan_admit(asked->method, error);
}

/* Keys random streams by the seed and the method: whatever the order of rows is, and whether they
 * are records or counted tuples. */
static void key_streams(const bt_request *asked, bt_run *run)
{
    bt_digest digest;
    bt_digest_init(&digest, &run->seed, "a plan alone");
    bt_digest_text(&digest, asked->method_text);
    bt_digest_end(&digest, &run->seed);
}

static bauta_status plan_table(const bauta_recipe *recipe, bt_job *j, bt_buffer *out,
                               bauta_error *error)
{
    bt_plan plan;
    bool derives = j->request.method->trees && recipe->suppress.top == 0;
    key_streams(&j->request, &j->run);
    BT_TRY(bt_load_release(recipe, &j->run, BT_SENSITIVE_HIDDEN, derives, &j->loaded, error));
    BT_TRY(bt_requirements_settle(&j->request.requirements, &j->loaded.table, &j->arena, error));
    bt_tuple_job asked = {.table = &j->loaded.table,
                          .counts = j->loaded.times,
                          .method = j->request.method,
                          .options = j->request.method_options,
                          .method_text = j->request.method_text,
                          .requirements = &j->request.requirements,
                          .suppress = recipe->suppress,
                          .nodes = recipe->nodes,
                          .values_shown = j->request.form->shows_values,
                          .run = &j->run};
    BT_TRY(list_cuts(&j->loaded, &asked.cut_points, error));
    BT_TRY(bt_plan_of_tuples(&asked, &j->arena, &plan, error));
    return bt_plan_write(&plan, out, error);
}

bauta_status bt_plan_alone(const bauta_recipe *recipe, bt_buffer *out, bauta_error *error)
{
    bt_job j = {.recipe = recipe};
    bauta_status status = bt_request_parse(recipe, recipe->require, &j.arena, &j.request, error);
    if (status == BAUTA_OK) status = check_alone(recipe, &j.request, error);
    if (status == BAUTA_OK) status = bt_run_open(recipe, &j.run, error);
    if (status == BAUTA_OK) status = plan_table(recipe, &j, out, error);
    bt_job_release(&j);
    return status;
}

bauta_status bt_plan_save(const struct bt_job *j, bauta_error *error)
{
    return j->recipe->save_plan ? put_file(j->recipe->save_plan, &j->plan_text, error) : BAUTA_OK;
}

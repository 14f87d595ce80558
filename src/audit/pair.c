/* SPDX-License-Identifier: Apache-2.0
 *
 * two-tables: what the two files show beside the classes themselves. Every person is linked to the
 * bag of a class, so bags must be shared; and nothing but the class may link a row of the one file
 * to a row of the other: not the order of rows, not the numbers of classes.
 *
 * Cost: linear in rows and sensitive columns.
 */
#include "audit/finding.h"

#include "base/rational.h"

/* ---- classes ---- */

static void check_classes(bt_audit_job *job)
{
    const bt_release *release = job->release;
    const bt_release_pair *pair = &release->pair;
    uint32_t first = pair->first_unequal;
    if (pair->unequal > 0)
        bt_finding_put(job, "classes", BT_FAILS, bt_class_place(release, first),
                       "%u of %u classes have not as many rows in quasi.csv as in sensitive.csv; "
                       "this one has %u and %u",
                       pair->unequal, release->classes.count, pair->quasi_size[first],
                       release->classes.size[first]);
    else
        bt_finding_put(job, "classes", BT_HOLDS, BT_NO_ROW,
                       "each of %u classes has as many rows in quasi.csv as in sensitive.csv",
                       release->classes.count);
}

/* Numbers other than 1 to C could tell something of the classes. */
void bt_audit_numbers(bt_audit_job *job)
{
    const bt_release *release = job->release;
    uint32_t wrong = 0, count = release->classes.count;
    for (uint32_t c = 0; c < count; c++)
        wrong += release->pair.number[c] < 1 || release->pair.number[c] > count;
    if (wrong > 0)
        bt_finding_put(job, "class numbers", BT_FAILS, BT_NO_ROW,
                       "%u of %u classes have something else than a number from 1 to %u", wrong,
                       count, count);
    else
        bt_finding_put(job, "class numbers", BT_HOLDS, BT_NO_ROW,
                       "the classes are numbered from 1 to %u", count);
}

/* ---- linkage ---- */

/* The value that takes the largest share of a bag. */
typedef struct dominant {
    const char *column;
    uint32_t class_number, rows;
} dominant;

static void consider(const bt_release *release, const char *column, uint32_t class_number,
                     uint32_t rows, dominant *most)
{
    const uint32_t *sizes = release->classes.size;
    if (most->column &&
        bt_fraction_compare(rows, sizes[class_number], most->rows, sizes[most->class_number]) <= 0)
        return;
    *most = (dominant){column, class_number, rows};
}

static bauta_status find_dominant(const bt_release *release, const bt_run *run, dominant *most,
                                  bauta_error *error)
{
    const bt_release_file *file = &release->files[BT_SENSITIVE_FILE];
    *most = (dominant){0};
    for (size_t i = 0; i < release->column_count; i++) {
        const bt_release_column *column = &release->columns[i];
        if (column->manifest->role != BT_ROLE_SENSITIVE) continue;
        const bt_codes codes[] = {{file->class_of, 4, release->classes.count},
                                  {column->codes, column->width, column->values->count}};
        bt_tuples parts = {0};
        bauta_status status = bt_tuples_group(codes, 2, file->rows, run, &parts, error);
        for (uint32_t t = 0; t < parts.count && status == BAUTA_OK; t++)
            consider(release, column->manifest->name, file->class_of[parts.row[t]], parts.size[t],
                     most);
        bt_tuples_release(&parts);
        if (status != BAUTA_OK) return status;
    }
    return BAUTA_OK;
}

static bauta_status check_linkage(bt_audit_job *job, bauta_error *error)
{
    const bt_release *release = job->release;
    const bt_tuples *classes = &release->classes;
    uint32_t alone = 0, first = 0, smallest = UINT32_MAX;
    dominant most;
    for (uint32_t c = classes->count; c-- > 0;) {
        uint32_t quasi = release->pair.quasi_size[c];
        uint32_t size = classes->size[c] < quasi ? classes->size[c] : quasi;
        if (size < smallest) smallest = size;
        if (size > 1) continue;
        alone++;
        first = c;
    }
    BT_TRY(find_dominant(release, job->options->run, &most, error));
    if (alone > 0)
        bt_finding_put(job, "linkage", BT_FAILS, bt_class_place(release, first),
                       "%u classes have a single row: it is linked to its sensitive values", alone);
    else if (most.column)
        bt_finding_put(job, "linkage", BT_HOLDS, BT_NO_ROW,
                       "each row of quasi.csv is linked to a bag that at least %u share; no value "
                       "takes more of a bag than one of '%s' does: %u of %u",
                       smallest, most.column, most.rows, classes->size[most.class_number]);
    else
        bt_finding_put(job, "linkage", BT_HOLDS, BT_NO_ROW, "there are no rows");
    return BAUTA_OK;
}

/* ---- order ---- */

typedef struct sequence { /* the class numbers of the rows of a file */
    const uint32_t *class_of, *number;
    int64_t rows;
} sequence;

static uint32_t at(const sequence *rows, int64_t row)
{
    return rows->number[rows->class_of[row]];
}

static bool is_sorted(const sequence *rows)
{
    bool up = true, down = true;
    for (int64_t i = 1; i < rows->rows; i++) {
        up &= at(rows, i - 1) <= at(rows, i);
        down &= at(rows, i - 1) >= at(rows, i);
    }
    return (up || down) && rows->rows > 2;
}

/* Places where both have the same class; backwards: where the one has what the other has as far
 * from its end. */
static int64_t agreements(const sequence *one, const sequence *other, bool backwards)
{
    int64_t count = 0, rows = one->rows < other->rows ? one->rows : other->rows;
    for (int64_t i = 0; i < rows; i++)
        count += one->class_of[i] == other->class_of[backwards ? other->rows - 1 - i : i];
    return count;
}

/* Two random orders agree in S/n places on average, S being the sum of squared class sizes, and
 * hardly ever in more than eight standard deviations above: whether (a - S/n)^2 > 64 (S/n + 4). */
static bool is_suspicious(int64_t agree, int64_t rows, const bt_tuples *classes)
{
    unsigned __int128 squares = 0;
    for (uint32_t c = 0; c < classes->count; c++)
        squares += (uint64_t)classes->size[c] * classes->size[c];
    unsigned __int128 n = (uint64_t)rows, seen = (unsigned __int128)(uint64_t)agree * n;
    if (seen <= squares) return false;
    unsigned __int128 above = seen - squares;
    return above * above > 64 * n * (squares + 4 * n);
}

/* With classes of one row (in a distribution) a few rows may have no other order. */
static bool has_choice(const bt_release *release)
{
    enum { FEW = 5 };
    bool single = false;
    for (uint32_t c = 0; c < release->classes.count; c++)
        single |= release->classes.size[c] == 1;
    return release->rows >= FEW || !single;
}

void bt_audit_order(bt_audit_job *job)
{
    const bt_release *release = job->release;
    const bt_release_file *files = release->files;
    const sequence one = {files[0].class_of, release->pair.number, files[0].rows};
    const sequence other = {files[1].class_of, release->pair.number, files[1].rows};
    if (release->classes.count < 2) {
        bt_finding_put(job, "order", BT_HOLDS, BT_NO_ROW,
                       "with one class the order of rows cannot tell which is in which");
        return;
    }
    for (size_t i = 0; i < 2; i++)
        if (is_sorted(i == 0 ? &one : &other))
            bt_finding_put(job, "order", BT_FAILS, BT_NO_ROW, "%s is sorted by class",
                           files[i].name);
    int64_t agree = agreements(&one, &other, false), mirrored = agreements(&one, &other, true);
    if (mirrored > agree) agree = mirrored;
    if (one.rows == other.rows && agree == one.rows && has_choice(release))
        bt_finding_put(job, "order", BT_FAILS, BT_NO_ROW,
                       "the rows of both files are in the same order of classes%s: line by line "
                       "they may be the original records",
                       agree == mirrored ? ", forwards or backwards" : "");
    else if (is_suspicious(agree, one.rows, &release->classes))
        bt_finding_put(job, "order", BT_FAILS, BT_NO_ROW,
                       "%lld of %lld lines have the same class in both files, far more than "
                       "random orders would",
                       (long long)agree, (long long)one.rows);
    else
        bt_finding_put(job, "order", BT_HOLDS, BT_NO_ROW,
                       "neither file is sorted by class, and %lld of %lld lines have the same "
                       "class in both, as chance has it",
                       (long long)agree, (long long)one.rows);
}

/* ---- SQL ---- */

void bt_audit_sql(bt_audit_job *job)
{
    const char *foreign = job->release->pair.foreign;
    if (foreign)
        bt_finding_put(job, "query files", BT_FAILS, BT_NO_ROW,
                       "%s holds something else than what follows from the manifest", foreign);
    else
        bt_finding_put(job, "query files", BT_HOLDS, BT_NO_ROW,
                       "query.sql, load.sqlite and load.psql follow from the manifest");
}

bauta_status bt_audit_pair(bt_audit_job *job, bauta_error *error)
{
    check_classes(job);
    bt_audit_numbers(job);
    BT_TRY(check_linkage(job, error));
    bt_audit_order(job);
    bt_audit_sql(job);
    return BAUTA_OK;
}

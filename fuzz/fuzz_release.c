/* SPDX-License-Identifier: Apache-2.0
 *
 * A folder of files that may be a release: whatever they are, `audit` says yes or no or refuses it,
 * and what it accepts can be asked questions.
 */
#include "files.h"

#include "bauta.h"

static const char *const names[] = {
    "manifest.json", "data.csv",  "quasi.csv", "sensitive.csv", "bounds.csv", "query.sql",
    "load.sqlite",   "load.psql", NULL,
};

static const char *const queries[] = {
    "SELECT COUNT(*)",
    "SELECT COUNT(*) WHERE age < 40",
    "SELECT AVG(age) WHERE disease <> 'flu'",
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bauta_error error = {0};
    fuzz_fresh_folder();
    fuzz_write_files(data, size, names);
    bauta_status status = bauta_audit(fuzz_folder, NULL, NULL, &error);
    fuzz_check(status == BAUTA_OK || status == BAUTA_NO || status == BAUTA_INVALID ||
                   (status == BAUTA_SYSTEM && access(fuzz_path("manifest.json"), R_OK) != 0),
               "fails oddly");
    fuzz_check(status == BAUTA_OK || error.message[0], "fails without a word");
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        bauta_report *report = NULL;
        bauta_status answered = bauta_query(fuzz_folder, &queries[i], 1, NULL, &report, &error);
        fuzz_check(answered != BAUTA_INTERNAL, "a question fails oddly");
        /* BAUTA_NO: a join that does not say how many records it has. */
        fuzz_check(i > 0 || status != BAUTA_OK || answered <= BAUTA_NO,
                   "an audited release is mute");
        bauta_report_free(report);
    }
    return 0;
}

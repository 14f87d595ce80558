/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line as a whole. An input is the words after `bauta`, one a line; they are run in a
 * folder with a table, a public table, a tree, a recipe and a release. Whatever they are, the
 * command ends with one of its exit codes other than that of an internal fault, says why when it
 * failed, and writes nothing to the terminal that a terminal would obey.
 *
 * Words that lead out of the folder are not run. A command that takes much processor time is
 * cancelled as by a user, and files can only become so large, so that tables of any size may be
 * asked for.
 */
#include "files.h"

#include "../cli/progress.h"
#include "bauta.h"

#include <ctype.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <time.h>

int bauta_command(int count, char **words); /* the command's main, see meson.build */

enum { WORDS = 64, LARGEST_FILE = 1 << 20, LONGEST = 200 /* milliseconds of processor time */ };

static const char table[] = "name,age,zip,sex,disease\n"
                            "P01,21,1010,f,flu\nP02,22,1010,m,flu\nP03,23,1020,f,asthma\n"
                            "P04,25,1020,m,angina\nP05,31,1030,f,flu\nP06,34,1030,m,asthma\n"
                            "P07,36,1040,f,angina\nP08,38,1040,m,flu\nP09,41,1110,f,asthma\n"
                            "P10,44,1110,m,flu\nP11,46,1120,f,angina\nP12,49,1120,m,asthma\n";
static const char public_table[] = "name,age,zip,sex\n"
                                   "P01,21,1010,f\nP05,31,1030,f\nP09,41,1110,f\nX01,24,1010,m\n"
                                   "X02,35,1040,f\nX03,47,1120,m\n";
static const char tree[] = "1010;101*;1*\n1020;102*;1*\n1030;103*;1*\n1040;104*;1*\n"
                           "1110;111*;1*\n1120;112*;1*\n";
static const char recipe[] = "input: t.csv\nidentifier: [name]\nquasi: [age, zip, sex]\n"
                             "sensitive: [disease]\nrequire: k=3\n";
static const char categories[] = "angina;heart\nasthma;lung\nflu;infection\n";

/* A table with the columns of Adult, for the experiments of papers. */
static const char *const adult[][8] = {
    {"workclass", "Private", "State-gov", "Local-gov", "Private", "Self-emp-inc"},
    {"education", "Bachelors", "HS-grad", "Masters", "11th", "Some-college", "Doctorate"},
    {"marital-status", "Divorced", "Never-married", "Widowed", "Married-civ-spouse"},
    {"occupation", "Sales", "Tech-support", "Craft-repair", "Exec-managerial", "Other-service",
     "Adm-clerical", "Prof-specialty"},
    {"race", "White", "Black", "Other"},
    {"relationship", "Husband", "Wife", "Own-child", "Unmarried"},
    {"sex", "Male", "Female"},
    {"native-country", "United-States", "Mexico", "Germany"},
    {"salary-class", "<=50K", ">50K"},
};
enum { ADULT_COLUMNS = sizeof adult / sizeof *adult, ADULT_ROWS = 150 };

static void write_adult(void)
{
    FILE *file = fopen(fuzz_path("a.csv"), "wb");
    fuzz_check(file, "writing");
    fprintf(file, "age,hours-per-week,capital-loss");
    for (size_t j = 0; j < ADULT_COLUMNS; j++)
        fprintf(file, ",%s", adult[j][0]);
    for (unsigned i = 0; i < ADULT_ROWS; i++) {
        fprintf(file, "\n%u,%u,%u", 17 + i * 7 % 60, 10 + i * 11 % 50, i % 3 * 700);
        for (size_t j = 0; j < ADULT_COLUMNS; j++) {
            unsigned values = 0;
            while (values < 7 && adult[j][values + 1])
                values++;
            fprintf(file, ",%s", adult[j][1 + (i / (j + 1) + j) % values]);
        }
    }
    fuzz_check(fclose(file) == 0, "writing");
}

/* ---- progress: what cli/progress.c does, without a terminal and signals ---- */

static double started; /* infinite: what runs is never cancelled */

static double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static int on_progress(void *user, const char *stage, int64_t done, int64_t total)
{
    (void)user;
    (void)stage;
    (void)done;
    (void)total;
    return milliseconds() - started > LONGEST;
}

bauta_progress watch_progress(bauta_recipe *watched, progress_wish wish)
{
    (void)wish;
    bauta_recipe_on_progress(watched, on_progress, NULL);
    return on_progress;
}

void clear_progress(void)
{
}

/* ---- running ---- */

/* Runs a command in the folder; what it says goes to the files `answer` and `errors` there. It
 * closes its standard output, and also writes to that without a stream. */
static int run(int count, char **words)
{
    struct rlimit before, small;
    FILE *own_stdout = stdout, *own_stderr = stderr;
    int home = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC), own = dup(STDOUT_FILENO);
    fuzz_check(home >= 0 && own >= 0 && chdir(fuzz_folder) == 0, "the folder");
    fuzz_check(getrlimit(RLIMIT_FSIZE, &before) == 0, "the limit");
    small = (struct rlimit){LARGEST_FILE, before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    int answer = open("answer", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    fuzz_check(answer >= 0 && dup2(answer, STDOUT_FILENO) == STDOUT_FILENO, "the answer");
    close(answer);
    stdout = fdopen(STDOUT_FILENO, "w");
    stderr = fopen("errors", "w");
    fuzz_check(stdout && stderr && setrlimit(RLIMIT_FSIZE, &small) == 0, "the limit");
    int code = bauta_command(count, words);
    fclose(stderr);
    stdout = own_stdout;
    stderr = own_stderr;
    fuzz_check(dup2(own, STDOUT_FILENO) == STDOUT_FILENO && fchdir(home) == 0 &&
                   setrlimit(RLIMIT_FSIZE, &before) == 0,
               "going back");
    close(own);
    close(home);
    return code;
}

/* Anything but a line feed that a terminal takes for an order; texts may be UTF-8. */
static void check_errors(int code)
{
    FILE *file = fopen(fuzz_path("errors"), "rb");
    fuzz_check(file, "no errors");
    int byte, length = 0;
    for (; (byte = getc(file)) != EOF; length++)
        fuzz_check(byte == '\n' || (byte >= 0x20 && byte != 0x7F), "a control character");
    fclose(file);
    fuzz_check(code <= BAUTA_NO || length > 0, "fails without a word");
}

/* The release is made once, by the command itself, and kept in memory. */
static struct {
    char bytes[1 << 14];
    size_t length;
} release[2];
static const char *const release_files[] = {"manifest.json", "data.csv"};

static void make_release(void)
{
    char *words[] = {"bauta", "anonymize", "-r", "r.yaml", "--seed", "0a", "-o", "made", NULL};
    started = INFINITY;
    fuzz_check(run(8, words) == 0, "no release");
    for (size_t i = 0; i < 2; i++) {
        char name[64];
        snprintf(name, sizeof name, "made/publish/%s", release_files[i]);
        FILE *file = fopen(fuzz_path(name), "rb");
        fuzz_check(file, name);
        release[i].length = fread(release[i].bytes, 1, sizeof release[i].bytes, file);
        fclose(file);
        fuzz_check(release[i].length > 0 && release[i].length < sizeof release[i].bytes, name);
    }
}

static void write_release(void)
{
    fuzz_check(mkdir(fuzz_path("p"), 0700) == 0, "a folder");
    for (size_t i = 0; i < 2; i++) {
        char name[64];
        snprintf(name, sizeof name, "p/%s", release_files[i]);
        fuzz_write(name, release[i].bytes, release[i].length);
    }
}

static void write_fixtures(void)
{
    fuzz_fresh_folder();
    fuzz_write("t.csv", table, sizeof table - 1);
    fuzz_write("q.csv", public_table, sizeof public_table - 1);
    fuzz_write("tree.csv", tree, sizeof tree - 1);
    fuzz_write("r.yaml", recipe, sizeof recipe - 1);
    fuzz_write("c.csv", categories, sizeof categories - 1);
    write_adult();
}

/* A slash is fine behind a digit, where it may be a fraction. */
static bool leads_out(const char *text)
{
    if (strstr(text, "..")) return true;
    for (const char *p = text; *p; p++)
        if (*p == '/' && (p == text || !isdigit((unsigned char)p[-1]))) return true;
    return false;
}

static int cut_words(char *text, char **words)
{
    int count = 0;
    words[count++] = "bauta";
    while (count < WORDS - 1) {
        words[count++] = text;
        text = strchr(text, '\n');
        if (!text || !text[1]) break;
        *text++ = '\0';
    }
    if (text) *text = '\0';
    words[count] = NULL;
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *words[WORDS], *text = malloc(size + 1);
    fuzz_check(text, "memory");
    memcpy(text, data, size);
    text[size] = '\0';
    if (!leads_out(text)) {
        write_fixtures();
        if (!release[0].length) make_release();
        write_release();
        started = milliseconds();
        int code = run(cut_words(text, words), words);
        fuzz_check(code >= 0 && code <= BAUTA_CANCELLED && code != BAUTA_INTERNAL,
                   "an exit code of its own");
        check_errors(code);
    }
    free(text);
    return 0;
}

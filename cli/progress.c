/* SPDX-License-Identifier: Apache-2.0
 *
 * One line that is written over, at most six times a second.
 *
 * The state is global because a signal handler can reach nothing else; a process has one
 * terminal and one progress line.
 */
#include "progress.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t stopped;

static struct {
    bool shows, terminal, drawn;
    double next; /* not before this time */
} line;

enum { PER_SECOND = 6 };

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void stop(int signal_number)
{
    (void)signal_number;
    stopped = 1;
}

static void draw(const char *stage, int64_t done, int64_t total)
{
    fprintf(stderr, line.terminal ? "\r\033[K%s" : "%s", stage);
    if (total > 0)
        fprintf(stderr, " %d %%", (int)((double)done * 100 / (double)total));
    else if (done > 0)
        fprintf(stderr, " %" PRId64, done);
    fprintf(stderr, line.terminal ? "" : "\n");
    fflush(stderr);
    line.drawn = true;
}

static int on_progress(void *user, const char *stage, int64_t done, int64_t total)
{
    (void)user;
    if (line.shows) {
        double now = seconds_now();
        if (now >= line.next) {
            draw(stage, done, total);
            line.next = now + 1.0 / PER_SECOND;
        }
    }
    return stopped;
}

bauta_progress watch_progress(bauta_recipe *recipe, progress_wish wish)
{
    struct sigaction action = {.sa_handler = stop, .sa_flags = SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    line.terminal = isatty(STDERR_FILENO) == 1;
    line.shows = wish == PROGRESS_ALWAYS || (wish == PROGRESS_USUAL && line.terminal);
    line.next = wish == PROGRESS_ALWAYS ? 0 : seconds_now() + 1;
    bauta_recipe_on_progress(recipe, on_progress, NULL);
    return on_progress;
}

void clear_progress(void)
{
    if (line.drawn && line.terminal) fprintf(stderr, "\r\033[K");
    line.drawn = false;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Progress on standard error, and stopping when the user asks to.
 */
#ifndef BAUTA_PROGRESS_H
#define BAUTA_PROGRESS_H

#include <bauta.h>
#include <stdbool.h>

typedef enum progress_wish {
    PROGRESS_USUAL,  /* on a terminal, after a second */
    PROGRESS_NEVER,  /* --no-progress */
    PROGRESS_ALWAYS, /* --progress: at once, one line each where there is no terminal */
} progress_wish;

/* Shows how far the work on `recipe` is, and makes SIGINT and SIGTERM cancel it cleanly. A
 * second signal ends the program at once. Returns what the recipe calls, without a user's data. */
bauta_progress watch_progress(bauta_recipe *recipe, progress_wish wish);

/* Removes what is shown. */
void clear_progress(void);

#endif

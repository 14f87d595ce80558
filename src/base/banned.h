/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that are never right here. The build includes this file before every source of the
 * library and of the command (-include), so that using one is a compile error.
 *
 * The headers come first: a poisoned name must not occur in a system header read later.
 */
#ifndef BT_BANNED_H
#define BT_BANNED_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* No bound on what is written: snprintf, memcpy, bt_buffer. */
#pragma GCC poison strcpy strcat stpcpy sprintf vsprintf gets strncpy strncat
/* No way to see a fault: bt_text_integer, bt_rational_parse. */
#pragma GCC poison atoi atol atoll atof
/* Hidden state, shared between threads. */
#pragma GCC poison strtok asctime ctime gmtime localtime strerror lgamma
/* Not random enough, or not from the seed: base/random.h. */
#pragma GCC poison rand srand drand48 lrand48 mrand48
/* Races with whoever else names a file. */
#pragma GCC poison tmpnam tempnam mktemp
/* Runs a shell. */
#pragma GCC poison system popen

#ifdef BT_LIBRARY
/* The library never prints, exits, aborts or reads the environment. (printf is also the name of
 * an attribute; tools/check_symbols sees to it.) */
#pragma GCC poison vprintf puts putchar perror exit _exit abort getenv secure_getenv
#endif

#endif

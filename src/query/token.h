/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of a query: names, texts, numbers and signs, each with the column at which it stands
 * (in characters, from 1), so that every error can point at it.
 *
 *   name    abc_1, or "any ""text""" in double quotes
 *   text    'it''s'
 *   number  12, 1.5, .5, 1e3 (signs are words of their own)
 *   sign    ( ) , ; * = <> != < <= > >= + -
 *
 * Blanks and comments (from -- to the end of the line) stand between words and mean nothing.
 */
#ifndef BT_TOKEN_H
#define BT_TOKEN_H

#include "base/memory.h"

typedef enum bt_token_kind {
    BT_TOKEN_END,
    BT_TOKEN_WORD, /* a name without quotes, or a keyword */
    BT_TOKEN_NAME, /* a quoted name */
    BT_TOKEN_TEXT,
    BT_TOKEN_NUMBER,
    BT_TOKEN_SIGN,
} bt_token_kind;

typedef struct bt_token {
    bt_token_kind kind;
    const char
        *text; /* without quotes, zero-terminated; of a sign "<>" for both ways to write it */
    size_t column;
} bt_token;

typedef struct bt_lexer {
    const char *at; /* zero-terminated */
    size_t column;
    bt_arena *arena; /* for the texts of tokens */
} bt_lexer;

BT_MUST_USE bauta_status bt_token_next(bt_lexer *lexer, bt_token *out, bauta_error *error);

/* Whether the token is this keyword (given in upper case; any case fits) or sign. */
bool bt_token_is(const bt_token *token, const char *word);

/* Fails at a column of the query: BAUTA_INVALID with "query, column N: …". A macro for the same
 * reason as bt_fail. */
#define bt_query_fail(error, column, ...)                                                          \
    (bt_query_fault((error), (column), __VA_ARGS__), BAUTA_INVALID)
void bt_query_fault(bauta_error *error, size_t column, const char *format, ...) BT_PRINTF(3, 4);

#endif

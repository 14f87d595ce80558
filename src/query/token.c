/* SPDX-License-Identifier: Apache-2.0
 *
 * The lexer: any bytes become words, or an error that says where.
 */
#include "query/token.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

void bt_query_fault(bauta_error *error, size_t column, const char *format, ...)
{
    char text[sizeof error->message - 40];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    bt_error_set(error, BAUTA_INVALID, "query, column %zu: %s", column, text);
}

bool bt_token_is(const bt_token *token, const char *word)
{
    if (token->kind == BT_TOKEN_WORD) return strcasecmp(token->text, word) == 0;
    return token->kind == BT_TOKEN_SIGN && strcmp(token->text, word) == 0;
}

/* ---- characters ---- */

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Letters of other alphabets are bytes above 127. */
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c > 127;
}

static void step(bt_lexer *lexer)
{
    lexer->at++;
    lexer->column += ((unsigned char)*lexer->at & 0xC0) != 0x80;
}

static void step_over(bt_lexer *lexer, size_t bytes)
{
    for (; bytes > 0; bytes--)
        step(lexer);
}

static void skip_blanks(bt_lexer *lexer)
{
    for (;;) {
        if (is_blank(*lexer->at)) {
            step(lexer);
        } else if (lexer->at[0] == '-' && lexer->at[1] == '-') {
            while (*lexer->at && *lexer->at != '\n')
                step(lexer);
        } else {
            return;
        }
    }
}

/* ---- words ---- */

static bauta_status take(bt_lexer *lexer, bt_token *out, bt_token_kind kind, size_t bytes,
                         bauta_error *error)
{
    out->kind = kind;
    out->text = bt_arena_copy(lexer->arena, lexer->at, bytes);
    if (!out->text) return bt_fail_memory(error);
    step_over(lexer, bytes);
    return BAUTA_OK;
}

/* Between quotes, where a doubled quote stands for one. */
static bauta_status take_quoted(bt_lexer *lexer, bt_token *out, bauta_error *error)
{
    const char quote = *lexer->at, *end = lexer->at + 1;
    while (*end && (*end != quote || end[1] == quote))
        end += 1 + (*end == quote);
    if (*end == '\0')
        return bt_query_fail(error, out->column, "the quote that opens here is never closed");
    char *copy = bt_arena_alloc(lexer->arena, (size_t)(end - lexer->at));
    if (!copy) return bt_fail_memory(error);
    out->kind = quote == '"' ? BT_TOKEN_NAME : BT_TOKEN_TEXT;
    out->text = copy;
    for (step(lexer); lexer->at < end; step(lexer)) {
        *copy++ = *lexer->at;
        if (*lexer->at == quote) step(lexer);
    }
    *copy = '\0';
    step(lexer);
    if (quote == '"' && out->text[0] == '\0')
        return bt_query_fail(error, out->column, "a name is empty");
    return BAUTA_OK;
}

static bauta_status take_number(bt_lexer *lexer, bt_token *out, bauta_error *error)
{
    const char *p = lexer->at;
    while (is_digit(*p))
        p++;
    if (*p == '.') p++;
    while (is_digit(*p))
        p++;
    bool exponent = *p == 'e' || *p == 'E';
    if (exponent && is_digit(p[1 + (p[1] == '+' || p[1] == '-')])) {
        p += 2;
        while (is_digit(*p))
            p++;
    }
    if (is_letter(*p) || *p == '.')
        return bt_query_fail(error, out->column, "this is neither a number nor a name");
    return take(lexer, out, BT_TOKEN_NUMBER, (size_t)(p - lexer->at), error);
}

static bauta_status take_sign(bt_lexer *lexer, bt_token *out, bauta_error *error)
{
    static const char *const signs[] = {"<>", "!=", "<=", ">=", "<", ">", "=",
                                        "(",  ")",  ",",  ";",  "*", "+", "-"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t length = strlen(signs[i]);
        if (strncmp(lexer->at, signs[i], length) != 0) continue;
        out->kind = BT_TOKEN_SIGN;
        out->text = signs[i][0] == '!' ? "<>" : signs[i];
        step_over(lexer, length);
        return BAUTA_OK;
    }
    return bt_query_fail(error, out->column, "this character means nothing here");
}

bauta_status bt_token_next(bt_lexer *lexer, bt_token *out, bauta_error *error)
{
    skip_blanks(lexer);
    const char *p = lexer->at;
    *out = (bt_token){.kind = BT_TOKEN_END, .text = "", .column = lexer->column};
    if (*p == '\0') return BAUTA_OK;
    if (*p == '"' || *p == '\'') return take_quoted(lexer, out, error);
    if (is_digit(*p) || (*p == '.' && is_digit(p[1]))) return take_number(lexer, out, error);
    if (!is_letter(*p)) return take_sign(lexer, out, error);
    while (is_letter(*p) || is_digit(*p) || *p == '$')
        p++;
    return take(lexer, out, BT_TOKEN_WORD, (size_t)(p - lexer->at), error);
}

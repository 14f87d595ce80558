/* SPDX-License-Identifier: Apache-2.0
 *
 * The parser. Conditions are read with a stack of operators (Dijkstra's shunting yard), so that
 * parentheses may nest as deep as a query is long without recursion.
 */
#include "query/select.h"

#include "query/token.h"

#include <string.h>

static const char *const aggregates[] = {"COUNT", "SUM", "AVG", "MIN", "MAX"};

const char *bt_aggregate_name(bt_aggregate aggregate)
{
    return aggregates[aggregate];
}

typedef enum waiting {
    WAIT_OPEN,
    WAIT_OR,
    WAIT_AND,
    WAIT_NOT
} waiting; /* by how tight they bind */

typedef struct operator_use {
    waiting kind;
    size_t column;
} operator_use;

typedef struct parser {
    bt_lexer lexer;
    bt_token token; /* the next one */
    bt_select *out;
    operator_use *operators;
    size_t operator_count, operator_capacity;
    uint32_t *operands; /* terms that are not part of another one yet */
    size_t operand_count, operand_capacity;
    bauta_error *error;
} parser;

static bauta_status advance(parser *p)
{
    return bt_token_next(&p->lexer, &p->token, p->error);
}

static bauta_status expected(const parser *p, const char *what)
{
    bool end = p->token.kind == BT_TOKEN_END;
    return bt_query_fail(p->error, p->token.column, "expected %s%s", what,
                         end ? ", but the query ends" : "");
}

static bauta_status expect(parser *p, const char *word, const char *what)
{
    return bt_token_is(&p->token, word) ? advance(p) : expected(p, what);
}

static bool is_reserved(const bt_token *token)
{
    static const char *const words[] = {"SELECT", "WHERE", "AND",  "OR",   "NOT",
                                        "IN",     "IS",    "NULL", "FROM", "BETWEEN"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (token->kind == BT_TOKEN_WORD && bt_token_is(token, words[i])) return true;
    return false;
}

/* ---- names and values ---- */

static bauta_status read_name(parser *p, bt_name_use *out)
{
    bool quoted = p->token.kind == BT_TOKEN_NAME;
    if (!quoted && (p->token.kind != BT_TOKEN_WORD || is_reserved(&p->token))) {
        bauta_status status = expected(p, "the name of a column");
        if (p->token.kind == BT_TOKEN_WORD)
            bt_error_hint(p->error,
                          "a column that is called like a keyword stands in double quotes");
        return status;
    }
    *out = (bt_name_use){p->token.text, quoted, p->token.column};
    return advance(p);
}

static bool begins_value(const parser *p)
{
    return p->token.kind == BT_TOKEN_TEXT || p->token.kind == BT_TOKEN_NUMBER ||
           bt_token_is(&p->token, "-") || bt_token_is(&p->token, "+");
}

static bauta_status no_value(const parser *p)
{
    bauta_status status = expected(p, "a value");
    if (bt_token_is(&p->token, "NULL"))
        bt_error_hint(p->error, "ask for missing values with IS NULL");
    else if (p->token.kind == BT_TOKEN_WORD || p->token.kind == BT_TOKEN_NAME)
        bt_error_hint(p->error, "text stands in single quotes; columns are compared with values");
    return status;
}

static bauta_status read_signed(parser *p, bt_literal *out)
{
    bool minus = bt_token_is(&p->token, "-");
    BT_TRY(advance(p));
    if (p->token.kind != BT_TOKEN_NUMBER) return expected(p, "a number");
    out->number = true;
    out->text = minus ? bt_arena_print(p->lexer.arena, "-%s", p->token.text) : p->token.text;
    return out->text ? advance(p) : bt_fail_memory(p->error);
}

static bauta_status read_value(parser *p)
{
    bt_literal literal = {.column = p->token.column};
    bt_select *out = p->out;
    if (bt_token_is(&p->token, "DATE")) {
        literal.date = true;
        BT_TRY(advance(p));
        if (p->token.kind != BT_TOKEN_TEXT) return expected(p, "a date in single quotes");
    }
    if (!begins_value(p)) return no_value(p);
    if (p->token.kind == BT_TOKEN_SIGN) {
        BT_TRY(read_signed(p, &literal));
    } else {
        literal.number = p->token.kind == BT_TOKEN_NUMBER;
        literal.text = p->token.text;
        BT_TRY(advance(p));
    }
    BT_TRY(bt_array_grow(&out->literals, &out->literal_capacity, out->literal_count + 1,
                         sizeof *out->literals, p->error));
    out->literals[out->literal_count++] = literal;
    return BAUTA_OK;
}

/* ---- atoms ---- */

static const struct comparison_sign {
    const char *sign;
    bt_comparison straight, turned; /* turned: the value stands first */
} comparison_signs[] = {
    {"=", BT_EQUAL, BT_EQUAL},  {"<>", BT_UNEQUAL, BT_UNEQUAL},
    {"<", BT_LESS, BT_GREATER}, {"<=", BT_AT_MOST, BT_AT_LEAST},
    {">", BT_GREATER, BT_LESS}, {">=", BT_AT_LEAST, BT_AT_MOST},
};

static const struct comparison_sign *comparison_at(const parser *p)
{
    for (size_t i = 0; i < sizeof comparison_signs / sizeof *comparison_signs; i++)
        if (bt_token_is(&p->token, comparison_signs[i].sign)) return &comparison_signs[i];
    return NULL;
}

static bauta_status read_list(parser *p)
{
    BT_TRY(advance(p));
    BT_TRY(expect(p, "(", "'(' after IN"));
    for (;;) {
        BT_TRY(read_value(p));
        if (!bt_token_is(&p->token, ",")) break;
        BT_TRY(advance(p));
    }
    return expect(p, ")", "',' or ')' in the list");
}

static bauta_status read_between(parser *p)
{
    BT_TRY(advance(p));
    BT_TRY(read_value(p));
    BT_TRY(expect(p, "AND", "AND between the two values"));
    return read_value(p);
}

static bauta_status read_is_null(parser *p, bt_atom *atom)
{
    BT_TRY(advance(p));
    atom->negated = bt_token_is(&p->token, "NOT");
    if (atom->negated) BT_TRY(advance(p));
    atom->comparison = BT_IS_NULL;
    return expect(p, "NULL", atom->negated ? "NULL after IS NOT" : "NULL or NOT NULL after IS");
}

static bauta_status read_after_name(parser *p, bt_atom *atom)
{
    const struct comparison_sign *sign = comparison_at(p);
    if (sign) {
        atom->comparison = sign->straight;
        BT_TRY(advance(p));
        return read_value(p);
    }
    if (bt_token_is(&p->token, "IS")) return read_is_null(p, atom);
    atom->negated = bt_token_is(&p->token, "NOT");
    if (atom->negated) BT_TRY(advance(p));
    if (bt_token_is(&p->token, "IN")) {
        atom->comparison = BT_IN;
        return read_list(p);
    }
    if (bt_token_is(&p->token, "BETWEEN")) {
        atom->comparison = BT_BETWEEN;
        return read_between(p);
    }
    if (atom->negated) return expected(p, "IN or BETWEEN after NOT");
    bauta_status status = expected(p, "=, <>, <, <=, >, >=, IN, BETWEEN or IS after a column");
    if (bt_token_is(&p->token, "-"))
        bt_error_hint(p->error, "a name with a hyphen in it stands in double quotes");
    return status;
}

static bauta_status read_value_first(parser *p, bt_atom *atom)
{
    BT_TRY(read_value(p));
    const struct comparison_sign *sign = comparison_at(p);
    if (!sign) return expected(p, "=, <>, <, <=, > or >= after a value");
    atom->comparison = sign->turned;
    BT_TRY(advance(p));
    return read_name(p, &atom->name);
}

static bauta_status push_term(parser *p, bt_term term)
{
    bt_select *out = p->out;
    BT_TRY(bt_array_grow(&out->terms, &out->term_capacity, out->term_count + 1, sizeof *out->terms,
                         p->error));
    BT_TRY(bt_array_grow(&p->operands, &p->operand_capacity, p->operand_count + 1,
                         sizeof *p->operands, p->error));
    p->operands[p->operand_count++] = (uint32_t)out->term_count;
    out->terms[out->term_count++] = term;
    return BAUTA_OK;
}

/* A value stands here, not a column; one may be called DATE. */
static bauta_status finds_value(const parser *p, bool *out)
{
    bt_lexer ahead = p->lexer;
    bt_token next;
    *out = begins_value(p);
    if (!bt_token_is(&p->token, "DATE")) return BAUTA_OK;
    BT_TRY(bt_token_next(&ahead, &next, p->error));
    *out = next.kind == BT_TOKEN_TEXT;
    return BAUTA_OK;
}

static bauta_status read_atom(parser *p)
{
    bt_select *out = p->out;
    bt_atom atom = {.first = out->literal_count};
    bool value;
    BT_TRY(finds_value(p, &value));
    if (value) {
        BT_TRY(read_value_first(p, &atom));
    } else {
        BT_TRY(read_name(p, &atom.name));
        BT_TRY(read_after_name(p, &atom));
    }
    atom.count = out->literal_count - atom.first;
    BT_TRY(bt_array_grow(&out->atoms, &out->atom_capacity, out->atom_count + 1, sizeof *out->atoms,
                         p->error));
    out->atoms[out->atom_count] = atom;
    return push_term(p, (bt_term){.kind = BT_ATOM, .left = (uint32_t)out->atom_count++});
}

/* ---- conditions ---- */

static bauta_status push_operator(parser *p, waiting kind)
{
    BT_TRY(bt_array_grow(&p->operators, &p->operator_capacity, p->operator_count + 1,
                         sizeof *p->operators, p->error));
    p->operators[p->operator_count++] = (operator_use){kind, p->token.column};
    return advance(p);
}

/* Applies the operators that bind at least as tight as `least`, down to an open parenthesis. */
static bauta_status apply(parser *p, waiting least)
{
    while (p->operator_count > 0 && p->operators[p->operator_count - 1].kind >= least) {
        waiting kind = p->operators[--p->operator_count].kind;
        bt_term term = {.kind = kind == WAIT_NOT ? BT_NOT : kind == WAIT_AND ? BT_AND : BT_OR};
        if (kind != WAIT_NOT) term.right = p->operands[--p->operand_count];
        term.left = p->operands[--p->operand_count];
        BT_TRY(push_term(p, term));
    }
    return BAUTA_OK;
}

/* NOT and open parentheses, then an atom, then closing parentheses. */
static bauta_status read_operand(parser *p)
{
    for (;;) {
        if (bt_token_is(&p->token, "NOT"))
            BT_TRY(push_operator(p, WAIT_NOT));
        else if (bt_token_is(&p->token, "("))
            BT_TRY(push_operator(p, WAIT_OPEN));
        else
            break;
    }
    BT_TRY(read_atom(p));
    while (bt_token_is(&p->token, ")")) {
        BT_TRY(apply(p, WAIT_OR));
        if (p->operator_count == 0)
            return bt_query_fail(p->error, p->token.column, "this ')' closes nothing");
        p->operator_count--;
        BT_TRY(advance(p));
    }
    return BAUTA_OK;
}

static bauta_status read_condition(parser *p)
{
    for (;;) {
        BT_TRY(read_operand(p));
        bool tight = bt_token_is(&p->token, "AND");
        if (!tight && !bt_token_is(&p->token, "OR")) break;
        BT_TRY(apply(p, tight ? WAIT_AND : WAIT_OR));
        BT_TRY(push_operator(p, tight ? WAIT_AND : WAIT_OR));
    }
    BT_TRY(apply(p, WAIT_OR));
    if (p->operator_count == 0) return BAUTA_OK;
    if (p->token.kind != BT_TOKEN_END) return expected(p, "AND, OR or ')'");
    return bt_query_fail(p->error, p->operators[p->operator_count - 1].column,
                         "this '(' is never closed");
}

/* ---- the whole ---- */

static bauta_status read_aggregate(parser *p)
{
    bt_select *out = p->out;
    size_t i = 0;
    while (i < sizeof aggregates / sizeof *aggregates && !bt_token_is(&p->token, aggregates[i]))
        i++;
    if (i == sizeof aggregates / sizeof *aggregates)
        return expected(p, "COUNT, SUM, AVG, MIN or MAX");
    out->aggregate = (bt_aggregate)i;
    BT_TRY(advance(p));
    BT_TRY(expect(p, "(", "'(' after the aggregate"));
    out->star = out->aggregate == BT_COUNT && bt_token_is(&p->token, "*");
    BT_TRY(out->star ? advance(p) : read_name(p, &out->target));
    return expect(p, ")", "')' after what is aggregated");
}

static bauta_status read_select(parser *p)
{
    BT_TRY(advance(p));
    BT_TRY(expect(p, "SELECT", "SELECT"));
    BT_TRY(read_aggregate(p));
    if (bt_token_is(&p->token, "WHERE")) {
        BT_TRY(advance(p));
        BT_TRY(read_condition(p));
    }
    if (bt_token_is(&p->token, ";")) BT_TRY(advance(p));
    if (p->token.kind == BT_TOKEN_END) return BAUTA_OK;
    bauta_status status =
        expected(p, p->out->term_count == 0 ? "WHERE or the end" : "AND, OR or the end");
    if (bt_token_is(&p->token, "FROM"))
        bt_error_hint(p->error, "a release is one table: leave FROM out");
    else if (bt_token_is(&p->token, ","))
        bt_error_hint(p->error, "a query asks for one aggregate");
    return status;
}

bauta_status bt_select_parse(const char *text, bt_select *out, bauta_error *error)
{
    *out = (bt_select){0};
    if (strnlen(text, BT_QUERY_MOST + 1) > BT_QUERY_MOST)
        return bt_query_fail(error, (size_t)BT_QUERY_MOST, "the query is longer than 1 MiB");
    parser p = {
        .lexer = {.at = text, .column = 1, .arena = &out->arena}, .out = out, .error = error};
    bauta_status status = read_select(&p);
    free(p.operators);
    free(p.operands);
    return status;
}

void bt_select_release(bt_select *select)
{
    free(select->terms);
    free(select->atoms);
    free(select->literals);
    bt_arena_release(&select->arena);
    *select = (bt_select){0};
}

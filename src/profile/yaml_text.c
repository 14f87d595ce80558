/* SPDX-License-Identifier: Apache-2.0
 *
 * Anything but plain letters, digits and a few signs goes into double quotes, where every
 * character can be written as an escape. Characters that YAML forbids, line ends of all kinds
 * and those that change the writing direction are always escaped.
 */
#include "profile/yaml_text.h"

#include <string.h>
#include <strings.h>

enum { COMMENT_WIDTH = 90, LONG_KEY = 512 }; /* YAML allows short keys of 1024 characters */

/* ---- characters -------------------------------------------------------------------------- */

/* The first character of valid UTF-8; a byte that is none stands for itself. */
static uint32_t decode(const char *text, size_t *bytes)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t more = p[0] >= 0xF0 ? 3 : p[0] >= 0xE0 ? 2 : p[0] >= 0xC0 ? 1 : 0;
    uint32_t code = more == 3 ? p[0] & 0x07 : more == 2 ? p[0] & 0x0F : more ? p[0] & 0x1F : p[0];
    *bytes = 1;
    for (size_t i = 1; i <= more && (p[i] & 0xC0) == 0x80; i++) {
        code = code << 6 | (p[i] & 0x3F);
        ++*bytes;
    }
    return code;
}

static bool is_hidden(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0xAD ||
           (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2060 && code <= 0x2069) || code == 0xFEFF || (code & 0xFFFE) == 0xFFFE ||
           (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF;
}

static bauta_status put_escape(bt_buffer *out, uint32_t code, bauta_error *error)
{
    switch (code) {
    case '\n': return bt_buffer_add(out, "\\n", 2, error);
    case '\t': return bt_buffer_add(out, "\\t", 2, error);
    case '\r': return bt_buffer_add(out, "\\r", 2, error);
    default: break;
    }
    return bt_buffer_print(out, error,
                           code < 0x100     ? "\\x%02X"
                           : code < 0x10000 ? "\\u%04X"
                                            : "\\U%08X",
                           (unsigned)code);
}

/* ---- scalars ----------------------------------------------------------------------------- */

static bool is_plain_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("_./-=", c));
}

/* Words that other readers of YAML take for something else than text. */
static bool is_reserved(const char *text)
{
    static const char *const words[] = {"null", "true", "false", "yes", "no", "on",
                                        "off",  "y",    "n",     "nan", "inf"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(words[i], text) == 0) return true;
    return false;
}

static bool is_plain(const char *text)
{
    bool letter = (text[0] | 0x20) >= 'a' && (text[0] | 0x20) <= 'z';
    if (!letter && text[0] != '/' && text[0] != '_') return false;
    for (const char *p = text; *p; p++)
        if (!is_plain_byte(*p) && !(*p == ' ' && is_plain_byte(p[1]))) return false;
    return !is_reserved(text);
}

bauta_status bt_yaml_scalar(bt_buffer *out, const char *text, bauta_error *error)
{
    if (is_plain(text)) return bt_buffer_add(out, text, strlen(text), error);
    BT_TRY(bt_buffer_add(out, "\"", 1, error));
    for (size_t bytes; *text; text += bytes) {
        uint32_t code = decode(text, &bytes);
        if (is_hidden(code)) {
            BT_TRY(put_escape(out, code, error));
            continue;
        }
        if (code == '"' || code == '\\') BT_TRY(bt_buffer_add(out, "\\", 1, error));
        BT_TRY(bt_buffer_add(out, text, bytes, error));
    }
    return bt_buffer_add(out, "\"", 1, error);
}

bauta_status bt_yaml_key(bt_buffer *out, int indent, const char *name, bauta_error *error)
{
    size_t start = out->length;
    BT_TRY(bt_buffer_print(out, error, "%*s", indent, ""));
    BT_TRY(bt_yaml_scalar(out, name, error));
    if (out->length - start <= LONG_KEY) return bt_buffer_add(out, ":", 1, error);
    out->length = start;
    BT_TRY(bt_buffer_print(out, error, "%*s? ", indent, ""));
    BT_TRY(bt_yaml_scalar(out, name, error));
    return bt_buffer_print(out, error, "\n%*s:", indent, "");
}

/* ---- comments ---------------------------------------------------------------------------- */

static bauta_status put_visible(bt_buffer *out, const char *text, size_t length, size_t *width,
                                bauta_error *error)
{
    for (size_t at = 0, bytes; at < length; at += bytes) {
        uint32_t code = decode(text + at, &bytes);
        size_t before = out->length;
        if (is_hidden(code))
            BT_TRY(put_escape(out, code, error));
        else
            BT_TRY(bt_buffer_add(out, text + at, bytes, error));
        *width += is_hidden(code) ? out->length - before : 1;
    }
    return BAUTA_OK;
}

bauta_status bt_yaml_comment(bt_buffer *out, int indent, const char *text, bauta_error *error)
{
    size_t width = (size_t)indent + 1;
    BT_TRY(bt_buffer_print(out, error, "%*s#", indent, ""));
    while (*text) {
        size_t length = strcspn(text, " ");
        if (width > (size_t)indent + 1 && width + 1 + length > COMMENT_WIDTH) {
            BT_TRY(bt_buffer_print(out, error, "\n%*s#", indent, ""));
            width = (size_t)indent + 1;
        }
        BT_TRY(bt_buffer_add(out, " ", 1, error));
        width++;
        BT_TRY(put_visible(out, text, length, &width, error));
        text += length + (text[length] == ' ');
    }
    return bt_buffer_add(out, "\n", 1, error);
}

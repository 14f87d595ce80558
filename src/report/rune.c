/* SPDX-License-Identifier: Apache-2.0
 *
 * Characters on a terminal: how wide they are and which must not reach it.
 *
 * Written by hand because wcwidth() depends on the locale of the process, which a library must
 * not touch. The ranges are those of Unicode's East Asian Width W and F and of the combining
 * blocks, coarse at the edges: a wrong guess only shifts a column.
 */
#include "report/render.h"

typedef struct range {
    uint32_t first, last;
} range;

static const range wide[] = {
    {0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0x33FF},   {0x3400, 0x4DBF},
    {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},   {0xA960, 0xA97F},   {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},
    {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD},
};

static const range combining[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A}, {0x064B, 0x065F},
    {0x0E31, 0x0E31}, {0x0E34, 0x0E3A}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200C, 0x200D},
    {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F},
};

/* Controls, line separators, direction marks and overrides, byte-order marks. */
static const range hidden[] = {
    {0x0000, 0x001F}, {0x007F, 0x009F}, {0x061C, 0x061C}, {0x200B, 0x200B}, {0x200E, 0x200F},
    {0x2028, 0x202E}, {0x2060, 0x206F}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB},
};

static bool within(uint32_t code, const range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (code >= ranges[i].first && code <= ranges[i].last) return true;
    return false;
}

bt_rune bt_rune_at(const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    bt_rune rune = {.code = p[0], .bytes = 1};
    if (p[0] >= 0xC0) {
        size_t length = p[0] >= 0xF0 ? 4 : p[0] >= 0xE0 ? 3 : 2;
        uint32_t code = p[0] & (0xFFu >> (length + 1));
        size_t i = 1;
        for (; i < length && (p[i] & 0xC0) == 0x80; i++)
            code = code << 6 | (p[i] & 0x3F);
        if (i == length) rune = (bt_rune){.code = code, .bytes = length};
    }
    bool whole = rune.bytes > 1 || p[0] < 0x80;
    rune.visible = whole && !within(rune.code, hidden, sizeof hidden / sizeof *hidden);
    rune.width = 1;
    if (within(rune.code, wide, sizeof wide / sizeof *wide)) rune.width = 2;
    if (within(rune.code, combining, sizeof combining / sizeof *combining)) rune.width = 0;
    return rune;
}

size_t bt_text_width(const char *text)
{
    size_t width = 0;
    for (const char *p = text; *p;) {
        bt_rune rune = bt_rune_at(p);
        width += rune.width;
        p += rune.bytes;
    }
    return width;
}

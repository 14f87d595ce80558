/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading files of the zone database, and asking them.
 *
 * A file has the changes of the past twice, with times of 32 bits for old readers and of 64 bits,
 * and behind them the rule of the future, as POSIX writes it in TZ ("CET-1CEST,M3.5.0,M10.5.0/3").
 *
 * Cost: logarithmic in the changes for each moment.
 */
#include "io/zone.h"

#include "io/bytes.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HOUR = 3600, DAY = 24 * HOUR, FILE_MOST = 1 << 20, NAME_MOST = 128 };

/* ---- the rule of the future -------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool take_number(const char **text, int most, int *out)
{
    const char *p = *text;
    for (*out = 0; is_digit(*p) && *out <= most; p++)
        *out = *out * 10 + (*p - '0');
    bool found = p > *text && *out <= most;
    *text = p;
    return found;
}

/* hh[:mm[:ss]], with a sign or without. */
static bool take_time(const char **text, int64_t *out)
{
    int part, sign = **text == '-' ? -1 : 1;
    if (**text == '-' || **text == '+') ++*text;
    if (!take_number(text, 167, &part)) return false;
    *out = (int64_t)part * HOUR;
    for (int unit = 60; unit >= 1 && **text == ':'; unit /= 60) {
        ++*text;
        if (!take_number(text, 59, &part)) return false;
        *out += (int64_t)part * unit;
    }
    *out *= sign;
    return true;
}

/* The name of a kind of time: letters, or anything between < and >. */
static bool skip_name(const char **text)
{
    const char *from = *text;
    if (**text == '<') {
        *text = strchr(from, '>');
        if (!*text) return *text = from, false;
        ++*text;
        return true;
    }
    while ((**text >= 'a' && **text <= 'z') || (**text >= 'A' && **text <= 'Z'))
        ++*text;
    return *text > from;
}

static bool take_change(const char **text, bt_zone_change *out)
{
    *out = (bt_zone_change){.kind = BT_ZONE_DAY, .time = 2 * (int64_t)HOUR};
    if (*(*text)++ != ',') return false;
    if (**text == 'M') {
        out->kind = BT_ZONE_MONTH;
        ++*text;
        if (!take_number(text, 12, &out->month) || out->month < 1 || *(*text)++ != '.' ||
            !take_number(text, 5, &out->week) || out->week < 1 || *(*text)++ != '.' ||
            !take_number(text, 6, &out->day))
            return false;
    } else {
        if (**text == 'J') {
            out->kind = BT_ZONE_DAY_OF_365;
            ++*text;
        }
        if (!take_number(text, 365, &out->day)) return false;
        if (out->kind == BT_ZONE_DAY_OF_365 && out->day < 1) return false;
    }
    if (**text != '/') return true;
    ++*text;
    return take_time(text, &out->time);
}

/* POSIX counts hours behind UTC. */
static bool parse_rule(const char *text, bt_zone *zone)
{
    if (!skip_name(&text) || !take_time(&text, &zone->standard)) return false;
    zone->standard = -zone->standard;
    zone->ruled = true;
    if (*text == '\0') return true;
    zone->changes = true;
    zone->summer = zone->standard + HOUR;
    if (!skip_name(&text)) return false;
    if (*text != ',') {
        if (!take_time(&text, &zone->summer)) return false;
        zone->summer = -zone->summer;
    }
    return take_change(&text, &zone->start) && take_change(&text, &zone->end) && *text == '\0';
}

static bool is_leap(int64_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* Days from 1970-01-01 to the first of January, of the years from 0 on. */
static int64_t days_before(int64_t year)
{
    int64_t last = year - 1;
    int64_t leap_days = year == 0 ? -1 : last / 4 - last / 100 + last / 400;
    return (year - 1970) * 365 + leap_days - 477;
}

static int64_t day_of(const bt_zone_change *change, int64_t year)
{
    static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
    int64_t first = days_before(year);
    bool leap = is_leap(year);
    if (change->kind == BT_ZONE_DAY) return first + change->day;
    if (change->kind == BT_ZONE_DAY_OF_365)
        return first + change->day - 1 + (leap && change->day > before[2]);
    int64_t month = first + before[change->month - 1] + (leap && change->month > 2);
    int64_t next = first + before[change->month] + (leap && change->month >= 2);
    int64_t weekday = ((month + 4) % 7 + 7) % 7; /* 1970-01-01 was a Thursday */
    int64_t day = month + (change->day - weekday + 7) % 7 + 7 * (change->week - 1);
    return day < next ? day : day - 7;
}

static int64_t year_of(int64_t time)
{
    int64_t day = time / DAY - (time % DAY < 0);
    int64_t year = 1970 + day / 366 - (day < 0); /* too early by few, if at all */
    while (days_before(year + 1) <= day)
        year++;
    while (days_before(year) > day)
        year--;
    return year;
}

static int64_t ahead_by_rule(const bt_zone *zone, int64_t time)
{
    if (!zone->changes) return zone->standard;
    int64_t year = year_of(time + zone->standard);
    int64_t start = day_of(&zone->start, year) * DAY + zone->start.time - zone->standard;
    int64_t end = day_of(&zone->end, year) * DAY + zone->end.time - zone->summer;
    bool summer =
        start < end ? time >= start && time < end : time >= start || time < end; /* in the south */
    return summer ? zone->summer : zone->standard;
}

int64_t bt_zone_ahead(const bt_zone *zone, int64_t time)
{
    size_t from = 0, to = zone->count; /* the changes that are not later than `time` */
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (zone->times[middle] <= time)
            from = middle + 1;
        else
            to = middle;
    }
    if (zone->ruled && from == zone->count) return ahead_by_rule(zone, time);
    return from == 0 ? zone->first : zone->ahead[from - 1];
}

/* ---- files ------------------------------------------------------------------------------- */

typedef struct block { /* one of the two parts of a file, each with a head of its own */
    size_t times, types, letters, leaps, standards, universals;
    const unsigned char *data, *end;
} block;

enum { HEAD = 44 };

static int64_t load(const unsigned char *bytes, size_t width)
{
    uint64_t value = 0;
    for (size_t i = 0; i < width; i++)
        value = value << 8 | bytes[i];
    return width == 4 ? (int32_t)(uint32_t)value : (int64_t)value;
}

/* A block whose times have `width` bytes; false: it is none, or ends before its data do. */
static bool open_block(const unsigned char *bytes, size_t length, size_t width, block *out)
{
    if (length < HEAD || memcmp(bytes, "TZif", 4) != 0) return false;
    size_t counts[6];
    for (size_t i = 0; i < 6; i++) {
        int64_t count = load(bytes + 20 + 4 * i, 4);
        if (count < 0 || count > FILE_MOST) return false;
        counts[i] = (size_t)count;
    }
    *out = (block){.universals = counts[0],
                   .standards = counts[1],
                   .leaps = counts[2],
                   .times = counts[3],
                   .types = counts[4],
                   .letters = counts[5],
                   .data = bytes + HEAD};
    size_t size = out->times * (width + 1) + out->types * 6 + out->letters +
                  out->leaps * (width + 4) + out->standards + out->universals;
    out->end = out->data + size;
    return size <= length - HEAD;
}

/* Leap seconds are counted by zones that nobody has tables of. */
static bauta_status take_block(const block *from, size_t width, bt_arena *arena, bt_zone *out,
                               bool *known, bauta_error *error)
{
    const unsigned char *numbers = from->data + from->times * width;
    const unsigned char *types = numbers + from->times;
    if (from->types == 0 || from->leaps > 0) return BAUTA_OK;
    out->count = from->times;
    out->times = bt_arena_array(arena, from->times, sizeof *out->times);
    out->ahead = bt_arena_array(arena, from->times, sizeof *out->ahead);
    BT_TRY(bt_arena_check(arena, error));
    out->first = load(types, 4);
    for (size_t i = 0; i < from->times; i++) {
        out->times[i] = load(from->data + i * width, width);
        if (numbers[i] >= from->types || (i > 0 && out->times[i] <= out->times[i - 1]))
            return BAUTA_OK;
        out->ahead[i] = load(types + (size_t)numbers[i] * 6, 4);
    }
    *known = true;
    return BAUTA_OK;
}

/* Clocks are less than a week from UTC: times that are moved stay in 64 bits. */
static bool is_sound(const bt_zone *zone)
{
    const int64_t most = 7 * (int64_t)DAY;
    bool sound =
        llabs(zone->first) < most && llabs(zone->standard) < most && llabs(zone->summer) < most;
    for (size_t i = 0; i < zone->count; i++)
        sound = sound && llabs(zone->ahead[i]) < most;
    return sound;
}

bauta_status bt_zone_parse(const char *bytes, size_t length, bt_arena *arena, bt_zone *out,
                           bool *known, bauta_error *error)
{
    const unsigned char *at = (const unsigned char *)bytes, *end = at + length;
    block all;
    *out = (bt_zone){.ruled = false};
    *known = false;
    if (!open_block(at, length, 4, &all)) return BAUTA_OK;
    if (at[4] < '2') {
        BT_TRY(take_block(&all, 4, arena, out, known, error));
        *known = *known && is_sound(out);
        return BAUTA_OK;
    }
    if (!open_block(all.end, (size_t)(end - all.end), 8, &all)) return BAUTA_OK;
    BT_TRY(take_block(&all, 8, arena, out, known, error));
    const char *rule = (const char *)all.end + 1;
    size_t left = (size_t)(end - all.end);
    if (!*known || left < 2 || all.end[0] != '\n' || end[-1] != '\n')
        return *known = false, BAUTA_OK;
    char *text = bt_arena_copy(arena, rule, left - 2);
    BT_TRY(bt_arena_check(arena, error));
    *known = (text[0] == '\0' || parse_rule(text, out)) && is_sound(out);
    return BAUTA_OK;
}

/* ---- names ------------------------------------------------------------------------------- */

/* "+02:00" */
static bool parse_offset(const char *name, bt_zone *out)
{
    const char *rest = name + 1;
    int hours, minutes;
    if ((name[0] != '+' && name[0] != '-') || !take_number(&rest, 24, &hours) || *rest++ != ':' ||
        !take_number(&rest, 59, &minutes) || *rest != '\0')
        return false;
    out->first = (name[0] == '-' ? -1 : 1) * ((int64_t)hours * HOUR + (int64_t)minutes * 60);
    return true;
}

/* Names lead to files of the database and nowhere else: words with slashes between them. */
static bool is_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "_+-/";
    size_t length = strlen(name);
    return length > 0 && length < NAME_MOST && strspn(name, letters) == length && name[0] != '/' &&
           name[length - 1] != '/' && !strstr(name, "//");
}

static bauta_status read_file(const char *path, bt_buffer *out, bool *found, bauta_error *error)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    struct stat facts;
    bauta_status status = BAUTA_OK;
    if (descriptor < 0) return BAUTA_OK;
    if (fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size <= FILE_MOST) {
        size_t size = (size_t)facts.st_size;
        status = bt_buffer_reserve(out, size, error);
        if (status == BAUTA_OK)
            status = bt_read_at(descriptor, path, 0, out->bytes, size, &out->length, error);
        *found = true;
    }
    close(descriptor);
    return status;
}

bauta_status bt_zone_find(const char *name, bt_arena *arena, const bt_zone **out,
                          bauta_error *error)
{
    static const char *const plain[] = {"UTC", "Etc/UTC", "Z", "GMT", "Zulu", "Universal"};
    static const char *const folders[] = {"/usr/share/zoneinfo", "/usr/lib/zoneinfo",
                                          "/usr/share/lib/zoneinfo", "/etc/zoneinfo"};
    bt_zone *zone = bt_arena_array(arena, 1, sizeof *zone);
    bool known = false;
    *out = NULL;
    BT_TRY(bt_arena_check(arena, error));
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        known |= strcmp(name, plain[i]) == 0;
    known = known || parse_offset(name, zone);
    for (size_t i = 0; i < sizeof folders / sizeof *folders && !known && is_name(name); i++) {
        BT_OWN(bt_buffer_release) bt_buffer text = {0};
        bool found = false;
        const char *path = bt_arena_print(arena, "%s/%s", folders[i], name);
        BT_TRY(bt_arena_check(arena, error));
        BT_TRY(read_file(path, &text, &found, error));
        if (found) BT_TRY(bt_zone_parse(text.bytes, text.length, arena, zone, &known, error));
    }
    if (known) *out = zone;
    return BAUTA_OK;
}

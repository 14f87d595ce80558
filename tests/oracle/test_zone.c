/* SPDX-License-Identifier: Apache-2.0
 *
 * Zones of the system's database against the C library, which reads the same files by itself: how
 * far clocks are ahead at random moments of the past and of the future, and around the changes. And
 * files that are cut off or have other bytes: anything may come of them but a fault.
 */
#include "scratch.h"

#include "io/zone.h"

#include <time.h>

static const char *const zones[] = {
    "Europe/Rome",      "Europe/Dublin",       "Europe/London",     "America/New_York",
    "America/St_Johns", "America/Sao_Paulo",   "Asia/Kolkata",      "Asia/Kathmandu",
    "Asia/Tehran",      "Asia/Gaza",           "Africa/Casablanca", "Africa/Cairo",
    "Africa/Monrovia",  "Australia/Lord_Howe", "Pacific/Auckland",  "Pacific/Apia",
    "Pacific/Chatham",  "America/Nuuk",        "Antarctica/Troll",  "Pacific/Kiritimati",
    "America/Asuncion", "Etc/GMT+5",           "EST5EDT",           "Atlantic/Azores",
};
enum { ZONES = sizeof zones / sizeof *zones, MOMENTS = 4000 };

static int64_t ahead_by_library(int64_t time)
{
    const time_t moment = (time_t)time;
    struct tm local;
    assert_non_null(localtime_r(&moment, &local));
    return local.tm_gmtoff;
}

static void compare(const char *name, const bt_zone *zone, int64_t time)
{
    int64_t found = bt_zone_ahead(zone, time), expected = ahead_by_library(time);
    if (found != expected)
        fail_msg("%s at %lld: %lld instead of %lld", name, (long long)time, (long long)found,
                 (long long)expected);
}

static void clocks_of_the_library(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (size_t i = 0; i < ZONES; i++) {
        BT_OWN(bt_arena_release) bt_arena arena = {0};
        const bt_zone *zone;
        bauta_error error;
        assert_ok(bt_zone_find(zones[i], &arena, &zone, &error), &error);
        assert_non_null(zone);
        setenv("TZ", zones[i], 1);
        tzset();
        for (int m = 0; m < MOMENTS; m++) {
            /* The years 1870 to 2300. */
            int64_t time = (int64_t)test_below(&random, 13569465600) - 3155673600;
            compare(zones[i], zone, time);
        }
        for (size_t c = 0; c < zone->count; c++)
            for (int64_t near = -1; near <= 1; near++)
                compare(zones[i], zone, zone->times[c] + near);
    }
}

/* The hours around each change of the rule, of which files have no list. */
static void changes_of_the_future(void **state)
{
    (void)state;
    for (size_t i = 0; i < ZONES; i++) {
        BT_OWN(bt_arena_release) bt_arena arena = {0};
        const bt_zone *zone;
        bauta_error error;
        assert_ok(bt_zone_find(zones[i], &arena, &zone, &error), &error);
        setenv("TZ", zones[i], 1);
        tzset();
        const int64_t from = 2366841600; /* 2045-01-01 */
        for (int64_t hour = 0; hour < INT64_C(24) * 366 * 3; hour++)
            compare(zones[i], zone, from + hour * 3600);
    }
}

static void names_that_are_not_known(void **state)
{
    (void)state;
    static const char *const names[] = {"Europe/Nowhere", "../zoneinfo/Europe/Rome",
                                        "/etc/passwd",    "Europe",
                                        "Europe//Rome",   "+2",
                                        "+25:00",         "+02:60",
                                        "zone.tab"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        BT_OWN(bt_arena_release) bt_arena arena = {0};
        const bt_zone *zone;
        bauta_error error;
        assert_ok(bt_zone_find(names[i], &arena, &zone, &error), &error);
        if (zone) fail_msg("%s is known", names[i]);
    }
}

static void offsets(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int64_t ahead;
    } known[] = {{"UTC", 0}, {"+02:00", 7200}, {"-03:30", -12600}, {"Etc/UTC", 0}, {"Z", 0}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        BT_OWN(bt_arena_release) bt_arena arena = {0};
        const bt_zone *zone;
        bauta_error error;
        assert_ok(bt_zone_find(known[i].name, &arena, &zone, &error), &error);
        assert_non_null(zone);
        assert_int_equal(bt_zone_ahead(zone, 0), known[i].ahead);
    }
}

/* A file whose changes are left out goes by its rule. */
static void rules(void **state)
{
    (void)state;
    static const struct {
        const char *rule;
        int64_t january, july;
    } known[] = {{"CET-1CEST,M3.5.0,M10.5.0/3", 3600, 7200},
                 {"IST-1GMT0,M10.5.0,M3.5.0/1", 0, 3600},
                 {"<-03>3", -10800, -10800},
                 {"AEST-10AEDT,M10.1.0,M4.1.0/3", 39600, 36000},
                 {"XXX-2<+03>-3,J60/-1,300", 7200, 10800}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        BT_OWN(bt_arena_release) bt_arena arena = {0};
        char head[44] = "TZif2", file[256];
        size_t length = 0;
        bt_zone zone;
        bool fine;
        bauta_error error;
        head[39] = 1; /* one type, of six bytes */
        for (int block = 0; block < 2; block++) {
            memcpy(file + length, head, sizeof head);
            memset(file + length + sizeof head, 0, 6);
            length += sizeof head + 6;
        }
        length += (size_t)snprintf(file + length, sizeof file - length, "\n%s\n", known[i].rule);
        assert_ok(bt_zone_parse(file, length, &arena, &zone, &fine, &error), &error);
        assert_true(fine);
        assert_int_equal(bt_zone_ahead(&zone, 1736899200), known[i].january); /* of 2025 */
        assert_int_equal(bt_zone_ahead(&zone, 1752537600), known[i].july);
    }
}

static void files_that_are_broken(void **state)
{
    (void)state;
    static char file[1 << 16], broken[1 << 16];
    uint64_t random = 3;
    FILE *from = fopen("/usr/share/zoneinfo/Europe/Rome", "rb");
    assert_non_null(from);
    size_t length = fread(file, 1, sizeof file, from);
    fclose(from);
    for (int i = 0; i < 20000; i++) {
        BT_OWN(bt_arena_release) bt_arena arena = {0};
        size_t left = i % 2 ? length : (size_t)test_below(&random, length + 1);
        bt_zone zone;
        bool known;
        bauta_error error;
        char *exact = malloc(left + 1); /* so that sanitizers see who reads behind it */
        memcpy(broken, file, length);
        for (int k = 0; k < i % 5; k++)
            broken[test_below(&random, i % 3 ? 100 : length)] = (char)test_random(&random);
        memcpy(exact, broken, left);
        assert_ok(bt_zone_parse(exact, left, &arena, &zone, &known, &error), &error);
        if (known) (void)bt_zone_ahead(&zone, (int64_t)test_below(&random, 4000000000));
        free(exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks_of_the_library),
        cmocka_unit_test(changes_of_the_future),
        cmocka_unit_test(names_that_are_not_known),
        cmocka_unit_test(offsets),
        cmocka_unit_test(rules),
        cmocka_unit_test(files_that_are_broken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

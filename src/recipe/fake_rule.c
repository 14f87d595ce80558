/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading the option `fake`.
 */
#include "recipe/fake_rule.h"

#include "base/text.h"

#include <string.h>

enum { FAKES_MOST = 1000000000 }; /* in a group, where their number is given */

bool bt_fake_rule_parse(const char *text, size_t length, bt_fake_rule *out)
{
    static const char best[] = "best:";
    const bt_rational all = {1, 1};
    size_t before = strlen(best);
    char count[64];
    int64_t number;
    *out = (bt_fake_rule){.best = length >= before && memcmp(text, best, before) == 0};
    if (!out->best) before = 0;
    length -= before;
    if (length == 0 || length >= sizeof count) return false;
    memcpy(count, text + before, length);
    count[length] = '\0';
    if (count[length - 1] == '%')
        return bt_rational_parse(count, &out->share) && out->share.top >= 0 &&
               bt_rational_compare(out->share, all) <= 0;
    if (!bt_text_integer(count, &number) || number < 0 || number > FAKES_MOST) return false;
    out->number = (uint32_t)number;
    return true;
}

int64_t bt_fake_rule_count(const bt_fake_rule *rule, int64_t records)
{
    return rule->share.bottom == 0 ? rule->number : bt_rational_floor_times(rule->share, records);
}

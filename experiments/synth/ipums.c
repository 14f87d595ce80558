/* SPDX-License-Identifier: Apache-2.0
 *
 * A stand-in for the IPUMS extract of "k-Anonymity in the Presence of External Databases": the
 * six attributes of its Table 2 in that order, with their domains and skew. Age 0-93, income
 * 0-1,000,000, family 1-21, education 0-17 years, rent 0-2500, sex 1 (male) or 2. Education
 * follows age, income follows age, education and sex, rent follows income.
 */
#include "synth/synth.h"

enum { ID = EX_SYNTH_OWN };

static const ex_param params[] = {
    EX_SYNTH_COMMON_PARAMS,
    EX_SYNTH_ROWS_PARAM("2800000"),
    {.name = "id",
     .type = EX_PARAM_CHOICE,
     .choices = "no|yes",
     .fallback = "no",
     .help = "a first column id: 1, 2, 3 …"},
};

enum { AGES = 94, STAGES = 8, YEARS = 18, FAMILIES = 21, SEXES = 2 };
enum { MALE, FEMALE };
enum { PEOPLE_BITS = 8, EDUCATION_BITS = 5, FAMILY_BITS = 5 };
enum { INCOME_TOP = 1000000, RENT_TOP = 2500 };

/* Per five years of age: people, and women among a thousand. */
static const uint16_t pyramid[] = {680, 720, 730, 715, 670, 660, 720, 800, 810, 730,
                                   630, 500, 400, 350, 320, 270, 180, 100, 60};
static const uint16_t women[] = {488, 488, 488, 487, 490, 497, 500, 502, 505, 507,
                                 511, 517, 524, 535, 553, 580, 620, 680, 740};

static const uint8_t stages[STAGES] = {0, 5, 10, 15, 19, 25, 45, 65}; /* first age */

static const uint16_t education_weights[STAGES][YEARS] = {
    {1},
    {210, 200, 200, 200, 150, 40},
    {5, 2, 5, 20, 120, 200, 200, 200, 190, 58},
    {4, 1, 1, 1, 2, 4, 10, 30, 90, 220, 230, 210, 150, 47},
    {6, 1, 1, 2, 3, 4, 12, 10, 20, 40, 60, 80, 330, 150, 120, 60, 90, 11},
    {9, 1, 2, 4, 4, 5, 20, 10, 20, 25, 30, 35, 310, 120, 90, 40, 190, 85},
    {12, 2, 3, 5, 5, 7, 22, 12, 32, 26, 32, 30, 320, 110, 70, 30, 160, 122},
    {25, 4, 8, 14, 14, 16, 38, 34, 110, 38, 52, 38, 330, 70, 55, 20, 85, 49},
};
/* Family size: minors, adults, old people; the tail to 21 halves from person to person. */
static const uint16_t family_weights[3][9] = {
    {0, 60, 190, 330, 220, 105, 50, 23, 12},
    {190, 260, 195, 195, 95, 37, 15, 7, 4},
    {330, 480, 100, 45, 22, 12, 6, 3, 2},
};
static const uint8_t family_of_stage[STAGES] = {0, 0, 0, 0, 1, 1, 1, 2};

/* People without income, of 65536, by sex and stage. */
static const uint32_t penniless[SEXES][STAGES] = {
    {65536, 65536, 65536, 39000, 9800, 3900, 6500, 1300},
    {65536, 65536, 65536, 41000, 14400, 15000, 15700, 2600}};
static const uint32_t income_by_stage[STAGES] = {0, 0, 0, 2600, 12000, 27000, 33000, 17000};
static const uint16_t income_by_years[YEARS] = {55, 56, 57, 58,  60,  62,  64,  66,  69,
                                                72, 76, 80, 100, 108, 116, 122, 165, 230};
static const uint8_t income_by_sex[SEXES] = {115, 75}; /* per cent */
static const uint16_t rents_of_stage[STAGES] = {24000, 22000, 20000, 20000,
                                                36000, 26000, 15000, 13000}; /* of 65536 */

typedef struct ipums {
    uint32_t people[1 << PEOPLE_BITS]; /* age * 2 + sex */
    uint32_t education[STAGES][1 << EDUCATION_BITS];
    uint32_t family[3][1 << FAMILY_BITS];
    uint8_t stage[AGES];
    ex_noise income_noise, rent_noise;
    bool id;
} ipums;

static bauta_status build_people(ipums *model, bauta_error *error)
{
    uint64_t weights[AGES * SEXES];
    for (unsigned age = 0, stage = 0; age < AGES; age++) {
        if (stage + 1 < STAGES && age >= stages[stage + 1]) stage++;
        model->stage[age] = (uint8_t)stage;
        unsigned group = age / 5;
        weights[age * 2 + FEMALE] = (uint64_t)pyramid[group] * women[group];
        weights[age * 2 + MALE] = (uint64_t)pyramid[group] * (1000u - women[group]);
    }
    return ex_alias_build(weights, AGES * SEXES, PEOPLE_BITS, model->people, error);
}

static bauta_status build_family(ipums *model, unsigned which, bauta_error *error)
{
    uint64_t weights[FAMILIES] = {0};
    const unsigned given = sizeof family_weights[0] / sizeof **family_weights;
    for (unsigned i = 0; i < given; i++)
        weights[i] = (uint64_t)family_weights[which][i] << FAMILIES;
    for (unsigned i = given; i < FAMILIES; i++)
        weights[i] = weights[i - 1] / 2;
    return ex_alias_build(weights, FAMILIES, FAMILY_BITS, model->family[which], error);
}

static bauta_status build_model(ipums *model, bauta_error *error)
{
    EX_TRY(build_people(model, error));
    for (unsigned i = 0; i < 3; i++)
        EX_TRY(build_family(model, i, error));
    for (unsigned i = 0; i < STAGES; i++) {
        uint64_t weights[YEARS];
        for (unsigned year = 0; year < YEARS; year++)
            weights[year] = education_weights[i][year];
        EX_TRY(ex_alias_build(weights, YEARS, EDUCATION_BITS, model->education[i], error));
    }
    EX_TRY(ex_noise_build(&model->income_noise, (ex_rational){17, 20}, error));
    return ex_noise_build(&model->rent_noise, (ex_rational){1, 2}, error);
}

/* One in 256 of those with an income has ten times as much: the long tail. */
static inline uint64_t income_of(const ipums *model, uint32_t sex, uint32_t stage, uint32_t years,
                                 uint64_t coins, uint32_t random)
{
    if ((coins & 0xffff) < penniless[sex][stage]) return 0;
    uint64_t usual =
        (uint64_t)income_by_stage[stage] * income_by_years[years] / 100 * income_by_sex[sex] / 100;
    if ((coins >> 32 & 0xff) == 0) usual *= 10;
    uint64_t income = usual * ex_noise_draw(&model->income_noise, random) >> 12;
    income -= income % (income < 10000 ? 10 : 100);
    return income < INCOME_TOP ? income : INCOME_TOP;
}

static inline uint64_t rent_of(const ipums *model, uint32_t stage, uint64_t income, uint64_t coins,
                               uint32_t random)
{
    if ((coins >> 16 & 0xffff) >= rents_of_stage[stage]) return 0;
    uint64_t usual = 380 + (income < 80000 ? income / 160 : 500);
    uint64_t rent = usual * ex_noise_draw(&model->rent_noise, random) >> 12;
    rent -= rent % 10;
    return rent < 10 ? 10 : rent < RENT_TOP ? rent : RENT_TOP;
}

static inline char *put_field(char *out, uint64_t number, char after)
{
    out = ex_number_put(out, number);
    *out++ = after;
    return out;
}

static char *fill(const void *user, ex_stream *stream, int64_t first, int64_t rows, char *out)
{
    const ipums *model = user;
    for (int64_t row = first; row < first + rows; row++) {
        uint64_t a = ex_stream_next(stream), b = ex_stream_next(stream);
        uint64_t c = ex_stream_next(stream);
        uint32_t person = ex_alias_draw(model->people, PEOPLE_BITS, a);
        uint32_t age = person / 2, sex = person % 2, stage = model->stage[age];
        uint32_t years = ex_alias_draw(model->education[stage], EDUCATION_BITS, a >> 24);
        uint32_t family = 1 + ex_alias_draw(model->family[family_of_stage[stage]], FAMILY_BITS, b);
        uint64_t coins = b >> 21;
        uint64_t income = income_of(model, sex, stage, years, coins, (uint32_t)c);
        uint64_t rent = rent_of(model, stage, income, coins, (uint32_t)(c >> 32));
        if (model->id) out = put_field(out, (uint64_t)row + 1, ',');
        out = put_field(out, age, ',');
        out = put_field(out, income, ',');
        out = put_field(out, family, ',');
        out = put_field(out, years, ',');
        out = put_field(out, rent, ',');
        out = put_field(out, sex + 1, '\n');
    }
    return out;
}

static bauta_status make(const ex_synth_job *job, bauta_error *error)
{
    ipums *model = ex_arena_array(job->arena, 1, sizeof *model);
    if (!model) return ex_fail_memory(error);
    EX_TRY(build_model(model, error));
    model->id = job->values[ID].integer == 1;
    ex_synth_plan plan = {.label = "ipums",
                          .header = model->id ? "id,age,income,family,education,rent,sex\n"
                                              : "age,income,family,education,rent,sex\n",
                          .rows = job->values[EX_SYNTH_ROWS].integer,
                          .row_bytes = 64,
                          .model = model,
                          .fill = fill};
    return ex_synth_rows(job, &plan, error);
}

const ex_entry ex_synth_ipums = {
    .name = "ipums",
    .summary = "six skewed household attributes: age, income, family, education, rent, sex",
    .paper = "k-Anonymity in the Presence of External Databases",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .make = make,
};

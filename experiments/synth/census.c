/* SPDX-License-Identifier: Apache-2.0
 *
 * A census: fifteen columns about invented people. The first eight are the usual quasi columns,
 * the last, disease, is the sensitive one; nothing identifies.
 *
 * The figures are made up after the look of a southern European population: an age pyramid,
 * more women in old age; education by age; marital status by age and sex; occupation by age,
 * sex and education; household by age and marital status; birth country by province and age;
 * income by occupation, age, education and hours; rent by province and household; disease by
 * age and sex. Nine provinces hold about 900 regions whose codes share prefixes and whose
 * populations are skewed.
 *
 * Each conditional distribution is an alias table built once; a row takes five random words.
 */
#include "synth/synth.h"

#include <stdio.h>

enum { RECIPE = EX_SYNTH_OWN, HIERARCHIES };

static const ex_param params[] = {
    EX_SYNTH_COMMON_PARAMS,
    EX_SYNTH_ROWS_PARAM("100000"),
    {.name = "recipe",
     .type = EX_PARAM_TEXT,
     .fallback = "",
     .help = "also write a recipe for the table to this file"},
    {.name = "hierarchies",
     .type = EX_PARAM_TEXT,
     .fallback = "",
     .help = "also write hierarchies to this folder, one file per column"},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

#include "synth/census_figures.inc"

enum { COUNTRIES = COUNT(countries), DISEASES = COUNT(diseases) };

/* Binary logarithms of the sizes of the alias tables. */
enum {
    PEOPLE_BITS = 8,
    REGION_BITS = 10,
    EDUCATION_BITS = 4,
    MARITAL_BITS = 3,
    OCCUPATION_BITS = 5,
    HOUSEHOLD_BITS = 4,
    COUNTRY_BITS = 6,
    HOURS_BITS = 4,
    TENURE_BITS = 3,
    INSURANCE_BITS = 2,
    DISEASE_BITS = 5,
};

typedef struct census {
    uint32_t people[1 << PEOPLE_BITS]; /* age * 2 + sex */
    uint32_t region[1 << REGION_BITS];
    uint32_t education[BANDS][1 << EDUCATION_BITS];
    uint32_t marital[SEXES][BANDS][1 << MARITAL_BITS];
    uint32_t occupation[SEXES][BANDS][TIERS][1 << OCCUPATION_BITS];
    uint32_t household[COUNT(household_weights)][1 << HOUSEHOLD_BITS];
    uint32_t country[PROVINCES][STAGES][1 << COUNTRY_BITS];
    uint32_t hours[SEXES][1 << HOURS_BITS];
    uint32_t tenure[STAGES][PURSES][1 << TENURE_BITS];
    uint32_t insurance[PURSES][1 << INSURANCE_BITS];
    uint32_t disease[SEXES][DISEASE_STAGES][1 << DISEASE_BITS];
    ex_noise income_noise, rent_noise;
    uint32_t income[OCCUPATIONS][BANDS][TIERS]; /* full time, before noise */
    uint8_t band[AGES], province[REGIONS_MOST];
    struct {
        ex_synth_cell age[AGES], sex[SEXES], region[REGIONS_MOST], education[EDUCATIONS],
            marital[MARITALS], occupation[OCCUPATIONS], small[HOUSEHOLDS + 1], country[COUNTRIES],
            income[INCOME_TOP / INCOME_STEP + 1], rent[RENT_TOP / RENT_STEP + 1], hours[HOURS + 1],
            tenure[TENURES], insurance[INSURANCES], disease[DISEASES];
    } cells;
} census;

/* ---- regions ---- */

typedef struct region_list {
    size_t count;
    uint64_t people[REGIONS_MOST];
    uint8_t province[REGIONS_MOST];
    char code[REGIONS_MOST][6];
    char path[REGIONS_MOST][20]; /* "314**;31***;3****" */
    ex_synth_label labels[REGIONS_MOST];
} region_list;

static void add_region(region_list *list, unsigned province, unsigned district, unsigned county,
                       unsigned municipality)
{
    size_t i = list->count++;
    /* The first of everything is the largest: its capital. */
    list->people[i] = (uint64_t)province_people[province] * (60 / (district + 2)) *
                      (60 / (county + 2)) * (60 / (municipality + 1));
    list->province[i] = (uint8_t)province;
    unsigned last = 4 + 17 * municipality + (province + 3 * district + 2 * county) % 10;
    unsigned code = (((province + 1) * 10 + district + 1) * 10 + county + 1) * 100 + last;
    snprintf(list->code[i], sizeof list->code[i], "%05u", code % 100000);
    snprintf(list->path[i], sizeof list->path[i], "%03u**;%02u***;%01u****", code / 100 % 1000,
             code / 1000 % 100, code / 10000 % 10);
    list->labels[i] = (ex_synth_label){list->code[i], list->path[i]};
}

static void list_regions(region_list *list)
{
    list->count = 0;
    for (unsigned p = 0; p < PROVINCES; p++)
        for (unsigned d = 0; d < 4 + p * 7 % 4; d++)
            for (unsigned c = 0; c < 4 + (p * 3 + d * 5) % 4; c++)
                for (unsigned m = 0; m < 2 + (p + d * 3 + c * 7) % 4; m++)
                    add_region(list, p, d, c, m);
}

/* ---- the model ---- */

static bauta_status build(const uint16_t *weights, size_t count, unsigned bits, uint32_t *entries,
                          bauta_error *error)
{
    uint64_t wide[64];
    for (size_t i = 0; i < count; i++)
        wide[i] = weights[i];
    return ex_alias_build(wide, count, bits, entries, error);
}

/* Between the middles of two five-year groups the pyramid is a straight line. */
static bauta_status build_people(census *model, bauta_error *error)
{
    uint64_t weights[AGES * SEXES];
    for (unsigned age = 0, band = 0; age < AGES; age++) {
        if (band + 1 < BANDS && age >= bands[band + 1]) band++;
        model->band[age] = (uint8_t)band;
        unsigned group = age / 5, offset = age % 5;
        unsigned other = offset < 2 ? (group > 0 ? group - 1 : 0)
                                    : (group + 1 < COUNT(pyramid) ? group + 1 : group);
        unsigned distance = offset < 2 ? 2 - offset : offset - 2;
        uint64_t people = pyramid[group] * (5 - distance) + pyramid[other] * distance;
        weights[age * 2 + FEMALE] = people * women[group];
        weights[age * 2 + MALE] = people * (1000u - women[group]);
    }
    return ex_alias_build(weights, COUNT(weights), PEOPLE_BITS, model->people, error);
}

static unsigned share_of(unsigned sex, unsigned women_of_thousand)
{
    return sex == FEMALE ? women_of_thousand : 1000 - women_of_thousand;
}

static bauta_status build_occupation(census *model, unsigned sex, unsigned band, unsigned tier,
                                     bauta_error *error)
{
    uint64_t weights[OCCUPATIONS], jobs = 0;
    const uint16_t *activity = activity_weights[sex][band];
    for (unsigned i = IDLE; i < OCCUPATIONS; i++) {
        weights[i] = occupations[i].weights[tier] * share_of(sex, occupations[i].women);
        jobs += weights[i];
    }
    for (unsigned i = 0; i < IDLE; i++)
        weights[i] = activity[i] * jobs * 100;
    for (unsigned i = IDLE; i < OCCUPATIONS; i++)
        weights[i] *= (uint64_t)activity[IDLE] * work_by_tier[tier];
    for (unsigned i = 0; i < OCCUPATIONS; i++)
        model->income[i][band][tier] =
            (uint32_t)((uint64_t)occupations[i].income * income_by_band[band] / 1000 *
                       income_by_tier[tier] / 1000);
    return ex_alias_build(weights, OCCUPATIONS, OCCUPATION_BITS, model->occupation[sex][band][tier],
                          error);
}

static bauta_status build_by_sex(census *model, unsigned sex, bauta_error *error)
{
    for (unsigned band = 0; band < BANDS; band++) {
        EX_TRY(build(marital_weights[sex][band], MARITALS, MARITAL_BITS, model->marital[sex][band],
                     error));
        for (unsigned tier = 0; tier < TIERS; tier++)
            EX_TRY(build_occupation(model, sex, band, tier, error));
    }
    for (unsigned stage = 0; stage < DISEASE_STAGES; stage++) {
        uint64_t weights[DISEASES];
        for (size_t i = 0; i < DISEASES; i++)
            weights[i] = diseases[i].weights[stage] * share_of(sex, diseases[i].women);
        EX_TRY(ex_alias_build(weights, DISEASES, DISEASE_BITS, model->disease[sex][stage], error));
    }
    return build(hours_weights[sex], HOURS, HOURS_BITS, model->hours[sex], error);
}

static bauta_status build_by_stage(census *model, unsigned stage, bauta_error *error)
{
    for (unsigned province = 0; province < PROVINCES; province++) {
        uint64_t weights[COUNTRIES];
        for (size_t i = 0; i < COUNTRIES; i++)
            weights[i] =
                (uint64_t)countries[i].weight *
                (i == 0 ? 10000u : (unsigned)abroad_by_province[province] * abroad_by_stage[stage]);
        EX_TRY(ex_alias_build(weights, COUNTRIES, COUNTRY_BITS, model->country[province][stage],
                              error));
    }
    for (unsigned purse = 0; purse < PURSES; purse++)
        EX_TRY(build(tenure_weights[stage][purse], TENURES, TENURE_BITS,
                     model->tenure[stage][purse], error));
    return BAUTA_OK;
}

static bauta_status build_tables(census *model, const region_list *regions, bauta_error *error)
{
    EX_TRY(build_people(model, error));
    EX_TRY(ex_alias_build(regions->people, regions->count, REGION_BITS, model->region, error));
    memcpy(model->province, regions->province, sizeof model->province);
    for (unsigned band = 0; band < BANDS; band++)
        EX_TRY(build(education_weights[band], EDUCATIONS, EDUCATION_BITS, model->education[band],
                     error));
    for (size_t i = 0; i < COUNT(household_weights); i++)
        EX_TRY(build(household_weights[i], HOUSEHOLDS, HOUSEHOLD_BITS, model->household[i], error));
    for (unsigned sex = 0; sex < SEXES; sex++)
        EX_TRY(build_by_sex(model, sex, error));
    for (unsigned stage = 0; stage < STAGES; stage++)
        EX_TRY(build_by_stage(model, stage, error));
    for (unsigned purse = 0; purse < PURSES; purse++)
        EX_TRY(build(insurance_weights[purse], INSURANCES, INSURANCE_BITS, model->insurance[purse],
                     error));
    EX_TRY(ex_noise_build(&model->income_noise, (ex_rational){2, 5}, error));
    return ex_noise_build(&model->rent_noise, (ex_rational){1, 4}, error);
}

static bool number_cell(ex_synth_cell *cell, size_t number)
{
    char text[24];
    *ex_number_put(text, number) = '\0';
    return ex_synth_cell_make(cell, text, ',');
}

static bool label_cells(ex_synth_cell *cells, const ex_synth_label *labels, size_t count)
{
    bool fine = true;
    for (size_t i = 0; i < count; i++)
        fine = fine && ex_synth_cell_make(&cells[i], labels[i].text, ',');
    return fine;
}

static bool text_cells(ex_synth_cell *cells, const char *const *texts, size_t count)
{
    bool fine = true;
    for (size_t i = 0; i < count; i++)
        fine = fine && ex_synth_cell_make(&cells[i], texts[i], ',');
    return fine;
}

static bool number_cells(ex_synth_cell *cells, size_t count, size_t step)
{
    bool fine = true;
    for (size_t i = 0; i < count; i++)
        fine = fine && number_cell(&cells[i], i * step);
    return fine;
}

static bauta_status build_cells(census *model, const region_list *regions, bauta_error *error)
{
    static const char *const sexes[SEXES] = {"female", "male"};
    bool fine = number_cells(model->cells.age, AGES, 1) && text_cells(model->cells.sex, sexes, 2);
    fine = fine && label_cells(model->cells.region, regions->labels, regions->count);
    fine = fine && label_cells(model->cells.education, education_labels, EDUCATIONS);
    fine = fine && label_cells(model->cells.marital, marital_labels, MARITALS);
    for (size_t i = 0; i < OCCUPATIONS; i++)
        fine = fine && label_cells(&model->cells.occupation[i], &occupations[i].label, 1);
    fine = fine && number_cells(model->cells.small, COUNT(model->cells.small), 1);
    for (size_t i = 0; i < COUNTRIES; i++)
        fine = fine && label_cells(&model->cells.country[i], &countries[i].label, 1);
    fine = fine && number_cells(model->cells.income, COUNT(model->cells.income), INCOME_STEP);
    fine = fine && number_cells(model->cells.rent, COUNT(model->cells.rent), RENT_STEP);
    for (size_t i = 0; i < HOURS; i++)
        fine = fine && number_cell(&model->cells.hours[i], hours_values[i]);
    fine = fine && number_cell(&model->cells.hours[HOURS], 0);
    fine = fine && text_cells(model->cells.tenure, tenure_labels, TENURES);
    fine = fine && text_cells(model->cells.insurance, insurance_labels, INSURANCES);
    for (size_t i = 0; i < DISEASES; i++)
        fine = fine && ex_synth_cell_make(&model->cells.disease[i], diseases[i].label, '\n');
    return fine ? BAUTA_OK : ex_fail(error, BAUTA_INTERNAL, "a label of the census is too long");
}

/* ---- rows ---- */

/* In steps. */
static inline uint32_t income_of(const census *model, uint32_t full_time, uint32_t hours,
                                 uint32_t random)
{
    uint64_t part = hours < HOURS ? hours_values[hours] : 40;
    uint64_t income = full_time * part * ex_noise_draw(&model->income_noise, random) / (40 * 4096);
    uint64_t steps = (income + INCOME_STEP / 2) / INCOME_STEP;
    return steps < INCOME_TOP / INCOME_STEP ? (uint32_t)steps : INCOME_TOP / INCOME_STEP;
}

/* In steps; people who rent pay something. */
static inline uint32_t rent_of(const census *model, uint32_t province, uint32_t household,
                               uint32_t tenure, uint32_t random)
{
    if (tenure != RENTED && tenure != SOCIAL) return 0;
    uint64_t usual = rent_by_province[province] * (55 + 12 * household);
    if (tenure == SOCIAL) usual = usual * 2 / 5;
    uint64_t rent = usual * ex_noise_draw(&model->rent_noise, random) / (100 * 4096);
    uint64_t steps = (rent + RENT_STEP / 2) / RENT_STEP;
    return steps < 1 ? 1 : steps < RENT_TOP / RENT_STEP ? (uint32_t)steps : RENT_TOP / RENT_STEP;
}

static inline uint32_t children_of(uint32_t household, uint32_t company, uint32_t band,
                                   uint32_t random)
{
    uint32_t adults = company == TOGETHER ? 2 : 1;
    return household > adults && (random & 255) < parenthood[company][band] ? household - adults
                                                                            : 0;
}

static inline char *put_person(const census *model, ex_stream *stream, char *out)
{
    uint64_t a = ex_stream_next(stream), b = ex_stream_next(stream), c = ex_stream_next(stream);
    uint64_t d = ex_stream_next(stream), e = ex_stream_next(stream);
    uint32_t person = ex_alias_draw(model->people, PEOPLE_BITS, a);
    uint32_t age = person / 2, sex = person % 2, band = model->band[age];
    uint32_t stage = stage_of_band[band];
    uint32_t region = ex_alias_draw(model->region, REGION_BITS, a >> 24);
    uint32_t province = model->province[region];
    uint32_t education = ex_alias_draw(model->education[band], EDUCATION_BITS, b);
    uint32_t tier = tier_of_education[education];
    uint32_t marital = ex_alias_draw(model->marital[sex][band], MARITAL_BITS, b >> 20);
    uint32_t company = company_of_marital[marital];
    uint32_t household =
        1 + ex_alias_draw(model->household[household_of[company][band]], HOUSEHOLD_BITS, b >> 40);
    uint32_t job = ex_alias_draw(model->occupation[sex][band][tier], OCCUPATION_BITS, c);
    uint32_t origin = ex_alias_draw(model->country[province][stage], COUNTRY_BITS, c >> 21);
    uint32_t hours = ex_alias_draw(model->hours[sex], HOURS_BITS, c >> 43);
    if (job < IDLE) hours = HOURS;
    uint32_t income = income_of(model, model->income[job][band][tier], hours, (uint32_t)d);
    uint32_t purse =
        (income * INCOME_STEP >= purse_limits[0]) + (income * INCOME_STEP >= purse_limits[1]);
    uint32_t tenure = ex_alias_draw(model->tenure[stage][purse], TENURE_BITS, e);
    uint32_t rent = rent_of(model, province, household, tenure, (uint32_t)(d >> 32));
    uint32_t children = children_of(household, company, band, (uint32_t)(a >> 50));
    uint32_t insurance = ex_alias_draw(model->insurance[purse], INSURANCE_BITS, e >> 19);
    uint32_t illness =
        ex_alias_draw(model->disease[sex][disease_stage[band]], DISEASE_BITS, e >> 37);
    out = ex_synth_cell_put(out, &model->cells.age[age]);
    out = ex_synth_cell_put(out, &model->cells.sex[sex]);
    out = ex_synth_cell_put(out, &model->cells.region[region]);
    out = ex_synth_cell_put(out, &model->cells.education[education]);
    out = ex_synth_cell_put(out, &model->cells.marital[marital]);
    out = ex_synth_cell_put(out, &model->cells.occupation[job]);
    out = ex_synth_cell_put(out, &model->cells.small[household]);
    out = ex_synth_cell_put(out, &model->cells.country[origin]);
    out = ex_synth_cell_put(out, &model->cells.income[income]);
    out = ex_synth_cell_put(out, &model->cells.rent[rent]);
    out = ex_synth_cell_put(out, &model->cells.hours[hours]);
    out = ex_synth_cell_put(out, &model->cells.small[children]);
    out = ex_synth_cell_put(out, &model->cells.tenure[tenure]);
    out = ex_synth_cell_put(out, &model->cells.insurance[insurance]);
    return ex_synth_cell_put(out, &model->cells.disease[illness]);
}

static char *fill(const void *model, ex_stream *stream, int64_t first, int64_t rows, char *out)
{
    (void)first;
    for (int64_t i = 0; i < rows; i++)
        out = put_person(model, stream, out);
    return out;
}

/* ---- what goes with it ---- */

enum { FEW_ROWS = 30000 };

static const char header[] = "age,sex,region,education,marital,occupation,household,country,"
                             "income,rent,hours,children,tenure,insurance,disease\n";

static bauta_status write_companions(const ex_synth_job *job, const region_list *regions,
                                     bauta_error *error)
{
    ex_synth_label jobs[OCCUPATIONS], places[COUNTRIES];
    for (size_t i = 0; i < OCCUPATIONS; i++)
        jobs[i] = occupations[i].label;
    for (size_t i = 0; i < COUNTRIES; i++)
        places[i] = countries[i].label;
    const ex_synth_column columns[] = {
        {"age", "quasi", "intervals:5,10,20", NULL, 0},
        {"sex", "quasi", NULL, NULL, 0},
        {"region", "quasi", NULL, regions->labels, regions->count},
        {"education", "quasi", NULL, education_labels, EDUCATIONS},
        {"marital", "quasi", NULL, marital_labels, MARITALS},
        {"occupation", "quasi", NULL, jobs, OCCUPATIONS},
        {"household", "quasi", NULL, NULL, 0},
        {"country", "quasi", NULL, places, COUNTRIES},
        {"income", "dropped", NULL, NULL, 0},
        {"rent", "dropped", NULL, NULL, 0},
        {"hours", "other", NULL, NULL, 0},
        {"children", "dropped", NULL, NULL, 0},
        {"tenure", "other", NULL, NULL, 0},
        {"insurance", "other", NULL, NULL, 0},
        {"disease", "sensitive", NULL, NULL, 0},
    };
    const char *recipe = job->values[RECIPE].text, *folder = job->values[HIERARCHIES].text;
    if (folder[0]) EX_TRY(ex_synth_hierarchies(folder, columns, COUNT(columns), error));
    if (!recipe[0]) return BAUTA_OK;
    ex_synth_recipe_job task = {.file = recipe,
                                .table = job->out,
                                .folder = folder[0] ? folder : NULL,
                                .columns = columns,
                                .count = COUNT(columns),
                                .remark = "Amounts single people out, and the number of children "
                                          "tells the household: they are left out.",
                                .few = job->values[EX_SYNTH_ROWS].integer < FEW_ROWS};
    return ex_synth_recipe(&task, error);
}

static bauta_status make(const ex_synth_job *job, bauta_error *error)
{
    census *model = ex_arena_array(job->arena, 1, sizeof *model);
    region_list *regions = ex_arena_array(job->arena, 1, sizeof *regions);
    if (!model || !regions) return ex_fail_memory(error);
    list_regions(regions);
    EX_TRY(build_tables(model, regions, error));
    EX_TRY(build_cells(model, regions, error));
    ex_synth_plan plan = {.label = "census",
                          .header = header,
                          .rows = job->values[EX_SYNTH_ROWS].integer,
                          .row_bytes = 15 * sizeof(ex_synth_cell),
                          .model = model,
                          .fill = fill};
    EX_TRY(ex_synth_rows(job, &plan, error));
    return write_companions(job, regions, error);
}

const ex_entry ex_synth_census = {
    .name = "census",
    .summary = "people with eight quasi columns, six others and a disease",
    .params = params,
    .param_count = COUNT(params),
    .make = make,
};

/* SPDX-License-Identifier: Apache-2.0
 *
 * What a table is as it stands: sets of columns that single out, against brute force; what names
 * and contents of columns are taken for; texts as YAML.
 */
#include "support.h"

#include "profile/guess.h"
#include "profile/lexicon.h"
#include "profile/missing_codes.h"
#include "profile/partition.h"
#include "profile/risk.h"
#include "profile/same.h"
#include "profile/settings.h"
#include "profile/singling.h"
#include "profile/tree_text.h"
#include "profile/yaml_text.h"
#include "recipe/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bauta_error error;
static bt_run run;

static int open_run(void **state)
{
    (void)state;
    run = (bt_run){.memory = 1 << 20, .tmp = "/tmp"};
    if (bt_seed_fresh(&run.seed, &error) != BAUTA_OK) return -1;
    return bt_pool_new(2, &run.pool, &error) == BAUTA_OK ? 0 : -1;
}

static int close_run(void **state)
{
    (void)state;
    bt_pool_free(run.pool);
    return 0;
}

/* ---- a random table ---- */

enum { MOST_ROWS = 80, MOST_COLUMNS = 7, WIDE = 70000 };

typedef struct sample {
    int64_t rows;
    size_t columns;
    uint32_t values[MOST_COLUMNS][MOST_ROWS];
    uint8_t narrow[MOST_COLUMNS][MOST_ROWS];
    uint16_t middle[MOST_COLUMNS][MOST_ROWS];
    bt_singling_column search[MOST_COLUMNS];
    bt_column table[MOST_COLUMNS];
} sample;

/* Codes of columns 1, 4 and 6 are 16 and 32 bits wide, with gaps between them. */
static void fill_column(sample *s, size_t c, uint32_t values, uint64_t *random)
{
    bt_codes *codes = &s->search[c].codes;
    uint32_t step = c == 1 || c == 4 ? 300 : c == 6 ? 3000 : 1;
    *codes = (bt_codes){s->narrow[c], 1, values * step};
    if (step == 300) *codes = (bt_codes){s->middle[c], 2, values * step};
    if (step == 3000) *codes = (bt_codes){s->values[c], 4, WIDE};
    for (int64_t row = 0; row < s->rows; row++) {
        uint32_t value = (uint32_t)test_below(random, values) * step;
        s->values[c][row] = value;
        s->narrow[c][row] = (uint8_t)value;
        s->middle[c][row] = (uint16_t)value;
    }
    s->table[c] = (bt_column){.domain = {.size = codes->count},
                              .width = codes->width,
                              .codes = (void *)(uintptr_t)codes->codes};
}

static bool agree(const sample *s, unsigned set, int64_t a, int64_t b)
{
    for (size_t c = 0; c < s->columns; c++)
        if ((set >> c & 1) && s->values[c][a] != s->values[c][b]) return false;
    return true;
}

/* Unique rows, different tuples and the smallest class by looking at every pair of rows. */
static bt_risk brute_risk(const sample *s, unsigned set)
{
    bt_risk risk = {.smallest = s->rows};
    for (int64_t a = 0; a < s->rows; a++) {
        int64_t company = 0, before = 0;
        for (int64_t b = 0; b < s->rows; b++) {
            company += agree(s, set, a, b);
            before += b < a && agree(s, set, a, b);
        }
        risk.unique += company == 1;
        risk.classes += before == 0;
        if (company < risk.smallest) risk.smallest = company;
    }
    return risk;
}

static void make_sample(sample *s, uint64_t *random)
{
    s->rows = (int64_t)test_below(random, MOST_ROWS + 1);
    s->columns = 1 + test_below(random, MOST_COLUMNS);
    for (size_t c = 0; c < s->columns; c++) {
        fill_column(s, c, 1 + (uint32_t)test_below(random, 20), random);
        bt_risk alone = brute_risk(s, 1u << c);
        s->search[c].classes = (uint32_t)alone.classes;
        s->search[c].unique = alone.unique;
    }
}

/* ---- singling out ---- */

static unsigned bits_of(const bt_singling_set *set)
{
    unsigned bits = 0;
    for (size_t i = 0; i < set->size; i++) {
        if (i > 0) assert_true(set->columns[i] > set->columns[i - 1]);
        bits |= 1u << set->columns[i];
    }
    return bits;
}

static void compare_with_brute_force(const sample *s, bt_rational share, const bt_singling *found)
{
    bool singles[1 << MOST_COLUMNS] = {false};
    size_t minimal = 0;
    for (unsigned set = 1; set < 1u << s->columns; set++) {
        int64_t unique = brute_risk(s, set).unique;
        singles[set] = unique > 0 && bt_ratio_compare(unique, s->rows, share) >= 0;
        bool part = false;
        for (unsigned less = (set - 1) & set; less > 0; less = (less - 1) & set)
            part = part || singles[less];
        if (!singles[set] || part) continue;
        minimal++;
        bool told = false;
        for (size_t i = 0; i < found->count; i++)
            told = told || (bits_of(&found->sets[i]) == set && found->sets[i].unique == unique);
        assert_true(told);
    }
    assert_int_equal(found->count, minimal);
}

static void sets_that_single_out_are_those_of_brute_force(void **state)
{
    (void)state;
    uint64_t random = 11;
    static const bt_rational shares[] = {{1, 10}, {1, 2}, {1, 1}, {1, 100}, {0, 1}, {1, 3}};
    size_t total = 0;
    for (int round = 0; round < 120; round++) {
        sample s;
        bt_arena arena = {0};
        bt_singling found;
        make_sample(&s, &random);
        bt_rational share = shares[round % 6];
        assert_ok(bt_singling_search(s.search, s.columns, s.rows, share, INT64_MAX, &run, &arena,
                                     &found, &error),
                  &error);
        assert_true(found.complete);
        compare_with_brute_force(&s, share, &found);
        for (size_t i = 1; i < found.count; i++) {
            const bt_singling_set *a = &found.sets[i - 1], *b = &found.sets[i];
            assert_true(a->size < b->size || (a->size == b->size && a->unique >= b->unique));
        }
        total += found.count;
        bt_singling_release(&found);
        bt_arena_release(&arena);
    }
    assert_true(total > 100);
}

static void the_search_stops_at_its_budget_and_says_so(void **state)
{
    (void)state;
    uint64_t random = 5;
    sample s;
    bt_arena arena = {0};
    bt_singling some, all;
    s.rows = MOST_ROWS;
    s.columns = 6;
    for (size_t c = 0; c < s.columns; c++) {
        fill_column(&s, c, 3, &random);
        s.search[c].classes = 3;
        s.search[c].unique = 0;
    }
    const bt_rational share = {1, 10};
    assert_ok(bt_singling_search(s.search, 6, s.rows, share, INT64_MAX, &run, &arena, &all, &error),
              &error);
    assert_true(all.complete && all.count > 0);
    size_t smallest = all.sets[0].size;
    assert_true(smallest > 2);
    assert_ok(bt_singling_search(s.search, 6, s.rows, share, 0, &run, &arena, &some, &error),
              &error);
    assert_false(some.complete);
    assert_int_equal(some.count, 0);
    assert_true(some.searched >= 1 && some.searched < smallest);
    bt_singling_release(&all);
    bt_singling_release(&some);
    bt_arena_release(&arena);
}

static void no_rows_and_no_columns_single_nobody_out(void **state)
{
    (void)state;
    bt_arena arena = {0};
    bt_singling found;
    const bt_rational share = {1, 10};
    assert_ok(bt_singling_search(NULL, 0, 5, share, 1000, &run, &arena, &found, &error), &error);
    assert_true(found.complete && found.count == 0);
    const bt_singling_column empty[2] = {{.codes = {"", 1, 0}}, {.codes = {"", 1, 0}}};
    assert_ok(bt_singling_search(empty, 2, 0, share, 1000, &run, &arena, &found, &error), &error);
    assert_true(found.complete && found.count == 0);
    bt_arena_release(&arena);
}

static void risk_and_partitions_agree_with_brute_force(void **state)
{
    (void)state;
    uint64_t random = 21;
    for (int round = 0; round < 60; round++) {
        sample s;
        make_sample(&s, &random);
        const bt_column *columns[MOST_COLUMNS];
        bt_partition partition;
        unsigned set = 0;
        assert_ok(bt_partition_init(&partition, s.rows, WIDE, &error), &error);
        for (size_t c = 0; c < s.columns; c++) {
            bt_risk risk;
            columns[c] = &s.table[c];
            set |= 1u << c;
            bt_risk expected = brute_risk(&s, set);
            assert_ok(bt_risk_measure(columns, c + 1, s.rows, &run, &risk, &error), &error);
            assert_int_equal(risk.unique, expected.unique);
            assert_int_equal(risk.classes, expected.classes);
            assert_int_equal(risk.smallest, expected.smallest);
            bt_partition_count ahead = bt_partition_look(&partition, &s.search[c].codes);
            assert_int_equal(ahead.unique, expected.unique);
            assert_int_equal(ahead.classes, expected.classes);
            bt_partition_split(&partition, &s.search[c].codes);
            assert_int_equal(partition.unique, expected.unique);
            assert_int_equal(partition.unique + partition.groups, expected.classes);
        }
        bt_partition_release(&partition);
    }
}

/* ---- columns that say the same ---- */

enum { SAME_ROWS = 400, SAME_COLUMNS = 8 };

static void fill_codes(bt_column *column, bool ordered, uint32_t *codes)
{
    static int64_t numbers[2 * SAME_ROWS];
    uint32_t size = 1;
    for (int64_t row = 0; row < SAME_ROWS; row++)
        if (codes[row] >= size) size = codes[row] + 1;
    for (int64_t i = 0; i < 2 * SAME_ROWS; i++)
        numbers[i] = i;
    *column = (bt_column){.domain = {.size = size,
                                     .reading = {.type = ordered ? BT_INTEGER : BT_TEXT},
                                     .number = ordered ? numbers : NULL},
                          .width = 4,
                          .codes = codes};
}

/* Whether a column is said to follow from another: 2 both ways, 3 by ranges. */
static int relation(const bt_follows *pairs, size_t count, size_t from, size_t of)
{
    for (size_t i = 0; i < count; i++) {
        if (pairs[i].from == from && pairs[i].of == of)
            return pairs[i].back ? 2 : pairs[i].ranges ? 3 : 1;
        if (pairs[i].from == of && pairs[i].of == from && pairs[i].back) return 2;
    }
    return 0;
}

static void columns_that_follow_from_another_are_found(void **state)
{
    (void)state;
    enum { BORN, AGE, BAND, CITY, STATE, STATE_NUMBER, COIN, UNIQUE };
    static uint32_t codes[SAME_COLUMNS][SAME_ROWS];
    bt_column columns[SAME_COLUMNS];
    bool all[SAME_COLUMNS];
    uint64_t random = 5;
    for (int64_t row = 0; row < SAME_ROWS; row++) {
        codes[BORN][row] = (uint32_t)(row * 7 % SAME_ROWS); /* each its own day */
        codes[AGE][row] = 60 - codes[BORN][row] / 8;
        codes[BAND][row] = codes[AGE][row] / 10 * 5 % 7; /* text: in no order */
        codes[CITY][row] = (uint32_t)test_below(&random, 30);
        codes[STATE][row] = codes[CITY][row] * 11 % 4;
        codes[STATE_NUMBER][row] = 3 - codes[STATE][row];
        codes[COIN][row] = (uint32_t)test_below(&random, 2);
        codes[UNIQUE][row] = (uint32_t)(row * 11 % SAME_ROWS);
    }
    for (size_t i = 0; i < SAME_COLUMNS; i++) {
        fill_codes(&columns[i], i == BORN || i == AGE || i == STATE_NUMBER, codes[i]);
        all[i] = true;
    }
    const bt_table table = {.rows = SAME_ROWS, .count = SAME_COLUMNS, .columns = columns};
    bt_arena arena = {0};
    bt_follows *pairs;
    size_t count;
    assert_ok(bt_same_find(&table, all, &arena, &pairs, &count, &error), &error);
    assert_int_equal(relation(pairs, count, BORN, AGE), 3);
    assert_int_equal(relation(pairs, count, BORN, BAND), 3);
    assert_int_equal(relation(pairs, count, AGE, BAND), 3);
    assert_int_equal(relation(pairs, count, CITY, STATE), 1);
    assert_int_equal(relation(pairs, count, CITY, STATE_NUMBER), 1);
    assert_int_equal(relation(pairs, count, STATE, STATE_NUMBER), 2);
    assert_int_equal(count, 6); /* and nothing follows from what is unique, or from a coin */
    all[STATE] = false;
    codes[STATE_NUMBER][0] ^= 1; /* one exception, at the first or at a later row of the city */
    assert_ok(bt_same_find(&table, all, &arena, &pairs, &count, &error), &error);
    assert_int_equal(relation(pairs, count, CITY, STATE_NUMBER), 0);
    assert_int_equal(relation(pairs, count, STATE, STATE_NUMBER), 0);
    const bt_table none = {.rows = 0, .count = 0};
    assert_ok(bt_same_find(&none, all, &arena, &pairs, &count, &error), &error);
    assert_int_equal(count, 0);
    bt_arena_release(&arena);
}

/* ---- names ---- */

static void names_say_what_columns_are(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bt_hint hint;
    } cases[] = {
        {"age", BT_HINT_PLAIN},
        {"Age at diagnosis", BT_HINT_PLAIN},
        {"birthDate", BT_HINT_PLAIN},
        {"DOB", BT_HINT_PLAIN},
        {"zip_code", BT_HINT_PLAIN},
        {"ZIPCode", BT_HINT_PLAIN},
        {"PLZ", BT_HINT_PLAIN},
        {"geburtsdatum", BT_HINT_PLAIN},
        {"patient_name", BT_HINT_IDENTIFIER},
        {"E-Mail", BT_HINT_IDENTIFIER},
        {"phone2", BT_HINT_IDENTIFIER},
        {"patient_nbr", BT_HINT_IDENTIFIER},
        {"SSN", BT_HINT_IDENTIFIER},
        {"HIV", BT_HINT_SENSITIVE},
        {"diag_1", BT_HINT_SENSITIVE},
        {"A1Cresult", BT_HINT_SENSITIVE},
        {"capital-gain", BT_HINT_SENSITIVE},
        {"diabetesMed", BT_HINT_SENSITIVE},
        {"religion", BT_HINT_SENSITIVE},
        {"native-country", BT_HINT_KNOWN},
        {"marital-status", BT_HINT_KNOWN},
        {"workclass", BT_HINT_KNOWN},
        {"fnlwgt", BT_HINT_LEAVE_OUT},
        {"Unnamed: 0", BT_HINT_LEAVE_OUT},
        {"name", BT_HINT_NAME},
        {"id", BT_HINT_KEY},
        {"patient", BT_HINT_PERSON},
        {"Case", BT_HINT_PERSON},
        {"employee", BT_HINT_PERSON},
        {"patient_type", BT_HINT_CODE},
        {"insured_no", BT_HINT_IDENTIFIER},
        {"user number", BT_HINT_IDENTIFIER},
        {"customerKey", BT_HINT_IDENTIFIER},
        {"num_person", BT_HINT_NONE},
        {"cap_size", BT_HINT_NONE},
        {"languages", BT_HINT_KNOWN},
        {"average", BT_HINT_NONE},
        {"x7", BT_HINT_NONE},
        {"", BT_HINT_NONE},
        {"!!", BT_HINT_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bt_meaning found = bt_lexicon_look_up(cases[i].name);
        if (found.hint != cases[i].hint) fail_msg("'%s' gives %d", cases[i].name, found.hint);
        assert_int_equal(found.what != NULL, found.hint != BT_HINT_NONE);
    }
    static const char *const codes[] = {"admission_type_id", "icd10", "diag_2",
                                        "Gemeindeschlüssel", "nace",  "code_commune",
                                        "Kommunekode",       "sex",   "plz"};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (!bt_lexicon_look_up(codes[i]).nominal) fail_msg("'%s' holds codes", codes[i]);
    static const char *const quantities[] = {"Age at diagnosis", "number_diagnoses", "income",
                                             "days in region",   "Anzahl Diagnosen", "birth year"};
    for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++)
        if (bt_lexicon_look_up(quantities[i]).nominal) fail_msg("'%s' counts", quantities[i]);
    assert_true(bt_lexicon_look_up("admission_type_id").key);
    assert_true(bt_lexicon_look_up("plz").postcode);
    char *long_name = malloc(100001);
    assert_non_null(long_name);
    memset(long_name, 'a', 100000);
    long_name[100000] = '\0';
    assert_int_equal(bt_lexicon_look_up(long_name).hint, BT_HINT_NONE);
    for (size_t i = 1; i < 100000; i += 2)
        long_name[i] = '_';
    assert_int_equal(bt_lexicon_look_up(long_name).hint, BT_HINT_NONE);
    free(long_name);
}

static void names_are_understood_in_many_languages(void **state)
{
    (void)state;
    static const struct {
        bt_hint hint;
        const char *names[20]; /* up to NULL */
    } cases[] = {
        /* German */
        {BT_HINT_IDENTIFIER,
         {"Vorname", "NACHNAME", "Geburtsname", "E-Mail-Adresse", "Telefonnummer", "Handy",
          "Straße", "Strasse", "Hausnummer", "Patientennummer", "PatientenID", "Fallnummer",
          "Kundennr", "Sozialversicherungsnummer", "Steuer-ID", "Kontonummer"}},
        {BT_HINT_PLAIN,
         {"Alter", "Altersgruppe", "Geburtsdatum", "geb_dat", "Geburtsort", "Geschlecht", "PLZ",
          "Postleitzahl"}},
        {BT_HINT_SENSITIVE,
         {"Krankheit", "Diagnose", "Hauptdiagnose", "Medikament", "Behandlung", "Gehalt",
          "Einkommen", "Bruttolohn", "Religion", "Konfession", "Schwangerschaft"}},
        {BT_HINT_LEAVE_OUT, {"Bemerkung", "Kommentar", "Freitext"}},
        {BT_HINT_KNOWN,
         {"Wohnort", "Gemeinde", "Bundesland", "Staatsangehörigkeit", "Staatsbürgerschaft",
          "Familienstand", "Schulabschluss", "Beruf", "Tätigkeit", "Taetigkeit", "Kinderzahl",
          "Muttersprache", "Körpergröße", "Koerpergroesse", "Gewicht", "Aufnahmedatum",
          "Krankenkasse"}},
        /* French */
        {BT_HINT_IDENTIFIER,
         {"prénom", "PRENOM", "nom_de_famille", "nom du patient", "courriel",
          "numéro de téléphone ", " adresse ", " rue ", " numéro patient ", " numero_client ",
          "sécurité sociale ", " matricule "}},
        {BT_HINT_PLAIN,
         {"âge", "Age", "tranche d'âge", "date_de_naissance", "dateNaissance", "lieu de naissance ",
          " sexe ", " code_postal ", " CodePostal ", " ethnie "}},
        {BT_HINT_SENSITIVE,
         {"maladie", "diagnostic", "traitement", "médicament", "salaire", "revenu",
          "revenus annuels ", " religion ", "décès ", " grossesse "}},
        {BT_HINT_LEAVE_OUT, {"commentaire", "remarques"}},
        {BT_HINT_KNOWN,
         {"ville", "commune", "département", "pays", "nationalité", "état civil", "etat_civil",
          "niveau d'études", "métier", "emploi", "enfants", "ménage", "langue", "taille", "poids",
          "hôpital", "médecin"}},
        /* Spanish */
        {BT_HINT_IDENTIFIER,
         {"apellidos", "primer_apellido", "nombre completo", "correo electrónico", "teléfono",
          "móvil", "dirección", "DNI", "número de paciente", "historia clínica", "pasaporte"}},
        {BT_HINT_PLAIN,
         {"edad", "grupo_edad", "fecha_nacimiento", "FechaNacimiento", "lugar de nacimiento ",
          " sexo ", " género ", " código postal ", " codigo_postal ", " etnia ", " raza "}},
        {BT_HINT_SENSITIVE,
         {"enfermedad", "diagnóstico", "tratamiento", "medicación", "salario", "ingresos",
          "religión", "embarazo", "discapacidad"}},
        {BT_HINT_LEAVE_OUT, {"observaciones", "comentarios"}},
        {BT_HINT_KNOWN,
         {"ciudad", "municipio", "provincia", "país", "nacionalidad", "estado_civil", "estudios",
          "nivel de educación", "ocupación", "profesión", "hijos", "hogar", "idioma", "peso",
          "estatura", "médico"}},
        /* Italian */
        {BT_HINT_IDENTIFIER,
         {"cognome", "Nome e Cognome", "indirizzo", "telefono", "cellulare", "codice_fiscale",
          "codiceFiscale", "tessera sanitaria", "matricola"}},
        {BT_HINT_PLAIN,
         {"età", "eta", "fascia_eta", "data_di_nascita", "dataNascita", "luogo di nascita", "sesso",
          "genere", "codice postale"}},
        {BT_HINT_SENSITIVE,
         {"malattia", "diagnosi", "terapia", "farmaco", "reddito", "stipendio", "religione",
          "gravidanza"}},
        {BT_HINT_LEAVE_OUT, {"osservazioni", "commenti"}},
        {BT_HINT_KNOWN,
         {"città", "comune", "regione", "cittadinanza", "nazionalità", "stato civile",
          "titolo di studio", "istruzione", "professione", "lavoro", "figli", "lingua", "altezza",
          "ospedale", "reparto"}},
        /* Portuguese */
        {BT_HINT_IDENTIFIER,
         {"sobrenome", "nome completo", "nome_do_paciente", "telefone", "telemóvel", "endereço",
          "morada", "CPF", "número de utente"}},
        {BT_HINT_PLAIN,
         {"idade", "faixa_etária", "data_de_nascimento", "dtNasc", "sexo", "gênero", "género",
          "código postal", "CEP", "raça"}},
        {BT_HINT_SENSITIVE,
         {"doença", "diagnóstico", "tratamento", "medicamentos", "salário", "rendimento", "renda",
          "religião", "gravidez", "óbito"}},
        {BT_HINT_LEAVE_OUT, {"observações"}},
        {BT_HINT_KNOWN,
         {"cidade", "município", "freguesia", "país", "nacionalidade", "estado civil",
          "escolaridade", "educação", "profissão", "ocupação", "filhos", "altura"}},
        /* Dutch */
        {BT_HINT_IDENTIFIER,
         {"voornaam", "Achternaam", "e-mail", "telefoonnummer", "adres", "straatnaam", "huisnummer",
          "BSN", "patiëntnummer", "klantnummer", "rekeningnummer"}},
        {BT_HINT_PLAIN,
         {"leeftijd", "leeftijdsklasse", "geboortedatum", "geboorteplaats", "geslacht",
          "postcode"}},
        {BT_HINT_SENSITIVE,
         {"ziekte", "diagnose", "behandeling", "medicatie", "salaris", "inkomen", "religie",
          "geloof", "zwangerschap"}},
        {BT_HINT_LEAVE_OUT, {"opmerkingen", "toelichting"}},
        {BT_HINT_KNOWN,
         {"woonplaats", "gemeente", "provincie", "land", "nationaliteit", "burgerlijke staat ",
          " opleiding ", " beroep ", " kinderen ", " huishouden ", " moedertaal ", "ziekenhuis"}},
        /* Polish */
        {BT_HINT_IDENTIFIER,
         {"imię", "imie", "Nazwisko", "adres", "ulica", "telefon", "PESEL", "numer pacjenta"}},
        {BT_HINT_PLAIN,
         {"wiek", "grupa wiekowa", "data_urodzenia", "miejsce urodzenia", "płeć", "plec",
          "kod pocztowy", "kod_pocztowy"}},
        {BT_HINT_SENSITIVE,
         {"choroba", "rozpoznanie", "leczenie", "dochód", "wynagrodzenie", "wyznanie", "ciąża"}},
        {BT_HINT_LEAVE_OUT, {"uwagi"}},
        {BT_HINT_KNOWN,
         {"miasto", "województwo", "gmina", "obywatelstwo", "stan cywilny", "wykształcenie",
          "zawód", "dzieci", "język", "wzrost", "szpital"}},
        /* Nordic */
        {BT_HINT_IDENTIFIER,
         {"förnamn", "Efternamn", "fornavn", "etternavn", "e-post", "telefonnummer", "gatuadress",
          "personnummer", "CPR-nummer", "fødselsnummer"}},
        {BT_HINT_PLAIN,
         {"ålder", "alder", "åldersgrupp", "födelsedatum", "fødselsdato", "foedselsdato", "kön",
          "køn", "kjønn", "postnummer", "postnr"}},
        {BT_HINT_SENSITIVE,
         {"sjukdom", "sygdom", "sykdom", "diagnos", "behandling", "läkemedel", "inkomst",
          "indkomst", "inntekt", "lønn", "religion"}},
        {BT_HINT_LEAVE_OUT, {"anteckningar", "bemærkninger"}},
        {BT_HINT_KNOWN,
         {"kommun", "kommune", "fylke", "medborgarskap", "statsborgerskab", "civilstånd",
          "sivilstand", "utbildning", "uddannelse", "utdanning", "yrke", "barn", "språk", "sjukhus",
          "sygehus"}},
    };
    int wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (const char *const *name = cases[i].names; *name; name++) {
            bt_hint found = bt_lexicon_look_up(*name).hint;
            if (found == cases[i].hint) continue;
            print_error("'%s' gives %d, not %d\n", *name, found, cases[i].hint);
            wrong++;
        }
    assert_int_equal(wrong, 0);
}

static void letters_lose_their_marks(void **state)
{
    (void)state;
    assert_int_equal(bt_lexicon_look_up("PRÉNOM").hint, BT_HINT_IDENTIFIER);
    assert_int_equal(bt_lexicon_look_up("pre\xcc\x81nom").hint, BT_HINT_IDENTIFIER);
    assert_int_equal(bt_lexicon_look_up("dateDeNaissance").hint, BT_HINT_PLAIN);
    assert_int_equal(bt_lexicon_look_up("B\xc3").hint, BT_HINT_NONE);
    assert_int_equal(bt_lexicon_look_up("возраст").hint, BT_HINT_NONE);
}

static void persons_are_understood_in_many_languages(void **state)
{
    (void)state;
    static const char *const alone[] = {"Patientin", "Kunde",    "Versicherter", "personne",
                                        "assuré",    "paciente", "cliente",      "alumno",
                                        "paziente",  "pessoa",   "patiënt",      "klant",
                                        "pacjent",   "osoba",    "kund",         "pasient"};
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        if (bt_lexicon_look_up(alone[i]).hint != BT_HINT_PERSON) fail_msg("'%s'", alone[i]);
    static const char *const numbers[] = {"id_paciente", "Klient-Nr",   "Kunde Nr",
                                          "numéro_sécu", "id_paziente", "numero de cliente"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!bt_lexicon_look_up(numbers[i]).person) fail_msg("'%s'", numbers[i]);
    static const char *const names[] = {"nom",  "Nombre",   "nome",    "naam", "navn",
                                        "namn", "příjmení", "фамилия", "Имя"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!bt_lexicon_look_up(names[i]).name) fail_msg("'%s'", names[i]);
    assert_false(bt_lexicon_look_up("nom_commune").name);
    assert_true(bt_lexicon_look_up("CAP").postcode);
}

/* As many values as persons, kinds of persons and things have. */
static void numbers_of_values_tell_persons(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int64_t present, distinct;
        bool persons;
    } cases[] = {
        {"patient", 1000, 16, true},   {"patient", 1000, 15, false}, {"patient", 14, 3, true},
        {"patient", 15, 3, false},     {"case", 3, 2, false},        {"name", 39, 2, true},
        {"name", 40, 2, false},        {"id", 319, 16, true},        {"id", 320, 16, false},
        {"id", 300, 15, false},        {"id", 10, 7, true},          {"store_id", 1000, 200, false},
        {"store_id", 1000, 201, true}, {"region_id", 20, 14, true},  {"region_id", 19, 14, false},
        {"account", 1000, 16, true},   {"account", 1000, 15, false}, {"account", 299, 15, true},
        {"patient_id", 1000, 2, true}, {"age", 1000, 999, false},    {"sex_id", 1000, 999, false},
        {"comment", 1000, 999, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bt_meaning meaning = bt_lexicon_look_up(cases[i].name);
        bool found = bt_guess_names_someone(&meaning, cases[i].present, cases[i].distinct);
        if (found != cases[i].persons)
            fail_msg("%s: %d of %d", cases[i].name, (int)cases[i].distinct, (int)cases[i].present);
    }
}

static void parts_of_other_words_say_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {
        "filename",  "agent",  "agency",   "package", "page",   "usage",     "average", "stage",
        "sextant",   "zipper", "compress", "villain", "portal", "elevation", "bearing", "agenda",
        "manage",    "image",  "costume",  "placebo", "priced", "telemetry", "mailbox", "heading",
        "streetcar", "iphone", "surplus",  "rowing",  "data",   "value",     "de la",   "measure",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (bt_lexicon_look_up(names[i]).hint != BT_HINT_NONE)
            fail_msg("'%s' is %s", names[i], bt_lexicon_look_up(names[i]).what);
    assert_int_equal(bt_lexicon_look_up("surgery").hint, BT_HINT_SENSITIVE); /* not a surname */
    assert_int_equal(bt_lexicon_look_up("agent id").hint, BT_HINT_KEY);
}

/* ---- columns from texts ---- */

static const char *const usual_tokens[] = {"NA", "?"};
static const bt_missing usual = {.tokens = usual_tokens, .count = 2};

/* A profile of `count` texts, each in one row. */
static bt_column_profile profile_of(const char *name, const char *const *texts, size_t count,
                                    bt_arena *arena)
{
    uint32_t *lengths = bt_arena_array(arena, count, sizeof *lengths);
    int64_t *rows = bt_arena_array(arena, count, sizeof *rows);
    const char **copy = bt_arena_array(arena, count, sizeof *copy);
    assert_true(lengths && rows && copy);
    for (size_t i = 0; i < count; i++) {
        copy[i] = texts[i];
        lengths[i] = (uint32_t)strlen(texts[i]);
        rows[i] = 1;
    }
    const bt_values values = {(uint32_t)count, copy, lengths, rows};
    const bt_domain_options options = {.missing = &usual, .column = name};
    bt_column_profile profile;
    assert_ok(bt_profile_values(&values, &options, (int64_t)count, arena, &profile, &error),
              &error);
    return profile;
}

/* ---- codes for missing values ---- */

enum { MOST_VALUES = 300 };

/* "18~89:10 99:40": the numbers from 18 to 89 in 10 rows each, 99 in 40; what follows a range is
 * added to each ("1950~1999-06-15:2"), and _ is a blank. */
static void read_values(const char *spec, bt_arena *arena, bt_values *out, int64_t *all_rows)
{
    static const char *text[MOST_VALUES];
    static uint32_t length[MOST_VALUES];
    static int64_t rows[MOST_VALUES];
    *out = (bt_values){0, text, length, rows};
    *all_rows = 0;
    for (const char *p = spec; *p;) {
        size_t part = strcspn(p, " ");
        const char *colon = memchr(p, ':', part), *range = memchr(p, '~', part);
        char suffix[32] = "";
        int from = 0, to = 0;
        assert_non_null(colon);
        if (range) sscanf(p, "%d~%d%31[^: ]", &from, &to, suffix);
        for (int i = from; i <= to; i++) {
            char *made = range ? bt_arena_print(arena, "%d%s", i, suffix)
                               : bt_arena_copy(arena, p, (size_t)(colon - p));
            assert_true(made && out->count < MOST_VALUES);
            for (char *c = made; *c; c++)
                if (*c == '_') *c = ' ';
            text[out->count] = made;
            length[out->count] = (uint32_t)strlen(made);
            rows[out->count] = strtol(colon + 1, NULL, 10);
            *all_rows += rows[out->count++];
        }
        p += part + (p[part] == ' ');
    }
}

static void assert_codes(const char *spec, const char *wanted, const char *const *found,
                         size_t count)
{
    char all[200] = "";
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i ? "," : "", found[i]);
    if (strcmp(all, wanted) != 0) fail_msg("%s: found '%s', not '%s'", spec, all, wanted);
}

static void codes_for_missing_values_stand_apart(void **state)
{
    (void)state;
    static const struct {
        const char *values;
        bool nominal;
        const char *taken, *doubtful;
    } cases[] = {
        {"18~89:10 97:6 98:5 99:7", false, "97,98,99", ""},
        {"18~89:100 99:500", false, "99", ""},
        {"18~94:100 95:3 96:2 97:2 98:1 99:1", false, "", ""}, /* people of that age */
        {"18~85:100 87:3 89:3 92:1 99:1", false, "", ""},   /* people of that age, one of them 99 */
        {"18~95:10 96:2 97:2 98:2 99:60", false, "", "99"}, /* cut off there, or a code */
        {"18~85:10 88:1 97:20 98:20 99:20", false, "97,98,99", ""},
        {"0~40:30 99:2", false, "99", ""},
        {"0~40:30 99:1", false, "", "99"}, /* one record */
        {"40~160:5 999:9", false, "999", ""},
        {"40~160:5 888:1 999:9", false, "888,999", ""},
        {"0~100:3 9999:4", false, "9999", ""},
        {"0~200:3 99999:40", false, "", "99999"}, /* may be the largest amount */
        {"1~2:200 9:5", true, "9", ""},           /* sex */
        {"1~2:200 9:5", false, "", ""},
        {"1~5:50 9:20", false, "", "9"},
        {"1~5:50 9:70", false, "9", ""},
        {"1~3:50 8:40 9:30", false, "8,9", ""},
        {"1~9:50", false, "", ""},
        {"1~8:50 9:80", false, "", "9"},
        {"0~6:20 7:25 8:5 9:5", false, "", ""},
        {"1~5:50 -1:7", false, "-1", ""},
        {"0~5:50 -1:7", false, "", "-1"},
        {"0~50:50 -9:7 -8:3", false, "-9,-8", ""},
        {"-20~20:5 -99:8", false, "", ""}, /* there are others below 0 */
        {"1.5:20 2.5:20 3:30 4.25:12 99:9", false, "99", ""},
        {"1.5:20 2.5:20 3:30 4.25:12 99.5:9", false, "", ""},
        {"1950~1999-06-15:2 9999-12-31:1", false, "9999-12-31", ""},
        {"1950~1999-06-15:2 0001-01-01:1 9999-12-31:1", false, "0001-01-01,9999-12-31", ""},
        {"1950~1999-06-15:2 1900-01-01:30", false, "1900-01-01", ""},
        {"1950~1999-06-15:2 1900-01-01:1", false, "", "1900-01-01"},
        {"1900~1999-01-01:2", false, "", ""},
        {"a:20 b:20 c:20 Unknown:3 not_stated:2", false, "Unknown,not stated", ""},
        {"ja:20 nein:20 Wei\xc3\x9f_nicht:9 k.A.:8 unbekannter:3", false, "Wei\xc3\x9f nicht,k.A.",
         ""},
        {"a:20 Unknown:3", false, "", ""},
        {"1~3:2 99:3", false, "", ""}, /* a table of few records */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bt_arena arena = {0};
        bt_values values;
        bt_column_profile profile;
        bt_missing_codes found;
        int64_t rows;
        const bt_domain_options options = {.missing = &usual, .column = "x"};
        read_values(cases[i].values, &arena, &values, &rows);
        assert_ok(bt_profile_values(&values, &options, rows, &arena, &profile, &error), &error);
        assert_ok(bt_missing_codes_find(&profile, cases[i].nominal, &arena, &found, &error),
                  &error);
        assert_codes(cases[i].values, cases[i].taken, found.taken, found.taken_count);
        assert_codes(cases[i].values, cases[i].doubtful, found.doubtful, found.doubtful_count);
        bt_arena_release(&arena);
    }
}

/* The hierarchy for `count` numbers from `first` on in steps, printed with `format`. */
static const char *hierarchy_of(const char *name, const char *format, int first, int step,
                                size_t count, bt_arena *arena)
{
    const char **texts = bt_arena_array(arena, count, sizeof *texts);
    assert_non_null(texts);
    for (size_t i = 0; i < count; i++) {
        int number = first + (int)i * step;
        char text[64];
        snprintf(text, sizeof text, format, number / 100, number % 100);
        texts[i] = bt_arena_copy(arena, text, strlen(text));
    }
    bt_column_profile profile = profile_of(name, texts, count, arena);
    bt_guess guess = {0};
    assert_ok(bt_guess_hierarchy(&profile, false, arena, &guess, &error), &error);
    return guess.hierarchy ? guess.hierarchy : "none";
}

static void hierarchies_fit_the_values(void **state)
{
    (void)state;
    bt_arena arena = {0};
    assert_string_equal(hierarchy_of("age", "%d%02d", 10017, 1, 74, &arena), "intervals:5,10,20");
    assert_string_equal(hierarchy_of("x", "%d%02d", 100000, 1, 9, &arena), "none");
    assert_string_equal(hierarchy_of("rooms", "%d%02d", 100001, 1, 15, &arena), "none");
    assert_string_equal(hierarchy_of("height", "%d.%02d", 150, 1, 60, &arena),
                        "intervals:0.05,0.1,0.2");
    assert_string_equal(hierarchy_of("zip", "%02d%02d", 100, 3, 200, &arena), "mask");
    assert_string_equal(hierarchy_of("zip", "1%02d%02d", 100, 3, 200, &arena), "mask");
    assert_string_equal(hierarchy_of("region", "%d%02d", 10000, 1, 40, &arena), "mask");
    assert_string_equal(hierarchy_of("industry", "%d-%02d", 1000, 1, 40, &arena), "mask");
    assert_string_equal(hierarchy_of("city", "x%dy%d", 0, 1, 90, &arena), "none");
    assert_string_equal(hierarchy_of("city", "x%dy%d", 0, 1, 200, &arena), "flat");
    assert_string_equal(hierarchy_of("born", "19%02d-01-%02d", 2001, 1, 28, &arena), "date");
    bt_arena_release(&arena);
}

static void numbers_at_the_border_give_no_impossible_intervals(void **state)
{
    (void)state;
    bt_arena arena = {0};
    static const char *const ends[] = {"-999999999999999999",
                                       "999999999999999999",
                                       "0",
                                       "1",
                                       "2",
                                       "3",
                                       "4",
                                       "5",
                                       "6",
                                       "7",
                                       "8",
                                       "9",
                                       "10",
                                       "11"};
    bt_column_profile profile = profile_of("x", ends, sizeof ends / sizeof *ends, &arena);
    bt_guess guess = {0};
    assert_ok(bt_guess_hierarchy(&profile, false, &arena, &guess, &error), &error);
    assert_int_equal(profile.domain->reading.type, BT_INTEGER);
    assert_true(!guess.hierarchy || strncmp(guess.hierarchy, "intervals:", 10) == 0);
    bt_arena_release(&arena);
}

/* What is published of a column must not tell of the few records that differ from all others. */
static void few_records_make_no_widths(void **state)
{
    (void)state;
    enum { ROWS = 800, FEW = 15 };
    bt_arena arena = {0};
    const char **texts = bt_arena_array(&arena, ROWS, sizeof *texts);
    assert_non_null(texts);
    for (size_t i = 0; i < ROWS; i++) {
        char text[32];
        snprintf(text, sizeof text, "%zu", i < FEW ? 1000 * (i + 1) : 0);
        texts[i] = bt_arena_copy(&arena, text, strlen(text));
    }
    bt_column_profile profile = profile_of("pay", texts, ROWS, &arena);
    bt_guess guess = {0};
    assert_ok(bt_guess_hierarchy(&profile, false, &arena, &guess, &error), &error);
    assert_non_null(guess.hierarchy);
    assert_ok(bt_guess_hierarchy(&profile, true, &arena, &guess, &error), &error);
    assert_null(guess.hierarchy);
    bt_arena_release(&arena);
}

static void values_are_known_by_their_looks(void **state)
{
    (void)state;
    bt_arena arena = {0};
    static const char *const emails[] = {"a@b.org", "c.d@e.f.com", "?"};
    static const char *const uuids[] = {"00000000-0000-4000-8000-0123456789ab"};
    static const char *const machines[] = {"10.0.0.1", "192.168.255.7"};
    static const char *const phones[] = {"+49 30 123456", "(020) 7946-0000", "555-123-4567"};
    static const char *const moments[] = {"2024-01-02 03h04", "2024-01-03T1000 in the night"};
    static const char *const dates[] = {"01/02/2003", "03/04/2005"};
    static const char *const texts[] = {"a@b", "x", "1.2.3", "12-34"};
    assert_int_equal(profile_of("x", emails, 3, &arena).shape, BT_SHAPE_EMAIL);
    assert_int_equal(profile_of("x", uuids, 1, &arena).shape, BT_SHAPE_UUID);
    assert_int_equal(profile_of("x", machines, 2, &arena).shape, BT_SHAPE_ADDRESS);
    assert_int_equal(profile_of("x", phones, 3, &arena).shape, BT_SHAPE_PHONE);
    assert_int_equal(profile_of("x", moments, 2, &arena).shape, BT_SHAPE_MOMENT);
    assert_int_equal(profile_of("x", dates, 2, &arena).shape, BT_SHAPE_NONE);
    assert_int_equal(profile_of("x", texts, 4, &arena).shape, BT_SHAPE_NONE);
    bt_column_profile profile = profile_of("x", emails, 3, &arena);
    assert_int_equal(profile.distinct, 2);
    assert_int_equal(profile.missing, 1);
    assert_int_equal(profile.unique, 3);
    bt_arena_release(&arena);
}

/* ---- settings ---- */

static bt_settings settings_of(const char *const *first, size_t firsts, const char *const *second,
                               size_t seconds, bt_arena *arena)
{
    bt_column columns[2] = {0};
    columns[0].domain = *profile_of("x", first, firsts, arena).domain;
    columns[1].domain = *profile_of("y", second, seconds, arena).domain;
    const bt_settings_asked asked = {.missing = &usual};
    bt_settings settings;
    assert_ok(bt_settings_guess(columns, 2, &asked, arena, &settings, &error), &error);
    return settings;
}

static void decimal_commas_and_missing_tokens_are_noticed(void **state)
{
    (void)state;
    bt_arena arena = {0};
    static const char *const comma[] = {"1,5", "2,25", "3"};
    static const char *const point[] = {"1.5", "2.25", "3"};
    static const char *const thousands[] = {"1,500", "12,250", "3"};
    static const char *const dashes[] = {"1", "2", "-"};
    static const char *const words[] = {"a", "b", "-", "N/A"};
    bt_settings found = settings_of(comma, 3, words, 2, &arena);
    assert_true(found.decimal_comma && found.changed[0] && !found.changed[1]);
    assert_int_equal(found.token_count, 2);
    found = settings_of(comma, 3, point, 3, &arena);
    assert_true(found.decimal_mixed && !found.decimal_comma && !found.changed[0]);
    found = settings_of(thousands, 3, words, 2, &arena);
    assert_true(found.thousands && !found.decimal_comma && !found.changed[0]);
    found = settings_of(words, 3, words, 3, &arena);
    assert_int_equal(found.found, 0); /* a dash among words is a word */
    found = settings_of(dashes, 3, words, 4, &arena);
    assert_int_equal(found.found, 2);
    assert_true(found.changed[0] && found.changed[1]);
    assert_string_equal(found.tokens[0], "NA");
    bt_arena_release(&arena);
}

/* ---- YAML ---- */

static void any_text_is_read_back_as_it_was(void **state)
{
    (void)state;
    static const char *const names[] = {
        "plain",
        "two words",
        "a:b",
        "k: v",
        "\"q\"",
        "it's",
        "#x",
        "x #y",
        "- d",
        "-",
        "? z",
        ": ",
        "null",
        "~",
        "yes",
        "12",
        "1.5",
        "[y]",
        "{x}",
        "*a",
        "&a",
        "!t",
        "|",
        ">",
        "%p",
        "@",
        "`",
        "new\nline",
        "tab\tx",
        "\r",
        "\x01",
        "\x7f",
        "back\\slash",
        "ü",
        "\xc2\x85",
        "\xe2\x80\xa8",
        "\u202eabc",
        "\xef\xbb\xbfq",
        "\xf0\x9f\x98\x80",
        "---",
        "...",
        " lead",
        "trail ",
        "",
        "=",
        "rest",
        "\xef\xbf\xbf",
        "\xc2\xa0",
    };
    bt_buffer text = {0};
    bt_arena arena = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_ok(bt_yaml_comment(&text, 2, names[i], &error), &error);
        assert_ok(bt_yaml_key(&text, 2, names[i], &error), &error);
        assert_ok(bt_buffer_print(&text, &error, " ["), &error);
        assert_ok(bt_yaml_scalar(&text, names[i], &error), &error);
        assert_ok(bt_buffer_print(&text, &error, ", end]\n"), &error);
    }
    bt_yaml *root;
    assert_ok(bt_yaml_parse(text.bytes, text.length, &arena, &root, &error), &error);
    size_t seen = 0;
    for (const bt_yaml *at = root->first; at; at = at->next, seen++) {
        assert_string_equal(at->key, names[seen]);
        assert_string_equal(at->first->text, names[seen]);
        assert_string_equal(at->first->next->text, "end");
    }
    assert_int_equal(seen, sizeof names / sizeof *names);
    bt_arena_release(&arena);
    bt_buffer_release(&text);
}

static void long_keys_and_long_comments_are_read_back(void **state)
{
    (void)state;
    enum { LONG = 20000 };
    char *name = malloc(LONG + 1);
    assert_non_null(name);
    bt_buffer text = {0};
    bt_arena arena = {0};
    bt_yaml *root;
    for (size_t i = 0; i < LONG; i++)
        name[i] = "ab \n"[i % 4];
    name[LONG] = '\0';
    assert_ok(bt_yaml_comment(&text, 0, name, &error), &error);
    assert_ok(bt_yaml_key(&text, 0, name, &error), &error);
    assert_ok(bt_buffer_print(&text, &error, "\n  role: quasi\nlast: 1\n"), &error);
    assert_ok(bt_yaml_parse(text.bytes, text.length, &arena, &root, &error), &error);
    assert_string_equal(root->first->key, name);
    assert_string_equal(root->first->first->text, "quasi");
    assert_string_equal(root->first->next->key, "last");
    bt_arena_release(&arena);
    bt_buffer_release(&text);
    free(name);
}

/* ---- trees ---- */

static size_t lines_of(const bt_buffer *text)
{
    size_t lines = 0;
    for (size_t i = 0; i < text->length; i++)
        lines += text->bytes[i] == '\n';
    return lines;
}

static void show(const char *spec, const char *format, size_t count, size_t lines, bt_buffer *out)
{
    bt_arena arena = {0};
    const char **texts = bt_arena_array(&arena, count, sizeof *texts);
    assert_non_null(texts);
    for (size_t i = 0; i < count; i++)
        texts[i] = bt_arena_print(&arena, format, (int)i);
    bt_column_profile profile = profile_of("x", texts, count, &arena);
    bt_domain domain = *profile.domain;
    const bt_hierarchy_source source = {.spec = spec};
    uint32_t *codes = bt_arena_array(&arena, domain.size, sizeof *codes);
    bt_hierarchy *built;
    assert_ok(bt_hierarchy_build(&source, "x", &domain, codes, &arena, &built, &error), &error);
    assert_ok(bt_tree_text(built, lines, out, &error), &error);
    assert_ok(bt_buffer_add(out, "", 1, &error), &error);
    bt_arena_release(&arena);
}

static void a_tree_is_shown_in_few_lines(void **state)
{
    (void)state;
    bt_buffer text = {0};
    show("intervals:2", "%d", 4, 40, &text);
    assert_string_equal(text.bytes, "*  (4 values)\n  0-1  (2 values)\n    0\n    1\n"
                                    "  2-3  (2 values)\n    2\n    3\n");
    text.length = 0;
    show("flat", "%d", 1000, 40, &text);
    assert_true(lines_of(&text) <= 40);
    assert_non_null(strstr(text.bytes, "... 976 more\n"));
    for (size_t lines = 1; lines < 30; lines++) {
        text.length = 0;
        show("balanced:3", "%d", 500, lines, &text);
        assert_true(lines_of(&text) <= lines);
        assert_non_null(strstr(text.bytes, lines == 1 ? "more below" : "more"));
    }
    text.length = 0;
    show("flat", "a\nb%d", 2, 40, &text);
    assert_int_equal(lines_of(&text), 3);
    bt_buffer_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_that_single_out_are_those_of_brute_force),
        cmocka_unit_test(the_search_stops_at_its_budget_and_says_so),
        cmocka_unit_test(no_rows_and_no_columns_single_nobody_out),
        cmocka_unit_test(risk_and_partitions_agree_with_brute_force),
        cmocka_unit_test(columns_that_follow_from_another_are_found),
        cmocka_unit_test(names_say_what_columns_are),
        cmocka_unit_test(names_are_understood_in_many_languages),
        cmocka_unit_test(letters_lose_their_marks),
        cmocka_unit_test(persons_are_understood_in_many_languages),
        cmocka_unit_test(numbers_of_values_tell_persons),
        cmocka_unit_test(parts_of_other_words_say_nothing),
        cmocka_unit_test(codes_for_missing_values_stand_apart),
        cmocka_unit_test(hierarchies_fit_the_values),
        cmocka_unit_test(numbers_at_the_border_give_no_impossible_intervals),
        cmocka_unit_test(few_records_make_no_widths),
        cmocka_unit_test(values_are_known_by_their_looks),
        cmocka_unit_test(decimal_commas_and_missing_tokens_are_noticed),
        cmocka_unit_test(any_text_is_read_back_as_it_was),
        cmocka_unit_test(long_keys_and_long_comments_are_read_back),
        cmocka_unit_test(a_tree_is_shown_in_few_lines),
    };
    return cmocka_run_group_tests(tests, open_run, close_run);
}

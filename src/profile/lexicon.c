/* SPDX-License-Identifier: Apache-2.0
 *
 * The words, and finding them in a name.
 *
 * A word of the list is compared with every word of the name and with every two neighbours put
 * together ("zip code", "e-mail"). A star stands for any beginning or end of a word. Letters
 * outside ASCII must agree as they are, so names with accents are listed in small letters.
 */
#include "profile/lexicon.h"

#include <string.h>

enum { MOST_WORDS = 24, WORD_ROOM = 48 };

enum { CODED = 0x100 }; /* whole numbers in such a column are codes */

typedef struct topic {
    unsigned hint; /* a bt_hint, with CODED or without */
    const char *what;
    const char *words;
} topic;

static const char postcode[] = "a postcode", person[] = "a number given to one person",
                  person_name[] = "the name of a person";

static const topic topics[] = {
    {BT_HINT_IDENTIFIER, person_name,
     "firstname lastname surname forename fname lname fullname givenname familyname maidenname "
     "middlename nickname username patientname personname customername clientname employeename "
     "studentname membername contactname doctorname physicianname mothername fathername "
     "spousename parentname guardianname vorname nachname familienname prenom prénom nombres "
     "apellido apellidos birthname cognome achternaam voornaam fornavn efternavn initials "
     "signature"},
    {BT_HINT_IDENTIFIER, "an e-mail address", "email mail emailaddress courriel correo"},
    {BT_HINT_IDENTIFIER, "a telephone number",
     "phone telephone tel mobile cellphone phonenumber fax telefon* téléphone teléfono handy"},
    {BT_HINT_IDENTIFIER, "a street address",
     "address addr street streetname housenumber houseno strasse straße anschrift adresse "
     "direccion dirección indirizzo rue"},
    {BT_HINT_IDENTIFIER, person,
     "patientid patientnbr patientnr patientnumber personid personnr subjectid participantid "
     "respondentid memberid customerid clientid studentid employeeid caseid recordid "
     "encounterid casenumber ssn socialsecurity nin nino cpr pesel bsn ahv svnr dni nif curp "
     "aadhaar passport mrn medicalrecord nhsnumber taxid steuerid driverlicense driverslicense "
     "licenseplate licenceplate plate vin"},
    {BT_HINT_IDENTIFIER, "an account or a card",
     "iban account accountnumber accountid bankaccount card cardnumber creditcard konto "
     "kontonummer insurancenumber policynumber"},
    {BT_HINT_IDENTIFIER, "a login", "login loginname password passwd userid"},
    {BT_HINT_IDENTIFIER, "an address on a network",
     "ip ipaddress ipaddr mac macaddress imei deviceid url website homepage handle"},

    {BT_HINT_PLAIN, "an age", "age ages ageyears alter edad âge età leeftijd alder"},
    {BT_HINT_PLAIN, "when or where a person was born",
     "birth* dob born yob geburt* nacimiento naissance nascita geboorte*"},
    {BT_HINT_PLAIN | CODED, "the sex of a person",
     "sex gender geschlecht sexo sexe sesso género geslacht køn"},
    {BT_HINT_PLAIN | CODED, postcode,
     "zip zipcode zipcodes zip3 zip5 postcode postalcode postal plz postleitzahl codepostal "
     "codigopostal postnummer"},
    {BT_HINT_PLAIN | CODED, "race or origin",
     "race races ethnic* hispanic latino ancestry ethnie raza tribe caste"},

    {BT_HINT_SENSITIVE, "health",
     "disease* diagnos* diag dx icd icd9 icd10 illness* sickness symptom* condition conditions "
     "hiv aids cancer tumor tumour diabet* stroke asthma treatment* therap* drug drugs "
     "medication* medicine* meds prescription* procedure procedures surgery surgical operation "
     "lab labs laboratory serum glucose insulin cholesterol blood bmi massindex systolic "
     "diastolic pregnan* abortion disab* disabled mental psych* depress* suicid* genetic* "
     "genotype gene mutation vaccin* inpatient outpatient emergency readmi* relapse mortality "
     "death died deceased survival outcome krankheit krankheiten diagnose befund maladie "
     "enfermedad malattia allerg* smok* alcohol addict*"},
    {BT_HINT_SENSITIVE, "money",
     "income* salary salaries wage wages earning* pay payment* payments revenue capital gain "
     "gains loss losses dividend* tax taxes debt* loan loans credit creditscore balance wealth "
     "asset* savings pension benefit benefits bonus amount price spending expense* "
     "expenditure* cost costs gehalt einkommen lohn salaire revenu ingreso ingresos salario "
     "sueldo reddito"},
    {BT_HINT_SENSITIVE, "belief or politics",
     "religion religious faith church belief* politic* party vote votes voted union konfession "
     "religión"},
    {BT_HINT_SENSITIVE, "private life",
     "sexual* orientation crime* criminal convict* offence* offense* arrest* prison sentence "
     "verdict victim violence abuse"},
    {BT_HINT_SENSITIVE, "a test or an assessment",
     "score scores grade grades gpa mark marks rating ratings evaluation performance *result "
     "results test tests exam exams iq satisfaction opinion answer answers punkte"},

    {BT_HINT_LEAVE_OUT, "free text",
     "note notes comment comments remark remarks description freetext text memo message "
     "narrative bemerkung bemerkungen kommentar commentaire observaciones"},
    {BT_HINT_LEAVE_OUT, "a row number", "row rownumber rownum rowid index unnamed lfdnr"},
    {BT_HINT_LEAVE_OUT, "a sampling weight",
     "fnlwgt wgt pweight pwgt pwgtp perwt hhwt sampleweight samplingweight surveyweight "
     "instanceweight"},

    {BT_HINT_KNOWN | CODED, "a place",
     "region* city cities town village municipal* county counties district state states "
     "province* country countries place location locality neighborhood neighbourhood area "
     "borough parish canton kanton land bundesland stadt ort gemeinde kreis pays ville pais "
     "país ciudad comune provincia departement latitude longitude lat lon lng geo* coordinates "
     "residence residential puma tract fips nuts urban rural"},
    {BT_HINT_KNOWN | CODED, "nationality or citizenship",
     "national* citizen* native nativity immigra* migra* foreign* staatsangeh* nationalité "
     "nacionalidad visa"},
    {BT_HINT_KNOWN | CODED, "marital status",
     "marital maritalstatus marriage married spouse familienstand civil divorc* widow*"},
    {BT_HINT_KNOWN, "education",
     "education* educ school schooling degree diploma university college bildung studies study "
     "major qualification ausbildung"},
    {BT_HINT_KNOWN, "work",
     "occupation* job jobs jobtitle profession* employ* work worker workclass working industry "
     "sector company department dept position title rank beruf arbeit metier travail ocupacion "
     "ocupación trabajo hired hiredate tenure military veteran army retired"},
    {BT_HINT_KNOWN, "family or household",
     "family household* relationship relation kids child children sons daughters parent* "
     "mother father sibling* dependents dependants hh haushalt kinder familie famille familia"},
    {BT_HINT_KNOWN | CODED, "language", "language* english mothertongue sprache langue idioma"},
    {BT_HINT_KNOWN, "how a person looks",
     "height weight eye eyes eyecolor hair haircolor stature größe groesse gewicht taille "
     "poids talla peso"},
    {BT_HINT_KNOWN, "a contact with an institution",
     "admission* admit* admitted discharge* hospital* clinic ward physician doctor specialty "
     "speciality insurance insurer payer payor provider visit visits enrol* event"},
    {BT_HINT_KNOWN, "possessions", "car cars vehicle* house housing home homeowner rent rooms"},
    {BT_HINT_KNOWN, "a date or a year", "date day month year years datum fecha jahr monat"},

    {BT_HINT_NAME, "a name", "name names nom nombre nome naam navn"},
    {BT_HINT_KEY | CODED, "a number for someone or something",
     "id ids identifier identification uuid guid nbr nr key pid uid kennung kennzeichen nummer"},
    {BT_HINT_CODE | CODED, "a kind of something",
     "code codes type types category categories cat kind"},
};

/* ---- words of a name --------------------------------------------------------------------- */

typedef struct words {
    char text[MOST_WORDS][WORD_ROOM];
    size_t count;
} words;

static bool is_lower(char c)
{
    return (c >= 'a' && c <= 'z') || (unsigned char)c >= 0x80;
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether a new word begins at p[0], which is not the first byte of the name. */
static bool begins_word(const char *p)
{
    char before = p[-1];
    if (is_digit(*p) != is_digit(before)) return true;
    if (is_upper(*p)) return is_lower(before) || (is_upper(before) && is_lower(p[1]));
    return false;
}

static void take_apart(const char *name, words *out)
{
    size_t length = 0;
    out->count = 0;
    for (const char *p = name; *p && out->count < MOST_WORDS; p++) {
        bool part = is_lower(*p) || is_upper(*p) || is_digit(*p);
        bool ends = length > 0 && (!part || begins_word(p));
        if (ends) {
            out->text[out->count++][length] = '\0';
            length = 0;
        }
        if (part && out->count < MOST_WORDS && length + 1 < WORD_ROOM)
            out->text[out->count][length++] = is_upper(*p) ? (char)(*p | 0x20) : *p;
    }
    if (length > 0) out->text[out->count++][length] = '\0';
}

/* ---- finding ----------------------------------------------------------------------------- */

static bool matches(const char *pattern, size_t length, const char *word, size_t word_length)
{
    bool any_begin = length > 0 && pattern[0] == '*', any_end = pattern[length - 1] == '*';
    pattern += any_begin;
    length -= (size_t)any_begin + (size_t)any_end;
    if (word_length < length) return false;
    if (any_end && strncmp(word, pattern, length) == 0) return true;
    if (any_begin && strncmp(word + word_length - length, pattern, length) == 0) return true;
    return word_length == length && strncmp(word, pattern, length) == 0;
}

static bool has_word(const topic *about, const char *word)
{
    size_t word_length = strlen(word);
    for (const char *p = about->words; *p;) {
        size_t length = strcspn(p, " ");
        if (matches(p, length, word, word_length)) return true;
        p += length + (p[length] == ' ');
    }
    return false;
}

/* The words themselves, and neighbours put together. */
static bool name_has(const topic *about, const words *name)
{
    for (size_t i = 0; i < name->count; i++) {
        if (has_word(about, name->text[i])) return true;
        if (i + 1 == name->count) continue;
        char both[2 * WORD_ROOM];
        size_t length = strlen(name->text[i]);
        memcpy(both, name->text[i], length);
        memcpy(both + length, name->text[i + 1], strlen(name->text[i + 1]) + 1);
        if (has_word(about, both)) return true;
    }
    return false;
}

bt_meaning bt_lexicon_look_up(const char *name)
{
    words apart;
    bt_meaning found = {.hint = BT_HINT_NONE};
    take_apart(name, &apart);
    for (size_t i = 0; i < sizeof topics / sizeof *topics; i++) {
        const topic *about = &topics[i];
        if (!name_has(about, &apart)) continue;
        bt_hint hint = (bt_hint)(about->hint & ~(unsigned)CODED);
        found.key = found.key || hint == BT_HINT_KEY;
        found.nominal = found.nominal || (about->hint & CODED);
        if (found.hint != BT_HINT_NONE && found.hint <= hint) continue;
        found.hint = hint;
        found.what = about->what;
        found.person = about->what == person;
        found.name = about->what == person_name;
        found.postcode = about->what == postcode;
    }
    return found;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * The words, and finding them in a name.
 *
 * A word of the list is compared with every word of the name and with every two neighbours put
 * together ("zip code", "e-mail"), articles and prepositions left out ("date de naissance"). A star
 * stands for any beginning or end of a word. Letters lose their marks first, so words are listed
 * without: "größe" is "grosse", and "groesse" a word of its own.
 */
#include "profile/lexicon.h"

#include <string.h>

enum { MOST_WORDS = 24, WORD_ROOM = 48, NAME_ROOM = 512 };

enum {
    CODED = 0x100, /* whole numbers in such a column are codes */
    MEASURED =
        0x200,     /* numbers in it are quantities, whatever else the name says: age at diagnosis */
    WHOLE = 0x400, /* the word is the whole name: "patient", not "patient type" */
    FLAGS = CODED | MEASURED | WHOLE,
};

typedef struct topic {
    unsigned hint; /* a bt_hint, with flags or without */
    const char *what;
    const char *words;
} topic;

static const char postcode[] = "a postcode", person[] = "a number given to one person",
                  person_name[] = "the name of a person";

/* One line or more for each language: English, German, French, Spanish, Italian, Portuguese, Dutch,
 * Polish, then Swedish, Danish and Norwegian. */
static const topic topics[] = {
    {BT_HINT_IDENTIFIER, person_name,
     "firstname lastname surname forename fname lname fullname givenname familyname maidenname "
     "middlename nickname username patientname personname customername clientname employeename "
     "studentname membername contactname doctorname physicianname mothername fathername "
     "spousename parentname guardianname birthname initials signature "
     "vorname vornamen nachname familienname geburtsname rufname personenname patientenname "
     "prenom prenoms nomfamille nomnaissance nomusage nompatient nomprenom patronyme "
     "nombres apellido apellidos nombrecompleto nombrepaciente "
     "cognome cognomi nominativo nomecognome nomepaziente "
     "sobrenome apelido nomecompleto nomepaciente nomemae "
     "voornaam voornamen achternaam familienaam roepnaam voorletters "
     "imie imiona nazwisko nazwiska "
     "fornamn efternamn fornavn efternavn etternavn mellomnavn "
     "jmeno prijmeni фамилия Фамилия имя Имя отчество Отчество"},
    {BT_HINT_IDENTIFIER | WHOLE, person_name, "nom noms nombre nome nomes naam navn namn"},
    {BT_HINT_IDENTIFIER, "an e-mail address",
     "email mail emailaddress mailadresse emailadresse courriel correo correoelectronico epost "
     "epostadress epostadresse"},
    {BT_HINT_IDENTIFIER, "a telephone number",
     "phone telephone tel mobile cellphone phonenumber fax telefon* handy handynummer "
     "rufnummer mobil mobilnummer mobilnr movil celular cellulare telemovel gsm telefoon* "
     "komorka"},
    {BT_HINT_IDENTIFIER, "a street address",
     "address addr street streetname housenumber houseno "
     "strasse anschrift wohnanschrift hausnummer hausnr "
     "adresse rue "
     "direccion calle domicilio "
     "indirizzo numerocivico "
     "endereco morada logradouro "
     "adres straat straatnaam huisnummer "
     "ulica numerdomu "
     "adress gata gatuadress gade vejnavn husnummer gateadresse"},
    {BT_HINT_IDENTIFIER, person,
     "patientid patientnbr patientnr patientnumber personid personnr subjectid participantid "
     "respondentid memberid customerid clientid studentid employeeid caseid recordid "
     "encounterid casenumber ssn socialsecurity nin nino passport mrn medicalrecord nhsnumber "
     "taxid driverlicense driverslicense licenseplate licenceplate plate vin aadhaar "
     "patientennummer patientennr patientenid patnr fallnummer fallnr fallid personalnummer "
     "personalnr versichertennummer matrikelnummer mitgliedsnummer kundennummer kundennr "
     "sozialversicherungsnummer svnr ahv steuerid steuernummer ausweisnummer reisepass "
     "passnummer kennzeichenkfz "
     "numeropatient numpatient nir numsecu numerosecu securitesociale matricule numeroclient "
     "numclient "
     "dni nif curp cedula historiaclinica seguridadsocial numeropaciente numerocliente "
     "pasaporte "
     "codicefiscale codicepaziente tesserasanitaria matricola "
     "cpf utente numeroutente prontuario cartaocidadao "
     "bsn burgerservicenummer rijksregisternummer patientnummer clientnummer klantnummer "
     "personeelsnummer "
     "pesel nip numerpacjenta nrpacjenta numerklienta "
     "personnummer cpr cprnummer cprnr fodselsnummer fodselsnr kundnummer kundenummer "
     "journalnummer"},
    {BT_HINT_IDENTIFIER, "an account or a card",
     "iban account accountnumber accountid bankaccount card cardnumber creditcard "
     "insurancenumber policynumber konto kontonummer kontonr kreditkarte kartennummer "
     "versicherungsnummer numerocompte numerocuenta numeroconta contobancario rekening "
     "rekeningnummer"},
    {BT_HINT_IDENTIFIER, "a login",
     "login loginname password passwd userid benutzername passwort kennwort utilisateur "
     "usuario"},
    {BT_HINT_IDENTIFIER, "an address on a network",
     "ip ipaddress ipaddr mac macaddress imei deviceid url website homepage handle"},
    {BT_HINT_PLAIN | MEASURED, "an age",
     "age ages ageyears agegroup ageclass ageband agerange "
     "alter lebensalter altersgruppe altersklasse "
     "trancheage classeage "
     "edad grupoedad "
     "eta fasciaeta "
     "idade faixaetaria etaria "
     "leeftijd leeftijdsklasse leeftijdsgroep "
     "wiek wiekowa "
     "alder aldersgrupp aldersgruppe aldersklasse"},
    {BT_HINT_PLAIN, "when or where a person was born",
     "birth* dob born yob "
     "geburt* geboren gebdat gebdatum gebjahr "
     "naissance naiss datenaiss "
     "nacimiento nacido fechanac "
     "nascita nato "
     "nascimento nasc dtnasc "
     "geboorte* "
     "urodz* "
     "fodelse* fodd foedelse* fodsel* foedsel* fodt foedt"},
    {BT_HINT_PLAIN | CODED, "the sex of a person",
     "sex gender geschlecht anrede sexe genre civilite sexo genero sesso genere geslacht plec "
     "kon koen kjonn kjoenn"},
    {BT_HINT_PLAIN | CODED, postcode,
     "zip zipcode zipcodes zip3 zip5 postcode postalcode postal plz postleitzahl codepostal "
     "codigopostal codpostal codicepostale cep kodpocztowy postnummer postnr"},
    {BT_HINT_PLAIN | CODED | WHOLE, postcode, "cap"},
    {BT_HINT_PLAIN | CODED, "race or origin",
     "race races ethnic* hispanic latino ancestry tribe caste rasse hautfarbe herkunft ethnie "
     "origine raza etnia raca etnische etnicitet pochodzenie"},
    {BT_HINT_SENSITIVE | CODED, "a diagnosis",
     "diagnos* diag dx icd icd9 icd10 icd11 cie10 cim10 cid10 hauptdiagnose nebendiagnose "
     "rozpoznanie"},
    {BT_HINT_SENSITIVE, "health",
     "disease* illness* sickness symptom* condition conditions hiv aids cancer tumor tumour "
     "diabet* stroke asthma treatment* therap* drug drugs medication* medicine* meds "
     "prescription* procedure procedures surgery surgical operation lab labs laboratory serum "
     "glucose insulin cholesterol blood bmi massindex systolic diastolic pregnan* abortion "
     "disab* disabled mental psych* depress* suicid* genetic* genotype gene mutation vaccin* "
     "inpatient outpatient emergency readmi* relapse mortality death died deceased dod "
     "survival outcome allerg* smok* alcohol addict* health "
     "krankheit* erkrankung* vorerkrankung* befund befunde medikament* medikation arznei* "
     "behandlung* blutdruck blutzucker blutgruppe schwanger* behinder* rauch* alkohol sucht "
     "tod todes* gestorben verstorben pflegegrad impf* krebs gesundheit* "
     "maladie* pathologie* traitement* medicament* ordonnance* chirurgie* grossesse handicap* "
     "tabac tabagisme fumeur alcool* deces sante antecedent* "
     "enfermedad* patologia* tratamiento* medicacion cirugia* embarazo* discapacidad tabaco "
     "fumador* fallecid* defuncion salud vacuna* alergia* sintoma* "
     "malattia malattie terapia* farmaco farmaci trattamento* gravidanza disabilita fumo "
     "fumatore decesso morte salute "
     "doenca* tratamento* cirurgia* gravidez deficiencia fumante obito saude vacina* "
     "ziekte* aandoening* behandeling* medicatie medicijn* operatie zwanger* rook* roken "
     "overleden overlijden gezondheid "
     "choroba choroby leczenie lek leki operacja ciaza niepelnosprawn* palenie zgon zdrowie "
     "szczepien* "
     "sjukdom* sygdom* sykdom* behandling* medicin* medisin* lakemedel* laegemiddel* "
     "legemiddel* gravid* dodsfall dodsdato dodsorsak dodsarsag rokning rygning royking halsa "
     "helbred helse"},
    {BT_HINT_SENSITIVE, "money",
     "income* salary salaries wage wages earning* pay payment* payments revenue capital gain "
     "gains loss losses dividend* tax taxes debt* loan loans credit creditscore balance wealth "
     "asset* savings pension benefit benefits bonus amount price spending expense* "
     "expenditure* cost costs "
     "gehalt gehaelter einkommen lohn verdienst bruttolohn nettolohn vermogen vermoegen "
     "schulden kredit rente kosten betrag umsatz steuer* "
     "salaire* revenu revenus impot* dette* montant loyer patrimoine "
     "salario* sueldo* ingreso ingresos renta deuda* prestamo* importe nomina patrimonio "
     "reddito redditi stipendio debito mutuo importo pensione imposta "
     "rendimento rendimentos renda divida* emprestimo* despesa* vencimento "
     "salaris* loon inkomen* schuld* lening* pensioen bedrag belasting* "
     "dochod* pensja placa wynagrodzenie zarobki dlug kredyt emerytura kwota podatek "
     "inkomst* indkomst* inntekt* lonn loen manadslon arslon gald gaeld gjeld belopp belob "
     "belop formue formogenhet skatt skat"},
    {BT_HINT_SENSITIVE, "belief or politics",
     "religi* faith church belief* politic* party vote votes voted union "
     "konfession glaube partei politik* gewerkschaft politique parti syndicat partido "
     "sindicato partito geloof partij vakbond wyznanie trosretning"},
    {BT_HINT_SENSITIVE, "private life",
     "sexual* orientation crime* criminal convict* offence* offense* arrest* prison sentence "
     "verdict victim violence abuse vorstrafe* straftat* delit* delito* condamnation condena "
     "reato reati crimen przestepstwo"},
    {BT_HINT_SENSITIVE, "a test or an assessment",
     "score scores grade grades gpa mark marks rating ratings evaluation performance *result "
     "results test tests exam exams iq satisfaction opinion answer answers punkte punktzahl "
     "bewertung ergebnis schulnote* resultat* resultado* risultato risultati cijfer ocena "
     "wynik betyg"},
    {BT_HINT_LEAVE_OUT, "free text",
     "note notes comment comments remark remarks description freetext text memo message "
     "narrative bemerkung* anmerkung* kommentar* notiz* freitext commentaire* remarque* "
     "observacion* comentario* nota notas osservazioni commento commenti observacoes "
     "opmerking* toelichting uwagi anteckning* bemerkning* bemaerkning* merknad*"},
    {BT_HINT_LEAVE_OUT, "a row number", "row rownumber rownum rowid index unnamed lfdnr"},
    {BT_HINT_LEAVE_OUT, "a sampling weight",
     "fnlwgt wgt pweight pwgt pwgtp perwt hhwt sampleweight samplingweight surveyweight "
     "instanceweight gewichtung gewichtungsfaktor hochrechnungsfaktor ponderation ponderacion"},
    {BT_HINT_KNOWN | CODED, "marital status",
     "marital maritalstatus marriage married spouse divorc* widow* familienstand zivilstand "
     "civil* cywilny burgerlijke sivilstand"},
    {BT_HINT_KNOWN | CODED, "a place",
     "region* city cities town village municipal* county counties district state states "
     "province* country countries place location locality neighborhood neighbourhood area "
     "borough parish latitude longitude lat lon lng geo* coordinates residence residential "
     "puma tract fips nuts urban rural "
     "stadt ort wohnort ortsteil gemeinde* landkreis kreis bezirk kanton land bundesland staat "
     "ags "
     "ville commune departement pays arrondissement quartier canton insee "
     "ciudad municipio provincia comunidad pais localidad barrio distrito "
     "citta comune regione paese quartiere localita "
     "cidade freguesia concelho bairro estado "
     "stad gemeente provincie plaats woonplaats wijk buurt "
     "miasto gmina powiat wojewodztwo kraj miejscowosc dzielnica "
     "kommun kommune kommunekode fylke sogn postort poststed"},
    {BT_HINT_KNOWN | CODED, "nationality or citizenship",
     "national* citizen* native nativity immigra* migra* foreign* visa staatsangeh* "
     "staatsburg* staatsbuerg* nacionalidad* ciudadania nazionalita cittadinanza nacionalidade "
     "obywatel* narodowosc medborgar* statsborger*"},
    {BT_HINT_KNOWN, "education",
     "education* educ school schooling degree diploma university college studies study major "
     "qualification bildung* ausbildung schulabschluss abschluss studium etudes diplome "
     "scolarite educacion estudios escolaridad istruzione titolostudio educacao escolaridade "
     "opleiding* onderwijs wyksztalcenie szkola utbildning* uddannelse* utdanning*"},
    {BT_HINT_KNOWN, "work",
     "occupation* job jobs jobtitle profession* employ* work worker workclass working industry "
     "sector company department dept position title rank hired hiredate tenure military "
     "veteran army retired "
     "beruf* arbeit* tatigkeit taetigkeit branche "
     "metier emploi travail csp secteur "
     "ocupacion profesion trabajo empleo puesto empresa "
     "professione lavoro occupazione settore "
     "profissao ocupacao trabalho emprego "
     "beroep* werk functie "
     "zawod praca stanowisko branza "
     "yrke* arbete erhverv stilling"},
    {BT_HINT_KNOWN | CODED, "a class of occupations or industries",
     "isco isco08 kldb nace naf sic naics soc rome ateco cnae pkd sni db07"},
    {BT_HINT_KNOWN, "family or household",
     "family household* relationship relation kids child children sons daughters parent* "
     "mother father sibling* dependents dependants hh haushalt* kinder kinderzahl familie* "
     "famille menage enfants nbenfants hogar hijos familia famiglia figli agregado filhos "
     "huishouden gezin kinderen dzieci rodzina gospodarstwo hushall* hushold* husstand barn "
     "familj"},
    {BT_HINT_KNOWN | CODED, "language",
     "language* english mothertongue sprache muttersprache langue idioma lengua lingua taal "
     "moedertaal jezyk sprak sprog modersmal morsmal"},
    {BT_HINT_KNOWN, "how a person looks",
     "height weight eye eyes eyecolor hair haircolor stature grosse groesse korpergrosse "
     "koerpergroesse gewicht augenfarbe haarfarbe taille poids talla peso estatura altezza "
     "altura lengte wzrost waga langd laengde hojde hoyde vikt vaegt vekt"},
    {BT_HINT_KNOWN, "a contact with an institution",
     "admission* admit* admitted discharge* hospital* clinic ward physician doctor specialty "
     "speciality insurance insurer payer payor provider visit visits enrol* event "
     "aufnahme* entlassung* krankenhaus klinik* station arzt hausarzt krankenkasse "
     "versicherung* besuch* besuche "
     "sortie hopital medecin assurance mutuelle visite visites "
     "medico seguro visita "
     "ricovero dimissione ospedale reparto assicurazione "
     "internamento "
     "opname ontslag ziekenhuis afdeling arts verzekering "
     "przyjecie wypis szpital oddzial lekarz ubezpieczenie "
     "inskrivning utskrivning sjukhus avdelning sygehus indlaeggelse udskrivning innleggelse "
     "sykehus"},
    {BT_HINT_KNOWN, "possessions",
     "car cars vehicle* house housing home homeowner rent rooms auto wohnung haus miete "
     "voiture logement vivienda coche casa woning mieszkanie samochod bostad bolig bil"},
    {BT_HINT_KNOWN | MEASURED, "a date or a year",
     "date day month year years datum jahr monat annee mois jour fecha ano mes dia anno mese "
     "giorno jaar maand dag rok miesiac dzien dato maned aar"},
    {BT_HINT_NAME, "a name", "name names nom nombre nome naam navn namn"},
    {BT_HINT_KEY | CODED, "a number for someone or something",
     "id ids identifier identification uuid guid nbr nr key pid uid kennung kennzeichen nummer"},
    {BT_HINT_CODE | CODED, "a kind of something",
     "code codes type types category categories cat kind kode kod codigo codice typ tipo "
     "kategorie kategoria categoria categorie schlussel schluessel kennziffer"},
    {BT_HINT_NONE | MEASURED, NULL,
     "number num count counts days months hours total anzahl duration dauer antal aantal "
     "liczba"},
};

/* Someone of whom a table may have several records. Alone, the values tell whether the column names
 * them; beside a word for a number it is a number given to one person. */
static const topic someone = {
    BT_HINT_PERSON | WHOLE, "a person",
    "patient person subject participant customer user client member respondent student pupil case "
    "insured policyholder beneficiary subscriber individual employee donor applicant resident "
    "patientin kunde kundin klient klientin mitglied versicherte versicherter schuler schueler "
    "schulerin schuelerin studentin proband probandin teilnehmer teilnehmerin nutzer benutzer "
    "befragter mitarbeiter bewohner fall "
    "patiente personne cliente assure assuree adherent beneficiaire individu sujet repondant "
    "etudiant eleve salarie abonne "
    "paciente persona miembro asegurado encuestado estudiante alumno sujeto individuo afiliado "
    "paziente socio assicurato intervistato studente soggetto "
    "pessoa membro segurado aluno estudante sujeito respondente "
    "persoon klant verzekerde deelnemer "
    "pacjent pacjentka osoba klientka ubezpieczony uczestnik uczen czlonek "
    "kund pasient medlem deltagare deltager deltaker elev"};

/* "num person" counts persons, "person num" is a number of one. */
static const topic number_before = {BT_HINT_KEY, NULL, "id no nr nummer numero numer"},
                   number_after = {BT_HINT_KEY, NULL,
                                   "id ids identifier uuid guid uid no nr nbr num number key hash "
                                   "pseudonym nummer numero numer"};

/* ---- letters ----------------------------------------------------------------------------- */

/* U+00C0 to U+017F without their marks; a digit stands for two letters. */
static const char plain_letters[] =
    "AAAAAA1CEEEEIIIIDNOOOOO_OUUUUYT3aaaaaa2ceeeeiiiidnooooo_ouuuuyty"
    "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlL"
    "lLlNnNnNnnNnOoOoOo45RrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";
static const char *const pairs[] = {"AE", "ae", "ss", "OE", "oe"};

/* Copies a name without marks on its letters, as far as there is room. */
static void fold(const char *name, char *out, size_t room)
{
    size_t used = 0;
    for (const unsigned char *p = (const unsigned char *)name; *p && used + 3 < room; p++) {
        unsigned code = (p[0] & 0x1Fu) << 6 | (p[1] & 0x3Fu);
        bool two = (p[0] & 0xE0) == 0xC0 && (p[1] & 0xC0) == 0x80;
        bool letter = two && code >= 0xC0 && code < 0x180,
             mark = two && code >= 0x300 && code < 0x370;
        char plain = letter ? plain_letters[code - 0xC0] : (char)p[0];
        p += letter || mark;
        if (mark) continue;
        if (letter && plain >= '1' && plain <= '5') {
            out[used++] = pairs[plain - '1'][0];
            plain = pairs[plain - '1'][1];
        }
        out[used++] = plain;
    }
    out[used] = '\0';
}

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

static bool says_nothing(const char *word)
{
    static const char *const small[] = {"of",  "the", "de",  "des", "du",    "d",    "l",  "la",
                                        "le",  "les", "di",  "del", "dei",   "do",   "da", "dos",
                                        "van", "der", "den", "het", "della", "dello"};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        if (strcmp(small[i], word) == 0) return true;
    return false;
}

static void end_word(words *out, size_t *length)
{
    out->text[out->count][*length] = '\0';
    if (*length > 0 && !says_nothing(out->text[out->count])) out->count++;
    *length = 0;
}

static void take_apart(const char *name, words *out)
{
    size_t length = 0;
    out->count = 0;
    for (const char *p = name; *p && out->count < MOST_WORDS; p++) {
        bool part = is_lower(*p) || is_upper(*p) || is_digit(*p);
        if (length > 0 && (!part || begins_word(p))) end_word(out, &length);
        if (part && out->count < MOST_WORDS && length + 1 < WORD_ROOM)
            out->text[out->count][length++] = is_upper(*p) ? (char)(*p | 0x20) : *p;
    }
    if (out->count < MOST_WORDS) end_word(out, &length);
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
    if (about->hint & WHOLE) return name->count == 1 && has_word(about, name->text[0]);
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

/* "insured no", "id_paciente" */
static bool numbers_someone(const words *name)
{
    if (name->count != 2) return false;
    const char *first = name->text[0], *second = name->text[1];
    return (has_word(&someone, first) && has_word(&number_after, second)) ||
           (has_word(&number_before, first) && has_word(&someone, second));
}

bt_meaning bt_lexicon_look_up(const char *name)
{
    char folded[NAME_ROOM];
    words apart;
    bt_meaning found = {.hint = BT_HINT_NONE};
    bool measured = false;
    fold(name, folded, sizeof folded);
    take_apart(folded, &apart);
    for (size_t i = 0; i < sizeof topics / sizeof *topics; i++) {
        const topic *about = &topics[i];
        if (!name_has(about, &apart)) continue;
        bt_hint hint = (bt_hint)(about->hint & ~(unsigned)FLAGS);
        found.key = found.key || hint == BT_HINT_KEY;
        found.nominal = found.nominal || (about->hint & CODED);
        measured = measured || (about->hint & MEASURED);
        if (hint == BT_HINT_NONE || (found.hint != BT_HINT_NONE && found.hint <= hint)) continue;
        found.hint = hint;
        found.what = about->what;
        found.person = about->what == person;
        found.name = about->what == person_name;
        found.postcode = about->what == postcode;
    }
    found.whole = apart.count == 1;
    found.nominal = found.nominal && !measured;
    if (numbers_someone(&apart)) {
        found.hint = BT_HINT_IDENTIFIER;
        found.what = person;
        found.person = true;
    } else if (name_has(&someone, &apart)) {
        found.hint = BT_HINT_PERSON;
        found.what = someone.what;
    }
    return found;
}

/* ---- words for a missing value ----------------------------------------------------------- */

static const char *const missing_words[] = {
    "unknown",
    "unknown invalid",
    "not known",
    "not stated",
    "not available",
    "not recorded",
    "not reported",
    "not specified",
    "unspecified",
    "no answer",
    "not answered",
    "refused",
    "prefer not to say",
    "don t know",
    "dont know",
    "missing",
    "no data",
    "undisclosed",
    "unbekannt",
    "keine angabe",
    "keine angaben",
    "k a",
    "ohne angabe",
    "nicht angegeben",
    "nicht bekannt",
    "weiss nicht",
    "inconnu",
    "inconnue",
    "non renseigne",
    "non precise",
    "ne sait pas",
    "nsp",
    "sans reponse",
    "desconocido",
    "desconocida",
    "no consta",
    "no sabe",
    "ns nc",
    "sin datos",
    "no especificado",
    "sconosciuto",
    "sconosciuta",
    "non noto",
    "non disponibile",
    "non dichiarato",
    "non risponde",
    "desconhecido",
    "desconhecida",
    "nao informado",
    "nao sabe",
    "sem informacao",
    "onbekend",
    "niet bekend",
    "geen opgave",
    "niet ingevuld",
    "nieznany",
    "nieznana",
    "nie wiem",
    "brak danych",
    "nie podano",
    "okand",
    "okant",
    "uppgift saknas",
    "ukendt",
    "uoplyst",
    "ukjent",
    "ikke oppgitt",
};

bool bt_lexicon_means_missing(const char *value)
{
    enum { LONGEST = 32 };
    char folded[LONGEST + 4], plain[LONGEST + 4];
    size_t length = 0;
    if (strnlen(value, LONGEST + 1) > LONGEST) return false;
    fold(value, folded, sizeof folded);
    for (const char *p = folded; *p; p++) {
        bool letter = is_lower(*p) || is_upper(*p) || is_digit(*p);
        if (letter)
            plain[length++] = is_upper(*p) ? (char)(*p | 0x20) : *p;
        else if (length > 0 && plain[length - 1] != ' ')
            plain[length++] = ' ';
    }
    length -= length > 0 && plain[length - 1] == ' ';
    plain[length] = '\0';
    for (size_t i = 0; i < sizeof missing_words / sizeof *missing_words; i++)
        if (strcmp(missing_words[i], plain) == 0) return true;
    return false;
}

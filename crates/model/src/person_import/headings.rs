//! What a heading means, in the spellings of common exports and in eight languages: English, German, French, Spanish, Italian, Portuguese,
//! Dutch, Polish.
//!
//! Case, accents, spaces, punctuation and numbers make no difference, nor do words that only say whose or which kind a value is ("Person -
//! Email - Work"). A heading that is not known means nothing: guessing further would put one person's data into another field.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::text;

/// A field of a person that a column can fill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// The whole name.
    Name,
    /// The first name; with the last name it makes the whole.
    FirstName,
    /// The last name.
    LastName,
    /// The e-mail address.
    Email,
    /// The phone number.
    Phone,
    /// The address of the LinkedIn profile.
    Linkedin,
    /// The domain of the company.
    Domain,
}

impl Field {
    /// Every field, in the order of an export.
    pub const ALL: [Field; 7] = [
        Field::Name,
        Field::FirstName,
        Field::LastName,
        Field::Email,
        Field::Phone,
        Field::Linkedin,
        Field::Domain,
    ];

    /// As it is typed and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Field::Name => "name",
            Field::FirstName => "first-name",
            Field::LastName => "last-name",
            Field::Email => "email",
            Field::Phone => "phone",
            Field::Linkedin => "linkedin",
            Field::Domain => "domain",
        }
    }

    /// Whether a person can be told by it.
    pub fn is_identifier(self) -> bool {
        matches!(self, Field::Email | Field::Phone | Field::Linkedin)
    }
}

/// What a heading means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// This field.
    Is(Field),
    /// The first name beside a column of last names, else the whole name: `Nombre`.
    FirstOrWhole,
    /// The last name beside a column of first names, else the whole name: `Nom`.
    LastOrWhole,
    /// The same, but only beside a heading for first names of the same language: `Name` beside `Vorname`.
    LastBesideItsOwn,
}

/// What the headings are called, as people write them, with commas between them.
const HEADINGS: &[(Meaning, &str)] = &[
    (Meaning::LastBesideItsOwn, "name, naam"),
    (Meaning::FirstOrWhole, "nombre, nome"),
    (Meaning::LastOrWhole, "nom"),
    (
        Meaning::Is(Field::Name),
        "full name, person name, contact name, display name, vollständiger name, kontaktname, \
         vor- und nachname, ansprechpartner, nom complet, nom et prénom, prénom et nom, nom du contact, \
         nombre completo, nombre y apellido, nombre y apellidos, nombre del contacto, nome completo, \
         nome e cognome, cognome e nome, nominativo, nome do contato, nome do contacto, volledige naam, \
         contactnaam, contactpersoon, imię i nazwisko, nazwisko i imię, nazwa kontaktu",
    ),
    (
        Meaning::Is(Field::FirstName),
        "first name, given name, forename, vorname, prénom, nombre de pila, primer nombre, nome di battesimo, \
         primeiro nome, nome próprio, voornaam, imię",
    ),
    (
        Meaning::Is(Field::LastName),
        "last name, surname, family name, nachname, familienname, zuname, nom de famille, apellido, apellidos, \
         cognome, sobrenome, apelido, último nome, achternaam, familienaam, nazwisko",
    ),
    (
        Meaning::Is(Field::Email),
        "e-mail, mail, e-mail address, mail address, email id, company email, e-mail-adresse, mailadresse, \
         adresse e-mail, adresse mail, adresse électronique, courriel, mél, correo, correo electrónico, \
         dirección de correo, dirección de correo electrónico, dirección de e-mail, posta elettronica, \
         indirizzo e-mail, indirizzo mail, indirizzo di posta elettronica, correio eletrónico, \
         endereço de e-mail, e-mailadres, mailadres, adres e-mail, poczta elektroniczna, poczta e-mail",
    ),
    (
        Meaning::Is(Field::Phone),
        "phone, phone number, phone no, telephone, telephone number, tel, mobile, mobile phone, mobile number, \
         mobile phone number, cell, cell phone, cell number, telefon, telefonnummer, telefonnr, rufnummer, \
         handy, handynummer, mobil, mobiltelefon, mobilnummer, mobilfunk, mobilfunknummer, mobiltelefonnummer, \
         festnetz, téléphone, numéro de téléphone, téléphone portable, téléphone mobile, téléphone fixe, \
         portable, gsm, teléfono, número de teléfono, teléfono móvil, teléfono celular, móvil, celular, \
         telefono, numero di telefono, cellulare, telefono cellulare, numero di cellulare, telefone, \
         número de telefone, telefone celular, telemóvel, telefoon, telefoonnummer, mobiel, mobiel nummer, \
         mobiele telefoon, mobiele nummer, numer telefonu, telefon komórkowy, komórka, tel kom",
    ),
    (
        Meaning::Is(Field::Linkedin),
        "linkedin, linkedin url, linkedin profile, linkedin profile url, linkedin link, linkedin address, \
         linkedin-profil, linkedin-adresse, profil linkedin, lien linkedin, url linkedin, \
         url du profil linkedin, perfil linkedin, perfil de linkedin, url de linkedin, perfil do linkedin, \
         url do linkedin, profilo linkedin, linkedin-profiel, adres linkedin",
    ),
    (
        Meaning::Is(Field::Domain),
        "domain, domain name, company domain, company domain name, email domain, website, website url, \
         web page, company website, company website url, organization website, organisation website, \
         account website, webseite, website-url, homepage, internetseite, domäne, firmenwebsite, \
         unternehmenswebsite, unternehmensdomain, site web, site internet, domaine, nom de domaine, \
         site web de l'entreprise, sitio web, página web, dominio, dominio de la empresa, \
         sitio web de la empresa, sito web, sito internet, dominio aziendale, sito web aziendale, site, \
         página da web, domínio, site da empresa, domínio da empresa, webadres, domein, domeinnaam, \
         bedrijfswebsite, strona www, strona internetowa, witryna, domena, www",
    ),
];

/// Words in front that say only that the value is a person's, or which of several it is.
const BEFORE: &str = "person, contact, lead, kontakt, kontaktperson, personne, persona, contacto, contatto, pessoa, contato, \
    persoon, osoba, primary, main, work, business, personal, private, home, direct, other";

/// Words at the end that say which of several values it is.
const AFTER: &str = "value, primary, main, work, business, personal, private, home, direct, other, mobile, mobil, geschäftlich, \
    dienstlich, privat, arbeit, büro, travail, professionnel, personnel, bureau, domicile, trabajo, oficina, \
    casa, lavoro, ufficio, personale, trabalho, pessoal, werk, privé, thuis, zakelijk, praca, służbowy, \
    prywatny, domowy";

/// The first names whose languages call a last name `Name`.
const NAME_BESIDE: &[&str] = &["vorname", "voornaam"];

/// The headings by their letters.
static KNOWN: LazyLock<HashMap<String, Meaning>> = LazyLock::new(|| {
    let named =
        HEADINGS.iter().flat_map(|(meaning, names)| names.split(", ").map(|name| (joined(name), *meaning)));
    named.collect()
});

/// The words of [`BEFORE`] and [`AFTER`].
static QUALIFIERS: LazyLock<[Vec<String>; 2]> =
    LazyLock::new(|| [BEFORE, AFTER].map(|words| words.split(", ").map(joined).collect()));

fn joined(heading: &str) -> String {
    words(heading).concat()
}

/// The words of a heading, without case, accents and numbers; `WorkPhone` is two.
fn words(heading: &str) -> Vec<String> {
    let (mut apart, mut was_small) = (String::with_capacity(heading.len() + 4), false);
    for char in heading.chars() {
        if was_small && char.is_uppercase() {
            apart.push(' ');
        }
        was_small = char.is_lowercase();
        apart.push(char);
    }
    let folded = text::fold(&apart);
    let words = folded.split(|char: char| !char.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty() && !word.chars().all(|char| char.is_ascii_digit()));
    words.map(str::to_owned).collect()
}

/// What the heading means, if it is known.
pub fn meaning(heading: &str) -> Option<Meaning> {
    let all = words(heading);
    let [before, after] = &*QUALIFIERS;
    let mut left = &all[..];
    loop {
        let mut end = left;
        loop {
            if let Some(meaning) = KNOWN.get(&end.concat()) {
                return Some(*meaning);
            }
            match end.split_last() {
                Some((last, rest)) if after.contains(last) => end = rest,
                _ => break,
            }
        }
        match left.split_first() {
            Some((first, rest)) if before.contains(first) => left = rest,
            _ => return None,
        }
    }
}

/// What each heading of a file means, seen together.
pub fn fields(headings: &[&str]) -> Vec<Option<Field>> {
    let meanings: Vec<Option<Meaning>> = headings.iter().map(|heading| meaning(heading)).collect();
    let has = |wanted| meanings.contains(&Some(Meaning::Is(wanted)));
    let (has_first, has_last) = (has(Field::FirstName), has(Field::LastName));
    let has_its_own = headings.iter().any(|heading| NAME_BESIDE.contains(&joined(heading).as_str()));
    let field = |meaning: Meaning| match meaning {
        Meaning::Is(field) => field,
        Meaning::FirstOrWhole if has_last && !has_first => Field::FirstName,
        Meaning::LastOrWhole if has_first && !has_last => Field::LastName,
        Meaning::LastBesideItsOwn if has_its_own && !has_last => Field::LastName,
        Meaning::FirstOrWhole | Meaning::LastOrWhole | Meaning::LastBesideItsOwn => Field::Name,
    };
    meanings.into_iter().map(|meaning| meaning.map(field)).collect()
}

#[cfg(test)]
mod tests;

//! Real headings of exports, and that spelling makes no difference.

use proptest::prelude::*;

use super::*;

/// The fields of a file's headings, as they are typed; a minus is none.
fn read(headings: &str) -> String {
    let fields = fields(&headings.split(',').collect::<Vec<_>>());
    fields.iter().map(|field| field.map_or("-", Field::as_str)).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_exports_of_common_programs_are_understood() {
    for (program, headings, expected) in [
        (
            "HubSpot",
            "Record ID,First Name,Last Name,Email,Phone Number,Mobile Phone Number,Contact owner,Lead Status,Company name,Job Title,Website URL,LinkedIn URL,Email Domain,Additional email addresses,Marketing emails clicked",
            "- first-name last-name email phone phone - - - - domain linkedin domain - -",
        ),
        (
            "Salesforce",
            "Salutation,First Name,Last Name,Title,Account Name,Mailing Street,Phone,Fax,Mobile,Email,Account Owner,Lead Source,Email Opt Out,Website",
            "- first-name last-name - - - phone - phone email - - - domain",
        ),
        (
            "Pipedrive",
            "Person - ID,Person - Name,Person - Label,Person - Organization,Person - Email - Work,Person - Email - Home,Person - Phone - Work,Person - Phone - Mobile,Organization - Website,Deal - Title",
            "- name - - email email phone phone domain -",
        ),
        (
            "Google Contacts",
            "Given Name,Family Name,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Organization Name,Website 1 - Value",
            "first-name last-name - email - phone - domain",
        ),
        (
            "Outlook",
            "First Name,Last Name,E-mail Address,E-mail 2 Address,Business Phone,Home Phone,Home Fax,Mobile Phone,Web Page,Company",
            "first-name last-name email email phone phone - phone domain -",
        ),
        (
            "an API",
            "firstName,lastName,WorkPhone,workEmail,linkedInUrl",
            "first-name last-name phone email linkedin",
        ),
        ("our own export", "Name,Email,Phone,LinkedIn,Domain,Plan", "name email phone linkedin domain -"),
    ] {
        assert_eq!(read(headings), expected, "{program}");
    }
}

#[test]
fn eight_languages_are_understood() {
    for (language, headings, expected) in [
        (
            "German",
            "Vorname,Nachname,E-Mail-Adresse,Telefonnummer,Handy,Firma,Webseite",
            "first-name last-name email phone phone - domain",
        ),
        (
            "German",
            "Name,Vorname,E-Mail (geschäftlich),Telefon (mobil),LinkedIn-Profil",
            "last-name first-name email phone linkedin",
        ),
        (
            "French",
            "Nom,Prénom,Adresse e-mail,Téléphone,Site web,Profil LinkedIn",
            "last-name first-name email phone domain linkedin",
        ),
        ("French", "NOM COMPLET,Courriel,Nº de client", "name email -"),
        (
            "Spanish",
            "Nombre,Apellidos,Correo electrónico,Teléfono móvil,Página web,Empresa",
            "first-name last-name email phone domain -",
        ),
        ("Spanish", "Nombre,Correo", "name email"),
        (
            "Italian",
            "Nome,Cognome,Indirizzo e-mail,Cellulare,Sito web,Azienda",
            "first-name last-name email phone domain -",
        ),
        (
            "Portuguese",
            "Nome,Sobrenome,Endereço de e-mail,Telemóvel,Domínio",
            "first-name last-name email phone domain",
        ),
        (
            "Dutch",
            "Voornaam,Achternaam,E-mailadres,Telefoonnummer,Bedrijf,Website",
            "first-name last-name email phone - domain",
        ),
        ("Dutch", "Naam,Voornaam,E-mail", "last-name first-name email"),
        (
            "Polish",
            "Imię,Nazwisko,Adres e-mail,Numer telefonu,Strona WWW",
            "first-name last-name email phone domain",
        ),
        ("Polish", "Imię i nazwisko,E-mail,Telefon komórkowy", "name email phone"),
        ("English", "First Name,Name,Email", "first-name name email"),
    ] {
        assert_eq!(read(headings), expected, "{language}");
    }
}

#[test]
fn what_only_looks_like_a_field_is_none() {
    for heading in [
        "",
        "-",
        "1",
        "Person",
        "Contact",
        "Work",
        "Company LinkedIn URL",
        "Company name",
        "Account name",
        "Owner email",
        "PhoneExtension",
        "Mailing city",
        "Email address status",
        "名前",
    ] {
        assert_eq!(meaning(heading), None, "{heading}");
    }
}

#[test]
fn no_heading_is_listed_under_two_meanings() {
    for (meaning_of, names) in HEADINGS {
        for name in names.split(", ") {
            assert_eq!(meaning(name), Some(*meaning_of), "{name}");
        }
    }
}

proptest! {
    /// However a known heading is spelt, it means the same.
    #[test]
    fn spelling_makes_no_difference(
        group in 0..HEADINGS.len(),
        at in any::<prop::sample::Index>(),
        separator in "[ _.\\-–:/()]{1,3}",
        capitals in prop::collection::vec(any::<bool>(), 40),
        number in prop::option::of(1..9_u8),
        plain in any::<bool>(),
    ) {
        let (expected, names) = HEADINGS[group];
        let names: Vec<&str> = names.split(", ").collect();
        let name = names[at.index(names.len())];
        let spelt: String = name.chars().zip(capitals.iter().cycle())
            .flat_map(|(char, capital)| if *capital { char.to_uppercase().collect::<Vec<_>>() } else { vec![char] })
            .collect();
        let spelt = if plain { text::fold(&spelt) } else { spelt };
        let spelt = spelt.replace(' ', &separator);
        let spelt = number.map_or(spelt.clone(), |number| format!("{spelt} {number}"));
        prop_assert_eq!(meaning(&spelt), Some(expected), "{}", spelt);
    }

    /// Any text has at most a meaning, the same whether it is in quotes or not.
    #[test]
    fn any_heading_is_taken(heading in "\\PC{0,30}") {
        prop_assert_eq!(meaning(&heading), meaning(&format!("\"{heading}\"")));
    }
}

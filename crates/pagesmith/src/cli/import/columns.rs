//! Which column of a file is what, by its heading in any common spelling.
//!
//! Case, spaces and punctuation make no difference. Of several columns for one field the first cell that holds something counts;
//! the others are kept like every column that is none of ours.

use std::collections::BTreeSet;

use pagesmith_model::text;
use pagesmith_operations::person_import::MAX_COLUMNS;

use crate::cli::spreadsheet;
use crate::failure::{Failure, Result};

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Name,
    FirstName,
    LastName,
    Email,
    Phone,
    Linkedin,
    Domain,
    Other,
}

/// The columns of a file.
#[derive(Debug, Clone)]
pub struct Columns {
    /// What each holds.
    pub kinds: Vec<Kind>,
    /// What each is called.
    pub names: Vec<String>,
}

impl Columns {
    /// Reads the first record of a file.
    pub fn read<'a>(headings: impl Iterator<Item = &'a str>) -> Result<Columns> {
        let (mut names, mut kinds) = (Vec::new(), Vec::new());
        for (at, heading) in headings.enumerate() {
            let heading = spreadsheet::unguarded(heading.trim());
            kinds.push(kind(heading));
            let nameless = || format!("Column {}", at + 1);
            names.push(if heading.is_empty() { nameless() } else { heading.to_owned() });
        }
        if !kinds.iter().any(|kind| matches!(kind, Kind::Email | Kind::Phone | Kind::Linkedin)) {
            let found = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
            return Err(Failure::new(format!(
                "the first line must name the columns, and one of them must be Email, Phone or LinkedIn; it has {found}"
            )));
        }
        if names.len() > MAX_COLUMNS {
            return Err(Failure::new(format!("more than {MAX_COLUMNS} columns")));
        }
        let mut seen = BTreeSet::new();
        for (name, kind) in names.iter().zip(&kinds) {
            if *kind == Kind::Other && !seen.insert(name) {
                return Err(Failure::new(format!("two columns are called '{name}'")));
            }
        }
        Ok(Columns { kinds, names })
    }
}

fn kind(heading: &str) -> Kind {
    let letters: String = text::fold(heading).chars().filter(|char| char.is_alphanumeric()).collect();
    match letters.as_str() {
        "name" | "fullname" | "personname" | "contactname" | "displayname" => Kind::Name,
        "firstname" | "givenname" | "forename" => Kind::FirstName,
        "lastname" | "surname" | "familyname" => Kind::LastName,
        "email" | "mail" | "emailaddress" | "mailaddress" | "emailid" | "workemail" | "businessemail"
        | "companyemail" | "primaryemail" | "personalemail" | "contactemail" => Kind::Email,
        "phone" | "phonenumber" | "phoneno" | "telephone" | "telephonenumber" | "tel" | "mobile"
        | "mobilephone" | "mobilenumber" | "mobilephonenumber" | "cell" | "cellphone" | "cellnumber"
        | "workphone" | "directphone" | "businessphone" | "primaryphone" | "contactphone" => Kind::Phone,
        "linkedin" | "linkedinurl" | "linkedinprofile" | "linkedinprofileurl" | "linkedinlink"
        | "linkedinaddress" | "personlinkedin" | "personlinkedinurl" => Kind::Linkedin,
        "domain" | "domainname" | "companydomain" | "companydomainname" | "emaildomain" | "website"
        | "websiteurl" | "companywebsite" | "companywebsiteurl" => Kind::Domain,
        _ => Kind::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_known_in_many_spellings() {
        for (heading, expected) in [
            ("Full name", Kind::Name),
            ("FULL_NAME", Kind::Name),
            ("First Name", Kind::FirstName),
            ("Last-name", Kind::LastName),
            ("E-mail", Kind::Email),
            ("e mail address", Kind::Email),
            ("MAIL", Kind::Email),
            ("Phone number", Kind::Phone),
            ("Mobile", Kind::Phone),
            ("LinkedIn URL", Kind::Linkedin),
            ("Linked-In profile", Kind::Linkedin),
            ("Company domain", Kind::Domain),
            ("Website", Kind::Domain),
            ("Company name", Kind::Other),
            ("Company LinkedIn URL", Kind::Other),
            ("Title", Kind::Other),
            ("", Kind::Other),
        ] {
            assert_eq!(kind(heading), expected, "{heading}");
        }
    }

    #[test]
    fn columns_that_nobody_could_tell_apart_are_refused() {
        let refused = |line: &str| Columns::read(line.split(',')).unwrap_err().to_string();
        assert!(refused("Email,Title,Title").contains("two columns are called 'Title'"));
        assert!(refused("Name,Title").contains("Email, Phone or LinkedIn; it has Name, Title"));
        let many = format!("Email{}", ",a".repeat(MAX_COLUMNS));
        assert!(refused(&many).contains("more than"));
        let read = Columns::read("Email,E-mail, ,'=x".split(',')).unwrap();
        assert_eq!(read.names, ["Email", "E-mail", "Column 3", "=x"]);
    }
}

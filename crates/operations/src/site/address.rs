//! The addresses of a site, and what they can lead to.

use pagesmith_store::tables::site::targets::SiteTarget;

/// An address of a site.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Address {
    /// The root: the home page.
    Home,
    /// A page's own link.
    Page(String),
    /// An audience's link: the page's part and its own.
    Audience(String, String),
    /// An audience's signed link: the same, and its end with its signature.
    Signed {
        /// The page's part.
        page: String,
        /// The audience's part.
        audience: String,
        /// The end and the signature.
        ticket: String,
    },
}

impl Address {
    /// The address of a path, if the path may be one; slashes around it do not count.
    pub fn parse(path: &str) -> Option<Address> {
        let mut parts = path.trim_matches('/').split('/').map(str::to_owned);
        let page = parts.next().unwrap_or_default();
        match (parts.next(), parts.next(), parts.next()) {
            (None, None, None) if page.is_empty() => Some(Address::Home),
            (None, None, None) => Some(Address::Page(page)),
            (Some(audience), None, None) if !audience.is_empty() => Some(Address::Audience(page, audience)),
            (Some(audience), Some(ticket), None) if !audience.is_empty() && is_ticket(&ticket) => {
                Some(Address::Signed { page, audience, ticket })
            }
            _ => None,
        }
    }

    /// The address without what is different in every link to it.
    #[must_use]
    pub fn without_ticket(self) -> Address {
        match self {
            Address::Signed { page, audience, .. } => {
                Address::Signed { page, audience, ticket: String::new() }
            }
            other => other,
        }
    }
}

/// Whether a text looks like the end and the signature of a link.
fn is_ticket(text: &str) -> bool {
    text.split_once('-').is_some_and(|(end, signature)| {
        (1..=12).contains(&end.len())
            && end.bytes().all(|byte| byte.is_ascii_digit())
            && signature.len() == 43
    })
}

/// What an address leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    /// Nothing.
    Nothing,
    /// A page or an audience that was put away, or the page of a person who was deleted.
    Gone,
    /// Somebody's own page, by a signed link that has ended.
    Expired,
    /// A page or an audience without a live version.
    NotPublished,
    /// A live version.
    Published(SiteTarget),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_an_address_if_it_has_at_most_two_parts_or_a_signed_third() {
        let page = |page: &str| Some(Address::Page(page.to_owned()));
        let audience = Some(Address::Audience("spring".to_owned(), "jane".to_owned()));
        let ticket = format!("1772366400-{}", "x".repeat(43));
        let (part, audience_part) = ("spring".to_owned(), "jane".to_owned());
        let signed = Some(Address::Signed { page: part, audience: audience_part, ticket: ticket.clone() });
        for (path, expected) in [
            ("/spring", page("spring")),
            ("/spring/", page("spring")),
            ("//spring//", page("spring")),
            ("/spring/jane", audience.clone()),
            ("/spring/jane/", audience),
            ("/Spring", page("Spring")),
            ("/", Some(Address::Home)),
            ("", Some(Address::Home)),
            ("/spring//jane", None),
            ("/spring/jane/more", None),
            (&format!("/spring/jane/{ticket}"), signed),
            (&format!("/spring/jane/{ticket}x"), None),
            (&format!("/spring/jane/x{ticket}"), None),
            (&format!("/spring/jane/{ticket}/more"), None),
        ] {
            assert_eq!(Address::parse(path), expected, "{path}");
        }
    }
}

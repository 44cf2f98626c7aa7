//! A key for every form that is drawn, so that a form that is sent twice does once what it says.
//!
//! Without script nothing keeps somebody from pressing a button twice. The key is a hidden field of every form that is sent by POST; it
//! reaches the API as an `Idempotency-Key` ([`crate::client`]). A form with a file is passed on to the API unread, so its key stands in the
//! query of its address. Another drawing of the same form has another key.

use std::fmt::Write;

use pagesmith_model::hexadecimal::hexadecimal;

use crate::entered::Entered;

/// The name of the field.
const NAME: &str = "form-key";
/// The longest key that is taken.
const LONGEST: usize = 64;

/// Puts a key into every form of what was drawn that is sent by POST.
///
/// Texts of others are escaped in what was drawn, so a form begins where `<form` stands and nowhere else.
pub(crate) fn put(drawn: &str, random: [u8; 16]) -> String {
    let random = hexadecimal(&random);
    let mut parts = drawn.split("<form");
    let mut put = parts.next().unwrap_or_default().to_owned();
    for (at, part) in parts.enumerate() {
        put.push_str("<form");
        let Some((tag, rest)) = part.split_once('>') else {
            put.push_str(part);
            continue;
        };
        let (is_sent, has_file) = (tag.contains(" method=\"post\""), tag.contains("multipart/form-data"));
        if is_sent && has_file {
            put.push_str(&with_key(tag, &format!("{random}-{at}")));
        } else {
            put.push_str(tag);
        }
        put.push('>');
        if is_sent && !has_file {
            let _ = write!(put, "<input type=\"hidden\" name=\"{NAME}\" value=\"{random}-{at}\">");
        }
        put.push_str(rest);
    }
    put
}

/// The tag of a form with the key in the query of its address.
fn with_key(tag: &str, key: &str) -> String {
    const ACTION: &str = " action=\"";
    let Some((before, rest)) = tag.split_once(ACTION) else { return tag.to_owned() };
    let (address, after) = rest.split_once('"').unwrap_or((rest, ""));
    let separator = if address.contains('?') { "&amp;" } else { "?" };
    format!("{before}{ACTION}{address}{separator}{NAME}={key}\"{after}")
}

/// The key of a form with a file, in the query of its address; what cannot be one is left out.
pub(crate) fn of_query(query: &str) -> Option<String> {
    let found = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == NAME);
    found.map(|(_, key)| key.into_owned()).filter(|key| is_key(key))
}

fn is_key(text: &str) -> bool {
    (1..=LONGEST).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// Takes the key out of what was entered, which screens do not know; what cannot be one is left out.
pub(crate) fn take(entered: &mut Entered) -> Option<String> {
    let key = entered.some(NAME).filter(|text| is_key(text)).map(str::to_owned);
    entered.0.retain(|(name, _)| name != NAME);
    key
}

#[cfg(test)]
mod tests {
    use maud::html;

    use super::*;

    #[test]
    fn every_form_that_changes_something_has_a_key_of_its_own() {
        let evil = "<form method=\"post\">";
        let drawn = html! {
            form method="get" action="/find" { input name="q" value=(evil); }
            form.form #page method="post" action=(evil) novalidate { p { (evil) } }
            form method="post" action="/b" { button { "B" } }
            form method="post" action="/c" enctype="multipart/form-data" { input type="file" name="file"; }
            form enctype="multipart/form-data" method="post" action=("/d?a=<b>&c=1") { input type="file"; }
        };
        let put = put(&drawn.into_string(), [7; 16]);
        assert_eq!(put.matches("name=\"form-key\"").count(), 2, "{put}");
        let key = hexadecimal(&[7; 16]);
        assert!(
            put.contains(&format!("value=\"{key}-1\"><p>"))
                && put.contains(&format!("value=\"{key}-2\"><button>"))
        );
        assert!(put.contains(&format!("action=\"/c?form-key={key}-3\" enctype")), "{put}");
        assert!(put.contains(&format!("action=\"/d?a=&lt;b&gt;&amp;c=1&amp;form-key={key}-4\">")), "{put}");
    }

    #[test]
    fn the_key_of_a_form_with_a_file_is_read_from_its_address() {
        assert_eq!(of_query("a=1&form-key=0a-1").as_deref(), Some("0a-1"));
        assert_eq!(of_query("form-key=0a-1&form-key=b").as_deref(), Some("0a-1"));
    }

    #[test]
    fn a_key_is_taken_out_of_what_was_entered_and_bad_ones_count_as_none() {
        let mut entered = Entered::read(b"form-key=0a-1&name=A", 2).unwrap();
        assert_eq!(take(&mut entered).as_deref(), Some("0a-1"));
        assert_eq!(entered.0, [("name".to_owned(), "A".to_owned())]);
        for bad in [
            "form-key=",
            "form-key=a%0Ab",
            "form-key=%C3%A4",
            &format!("form-key={}", "a".repeat(65)),
            "name=A",
        ] {
            assert_eq!(take(&mut Entered::read(bad.as_bytes(), 1).unwrap()), None, "{bad}");
            assert_eq!(of_query(bad), None, "{bad}");
        }
    }
}

//! What was entered into a form and sent.

use serde_json::{Map, Value};

/// How large a form may be, and how many fields it may have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// Bytes as they are sent.
    pub bytes: usize,
    /// Fields.
    pub fields: usize,
}

impl Bounds {
    /// A form of somebody who need not be signed in: an address, a link, a password or two of 1,024 bytes, each of which is sent as three.
    pub const OF_ANYBODY: Bounds = Bounds { bytes: 16 * 1024, fields: 50 };
    /// A form of somebody who is signed in; files are sent by a way of their own. The form with the most fields is that of a page's actions, of
    /// which there may be a thousand.
    pub const OF_USER: Bounds = Bounds { bytes: 1024 * 1024, fields: 10_000 };
}

/// The fields of a form in the order in which they were sent.
#[derive(Debug, Clone, Default)]
pub struct Entered(pub Vec<(String, String)>);

impl Entered {
    /// Reads a body of `application/x-www-form-urlencoded`; nothing if it has more than `most` fields.
    pub fn read(body: &[u8], most: usize) -> Option<Entered> {
        let mut parsed = url::form_urlencoded::parse(body);
        let fields = parsed.by_ref().take(most).map(|(name, value)| (name.into_owned(), value.into_owned()));
        let fields = fields.collect();
        parsed.next().is_none().then_some(Entered(fields))
    }

    /// What was entered into a field, without space around it; empty if there is no such field.
    pub fn text(&self, name: &str) -> &str {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value.trim())
    }

    /// The same, if anything was entered.
    pub fn some(&self, name: &str) -> Option<&str> {
        Some(self.text(name)).filter(|text| !text.is_empty())
    }

    /// Everything that was entered into fields of one name.
    pub fn all(&self, name: &str) -> Vec<&str> {
        self.0.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str()).collect()
    }

    /// What was entered into a field as it was typed: space around a password is a part of it.
    pub fn as_typed(&self, name: &str) -> String {
        self.all(name).first().copied().unwrap_or_default().to_owned()
    }

    /// Whether a box was checked.
    pub fn is_on(&self, name: &str) -> bool {
        !self.text(name).is_empty()
    }

    /// An object of these fields as text; what is empty is left out.
    pub fn object(&self, names: &[&str]) -> Value {
        let fields = names.iter().filter_map(|name| Some(((*name).to_owned(), self.some(name)?.into())));
        Value::Object(fields.collect::<Map<String, Value>>())
    }

    /// An object of these fields as text; what is empty is null, so that a change takes it away.
    pub fn change(&self, names: &[&str]) -> Value {
        let value = |name: &&str| self.some(name).map_or(Value::Null, Value::from);
        Value::Object(names.iter().map(|name| ((*name).to_owned(), value(name))).collect())
    }
}

/// The value of this name in a query, if it has one.
pub fn query_value(query: &str, name: &str) -> Option<String> {
    let found = url::form_urlencoded::parse(query.as_bytes()).find(|(known, _)| known == name);
    found.map(|(_, value)| value.into_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_are_found_by_their_names() {
        let entered = Entered::read(b"name=+A%26B+&id=1&id=2&note=", 4).unwrap();
        assert!(Entered::read(b"name=+A%26B+&id=1&id=2&note=", 3).is_none());
        assert_eq!(entered.text("name"), "A&B");
        assert_eq!(entered.all("id"), ["1", "2"]);
        assert_eq!(entered.some("note"), None);
        assert_eq!(entered.object(&["name", "note"]), json!({ "name": "A&B" }));
        assert_eq!(entered.change(&["name", "note"]), json!({ "name": "A&B", "note": null }));
        assert!(entered.is_on("id") && !entered.is_on("other"));
        assert_eq!(
            (entered.as_typed("name"), entered.as_typed("other")),
            (" A&B ".to_owned(), String::new())
        );
        let of_query = |name: &str| query_value("a=+1%2B&b=&a=2", name);
        assert_eq!(
            [of_query("a"), of_query("b"), of_query("c")],
            [Some(" 1+".to_owned()), Some(String::new()), None]
        );
    }
}

//! The calls of the API that the forms of a screen make, so that a screen can show them before anything is sent.
//!
//! [`list`] says for each form, by the path that it is sent to, which calls it makes, with a body as an example. What stands in braces is
//! taken from the form: an id of its path, or the value of one of its fields. What stands in capitals only whoever calls knows, or the call
//! before has answered it. Invariant: every form of the list of screens is there, be it as one of which nothing is shown; a test
//! holds it to that.

mod list;

use std::sync::LazyLock;
use std::time::Duration;

use pagesmith_model::Timestamp;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use crate::client::segment;
use list::{FORMS, SEARCHES};

/// A call of the API.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    pub method: &'static str,
    pub path: String,
    pub sent: Sent,
}

/// What a call sends.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Sent {
    /// Nothing.
    Nothing,
    /// An object.
    Json(Value),
    /// A file of this name.
    File(&'static str),
}

/// A form: the path that it is sent to, and its calls: method and path, then what is sent. That is an object; or `@` and the name of a file;
/// or `=` for what stands at the path, which is set as a whole.
type FormCalls = (&'static str, &'static [(&'static str, &'static str)]);

static FORMS_BY_PATH: LazyLock<matchit::Router<&'static FormCalls>> = LazyLock::new(|| by_path(FORMS));
static SEARCHES_BY_PATH: LazyLock<matchit::Router<&'static FormCalls>> = LazyLock::new(|| by_path(SEARCHES));

fn by_path(forms: &'static [FormCalls]) -> matchit::Router<&'static FormCalls> {
    let mut found = matchit::Router::new();
    for form in forms {
        // Two that could be meant by one address would be a defect of the list, which its test finds.
        let _ = found.insert(form.0, form);
    }
    found
}

/// The calls of the forms of what was drawn, each form once; with what forms search for if `searches`.
///
/// `root` is the address that all screens of the tenant stand below, and `read` what a screen has read at a path. Texts of others are
/// escaped in what was drawn, so a form begins where `<form` stands and nowhere else.
pub(crate) fn calls(
    drawn: &str,
    root: &str,
    now: Timestamp,
    searches: bool,
    read: impl Fn(&str) -> Option<Value>,
) -> Vec<Call> {
    let (mut calls, mut seen) = (Vec::new(), Vec::new());
    for form in forms(drawn, root) {
        let of_path = if form.is_sent {
            &FORMS_BY_PATH
        } else if searches {
            &SEARCHES_BY_PATH
        } else {
            continue;
        };
        let Ok(found) = of_path.at(&form.path) else { continue };
        let (path, of_form) = **found.value;
        if seen.contains(&path) {
            continue;
        }
        let form = form.with(&found.params, now);
        let of_form: Option<Vec<Call>> =
            of_form.iter().map(|(call, sent)| form.call(call, sent, &read)).collect();
        // A form of which something is missing here may stand below with it.
        if let Some(of_form) = of_form {
            seen.push(path);
            calls.extend(of_form);
        }
    }
    calls
}

/// A form that stands in what was drawn.
pub(crate) struct FoundForm<'a> {
    /// Where it is sent, below the root.
    path: String,
    /// Whether by POST: else it only asks for a screen.
    pub is_sent: bool,
    /// The markup of its fields.
    fields: &'a str,
}

/// The forms of what was drawn that lead to screens below `root`, in their order.
pub(crate) fn forms<'a>(drawn: &'a str, root: &'a str) -> impl Iterator<Item = FoundForm<'a>> {
    drawn.split("<form").skip(1).filter_map(move |part| {
        let (tag, rest) = part.split_once('>')?;
        let action = attribute(tag, "action")?;
        let path = action.strip_prefix(root)?.split('?').next().unwrap_or_default().to_owned();
        let own = rest.split("</form>").next().unwrap_or_default();
        // What is selected in a table stands outside of the form that it is sent with.
        let fields = if tag.contains("class=\"bulk\"") { drawn } else { own };
        let is_sent = attribute(tag, "method").as_deref() == Some("post");
        Some(FoundForm { path, is_sent, fields })
    })
}

impl<'a> FoundForm<'a> {
    /// The form with what it holds, if it is sent to this path.
    pub fn at(&self, path: &str, now: Timestamp) -> Option<Drawn<'a>> {
        let mut wanted = matchit::Router::new();
        wanted.insert(path, ()).ok()?;
        Some(self.with(&wanted.at(&self.path).ok()?.params, now))
    }

    fn with(&self, params: &matchit::Params<'_, '_>, now: Timestamp) -> Drawn<'a> {
        let decoded = |value: &str| percent_decode_str(value).decode_utf8_lossy().into_owned();
        let ids = params.iter().map(|(name, value)| (name.to_owned(), decoded(value))).collect();
        Drawn { ids, fields: self.fields, now }
    }
}

/// A form as it was drawn.
pub(crate) struct Drawn<'a> {
    /// The ids in its path.
    ids: Vec<(String, String)>,
    /// The markup of its fields.
    fields: &'a str,
    now: Timestamp,
}

impl Drawn<'_> {
    /// A call with what it takes from the form; none if something is missing.
    fn call(
        &self,
        call: &'static str,
        sent: &'static str,
        read: impl Fn(&str) -> Option<Value>,
    ) -> Option<Call> {
        let (method, template) = call.split_once(' ')?;
        let mut path = String::new();
        for (at, part) in template.split(['{', '}']).enumerate() {
            if at % 2 == 0 {
                path.push_str(part);
            } else {
                path.push_str(&segment(Some(self.value(part)?).filter(|value| !value.is_empty())?.as_str()));
            }
        }
        let sent = match sent {
            "" => Sent::Nothing,
            "=" => Sent::Json(read(&path)?),
            _ => match sent.strip_prefix('@') {
                Some(name) => Sent::File(name),
                None => Sent::Json(self.filled(&serde_json::from_str(sent).ok()?)?),
            },
        };
        Some(Call { method, path, sent })
    }

    /// A body with what it takes from the form. A name that ends with `?` is there if the form has a field of that name.
    fn filled(&self, template: &Value) -> Option<Value> {
        Some(match template {
            Value::String(text) => match text.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
                // What is empty is none, and of a box that is checked or not `!` makes true or false.
                Some(name) => match name.strip_suffix('!') {
                    Some(name) => Value::Bool(!self.value(name)?.is_empty()),
                    None => Some(self.value(name)?).filter(|value| !value.is_empty()).into(),
                },
                None => template.clone(),
            },
            Value::Array(items) => {
                Value::Array(items.iter().map(|item| self.filled(item)).collect::<Option<_>>()?)
            }
            Value::Object(fields) => {
                let mut filled = Map::new();
                for (name, value) in fields {
                    let optional = name.strip_suffix('?');
                    if optional.is_none_or(|name| self.value(name).is_some()) {
                        filled.insert(optional.unwrap_or(name).to_owned(), self.filled(value)?);
                    }
                }
                Value::Object(filled)
            }
            other => other.clone(),
        })
    }

    /// What a name stands for: an id of the path, an instant, or the value of a field.
    pub fn value(&self, name: &str) -> Option<String> {
        const DAY: Duration = Duration::from_secs(86_400);
        let of_path = self.ids.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        of_path.or_else(|| match name {
            "in-a-day" => Some(self.now.plus(DAY).to_string()),
            "in-a-week" => Some(self.now.plus(DAY * 7).to_string()),
            "a-week-ago" => Some(self.now.minus(DAY * 7).to_string()),
            "text" => self.text_of_block().map(|(_, text)| text),
            "text-path" => self.text_of_block().map(|(name, _)| format!("/{name}")),
            _ => self.of_field(name),
        })
    }

    /// A text of the block that a form was drawn from, with its name.
    fn text_of_block(&self) -> Option<(&'static str, String)> {
        let block: Value = serde_json::from_str(&self.of_field("from")?).ok()?;
        ["title", "markdown", "text", "description", "caption"]
            .into_iter()
            .find_map(|name| Some((name, block[name].as_str()?.to_owned())))
    }

    /// The value of the first field or button of a name.
    fn of_field(&self, name: &str) -> Option<String> {
        let name = format!(" name=\"{name}\"");
        let tag = self
            .fields
            .split('<')
            .filter_map(|part| part.split_once('>'))
            .find(|(tag, _)| tag.contains(&name));
        let (tag, content) = tag?;
        if tag.starts_with("textarea") {
            return Some(unescaped(content.trim_start_matches('\n')));
        }
        // What has to be typed stands beside the field.
        attribute(tag, "data-typed").or_else(|| attribute(tag, "value"))
    }
}

/// The value of an attribute of a tag.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    Some(unescaped(rest.split('"').next()?))
}

/// A text without the signs that were escaped when it was drawn.
fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use maud::html;
    use serde_json::json;

    use super::list::SILENT;
    use super::*;
    use crate::client::SET_WHOLE;

    fn calls_of(drawn: &maud::Markup) -> Vec<Call> {
        let read = |path: &str| (path == "/v0/site").then(|| json!({ "siteName": "Acme" }));
        calls(&drawn.0, "/console/t/acme", Timestamp::from_micros(0), false, read)
    }

    fn call(method: &'static str, path: &str, sent: Sent) -> Call {
        Call { method, path: path.to_owned(), sent }
    }

    #[test]
    fn every_form_is_in_the_list() {
        let listed: Vec<&str> = FORMS.iter().map(|(path, _)| *path).chain(SILENT.iter().copied()).collect();
        let rows = crate::screens::rows();
        let sent: BTreeSet<&str> =
            rows.iter().filter(|row| row.method == "POST").map(|row| row.path).collect();
        assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), sent);
        assert_eq!(listed.len(), sent.len(), "one of the list is there twice");
        for (call, sent) in FORMS.iter().chain(SEARCHES).flat_map(|(_, calls)| *calls) {
            assert!(call.contains(" /v0/"), "{call}");
            let is_object = || serde_json::from_str::<Value>(sent).unwrap().is_object();
            let is_set_whole = || call.strip_prefix("PUT ").is_some_and(|path| SET_WHOLE.contains(&path));
            let is_known = match *sent {
                "" => true,
                "=" => is_set_whole(),
                sent => sent.starts_with('@') || is_object(),
            };
            assert!(is_known, "{call}");
        }
        for (path, _) in FORMS {
            let address = path.replace(['{', '}'], "");
            assert_eq!(FORMS_BY_PATH.at(&address).unwrap().value.0, *path);
        }
    }

    #[test]
    fn a_call_has_what_its_form_holds() {
        let form = |action: &str, fields: maud::Markup| {
            html! { form method="post" action={ "/console/t/acme" (action) } { (fields) } }
        };
        let versions = form(
            "/pages/page_1/audiences/a%2Fb/publish",
            html! { input type="hidden" name="version" value="version_1"; },
        );
        let published = "/v0/pages/page_1/audiences/a%2Fb/versions/version_1/publish";
        assert_eq!(calls_of(&versions), [call("POST", published, Sent::Json(json!({})))]);
        // Without its version there is no such call, and a second form of the kind is not told again.
        let none = form("/pages/page_1/audiences/a/publish", html! {});
        assert_eq!(calls_of(&html! { (none) (versions) (versions) }).len(), 1);
        let webhook = form("/webhooks/s/active", html! { input type="hidden" name="active" value=""; });
        assert_eq!(calls_of(&webhook)[0].sent, Sent::Json(json!({ "active": false })));
        let move_block = form(
            "/pages/p/audiences/a/blocks/top/move",
            html! { input type="hidden" name="after" value=""; button name="to" value="b&\"<" {} },
        );
        let Sent::Json(moved) = &calls_of(&move_block)[0].sent else { panic!() };
        assert_eq!(moved["operations"][0]["from"], Value::Null);
        assert_eq!(moved["operations"][0]["to"], "b&\"<");
        let erase = form("/persons/p/erase", html! { input name="confirmation" value="" data-typed="Ada"; });
        assert_eq!(calls_of(&erase)[0].sent, Sent::Json(json!({ "confirmation": "Ada" })));
        let site = form("/settings/site", html! {});
        assert_eq!(calls_of(&site), [call("PUT", "/v0/site", Sent::Json(json!({ "siteName": "Acme" })))]);
        assert_eq!(calls_of(&form("/settings/retention", html! {})), []);
        let published =
            form("/pages/p/audiences/a/schedule", html! { input type="hidden" name="version" value="v"; });
        let times = |calls: &[Call]| match &calls[0].sent {
            Sent::Json(Value::Object(times)) => times.keys().cloned().collect::<Vec<_>>(),
            _ => vec![],
        };
        assert_eq!(times(&calls_of(&published)), ["unpublishAt"]);
        assert_eq!(calls_of(&html! { form method="post" action="/console/t/acme/settings/invite" {} }), []);
        assert_eq!(calls_of(&html! { form method="get" action="/console/t/acme/find" {} }), []);
    }

    #[test]
    fn what_is_selected_stands_outside_of_its_form() {
        let drawn = html! {
            form.bulk id="x" method="post" action="/console/t/acme/pages/p/audiences/selected" {}
            table { tr { td { input type="checkbox" name="id" value="audience_1" form="x"; } } }
        };
        let archived = "/v0/pages/p/audiences/audience_1";
        assert_eq!(calls_of(&drawn), [call("DELETE", archived, Sent::Nothing)]);
    }
}

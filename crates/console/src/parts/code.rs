//! "The same by API": the requests behind a screen as commands for a shell, behind a disclosure.
//!
//! The key is a variable of the shell, so that nobody pastes a secret into a screen. Texts of others stand between quotes that a shell
//! takes literally.

use maud::{Markup, html};
use serde_json::Value;

use crate::words::Words;

/// A request of the API.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// Its method.
    pub method: &'a str,
    /// Its whole URL.
    pub url: &'a str,
    /// What is sent.
    pub sent: Sent<'a>,
}

/// What a request sends.
#[derive(Debug, Clone, Copy)]
pub enum Sent<'a> {
    /// Nothing.
    Nothing,
    /// JSON.
    Json(&'a Value),
    /// A file of this name, as the field `file` of a form.
    File(&'a str),
}

/// A box with something to be copied: a link, a secret, a command; `label` says what it is.
pub fn copied(words: Words, label: &str, content: &str) -> Markup {
    html! {
        div.code data-copy=(words.text("copy")) data-copied=(words.text("copied")) {
            pre tabindex="0" role="region" aria-label=(label) { code dir="ltr" { (content) } }
        }
    }
}

/// How many commands are drawn: a screen that looks at every page makes very many calls that differ in an id.
const SHOWN: usize = 12;

/// Draws the commands that read what a screen shows, and those that do what its forms do; nothing if there are none.
pub fn same_by_api(words: Words, reads: &[Request<'_>], forms: &[Request<'_>]) -> Markup {
    let reading: Vec<String> = reads.iter().take(SHOWN).map(command).collect();
    let more = reads.len().saturating_sub(SHOWN);
    let doing: Vec<String> = forms.iter().map(command).collect();
    html! {
        @if !(reading.is_empty() && doing.is_empty()) {
            details.by-api {
                summary { (words.text("by-api")) }
                @if !reading.is_empty() { (copied(words, &words.text("by-api"), &reading.join("\n\n"))) }
                @if more > 0 { p.help { (words.with("by-api-more", &[("count", more.into())])) } }
                @if !doing.is_empty() {
                    p.help { (words.text("by-api-forms")) }
                    (copied(words, &words.text("by-api-forms-label"), &doing.join("\n\n")))
                }
            }
        }
    }
}

/// Draws the commands that do the same on the server's command line; nothing if there are none.
pub fn same_on_command_line(words: Words, commands: &[String]) -> Markup {
    let title = words.text("by-command-line");
    html! {
        @if !commands.is_empty() {
            details.by-api {
                summary { (title) }
                p.help { (words.text("by-command-line-help")) }
                (copied(words, &title, &commands.join("\n\n")))
            }
        }
    }
}

/// The command that sends a request.
pub fn command(request: &Request<'_>) -> String {
    let mut lines = vec!["curl".to_owned()];
    let is_post_with_content = request.method == "POST" && !matches!(request.sent, Sent::Nothing);
    if !(request.method == "GET" || is_post_with_content) {
        lines[0].push_str(&format!(" -X {}", quoted(request.method)));
    }
    if request.url.contains(['[', ']', '{', '}']) {
        // curl would take brackets for patterns.
        lines[0].push_str(" -g");
    }
    lines[0].push_str(&format!(" {}", quoted(request.url)));
    lines.push("-H \"x-api-key: $KEY\"".to_owned());
    match request.sent {
        Sent::Nothing => {}
        Sent::Json(body) => {
            lines.push("-H 'content-type: application/json'".to_owned());
            let body = serde_json::to_string_pretty(body).unwrap_or_else(|_| body.to_string());
            lines.push(format!("--data-raw {}", quoted(&body)));
        }
        Sent::File(name) => lines.push(format!("-F {}", quoted(&format!("file=@{name}")))),
    }
    lines.join(" \\\n  ")
}

/// A word of a shell that is this text and nothing else.
pub(crate) fn quoted(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:@".contains(&byte);
    if !text.is_empty() && text.bytes().all(is_plain) {
        return text.to_owned();
    }
    // A shell has no way to say a character NUL.
    format!("'{}'", text.replace('\0', "").replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::{Request, Sent, command, same_by_api};
    use crate::words::Words;

    #[test]
    fn a_command_reads_well() {
        let body = json!({ "name": "It's $HOME" });
        let post = Request {
            method: "POST",
            url: "https://api.example.com/v0/pages?a=1&b=2",
            sent: Sent::Json(&body),
        };
        insta::assert_snapshot!(command(&post), @r#"
        curl 'https://api.example.com/v0/pages?a=1&b=2' \
          -H "x-api-key: $KEY" \
          -H 'content-type: application/json' \
          --data-raw '{
          "name": "It'\''s $HOME"
        }'
        "#);
        let delete =
            Request { method: "DELETE", url: "https://api.example.com/v0/pages/page_1", sent: Sent::Nothing };
        assert!(command(&delete).starts_with("curl -X DELETE https://api.example.com/v0/pages/page_1 \\\n"));
        let upload =
            Request { method: "POST", url: "https://api.example.com/v0/files", sent: Sent::File("a b.csv") };
        assert!(command(&upload).starts_with("curl https://api.example.com/v0/files \\\n"));
        assert!(command(&upload).ends_with("-F 'file=@a b.csv'"));
        let drawn = same_by_api(Words::choose(None, None), &[], &[post]).into_string();
        assert!(
            drawn.contains("<summary>The same by API</summary>") && drawn.contains("&quot;x-api-key"),
            "{drawn}"
        );
    }

    #[test]
    fn many_calls_are_told_by_their_number() {
        let words = Words::choose(None, None);
        let one = Request { method: "GET", url: "https://api.example.com/v0/pages", sent: Sent::Nothing };
        let drawn = same_by_api(words, &[one; 14], &[one]).into_string();
        assert_eq!(drawn.matches("curl ").count(), 13);
        assert!(drawn.contains("And 2 more calls like these."), "{drawn}");
        assert!(same_by_api(words, &[], &[]).into_string().is_empty());
    }

    proptest! {
        #[test]
        fn a_shell_reads_what_was_meant(url in "https://[ -~]{0,40}", text in "\\PC{0,40}|['\"$`\\\\\n!]{0,10}") {
            let body = json!({ "text": text });
            let words = shlex::split(&command(&Request { method: "PATCH", url: &url, sent: Sent::Json(&body) })).unwrap();
            prop_assert_eq!(&words[..3], ["curl", "-X", "PATCH"]);
            let has_brackets = url.contains(['[', ']', '{', '}']);
            prop_assert_eq!(words[3] == "-g", has_brackets);
            prop_assert_eq!(&words[if has_brackets { 4 } else { 3 }], &url);
            let sent: Value = serde_json::from_str(words.last().unwrap()).unwrap();
            prop_assert_eq!(sent, body);
        }
    }
}

//! Messages of owners on a running server: from the call that sends one until the preview of the draft shows what it has changed.
//!
//! The page's brief is one of 50 KB, which the offline editor composes anew for each message. Every change is undone by the next
//! message, so that each round begins with the same page. What the editor alone takes is measured in `editing.rs`.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::histogram::Histogram;
use crate::pairs::Caller;
use crate::report::{Bar, Report};
use crate::request::Template;
use crate::server::Server;
use crate::setup::{Engine, Setup, key};
use crate::{Result, brief_sample, client, sample, say, sites_sample};

/// How long each message may take, in milliseconds.
const LIMIT: f64 = 300.0;
/// How often each change is asked for, and undone.
const ROUNDS: usize = 100;
/// The same in a quick run.
const QUICK_ROUNDS: usize = 10;
/// Rounds in a conversation.
const CONVERSATION: usize = 10;
/// When it is given up.
const TIME_LIMIT: Duration = Duration::from_secs(20);
/// How often the preview is asked for.
const PAUSE: Duration = Duration::from_millis(2);
/// Takes back what was changed before.
const UNDO: &str = "undo the last one";
const HEADLINE: &str = "A really quite long headline, as many pages have";
const QUESTIONS: &str = "Questions that growers ask";
const FIGURES: &str = "What growers see";
const TEXT: &str = "How the warning works";

/// What is asked for, and whether a preview shows it.
type Change = (&'static str, fn(&str) -> bool);

const CHANGES: [Change; 3] = [
    ("make the headline shorter", |html| !html.contains(HEADLINE)),
    ("remove the questions", |html| !html.contains(QUESTIONS)),
    ("put the figures first", |html| html.find(FIGURES) < html.find(TEXT)),
];

/// Measures the chosen engines.
pub fn run(setup: &Setup, report: &mut Report) -> Result<()> {
    if !setup.options.wants("editing-live") {
        return Ok(());
    }
    for engine in setup.engines() {
        measure(setup, engine, report)?;
    }
    Ok(())
}

fn measure(setup: &Setup, engine: Engine, report: &mut Report) -> Result<()> {
    let store = setup.store(engine, "editing-live")?;
    let server = setup.serve(&store, "editing-live", &[])?;
    let caller = Caller::new(&server, key());
    let page = page(&caller)?;
    let mut latencies: Vec<(&str, Histogram)> =
        CHANGES.iter().map(|(message, _)| (*message, Histogram::new())).collect();
    let mut undone = Histogram::new();
    let rounds = if setup.options.quick { QUICK_ROUNDS } else { ROUNDS };
    let mut conversation = None;
    for round in 0..rounds {
        if round % CONVERSATION == 0 {
            conversation = Some(Conversation::begin(&server, &caller, &page)?);
        }
        let Some(conversation) = &conversation else { break };
        for ((message, shows), (_, latencies)) in CHANGES.iter().zip(&mut latencies) {
            latencies.record(conversation.say(message, *shows)?);
            undone.record(conversation.say(UNDO, |html| !shows(html))?);
        }
    }
    latencies.push((UNDO, undone));
    for (message, latencies) in latencies {
        let (p50, p99) = (latencies.quantile(0.5), latencies.quantile(0.99));
        let name = format!("\"{message}\", {}: from the call to the changed preview", engine.name());
        say(&format!("{name}: p50 {p50:.1?}, p99 {p99:.1?}"))?;
        report.bar(Bar::at_most(format!("{name}: p99"), p99.as_secs_f64() * 1e3, LIMIT, "ms"));
    }
    Ok(())
}

/// A page with a long brief; its path.
fn page(caller: &Caller) -> Result<String> {
    let mut body: Value = serde_json::from_str(&sample::create_body().replace(sample::SERIAL, "edited"))?;
    body["pageContext"] = brief_sample::read("en")?.page_context.into();
    body["actions"] = sites_sample::actions();
    body["scripts"] = json!([]);
    let page = caller.ask("POST", "/v0/pages", Some(&body))?;
    Ok(format!("/v0/pages/{}", text(&page, "pageId")?))
}

fn text<'a>(answer: &'a Value, field: &str) -> Result<&'a str> {
    answer[field].as_str().ok_or_else(|| format!("no {field} in {answer}").into())
}

/// What is edited: each kind of block once, so that no message is ambiguous.
fn content() -> Value {
    json!({
        "head": { "title": "Frost warning for your orchard" },
        "blocks": [
            { "type": "hero", "blockId": "b1", "title": HEADLINE, "subtitle": "A station among your trees.", "actionIds": ["call"] },
            { "type": "text", "blockId": "b2", "title": TEXT, "markdown": "A station measures every minute." },
            { "type": "stats-cards", "blockId": "b3", "title": FIGURES, "stats": [
                { "value": "40 min", "label": "of warning" }, { "value": "60 s", "label": "between two measurements" }] },
            { "type": "frame-list", "blockId": "b4", "title": QUESTIONS, "frames": [
                { "title": "Does it work in a narrow valley?", "markdown": "Yes." }] },
        ],
    })
}

/// An audience whose page is talked about.
struct Conversation<'a> {
    caller: &'a Caller,
    server: &'a Server,
    messages: String,
    preview: Template,
}

impl<'a> Conversation<'a> {
    /// With a page that is shown, and a draft of it.
    fn begin(server: &'a Server, caller: &'a Caller, page: &str) -> Result<Conversation<'a>> {
        let (audience, version) = caller.finished_audience(page)?;
        let at = format!("{page}/audiences/{audience}");
        let version = format!("{at}/versions/{version}");
        caller.ask("PUT", &format!("{version}/content"), Some(&content()))?;
        caller.ask("POST", &format!("{version}/publish"), Some(&json!({})))?;
        let draft = caller.ask("POST", &format!("{at}/versions"), Some(&json!({})))?;
        let draft = format!("{at}/versions/{}", text(&draft, "versionId")?);
        caller.ask("POST", &format!("{draft}/cancel"), Some(&json!({})))?;
        caller.ask("PUT", &format!("{draft}/content"), Some(&content()))?;
        let preview = caller.ask("POST", &format!("{draft}/preview"), Some(&json!({})))?;
        let url = text(&preview, "url")?;
        let path = url.splitn(4, '/').nth(3).ok_or("an address without a path")?;
        let host = format!("default.localhost:{}", server.address.port());
        let preview = Template::visit(&host, &format!("/{path}"), "identity");
        Ok(Conversation { caller, server, messages: format!("{at}/messages"), preview })
    }

    /// Sends a message; how long it took until the preview shows what it asks for.
    fn say(&self, message: &str, shows: impl Fn(&str) -> bool) -> Result<Duration> {
        if shows(&self.shown()?) {
            return Err(format!("\"{message}\" has nothing to change").into());
        }
        let begun = Instant::now();
        self.caller.ask("POST", &self.messages, Some(&json!({ "message": message })))?;
        while !shows(&self.shown()?) {
            if begun.elapsed() > TIME_LIMIT {
                let said = self.caller.ask("GET", &self.messages, None)?;
                let last =
                    said["messages"].as_array().and_then(|all| all.last().cloned()).unwrap_or_default();
                return Err(format!("the preview does not show \"{message}\": {last}").into());
            }
            std::thread::sleep(PAUSE);
        }
        Ok(begun.elapsed())
    }

    fn shown(&self) -> Result<String> {
        let (status, head, body) = client::fetch(self.server.address, &self.preview)?;
        if status != 200 {
            return Err(format!("the preview: {head}").into());
        }
        Ok(String::from_utf8(body)?)
    }
}

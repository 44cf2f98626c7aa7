//! What came of visits, in a few figures, beside those of the time before if they are known.

use maud::{Markup, html};
use serde_json::Value;

use crate::json::{count, number};
use crate::words::Words;

/// A share as a percentage in the user's language, to a tenth of a per cent.
pub(crate) fn percent(words: Words, share: f64) -> String {
    words.percent((share * 1000.0).round() as u64, 1000)
}

/// What came of visits, in a few figures; `before` are those of the time before.
pub(crate) fn figures(words: Words, summary: &Value, before: Option<&Value>) -> Markup {
    let rates = [
        ("conversionRate", words.text("conversion")),
        ("formSubmitRate", words.text("forms-sent")),
        ("bounceRate", words.text("bounces")),
    ];
    let seconds = |summary: &Value| {
        let seconds = number(summary, "avgTimeSpentSeconds")?.round() as i64;
        Some(words.with("seconds", &[("count", seconds.into())]))
    };
    html! {
        dl.cards {
            (card(words, &words.text("visits"), &visits(words, summary), before.map(|before| compared(words, summary, before))))
            @for (name, label) in &rates {
                @let rate = |summary: &Value| percent(words, number(summary, name).unwrap_or_default());
                (card(words, label, &rate(summary), before.map(rate)))
            }
            @if let Some(now) = seconds(summary) {
                (card(words, &words.text("time-spent"), &now, before.and_then(seconds)))
            }
        }
    }
}

fn card(words: Words, label: &str, value: &str, before: Option<String>) -> Markup {
    html! {
        div.card {
            dt.help { (label) }
            dd.stat { (value) }
            @if let Some(before) = before { dd.help { (words.with("figure-before", &[("figure", before.into())])) } }
        }
    }
}

fn visits(words: Words, summary: &Value) -> String {
    words.count(count(summary, "totalSessions"))
}

/// The visits of the time before, and by how much of them there are more or fewer now.
fn compared(words: Words, summary: &Value, before: &Value) -> String {
    let (now, then) = (count(summary, "totalSessions"), count(before, "totalSessions"));
    let visits = visits(words, before);
    if then == 0 || now == then {
        return visits;
    }
    let change = words.percent(now.abs_diff(then), then);
    let sign = if now > then { "+" } else { "\u{2212}" };
    format!("{visits} ({sign}{change})")
}

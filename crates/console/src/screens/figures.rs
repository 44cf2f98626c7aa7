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
    let seconds =
        |summary: &Value| Some(duration(words, number(summary, "avgTimeSpentSeconds")?.round() as i64));
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

/// A time as short as a tile is narrow, without a place where a line could break.
fn duration(words: Words, seconds: i64) -> String {
    if seconds < 60 {
        return words.with("seconds-short", &[("count", seconds.into())]);
    }
    let rest = format!("{:02}", seconds % 60);
    words.with("minutes-short", &[("minutes", (seconds / 60).into()), ("seconds", rest.into())])
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

#[cfg(test)]
mod tests {
    use super::duration;
    use crate::words::Words;

    #[test]
    fn a_time_is_one_short_word_in_each_language() {
        for language in ["en", "de"] {
            let words = Words::choose(Some(language), None);
            let told = [0, 59, 60, 83, 605, 5_400].map(|seconds| duration(words, seconds));
            let expected = [
                "0\u{a0}s",
                "59\u{a0}s",
                "1:00\u{a0}min",
                "1:23\u{a0}min",
                "10:05\u{a0}min",
                "90:00\u{a0}min",
            ];
            assert_eq!(told, expected);
        }
    }
}

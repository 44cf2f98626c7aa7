//! What a start tells whoever sits at the terminal: where everything is, the first key, and what to type next.
//!
//! A program that starts the server gets nothing of this: the first key alone on standard output, and the log.

use anstyle::Style;
use pagesmith_http::{Settings, site_address};

use crate::screen::Painted;

/// The first key, or why there is none to show.
#[derive(Debug, Clone, Copy)]
pub enum FirstKey<'a> {
    /// This one was made a moment ago.
    Made(&'a str),
    /// The operator chose it.
    Given,
    /// There were keys before.
    Earlier,
}

/// A frame with the addresses and the key, and a call to try; `tenant` is the slug of the only tenant. While there is no user,
/// `set_up` is the link by which the first one is made. It is one text, so that whoever sees its end has seen all of it.
pub fn text(
    settings: &Settings,
    tenant: Option<&str>,
    key: FirstKey<'_>,
    set_up: Option<&str>,
    colors: bool,
) -> String {
    let api = &settings.base_url;
    let slug = tenant.unwrap_or("TENANT");
    let another = format!("pagesmith key create --tenant {slug}");
    let (shown, more) = match key {
        FirstKey::Made(secret) => (secret.to_owned(), format!("shown this once; another: {another}")),
        FirstKey::Given => ("the one in PAGESMITH_BOOTSTRAP_KEY".to_owned(), format!("another: {another}")),
        FirstKey::Earlier => ("shown at the first start only".to_owned(), format!("another: {another}")),
    };
    let rows = [
        ("Console", settings.console_home()),
        ("API", format!("{api}/v0")),
        ("Docs", format!("{api}/docs")),
        ("Site", site_address(settings, slug, "")),
        ("Key", shown),
        ("", more),
    ];
    let title = format!("Pagesmith {}", env!("CARGO_PKG_VERSION"));
    let width = rows.iter().map(|(_, value)| value.chars().count()).max().unwrap_or_default();
    let (bold, faint) = (Style::new().bold(), Style::new().dimmed());
    let paint = |text: String, style| Painted { text, style, colors }.to_string();
    let mut lines =
        vec![format!("╭─ {} {}╮", paint(title.clone(), bold), rule(width + 7 - title.chars().count()))];
    for (label, value) in &rows {
        let style = if *label == "Key" { bold } else { Style::new() };
        let (label, value) = (paint(format!("{label:<7}"), faint), paint(format!("{value:<width$}"), style));
        lines.push(format!("│ {label} {value} │"));
    }
    lines.push(format!("╰{}╯", rule(width + 10)));
    let secret = if let FirstKey::Made(secret) = key { secret } else { "KEY" };
    if let Some(link) = set_up {
        lines.push("There is no user yet. Open this within 30 minutes to set up the console:".to_owned());
        lines.push(link.to_owned());
    }
    lines.push(format!("Try the API:  curl -s {api}/v0/pages -H 'x-api-key: {secret}'"));
    lines.push("Ctrl-C ends it.\n\n".to_owned());
    lines.join("\n")
}

fn rule(width: usize) -> String {
    "─".repeat(width)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        Settings { site_port: Some(8080), ..Settings::usual("http://127.0.0.1:8080") }
    }

    #[test]
    fn the_first_start_shows_the_key_and_a_later_one_how_to_make_another() {
        let link = "http://127.0.0.1:8080/console/setup?token=0123456789";
        let first = text(&settings(), Some("default"), FirstKey::Made("ps_0123456789"), Some(link), false);
        insta::assert_snapshot!("first_start", first);
        let later = text(&settings(), None, FirstKey::Earlier, None, false);
        assert!(
            later.contains("shown at the first start only") && later.contains("'x-api-key: KEY'"),
            "{later}"
        );
        assert!(later.contains("pagesmith key create --tenant TENANT"), "{later}");
        assert!(text(&settings(), None, FirstKey::Given, None, false).contains("PAGESMITH_BOOTSTRAP_KEY"));
    }

    #[test]
    fn every_line_of_the_frame_is_as_wide_as_the_others() {
        let framed = text(&settings(), Some("default"), FirstKey::Made("ps_0123456789"), None, false);
        let widths: Vec<usize> = framed
            .lines()
            .filter(|line| line.starts_with(['╭', '│', '╰']))
            .map(|line| line.chars().count())
            .collect();
        assert!(widths.len() == 8 && widths.iter().all(|width| *width == widths[0]), "{framed}");
        let painted = text(&settings(), Some("default"), FirstKey::Made("ps_0123456789"), None, true);
        assert!(painted.contains("\u{1b}[1mps_0123456789"), "{painted:?}");
    }
}

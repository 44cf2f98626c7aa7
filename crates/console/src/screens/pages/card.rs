//! What others show of a page: as a result of a search, and as a card on social networks.

use maud::{Markup, html};
use serde_json::Value;

use crate::json::{some, text};
use crate::visit::Visit;

/// How many characters search engines show of a title and of a description, about.
const SHOWN: [usize; 2] = [60, 155];

/// Draws both for a page with this metadata, as it is sent. `picture` is the address of the picture that is saved.
pub(super) fn draw(
    visit: &Visit,
    page: &Value,
    metadata: &Value,
    url: &str,
    picture: Option<&str>,
) -> Markup {
    let title = some(metadata, "title").unwrap_or_else(|| text(page, "name"));
    let description =
        some(metadata, "description").map_or_else(|| visit.text("meta-from-page"), str::to_owned);
    let canonical = some(metadata, "canonicalUrl").unwrap_or(url);
    let card_title = some(metadata, "ogTitle").unwrap_or(title);
    let card_text = some(metadata, "ogDescription").unwrap_or(&description);
    let host = canonical.split("://").nth(1).and_then(|rest| rest.split('/').next()).unwrap_or(canonical);
    html! {
        section.stack aria-labelledby="found-title" {
            h2 #found-title { (visit.text("meta-preview")) }
            figure.card.stack {
                figcaption.help { (visit.text("meta-search-result")) }
                p.help { bdi { (canonical) } }
                p { strong.found dir="auto" { (cut(title, SHOWN[0])) } }
                p dir="auto" { (cut(&description, SHOWN[1])) }
                @if is_hidden(metadata) { p.help { (visit.text("meta-hidden")) } }
            }
            figure.card.stack {
                figcaption.help { (visit.text("meta-social-card")) }
                @if let Some(picture) = picture { img.picture src=(picture) alt=(text(metadata, "ogImageAlt")) width="400"; }
                p.help { bdi { (host) } }
                p { strong dir="auto" { (card_title) } }
                p dir="auto" { (cut(card_text, SHOWN[1])) }
            }
        }
    }
}

/// Whether search engines are told to leave the page out.
fn is_hidden(metadata: &Value) -> bool {
    metadata["robots"]
        .as_array()
        .is_some_and(|rules| rules.iter().any(|rule| rule == "noindex" || rule == "none"))
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn what_is_too_long_is_cut() {
        assert_eq!((cut("äöü", 3).as_str(), cut("äöüß", 3).as_str()), ("äöü", "äö…"));
    }
}

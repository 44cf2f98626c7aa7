//! The link of an audience's page, to be shared: as text and as a QR code.

use maud::{Markup, html};
use serde_json::Value;

use super::api_path;
use crate::client::Refused;
use crate::json::text;
use crate::parts::code::copied;
use crate::visit::{Drawn, Visit};

/// The link with its QR code.
pub(super) fn draw(visit: &Visit, link: &Value, here: &str) -> Markup {
    let url = text(link, "url");
    html! {
        details {
            summary { (visit.text("audience-link")) }
            p.help { (visit.text("audience-link-help")) }
            (copied(visit.words, &visit.text("audience-link"), url))
            img.picture src={ (here) "/qr.svg" } alt=(visit.words.with("qr-of", &[("address", url.into())])) width="200" height="200" loading="lazy";
            p.actions {
                a.button href={ (here) "/qr.svg" } download="qr.svg" { "SVG" }
                a.button href={ (here) "/qr.png" } download="qr.png" { "PNG" }
            }
        }
    }
}

/// The QR code of the link.
pub(crate) async fn qr_svg(visit: Visit) -> Result<Drawn, Refused> {
    let api = format!("{}/link/qr.svg", api_path(&visit));
    visit.api.stream(&api, "image/svg+xml").await.map(Drawn::Response)
}

/// The same for programs that take no SVG.
pub(crate) async fn qr_png(visit: Visit) -> Result<Drawn, Refused> {
    let api = format!("{}/link/qr.png", api_path(&visit));
    visit.api.stream(&api, "image/png").await.map(Drawn::Response)
}

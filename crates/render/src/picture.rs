//! Pictures: drawn so that nothing on the page moves when they arrive.

use maud::{Markup, html};
use pagesmith_model::content::address;
use pagesmith_model::content::part::Picture;

/// When a picture is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Loading {
    /// At once: it is what the visitor sees first.
    First,
    /// When the visitor comes near it.
    Later,
}

/// The picture; `None` if it cannot be fetched.
pub(crate) fn draw(picture: &Picture, wanted: Loading) -> Option<Markup> {
    if !address::is_fetched(&picture.url) {
        return None;
    }
    let size = match (picture.width, picture.height) {
        (Some(width @ 1..), Some(height @ 1..)) => Some((width, height)),
        _ => None,
    };
    let is_first = wanted == Loading::First;
    Some(html! {
        img src=(picture.url) alt=(picture.alt_text) width=[size.map(|size| size.0)] height=[size.map(|size| size.1)]
            class=[size.is_none().then_some("unsized")] loading=[(!is_first).then_some("lazy")]
            fetchpriority=[is_first.then_some("high")] decoding="async";
    })
}

/// A picture in a box of fixed size, such as a face or a logo.
pub(crate) fn boxed(url: &str, alt_text: &str, (width, height): (u16, u16)) -> Option<Markup> {
    address::is_fetched(url).then(|| {
        html! { img src=(url) alt=(alt_text) width=(width) height=(height) loading="lazy" decoding="async"; }
    })
}

//! What others say: a list that is swiped or scrolled, with buttons where there is script. One quote alone is drawn large.

use maud::{Markup, html};
use pagesmith_model::content::component::TestimonialCarousel;
use pagesmith_model::content::part::Testimonial;

use crate::draw::{Draw, PagePosition, heading, section};
use crate::escape::said;
use crate::picture;

/// The side of a face, in pixels.
const FACE: u16 = 48;

pub(super) fn draw(block: &TestimonialCarousel, page: &Draw<'_>, place: &PagePosition) -> Markup {
    let title = said(block.title.as_deref());
    let is_alone = block.testimonials.len() < 2;
    let inner = html! {
        @if let Some(title) = title { (heading(2, title)) }
        @if is_alone {
            @for one in &block.testimonials { (quote(one, page)) }
        } @else {
            div class="carousel" role="region" tabindex="0" aria-label=(title.unwrap_or(page.words.quotes)) {
                ul { @for one in &block.testimonials { li class="card" { (quote(one, page)) } } }
            }
            div class="turn" {
                button type="button" data-step="-1" aria-label=(page.words.previous) { span aria-hidden="true" { "←" } }
                button type="button" data-step="1" aria-label=(page.words.next) { span aria-hidden="true" { "→" } }
            }
        }
    };
    section(if is_alone { "quotes alone" } else { "quotes" }, place, &inner)
}

fn quote(testimonial: &Testimonial, page: &Draw<'_>) -> Markup {
    let picture = testimonial.picture.as_ref();
    // The name is beside the face, which says nothing more to those who do not see it.
    let face = picture.and_then(|picture| picture::boxed(&picture.url, "", (FACE, FACE), page.pictures));
    html! {
        figure {
            blockquote { p dir="auto" { (testimonial.quote) } }
            figcaption {
                @if let Some(face) = face { (face) }
                span {
                    b dir="auto" { (testimonial.author) }
                    @if let Some(role) = said(testimonial.role.as_deref()) { span dir="auto" { (role) } }
                }
            }
        }
    }
}

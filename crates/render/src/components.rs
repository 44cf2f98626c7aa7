//! The components, one file each: how every kind of block is drawn.

use maud::{Markup, html};
use pagesmith_model::content::Component;
use pagesmith_model::page::widget::ActionCardWidget;

use crate::draw::{Draw, PagePosition};
use crate::embed::Wishes;

mod call_to_action;
mod comparison;
mod custom;
mod feature_cards;
mod frame;
mod frame_list;
mod hero;
mod image;
mod logo_marquee;
mod price_cards;
mod stats_cards;
mod steps;
mod table;
mod testimonial_carousel;
mod text;
mod threads;
mod video;

/// One block.
pub(crate) fn draw(block: &Component, page: &Draw<'_>, place: &PagePosition) -> Markup {
    match block {
        Component::Hero(block) => hero::draw(block, page, place),
        Component::Text(block) => text::draw(block, page, place),
        Component::Image(block) => image::draw(block, page, place),
        Component::Video(block) => video::draw(block, page, place),
        Component::Table(block) => table::draw(block, page, place),
        Component::FeatureCards(block) => feature_cards::draw(block, page, place),
        Component::Frame(block) => frame::draw(block, page, place),
        Component::FrameList(block) => frame_list::draw(block, page, place),
        Component::TestimonialCarousel(block) => testimonial_carousel::draw(block, page, place),
        Component::CallToAction(block) => call_to_action::draw(block, page, place),
        Component::StatsCards(block) => stats_cards::draw(block, place),
        Component::LogoMarquee(block) => logo_marquee::draw(block, page, place),
        Component::Threads(block) => threads::draw(block, page, place),
        Component::Steps(block) => steps::draw(block, place),
        Component::Comparison(block) => comparison::draw(block, place),
        Component::PriceCards(block) => price_cards::draw(block, page, place),
        Component::Custom(block) => custom::draw(block, page, place),
    }
}

/// One widget of the page's action card. Pictures that have no address are left out, and so are widgets that nobody knows.
pub(crate) fn draw_widget(widget: &ActionCardWidget, page: &Draw<'_>, place: &PagePosition) -> Markup {
    match widget {
        ActionCardWidget::Marquee(widget) => {
            let logos = widget.logos.iter().filter_map(|logo| {
                Some((logo.image.url.as_deref()?, logo.image.alt_text.as_deref().unwrap_or_default()))
            });
            logo_marquee::draw_band((widget.title.as_deref(), logos, &[]), page, place)
        }
        ActionCardWidget::Video(widget) => {
            let video = &widget.video;
            let wishes = Wishes {
                looped: video.looped,
                controls: video.controls,
                muted: video.muted.unwrap_or(false),
            };
            let url = video.youtube_url.as_deref().unwrap_or_default();
            video::draw_video((video.title.as_deref(), url, None), wishes, page, place)
        }
        ActionCardWidget::Other(_) => html! {},
    }
}

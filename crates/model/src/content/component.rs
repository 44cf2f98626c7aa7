//! The components that a page is built of.
//!
//! Texts are plain unless their field is called `markdown` or `html`, and those are sanitised when they are drawn. Actions are named
//! by their id, so that a changed button needs no new version; an id that no longer names anything is left out.

use crate::json::tagged_union;

mod cards;
mod deciding;
mod reading;

pub use cards::{CallToAction, FeatureCards, LogoMarquee, StatsCards, TestimonialCarousel, Threads};
pub use deciding::{Comparison, PriceCards, Steps};
pub use reading::{Custom, Frame, FrameList, Hero, ImageBlock, Table, Text, VideoBlock};

tagged_union! {
    /// A block of a document.
    Component by "type" {
        "hero" => Hero(Hero),
        "text" => Text(Text),
        "image" => Image(ImageBlock),
        "video" => Video(VideoBlock),
        "table" => Table(Table),
        "feature-cards" => FeatureCards(FeatureCards),
        "frame" => Frame(Frame),
        "frame-list" => FrameList(FrameList),
        "testimonial-carousel" => TestimonialCarousel(TestimonialCarousel),
        "call-to-action" => CallToAction(CallToAction),
        "stats-cards" => StatsCards(StatsCards),
        "logo-marquee" => LogoMarquee(LogoMarquee),
        "threads" => Threads(Threads),
        "steps" => Steps(Steps),
        "comparison" => Comparison(Comparison),
        "price-cards" => PriceCards(PriceCards),
        "custom" => Custom(Custom),
    }
}

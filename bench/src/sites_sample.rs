//! The page that visitors are shown while it is measured: twelve blocks, of the kind and length that the page agent writes.

use pagesmith_model::content::Content;
use pagesmith_model::page::action::Action;
use pagesmith_render::{Defaults, FrameAncestors, Head, PageView, Rendered, Theme};
use serde_json::{Value, json};

use crate::Result;

const PARAGRAPHS: &str = "A station measures temperature, humidity and wind every minute, right where the trees stand. What counts is \
    the **wet-bulb temperature** at the height of the blossom, and that is what the warning goes by.\n\n\
    When it falls towards the critical point, your phone rings about *forty minutes* before the leaves freeze. That is time enough to \
    start the sprinklers or light the candles:\n\n\
    - the warning reaches every phone of the farm\n- it works without a mobile contract\n- it is repeated until somebody answers\n\n\
    Stations share what they measure with their neighbours. See [how it works](https://northwind.example/how).";

/// The document, as it is sent.
pub fn content() -> Value {
    let picture = |name: &str, alt_text: &str| json!({ "url": format!("https://northwind.example/{name}"), "altText": alt_text, "width": 1600, "height": 900 });
    json!({
        "head": { "title": "Frost warning for your orchard", "description": "Forty minutes of warning before the leaves freeze." },
        "blocks": [
            { "type": "hero", "blockId": "b1", "eyebrow": "For Hillside Orchards", "title": "Know of frost forty minutes before it comes",
              "subtitle": "A station among your trees, a warning on your phone, and nothing to sign with a mobile company.",
              "image": picture("orchard.jpg", "An orchard in blossom at dawn"), "actionIds": ["call", "code"] },
            { "type": "stats-cards", "blockId": "b2", "title": "What growers see", "stats": [
                { "value": "40 min", "label": "of warning before the leaves freeze" }, { "value": "1,200", "label": "stations in the valley" },
                { "value": "60 s", "label": "between two measurements" }] },
            { "type": "text", "blockId": "b3", "title": "How the warning works", "markdown": PARAGRAPHS },
            { "type": "feature-cards", "blockId": "b4", "title": "What you get", "cards": [
                { "title": "A station that stands alone", "text": "Solar power and a radio of its own: it needs neither mains nor contract." },
                { "title": "A warning that is heard", "text": "Every phone rings until one of you answers, also at four in the morning." },
                { "title": "Numbers that you can trust", "text": "Calibrated once a year, by us, at your place.", "actionId": "call" }] },
            { "type": "image", "blockId": "b5", "image": picture("station.jpg", "A station between two rows of trees"),
              "caption": "The station is as high as the blossom." },
            { "type": "table", "blockId": "b6", "title": "Two stations near you", "columns": ["Station", "Height", "Last frost"],
              "rows": [["Upper valley", "412 m", "3 May"], ["Mill creek", "388 m", "28 April"], ["Sonnberg", "455 m", "6 May"]] },
            { "type": "text", "blockId": "b7", "title": "What it takes", "markdown": PARAGRAPHS },
            { "type": "testimonial-carousel", "blockId": "b8", "title": "What others say", "testimonials": [
                { "quote": "It rang at ten past four. We saved the whole of the lower field.", "author": "Anna Weber", "role": "Weingut Sonnberg" },
                { "quote": "I sleep again in April.", "author": "Tom Hill", "role": "Hillside Orchards" }] },
            { "type": "logo-marquee", "blockId": "b9", "title": "In use at", "logos": [
                picture("hillside.svg", "Hillside Orchards"), picture("sonnberg.svg", "Weingut Sonnberg"), picture("mill.svg", "Mill Creek") ] },
            { "type": "frame-list", "blockId": "b10", "title": "Questions that growers ask", "frames": [
                { "title": "Does it work in a narrow valley?", "markdown": "Yes. Stations pass on what their neighbours send." },
                { "title": "Who installs it?", "markdown": "We do, in **half a day**, and you choose the day." },
                { "title": "What if it breaks?", "markdown": "It says so itself, and we bring another one." }] },
            { "type": "threads", "blockId": "b11", "question": "How large is your orchard?", "choices": [
                { "label": "Below 5 hectares", "markdown": "One station is enough." },
                { "label": "5 to 20 hectares", "markdown": "Two stations, one of them at the lowest point." },
                { "label": "More", "markdown": "We look at the map together." }] },
            { "type": "call-to-action", "blockId": "b12", "title": "Shall we look at your map together?",
              "text": "Half an hour with an adviser, and you know where a station would stand.", "actionIds": ["call"] },
        ],
    })
}

/// The buttons of the page, as they are sent.
pub fn actions() -> Value {
    json!([
        { "actionId": "call", "actionType": "open-url", "purpose": "Choose a time for a call.", "buttonTitle": "Talk to an adviser",
          "url": "https://northwind.example/calls" },
        { "actionId": "code", "actionType": "copy-text", "purpose": "Give the code for the trial.", "buttonTitle": "Copy the trial code",
          "copyText": "FROST-FREE-30" },
    ])
}

/// The page, read and ready to be drawn.
pub struct Sample {
    content: Content,
    actions: Vec<Action>,
}

impl Sample {
    /// Reads it.
    pub fn read() -> Result<Sample> {
        let mut actions = actions();
        for (index, action) in actions.as_array_mut().into_iter().flatten().enumerate() {
            action["actionIndex"] = index.into();
        }
        Ok(Sample { content: serde_json::from_value(content())?, actions: serde_json::from_value(actions)? })
    }

    /// Draws it, head and all, as the service does.
    pub fn draw(&self) -> Rendered {
        let url = Some("https://default.localhost/spring-launch");
        let defaults =
            Defaults { page_name: "Spring launch", site_name: "Northwind", url, is_personal: false };
        let head = Head::resolve(None, None, &self.content, &defaults);
        pagesmith_render::page(&PageView {
            content: &self.content,
            head: &head,
            actions: &self.actions,
            forms: pagesmith_render::no_forms(),
            header_action_id: Some("call"),
            nav: &[],
            footer: &[],
            legal_links: &[],
            widgets: &[],
            scripts: &[],
            needs_consent: true,
            theme: &Theme::default(),
            pictures: &pagesmith_render::KnownPictures::none(),
            ask: None,
            measured: Some(pagesmith_render::Measured {
                page_id: "page_01m87qtwkkfz19fm2jkz4f05aj",
                audience_id: "audience_01m87qtwkkfz19fm2jkz4f05aj",
            }),
            site_name: "Northwind",
            home_url: Some("/"),
            preview: None,
            frame_ancestors: &FrameAncestors::Nobody,
        })
    }
}

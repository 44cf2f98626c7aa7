//! The page that is created and measured: about 1.5 KB, of the kind that a marketing team really writes.
//!
//! One shape for all, so that every answer has the same size and the floors can match it.

use serde_json::json;

/// Stands where the request puts a number of its own (`request.rs`), so that names differ.
pub const SERIAL: &str = "<serial>";
/// Stands where the request puts the id of a page chosen at random.
pub const ID: &str = "<id>";

/// Stands where the request puts the number of a person, known or new.
pub const PERSON: &str = "<person>";

/// The body of `POST /v0/person_logs`: what a form sends. Persons are called by their addresses (Person P000000001), each otherwise.
pub fn log_body() -> String {
    json!({
        "email": format!("person-p{PERSON}@northwind.example"),
        "source": "website",
        "type": "form-submitted",
        "payload": {
            "form": "Frost warning: ask for a call",
            "answers": { "region": "Upper valley", "hectares": 12.5, "crops": ["apple", "pear"] },
            "page": "https://northwind.example/frost?utm_source=spring-fair"
        }
    })
    .to_string()
}

/// The body of `POST /v0/pages`.
pub fn create_body() -> String {
    json!({
        "name": format!("Spring launch {SERIAL}"),
        "brandId": "",
        "pageType": "outbound",
        "pageContext": "Northwind Instruments makes weather stations for vineyards and orchards. This page \
            is for growers who met us at the spring fair and asked how the frost warning works. Explain in \
            plain words that a station measures every minute, that the warning reaches the phone about \
            forty minutes before the leaves freeze, and that it works without a mobile contract. Name the \
            two stations nearest to the reader's region if they are known. Do not mention prices; invite \
            to a call instead. Keep a calm and practical tone.",
        "actions": [
            {
                "actionType": "open-url",
                "purpose": "Let an interested grower choose a time for a call with an adviser.",
                "buttonTitle": "Talk to an adviser",
                "url": "https://northwind.example/calls?source=spring-fair"
            },
            {
                "actionType": "copy-text",
                "purpose": "Give the code for the trial month to those who want to try first.",
                "buttonTitle": "Copy the trial code",
                "copyText": "FROST-FREE-30"
            }
        ],
        "actionCardWidgets": [{
            "type": "marquee",
            "title": "In use at",
            "logos": [
                { "image": { "altText": "Hillside Orchards", "url": "https://northwind.example/logos/hillside.svg",
                    "fileId": null, "assetId": null } },
                { "image": { "altText": "Weingut Sonnberg", "url": "https://northwind.example/logos/sonnberg.svg",
                    "fileId": null, "assetId": null } }
            ]
        }],
        "scripts": [{
            "name": "Visit counter",
            "content": "window.visits = (window.visits || 0) + 1;",
            "injectionPoint": "body-end",
            "enabled": true
        }],
        "metadata": {
            "title": "Frost warning for your orchard",
            "description": "Forty minutes of warning before the leaves freeze, without a mobile contract.",
            "keywords": ["frost", "orchard", "weather station"],
            "robots": ["noindex"]
        }
    })
    .to_string()
}

/// The body of `PATCH /v0/pages/{page_id}`.
pub fn update_body() -> String {
    json!({ "name": format!("Spring launch {SERIAL}") }).to_string()
}

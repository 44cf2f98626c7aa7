//! The brief that the models are given.

use pagesmith_model::brief::{AccountBrief, Brief, PersonBrief};
use pagesmith_model::page::PageType;
use pagesmith_model::page::action::Action;
use serde_json::json;

const LEDGER: &str = "\
# Northwind Ledger

Northwind Ledger closes the books for finance teams in three days instead of ten.

Tone: confident, friendly. Do not mention competitors.

![The close calendar](https://cdn.northwind.example/calendar.png)

- **Continuous reconciliation**: bank, card and ledger match every night, line by line.
- **One audit trail**: every change has a name, a time and a reason.

https://www.youtube.com/watch?v=dQw4w9WgXcQ
";

fn action(index: usize, id: &str, title: &str, purpose: &str) -> Action {
    let value = json!({ "actionId": id, "actionIndex": index, "purpose": purpose, "buttonTitle": title,
        "actionType": "open-url", "url": "https://example.com/go" });
    serde_json::from_value(value).unwrap()
}

/// A page for a person at a company, with two actions and a picture and a video in its context.
pub fn outbound() -> Brief {
    Brief {
        supplementary_context: Some("They close in nine days. Mention the NetSuite connector.".to_owned()),
        actions: vec![
            action(0, "book", "Book 20 minutes", "Book a call with our accountants"),
            action(1, "tour", "Take the tour", "Watch the product tour"),
        ],
        person: Some(PersonBrief {
            name: "Jordan Ellis".to_owned(),
            email: Some("someone@example.com".to_owned()),
            domain: None,
            columns: vec![
                ("Title".to_owned(), "VP Finance".to_owned()),
                ("hs_object_id".to_owned(), "8812345678901".to_owned()),
            ],
        }),
        account: Some(AccountBrief {
            name: Some("Brightpath Logistics, Inc.".to_owned()),
            domain: "brightpath.com".to_owned(),
        }),
        ..Brief::new(PageType::Outbound, "Q3 outbound – CFO template v2", LEDGER)
    }
}

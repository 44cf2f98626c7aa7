//! The brief that the models are given.

use pagesmith_model::brief::{AccountBrief, Brief, PersonBrief};
use pagesmith_model::page::PageType;
use pagesmith_model::page::action::Action;
use serde_json::json;

const LEDGER: &str = "\
# Northwind Ledger

Northwind Ledger closes the books for finance teams in three days instead of ten. Bank, card and ledger match overnight, so that
month-end starts almost finished.

Tone: confident, friendly. Target audience: CFOs and controllers at mid-size companies.
Do not mention competitors. Keep sentences short and end with a clear call to action.

![The close calendar](https://cdn.northwind.example/calendar.png)

## Why teams switch

- **Continuous reconciliation**: bank, card and ledger match every night, line by line.
- **One audit trail**: every change has a name, a time and a reason.
- **Works with your ERP**: NetSuite, SAP Business One and Dynamics, connected in a day.

## In numbers

- 3 days average close
- 42 % fewer manual journal entries
- 600+ finance teams

## What you get compared with competitors

They are slow.

> “We closed March on the second working day. I went home at five.”
> — Dana Reyes, CFO at Holloway Foods

> “The auditors asked for the trail and got it in a minute.” — Miguel Ortiz, Controller, Tide & Sons

https://www.youtube.com/watch?v=dQw4w9WgXcQ

## FAQ

How long does it take to set up?
Two weeks on average, with one of our accountants at your side.

Is our data safe?
It stays in the region that you choose, and we are audited under SOC 2 every year.

Q: What does it cost?
A: From 900 € a month; there is no fee per user.
";

fn action(index: usize, id: &str, title: &str, purpose: &str) -> Action {
    let value = json!({ "actionId": id, "actionIndex": index, "purpose": purpose, "buttonTitle": title,
        "actionType": "open-url", "url": "https://example.com/go" });
    serde_json::from_value(value).unwrap()
}

/// A page for a person at a company, with three actions and a picture and a video in its context.
pub fn outbound() -> Brief {
    Brief {
        supplementary_context: Some(
            "Jordan runs finance at Brightpath Logistics. They close in 9 days and are moving to NetSuite in spring. \
             Lead score 87, budget about 40k. Write a short page that shows how we could help with the migration. Mention the NetSuite connector."
                .to_owned(),
        ),
        actions: vec![
            action(0, "book", "Book 20 minutes", "Book a call with our accountants"),
            action(1, "tour", "Take the tour", "Watch the product tour"),
            action(2, "docs", "Read the NetSuite guide", "The guide about connecting NetSuite to the ledger"),
        ],
        person: Some(PersonBrief {
            name: "Jordan Ellis".to_owned(),
            email: Some("someone@example.com".to_owned()),
            domain: None,
            columns: vec![
                ("Title".to_owned(), "VP Finance".to_owned()),
                ("industry".to_owned(), "Logistics".to_owned()),
                ("Pain Points".to_owned(), "month-end takes nine days".to_owned()),
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

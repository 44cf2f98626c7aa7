//! Screens that draw every part with awkward content: words without end, both directions of writing, nothing, far too much.
//!
//! For tests only: snapshots of what is drawn, and a browser that looks at it.

use jiff::civil::date;
use maud::{Markup, html};
use pagesmith_model::time::Timestamp;
use serde_json::{Value, json};

use super::badge::{Tone, badge};
use super::chart::{Chart, Form as ChartForm, Series, chart};
use super::code::{Request, Sent, same_by_api};
use super::date_range::{DateRange, date_range};
use super::dialog::{Question, dialog_link, question};
use super::diff::diff;
use super::empty::{Empty, empty};
use super::field::{Choice, Field, Kind};
use super::form::{Form, FormError};
use super::icon::{Icon, icon};
use super::layout::{Crumb, Scheme, Shell, TenantLink, User, bare_screen, screen};
use super::list_query::{Asks, ListQuery};
use super::live::{Source, live};
use super::moment::exact_moment;
use super::navigation::Area;
use super::pagination::ShownRows;
use super::palette::{self, PaletteItem};
use super::schema_form::{FormLayout, SchemaForm};
use super::table::{BulkAction, Column, Filter, Row, Table, table};
use super::tabs::{Tab, tabs};
use super::timeline::{Happening, timeline};
use super::toast::Toast;
use crate::words::Words;

/// A word that does not end where a line does.
const LONG: &str =
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftsvorstandsvorsitzender";
/// A sentence that is written from right to left.
const HEBREW: &str = "דף נחיתה לקמפיין האביב";
/// What must not become markup.
const HOSTILE: &str = "<script>alert(\"1\")</script> & 'co'";
/// A point in time, and the present of all these screens.
const THEN: i64 = 1_773_999_000_000_000;
const NOW: i64 = 1_774_010_000_000_000;

/// Every screen, with its name.
pub fn screens(words: Words, scheme: Scheme) -> Vec<(&'static str, Markup)> {
    let drawn = |title, crumbs, toasts, main| shell(words, scheme, title, crumbs, toasts, &main);
    let crumbs: &[Crumb<'_>] = &[
        Crumb { title: LONG, href: "/console/pages/1" },
        Crumb { title: HEBREW, href: "/console/pages/1/a" },
    ];
    let undo =
        Toast::done("The page “Spring launch” is archived.").undo("/console/undo", &[("page", "page_1")]);
    vec![
        ("table", drawn("Pages", &[], &[undo, Toast::failed(LONG)], full_table(words, 50))),
        ("table-empty", drawn("Pages", &[], &[], empty_table(words, &ListQuery::default()))),
        (
            "table-nothing-found",
            drawn("Pages", &[], &[], empty_table(words, &ListQuery::default().searched(HOSTILE))),
        ),
        ("form", drawn("New page", crumbs, &[], form(&[]).draw(words))),
        ("form-errors", drawn(LONG, crumbs, &[], wrong_form().draw(words))),
        ("form-lists", drawn("Block", &[], &[], form_with_lists(words))),
        ("dialog", drawn("Delete page", &[], &[], deletion(words))),
        ("charts", drawn("Visits", &[], &[], charts(words))),
        ("small-parts", drawn(HEBREW, &[], &[], small_parts(words))),
        ("find", drawn("Find", &[], &[], found(words))),
        ("bare", bare_screen(words, scheme, "Sign in", &[], &sign_in(words))),
    ]
}

/// The screen that the budget is counted with.
pub fn shell_screen() -> Markup {
    let words = Words::choose(None, None);
    shell(words, Scheme::System, "Pages", &[], &[], &full_table(words, 20))
}

/// The palette's answer.
pub fn palette_results(words: Words) -> Markup {
    palette::results(words, &FOUND, 0)
}

const FOUND: [PaletteItem<'_>; 4] = [
    PaletteItem { kind: "Page", name: "Spring launch", href: "/console/pages/1" },
    PaletteItem { kind: "Page", name: HEBREW, href: "/console/pages/2" },
    PaletteItem { kind: "Person", name: LONG, href: "/console/persons/3" },
    PaletteItem { kind: "Setting", name: HOSTILE, href: "/console/settings" },
];

fn shell(
    words: Words,
    scheme: Scheme,
    title: &str,
    crumbs: &[Crumb<'_>],
    toasts: &[Toast<'_>],
    main: &Markup,
) -> Markup {
    let shell = Shell {
        words,
        scheme,
        root: "/console",
        area: Some(Area::Pages),
        areas: &Area::ALL,
        tenant: "Acme",
        tenants: &[
            TenantLink { name: LONG, href: "/console/t/2" },
            TenantLink { name: HEBREW, href: "/console/t/3" },
        ],
        user: User {
            name: "Ada Lovelace-Byron of Ockham Park",
            email: "ada@example.com",
            links: &[("Profile", "/console/profile")],
            sign_out: "/console/sign-out",
        },
        crumbs,
        title,
        actions: html! { a.button.primary href="/console/pages/new" data-key="c" { "New page" } },
        toasts,
    };
    screen(&shell, main)
}

const COLUMNS: [Column<'_>; 5] = [
    Column { label: "Name", sort: Some("name"), is_number: false },
    Column { label: "Status", sort: None, is_number: false },
    Column { label: "Audiences", sort: None, is_number: true },
    Column { label: "Visits", sort: Some("visits"), is_number: true },
    Column { label: "Changed", sort: Some("updatedAt"), is_number: false },
];
const FILTERS: [Filter<'_>; 2] = [
    Filter {
        name: "status",
        label: "Status",
        options: &[("draft", "Draft"), ("live", "Published"), ("archived", "Archived")],
    },
    Filter { name: "type", label: "Type", options: &[("inbound", "Inbound"), ("sales_deck", "Sales deck")] },
];

/// A list in the middle of ten thousand rows.
fn full_table(words: Words, rows: u32) -> Markup {
    let asks = Asks { sorts: &["name", "visits"], filters: &["status", "type"] };
    let query = ListQuery::read("status=live&sort=-visits&q=spring&cursor=c200&from=5000", &asks);
    let names = ["Spring launch", LONG, HEBREW, HOSTILE, "Night shift", ""];
    let tones = [
        (Tone::Good, "Published"),
        (Tone::Plain, "Draft"),
        (Tone::Busy, "Being written"),
        (Tone::Warning, "Instruction not understood"),
        (Tone::Bad, "Failed"),
    ];
    let statuses = names.iter().zip(tones.iter().cycle()).cycle();
    let rows = (0..rows).zip(statuses).map(|(at, (name, (tone, status)))| Row {
        id: format!("page_{at}"),
        name: if name.is_empty() { format!("Page {at}") } else { (*name).to_owned() },
        href: Some(format!("/console/pages/{at}")),
        cells: vec![
            badge(*tone, status),
            html! { (words.number(i64::from(at % 7))) },
            html! { (words.number(i64::from(at) * 7_919_113)) },
            super::moment::moment(
                words,
                Timestamp::from_micros(THEN - i64::from(at) * 7_200_000_000),
                Timestamp::from_micros(NOW),
            ),
        ],
    });
    let part = ShownRows { shown: 50, total: Some(10_000), next: Some("c250"), previous: Some("c150") };
    draw_table(words, &query, rows.collect(), part)
}

fn empty_table(words: Words, query: &ListQuery) -> Markup {
    draw_table(words, query, Vec::new(), ShownRows::default())
}

fn draw_table(words: Words, query: &ListQuery, rows: Vec<Row>, part: ShownRows<'_>) -> Markup {
    let actions = [
        BulkAction { value: "archive", label: "Archive", is_destructive: false },
        BulkAction { value: "delete", label: "Delete", is_destructive: true },
    ];
    table(
        words,
        &Table {
            id: "pages",
            caption: "Pages",
            path: "/console/pages",
            query,
            columns: &COLUMNS,
            rows,
            part,
            search: Some("Search pages"),
            filters: &FILTERS,
            bulk: Some(("/console/pages/bulk", &actions)),
            empty: Empty {
                title: "No pages yet",
                text: "A page shows one offer to one audience at a time. Describe it in a sentence, and its first version is written for you.",
                action: Some(("New page", "/console/pages/new")),
            },
        },
    )
}

fn choices(count: usize) -> Vec<Choice> {
    let labels = ["Inbound", "Outbound", HEBREW, LONG, "Sales deck", "Custom"];
    labels
        .iter()
        .take(count)
        .enumerate()
        .map(|(at, label)| Choice::new(format!("choice-{at}"), *label))
        .collect()
}

fn form(errors: &[FormError]) -> Form<'static> {
    let mut radios = choices(2);
    radios[1] = radios[1].clone().help("For those who have not asked for anything yet.");
    let fields = vec![
        Field::hidden("etag", "7"),
        Field::new("name", "Name", Kind::Text(Some(200)))
            .required()
            .help("Visitors do not see it.")
            .value(HOSTILE),
        Field::new("context", "What the page is about", Kind::LongText(Some(200_000))).value(HEBREW),
        Field::new("email", "E-mail", Kind::Email).autocomplete("email").value("ada@example.com"),
        Field::new("url", LONG, Kind::Url),
        Field::new(
            "weight",
            "Weight",
            Kind::Number { min: Some("0".to_owned()), max: Some("100".to_owned()), whole: true },
        )
        .value("50"),
        Field::new("type", "Type", Kind::Choice(radios)).required().value("choice-0"),
        Field::new("brand", "Brand", Kind::Choice(choices(6))).value("choice-3"),
        Field::new("events", "Events", Kind::Choices(choices(4))).values(vec!["choice-1".to_owned()]),
        Field::new("active", "Deliver events", Kind::Toggle).value("true").help("Off: events wait."),
        Field::new("colour", "Colour", Kind::Colour).value("#2b55b8"),
        Field::new("from", "First day", Kind::Date).value("2026-03-20"),
        Field::new("logo", "Logo", Kind::File("image/png,image/svg+xml".to_owned())),
    ];
    Form {
        cancel: Some("/console/pages"),
        ..Form::new("page", "/console/pages", "Create page", fields).with_errors(errors)
    }
}

fn wrong_form() -> Form<'static> {
    let error = |name: &str, message: &str| FormError { name: name.to_owned(), message: message.to_owned() };
    form(&[
        error("", "The page was changed meanwhile."),
        error("name", "name must have a visible character."),
        error("type", "type must be one of the listed values."),
        error("events.3", LONG),
        error("active", "active must be true."),
    ])
}

fn deletion(words: Words) -> Markup {
    html! {
        (dialog_link("/console/dialog", "Delete this page…", "button danger"))
        (question(words, &Question {
            title: "Delete the page “Spring launch”?",
            text: "Its 12 audiences and 340 versions go with it. It can be restored for 30 days.",
            action: "/console/pages/1/delete",
            values: &[("etag", "7")],
            yes: "Delete page",
            back: "/console/pages/1",
            is_destructive: true,
            typed: Some("Spring launch"),
            error: Some("That is not the page's name."),
        }))
    }
}

fn charts(words: Words) -> Markup {
    let day = |at: u8| format!("{}. March", at + 1);
    let wave = |factor: u64| (0..31_u64).map(|at| (at * at * factor) % 977 + at * 13).collect::<Vec<_>>();
    let series = |names: &[&'static str]| -> Vec<Series<'static>> {
        names.iter().zip(1..).map(|(name, factor)| Series { name, values: wave(factor) }).collect()
    };
    let draw = |id, title, form, labels: Vec<String>, series| {
        html! { section.card { (chart(words, &Chart { id, title, form, places: "Day", labels, series })) } }
    };
    let today = date(2026, 3, 20);
    html! {
        (date_range(words, "/console/visits", DateRange::last(30, today), today, &[("page", "page_1")]))
        (draw("four", "Visits by audience", ChartForm::Line, (0..31).map(day).collect(), series(&["Finance", "Operations", HEBREW, LONG])))
        (draw("bars", "Visits by source", ChartForm::Bar, (0..7).map(day).collect(), series(&["Direct", "Search"])))
        (draw("one", "One day", ChartForm::Line, vec![day(0)], vec![Series { name: "Visits", values: vec![7] }]))
        (draw("huge", "As many as can be counted", ChartForm::Bar, vec![LONG.to_owned(), HEBREW.to_owned()],
            vec![Series { name: "Visits", values: vec![u64::MAX, 1] }]))
        (draw("none", "Nothing yet", ChartForm::Line, Vec::new(), Vec::new()))
    }
}

fn small_parts(words: Words) -> Markup {
    let time = |minutes: i64| Timestamp::from_micros(NOW - minutes * 60_000_000);
    let body = json!({ "name": "It's spring", "pageContext": HEBREW });
    let happening = |tone, text: &str, minutes, detail| Happening {
        tone,
        text: html! { (text) },
        actor: Some("Ada Lovelace"),
        time: time(minutes),
        detail,
    };
    let tab = |label, count| Tab { label, href: "/console/pages/1", count };
    html! {
        (tabs("Page", &[tab("Content", None), tab("Audiences", Some("12")), tab("Versions", Some("340")), tab("Visits", None), tab("Settings", None)], 1))
        p.actions {
            @for (tone, text) in [(Tone::Plain, "Draft"), (Tone::Busy, "Being written"), (Tone::Good, "Published"), (Tone::Warning, "Held"), (Tone::Bad, "Failed")] {
                (badge(tone, text)) " "
            }
        }
        div.cards {
            div.card { p.help { "Visits" } p.stat { (words.number(1_234_567)) } }
            div.card { p.help { (LONG) } p.stat { (words.percent(1, 3)) } }
            div.card { p.help { "Stored" } p.stat { (words.bytes(1_234_567_890)) } }
        }
        dl.facts {
            dt { "Created" } dd { (exact_moment(words, time(90))) }
            dt { "Link" } dd { a href="/console/pages/1" { "https://acme.example.com/" (LONG) } }
        }
        (live("progress", &Source { events: "/console/events", event: "version", content: "/console/live" }, &html! { p { "Being written: 40 %" } }))
        (timeline(words, time(0), &[
            happening(Tone::Good, "Version 12 was published.", 2, None),
            happening(Tone::Bad, LONG, 70, Some(html! { p.help { "The model did not answer." } })),
            happening(Tone::Plain, HEBREW, 60 * 24 * 40, None),
        ]))
        (diff(words, "Forecasts for every team in your company.", &format!("Forecasts for finance teams. {HOSTILE}")))
        (same_by_api(words, &[Request { method: "GET", url: "https://api.example.com/v0/pages", sent: Sent::Nothing }],
            &[Request { method: "POST", url: "https://api.example.com/v0/pages", sent: Sent::Json(&body) }]))
        (empty(&Empty { title: "No versions yet", text: LONG, action: None }))
        p { (icon(Icon::Webhook)) " " a.button href="/console" { "Plain" } " " button.button.primary type="button" { "Primary" } " "
            button.button.danger type="button" { "Danger" } " " button.button.quiet type="button" { "Quiet" } " "
            button.button type="button" disabled { "Disabled" } }
    }
}

fn found(words: Words) -> Markup {
    palette::search_page(words, "/console/find", HOSTILE, &FOUND)
}

fn sign_in(words: Words) -> Markup {
    let fields = vec![
        Field::new("email", "E-mail", Kind::Email).required().autocomplete("username"),
        Field::new("password", "Password", Kind::Password).required().autocomplete("current-password"),
    ];
    Form::new("sign-in", "/console/sign-in", "Sign in", fields).draw(words)
}

/// Names for the fields of a form that is made from a schema.
struct Names;

impl FormLayout for Names {
    fn shown(&self, _: &str, _: &Value) -> Vec<&'static str> {
        vec!["title", "plans", "name", "price", "text", "points", "actionId"]
    }

    fn label(&self, place: &str) -> String {
        if place.ends_with("price") { LONG.to_owned() } else { place.to_owned() }
    }

    fn help(&self, place: &str) -> String {
        if place == "plans" { HEBREW.to_owned() } else { String::new() }
    }

    fn choices(&self, place: &str) -> Option<Vec<Choice>> {
        place.ends_with("actionId").then(|| vec![Choice::new("", "None"), Choice::new("demo", HOSTILE)])
    }

    fn kinds(&self, _: &str) -> Vec<(&'static str, String)> {
        vec![("", "Add a plan".to_owned())]
    }

    fn name(&self, _: &str, item: &Value) -> String {
        format!("Plan {}", item["name"].as_str().unwrap_or_default())
    }
}

fn form_with_lists(words: Words) -> Markup {
    let block = json!({ "type": "price-cards", "title": HOSTILE, "plans": [
        { "name": LONG, "price": "9 €", "points": ["One", HEBREW], "actionId": "gone" }, { "name": HOSTILE, "text": "Text" },
    ] });
    let error = |name: &str, message: &str| FormError { name: name.to_owned(), message: message.to_owned() };
    let errors = [
        error("plans.1.price", "is too long."),
        error("plans", "must have at least 3 items."),
        error("", HOSTILE),
    ];
    let form = SchemaForm::component("price-cards").map(|schema| {
        SchemaForm::new(schema, &Names).draw("block", &block, (&errors, Some("plans.0")), words)
    });
    html! {
        form.form #block method="post" action="/console/pages/1/blocks/1" novalidate {
            (form.unwrap_or_default())
            div.form-end { button.button.primary type="submit" { "Save" } }
        }
    }
}

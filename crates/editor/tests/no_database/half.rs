//! Texts that are to be half as long: shorter as far as numbers, names and links allow, and what was done is said.

use pagesmith_editor::{Document, EditOutcome, Material, Reply, Request, Selection, edit};
use serde_json::json;

fn page(tag: &str, title: &str, text: &str) -> Document {
    let content = json!({ "format": 1, "head": { "language": tag }, "blocks": [
        { "type": "hero", "blockId": "top", "title": title },
        { "type": "text", "blockId": "text", "markdown": text },
    ] });
    serde_json::from_value(json!({ "content": content })).unwrap()
}

fn said(message: &str, document: &Document, selection: Option<&Selection>) -> Reply {
    let material = Material::default();
    edit(&Request { message, document, selection, material: &material, earlier: &[] })
}

fn text(document: &Document) -> String {
    let blocks = serde_json::to_value(&document.content.blocks).unwrap();
    blocks[1]["markdown"].as_str().unwrap().to_owned()
}

const TEXTS: [(&str, &[&str], &str); 4] = [
    (
        "en",
        &[
            "make the text half as long",
            "cut the text in half",
            "the text should be half as long",
            "pls make the text only half the length",
            "halve the text",
        ],
        "We bake with stone ovens. Bread is made by hand. It rests for a night. Nobody has to wait for it.",
    ),
    (
        "de",
        &[
            "mach den Text halb so lang",
            "den Text bitte halb so lang",
            "kürze den Text um die Hälfte",
            "der Text soll nur halb so lang sein",
            "halbiere den Text",
        ],
        "Wir backen im Ofen aus Stein. Das Brot wird von Hand gemacht. Es ruht eine Nacht. Niemand muss darauf warten.",
    ),
    (
        "fr",
        &[
            "rends le texte moitié moins long",
            "le texte moitié moins long s'il te plaît",
            "réduis le texte de moitié",
            "moitié moins long le texte",
        ],
        "Le pain est cuit dans un four de pierre. Il est fait à la main. Il repose une nuit. Personne ne doit attendre.",
    ),
    (
        "es",
        &[
            "haz el texto la mitad de largo",
            "reduce el texto a la mitad",
            "el texto a la mitad por favor",
            "deja el texto en la mitad",
        ],
        "El pan se hace en un horno de piedra. Se hace a mano. Reposa una noche. Nadie tiene que esperar.",
    ),
];

#[test]
fn a_text_that_is_to_be_half_as_long_is_shortened_and_its_length_is_told() {
    for (tag, messages, long) in TEXTS {
        for message in messages {
            let before = page(tag, "X", long);
            let reply = said(message, &before, None);
            assert_eq!(reply.outcome, EditOutcome::Done, "{message}: {}", reply.text);
            let (short, words) = (text(&reply.document), |text: &str| text.split(' ').count());
            assert!(words(&short) * 2 <= words(long) + 4, "{message}: {short}");
            for count in [words(long), words(&short)] {
                assert!(reply.text.contains(&count.to_string()), "{message}: {}", reply.text);
            }
        }
    }
}

#[test]
fn what_is_selected_is_halved_as_well() {
    for (tag, message) in [
        ("en", "half as long please"),
        ("de", "halb so lang"),
        ("fr", "moitié moins long"),
        ("es", "la mitad de largo"),
    ] {
        let long = TEXTS.iter().find(|(known, ..)| *known == tag).unwrap().2;
        let selection = Selection { block_id: "text".to_owned(), path: None };
        let reply = said(message, &page(tag, "X", long), Some(&selection));
        assert_eq!(reply.outcome, EditOutcome::Done, "{message}: {}", reply.text);
        assert!(text(&reply.document).len() < long.len() * 2 / 3, "{message}: {}", reply.text);
    }
}

#[test]
fn numbers_names_and_links_stay_and_it_is_said_that_no_more_can_go() {
    let long = "We have baked in Thornbury since 1919. Maria Silva runs the shop. See [the prices](/prices). \
                It is open to all who like bread.";
    let reply = said("make the text half as long", &page("en", "X", long), None);
    let short = text(&reply.document);
    assert_eq!(
        short,
        "We have baked in Thornbury since 1919. Maria Silva runs the shop. See [the prices](/prices)."
    );
    assert!(reply.text.contains("nothing more that can go"), "{}", reply.text);
    let before = page("en", "X", "Maria Silva runs the shop in Thornbury.");
    let reply = said("make the text half as long", &before, None);
    assert_eq!((reply.outcome, &reply.document), (EditOutcome::Refused, &before), "{}", reply.text);
}

//! Shorter texts keep numbers, names and links, wherever these stand and whatever the page is about.

use std::collections::HashSet;

use pagesmith_editor::{Document, EditOutcome, Material, Reply, Request, edit};
use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};
use serde_json::json;

/// Of a language: its tag, the request, sentences and headings about nobody, those about somebody or something, and names.
struct Sentences {
    tag: &'static str,
    request: &'static str,
    plain: &'static [&'static str],
    named: &'static [&'static str],
    names: &'static [&'static str],
}

const LANGUAGES: [Sentences; 4] = [
    Sentences {
        tag: "en",
        request: "make the text shorter",
        plain: &[
            "Plans are guesses.",
            "Guided walks run all year, which is really quite a lot.",
            "Booking is easy (just ask at the desk).",
            "Fresh bread is baked every morning, so that nobody has to wait.",
        ],
        named: &[
            "# leads the walks.",
            "Ask # for details, because it is simple.",
            "Walks start in the old town (near #).",
            "We work with people from # and with their neighbours.",
            "# and the team are there, so that you find your way.",
        ],
        names: &[
            "Maria",
            "Bremen",
            "Thornbury",
            "adidas",
            "Hope",
            "Rose Baker",
            "O'Neill",
            "Ledgerly",
            "fifteen guides",
            "twenty-five towns",
            "ninety",
            "Just Eat",
            "The Very Group",
            "Simply Business",
            "iPhone",
            "Saint-Malo",
            "3 %",
            "[Prices](/prices)",
        ],
    },
    Sentences {
        tag: "de",
        request: "mach den Text kürzer",
        plain: &[
            "Pläne sind geraten.",
            "Unsere Führungen gibt es das ganze Jahr, was wirklich sehr viel ist.",
            "Das Buchen ist einfach (fragen Sie am Schalter).",
            "Frisches Brot gibt es jeden Morgen, damit niemand warten muss.",
        ],
        named: &[
            "# leitet die Führungen.",
            "Fragen Sie #, weil es einfach ist.",
            "Die Führungen beginnen in der Altstadt (bei #).",
            "Wir arbeiten mit Menschen aus # und mit ihren Nachbarn.",
            "Mit # und dem Team sind Sie gut beraten.",
        ],
        names: &[
            "Maria",
            "Bremen",
            "Wien",
            "Petra Lindner",
            "Planwerk",
            "Tirol",
            "Frau Stein",
            "Stein",
            "Jonas Koch",
            "fünfzehn Orten",
            "fünfundzwanzig Orten",
            "zweihundert Orten",
            "sechzig Orten",
            "Einfach Machen",
            "thyssenkrupp",
            "3 %",
            "[Preise](/preise)",
        ],
    },
    Sentences {
        tag: "fr",
        request: "raccourcis le texte",
        plain: &[
            "Les plans sont des suppositions.",
            "Nos visites ont lieu toute l'année, ce qui est vraiment beaucoup.",
            "La réservation est simple (demandez à l'accueil).",
            "Le pain est frais chaque matin, pour que personne n'attende.",
        ],
        named: &[
            "# guide les visites.",
            "Demandez à #, car c'est simple.",
            "Les visites partent de la vieille ville (près de #).",
            "Nous travaillons avec des gens de # et avec leurs voisins.",
            "Avec # et l'équipe, vous êtes bien conseillés.",
        ],
        names: &[
            "Claire",
            "Lyon",
            "D'Artagnan",
            "Saint-Malo",
            "Mme Petit",
            "quinze villes",
            "vingt-cinq villes",
            "quatre-vingts",
            "soixante villes",
            "Vraiment Bon",
            "Olive",
            "adidas",
            "Bordeaux",
            "3 %",
            "[Tarifs](/tarifs)",
        ],
    },
    Sentences {
        tag: "es",
        request: "acorta el texto",
        plain: &[
            "Los planes son conjeturas.",
            "Las visitas son todo el año, que es realmente mucho.",
            "La reserva es fácil (pregunte en la entrada).",
            "El pan es fresco cada mañana, para que nadie espere.",
        ],
        named: &[
            "# guía las visitas.",
            "Pregunte a #, porque es fácil.",
            "Las visitas salen del casco antiguo (cerca de #).",
            "Trabajamos con gente de # y con sus vecinos.",
            "Con # y el equipo todo es fácil.",
        ],
        names: &[
            "Pilar",
            "Sevilla",
            "quince pueblos",
            "veinticinco pueblos",
            "cuarenta",
            "sesenta y dos",
            "Muy Interesante",
            "Consuelo",
            "Paz",
            "adidas",
            "Lucía Gómez",
            "San Sebastián",
            "3 %",
            "[Precios](/precios)",
        ],
    },
];

fn document(tag: &str, title: &str, text: &str) -> Document {
    let content = json!({ "format": 1, "head": { "language": tag }, "blocks": [
        { "type": "hero", "blockId": "top", "title": title },
        { "type": "text", "blockId": "text", "title": "X", "markdown": text },
    ] });
    serde_json::from_value(json!({ "content": content })).unwrap()
}

fn asked(message: &str, document: &Document) -> Reply {
    let material = Material::default();
    edit(&Request { message, document, selection: None, material: &material, earlier: &[] })
}

fn shown(document: &Document) -> [String; 2] {
    let blocks = serde_json::to_value(&document.content.blocks).unwrap();
    [&blocks[0]["title"], &blocks[1]["markdown"]].map(|text| text.as_str().unwrap().to_owned())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn a_shorter_text_keeps_every_name_number_and_link(
        language in select(&[0_usize, 1, 2, 3][..]),
        plain in subsequence(vec![0_usize, 1, 2, 3], 1..=4),
        named in subsequence(vec![0_usize, 1, 2, 3, 4], 1..=4),
        names in prop::collection::vec(any::<Index>(), 5),
        first in any::<bool>(),
    ) {
        let of = &LANGUAGES[language];
        let mut kept = HashSet::new();
        let mut sentences: Vec<String> = Vec::new();
        for (sentence, name) in named.iter().zip(&names) {
            let name = *name.get(of.names);
            kept.insert(name);
            sentences.push(of.named[*sentence].replace('#', name));
        }
        let plain = plain.iter().map(|at| of.plain[*at].to_owned());
        if first { sentences.splice(0..0, plain); } else { sentences.extend(plain); }
        let before = document(of.tag, "X", &sentences.join(" "));
        let after = asked(of.request, &before).document;
        let [_, text] = shown(&after);
        for name in kept {
            prop_assert!(text.contains(name), "{name} of {sentences:?} is not in {text:?}");
        }
    }
}

#[test]
fn a_text_without_names_gets_shorter_in_every_language() {
    for of in &LANGUAGES {
        let before = document(of.tag, "X", &of.plain.join(" "));
        let after = asked(of.request, &before);
        let [[_, old], [_, new]] = [shown(&before), shown(&after.document)];
        assert!(new.len() < old.len() * 3 / 4, "{}: {new} {}", of.tag, after.text);
    }
}

#[test]
fn a_page_in_a_language_without_a_list_gets_shorter() {
    let text =
        "Plannen zijn gissingen. Het boeken is eenvoudig, dat is echt heel prettig (vraag het aan de balie).";
    let after = asked("make the text shorter", &document("nl", "X", text));
    assert_eq!(after.outcome, EditOutcome::Done, "{}", after.text);
}

#[test]
fn rare_words_are_no_names() {
    for (tag, request, title, shorter) in [
        ("en", "make the headline shorter", "Really cold rooms that never go unnoticed", "Cold rooms"),
        (
            "de",
            "mach die Überschrift kürzer",
            "Frisches Brot jeden Morgen, unaufdringlich geliefert",
            "Frisches Brot jeden Morgen",
        ),
        (
            "fr",
            "raccourcis le titre principal",
            "Visites guidées de la ville, soigneusement préparées",
            "Visites guidées de la ville",
        ),
        (
            "es",
            "acorta el titular",
            "Visitas guiadas por la ciudad, cuidadosamente preparadas",
            "Visitas guiadas por la ciudad",
        ),
    ] {
        let [title, _] = shown(&asked(request, &document(tag, title, "X")).document);
        assert_eq!(title, shorter);
    }
}

#[test]
fn a_shorter_heading_keeps_its_names() {
    let cases = [
        ("en", "make the headline shorter", "Guided walks with Maria", "Maria"),
        ("en", "make the headline shorter", "Guided Walks Through The Old Town With Maria", "Maria"),
        ("en", "make the headline shorter", "Simple forecasts for teams – by Ledgerly", "Ledgerly"),
        ("de", "mach die Überschrift kürzer", "Führungen durch die Altstadt mit Maria", "Maria"),
        ("de", "mach die Überschrift kürzer", "Frisches Brot jeden Morgen, aus Bremen", "Bremen"),
        ("fr", "raccourcis le titre principal", "Visites guidées de la ville avec Claire", "Claire"),
        ("es", "acorta el titular", "Visitas guiadas por la ciudad con Pilar", "Pilar"),
    ];
    for (tag, request, title, name) in cases {
        let [shorter, _] = shown(&asked(request, &document(tag, title, "X")).document);
        assert!(shorter.contains(name), "{shorter}");
    }
    for (sentence, kept) in [
        (
            "Plans are guesses. You find the details at ledgerly.example, so that nobody has to ask.",
            "ledgerly.example",
        ),
        ("Plans are guesses. The start is explained (see /docs/start).", "/docs/start"),
        ("Plans are guesses. It helps dozens of teams, which is nice.", "dozens"),
        ("Plans are guesses. Our partner Just Eat is really happy.", "Just Eat"),
    ] {
        let [_, text] = shown(&asked("make the text shorter", &document("en", "X", sentence)).document);
        assert!(text.contains(kept), "{text}");
    }
    // What something is said to be is no filler.
    for (sentence, broken) in [
        ("Fragen Sie Maria, weil es einfach ist.", "es ist"),
        ("Das Buchen bei Maria ist einfach (fragen Sie am Schalter).", "Maria ist ("),
        ("Das Buchen bei Maria ist einfach und geht schnell.", "ist und"),
    ] {
        let before =
            document("de", "X", &format!("{sentence} Pläne sind wirklich oft Vermutungen von Maria."));
        let [_, text] = shown(&asked("kürze den Text", &before).document);
        assert!(!text.contains(broken) && text.contains("Pläne sind oft"), "{text}");
    }
    // Without a name the same endings can go.
    let cases = [
        ("en", "make the headline shorter", "Guided walks for everybody", "Guided walks"),
        (
            "de",
            "mach die Überschrift kürzer",
            "Führungen durch die Altstadt mit Musik",
            "Führungen durch die Altstadt",
        ),
    ];
    for (tag, request, title, expected) in cases {
        let [shorter, _] = shown(&asked(request, &document(tag, title, "X")).document);
        assert_eq!(shorter, expected);
    }
}

#[test]
fn a_filler_at_the_beginning_goes_and_the_next_word_gets_its_capital() {
    for (tag, request, title, shorter) in [
        (
            "en",
            "make the headline shorter",
            "Really simple forecasts for Lisbon",
            "Simple forecasts for Lisbon",
        ),
        ("en", "make the headline shorter", "Of course, we deliver to Lisbon", "We deliver to Lisbon"),
        (
            "de",
            "mach die Überschrift kürzer",
            "Wirklich einfache Dienstpläne für Nürnberg",
            "Einfache Dienstpläne für Nürnberg",
        ),
        ("fr", "raccourcis le titre principal", "Vraiment simple avec Claire", "Simple avec Claire"),
        ("es", "acorta el titular", "Realmente tranquilos con Pilar", "Tranquilos con Pilar"),
    ] {
        let reply = asked(request, &document(tag, title, "X"));
        assert_eq!(shown(&reply.document)[0], shorter, "{}", reply.text);
    }
    let long = "Just call Maria in Lisbon. Simply bring your card to Lisbon.";
    let [_, text] = shown(&asked("make the text shorter", &document("en", "X", long)).document);
    assert_eq!(text, "Call Maria in Lisbon. Bring your card to Lisbon.");
    // What would be left is another sentence, or the word is no filler there.
    for (tag, request, title) in [
        ("en", "make the headline shorter", "Just Eat delivers to Lisbon"),
        ("en", "make the headline shorter", "Just in time for Lisbon"),
        ("en", "make the headline shorter", "Quite a lot of Lisbon"),
        ("en", "make the headline shorter", "Simply put, Maria bakes"),
        ("en", "make the headline shorter", "Just 49 € in Lisbon"),
        ("de", "mach die Überschrift kürzer", "Natürlich liefert Maria nach Bremen"),
        ("de", "mach die Überschrift kürzer", "Natürlich backen wir in Bremen"),
        ("de", "mach die Überschrift kürzer", "Einfach Machen leitet Bremen"),
    ] {
        let reply = asked(request, &document(tag, title, "X"));
        assert_eq!(shown(&reply.document)[0], title, "{}", reply.text);
    }
}

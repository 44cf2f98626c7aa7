//! What is a quotation, and who said it.

use super::*;
use crate::lexicon;

fn found(text: &str, tag: &str) -> Vec<(String, String, Option<String>)> {
    let all = quotations(text, lexicon::of(tag));
    all.into_iter().map(|one| (one.testimonial.quote, one.testimonial.author, one.testimonial.role)).collect()
}

fn dana(quote: &str, role: &str) -> Vec<(String, String, Option<String>)> {
    vec![(quote.to_owned(), "Dana Reyes".to_owned(), (!role.is_empty()).then(|| role.to_owned()))]
}

#[test]
fn a_relative_clause_names_whom_it_is_about() {
    for (text, tag, name) in [
        ("Trabajó con nosotros Néstor Vaz, que dice: \"Mi bandoneón volvió a cantar\".", "es", "Néstor Vaz"),
        ("We repaired the organ of Dana Reyes, who says: \"It sings again, after all.\"", "en", "Dana Reyes"),
        ("Ada Lind, die sagt: „Das war ein gutes Jahr für uns.“", "de", "Ada Lind"),
    ] {
        let found = found(text, tag);
        let (_, author, role) = &found[0];
        assert_eq!((author.as_str(), role), (name, &None), "{text}");
    }
}

#[test]
fn quotations_are_found_in_prose() {
    for (text, quote, role) in [
        ("“I went home at five.” — Dana Reyes, CFO at Holloway", "I went home at five.", "CFO at Holloway"),
        (
            "We help. \"I went home at five\", says Dana Reyes of Holloway. More.",
            "I went home at five",
            "Of Holloway",
        ),
        (
            "As Dana Reyes, CFO of Holloway, puts it: \"I went home at five.\"",
            "I went home at five.",
            "CFO of Holloway",
        ),
        (
            "\"I went home at five\", Dana Reyes, head of finance, Holloway",
            "I went home at five",
            "Head of finance, Holloway",
        ),
        (
            "“I went home at five,” said Dana Reyes, CFO, “and slept well.”",
            "I went home at five, and slept well.",
            "CFO",
        ),
        ("\"I went home at five.\" (Dana Reyes, CFO)", "I went home at five.", "CFO"),
        (
            "Our plant manager Dana Reyes says: “I went home at five.”",
            "I went home at five.",
            "Plant manager",
        ),
    ] {
        assert_eq!(found(text, "en"), dana(quote, role), "{text}");
    }
    assert_eq!(
        found("„Wir sparen jede Woche eine Schicht“, sagt Dana Reyes, Werkleiterin in Ulm.", "de"),
        dana("Wir sparen jede Woche eine Schicht", "Werkleiterin in Ulm")
    );
    assert_eq!(
        found("« Nous gagnons une heure par jour », Dana Reyes, gérante", "fr"),
        dana("Nous gagnons une heure par jour", "Gérante")
    );
}

#[test]
fn an_initial_ends_a_name_where_a_sentence_follows() {
    for (text, tag, name, role) in [
        (
            "« Ils ont sauvé notre fête », dit Claire M. Evitez les dimanches, tout le monde y pense et la cour est pleine.",
            "fr",
            "Claire M.",
            None,
        ),
        ("„Der Ofen lief am selben Tag“, sagt Anna K. Wir kommen auch am Samstag.", "de", "Anna K.", None),
        ("„Der Ofen lief am selben Tag“, sagt Anna K. Termine gibt es online.", "de", "Anna K.", None),
        ("«Volvió a sonar como nueva», dice Lucía P. Abrimos los lunes.", "es", "Lucía P.", None),
        ("„Wszystko działa od roku”, mówi Ewa W. Zapraszamy codziennie.", "pl", "Ewa W.", None),
        (
            "\"I went home at five\", says John F. Kennedy of Boston. More.",
            "en",
            "John F. Kennedy",
            Some("Of Boston"),
        ),
        (
            "« Ils ont sauvé notre fête », dit Claire M. Dupont, gérante.",
            "fr",
            "Claire M. Dupont",
            Some("Gérante"),
        ),
        ("« Ils ont sauvé notre fête », dit Claire M. Le Goff.", "fr", "Claire M. Le Goff", None),
    ] {
        let found = found(text, tag);
        let (_, author, found_role) = found.first().unwrap_or_else(|| panic!("{text}"));
        assert_eq!((author.as_str(), found_role.as_deref()), (name, role), "{text}");
    }
}

#[test]
fn what_nobody_said_is_no_quotation() {
    for text in
        ["The “quick change” system is fast.", "“Nobody said that at all.”", "Plain text — with a dash"]
    {
        assert_eq!(found(text, "en"), [], "{text}");
    }
}

#[test]
fn a_speaker_is_named_by_the_name_and_not_by_what_leads_to_it() {
    for (tag, lead, name, role) in [
        (
            "es",
            "Una paciente de Zapopan, la maestra Lupita Orozco, nos contó",
            "Lupita Orozco",
            "Maestra, paciente de Zapopan",
        ),
        ("en", "Their ops manager Gill Tranter said", "Gill Tranter", "Ops manager"),
        ("en", "One of our customers, the baker Tom Pike, told us", "Tom Pike", "Baker"),
        ("en", "My neighbour Jo Bell says", "Jo Bell", "Neighbour"),
        (
            "de",
            "Eine Kundin aus Fulda, die Lehrerin Petra Vogt, sagte",
            "Petra Vogt",
            "Lehrerin, Kundin aus Fulda",
        ),
        ("de", "Ihre Betriebsleiterin Petra Vogt sagt", "Petra Vogt", "Betriebsleiterin"),
        (
            "fr",
            "Une cliente de Nancy, la boulangère Anne Petit, dit",
            "Anne Petit",
            "Boulangère, cliente de Nancy",
        ),
        ("fr", "Leur directeur technique Jean Roux dit", "Jean Roux", "Directeur technique"),
        ("it", "Un cliente di Pavia, il fornaio Luca Galli, dice", "Luca Galli", "Fornaio, cliente di Pavia"),
        (
            "pt",
            "Uma cliente do Porto, a professora Rita Sá, disse",
            "Rita Sá",
            "Professora, cliente do Porto",
        ),
        ("nl", "Hun bedrijfsleider Anna de Wit zegt", "Anna de Wit", "Bedrijfsleider"),
        ("sv", "Deras driftchef Eva Lind säger", "Eva Lind", "Driftchef"),
        ("pl", "Ich kierownik Jan Nowak mówi", "Jan Nowak", "Kierownik"),
        (
            "it",
            "Come dice il signor Galli del forno Galli di Pavia",
            "Galli",
            "Signor del forno Galli di Pavia",
        ),
    ] {
        let all = found(&format!("{lead}: \"x1 x2 x3 x4 x5 x6\""), tag);
        let named: Vec<_> = all.iter().map(|(_, name, role)| (name.as_str(), role.as_deref())).collect();
        assert_eq!(named, [(name, Some(role))], "{lead}");
    }
    for (tag, lead) in
        [("en", "He said"), ("en", "One customer said"), ("es", "Una clienta de Vigo nos dijo")]
    {
        assert_eq!(found(&format!("{lead}: \"x1 x2 x3 x4 x5 x6\""), tag), [], "{lead}");
    }
}

#[test]
fn what_is_said_of_a_speaker_behind_their_back_is_no_role() {
    for (who, role) in [
        ("Gary Pike, Pike Roofing, he is happy for us to use it", "Pike Roofing"),
        ("Gary Pike, Pike Roofing, Leeds", "Pike Roofing, Leeds"),
    ] {
        let all = found(&format!("\"x1 x2 x3 x4 x5 x6\" - {who}"), "en");
        assert_eq!(all[0].2.as_deref(), Some(role), "{who}");
    }
    let arabic = found("«x1 x2 x3 x4 x5 x6» — أم سلطان، حي الصفا", "ar");
    assert_eq!((arabic[0].1.as_str(), arabic[0].2.as_deref()), ("أم سلطان", Some("حي الصفا")));
}
